//! GitLab's code quality report: a JSON list that a merge request shows.
//!
//! Source of the format: GitLab's documentation, "Code Quality report format". Required are `description`,
//! `check_name`, `fingerprint`, `severity`, `location.path` (relative, without `./`) and
//! `location.lines.begin`.

use serde::Serialize;

use super::clean::clean;
use super::entry::pretty;
use super::paths::{path_bytes, slashed_text};
use super::summary::not_checked;
use crate::verify::Severity;
use crate::verify::checked::{Checked, Reported};

#[derive(Serialize)]
struct Issue {
    description: String,
    check_name: String,
    fingerprint: String,
    severity: &'static str,
    location: Location,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
}

/// All findings as GitLab's code quality report, with a line break at the end.
///
/// An error is `major`, a warning `minor`. A finding without a line is reported at line 1, because the format
/// requires one. A rule or file that was not checked is an `info` at the first file, because the format
/// requires one that is there; its fingerprint is always the same, so that a merge request shows it once.
pub fn gitlab(checked: &Checked) -> String {
    let mut issues: Vec<Issue> = checked.findings.iter().map(issue).collect();
    let rest = not_checked(checked);
    let of_findings = checked.findings.iter().map(|reported| &reported.path);
    let first = checked.files.keys().chain(of_findings).next();
    if !rest.is_empty() {
        issues.push(Issue {
            description: rest.join("; "),
            check_name: "not-checked".to_owned(),
            fingerprint: "bitwall-not-checked".to_owned(),
            severity: "info",
            location: Location {
                path: first.map_or("bitwall.toml".to_owned(), |path| slashed_text(path)),
                lines: Lines { begin: 1 },
            },
            path_bytes: first.and_then(|path| path_bytes(path)),
        });
    }
    pretty(&issues)
}

fn issue(reported: &Reported) -> Issue {
    let finding = &reported.finding;
    let mut description = clean(&finding.headline);
    if !finding.place.is_empty() {
        description += &format!(" ({})", clean(&finding.place.to_string()));
    }
    if !finding.help.is_empty() {
        description += &format!("; {}", clean(&finding.help));
    }
    Issue {
        description,
        check_name: format!("{} {}", finding.rule.code, finding.rule.name),
        fingerprint: reported.fingerprint.clone(),
        severity: match finding.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
        },
        location: Location {
            path: slashed_text(&reported.path),
            lines: Lines { begin: finding.place.line.map_or(1, |(line, _)| line) },
        },
        path_bytes: path_bytes(&reported.path),
    }
}
