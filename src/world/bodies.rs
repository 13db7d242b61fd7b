//! The storage of a world's bodies. A slot is a place in the storage. It is reused after its body was
//! removed, but a [`BodyId`] is not. The same calls give the same ids.

use std::hash::{Hash, Hasher};

use super::body::Body;
use super::{Bodies, BodySlot, Obstacle};
use crate::Footprint;
use crate::geometry::Aabb;
use crate::terrain::BodyId;

impl Hash for Bodies {
    /// Passes each number of the free slots: see the module `checksum`.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { slots, free } = self;
        (slots, free.len()).hash(state);
        free.iter().for_each(|slot| slot.hash(state));
    }
}

impl Bodies {
    /// Stores `body` in a free slot and returns its id.
    pub(super) fn add(&mut self, body: Body) -> BodyId {
        if let Some(slot) = self.free.pop() {
            self.slots[slot as usize].body = Some(body);
            return self.id(slot);
        }
        let slot = self.slots.len() as u32;
        self.slots.push(BodySlot { generation: 0, body: Some(body), piece: None, footprint: None });
        self.id(slot)
    }

    pub(super) fn remove(&mut self, id: BodyId) -> Option<Body> {
        self.get(id)?;
        let slot = &mut self.slots[id.slot as usize];
        let body = slot.body.take()?;
        slot.piece = None;
        slot.footprint = None;
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(id.slot);
        Some(body)
    }

    pub(super) fn get(&self, id: BodyId) -> Option<&Body> {
        let slot = self.slots.get(id.slot as usize)?;
        slot.body.as_ref().filter(|_| slot.generation == id.generation)
    }

    pub(super) fn get_mut(&mut self, id: BodyId) -> Option<&mut Body> {
        self.get(id)?;
        self.at_mut(id.slot)
    }

    pub(super) fn at(&self, slot: u32) -> Option<&Body> {
        self.slots.get(slot as usize)?.body.as_ref()
    }

    pub(super) fn at_mut(&mut self, slot: u32) -> Option<&mut Body> {
        self.slots.get_mut(slot as usize)?.body.as_mut()
    }

    pub(super) fn id(&self, slot: u32) -> BodyId {
        let generation = self.slots[slot as usize].generation;
        BodyId { slot, generation }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Body)> {
        let slots = self.slots.iter().enumerate();
        slots.filter_map(|(at, slot)| Some((at as u32, slot.body.as_ref()?)))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (BodyId, &mut Body)> {
        self.slots.iter_mut().enumerate().filter_map(|(at, slot)| {
            let id = BodyId { slot: at as u32, generation: slot.generation };
            Some((id, slot.body.as_mut()?))
        })
    }

    /// The footprint of the character in `slot`; `None` for a box and for any other body.
    #[inline]
    pub(super) fn footprint(&self, slot: u32) -> Option<&Footprint> {
        let slot = self.slots.get(slot as usize)?;
        let footprint = slot.footprint.as_deref()?;
        slot.body.as_ref()?.as_character().map(|_| footprint)
    }

    /// The area of the solids that may touch a side of the body in `slot`: the pixels `beside` its box, and
    /// the box too if the body is a footprint.
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
