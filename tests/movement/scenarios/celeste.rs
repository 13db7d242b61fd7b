//! Celeste: the numbers of its published player code, and the rules of its solids, jump-through platforms and
//! lifts.

use bitwall::glam::{DVec2, IVec2, Vec2};
use bitwall::world::{Body, Event, World};
use bitwall::{Aabb, Mover, MoverSettings, Rate, Sides};

use super::{CELLS, Image, aabb, add, by, level_of, platformer};
use crate::support::blank;

/// The size of the box of Celeste's player, in pixels.
const SIZE: IVec2 = IVec2::new(8, 11);

#[test]
fn a_jump_passes_the_corner_of_a_ceiling_by_up_to_4_pixels() {
    for image in Image::left_and_right() {
        let level = image.level(&[Aabb::from_xywh(-40, 0, 40, 8)]);
        for under in 1..=8 {
            for speed in [0.25, 1.75, 6.0, 30.0] {
                let mut hero = platformer(image.boxed(-under, 20, SIZE.x, SIZE.y));
                let count = (40.0 / speed) as i32;
                let mut met = false;
                for _ in 0..count {
                    let step = by(&mut hero, &level, image.vector(Vec2::new(0.0, -speed)));
                    met |= step.is_stopped();
                }
                let end = match under {
                    ..=4 => image.boxed(0, 20 - (speed * count as f32) as i32, SIZE.x, SIZE.y),
                    _ => image.boxed(-under, 8, SIZE.x, SIZE.y),
                };
                assert_eq!((hero.body, met), (end, under > 4), "{under} {speed} {image:?}");
            }
        }
    }
}

/// Celeste never corrects a jump against the direction of the run. bitwall also corrects it if the rise is
/// faster than the run.
#[test]
fn a_jump_is_corrected_against_its_run_only_if_it_rises_faster() {
    for image in Image::left_and_right() {
        let level = image.level(&[Aabb::from_xywh(-40, 0, 40, 8)]);
        for (run, passes) in [(3.0, true), (0.0, true), (-1.0, true), (-2.0, false), (-3.0, false)]
        {
            let mut hero = platformer(image.boxed(-3, 8, SIZE.x, SIZE.y));
            let x = hero.body.min.x;
            let step = by(&mut hero, &level, image.vector(Vec2::new(run, -2.0)));
            // x moves first, so a body that runs to the right has passed the corner already.
            assert_eq!(step.moved.y == -2, passes, "{run} {image:?}");
            let aside = (hero.body.min.x - x).abs();
            assert!(aside <= 4 + run.abs() as i32, "{aside}");
        }
    }
}

#[test]
fn a_dash_that_is_up_to_4_pixels_too_low_or_too_high_passes_the_corner() {
    for image in Image::left_and_right() {
        let low = image.level(&[Aabb::from_xywh(30, 0, 90, 60)]);
        let high = image.level(&[Aabb::from_xywh(30, -60, 90, 60)]);
        for off in 1..=7 {
            for speed in [1.0, 4.0, 12.5] {
                let count = (100.0 / speed) as i32;
                let far = (speed * count as f32) as i32;
                let dash = |level, y| {
                    let mut hero = platformer(image.boxed(0, y, SIZE.x, SIZE.y));
                    for _ in 0..count {
                        by(&mut hero, level, image.vector(Vec2::new(speed, 0.0)));
                    }
                    hero.body
                };
                let ends = match off {
                    ..=4 => [(far, -SIZE.y), (far, 0)],
                    _ => [(30 - SIZE.x, off - SIZE.y), (30 - SIZE.x, -off)],
                };
                let [over, under] = ends.map(|(x, y)| image.boxed(x, y, SIZE.x, SIZE.y));
                assert_eq!(dash(&low, off - SIZE.y), over, "{off} {speed} {image:?}");
                assert_eq!(dash(&high, -off), under, "{off} {speed} {image:?}");
            }
        }
    }
}

#[test]
fn a_dash_down_passes_the_edge_of_a_floor_if_corner_correction_allows_it() {
    let settings = MoverSettings::platformer();
    let down = Sides { down: 4, ..settings.corner_correction };
    let dash = MoverSettings { corner_correction: down, ..settings };
    for image in Image::left_and_right() {
        let level = image.level(&[Aabb::from_xywh(-40, 20, 40, 8)]);
        for over in 1..=7 {
            for (settings, passes) in [(settings, false), (dash, over <= 4)] {
                let body = image.boxed(-over, 0, SIZE.x, SIZE.y);
                let mut hero = Mover::new(body, settings);
                for _ in 0..10 {
                    by(&mut hero, &level, Vec2::new(0.0, 4.0));
                }
                let (x, y) = if passes { (0, 40) } else { (-over, 20 - SIZE.y) };
                assert_eq!(hero.body, image.boxed(x, y, SIZE.x, SIZE.y), "{over} {image:?}");
            }
        }
    }
}

#[test]
fn a_jump_through_platform_stops_only_bodies_that_come_from_above() {
    let text = ".......\n.......\n.......\n..---..\n.......\n.......\n.......";
    for cell in CELLS {
        let (cells, size) = (level_of(text, cell), cell.as_ivec2());
        let empty = blank(7 * cell.x, 7 * cell.y);
        let (left, edge) = (2 * size.x, 3 * size.y);
        for (x, speed) in (left - 7..left + 3 * size.x + 2)
            .flat_map(|x| [0.5, 1.0, 2.75, 7.0].map(|speed| (x, speed)))
        {
            let is_over = x > left - 5 && x < left + 3 * size.x;
            for in_world in [false, true] {
                let mut world = World::new(Rate::per_second(1));
                let solid = Aabb::from_xywh(left, edge, 3 * size.x, size.y);
                if in_world {
                    add(&mut world, Body::one_way_platform(solid));
                }
                let level = if in_world { &empty } else { &cells };
                let mut play = |x: i32, y: i32, velocity: Vec2, steps: i32| {
                    let body = Aabb::from_xywh(x, y, 5, 4);
                    let hero = Body::character(body, MoverSettings::platformer());
                    let hero = add(&mut world, hero.with_velocity(velocity));
                    (0..steps).for_each(|_| world.step(level));
                    world.remove(hero).unwrap().aabb.min - body.min
                };
                let count = (size.y as f32 / speed) as i32 + 2;
                let far = (speed * count as f32) as i32;
                let fall = play(x, edge - 5, Vec2::new(0.0, speed), count);
                assert_eq!(fall.y, if is_over { 1 } else { far }, "{cell} {x} {speed}");
                // One pixel past the edge the platform does not hold the body, nor does it from below.
                let under = play(x, edge - 3, Vec2::new(0.0, speed), count);
                assert_eq!(under.y, far, "{cell} {x} {speed}");
                let rise = play(x, edge + size.y, Vec2::new(0.0, -speed), count);
                assert_eq!(rise.y, -far, "{cell} {x} {speed}");
                for to in [speed, -speed] {
                    let along = play(3 * size.x, edge - 1, Vec2::new(to, 0.0), 2);
                    assert_eq!(along.x, (to * 2.0) as i32, "{cell} {to}");
                }
            }
        }
    }
}

/// A jump keeps the whole velocity of the lift. A game may limit it: Celeste allows 250 and 130 pixels a
/// second.
#[test]
fn a_jump_from_a_lift_keeps_the_velocity_of_the_lift() {
    let level = blank(4_000, 2_000);
    for velocity in
        [(1.5, 0.0), (-1.5, 0.0), (0.0, -2.25), (3.75, -1.0), (-3.75, -1.0), (0.5, 1.25)]
    {
        for on_crate in [false, true] {
            let mut world = World::new(Rate::per_second(1));
            let lift = Body::platform(Aabb::from_xywh(2_000, 1_000, 40, 8));
            let lift = add(&mut world, lift.with_velocity(velocity));
            let mut floor = 1_000;
            if on_crate {
                let load = Body::pushable(Aabb::from_xywh(2_010, 990, 12, 10), 0, 0.1525)
                    .pushing(0, 0, false);
                add(&mut world, load.pushing(1, 0, true));
                floor = 990;
            }
            let body = Aabb::from_xywh(2_012, floor - SIZE.y, SIZE.x, SIZE.y);
            let hero = add(&mut world, Body::character(body, MoverSettings::platformer()));
            (0..33).for_each(|_| world.step(&level));
            assert_eq!(
                aabb(&world, hero).min - aabb(&world, lift).min,
                body.min - IVec2::new(2_000, 1_000)
            );
            let carried = world.floor_velocity(hero);
            assert_eq!(carried, world.get(lift).unwrap().velocity(), "{velocity:?}");
            let jump = Vec2::new(0.0, -6.0);
            world.get_mut(hero).unwrap().set_velocity(carried + jump);
            let apart = |world: &World| {
                world.get(hero).unwrap().position() - world.get(lift).unwrap().position()
            };
            // In the step in which the jump starts, the lift carries its rider once more before the rider
            // leaves.
            let mut start = apart(&world);
            for count in 1..=20 {
                let before = aabb(&world, lift).min;
                world.step(&level);
                if count == 1 {
                    start += (aabb(&world, lift).min - before).as_dvec2();
                }
                let gone = DVec2::new(0.0, -6.0 * f64::from(count));
                assert_eq!(apart(&world) - start, gone, "{velocity:?} {on_crate}");
            }
            assert_eq!(world.floor_velocity(hero), Vec2::ZERO, "in the air");
        }
    }
}

#[test]
fn a_body_partly_on_the_ground_does_not_sink_with_a_lift_that_carries_it_sideways() {
    for image in Image::left_and_right() {
        let level = image.level(&[Aabb::from_xywh(-99, 50, 99, 20)]);
        for (x, y) in [(0.0, 1.5), (0.75, 0.0), (2.0, 0.0)] {
            let mut world = World::new(Rate::per_second(1));
            let lift = Body::platform(image.boxed(0, 50, 40, 8));
            let velocity = image.vector(Vec2::new(x, y));
            add(&mut world, lift.with_velocity(velocity));
            let hero = Body::pushable(image.boxed(-4, 50 - SIZE.y, SIZE.x, SIZE.y), 0, 0.305)
                .pushing(0, 0, false);
            let hero = add(&mut world, hero);
            for count in 1..=16 {
                world.step(&level);
                let along = (x * count as f32) as i32;
                let expected = image.boxed(-4 + along, 50 - SIZE.y, SIZE.x, SIZE.y);
                assert_eq!(aabb(&world, hero), expected, "{velocity} {image:?}");
            }
        }
    }
}

/// Celeste looks for a free position near a squished body before the body dies.
#[test]
fn a_squished_body_is_reported_and_finds_the_free_place_beside_the_press() {
    for image in Image::left_and_right() {
        let level = image.level(&[Aabb::from_xywh(-99, 50, 300, 20)]);
        for under in 1..=8 {
            let mut world = World::new(Rate::per_second(1));
            let press = Body::platform(image.boxed(0, 0, 60, 20));
            let press = add(&mut world, press.with_velocity(Vec2::new(0.0, 2.5)));
            let body = image.boxed(under - SIZE.x, 50 - SIZE.y, SIZE.x, SIZE.y);
            let hero = add(&mut world, Body::character(body, MoverSettings::platformer()));
            let mut crushed = 0;
            for _ in 0..8 {
                assert_eq!(crushed, 0);
                world.step(&level);
                let is_crush = |event: &&Event| **event == Event::Crushed { body: hero, by: press };
                crushed = world.events().iter().filter(is_crush).count();
            }
            assert_eq!(aabb(&world, press).max.y - body.min.y, 1, "the press has come down on it");
            let aside = image.vector(Vec2::new(-under as f32, 0.0)).as_ivec2();
            if under <= MoverSettings::platformer().step_height as i32 {
                let beside = body.translated(aside);
                assert_eq!((crushed, aabb(&world, hero)), (0, beside), "it makes way by itself");
                continue;
            }
            assert_eq!((crushed, aabb(&world, hero)), (1, body), "it stays where it is");
            // The lift overlaps the body by one row, and the floor is below, so the nearest free position is
            // beside the lift.
            let near = world.clone().unstick(&level, hero, 4);
            assert_eq!((near, world.unstick(&level, hero, 8)), (None, Some(aside)), "{under}");
        }
    }
}
