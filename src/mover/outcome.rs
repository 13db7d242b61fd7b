//! The outcome of a step: plain facts, and their effect on a velocity.

use glam::{I64Vec2, IVec2};

use super::reflection::{Reflection, restored};
use super::settings::Response;
use crate::Level;
use crate::geometry::{Axis, Dir, SUBPIXELS, Sides, to_subpixels};
use crate::sweep::Contact;

/// The outcome of a [`Mover`](super::Mover)'s step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Move {
    /// The whole pixels that were due: those asked for, and those carried over from earlier steps.
    pub asked: IVec2,
    /// The whole pixels by which the body moved, at most `i32::MAX` each. Only steps, snapping, corner
    /// correction, a slide down a slope and a bounce off one can make it more than `asked`.
    pub moved: IVec2,
    /// The whole pixels by which platforms of a [`World`](crate::world::World), and bodies that carry or push
    /// it, moved the body in this step, beside `moved`.
    pub carried: IVec2,
    /// The whole pixels of `asked` that were not done, because a contact stopped it, or the end of the range
    /// of `i32` or [`Mover::MAX_LOOKS`](super::Mover::MAX_LOOKS), which are not contacts.
    pub leftover: IVec2,
    /// The first contact on each side of the body, if a solid stopped it there: the cell and the normal.
    /// [`LoadedLevel::provenance`](crate::LoadedLevel::provenance) gives the tile or object that made the
    /// cell solid. A body that rests on a floor has a contact too if it was asked to move toward it by a part
    /// of a pixel. With [`Response::Cross`] it is a solid that the body went through.
    /// [`Mover::step_with`](super::Mover::step_with) reports all contacts.
    pub contacts: Sides<Option<Contact>>,
    /// True if the body overlapped a solid before it moved; see [`Mover::unstick`](super::Mover::unstick).
    pub started_solid: bool,
    /// True if it stood on its floor before the step.
    pub was_grounded: bool,
    /// True if it stands on its floor now; never for a body without a floor.
    pub grounded: bool,
    pub(super) bounces: [u8; 2],
    pub(super) reflection: Option<Reflection>,
    pub(crate) response: Response,
    /// The areas that it touched before, on its path, and touches now: one bit each.
    pub(super) areas: [u64; 3],
}

/// The change of a speed in a step.
enum SpeedChange {
    Kept,
    Stopped,
    /// Reversed by each bounce, with this restitution.
    Reversed(u8),
}

impl Move {
    /// The step by `pixels` of a body that meets nothing and ends on no floor.
    pub(super) fn free(pixels: IVec2, was_grounded: bool, response: Response) -> Self {
        Self {
            asked: pixels,
            moved: pixels,
            carried: IVec2::ZERO,
            leftover: IVec2::ZERO,
            contacts: Sides::all(None),
            started_solid: false,
            was_grounded,
            grounded: false,
            bounces: [0; 2],
            reflection: None,
            response,
            areas: [0; 3],
        }
    }

    /// True if there is a contact on any side: a solid stopped the body, or it crossed one.
    pub fn is_stopped(&self) -> bool {
        Dir::ALL.iter().any(|dir| self.contacts.get(*dir).is_some())
    }

    /// True if the body stands on its floor and did not before.
    pub fn landed(&self) -> bool {
        self.grounded && !self.was_grounded
    }

    /// True if the body stood on its floor and does not now: it jumped, or the floor ended.
    pub fn left_floor(&self) -> bool {
        self.was_grounded && !self.grounded
    }

    /// The number of bounces along an axis, without that off a slanted surface ([`Move::slanted_bounce`]).
    pub fn bounces(&self, axis: Axis) -> u8 {
        self.bounces[axis.index()]
    }

    /// The normal of the slanted surface off which the body bounced, out of the solid; see
    /// [`Response::Bounce`]. It is not of unit length.
    pub fn slanted_bounce(&self) -> Option<IVec2> {
        self.reflection.map(|reflection| IVec2::from_array(reflection.normal.map(i32::from)))
    }

    /// The velocity after the step of a body that had `velocity` before it, without the part that goes into a
    /// contact. With [`Response::Stop`] a contact clears all of it. Each bounce reverses and reduces it; one
    /// off a slanted surface reflects it, rounded to 65,536ths of a pixel. The velocity is any pair of `f32`,
    /// and the answer is of the same type.
    pub fn velocity<V: Into<[f32; 2]> + From<[f32; 2]>>(&self, velocity: V) -> V {
        self.velocity_of(velocity.into()).into()
    }

    fn velocity_of(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        if let (Some(_), Ok(velocity)) = (self.reflection, to_subpixels([x, y])) {
            let pixels = self.velocity_subpixels(velocity).as_dvec2() / f64::from(SUBPIXELS);
            return pixels.as_vec2().to_array();
        }
        let along = |axis: Axis, speed: f32| match self.speed_change(axis, speed > 0.0) {
            SpeedChange::Kept => speed,
            SpeedChange::Stopped => 0.0,
            SpeedChange::Reversed(restitution) => {
                let part = -f32::from(restitution.min(100)) / 100.0;
                (0..self.bounces(axis)).fold(speed, |speed, _| speed * part)
            }
        };
        [along(Axis::X, x), along(Axis::Y, y)]
    }

    /// As [`Move::velocity`], in 65,536ths of a pixel a step. A speed after a bounce is rounded toward zero.
    pub fn velocity_subpixels(&self, velocity: I64Vec2) -> I64Vec2 {
        if let Some(reflection) = self.reflection {
            let mut velocity = reflection.velocity(velocity, self.bounces).to_array();
            // The steps of a surface are walls only to a body that does not get along it: without this rule,
            // the speed of a body that is wedged in a valley would grow.
            for axis in [Axis::X, Axis::Y].into_iter().filter(|_| self.moved == IVec2::ZERO) {
                let speed = &mut velocity[axis.index()];
                if self.contacts.get(Dir::along(axis, *speed > 0)).is_some() {
                    *speed = 0;
                }
            }
            return velocity.into();
        }
        let along = |axis: Axis, speed: i64| match self.speed_change(axis, speed > 0) {
            SpeedChange::Kept => speed,
            SpeedChange::Stopped => 0,
            SpeedChange::Reversed(restitution) => {
                // The opposite of `i64::MIN` is the highest speed.
                let back = |speed: i64| restored(speed, restitution).saturating_neg();
                (0..self.bounces(axis)).fold(speed, |speed, _| back(speed))
            }
        };
        I64Vec2::new(along(Axis::X, velocity.x), along(Axis::Y, velocity.y))
    }

    /// The change of a speed along `axis`, toward greater coordinates if `positive`.
    fn speed_change(&self, axis: Axis, positive: bool) -> SpeedChange {
        match self.response {
            Response::Cross => SpeedChange::Kept,
            Response::Stop if self.is_stopped() => SpeedChange::Stopped,
            Response::Bounce { restitution } if self.bounces(axis) > 0 => {
                SpeedChange::Reversed(restitution)
            }
            _ if self.contacts.get(Dir::along(axis, positive)).is_some() => SpeedChange::Stopped,
            _ => SpeedChange::Kept,
        }
    }

    /// The areas of `level`, in which it moved, that the body touches now or touched on its path, and did not
    /// touch before. Only the first 64 areas of a level are watched. On a
    /// [`MovePath::Straight`](super::MovePath::Straight) only the places on whole pixels count, so the path
    /// may graze an area unnoticed.
    pub fn entered<'l>(&self, level: &'l Level) -> impl Iterator<Item = &'l str> + use<'l> {
        let [before, passed, now] = self.areas;
        named(level, (passed | now) & !before)
    }

    /// The areas that the body touched before or on its path, and does not touch now. An area that it passed
    /// through within the step was both entered and left.
    pub fn left<'l>(&self, level: &'l Level) -> impl Iterator<Item = &'l str> + use<'l> {
        let [before, passed, now] = self.areas;
        named(level, (before | passed) & !now)
    }

    /// The areas that the body touches now.
    pub fn inside<'l>(&self, level: &'l Level) -> impl Iterator<Item = &'l str> + use<'l> {
        named(level, self.areas[2])
    }
}

/// The names of the areas of `level` whose bit is set.
fn named(level: &Level, areas: u64) -> impl Iterator<Item = &str> {
    let names = level.areas().map(|(name, _)| name).take(64).enumerate();
    names.filter_map(move |(at, name)| (areas >> at & 1 == 1).then_some(name))
}
