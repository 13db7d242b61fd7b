//! Things of a level that move a body, or open a way for it, and that no move set knows.
//!
//! A level that has one is not called impossible. Names only; nothing here looks at solids.

use crate::text::printable;
use crate::tmx::LayerContent;
use crate::verify::subject::Subject;

/// Words in the names and classes of such things, in lower case. A plural in `s` counts too.
const WORDS: [&str; 81] = [
    "balloon",
    "block",
    "boat",
    "bomb",
    "booster",
    "bounce",
    "bouncer",
    "bouncy",
    "box",
    "breakable",
    "bridge",
    "button",
    "cannon",
    "cart",
    "chain",
    "climb",
    "climbable",
    "climbing",
    "conveyor",
    "crate",
    "crumble",
    "crumbling",
    "dash",
    "destructible",
    "dig",
    "door",
    "elevator",
    "entrance",
    "event",
    "fan",
    "float",
    "fly",
    "gate",
    "glider",
    "grapple",
    "gravity",
    "hook",
    "jetpack",
    "jump",
    "jumppad",
    "key",
    "ladder",
    "launcher",
    "lever",
    "lift",
    "lock",
    "locked",
    "mover",
    "moving",
    "npc",
    "pad",
    "pipe",
    "plate",
    "platform",
    "portal",
    "pushable",
    "raft",
    "rail",
    "ride",
    "rope",
    "script",
    "secret",
    "spring",
    "stairs",
    "swim",
    "swimming",
    "swing",
    "switch",
    "teleport",
    "teleporter",
    "trampoline",
    "transition",
    "trigger",
    "tunnel",
    "vent",
    "vine",
    "warp",
    "water",
    "wind",
    "wing",
    "zipline",
];

/// The first such thing of the level, in words; `None` if it has none. `known` are the areas that the moves
/// know.
pub(super) fn unmodelled(subject: &Subject<'_>, known: &[&str]) -> Option<String> {
    let level = &subject.loaded()?.level;
    let is_known = |name: &str| known.contains(&name);
    // A declared area has some meaning in the game.
    if let Some((name, _)) = level.areas().find(|(name, _)| !is_known(name)) {
        return Some(named(name));
    }
    let markers = level.markers().iter();
    let names = markers.flat_map(|marker| [&*marker.name, &*marker.class, &*marker.layer]);
    if let Some(name) = names.into_iter().find(|name| !is_known(name) && is_unmodelled(name)) {
        return Some(named(name));
    }
    for placed in subject.maps() {
        for layer in placed.map.walk() {
            let mut names = vec![&*layer.layer.name, &*layer.layer.class];
            names.extend(layer.layer.properties.keys().map(String::as_str));
            if let LayerContent::Objects(objects) = &layer.layer.content {
                let objects = objects.objects.iter();
                for object in objects {
                    names.extend([&*object.name, &*object.class]);
                    names.extend(object.properties.keys().map(String::as_str));
                }
            }
            if let Some(name) =
                names.into_iter().find(|name| !is_known(name) && is_unmodelled(name))
            {
                return Some(named(name));
            }
        }
        let tiles = placed.map.tilesets.iter().flat_map(|tileset| tileset.tiles.values());
        let mut names = tiles.flat_map(|tile| {
            let properties = tile.properties.keys().map(String::as_str);
            std::iter::once(&*tile.class).chain(properties)
        });
        if let Some(name) = names.find(|name| !is_known(name) && is_unmodelled(name)) {
            return Some(named(name));
        }
    }
    None
}

fn named(name: &str) -> String {
    let name: String = printable(name).to_string().chars().take(30).collect();
    format!("it has `{name}`, which the moves do not know")
}

/// True if one of the words of a name is in the list.
fn is_unmodelled(name: &str) -> bool {
    words(name).iter().any(|word| {
        let one = word.strip_suffix('s').unwrap_or(word);
        WORDS.contains(&&**word) || WORDS.contains(&one)
    })
}

/// The words of a name in lower case: `MovingPlatform_2` has `moving` and `platform`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        let is_new = letter.is_uppercase() && was_lower || !letter.is_alphabetic();
        if is_new {
            words.push(String::new());
        }
        was_lower = letter.is_lowercase();
        if letter.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_word_by_word() {
        for name in ["Doors", "MovingPlatform_2", "jump pad", "wall-switch", "secret"] {
            assert!(is_unmodelled(name), "{name}");
        }
        for name in ["player", "Exit", "doorbell", "", "keyboard", "coin 12", "solids"] {
            assert!(!is_unmodelled(name), "{name}");
        }
        assert!(WORDS.is_sorted());
    }
}
