//! Lines through points, row by row, so that any part of a picture has the same pixels as the whole, and
//! however long a line is, only what is seen of it takes time. No colour is chosen here.

use glam::DVec2;

use super::rect::Rect;
use super::scanline::span;

/// The number of rows whose pixels are gathered at once: few, so that many points take little memory.
const SLAB: i64 = 64;

/// Calls `put` with each run of pixels in `window` that a line through `points` covers: the row, the first
/// column, and the one after the last. The line is `width` wide and has no end marks; each pixel comes once.
/// `put` returns false to stop. O(segments x slabs of rows + rows of each segment).
pub(super) fn runs(
    points: &[DVec2],
    width: f64,
    window: Rect,
    mut put: impl FnMut(i64, i64, i64) -> bool,
) {
    let segments: Vec<[DVec2; 4]> =
        points.windows(2).filter_map(|ends| outline(ends[0], ends[1], width / 2.0)).collect();
    let mut found = Vec::new();
    let mut top = window.min.y;
    while top < window.max.y {
        let bottom = (top + SLAB).min(window.max.y);
        found.clear();
        for corners in &segments {
            let rows = corners.map(|corner| corner.y);
            let first = rows.into_iter().fold(f64::INFINITY, f64::min).floor() as i64;
            let last = rows.into_iter().fold(f64::NEG_INFINITY, f64::max).ceil() as i64;
            for y in first.max(top)..last.min(bottom) {
                if let Some((from, to)) = span(corners, y as f64 + 0.5) {
                    let (from, to) = (window.clamp_x(from), window.clamp_x(to));
                    if from < to {
                        found.push((y, from, to));
                    }
                }
            }
        }
        found.sort_unstable();
        let mut runs = found.iter().copied();
        let mut last = runs.next();
        for (y, from, to) in runs {
            match &mut last {
                Some((row, _, end)) if *row == y && from <= *end => *end = to.max(*end),
                Some((row, start, end)) => {
                    if !put(*row, *start, *end) {
                        return;
                    }
                    last = Some((y, from, to));
                }
                None => {}
            }
        }
        if last.is_some_and(|(row, start, end)| !put(row, start, end)) {
            return;
        }
        top = bottom;
    }
}

/// The corners of a segment that is `half` wide to either side and at both ends.
fn outline(from: DVec2, to: DVec2, half: f64) -> Option<[DVec2; 4]> {
    if !from.is_finite() || !to.is_finite() {
        return None;
    }
    let ahead = (to - from).try_normalize().unwrap_or(DVec2::X) * half;
    let aside = ahead.perp();
    let (start, end) = (from - ahead, to + ahead);
    Some([start - aside, end - aside, end + aside, start + aside])
}

#[cfg(test)]
mod tests {
    use glam::I64Vec2;

    use super::*;

    fn drawn(points: &[DVec2], width: f64, window: Rect) -> Vec<(i64, i64)> {
        let mut pixels = Vec::new();
        runs(points, width, window, |y, from, to| {
            pixels.extend((from..to).map(|x| (x, y)));
            true
        });
        pixels.sort_unstable();
        pixels
    }

    #[test]
    fn a_line_has_each_pixel_once_and_a_part_has_those_of_the_whole() {
        let mut random = fastrand::Rng::with_seed(3);
        let whole = Rect { min: I64Vec2::splat(-20), max: I64Vec2::splat(180) };
        for _ in 0..200 {
            let mut at =
                |_| DVec2::new(random.i32(-20..180).into(), random.i32(-20..180).into()) + 0.5;
            let points: Vec<DVec2> = (0..6).map(&mut at).collect();
            let width = f64::from(random.u8(1..9));
            let all = drawn(&points, width, whole);
            assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
            let corner = I64Vec2::new(random.i64(-20..100), random.i64(-20..100));
            let part = Rect::new(corner, I64Vec2::new(random.i64(1..80), random.i64(1..80)));
            let is_inside = |(x, y): &(i64, i64)| {
                (part.min.x..part.max.x).contains(x) && (part.min.y..part.max.y).contains(y)
            };
            let cut: Vec<_> = all.into_iter().filter(is_inside).collect();
            assert_eq!(drawn(&points, width, part), cut);
        }
    }

    #[test]
    fn a_line_along_an_axis_is_as_wide_as_asked_for() {
        let window = Rect { min: I64Vec2::ZERO, max: I64Vec2::splat(10) };
        let line = [DVec2::new(2.5, 5.5), DVec2::new(6.5, 5.5)];
        assert_eq!(drawn(&line, 1.0, window), [(2, 5), (3, 5), (4, 5), (5, 5), (6, 5)]);
        assert_eq!(drawn(&line, 3.0, window).len(), 3 * 7);
        let far = [DVec2::new(-1e12, 5.5), DVec2::new(1e12, 5.5)];
        assert_eq!(drawn(&far, 1.0, window).len(), 10);
        assert_eq!(drawn(&[DVec2::NAN, DVec2::ONE], 1.0, window), []);
    }
}
