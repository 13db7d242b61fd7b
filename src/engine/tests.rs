use fastrand::Rng;
use glam::{DVec2, IVec2, UVec2, Vec2};

use super::{EngineBox, FixedSteps, Space};
use crate::geometry::Aabb;

#[test]
fn the_steps_of_all_frames_add_up_to_the_elapsed_time() {
    let mut random = Rng::with_seed(1);
    for rate in [1, 24, 50, 60, 64, 120, 1_000] {
        for frame_rate in [24.0, 30.0, 59.94, 60.0, 75.0, 144.0, 360.0, 1_000.0] {
            let mut clock = FixedSteps { max_steps: u32::MAX, ..FixedSteps::new(rate) };
            let (mut seconds, mut steps) = (0.0, 0);
            for _ in 0..3_000 {
                let frame = random.f64() * 2.0 / frame_rate;
                seconds += frame;
                steps += clock.advance(frame);
                let due = seconds * f64::from(rate) - f64::from(steps);
                assert!((due - f64::from(clock.alpha())).abs() < 1e-6, "{rate} {frame_rate} {due}");
            }
        }
    }
}

#[test]
fn a_frame_rate_equal_to_the_step_rate_gives_one_step_in_each_frame() {
    for rate in [30, 50, 60, 64, 120, 144] {
        let mut clock = FixedSteps::new(rate);
        for _ in 0..100_000 {
            assert_eq!(clock.advance(1.0 / f64::from(rate)), 1, "{rate}");
        }
        assert_eq!(clock.alpha(), 0.0);
        let mut half = FixedSteps::new(2 * rate);
        assert!((0..100_000).all(|_| half.advance(1.0 / f64::from(rate)) == 2), "{rate}");
    }
}

#[test]
fn a_frame_makes_at_most_max_steps_and_drops_further_steps() {
    let mut clock = FixedSteps::new(10);
    assert_eq!(clock.advance(1.25), 8);
    assert_eq!(clock.alpha(), 0.5, "12.5 steps were due: 4 are dropped");
    assert_eq!(clock.advance(0.05), 1);
    clock.max_steps = 0;
    assert_eq!(clock.advance(0.25), 0);
    assert_eq!(clock.alpha(), 0.5);
}

#[test]
fn slow_motion_makes_fewer_steps_and_a_pause_makes_none() {
    let mut clock = FixedSteps::new(64);
    clock.time_scale = 0.25;
    let steps: u32 = (0..64).map(|_| clock.advance(1.0 / 64.0)).sum();
    assert_eq!((steps, clock.alpha()), (16, 0.0));
    clock.time_scale = 2.0;
    assert_eq!(clock.advance(1.5 / 64.0), 3);
    assert_eq!(clock.advance(0.125 / 64.0), 0);
    clock.time_scale = 0.0;
    for seconds in [0.1, 10.0, f64::MAX, f64::INFINITY] {
        assert_eq!(clock.advance(seconds), 0);
        assert_eq!(clock.alpha(), 0.25, "a pause keeps the fraction");
    }
}

#[test]
fn any_frame_time_and_time_scale_give_at_most_max_steps() {
    let numbers =
        [0.0, -0.0, -1.0, 1e-300, 0.4, 1e30, f64::MAX, f64::INFINITY, -f64::INFINITY, f64::NAN];
    for rate in [0, 1, 60, u32::MAX] {
        for scale in numbers.map(|number| number as f32) {
            let mut clock = FixedSteps { time_scale: scale, ..FixedSteps::new(rate) };
            for seconds in numbers {
                let steps = clock.advance(seconds);
                assert!(steps <= 8 && (seconds > 0.0 || steps == 0), "{clock:?} {seconds}");
                assert!((0.0..1.0).contains(&clock.alpha()), "{clock:?} {seconds}");
            }
            clock.time_scale = 1.0;
            let steps: u32 = (0..4).map(|_| clock.advance(0.5)).sum();
            assert_eq!(steps.min(1), rate.min(1), "{clock:?}: it still runs");
        }
    }
}

#[test]
fn alpha_is_below_1_even_just_before_a_step_is_due() {
    let mut clock = FixedSteps::new(1);
    assert_eq!(clock.advance(1.0 - f64::EPSILON / 2.0), 0);
    assert!(clock.alpha() < 1.0, "{}", clock.alpha());
}

fn random_space(random: &mut Rng, range: i32) -> Space {
    let per_unit = [1.0, 16.0, 0.25, 100.0, 50.0, 3.0, 0.1, 33.3, 1e-3, 4_096.0];
    let half =
        |random: &mut Rng| f64::from(random.i32(-range..=range)) + [0.0, 0.5][random.usize(0..2)];
    Space {
        y_up: random.bool(),
        origin: DVec2::new(half(random), half(random)),
        pixels_per_unit: per_unit[random.usize(0..per_unit.len())],
    }
}

/// A random pixel at most `reach` pixels from the origin on each axis, often at the origin or at the full
/// distance.
fn random_pixel(random: &mut Rng, space: &Space, reach: i32) -> IVec2 {
    let mut along = |origin: f64| {
        let away = match random.u8(0..4) {
            0 => [-reach, -1, 0, 1, reach][random.usize(0..5)],
            1 => random.i32(-200..200),
            _ => random.i32(-reach..=reach),
        };
        (origin.trunc() as i32).saturating_add(away)
    };
    IVec2::new(along(space.origin.x), along(space.origin.y))
}

/// The documented distance from the origin within which whole pixels are exact.
const EXACT: i32 = (1 << 22) - 1;

#[test]
fn whole_pixels_and_boxes_convert_to_the_engine_and_back_exactly() {
    let mut random = Rng::with_seed(2);
    for range in [0, 1_000, 1 << 22, 2_000_000_000] {
        for _ in 0..20_000 {
            let space = random_space(&mut random, range);
            let [one, other] = [0; 2].map(|_| random_pixel(&mut random, &space, EXACT));
            let back = space.point_to_level(space.point_to_engine(one));
            assert_eq!(back.round().as_ivec2(), one, "{space:?}");
            let aabb = Aabb { min: one.min(other), max: one.max(other) };
            let EngineBox { center, half_size } = space.box_to_engine(aabb);
            assert_eq!(space.box_to_level(center, half_size), aabb, "{space:?}");
        }
    }
}

#[test]
fn fractions_of_pixels_convert_back_exactly_if_pixels_per_unit_is_a_power_of_two() {
    let mut random = Rng::with_seed(3);
    for _ in 0..20_000 {
        let mut space = random_space(&mut random, 1 << 22);
        space.pixels_per_unit = [0.25, 1.0, 2.0, 64.0][random.usize(0..4)];
        let pixel = random_pixel(&mut random, &space, EXACT - 1).as_dvec2();
        let point = pixel + f64::from(random.u8(0..4)) / 4.0;
        assert_eq!(space.point_to_level(space.point_to_engine(point)), point, "{space:?}");
        let vector = point - space.origin;
        let back = space.vector_to_level(space.vector_to_engine(vector));
        assert_eq!(back.as_dvec2(), vector, "{space:?}");
    }
}

#[test]
fn every_pixel_converts_back_within_the_rounding_error_of_f32() {
    let mut random = Rng::with_seed(4);
    for _ in 0..20_000 {
        let space = random_space(&mut random, i32::MAX);
        let mut along = || match random.u8(0..3) {
            0 => [i32::MIN, i32::MIN + 1, i32::MAX, i32::MAX - 1][random.usize(0..4)],
            _ => random.i32(..),
        };
        let pixel = IVec2::new(along(), along());
        let back = space.point_to_level(space.point_to_engine(pixel));
        let far = (pixel.as_dvec2() - space.origin).abs();
        let error = (back - pixel.as_dvec2()).abs();
        assert!(error.cmple(far / f64::from(1 << 23)).all(), "{space:?} {pixel} {back}");
    }
}

#[test]
fn y_up_negates_only_y_and_only_points_use_the_origin() {
    let down = Space { origin: DVec2::new(30.0, 70.0), pixels_per_unit: 10.0, ..Space::default() };
    let up = Space { y_up: true, ..down };
    assert_eq!(down.point_to_engine((50.0, 80.0)), [2.0, 1.0]);
    assert_eq!(up.point_to_engine((50.0, 80.0)), [2.0, -1.0]);
    assert_eq!(down.vector_to_engine((50.0, 80.0)), [5.0, 8.0]);
    assert_eq!(up.vector_to_engine((50.0, 80.0)), [5.0, -8.0]);
    assert_eq!(up.vector_to_level((5.0, -8.0)), Vec2::new(50.0, 80.0));
    let aabb = Aabb::from_xywh(30, 70, 5, 20);
    let up = up.box_to_engine(aabb);
    assert_eq!(up, EngineBox { center: [0.25, -1.0], half_size: [0.25, 1.0] });
    assert_eq!(down.box_to_engine(aabb).half_size, up.half_size);
}

#[test]
fn the_default_space_changes_no_coordinates_and_no_space_gives_negative_zero() {
    let mut random = Rng::with_seed(5);
    for _ in 0..1_000 {
        let pixel = random_pixel(&mut random, &Space::default(), 1 << 20);
        assert_eq!(Space::default().point_to_engine(pixel), pixel.as_vec2().to_array());
    }
    let [_, y] = Space::centered(UVec2::new(7, 9)).point_to_engine((3.5, 4.5));
    assert!(y.is_sign_positive());
}

#[test]
fn huge_boxes_saturate_and_boxes_with_nan_are_empty() {
    let space = Space::centered(UVec2::new(640, 480));
    let all = Aabb { min: IVec2::MIN, max: IVec2::MAX };
    assert_eq!(space.box_to_level([0.0; 2], [f32::INFINITY; 2]), all);
    assert_eq!(space.box_to_level([0.0; 2], [1e20; 2]), all);
    let EngineBox { center, half_size } = space.box_to_engine(all);
    assert!(center.into_iter().chain(half_size).all(f32::is_finite));
    for odd in [-1.0, f32::NEG_INFINITY, f32::NAN] {
        assert!(space.box_to_level([5.0; 2], [odd; 2]).is_empty(), "{odd}");
    }
    assert!(space.box_to_level([f32::NAN; 2], [4.0; 2]).is_empty());
    for per_unit in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let odd = Space { pixels_per_unit: per_unit, ..space };
        let _ = odd.box_to_engine(all);
        let _ = odd.box_to_level([1.0; 2], [1.0; 2]);
        let _ = odd.vector_to_level(odd.vector_to_engine((1.0, 1.0)));
    }
}
