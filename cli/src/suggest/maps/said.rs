//! Suggestions from what a map says beside the words of the rules: collision shapes on some tiles of a solid
//! layer, and names among unnamed walls.

use std::collections::BTreeSet;

use bitwall::rules::{SolidRules, is_layer};
use bitwall::text::{counted, listed, printable, words_in};
use bitwall::tmx::LayerContent;

use super::{Census, LayerCensus, MAX_WORDS, SOLID_WORDS, Scored, has_word, is_cover, names};
use crate::suggest::{Found, Setting, Suggestion};

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
