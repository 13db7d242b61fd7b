//! Tests of [`Path`]: stops, waiting times and circles.

use std::f64::consts::TAU;

use bitwall::glam::{DVec2, IVec2};
use bitwall::world::{Body, Path, World};
use bitwall::{Aabb, Level, Rate};

use crate::support::blank;

/// Moves a platform from `start` along `path`, and returns its exact positions, the first before the first
/// step.
fn places(path: &mut Path, rate: Rate, start: IVec2, steps: u32) -> Vec<DVec2> {
    let level: Level = blank(10, 10);
    let mut world = World::new(rate);
    let id = world.add(Body::platform(Aabb::from_xywh(start.x, start.y, 16, 8)));
    let mut places = vec![world.get(id).unwrap().position()];
    for _ in 0..steps {
        path.advance(world.get_mut(id).unwrap());
        world.step(&level);
        places.push(world.get(id).unwrap().position());
    }
    places
}

#[test]
fn a_lift_arrives_at_each_stop_exactly_and_waits_there() {
    let stops = [(IVec2::new(10, 20), 0.5), (IVec2::new(10, -40), 0.0), (IVec2::new(55, 20), 1.0)];
    for hertz in [30, 60, 144] {
        let rate = Rate::per_second(hertz);
        let hertz = u32::from(hertz);
        // The legs have 60 and 75 px, so they take 2 and 2.5 seconds.
        let mut path = Path::back_and_forth(rate, 30.0, stops);
        let seen = places(&mut path, rate, stops[0].0, 22 * hertz);
        let at = |halves: u32| seen[(halves * hertz / 2) as usize];
        let [first, second, third] = stops.map(|(stop, _)| stop.as_dvec2());
        for round in 0..2 {
            let start = round * 21;
            for (halves, expected) in [
                (0, first),
                (1, first),
                (3, DVec2::new(10.0, -10.0)),
                (5, second),
                (10, third),
                (12, third),
                (17, second),
                (20, DVec2::new(10.0, 5.0)),
                (21, first),
            ] {
                let error = (at(start + halves) - expected).abs().max_element();
                assert!(error < 0.001, "{hertz} {round} {halves}: {}", at(start + halves));
            }
        }
        // It waits after the whole way back too.
        for stop in [first, second, third] {
            assert!(seen.contains(&stop), "{hertz} {stop}");
        }
    }
}

#[test]
fn a_round_course_leads_from_the_last_stop_to_the_first() {
    let rate = Rate::per_second(1);
    let stops = [IVec2::ZERO, IVec2::new(9, 0), IVec2::new(9, 6), IVec2::new(0, 6)];
    let mut path = Path::round(rate, 3.0, stops.map(|stop| (stop, 0.0)));
    let seen = places(&mut path, rate, IVec2::ZERO, 200);
    for (at, place) in seen.iter().enumerate() {
        assert_eq!(*place, seen[at % 10], "{at}");
    }
    assert_eq!(seen[4], DVec2::new(9.0, 3.0));
    assert_eq!(seen[9], DVec2::new(0.0, 3.0));
    // A path without a way stays where it is.
    for stops in [&stops[..0], &stops[..1]] {
        let stops = stops.iter().map(|stop| (*stop, 0.0));
        let mut path = Path::back_and_forth(rate, 3.0, stops);
        assert_eq!(places(&mut path, rate, IVec2::ZERO, 9), [DVec2::ZERO; 10]);
    }
    for speed in [f32::NAN, -1.0, 0.0] {
        let mut path = Path::round(rate, speed, stops.map(|stop| (stop, 0.0)));
        assert_eq!(places(&mut path, rate, IVec2::ZERO, 9), [DVec2::ZERO; 10]);
    }
}

#[test]
fn a_circle_is_round_to_a_subpixel_symmetric_and_returns_exactly() {
    let center = IVec2::new(300, 200);
    for (hertz, period, radius) in
        [(60, 4.0, 40), (60, 1.7, 5), (30, 20.0, 5_000), (144, 0.1, 77), (60, 1000.0, 900)]
    {
        let rate = Rate::per_second(hertz);
        let steps = (period * f32::from(hertz)).round() as u32;
        let start = center + IVec2::new(radius as i32, 0);
        let seen = places(&mut Path::circle(rate, center, radius, period), rate, start, 3 * steps);
        let back = places(&mut Path::circle(rate, center, radius, -period), rate, start, steps);
        for (step, place) in seen.iter().enumerate() {
            let step = step as u32 % steps;
            assert_eq!(*place, seen[step as usize], "{period} {radius}: {step}");
            let way = *place - center.as_dvec2();
            let angle = TAU * f64::from(step) / f64::from(steps);
            let exact = DVec2::from_angle(angle) * f64::from(radius);
            let error = (way - exact).abs().max_element() * 65_536.0;
            assert!(error < 1.5, "{period} {radius}: {step} {error}");
            let mirrored = back[step as usize] - center.as_dvec2();
            assert_eq!(way * DVec2::new(1.0, -1.0), mirrored);
            let other = seen[((steps - step) % steps) as usize] - center.as_dvec2();
            assert_eq!(way * DVec2::new(1.0, -1.0), other, "{period} {radius}: {step}");
        }
        if steps.is_multiple_of(4) {
            let quarter = seen[(steps / 4) as usize];
            assert_eq!(quarter, (center + IVec2::new(0, radius as i32)).as_dvec2());
        }
        let later = Path::circle(rate, center, radius, period).later(0.05);
        let skipped = (0.05 * f32::from(hertz)).round() as usize;
        let from = seen[skipped].as_ivec2();
        let shifted = places(&mut later.clone(), rate, from, 20);
        assert_eq!(shifted[1..], seen[skipped + 1..skipped + 21]);
    }
}
