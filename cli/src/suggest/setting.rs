//! Single settings of the options of a load, as plain data.

use bitwall::LoadOptions;
use bitwall::rules::{MaskPlane, TileIds};

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

/// A load option with its value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// Applies the setting to the options. A mask setting has no effect if its text is not a mask rule.
    pub fn apply(&self, options: &mut LoadOptions) {
        let rules = &mut options.solid_rules;
        let author = &mut rules.author_words;
        match self {
            Self::SolidLayer(name) => add(name, author, [&mut rules.layer_names]),
            Self::WalkableLayer(name) => add(name, author, [&mut rules.walkable_layers]),
            Self::PassableLayer(name) => add(name, author, [&mut rules.passable_layers]),
            Self::SolidClass(name) => {
                let tiles = &mut rules.tile_classes;
                add(name, author, [&mut rules.layer_classes, tiles, &mut rules.object_classes]);
            }
            Self::SolidObject(name) => add(name, author, [&mut rules.object_names]),
            Self::PlaceName(name) => rules.place_names.push(name.clone()),
            Self::SolidProperty(name) => {
                let tiles = &mut rules.solid_properties;
                let objects = &mut rules.object_properties;
                add(name, author, [&mut rules.layer_properties, tiles, objects]);
            }
            Self::PassableProperty(name) => add(name, author, [&mut rules.passable_properties]),
            Self::SolidTiles(tiles) => rules.solid_tiles.push(ids_of(tiles)),
            Self::PassableTiles(tiles) => rules.passable_tiles.push(ids_of(tiles)),
            Self::ShapesOnly => rules.shapes_only = true,
            Self::Mask(rule) => options.mask_rule = rule.parse().ok().or(options.mask_rule.take()),
            Self::Plane { name, color } => options.planes.push(MaskPlane::new(name, *color)),
            Self::Lenient => options.lenient = true,
        }
    }
}

/// Adds a word of the author to some lists of the rules.
fn add<const LISTS: usize>(word: &str, author: &mut Vec<String>, lists: [&mut Vec<String>; LISTS]) {
    for list in lists.into_iter().chain([author]) {
        list.push(word.to_owned());
    }
}

fn ids_of(tiles: &TileRange) -> TileIds {
    let (first, last) = tiles.ids.unwrap_or((0, u32::MAX));
    TileIds::new(&tiles.tileset, first..=last)
}
