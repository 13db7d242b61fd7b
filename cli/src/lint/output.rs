//! Findings as text: for people, for programs, and for CI systems. Nothing here prints or decides.
//!
//! [`full()`] and [`concise()`] write one finding, the others all of [`Checked`], with the
//! rules that could not be checked and the number of pictures that were not looked at. The formats for CI
//! systems name files by their paths from the root of the repository.
//!
//! The content of a file and its name are untrusted. A line of output is one line on a terminal for any of
//! them, and never a command to a CI system.

mod ci;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use serde::Serialize;

use crate::lint::checked::{Checked, KnownBy, Reported, SkippedRule, slashed};
use crate::lint::finding::Finding;
use crate::lint::{LintRule, SkipReason};
use bitwall::Aabb;
use bitwall::text::{MAX_QUOTED_CHARS, counted, printable, printable_json};

pub(crate) use ci::inert;
pub use ci::{github, gitlab, junit, markdown, sarif};

// Findings as text for people, whole and in one line, and the summary of a run. All is safe on a terminal
// and in the log of a CI system; the other formats take their texts and paths from here.

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

// Paths in formats for programs: `/` between their parts on every system, and every byte kept.

/// A path with `/` between its parts. Bytes that are not UTF-8 are replaced by U+FFFD.
pub(super) fn slashed_text(path: &Path) -> String {
    String::from_utf8_lossy(&slashed(path)).into_owned()
}

/// A path as a URI reference (RFC 3986): relative, or `file:///x`. Every byte that may have a meaning is
/// written as `%XX`, so that names which are not UTF-8 survive.
pub(super) fn uri(path: &Path) -> String {
    let encoded = percent_encoded(&slashed(path));
    if path.has_root() { format!("file://{encoded}") } else { encoded }
}

/// The bytes of a path that is not UTF-8, percent-encoded; `None` for one that is.
pub(super) fn path_bytes(path: &Path) -> Option<String> {
    match path.to_str() {
        Some(_) => None,
        None => Some(percent_encoded(&slashed(path))),
    }
}

fn percent_encoded(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(char::from(*byte));
            }
            other => text.push_str(&format!("%{other:02X}")),
        }
    }
    text
}

// One line a finding, the path first.

/// A finding on one line: `maps/cave.tmx: error[TMX107] nothing in the map is solid`, without a line break.
pub fn concise(finding: &Finding) -> String {
    concise_at(finding, &finding.path)
}

/// As [`concise`], with another path of the file.
pub(super) fn concise_at(finding: &Finding, path: &Path) -> String {
    let Finding { rule, place, severity, .. } = finding;
    let place = match place.is_empty() {
        true => String::new(),
        false => format!(" ({})", clean(&place.to_string())),
    };
    format!(
        "{}: {}[{}] {}{place}",
        clean_path(path),
        severity.name(),
        rule.code,
        clean(&finding.headline)
    )
}

// The format for people: a finding with its excerpt, notes and help.

/// A finding with all its parts, with a line break at the end.
///
/// It starts with the severity and the code: `error[MSK202]`.
pub fn full(finding: &Finding) -> String {
    let Finding { rule, place, severity, .. } = finding;
    let mut text = format!(
        "{}[{}]: {}\n  --> {}",
        severity.name(),
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

// The numbers of a run in words: what was checked, and what was not.

/// The result in a few lines, with a line break at the end: the rules that could not be checked, the pictures
/// that were not looked at, the numbers of a baseline, and at last those of files and findings.
pub fn summary(checked: &Checked) -> String {
    let mut lines = not_checked(checked);
    if let Some(known) = checked.known {
        let known_ones = counted(known.known as u64, "known finding");
        let by = match known.by {
            KnownBy::Baseline => "of the baseline fixed",
            KnownBy::Revision => "fixed since the revision",
            KnownBy::Both => "of the baseline or the revision fixed",
        };
        lines.push(format!("{known_ones} not shown; {} {by}", known.fixed));
    }
    lines.push(checked.summary().to_string());
    lines.join("\n") + "\n"
}

/// A line for each reason that rules could not be checked, and those on files that were left out.
pub(super) fn not_checked(checked: &Checked) -> Vec<String> {
    let mut by_reason = BTreeMap::<_, Vec<_>>::new();
    for SkippedRule { rule, reason, files } in &checked.skipped {
        let files = counted(*files as u64, "file");
        let name = format!("{} {} ({files})", rule.code, rule.name);
        by_reason.entry(reason).or_default().push(name);
    }
    let line = |(reason, names): (&SkipReason, Vec<String>)| {
        format!("not checked, {}: {}", clean(&reason.to_string()), names.join(", "))
    };
    by_reason.into_iter().map(line).chain(files_left_out(checked)).collect()
}

/// Lines on the levels that were not checked, and one on the pictures that were not looked at.
pub(super) fn files_left_out(checked: &Checked) -> Vec<String> {
    let levels = (checked.unchecked > 0).then(|| {
        let files = counted(checked.unchecked as u64, "file");
        let whose = if checked.unchecked == 1 { "its" } else { "their" };
        format!("{files} not checked: {whose} bitwall.toml is broken")
    });
    let pictures = match checked.pictures {
        0 => None,
        1 => Some(
            "1 picture not looked at: no map names it, and its name is not a mask's".to_owned(),
        ),
        count => Some(format!(
            "{count} pictures not looked at: no map names them, and their names are not masks'"
        )),
    };
    let ignored = (checked.ignored > 0).then(|| {
        let files = counted(checked.ignored as u64, "file");
        let them = if checked.ignored == 1 { "it" } else { "them" };
        format!("{files} of the repository not checked: a .gitignore names {them}")
    });
    levels.into_iter().chain(ignored).chain(pictures).collect()
}

/// The number of findings of each rule, a line each, the most first; nothing if there are none.
pub fn statistics(checked: &Checked) -> String {
    let mut counts = checked.statistics();
    counts.sort_by_key(|(rule, count)| (std::cmp::Reverse(*count), rule.code));
    let width = counts.first().map_or(0, |(_, count)| count.to_string().len());
    let line = |(rule, count): (&LintRule, usize)| {
        format!("{count:>width$}  {:<7} {}\n", rule.code, rule.name)
    };
    counts.into_iter().map(line).collect()
}

// One JSON document of all findings, for programs.

#[derive(Serialize)]
struct FindingsFile<'o> {
    version: u32,
    #[serde(flatten)]
    numbers: RunNumbers,
    findings: Vec<FindingView<'o>>,
    skipped: Vec<SkippedView>,
}

/// All findings as one JSON document, with a line break at the end.
///
/// Its keys: `version` (2), the numbers of the run, `findings`, and `skipped`: the rules that could not be
/// checked, each with its reason. A later version of this crate may add keys; `version` grows when one goes
/// or changes its meaning.
pub fn json(checked: &Checked) -> String {
    pretty_json(&FindingsFile {
        version: VERSION,
        numbers: RunNumbers::new(checked),
        findings: checked.findings.iter().map(FindingView::new).collect(),
        skipped: checked.skipped.iter().map(SkippedView::new).collect(),
    })
}

/// The version of the JSON formats. It grows when a field is removed or changes its meaning, not with a new
/// field.
pub(super) const VERSION: u32 = 2;

/// A finding. Texts of the level are cut and made safe to print; paths are exact.
#[derive(Serialize)]
pub(super) struct FindingView<'o> {
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
    place: PlaceView,
    /// Left and top edge, width and height, in pixels of the level.
    area: Option<[i64; 4]>,
    /// A path through the level, in its pixels.
    trace: Vec<[i32; 2]>,
    excerpt: Option<ExcerptView>,
    notes: Vec<String>,
    help: String,
}

/// A place in a file. Unknown parts are null. Pairs are line and column, column and row, x and y.
#[derive(Serialize)]
struct PlaceView {
    line: Option<(u32, u32)>,
    tileset: Option<String>,
    layer: Option<String>,
    object: Option<u32>,
    cell: Option<(i32, i32)>,
    pixel: Option<(u32, u32)>,
}

#[derive(Serialize)]
struct ExcerptView {
    origin: [u32; 2],
    rows: Vec<String>,
    legend: String,
}

/// A rule that could not be checked.
#[derive(Serialize)]
pub(super) struct SkippedView {
    code: &'static str,
    name: &'static str,
    reason: String,
    files: usize,
}

/// The numbers of a run.
#[derive(Serialize)]
pub(super) struct RunNumbers {
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

impl<'o> FindingView<'o> {
    pub(super) fn new(reported: &'o Reported) -> Self {
        let finding = &reported.finding;
        let place = &finding.place;
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
            place: PlaceView {
                line: place.line,
                tileset: place.tileset.as_deref().map(clean),
                layer: place.layer.as_deref().map(clean),
                object: place.object,
                cell: place.cell,
                pixel: place.pixel,
            },
            area: finding.area.map(area_numbers),
            trace: finding.trace.iter().map(|point| point.to_array()).collect(),
            excerpt: finding.excerpt.as_ref().map(|excerpt| ExcerptView {
                origin: excerpt.origin.to_array(),
                rows: excerpt.rows.clone(),
                legend: excerpt.legend.to_string(),
            }),
            notes: finding.notes.iter().map(|note| clean(note)).collect(),
            help: clean(&finding.help),
        }
    }
}

impl SkippedView {
    pub(super) fn new(skipped: &SkippedRule) -> Self {
        Self {
            code: skipped.rule.code,
            name: skipped.rule.name,
            reason: clean(&skipped.reason.to_string()),
            files: skipped.files,
        }
    }
}

impl RunNumbers {
    pub(super) fn new(checked: &Checked) -> Self {
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

/// A box as x, y, width and height.
pub(crate) fn area_numbers(area: Aabb) -> [i64; 4] {
    [area.min.x.into(), area.min.y.into(), area.width().into(), area.height().into()]
}

/// A value as JSON over several lines, safe to print, with a line break at the end.
pub(crate) fn pretty_json(value: &impl Serialize) -> String {
    // Serialization fails only for maps with keys that are not strings, and there are none.
    printable_json(&serde_json::to_string_pretty(value).unwrap_or_default()) + "\n"
}

#[cfg(test)]
mod tests;
