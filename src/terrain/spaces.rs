//! A list of cached items, one for each body size in use, such as the lines of a configuration space. A query
//! adds the item of a new size on demand, even while other threads read the list. Edits of the terrain update
//! all items.

use std::sync::OnceLock;

use glam::IVec2;

/// The largest number of bytes of all items in a list together.
pub(super) const MAX_BYTES: u64 = 1 << 28;

/// A cached item of [`Spaces`], which reports its size in memory.
pub(super) trait Kept {
    fn memory_bytes(&self) -> u64;
}

/// A linked list of items, one for each body size.
pub(super) struct Spaces<T>(OnceLock<Box<SpaceNode<T>>>);

struct SpaceNode<T> {
    size: IVec2,
    item: T,
    rest: Spaces<T>,
}

impl<T: Kept> Spaces<T> {
    pub(super) const NODE_BYTES: u64 = size_of::<SpaceNode<T>>() as u64;

    pub(super) fn find(&self, size: IVec2) -> Option<&T> {
        self.iter().find(|node| node.size == size).map(|node| &node.item)
    }

    /// Returns the item for a body of `size` pixels. If the list has no such item, calls `make` and adds the
    /// result, which takes `bytes` bytes. Returns `None` if the list would then exceed [`MAX_BYTES`].
    pub(super) fn find_or_make(&self, size: IVec2, bytes: u64, make: impl Fn() -> T) -> Option<&T> {
        let (mut rest, mut total) = (self, Self::NODE_BYTES + bytes);
        loop {
            if rest.0.get().is_none() && total > MAX_BYTES {
                return None;
            }
            // Another thread may put an item of another size into this node first, so the size is compared
            // below.
            let make = || Box::new(SpaceNode { size, item: make(), rest: Self::default() });
            let node = rest.0.get_or_init(make);
            if node.size == size {
                return Some(&node.item);
            }
            total += Self::NODE_BYTES + node.item.memory_bytes();
            rest = &node.rest;
        }
    }

    pub(super) fn memory_bytes(&self) -> u64 {
        self.iter().map(|node| Self::NODE_BYTES + node.item.memory_bytes()).sum()
    }

    pub(super) fn update(&mut self, mut update: impl FnMut(IVec2, &mut T)) {
        let mut rest = self;
        while let Some(node) = rest.0.get_mut() {
            update(node.size, &mut node.item);
            rest = &mut node.rest;
        }
    }

    fn iter(&self) -> impl Iterator<Item = &SpaceNode<T>> {
        let first = self.0.get();
        std::iter::successors(first, |node| node.rest.0.get()).map(|node| &**node)
    }
}

impl<T> Default for Spaces<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> Clone for Spaces<T> {
    /// Returns an empty list, because a clone of a terrain computes its items on demand.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> Drop for Spaces<T> {
    /// Drops the nodes in a loop, because recursion over a long list would overflow the stack.
    fn drop(&mut self) {
        let mut rest = self.0.take();
        while let Some(mut node) = rest {
            rest = node.rest.0.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use glam::IVec2;

    use super::{Kept, MAX_BYTES, SpaceNode, Spaces};

    struct Item(u64);

    impl Kept for Item {
        fn memory_bytes(&self) -> u64 {
            self.0
        }
    }

    #[test]
    fn a_list_takes_items_up_to_exactly_the_memory_limit() {
        let list = Spaces::<Item>::default();
        let add = |size: i32, bytes: u64| {
            list.find_or_make(IVec2::splat(size), bytes, || Item(bytes)).is_some()
        };
        let node = Spaces::<Item>::NODE_BYTES;
        assert!(add(1, 1_000) && add(2, 70));
        assert_eq!(list.memory_bytes(), 2 * node + 1_070);
        let rest = MAX_BYTES - 3 * node - 1_070;
        assert!(!add(3, rest + 1));
        assert!(add(3, rest));
        assert_eq!(list.memory_bytes(), MAX_BYTES);
        assert!(!add(4, 0));
        assert!(add(2, 70), "it is in the list already");
    }

    #[test]
    fn a_list_of_a_million_items_is_dropped_without_a_stack_overflow() {
        let mut list = Spaces::<Item>::default();
        for size in 0..1_000_000 {
            let node = SpaceNode { size: IVec2::splat(size), item: Item(0), rest: list };
            list = Spaces(OnceLock::from(Box::new(node)));
        }
        assert!(list.find(IVec2::ZERO).is_some());
        drop(list);
    }
}
