//! One JSON document of all findings, for programs.

use serde::Serialize;

use super::clean::{clean, clean_path};
use crate::verify::finding::Finding;
use crate::verify::report::Summary;

/// The version of the format. It grows when a field is removed or changes its meaning, not with a new field.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document {
    version: u32,
    files_checked: usize,
    errors: usize,
    warnings: usize,
    findings: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    path: String,
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    headline: String,
    place: Place,
    excerpt: Option<Excerpt>,
    notes: Vec<String>,
    help: String,
}

/// A place in a file. Unknown parts are null. Pairs are line and column, column and row, x and y.
#[derive(Serialize)]
struct Place {
    line: Option<(u32, u32)>,
    tileset: Option<String>,
    layer: Option<String>,
    object: Option<u32>,
    cell: Option<(i32, i32)>,
    pixel: Option<(u32, u32)>,
}

#[derive(Serialize)]
struct Excerpt {
    origin: [u32; 2],
    rows: Vec<String>,
    legend: String,
}

/// All findings as one JSON document, with a line break at the end.
pub fn json(findings: &[Finding], summary: &Summary) -> String {
    let document = Document {
        version: VERSION,
        files_checked: summary.files,
        errors: summary.errors,
        warnings: summary.warnings,
        findings: findings.iter().map(entry).collect(),
    };
    // Serialization fails only for maps with keys that are not strings, and there are none.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn entry(finding: &Finding) -> Entry {
    let place = &finding.place;
    Entry {
        path: clean_path(&finding.path),
        code: finding.rule.code,
        name: finding.rule.name,
        severity: finding.severity.name(),
        headline: clean(&finding.headline),
        place: Place {
            line: place.line,
            tileset: place.tileset.as_deref().map(clean),
            layer: place.layer.as_deref().map(clean),
            object: place.object,
            cell: place.cell,
            pixel: place.pixel,
        },
        excerpt: finding.excerpt.as_ref().map(|excerpt| Excerpt {
            origin: excerpt.origin.to_array(),
            rows: excerpt.rows.clone(),
            legend: excerpt.legend.to_string(),
        }),
        notes: finding.notes.iter().map(|note| clean(note)).collect(),
        help: clean(&finding.help),
    }
}
