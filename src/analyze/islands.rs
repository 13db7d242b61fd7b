//! Finds solid parts that an edit has cut off, such as ground that comes loose and falls.

use std::collections::BTreeMap;
use std::ops::Range;

use glam::{IVec2, UVec2};

use super::components::Connectivity;
use crate::footprint::{Footprint, FootprintError};
use crate::geometry::{Aabb, Outside};
use crate::grid::Grid;
use crate::terrain::{Emit, Pixels, Terrain};

type CellRun = (u32, Range<u32>);

/// A connected part of a terrain's solid cells without support: see [`islands`].
///
/// An island is a [`Brush`](crate::terrain::Brush) at its own position. `carve(&island, IVec2::ZERO)` removes
/// the island from its terrain, and `paint(&island, translation)` adds the island again elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Island {
    /// The runs of cells, sorted by row and then by column. Runs of one row do not touch.
    runs: Vec<CellRun>,
    cell_count: u64,
    bounds: Aabb,
    cell_size: UVec2,
}

impl Island {
    /// The smallest box around the island's pixels.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The number of cells in the island.
    pub fn cell_count(&self) -> u64 {
        self.cell_count
    }

    /// The runs of neighbouring cells, from the top, then from the left: the row and columns of each run.
    pub fn runs(&self) -> impl Iterator<Item = (u32, Range<u32>)> {
        self.runs.iter().cloned()
    }

    /// The island's pixels as a body. [`Footprint::at`] with `bounds().min` puts the body at the island's own
    /// position. O(runs + pixels / 64).
    ///
    /// # Errors
    /// [`FootprintError::TooLarge`] beyond [`Footprint::MAX_SIDE`].
    pub fn footprint(&self) -> Result<Footprint, FootprintError> {
        let size = self.bounds.size();
        if size.max_element() > Footprint::MAX_SIDE {
            return Err(FootprintError::TooLarge(size));
        }
        let pixels = Grid::new(size.x, size.y).and_then(|grid| Terrain::new(grid, UVec2::ONE));
        let mut pixels = pixels.map_err(|_| FootprintError::NoMemory(size))?;
        let painted = pixels.paint(self, -self.bounds.min);
        painted.map_err(|_| FootprintError::NoMemory(size))?;
        Footprint::from_grid(pixels.grid())
    }
}

impl Pixels for Island {
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        let [width, height] = self.cell_size.to_array().map(i64::from);
        for runs in self.runs.chunk_by(|one, next| one.0 == next.0) {
            let top = runs.first().map_or(0, |(row, _)| i64::from(*row) * height);
            for y in part(top, top + height, clip.min.y, clip.max.y) {
                for (_, run) in runs {
                    let [left, right] =
                        [run.start, run.end].map(|column| i64::from(column) * width);
                    let columns = part(left, right, clip.min.x, clip.max.x);
                    if !columns.is_empty() {
                        emit(y, columns);
                    }
                }
            }
        }
    }
}

/// Returns the part of `from..to` in `least..most`.
fn part(from: i64, to: i64, least: i32, most: i32) -> Range<i32> {
    let from = from.max(least.into());
    let to = to.min(most.into());
    // Both ends fit in `i32` if the range is not empty.
    if from < to { from as i32..to as i32 } else { 0..0 }
}

/// Finds the solid parts that an edit of the box `near` has cut off: parts without support that have a cell
/// in the box or beside it.
///
/// The islands are sorted by their first cells, from the top, then from the left.
///
/// A part is ground, and not returned, if
/// * one of its cells is at a side of the terrain that is solid outside ([`Terrain::outside`]), or
/// * it has more than `limit` cells. So a large part never falls, and its search ends after `limit` cells.
///
/// With [`Connectivity::Four`] a cell that is attached only by a corner falls. One-way cells support nothing.
/// O(runs x log runs) for the runs of the islands, and of up to `limit` cells of each part of ground.
///
/// ```
/// use bitwall::analyze::{Connectivity, islands};
/// use bitwall::glam::{IVec2, UVec2};
/// use bitwall::{Aabb, Dir, Grid, Level};
///
/// let grid = Grid::from_text("........\n.####...\n....#...\n....#...\n########")?;
/// let mut level = Level::from_grid(grid, UVec2::ONE)?;
/// let changed = level.carve(&Aabb::from_xywh(4, 2, 3, 1), IVec2::ZERO).expect("a cell was solid");
///
/// let loose = islands(&level, changed, Connectivity::Four, 1_000);
/// assert_eq!(loose.len(), 1, "the rest stands on the floor, and the floor on the outside");
/// level.carve(&loose[0], IVec2::ZERO);
///
/// let (body, place) = (loose[0].footprint()?, loose[0].bounds().min);
/// let fall = level.sweep(body.at(place), Dir::Down, 100);
/// assert_eq!(fall.moved, 1, "onto the rest of the pillar");
/// level.paint(&body, place + IVec2::new(0, 1))?;
/// assert_eq!(level.grid().to_string(), "........\n........\n.####...\n....#...\n########");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn islands(
    terrain: &Terrain,
    near: Aabb,
    connectivity: Connectivity,
    limit: u64,
) -> Vec<Island> {
    if near.is_empty() {
        return Vec::new();
    }
    let size = terrain.grid().size();
    let first = terrain.cell_at(near.min).saturating_sub(IVec2::ONE).max(IVec2::ZERO).as_uvec2();
    let last = terrain.cell_at(near.max - 1).saturating_add(IVec2::splat(2)).max(IVec2::ZERO);
    let last = last.as_uvec2().min(size);
    if first.cmpge(last).any() {
        return Vec::new();
    }
    let mut flood = Flood { terrain, connectivity, limit, parts: BTreeMap::new(), count: 0 };
    let seeds = terrain.grid().runs_in(first.x..last.x, first.y..last.y);
    let found =
        seeds.filter_map(|(row, run)| flood.part((row, terrain.grid().run_at(run.start, row))));
    let mut found: Vec<Island> = found.collect();
    found.sort_by_key(|island| island.runs.first().map(|(row, run)| (*row, run.start)));
    found
}

/// A search for islands that visits each run of cells once.
struct Flood<'t> {
    terrain: &'t Terrain,
    connectivity: Connectivity,
    limit: u64,
    /// The part number of each visited run. The key is the run's row and first column.
    parts: BTreeMap<(u32, u32), usize>,
    count: usize,
}

impl Flood<'_> {
    /// Searches the part of the run `seed`. Returns the part if nothing supports it; `None` if the part is
    /// ground, or if the run was visited before.
    fn part(&mut self, seed: CellRun) -> Option<Island> {
        if self.parts.contains_key(&(seed.0, seed.1.start)) {
            return None;
        }
        let number = self.count;
        self.count += 1;
        self.parts.insert((seed.0, seed.1.start), number);
        let mut runs = vec![seed];
        let mut visited = 0;
        let mut cell_count = 0;
        while let Some((row, run)) = runs.get(visited).cloned() {
            visited += 1;
            cell_count += u64::from(run.end - run.start);
            if cell_count > self.limit || self.is_at_solid_side(row, &run) {
                return None;
            }
            let reach = u32::from(self.connectivity == Connectivity::Eight);
            let grid = self.terrain.grid();
            let columns = run.start.saturating_sub(reach)..(run.end + reach).min(grid.width());
            let rows = [row.checked_sub(1), Some(row + 1).filter(|row| *row < grid.height())];
            for row in rows.into_iter().flatten() {
                for (_, beside) in grid.runs_in(columns.clone(), row..row + 1) {
                    let whole = grid.run_at(beside.start, row);
                    match self.parts.get(&(row, whole.start)) {
                        Some(part) if *part == number => {}
                        // A run of another part was visited only if the search of that part ended early, so
                        // that part is ground.
                        Some(_) => return None,
                        None => {
                            self.parts.insert((row, whole.start), number);
                            runs.push((row, whole));
                        }
                    }
                }
            }
        }
        runs.sort_by_key(|(row, run)| (*row, run.start));
        let first = self.bounds_of(runs[0].0, &runs[0].1);
        let bounds = runs.iter().fold(first, |all, (row, run)| all.hull(self.bounds_of(*row, run)));
        Some(Island { runs, cell_count, bounds, cell_size: self.terrain.cell_size() })
    }

    fn is_at_solid_side(&self, row: u32, run: &Range<u32>) -> bool {
        let size = self.terrain.grid().size();
        let outside = self.terrain.outside();
        run.start == 0 && outside.left == Outside::Solid
            || run.end == size.x && outside.right == Outside::Solid
            || row == 0 && outside.up == Outside::Solid
            || row + 1 == size.y && outside.down == Outside::Solid
    }

    fn bounds_of(&self, row: u32, run: &Range<u32>) -> Aabb {
        let [first, last] = [run.start, run.end - 1].map(|column| {
            let cell = UVec2::new(column, row).min(UVec2::splat(i32::MAX as u32));
            self.terrain.cell_box(cell.as_ivec2())
        });
        first.hull(last)
    }
}

#[cfg(test)]
mod tests;
