//! Suggestions for games with unknown words: the words for solids in each real map are replaced by a word
//! that no rule knows.

use std::sync::Arc;

use bitwall::geometry::Outside;
use bitwall::rules::SolidRules;
use bitwall::tmx::{Layer, LayerContent, Map, Properties};
use bitwall::{LoadOptions, LoadedLevel};

use super::Tally;
use crate::conventions::table::{Row, rows};
use crate::support::shared;

const UNKNOWN: &str = "thing";

/// True if one of `words` matches `text`. Ignores a layer kind before `:` in the word.
fn has(words: &[String], text: &str) -> bool {
    let text = text.to_lowercase();
    words.iter().any(|word| {
        let word = word.rsplit(':').next().unwrap().to_lowercase();
        text == word || word.strip_suffix('*').is_some_and(|start| text.starts_with(start))
    })
}

fn replace(words: &[String], text: &mut String) {
    if has(words, text) {
        UNKNOWN.clone_into(text);
    }
}

fn replace_properties(rules: &SolidRules, properties: &mut Properties) {
    let lists = [
        &rules.layer_properties,
        &rules.layer_passable_properties,
        &rules.solid_properties,
        &rules.passable_properties,
        &rules.object_properties,
    ];
    let is_known = |name: &str| {
        lists.into_iter().any(|list| has(list, name))
            || rules.solid_values.iter().any(|known| known.name.eq_ignore_ascii_case(name))
    };
    let all = std::mem::take(properties).into_iter();
    let unknown = |name: String| if is_known(&name) { UNKNOWN.to_owned() } else { name };
    properties.extend(all.map(|(name, property)| (unknown(name), property)));
}

fn replace_layer(rules: &SolidRules, layer: &mut Layer) {
    replace(&rules.layer_names, &mut layer.name);
    replace(&rules.layer_classes, &mut layer.class);
    replace_properties(rules, &mut layer.properties);
    match &mut layer.content {
        LayerContent::Group(inner) => inner.iter_mut().for_each(|it| replace_layer(rules, it)),
        LayerContent::Objects(objects) => {
            for object in &mut objects.objects {
                replace(&rules.object_classes, &mut object.class);
                replace(&rules.object_names, &mut object.name);
                replace_properties(rules, &mut object.properties);
            }
        }
        _ => {}
    }
}

/// Replaces the words for solids in a map. Shapes of tiles stay.
fn with_unknown_words(mut map: Map) -> Map {
    let rules = SolidRules::default();
    map.layers.iter_mut().for_each(|layer| replace_layer(&rules, layer));
    for set in &mut map.tilesets {
        replace(&rules.layer_names, &mut set.name);
        for tile in set.tiles.values_mut().map(Arc::make_mut) {
            replace(&rules.tile_classes, &mut tile.class);
            replace_properties(&rules, &mut tile.properties);
        }
    }
    map
}

#[test]
fn half_the_real_games_are_solved_by_rule_or_first_suggestion_if_their_words_are_unknown() {
    let (Some(corpus), Some(fresh)) = (shared("corpus"), shared("fresh")) else {
        return;
    };
    let load = |row: &Row, options: &LoadOptions| {
        let map = row.loaded(&LoadOptions::default()).map().unwrap().clone();
        let mut options = LoadOptions {
            outside: Outside::Open.into(),
            allow_nothing_solid: true,
            ..options.clone()
        };
        // Their words are like those of the rules, which must be unknown here.
        options.solid_rules.last_resorts.clear();
        LoadedLevel::from_map(with_unknown_words(map), &options).unwrap()
    };
    let all: Vec<Row> = rows(&corpus, None).into_iter().chain(rows(&fresh, None)).collect();
    let tally = Tally::of(all.iter(), &load);
    println!("with unknown words: {tally:?}");
    assert!((tally.by_default + tally.by_first) * 2 >= tally.all, "too few are right");
}
