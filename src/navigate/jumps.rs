//! Jump ways: where a body that runs and jumps gets in a level seen from the side, and the keys that take it
//! there. A way consists of walks and links; every link was played by the real
//! [`Platformer`], from rest on a whole pixel, and ends where that play ended. Nothing is
//! guessed. [`JumpWays::reach`] decides for a whole level which goals can be reached, and proves which
//! cannot.
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
mod ways;

use std::fmt;
use std::sync::Arc;

use glam::{IVec2, UVec2};

pub use self::follow::{Aim, Follow, Follower};
use self::programs::resting;
use self::search::Index;
pub use self::search::{Hop, JumpField, JumpPath};
pub use self::verdict::{Obstacle, ObstacleKind, SoftLock, Undecided, Verdict, Witness};
use crate::Rate;
use crate::character::{Feel, Input, Platformer, Stance};
use crate::geometry::{Aabb, Dir, Sides};
use crate::level::Level;
use crate::mover::{Mover, MoverSettings};

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
    /// The launches and links of each place, in the order of the places.
    ways: Vec<PlaceWays>,
    /// The boxes of the level that were edited since the places were found.
    edits: Vec<Aabb>,
    /// The places with launches to make or links to pick.
    due: Vec<u32>,
    index: Arc<Index>,
}

/// The error of [`JumpWays::new`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoJumpWays {
    /// The body's floor is not below it, or a solid that stops it does more than stop it. A [`Feel`] must
    /// have the floor [`Dir::Down`], and a mover the response
    /// [`Response::Slide`](crate::mover::Response::Slide).
    Moves,
    /// Memory ran out.
    TooLarge,
}

impl fmt::Display for NoJumpWays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Moves => "jump ways need a floor below the body, and the response slide",
            Self::TooLarge => "memory ran out",
        })
    }
}

impl std::error::Error for NoJumpWays {}

/// The side of the floor of `scout::floor_below` in pixels.
const FLOOR: u32 = 1 << 14;

/// A body with its state.
#[derive(Clone, Copy, Debug)]
struct Actor {
    mover: Mover,
    state: Platformer,
}

/// The support of a body at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Footing {
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

/// The outcome of a play. `end` is the position at rest; `None` if the body did not come to rest.
struct Played {
    end: Option<IVec2>,
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
    /// The boxes that the body covers in the next steps after each step, and in all steps up to it.
    ahead: Vec<Aabb>,
    swept: Vec<Aabb>,
}

/// The end of a flight in a level, and the step after which it comes.
#[derive(Clone, Copy, Debug)]
struct Scouted {
    step: usize,
    /// The position at which it lands.
    lands: Option<IVec2>,
    /// The side at which it meets a wall. Without both, it meets something else.
    side: Option<Dir>,
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
    /// The highest speed of a walk and of swimming in subpixels a step, and the steps to start and to stop.
    paces: [[u64; 2]; 2],
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
    hold: Footing,
}

/// The places of a body in a level.
#[derive(Clone, Debug, Default)]
struct Places {
    /// The runs, sorted by row, then by column.
    runs: Vec<Run>,
    /// Pairs of neighbouring positions in two runs between which the body walks in both directions.
    joins: Vec<[IVec2; 2]>,
    /// The numbers of the runs of each place, from the left.
    chains: Vec<Vec<u32>>,
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

/// The programs that may be played from a position to one side.
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

/// A program that was played from rest to rest.
#[derive(Clone, Copy, Debug)]
struct Link {
    hop: Hop,
    /// The place in which it ends.
    to: u32,
    /// The box of all solids that may have mattered.
    looked: Aabb,
    /// True if the level was edited there.
    is_dropped: bool,
}

/// The launches and the links of a place.
#[derive(Clone, Debug, Default)]
struct PlaceWays {
    launches: Vec<Launch>,
    links: Vec<Link>,
    /// The links that replace them when all places are up to date, so that they are counted once.
    picked: Option<Vec<Link>>,
    /// The hull of what the launches looked at.
    looked: Option<Aabb>,
    /// True if the floors of the place were edited.
    is_closed: bool,
    is_due: bool,
}

impl Launch {
    const fn new(at: IVec2, side: i8) -> Self {
        Self { at, side, looks: Vec::new(), due: u64::MAX, walls: 0, found: Vec::new() }
    }
}

/// The distance between two take-offs inside a run, in pixels. With the ends of the runs these find 94 to 98%
/// of the pairs of places that take-offs at every pixel find.
const STRIDE: i32 = 16;

/// The longest time of a play in seconds, and in steps. A longer play has failed.
const LONGEST: u32 = 10;
const MOST_STEPS: u32 = 10_000;

impl Actor {
    /// A new body at position `at`.
    fn at(jumper: &Jumper, at: IVec2) -> Self {
        let body = Aabb { min: at, max: at.saturating_add(jumper.size.as_ivec2()) };
        let mover = Mover::new(body, jumper.settings);
        Self { mover, state: Platformer::new(jumper.rate) }
    }

    fn step(&mut self, level: &Level, input: Input, feel: &Feel) {
        self.state.step(level, &mut self.mover, input, feel);
    }

    /// True if the body stands on a floor or floats.
    fn is_held(&self) -> bool {
        matches!(self.state.stance, Stance::Ground | Stance::Water)
    }
}

impl Moves {
    /// A body at rest at position `at`, with a subpixel of 0.
    fn at_rest(&self, at: IVec2, hold: Footing) -> Actor {
        let mut actor = Actor::at(&self.jumper, at);
        actor.state = if hold == Footing::Water { self.afloat } else { self.standing };
        actor.mover.steps_since_grounded = 0;
        actor
    }

    /// True if the body is at rest and remembers nothing of how it came, so that it moves like one at rest
    /// from [`Moves::at_rest`] with the same subpixel.
    fn rests(&self, state: &Platformer) -> bool {
        let mut state = *state;
        state.facing = None;
        state == self.standing || state == self.afloat
    }

    /// True if the body is at rest and stays there. In water it must also have been at rest a step before,
    /// because on a ground it rests for one step before it rises.
    fn rests_on(&self, actor: &Actor, rested: &mut bool) -> bool {
        let rests = self.rests(&actor.state);
        let before = std::mem::replace(rested, rests);
        rests && (before || actor.state.stance != Stance::Water)
    }

    /// The most steps of a play.
    fn longest(&self) -> u32 {
        (LONGEST * u32::from(self.jumper.rate.steps_per_second())).min(MOST_STEPS)
    }

    /// Plays a program from a body at rest, or goes on with one that has begun. Adds the steps to `spent`.
    fn play(
        &self,
        level: &Level,
        mut actor: Actor,
        mut playing: Playing,
        spent: &mut u64,
    ) -> Played {
        let mut looked = actor.mover.body;
        let bottom = i64::from(level.size().y) + i64::from(self.jumper.size.y);
        while let Some(input) = playing.next(self, &actor) {
            actor.step(level, input, &self.jumper.feel);
            looked = looked.hull(actor.mover.body);
            *spent += 1;
            if i64::from(actor.mover.body.min.y) > bottom {
                break;
            }
        }
        let is_end = playing.phase == Phase::Rests && self.rests(&actor.state);
        let end = is_end.then_some(actor.mover.body.min);
        Played { end, steps: playing.step, looked: self.looked(looked) }
    }

    /// The box of all solids that may change a motion within `swept`.
    fn looked(&self, swept: Aabb) -> Aabb {
        let Sides { left, right, up, down } = self.look;
        Aabb {
            min: swept.min.saturating_sub(IVec2::new(left, up)),
            max: swept.max.saturating_add(IVec2::new(right, down)),
        }
    }

    /// The steps of a walk of `pixels` from rest to rest.
    fn walk_steps(&self, pixels: u32, hold: Footing) -> u32 {
        let [speed, starting] = self.paces[usize::from(hold == Footing::Water)];
        let steps = (u64::from(pixels) << 16) / speed + u64::from(pixels > 0) * starting;
        steps.min(u64::from(u32::MAX / 4)) as u32
    }
}

impl Playing {
    fn new(program: Program) -> Self {
        Self { program, step: 0, phase: Phase::Leaves, rested: false }
    }

    /// The keys of the next step, for the body after the last step. `None` when the body rests again, or if
    /// the play takes too long.
    fn next(&mut self, moves: &Moves, actor: &Actor) -> Option<Input> {
        if u32::from(self.step) >= moves.longest() {
            return None;
        }
        let program = &self.program;
        let is_held = actor.is_held();
        match self.phase {
            Phase::Leaves if !is_held => self.phase = Phase::Flies,
            // A dive stays in the water, and a walk may lead to a lower floor without a flight.
            Phase::Leaves if self.step > self.last_step() => self.phase = Phase::Rests,
            Phase::Flies if is_held && self.step > program.run.min(self.last_step()) => {
                self.phase = Phase::Rests;
            }
            _ => {}
        }
        if self.phase != Phase::Rests {
            let input = program.input(self.step, &actor.state);
            self.step += 1;
            return Some(input);
        }
        if moves.rests_on(actor, &mut self.rested) {
            return None;
        }
        self.step += 1;
        Some(resting(actor.state.stance))
    }

    /// The last step in which the body of a program should have left its place.
    fn last_step(&self) -> u16 {
        let Program { kind, run, steer, .. } = self.program;
        match kind {
            Kind::ClimbUp | Kind::ClimbDown => run.min(4).saturating_add(24),
            Kind::Dive => run.saturating_add(steer),
            _ => run.saturating_add(24),
        }
    }
}

impl Run {
    /// The position in column `x`.
    fn at(&self, x: i32) -> IVec2 {
        IVec2::new(x, self.y)
    }

    /// All positions.
    fn positions(&self) -> Aabb {
        Aabb { min: self.at(self.x0), max: self.at(self.x1) + 1 }
    }
}

impl Places {
    /// The number of the run with position `at`.
    fn run_at(&self, at: IVec2) -> Option<usize> {
        let next = self.runs.partition_point(|run| (run.y, run.x0) <= (at.y, at.x));
        let number = next.checked_sub(1)?;
        let run = &self.runs[number];
        (run.y == at.y && at.x <= run.x1).then_some(number)
    }

    /// The number of the place with position `at`.
    fn at(&self, at: IVec2) -> Option<u32> {
        self.run_at(at).map(|run| self.runs[run].place)
    }

    /// The support of a body at position `at`.
    fn hold(&self, at: IVec2) -> Footing {
        self.run_at(at).map_or(Footing::Floor, |run| self.runs[run].hold)
    }

    /// The numbers of the runs of a place, from the left.
    fn runs_of(&self, place: u32) -> &[u32] {
        &self.chains[place as usize]
    }

    /// True if the place has a position in column `x`.
    fn has_column(&self, place: u32, x: i32) -> bool {
        let runs = self.runs_of(place);
        let [first, last] = [runs[0], runs[runs.len() - 1]].map(|run| &self.runs[run as usize]);
        (first.x0..=last.x1).contains(&x)
    }

    /// The first position of a place straight below `at`, or `at` itself.
    fn below(&self, at: IVec2) -> Option<IVec2> {
        let mut next = self.runs.partition_point(|run| run.y < at.y);
        loop {
            let y = self.runs.get(next)?.y;
            if let Some(run) = self.run_at(IVec2::new(at.x, y)) {
                return Some(self.runs[run].at(at.x));
            }
            next += self.runs[next..].partition_point(|run| run.y == y);
        }
    }

    /// The runs with positions in the box `window`.
    fn within(&self, window: Aabb) -> impl Iterator<Item = &Run> {
        let first = self.runs.partition_point(|run| run.y < window.min.y);
        let runs = self.runs[first..].iter().take_while(move |run| run.y < window.max.y);
        runs.filter(move |run| run.x0 < window.max.x && run.x1 >= window.min.x)
    }
}

#[cfg(test)]
mod tests;
