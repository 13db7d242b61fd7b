//! The places that a body may get to at most: an over-estimate, which proves what it cannot reach.
//!
//! A body that is held may rise by so many pixels from there. It may go aside and fall as far as it likes,
//! and keeps the part of the rise that it has not used. A real body does less: so a place that is not reached
//! here is out of its reach, and nothing follows for the others. No speeds; nothing here moves a body.

use std::collections::VecDeque;
use std::ops::Range;

use super::budget::{Budget, Spent};
use super::graph::{Graph, Hold, shared};
use crate::geometry::Aabb;

/// The rise that is left in a node, in pixels, at its lowest and at its highest row; below 0 for a row that
/// is not reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Left {
    bottom: i32,
    top: i32,
}

/// The places that a body may reach.
pub(super) struct Reached {
    left: Vec<Left>,
}

/// The nodes to look at, each once at a time.
struct Queue<'b> {
    nodes: VecDeque<u32>,
    is_in: Vec<bool>,
    budget: &'b Budget,
}

impl<'b> Queue<'b> {
    fn new(count: usize, budget: &'b Budget) -> Self {
        Self { nodes: VecDeque::new(), is_in: vec![false; count], budget }
    }

    fn push(&mut self, node: u32) {
        if !std::mem::replace(&mut self.is_in[node as usize], true) {
            self.nodes.push_back(node);
        }
    }

    fn pop(&mut self) -> Result<Option<u32>, Spent> {
        let node = self.nodes.pop_front();
        if let Some(node) = node {
            self.is_in[node as usize] = false;
            self.budget.take(1)?;
        }
        Ok(node)
    }
}

/// The places that a body may reach from the lowest rows of `starts`, if it rises by at most `rise` pixels
/// above each place that holds it.
pub(super) fn reached(
    graph: &Graph,
    starts: impl Iterator<Item = u32>,
    rise: u32,
    budget: &Budget,
) -> Result<Reached, Spent> {
    let rise = i32::try_from(rise).unwrap_or(i32::MAX);
    let mut left = vec![Left { bottom: -1, top: -1 }; graph.len()];
    let mut queue = Queue::new(graph.len(), budget);
    for start in starts {
        left[start as usize].bottom = rise;
        queue.push(start);
    }
    while let Some(node) = queue.pop()? {
        let here = settled(left[node as usize], graph, node, rise);
        left[node as usize] = here;
        for below in graph.below(node) {
            let there = &mut left[*below as usize];
            if there.top < here.bottom {
                there.top = here.bottom;
                queue.push(*below);
            }
        }
        for above in graph.above(node) {
            let there = &mut left[*above as usize];
            if there.bottom < here.top - 1 {
                there.bottom = here.top - 1;
                queue.push(*above);
            }
        }
    }
    Ok(Reached { left })
}

/// The rise that is left within a node: down keeps it, up uses it, and a hold restores it.
fn settled(left: Left, graph: &Graph, node: u32, rise: i32) -> Left {
    let Left { mut bottom, mut top } = left;
    bottom = bottom.max(top);
    if bottom >= 0 && graph.hold(node) != Hold::No {
        bottom = rise;
    }
    if bottom >= 0 && graph.hold(node) == Hold::All {
        top = rise;
    }
    let height = graph.rows(node).len() as i64 - 1;
    top = top.max((i64::from(bottom) - height).max(-1) as i32);
    Left { bottom, top }
}

impl Reached {
    /// The rows of a node that are reached.
    pub(super) fn rows(&self, graph: &Graph, node: u32) -> Range<i32> {
        let (rows, left) = (graph.rows(node), self.left.get(node as usize));
        match left {
            Some(Left { top: 0.., .. }) => rows,
            Some(Left { bottom: left @ 0.., .. }) => {
                rows.end.saturating_sub(1).saturating_sub(*left).max(rows.start)..rows.end
            }
            _ => rows.end..rows.end,
        }
    }

    /// True if the body may come to overlap `area`.
    pub(super) fn touches(
        &self,
        graph: &Graph,
        area: Aabb,
        budget: &Budget,
    ) -> Result<bool, Spent> {
        let [_, rows] = graph.positions_over(area);
        for node in graph.nodes_over(area) {
            budget.take(1)?;
            if !shared(&self.rows(graph, node), &rows).is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
