use super::*;

const ORIGIN: Point = Point { x: Decimal::ZERO, y: Decimal::ZERO };

#[test]
fn a_rotation_by_any_angle_agrees_with_float_arithmetic() {
    let mut rng = fastrand::Rng::with_seed(1);
    // The distance is 10^12 millionths of a pixel, so rounding causes a relative error of 10^-12.
    let far = Point { x: Decimal::from_millionths(1_000_000_000_000), y: Decimal::ZERO };
    for round in 0..20_000 {
        let limit = [90, 360, 4000, 1 << 22][round % 4] * Decimal::PER_PIXEL;
        let angle = Decimal::from_millionths(rng.i64(-limit..=limit));
        let turned = Rotation::degrees(angle).about(ORIGIN, far);
        let within = angle.millionths().rem_euclid(360 * Decimal::PER_PIXEL) as f64 / 1e6;
        let (sin, cos) = within.to_radians().sin_cos();
        let differs = |found: Decimal, expected: f64| (found.as_f64() / 1e6 - expected).abs();
        assert!(differs(turned.x, cos) < 1e-11, "{angle:?}");
        assert!(differs(turned.y, sin) < 1e-11, "{angle:?}");
    }
}

#[test]
fn a_rotation_by_90_180_or_270_degrees_is_exact() {
    let mut rng = fastrand::Rng::with_seed(2);
    for _ in 0..200 {
        let points = random_points(&mut rng, 2, 1_000_000);
        let (pivot, way) = (points[0], points[1]);
        for (angle, turned) in [
            (0, way),
            (90, Point { x: -way.y, y: way.x }),
            (180, ORIGIN - way),
            (270, Point { x: way.y, y: -way.x }),
            (-90, Point { x: way.y, y: -way.x }),
            (360_000, way),
        ] {
            let turn = Rotation::degrees(Decimal::from_pixels(angle));
            assert_eq!(turn.about(pivot, pivot + way), pivot + turned, "{angle}");
        }
    }
}

#[test]
fn a_rotation_and_its_inverse_return_to_within_a_millionth_of_a_pixel() {
    let mut rng = fastrand::Rng::with_seed(3);
    for _ in 0..500 {
        let angle = Decimal::from_millionths(rng.i64(0..360_000_000));
        let points = random_points(&mut rng, 2, 1_000_000);
        let there = Rotation::degrees(angle).about(points[0], points[1]);
        let back = Rotation::degrees(-angle).about(points[0], there) - points[1];
        assert!(back.x.millionths().abs() <= 1 && back.y.millionths().abs() <= 1, "{back:?}");
    }
}

#[test]
fn scaling_rounds_to_the_nearest_and_halves_up() {
    let ratio = |over, under| Ratio { over, under };
    let micro = Decimal::from_millionths;
    let scaled = |x: i64, origin: i64, by: Ratio| {
        let place = |x| Point { x: micro(x), y: micro(-x) };
        let found = scale(place(x), place(origin), by, ratio(1, 1));
        assert_eq!(found.y, micro(-x));
        found.x.millionths()
    };
    assert_eq!(scaled(10, 0, ratio(3, 2)), 15);
    assert_eq!(scaled(10, 4, ratio(3, 2)), 13);
    assert_eq!(scaled(1, 0, ratio(1, 2)), 1);
    assert_eq!(scaled(-1, 0, ratio(1, 2)), 0);
    assert_eq!(scaled(-1, 0, ratio(1, -2)), 1);
    assert_eq!(scaled(1, 0, ratio(2, 3)), 1);
    assert_eq!(scaled(1, 0, ratio(1, 3)), 0);
    assert_eq!(scaled(7, 3, ratio(5, 0)), 7);
    assert_eq!(scaled(1 << 42, -1 << 42, ratio(4_000_000, 1_000_000)), 7 << 42);
}

#[test]
fn a_rotation_by_90_180_or_270_degrees_is_exact_for_the_farthest_points() {
    let far = Point { x: Decimal::from_millionths(1 << 62), y: Decimal::from_millionths(-3 << 60) };
    for (angle, turned) in [
        (0, far),
        (90, Point { x: -far.y, y: far.x }),
        (180, ORIGIN - far),
        (270, Point { x: far.y, y: -far.x }),
    ] {
        let turn = Rotation::degrees(Decimal::from_pixels(angle));
        assert_eq!(turn.about(ORIGIN, far), turned, "{angle}");
    }
}

#[test]
fn a_mapped_outline_has_the_images_of_its_half_axes() {
    let mut rng = fastrand::Rng::with_seed(5);
    let turn = Rotation::degrees(Decimal::from_pixels(90));
    let turned = |point: Point| Point { x: -point.y, y: point.x };
    for _ in 0..100 {
        let points = random_points(&mut rng, 4, 1_000_000);
        let (first, last, a, b) = (points[0], points[1], points[2], points[3]);
        let ellipse =
            |[centre, _, a, b]: [Point; 4]| Outline::Capsule { centres: [centre; 2], a, b };
        let capsule = |[first, last, a, b]: [Point; 4]| {
            let centres = [first, last];
            Outline::Capsule { centres, a, b }
        };
        let (before, after) = ([first, last, a, b], [first, last, a, b].map(turned));
        let map = |point: Point| turn.about(ORIGIN, point);
        assert_eq!(ellipse(before).map(&map), ellipse(after));
        assert_eq!(capsule(before).map(&map), capsule(after));
    }
}
