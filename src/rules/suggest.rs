//! Suggests settings for a map with solids that the rules do not find.
//!
//! Suggestions help a person who sees a map for the first time. They come from misspelt or similar words,
//! flags whose value is no bool, classes and layers of objects, and guesses. They never change a level.

mod census;
mod near;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::{AreaRule, Says, SolidRules, is_layer, names};
use crate::error::suggestion::{Setting, Suggestion, TileRange};
use crate::text::{counted, is_name_like, is_same_name, listed, nearest, printable};
use crate::tmx::{AUTO_TILES, Decimal, Layer, LayerContent, Object, PlacedMap, Shape};
use census::{
    Census, CensusRole, Guess, ITEMS, LayerCensus, OTHER_OBJECTS, SOLID_WORDS, guesses, has_word,
    is_place,
};
use near::{Likeness, letters_of, likeness, misspelling, tokens_of};

/// The share of a level that is solid by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Nothing,
    Part,
    Everything,
}

const MAX_WORDS: usize = 8;

/// The smallest number of objects with the same name or class for which they are suggested as solid.
const FEW: u64 = 3;

const MOST: usize = 5;

/// The lowest score of an uncertain suggestion (`is_guess`) that is shown for a level with solids.
const LEAST_IN_DOUBT: i64 = 20;

/// The beginnings of words of the rules that mean solids in a name that ends with them: `Cave collision`.
const CLEAR: [&str; 5] = ["colli", "solid", "platform", "boundar", "barrier"];

/// The largest number of words of the rules with which a word of a map is compared.
const MAX_RULE_WORDS: usize = 256;

/// The reason that the solids of a level seem wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Doubt {
    pub(crate) why: String,
    /// True if too much seems solid; false if too little seems solid.
    pub(crate) is_overfull: bool,
}

impl Doubt {
    /// True if the settings of a suggestion could resolve the doubt: passable layers if too much is solid.
    fn allows(&self, guess: &Suggestion) -> bool {
        let frees = |setting: &Setting| {
            matches!(setting, Setting::WalkableLayer(_) | Setting::PassableLayer(_))
        };
        guess.options.iter().all(frees) == self.is_overfull
    }
}

/// A suggestion with its score; a higher score is better. If `is_guess` is true, the suggestion is shown only
/// for a level in which nothing is solid, or whose solids seem wrong.
struct Scored {
    score: i64,
    suggestion: Suggestion,
}

/// Returns the best suggestions for the maps of one level: at most 5, the best first, and none if the solids
/// seem right. `doubt` is the reason that the solids seem wrong. O(cells + objects + words).
pub(crate) fn suggest(
    maps: &[PlacedMap],
    rules: &SolidRules,
    found: Found,
    doubt: Option<&Doubt>,
) -> Vec<Suggestion> {
    let mut all: Vec<Scored> = Vec::new();
    let censuses: Vec<Census<'_>> = maps.iter().map(|map| Census::new(&map.map)).collect();
    let is_of_items = found == Found::Part && censuses.iter().all(|it| is_of_items(it, rules));
    let why = "the only solid tiles are coins, items or the like".to_owned();
    let items = Doubt { why, is_overfull: false };
    let doubt = doubt.or_else(|| is_of_items.then_some(&items));
    for census in &censuses {
        for scored in of_map(census, rules, found, doubt) {
            let is_same =
                |other: &&mut Scored| other.suggestion.options == scored.suggestion.options;
            match all.iter_mut().find(is_same) {
                Some(known) => {
                    known.suggestion.cells += scored.suggestion.cells;
                    known.score = known.score.max(scored.score);
                }
                None => all.push(scored),
            }
        }
    }
    let helps = |guess: &Suggestion| doubt.is_some_and(|doubt| doubt.allows(guess));
    all.retain(|Scored { suggestion, score }| {
        let helps = || *score >= LEAST_IN_DOUBT && helps(suggestion);
        !suggestion.is_guess || found == Found::Nothing || helps()
    });
    for Scored { suggestion, .. } in &mut all {
        if let Some(doubt) = doubt.filter(|_| suggestion.is_guess) {
            suggestion.why = format!("{}; {}", doubt.why, suggestion.why);
        }
    }
    best_first(&mut all);
    all.truncate(MOST);
    all.into_iter().map(|scored| scored.suggestion).collect()
}

fn best_first(all: &mut [Scored]) {
    all.sort_by_key(|scored| Reverse((scored.score, scored.suggestion.cells)));
}

fn of_map(
    census: &Census<'_>,
    rules: &SolidRules,
    found: Found,
    doubt: Option<&Doubt>,
) -> Vec<Scored> {
    let mut all = Vec::new();
    other_types(census, rules, &mut all);
    numbers(census, rules, &mut all);
    near_words(census, rules, found, &mut all);
    all.extend(mixed_shapes(census, rules, found));
    if found == Found::Nothing || doubt.is_some() {
        objects(census, rules, &mut all);
        tile_layers(census, rules, &mut all);
        art_of_walls(census, rules, &mut all);
    }
    // Tiles of coins and other items may have collision shapes only because the game checks who touches them.
    let items: Vec<_> = item_layers(census, rules).collect();
    let free = items.iter().map(|layer| Setting::PassableLayer(layer.context.layer.name.clone()));
    let free: Vec<Setting> = free.take(MAX_WORDS).collect();
    for Scored { suggestion, .. } in &mut all {
        suggestion.options.extend_from_slice(&free);
    }
    all.retain(|scored| scored.suggestion.cells > 0);
    // Only the best of all suggestions with the same options is kept.
    best_first(&mut all);
    all.truncate(16 * MOST);
    let mut best: Vec<Scored> = Vec::new();
    for scored in all {
        let options = &scored.suggestion.options;
        if best.iter().all(|better| better.suggestion.options != *options) {
            best.push(scored);
        }
    }
    best
}

/// Suggests properties with the name of a solid property but no bool value: `solid` = 2, `solid` = "yes".
fn other_types(census: &Census<'_>, rules: &SolidRules, all: &mut Vec<Scored>) {
    for ((name, value), count) in &census.values {
        let is_no = matches!(&*value.to_lowercase(), "" | "0" | "no" | "none" | "off");
        let is_known = rules
            .solid_values
            .iter()
            .any(|known| is_name_like(&known.name, name) && is_name_like(&known.value, value));
        if is_no || is_known || !names(&rules.solid_properties, name) {
            continue;
        }
        let why = format!(
            "the property `{}` has the value `{}`, which is not a flag",
            printable(name),
            printable(value)
        );
        let (name, value) = (name.clone(), value.trim().to_owned());
        let suggestion = Suggestion::new(why, *count, vec![Setting::SolidValue { name, value }]);
        all.push(Scored { score: 200, suggestion });
    }
}

/// The properties in which some tools store the closed sides of a tile as a number: 0 means no closed side.
const SIDES: [&str; 3] = ["passage", "passages", "passability"];

/// Suggests as solid all values other than 0 of a property such as `passage` of RPG Maker.
fn numbers(census: &Census<'_>, rules: &SolidRules, all: &mut Vec<Scored>) {
    for word in SIDES {
        let is_known = rules.solid_values.iter().any(|known| is_same_name(&known.name, word));
        let (mut options, mut cells) = (Vec::new(), 0);
        for ((name, value), count) in &census.values {
            let is_closed = value.trim().parse().is_ok_and(|sides: u32| sides > 0);
            if is_same_name(name, word) && is_closed && !is_known && options.len() < MAX_WORDS {
                let (name, value) = (name.clone(), value.trim().to_owned());
                options.push(Setting::SolidValue { name, value });
                cells += count;
            }
        }
        let why = format!("the property `{word}` numbers the closed sides of a tile in some tools");
        if !options.is_empty() {
            all.push(Scored { score: 195, suggestion: Suggestion::new(why, cells, options) });
        }
    }
}

/// The visible tile layers of coins and other items with a tile that has a collision shape, or a property or
/// class of a solid. Layers that the rules name are left out.
fn item_layers<'c, 'm>(
    census: &'c Census<'m>,
    rules: &'c SolidRules,
) -> impl Iterator<Item = &'c LayerCensus<'m>> {
    census.layers.iter().filter(move |layer| {
        has_word(&tokens_of(&layer.context.layer.name), ITEMS)
            && !is_ruled(layer, rules)
            && has_marked_tile(census, layer, rules)
    })
}

fn has_marked_tile(census: &Census<'_>, layer: &LayerCensus<'_>, rules: &SolidRules) -> bool {
    layer.context.visible
        && layer.kinds.counts.keys().any(|gid| {
            let tile = census.map.tile(*gid);
            let tile = tile.and_then(|it| census.map.tilesets.get(it.tileset)?.tiles.get(&it.id));
            tile.is_some_and(|tile| !tile.shapes.is_empty() || rules.tile(tile).is_some())
        })
}

/// True if all solid tiles of a map are on layers of coins and other items, so that they may not be walls.
fn is_of_items(census: &Census<'_>, rules: &SolidRules) -> bool {
    let is_other = |layer: &LayerCensus<'_>| {
        let is_objects = matches!(layer.context.layer.content, LayerContent::Objects(_));
        let is_item = has_word(&tokens_of(&layer.context.layer.name), ITEMS);
        layer.items > 0
            && (is_ruled(layer, rules)
                || (is_objects && layer.context.layer.name.is_empty())
                || (!is_item && has_marked_tile(census, layer, rules)))
    };
    item_layers(census, rules).next().is_some() && !census.layers.iter().any(is_other)
}

/// Suggests that a visible tile layer named after walls is only art, if another layer is named `collision`.
fn art_of_walls(census: &Census<'_>, rules: &SolidRules, all: &mut Vec<Scored>) {
    let tiles = || {
        let is_tiles = |layer: &&LayerCensus<'_>| {
            matches!(layer.context.layer.content, LayerContent::Tiles(_))
        };
        census.layers.iter().filter(is_tiles).filter(|layer| layer.items > 0)
    };
    let begins = |layer: &LayerCensus<'_>, start: &str| {
        layer.context.layer.name.to_lowercase().starts_with(start)
            && matches!(rules.layer(layer.context.layer), Says::Solid(_))
    };
    let Some(collision) = tiles().find(|layer| begins(layer, "colli")) else { return };
    for layer in tiles().filter(|layer| layer.context.visible && begins(layer, "wall")) {
        let [name, other] = [layer, collision].map(|layer| &layer.context.layer.name);
        let (shown, other) = (printable(name), printable(other));
        let why = format!("the layer `{shown}` may be the art of the layer `{other}`");
        let options = vec![Setting::PassableLayer(name.clone())];
        all.push(Scored { score: 60, suggestion: Suggestion::guess(why, layer.items, options) });
    }
}

/// The key of similar suggestions: the use of a word in the map, the rule word that it resembles, and the
/// kind of resemblance.
type SuggestionKey<'w> = (CensusRole, &'w str, Likeness);

/// Suggests words of the map that resemble words of the rules: one suggestion per [`SuggestionKey`].
fn near_words(census: &Census<'_>, rules: &SolidRules, found: Found, all: &mut Vec<Scored>) {
    let mut groups: Vec<(SuggestionKey<'_>, Vec<(&str, u64)>)> = Vec::new();
    for ((role, word), count) in &census.words {
        let lists: &[&Vec<String>] = match role {
            CensusRole::Layer => &[&rules.layer_names],
            CensusRole::Class => {
                &[&rules.tile_classes, &rules.object_classes, &rules.layer_classes]
            }
            CensusRole::Object => &[&rules.object_names],
            CensusRole::Tileset => &[&rules.layer_names],
            CensusRole::True => &[&rules.solid_properties, &rules.object_properties],
            CensusRole::False => &[&rules.passable_properties],
        };
        let is_art = *role == CensusRole::Layer && word.starts_with(AUTO_TILES);
        if *count == 0 || is_art || is_known(census, rules, *role, word) {
            continue;
        }
        if let Some((meant, how)) = likeness(word, &words_of(lists, MAX_RULE_WORDS)) {
            let key = (*role, meant, how);
            match groups.iter_mut().find(|(other, _)| *other == key) {
                Some((_, words)) if words.len() == MAX_WORDS => {}
                Some((_, words)) => words.push((word, *count)),
                None => groups.push((key, vec![(word, *count)])),
            }
        }
    }
    all.extend(groups.into_iter().map(|(key, words)| near(key, &words, found)));
}

/// The first `most` words of `lists`, without a prefix for the kind of layer (`tiles:`) and a final `*`.
fn words_of<'r>(lists: &[&'r Vec<String>], most: usize) -> Vec<&'r str> {
    let mut words = Vec::new();
    for list in lists {
        let own = |word: &'r String| word.rsplit(':').next().unwrap_or(word).trim_end_matches('*');
        words.extend(list.iter().map(own));
    }
    words.truncate(most);
    words
}

/// True if the rules list the word for this use, or make a layer of this name solid, passable or the floor.
fn is_known(census: &Census<'_>, rules: &SolidRules, role: CensusRole, word: &str) -> bool {
    match role {
        CensusRole::Layer => {
            let mut layers = census.layers.iter().map(|layer| layer.context.layer);
            layers.any(|layer| layer.name == word && speak_of(rules, layer))
        }
        CensusRole::Class => {
            let lists = [&rules.tile_classes, &rules.object_classes, &rules.layer_classes];
            lists.into_iter().any(|list| names(list, word)) || names(&rules.one_way_classes, word)
        }
        CensusRole::Object => names(&rules.object_names, word) || names(&rules.place_names, word),
        CensusRole::Tileset => rules.solid_tiles.iter().any(|tiles| tiles.is_of(word)),
        CensusRole::True | CensusRole::False => {
            rules.is_flag(word) || names(&rules.one_way_properties, word)
        }
    }
}

fn near((role, meant, how): SuggestionKey<'_>, words: &[(&str, u64)], found: Found) -> Scored {
    let texts: Vec<String> = words.iter().map(|(word, _)| (*word).to_owned()).collect();
    let listed = listed(texts.iter());
    let (one, several) = match role {
        CensusRole::Layer => ("the name of the layer", "the names of the layers"),
        CensusRole::Class => ("the class", "the classes"),
        CensusRole::Object => ("the name of the object", "the names of the objects"),
        CensusRole::Tileset => ("the name of the tileset", "the names of the tilesets"),
        CensusRole::True | CensusRole::False => ("the property", "the properties"),
    };
    let (is_like, are_like) = match how {
        Likeness::Misspelt => ("is nearly", "are nearly"),
        Likeness::Contains => ("has the word", "have the word"),
    };
    let (noun, verb) = if words.len() == 1 { (one, is_like) } else { (several, are_like) };
    let setting = |word: String| match role {
        CensusRole::Layer => Setting::SolidLayer(word),
        CensusRole::Class => Setting::SolidClass(word),
        CensusRole::Object => Setting::SolidObject(word),
        CensusRole::Tileset => Setting::SolidTiles(TileRange::new(word, None)),
        CensusRole::True => Setting::SolidProperty(word),
        CensusRole::False => Setting::PassableProperty(word),
    };
    let cells: u64 = words.iter().map(|(_, count)| count).sum();
    let score = match (how, role) {
        (Likeness::Misspelt, CensusRole::Tileset) => 110,
        (Likeness::Misspelt, _) => 190,
        // The name of one object, such as a wall that breaks, says little about the other objects.
        (Likeness::Contains, CensusRole::Object) if cells < FEW => 25,
        (Likeness::Contains, _) if meant.starts_with("wall") => 120,
        (Likeness::Contains, CensusRole::Tileset) => 100,
        // If something is solid already, a similar word, such as an object's class, is weaker evidence.
        (Likeness::Contains, _) if found != Found::Nothing => 90,
        (Likeness::Contains, _) => 150,
    };
    // If something is solid already, only words of one meaning count: some `House walls` are art.
    let ends_with_it = |(word, _): &(&str, u64)| {
        let mut tokens = tokens_of(word);
        tokens.retain(|token| !is_number(token));
        // `enemy collision` is solid for the enemies alone.
        tokens.last().is_some_and(|last| last.contains(meant)) && !has_word(&tokens, ITEMS)
    };
    let is_clear =
        CLEAR.iter().any(|clear| meant.starts_with(clear)) && words.iter().all(ends_with_it);
    let is_sure = role != CensusRole::Tileset && (how == Likeness::Misspelt || is_clear);
    let why = format!("{noun} {listed} {verb} `{meant}`");
    // The walls of a level may be numbered: `wall_1`, `wall_2`, ...
    let is_numbered = role == CensusRole::Object
        && texts.len() > 1
        && texts.iter().all(|text| is_name_like(&format!("{meant}*"), text));
    let options = match is_numbered {
        true => vec![setting(format!("{meant}*"))],
        false => texts.into_iter().map(setting).collect(),
    };
    let suggestion = Suggestion { is_guess: !is_sure, ..Suggestion::new(why, cells, options) };
    Scored { score, suggestion }
}

/// Suggests that only collision shapes are solid, as in some games. Two conditions must hold for the tiles on
/// solid layers:
/// - Some have collision shapes, and some have none.
/// - At least three in four have shapes, or everything in the level is solid.
fn mixed_shapes(census: &Census<'_>, rules: &SolidRules, found: Found) -> Option<Scored> {
    if found == Found::Nothing || rules.shapes_only {
        return None;
    }
    let is_solid =
        |layer: &&LayerCensus<'_>| matches!(rules.layer(layer.context.layer), Says::Solid(_));
    let has_shapes = |gid: u32| {
        let tile = census.map.tile(gid);
        let tile = tile.and_then(|it| census.map.tilesets.get(it.tileset)?.tiles.get(&it.id));
        tile.is_some_and(|tile| !tile.shapes.is_empty())
    };
    let (mut with, mut without) = (0, 0);
    for layer in census.layers.iter().filter(is_solid) {
        for (gid, count) in &layer.kinds.counts {
            *(if has_shapes(*gid) { &mut with } else { &mut without }) += count;
        }
    }
    let is_odd = with >= 3 * without || found == Found::Everything;
    let why = format!(
        "the solid layers have {} with collision shapes and {without} without; in some games only the shapes \
         are solid",
        counted(with, "tile")
    );
    let suggestion = Suggestion::new(why, with, vec![Setting::ShapesOnly]);
    (with > 0 && without > 0 && is_odd).then_some(Scored { score: 100, suggestion })
}

/// Suggests as solid the object layers whose shapes mostly have neither a name nor a class, one by one and
/// all together. Also suggests classes of at least 3 shapes, and names of at least 3 shapes without a class.
fn objects(census: &Census<'_>, rules: &SolidRules, all: &mut Vec<Scored>) {
    let mut words: BTreeMap<(bool, &str), u64> = BTreeMap::new();
    let mut together: Vec<&LayerCensus<'_>> = Vec::new();
    for layer in &census.layers {
        let LayerContent::Objects(content) = &layer.context.layer.content else { continue };
        let (mut shapes, mut plain) = (0, 0);
        for object in content.objects.iter().filter(|object| is_cover(object)) {
            shapes += 1;
            plain += u64::from(object.class.is_empty() && object.name.is_empty());
            let is_class = !object.class.is_empty();
            let word = if is_class { &object.class } else { &object.name };
            let known = if is_class { &rules.object_classes } else { &rules.object_names };
            if !word.is_empty() && !names(known, word) && !is_place(object) {
                *words.entry((is_class, word)).or_default() += 1;
            }
        }
        let name = &layer.context.layer.name;
        let tokens = tokens_of(name);
        let is_other = has_word(&tokens, ITEMS) || has_word(&tokens, OTHER_OBJECTS);
        if plain * 2 >= shapes && plain > 0 && !is_other && !is_ruled(layer, rules) {
            together.push(layer);
        }
        if plain >= FEW && plain * 2 >= shapes && !is_ruled(layer, rules) {
            let why = format!(
                "{} on the layer `{}` have neither a name nor a class",
                counted(plain, "shape"),
                printable(name)
            );
            let options = vec![Setting::SolidLayer(name.clone())];
            let suggestion = Suggestion::guess(why, layer.items, options);
            let solid = if has_word(&tokens, SOLID_WORDS) { 10 } else { 0 };
            let score = 45 + solid - if is_other { 20 } else { 0 };
            all.push(Scored { score, suggestion });
        }
    }
    if together.len() > 1 {
        let why = "shapes on these layers mostly have neither a name nor a class";
        let name = |layer: &&LayerCensus<'_>| layer.context.layer.name.clone();
        let names = together.iter().take(MAX_WORDS).map(name).map(Setting::SolidLayer);
        let items = together.iter().map(|layer| layer.items).sum();
        let suggestion = Suggestion::guess(why, items, names.collect());
        all.push(Scored { score: 50, suggestion });
    }
    for ((is_class, word), count) in words.into_iter().filter(|(_, count)| *count >= FEW) {
        let (noun, setting): (_, fn(String) -> Setting) = match is_class {
            true => ("class", Setting::SolidClass),
            false => ("name", Setting::SolidObject),
        };
        let why = format!("{} have the {noun} `{}`", counted(count, "shape"), printable(word));
        let options = vec![setting(word.to_owned())];
        all.push(Scored { score: 30, suggestion: Suggestion::guess(why, count, options) });
    }
}

/// True if the rules make a layer, or a group around it, solid, passable or the floor.
fn is_ruled(layer: &LayerCensus<'_>, rules: &SolidRules) -> bool {
    let own = layer.context.parents.iter().chain([&layer.context.layer]);
    own.into_iter().any(|layer| is_layer(&rules.decoration_layers, layer) || speak_of(rules, layer))
}

/// True if the rules make this layer or group itself solid, passable or the floor.
fn speak_of(rules: &SolidRules, layer: &Layer) -> bool {
    is_layer(&rules.walkable_layers, layer) || rules.layer(layer) != Says::Nothing
}

fn is_cover(object: &Object) -> bool {
    object.gid.is_none()
        && match object.shape {
            Shape::Point | Shape::Text(_) => false,
            Shape::Rectangle | Shape::Ellipse | Shape::Capsule => {
                object.size.x > Decimal::default() && object.size.y > Decimal::default()
            }
            Shape::Polygon(_) | Shape::Polyline(_) => true,
        }
}

/// Suggests the three tile layers whose tiles look most like solids or a floor. A name is suggested once.
fn tile_layers(census: &Census<'_>, rules: &SolidRules, all: &mut Vec<Scored>) {
    const SHOWN: usize = 3;
    let mut guesses = guesses(census);
    let mut seen: Vec<&str> = Vec::new();
    while seen.len() < SHOWN {
        let order = |index: &usize| (guesses[*index].score, guesses[*index].layer);
        let Some(best) = (0..guesses.len()).max_by_key(order) else { return };
        let Guess { layer, score, role, options, free, why } = guesses.swap_remove(best);
        let layer = &census.layers[layer];
        let name = layer.context.layer.name.as_str();
        if name.is_empty() || is_ruled(layer, rules) || seen.contains(&name) {
            continue;
        }
        seen.push(name);
        let same = census.layers.iter().filter(|other| other.context.layer.name == name);
        let items: u64 = same.map(|other| other.items).sum();
        let (name, why) = (printable(name), why.join(", "));
        let why = format!("the layer `{name}` may be {role}: {why}");
        all.push(Scored { score, suggestion: Suggestion::guess(why, items - free, options) });
    }
}

/// Says that nothing in the maps matches the name in a setting, such as a layer's name, and gives the nearest
/// name in the maps. `None` if something matches, if the setting has no name, or if a map has too many words.
///
/// O(cells + objects + words).
pub(crate) fn absence(maps: &[PlacedMap], setting: &Setting) -> Option<String> {
    let (wanted, roles, noun): (&str, &[CensusRole], &str) = match setting {
        Setting::SolidLayer(name) | Setting::WalkableLayer(name) | Setting::PassableLayer(name) => {
            let words = std::slice::from_ref(name);
            if maps.iter().any(|map| map.map.walk().any(|it| is_layer(words, it.layer))) {
                return None;
            }
            (name, &[CensusRole::Layer], "layer")
        }
        Setting::SolidClass(class) => (class, &[CensusRole::Class], "class"),
        Setting::SolidProperty(name) | Setting::PassableProperty(name) => {
            (name, &[CensusRole::True, CensusRole::False], "bool property")
        }
        Setting::SolidObject(name) => (name, &[CensusRole::Object], "object"),
        Setting::SolidTiles(tiles) | Setting::PassableTiles(tiles) => {
            (&tiles.tileset, &[CensusRole::Tileset], "tileset")
        }
        Setting::SolidValue { name, value } => return absent_value(maps, name, value),
        _ => return None,
    };
    let mut known = BTreeSet::new();
    for map in maps {
        let census = Census::new(&map.map);
        if census.is_cut {
            return None;
        }
        for (role, word) in census.words.keys() {
            if roles.contains(role) {
                known.insert((*word).to_owned());
            }
        }
    }
    // A member of a class may have the name of its property before its own name: `body.solid`.
    let own = wanted.rsplit('.').next().unwrap_or(wanted);
    if known.iter().any(|word| is_name_like(wanted, word) || is_name_like(own, word)) {
        return None;
    }
    Some(no(noun, wanted, &known))
}

fn absent_value(maps: &[PlacedMap], name: &str, value: &str) -> Option<String> {
    let (mut properties, mut values) = (BTreeSet::new(), BTreeSet::new());
    let mut add = |property: &str, value: &str| {
        if is_name_like(name, property) {
            values.insert(value.to_owned());
        }
        properties.insert(property.to_owned());
    };
    for map in maps {
        let census = Census::new(&map.map);
        if census.is_cut {
            return None;
        }
        census.values.keys().for_each(|(name, value)| add(name, value));
        for (role, name) in census.words.keys() {
            match role {
                CensusRole::True => add(name, "true"),
                CensusRole::False => add(name, "false"),
                _ => {}
            }
        }
    }
    if values.is_empty() {
        return Some(no("property", name, &properties));
    }
    let has_value = values.iter().any(|known| is_name_like(value, known.trim()));
    let noun = format!("value of `{}`", printable(name));
    (!has_value).then(|| no(&noun, value, &values))
}

fn no(noun: &str, wanted: &str, known: &BTreeSet<String>) -> String {
    let hint = match nearest(wanted, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{}`?", printable(near)),
        None if known.is_empty() => "there is none at all".to_owned(),
        None => format!("there are {}", listed(known.iter())),
    };
    format!("no {noun} is `{}`; {hint}", printable(wanted))
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

/// Returns the word of the rules or areas that `written` misspells, for the use `word_use`; `None` if
/// `written` is not a misspelling. The first matching case decides:
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
    let words = words_of(&lists, usize::MAX);
    let letters = letters_of(written);
    if ORDINARY.contains(&&*letters) {
        return None;
    }
    let is_listed = |word: &str| lists.iter().any(|list| names(list, word));
    if word_use.is_property()
        && let Some(word) = inflected(written, &words)
    {
        return (!is_listed(written)).then_some(word);
    }
    // The `*` of `collision*`, a layer name, is not applied to other uses, such as a class `collision `.
    let mut all: Vec<&Vec<String>> = vec![&rules.decoration_layers];
    for word_use in WordUse::ALL {
        all.extend(self::lists(rules, areas, word_use));
    }
    let is_word =
        |word: &str| all.iter().any(|list| list.iter().any(|known| is_same_name(known, word)));
    let is_known = |word: &str| is_word(word) || is_listed(word);
    if is_known(written) {
        return None;
    }
    // `walls 2` and `2nd_wall` are spelt correctly.
    let mut tokens = tokens_of(written);
    tokens.retain(|token| !is_number(token));
    let without_numbers = tokens.concat();
    if without_numbers != letters && is_known(&without_numbers) {
        return None;
    }
    misspelling(written, &words)
}

fn is_number(token: &str) -> bool {
    token.chars().all(char::is_numeric)
}

/// The first of `words` with the same stem as `written`: `isSolid` and `solids` have the stem `solid`.
fn inflected<'w>(written: &str, words: &[&'w str]) -> Option<&'w str> {
    let tokens = tokens_of(written);
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
    for area in areas {
        lists.push(match word_use {
            WordUse::LayerName => &area.layers,
            _ if word_use.is_property() => &area.properties,
            _ => &area.classes,
        });
    }
    lists
}
