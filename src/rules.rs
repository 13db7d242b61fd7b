//! What in a Tiled map is solid, and where its named areas are: data, not code.
//!
//! [`SolidRules`] says which names, classes, properties and tile numbers mark a layer, a tile or an object
//! as solid; [`AreaRule`] does so for an area such as water. Each judges one thing at a time and never
//! walks a map.

mod area;
mod build;
mod defaults;
pub(crate) mod mask;
mod one_way;
pub(crate) mod planes;
#[cfg(test)]
mod tests;
mod tiles;
mod words;

use self::words::{Named, flag, names, value};

pub use area::AreaRule;
pub use mask::{MaskRule, ParseMaskRuleError};
pub use planes::{MaskPlane, ParseMaskPlaneError};
pub use tiles::TileIds;
pub(crate) use tiles::TileSays;
pub use words::{ParsePropertyIsError, PropertyIs};

/// Which layers, tiles and objects of a map are solid.
///
/// Names, classes, properties and values are compared without regard to case. One in a list that ends with
/// `*` stands for all that start so: `walls*`. A string property that says `true` or `false` counts as a
/// bool, and a property in a property of type `class` counts like the thing's own; a list may name it alone
/// or with the outer one, as `collision.solid`.
///
/// The defaults follow what real maps do. In order:
/// 1. a layer says so, by a bool property (`solid`, `collision`, `collides`), by its class, or by its name
///    (`collision`, `solid`, `wall`, ...): every tile and every object on it. So does a group, for all
///    that is in it. A hidden layer counts: most collision layers are hidden. The property with the value
///    false overrules the layer's class and name, and the groups around it.
/// 2. a tile says so, by a bool property (`solid`, `collides`, `blocked`, ...; or `walkable`, `passable`
///    with the value false), or by its class, or by a collision shape that is the whole tile: wherever it is
///    placed. So does an object, by property or class.
/// 3. a tileset named `collision` or `collider` with exactly two tiles is a marker: the first tile is free,
///    also on a solid layer, and the second is a wall.
///
/// Some words mean one thing in one game and its opposite in another: a tile on a layer `Walkable` blocks in
/// one and is the floor in the next. Those are left to the caller:
///
/// ```
/// use bitwall::{LoadOptions, SolidRules};
///
/// let rules = SolidRules::default()
///     .with_walkable_layer("Floor")
///     .with_passable_layer("Walls behind the player")
///     .with_tile_class("Fence")
///     .with_solid_tiles("dungeon", 12..=15)
///     .with_value("terrain", "rock");
/// let options = LoadOptions::default().with_solid_rules(rules);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolidRules {
    /// Names of solid layers.
    pub layer_names: Vec<String>,
    /// Classes of solid layers.
    pub layer_classes: Vec<String>,
    /// Bool properties of a layer that make it solid if true, and passable if false.
    pub layer_properties: Vec<String>,
    /// Bool properties of a layer that make it passable if true, and solid if false.
    pub layer_passable_properties: Vec<String>,
    /// Names of tile layers that are the floor: their empty cells are solid. Default: none.
    pub walkable_layers: Vec<String>,
    /// Names of layers on which nothing is solid, whatever its tiles and objects say. Default: none.
    pub passable_layers: Vec<String>,
    /// Classes of solid tiles.
    pub tile_classes: Vec<String>,
    /// Bool properties of a tile that make it solid if true.
    pub solid_properties: Vec<String>,
    /// Bool properties of a tile or object that make it solid if false.
    pub passable_properties: Vec<String>,
    /// Tiles that are solid wherever they are placed. Default: none.
    pub solid_tiles: Vec<TileIds>,
    /// Tiles that do not count, even on a solid layer; they overrule `solid_tiles`. Default: none.
    pub passable_tiles: Vec<TileIds>,
    /// True if in a tileset named `collision`, `collisions`, `collider` or `colliders` with exactly two tiles
    /// tile 0 is free, even on a solid layer, and tile 1 is a wall. Default: true.
    pub two_tile_tilesets: bool,
    /// Classes of solid objects.
    pub object_classes: Vec<String>,
    /// Bool properties of an object that make it solid if true.
    pub object_properties: Vec<String>,
    /// PropertyValues that make a layer, tile or object solid by their value, such as one of an enum.
    /// Default: none.
    pub solid_values: Vec<PropertyIs>,
    /// PropertyValues that make a tile or object one-way: true for its top, or the sides in a string or a list.
    pub one_way_properties: Vec<String>,
    /// Classes of tiles and objects of which the top is one-way.
    pub one_way_classes: Vec<String>,
}

/// What a layer says of what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LayerSays {
    /// All of it is solid, and why, in words for a person: "its name".
    Solid(String),
    /// It is not solid, whatever the groups around it say.
    Passable,
    /// Nothing: as the groups around it say.
    Nothing,
}

impl SolidRules {
    /// What a layer or group says of itself.
    pub(crate) fn layer(&self, name: &str, class: &str, properties: &impl Named) -> LayerSays {
        let solid = |property| LayerSays::Solid(format!("its property `{property}`"));
        let (yes, no) = (&self.layer_properties, &self.layer_passable_properties);
        if names(&self.passable_layers, name) {
            LayerSays::Passable
        } else if let Some(property) = flag(yes, properties, true) {
            solid(property)
        } else if flag(yes, properties, false)
            .or_else(|| flag(no, properties, true))
            .is_some()
        {
            LayerSays::Passable
        } else if let Some(property) = flag(no, properties, false) {
            solid(property)
        } else if let Some(property) = value(&self.solid_values, properties) {
            solid(property)
        } else if names(&self.layer_classes, class) {
            LayerSays::Solid("its class".to_owned())
        } else if names(&self.layer_names, name) {
            LayerSays::Solid("its name".to_owned())
        } else {
            LayerSays::Nothing
        }
    }

    /// Why a tile is solid: "property `solid`"; `None` if it is not.
    pub(crate) fn tile(&self, class: &str, properties: &impl Named) -> Option<String> {
        self.thing(
            &self.tile_classes,
            &self.solid_properties,
            class,
            properties,
        )
    }

    /// A tile or an object, by the classes and properties of its kind.
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
}

impl SolidRules {
    /// Why an object is solid: "class `collision`"; `None` if it is not.
    pub(crate) fn object(&self, class: &str, properties: &impl Named) -> Option<String> {
        self.thing(
            &self.object_classes,
            &self.object_properties,
            class,
            properties,
        )
    }

    /// True if a property of this name is read as a flag.
    pub(crate) fn is_flag(&self, property: &str) -> bool {
        let lists = [
            &self.layer_properties,
            &self.layer_passable_properties,
            &self.solid_properties,
            &self.passable_properties,
            &self.object_properties,
        ];
        lists.into_iter().any(|list| names(list, property))
    }

    /// True if the empty cells of a tile layer of this name are solid.
    pub(crate) fn is_walkable_layer(&self, name: &str) -> bool {
        names(&self.walkable_layers, name)
    }

    /// True if nothing on a layer or in a group of this name is solid, whatever its tiles and objects say.
    pub(crate) fn is_passable_layer(&self, name: &str) -> bool {
        names(&self.passable_layers, name)
    }
}
