use super::*;

/// True if the centre of the pixel (`x`, `y`) is in the ellipse with the half axes `a` and `b`.
fn ellipse_holds(centre: Point, a: Point, b: Point, x: i32, y: i32) -> bool {
    let (a, b) = (exact(&a), exact(&b));
    let unit = i128::from(Decimal::PER_PIXEL);
    let (cx, cy) = exact(&centre);
    let d = (i128::from(x) * unit + unit / 2 - cx, i128::from(y) * unit + unit / 2 - cy);
    let origin = (0, 0);
    let area = cross(origin, a, b);
    let (s, t) = (cross(origin, d, b), cross(origin, a, d));
    area != 0 && s * s + t * t <= area * area
}

#[test]
fn an_ellipse_covers_the_pixels_whose_centres_it_contains() {
    let mut rng = fastrand::Rng::with_seed(1);
    for round in 0..4000 {
        let unit = [1, 2, 3, 7, 1_000_000][round % 5];
        let points = random_points(&mut rng, 3, unit);
        let (centre, a, b) = (points[0], points[1], points[2]);
        let clip = random_box(&mut rng);
        let outline = Outline::Capsule { centres: [centre; 2], a, b };
        let naive = by_pixel(clip, |x, y| ellipse_holds(centre, a, b, x, y));
        assert_eq!(centres(&outline, clip), naive, "{outline:?} {clip:?}");
    }
}

#[test]
fn a_pixel_with_its_centre_on_the_curve_of_an_ellipse_is_covered() {
    // The radius is 5 pixels, so that pixel centres at the offsets (3, 4) and (4, 3) are on the curve.
    let size = Decimal::from_pixels(10);
    let half = Decimal::from_millionths(Decimal::PER_PIXEL / 2);
    let found = centres(&ellipse(half, half, size, size), Aabb::from_xywh(-3, -3, 20, 20));
    for on_curve in [(0, 5), (5, 0), (10, 5), (5, 10), (1, 2), (9, 8), (2, 9), (8, 1)] {
        assert!(found.contains(&on_curve), "{on_curve:?}");
    }
    assert_eq!(found.len(), 81);
}

#[test]
fn the_curve_of_a_large_circle_has_an_error_of_at_most_two_64ths_of_a_pixel() {
    let mut rng = fastrand::Rng::with_seed(2);
    for _ in 0..300 {
        let radius = 1 << rng.u32(10..23);
        let radius =
            point(rng.i64(radius..2 * radius), 0, 1).x + random_points(&mut rng, 1, 1_000_000)[0].x;
        let centre = random_points(&mut rng, 1, 1_000_000)[0];
        let angle = rng.f64() * std::f64::consts::TAU;
        let r = radius.as_f64();
        let at = IVec2::new(
            (centre.x.as_f64() + r * angle.cos()) as i32,
            (centre.y.as_f64() + r * angle.sin()) as i32,
        );
        let clip = Aabb::from_xywh(at.x - 10, at.y - 10, 20, 20);
        let outline =
            ellipse(centre.x - radius, centre.y - radius, radius + radius, radius + radius);
        let found = centres(&outline, clip);
        assert!(!found.is_empty() && found.len() < 400);
        for (y, x) in by_pixel(clip, |_, _| true) {
            let (dx, dy) =
                (f64::from(x) + 0.5 - centre.x.as_f64(), f64::from(y) + 0.5 - centre.y.as_f64());
            let inside_by = r - dx.hypot(dy);
            if inside_by.abs() > 2.0 / 64.0 {
                assert_eq!(found.binary_search(&(y, x)).is_ok(), inside_by > 0.0);
            }
        }
    }
}

#[test]
fn a_capsule_covers_the_pixels_whose_centres_are_within_its_radius() {
    let mut rng = fastrand::Rng::with_seed(3);
    let clip = Aabb::from_xywh(-20, -20, 60, 60);
    for _ in 0..200 {
        let mut length = || Decimal::from_millionths(rng.i64(2_000_000..30_000_000));
        let (width, height) = (length(), length());
        let found = covered(&capsule(Decimal::ZERO, Decimal::ZERO, width, height), clip);
        let (w, h) = (width.as_f64(), height.as_f64());
        let r = w.min(h) / 2.0;
        for (y, x) in by_pixel(clip, |_, _| true) {
            let (x, y) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
            let inside_by = r - (x - x.clamp(r, w - r)).hypot(y - y.clamp(r, h - r));
            let pixel = (y.floor() as i32, x.floor() as i32);
            if inside_by.abs() > 1e-5 {
                let is_found = found.binary_search(&pixel).is_ok();
                assert_eq!(is_found, inside_by > 0.0, "{w} {h} {pixel:?}");
            }
        }
    }
    let side = Decimal::from_pixels(7);
    let round = ellipse(side, side, side, side);
    assert_eq!(capsule(side, side, side, side), round);
}

#[test]
fn the_estimated_work_of_an_outline_is_at_least_the_number_of_its_spans() {
    let mut rng = fastrand::Rng::with_seed(4);
    for round in 0..400 {
        let mut length = || Decimal::from_millionths(rng.i64(2_000_000..30_000_000));
        let (x, y, width, height) = (length(), length(), length(), length());
        let points = random_points(&mut rng, 5, 64);
        let outline = match round % 4 {
            0 => ellipse(x, y, width, height),
            1 => capsule(x, y, width, height),
            2 => Outline::Polygon(points),
            _ => Outline::Path(points),
        };
        let clip = random_box(&mut rng);
        let mut spans = 0;
        outline.cover(clip, &mut |_| spans += 1);
        let work = outline.work(clip);
        assert!(spans <= work, "{spans} of {work}: {outline:?}");
        // A row of pixels takes 16 steps for an ellipse and 40 for a capsule. A path takes one step for each
        // line and row.
        let rows = (outline.bounds().max.y - outline.bounds().min.y) as u64;
        assert!(work <= 40 * rows.max(1) + 5, "{work}: {outline:?}");
        if !outline.bounds().overlaps(clip) {
            assert_eq!(work, 1, "{outline:?}");
        }
    }
    let all = Aabb::from_xywh(0, 0, 100, 100);
    let long = Decimal::from_pixels(50);
    let short = Decimal::from_pixels(20);
    // The bounds of round outlines have one more row at the top and at the bottom.
    assert_eq!(ellipse(short, short, long, long).work(all), 16 * 52);
    assert_eq!(capsule(short, short, long, short).work(all), 40 * 22);
    // Each vertical side is in 50 rows, and each horizontal side is in 1 row. Each of the 4 sides adds one
    // step.
    assert_eq!(rectangle(short, short, long, long).work(all), 106);
}
