//! [`Path`]: the course of a lift, through stops or on a circle. A path consists of integers, and each place
//! follows from whole numbers and is rounded once, so no rounding errors add up. So a lift moves the same on
//! every machine, and comes back exactly to its start.

use std::f64::consts::TAU;

use glam::{I64Vec2, IVec2};

use super::body::Body;
use crate::geometry::{Rate, SUBPIXELS, direction};

/// The course of a platform or sensor through stops or on a circle, which sets the body's velocity before
/// each step.
///
/// Places are those of the top-left corner of the body's box. The body starts at the first place of its
/// path: at the first stop, or on the right of the circle. A path is for a body that nothing stops and that
/// has no acceleration.
///
/// ```
/// use bitwall::glam::{IVec2, UVec2};
/// use bitwall::world::{Body, Path, World};
/// use bitwall::{Aabb, Grid, Level, Rate};
///
/// let level = Level::from_grid(Grid::new(20, 10)?, UVec2::splat(16))?;
/// let rate = Rate::per_second(60);
/// let mut world = World::new(rate);
/// let lift = world.add(Body::platform(Aabb::from_xywh(32, 100, 48, 8)));
/// // From stop to stop at 30 pixels a second, with half a second at each. The points of a marker do as well.
/// let stops = [IVec2::new(32, 100), IVec2::new(32, 40), IVec2::new(92, 40)];
/// let mut path = Path::back_and_forth(rate, 30.0, stops.map(|stop| (stop, 0.5)));
/// for _ in 0..30 + 120 {
///     world.get_mut(lift).map(|lift| path.advance(lift));
///     world.step(&level);
/// }
/// assert_eq!(world.get(lift).map(|lift| lift.aabb.min), Some(stops[1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Path {
    rate: Rate,
    course: Course,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Course {
    Stops(Stops),
    Circle {
        center: IVec2,
        radius: u32,
        /// The number of steps of a turn.
        period: u32,
        /// True if the body moves counter-clockwise on the screen.
        is_reversed: bool,
        /// The number of steps since the last turn began, below `period`.
        step: u32,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Stops {
    /// The stops of a round, with the number of steps that the body waits there. The first stop follows the
    /// last one.
    stops: Vec<(IVec2, u32)>,
    /// The speed in subpixels a second.
    speed: u64,
    /// The index of the stop that the body left last.
    at: usize,
    /// The distance from the last stop in subpixels, times the steps of a second.
    gone: u64,
    /// The number of steps that the body has waited at the last stop.
    waited: u32,
}

impl Path {
    /// Returns a path from stop to stop to the last one, and back to the first. `speed` is in pixels a
    /// second, and each stop has a place and the seconds that the body waits there.
    ///
    /// The body arrives at each stop exactly, so the way to it takes a whole number of steps. `rate` must be
    /// the rate of the world. A negative speed or NaN counts as 0.
    pub fn back_and_forth(
        rate: Rate,
        speed: f32,
        stops: impl IntoIterator<Item = (IVec2, f32)>,
    ) -> Self {
        let mut stops: Vec<(IVec2, f32)> = stops.into_iter().collect();
        let count = stops.len();
        let last = count.saturating_sub(1);
        stops.extend_from_within(last.min(1)..last);
        stops[count..].reverse();
        Self::round(rate, speed, stops)
    }

    /// Returns a path from stop to stop, and from the last one straight to the first, like
    /// [`Path::back_and_forth`].
    pub fn round(rate: Rate, speed: f32, stops: impl IntoIterator<Item = (IVec2, f32)>) -> Self {
        let stops = stops.into_iter().map(|(place, wait)| (place, rate.steps(wait).into()));
        let speed = Rate::per_second(1).subpixels(speed, 1).max(0) as u64;
        let stops = Stops { stops: stops.collect(), speed, at: 0, gone: 0, waited: 0 };
        Self { rate, course: Course::Stops(stops) }
    }

    /// Returns a path on a circle with `radius` in pixels. A turn takes `period` seconds and is clockwise on
    /// the screen; with a negative period it is counter-clockwise.
    ///
    /// A period is rounded to whole steps, from 1 to 65,535. Each place is the nearest subpixel.
    pub fn circle(rate: Rate, center: IVec2, radius: u32, period: f32) -> Self {
        let is_reversed = period < 0.0;
        let period = u32::from(rate.steps(period.abs())).max(1);
        let course = Course::Circle { center, radius, period, is_reversed, step: 0 };
        Self { rate, course }
    }

    /// Returns this path as it is `seconds` later, such as for several platforms on one circle.
    #[must_use]
    pub fn later(mut self, seconds: f32) -> Self {
        for _ in 0..self.rate.steps(seconds) {
            self.next_place();
        }
        self
    }

    /// Sets the velocity of a body of a world so that the next step moves it to the next place of its path.
    /// Call it once before each step.
    pub fn advance(&mut self, body: &mut Body) {
        if let Some(place) = self.next_place() {
            let pixels = body.aabb.min.as_i64vec2() * i64::from(SUBPIXELS);
            body.velocity = place - (pixels + body.subpixel.as_i64vec2());
        }
    }

    /// The next place in subpixels; `None` for a path without stops.
    fn next_place(&mut self) -> Option<I64Vec2> {
        match &mut self.course {
            Course::Stops(stops) => stops.next_place(self.rate),
            Course::Circle { center, radius, period, is_reversed, step } => {
                let period = (*period).max(1);
                *step = step.saturating_add(1) % period;
                let turn = TAU * f64::from(*step) / f64::from(period);
                let around = direction(if *is_reversed { -turn } else { turn });
                let subpixels = around * f64::from(*radius) * f64::from(SUBPIXELS);
                let middle = center.as_i64vec2() * i64::from(SUBPIXELS);
                Some(middle + subpixels.round().as_i64vec2())
            }
        }
    }
}

impl Stops {
    fn next_place(&mut self, rate: Rate) -> Option<I64Vec2> {
        let (from, wait) = *self.stops.get(self.at)?;
        let from = from.as_i64vec2() * i64::from(SUBPIXELS);
        if self.waited < wait {
            self.waited += 1;
            return Some(from);
        }
        let next = if self.at + 1 < self.stops.len() { self.at + 1 } else { 0 };
        let (to, _) = *self.stops.get(next)?;
        let to = to.as_i64vec2() * i64::from(SUBPIXELS);
        let way = to - from;
        let square = |along: i64| u128::from(along.unsigned_abs()).pow(2);
        let length = (square(way.x) + square(way.y)).isqrt() * u128::from(rate.steps_per_second());
        self.gone = self.gone.saturating_add(self.speed);
        if u128::from(self.gone) >= length {
            (self.at, self.gone, self.waited) = (next, 0, 0);
            return Some(to);
        }
        let part = |along: i64| (i128::from(along) * i128::from(self.gone) / length as i128) as i64;
        Some(from + I64Vec2::new(part(way.x), part(way.y)))
    }
}
