//! The program `bitwall` and its linter, as a library.
//!
//! [`lint`] finds the faults of maps, masks and configurations, and writes them in the formats of CI systems.
//! The program's commands stand on it and on the public interface of crate [`bitwall`]. Only they print, read
//! arguments and set exit codes.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[doc(hidden)]
pub mod commands;
mod git;
pub mod lint;
