//! The rules, in one file for each subject.
//!
//! To add a rule, write it in the file of its subject, add it to the list [`RULES`], and add a folder in
//! `tests/fixtures/verify`.

/// Declares a rule as a static, with the function that checks a file for it. The doc comment documents the
/// static and is also its [`LintRule::docs`].
///
/// These words may follow the severity, in any order: `fixed`, `needs(Need, ..)`, `on(FileKind)` (default:
/// `Any`), and `off` for a rule that is off by default.
macro_rules! rule {
    (
        $(#[doc = $line:literal])+
        $name:ident($check:expr) = $code:literal $kebab:literal $severity:ident $($more:tt)*
    ) => {
        $(#[doc = $line])+
        pub static $name: $crate::lint::LintRule = $crate::lint::LintRule {
            code: $code,
            name: $kebab,
            severity: $crate::lint::Severity::$severity,
            fixed: rule!(@fixed $($more)*),
            is_default: rule!(@default $($more)*),
            applies_to: rule!(@kind $($more)*),
            needs: rule!(@needs $($more)*),
            check: $check,
            docs: concat!($($line, "\n"),+),
        };
    };
    (@fixed fixed $($more:tt)*) => { true };
    (@fixed $word:tt $($more:tt)*) => { rule!(@fixed $($more)*) };
    (@fixed) => { false };
    (@default off $($more:tt)*) => { false };
    (@default $word:tt $($more:tt)*) => { rule!(@default $($more)*) };
    (@default) => { true };
    (@kind on($kind:ident) $($more:tt)*) => { $crate::lint::FileKind::$kind };
    (@kind $word:tt $($more:tt)*) => { rule!(@kind $($more)*) };
    (@kind) => { $crate::lint::FileKind::Any };
    (@needs needs($($need:ident),+) $($more:tt)*) => { &[$($crate::lint::Need::$need),+] };
    (@needs $word:tt $($more:tt)*) => { rule!(@needs $($more)*) };
    (@needs) => { &[] };
}
mod allow;
pub(crate) mod configs;
mod failures;
mod levels;
mod maps;
mod masks;
mod revisions;

use std::collections::HashMap;
use std::str::FromStr;

use super::rule::FAMILIES;
use super::{Excerpt, FaultGroup, Finding, LintRule, MOST_FINDINGS, MOST_NAMES, RuleSet};
use bitwall::error::Place;
use bitwall::glam::{IVec2, UVec2};
use bitwall::load::Source;
use bitwall::text::{nearest, printable};
use bitwall::tmx::Object;
use bitwall::{Dir, LoadedLevel};

pub use allow::*;
pub use configs::{BROKEN_CONFIG, UNMET_MARKER};
pub use failures::*;
pub use levels::*;
pub use maps::*;
pub use masks::*;
pub use revisions::*;

/// All rules, sorted by code.
pub static RULES: &[&LintRule] = &[
    &UNREADABLE_FILE,
    &UNKNOWN_FORMAT,
    &FOREIGN_BYTES,
    &BROKEN_CONFIG,
    &UNMET_MARKER,
    &LOST_LEVEL,
    &CHANGED_CHECK,
    &SPAWN_IN_SOLID,
    &OPEN_BORDER,
    &MARKER_CONTRACT,
    &BLANK_LEVEL,
    &NEAR_FIT_GAP,
    &SOLID_SHARE_JUMP,
    &WORLD_SEAM,
    &HAIR,
    &GRAY_PIXELS,
    &MASK_SIZE_MISMATCH,
    &MASK_DRIFT,
    &STALE_OR_INVERTED,
    &SPECKS,
    &EXTRA_FRAMES,
    &ART_AS_MASK,
    &SHAPE_IN_ALPHA,
    &UNREACHABLE,
    &UNPARSABLE_MAP,
    &WRONG_LAYER_SIZE,
    &UNKNOWN_TILE,
    &LOST_REFERENCE,
    &NOTHING_SOLID,
    &PASSED_OVER_FAULT,
    &MISSING_PICTURE,
    &TEXT_FLAG,
    &SOLID_PICTURE,
    &NEAR_NAME,
    &DROPPED_FLAG,
    &UNPORTABLE_PATH,
    &OBJECT_OUTSIDE,
    &BAD_SHAPE,
    &TILESET_PICTURE_SIZE,
    &MOVED_COLLISION_LAYER,
    &UNKNOWN_CONTENT,
    &DUPLICATE_ID,
    &ONE_WAY_IN_SOLID,
    &MISSING_LAYER,
    &FOREIGN_TILESET,
    &UNKNOWN_ALLOW,
    &STRAY_TILE,
    &GUESSED_SOLIDS,
];

/// Returns the rule whose code or name is `text`, or `None`. Letter case does not matter.
pub fn rule_by_name(text: &str) -> Option<&'static LintRule> {
    let mut rules = RULES.iter().copied();
    rules.find(|rule| [rule.code, rule.name].iter().any(|name| name.eq_ignore_ascii_case(text)))
}

impl FromStr for RuleSet {
    type Err = String;

    /// Parses `all`, the letters of a family, or the code or name of a rule. Letter case does not matter.
    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(Self::All);
        }
        if let Some(family) = FAMILIES.into_iter().find(|it| it.eq_ignore_ascii_case(text)) {
            return Ok(Self::Family(family));
        }
        rule_by_name(text).map(Self::One).ok_or_else(|| {
            let near = nearest(text, RULES.iter().flat_map(|rule| [rule.name, rule.code]));
            let near = near.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
            format!("there is no rule `{}`{near} (`bitwall rules` lists them)", printable(text))
        })
    }
}

/// The width and height of an [`Excerpt`] in cells, if the level is large enough.
const SIZE: UVec2 = UVec2::new(32, 7);

impl Excerpt {
    /// Draws the surroundings of `cell`. Cells that `is_marked` accepts show the first character of `legend`.
    fn around(
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

/// The largest number of other faults that a note of a finding names.
const MOST_OTHERS: usize = 4;

/// The faults that a rule finds in a file. Faults of one kind become one [`Finding`]: that of the first
/// fault, with the number of the others and the names of a few.
///
/// Keeps the first [`MOST_FINDINGS`] kinds.
#[derive(Default)]
struct Faults {
    findings: Vec<Finding>,
    /// Maps each kind of fault to the index of its finding.
    kinds: HashMap<String, usize>,
}

impl Faults {
    /// Adds a fault of a kind. `name` describes what is at fault, such as an object or a path; it is empty if
    /// nothing does. Calls `finding` only for the first fault of the kind.
    fn add(&mut self, kind: &str, name: String, finding: impl FnOnce() -> Finding) {
        let known = self.kinds.get(kind).and_then(|index| self.findings.get_mut(*index));
        if let Some(group) = known.and_then(|finding| finding.group.as_mut()) {
            group.count += 1;
            if !name.is_empty() && group.names.len() <= MOST_NAMES {
                group.names.push(name);
            }
        } else if !self.is_full() {
            self.kinds.insert(kind.to_owned(), self.findings.len());
            let names = if name.is_empty() { Vec::new() } else { vec![name] };
            let kind = kind.to_owned();
            let group = FaultGroup { kind, count: 1, names, are_places: false };
            self.findings.push(Finding { group: Some(group), ..finding() });
        }
    }

    /// Adds a fault of a kind as [`Self::add`] does. `place` is its place in the level.
    fn add_at(&mut self, kind: &str, place: String, finding: impl FnOnce() -> Finding) {
        self.add(kind, place, finding);
        let known = self.kinds.get(kind).and_then(|index| self.findings.get_mut(*index));
        if let Some(group) = known.and_then(|finding| finding.group.as_mut()) {
            group.are_places = true;
        }
    }

    /// Adds a fault that forms a finding by itself.
    fn push(&mut self, finding: Finding) {
        if !self.is_full() {
            self.findings.push(finding);
        }
    }

    /// True if no more kinds of faults are kept.
    fn is_full(&self) -> bool {
        self.findings.len() == MOST_FINDINGS
    }

    /// Returns the findings, in the order of their first faults.
    fn findings(mut self) -> Vec<Finding> {
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
fn on_line(line: u32) -> Place {
    Place { line: (line > 0).then_some((line, 1)), ..Place::default() }
}

fn in_layer(path: &str, line: u32) -> Place {
    Place { layer: Some(path.to_owned()), ..on_line(line) }
}

fn at_object(layer: &str, object: &Object) -> Place {
    Place { object: Some(object.id), ..in_layer(layer, object.line) }
}

fn in_tileset(name: &str, line: u32) -> Place {
    Place { tileset: Some(name.to_owned()), ..on_line(line) }
}

fn at_pixel(pixel: UVec2) -> Place {
    Place { pixel: Some(pixel.into()), ..Place::default() }
}

/// Returns the [`Place`] in the file that shows a pixel of the level: a map cell or a mask pixel. Empty for a
/// world.
fn pixel_place(loaded: &LoadedLevel, pixel: IVec2) -> Place {
    let level = &loaded.level;
    match &loaded.source {
        Source::Map => {
            let cell = level.cell_at(pixel).saturating_add(level.first_cell());
            Place { cell: Some(cell.into()), ..Place::default() }
        }
        // A world has no cells of its own. Findings state the pixels in their texts.
        Source::World => Place::default(),
        _ => at_pixel(pixel.max(IVec2::ZERO).as_uvec2()),
    }
}

/// Describes a level pixel: `x 12, y 20`. For a mask or a world, these are pixels of the picture. For a map
/// they are pixels in Tiled, which may be negative in an infinite map.
fn place_name(loaded: &LoadedLevel, pixel: IVec2) -> String {
    let pixel = match &loaded.source {
        Source::Map => pixel.saturating_add(loaded.level.origin()),
        _ => pixel,
    };
    format!("x {}, y {}", pixel.x, pixel.y)
}

fn side_name(side: Dir) -> &'static str {
    match side {
        Dir::Left => "left",
        Dir::Right => "right",
        Dir::Up => "top",
        Dir::Down => "bottom",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_rule_has_a_suggestion() {
        let error = "gray-pixel".parse::<RuleSet>().unwrap_err();
        assert_eq!(
            error,
            "there is no rule `gray-pixel`; did you mean `gray-pixels`? (`bitwall rules` lists them)"
        );
    }
}
