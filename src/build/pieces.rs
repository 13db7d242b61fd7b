//! The parts that one plane of a level is put together from: cells, boxes, pixels and outlines, in pixels of
//! their map.
//!
//! It collects and measures; `compose` draws.

use std::sync::Arc;

use glam::{IVec2, UVec2};

use crate::geometry::{Aabb, Dir};
use crate::grid::Plane;
use crate::raster::{Coverage, Outline};

/// Solid cells of a block of a layer.
pub(super) struct CellRows {
    pub(super) rows: Plane,
    /// Column and row of its first cell.
    pub(super) origin: IVec2,
    /// How far its layer is displaced, in pixels.
    pub(super) offset: IVec2,
}

/// The parts of one plane.
#[derive(Default)]
pub(super) struct Pieces {
    pub(super) cells: Vec<CellRows>,
    pub(super) boxes: Vec<Aabb>,
    /// Pixels of tiles, and where they are put.
    pub(super) stamps: Vec<(Arc<Coverage>, IVec2)>,
    /// Shapes of objects.
    pub(super) outlines: Vec<Outline>,
    /// The guarded side, of one-way solids: of a box only the line along it counts.
    pub(super) edge: Option<Dir>,
}

impl Pieces {
    /// Parts of one-way solids that guard this side.
    pub(super) fn guarding(edge: Dir) -> Self {
        Self { edge: Some(edge), ..Self::default() }
    }

    /// True if nothing is there.
    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty()
            && self.boxes.is_empty()
            && self.stamps.is_empty()
            && self.outlines.is_empty()
    }

    /// Adds a box, as part of the last one if it stands right beside it.
    pub(super) fn add_box(&mut self, area: Aabb) {
        if let Some(last) = self.boxes.last_mut()
            && (last.min.y, last.max.y, last.max.x) == (area.min.y, area.max.y, area.min.x)
            && self.edge.is_none_or(|edge| matches!(edge, Dir::Up | Dir::Down))
        {
            last.max.x = area.max.x;
            return;
        }
        self.boxes.push(area);
    }

    /// True if every part starts and ends where a cell of `whole` pixels does.
    pub(super) fn fill_whole_cells(&self, whole: UVec2) -> bool {
        let cell = whole.as_ivec2();
        let on_cells = |point: IVec2| point.rem_euclid(cell) == IVec2::ZERO;
        self.stamps.is_empty()
            && self.outlines.is_empty()
            && self.cells.iter().all(|cells| on_cells(cells.offset))
            && self.boxes.iter().all(|area| on_cells(area.min) && on_cells(area.max))
    }

    /// A box around all parts but the cells of layers that are not displaced; a cell has `whole` pixels.
    pub(super) fn extent(&self, whole: UVec2) -> Option<Aabb> {
        let displaced = self.cells.iter().filter(|cells| cells.offset != IVec2::ZERO);
        let cells = displaced.filter_map(|cells| cells.extent(whole));
        let boxes = self.boxes.iter().copied().chain(cells);
        let stamps = self.stamps.iter();
        let stamps = stamps.map(|(pixels, at)| pixels.bounds().translated(*at));
        let outlines = self.outlines.iter().map(Outline::bounds);
        let all = boxes.chain(stamps).chain(outlines);
        all.filter(|area| !area.is_empty()).reduce(Aabb::hull)
    }
}

impl CellRows {
    /// The top-left pixel of the first cell.
    pub(super) fn corner(&self, whole: UVec2) -> IVec2 {
        let corner = self.origin.saturating_mul(whole.as_ivec2());
        corner.saturating_add(self.offset)
    }

    /// The boxes around the runs of solid cells of each row.
    pub(super) fn boxes(&self, whole: UVec2) -> impl Iterator<Item = Aabb> {
        let (corner, whole) = (self.corner(whole), whole.as_ivec2());
        (0..self.rows.count()).flat_map(move |row| {
            self.rows.runs(row).map(move |columns| {
                let min = IVec2::new(columns.start as i32, row as i32);
                let max = IVec2::new(columns.end as i32, row as i32 + 1);
                Aabb {
                    min: corner.saturating_add(min.saturating_mul(whole)),
                    max: corner.saturating_add(max.saturating_mul(whole)),
                }
            })
        })
    }

    /// The smallest box around the solid cells.
    fn extent(&self, whole: UVec2) -> Option<Aabb> {
        self.boxes(whole).reduce(Aabb::hull)
    }
}
