//! The answer to the question where a body gets, and the limits of the search for it. Plain data.

use std::fmt;

use glam::IVec2;

use super::barrier::Barrier;
use super::witness::Witness;

/// The answer of [`reach`](super::reach()).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Reach {
    /// A verdict for each goal, in their order.
    pub goals: Vec<Verdict>,
    /// Places at which the body came to stand and from which it never comes back, neither to a start nor to a
    /// goal: its top-left corners, from the top, then from the left. Empty unless
    /// [`ReachLimits::looks_for_traps`].
    pub traps: Vec<IVec2>,
    /// The reason that traps were not looked for everywhere, if they were asked for.
    pub unknown_traps: Option<Unknown>,
    /// The runs of positions that are left of [`ReachLimits::runs`].
    pub runs_left: u64,
}

/// Whether a body reaches a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct ReachLimits {
    /// The most steps of the real mover that are played, at about 0.3 µs each.
    pub steps: u64,
    /// The most runs of positions that all floods look at, each time that they do, at about 0.1 µs each. A
    /// run is positions of the body beside each other in rows that are alike: a flood looks at 8 million
    /// positions by some 100,000 runs.
    pub runs: u64,
    /// The number of goals out of reach for which the obstacle is looked for: the first ones.
    pub explained: u32,
    /// True to look for places without a way back too.
    pub looks_for_traps: bool,
}

impl Default for ReachLimits {
    /// 1,000,000 steps, 2^26 runs, 8 goals that are explained, without traps.
    fn default() -> Self {
        Self { steps: 1_000_000, runs: 1 << 26, explained: 8, looks_for_traps: false }
    }
}

impl ReachLimits {
    /// These limits with so many steps.
    #[must_use]
    pub const fn with_steps(mut self, steps: u64) -> Self {
        self.steps = steps;
        self
    }

    /// These limits with so many runs.
    #[must_use]
    pub const fn with_runs(mut self, runs: u64) -> Self {
        self.runs = runs;
        self
    }

    /// These limits, with the obstacles of so many goals out of reach.
    #[must_use]
    pub const fn with_explained(mut self, explained: u32) -> Self {
        self.explained = explained;
        self
    }

    /// These limits, with a search for places without a way back.
    #[must_use]
    pub const fn with_traps(mut self) -> Self {
        self.looks_for_traps = true;
        self
    }
}
