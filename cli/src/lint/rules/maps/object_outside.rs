//! Objects of the level that lie wholly outside of their map.

use crate::lint::finding::Finding;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::geometry::Aabb;
use bitwall::load::Place;
use bitwall::text::counted;

rule! {
    /// # What it finds
    /// An object of a finite map that is solid, one-way, in an area, or a marker that the options name, and
    /// that lies wholly outside of the map. Solids within a tile of the map's edge are passed over: many maps
    /// have a wall around them there.
    ///
    /// # Why it matters
    /// The level ends at the map's edge, so the object is not in it. In most cases it was dragged away, or
    /// the map was made smaller.
    ///
    /// # How to fix
    /// Move it back into the map, or delete it.
    OBJECT_OUTSIDE = "TMX116" "object-outside" Warning on(Map)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let (Some(map), Some(survey)) = (subject.map(), subject.survey()) else {
        return Vec::new();
    };
    let Some(area) = survey.area else {
        return Vec::new();
    };
    let tile = map.tile_size.as_ivec2();
    let near = Aabb { min: area.min.saturating_sub(tile), max: area.max.saturating_add(tile) };
    let is_marker = |name: &str| subject.options.markers.iter().any(|spec| spec.matches(name));
    let mut findings: Vec<(Finding, usize)> = Vec::new();
    for layer in &survey.layers {
        let mut outside = Vec::new();
        for it in &layer.objects {
            let is_marker = is_marker(&it.object.name);
            let around = if it.stops && !is_marker { near } else { area };
            if !(it.stops || it.is_of_area || is_marker) || meets(around, it.bounds) {
                continue;
            }
            outside.push((it, is_marker));
        }
        let Some(&(it, is_marker)) = outside.first() else {
            continue;
        };
        let kind = match () {
            () if is_marker => "the marker",
            () if it.stops => "a solid object",
            () => "an object of an area",
        };
        let place = Place {
            line: (it.object.line > 0).then_some((it.object.line, 1)),
            layer: Some(layer.context.path.clone()),
            object: Some(it.object.id),
            ..Place::default()
        };
        let at = it.object.position;
        let at = format!("x {}, y {}", at.x.as_f64(), at.y.as_f64());
        let finding =
            Finding::new(&OBJECT_OUTSIDE, subject.path, format!("{kind} lies outside of the map"))
                .at(place)
                .area(it.bounds)
                .note(format!("it is at {at}; the map is {}", size(area)))
                .help("move it back into the map, or delete it");
        let names = outside.iter().map(|(it, _)| format!("object {}", it.object.id));
        let finding = finding.of_named(format!("`{}`", layer.context.path), names);
        findings.push((finding, outside.len()));
    }
    let finding = |(finding, count): (Finding, usize)| match count {
        1 => finding,
        _ => finding.note(format!("{} of its layer lie so", counted(count as u64, "object"))),
    };
    findings.into_iter().take(super::MOST_FINDINGS).map(finding).collect()
}

/// True if an object in this box may have a pixel in the area; a point has none, but a place.
fn meets(area: Aabb, bounds: Aabb) -> bool {
    let end = bounds.max.max(bounds.min.saturating_add(bitwall::glam::IVec2::ONE));
    bounds.min.cmplt(area.max).all() && end.cmpgt(area.min).all()
}

fn size(area: Aabb) -> String {
    let Aabb { min, max } = area;
    format!("x {}..{}, y {}..{}", min.x, max.x, min.y, max.y)
}
