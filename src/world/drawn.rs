//! The positions at which bodies are drawn ([`World::drawn`]). Bodies carry and push each other by whole
//! pixels, and each body has a fraction of a pixel of its own motion. The position of a carried or pushed
//! body between two pixels follows from these fractions. The code here changes no body.

use glam::{DVec2, I64Vec2};

use super::body::{Body, BodyKind};
use super::push::holds;
use super::{BodyId, Character, World};
use crate::Level;
use crate::geometry::{Axis, Dir, SUBPIXELS};
use crate::mover::{Mover, ObeyedSolids};

/// The fraction of a pixel beyond a body's box, in 65,536ths of a pixel.
#[derive(Clone, Copy, Default)]
struct Progress {
    /// The body's own subpixel. Progress toward a floor that is a body does not count.
    own: I64Vec2,
    /// The subpixels of all bodies that carry the body.
    carried: I64Vec2,
}

impl World {
    /// Returns the position in pixels at which to draw the top-left corner of a body: its position together
    /// with the fractions of a pixel of the bodies that carry or push it.
    ///
    /// Returns `None` if the body was removed.
    ///
    /// A body moves its riders and the bodies in front of it by whole pixels. So the distance between the
    /// positions of a lift and its rider changes by a fraction of a pixel in each step. The distance between
    /// their drawn positions stays the same while the rider stands still. The same is true for a body and
    /// the crate that it pushes. A body that a solid stops on a lift or a belt is drawn at the same position
    /// in each step. On a slope, a walking character is drawn between two pixels also along the axis of its
    /// floor ([`Mover::drawn`]).
    ///
    /// When a body steps onto or off a moving platform, or begins or ends a push, its drawn position moves
    /// by less than a pixel more than the body. O(n) for a row of n bodies that push each other.
    ///
    /// ```
    /// use bitwall::glam::UVec2;
    /// use bitwall::world::{Body, World};
    /// use bitwall::{Aabb, Grid, Level, MoverSettings, Rate};
    ///
    /// let level = Level::from_grid(Grid::new(20, 10)?, UVec2::splat(16))?;
    /// let mut world = World::new(Rate::per_second(60));
    /// let lift = Body::platform(Aabb::from_xywh(32, 100, 48, 8)).with_velocity((22.5, 0.0));
    /// let lift = world.add(lift);
    /// let hero = Body::character(Aabb::from_xywh(40, 80, 12, 20), MoverSettings::platformer());
    /// let hero = world.add(hero);
    /// for _ in 0..100 {
    ///     world.step(&level);
    ///     let (hero, lift) = (world.drawn(&level, hero), world.drawn(&level, lift));
    ///     assert_eq!(hero.zip(lift).map(|(hero, lift)| hero.x - lift.x), Some(8.0));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drawn(&self, level: &Level, id: BodyId) -> Option<DVec2> {
        let body = self.bodies.get(id)?;
        let Some(Character { settings, steps_since_grounded, .. }) = body.as_character() else {
            return Some(body.position());
        };
        let mut walker = Mover::new(body.aabb, *settings);
        (walker.subpixel, walker.steps_since_grounded) = (body.subpixel, *steps_since_grounded);
        let walked = walker.drawn(&level.solids_for(body.collides_with));
        let progress = [Axis::X, Axis::Y].map(|axis| self.progress_along(level, id.slot, axis));
        let aside = I64Vec2::from_array(progress) - body.subpixel.as_i64vec2();
        Some(walked + aside.as_dvec2() / f64::from(SUBPIXELS))
    }

    /// The progress of a character along `axis`: its own, and that of the bodies that carry and push it, as
    /// far as nothing ahead stops it.
    fn progress_along(&self, level: &Level, slot: u32, axis: Axis) -> i64 {
        let Progress { own, carried } = self.progress(slot);
        let mut progress = own[axis.index()];
        let carried = carried[axis.index()];
        if carried != 0 {
            let dir = Dir::along(axis, carried > 0);
            let room = self.room(level, slot, dir, toward(progress, dir).max(0) + carried.abs());
            let free = (room - toward(progress, dir).max(0)).clamp(0, carried.abs());
            progress += toward(free, dir);
        }
        for dir in [Dir::along(axis, false), Dir::along(axis, true)] {
            let pushed = self.pushed(slot, dir);
            if pushed > toward(progress, dir) && pushed > 0 {
                let free = self.room(level, slot, dir, pushed);
                if free > toward(progress, dir) && free > 0 {
                    progress = toward(free, dir);
                }
            }
        }
        progress
    }

    /// The progress of the body in `slot`, without regard to solids and pushes.
    fn progress(&self, slot: u32) -> Progress {
        let Some(body) = self.bodies.at(slot) else { return Progress::default() };
        let mut on = self.standing_on(self.bodies.id(slot));
        let own = own_progress(body, on.is_some());
        let mut all = I64Vec2::ZERO;
        let mut rider = body;
        for _ in 0..self.len() {
            let Some(carrier) = on.and_then(|on| self.get(on)) else { break };
            on = on.and_then(|on| self.standing_on(on));
            let mut carried = own_progress(carrier, on.is_some());
            if carrier.is_character() && !carrier.carries() {
                // This character supports the body along the floor's axis, and does not carry it along the
                // other axis.
                let axis = body.carried_by().map(|side| side.axis().other());
                axis.into_iter().for_each(|axis| carried[axis.index()] = 0);
            }
            if let BodyKind::Platform(platform) = carrier.kind {
                carried += rider.along_belt(platform.belt_subpixel.as_i64vec2());
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
            let Some(body) = self.bodies.at(pushed) else { continue };
            let mass = body.as_character().map_or(0, |character| character.mass);
            self.visit(body.aabb.strip(dir.opposite(), 1), &mut |slot, other| {
                let is_new = row.iter().all(|(known, _)| *known != slot);
                if !is_new || !holds(body, dir.opposite(), other) {
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
            let carrier = self.standing_on(self.bodies.id(pushed));
            if let Some(carrier) = carrier
                && self.get(carrier).is_some_and(Body::carries)
                && row.iter().all(|(known, _)| *known != carrier.slot)
            {
                row.push((carrier.slot, false));
            }
        }
        most
    }

    /// The largest part of `progress` toward `dir` that the solids ahead leave to the character in `slot`:
    /// nothing before the level, and before another body at most that body's progress.
    fn room(&self, level: &Level, slot: u32, dir: Dir, progress: i64) -> i64 {
        let mut room = progress;
        let mut row = vec![slot];
        let mut next = 0;
        while let Some(slot) = row.get(next).copied() {
            next += 1;
            let Some(body) = self.bodies.at(slot) else { continue };
            let level = level.solids_for(body.collides_with);
            let level = ObeyedSolids::new(&level, body.one_way_obeyed());
            if !level.sweep(body.aabb, dir, 1).is_clear() {
                return 0;
            }
            let carrier = self.standing_on(self.bodies.id(slot));
            self.visit(body.aabb.strip(dir, 1), &mut |slot, other| {
                let is_carrier = carrier.is_some_and(|carrier| carrier.slot == slot);
                let is_new = !row.contains(&slot);
                if is_carrier || !is_new || !holds(body, dir, other) {
                    return;
                }
                let Progress { own, carried } = self.progress(slot);
                let theirs = toward((own + carried)[dir.axis().index()], dir);
                let mut theirs = theirs.max(0);
                if other.is_character() {
                    theirs = theirs.max(self.pushed(slot, dir));
                    row.push(slot);
                }
                room = room.min(theirs);
            });
        }
        room
    }
}

/// `progress` along an axis as progress toward `dir`, or back.
fn toward(progress: i64, dir: Dir) -> i64 {
    if dir.is_positive() { progress } else { -progress }
}

/// The part of a body's subpixel that counts for the positions at which the body and its riders are drawn, in
/// 65,536ths of a pixel. If the body `stands` on another body, progress toward the floor counts as 0.
fn own_progress(body: &Body, stands: bool) -> I64Vec2 {
    let mut progress = body.subpixel.as_i64vec2();
    if let Some(floor) = body.carried_by().filter(|_| stands) {
        let along = &mut progress[floor.axis().index()];
        *along = if floor.is_positive() { (*along).min(0) } else { (*along).max(0) };
    }
    progress
}
