//! The shapes against naive versions with another method, and against each other.

mod degenerate;
mod forms;
mod pairs;
mod plain;
mod sectors;
mod tutorials;
