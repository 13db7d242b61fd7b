//! The rules of a character, in its frame: running, jumping, dashing, falling, wall slides, ledges, ladders
//! and swimming. The top of a ladder supports a body like a one-way floor. One-way cells do not count as
//! walls. A body is in water if its centre is in water.

use glam::I64Vec2;

use super::turned::Turned;
use super::{Feel, Platformer, Rules, Stance};
use crate::geometry::{Aabb, Axis, Dir, SUBPIXELS};
use crate::level::Solids;
use crate::mover::{Move, Mover};

/// The distance in pixels from the edge of a ladder within which its middle is found.
const WIDEST_LADDER: u32 = 256;

impl Platformer {
    /// [`Platformer::start`] in the frame.
    pub(super) fn start_in_frame(
        &mut self,
        rules: &Rules<'_>,
        mover: &Mover,
        dropped: bool,
    ) -> Option<Stance> {
        let lets_go = self.climbs() && self.buffer > 0 && rules.input.is_down();
        if dropped || lets_go {
            (self.stance, self.buffer, self.coyote) = (Stance::Air, 0, 0);
        }
        self.facing = rules.input.side().or(self.facing);
        let jumped_from = self.jump(rules, mover.body);
        let presses_dash = rules.input.dash && !self.held_dash;
        self.held_dash = rules.input.dash;
        if jumped_from.is_none() && presses_dash {
            self.dash(rules);
        }
        if jumped_from.is_none() && self.forced == 0 {
            self.steer(rules, mover);
        }
        jumped_from
    }

    /// True if the character is on a ladder or a ledge.
    fn climbs(&self) -> bool {
        matches!(self.stance, Stance::Ladder | Stance::Ledge(_) | Stance::LedgeClimb(_))
    }

    /// Starts a jump if a press of the jump key still counts and a jump is possible. Returns the stance from
    /// which the character jumps, or `None` if it does not jump.
    fn jump(&mut self, rules: &Rules<'_>, body: Aabb) -> Option<Stance> {
        if self.buffer == 0 || self.is_crouching() {
            return None;
        }
        let from = match self.stance {
            // In water the character jumps only at the surface: its centre must be in the topmost pixels of
            // the water.
            Stance::Water if rules.is_in_water(body.shifted(Dir::Up, 1)) => None,
            Stance::Water => rules.is_in_water(body).then_some(Stance::Water),
            Stance::Air | Stance::WallSlide(_) if self.coyote == 0 => {
                let wall = rules.jump_side(body).map(Stance::WallSlide);
                wall.or((self.air_jumps < rules.feel.air_jumps).then_some(Stance::Air))
            }
            Stance::WallSlide(_) => Some(Stance::Air),
            stance => Some(stance),
        };
        let feel = rules.feel;
        let [_, jump_speed] = feel.jump(self.rate);
        let from = from.filter(|from| matches!(from, Stance::WallSlide(_)) || jump_speed > 0)?;
        if from == Stance::Air && self.coyote == 0 {
            self.air_jumps += 1;
        }
        if let Stance::WallSlide(side) = from {
            let away = side.opposite().vector().as_i64vec2();
            let [x, y] = feel.wall_jump.to_array().map(|speed| self.rate.speed(speed));
            self.velocity = I64Vec2::new(away.x * x, -y);
            self.unsteered = self.rate.steps(feel.wall_jump_time).saturating_add(1);
            self.facing = Some(side.opposite());
        } else {
            self.velocity.x = rules.run(self.velocity.x, feel.top_speed, from == Stance::Ground);
            self.velocity.y = -jump_speed;
            self.unsteered = 0;
        }
        (self.stance, self.is_jumping) = (Stance::Air, true);
        (self.buffer, self.coyote) = (0, 0);
        (self.forced, self.is_dashing) = (0, false);
        Some(from)
    }

    /// Starts a dash if one is possible.
    fn dash(&mut self, rules: &Rules<'_>) {
        let feel = rules.feel;
        let Some(toward) = rules.dash_direction(self.facing) else { return };
        let speed = self.rate.speed(feel.dash_speed);
        if speed == 0 || self.dash_wait > 0 || self.has_dashed {
            return;
        }
        self.velocity = toward * speed;
        if toward.x != 0 && toward.y != 0 {
            // Divided by the square root of 2.
            self.velocity = self.velocity * 46_341 / 65_536;
        }
        (self.stance, self.coyote, self.unsteered) = (Stance::Air, 0, 0);
        (self.is_jumping, self.is_dashing, self.has_dashed) = (false, true, true);
        self.forced = self.rate.steps(feel.dash_time).max(1);
        self.dash_wait = self.forced.saturating_add(self.rate.steps(feel.dash_wait));
    }

    /// Changes the stance by the keys: the character grabs a ladder, climbs onto the ledge on which it hangs,
    /// or lets go of that ledge. Then changes the velocity by the rules of the stance.
    fn steer(&mut self, rules: &Rules<'_>, mover: &Mover) {
        let input = rules.input;
        let feel = rules.feel;
        match self.stance {
            Stance::Ground | Stance::Air | Stance::WallSlide(_) => {
                let stands = self.stance == Stance::Ground;
                if self.velocity.y >= 0 && rules.starts_ladder(mover.body, stands) {
                    self.stance = Stance::Ladder;
                }
            }
            Stance::Ledge(side) | Stance::LedgeClimb(side) => {
                if input.is_down() || input.side() == Some(side.opposite()) {
                    (self.stance, self.velocity) = (Stance::Air, I64Vec2::ZERO);
                } else if input.is_up() && self.rate.steps(feel.ledge_time) > 0 {
                    self.stance = Stance::LedgeClimb(side);
                }
            }
            Stance::Ladder | Stance::Water => {}
        }
        let velocity = match self.stance {
            Stance::Ledge(side) => rules.hang(mover, side),
            Stance::LedgeClimb(side) => rules.climb_ledge(mover, side),
            Stance::Ladder => Some(rules.climb_ladder(mover)),
            Stance::Water => Some(rules.swim(mover, self.velocity)),
            Stance::Ground | Stance::Air | Stance::WallSlide(_) => None,
        };
        match velocity {
            Some(velocity) => self.velocity = velocity,
            None => self.run_and_fall(rules),
        }
    }

    /// Changes the velocity by running, gravity and wall slides, for a character on a floor or in the air.
    fn run_and_fall(&mut self, rules: &Rules<'_>) {
        let input = rules.input;
        let feel = rules.feel;
        let stands = self.stance == Stance::Ground;
        if self.unsteered == 0 || stands {
            let top = if self.is_crouching() { feel.crouch_speed } else { feel.top_speed };
            self.velocity.x = rules.run(self.velocity.x, top, stands);
        }
        if self.is_jumping && !input.jump {
            self.velocity.y = self.velocity.y.max(-self.rate.speed(feel.released_speed));
            self.is_jumping = false;
        }
        let slides = input.side().is_some_and(|side| self.stance == Stance::WallSlide(side));
        let slide_limit = if slides { feel.wall_slide_speed } else { feel.fall_limit };
        let limit = self.rate.speed(feel.fall_limit).min(self.rate.speed(slide_limit));
        self.velocity.y = rules.fall(self.velocity.y, limit);
    }

    /// [`Platformer::finish`] in the frame: sets the stance that follows from the outcome `motion` of the
    /// mover's step. `from` is the stance before the step.
    pub(super) fn settle(&mut self, rules: &Rules<'_>, body: Aabb, motion: &Move, from: Stance) {
        if self.climbs() {
            self.velocity.y = 0;
        }
        let rises = self.velocity.y < 0;
        let height = body.height();
        self.stance = match self.stance {
            Stance::Ladder if rules.is_kept(body, motion.grounded) => Stance::Ladder,
            _ if rules.is_in_water(body) => Stance::Water,
            _ if motion.grounded && !rises => Stance::Ground,
            _ if self.forced > 0 => Stance::Air,
            Stance::Ledge(side) if rules.rise(body, side, height) == Some(height) => {
                Stance::Ledge(side)
            }
            Stance::LedgeClimb(side) if rules.rise(body, side, height).is_some() => {
                Stance::LedgeClimb(side)
            }
            _ => self.in_the_air(rules, body, motion),
        };
        if let Stance::Ledge(_) = self.stance {
            self.velocity = I64Vec2::ZERO;
        }
        self.count(from, rules.feel);
    }

    /// The stance of a character that is in the air and holds on to nothing yet.
    fn in_the_air(&self, rules: &Rules<'_>, body: Aabb, motion: &Move) -> Stance {
        if self.velocity.y >= 0
            && let Some(side) = rules.grab(body, motion)
        {
            return Stance::Ledge(side);
        }
        rules.slide(body, self.velocity.y > 0).map_or(Stance::Air, Stance::WallSlide)
    }

    /// Updates the remaining steps and [`Platformer::is_jumping`] at the end of a step. `from` is the stance
    /// before the step.
    fn count(&mut self, from: Stance, feel: &Feel) {
        if matches!(self.stance, Stance::Ground | Stance::Ladder) {
            self.coyote = self.rate.steps(feel.coyote_time);
        } else if !matches!(from, Stance::Ground | Stance::Ladder) {
            self.coyote = self.coyote.saturating_sub(1);
        }
        self.buffer = self.buffer.saturating_sub(1);
        let flies = matches!(self.stance, Stance::Air | Stance::WallSlide(_));
        let is_counted = flies && self.velocity.x != 0;
        self.unsteered = if is_counted { self.unsteered.saturating_sub(1) } else { 0 };
        self.is_jumping &= self.velocity.y < 0;
        self.dash_wait = self.dash_wait.saturating_sub(1);
        self.forced = self.forced.saturating_sub(1);
        if self.forced == 0 && self.is_dashing {
            let most = I64Vec2::splat(self.rate.speed(feel.top_speed));
            (self.velocity, self.is_dashing) = (self.velocity.clamp(-most, most), false);
        }
        if self.forced == 0 && self.stance != Stance::Air {
            (self.air_jumps, self.has_dashed) = (0, false);
        }
    }
}

impl Rules<'_> {
    /// The side of the wall along which the body slides down; `None` if it does not slide. The body slides if
    /// it falls, touches a wall, and the direction keys point toward the wall.
    fn slide(&self, body: Aabb, falls: bool) -> Option<Dir> {
        let is_on = falls && self.rate.speed(self.feel.wall_slide_speed) > 0;
        let contact = self.wall_contact();
        self.input.side().filter(|side| is_on && self.wall_at(body, *side, 1, contact).is_some())
    }

    /// The side of the nearest wall from which the body can jump: less than `wall_reach` pixels away. `None`
    /// if there is no such wall. If the walls on both sides are equally near, the direction keys select the
    /// side; without such a key the result is `None`.
    fn jump_side(&self, body: Aabb) -> Option<Dir> {
        if self.rate.speed(self.feel.wall_jump.y) == 0 {
            return None;
        }
        let reach = self.feel.wall_reach;
        let contact = self.wall_contact();
        let [left, right] =
            [Dir::Left, Dir::Right].map(|side| self.wall_at(body, side, reach, contact));
        match (left, right) {
            (Some(left), Some(right)) if left == right => self.input.side(),
            (Some(left), Some(right)) => Some(if left < right { Dir::Left } else { Dir::Right }),
            (left, right) => left.map(|_| Dir::Left).or(right.map(|_| Dir::Right)),
        }
    }

    /// [`Feel::wall_contact`] in 65,536ths.
    fn wall_contact(&self) -> u32 {
        (self.feel.wall_contact.clamp(0.0, 1.0) * 65_536.0).round() as u32
    }

    /// The distance in pixels to the wall on `side` of the body; `None` if it is `reach` pixels or more, or
    /// if the nearest solid is no wall.
    ///
    /// From its highest to its lowest pixel beside the body, a wall is at least as long as the part `contact`
    /// of the body, in 65,536ths. The first two columns count together, because the walls of a mask may be
    /// rough. A walkable slope rises in two columns by at most twice the mover's step height, which must be
    /// less.
    fn wall_at(&self, body: Aabb, side: Dir, reach: u32, contact: u32) -> Option<u32> {
        let aside = self.solids.distance(body, side, reach, false)?;
        let height = body.height();
        let front = body.shifted(side, aside).strip(side, 2);
        let mut touched = i64::from(height);
        for end in [Dir::Up, Dir::Down] {
            let inward = self.solids.distance(front.strip(end, 1), end.opposite(), height, false);
            touched -= i64::from(inward.unwrap_or(height));
        }
        let least = (u64::from(height) * u64::from(contact)).div_ceil(65_536);
        // A query about a strip would be answered for the whole footprint.
        let is_wall = self.level.footprint().is_some() || touched >= least.max(1) as i64;
        is_wall.then_some(aside)
    }

    /// The speed along y after a step of gravity, at most `limit` downward. Gravity is halved while the jump
    /// key is held and the speed is below `apex_speed`.
    fn fall(&self, speed: i64, limit: i64) -> i64 {
        let feel = self.feel;
        let [mut gravity, _] = feel.jump(self.rate);
        if speed >= 0 {
            gravity = (gravity as f64 * f64::from(feel.fall_scale)).round() as u32 as i64;
        }
        let apex_speed = self.rate.speed(feel.apex_speed);
        if self.input.jump && speed.unsigned_abs() < apex_speed.unsigned_abs() {
            gravity /= 2;
        }
        speed.saturating_add(gravity).min(limit)
    }

    /// The speed along x after a step of running. It changes toward the part of `top` that the direction keys
    /// request: by the friction if the body only has to slow down, or else by the acceleration.
    fn run(&self, speed: i64, top: f32, is_on_floor: bool) -> i64 {
        let feel = self.feel;
        let target = part(self.rate.speed(top), self.input.x);
        let is_too_fast = target.signum() == speed.signum() && target.abs() < speed.abs();
        let change = match (is_on_floor, target == 0 || is_too_fast) {
            (true, true) => feel.friction,
            (true, false) => feel.acceleration,
            (false, true) => feel.air_friction,
            (false, false) => feel.air_acceleration,
        };
        approach(speed, target, self.rate.acceleration(change))
    }

    /// The direction of a dash, with components of -1, 0 or 1: that of the held keys, or else the side to
    /// which the body faces. `None` without keys and a side.
    fn dash_direction(&self, facing: Option<Dir>) -> Option<I64Vec2> {
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
        if self.solids.distance(body, Dir::Down, 1, false).is_none() {
            return Some(0);
        }
        let [left, right] = [Dir::Left, Dir::Right].map(|side| {
            let aside = self.solids.nearest_free(below, side, self.feel.ladder_snap)?;
            let is_free = self.solids.distance(body, side, aside, true).is_none()
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
        let middle = middle(body, Axis::X);
        let ladders = self.ladders?;
        let left = ladders.nearest_free(middle, Dir::Left, WIDEST_LADDER)?;
        let right = ladders.nearest_free(middle, Dir::Right, WIDEST_LADDER)?;
        let aside = (i64::from(right) - i64::from(left)) / 2;
        (aside.unsigned_abs() <= self.feel.ladder_snap.into()).then_some(aside)
    }

    /// True if a body that climbs stays on its ladder: its middle must overlap the ladder, or be one pixel
    /// above it. If the body is `grounded`, it stays only while it climbs up, or moves aside to climb down.
    fn is_kept(&self, body: Aabb, grounded: bool) -> bool {
        if grounded {
            self.input.is_up() && self.is_on_ladder(body) || self.way_down(body).is_some()
        } else {
            self.is_on_ladder(body) || self.is_on_ladder(body.shifted(Dir::Down, 1))
        }
    }

    /// True if the middle of the body overlaps a ladder.
    fn is_on_ladder(&self, body: Aabb) -> bool {
        self.ladders.is_some_and(|ladders| ladders.overlaps(middle(body, Axis::X)))
    }

    /// The velocity of a body that climbs a ladder, limited so that its feet do not rise above the ladder's
    /// top. Without a key to a side, the body moves to the ladder's middle. Above a ladder, it moves to the
    /// way down.
    fn climb_ladder(&self, mover: &Mover) -> I64Vec2 {
        let speed = self.rate.speed(self.feel.climb_speed);
        let mut aside = self.way_down(mover.body).filter(|aside| *aside != 0);
        if aside.is_none() && self.input.x == 0 && self.feel.ladder_snap > 0 {
            aside = self.to_middle(mover.body);
        }
        let x = match aside {
            Some(pixels) => whole(pixels, mover.subpixel.x).clamp(-speed, speed),
            None => part(speed, self.input.x),
        };
        let y = part(speed, self.input.y);
        I64Vec2::new(x, kept_in(self.ladders, mover, mover.body, 0, y))
    }

    /// The number of pixels, at most `limit`, by which the body must rise so that its feet are above the wall
    /// on `side`; 0 if there is no wall. `None` if the wall is higher, or if a solid blocks the way up or the
    /// way over the ledge.
    fn rise(&self, body: Aabb, side: Dir, limit: u32) -> Option<u32> {
        let rise = self.solids.nearest_free(body.shifted(side, 1), Dir::Up, limit)?;
        let risen = body.shifted(Dir::Up, rise);
        let is_free = self.solids.distance(body, Dir::Up, rise, true).is_none()
            && self.solids.distance(risen, side, 1, true).is_none();
        is_free.then_some(rise)
    }

    /// The side of the ledge that a falling body grabs; `None` if there is no ledge. The direction keys must
    /// point toward the ledge, and the key down must not be held. The ledge must be at most `ledge_reach`
    /// pixels above the top of the body, now or before the body fell past it in this step.
    fn grab(&self, body: Aabb, motion: &Move) -> Option<Dir> {
        let reach = self.feel.ledge_reach;
        let side = self.input.side().filter(|_| reach > 0 && !self.input.is_down())?;
        let passed = motion.moved.y.max(0).unsigned_abs();
        let limit = body.height().saturating_add(reach).saturating_add(passed);
        let rise = self.rise(body, side, limit)?;
        let fallen = rise.checked_sub(body.height())?;
        // Where the body will hang. A platform of 8 pixels is thick enough for a body of 32.
        let hanging = body.shifted(Dir::Up, fallen);
        self.wall_at(hanging, side, 1, self.wall_contact() / 2).map(|_| side)
    }

    /// The motion that brings the top of a hanging body to the height of its ledge; `None` if the ledge is
    /// gone.
    fn hang(&self, mover: &Mover, side: Dir) -> Option<I64Vec2> {
        let height = mover.body.height();
        // The body may have fallen past the ledge by the length of one step.
        let fall = (self.rate.speed(self.feel.fall_limit) / i64::from(SUBPIXELS)) as u32 + 1;
        let reach = self.feel.ledge_reach.saturating_add(fall);
        let rise = self.rise(mover.body, side, height.saturating_add(reach))?;
        let pixels = i64::from(height) - i64::from(rise);
        (rise > 0).then(|| I64Vec2::new(0, whole(pixels, mover.subpixel.y)))
    }

    /// The motion of a body that climbs onto a ledge: up by its own height in `ledge_time`, then
    /// sideways over the wall. `None` if the ledge is gone.
    fn climb_ledge(&self, mover: &Mover, side: Dir) -> Option<I64Vec2> {
        let height = mover.body.height();
        let steps = u64::from(self.rate.steps(self.feel.ledge_time).max(1));
        let speed = (u64::from(height) * SUBPIXELS as u64).div_ceil(steps) as i64;
        let rise = self.rise(mover.body, side, height)?;
        Some(match rise {
            0 => side.vector().as_i64vec2() * speed,
            _ => I64Vec2::new(0, whole(-i64::from(rise), mover.subpixel.y).max(-speed)),
        })
    }

    /// True if the centre of the body is in water.
    fn is_in_water(&self, body: Aabb) -> bool {
        self.water.is_some_and(|water| water.overlaps(center(body)))
    }

    /// The velocity of a swimming body after a step. A speed above `swim_speed` is reduced to `swim_speed` at
    /// once. The body floats up while neither up nor down is held. The upward speed is limited so that its
    /// centre does not rise out of the water.
    fn swim(&self, mover: &Mover, velocity: I64Vec2) -> I64Vec2 {
        let most = self.rate.speed(self.feel.swim_speed);
        let change = self.rate.acceleration(self.feel.swim_acceleration);
        let velocity = velocity.clamp(I64Vec2::splat(-most), I64Vec2::splat(most));
        let rise = match self.input.y {
            0 => -self.rate.speed(self.feel.float_speed),
            y => part(most, y),
        };
        let x = approach(velocity.x, part(most, self.input.x), change);
        let y = approach(velocity.y, rise, change);
        I64Vec2::new(x, kept_in(self.water, mover, center(mover.body), 1, y))
    }
}

/// The middle of a body along an axis: one column or row of pixels if its length is odd, or else two. So the
/// middle of a mirrored body is the mirrored middle.
fn middle(mut body: Aabb, axis: Axis) -> Aabb {
    let axis = axis.index();
    let sum = i64::from(body.min[axis]) + i64::from(body.max[axis]);
    body.min[axis] = (sum - 1).div_euclid(2) as i32;
    body.max[axis] = (sum.div_euclid(2) + 1) as i32;
    body
}

/// The pixels at the centre of a body: one, two or four.
fn center(body: Aabb) -> Aabb {
    middle(middle(body, Axis::X), Axis::Y)
}

/// Returns `percent` of `speed`, rounded toward zero, so that opposite directions have opposite speeds.
fn part(speed: i64, percent: i8) -> i64 {
    speed * i64::from(percent.clamp(-100, 100)) / 100
}

/// `speed`, changed toward `target` by at most `change`.
fn approach(speed: i64, target: i64, change: i64) -> i64 {
    target.clamp(speed.saturating_sub(change), speed.saturating_add(change))
}

/// Returns `speed` along y, slowed down if it would lift `part`, a box inside the body, out of `area`: the
/// lowest `depth` rows of pixels of the part stay in the area.
fn kept_in(area: Option<Turned<'_>>, mover: &Mover, part: Aabb, depth: i64, speed: i64) -> i64 {
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
