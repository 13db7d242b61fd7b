//! Writes findings as text for people, programs and CI systems. Prints nothing.
//!
//! Formats for CI systems name files by their paths from the root of the repository. File contents and file
//! names are untrusted: line breaks and terminal codes in them are escaped, and they never become a command
//! to a CI system.

mod ci;
mod html;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use crate::lint::checked::{slashed, slashed_text};
use crate::lint::{Checked, Finding, Reported};
use bitwall::Aabb;
use bitwall::text::{MAX_QUOTED_CHARS, counted, is_invisible, printable};

pub use ci::{github, gitlab, junit, sarif};
pub(crate) use html::{CHANGES, Page, Picture, html, name_of, prose};

/// The longest message or path in the output, in characters. Longer than a quoted name
/// ([`MAX_QUOTED_CHARS`]), because a shortened path cannot be opened.
const MAX_CHARS: usize = 1_000;

/// Returns `text` as one line, cut after [`MAX_CHARS`] characters. Escapes control characters. Also escapes
/// `##`, which starts commands of GitHub (`##[error]`) and Azure (`##vso[..]`) anywhere in a line.
fn clean(text: &str) -> String {
    let mut line = String::new();
    let mut rest = text;
    for _ in 0..MAX_CHARS / MAX_QUOTED_CHARS {
        let end = rest.char_indices().nth(MAX_QUOTED_CHARS).map_or(rest.len(), |(end, _)| end);
        // Writing to a string cannot fail.
        let _ = write!(line, "{}", printable(&rest[..end]));
        rest = &rest[end..];
    }
    if !rest.is_empty() {
        line.push('…');
    }
    line.replace("##", "#\\u{23}")
}

/// Returns the path as [`clean`] text. A path that would be a CI command at the start of a line gets a
/// prefix: `::x` becomes `./::x`.
fn clean_path(path: &Path) -> String {
    let text = clean(&path.to_string_lossy());
    if text.trim_start().starts_with("::") { format!("./{text}") } else { text }
}

/// Returns the path as a URI reference (RFC 3986): a relative path stays relative, an absolute one becomes
/// `file:///x`. All bytes except letters, digits and `-._~/` become `%XX`, so names that are not UTF-8 keep
/// every byte.
pub(crate) fn uri(path: &Path) -> String {
    let mut uri = if path.has_root() { "file://".to_owned() } else { String::new() };
    for byte in slashed(path) {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

/// A zero-width space, which separates two characters that have a meaning together, such as `@` and the first
/// letter of a name. Escapes are not enough: GitHub and GitLab look for links, `@names` and `#numbers` after
/// they have resolved all escapes.
const PART: &str = "&#8203;";

/// Escapes one line of text for Markdown, so that GitHub and GitLab show it literally, also in a table cell.
///
/// The result contains none of these:
/// - links, pictures, markup, HTML and ends of a table cell
/// - addresses that become links: `https://`, `www.`, mail
/// - `@name`, `:picture:` and issue numbers: `#12`, `GH-12`; on GitLab also after `!`, `$`, `%`, `&`, `^` and
///   `~`
///
/// The rendered text differs from `text` only in invisible characters. O(n) for n characters.
pub(crate) fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = [' '; 3];
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let lower = before.map(|it| it.to_ascii_lowercase());
        let is_host = character == '.' && lower == ['w'; 3];
        let is_issue = character == '-' && lower[1..] == ['g', 'h'];
        if is_host || is_issue {
            out.push_str(PART);
        }
        match character {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '#' | '!' | '~' | '$' | '^' => {
                out.extend(['\\', character]);
            }
            other => out.push(other),
        }
        let refers = matches!(character, '@' | ':' | '#' | '!' | '$' | '%' | '&' | '^' | '~');
        if refers && rest.peek().is_some_and(|next| !next.is_whitespace()) {
            out.push_str(PART);
        }
        before = [before[1], before[2], character];
    }
    out
}

/// Formats a finding as one line without a line break: `maps/cave.tmx: error[TMX107] nothing in the map is
/// solid`.
///
/// The line ends with the other files that have the same cause.
pub fn concise(reported: &Reported) -> String {
    let Reported { finding, path, others, .. } = reported;
    let severity = finding.severity.name();
    let code = finding.rule.code;
    let mut line = format!("{}: {severity}[{code}] {}", clean_path(path), fault_line(finding));
    for (index, other) in others.iter().enumerate() {
        line += if index == 0 { "; also in " } else { ", " };
        line += &clean_path(&other.path);
    }
    line
}

fn fault_line(finding: &Finding) -> String {
    clean(&finding.headline) + &place_text(finding)
}

/// Returns the place of a finding in parentheses, with a space before. Empty if the finding has no place.
fn place_text(finding: &Finding) -> String {
    if finding.place.is_empty() {
        return String::new();
    }
    format!(" ({})", clean(&finding.place.to_string()))
}

/// Returns the notes and the help of a finding, each as one text: `note: ...`, `help: ...`.
fn remarks(finding: &Finding) -> Vec<String> {
    let mut remarks = Vec::new();
    remarks.extend(finding.notes.iter().map(|note| format!("note: {}", clean(note))));
    if !finding.help.is_empty() {
        remarks.push(format!("help: {}", clean(&finding.help)));
    }
    remarks
}

/// Formats a finding as several lines: severity with code (`error[MSK202]`) and headline, file and place,
/// excerpt, notes and help. Ends with a line break.
pub fn full(finding: &Finding) -> String {
    let mut text = format!(
        "{}[{}]: {}\n  --> {}{}\n",
        finding.severity.name(),
        finding.rule.code,
        clean(&finding.headline),
        clean_path(&finding.path),
        place_text(finding)
    );
    if let Some(excerpt) = &finding.excerpt {
        text += &excerpt.to_string();
    }
    for remark in remarks(finding) {
        text += &format!("   = {remark}\n");
    }
    text
}

/// Formats the result of a run as a few lines: the rules and files that were not checked, the numbers of
/// known and fixed findings, and the numbers of files and findings. Ends with a line break.
pub fn summary(checked: &Checked) -> String {
    let mut lines = not_checked(checked);
    if let Some(known) = checked.known {
        let known_ones = counted(known.known as u64, "known finding");
        lines.push(format!("{known_ones} not shown; {} fixed", known.fixed));
    }
    let [errors, warnings, notes] = checked.counts();
    let files = counted(checked.files.len() as u64, "file");
    let errors = counted(errors, "error");
    let mut line = format!("{files} checked: {errors}, {}", counted(warnings, "warning"));
    if notes > 0 {
        line += &format!(", {}", counted(notes, "note"));
    }
    lines.push(line);
    lines.join("\n") + "\n"
}

/// Returns a line for each reason why rules were skipped, with the rules, and for each reason why files were
/// not checked.
fn not_checked(checked: &Checked) -> Vec<String> {
    let mut by_reason = BTreeMap::<_, Vec<String>>::new();
    for skipped in &checked.skipped {
        let files = counted(skipped.files as u64, "file");
        let name = format!("{} ({files})", skipped.rule.title());
        by_reason.entry(&skipped.reason).or_default().push(name);
    }
    let mut lines = Vec::new();
    for (reason, names) in by_reason {
        lines.push(format!("not checked, {}: {}", clean(&reason.to_string()), names.join(", ")));
    }
    if checked.unchecked > 0 {
        let files = counted(checked.unchecked as u64, "file");
        lines.push(format!("{files} not checked: a bitwall.toml is broken"));
    }
    if checked.pictures > 0 {
        let pictures = counted(checked.pictures as u64, "picture");
        lines.push(format!("{pictures} not looked at: not named by a map, nor as a mask"));
    }
    lines
}

/// The `version` in the JSON document. The docs of [`json()`] state when it grows.
const VERSION: u32 = 2;

/// Formats all findings as one JSON document with a final line break.
///
/// The keys are `version` (2), the numbers of files and findings, `findings`, and `skipped`: the rules that
/// could not be checked, with reasons. The numbers `known` and `fixed` are null if there was no comparison. A
/// later version of this crate may add keys; `version` grows when a key is removed or changes its meaning.
pub fn json(checked: &Checked) -> String {
    let [errors, warnings, notes] = checked.counts();
    let mut skipped = Vec::new();
    for rule in &checked.skipped {
        skipped.push(json!({
            "code": rule.rule.code,
            "name": rule.rule.name,
            "reason": clean(&rule.reason.to_string()),
            "files": rule.files,
        }));
    }
    pretty_json(&json!({
        "version": VERSION,
        "files_checked": checked.files.len(),
        "errors": errors,
        "warnings": warnings,
        "notes": notes,
        "pictures_not_looked_at": checked.pictures,
        "levels_not_checked": checked.unchecked,
        "known": checked.known.map(|known| known.known),
        "fixed": checked.known.map(|known| known.fixed),
        "findings": checked.findings.iter().map(finding_json).collect::<Vec<Value>>(),
        "skipped": skipped,
    }))
}

/// Returns a finding in the JSON document. Texts that can contain names from the level are cut and safe to
/// print; in a path, U+FFFD stands for bytes that are not UTF-8.
///
/// In the place, `line` holds line and column, `cell` column and row, `pixel` x and y. What is unknown is
/// null. `others` are the other files that have the same cause.
fn finding_json(reported: &Reported) -> Value {
    let finding = &reported.finding;
    let place = &finding.place;
    json!({
        "path": finding.path.to_string_lossy(),
        "repository_path": slashed_text(&reported.path),
        "code": finding.rule.code,
        "name": finding.rule.name,
        "severity": finding.severity.name(),
        "fingerprint": reported.fingerprint,
        "headline": clean(&finding.headline),
        "count": finding.count(),
        "place": {
            "line": place.line,
            "tileset": place.tileset.as_deref().map(clean),
            "layer": place.layer.as_deref().map(clean),
            "object": place.object,
            "cell": place.cell,
            "pixel": place.pixel,
        },
        "area": finding.area.map(area_numbers),
        "trace": finding.trace.iter().map(|point| point.to_array()).collect::<Vec<_>>(),
        "excerpt": finding.excerpt.as_ref().map(|excerpt| json!({
            "origin": excerpt.origin.to_array(),
            "rows": excerpt.rows,
            "legend": excerpt.legend,
        })),
        "notes": finding.notes.iter().map(|note| clean(note)).collect::<Vec<_>>(),
        "help": clean(&finding.help),
        "others": reported.others.iter().map(|other| json!({
            "path": other.finding.path.to_string_lossy(),
            "repository_path": slashed_text(&other.path),
            "line": other.finding.place.line,
        })).collect::<Vec<_>>(),
    })
}

pub(crate) fn area_numbers(area: Aabb) -> [i64; 4] {
    [area.min.x.into(), area.min.y.into(), area.width().into(), area.height().into()]
}

/// Formats a value as indented JSON, safe to print, with a final line break.
pub(crate) fn pretty_json(value: &impl Serialize) -> String {
    // Serialization fails only for maps whose keys are not strings. No caller has such a map.
    printable_json(&serde_json::to_string_pretty(value).unwrap_or_default()) + "\n"
}

/// Returns the same JSON, with each character that is unsafe to print replaced by `\uXXXX`.
fn printable_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut before = ' ';
    for character in json.chars() {
        let is_second = (before, character) == ('#', '#');
        before = character;
        // Line breaks are between values only: within a value they are already escaped.
        if character == '\n' || !(is_invisible(character) || is_second) {
            out.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    }
    out
}

#[cfg(test)]
mod tests;
