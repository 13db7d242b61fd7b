//! One line a finding, the path first.

use super::clean::{clean, clean_path};
use crate::verify::finding::Finding;

/// A finding on one line: `maps/cave.tmx: error[TMX107] nothing in the map is solid`, without a line break.
pub fn concise(finding: &Finding) -> String {
    let Finding { rule, place, .. } = finding;
    let place = match place.is_empty() {
        true => String::new(),
        false => format!(" ({})", clean(&place.to_string())),
    };
    format!(
        "{}: {}[{}] {}{place}",
        clean_path(&finding.path),
        finding.severity.name(),
        rule.code,
        clean(&finding.headline)
    )
}
