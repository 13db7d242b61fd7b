//! Suggests options for a level whose solids seem wrong: nothing or nearly everything is solid, a word is
//! misspelt, or the structure of a map shows another layer of solids.
//!
//! Suggestions help a person who sees a level for the first time. They never change a level.

mod maps;
mod masks;
mod near;
mod setting;

use std::fmt;

use bitwall::LoadedLevel;
use bitwall::error::WarningCause;
use bitwall::glam::IVec2;
use bitwall::load::Source;
use bitwall::text::{is_name_like, printable};
use bitwall::tmx::TileLayer;
use toml::Value;

pub use near::{WordUse, misspelt};
pub use setting::Setting;
pub(crate) use setting::{keys, merge_tables, table};

use crate::mask_facts::{MaskFacts, hex};

/// The class of the tileset that stands for the values of an LDtk layer.
pub(crate) const INT_GRID: &str = "IntGrid";

/// Options that may give a level the solids that its author meant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Suggestion {
    /// The reason for the suggestion, in plain words.
    pub why: String,
    /// The number of tiles, objects or mask pixels to which the reason applies; 0 if the reason has no such
    /// number.
    pub cells: u64,
    /// True if the evidence is weak, such as the structure of the map, or a name that may have another
    /// meaning.
    pub is_guess: bool,
    /// The options to apply together.
    pub options: Vec<Setting>,
}

impl Suggestion {
    fn new(why: impl Into<String>, cells: u64, options: Vec<Setting>) -> Self {
        Self { why: why.into(), cells, is_guess: false, options }
    }

    fn guess(why: impl Into<String>, cells: u64, options: Vec<Setting>) -> Self {
        Self { is_guess: true, ..Self::new(why, cells, options) }
    }

    /// Returns the options as the text of a `bitwall.toml`.
    pub fn toml(&self) -> String {
        table(&self.options).to_string()
    }

    /// Returns the options as command-line arguments: `["--solid-layer", "Ground"]`.
    pub fn arguments(&self) -> Vec<String> {
        self.options.iter().flat_map(arguments).collect()
    }
}

impl fmt::Display for Suggestion {
    /// Writes the arguments, quoted for a shell, and the reason: `--solid-layer Ground: it is hidden`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", command_line(&self.arguments()), self.why)
    }
}

/// Returns words as a command for a shell, on one line.
pub fn command_line(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// Returns an argument quoted for a shell, on one line of visible characters.
fn quoted(argument: &str) -> String {
    let shown = printable(argument).to_string();
    if !shown.is_empty() && shown.chars().all(|c| c.is_alphanumeric() || "-_=./:".contains(c)) {
        return shown;
    }
    format!("'{}'", shown.replace('\'', r"'\''"))
}

/// Returns a setting as command-line arguments: `["--solid-layer", "Ground"]`. A setting without an option of
/// its own is a key of the `bitwall.toml`: `["-c", "level.lenient=true"]`.
pub(crate) fn arguments(setting: &Setting) -> Vec<String> {
    let (option, value) = match setting {
        Setting::SolidLayer(name) => ("--solid-layer", name.clone()),
        Setting::WalkableLayer(name) => ("--walkable-layer", name.clone()),
        Setting::SolidClass(name) => ("--solid-class", name.clone()),
        Setting::SolidProperty(name) => ("--solid-property", name.clone()),
        Setting::Mask(rule) => ("--mask", rule.clone()),
        Setting::Plane { name, color } => ("--plane", format!("{name}={}", hex(*color))),
        _ => {
            let keys = keys(setting).into_iter().flat_map(|(table, key, value)| {
                ["-c".to_owned(), key_argument(&format!("{table}.{key}"), &value)]
            });
            return keys.collect();
        }
    };
    if value.starts_with('-') {
        // With a leading `-`, a value that is a separate argument would look like an option.
        vec![format!("{option}={value}")]
    } else {
        vec![option.to_owned(), value]
    }
}

/// Returns a key and its value as an argument of `-c`, in the fewest characters.
fn key_argument(key: &str, value: &Value) -> String {
    match value {
        Value::Array(values) if values.len() == 1 => key_argument(key, &values[0]),
        // A text that starts so would be read as TOML.
        Value::String(text) if !text.starts_with(['"', '\'', '[', '{']) => format!("{key}={text}"),
        value => format!("{key}={value}"),
    }
}

/// Suggests options that may give the level the solids that its author meant, the best suggestion first.
///
/// The result is empty if the solids seem right. `facts` are those of a mask, from which colours are
/// suggested; a map needs none. Suggestions are guesses, and a person should choose from them. O(cells +
/// objects + names in the maps), or O(pixels) for a mask.
pub fn suggestions(loaded: &LoadedLevel, facts: Option<&MaskFacts>) -> Vec<Suggestion> {
    let rules = &loaded.options().solid_rules;
    match &loaded.source {
        Source::Mask(source) => masks::suggest(source, facts, &loaded.level, rules),
        Source::Map | Source::World => {
            let grid = loaded.level.grid();
            let found = if loaded.level.is_blank() {
                Found::Nothing
            } else if grid.solid_count() == grid.cell_count() {
                Found::Everything
            } else {
                Found::Part
            };
            maps::suggest(&loaded.maps, rules, found, doubt(loaded).as_ref())
        }
        _ => Vec::new(),
    }
}

/// Returns the guess that decides what is solid in a level, as options that state it. `None` if no guess
/// decides, and for one that is not about whole layers.
pub(crate) fn guess_in_force(loaded: &LoadedLevel) -> Option<Suggestion> {
    let mut warnings = loaded.warnings.iter();
    let guess = warnings.find(|warning| warning.cause == WarningCause::LastResort)?;
    let why = guess.detail.clone()?;
    // The names of the layers are in backticks.
    let names = why.split('`').skip(1).step_by(2).map(str::to_owned);
    let options: Vec<Setting> = names.map(Setting::SolidLayer).collect();
    (!options.is_empty()).then(|| Suggestion::guess(why, guess.count, options))
}

/// The share of a level that is solid by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Nothing,
    Part,
    Everything,
}

/// The reason that the solids of a level seem wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Doubt {
    why: String,
    /// True if too much seems solid; false if too little seems solid.
    is_overfull: bool,
}

impl Doubt {
    /// True if the settings of a suggestion could resolve the doubt: passable layers if too much is solid.
    fn allows(&self, guess: &Suggestion) -> bool {
        let mut options = guess.options.iter();
        let is_of_passable = options.all(|it| matches!(it, Setting::WalkableLayer(_)));
        self.is_overfull == is_of_passable
    }
}

/// The smallest number of cells for which the share of solid cells is judged. A smaller level may be a mere
/// test.
const LEAST_CELLS: u64 = 64;

/// Returns the reason that the solids of a map seem wrong, or `None` if they seem right.
fn doubt(loaded: &LoadedLevel) -> Option<Doubt> {
    let level = &loaded.level;
    if level.is_blank() {
        return None;
    }
    let solid = level.grid().solid_count();
    let all = level.grid().cell_count();
    let is_infinite = loaded.map().is_some_and(|map| map.is_infinite);
    let is_overfull = solid * 10 >= all * 9;
    if all < LEAST_CELLS || !is_overfull && (solid * 200 > all || is_infinite) {
        return None;
    }
    let share = solid as f64 * 100.0 / all as f64;
    Some(Doubt { why: format!("{share:.1}% of the level is solid"), is_overfull })
}

/// Yields the tiles of a layer: the column and the row of each in the map, and its global tile id.
pub(crate) fn tiles_of(tiles: &TileLayer) -> impl Iterator<Item = (IVec2, u32)> {
    tiles.blocks.iter().flat_map(|block| {
        let width = block.size.x.max(1) as usize;
        let tiles = block.cells.iter().enumerate().filter(|(_, gid)| **gid != 0);
        tiles.map(move |(index, gid)| {
            let cell = IVec2::new((index % width) as i32, (index / width) as i32);
            (block.origin.saturating_add(cell), *gid)
        })
    })
}

/// True if `text` matches one of `words`. An empty text matches no word.
fn names(words: &[String], text: &str) -> bool {
    !text.is_empty() && words.iter().any(|word| is_name_like(word, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggestion_is_shown_as_arguments_quoted_for_a_shell() {
        let layer = |name: &str| Setting::SolidLayer(name.to_owned());
        let shown = |options| Suggestion::new("why", 1, options).to_string();
        assert_eq!(shown(vec![layer("Ground")]), "--solid-layer Ground: why");
        assert_eq!(shown(vec![layer("Tile Layer 1")]), "--solid-layer 'Tile Layer 1': why");
        assert_eq!(shown(vec![layer("it's")]), r"--solid-layer 'it'\''s': why");
        assert_eq!(shown(vec![layer("a\u{1b}b")]), r"--solid-layer 'a\u{1b}b': why");
        assert_eq!(shown(vec![layer("-Colision")]), "--solid-layer=-Colision: why");
        let plane = Setting::Plane { name: "blue".to_owned(), color: [0, 0, 255] };
        let all = vec![plane, Setting::ShapesOnly];
        assert_eq!(shown(all), "--plane 'blue=#0000ff' -c solid.shapes-only=true: why");
    }
}
