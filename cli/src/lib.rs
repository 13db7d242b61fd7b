//! The program `bitwall` and its linter, as a library.
//!
//! [`lint`] finds faults in maps, masks and configurations, and writes findings in the formats of CI systems.
//! The commands of the program use [`lint`] and the public interface of crate [`bitwall`]. Only the commands
//! print, read arguments and set exit codes.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[doc(hidden)]
pub mod commands;
mod git;
pub mod lint;
pub mod mask_facts;
pub mod suggest;
