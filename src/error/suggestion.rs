//! Defines suggestions for the options of a load, as plain data. Modules `rules` and `mask` make them.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use crate::text::printable;

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
    /// The options to apply together: see [`LoadOptions::apply`](crate::LoadOptions::apply).
    pub options: Vec<Setting>,
}

impl Suggestion {
    pub(crate) fn new(why: impl Into<String>, cells: u64, options: Vec<Setting>) -> Self {
        Self { why: why.into(), cells, is_guess: false, options }
    }

    #[cfg(feature = "image")]
    pub(crate) fn guess(why: impl Into<String>, cells: u64, options: Vec<Setting>) -> Self {
        Self { is_guess: true, ..Self::new(why, cells, options) }
    }

    /// Returns the options as command-line arguments: `["--solid-layer", "Ground"]`.
    pub fn arguments(&self) -> Vec<String> {
        self.options.iter().flat_map(Setting::arguments).collect()
    }
}

impl fmt::Display for Suggestion {
    /// Writes the arguments, quoted for a shell, and the reason: `--solid-layer Ground: it is hidden`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments: Vec<String> = self.arguments().iter().map(|word| quoted(word)).collect();
        write!(f, "{}: {}", arguments.join(" "), self.why)
    }
}

/// Returns an argument quoted for a shell, on one line of visible characters.
fn quoted(argument: &str) -> String {
    let shown = printable(argument).to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "-_=./:".contains(c);
    match !shown.is_empty() && shown.chars().all(is_plain) {
        true => shown,
        false => format!("'{}'", shown.replace('\'', r"'\''")),
    }
}

/// All tiles of a tileset, or its tiles in a range of ids. The ids of a tileset start at 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TileRange {
    /// The name of the tileset.
    pub tileset: String,
    /// The first and last id, both included; `None` for all tiles.
    pub ids: Option<(u32, u32)>,
}

impl TileRange {
    /// Returns the tiles of `tileset` with ids from the first to the last of `ids`, both included. If `ids`
    /// is `None`, returns all its tiles.
    pub fn new(tileset: impl Into<String>, ids: Option<(u32, u32)>) -> Self {
        Self { tileset: tileset.into(), ids }
    }
}

impl fmt::Display for TileRange {
    /// Writes `dungeon` for all tiles, `dungeon=3` for one tile, and `dungeon=12-15` for a range.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ids {
            // The name ends like a range of ids, such as `=3`. Ids are written after it, so that the end
            // stays part of the name.
            None if self.tileset.rsplit_once('=').is_some_and(|(_, end)| range(end).is_some()) => {
                write!(f, "{}=0-{}", self.tileset, u32::MAX)
            }
            None => f.write_str(&self.tileset),
            Some((first, last)) if first == last => write!(f, "{}={first}", self.tileset),
            Some((first, last)) => write!(f, "{}={first}-{last}", self.tileset),
        }
    }
}

impl FromStr for TileRange {
    type Err = Infallible;

    /// Parses the text that `Display` writes. Text after `=` is part of the name if it is not a range of ids.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let split = text.rsplit_once('=').and_then(|(name, ids)| Some((name, range(ids)?)));
        Ok(match split {
            Some((name, ids)) => Self::new(name, Some(ids)),
            None => Self::new(text, None),
        })
    }
}

/// Parses `3` or `12-15` to the first and last id, both included. Returns `None` for any other text.
fn range(ids: &str) -> Option<(u32, u32)> {
    let (first, last) = ids.split_once('-').unwrap_or((ids, ids));
    let ids: (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (ids.0 <= ids.1).then_some(ids)
}

/// A load option with its value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Setting {
    /// Layers with this name are solid.
    SolidLayer(String),
    /// The empty cells of tile layers with this name are solid.
    WalkableLayer(String),
    /// Nothing on layers with this name is solid.
    PassableLayer(String),
    /// Layers, tiles and objects with this class are solid.
    SolidClass(String),
    /// Objects with this name are solid. The other objects of their layer are no longer solid because of the
    /// layer's name.
    SolidObject(String),
    /// Layers, tiles and objects with this bool property are solid if it is true.
    SolidProperty(String),
    /// Tiles and objects with this bool property are solid if it is false.
    PassableProperty(String),
    /// Layers, tiles and objects with this value of a property are solid.
    SolidValue {
        /// The name of the property.
        name: String,
        /// The value of the property.
        value: String,
    },
    /// The tiles in this range are solid.
    SolidTiles(TileRange),
    /// The tiles in this range are passable, even on a solid layer.
    PassableTiles(TileRange),
    /// On a solid layer, only tiles with a collision shape are solid.
    ShapesOnly,
    /// The rule that decides which pixels of a mask are solid, as text: `opaque` or `#ff0000`.
    Mask(String),
    /// The mask pixels with this colour make a named area.
    Plane {
        /// The name of the area.
        name: String,
        /// The colour of the area's mask pixels: red, green, blue.
        color: [u8; 3],
    },
    /// Missing cells and unknown tiles count as empty, instead of causing an error.
    Lenient,
}

impl Setting {
    /// Returns the setting as command-line arguments: `["--lenient"]`.
    pub fn arguments(&self) -> Vec<String> {
        let (option, value) = match self {
            Self::SolidLayer(name) => ("--solid-layer", name.clone()),
            Self::WalkableLayer(name) => ("--walkable-layer", name.clone()),
            Self::PassableLayer(name) => ("--passable-layer", name.clone()),
            Self::SolidClass(name) => ("--solid-class", name.clone()),
            Self::SolidObject(name) => ("--solid-object", name.clone()),
            Self::SolidProperty(name) => ("--solid-property", name.clone()),
            Self::PassableProperty(name) => ("--passable-property", name.clone()),
            Self::SolidValue { name, value } => ("--solid-value", format!("{name}={value}")),
            Self::SolidTiles(tiles) => ("--solid-tiles", tiles.to_string()),
            Self::PassableTiles(tiles) => ("--passable-tiles", tiles.to_string()),
            Self::Mask(rule) => ("--mask", rule.clone()),
            Self::Plane { name, color: [red, green, blue] } => {
                ("--plane", format!("{name}=#{red:02x}{green:02x}{blue:02x}"))
            }
            Self::ShapesOnly => return vec!["--shapes-only".to_owned()],
            Self::Lenient => return vec!["--lenient".to_owned()],
        };
        match value.starts_with('-') {
            // With a leading `-`, a value that is a separate argument would look like an option.
            true => vec![format!("{option}={value}")],
            false => vec![option.to_owned(), value],
        }
    }
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
        let plane = Setting::Plane { name: "blue".to_owned(), color: [0, 0, 255] };
        for text in ["dungeon", "dungeon=3", "a=b=12-15", "a=b", "x=9-3"] {
            let Ok(tiles) = text.parse::<TileRange>();
            assert_eq!(tiles.to_string(), text);
        }
        let Ok(named) = TileRange::new("walls=3", None).to_string().parse::<TileRange>();
        assert_eq!((&*named.tileset, named.ids), ("walls=3", Some((0, u32::MAX))));
        assert_eq!(shown(vec![layer("-Colision")]), "--solid-layer=-Colision: why");
        let all = vec![plane, Setting::ShapesOnly];
        assert_eq!(shown(all), "--plane 'blue=#0000ff' --shapes-only: why");
    }
}
