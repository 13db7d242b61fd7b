//! The events of a step.
//!
//! Plain data in a fixed order; nothing here decides that an event happens.

use crate::sweep::BodyId;

/// Something that happened in a step, in the order of [`World::events`](super::World::events).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// A body that was not in a sensor after the previous step is in it now, or passed it. A body that passed
    /// it leaves in the same step.
    Enter {
        /// The sensor.
        sensor: BodyId,
        /// The body.
        body: BodyId,
    },
    /// A body that was in a sensor after the previous step still is.
    Stay {
        /// The sensor.
        sensor: BodyId,
        /// The body.
        body: BodyId,
    },
    /// A body that was in a sensor, or entered it in this step, is no longer in it; or one of the two was
    /// removed.
    Leave {
        /// The sensor.
        sensor: BodyId,
        /// The body.
        body: BodyId,
    },
}
