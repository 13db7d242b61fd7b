//! Workflow commands that GitHub shows as annotations.
//!
//! The escapes are those of `@actions/core`: in a message `%`, CR and LF, in a property also `:` and `,`.

use std::fmt::Write;

use super::clean::{clean, clean_path};
use crate::verify::finding::Finding;

/// A finding as one workflow command: `::error file=maps/cave.tmx,title=TMX107 nothing-solid::...`, without
/// a line break.
pub fn github(finding: &Finding) -> String {
    let Finding { rule, place, .. } = finding;
    let file = property(&clean_path(&finding.path));
    let mut text = format!("::{} file={file}", finding.severity.name());
    if let Some((line, column)) = place.line {
        let _ = write!(text, ",line={line},col={column}");
    }
    let _ = write!(text, ",title={}", property(&format!("{} {}", rule.code, rule.name)));

    let mut message = clean(&finding.headline);
    if !place.is_empty() {
        let _ = write!(message, " ({})", clean(&place.to_string()));
    }
    for note in &finding.notes {
        let _ = write!(message, "\nnote: {}", clean(note));
    }
    if !finding.help.is_empty() {
        let _ = write!(message, "\nhelp: {}", clean(&finding.help));
    }
    let _ = write!(text, "::{}", data(&message));
    text
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
