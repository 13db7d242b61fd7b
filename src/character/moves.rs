//! The moves of a character: running, jumping, falling, wall slides, ledges, ladders and swimming. The top of
//! a ladder supports a body like a one-way floor. One-way cells do not count as walls. A body is in water if
//! its centre is in water.

use glam::{I64Vec2, IVec2};

use super::{CharacterScene, Feel, Input, StepFeel};
use crate::footprint::Footprint;
use crate::geometry::{Aabb, Dir, SUBPIXELS};
use crate::level::{Area, Solids, floor_run, supports};
use crate::mover::{Move, Mover};
use crate::terrain::{Contact, Sweep, Terrain};

impl<'a> CharacterScene<'a> {
    /// The scene of a step with the areas that `feel` names. `rules` is `feel` at the rate of the steps.
    pub(crate) fn new(
        solids: &'a dyn Solids,
        input: Input,
        feel: &Feel,
        rules: &'a StepFeel,
    ) -> Self {
        let areas = solids.watched_areas();
        Self {
            solids,
            ladders: named(areas, &feel.ladder),
            water: named(areas, &feel.water),
            input,
            feel: rules,
        }
    }

    /// The side of the wall along which the body slides down; `None` if it does not slide. The body slides if
    /// it falls, touches a wall, and the direction keys point toward the wall.
    pub(super) fn slide(&self, body: Aabb, falls: bool) -> Option<Dir> {
        let is_on = falls && self.feel.wall_slide_speed > 0;
        self.input.side().filter(|side| is_on && self.gap(body, *side, 1).is_some())
    }

    /// The side of the nearest wall from which the body can jump: less than `wall_reach` pixels away. `None`
    /// if there is no such wall. If the walls on both sides are equally near, the direction keys select the
    /// side; without such a key the result is `None`.
    pub(super) fn jump_side(&self, body: Aabb) -> Option<Dir> {
        if self.feel.wall_jump.y == 0 {
            return None;
        }
        let reach = self.feel.wall_reach;
        match (self.gap(body, Dir::Left, reach), self.gap(body, Dir::Right, reach)) {
            (Some(left), Some(right)) if left == right => self.input.side(),
            (Some(left), Some(right)) => Some(if left < right { Dir::Left } else { Dir::Right }),
            (left, right) => left.map(|_| Dir::Left).or(right.map(|_| Dir::Right)),
        }
    }

    /// The distance in pixels to the nearest solid on `side` of the body; `None` if it is `reach` pixels or
    /// more.
    fn gap(&self, body: Aabb, side: Dir, reach: u32) -> Option<u32> {
        let sweep = self.sweep_aabb(body, side, reach, false);
        sweep.contact.map(|_| sweep.moved)
    }

    /// The speed along y after a step of gravity, at most `limit` downward. Gravity is halved while the jump
    /// key is held and the speed is below `apex_speed`.
    pub(super) fn fall(&self, speed: i64, limit: u32) -> i64 {
        let feel = self.feel;
        let gravity = if speed < 0 { feel.gravity } else { feel.fall_gravity };
        let is_apex = self.input.jump && speed.unsigned_abs() < u64::from(feel.apex_speed);
        let gravity = if is_apex { gravity / 2 } else { gravity };
        speed.saturating_add(i64::from(gravity)).min(i64::from(limit))
    }

    /// The speed along x after a step of running. It changes toward the speed that the direction keys
    /// request: by the friction if the body only has to slow down, or else by the acceleration.
    pub(super) fn run(&self, speed: i64, is_on_floor: bool) -> i64 {
        let feel = self.feel;
        let target = part(feel.top_speed, self.input.x);
        let is_too_fast = target.signum() == speed.signum() && target.abs() < speed.abs();
        let change = match (is_on_floor, target == 0 || is_too_fast) {
            (true, true) => feel.friction,
            (true, false) => feel.acceleration,
            (false, true) => feel.air_friction,
            (false, false) => feel.air_acceleration,
        };
        approach(speed, target, change)
    }

    /// True if the body starts to climb a ladder. With the key up, the middle of the body must overlap a
    /// ladder. With the key down, the body must stand above a ladder, with no solid below it.
    pub(super) fn starts_ladder(&self, body: Aabb, stands: bool) -> bool {
        if self.input.is_up() && self.is_on_ladder(body) {
            return true;
        }
        // One-way cells may be below the body, but no solid.
        self.input.is_down()
            && stands
            && self.is_on_ladder(body.shifted(Dir::Down, 1))
            && self.can_move_aabb(body, Dir::Down, 1, false)
    }

    /// True if a body that climbs stays on its ladder: its middle must overlap the ladder, or be one pixel
    /// above it. If the body is `grounded`, it stays only while it climbs up.
    pub(super) fn is_kept(&self, body: Aabb, grounded: bool) -> bool {
        if grounded {
            self.input.is_up() && self.is_on_ladder(body)
        } else {
            self.is_on_ladder(body) || self.is_on_ladder(body.shifted(Dir::Down, 1))
        }
    }

    /// True if the middle of the body overlaps a ladder.
    fn is_on_ladder(&self, body: Aabb) -> bool {
        self.ladders.is_some_and(|ladders| ladders.overlaps(middle_columns(body)))
    }

    /// The velocity of a body that climbs a ladder, limited so that its feet do not rise above the ladder's
    /// top.
    pub(super) fn climb_ladder(&self, mover: &Mover) -> I64Vec2 {
        let x = part(self.feel.climb_speed, self.input.x);
        let y = part(self.feel.climb_speed, self.input.y);
        I64Vec2::new(x, kept_in(self.ladders, mover, mover.body, 0, y))
    }

    /// The number of pixels, at most `limit`, by which the body must rise so that its feet are above the wall
    /// on `side`; 0 if there is no wall. `None` if the wall is higher, or if a solid blocks the way up or the
    /// way over the ledge.
    pub(super) fn rise(&self, body: Aabb, side: Dir, limit: u32) -> Option<u32> {
        let rise = self.nearest_free_aabb(body.shifted(side, 1), Dir::Up, limit)?;
        let aside = body.shifted(Dir::Up, rise);
        let is_free = self.can_move_aabb(body, Dir::Up, rise, true)
            && self.can_move_aabb(aside, side, 1, true);
        is_free.then_some(rise)
    }

    /// The side of the ledge that a falling body grabs; `None` if there is no ledge. The direction keys must
    /// point toward the ledge, and the key down must not be held. The ledge must be at most `ledge_reach`
    /// pixels above the top of the body, now or before the body fell past it in this step.
    pub(super) fn grab(&self, body: Aabb, motion: &Move) -> Option<Dir> {
        let reach = self.feel.ledge_reach;
        let side = self.input.side().filter(|_| reach > 0 && !self.input.is_down())?;
        let passed = motion.moved.y.max(0).unsigned_abs();
        let limit = body.height().saturating_add(reach).saturating_add(passed);
        let rise = self.rise(body, side, limit)?;
        (rise >= body.height()).then_some(side)
    }

    /// The motion that brings the top of a hanging body to the height of its ledge; `None` if the ledge is
    /// gone.
    pub(super) fn hang(&self, mover: &Mover, side: Dir) -> Option<I64Vec2> {
        let height = mover.body.height();
        // The body may have fallen past the ledge by the length of one step.
        let fall = self.feel.fall_limit / SUBPIXELS as u32 + 1;
        let reach = self.feel.ledge_reach.saturating_add(fall);
        let rise = self.rise(mover.body, side, height.saturating_add(reach))?;
        (rise > 0).then(|| I64Vec2::new(0, whole(i64::from(height) - i64::from(rise), mover)))
    }

    /// The motion of a body that climbs onto a ledge: up until its feet are above the wall, then sideways
    /// over the wall. `None` if the ledge is gone.
    pub(super) fn climb_ledge(&self, mover: &Mover, side: Dir) -> Option<I64Vec2> {
        let speed = i64::from(self.feel.climb_speed);
        let rise = self.rise(mover.body, side, mover.body.height())?;
        Some(match rise {
            0 => side.vector().as_i64vec2() * speed,
            _ => I64Vec2::new(0, whole(-i64::from(rise), mover).max(-speed)),
        })
    }

    /// True if the centre of the body is in water.
    pub(super) fn is_in_water(&self, body: Aabb) -> bool {
        self.water.is_some_and(|water| water.overlaps(center(body)))
    }

    /// The velocity of a swimming body after a step. A speed above `swim_speed` is reduced to `swim_speed` at
    /// once. The body floats up while neither up nor down is held. The upward speed is limited so that its
    /// centre does not rise out of the water.
    pub(super) fn swim(&self, mover: &Mover, velocity: I64Vec2) -> I64Vec2 {
        let Self { input, feel, .. } = self;
        let most = I64Vec2::splat(feel.swim_speed.into());
        let velocity = velocity.clamp(-most, most);
        let float = match input.y {
            0 => -i64::from(feel.float_speed),
            y => part(feel.swim_speed, y),
        };
        let target = part(feel.swim_speed, input.x);
        let x = approach(velocity.x, target, feel.swim_acceleration);
        let y = approach(velocity.y, float, feel.swim_acceleration);
        I64Vec2::new(x, kept_in(self.water, mover, center(mover.body), 1, y))
    }

    /// Sweeps the body down by at most `step`, until the top of a ladder stops it. A ladder that the body's
    /// feet already overlap does not stop it.
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
        match sweep.contact {
            Some(contact) => Sweep::stopped(step, sweep.moved + out, contact),
            None => clear,
        }
    }
}

impl Solids for CharacterScene<'_> {
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

    fn watched_areas(&self) -> &[Area] {
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
        floor_run(body, dir, distance, &|run| supports(self, body, dir, run, floor), &|| 0)
    }

    fn is_free(&self, area: Aabb, dirs: [Dir; 2]) -> bool {
        self.solids.is_free(area, dirs)
            && self.ladders.is_none_or(|ladders| !ladders.overlaps(area))
    }

    fn is_beyond(&self, body: Aabb, dir: Dir) -> bool {
        self.solids.is_beyond(body, dir)
            && self.ladders.is_none_or(|ladders| Solids::is_beyond(ladders, body, dir))
    }

    fn can_move_part(&self, body: Aabb, dir: Dir, part: u32) -> bool {
        self.solids.can_move_part(body, dir, part)
            && (dir != Dir::Down || self.tops(body, 1).is_clear())
    }

    fn contact_area(&self, contact: Contact) -> Option<Aabb> {
        self.solids.contact_area(contact)
    }
}

/// The middle columns of a body, over its whole height: one column if the body's width is odd, or else two.
fn middle_columns(body: Aabb) -> Aabb {
    let [low, high] = middle(body.min.x, body.max.x);
    Aabb { min: IVec2::new(low, body.min.y), max: IVec2::new(high, body.max.y) }
}

/// The pixels at the centre of a body: one, two or four.
fn center(body: Aabb) -> Aabb {
    let columns = middle_columns(body);
    let [low, high] = middle(body.min.y, body.max.y);
    Aabb { min: IVec2::new(columns.min.x, low), max: IVec2::new(columns.max.x, high) }
}

/// The middle of `min..max` as the range `low..high`: one number for an odd length, or else two numbers. So
/// the middle of a mirrored range is the mirrored middle.
fn middle(min: i32, max: i32) -> [i32; 2] {
    let sum = i64::from(min) + i64::from(max);
    [(sum - 1).div_euclid(2) as i32, (sum.div_euclid(2) + 1) as i32]
}

/// Returns `percent` of `speed`, rounded toward zero, so that opposite directions have opposite speeds.
fn part(speed: u32, percent: i8) -> i64 {
    i64::from(speed) * i64::from(percent.clamp(-100, 100)) / 100
}

/// `speed`, changed toward `target` by at most `change`.
fn approach(speed: i64, target: i64, change: u32) -> i64 {
    let change = i64::from(change);
    target.clamp(speed.saturating_sub(change), speed.saturating_add(change))
}

/// The first area with this name.
fn named<'a>(areas: &'a [Area], name: &str) -> Option<&'a Terrain> {
    areas.iter().find(|area| area.name == name).map(|area| &area.terrain)
}

/// Returns `speed` along y, slowed down if it would lift `part`, a box inside the body, out of `area`: the
/// lowest `depth` rows of pixels of the part stay in the area.
fn kept_in(area: Option<&Terrain>, mover: &Mover, part: Aabb, depth: i64, speed: i64) -> i64 {
    let Some(area) = area.filter(|_| speed < 0) else { return speed };
    let pixels = (speed.unsigned_abs() / SUBPIXELS as u64 + 2) as u32;
    match area.nearest_free(part, Dir::Up, pixels) {
        Some(out) => speed.max(whole(depth - i64::from(out), mover).min(0)),
        None => speed,
    }
}

/// The translation along y, in 65,536ths of a pixel, that moves the mover by `pixels` whole pixels and sets
/// its subpixel to 0.
fn whole(pixels: i64, mover: &Mover) -> i64 {
    pixels * i64::from(SUBPIXELS) - i64::from(mover.subpixel.y)
}
