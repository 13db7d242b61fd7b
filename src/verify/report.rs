//! The result for one file, and the numbers for all.

use std::fmt;

use super::finding::Finding;
use super::rule::{Need, Rule, Severity};
use super::spec::SolidShare;
use crate::text::counted;

/// The result of a check: findings, and the rules that could not be checked.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Report {
    /// Sorted by path, code and place.
    pub findings: Vec<Finding>,
    /// The rules that are on but could not be checked, in the order of their codes.
    pub skipped: Vec<Skipped>,
    /// The solid cells of the level, for a later comparison; `None` if it could not be loaded.
    pub solid_share: Option<SolidShare>,
}

/// A rule that is on but could not be checked for a file.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Skipped {
    /// The rule.
    pub rule: &'static Rule,
    /// The reason.
    pub reason: SkipReason,
}

/// The reason that a rule could not be checked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum SkipReason {
    /// A fact is missing.
    Needs(Need),
    /// The check came to no verdict, for this reason in plain words.
    Unknown(String),
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Needs(need) => write!(f, "needs {}", need.name()),
            Self::Unknown(reason) => f.write_str(reason),
        }
    }
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
            |severity| findings.iter().filter(|finding| finding.severity == severity).count();
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
