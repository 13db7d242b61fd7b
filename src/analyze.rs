//! Analyzes a whole level: connected parts, the free space of a body, and the difference of two levels.
//! Results are exact integers. Time and memory are proportional to the number of 64-bit words in the grid and
//! the number of runs. A run is a sequence of neighbouring cells in a row. A level over a stated limit gives
//! the error [`TooComplex`].
// Sets of cells or positions are bands of runs: a band is one row, or several consecutive rows with the same
// runs. The runs of a band are half-open ranges of columns, sorted from left to right, and do not touch.

mod components;
mod difference;
mod free_space;
mod islands;

pub use components::{CellKind, Components, Connectivity, components};
pub use difference::{BodyDifference, ChangedPatch, LevelDifference, Passage, difference};
pub use free_space::{FreeSpace, boxes_at, free_space};
pub use islands::{Island, islands};

use std::fmt;
use std::ops::Range;

use glam::IVec2;

use crate::geometry::Aabb;
use crate::grid::{Grid, runs_of_bits};

/// The largest number of runs (neighbouring cells or positions in a row) in one [`Bands`]. 2^21 runs take 32
/// MiB, with a number per run for its connected part.
const MAX_RUNS: usize = 1 << 21;

/// The largest number of 64-bit words read for one set of cells. 2^23 words hold 2^29 cells.
const MAX_WORDS: u64 = 1 << 23;

/// The error of a level that is too complex to analyze.
///
/// Such a level has more than 2^21 runs of cells (a row of `##..#` has two solid runs), more than 2^29 cells,
/// or a side over 2^30 pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooComplex;

impl fmt::Display for TooComplex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it has more than {MAX_RUNS} runs of cells, or too many cells to read")
    }
}

impl std::error::Error for TooComplex {}

/// One row or several consecutive rows with the same runs. `runs` are indices into [`Bands::runs`].
#[derive(Clone, Debug, PartialEq, Eq)]
struct Band {
    rows: Range<i32>,
    runs: Range<u32>,
}

/// A set of cells or positions. The bands are sorted from the top down, and do not overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Bands {
    bands: Vec<Band>,
    runs: Vec<Range<i32>>,
}

impl Bands {
    /// The solid cells of `grid` if `solid` is true, else the passable cells, as bands of pixels. `cell` is
    /// the size of a cell in pixels; the grid starts at `origin`. Each row of cells is a band.
    fn of_cells(grid: &Grid, solid: bool, cell: IVec2, origin: IVec2) -> Result<Self, TooComplex> {
        let stripes = grid.width().div_ceil(64);
        if u64::from(stripes) * u64::from(grid.height()) > MAX_WORDS {
            return Err(TooComplex);
        }
        let mut bands = Self::default();
        let mut line = vec![0; stripes as usize];
        for row in 0..grid.height() {
            for (column, word) in (0..).step_by(64).zip(&mut line) {
                *word = grid.row_word(column, row);
            }
            let y = origin.y + row as i32 * cell.y;
            let runs = runs_of_bits(grid.width(), |at| {
                if solid { line[at as usize] } else { !line[at as usize] }
            });
            let mut runs = runs.map(|run| {
                let [start, end] = [run.start, run.end].map(|at| origin.x + at as i32 * cell.x);
                start..end
            });
            bands.push(y..y + cell.y, &mut runs)?;
        }
        Ok(bands)
    }

    fn translated(mut self, by: IVec2) -> Self {
        for band in &mut self.bands {
            band.rows = band.rows.start + by.y..band.rows.end + by.y;
        }
        for run in &mut self.runs {
            *run = run.start + by.x..run.end + by.x;
        }
        self
    }

    fn push(
        &mut self,
        rows: Range<i32>,
        runs: &mut dyn Iterator<Item = Range<i32>>,
    ) -> Result<(), TooComplex> {
        let first = self.runs.len() as u32;
        for run in runs {
            if self.runs.len() == MAX_RUNS {
                return Err(TooComplex);
            }
            self.runs.push(run);
        }
        self.bands.push(Band { rows, runs: first..self.runs.len() as u32 });
        Ok(())
    }

    fn runs_of(&self, runs: &Range<u32>) -> &[Range<i32>] {
        self.runs.get(runs.start as usize..runs.end as usize).unwrap_or_default()
    }

    /// The index of the run that contains this column of this row; `None` without such a run. O(log bands +
    /// log runs).
    fn run_at(&self, column: i32, row: i32) -> Option<u32> {
        let band = self.bands.partition_point(|band| band.rows.end <= row);
        let band = self.bands.get(band).filter(|band| band.rows.start <= row)?;
        let runs = self.runs_of(&band.runs);
        let index = runs.partition_point(|run| run.end <= column);
        runs.get(index).filter(|run| run.start <= column).map(|_| band.runs.start + index as u32)
    }

    fn rows_of_runs(&self) -> Vec<Range<i32>> {
        let mut rows = Vec::with_capacity(self.runs.len());
        for band in &self.bands {
            rows.resize(band.runs.end as usize, band.rows.clone());
        }
        rows
    }

    /// The columns and rows of each run, and its part number from `labels`. The runs are ordered from the
    /// top, then from the left.
    fn labelled<'b>(
        &'b self,
        labels: &'b [u32],
    ) -> impl Iterator<Item = (Range<i32>, Range<i32>, usize)> {
        let mut band = 0;
        (0..).zip(self.runs.iter().zip(labels)).map(move |(number, (run, label))| {
            while self.bands[band].runs.end <= number {
                band += 1;
            }
            (run.clone(), self.bands[band].rows.clone(), *label as usize)
        })
    }

    /// The part number of each run, in the order of the parts' first runs, and the number of parts. Touching
    /// runs are in one part; with `corners`, a shared corner counts as touching.
    fn labels(&self, corners: bool) -> (Vec<u32>, u32) {
        let mut parts = Union::new(self.runs.len());
        self.for_each_contact(corners, &mut |upper, lower| {
            parts.join(upper, lower);
        });
        parts.labels()
    }

    /// The parts of [`Bands::labels`], which returns both arguments.
    fn parts(&self, labels: &[u32], count: u32) -> Vec<ConnectedPart> {
        let none = Aabb { min: IVec2::MAX, max: IVec2::MIN };
        let mut parts =
            vec![ConnectedPart { size: 0, first: IVec2::ZERO, area: none }; count as usize];
        for (columns, rows, label) in self.labelled(labels) {
            let part = &mut parts[label];
            let first = IVec2::new(columns.start, rows.start);
            if part.size == 0 {
                part.first = first;
            }
            part.size += columns.len() as u64 * rows.len() as u64;
            let max = IVec2::new(columns.end, rows.end);
            part.area = part.area.hull(Aabb { min: first, max });
        }
        parts
    }

    /// Calls `found(upper, lower)` for each pair of touching runs; with `corners`, a shared corner is enough.
    fn for_each_contact(&self, corners: bool, found: &mut dyn FnMut(u32, u32)) {
        let reach = i64::from(corners);
        for pair in self.bands.windows(2) {
            let [upper, lower] = pair else { continue };
            if upper.rows.end != lower.rows.start {
                continue;
            }
            let above = self.runs_of(&upper.runs);
            let below = self.runs_of(&lower.runs);
            let mut a = 0;
            let mut b = 0;
            while let (Some(one), Some(other)) = (above.get(a), below.get(b)) {
                let ends = (i64::from(one.end), i64::from(other.end));
                if i64::from(one.start) < ends.1 + reach && i64::from(other.start) < ends.0 + reach
                {
                    found(upper.runs.start + a as u32, lower.runs.start + b as u32);
                }
                if ends.0 <= ends.1 {
                    a += 1;
                } else {
                    b += 1;
                }
            }
        }
    }
}

/// A connected part of the cells of a grid, or of the positions of a body: see [`components()`] and
/// [`free_space()`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ConnectedPart {
    /// The number of cells or positions in the part.
    pub size: u64,
    /// The box around the cells of the part, or around all pixels that the body covers at its positions.
    pub area: Aabb,
    /// The left-most cell or position in the top row of the part.
    pub first: IVec2,
}

/// Compares two sets of runs. Calls `found` for each range of rows within which neither set changes from row
/// to row. The arguments are the rows, and the indices of the runs in each set. Rows in which neither set has
/// a run are skipped. O(bands).
fn for_each_stretch(
    sets: [&Bands; 2],
    found: &mut dyn FnMut(Range<i32>, [Range<u32>; 2]) -> Result<(), TooComplex>,
) -> Result<(), TooComplex> {
    let mut next = [0, 0];
    let mut y = i32::MIN;
    loop {
        let mut edge = None;
        let mut here = [0..0, 0..0];
        for set in [0, 1] {
            let bands = &sets[set].bands;
            while bands.get(next[set]).is_some_and(|band| band.rows.end <= y) {
                next[set] += 1;
            }
            let Some(Band { rows, runs }) = bands.get(next[set]) else { continue };
            let has_begun = rows.start <= y;
            let end = if has_begun { rows.end } else { rows.start };
            edge = Some(edge.map_or(end, |edge: i32| edge.min(end)));
            if has_begun {
                here[set] = runs.clone();
            }
        }
        let Some(edge) = edge else {
            return Ok(());
        };
        if here.iter().any(|runs| !runs.is_empty()) {
            found(y..edge, here)?;
        }
        y = edge;
    }
}

/// The connected parts of numbered items: a union-find by size with path halving. A call costs the inverse of
/// Ackermann's function on average (Tarjan and van Leeuwen 1984).
#[derive(Clone, Debug)]
struct Union {
    parents: Vec<u32>,
    sizes: Vec<u32>,
}

impl Union {
    fn new(count: usize) -> Self {
        Self { parents: (0..count as u32).collect(), sizes: vec![1; count] }
    }

    /// Returns the representative item of the part that contains the item `thing`: all items of a part have
    /// the same one. A join can change it.
    fn root(&mut self, mut thing: u32) -> u32 {
        while self.parents[thing as usize] != thing {
            let above = self.parents[self.parents[thing as usize] as usize];
            self.parents[thing as usize] = above;
            thing = above;
        }
        thing
    }

    /// Joins the parts of two items. Returns false if they are in one part already.
    fn join(&mut self, one: u32, other: u32) -> bool {
        let one = self.root(one);
        let other = self.root(other);
        if one == other {
            return false;
        }
        let is_smaller = self.sizes[one as usize] < self.sizes[other as usize];
        let (small, large) = if is_smaller { (one, other) } else { (other, one) };
        self.parents[small as usize] = large;
        self.sizes[large as usize] += self.sizes[small as usize];
        true
    }

    /// The part number of each item, in the order of the parts' first items, and the number of parts.
    fn labels(mut self) -> (Vec<u32>, u32) {
        const NONE: u32 = u32::MAX;
        let mut of_roots = vec![NONE; self.parents.len()];
        let mut count = 0;
        let mut labels = vec![0; self.parents.len()];
        for thing in 0..self.parents.len() as u32 {
            let of_root = &mut of_roots[self.root(thing) as usize];
            if *of_root == NONE {
                *of_root = count;
                count += 1;
            }
            labels[thing as usize] = *of_root;
        }
        (labels, count)
    }
}

#[cfg(test)]
mod tests;
