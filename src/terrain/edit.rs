//! Edits of a terrain: cells, rectangles, shapes and chunks become solid, passable or one-way. Every change
//! of cells ends in `note_change`. Making a chunk (cells of another terrain) can fail; applying it cannot. So
//! several terrains change all together, or none changes.

use std::ops::Range;

use glam::{I64Vec2, IVec2, UVec2};

use super::Terrain;
use super::edge_lines::EdgeLines;
use super::kernel::Guards;
use super::spaces::{Kept, Spaces};
use crate::geometry::{Aabb, Axis, Dir, Outside, Sides, saturated};
use crate::grid::{Changed, Grid, GridError, Part, Placement, in_pixels};
use crate::raster::Span;
use crate::shapes::{Circle, ConvexPolygon, Triangle};
use crate::{grid, raster};

#[derive(Clone, Copy)]
enum EditKind {
    Solid,
    OneWay(Dir),
}

impl Terrain {
    /// Returns this terrain with another outside: one [`Outside`] for all sides, or [`Sides`]. Beyond a
    /// corner of the terrain a pixel is solid if it is beyond a solid side.
    #[must_use]
    pub fn with_outside(mut self, outside: impl Into<Sides<Outside>>) -> Self {
        self.cells.frame.outside = outside.into();
        self.renewed()
    }

    /// Sets the outside of this terrain, as [`Terrain::with_outside`].
    pub fn set_outside(&mut self, outside: impl Into<Sides<Outside>>) {
        self.cells.frame.outside = outside.into();
        self.stamp.renew();
        let cells = &self.cells;
        self.spaces.update(|size, lines| *lines = EdgeLines::new(cells, size));
        // Their number depends on the outside: the next use makes them anew, or finds them too many.
        self.positions = Spaces::default();
    }

    /// Frees the memory of all configuration spaces ([`Terrain::config_space`]) and of all planes of ways.
    /// Bodies of a world then use the terrain's own queries, with the same results.
    ///
    /// ```
    /// use bitwall::{Grid, Level, glam::UVec2};
    ///
    /// let mut level = Level::from_grid(Grid::new(640, 480)?, UVec2::ONE)?;
    /// let cells = level.memory_bytes();
    /// let space = level.config_space(UVec2::new(12, 20)).memory_bytes();
    /// assert!(level.memory_bytes() > cells + space);
    /// level.drop_config_spaces();
    /// assert_eq!(level.memory_bytes(), cells);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn drop_config_spaces(&mut self) {
        self.spaces = Spaces::default();
        self.positions = Spaces::default();
    }

    /// Returns this terrain with the one-way cells `guarded`, which block a motion against their side `side`.
    /// They replace the cells that guarded this side before.
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Terrain, glam::UVec2};
    ///
    /// let ledge = Grid::from_text("....\n....\n.##.\n....")?;
    /// let terrain = Terrain::new(Grid::new(4, 4)?, UVec2::splat(16))?.with_one_way(Dir::Up, ledge)?;
    /// let falling = terrain.sweep(Aabb::from_xywh(20, 10, 10, 10), Dir::Down, 100);
    /// assert_eq!(falling.moved, 12, "it lands on the ledge");
    /// let jumping = terrain.sweep(Aabb::from_xywh(20, 50, 10, 10), Dir::Up, 30);
    /// assert_eq!(jumping.moved, 30, "it passes from below");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// [`GridError::OtherSize`] if `guarded` and the terrain's grid differ in size,
    /// [`GridError::TooManyCells`] if there is no memory.
    pub fn with_one_way(mut self, side: Dir, guarded: Grid) -> Result<Self, GridError> {
        let (found, expected) = (guarded.size(), self.cells.grid.size());
        if found != expected {
            return Err(GridError::OtherSize { found, expected });
        }
        *self.guards_mut()?.get_mut(side) = guarded;
        Ok(self.renewed())
    }

    pub(crate) fn with_guards(mut self, guards: [Grid; 4]) -> Self {
        debug_assert!(guards.iter().all(|grid| grid.size() == self.cells.grid.size()));
        self.cells.guards = Some(Guards(Box::new(guards)));
        self.renewed()
    }

    fn guards_mut(&mut self) -> Result<&mut Guards, GridError> {
        let guards = match self.cells.guards.take() {
            Some(guards) => guards,
            None => blank_guards(&self.cells.grid)?,
        };
        Ok(self.cells.guards.insert(guards))
    }

    /// Makes one cell solid or passable; outside the terrain nothing happens. Returns the pixels of the cell,
    /// or `None` if it did not change.
    ///
    /// # Errors
    /// As [`Terrain::fill`].
    pub fn set(&mut self, cell: IVec2, solid: bool) -> Result<Option<Aabb>, GridError> {
        match (u32::try_from(cell.x), u32::try_from(cell.y)) {
            (Ok(column), Ok(row)) => self.fill(column..column + 1, row..row + 1, solid),
            _ => Ok(None),
        }
    }

    /// Makes a rectangle of cells solid or passable, for doors and breakable walls; cells outside the terrain
    /// are ignored. Returns the smallest box around the pixels of all changed cells, or `None` if no cell
    /// changed. Edges beyond the range of `i32` saturate. O(rows x words of a row + columns x words of a
    /// column).
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Terrain, glam::UVec2};
    ///
    /// let mut terrain = Terrain::new(Grid::from_text("..#.")?, UVec2::new(16, 8))?;
    /// assert_eq!(terrain.fill(1..9, 0..1, false)?, Some(Aabb::from_xywh(32, 0, 16, 8)));
    /// assert_eq!(terrain.fill(1..9, 0..1, false)?, None, "it is done");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Grid::fill`]: only a fill of a sparse terrain can fail, and the terrain then stays as it was.
    pub fn fill(
        &mut self,
        columns: Range<u32>,
        rows: Range<u32>,
        solid: bool,
    ) -> Result<Option<Aabb>, GridError> {
        self.change(EditKind::Solid, |cells| grid::fill(cells, columns, rows, solid))
    }

    /// Makes the cells that lie wholly in the box `area` solid or passable, such as a door by the box of its
    /// marker. Partly covered cells stay unchanged; [`Terrain::paint`] and [`Terrain::carve`] change such
    /// cells too. The result and the cost are as for [`Terrain::fill`].
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Terrain, glam::UVec2};
    ///
    /// let mut terrain = Terrain::new(Grid::new(4, 3)?, UVec2::new(16, 8))?;
    /// let door = Aabb::from_xywh(10, 0, 40, 20);
    /// assert_eq!(terrain.set_area(door, true)?, Some(Aabb::from_xywh(16, 0, 32, 16)));
    /// assert_eq!(terrain.grid().to_string(), ".##.\n.##.\n....");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Terrain::fill`].
    pub fn set_area(&mut self, area: Aabb, solid: bool) -> Result<Option<Aabb>, GridError> {
        let cell = self.cell_size().as_i64vec2();
        // The first cell that starts in the box, and the first one that does not end in it.
        let min = (area.min.as_i64vec2().max(I64Vec2::ZERO) + cell - 1) / cell;
        let max = area.max.as_i64vec2().max(I64Vec2::ZERO) / cell;
        let (min, max) = (min.as_uvec2(), max.as_uvec2());
        self.fill(min.x..max.x, min.y..max.y, solid)
    }

    /// Sets whether a rectangle of cells guards the cells' side `side`; otherwise as [`Terrain::fill`].
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Terrain, glam::UVec2};
    ///
    /// let mut terrain = Terrain::new(Grid::new(4, 4)?, UVec2::splat(16))?;
    /// terrain.fill_one_way(Dir::Up, 0..4, 2..3, true)?; // a ledge
    /// terrain.fill_one_way(Dir::Up, 1..2, 2..3, false)?; // and a plank of it that breaks
    /// let falls = |x| terrain.sweep(Aabb::from_xywh(x, 0, 10, 10), Dir::Down, 100).moved;
    /// assert_eq!((falls(0), falls(20)), (22, 54));
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Terrain::fill`], and [`GridError::TooManyCells`] if there is no memory for one-way cells.
    pub fn fill_one_way(
        &mut self,
        side: Dir,
        columns: Range<u32>,
        rows: Range<u32>,
        guarded: bool,
    ) -> Result<Option<Aabb>, GridError> {
        if !guarded && self.cells.guards.is_none() {
            return Ok(None);
        }
        self.change(EditKind::OneWay(side), |cells| grid::fill(cells, columns, rows, guarded))
    }

    /// Makes each cell that contains a pixel of `shape` passable, with the shape's origin at `at`: a blast, a
    /// tunnel, a door of any form. On a map of tiles this opens every tile that the shape touches: see
    /// [`Terrain::set_area`]. Pixels outside the terrain, or at `i32::MAX` and beyond, are ignored.
    ///
    /// Returns the smallest box around the pixels of all changed cells, or `None` if no cell changed. O(rows
    /// of the shape + its spans + words of cells in the spans); for an [`Aabb`] as [`Terrain::fill`].
    ///
    /// ```
    /// use bitwall::glam::{IVec2, UVec2};
    /// use bitwall::shapes::Circle;
    /// use bitwall::{Aabb, Dir, Grid, Level};
    ///
    /// let mut level = Level::from_grid(Grid::new(320, 200)?, UVec2::ONE)?;
    /// level.paint(&Aabb::from_xywh(0, 100, 320, 100), IVec2::ZERO)?;
    ///
    /// let blast = Circle { center: IVec2::ZERO, radius: 20 };
    /// let changed = level.carve(&blast, IVec2::new(60, 110));
    /// assert_eq!(changed, Some(Aabb::from_xywh(40, 100, 40, 30)));
    /// let body = Aabb::from_xywh(56, 80, 8, 12);
    /// assert_eq!(level.sweep(body, Dir::Down, 100).moved, 130 - 92, "to the bottom of the crater");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn carve<B: Brush + ?Sized>(&mut self, shape: &B, at: IVec2) -> Option<Aabb> {
        never_fails(self.apply(EditKind::Solid, shape, at, false))
    }

    /// Makes each cell that contains a pixel of `shape` solid; otherwise as [`Terrain::carve`].
    ///
    /// On a map of tiles this fills every tile that the shape touches: see [`Terrain::set_area`]. A level of
    /// pixels ([`Terrain::into_pixels`]) takes the shape pixel by pixel.
    ///
    /// ```
    /// use bitwall::glam::{IVec2, UVec2};
    /// use bitwall::{Grid, Terrain};
    ///
    /// let mut terrain = Terrain::new(Grid::new(4, 3)?, UVec2::new(10, 5))?;
    /// let ramp = [(0, 15), (35, 15), (35, 5)].map(IVec2::from);
    /// terrain.paint(&ramp, IVec2::ZERO)?;
    /// assert_eq!(terrain.grid().to_string(), "....\n.###\n####", "cells that it touches");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Terrain::fill`].
    pub fn paint<B: Brush + ?Sized>(
        &mut self,
        shape: &B,
        at: IVec2,
    ) -> Result<Option<Aabb>, GridError> {
        self.apply(EditKind::Solid, shape, at, true)
    }

    /// Removes the one-way side `side` from each cell of `shape`; otherwise as [`Terrain::carve`].
    pub fn carve_one_way<B: Brush + ?Sized>(
        &mut self,
        side: Dir,
        shape: &B,
        at: IVec2,
    ) -> Option<Aabb> {
        self.cells.guards.as_ref()?;
        never_fails(self.apply(EditKind::OneWay(side), shape, at, false))
    }

    /// Makes each cell that contains a pixel of `shape` guard its side `side`; otherwise as
    /// [`Terrain::paint`].
    ///
    /// # Errors
    /// As [`Terrain::fill_one_way`].
    pub fn paint_one_way<B: Brush + ?Sized>(
        &mut self,
        side: Dir,
        shape: &B,
        at: IVec2,
    ) -> Result<Option<Aabb>, GridError> {
        self.apply(EditKind::OneWay(side), shape, at, true)
    }

    /// Returns this terrain with cells of one pixel, and the same answers. In a cell that guards a side, only
    /// the pixels along that side become one-way. Contacts name pixels instead of cells. If several pixels
    /// stop a footprint at once, the contact names the first pixel. O(runs of cells + words of pixels).
    ///
    /// # Errors
    /// [`GridError::TooManyCells`] and [`GridError::TooManyBlocks`] if the result is too large: see [`Grid`].
    pub fn into_pixels(self) -> Result<Self, GridError> {
        let cell_size = self.cell_size();
        if cell_size == UVec2::ONE {
            return Ok(self);
        }
        let pixels = Self::new(in_pixels(&self.cells.grid, cell_size, Part::All)?, UVec2::ONE)?;
        let pixels = pixels.with_outside(self.outside());
        let Some(guards) = &self.cells.guards else {
            return Ok(pixels);
        };
        let side = |side| in_pixels(guards.get(side), cell_size, Part::Side(side));
        let (left, right) = (side(Dir::Left)?, side(Dir::Right)?);
        Ok(pixels.with_guards([left, right, side(Dir::Up)?, side(Dir::Down)?]))
    }

    fn apply<B: Brush + ?Sized>(
        &mut self,
        kind: EditKind,
        shape: &B,
        at: IVec2,
        value: bool,
    ) -> Result<Option<Aabb>, GridError> {
        let frame = self.cells.frame;
        let columns_of = |columns: Range<i64>| frame.cells(Axis::X, &columns);
        let rows_of = |rows: Range<i64>| frame.cells(Axis::Y, &rows);
        let at = at.as_i64vec2();
        // The pixels of the terrain whose coordinates fit in an `i32`.
        let end = self.size().min(UVec2::splat(i32::MAX as u32)).as_i64vec2();
        if let Some(area) = shape.as_box() {
            let min = (area.min.as_i64vec2() + at).max(I64Vec2::ZERO);
            let max = (area.max.as_i64vec2() + at).min(end);
            if min.cmpge(max).any() {
                return Ok(None);
            }
            let (columns, rows) = (columns_of(min.x..max.x), rows_of(min.y..max.y));
            return self.change(kind, |cells| grid::fill(cells, columns, rows, value));
        }
        let seen = |corner: I64Vec2| IVec2::new(saturated(corner.x), saturated(corner.y));
        let clip = Aabb { min: seen(-at), max: seen(end - at) };
        self.change(kind, |cells| {
            grid::edit(cells, value, |emit| {
                shape.spans(clip, &mut |y, run| {
                    let [y, start, end] = [y, run.start, run.end].map(i64::from);
                    let row = rows_of(y + at.y..y + at.y + 1).start;
                    emit(row, columns_of(start + at.x..end + at.x));
                });
            })
        })
    }

    /// Changes cells by `edit`, which must change no cell if it fails. Returns the box of the pixels of the
    /// changed cells; `None` if no cell changed.
    fn change(
        &mut self,
        kind: EditKind,
        edit: impl FnOnce(&mut Grid) -> Result<Option<Changed>, GridError>,
    ) -> Result<Option<Aabb>, GridError> {
        let cells = match kind {
            EditKind::Solid => &mut self.cells.grid,
            EditKind::OneWay(side) => self.guards_mut()?.get_mut(side),
        };
        let Some(Changed { min, max }) = edit(cells)? else {
            return Ok(None);
        };
        self.note_change(min.x..max.x, min.y..max.y);
        let cell = self.cell_size().as_i64vec2();
        let corner = |corner: UVec2| {
            let corner = corner.as_i64vec2() * cell;
            IVec2::new(saturated(corner.x), saturated(corner.y))
        };
        Ok(Some(Aabb { min: corner(min), max: corner(max) }))
    }

    /// Renews the stamp, and remakes the lines of configuration spaces and the free positions of bodies over
    /// the changed `columns` x `rows`.
    fn note_change(&mut self, columns: Range<u32>, rows: Range<u32>) {
        self.stamp.renew();
        let cells = &self.cells;
        let mut total = self.spaces.memory_bytes();
        self.spaces.update(|size, lines| {
            if lines.patch(cells, &columns, &rows) {
                return;
            }
            // The first one-way cells of a side need more lines; they are made if all stay within the bound.
            total -= lines.memory_bytes();
            let bytes = EdgeLines::bytes_of(cells, size);
            let fits = bytes.is_some_and(|bytes| total + bytes <= Self::MAX_CONFIG_SPACE_BYTES);
            *lines = if fits { EdgeLines::new(cells, size) } else { EdgeLines::NONE };
            total += lines.memory_bytes();
        });
        self.positions.update(|_, positions| positions.patch(cells, &columns, &rows));
    }

    /// Returns this terrain with a new stamp and without configuration spaces, after a change by value.
    /// Remaking their lines here would add 11 KB to a WebAssembly module that only reads levels.
    fn renewed(mut self) -> Self {
        self.stamp.renew();
        self.spaces = Spaces::default();
        self.positions = Spaces::default();
        self
    }
}

/// Returns the box of an edit that makes cells passable. Such an edit needs no memory, so it cannot fail.
fn never_fails(edit: Result<Option<Aabb>, GridError>) -> Option<Aabb> {
    debug_assert!(edit.is_ok(), "{edit:?}");
    edit.unwrap_or(None)
}

/// Empty one-way grids for a terrain with the cells `grid`. They are sparse if `grid` is sparse.
fn blank_guards(grid: &Grid) -> Result<Guards, GridError> {
    let blank = || match grid.block_limit() {
        Some(limit) => Ok(Grid::sparse(grid.width(), grid.height())?.with_block_limit(limit)),
        None => Grid::new(grid.width(), grid.height()),
    };
    Ok(Guards(Box::new([blank()?, blank()?, blank()?, blank()?])))
}

/// A shape for the edits of a [`Terrain`]: [`carve`](super::Terrain::carve),
/// [`paint`](super::Terrain::paint), and the same for one-way cells.
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
/// Only these types implement it. The corners of a pixel (x, y) are (x, y) and (x + 1, y + 1), as in module
/// [`shapes`](crate::shapes). A polygon may have any outline, in either order; an area that the outline goes
/// around an even number of times is a hole. A pixel whose centre is exactly on an edge belongs to the
/// polygon right of the edge (or below it), so polygons that share an edge share no pixel. A shape without
/// points or without area covers nothing.
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

/// A callback for a run of pixels, with its row and its columns.
pub(crate) type Emit<'e> = dyn FnMut(i32, Range<i32>) + 'e;

/// The pixels of a [`Brush`].
pub trait Pixels {
    /// Calls `emit` with each run of the shape's pixels in `clip`, row by row downward. The runs of a row
    /// come in any order, and may overlap.
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
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        runs(self, clip, emit);
    }
}

/// Calls `emit` with each run of solid cells of `grid` in `clip`; cells beyond `i32::MAX` are left out.
pub(crate) fn runs(grid: &Grid, clip: Aabb, emit: &mut Emit<'_>) {
    let size = grid.size().min(UVec2::splat(i32::MAX as u32)).as_ivec2();
    let part = clip.intersection(Aabb { min: IVec2::ZERO, max: size });
    if part.is_empty() {
        return;
    }
    let (min, max) = (part.min.as_uvec2(), part.max.as_uvec2());
    for (row, run) in grid.runs_in(min.x..max.x, min.y..max.y) {
        emit(row as i32, run.start as i32..run.end as i32);
    }
}

fn pass(span: Span, emit: &mut Emit<'_>) {
    emit(span.y, span.start..span.end);
}

pub(crate) type CellRange = (Range<u32>, Range<u32>);

/// New cells for a rectangle of a terrain.
pub(crate) struct Chunk {
    place: CellRange,
    /// The placement of the solid cells, then of each guarded side if either terrain has one-way cells.
    placements: Vec<Placement>,
    guards: Option<Guards>,
}

impl Chunk {
    /// Returns a chunk that replaces the rectangle `cells` of `target` by the cells of `source`, with the
    /// first cell of `source` at column and row `at`. Cells outside `source` become passable.
    pub(crate) fn new(
        target: &Terrain,
        cells: CellRange,
        source: &Terrain,
        at: IVec2,
    ) -> Result<Self, GridError> {
        let (target, source) = (&target.cells, &source.cells);
        let solid = Placement::new(&target.grid, cells.clone(), &source.grid, at)?;
        let mut chunk = Self { place: cells.clone(), placements: vec![solid], guards: None };
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
        Self { place: cells, placements, guards: None }
    }

    /// Applies the chunk to the terrain that it was made for, which must not have changed since.
    pub(crate) fn apply(self, target: &mut Terrain) {
        let cells = &mut target.cells;
        if cells.guards.is_none() {
            cells.guards = self.guards;
        }
        let sides = cells.guards.iter_mut().flat_map(|guards| guards.0.iter_mut());
        let grids = std::iter::once(&mut cells.grid).chain(sides);
        grids.zip(&self.placements).for_each(|(grid, placement)| placement.apply(grid));
        let (columns, rows) = self.place;
        target.note_change(columns, rows);
    }
}

#[cfg(test)]
mod tests;
