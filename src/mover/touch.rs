//! The sides at which solids touch a body, and the step down through a one-way floor.

use glam::IVec2;

use super::{Mover, ObeyedSolids};
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
            let at = contact.cell.to_array()[floor.axis().other().index()];
            let is_beside = passed.is_some_and(|[first, last]| at < first || at > last);
            let is_slope = is_beside && moved < self.settings.step_height;
            let body = there.body.shifted(floor, moved);
            if !is_slope && is_further(&held, start, body, contact, floor)
                || !let_through.can_move(there.body, floor, moved + 1)
            {
                break;
            }
            passed =
                passed.map_or(Some([at; 2]), |[first, last]| Some([first.min(at), last.max(at)]));
            there.body = there.body.shifted(floor, moved + 1);
            there.subpixel = IVec2::ZERO;
        }
        let has_moved = there.body != start;
        if has_moved {
            *self = there;
        }
        has_moved
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
