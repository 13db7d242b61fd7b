//! A footprint at a place, and the answers of a terrain for it.
//!
//! Motions are swept by the boxes whose edges lead; overlaps are found 64 pixels at a time.

use glam::{IVec2, UVec2};

use super::Footprint;
use super::overlap::{area, first, normal};
use crate::geometry::{Aabb, Dir};
use crate::grid::low_bits;
use crate::sweep::{Collider, InTerrain, Sweep, Terrain};

/// A [`Footprint`] at a place. Made by [`Footprint::at`], for the queries of a [`Terrain`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlacedFootprint<'f> {
    /// Its pixels.
    pub footprint: &'f Footprint,
    /// The place of its top-left corner.
    pub position: IVec2,
}

impl PlacedFootprint<'_> {
    /// The words of the solid pixels that it covers after a displacement by (`dx`, `dy`).
    fn solid(self, terrain: &Terrain, dx: i64, dy: i64) -> impl Iterator<Item = (UVec2, u64)> {
        let (x, y) = (i64::from(self.position.x) + dx, i64::from(self.position.y) + dy);
        let within = |side: u32, at: i64| {
            let count = (i64::from(i32::MAX) - at).clamp(0, i64::from(side));
            count as u32
        };
        let size = self.footprint.size();
        let columns = within(size.x, x);
        let solid = move |column, row| {
            let solid = terrain.row_word(x + i64::from(column), y + i64::from(row));
            solid & low_bits(i64::from(columns - column))
        };
        self.footprint.meet(0..columns, 0..within(size.y, y), solid)
    }
}

impl Collider for PlacedFootprint<'_> {}

impl InTerrain for PlacedFootprint<'_> {
    fn can_move(self, terrain: &Terrain, dir: Dir, step: u32) -> bool {
        let mut parts = self.footprint.leading(dir.axis(), self.position);
        parts.all(|part| terrain.can_move(part, dir, step))
    }

    fn sweep(self, terrain: &Terrain, dir: Dir, step: u32) -> Sweep {
        let parts = self.footprint.leading(dir.axis(), self.position);
        sweep_parts(parts, step, |part, reach| terrain.sweep(part, dir, reach))
    }

    fn sweep_through_one_way(self, terrain: &Terrain, dir: Dir, step: u32) -> Sweep {
        let parts = self.footprint.leading(dir.axis(), self.position);
        sweep_parts(parts, step, |part, reach| terrain.sweep_through_one_way(part, dir, reach))
    }

    fn overlaps(self, terrain: &Terrain) -> bool {
        self.solid(terrain, 0, 0).next().is_some()
    }

    fn nearest_free(self, terrain: &Terrain, dir: Dir, limit: u32) -> Option<u32> {
        let bounds = self.footprint.bounds(self.position);
        nearest_free_parts(bounds, dir, limit, |there, left| {
            let mut parts = self.footprint.leading(dir.axis(), there);
            parts.try_fold(0, |farthest: u32, part| {
                Some(farthest.max(terrain.nearest_free(part, dir, left)?))
            })
        })
    }

    fn first_overlap(self, terrain: &Terrain) -> Option<IVec2> {
        let first = first(self.solid(terrain, 0, 0))?;
        Some(self.position + first.as_ivec2())
    }

    fn solid_area(self, terrain: &Terrain) -> u64 {
        area(self.solid(terrain, 0, 0))
    }

    fn overlap_normal(self, terrain: &Terrain) -> IVec2 {
        normal(|dx, dy| area(self.solid(terrain, dx, dy)))
    }

    fn pixel_count(self) -> u64 {
        self.footprint.pixel_count()
    }
}

/// The sweep of a body of several parts, of which `sweep` answers each. The contact is the one met first,
/// then the one in the lowest row, then in the lowest column.
pub(crate) fn sweep_parts(
    parts: impl Iterator<Item = Aabb>,
    step: u32,
    sweep: impl Fn(Aabb, u32) -> Sweep,
) -> Sweep {
    let mut first = Sweep::clear(step);
    for part in parts {
        // One pixel past the first contact, because another part may meet a cell in a lower row there.
        let reach = first.moved.saturating_add(1).min(step);
        let sweep = Sweep { step, ..sweep(part, reach) };
        if sweep.contact.is_some() {
            first = first.earlier(sweep);
        }
    }
    first
}

/// The smallest distance, at most `limit`, toward `dir` at which a body of several parts overlaps no solid:
/// `farthest` returns the largest distance that a part has to go, with the body's corner at a place.
pub(crate) fn nearest_free_parts(
    bounds: Aabb,
    dir: Dir,
    limit: u32,
    farthest: impl Fn(IVec2, u32) -> Option<u32>,
) -> Option<u32> {
    let limit = limit.min(bounds.room(dir));
    let mut distance = 0;
    loop {
        let there = bounds.shifted(dir, distance);
        match farthest(there.min, limit - distance)? {
            0 => return Some(distance),
            more => distance += more,
        }
    }
}
