//! Boxes, axes, directions and sides in whole pixels. Space is pixels: x grows to the right, y grows
//! downward, and a level's top-left corner is (0, 0). Every sum that could leave the range of `i32` saturates
//! at its ends. Only the parsing of a direction and the conversion of a float can fail.

pub(crate) mod decimal;

pub use decimal::{Decimal, Point};
pub(crate) use decimal::{SUBPIXELS, split, subpixels, to_pixels};
pub use decimal::{TranslationError, to_subpixels};

use std::fmt;
use std::str::FromStr;

use glam::{IVec2, UVec2};

/// The largest side of a cell, in pixels: see [`crate::terrain::Terrain::MAX_CELL_SIZE`].
pub(crate) const MAX_CELL_SIZE: u32 = 1 << 16;

/// An axis-aligned box in whole pixels, half-open: it covers `min <= p < max`. Two boxes that share an edge
/// touch; touching is not overlapping. A box whose `max` is not above its `min` on some axis covers nothing.
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
    /// The left-most column and the top-most row that the box covers.
    pub min: IVec2,
    /// One past the right-most column and one past the bottom-most row that the box covers.
    pub max: IVec2,
}

impl Aabb {
    /// The box with its top-left corner at (`x`, `y`), `w` pixels wide and `h` pixels high. A negative `w` or
    /// `h` counts as 0. An edge beyond `i32::MAX` is placed at `i32::MAX`.
    #[inline]
    pub const fn from_xywh(x: i32, y: i32, w: i32, h: i32) -> Self {
        let w = if w < 0 { 0 } else { w };
        let h = if h < 0 { 0 } else { h };
        Self { min: IVec2::new(x, y), max: IVec2::new(x.saturating_add(w), y.saturating_add(h)) }
    }

    /// The box of `size` pixels around the middle `center`. An edge beyond the range of `i32` saturates.
    ///
    /// For an odd size `center` is the pixel in the middle; for an even size it is the first pixel right of
    /// the middle, or below it. So boxes around one pixel have the same middle, within half a pixel.
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
        // Each half is added to the centre, so that no sum leaves the range of `u32`.
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

    /// The pixel in the middle, as in [`Aabb::from_center`]; `min` for an empty box.
    #[inline]
    pub fn center(self) -> IVec2 {
        let half = |min: i32, side: u32| min.saturating_add_unsigned(side / 2);
        IVec2::new(half(self.min.x, self.width()), half(self.min.y, self.height()))
    }

    /// Width and height in pixels.
    #[inline]
    pub fn size(self) -> UVec2 {
        UVec2::new(self.width(), self.height())
    }

    /// The width in pixels; 0 if `max.x` is not greater than `min.x`.
    #[inline]
    pub fn width(self) -> u32 {
        (i64::from(self.max.x) - i64::from(self.min.x)).max(0) as u32
    }

    /// The height in pixels; 0 if `max.y` is not greater than `min.y`.
    #[inline]
    pub fn height(self) -> u32 {
        (i64::from(self.max.y) - i64::from(self.min.y)).max(0) as u32
    }

    /// True if the box covers no pixel.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.min.x >= self.max.x || self.min.y >= self.max.y
    }

    /// True if the box covers the pixel `point`.
    #[inline]
    pub fn contains(self, point: IVec2) -> bool {
        self.min.x <= point.x
            && point.x < self.max.x
            && self.min.y <= point.y
            && point.y < self.max.y
    }

    /// True if some pixel is covered by both boxes. Touching edges do not overlap.
    #[inline]
    pub fn overlaps(self, other: Self) -> bool {
        !self.intersection(other).is_empty()
    }

    /// The box that both boxes cover; empty if they do not overlap.
    #[inline]
    pub fn intersection(self, other: Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// The leading edge toward `dir`: a box without extent along the axis of `dir`.
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

    /// The strip that the leading edge sweeps over `step` pixels toward `dir`.
    pub(crate) fn strip(self, dir: Dir, step: u32) -> Self {
        let edge = self.edge(dir);
        edge.hull(edge.shifted(dir, step))
    }

    /// The distance toward `dir` from this box's leading edge to the near side of `other`; negative past it.
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

    /// The smallest box around both boxes.
    #[inline]
    pub fn hull(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The distance from the leading edge toward `dir` to the end of the range of `i32`.
    #[inline]
    pub(crate) fn room(self, dir: Dir) -> u32 {
        // No branch on the direction: a processor cannot predict the directions of a game's characters.
        let edge = [self.min.x, self.max.x, self.min.y, self.max.y][dir as usize];
        edge.abs_diff(if dir.is_positive() { i32::MAX } else { i32::MIN })
    }

    /// The box moved by `translation` pixels; each edge saturates at the ends of `i32`.
    #[inline]
    pub fn translated(self, translation: IVec2) -> Self {
        Self {
            min: self.min.saturating_add(translation),
            max: self.max.saturating_add(translation),
        }
    }

    /// The box `distance` pixels further toward `dir`; each edge saturates at the ends of `i32`.
    #[inline]
    pub fn shifted(self, dir: Dir, distance: u32) -> Self {
        let along = |edge: i32| {
            if dir.is_positive() {
                edge.saturating_add_unsigned(distance)
            } else {
                edge.saturating_sub_unsigned(distance)
            }
        };
        match dir.axis() {
            Axis::X => Self {
                min: IVec2::new(along(self.min.x), self.min.y),
                max: IVec2::new(along(self.max.x), self.max.y),
            },
            Axis::Y => Self {
                min: IVec2::new(self.min.x, along(self.min.y)),
                max: IVec2::new(self.max.x, along(self.max.y)),
            },
        }
    }
}

/// One value for each of the four sides of a level or a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Sides<T> {
    /// The left side: for a level, the space beyond x = 0.
    pub left: T,
    /// The right side: for a level, the space from x = width on.
    pub right: T,
    /// The upper side: for a level, the space beyond y = 0.
    pub up: T,
    /// The lower side: for a level, the space from y = height on.
    pub down: T,
}

impl<T: Copy> Sides<T> {
    /// The same value on all four sides.
    pub const fn all(value: T) -> Self {
        Self { left: value, right: value, up: value, down: value }
    }

    /// The value of the side toward `dir`.
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

    /// A copy with the value of the side toward `dir` replaced.
    #[must_use]
    pub const fn with(mut self, dir: Dir, value: T) -> Self {
        match dir {
            Dir::Left => self.left = value,
            Dir::Right => self.right = value,
            Dir::Up => self.up = value,
            Dir::Down => self.down = value,
        }
        self
    }
}

/// Whether the space beyond a side of a level is solid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Outside {
    /// Solid: nothing leaves the level.
    #[default]
    Solid,
    /// Passable: a body may leave the level and come back.
    Open,
}

impl From<Outside> for Sides<Outside> {
    fn from(outside: Outside) -> Self {
        Self::all(outside)
    }
}

/// Whether a solid cell stops a straight line that touches it in one corner only.
///
/// A line that passes from a cell to the next one across their common corner touches two more cells there.
/// The same choice applies to the line of sight between two pixels, and to the path of a box that moves along
/// both axes at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Corners {
    /// Each solid cell that the line touches stops it, even if the line touches it in one corner only (all
    /// cells in the *supercover* of the line count). No line passes between two solids that touch in a
    /// corner, or past a corner that it grazes.
    #[default]
    Block,
    /// A solid cell that the line touches in one corner only does not stop it.
    Pass,
}

#[inline]
pub(crate) fn saturated(coordinate: i64) -> i32 {
    coordinate.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// One of the two axes of the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Axis {
    /// Left and right.
    X,
    /// Up and down.
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

    /// 0 for x and 1 for y: the index of this axis in `IVec2::to_array`.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    /// The x and the y of a place with the coordinates `along` this axis and `across` it.
    #[inline(always)]
    pub(crate) fn xy<T>(self, along: T, across: T) -> [T; 2] {
        match self {
            Self::X => [along, across],
            Self::Y => [across, along],
        }
    }
}

/// One of the four directions in which a box can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Dir {
    /// Toward smaller x.
    Left,
    /// Toward greater x.
    Right,
    /// Toward smaller y.
    Up,
    /// Toward greater y.
    Down,
}

impl Dir {
    /// All four, in the order left, right, up, down.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Up, Self::Down];

    /// The axis along which this direction points.
    #[inline]
    pub const fn axis(self) -> Axis {
        match self {
            Self::Left | Self::Right => Axis::X,
            Self::Up | Self::Down => Axis::Y,
        }
    }

    /// The direction along `axis` toward greater coordinates if `positive`, else toward smaller ones.
    #[inline]
    pub(crate) const fn along(axis: Axis, positive: bool) -> Self {
        Self::ALL[axis.index() * 2 + positive as usize]
    }

    /// True for right and down, toward which coordinates grow.
    #[inline]
    pub const fn is_positive(self) -> bool {
        matches!(self, Self::Right | Self::Down)
    }

    /// The unit vector of this direction, in pixels.
    #[inline]
    pub const fn vector(self) -> IVec2 {
        [IVec2::NEG_X, IVec2::X, IVec2::NEG_Y, IVec2::Y][self as usize]
    }

    /// The opposite direction.
    #[inline]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Up => Self::Down,
            Self::Down => Self::Up,
        }
    }

    /// The name in lower case: `left`, `right`, `up` or `down`.
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

    /// The direction whose [`Dir::name`] is `text`.
    fn from_str(text: &str) -> Result<Self, ParseDirError> {
        let named = Self::ALL.into_iter().find(|dir| dir.name() == text);
        named.ok_or(ParseDirError)
    }
}

/// A text that is not the name of a direction.
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
    fn a_box_at_the_end_of_the_range_saturates() {
        let body = Aabb::from_xywh(i32::MAX - 3, i32::MIN, 10, 5);
        assert_eq!(body.max, IVec2::new(i32::MAX, i32::MIN + 5));
        assert_eq!((body.width(), body.height()), (3, 5));
        let moved = body.shifted(Dir::Up, u32::MAX);
        assert_eq!(moved.min.y, i32::MIN);
        assert_eq!(body.translated(IVec2::MAX).max.x, i32::MAX);
    }

    #[test]
    fn a_negative_size_covers_nothing() {
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
    fn a_box_made_from_a_center_and_a_size_has_them() {
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
