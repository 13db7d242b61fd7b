//! Text for the output, safe on a terminal and in the log of a CI system.

use std::fmt::Write;
use std::path::Path;

use crate::text::{MAX_QUOTED_CHARS, printable};

/// The longest message or path in the output, in characters. A name in it was cut before, at
/// [`MAX_QUOTED_CHARS`]; a path that is cut cannot be opened.
pub(super) const MAX_CHARS: usize = 1_000;

/// A text on one line, without terminal codes and commands of CI systems: control characters are escaped, and
/// so is `##`, which starts commands of GitHub (`##[error]`) and Azure (`##vso[..]`) anywhere in a line.
pub(super) fn clean(text: &str) -> String {
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

/// A path as text that is not a command even at the start of a line.
pub(super) fn clean_path(path: &Path) -> String {
    let text = clean(&path.to_string_lossy());
    if text.trim_start().starts_with("::") { format!("./{text}") } else { text }
}
