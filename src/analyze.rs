//! Analyzes a whole level: connected parts, the free space of a body, reachable goals, narrow passages, and
//! the difference of two levels. Results are exact integers. Time and memory are proportional to the number
//! of 64-bit words in the grid and the number of runs. A run is a sequence of neighbouring cells in a row. A
//! level over a stated limit gives the error [`TooComplex`].

mod bands;
mod components;
mod difference;
mod free_space;
mod islands;
mod reach;

pub use bands::TooComplex;
pub use components::{CellKind, Component, Components, Connectivity, components};
pub use difference::{
    BodyDifference, LevelDifference, MarkerChange, MarkerDifference, Passage, Patch, difference,
};
pub use free_space::{FreeArea, FreeSpace, Gap, boxes_at, free_space, near_gaps};
pub use islands::{Island, islands};
pub use reach::{
    Barrier, BarrierKind, Keys, Leg, MoveSet, PlatformerMoves, Reach, ReachLimits, Undecided,
    Verdict, Witness, reach,
};

#[cfg(test)]
mod tests;
