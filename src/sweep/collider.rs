//! The shapes that a terrain's queries take, and the answers for a box.
//!
//! The footprint's answers are beside the footprint. Nothing here is dispatched at run time.

use glam::IVec2;

use super::contact::Sweep;
use super::terrain::Terrain;
use super::{kernel, one_way};
use crate::geometry::{Aabb, Dir};

/// A shape at a place, for the queries of a [`Terrain`]: an [`Aabb`], or a [`Footprint`](crate::Footprint) by
/// [`Footprint::at`](crate::Footprint::at).
///
/// It is implemented for these two only. Both take the same queries:
///
/// ```
/// use bitwall::{Aabb, Dir, Footprint, Grid, Terrain, glam::{IVec2, UVec2}};
///
/// let terrain = Terrain::new(Grid::from_text("....\n....\n.#..\n....")?, UVec2::splat(8))?;
/// let square = Aabb::from_xywh(14, 0, 16, 16);
/// let ball = Footprint::circle(16)?;
/// assert_eq!(terrain.sweep(square, Dir::Down, 16).moved, 0);
/// assert_eq!(terrain.sweep(ball.at(IVec2::new(14, 0)), Dir::Down, 16).moved, 3, "it is round");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Collider: InTerrain {}

/// The queries of a [`Terrain`] for a shape; each is documented at the terrain's method.
pub trait InTerrain: Copy {
    fn can_move(self, terrain: &Terrain, dir: Dir, step: u32) -> bool;
    fn sweep(self, terrain: &Terrain, dir: Dir, step: u32) -> Sweep;
    fn sweep_through_one_way(self, terrain: &Terrain, dir: Dir, step: u32) -> Sweep;
    fn overlaps(self, terrain: &Terrain) -> bool;
    fn nearest_free(self, terrain: &Terrain, dir: Dir, limit: u32) -> Option<u32>;
    fn first_overlap(self, terrain: &Terrain) -> Option<IVec2>;
    fn solid_area(self, terrain: &Terrain) -> u64;
    fn overlap_normal(self, terrain: &Terrain) -> IVec2;
    fn pixel_count(self) -> u64;
}

impl Collider for Aabb {}

impl InTerrain for Aabb {
    #[inline]
    fn can_move(self, terrain: &Terrain, dir: Dir, step: u32) -> bool {
        kernel::is_clear(terrain, self, dir, step)
    }

    fn sweep(self, terrain: &Terrain, dir: Dir, step: u32) -> Sweep {
        // Most motions are free, and this test costs a fraction of a sweep.
        if self.can_move(terrain, dir, step) {
            return Sweep::clear(step);
        }
        sweep_held(self, terrain, dir, step)
    }

    fn sweep_through_one_way(self, terrain: &Terrain, dir: Dir, step: u32) -> Sweep {
        kernel::sweep(&terrain.grid, &terrain.frame, self, dir, step)
    }

    #[inline]
    fn overlaps(self, terrain: &Terrain) -> bool {
        kernel::any_solid(&terrain.grid, &terrain.frame, self)
    }

    fn nearest_free(self, terrain: &Terrain, dir: Dir, limit: u32) -> Option<u32> {
        kernel::nearest_free(&terrain.grid, &terrain.frame, self, dir, limit)
    }

    fn first_overlap(self, terrain: &Terrain) -> Option<IVec2> {
        // The top edge sweeps the box downward, and meets the first row with a solid.
        let top = self.edge(Dir::Up);
        let sweep = top.sweep_through_one_way(terrain, Dir::Down, self.height());
        let cell = terrain.cell_area(sweep.contact?.cell);
        let row = self.min.y.saturating_add_unsigned(sweep.moved);
        Some(IVec2::new(cell.min.x.max(self.min.x), row))
    }

    fn solid_area(self, terrain: &Terrain) -> u64 {
        kernel::solid_area(&terrain.grid, &terrain.frame, self)
    }

    fn overlap_normal(self, terrain: &Terrain) -> IVec2 {
        let area = |dir| i128::from(self.shifted(dir, 1).solid_area(terrain));
        let less = |back, forth| {
            let less: i128 = area(back) - area(forth);
            less.clamp(i32::MIN.into(), i32::MAX.into()) as i32
        };
        IVec2::new(less(Dir::Left, Dir::Right), less(Dir::Up, Dir::Down))
    }

    fn pixel_count(self) -> u64 {
        u64::from(self.width()) * u64::from(self.height())
    }
}

/// The sweep of a box that something holds on its way.
pub(super) fn sweep_held(body: Aabb, terrain: &Terrain, dir: Dir, step: u32) -> Sweep {
    let sweep = body.sweep_through_one_way(terrain, dir, step);
    match terrain.one_way(dir.opposite()) {
        Some(guards) => one_way::cut(guards, &terrain.frame, body, dir, sweep),
        None => sweep,
    }
}
