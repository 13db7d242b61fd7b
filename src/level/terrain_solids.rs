//! A terrain and a level as solids: the queries of the terrain, and its shortcuts.

use super::Level;
use super::solids::{Solids, floor_run, supports};
use crate::geometry::{Aabb, Dir, Outside};
use crate::sweep::{Contact, Sweep, Terrain};

impl Solids for Terrain {
    #[inline]
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32) -> Sweep {
        self.sweep(body, dir, step)
    }

    #[inline]
    fn overlaps_aabb(&self, body: Aabb) -> bool {
        self.overlaps(body)
    }

    #[inline]
    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        self.nearest_free(body, dir, limit)
    }

    #[inline]
    fn sweep_aabb_through_one_way(&self, body: Aabb, dir: Dir, step: u32) -> Sweep {
        self.sweep_through_one_way(body, dir, step)
    }

    #[inline]
    fn can_move_aabb(&self, body: Aabb, dir: Dir, step: u32) -> bool {
        self.can_move(body, dir, step)
    }

    #[inline]
    fn has_one_way(&self, area: Aabb, dir: Dir) -> bool {
        self.one_way(dir.opposite()).is_some()
            && self.crosses_one_way(area.edge(dir.opposite()), dir, area.extent(dir.axis()))
    }

    fn floor_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        let is_held = |run| {
            supports(self, body, dir, run, floor)
                || self.is_beyond(body, dir) && !self.can_move(body, floor, 1)
        };
        floor_run(body, dir, distance, is_held, || lead_run(self, body, dir, distance, floor))
    }

    #[inline]
    fn is_beyond(&self, body: Aabb, dir: Dir) -> bool {
        let size = self.size();
        match dir {
            Dir::Left => body.max.x <= 0,
            Dir::Right => i64::from(body.min.x) >= i64::from(size.x),
            Dir::Up => body.max.y <= 0,
            Dir::Down => i64::from(body.min.y) >= i64::from(size.y),
        }
    }

    #[inline]
    fn contact_area(&self, contact: Contact) -> Option<Aabb> {
        Some(self.cell_area(contact.cell))
    }
}

/// The distance toward `dir`, at most `distance`, on which the cell under the body's leading edge supports
/// it.
fn lead_run(terrain: &Terrain, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
    let is_solid_beyond = terrain.outside().get(floor) == Outside::Solid;
    if is_solid_beyond && terrain.is_beyond(body.edge(floor), floor) {
        return distance;
    }
    let lead = body.intersection(body.shifted(dir, body.extent(dir.axis()).saturating_sub(1)));
    let Some(contact) = terrain.sweep(lead, floor, 1).contact else {
        return 0;
    };
    // The whole cell supports it and, outside the level, so do all cells before the level.
    let cell = terrain.cell_area(contact.cell);
    let size = terrain.size().as_i64vec2();
    let [min, max] = [body.min, body.max].map(|corner| corner.as_i64vec2());
    let (run, gap) = match dir {
        Dir::Left => (max.x - 1 - i64::from(cell.min.x), min.x - size.x),
        Dir::Right => (i64::from(cell.max.x) - 1 - min.x, -max.x),
        Dir::Up => (max.y - 1 - i64::from(cell.min.y), min.y - size.y),
        Dir::Down => (i64::from(cell.max.y) - 1 - min.y, -max.y),
    };
    run.max(gap).clamp(0, i64::from(distance)) as u32
}

/// The level's terrain, and its areas.
impl Solids for Level {
    #[inline]
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32) -> Sweep {
        self.terrain.sweep(body, dir, step)
    }

    #[inline]
    fn overlaps_aabb(&self, body: Aabb) -> bool {
        self.terrain.overlaps(body)
    }

    #[inline]
    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        self.terrain.nearest_free(body, dir, limit)
    }

    #[inline]
    fn sweep_aabb_through_one_way(&self, body: Aabb, dir: Dir, step: u32) -> Sweep {
        self.terrain.sweep_through_one_way(body, dir, step)
    }

    #[inline]
    fn can_move_aabb(&self, body: Aabb, dir: Dir, step: u32) -> bool {
        self.terrain.can_move(body, dir, step)
    }

    #[inline]
    fn has_one_way(&self, area: Aabb, dir: Dir) -> bool {
        self.terrain.has_one_way(area, dir)
    }

    #[inline]
    fn watched_areas(&self) -> &[(String, Terrain)] {
        &self.areas
    }

    #[inline]
    fn floor_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        self.terrain.floor_run(body, dir, distance, floor)
    }

    #[inline]
    fn is_beyond(&self, body: Aabb, dir: Dir) -> bool {
        self.terrain.is_beyond(body, dir)
    }

    #[inline]
    fn contact_area(&self, contact: Contact) -> Option<Aabb> {
        self.terrain.contact_area(contact)
    }
}
