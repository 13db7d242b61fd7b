//! Defines single settings of the options of a load, as plain data.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

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

/// A weaker rule, for a level in which nothing is solid by the other rules: see
/// [`SolidRules::last_resorts`](super::SolidRules::last_resorts).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LastResort {
    /// The only IntGrid layer of an LDtk project, or the only one that is named for its solids.
    ///
    /// Values with names such as `ladder` or `water` are left out.
    IntGrid,
    /// The layers and groups with a word in their name that is like that of a solid layer: `wallLayer`,
    /// `impassables`. Names with a word of another meaning, such as `enemy collision`, are left out.
    SimilarNames,
    /// The object layers with a word such as `ground`, `platforms` or `buildings` in their name, if most of
    /// their objects are shapes.
    GroundObjects,
    /// The enum tags of the tiles that LDtk draws, in a project with IntGrid layers. Without this rule, they
    /// count at once.
    ArtTags,
}

impl LastResort {
    /// All last resorts, in the order in which they are tried by default.
    pub const ALL: [Self; 4] =
        [Self::IntGrid, Self::SimilarNames, Self::GroundObjects, Self::ArtTags];
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
    /// Objects with this name mark a place, and are not solid because of their layer's name.
    PlaceName(String),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_tiles_parses_and_prints_as_the_same_text() {
        for text in ["dungeon", "dungeon=3", "a=b=12-15", "a=b", "x=9-3"] {
            let Ok(tiles) = text.parse::<TileRange>();
            assert_eq!(tiles.to_string(), text);
        }
        let Ok(named) = TileRange::new("walls=3", None).to_string().parse::<TileRange>();
        assert_eq!((&*named.tileset, named.ids), ("walls=3", Some((0, u32::MAX))));
    }
}
