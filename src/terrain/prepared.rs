//! Prepared sizes: for each body size in use, a terrain keeps lines of bits ([`EdgeLines`]), in which the
//! cells that a leading edge sweeps are adjacent bits. (Lozano-Pérez, "Spatial Planning: A Configuration
//! Space Approach", 1983, grows the solids by the whole body. Here they grow only by the leading edges,
//! because the rest of a body meets no new pixel.) The queries of a terrain find the lines by the size of the
//! body. A mover, a body of a world and a batch find them once, as a [`SizedTerrain`]. Queries far outside
//! the level, and the contact that ends a sweep, come from the kernel.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use glam::{IVec2, UVec2};

use super::contact::{Contact, Sweep};
use super::edge_lines::EdgeLines;
use super::kernel::{self, InTerrain, SolidCells};
use super::positions::FreePositions;
use super::{MAX_BYTES, Terrain};
use crate::geometry::{Aabb, Dir, Sides};

/// A prepared size. Clones of a terrain share what is kept for it until one of them is edited.
#[derive(Clone)]
pub(super) struct Prepared {
    size: IVec2,
    kept: Arc<Kept>,
}

#[derive(Clone)]
struct Kept {
    lines: EdgeLines,
    /// The free positions, which the first search for a way computes.
    positions: OnceLock<FreePositions>,
}

impl Prepared {
    pub(super) fn memory_bytes(&self) -> u64 {
        self.kept.lines.memory_bytes() + self.kept.positions.get().map_or(0, FreePositions::bytes)
    }

    /// Updates all that is kept after a change of the cells in a rectangle. Returns false if this needs more
    /// than `limit` bytes or memory runs out.
    fn patch(
        &mut self,
        cells: &SolidCells,
        columns: &Range<u32>,
        rows: &Range<u32>,
        limit: u64,
    ) -> bool {
        let kept = Arc::make_mut(&mut self.kept);
        if let Some(positions) = kept.positions.get_mut()
            && !positions.patch(cells, columns, rows)
        {
            kept.positions.take();
        }
        if kept.lines.patch(cells, columns, rows) {
            return true;
        }
        // The first one-way cells of a side need more lines.
        let limit = limit.saturating_sub(kept.positions.get().map_or(0, FreePositions::bytes));
        let lines = EdgeLines::new(cells, self.size, limit);
        lines.map(|lines| kept.lines = lines).is_some()
    }
}

/// [`Terrain::prepare`].
pub(super) fn prepare(terrain: &mut Terrain, size: UVec2) -> bool {
    let Some(size) = in_range(size) else {
        return false;
    };
    if lines_of(terrain, size).is_some() {
        return true;
    }
    let left = MAX_BYTES.saturating_sub(memory_bytes(terrain));
    let Some(lines) = EdgeLines::new(&terrain.cells, size, left) else {
        return false;
    };
    let kept = Arc::new(Kept { lines, positions: OnceLock::new() });
    terrain.prepared.push(Prepared { size, kept });
    true
}

/// [`Terrain::forget`].
pub(super) fn forget(terrain: &mut Terrain, size: UVec2) -> bool {
    let count = terrain.prepared.len();
    terrain.prepared.retain(|known| Some(known.size) != in_range(size));
    terrain.prepared.len() < count
}

pub(super) fn memory_bytes(terrain: &Terrain) -> u64 {
    terrain.prepared.iter().map(Prepared::memory_bytes).sum()
}

#[inline(always)]
fn lines_of(terrain: &Terrain, size: IVec2) -> Option<&EdgeLines> {
    terrain.prepared.iter().find(|known| known.size == size).map(|known| &known.kept.lines)
}

/// [`Terrain::for_size`].
#[inline]
pub(super) fn for_size(terrain: &Terrain, size: UVec2) -> Option<SizedTerrain<'_>> {
    let first = terrain.prepared.first()?;
    let size = size.as_ivec2();
    // The lines of any size do: a body of another size is answered by the kernel.
    let known = terrain.prepared.iter().find(|known| known.size == size).unwrap_or(first);
    Some(SizedTerrain { lines: &known.kept.lines, size: known.size, terrain })
}

/// Returns the terrain for the size of `body` if this size is prepared.
#[inline(always)]
fn sized(terrain: &Terrain, body: Aabb) -> Option<SizedTerrain<'_>> {
    let size = body.max.wrapping_sub(body.min);
    lines_of(terrain, size).map(|lines| SizedTerrain { lines, size, terrain })
}

/// [`Terrain::free_positions`].
pub(super) fn free_positions(terrain: &Terrain, size: UVec2) -> Option<Cow<'_, FreePositions>> {
    let size = size.clamp(UVec2::ONE, UVec2::splat(i32::MAX as u32)).as_ivec2();
    let known = terrain.prepared.iter().find(|known| known.size == size);
    if let Some(positions) = known.and_then(|known| known.kept.positions.get()) {
        return Some(Cow::Borrowed(positions));
    }
    let made = FreePositions::new(&terrain.cells, size)?;
    match known {
        Some(known) if memory_bytes(terrain) + made.bytes() <= MAX_BYTES => {
            Some(Cow::Borrowed(known.kept.positions.get_or_init(|| made)))
        }
        _ => Some(Cow::Owned(made)),
    }
}

/// Updates the prepared sizes after a change of the cells in a rectangle.
pub(super) fn patch(terrain: &mut Terrain, columns: &Range<u32>, rows: &Range<u32>) {
    let mut total = memory_bytes(terrain);
    let cells = &terrain.cells;
    terrain.prepared.retain_mut(|known| {
        total -= known.memory_bytes();
        let stays = known.patch(cells, columns, rows, MAX_BYTES - total);
        total += if stays { known.memory_bytes() } else { 0 };
        stays
    });
}

/// Computes all prepared sizes again, after a change of the outside.
pub(super) fn remake(terrain: &mut Terrain) {
    for known in std::mem::take(&mut terrain.prepared) {
        prepare(terrain, known.size.as_uvec2());
    }
}

fn in_range(size: UVec2) -> Option<IVec2> {
    IVec2::try_from(size).ok()
}

/// A terrain and the lines of one prepared size. Boxes of another size are answered by the kernel, without a
/// search for their lines.
#[derive(Clone, Copy)]
pub(crate) struct SizedTerrain<'t> {
    lines: &'t EdgeLines,
    size: IVec2,
    terrain: &'t Terrain,
}

impl fmt::Debug for SizedTerrain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SizedTerrain").field("size", &self.size).finish_non_exhaustive()
    }
}

impl<'t> SizedTerrain<'t> {
    #[inline]
    pub(crate) fn terrain(&self) -> &'t Terrain {
        self.terrain
    }

    fn cells(&self) -> &'t SolidCells {
        &self.terrain.cells
    }

    /// Returns true if the lines have answers for `body`.
    #[inline(always)]
    pub(crate) fn fits(&self, body: Aabb) -> bool {
        body.max.wrapping_sub(body.min) == self.size
    }

    /// Returns the box of this size with its top-left pixel at `at`.
    fn body(&self, at: IVec2) -> Aabb {
        Aabb { min: at, max: at.wrapping_add(self.size) }
    }

    /// Like [`Terrain::can_move`]. A step of up to 57 cells takes one memory load. A longer step takes
    /// O(64-bit words of the cells on the path).
    #[inline(always)]
    pub(crate) fn can_move(&self, body: Aabb, dir: Dir, step: u32) -> bool {
        if !self.fits(body) {
            return can_move_apart(self.terrain, body.min.into(), body.max.into(), dir, step);
        }
        match self.lines.is_clear(body.min, dir, step) {
            Some(is_clear) => is_clear,
            None => self.can_move_long(body.min, dir, step),
        }
    }

    #[inline(never)]
    fn can_move_long(&self, at: IVec2, dir: Dir, step: u32) -> bool {
        match self.lines.is_clear_long(at, dir, step) {
            Some(is_clear) => is_clear,
            None => self.can_move_far(at, dir, step),
        }
    }

    #[cold]
    #[inline(never)]
    fn can_move_far(&self, at: IVec2, dir: Dir, step: u32) -> bool {
        kernel::can_move(self.cells(), self.body(at), dir, step)
    }

    /// Like [`Terrain::free_sides`], for a body that fits. It takes only two memory loads if, on each axis,
    /// the body's length plus twice `step` is at most 57 cells.
    #[inline(always)]
    fn free_sides(&self, body: Aabb, step: u32) -> Sides<bool> {
        match self.lines.free_sides(body.min, self.size, step) {
            Some(free) => free,
            None => self.free_sides_apart(body, step),
        }
    }

    #[cold]
    fn free_sides_apart(&self, body: Aabb, step: u32) -> Sides<bool> {
        // The query is inlined in a loop. The closure of `each_side` is called, which takes 1.1 times as many
        // instructions.
        let mut free = Sides::all(false);
        for dir in Dir::ALL {
            *free.get_mut(dir) = self.can_move(body, dir, step);
        }
        free
    }

    /// Like [`Terrain::sweep`]. It is as fast as [`SizedTerrain::can_move`] if nothing stops the body, and
    /// takes O(64-bit words of the cells on the path) otherwise.
    #[inline(always)]
    pub(crate) fn sweep(&self, body: Aabb, dir: Dir, step: u32) -> Sweep {
        if !self.fits(body) {
            return sweep_apart(self.terrain, body.min.into(), body.max.into(), dir, step);
        }
        match self.lines.is_clear(body.min, dir, step) {
            Some(true) => Sweep::clear(step),
            _ => self.sweep_held(body.min, dir, step),
        }
    }

    #[cold]
    fn sweep_held(&self, at: IVec2, dir: Dir, step: u32) -> Sweep {
        match self.lines.free_distance(at, dir, step, true) {
            Some(moved) if moved == step => Sweep::clear(step),
            Some(moved) => {
                let there = self.body(at).shifted(dir, moved);
                let contact = match self.terrain.one_way(dir.opposite()) {
                    None => self.contact_of_solid(there, dir),
                    Some(_) => kernel::sweep_held(there, self.cells(), dir, 1).contact,
                };
                Sweep { step, moved, contact }
            }
            None => kernel::sweep(self.cells(), self.body(at), dir, step),
        }
    }

    /// Like [`Terrain::sweep_through_one_way`].
    pub(crate) fn sweep_through_one_way(&self, body: Aabb, dir: Dir, step: u32) -> Sweep {
        if !self.fits(body) {
            return kernel::sweep_through_one_way(self.cells(), body, dir, step);
        }
        match self.lines.free_distance(body.min, dir, step, false) {
            Some(moved) if moved == step => Sweep::clear(step),
            Some(moved) => {
                let contact = self.contact_of_solid(body.shifted(dir, moved), dir);
                Sweep { step, moved, contact }
            }
            None => kernel::sweep_through_one_way(self.cells(), body, dir, step),
        }
    }

    fn contact_of_solid(&self, body: Aabb, dir: Dir) -> Option<Contact> {
        kernel::contact(self.cells(), body, dir)
            .or_else(|| kernel::sweep_through_one_way(self.cells(), body, dir, 1).contact)
    }

    /// Like [`Terrain::overlaps`]. Takes O(64-bit words of a row of the body).
    pub(crate) fn overlaps(&self, body: Aabb) -> bool {
        if !self.fits(body) {
            return kernel::overlaps(self.cells(), body);
        }
        // The box of this body is exactly the area that a body one width to the left sweeps on its way here.
        let before = IVec2::new(body.min.x.wrapping_sub(self.size.x), body.min.y);
        match self.lines.is_clear_of_solids(before, Dir::Right, self.size.x as u32) {
            Some(is_clear) => !is_clear,
            None => self.overlaps_apart(body),
        }
    }

    #[cold]
    fn overlaps_apart(&self, body: Aabb) -> bool {
        match self.rest_of_overlap(body, Dir::Right) {
            Some(rest) => rest > 0,
            None => kernel::overlaps(self.cells(), body),
        }
    }

    /// Returns the distance that the body must move toward `dir` to leave all solids that it overlaps now; 0
    /// if it overlaps none. Solids farther away do not count. `None` if the body is far outside the level, or
    /// has another size there.
    fn rest_of_overlap(&self, body: Aabb, dir: Dir) -> Option<u32> {
        // The box of this body is exactly the area that a body just beyond it sweeps on its way back.
        let extent = body.extent(dir.axis());
        let beyond = body.shifted(dir, extent);
        if !self.fits(beyond) {
            return None;
        }
        let moved = self.lines.free_distance(beyond.min, dir.opposite(), extent, false)?;
        Some(extent - moved)
    }

    /// Like [`Terrain::nearest_free`]. Takes at most O(64-bit words of a row or column of the body) for each
    /// solid on the path.
    pub(crate) fn nearest_free(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        let mut distance = 0;
        while distance <= limit {
            let there = body.shifted(dir, distance);
            let rest = if self.fits(there) { self.rest_of_overlap(there, dir) } else { None };
            match rest {
                Some(0) => return Some(distance),
                Some(rest) => distance += rest,
                None => {
                    let left = limit - distance;
                    return Some(distance + kernel::nearest_free(self.cells(), there, dir, left)?);
                }
            }
        }
        None
    }
}

impl InTerrain for Aabb {
    #[inline(always)]
    fn can_move(self, terrain: &Terrain, dir: Dir, step: u32) -> bool {
        if terrain.prepared.is_empty() {
            kernel::can_move(&terrain.cells, self, dir, step)
        } else {
            can_move(terrain, self.min.into(), self.max.into(), dir, step)
        }
    }

    fn free_sides(self, terrain: &Terrain, step: u32) -> Sides<bool> {
        match sized(terrain, self) {
            Some(sized) => sized.free_sides(self, step),
            None => kernel::each_side(|dir| kernel::can_move(&terrain.cells, self, dir, step)),
        }
    }

    #[inline(always)]
    fn sweep(self, terrain: &Terrain, dir: Dir, step: u32) -> Sweep {
        if terrain.prepared.is_empty() {
            kernel::sweep(&terrain.cells, self, dir, step)
        } else {
            sweep(terrain, self.min.into(), self.max.into(), dir, step)
        }
    }

    fn sweep_through_one_way(self, terrain: &Terrain, dir: Dir, step: u32) -> Sweep {
        match sized(terrain, self) {
            Some(sized) => sized.sweep_through_one_way(self, dir, step),
            None => kernel::sweep_through_one_way(&terrain.cells, self, dir, step),
        }
    }

    #[inline]
    fn overlaps(self, terrain: &Terrain) -> bool {
        if terrain.cells.frame.has_large_cells() || terrain.prepared.is_empty() {
            kernel::overlaps(&terrain.cells, self)
        } else {
            overlaps(terrain, self)
        }
    }

    fn nearest_free(self, terrain: &Terrain, dir: Dir, limit: u32) -> Option<u32> {
        match sized(terrain, self) {
            Some(sized) => sized.nearest_free(self, dir, limit),
            None => kernel::nearest_free(&terrain.cells, self, dir, limit),
        }
    }

    fn first_overlap(self, terrain: &Terrain) -> Option<IVec2> {
        // The top edge sweeps down through the box and meets the first row with a solid.
        let top = self.edge(Dir::Up);
        let sweep = kernel::sweep_through_one_way(&terrain.cells, top, Dir::Down, self.height());
        let cell = terrain.cell_box(sweep.contact?.cell);
        let row = self.min.y.saturating_add_unsigned(sweep.moved);
        Some(IVec2::new(cell.min.x.max(self.min.x), row))
    }

    fn solid_area(self, terrain: &Terrain) -> u64 {
        kernel::solid_area(&terrain.cells, self)
    }

    fn overlap_normal(self, terrain: &Terrain) -> IVec2 {
        let [left, right, up, down] =
            Dir::ALL.map(|dir| i128::from(self.shifted(dir, 1).solid_area(terrain)));
        let [x, y] = [left - right, up - down]
            .map(|less| less.clamp(i32::MIN.into(), i32::MAX.into()) as i32);
        IVec2::new(x, y)
    }

    fn pixel_count(self) -> u64 {
        u64::from(self.width()) * u64::from(self.height())
    }
}

// The queries of a terrain that has prepared sizes, for a body of any size. They are called only from the
// queries above, which are inlined and test first whether any size is prepared. Each is a function of
// its own, and a common case never shares its function with a rare one: registers that a rare case needs
// would be saved in all cases. Corners are arrays, because an array of this size is passed in one register,
// and an `IVec2` in two.

type Corner = [i32; 2];

#[inline(always)]
fn size_of(min: Corner, max: Corner) -> IVec2 {
    IVec2::from(max).wrapping_sub(min.into())
}

#[inline(always)]
fn body_of(min: Corner, max: Corner) -> Aabb {
    Aabb { min: min.into(), max: max.into() }
}

#[cold]
#[inline(never)]
fn can_move(terrain: &Terrain, min: Corner, max: Corner, dir: Dir, step: u32) -> bool {
    let Some(lines) = lines_of(terrain, size_of(min, max)) else {
        return can_move_apart(terrain, min, max, dir, step);
    };
    let is_clear = if lines.is_fine() {
        lines.is_clear_of::<true>(min.into(), dir, step)
    } else if lines.has_edges(dir) {
        return can_move_past_edges(terrain, min, max, dir, step);
    } else {
        lines.is_clear_of::<false>(min.into(), dir, step)
    };
    match is_clear {
        Some(is_clear) => is_clear,
        None => can_move_long(terrain, min, max, dir, step),
    }
}

#[inline(never)]
fn can_move_past_edges(terrain: &Terrain, min: Corner, max: Corner, dir: Dir, step: u32) -> bool {
    let lines = lines_of(terrain, size_of(min, max));
    match lines.and_then(|lines| lines.is_clear_of::<false>(min.into(), dir, step)) {
        Some(true) => true,
        _ => can_move_long(terrain, min, max, dir, step),
    }
}

#[inline(never)]
fn can_move_long(terrain: &Terrain, min: Corner, max: Corner, dir: Dir, step: u32) -> bool {
    let body = body_of(min, max);
    let is_clear = sized(terrain, body).map(|sized| sized.can_move_long(min.into(), dir, step));
    is_clear.unwrap_or_else(|| kernel::can_move(&terrain.cells, body, dir, step))
}

#[inline(never)]
fn can_move_apart(terrain: &Terrain, min: Corner, max: Corner, dir: Dir, step: u32) -> bool {
    kernel::can_move(&terrain.cells, body_of(min, max), dir, step)
}

#[cold]
#[inline(never)]
fn sweep(terrain: &Terrain, min: Corner, max: Corner, dir: Dir, step: u32) -> Sweep {
    match lines_of(terrain, size_of(min, max)).map(|lines| lines.is_clear(min.into(), dir, step)) {
        Some(Some(true)) => Sweep::clear(step),
        Some(_) => sweep_held(terrain, min, max, dir, step),
        None => sweep_apart(terrain, min, max, dir, step),
    }
}

#[inline(never)]
fn sweep_held(terrain: &Terrain, min: Corner, max: Corner, dir: Dir, step: u32) -> Sweep {
    let body = body_of(min, max);
    let sweep = sized(terrain, body).map(|sized| sized.sweep_held(min.into(), dir, step));
    sweep.unwrap_or_else(|| kernel::sweep(&terrain.cells, body, dir, step))
}

#[inline(never)]
fn sweep_apart(terrain: &Terrain, min: Corner, max: Corner, dir: Dir, step: u32) -> Sweep {
    kernel::sweep(&terrain.cells, body_of(min, max), dir, step)
}

#[inline(never)]
fn overlaps(terrain: &Terrain, body: Aabb) -> bool {
    match sized(terrain, body) {
        Some(sized) => sized.overlaps(body),
        None => kernel::overlaps(&terrain.cells, body),
    }
}

#[cfg(test)]
mod tests;
