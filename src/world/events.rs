//! The events of a step.
//!
//! Plain data in a fixed order; nothing here decides that an event happens.

use glam::IVec2;

use crate::geometry::Dir;
use crate::sweep::{BodyId, Hit};

/// Something that happened in a step, in the order of [`World::events`](super::World::events).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Event {
    /// A platform pushed a body against an immovable solid, and overlaps it now. The body stays
    /// where it is: it may leave the platform, but not go deeper. Reported in the step in which it happens.
    Crushed {
        /// The body.
        body: BodyId,
        /// The platform.
        by: BodyId,
    },
    /// A ball that watches others ran into a solid or a ball: see [`BallHit`].
    Hit(BallHit),
    /// Two bodies meet that did not after the previous step. Bodies that passed each other within the step
    /// begin and end to meet in it.
    Begin(Meeting),
    /// Two bodies that met after the previous step still do.
    Stay(Meeting),
    /// Two bodies that met no longer do, or one of them was removed.
    End(Meeting),
}

/// A ball that ran into a cell of the level, which counts for every ball that watches anything
/// ([`Body::watches`](super::Body::watches)), or into a body that it watches. Its bounce follows. A cell and
/// bodies at the same point are all named. Each of them is named once in a step, with the first of its hits.
/// A ball that lies on a floor hits it in every step in which its velocity leads into it. If two balls watch
/// each other there are two hits.
///
/// ```
/// use bitwall::glam::{I64Vec2, IVec2, UVec2};
/// use bitwall::sweep::Hit;
/// use bitwall::world::{BallHit, Body, Event, World};
/// use bitwall::{Aabb, Grid, Level};
///
/// let level = Level::from_grid(Grid::from_text("....\n....\n....\n.##.")?, UVec2::splat(16))?;
/// let mut world = World::new();
/// let bumper = world.add(Body::ball(IVec2::new(0, 0), 16, 0)).expect("room");
/// let mut pinball = Body::ball(IVec2::new(2, 20), 8, 1);
/// (pinball.velocity, pinball.watches) = (I64Vec2::new(0, -6 << 16), u64::MAX);
/// world.add(pinball).expect("room");
/// world.step(&level);
/// let [Event::Hit(BallHit { hit, normal, .. })] = *world.events() else { panic!("one hit") };
/// assert_eq!((hit, normal.y > 60_000), (Hit::Body(bumper), true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct BallHit {
    /// The ball.
    pub ball: BodyId,
    /// The cell or the body that it ran into. For a solid area with cells of another size it is the level's
    /// cell that holds the pixel.
    pub hit: Hit,
    /// The direction out of the solid, toward the ball's centre: a vector of one pixel's length in 65,536ths,
    /// rounded toward zero.
    pub normal: IVec2,
}

impl BallHit {
    /// The order of hits in a step.
    pub(super) fn order(&self) -> impl Ord + use<> {
        let hit = match self.hit {
            Hit::Cell(cell) => (Some((cell.y, cell.x)), None),
            Hit::Body(body) => (None, Some(body)),
        };
        (self.ball, hit)
    }
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
