//! Applies the rules to a single layer, tile or object. The module `convert` visits the layers of a map.

use std::slice;

use super::{AreaRule, DECORATION, PropertyIs, SolidRules, TileIds};
use crate::geometry::{Dir, Sides};
use crate::property::PropertyValue;
use crate::text::{is_name_like, printable};
use crate::tmx::{Layer, Object, Properties, Tile};

/// The result of the rules for a layer or group, or for a tile by its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    Solid(Mark),
    /// The layer is passable, even in a solid group; or the tile is passable, even on a solid layer.
    Passable,
    /// The rules do not decide. For a layer, the groups around it decide; for a tile, its class, properties
    /// and layer.
    Nothing,
}

/// The reason that the rules make something solid, and the source of this reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The reason in words for a person: "its name".
    pub(crate) because: String,
    pub(crate) weight: Weight,
}

/// The strength of a [`Mark`], from the weakest to the strongest. Flags of single tiles override a weak mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    /// The mark is the name of a layer. It is weak, because the name may only describe the layer's art.
    Name,
    /// The mark is a property or a class, or the name of an object.
    Word,
    /// The mark is a word that the author of the level added to the rules: see [`SolidRules::author_words`].
    Author,
}

/// The names of tilesets for painting collision layers. If such a tileset has exactly two tiles, the first is
/// passable and the second is solid. (Other names are left out: two tiles of a tileset `walls` would be two
/// walls.)
const MARKER_TILESETS: [&str; 4] = ["collision", "collisions", "collider", "colliders"];

impl SolidRules {
    pub(crate) fn layer(&self, layer: &Layer) -> Says {
        let Layer { class, properties, .. } = layer;
        let yes = &self.layer_properties;
        let no = &self.layer_passable_properties;
        if is_layer(&self.passable_layers, layer) {
            return Says::Passable;
        }
        let is_named = is_layer(&self.layer_names, layer);
        let by_name = "its name".to_owned();
        if is_named && is_layer(&self.author_words, layer) {
            return Says::Solid(Mark { because: by_name, weight: Weight::Author });
        }
        if flag(yes, properties, true).is_none()
            && flag(yes, properties, false).or_else(|| flag(no, properties, true)).is_some()
        {
            return Says::Passable;
        }
        let found = reason(yes, no, &self.solid_values, &self.layer_classes, class, properties);
        if let Some(Reason { text, word }) = found {
            return Says::Solid(Mark {
                because: format!("its {text}"),
                weight: self.weight(&word),
            });
        }
        if is_named && !is_layer(&self.author_decoration(), layer) {
            return Says::Solid(Mark { because: by_name, weight: Weight::Name });
        }
        Says::Nothing
    }

    /// The names of decoration layers that the author of the level added to the default names.
    fn author_decoration(&self) -> Vec<String> {
        let mut own = self.decoration_layers.clone();
        own.retain(|word| DECORATION.split(' ').all(|name| name != word));
        own
    }

    fn weight(&self, word: &str) -> Weight {
        let own = word.rsplit('.').next().unwrap_or(word);
        let is_own = is_named(&self.author_words, None, own) || names(&self.author_words, word);
        if is_own { Weight::Author } else { Weight::Word }
    }

    /// True if the rules make a layer or group solid by its own name, class or properties, false if they make
    /// it passable; `None` if they do not decide.
    pub fn is_solid_layer(&self, layer: &Layer) -> Option<bool> {
        match self.layer(layer) {
            Says::Solid(_) => Some(true),
            Says::Passable => Some(false),
            Says::Nothing => None,
        }
    }

    /// The reason that the class or a property of a tile makes it solid, such as "property `solid`".
    ///
    /// `None` if neither makes it solid. The shapes and the layer of the tile do not count.
    pub fn tile_mark(&self, tile: &Tile) -> Option<String> {
        Some(self.tile(tile)?.because)
    }

    pub(crate) fn tile(&self, tile: &Tile) -> Option<Mark> {
        let yes = &self.solid_properties;
        let no = &self.passable_properties;
        let values = &self.solid_values;
        let found = reason(yes, no, values, &self.tile_classes, &tile.class, &tile.properties)?;
        Some(Mark { weight: self.weight(&found.word), because: found.text })
    }

    /// Returns the mark of an LDtk tile with a tag, or with a value group, that has the name of a solid
    /// class; or of a value whose name ends with such a name.
    pub(crate) fn tag(&self, tile: &Tile) -> Option<Mark> {
        let Some(word) = flag(&self.tile_classes, &tile.properties, true) else {
            let because = format!("class `{}`", tile.class);
            let is_solid = self.is_compound_value(&tile.class);
            return is_solid.then_some(Mark { because, weight: Weight::Word });
        };
        Some(Mark { weight: self.weight(&word), because: format!("tag `{word}`") })
    }

    /// True if a bool property of the tile says that it is passable (`solid` = false, `walkable` = true), or
    /// if a property of [`SolidRules::solid_values`] has another value.
    pub(crate) fn is_passable_tile(&self, tile: &Tile) -> bool {
        if flag(&self.solid_properties, &tile.properties, false).is_some()
            || flag(&self.passable_properties, &tile.properties, true).is_some()
        {
            return true;
        }
        let named = find(&tile.properties, &|outer, name, _| {
            let mut wanted = self.solid_values.iter();
            let is_known =
                wanted.any(|wanted| is_named(slice::from_ref(&wanted.name), outer, name));
            is_known.then(String::new)
        });
        named.is_some() && value(&self.solid_values, &tile.properties).is_none()
    }

    /// The reason that an object is solid, such as "class `collision`"; `None` if the object is not solid.
    pub(crate) fn object(&self, object: &Object) -> Option<String> {
        let yes = &self.object_properties;
        let no = &self.passable_properties;
        let classes = &self.object_classes;
        let values = &self.solid_values;
        match reason(yes, no, values, classes, &object.class, &object.properties) {
            Some(found) => Some(found.text),
            None => self.is_named_solid(object).then(|| "its name".to_owned()),
        }
    }

    pub(crate) fn is_named_solid(&self, object: &Object) -> bool {
        names(&self.object_names, &object.name)
    }

    /// The name of the layer's property that makes it passable, such as `nocollide`. In a map with such a
    /// layer, all tile layers about which no other rule decides are solid.
    pub(crate) fn exception(&self, layer: &Layer) -> Option<String> {
        flag(&self.layer_passable_properties, &layer.properties, true)
    }

    /// True if the name or class of an object marks a place, such as `spawn`.
    pub(crate) fn is_place(&self, object: &Object) -> bool {
        names(&self.place_names, &object.name) || names(&self.place_names, &object.class)
    }

    fn is_flag(&self, property: &str) -> bool {
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

    /// The kind of a property's value, if the value is read as a bool but is none.
    pub(crate) fn odd_flag(&self, property: &str, value: &PropertyValue) -> Option<&'static str> {
        const WORDS: [&str; 6] = ["1", "0", "yes", "no", "on", "off"];
        let is_one_way = is_named(&self.one_way_properties, None, property);
        match value {
            PropertyValue::Text(text) => {
                let is_word = WORDS.iter().any(|word| word.eq_ignore_ascii_case(text.trim()));
                let is_flag = value.as_flag().is_some() && self.is_flag(property);
                (is_flag || is_one_way && is_word).then_some("a text")
            }
            PropertyValue::Int(_) | PropertyValue::Float(_) => is_one_way.then_some("a number"),
            _ => None,
        }
    }

    /// True if a property with this name can make something solid, passable or one-way.
    pub(crate) fn uses(&self, property: &str) -> bool {
        let mut values = self.solid_values.iter();
        self.is_flag(property)
            || is_named(&self.one_way_properties, None, property)
            || values.any(|is| is_named(std::slice::from_ref(&is.name), None, property))
    }

    pub(crate) fn is_trigger(&self, properties: &Properties) -> bool {
        flag(&self.trigger_properties, properties, true).is_some()
    }

    /// The result of the rules for the tile `id` of `tileset`, by its id alone. `tile_count` is the number of
    /// tiles in the tileset, if known.
    pub(crate) fn tile_id(&self, tileset: &str, tile_count: Option<u32>, id: u32) -> Says {
        let because = if self.passable_tiles.iter().any(|tiles| tiles.has(tileset, id)) {
            return Says::Passable;
        } else if self.solid_tiles.iter().any(|tiles| tiles.has(tileset, id)) {
            "its number".to_owned()
        } else if self.two_tile_tilesets
            && tile_count == Some(2)
            && MARKER_TILESETS.iter().any(|name| name.eq_ignore_ascii_case(tileset))
        {
            if id == 0 {
                return Says::Passable;
            }
            format!("tile {id} of tileset `{tileset}`")
        } else {
            return Says::Nothing;
        };
        Says::Solid(Mark { because, weight: Weight::Author })
    }

    /// The guarded sides of a one-way layer, tile or object; `None` if it is not one-way. A property with the
    /// value false overrides the class.
    ///
    /// # Errors
    /// Fails with a reason in words if a property names something that is not a side.
    pub(crate) fn one_way(
        &self,
        class: &str,
        properties: &Properties,
    ) -> Result<Option<Sides<bool>>, String> {
        let words = &self.one_way_properties;
        let mut sides = None;
        for (name, property) in properties {
            if is_named(words, None, name) {
                add_sides(&mut sides, name, property.meaning())?;
            } else if let PropertyValue::Class { members, .. } = &property.value {
                for (inner, member) in members {
                    if is_named(words, Some(name), inner) {
                        add_sides(&mut sides, inner, member)?;
                    }
                }
            }
        }
        if sides.is_none() && self.is_one_way_class(class) {
            sides = Some(NONE.with(Dir::Up, true));
        }
        Ok(sides.filter(|sides| *sides != NONE))
    }

    pub(crate) fn is_one_way_class(&self, class: &str) -> bool {
        names(&self.one_way_classes, class)
    }
}

const NONE: Sides<bool> = Sides { left: false, right: false, up: false, down: false };

fn add_sides(
    found: &mut Option<Sides<bool>>,
    name: &str,
    property: &PropertyValue,
) -> Result<(), String> {
    let sides = found.get_or_insert(NONE);
    match property {
        PropertyValue::Bool(flag) => sides.up |= flag,
        PropertyValue::Text(text) => {
            let words = text.split(|c: char| c == ',' || c.is_whitespace());
            for word in words.filter(|word| !word.is_empty()) {
                if let Some(side) = side_of(word).ok_or_else(|| no_side(name, word))? {
                    *sides = sides.with(side, true);
                }
            }
        }
        PropertyValue::List(items) => {
            for item in items {
                // A list in a list is refused: a file could nest lists so deeply that this recursion
                // overflows the stack.
                if matches!(item, PropertyValue::List(_)) {
                    return Err(no_side(name, "a list in a list"));
                }
                add_sides(found, name, item)?;
            }
        }
        PropertyValue::Class { members, .. } => {
            for (member, value) in members {
                match (side_of(member), value.as_flag()) {
                    (Some(Some(side)), Some(true)) => *sides = sides.with(side, true),
                    (Some(_), Some(_)) => {}
                    _ => return Err(no_side(name, member)),
                }
            }
        }
        PropertyValue::Int(number) => sides.up |= *number != 0,
        PropertyValue::Float(number) => sides.up |= *number != 0.0,
        PropertyValue::Color(color) => return Err(no_side(name, color)),
        PropertyValue::Object(id) => return Err(no_side(name, &format!("object {id}"))),
        PropertyValue::Point(point) => return Err(no_side(name, &point.to_string())),
    }
    Ok(())
}

fn no_side(property: &str, word: &str) -> String {
    format!(
        "the property `{}` says `{}`, which is not true, false, or some of top, bottom, left and right",
        printable(property),
        printable(word)
    )
}

/// Returns `Some(Some(side))` for a word that names a side. Returns `Some(None)` for a word that means no
/// side, such as `none`. Returns `None` for any other word.
fn side_of(word: &str) -> Option<Option<Dir>> {
    Some(match word.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" | "top" | "up" => Some(Dir::Up),
        "bottom" | "down" => Some(Dir::Down),
        "left" => Some(Dir::Left),
        "right" => Some(Dir::Right),
        "false" | "no" | "off" | "0" | "none" => None,
        _ => return None,
    })
}

impl AreaRule {
    /// True if the content of a layer or group is in this area.
    pub(crate) fn has_layer(&self, layer: &Layer) -> bool {
        self.has(&layer.class, &layer.properties) || is_layer(&self.layers, layer)
    }

    /// True if a property with this name can put something into the area.
    pub(crate) fn uses(&self, property: &str) -> bool {
        let mut values = self.values.iter();
        is_named(&self.properties, None, property)
            || values.any(|is| is_named(std::slice::from_ref(&is.name), None, property))
    }

    pub(crate) fn tile_id(&self, tileset: &str, id: u32) -> bool {
        self.tiles.iter().any(|tiles| tiles.has(tileset, id))
    }

    /// True if a layer, tile or object with this class and these properties is in the area.
    pub(crate) fn has(&self, class: &str, properties: &Properties) -> bool {
        flag(&self.properties, properties, true).is_some()
            || value(&self.values, properties).is_some()
            || names(&self.classes, class)
    }
}

impl TileIds {
    pub(crate) fn is_of(&self, tileset: &str) -> bool {
        is_name_like(&self.tileset, tileset)
    }

    fn has(&self, tileset: &str, id: u32) -> bool {
        self.is_of(tileset) && self.ids.iter().any(|range| range.contains(&id))
    }
}

/// The reason that something is solid.
struct Reason {
    /// The reason in words for a person: "property `solid`".
    text: String,
    /// The name of the property, or the class, that is the reason.
    word: String,
}

/// The reason that a tile or object is solid, if it has one. The reason is a property of
/// `yes` that is true, a property of `no` that is false, a property of `values`, or a class of `classes`.
fn reason(
    yes: &[String],
    no: &[String],
    values: &[PropertyIs],
    classes: &[String],
    class: &str,
    properties: &Properties,
) -> Option<Reason> {
    if let Some(word) = flag(yes, properties, true).or_else(|| flag(no, properties, false)) {
        return Some(Reason { text: format!("property `{word}`"), word });
    }
    if let Some((word, value)) = value(values, properties) {
        return Some(Reason { text: format!("property `{word}={value}`"), word });
    }
    names(classes, class)
        .then(|| Reason { text: format!("class `{class}`"), word: class.to_owned() })
}

/// True if one of `words` matches the name of a layer, alone or after the layer's kind: `objects:walls`.
pub fn is_layer(words: &[String], layer: &Layer) -> bool {
    let kind = layer.content.kind();
    !layer.name.is_empty()
        && words.iter().any(|word| {
            let of_kind = word.strip_prefix(kind).and_then(|word| word.strip_prefix(':'));
            is_name_like(word, &layer.name)
                || of_kind.is_some_and(|word| is_name_like(word, &layer.name))
        })
}

/// True if `text` matches one of `words`. An empty text matches no word.
fn names(words: &[String], text: &str) -> bool {
    !text.is_empty() && words.iter().any(|word| is_name_like(word, text))
}

/// The name of the first property in `words` with the value `wanted`, as the map writes the name;
/// `outer.name` for a member of a class.
fn flag(words: &[String], properties: &Properties, wanted: bool) -> Option<String> {
    let (name, _) = find(properties, &|outer, name, property| {
        let is_wanted = property.as_flag() == Some(wanted) && is_named(words, outer, name);
        is_wanted.then(String::new)
    })?;
    Some(name)
}

/// The name and value of the first property with one of the values in `wanted`. A list has the values of all
/// its items.
fn value(wanted: &[PropertyIs], properties: &Properties) -> Option<(String, String)> {
    if wanted.is_empty() {
        return None;
    }
    find(properties, &|outer, name, property| {
        let values = match property {
            PropertyValue::List(items) => &items[..],
            one => slice::from_ref(one),
        };
        let mut of_name =
            wanted.iter().filter(|wanted| is_named(slice::from_ref(&wanted.name), outer, name));
        of_name.find_map(|wanted| {
            let mut texts = values.iter().filter_map(as_text);
            texts.find(|text| is_name_like(&wanted.value, text.trim()))
        })
    })
}

/// A function of the name of a class property (`None` if the property is no member of one), the name of
/// a property, and its value. It returns the text that decides, if the property does.
type Pick<'p> = dyn Fn(Option<&str>, &str, &PropertyValue) -> Option<String> + 'p;

/// The name of the first property for which `pick` returns a text, and the text. Members of a class property
/// are searched last.
fn find(properties: &Properties, pick: &Pick<'_>) -> Option<(String, String)> {
    for (name, property) in properties {
        if let Some(text) = pick(None, name, property.meaning()) {
            return Some((name.clone(), text));
        }
    }
    for (outer, property) in properties {
        let PropertyValue::Class { members, .. } = &property.value else { continue };
        for (name, member) in members {
            if let Some(text) = pick(Some(outer), name, member) {
                return Some((format!("{outer}.{name}"), text));
            }
        }
    }
    None
}

/// True if one of `words` matches the name of a property, with or without the prefix of a tool
/// (`unity:isTrigger`). For a member of the property `outer`, a word can also match `outer.name`.
fn is_named(words: &[String], outer: Option<&str>, name: &str) -> bool {
    let own = name.rsplit(':').next().unwrap_or(name);
    names(words, name)
        || (own.len() < name.len() && names(words, own))
        || outer.is_some_and(|outer| names(words, &format!("{outer}.{name}")))
}

fn as_text(property: &PropertyValue) -> Option<String> {
    match property {
        PropertyValue::Text(text) => Some(text.clone()),
        PropertyValue::Int(number) => Some(number.to_string()),
        PropertyValue::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}
