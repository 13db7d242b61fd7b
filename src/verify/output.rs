//! Findings as text: for people, for programs, and for CI systems. Nothing here prints or decides.
//!
//! [`full()`] and [`concise()`] write one finding, the others all of [`Checked`](super::Checked), with the
//! rules that could not be checked and the number of pictures that were not looked at. The formats for CI
//! systems name files by their paths from the root of the repository.
//!
//! The content of a file and its name are untrusted. A line of output is one line on a terminal for any of
//! them, and never a command to a CI system.

mod clean;
mod concise;
mod entry;
mod full;
mod github;
mod gitlab;
mod json;
mod junit;
mod ndjson;
mod paths;
mod sarif;
mod summary;

pub use concise::concise;
pub use full::full;
pub use github::{github, markdown};
pub use gitlab::gitlab;
pub use json::json;
pub use junit::junit;
pub use ndjson::ndjson;
pub use sarif::sarif;
pub use summary::{statistics, summary};

#[cfg(test)]
mod tests;
