//! The axes and directions of the plane, and the names of directions. Nothing here has a place.

use std::fmt;
use std::str::FromStr;

use glam::IVec2;

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
    /// The perpendicular axis.
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
        match (axis, positive) {
            (Axis::X, false) => Self::Left,
            (Axis::X, true) => Self::Right,
            (Axis::Y, false) => Self::Up,
            (Axis::Y, true) => Self::Down,
        }
    }

    /// True for right and down, toward which coordinates grow.
    #[inline]
    pub const fn is_positive(self) -> bool {
        matches!(self, Self::Right | Self::Down)
    }

    /// The unit vector of this direction, in pixels.
    #[inline]
    pub const fn vector(self) -> IVec2 {
        match self {
            Self::Left => IVec2::NEG_X,
            Self::Right => IVec2::X,
            Self::Up => IVec2::NEG_Y,
            Self::Down => IVec2::Y,
        }
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
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Up => "up",
            Self::Down => "down",
        }
    }
}

impl fmt::Display for Dir {
    /// The [`Dir::name`], which [`Dir::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Dir {
    type Err = ParseDirError;

    /// The direction with this [`Dir::name`].
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
    fn a_direction_is_read_as_it_is_written() {
        for dir in Dir::ALL {
            assert_eq!(dir.to_string().parse(), Ok(dir));
        }
        assert_eq!(format!("{:>6}", Dir::Up), "    up");
        assert_eq!("Up".parse::<Dir>(), Err(ParseDirError));
    }
}
