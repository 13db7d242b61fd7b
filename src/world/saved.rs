//! Saves and loads a world with the feature `serde`. The data are the bodies in their slots with their pieces
//! of level, so that they keep their ids and their order, and the meetings and events of the last step.

use super::{Bodies, BodyId, BodySlot, Event, Impact, Meeting, Scratch, World};
use crate::geometry::Rate;
use crate::terrain::Hit;

/// The saved form of a world.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "World", deny_unknown_fields)]
pub(super) struct SavedWorld {
    rate: Rate,
    slots: Vec<BodySlot>,
    /// The slots without a body; the last one is reused first.
    free: Vec<u32>,
    meetings: Vec<Meeting>,
    events: Vec<Event>,
}

impl From<World> for SavedWorld {
    fn from(world: World) -> Self {
        let World { rate, bodies: Bodies { slots, free }, meetings, events, scratch: _ } = world;
        Self { rate, slots, free, meetings, events }
    }
}

impl TryFrom<SavedWorld> for World {
    type Error = &'static str;

    fn try_from(saved: SavedWorld) -> Result<Self, &'static str> {
        if let Some(fault) = saved.fault() {
            return Err(fault);
        }
        let SavedWorld { rate, slots, free, meetings, events } = saved;
        let bodies = Bodies { slots, free };
        Ok(Self { rate, bodies, meetings, events, scratch: Scratch::default() })
    }
}

impl SavedWorld {
    /// The first error in the data of a saved world; `None` if the data are valid.
    fn fault(&self) -> Option<&'static str> {
        let mut is_free: Vec<bool> = self.slots.iter().map(|slot| slot.body.is_none()).collect();
        for slot in &self.free {
            match is_free.get_mut(*slot as usize) {
                Some(is_free) if *is_free => *is_free = false,
                _ => return Some("a slot of a world is listed as free, but has a body or is none"),
            }
        }
        if is_free.contains(&true) {
            return Some("a slot of a world has no body, but is not listed as free");
        }
        let has_shape = |slot: &BodySlot| slot.piece.is_some() || slot.footprint.is_some();
        if self.slots.iter().any(|slot| slot.body.is_none() && has_shape(slot)) {
            return Some("a slot of a world has a piece of level or a footprint, but no body");
        }
        if !self.meetings.is_sorted_by(|one, next| one.order() < next.order()) {
            return Some("the meetings of a world are not sorted, each once");
        }
        let meetings = self.meetings.iter().map(|meeting| (meeting.watcher, meeting.body));
        let mut named = meetings.chain(self.events.iter().map(names));
        let count = self.slots.len();
        named
            .any(|(one, two)| one.slot.max(two.slot) as usize >= count)
            .then_some("a body that a world names has never been in it")
    }
}

/// The two bodies that an event names.
fn names(event: &Event) -> (BodyId, BodyId) {
    match *event {
        Event::Hit(Impact { body, hit: Hit::Body(other), .. }) => (body, other),
        Event::Hit(Impact { body, .. }) | Event::Buried { body } => (body, body),
        Event::Crushed { body, by } => (body, by),
        Event::Begin(meeting) | Event::Stay(meeting) | Event::End(meeting) => {
            (meeting.watcher, meeting.body)
        }
    }
}
