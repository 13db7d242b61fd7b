//! [`Path`]: the turns and the length of a way. [`Path::smooth`] replaces its steps by straight lines at any
//! angle.

use glam::IVec2;

use super::{PIXEL, Ways};
use crate::terrain::last_free;

/// A shortest way of a body from one position to another, returned by [`Ways::path`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// The start, the positions where the body turns, and the end, in pixels of the level. A position is the
    /// top-left pixel of the body.
    ///
    /// There is only one position if the start equals the end.
    pub points: Vec<IVec2>,
    /// The length in 2^-32 pixels. A straight step has the length 2^32. A diagonal step has the length
    /// 6,074,001,000, which is the square root of 2 to 11 digits.
    ///
    /// [`Path::smooth`] rounds the length of each line down.
    pub length: u64,
}

impl Path {
    /// Returns the length in pixels.
    pub fn pixels(&self) -> f64 {
        self.length as f64 / PIXEL as f64
    }

    /// Returns a path with the same start and end that consists of straight lines at any angle, and is not
    /// longer than this path.
    ///
    /// On each new line the body of `ways` overlaps no solid, also between whole pixels: see [`Ways::sees`].
    /// The result is not always the shortest path of this kind.
    ///
    /// A turn is left out if there is a free straight line from the turn before it to the turn after it.
    /// Otherwise it is moved along the path toward the next turn, as far as its lines to the turns before and
    /// after it stay free. O(n log l) calls of [`Ways::sees`] for n turns and the length l.
    ///
    /// ```
    /// use bitwall::navigate::Search;
    /// use bitwall::{Grid, Level, glam::IVec2, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::new(20, 20)?, UVec2::splat(8))?;
    /// let ways = level.ways(UVec2::splat(8))?;
    /// let path = ways.path(IVec2::ZERO, IVec2::new(60, 80), &mut Search::default()).expect("it is empty");
    /// assert_eq!((path.points.len(), path.pixels().round()), (3, 105.0));
    /// let smooth = path.smooth(&ways);
    /// assert_eq!((smooth.points.len(), smooth.pixels()), (2, 100.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn smooth(&self, ways: &Ways<'_>) -> Self {
        let mut points: Vec<IVec2> = Vec::new();
        for point in &self.points {
            while let [.., one, _] = points[..]
                && ways.sees(one, *point)
            {
                points.pop();
            }
            if let [.., one, turn] = &mut points[..] {
                *turn = slid(ways, *one, *turn, *point);
            }
            points.push(*point);
        }
        let legs = points.windows(2).map(|leg| {
            let way = (leg[1].as_i64vec2() - leg[0].as_i64vec2()).abs();
            let square = u128::from(way.x as u64).pow(2) + u128::from(way.y as u64).pow(2);
            // The square saturates, because the length of a line across the whole range of `i32` would not
            // fit.
            (square.min(u128::from(u64::MAX)) << 64).isqrt() as u64
        });
        let length = legs.fold(0, u64::saturating_add);
        Self { points, length }
    }
}

/// Moves `turn` along the straight or diagonal line to `to`, as far as the lines from `one` and to `to` stay
/// free, by binary search. On lines at other angles the turn is not moved, because its position would have to
/// be rounded to whole pixels.
fn slid(ways: &Ways<'_>, one: IVec2, turn: IVec2, to: IVec2) -> IVec2 {
    let way = to.as_i64vec2() - turn.as_i64vec2();
    let size = way.abs();
    let is_bent = size.x != size.y && size.min_element() != 0;
    if is_bent || !ways.is_free(turn) || !ways.is_free(to) {
        return turn;
    }
    let step = way.signum();
    let moved = |pixels: u32| turn + (step * i64::from(pixels)).as_ivec2();
    moved(last_free(0, size.max_element() as u32, |pixels| {
        let there = moved(pixels);
        ways.sees(one, there) && ways.sees(there, to)
    }))
}

/// Adds a point to a list of turns. Removes the last point if the path does not turn there.
pub(super) fn push_turn(points: &mut Vec<IVec2>, point: IVec2) {
    if points.last() == Some(&point) {
        return;
    }
    if let [.., one, two] = points[..]
        && (two - one).signum() == (point - two).signum()
    {
        points.pop();
    }
    points.push(point);
}
