//! The moves of a character: running, jumping, falling, wall slides, ledges, ladders and swimming. The top of
//! a ladder supports a body like a one-way floor. One-way cells do not count as walls. A body is in water if
//! its centre is in water.

use glam::{I64Vec2, IVec2};

use super::CharacterScene;
use super::turned::Zone;
use crate::geometry::{Aabb, Dir, SUBPIXELS};
use crate::level::Solids;
use crate::mover::{Move, Mover};

/// The distance in pixels from the edge of a ladder within which its middle is found.
const WIDEST_LADDER: u32 = 256;

impl CharacterScene<'_> {
    /// The side of the wall along which the body slides down; `None` if it does not slide. The body slides if
    /// it falls, touches a wall, and the direction keys point toward the wall.
    pub(super) fn slide(&self, body: Aabb, falls: bool) -> Option<Dir> {
        let is_on = falls && self.feel.wall_slide_speed > 0;
        self.input
            .side()
            .filter(|side| is_on && self.wall_at(body, *side, 1, self.feel.wall_contact).is_some())
    }

    /// The side of the nearest wall from which the body can jump: less than `wall_reach` pixels away. `None`
    /// if there is no such wall. If the walls on both sides are equally near, the direction keys select the
    /// side; without such a key the result is `None`.
    pub(super) fn jump_side(&self, body: Aabb) -> Option<Dir> {
        if self.feel.wall_jump.y == 0 {
            return None;
        }
        let reach = self.feel.wall_reach;
        let contact = self.feel.wall_contact;
        let [left, right] =
            [Dir::Left, Dir::Right].map(|side| self.wall_at(body, side, reach, contact));
        match (left, right) {
            (Some(left), Some(right)) if left == right => self.input.side(),
            (Some(left), Some(right)) => Some(if left < right { Dir::Left } else { Dir::Right }),
            (left, right) => left.map(|_| Dir::Left).or(right.map(|_| Dir::Right)),
        }
    }

    /// The distance in pixels to the wall on `side` of the body; `None` if it is `reach` pixels or more, or if
    /// the nearest solid is no wall.
    ///
    /// From its highest to its lowest pixel beside the body, a wall is at least as long as the part `contact`
    /// of the body, in 65,536ths. The first two columns count together, because the walls of a mask may be
    /// rough. A walkable slope is no wall: in two columns it rises by at most twice the mover's step height.
    fn wall_at(&self, body: Aabb, side: Dir, reach: u32, contact: u32) -> Option<u32> {
        let sweep = self.sweep_aabb(body, side, reach, false);
        sweep.contact?;
        let height = body.height();
        let least = (u64::from(height) * u64::from(contact)).div_ceil(1 << 16);
        let front = body.shifted(side, sweep.moved).strip(side, 2);
        let mut touched = i64::from(height);
        for end in [Dir::Up, Dir::Down] {
            let inward = self.sweep_aabb(front.strip(end, 1), end.opposite(), height, false);
            touched -= i64::from(inward.moved);
        }
        // A query about a strip would be answered for the whole footprint.
        let is_wall = self.footprint().is_some() || touched >= least.max(1) as i64;
        is_wall.then_some(sweep.moved)
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

    /// The speed along x after a step of running. It changes toward the part of `top` that the direction keys
    /// request: by the friction if the body only has to slow down, or else by the acceleration.
    pub(super) fn run(&self, speed: i64, top: u32, is_on_floor: bool) -> i64 {
        let feel = self.feel;
        let target = part(top, self.input.x);
        let is_too_fast = target.signum() == speed.signum() && target.abs() < speed.abs();
        let change = match (is_on_floor, target == 0 || is_too_fast) {
            (true, true) => feel.friction,
            (true, false) => feel.acceleration,
            (false, true) => feel.air_friction,
            (false, false) => feel.air_acceleration,
        };
        approach(speed, target, change)
    }

    /// The direction of a dash, with components of -1, 0 or 1: that of the held keys, or else the side to which
    /// the body faces. `None` without keys and a side.
    pub(super) fn dash_direction(&self, facing: Option<Dir>) -> Option<I64Vec2> {
        let x = self.input.side().map_or(0, |side| side.vector().x);
        let y = i64::from(self.input.is_down()) - i64::from(self.input.is_up());
        match (x, y) {
            (0, 0) => facing.map(|side| side.vector().as_i64vec2()),
            _ => Some(I64Vec2::new(x.into(), y)),
        }
    }

    /// True if the body starts to climb a ladder. With the key up, the middle of the body must overlap a
    /// ladder. With the key down, the body must stand above a ladder whose hole it can enter.
    pub(super) fn starts_ladder(&self, body: Aabb, stands: bool) -> bool {
        self.input.is_up() && self.is_on_ladder(body) || stands && self.way_down(body).is_some()
    }

    /// The pixels along x to the place from which a body above a ladder can climb down, with the key down: at
    /// most `ladder_snap` to a side. `None` if there is no such place.
    fn way_down(&self, body: Aabb) -> Option<i64> {
        let below = body.shifted(Dir::Down, 1);
        if !self.input.is_down() || !self.is_on_ladder(below) {
            return None;
        }
        // One-way cells may be below the body, but no solid.
        if self.can_move_aabb(body, Dir::Down, 1, false) {
            return Some(0);
        }
        let [left, right] = [Dir::Left, Dir::Right].map(|side| {
            let aside = self.nearest_free_aabb(below, side, self.feel.ladder_snap)?;
            let is_free = self.can_move_aabb(body, side, aside, true)
                && self.is_on_ladder(below.shifted(side, aside));
            is_free.then_some(i64::from(aside))
        });
        match (left, right) {
            (Some(left), Some(right)) if left == right => None,
            (Some(left), right) if right.is_none_or(|right| left < right) => Some(-left),
            (_, right) => right,
        }
    }

    /// The pixels along x to the middle of the ladder on which the body climbs; `None` if it is more than
    /// `ladder_snap` away.
    fn to_middle(&self, body: Aabb) -> Option<i64> {
        let middle = middle_columns(body);
        let ladders = self.ladders?;
        let left = ladders.nearest_free(middle, Dir::Left, WIDEST_LADDER)?;
        let right = ladders.nearest_free(middle, Dir::Right, WIDEST_LADDER)?;
        let aside = (i64::from(right) - i64::from(left)) / 2;
        (aside.unsigned_abs() <= self.feel.ladder_snap.into()).then_some(aside)
    }

    /// True if a body that climbs stays on its ladder: its middle must overlap the ladder, or be one pixel
    /// above it. If the body is `grounded`, it stays only while it climbs up, or moves aside to climb down.
    pub(super) fn is_kept(&self, body: Aabb, grounded: bool) -> bool {
        if grounded {
            self.input.is_up() && self.is_on_ladder(body) || self.way_down(body).is_some()
        } else {
            self.is_on_ladder(body) || self.is_on_ladder(body.shifted(Dir::Down, 1))
        }
    }

    /// True if the middle of the body overlaps a ladder.
    fn is_on_ladder(&self, body: Aabb) -> bool {
        self.ladders.is_some_and(|ladders| ladders.overlaps(middle_columns(body)))
    }

    /// The velocity of a body that climbs a ladder, limited so that its feet do not rise above the ladder's
    /// top. Without a key to a side, the body moves to the ladder's middle. Above a ladder, it moves to the
    /// way down.
    pub(super) fn climb_ladder(&self, mover: &Mover) -> I64Vec2 {
        let speed = i64::from(self.feel.climb_speed);
        let mut aside = self.way_down(mover.body).filter(|aside| *aside != 0);
        if aside.is_none() && self.input.x == 0 && self.feel.ladder_snap > 0 {
            aside = self.to_middle(mover.body);
        }
        let x = match aside {
            Some(pixels) => whole(pixels, mover.subpixel.x).clamp(-speed, speed),
            None => part(self.feel.climb_speed, self.input.x),
        };
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
        let fallen = rise.checked_sub(body.height())?;
        // Where the body will hang. A platform of 8 pixels is thick enough for a body of 32.
        let hanging = body.shifted(Dir::Up, fallen);
        self.wall_at(hanging, side, 1, self.feel.wall_contact / 2).map(|_| side)
    }

    /// The motion that brings the top of a hanging body to the height of its ledge; `None` if the ledge is
    /// gone.
    pub(super) fn hang(&self, mover: &Mover, side: Dir) -> Option<I64Vec2> {
        let height = mover.body.height();
        // The body may have fallen past the ledge by the length of one step.
        let fall = self.feel.fall_limit / SUBPIXELS as u32 + 1;
        let reach = self.feel.ledge_reach.saturating_add(fall);
        let rise = self.rise(mover.body, side, height.saturating_add(reach))?;
        let pixels = i64::from(height) - i64::from(rise);
        (rise > 0).then(|| I64Vec2::new(0, whole(pixels, mover.subpixel.y)))
    }

    /// The motion of a body that climbs onto a ledge: up by its own height in `ledge_steps` steps, then
    /// sideways over the wall. `None` if the ledge is gone.
    pub(super) fn climb_ledge(&self, mover: &Mover, side: Dir) -> Option<I64Vec2> {
        let height = mover.body.height();
        let steps = u64::from(self.feel.ledge_steps.max(1));
        let speed = (u64::from(height) * SUBPIXELS as u64).div_ceil(steps) as i64;
        let rise = self.rise(mover.body, side, height)?;
        Some(match rise {
            0 => side.vector().as_i64vec2() * speed,
            _ => I64Vec2::new(0, whole(-i64::from(rise), mover.subpixel.y).max(-speed)),
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

/// Returns `speed` along y, slowed down if it would lift `part`, a box inside the body, out of `area`: the
/// lowest `depth` rows of pixels of the part stay in the area.
fn kept_in(area: Option<Zone<'_>>, mover: &Mover, part: Aabb, depth: i64, speed: i64) -> i64 {
    let Some(area) = area.filter(|_| speed < 0) else { return speed };
    let pixels = (speed.unsigned_abs() / SUBPIXELS as u64 + 2) as u32;
    match area.nearest_free(part, Dir::Up, pixels) {
        Some(out) => speed.max(whole(depth - i64::from(out), mover.subpixel.y).min(0)),
        None => speed,
    }
}

/// The translation along an axis, in 65,536ths of a pixel, that moves a mover by `pixels` whole pixels and
/// sets its `subpixel` on this axis to 0.
fn whole(pixels: i64, subpixel: i32) -> i64 {
    pixels * i64::from(SUBPIXELS) - i64::from(subpixel)
}
