//! The tests of the commands, also with hostile files.

#[cfg(unix)]
mod bad_input;
#[cfg(unix)]
mod bad_verify;
mod baked;
#[cfg(unix)]
mod bombs;
mod cli;
mod config;
#[allow(dead_code, reason = "the tests of the rules use the rest")]
mod conventions;
#[cfg(unix)]
mod copied;
mod doubtful_masks;
#[cfg(unix)]
mod every_hostile;
#[cfg(unix)]
mod hostile;
mod init;
#[cfg(unix)]
mod interrupted;
mod levels;
#[cfg(unix)]
mod mcp;
#[cfg(unix)]
mod memory;
#[cfg(unix)]
mod picture_bombs;
#[cfg(unix)]
mod pipes;
#[cfg(unix)]
mod readme;
mod real_games;
#[path = "../../../tests/tiled/saved.rs"]
#[allow(dead_code, reason = "the tests of loads use the rest")]
mod saved;
mod shapes;
#[allow(dead_code, reason = "the tests of the linter use the rest")]
mod shared;
mod suggestions;
#[path = "../../../tests/support/mod.rs"]
mod support;
#[cfg(unix)]
mod text_view;
#[cfg(unix)]
mod watch;

/// The folder in which the program runs: the root of the repository.
const HOME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
