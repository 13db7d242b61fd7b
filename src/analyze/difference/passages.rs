//! Passages that a body gained or lost.

use std::collections::BTreeMap;

use glam::{IVec2, UVec2};

use crate::analyze::bands::{TooComplex, for_each_stretch};
use crate::analyze::free_space::FreeSpace;
use crate::geometry::Aabb;

/// The passages that a body gained and lost.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct BodyDifference {
    /// Its width and height in pixels.
    pub body: UVec2,
    /// The areas with room to move, before and after: see [`FreeSpace::is_room`].
    pub rooms: [usize; 2],
    /// The ways between areas that were apart before; at most 64.
    pub opened: Vec<Passage>,
    /// The ways between areas that are apart now; at most 64.
    pub closed: Vec<Passage>,
}

/// A way between two areas of which only one of two levels has it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Passage {
    /// The boxes around the two areas, in the level in which they are apart.
    pub areas: [Aabb; 2],
    /// The pixels that the body covers where its way leads through what is solid in the other level.
    pub place: Aabb,
    /// The positions of the body at which the way turns, in the level that has it.
    pub path: Vec<IVec2>,
}

/// The largest number of passages that are kept of each kind.
const MAX_PASSAGES: usize = 64;

impl BodyDifference {
    /// The difference of the free spaces of one body, before and after.
    pub(super) fn between(spaces: &[FreeSpace; 2]) -> Result<Self, TooComplex> {
        let [before, after] = spaces;
        let rooms =
            |free: &FreeSpace| (0..free.areas().len()).filter(|area| free.is_room(*area)).count();
        let opened = passages(before, after)?;
        let closed = passages(after, before)?;
        Ok(Self { body: before.body(), rooms: [rooms(before), rooms(after)], opened, closed })
    }
}

/// The ways in `joined` between areas of `apart` that are apart there.
fn passages(apart: &FreeSpace, joined: &FreeSpace) -> Result<Vec<Passage>, TooComplex> {
    let mut by_area = BTreeMap::<usize, Vec<(usize, IVec2)>>::new();
    for ((part, whole), place) in links(apart, joined)? {
        if apart.is_room(part) {
            by_area.entry(whole).or_default().push((part, place));
        }
    }
    let mut found = Vec::new();
    for parts in by_area.values() {
        let Some(((first, from), others)) = parts.split_first() else { continue };
        for (other, to) in others {
            if found.len() == MAX_PASSAGES {
                return Ok(found);
            }
            let area = |number: usize| apart.areas().get(number).map(|area| area.area);
            let (Some(one), Some(two)) = (area(*first), area(*other)) else { continue };
            let path = joined.path(*from, *to).unwrap_or_default();
            let place = blocked_on(&path, apart).unwrap_or(one.intersection(two));
            found.push(Passage { areas: [one, two], place, path });
        }
    }
    Ok(found)
}

/// The pairs of areas that have a position in common, with one of these positions.
fn links(
    one: &FreeSpace,
    other: &FreeSpace,
) -> Result<BTreeMap<(usize, usize), IVec2>, TooComplex> {
    let mut links = BTreeMap::new();
    for_each_stretch(&one.bands, &other.bands, |rows, [first, second]| {
        let (mut a, mut b) = (first.start as usize, second.start as usize);
        while a < first.end as usize && b < second.end as usize {
            let (left, right) = (&one.bands.runs[a], &other.bands.runs[b]);
            let start = left.start.max(right.start);
            if start < left.end.min(right.end) {
                let areas = (one.labels[a] as usize, other.labels[b] as usize);
                links.entry(areas).or_insert(IVec2::new(start, rows.start));
            }
            if left.end <= right.end {
                a += 1;
            } else {
                b += 1;
            }
        }
        Ok(())
    })?;
    Ok(links)
}

/// The pixels that the body covers on the first stretch of a path that is blocked in another free space.
fn blocked_on(path: &[IVec2], free: &FreeSpace) -> Option<Aabb> {
    let body = free.body().as_ivec2();
    let mut area: Option<Aabb> = None;
    for pair in path.windows(2) {
        let [from, to] = *pair else { continue };
        let step = (to - from).signum();
        let mut at = from;
        loop {
            match (free.area_at(at), &mut area) {
                (None, None) => area = Some(Aabb { min: at, max: at + body }),
                (None, Some(area)) => *area = area.hull(Aabb { min: at, max: at + body }),
                (Some(_), Some(area)) => return Some(*area),
                (Some(_), None) => {}
            }
            if at == to {
                break;
            }
            at += step;
        }
    }
    area
}
