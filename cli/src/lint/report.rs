//! The result of a check of one file.

use std::collections::BTreeSet;

use crate::lint::config::SolidShare;
use crate::lint::finding::{Finding, Skipped};

/// The result of a check of one file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Findings, sorted by severity (errors first), path, code and place.
    pub findings: Vec<Finding>,
    /// The findings that a property `bitwall.allow` of the map removes from `findings`.
    pub silenced: Vec<Finding>,
    /// The rules that are on but could not be checked, sorted by code.
    pub skipped: Vec<Skipped>,
    /// The numbers of solid cells and of all cells in the level, for a later comparison; `None` after a load
    /// error.
    pub solid_share: Option<SolidShare>,
    /// The names in [`VerifyOptions::markers`](super::VerifyOptions::markers) that match a marker of the
    /// level; `None` after a load error.
    pub markers: Option<BTreeSet<String>>,
}
