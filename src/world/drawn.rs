//! The positions at which bodies are drawn ([`World::drawn`]). Bodies carry and push each other by whole
//! pixels, and each body has a fraction of a pixel of its own motion. The position of a carried or pushed
//! body between two pixels follows from these fractions. The code here changes no body.

use glam::{DVec2, I64Vec2};

use super::body::{Body, BodyKind, pushed_settings};
use super::riders::holds;
use super::{BodyId, Obstacle, World, mover_of, toward};
use crate::Level;
use crate::geometry::{Axis, Dir, SUBPIXELS};
use crate::mover::ObeyedSolids;

/// The fraction of a pixel beyond a body's box, in 65,536ths of a pixel.
#[derive(Clone, Copy, Default)]
struct Progress {
    /// The body's own subpixel. Progress toward a floor that is a body does not count.
    own: I64Vec2,
    /// The subpixels of all bodies that carry the body.
    carried: I64Vec2,
}

/// The world and the level of a drawn body.
struct Drawing<'a> {
    world: &'a World,
    level: &'a Level,
}

/// [`World::drawn`].
pub(super) fn position(world: &World, level: &Level, id: BodyId) -> Option<DVec2> {
    let body = world.get(id)?;
    let Some((mut walker, character)) = mover_of(body).zip(body.as_character()) else {
        return Some(body.position());
    };
    let drawing = Drawing { world, level };
    let mut progress = I64Vec2::ZERO;
    for axis in [Axis::X, Axis::Y] {
        let (along, is_pushed) = drawing.progress_along(id.slot, axis);
        progress[axis.index()] = along;
        if is_pushed {
            // A pushed body climbs as a walker does.
            walker.subpixel[axis.index()] = along as i32;
            walker.settings = pushed_settings(character);
        }
    }
    let is_ground = |obstacle: &Obstacle<'_>| obstacle.piece.is_some();
    let walked = world.among_solids(level, id, 1, &is_ground, &|_, solids| walker.drawn(solids))?;
    let aside = progress - walker.subpixel.as_i64vec2();
    Some(walked + aside.as_dvec2() / f64::from(SUBPIXELS))
}

impl Drawing<'_> {
    fn body(&self, slot: u32) -> Option<&Body> {
        self.world.bodies.at(slot)
    }

    /// The slot of the body on which a character stands, or to which it holds on.
    fn support(&self, slot: u32) -> Option<u32> {
        self.world.standing_on(self.world.bodies.id(slot)).map(|on| on.slot)
    }

    /// Calls `found` with each body that touches the side toward `dir` of the body in `slot` and is solid to
    /// it there.
    fn visit_beside(&self, slot: u32, dir: Dir, found: &mut dyn FnMut(u32, &Body)) {
        let Some(body) = self.body(slot) else { return };
        let area = self.world.bodies.reach(slot, body.aabb, body.aabb.strip(dir, 1));
        self.world.visit(area, &mut |at, other| {
            if holds(&self.world.bodies, slot, dir, at) {
                found(at, other);
            }
        });
    }

    /// The progress of a character along `axis`: its own, and that of the bodies that carry and push it, as
    /// far as nothing ahead stops it. The flag is true if the progress is that of a push.
    fn progress_along(&self, slot: u32, axis: Axis) -> (i64, bool) {
        let Progress { own, carried } = self.progress(slot);
        let mut progress = own[axis.index()];
        let mut is_pushed = false;
        let carried = carried[axis.index()];
        if carried != 0 {
            let dir = Dir::along(axis, carried > 0);
            let ahead = toward(progress, dir).max(0);
            let room = self.room(slot, (dir, false), ahead + carried.abs());
            progress += toward((room - ahead).clamp(0, carried.abs()), dir);
        }
        for dir in [Dir::along(axis, false), Dir::along(axis, true)] {
            let least = toward(progress, dir).max(0);
            let pushed = self.pushed(slot, dir);
            if pushed > least {
                let free = self.room(slot, (dir, true), pushed);
                if free > least {
                    progress = toward(free, dir);
                    is_pushed = true;
                }
            }
        }
        (progress, is_pushed)
    }

    /// The progress of the body in `slot`, without regard to solids and pushes.
    fn progress(&self, slot: u32) -> Progress {
        let Some(body) = self.body(slot) else { return Progress::default() };
        let mut on = self.support(slot);
        let own = own_progress(body, on.is_some());
        let mut all = I64Vec2::ZERO;
        let mut rider = body;
        for _ in 0..self.world.len() {
            let Some((at, carrier)) = on.and_then(|at| Some((at, self.body(at)?))) else { break };
            on = self.support(at);
            let mut carried = own_progress(carrier, on.is_some());
            match &carrier.kind {
                BodyKind::Platform(platform) => {
                    carried += rider.along_belt(platform.belt_subpixel.as_i64vec2());
                }
                BodyKind::Character(support) if !support.carries => {
                    // This character supports the body along the floor's axis, and does not carry it along
                    // the other axis.
                    if let Some(side) = body.carried_by() {
                        carried[side.axis().other().index()] = 0;
                    }
                }
                _ => {}
            }
            all += carried;
            rider = carrier;
        }
        // Characters with opposite floors stand on each other, and do not carry each other.
        let carried = if on.is_some() { I64Vec2::ZERO } else { all };
        Progress { own, carried }
    }

    /// The largest progress toward `dir` of the bodies that push the character in `slot` from behind,
    /// directly, through other characters, or by a push of a character that carries it.
    fn pushed(&self, slot: u32, dir: Dir) -> i64 {
        let at = dir.axis().index();
        let carried = toward(self.progress(slot).carried[at], dir);
        let mut most = 0;
        // The characters that are pushed, and whether platforms count: a platform that pushes a carrier
        // leaves the carrier's riders behind.
        let mut row = vec![(slot, true)];
        let mut next = 0;
        while let Some((pushed, by_platforms)) = row.get(next).copied() {
            next += 1;
            let Some(body) = self.body(pushed) else { continue };
            let mass = body.as_character().map_or(0, |character| character.mass);
            self.visit_beside(pushed, dir.opposite(), &mut |slot, other| {
                if row.iter().any(|(known, _)| *known == slot) {
                    return;
                }
                let theirs = self.progress(slot);
                let own = toward(theirs.own[at], dir);
                match &other.kind {
                    BodyKind::Platform(_) if by_platforms => most = most.max(own),
                    BodyKind::Character(pusher) => {
                        if pusher.push > 0 && mass > 0 {
                            // What carries the pusher alone does not push.
                            most = most.max(own + toward(theirs.carried[at], dir).min(carried));
                        }
                        row.push((slot, by_platforms));
                    }
                    _ => {}
                }
            });
            if let Some(carrier) = self.support(pushed)
                && self.body(carrier).is_some_and(Body::carries)
                && row.iter().all(|(known, _)| *known != carrier)
            {
                row.push((carrier, false));
            }
        }
        most
    }

    /// The largest part of `progress` toward `dir` that the solids ahead leave to the character in `slot`:
    /// nothing before the level, and before another body at most that body's progress. With `climbs` the
    /// level does not stop a character at steps that it can walk up.
    fn room(&self, slot: u32, (dir, climbs): (Dir, bool), progress: i64) -> i64 {
        let mut room = progress;
        let mut row = vec![slot];
        let mut next = 0;
        while let Some(slot) = row.get(next).copied() {
            next += 1;
            let Some(body) = self.body(slot) else { continue };
            let level = self.level.solids_for(body.collides_with);
            let level = level.for_footprint(self.world.bodies.footprint(slot));
            if !ObeyedSolids::new(&level, body.one_way_obeyed()).can_move(body.aabb, dir, 1) {
                let climber = mover_of(body).zip(body.as_character()).filter(|_| climbs);
                let Some((mut climber, character)) = climber else { return 0 };
                climber.settings = pushed_settings(character);
                if !climber.walk_a_pixel(&level, dir) {
                    return 0;
                }
            }
            let carrier = self.support(slot);
            self.visit_beside(slot, dir, &mut |slot, other| {
                if carrier == Some(slot) || row.contains(&slot) {
                    return;
                }
                let Progress { own, carried } = self.progress(slot);
                let mut theirs = toward((own + carried)[dir.axis().index()], dir).max(0);
                if other.as_character().is_some() {
                    theirs = theirs.max(self.pushed(slot, dir));
                    row.push(slot);
                }
                room = room.min(theirs);
            });
        }
        room
    }
}

/// The part of a body's subpixel that counts for the positions at which the body and its riders are drawn, in
/// 65,536ths of a pixel. If the body `stands` on another body, progress toward the floor counts as 0.
fn own_progress(body: &Body, stands: bool) -> I64Vec2 {
    let mut progress = body.subpixel.as_i64vec2();
    let climbs = body.as_character().is_some_and(|character| character.rides.is_some());
    if let Some(floor) = body.carried_by().filter(|_| stands && !climbs) {
        let along = &mut progress[floor.axis().index()];
        *along = if floor.is_positive() { (*along).min(0) } else { (*along).max(0) };
    }
    progress
}
