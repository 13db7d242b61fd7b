//! Finds the goals that a body can reach, with inputs that lead to these goals, and the goals that the body
//! can never reach.
//!
//! A search moves the body with the real mover, so the found inputs can be replayed. A goal is out of reach
//! if it is outside an over-estimate: the free space of the body, limited by the height of its jump. All
//! other goals are unknown. Additions of a game, such as lifts, doors and springs, are ignored.

mod graph;
mod moves;
mod over;
mod play;
mod verdict;

pub use moves::{
    Barrier, BarrierKind, Keys, Leg, MoveSet, PlatformerMoves, Reach, ReachLimits, Undecided,
    Verdict, Witness,
};
pub use verdict::reach;

#[cfg(test)]
mod tests;
