//! Parts of the edits of a terrain: the shapes that can be painted (brushes), chunks of cells copied from
//! another terrain or from this one before an edit, and the version number that every edit renews
//! ([`Stamp`]). Creating a chunk can fail, but applying it cannot. So a level can create the chunks of
//! several terrains first, and then change all of these terrains or none.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use glam::{I64Vec2, IVec2, UVec2};

use super::Terrain;
use super::kernel::{Guards, SolidCells};
use crate::geometry::{Aabb, Axis, Dir, clamped};
use crate::grid::{self, Changed, Grid, GridError, Placement};
use crate::raster::{self, Span};
use crate::shapes::{Circle, ConvexPolygon, Triangle};

/// A shape for edits of a [`Terrain`].
///
/// The edits are [`carve`](super::Terrain::carve), [`paint`](super::Terrain::paint),
/// [`carve_one_way`](super::Terrain::carve_one_way) and [`paint_one_way`](super::Terrain::paint_one_way).
///
/// | shape | its pixels |
/// |---|---|
/// | [`Aabb`] | the pixels that it covers |
/// | [`Circle`], [`Triangle`], [`ConvexPolygon`] of whole numbers | pixels whose centres it holds |
/// | `[IVec2]`, an array or a slice | pixels whose centres are within the polygon of these corners |
/// | [`Footprint`](crate::Footprint) | its pixels, from its top-left corner |
/// | [`Grid`] | its solid cells, a pixel each, from its top-left corner |
/// | [`Island`](crate::analyze::Island) | its pixels, where it was found |
///
/// No other type implements this trait. A pixel (x, y) covers the square from (x, y) to (x + 1, y + 1), as in
/// module [`shapes`](crate::shapes). The corners of a polygon may go around it in either order, and its
/// outline may cross itself. An area that the outline goes around an even number of times is a hole. If the
/// centre of a pixel is exactly on an edge, the pixel belongs to the polygon right of the edge, or below it.
/// So two polygons that share an edge share no pixel. A shape without points or without area covers nothing.
///
/// ```
/// use bitwall::glam::{IVec2, UVec2};
/// use bitwall::shapes::Circle;
/// use bitwall::{Aabb, Grid, Terrain};
///
/// let mut ground = Terrain::new(Grid::new(8, 4)?, UVec2::ONE)?;
/// ground.paint(&Aabb::from_xywh(0, 0, 8, 4), IVec2::ZERO)?;
/// ground.carve(&Circle { center: IVec2::new(3, 0), radius: 3 }, IVec2::ZERO);
/// ground.carve(&Grid::from_text("#.#\n.#.")?, IVec2::new(5, 2));
/// assert_eq!(ground.grid().to_string(), "......##\n......##\n#.....#.\n######.#");
/// # Ok::<(), bitwall::grid::GridError>(())
/// ```
pub trait Brush: Pixels {}

impl<S: Pixels + ?Sized> Brush for S {}

/// A callback for a run of pixels. Its arguments are the row and the range of columns.
pub(crate) type Emit<'e> = dyn FnMut(i32, Range<i32>) + 'e;

/// A source of the pixels of a [`Brush`].
pub trait Pixels {
    /// Calls `emit` with each run of the shape's pixels in `clip`, row by row downward. The runs of a row
    /// come in any order and may overlap.
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>);

    /// Returns the shape as a box; `None` if it is not a box.
    fn as_box(&self) -> Option<Aabb> {
        None
    }
}

impl Pixels for Aabb {
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        let part = self.intersection(clip);
        if !part.is_empty() {
            (part.min.y..part.max.y).for_each(|y| emit(y, part.min.x..part.max.x));
        }
    }

    fn as_box(&self) -> Option<Aabb> {
        Some(*self)
    }
}

impl Pixels for Circle<IVec2> {
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        raster::disc(self.center, self.radius, clip, &mut |span| pass(span, emit));
    }
}

impl Pixels for Triangle<IVec2> {
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        raster::polygon(&self.points, clip, &mut |span| pass(span, emit));
    }
}

impl Pixels for ConvexPolygon<IVec2> {
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        raster::polygon(self.corners(), clip, &mut |span| pass(span, emit));
    }
}

impl Pixels for [IVec2] {
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        raster::polygon(self, clip, &mut |span| pass(span, emit));
    }
}

impl<const N: usize> Pixels for [IVec2; N] {
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        raster::polygon(self, clip, &mut |span| pass(span, emit));
    }
}

impl Pixels for Grid {
    /// Cells beyond `i32::MAX` are left out.
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        let size = self.size().min(UVec2::splat(i32::MAX as u32)).as_ivec2();
        let part = clip.intersection(Aabb { min: IVec2::ZERO, max: size });
        if part.is_empty() {
            return;
        }
        let min = part.min.as_uvec2();
        let max = part.max.as_uvec2();
        for (row, run) in self.runs_in(min.x..max.x, min.y..max.y) {
            emit(row as i32, run.start as i32..run.end as i32);
        }
    }
}

fn pass(span: Span, emit: &mut Emit<'_>) {
    emit(span.y, span.start..span.end);
}

/// The cells that an edit changes.
#[derive(Clone, Copy)]
pub(super) enum EditKind {
    Solid,
    OneWay(Dir),
}

/// Makes the pixels of a shape at `at` solid or one-way if `value` is true, and clears them otherwise.
/// Returns the box around the changed cells.
pub(super) fn apply<B: Brush + ?Sized>(
    terrain: &mut Terrain,
    kind: EditKind,
    shape: &B,
    at: IVec2,
    value: bool,
) -> Result<Option<Aabb>, GridError> {
    let frame = terrain.cells.frame;
    let at = at.as_i64vec2();
    if let Some(area) = shape.as_box() {
        let (columns, rows) = cells_in(terrain, area, at);
        return change(terrain, kind, |cells| grid::fill(cells, columns, rows, value));
    }
    let clip = Aabb { min: clamped(-at), max: clamped(end(terrain) - at) };
    change(terrain, kind, |cells| {
        grid::edit(cells, value, |emit| {
            shape.spans(clip, &mut |y, run| {
                let [y, start, end] = [y, run.start, run.end].map(i64::from);
                let row = frame.cells(Axis::Y, &(y + at.y..y + at.y + 1)).start;
                emit(row, frame.cells(Axis::X, &(start + at.x..end + at.x)));
            });
        })
    })
}

/// Returns the end of the terrain's pixels whose coordinates fit in an `i32`.
fn end(terrain: &Terrain) -> I64Vec2 {
    terrain.size().min(UVec2::splat(i32::MAX as u32)).as_i64vec2()
}

/// Changes cells with `edit`, which must change no cell if it fails. Returns the box around the pixels of
/// the changed cells; `None` if no cell changed.
pub(super) fn change(
    terrain: &mut Terrain,
    kind: EditKind,
    edit: impl FnOnce(&mut Grid) -> Result<Option<Changed>, GridError>,
) -> Result<Option<Aabb>, GridError> {
    let cells = match kind {
        EditKind::Solid => &mut terrain.cells.grid,
        EditKind::OneWay(side) => guards_mut(terrain)?.get_mut(side),
    };
    Ok(edit(cells)?.map(|changed| noted(terrain, changed)))
}

/// Updates what depends on the cells after a change in the rectangle `changed`, and returns its pixels.
fn noted(terrain: &mut Terrain, Changed { min, max }: Changed) -> Aabb {
    terrain.note_change(min.x..max.x, min.y..max.y);
    let cell = terrain.cell_size().as_i64vec2();
    Aabb { min: clamped(min.as_i64vec2() * cell), max: clamped(max.as_i64vec2() * cell) }
}

pub(super) fn guards_mut(terrain: &mut Terrain) -> Result<&mut Guards, GridError> {
    let guards = match terrain.cells.guards.take() {
        Some(guards) => guards,
        None => blank_guards(&terrain.cells.grid)?,
    };
    Ok(terrain.cells.guards.insert(guards))
}

/// Returns four empty grids of one-way cells, as large as `grid`. They are sparse if `grid` is sparse.
fn blank_guards(grid: &Grid) -> Result<Guards, GridError> {
    Ok(Guards(Box::new([blank(grid)?, blank(grid)?, blank(grid)?, blank(grid)?])))
}

fn blank(grid: &Grid) -> Result<Grid, GridError> {
    match grid.block_limit() {
        Some(limit) => Ok(Grid::sparse(grid.width(), grid.height())?.with_block_limit(limit)),
        None => Grid::new(grid.width(), grid.height()),
    }
}

pub(crate) type CellRange = (Range<u32>, Range<u32>);

/// The new cells of a rectangle of a terrain.
pub(crate) struct Chunk {
    /// The new solid cells, then the new one-way cells of each side. One-way cells are present only if the
    /// source or the target terrain has any.
    placements: Vec<Placement>,
    guards: Option<Guards>,
}

impl Chunk {
    /// Creates a chunk that replaces the rectangle `cells` of `target` with cells of `source`. The first cell
    /// of `source` goes to the column and row `at` of `target`. Cells of the rectangle outside `source`
    /// become passable.
    pub(crate) fn new(
        target: &Terrain,
        cells: CellRange,
        source: &Terrain,
        at: IVec2,
    ) -> Result<Self, GridError> {
        let target = &target.cells;
        let source = &source.cells;
        let solid = Placement::new(&target.grid, cells.clone(), &source.grid, at)?;
        let mut chunk = Self { placements: vec![solid], guards: None };
        if target.guards.is_none() && source.guards.is_some() {
            chunk.guards = Some(blank_guards(&target.grid)?);
        }
        let targets = target.guards.as_ref().or(chunk.guards.as_ref());
        for side in Dir::ALL {
            let Some(target) = targets.map(|guards| guards.get(side)) else { break };
            chunk.placements.push(match source.guards_of(side) {
                Some(source) => Placement::new(target, cells.clone(), source, at)?,
                None => Placement::blank(cells.clone()),
            });
        }
        Ok(chunk)
    }

    pub(crate) fn blank(target: &Terrain, cells: CellRange) -> Self {
        let count = if target.cells.guards.is_some() { 5 } else { 1 };
        let placements = (0..count).map(|_| Placement::blank(cells.clone())).collect();
        Self { placements, guards: None }
    }

    /// Applies the chunk to `target`, and returns the smallest box around the pixels of all changed cells;
    /// `None` if no cell changed. The target must be the terrain that the chunk was created for, without a
    /// change since.
    pub(crate) fn apply(self, target: &mut Terrain) -> Option<Aabb> {
        let cells = &mut target.cells;
        if cells.guards.is_none() {
            cells.guards = self.guards;
        }
        let sides = cells.guards.iter_mut().flat_map(|guards| guards.0.iter_mut());
        let grids = std::iter::once(&mut cells.grid).chain(sides);
        let changed = grids.zip(&self.placements).map(|(grid, placement)| placement.apply(grid));
        let changed = changed.fold(None, Changed::hull)?;
        Some(noted(target, changed))
    }
}

/// Returns the cells of `terrain` with a pixel of `area`, which is moved by `by`. The ranges are empty if it
/// has none of the pixels.
pub(crate) fn cells_in(terrain: &Terrain, area: Aabb, by: I64Vec2) -> CellRange {
    let frame = terrain.cells.frame;
    let min = (area.min.as_i64vec2() + by).max(I64Vec2::ZERO);
    let max = (area.max.as_i64vec2() + by).min(end(terrain));
    if min.cmpge(max).any() {
        return (0..0, 0..0);
    }
    (frame.cells(Axis::X, &(min.x..max.x)), frame.cells(Axis::Y, &(min.y..max.y)))
}

/// Returns a terrain of the size of `terrain` with only the cells that have a pixel in `area`, solid and
/// one-way. Its memory depends on the area and not on the size.
pub(crate) fn cut(terrain: &Terrain, area: Aabb) -> Terrain {
    let (columns, rows) = cells_in(terrain, area, I64Vec2::ZERO);
    let SolidCells { grid, frame, guards } = &terrain.cells;
    let guards = guards.as_ref().map(|guards| {
        let sides = guards.0.each_ref();
        Guards(Box::new(sides.map(|grid| grid::cut(grid, columns.clone(), rows.clone()))))
    });
    let grid = grid::cut(grid, columns, rows);
    let cells = SolidCells { grid, frame: *frame, guards };
    Terrain { cells, stamp: Stamp::default(), prepared: Vec::new() }
}

/// The version number of a terrain's cells. It shows whether a copy of the cells is out of date. A terrain
/// gets its number when it is asked for the first time after a change. Clones of a terrain have equal numbers
/// until one of them changes.
#[derive(Debug, Default)]
pub(super) struct Stamp(OnceLock<u64>);

/// The next version number.
static NEXT: AtomicU64 = AtomicU64::new(0);

impl Stamp {
    pub(super) fn number(&self) -> u64 {
        *self.0.get_or_init(|| NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Clone for Stamp {
    fn clone(&self) -> Self {
        Self(OnceLock::from(self.number()))
    }
}

#[cfg(test)]
mod tests;
