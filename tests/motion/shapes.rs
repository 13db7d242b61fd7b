//! The shapes against twins that know nothing of their method, and against each other.

mod degenerate;
mod forms;
mod plain;
mod sectors;
mod twins;
