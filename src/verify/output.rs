//! Findings as text, in four formats. Nothing here prints or decides.
//!
//! What a file says about itself, its name first of all, is a stranger's text. Every line that is made here
//! is one line on a terminal and no command to a CI system, whatever is in it.

mod concise;
mod full;
mod github;
mod json;

use std::fmt::Write;
use std::path::Path;

pub use concise::concise;
pub use full::full;
pub use github::github;
pub use json::json;

use crate::text::{MAX_QUOTED_CHARS, printable};

/// The longest message or path that is given out, in characters. A name in it has been cut before, at
/// [`MAX_QUOTED_CHARS`]; a path that is cut cannot be opened.
const MAX_CHARS: usize = 1_000;

/// A text on one line, without anything that a terminal or a CI system would obey: control characters are
/// escaped, and so is `##`, with which commands of GitHub (`##[error]`) and Azure (`##vso[..]`) start even
/// in the middle of a line.
fn clean(text: &str) -> String {
    let chars: Vec<char> = text.chars().take(MAX_CHARS + 1).collect();
    let (kept, rest) = chars.split_at(chars.len().min(MAX_CHARS));
    let mut line = String::new();
    for part in kept.chunks(MAX_QUOTED_CHARS) {
        let part: String = part.iter().collect();
        // Writing to a string does not fail.
        let _ = write!(line, "{}", printable(&part));
    }
    if !rest.is_empty() {
        line.push('…');
    }
    line.replace("##", "#\\u{23}")
}

/// A path as text that cannot be taken for a command, even where it starts a line.
fn clean_path(path: &Path) -> String {
    let text = clean(&path.to_string_lossy());
    if text.trim_start().starts_with("::") {
        format!("./{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests;
