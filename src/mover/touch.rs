//! What touches a body where it stands, and down through the one-way floor among it. Nothing here steps.

use glam::IVec2;

use super::Mover;
use super::probe::{BoxProbe, FootprintProbe, Probe};
use crate::geometry::{Dir, Sides};
use crate::sweep::Sweep;
use crate::{Footprint, Level};

impl Mover {
    /// Lets the body through the one-way cells that it stands on: puts it one pixel toward its floor, past
    /// their edge, where they do not hold it any more. False, and nothing is changed, if it has no floor, if
    /// nothing holds it, or if a solid does.
    ///
    /// One-way cells further down hold it again, so a stack of them is dropped through one by one.
    pub fn drop_through(&mut self, level: &Level) -> bool {
        let held = BoxProbe::new(level, self.settings.one_way);
        let let_through = BoxProbe::new(level, Sides::all(false));
        self.drop_among(level, &held, &let_through)
    }

    /// As [`Mover::drop_through`] for a body that is no box: see [`Mover::step_footprint`]. Each of its parts
    /// passes an edge by itself, so it is put as far toward its floor as takes all of them past the edges
    /// that it stands on, or as far as solids let it.
    pub fn drop_through_footprint(&mut self, level: &Level, footprint: &Footprint) -> bool {
        let held = self.footprint_probe(level, footprint);
        let let_through = FootprintProbe {
            footprint,
            parts: BoxProbe::new(level, Sides::all(false)),
        };
        self.drop_among(level, &held, &let_through)
    }

    /// Puts the body past the edges that its box does not lie before, where they hold it.
    fn drop_among(&mut self, level: &Level, held: &impl Probe, let_through: &impl Probe) -> bool {
        let Some(floor) = self.settings.floor else {
            return false;
        };
        if held.can_move(self.body, floor, 1) {
            return false;
        }
        let start = self.body;
        let reach = start.extent(floor.axis()).max(1).min(start.room(floor));
        let ahead = |body| held.sweep(body, floor, reach);
        while let Sweep {
            moved,
            contact: Some(contact),
            ..
        } = ahead(self.body)
        {
            let cell = level.cell_area(contact.cell);
            let is_further = match floor {
                Dir::Left => cell.max.x < start.min.x,
                Dir::Right => cell.min.x > start.max.x,
                Dir::Up => cell.max.y < start.min.y,
                Dir::Down => cell.min.y > start.max.y,
            };
            if is_further || !let_through.can_move(self.body, floor, moved + 1) {
                break;
            }
            self.body = self.body.shifted(floor, moved + 1);
            self.subpixel = IVec2::ZERO;
        }
        self.body != start
    }

    /// True for each side at which a solid, or a one-way cell that the mover obeys, touches the body: its
    /// next pixel toward that side is not free.
    pub fn touching(&self, level: &Level) -> Sides<bool> {
        self.touching_among(&BoxProbe::new(level, self.settings.one_way))
    }

    /// As [`Mover::touching`] for a body that is no box: see [`Mover::step_footprint`].
    pub fn touching_footprint(&self, level: &Level, footprint: &Footprint) -> Sides<bool> {
        let mut there = *self;
        let probe = there.footprint_probe(level, footprint);
        there.touching_among(&probe)
    }

    fn touching_among(&self, probe: &impl Probe) -> Sides<bool> {
        Dir::ALL.into_iter().fold(Sides::all(false), |sides, dir| {
            sides.with(dir, !probe.can_move(self.body, dir, 1))
        })
    }
}
