//! Drops through one-way floors. [`Mover::drop_through`] moves the body past the edge of its floor, and later
//! steps ignore that floor. A one-way floor has one edge in each pixel column (pixel row, for a floor at the
//! left or right). In neighbouring columns, the edges of one floor differ in height by at most `step_height`,
//! so that a body could walk over them.

use glam::{I64Vec2, IVec2};

use super::Mover;
use super::obeyed::ObeyedSolids;
use super::settings::{Move, leaves};
use crate::geometry::{Aabb, Dir, Sides};
use crate::level::Solids;
use crate::terrain::{Contact, Sweep, last_free};

impl Mover {
    /// Moves the body one pixel toward its floor, past the edge of the one-way cells on which it stands, and
    /// returns true.
    ///
    /// Returns false and changes nothing if the settings have no floor, if the body is in the air, or if a
    /// solid supports the body.
    ///
    /// One-way cells further down stop the body again, so each call drops through one floor of a stack. A
    /// slope of one-way cells counts as one floor: the body also passes the next edge of the slope. That edge
    /// must be at most `step_height` below the last edge, and must lie in other columns than all passed edges
    /// (other rows, for a floor at the left or right). A footprint is moved until all its pixels are past the
    /// edges on which it stands. The motion ends at a solid.
    ///
    /// The next steps ignore the floor too ([`Mover::dropping`]), so a body that runs down a slope does not
    /// land on the slope again. An edge in a neighbouring column belongs to the same floor if it is at most
    /// `step_height` higher or lower. For a footprint, and for a body longer than [`Mover::MAX_LOOKS`], the
    /// next steps do not ignore the floor.
    pub fn drop_through(&mut self, solids: &impl Solids) -> bool {
        let held = &ObeyedSolids::new(solids, self.settings.one_way);
        let let_through = &ObeyedSolids::new(solids, Sides::all(false));
        let Some(floor) = self.settings.floor else { return false };
        let mut there = self.fitted(held);
        if held.can_move(there.body, floor, 1) {
            return false;
        }
        let start = there.body;
        let reach = start.extent(floor.axis()).max(1).min(start.room(floor));
        // The first and last pixel column (or row) of all edges passed in this call.
        let mut passed: Option<[i32; 2]> = None;
        while let Sweep { moved, contact: Some(contact), .. } = held.sweep(there.body, floor, reach)
        {
            let body = there.body.shifted(floor, moved);
            let span = span_held(held, body, contact, floor);
            let is_beside = passed.is_some_and(|[first, last]| span[1] < first || span[0] > last);
            let is_slope = is_beside && moved < self.settings.step();
            // The leading edge of a box touches the one-way edge. A footprint can touch it with any of its
            // parts.
            let front = match (held.footprint, held.contact_area(contact)) {
                (Some(_), Some(cell)) => cell.edge(floor.opposite()),
                _ => body.edge(floor),
            };
            if !is_slope && start.gap(floor, front) > 0
                || !let_through.can_move(there.body, floor, moved + 1)
            {
                break;
            }
            if passed.is_none() && held.footprint.is_none() {
                there.dropping = Some(span.map(|column| {
                    let mut pixel = body.strip(floor, 1).min;
                    pixel[floor.axis().other().index()] = column;
                    pixel
                }));
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

    /// True if the body stands only on one-way cells, or on one-way platforms of a world, so that it can
    /// [`Mover::drop_through`] them.
    ///
    /// False for a body that stands on a solid, and for a body in the air.
    pub fn is_on_one_way(&self, solids: &impl Solids) -> bool {
        let held = ObeyedSolids::new(solids, self.settings.one_way);
        let let_through = ObeyedSolids::new(solids, Sides::all(false));
        let there = self.fitted(&held);
        self.settings.floor.is_some_and(|floor| {
            !held.can_move(there.body, floor, 1) && let_through.can_move(there.body, floor, 1)
        })
    }

    /// Makes a step like [`Mover::step_subpixels`], but ignores the floor through which the body drops. Ends
    /// the drop if the body lands or is past the floor.
    #[cold]
    pub(super) fn advance_past_floor(
        &mut self,
        solids: &impl Solids,
        translation: I64Vec2,
    ) -> Move {
        let others = self.solids_past_floor(solids);
        self.dropping = None;
        match others.filter(|others| !leaves(translation, others.floor)) {
            None => self.advance_among(solids, translation),
            Some(others) => {
                let done = self.advance_among(&others, translation);
                self.dropping = others.ends_near(self.body).filter(|_| !done.grounded);
                done
            }
        }
    }

    /// True if a body with this `velocity` stands on a floor, other than the floor through which it drops.
    pub(crate) fn is_standing(&self, solids: &impl Solids, velocity: I64Vec2) -> bool {
        let one_way = self.settings.one_way;
        let stands = |solids: &ObeyedSolids<'_>| {
            self.is_held(solids) && self.counts_floor(solids, velocity, false)
        };
        match self.solids_past_floor(solids) {
            None => stands(&ObeyedSolids::new(solids, one_way)),
            Some(others) => stands(&ObeyedSolids::new(&others, one_way)),
        }
    }

    /// The solids for a body that drops through a floor: all but this floor. `None` if it drops through no
    /// floor, or if the steps of the body do not ignore floors (see [`Mover::drop_through`]).
    fn solids_past_floor<'a>(&self, solids: &'a impl Solids) -> Option<WithoutFloor<'a>> {
        let (ends, floor) = self.dropping.zip(self.settings.floor)?;
        // A query about a pixel of the floor would be answered for the whole footprint.
        let is_long = self.body.extent(floor.axis().other()) > Self::MAX_LOOKS;
        if is_long || solids.footprint().is_some() {
            return None;
        }
        let mut others =
            WithoutFloor { solids, floor, step: self.settings.step(), ends: ends.map(Some) };
        // A one-way platform may have moved since the last step: its edge is then near the old edge, or gone.
        others.ends =
            ends.map(|end| others.is_edge(end).then_some(end).or_else(|| others.edge_near(end)));
        Some(others)
    }
}

/// All solids except the one-way floor through which a box drops. The box is at most [`Mover::MAX_LOOKS`]
/// pixels long along the floor.
struct WithoutFloor<'a> {
    solids: &'a dyn Solids,
    floor: Dir,
    /// The largest height difference of the floor's edges in neighbouring columns, in pixels.
    step: u32,
    /// The floor, as two pixels just behind its edge: see [`Mover::dropping`]. With a single pixel, a
    /// mirrored body in a mirrored level could drop through other floors.
    ends: [Option<IVec2>; 2],
}

impl WithoutFloor<'_> {
    /// True if the floor's edge lies just before `pixel`: a one-way cell stops a motion into the pixel, and
    /// no solid does.
    fn is_edge(&self, pixel: IVec2) -> bool {
        let before = one(pixel).shifted(self.floor.opposite(), 1);
        !self.solids.can_move_aabb(before, self.floor, 1, true)
            && self.solids.can_move_aabb(before, self.floor, 1, false)
    }

    /// The pixel behind the highest edge in the column of `pixel`, at most `step` pixels above or below
    /// `pixel`. `None` if there is no such edge, or if a solid lies above it, where the floor ends.
    fn edge_near(&self, pixel: IVec2) -> Option<IVec2> {
        let start = one(pixel).shifted(self.floor.opposite(), self.step + 1);
        let sweep = self.solids.sweep_aabb(start, self.floor, 2 * self.step + 1, true);
        let found = start.shifted(self.floor, sweep.moved.saturating_add(1)).min;
        (!sweep.is_clear() && self.is_edge(found)).then_some(found)
    }

    /// Calls `visit` with the pixels behind the floor's edge in the columns of `body`. The search starts at
    /// `end` and follows the floor to one side, then to the other. On each side it ends after twice
    /// [`Mover::MAX_LOOKS`] columns.
    fn visit(&self, end: IVec2, body: Aabb, visit: &mut dyn FnMut(IVec2)) {
        let across = self.floor.axis().other();
        let at = across.index();
        let columns = body.min[at]..body.max[at];
        for side in [Dir::along(across, false), Dir::along(across, true)] {
            let mut next = Some(end);
            if !side.is_positive() {
                next = self.edge_near(end.saturating_add(side.vector()));
            }
            for _ in 0..2 * Mover::MAX_LOOKS {
                let Some(pixel) = next else { break };
                if columns.contains(&pixel[at]) {
                    visit(pixel);
                } else if (pixel[at] >= columns.end) == side.is_positive() {
                    break;
                }
                next = self.edge_near(pixel.saturating_add(side.vector()));
            }
        }
    }

    /// The pixels for [`WithoutFloor::ends`] after a step that ended at `body`. `None` if the floor has no
    /// edge in the columns of `body`, or if all of `body` is past the floor.
    fn ends_near(&self, body: Aabb) -> Option<[IVec2; 2]> {
        let at = self.floor.axis().other().index();
        let head = body.edge(self.floor.opposite());
        let [low, high] = self.ends.map(|end| {
            let end = end?;
            let mut nearest: Option<IVec2> = None;
            let mut is_crossed = false;
            self.visit(end, body, &mut |pixel| {
                is_crossed |= head.gap(self.floor, one(pixel)) > 0;
                let distance = pixel[at].abs_diff(end[at]);
                if nearest.is_none_or(|nearest| distance < nearest[at].abs_diff(end[at])) {
                    nearest = Some(pixel);
                }
            });
            nearest.filter(|_| is_crossed)
        });
        Some([low.or(high)?, high.or(low)?])
    }

    /// The first contact of `body` on its next pixel toward the floor, without contacts with the one-way
    /// floor that these solids leave out.
    fn contact(&self, body: Aabb) -> Option<Contact> {
        let along = self.floor.axis().index();
        let at = self.floor.axis().other().index();
        let next = body.strip(self.floor, 1).min;
        if body.extent(self.floor.axis().other()) > Mover::MAX_LOOKS {
            // A box this long is not the body, but the box around a long path. The floor then counts as a
            // solid, and the mover repeats the query with the body.
            return self.solids.sweep_aabb(body, self.floor, 1, true).contact;
        }
        let mut is_passed = [false; Mover::MAX_LOOKS as usize];
        for end in self.ends.into_iter().flatten() {
            self.visit(end, body, &mut |pixel| {
                let column = pixel[at].abs_diff(next[at]) as usize;
                is_passed[column] |= pixel[along] == next[along];
            });
        }
        let columns = (next[at]..body.max[at]).zip(is_passed).filter(|(_, is_passed)| !is_passed);
        let sweeps = columns.map(|(column, _)| {
            let mut pixel = next;
            pixel[at] = column;
            let before = one(pixel).shifted(self.floor.opposite(), 1);
            self.solids.sweep_aabb(before, self.floor, 1, true)
        });
        sweeps.filter(|sweep| !sweep.is_clear()).reduce(Sweep::earlier)?.contact
    }
}

/// The box that covers only `pixel`.
fn one(pixel: IVec2) -> Aabb {
    Aabb { min: pixel, max: pixel.saturating_add(IVec2::ONE) }
}

impl Solids for WithoutFloor<'_> {
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        if dir != self.floor || !one_way {
            return self.solids.sweep_aabb(body, dir, step, one_way);
        }
        let mut passed = 0;
        loop {
            let there = body.shifted(dir, passed);
            let moved = passed + self.solids.sweep_aabb(there, dir, step - passed, true).moved;
            if moved == step {
                return Sweep::clear(step);
            }
            if let Some(contact) = self.contact(body.shifted(dir, moved)) {
                return Sweep::stopped(step, moved, contact);
            }
            passed = moved + 1;
        }
    }

    fn overlaps_aabb(&self, body: Aabb) -> bool {
        self.solids.overlaps_aabb(body)
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        self.solids.nearest_free_aabb(body, dir, limit)
    }

    fn base(&self) -> Option<&dyn Solids> {
        Some(self.solids)
    }
}

/// The first and the last pixel column of the body that a floor supports (pixel row, for a floor at the left
/// or right). For a footprint, both numbers are the column (or row) of the contact's cell.
fn span_held(solids: &ObeyedSolids<'_>, body: Aabb, contact: Contact, floor: Dir) -> [i32; 2] {
    let cross = floor.axis().other();
    if solids.footprint.is_some() {
        return [contact.cell[cross.index()]; 2];
    }
    let length = body.extent(cross);
    [Dir::along(cross, false), Dir::along(cross, true)].map(|dir| {
        // The last column of the shortest part of the body, measured from its other end, that the floor
        // supports is the supported column nearest to the searched end.
        let free = last_free(0, length, |part| {
            let part = body.intersection(body.shifted(dir, length - part));
            solids.can_move(part, floor, 1)
        });
        let last = body.shifted(dir, length.saturating_sub(free + 1)).edge(dir.opposite());
        last.min[cross.index()].saturating_sub(i32::from(!dir.is_positive()))
    })
}
