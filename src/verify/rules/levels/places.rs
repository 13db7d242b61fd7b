//! Facts and words that several rules of levels share: where a body stands at a marker, which areas are rooms,
//! and how a place of the level is named.

use glam::{IVec2, UVec2};

use crate::analyze::{FreeArea, FreeSpace};
use crate::error::Place;
use crate::load::loaded::Source;
use crate::text::printable;
use crate::verify::spec::BodySpec;
use crate::{Aabb, LoadedLevel, Marker};

/// The boxes in which a body of this size may stand at a marker. Games differ: a point is the middle of the
/// body, the middle of its feet, or its top-left corner.
pub(in crate::verify::rules) fn standing(marker: &Marker, size: UVec2) -> [Aabb; 3] {
    let middle = Aabb::from_center(marker.position(), size);
    let feet = IVec2::new(middle.min.x, marker.area.max.y.saturating_sub_unsigned(size.y));
    let at = |min: IVec2| Aabb { min, max: min.saturating_add_unsigned(size) };
    [middle, at(feet), at(marker.area.min)]
}

/// The positions of a body of this size that overlap a marker; for a point, the pixel that holds it.
pub(in crate::verify::rules) fn touching(marker: &Marker, size: UVec2) -> Aabb {
    let size = size.as_ivec2().max(IVec2::ONE);
    let end = marker.area.max.max(marker.area.min.saturating_add(IVec2::ONE));
    Aabb { min: marker.area.min.saturating_sub(size - 1), max: end }
}

/// The areas in which a body can stand at one of the markers, rising.
pub(in crate::verify::rules) fn areas_at(free: &FreeSpace, markers: &[&Marker]) -> Vec<usize> {
    let at = |marker: &&Marker| standing(marker, free.body()).map(|body| free.area_at(body.min));
    let mut areas: Vec<usize> = markers.iter().flat_map(at).flatten().collect();
    areas.sort_unstable();
    areas.dedup();
    areas
}

/// True for an area in which a body can move by its own length on some axis: not a nook.
pub(in crate::verify::rules) fn is_room(area: &FreeArea, body: UVec2) -> bool {
    let size = area.area.size();
    size.x >= body.x.saturating_mul(2) || size.y >= body.y.saturating_mul(2)
}

/// The place of a pixel of the level in its file: a cell of a map, a pixel of a mask.
pub(in crate::verify::rules) fn place_of(loaded: &LoadedLevel, pixel: IVec2) -> Place {
    let level = &loaded.level;
    match &loaded.source {
        Source::Map(_) => {
            let cell = level.cell_at(pixel).saturating_add(level.first_cell());
            Place { cell: Some(cell.into()), ..Place::default() }
        }
        Source::Mask(_) => {
            let pixel = pixel.max(IVec2::ZERO).as_uvec2();
            Place { pixel: Some(pixel.into()), ..Place::default() }
        }
        // A world has no cells of its own; the texts name the pixels.
        Source::World(_) => Place::default(),
    }
}

/// The place of a marker in its file.
pub(in crate::verify::rules) fn place_of_marker(loaded: &LoadedLevel, marker: &Marker) -> Place {
    Place {
        layer: Some(marker.layer.clone()),
        object: Some(marker.object),
        ..place_of(loaded, marker.position())
    }
}

/// The marker in words: `spawn`, at most 20 letters.
pub(in crate::verify::rules) fn name_of(marker: &Marker) -> String {
    quoted(&marker.name)
}

/// A name in quotes, at most 20 letters of it.
pub(in crate::verify::rules) fn quoted(name: &str) -> String {
    let mut name = printable(name).to_string();
    if name.chars().count() > 20 {
        name = name.chars().take(19).chain(['…']).collect();
    }
    format!("`{name}`")
}

/// The body in words: `a body of 12 x 20 px`, with its name if it has one.
pub(in crate::verify::rules) fn body_of(body: &BodySpec) -> String {
    let size = px(body.size);
    match &*body.name {
        "" => format!("a body of {size}"),
        name => format!("{} ({size})", quoted(name)),
    }
}

/// A size in words: `12 x 20 px`.
pub(in crate::verify::rules) fn px(size: UVec2) -> String {
    format!("{} x {} px", size.x, size.y)
}

/// The top-left pixel of a box in words: `x 12, y 20`.
pub(in crate::verify::rules) fn at(pixel: IVec2) -> String {
    format!("x {}, y {}", pixel.x, pixel.y)
}
