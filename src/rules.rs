//! The rules for the solids and the named areas of a Tiled map: data, not code.
//!
//! [`SolidRules`] holds the names, classes, properties and tile numbers that mark a layer, a tile or an
//! object as solid; [`AreaRule`] those of an area such as water. A rule judges one layer, tile or object at a
//! time and never walks a map.

pub(crate) mod mask;
#[cfg(feature = "image")]
pub(crate) mod suggest;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

pub use crate::error::suggestion::{Setting, Suggestion, TileRange};
#[cfg(feature = "tmx")]
use crate::geometry::{Dir, Sides};
#[cfg(feature = "tmx")]
use crate::property::PropertyValue;
use crate::text::printable;
#[cfg(feature = "tmx")]
use crate::text::{is_name_like, listed};
#[cfg(feature = "tmx")]
use crate::tmx::{Properties, Tile};
pub use mask::{MaskPlane, MaskRule};
#[cfg(feature = "image")]
pub use suggest::{WordUse, misspelt};

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

/// Names of solid layers, and classes of solid layers, tiles and objects.
const NAMES: &str =
    "collision collisions collider colliders solid solids wall walls blocked obstacle obstacles";

/// Bool properties of solid tiles and objects.
const PROPERTIES: &str = "solid collides collide collideable collidable block blocked blocking impassable \
                          obstacle wall";

/// Names of layers behind and above the characters.
const DECORATION: &str = "background* foreground* above* over overlay* overhead* fringe*";

/// Bool properties of triggers.
const TRIGGERS: &str = "isTrigger is_trigger trigger isSensor is_sensor sensor";

const ONE_WAY: &str = "one_way oneway one-way";

impl Default for SolidRules {
    fn default() -> Self {
        let mut object_classes = list(NAMES);
        object_classes.push("collision-line".to_owned());
        let mut layer_names = list(NAMES);
        layer_names.push("collision*".to_owned());
        Self {
            layer_names,
            layer_classes: list(NAMES),
            layer_properties: list("solid collision collides collidable"),
            layer_passable_properties: list("nocollide"),
            tile_classes: list(NAMES),
            solid_properties: list(PROPERTIES),
            passable_properties: list("walkable passable"),
            solid_values: vec![PropertyIs::new("bodyType", "static")],
            decoration_layers: list(DECORATION),
            trigger_properties: list(TRIGGERS),
            two_tile_tilesets: true,
            object_classes,
            object_properties: list(PROPERTIES),
            one_way_properties: list(ONE_WAY),
            one_way_classes: list(ONE_WAY),
            ..Self::none()
        }
    }
}

impl SolidRules {
    /// Empty rules, by which nothing is solid.
    pub fn none() -> Self {
        Self {
            layer_names: Vec::new(),
            layer_classes: Vec::new(),
            layer_properties: Vec::new(),
            layer_passable_properties: Vec::new(),
            walkable_layers: Vec::new(),
            passable_layers: Vec::new(),
            decoration_layers: Vec::new(),
            shapes_only: false,
            tile_classes: Vec::new(),
            solid_properties: Vec::new(),
            passable_properties: Vec::new(),
            trigger_properties: Vec::new(),
            solid_tiles: Vec::new(),
            passable_tiles: Vec::new(),
            two_tile_tilesets: false,
            object_classes: Vec::new(),
            object_properties: Vec::new(),
            solid_values: Vec::new(),
            one_way_properties: Vec::new(),
            one_way_classes: Vec::new(),
        }
    }
}

fn list(words: &str) -> Vec<String> {
    words.split(' ').map(str::to_owned).collect()
}

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

/// Names of tilesets that hold markers and no art. (Two tiles of a tileset `walls` would be two walls.)
#[cfg(feature = "tmx")]
const MARKER_TILESETS: [&str; 4] = ["collision", "collisions", "collider", "colliders"];

#[cfg(feature = "tmx")]
impl SolidRules {
    /// The mark that a layer or group sets on its content.
    pub(crate) fn layer(&self, name: &str, class: &str, properties: &Properties) -> Says {
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

    /// The reason that a tile is solid by its class or its properties: "property `solid`". `None` if neither
    /// marks it; its shapes and its layer are not asked.
    pub fn tile_mark(&self, tile: &Tile) -> Option<String> {
        let (yes, no) = (&self.solid_properties, &self.passable_properties);
        let values = &self.solid_values;
        reason(yes, no, values, &self.tile_classes, &tile.class, &tile.properties)
    }

    /// The reason that an object is solid: "class `collision`"; `None` if it is not.
    pub(crate) fn object(&self, class: &str, properties: &Properties) -> Option<String> {
        let (yes, no) = (&self.object_properties, &self.passable_properties);
        reason(yes, no, &self.solid_values, &self.object_classes, class, properties)
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

    /// True for the properties of a trigger.
    pub(crate) fn is_trigger(&self, properties: &Properties) -> bool {
        flag(&self.trigger_properties, properties, true).is_some()
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

#[cfg(feature = "tmx")]
const NONE: Sides<bool> = Sides { left: false, right: false, up: false, down: false };

#[cfg(feature = "tmx")]
impl SolidRules {
    /// The sides from which a tile or object blocks, if it is one-way: true for the edges that it guards. A
    /// property with the value false overrules the class.
    ///
    /// # Errors
    /// The reason in words, if a property names something that is not a side.
    pub(crate) fn one_way(
        &self,
        class: &str,
        properties: &Properties,
    ) -> Result<Option<Sides<bool>>, String> {
        let words = &self.one_way_properties;
        let mut sides = None;
        for (name, property) in properties {
            if is_named(words, None, name) {
                add_sides(&mut sides, name, &property.value)?;
            } else if let PropertyValue::Class { members, .. } = &property.value {
                for (inner, member) in members {
                    if is_named(words, Some(name), inner) {
                        add_sides(&mut sides, inner, member)?;
                    }
                }
            }
        }
        if sides.is_none() && names(&self.one_way_classes, class) {
            sides = Some(NONE.with(Dir::Up, true));
        }
        Ok(sides.filter(|sides| *sides != NONE))
    }
}

/// Adds the sides that a property names.
#[cfg(feature = "tmx")]
fn add_sides(
    found: &mut Option<Sides<bool>>,
    name: &str,
    property: &PropertyValue,
) -> Result<(), String> {
    let sides = found.get_or_insert(NONE);
    let no_side = |word: &str| {
        format!(
            "the property `{}` says `{}`, which is not true, false, or some of top, bottom, left and right",
            printable(name),
            printable(word)
        )
    };
    match property {
        PropertyValue::Bool(flag) => sides.up |= flag,
        PropertyValue::Text(text) => {
            let words = text.split(|c: char| c == ',' || c.is_whitespace());
            for word in words.filter(|word| !word.is_empty()) {
                if let Some(side) = side_of(word).ok_or_else(|| no_side(word))? {
                    *sides = sides.with(side, true);
                }
            }
        }
        PropertyValue::List(items) => {
            for item in items {
                // Nested lists would let a file set the depth of the recursion.
                if matches!(item, PropertyValue::List(_)) {
                    return Err(no_side("a list in a list"));
                }
                add_sides(found, name, item)?;
            }
        }
        PropertyValue::Class { members, .. } => {
            for (member, value) in members {
                match (side_of(member), value.as_flag()) {
                    (Some(Some(side)), Some(true)) => *sides = sides.with(side, true),
                    (Some(_), Some(_)) => {}
                    _ => return Err(no_side(member)),
                }
            }
        }
        PropertyValue::Int(number) => return Err(no_side(&number.to_string())),
        PropertyValue::Float(number) => return Err(no_side(&number.to_string())),
        PropertyValue::Color(color) => return Err(no_side(color)),
        PropertyValue::Object(id) => return Err(no_side(&format!("object {id}"))),
    }
    Ok(())
}

/// The side that a word names, or no side for a word such as `none`; `None` if it is not such a word.
#[cfg(feature = "tmx")]
fn side_of(word: &str) -> Option<Option<Dir>> {
    Some(match word.to_ascii_lowercase().as_str() {
        "true" | "top" | "up" => Some(Dir::Up),
        "bottom" | "down" => Some(Dir::Down),
        "left" => Some(Dir::Left),
        "right" => Some(Dir::Right),
        "false" | "none" => None,
        _ => return None,
    })
}

/// A named area of a map, such as water, and the layers, tiles and objects that belong to it. A tile or an
/// object can be in several areas, and solid as well. Words are compared as in [`SolidRules`].
///
/// | made by | its content |
/// |---|---|
/// | [`AreaRule::named`] | the layers, tiles and objects with this name, class or property |
/// | [`AreaRule::new`] | nothing until its fields say more |
///
/// A load in which nothing is in an area succeeds, and
/// [`LoadedLevel::warnings`](super::LoadedLevel::warnings) says so.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AreaRule {
    /// The name of the area, for queries.
    pub name: String,
    /// Its categories, one bit each: it is solid for a body that collides with one of them, as
    /// [`Level::with_solid_area`](super::Level::with_solid_area). Default: 0, an area that stops nobody. They
    /// also count for the area of a mask with this name.
    pub category: u64,
    /// Names of layers and groups whose tiles and objects are all in the area.
    pub layers: Vec<String>,
    /// Classes of layers, tiles and objects.
    pub classes: Vec<String>,
    /// Names of bool properties of layers, tiles and objects; the property must be true.
    pub properties: Vec<String>,
    /// Properties of layers, tiles and objects, with their values.
    pub values: Vec<PropertyIs>,
    /// Tiles by their ids.
    pub tiles: Vec<TileIds>,
}

impl AreaRule {
    /// An area `name` without content: the name is for queries alone, and no layer, tile or object is in the
    /// area because of it. The fields have the content; [`AreaRule::named`] has that of the name.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            category: 0,
            layers: Vec::new(),
            classes: Vec::new(),
            properties: Vec::new(),
            values: Vec::new(),
            tiles: Vec::new(),
        }
    }

    /// The area `name`, with everything of that name: layers by name or class, tiles and objects by class,
    /// and each of them by a bool property that is true. An object's own name does not count.
    ///
    /// In a `bitwall.toml` it is an `[areas.water]` without keys.
    pub fn named(name: &str) -> Self {
        let one = || vec![name.to_owned()];
        Self { layers: one(), classes: one(), properties: one(), ..Self::new(name) }
    }

    /// The reason that the content of a layer or group is in this area; `None` if it is not.
    #[cfg(feature = "tmx")]
    pub(crate) fn layer(&self, name: &str, class: &str, properties: &Properties) -> Option<String> {
        self.thing(class, properties)
            .or_else(|| names(&self.layers, name).then(|| "its name".to_owned()))
    }

    /// The content that the rule asks for, in words; `None` if it asks for none.
    #[cfg(feature = "tmx")]
    pub(crate) fn content(&self) -> Option<String> {
        let Self { name: _, category: _, layers, classes, properties, values, tiles } = self;
        let values = values.iter().map(|is| format!("{}={}", is.name, is.value)).collect();
        let tilesets = tiles.iter().map(|tiles| tiles.tileset.clone()).collect();
        let lists: [(&str, &Vec<String>); 5] = [
            ("layers", layers),
            ("classes", classes),
            ("properties", properties),
            ("values", &values),
            ("tiles of", &tilesets),
        ];
        let lists = lists.into_iter().filter(|(_, names)| !names.is_empty());
        let lists: Vec<String> =
            lists.map(|(noun, names)| format!("{noun} {}", listed(names.iter()))).collect();
        (!lists.is_empty()).then(|| lists.join(", "))
    }

    /// True if a tile is in this area by its id.
    #[cfg(feature = "tmx")]
    pub(crate) fn tile_id(&self, tileset: &str, id: u32) -> bool {
        self.tiles.iter().any(|tiles| tiles.has(tileset, id))
    }

    /// The reason that a layer, a tile or an object is in this area by its class or its properties; `None` if
    /// it is not.
    #[cfg(feature = "tmx")]
    pub(crate) fn thing(&self, class: &str, properties: &Properties) -> Option<String> {
        reason(&self.properties, &[], &self.values, &self.classes, class, properties)
    }
}

/// Tiles of a tileset by their local ids, which count from 0 as in Tiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileIds {
    /// The tileset's name, without regard to case; `*` for every one, `cave*` for every name with that start.
    pub tileset: String,
    /// The ids.
    pub ids: Vec<RangeInclusive<u32>>,
}

impl TileIds {
    /// The tiles `ids` of the tileset, or of every tileset if it is `*`.
    pub fn new(tileset: impl Into<String>, ids: RangeInclusive<u32>) -> Self {
        Self { tileset: tileset.into(), ids: vec![ids] }
    }

    /// True if they are of the tileset `tileset`.
    #[cfg(feature = "tmx")]
    pub(crate) fn is_of(&self, tileset: &str) -> bool {
        is_name_like(&self.tileset, tileset)
    }

    /// True if the tile `id` of `tileset` is one of them.
    #[cfg(feature = "tmx")]
    pub(crate) fn has(&self, tileset: &str, id: u32) -> bool {
        self.is_of(tileset) && self.ids.iter().any(|range| range.contains(&id))
    }
}

/// A property and its required value: `terrain=rock`, or `terrain=3` for an enum that Tiled stores as a
/// number. Both are compared as text, without regard to case; a `*` at the end of either matches any rest.
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
    /// Its value.
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

/// The error of a text that is no [`PropertyIs`], [`MaskRule`] or [`MaskPlane`]. `Display` quotes the part of
/// it that is at fault, and says what it must be.
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

/// The reason that a layer, a tile or an object is marked: a flag `yes` that is true, a flag `no` that is
/// false, a value, or its class.
#[cfg(feature = "tmx")]
fn reason(
    yes: &[String],
    no: &[String],
    values: &[PropertyIs],
    classes: &[String],
    class: &str,
    properties: &Properties,
) -> Option<String> {
    let property = flag(yes, properties, true)
        .or_else(|| flag(no, properties, false))
        .or_else(|| value(values, properties));
    match property {
        Some(property) => Some(format!("property `{property}`")),
        None => names(classes, class).then(|| format!("class `{class}`")),
    }
}

/// True if `text` matches one of `words`. An empty text matches none.
#[cfg(feature = "tmx")]
pub(crate) fn names(words: &[String], text: &str) -> bool {
    !text.is_empty() && words.iter().any(|word| is_name_like(word, text))
}

/// The name of the first property in `words` with the flag `wanted`, as the map writes it.
#[cfg(feature = "tmx")]
pub(crate) fn flag(words: &[String], properties: &Properties, wanted: bool) -> Option<String> {
    let (name, _) = find(properties, &|outer, name, property| {
        property.as_flag() == Some(wanted) && is_named(words, outer, name)
    })?;
    Some(name)
}

/// The first property with one of these values, as `name=value`.
#[cfg(feature = "tmx")]
fn value(wanted: &[PropertyIs], properties: &Properties) -> Option<String> {
    if wanted.is_empty() {
        return None;
    }
    let (name, property) = find(properties, &|outer, name, property| {
        as_text(property).is_some_and(|text| {
            wanted.iter().any(|wanted| {
                let words = std::slice::from_ref(&wanted.name);
                is_named(words, outer, name) && is_name_like(&wanted.value, text.trim())
            })
        })
    })?;
    Some(format!("{name}={}", as_text(property)?))
}

/// The first property that `is_wanted` accepts, by its name and value; plain properties come before members
/// of classes. `is_wanted` gets the name of the outer property, if there is one, the name, and the value.
#[cfg(feature = "tmx")]
fn find<'p>(
    properties: &'p Properties,
    is_wanted: &dyn Fn(Option<&str>, &str, &PropertyValue) -> bool,
) -> Option<(String, &'p PropertyValue)> {
    for (name, property) in properties {
        if is_wanted(None, name, &property.value) {
            return Some((name.clone(), &property.value));
        }
    }
    for (outer, property) in properties {
        let PropertyValue::Class { members, .. } = &property.value else {
            continue;
        };
        for (name, member) in members {
            if is_wanted(Some(outer), name, member) {
                return Some((format!("{outer}.{name}"), member));
            }
        }
    }
    None
}

/// True if a property, in the property `outer` if there is one, has one of these names.
#[cfg(feature = "tmx")]
fn is_named(words: &[String], outer: Option<&str>, name: &str) -> bool {
    names(words, name) || outer.is_some_and(|outer| names(words, &format!("{outer}.{name}")))
}

/// The value of a string, int or bool property as text; `None` for other types.
#[cfg(feature = "tmx")]
fn as_text(property: &PropertyValue) -> Option<String> {
    match property {
        PropertyValue::Text(text) => Some(text.clone()),
        PropertyValue::Int(number) => Some(number.to_string()),
        PropertyValue::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}
