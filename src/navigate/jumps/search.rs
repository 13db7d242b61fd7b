//! The quickest way over links from one position or from everywhere (Dijkstra from the goals, 1959; with a
//! label for each link, because the walk from where one ends to where the next begins counts), and whether
//! there is a way at all (the strongly connected components of the links; Kosaraju and Sharir, 1981).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use glam::IVec2;

use super::{JumpWays, Link, PlaceWays, Program};

/// The number of components up to which it is known for each pair whether a way leads from one to the other.
const MOST_COMPONENTS: usize = 4_096;

/// What is known of all links together, made anew when links change.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// The links that lead to each place: the place and the number of each.
    pub(super) into: Vec<Vec<(u32, u32)>>,
    /// The number of the first link of each place, counted over all places, and last of all links.
    firsts: Vec<usize>,
    /// The component of each place. A link leads to the same component or to one with a higher number.
    components: Vec<u32>,
    /// The components that each component reaches, as bits; empty if there are too many.
    reached: Vec<u64>,
    stride: usize,
}

/// A link of a way: what a body does between two rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The position at which the body starts, at rest.
    pub from: IVec2,
    /// The position at which it comes to rest.
    pub to: IVec2,
    /// The number of steps from rest to rest.
    pub steps: u16,
    pub(super) program: Program,
}

/// A way of a body over places, returned by [`JumpWays::path`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JumpPath {
    /// The links in their order; empty if both ends are in the same place.
    ///
    /// Before each link, and after the last one, the body walks within a place.
    pub hops: Vec<Hop>,
    /// The number of steps that the way takes, with an estimate for the walks.
    pub steps: u32,
}

/// The ways of many bodies of the same kind to the nearest of some goals. Made by [`JumpWays::field`].
///
/// It belongs to the links at the time of the call. After [`JumpWays::update`] has changed links, it leads
/// nowhere.
#[derive(Clone, Debug)]
pub struct JumpField {
    index: Arc<Index>,
    /// The goals, as places and positions.
    goals: Vec<(u32, IVec2)>,
    /// The steps to the nearest goal from the start of each link, `u32::MAX` without a way.
    steps: Vec<u32>,
}

/// The steps of a place without a way.
const FAR: u32 = u32::MAX;

/// The links that a search of a way tests in the time of a step of the mover.
const LINKS_A_STEP: u64 = 4;

impl Index {
    pub(super) fn new(ways: &[PlaceWays]) -> Self {
        let mut into = vec![Vec::new(); ways.len()];
        let mut firsts = vec![0];
        for (place, ways) in (0..).zip(ways) {
            for (number, link) in (0..).zip(&ways.links) {
                into[link.to as usize].push((place, number));
            }
            firsts.push(firsts[place as usize] + ways.links.len());
        }
        let mut index = Self { into, firsts, ..Self::default() };
        let members = index.find_components(ways);
        index.find_reached(ways, &members);
        index
    }

    /// Finds the components: backwards from each place, in the reversed order in which a depth-first search
    /// leaves the places. Returns the places in the order of their components.
    fn find_components(&mut self, ways: &[PlaceWays]) -> Vec<u32> {
        let mut is_met = vec![false; ways.len()];
        let mut left = Vec::new();
        let mut open: Vec<(u32, bool)> =
            (0..ways.len() as u32).map(|place| (place, false)).collect();
        while let Some((place, leaves)) = open.pop() {
            if leaves {
                left.push(place);
            } else if !std::mem::replace(&mut is_met[place as usize], true) {
                open.push((place, true));
                open.extend(ways[place as usize].links.iter().map(|link| (link.to, false)));
            }
        }
        self.components = vec![FAR; ways.len()];
        let mut members: Vec<u32> = Vec::new();
        let mut count = 0;
        for root in left.into_iter().rev() {
            let mut open = vec![root];
            let known = members.len();
            while let Some(place) = open.pop() {
                if self.components[place as usize] == FAR {
                    self.components[place as usize] = count;
                    members.push(place);
                    open.extend(self.into[place as usize].iter().map(|(from, _)| *from));
                }
            }
            count += u32::from(members.len() > known);
        }
        members
    }

    /// Finds the components that each component reaches, from the highest number down.
    fn find_reached(&mut self, ways: &[PlaceWays], members: &[u32]) {
        let count = members.last().map_or(0, |last| self.components[*last as usize] as usize + 1);
        if count > MOST_COMPONENTS {
            return;
        }
        self.stride = count.div_ceil(64);
        self.reached = vec![0; count * self.stride];
        for place in members.iter().rev().map(|place| *place as usize) {
            let own = self.components[place] as usize;
            self.reached[own * self.stride + own / 64] |= 1 << (own % 64);
            for link in &ways[place].links {
                let other = self.components[link.to as usize] as usize;
                if other != own {
                    let (low, high) = self.reached.split_at_mut(other * self.stride);
                    let own = &mut low[own * self.stride..][..self.stride];
                    own.iter_mut().zip(high).for_each(|(bits, more)| *bits |= *more);
                }
            }
        }
    }

    /// False only if no links lead from one place to the other.
    fn may_reach(&self, from: u32, to: u32) -> bool {
        let [from, to] = [from, to].map(|place| self.components[place as usize] as usize);
        match self.reached.get(from * self.stride + to / 64) {
            Some(bits) if self.stride > 0 => bits >> (to % 64) & 1 != 0,
            _ => from <= to,
        }
    }
}

impl JumpWays {
    /// Returns the quickest way from position `from` to position `to`, over the links that are known.
    ///
    /// A position in the air counts as the place below it. Returns `None` if no way is known, or if there is
    /// no place below. Equal calls return equal ways. If no links lead there, the answer takes O(1) up to
    /// 4,096 components, and so does [`JumpWays::may_reach`]. O(links · log links) otherwise: about 3 µs in a
    /// room, and 50 µs among 1,200 places.
    pub fn path(&self, from: IVec2, to: IVec2) -> Option<JumpPath> {
        self.counted_path(from, to, &mut 0)
    }

    /// The quickest way. Adds the time of the search to `spent`, in steps of the mover.
    pub(super) fn counted_path(&self, from: IVec2, to: IVec2, spent: &mut u64) -> Option<JumpPath> {
        let (start, from) = self.open_place(from)?;
        let (goal, to) = self.open_place(to)?;
        if start == goal {
            return Some(JumpPath { hops: Vec::new(), steps: self.walk(start, from.x, to.x) });
        }
        if !self.index.may_reach(start, goal) {
            return None;
        }
        let field = self.spread(vec![(goal, to)], Some((start, from.x)), spent);
        let (steps, mut next) = field.next(self, from)?;
        let mut hops = Vec::new();
        while let Next::Hop(hop) = next {
            hops.push(hop);
            next = field.next(self, hop.to)?.1;
        }
        Some(JumpPath { hops, steps })
    }

    /// Returns false if it is certain that no known links lead from one position to the other. O(1) up to
    /// 4,096 strongly connected components of places; beyond, more often true.
    pub fn may_reach(&self, from: IVec2, to: IVec2) -> bool {
        match (self.open_place(from), self.open_place(to)) {
            (Some((from, _)), Some((to, _))) => self.index.may_reach(from, to),
            _ => false,
        }
    }

    /// Returns the ways from all places to the nearest of `goals`, for many bodies with the same goals.
    ///
    /// A goal in the air counts as the place below it. O(links · log links).
    #[must_use]
    pub fn field(&self, goals: &[IVec2]) -> JumpField {
        self.spread(goals.iter().filter_map(|at| self.open_place(*at)).collect(), None, &mut 0)
    }

    /// The field of goals. With `from`, a place and a column, it may end when the steps from there are known.
    /// Adds its time to `spent`.
    fn spread(
        &self,
        goals: Vec<(u32, IVec2)>,
        from: Option<(u32, i32)>,
        spent: &mut u64,
    ) -> JumpField {
        let firsts = &self.index.firsts;
        let mut steps = vec![FAR; firsts[self.ways.len()]];
        let mut open = BinaryHeap::new();
        open.extend(goals.iter().map(|(place, at)| Reverse((0_u32, *place, at.x, None))));
        let mut first = vec![(FAR, 0); self.ways.len()];
        let mut best = FAR;
        while let Some(Reverse((cost, place, x, link))) = open.pop() {
            if link.is_some_and(|link| cost > steps[link]) {
                continue;
            }
            if let Some((_, column)) = from.filter(|(start, _)| *start == place) {
                best = best.min(cost.saturating_add(self.walk(place, column, x)));
            }
            if cost >= best {
                break;
            }
            // From most links the way that was found first in their place is no longer.
            let (known, column) = first[place as usize];
            if known != FAR && known.saturating_add(self.walk(place, column, x)) <= cost {
                continue;
            }
            if known == FAR {
                first[place as usize] = (cost, x);
            }
            let into = &self.index.into[place as usize];
            *spent += 1 + into.len() as u64 / LINKS_A_STEP;
            for (place, number) in into {
                let ways = &self.ways[*place as usize];
                let link = &ways.links[*number as usize];
                let is_aside = from.is_some_and(|(start, _)| !self.index.may_reach(start, *place));
                if is_aside || ways.is_closed || !self.is_open(link) {
                    continue;
                }
                let walked = self.walk(link.to, link.hop.to.x, x);
                let cost = cost.saturating_add(walked).saturating_add(link.hop.steps.into());
                let number = firsts[*place as usize] + *number as usize;
                if cost < steps[number] {
                    steps[number] = cost;
                    open.push(Reverse((cost, *place, link.hop.from.x, Some(number))));
                }
            }
        }
        JumpField { index: Arc::clone(&self.index), goals, steps }
    }

    /// The place with position `at`, or the place below it, and the position there. `None` if its floors were
    /// edited.
    pub(super) fn open_place(&self, at: IVec2) -> Option<(u32, IVec2)> {
        let at = self.places.below(at)?;
        let place = self.places.at(at)?;
        (!self.ways[place as usize].is_closed).then_some((place, at))
    }

    fn is_open(&self, link: &Link) -> bool {
        !link.is_dropped && !self.ways[link.to as usize].is_closed
    }

    /// The steps of a walk within a place.
    fn walk(&self, place: u32, from: i32, to: i32) -> u32 {
        let hold = self.places.runs[self.places.runs_of(place)[0] as usize].hold;
        self.moves.walk_steps(from.abs_diff(to), hold)
    }
}

/// What a body does next on its way to the goals of a [`JumpField`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// It walks to this position in its place.
    Goal(IVec2),
    /// It walks to a link and plays it.
    Hop(Hop),
}

impl JumpField {
    /// Returns the steps from position `at` to the nearest goal. `None` without a way, or if the links of
    /// `ways` have changed. O(links of the place).
    pub fn steps(&self, ways: &JumpWays, at: IVec2) -> Option<u32> {
        self.next(ways, at).map(|(steps, _)| steps)
    }

    pub(super) fn next(&self, ways: &JumpWays, at: IVec2) -> Option<(u32, Next)> {
        let (place, at) = ways.open_place(at)?;
        if !Arc::ptr_eq(&self.index, &ways.index) {
            return None;
        }
        let mut best: Option<(u32, Next)> = None;
        for (_, goal) in self.goals.iter().filter(|goal| goal.0 == place) {
            let steps = ways.walk(place, at.x, goal.x);
            if best.is_none_or(|best| steps < best.0) {
                best = Some((steps, Next::Goal(*goal)));
            }
        }
        let first = ways.index.firsts[place as usize];
        for (number, link) in ways.ways[place as usize].links.iter().enumerate() {
            let left = self.steps[first + number];
            if left == FAR || !ways.is_open(link) {
                continue;
            }
            let steps = left.saturating_add(ways.walk(place, at.x, link.hop.from.x));
            if best.is_none_or(|best| steps < best.0) {
                best = Some((steps, Next::Hop(link.hop)));
            }
        }
        best
    }
}
