//! Where a body can get: goals that it reaches with a list of inputs, and goals that it never reaches.
//!
//! Bounded from both sides. A search plays the real mover, and what it finds has inputs that replay. An
//! over-estimate, the free space of the body cut by the height of its jump, proves what is out of reach. A
//! goal between the two is unknown. Nothing here reads files, judges a level or knows of what a game adds:
//! lifts, doors, springs.

mod along;
mod answer;
mod barrier;
mod budget;
mod field;
mod graph;
mod moves;
mod over;
mod play;
mod player;
mod rise;
mod through;
mod verdict;
mod walk;
mod witness;

pub use answer::{Reach, ReachLimits, Unknown, Verdict};
pub use barrier::{Barrier, BarrierKind};
pub use moves::{MoveSet, PlatformerMoves};
pub use player::Keys;
pub use verdict::reach;
pub use witness::{Leg, Witness};

#[cfg(test)]
mod tests;
