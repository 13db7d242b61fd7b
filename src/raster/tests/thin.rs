use super::*;

/// True if the insides of the triangle and the pixel overlap, by the separating axis test.
fn overlaps(triangle: &[Point], x: i32, y: i32) -> bool {
    let unit = i128::from(Decimal::PER_PIXEL);
    let (x, y) = (i128::from(x) * unit, i128::from(y) * unit);
    let square = [(x, y), (x + unit, y), (x + unit, y + unit), (x, y + unit)];
    let triangle: Vec<_> = triangle.iter().map(exact).collect();
    let parted = |sides: &[(i128, i128)], others: &[(i128, i128)]| {
        let ends = sides.iter().zip(sides.iter().cycle().skip(1));
        ends.into_iter().any(|(a, b)| {
            let inner = sides.iter().map(|p| cross(*a, *b, *p)).sum::<i128>().signum();
            others.iter().all(|p| cross(*a, *b, *p) * inner <= 0)
        })
    };
    !parted(&square, &triangle) && !parted(&triangle, &square)
}

#[test]
fn an_area_without_a_pixel_centre_covers_all_pixels_that_it_overlaps() {
    let mut rng = fastrand::Rng::with_seed(1);
    let clip = Aabb::from_xywh(-20, -20, 40, 40);
    let mut thin = 0;
    for round in 0..6000 {
        let unit = [2, 3, 10, 1_000_000][round % 4];
        let mut points = random_points(&mut rng, 2, unit);
        let mut step = || rng.i64(-unit / 2..=unit / 2);
        points.push(points[1] + point(step(), step(), unit));
        let outline = Outline::Polygon(points.clone());
        let [a, b, c] = [0, 1, 2].map(|corner| exact(&points[corner]));
        if cross(a, b, c) == 0 || !centres(&outline, clip).is_empty() {
            continue;
        }
        thin += 1;
        let naive = by_pixel(clip, |x, y| overlaps(&points, x, y));
        assert_eq!(covered(&outline, clip), naive, "{points:?}");
        assert!(!naive.is_empty());
    }
    assert!(thin > 500, "{thin}");
}

#[test]
fn a_thin_rectangle_covers_no_pixel_outside_its_tile() {
    let clip = Aabb::from_xywh(-20, -20, 60, 60);
    let tenths = |n| Decimal::from_millionths(n * Decimal::PER_PIXEL / 10);
    let row = |y| (0..16).map(|x| (y, x)).collect::<Vec<_>>();
    let column = |x| (0..16).map(|y| (y, x)).collect::<Vec<_>>();
    let cover = |x, y, w, h| covered(&rectangle(tenths(x), tenths(y), tenths(w), tenths(h)), clip);
    assert_eq!(cover(0, 0, 160, 3), row(0));
    assert_eq!(cover(0, 157, 160, 3), row(15));
    assert_eq!(cover(0, 0, 3, 160), column(0));
    assert_eq!(cover(157, 0, 3, 160), column(15));
    assert_eq!(cover(0, 70, 160, 0), row(7));
    assert_eq!(cover(75, 0, 0, 160), column(7));
    assert_eq!(cover(32, 32, 1, 1), [(3, 3)]);
    assert_eq!(cover(32, 32, 0, 0), []);
}

#[test]
fn a_thin_ellipse_covers_the_pixels_along_its_axis() {
    let clip = Aabb::from_xywh(-20, -20, 60, 60);
    let tenths = |n| Decimal::from_millionths(n * Decimal::PER_PIXEL / 10);
    let cover = |x, y, w, h| covered(&ellipse(tenths(x), tenths(y), tenths(w), tenths(h)), clip);
    assert_eq!(cover(0, 1, 160, 3), (0..16).map(|x| (0, x)).collect::<Vec<_>>());
    assert_eq!(cover(62, 0, 0, 30), [(0, 6), (1, 6), (2, 6)]);
    assert_eq!(cover(62, 78, 1, 1), [(7, 6)]);
    assert_eq!(cover(62, 78, 0, 0), []);
}

#[test]
fn clipping_does_not_change_the_pixels_inside_the_clip() {
    let mut rng = fastrand::Rng::with_seed(2);
    let everything = Aabb::from_xywh(-60, -60, 120, 120);
    for round in 0..3000 {
        let points = random_points(&mut rng, 3, [2, 10][round % 2]);
        let (centre, a, b) = (points[0], points[1], points[2]);
        let clip = random_box(&mut rng);
        for outline in [
            Outline::Capsule { centres: [centre; 2], a, b },
            Outline::Polygon(points.clone()),
            Outline::Path(points),
        ] {
            let mut all = covered(&outline, everything);
            let bounds = outline.bounds();
            assert!(all.iter().all(|(y, x)| bounds.contains(IVec2::new(*x, *y))));
            all.retain(|(y, x)| clip.contains(IVec2::new(*x, *y)));
            assert_eq!(covered(&outline, clip), all, "{outline:?} {clip:?}");
        }
    }
}

#[test]
fn a_polygon_without_area_on_pixel_borders_covers_nothing_outside_its_bounds() {
    let angle = [(0, 1), (0, 0), (-1, 0), (0, 0)].map(|(x, y)| point(x, y, 1_000_000));
    let outline = Outline::Polygon(angle.to_vec());
    assert_eq!(outline.bounds(), Aabb::from_xywh(-1, 0, 1, 1));
    assert_eq!(covered(&outline, Aabb::from_xywh(-9, -9, 18, 18)), [(0, -1)]);
}

#[test]
fn a_capsule_without_a_pixel_centre_covers_a_line_of_pixels() {
    let clip = Aabb::from_xywh(-20, -20, 60, 60);
    let tenths = |n| Decimal::from_millionths(n * Decimal::PER_PIXEL / 10);
    let cover = |x, y, w, h| covered(&capsule(tenths(x), tenths(y), tenths(w), tenths(h)), clip);
    assert_eq!(cover(0, 1, 160, 3), (0..16).map(|x| (0, x)).collect::<Vec<_>>());
    assert_eq!(cover(7, -20, 2, 40), [(-2, 0), (-1, 0), (0, 0), (1, 0)]);
    assert_eq!(cover(0, 75, 30, 0), [(7, 0), (7, 1), (7, 2)]);
    assert_eq!(cover(0, 75, 0, 0), []);
}

/// The rounded ends contain no pixel centre. A former version drew such ends as separate thin areas.
#[test]
fn thin_rounded_ends_of_a_capsule_add_no_pixels() {
    let clip = Aabb::from_xywh(-20, -20, 60, 60);
    let tenths = |n| Decimal::from_millionths(n * Decimal::PER_PIXEL / 10);
    let cover = |x, y, w, h| covered(&capsule(tenths(x), tenths(y), tenths(w), tenths(h)), clip);
    let row = |from, to| (from..to).map(|x| (0, x)).collect::<Vec<_>>();
    assert_eq!(cover(6, 2, 100, 7), row(1, 11));
    assert_eq!(cover(2, 6, 7, 100), (1..11).map(|y| (y, 0)).collect::<Vec<_>>());
    assert_eq!(cover(6, 2, 98, 7), row(1, 10));
    // The whole capsule contains no pixel centre, so it is drawn as a line.
    assert_eq!(cover(6, 6, 100, 3), row(0, 11));
}

#[test]
fn a_thin_capsule_covers_exactly_the_pixels_whose_centres_it_contains() {
    let mut rng = fastrand::Rng::with_seed(7);
    let clip = Aabb::from_xywh(-4, -4, 20, 20);
    let mut held = 0;
    for _ in 0..2000 {
        let mut length = |range| Decimal::from_millionths(rng.i64(range));
        let (x, y) = (length(0..1_000_000), length(0..1_000_000));
        let (w, h) = (length(300_000..1_700_000), length(300_000..9_000_000));
        let found = covered(&capsule(x, y, w, h), clip);
        let (x, y, w, h) = (x.as_f64(), y.as_f64(), w.as_f64(), h.as_f64());
        let r = w.min(h) / 2.0;
        let inside_by = |column: i32, row: i32| {
            let (across, down) = (f64::from(column) + 0.5 - x, f64::from(row) + 0.5 - y);
            r - (across - across.clamp(r, w - r)).hypot(down - down.clamp(r, h - r))
        };
        let all = || by_pixel(clip, |_, _| true).into_iter();
        if all().any(|(y, x)| inside_by(x, y).abs() < 1e-5) {
            continue;
        }
        let naive = by_pixel(clip, |x, y| inside_by(x, y) > 0.0);
        assert!(!found.is_empty());
        if !naive.is_empty() {
            held += 1;
            assert_eq!(found, naive, "{x} {y} {w} {h}");
        }
    }
    assert!(held > 500, "{held}");
}

#[test]
fn a_large_area_covers_nothing_in_a_clip_where_it_contains_no_pixel_centre() {
    let clip = Aabb::from_xywh(0, 0, 40, 40);
    let tenths = |n| Decimal::from_millionths(n * Decimal::PER_PIXEL / 10);
    let above = rectangle(tenths(0), tenths(-300), tenths(400), tenths(302));
    assert!(above.bounds().overlaps(clip));
    assert_eq!(covered(&above, clip), []);
}

/// The area is thin but not convex, so its box has pixels beyond the edge on the border.
#[test]
fn an_edge_of_a_thin_area_along_the_border_of_two_pixels_enters_neither() {
    let clip = Aabb::from_xywh(-20, -20, 60, 60);
    let corners = [(0, 7), (30, 7), (30, 10), (3, 10), (3, 20), (0, 20)];
    let flat = corners.map(|(x, y)| point(x, y, 10)).to_vec();
    let upright = corners.map(|(x, y)| point(y, x, 10)).to_vec();
    assert_eq!(covered(&Outline::Polygon(flat), clip), [(0, 0), (0, 1), (0, 2), (1, 0)]);
    assert_eq!(covered(&Outline::Polygon(upright), clip), [(0, 0), (0, 1), (1, 0), (2, 0)]);
}

#[test]
fn the_tips_of_a_thin_capsule_cover_pixels_of_their_own() {
    let clip = Aabb::from_xywh(-20, -20, 60, 60);
    let tenths = |n| Decimal::from_millionths(n * Decimal::PER_PIXEL / 10);
    let cover = |x, y, w, h| covered(&capsule(tenths(x), tenths(y), tenths(w), tenths(h)), clip);
    assert_eq!(cover(9, 1, 162, 3), (0..18).map(|x| (0, x)).collect::<Vec<_>>());
    assert_eq!(cover(1, 9, 3, 162), (0..18).map(|y| (y, 0)).collect::<Vec<_>>());
}
