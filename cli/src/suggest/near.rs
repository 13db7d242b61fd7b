//! Compares a word of a map with words of the rules. A word of the map resembles a word of the rules if it
//! misspells or contains the rule's word.

#[cfg(test)]
mod tests;

use bitwall::rules::{AreaRule, SolidRules};
use bitwall::text::{is_same_name, words_in};
use strsim::damerau_levenshtein;

use super::names;

/// The kind of resemblance between a word of a map and a word of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// The map's word contains the rule's word: `House walls`, `is_solid`.
    Contains,
    /// The map's word is the rule's word with a letter too many, too few or out of order: `sollid`.
    Misspelt,
}

/// Words that negate the word after them.
const DENIALS: [&str; 8] = ["no", "not", "non", "un", "without", "free", "never", "off"];

fn is_denial(token: &str) -> bool {
    DENIALS.contains(&token)
}

/// True if a name denies the words after its first: `no_collide`. A layer of such a name has no solids.
pub(super) fn is_denied(name: &str) -> bool {
    let tokens = words_in(name);
    tokens.split_last().is_some_and(|(_, before)| before.iter().any(|token| is_denial(token)))
}

/// The largest length of a map's word, in bytes. A longer word resembles no word of the rules.
const LONGEST: usize = 64;

/// The first of `words` that `written` misspells, or else the first that `written` contains; `None` without
/// such a word. A word equal to `written` does not count as contained.
pub(super) fn likeness<'w>(written: &str, words: &[&'w str]) -> Option<(&'w str, Likeness)> {
    if written.len() > LONGEST {
        return None;
    }
    if let Some(word) = misspelling(written, words) {
        return Some((word, Likeness::Misspelt));
    }
    let tokens = words_in(written);
    let contained =
        words.iter().find(|word| !is_same_name(word, written) && contains(&tokens, word))?;
    Some((contained, Likeness::Contains))
}

/// The first of `words` that `written` misspells. A single token of `written` can be the misspelling, too.
fn misspelling<'w>(written: &str, words: &[&'w str]) -> Option<&'w str> {
    if written.len() > LONGEST {
        return None;
    }
    let letters = letters_of(written);
    let mut parts = words_in(written);
    if parts.iter().any(|token| is_denial(token)) {
        parts.clear();
    }
    // `platformer` is a kind of game, and does not misspell `platform`.
    parts.retain(|part| words.iter().all(|word| letters_of(word) != *part) && part != "platformer");
    words.iter().copied().find(|word| {
        is_misspelt(&letters, written, word)
            || parts.iter().any(|part| is_misspelt(part, part, word))
    })
}

/// The letters and digits of a text, in lower case.
fn letters_of(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn is_misspelt(letters: &str, written: &str, word: &str) -> bool {
    let meant = letters_of(word);
    if letters == meant {
        return !is_same_name(written, word);
    }
    let count = meant.chars().count();
    let allowed = match count {
        0..5 => return false,
        // Short words that differ by a letter are mostly other words: `walks`, `black`.
        5 if letters.chars().count() == count && sorted(letters) != sorted(&meant) => return false,
        5..9 => 1,
        _ => 2,
    };
    let starts_alike = letters.chars().next() == meant.chars().next();
    starts_alike && damerau_levenshtein(letters, &meant) <= allowed
}

fn sorted(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text.chars().collect();
    letters.sort_unstable();
    letters
}

/// True if a token equals `word`, or contains a `word` of at least 8 letters. False if a negation stands
/// before the match, as in `not solid`.
fn contains(tokens: &[String], word: &str) -> bool {
    // Longer words contain short words by chance: `block` in `blocks of ice`, `solid` in `consolidated`.
    const LONG: usize = 8;
    let word = letters_of(word);
    let at = tokens.iter().position(|token| match token.find(&word) {
        Some(0) if *token == word => true,
        Some(0) => word.len() >= LONG,
        Some(start) => word.len() >= LONG && !is_denial(&token[..start]),
        None => false,
    });
    at.is_some_and(|at| !word.is_empty() && !tokens.iter().take(at).any(|token| is_denial(token)))
}

/// The kind of thing that has a word of a map as its name, class or property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
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
    const ALL: [Self; 7] = [
        Self::LayerName,
        Self::LayerClass,
        Self::LayerProperty,
        Self::TileClass,
        Self::TileProperty,
        Self::ObjectClass,
        Self::ObjectProperty,
    ];

    fn is_property(self) -> bool {
        matches!(self, Self::LayerProperty | Self::TileProperty | Self::ObjectProperty)
    }
}

/// English words that differ by a letter from a word of the default rules, but have another meaning.
const ORDINARY: [&str; 9] =
    ["sold", "stolid", "collie", "blocker", "blockers", "blocks", "lock", "sensory", "triggers"];

/// Returns the word of the rules or areas that `written` misspells, for the use `word_use`.
///
/// `None` if `written` is not a misspelling. The first matching case decides:
/// - An English word with another meaning, such as `blocks`, is not a misspelling.
/// - A word of the rules or areas for this use is not a misspelling.
/// - Another form of a property's name is a misspelling: `isSolid` for `solid`.
/// - A word of the rules or areas for another use is not a misspelling.
///
/// O(words of the rules x 64 letters).
pub fn misspelt<'r>(
    written: &str,
    word_use: WordUse,
    rules: &'r SolidRules,
    areas: &'r [AreaRule],
) -> Option<&'r str> {
    let lists = lists(rules, areas, word_use);
    let words = words_of(&lists);
    let letters = letters_of(written);
    if ORDINARY.contains(&&*letters) {
        return None;
    }
    if word_use.is_property()
        && let Some(word) = inflected(written, &words)
    {
        let is_listed = lists.iter().any(|list| names(list, written));
        return (!is_listed).then_some(word);
    }
    // `walls 2` and `2nd_wall` are spelt correctly.
    let mut tokens = words_in(written);
    tokens.retain(|token| !is_number(token));
    // The `*` of `collision*`, a layer name, is not applied to other uses, such as a class `collision `.
    let mut all: Vec<&String> = rules.decoration_layers.iter().collect();
    for word_use in WordUse::ALL {
        all.extend(self::lists(rules, areas, word_use).into_iter().flatten());
    }
    let without_numbers = tokens.concat();
    for (word, is_other) in [(written, true), (&without_numbers, without_numbers != letters)] {
        let is_listed = lists.iter().any(|list| names(list, word));
        if is_other && (is_listed || all.iter().any(|known| is_same_name(known, word))) {
            return None;
        }
    }
    misspelling(written, &words)
}

/// The words of `lists`, without a prefix for the kind of layer (`tiles:`) and a final `*`.
pub(super) fn words_of<'r>(lists: &[&'r Vec<String>]) -> Vec<&'r str> {
    let mut words = Vec::new();
    for word in lists.iter().copied().flatten() {
        words.push(word.rsplit(':').next().unwrap_or(word).trim_end_matches('*'));
    }
    words
}

pub(super) fn is_number(token: &str) -> bool {
    token.chars().all(char::is_numeric)
}

/// The first of `words` with the same stem as `written`: `isSolid` and `solids` have the stem `solid`.
fn inflected<'w>(written: &str, words: &[&'w str]) -> Option<&'w str> {
    let tokens = words_in(written);
    let stem = tokens.strip_prefix(&["is".to_owned()]).unwrap_or(&tokens).concat();
    let stem = stem.strip_suffix('s').unwrap_or(&stem);
    words.iter().copied().find(|word| {
        let letters = letters_of(word);
        letters.len() >= 5 && letters.strip_suffix('s').unwrap_or(&letters) == stem
    })
}

fn lists<'r>(
    rules: &'r SolidRules,
    areas: &'r [AreaRule],
    word_use: WordUse,
) -> Vec<&'r Vec<String>> {
    let flags = [&rules.passable_properties, &rules.trigger_properties, &rules.one_way_properties];
    let mut lists = match word_use {
        WordUse::LayerName => {
            vec![&rules.layer_names, &rules.walkable_layers, &rules.passable_layers]
        }
        WordUse::LayerClass => vec![&rules.layer_classes],
        WordUse::LayerProperty => vec![
            &rules.layer_properties,
            &rules.layer_passable_properties,
            &rules.one_way_properties,
        ],
        WordUse::TileClass => vec![&rules.tile_classes, &rules.one_way_classes],
        WordUse::ObjectClass => vec![&rules.object_classes, &rules.one_way_classes],
        WordUse::TileProperty => vec![&rules.solid_properties, flags[0], flags[1], flags[2]],
        WordUse::ObjectProperty => vec![&rules.object_properties, flags[0], flags[1], flags[2]],
    };
    // A word that is only like `water` is no sign of an area that the author of the level asked for.
    for area in areas.iter().filter(|area| !area.optional) {
        lists.push(match word_use {
            WordUse::LayerName => &area.layers,
            _ if word_use.is_property() => &area.properties,
            _ => &area.classes,
        });
    }
    lists
}
