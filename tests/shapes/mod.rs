//! The shapes are tested against naive versions that use other methods, and against each other.

mod degenerate;
mod forms;
mod pairs;
mod plain;
mod sectors;
mod tutorials;
