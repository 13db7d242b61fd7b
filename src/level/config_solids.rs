//! A configuration space as solids: its own queries for boxes of its size, and those of the terrain for
//! others. Nothing here changes a level.

use super::solids::Solids;
use crate::geometry::{Aabb, Dir};
use crate::sweep::{ConfigSpace, Contact, Sweep, Terrain};

/// The longest run over a floor that is tested pixel by pixel: each is one load.
const SHORT: u32 = 8;

// The kernel is inlined here, and not again at each question of a mover: that took a fifth more to compile.
// The terrain's answers stay apart: the registers that they save cost 16 instructions of 79.
impl Solids for ConfigSpace<'_> {
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32) -> Sweep {
        match self.place(body) {
            Some(at) => self.sweep(at, dir, step),
            None => sweep_of_other_size(self.terrain(), body, dir, step),
        }
    }

    fn overlaps_aabb(&self, body: Aabb) -> bool {
        match self.place(body) {
            Some(at) => self.overlaps(at),
            None => self.terrain().overlaps(body),
        }
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        match self.place(body) {
            Some(at) => self.nearest_free(at, dir, limit),
            None => self.terrain().nearest_free(body, dir, limit),
        }
    }

    fn sweep_aabb_through_one_way(&self, body: Aabb, dir: Dir, step: u32) -> Sweep {
        match self.place(body) {
            Some(at) => self.sweep_through_one_way(at, dir, step),
            None => self.terrain().sweep_through_one_way(body, dir, step),
        }
    }

    fn can_move_aabb(&self, body: Aabb, dir: Dir, step: u32) -> bool {
        match self.place(body) {
            Some(at) => self.can_move(at, dir, step),
            None => can_move_of_other_size(self.terrain(), body, dir, step),
        }
    }

    #[inline]
    fn has_one_way(&self, area: Aabb, dir: Dir) -> bool {
        self.terrain().has_one_way(area, dir)
    }

    #[inline]
    fn watched_areas(&self) -> &[(String, Terrain)] {
        self.areas()
    }

    fn floor_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        let Some(at) = self.place(body).filter(|_| distance <= SHORT) else {
            return self.terrain().floor_run(body, dir, distance, floor);
        };
        let (mut run, mut there) = (0, at);
        while run < distance {
            there = there.saturating_add(dir.vector());
            if self.can_move(there, floor, 1) {
                break;
            }
            run += 1;
        }
        run
    }

    #[inline]
    fn is_beyond(&self, body: Aabb, dir: Dir) -> bool {
        self.terrain().is_beyond(body, dir)
    }

    #[inline]
    fn contact_area(&self, contact: Contact) -> Option<Aabb> {
        self.terrain().contact_area(contact)
    }
}

/// [`Terrain::sweep`] of a box that is not of the size of the space.
#[cold]
fn sweep_of_other_size(terrain: &Terrain, body: Aabb, dir: Dir, step: u32) -> Sweep {
    terrain.sweep(body, dir, step)
}

/// [`Terrain::can_move`] of a box that is not of the size of the space.
#[cold]
fn can_move_of_other_size(terrain: &Terrain, body: Aabb, dir: Dir, step: u32) -> bool {
    terrain.can_move(body, dir, step)
}
