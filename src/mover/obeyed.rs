//! [`ObeyedSolids`]: solids as one mover sees them. One-way cells that the mover's settings ignore are left
//! out, and the areas that the mover watches are added. The code here does not depend on the mover's velocity
//! or path.

use std::ops::Deref;

use crate::footprint::Footprint;
use crate::geometry::{Aabb, Dir, Sides};
use crate::level::{Area, Solids, floor_run};
use crate::terrain::{Contact, Sweep, Terrain};

/// The length in pixels up to which [`ObeyedSolids::level_run`] adds up the lengths of consecutive level
/// floors: four times `SURFACE_REACH`, the distance to each side within which a slope is measured.
const ENOUGH: u32 = 32;

/// Solids, the mover's footprint and watched areas, and the directions of motion that one-way cells can stop.
/// Queries are dispatched at run time, so the code of a motion is compiled once, and not for each type of
/// solids.
pub(crate) struct ObeyedSolids<'a> {
    solids: &'a dyn Solids,
    pub(super) footprint: Option<&'a Footprint>,
    areas: &'a [Area],
    /// One bit for each direction of motion, from [`super::MoverSettings::one_way`]: 1 if one-way cells stop
    /// a motion in that direction. Bit 0 is for [`Dir::Left`].
    one_way: u8,
}

impl<'a> Deref for ObeyedSolids<'a> {
    type Target = dyn Solids + 'a;

    #[inline]
    fn deref(&self) -> &Self::Target {
        self.solids
    }
}

impl<'a> ObeyedSolids<'a> {
    #[inline]
    pub(crate) fn new(solids: &'a impl Solids, one_way: Sides<bool>) -> Self {
        let Sides { left, right, up, down } = one_way;
        let one_way = u8::from(right) << Dir::Left as u8
            | u8::from(left) << Dir::Right as u8
            | u8::from(down) << Dir::Up as u8
            | u8::from(up) << Dir::Down as u8;
        Self { solids, footprint: solids.footprint(), areas: solids.watched_areas(), one_way }
    }

    /// The same solids for a mover that ignores one-way cells in its motion toward `dir`.
    pub(super) fn without_one_way(&self, dir: Dir) -> Self {
        Self { one_way: self.one_way & !(1 << dir as u8), ..*self }
    }

    /// True if one-way cells stop a motion of this mover toward `dir`.
    #[inline]
    pub(super) fn obeys(&self, dir: Dir) -> bool {
        self.one_way >> dir as u8 & 1 != 0
    }

    #[inline]
    pub(crate) fn sweep(&self, body: Aabb, dir: Dir, step: u32) -> Sweep {
        self.solids.sweep_aabb(body, dir, step, self.obeys(dir))
    }

    #[inline]
    pub(crate) fn can_move(&self, body: Aabb, dir: Dir, step: u32) -> bool {
        self.solids.can_move_aabb(body, dir, step, self.obeys(dir))
    }

    /// Like [`Solids::floor_run`], without one-way cells that the mover ignores. The implementation of
    /// [`Solids`] counts one-way cells as floor, so it is not used for a mover that ignores them. For such a
    /// mover the result is `distance`, or at most half the length of the body, or 0 for a footprint.
    ///
    /// If it were private, calls in other files would reach the method of [`Solids`] through `deref`.
    pub(super) fn floor_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        if self.obeys(floor) {
            return self.solids.floor_run(body, dir, distance, floor);
        }
        if self.footprint.is_some() {
            return 0;
        }
        floor_run(
            body,
            dir,
            distance,
            &|run| {
                let shared = body.intersection(body.shifted(dir, run));
                shared.extent(dir.axis()) > 0 && !self.can_move(shared, floor, 1)
            },
            &|| 0,
        )
    }

    /// Like [`ObeyedSolids::floor_run`], but repeats the query at the end of each run until the runs together
    /// have at least [`ENOUGH`] pixels. The runs of a narrow body, such as the lowest row of a disc, are
    /// short.
    pub(super) fn level_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        let mut run = 0;
        while run < distance.min(ENOUGH) {
            match self.floor_run(body.shifted(dir, run), dir, distance - run, floor) {
                0 => break,
                more => run += more.min(distance - run),
            }
        }
        run
    }

    /// Like [`Solids::has_one_way`], but false if the mover ignores one-way cells in this direction.
    #[inline]
    pub(super) fn has_one_way(&self, area: Aabb, dir: Dir) -> bool {
        self.obeys(dir) && self.solids.has_one_way(area, dir)
    }

    /// Finds a way around the solid of `contact`, which stops the body. Returns the smallest distance in
    /// pixels toward `side` after which the body can move one pixel toward `dir`, and the body after both
    /// motions. Returns `None` if the distance is above `limit`, or if a solid is on the path.
    pub(crate) fn around(
        &self,
        body: Aabb,
        dir: Dir,
        contact: Contact,
        side: Dir,
        limit: u32,
    ) -> Option<(u32, Aabb)> {
        // This cheap test makes the search unnecessary in most cases. It is wrong for a footprint, which can
        // pass solids that overlap its box.
        if self.footprint.is_none()
            && let Some(solid) = self.contact_area(contact)
            && -solid.gap(side, body) > i64::from(limit)
        {
            return None;
        }
        let distance = self.nearest_free_aabb(body.shifted(dir, 1), side, limit)?;
        let aside = body.shifted(side, distance);
        let is_free =
            distance > 0 && self.can_move(body, side, distance) && self.can_move(aside, dir, 1);
        is_free.then(|| (distance, aside.shifted(dir, 1)))
    }

    #[inline]
    pub(super) fn has_areas(&self) -> bool {
        !self.areas.is_empty()
    }

    /// A bit for each of the first 64 areas: 1 if `body` overlaps the area.
    #[inline]
    pub(super) fn areas(&self, body: Aabb) -> u64 {
        if !self.has_areas() {
            return 0;
        }
        self.areas_met(&|area| match self.footprint {
            None => area.overlaps(body),
            Some(footprint) => area.overlaps(footprint.at(body.min)),
        })
    }

    /// A bit for each of the first 64 areas: 1 if the body's leading edges sweep over a part of the area on
    /// the next `step` pixels toward `dir`.
    pub(super) fn areas_passed(&self, body: Aabb, dir: Dir, step: u32) -> u64 {
        self.areas_met(&|area| match self.footprint {
            None => !area.can_move(body, dir, step),
            Some(footprint) => !area.can_move(footprint.at(body.min), dir, step),
        })
    }

    /// A bit for each of the first 64 named areas: 1 if the named area overlaps the box `area`. A body inside
    /// the box can overlap no other named areas.
    pub(super) fn areas_near(&self, area: Aabb) -> u64 {
        self.areas_met(&|named| named.overlaps(area))
    }

    fn areas_met(&self, is_met: &dyn Fn(&Terrain) -> bool) -> u64 {
        let areas = self.areas.iter().take(64).enumerate();
        areas.fold(0, |met, (at, area)| met | u64::from(is_met(&area.terrain)) << at)
    }
}
