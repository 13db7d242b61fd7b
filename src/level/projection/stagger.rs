//! How the cells of staggered and hexagonal maps lie.

use glam::{DVec2, I64Vec2, IVec2, UVec2};

use crate::level::source::{Orientation, StaggerAxis, StaggerIndex};

/// The longest side that is reckoned with, so that the place of any cell fits.
const LONGEST: i64 = 1 << 30;

/// The measures of a staggered or hexagonal map, in whole pixels, halved as Tiled halves them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stagger {
    axis: StaggerAxis,
    index: StaggerIndex,
    tile: I64Vec2,
    /// The straight side of a hexagon, along the stagger axis.
    side: I64Vec2,
    /// From the box's corner to where the straight side begins.
    offset: I64Vec2,
    /// From one column or row to the next along the stagger axis; half of that across it.
    pub(crate) pitch: I64Vec2,
}

impl Stagger {
    pub(super) fn new(orientation: Orientation, tile: UVec2) -> Self {
        let (axis, index, side) = match orientation {
            Orientation::Hexagonal { axis, index, side } => {
                (axis, index, i64::from(side).min(LONGEST))
            }
            Orientation::Staggered { axis, index } => (axis, index, 0),
            _ => (StaggerAxis::default(), StaggerIndex::default(), 0),
        };
        let side = match axis {
            StaggerAxis::X => I64Vec2::new(side, 0),
            StaggerAxis::Y => I64Vec2::new(0, side),
        };
        let tile = tile.as_i64vec2().min(I64Vec2::splat(LONGEST));
        let offset = (tile - side) / 2;
        Self {
            axis,
            index,
            tile,
            side,
            offset,
            pitch: offset + side,
        }
    }

    pub(crate) fn is_along_x(&self) -> bool {
        self.axis == StaggerAxis::X
    }

    /// How much room a column and a row take.
    pub(crate) fn stride(&self) -> I64Vec2 {
        if self.is_along_x() {
            I64Vec2::new(self.pitch.x, self.tile.y + self.side.y)
        } else {
            I64Vec2::new(self.tile.x + self.side.x, self.pitch.y)
        }
    }

    /// What the slanted part of the last line takes beyond its room, along the stagger axis.
    pub(crate) fn overhang(&self) -> I64Vec2 {
        if self.is_along_x() {
            I64Vec2::new(self.offset.x, 0)
        } else {
            I64Vec2::new(0, self.offset.y)
        }
    }

    /// True if the line of this index is shifted.
    pub(crate) fn is_shifted(&self, line: i32) -> bool {
        (line & 1 == 1) == (self.index == StaggerIndex::Odd)
    }

    /// The top-left corner of the box around a cell.
    pub(crate) fn corner(&self, cell: IVec2) -> I64Vec2 {
        let corner = cell.as_i64vec2() * self.stride();
        if self.is_along_x() {
            let is_shifted = self.is_shifted(cell.x);
            corner + I64Vec2::new(0, i64::from(is_shifted) * self.pitch.y)
        } else {
            let is_shifted = self.is_shifted(cell.y);
            corner + I64Vec2::new(i64::from(is_shifted) * self.pitch.x, 0)
        }
    }

    /// From one cell that is not shifted to the next, along both axes.
    fn period(&self) -> DVec2 {
        let period = if self.is_along_x() {
            self.stride() * I64Vec2::new(2, 1)
        } else {
            self.stride() * I64Vec2::new(1, 2)
        };
        period.max(I64Vec2::ONE).as_dvec2()
    }

    /// A cell that is not shifted whose box, or the room beside it, holds the point, and the point from
    /// the corner of that box.
    fn reference(&self, point: DVec2) -> (IVec2, DVec2) {
        let first = match (self.index, self.axis) {
            (StaggerIndex::Odd, _) => IVec2::ZERO,
            (StaggerIndex::Even, StaggerAxis::X) => IVec2::X,
            (StaggerIndex::Even, StaggerAxis::Y) => IVec2::Y,
        };
        let point = point - self.corner(first).as_dvec2();
        let index = (point / self.period()).floor();
        let step = match self.axis {
            StaggerAxis::X => IVec2::new(2, 1),
            StaggerAxis::Y => IVec2::new(1, 2),
        };
        let cell = index.as_ivec2().saturating_mul(step).saturating_add(first);
        (cell, point - index * self.period())
    }

    /// The diamond that holds a point.
    pub(super) fn diamond_at(&self, point: DVec2) -> IVec2 {
        let (cell, at) = self.reference(point);
        let half = self.tile.y as f64 / 2.0;
        let slope = at.x * self.tile.y as f64 / self.tile.x as f64;
        if half - slope > at.y {
            self.beside(cell, IVec2::new(-1, -1))
        } else if slope - half > at.y {
            self.beside(cell, IVec2::new(1, -1))
        } else if half + slope < at.y {
            self.beside(cell, IVec2::new(-1, 1))
        } else if 3.0 * half - slope < at.y {
            self.beside(cell, IVec2::new(1, 1))
        } else {
            cell
        }
    }

    /// The hexagon whose middle is the nearest to a point.
    pub(super) fn nearest_at(&self, point: DVec2) -> IVec2 {
        let (cell, at) = self.reference(point);
        let corner = self.corner(cell);
        let distance = |other: &IVec2| {
            let from = (self.corner(*other) - corner).as_dvec2();
            (from + self.tile.as_dvec2() / 2.0).distance_squared(at)
        };
        let mut nearest = cell;
        for x in -1..=1 {
            for y in -1..=1 {
                let step = match self.axis {
                    StaggerAxis::X => IVec2::new(2 * x, y),
                    StaggerAxis::Y => IVec2::new(x, 2 * y),
                };
                let other = cell.saturating_add(step);
                let around = [-1, 1].map(|side| self.beside(other, IVec2::new(side, side)));
                for candidate in [other].into_iter().chain(around) {
                    if distance(&candidate) < distance(&nearest) {
                        nearest = candidate;
                    }
                }
            }
        }
        nearest
    }

    /// The cell that touches a slanted side of `cell`, which is not shifted.
    fn beside(&self, cell: IVec2, way: IVec2) -> IVec2 {
        let before = way.min(IVec2::ZERO);
        cell.saturating_add(match self.axis {
            StaggerAxis::X => IVec2::new(way.x, before.y),
            StaggerAxis::Y => IVec2::new(before.x, way.y),
        })
    }
}
