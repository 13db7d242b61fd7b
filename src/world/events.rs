//! The events of a step.
//!
//! Plain data in a fixed order; nothing here decides that an event happens.

use crate::geometry::Dir;
use crate::sweep::BodyId;

/// Something that happened in a step, in the order of [`World::events`](super::World::events).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
#[non_exhaustive]
pub enum Event {
    /// A platform pushed a body against an immovable solid, and overlaps it now. The body stays
    /// where it is: it may leave the platform, but not go deeper. Reported in the step in which it happens.
    Crushed {
        /// The body.
        body: BodyId,
        /// The platform.
        by: BodyId,
    },
    /// Two bodies meet that did not after the previous step. Bodies that passed each other within the step
    /// begin and end to meet in it.
    Begin(Meeting),
    /// Two bodies that met after the previous step still do.
    Stay(Meeting),
    /// Two bodies that met no longer do, or one of them was removed.
    End(Meeting),
}

/// A body that meets one that watches it ([`Body::watches`](super::Body::watches)). If both watch each other
/// there are two meetings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Meeting {
    /// The body that watches.
    pub watcher: BodyId,
    /// The body that it meets.
    pub body: BodyId,
    /// The side of the watcher that the body touches, of two that are solid to each other; `None` if they
    /// overlap. Balls count as circles where they overlap, and touch nothing.
    pub side: Option<Dir>,
}

impl Meeting {
    /// The order of meetings in a step.
    pub(super) fn order(&self) -> impl Ord + use<> {
        (self.watcher, self.body, self.side.map(|side| side as u8))
    }
}
