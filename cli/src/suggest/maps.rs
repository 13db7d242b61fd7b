//! Suggests settings for a map with solids that the rules do not find.
//!
//! The words of a map and the tiles of its layers are counted first. Suggestions come from misspelt or
//! similar words, classes and layers of objects, and guesses.

mod guess;
mod said;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use bitwall::property::PropertyValue;
use bitwall::rules::{SolidRules, is_layer};
use bitwall::text::{counted, listed, printable, words_in};
use bitwall::tmx::{
    Decimal, Layer, LayerContent, LayerContext, Map, Object, ObjectLayer, PlacedMap, PlacedTile,
    Properties, Shape, Tile, TileLayer, flip,
};

use super::near::{Likeness, is_denied, is_number, likeness, words_of};
use super::{Doubt, Found, Setting, Suggestion, names};
use guess::guesses;

/// The largest number of different words counted per [`CensusRole`]. Each word is compared with all words of
/// the rules, and a hostile map may have a million words.
const MAX_CENSUS: usize = 4_096;

/// The largest number of different tiles of a map that are counted one by one. Layers with solids have fewer
/// different tiles.
const MAX_KINDS: usize = 65_536;

const MAX_WORDS: usize = 8;

/// The smallest number of objects with the same name or class for which they are suggested as solid.
const FEW: u64 = 3;

const MOST: usize = 5;

/// The lowest score of an uncertain suggestion (`is_guess`) that is shown for a level with solids.
const LEAST_IN_DOUBT: i64 = 20;

/// The beginnings of words of the rules that mean solids in a name that ends with them: `Cave collision`.
const CLEAR: [&str; 5] = ["colli", "solid", "platform", "boundar", "barrier"];

/// The start of the name of a layer of tiles that LDtk places by its own rules.
const AUTO_TILES: &str = "auto tiles of ";

/// The largest number of words of the rules with which a word of a map is compared.
const MAX_RULE_WORDS: usize = 256;

/// The place of a word in a map: the name of a layer or object, a class, or the name of a bool property that
/// is true or false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum CensusRole {
    Layer,
    Class,
    /// The name of a bool property that is true. `False` is for a bool property that is false.
    True,
    False,
}

impl CensusRole {
    /// The setting that makes a word solid in this use.
    fn setting(self, word: String) -> Setting {
        match self {
            Self::Layer => Setting::SolidLayer(word),
            Self::Class => Setting::SolidClass(word),
            Self::True => Setting::SolidProperty(word),
            Self::False => Setting::PassableProperty(word),
        }
    }
}

/// The counts of words and tiles of a map. A word is a class, or the name of a layer or bool property.
struct Census<'m> {
    map: &'m Map,
    layers: Vec<LayerCensus<'m>>,
    /// The number of tiles and objects per word. The key is the kind of the word, and the word.
    words: BTreeMap<(CensusRole, &'m str), u64>,
    /// The number of different words counted so far per [`CensusRole`].
    used: [usize; 4],
}

/// A layer, and the numbers of its tiles or objects.
struct LayerCensus<'m> {
    context: LayerContext<'m>,
    /// The number of cells with a tile in a tile layer. For an object layer, the number of objects that are
    /// neither points nor texts.
    items: u64,
    kinds: TileKinds,
}

impl LayerCensus<'_> {
    fn name(&self) -> &str {
        &self.context.layer.name
    }
}

/// The number of cells per tile, by the tile's number without flags.
#[derive(Default)]
struct TileKinds {
    counts: HashMap<u32, u64>,
    /// The number of cells with tiles that `counts` leaves out, because it has too many different tiles
    /// already.
    others: u64,
}

impl TileKinds {
    /// Counts the tiles of a layer: the first `room` different tiles one by one, all others together.
    fn count(layer: &TileLayer, room: usize) -> Self {
        let mut kinds = Self::default();
        for block in &layer.blocks {
            // Most cells have the same tile as the cell before.
            for run in block.cells.chunk_by(|a, b| a == b) {
                let gid = run[0] & !flip::ALL;
                let is_full = kinds.counts.len() >= room;
                match kinds.counts.get_mut(&gid) {
                    _ if gid == 0 => {}
                    Some(known) => *known += run.len() as u64,
                    None if is_full => kinds.others += run.len() as u64,
                    None => {
                        kinds.counts.insert(gid, run.len() as u64);
                    }
                }
            }
        }
        kinds
    }

    fn total(&self) -> u64 {
        self.counts.values().sum::<u64>() + self.others
    }
}

impl<'m> Census<'m> {
    /// O(cells + objects + tiles of the tilesets).
    fn new(map: &'m Map) -> Self {
        let mut census = Self { map, layers: Vec::new(), words: BTreeMap::new(), used: [0; 4] };
        let mut room = MAX_KINDS;
        for context in map.walk() {
            let mut kinds = TileKinds::default();
            let items = match &context.layer.content {
                LayerContent::Tiles(tiles) => {
                    kinds = TileKinds::count(tiles, room);
                    room -= kinds.counts.len();
                    kinds.total()
                }
                LayerContent::Objects(objects) => census.objects(objects),
                LayerContent::Image(_) | LayerContent::Group(_) => 0,
            };
            census.layers.push(LayerCensus { context, items, kinds });
        }
        census.layer_words();
        census.tile_words();
        census
    }

    /// The tile with this number, if its tileset's file lists it.
    fn tile(&self, gid: u32) -> Option<&Tile> {
        let PlacedTile { tileset, id, .. } = self.map.tile(gid)?;
        Some(self.map.tilesets.get(tileset)?.tiles.get(&id)?)
    }

    /// Counts the words of a layer's objects. Returns the number of objects other than points and texts.
    fn objects(&mut self, layer: &'m ObjectLayer) -> u64 {
        let mut items = 0;
        for object in &layer.objects {
            self.word(CensusRole::Class, &object.class, 1);
            self.properties(&object.properties, 1);
            items += u64::from(!matches!(object.shape, Shape::Point | Shape::Text(_)));
        }
        items
    }

    /// Counts the names, classes and properties of layers and groups, once per tile or object in them.
    fn layer_words(&mut self) {
        for index in 0..self.layers.len() {
            let LayerCensus { context, items, .. } = &self.layers[index];
            let layer = context.layer;
            let depth = context.parents.len();
            let mut count = *items;
            for inner in &self.layers[index + 1..] {
                if inner.context.parents.len() <= depth {
                    break;
                }
                count += inner.items;
            }
            self.word(CensusRole::Layer, &layer.name, count);
            self.word(CensusRole::Class, &layer.class, count);
            self.properties(&layer.properties, count);
        }
    }

    /// Counts the classes and properties of tiles, once per cell that shows the tile.
    fn tile_words(&mut self) {
        let mut cells: HashMap<u32, u64> = HashMap::new();
        for layer in &self.layers {
            for (gid, count) in &layer.kinds.counts {
                *cells.entry(*gid).or_default() += count;
            }
        }
        for (index, set) in self.map.tilesets.iter().enumerate() {
            for (id, tile) in &set.tiles {
                // The number of a tile may also belong to the next tileset.
                let gid = set.first_gid.saturating_add(*id);
                let count = cells.get(&gid).copied().unwrap_or_default();
                let placed = self.map.tile(gid).filter(|_| count > 0);
                let is_own = placed.is_some_and(|tile| (tile.tileset, tile.id) == (index, *id));
                let count = if is_own { count } else { 0 };
                self.word(CensusRole::Class, &tile.class, count);
                self.properties(&tile.properties, count);
            }
        }
    }

    fn properties(&mut self, properties: &'m Properties, count: u64) {
        for (name, property) in properties {
            self.flag(name, &property.value, count);
            if let PropertyValue::Class { members, .. } = &property.value {
                for (member, value) in members {
                    self.flag(member, value, count);
                }
            }
        }
    }

    fn flag(&mut self, name: &'m str, value: &PropertyValue, count: u64) {
        match value.as_flag() {
            Some(true) => self.word(CensusRole::True, name, count),
            Some(false) => self.word(CensusRole::False, name, count),
            None => {}
        }
    }

    fn word(&mut self, role: CensusRole, word: &'m str, count: u64) {
        if word.is_empty() {
            return;
        }
        let used = &mut self.used[role as usize];
        match self.words.get_mut(&(role, word)) {
            Some(known) => *known += count,
            None if *used >= MAX_CENSUS => {}
            None => {
                *used += 1;
                self.words.insert((role, word), count);
            }
        }
    }
}

/// A guess that a tile layer has the level's solids, or is its floor. It follows from the layer's tiles and
/// name.
#[derive(Clone, Debug, PartialEq)]
struct Guess {
    /// The index of the layer in [`Census::layers`].
    layer: usize,
    score: i64,
    /// The guessed content of the layer: `the solids`, or `the floor`, whose empty cells are solid.
    role: &'static str,
    option: Setting,
    why: Vec<String>,
}

/// Words in the names of objects that mark where characters appear, stand or go.
const PLACES: &str = "spawn spawns spawner spawnpoint start player hero npc npcs enemy enemies monster warp \
                      warps door doors exit entrance teleport portal checkpoint goal item chest";

/// Words in the names of layers that are mostly solid.
const SOLID_WORDS: &str = "block blocks platform platforms terrain main level walls wall rocks trees \
                           buildings ground boundaries boundary barrier barriers obstacles fence fences \
                           cliff cliffs bounds";

/// Words in the names of layers with items to touch or to take.
const ITEMS: &str = "coin coins item items collectible collectibles pickup pickups gem gems powerup \
                     powerups loot enemy enemies bomb bombs spikes hazards ladder ladders";

/// Words in the names of object layers that mark places and areas.
const OTHER_OBJECTS: &str = "water trigger triggers transition transitions zone zones area areas spawn \
                             spawns spawnpoints npc npcs camera light lights door doors exit exits death \
                             player event events warp warps chests checkpoints";

fn has_word(tokens: &[String], words: &str) -> bool {
    tokens.iter().any(|token| words.split(' ').any(|word| word == token))
}

/// True if the name or class of an object marks where a character appears, stands or goes.
fn is_place(object: &Object) -> bool {
    has_word(&words_in(&object.name), PLACES) || has_word(&words_in(&object.class), PLACES)
}

/// A suggestion with its score; a higher score is better. If `is_guess` is true, the suggestion is shown only
/// for a level in which nothing is solid, or whose solids seem wrong.
struct Scored {
    score: i64,
    suggestion: Suggestion,
}

/// Returns the best suggestions for the maps of one level: at most 5, the best first, and none if the solids
/// seem right. `doubt` is the reason that the solids seem wrong. O(cells + objects + words).
pub(super) fn suggest(
    maps: &[PlacedMap],
    rules: &SolidRules,
    found: Found,
    doubt: Option<&Doubt>,
) -> Vec<Suggestion> {
    let mut all: Vec<Scored> = Vec::new();
    let of_maps = maps.iter().flat_map(|map| of_map(&Census::new(&map.map), rules, found, doubt));
    for scored in of_maps {
        let options = &scored.suggestion.options;
        match all.iter_mut().find(|other| other.suggestion.options == *options) {
            Some(known) => {
                known.suggestion.cells += scored.suggestion.cells;
                known.score = known.score.max(scored.score);
            }
            None => all.push(scored),
        }
    }
    all.retain(|Scored { suggestion, score }| {
        let is_sure = !suggestion.is_guess || found == Found::Nothing;
        is_sure || *score >= LEAST_IN_DOUBT && doubt.is_some_and(|it| it.allows(suggestion))
    });
    best_first(&mut all);
    all.truncate(MOST);
    let mut best: Vec<Suggestion> = all.into_iter().map(|scored| scored.suggestion).collect();
    if let Some(Doubt { why, .. }) = doubt {
        for guess in best.iter_mut().filter(|suggestion| suggestion.is_guess) {
            guess.why = format!("{why}; {}", guess.why);
        }
    }
    best
}

/// The score of a guess about layers or properties beside guesses about classes and objects. If all
/// of them came before any of these, 9 of 87 real maps with unknown words lost their right first suggestion.
const BEFORE_THINGS: i64 = 20;

/// Sorts suggestions: those that are no guess first. Guesses about layers and properties come before guesses
/// about classes and objects, unless much more speaks for these.
fn best_first(all: &mut [Scored]) {
    all.sort_by_key(|Scored { score, suggestion }| {
        let is_of_things = matches!(
            suggestion.options.first(),
            Some(Setting::SolidClass(_) | Setting::SolidObject(_))
        );
        let before = if suggestion.is_guess && !is_of_things { BEFORE_THINGS } else { 0 };
        Reverse((!suggestion.is_guess, score + before, suggestion.cells))
    });
}

fn of_map(
    census: &Census<'_>,
    rules: &SolidRules,
    found: Found,
    doubt: Option<&Doubt>,
) -> Vec<Scored> {
    let mut all = Vec::new();
    near_words(census, rules, &mut all);
    all.extend(said::mixed_shapes(census, rules, found));
    said::named_among_walls(census, rules, &mut all);
    if found == Found::Nothing || doubt.is_some() {
        objects(census, rules, &mut all);
        tile_layers(census, rules, &mut all);
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

/// The key of similar suggestions: the use of a word in the map, the rule word that it resembles, and the
/// kind of resemblance.
type SuggestionKey<'w> = (CensusRole, &'w str, Likeness);

/// Suggests words of the map that resemble words of the rules: one suggestion per [`SuggestionKey`].
fn near_words(census: &Census<'_>, rules: &SolidRules, all: &mut Vec<Scored>) {
    let mut groups: Vec<(SuggestionKey<'_>, Vec<(&str, u64)>)> = Vec::new();
    for ((role, word), count) in &census.words {
        let lists: &[&Vec<String>] = match role {
            CensusRole::Layer => &[&rules.layer_names],
            CensusRole::Class => {
                &[&rules.tile_classes, &rules.object_classes, &rules.layer_classes]
            }
            CensusRole::True => &[&rules.solid_properties, &rules.object_properties],
            CensusRole::False => &[&rules.passable_properties],
        };
        let is_art = *role == CensusRole::Layer && word.starts_with(AUTO_TILES);
        if *count == 0 || is_art || is_known(census, rules, *role, word) {
            continue;
        }
        let mut rule_words = words_of(lists);
        rule_words.truncate(MAX_RULE_WORDS);
        if let Some((meant, how)) = likeness(word, &rule_words) {
            let key = (*role, meant, how);
            match groups.iter_mut().find(|(other, _)| *other == key) {
                Some((_, words)) if words.len() == MAX_WORDS => {}
                Some((_, words)) => words.push((word, *count)),
                None => groups.push((key, vec![(word, *count)])),
            }
        }
    }
    all.extend(groups.into_iter().map(|(key, words)| near(key, &words)));
}

/// True if the rules list the word for this use, or make a layer of this name or class solid, passable or the
/// floor.
fn is_known(census: &Census<'_>, rules: &SolidRules, role: CensusRole, word: &str) -> bool {
    match role {
        CensusRole::Layer => {
            let mut layers = census.layers.iter().filter(|layer| layer.name() == word);
            layers.any(|layer| speak_of(rules, layer.context.layer))
        }
        CensusRole::Class => {
            let lists = [&rules.tile_classes, &rules.object_classes, &rules.layer_classes];
            let mut layers = census.layers.iter().map(|layer| layer.context.layer);
            lists.into_iter().any(|list| names(list, word))
                || names(&rules.one_way_classes, word)
                || layers.any(|layer| layer.class == word && speak_of(rules, layer))
        }
        CensusRole::True | CensusRole::False => {
            let lists = [
                &rules.layer_properties,
                &rules.layer_passable_properties,
                &rules.solid_properties,
                &rules.passable_properties,
                &rules.object_properties,
                &rules.trigger_properties,
                &rules.one_way_properties,
            ];
            lists.into_iter().any(|list| names(list, word))
        }
    }
}

/// Returns the suggestion that the words in `words` mean the rule's word `meant`.
fn near((role, meant, how): SuggestionKey<'_>, words: &[(&str, u64)]) -> Scored {
    let texts: Vec<String> = words.iter().map(|(word, _)| (*word).to_owned()).collect();
    let (one, several) = match role {
        CensusRole::Layer => ("the name of the layer", "the names of the layers"),
        CensusRole::Class => ("the class", "the classes"),
        CensusRole::True | CensusRole::False => ("the property", "the properties"),
    };
    let (is_like, are_like, score) = match how {
        Likeness::Misspelt => ("is nearly", "are nearly", 190),
        Likeness::Contains => ("has the word", "have the word", 95),
    };
    let (noun, verb) = if words.len() == 1 { (one, is_like) } else { (several, are_like) };
    let why = format!("{noun} {} {verb} `{meant}`", listed(texts.iter()));
    let cells = words.iter().map(|(_, count)| count).sum();
    let options = texts.into_iter().map(|text| role.setting(text)).collect();
    // Beside solids, only words of one meaning count: some `House walls` are art.
    let is_clear = CLEAR.iter().any(|clear| meant.starts_with(clear))
        && words.iter().all(|(word, _)| ends_with(word, meant));
    let is_guess = how == Likeness::Contains && !is_clear;
    Scored { score, suggestion: Suggestion { is_guess, ..Suggestion::new(why, cells, options) } }
}

/// True if the last token of a word contains `meant`, and no token means an item: `enemy collision` is solid
/// for the enemies alone.
fn ends_with(word: &str, meant: &str) -> bool {
    let mut tokens = words_in(word);
    tokens.retain(|token| !is_number(token));
    tokens.last().is_some_and(|last| last.contains(meant)) && !has_word(&tokens, ITEMS)
}

/// Suggests as solid the object layers whose shapes mostly have neither a name nor a class. Also suggests
/// classes of at least 3 shapes, and names of at least 3 shapes without a class.
fn objects(census: &Census<'_>, rules: &SolidRules, all: &mut Vec<Scored>) {
    let mut words: BTreeMap<(bool, &str), u64> = BTreeMap::new();
    for layer in &census.layers {
        let LayerContent::Objects(content) = &layer.context.layer.content else { continue };
        let mut shapes = 0;
        let mut plain = 0;
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
        let tokens = words_in(layer.name());
        let is_other = has_word(&tokens, ITEMS) || has_word(&tokens, OTHER_OBJECTS);
        let may_be_solid = !is_ruled(layer, rules) && !is_denied(layer.name());
        if plain >= FEW && plain * 2 >= shapes && may_be_solid {
            let why = format!(
                "{} on the layer `{}` have neither a name nor a class",
                counted(plain, "shape"),
                printable(layer.name())
            );
            let options = vec![Setting::SolidLayer(layer.name().to_owned())];
            let suggestion = Suggestion::guess(why, layer.items, options);
            let solid = if has_word(&tokens, SOLID_WORDS) { 10 } else { 0 };
            let score = 45 + solid - if is_other { 20 } else { 0 };
            all.push(Scored { score, suggestion });
        }
    }
    for ((is_class, word), count) in words.into_iter().filter(|(_, count)| *count >= FEW) {
        let (noun, option) = if is_class {
            ("class", Setting::SolidClass(word.to_owned()))
        } else {
            ("name", Setting::SolidObject(word.to_owned()))
        };
        let why = format!("{} have the {noun} `{}`", counted(count, "shape"), printable(word));
        all.push(Scored { score: 30, suggestion: Suggestion::guess(why, count, vec![option]) });
    }
}

/// True if the rules make a layer, or a group around it, solid, passable or the floor.
fn is_ruled(layer: &LayerCensus<'_>, rules: &SolidRules) -> bool {
    let own = layer.context.parents.iter().chain([&layer.context.layer]);
    own.into_iter().any(|layer| is_layer(&rules.decoration_layers, layer) || speak_of(rules, layer))
}

/// True if the rules make this layer or group itself solid, passable or the floor.
fn speak_of(rules: &SolidRules, layer: &Layer) -> bool {
    is_layer(&rules.walkable_layers, layer) || rules.is_solid_layer(layer).is_some()
}

fn is_cover(object: &Object) -> bool {
    object.gid.is_none()
        && match object.shape {
            Shape::Point | Shape::Text(_) => false,
            Shape::Rectangle | Shape::Ellipse | Shape::Capsule => {
                object.size.x > Decimal::default() && object.size.y > Decimal::default()
            }
            _ => true,
        }
}

/// Suggests the three tile layers whose tiles look most like solids or a floor. A name is suggested once.
fn tile_layers(census: &Census<'_>, rules: &SolidRules, all: &mut Vec<Scored>) {
    const SHOWN: usize = 3;
    let mut guesses = guesses(census);
    guesses.sort_by_key(|guess| Reverse((guess.score, guess.layer)));
    let mut seen: Vec<&str> = Vec::new();
    for Guess { layer, score, role, option, why } in guesses {
        if seen.len() == SHOWN {
            return;
        }
        let layer = &census.layers[layer];
        let name = layer.name();
        let is_art = name.starts_with(AUTO_TILES);
        let is_solid = matches!(option, Setting::SolidLayer(_));
        let is_wrong = is_art || (is_solid && is_denied(name)) || is_ruled(layer, rules);
        if name.is_empty() || is_wrong || seen.contains(&name) {
            continue;
        }
        seen.push(name);
        let same = census.layers.iter().filter(|other| other.name() == name);
        let items: u64 = same.map(|other| other.items).sum();
        let why = format!("the layer `{}` may be {role}: {}", printable(name), why.join(", "));
        all.push(Scored { score, suggestion: Suggestion::guess(why, items, vec![option]) });
    }
}
