//! The free positions as an array of `bool`, as a game would write it, and A* over it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use bitwall::glam::IVec2;
use bitwall::navigate::Ways;

pub(crate) const PIXEL: u64 = 1 << 32;
pub(crate) const DIAGONAL: u64 = 6_074_001_000;

pub(crate) struct Cells {
    pub(crate) width: i32,
    pub(crate) height: i32,
    free: Vec<bool>,
    parts: Vec<u32>,
    /// The lengths that the last searches found, each with the number of the search that wrote it.
    lengths: Vec<(u64, u32)>,
    search: u32,
}

/// Returns the length of a shortest path without obstacles.
pub(crate) fn distance(one: IVec2, other: IVec2) -> u64 {
    let [x, y] = [one.x.abs_diff(other.x), one.y.abs_diff(other.y)].map(u64::from);
    x.min(y) * DIAGONAL + x.abs_diff(y) * PIXEL
}

impl Cells {
    pub(crate) fn new(ways: &Ways, size: IVec2) -> Self {
        let places = (0..size.y).flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y)));
        let free: Vec<bool> = places.map(|at| ways.is_free(at)).collect();
        let lengths = vec![(0, 0); free.len()];
        let parts = vec![u32::MAX; free.len()];
        let (width, height) = (size.x, size.y);
        let mut cells = Self { width, height, free, parts, lengths, search: 0 };
        for start in 0..cells.free.len() {
            let mut open = vec![start];
            while let Some(at) = open.pop() {
                if !cells.free[at] || cells.parts[at] != u32::MAX {
                    continue;
                }
                cells.parts[at] = start as u32;
                let at = cells.at(at);
                open.extend(cells.steps(at).map(|(to, _)| cells.index(to)));
            }
        }
        cells
    }

    fn index(&self, at: IVec2) -> usize {
        (at.y * self.width + at.x) as usize
    }

    fn at(&self, index: usize) -> IVec2 {
        IVec2::new(index as i32 % self.width, index as i32 / self.width)
    }

    pub(crate) fn is_free(&self, at: IVec2) -> bool {
        let is_inside = at.x >= 0 && at.y >= 0 && at.x < self.width && at.y < self.height;
        is_inside && self.free[self.index(at)]
    }

    /// Returns the number of the connected part that contains a position, or `None` if the position is not
    /// free.
    pub(crate) fn part(&self, at: IVec2) -> Option<u32> {
        Some(self.parts[self.index(at)]).filter(|part| *part != u32::MAX)
    }

    /// Returns the number of positions in each connected part.
    pub(crate) fn parts(&self) -> BTreeMap<u32, usize> {
        let mut parts = BTreeMap::new();
        for part in self.parts.iter().filter(|part| **part != u32::MAX) {
            *parts.entry(*part).or_default() += 1;
        }
        parts
    }

    /// Returns the steps from a free position in eight directions, without cutting corners.
    pub(crate) fn steps(&self, at: IVec2) -> impl Iterator<Item = (IVec2, u64)> {
        let steps = (-1..=1).flat_map(|y| (-1..=1).map(move |x| IVec2::new(x, y)));
        steps.filter_map(move |step| {
            let is_diagonal = step.x != 0 && step.y != 0;
            let is_open = step != IVec2::ZERO
                && self.is_free(at + step)
                && (!is_diagonal
                    || self.is_free(at + step.with_x(0)) && self.is_free(at + step.with_y(0)));
            is_open.then_some((at + step, if is_diagonal { DIAGONAL } else { PIXEL }))
        })
    }

    /// Returns the length of the shortest path, or `None` if there is no path.
    pub(crate) fn astar(&mut self, from: IVec2, to: IVec2) -> Option<u64> {
        self.search += 1;
        let search = self.search;
        let start = self.index(from);
        self.lengths[start] = (0, search);
        let mut heap = BinaryHeap::from([Reverse((distance(from, to), start as u32))]);
        while let Some(Reverse((whole, index))) = heap.pop() {
            let at = self.at(index as usize);
            let length = self.lengths[index as usize].0;
            if whole > length + distance(at, to) {
                continue;
            }
            if at == to {
                return Some(length);
            }
            let mut steps = [(IVec2::ZERO, 0); 8];
            let mut count = 0;
            for step in self.steps(at) {
                (steps[count], count) = (step, count + 1);
            }
            for (next, step) in &steps[..count] {
                let (index, length) = (self.index(*next), length + step);
                let known = &mut self.lengths[index];
                if known.1 != search || length < known.0 {
                    *known = (length, search);
                    heap.push(Reverse((length + distance(*next, to), index as u32)));
                }
            }
        }
        None
    }
}
