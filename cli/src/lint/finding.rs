//! The results of rules: findings, and rules that could not be checked.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use crate::lint::{LintRule, Need, Severity, SolidShare};
use bitwall::Aabb;
use bitwall::error::Place;
use bitwall::glam::{IVec2, UVec2};

/// A fault in a file.
///
/// The texts of a finding may contain names from the file; [`super::output`] makes them safe to print.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// The file at fault: the checked file, or a file that it refers to.
    pub path: PathBuf,
    /// The rule that reports the fault.
    pub rule: &'static LintRule,
    /// The severity of the rule, unless the options set another severity.
    pub severity: Severity,
    /// The fault in a self-contained sentence.
    pub headline: String,
    /// The group of faults, if the rule reports all faults of one kind as one finding; `None` for a single
    /// fault. `place` is the place of the first fault of the group.
    pub group: Option<FaultGroup>,
    /// The place of the fault in the file.
    pub place: Place,
    /// The box around the faulty pixels of the level; `None` if the fault has no place in the level.
    pub area: Option<Aabb>,
    /// The points of a path in pixels, such as a blocked path to a goal; empty for most findings.
    pub trace: Vec<IVec2>,
    /// A drawing of the level around the place of the fault, in characters.
    pub excerpt: Option<Excerpt>,
    /// Further facts, and consequences for the game.
    pub notes: Vec<String>,
    /// One suggested repair; empty if there is none.
    pub help: String,
}

/// Faults of one kind in a file that form one finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FaultGroup {
    /// Words that distinguish the groups of one rule in a file. They contain no count. Empty if the rule has
    /// one group.
    pub kind: String,
    /// The number of faults. Pixels and other amounts are not counted, because they change with every edit.
    pub count: u64,
    /// A description of each fault, such as an object, a path or a place. Empty if the faults have no
    /// descriptions, or if there are more than 1,000 faults.
    pub names: Vec<String>,
    /// True if `names` are places in the level. Such names change when the size of the level changes.
    pub are_places: bool,
    /// The place and the box of each fault but the first, for pictures; of at most 64 faults.
    pub others: Vec<(Place, Option<Aabb>)>,
}

/// Compares two findings by severity, path, code, place (line, cell, pixel) and headline.
pub(super) fn report_order(a: &Finding, b: &Finding) -> Ordering {
    sort_key(a).cmp(&sort_key(b))
}

fn sort_key(finding: &Finding) -> impl Ord {
    let path = finding.path.as_os_str().as_encoded_bytes();
    let Place { line, cell, pixel, .. } = finding.place;
    let cell = cell.map(|(column, row)| (row, column));
    let pixel = pixel.map(|(x, y)| (y, x));
    (finding.severity, path, finding.rule.code, line, cell, pixel, &finding.headline)
}

/// A text drawing of a part of a level: rows of characters in which the cells at fault are marked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// The column and row of the top left cell of the drawing.
    pub origin: UVec2,
    /// The rows, all of equal length. A character is `#` for a solid cell, `.` for a passable cell, or the
    /// first character of `legend` for a cell at fault.
    pub rows: Vec<String>,
    /// The character of the cells at fault and its meaning: `? = gray`.
    pub legend: &'static str,
    /// The word before the number of the first column: `col` for a map, `x` for any other level.
    pub column_name: &'static str,
}

impl fmt::Display for Excerpt {
    /// Writes a line with the number of the first column, then the numbered rows, with the legend after the
    /// last row. Indents each line by four spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.origin.y as usize + self.rows.len().saturating_sub(1);
        let width = last.to_string().len();
        writeln!(f, "    {:width$}  {} {}", "", self.column_name, self.origin.x)?;
        for (row, cells) in (self.origin.y as usize..).zip(&self.rows) {
            let legend = if row == last { format!("    {}", self.legend) } else { String::new() };
            writeln!(f, "    {row:width$}  {cells}{legend}")?;
        }
        Ok(())
    }
}

/// A rule that is on but could not be checked for a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Skipped {
    /// The rule.
    pub rule: &'static LintRule,
    /// The reason that the rule could not be checked.
    pub reason: SkipReason,
}

/// The reason that a rule could not be checked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SkipReason {
    /// The rule needs a fact about the game that is missing.
    Needs(Need),
    /// The check ended early, for the file or a part of it. Holds the reason in words.
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

/// The result of a check of one file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Findings, sorted by severity (errors first), path, code and place.
    pub findings: Vec<Finding>,
    /// The rules that are on but could not be checked, sorted by code.
    pub skipped: Vec<Skipped>,
    /// The numbers of solid cells and of all cells in the level, for a later comparison; `None` for a level
    /// that a game refuses.
    pub solid_share: Option<SolidShare>,
    /// The names in [`VerifyOptions::markers`](super::VerifyOptions::markers) that match a marker of the
    /// level; `None` after a load error.
    pub markers: Option<BTreeSet<String>>,
}
