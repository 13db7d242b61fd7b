//! The last resorts: rules for a level in which nothing is solid by the others. Each chooses whole layers, by
//! words that are only like those of solids, or by their kind.
//!
//! A level with a solid is never asked. A level that relies on such a rule has a warning.

use std::collections::BTreeMap;

use super::judge::{Says, is_layer};
use super::{LastResort, SolidRules};
use crate::text::{is_name_like, listed, words_in};
use crate::tmx::{INT_GRID, Layer, LayerContent, Map, TAGGED};

/// Words for solids. A final `*` stands for any letters. The text after a `*` may be anywhere in a word.
const SOLID: &str = "*collid *collis colis* kollision* solid* wall walls obstacle* barrier* boundar* bounds \
                     border borders block blocks blocked blocker* blocking impass* unpass* unwalk* \
                     physics hitbox*";

/// The beginnings of whole names for places that nobody may enter.
const CLOSED: &str = "nowalk* notwalk* nonwalk* nopass* notpass* nonpass* nogo* noentry*";

/// Words for the ground of characters, and for things that stand in their way.
const GROUND: &str = "ground grounds floor floors platform platforms terrain building buildings house houses \
                      rock rocks cliff cliffs fence fences border borders edge edges";

/// Words for layers and values that are not, or not only, the walls of a level.
const OTHER: &str = "no nocol* not non noncol* un without never back background* bg fore foreground* fg \
                     front top above over overlay* overhead deco decor* detail* shadow* light* roof* fake \
                     trigger* sensor* event* area areas zone* door* enemy enemies npc* monster* player* \
                     camera* spawn* moving falling break* destr* one oneway item* coin* death deadly \
                     damage hurt kill* hazard* lava spike* water jump";

/// Words for values of an IntGrid layer that stop nobody.
const PASSABLE: &str = "ladder* climb* vine* rope* water* lava* liquid* acid* spike* hazard* air \
                        empty void none one oneway semi background* bg spawn* coin*";

/// True if a word of `name` is one of `words`.
fn has_word(name: &str, words: &str) -> bool {
    words_in(name).iter().any(|word| {
        words.split(' ').any(|known| match known.strip_prefix('*') {
            None => is_name_like(known, word),
            Some(part) => word.contains(part),
        })
    })
}

fn is_like_solid(name: &str) -> bool {
    let is_solid = has_word(name, SOLID) && !has_word(name, OTHER);
    is_solid || has_word(&words_in(name).concat(), CLOSED)
}

impl LastResort {
    /// Returns the rules with which something in the maps of a level may be solid by this rule, and
    /// the reason in words. `None` if the rule applies to nothing in the maps.
    pub(crate) fn in_maps(self, maps: &[&Map], rules: &SolidRules) -> Option<(SolidRules, String)> {
        // The chosen layers; true for a layer that the rules make solid by its name.
        let mut chosen = BTreeMap::new();
        for map in maps {
            for context in map.walk() {
                let layer = context.layer;
                let says = rules.layer(layer);
                // Nothing in a layer that is solid already is left for words.
                let is_open = says == Says::Nothing || self == Self::IntGrid;
                if is_open
                    && says != Says::Passable
                    && !is_layer(&rules.decoration_layers, layer)
                    && self.chooses(map, layer)
                {
                    let name = format!("{}:{}", layer.content.kind(), layer.name);
                    chosen.insert(name, says != Says::Nothing);
                }
            }
        }
        if self == Self::IntGrid && chosen.len() > 1 {
            chosen.retain(|_, is_named| *is_named);
        }
        let why = match self {
            Self::IntGrid if chosen.len() == 1 => {
                "the only IntGrid layer for solids counts as solid"
            }
            Self::SimilarNames if !chosen.is_empty() => {
                "layers with words like those of solid layers count as solid"
            }
            Self::GroundObjects if !chosen.is_empty() => {
                "object layers with words for the ground count as solid"
            }
            Self::ArtTags if maps.iter().any(|map| has_set(map, TAGGED)) => {
                let rules = SolidRules { last_resorts: Vec::new(), ..rules.clone() };
                return Some((rules, "the tags of drawn tiles count".to_owned()));
            }
            _ => return None,
        };
        let names: Vec<String> = chosen.into_keys().collect();
        let mut rules = SolidRules { named_values: true, ..rules.clone() };
        rules.layer_names.extend_from_slice(&names);
        Some((rules, format!("{why}: {}", listed(names.iter()))))
    }

    fn chooses(self, map: &Map, layer: &Layer) -> bool {
        match self {
            Self::IntGrid => map.tilesets.iter().any(|set| {
                set.class == INT_GRID && set.name == layer.name && !set.tiles.is_empty()
            }),
            Self::SimilarNames => {
                is_like_solid(&layer.name) && !matches!(layer.content, LayerContent::Image(_))
            }
            Self::GroundObjects => {
                let LayerContent::Objects(objects) = &layer.content else { return false };
                let shapes = objects.objects.iter().filter(|object| object.gid.is_none()).count();
                let is_of_shapes = shapes * 2 > objects.objects.len();
                is_of_shapes && has_word(&layer.name, GROUND) && !has_word(&layer.name, OTHER)
            }
            Self::ArtTags => false,
        }
    }
}

fn has_set(map: &Map, class: &str) -> bool {
    map.tilesets.iter().any(|set| set.class == class)
}

impl SolidRules {
    /// True if the name of a value of an IntGrid layer ends with the class of a solid (`PermanentWall`), or
    /// begins with `solid`.
    pub(crate) fn is_compound_value(&self, name: &str) -> bool {
        let words = words_in(name);
        let last = words.iter().rev().find(|word| !word.chars().all(char::is_numeric));
        let first = words.first().filter(|word| *word == "solid");
        let mut ends = last.into_iter().chain(first);
        ends.any(|word| self.tile_classes.iter().any(|class| is_name_like(class, word)))
            && !has_word(name, OTHER)
    }

    /// True if a layer's name alone does not make the value `name` of an IntGrid layer solid.
    pub(crate) fn is_open_value(&self, name: &str) -> bool {
        !name.is_empty() && (!self.named_values || has_word(name, PASSABLE))
    }

    /// True if the tags of the drawn tiles of an LDtk project count only as a last resort.
    pub(crate) fn ranks_tags_last(&self, map: &Map) -> bool {
        self.last_resorts.contains(&LastResort::ArtTags) && has_set(map, INT_GRID)
    }
}
