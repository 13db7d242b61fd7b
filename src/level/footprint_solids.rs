//! The solids for a body that is not a box: each box of its footprint meets them by itself.

use super::solids::Solids;
use crate::footprint::{Footprint, nearest_free_parts, sweep_parts};
use crate::geometry::{Aabb, Dir};
use crate::sweep::{Contact, Sweep, Terrain};

/// Solids as a [`Footprint`] meets them, for a [`Mover`](crate::Mover) whose body is not a box.
///
/// The mover's body takes the size of the footprint, and its top-left corner is that of the footprint. So a
/// sprite moves with the pixels of the frame that it shows. A body that would reach beyond the range of `i32`
/// is moved to its end first. A sweep costs one sweep for each box of the footprint's edges.
///
/// Each run of pixels meets the guarded edges of one-way cells by itself: a disc is held until all of its
/// runs are past an edge.
///
/// ```
/// use bitwall::glam::{UVec2, Vec2};
/// use bitwall::{Aabb, Footprint, Grid, Level, Mover, MoverSettings};
///
/// let level = Level::from_grid(Grid::from_text("....\n....\n.#..\n....")?, UVec2::splat(8))?;
/// let ball = Footprint::circle(16)?;
/// let mut mover = Mover::new(Aabb::from_xywh(14, 0, 16, 16), MoverSettings::PLAIN);
/// mover.step(&level.with_footprint(&ball), Vec2::new(0.0, 9.0))?;
/// assert_eq!(mover.body.min.y, 3, "the corner of the cell is beside its lowest point");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FootprintSolids<'a, S> {
    solids: &'a S,
    footprint: &'a Footprint,
}

impl<'a, S: Solids> FootprintSolids<'a, S> {
    /// `solids` for a body with the pixels of `footprint`.
    pub const fn new(solids: &'a S, footprint: &'a Footprint) -> Self {
        Self { solids, footprint }
    }

    /// The boxes whose edges lead in a motion toward `dir`, with the body at `body`.
    fn leading(&self, body: Aabb, dir: Dir) -> impl Iterator<Item = Aabb> {
        self.footprint.leading(dir.axis(), body.min)
    }
}

impl<S: Solids> Solids for FootprintSolids<'_, S> {
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        let sweep = |part, reach| self.solids.sweep_aabb(part, dir, reach, one_way);
        sweep_parts(self.leading(body, dir), step, sweep)
    }

    fn overlaps_aabb(&self, body: Aabb) -> bool {
        let mut parts = self.leading(body, Dir::Right);
        self.solids.overlaps_aabb(self.footprint.bounds(body.min))
            && parts.any(|part| self.solids.overlaps_aabb(part))
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        nearest_free_parts(body, dir, limit, |there, left| {
            let mut parts = self.footprint.leading(dir.axis(), there);
            parts.try_fold(0, |farthest: u32, part| {
                Some(farthest.max(self.solids.nearest_free_aabb(part, dir, left)?))
            })
        })
    }

    fn can_move_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> bool {
        let mut parts = self.leading(body, dir);
        parts.all(|part| self.solids.can_move_aabb(part, dir, step, one_way))
    }

    fn has_one_way(&self, area: Aabb, dir: Dir) -> bool {
        self.solids.has_one_way(area, dir)
    }

    fn watched_areas(&self) -> &[(String, Terrain)] {
        self.solids.watched_areas()
    }

    fn footprint(&self) -> Option<&Footprint> {
        Some(self.footprint)
    }

    fn floor_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        let mut longest = 0;
        for part in self.leading(body, floor) {
            if longest < distance && !self.solids.can_move_aabb(part, floor, 1, true) {
                longest = longest.max(self.solids.floor_run(part, dir, distance, floor));
            }
        }
        longest
    }

    fn is_free(&self, area: Aabb, dirs: [Dir; 2]) -> bool {
        self.solids.is_free(area, dirs)
    }

    fn is_beyond(&self, body: Aabb, dir: Dir) -> bool {
        self.solids.is_beyond(body, dir)
    }

    fn contact_area(&self, contact: Contact) -> Option<Aabb> {
        self.solids.contact_area(contact)
    }
}
