//! Facts about all layers of a map on which the effect of a single layer depends. A mark is any property,
//! class, name or shape that makes something solid. No cell is read.

use crate::rules::{Says, SolidRules, Weight};
use crate::tmx::{Layer, LayerContent, Map, Object, Shape};

/// Facts about a whole map on which the effect of its layers' properties, classes and names depends.
#[derive(Clone, Debug, Default)]
pub(super) struct MapFacts {
    /// The name of a property that makes a tile layer passable. If it is `Some`, all tile layers about which
    /// no other rule decides are solid.
    pub(super) exception: Option<String>,
    /// True if a shape on an object layer is solid by its own name or by the name of the layer.
    pub(super) has_solid_objects: bool,
    /// True if tiles on decoration layers count like tiles on other layers, because nothing else is solid.
    pub(super) decoration_counts: bool,
}

impl MapFacts {
    /// Reads these facts from the layers and objects of a map. O(layers + objects).
    pub(super) fn new(map: &Map, rules: &SolidRules) -> Self {
        let mut facts = Self::default();
        let mut has_art = false;
        for context in map.walk() {
            let layer = context.layer;
            let is_by_name = matches!(
                rules.layer(layer),
                Says::Solid(mark) if mark.weight == Weight::Name
            );
            if matches!(layer.content, LayerContent::Tiles(_)) && facts.exception.is_none() {
                facts.exception = rules.exception(layer);
            }
            has_art |= is_by_name && !matches!(layer.content, LayerContent::Objects(_));
            facts.has_solid_objects |= is_any_object(layer, &|object| {
                let is_shape = !matches!(object.shape, Shape::Point | Shape::Text(_));
                let is_solid = is_by_name && !rules.is_place(object);
                object.gid.is_none() && is_shape && (is_solid || rules.is_named_solid(object))
            });
        }
        facts.has_solid_objects &= has_art;
        facts
    }
}

pub(super) fn is_any_object(layer: &Layer, is_wanted: &dyn Fn(&Object) -> bool) -> bool {
    matches!(&layer.content, LayerContent::Objects(objects) if objects.objects.iter().any(is_wanted))
}

/// True for a name such as `Collision`, which layers of art do not have.
pub(super) fn is_named_for_collision(name: &str) -> bool {
    name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("colli"))
}
