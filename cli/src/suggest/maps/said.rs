//! Suggestions from what a map says in other words than those of the rules: flags that count elsewhere,
//! values that are words for solids, tiles of the floor, and names among unnamed walls.

use std::collections::{BTreeMap, BTreeSet};

use bitwall::property::PropertyValue;
use bitwall::rules::{SolidRules, is_layer};
use bitwall::text::{counted, is_name_like, is_same_name, listed, printable, words_in};
use bitwall::tmx::{LayerContent, Map, PlacedMap, PlacedTile, Properties, Tileset};

use super::{Census, LayerCensus, MAX_WORDS, SOLID_WORDS, Scored, has_word, is_cover, names};
use crate::suggest::{Found, INT_GRID, Setting, Suggestion, TileRange};

/// Words in the names of LDtk's values for cells on which characters walk.
const FLOORS: &str = "floor floors ground walkable walk path road corridor room";

/// The properties in which some tools store the closed sides of a tile as a number: 0 means no closed side.
const SIDES: [&str; 3] = ["passage", "passages", "passability"];

/// Suggests properties with the name of a solid property but no bool value: `solid` = 2, `solid` = "yes".
pub(super) fn other_types(census: &Census<'_>, rules: &SolidRules, all: &mut Vec<Scored>) {
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
        let suggestion = Suggestion::new(why, *count, vec![value_setting(name, value)]);
        all.push(Scored { score: 200, suggestion });
    }
}

fn value_setting(name: &str, value: &str) -> Setting {
    Setting::SolidValue { name: name.to_owned(), value: value.trim().to_owned() }
}

/// Suggests as solid all values other than 0 of a property such as `passage` of RPG Maker.
pub(super) fn numbers(census: &Census<'_>, rules: &SolidRules, all: &mut Vec<Scored>) {
    for word in SIDES {
        let is_known = rules.solid_values.iter().any(|known| is_same_name(&known.name, word));
        let mut options = Vec::new();
        let mut cells = 0;
        for ((name, value), count) in &census.values {
            let is_closed = value.trim().parse().is_ok_and(|sides: u32| sides > 0);
            if is_same_name(name, word) && is_closed && !is_known && options.len() < MAX_WORDS {
                options.push(value_setting(name, value));
                cells += count;
            }
        }
        let why = format!("the property `{word}` numbers the closed sides of a tile in some tools");
        if !options.is_empty() {
            all.push(Scored { score: 195, suggestion: Suggestion::new(why, cells, options) });
        }
    }
}

/// Suggests a property of objects that the rules know only for layers and tiles, such as `collision`.
pub(super) fn flags_of_objects(census: &Census<'_>, rules: &SolidRules, all: &mut Vec<Scored>) {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for layer in &census.layers {
        let LayerContent::Objects(content) = &layer.context.layer.content else { continue };
        for (name, property) in content.objects.iter().flat_map(|object| &object.properties) {
            let is_known = names(&rules.object_properties, name);
            if !is_known && names(&rules.solid_properties, name) && is_true(&property.value) {
                *counts.entry(name).or_default() += 1;
            }
        }
    }
    for (name, count) in counts {
        let of = counted(count, "object");
        let why = format!("{of} have the property `{}`, as walls elsewhere", printable(name));
        let options = vec![Setting::SolidProperty(name.to_owned())];
        all.push(Scored { score: 160, suggestion: Suggestion::guess(why, count, options) });
    }
}

fn is_true(value: &PropertyValue) -> bool {
    value.as_flag() == Some(true)
}

/// Suggests the values that are, or end with, a word for solids: `kind` = "wall", or the data of LDtk's
/// tiles. One suggestion has all such values of a property.
pub(super) fn values(census: &Census<'_>, rules: &SolidRules, all: &mut Vec<Scored>) {
    let mut found: BTreeMap<&str, (Vec<Setting>, u64)> = BTreeMap::new();
    for ((name, value), count) in &census.values {
        let words = words_in(value);
        let is_solid = names(&rules.tile_classes, value.trim())
            || words.len() <= MAX_WORDS
                && words.last().is_some_and(|word| names(&rules.tile_classes, word));
        let (options, cells) = found.entry(name).or_default();
        if is_solid && *count > 0 && options.len() < MAX_WORDS {
            options.push(value_setting(name, value));
            *cells += count;
        }
    }
    for (name, (options, cells)) in
        found.into_iter().filter(|(_, (options, _))| !options.is_empty())
    {
        let why = format!("a value of the property `{}` is a word for solids", printable(name));
        all.push(Scored { score: 155, suggestion: Suggestion::guess(why, cells, options) });
    }
}

/// Suggests as solid the tiles without a flag on layers with tiles that say `walkable`.
pub(super) fn beside_floors(census: &Census<'_>, rules: &SolidRules, all: &mut Vec<Scored>) {
    for layer in &census.layers {
        let mut floor: BTreeSet<(usize, u32)> = BTreeSet::new();
        let mut rest = 0;
        for (gid, count) in &layer.kinds.counts {
            let flags = census.tile(*gid).map(|tile| &tile.properties);
            match census.map.tile(*gid) {
                Some(PlacedTile { tileset, id, .. })
                    if flags.is_some_and(|flags| says_walkable(flags, rules)) =>
                {
                    floor.insert((tileset, id));
                }
                _ => rest += count,
            }
        }
        let free = ranges(census.map, &floor);
        if floor.is_empty() || rest == 0 || free.len() > 2 * MAX_WORDS {
            continue;
        }
        let name = layer.name();
        let why = format!(
            "tiles of the layer `{}` say that they are walkable, so the others may be solid",
            printable(name)
        );
        let options = [Setting::SolidLayer(name.to_owned())].into_iter();
        let options = options.chain(free.into_iter().map(Setting::PassableTiles)).collect();
        all.push(Scored { score: 150, suggestion: Suggestion::guess(why, rest, options) });
    }
}

fn says_walkable(properties: &Properties, rules: &SolidRules) -> bool {
    let mut flags = properties.iter();
    flags.any(|(name, it)| names(&rules.passable_properties, name) && is_true(&it.value))
}

/// The tiles as ranges of ids, ascending.
fn ranges(map: &Map, tiles: &BTreeSet<(usize, u32)>) -> Vec<TileRange> {
    let mut ranges: Vec<(usize, u32, u32)> = Vec::new();
    for (tileset, id) in tiles {
        match ranges.last_mut() {
            Some((last, _, end)) if last == tileset && *end + 1 == *id => *end = *id,
            _ => ranges.push((*tileset, *id, *id)),
        }
    }
    let ranges = ranges.into_iter().filter_map(|(tileset, first, last)| {
        Some(TileRange::new(map.tilesets.get(tileset)?.name.clone(), Some((first, last))))
    });
    ranges.collect()
}

/// Suggests that only collision shapes are solid, as in some games. Two conditions must hold for the tiles on
/// solid layers:
/// - Some have collision shapes, and some have none.
/// - At least three in four have shapes, or everything in the level is solid.
pub(super) fn mixed_shapes(
    census: &Census<'_>,
    rules: &SolidRules,
    found: Found,
) -> Option<Scored> {
    if found == Found::Nothing || rules.shapes_only {
        return None;
    }
    let mut with = 0;
    let mut without = 0;
    for layer in &census.layers {
        if rules.is_solid_layer(layer.context.layer) != Some(true) {
            continue;
        }
        for (gid, count) in &layer.kinds.counts {
            let has_shapes = census.tile(*gid).is_some_and(|tile| !tile.shapes.is_empty());
            *(if has_shapes { &mut with } else { &mut without }) += count;
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

/// Suggests that the few named objects among the unnamed walls of a layer are no walls. Names with a word for
/// solids are left out.
pub(super) fn named_among_walls(census: &Census<'_>, rules: &SolidRules, all: &mut Vec<Scored>) {
    for layer in census.layers.iter().filter(|layer| is_solid_by_name(layer, rules)) {
        let LayerContent::Objects(content) = &layer.context.layer.content else { continue };
        let mut unnamed = 0;
        let mut named = 0;
        let mut others: BTreeSet<&String> = BTreeSet::new();
        for object in content.objects.iter().filter(|object| is_cover(object)) {
            let words = words_in(&object.name);
            if object.name.is_empty() || names(&rules.place_names, &object.name) {
                unnamed += u64::from(object.name.is_empty());
            } else if !words.iter().any(|word| names(&rules.object_names, word))
                && !has_word(&words, SOLID_WORDS)
            {
                named += 1;
                others.insert(&object.name);
            }
        }
        if named == 0 || named * 2 > unnamed || others.len() > MAX_WORDS {
            continue;
        }
        let why = format!(
            "most objects of the solid layer `{}` have no name; {} may be no wall",
            printable(layer.name()),
            listed(others.iter().copied()),
        );
        let options = others.into_iter().map(|name| Setting::PlaceName(name.clone())).collect();
        all.push(Scored { score: 80, suggestion: Suggestion::new(why, named, options) });
    }
}

fn is_solid_by_name(layer: &LayerCensus<'_>, rules: &SolidRules) -> bool {
    let layer = layer.context.layer;
    let is_by_class = names(&rules.layer_classes, &layer.class);
    rules.is_solid_layer(layer) == Some(true) && is_layer(&rules.layer_names, layer) && !is_by_class
}

/// Suggests that an LDtk layer with a value such as `floor` has solids wherever its value is another one.
pub(super) fn floor_values(maps: &[PlacedMap]) -> Option<Scored> {
    let sets = maps.iter().flat_map(|placed| &placed.map.tilesets);
    let mut layers: BTreeMap<&String, Vec<&Tileset>> = BTreeMap::new();
    for set in sets.filter(|set| set.class == INT_GRID && !set.tiles.is_empty()) {
        layers.entry(&set.name).or_default().push(set);
    }
    let is_floor = |class: &String| has_word(&words_in(class), FLOORS);
    for (layer, sets) in layers {
        let classes = sets.iter().flat_map(|set| set.tiles.values()).map(|tile| &tile.class);
        let classes: BTreeSet<&String> = classes.collect();
        let floors = classes.iter().filter(|class| is_floor(class)).count();
        let is_named = classes.iter().all(|class| !class.is_empty());
        if floors == 0 || floors == classes.len() || !is_named || classes.len() > MAX_WORDS {
            continue;
        }
        let walls = classes.into_iter().filter(|class| !is_floor(class));
        let walls = walls.map(|class| Setting::SolidClass(class.clone()));
        let options: Vec<Setting> =
            [Setting::WalkableLayer(layer.clone())].into_iter().chain(walls).collect();
        let why = format!("a value of the layer `{}` is a floor", printable(layer));
        let cells = sets.iter().map(|set| set.tiles.len() as u64).sum();
        return Some(Scored { score: 165, suggestion: Suggestion::guess(why, cells, options) });
    }
    None
}
