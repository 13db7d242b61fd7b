//! Findings as text for people, whole and in one line, and the summary of a run. All is safe on a terminal
//! and in the log of a CI system; the other formats take their texts and paths from here.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use crate::lint::checked::{Checked, KnownBy, SkippedRule};
use crate::lint::finding::Finding;
use crate::lint::fingerprint::slashed;
use crate::lint::{Rule, SkipReason};
use bitwall::text::{MAX_QUOTED_CHARS, counted, printable};

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
    let line = |(rule, count): (&Rule, usize)| {
        format!("{count:>width$}  {:<7} {}\n", rule.code, rule.name)
    };
    counts.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_keeps_every_byte_of_a_name() {
        assert_eq!(uri(Path::new("maps/a b:c#%.png")), "maps/a%20b%3Ac%23%25.png");
        assert_eq!(uri(Path::new("/x/ä.png")), "file:///x/%C3%A4.png");
        assert_eq!(path_bytes(Path::new("a.png")), None);
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let name = Path::new(std::ffi::OsStr::from_bytes(b"a/\xff\n.png"));
            assert_eq!(uri(name), "a/%FF%0A.png");
            assert_eq!(path_bytes(name).as_deref(), Some("a/%FF%0A.png"));
        }
    }
}
