//! The text of a `bitwall.toml` for a survey. The options in force are keys, the others comments.

use std::collections::{BTreeMap, BTreeSet};

use toml::Value;

use super::survey::{Choice, Survey};
use crate::rules::{Setting, TileRange};
use crate::text::{counted, path_in_line, printable};

/// The text, in the format that [`LoadOptions::decode`](crate::LoadOptions::decode) reads.
pub(super) fn text(survey: &Survey) -> String {
    let mut text = String::from(
        "# How the levels in this folder are read. `LoadOptions::decode` in the documentation of bitwall has \
         all keys.\n# Written by `bitwall init`. Lines that begin with # are not in force; a key that \
         is there already takes their values in its own list.\n",
    );
    let taken = tables(settings(&survey.taken));
    let open = tables(settings(&survey.open));
    let names: BTreeSet<&str> = taken.keys().chain(open.keys()).copied().collect();
    for table in names {
        text += &format!("\n[{table}]\n");
        let mut said = String::new();
        for (key, value) in taken.get(table).into_iter().flatten() {
            let reasons = reasons(&survey.taken, table, key);
            let is_new = reasons != said;
            text += &format!("{}{key} = {value}\n", if is_new { &*reasons } else { "" });
            said = reasons;
        }
        survey.open.iter().for_each(|choice| text += &comments(choice, table));
    }
    text
}

fn settings(choices: &[Choice]) -> impl Iterator<Item = &Setting> {
    choices.iter().flat_map(|choice| &choice.suggestion.options)
}

/// Comment lines with the reasons of the choices that have a key.
fn reasons(taken: &[Choice], table: &str, key: &str) -> String {
    let has = |choice: &&Choice| {
        let own = tables(choice.suggestion.options.iter());
        own.get(table).is_some_and(|keys| keys.contains_key(key))
    };
    let lines = taken.iter().filter(has).map(|choice| {
        let levels = counted(choice.levels.len() as u64, "level");
        format!("# {}, in {levels}\n", printable(&choice.suggestion.why))
    });
    lines.collect()
}

/// The keys of a choice that is not in force in one table, as comments; empty if it has none there.
fn comments(choice: &Choice, table: &str) -> String {
    let own = tables(choice.suggestion.options.iter());
    let Some(keys) = own.get(table) else {
        return String::new();
    };
    let levels = counted(choice.levels.len() as u64, "level");
    let mut text = format!("\n# Not decided, for {levels}: {}", printable(&choice.suggestion.why));
    if let Some(path) = &choice.harms {
        text += &format!("; it would also change {}", path_in_line(path));
    }
    text.push('\n');
    for (key, value) in keys {
        text += &format!("# {key} = {value}\n");
    }
    text
}

/// Keys and their values, by table.
type Tables = BTreeMap<&'static str, BTreeMap<&'static str, Value>>;

/// The keys of settings and their values, by table.
fn tables<'s>(settings: impl Iterator<Item = &'s Setting>) -> Tables {
    let mut tables: Tables = BTreeMap::new();
    for setting in settings {
        for (table, key, value) in keys(setting) {
            let keys = tables.entry(table).or_default();
            match (keys.get_mut(key), value) {
                (Some(Value::Array(known)), Value::Array(new)) => {
                    known.extend(new);
                    known.dedup();
                }
                (Some(Value::Table(known)), Value::Table(new)) => {
                    for (name, value) in new {
                        match (known.get_mut(&name), value) {
                            (Some(Value::Array(known)), Value::Array(more)) => known.extend(more),
                            (_, value) => {
                                known.insert(name, value);
                            }
                        }
                    }
                }
                (_, value) => {
                    keys.insert(key, value);
                }
            }
        }
    }
    tables
}

/// The tables, keys and values of a setting.
fn keys(setting: &Setting) -> Vec<(&'static str, &'static str, Value)> {
    let list = |word: &str| Value::Array(vec![Value::String(word.to_owned())]);
    let table =
        |key: &str, value: Value| Value::Table([(key.to_owned(), value)].into_iter().collect());
    let ids = |tiles: &TileRange| {
        let (first, last) = tiles.ids.unwrap_or((0, u32::MAX));
        table(&tiles.tileset, list(&format!("{first}-{last}")))
    };
    match setting {
        Setting::SolidLayer(name) => vec![("solid", "layers", list(name))],
        Setting::WalkableLayer(name) => vec![("solid", "walkable-layers", list(name))],
        Setting::PassableLayer(name) => vec![("solid", "passable-layers", list(name))],
        Setting::SolidClass(class) => vec![
            ("solid", "layer-classes", list(class)),
            ("solid", "tile-classes", list(class)),
            ("solid", "object-classes", list(class)),
        ],
        Setting::SolidProperty(name) => vec![
            ("solid", "layer-properties", list(name)),
            ("solid", "tile-properties", list(name)),
            ("solid", "object-properties", list(name)),
        ],
        Setting::PassableProperty(name) => vec![("solid", "passable-properties", list(name))],
        Setting::SolidValue { name, value } => {
            vec![("solid", "values", list(&format!("{name}={value}")))]
        }
        Setting::SolidTiles(tiles) => vec![("solid", "tiles", ids(tiles))],
        Setting::PassableTiles(tiles) => vec![("solid", "passable-tiles", ids(tiles))],
        Setting::ShapesOnly => vec![("solid", "shapes-only", Value::Boolean(true))],
        Setting::Mask(rule) => vec![("masks", "rule", Value::String(rule.clone()))],
        Setting::Plane { name, color: [red, green, blue] } => {
            let color = Value::String(format!("#{red:02x}{green:02x}{blue:02x}"));
            vec![("masks", "planes", table(name, color))]
        }
        Setting::Lenient => vec![("level", "lenient", Value::Boolean(true))],
    }
}
