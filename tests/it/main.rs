//! The one integration binary: everything that is tested from outside the crate.

#[cfg(unix)]
mod bad_input;
#[cfg(unix)]
mod bombs;
mod cli;
mod config;
mod contract;
mod corpus;
mod forms;
mod golden;
mod limits;
mod loading;
#[cfg(unix)]
mod memory;
#[cfg(unix)]
mod readme;
mod render;
mod root;
mod same_answer;
mod shared;
mod thin_walls;
mod tidy;
mod verify;
