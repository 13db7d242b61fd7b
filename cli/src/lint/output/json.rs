//! One JSON document of all findings, for programs.

use std::borrow::Cow;

use serde::Serialize;

use crate::lint::checked::{Checked, Reported, SkippedRule};
use crate::lint::output::text::{clean, path_bytes, slashed_text};
use bitwall::text::printable_json;

#[derive(Serialize)]
struct Document<'o> {
    version: u32,
    #[serde(flatten)]
    numbers: Numbers,
    findings: Vec<Entry<'o>>,
    skipped: Vec<Skipped>,
}

/// All findings as one JSON document, with a line break at the end.
///
/// Its keys: `version` (2), the numbers of the run, `findings`, and `skipped`: the rules that could not be
/// checked, each with its reason. A later version of this crate may add keys; `version` grows when one goes
/// or changes its meaning.
pub fn json(checked: &Checked) -> String {
    pretty(&Document {
        version: VERSION,
        numbers: Numbers::of(checked),
        findings: checked.findings.iter().map(Entry::of).collect(),
        skipped: checked.skipped.iter().map(Skipped::of).collect(),
    })
}

/// The version of the JSON formats. It grows when a field is removed or changes its meaning, not with a new
/// field.
pub(super) const VERSION: u32 = 2;

/// A finding. Texts of the level are cut and made safe to print; paths are exact.
#[derive(Serialize)]
pub(super) struct Entry<'o> {
    /// As written on the command line, or found from there.
    path: Cow<'o, str>,
    /// The bytes of a path that is not UTF-8, each of them that is not a letter, a digit or one of `-._~/` as
    /// `%XX`.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    /// From the root of the repository, with `/` between its parts.
    repository_path: String,
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    fingerprint: &'o str,
    headline: String,
    /// The faults that it stands for.
    count: u64,
    place: Place,
    /// Left and top edge, width and height, in pixels of the level.
    area: Option<[i64; 4]>,
    /// A path through the level, in its pixels.
    trace: Vec<[i32; 2]>,
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

/// A rule that could not be checked.
#[derive(Serialize)]
pub(super) struct Skipped {
    code: &'static str,
    name: &'static str,
    reason: String,
    files: usize,
}

/// The numbers of a run.
#[derive(Serialize)]
pub(super) struct Numbers {
    files_checked: usize,
    errors: usize,
    warnings: usize,
    pictures_not_looked_at: usize,
    /// Levels that were not checked, because their `bitwall.toml` is broken.
    levels_not_checked: usize,
    /// Levels in the repository that were not checked, because a `.gitignore` names them.
    levels_ignored: usize,
    /// Null without a baseline or a revision.
    known: Option<usize>,
    /// Null without a baseline or a revision.
    fixed: Option<usize>,
}

impl<'o> Entry<'o> {
    pub(super) fn of(reported: &'o Reported) -> Self {
        let finding = &reported.finding;
        let place = &finding.place;
        let area = |area: bitwall::Aabb| {
            [area.min.x.into(), area.min.y.into(), area.width().into(), area.height().into()]
        };
        Self {
            path: finding.path.to_string_lossy(),
            path_bytes: path_bytes(&finding.path),
            repository_path: slashed_text(&reported.path),
            code: finding.rule.code,
            name: finding.rule.name,
            severity: finding.severity.name(),
            fingerprint: &reported.fingerprint,
            headline: clean(&finding.headline),
            count: finding.count(),
            place: Place {
                line: place.line,
                tileset: place.tileset.as_deref().map(clean),
                layer: place.layer.as_deref().map(clean),
                object: place.object,
                cell: place.cell,
                pixel: place.pixel,
            },
            area: finding.area.map(area),
            trace: finding.trace.iter().map(|point| point.to_array()).collect(),
            excerpt: finding.excerpt.as_ref().map(|excerpt| Excerpt {
                origin: excerpt.origin.to_array(),
                rows: excerpt.rows.clone(),
                legend: excerpt.legend.to_string(),
            }),
            notes: finding.notes.iter().map(|note| clean(note)).collect(),
            help: clean(&finding.help),
        }
    }
}

impl Skipped {
    pub(super) fn of(skipped: &SkippedRule) -> Self {
        Self {
            code: skipped.rule.code,
            name: skipped.rule.name,
            reason: clean(&skipped.reason.to_string()),
            files: skipped.files,
        }
    }
}

impl Numbers {
    pub(super) fn of(checked: &Checked) -> Self {
        let summary = checked.summary();
        Self {
            files_checked: summary.files,
            errors: summary.errors,
            warnings: summary.warnings,
            pictures_not_looked_at: checked.pictures,
            levels_not_checked: checked.unchecked,
            levels_ignored: checked.ignored,
            known: checked.known.map(|known| known.known),
            fixed: checked.known.map(|known| known.fixed),
        }
    }
}

/// A value as JSON over several lines, safe to print, with a line break at the end.
pub(super) fn pretty(value: &impl Serialize) -> String {
    // Serialization fails only for maps with keys that are not strings, and there are none.
    printable_json(&serde_json::to_string_pretty(value).unwrap_or_default()) + "\n"
}
