//! Many bodies that carry, push and meet. A body is known by a number, which is never used again.

use std::collections::BTreeMap;

use bitwall::geometry::Corners;
use bitwall::glam::Vec2;
use bitwall::terrain::{BodyId, Hit};
use bitwall::world::{Ball, Body, BodyKind, Event as CoreEvent, Path, Player};

use crate::body::{input, rate};
use crate::*;

record! {
    /// What happened in a step of a world.
    EventKind from CoreEvent {
        /// A platform, `other`, crushed a body against a solid.
        Crushed [CoreEvent::Crushed { .. }];
        /// An edit of the level has buried a character.
        Buried [CoreEvent::Buried { .. }];
        /// A bullet, or a ball that watches, hit a cell or another body.
        Hit [CoreEvent::Hit(_)];
        /// A body began to touch or overlap another one that it watches.
        Begin [CoreEvent::Begin(_)];
        /// A body still touches or overlaps another one that it watches.
        Stay [CoreEvent::Stay(_)];
        /// A body no longer touches another one that it watches.
        End [CoreEvent::End(_)];
    }

    /// An event of a step.
    Event(kind: EventKind, body: i32, other: i32, side: Option<bitwall::Dir>, cell: IVec2, normal: Vec2) {
        /// What happened.
        kind: EventKind = kind;
        /// The body to which it happened, or which watches; -1 for a body that was removed before the step.
        body: i32 = body;
        /// The other body; -1 for a cell.
        other: i32 = other;
        /// The side of the body that the other one touches; none if they overlap.
        side: Side = side;
        /// The column of the cell that was hit.
        column: i32 = cell.x;
        /// The row of the cell that was hit.
        row: i32 = cell.y;
        /// The normal of a hit along x: out of the solid, of length 1.
        normal_x: f32 = normal.x;
        /// The normal of a hit along y.
        normal_y: f32 = normal.y;
    }

    /// Where to draw a body.
    Drawn(body: i32, place: Vec2, size: Vec2) {
        /// The body.
        body: i32 = body;
        /// The left edge.
        x: f32 = place.x;
        /// The top edge.
        y: f32 = place.y;
        /// The width.
        w: f32 = size.x;
        /// The height.
        h: f32 = size.y;
    }
}

/// Bodies in a level that move together, step by step.
#[derive(Clone)]
pub struct World {
    world: bitwall::World,
    players: Vec<Player>,
    /// The paths of platforms, by the numbers of the bodies.
    paths: BTreeMap<i32, Path>,
    ids: BTreeMap<i32, BodyId>,
    numbers: BTreeMap<BodyId, i32>,
    next: i32,
}

impl World {
    /// Makes a world without bodies, for a game with `fps` steps a second.
    pub fn new(fps: i32) -> Result<Self> {
        Ok(Self {
            world: bitwall::World::new(rate(fps)?),
            players: Vec::new(),
            paths: BTreeMap::new(),
            ids: BTreeMap::new(),
            numbers: BTreeMap::new(),
            next: 0,
        })
    }

    fn known(&mut self, id: BodyId) -> i32 {
        let number = self.next;
        self.next += 1;
        self.ids.insert(number, id);
        self.numbers.insert(id, number);
        number
    }

    fn add(&mut self, body: Body) -> i32 {
        let id = self.world.add(body);
        self.known(id)
    }

    fn id(&self, body: i32) -> Result<BodyId> {
        self.ids.get(&body).copied().ok_or_else(|| missing(body))
    }

    fn body(&self, body: i32) -> Result<&Body> {
        self.world.get(self.id(body)?).ok_or_else(|| missing(body))
    }

    fn body_mut(&mut self, body: i32) -> Result<&mut Body> {
        let id = self.id(body)?;
        self.world.get_mut(id).ok_or_else(|| missing(body))
    }

    fn number(&self, id: Option<BodyId>) -> i32 {
        id.and_then(|id| self.numbers.get(&id)).copied().unwrap_or(-1)
    }

    /// Adds a character, and returns its number. It moves by its velocity, or by keys as a player.
    pub fn add_character(&mut self, x: i32, y: i32, w: i32, h: i32, kind: Kind) -> Result<i32> {
        Ok(self.add(Body::character(aabb(x, y, w, h)?, kind.settings())))
    }

    /// Adds a platform, which carries and pushes other bodies and which nothing stops. A one-way platform is
    /// solid only from above.
    pub fn add_platform(&mut self, x: i32, y: i32, w: i32, h: i32, one_way: bool) -> Result<i32> {
        let area = aabb(x, y, w, h)?;
        Ok(self.add(if one_way { Body::one_way_platform(area) } else { Body::platform(area) }))
    }

    /// Adds a platform in the shape of a level's solid cells.
    pub fn add_piece(&mut self, x: i32, y: i32, piece: &Level) -> Result<i32> {
        let size = piece.size();
        let body = Body::platform(aabb(x, y, size.width, size.height)?);
        let id = self.world.add_piece(body, piece.core().clone());
        Ok(self.known(id))
    }

    /// Adds a crate that falls and can be pushed. `mass` is 0 to 65535; `gravity` is in pixels a second
    /// squared.
    pub fn add_pushable(&mut self, x: i32, y: i32, w: i32, h: i32, mass: i32, gravity: f32) -> Result<i32> {
        let (mass, gravity) = (word("mass", mass)?, speed("gravity", gravity)?);
        Ok(self.add(Body::pushable(aabb(x, y, w, h)?, mass, gravity)))
    }

    /// Adds a ball that bounces. `mass` is 0 to 65535; with 0 nothing moves it.
    pub fn add_ball(&mut self, x: i32, y: i32, diameter: i32, mass: i32) -> Result<i32> {
        let mass = word("mass", mass)?;
        let most = Ball::MAX_DIAMETER.cast_signed();
        let diameter = number("diameter", diameter, 1..=most)?.cast_unsigned();
        Ok(self.add(Body::ball(IVec2::new(x, y), diameter, mass)))
    }

    /// Adds a bullet, which flies straight until something stops it.
    pub fn add_bullet(&mut self, x: i32, y: i32, w: i32, h: i32) -> Result<i32> {
        Ok(self.add(Body::bullet(aabb(x, y, w, h)?)))
    }

    /// Adds a sensor, which is not solid and only watches.
    pub fn add_sensor(&mut self, x: i32, y: i32, w: i32, h: i32) -> Result<i32> {
        Ok(self.add(Body::sensor(aabb(x, y, w, h)?)))
    }

    /// Removes a body.
    pub fn remove(&mut self, body: i32) -> Result<()> {
        let id = self.id(body)?;
        self.world.remove(id);
        self.players.retain(|player| player.body != id);
        self.paths.remove(&body);
        self.ids.remove(&body);
        self.numbers.remove(&id);
        Ok(())
    }

    /// Returns the numbers of all bodies, in the order in which they were added.
    pub fn bodies(&self) -> Vec<i32> {
        self.ids.keys().copied().collect()
    }

    /// Returns the box of a body in whole pixels.
    pub fn bounds(&self, body: i32) -> Result<Rect> {
        Ok(Rect::new(self.body(body)?.aabb))
    }

    /// Returns the exact place of the top-left corner of a body.
    pub fn position(&self, body: i32) -> Result<Point> {
        Ok(Point::new(self.body(body)?.position()))
    }

    /// Puts the top-left corner of a body at a pixel, through all solids.
    pub fn place(&mut self, body: i32, x: i32, y: i32) -> Result<()> {
        let body = self.body_mut(body)?;
        let by = IVec2::new(x, y).saturating_sub(body.aabb.min);
        (body.aabb, body.subpixel) = (body.aabb.translated(by), IVec2::ZERO);
        Ok(())
    }

    /// Changes the size of a character; the side `anchor` stays. False, and nothing changes, if there is no
    /// room.
    pub fn resize(&mut self, level: &Level, body: i32, w: i32, h: i32, anchor: Side) -> Result<bool> {
        let (size, id) = (aabb(0, 0, w, h)?.size(), self.id(body)?);
        Ok(self.world.resize(level.core(), id, size, anchor.into()))
    }

    /// Returns the velocity of a body in pixels a second.
    pub fn velocity(&self, body: i32) -> Result<Point> {
        Ok(Point::new(self.body(body)?.velocity().as_dvec2()))
    }

    /// Sets the velocity of a body in pixels a second.
    pub fn set_velocity(&mut self, body: i32, velocity_x: f32, velocity_y: f32) -> Result<()> {
        self.body_mut(body)?.set_velocity(pair("velocity", velocity_x, velocity_y)?);
        Ok(())
    }

    /// Sets the acceleration of a body, such as its gravity, in pixels a second squared.
    pub fn set_acceleration(&mut self, body: i32, x: f32, y: f32) -> Result<()> {
        self.body_mut(body)?.set_acceleration(pair("acceleration", x, y)?);
        Ok(())
    }

    /// Sets what a body is, what it collides with, and what it watches for events: categories as bits.
    pub fn set_categories(
        &mut self, body: i32, category: u64, collides_with: u64, watches: u64,
    ) -> Result<()> {
        let body = self.body_mut(body)?;
        (body.category, body.collides_with, body.watches) = (category, collides_with, watches);
        Ok(())
    }

    /// Returns the settings of a character's motion.
    pub fn settings(&self, body: i32) -> Result<Settings> {
        match &self.body(body)?.kind {
            BodyKind::Character(character) => Ok(Settings::new(&character.settings)),
            _ => Err(bad("body", body, "a character")),
        }
    }

    /// Sets the settings of a character's motion.
    pub fn set_settings(&mut self, body: i32, settings: &Settings) -> Result<()> {
        match &mut self.body_mut(body)?.kind {
            BodyKind::Character(character) => settings.set(&mut character.settings),
            _ => Err(bad("body", body, "a character")),
        }
    }

    /// Moves a platform from stop to stop: `stops` is x and y of each, `speed` in pixels a second, `wait` in
    /// seconds at each. `round` goes from the last straight to the first; else it goes back the same way.
    /// Empty `stops` end the path.
    pub fn set_path(&mut self, body: i32, stops: &[i32], speed: f32, wait: f32, round: bool) -> Result<()> {
        self.id(body)?;
        let (speed, wait, rate) = (extent("speed", speed)?, extent("wait", wait)?, self.world.rate());
        let stops = points("stops", stops)?.into_iter().map(|stop| (stop, wait));
        if stops.len() == 0 {
            self.paths.remove(&body);
        } else if round {
            self.paths.insert(body, Path::round(rate, speed, stops));
        } else {
            self.paths.insert(body, Path::back_and_forth(rate, speed, stops));
        }
        Ok(())
    }

    /// Moves a platform on a circle. A turn takes `seconds`, and is counter-clockwise if they are negative.
    pub fn set_circle(&mut self, body: i32, x: i32, y: i32, radius: i32, seconds: f32) -> Result<()> {
        self.id(body)?;
        let seconds = real("seconds", seconds, -65535.0..=65535.0)?;
        let path = Path::circle(self.world.rate(), IVec2::new(x, y), length("radius", radius)?, seconds);
        self.paths.insert(body, path);
        Ok(())
    }

    /// The place of a player among the players.
    fn player(&self, body: i32) -> Result<usize> {
        let id = self.id(body)?;
        let found = self.players.iter().position(|player| player.body == id);
        found.ok_or_else(|| bad("body", body, "a player"))
    }

    /// The parts that a follower reads and sets.
    pub(crate) fn parts(&mut self, body: i32) -> Result<(&mut bitwall::World, &mut Player)> {
        let at = self.player(body)?;
        Ok((&mut self.world, &mut self.players[at]))
    }

    /// Makes a character a player, which moves by keys with this feel; or changes the feel of a player.
    pub fn set_player(&mut self, body: i32, feel: &Feel) -> Result<()> {
        if let Ok(at) = self.player(body) {
            return feel.change(&mut self.players[at].feel);
        }
        self.settings(body)?;
        let mut player = Player::new(self.id(body)?, bitwall::character::Feel::default());
        feel.change(&mut player.feel)?;
        self.players.push(player);
        Ok(())
    }

    /// Returns the feel of a player.
    pub fn feel(&self, body: i32) -> Result<Feel> {
        Ok(Feel::new(&self.players[self.player(body)?].feel))
    }

    /// Names the areas that are ladders and water for a player, as in the level; empty for none.
    pub fn set_areas(&mut self, body: i32, ladder: &str, water: &str) -> Result<()> {
        let feel = &mut self.parts(body)?.1.feel;
        (feel.ladder, feel.water) = (ladder.to_owned(), water.to_owned());
        Ok(())
    }

    /// Sets the keys that a player holds in the next steps: `x` from -1 (left) to 1 (right), `y` from -1 (up)
    /// to 1 (down).
    pub fn set_input(&mut self, body: i32, x: f32, y: f32, jump: bool, dash: bool) -> Result<()> {
        self.parts(body)?.1.input = input(x, y, jump, dash)?;
        Ok(())
    }

    /// Gives a player a velocity and keeps it for some seconds, as for a knockback.
    pub fn force(&mut self, body: i32, x: f32, y: f32, seconds: f32) -> Result<()> {
        let (velocity, seconds) = (pair("velocity", x, y)?, extent("seconds", seconds)?);
        let (world, player) = self.parts(body)?;
        world.force(player, velocity, seconds);
        Ok(())
    }

    /// Returns what the last step did to a character; nothing before its first step.
    pub fn motion(&self, body: i32) -> Result<Motion> {
        let moved = self.body(body)?;
        let (last, velocity) = (moved.last(), moved.velocity().to_array());
        let Some(last) = last else { return Ok(Motion::default()) };
        let Ok(at) = self.player(body) else { return Ok(Motion::keyless(last, velocity)) };
        let (state, outcome) = (self.players[at].state(), self.players[at].outcome);
        let jumped = outcome.is_some_and(|outcome| outcome.jumped_from.is_some());
        Ok(Motion::new(last, velocity, state.stance, state.facing, jumped))
    }

    /// Moves all bodies by one step: platforms on their paths, players by their keys, the others by their
    /// velocity.
    pub fn step(&mut self, level: &Level) {
        for (number, path) in &mut self.paths {
            let id = self.ids.get(number);
            if let Some(body) = id.and_then(|id| self.world.get_mut(*id)) {
                path.advance(body);
            }
        }
        self.world.step_players(level.core(), &mut self.players);
    }

    /// Returns the events of the last step.
    pub fn events(&self) -> Vec<Event> {
        self.world.events().iter().filter_map(|event| self.event(*event)).collect()
    }

    fn event(&self, event: CoreEvent) -> Option<Event> {
        let (mut side, mut cell, mut normal) = (None, IVec2::ZERO, Vec2::ZERO);
        let (body, other) = match event {
            CoreEvent::Crushed { body, by } => (body, Some(by)),
            CoreEvent::Buried { body } => (body, None),
            CoreEvent::Begin(meeting) | CoreEvent::Stay(meeting) | CoreEvent::End(meeting) => {
                side = meeting.side;
                (meeting.watcher, Some(meeting.body))
            }
            CoreEvent::Hit(impact) => {
                normal = impact.normal();
                match impact.hit {
                    Hit::Body(other) => (impact.body, Some(other)),
                    Hit::Cell(at) => {
                        cell = at;
                        (impact.body, None)
                    }
                }
            }
            _ => return None,
        };
        Some(Event::new(event.into(), self.number(Some(body)), self.number(other), side, cell, normal))
    }

    /// Returns where to draw each body, in the order in which they were added.
    pub fn drawn(&self, level: &Level) -> Vec<Drawn> {
        let drawn = self.ids.iter().filter_map(|(number, id)| {
            let place = self.world.drawn(level.core(), *id)?;
            let size = self.world.get(*id)?.aabb.size();
            Some(Drawn::new(*number, place.as_vec2(), size.as_vec2()))
        });
        drawn.collect()
    }

    /// Returns the platform on which a body stands; -1 without one.
    pub fn standing_on(&self, body: i32) -> Result<i32> {
        Ok(self.number(self.world.standing_on(self.id(body)?)))
    }

    /// Drops a character through the one-way floor on which it stands. False if it stands on none.
    pub fn drop_through(&mut self, level: &Level, body: i32) -> Result<bool> {
        let id = self.id(body)?;
        Ok(self.world.drop_through(level.core(), id))
    }

    /// Moves a character that overlaps a solid to the nearest free place, at most `radius` pixels away.
    pub fn unstick(&mut self, level: &Level, body: i32, radius: i32) -> Result<Pixel> {
        let (id, radius) = (self.id(body)?, length("radius", radius)?);
        Ok(Pixel::new(self.world.unstick(level.core(), id, radius)))
    }

    /// Returns the bodies of some categories that overlap a box.
    pub fn overlapping(&self, x: i32, y: i32, w: i32, h: i32, categories: u64) -> Result<Vec<i32>> {
        let found = self.world.overlapping(aabb(x, y, w, h)?, categories);
        Ok(found.into_iter().map(|id| self.number(Some(id))).collect())
    }

    /// Returns the body of some categories that is nearest to a pixel, at most `radius` pixels away; -1
    /// without one.
    pub fn nearest(&self, x: i32, y: i32, radius: i32, categories: u64) -> Result<i32> {
        let found = self.world.nearest(IVec2::new(x, y), length("radius", radius)?, categories);
        Ok(self.number(found.map(|(id, _)| id)))
    }

    /// Returns how far a box can move in the level and among the bodies of some categories.
    pub fn sweep(
        &self, level: &Level, x: i32, y: i32, w: i32, h: i32, dir: Dir, step: i32, categories: u64,
    ) -> Result<Sweep> {
        let (area, step) = (aabb(x, y, w, h)?, length("step", step)?);
        let sweep = self.world.sweep(level.core(), area, dir.into(), step, categories);
        let body = self.number(sweep.contact.and_then(|contact| contact.body));
        Ok(Sweep::new(sweep, body))
    }

    /// Returns the first solid, or the first body of some categories, on the line between the middles of two
    /// pixels.
    pub fn ray(&self, level: &Level, x: i32, y: i32, to_x: i32, to_y: i32, categories: u64) -> Ray {
        let (from, to) = (IVec2::new(x, y), IVec2::new(to_x, to_y));
        let found = self.world.ray(level.core(), from, to, Corners::Block, categories);
        let body = match found {
            Some((Hit::Body(id), _)) => self.number(Some(id)),
            _ => -1,
        };
        Ray::new(found.map(|(_, hit)| hit), body)
    }

    /// Returns a copy of the world with its players and paths, to go back to.
    pub fn copy(&self) -> Self {
        self.clone()
    }

    /// Makes this world what another one is, as for going back to a copy.
    pub fn restore(&mut self, other: &World) {
        self.clone_from(other);
    }

    /// Returns a number that is equal for worlds with equal bodies and players, on every platform.
    pub fn checksum(&self) -> u64 {
        let players = self.players.iter().map(Player::checksum);
        players.fold(self.world.checksum(), |sum, one| sum.rotate_left(1) ^ one)
    }
}

fn missing(body: i32) -> Box<Error> {
    Error::new(MISSING, format_args!("the world has no body {body}"))
}
