//! The rules for the markers of a level.

use std::cell::OnceCell;

use crate::lint::rules::at_object;
use crate::lint::rules::levels::{body_name, marker_id, marker_name, marker_place, quoted, target};
use crate::lint::{Check, Finding, MarkerRole, MarkerSpec};
use bitwall::analyze::{FreeSpace, boxes_at, free_space};
use bitwall::error::Place;
use bitwall::glam::{IVec2, UVec2};
use bitwall::level::MarkerShape;
use bitwall::load::Source;
use bitwall::text::{counted, px};
use bitwall::tmx::LayerContent;
use bitwall::{Aabb, Dir, Level, Marker};

rule! {
    /// # What it finds
    /// A spawn where no declared body fits: neither with the marker as its centre, its feet or its top left
    /// corner, nor anywhere inside a marker that is a rectangle. If no body is declared, a spawn whose pixels
    /// are all solid; a point counts as the four pixels around it. The spawns are the markers that
    /// `[[verify.marker]]` declares as `spawn`, or else the points named `player`, `spawn`, `start` or
    /// `hero`.
    ///
    /// # Why it matters
    /// The body starts in a wall. It cannot move, or it is pushed out on a side that nobody chose.
    ///
    /// # How to fix
    /// Move the marker by the distance and in the direction that the finding states.
    SPAWN_IN_SOLID(spawn_in_solid) = "LVL301" "spawn-in-solid" Error on(Map) needs(Spawn)
}

const MAX_SPAWNS: usize = 1_000;

fn spawn_in_solid(check: &Check<'_, '_>) -> Option<()> {
    let loaded = check.loaded()?;
    let level = &loaded.level;
    if level.grid().solid_count() == level.grid().cell_count() {
        // Another rule reports a level that is wholly solid. Moving the spawn would not help there.
        return None;
    }
    let are_declared = check.options.markers.iter().any(|spec| spec.role == MarkerRole::Spawn);
    let mut spawns = check.spawns();
    // Several bodies may start in a rectangle, so without declared spawns only points are checked.
    spawns.retain(|marker| are_declared || marker.shape == MarkerShape::Point);
    let bodies = check.bodies();
    let free: Vec<OnceCell<Option<FreeSpace>>> = vec![OnceCell::new(); bodies.len()];
    for spawn in check.first(spawns, MAX_SPAWNS, "spawns") {
        let fits =
            bodies.iter().zip(&free).any(|(body, free)| fits_at(level, spawn, body.size, free));
        if fits || bodies.is_empty() && is_free_marker(level, spawn) {
            continue;
        }
        check.add("", marker_id(spawn), || {
            let size = bodies.first().map_or(UVec2::ONE, |body| body.size);
            let help = match nearest(level, spawn, size) {
                Some((distance, dir)) => {
                    format!("move it {distance} px {dir}: there {} are free", px(size))
                }
                None => "move it out of the solid".to_owned(),
            };
            let [middle, ..] = boxes_at(spawn, size);
            check
                .finding(format!("the spawn {} is in a solid", marker_name(spawn)))
                .place(marker_place(loaded, spawn))
                .area(middle)
                .notes(bodies.first().map(|it| format!("{} overlaps a solid there", body_name(it))))
                .help(help)
        });
    }
    Some(())
}

/// True if a body of this size fits at the marker: with the marker as its centre, its feet or its top left
/// corner, or anywhere inside a rectangle.
///
/// `free` gets the body's free positions, or `None` if the level is too complex. In that case the body
/// counts as fitting in any rectangle that is large enough.
fn fits_at(
    level: &Level,
    marker: &Marker,
    size: UVec2,
    free: &OnceCell<Option<FreeSpace>>,
) -> bool {
    if boxes_at(marker, size).iter().any(|body| !level.overlaps(*body)) {
        return true;
    }
    if marker.shape == MarkerShape::Point {
        return false;
    }
    // Any position inside the rectangle is enough. If the level is too complex, no fault is reported.
    let positions = Aabb {
        min: marker.area.min,
        max: marker.area.max.saturating_sub(size.as_ivec2()).saturating_add(IVec2::ONE),
    };
    let search = || free_space(level.terrain(), size).ok();
    !positions.is_empty()
        && free.get_or_init(search).as_ref().is_none_or(|free| {
            free.runs().any(|(columns, rows, _)| {
                let min = IVec2::new(columns.start, rows.start);
                Aabb { min, max: IVec2::new(columns.end, rows.end) }.overlaps(positions)
            })
        })
}

/// True if a pixel of the marker's rectangle is not solid. A marker without a size counts as the four pixels
/// around it, so a point on the edge of a wall is free.
pub(in crate::lint::rules) fn is_free_marker(level: &Level, marker: &Marker) -> bool {
    let area = target(marker);
    level.solid_area(area) < u64::from(area.width()) * u64::from(area.height())
}

/// Returns the shortest distance in pixels, and its direction, that moves a body at the marker out of solids.
/// `None` if no straight move does.
fn nearest(level: &Level, marker: &Marker, size: UVec2) -> Option<(u32, Dir)> {
    let limit = level.size().max_element();
    let ways = boxes_at(marker, size).into_iter().flat_map(|body| Dir::ALL.map(|dir| (body, dir)));
    let free = ways.filter_map(|(body, dir)| Some((level.nearest_free(body, dir, limit)?, dir)));
    free.min_by_key(|(distance, _)| *distance)
}

rule! {
    /// # What it finds
    /// A level with fewer or more objects of a name than `at-least` and `at-most` in `[[verify.marker]]`
    /// state. Every object counts: points, rectangles, tiles. All maps of a world together must have
    /// `at-least`; each of its maps may have `at-most`, which is reported for the map.
    ///
    /// # Why it matters
    /// The game looks for its markers by name. Without its spawn a level does not start; with two, the game
    /// takes one of them, and not always the same.
    ///
    /// # How to fix
    /// Add the missing object, or delete the surplus one. If the level may differ, state other numbers for
    /// it.
    MARKER_CONTRACT(marker_contract) = "LVL303" "marker-contract" Error on(Map) needs(Marker)
}

fn marker_contract(check: &Check<'_, '_>) -> Option<()> {
    let specs = check.options.markers.iter();
    specs.filter_map(|spec| broken_contract(check, spec)).for_each(|it| check.push(it));
    Some(())
}

fn broken_contract(check: &Check<'_, '_>, spec: &MarkerSpec) -> Option<Finding> {
    let is_world = matches!(check.loaded()?.source, Source::World);
    let at_most = spec.at_most.filter(|_| !is_world);
    let mut count = 0_u32;
    let mut first_too_many = Place::default();
    for context in check.maps().iter().flat_map(|placed| placed.map.walk()) {
        let LayerContent::Objects(layer) = &context.layer.content else {
            continue;
        };
        for object in layer.objects.iter().filter(|object| spec.matches(&object.name)) {
            count = count.saturating_add(1);
            if at_most.is_some_and(|most| count == most.saturating_add(1)) {
                first_too_many = at_object(&context.path, object);
            }
        }
    }
    let name = quoted(&spec.name);
    let needed = match at_most {
        Some(most) if most == spec.at_least => most.to_string(),
        Some(most) => format!("{} to {most}", spec.at_least),
        None => format!("{} or more", spec.at_least),
    };
    let lacks = spec.at_least.saturating_sub(count);
    let surplus = count.saturating_sub(at_most.unwrap_or(count));
    let (headline, kind, help) = if surplus > 0 {
        (
            format!("there are too many objects {name}: {count}"),
            format!("many {name}"),
            format!("delete or rename {}", counted(surplus.into(), "object")),
        )
    } else {
        let headline = match count {
            0 => format!("there is no object {name}"),
            _ => format!("there are too few objects {name}: {count}"),
        };
        (headline, name, format!("add {} of this name", counted(lacks.into(), "object")))
    };
    let finding = check.finding(headline).of_many(kind, lacks.max(surplus).into());
    let note = format!("the configuration asks for {needed}");
    (lacks > 0 || surplus > 0).then(|| finding.place(first_too_many).note(note).help(help))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitwall::Grid;
    use bitwall::level::MarkerShape;

    #[test]
    fn a_large_rectangle_passes_if_the_level_is_too_complex() {
        let grid = Grid::from_text("####\n####").unwrap();
        let level = Level::from_grid(grid, UVec2::splat(8)).unwrap();
        let marker = |area, shape| Marker { area, shape, ..Marker::default() };
        let rectangle = marker(Aabb::from_xywh(0, 0, 32, 16), MarkerShape::Rectangle);
        let point = marker(Aabb::from_xywh(8, 8, 0, 0), MarkerShape::Point);
        let (small, large) = (UVec2::splat(6), UVec2::splat(17));
        assert!(fits_at(&level, &rectangle, small, &OnceCell::from(None)), "too complex");
        assert!(!fits_at(&level, &rectangle, small, &OnceCell::new()));
        assert!(!fits_at(&level, &rectangle, large, &OnceCell::from(None)));
        assert!(!fits_at(&level, &point, small, &OnceCell::from(None)));
    }
}
