//! The layers of a level: the terrain together with the areas that are solid for one body.
//!
//! A view without a grid of its own: each query asks the terrain, then each of these areas. It never changes
//! a level.

use glam::{IVec2, UVec2};

use super::{FootprintSolids, Level, Solids};
use crate::footprint::Footprint;
use crate::geometry::{Aabb, Corners, Dir};
use crate::sweep::{ConfigSpace, Contact, RayHit, Sweep, Terrain};

/// The solids of a level for a body that collides with some categories. Made by [`Level::solids_for`].
///
/// It answers as one terrain that has the solid and one-way cells of the level and of every area of these
/// categories, each in its own cells. The outside is that of the level.
///
/// A contact's cell is the level's cell with the first pixel that was met: in the lowest row, and there in
/// the lowest column. So it says where an area stopped the body, also if the area has cells of another size.
/// If one has, [`Mover::drop_through`](crate::Mover::drop_through) moves a footprint by one pixel only.
///
/// A query costs one on the level and one on each of these areas: as much as on the level if there is none.
///
/// ```
/// use bitwall::glam::{UVec2, Vec2};
/// use bitwall::{Aabb, Footprint, Grid, Level, Mover, MoverSettings, Terrain};
///
/// const BULLET_PROOF: u64 = 1 << 1;
/// let terrain = |text| Terrain::new(Grid::from_text(text)?, UVec2::splat(8));
/// let level = Level::new(terrain("........#")?);
/// let level = level.with_solid_area("glass", terrain("....#....")?, BULLET_PROOF);
///
/// let glass = level.solids_for(BULLET_PROOF);
/// let mut bullet = Mover::new(Aabb::from_xywh(0, 2, 4, 4), MoverSettings::PLAIN);
/// let mut hero = bullet;
/// let hit = bullet.step(&glass, Vec2::new(90.0, 0.0))?.contacts.right.expect("the glass");
/// assert_eq!((bullet.body.max.x, level.cell_area(hit.cell).min.x), (32, 32));
/// hero.step(&level, Vec2::new(90.0, 0.0))?;
/// assert_eq!(hero.body.max.x, 64, "only the wall stops the hero");
///
/// let mut shell = Mover::new(Aabb::from_xywh(0, 0, 6, 6), MoverSettings::PLAIN);
/// shell.step(&glass.with_footprint(&Footprint::circle(6)?), Vec2::new(90.0, 0.0))?;
/// assert_eq!(shell.body.max.x, 32);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AreaSolids<'a> {
    level: &'a Level,
    /// The areas from the first to the last that is solid, and their categories. Those between may have
    /// others.
    areas: &'a [(String, Terrain)],
    categories: &'a [u64],
    collides_with: u64,
    /// The level's configuration space for the body that moves, if it has been made.
    space: Option<ConfigSpace<'a>>,
}

impl<'a> AreaSolids<'a> {
    pub(super) fn new(level: &'a Level, collides_with: u64) -> Self {
        let is_solid = |category: &u64| category & collides_with != 0;
        let first = level.categories.iter().position(is_solid).unwrap_or(0);
        let end = level.categories.iter().rposition(is_solid).map_or(first, |last| last + 1);
        let (areas, categories) = (&level.areas[first..end], &level.categories[first..end]);
        Self { level, areas, categories, collides_with, space: None }
    }

    /// These solids for a body of `size`, which moves in the level's configuration space if one has been made
    /// for it.
    pub(crate) fn for_size(self, size: UVec2) -> Self {
        Self { space: self.level.terrain().known_config_space(size.as_ivec2()), ..self }
    }

    /// The level.
    pub fn level(&self) -> &'a Level {
        self.level
    }

    /// True if some area is solid.
    pub(crate) fn has_areas(&self) -> bool {
        !self.areas.is_empty()
    }

    /// These solids for a [`Mover`](crate::Mover) with the pixels of `footprint`: see [`FootprintSolids`].
    pub fn with_footprint<'f>(&'f self, footprint: &'f Footprint) -> FootprintSolids<'f, Self> {
        FootprintSolids::new(self, footprint)
    }

    /// As [`Terrain::ray`]. The hit's cell is the level's cell with the pixel.
    pub fn ray(&self, from: IVec2, to: IVec2, corners: Corners) -> Option<RayHit> {
        let hits = self.terrains().filter_map(|terrain| terrain.ray(from, to, corners));
        // The order in which a line visits its pixels.
        let first = hits.min_by_key(|hit| {
            let [x, y] = [0, 1].map(|axis| hit.pixel[axis].abs_diff(from[axis]));
            (u64::from(x) + u64::from(y), hit.pixel.y)
        });
        first.map(|hit| RayHit { cell: self.level.cell_at(hit.pixel), ..hit })
    }

    /// As [`Terrain::line_of_sight`].
    pub fn line_of_sight(&self, one: IVec2, other: IVec2, corners: Corners) -> bool {
        self.terrains().all(|terrain| terrain.line_of_sight(one, other, corners))
    }

    /// The areas that are solid.
    #[inline]
    fn areas(&self) -> impl Iterator<Item = &'a Terrain> {
        let all = self.areas.iter().zip(self.categories);
        let collides_with = self.collides_with;
        let solid = all.filter(move |(_, category)| **category & collides_with != 0);
        solid.map(|((_, area), _)| area)
    }

    /// The level's terrain, then the areas that are solid.
    #[inline]
    fn terrains(&self) -> impl Iterator<Item = &'a Terrain> {
        std::iter::once(self.level.terrain()).chain(self.areas())
    }

    /// The sweep among all of them, from that in the level. `of` makes the one in an area.
    #[inline]
    fn first(
        &self,
        (body, dir): (Aabb, Dir),
        level: Sweep,
        of: impl Fn(&Terrain, u32) -> Sweep,
    ) -> Sweep {
        self.areas().fold(level, |first, area| {
            // A contact at the same distance counts if its cell comes first.
            let reach = first.moved.saturating_add(1).min(first.step);
            let Sweep { moved, contact: Some(contact), .. } = of(area, reach) else {
                return first;
            };
            let contact = self.in_level(area, body.shifted(dir, moved).strip(dir, 1), contact);
            first.earlier(Sweep::stopped(first.step, moved, contact))
        })
    }

    /// A contact with a cell of `area`, with the level's cell. `ahead` has the pixels next to the body.
    fn in_level(&self, area: &Terrain, ahead: Aabb, contact: Contact) -> Contact {
        if area.cell_size() == self.level.cell_size() {
            return contact;
        }
        let pixel = ahead.min.max(area.cell_area(contact.cell).min);
        Contact { cell: self.level.cell_at(pixel), ..contact }
    }
}

impl Solids for AreaSolids<'_> {
    #[inline]
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        let level = match &self.space {
            Some(space) => space.sweep_aabb(body, dir, step, one_way),
            None => self.level.terrain().sweep_aabb(body, dir, step, one_way),
        };
        self.first((body, dir), level, |area, reach| area.sweep_aabb(body, dir, reach, one_way))
    }

    #[inline]
    fn overlaps_aabb(&self, body: Aabb) -> bool {
        let overlaps = match &self.space {
            Some(space) => Solids::overlaps_aabb(space, body),
            None => self.level.terrain().overlaps(body),
        };
        overlaps || self.areas().any(|area| area.overlaps(body))
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        let mut distance = 0;
        loop {
            let before = distance;
            // Past the solids of one, then of the next, until all are left behind.
            for terrain in self.terrains() {
                let there = body.shifted(dir, distance);
                distance += terrain.nearest_free(there, dir, limit - distance)?;
            }
            if distance == before || self.areas.is_empty() {
                return Some(distance);
            }
        }
    }

    #[inline]
    fn can_move_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> bool {
        let can_move = match &self.space {
            Some(space) => space.can_move_aabb(body, dir, step, one_way),
            None => self.level.terrain().can_move_aabb(body, dir, step, one_way),
        };
        can_move && self.areas().all(|area| area.can_move_aabb(body, dir, step, one_way))
    }

    fn has_one_way(&self, area: Aabb, dir: Dir) -> bool {
        self.level.has_one_way(area, dir)
            || self.areas().any(|solid| Solids::has_one_way(solid, area, dir))
    }

    #[inline]
    fn watched_areas(&self) -> &[(String, Terrain)] {
        self.level.watched_areas()
    }

    fn floor_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        let mut longest = 0;
        for terrain in self.terrains() {
            if longest < distance {
                longest = longest.max(terrain.floor_run(body, dir, distance, floor));
            }
        }
        longest
    }

    #[inline]
    fn is_beyond(&self, body: Aabb, dir: Dir) -> bool {
        self.terrains().all(|terrain| terrain.is_beyond(body, dir))
    }

    #[inline]
    fn contact_area(&self, contact: Contact) -> Option<Aabb> {
        let cell_size = self.level.cell_size();
        let is_known = self.areas().all(|area| area.cell_size() == cell_size);
        is_known.then(|| self.level.cell_area(contact.cell))
    }
}
