//! The rules for the solids and the named areas of a Tiled map: data, not code.
//!
//! [`SolidRules`] holds the names, classes, properties and tile numbers that mark a layer, a tile or an
//! object as solid; [`AreaRule`] those of an area such as water. A rule judges one layer, tile or object at a
//! time and never walks a map.

mod area;
mod defaults;
pub(crate) mod mask;
#[cfg(feature = "tmx")]
mod one_way;
pub(crate) mod planes;
#[cfg(feature = "image")]
pub(crate) mod suggest;
#[cfg(test)]
mod tests;
mod tiles;
mod words;

#[cfg(feature = "tmx")]
use self::words::{Named, flag, names, value};

pub use crate::error::suggestion::{Setting, Suggestion, TileRange};
pub use area::AreaRule;
pub use mask::{MaskRule, ParseMaskRuleError};
pub use planes::{MaskPlane, ParseMaskPlaneError};
#[cfg(feature = "image")]
pub use suggest::{WordUse, misspelt};
pub use tiles::TileIds;
pub use words::{ParsePropertyIsError, PropertyIs};

/// The layers, tiles and objects of a map that are solid.
///
/// Names, classes, properties and values are compared without regard to case. An entry of a list that ends
/// with `*` matches every text with that start: `walls*`. A string property with the value `true`, `false`,
/// `1` or `0` counts as a bool. A member of a property of type `class` counts as a property; a list can name
/// it alone or with the outer one, as `collision.solid`.
///
/// The defaults follow the conventions of real maps. In order:
/// 1. A layer is marked by a bool property (`solid`, `collision`, `collides`), by its class, or by its name
///    (`collision`, `solid`, `wall`, ...): every tile and every object on it is solid. A group marks all
///    layers in it. A hidden layer counts: most collision layers are hidden. The property with the value
///    false overrules the layer's class and name, and the groups around it. If a tile layer is passable by
///    `nocollide`, the tile layers without a mark are solid.
/// 2. A tile is marked by a bool property (`solid`, `collides`, `blocked`, ...; or `walkable`, `passable`
///    with the value false), by its class, by `bodyType=static`, or by its collision shapes. It is solid in
///    every cell in which it is shown, by its shapes if it has some. On a hidden layer, or placed as an
///    object, it counts only if the layer or the object is solid itself; on a layer of decoration
///    (`Background`, `Above`, ...) its shapes count, and its other marks do not. An object is marked by
///    property or class. A trigger (`isTrigger`, `sensor`) is not solid, even on a solid layer.
/// 3. A tileset named `collision` or `collider` with exactly two tiles holds markers: the first tile is free,
///    also on a solid layer, and the second is solid.
///
/// Some words have opposite meanings in different games: a tile on a layer `Walkable` is solid in one and
/// the floor in another. Such words are left to the caller:
///
/// ```
/// use bitwall::rules::{PropertyIs, SolidRules, TileIds};
/// use bitwall::LoadOptions;
///
/// let mut rules = SolidRules {
///     walkable_layers: vec!["Floor".to_owned()],
///     passable_layers: vec!["Walls behind the player".to_owned()],
///     solid_tiles: vec![TileIds::new("dungeon", 12..=15)],
///     ..SolidRules::default()
/// };
/// // These lists have words by default, which stay.
/// rules.tile_classes.push("Fence".to_owned());
/// rules.solid_values.push(PropertyIs::new("terrain", "rock"));
/// let options = LoadOptions { solid_rules: rules, ..LoadOptions::default() };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolidRules {
    /// Names of solid layers.
    pub layer_names: Vec<String>,
    /// Classes of solid layers.
    pub layer_classes: Vec<String>,
    /// Bool properties of a layer that make it solid if true, and passable if false.
    pub layer_properties: Vec<String>,
    /// Bool properties of a layer that make it passable if true, and solid if false. A tile layer with one
    /// that is true makes the tile layers without a mark solid, hidden ones and decoration too. Default:
    /// `nocollide`.
    pub layer_passable_properties: Vec<String>,
    /// Names of tile layers that are the floor; their empty cells are solid. Default: none.
    pub walkable_layers: Vec<String>,
    /// Names of layers on which nothing is solid; they overrule the marks of tiles and objects. Default:
    /// none.
    pub passable_layers: Vec<String>,
    /// Names of layers that are drawn behind or above the characters: of their tiles only the collision
    /// shapes count, unless the layer is solid.
    pub decoration_layers: Vec<String>,
    /// True if a solid layer makes only those of its tiles solid that have collision shapes. Default: false.
    pub shapes_only: bool,
    /// Classes of solid tiles.
    pub tile_classes: Vec<String>,
    /// Bool properties of a tile that make it solid if true.
    pub solid_properties: Vec<String>,
    /// Bool properties of a tile or object that make it solid if false.
    pub passable_properties: Vec<String>,
    /// Bool properties of a tile, of one of its shapes or of an object that make it passable if true, even on
    /// a solid layer: it is a trigger, which reports a touch and stops nobody.
    pub trigger_properties: Vec<String>,
    /// Tiles that are solid wherever they are placed, as objects and on hidden layers too. Default: none.
    pub solid_tiles: Vec<TileIds>,
    /// Tiles that are passable, even on a solid layer; they overrule `solid_tiles`. Default: none.
    pub passable_tiles: Vec<TileIds>,
    /// True to read a tileset of exactly two tiles named `collision`, `collisions`, `collider` or `colliders`
    /// as markers: tile 0 is free, even on a solid layer, and tile 1 is solid. Default: true.
    pub two_tile_tilesets: bool,
    /// Classes of solid objects.
    pub object_classes: Vec<String>,
    /// Bool properties of an object that make it solid if true.
    pub object_properties: Vec<String>,
    /// Properties that make a layer, tile or object solid by their value, such as one of an enum. Default:
    /// `bodyType=static`, a word of physics engines.
    pub solid_values: Vec<PropertyIs>,
    /// Properties that make a tile or object one-way: true for its top, or the sides in a string or a list.
    pub one_way_properties: Vec<String>,
    /// Classes of tiles and objects whose top is one-way.
    pub one_way_classes: Vec<String>,
}

/// Names of tilesets that hold markers and no art. (Two tiles of a tileset `walls` would be two walls.)
#[cfg(feature = "tmx")]
const MARKER_TILESETS: [&str; 4] = ["collision", "collisions", "collider", "colliders"];

/// The mark that the rules set on a layer or group and its content, or on a tile by its id.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg(feature = "tmx")]
pub(crate) enum Says {
    /// It is solid. The reason is in words for a person: "its name".
    Solid(String),
    /// It is not solid: a layer even in a solid group, a tile even on a solid layer.
    Passable,
    /// No mark: the groups around a layer decide; the class, the properties and the layer of a tile.
    Nothing,
}

#[cfg(feature = "tmx")]
impl SolidRules {
    /// The mark that a layer or group sets on its content.
    pub(crate) fn layer(&self, name: &str, class: &str, properties: &impl Named) -> Says {
        let solid = |property| Says::Solid(format!("its property `{property}`"));
        let (yes, no) = (&self.layer_properties, &self.layer_passable_properties);
        if names(&self.passable_layers, name) {
            Says::Passable
        } else if let Some(property) = flag(yes, properties, true) {
            solid(property)
        } else if flag(yes, properties, false).or_else(|| flag(no, properties, true)).is_some() {
            Says::Passable
        } else if let Some(property) = flag(no, properties, false) {
            solid(property)
        } else if let Some(property) = value(&self.solid_values, properties) {
            solid(property)
        } else if names(&self.layer_classes, class) {
            Says::Solid("its class".to_owned())
        } else if names(&self.layer_names, name) {
            Says::Solid("its name".to_owned())
        } else {
            Says::Nothing
        }
    }

    /// The reason that a tile is solid: "property `solid`"; `None` if it is not.
    pub(crate) fn tile(&self, class: &str, properties: &impl Named) -> Option<String> {
        self.thing(&self.tile_classes, &self.solid_properties, class, properties)
    }

    /// The reason that a tile is solid by its class or its properties, in words: "its class". `None` if
    /// neither marks it; its shapes and its layer are not asked.
    pub fn tile_mark(&self, tile: &crate::tmx::Tile) -> Option<String> {
        self.tile(&tile.class, &tile.properties)
    }

    /// The reason that a tile or an object is solid, by the classes and properties of its kind.
    fn thing(
        &self,
        classes: &[String],
        solid: &[String],
        class: &str,
        properties: &impl Named,
    ) -> Option<String> {
        flag(solid, properties, true)
            .or_else(|| flag(&self.passable_properties, properties, false))
            .or_else(|| value(&self.solid_values, properties))
            .map(|name| format!("property `{name}`"))
            .or_else(|| names(classes, class).then(|| format!("class `{class}`")))
    }

    /// The reason that an object is solid: "class `collision`"; `None` if it is not.
    pub(crate) fn object(&self, class: &str, properties: &impl Named) -> Option<String> {
        self.thing(&self.object_classes, &self.object_properties, class, properties)
    }

    /// True if a property of this name is read as a flag.
    pub(crate) fn is_flag(&self, property: &str) -> bool {
        let lists = [
            &self.layer_properties,
            &self.layer_passable_properties,
            &self.solid_properties,
            &self.passable_properties,
            &self.object_properties,
            &self.trigger_properties,
        ];
        lists.into_iter().any(|list| names(list, property))
    }

    /// The property by which a layer says that it alone is passable, and so the others are solid; `None` if
    /// it does not.
    pub(crate) fn exception(&self, properties: &impl Named) -> Option<String> {
        flag(&self.layer_passable_properties, properties, true)
    }

    /// True for the properties of a trigger.
    pub(crate) fn is_trigger(&self, properties: &impl Named) -> bool {
        flag(&self.trigger_properties, properties, true).is_some()
    }

    /// True for the name of a layer of decoration.
    pub(crate) fn is_decoration(&self, name: &str) -> bool {
        names(&self.decoration_layers, name)
    }

    /// True if the empty cells of a tile layer of this name are solid.
    pub(crate) fn is_walkable_layer(&self, name: &str) -> bool {
        names(&self.walkable_layers, name)
    }

    /// True if nothing on a layer or in a group of this name is solid.
    pub(crate) fn is_passable_layer(&self, name: &str) -> bool {
        names(&self.passable_layers, name)
    }

    /// The mark on the tile `id` of a tileset with `tile_count` tiles, if that is known.
    pub(crate) fn tile_id(&self, tileset: &str, tile_count: Option<u32>, id: u32) -> Says {
        let has = |list: &[TileIds]| list.iter().any(|tiles| tiles.has(tileset, id));
        let is_marker = || MARKER_TILESETS.iter().any(|name| name.eq_ignore_ascii_case(tileset));
        if has(&self.passable_tiles) {
            Says::Passable
        } else if has(&self.solid_tiles) {
            Says::Solid("its number".to_owned())
        } else if self.two_tile_tilesets && tile_count == Some(2) && is_marker() {
            match id {
                0 => Says::Passable,
                _ => Says::Solid(format!("tile {id} of tileset `{tileset}`")),
            }
        } else {
            Says::Nothing
        }
    }
}
