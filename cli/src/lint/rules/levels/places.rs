//! Facts and words that several rules of levels share: where a body stands at a marker, which areas are
//! rooms, and how a place of the level is named.

use crate::lint::finding::Finding;
use crate::lint::options::BodySpec;
use crate::lint::rule::Rule;
use crate::lint::subject::Subject;
use bitwall::analyze::{FreeSpace, TooComplex, standing};
use bitwall::glam::{IVec2, UVec2};
use bitwall::load::{Place, Source};
use bitwall::text::{printable, px};
use bitwall::{Aabb, LoadedLevel, Marker};

/// The positions of a body of this size that overlap a marker; for a point, the pixel that holds it.
pub(in crate::lint::rules) fn touching(marker: &Marker, size: UVec2) -> Aabb {
    let size = size.as_ivec2().max(IVec2::ONE);
    let end = marker.area.max.max(marker.area.min.saturating_add(IVec2::ONE));
    Aabb { min: marker.area.min.saturating_sub(size - 1), max: end }
}

/// The pixels of a marker that a body must overlap to take it. A side without length counts with the pixels
/// on both sides of it: a point that is drawn on the floor's line or on the edge of the map is taken.
pub(in crate::lint::rules) fn target(marker: &Marker) -> Aabb {
    let Aabb { min, max } = marker.area;
    let is_flat = max.cmple(min);
    Aabb {
        min: IVec2::select(is_flat, min.saturating_sub(IVec2::ONE), min),
        max: IVec2::select(is_flat, min.saturating_add(IVec2::ONE), max),
    }
}

/// The largest number of bodies that a rule looks at.
const MAX_BODIES: usize = 4;

/// The findings of a rule that looks at one body after the other; it gives up where the level is too complex.
pub(in crate::lint::rules) fn for_bodies(
    subject: &Subject<'_>,
    rule: &'static Rule,
    of_body: impl Fn(&LoadedLevel, &BodySpec) -> Result<Option<Finding>, TooComplex>,
) -> Vec<Finding> {
    let Some(loaded) = subject.loaded() else {
        return Vec::new();
    };
    let bodies = subject.bodies();
    if bodies.len() > MAX_BODIES {
        let count = bodies.len();
        subject
            .give_up(rule, format!("of {count} bodies only the first {MAX_BODIES} were looked at"));
    }
    let mut findings = Vec::new();
    for body in bodies.iter().take(MAX_BODIES) {
        match of_body(loaded, body) {
            Ok(finding) => findings.extend(finding),
            Err(error) => subject.give_up(rule, error.to_string()),
        }
    }
    findings
}

/// The areas in which a body can stand at one of the markers, rising.
pub(in crate::lint::rules) fn areas_at(free: &FreeSpace, markers: &[&Marker]) -> Vec<usize> {
    let at = |marker: &&Marker| standing(marker, free.body()).map(|body| free.area_at(body.min));
    let mut areas: Vec<usize> = markers.iter().flat_map(at).flatten().collect();
    areas.sort_unstable();
    areas.dedup();
    areas
}

/// The place of a pixel of the level in its file: a cell of a map, a pixel of a mask.
pub(in crate::lint::rules) fn place_of(loaded: &LoadedLevel, pixel: IVec2) -> Place {
    let level = &loaded.level;
    match &loaded.source {
        Source::Map(_) => {
            let cell = level.cell_at(pixel).saturating_add(level.first_cell());
            Place { cell: Some(cell.into()), ..Place::default() }
        }
        // A world has no cells of its own; the texts name the pixels.
        Source::World(_) => Place::default(),
        _ => {
            let pixel = pixel.max(IVec2::ZERO).as_uvec2();
            Place { pixel: Some(pixel.into()), ..Place::default() }
        }
    }
}

/// The place of a marker in its file.
pub(in crate::lint::rules) fn place_of_marker(loaded: &LoadedLevel, marker: &Marker) -> Place {
    Place {
        layer: Some(marker.layer.clone()),
        object: Some(marker.object),
        ..place_of(loaded, marker.position())
    }
}

/// The marker in words: `spawn`, at most 20 letters.
pub(in crate::lint::rules) fn name_of(marker: &Marker) -> String {
    quoted(&marker.name)
}

/// A marker in words that tell it from others of its name.
pub(in crate::lint::rules) fn id_of(marker: &Marker) -> String {
    format!("{}, object {} of `{}`", name_of(marker), marker.object, printable(&marker.layer))
}

/// A name in quotes, at most 20 letters of it.
pub(in crate::lint::rules) fn quoted(name: &str) -> String {
    let mut name = printable(name).to_string();
    if name.chars().count() > 20 {
        name = name.chars().take(19).chain(['…']).collect();
    }
    format!("`{name}`")
}

/// The body in words: `a body of 12 x 20 px`, with its name if it has one.
pub(in crate::lint::rules) fn body_of(body: &BodySpec) -> String {
    let size = px(body.size);
    // A body of the command line is named by its own numbers.
    let typed = format!("{}x{}", body.size.x, body.size.y);
    match &*body.name {
        name if name.is_empty() || name.starts_with(&typed) => format!("a body of {size}"),
        name => format!("{} ({size})", quoted(name)),
    }
}

/// A pixel of the level in words, `x 12, y 20`: in the map's own pixels, as Tiled shows them, which in an
/// infinite map may be negative; in a mask or a world in those of its picture.
pub(in crate::lint::rules) fn at(loaded: &LoadedLevel, pixel: IVec2) -> String {
    let pixel = match &loaded.source {
        Source::Map(_) => pixel.saturating_add(loaded.level.origin()),
        _ => pixel,
    };
    format!("x {}, y {}", pixel.x, pixel.y)
}
