use super::*;

/// True if the pixel (`x`, `y`) contains more than one point of the segment from `a` to `b`. The part of the
/// segment in the pixel's column and the part in the pixel's row must overlap.
fn passes(a: Point, b: Point, x: i32, y: i32) -> bool {
    let unit = i128::from(Decimal::PER_PIXEL);
    let (a, b) = (exact(&a), exact(&b));
    // A time is a fraction: a numerator and a positive denominator.
    let (mut since, mut until) = ((0, 1), (1, 1));
    for (from, to, pixel) in [(a.0, b.0, x), (a.1, b.1, y)] {
        let low = i128::from(pixel) * unit;
        let way = to - from;
        if way == 0 {
            if !(low..low + unit).contains(&from) {
                return false;
            }
            continue;
        }
        let time = |place: i128| ((place - from) * way.signum(), way.abs());
        let (enters, leaves) = if way > 0 { (low, low + unit) } else { (low + unit, low) };
        let (enters, leaves) = (time(enters), time(leaves));
        if enters.0 * since.1 > since.0 * enters.1 {
            since = enters;
        }
        if leaves.0 * until.1 < until.0 * leaves.1 {
            until = leaves;
        }
    }
    since.0 * until.1 < until.0 * since.1
}

#[test]
fn a_path_covers_the_pixels_that_it_passes_through() {
    let mut rng = fastrand::Rng::with_seed(1);
    for round in 0..4000 {
        let unit = [1, 2, 3, 7, 1_000_000][round % 5];
        let mut points = random_points(&mut rng, 2 + round % 5, unit);
        if round % 3 == 0 {
            // This path also gets horizontal and vertical segments, and a repeated point.
            points[1].y = points[0].y;
            points.push(point(0, 0, 1));
            points.push(point(0, 0, 1));
            points.push(point(0, -9 * unit, unit));
        }
        let clip = random_box(&mut rng);
        let naive = by_pixel(clip, |x, y| {
            points.windows(2).any(|ends| ends[0] != ends[1] && passes(ends[0], ends[1], x, y))
        });
        let outline = Outline::Path(points);
        assert_eq!(covered(&outline, clip), naive, "{outline:?} {clip:?}");
    }
}

#[test]
fn a_path_does_not_cover_a_pixel_that_only_its_end_touches() {
    let clip = Aabb::from_xywh(-5, -5, 30, 30);
    let path = |points: &[(i64, i64)]| {
        let points = points.iter().map(|(x, y)| point(*x, *y, 1)).collect();
        covered(&Outline::Path(points), clip)
    };
    let row: Vec<_> = (0..16).map(|x| (0, x)).collect();
    assert_eq!(path(&[(0, 0), (16, 0)]), row);
    assert_eq!(path(&[(16, 0), (0, 0), (0, 0)]), row);
    assert_eq!(path(&[(0, 0), (4, 4)]), [(0, 0), (1, 1), (2, 2), (3, 3)]);
    assert_eq!(path(&[(4, 0), (0, 4)]), [(0, 3), (1, 2), (2, 1), (3, 0)]);
    assert_eq!(path(&[(16, 0), (16, 2)]), [(0, 16), (1, 16)]);
}

#[test]
fn a_dot_covers_the_pixel_that_contains_it() {
    let clip = Aabb::from_xywh(-5, -5, 10, 10);
    for (x, y, pixel) in [(0, 0, (0, 0)), (-1, 3, (1, -1)), (2, -2, (-1, 1)), (7, -7, (-4, 3))] {
        let dot = point(x, y, 2);
        for outline in [Outline::Dot(dot), Outline::Path(vec![dot]), Outline::Path(vec![dot; 3])] {
            assert_eq!(covered(&outline, clip), [pixel]);
            assert_eq!(covered(&outline, Aabb::from_xywh(-5, -5, 4, 1)), []);
        }
    }
}
