//! The pixels whose centres are in a convex shape with four corners, row by row.

use glam::DVec2;

/// The first column and the one after the last, in the row whose centres are at `y`.
pub(super) fn span(corners: &[DVec2; 4], y: f64) -> Option<(i64, i64)> {
    let mut ends: Option<(f64, f64)> = None;
    for (index, from) in corners.iter().enumerate() {
        let to = corners[(index + 1) % corners.len()];
        let (above, below) = if from.y < to.y { (*from, to) } else { (to, *from) };
        if above.y < y && y <= below.y {
            let x = above.x + (below.x - above.x) * (y - above.y) / (below.y - above.y);
            let (left, right) = ends.unwrap_or((x, x));
            ends = Some((left.min(x), right.max(x)));
        }
    }
    ends.map(|(left, right)| (round_half_up(left), round_half_up(right)))
}

/// The nearest whole number, halves up.
pub(super) fn round_half_up(at: f64) -> i64 {
    (at + 0.5).floor() as i64
}
