//! The connected parts of the free positions of a body, and the position of a part that is nearest to any
//! other position. A band is one row of positions, or several consecutive rows with the same free positions:
//! on a map of tiles two bands for each row of tiles. The runs of neighbouring positions in the bands are
//! joined to parts by union-find.

use std::ops::Range;

use glam::{I64Vec2, IVec2};

use super::BitPlane;
use crate::grid::runs_of_bits;

#[derive(Clone, Debug)]
pub(super) struct Parts {
    /// All rows of the plane, from the top.
    bands: Vec<Band>,
    runs: Vec<Run>,
}

#[derive(Clone, Debug)]
struct Band {
    rows: Range<i32>,
    /// The indices of the runs, from the left.
    runs: Range<usize>,
}

#[derive(Clone, Debug)]
struct Run {
    places: Range<i32>,
    /// The index of the first run of the same part. While parts are joined: of an earlier run of the part, or
    /// of this run.
    part: u32,
}

impl Parts {
    /// Finds the parts. Returns `None` if their runs would take more than `limit` bytes. O(words + runs).
    pub(super) fn new(plane: &BitPlane, limit: u64) -> Option<Self> {
        let most = limit as usize / size_of::<Run>();
        let mut parts = Self { bands: Vec::new(), runs: Vec::new() };
        let mut above = 0..0;
        let mut row = 0;
        while row < plane.count {
            let start = row;
            let line = line_of(plane, row);
            while row < plane.count && line_of(plane, row) == line {
                row += 1;
            }
            let first = parts.runs.len();
            let runs = runs_of_bits(plane.len as u32, |word| line[word as usize]);
            let runs = runs.zip(first as u32..).take(most + 1 - first);
            parts.runs.extend(
                runs.map(|(run, part)| Run { places: run.start as i32..run.end as i32, part }),
            );
            let below = first..parts.runs.len();
            if below.end > most {
                return None;
            }
            parts.join(above, below.clone());
            parts.bands.push(Band { rows: start..row, runs: below.clone() });
            above = below;
        }
        // The earlier runs already have the index of their first run.
        for run in 0..parts.runs.len() {
            parts.runs[run].part = parts.runs[parts.runs[run].part as usize].part;
        }
        Some(parts)
    }

    pub(super) fn bytes(&self) -> u64 {
        (size_of_val(&self.bands[..]) + size_of_val(&self.runs[..])) as u64
    }

    /// Joins the parts of runs that touch, in two bands of which one is directly above the other.
    fn join(&mut self, mut above: Range<usize>, mut below: Range<usize>) {
        while !above.is_empty() && !below.is_empty() {
            let [one, other] = [above.start, below.start].map(|run| self.runs[run].places.clone());
            if one.start < other.end && other.start < one.end {
                let [one, other] = [above.start, below.start].map(|run| self.first(run));
                self.runs[one.max(other)].part = one.min(other) as u32;
            }
            if one.end <= other.end {
                above.start += 1;
            } else {
                below.start += 1;
            }
        }
    }

    /// The first known run of the part of a run, with path halving.
    fn first(&mut self, mut run: usize) -> usize {
        while self.runs[run].part as usize != run {
            let above = self.runs[run].part as usize;
            self.runs[run].part = self.runs[above].part;
            run = self.runs[run].part as usize;
        }
        run
    }

    /// Returns the position with the smallest straight distance from `goal` that is in the part of the free
    /// position `from`, then the one with the smallest y, then with the smallest x. O(runs of the bands
    /// within the distance).
    pub(super) fn nearest(&self, from: IVec2, goal: I64Vec2) -> Option<IVec2> {
        let band = self.bands.partition_point(|band| band.rows.end <= from.y);
        let mut runs = self.runs[self.bands.get(band)?.runs.clone()].iter();
        let part = runs.find(|run| run.places.contains(&from.x))?.part;
        let middle = self.bands.partition_point(|band| i64::from(band.rows.end) <= goal.y);
        // The square of the smallest distance so far, then y and x of the position.
        let mut best: Option<(i128, i64, i64)> = None;
        for by in 0..self.bands.len() {
            let mut goes_on = false;
            let pair = [middle.checked_sub(by + 1), Some(middle + by)];
            for band in pair.into_iter().flatten().filter_map(|band| self.bands.get(band)) {
                let y = goal.y.clamp(band.rows.start.into(), i64::from(band.rows.end) - 1);
                let down = i128::from(y - goal.y).pow(2);
                if best.is_some_and(|(least, ..)| down > least) {
                    continue;
                }
                goes_on = true;
                let runs = &self.runs[band.runs.clone()];
                let right = runs.partition_point(|run| i64::from(run.places.end) <= goal.x);
                let on_left = runs[..right].iter().rev().find(|run| run.part == part);
                let on_right = runs[right..].iter().find(|run| run.part == part);
                for run in on_left.into_iter().chain(on_right) {
                    let x = goal.x.clamp(run.places.start.into(), i64::from(run.places.end) - 1);
                    let found = (down + i128::from(x - goal.x).pow(2), y, x);
                    best = Some(best.map_or(found, |best| best.min(found)));
                }
            }
            if !goes_on {
                break;
            }
        }
        best.map(|(_, y, x)| IVec2::new(x as i32, y as i32))
    }
}

/// The words of a row of positions.
fn line_of(plane: &BitPlane, row: i32) -> &[u64] {
    let (first, _) = plane.at(0, row);
    &plane.words[first..first + plane.stride - 2]
}
