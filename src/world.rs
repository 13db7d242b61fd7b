//! Many bodies: characters, blocks, moving platforms, balls and sensors in one level.
//!
//! A [`World`] is plain integers, which can be compared and hashed. A clone keeps a state, and `clone_from`
//! restores it. The same calls give the same world, bit for bit, on every machine and thread. The order in
//! which bodies were added does not change how they move (see [`World::step`]). It does no IO and holds no
//! level.

mod balls;
mod bodies;
mod body;
mod cells;
mod circle;
mod events;
mod movers;
mod near;
mod platform;
mod riders;
#[cfg(feature = "serde")]
mod saved;
mod sensors;
mod solids;

use glam::IVec2;

use crate::Level;
use crate::mover::Mover;

pub use crate::sweep::BodyId;
pub use body::{Ball, Body, BodyKind, Character};
pub use cells::Pairs;
pub use events::Event;

use bodies::Bodies;
use near::Near;
use solids::BodySolids;

/// Bodies that move among each other in a level.
///
/// ```
/// use bitwall::glam::{UVec2, Vec2};
/// use bitwall::world::{Body, Event, World};
/// use bitwall::{Aabb, Grid, Level, MoverSettings};
///
/// let level = Level::from_grid(Grid::new(20, 10)?, UVec2::splat(16))?;
/// let mut world = World::new();
/// let lift = Body::platform(Aabb::from_xywh(32, 100, 48, 8)).with_velocity(Vec2::new(0.5, 0.0))?;
/// world.add(lift);
/// let player = Body::character(Aabb::from_xywh(40, 80, 12, 20), MoverSettings::platformer());
/// let player = world.add(player).expect("there is room for 2^32 bodies");
///
/// let before = world.clone();
/// for _ in 0..10 {
///     world.step(&level);
/// }
/// assert_eq!(world.get(player).map(|body| body.aabb.min.x), Some(45), "it rides on the lift");
/// world.clone_from(&before); // rollback
/// assert_eq!(world.get(player).map(|body| body.aabb.min.x), Some(40));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct World {
    bodies: Bodies,
    /// The bodies in each sensor after the last step.
    touching: sensors::Touching,
    events: Vec<Event>,
    scratch: Scratch,
}

/// Memory that steps reuse. It is no part of a world's state: any two are equal.
#[derive(Debug, Default)]
struct Scratch {
    near: Near,
    order: Vec<u32>,
    platforms: platform::Scratch,
    balls: balls::Scratch,
    sensors: sensors::Scratch,
}

impl Clone for World {
    fn clone(&self) -> Self {
        Self {
            bodies: self.bodies.clone(),
            touching: self.touching.clone(),
            events: self.events.clone(),
            scratch: Scratch::default(),
        }
    }

    /// Restores a state in the memory at hand, so that a rollback allocates nothing.
    fn clone_from(&mut self, state: &Self) {
        self.bodies.clone_from(&state.bodies);
        self.touching.clone_from(&state.touching);
        self.events.clone_from(&state.events);
    }
}

impl PartialEq for Scratch {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Scratch {}

impl std::hash::Hash for Scratch {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

impl World {
    /// A world without bodies.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a body and returns its name; `None` if there are 2^32 already. A body that overlaps others may
    /// leave them, but not go deeper.
    pub fn add(&mut self, body: Body) -> Option<BodyId> {
        self.bodies.add(body)
    }

    /// Removes a body and returns it; `None` if there is none of that name.
    pub fn remove(&mut self, id: BodyId) -> Option<Body> {
        self.bodies.remove(id)
    }

    /// The body of that name; `None` if it was removed.
    pub fn get(&self, id: BodyId) -> Option<&Body> {
        self.bodies.get(id)
    }

    /// The body of that name, to be changed between two steps.
    pub fn get_mut(&mut self, id: BodyId) -> Option<&mut Body> {
        self.bodies.get_mut(id)
    }

    /// All bodies, in the order of their slots. As long as none was removed, that is the order in which they
    /// were added.
    pub fn iter(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        self.bodies.iter().map(|(slot, body)| (self.bodies.id(slot), body))
    }

    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.bodies.count()
    }

    /// True if there is no body.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The events of the last step: first the crushed bodies, in the order in which the platforms moved, then
    /// those of the sensors, sorted by the names of sensor and body.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Moves all bodies by one step. Velocities grow by their accelerations. Then platforms move, then
    /// characters, then balls. Then sensors report.
    ///
    /// Within a kind the lowest body moves first, then the leftmost one; balls move all at once. So the order
    /// in which they were added does not matter, unless two lie in the very same place. (Of two characters
    /// that touch and walk right, the left one is stopped by the other. If they walk left, neither is
    /// stopped.) A character never comes to overlap a platform, another character or the level, unless it is
    /// crushed ([`Event::Crushed`]) or its response is [`Response::Cross`](crate::mover::Response::Cross).
    /// A step allocates nothing after one with as many bodies. O(n log n), plus the cost of each body's
    /// motion.
    pub fn step(&mut self, level: &Level) {
        let Self { bodies, scratch, events, .. } = self;
        events.clear();
        for body in bodies.iter_mut() {
            let velocity = body.velocity.saturating_add(body.acceleration);
            body.velocity = velocity;
        }
        scratch.sensors.start(bodies);
        scratch.near.build(bodies.boxes(near::reach));
        platform::step(bodies, &mut scratch.near, &mut scratch.platforms, level, events);
        movers::step(bodies, &mut scratch.near, &mut scratch.order, level);
        balls::step(bodies, &mut scratch.near, &mut scratch.balls, level);
        sensors::sense(bodies, &scratch.near, &mut self.touching, &mut scratch.sensors, events);
    }

    /// The pairs of bodies that overlap and meet each other ([`Body::overlaps`], [`Body::meets`]): each pair
    /// once, never a body with itself, in the order of their names. O(n log n + pairs); allocates.
    pub fn pairs(&self) -> Vec<(BodyId, BodyId)> {
        let boxes: Vec<_> = self.bodies.boxes(|body| body.aabb).collect();
        let mut pairs = Pairs::default();
        let found = pairs.find(&boxes).iter().filter(|(one, two)| {
            let both = self.bodies.at(*one).zip(self.bodies.at(*two));
            both.is_some_and(|(one, two)| one.meets(two) && one.overlaps(two))
        });
        found.map(|(one, two)| (self.bodies.id(*one), self.bodies.id(*two))).collect()
    }

    /// Moves a character that overlaps a solid, because it was crushed or added there, to the nearest free
    /// place at most `radius` pixels away: see [`Mover::unstick`]. `None` if there is no such place, or no
    /// character of that name. O(n log n), plus the cost of [`Mover::unstick`]; allocates.
    pub fn unstick(&mut self, level: &Level, id: BodyId, radius: u32) -> Option<IVec2> {
        let body = *self.bodies.get(id)?;
        let BodyKind::Character(character) = body.kind else {
            return None;
        };
        let mut near = Near::default();
        near.build(self.bodies.boxes(|body| body.aabb));
        let solids = BodySolids {
            level,
            bodies: &self.bodies,
            near: &near,
            body,
            slot: id.slot,
            except: None,
        };
        let mut mover = Mover::new(body.aabb, character.settings);
        mover.subpixel = body.subpixel;
        let moved = mover.unstick(&solids, radius)?;
        let kept = self.bodies.get_mut(id)?;
        (kept.aabb, kept.subpixel) = (mover.body, mover.subpixel);
        Some(moved)
    }
}
