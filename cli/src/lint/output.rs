//! Findings as text: for people, for programs, and for CI systems. Nothing here prints or decides.
//!
//! [`full()`] and [`concise()`] write one finding, the others all of [`Checked`](super::Checked), with the
//! rules that could not be checked and the number of pictures that were not looked at. The formats for CI
//! systems name files by their paths from the root of the repository.
//!
//! The content of a file and its name are untrusted. A line of output is one line on a terminal for any of
//! them, and never a command to a CI system.

mod ci;
mod json;
mod text;

pub use ci::{github, gitlab, junit, markdown, sarif};
pub use json::json;
pub use text::{concise, full, statistics, summary};

#[cfg(test)]
mod tests;
