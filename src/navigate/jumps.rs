//! Jump ways: where a body that runs and jumps gets in a level seen from the side, and the keys that take it
//! there. A way consists of walks and links; every link was played by the real
//! [`Platformer`](crate::Platformer), from rest on a whole pixel, and ends where that play ended. Nothing is
//! guessed. [`JumpWays::reach`] decides for a whole level which goals can be reached, and proves which cannot.
//!
//! Only the level counts: its solids, one-way cells, ladders and water. Things that move, open or push are
//! not known here.
// The method and its costs were measured in a prototype. The places are chains of runs (module `places`). The
// launches of a place scout all programs, and their best candidates become links (`scout`, `launch`).

mod follow;
mod launch;
mod places;
mod programs;
mod proof;
mod scout;
mod search;
mod verdict;

use std::collections::HashMap;
use std::fmt;

use glam::{IVec2, UVec2};

pub use self::follow::{Aim, Follow, Follower};
use self::launch::{Launcher, launches_of};
use self::search::Index;
pub use self::search::{Hop, JumpField, JumpPath};
pub use self::verdict::{Obstacle, ObstacleKind, SoftLock, Undecided, Verdict, Witness};
use crate::Rate;
use crate::character::{Feel, Input, Platformer};
use crate::geometry::{Aabb, Dir, Sides};
use crate::level::Level;
use crate::mover::{Mover, MoverSettings, Response};

/// A body that runs and jumps: its size, and all that decides its motion.
///
/// ```
/// use bitwall::character::Feel;
/// use bitwall::navigate::Jumper;
/// use bitwall::{Rate, glam::UVec2};
///
/// let jumper = Jumper::new(UVec2::new(12, 20), Feel::default(), Rate::per_second(60));
/// assert_eq!(jumper.settings.step_height, 4);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Jumper {
    /// The width and height of the body in pixels. A side of 0 counts as 1.
    ///
    /// The body is not expected to crouch on its way.
    pub size: UVec2,
    /// The settings of running, jumping, climbing and swimming.
    pub feel: Feel,
    /// The settings of the character's mover.
    pub settings: MoverSettings,
    /// The number of steps that the game makes in a second.
    pub rate: Rate,
}

impl Jumper {
    /// Returns a body with the settings of [`MoverSettings::platformer`].
    pub const fn new(size: UVec2, feel: Feel, rate: Rate) -> Self {
        Self { size, feel, settings: MoverSettings::platformer(), rate }
    }
}

/// The ways of a body that runs and jumps in a level. Made by [`JumpWays::new`].
///
/// A *place* is a chain of floors between which the body walks up and down steps. From its places, *links*
/// lead to others: a jump, a fall, a drop through a one-way floor, a climb. A position is the top-left pixel
/// of the body.
///
/// The ways are a copy: after an edit of the level, tell them with [`JumpWays::edited`], and let
/// [`JumpWays::update`] find the changed links in slices. Between the two, no link is offered that the edit
/// may have changed.
///
/// Not every link is found: a way may be missing, but none is false. With the default feel the links connect
/// at least 93% of the pairs of places that programs from every pixel connect.
///
/// ```
/// use bitwall::character::Feel;
/// use bitwall::navigate::{JumpWays, Jumper};
/// use bitwall::{Grid, Level, Rate, glam::IVec2, glam::UVec2};
///
/// let grid = Grid::from_text("........\n........\n........\n.....###\n........\n########")?;
/// let mut level = Level::from_grid(grid, UVec2::splat(16))?;
/// let jumper = Jumper::new(UVec2::new(12, 16), Feel::default(), Rate::per_second(60));
/// let mut ways = JumpWays::new(&level, jumper)?;
/// let (ground, shelf) = (IVec2::new(4, 64), IVec2::new(100, 32));
/// let path = ways.path(ground, shelf).expect("it jumps onto the shelf");
/// assert_eq!(path.hops.len(), 1);
///
/// let edit = level.fill(0..8, 0..3, true)?; // no room is left above the shelf
/// ways.edited(edit.expect("the cells are in the level"));
/// assert!(ways.path(ground, shelf).is_none());
/// assert!(ways.update(&level, u64::MAX));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct JumpWays {
    moves: Moves,
    places: Places,
    /// What leads away from each place, in the order of the places.
    ways: Vec<PlaceWays>,
    /// The boxes of the level that were edited since the places were found.
    edits: Vec<Aabb>,
    /// The places with launches to make or links to pick.
    due: Vec<u32>,
    index: Index,
}

/// The error of [`JumpWays::new`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoJumpWays {
    /// The body's floor is not below it, or a solid that stops it does more than stop it. A [`Feel`] must
    /// have the floor [`Dir::Down`], and a mover the response [`Response::Slide`].
    Moves,
    /// Memory ran out.
    TooLarge,
}

impl fmt::Display for NoJumpWays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Moves => {
                "jump ways are for bodies whose floor is down and that slide along solids"
            }
            Self::TooLarge => "memory ran out",
        })
    }
}

impl std::error::Error for NoJumpWays {}

/// The side of the floor of [`programs::floor_below`] in pixels.
const FLOOR: u32 = 1 << 14;

/// A body with its state.
#[derive(Clone, Copy, Debug)]
struct Actor {
    mover: Mover,
    state: Platformer,
}

/// What holds a body at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    Floor,
    Water,
}

/// How a body leaves its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    /// It runs up, jumps and steers.
    #[default]
    Jump,
    /// It walks over the end of its floor.
    Walk,
    /// It drops through a one-way floor.
    Drop,
    /// It runs over the end of its floor, and jumps in the last step of coyote time.
    Coyote,
    /// It jumps from a wall, and back to the same wall.
    Wall,
    /// It jumps from wall to wall.
    Zigzag,
    /// It climbs a ladder up, or down, and then jumps aside.
    ClimbUp,
    ClimbDown,
    /// It dives and swims aside.
    Dive,
}

/// The keys of a body as a function of the step and of its state: see [`Program::input`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Program {
    kind: Kind,
    /// The side to which the body runs and steers: -1, 0 or 1.
    side: i8,
    /// The steps before the jump.
    run: u16,
    /// The steps for which the jump key is held, and the number of presses.
    hold: u16,
    jumps: u8,
    /// The steps in the air without a key to the side, then the steps with it, and the side afterwards.
    wait: u16,
    steer: u16,
    after: i8,
    /// The step in the air in which a dash begins.
    dash: Option<u16>,
    dashes_up: bool,
    /// True if the body grabs ladders on its fall.
    grabs: bool,
}

/// A program that is played.
#[derive(Clone, Copy, Debug)]
struct Playing {
    program: Program,
    step: u16,
    phase: Phase,
    /// True if the body rested after the step before.
    rested: bool,
}

/// The parts of a play: until the body leaves its place, until it is held again, and until it rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Leaves,
    Flies,
    Rests,
}

/// The outcome of a play. `end` is the body at rest; `None` if it did not come to rest.
struct Played {
    end: Option<Actor>,
    steps: u16,
    /// The box of all solids that may have mattered.
    looked: Aabb,
}

/// A program's flight in free space, relative to its take-off.
#[derive(Clone, Debug)]
struct Flight {
    /// The last step on the floor.
    first: usize,
    /// The position and the body after each step.
    at: Vec<IVec2>,
    states: Vec<Actor>,
    /// The boxes that the body covers in the next 4 and 16 steps after each step, and in all steps up to it.
    four: Vec<Aabb>,
    sixteen: Vec<Aabb>,
    swept: Vec<Aabb>,
}

/// What a flight meets in a level, after this step.
#[derive(Clone, Copy, Debug)]
enum Scouted {
    /// It lands at this position.
    Lands { at: IVec2, step: usize },
    /// It meets a wall at this side, or without a side something else.
    Meets { step: usize, side: Option<Dir> },
}

/// A body with all that is known of its moves before there is a level.
#[derive(Clone, Debug)]
struct Moves {
    jumper: Jumper,
    /// The states at rest on a floor and in water.
    standing: Platformer,
    afloat: Platformer,
    programs: Vec<Program>,
    /// The programs of launches to the left and to the right, at most 63 each.
    sides: [Vec<u16>; 2],
    /// The flight of each program that does not depend on what it meets.
    flights: Vec<Option<Flight>>,
    /// The length of a run-up, and of braking from the top speed, in pixels.
    run: i32,
    brake: i32,
    /// The highest speed along x, in subpixels a step.
    fastest: u64,
    /// How far from a body solids may matter for its step, on each side.
    look: Sides<i32>,
}

/// A row of positions at which a body rests, from column `x0` to column `x1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    y: i32,
    x0: i32,
    x1: i32,
    place: u32,
    hold: Hold,
}

/// The places of a body in a level.
#[derive(Clone, Debug, Default)]
struct Places {
    /// The runs, sorted by row, then by column.
    runs: Vec<Run>,
    /// Pairs of neighbouring positions in two runs between which the body walks in both directions.
    joins: Vec<[IVec2; 2]>,
    /// The runs of each place from the left, and the first of them in this list.
    chains: Vec<u32>,
    starts: Vec<u32>,
}

/// A program that probably leads to another place.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    program: Program,
    /// The number of the program in its launch.
    number: u8,
    /// A position in the place to which it leads.
    end: IVec2,
    to: u32,
    steps: u16,
}

/// What leads away from a position to one side.
#[derive(Clone, Debug)]
struct Launch {
    at: IVec2,
    side: i8,
    /// For each program of this side, and last for climbs and dives, the box of all solids that may matter.
    looks: Vec<Aabb>,
    /// The programs to scout, one bit for each of `looks`.
    due: u64,
    /// The programs that meet a wall, one bit for each.
    walls: u64,
    found: Vec<Candidate>,
}

/// A program that was played from rest at `at`, and came to rest at `end`.
#[derive(Clone, Copy, Debug)]
struct Link {
    to: u32,
    at: IVec2,
    end: IVec2,
    steps: u16,
    program: Program,
    /// The box of all solids that may have mattered.
    looked: Aabb,
    /// True if the level was edited there.
    is_dropped: bool,
}

/// What leads away from a place.
#[derive(Clone, Debug)]
struct PlaceWays {
    launches: Vec<Launch>,
    links: Vec<Link>,
    /// The links that replace them when all places are up to date, so that they are counted once.
    picked: Option<Vec<Link>>,
    /// The hull of what the launches looked at.
    looked: Aabb,
    /// True if the floors of the place were edited.
    is_closed: bool,
    is_due: bool,
}

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
        places.find(&moves.jumper, level, everywhere).ok_or(NoJumpWays::TooLarge)?;
        let (ways, edits, due) = (Vec::new(), Vec::new(), Vec::new());
        let mut all = Self { moves, places, ways, edits, due, index: Index::default() };
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
        for ways in self.ways.iter_mut().filter(|ways| ways.looked.overlaps(area)) {
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
                if self.places.find(&self.moves.jumper, level, window).is_none() {
                    self.edits.push(area);
                    return false;
                }
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
    fn play_due(&mut self, level: &Level, budget: u64) -> u64 {
        let mut spent = 0;
        while let Some(place) = self.due.last().copied() {
            let mut ways = std::mem::take(&mut self.ways[place as usize]);
            let Self { moves, places, .. } = &*self;
            let mut launcher = Launcher::new(moves, places, level, spent);
            let is_done = ways.make(&mut launcher, budget);
            if is_done {
                ways.pick(place, &mut launcher);
                ways.is_due = false;
            }
            spent = launcher.spent;
            if is_done {
                self.due.pop();
            }
            self.ways[place as usize] = ways;
            if !is_done || spent >= budget {
                break;
            }
        }
        if self.due.is_empty() {
            self.take_picked();
            self.index = Index::new(&self.ways);
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
        let mut ways = std::mem::take(&mut self.ways);
        let mut numbers = vec![None; ways.len()];
        let mut launches = HashMap::new();
        let mut links: HashMap<u32, Vec<Link>> = HashMap::new();
        let mut kept: Vec<Option<PlaceWays>> = Vec::new();
        kept.resize_with(self.places.count(), || None);
        for (place, known) in ways.drain(..).enumerate() {
            if let Some(number) = self.places.same(old, place as u32) {
                numbers[place] = Some(number);
                kept[number as usize] = Some(known);
                continue;
            }
            for link in known.links.into_iter().filter(|link| !link.is_dropped) {
                if let Some(from) = self.places.at(link.at) {
                    links.entry(from).or_default().push(link);
                }
            }
            let known = known.launches.into_iter();
            launches.extend(known.map(|launch| ((launch.at, launch.side), launch)));
        }
        for (place, known) in kept.into_iter().enumerate() {
            let place = place as u32;
            let mut ways = known.unwrap_or_else(|| {
                let all = launches_of(&self.places, self.moves.run, place).into_iter();
                let all = all.map(|it| launches.remove(&(it.at, it.side)).unwrap_or(it));
                let links = links.remove(&place).unwrap_or_default();
                PlaceWays { launches: all.collect(), links, is_due: true, ..PlaceWays::default() }
            });
            ways.is_closed = false;
            ways.renumber(&self.places, &numbers);
            self.ways.push(ways);
        }
        // The last of them is made first.
        self.due =
            (0..self.ways.len() as u32).filter(|at| self.ways[*at as usize].is_due).collect();
        self.due.reverse();
        self.index = Index::new(&self.ways);
    }

    /// Returns the number of links.
    pub fn link_count(&self) -> usize {
        self.ways.iter().map(|ways| ways.links.len()).sum()
    }

    /// Returns all links: the jumps, falls and climbs between places.
    pub fn links(&self) -> impl Iterator<Item = Hop> {
        let links = self.ways.iter().flat_map(|ways| &ways.links);
        links.filter(|link| !link.is_dropped).map(Hop::of)
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
        let runs = self.places.runs.iter();
        runs.map(|run| (Aabb { min: run.at(run.x0), max: run.at(run.x1) + 1 }, run.place))
    }

    /// Returns the number of the place with position `at`, or of the next place straight below. `None` if
    /// there is none. The numbers change with each edit.
    pub fn place_at(&self, at: IVec2) -> Option<u32> {
        self.places.at(self.places.below(at)?)
    }
}

impl Default for PlaceWays {
    fn default() -> Self {
        let looked = Aabb { min: IVec2::ZERO, max: IVec2::ZERO };
        let (launches, links) = (Vec::new(), Vec::new());
        Self { launches, links, picked: None, looked, is_closed: false, is_due: false }
    }
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
        self.looked = looked.reduce(Aabb::hull).unwrap_or(self.looked);
        true
    }

    /// Gives the ends of candidates and links the numbers of the places as they are now. `numbers` has the
    /// number of each old place that is unchanged.
    fn renumber(&mut self, places: &Places, numbers: &[Option<u32>]) {
        for found in self.launches.iter_mut().flat_map(|launch| &mut launch.found) {
            match numbers.get(found.to as usize) {
                Some(Some(to)) => found.to = *to,
                _ => {
                    self.is_due = true;
                    found.to = places.at(found.end).unwrap_or(u32::MAX);
                }
            }
        }
        self.links.retain_mut(|link| {
            let known = numbers.get(link.to as usize).copied().flatten();
            let to = known.or_else(|| places.at(link.end));
            link.to = to.unwrap_or(link.to);
            to.is_some()
        });
    }
}

impl Launch {
    const fn new(at: IVec2, side: i8) -> Self {
        Self { at, side, looks: Vec::new(), due: u64::MAX, walls: 0, found: Vec::new() }
    }
}

#[cfg(test)]
mod tests;
