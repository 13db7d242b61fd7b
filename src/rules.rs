//! The rules for the solids and the named areas of a Tiled map.
//!
//! [`SolidRules`] lists the names, classes, properties and tile numbers of solids. [`AreaRule`] lists the
//! same for a named area such as water. The module `judge` applies the rules.

#[cfg(feature = "tmx")]
mod judge;
#[cfg(feature = "tmx")]
mod last_resort;
pub(crate) mod mask;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::text::printable;
#[cfg(feature = "tmx")]
pub use judge::is_layer;
#[cfg(feature = "tmx")]
pub(crate) use judge::{Mark, Says, Weight};
pub use mask::{MaskPlane, MaskRule};

/// The rules that decide which layers, tiles and objects of a map are solid.
///
/// Names, classes, properties and values are compared without regard to case. A final `*` in an entry matches
/// any ending: `walls*`. A string property with the value `true`, `false`, `1` or `0` counts as a bool. A
/// member of a property of type `class` counts as a property. An entry gives the member's name alone, or
/// after the name of the outer property: `collision.solid`.
///
/// An entry for a layer's name can start with a kind of layer (`tiles:`, `objects:` or `group:`):
/// `objects:walls` matches only object layers. A prefix of a property's name is ignored: `unity:isTrigger` is
/// `isTrigger`.
///
/// The default rules follow the conventions of real maps. A mark is any sign that makes something solid:
/// 1. A bool property (`solid`, `collision`, `collides`), a class or a name (`collision`, `solid`, `wall`,
///    ...) marks a layer: all its tiles and objects are solid. A mark on a group marks all layers in the
///    group. Hidden layers count, because most collision layers are hidden. The property with the value false
///    overrides the class and name of the layer, and the groups around it. If the property `nocollide` makes
///    a tile layer passable, all tile layers without a mark are solid.
///
///    A name is the weakest mark. On a layer that is solid by name alone, some things are not solid: a tile
///    with a flag of its own (`solid` = false), a named value of an LDtk layer, and an object that marks a
///    place (`spawn`, `player`). If an object has the name of a solid (`wall`), the other objects of the
///    layer are not solid. If the map has shapes on an object layer that is solid by name, a visible tile
///    layer that is solid by name counts as art, and is not solid.
/// 2. A bool property (`solid`, `collides`, `blocked`, ...; or `walkable`, `passable` with the value false),
///    a class, the property `bodyType=static` or a collision shape marks a tile. The tile is solid in every
///    cell that shows it. A tile with collision shapes is solid only inside the shapes. On a hidden layer, or
///    placed as an object, the tile is solid only if the layer or object is. On a decoration layer
///    (`Background`, `Above`, ...) the tile's shapes count; its other marks count only if nothing else in the
///    map is solid. A property, class or name marks an object. A trigger (`isTrigger`, `sensor`) is not
///    solid, even on a solid layer.
/// 3. A tileset named `collision` or `collider` with exactly two tiles has markers: the first tile is
///    passable, even on a solid layer, and the second is solid.
/// 4. If nothing in the level is solid by these rules, last resorts choose layers, and the level has a
///    warning: see [`LastResort`].
///
/// Some words have opposite meanings in different games: a layer `Walkable` has the solids of one game and
/// the floor of another. The default rules ignore such words, but a game can add them:
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
    /// The names of solid layers.
    ///
    /// In a map with shapes on an object layer that is solid by name, a visible tile layer that is solid by
    /// name alone can count as art, which is passable. Tile layers whose names begin with `colli` never do.
    pub layer_names: Vec<String>,
    /// The classes of solid layers.
    pub layer_classes: Vec<String>,
    /// The bool properties that make a layer solid if true, and passable if false.
    pub layer_properties: Vec<String>,
    /// The bool properties that make a layer passable if true, and solid if false.
    ///
    /// If a tile layer has the value true, all tile layers without a mark are solid, even hidden layers and
    /// decoration layers. Default: `nocollide`.
    pub layer_passable_properties: Vec<String>,
    /// The names of tile layers that are the floor. The cells of a floor without a tile are solid. Default:
    /// none.
    pub walkable_layers: Vec<String>,
    /// The names of layers without solids, whatever marks their tiles and objects have. Default: none.
    pub passable_layers: Vec<String>,
    /// The names of decoration layers, which are drawn behind or above the characters.
    ///
    /// Only the collision shapes of their tiles count, unless the layer is solid. A name that is not in
    /// the default list also keeps the default names of solid layers from its layers. In a map without
    /// other solids, all marks of tiles on decoration layers count.
    pub decoration_layers: Vec<String>,
    /// True if only the tiles with collision shapes are solid on a solid layer. Default: false.
    pub shapes_only: bool,
    /// The classes of solid tiles. The last word in the name of an LDtk value can be one too:
    /// `PermanentWall`. The first word can be `solid`.
    pub tile_classes: Vec<String>,
    /// The bool properties that make a tile solid if true.
    ///
    /// If false, the tile is passable even on a layer that is solid by name. The value true of
    /// `passable_properties`, and another value of a property of `solid_values`, say the same.
    pub solid_properties: Vec<String>,
    /// The bool properties that make a tile or object solid if false.
    pub passable_properties: Vec<String>,
    /// The bool properties that make a layer, tileset, tile, tile shape or object a trigger if true. A
    /// trigger reports a touch, and is passable even on a solid layer.
    pub trigger_properties: Vec<String>,
    /// The tiles that are solid on every layer, even on a hidden layer, and as objects. Default: none.
    pub solid_tiles: Vec<TileIds>,
    /// The tiles that are passable, even on a solid layer or in `solid_tiles`. Default: none.
    pub passable_tiles: Vec<TileIds>,
    /// True if a tileset of exactly two tiles has markers, if it is named `collision`, `collisions`,
    /// `collider` or `colliders`.
    ///
    /// Tile 0 is then passable, even on a solid layer, and tile 1 is solid. Default: true.
    pub two_tile_tilesets: bool,
    /// The classes of solid objects.
    pub object_classes: Vec<String>,
    /// The names of solid objects. Such an object makes the other objects of a layer passable if the layer is
    /// solid by name alone.
    pub object_names: Vec<String>,
    /// The names and classes of objects that mark a place, such as `spawn`. A layer's name does not make
    /// these objects solid.
    pub place_names: Vec<String>,
    /// The bool properties that make an object solid if true.
    pub object_properties: Vec<String>,
    /// The values of properties, such as enums, that make a layer, tile or object solid. Default:
    /// `bodyType=static`, as in physics engines.
    pub solid_values: Vec<PropertyIs>,
    /// The properties that make a layer, tile or solid object one-way. The value true guards the top side. A
    /// string or a list names the guarded sides.
    ///
    /// An object counts as solid here if its layer or another mark makes it so. Any other object is a marker.
    pub one_way_properties: Vec<String>,
    /// The classes of layers, tiles and objects with a one-way top.
    pub one_way_classes: Vec<String>,
    /// True if the name of a layer of LDtk makes its named values solid too, other than `ladder`, `water` and
    /// the like. Default: false, but a last resort may set it.
    pub named_values: bool,
    /// The last resorts for a level in which nothing else is solid, in the order in which they are tried.
    ///
    /// The level then has a warning ([`WarningCause::LastResort`](crate::error::WarningCause)). None is tried
    /// if the author of the level chose words, solid tiles or floors. Default: [`LastResort::ALL`].
    pub last_resorts: Vec<LastResort>,
    /// The words that the author of the level chose for the other lists, but not for `decoration_layers`.
    ///
    /// These words override the conventions. A solid layer with such a name is solid with all its tiles and
    /// objects, even if flags or rules about names say otherwise. A tile with such a class or property is
    /// solid on every layer, even on a hidden layer, and as an object.
    pub author_words: Vec<String>,
}

/// The default names of solid layers and objects, and classes of solid layers, tiles and objects.
const NAMES: &str =
    "collision collisions collider colliders solid solids wall walls blocked obstacle obstacles";

/// The default bool properties of solid layers, tiles and objects.
const PROPERTIES: &str = "solid collides collide collideable collidable block blocked blocking impassable \
                          obstacle wall";

/// Further default names of solid layers, less frequent than [`NAMES`] but without other meanings. Object
/// layers named `platforms` are left out, because such platforms may move.
const LAYER_NAMES: &str = "collision* boundary boundaries barrier barriers blocking impassable unwalkable \
                           tiles:platforms";

/// The default names of decoration layers.
const DECORATION: &str = "background* foreground* above* over overlay* overhead* fringe*";

const ONE_WAY: &str =
    "one_way oneway one-way isOneWay is_one_way isOneWayPlatform one_way_platform";

impl Default for SolidRules {
    fn default() -> Self {
        Self {
            layer_names: list(&format!("{NAMES} {LAYER_NAMES}")),
            layer_classes: list(NAMES),
            layer_properties: list(&format!("{PROPERTIES} collision")),
            layer_passable_properties: list("nocollide"),
            tile_classes: list(NAMES),
            // `collision` is missing for objects: it may only mean that walls stop the object.
            solid_properties: list(&format!("{PROPERTIES} collision")),
            passable_properties: list("walkable passable"),
            solid_values: vec![PropertyIs::new("bodyType", "static")],
            decoration_layers: list(DECORATION),
            trigger_properties: list("isTrigger is_trigger trigger isSensor is_sensor sensor"),
            two_tile_tilesets: true,
            object_classes: list(&format!("{NAMES} collision*")),
            object_names: list(NAMES),
            place_names: list(
                "spawn* player player_spawn player_start playerspawn playerstart start",
            ),
            object_properties: list(PROPERTIES),
            one_way_properties: list(ONE_WAY),
            one_way_classes: list("one_way oneway one-way"),
            last_resorts: LastResort::ALL.to_vec(),
            walkable_layers: Vec::new(),
            passable_layers: Vec::new(),
            shapes_only: false,
            solid_tiles: Vec::new(),
            passable_tiles: Vec::new(),
            named_values: false,
            author_words: Vec::new(),
        }
    }
}

impl SolidRules {
    /// Returns rules with empty lists, so that nothing is solid.
    pub fn none() -> Self {
        let mut rules = Self {
            two_tile_tilesets: false,
            solid_values: Vec::new(),
            last_resorts: Vec::new(),
            ..Self::default()
        };
        rules.words().into_iter().for_each(|(_, words)| words.clear());
        rules
    }

    /// The lists of words, each with its key in a `bitwall.toml`.
    pub(crate) fn words(&mut self) -> [(&'static str, &mut Vec<String>); 17] {
        [
            ("layers", &mut self.layer_names),
            ("layer-classes", &mut self.layer_classes),
            ("layer-properties", &mut self.layer_properties),
            ("layer-passable-properties", &mut self.layer_passable_properties),
            ("walkable-layers", &mut self.walkable_layers),
            ("passable-layers", &mut self.passable_layers),
            ("decoration-layers", &mut self.decoration_layers),
            ("trigger-properties", &mut self.trigger_properties),
            ("tile-classes", &mut self.tile_classes),
            ("tile-properties", &mut self.solid_properties),
            ("passable-properties", &mut self.passable_properties),
            ("object-classes", &mut self.object_classes),
            ("object-properties", &mut self.object_properties),
            ("object-names", &mut self.object_names),
            ("place-names", &mut self.place_names),
            ("one-way-properties", &mut self.one_way_properties),
            ("one-way-classes", &mut self.one_way_classes),
        ]
    }
}

fn list(words: &str) -> Vec<String> {
    words.split_ascii_whitespace().map(str::to_owned).collect()
}

/// A weaker rule, for a level in which nothing is solid by the other rules: see
/// [`SolidRules::last_resorts`].
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

/// A rule that puts layers, tiles and objects of a map into a named area, such as water.
///
/// A tile or object can be in several areas, and also be solid. Words are compared as in [`SolidRules`].
///
/// | made by | its content |
/// |---|---|
/// | [`AreaRule::named`] | the layers, tiles and objects with this name, class or property |
/// | [`AreaRule::new`] | nothing until its fields are set |
///
/// An area without content is no error, but gives a warning in
/// [`LoadedLevel::warnings`](super::LoadedLevel::warnings), unless it is [optional](Self::optional).
///
/// ```
/// use bitwall::rules::{AreaRule, PropertyIs};
/// use bitwall::{Level, LoadOptions};
///
/// let glass = AreaRule { category: 1 << 1, ..AreaRule::named("glass") };
/// let hazard = AreaRule {
///     classes: vec!["Spikes".to_owned()],
///     values: vec![PropertyIs::new("terrain", "lava")],
///     ..AreaRule::new("hazard")
/// };
/// let options = LoadOptions { areas: vec![glass, hazard], ..LoadOptions::default() };
/// let level = Level::load_with("assets/cave.tmx", &options)?;
/// assert_eq!(level.area_category("glass"), Some(2));
/// # Ok::<(), bitwall::LoadError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AreaRule {
    /// The name of the area, as used in queries.
    pub name: String,
    /// The categories of the area as a bit mask.
    ///
    /// The area is solid for bodies that collide with one of these
    /// categories, as in [`Level::with_solid_area`](super::Level::with_solid_area). An area of a mask with
    /// the same name has these categories too. Default: 0, an area that is passable for all bodies.
    pub category: u64,
    /// True for an area that a level has only if something is in it, without a warning otherwise. Default:
    /// false.
    ///
    /// Collision shapes of a tile in such an area stay solid. Shapes in any other area are solid only if a
    /// rule says so.
    pub optional: bool,
    /// The names of layers and groups whose tiles and objects are all in the area.
    pub layers: Vec<String>,
    /// The classes of layers, tiles and objects in the area.
    pub classes: Vec<String>,
    /// The bool properties of layers, tiles and objects in the area; their value must be true.
    pub properties: Vec<String>,
    /// The properties of layers, tiles and objects in the area, with the required values.
    pub values: Vec<PropertyIs>,
    /// The tiles in the area, by tileset and local id.
    pub tiles: Vec<TileIds>,
}

impl AreaRule {
    /// Returns a rule for the area `name` without content. Unlike in [`AreaRule::named`], the name matches
    /// nothing in the map.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Returns a rule for the area `name` of all that has this name.
    ///
    /// These are all layers of the name or class `name`, all tiles and objects of the class `name`, and
    /// everything with a bool property `name` that is true. The names of objects do not count.
    ///
    /// In a `bitwall.toml`, a table `[areas.water]` without keys means `AreaRule::named("water")`.
    pub fn named(name: &str) -> Self {
        let one = vec![name.to_owned()];
        Self { layers: one.clone(), classes: one.clone(), properties: one, ..Self::new(name) }
    }

    /// Returns the rules for the areas that a level has by default: `ladder` and `water`, the names in the
    /// default [`Feel`](crate::character::Feel).
    ///
    /// Each is the [`AreaRule::named`] of its name, and an optional area. The plural `ladders` counts too.
    pub fn defaults() -> Vec<Self> {
        let mut ladder = Self::named("ladder");
        for words in [&mut ladder.layers, &mut ladder.classes, &mut ladder.properties] {
            words.push("ladders".to_owned());
        }
        let rules = [ladder, Self::named("water")];
        rules.map(|rule| Self { optional: true, ..rule }).into()
    }
}

/// Tiles of a tileset by their local ids, which start at 0 as in Tiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileIds {
    /// The tileset's name, without regard to case. `*` matches all tilesets; `cave*` matches every name that
    /// starts with `cave`.
    pub tileset: String,
    /// The ranges of local ids.
    pub ids: Vec<RangeInclusive<u32>>,
}

impl TileIds {
    /// The tiles `ids` of the tileset `tileset`. `*` stands for every tileset.
    pub fn new(tileset: impl Into<String>, ids: RangeInclusive<u32>) -> Self {
        Self { tileset: tileset.into(), ids: vec![ids] }
    }
}

/// A property and its required value: `terrain=rock`, or `terrain=3` for an enum that Tiled stores as a
/// number.
///
/// Name and value are compared as text, without regard to case; a final `*` matches any ending. A list has
/// the value of each of its items: `tags=solid` matches a list with the item `solid`.
///
/// ```
/// use bitwall::rules::PropertyIs;
///
/// assert_eq!("terrain = rock".parse(), Ok(PropertyIs::new("terrain", "rock")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyIs {
    /// The property's name.
    pub name: String,
    /// The value that the property must have.
    pub value: String,
}

impl PropertyIs {
    /// The property `name` with the value `value`.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into() }
    }
}

impl FromStr for PropertyIs {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
                Ok(Self::new(name.trim(), value.trim()))
            }
            _ => Err(ParseRuleError::new(text, "of the form `name=value`")),
        }
    }
}

/// The error for a text that is not a valid [`PropertyIs`], [`MaskRule`] or [`MaskPlane`]. `Display` quotes
/// the faulty text, and shows the valid form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseRuleError {
    reason: String,
}

impl ParseRuleError {
    fn new(text: &str, expected: &str) -> Self {
        Self { reason: format!("`{}` is not {expected}", printable(text)) }
    }
}

impl fmt::Display for ParseRuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for ParseRuleError {}
