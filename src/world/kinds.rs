//! The slots of the bodies that a step asks for by their kind.
//!
//! The lists are made anew only after a body was added, removed or changed its kind. Nothing here moves a
//! body.

use super::bodies::Bodies;
use super::body::{Body, BodyKind};

/// The slots by kind, in ascending order. Characters are not listed: most of them may sleep.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    pub(super) platforms: Vec<u32>,
    pub(super) balls: Vec<u32>,
    pub(super) sensors: Vec<u32>,
    /// The bodies that watch others, of all kinds.
    pub(super) watchers: Vec<u32>,
    pub(super) is_old: bool,
}

impl Kinds {
    /// Makes the lists anew, if they are old.
    pub(super) fn renew(&mut self, bodies: &Bodies) {
        if !std::mem::take(&mut self.is_old) {
            return;
        }
        let Self { platforms, balls, sensors, watchers, .. } = self;
        [&mut *platforms, balls, sensors, watchers].into_iter().for_each(Vec::clear);
        for (slot, body) in bodies.iter() {
            match body.kind {
                BodyKind::Platform(_) => platforms.push(slot),
                BodyKind::Ball(_) => balls.push(slot),
                BodyKind::Sensor => sensors.push(slot),
                BodyKind::Character(_) => {}
            }
            if body.watches != 0 {
                watchers.push(slot);
            }
        }
    }
}

/// A number that differs if two bodies are in different lists; 0 for no body.
pub(super) fn role(body: &Body) -> u8 {
    let kind = match body.kind {
        BodyKind::Character(_) => 1,
        BodyKind::Platform(_) => 2,
        BodyKind::Ball(_) => 3,
        BodyKind::Sensor => 4,
    };
    kind | u8::from(body.watches != 0) << 3
}
