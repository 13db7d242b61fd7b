//! The shapes against naive ones that know nothing of their method, and against each other.

mod degenerate;
mod forms;
mod pairs;
mod plain;
mod sectors;
