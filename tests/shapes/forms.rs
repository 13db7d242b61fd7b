//! The answer is the same for shapes in either order, mirrored, turned, moved far away, and in `f32`.

use bitwall::glam::IVec2;
use bitwall::shapes::Touch;

use super::plain::Plain;

const TOUCH: [Touch; 2] = [Touch::Counts, Touch::Ignored];

fn pair(random: &mut fastrand::Rng, reach: i32) -> (Plain, Plain, IVec2) {
    let (a, b) = (Plain::random(random, reach), Plain::random(random, reach));
    let mut part = || random.i32(-2 * reach..=2 * reach);
    (a, b, IVec2::new(part(), part()))
}

/// Returns a random reach of shapes: small, medium, or so large that a shape fills a quarter of the `i32`
/// range.
fn reach(random: &mut fastrand::Rng) -> i32 {
    [3, 12, 1_000, 1 << 22, i32::MAX / 4][random.usize(0..5)]
}

/// True if both numbers are equal up to rounding. Lengths of push-outs are compared and not their directions,
/// because two push-outs can be equally short.
fn is_same(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= 1e-15 * one,
        _ => one == other,
    }
}

#[test]
fn the_order_of_two_shapes_does_not_matter() {
    let mut random = fastrand::Rng::with_seed(11);
    for _ in 0..10_000 {
        let reach = reach(&mut random);
        let (a, b, by) = pair(&mut random, reach);
        for touch in TOUCH {
            assert_eq!(a.overlaps(&b, touch), b.overlaps(&a, touch), "{a:?} {b:?}");
            let (forth, back) = (a.swept(by, &b, touch), b.swept(-by, &a, touch));
            let fractions = [forth, back].map(|hit| hit.map(|hit| hit.fraction));
            assert_eq!(fractions[0], fractions[1], "{a:?} {by} {b:?}");
        }
        let depths = [a.push_out(&b), b.push_out(&a)].map(|out| out.map(|out| out.penetration));
        assert!(is_same(depths[0], depths[1]), "{a:?} {b:?} {depths:?}");
    }
}

#[test]
fn mirroring_or_turning_both_shapes_changes_no_answer() {
    let views: [fn(IVec2) -> IVec2; 4] = [
        |p| IVec2::new(-p.x, p.y),
        |p| IVec2::new(p.x, -p.y),
        |p| IVec2::new(-p.y, p.x),
        |p| IVec2::new(p.y, p.x),
    ];
    let mut random = fastrand::Rng::with_seed(12);
    for _ in 0..10_000 {
        let reach = reach(&mut random);
        let (a, b, by) = pair(&mut random, reach);
        for view in views {
            let (seen_a, seen_b) = (a.mapped(view, 1), b.mapped(view, 1));
            for touch in TOUCH {
                assert_eq!(seen_a.overlaps(&seen_b, touch), a.overlaps(&b, touch), "{a:?} {b:?}");
                let hits = [a.swept(by, &b, touch), seen_a.swept(view(by), &seen_b, touch)];
                let [one, other] = hits.map(|hit| hit.map(|hit| hit.fraction));
                assert_eq!(one, other, "{a:?} {by} {b:?}");
            }
            let outs = [a.push_out(&b), seen_a.push_out(&seen_b)];
            let [one, other] = outs.map(|out| out.map(|out| out.penetration));
            assert!(is_same(one, other), "{a:?} {b:?} {one:?} {other:?}");
        }
    }
}

#[test]
fn moving_both_shapes_by_the_same_vector_changes_no_answer() {
    let mut random = fastrand::Rng::with_seed(13);
    for _ in 0..10_000 {
        let (a, b, by) = pair(&mut random, 20);
        let far = [i32::MIN + 60, i32::MAX - 60, 1 << 24, -(1 << 30), 0];
        let place = IVec2::new(far[random.usize(0..5)], far[random.usize(0..5)]);
        let (far_a, far_b) = (a.moved(place), b.moved(place));
        for touch in TOUCH {
            assert_eq!(a.overlaps(&b, touch), far_a.overlaps(&far_b, touch), "{a:?} {b:?}");
            assert_eq!(a.swept(by, &b, touch), far_a.swept(by, &far_b, touch), "{a:?} {b:?}");
        }
        assert_eq!(a.push_out(&b), far_a.push_out(&far_b), "{a:?} {b:?}");
    }
}

#[test]
fn integer_and_float_shapes_agree_on_whole_numbers() {
    let mut random = fastrand::Rng::with_seed(14);
    for _ in 0..12_000 {
        let reach = [3, 12, 1_000, 1 << 20, 1 << 22][random.usize(0..5)];
        let (a, b, by) = pair(&mut random, reach);
        for touch in TOUCH {
            assert_eq!(a.overlaps(&b, touch), a.overlaps_f32(&b, touch), "{a:?} {b:?}");
            let (whole, float) = (a.swept(by, &b, touch), a.swept_f32(by, &b, touch));
            assert_eq!(whole.is_some(), float.is_some(), "{a:?} {by} {b:?}");
            if let (Some(whole), Some(float)) = (whole, float) {
                let error = (whole.fraction - float.fraction).abs();
                assert!(error <= 1e-14 * whole.fraction, "{a:?} {by} {b:?} {whole:?} {float:?}");
            }
        }
        let (whole, float) = (a.push_out(&b), a.push_out_f32(&b));
        assert_eq!(whole.is_some(), float.is_some(), "{a:?} {b:?}");
        if let (Some(whole), Some(float)) = (whole, float) {
            let error = (whole.penetration - float.penetration).abs();
            assert!(error <= 1e-14 * whole.penetration, "{a:?} {b:?} {whole:?} {float:?}");
            assert!(
                (float.translation.length() - float.penetration).abs() <= 1e-9 * float.penetration
            );
        }
    }
}

#[test]
fn shapes_scaled_up_to_the_whole_range_answer_like_small_ones() {
    const LARGE: i32 = i32::MAX / 7;
    let mut random = fastrand::Rng::with_seed(15);
    for _ in 0..12_000 {
        let (a, b) = (Plain::random(&mut random, 7), Plain::random(&mut random, 7));
        let by = IVec2::new(random.i32(-7..=7), random.i32(-7..=7));
        let (large_a, large_b) = (a.scaled(LARGE), b.scaled(LARGE));
        for touch in TOUCH {
            assert_eq!(a.overlaps(&b, touch), large_a.overlaps(&large_b, touch), "{a:?} {b:?}");
            let hits = [a.swept(by, &b, touch), large_a.swept(by * LARGE, &large_b, touch)];
            assert_eq!(hits[0].is_some(), hits[1].is_some(), "{a:?} {by} {b:?}");
            if let [Some(hit), Some(large)] = hits {
                let error = (hit.fraction - large.fraction).abs();
                assert!(error <= 1e-14 * hit.fraction, "{a:?} {by} {b:?} {hit:?} {large:?}");
                assert_eq!(hit.normal.is_some(), large.normal.is_some());
            }
        }
        let (out, large) = (a.push_out(&b), large_a.push_out(&large_b));
        assert_eq!(out.is_some(), large.is_some(), "{a:?} {b:?}");
        if let (Some(out), Some(large)) = (out, large) {
            let depth = out.penetration * f64::from(LARGE);
            assert!((depth - large.penetration).abs() <= 1e-14 * depth, "{a:?} {b:?}");
            // The integer translation is the exact one rounded away from 0. `f32` is precise enough to check
            // that for large shapes.
            let exact = (large.normal * large.penetration).abs();
            let excess = large.translation.as_dvec2().abs() - exact;
            assert!(
                excess.min_element() > -1e-5 && excess.max_element() < 1.0 + 1e-5,
                "{a:?} {b:?}"
            );
        }
    }
}
