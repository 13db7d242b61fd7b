//! A character that is pleasant to control: the part that a game adds to a `Mover`.
//!
//! `step` is one step of a game: it turns keys into a velocity, moves the mover by it, and keeps the part of
//! the velocity that no wall stopped. Distances are in pixels and times in steps of a 60th of a second.

use bitwall::glam::{IVec2, Vec2};
use bitwall::{Aabb, Dir, Level, Move, Mover, MoverSettings, geometry::TranslationError};

const RUN: f32 = 1.75;
const WALK: f32 = 1.5;
/// The speed that the hero gains or loses in a step. The hero is at full speed after 9 steps.
const ACCELERATION: f32 = 0.2;
const GRAVITY: f32 = 0.2;
/// The initial speed of a jump. The jump is 43 pixels high: `JUMP * JUMP / (2 * GRAVITY)`, minus a small
/// error because time is in steps.
const JUMP: f32 = 4.25;
/// The upward speed that is left if the jump key is released early.
const SHORT_JUMP: f32 = 1.5;
/// The highest speed of a fall, so that the player can react.
const FALL: f32 = 5.0;
/// The number of steps after leaving an edge in which a jump is still allowed (coyote time).
const COYOTE_STEPS: u32 = 6;
/// The number of steps before a landing in which a press of the jump key still counts (jump buffering).
const BUFFER_STEPS: u32 = 6;

/// The keys that are held down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Keys {
    pub(crate) left: bool,
    pub(crate) right: bool,
    pub(crate) up: bool,
    pub(crate) down: bool,
    pub(crate) jump: bool,
}

impl Keys {
    /// Returns the direction of the held keys: -1, 0 or 1 on each axis.
    fn direction(self) -> Vec2 {
        let axis = |low: bool, high: bool| f32::from(i8::from(high) - i8::from(low));
        Vec2::new(axis(self.left, self.right), axis(self.up, self.down))
    }
}

/// A character that obeys keys.
#[derive(Clone, Copy)]
pub(crate) struct Hero {
    pub(crate) mover: Mover,
    pub(crate) velocity: Vec2,
    pub(crate) facing: Dir,
    /// The pixels that the hero has walked, for the animation of the legs.
    pub(crate) walked: u32,
    /// The number of steps that the hero was off the ground before the jump, if it jumped in this step.
    pub(crate) jumped: Option<u32>,
    /// The number of steps for which a press of the jump key still counts.
    wants_jump: u32,
    held_jump: bool,
}

impl Hero {
    /// Creates a hero in the middle of `place`, or at the nearest free position.
    pub(crate) fn new(level: &Level, place: Aabb, settings: MoverSettings) -> Self {
        // In a side view the body is as tall as the picture. From above, only the feet collide.
        let size = match settings.floor {
            Some(_) => IVec2::new(12, 24),
            None => IVec2::new(12, 10),
        };
        let corner = (place.min + place.max - size) / 2;
        let body = Aabb::from_xywh(corner.x, corner.y, size.x, size.y);
        let mut mover = Mover::new(body, settings);
        // Without room within 4096 px the hero stays in the wall, and every step reports it.
        let _ = mover.unstick(level, level.size().max_element());
        Self {
            mover,
            velocity: Vec2::ZERO,
            facing: Dir::Down,
            walked: 0,
            jumped: None,
            wants_jump: 0,
            held_jump: false,
        }
    }

    /// Returns the pixel at the centre of the hero.
    pub(crate) fn middle(&self) -> IVec2 {
        (self.mover.body.min + self.mover.body.max) / 2
    }

    /// Makes a step of the game. It fails for a velocity that is not a number, which these keys cannot make.
    pub(crate) fn step(&mut self, level: &Level, keys: Keys) -> Result<Move, TranslationError> {
        match self.mover.settings.floor {
            Some(_) => self.run_and_jump(level, keys),
            // A diagonal motion is no faster than any other.
            None => self.velocity = keys.direction().normalize_or_zero() * WALK,
        }
        let step = self.mover.step(level, self.velocity)?;
        self.velocity = step.velocity(self.velocity);
        self.turn(keys);
        if step.grounded || self.mover.settings.floor.is_none() {
            self.walked += step.moved.abs().max_element() as u32;
        }
        Ok(step)
    }

    /// Changes the velocity by keys and gravity, in a side view.
    fn run_and_jump(&mut self, level: &Level, keys: Keys) {
        let change = keys.direction().x * RUN - self.velocity.x;
        self.velocity.x += change.clamp(-ACCELERATION, ACCELERATION);
        self.velocity.y = (self.velocity.y + GRAVITY).min(FALL);

        // Only a new press counts, not a key that is held, and it counts for some steps.
        let is_pressed = keys.jump && !self.held_jump;
        self.held_jump = keys.jump;
        self.wants_jump = if is_pressed { BUFFER_STEPS } else { self.wants_jump.saturating_sub(1) };
        if is_pressed && keys.down && self.mover.drop_through(level) {
            self.wants_jump = 0;
        }
        self.jumped = None;
        if self.wants_jump > 0 && self.mover.steps_since_grounded <= COYOTE_STEPS {
            self.jumped = Some(self.mover.steps_since_grounded);
            self.velocity.y = -JUMP;
            self.wants_jump = 0;
            // The hero left the ground by a jump and not over an edge, so no second jump in the air is
            // allowed.
            self.mover.steps_since_grounded = u32::MAX;
        }
        if !keys.jump {
            self.velocity.y = self.velocity.y.max(-SHORT_JUMP);
        }
    }

    /// Turns the hero in the direction of the keys. On a diagonal the hero keeps its direction.
    fn turn(&mut self, keys: Keys) {
        let is_flat = self.mover.settings.floor.is_some();
        let points = |dir| match dir {
            Dir::Left => keys.left && !keys.right,
            Dir::Right => keys.right && !keys.left,
            Dir::Up => keys.up && !keys.down && !is_flat,
            Dir::Down => keys.down && !keys.up && !is_flat,
        };
        if !points(self.facing)
            && let Some(dir) = Dir::ALL.into_iter().find(|dir| points(*dir))
        {
            self.facing = dir;
        }
    }
}
