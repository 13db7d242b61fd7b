//! Compares the markers of two levels: finds the pairs that are the same marker, and the changes of each
//! pair.

use std::collections::BTreeMap;

use crate::lint::is_spawn_name;
use bitwall::analyze::{FreeSpace, TooComplex, boxes_at, free_space};
use bitwall::glam::{IVec2, UVec2};
use bitwall::level::MarkerShape;
use bitwall::property::PropertyValue;
use bitwall::{Aabb, Level, Marker};

/// A change of a marker.
pub(super) struct MarkerDifference {
    pub(super) name: String,
    /// The id of the marker in its map; 0 if the map's file gives no id.
    pub(super) object: u32,
    /// The position of the marker in the pixels of its map, world or mask: the new position, or the last
    /// position of a removed marker.
    pub(super) position: IVec2,
    pub(super) change: MarkerChange,
}

/// The kind of a marker's change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkerChange {
    Added,
    Removed,
    /// The marker has another position or size. The value is the old position. It equals the new position if
    /// only the size changed.
    Moved(IVec2),
    /// The marker has another name, class, layer, shape or tile, or other properties.
    Edited,
    /// The body fitted at the marker in the old level, and overlaps a solid in the new level.
    Buried,
    /// The body overlapped a solid at the marker in the old level, and fits in the new level.
    Freed,
    /// The body could get from a spawn to the marker in the old level. In the new level, solids block all
    /// ways.
    Parted,
    /// Solids blocked all ways from spawns to the marker in the old level. In the new level, a way is free.
    Joined,
}

/// A marker of a level.
struct PlacedMarker<'l> {
    marker: &'l Marker,
    /// The displacement from the pixels of the level to those of the map, world or mask that it comes from.
    origin: IVec2,
    /// The box of the marker in the pixels of the map, world or mask.
    area: Aabb,
    /// The numbers of the areas of free space in which the body fits at the marker.
    free: Vec<usize>,
}

impl<'l> PlacedMarker<'l> {
    fn new(marker: &'l Marker, origin: IVec2, free: &FreeSpace) -> Self {
        let boxes = boxes_at(marker, free.body());
        let free = boxes.iter().filter_map(|body| free.area_at(body.min)).collect();
        Self { marker, origin, area: marker.area.translated(origin), free }
    }

    fn changed(&self, change: MarkerChange) -> MarkerDifference {
        let Marker { name, object, .. } = self.marker;
        MarkerDifference {
            name: name.clone(),
            object: *object,
            position: self.area.center(),
            change,
        }
    }
}

/// The markers of a level, and the numbers of the areas of free space with a spawn.
struct Side<'l> {
    markers: Vec<PlacedMarker<'l>>,
    starts: Vec<usize>,
}

impl<'l> Side<'l> {
    fn new(level: &'l Level, body: UVec2) -> Result<Self, TooComplex> {
        let free = free_space(level.terrain(), body)?;
        let markers = level.markers().iter();
        let markers: Vec<_> =
            markers.map(|marker| PlacedMarker::new(marker, level.origin(), &free)).collect();
        let spawns = markers.iter().filter(|placed| is_spawn_name(&placed.marker.name));
        let starts = spawns.flat_map(|placed| placed.free.iter().copied()).collect();
        Ok(Self { markers, starts })
    }

    /// True if the body can get from a spawn to the marker; `None` if it fits at no spawn.
    fn reaches(&self, placed: &PlacedMarker<'_>) -> Option<bool> {
        let is_reached = placed.free.iter().any(|area| self.starts.contains(area));
        (!self.starts.is_empty()).then_some(is_reached)
    }
}

/// Returns the changes of markers from one level to the other. A body of `body` pixels is placed at each
/// marker, to find out where it fits, and which markers it reaches from the spawns. Only solids stop it.
pub(super) fn marker_changes(
    [before, after]: [&Level; 2],
    body: UVec2,
) -> Result<Vec<MarkerDifference>, TooComplex> {
    let before = Side::new(before, body)?;
    let after = Side::new(after, body)?;
    let mut found = Vec::new();
    let mut is_gone = vec![true; before.markers.len()];
    for (new, old) in after.markers.iter().zip(pairs(&before.markers, &after.markers)) {
        let Some(old) = old else {
            found.push(new.changed(MarkerChange::Added));
            continue;
        };
        is_gone[old] = false;
        let old = &before.markers[old];
        if old.area != new.area {
            found.push(new.changed(MarkerChange::Moved(old.area.center())));
        }
        if is_edited(old, new) {
            found.push(new.changed(MarkerChange::Edited));
        }
        let reached = [before.reaches(old), after.reaches(new)];
        let change = match ([old.free.is_empty(), new.free.is_empty()], reached) {
            ([false, true], _) => MarkerChange::Buried,
            ([true, false], _) => MarkerChange::Freed,
            ([false, false], [Some(true), Some(false)]) => MarkerChange::Parted,
            ([false, false], [Some(false), Some(true)]) => MarkerChange::Joined,
            _ => continue,
        };
        found.push(new.changed(change));
    }
    for (old, _) in before.markers.iter().zip(is_gone).filter(|(_, is_gone)| *is_gone) {
        found.push(old.changed(MarkerChange::Removed));
    }
    Ok(found)
}

/// The values by which two markers are matched: name, class, shape, id, and box. Values that are not compared
/// are empty, a rectangle, 0 or `None`.
type MarkerKey<'l> = (&'l str, &'l str, MarkerShape, u32, Option<[[i32; 2]; 2]>);

/// The number of rules by which markers are matched: see [`pairs`].
const RULES: usize = 5;

/// Returns for each marker of `after` the index of the same marker in `before`. The rules apply one after the
/// other, each to the markers that have no partner yet:
/// 1. Markers with the same name, class, shape and box are the same, even if their ids differ. So a new order
///    or new ids are no change. Of several such markers, those with the same id are the same: rule 0.
/// 2. Markers with the same id and name are the same.
/// 3. Markers with the same id and class are the same.
/// 4. Two markers are the same if no other marker in their levels has their name, class and shape.
///
/// O(n log n).
fn pairs(before: &[PlacedMarker<'_>], after: &[PlacedMarker<'_>]) -> Vec<Option<usize>> {
    let mut is_free = vec![true; before.len()];
    let mut of_after = vec![None; after.len()];
    for rule in 0..RULES {
        let mut groups = BTreeMap::<MarkerKey<'_>, [Vec<usize>; 2]>::new();
        for (old, placed) in before.iter().enumerate().filter(|(old, _)| is_free[*old]) {
            if let Some(key) = key(rule, placed) {
                groups.entry(key).or_default()[0].push(old);
            }
        }
        for (new, placed) in after.iter().enumerate().filter(|(new, _)| of_after[*new].is_none()) {
            if let Some(key) = key(rule, placed) {
                groups.entry(key).or_default()[1].push(new);
            }
        }
        for [old, new] in groups.into_values() {
            if rule + 1 == RULES && (old.len(), new.len()) != (1, 1) {
                continue;
            }
            for (old, new) in old.into_iter().zip(new) {
                is_free[old] = false;
                of_after[new] = Some(old);
            }
        }
    }
    of_after
}

/// The values of a marker that a rule of [`pairs`] compares; `None` for a marker to which it does not apply.
fn key<'l>(rule: usize, placed: &PlacedMarker<'l>) -> Option<MarkerKey<'l>> {
    let Marker { name, class, shape, object, .. } = placed.marker;
    let Aabb { min, max } = placed.area;
    let area = Some([min.to_array(), max.to_array()]);
    match rule {
        0 => Some((name, class, *shape, *object, area)),
        1 => Some((name, class, *shape, 0, area)),
        2 if *object != 0 => Some((name, "", MarkerShape::default(), *object, None)),
        3 if *object != 0 => Some(("", class, MarkerShape::default(), *object, None)),
        4 => Some((name, class, *shape, 0, None)),
        _ => None,
    }
}

/// True if two markers differ in more than their position, id and map.
fn is_edited(one: &PlacedMarker<'_>, other: &PlacedMarker<'_>) -> bool {
    let [one, other] = [one, other].map(|placed| {
        let mut marker = placed.marker.clone();
        for point in &mut marker.points {
            *point = point.saturating_sub(placed.marker.area.min);
        }
        marker.properties.values_mut().for_each(|value| translate(value, placed.origin));
        Marker { object: 0, map: 0, area: Aabb::default(), ..marker }
    });
    // A property that is not a number (NaN) differs from itself, but its text does not.
    one != other && format!("{one:?}") != format!("{other:?}")
}

fn translate(value: &mut PropertyValue, by: IVec2) {
    match value {
        PropertyValue::Point(point) => *point = point.saturating_add(by),
        PropertyValue::List(items) => items.iter_mut().for_each(|item| translate(item, by)),
        PropertyValue::Class { members, .. } => {
            members.values_mut().for_each(|member| translate(member, by));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitwall::Grid;

    fn marker(name: &str, object: u32, at: [i32; 2]) -> Marker {
        let area = Aabb { min: IVec2::from(at), max: IVec2::from(at) };
        Marker {
            name: name.to_owned(),
            layer: "places".to_owned(),
            object,
            area,
            shape: MarkerShape::Point,
            points: vec![area.min],
            ..Marker::default()
        }
    }

    fn changes_of(before: Vec<Marker>, after: Vec<Marker>) -> Vec<(String, MarkerChange)> {
        let level = Level::from_grid(Grid::new(20, 20).unwrap(), UVec2::splat(8)).unwrap();
        let [before, after] = [before, after].map(|markers| level.clone().with_markers(markers));
        let found = marker_changes([&before, &after], UVec2::ONE).unwrap();
        found.into_iter().map(|marker| (marker.name, marker.change)).collect()
    }

    #[test]
    fn a_new_order_or_new_ids_of_markers_are_no_change() {
        let coins = |ids: [u32; 4], order: [usize; 4]| -> Vec<Marker> {
            let places = [[8, 8], [24, 8], [8, 8], [40, 40]];
            order.map(|at| marker(["coin", "coin", "coin", ""][at], ids[at], places[at])).to_vec()
        };
        let before = || coins([1, 2, 3, 4], [0, 1, 2, 3]);
        for (ids, order) in [
            ([1, 2, 3, 4], [3, 1, 0, 2]),
            ([0; 4], [0, 1, 2, 3]),
            ([0; 4], [3, 2, 1, 0]),
            ([4, 3, 2, 1], [0, 1, 2, 3]),
            ([9, 8, 7, 6], [1, 0, 3, 2]),
        ] {
            assert_eq!(changes_of(before(), coins(ids, order)), [], "{ids:?} {order:?}");
            assert_eq!(changes_of(coins(ids, order), before()), [], "{ids:?} {order:?}");
            assert_eq!(changes_of(coins([0; 4], order), coins([0; 4], [0, 1, 2, 3])), []);
        }
    }

    #[test]
    fn markers_are_matched_by_id_or_by_a_unique_name() {
        let change = |name: &str, change| (name.to_owned(), change);
        let was = |x, y| MarkerChange::Moved(IVec2::new(x, y));
        let one = |name: &str, id, at| vec![marker(name, id, at)];
        // Markers with ids, and markers without ids.
        assert_eq!(changes_of(one("a", 5, [8, 8]), one("a", 5, [9, 8])), [change("a", was(8, 8))]);
        assert_eq!(changes_of(one("a", 0, [8, 8]), one("a", 0, [9, 8])), [change("a", was(8, 8))]);
        assert_eq!(changes_of(one("a", 5, [8, 8]), one("a", 6, [9, 8])), [change("a", was(8, 8))]);
        // The name changed, but not the id and the class.
        let edited = [change("b", MarkerChange::Edited)];
        assert_eq!(changes_of(one("a", 5, [8, 8]), one("b", 5, [8, 8])), edited);
        let [added, removed] = [MarkerChange::Added, MarkerChange::Removed];
        assert_eq!(
            changes_of(one("a", 5, [8, 8]), one("b", 6, [8, 8])),
            [change("b", added), change("a", removed)]
        );
        // Two markers with the same name cannot be matched by name.
        let coins =
            |at: [i32; 2]| vec![marker("c", 0, [8, 8]), marker("c", 0, at), marker("c", 0, at)];
        assert_eq!(changes_of(coins([20, 20]), coins([30, 20])).len(), 4);
    }

    #[test]
    fn changes_of_properties_are_reported() {
        let with = |value: PropertyValue| {
            let mut marker = marker("a", 1, [8, 8]);
            marker.properties.insert("to".to_owned(), value);
            vec![marker]
        };
        let text = |text: &str| with(PropertyValue::Text(text.to_owned()));
        assert_eq!(changes_of(text("x"), text("x")), []);
        assert_eq!(changes_of(text("x"), text("y")), [("a".to_owned(), MarkerChange::Edited)]);
        assert_eq!(
            changes_of(with(PropertyValue::Float(f32::NAN)), with(PropertyValue::Float(f32::NAN))),
            []
        );
    }

    #[test]
    fn a_point_in_a_property_is_compared_in_the_pixels_of_the_map() {
        let level = |to: [i32; 2], at: [i32; 2], origin: i32| {
            let level = Level::from_grid(Grid::new(20, 20).unwrap(), UVec2::splat(8)).unwrap();
            let mut marker = marker("a", 1, at);
            let value = PropertyValue::List(vec![PropertyValue::Point(IVec2::from(to))]);
            marker.properties.insert("to".to_owned(), value);
            level.with_markers(vec![marker]).with_origin(IVec2::splat(origin))
        };
        let before = level([9, 9], [8, 8], 0);
        for (to, count) in [([4, 4], 0), ([9, 9], 1)] {
            let after = level(to, [3, 3], 5);
            assert_eq!(marker_changes([&before, &after], UVec2::ONE).unwrap().len(), count);
        }
    }

    #[test]
    fn markers_at_the_ends_of_the_range_of_positions_do_not_overflow() {
        let level = |at, corner: i32| {
            let level = Level::from_grid(Grid::new(4, 4).unwrap(), UVec2::splat(8)).unwrap();
            level.with_markers(vec![marker("a", 1, at)]).with_origin(IVec2::splat(corner))
        };
        let before = level([i32::MIN; 2], -(1 << 29));
        let after = level([i32::MAX; 2], 1 << 29);
        for (levels, from) in [([&before, &after], i32::MIN), ([&after, &before], i32::MAX)] {
            let found = marker_changes(levels, UVec2::splat(4)).unwrap();
            assert_eq!(found[0].change, MarkerChange::Moved(IVec2::splat(from)));
        }
    }
}
