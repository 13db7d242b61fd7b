//! Single settings of the options of a load, as plain data, and their keys in a `bitwall.toml`.

use toml::{Table, Value};

use crate::mask_facts::hex;

/// A load option with its value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Setting {
    /// Layers with this name are solid.
    SolidLayer(String),
    /// The empty cells of tile layers with this name are solid.
    WalkableLayer(String),
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
}

/// Returns the keys of a `bitwall.toml` that have these settings.
pub(crate) fn table<'s>(settings: impl IntoIterator<Item = &'s Setting>) -> Table {
    let mut all = Table::new();
    for (table, key, value) in settings.into_iter().flat_map(keys) {
        merge_tables(&mut all, [(table.to_owned(), entry(key, value))].into_iter().collect());
    }
    all
}

/// Adds `new` to `known`: lists get further items, tables further keys, and any other value is replaced.
pub(crate) fn merge_tables(known: &mut Table, new: Table) {
    for (key, value) in new {
        match known.get_mut(&key) {
            Some(known) => merge(known, value),
            None => {
                known.insert(key, value);
            }
        }
    }
}

/// Adds a value as [`merge_tables`] does.
fn merge(known: &mut Value, new: Value) {
    match (known, new) {
        (Value::Array(known), Value::Array(new)) => {
            known.extend(new);
            known.dedup();
        }
        (Value::Table(known), Value::Table(new)) => merge_tables(known, new),
        (known, new) => *known = new,
    }
}

/// Returns the keys of a `bitwall.toml` that a setting has: the table, the key, and the value.
pub(crate) fn keys(setting: &Setting) -> Vec<(&'static str, &'static str, Value)> {
    let (table, key, value) = match setting {
        Setting::SolidLayer(name) => ("solid", "layers", list(name)),
        Setting::WalkableLayer(name) => ("solid", "walkable-layers", list(name)),
        Setting::SolidClass(class) => {
            let keys = ["layer-classes", "tile-classes", "object-classes"];
            return keys.map(|key| ("solid", key, list(class))).into();
        }
        Setting::SolidObject(name) => ("solid", "object-names", list(name)),
        Setting::PlaceName(name) => ("solid", "place-names", list(name)),
        Setting::SolidProperty(name) => {
            let keys = ["layer-properties", "tile-properties", "object-properties"];
            return keys.map(|key| ("solid", key, list(name))).into();
        }
        Setting::PassableProperty(name) => ("solid", "passable-properties", list(name)),
        Setting::ShapesOnly => ("solid", "shapes-only", Value::Boolean(true)),
        Setting::Mask(rule) => ("masks", "rule", Value::String(rule.clone())),
        Setting::Plane { name, color } => {
            ("masks", "planes", entry(name, Value::String(hex(*color))))
        }
    };
    vec![(table, key, value)]
}

fn list(word: &str) -> Value {
    Value::Array(vec![Value::String(word.to_owned())])
}

fn entry(key: &str, value: Value) -> Value {
    Value::Table([(key.to_owned(), value)].into_iter().collect())
}
