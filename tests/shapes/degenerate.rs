//! Shapes without size, without points or without finite numbers have a documented answer.

use bitwall::Aabb;
use bitwall::glam::{DVec2, I64Vec2, IVec2, Vec2, ivec2 as at};
use bitwall::shapes::{
    Capsule, Circle, Convex, ConvexPolygon, PolygonError, Rectangle, Sector, Segment, Touch,
    Triangle,
};

const EVERYTHING: Rectangle<Vec2> =
    Rectangle { min: Vec2::splat(f32::MIN), max: Vec2::splat(f32::MAX) };

/// Asserts that a shape contains no point, overlaps and meets no shape, is never pushed out and has no
/// bounds.
fn assert_empty<S: Convex<Point = Vec2>>(shape: &S) {
    for touch in [Touch::Counts, Touch::Ignored] {
        assert!(!shape.contains(Vec2::ZERO, touch));
        assert!(!shape.overlaps(&EVERYTHING, touch) && !EVERYTHING.overlaps(shape, touch));
        assert_eq!(shape.swept_overlap(Vec2::X, &EVERYTHING, touch), None);
        assert_eq!(EVERYTHING.swept_overlap(Vec2::X, shape, touch), None);
    }
    assert_eq!((shape.push_out(&EVERYTHING), EVERYTHING.push_out(shape)), (None, None));
    assert_eq!(shape.bounds(), None);
}

#[test]
fn a_shape_that_is_not_finite_is_empty() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for place in [Vec2::new(bad, 0.0), Vec2::new(0.0, bad)] {
            assert_empty(&Circle { center: place, radius: 1.0 });
            assert_empty(&Capsule { start: Vec2::ZERO, end: place, radius: 1.0 });
            assert_empty(&Capsule { start: place, end: place, radius: 1.0 });
            assert_empty(&Segment { start: place, end: Vec2::ZERO });
            assert_empty(&Triangle { points: [Vec2::ZERO, place, Vec2::X] });
            assert_empty(&Rectangle { min: Vec2::ZERO, max: place });
            assert_empty(&Rectangle { min: place, max: Vec2::ZERO });
            let points = [Vec2::ZERO, Vec2::X, place];
            assert_eq!(ConvexPolygon::new(&points), Err(PolygonError::NotFinite));
            assert!(!EVERYTHING.contains(place, Touch::Counts));
            assert_eq!(EVERYTHING.swept_overlap(place, &EVERYTHING, Touch::Counts), None);
            let sector = Sector { center: place, radius: 1.0, from: Vec2::X, to: Vec2::Y };
            assert!(!sector.overlaps(&EVERYTHING, Touch::Counts));
            let sector = Sector { center: Vec2::ZERO, radius: 1.0, from: place, to: Vec2::Y };
            assert!(!sector.overlaps(&EVERYTHING, Touch::Counts));
        }
        assert_empty(&Circle { center: Vec2::ZERO, radius: bad });
        assert_empty(&Capsule { start: Vec2::ZERO, end: Vec2::X, radius: bad });
        assert_eq!(Sector::from_angle(Vec2::ZERO, 1.0, Vec2::X, bad), None);
        assert_eq!(Sector::from_angle(Vec2::ZERO, bad, Vec2::X, 1.0), None);
    }
}

#[test]
fn a_negative_radius_and_an_inverted_rectangle_are_empty() {
    assert_empty(&Circle { center: Vec2::ZERO, radius: -1.0 });
    assert_empty(&Capsule { start: Vec2::ZERO, end: Vec2::X, radius: -0.5 });
    assert_empty(&Rectangle { min: Vec2::ZERO, max: Vec2::new(-1.0, 5.0) });
    let inverted = Rectangle { min: at(3, 0), max: at(2, 9) };
    let all = Rectangle { min: IVec2::MIN, max: IVec2::MAX };
    assert!(!inverted.overlaps(&all, Touch::Counts));
    assert_eq!(all.overlap(inverted, Touch::Counts), None);
    let sector = Sector { center: at(0, 0), radius: -1, from: at(1, 0), to: at(0, 1) };
    assert!(!sector.contains(at(0, 0), Touch::Counts));
}

#[test]
fn a_shape_without_size_acts_as_a_point_or_a_segment() {
    let point = Circle { center: at(4, 4), radius: 0 };
    let points: [&dyn Fn(IVec2) -> bool; 4] = [
        &|p| point.contains(p, Touch::Counts),
        &|p| Segment { start: at(4, 4), end: at(4, 4) }.contains(p, Touch::Counts),
        &|p| Rectangle { min: at(4, 4), max: at(4, 4) }.contains(p, Touch::Counts),
        &|p| Triangle { points: [at(4, 4); 3] }.contains(p, Touch::Counts),
    ];
    for contains in points {
        assert!(contains(at(4, 4)) && !contains(at(5, 4)) && !contains(at(4, 3)));
    }
    let capsule = Capsule { start: at(4, 4), end: at(4, 4), radius: 3 };
    assert!(
        capsule.contains(at(4, 7), Touch::Counts) && !capsule.contains(at(6, 7), Touch::Counts)
    );
    // Two points can only touch, and so can two segments on one line.
    assert!(point.overlaps(&point, Touch::Counts) && !point.overlaps(&point, Touch::Ignored));
    let line = Triangle { points: [at(0, 0), at(9, 3), at(3, 1)] };
    let longer = Segment { start: at(-3, -1), end: at(6, 2) };
    assert!(line.overlaps(&longer, Touch::Counts) && !line.overlaps(&longer, Touch::Ignored));
    assert!(line.contains(at(9, 3), Touch::Counts), "the furthest two of three points on a line");
    assert!(line.overlaps(&Segment { start: at(4, 0), end: at(5, 5) }, Touch::Ignored));
    let flat = Rectangle { min: at(0, 2), max: at(9, 2) };
    assert!(flat.contains(at(7, 2), Touch::Counts) && !flat.contains(at(7, 2), Touch::Ignored));
}

#[test]
fn a_sweep_by_zero_meets_only_shapes_that_already_overlap() {
    let ball = Circle { center: at(0, 0), radius: 2 };
    let wall = Rectangle { min: at(2, -5), max: at(4, 5) };
    let hit = ball.swept_overlap(IVec2::ZERO, &wall, Touch::Counts).unwrap();
    assert_eq!((hit.fraction, hit.normal), (0.0, None));
    assert_eq!(ball.swept_overlap(IVec2::ZERO, &wall, Touch::Ignored), None);
    let hit = ball.swept_overlap(at(1, 0), &wall, Touch::Ignored).unwrap();
    assert_eq!((hit.fraction, hit.normal), (0.0, Some(DVec2::NEG_X)), "it is stopped at once");
    assert_eq!(
        ball.swept_overlap(at(0, 9), &wall, Touch::Ignored),
        None,
        "it slides along the wall"
    );
    assert_eq!(ball.swept_overlap(at(-1, 0), &wall, Touch::Ignored), None);
}

#[test]
fn a_moving_point_meets_only_a_point_that_lies_on_its_path() {
    let point = |x, y| Circle { center: at(x, y), radius: 0 };
    let hit = point(0, 0).swept_overlap(at(6, 3), &point(4, 2), Touch::Counts).unwrap();
    assert_eq!(hit.fraction, 2.0 / 3.0);
    assert!((hit.normal.unwrap() + DVec2::new(6.0, 3.0).normalize()).length() < 1e-15);
    assert_eq!(point(0, 0).swept_overlap(at(6, 4), &point(4, 2), Touch::Counts), None);
    assert_eq!(point(0, 0).swept_overlap(at(6, 3), &point(4, 2), Touch::Ignored), None);
    assert_eq!(point(0, 0).swept_overlap(at(6, 3), &point(8, 4), Touch::Counts), None);
    let line = Segment { start: at(8, 4), end: at(4, 2) };
    let hit = point(0, 0).swept_overlap(at(8, 4), &line, Touch::Counts).unwrap();
    assert_eq!(hit.fraction, 0.5, "a segment is met at its end");
}

#[test]
fn concentric_shapes_are_pushed_up_and_corner_hits_use_the_faster_axis() {
    let ball = Circle { center: at(5, 5), radius: 3 };
    let out = ball.push_out(&ball).unwrap();
    assert_eq!((out.translation, out.normal), (I64Vec2::new(0, -6), DVec2::NEG_Y));
    let square = Rectangle { min: at(0, 0), max: at(4, 4) };
    assert_eq!(square.push_out(&square).unwrap().translation, I64Vec2::new(0, -4));
    let other = Rectangle { min: at(6, 6), max: at(8, 8) };
    let normal = |by| square.swept_overlap(by, &other, Touch::Counts).unwrap().normal.unwrap();
    assert_eq!(normal(at(2, 2)), DVec2::NEG_Y, "both are met equally: up comes first");
    let wide = Rectangle { min: at(8, 6), max: at(9, 8) };
    let hit = square.swept_overlap(at(4, 2), &wide, Touch::Counts).unwrap();
    assert_eq!(hit.normal, Some(DVec2::NEG_X), "it moves more along x");
}

#[test]
fn shapes_at_both_ends_of_i32_have_exact_answers() {
    let all = Rectangle { min: IVec2::MIN, max: IVec2::MAX };
    let out = all.push_out(&all).unwrap();
    assert_eq!(out.translation, I64Vec2::new(0, i64::from(i32::MIN) - i64::from(i32::MAX)));
    let corner = Circle { center: IVec2::MIN, radius: i32::MAX };
    assert_eq!(corner.bounds(), None, "it reaches beyond");
    assert_eq!(all.bounds(), Some(all));
    let opposite = Circle { center: IVec2::MAX, radius: i32::MAX };
    assert!(!corner.overlaps(&opposite, Touch::Counts), "they are 1.41 times as far apart");
    assert!(corner.overlaps(&all, Touch::Ignored));
    let hit = corner.swept_overlap(IVec2::MAX, &opposite, Touch::Counts).unwrap();
    assert!(hit.fraction > 0.58 && hit.fraction < 0.59, "{hit:?}");
    // The answer depends on a single unit at the end of the range.
    let lean = Segment { start: IVec2::MIN, end: at(i32::MAX, i32::MAX - 1) };
    assert!(!lean.contains(at(i32::MAX - 1, i32::MAX - 2), Touch::Counts));
    let straight = Segment { start: IVec2::MIN, end: IVec2::MAX };
    assert!(straight.contains(at(i32::MAX - 1, i32::MAX - 1), Touch::Counts));
    assert!(!straight.contains(at(i32::MAX - 1, i32::MAX - 2), Touch::Counts));
}

#[test]
fn shapes_with_the_largest_and_smallest_floats_have_right_answers() {
    let (huge, tiny) = (f32::MAX, f32::from_bits(1));
    let ball = |x, radius| Circle { center: Vec2::new(x, 0.0), radius };
    assert!(ball(-huge, huge).overlaps(&ball(huge, huge), Touch::Counts));
    assert!(!ball(-huge, huge).overlaps(&ball(huge, huge), Touch::Ignored));
    assert!(ball(0.0, tiny).overlaps(&ball(2.0 * tiny, tiny), Touch::Counts));
    assert!(!ball(0.0, tiny).overlaps(&ball(3.0 * tiny, tiny), Touch::Counts));
    assert!(EVERYTHING.push_out(&EVERYTHING).unwrap().penetration.is_finite());
    let bar = Capsule { start: Vec2::splat(-huge), end: Vec2::splat(huge), radius: huge };
    let hit = bar.swept_overlap(Vec2::new(huge, -huge), &ball(huge, tiny), Touch::Counts).unwrap();
    assert!(hit.fraction.is_finite());
    assert_eq!(bar.bounds(), None, "it reaches beyond");
    let bounds = ball(0.1, 1e-9).bounds().unwrap();
    assert!(bounds.min.x < 0.1 && bounds.max.x > 0.1, "rounded outward");
}

#[test]
fn invalid_polygons_are_refused_with_their_reason() {
    let polygon = |points: &[(i32, i32)]| {
        let points: Vec<IVec2> = points.iter().copied().map(IVec2::from).collect();
        ConvexPolygon::new(&points).map(|polygon| polygon.corners().to_vec())
    };
    let square = [(0, 0), (4, 0), (4, 4), (0, 4)].map(IVec2::from).to_vec();
    assert_eq!(polygon(&[(0, 0), (4, 0), (4, 4), (0, 4)]), Ok(square.clone()));
    let with_more =
        [(0, 0), (0, 0), (2, 0), (3, 0), (4, 0), (4, 4), (4, 4), (0, 4), (0, 1), (0, 0)];
    assert_eq!(polygon(&with_more), Ok(square.clone()), "merged");
    let mut other_way = polygon(&[(0, 4), (4, 4), (4, 0), (0, 0)]).unwrap();
    other_way.rotate_left(0);
    assert_eq!(other_way, square, "turned clockwise");
    assert_eq!(polygon(&[]), Err(PolygonError::TooFewCorners));
    assert_eq!(polygon(&[(0, 0), (5, 5), (5, 5)]), Err(PolygonError::TooFewCorners));
    assert_eq!(polygon(&[(0, 0), (5, 5), (9, 9)]), Err(PolygonError::NotConvex), "one line");
    assert_eq!(polygon(&[(0, 0), (8, 0), (4, 0), (4, 4)]), Err(PolygonError::NotConvex), "a spike");
    let star = [(0, -10), (6, 8), (-10, -3), (10, -3), (-6, 8)];
    assert_eq!(polygon(&star), Err(PolygonError::NotConvex), "twice around");
    let bow = [(0, 0), (4, 4), (4, 0), (0, 4)];
    assert_eq!(polygon(&bow), Err(PolygonError::NotConvex));
}

#[test]
fn a_rectangle_made_from_an_aabb_overlaps_as_the_aabb_does() {
    let mut random = fastrand::Rng::with_seed(21);
    for _ in 0..20_000 {
        let mut pixels = || {
            let mut part = |least| random.i32(least..=4);
            Aabb::from_xywh(part(-4), part(-4), part(-1), part(-1))
        };
        let (a, b) = (pixels(), pixels());
        let (one, other) = (Rectangle::from(a), Rectangle::from(b));
        assert_eq!(one.overlaps(&other, Touch::Ignored), a.overlaps(b), "{a:?} {b:?}");
        let shared = one.overlap(other, Touch::Ignored);
        let count = |area: Aabb| area.width() * area.height();
        let pixels = shared.map_or(0, |r| count(Aabb { min: r.min, max: r.max }));
        let mut both = 0;
        for x in -4..9 {
            for y in -4..9 {
                both += u32::from(a.contains(at(x, y)) && b.contains(at(x, y)));
            }
        }
        assert_eq!(pixels, both, "{a:?} {b:?}");
    }
}
