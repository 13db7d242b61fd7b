//! The edge lines of a terrain, for each body size that was asked for.
//!
//! A list that only grows while it is shared, so that a query returns a reference without a lock. An edit,
//! which has the terrain for itself, brings all of them up to date. All of them together have a bound.

use std::sync::OnceLock;

use glam::IVec2;

use super::edge_lines::{EdgeLines, MAX_BYTES};

/// A list of edge lines, each of another body size.
#[derive(Default)]
pub(super) struct Spaces(OnceLock<Box<Node>>);

struct Node {
    /// The width and height of the body.
    size: IVec2,
    lines: EdgeLines,
    rest: Spaces,
}

impl Spaces {
    /// The bytes of a body size, beside those of its lines.
    pub(super) const NODE_BYTES: u64 = size_of::<Node>() as u64;

    /// The lines for a body of `size`, if they were made.
    pub(super) fn find(&self, size: IVec2) -> Option<&EdgeLines> {
        self.iter().find(|node| node.size == size).map(|node| &node.lines)
    }

    /// The lines for a body of `size`, of so many bytes, made by `make` if there are none yet; `None` if they
    /// would take the list beyond its bound.
    pub(super) fn find_or_make(
        &self,
        size: IVec2,
        bytes: u64,
        make: impl Fn() -> EdgeLines,
    ) -> Option<&EdgeLines> {
        let (mut rest, mut total) = (self, Self::NODE_BYTES + bytes);
        loop {
            if rest.0.get().is_none() && total > MAX_BYTES {
                return None;
            }
            // Another thread may have put lines of another size here.
            let make = || Box::new(Node { size, lines: make(), rest: Self::default() });
            let node = rest.0.get_or_init(make);
            if node.size == size {
                return Some(&node.lines);
            }
            total += Self::NODE_BYTES + node.lines.memory_bytes();
            rest = &node.rest;
        }
    }

    /// The bytes of the list.
    pub(super) fn memory_bytes(&self) -> u64 {
        self.iter().map(|node| Self::NODE_BYTES + node.lines.memory_bytes()).sum()
    }

    /// Brings all lines up to date.
    pub(super) fn update(&mut self, mut update: impl FnMut(IVec2, &mut EdgeLines)) {
        let mut rest = self;
        while let Some(node) = rest.0.get_mut() {
            update(node.size, &mut node.lines);
            rest = &mut node.rest;
        }
    }

    /// The sizes and their lines, in the order in which they were made.
    fn iter(&self) -> impl Iterator<Item = &Node> {
        let first = self.0.get();
        std::iter::successors(first, |node| node.rest.0.get()).map(|node| &**node)
    }
}

impl Clone for Spaces {
    /// An empty list: the lines are made for the terrain that is asked for them.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Drop for Spaces {
    /// Without recursion, which a long list would not survive.
    fn drop(&mut self) {
        let mut rest = self.0.take();
        while let Some(mut node) = rest {
            rest = node.rest.0.take();
        }
    }
}
