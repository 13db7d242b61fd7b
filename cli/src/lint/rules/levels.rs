//! The rules for levels from maps and masks, and functions that describe markers and bodies for them.

mod borders;
mod hairs;
mod reach;
mod spawns;

use super::pixel_place;
use crate::lint::BodySpec;
use bitwall::analyze::{FreeSpace, boxes_at};
use bitwall::error::Place;
use bitwall::glam::IVec2;
use bitwall::text::{printable, px};
use bitwall::{Aabb, LoadedLevel, Marker};

pub use borders::*;
pub use hairs::*;
pub use reach::*;
pub use spawns::*;

/// Returns the pixels that a body must overlap to take a marker. A point, or a marker without width or
/// height, covers the pixels on both sides of it, so that a body can take a point on the floor or on the edge
/// of the map.
fn target(marker: &Marker) -> Aabb {
    let Aabb { min, max } = marker.area;
    let is_flat = max.cmple(min);
    Aabb {
        min: IVec2::select(is_flat, min.saturating_sub(IVec2::ONE), min),
        max: IVec2::select(is_flat, min.saturating_add(IVec2::ONE), max),
    }
}

/// Returns the sorted indices of the areas in `free` that contain the body when a game places it at one of
/// `markers`, with the marker as its centre, its feet or its top left corner.
fn areas_at(free: &FreeSpace, markers: &[&Marker]) -> Vec<usize> {
    let boxes = markers.iter().flat_map(|marker| boxes_at(marker, free.body()));
    let mut areas: Vec<usize> = boxes.filter_map(|body| free.area_at(body.min)).collect();
    areas.sort_unstable();
    areas.dedup();
    areas
}

fn marker_place(loaded: &LoadedLevel, marker: &Marker) -> Place {
    Place {
        layer: Some(marker.layer.clone()),
        object: Some(marker.object),
        ..pixel_place(loaded, marker.position())
    }
}

fn marker_name(marker: &Marker) -> String {
    quoted(&marker.name)
}

/// Describes a marker by name, object id and layer. The name alone may not be unique.
fn marker_id(marker: &Marker) -> String {
    format!("{}, object {} of `{}`", marker_name(marker), marker.object, printable(&marker.layer))
}

/// Returns the name in backticks, cut to 20 characters.
fn quoted(name: &str) -> String {
    let mut name = printable(name).to_string();
    if name.chars().count() > 20 {
        name = name.chars().take(19).chain(['…']).collect();
    }
    format!("`{name}`")
}

/// Describes a body: by name and size, or as `a body of 12 x 20 px` if it has no name.
fn body_name(body: &BodySpec) -> String {
    let size = px(body.size);
    // A body from the command line has its size as name.
    let typed = format!("{}x{}", body.size.x, body.size.y);
    match &*body.name {
        name if name.is_empty() || name.starts_with(&typed) => format!("a body of {size}"),
        name => format!("{} ({size})", quoted(name)),
    }
}
