//! The solids for one mover, which passes through the one-way cells that it does not obey; the sides at
//! which they touch it, the step down through a one-way floor, and the nearest free place for a body in a
//! solid.
//!
//! No velocity and no path is known here.

use glam::IVec2;

use super::{Mover, walk};
use crate::footprint::Footprint;
use crate::geometry::{Aabb, Dir, Sides};
use crate::level::{Solids, floor_run};
use crate::sweep::{Contact, Sweep, Terrain};

/// A run of a floor that is long enough, in pixels: more than twice as far as a body looks for slopes.
const ENOUGH: u32 = 32;

/// The solids, and which one-way cells hold the body.
pub(crate) struct ObeyedSolids<'a, S> {
    solids: &'a S,
    /// As [`super::MoverSettings::one_way`], by the direction of the motion: bit 0 for [`Dir::Left`].
    one_way: u8,
}

impl<'a, S: Solids> ObeyedSolids<'a, S> {
    pub(crate) fn new(solids: &'a S, one_way: Sides<bool>) -> Self {
        let Sides { left, right, up, down } = one_way;
        let bit = |side: bool, dir: Dir| u8::from(side) << dir as u8;
        let one_way =
            bit(right, Dir::Left) | bit(left, Dir::Right) | bit(down, Dir::Up) | bit(up, Dir::Down);
        Self { solids, one_way }
    }

    /// True if the one-way cells that face a motion toward `dir` hold the body.
    #[inline]
    fn obeys(&self, dir: Dir) -> bool {
        self.one_way >> dir as u8 & 1 != 0
    }

    #[inline]
    pub(crate) fn sweep(&self, body: Aabb, dir: Dir, step: u32) -> Sweep {
        self.solids.sweep_aabb(body, dir, step, self.obeys(dir))
    }

    #[inline]
    pub(super) fn can_move(&self, body: Aabb, dir: Dir, step: u32) -> bool {
        self.solids.can_move_aabb(body, dir, step, self.obeys(dir))
    }

    #[inline]
    pub(super) fn overlaps(&self, body: Aabb) -> bool {
        self.solids.overlaps_aabb(body)
    }

    #[inline]
    fn nearest_free(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        self.solids.nearest_free_aabb(body, dir, limit)
    }

    /// As [`Solids::floor_run`]. The shortcuts of the solids count one-way cells, so a mover that does not
    /// obey those of the floor gets at most half its length at a time, and 0 if it is a footprint.
    pub(super) fn floor_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        if self.obeys(floor) {
            return self.solids.floor_run(body, dir, distance, floor);
        }
        if self.footprint().is_some() {
            return 0;
        }
        let is_held = |run| {
            let shared = body.intersection(body.shifted(dir, run));
            shared.extent(dir.axis()) > 0 && !self.can_move(shared, floor, 1)
        };
        floor_run(body, dir, distance, is_held, || 0)
    }

    /// As [`ObeyedSolids::floor_run`], but a run that is shorter than [`ENOUGH`] is prolonged from its end
    /// on: below a narrow body, such as the foot of a disc, it often is.
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

    /// As [`Solids::has_one_way`], of the one-way cells that hold the body.
    #[inline]
    pub(super) fn has_one_way(&self, area: Aabb, dir: Dir) -> bool {
        self.obeys(dir) && self.solids.has_one_way(area, dir)
    }

    /// As [`Solids::is_free`], as if the mover obeyed every one-way cell.
    pub(super) fn is_free(&self, area: Aabb, dirs: [Dir; 2]) -> bool {
        self.solids.is_free(area, dirs)
    }

    pub(super) fn contact_area(&self, contact: Contact) -> Option<Aabb> {
        self.solids.contact_area(contact)
    }

    pub(super) fn gives_way(&self, body: Aabb, dir: Dir, part: u32) -> bool {
        self.solids.gives_way(body, dir, part)
    }

    pub(super) fn footprint(&self) -> Option<&'a Footprint> {
        self.solids.footprint()
    }

    /// False only if the solid of `contact`, which stopped the body, is still in its path after `limit`
    /// pixels toward `side`. In most cases this cheap test spares a call of `nearest_free`.
    fn may_pass(&self, body: Aabb, contact: Contact, side: Dir, limit: u32) -> bool {
        // The edges of a footprint can pass a solid that its box cannot.
        let area = match self.footprint() {
            None => self.contact_area(contact),
            Some(_) => None,
        };
        area.is_none_or(|solid| -solid.gap(side, body) <= i64::from(limit))
    }

    /// The least distance toward `side`, at most `limit`, after which a body that `contact` stops can move a
    /// pixel toward `dir`, and its place then. All of that path must be free.
    pub(super) fn around(
        &self,
        body: Aabb,
        dir: Dir,
        contact: Contact,
        side: Dir,
        limit: u32,
    ) -> Option<(u32, Aabb)> {
        if !self.may_pass(body, contact, side, limit) {
            return None;
        }
        let distance = self.nearest_free(body.shifted(dir, 1), side, limit)?;
        let aside = body.shifted(side, distance);
        let is_free =
            distance > 0 && self.can_move(body, side, distance) && self.can_move(aside, dir, 1);
        is_free.then(|| (distance, aside.shifted(dir, 1)))
    }

    /// The number of pixels toward `dir`, at most `limit`, from the next one on, of which none is free. Each
    /// solid takes one of `looks`; `None` if these are used up.
    pub(super) fn held_run(
        &self,
        body: Aabb,
        dir: Dir,
        limit: u32,
        looks: &mut u32,
    ) -> Option<u32> {
        let mut run = 0;
        while run < limit && !self.can_move(body.shifted(dir, run), dir, 1) {
            let there = body.shifted(dir, run);
            if self.solids.is_beyond(there, dir) {
                return Some(limit);
            }
            *looks = looks.checked_sub(1)?;
            let solid = match self.footprint() {
                None => self.nearest_free(there.strip(dir, 1), dir, limit - run),
                Some(_) => Some(0),
            };
            run += solid.unwrap_or(limit - run).max(1);
        }
        Some(run)
    }

    #[inline]
    pub(super) fn has_areas(&self) -> bool {
        !self.solids.watched_areas().is_empty()
    }

    /// The areas that the body overlaps, of the first 64: one bit each.
    #[inline]
    pub(super) fn areas(&self, body: Aabb) -> u64 {
        if !self.has_areas() {
            return 0;
        }
        self.areas_met(|area| match self.footprint() {
            None => area.overlaps(body),
            Some(footprint) => area.overlaps(footprint.at(body.min)),
        })
    }

    /// The areas that the body's leading edges pass over on the next `step` pixels toward `dir`.
    pub(super) fn areas_passed(&self, body: Aabb, dir: Dir, step: u32) -> u64 {
        self.areas_met(|area| match self.footprint() {
            None => !area.can_move(body, dir, step),
            Some(footprint) => !area.can_move(footprint.at(body.min), dir, step),
        })
    }

    /// The areas that a body which stays within `area` may overlap.
    pub(super) fn areas_near(&self, area: Aabb) -> u64 {
        self.areas_met(|named| named.overlaps(area))
    }

    fn areas_met(&self, is_met: impl Fn(&Terrain) -> bool) -> u64 {
        let areas = self.solids.watched_areas().iter().take(64).enumerate();
        areas.fold(0, |met, (at, (_, area))| met | u64::from(is_met(area)) << at)
    }
}

impl Mover {
    /// Lets the body through the one-way cells that it stands on: moves it one pixel toward its floor, past
    /// their edge, where they no longer hold it. Returns false and changes nothing if it has no floor, if
    /// nothing holds it, or if a solid does.
    ///
    /// One-way cells further down hold it again, so a stack of them is dropped through one by one. A slope is
    /// one floor: the body is moved past each edge that is at most `step_height` below the last one and to
    /// the side of those before. Each part of a footprint passes an edge by itself, so a footprint is moved
    /// until all parts are past the edges that it stands on. A solid stops it.
    pub fn drop_through(&mut self, solids: &impl Solids) -> bool {
        let Some(floor) = self.settings.floor else {
            return false;
        };
        let mut there = *self;
        there.fit(solids);
        let held = ObeyedSolids::new(solids, self.settings.one_way);
        let let_through = ObeyedSolids::new(solids, Sides::all(false));
        if held.can_move(there.body, floor, 1) {
            return false;
        }
        let start = there.body;
        let reach = start.extent(floor.axis()).max(1).min(start.room(floor));
        let ahead = |body| held.sweep(body, floor, reach);
        // The first and the last of the columns, or rows, of the edges that it has passed.
        let mut passed: Option<[i32; 2]> = None;
        while let Sweep { moved, contact: Some(contact), .. } = ahead(there.body) {
            let body = there.body.shifted(floor, moved);
            let span = span_held(&held, body, contact, floor);
            let is_beside = passed.is_some_and(|[first, last]| span[1] < first || span[0] > last);
            let is_slope = is_beside && moved < self.settings.step_height;
            if !is_slope && is_further(&held, start, body, contact, floor)
                || !let_through.can_move(there.body, floor, moved + 1)
            {
                break;
            }
            let [first, last] = passed.unwrap_or(span);
            passed = Some([first.min(span[0]), last.max(span[1])]);
            there.body = there.body.shifted(floor, moved + 1);
            there.subpixel = IVec2::ZERO;
        }
        let has_moved = there.body != start;
        if has_moved {
            *self = there;
        }
        has_moved
    }

    /// The normal of the floor on which the body stands, out of the solid: [`Mover::surface_normal`] toward
    /// its floor. `None` in the air, or without a floor.
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Level, Mover, MoverSettings, glam::IVec2, glam::UVec2};
    ///
    /// let mut grid = Grid::new(60, 60)?;
    /// for column in 0..60 {
    ///     grid.fill(column..column + 1, 60 - column..60, true)?; // 45 degrees, up to the right
    /// }
    /// let level = Level::from_grid(grid, UVec2::ONE)?;
    /// let mut hero = Mover::new(Aabb::from_xywh(20, 0, 6, 12), MoverSettings::platformer());
    /// assert_eq!(hero.floor_normal(&level), None);
    /// hero.step(&level, (0.0, 60.0))?;
    /// assert_eq!(hero.floor_normal(&level), Some(IVec2::new(-1, -1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn floor_normal(&self, solids: &impl Solids) -> Option<IVec2> {
        self.surface_normal(solids, self.settings.floor?)
    }

    /// The normal of the surface that touches the body toward `dir`, out of the solid; `None` if the next
    /// pixel is free. It is not of unit length, and its two components have no common divisor. A level floor
    /// has the normal (0, -1).
    ///
    /// It is that of the line of least squares through the places to which the body would walk along the
    /// surface: up to 8 px to each side, as far as it is one surface, whose steps differ by at most a pixel.
    /// So it does not depend on the size of the body. Slopes of 1, 2 and 4 px a column are exact; others
    /// between 1:4 and 4:1 are within 1.5 degrees where the surface goes on for 8 px to both sides. One that
    /// is steeper than 8:1 counts as a wall that stands on a level floor. Allocates nothing; O(16 steps).
    pub fn surface_normal(&self, solids: &impl Solids, dir: Dir) -> Option<IVec2> {
        let mut there = *self;
        there.fit(solids);
        let solids = ObeyedSolids::new(solids, self.settings.one_way);
        let is_touched = !solids.can_move(there.body, dir, 1);
        is_touched.then(|| walk::normal(&solids, there.body, dir))
    }

    /// True for each side on which a solid, or a one-way cell that the mover obeys, touches the body: the
    /// next pixel toward that side is not free.
    pub fn touching(&self, solids: &impl Solids) -> Sides<bool> {
        let mut there = *self;
        there.fit(solids);
        let solids = ObeyedSolids::new(solids, self.settings.one_way);
        Dir::ALL.into_iter().fold(Sides::all(false), |sides, dir| {
            sides.with(dir, !solids.can_move(there.body, dir, 1))
        })
    }
}

/// The first and the last column, or row, in which the next pixel toward `floor` holds a body; for a
/// footprint those of the contact's cell.
fn span_held(
    solids: &ObeyedSolids<'_, impl Solids>,
    body: Aabb,
    contact: Contact,
    floor: Dir,
) -> [i32; 2] {
    let cross = floor.axis().other();
    let side = |dir: Dir| -> i32 {
        if solids.footprint().is_some() {
            return contact.cell[cross.index()];
        }
        // The least part of the body from its far side on that is held ends at the column.
        let is_held = |length: u32| {
            let part = body.intersection(body.shifted(dir, body.extent(cross) - length));
            !solids.can_move(part, floor, 1)
        };
        let (mut free, mut held) = (0, body.extent(cross));
        while held - free > 1 {
            let middle = free + (held - free) / 2;
            *(if is_held(middle) { &mut held } else { &mut free }) = middle;
        }
        let last = body.shifted(dir, body.extent(cross).saturating_sub(held)).edge(dir.opposite());
        last.min[cross.index()].saturating_sub(i32::from(!dir.is_positive()))
    };
    [side(Dir::along(cross, false)), side(Dir::along(cross, true))]
}

/// True if the edge that stops a body at `body` lies further toward `floor` than the leading edge of `start`.
fn is_further(
    solids: &ObeyedSolids<'_, impl Solids>,
    start: Aabb,
    body: Aabb,
    contact: Contact,
    floor: Dir,
) -> bool {
    // A box meets the edge with its leading edge, a footprint with any of its parts.
    let front = match (solids.footprint(), solids.contact_area(contact)) {
        (Some(_), Some(cell)) => cell.edge(floor.opposite()),
        _ => body.edge(floor),
    };
    start.gap(floor, front) > 0
}

impl Mover {
    /// Moves the body to the nearest place, at most `radius` pixels away in a straight line, at which it
    /// overlaps no solid, and returns the displacement. `None` if there is no such place; then nothing is
    /// changed. A body that is free stays at its place.
    ///
    /// Of equally near places the topmost counts, then the left one: so up, then left, right, down. Solids
    /// between do not matter. The cost is one [`Solids::nearest_free_aabb`] to the left and one to the right
    /// for each row within the radius, until a place nearer than the row is found.
    pub fn unstick(&mut self, solids: &impl Solids, radius: u32) -> Option<IVec2> {
        let mut there = *self;
        there.fit(solids);
        let translation = nearest_place(solids, there.body, radius)?;
        there.body = there.body.translated(translation);
        if translation != IVec2::ZERO {
            there.subpixel = IVec2::ZERO;
        }
        *self = there;
        Some(translation)
    }
}

/// The shortest translation to a free place within `radius`; of equally long ones the one that ends on the
/// topmost row, then in the leftmost column.
fn nearest_place(solids: &impl Solids, body: Aabb, radius: u32) -> Option<IVec2> {
    let radius = radius.min(i32::MAX as u32);
    let mut best: Option<(u64, IVec2)> = None;
    for row in 0..=radius {
        let nearest = best.map_or(u64::from(radius).pow(2), |(distance, _)| distance);
        let Some(left) = nearest.checked_sub(u64::from(row).pow(2)) else {
            break;
        };
        let reach = left.isqrt() as u32;
        // All rows beyond the level are alike, and the first of them is the nearest.
        let is_new = |vertical: &Dir| {
            let before = || body.shifted(*vertical, row - 1);
            row == 0 || row <= body.room(*vertical) && !solids.is_beyond(before(), *vertical)
        };
        let verticals = [Dir::Up, Dir::Down].map(|vertical| Some(vertical).filter(is_new));
        if verticals == [None; 2] {
            break;
        }
        for vertical in verticals.into_iter().flatten() {
            let there = body.shifted(vertical, row);
            for horizontal in [Dir::Left, Dir::Right] {
                let Some(column) = solids.nearest_free_aabb(there, horizontal, reach) else {
                    continue;
                };
                let distance = u64::from(row).pow(2) + u64::from(column).pow(2);
                let place = there.shifted(horizontal, column).min - body.min;
                let order = |(distance, place): (u64, IVec2)| (distance, place.y, place.x);
                if best.is_none_or(|best| order((distance, place)) < order(best)) {
                    best = Some((distance, place));
                }
            }
        }
    }
    best.map(|(_, place)| place)
}
