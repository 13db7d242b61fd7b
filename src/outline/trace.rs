//! Traces outlines from the runs of solid cells in rows, and cuts them to the window of a chain.
//!
//! From line to line between two rows, the ends of the runs above and below are merged. Where the cells above
//! and below a line differ, there is a horizontal edge. A vertical edge is known only by the horizontal edge
//! at its top, until a horizontal edge at its bottom ends it and follows or precedes that edge. So an edge
//! costs two numbers for each run, and none for each cell.

use std::mem;
use std::ops::Range;

use glam::{I64Vec2, IVec2, UVec2};

use super::{Chain, Outlines, is_solid};
use crate::grid::Grid;

pub(super) const NONE: u32 = u32::MAX;

/// A horizontal edge. It runs to the right if its solid is below it, else to the left.
struct Edge {
    line: u32,
    from: u32,
    to: u32,
    /// The horizontal edge that follows it on its loop, after a vertical edge.
    next: u32,
    /// For an edge with its solid above it: the edge at the top of the vertical edge on the left of the run
    /// above it.
    left: u32,
}

/// The vertical edges in a row of cells: the two ends of each run of solid cells, and for each the horizontal
/// edge at its top.
#[derive(Default)]
struct Row {
    places: Vec<u32>,
    tops: Vec<u32>,
}

#[derive(Default)]
struct Tracer {
    edges: Vec<Edge>,
    above: Row,
    below: Row,
}

/// The outlines of the cells in `runs`, which come row by row, and in a row from the left without touching.
/// `place` returns the point at a corner of cells.
pub(super) fn outlines(
    runs: impl Iterator<Item = (u32, Range<u32>)>,
    place: impl Fn(UVec2) -> IVec2,
) -> Outlines {
    let mut tracer = Tracer::default();
    let mut row = 0;
    for (at, run) in runs {
        if at != row {
            tracer.line(row);
            if at != row + 1 {
                tracer.line(row + 1);
            }
            row = at;
        }
        tracer.below.places.extend([run.start, run.end]);
    }
    tracer.line(row);
    tracer.line(row + 1);
    collected(&tracer.edges, place)
}

impl Tracer {
    /// Adds the edges on a line between two rows, of which `below` is complete, and goes on to the next row.
    fn line(&mut self, line: u32) {
        let Self { edges, above, below } = self;
        if above.places == below.places {
            mem::swap(&mut above.tops, &mut below.tops);
        } else {
            below.tops.clear();
            let (mut i, mut j) = (0, 0);
            loop {
                let ends =
                    [above.places.get(i), below.places.get(j)].map(|end| *end.unwrap_or(&NONE));
                let place = ends[0].min(ends[1]);
                if place == NONE {
                    break;
                }
                let (up, down) = (ends[0] == place, ends[1] == place);
                // An odd number of ends lies before a place inside a run.
                let (was_above, was_below) = (i % 2 == 1, j % 2 == 1);
                let (is_above, is_below) = (was_above != up, was_below != down);
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
                    let left = if is_above { above.tops[i & !1] } else { NONE };
                    let edge = Edge { line, from: place, to: place, next: NONE, left };
                    edges.push(edge);
                    // Where solids meet in a corner, each keeps to its own side.
                    if ended != NONE && !was_above {
                        mem::swap(&mut ended, &mut started);
                    }
                }
                let (met, opened) = match (ended, started) {
                    (NONE, edge) | (edge, NONE) => (edge, edge),
                    both => both,
                };
                if up {
                    let top = above.tops[i];
                    if met == NONE {
                        below.tops.push(top);
                    } else if i % 2 == 0 {
                        edges[met as usize].next = top;
                    } else {
                        edges[top as usize].next = met;
                    }
                }
                if down && opened != NONE {
                    below.tops.push(opened);
                }
                i += usize::from(up);
                j += usize::from(down);
            }
        }
        mem::swap(above, below);
        below.places.clear();
    }
}

fn collected(edges: &[Edge], place: impl Fn(UVec2) -> IVec2) -> Outlines {
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
        // The first edge is at the top of its loop. A solid above it is around a hole, and the loop on the
        // left of that solid is known, because it starts higher.
        let top = &edges[first];
        let parent = match top.from > top.to {
            false => NONE,
            true => match owners[top.left as usize] {
                beside if found.ends[beside as usize].1 == NONE => beside,
                beside => found.ends[beside as usize].1,
            },
        };
        found.ends.push((found.points.len(), parent));
    }
    found
}

/// The chains of the cells in a window, which is not empty and inside the grid.
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
    // The parts of a loop between changes, each with its ends and whether it is an edge of the level.
    let mut parts: Vec<(I64Vec2, I64Vec2, bool)> = Vec::new();
    for outline in corners.loops() {
        parts.clear();
        let next = outline.points.iter().cycle().skip(1);
        for (from, to) in outline.points.iter().zip(next) {
            let (from, to) = (from.as_i64vec2(), to.as_i64vec2());
            let step = (to - from).signum();
            let left = I64Vec2::new(step.y, -step.x);
            let is_at_border = |side: I64Vec2| match (side.x, side.y) {
                (-1, _) => from.x == min.x,
                (1, _) => from.x == max.x,
                (_, -1) => from.y == min.y,
                _ => from.y == max.y,
            };
            if !is_at_border(left) {
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
        let pixel = |corner: I64Vec2| place(corner.as_uvec2());
        let Some(cut) = parts.iter().position(|part| !part.2) else {
            let points = outline.points.iter().map(|corner| place(corner.as_uvec2())).collect();
            found.push(Chain { points, ghosts: None });
            continue;
        };
        parts.rotate_left(cut);
        for open in parts.split(|part| !part.2).filter(|open| !open.is_empty()) {
            let (first, last) = (open[0], open[open.len() - 1]);
            let before = neighbour(grid, first.0, (first.1 - first.0).signum(), false);
            let after = neighbour(grid, last.1, (last.1 - last.0).signum(), true);
            let points = open.iter().map(|part| pixel(part.0)).chain([pixel(last.1)]);
            found.push(Chain {
                points: points.collect(),
                ghosts: Some([pixel(before), pixel(after)]),
            });
        }
    }
    found
}

/// Whether the cell ahead of `corner` in the direction `step`, on the side `side`, is solid.
fn cell_beside(grid: &Grid, corner: I64Vec2, step: I64Vec2, side: I64Vec2) -> bool {
    // A cell is named by its corner with the smallest coordinates.
    let cell = corner + (step + side - 1).div_euclid(I64Vec2::splat(2));
    is_solid(grid, cell.x, cell.y)
}

/// The point one cell on along the outline that passes `corner` in the direction `step`: after the corner, or
/// before it.
fn neighbour(grid: &Grid, corner: I64Vec2, step: I64Vec2, is_after: bool) -> I64Vec2 {
    let right = I64Vec2::new(-step.y, step.x);
    let onward = if is_after { step } else { -step };
    let solid = |side| cell_beside(grid, corner, onward, side);
    let away = match (solid(right), solid(-right)) {
        (false, _) => right,
        (true, false) => onward,
        (true, true) => -right,
    };
    corner + away
}
