//! Finds the goals that a body can reach, with inputs that lead to these goals, and the goals that the body
//! can never reach.
//!
//! A search moves the body with the real mover, so the found inputs can be replayed. A goal is out of reach
//! if it is outside an over-estimate: the free space of the body, limited by the height of its jump. All
//! other goals are unknown. Additions of a game, such as lifts, doors and springs, are ignored.
// A node of the graph is a run of neighbouring positions in a row, or the same run in several consecutive
// rows. Nodes that touch are linked. A path is a list of corners in pixels. Work is counted in runs, not
// time, so a result is the same on every machine.

mod moves;
mod over;
mod play;
mod verdict;

pub use moves::{
    Barrier, BarrierKind, Keys, Leg, MoveSet, PlatformerMoves, Reach, ReachLimits, Undecided,
    Verdict, Witness,
};
pub use verdict::reach;

use std::cell::Cell;
use std::collections::VecDeque;
use std::ops::Range;

use glam::{IVec2, UVec2};

use crate::analyze::free_space::FreeSpace;
use crate::analyze::{Bands, RunLinks, TooComplex};
use crate::geometry::{Aabb, Axis, Dir, Outside};
use crate::grid::Grid;
use crate::terrain::Terrain;

/// The free positions of a body as a graph. A new node begins at each row where the body's support begins or
/// ends.
struct Graph {
    bands: Bands,
    rows: Vec<Range<i32>>,
    /// For each node, the nodes directly below it that the body can enter by a move down. A node is a run of
    /// free positions.
    below: RunLinks,
    above: RunLinks,
    holds: Vec<Hold>,
    body: UVec2,
    size: IVec2,
}

/// The support that keeps a body from falling at the free positions of a node of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    No,
    /// A floor is directly below at least one of the positions in the lowest row.
    Floor,
    /// All these positions have support: the body climbs, swims, or is above a level with an open top.
    All,
}

impl Graph {
    /// The graph of a body's free positions in a terrain. `areas` are the ladders and the water, which
    /// support a body. A new node begins at each row in `cuts`. If `obeys` is true, one-way cells stop a body
    /// that moves up or down; if false, they only support a standing body. O(runs), and O(cells of a row) per
    /// row with one-way cells.
    fn new(
        terrain: &Terrain,
        free: &FreeSpace,
        areas: &[&Terrain],
        cuts: &[i32],
        obeys: bool,
    ) -> Result<Self, TooComplex> {
        let body = free.body();
        let w = body.x as i32;
        let h = body.y as i32;
        let mut cuts: Vec<i32> = cuts.to_vec();
        let is_open_above = terrain.outside().up == Outside::Open;
        let is_open_below = terrain.outside().down == Outside::Open;
        let height = terrain.size().y as i32;
        cuts.extend(is_open_above.then_some(1 - h));
        cuts.extend(is_open_below.then_some(height));
        // A one-way cell stops a body that moves down into the first row of positions past the cell's upper
        // side, or up out of the first row below the cell's lower side. A new node begins at each of these
        // rows.
        let cell = terrain.cell_size().y as i32;
        if let Some(guards) = terrain.one_way(Dir::Up) {
            cuts.extend(filled_rows(guards).map(|row| row as i32 * cell - h + 1));
        }
        if let Some(guards) = terrain.one_way(Dir::Down) {
            cuts.extend(filled_rows(guards).map(|row| (row as i32 + 1) * cell));
        }
        for area in areas {
            let cell = area.cell_size().y as i32;
            for row in filled_rows(area.grid()) {
                let top = row as i32 * cell;
                cuts.extend([top - h, top + cell]);
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        let bands = cut(&free.bands, &cuts)?;
        let rows = bands.rows_of_runs();
        let mut held = Guarded { terrain, body, row: None, stopped: [Vec::new(), Vec::new()] };
        let mut down = Vec::new();
        let mut up = Vec::new();
        bands.for_each_contact(false, &mut |upper, lower| {
            let shared = shared(&bands.runs[upper as usize], &bands.runs[lower as usize]);
            held.go_to(rows[lower as usize].start);
            if !obeys || held.is_free(Dir::Down, &shared) {
                down.push((upper, lower));
            }
            if !obeys || held.is_free(Dir::Up, &shared) {
                up.push((lower, upper));
            }
        });
        let count = bands.runs.len();
        let below =
            RunLinks::new(count, &|add| down.iter().for_each(|(upper, lower)| add(*upper, *lower)));
        let above =
            RunLinks::new(count, &|add| up.iter().for_each(|(lower, upper)| add(*lower, *upper)));
        let holds = vec![Hold::No; count];
        let size = terrain.size().as_ivec2();
        let mut graph = Self { bands, rows, below, above, holds, body, size };
        for node in 0..count as u32 {
            let columns = graph.columns(node);
            let rows = graph.rows(node);
            let covered = Aabb {
                min: IVec2::new(columns.start, rows.start),
                // The box has one more row at the bottom, because the top of a ladder supports the body above
                // it.
                max: IVec2::new(columns.end - 1 + w, rows.end + h),
            };
            let is_above = is_open_above && rows.start == -h;
            let is_below = is_open_below && rows.start >= height;
            held.go_to(rows.end);
            let stopped = held.toward(Dir::Down);
            let is_stopped = stopped.iter().any(|stopped| !shared(stopped, &columns).is_empty());
            graph.holds[node as usize] =
                if is_above || areas.iter().any(|area| area.overlaps(covered)) {
                    Hold::All
                } else if !is_below && (is_stopped || graph.has_floor(node)) {
                    Hold::Floor
                } else {
                    Hold::No
                };
        }
        Ok(graph)
    }

    /// True if a solid is directly below at least one position in the lowest row of `node`.
    fn has_floor(&self, node: u32) -> bool {
        let Range { start, end } = self.columns(node);
        // If no solid is directly below, all columns of the node are free in the next row, in one run.
        !self.below(node).iter().any(|below| {
            let below = self.columns(*below);
            below.start <= start && end <= below.end
        })
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn columns(&self, node: u32) -> Range<i32> {
        self.bands.runs.get(node as usize).cloned().unwrap_or(0..0)
    }

    fn rows(&self, node: u32) -> Range<i32> {
        self.rows.get(node as usize).cloned().unwrap_or(0..0)
    }

    fn below(&self, node: u32) -> &[u32] {
        self.below.of_run(node)
    }

    fn above(&self, node: u32) -> &[u32] {
        self.above.of_run(node)
    }

    fn hold(&self, node: u32) -> Hold {
        self.holds.get(node as usize).copied().unwrap_or(Hold::No)
    }

    fn node_at(&self, position: IVec2) -> Option<u32> {
        self.bands.run_at(position.x, position.y)
    }

    /// The columns and rows of the positions at which the body overlaps `area`. A point counts as its pixel.
    /// Beyond the level, one position per axis represents all positions farther away, because nothing stops
    /// the body there.
    fn positions_over(&self, area: Aabb) -> [Range<i32>; 2] {
        let [columns, rows] = positions_over(self.body, area);
        let size = self.size;
        let body = self.body.as_ivec2();
        [within(columns, -body.x, size.x), within(rows, -body.y, size.y)]
    }

    /// The first node, from the top, that `is_it` accepts and that has a position at which the body overlaps
    /// `area`; `None` without such a node. Each call of `is_it` subtracts 1 from `budget`.
    fn find_over(
        &self,
        area: Aabb,
        budget: &Budget,
        is_it: &mut dyn FnMut(u32) -> bool,
    ) -> Result<Option<u32>, OutOfRuns> {
        let [columns, rows] = self.positions_over(area);
        let mut result = Ok(());
        let found = self.bands.find_over(&columns, &rows, &mut |node| {
            result = budget.take(1);
            result.is_err() || is_it(node)
        });
        result.map(|()| found)
    }
}

/// The columns and rows of positions at which `body` overlaps `area`. A point counts as its pixel.
fn positions_over(body: UVec2, area: Aabb) -> [Range<i32>; 2] {
    let max = area.max.max(area.min.saturating_add(IVec2::ONE));
    let min = area.min.saturating_sub(body.as_ivec2()).saturating_add(IVec2::ONE);
    [min.x..max.x, min.y..max.y]
}

/// Returns `range` if it overlaps `first..=last`. Otherwise returns the nearer end of `first..=last`.
fn within(range: Range<i32>, first: i32, last: i32) -> Range<i32> {
    if range.end <= first {
        first..first + 1
    } else if range.start > last {
        last..last + 1
    } else {
        range
    }
}

fn shared(one: &Range<i32>, other: &Range<i32>) -> Range<i32> {
    one.start.max(other.start)..one.end.min(other.end)
}

fn cut(bands: &Bands, cuts: &[i32]) -> Result<Bands, TooComplex> {
    let mut result = Bands::default();
    let mut from = 0;
    while let Some(first) = bands.bands.get(from) {
        let runs = bands.runs_of(first);
        let mut last = from;
        while bands.bands.get(last + 1).is_some_and(|next| bands.runs_of(next) == runs) {
            last += 1;
        }
        let end = bands.bands.get(last).map_or(first.rows.end, |band| band.rows.end);
        from = last + 1;
        let mut start = first.rows.start;
        for cut in &cuts[cuts.partition_point(|cut| *cut <= start)..] {
            if *cut >= end {
                break;
            }
            result.push(start..*cut, &mut runs.iter().cloned())?;
            start = *cut;
        }
        result.push(start..end, &mut runs.iter().cloned())?;
    }
    Ok(result)
}

fn filled_rows(grid: &Grid) -> impl Iterator<Item = u32> {
    (0..grid.height()).filter(|row| grid.any_solid(0..grid.width(), *row..*row + 1))
}

/// The columns in which one-way cells stop a body that moves from a row of positions to the next.
struct Guarded<'t> {
    terrain: &'t Terrain,
    body: UVec2,
    /// The lower of two neighbouring rows of positions, between which the body moves down or up. `None`
    /// before the first call of `go_to`, and in a terrain without one-way cells.
    row: Option<i32>,
    /// The columns in which one-way cells stop a motion down (index 0) and a motion up (index 1).
    stopped: [Vec<Range<i32>>; 2],
}

impl Guarded<'_> {
    fn go_to(&mut self, lower: i32) {
        if self.terrain.one_way(Dir::Up).is_none() || self.row == Some(lower) {
            return;
        }
        self.row = Some(lower);
        let w = self.body.x as i32;
        let h = self.body.y as i32;
        let cell = self.terrain.cell_size().as_ivec2();
        for (number, side) in [Dir::Up, Dir::Down].into_iter().enumerate() {
            let stopped = &mut self.stopped[number];
            stopped.clear();
            let edge = if side == Dir::Up { lower + h - 1 } else { lower };
            let row = edge.div_euclid(cell.y) - i32::from(side == Dir::Down);
            let (Some(guards), Ok(row)) = (self.terrain.one_way(side), u32::try_from(row)) else {
                continue;
            };
            if edge.rem_euclid(cell.y) != 0 || row >= guards.height() {
                continue;
            }
            let runs = guards.runs(Axis::Y, row);
            stopped
                .extend(runs.map(|run| run.start as i32 * cell.x - w + 1..run.end as i32 * cell.x));
        }
    }

    /// The columns in which one-way cells stop a body that moves toward `dir`, which must be down or up.
    fn toward(&self, dir: Dir) -> &[Range<i32>] {
        let [down, up] = &self.stopped;
        if dir == Dir::Down { down } else { up }
    }

    fn is_free(&self, dir: Dir, columns: &Range<i32>) -> bool {
        first_free(self.toward(dir), columns).is_some()
    }
}

/// The column of `columns` nearest to `near` in which no one-way cell stops a body that moves down into row
/// `lower`, or up out of that row. `None` if all `columns` are stopped. The positions in both rows must be
/// free.
fn crossing(
    (terrain, body): (&Terrain, UVec2),
    dir: Dir,
    lower: i32,
    columns: &Range<i32>,
    near: i32,
) -> Option<i32> {
    let mut held = Guarded { terrain, body, row: None, stopped: [Vec::new(), Vec::new()] };
    held.go_to(lower);
    let stopped = held.toward(dir);
    let first = [near.clamp(columns.start, columns.end - 1), columns.start, columns.end - 1];
    let beside = stopped.iter().flat_map(|range| [range.start - 1, range.end]);
    let free = first
        .into_iter()
        .chain(beside)
        .filter(|at| columns.contains(at) && stopped.iter().all(|range| !range.contains(at)));
    free.min_by_key(|at| at.abs_diff(near))
}

/// The first of `columns` that is in none of the ranges `stopped`. The starts and ends of `stopped` must
/// ascend.
fn first_free(stopped: &[Range<i32>], columns: &Range<i32>) -> Option<i32> {
    let mut at = columns.start;
    let first = stopped.partition_point(|range| range.end <= at);
    for range in stopped.iter().skip(first) {
        if range.start > at {
            break;
        }
        at = at.max(range.end);
    }
    (at < columns.end).then_some(at)
}

/// The number of runs of positions that searches may still visit.
#[derive(Debug)]
struct Budget {
    left: Cell<u64>,
}

/// The error of a search that has visited all runs that its [`Budget`] allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OutOfRuns;

impl Budget {
    const fn new(runs: u64) -> Self {
        Self { left: Cell::new(runs) }
    }

    /// Takes `runs` from the budget. If the budget is smaller, empties it and returns an error.
    fn take(&self, runs: u64) -> Result<(), OutOfRuns> {
        let left = self.left.get().checked_sub(runs);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or(OutOfRuns)
    }

    fn left(&self) -> u64 {
        self.left.get()
    }
}

const NONE: u32 = u32::MAX;

/// The paths from the start positions to every reachable node (a run of free positions). Each path has as few
/// nodes as possible.
struct Routes {
    /// The nodes with a start, in ascending order, and the starts.
    starts: Vec<(u32, IVec2)>,
    /// The node before each node on its path: the node itself if it has a start, and [`NONE`] without a path.
    before: Vec<u32>,
}

/// The treatment of one-way cells that would stop a body on a path up or down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OneWays {
    Obeyed,
    Passed,
}

impl Routes {
    /// Finds the paths from `starts`. Starts at which the body is not free are left out. O(nodes).
    fn from(graph: &Graph, starts: &[IVec2], budget: &Budget) -> Result<Self, OutOfRuns> {
        budget.take(graph.len() as u64)?;
        let mut before = vec![NONE; graph.len()];
        let mut firsts = Vec::new();
        for start in starts {
            firsts.extend(graph.node_at(*start).map(|node| (node, *start)));
        }
        firsts.sort_by_key(|(node, _)| *node);
        firsts.dedup_by_key(|(node, _)| *node);
        let mut open = VecDeque::new();
        for (node, _) in &firsts {
            before[*node as usize] = *node;
            open.push_back(*node);
        }
        while let Some(node) = open.pop_front() {
            for beside in [graph.below(node), graph.above(node)] {
                for next in beside {
                    if before[*next as usize] == NONE {
                        before[*next as usize] = node;
                        open.push_back(*next);
                    }
                }
            }
        }
        Ok(Self { starts: firsts, before })
    }

    /// The first node, from the top, that a path reaches and that has a position at which the body overlaps
    /// `goal`.
    fn end_at(&self, graph: &Graph, goal: Aabb, budget: &Budget) -> Result<Option<u32>, OutOfRuns> {
        graph.find_over(goal, budget, &mut |node| self.is_reached(node))
    }

    /// The rows of `node` if a path leads to the node, else an empty range.
    fn rows(&self, graph: &Graph, node: u32) -> Range<i32> {
        let rows = graph.rows(node);
        if self.is_reached(node) { rows } else { rows.end..rows.end }
    }

    fn is_reached(&self, node: u32) -> bool {
        self.before.get(node as usize).is_some_and(|before| *before != NONE)
    }

    /// The corners of the path to the node `end`, and from there to the nearest position at which the body
    /// overlaps `goal`. Consecutive corners differ on one axis. `None` without a path, or if one-way cells
    /// stop the body on the path.
    fn to(
        &self,
        graph: &Graph,
        (terrain, body): (&Terrain, UVec2),
        (end, goal): (u32, Aabb),
        (one_ways, budget): (OneWays, &Budget),
    ) -> Result<Option<Vec<IVec2>>, OutOfRuns> {
        let mut nodes = vec![end];
        let mut node = end;
        while let Some(before) = self.before.get(node as usize).filter(|before| **before != node) {
            nodes.push(*before);
            node = *before;
        }
        budget.take(nodes.len() as u64)?;
        nodes.reverse();
        let Ok(first) = self.starts.binary_search_by_key(&node, |(node, _)| *node) else {
            return Ok(None);
        };
        let mut at = self.starts[first].1;
        let mut corners = vec![at];
        for pair in nodes.windows(2) {
            let [from, to] = *pair else { continue };
            let columns = shared(&graph.columns(from), &graph.columns(to));
            let rows = graph.rows(to);
            let is_down = rows.start >= graph.rows(from).end;
            let (dir, lower) = if is_down { (Dir::Down, rows.start) } else { (Dir::Up, rows.end) };
            let column = match one_ways {
                OneWays::Obeyed => crossing((terrain, body), dir, lower, &columns, at.x),
                OneWays::Passed => Some(at.x.clamp(columns.start, columns.end - 1)),
            };
            let Some(column) = column else { return Ok(None) };
            at.x = column;
            corners.push(at);
            at.y = if is_down { rows.start } else { rows.end - 1 };
            corners.push(at);
        }
        let [columns, rows] = graph.positions_over(goal);
        let in_node = [shared(&graph.columns(end), &columns), shared(&graph.rows(end), &rows)];
        // A goal outside the level may overlap no position of the node `end`. The path then continues past
        // the node to the goal.
        for [columns, rows] in [in_node, positions_over(body, goal)] {
            at.x = at.x.clamp(columns.start, columns.end - 1);
            corners.push(at);
            at.y = at.y.clamp(rows.start, rows.end - 1);
            corners.push(at);
        }
        corners.dedup();
        Ok(Some(corners))
    }
}

/// Follows the path along `corners` back from its end to the last reached position, and returns the position
/// one pixel past it. Returns the end of the path if the end is reached, and `None` if no position is
/// reached. `rows_of` returns the reached rows of a node. A position counts as reached if it is in a reached
/// row after a move by one of `shifts`. O(nodes beside the searched lines) per shift.
fn first_out(
    graph: &Graph,
    corners: &[IVec2],
    shifts: &[IVec2],
    rows_of: &dyn Fn(u32) -> Range<i32>,
) -> Option<IVec2> {
    for pair in corners.windows(2).rev() {
        let [from, to] = *pair else { continue };
        let mut last = None;
        for shift in shifts {
            last = last.max(last_on_line(graph, from + *shift, to + *shift, rows_of));
        }
        if let Some(far) = last {
            let toward = (to - from).signum();
            let length = (to - from).abs().max_element();
            return Some(from + toward * (far + 1).min(length));
        }
    }
    None
}

/// The distance in pixels from `from` to the last reached position on the line to `to`; `None` without a
/// reached position.
fn last_on_line(
    graph: &Graph,
    from: IVec2,
    to: IVec2,
    rows_of: &dyn Fn(u32) -> Range<i32>,
) -> Option<i32> {
    let min = from.min(to);
    let max = from.max(to);
    let toward = (to - from).signum();
    let columns = min.x..max.x + 1;
    let rows = min.y..max.y + 1;
    let mut last = None;
    graph.bands.find_over(&columns, &rows, &mut |node| {
        let columns = shared(&graph.columns(node), &columns);
        let rows = shared(&rows_of(node), &rows);
        if !columns.is_empty() && !rows.is_empty() {
            let low = IVec2::new(columns.start, rows.start);
            let high = IVec2::new(columns.end - 1, rows.end - 1);
            let far = (low - from).dot(toward).max((high - from).dot(toward));
            last = last.max(Some(far));
        }
        false
    });
    last
}

#[cfg(test)]
mod tests;
