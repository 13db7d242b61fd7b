//! The reason that a setting matches nothing in a map, with the nearest word that would.

use std::collections::BTreeSet;

use super::census::{Census, Role};
use crate::error::suggestion::Setting;
use crate::rules::words::names;
use crate::text::names::is_name_like;
use crate::text::nearest::nearest;
use crate::text::{listed, printable};
use crate::tmx::Map;

/// The reason that nothing in the maps matches a setting, in words; `None` if something does, for a
/// setting that asks for no word, and for a map with too many words to know. O(cells + objects + words).
pub(crate) fn absence<'m>(
    maps: impl Iterator<Item = &'m Map>,
    setting: &Setting,
) -> Option<String> {
    let (wanted, roles, noun): (&str, &[Role], &str) = match setting {
        Setting::SolidLayer(name) | Setting::WalkableLayer(name) | Setting::PassableLayer(name) => {
            (name, &[Role::Layer], "layer")
        }
        Setting::SolidClass(class) => (class, &[Role::Class], "class"),
        Setting::SolidProperty(name) => (name, &[Role::True, Role::False], "bool property"),
        Setting::PassableProperty(name) => (name, &[Role::True, Role::False], "bool property"),
        Setting::SolidTiles(tiles) | Setting::PassableTiles(tiles) => {
            (&tiles.tileset, &[Role::Tileset], "tileset")
        }
        Setting::SolidValue { name, value } => return absent_value(maps, name, value),
        _ => return None,
    };
    let mut known = BTreeSet::new();
    for map in maps {
        let census = Census::of(map);
        if census.is_cut {
            return None;
        }
        let of_role = census.words.keys().filter(|(role, _)| roles.contains(role));
        known.extend(of_role.map(|(_, word)| (*word).to_owned()));
    }
    // A member of a class may be named with its property: `body.solid`.
    let own = wanted.rsplit('.').next().unwrap_or(wanted);
    if known.iter().any(|word| is_name_like(wanted, word) || is_name_like(own, word)) {
        return None;
    }
    Some(no(noun, wanted, &known))
}

fn absent_value<'m>(
    maps: impl Iterator<Item = &'m Map>,
    name: &str,
    value: &str,
) -> Option<String> {
    let (mut properties, mut values) = (BTreeSet::new(), BTreeSet::new());
    for map in maps {
        let census = Census::of(map);
        if census.is_cut {
            return None;
        }
        let of_texts = census.values.keys().map(|(name, value)| (name.as_str(), value.clone()));
        let flag = |role| if role == Role::True { "true" } else { "false" };
        let flags =
            census.words.keys().filter(|(role, _)| matches!(role, Role::True | Role::False));
        let flags = flags.map(|(role, name)| (*name, flag(*role).to_owned()));
        for (property, found) in of_texts.chain(flags) {
            if names(&[name.to_owned()], property) {
                values.insert(found);
            }
            properties.insert(property.to_owned());
        }
    }
    if values.is_empty() {
        return Some(no("property", name, &properties));
    }
    let has_value = values.iter().any(|found| is_name_like(value, found.trim()));
    let noun = format!("value of `{}`", printable(name));
    (!has_value).then(|| no(&noun, value, &values))
}

/// ``no layer is `Wals`; did you mean `Walls`?``
fn no(noun: &str, wanted: &str, known: &BTreeSet<String>) -> String {
    let hint = match nearest(wanted, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{}`?", printable(near)),
        None if known.is_empty() => "there is none at all".to_owned(),
        None => format!("there are {}", listed(known.iter())),
    };
    format!("no {noun} is `{}`; {hint}", printable(wanted))
}
