//! Traces the outlines of solid cells, and cuts outlines into the chains of a window. The input is the runs
//! of solid cells in each row.
//!
//! For each line between two rows, the ends of the runs above and below are merged. A horizontal edge lies
//! where the cells above and below the line differ. A vertical edge is stored as the horizontal edge at its
//! top, until its bottom is found. Then the horizontal edges at its two ends are linked as neighbours in a
//! loop. So the memory is two numbers for each run, and does not depend on the number of cells.

use std::mem;
use std::ops::Range;

use glam::{I64Vec2, IVec2, UVec2};

use super::{Chain, Outlines, is_solid};
use crate::grid::Grid;

/// The index that stands for no edge, no parent loop, or no position in a list.
pub(super) const NONE: u32 = u32::MAX;

/// A horizontal edge between two corners of cells. It runs to the right if its solid is below it, or else to
/// the left.
struct LevelEdge {
    /// The number of the grid line between two rows, counted from the top of the grid. `from` and `to` are
    /// numbers of lines between columns.
    line: u32,
    from: u32,
    to: u32,
    /// The index of the next horizontal edge on the outline. A vertical edge joins this edge to it.
    next: u32,
    /// For an edge below a run of solid cells, the index of the horizontal edge at the top of that run's left
    /// side.
    left: u32,
}

/// `above` has the index of the horizontal edge at the top of each vertical edge in the row above the current
/// line, and `below` those of the row below. There is a vertical edge at each end of a run.
#[derive(Default)]
struct Tracer {
    edges: Vec<LevelEdge>,
    above: Vec<u32>,
    below: Vec<u32>,
}

/// The outlines of the cells in `runs`. The runs must be sorted by row, then by column, and must not touch.
/// `place` returns the point in pixels at a corner of cells.
pub(super) fn outlines(
    runs: impl Iterator<Item = (u32, Range<u32>)>,
    place: impl Fn(UVec2) -> IVec2,
) -> Outlines {
    let mut tracer = Tracer::default();
    each_line(runs, |line, above, below| tracer.line(line, above, below));
    collected(&tracer.edges, place)
}

/// The number of points of the [`outlines`] of the cells in `runs`.
pub(super) fn corner_count(runs: impl Iterator<Item = (u32, Range<u32>)>) -> u64 {
    let mut count = 0;
    each_line(runs, |_, above, below| count += corners(above, below));
    count
}

/// Calls `visit` for each grid line between two rows, of which at least one has a run: with the number of the
/// line, and with the columns at which the runs of the rows above and below start and end.
fn each_line(
    runs: impl Iterator<Item = (u32, Range<u32>)>,
    mut visit: impl FnMut(u32, &[u32], &[u32]),
) {
    let mut row = 0;
    let mut above = Vec::new();
    let mut below = Vec::new();
    for (at, run) in runs {
        if at != row {
            visit(row, &above, &below);
            mem::swap(&mut above, &mut below);
            below.clear();
            if at != row + 1 {
                visit(row + 1, &above, &below);
                above.clear();
            }
            row = at;
        }
        below.extend([run.start, run.end]);
    }
    visit(row, &above, &below);
    visit(row + 1, &below, &[]);
}

/// The number of corners on the grid line between two rows. `above` and `below` have the columns at which the
/// runs of each row start and end.
fn corners(above: &[u32], below: &[u32]) -> u64 {
    let mut count = 0;
    let mut i = 0;
    let mut j = 0;
    while i < above.len() || j < below.len() {
        let up = above.get(i).unwrap_or(&NONE);
        let down = below.get(j).unwrap_or(&NONE);
        if up != down {
            count += 1;
        } else if i % 2 != j % 2 {
            // Two cells share only this corner, and an edge starts and another ends here.
            count += 2;
        }
        i += usize::from(up <= down);
        j += usize::from(down <= up);
    }
    count
}

impl Tracer {
    /// Adds the edges on the grid line between two rows, then moves to the next row. `above` and `below` have
    /// the columns at which the runs of each row start and end.
    fn line(&mut self, line: u32, above: &[u32], below: &[u32]) {
        if above == below {
            return;
        }
        let Self { edges, above: tops, below: next } = self;
        next.clear();
        let mut i = 0;
        let mut j = 0;
        loop {
            let ends = [above.get(i), below.get(j)].map(|end| *end.unwrap_or(&NONE));
            let place = ends[0].min(ends[1]);
            if place == NONE {
                break;
            }
            let up = ends[0] == place;
            let down = ends[1] == place;
            // A position is inside a run if an odd number of ends comes before it.
            let was_above = i % 2 == 1;
            let was_below = j % 2 == 1;
            let is_above = was_above != up;
            let is_below = was_below != down;
            let mut ended = NONE;
            if was_above != was_below {
                ended = edges.len() as u32 - 1;
                if let Some(edge) = edges.last_mut() {
                    *if was_below { &mut edge.to } else { &mut edge.from } = place;
                }
            }
            let mut started = NONE;
            if is_above != is_below {
                started = edges.len() as u32;
                let left = if is_above { tops[i & !1] } else { NONE };
                edges.push(LevelEdge { line, from: place, to: place, next: NONE, left });
                // Where two solids share only a corner, each loop stays with its own solid.
                if ended != NONE && !was_above {
                    mem::swap(&mut ended, &mut started);
                }
            }
            let (met, opened) = match (ended, started) {
                (NONE, edge) | (edge, NONE) => (edge, edge),
                both => both,
            };
            if up {
                let top = tops[i];
                if met == NONE {
                    next.push(top);
                } else if i % 2 == 0 {
                    edges[met as usize].next = top;
                } else {
                    edges[top as usize].next = met;
                }
            }
            if down && opened != NONE {
                next.push(opened);
            }
            i += usize::from(up);
            j += usize::from(down);
        }
        mem::swap(tops, next);
    }
}

/// Returns the loops that `edges` form by their links, with the points that `place` returns.
fn collected(edges: &[LevelEdge], place: impl Fn(UVec2) -> IVec2) -> Outlines {
    let mut found = Outlines { points: Vec::with_capacity(2 * edges.len()), ends: Vec::new() };
    let mut owners = vec![NONE; edges.len()];
    for first in 0..edges.len() {
        if owners[first] != NONE {
            continue;
        }
        let mut at = first;
        while owners[at] == NONE {
            owners[at] = found.ends.len() as u32;
            let edge = &edges[at];
            found.points.push(place(UVec2::new(edge.from, edge.line)));
            found.points.push(place(UVec2::new(edge.to, edge.line)));
            at = edge.next as usize;
        }
        // The first edge is at the top of its loop. If its solid is above it, the loop is a hole. The loop at
        // the left side of that solid is already known, because it starts higher.
        let top = &edges[first];
        let mut parent = NONE;
        if top.from > top.to {
            let beside = owners[top.left as usize];
            let around = found.ends[beside as usize].1;
            parent = if around == NONE { beside } else { around };
        }
        found.ends.push((found.points.len(), parent));
    }
    found
}

/// The chains of the cells in a window of columns and rows. The window must not be empty, and must be inside
/// the grid.
pub(super) fn chains(
    grid: &Grid,
    columns: Range<u32>,
    rows: Range<u32>,
    place: impl Fn(UVec2) -> IVec2,
) -> Vec<Chain> {
    let corners = outlines(grid.runs_in(columns.clone(), rows.clone()), |corner| corner.as_ivec2());
    let min = UVec2::new(columns.start, rows.start).as_i64vec2();
    let max = UVec2::new(columns.end, rows.end).as_i64vec2();
    let mut found = Vec::new();
    // The parts of a loop, each with its two ends. The flag is true if the part is an edge of the level, and
    // false if it only lies on the border of the window.
    let mut parts: Vec<(I64Vec2, I64Vec2, bool)> = Vec::new();
    for outline in corners.loops() {
        parts.clear();
        let next = outline.points.iter().cycle().skip(1);
        for (from, to) in outline.points.iter().zip(next) {
            let from = from.as_i64vec2();
            let to = to.as_i64vec2();
            let step = (to - from).signum();
            let left = I64Vec2::new(step.y, -step.x);
            let is_at_border = match left.to_array() {
                [-1, _] => from.x == min.x,
                [1, _] => from.x == max.x,
                [_, -1] => from.y == min.y,
                _ => from.y == max.y,
            };
            if !is_at_border {
                parts.push((from, to, true));
                continue;
            }
            let mut at = from;
            while at != to {
                let end = at + step;
                let is_edge = !cell_beside(grid, at, step, left);
                match parts.last_mut() {
                    Some(last) if last.2 == is_edge && last.1 == at && at != from => last.1 = end,
                    _ => parts.push((at, end, is_edge)),
                }
                at = end;
            }
        }
        let Some(cut) = parts.iter().position(|part| !part.2) else {
            let points = outline.points.iter().map(|corner| place(corner.as_uvec2())).collect();
            found.push(Chain { points, ghosts: None });
            continue;
        };
        parts.rotate_left(cut);
        for open in parts.split(|part| !part.2).filter(|open| !open.is_empty()) {
            let first = open[0];
            let last = open[open.len() - 1];
            let before = neighbour(grid, first.0, (first.1 - first.0).signum(), false);
            let after = neighbour(grid, last.1, (last.1 - last.0).signum(), true);
            let corners = open.iter().map(|part| part.0).chain([last.1]);
            found.push(Chain {
                points: corners.map(|corner| place(corner.as_uvec2())).collect(),
                ghosts: Some([before, after].map(|corner| place(corner.as_uvec2()))),
            });
        }
    }
    found
}

/// True if one of the four cells at `corner` is solid: the cell ahead of it toward `step`, on its side toward
/// `side`. Both are unit vectors.
fn cell_beside(grid: &Grid, corner: I64Vec2, step: I64Vec2, side: I64Vec2) -> bool {
    // The coordinates of a cell are the coordinates of its top-left corner.
    let cell = corner + (step + side - 1).div_euclid(I64Vec2::splat(2));
    is_solid(grid, cell.x, cell.y)
}

/// A point on the outline one cell away from `corner`: after the corner if `is_after`, or else before it. The
/// outline passes the corner in the direction `step`.
fn neighbour(grid: &Grid, corner: I64Vec2, step: I64Vec2, is_after: bool) -> I64Vec2 {
    let right = I64Vec2::new(-step.y, step.x);
    let onward = if is_after { step } else { -step };
    if !cell_beside(grid, corner, onward, right) {
        corner + right
    } else if !cell_beside(grid, corner, onward, -right) {
        corner + onward
    } else {
        corner - right
    }
}
