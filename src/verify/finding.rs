//! The findings of the rules: plain data.

use std::fmt;
use std::path::{Path, PathBuf};

use super::excerpt::Excerpt;
use super::rule::{Rule, Severity};
use crate::error::Place;
use crate::text::counted;

/// A fault in a file.
///
/// Its texts may repeat names from the file; [`super::output`] makes them safe to print.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Finding {
    /// The file at fault: the one that was checked, or one that it refers to.
    pub path: PathBuf,
    /// The rule that found it.
    pub rule: &'static Rule,
    /// The fault in plain words, complete without the other fields.
    pub headline: String,
    /// The place in the file.
    pub place: Place,
    /// The level as drawn, around the place.
    pub excerpt: Option<Excerpt>,
    /// Facts and consequences.
    pub notes: Vec<String>,
    /// One thing to do about it.
    pub help: String,
}

impl Finding {
    pub(super) fn new(rule: &'static Rule, path: &Path, headline: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            rule,
            headline: headline.into(),
            place: Place::default(),
            excerpt: None,
            notes: Vec::new(),
            help: String::new(),
        }
    }

    pub(super) fn at(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    pub(super) fn excerpt(mut self, excerpt: Excerpt) -> Self {
        self.excerpt = Some(excerpt);
        self
    }

    pub(super) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}

/// Sorts by path, code, and place: line, cell, pixel. Findings that are equal in these keep their order.
pub(crate) fn sort_findings(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        let key = |finding: &Finding| {
            let place = &finding.place;
            (
                place.line,
                place.cell.map(|(column, row)| (row, column)),
                place.pixel.map(|(x, y)| (y, x)),
            )
        };
        let bytes = |finding: &Finding| finding.path.as_os_str().as_encoded_bytes().to_owned();
        (bytes(a), a.rule.code, key(a)).cmp(&(bytes(b), b.rule.code, key(b)))
    });
}

/// The numbers of files and findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Summary {
    /// Files checked.
    pub files: usize,
    /// Findings of severity error.
    pub errors: usize,
    /// Findings of severity warning.
    pub warnings: usize,
}

impl Summary {
    /// Counts the findings in `files` files.
    pub fn new(files: usize, findings: &[Finding]) -> Self {
        let count =
            |severity| findings.iter().filter(|finding| finding.rule.severity == severity).count();
        Self { files, errors: count(Severity::Error), warnings: count(Severity::Warning) }
    }
}

impl fmt::Display for Summary {
    /// `2 files checked: 4 errors, 1 warning`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} checked: {}, {}",
            counted(self.files as u64, "file"),
            counted(self.errors as u64, "error"),
            counted(self.warnings as u64, "warning")
        )
    }
}
