//! Solids for a body that is a footprint: each query of a box is one of the footprint's parts there.

use super::{PlacedTerrain, Solids};
use crate::footprint::{Footprint, nearest_free_parts, sweep_parts};
use crate::geometry::{Aabb, Dir};
use crate::terrain::Sweep;

/// The solids for a [`Mover`](crate::Mover) whose body is not a box but a [`Footprint`].
///
/// The mover's body takes the size of the footprint and keeps its top-left corner. So a sprite can move with
/// the pixels of the animation frame that it shows. A sweep costs one sweep of a box for each rectangle of
/// equal pixel runs in the footprint. Each run of pixels enters one-way cells separately. So a one-way cell
/// can stop a disc until all runs of the disc are past the cell's edge.
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
    /// Returns `solids` for a body with the pixels of `footprint`.
    pub const fn new(solids: &'a S, footprint: &'a Footprint) -> Self {
        Self { solids, footprint }
    }

    fn leading(&self, body: Aabb, dir: Dir) -> impl Iterator<Item = Aabb> {
        self.footprint.leading(dir.axis(), body.min)
    }
}

impl<S: Solids> Solids for FootprintSolids<'_, S> {
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        sweep_parts(self.leading(body, dir), step, |part, reach| {
            self.solids.sweep_aabb(part, dir, reach, one_way)
        })
    }

    fn overlaps_aabb(&self, body: Aabb) -> bool {
        let mut parts = self.leading(body, Dir::Right);
        self.solids.overlaps_aabb(self.footprint.bounds(body.min))
            && parts.any(|part| self.solids.overlaps_aabb(part))
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        nearest_free_parts(self.footprint, body.min, dir, limit, &|part, left| {
            self.solids.nearest_free_aabb(part, dir, left)
        })
    }

    fn can_move_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> bool {
        let mut parts = self.leading(body, dir);
        parts.all(|part| self.solids.can_move_aabb(part, dir, step, one_way))
    }

    fn base(&self) -> Option<&dyn Solids> {
        Some(self.solids)
    }

    fn placed_area(&self, name: &str) -> Option<PlacedTerrain<'_>> {
        self.solids.placed_area(name)
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
}
