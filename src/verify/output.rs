//! Findings as text, in four formats. Nothing here prints or decides.
//!
//! The content of a file and its name are untrusted. Whatever they hold, a line of output is one line on a
//! terminal, and it is never a command to a CI system.

mod clean;
mod concise;
mod full;
mod github;
mod json;

pub use concise::concise;
pub use full::full;
pub use github::github;
pub use json::json;

#[cfg(test)]
mod tests;
