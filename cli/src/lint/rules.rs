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

use std::str::FromStr;

use super::cells::Cells;
use super::rule::FAMILIES;
use super::{Excerpt, Finding, LintRule, RuleSet};
use crate::suggest::{command_line, suggestions};
use bitwall::error::Place;
use bitwall::glam::{IVec2, UVec2};
use bitwall::load::Source;
use bitwall::text::{nearest, printable};
use bitwall::tmx::Object;
use bitwall::{Dir, LoadedLevel};

pub(in crate::lint) use allow::{allows, silence};
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
    &UNCLEAR_MASK,
    &HAIRLINE_GAP,
    &HAIRLINE_WALL,
    &UNREACHABLE,
    &SOFT_LOCK,
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
    &UNKNOWN_CONTENT,
    &DUPLICATE_ID,
    &MISSING_LAYER,
    &FOREIGN_TILESET,
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
        // The cells of a level that is finer than the tiles of its map are pixels.
        let is_fine = loaded.level.cell_size() == UVec2::ONE;
        let is_of_tiles = matches!(loaded.source, Source::Map) && !is_fine;
        let column_name = if is_of_tiles { "col" } else { "x" };
        Self { origin, rows, legend, column_name }
    }
}

/// Adds the first clear suggestion for a level to a finding, or else the help `otherwise`, with the first
/// guess as a note.
fn suggested(finding: Finding, level: Option<&LoadedLevel>, otherwise: &str) -> Finding {
    let mut all = level.map(|level| suggestions(level, None)).unwrap_or_default();
    // Clear suggestions come first.
    let Some(first) = (!all.is_empty()).then(|| all.swap_remove(0)) else {
        return finding.help(otherwise);
    };
    let arguments = command_line(&first.arguments());
    if first.is_guess {
        let guess = format!("a guess, to be looked at with `bitwall render`: {arguments}");
        finding.note(guess).note(first.why).help(otherwise)
    } else {
        finding.note(first.why).help(format!("try {arguments}"))
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

/// Returns the [`Place`] in the file that shows a pixel of the level: a cell of the map, as Tiled shows it,
/// or a pixel of the mask. Empty for a world.
fn pixel_place(loaded: &LoadedLevel, pixel: IVec2) -> Place {
    match &loaded.source {
        Source::Map => {
            let pixel = pixel.saturating_add(loaded.level.origin());
            let cell = Cells::of(loaded).map(|cells| cells.at(pixel).into());
            Place { cell, ..Place::default() }
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
