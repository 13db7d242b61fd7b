//! Many bodies: characters, crates, moving platforms, balls, sensors and bullets in one level.
//!
//! A [`World`] consists of integers: it can be compared, a clone saves its state, and `clone_from`
//! restores the state. The same calls give the same world, bit for bit, on every machine and thread. The
//! order in which bodies were added does not change their motion (see [`World::step`]). A world does no IO
//! and does not hold the level.

// The modules in the order of a step: `players` reads keys, `near` finds neighbours, `movers` moves platforms
// with their riders, then characters, `crowd` keeps soft characters apart, `push` moves pushed and carried
// characters, `balls` moves balls, `bullets` moves bullets, and `watch` reports events.
mod balls;
mod bodies;
mod body;
mod bullets;
mod circle;
mod crowd;
mod drawn;
mod event;
mod movers;
mod near;
mod obstacle;
mod path;
mod players;
mod push;
mod queries;
mod recording;
mod rest;
mod riders;
#[cfg(feature = "serde")]
mod saved;
mod solids;
mod watch;

use std::sync::Arc;

use glam::{I64Vec2, IVec2, UVec2};

use crate::checksum;
use crate::geometry::{Aabb, Corners, Dir, Outside, Rate, Sides};
use crate::level::PlacedTerrain;
use crate::mover::{MovePath, Mover, MoverSettings, Response};
use crate::{Footprint, Level};

pub use crate::terrain::BodyId;
pub use body::{Ball, Body, BodyKind, Character, Platform};
pub use event::{Event, Impact, Meeting};
pub use near::Pairs;
pub use path::Path;
pub use players::Player;
pub use recording::Recording;

use near::Near;
use rest::Sleepers;

/// Bodies that move and collide in a level.
///
/// ```
/// use bitwall::glam::UVec2;
/// use bitwall::world::{Body, Event, World};
/// use bitwall::{Aabb, Grid, Level, MoverSettings, Rate};
///
/// let level = Level::from_grid(Grid::new(20, 10)?, UVec2::splat(16))?;
/// let mut world = World::new(Rate::per_second(60));
/// let lift = Body::platform(Aabb::from_xywh(32, 100, 48, 8)).with_velocity([30.0, 0.0]);
/// world.add(lift);
/// let player = Body::character(Aabb::from_xywh(40, 80, 12, 20), MoverSettings::platformer());
/// let player = world.add(player);
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
#[derive(Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "saved::SavedWorld", into = "saved::SavedWorld"))]
pub struct World {
    rate: Rate,
    bodies: Bodies,
    meetings: Vec<Meeting>,
    events: Vec<Event>,
    scratch: Scratch,
}

/// Memory that steps reuse. It is not part of the world's state, so any two values count as equal.
#[derive(Debug, Default)]
struct Scratch {
    /// False if the next step must rebuild the other fields from the bodies.
    is_built: bool,
    near: Near,
    rest: Sleepers,
    kinds: Kinds,
    /// The slot of a body that the game may have changed since this memory was last updated.
    pending: Option<u32>,
    crowd: Crowd,
    movers: movers::MoverScratch,
    platforms: movers::PlatformScratch,
    balls: balls::BallScratch,
    /// The slots of the characters that the level has buried since the step before.
    buried: Vec<u32>,
    /// The solid bodies near a body's path.
    others: Vec<Other>,
    watch: watch::WatchScratch,
}

impl Clone for World {
    fn clone(&self) -> Self {
        Self {
            rate: self.rate,
            bodies: self.bodies.clone(),
            meetings: self.meetings.clone(),
            events: self.events.clone(),
            scratch: Scratch::default(),
        }
    }

    /// Makes this world equal to `state` and reuses its memory, so that a rollback allocates nothing.
    fn clone_from(&mut self, state: &Self) {
        self.rate = state.rate;
        self.bodies.slots.clone_from(&state.bodies.slots);
        self.bodies.free.clone_from(&state.bodies.free);
        self.meetings.clone_from(&state.meetings);
        self.events.clone_from(&state.events);
        self.scratch.is_built = false;
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
    /// Returns a world without bodies that makes `rate` steps a second.
    pub fn new(rate: Rate) -> Self {
        Self {
            rate,
            bodies: Bodies::default(),
            meetings: Vec::new(),
            events: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// The rate with which the world was made.
    pub const fn rate(&self) -> Rate {
        self.rate
    }

    /// Adds a body and returns its id. A body that overlaps other bodies can leave them, but cannot move
    /// further in.
    ///
    /// The body's velocities and its acceleration are converted to the rate of this world, each rounded once.
    /// A body that comes from a world of the same rate stays as it is.
    pub fn add(&mut self, body: Body) -> BodyId {
        self.scratch.settle(&mut self.bodies, self.rate);
        let mut body = body;
        body.set_rate(self.rate);
        let id = self.bodies.add(body);
        self.scratch.pending = Some(id.slot);
        id
    }

    /// Adds a platform that is not a box but a piece of level: a ship of tiles, an island or a swinging
    /// block. Returns its id.
    ///
    /// The platform's box keeps its top-left corner and gets the size of `piece`. The space around the piece
    /// is open. Its solid and one-way cells stop, carry and push bodies as those of a level do, so that
    /// riders stand and walk on its slopes. It passes through the level and other platforms.
    /// [`Platform::one_way`] does not count, and a [`Body::belt`] moves all that stand on the piece. Of its
    /// areas, only the ladders of [`Feel::ladder`](crate::character::Feel::ladder) count: they carry who
    /// climbs on them.
    ///
    /// Bodies, rays and events meet its pixels; [`World::piece`] draws it. A body of another kind is a body
    /// without a piece. For the pixels of a [`Footprint`], pass a [`Level::from_grid`] of
    /// its [`grid`](crate::Footprint::grid) with cells of one pixel.
    ///
    /// ```
    /// use bitwall::glam::{IVec2, UVec2};
    /// use bitwall::world::{Body, World};
    /// use bitwall::{Aabb, Grid, Level, MoverSettings, Rate};
    ///
    /// let level = Level::from_grid(Grid::new(20, 10)?, UVec2::splat(16))?;
    /// let ship = Level::from_grid(Grid::from_text("#...#\n#####")?, UVec2::splat(16))?;
    /// let mut world = World::new(Rate::per_second(60));
    /// let at = Body::platform(Aabb::from_xywh(32, 100, 0, 0)).with_velocity([30.0, 0.0]);
    /// let ship = world.add_piece(at, ship);
    /// let hero = Body::character(Aabb::from_xywh(50, 96, 12, 20), MoverSettings::platformer());
    /// let hero = world.add(hero);
    /// for _ in 0..60 {
    ///     world.step(&level);
    /// }
    /// assert_eq!(world.standing_on(hero), Some(ship));
    /// assert_eq!(world.get(hero).map(|hero| hero.aabb.min), Some(IVec2::new(80, 96)));
    ///
    /// // The floor of the ship breaks.
    /// if let Some(piece) = world.piece_mut(ship) {
    ///     piece.fill(1..4, 1..2, false)?;
    /// }
    /// assert_eq!(world.standing_on(hero), None);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn add_piece(&mut self, platform: Body, piece: Level) -> BodyId {
        let id = self.add(platform);
        if let Some(slot) = self.bodies.slots.get_mut(id.slot as usize) {
            slot.piece = Some(Arc::new(piece));
        }
        self.bodies.settle(id.slot, self.rate);
        id
    }

    /// Returns the piece of level of the platform `id`; `None` if it is a box, or no platform of the world.
    ///
    /// Pixels are counted from the top-left corner of the platform's box. So a game draws the piece there, by
    /// `render::draw` or [`Terrain::outlines`](crate::Terrain::outlines).
    pub fn piece(&self, id: BodyId) -> Option<&Level> {
        self.get(id)?;
        self.bodies.piece(id.slot)
    }

    /// Returns the piece of level of the platform `id`, to edit or replace it between two steps; `None` as
    /// for [`World::piece`]. Wakes the sleeping bodies near it.
    ///
    /// Queries answer for the edited piece at once. A piece of another size, such as one that was turned,
    /// gives the platform its size before the next step, and the top-left corner stays. In its next step a
    /// body in the pixels of the piece moves out of them, by the shortest way and at most its step height, or
    /// [`Event::Buried`] reports it. Clones of the world share a piece, so the first edit of each copies it.
    pub fn piece_mut(&mut self, id: BodyId) -> Option<&mut Level> {
        self.piece(id)?;
        self.get_mut(id)?;
        self.bodies.slots.get_mut(id.slot as usize)?.piece.as_mut().map(Arc::make_mut)
    }

    /// Removes a body and returns it; `None` if the world has no such body.
    pub fn remove(&mut self, id: BodyId) -> Option<Body> {
        self.scratch.settle(&mut self.bodies, self.rate);
        let body = self.bodies.remove(id)?;
        self.scratch.pending = Some(id.slot);
        Some(body)
    }

    /// Returns the body `id`; `None` if it was removed.
    pub fn get(&self, id: BodyId) -> Option<&Body> {
        self.bodies.get(id)
    }

    /// Returns the body `id`, to change it between two steps; `None` if it was removed.
    pub fn get_mut(&mut self, id: BodyId) -> Option<&mut Body> {
        self.scratch.settle(&mut self.bodies, self.rate);
        let body = self.bodies.get_mut(id)?;
        self.scratch.pending = Some(id.slot);
        Some(body)
    }

    /// Returns all bodies in the order of their slots, their places in the world's storage. If no body was
    /// removed, this is the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        self.bodies.iter().map(|(slot, body)| (self.bodies.id(slot), body))
    }

    /// Returns all bodies, to change them between two steps, in the order of [`World::iter`].
    ///
    /// The next step rebuilds its index and wakes all bodies. To change few bodies, use [`World::get_mut`].
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (BodyId, &mut Body)> {
        self.scratch.is_built = false;
        self.bodies.iter_mut()
    }

    /// Returns the events of the last step, in a fixed order.
    ///
    /// First come the crushed bodies, in the order in which the platforms moved; then the buried characters;
    /// then the hits of balls and the hits of bullets, each sorted by their ids; then the meetings, sorted by
    /// watcher id and body id.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns a checksum of the state: of all bodies in their slots, and of the meetings and events of the
    /// last step.
    ///
    /// Equal worlds have equal checksums on every platform, also after saving and loading. So two players of
    /// a game exchange checksums to find the step at which their games differ. O(bodies).
    ///
    /// ```
    /// use bitwall::world::{Body, World};
    /// use bitwall::{Aabb, Grid, Level, Rate, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::new(20, 10)?, UVec2::splat(16))?;
    /// let mut world = World::new(Rate::per_second(60));
    /// world.add(Body::pushable(Aabb::from_xywh(40, 80, 12, 12), 4, 900.0));
    /// let mut other = world.clone();
    /// world.step(&level);
    /// assert_ne!(world.checksum(), other.checksum());
    /// other.step(&level);
    /// assert_eq!(world.checksum(), other.checksum());
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn checksum(&self) -> u64 {
        checksum::of(self)
    }

    /// Moves all bodies by one step: adds accelerations to velocities, then moves platforms, characters,
    /// balls, sensors and bullets, in this order.
    ///
    /// At the end it makes the events.
    ///
    /// All balls move at the same time. Platforms and characters move one after the other. The lowest moves
    /// first; of equally low bodies, the fastest along x moves first; further ties are decided by their other
    /// fields. Of two characters that already move in the same direction, the character in front moves first,
    /// so a line of walkers stays together. A mirrored world has the mirrored motion, and the order in which
    /// bodies were added does not matter, with two exceptions. Of two bodies that differ only in x, the left
    /// body moves first. If the two walk into each other, the left body moves further, by at most the length
    /// of a step. Of two equal bodies at the same position, the body in the lower slot moves first.
    ///
    /// A character that is stopped by another character gets the other's speed. A character never moves into
    /// a platform, another character or the level, unless it is crushed ([`Event::Crushed`]) or its response
    /// is [`Response::Cross`], or both characters are soft ([`Body::soft`]).
    ///
    /// A character at rest takes almost no time until something near it changes; the results are the same. A
    /// step allocates nothing if an earlier step had at least the same number of bodies. O(n log n) for n
    /// bodies that are not at rest, plus the time of each body's motion.
    pub fn step(&mut self, level: &Level) {
        self.step_among(level, &[]);
    }

    /// [`World::step`] with `players`, which control some of the characters.
    fn step_among(&mut self, level: &Level, players: &[Player]) {
        let Self { rate, bodies, meetings, scratch, events } = self;
        events.clear();
        scratch.start(bodies, *rate, level);
        let Scratch { near, rest, kinds, crowd, buried, others, .. } = scratch;
        scratch.watch.start(bodies, &kinds.watchers);
        let mut parts = Parts { bodies, near, rest, crowd, level, players, buried, others, events };
        parts.move_platforms(&kinds.platforms, &mut scratch.platforms);
        if kinds.has_soft {
            crowd::separate(&mut parts);
        }
        parts.move_characters(&mut scratch.movers);
        parts.report_buried();
        for slot in kinds.balls.iter().chain(&kinds.sensors) {
            if let Some(body) = parts.bodies.at_mut(*slot) {
                body.velocity = body.velocity.saturating_add(body.acceleration);
            }
        }
        if !kinds.balls.is_empty() {
            let Parts { bodies, near, events, .. } = &mut parts;
            balls::step(bodies, near, &mut scratch.balls, level, events);
        }
        for slot in kinds.sensors.iter().copied() {
            if let Some(body) = parts.bodies.at_mut(slot)
                && body.velocity != I64Vec2::ZERO
            {
                body.displace(body.velocity);
                parts.near.moved(slot, body.aabb);
            }
        }
        bullets::step(&mut parts, &kinds.bullets);
        watch::watch(bodies, &kinds.watchers, meetings, &mut scratch.watch, events);
    }

    /// Calls `found` with each body whose box overlaps `area`, and with its slot.
    fn visit(&self, area: Aabb, found: &mut dyn FnMut(u32, &Body)) {
        let Scratch { near, is_built, pending, .. } = &self.scratch;
        if !is_built {
            for (slot, body) in self.bodies.iter().filter(|(_, body)| body.aabb.overlaps(area)) {
                found(slot, body);
            }
            return;
        }
        // A body that the game may have changed (`pending`) can have another box than in the index.
        near.visit(area, &mut |slot, _| {
            if let Some(body) = self.bodies.at(slot).filter(|_| Some(slot) != *pending) {
                found(slot, body);
            }
        });
        if let Some(slot) = *pending
            && let Some(body) = self.bodies.at(slot)
            && body.aabb.overlaps(area)
        {
            found(slot, body);
        }
    }
}

impl Scratch {
    /// Updates this reused memory for the `pending` body, which the game may have changed, also by a body
    /// of another rate.
    fn settle(&mut self, bodies: &mut Bodies, rate: Rate) {
        let Some(slot) = self.pending.take().filter(|_| self.is_built) else { return };
        bodies.settle(slot, rate);
        let old = self.near.known.get(slot as usize).copied().unwrap_or_default();
        let body = bodies.at(slot);
        let new = body.map_or_else(Known::default, |body| Known::of(bodies, slot, body));
        self.near.set(slot, new);
        self.kinds.is_old |= old.role != new.role;
        self.rest.wake(slot);
        self.rest.disturb(&self.near, old.aabb, new.aabb);
    }

    /// Rebuilds this reused memory from the bodies, unless it is up to date.
    fn build(&mut self, bodies: &mut Bodies, rate: Rate) {
        self.settle(bodies, rate);
        if std::mem::replace(&mut self.is_built, true) {
            return;
        }
        for slot in 0..bodies.slots.len() as u32 {
            bodies.settle(slot, rate);
        }
        self.near.forget_carried();
        self.near.known.clear();
        self.near.known.resize(bodies.slots.len(), Known::default());
        for (slot, body) in bodies.iter() {
            self.near.known[slot as usize] = Known::of(bodies, slot, body);
        }
        self.near.build(bodies);
        self.rest.wake_all(bodies.slots.len());
        self.kinds.is_old = true;
    }

    /// Prepares this reused memory for a step.
    fn start(&mut self, bodies: &mut Bodies, rate: Rate, level: &Level) {
        self.build(bodies, rate);
        if self.rest.is_other_level(level) {
            self.rest.wake_all(bodies.slots.len());
        }
        self.kinds.renew(bodies);
        let lists = [&self.rest.awake, &self.rest.woken, &self.kinds.platforms, &self.kinds.balls];
        if self.near.is_worn(bodies, &lists) {
            self.near.build(bodies);
        }
        self.near.forget_carried();
    }
}

/// Returns a mover with the state of a character; `None` for any other body.
fn mover_of(body: &Body) -> Option<Mover> {
    let character = body.as_character()?;
    Some(Mover {
        body: body.aabb,
        subpixel: body.subpixel,
        settings: character.settings,
        steps_since_grounded: character.steps_since_grounded,
        dropping: character.dropping,
    })
}

/// The settings of a mover on a straight line, up to a solid that is solid from all sides.
const FLIGHT: MoverSettings = MoverSettings {
    path: MovePath::Straight(Corners::Block),
    response: Response::Stop,
    one_way: Sides { left: false, right: false, up: false, down: false },
    ..MoverSettings::PLAIN
};

/// The data of a body that the steps of other bodies read. The data take 64 bytes, the size of a cache line.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    aabb: Aabb,
    category: u64,
    collides_with: u64,
    generation: u32,
    /// True for characters and platforms.
    is_solid: bool,
    is_one_way: bool,
    /// True for a platform with a piece of level.
    is_piece: bool,
    is_character: bool,
    is_soft: bool,
    /// The number from [`role`], which stands for the lists of slots ([`Kinds`]) that
    /// contain the body.
    role: u8,
    /// True for a character that has not moved yet in this step.
    is_waiting: bool,
    /// The result of [`Body::look_aside`] in pixels, at most 64.
    look_aside: u8,
    /// The sign of the body's velocity along each axis at the start of this step: -1, 0 or 1.
    heading: [i8; 2],
    /// The pixels by which other bodies have moved the body in this step.
    carried: IVec2,
}

impl Known {
    /// Returns the entry of the index [`Near`] for the body in `slot` at the start of a step.
    #[inline]
    fn of(bodies: &Bodies, slot: u32, body: &Body) -> Self {
        let is_platform = matches!(body.kind, BodyKind::Platform(_));
        let is_piece = is_platform && bodies.slots[slot as usize].piece.is_some();
        Self {
            aabb: body.aabb,
            category: body.category,
            collides_with: body.collides_with,
            generation: bodies.id(slot).generation,
            is_solid: body.is_solid_box(),
            is_one_way: body.is_one_way() && !is_piece,
            is_piece,
            is_character: body.as_character().is_some(),
            is_soft: body.is_soft(),
            role: role(body),
            is_waiting: false,
            look_aside: body.look_aside().min(64) as u8,
            heading: [0; 2],
            carried: IVec2::ZERO,
        }
    }

    /// True if each of two bodies collides with a category of the other, like [`Body::meets`].
    fn meets(&self, other: &Self) -> bool {
        self.category & other.collides_with != 0 && other.category & self.collides_with != 0
    }

    /// True if the two bodies stop each other, if both are solid: soft characters pass each other.
    fn stops(&self, other: &Self) -> bool {
        !(self.is_soft && other.is_soft) && self.meets(other)
    }
}

/// The storage of a world's bodies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Bodies {
    slots: Vec<BodySlot>,
    /// The slots without a body; the last one is reused first.
    free: Vec<u32>,
}

/// An entry of the storage, with or without a body. The generation counts the bodies that were removed from
/// it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
struct BodySlot {
    generation: u32,
    body: Option<Body>,
    /// The piece of level of a platform that is no box. The clones of a world share it until one of them
    /// edits it.
    piece: Option<Arc<Level>>,
    /// The footprint of a character that is no box.
    footprint: Option<Arc<Footprint>>,
}

/// A solid body as a box meets it: a box, or a piece of level.
#[derive(Clone, Copy)]
struct Obstacle<'a> {
    aabb: Aabb,
    /// True for a box that is solid only from above. A piece has one-way cells instead.
    is_one_way: bool,
    piece: Option<PlacedTerrain<'a>>,
    /// The pixels of the body that meets a platform, if it is no box.
    footprint: Option<&'a Footprint>,
}

impl Bodies {
    /// The piece of level of the platform in `slot`; `None` for a box and for any other body.
    fn piece(&self, slot: u32) -> Option<&Level> {
        let slot = self.slots.get(slot as usize)?;
        let is_platform = matches!(slot.body.as_ref()?.kind, BodyKind::Platform(_));
        slot.piece.as_deref().filter(|_| is_platform)
    }

    /// The pixels of the piece of level in `slot`, with its first pixel at `at`. Not inlined, because most
    /// bodies are boxes.
    #[inline(never)]
    fn placed_piece(&self, slot: u32, at: IVec2) -> Option<PlacedTerrain<'_>> {
        let terrain = self.piece(slot)?.terrain();
        Some(PlacedTerrain { terrain, at, body: Some(self.id(slot)) })
    }

    /// The body in `slot` as an obstacle.
    fn obstacle(&self, slot: u32, body: &Body) -> Obstacle<'_> {
        let piece = self.placed_piece(slot, body.aabb.min);
        let is_one_way = body.is_one_way() && piece.is_none();
        Obstacle { aabb: body.aabb, is_one_way, piece, footprint: None }
    }

    /// Converts the body in `slot` to the rate of its world. The space around a piece becomes open, its
    /// platform gets the size of the piece, and a character that of its footprint.
    #[inline]
    fn settle(&mut self, slot: u32, rate: Rate) {
        let Some(slot) = self.slots.get_mut(slot as usize) else { return };
        let BodySlot { body: Some(body), piece, footprint, .. } = slot else { return };
        body.set_rate(rate);
        let mut size = None;
        match (&body.kind, piece, footprint) {
            (BodyKind::Platform(_), Some(piece), _) => {
                if piece.outside() != Outside::Open.into() {
                    Arc::make_mut(piece).set_outside(Outside::Open);
                }
                size = Some(piece.size().min(UVec2::splat(i32::MAX as u32)));
            }
            (BodyKind::Character(_), _, Some(footprint)) => size = Some(footprint.size()),
            _ => {}
        }
        if let Some(size) = size {
            body.aabb.max = body.aabb.min.saturating_add(size.as_ivec2());
        }
    }
}

/// A distance or velocity along an axis as one toward `dir`, or back.
fn toward(along: i64, dir: Dir) -> i64 {
    if dir.is_positive() { along } else { along.saturating_neg() }
}

/// Another body that can stop the moving body.
#[derive(Clone, Copy, Debug)]
struct Other {
    slot: u32,
    known: Known,
}

/// The body that moves, for which solids are queried.
#[derive(Clone, Copy, Debug)]
struct Asker {
    /// The slot of the body, which does not stop itself.
    slot: u32,
    known: Known,
    /// The slot of a platform that moves the body and therefore does not stop it.
    except: Option<u32>,
    /// For x and y, true if all bodies that this body pushes along the axis can move one pixel further. They
    /// then do not stop it.
    yields: [bool; 2],
}

impl Asker {
    fn new(slot: u32, known: Known) -> Self {
        Self { slot, known, except: None, yields: [false; 2] }
    }

    /// True if `other` is solid for the moving body.
    fn is_stopped_by(&self, slot: u32, other: &Known) -> bool {
        other.is_solid && slot != self.slot && Some(slot) != self.except && other.stops(&self.known)
    }
}

/// A pushed or carried body: its box before the motion, the distance that it has to move in pixels, and its
/// mass.
#[derive(Clone, Copy, Debug)]
struct Pushed {
    slot: u32,
    start: Aabb,
    due: u32,
    mass: u32,
}

/// The push of a body by another body.
#[derive(Clone, Copy)]
struct Shove {
    slot: u32,
    pusher: u32,
    /// True for a pusher that is a platform. It has already moved, and does not stop the body. A character
    /// moves after the bodies that it pushes.
    by_platform: bool,
    dir: Dir,
}

/// The motion of soft characters in a step, from [`crowd::separate`].
#[derive(Debug, Default)]
struct Crowd {
    /// For each slot, what the crowd adds to the character's own motion, in 65,536ths of a pixel.
    asides: Vec<I64Vec2>,
    /// The slot of each soft character that is awake, with its entry of `asides` and its new rank.
    answers: Vec<(u32, I64Vec2, u8)>,
    /// The boxes of changed soft characters before and after the change. The next step wakes the characters
    /// beside them: one that moved later in the same step may have fallen asleep since.
    changes: Vec<(Aabb, Aabb)>,
}

/// The data of a world's step: the bodies, the index of their positions, the sleeping characters, the level
/// and the players.
struct Parts<'a> {
    bodies: &'a mut Bodies,
    near: &'a mut Near,
    rest: &'a mut Sleepers,
    crowd: &'a mut Crowd,
    level: &'a Level,
    players: &'a [Player],
    /// The slots of the characters that the level has buried since the step before, in any order.
    buried: &'a mut Vec<u32>,
    /// Memory for the solid bodies near a body's path.
    others: &'a mut Vec<Other>,
    events: &'a mut Vec<Event>,
}

impl<'a> Parts<'a> {
    /// The player that controls the body in `slot`.
    fn player(&self, slot: u32) -> Option<&'a Player> {
        self.players.iter().find(|player| player.body == self.bodies.id(slot))
    }

    /// The motion that the crowd adds to that of the character in `slot`, in 65,536ths of a pixel.
    fn aside(&self, slot: u32) -> I64Vec2 {
        self.crowd.asides.get(slot as usize).copied().unwrap_or_default()
    }

    /// Adds the events of buried characters. Of a body that a piece has crushed in this step, there is an
    /// event already.
    fn report_buried(&mut self) {
        self.buried.sort_unstable();
        for slot in self.buried.drain(..) {
            let body = self.bodies.id(slot);
            let is_crushed = self.events.iter().any(
                |event| matches!(event, Event::Crushed { body: crushed, .. } if *crushed == body),
            );
            if !is_crushed {
                self.events.push(Event::Buried { body });
            }
        }
    }

    /// Moves a body to `aabb`, because another body carries or pushes it. Wakes the body, and the sleeping
    /// characters whose views (areas in which solids affect their step) overlap its old or new box.
    fn put(&mut self, slot: u32, aabb: Aabb) {
        let is_waiting = self.near.known[slot as usize].is_waiting;
        let Some(body) = self.bodies.at_mut(slot).filter(|body| body.aabb != aabb) else {
            return;
        };
        let before = std::mem::replace(&mut body.aabb, aabb);
        let distance = aabb.min.saturating_sub(before.min);
        if body.is_soft() {
            self.crowd.changes.push((before, aabb));
        }
        if let BodyKind::Character(Character { last: Some(last), .. }) = &mut body.kind
            && !is_waiting
        {
            // A body that has not moved yet in this step records the whole carried distance in its own
            // motion.
            last.carried = last.carried.saturating_add(distance);
        }
        self.near.carry(slot, aabb, distance);
        self.rest.wake(slot);
        self.rest.disturb(self.near, before, aabb);
    }
}

/// The lists of slots for each kind of body, in ascending order. Characters have no list: most of them may
/// sleep.
#[derive(Debug, Default)]
struct Kinds {
    /// The slots of all platforms.
    platforms: Vec<u32>,
    balls: Vec<u32>,
    sensors: Vec<u32>,
    bullets: Vec<u32>,
    /// The slots of all bodies that watch other bodies ([`Body::watches`]).
    watchers: Vec<u32>,
    /// True if the world has a soft character.
    has_soft: bool,
    /// True if a body was added or removed, or has changed its kind, since these lists were built.
    is_old: bool,
}

impl Kinds {
    /// Rebuilds these lists if they are old.
    fn renew(&mut self, bodies: &Bodies) {
        if !std::mem::take(&mut self.is_old) {
            return;
        }
        let Self { platforms, balls, sensors, bullets, watchers, .. } = self;
        [&mut *platforms, balls, sensors, bullets, watchers].into_iter().for_each(Vec::clear);
        self.has_soft = false;
        for (slot, body) in bodies.iter() {
            match body.kind {
                BodyKind::Platform(_) => platforms.push(slot),
                BodyKind::Ball(_) => balls.push(slot),
                BodyKind::Sensor => sensors.push(slot),
                BodyKind::Bullet => bullets.push(slot),
                BodyKind::Character(_) => self.has_soft |= body.is_soft(),
            }
            if body.watches != 0 {
                watchers.push(slot);
            }
        }
    }
}
/// Returns a number for the lists of slots in [`Kinds`] that contain the body. It depends
/// on the kind of the body, on whether it is soft, and on whether it watches others. It is never 0, which
/// stands for a slot without a body.
fn role(body: &Body) -> u8 {
    let kind = match body.kind {
        BodyKind::Character(_) => 1,
        BodyKind::Platform(_) => 2,
        BodyKind::Ball(_) => 3,
        BodyKind::Sensor => 4,
        BodyKind::Bullet => 5,
    };
    kind | u8::from(body.watches != 0) << 3 | u8::from(body.is_soft()) << 4
}
