//! A [`Feel`] from settings in pixels and seconds. Each number is converted once, here. A step of the
//! character uses whole numbers only.

use glam::UVec2;

use super::feel::{Feel, Rate};

impl Feel {
    /// Settings in pixels and seconds, for a game that makes `steps` steps a second; 0 counts as 1. Settings
    /// that the game does not change are as in [`Feel::default`] at 60 steps a second: speeds, times and
    /// distances are the same for any number of steps a second.
    ///
    /// ```
    /// use bitwall::character::Feel;
    ///
    /// let feel = Feel::per_second(60)
    ///     .top_speed(120.0) // pixels a second
    ///     .acceleration(900.0) // pixels a second²
    ///     .jump(48.0, 0.4) // pixels, seconds to the highest point
    ///     .coyote_time(0.1) // seconds
    ///     .build();
    /// assert_eq!(feel.top_speed, Feel::speed(2.0));
    /// assert_eq!(feel.acceleration, Feel::speed(0.25));
    /// assert_eq!(feel.coyote_steps, 6);
    /// assert_eq!(Feel::per_second(60).build(), Feel::default());
    /// ```
    pub fn per_second(steps: u16) -> FeelBuilder {
        FeelBuilder::new(steps)
    }
}

/// Makes a [`Feel`] from settings in pixels and seconds: see [`Feel::per_second`].
///
/// Each method sets the field of [`Feel`] of the same name, or the fields that it names. Speeds are in pixels
/// a second, accelerations in pixels a second², times in seconds, distances in pixels. A setting of 0 turns
/// its feature off.
///
/// Speeds and accelerations are rounded to the nearest 65,536th of a pixel a step, times to the nearest step.
/// A negative number or NaN counts as 0, and a number too large for its field as the largest. So no method
/// fails.
#[derive(Clone, Debug, PartialEq)]
pub struct FeelBuilder {
    rate: Rate,
    feel: Feel,
}

impl FeelBuilder {
    pub(super) fn new(steps: u16) -> Self {
        let rate = Rate::new(steps);
        Self { rate, feel: Feel::without_jump(rate) }.jump(44.0, 0.35)
    }

    /// The settings, for [`Platformer::step`](super::Platformer::step).
    pub fn build(self) -> Feel {
        self.feel
    }

    /// A jump of `height` pixels that reaches its highest point after `seconds`. Sets [`Feel::gravity`],
    /// [`Feel::fall_gravity`] and [`Feel::jump_speed`]. The height is rounded to whole pixels, at most
    /// 65,535, and is then exact: see [`Feel::from_jump`]. The time counts as at least 1 step and at most
    /// 361 steps.
    #[must_use]
    pub fn jump(mut self, height: f32, seconds: f32) -> Self {
        let jump = Feel::from_jump(height.round() as u16, self.rate.steps(seconds));
        self.feel.gravity = jump.gravity;
        self.feel.fall_gravity = jump.fall_gravity;
        self.feel.jump_speed = jump.jump_speed;
        self
    }

    /// The highest running speed.
    #[must_use]
    pub fn top_speed(mut self, pixels_a_second: f32) -> Self {
        self.feel.top_speed = self.rate.speed(pixels_a_second);
        self
    }

    /// The acceleration of a body on the floor.
    #[must_use]
    pub fn acceleration(mut self, pixels_a_second2: f32) -> Self {
        self.feel.acceleration = self.rate.change(pixels_a_second2);
        self
    }

    /// The deceleration of a body on the floor.
    #[must_use]
    pub fn friction(mut self, pixels_a_second2: f32) -> Self {
        self.feel.friction = self.rate.change(pixels_a_second2);
        self
    }

    /// The acceleration of a body in the air.
    #[must_use]
    pub fn air_acceleration(mut self, pixels_a_second2: f32) -> Self {
        self.feel.air_acceleration = self.rate.change(pixels_a_second2);
        self
    }

    /// The deceleration of a body in the air.
    #[must_use]
    pub fn air_friction(mut self, pixels_a_second2: f32) -> Self {
        self.feel.air_friction = self.rate.change(pixels_a_second2);
        self
    }

    /// The gravity while the body rises; [`FeelBuilder::jump`] sets it from a jump's height.
    #[must_use]
    pub fn gravity(mut self, pixels_a_second2: f32) -> Self {
        self.feel.gravity = self.rate.change(pixels_a_second2);
        self
    }

    /// The gravity while the body falls; [`FeelBuilder::jump`] sets it too.
    #[must_use]
    pub fn fall_gravity(mut self, pixels_a_second2: f32) -> Self {
        self.feel.fall_gravity = self.rate.change(pixels_a_second2);
        self
    }

    /// The highest speed of a fall; `f32::INFINITY` for a fall without a limit.
    #[must_use]
    pub fn fall_limit(mut self, pixels_a_second: f32) -> Self {
        self.feel.fall_limit = self.rate.speed(pixels_a_second);
        self
    }

    /// The speed along y below which a held jump key halves gravity.
    #[must_use]
    pub fn apex_speed(mut self, pixels_a_second: f32) -> Self {
        self.feel.apex_speed = self.rate.speed(pixels_a_second);
        self
    }

    /// The speed at which a jump starts; [`FeelBuilder::jump`] sets it from a jump's height.
    #[must_use]
    pub fn jump_speed(mut self, pixels_a_second: f32) -> Self {
        self.feel.jump_speed = self.rate.speed(pixels_a_second);
        self
    }

    /// The highest speed of a rise after the release of the jump key; `f32::INFINITY` if a release does not
    /// shorten a jump.
    #[must_use]
    pub fn released_speed(mut self, pixels_a_second: f32) -> Self {
        self.feel.released_speed = Some(self.rate.speed(pixels_a_second));
        self
    }

    /// The time for which a body that has left a floor can still jump from it ([`Feel::coyote_steps`]).
    #[must_use]
    pub fn coyote_time(mut self, seconds: f32) -> Self {
        self.feel.coyote_steps = self.rate.steps(seconds);
        self
    }

    /// The time for which a press of the jump key still counts ([`Feel::buffer_steps`]).
    #[must_use]
    pub fn buffer_time(mut self, seconds: f32) -> Self {
        self.feel.buffer_steps = self.rate.steps(seconds);
        self
    }

    /// The highest speed of a fall along a wall toward which the body is steered.
    #[must_use]
    pub fn wall_slide_speed(mut self, pixels_a_second: f32) -> Self {
        self.feel.wall_slide_speed = self.rate.speed(pixels_a_second);
        self
    }

    /// A body can jump from a wall that is less than this many whole pixels beside it.
    #[must_use]
    pub fn wall_reach(mut self, pixels: u32) -> Self {
        self.feel.wall_reach = pixels;
        self
    }

    /// The speed at which a jump from a wall starts: `x` away from the wall, `y` upward.
    #[must_use]
    pub fn wall_jump(mut self, x: f32, y: f32) -> Self {
        self.feel.wall_jump = UVec2::new(self.rate.speed(x), self.rate.speed(y));
        self
    }

    /// The time after a jump from a wall for which keys do not change the speed along x
    /// ([`Feel::wall_jump_steps`]).
    #[must_use]
    pub fn wall_jump_time(mut self, seconds: f32) -> Self {
        self.feel.wall_jump_steps = self.rate.steps(seconds);
        self
    }

    /// A body grabs a ledge that is at most this many whole pixels above its top.
    #[must_use]
    pub fn ledge_reach(mut self, pixels: u32) -> Self {
        self.feel.ledge_reach = pixels;
        self
    }

    /// The speed of a climb.
    #[must_use]
    pub fn climb_speed(mut self, pixels_a_second: f32) -> Self {
        self.feel.climb_speed = self.rate.speed(pixels_a_second);
        self
    }

    /// The name of the area that holds the ladders; empty if there are none.
    #[must_use]
    pub fn ladder(mut self, area: impl Into<String>) -> Self {
        self.feel.ladder = area.into();
        self
    }

    /// The highest speed in water.
    #[must_use]
    pub fn swim_speed(mut self, pixels_a_second: f32) -> Self {
        self.feel.swim_speed = self.rate.speed(pixels_a_second);
        self
    }

    /// The acceleration of a swimmer.
    #[must_use]
    pub fn swim_acceleration(mut self, pixels_a_second2: f32) -> Self {
        self.feel.swim_acceleration = self.rate.change(pixels_a_second2);
        self
    }

    /// The speed at which a swimmer rises without a key.
    #[must_use]
    pub fn float_speed(mut self, pixels_a_second: f32) -> Self {
        self.feel.float_speed = self.rate.speed(pixels_a_second);
        self
    }

    /// The name of the area that holds the water; empty if there is none.
    #[must_use]
    pub fn water(mut self, area: impl Into<String>) -> Self {
        self.feel.water = area.into();
        self
    }
}
