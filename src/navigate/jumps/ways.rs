//! The ways of a body as they are built and kept up to date: see [`JumpWays`].

use std::collections::HashMap;
use std::sync::Arc;

use glam::{IVec2, UVec2};

use super::launch::Launcher;
use super::search::Index;
use super::{
    Hop, JumpWays, Jumper, Launch, Moves, NoJumpWays, PlaceWays, Places, Playing, Run, STRIDE,
};
use crate::character::Input;
use crate::geometry::{Aabb, Dir};
use crate::level::Level;
use crate::mover::Response;

impl JumpWays {
    /// Finds the ways of a body in a level.
    ///
    /// A level of 4096 x 4096 pixels with 1,200 places takes about a second; the time grows with the number
    /// of places. If the size of the body is prepared ([`Terrain::prepare`](crate::Terrain::prepare)), it is
    /// shorter.
    ///
    /// # Errors
    /// [`NoJumpWays`] if the moves are none of a body on a floor below it, or if memory runs out.
    pub fn new(level: &Level, jumper: Jumper) -> Result<Self, NoJumpWays> {
        let mut ways = Self::unplayed(level, jumper)?;
        ways.update(level, u64::MAX);
        Ok(ways)
    }

    /// The places of a body, without a link yet: [`JumpWays::update`] finds the links.
    ///
    /// # Errors
    /// The same as for [`JumpWays::new`].
    pub fn unplayed(level: &Level, mut jumper: Jumper) -> Result<Self, NoJumpWays> {
        let is_slide = jumper.settings.response == Response::Slide;
        if jumper.feel.floor != Dir::Down || !is_slide || jumper.settings.floor != Some(Dir::Down) {
            return Err(NoJumpWays::Moves);
        }
        jumper.size = jumper.size.max(UVec2::ONE);
        let moves = Moves::new(jumper).map_err(|_| NoJumpWays::TooLarge)?;
        let mut places = Places::default();
        let everywhere = Aabb { min: IVec2::MIN, max: IVec2::MAX };
        places.find(&moves.jumper, level, everywhere);
        let (ways, edits, due) = (Vec::new(), Vec::new(), Vec::new());
        let mut all = Self { moves, places, ways, edits, due, index: Arc::default() };
        all.renew(&Places::default());
        Ok(all)
    }

    /// Returns the body.
    pub fn jumper(&self) -> &Jumper {
        &self.moves.jumper
    }

    /// Notes that the level was edited in the box `area`, in pixels: what an edit such as
    /// [`Terrain::set`](crate::Terrain::set) returned.
    ///
    /// The links that the edit may have changed are dropped at once. O(places + links near the edit).
    pub fn edited(&mut self, area: Aabb) {
        let window = Places::window(&self.moves.jumper, area);
        for ways in
            self.ways.iter_mut().filter(|ways| ways.looked.is_some_and(|it| it.overlaps(area)))
        {
            for launch in &mut ways.launches {
                for number in 0..launch.looks.len() {
                    launch.due |= u64::from(launch.looks[number].overlaps(area)) << number;
                }
                ways.is_due |= launch.due != 0;
            }
            let links = ways.links.iter_mut().chain(ways.picked.iter_mut().flatten());
            for link in links.filter(|it| it.looked.overlaps(area)) {
                (link.is_dropped, ways.is_due) = (true, true);
            }
        }
        for run in self.places.within(window) {
            self.ways[run.place as usize].is_closed = true;
        }
        self.edits.push(area);
    }

    /// Finds the links that edits have changed, in at most about `budget` steps of the mover, of 0.3 µs each.
    /// Returns true if all links are up to date.
    ///
    /// The first call after an edit finds the places anew, which takes O(runs) on top of the budget. Call it
    /// in each step of a game with a budget such as 3,000. The links that it finds are offered when it
    /// returns true. The result does not depend on the budgets, and is that of new ways of the edited level.
    pub fn update(&mut self, level: &Level, budget: u64) -> bool {
        if !self.edits.is_empty() {
            let old = self.places.clone();
            for area in std::mem::take(&mut self.edits) {
                let window = Places::window(&self.moves.jumper, area);
                self.places.find(&self.moves.jumper, level, window);
            }
            self.renew(&old);
        }
        if !self.due.is_empty() {
            self.play_due(level, budget);
        }
        self.due.is_empty()
    }

    /// Makes the launches that are due and picks links, in at most about `budget` steps of the mover. Returns
    /// the steps.
    pub(super) fn play_due(&mut self, level: &Level, budget: u64) -> u64 {
        let mut spent = 0;
        while let Some(place) = self.due.last().copied() {
            let ways = &mut self.ways[place as usize];
            let mut launcher = Launcher::new(&self.moves, &self.places, level, spent);
            let is_done = ways.make(&mut launcher, budget);
            if is_done {
                ways.pick(place, &mut launcher);
                self.due.pop();
            }
            spent = launcher.spent;
            if !is_done || spent >= budget {
                break;
            }
        }
        if self.due.is_empty() {
            self.take_picked();
            self.index = Arc::new(Index::new(&self.ways));
        }
        spent
    }

    /// Offers the picked links.
    fn take_picked(&mut self) {
        for ways in &mut self.ways {
            if let Some(picked) = ways.picked.take() {
                ways.links = picked;
            }
        }
    }

    /// Gives each place its launches: those that it had before, if no edit has changed them. `old` are the
    /// places before.
    fn renew(&mut self, old: &Places) {
        self.take_picked();
        let known = std::mem::take(&mut self.ways);
        let numbers: Vec<Option<u32>> =
            (0..known.len() as u32).map(|place| self.places.same(old, place)).collect();
        let mut kept = HashMap::new();
        let mut launches = HashMap::new();
        let mut links = Vec::new();
        for (number, known) in numbers.iter().zip(known) {
            if let Some(number) = number {
                kept.insert(*number, known);
                continue;
            }
            links.extend(known.links.into_iter().filter(|link| !link.is_dropped));
            let known = known.launches.into_iter();
            launches.extend(known.map(|launch| ((launch.at, launch.side), launch)));
        }
        for place in 0..self.places.chains.len() as u32 {
            self.ways.push(kept.remove(&place).unwrap_or_else(|| {
                let all = launches_of(&self.places, self.moves.run, place).into_iter();
                let all = all.map(|it| launches.remove(&(it.at, it.side)).unwrap_or(it));
                PlaceWays { launches: all.collect(), is_due: true, ..PlaceWays::default() }
            }));
        }
        for link in links {
            if let Some(from) = self.places.at(link.hop.from) {
                self.ways[from as usize].links.push(link);
            }
        }
        for ways in &mut self.ways {
            ways.is_closed = false;
            ways.renumber(&self.places, &numbers);
        }
        // The last of them is made first.
        let due = (0..self.ways.len() as u32).filter(|at| self.ways[*at as usize].is_due);
        self.due = due.rev().collect();
        self.index = Arc::new(Index::new(&self.ways));
    }

    /// Returns all links: the jumps, falls and climbs between places.
    pub fn links(&self) -> impl Iterator<Item = Hop> {
        let links = self.ways.iter().flat_map(|ways| &ways.links);
        links.filter(|link| !link.is_dropped).map(|link| link.hop)
    }

    /// Returns the keys of each step of a link, and the position of the body after it, as the mover plays it
    /// from rest.
    ///
    /// In an edited level the body may come to rest elsewhere. O(steps of the link).
    pub fn replay(&self, level: &Level, hop: &Hop) -> Vec<(Input, IVec2)> {
        let mut actor = self.moves.at_rest(hop.from, self.places.hold(hop.from));
        let mut playing = Playing::new(hop.program);
        let mut steps = Vec::new();
        while let Some(input) = playing.next(&self.moves, &actor) {
            actor.step(level, input, &self.moves.jumper.feel);
            steps.push((input, actor.mover.body.min));
        }
        steps
    }

    /// Returns the places: the rows of positions at which the body rests, as boxes of positions, and the
    /// number of the place of each.
    pub fn runs(&self) -> impl Iterator<Item = (Aabb, u32)> {
        self.places.runs.iter().map(|run| (run.positions(), run.place))
    }

    /// Returns the number of the place with position `at`, or of the next place straight below. `None` if
    /// there is none. The numbers change with each edit.
    pub fn place_at(&self, at: IVec2) -> Option<u32> {
        self.places.at(self.places.below(at)?)
    }
}

/// The columns from which a run is left: its ends, near its ends, a run-up before its ends, and each 16
/// pixels. A stair of a slope has few, and `is_end` tells which of its ends are ends of the place.
fn take_offs(run: &Run, is_end: [bool; 2], run_up: i32) -> Vec<i32> {
    let Run { x0, x1, .. } = *run;
    let mut columns = Vec::new();
    if x1 - x0 > 8 {
        columns.extend([x0, x1, x0 + 4, x1 - 4, x0 + run_up, x1 - run_up]);
    } else {
        columns.extend(is_end[0].then_some(x0));
        columns.extend(is_end[1].then_some(x1));
    }
    let stride = if x1 - x0 > 8 { STRIDE } else { STRIDE / 4 };
    let first = x0.saturating_add(stride - 1).div_euclid(stride) * stride;
    columns.extend((first..=x1).step_by(stride as usize));
    columns.retain(|x| (x0..=x1).contains(x));
    columns.sort_unstable();
    columns.dedup();
    columns
}

/// The launches of a place. `run_up` is the length of a run-up in pixels.
fn launches_of(places: &Places, run_up: i32, place: u32) -> Vec<Launch> {
    let runs = places.runs_of(place);
    let mut launches = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        let is_end = [number == 0, number + 1 == runs.len()];
        let run = &places.runs[*run as usize];
        for x in take_offs(run, is_end, run_up) {
            launches.extend([-1, 1].map(|side| Launch::new(run.at(x), side)));
        }
    }
    launches
}

impl PlaceWays {
    /// Makes the launches that are due. Returns false if the budget ended before.
    fn make(&mut self, launcher: &mut Launcher<'_>, budget: u64) -> bool {
        for launch in self.launches.iter_mut().filter(|launch| launch.due != 0) {
            if launcher.spent >= budget {
                return false;
            }
            launcher.launch(launch);
        }
        let looked = self.launches.iter().flat_map(|launch| launch.looks.iter().copied());
        self.looked = looked.reduce(Aabb::hull);
        true
    }

    /// Gives the ends of candidates and links the numbers of the places as they are now. `numbers` has the
    /// number of each old place that is unchanged.
    fn renumber(&mut self, places: &Places, numbers: &[Option<u32>]) {
        let same = |to: u32| numbers.get(to as usize).copied().flatten();
        for found in self.launches.iter_mut().flat_map(|launch| &mut launch.found) {
            let known = same(found.to);
            self.is_due |= known.is_none();
            found.to = known.or_else(|| places.at(found.end)).unwrap_or(u32::MAX);
        }
        self.links.retain_mut(|link| {
            let to = same(link.to).or_else(|| places.at(link.hop.to));
            link.to = to.unwrap_or(link.to);
            to.is_some()
        });
    }
}
