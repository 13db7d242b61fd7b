use super::*;

/// Even-odd, by a ray from the pixel's centre to the left: a cross product for each edge.
fn polygon_holds(points: &[Point], x: i32, y: i32) -> bool {
    let raw = |point: &Point| {
        (
            i128::from(point.x.millionths()),
            i128::from(point.y.millionths()),
        )
    };
    let unit = i128::from(Micro::PER_PIXEL);
    let (x, y) = (
        i128::from(x) * unit + unit / 2,
        i128::from(y) * unit + unit / 2,
    );
    let mut inside = false;
    for (from, to) in points.iter().zip(points.iter().cycle().skip(1)) {
        let (mut from, mut to) = (raw(from), raw(to));
        if from.1 > to.1 {
            (from, to) = (to, from);
        }
        let cross = (to.0 - from.0) * (y - from.1) - (x - from.0) * (to.1 - from.1);
        inside ^= from.1 <= y && y < to.1 && cross <= 0;
    }
    inside
}

#[test]
fn a_polygon_covers_the_centres_that_it_holds() {
    let mut rng = fastrand::Rng::with_seed(1);
    for round in 0..4000 {
        let unit = [1, 2, 3, 7, 1_000_000][round % 5];
        let mut at = || rng.i64(-14 * unit..=14 * unit);
        let points: Vec<_> = (0..1 + round % 9)
            .map(|_| point(at(), at(), unit))
            .collect();
        let clip = random_box(&mut rng);
        let outline = Outline::Polygon(points.clone());
        let naive = by_pixel(clip, |x, y| polygon_holds(&points, x, y));
        assert_eq!(centres(&outline, clip), naive, "{points:?} {clip:?}");
    }
}
