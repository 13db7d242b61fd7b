//! A straight line between the centres of two pixels, and the first solid pixel that it visits.
//!
//! All in integers. Positions are steps of a pixel from the line's start toward its end along both axes, so
//! that one case serves all directions. Along one axis it enters the n-th line of pixels at (2 n - 1) / (2 d)
//! of its length, with d the pixels it has to go; its place along the other axis is then one exact division.
//! `walk` goes from cell to cell, and `bands` tests words.

mod bands;
mod walk;

use std::cmp::Ordering;

use glam::IVec2;

use self::walk::Walk;
use super::frame::Frame;
use super::solid::any_in;
use crate::geometry::{Axis, Corners, Dir, Outside};
use crate::grid::Grid;

/// The first solid pixel on a straight line. Made by [`crate::Terrain::ray`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct RayHit {
    /// The first pixel of the solid cell that the line enters.
    pub pixel: IVec2,
    /// Column and row of its cell; outside the level as in [`Contact::cell`](crate::Contact::cell).
    pub cell: IVec2,
    /// The vector out of the side of the pixel by which the line enters it, -1, 0 or 1 along each axis. Both
    /// are set if the line enters through a corner, and neither if it starts in the solid.
    pub normal: IVec2,
    /// The numerator of the part of the line before the hit, in lowest terms.
    pub numerator: u64,
    /// The denominator of that part; at least 1.
    pub denominator: u64,
    /// True if the line starts in a solid pixel, which is then the hit.
    pub started_solid: bool,
}

impl RayHit {
    /// The part of the line before the hit, 0 to 1, rounded.
    pub fn fraction(&self) -> f32 {
        (self.numerator as f64 / self.denominator as f64) as f32
    }
}

impl RayHit {
    /// Compares the parts of one line before two hits.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let part = |hit: &Self| (hit.numerator, hit.denominator);
        compare(part(self), part(other))
    }
}

/// A pixel on the line: the steps to it along both axes, in the order of [`Axis::index`].
type Steps = [u64; 2];

/// The part of a line before it enters a pixel, and the axes along which it enters.
type Entry = ((u64, u64), [bool; 2]);

struct Line<'l> {
    grid: &'l Grid,
    frame: &'l Frame,
    corners: Corners,
    from: [i64; 2],
    /// The directions of the steps.
    dirs: [Dir; 2],
    /// The steps to the line's end.
    all: Steps,
}

/// The first solid pixel that the line visits: see [`crate::Terrain::ray`].
pub(super) fn ray(
    grid: &Grid,
    frame: &Frame,
    from: IVec2,
    to: IVec2,
    corners: Corners,
) -> Option<RayHit> {
    let line = Line::new(grid, frame, from, to, corners);
    if line.is_inside(from) && line.is_inside(to) {
        return line.first_between([0, 0], line.all).map(|first| line.hit(first));
    }
    if line.starts_beyond_solid_side() {
        return Some(line.hit([0, 0]));
    }
    let ends = [line.first_inside(), line.first_beyond(Axis::X), line.first_beyond(Axis::Y)];
    let first = ends.into_iter().flatten().reduce(|one, other| line.sooner(one, other))?;
    Some(line.hit(first))
}

/// True if the line visits no solid pixel: see [`crate::Terrain::line_of_sight`].
pub(super) fn is_clear(
    grid: &Grid,
    frame: &Frame,
    one: IVec2,
    other: IVec2,
    corners: Corners,
) -> bool {
    let line = Line::new(grid, frame, one, other, corners);
    if line.is_inside(one) && line.is_inside(other) {
        return line.first_between([0, 0], line.all).is_none();
    }
    !line.starts_beyond_solid_side()
        && line.first_beyond(Axis::X).is_none()
        && line.first_beyond(Axis::Y).is_none()
        && line.first_inside().is_none()
}

impl<'l> Line<'l> {
    fn new(grid: &'l Grid, frame: &'l Frame, from: IVec2, to: IVec2, corners: Corners) -> Self {
        let [from, to] = [from, to].map(|point| point.to_array().map(i64::from));
        Self {
            grid,
            frame,
            corners,
            from,
            dirs: [Axis::X, Axis::Y]
                .map(|axis| Dir::along(axis, to[axis.index()] >= from[axis.index()])),
            all: [0, 1].map(|axis| to[axis].abs_diff(from[axis])),
        }
    }

    fn is_inside(&self, point: IVec2) -> bool {
        let [width, height] = self.frame.size;
        (0..width).contains(&i64::from(point.x)) && (0..height).contains(&i64::from(point.y))
    }

    fn starts_beyond_solid_side(&self) -> bool {
        let is_beyond = |axis: Axis| self.frame.is_solid_at(axis, self.from[axis.index()]);
        is_beyond(Axis::X) || is_beyond(Axis::Y)
    }
}

impl Line<'_> {
    /// The coordinate along `axis` after some steps.
    #[inline(always)]
    fn place(&self, axis: Axis, steps: u64) -> i64 {
        let steps = steps as i64;
        let from = self.from[axis.index()];
        if self.dirs[axis.index()].is_positive() { from + steps } else { from - steps }
    }

    fn is_solid(&self, steps: Steps) -> bool {
        let x = self.place(Axis::X, steps[0]);
        let y = self.place(Axis::Y, steps[1]);
        any_in(self.grid, self.frame, Axis::X, x..x + 1, y..y + 1)
    }

    /// The line's steps along the other axis before and after step `step`, from 1 on, along `axis`. They
    /// differ by one if it passes exactly through a corner.
    fn crossing(&self, axis: Axis, step: u64) -> (u64, u64) {
        let (along, across) = (self.all[axis.index()], self.all[axis.other().index()]);
        let dividend = u128::from(2 * step - 1) * u128::from(across) + u128::from(along);
        let divisor = 2 * along;
        // Only lines of over 2^31 pixels need a division of 128 bits.
        let (place, is_corner) = match u64::try_from(dividend) {
            Ok(dividend) => (dividend / divisor, dividend.is_multiple_of(divisor)),
            Err(_) => (
                (dividend / u128::from(divisor)) as u64,
                dividend.is_multiple_of(u128::from(divisor)),
            ),
        };
        (place - u64::from(is_corner), place)
    }

    /// The first pixel, counted along the other axis, that the line visits of line `step` across `axis`.
    fn first(&self, axis: Axis, step: u64) -> u64 {
        if step == 0 {
            return 0;
        }
        let (before, after) = self.crossing(axis, step);
        match self.corners {
            Corners::Block => before,
            Corners::Pass => after,
        }
    }

    /// The last pixel, as in [`Line::first`].
    fn last(&self, axis: Axis, step: u64) -> u64 {
        match self.corners {
            Corners::Pass => self.before(axis, step),
            Corners::Block if step >= self.all[axis.index()] => self.all[axis.other().index()],
            Corners::Block => self.crossing(axis, step + 1).1,
        }
    }

    /// The last pixel, counted along the other axis, that the line crosses of line `step` across `axis`
    /// before it comes to a corner or to the next line.
    fn before(&self, axis: Axis, step: u64) -> u64 {
        if step >= self.all[axis.index()] {
            return self.all[axis.other().index()];
        }
        self.crossing(axis, step + 1).0
    }

    /// The first pixel beyond a solid side on `axis`, of a line that starts beyond none.
    fn first_beyond(&self, axis: Axis) -> Option<Steps> {
        let dir = self.dirs[axis.index()];
        if self.frame.outside.get(dir) == Outside::Open {
            return None;
        }
        let from = self.from[axis.index()];
        let step = if dir.is_positive() { self.frame.size[axis.index()] - from } else { from + 1 };
        let step = step as u64;
        (step <= self.all[axis.index()]).then(|| steps(axis, step, self.first(axis, step)))
    }

    /// The first and the last step along `axis` at which the line is inside the level.
    fn inside(&self, axis: Axis) -> Option<(u64, u64)> {
        let (from, size) = (self.from[axis.index()], self.frame.size[axis.index()]);
        let (first, last) = if self.dirs[axis.index()].is_positive() {
            (-from, size - 1 - from)
        } else {
            (from - (size - 1), from)
        };
        let first = first.max(0) as u64;
        let last = u64::try_from(last).ok()?.min(self.all[axis.index()]);
        (first <= last).then_some((first, last))
    }

    /// The first pixel in a solid cell of the grid.
    fn first_inside(&self) -> Option<Steps> {
        let [x, y] = [self.inside(Axis::X)?, self.inside(Axis::Y)?];
        let start = [x.0.max(self.first(Axis::Y, y.0)), y.0.max(self.first(Axis::X, x.0))];
        let end = [x.1.min(self.last(Axis::Y, y.1)), y.1.min(self.last(Axis::X, x.1))];
        if start[0] > end[0] || start[1] > end[1] {
            return None;
        }
        self.first_between(start, end)
    }

    /// As [`Line::first_inside`], from one pixel to another one, the first and the last inside the level.
    fn first_between(&self, start: Steps, end: Steps) -> Option<Steps> {
        match Walk::new(self, start, end) {
            Some(walk) => walk.first_solid(),
            None => self.first_of_all_bands([(start[0], end[0]), (start[1], end[1])]),
        }
    }

    /// 1 or -1: the direction along `axis`.
    #[inline(always)]
    fn sign(&self, axis: Axis) -> i64 {
        if self.dirs[axis.index()].is_positive() { 1 } else { -1 }
    }

    /// The side of a cell along `axis`.
    #[inline(always)]
    fn side(&self, axis: Axis) -> i64 {
        i64::from(self.frame.cell[axis.index()].divisor)
    }

    /// The step with which the line enters a cell along `axis`; not positive if it starts in or after it.
    #[inline(always)]
    fn entered(&self, axis: Axis, cell: i64) -> i64 {
        let (side, from) = (self.side(axis), self.from[axis.index()]);
        let near = cell * side;
        if self.dirs[axis.index()].is_positive() { near - from } else { from - (near + side - 1) }
    }

    /// The cell along `axis` after some steps, inside the level.
    #[inline(always)]
    fn cell(&self, axis: Axis, steps: u64) -> u32 {
        self.frame.cell[axis.index()].divide(self.place(axis, steps))
    }

    /// The part of the line before it enters a pixel, and the axes along which it enters.
    #[inline]
    fn entry(&self, pixel: Steps) -> Entry {
        let [x, y] = [0, 1].map(|axis| match pixel[axis] {
            0 => (0, 1),
            step => (2 * step - 1, 2 * self.all[axis]),
        });
        match compare(x, y) {
            Ordering::Greater => (x, [true, false]),
            Ordering::Less => (y, [false, true]),
            Ordering::Equal => (x, [pixel[0] > 0, pixel[1] > 0]),
        }
    }

    /// The pixel of two that the line enters first; of two beside one corner the one in the lower row.
    fn sooner(&self, one: Steps, other: Steps) -> Steps {
        let ((time, axes), (others, other_axes)) = (self.entry(one), self.entry(other));
        let order = compare(time, others)
            .then((axes[0] && axes[1]).cmp(&(other_axes[0] && other_axes[1])))
            .then(self.place(Axis::Y, one[1]).cmp(&self.place(Axis::Y, other[1])));
        if order.is_gt() { other } else { one }
    }

    /// The hit of a solid pixel that no other one comes before, except the one on the other side of a corner.
    fn hit(&self, pixel: Steps) -> RayHit {
        let entry = self.entry(pixel);
        match self.sooner_at_corner(pixel, entry) {
            Some(other) => self.hit_by(other, self.entry(other)),
            None => self.hit_by(pixel, entry),
        }
    }

    /// The pixel that counts if not this one: the line enters this one beside a corner, and another one on
    /// the corner's other side.
    #[inline]
    fn sooner_at_corner(&self, pixel: Steps, (time, axes): Entry) -> Option<Steps> {
        if self.corners == Corners::Pass || axes[0] == axes[1] {
            return None;
        }
        let (along, across) = if axes[0] { (0, 1) } else { (1, 0) };
        let mut other = pixel;
        other[along] -= 1;
        other[across] += 1;
        let entered = (2 * other[across] - 1, 2 * self.all[across]);
        let is_there = other[across] <= self.all[across]
            && compare(entered, time).is_eq()
            && self.is_solid(other);
        (is_there && self.sooner(pixel, other) == other).then_some(other)
    }

    #[inline]
    fn hit_by(&self, pixel: Steps, (time, axes): Entry) -> RayHit {
        let divisor = greatest_common_divisor(time.0, time.1);
        let reduced = |part: u64| if divisor == 1 { part } else { part / divisor };
        let place = [Axis::X, Axis::Y].map(|axis| self.place(axis, pixel[axis.index()]));
        let normal = |axis: usize| {
            if axes[axis] { -self.dirs[axis].vector() } else { IVec2::ZERO }
        };
        RayHit {
            pixel: IVec2::new(place[0] as i32, place[1] as i32),
            cell: IVec2::new(
                self.frame.cell_of(Axis::X, place[0]),
                self.frame.cell_of(Axis::Y, place[1]),
            ),
            normal: normal(0) + normal(1),
            numerator: reduced(time.0),
            denominator: reduced(time.1),
            started_solid: pixel == [0, 0],
        }
    }
}

/// The steps `along` on `axis` and `across` on the other one.
fn steps(axis: Axis, along: u64, across: u64) -> Steps {
    match axis {
        Axis::X => [along, across],
        Axis::Y => [across, along],
    }
}

/// The order of two fractions, each a numerator and a denominator.
pub(super) fn compare(one: (u64, u64), other: (u64, u64)) -> Ordering {
    let products = [(one.0, other.1), (other.0, one.1)].map(|(a, b)| u128::from(a) * u128::from(b));
    products[0].cmp(&products[1])
}

/// By Stein's algorithm, which divides nothing; at least 1 if one of them is.
pub(crate) fn greatest_common_divisor(mut one: u64, mut other: u64) -> u64 {
    if one == 0 || other == 0 {
        return one | other;
    }
    let twos = (one | other).trailing_zeros();
    one >>= one.trailing_zeros();
    while other != 0 {
        other >>= other.trailing_zeros();
        (one, other) = (one.min(other), one.abs_diff(other));
    }
    one << twos
}
