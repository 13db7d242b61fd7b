//! Markers that were changed, or that a change of the level touches.

use std::collections::BTreeSet;

use glam::IVec2;

use crate::analyze::free_space::FreeSpace;
use crate::analyze::standing::standing;
use crate::level::{Level, Marker};

/// A marker that differs, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkerDifference {
    /// Its name, which may be empty.
    pub name: String,
    /// Its id in the map.
    pub object: u32,
    /// Its place in the space of the source: where it is now, or was last.
    pub position: IVec2,
    /// The change.
    pub change: MarkerChange,
}

/// The change of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerChange {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It has another place or size; its position was this.
    Moved(IVec2),
    /// The body fitted there, and now it overlaps a solid.
    Buried,
    /// The body overlapped a solid there, and now it fits.
    Freed,
    /// Solids now part it from every spawn.
    Parted,
    /// Solids parted it from every spawn, and now a way leads there.
    Joined,
}

/// A marker and its place in the space of the source.
type Placed<'l> = (&'l Marker, IVec2);

/// The changes of markers; those with one id and name are the same marker. A marker can have several.
pub(super) fn compare(
    levels: [&Level; 2],
    spaces: &[FreeSpace; 2],
    is_spawn: &impl Fn(&Marker) -> bool,
) -> Vec<MarkerDifference> {
    let placed = levels.map(|level| -> Vec<Placed<'_>> {
        level.markers().iter().map(|marker| (marker, level.origin())).collect()
    });
    let starts = [0, 1].map(|side| {
        let spawns = placed[side].iter().filter(|(marker, _)| is_spawn(marker));
        spawns.flat_map(|marker| areas_at(&spaces[side], *marker)).collect::<BTreeSet<usize>>()
    });
    let mut found = Vec::new();
    let mut add = |(marker, origin): Placed<'_>, change| {
        let position = marker.position() + origin;
        let name = marker.name.clone();
        found.push(MarkerDifference { name, object: marker.object, position, change });
    };
    let key = |marker: &Marker| (marker.object, marker.name.clone(), marker.layer.clone());
    let mut before: std::collections::BTreeMap<_, Placed<'_>> =
        placed[0].iter().map(|placed| (key(placed.0), *placed)).collect();
    for after in &placed[1] {
        let Some(old) = before.remove(&key(after.0)) else {
            add(*after, MarkerChange::Added);
            continue;
        };
        if old.0.area.translated(old.1) != after.0.area.translated(after.1) {
            add(*after, MarkerChange::Moved(old.0.position() + old.1));
        }
        let areas = [areas_at(&spaces[0], old), areas_at(&spaces[1], *after)];
        match areas.each_ref().map(Vec::is_empty) {
            [false, true] => add(*after, MarkerChange::Buried),
            [true, false] => add(*after, MarkerChange::Freed),
            [true, true] => {}
            [false, false] => {
                let reached = [0, 1].map(|side| {
                    let known = !starts[side].is_empty();
                    known.then(|| areas[side].iter().any(|area| starts[side].contains(area)))
                });
                match reached {
                    [Some(true), Some(false)] => add(*after, MarkerChange::Parted),
                    [Some(false), Some(true)] => add(*after, MarkerChange::Joined),
                    _ => {}
                }
            }
        }
    }
    before.into_values().for_each(|gone| add(gone, MarkerChange::Removed));
    found
}

/// The areas in which the body can stand at a marker.
fn areas_at(free: &FreeSpace, (marker, origin): Placed<'_>) -> Vec<usize> {
    let at = standing(marker, free.body());
    at.iter().filter_map(|body| free.area_at(body.min.saturating_add(origin))).collect()
}
