//! Boxes, axes, directions and sides, in whole pixels.
//!
//! x grows to the right and y grows downward. A level's top-left corner is (0, 0). A sum beyond the range of
//! `i32` saturates. Only parsing a direction and converting a float can fail.

mod decimal;
mod rate;

pub use decimal::{Decimal, Point, TranslationError};
pub(crate) use decimal::{SUBPIXELS, direction, split, subpixels, to_pixels, to_subpixels};
pub use rate::Rate;

use std::fmt;
use std::str::FromStr;

use glam::{I64Vec2, IVec2, UVec2};

/// The largest width and height of a cell in pixels. See [`crate::terrain::Terrain::MAX_CELL_SIZE`].
pub(crate) const MAX_CELL_SIZE: u32 = 1 << 16;

/// An axis-aligned box in whole pixels. The box is half-open: it covers `min <= p < max`. Boxes that share
/// only an edge touch, but do not overlap.
///
/// A box with `max <= min` on at least one axis is empty.
///
/// ```
/// use bitwall::Aabb;
///
/// let body = Aabb::from_xywh(10, 20, 16, 32);
/// assert_eq!((body.max.x, body.max.y), (26, 52));
/// assert!(!body.overlaps(Aabb::from_xywh(26, 20, 16, 32)), "touching is not overlapping");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Aabb {
    /// The column of the box's leftmost pixels and the row of its topmost pixels.
    pub min: IVec2,
    /// The column right of the box's rightmost pixels and the row below its bottommost pixels.
    pub max: IVec2,
}

impl Aabb {
    /// Returns a box with its top-left corner at (`x`, `y`), `w` pixels wide and `h` pixels high. A negative
    /// `w` or `h` counts as 0.
    ///
    /// An edge beyond `i32::MAX` saturates. The sizes are signed, unlike all other lengths, because callers
    /// compute them as differences of coordinates.
    #[inline]
    pub const fn from_xywh(x: i32, y: i32, w: i32, h: i32) -> Self {
        let w = if w < 0 { 0 } else { w };
        let h = if h < 0 { 0 } else { h };
        Self { min: IVec2::new(x, y), max: IVec2::new(x.saturating_add(w), y.saturating_add(h)) }
    }

    /// Returns a box of `size` pixels around `center`. An edge beyond the range of `i32` saturates.
    ///
    /// If the size is odd on an axis, `center` is the middle pixel on that axis. If it is even, `center` is
    /// the first pixel right of the middle, or below the middle.
    ///
    /// ```
    /// use bitwall::{Aabb, glam::IVec2, glam::UVec2};
    ///
    /// let body = Aabb::from_center(IVec2::new(10, 10), UVec2::new(4, 5));
    /// assert_eq!(body, Aabb::from_xywh(8, 8, 4, 5));
    /// assert_eq!(body.center(), IVec2::new(10, 10));
    /// ```
    #[inline]
    pub const fn from_center(center: IVec2, size: UVec2) -> Self {
        // Each half is added to the centre separately, so no sum leaves the range of `u32`.
        Self {
            min: IVec2::new(
                center.x.saturating_sub_unsigned(size.x / 2),
                center.y.saturating_sub_unsigned(size.y / 2),
            ),
            max: IVec2::new(
                center.x.saturating_add_unsigned(size.x.div_ceil(2)),
                center.y.saturating_add_unsigned(size.y.div_ceil(2)),
            ),
        }
    }

    /// Returns the middle pixel, as in [`Aabb::from_center`], or `min` if the box is empty.
    #[inline]
    pub fn center(self) -> IVec2 {
        IVec2::new(
            self.min.x.saturating_add_unsigned(self.width() / 2),
            self.min.y.saturating_add_unsigned(self.height() / 2),
        )
    }

    /// Returns the width and height in pixels.
    #[inline]
    pub fn size(self) -> UVec2 {
        UVec2::new(self.width(), self.height())
    }

    /// Returns the width in pixels, or 0 if `max.x <= min.x`.
    #[inline]
    pub fn width(self) -> u32 {
        (i64::from(self.max.x) - i64::from(self.min.x)).max(0) as u32
    }

    /// Returns the height in pixels, or 0 if `max.y <= min.y`.
    #[inline]
    pub fn height(self) -> u32 {
        (i64::from(self.max.y) - i64::from(self.min.y)).max(0) as u32
    }

    /// Returns true if the box covers no pixel.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.min.x >= self.max.x || self.min.y >= self.max.y
    }

    /// Returns true if the box covers the pixel `point`.
    #[inline]
    pub fn contains(self, point: IVec2) -> bool {
        self.min.x <= point.x
            && point.x < self.max.x
            && self.min.y <= point.y
            && point.y < self.max.y
    }

    /// Returns true if the boxes share at least one pixel. Boxes that only touch do not overlap.
    #[inline]
    pub fn overlaps(self, other: Self) -> bool {
        !self.intersection(other).is_empty()
    }

    /// Returns the box of the pixels that both boxes cover. It is empty if the boxes do not overlap.
    #[inline]
    pub fn intersection(self, other: Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// Returns the leading edge toward `dir`, as a box without extent along the axis of `dir`.
    #[inline]
    pub(crate) fn edge(mut self, dir: Dir) -> Self {
        match dir {
            Dir::Left => self.max.x = self.min.x,
            Dir::Right => self.min.x = self.max.x,
            Dir::Up => self.max.y = self.min.y,
            Dir::Down => self.min.y = self.max.y,
        }
        self
    }

    pub(crate) fn strip(self, dir: Dir, step: u32) -> Self {
        let edge = self.edge(dir);
        edge.hull(edge.shifted(dir, step))
    }

    /// Returns the distance toward `dir` from the leading edge of `self` to the near side of `other`. It is
    /// negative if the edge is past that side.
    pub(crate) fn gap(self, dir: Dir, other: Self) -> i64 {
        let (from, to) = match dir {
            Dir::Left => (other.max.x, self.min.x),
            Dir::Right => (self.max.x, other.min.x),
            Dir::Up => (other.max.y, self.min.y),
            Dir::Down => (self.max.y, other.min.y),
        };
        i64::from(to) - i64::from(from)
    }

    #[inline]
    pub(crate) fn extent(self, axis: Axis) -> u32 {
        match axis {
            Axis::X => self.width(),
            Axis::Y => self.height(),
        }
    }

    /// Returns the smallest box that contains `self` and `other`.
    #[inline]
    pub fn hull(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    #[inline]
    pub(crate) fn room(self, dir: Dir) -> u32 {
        // A table avoids a branch on the direction, because a processor cannot predict the directions of a
        // game's characters.
        let edge = [self.min.x, self.max.x, self.min.y, self.max.y][dir as usize];
        edge.abs_diff(if dir.is_positive() { i32::MAX } else { i32::MIN })
    }

    /// Returns the box moved by `translation` pixels. An edge beyond the range of `i32` saturates.
    #[inline]
    pub fn translated(self, translation: IVec2) -> Self {
        Self {
            min: self.min.saturating_add(translation),
            max: self.max.saturating_add(translation),
        }
    }

    /// Returns the box moved by `distance` pixels toward `dir`. An edge beyond the range of `i32` saturates.
    #[inline]
    pub fn shifted(self, dir: Dir, distance: u32) -> Self {
        match dir.axis() {
            Axis::X => Self {
                min: IVec2::new(moved(self.min.x, dir, distance), self.min.y),
                max: IVec2::new(moved(self.max.x, dir, distance), self.max.y),
            },
            Axis::Y => Self {
                min: IVec2::new(self.min.x, moved(self.min.y, dir, distance)),
                max: IVec2::new(self.max.x, moved(self.max.y, dir, distance)),
            },
        }
    }
}

/// Returns a coordinate after a motion of `distance` toward `dir`, within the range of `i32`.
#[inline(always)]
fn moved(coordinate: i32, dir: Dir, distance: u32) -> i32 {
    if dir.is_positive() {
        coordinate.saturating_add_unsigned(distance)
    } else {
        coordinate.saturating_sub_unsigned(distance)
    }
}

/// Four values: one for each side of a level or a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Sides<T> {
    /// The value for the left side. For a level, this is the space with x < 0.
    pub left: T,
    /// The value for the right side. For a level, this is the space with x >= width.
    pub right: T,
    /// The value for the upper side. For a level, this is the space with y < 0.
    pub up: T,
    /// The value for the lower side. For a level, this is the space with y >= height.
    pub down: T,
}

impl<T: Copy> Sides<T> {
    /// Returns four equal values, `value` for each side.
    pub const fn all(value: T) -> Self {
        Self { left: value, right: value, up: value, down: value }
    }

    /// Returns four values: `value` of the direction of each side.
    pub(crate) fn from_fn(value: impl FnMut(Dir) -> T) -> Self {
        let [left, right, up, down] = Dir::ALL.map(value);
        Self { left, right, up, down }
    }

    /// Returns the value of the side toward `dir`.
    #[inline]
    pub const fn get(&self, dir: Dir) -> T {
        match dir {
            Dir::Left => self.left,
            Dir::Right => self.right,
            Dir::Up => self.up,
            Dir::Down => self.down,
        }
    }

    #[inline]
    pub(crate) const fn get_mut(&mut self, dir: Dir) -> &mut T {
        match dir {
            Dir::Left => &mut self.left,
            Dir::Right => &mut self.right,
            Dir::Up => &mut self.up,
            Dir::Down => &mut self.down,
        }
    }

    /// Returns a copy with `value` on the side toward `dir`.
    #[must_use]
    pub const fn with(mut self, dir: Dir, value: T) -> Self {
        *self.get_mut(dir) = value;
        self
    }
}

/// The state of the space beyond a side of a level: solid or open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Outside {
    /// The space is solid, so a body cannot leave the level.
    #[default]
    Solid,
    /// The space is passable, so a body can leave the level and come back.
    Open,
}

impl From<Outside> for Sides<Outside> {
    fn from(outside: Outside) -> Self {
        Self::all(outside)
    }
}

/// The rule for a line that touches a solid cell only at one corner of the cell.
///
/// The rule applies to the line of sight between two pixels, and to the path of a box that moves along both
/// axes at once. A line that passes diagonally from one cell to the next touches two other cells at their
/// common corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Corners {
    /// A cell that the line touches only at a corner blocks the line. So no line can pass between two solid
    /// cells that touch at a corner, or graze a corner. (All cells in the *supercover* of the line count.)
    #[default]
    Block,
    /// A cell that the line touches only at a corner does not block the line.
    Pass,
}

#[inline]
pub(crate) fn saturated(coordinate: i64) -> i32 {
    coordinate.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// Returns a pixel with coordinates beyond `i32` clamped.
#[inline]
pub(crate) fn clamped(pixel: I64Vec2) -> IVec2 {
    pixel.clamp(I64Vec2::splat(i32::MIN.into()), I64Vec2::splat(i32::MAX.into())).as_ivec2()
}

/// An axis of a level or an image: horizontal or vertical.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Axis {
    /// The horizontal axis.
    X,
    /// The vertical axis.
    Y,
}

impl Axis {
    #[inline]
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::X => Self::Y,
            Self::Y => Self::X,
        }
    }

    /// Returns the index of this axis in `IVec2::to_array`: 0 for x, 1 for y.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    /// Returns the x and y coordinates of a point at `along` on this axis and at `across` on the other axis.
    #[inline(always)]
    pub(crate) fn xy<T>(self, along: T, across: T) -> [T; 2] {
        match self {
            Self::X => [along, across],
            Self::Y => [across, along],
        }
    }
}

/// A direction along an axis: left, right, up or down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Dir {
    /// The direction toward smaller x.
    Left,
    /// The direction toward greater x.
    Right,
    /// The direction toward smaller y.
    Up,
    /// The direction toward greater y.
    Down,
}

impl Dir {
    /// All four directions, in the order left, right, up, down.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Up, Self::Down];

    /// Returns the axis of this direction.
    #[inline]
    pub const fn axis(self) -> Axis {
        match self {
            Self::Left | Self::Right => Axis::X,
            Self::Up | Self::Down => Axis::Y,
        }
    }

    #[inline]
    pub(crate) const fn along(axis: Axis, positive: bool) -> Self {
        Self::ALL[axis.index() * 2 + positive as usize]
    }

    /// Returns true for right and down, the directions in which coordinates grow.
    #[inline]
    pub const fn is_positive(self) -> bool {
        matches!(self, Self::Right | Self::Down)
    }

    /// Returns the unit vector of this direction, in pixels.
    #[inline]
    pub const fn vector(self) -> IVec2 {
        [IVec2::NEG_X, IVec2::X, IVec2::NEG_Y, IVec2::Y][self as usize]
    }

    /// Returns the opposite direction.
    #[inline]
    pub const fn opposite(self) -> Self {
        [Self::Right, Self::Left, Self::Down, Self::Up][self as usize]
    }

    /// Returns the name in lower case: `left`, `right`, `up` or `down`.
    pub const fn name(self) -> &'static str {
        ["left", "right", "up", "down"][self as usize]
    }
}

impl fmt::Display for Dir {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Dir {
    type Err = ParseDirError;

    /// Parses a name in the form that [`Dir::name`] returns.
    fn from_str(text: &str) -> Result<Self, ParseDirError> {
        let named = Self::ALL.into_iter().find(|dir| dir.name() == text);
        named.ok_or(ParseDirError)
    }
}

/// The error for a text that is not the name of a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseDirError;

impl fmt::Display for ParseDirError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not left, right, up or down")
    }
}

impl std::error::Error for ParseDirError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn box_edges_beyond_the_range_of_i32_saturate() {
        let body = Aabb::from_xywh(i32::MAX - 3, i32::MIN, 10, 5);
        assert_eq!(body.max, IVec2::new(i32::MAX, i32::MIN + 5));
        assert_eq!((body.width(), body.height()), (3, 5));
        let moved = body.shifted(Dir::Up, u32::MAX);
        assert_eq!(moved.min.y, i32::MIN);
        assert_eq!(body.translated(IVec2::MAX).max.x, i32::MAX);
    }

    #[test]
    fn a_box_with_a_negative_size_is_empty() {
        let body = Aabb::from_xywh(4, 4, -3, 5);
        assert!(body.is_empty());
        assert_eq!(body.width(), 0);
        assert!(!body.overlaps(Aabb::from_xywh(0, 0, 100, 100)));
        assert!(!body.contains(IVec2::new(4, 4)));
    }

    #[test]
    fn the_width_of_the_widest_box_fits_u32() {
        let body = Aabb { min: IVec2::MIN, max: IVec2::MAX };
        assert_eq!(body.width(), u32::MAX);
    }

    #[test]
    fn directions_agree_with_their_vectors() {
        let body = Aabb::from_xywh(5, 6, 7, 8);
        for dir in Dir::ALL {
            assert_eq!(body.shifted(dir, 3), body.translated(dir.vector() * 3));
            assert_eq!(dir.opposite().vector(), -dir.vector());
            assert_eq!(dir.is_positive(), dir.vector().max_element() == 1);
        }
    }

    #[test]
    fn from_center_returns_a_box_with_that_center_and_size() {
        for (w, h) in [(0, 0), (1, 1), (2, 3), (7, 8), (u32::MAX, 1)] {
            let body = Aabb::from_center(IVec2::new(-1, 5), UVec2::new(w, h));
            assert_eq!((body.size(), body.center()), (UVec2::new(w, h), IVec2::new(-1, 5)));
        }
        let body = Aabb::from_center(IVec2::MAX, UVec2::splat(9));
        assert_eq!((body.min, body.max), (IVec2::MAX - 4, IVec2::MAX));
        assert_eq!(Aabb { min: IVec2::MIN, max: IVec2::MAX }.center(), IVec2::NEG_ONE);
    }

    #[test]
    fn a_direction_is_parsed_from_its_name() {
        for dir in Dir::ALL {
            assert_eq!(dir.to_string().parse(), Ok(dir));
        }
        assert_eq!(format!("{:>6}", Dir::Up), "    up");
        assert_eq!("Up".parse::<Dir>(), Err(ParseDirError));
    }
}
