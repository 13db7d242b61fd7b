//! The results of rules: findings, and rules that could not be checked.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::lint::rule::{LintRule, Need, Severity};
use bitwall::LoadedLevel;
use bitwall::error::Place;
use bitwall::geometry::Aabb;
use bitwall::glam::{IVec2, UVec2};
use bitwall::load::Source;
use bitwall::text::counted;
use bitwall::tmx::Object;

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
#[derive(Clone, Debug, PartialEq, Eq)]
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
}

const MOST_NAMES: usize = 1_000;

impl Finding {
    pub(super) fn new(rule: &'static LintRule, path: &Path, headline: impl Into<String>) -> Self {
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

    pub(super) fn place(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    /// Makes this finding a group of `count` faults without names; `kind` is [`FaultGroup::kind`].
    pub(super) fn of_many(mut self, kind: impl Into<String>, count: u64) -> Self {
        let kind = kind.into();
        self.group = Some(FaultGroup { kind, count, names: Vec::new(), are_places: false });
        self
    }

    pub(super) fn of_named(
        self,
        kind: impl Into<String>,
        names: &mut dyn Iterator<Item = String>,
    ) -> Self {
        let mut finding = self.of_many(kind, 0);
        if let Some(group) = &mut finding.group {
            group.names = names.take(MOST_NAMES).collect();
            let more = names.count();
            group.count = (group.names.len() + more) as u64;
            if more > 0 {
                group.names.clear();
            }
        }
        finding
    }

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

    pub(super) fn notes(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}

/// The largest number of findings of a rule in a file. Limits the size of baselines, which have all findings.
pub(super) const MOST_FINDINGS: usize = 64;

/// The largest number of other faults that a note of a finding names.
const MOST_OTHERS: usize = 4;

/// The faults that a rule finds in a file. Faults of one kind become one [`Finding`]: that of the first
/// fault, with the number of the others and the names of a few.
///
/// Keeps the first [`MOST_FINDINGS`] kinds.
#[derive(Default)]
pub(super) struct Faults {
    findings: Vec<Finding>,
    /// Maps each kind of fault to the index of its finding.
    kinds: HashMap<String, usize>,
}

impl Faults {
    /// Adds a fault of a kind. `name` describes what is at fault, such as an object or a path; it is empty if
    /// nothing does. Calls `finding` only for the first fault of the kind.
    pub(super) fn add(&mut self, kind: &str, name: String, finding: impl FnOnce() -> Finding) {
        self.add_to(kind, name, false, finding);
    }

    /// Adds a fault of a kind as [`Self::add`] does. `place` is its place in the level.
    pub(super) fn add_at(&mut self, kind: &str, place: String, finding: impl FnOnce() -> Finding) {
        self.add_to(kind, place, true, finding);
    }

    fn add_to(
        &mut self,
        kind: &str,
        name: String,
        are_places: bool,
        finding: impl FnOnce() -> Finding,
    ) {
        let known = self.kinds.get(kind).and_then(|index| self.findings.get_mut(*index));
        if let Some(group) = known.and_then(|finding| finding.group.as_mut()) {
            group.count += 1;
            if !name.is_empty() && group.names.len() <= MOST_NAMES {
                group.names.push(name);
            }
        } else if !self.is_full() {
            self.kinds.insert(kind.to_owned(), self.findings.len());
            let names = if name.is_empty() { Vec::new() } else { vec![name] };
            let group = FaultGroup { kind: kind.to_owned(), count: 1, names, are_places };
            self.findings.push(Finding { group: Some(group), ..finding() });
        }
    }

    /// Adds a fault that forms a finding by itself.
    pub(super) fn push(&mut self, finding: Finding) {
        if !self.is_full() {
            self.findings.push(finding);
        }
    }

    /// True if no more kinds of faults are kept.
    pub(super) fn is_full(&self) -> bool {
        self.findings.len() == MOST_FINDINGS
    }

    /// Returns the findings, in the order of their first faults.
    pub(super) fn findings(mut self) -> Vec<Finding> {
        for index in self.kinds.into_values() {
            let finding = &mut self.findings[index];
            let Some(group) = finding.group.as_mut().filter(|group| group.count > 1) else {
                continue;
            };
            finding.headline += &format!(", and {} more", group.count - 1);
            if let [_, others @ ..] = &*group.names
                && !others.is_empty()
            {
                let named = &others[..others.len().min(MOST_OTHERS)];
                let rest = group.count - 1 - named.len() as u64;
                let rest = if rest > 0 { format!("; and {rest} more") } else { String::new() };
                finding.notes.push(format!("the others: {}{rest}", named.join("; ")));
            }
            if group.names.len() > MOST_NAMES {
                group.names.clear();
            }
        }
        self.findings
    }
}

/// Returns a place that has only a line number, counted from 1; an empty place for line 0.
pub(super) fn on_line(line: u32) -> Place {
    Place { line: (line > 0).then_some((line, 1)), ..Place::default() }
}

pub(super) fn in_layer(path: &str, line: u32) -> Place {
    Place { layer: Some(path.to_owned()), ..on_line(line) }
}

pub(super) fn at_object(layer: &str, object: &Object) -> Place {
    Place { object: Some(object.id), ..in_layer(layer, object.line) }
}

pub(super) fn in_tileset(name: &str, line: u32) -> Place {
    Place { tileset: Some(name.to_owned()), ..on_line(line) }
}

pub(super) fn at_pixel(pixel: UVec2) -> Place {
    Place { pixel: Some(pixel.into()), ..Place::default() }
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

/// The width and height of an [`Excerpt`] in cells, if the level is large enough.
const SIZE: UVec2 = UVec2::new(32, 7);

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

impl Excerpt {
    /// Draws the surroundings of `cell`. Cells that `is_marked` accepts show the first character of `legend`.
    pub(super) fn around(
        loaded: &LoadedLevel,
        cell: UVec2,
        legend: &'static str,
        is_marked: &dyn Fn(UVec2) -> bool,
    ) -> Self {
        let grid = loaded.level.grid();
        let size = SIZE.min(grid.size());
        let origin = cell.saturating_sub(UVec2::new(4, 2)).min(grid.size() - size);
        let mark = legend.chars().next().unwrap_or('?');
        let mut rows = Vec::new();
        for row in origin.y..origin.y + size.y {
            let mut cells = String::new();
            for column in origin.x..origin.x + size.x {
                cells.push(if is_marked(UVec2::new(column, row)) {
                    mark
                } else if grid.is_solid(column, row) {
                    '#'
                } else {
                    '.'
                });
            }
            rows.push(cells);
        }
        let column_name = if matches!(loaded.source, Source::Map) { "col" } else { "x" };
        Self { origin, rows, legend, column_name }
    }
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

/// The numbers of checked files and of findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The number of checked files.
    pub files: usize,
    /// The number of findings with severity error.
    pub errors: usize,
    /// The number of findings with severity warning.
    pub warnings: usize,
    /// The number of findings with severity note.
    pub notes: usize,
}

impl fmt::Display for Summary {
    /// Writes, for example, `2 files checked: 4 errors, 1 warning`. Adds the number of notes if it is not 0.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} checked: {}, {}",
            counted(self.files as u64, "file"),
            counted(self.errors as u64, "error"),
            counted(self.warnings as u64, "warning")
        )?;
        match self.notes {
            0 => Ok(()),
            notes => write!(f, ", {}", counted(notes as u64, "note")),
        }
    }
}
