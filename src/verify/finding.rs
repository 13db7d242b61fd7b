//! The findings of the rules: plain data.

use std::path::{Path, PathBuf};

use glam::IVec2;

use super::excerpt::Excerpt;
use super::rule::{Rule, Severity};
use crate::error::Place;
use crate::geometry::Aabb;

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
    /// The severity: that of the rule, unless the options have another.
    pub severity: Severity,
    /// The fault in plain words, complete without the other fields.
    pub headline: String,
    /// The faults that it stands for, if its rule tells all of one kind at once; the place is that of the
    /// first. `None` for a finding that is one fault.
    pub group: Option<FaultGroup>,
    /// The place in the file.
    pub place: Place,
    /// The level's pixels at fault, for a picture.
    pub area: Option<Aabb>,
    /// A path through the level, in its pixels: a leak from the outside to the spawn, or a way that is
    /// barred. Empty for most findings.
    pub trace: Vec<IVec2>,
    /// The level as drawn, around the place.
    pub excerpt: Option<Excerpt>,
    /// Facts and consequences.
    pub notes: Vec<String>,
    /// One thing to do about it.
    pub help: String,
}

/// Faults of one kind in a file that are one finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct FaultGroup {
    /// That which tells them from other findings of the rule in the file, however many they are; empty if the
    /// rule has one such finding in a file.
    pub kind: String,
    /// The number of the faults. Amounts, as those of pixels, are none: they change with every edit.
    pub count: u64,
    /// Each fault in words that tell it from the others: an object, a path, a place. Empty if nothing tells
    /// them apart, or if they are more than 1,000.
    pub names: Vec<String>,
    /// True if the names are places in the level. They are no longer the same when its size changes.
    pub are_places: bool,
}

/// The most faults of a group that have names.
const MOST_NAMES: usize = 1_000;

impl Finding {
    pub(super) fn new(rule: &'static Rule, path: &Path, headline: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            rule,
            severity: rule.severity,
            headline: headline.into(),
            group: None,
            place: Place::default(),
            area: None,
            trace: Vec::new(),
            excerpt: None,
            notes: Vec::new(),
            help: String::new(),
        }
    }

    pub(super) fn at(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    /// This finding for `count` faults, which `kind` tells from other findings of the rule in the file.
    pub(super) fn of_many(mut self, kind: impl Into<String>, count: u64) -> Self {
        let (kind, names) = (kind.into(), Vec::new());
        self.group = Some(FaultGroup { kind, count, names, are_places: false });
        self
    }

    /// This finding for faults that have names.
    pub(super) fn of_named(
        self,
        kind: impl Into<String>,
        names: impl IntoIterator<Item = String>,
    ) -> Self {
        let mut names = names.into_iter();
        let mut kept: Vec<String> = names.by_ref().take(MOST_NAMES).collect();
        let count = (kept.len() + names.count()) as u64;
        if count > kept.len() as u64 {
            kept.clear();
        }
        let mut finding = self.of_many(kind, count);
        if let Some(group) = &mut finding.group {
            group.names = kept;
        }
        finding
    }

    /// This finding for faults in these places of the level.
    pub(super) fn of_places(
        self,
        kind: impl Into<String>,
        places: impl IntoIterator<Item = String>,
    ) -> Self {
        let mut finding = self.of_named(kind, places);
        if let Some(group) = &mut finding.group {
            group.are_places = true;
        }
        finding
    }

    /// The number of faults that it stands for.
    pub(super) fn count(&self) -> u64 {
        self.group.as_ref().map_or(1, |group| group.count)
    }

    pub(super) fn area(mut self, area: Aabb) -> Self {
        self.area = Some(area);
        self
    }

    pub(super) fn trace(mut self, trace: Vec<IVec2>) -> Self {
        self.trace = trace;
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

/// Sorts by severity, path, code, place (line, cell, pixel) and headline. Findings that are equal in these
/// keep their order.
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
        let order = |finding: &Finding| (finding.severity, bytes(finding), finding.rule.code);
        (order(a), key(a), &a.headline).cmp(&(order(b), key(b), &b.headline))
    });
}
