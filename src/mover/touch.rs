//! The sides at which solids touch a body, and the step down through a one-way floor.

use glam::IVec2;

use super::{Mover, ObeyedSolids, surface};
use crate::geometry::{Aabb, Dir, Sides};
use crate::level::Solids;
use crate::sweep::{Contact, Sweep};

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
        is_touched.then(|| surface::normal(&solids, there.body, dir))
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
