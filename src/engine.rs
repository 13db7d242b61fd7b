//! Connects a level with a game engine: [`FixedSteps`] counts the steps of each frame, and [`Space`] converts
//! between the level's pixels and the engine's units. Both are plain data that nothing else in the crate
//! uses. [`guide::engine`](crate::guide::engine) shows them in a game loop.

use glam::{DVec2, UVec2, Vec2};

use crate::geometry::Aabb;

/// The clock of a game loop, which turns the time between two frames into a number of equal steps.
///
/// [`FixedSteps::alpha`] is the fraction of a step that is left, for drawing between two steps.
///
/// ```
/// use bitwall::engine::FixedSteps;
///
/// let mut clock = FixedSteps::new(60);
/// assert_eq!(clock.advance(0.0375), 2, "2.25 steps are due");
/// assert_eq!(clock.alpha(), 0.25);
/// assert_eq!(clock.advance(0.0125), 1, "0.25 and 0.75 steps");
///
/// clock.time_scale = 0.5; // slow motion
/// assert_eq!(clock.advance(0.1), 3);
/// clock.time_scale = 0.0; // pause
/// assert_eq!(clock.advance(0.1), 0);
/// ```
///
/// The steps of two computers are equal only if both get the same inputs at the same steps. So count steps,
/// not seconds, in replays and network games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedSteps {
    /// The number of steps in a second at [`FixedSteps::time_scale`] 1. With 0 no step is ever due.
    pub steps_per_second: u32,
    /// The largest number of steps in one frame; 8 in a new clock, as in Godot. The time of further steps is
    /// dropped.
    ///
    /// So on a slow computer the game slows down, and its delay does not grow.
    pub max_steps: u32,
    /// The speed of the game's time: 1 in a new clock, 0.5 for half speed, 2 for double speed, 0 for a pause.
    /// A negative number or NaN counts as 0.
    ///
    /// A high speed also needs a higher [`FixedSteps::max_steps`].
    pub time_scale: f32,
    /// The time since the last step, as a fraction of a step: at least 0, less than 1.
    due: f64,
}

impl FixedSteps {
    /// Returns a clock with `steps_per_second`, at normal speed, with at most 8 steps a frame.
    pub const fn new(steps_per_second: u32) -> Self {
        Self { steps_per_second, max_steps: 8, time_scale: 1.0, due: 0.0 }
    }

    /// Adds the time of a frame in `seconds`, an `f32` or an `f64`, and returns the number of steps to make
    /// now: 0 to [`FixedSteps::max_steps`].
    ///
    /// The remaining fraction of a step is kept for the next frame, also if whole steps were dropped. A
    /// negative time or NaN counts as 0.
    ///
    /// ```
    /// use bitwall::engine::FixedSteps;
    ///
    /// let mut clock = FixedSteps::new(60);
    /// let frames = [1.0 / 120.0; 6]; // a screen of 120 frames a second
    /// assert_eq!(frames.map(|seconds| clock.advance(seconds)), [0, 1, 0, 1, 0, 1]);
    /// assert_eq!(clock.advance(10.0), 8, "the game was stopped by a debugger");
    /// ```
    pub fn advance(&mut self, seconds: impl Into<f64>) -> u32 {
        let seconds = seconds.into().max(0.0) * f64::from(self.time_scale.max(0.0));
        // Infinity times 0 is NaN, and `max` turns it into 0: an infinite time during a pause gives no step.
        let due = self.due + (seconds * f64::from(self.steps_per_second)).max(0.0);
        let steps = (due.floor() as u32).min(self.max_steps);
        self.due = if due.is_finite() { due.fract() } else { 0.0 };
        steps
    }

    /// Returns the time since the last step, as a fraction of a step: at least 0, less than 1.
    ///
    /// Draw a body at `before.lerp(now, alpha)`, where `before` and `now` are its positions before and after
    /// the last step. The picture is up to one step late, but never extrapolated. A pause does not change the
    /// fraction.
    pub fn alpha(&self) -> f32 {
        // The fraction is rounded down, so that the result stays below 1.
        const UNITS: f32 = (1 << f32::MANTISSA_DIGITS) as f32;
        (self.due * f64::from(UNITS)).floor() as f32 / UNITS
    }
}

/// The conversion between a level's pixels and an engine's world: the direction of y, the engine's origin,
/// and the size of a pixel.
///
/// ```
/// use bitwall::engine::{EngineBox, Space};
/// use bitwall::glam::{DVec2, IVec2, UVec2, Vec2};
/// use bitwall::Aabb;
///
/// // Unity, with sprites of 16 pixels a unit and the level's bottom-left corner at (0, 0).
/// let (width, height) = (320, 240);
/// let unity = Space { y_up: true, origin: DVec2::new(0.0, 240.0), pixels_per_unit: 16.0 };
/// assert_eq!(unity.point_to_engine(IVec2::new(0, 240)), [0.0, 0.0]);
/// assert_eq!(unity.point_to_engine(IVec2::new(8, 200)), [0.5, 2.5]);
/// assert_eq!(unity.point_to_level([0.5, 2.5]), DVec2::new(8.0, 200.0));
/// assert_eq!(unity.vector_to_level([0.25, 1.0]), Vec2::new(4.0, -16.0), "a jump goes up");
///
/// // Bevy, with the level around (0, 0): boxes have a centre and half a size.
/// let bevy = Space::centered(UVec2::new(width, height));
/// let body = Aabb::from_xywh(160, 100, 12, 20);
/// let EngineBox { center, half_size } = bevy.box_to_engine(body);
/// assert_eq!((center, half_size), ([6.0, 10.0], [6.0, 10.0]));
/// assert_eq!(bevy.box_to_level(center, half_size), body);
/// ```
///
/// [`guide::engine`](crate::guide::engine) has a table of engines.
///
/// Engines compute in `f32`; a [`Space`] computes in `f64` and rounds once. A box less than 2^22 pixels from
/// [`Space::origin`] converts to the engine and back exactly. A whole pixel does so too, if the result is
/// rounded with [`f64::round`]. If [`Space::pixels_per_unit`] is a power of two (1, 16, 0.25), halves and
/// quarters of a pixel are exact without rounding. In a larger world, move the origin with the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Space {
    /// True if y grows upward in the engine. In a level it grows downward.
    pub y_up: bool,
    /// The level's point at (0, 0) of the engine, in pixels from the level's top-left corner.
    pub origin: DVec2,
    /// The number of pixels in a unit of the engine. Must be finite and above 0: other numbers give wrong
    /// coordinates, which may be infinite or NaN.
    pub pixels_per_unit: f32,
}

/// A box in the units of an engine: all points from `center - half_size` to `center + half_size`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EngineBox {
    /// The centre of the box.
    pub center: [f32; 2],
    /// Half the width and half the height of the box: the half extents of a collider.
    pub half_size: [f32; 2],
}

impl Default for Space {
    /// Returns the level's own space: y downward, the origin at the top-left corner, one pixel a unit.
    fn default() -> Self {
        Self { y_up: false, origin: DVec2::ZERO, pixels_per_unit: 1.0 }
    }
}

impl Space {
    /// Returns the space of an engine whose y grows upward, with the middle of a level of `size` pixels at
    /// (0, 0), and one pixel a unit.
    ///
    /// ```
    /// use bitwall::{Grid, Level, engine::Space, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::new(20, 15)?, UVec2::splat(16))?;
    /// // Each pixel of the level is drawn as 4 x 4 units.
    /// let bevy = Space { pixels_per_unit: 0.25, ..Space::centered(level.size()) };
    /// assert_eq!(bevy.point_to_engine((0.0, 0.0)), [-640.0, 480.0]);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn centered(size: UVec2) -> Self {
        Self { y_up: true, origin: size.as_dvec2() / 2.0, pixels_per_unit: 1.0 }
    }

    /// Converts a point of the level, such as a marker (`IVec2`) or
    /// [`Mover::position`](crate::Mover::position) (`DVec2`), to units of the engine.
    pub fn point_to_engine(&self, pixels: impl Into<DVec2>) -> [f32; 2] {
        self.turned((pixels.into() - self.origin) / self.scale()).as_vec2().to_array()
    }

    /// Converts a point of the engine to pixels of the level.
    ///
    /// Use `round` if the point came from a whole pixel. Use `floor` for the pixel that contains the point,
    /// such as the pixel under a mouse:
    ///
    /// ```
    /// use bitwall::{Grid, Level, engine::Space, glam::IVec2, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::new(20, 15)?, UVec2::splat(16))?;
    /// let bevy = Space::centered(level.size());
    /// let mouse = [-100.5, 37.25];
    /// let pixel = bevy.point_to_level(mouse).floor().as_ivec2();
    /// assert_eq!((pixel, level.cell_at(pixel)), (IVec2::new(59, 82), IVec2::new(3, 5)));
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn point_to_level(&self, units: impl Into<[f32; 2]>) -> DVec2 {
        self.origin + self.turned(Vec2::from(units.into()).as_dvec2()) * self.scale()
    }

    /// Converts a velocity, translation or normal of the level to units of the engine. Ignores the origin.
    pub fn vector_to_engine(&self, pixels: impl Into<DVec2>) -> [f32; 2] {
        (self.turned(pixels.into()) / self.scale()).as_vec2().to_array()
    }

    /// Converts a velocity or a translation of the engine to pixels of the level. For
    /// [`Mover::step`](crate::Mover::step), divide a velocity by the steps in a second.
    pub fn vector_to_level(&self, units: impl Into<[f32; 2]>) -> Vec2 {
        (self.turned(Vec2::from(units.into()).as_dvec2()) * self.scale()).as_vec2()
    }

    /// Converts a box of the level to units of the engine. A side without length gets the half size 0.
    pub fn box_to_engine(&self, aabb: Aabb) -> EngineBox {
        let half = aabb.size().as_dvec2() / 2.0;
        EngineBox {
            center: self.point_to_engine(aabb.min.as_dvec2() + half),
            half_size: (half / self.scale()).as_vec2().to_array(),
        }
    }

    /// Converts a box of the engine to the level, with each edge at the nearest whole pixel. A negative half
    /// size counts as 0.
    ///
    /// An edge outside the range of `i32` becomes the nearest `i32`; NaN becomes 0.
    pub fn box_to_level(
        &self,
        center: impl Into<[f32; 2]>,
        half_size: impl Into<[f32; 2]>,
    ) -> Aabb {
        let center = self.point_to_level(center);
        let half = Vec2::from(half_size.into()).as_dvec2().max(DVec2::ZERO) * self.scale();
        Aabb { min: (center - half).round().as_ivec2(), max: (center + half).round().as_ivec2() }
    }

    fn scale(&self) -> f64 {
        f64::from(self.pixels_per_unit)
    }

    /// Negates y of the `vector` if the engine's y grows upward.
    fn turned(&self, vector: DVec2) -> DVec2 {
        // A subtraction does not turn 0 into -0, as a negation does.
        if self.y_up { DVec2::new(vector.x, 0.0 - vector.y) } else { vector }
    }
}

#[cfg(test)]
mod tests;
