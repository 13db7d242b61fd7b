//! Facts of a level that no single query tells: its connected parts, the free space of a body, passages that
//! are too narrow, leaks, and the difference of two levels.
//!
//! Exact integer answers over a [`Grid`](crate::Grid), a [`Terrain`](crate::Terrain) or a
//! [`Level`](crate::Level). Time and memory are in proportion to the words and the runs of cells, with a
//! stated cap ([`TooComplex`]). Nothing here reads files, judges, prints or changes a level.

mod bands;
mod components;

pub use bands::TooComplex;
pub use components::{CellKind, Component, Components, Connectivity, components};
