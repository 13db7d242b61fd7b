//! Layers of solids that are moved against the map.

use crate::lint::finding::Finding;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::load::{Place, SurveyedLayer};
use bitwall::tmx::{Decimal, LayerKind, Orientation, Point};

rule! {
    /// # What it finds
    /// A layer with something solid or one-way on it that has a parallax factor other than 1, and a layer of
    /// tiles of an orthogonal map that is solid as a whole and has an offset. Those of the groups around it
    /// count too. An offset of other layers is no fault: objects and drawn tiles are often moved on purpose,
    /// and on slanted maps an offset stands for a height.
    ///
    /// # Why it matters
    /// With a parallax factor the layer slides over the map as the camera moves, but its walls stay: the
    /// player runs into nothing. An offset counts here and in Tiled, but many programs read the cells of a
    /// layer and leave out its offset, so their walls are elsewhere.
    ///
    /// # How to fix
    /// Set the parallax factors to 1 and the offset to 0 in the layer's properties, and draw the walls where
    /// they are meant to be.
    MOVED_COLLISION_LAYER = "TMX119" "moved-collision-layer" Warning on(Map)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let (Some(map), Some(survey)) = (subject.map(), subject.survey()) else {
        return Vec::new();
    };
    let is_flat = map.orientation == Orientation::Orthogonal;
    let layers = survey.layers.iter().filter(|layer| layer.stops);
    let finding = |layer: &SurveyedLayer<'_>| {
        let own = layer.context.layer;
        let around = layer.context.parents.iter().copied().chain([own]);
        let one = Decimal::from_pixels(1);
        let parallax = around.map(|layer| layer.parallax).find(|it| (it.x, it.y) != (one, one));
        let offset = layer.context.offset;
        let is_moved = is_flat
            && layer.is_solid
            && own.content.kind() == LayerKind::Tiles
            && offset != Point::default();
        let (headline, note, help) = match parallax {
            Some(Point { x, y }) => (
                "a layer with solids has a parallax factor".to_owned(),
                format!("it is {} and {}; the walls stay where they are", x.as_f64(), y.as_f64()),
                "set its parallax factors to 1, or move the solids to a layer of their own",
            ),
            None if is_moved => (
                format!(
                    "a layer with solids has the offset {}, {}",
                    offset.x.as_f64(),
                    offset.y.as_f64()
                ),
                "bitwall moves its walls with it, but many programs do not".to_owned(),
                "set the offset to 0, and draw the walls where they are meant to be",
            ),
            None => return None,
        };
        let place = Place {
            line: (own.line > 0).then_some((own.line, 1)),
            layer: Some(layer.context.path.clone()),
            ..Place::default()
        };
        let finding = Finding::new(&MOVED_COLLISION_LAYER, subject.path, headline);
        Some(finding.at(place).note(note).help(help))
    };
    layers.filter_map(finding).take(super::MOST_FINDINGS).collect()
}
