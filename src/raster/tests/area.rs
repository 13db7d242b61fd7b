use super::*;

/// True if the centre of the pixel (`x`, `y`) is in the polygon.
fn polygon_holds(points: &[Point], x: i32, y: i32) -> bool {
    let unit = i128::from(Decimal::PER_PIXEL);
    let centre = (i128::from(x) * unit + unit / 2, i128::from(y) * unit + unit / 2);
    let mut inside = false;
    for (from, to) in points.iter().zip(points.iter().cycle().skip(1)) {
        let (mut from, mut to) = (exact(from), exact(to));
        if from.1 > to.1 {
            (from, to) = (to, from);
        }
        inside ^= from.1 <= centre.1 && centre.1 < to.1 && cross(from, to, centre) <= 0;
    }
    inside
}

#[test]
fn a_polygon_covers_the_pixels_whose_centres_it_contains() {
    let mut rng = fastrand::Rng::with_seed(1);
    for round in 0..4000 {
        let unit = [1, 2, 3, 7, 1_000_000][round % 5];
        let points = random_points(&mut rng, 1 + round % 9, unit);
        let clip = random_box(&mut rng);
        let outline = Outline::Polygon(points.clone());
        let naive = by_pixel(clip, |x, y| polygon_holds(&points, x, y));
        assert_eq!(centres(&outline, clip), naive, "{points:?} {clip:?}");
    }
}

#[test]
fn pixel_centres_on_left_and_top_edges_are_covered_and_on_right_and_bottom_edges_not() {
    let clip = Aabb::from_xywh(-5, -5, 20, 20);
    let square = [(1, 1), (5, 1), (5, 5), (1, 5)].map(|(x, y)| point(x, y, 2));
    let found = centres(&Outline::Polygon(square.to_vec()), clip);
    assert_eq!(found, [(0, 0), (0, 1), (1, 0), (1, 1)]);
}

/// Random triangles that fill the box from (0, 0) to (20, 14) without overlaps. The corners are at multiples
/// of 1 / `unit` pixels.
fn triangles(rng: &mut fastrand::Rng, unit: i64) -> Vec<[Point; 3]> {
    let [a, b, c, d] = [(0, 0), (20, 0), (20, 14), (0, 14)].map(|(x, y)| point(x, y, 1));
    let mut triangles = vec![[a, b, c], [a, c, d]];
    for _ in 0..30 {
        let p = point(rng.i64(0..=20 * unit), rng.i64(0..=14 * unit), unit);
        triangles = triangles.into_iter().flat_map(|triangle| split(triangle, p)).collect();
    }
    triangles
}

/// Splits the triangle into three triangles with the corner `p`, if it contains `p`.
fn split(triangle: [Point; 3], p: Point) -> Vec<[Point; 3]> {
    let [a, b, c] = triangle;
    let parts = [[a, b, p], [b, c, p], [c, a, p]];
    let side = |[a, b, c]: &[Point; 3]| cross(exact(a), exact(b), exact(c));
    if parts.iter().any(|part| side(part) < 0) {
        return vec![triangle];
    }
    parts.into_iter().filter(|part| side(part) > 0).collect()
}

#[test]
fn polygons_that_tile_a_box_cover_each_pixel_once() {
    let mut rng = fastrand::Rng::with_seed(2);
    let clip = Aabb::from_xywh(-3, -3, 26, 20);
    for round in 0..400 {
        let triangles = triangles(&mut rng, [1, 2, 3, 1_000_000][round % 4]);
        assert!(triangles.len() > 10);
        let mut found: Vec<_> = triangles
            .iter()
            .flat_map(|triangle| centres(&Outline::Polygon(triangle.to_vec()), clip))
            .collect();
        found.sort_unstable();
        let all = by_pixel(clip, |x, y| (0..20).contains(&x) && (0..14).contains(&y));
        assert_eq!(found, all, "{triangles:?}");
    }
}

#[test]
fn polygons_agree_with_a_float_test_away_from_their_edges() {
    let mut rng = fastrand::Rng::with_seed(3);
    let clip = Aabb::from_xywh(-14, -14, 28, 28);
    let mut told = 0;
    for round in 0..600 {
        let points = random_points(&mut rng, 3 + round % 6, 1_000_000);
        let found = centres(&Outline::Polygon(points.clone()), clip);
        let floats: Vec<_> = points.iter().map(|p| (p.x.as_f64(), p.y.as_f64())).collect();
        for (y, x) in by_pixel(clip, |_, _| true) {
            let (cx, cy) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
            let (mut inside, mut distance) = (false, f64::MAX);
            for (a, b) in floats.iter().zip(floats.iter().cycle().skip(1)) {
                let t = (cx - a.0) / (b.0 - a.0);
                inside ^= (a.0 <= cx) != (b.0 <= cx) && a.1 + t * (b.1 - a.1) < cy;
                let (dx, dy) = (b.0 - a.0, b.1 - a.1);
                let along = ((cx - a.0) * dx + (cy - a.1) * dy) / (dx * dx + dy * dy);
                let along = along.clamp(0.0, 1.0);
                let near = (a.0 + along * dx - cx).hypot(a.1 + along * dy - cy);
                distance = distance.min(near);
            }
            if distance > 1e-4 {
                told += 1;
                assert_eq!(found.binary_search(&(y, x)).is_ok(), inside, "{points:?} {x} {y}");
            }
        }
    }
    assert!(told > 400_000, "{told}");
}
