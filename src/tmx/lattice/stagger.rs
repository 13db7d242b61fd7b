//! How the cells of staggered and hexagonal maps lie, in whole pixels, halved as Tiled halves them.

use glam::{I64Vec2, IVec2};

use super::super::{StaggerAxis, StaggerIndex};

/// The measures of a staggered or hexagonal map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stagger {
    axis: StaggerAxis,
    index: StaggerIndex,
    /// The width and height of the box around a cell.
    pub(crate) tile: I64Vec2,
    /// From the box's corner to where the straight side begins.
    offset: I64Vec2,
    /// From one column or row to the next along the stagger axis; half of that across it.
    pitch: I64Vec2,
}

impl Stagger {
    pub(super) fn new(axis: StaggerAxis, index: StaggerIndex, side: u32, tile: I64Vec2) -> Self {
        let side = match axis {
            StaggerAxis::X => I64Vec2::new(side.into(), 0),
            StaggerAxis::Y => I64Vec2::new(0, side.into()),
        };
        let offset = (tile - side) / 2;
        Self { axis, index, tile, offset, pitch: offset + side }
    }

    /// True if every other column is shifted, not every other row.
    pub(crate) fn is_along_x(&self) -> bool {
        self.axis == StaggerAxis::X
    }

    /// True if the line of this index is shifted.
    pub(crate) fn is_shifted(&self, line: i32) -> bool {
        (line & 1 == 1) == (self.index == StaggerIndex::Odd)
    }

    /// The room that a column and a row take.
    fn stride(&self) -> I64Vec2 {
        match self.axis {
            StaggerAxis::X => I64Vec2::new(self.pitch.x, self.tile.y),
            StaggerAxis::Y => I64Vec2::new(self.tile.x, self.pitch.y),
        }
    }

    /// How far the line of a cell is shifted; 0 and 0 if it is not.
    fn shift(&self, cell: IVec2) -> I64Vec2 {
        match self.axis {
            StaggerAxis::X => I64Vec2::Y * i64::from(self.is_shifted(cell.x)) * self.pitch,
            StaggerAxis::Y => I64Vec2::X * i64::from(self.is_shifted(cell.y)) * self.pitch,
        }
    }

    /// The top-left corner of the box around a cell.
    pub(crate) fn corner(&self, cell: IVec2) -> I64Vec2 {
        cell.as_i64vec2() * self.stride() + self.shift(cell)
    }

    /// The steps in columns and rows from one cell that is not shifted to the next.
    pub(crate) fn period_cells(&self) -> IVec2 {
        match self.axis {
            StaggerAxis::X => IVec2::new(2, 1),
            StaggerAxis::Y => IVec2::new(1, 2),
        }
    }

    /// As [`Self::period_cells`] in pixels; at least 1 and 1.
    pub(crate) fn period(&self) -> I64Vec2 {
        let period = self.stride() * self.period_cells().as_i64vec2();
        period.max(I64Vec2::ONE)
    }

    /// The first cell that is not shifted.
    pub(crate) fn first_unshifted(&self) -> IVec2 {
        match (self.index, self.axis) {
            (StaggerIndex::Odd, _) => IVec2::ZERO,
            (StaggerIndex::Even, StaggerAxis::X) => IVec2::X,
            (StaggerIndex::Even, StaggerAxis::Y) => IVec2::Y,
        }
    }

    /// The cell that touches a slanted side of `cell`, which is not shifted: the one at this diagonal of it.
    pub(crate) fn beside(&self, cell: IVec2, diagonal: IVec2) -> IVec2 {
        let before = diagonal.min(IVec2::ZERO);
        cell.saturating_add(match self.axis {
            StaggerAxis::X => IVec2::new(diagonal.x, before.y),
            StaggerAxis::Y => IVec2::new(before.x, diagonal.y),
        })
    }

    /// The part of the screen that Tiled's picture of the cells from `first` on takes.
    #[cfg(feature = "render")]
    pub(super) fn picture_area(&self, first: IVec2, size: I64Vec2) -> (I64Vec2, I64Vec2) {
        let mut corner = self.corner(first);
        let mut extent = size * self.stride();
        // The slanted part of the last line reaches beyond its room; so do shifted lines, if there are any.
        let (lines, across) = match self.axis {
            StaggerAxis::X => (size.x, I64Vec2::Y),
            StaggerAxis::Y => (size.y, I64Vec2::X),
        };
        extent += self.offset * (I64Vec2::ONE - across);
        if lines > 1 {
            extent += self.pitch * across;
            corner -= self.shift(first);
        }
        (corner, corner + extent)
    }
}
