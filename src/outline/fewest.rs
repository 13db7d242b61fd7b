//! Splits solid cells into the fewest rectangles.
//!
//! An inner corner is a corner of the outline where three of the four cells are solid. Rectangles result if a
//! cut starts at every inner corner. A chord is a straight cut between two inner corners with solid cells on
//! both sides, so it replaces two cuts. So the largest set of chords that do not touch each other gives the
//! fewest rectangles. Horizontal and vertical chords that touch form a bipartite graph. Its largest
//! independent set follows from a maximum matching.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::grid::{self, Grid};

/// A chord on the grid line number `line` between two rows or columns. `places` are the positions of its two
/// ends on that line.
struct Chord {
    line: u32,
    places: Range<u32>,
}

/// The fewest rectangles of the solid cells in a rectangle of the grid, as the rows and the columns of each.
pub(super) fn rectangles(
    grid: &Grid,
    columns: Range<u32>,
    rows: Range<u32>,
) -> Vec<[Range<u32>; 2]> {
    let level = chords(grid.runs_in(columns.clone(), rows.clone()));
    let upright = chords(grid.transposed().runs_in(rows.clone(), columns.clone()));
    let is_cut = Meetings::new(&level, &upright).most_apart();
    let cuts = upright.into_iter().zip(is_cut).filter(|(_, is_cut)| *is_cut);
    let cuts = cuts.map(|(chord, _)| chord).collect();
    grid::rectangles(cut(grid.runs_in(columns, rows), cuts))
}

/// The chords (straight cuts between two inner corners of the solids) on the grid lines between the rows of
/// `runs`, sorted by line, then by position.
fn chords(runs: impl Iterator<Item = (u32, Range<u32>)>) -> Vec<Chord> {
    let mut found = Vec::new();
    let (mut above, mut below): (Vec<Range<u32>>, Vec<Range<u32>>) = (Vec::new(), Vec::new());
    let mut row = 0;
    let mut runs = runs.peekable();
    while let Some((at, run)) = runs.next() {
        if at != row {
            std::mem::swap(&mut above, &mut below);
            below.clear();
            if at != row + 1 {
                above.clear();
            }
            row = at;
        }
        below.push(run);
        if runs.peek().is_some_and(|(next, _)| *next == at) {
            continue;
        }
        let (mut i, mut j) = (0, 0);
        while let (Some(one), Some(other)) = (above.get(i), below.get(j)) {
            let places = one.start.max(other.start)..one.end.min(other.end);
            // Both ends are inner corners: beyond each end, exactly one of the two cells is solid.
            if !places.is_empty() && one.start != other.start && one.end != other.end {
                found.push(Chord { line: row, places });
            }
            if one.end <= other.end {
                i += 1;
            } else {
                j += 1;
            }
        }
    }
    found
}

/// Splits runs of cells at the vertical cuts `cuts`. Each cut lies on the grid line left of column `line` and
/// divides the runs in the rows `places`. The runs are given and returned by row, then by column.
fn cut(
    runs: impl Iterator<Item = (u32, Range<u32>)>,
    mut cuts: Vec<Chord>,
) -> Vec<(u32, Range<u32>)> {
    let mut ends: Vec<(u32, u32)> = cuts.iter().map(|cut| (cut.places.end, cut.line)).collect();
    cuts.sort_unstable_by_key(|cut| cut.places.start);
    ends.sort_unstable();
    let (mut cuts, mut ends) = (cuts.into_iter().peekable(), ends.into_iter().peekable());
    // The columns of the cuts in this row.
    let mut here = BTreeSet::new();
    let mut found = Vec::new();
    for (row, run) in runs {
        while let Some((_, column)) = ends.next_if(|(end, _)| *end <= row) {
            here.remove(&column);
        }
        while let Some(cut) = cuts.next_if(|cut| cut.places.start <= row) {
            if cut.places.end > row {
                here.insert(cut.line);
            }
        }
        let mut start = run.start;
        for column in here.range(run.start + 1..run.end) {
            found.push((row, start..*column));
            start = *column;
        }
        found.push((row, start..run.end));
    }
    found
}

const NONE: u32 = u32::MAX;

/// For each horizontal chord, the vertical chords that share a point with it.
struct Meetings {
    starts: Vec<usize>,
    upright: Vec<u32>,
    upright_count: usize,
}

impl Meetings {
    fn new(level: &[Chord], upright: &[Chord]) -> Self {
        let order = |key: &dyn Fn(&Chord) -> u32| {
            let mut order: Vec<u32> = (0..upright.len() as u32).collect();
            order.sort_unstable_by_key(|index| key(&upright[*index as usize]));
            order.into_iter().peekable()
        };
        let (mut starts, mut ends) =
            (order(&|chord| chord.places.start), order(&|chord| chord.places.end));
        let chord = |index: u32| &upright[index as usize];
        // The vertical chords that reach the line, including chords that start or end on it.
        let mut here = BTreeSet::new();
        let mut found = Self { starts: vec![0], upright: Vec::new(), upright_count: upright.len() };
        for Chord { line, places } in level {
            while let Some(index) = starts.next_if(|index| chord(*index).places.start <= *line) {
                here.insert((chord(index).line, index));
            }
            while let Some(index) = ends.next_if(|index| chord(*index).places.end < *line) {
                here.remove(&(chord(index).line, index));
            }
            let met = here.range((places.start, 0)..=(places.end, NONE));
            found.upright.extend(met.map(|(_, index)| *index));
            found.starts.push(found.upright.len());
        }
        found
    }

    /// The indices of the vertical chords that share a point with the horizontal chord of index `level`.
    fn of(&self, level: usize) -> &[u32] {
        &self.upright[self.starts[level]..self.starts[level + 1]]
    }

    /// For each vertical chord, true if it is in the largest set of chords that do not touch. The horizontal
    /// chords of this set are not needed: a horizontal cut is made at every remaining inner corner, which
    /// includes the ends of these chords.
    fn most_apart(&self) -> Vec<bool> {
        let (of_level, of_upright) = self.matching();
        // König's theorem: the search starts at the horizontal chords without a partner. It goes from a
        // horizontal chord to all vertical chords that it touches, and from a vertical chord to its partner.
        // The horizontal chords reached and the vertical chords not reached do not touch.
        let mut is_reached = vec![false; self.upright_count];
        let mut reached: Vec<u32> = (0..)
            .zip(&of_level)
            .filter(|(_, partner)| **partner == NONE)
            .map(|(at, _)| at)
            .collect();
        while let Some(level) = reached.pop() {
            for &upright in self.of(level as usize) {
                if !std::mem::replace(&mut is_reached[upright as usize], true) {
                    let partner = of_upright[upright as usize];
                    if partner != NONE {
                        reached.push(partner);
                    }
                }
            }
        }
        is_reached.into_iter().map(|is_reached| !is_reached).collect()
    }

    /// A maximum matching: a largest set of pairs of chords that touch, in which each chord has at most one
    /// partner. Returns the partner of each horizontal chord and of each vertical chord, or [`NONE`]. The
    /// method is shortest augmenting paths in rounds (Hopcroft and Karp).
    fn matching(&self) -> (Vec<u32>, Vec<u32>) {
        let count = self.starts.len() - 1;
        let (mut of_level, mut of_upright) = (vec![NONE; count], vec![NONE; self.upright_count]);
        for (level, partner) in of_level.iter_mut().enumerate() {
            let free = |upright: &&u32| of_upright[**upright as usize] == NONE;
            if let Some(&upright) = self.of(level).iter().find(free) {
                *partner = upright;
                of_upright[upright as usize] = level as u32;
            }
        }
        let (mut depths, mut nexts) = (vec![NONE; count], vec![0; count]);
        let (mut queue, mut path) = (Vec::new(), Vec::new());
        loop {
            queue.clear();
            for (level, partner) in (0..).zip(&of_level) {
                depths[level as usize] = if *partner == NONE { 0 } else { NONE };
                queue.extend((*partner == NONE).then_some(level));
            }
            let (mut at, mut is_found) = (0, false);
            while let Some(level) = queue.get(at).map(|level: &u32| *level as usize) {
                at += 1;
                for upright in self.of(level) {
                    let partner = of_upright[*upright as usize];
                    if partner == NONE {
                        is_found = true;
                    } else if depths[partner as usize] == NONE {
                        depths[partner as usize] = depths[level] + 1;
                        queue.push(partner);
                    }
                }
            }
            if !is_found {
                return (of_level, of_upright);
            }
            nexts.fill(0);
            for first in 0..count {
                if of_level[first] != NONE {
                    continue;
                }
                path.clear();
                path.push(first);
                while let Some(&level) = path.last() {
                    let Some(&upright) = self.of(level).get(nexts[level]) else {
                        depths[level] = NONE;
                        path.pop();
                        if let Some(before) = path.last() {
                            nexts[*before] += 1;
                        }
                        continue;
                    };
                    let partner = of_upright[upright as usize];
                    if partner == NONE {
                        for &level in &path {
                            let upright = self.of(level)[nexts[level]];
                            of_level[level] = upright;
                            of_upright[upright as usize] = level as u32;
                        }
                        break;
                    }
                    match depths[level].checked_add(1) == Some(depths[partner as usize]) {
                        true => path.push(partner as usize),
                        false => nexts[level] += 1,
                    }
                }
            }
        }
    }
}
