//! Ladders: climbing, and standing on the top of one as on a one-way floor. Nothing here changes a state.

use glam::{I64Vec2, IVec2};

use super::area::middle_columns;
use super::feel::Feel;
use super::input::{Input, part};
use super::ledge::whole;
use crate::footprint::Footprint;
use crate::geometry::{Aabb, Dir, SUBPIXELS};
use crate::level::{Solids, floor_run, supports};
use crate::mover::Mover;
use crate::sweep::{Contact, Sweep, Terrain};

/// Solids, and ladders whose tops are one-way floors.
pub(super) struct WithLadders<'a, S> {
    pub(super) solids: &'a S,
    pub(super) ladders: Option<&'a Terrain>,
}

/// True if the middle of the body is on a ladder.
pub(super) fn is_on(ladders: &Terrain, body: Aabb) -> bool {
    ladders.overlaps(middle_columns(body))
}

/// True if a body that does not climb starts to, up or down: its middle is on a ladder, or on top of one.
pub(super) fn is_mounted(
    solids: &WithLadders<'_, impl Solids>,
    body: Aabb,
    input: Input,
    stands: bool,
) -> bool {
    let Some(ladders) = solids.ladders else {
        return false;
    };
    let below = body.shifted(Dir::Down, 1);
    let goes_down = || stands && is_on(ladders, below) && passes_floor(solids, body);
    input.is_up() && is_on(ladders, body) || input.is_down() && goes_down()
}

/// True if no solid is below the body, or only one-way cells are.
fn passes_floor(solids: &impl Solids, body: Aabb) -> bool {
    solids.can_move_aabb(body, Dir::Down, 1, false)
}

/// True if a climber stays on its ladder. It steps off at the side, on top, and on the floor below unless it
/// climbs up.
pub(super) fn is_kept(ladders: &Terrain, body: Aabb, input: Input, grounded: bool) -> bool {
    match grounded {
        true => input.is_up() && is_on(ladders, body),
        false => is_on(ladders, body) || is_on(ladders, body.shifted(Dir::Down, 1)),
    }
}

/// The velocity of a climber. Its feet do not go higher than the top of the ladder.
pub(super) fn climb(
    ladders: Option<&Terrain>,
    mover: &Mover,
    input: Input,
    feel: &Feel,
) -> I64Vec2 {
    let speed = I64Vec2::new(part(feel.climb_speed, input.x), part(feel.climb_speed, input.y));
    let reach = (speed.y.min(0).unsigned_abs() / SUBPIXELS as u64 + 2) as u32;
    let top = ladders.and_then(|ladders| ladders.nearest_free(mover.body, Dir::Up, reach));
    let most = top.map(|top| whole(-i64::from(top), mover).min(0));
    I64Vec2::new(speed.x, most.map_or(speed.y, |most| speed.y.max(most)))
}

impl<S: Solids> WithLadders<'_, S> {
    /// The sweep down to the first top of a ladder. The ladder in which the feet are is left first.
    fn tops(&self, body: Aabb, step: u32) -> Sweep {
        let clear = Sweep::clear(step);
        let Some(ladders) = self.ladders else {
            return clear;
        };
        let feet =
            Aabb { min: IVec2::new(body.min.x, body.max.y.saturating_sub(1)), max: body.max };
        let Some(out) = ladders.nearest_free(feet, Dir::Down, step) else {
            return clear;
        };
        let sweep = ladders.sweep(feet.shifted(Dir::Down, out), Dir::Down, step - out);
        let contact = |contact: Contact| Sweep::stopped(step, sweep.moved + out, contact);
        sweep.contact.map_or(clear, contact)
    }
}

impl<S: Solids> Solids for WithLadders<'_, S> {
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        let sweep = self.solids.sweep_aabb(body, dir, step, one_way);
        if dir == Dir::Down && one_way { sweep.earlier(self.tops(body, step)) } else { sweep }
    }

    fn overlaps_aabb(&self, body: Aabb) -> bool {
        self.solids.overlaps_aabb(body)
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        self.solids.nearest_free_aabb(body, dir, limit)
    }

    fn can_move_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> bool {
        self.solids.can_move_aabb(body, dir, step, one_way)
            && (dir != Dir::Down || !one_way || self.tops(body, step).is_clear())
    }

    fn watched_areas(&self) -> &[(String, Terrain)] {
        self.solids.watched_areas()
    }

    fn footprint(&self) -> Option<&Footprint> {
        self.solids.footprint()
    }

    fn floor_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        let run = self.solids.floor_run(body, dir, distance, floor);
        if run > 0 || self.ladders.is_none() {
            return run;
        }
        floor_run(body, dir, distance, |run| supports(self, body, dir, run, floor), || 0)
    }

    fn is_free(&self, area: Aabb, dirs: [Dir; 2]) -> bool {
        self.solids.is_free(area, dirs)
            && self.ladders.is_none_or(|ladders| !ladders.overlaps(area))
    }

    fn is_beyond(&self, body: Aabb, dir: Dir) -> bool {
        self.solids.is_beyond(body, dir)
            && self.ladders.is_none_or(|ladders| Solids::is_beyond(ladders, body, dir))
    }

    fn contact_area(&self, contact: Contact) -> Option<Aabb> {
        self.solids.contact_area(contact)
    }
}
