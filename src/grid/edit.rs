//! Edits of a grid: of a rectangle, or of any shape given as runs of cells. An edit returns the smallest
//! rectangle around the changed cells. The cost of an edit does not depend on the size of the grid.

use std::ops::Range;

use glam::UVec2;

use super::plane::transpose_block;
use super::plane::{SIDE, Words};
use super::{Grid, GridError, StoredBits};
use crate::geometry::Dir;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Changed {
    pub(crate) min: UVec2,
    pub(crate) max: UVec2,
}

impl Changed {
    fn hull(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

/// A callback for one run of cells. Its arguments are the row and the columns. The run is inside the grid and
/// not empty.
type Emit<'e> = dyn FnMut(u32, Range<u32>) + 'e;

/// Fills a rectangle like [`Grid::fill`], and returns the smallest rectangle around the changed cells; `None`
/// if no cell changed. The search for that rectangle costs at most twice as much as the fill.
pub(crate) fn fill(
    grid: &mut Grid,
    columns: Range<u32>,
    rows: Range<u32>,
    solid: bool,
) -> Result<Option<Changed>, GridError> {
    let (columns, rows) = grid.clamp(columns, rows);
    let changed = to_change(grid, &columns, &rows, solid);
    if let Some(Changed { min, max }) = changed {
        grid.fill(min.x..max.x, min.y..max.y, solid)?;
    }
    Ok(changed)
}

fn to_change(grid: &Grid, columns: &Range<u32>, rows: &Range<u32>, solid: bool) -> Option<Changed> {
    let is_done = |columns: Range<u32>, rows: Range<u32>| {
        if solid {
            let cells = u64::from(columns.end - columns.start) * u64::from(rows.end - rows.start);
            grid.solid_count_in(columns, rows) == cells
        } else {
            !grid.any_solid(columns, rows)
        }
    };
    if columns.is_empty() || rows.is_empty() {
        return None;
    }
    let top = rows.start
        + done_lines(rows.end - rows.start, |lines| {
            is_done(columns.clone(), rows.start + lines.start..rows.start + lines.end)
        });
    if top == rows.end {
        return None;
    }
    let below = done_lines(rows.end - top, |lines| {
        is_done(columns.clone(), rows.end - lines.end..rows.end - lines.start)
    });
    let rows = top..rows.end - below;
    let before = done_lines(columns.end - columns.start, |lines| {
        is_done(columns.start + lines.start..columns.start + lines.end, rows.clone())
    });
    let left = columns.start + before;
    let behind = done_lines(columns.end - left, |lines| {
        is_done(columns.end - lines.end..columns.end - lines.start, rows.clone())
    });
    Some(Changed {
        min: UVec2::new(left, rows.start),
        max: UVec2::new(columns.end - behind, rows.end),
    })
}

/// Returns the number of lines (rows or columns) before the first line with a cell to change; `count` if
/// there is no such line. `is_done` returns true if no cell of a range of lines must change. The ranges
/// double in length and then halve, so `is_done` is called O(log count) times.
fn done_lines(count: u32, is_done: impl Fn(Range<u32>) -> bool) -> u32 {
    let (mut done, mut step, mut grows) = (0, 1, true);
    while done < count {
        let next = done + step.min(count - done);
        if is_done(done..next) {
            done = next;
        } else if next - done == 1 {
            break;
        } else {
            (step, grows) = (next - done, false);
        }
        step = if grows { step.saturating_mul(2) } else { (step / 2).max(1) };
    }
    done
}

/// Makes runs of cells solid or passable. Returns the smallest rectangle around the changed cells; `None` if
/// no cell changed. `runs` calls its argument with each run, row by row downward. The runs of a row may come
/// in any order and may overlap. Takes O(runs x log(runs of a row) + 64-bit words of cells in the runs).
/// Returns the errors of [`Grid::fill`]; the grid then stays unchanged.
pub(crate) fn edit(
    grid: &mut Grid,
    solid: bool,
    runs: impl FnOnce(&mut Emit<'_>),
) -> Result<Option<Changed>, GridError> {
    let mut edit = Edit { grid, solid, changed: None, flips: Vec::new(), result: Ok(()) };
    let mut band = Band::default();
    runs(&mut |row, columns| {
        if row / SIDE != band.row / SIDE {
            edit.apply(&mut band);
        }
        band.add(row, columns);
    });
    edit.apply(&mut band);
    edit.result.map(|()| edit.changed)
}

struct Edit<'g> {
    grid: &'g mut Grid,
    solid: bool,
    changed: Option<Changed>,
    /// The cells of a sparse grid that became solid, with the position of their block. They are used to undo
    /// a failed edit.
    flips: Vec<([u32; 2], Words)>,
    result: Result<(), GridError>,
}

#[derive(Default)]
struct Band {
    row: u32,
    runs: Vec<Range<u32>>,
    /// Each row that has runs, and the index in `runs` of its first run.
    rows: Vec<(u32, usize)>,
}

impl Band {
    fn add(&mut self, row: u32, columns: Range<u32>) {
        if self.rows.is_empty() || self.row != row {
            self.join_last();
            self.rows.push((row, self.runs.len()));
            self.row = row;
        }
        // A cell can be several rows of pixels high, and each of these rows adds the same runs. So a run that
        // equals the last run is skipped.
        if self.runs.len() == self.rows.last().map_or(0, |row| row.1)
            || self.runs.last() != Some(&columns)
        {
            self.runs.push(columns);
        }
    }

    fn join_last(&mut self) {
        let Some(&(_, first)) = self.rows.last() else {
            return;
        };
        self.runs[first..].sort_unstable_by_key(|run| run.start);
        let mut last = first;
        for next in first + 1..self.runs.len() {
            let run = self.runs[next].clone();
            if run.start <= self.runs[last].end {
                self.runs[last].end = self.runs[last].end.max(run.end);
            } else {
                last += 1;
                self.runs[last] = run;
            }
        }
        self.runs.truncate(last + 1);
    }
}

impl Edit<'_> {
    fn apply(&mut self, band: &mut Band) {
        band.join_last();
        let starts = band.rows.iter().map(|(_, first)| *first);
        let ends = starts.clone().skip(1).chain([band.runs.len()]);
        let mut open: Vec<Range<usize>> = starts.zip(ends).map(|(start, end)| start..end).collect();
        let mut column = 0;
        while self.result.is_ok() {
            let first = open.iter().filter(|runs| !runs.is_empty());
            let Some(first) = first.map(|runs| band.runs[runs.start].start.max(column)).min()
            else {
                break;
            };
            let Some(first) = self.next_to_change(first, band) else {
                break;
            };
            let stripe = first / SIDE;
            let mut block = [0; SIDE as usize];
            for ((row, _), runs) in band.rows.iter().zip(&mut open) {
                block[(row % SIDE) as usize] = word(&band.runs, runs, stripe);
            }
            self.flip([stripe, band.row / SIDE], block);
            column = (stripe + 1).saturating_mul(SIDE);
        }
        band.runs.clear();
        band.rows.clear();
    }

    /// Returns the first column, from `column` on, in which a cell of the rows of `band` may change; `None`
    /// if there is no such column. It skips columns only in a sparse grid whose cells become passable.
    fn next_to_change(&self, column: u32, band: &Band) -> Option<u32> {
        if self.solid || !self.grid.is_sparse() {
            return Some(column);
        }
        let rows = band.rows.first()?.0..band.row + 1;
        let next = self.grid.first_solid(Dir::Right, column..self.grid.width(), rows);
        next.map(|cell| cell.x)
    }

    /// Makes the cells that are set in `block` solid or passable. `at` is the block column and block row.
    fn flip(&mut self, at: [u32; 2], mut block: Words) {
        let [column, row] = at.map(|block| block * SIDE);
        let wanted = if self.solid { u64::MAX } else { 0 };
        let keep_changes = |block: &mut Words, lines: &[u64]| {
            for (change, line) in block.iter_mut().zip(lines) {
                *change &= line ^ wanted;
            }
        };
        match self.grid.bits() {
            StoredBits::Rows(rows) => keep_changes(&mut block, rows.lines_of_stripe(row, column)),
            StoredBits::Columns(columns) => {
                transpose_block(&mut block);
                keep_changes(&mut block, columns.lines_of_stripe(column, row));
                transpose_block(&mut block);
            }
            StoredBits::Blocks(blocks) => {
                let none = [0; SIDE as usize];
                keep_changes(&mut block, blocks.rows_at(at).unwrap_or(&none));
            }
        }
        let Some(changed) = extent(&block, [column, row]) else {
            return;
        };
        if let Some(blocks) = &mut self.grid.sparse {
            match blocks.flip(at, &block) {
                Ok(()) if self.solid => self.flips.push((at, block)),
                Ok(()) => {}
                Err(error) => {
                    for (at, block) in self.flips.drain(..) {
                        // Undoing only removes blocks, so it cannot fail.
                        let _ = blocks.flip(at, &block);
                    }
                    self.result = Err(error);
                    return;
                }
            }
        } else {
            let [columns, rows] = &mut self.grid.planes;
            let flip = |lines: &mut [u64], block: &Words| {
                lines.iter_mut().zip(block).for_each(|(line, change)| *line ^= change);
            };
            if !rows.is_absent() {
                flip(rows.lines_of_stripe_mut(row, column), &block);
            }
            if !columns.is_absent() {
                transpose_block(&mut block);
                flip(columns.lines_of_stripe_mut(column, row), &block);
            }
        }
        self.changed = Some(self.changed.map_or(changed, |all| all.hull(changed)));
    }
}

/// Returns the cells of a row in the 64 columns from `64 * stripe` on, as bits. A bit is set if one of the
/// runs `runs[open]` has the cell. Then removes the runs that end in or before these columns from `open`.
fn word(runs: &[Range<u32>], open: &mut Range<usize>, stripe: u32) -> u64 {
    let mut word = 0;
    while let Some(run) = runs[open.clone()].first() {
        if run.start / SIDE > stripe {
            break;
        }
        let from = if run.start / SIDE == stripe { run.start % SIDE } else { 0 };
        let ends_here = (run.end - 1) / SIDE <= stripe;
        let to = if ends_here { (run.end - 1) % SIDE } else { SIDE - 1 };
        if (run.end - 1) / SIDE >= stripe {
            word |= (u64::MAX << from) & (u64::MAX >> (SIDE - 1 - to));
        }
        if !ends_here {
            break;
        }
        open.start += 1;
    }
    word
}

/// Returns the box around the set cells of `block`, whose first cell is at `at`; `None` if no cell is set.
fn extent(block: &Words, at: [u32; 2]) -> Option<Changed> {
    let first = block.iter().position(|word| *word != 0)?;
    let last = block.iter().rposition(|word| *word != 0)?;
    let columns = block.iter().fold(0, |all, word| all | word);
    let [column, row] = at;
    Some(Changed {
        min: UVec2::new(column + columns.trailing_zeros(), row + first as u32),
        // The sums stay within the size of the grid, so they do not overflow.
        max: UVec2::new(column + (63 - columns.leading_zeros()), row + last as u32) + 1,
    })
}

#[cfg(test)]
mod tests;
