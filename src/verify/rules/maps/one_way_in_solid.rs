//! One-way edges that solids cover.

use std::ops::Range;

use glam::UVec2;

use crate::error::Place;
use crate::geometry::Dir;
use crate::grid::Grid;
use crate::verify::excerpt::Excerpt;
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// A one-way platform, or another connected piece of one-way cells, that lies wholly in solid cells. One
    /// that is solid in part, as where a platform runs into a wall, is no fault.
    ///
    /// # Why it matters
    /// No body can go through a solid, so the platform is a wall from all sides. In most cases its tiles are
    /// on a solid layer's cells too, or it was covered when the walls were drawn.
    ///
    /// # How to fix
    /// Delete the solid tiles there, or the one-way ones.
    ONE_WAY_IN_SOLID = "TMX122" "one-way-in-solid" Warning on(Map)
}

/// Runs of one-way cells in a level's rows that are connected: about 40 bytes each.
const MOST_RUNS: usize = 1_000_000;

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    // A tile on two maps of a world is a tile of each map.
    let Some(loaded) = subject.loaded().filter(|_| subject.map().is_some()) else {
        return Vec::new();
    };
    let level = &loaded.level;
    let mut findings = Vec::new();
    for side in Dir::ALL {
        let Some(guards) = level.one_way(side) else {
            continue;
        };
        let Some(covered) = covered_pieces(guards, level.grid()) else {
            let reason = format!("the level has more than {MOST_RUNS} runs of one-way cells");
            subject.give_up(&ONE_WAY_IN_SOLID, reason);
            continue;
        };
        let Some(first) = covered.first() else {
            continue;
        };
        let place = Place {
            cell: Some((first.as_ivec2() + level.first_cell()).into()),
            ..Place::default()
        };
        let excerpt = Excerpt::around(loaded, *first, "o = one-way", |column, row| {
            UVec2::new(column, row) == *first
        });
        let side = match side {
            Dir::Up => "top",
            Dir::Down => "bottom",
            Dir::Left => "left",
            Dir::Right => "right",
        };
        let headline = match covered.len() {
            1 => format!("a one-way piece, which guards its {side}, is in solid cells"),
            count => {
                format!("{count} one-way pieces, which guard their {side}, are in solid cells")
            }
        };
        findings.push(
            Finding::new(&ONE_WAY_IN_SOLID, subject.path, headline)
                .at(place)
                .area(level.cell_area(first.as_ivec2()))
                .excerpt(excerpt)
                .help("delete the solid tiles there, or the one-way ones"),
        );
    }
    findings
}

/// A run of cells in a row, and the piece that it belongs to.
struct Run {
    columns: Range<u32>,
    row: u32,
    /// The index of a run of the same piece, at most its own.
    parent: usize,
}

/// The first cell of each connected piece of `cells` that lies wholly in the solid cells of `solid`, row by
/// row; cells that touch at a corner are connected. `None` for more than [`MOST_RUNS`] runs. Runs of
/// neighbouring rows are joined by union-find: O(cells * log runs) at most.
fn covered_pieces(cells: &Grid, solid: &Grid) -> Option<Vec<UVec2>> {
    let mut runs: Vec<Run> = Vec::new();
    // The runs of the last row, and of the one above it.
    let (mut start, mut above) = (0, 0..0);
    for cell in cells.iter_solid() {
        let end = runs.len();
        match runs.last_mut() {
            Some(run) if (run.row, run.columns.end) == (cell.y, cell.x) => {
                run.columns.end += 1;
                continue;
            }
            Some(run) if run.row == cell.y => {}
            Some(run) => {
                let is_next = run.row + 1 == cell.y;
                join(&mut runs, above, start);
                above = if is_next { start..end } else { end..end };
                start = end;
            }
            None => {}
        }
        if end == MOST_RUNS {
            return None;
        }
        runs.push(Run { columns: cell.x..cell.x + 1, row: cell.y, parent: end });
    }
    join(&mut runs, above, start);
    let is_free = |run: &Run| {
        let length = u64::from(run.columns.end - run.columns.start);
        solid.solid_count_in(run.columns.clone(), run.row..run.row + 1) < length
    };
    let mut has_free = vec![false; runs.len()];
    for index in 0..runs.len() {
        let root = root(&mut runs, index);
        let free = runs.get(index).is_some_and(is_free);
        has_free.get_mut(root).into_iter().for_each(|known| *known |= free);
    }
    let roots = runs.iter().enumerate().filter(|(index, run)| run.parent == *index);
    let covered = roots.filter(|(index, _)| has_free.get(*index) == Some(&false));
    Some(covered.map(|(_, run)| UVec2::new(run.columns.start, run.row)).collect())
}

/// Joins the runs from `start` on with those of the row above that touch them.
fn join(runs: &mut [Run], above: Range<usize>, start: usize) {
    let mut upper = above.start;
    for lower in start..runs.len() {
        let Some(Range { start: left, end: right }) =
            runs.get(lower).map(|run| run.columns.clone())
        else {
            return;
        };
        while let Some(run) = runs.get(upper).filter(|_| upper < above.end) {
            // Beyond the run at a corner.
            if run.columns.start > right {
                break;
            }
            let (end, touches) = (run.columns.end, run.columns.end >= left);
            if touches {
                let (a, b) = (root(runs, upper), root(runs, lower));
                runs.get_mut(a.max(b)).into_iter().for_each(|run| run.parent = a.min(b));
            }
            // A run that goes on may touch the next one too.
            if end > right {
                break;
            }
            upper += 1;
        }
    }
}

/// The first run of the piece of a run. Shortens the way for later.
fn root(runs: &mut [Run], mut index: usize) -> usize {
    while let Some(parent) = runs.get(index).map(|run| run.parent).filter(|it| *it != index) {
        let above = runs.get(parent).map_or(parent, |run| run.parent);
        runs.get_mut(index).into_iter().for_each(|run| run.parent = above);
        index = above;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Floods from each cell in turn.
    fn naive(cells: &Grid, solid: &Grid) -> Vec<UVec2> {
        let mut left: Vec<UVec2> = cells.iter_solid().collect();
        let mut found = Vec::new();
        while !left.is_empty() {
            let (first, mut open, mut is_free) = (left[0], vec![left[0]], false);
            left.remove(0);
            while let Some(cell) = open.pop() {
                is_free |= !solid.is_solid(cell.x, cell.y);
                let is_near =
                    |other: &UVec2| cell.as_ivec2().chebyshev_distance(other.as_ivec2()) == 1;
                let (near, far): (Vec<_>, Vec<_>) = left.iter().partition(|other| is_near(other));
                open.extend(near);
                left = far;
            }
            found.extend((!is_free).then_some(first));
        }
        found
    }

    #[test]
    fn pieces_are_those_of_a_flood() {
        let mut rng = fastrand::Rng::with_seed(122);
        for round in 0..400 {
            let size = UVec2::new([5, 63, 64, 65, 130][round % 5], rng.u32(1..9));
            let mut grids = [(); 2].map(|()| Grid::new(size.x, size.y).unwrap());
            for (grid, share) in grids.iter_mut().zip([rng.u32(5..60), 90]) {
                for (x, y) in (0..size.x).flat_map(|x| (0..size.y).map(move |y| (x, y))) {
                    grid.set(x, y, rng.u32(0..100) < share).unwrap();
                }
            }
            let [cells, solid] = &grids;
            let mut expected = naive(cells, solid);
            expected.sort_by_key(|cell| (cell.y, cell.x));
            assert_eq!(covered_pieces(cells, solid), Some(expected), "{cells:?}\n{solid:?}");
        }
    }
}
