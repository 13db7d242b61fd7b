//! Compares the markers of two levels: finds the pairs that are the same marker, and the changes of each
//! pair.

use std::collections::BTreeMap;

use glam::IVec2;

use crate::analyze::free_space::{FreeSpace, boxes_at};
use crate::geometry::Aabb;
use crate::level::{Level, Marker, MarkerShape};

/// A change of a marker.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MarkerDifference {
    /// The name of the marker, which may be empty.
    pub name: String,
    /// The id of the marker in its map; 0 if the map's file gives no id.
    pub object: u32,
    /// The position of the marker in the pixels of its map, world or mask: the new position, or the last
    /// position of a removed marker.
    pub position: IVec2,
    /// The kind of change.
    pub change: MarkerChange,
}

/// The kind of a marker's change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MarkerChange {
    /// The marker is new.
    Added,
    /// The marker is gone.
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

/// A marker, and its box in the pixels of the map, world or mask that it comes from.
type PlacedMarker<'l> = (&'l Marker, Aabb);

/// Returns the changes of markers.
pub(super) fn compare(
    levels: [&Level; 2],
    spaces: &[FreeSpace; 2],
    is_spawn: &impl Fn(&Marker) -> bool,
) -> Vec<MarkerDifference> {
    let placed = levels.map(|level| -> Vec<PlacedMarker<'_>> {
        let markers = level.markers().iter();
        markers.map(|marker| (marker, marker.area.translated(level.origin()))).collect()
    });
    let starts = [0, 1].map(|side| {
        let spawns = placed[side].iter().filter(|(marker, _)| is_spawn(marker));
        spawns.flat_map(|marker| areas_at(&spaces[side], *marker)).collect::<Vec<usize>>()
    });
    let mut found = Vec::new();
    let of_after = pairs(&placed);
    let mut is_gone = vec![true; placed[0].len()];
    for (after, old) in placed[1].iter().zip(of_after) {
        let Some(old) = old else {
            found.push(changed(*after, MarkerChange::Added));
            continue;
        };
        is_gone[old] = false;
        let old = placed[0][old];
        if old.1 != after.1 {
            found.push(changed(*after, MarkerChange::Moved(old.1.center())));
        }
        if is_edited(old, *after) {
            found.push(changed(*after, MarkerChange::Edited));
        }
        let areas = [areas_at(&spaces[0], old), areas_at(&spaces[1], *after)];
        match areas.each_ref().map(Vec::is_empty) {
            [false, true] => found.push(changed(*after, MarkerChange::Buried)),
            [true, false] => found.push(changed(*after, MarkerChange::Freed)),
            [true, true] => {}
            [false, false] => {
                let reached = [0, 1].map(|side| {
                    let known = !starts[side].is_empty();
                    known.then(|| areas[side].iter().any(|area| starts[side].contains(area)))
                });
                match reached {
                    [Some(true), Some(false)] => found.push(changed(*after, MarkerChange::Parted)),
                    [Some(false), Some(true)] => found.push(changed(*after, MarkerChange::Joined)),
                    _ => {}
                }
            }
        }
    }
    for (marker, _) in placed[0].iter().zip(is_gone).filter(|(_, is_gone)| *is_gone) {
        found.push(changed(*marker, MarkerChange::Removed));
    }
    found
}

fn changed((marker, area): PlacedMarker<'_>, change: MarkerChange) -> MarkerDifference {
    let position = area.center();
    MarkerDifference { name: marker.name.clone(), object: marker.object, position, change }
}

/// Returns for each marker of `placed[1]` the index of the same marker in `placed[0]`. The rules apply one
/// after the other, each to the markers that have no partner yet:
/// 1. Markers with the same name, class, shape and box are the same, even if their ids differ. So a new order
///    or new ids are no change.
/// 2. Markers with the same id are the same if the name or the class is the same.
/// 3. Two markers are the same if no other marker in their levels has their name, class and shape.
///
/// O(n log n).
fn pairs(placed: &[Vec<PlacedMarker<'_>>; 2]) -> Vec<Option<usize>> {
    let is_free = vec![true; placed[0].len()];
    let mut pairs = MarkerPairs { placed, is_free, of_after: vec![None; placed[1].len()] };
    // The first pass also compares ids, so that two equal markers at the same position each keep their own
    // id.
    pairs.join(|it| Some((words(it.0), it.0.shape, it.0.object, Some(place(it)))), false);
    pairs.join(|it| Some((words(it.0), it.0.shape, 0, Some(place(it)))), false);
    pairs.join(|it| with_id(it.0, 0), false);
    pairs.join(|it| with_id(it.0, 1), false);
    pairs.join(|it| Some((words(it.0), it.0.shape, 0, None)), true);
    pairs.of_after
}

/// The pairs of [`pairs`] so far.
struct MarkerPairs<'p> {
    placed: &'p [Vec<PlacedMarker<'p>>; 2],
    is_free: Vec<bool>,
    of_after: Vec<Option<usize>>,
}

impl<'p> MarkerPairs<'p> {
    /// Joins the markers without a partner that have equal keys, in their order. If `only_alone` is true, a
    /// key of more than one marker in a level joins nothing.
    fn join(&mut self, key: impl Fn(PlacedMarker<'p>) -> Option<MarkerKey>, only_alone: bool) {
        let mut groups = BTreeMap::<MarkerKey, [Vec<usize>; 2]>::new();
        for side in [0, 1] {
            for (index, marker) in self.placed[side].iter().enumerate() {
                let is_open =
                    if side == 0 { self.is_free[index] } else { self.of_after[index].is_none() };
                if let Some(key) = key(*marker).filter(|_| is_open) {
                    groups.entry(key).or_default()[side].push(index);
                }
            }
        }
        for [old, new] in groups.into_values() {
            if !only_alone || (old.len(), new.len()) == (1, 1) {
                for (old, new) in old.into_iter().zip(new) {
                    self.is_free[old] = false;
                    self.of_after[new] = Some(old);
                }
            }
        }
    }
}

fn place((_, area): PlacedMarker<'_>) -> [[i32; 2]; 2] {
    [area.min.to_array(), area.max.to_array()]
}

fn words(marker: &Marker) -> [String; 2] {
    [marker.name.clone(), marker.class.clone()]
}

/// The id of a marker, with its name if `number` is 0, or its class if it is 1.
fn with_id(marker: &Marker, number: usize) -> Option<MarkerKey> {
    let mut words = words(marker);
    words[1 - number].clear();
    (marker.object != 0).then_some((words, MarkerShape::default(), marker.object, None))
}

/// The values by which two markers are matched: name and class, shape, id, and box. Values that are not
/// compared are empty, a rectangle, 0 or `None`.
type MarkerKey = ([String; 2], MarkerShape, u32, Option<[[i32; 2]; 2]>);

/// True if two markers differ in more than their position, id and map.
fn is_edited(one: PlacedMarker<'_>, other: PlacedMarker<'_>) -> bool {
    let [one, other] = [one, other].map(|(marker, Aabb { min, .. })| {
        let to_source = min.as_i64vec2() - marker.area.min.as_i64vec2();
        let marker = marker.clone().translated(to_source);
        let points = marker.points.iter().map(|point| point.saturating_sub(min)).collect();
        Marker { points, object: 0, map: 0, area: Aabb::default(), ..marker }
    });
    // A property that is not a number (NaN) differs from itself, but its text does not.
    one != other && format!("{one:?}") != format!("{other:?}")
}

fn areas_at(free: &FreeSpace, (marker, area): PlacedMarker<'_>) -> Vec<usize> {
    let by = area.min.saturating_sub(marker.area.min);
    let at = boxes_at(marker, free.body());
    at.iter().filter_map(|body| free.area_at(body.min.saturating_add(by))).collect()
}
