//! The faults of the collision tests in five tutorials, one by one. The tutorial's formula, written anew,
//! gives a wrong answer, and bitwall's shapes give the right one. The numbers in the names are the numbers in
//! `SEEDS.md`.

use bitwall::glam::{I64Vec2, IVec2, Vec2, ivec2 as at};
use bitwall::shapes::{Circle, Convex, ConvexPolygon, Rectangle, Sector, Segment, Touch, Triangle};

fn rectangle(x: i32, y: i32, w: i32, h: i32) -> Rectangle<IVec2> {
    Rectangle { min: at(x, y), max: at(x + w, y + h) }
}

fn circle(x: i32, y: i32, radius: i32) -> Circle<IVec2> {
    Circle { center: at(x, y), radius }
}

fn segment(a: (i32, i32), b: (i32, i32)) -> Segment<IVec2> {
    Segment { start: a.into(), end: b.into() }
}

#[test]
fn s1_touching_counts_the_same_for_rectangles_and_circles() {
    // In the same tutorial, rectangles that touch collide and circles that touch do not.
    let rectangles = |a: Rectangle<IVec2>, b: Rectangle<IVec2>| {
        let (low, high) = (a.min.max(b.min), a.max.min(b.max));
        !(low.x > high.x || low.y > high.y)
    };
    let circles = |a: Circle<IVec2>, b: Circle<IVec2>| {
        a.center.as_dvec2().distance(b.center.as_dvec2()) < f64::from(a.radius + b.radius)
    };
    let squares = (rectangle(0, 0, 10, 10), rectangle(10, 0, 10, 10));
    let balls = (circle(5, 5, 5), circle(15, 5, 5));
    assert!(rectangles(squares.0, squares.1) && !circles(balls.0, balls.1));
    for (touch, overlaps) in [(Touch::Counts, true), (Touch::Ignored, false)] {
        assert_eq!(squares.0.overlaps(&squares.1, touch), overlaps);
        assert_eq!(balls.0.overlaps(&balls.1, touch), overlaps);
    }
}

#[test]
fn s1_overlap_returns_the_rectangle_that_both_share() {
    let (a, b) = (rectangle(0, 0, 10, 10), rectangle(7, 4, 10, 3));
    assert_eq!(a.overlap(b, Touch::Counts), Some(rectangle(7, 4, 3, 3)));
    let beside = rectangle(10, 4, 10, 3);
    assert_eq!(a.overlap(beside, Touch::Counts), Some(rectangle(10, 4, 0, 3)), "an edge");
    assert_eq!(a.overlap(beside, Touch::Ignored), None);
    assert_eq!(a.overlap(rectangle(11, 4, 10, 3), Touch::Counts), None);
}

#[test]
fn s2_circles_that_touch_only_by_a_rounded_square_root_do_not_overlap() {
    // A square root in `f64` has 53 bits, but the sum has 61. So the rounded root misses a distance that is
    // just larger.
    let by_root = |a: Circle<IVec2>, b: Circle<IVec2>| {
        let way = (b.center.as_i64vec2() - a.center.as_i64vec2()).as_dvec2();
        way.length() <= f64::from(a.radius) + f64::from(b.radius)
    };
    let large = circle(0, 0, 1_000_000_000);
    let beside = circle(1_000_000_000, 1, 0);
    assert!(by_root(large, beside), "the root says that they touch");
    assert!(!large.overlaps(&beside, Touch::Counts));
    assert!(large.overlaps(&circle(1_000_000_000, 0, 0), Touch::Counts));
    assert!(circle(0, 0, 2).overlaps(&circle(3, 4, 3), Touch::Counts), "3, 4, 5");
    assert!(!circle(0, 0, 2).overlaps(&circle(3, 4, 3), Touch::Ignored));
}

#[test]
fn s3_the_nearest_point_of_a_rectangle_decides_if_a_circle_overlaps() {
    // The tutorial tests four circles around the corners and two rectangles, all without their edges. So it
    // always misses a shape that only touches, and a rectangle without height.
    let by_parts = |r: Rectangle<IVec2>, c: Circle<IVec2>| {
        let (p, radius) = (c.center, c.radius);
        let corners = [r.min, r.max, at(r.min.x, r.max.y), at(r.max.x, r.min.y)];
        let near = |corner: &IVec2| corner.as_dvec2().distance(p.as_dvec2()) < f64::from(radius);
        corners.iter().any(near)
            || (r.min.x - radius < p.x && p.x < r.max.x + radius && r.min.y < p.y && p.y < r.max.y)
            || (r.min.x < p.x && p.x < r.max.x && r.min.y - radius < p.y && p.y < r.max.y + radius)
    };
    let (ledge, point) = (rectangle(0, 10, 100, 0), circle(50, 10, 0));
    assert!(!by_parts(ledge, point) && ledge.overlaps(&point, Touch::Counts));
    let square = rectangle(0, 0, 10, 10);
    for on_edge in [circle(15, 5, 5), circle(13, 14, 5)] {
        assert!(!by_parts(square, on_edge));
        assert!(square.overlaps(&on_edge, Touch::Counts));
        assert!(!square.overlaps(&on_edge, Touch::Ignored));
    }
    // The squared distance to the nearest point of the rectangle is enough.
    for x in -8..=18 {
        for y in -8..=18 {
            let ball = circle(x, y, 5);
            let nearest = ball.center.clamp(square.min, square.max);
            let room = 25 - (ball.center - nearest).length_squared();
            assert_eq!(square.overlaps(&ball, Touch::Counts), room >= 0, "({x}, {y})");
            assert_eq!(square.overlaps(&ball, Touch::Ignored), room > 0, "({x}, {y})");
        }
    }
}

#[test]
fn s4_a_circle_near_the_corner_of_a_wide_rectangle_is_no_hit() {
    // If the rectangle spans two quadrants, the tutorial tests the bounding square of the circle instead.
    let by_square = |c: Circle<IVec2>, r: Rectangle<IVec2>| {
        let apart = (2 * c.center - r.min - r.max).abs();
        let reach = IVec2::splat(2 * c.radius) + r.max - r.min;
        apart.cmple(reach).all()
    };
    let tower = circle(0, 0, 10);
    let wide = rectangle(9, 8, 200, 3);
    assert!(by_square(tower, wide), "the square's corner overlaps");
    assert!(!tower.overlaps(&wide, Touch::Counts), "(9, 8) is 12.04 away");
    assert!(tower.overlaps(&rectangle(8, 6, 200, 3), Touch::Counts), "(8, 6) is 10 away");
    assert!(!tower.overlaps(&rectangle(8, 6, 200, 3), Touch::Ignored));
    // So the whole formula depends on the quadrants, and touching always counts. For rectangles along the
    // axes the quadrants are right, and there the formula agrees with bitwall.
    let by_quadrant = |c: Circle<IVec2>, r: Rectangle<IVec2>| {
        let (min, max) = (r.min - c.center, r.max - c.center);
        let (sign, end) = (min.signum(), max.signum());
        if sign == end && sign.x != 0 && sign.y != 0 {
            let nearest = min.abs().min(max.abs());
            return nearest.length_squared() <= c.radius * c.radius;
        }
        by_square(c, r)
    };
    for x in -30..=12 {
        for y in -16..=12 {
            let moved = rectangle(x, y, 18, 4);
            assert_eq!(tower.overlaps(&moved, Touch::Counts), by_quadrant(tower, moved), "{x} {y}");
        }
    }
    // The nearest point of a slanted rectangle or a triangle may be on a side and not a corner. The quadrants
    // do not cover that.
    let slanted = Triangle { points: [at(1, 14), at(14, 1), at(14, 14)] };
    let far = slanted.points.iter().all(|p| p.length_squared() > 121);
    let nearer = circle(0, 0, 11);
    assert!(far && nearer.overlaps(&slanted, Touch::Ignored), "its side is 10.6 away");
    assert!(!tower.overlaps(&slanted, Touch::Counts));
}

/// The tutorial's test of sides against sides. By mistake the top side of the rectangle starts and ends at
/// its right corner, and a shape inside the other one is not tested.
fn by_edges(triangle: [IVec2; 3], r: Rectangle<IVec2>, last_side: [IVec2; 2]) -> bool {
    let [a, b, _] = triangle;
    let (top_right, bottom_left) = (at(r.max.x, r.min.y), at(r.min.x, r.max.y));
    let rectangle =
        [[r.min, bottom_left], [bottom_left, r.max], [top_right, r.max], [top_right, top_right]];
    let triangle = [[a, b], [b, triangle[2]], last_side];
    let meet = |p: &[IVec2; 2], q: &[IVec2; 2]| {
        let side = |at: IVec2, of: &[IVec2; 2]| (of[1] - of[0]).perp_dot(at - of[0]).signum();
        side(p[0], q) * side(p[1], q) < 0 && side(q[0], p) * side(q[1], p) < 0
    };
    rectangle.iter().any(|p| triangle.iter().any(|q| meet(p, q)))
}

#[test]
fn s12_a_rectangle_crossed_only_by_a_triangles_third_side_overlaps_it() {
    // Only the side from the third point to the first crosses the rectangle.
    let points = [at(0, 0), at(40, -40), at(40, 40)];
    let house = rectangle(10, 18, 4, 100);
    let second_again = [points[1], points[2]];
    assert!(!by_edges(points, house, second_again));
    assert!(by_edges(points, rectangle(10, 5, 4, 100), [points[2], points[0]]));
    let reaching = rectangle(18, 16, 4, 100);
    assert!(!by_edges(points, reaching, second_again), "the side is missing");
    assert!(Triangle { points }.overlaps(&reaching, Touch::Ignored));
}

#[test]
fn s12_a_shape_inside_the_other_overlaps_it() {
    let points = [at(0, 0), at(90, 0), at(0, 90)];
    let within = rectangle(10, 10, 5, 5);
    let around = rectangle(-10, -10, 200, 200);
    for square in [within, around] {
        assert!(!by_edges(points, square, [points[2], points[0]]));
        assert!(Triangle { points }.overlaps(&square, Touch::Ignored));
        assert!(square.overlaps(&Triangle { points }, Touch::Ignored));
    }
}

#[test]
fn s12_a_triangle_that_enters_through_a_rectangles_top_overlaps_it() {
    // A spike from above that crosses only the top side.
    let points = [at(45, -50), at(55, -50), at(50, 10)];
    let floor = rectangle(0, 0, 100, 100);
    assert!(!by_edges(points, floor, [points[2], points[0]]));
    assert!(Triangle { points }.overlaps(&floor, Touch::Ignored));
}

/// The tutorial's test of two segments by their slopes in `f32`. Vertical segments have no slope and are
/// tested first. For segments on one line it compares the x of an end with the y of the other segment by
/// mistake.
fn by_slopes(p: Segment<IVec2>, q: Segment<IVec2>) -> bool {
    let ([x0, y0], [x1, y1]) = (p.start.as_vec2().to_array(), p.end.as_vec2().to_array());
    let ([x2, y2], [x3, y3]) = (q.start.as_vec2().to_array(), q.end.as_vec2().to_array());
    let between = |v: f32, a: f32, b: f32| a.min(b) <= v && v <= a.max(b);
    let in_both =
        |x, y| between(x, x0, x1) && between(y, y0, y1) && between(x, x2, x3) && between(y, y2, y3);
    match (x0 == x1, x2 == x3) {
        (true, true) => false,
        (true, false) => in_both(x0, (y3 - y2) * (x0 - x2) / (x3 - x2) + y2),
        (false, true) => in_both(x2, (y1 - y0) * (x2 - x0) / (x1 - x0) + y0),
        (false, false) => {
            let (one, other) = ((y1 - y0) / (x1 - x0), (y3 - y2) / (x3 - x2));
            if one == other {
                let line = |x: f32, y: f32| y - one * x;
                let within = |x: f32, y: f32, a: [f32; 2], b: [f32; 2]| {
                    let (low_x, low_y) = (a[0].min(b[0]), a[1].min(b[1]));
                    let high_y = a[1].max(b[1]);
                    x > low_x && x < high_y && y > low_y && y < high_y
                };
                let (p, q) = (([x0, y0], [x1, y1]), ([x2, y2], [x3, y3]));
                return line(x0, y0) == line(x2, y2)
                    && (within(x2, y2, p.0, p.1)
                        || within(x3, y3, p.0, p.1)
                        || within(x0, y0, q.0, q.1)
                        || within(x1, y1, q.0, q.1));
            }
            let x = (y2 - y0 + one * x0 - other * x2) / (one - other);
            in_both(x, one * (x - x0) + y0)
        }
    }
}

#[test]
fn s13_vertical_segments_on_one_line_overlap_where_they_share_points() {
    let (p, q) = (segment((5, 0), (5, 10)), segment((5, 5), (5, 20)));
    assert!(!by_slopes(p, q));
    assert!(p.overlaps(&q, Touch::Counts));
    assert!(!p.overlaps(&segment((6, 5), (6, 20)), Touch::Counts), "beside");
    assert!(!p.overlaps(&segment((5, 11), (5, 20)), Touch::Counts), "below");
}

#[test]
fn s13_slanted_or_flat_segments_on_one_line_overlap_where_they_share_points() {
    // Far to the right, x is greater than any y of the other segment.
    let (p, q) = (segment((100, 0), (120, 10)), segment((110, 5), (140, 20)));
    assert!(!by_slopes(p, q));
    assert!(p.overlaps(&q, Touch::Counts));
    let flat = (segment((0, 3), (10, 3)), segment((5, 3), (15, 3)));
    assert!(!by_slopes(flat.0, flat.1));
    assert!(flat.0.overlaps(&flat.1, Touch::Counts));
    assert!(!p.overlaps(&segment((122, 11), (140, 20)), Touch::Counts), "further along");
}

#[test]
fn s13_nearly_parallel_segments_overlap_if_they_cross() {
    // Both slopes round to the same `f32`, but they differ, and the segments cross.
    let (p, q) = (
        segment((0, 0), (2_000_000_000, 1_000_000_000)),
        segment((0, 1), (2_000_000_000, 999_999_999)),
    );
    assert!(!by_slopes(p, q));
    assert!(p.overlaps(&q, Touch::Ignored), "they cross half-way");
    let beside = segment((0, 1), (2_000_000_000, 1_000_000_001));
    assert!(!p.overlaps(&beside, Touch::Counts));
}

#[test]
fn s15_whether_touching_counts_is_the_callers_choice_in_every_test() {
    let (body, wall) = (rectangle(0, 0, 20, 20), rectangle(20, 0, 40, 40));
    let ball = circle(25, -5, 5);
    let roof = Triangle { points: [at(0, 20), at(20, 20), at(10, 30)] };
    let polygon = ConvexPolygon::new(&[at(-8, 0), at(0, 5), at(0, 9), at(-9, 4)]).unwrap();
    let sight = Sector { center: at(-10, 10), radius: 10, from: at(1, -1), to: at(1, 1) };
    for (touch, counts) in [(Touch::Counts, true), (Touch::Ignored, false)] {
        assert_eq!(body.overlaps(&wall, touch), counts);
        assert_eq!(wall.overlaps(&ball, touch), counts);
        assert_eq!(body.overlaps(&roof, touch), counts);
        assert_eq!(body.overlaps(&polygon, touch), counts);
        assert_eq!(body.overlaps(&segment((20, 5), (30, 5)), touch), counts);
        assert_eq!(body.contains(at(20, 20), touch), counts);
        assert_eq!(sight.overlaps(&body, touch), counts);
        assert_eq!(body.overlap(wall, touch).is_some(), counts);
        assert_eq!(body.swept_overlap(at(0, 9), &wall, touch).is_some(), counts, "along it");
    }
}

#[test]
fn s17_a_point_in_a_bodys_bounds_may_be_outside_the_body() {
    // The tutorial tests the bounding rectangle instead of the body.
    let ball = circle(50, 50, 10);
    let bounds = ball.bounds().unwrap();
    assert_eq!(bounds, rectangle(40, 40, 20, 20));
    let corner = at(42, 42);
    assert!(bounds.contains(corner, Touch::Counts));
    assert!(!ball.contains(corner, Touch::Counts));
    let roof = Triangle { points: [at(0, 9), at(5, 0), at(9, 9)] };
    assert_eq!(roof.bounds(), Some(rectangle(0, 0, 9, 9)));
    assert!(!roof.contains(at(1, 1), Touch::Counts));
    assert!(
        bounds.contains(at(40, 60), Touch::Counts) && !bounds.contains(at(40, 60), Touch::Ignored)
    );
}

#[test]
fn s21_a_slanted_side_can_separate_convex_polygons() {
    // Their bounds overlap, neither contains a corner of the other, and only a slanted side separates them.
    let diamond = ConvexPolygon::new(&[at(0, -10), at(10, 0), at(0, 10), at(-10, 0)]).unwrap();
    let square = rectangle(6, 6, 10, 10);
    assert!(diamond.bounds().unwrap().overlaps(&square, Touch::Ignored));
    assert!(!diamond.overlaps(&square, Touch::Counts));
    assert!(diamond.overlaps(&rectangle(5, 5, 9, 9), Touch::Counts), "on the side");
    assert!(!diamond.overlaps(&rectangle(5, 5, 9, 9), Touch::Ignored));
}

#[test]
fn s21_the_push_out_is_the_shortest_translation() {
    let diamond = ConvexPolygon::new(&[at(0, -10), at(10, 0), at(0, 10), at(-10, 0)]).unwrap();
    let square = rectangle(4, 4, 10, 10);
    let out = square.push_out(&diamond).unwrap();
    assert_eq!(out.translation, I64Vec2::new(1, 1), "out of the slanted side");
    assert!((out.penetration - 2.0_f64.sqrt()).abs() < 1e-15);
    let deep = rectangle(0, 0, 100, 10);
    let out = rectangle(20, 7, 8, 8).push_out(&deep).unwrap();
    assert_eq!(out.translation, I64Vec2::new(0, 3));
    // The exact push-out is not a whole vector. The returned whole vector is a little longer and separates
    // them.
    let ball = circle(-2, -2, 4);
    let out = ball.push_out(&deep).unwrap();
    assert_eq!(out.translation, I64Vec2::new(-1, -1));
    let parted = circle(-3, -3, 4);
    assert!(ball.overlaps(&deep, Touch::Ignored) && !parted.overlaps(&deep, Touch::Ignored));
}

#[test]
fn s21_a_sector_overlaps_shapes_across_its_rays_not_past_its_arc() {
    let sight = Sector { center: Vec2::ZERO, radius: 100.0, from: Vec2::X, to: Vec2::ONE };
    assert!(sight.contains(Vec2::new(80.0, 30.0), Touch::Counts));
    assert!(!sight.contains(Vec2::new(30.0, 80.0), Touch::Counts), "past the second ray");
    let crate_at = |x, y| Rectangle { min: Vec2::new(x, y), max: Vec2::new(x + 10.0, y + 10.0) };
    // All corners of the crate are outside the sector, but a ray of the sector crosses the crate.
    let crossed = crate_at(45.0, -5.0);
    assert!(sight.overlaps(&crossed, Touch::Ignored));
    // The crate is beyond the arc, but inside the triangle around the sector.
    assert!(!sight.overlaps(&crate_at(95.0, 60.0), Touch::Counts));
    assert!(sight.overlaps(&Circle { center: Vec2::new(-3.0, 0.0), radius: 4.0 }, Touch::Ignored));
}
