//! Union-find: which of many things are joined, step by step.
//!
//! Plain numbers: no cells, no runs, no order of the parts.

/// The parts of a set of things that are joined two by two.
///
/// The smaller part is hung below the larger one and ways are halved, so that a call costs the inverse of
/// Ackermann's function on average (Tarjan and van Leeuwen 1984).
#[derive(Clone, Debug)]
pub(super) struct Union {
    parents: Vec<u32>,
    /// The number of things in the part of a root.
    sizes: Vec<u32>,
}

impl Union {
    /// `count` things, each a part of its own. Memory: 8 bytes a thing.
    pub(super) fn new(count: usize) -> Self {
        Self { parents: (0..count as u32).collect(), sizes: vec![1; count] }
    }

    /// The thing that stands for the part of `thing`, until the part is joined with another one.
    pub(super) fn root(&mut self, mut thing: u32) -> u32 {
        while self.parents[thing as usize] != thing {
            let above = self.parents[self.parents[thing as usize] as usize];
            self.parents[thing as usize] = above;
            thing = above;
        }
        thing
    }

    /// Makes the parts of two things one; false if they are.
    pub(super) fn join(&mut self, one: u32, other: u32) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        if one == other {
            return false;
        }
        let is_smaller = self.sizes[one as usize] < self.sizes[other as usize];
        let (small, large) = if is_smaller { (one, other) } else { (other, one) };
        self.parents[small as usize] = large;
        self.sizes[large as usize] += self.sizes[small as usize];
        true
    }

    /// The number of each thing's part, in the order of the parts' first things, and the number of parts.
    pub(super) fn labels(mut self) -> (Vec<u32>, u32) {
        const NONE: u32 = u32::MAX;
        let mut of_roots = vec![NONE; self.parents.len()];
        let mut count = 0;
        let mut labels = vec![0; self.parents.len()];
        for thing in 0..self.parents.len() as u32 {
            let of_root = &mut of_roots[self.root(thing) as usize];
            if *of_root == NONE {
                *of_root = count;
                count += 1;
            }
            labels[thing as usize] = *of_root;
        }
        (labels, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_those_of_sets_that_are_merged_one_by_one() {
        let mut random = fastrand::Rng::with_seed(91);
        for count in [1_u32, 2, 63, 64, 65, 200] {
            let mut sets: Vec<Vec<u32>> = (0..count).map(|thing| vec![thing]).collect();
            let mut union = Union::new(count as usize);
            for _ in 0..random.u32(0..2 * count) {
                let [one, other] = [(); 2].map(|()| random.u32(0..count));
                let at = |thing: u32| sets.iter().position(|set| set.contains(&thing)).unwrap();
                let (a, b) = (at(one), at(other));
                assert_eq!(union.join(one, other), a != b);
                if a != b {
                    let moved = std::mem::take(&mut sets[b]);
                    sets[a].extend(moved);
                }
            }
            sets.retain(|set| !set.is_empty());
            sets.sort_by_key(|set| set.iter().copied().min());
            let (labels, parts) = union.labels();
            assert_eq!(parts as usize, sets.len());
            for (thing, label) in (0..).zip(labels) {
                assert!(sets[label as usize].contains(&thing));
            }
        }
    }
}
