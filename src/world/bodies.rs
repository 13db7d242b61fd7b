//! The storage of a world's bodies: slots are reused, names are not.
//!
//! The same calls give the same names. Nothing here moves a body.

use super::body::Body;
use crate::geometry::Aabb;
use crate::sweep::BodyId;

#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Bodies {
    pub(super) slots: Vec<Slot>,
    /// The slots without a body; the last one is reused first.
    pub(super) free: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct Slot {
    generation: u32,
    pub(super) body: Option<Body>,
}

impl Clone for Bodies {
    fn clone(&self) -> Self {
        Self { slots: self.slots.clone(), free: self.free.clone() }
    }

    fn clone_from(&mut self, state: &Self) {
        self.slots.clone_from(&state.slots);
        self.free.clone_from(&state.free);
    }
}

impl Bodies {
    /// `None` if there are 2^32 slots already.
    pub(super) fn add(&mut self, body: Body) -> Option<BodyId> {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                let slot = u32::try_from(self.slots.len()).ok()?;
                let generation = 0;
                self.slots.push(Slot { generation, body: None });
                slot
            }
        };
        let kept = &mut self.slots[slot as usize];
        kept.body = Some(body);
        let generation = kept.generation;
        Some(BodyId { slot, generation })
    }

    pub(super) fn remove(&mut self, id: BodyId) -> Option<Body> {
        let slot = self.slot_mut(id)?;
        let body = slot.body.take()?;
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(id.slot);
        Some(body)
    }

    fn slot_mut(&mut self, id: BodyId) -> Option<&mut Slot> {
        let slot = self.slots.get_mut(id.slot as usize)?;
        (slot.generation == id.generation).then_some(slot)
    }

    pub(super) fn get(&self, id: BodyId) -> Option<&Body> {
        let slot = self.slots.get(id.slot as usize)?;
        slot.body.as_ref().filter(|_| slot.generation == id.generation)
    }

    pub(super) fn get_mut(&mut self, id: BodyId) -> Option<&mut Body> {
        self.slot_mut(id)?.body.as_mut()
    }

    /// The body in a slot.
    pub(super) fn at(&self, slot: u32) -> Option<&Body> {
        self.slots.get(slot as usize)?.body.as_ref()
    }

    pub(super) fn at_mut(&mut self, slot: u32) -> Option<&mut Body> {
        self.slots.get_mut(slot as usize)?.body.as_mut()
    }

    /// The name of the body that is in a slot now.
    pub(super) fn id(&self, slot: u32) -> BodyId {
        let generation = self.slots[slot as usize].generation;
        BodyId { slot, generation }
    }

    /// A box for each slot, for a ball that around its circle; empty for a slot without a body.
    pub(super) fn boxes(&self) -> impl Iterator<Item = Aabb> {
        let around = |body: &Body| body.circle().map_or(body.aabb, |circle| circle.bounds());
        let bodies = self.slots.iter().map(|slot| slot.body.as_ref());
        bodies.map(move |body| body.map_or_else(Aabb::default, around))
    }

    /// The bodies and their slots, in the order of the slots.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Body)> {
        let slots = self.slots.iter().enumerate();
        slots.filter_map(|(at, slot)| Some((at as u32, slot.body.as_ref()?)))
    }

    /// The number of bodies.
    pub(super) fn count(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}
