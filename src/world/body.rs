//! The bodies of a world. A body consists of integers, and every value of every field is valid. Nothing moves
//! here.

use std::cmp::Reverse;

use glam::{DVec2, I64Vec2, IVec2, Vec2};

use super::circle::{Disc, MAX_DIAMETER};
use crate::geometry::{Aabb, Axis, Dir, Rate, SUBPIXELS, Sides, split};
use crate::mover::{Move, Mover, MoverSettings, counts_one_way};
use crate::terrain::BodyId;

/// A body of a [`World`](super::World): plain data that a game may change between two steps.
///
/// ```
/// use bitwall::{Aabb, glam::Vec2, world::Body};
///
/// let lift = Body::platform(Aabb::from_xywh(0, 40, 32, 8)).with_velocity([0.0, -30.0]);
/// assert_eq!(lift.velocity(), Vec2::new(0.0, -30.0));
/// let ghost = lift.with_category(2).with_collides_with(2);
/// assert!(!ghost.meets(&lift));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Body {
    /// The body's box in whole pixels; for a ball, the square around it.
    pub aabb: Aabb,
    /// The body's progress toward the next pixel, in 65,536ths of a pixel, like [`crate::Mover::subpixel`].
    pub subpixel: IVec2,
    /// The steps a second of the velocities and the acceleration: one until the body is in a world.
    rate: Rate,
    /// In subpixels a step.
    pub(super) velocity: I64Vec2,
    /// In subpixels a step for each step.
    pub(super) acceleration: I64Vec2,
    /// The body's categories, one bit each.
    pub category: u64,
    /// The categories of other bodies with which this body collides; see [`Body::meets`].
    ///
    /// Solid areas of a level with one of these categories stop the body too, and its own categories do not
    /// matter there ([`Level::solids_for`](crate::Level::solids_for)).
    pub collides_with: u64,
    /// The categories of other bodies that this body watches.
    ///
    /// Each step has an [`Event`](super::Event) for each watched body that overlaps this body, or that
    /// touches one of its sides if the two are solid to each other. For a ball there are also events for the
    /// watched bodies that it hits ([`Impact`](super::Impact)). By default a sensor watches all categories,
    /// and any other body watches none.
    pub watches: u64,
    /// The kind of the body, which decides how it moves and which bodies it stops.
    pub kind: BodyKind,
}

/// The kind of a [`Body`], which decides how it moves and which bodies it stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
#[expect(
    clippy::large_enum_variant,
    reason = "most bodies are characters, and all are plain copies"
)]
#[non_exhaustive]
pub enum BodyKind {
    /// A box that moves like a [`crate::Mover`]: a player, a monster, or a crate that falls. It is solid for
    /// other characters and for balls, but soft characters pass each other ([`Body::soft`]). Platforms carry
    /// and push it.
    Character(Character),
    /// A solid box that nothing stops. It carries the bodies that stand on it, and pushes the bodies in front
    /// of it. A body that stands on the platform with one pixel and on the level with the others is carried
    /// along x too, as in Celeste. If a body stands on two platforms, the platform under the larger part of
    /// the body carries it.
    Platform(Platform),
    /// A circle that bounces off balls, the level, characters and platforms. It loses energy only by
    /// [`Ball::restitution`] and [`Ball::MAX_SPEED`]. A bounce changes only the velocities of balls. A ball
    /// passes through one-way cells and one-way platforms, and does not stop characters. Platforms push a
    /// ball together with the balls in front of it. A ball also bounces off areas of a level that are solid
    /// for a category in [`Body::collides_with`] ([`Level::with_solid_area`](crate::Level::with_solid_area)).
    Ball(Ball),
    /// A box that is not solid, and moves by its velocity through the level and all bodies. It watches other
    /// bodies ([`Body::watches`]), including other sensors.
    Sensor,
    /// A box that flies straight by its velocity until the level or a solid body stops it, such as an arrow:
    /// see [`Body::bullet`].
    Bullet,
}

/// The sort key for the order in which bodies move; see [`Body::turn`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TurnOrder {
    bottom: Reverse<i32>,
    speed: Reverse<u32>,
    facts: u32,
    left: i32,
    pub(super) slot: u32,
}

/// The data of a body that is a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Character {
    /// The settings of the character's motion.
    pub settings: MoverSettings,
    /// The number of steps since the character stood on its floor; 0 while it stands on its floor.
    pub steps_since_grounded: u32,
    /// The one-way floor through which the character drops: see [`Mover::dropping`](crate::Mover::dropping).
    pub dropping: Option<[IVec2; 2]>,
    /// The outcome of the character's last step; `None` before its first step.
    pub last: Option<Move>,
    /// The character's mass, in any unit, which other characters compare with their [`Character::push`]. With
    /// mass 0 only platforms push the character.
    ///
    /// A pushed character moves by whole pixels and keeps its velocity. Where a solid stops it, it goes up a
    /// step with the bodies on it, by at most its step height. With a mass above 0, a step height below 4
    /// pixels counts as 4.
    pub mass: u16,
    /// The largest total mass of the bodies that the character can push in front of it. With 0 it pushes
    /// nothing.
    pub push: u16,
    /// True if the character carries the characters that stand on it, directly or on other characters, as a
    /// platform does.
    pub carries: bool,
    /// The side by which the character holds on to a solid, such as a ledge from which it hangs; `None` if it
    /// holds on to nothing.
    ///
    /// The body on this side then carries the character, and not a body below it. A
    /// [`Player`](super::Player) sets this field.
    pub holds: Option<Dir>,
    /// The platform that carries the character while the character's box overlaps or touches that of the
    /// platform, such as a ship on whose ladder it climbs; `None` for the body that supports it.
    ///
    /// A [`Player`](super::Player) sets this field.
    pub rides: Option<BodyId>,
    /// See [`Body::fall_limit`]. In subpixels a step; `u32::MAX` for a fall without a limit.
    pub(super) fall_limit: u32,
    /// True if the character was in the level at the start of the last step: see
    /// [`Event::Buried`](super::Event::Buried).
    pub(super) was_buried: bool,
    /// The place of a soft character ([`Body::soft`]) in the queue of those that rest: 0 for the first,
    /// `u8::MAX` for one that walks. `None` for a hard character.
    pub(super) rank: Option<u8>,
}

impl Character {
    /// Returns the data of a character that has not moved yet. It pushes and carries nothing, only platforms
    /// push it, and its fall has no limit.
    pub const fn new(settings: MoverSettings) -> Self {
        Self {
            settings,
            steps_since_grounded: u32::MAX,
            dropping: None,
            last: None,
            mass: 0,
            push: 0,
            carries: false,
            fall_limit: u32::MAX,
            holds: None,
            rides: None,
            was_buried: false,
            rank: None,
        }
    }

    /// The number of pixels by which `moved` leads toward the character's floor; 0 if it leads away.
    fn fallen(&self, moved: IVec2) -> u32 {
        let along = self.settings.floor.map_or(0, |floor| (floor.vector() * moved).element_sum());
        along.max(0).unsigned_abs()
    }

    /// Returns `velocity` with a fall of at most the fall limit minus `fallen` pixels.
    fn slowed(&self, velocity: I64Vec2, fallen: u32) -> I64Vec2 {
        let mut velocity = velocity;
        if let Some(floor) = self.settings.floor.filter(|_| self.fall_limit < u32::MAX) {
            let limit = i64::from(self.fall_limit);
            let left = (limit - i64::from(fallen) * i64::from(SUBPIXELS)).max(0);
            let along = &mut velocity[floor.axis().index()];
            *along = if floor.is_positive() { (*along).min(left) } else { (*along).max(-left) };
        }
        velocity
    }

    /// The largest distance toward `dir`, in pixels, by which a body below may still carry the character in
    /// this step. Other bodies have already carried the character by `carried` pixels.
    pub(super) fn may_ride(&self, dir: Dir, carried: IVec2) -> u32 {
        let limit = self.fall_limit / SUBPIXELS as u32;
        if self.settings.floor == Some(dir) && self.fall_limit < u32::MAX {
            limit.saturating_sub(self.fallen(carried))
        } else {
            u32::MAX
        }
    }
}

/// The data of a body that is a platform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Platform {
    /// True if the platform stops and lifts only bodies that come from above.
    pub one_way: bool,
    /// See [`Body::belt`]. In subpixels a step.
    pub(super) belt: I64Vec2,
    /// The progress of the belt toward the next pixel, in 65,536ths of a pixel.
    pub belt_subpixel: IVec2,
}

/// The data of a body that is a ball. The ball is a circle in the centre of the body's box, and its diameter
/// is the box's shorter side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Ball {
    /// The ball's mass, in any unit. A ball of mass 0 is fixed: nothing moves it, not even its velocity, and
    /// platforms move through it.
    pub mass: u16,
    /// The speed along the contact's normal after a bounce, in percent of the speed before.
    ///
    /// 100 keeps all energy, 0 keeps no speed along the normal, and more than 100 counts as 100. When two
    /// balls collide, the lower value counts. Solids have no such value, so only the ball's value counts.
    pub restitution: u8,
}

/// The highest step in pixels up which a body with a mass is pushed, if its own step height is lower. With a
/// step height of its own, a crate looks for solids further away, which is 9% of the work of its fall.
const PUSHED_STEP: u32 = 4;

/// The settings of a character while it is pushed.
pub(super) fn pushed_settings(character: &Character) -> MoverSettings {
    let mut settings = character.settings;
    if character.mass > 0 {
        settings.step_height = settings.step_height.max(PUSHED_STEP);
    }
    settings
}

impl Platform {
    /// A platform that is solid on all sides, without a belt.
    pub const SOLID: Self =
        Self { one_way: false, belt: I64Vec2::ZERO, belt_subpixel: IVec2::ZERO };
}

impl Ball {
    /// The highest speed of a ball along an axis, in pixels a step; a faster ball is slowed down to it.
    pub const MAX_SPEED: u32 = 1024;

    /// The largest diameter of a ball, in pixels; a larger ball counts as a ball of this size.
    ///
    /// Near solids, the time of a step grows with the diameter and with the speed.
    pub const MAX_DIAMETER: u32 = MAX_DIAMETER;
}

impl Body {
    /// The highest speed of a character along an axis, in pixels a step; a faster character is slowed down.
    ///
    /// So the time of a step is bounded on any level: see [`Mover::MAX_LOOKS`](crate::Mover::MAX_LOOKS).
    pub const MAX_SPEED: u32 = Mover::MAX_TRANSLATION;

    /// The rate of a body that no world has: a pixel a second is a pixel a step.
    const UNADDED: Rate = Rate::per_second(1);

    /// Returns a body at rest in category 1 that collides with all categories.
    pub const fn new(aabb: Aabb, kind: BodyKind) -> Self {
        Self {
            aabb,
            subpixel: IVec2::ZERO,
            rate: Self::UNADDED,
            velocity: I64Vec2::ZERO,
            acceleration: I64Vec2::ZERO,
            category: 1,
            collides_with: u64::MAX,
            watches: 0,
            kind,
        }
    }

    /// Returns a character at rest with `settings`, which pushes and carries nothing: see [`Character::new`].
    pub const fn character(aabb: Aabb, settings: MoverSettings) -> Self {
        Self::new(aabb, BodyKind::Character(Character::new(settings)))
    }

    /// Returns a soft character at rest with `settings`, for a crowd: soft characters pass each other, and
    /// are pushed apart.
    ///
    /// For all other bodies it is a character like any other. Two soft characters that collide with each
    /// other's categories ([`Body::meets`]) are not solid to each other. Where they overlap, each is pushed
    /// by a quarter of the overlap away from the other's centre. The sum of all pushes is at most half the
    /// character's own motion, and at most half a pixel a step; the distances along both axes are added. So
    /// a crowd gets through a door in which solid characters would jam. A push is swept like the character's
    /// own motion, and does not change [`Body::velocity`]. Characters with a wall of the level between them
    /// do not meet. A character with a floor is pushed only across the axis of its floor.
    ///
    /// A crowd forms a ring around its goal. A character rests if its velocity is 0, if a solid body stops
    /// it, or if characters that rest are in its way. Behind these it stands, or slips aside at a quarter of
    /// its speed. So set the velocity before each step, to 0 at the goal. Characters that should walk through
    /// those who stand need other categories.
    ///
    /// The order in which bodies were added does not matter. Of two soft characters with the same centre, the
    /// first in the order of motion ([`World::step`](super::World::step)) is pushed right and down. A turned
    /// or mirrored world has the turned or mirrored motion, but for such pairs, and for a character straight
    /// behind another, which slips to either side. The page [`ways`](crate::guide::ways) has a crowd of
    /// chasers.
    ///
    /// ```
    /// use bitwall::glam::UVec2;
    /// use bitwall::world::{Body, World};
    /// use bitwall::{Aabb, Grid, Level, MoverSettings, Rate};
    ///
    /// let level = Level::from_grid(Grid::new(20, 10)?, UVec2::splat(16))?;
    /// let mut world = World::new(Rate::per_second(60));
    /// let [left, right] = [(40, 120.0), (60, -120.0)].map(|(x, speed)| {
    ///     let body = Body::soft(Aabb::from_xywh(x, 80, 12, 12), MoverSettings::top_down());
    ///     world.add(body.with_velocity([speed, 0.0]))
    /// });
    /// (0..30).for_each(|_| world.step(&level));
    /// let places = [left, right].map(|id| world.get(id).map(|body| body.aabb.min.x));
    /// assert!(places[0] > places[1], "they have passed each other: {places:?}");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub const fn soft(aabb: Aabb, settings: MoverSettings) -> Self {
        let character = Character { rank: Some(u8::MAX), ..Character::new(settings) };
        Self::new(aabb, BodyKind::Character(character))
    }

    /// Returns a crate: a character that falls, that others with enough [`Character::push`] can push, and
    /// that carries what stands on it.
    ///
    /// Its floor is down, and its own motion climbs no steps and corrects no corners. Who pushes it moves it
    /// up steps of at most 4 pixels. `mass` is its [`Character::mass`].
    ///
    /// `gravity` is its acceleration along y in pixels a second², with the limits of
    /// [`Body::set_acceleration`].
    pub fn pushable(aabb: Aabb, mass: u16, gravity: f32) -> Self {
        let settings = MoverSettings { floor: Some(Dir::Down), ..MoverSettings::PLAIN };
        let body = Self::character(aabb, settings).pushing(mass, 0, true);
        body.with_acceleration([0.0, gravity])
    }

    /// Returns a platform that is solid on all sides.
    pub const fn platform(aabb: Aabb) -> Self {
        Self::new(aabb, BodyKind::Platform(Platform::SOLID))
    }

    /// Returns a platform that is solid only from above.
    pub const fn one_way_platform(aabb: Aabb) -> Self {
        Self::new(aabb, BodyKind::Platform(Platform { one_way: true, ..Platform::SOLID }))
    }

    /// Returns a ball that bounces without a loss of energy. `min` is the top-left corner of the square
    /// around the ball.
    ///
    /// See [`Ball::MAX_DIAMETER`], [`Ball::mass`] and [`Ball::restitution`].
    pub fn ball(min: IVec2, diameter: u32, mass: u16) -> Self {
        let side = diameter.min(Ball::MAX_DIAMETER) as i32;
        let ball = Ball { mass, restitution: 100 };
        Self::new(Aabb::from_xywh(min.x, min.y, side, side), BodyKind::Ball(ball))
    }

    /// Returns a sensor that watches all categories.
    pub const fn sensor(aabb: Aabb) -> Self {
        let mut sensor = Self::new(aabb, BodyKind::Sensor);
        sensor.watches = u64::MAX;
        sensor
    }

    /// Returns a bullet. The level, characters and platforms stop it, and
    /// [`Event::Hit`](super::Event::Hit) reports the hit.
    ///
    /// A hit sets the velocity and the acceleration to 0, so each bullet has one hit. The bullet then stays
    /// until the game removes it. It is solid for no other body, and balls, sensors, other bullets, one-way
    /// cells and one-way platforms do not stop it. It leaves the box of the body that shot it if the two do
    /// not collide with each other's categories ([`Body::meets`]).
    ///
    /// All of the box is swept on a straight line, so a fast bullet misses nothing. Bullets move after all
    /// other bodies and meet them at their places of this step. A body that crosses the whole bullet within
    /// its own step is missed, but a bullet that watches it has a meeting with it ([`Body::watches`]). The
    /// highest speed is [`Body::MAX_SPEED`].
    ///
    /// ```
    /// use bitwall::glam::{IVec2, UVec2, Vec2};
    /// use bitwall::terrain::Hit;
    /// use bitwall::world::{Body, Event, World};
    /// use bitwall::{Aabb, Grid, Level, Rate};
    ///
    /// let level = Level::from_grid(Grid::from_text("...#")?, UVec2::splat(16))?;
    /// let mut world = World::new(Rate::per_second(60));
    /// let arrow = Body::bullet(Aabb::from_xywh(0, 6, 8, 2)).with_velocity((1800.0, 0.0));
    /// let arrow = world.add(arrow);
    /// (0..2).for_each(|_| world.step(&level));
    /// let [Event::Hit(hit)] = world.events() else { panic!("one hit") };
    /// assert_eq!((hit.body, hit.hit), (arrow, Hit::Cell(IVec2::new(3, 0))));
    /// assert_eq!(hit.normal(), Vec2::NEG_X);
    /// assert_eq!(world.remove(arrow).map(|arrow| arrow.aabb.max.x), Some(48));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn bullet(aabb: Aabb) -> Self {
        Self::new(aabb, BodyKind::Bullet)
    }

    /// Returns this character with the given [`Character::mass`], [`Character::push`] and
    /// [`Character::carries`]. Any other kind of body stays unchanged.
    ///
    /// ```
    /// use bitwall::glam::UVec2;
    /// use bitwall::world::{Body, World};
    /// use bitwall::{Aabb, Grid, Level, MoverSettings, Rate};
    ///
    /// let level = Level::from_grid(Grid::new(20, 10)?, UVec2::splat(16))?;
    /// let mut world = World::new(Rate::per_second(60));
    /// let hero = Body::character(Aabb::from_xywh(40, 140, 12, 20), MoverSettings::platformer());
    /// let hero = hero.pushing(0, 10, false).with_velocity([120.0, 0.0]);
    /// world.add(hero);
    /// let crates = Body::pushable(Aabb::from_xywh(60, 144, 16, 16), 4, 900.0);
    /// let crates = world.add(crates);
    /// (0..10).for_each(|_| world.step(&level));
    /// assert_eq!(world.get(crates).map(|body| body.aabb.min.x), Some(72));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn pushing(mut self, mass: u16, push: u16, carries: bool) -> Self {
        if let BodyKind::Character(character) = &mut self.kind {
            character.mass = mass;
            character.push = push;
            character.carries = carries;
        }
        self
    }

    /// Returns this body with this [`Body::category`].
    #[must_use]
    pub const fn with_category(mut self, category: u64) -> Self {
        self.category = category;
        self
    }

    /// Returns this body with this [`Body::collides_with`].
    #[must_use]
    pub const fn with_collides_with(mut self, categories: u64) -> Self {
        self.collides_with = categories;
        self
    }

    /// Returns this body with this [`Body::watches`].
    #[must_use]
    pub const fn with_watches(mut self, categories: u64) -> Self {
        self.watches = categories;
        self
    }

    /// Returns this character with the [`Body::fall_limit`] `limit`, in pixels a second. A negative number or
    /// NaN counts as 0, and 65,536 or more as no limit.
    ///
    /// Any other kind of body stays unchanged.
    ///
    /// ```
    /// use bitwall::glam::UVec2;
    /// use bitwall::world::{Body, World};
    /// use bitwall::{Aabb, Grid, Level, Rate};
    ///
    /// let level = Level::from_grid(Grid::new(10, 100)?, UVec2::splat(16))?;
    /// let mut world = World::new(Rate::per_second(60));
    /// let crates = Body::pushable(Aabb::from_xywh(40, 0, 16, 16), 4, 900.0).with_fall_limit(240.0);
    /// let crates = world.add(crates);
    /// (0..100).for_each(|_| world.step(&level));
    /// let speed = world.get(crates).map(|body| body.velocity().y);
    /// assert_eq!(speed, Some(240.0));
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    #[must_use]
    pub fn with_fall_limit(mut self, limit: f32) -> Self {
        if let BodyKind::Character(character) = &mut self.kind {
            let is_limit = limit.is_nan() || limit < 65_536.0;
            let limit = self.rate.subpixels(limit, 1).clamp(0, u32::MAX.into()) as u32;
            character.fall_limit = if is_limit { limit } else { u32::MAX };
        }
        self
    }

    /// Returns this platform with a conveyor belt: see [`Body::belt`]. Its `velocity` is in pixels a second,
    /// with the limits of [`Body::set_velocity`].
    ///
    /// Any other kind of body stays unchanged.
    #[must_use]
    pub fn with_belt(mut self, velocity: impl Into<[f32; 2]>) -> Self {
        if let BodyKind::Platform(platform) = &mut self.kind {
            platform.belt = self.rate.pair(velocity, 1);
        }
        self
    }

    /// Returns this body with `velocity`, in pixels a second, set by [`Body::set_velocity`].
    #[must_use]
    pub fn with_velocity(mut self, velocity: impl Into<[f32; 2]>) -> Self {
        self.set_velocity(velocity);
        self
    }

    /// Returns this body with `acceleration`, in pixels a second², set by [`Body::set_acceleration`].
    #[must_use]
    pub fn with_acceleration(mut self, acceleration: impl Into<[f32; 2]>) -> Self {
        self.set_acceleration(acceleration);
        self
    }

    /// Sets the velocity to `velocity` pixels a second, rounded to the nearest 65,536th of a pixel a step.
    ///
    /// `velocity` is any pair of `f32`: a [`Vec2`] of this or another version of `glam`, a tuple or an array.
    /// A number that is not finite counts as 0. A number beyond 2^31 or -2^31 pixels a step counts as 2^31 or
    /// -2^31. In its steps, a character is never faster than [`Body::MAX_SPEED`], and a ball than
    /// [`Ball::MAX_SPEED`].
    ///
    /// ```
    /// use bitwall::{Aabb, glam::Vec2, world::Body};
    ///
    /// let mut lift = Body::platform(Aabb::from_xywh(0, 40, 32, 8));
    /// lift.set_velocity([0.0, -30.0]);
    /// assert_eq!(lift.velocity(), Vec2::new(0.0, -30.0));
    /// lift.set_velocity([f32::NAN, 60.0]);
    /// assert_eq!(lift.velocity(), Vec2::new(0.0, 60.0));
    /// ```
    pub fn set_velocity(&mut self, velocity: impl Into<[f32; 2]>) {
        self.velocity = self.rate.pair(velocity, 1);
    }

    /// Sets the acceleration, such as gravity: the change of the velocity, in pixels a second², with the
    /// limits of [`Body::set_velocity`].
    pub fn set_acceleration(&mut self, acceleration: impl Into<[f32; 2]>) {
        self.acceleration = self.rate.pair(acceleration, 2);
    }

    /// The velocity in pixels a second, rounded to the nearest `f32`. A contact sets a character's speed into
    /// the solid to 0, and reverses a ball's speed into the solid.
    pub fn velocity(&self) -> Vec2 {
        Vec2::from(self.velocity.to_array().map(|along| self.rate.pixels(along, 1)))
    }

    /// The acceleration in pixels a second², rounded to the nearest `f32`. It changes the velocity before
    /// each step.
    pub fn acceleration(&self) -> Vec2 {
        Vec2::from(self.acceleration.to_array().map(|along| self.rate.pixels(along, 2)))
    }

    /// The highest speed of a character's fall toward its floor, in pixels a second; infinity without a
    /// limit, and for any other body. A faster fall is slowed down.
    ///
    /// If this character stands on another character that falls faster than this limit, it is left behind. On
    /// a platform that moves down faster, it is taken along. Without a limit, [`Body::MAX_SPEED`] still
    /// counts.
    pub fn fall_limit(&self) -> f32 {
        let limit = self.as_character().map_or(u32::MAX, |character| character.fall_limit);
        if limit == u32::MAX { f32::INFINITY } else { self.rate.pixels(limit.into(), 1) }
    }

    /// The velocity of a platform's conveyor belt relative to the platform, in pixels a second; zero for any
    /// other body. The belt carries the bodies that stand on the platform.
    pub fn belt(&self) -> Vec2 {
        let BodyKind::Platform(platform) = &self.kind else { return Vec2::ZERO };
        Vec2::from(platform.belt.to_array().map(|along| self.rate.pixels(along, 1)))
    }

    /// Returns the exact position of the box's top-left corner in pixels, with its subpixel, like
    /// [`Mover::position`](crate::mover::Mover::position).
    pub fn position(&self) -> DVec2 {
        self.aabb.min.as_dvec2() + self.subpixel.as_dvec2() / f64::from(SUBPIXELS)
    }

    /// Returns the velocity that moves the body's top-left corner to the pixel `place` in one step, to a
    /// subpixel of 0, if nothing stops the body. It is in pixels a second, and exact for at most 128 pixels.
    ///
    /// To move a platform along a path, set this velocity before each step.
    pub fn velocity_to(&self, place: IVec2) -> Vec2 {
        let pixels = place.as_i64vec2() - self.aabb.min.as_i64vec2();
        let velocity = pixels * i64::from(SUBPIXELS) - self.subpixel.as_i64vec2();
        Vec2::from(velocity.to_array().map(|along| self.rate.pixels(along, 1)))
    }

    /// Returns the outcome of a character's last step, such as its contacts and its floor. Returns `None` for
    /// any other body, and before the first step.
    pub const fn last(&self) -> Option<&Move> {
        match &self.kind {
            BodyKind::Character(character) => character.last.as_ref(),
            _ => None,
        }
    }

    /// Converts the velocities and the acceleration to the rate of a world. Nothing changes if the body has
    /// this rate.
    pub(super) fn set_rate(&mut self, rate: Rate) {
        if self.rate == rate {
            return;
        }
        let from = std::mem::replace(&mut self.rate, rate);
        self.velocity = converted(self.velocity, from, rate, 1);
        self.acceleration = converted(self.acceleration, from, rate, 2);
        match &mut self.kind {
            BodyKind::Character(character) if character.fall_limit < u32::MAX => {
                let limit = I64Vec2::splat(character.fall_limit.into());
                let limit = converted(limit, from, rate, 1).x;
                character.fall_limit = u32::try_from(limit).unwrap_or(u32::MAX);
            }
            BodyKind::Platform(platform) => {
                platform.belt = converted(platform.belt, from, rate, 1);
            }
            _ => {}
        }
    }

    /// True if the two bodies can collide: each body has a category that is in [`Body::collides_with`] of the
    /// other body.
    pub fn meets(&self, other: &Self) -> bool {
        self.category & other.collides_with != 0 && other.category & self.collides_with != 0
    }

    /// True if some point is inside both bodies; touching is not overlapping. Balls count as circles, and a
    /// platform with a piece of level as its box.
    pub fn overlaps(&self, other: &Self) -> bool {
        match (self.circle(), other.circle()) {
            (None, None) => self.aabb.overlaps(other.aabb),
            (Some(circle), None) => circle.overlaps_box(other.aabb),
            (None, Some(circle)) => circle.overlaps_box(self.aabb),
            (Some(one), Some(two)) => one.overlaps(&two),
        }
    }

    /// The velocity in the next step: the velocity plus the acceleration, within the speed limits of the
    /// body.
    pub(super) fn next_velocity(&self) -> I64Vec2 {
        let most = I64Vec2::splat(i64::from(Self::MAX_SPEED) * i64::from(SUBPIXELS));
        let velocity = self.velocity.saturating_add(self.acceleration).clamp(-most, most);
        self.as_character().map_or(velocity, |character| character.slowed(velocity, 0))
    }

    /// The motion of a body in its own part of a step. Before it, other bodies have moved the body by
    /// `carried` pixels, which count toward a character's fall limit.
    pub(super) fn own_motion(&self, carried: IVec2) -> I64Vec2 {
        let velocity = self.next_velocity();
        let Some(character) = self.as_character() else { return velocity };
        character.slowed(velocity, character.fallen(carried))
    }

    /// The circle of a ball; `None` for any other body.
    pub(super) fn circle(&self) -> Option<Disc> {
        matches!(self.kind, BodyKind::Ball(_)).then(|| Disc::of(self.aabb, self.subpixel))
    }

    pub(super) const fn is_solid_box(&self) -> bool {
        matches!(self.kind, BodyKind::Character(_) | BodyKind::Platform(_))
    }

    pub(super) const fn as_character(&self) -> Option<&Character> {
        match &self.kind {
            BodyKind::Character(character) => Some(character),
            _ => None,
        }
    }

    /// True for a soft character: see [`Body::soft`].
    pub fn is_soft(&self) -> bool {
        self.as_character().is_some_and(|character| character.rank.is_some())
    }

    pub(super) fn carries(&self) -> bool {
        self.as_character().is_some_and(|character| character.carries)
    }

    pub(super) fn floor(&self) -> Option<Dir> {
        self.as_character()?.settings.floor
    }

    /// The side on which another body can carry this character: the side by which it holds on, or else its
    /// floor.
    pub(super) fn carried_by(&self) -> Option<Dir> {
        let character = self.as_character()?;
        character.holds.or(character.settings.floor)
    }

    /// The part of a belt's motion that carries this character. One that holds on to a side is carried only
    /// along this side.
    pub(super) fn along_belt(&self, belt: I64Vec2) -> I64Vec2 {
        let mut along = belt;
        if let Some(side) = self.as_character().and_then(|character| character.holds) {
            along[side.axis().index()] = 0;
        }
        along
    }

    /// The sides on which one-way cells stop the body.
    pub(super) fn one_way_obeyed(&self) -> Sides<bool> {
        self.as_character().map_or(Sides::all(false), |character| character.settings.one_way)
    }

    /// True if one-way cells and platforms that touch the body on its side `dir` count: see
    /// [`counts_one_way`]. Always true for a body that is not a character.
    pub(super) fn touches_one_way(&self, dir: Dir) -> bool {
        self.as_character().is_none_or(|Character { settings, steps_since_grounded, .. }| {
            let stood =
                settings.floor == Some(dir) && matches!(*steps_since_grounded, 0 | u32::MAX);
            settings.one_way.get(dir.opposite()) && counts_one_way(dir, self.velocity, stood)
        })
    }

    /// The largest distance in pixels from a character's path at which solids affect its step; 0 for any
    /// other body.
    pub(super) fn look_aside(&self) -> u32 {
        self.as_character().map_or(0, |character| character.settings.look_aside())
    }

    /// A hash of the body's motion, size and categories, which decides the order in which equally low and
    /// fast bodies move. A mirrored body has the same hash, because the left side and the signs along x are
    /// left out.
    fn facts(&self) -> u32 {
        let Self { aabb, subpixel, velocity, acceleration, category, collides_with, .. } = self;
        let facts = [
            u64::from(aabb.height()) ^ u64::from(aabb.width()) << 32,
            subpixel.x.unsigned_abs().into(),
            subpixel.y as u64,
            velocity.y as u64,
            acceleration.x.unsigned_abs(),
            acceleration.y as u64,
            *category,
            *collides_with,
        ];
        let mut hash: u64 = 0;
        for fact in facts {
            // The multiplier comes from SplitMix64 (Steele, Lea and Flood, 2014).
            hash = (hash ^ fact).wrapping_mul(0xBF58_476D_1CE4_E5B9).rotate_left(29);
        }
        (hash >> 32) as u32
    }

    pub(super) const fn is_one_way(&self) -> bool {
        matches!(self.kind, BodyKind::Platform(Platform { one_way: true, .. }))
    }

    /// Moves the body by `by`, in 65,536ths of a pixel, without regard to solids, up to the ends of the range
    /// of `i32`.
    pub(super) fn displace(&mut self, by: I64Vec2) {
        let (pixels, subpixel) = split(self.subpixel, by);
        self.subpixel = subpixel;
        for (axis, along) in [(Axis::X, pixels.x), (Axis::Y, pixels.y)] {
            let dir = Dir::along(axis, along > 0);
            self.aabb = self.aabb.shifted(dir, along.unsigned_abs().min(self.aabb.room(dir)));
        }
    }

    /// The sort key for the order in which bodies move. The lowest body comes first; of equally low bodies,
    /// the fastest along x comes first. Ties are decided by [`Body::facts`], then by the left side, then by
    /// the slot. In a mirrored world, only the left side and the slot can change the order.
    pub(super) fn turn(&self, slot: u32) -> TurnOrder {
        let speed = self.velocity.x.unsigned_abs().min(u64::from(u32::MAX)) as u32;
        let bottom = Reverse(self.aabb.max.y);
        TurnOrder {
            bottom,
            speed: Reverse(speed),
            facts: self.facts(),
            left: self.aabb.min.x,
            slot,
        }
    }
}

/// Converts a velocity in subpixels a step to another rate, and an acceleration with `power` 2. The result is
/// rounded to the nearest, a half away from zero, and saturates.
fn converted(velocity: I64Vec2, from: Rate, to: Rate, power: u32) -> I64Vec2 {
    let [from, to] = [from, to].map(|rate| i128::from(rate.steps_per_second()).pow(power));
    let along = velocity.to_array().map(|along| {
        // The factors are below 2^32, so the product is below 2^95.
        let product = i128::from(along) * from;
        let nearest = (product + product.signum() * (to / 2)) / to;
        nearest.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    });
    along.into()
}
