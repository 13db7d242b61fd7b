//! The format for people: a finding with its excerpt, notes and help.

use std::fmt::Write;

use super::clean::{clean, clean_path};
use crate::verify::finding::Finding;

/// A finding with all its parts, with a line break at the end.
///
/// It starts with the severity and the code: `error[MSK202]`.
pub fn full(finding: &Finding) -> String {
    let Finding { rule, place, .. } = finding;
    let mut text = format!(
        "{}[{}]: {}\n  --> {}",
        finding.severity.name(),
        rule.code,
        clean(&finding.headline),
        clean_path(&finding.path)
    );
    if !place.is_empty() {
        let _ = write!(text, " ({})", clean(&place.to_string()));
    }
    text.push('\n');
    if let Some(excerpt) = &finding.excerpt {
        let _ = write!(text, "{excerpt}");
    }
    for note in &finding.notes {
        let _ = writeln!(text, "   = note: {}", clean(note));
    }
    if !finding.help.is_empty() {
        let _ = writeln!(text, "   = help: {}", clean(&finding.help));
    }
    text
}
