//! From solid cells and shapes to one grid: of tiles if each solid fills whole ones, else of pixels.

use std::sync::Arc;

use glam::{IVec2, UVec2};

use crate::error::LoadErrorKind;
use crate::geometry::{Aabb, Dir};
use crate::grid::{Grid, GridBuilder, GridError, MAX_DENSE_CELLS};
use crate::level::source::SolidCells;
use crate::limits::{Limits, Spent, check, refusal};
use crate::raster::{Coverage, Outline, Span};

/// What one plane of a level is made of, in pixels of the map.
#[derive(Default)]
pub(super) struct Pieces {
    /// Whole cells.
    pub(super) cells: Vec<SolidCells>,
    /// Boxes.
    pub(super) boxes: Vec<Aabb>,
    /// Pixels of tiles, and where they are put.
    pub(super) stamps: Vec<(Arc<Coverage>, IVec2)>,
    /// Shapes of objects.
    pub(super) outlines: Vec<Outline>,
    /// The cells of the level that are floor: all others are solid.
    pub(super) floor: Option<Grid>,
    /// The side that is guarded, for one-way solids: of a box or cell only the line along it counts.
    pub(super) edge: Option<Dir>,
}

/// The frame of a level: what of the map it shows, and its cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The pixels of the map that the level shows.
    pub(super) area: Aabb,
    /// A whole cell, in pixels.
    pub(super) whole: UVec2,
    /// A cell of the level, in pixels: a whole one, or one pixel.
    pub(super) cell: UVec2,
}

impl Bounds {
    /// Columns and rows of the level.
    pub(super) fn size(&self, limits: &Limits) -> Result<UVec2, LoadErrorKind> {
        let side = |pixels: u32, cell: u32| {
            let cells = pixels.div_ceil(cell);
            let limit = limits.level_side.min(i32::MAX as u32);
            check("cells in the width or height of the level", cells, limit)?;
            Ok::<u32, LoadErrorKind>(cells)
        };
        Ok(UVec2::new(
            side(self.area.width(), self.cell.x)?,
            side(self.area.height(), self.cell.y)?,
        ))
    }

    /// A point of the map in cells of the level, rounded down.
    fn in_cells(&self, point: IVec2) -> IVec2 {
        point
            .saturating_sub(self.area.min)
            .div_euclid(self.cell.as_ivec2())
    }
}

impl Pieces {
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
            && self
                .edge
                .is_none_or(|edge| matches!(edge, Dir::Up | Dir::Down))
        {
            last.max.x = area.max.x;
            return;
        }
        self.boxes.push(area);
    }

    /// True if every piece starts and ends where a cell of `whole` pixels does.
    pub(super) fn fill_whole_cells(&self, whole: UVec2) -> bool {
        let cell = whole.as_ivec2();
        let on_cells = |point: IVec2| point.rem_euclid(cell) == IVec2::ZERO;
        self.stamps.is_empty()
            && self.outlines.is_empty()
            && self.cells.iter().all(|cells| on_cells(cells.offset))
            && self
                .boxes
                .iter()
                .all(|area| on_cells(area.min) && on_cells(area.max))
    }

    /// A box around all pieces but the cells of layers that are not moved; a cell has `whole` pixels.
    pub(super) fn extent(&self, whole: UVec2) -> Option<Aabb> {
        let moved = self
            .cells
            .iter()
            .filter(|cells| cells.offset != IVec2::ZERO);
        let cells = moved.filter_map(|cells| around_cells(cells, whole.as_ivec2()));
        let boxes = self.boxes.iter().copied().chain(cells);
        let stamps = self
            .stamps
            .iter()
            .map(|(coverage, at)| coverage.bounds().translated(*at));
        let all = boxes
            .chain(stamps)
            .chain(self.outlines.iter().map(Outline::bounds));
        all.filter(|area| !area.is_empty()).reduce(joined)
    }

    /// The grid. What lies outside the level is cut off.
    pub(super) fn compose(
        &self,
        bounds: &Bounds,
        limits: &Limits,
        spent: &mut Spent,
    ) -> Result<Grid, LoadErrorKind> {
        let size = bounds.size(limits)?;
        let cells = u64::from(size.x) * u64::from(size.y);
        // Of a sparse grid only blocks are kept, and the grid counts them.
        let kept = cells.min(MAX_DENSE_CELLS);
        check("cells of the level", kept, limits.level_cells)?;
        self.check_work(bounds, limits, spent)?;
        let mut target = Target {
            builder: GridBuilder::new(size.x, size.y).map_err(|error| refusal(&error, cells))?,
            bounds,
            edge: self.edge,
        };
        self.draw(&mut target)
            .map_err(|error| refusal(&error, cells))?;
        target
            .builder
            .finish()
            .map_err(|error| refusal(&error, cells))
    }

    fn draw(&self, target: &mut Target<'_>) -> Result<(), GridError> {
        if let Some(floor) = &self.floor {
            target.builder.or_passable(floor, IVec2::ZERO)?;
        }
        for cells in &self.cells {
            target.cells(cells)?;
        }
        for area in &self.boxes {
            target.boxed(*area)?;
        }
        for (coverage, at) in &self.stamps {
            for span in coverage.spans() {
                target.span(*span, *at)?;
            }
        }
        for outline in &self.outlines {
            target.outline(outline)?;
        }
        Ok(())
    }

    /// Bounds the work: a small file can have thousands of solids that each fill the level.
    fn check_work(
        &self,
        bounds: &Bounds,
        limits: &Limits,
        spent: &mut Spent,
    ) -> Result<(), LoadErrorKind> {
        // A row of cells may start and end within a word.
        let words = |width: u64, rows: u64| rows.saturating_mul(width / 64 + 2);
        let per_cell = bounds.whole / bounds.cell;
        let cell = words(u64::from(per_cell.x), u64::from(per_cell.y));
        let of_cells = self
            .cells
            .iter()
            .map(|cells| cells.rows.count_ones() * cell);
        let of_boxes = self.boxes.iter().map(|area| {
            let seen = shared(*area, bounds.area);
            let (columns, rows) = (seen.width() / bounds.cell.x, seen.height() / bounds.cell.y);
            words(u64::from(columns), u64::from(rows))
        });
        let all = of_cells.chain(of_boxes);
        spent.words = all.fold(spent.words, u64::saturating_add);
        let what = "words of cells covered by solids";
        check(what, spent.words, limits.covered_words)?;
        let of_stamps = self
            .stamps
            .iter()
            .map(|(coverage, _)| coverage.spans().len() as u64);
        let of_outlines = self
            .outlines
            .iter()
            .map(|outline| outline.work(bounds.area));
        let all = of_stamps.chain(of_outlines);
        spent.rows = all.fold(spent.rows, u64::saturating_add);
        let what = "rows of pixels covered by shapes";
        check(what, spent.rows, limits.shape_rows)
    }
}

/// A grid in the making.
struct Target<'b> {
    builder: GridBuilder,
    bounds: &'b Bounds,
    edge: Option<Dir>,
}

impl Target<'_> {
    fn cells(&mut self, cells: &SolidCells) -> Result<(), GridError> {
        let whole = self.bounds.whole.as_ivec2();
        let corner = cells
            .origin
            .saturating_mul(whole)
            .saturating_add(cells.offset);
        if self.bounds.cell == self.bounds.whole {
            return self
                .builder
                .or_plane(&cells.rows, self.bounds.in_cells(corner));
        }
        for row in 0..cells.rows.count() {
            for columns in cells.rows.runs(row) {
                let min = IVec2::new(columns.start as i32, row as i32).saturating_mul(whole);
                let max = IVec2::new(columns.end as i32, row as i32 + 1).saturating_mul(whole);
                self.boxed(Aabb {
                    min: corner.saturating_add(min),
                    max: corner.saturating_add(max),
                })?;
            }
        }
        Ok(())
    }

    fn boxed(&mut self, area: Aabb) -> Result<(), GridError> {
        let bounds = self.bounds;
        let mut min = bounds.in_cells(area.min);
        let mut max = bounds.in_cells(area.max);
        match self.edge {
            Some(Dir::Up) => max.y = max.y.min(min.y.saturating_add(1)),
            Some(Dir::Down) => min.y = min.y.max(max.y.saturating_sub(1)),
            Some(Dir::Left) => max.x = max.x.min(min.x.saturating_add(1)),
            Some(Dir::Right) => min.x = min.x.max(max.x.saturating_sub(1)),
            None => {}
        }
        if max.cmple(IVec2::ZERO).any() {
            return Ok(());
        }
        let (min, max) = (min.max(IVec2::ZERO).as_uvec2(), max.as_uvec2());
        self.builder.fill(min.x..max.x, min.y..max.y)
    }

    fn span(&mut self, span: Span, at: IVec2) -> Result<(), GridError> {
        let corner = self.bounds.area.min;
        let place =
            |value: i32, at: i32, corner: i32| value.saturating_add(at).saturating_sub(corner);
        let y = place(span.y, at.y, corner.y);
        let (start, end) = (
            place(span.start, at.x, corner.x),
            place(span.end, at.x, corner.x),
        );
        if y < 0 || end <= 0 {
            return Ok(());
        }
        let (start, row) = (start.max(0) as u32, y as u32);
        self.builder.fill(start..end as u32, row..row + 1)
    }

    fn outline(&mut self, outline: &Outline) -> Result<(), GridError> {
        if let Some(edge) = self.edge {
            // Where the level ends is no edge of what goes on beyond it.
            let seen = Aabb {
                min: self.bounds.area.min.saturating_sub(IVec2::ONE),
                max: self.bounds.area.max.saturating_add(IVec2::ONE),
            };
            let covered = Coverage::of([outline], seen).edges(edge);
            return covered
                .spans()
                .iter()
                .try_for_each(|span| self.span(*span, IVec2::ZERO));
        }
        let mut failed = Ok(());
        outline.cover(self.bounds.area, &mut |span| {
            if failed.is_ok() {
                failed = self.span(span, IVec2::ZERO);
            }
        });
        failed
    }
}

/// The smallest box around the solid ones of `cells`, which are `whole` pixels large.
fn around_cells(cells: &SolidCells, whole: IVec2) -> Option<Aabb> {
    let corner = cells
        .origin
        .saturating_mul(whole)
        .saturating_add(cells.offset);
    let columns = |row| (0..cells.rows.len()).filter(move |column| cells.rows.get(row, *column));
    let rows = (0..cells.rows.count()).filter_map(|row| {
        let first = columns(row).next()?;
        let last = columns(row).next_back()?;
        let min = IVec2::new(first as i32, row as i32).saturating_mul(whole);
        let max = IVec2::new(last as i32 + 1, row as i32 + 1).saturating_mul(whole);
        Some(Aabb {
            min: corner.saturating_add(min),
            max: corner.saturating_add(max),
        })
    });
    rows.reduce(joined)
}

/// The smallest box around two.
pub(super) fn joined(one: Aabb, other: Aabb) -> Aabb {
    Aabb {
        min: one.min.min(other.min),
        max: one.max.max(other.max),
    }
}

/// What two boxes share.
fn shared(one: Aabb, other: Aabb) -> Aabb {
    Aabb {
        min: one.min.max(other.min),
        max: one.max.min(other.max),
    }
}
