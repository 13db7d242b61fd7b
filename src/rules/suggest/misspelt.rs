//! Words of a map that misspell one of the rules, for a person who has not asked: only those that are hardly
//! anything else.
//!
//! Knows one word at a time, and no map.

use super::near::{letters_of, misspelling, tokens_of};
use crate::rules::words::names;
use crate::rules::{AreaRule, SolidRules};
use crate::text::names::is_same_name;

/// The use that a map makes of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WordUse {
    /// The name of a layer.
    LayerName,
    /// The class of a layer.
    LayerClass,
    /// The name of a property of a layer.
    LayerProperty,
    /// The class of a tile.
    TileClass,
    /// The name of a property of a tile.
    TileProperty,
    /// The class of an object.
    ObjectClass,
    /// The name of a property of an object.
    ObjectProperty,
}

impl WordUse {
    fn is_property(self) -> bool {
        matches!(self, Self::LayerProperty | Self::TileProperty | Self::ObjectProperty)
    }
}

/// English words that are a letter away from a word of the default rules and mean something else.
const ORDINARY: [&str; 9] =
    ["sold", "stolid", "collie", "blocker", "blockers", "blocks", "lock", "sensory", "triggers"];

/// The word of the rules that `written` misspells in this use; `None` for a word of the rules itself, in
/// whatever use. O(words of the rules x 64 letters).
pub fn misspelt<'r>(
    written: &str,
    word_use: WordUse,
    rules: &'r SolidRules,
    areas: &'r [AreaRule],
) -> Option<&'r str> {
    let lists = lists(rules, areas, word_use);
    let words = lists.iter().flat_map(|list| list.iter()).map(|word| word.trim_end_matches('*'));
    let letters = letters_of(written);
    if ORDINARY.contains(&&*letters) {
        return None;
    }
    if let Some(word) = word_use.is_property().then(|| inflected(written, words.clone())).flatten()
    {
        return (!lists.iter().any(|list| names(list, written))).then_some(word);
    }
    let all = all_lists(rules, areas);
    // The start of a name says nothing about other uses: a class `collision ` is not the layer `collision*`.
    let is_word =
        |word: &str| all.iter().any(|list| list.iter().any(|known| is_same_name(known, word)));
    let is_known = |word: &str| is_word(word) || lists.iter().any(|list| names(list, word));
    if is_known(written) {
        return None;
    }
    // `walls 2` and `2nd_wall` are spelt well.
    let tokens = tokens_of(written);
    let is_number = |token: &&String| token.chars().all(char::is_numeric);
    let without_numbers: String =
        tokens.iter().filter(|token| !is_number(token)).cloned().collect();
    if without_numbers != letters && is_known(&without_numbers) {
        return None;
    }
    misspelling(written, words)
}

/// The word of which a property is another form: `isSolid` and `solids` of `solid`.
fn inflected<'w>(written: &str, mut words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let tokens = tokens_of(written);
    let stem = tokens.strip_prefix(&["is".to_owned()]).unwrap_or(&tokens).concat();
    let stem = stem.strip_suffix('s').unwrap_or(&stem);
    words.find(|word| {
        let letters = letters_of(word);
        letters.len() >= 5 && letters.strip_suffix('s').unwrap_or(&letters) == stem
    })
}

/// The lists of the rules that a word of this use is looked up in.
fn lists<'r>(
    rules: &'r SolidRules,
    areas: &'r [AreaRule],
    word_use: WordUse,
) -> Vec<&'r Vec<String>> {
    let (of_areas, mut lists): (fn(&AreaRule) -> &Vec<String>, Vec<_>) = match word_use {
        WordUse::LayerName => (
            |area| &area.layers,
            vec![&rules.layer_names, &rules.walkable_layers, &rules.passable_layers],
        ),
        WordUse::LayerClass => (|area| &area.classes, vec![&rules.layer_classes]),
        WordUse::LayerProperty => (
            |area| &area.properties,
            vec![
                &rules.layer_properties,
                &rules.layer_passable_properties,
                &rules.one_way_properties,
            ],
        ),
        WordUse::TileClass => {
            (|area| &area.classes, vec![&rules.tile_classes, &rules.one_way_classes])
        }
        WordUse::ObjectClass => {
            (|area| &area.classes, vec![&rules.object_classes, &rules.one_way_classes])
        }
        WordUse::TileProperty => (
            |area| &area.properties,
            vec![
                &rules.solid_properties,
                &rules.passable_properties,
                &rules.trigger_properties,
                &rules.one_way_properties,
            ],
        ),
        WordUse::ObjectProperty => (
            |area| &area.properties,
            vec![
                &rules.object_properties,
                &rules.passable_properties,
                &rules.trigger_properties,
                &rules.one_way_properties,
            ],
        ),
    };
    lists.extend(areas.iter().map(of_areas));
    lists
}

/// All lists of words of the rules.
fn all_lists<'r>(rules: &'r SolidRules, areas: &'r [AreaRule]) -> Vec<&'r Vec<String>> {
    let mut all = vec![
        &rules.layer_names,
        &rules.layer_classes,
        &rules.layer_properties,
        &rules.layer_passable_properties,
        &rules.walkable_layers,
        &rules.passable_layers,
        &rules.decoration_layers,
        &rules.tile_classes,
        &rules.solid_properties,
        &rules.passable_properties,
        &rules.trigger_properties,
        &rules.object_classes,
        &rules.object_properties,
        &rules.one_way_properties,
        &rules.one_way_classes,
    ];
    all.extend(areas.iter().flat_map(|area| [&area.layers, &area.classes, &area.properties]));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(written: &str, word_use: WordUse) -> Option<String> {
        let (rules, areas) = (SolidRules::default(), [AreaRule::named("water")]);
        misspelt(written, word_use, &rules, &areas).map(str::to_owned)
    }

    #[test]
    fn misspelt_words_are_found_in_their_use() {
        for (written, word_use, expected) in [
            ("sollid", WordUse::TileProperty, "solid"),
            ("soild", WordUse::TileProperty, "solid"),
            ("Colision", WordUse::LayerName, "collision"),
            (" Collision", WordUse::LayerName, "collision"),
            ("[walls]", WordUse::LayerName, "walls"),
            ("Colision 2", WordUse::LayerName, "collision"),
            ("collison", WordUse::ObjectClass, "collision"),
            ("collision ", WordUse::TileClass, "collision"),
            ("onway", WordUse::TileProperty, "one_way"),
            ("one way", WordUse::ObjectProperty, "one_way"),
            ("Waterr", WordUse::LayerName, "water"),
            ("walkabel", WordUse::TileProperty, "walkable"),
            ("is_tigger", WordUse::ObjectProperty, "isTrigger"),
        ] {
            let found = meant(written, word_use);
            assert_eq!(found.as_deref(), Some(expected), "{written}");
        }
    }

    #[test]
    fn other_forms_of_a_property_are_found() {
        for written in ["isSolid", "is_solid", "is solid", "solids", "Solids"] {
            let found = meant(written, WordUse::TileProperty);
            assert_eq!(found.as_deref(), Some("solid"), "{written}");
            assert_eq!(meant(written, WordUse::LayerName), None, "{written}");
        }
        assert_eq!(meant("solid", WordUse::TileProperty), None);
        assert_eq!(meant("is", WordUse::TileProperty), None);
        assert_eq!(meant("unsolid", WordUse::TileProperty), None);
    }

    #[test]
    fn words_that_are_spelt_well_are_not() {
        for written in [
            "nocollide",
            "Collision",
            "walls2",
            "Walls 2",
            "wall",
            "sold",
            "collie",
            "collection",
            "House walls",
            "stonewall",
            "blocker",
            "blocks",
            "no colision",
            "ground",
            "solidity",
            "passage",
            "background",
            "Colliders",
            "trigger",
            "x",
            "",
            "walks",
            "hall",
        ] {
            for word_use in [
                WordUse::LayerName,
                WordUse::LayerClass,
                WordUse::LayerProperty,
                WordUse::TileClass,
                WordUse::TileProperty,
                WordUse::ObjectClass,
                WordUse::ObjectProperty,
            ] {
                assert_eq!(meant(written, word_use), None, "{written} {word_use:?}");
            }
        }
    }
}
