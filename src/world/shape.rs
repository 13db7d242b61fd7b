//! Footprints of characters. Against the level and against platforms the pixels of the footprint count, and
//! against all other bodies its box.

use std::sync::Arc;

use super::Bodies;
use super::body::Body;
use super::{BodyId, Obstacle, World};
use crate::Footprint;
use crate::geometry::Aabb;

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

    /// The area of the solids that may touch a side of the body in `slot`: the pixels `beside` its box, and the
    /// box too if the body is a footprint.
    pub(super) fn reach(&self, slot: u32, aabb: Aabb, beside: Aabb) -> Aabb {
        if self.footprint(slot).is_some() { aabb.hull(beside) } else { beside }
    }

    /// The body in the slot `other` as the body in the slot `by` meets it; `None` if there is no such body.
    pub(super) fn met_by(&self, by: u32, other: u32) -> Option<Obstacle<'_>> {
        let body = self.at(other)?;
        let footprint = self.footprint(by).filter(|_| body.as_character().is_none());
        Some(Obstacle { footprint, ..self.obstacle(other, body) })
    }
}
