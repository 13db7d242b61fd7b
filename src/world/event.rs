//! The events of a step of a world: hits, crushed and buried bodies, and meetings of watchers. Events are
//! plain data; the steps make them.

use glam::{IVec2, Vec2};

use crate::geometry::{Dir, to_pixels};
use crate::terrain::{BodyId, Hit};

/// An event of a step; see [`World::events`](super::World::events) for the order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
#[non_exhaustive]
pub enum Event {
    /// A platform pushed a body against a solid that does not move, and now overlaps the body. The body stays
    /// at its position: it can leave the platform, but cannot move further in. This event occurs only in the
    /// step in which the crush begins.
    Crushed {
        /// The body that was crushed.
        body: BodyId,
        /// The platform that crushed the body.
        by: BodyId,
    },
    /// A character overlaps the level at the start of its step, and did not at the start of the step before.
    /// An edit of the level has buried it, or the game has put it there. Occurs once. A piece of level
    /// ([`World::piece_mut`](super::World::piece_mut)) buries a character that finds no way out of it.
    ///
    /// A character with [`Response::Cross`](crate::mover::Response::Cross) has no such event.
    Buried {
        /// The character that is in the level or in a piece.
        body: BodyId,
    },
    /// A bullet, or a ball that watches other bodies, hit a solid or a ball: see [`Impact`].
    Hit(Impact),
    /// Two bodies touch or overlap, and did not do so after the previous step. Two bodies that passed each
    /// other within a step have a `Begin` and an `End` in that step, unless one of them is a piece of level.
    Begin(Meeting),
    /// Two bodies touch or overlap, as they did after the previous step.
    Stay(Meeting),
    /// Two bodies no longer touch or overlap, or one of the two was removed.
    End(Meeting),
}

/// A hit of a bullet, or a bounce of a ball off a cell of the level, or off a body that the ball watches
/// ([`Body::watches`](super::Body::watches)).
///
/// A ball that watches any category reports hits of all cells. If a cell and bodies are hit at the same
/// point, each of them gives one hit. If a ball hits the same cell or body several times in a step, only the
/// first hit is reported. A ball that lies on a floor hits the floor in every step in which its velocity
/// leads into the floor. Two balls that watch each other give two hits.
///
/// ```
/// use bitwall::glam::{IVec2, UVec2};
/// use bitwall::terrain::Hit;
/// use bitwall::world::{Body, Event, World};
/// use bitwall::{Grid, Level, Rate};
///
/// let level = Level::from_grid(Grid::from_text("....\n....\n....\n.##.")?, UVec2::splat(16))?;
/// let mut world = World::new(Rate::per_second(60));
/// let bumper = world.add(Body::ball(IVec2::new(0, 0), 16, 0));
/// let pinball = Body::ball(IVec2::new(2, 20), 8, 1).with_velocity([0.0, -360.0]);
/// world.add(pinball.with_watches(u64::MAX));
/// world.step(&level);
/// let [Event::Hit(hit)] = world.events() else { panic!("one hit") };
/// assert_eq!((hit.hit, hit.normal().y > 0.9), (Hit::Body(bumper), true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Impact {
    /// The ball or bullet that hit the cell or body.
    pub body: BodyId,
    /// The cell or the body that was hit.
    ///
    /// If it hit a solid area whose cells have another size than the level's, this is the level's cell at the
    /// pixel of the contact.
    pub hit: Hit,
    /// See [`Impact::normal`]. Its length is 65,536, and its components are rounded toward zero.
    pub(super) normal: IVec2,
}

impl Impact {
    /// The normal: a vector of length 1 that points out of the solid, toward the ball or bullet.
    pub fn normal(&self) -> Vec2 {
        to_pixels(self.normal.into())
    }
}

/// Two bodies that touch or overlap: `watcher` watches `body` ([`Body::watches`](super::Body::watches)). Two
/// bodies that watch each other have two meetings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Meeting {
    /// The body that watches.
    pub watcher: BodyId,
    /// The body that is watched.
    pub body: BodyId,
    /// The side of the watcher that the body touches, if the two are solid to each other; `None` if they
    /// overlap.
    ///
    /// A ball counts as a circle and can only overlap: `side` is never set for a ball.
    pub side: Option<Dir>,
}

impl Meeting {
    pub(super) fn order(&self) -> impl Ord + use<> {
        (self.watcher, self.body, self.side.map(|side| side as u8))
    }
}
