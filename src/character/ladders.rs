//! The solids among which the mover of a character moves: those of the level or of a world, and the ends of
//! the ladders, which support the character like one-way floors.

use super::Feel;
use crate::footprint::Footprint;
use crate::geometry::{Aabb, Dir};
use crate::level::{Area, PlacedTerrain, Solids, floor_run, supports};
use crate::terrain::{Contact, Sweep};

/// Solids with ladders whose ends support a character with this floor.
pub(crate) struct LadderSolids<'a> {
    solids: &'a dyn Solids,
    pub(super) ladders: Option<PlacedTerrain<'a>>,
    pub(super) feel: &'a Feel,
}

impl<'a> LadderSolids<'a> {
    /// The solids with the ladders that `feel` names.
    pub(crate) fn new(solids: &'a dyn Solids, feel: &'a Feel) -> Self {
        Self { solids, ladders: solids.placed_area(&feel.ladder), feel }
    }

    /// Sweeps the body toward the floor by at most `step`, until the end of a ladder stops it. A ladder that
    /// the body's feet already overlap does not stop it.
    fn tops(&self, body: Aabb, step: u32) -> Sweep {
        let clear = Sweep::clear(step);
        let floor = self.feel.floor;
        let Some(ladders) = &self.ladders else { return clear };
        let feet = body.edge(floor).shifted(floor.opposite(), 1).strip(floor, 1);
        let Some(out) = ladders.nearest_free_aabb(feet, floor, step) else { return clear };
        let sweep = ladders.sweep_aabb(feet.shifted(floor, out), floor, step - out, true);
        match sweep.contact {
            Some(contact) => Sweep::stopped(step, sweep.moved + out, contact),
            None => clear,
        }
    }
}

impl Solids for LadderSolids<'_> {
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        let sweep = self.solids.sweep_aabb(body, dir, step, one_way);
        if dir == self.feel.floor && one_way { sweep.earlier(self.tops(body, step)) } else { sweep }
    }

    fn overlaps_aabb(&self, body: Aabb) -> bool {
        self.solids.overlaps_aabb(body)
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        self.solids.nearest_free_aabb(body, dir, limit)
    }

    fn can_move_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> bool {
        self.solids.can_move_aabb(body, dir, step, one_way)
            && (dir != self.feel.floor || !one_way || self.tops(body, step).is_clear())
    }

    fn watched_areas(&self) -> &[Area] {
        self.solids.watched_areas()
    }

    fn footprint(&self) -> Option<&Footprint> {
        self.solids.footprint()
    }

    fn floor_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        let run = self.solids.floor_run(body, dir, distance, floor);
        if run > 0 || self.ladders.is_none() {
            return run;
        }
        floor_run(body, dir, distance, &|run| supports(self, body, dir, run, floor), &|| 0)
    }

    fn is_free(&self, area: Aabb, dirs: [Dir; 2]) -> bool {
        self.solids.is_free(area, dirs)
            && self.ladders.is_none_or(|ladders| !ladders.overlaps_aabb(area))
    }

    fn is_beyond(&self, body: Aabb, dir: Dir) -> bool {
        self.solids.is_beyond(body, dir)
            && self.ladders.is_none_or(|ladders| ladders.is_beyond(body, dir))
    }

    fn can_move_part(&self, body: Aabb, dir: Dir, part: u32) -> bool {
        self.solids.can_move_part(body, dir, part)
            && (dir != self.feel.floor || self.tops(body, 1).is_clear())
    }

    fn contact_area(&self, contact: Contact) -> Option<Aabb> {
        self.solids.contact_area(contact)
    }
}
