//! The types of a reach query: the moves of a body, the limits of the search, and the results.

use std::fmt;

use glam::{IVec2, Vec2};

use crate::Rate;
use crate::character::{Feel, Input};
use crate::geometry::Aabb;
use crate::mover::MoverSettings;

/// The moves that a body can make.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveSet {
    /// The level is seen from above, and the body walks in four directions.
    TopDown {
        /// The largest number of pixels that the body walks per step, at least 1.
        speed: u32,
    },
    /// The level is seen from the side, and the body runs and jumps.
    Platformer(Box<PlatformerMoves>),
}

/// The parameters of a [`Platformer`](crate::character::Platformer) that decide its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlatformerMoves {
    /// The number of steps that the game makes in a second.
    pub rate: Rate,
    /// The parameters of running, jumping, climbing and swimming.
    pub feel: Feel,
    /// The settings of the character's mover.
    pub settings: MoverSettings,
}

impl MoveSet {
    /// Returns the moves of a body that is seen from above and walks at most `speed` pixels per step.
    pub const fn top_down(speed: u32) -> Self {
        Self::TopDown { speed }
    }

    /// Returns the moves of a character with this feel and [`MoverSettings::platformer`].
    ///
    /// A body that can jump from walls can climb every wall, so few goals are out of its reach.
    ///
    /// ```
    /// use bitwall::Rate;
    /// use bitwall::analyze::MoveSet;
    /// use bitwall::character::Feel;
    ///
    /// let moves = MoveSet::platformer(Rate::per_second(60), Feel::default());
    /// let MoveSet::Platformer(moves) = moves else { unreachable!("it is a platformer") };
    /// assert!(moves.feel.wall_jump.y > 0.0);
    /// ```
    pub fn platformer(rate: Rate, feel: Feel) -> Self {
        let settings = MoverSettings::platformer();
        Self::Platformer(Box::new(PlatformerMoves { rate, feel, settings }))
    }

    /// Returns the moves of [`MoveSet::platformer`] with [`Feel::default`], but without wall jumps and
    /// ledges. A jump rises `height` pixels in `seconds`.
    pub fn jumper(rate: Rate, height: f32, seconds: f32) -> Self {
        let jump = Feel { jump_height: height, jump_time: seconds, ..Feel::default() };
        Self::platformer(rate, Feel { wall_jump: Vec2::ZERO, ledge_reach: 0, ..jump })
    }
}

/// The result of [`reach`](super::reach()).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reach {
    /// The result for each goal, in the order of the goals.
    pub goals: Vec<Verdict>,
    /// The number of runs of positions, of the limit [`ReachLimits::runs`], that the searches did not use.
    pub runs_left: u64,
}

/// The result for a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The body reaches the goal with the inputs in this value.
    Reached(Witness),
    /// The body never reaches the goal because of this obstacle. The value is `None` after the first
    /// [`ReachLimits::explained`] unreachable goals, or if [`ReachLimits::runs`] is too low to find the
    /// obstacle.
    Unreachable(Option<Box<Barrier>>),
    /// The goal was neither reached nor proven to be out of reach, for this reason.
    Unknown(Undecided),
}

/// The reason that a goal was neither reached nor proven to be out of reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Undecided {
    /// The body is in a solid at each start.
    NoStart,
    /// A path through free positions leads to the goal, but the search found no inputs for the path.
    NotFound,
    /// The played steps reached [`ReachLimits::steps`].
    Steps,
    /// The searches visited as many runs of free positions as [`ReachLimits::runs`] allows.
    Runs,
    /// A one-way cell stops the body on the found path. Paths ignore one-way cells that stop bodies at their
    /// left or right side.
    OneWay,
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoStart => "the body is in a solid where it starts",
            Self::NotFound => "no inputs were found, and none were ruled out",
            Self::Steps => "the search ended after its limit of steps",
            Self::Runs => "the level is too large: the floods ended after their limit of runs",
            Self::OneWay => "one-way cells are in the way",
        })
    }
}

/// The limits of the work of [`reach`](super::reach()).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReachLimits {
    /// The largest number of steps of the real mover, at about 0.3 µs each.
    pub steps: u64,
    /// The largest number of runs of positions that all searches together visit, at about 0.1 µs each.
    ///
    /// A run is a sequence of adjacent free positions in a row, or the same sequence in several rows. A level
    /// with 8 million positions has about 100,000 runs.
    pub runs: u64,
    /// The largest number of unreachable goals whose obstacles are searched, in the order of the goals.
    pub explained: u32,
}

impl Default for ReachLimits {
    /// The default limits: 1,000,000 steps of the mover, 2^26 visited runs of positions, and obstacles for
    /// the first 8 unreachable goals.
    fn default() -> Self {
        Self { steps: 1_000_000, runs: 1 << 26, explained: 8 }
    }
}

/// The obstacle on the path to a goal that is out of reach.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Barrier {
    /// The kind of the obstacle.
    pub kind: BarrierKind,
    /// The path past the obstacle, from the start to the goal; empty if no path was found. Its points are
    /// centres of the body, in pixels.
    ///
    /// Consecutive points differ on one axis.
    pub path: Vec<IVec2>,
    /// The box of the obstacle, in pixels. For [`BarrierKind::Solid`], the box is the first solid cell on the
    /// path.
    ///
    /// For the other kinds, the box is the body at the point where the path leaves the reachable positions
    /// for the last time. [`BarrierKind::Height`] moves this box down to the floor.
    pub narrowest: Aabb,
}

/// The kind of an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BarrierKind {
    /// The path must cross solid cells. It crosses the smallest possible number of them.
    Solid {
        /// The number of solid cells on the path.
        cells: u32,
    },
    /// A passage that is too narrow or too low.
    Gap {
        /// The number of pixels by which the body would have to be smaller on each axis to pass.
        by: u32,
    },
    /// A rise that is too high.
    Height {
        /// The height that the body would have to rise above its last support, in pixels.
        needed: u32,
        /// The largest height that the body can rise above its last support, in pixels. A floor, a ladder and
        /// water are support.
        rise: u32,
    },
    /// A one-way cell that stops the body.
    OneWay,
}

/// The input of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keys {
    /// The pixels to move along x and y, for [`MoveSet::TopDown`].
    Walk(IVec2),
    /// The keys of a character, for [`MoveSet::Platformer`].
    Press(Input),
}

/// The inputs that take a body to a goal. [`Witness::replay`] plays the inputs with the real mover.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// The position of the body's top-left corner before the first step.
    pub start: IVec2,
    /// The inputs in order; empty if the body touches the goal at its start.
    pub legs: Vec<Leg>,
}

/// An input held for some steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The held input.
    pub keys: Keys,
    /// The number of steps with the held input.
    pub steps: u32,
}

impl Witness {
    pub(super) const fn new(start: IVec2) -> Self {
        Self { start, legs: Vec::new() }
    }

    pub(super) fn push(&mut self, keys: Keys, steps: u32) {
        match self.legs.last_mut() {
            _ if steps == 0 => {}
            Some(last) if last.keys == keys => last.steps += steps,
            _ => self.legs.push(Leg { keys, steps }),
        }
    }

    /// The number of steps of all legs.
    pub fn steps(&self) -> u64 {
        self.legs.iter().map(|leg| u64::from(leg.steps)).sum()
    }
}

/// Returns the box of a goal. For a point (an empty box), returns the box of its pixel.
pub(super) fn pixels_of(goal: Aabb) -> Aabb {
    Aabb { min: goal.min, max: goal.max.max(goal.min.saturating_add(IVec2::ONE)) }
}
