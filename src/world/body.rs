//! A body of a world: its place, velocity, categories and kind.
//!
//! Plain integers: every value of every field is valid. Nothing here moves a body.

use glam::{DVec2, I64Vec2, IVec2};

use super::circle::{Circle, MAX_DIAMETER};
use crate::geometry::{Aabb, SUBPIXELS, TranslationError, to_subpixels};
use crate::mover::{Move, MoverSettings};

/// One body of a [`World`](super::World): plain data that a game may set as it likes between two steps.
///
/// ```
/// use bitwall::glam::{I64Vec2, Vec2};
/// use bitwall::{Aabb, world::Body};
///
/// let lift = Body::platform(Aabb::from_xywh(0, 40, 32, 8)).with_velocity(Vec2::new(0.0, -0.5))?;
/// assert_eq!(lift.velocity, I64Vec2::new(0, -32_768));
/// let ghost = Body { category: 2, collides_with: 2, ..lift };
/// assert!(!ghost.meets(&lift));
/// # Ok::<(), bitwall::geometry::TranslationError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Body {
    /// Its place in whole pixels; for a ball, the square around it.
    pub aabb: Aabb,
    /// Its progress toward the next pixel, in 65,536ths of a pixel, as [`crate::Mover::subpixel`].
    pub subpixel: IVec2,
    /// In 65,536ths of a pixel a step. A contact clears the part of a character's velocity that goes into it,
    /// and reverses that of a ball.
    pub velocity: I64Vec2,
    /// The change of the velocity before each step, such as gravity, in 65,536ths of a pixel a step.
    pub acceleration: I64Vec2,
    /// Its categories, one bit each.
    pub category: u64,
    /// The categories that it meets; see [`Body::meets`].
    pub collides_with: u64,
    /// How it moves, and which bodies it stops.
    pub kind: BodyKind,
}

/// The kind of a [`Body`], which says how it moves and which bodies it stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum BodyKind {
    /// A box that moves as a [`crate::Mover`] does: a player, a monster, or a block that falls. It is solid
    /// to other characters and to balls, and is carried and pushed by platforms.
    Character(Character),
    /// A solid box that nothing stops: it carries the bodies on it and pushes those in front of it.
    Platform {
        /// If true, it holds and lifts bodies that come from above, and no others meet it.
        one_way: bool,
    },
    /// A circle that bounces off balls, the level, characters and platforms. It loses energy only to
    /// [`Ball::MAX_SPEED`]. A bounce changes its own velocity and that of another ball, but of no other body.
    /// It passes one-way cells and one-way platforms, stops no character, and is pushed by platforms.
    Ball(Ball),
    /// A box that is solid to no body and stays where the game puts it. It reports the bodies that are in it
    /// at the end of each step. A body that passes it within a step enters and leaves at once: one that meets
    /// it on the straight path from its place before the step.
    Sensor,
}

/// A character's state beside its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Character {
    /// How it moves.
    pub settings: MoverSettings,
    /// As [`crate::Mover::steps_since_grounded`].
    pub steps_since_grounded: u32,
    /// The outcome of its last step. A contact with another body has the level's cell at the place where they
    /// met.
    pub last: Option<Move>,
}

/// A ball's state beside its box. It lies in the middle of the box, and its diameter is the shorter side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Ball {
    /// Its mass, in any unit. A ball of mass 0 is fixed: nothing moves it, whatever its velocity, and
    /// platforms go through it.
    pub mass: u16,
    /// The part of its velocity below the unit of [`Body::velocity`], in 65,536ths of that unit, so that
    /// rounding loses next to nothing. A game that sets the velocity may leave it as it is.
    pub velocity_rest: IVec2,
}

impl Ball {
    /// The highest speed along an axis, in pixels a step; a faster ball is slowed down to it.
    pub const MAX_SPEED: u32 = 1024;

    /// The largest diameter, in pixels; a larger ball counts as one of this size. A step of one such ball at
    /// the highest speed took up to 0.1 s where it overlapped solids, and 2 ms elsewhere; the cost grows with
    /// the diameter and the speed.
    pub const MAX_DIAMETER: u32 = MAX_DIAMETER;
}

impl Body {
    /// A body of category 1 that meets all categories, at rest.
    pub const fn new(aabb: Aabb, kind: BodyKind) -> Self {
        Self {
            aabb,
            subpixel: IVec2::ZERO,
            velocity: I64Vec2::ZERO,
            acceleration: I64Vec2::ZERO,
            category: 1,
            collides_with: u64::MAX,
            kind,
        }
    }

    /// A character.
    pub const fn character(aabb: Aabb, settings: MoverSettings) -> Self {
        let character = Character { settings, steps_since_grounded: u32::MAX, last: None };
        Self::new(aabb, BodyKind::Character(character))
    }

    /// A block that rests on solids below it. Its velocity grows by `gravity` 65,536ths of a pixel a step in
    /// each step. It is a character whose floor is down, without steps and corner correction.
    pub const fn block(aabb: Aabb, gravity: u32) -> Self {
        let settings = MoverSettings { floor: Some(crate::Dir::Down), ..MoverSettings::PLAIN };
        let mut block = Self::character(aabb, settings);
        block.acceleration = I64Vec2::new(0, gravity as i64);
        block
    }

    /// A platform that is solid on all sides.
    pub const fn platform(aabb: Aabb) -> Self {
        Self::new(aabb, BodyKind::Platform { one_way: false })
    }

    /// A platform that is solid from above only.
    pub const fn one_way_platform(aabb: Aabb) -> Self {
        Self::new(aabb, BodyKind::Platform { one_way: true })
    }

    /// A ball whose square has its top-left corner at `min`; see [`Ball::MAX_DIAMETER`] and [`Ball::mass`].
    pub fn ball(min: IVec2, diameter: u32, mass: u16) -> Self {
        let side = diameter.min(Ball::MAX_DIAMETER) as i32;
        let ball = Ball { mass, velocity_rest: IVec2::ZERO };
        Self::new(Aabb::from_xywh(min.x, min.y, side, side), BodyKind::Ball(ball))
    }

    /// A sensor.
    pub const fn sensor(aabb: Aabb) -> Self {
        Self::new(aabb, BodyKind::Sensor)
    }

    /// This body with a velocity in pixels a step: any pair of `f32`.
    ///
    /// # Errors
    /// [`TranslationError`] if it is not finite, or not below 2^31.
    pub fn with_velocity(self, velocity: impl Into<[f32; 2]>) -> Result<Self, TranslationError> {
        let velocity = to_subpixels(velocity)?;
        Ok(Self { velocity, ..self })
    }

    /// This body with an acceleration in pixels a step, such as gravity: any pair of `f32`.
    ///
    /// # Errors
    /// [`TranslationError`] if it is not finite, or not below 2^31.
    pub fn with_acceleration(
        self,
        acceleration: impl Into<[f32; 2]>,
    ) -> Result<Self, TranslationError> {
        let acceleration = to_subpixels(acceleration)?;
        Ok(Self { acceleration, ..self })
    }

    /// The top-left corner of its box with its progress toward the next pixel, as
    /// [`Mover::position`](crate::mover::Mover::position).
    pub fn position(&self) -> DVec2 {
        self.aabb.min.as_dvec2() + self.subpixel.as_dvec2() / f64::from(SUBPIXELS)
    }

    /// The velocity that moves the body's top-left corner to `place` in one step, with no subpixel, if
    /// nothing stops it. For a platform on a given path, a game sets it before each step.
    pub fn velocity_to(&self, place: IVec2) -> I64Vec2 {
        let pixels = place.as_i64vec2() - self.aabb.min.as_i64vec2();
        pixels * i64::from(SUBPIXELS) - self.subpixel.as_i64vec2()
    }

    /// True if the two bodies meet: each has a category that the other collides with. It is not enough that
    /// one has.
    pub fn meets(&self, other: &Self) -> bool {
        self.category & other.collides_with != 0 && other.category & self.collides_with != 0
    }

    /// True if some point is inside both; touching is not overlapping. Balls count as circles.
    pub fn overlaps(&self, other: &Self) -> bool {
        match (self.circle(), other.circle()) {
            (None, None) => self.aabb.overlaps(other.aabb),
            (Some(circle), None) => circle.overlaps_box(other.aabb),
            (None, Some(circle)) => circle.overlaps_box(self.aabb),
            (Some(one), Some(two)) => one.overlaps(&two),
        }
    }

    /// The circle of a ball.
    pub(super) fn circle(&self) -> Option<Circle> {
        matches!(self.kind, BodyKind::Ball(_)).then(|| Circle::of(self.aabb, self.subpixel))
    }

    /// True for a body that stops characters, and is stopped or pushed by solids.
    pub(super) const fn is_solid_box(&self) -> bool {
        matches!(self.kind, BodyKind::Character(_) | BodyKind::Platform { .. })
    }

    /// True for a body that a platform pushes.
    pub(super) const fn is_pushable(&self) -> bool {
        match self.kind {
            BodyKind::Character(_) => true,
            BodyKind::Ball(ball) => ball.mass > 0,
            BodyKind::Platform { .. } | BodyKind::Sensor => false,
        }
    }

    pub(super) const fn is_one_way(&self) -> bool {
        matches!(self.kind, BodyKind::Platform { one_way: true })
    }

    /// A sort key that does not depend on when it was added: lowest first, then leftmost. Two bodies with the
    /// same key lie in the very same place and move alike.
    pub(super) fn key(&self) -> impl Ord + use<> {
        let edges = [self.aabb.max.y, self.aabb.min.x, self.aabb.min.y, self.aabb.max.x];
        let [bottom, left, top, right] = edges.map(i64::from);
        (
            [-bottom, left, top, right],
            self.subpixel.to_array(),
            self.velocity.to_array(),
            self.acceleration.to_array(),
            [self.category, self.collides_with],
        )
    }
}
