//! Footprints of characters. Against the level and against platforms the pixels of the footprint count, and
//! against all other bodies its box. [`Bodies::shape`] alone tells which boxes of a character meet a solid.

use std::sync::Arc;

use super::bodies::Bodies;
use super::body::Body;
use super::obstacle::Obstacle;
use super::{BodyId, World};
use crate::Footprint;
use crate::footprint::nearest_free_parts;
use crate::geometry::{Aabb, Axis, Dir, Sides};

impl World {
    /// Gives a character the pixels of `footprint` against the level, platforms and their pieces, like
    /// [`Level::with_footprint`](crate::Level::with_footprint). With `None` it is a box again.
    ///
    /// Its box keeps its top-left corner and gets the size of the footprint, now and before each step. Other
    /// characters, balls, sensors, bullets and queries meet the box. The footprint may overlap solids, as
    /// after a turn: test it before, such as with [`Terrain::overlaps`](crate::Terrain::overlaps) of
    /// [`Footprint::at`], or call [`World::unstick`]. The clones of a world share footprints.
    ///
    /// Returns false and changes nothing if no such character exists.
    ///
    /// ```
    /// use bitwall::glam::UVec2;
    /// use bitwall::world::{Body, World};
    /// use bitwall::{Aabb, Footprint, Grid, Level, MoverSettings, Rate};
    ///
    /// let level = Level::from_grid(Grid::from_text("....\n....\n.#..\n....")?, UVec2::splat(8))?;
    /// let mut world = World::new(Rate::per_second(60));
    /// let ball = Body::character(Aabb::from_xywh(14, 0, 16, 16), MoverSettings::PLAIN);
    /// let ball = world.add(ball.with_velocity([0.0, 60.0 * 9.0]));
    /// assert!(world.set_footprint(ball, Some(Footprint::circle(16)?)));
    /// world.step(&level);
    /// let top = world.get(ball).map(|ball| ball.aabb.min.y);
    /// assert_eq!(top, Some(3), "the corner of the cell is beside its lowest point");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_footprint(&mut self, id: BodyId, footprint: Option<Footprint>) -> bool {
        if self.get(id).and_then(Body::as_character).is_none() || self.get_mut(id).is_none() {
            return false;
        }
        self.bodies.slots[id.slot as usize].footprint = footprint.map(Arc::new);
        self.bodies.settle(id.slot, self.rate);
        true
    }

    /// Returns the footprint of a character; `None` if it is a box, or no character of the world.
    pub fn footprint(&self, id: BodyId) -> Option<&Footprint> {
        self.get(id)?;
        self.bodies.footprint(id.slot)
    }
}

impl Bodies {
    /// The footprint of the character in `slot`; `None` for a box and for any other body.
    #[inline]
    pub(super) fn footprint(&self, slot: u32) -> Option<&Footprint> {
        let slot = self.slots.get(slot as usize)?;
        let footprint = slot.footprint.as_deref()?;
        slot.body.as_ref()?.as_character().map(|_| footprint)
    }

    /// The boxes with which the body in `slot` meets the body `other`, or the level if it is `None`, in a
    /// motion along `axis`: its box `aabb`, or the parts of its footprint there.
    pub(super) fn shape(
        &self,
        slot: u32,
        aabb: Aabb,
        axis: Axis,
        other: Option<u32>,
    ) -> impl Iterator<Item = Aabb> {
        let is_platform = |other| self.at(other).is_some_and(Body::is_platform);
        let footprint = self.footprint(slot).filter(|_| other.is_none_or(is_platform));
        let parts = footprint.map(|footprint| footprint.leading(axis, aabb.min));
        parts.into_iter().flatten().chain(footprint.is_none().then_some(aabb))
    }

    /// True if something of the body in `slot`, with the box `aabb`, overlaps the body in `other`.
    pub(super) fn overlaps_shape(&self, slot: u32, aabb: Aabb, other: u32) -> bool {
        let Some(solid) = self.at(other).map(|body| self.obstacle(other, body)) else {
            return false;
        };
        self.shape(slot, aabb, Axis::X, Some(other)).any(|part| solid.overlaps(part))
    }

    /// [`Obstacle::lets`] for the body in `slot`, which the body in `by` pushes.
    pub(super) fn lets(
        &self,
        by: (u32, &Obstacle<'_>),
        (slot, body): (u32, &Body),
        dir: Dir,
        step: u32,
        one_way: Sides<bool>,
    ) -> u32 {
        let (pusher, obstacle) = by;
        if self.footprint(slot).is_none() {
            return obstacle.lets(body, dir, step, one_way);
        }
        if self.overlaps_shape(slot, body.aabb, pusher) {
            return step;
        }
        let parts = self.shape(slot, body.aabb, dir.axis(), Some(pusher));
        let mut part = *body;
        let mut free = step;
        for aabb in parts.filter(|part| obstacle.is_on(part.strip(dir, step))) {
            part.aabb = aabb;
            free = obstacle.lets(&part, dir, free, one_way);
        }
        free
    }

    /// [`Obstacle::way_out`] for the body in `slot` with the box `aabb`, out of the body in `other`.
    pub(super) fn way_out(
        &self,
        (slot, aabb): (u32, Aabb),
        other: &Obstacle<'_>,
        dir: Dir,
        limit: u32,
    ) -> Option<u32> {
        let Some(footprint) = self.footprint(slot) else { return other.way_out(aabb, dir, limit) };
        nearest_free_parts(footprint, aabb.min, dir, limit, &|part, left| {
            if other.is_on(part) { other.way_out(part, dir, left) } else { Some(0) }
        })
    }
}
