//! Where a body can get: goals that it reaches with a list of inputs, and goals that it never reaches.
//!
//! Bounded from both sides. A search plays the real mover, and what it finds has inputs that replay. An
//! over-estimate, the free space of the body cut by the height of its jump, proves what is out of reach. A
//! goal between the two is unknown. Nothing here reads files, judges a level or knows of what a game adds:
//! lifts, doors, springs.

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
