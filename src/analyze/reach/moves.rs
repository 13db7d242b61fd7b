//! The question where a body can get: its moves, the limits of the search, and the answer. Plain data.

use std::fmt;

use glam::{IVec2, UVec2};

use crate::character::{Feel, Input};
use crate::geometry::Aabb;
use crate::mover::MoverSettings;

/// The moves of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveSet {
    /// It is seen from above and walks in four directions.
    TopDown {
        /// The most pixels of a step, at least 1. It can walk fewer.
        speed: u32,
    },
    /// It is seen from the side, runs and jumps.
    Platformer(Box<PlatformerMoves>),
}

/// The moves of a [`Platformer`](crate::character::Platformer).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlatformerMoves {
    /// How it runs, jumps, climbs and swims.
    pub feel: Feel,
    /// The settings of its mover.
    pub settings: MoverSettings,
}

impl MoveSet {
    /// The moves of a body that is seen from above and walks at most `speed` pixels a step.
    pub const fn top_down(speed: u32) -> Self {
        Self::TopDown { speed }
    }

    /// The moves of a character with this feel and [`MoverSettings::platformer`].
    ///
    /// A feel with a jump from walls climbs every wall, so that little is out of its reach.
    ///
    /// ```
    /// use bitwall::analyze::MoveSet;
    /// use bitwall::character::Feel;
    ///
    /// let MoveSet::Platformer(moves) = MoveSet::platformer(Feel::from_jump(44, 21)) else {
    ///     unreachable!("it is one");
    /// };
    /// assert!(moves.feel.wall_jump.y > 0);
    /// ```
    pub fn platformer(feel: Feel) -> Self {
        let settings = MoverSettings::platformer();
        Self::Platformer(Box::new(PlatformerMoves { feel, settings }))
    }

    /// As [`MoveSet::platformer`] with [`Feel::from_jump`], but without jumps from walls and without ledges
    /// to hang on: it runs, jumps, drops through one-way cells, climbs ladders and swims.
    pub fn jumper(height: u16, steps: u16) -> Self {
        let feel = Feel::from_jump(height, steps);
        Self::platformer(Feel { wall_jump: UVec2::ZERO, ledge_reach: 0, ..feel })
    }
}

/// The answer of [`reach`](super::reach()).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// A verdict for each goal, in their order.
    pub goals: Vec<Verdict>,
    /// The runs of positions that are left of [`ReachLimits::runs`].
    pub runs_left: u64,
}

/// Whether a body reaches a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does, with these inputs.
    Reached(Witness),
    /// It never does, because of this obstacle. Only the first [`ReachLimits::explained`] such goals have
    /// one, as far as [`ReachLimits::runs`] suffice, for it takes longer than the verdict.
    Unreachable(Option<Box<Barrier>>),
    /// Neither was shown.
    Unknown(Unknown),
}

/// The reason that a verdict is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unknown {
    /// The body is in a solid at each start.
    NoStart,
    /// A way leads there, but the inputs that were tried did not find one that the body can take.
    NotFound,
    /// The search ended after its limit of steps.
    Steps,
    /// The floods ended after their limit of runs.
    Runs,
    /// One-way cells that face a side, which the over-estimate does not know.
    OneWay,
    /// The height of its rise is not bounded.
    Unbounded,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoStart => "the body is in a solid where it starts",
            Self::NotFound => "no inputs were found, and none were ruled out",
            Self::Steps => "the search ended after its limit of steps",
            Self::Runs => "the level is too large: the floods ended after their limit of runs",
            Self::OneWay => "one-way cells are in the way",
            Self::Unbounded => "the body can rise without a bound",
        })
    }
}

/// The limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReachLimits {
    /// The most steps of the real mover that are played, at about 0.3 µs each.
    pub steps: u64,
    /// The most runs of positions that all floods look at, each time that they do, at about 0.1 µs each. A
    /// run is positions of the body beside each other in rows that are alike: a flood looks at 8 million
    /// positions by some 100,000 runs.
    pub runs: u64,
    /// The number of goals out of reach for which the obstacle is looked for: the first ones.
    pub explained: u32,
}

impl Default for ReachLimits {
    /// 1,000,000 steps, 2^26 runs, 8 goals that are explained.
    fn default() -> Self {
        Self { steps: 1_000_000, runs: 1 << 26, explained: 8 }
    }
}

/// The obstacle on the way to a goal that is out of reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Barrier {
    /// Its kind.
    pub kind: BarrierKind,
    /// The way past it, from the start to the goal, in pixels: the centres of the body on it. Each two follow
    /// each other along one axis. Empty if none was found.
    pub path: Vec<IVec2>,
    /// Its narrowest spot, in pixels: the body where the way leaves for the last time what it can reach, and
    /// for a height the body on the floor below that; or the first solid cell on the way.
    pub narrowest: Aabb,
}

/// The kind of an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BarrierKind {
    /// Solids. The way crosses as few solid cells as possible.
    Solid {
        /// The number of solid cells on the way.
        cells: u32,
    },
    /// A passage that is too narrow or too low.
    Gap {
        /// The pixels by which a body would have to be smaller on both axes.
        by: u32,
    },
    /// A place that is too high.
    Height {
        /// The pixels that a body would have to rise at once.
        needed: u32,
        /// The most that it rises.
        rise: u32,
    },
    /// A one-way cell.
    OneWay,
}

/// The input of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keys {
    /// So many pixels along x and y, for [`MoveSet::TopDown`].
    Walk(IVec2),
    /// The keys of a character, for [`MoveSet::Platformer`].
    Press(Input),
}

/// The inputs by which a body comes to a goal: they replay with the real mover.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// The place of the body's top-left corner before the first step.
    pub start: IVec2,
    /// The inputs in order. Empty if the body touches the goal at its start.
    pub legs: Vec<Leg>,
}

/// An input that is held for some steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The input.
    pub keys: Keys,
    /// The number of steps.
    pub steps: u32,
}

impl Witness {
    pub(super) const fn new(start: IVec2) -> Self {
        Self { start, legs: Vec::new() }
    }

    /// Adds some steps with an input.
    pub(super) fn push(&mut self, keys: Keys, steps: u32) {
        match self.legs.last_mut() {
            _ if steps == 0 => {}
            Some(last) if last.keys == keys => last.steps += steps,
            _ => self.legs.push(Leg { keys, steps }),
        }
    }

    /// The number of steps.
    pub fn steps(&self) -> u64 {
        self.legs.iter().map(|leg| u64::from(leg.steps)).sum()
    }
}

/// The pixels of a goal: those of its box, or the one that holds a point.
pub(super) fn pixels_of(goal: Aabb) -> Aabb {
    Aabb { min: goal.min, max: goal.max.max(goal.min.saturating_add(IVec2::ONE)) }
}
