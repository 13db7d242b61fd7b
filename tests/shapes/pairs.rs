//! All pairs of convex shapes are tested against naive versions of overlap, containment, swept overlap and
//! push-out.

use bitwall::glam::{DVec2, IVec2};
use bitwall::shapes::Touch;

use super::plain::{Plain, distance, hull, naive_overlaps, naive_overlaps_however};

/// A factor by which shapes of a few units are enlarged. After that, one unit is smaller than any difference
/// that changes an answer.
const FINE: i32 = 1_000_000;

fn pair(random: &mut fastrand::Rng) -> (Plain, Plain) {
    let reach = [2, 4, 9][random.usize(0..3)];
    (Plain::random(random, reach), Plain::random(random, reach))
}

fn step(random: &mut fastrand::Rng) -> IVec2 {
    let reach = [2, 9, 30][random.usize(0..3)];
    IVec2::new(random.i32(-reach..=reach), random.i32(-reach..=reach))
}

#[test]
fn overlaps_agree_with_the_naive_test() {
    let mut random = fastrand::Rng::with_seed(1);
    let (mut touching, mut overlapping) = (0, 0);
    for _ in 0..24_000 {
        let (a, b) = pair(&mut random);
        let counts = naive_overlaps(&a, &b);
        assert_eq!(a.overlaps(&b, Touch::Counts), counts, "{a:?} {b:?}");
        let ignored = naive_overlaps_however(&a.scaled(FINE), &b.scaled(FINE));
        assert_eq!(a.overlaps(&b, Touch::Ignored), ignored, "{a:?} {b:?}");
        touching += i32::from(counts && !ignored);
        overlapping += i32::from(ignored);
    }
    assert!(touching > 800 && overlapping > 4_000, "{touching} {overlapping}");
}

#[test]
fn a_shape_contains_the_points_at_distance_zero() {
    let mut random = fastrand::Rng::with_seed(2);
    for _ in 0..1_000 {
        let shape = Plain::random(&mut random, 4);
        let mut covered = 0;
        for x in -7..=7 {
            for y in -7..=7 {
                let point = IVec2::new(x, y);
                let single = Plain::point(point);
                let counts = naive_overlaps(&single, &shape);
                assert_eq!(shape.contains(point, Touch::Counts), counts, "{shape:?} {point}");
                let ignored = naive_overlaps_however(&single.scaled(FINE), &shape.scaled(FINE));
                assert_eq!(shape.contains(point, Touch::Ignored), ignored, "{shape:?} {point}");
                covered += i32::from(counts);
            }
        }
        let bounds = shape.bounds().unwrap();
        let area = (bounds.max - bounds.min + IVec2::ONE).element_product();
        assert!(covered <= area);
        for corner in &shape.points {
            let reach = IVec2::splat(shape.radius);
            assert!(
                bounds.min.cmple(*corner - reach).all() && bounds.max.cmpge(*corner + reach).all()
            );
        }
    }
}

#[test]
fn a_motion_meets_the_shapes_that_its_whole_sweep_overlaps() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut met = 0;
    for _ in 0..24_000 {
        let (a, b) = pair(&mut random);
        let (start, by) = (step(&mut random), step(&mut random));
        let a = a.moved(start);
        let counts = a.swept(by, &b, Touch::Counts);
        assert_eq!(counts.is_some(), naive_overlaps(&a.swept_over(by), &b), "{a:?} {by} {b:?}");
        // Two flat shapes without a radius can only touch, wherever they are.
        let differences: Vec<IVec2> =
            b.points.iter().flat_map(|p| a.points.iter().map(|q| *p - *q)).collect();
        let is_flat = a.radius + b.radius == 0 && hull(&differences).len() < 3;
        let way = a.scaled(FINE).swept_over(by * FINE);
        let naive = !is_flat && naive_overlaps_however(&way, &b.scaled(FINE));
        let ignored = a.swept(by, &b, Touch::Ignored);
        assert_eq!(ignored.is_some(), naive, "{a:?} {by} {b:?}");
        for (hit, touch) in [(counts, Touch::Counts), (ignored, Touch::Ignored)] {
            let Some(hit) = hit else { continue };
            assert_eq!(hit.normal.is_none(), a.overlaps(&b, touch), "{a:?} {by} {b:?}");
            let Some(normal) = hit.normal else {
                assert_eq!(hit.fraction, 0.0);
                continue;
            };
            met += 1;
            assert!((0.0..=1.0).contains(&hit.fraction));
            assert!((normal.length() - 1.0).abs() < 1e-12);
            assert!(normal.dot(by.as_dvec2()) <= 1e-12, "{a:?} {by} {b:?} {hit:?}");
            // At the returned fraction the shapes touch, up to the rounding to one unit of the enlarged
            // shapes.
            let moved = (by.as_dvec2() * hit.fraction * f64::from(FINE)).round().as_ivec2();
            let there = a.scaled(FINE).moved(moved);
            let apart = distance(&there, &b.scaled(FINE));
            let reach = f64::from(a.radius + b.radius) * f64::from(FINE);
            assert!((apart - reach).abs() <= 2.0, "{a:?} {by} {b:?} {hit:?} {apart}");
            // A small displacement along the normal must separate them.
            let back = there.moved((normal * 4.0).round().as_ivec2());
            assert!(!back.overlaps(&b.scaled(FINE), Touch::Ignored), "{a:?} {by} {b:?} {hit:?}");
        }
    }
    assert!(met > 2_500, "{met}");
}

#[test]
fn a_sweep_returns_the_fraction_at_which_small_steps_first_overlap() {
    let mut random = fastrand::Rng::with_seed(4);
    const STEPS: i32 = 64;
    for _ in 0..10_000 {
        let (a, b) = pair(&mut random);
        let (a, by) = (a.moved(step(&mut random)), step(&mut random));
        for touch in [Touch::Counts, Touch::Ignored] {
            let hit = a.swept(by, &b, touch);
            let (large, still) = (a.scaled(STEPS), b.scaled(STEPS));
            let first = (0..=STEPS).find(|n| large.moved(by * *n).overlaps(&still, touch));
            let Some(first) = first else { continue };
            let fraction = hit.expect("a step overlaps").fraction;
            assert!(fraction <= f64::from(first) / f64::from(STEPS) + 1e-15, "{a:?} {by} {b:?}");
            let before = f64::from(first - 1) / f64::from(STEPS);
            assert!(fraction >= before - 1e-15, "{a:?} {by} {b:?}");
        }
    }
}

#[test]
fn a_push_out_ends_the_overlap_and_a_shorter_one_does_not() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut pushed = 0;
    for _ in 0..10_000 {
        let (a, b) = pair(&mut random);
        let found = a.push_out(&b);
        assert_eq!(found.is_some(), a.overlaps(&b, Touch::Ignored), "{a:?} {b:?}");
        let Some(found) = found else { continue };
        pushed += 1;
        let away = a.moved(found.translation.as_ivec2());
        assert!(!away.overlaps(&b, Touch::Ignored), "{a:?} {b:?} {found:?}");
        let exact = found.normal * found.penetration;
        let excess = found.translation.as_dvec2().abs() - exact.abs();
        assert!(excess.cmpge(DVec2::splat(-1e-12)).all(), "{a:?} {b:?} {found:?}");
        assert!(excess.cmplt(DVec2::splat(1.0)).all(), "{a:?} {b:?} {found:?}");
        let (fine, still) = (a.scaled(FINE), b.scaled(FINE));
        let depth = found.penetration * f64::from(FINE);
        for turn in 0..32 {
            let way = DVec2::from_angle(f64::from(turn) * std::f64::consts::TAU / 32.0);
            let shorter = (way * (depth - 2.0).max(0.0)).round().as_ivec2();
            assert!(fine.moved(shorter).overlaps(&still, Touch::Ignored), "{a:?} {b:?} {found:?}");
        }
        let enough = (found.normal * (depth + 2.0)).round().as_ivec2();
        assert!(!fine.moved(enough).overlaps(&still, Touch::Ignored), "{a:?} {b:?} {found:?}");
    }
    assert!(pushed > 2_000, "{pushed}");
}
