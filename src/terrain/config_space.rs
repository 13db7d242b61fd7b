//! The configuration space of a terrain for one body size. In this space a body is a single point, and the
//! cells that it sweeps are adjacent bits, which one memory load reads. Queries far outside the level, and
//! the contact that ends a sweep, are computed by the terrain.

use std::fmt;

use glam::{IVec2, UVec2};

use super::contact::{Contact, Sweep};
use super::edge_lines::{EdgeLines, Lines};
use super::kernel::{self, sweep_held};
use super::{Terrain, bits};
use crate::geometry::{Aabb, Dir, Sides};

/// The queries of a [`Terrain`] or a [`Level`](crate::Level) for boxes of one size, two to four times as
/// fast. Created by [`Terrain::config_space`] and [`Level::config_space`](crate::Level::config_space).
///
/// A query names a body by the position of its top-left pixel. Each answer equals the terrain's answer for
/// the box at that position, including one-way cells, the outside and bodies that start in solids. The trait
/// [`Solids`](crate::Solids) takes boxes instead of positions. There, boxes of another size are passed on to
/// the terrain.
///
/// A leading edge covers several rows or columns of cells. The space combines them ahead of time into lines
/// of bits, by a bitwise or. (Lozano-Pérez, "Spatial Planning: A Configuration Space Approach", 1983, grows
/// the solids by the whole body. Here they grow only by the leading edges, because the rest of a body meets
/// no new pixel.) The terrain owns the lines and updates them with its edits; a space only borrows them.
///
/// A space has no lines in these cases:
/// * The terrain is sparse, or very long and narrow.
/// * The terrain is smaller than the body, or the body covers no pixel.
/// * A side of the terrain has 130,000 cells that are larger than a pixel, or 2^31 pixels.
/// * The lines of all sizes would exceed [`Terrain::MAX_CONFIG_SPACE_BYTES`].
///
/// The terrain then answers at its own speed, and [`ConfigSpace::memory_bytes`] is 0.
///
/// ```
/// use bitwall::{Aabb, Dir, Grid, Level, glam::IVec2, glam::UVec2};
///
/// let level = Level::from_grid(Grid::from_text("........\n.....#..\n........")?, UVec2::splat(16))?;
/// let space = level.config_space(UVec2::new(12, 20));
/// let at = IVec2::new(8, 8);
/// assert!(space.can_move(at, Dir::Right, 60));
/// assert_eq!(space.sweep(at, Dir::Right, 90).moved, 60, "the block is at x 80");
/// assert_eq!(space.sweep(at, Dir::Right, 90), level.sweep(space.body(at), Dir::Right, 90));
/// # Ok::<(), bitwall::grid::GridError>(())
/// ```
#[derive(Clone, Copy)]
pub struct ConfigSpace<'t> {
    lines: Lines<'t>,
    size: IVec2,
    terrain: &'t Terrain,
    areas: &'t [(String, Terrain)],
}

impl<'t> ConfigSpace<'t> {
    pub(super) fn new(terrain: &'t Terrain, size: IVec2, edge_lines: &'t EdgeLines) -> Self {
        Self { lines: edge_lines.lines(), size, terrain, areas: &[] }
    }

    pub(crate) fn with_areas(self, areas: &'t [(String, Terrain)]) -> Self {
        Self { areas, ..self }
    }

    pub(crate) fn areas(&self) -> &'t [(String, Terrain)] {
        self.areas
    }

    /// Returns the terrain whose queries this space answers.
    #[inline]
    pub fn terrain(&self) -> &'t Terrain {
        self.terrain
    }

    /// Returns the width and height of the bodies in pixels.
    #[inline]
    pub fn size(&self) -> UVec2 {
        self.size.as_uvec2()
    }

    /// Returns the box of a body with its top-left pixel at `at`. An edge beyond the range of `i32`
    /// saturates.
    #[inline]
    pub fn body(&self, at: IVec2) -> Aabb {
        Aabb { min: at, max: at.saturating_add(self.size) }
    }

    /// Returns the top-left pixel of `body`; `None` if `body` does not have the size of this space.
    #[inline(always)]
    pub(crate) fn place(&self, body: Aabb) -> Option<IVec2> {
        (body.max.wrapping_sub(body.min) == self.size).then_some(body.min)
    }

    /// Returns the memory of the lines of bits in bytes; 0 if the space has no lines.
    pub fn memory_bytes(&self) -> u64 {
        self.lines.memory_bytes()
    }

    /// Returns true if a body with its top-left pixel at `at` can move `step` pixels toward `dir`.
    /// [`Terrain::can_move`] states the rules. A step of up to 57 cells takes one memory load, and a step of
    /// up to 185 cells takes three. A longer step takes O(64-bit words of the cells on the path).
    #[inline(always)]
    pub fn can_move(&self, at: IVec2, dir: Dir, step: u32) -> bool {
        match self.lines.is_clear(at, dir, step) {
            Some(is_clear) => is_clear,
            None => self.can_move_long(at, dir, step),
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
        self.terrain.can_move(self.body(at), dir, step)
    }

    /// Returns for each of the four directions whether a body with its top-left pixel at `at` can move `step`
    /// pixels. It takes only two memory loads if, on each axis, the body's length plus twice `step` is at
    /// most 57 cells. Otherwise each direction is tested separately.
    ///
    /// ```
    /// use bitwall::{Grid, Sides, Terrain, glam::IVec2, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("...#\n...#")?, UVec2::splat(8))?;
    /// let space = terrain.config_space(UVec2::splat(8));
    /// let free = space.free_sides(IVec2::new(16, 0), 3);
    /// assert_eq!(free, Sides { left: true, right: false, up: false, down: true });
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    #[inline]
    pub fn free_sides(&self, at: IVec2, step: u32) -> Sides<bool> {
        match self.lines.free_sides(at, self.size, step) {
            Some(free) => free,
            None => self.free_sides_apart(at, step),
        }
    }

    #[cold]
    fn free_sides_apart(&self, at: IVec2, step: u32) -> Sides<bool> {
        let [left, right, up, down] = Dir::ALL.map(|dir| self.can_move(at, dir, step));
        Sides { left, right, up, down }
    }

    /// Returns the distance that a body with its top-left pixel at `at` can move, and the contact that stops
    /// it, like [`Terrain::sweep`]. It is as fast as [`ConfigSpace::can_move`] if nothing stops the body, and
    /// takes O(64-bit words of the cells on the path) otherwise.
    #[inline(always)]
    pub fn sweep(&self, at: IVec2, dir: Dir, step: u32) -> Sweep {
        match self.lines.is_clear(at, dir, step) {
            Some(true) => Sweep::clear(step),
            _ => self.sweep_apart(at, dir, step),
        }
    }

    #[cold]
    fn sweep_apart(&self, at: IVec2, dir: Dir, step: u32) -> Sweep {
        match self.lines.free_distance(at, dir, step) {
            Some(moved) if moved == step => Sweep::clear(step),
            Some(moved) => {
                let there = self.body(at).shifted(dir, moved);
                let contact = match self.terrain.one_way(dir.opposite()) {
                    None => self.contact_of_solid(there, dir),
                    Some(_) => sweep_held(there, &self.terrain.cells, dir, 1).contact,
                };
                Sweep { step, moved, contact }
            }
            None => self.terrain.sweep(self.body(at), dir, step),
        }
    }

    /// Sweeps a body like [`ConfigSpace::sweep`], but ignores one-way cells.
    pub fn sweep_through_one_way(&self, at: IVec2, dir: Dir, step: u32) -> Sweep {
        match self.lines.without_one_way().free_distance(at, dir, step) {
            Some(moved) if moved == step => Sweep::clear(step),
            Some(moved) => {
                let there = self.body(at).shifted(dir, moved);
                Sweep { step, moved, contact: self.contact_of_solid(there, dir) }
            }
            None => self.terrain.sweep_through_one_way(self.body(at), dir, step),
        }
    }

    fn contact_of_solid(&self, body: Aabb, dir: Dir) -> Option<Contact> {
        kernel::contact(&self.terrain.cells, body, dir)
            .or_else(|| self.terrain.sweep_through_one_way(body, dir, 1).contact)
    }

    /// Returns true if a body with its top-left pixel at `at` overlaps a solid, like [`Terrain::overlaps`].
    /// Takes O(64-bit words of a row of the body).
    pub fn overlaps(&self, at: IVec2) -> bool {
        // The box of this body is exactly the area that a body one width to the left sweeps on its way here.
        let size = self.size;
        let before = IVec2::new(at.x.wrapping_sub(size.x), at.y);
        let lines = self.lines.without_one_way();
        match lines.is_clear(before, Dir::Right, size.x as u32) {
            Some(is_clear) => !is_clear,
            None => self.overlaps_apart(at),
        }
    }

    #[cold]
    fn overlaps_apart(&self, at: IVec2) -> bool {
        match self.rest_of_overlap(at, Dir::Right) {
            Some(rest) => rest > 0,
            None => self.terrain.overlaps(self.body(at)),
        }
    }

    /// Returns the distance that the body must move toward `dir` to leave all solids that it overlaps now; 0
    /// if it overlaps none. Solids farther away do not count. `None` if the body is far outside the level.
    fn rest_of_overlap(&self, at: IVec2, dir: Dir) -> Option<u32> {
        // The box of this body is exactly the area that a body just beyond it sweeps on its way back.
        let extent = self.body(at).extent(dir.axis());
        let beyond = self.body(at).shifted(dir, extent);
        let lines = self.lines.without_one_way();
        let moved = lines.free_distance(self.place(beyond)?, dir.opposite(), extent)?;
        Some(extent - moved)
    }

    /// Returns the smallest distance toward `dir`, at most `limit` pixels, at which the body overlaps no
    /// solid, like [`Terrain::nearest_free`]. The body's top-left pixel is at `at`. Takes at most O(64-bit
    /// words of a row or column of the body) for each solid on the path.
    pub fn nearest_free(&self, at: IVec2, dir: Dir, limit: u32) -> Option<u32> {
        let mut distance = 0;
        while distance <= limit {
            let there = self.body(at).shifted(dir, distance);
            match self.place(there).and_then(|place| self.rest_of_overlap(place, dir)) {
                Some(0) => return Some(distance),
                Some(rest) => distance += rest,
                None => {
                    let more = self.terrain.nearest_free(there, dir, limit - distance)?;
                    return Some(distance + more);
                }
            }
        }
        None
    }

    /// Tests for many bodies whether they can move, like [`Terrain::can_move_batch`]. `places` has the
    /// top-left pixel of each body.
    pub fn can_move_batch(
        &self,
        places: &[IVec2],
        dirs: &[Dir],
        steps: &[u32],
        free: &mut [u64],
    ) -> usize {
        let count = places.len().min(dirs.len()).min(steps.len());
        bits(free, count, |at| self.can_move(places[at], dirs[at], steps[at]))
    }
}

impl fmt::Debug for ConfigSpace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConfigSpace")
            .field("size", &self.size())
            .field("memory_bytes", &self.memory_bytes())
            .field("terrain", &self.terrain)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
