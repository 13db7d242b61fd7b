//! The integration tests of loaders, pictures, the linter and the command line, from outside the crate.

mod as_shown;
#[cfg(unix)]
mod bad_input;
#[cfg(unix)]
mod bad_verify;
mod baked;
#[cfg(unix)]
mod bombs;
mod cli;
mod config;
mod contract;
mod conventions;
mod corpus;
mod encodings;
mod far;
#[cfg(unix)]
mod files;
mod forms;
mod golden;
mod hash;
#[cfg(unix)]
mod hostile;
mod init;
#[cfg(unix)]
mod interrupted;
mod lattice;
mod limits;
mod loading;
#[cfg(unix)]
mod memory;
#[cfg(unix)]
mod picture_bombs;
mod pixels;
#[cfg(unix)]
mod races;
#[cfg(unix)]
mod readme;
mod reference;
mod regions;
mod render;
mod root;
mod same_answer;
mod saved;
mod shapes;
mod shared;
mod sheet;
mod suggestions;

#[path = "../support/mod.rs"]
mod support;
mod thin_walls;
mod tidy;
mod worlds;
