//! Ways through the free positions of a body: from node to node, and as corners in pixels.
//!
//! A way tells where the body goes, not when: it knows neither gravity nor speeds.

use std::collections::VecDeque;

use glam::{IVec2, UVec2};

use super::graph::{Graph, crossing, positions_over, shared};
use super::player::Keys;
use super::witness::Witness;
use crate::geometry::{Aabb, Dir};
use crate::sweep::Terrain;

/// No node.
const NONE: u32 = u32::MAX;

/// The ways from one position to all that are connected with it, each through the fewest nodes.
pub(super) struct Ways {
    start: IVec2,
    /// The node before each node; itself for the first one.
    before: Vec<u32>,
}

impl Ways {
    /// The ways from `start`; `None` if the body is not free there. O(nodes).
    pub(super) fn from(graph: &Graph, start: IVec2) -> Option<Self> {
        let first = graph.node_at(start)?;
        let mut before = vec![NONE; graph.len()];
        before[first as usize] = first;
        let mut open = VecDeque::from([first]);
        while let Some(node) = open.pop_front() {
            for next in graph.below(node).iter().chain(graph.above(node)) {
                let before = &mut before[*next as usize];
                if *before == NONE {
                    *before = node;
                    open.push_back(*next);
                }
            }
        }
        Some(Self { start, before })
    }

    /// True if a way leads to a position over `goal`.
    pub(super) fn lead_to(&self, graph: &Graph, goal: Aabb) -> bool {
        graph.nodes_over(goal).iter().any(|node| self.is_reached(*node))
    }

    /// True if a way leads to this position.
    pub(super) fn has(&self, graph: &Graph, position: IVec2) -> bool {
        graph.node_at(position).is_some_and(|node| self.is_reached(node))
    }

    fn is_reached(&self, node: u32) -> bool {
        self.before.get(node as usize).is_some_and(|before| *before != NONE)
    }

    /// The corners of a way, from the start to the nearest position over `goal` in the last node; `None` if
    /// there is none. Each two follow each other along one axis. One-way cells are obeyed.
    pub(super) fn to(
        &self,
        graph: &Graph,
        (terrain, body): (&Terrain, UVec2),
        goal: Aabb,
    ) -> Option<Vec<IVec2>> {
        let ends = graph.nodes_over(goal);
        let mut node = ends.into_iter().find(|node| self.is_reached(*node))?;
        let mut nodes = vec![node];
        while let Some(before) = self.before.get(node as usize).filter(|before| **before != node) {
            nodes.push(*before);
            node = *before;
        }
        nodes.reverse();
        let mut corners = vec![self.start];
        let mut at = self.start;
        for pair in nodes.windows(2) {
            let [from, to] = *pair else { continue };
            let columns = shared(&graph.columns(from), &graph.columns(to));
            let rows = graph.rows(to);
            let is_down = rows.start >= graph.rows(from).end;
            let (dir, lower) = if is_down { (Dir::Down, rows.start) } else { (Dir::Up, rows.end) };
            at.x = crossing((terrain, body), dir, lower, &columns, at.x)?;
            corners.push(at);
            at.y = if is_down { rows.start } else { rows.end - 1 };
            corners.push(at);
        }
        let [columns, rows] = graph.positions_over(goal);
        let last = nodes.last().copied()?;
        let columns = shared(&graph.columns(last), &columns);
        let rows = shared(&graph.rows(last), &rows);
        at.x = at.x.clamp(columns.start, columns.end - 1);
        corners.push(at);
        at.y = at.y.clamp(rows.start, rows.end - 1);
        corners.push(at);
        // Beyond the level it goes on to the goal itself.
        let [columns, rows] = positions_over(body, goal);
        at.x = at.x.clamp(columns.start, columns.end - 1);
        corners.push(at);
        at.y = at.y.clamp(rows.start, rows.end - 1);
        corners.push(at);
        corners.dedup();
        Some(corners)
    }
}

/// The inputs of a body that walks from corner to corner, at most `speed` pixels a step.
pub(super) fn walked(corners: &[IVec2], speed: u32) -> Witness {
    let mut witness = Witness::new(corners.first().copied().unwrap_or_default());
    let speed = i32::try_from(speed).unwrap_or(i32::MAX).max(1);
    for pair in corners.windows(2) {
        let [from, to] = *pair else { continue };
        let way = to - from;
        let length = way.x.abs().max(way.y.abs());
        let toward = way.signum();
        witness.push(Keys::Walk(toward * speed), (length / speed) as u32);
        witness.push(Keys::Walk(toward * (length % speed)), u32::from(length % speed > 0));
    }
    witness
}
