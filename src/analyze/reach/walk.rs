//! Ways through the free positions of a body: from node to node, and as corners in pixels.
//!
//! A way tells where the body goes, not when: it knows neither gravity nor speeds.

use std::collections::VecDeque;
use std::ops::Range;

use glam::{IVec2, UVec2};

use super::budget::{Budget, Spent};
use super::graph::{Graph, crossing, positions_over, shared};
use super::player::Keys;
use super::witness::Witness;
use crate::geometry::{Aabb, Dir};
use crate::sweep::Terrain;

/// No node.
const NONE: u32 = u32::MAX;

/// The ways from some positions to all that are connected with them, each through the fewest nodes.
pub(super) struct Ways {
    /// The first nodes, rising, each with its start.
    starts: Vec<(u32, IVec2)>,
    /// The node before each node; itself for a first one.
    before: Vec<u32>,
}

/// Whether a way obeys one-way cells that stop a body on its way up or down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OneWays {
    Obeyed,
    Passed,
}

impl Ways {
    /// The ways from `starts`, by one flood. A start at which the body is not free has none. O(nodes).
    pub(super) fn from(graph: &Graph, starts: &[IVec2], budget: &Budget) -> Result<Self, Spent> {
        budget.take(graph.len() as u64)?;
        let mut before = vec![NONE; graph.len()];
        let firsts = starts.iter().filter_map(|start| Some((graph.node_at(*start)?, *start)));
        let mut starts: Vec<(u32, IVec2)> = firsts.collect();
        starts.sort_by_key(|(node, _)| *node);
        starts.dedup_by_key(|(node, _)| *node);
        let mut open: VecDeque<u32> = starts.iter().map(|(node, _)| *node).collect();
        open.iter().for_each(|node| before[*node as usize] = *node);
        while let Some(node) = open.pop_front() {
            for next in graph.below(node).iter().chain(graph.above(node)) {
                let before = &mut before[*next as usize];
                if *before == NONE {
                    *before = node;
                    open.push_back(*next);
                }
            }
        }
        Ok(Self { starts, before })
    }

    /// The first node with a position over `goal` to which a way leads.
    pub(super) fn end_at(
        &self,
        graph: &Graph,
        goal: Aabb,
        budget: &Budget,
    ) -> Result<Option<u32>, Spent> {
        for node in graph.nodes_over(goal) {
            budget.take(1)?;
            if self.is_reached(node) {
                return Ok(Some(node));
            }
        }
        Ok(None)
    }

    /// The rows of a node to which a way leads: all or none.
    pub(super) fn rows(&self, graph: &Graph, node: u32) -> Range<i32> {
        let rows = graph.rows(node);
        if self.is_reached(node) { rows } else { rows.end..rows.end }
    }

    fn is_reached(&self, node: u32) -> bool {
        self.before.get(node as usize).is_some_and(|before| *before != NONE)
    }

    /// The corners of the way to the node `end`, from its start to the nearest position over `goal` in it.
    /// Each two follow each other along one axis. `None` if one-way cells let nothing through.
    pub(super) fn to(
        &self,
        graph: &Graph,
        (terrain, body): (&Terrain, UVec2),
        (end, goal): (u32, Aabb),
        (one_ways, budget): (OneWays, &Budget),
    ) -> Result<Option<Vec<IVec2>>, Spent> {
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
        let columns = shared(&graph.columns(end), &columns);
        let rows = shared(&graph.rows(end), &rows);
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
        Ok(Some(corners))
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
