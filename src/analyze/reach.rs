//! Finds the goals that a body can reach, with inputs that lead to them, and the goals that it can never
//! reach.
//!
//! A search plays the real mover, so its inputs can be replayed. An over-estimate (the free space of the
//! body, cut by the height of its jump) proves that a goal is out of reach. Other goals are unknown.
//! Additions of a game, such as lifts, doors and springs, are ignored.

mod graph;
mod moves;
mod over;
mod play;
mod verdict;

pub use moves::{
    Barrier, BarrierKind, Keys, Leg, MoveSet, PlatformerMoves, Reach, ReachLimits, Unknown,
    Verdict, Witness,
};
pub use verdict::reach;

#[cfg(test)]
mod tests;
