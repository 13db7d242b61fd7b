//! The edge lines of a terrain, for each body size that was asked for.
//!
//! A list that only grows while it is shared, so that a query returns a reference without a lock. An edit,
//! which has the terrain for itself, brings all of them up to date.

use std::sync::OnceLock;

use glam::IVec2;

use super::edge_lines::EdgeLines;

/// A list of edge lines, each of another body size.
#[derive(Default)]
pub(super) struct Spaces(OnceLock<Box<Node>>);

struct Node {
    lines: EdgeLines,
    rest: Spaces,
}

impl Spaces {
    /// The lines for a body of `size`, if they were made.
    pub(super) fn find(&self, size: IVec2) -> Option<&EdgeLines> {
        self.iter().find(|lines| lines.size() == size)
    }

    /// The lines for a body of `size`, made by `make` if there are none yet.
    pub(super) fn find_or_make(&self, size: IVec2, make: impl Fn() -> EdgeLines) -> &EdgeLines {
        let mut rest = self;
        loop {
            // Another thread may have put lines of another size here.
            let node =
                rest.0.get_or_init(|| Box::new(Node { lines: make(), rest: Self::default() }));
            if node.lines.size() == size {
                return &node.lines;
            }
            rest = &node.rest;
        }
    }

    /// Brings all lines up to date.
    pub(super) fn update(&mut self, mut update: impl FnMut(&mut EdgeLines)) {
        let mut rest = self;
        while let Some(node) = rest.0.get_mut() {
            update(&mut node.lines);
            rest = &mut node.rest;
        }
    }

    /// The lines, in the order in which they were made.
    pub(super) fn iter(&self) -> impl Iterator<Item = &EdgeLines> {
        let first = self.0.get();
        std::iter::successors(first, |node| node.rest.0.get()).map(|node| &node.lines)
    }
}

impl Clone for Spaces {
    fn clone(&self) -> Self {
        let copy = Self::default();
        for lines in self.iter() {
            copy.find_or_make(lines.size(), || lines.clone());
        }
        copy
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
