//! Rays: the first solid pixel, or the first pixel of a box, on the straight line between the centres of two
//! pixels. All numbers are integers. A position on a ray counts the pixels from the ray's start toward its
//! end along each axis, so all directions are handled in the same way. A ray with d steps along an axis takes
//! step n at the fraction (2 n - 1) / (2 d) of its length. One exact division then gives its position along
//! the other axis.
//!
//! `walk` goes from one row or column of cells to the next. In sparse grids and on very long rays, rectangles
//! around parts of the ray are tested instead, so that empty space is passed in few steps.

mod walk;

use std::cmp::Ordering;
use std::ops::Range;

use glam::{I64Vec2, IVec2, UVec2};
use walk::{UNLIMITED, Walk};

use super::kernel::{Frame, SolidCells, any_in, is_within};
use crate::geometry::{Aabb, Axis, Corners, Dir, Outside};
use crate::grid::words;

/// The first solid pixel on a straight line. Returned by [`crate::Terrain::ray`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RayHit {
    /// The solid pixel that the line enters first.
    pub pixel: IVec2,
    /// The column and row of the cell that contains `pixel`. Outside the level, it is clamped as in
    /// [`Contact::cell`](crate::Contact::cell).
    pub cell: IVec2,
    /// The normal of the side through which the line enters `pixel`: -1, 0 or 1 along each axis. Neither
    /// component is 0 if the line enters through a corner.
    ///
    /// Both components are 0 if the line starts in a solid pixel.
    pub normal: IVec2,
    /// The numerator of the fraction of the line before the hit. The fraction is in lowest terms.
    pub numerator: u64,
    /// The denominator of the fraction of the line before the hit; at least 1.
    pub denominator: u64,
    /// True if the line starts in a solid pixel. That pixel is then the hit.
    pub started_solid: bool,
}

impl RayHit {
    /// Returns the fraction of the line before the hit: 0 to 1, rounded.
    pub fn fraction(&self) -> f32 {
        (self.numerator as f64 / self.denominator as f64) as f32
    }

    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        compare((self.numerator, self.denominator), (other.numerator, other.denominator))
    }
}

/// A pixel on the ray: the number of steps from the ray's start along each axis, in the order of
/// [`Axis::index`].
type Steps = [u64; 2];

#[derive(Clone, Copy)]
struct RayEntry {
    /// The fraction of the ray before the pixel, as a numerator and a denominator.
    time: (u64, u64),
    /// True for x if the ray enters through the left or right side, and true for y if it enters through the
    /// upper or lower side. Both are true at a corner, and none at the start.
    axes: [bool; 2],
    /// True if the ray passes through a corner, and the pixel is beside that corner.
    is_beside_corner: bool,
}

impl RayEntry {
    const START: Self = Self { time: (0, 1), axes: [false; 2], is_beside_corner: false };
}

struct RayLine<'l> {
    frame: &'l Frame,
    /// The cells of the terrain; `None` if the only solid is a single box, which `frame` describes.
    cells: Option<&'l SolidCells>,
    corners: Corners,
    from: [i64; 2],
    signs: [i64; 2],
    all: Steps,
}

pub(super) fn ray(cells: &SolidCells, from: IVec2, to: IVec2, corners: Corners) -> Option<RayHit> {
    let line = RayLine::new(&cells.frame, Some(cells), [from, to].map(IVec2::as_i64vec2), corners);
    line.first_solid().map(|(pixel, cell)| line.hit_in(pixel, cell))
}

pub(super) fn is_clear(cells: &SolidCells, one: IVec2, other: IVec2, corners: Corners) -> bool {
    let ends = [one, other].map(IVec2::as_i64vec2);
    RayLine::new(&cells.frame, Some(cells), ends, corners).first_solid().is_none()
}

/// Returns the hit of [`crate::Terrain::ray`] if `aabb` is the only solid. The hit's `cell` is its pixel.
pub(crate) fn ray_to_box(aabb: Aabb, from: IVec2, to: IVec2, corners: Corners) -> Option<RayHit> {
    if aabb.is_empty() {
        return None;
    }
    let frame = Frame::new(aabb.size(), UVec2::ONE, Outside::Open.into());
    let ends = [from, to].map(|place| place.as_i64vec2() - aabb.min.as_i64vec2());
    let line = RayLine::new(&frame, None, ends, corners);
    let (first, _) = line.part_inside()?;
    let hit = line.hit(first);
    let pixel = hit.pixel.wrapping_add(aabb.min);
    Some(RayHit { pixel, cell: pixel, ..hit })
}

impl<'l> RayLine<'l> {
    #[inline(always)]
    fn new(
        frame: &'l Frame,
        cells: Option<&'l SolidCells>,
        [from, to]: [I64Vec2; 2],
        corners: Corners,
    ) -> Self {
        let signs = [if to.x < from.x { -1 } else { 1 }, if to.y < from.y { -1 } else { 1 }];
        let all = [to.x.abs_diff(from.x), to.y.abs_diff(from.y)];
        Self { frame, cells, corners, from: from.to_array(), signs, all }
    }

    #[inline(always)]
    fn is_inside(&self) -> bool {
        self.is_inside_along(Axis::X) && self.is_inside_along(Axis::Y)
    }

    #[inline(always)]
    fn is_inside_along(&self, axis: Axis) -> bool {
        let from = self.from[axis.index()];
        let to = self.place(axis, self.all[axis.index()]);
        let size = self.frame.size[axis.index()];
        from >= 0 && from < size && to >= 0 && to < size
    }
}

impl RayLine<'_> {
    #[inline(always)]
    fn place(&self, axis: Axis, steps: u64) -> i64 {
        self.from[axis.index()] + self.signs[axis.index()] * steps as i64
    }

    fn is_solid(&self, steps: Steps) -> bool {
        let x = self.place(Axis::X, steps[0]);
        let y = self.place(Axis::Y, steps[1]);
        match self.cells {
            Some(cells) => any_in(cells, Axis::X, x..x + 1, y..y + 1),
            None => is_within(&self.frame.size, Axis::X, &(x..x + 1), &(y..y + 1)),
        }
    }

    /// Returns the number of steps that the ray has made along the other axis: just before, and just after it
    /// makes step number `step` along `axis`. `step` is at least 1. The two numbers differ by one if the ray
    /// passes exactly through a corner.
    fn crossing(&self, axis: Axis, step: u64) -> (u64, u64) {
        let along = self.all[axis.index()];
        let across = self.all[axis.other().index()];
        let dividend = u128::from(2 * step - 1) * u128::from(across) + u128::from(along);
        let divisor = 2 * along;
        // Only rays of over 2^31 pixels need a division of 128 bits.
        let (place, is_corner) = match u64::try_from(dividend) {
            Ok(dividend) => (dividend / divisor, dividend.is_multiple_of(divisor)),
            Err(_) => (
                (dividend / u128::from(divisor)) as u64,
                dividend.is_multiple_of(u128::from(divisor)),
            ),
        };
        (place - u64::from(is_corner), place)
    }

    /// Returns the first pixel that the ray visits after step `step` along `axis`, as its number of steps
    /// along the other axis.
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

    /// Returns the last pixel that the ray visits after step `step` along `axis`, as its number of steps
    /// along the other axis.
    fn last(&self, axis: Axis, step: u64) -> u64 {
        match self.corners {
            _ if step >= self.all[axis.index()] => self.all[axis.other().index()],
            Corners::Pass => self.crossing(axis, step + 1).0,
            Corners::Block => self.crossing(axis, step + 1).1,
        }
    }

    /// Returns a solid pixel that no other solid pixel of the ray comes before, but for one on the other side
    /// of the same corner, and its cell.
    #[inline(always)]
    fn first_solid(&self) -> Option<(Steps, IVec2)> {
        if self.is_inside()
            && let Some(walk) = Walk::new(self, [0, 0], self.all)
        {
            let met = walk.first_solid(UNLIMITED)?;
            return Some((walk.pixel(met), walk.cell(met)));
        }
        self.first_of_clipped().map(|pixel| (pixel, self.cell_of(pixel)))
    }

    #[cold]
    fn first_of_clipped(&self) -> Option<Steps> {
        let [x, y] = self.from;
        if self.frame.is_solid_at(Axis::X, x) || self.frame.is_solid_at(Axis::Y, y) {
            return Some([0, 0]);
        }
        // A ray that goes beyond a solid side does not come back. So solid pixels inside the level come
        // first.
        self.first_inside().or_else(|| {
            match (self.first_beyond(Axis::X), self.first_beyond(Axis::Y)) {
                (Some(one), Some(other)) => Some(self.sooner(one, other)),
                (one, other) => one.or(other),
            }
        })
    }

    /// Returns the first pixel of the ray beyond a solid side on `axis`; `None` if it has no such pixel. The
    /// ray must not start beyond a solid side.
    fn first_beyond(&self, axis: Axis) -> Option<Steps> {
        let dir = self.dir(axis);
        if self.frame.outside.get(dir) == Outside::Open {
            return None;
        }
        let from = self.from[axis.index()];
        let step = if dir.is_positive() { self.frame.size[axis.index()] - from } else { from + 1 };
        let step = step as u64;
        (step <= self.all[axis.index()]).then(|| axis.xy(step, self.first(axis, step)))
    }

    /// Returns the first and the last step along `axis` at which the ray is inside the level on that axis;
    /// `None` if there is no such step.
    fn inside(&self, axis: Axis) -> Option<(u64, u64)> {
        let from = self.from[axis.index()];
        let before_end = self.frame.size[axis.index()] - 1 - from;
        let (first, last) =
            if self.dir(axis).is_positive() { (-from, before_end) } else { (-before_end, from) };
        let first = first.max(0) as u64;
        let last = u64::try_from(last).ok()?.min(self.all[axis.index()]);
        (first <= last).then_some((first, last))
    }

    fn part_inside(&self) -> Option<(Steps, Steps)> {
        let x = self.inside(Axis::X)?;
        let y = self.inside(Axis::Y)?;
        let start = [x.0.max(self.first(Axis::Y, y.0)), y.0.max(self.first(Axis::X, x.0))];
        let end = [x.1.min(self.last(Axis::Y, y.1)), y.1.min(self.last(Axis::X, x.1))];
        (start[0] <= end[0] && start[1] <= end[1]).then_some((start, end))
    }

    fn first_inside(&self) -> Option<Steps> {
        let (start, end) = self.part_inside()?;
        let Some(walk) = Walk::new(self, start, end) else {
            return self.first_in_bands(start, end);
        };
        walk.first_solid(walk.limits()).map(|met| walk.pixel(met))
    }

    #[inline]
    fn dir(&self, axis: Axis) -> Dir {
        Dir::along(axis, self.signs[axis.index()] > 0)
    }

    #[inline(always)]
    fn side(&self, axis: Axis) -> i64 {
        i64::from(self.frame.cell[axis.index()].divisor)
    }

    /// Returns the step along `axis` at which the ray enters the column (or row) number `cell`. It is 0 or
    /// negative if the ray starts in that cell or beyond it.
    #[inline(always)]
    fn entered(&self, axis: Axis, cell: i64) -> i64 {
        let side = self.side(axis);
        let sign = self.signs[axis.index()];
        // Toward smaller coordinates, the ray enters the cell through its last pixel. The offset is 0 or
        // `side - 1`.
        let last = (sign >> 1) & (side - 1);
        (cell * side + last - self.from[axis.index()]) * sign
    }

    /// Returns the column and row of the cell after `x` and `y` steps. The cell must be inside the level.
    #[inline(always)]
    fn cell(&self, [x, y]: Steps) -> [i64; 2] {
        [
            self.frame.cell[0].divide(self.place(Axis::X, x)).into(),
            self.frame.cell[1].divide(self.place(Axis::Y, y)).into(),
        ]
    }

    /// Returns the entry of the ray into the pixel `[x, y]`, which must not be the ray's first pixel.
    #[inline(always)]
    fn entry(&self, [x, y]: Steps) -> RayEntry {
        // `x` or `y` is -1 if the ray makes no step along that axis before the pixel. It then enters along
        // the other axis.
        let [x, y] = [2 * x as i64 - 1, 2 * y as i64 - 1];
        let [width, height] = [self.all[0] as i64, self.all[1] as i64];
        // Positive if the ray reaches the pixel's column later than the pixel's row.
        let order = i128::from(x) * i128::from(height) - i128::from(y) * i128::from(width);
        let (half, all) = if order >= 0 { (x, width) } else { (y, height) };
        RayEntry {
            time: (half as u64, 2 * all as u64),
            axes: [order >= 0, order <= 0],
            // The ray enters this column exactly when it leaves the previous row, or this row exactly when it
            // leaves the previous column.
            is_beside_corner: order.unsigned_abs() == 2 * all as u128,
        }
    }

    /// Returns the pixel that the ray enters first. Of two pixels beside one corner, returns the pixel in the
    /// smaller row.
    fn sooner(&self, one: Steps, other: Steps) -> Steps {
        let first = self.entry(one);
        let second = self.entry(other);
        let order = compare(first.time, second.time)
            .then((first.axes == [true; 2]).cmp(&(second.axes == [true; 2])))
            .then(self.place(Axis::Y, one[1]).cmp(&self.place(Axis::Y, other[1])));
        if order.is_gt() { other } else { one }
    }

    /// Returns the hit for `pixel`, the first solid pixel that a search found. If the ray passes through a
    /// corner of this pixel, a solid pixel on the other side of the corner can come first, and is then the
    /// hit.
    #[inline(always)]
    fn hit_in(&self, pixel: Steps, cell: IVec2) -> RayHit {
        let entry = if pixel[0] | pixel[1] == 0 { RayEntry::START } else { self.entry(pixel) };
        if entry.is_beside_corner && self.corners == Corners::Block {
            return self.hit_at_corner(pixel);
        }
        self.hit_by(pixel, cell, entry)
    }

    /// Returns the hit for `pixel` like [`RayLine::hit_in`], in rare cases. Inlining that function for them
    /// too would double the code.
    #[cold]
    fn hit(&self, pixel: Steps) -> RayHit {
        self.hit_in(pixel, self.cell_of(pixel))
    }

    fn cell_of(&self, pixel: Steps) -> IVec2 {
        let x = self.frame.cell_of(Axis::X, self.place(Axis::X, pixel[0]));
        let y = self.frame.cell_of(Axis::Y, self.place(Axis::Y, pixel[1]));
        IVec2::new(x, y)
    }

    #[cold]
    fn hit_at_corner(&self, pixel: Steps) -> RayHit {
        let along = usize::from(!self.entry(pixel).axes[0]);
        let mut other = pixel;
        other[along] -= 1;
        other[1 - along] += 1;
        let is_there = other[1 - along] <= self.all[1 - along] && self.is_solid(other);
        let first = if is_there { self.sooner(pixel, other) } else { pixel };
        self.hit_by(first, self.cell_of(first), self.entry(first))
    }

    /// Returns the hit of a pixel of a cell, which the ray enters by `entry`.
    #[inline(always)]
    fn hit_by(&self, pixel: Steps, cell: IVec2, RayEntry { time, axes, .. }: RayEntry) -> RayHit {
        let divisor = odd_divisor(time.0, time.1);
        let x = self.place(Axis::X, pixel[0]);
        let y = self.place(Axis::Y, pixel[1]);
        RayHit {
            pixel: IVec2::new(x as i32, y as i32),
            cell,
            normal: IVec2::new(
                -self.signs[0] as i32 * i32::from(axes[0]),
                -self.signs[1] as i32 * i32::from(axes[1]),
            ),
            numerator: time.0 / divisor,
            denominator: time.1 / divisor,
            started_solid: !(axes[0] || axes[1]),
        }
    }
}

fn compare(one: (u64, u64), other: (u64, u64)) -> Ordering {
    let product = u128::from(one.0) * u128::from(other.1);
    product.cmp(&(u128::from(other.0) * u128::from(one.1)))
}

/// Returns the greatest common divisor of `odd` and `other`, by Stein's algorithm. `odd` must be odd or 0,
/// and `other` must not be 0 and, if `odd` is 0, be odd. The steps run in groups of 8, because a processor
/// cannot predict which step is the last. This takes 8.7 ns instead of 12.3. One group is enough for numbers
/// up to 600.
#[inline(always)]
fn odd_divisor(mut odd: u64, other: u64) -> u64 {
    let mut other = other >> other.trailing_zeros();
    loop {
        for _ in 0..8 {
            // The difference of two odd numbers is even. A negative difference has the same number of
            // trailing zeros as its absolute value, and is computed sooner. Two equal numbers become the
            // number and 0, and then stay unchanged.
            let zeros = (odd.wrapping_sub(other) | 1 << 63).trailing_zeros();
            (odd, other) = (odd.min(other), odd.abs_diff(other) >> zeros);
        }
        if odd == other || odd == 0 || other == 0 {
            return odd | other;
        }
    }
}

/// Returns the greatest common divisor of two numbers; 0 only if both numbers are 0.
pub(crate) fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    if one == 0 || other == 0 {
        return one | other;
    }
    odd_divisor(one >> one.trailing_zeros(), other) << (one | other).trailing_zeros()
}

impl RayLine<'_> {
    /// Returns the first solid pixel of the ray between the steps `start` and `end`, for sparse grids and
    /// very long rays. It tests the rectangle around a number of bands (columns of cells if the ray crosses
    /// fewer columns than rows, and otherwise rows). The number doubles after an empty rectangle, and is
    /// halved after a rectangle with a solid cell.
    #[cold]
    fn first_in_bands(&self, start: Steps, end: Steps) -> Option<Steps> {
        let grid = &self.cells?.grid;
        let columns = self.cells(Axis::X, start[0], end[0]).len();
        let rows = self.cells(Axis::Y, start[1], end[1]).len();
        let across = if columns < rows { Axis::X } else { Axis::Y };
        let along = across.other();
        let mut step = start[across.index()];
        let mut count = 1;
        while step <= end[across.index()] {
            let stop = end[across.index()].min(self.end_of_bands(across, step, count));
            let first = start[along.index()].max(self.first(across, step));
            let last = end[along.index()].min(self.last(across, stop));
            let lines = self.cells(along, first, last);
            let bands = self.cells(across, step, stop);
            if first > last || !words::any_solid(grid, along, lines.clone(), bands.clone()) {
                step = stop + 1;
                count *= 2;
            } else if bands.len() > 1 {
                count = bands.len() as u64 / 2;
            } else {
                let hit = words::first_solid(grid, self.dir(along), lines, bands)?;
                let entered = first.max(self.entered(along, i64::from(hit.line)).max(0) as u64);
                return Some(along.xy(entered, step.max(self.first(along, entered))));
            }
        }
        None
    }

    /// Returns the last step along `across` in the last of `count` bands from the band of `step` on. A band
    /// is a column of cells if `across` is x, or a row if `across` is y.
    fn end_of_bands(&self, across: Axis, step: u64, count: u64) -> u64 {
        let side = self.side(across);
        let in_band = self.place(across, step).rem_euclid(side);
        let left = if self.dir(across).is_positive() { side - 1 - in_band } else { in_band };
        step + left as u64 + (count - 1) * side as u64
    }

    fn cells(&self, axis: Axis, first: u64, last: u64) -> Range<u32> {
        let first = self.place(axis, first);
        let last = self.place(axis, last);
        self.frame.cells(axis, &(first.min(last)..first.max(last) + 1))
    }
}
