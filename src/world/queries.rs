//! Queries about a world between two steps, such as the bodies at a position, or the first solid on a line.
//! The queries use the same index as the steps. Only [`World::unstick`], [`World::drop_through`],
//! [`World::resize`] and [`World::set_footprint`] change a body.

use std::sync::Arc;

use glam::{DVec2, I64Vec2, IVec2, UVec2, Vec2};

use super::body::{Body, BodyKind, Character};
use super::near::widened;
use super::obstacle::BodyMet;
use super::riders::{holds, support_of};
use super::solids::BodySolids;
use super::{Asker, BodyId, Known, Obstacle, Other, Pairs, World, drawn, mover_of, toward};
use crate::character::{Feel, LadderSolids};
use crate::geometry::{Aabb, Corners, Dir, SUBPIXELS, Sides};
use crate::level::Solids;
use crate::mover::{Ahead, Mover, MoverSettings, ObeyedSolids};
use crate::terrain::{Contact, Hit, RayHit, Sweep, ray_to_box};
use crate::{Footprint, Level};

impl World {
    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.bodies.slots.len() - self.bodies.free.len()
    }

    /// True if the world has no body.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Moves all bodies by `by` pixels, as when the game moves the level in an endless world or enters
    /// another room. Their motion goes on as before.
    ///
    /// The cells in [`Body::last`] and in the events of the last step are not moved. A body beyond the range
    /// of `i32` is cut.
    pub fn shift(&mut self, by: IVec2) {
        for (_, body) in self.iter_mut() {
            body.aabb = body.aabb.translated(by);
            if let BodyKind::Character(Character { dropping: Some(floor), .. }) = &mut body.kind {
                *floor = floor.map(|pixel| pixel.saturating_add(by));
            }
        }
    }

    /// Returns the ids of the bodies in at least one of `categories` that overlap `area`, in ascending order.
    /// Balls count as circles, and a piece of level with its solid pixels.
    ///
    /// O(1 + bodies in the area) for a small area; allocates the list.
    ///
    /// ```
    /// use bitwall::world::{Body, World};
    /// use bitwall::{Aabb, Rate};
    ///
    /// let mut world = World::new(Rate::per_second(60));
    /// let coin = Body::sensor(Aabb::from_xywh(40, 0, 8, 8)).with_category(4);
    /// let coin = world.add(coin);
    /// assert_eq!(world.overlapping(Aabb::from_xywh(30, 4, 11, 9), 4), [coin]);
    /// assert_eq!(world.overlapping(Aabb::from_xywh(30, 4, 11, 9), 1), []);
    /// ```
    pub fn overlapping(&self, area: Aabb, categories: u64) -> Vec<BodyId> {
        let mut slots = Vec::new();
        // Because of its subpixel, a circle extends beyond its box by less than a pixel.
        self.visit(widened(area, 1), &mut |slot, body| {
            let is_in = match (self.bodies.obstacle(slot, body).piece, body.circle()) {
                (Some(piece), _) => piece.overlaps_aabb(area),
                (None, Some(circle)) => circle.overlaps_box(area),
                (None, None) => body.aabb.overlaps(area),
            };
            if body.category & categories != 0 && is_in {
                slots.push(slot);
            }
        });
        slots.sort_unstable();
        slots.into_iter().map(|slot| self.bodies.id(slot)).collect()
    }

    /// Returns the pairs of bodies that overlap ([`Body::overlaps`], or a pixel of a piece) and collide with
    /// each other's categories ([`Body::meets`]), sorted by ids.
    ///
    /// Each pair occurs once, and no body is paired with itself. O(n log n + pairs); allocates.
    pub fn pairs(&self) -> Vec<(BodyId, BodyId)> {
        let mut boxes = vec![Aabb::default(); self.bodies.slots.len()];
        for (slot, body) in self.bodies.iter() {
            boxes[slot as usize] = body.circle().map_or(body.aabb, |circle| circle.bounds());
        }
        let mut met = Vec::new();
        for (one, two) in Pairs::default().find(&boxes).iter().copied() {
            if let (Some(body), Some(other)) = (self.bodies.at(one), self.bodies.at(two))
                && body.meets(other)
                && self.bodies.overlap(one, two)
            {
                met.push((self.bodies.id(one), self.bodies.id(two)));
            }
        }
        met
    }

    /// Returns the body in at least one of `categories` whose box is nearest to the pixel `point`, and the
    /// square of its distance.
    ///
    /// Returns `None` if no such body is within `radius`. The distance in pixels is measured from the centre
    /// of the pixel `point` to the centre of the nearest pixel of the box, or of the piece of level. Of
    /// equally near bodies, the body with the lowest [`BodyId`] is returned. O(bodies within the radius).
    pub fn nearest(&self, point: IVec2, radius: u32, categories: u64) -> Option<(BodyId, u64)> {
        let reach = i32::try_from(radius).unwrap_or(i32::MAX);
        let pixel = Aabb { min: point, max: point.saturating_add(IVec2::ONE) };
        let mut best: Option<(u64, BodyId)> = None;
        self.visit(widened(pixel, reach), &mut |slot, body| {
            let nearest = match self.bodies.obstacle(slot, body).piece {
                None => Some(point.clamp(body.aabb.min, body.aabb.max - 1)),
                Some(piece) => piece.nearest_solid(point, radius),
            };
            let Some(nearest) = nearest else { return };
            let distance = (nearest.as_i64vec2() - point.as_i64vec2()).length_squared() as u64;
            let offer = (distance, self.bodies.id(slot));
            if body.category & categories != 0 && distance <= u64::from(radius).pow(2) {
                best = Some(best.map_or(offer, |best| best.min(offer)));
            }
        });
        best.map(|(distance, id)| (id, distance))
    }

    /// Returns the distance that a box can move toward `dir`, at most `step`, and the first contact, like
    /// [`Terrain::sweep`](crate::Terrain::sweep).
    ///
    /// The level and all bodies in at least one of `categories` stop the box; a ball counts as the square
    /// around it. One-way platforms stop only motion from above. A body that already overlaps the box stops
    /// it at once. So if `aabb` is the box of a body, leave out the categories of this body.
    pub fn sweep(&self, level: &Level, aabb: Aabb, dir: Dir, step: u32, categories: u64) -> Sweep {
        let mut first: Option<BodyMet> = None;
        self.visit(aabb.strip(dir, step), &mut |slot, body| {
            if body.category & categories != 0 {
                let id = self.bodies.id(slot);
                let met = self.bodies.obstacle(slot, body).met(id, aabb, dir, (step, true));
                if first.is_none_or(|first| met.is_some_and(|met| met < first)) {
                    first = met;
                }
            }
        });
        BodyMet::earlier(first, level, level.sweep(aabb, dir, step), dir)
    }

    /// Returns the first solid of the level, or the first body in at least one of `categories`, on a straight
    /// line.
    ///
    /// The line leads from the centre of the pixel `from` to the centre of the pixel `to`, as in
    /// [`Terrain::ray`](crate::Terrain::ray). Returns `None` if nothing is on the line. Every kind of body
    /// counts as its box, also a ball, and a piece of level as its solid pixels. At the same point, the level
    /// comes first, then the body with the lowest [`BodyId`].
    pub fn ray(
        &self,
        level: &Level,
        from: IVec2,
        to: IVec2,
        corners: Corners,
        categories: u64,
    ) -> Option<(Hit, RayHit)> {
        let in_level = level.ray(from, to, corners).map(|hit| (Hit::Cell(hit.cell), hit));
        let area = Aabb { min: from.min(to), max: from.max(to).saturating_add(IVec2::ONE) };
        let mut first: Option<(BodyId, RayHit)> = None;
        self.visit(area, &mut |slot, body| {
            if body.category & categories == 0 {
                return;
            }
            let hit = match self.bodies.obstacle(slot, body).piece {
                None => ray_to_box(body.aabb, from, to, corners),
                Some(piece) => piece.ray(from, to, corners),
            };
            let Some(hit) = hit else { return };
            let id = self.bodies.id(slot);
            let is_first = first.is_none_or(|(other, least)| {
                hit.compare(&least).then_with(|| id.cmp(&other)).is_lt()
            });
            if is_first {
                first = Some((id, RayHit { cell: level.cell_at(hit.pixel), ..hit }));
            }
        });
        let in_bodies = first.map(|(id, hit)| (Hit::Body(id), hit));
        match (in_level, in_bodies) {
            (Some(level), Some(body)) if body.1.compare(&level.1).is_lt() => Some(body),
            (level, body) => level.or(body),
        }
    }

    /// Returns the platform or character on which a character stands: it touches the character's side toward
    /// the floor. For a character that holds on to a side ([`Character::holds`](super::Character::holds)),
    /// the body on that side.
    ///
    /// Of several such bodies, the body with the longest shared edge is returned. Returns `None` if the
    /// character stands only on the level or is in the air, and if no such character exists.
    pub fn standing_on(&self, id: BodyId) -> Option<BodyId> {
        self.carrier(id, self.bodies.get(id)?)
    }

    /// [`World::standing_on`] for the character `id` if it were as `body`.
    pub(super) fn carrier(&self, id: BodyId, body: &Body) -> Option<BodyId> {
        let support = support_of(&self.bodies, id.slot, body, &|area, found| {
            self.visit(area, &mut |slot, _| found(slot));
        });
        support.map(|slot| self.bodies.id(slot))
    }

    /// True if a character stands only on one-way cells and one-way platforms, so that it can
    /// [`World::drop_through`] them.
    ///
    /// False if it stands on a solid or is in the air, and if no such character exists.
    ///
    /// ```
    /// use bitwall::glam::UVec2;
    /// use bitwall::world::{Body, World};
    /// use bitwall::{Aabb, Grid, Level, MoverSettings, Rate};
    ///
    /// let level = Level::from_grid(Grid::new(20, 10)?, UVec2::splat(16))?;
    /// let mut world = World::new(Rate::per_second(60));
    /// world.add(Body::one_way_platform(Aabb::from_xywh(32, 100, 48, 8)));
    /// let hero = Body::character(Aabb::from_xywh(40, 80, 12, 20), MoverSettings::platformer());
    /// let hero = world.add(hero);
    /// assert!(world.is_on_one_way(&level, hero));
    /// assert!(world.drop_through(&level, hero) && !world.is_on_one_way(&level, hero));
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn is_on_one_way(&self, level: &Level, id: BodyId) -> bool {
        let is_on = self.ask_touching(level, id, &|mover, solids| mover.is_on_one_way(solids));
        is_on.unwrap_or(false)
    }

    /// Returns the velocity with which a platform carries a character that stands on it or holds on to it
    /// ([`Character::holds`](super::Character::holds)), directly or on other characters, in pixels a second.
    ///
    /// This is the sum of the velocities of the platform and of its belt, or zero without a platform. Of the
    /// belt, only the part along the side of the platform counts for a character that holds on to this side.
    /// Add this velocity to a jump from a moving platform. In the step of the jump the platform carries the
    /// character once more, before the character leaves the platform.
    pub fn floor_velocity(&self, id: BodyId) -> Vec2 {
        let motion = self.carried_motion(id, self.standing_on(id));
        Vec2::from(motion.to_array().map(|along| self.rate.pixels(along, 1)))
    }

    /// The velocity at which `carrier` carries a character, in subpixels a step: that of a platform, or of
    /// the platform on which the carrier stands. Zero without a platform.
    pub(super) fn carried_motion(&self, id: BodyId, carrier: Option<BodyId>) -> I64Vec2 {
        let mut rider = self.get(id);
        let mut on = carrier;
        // The loop is bounded, because characters with opposite floors can stand on each other.
        for _ in 0..self.len() {
            let Some((rider_body, body)) = rider.zip(on.and_then(|on| self.get(on))) else { break };
            if let BodyKind::Platform(platform) = body.kind {
                return body.velocity.saturating_add(rider_body.along_belt(platform.belt));
            }
            rider = Some(body);
            on = on.and_then(|on| self.standing_on(on));
        }
        I64Vec2::ZERO
    }

    /// Returns true for each side of a character that touches a solid of the level or another body, like
    /// [`Mover::touching`].
    ///
    /// Returns `None` if no such character exists. Allocates nothing, so a game may ask it in every step.
    pub fn touching(&self, level: &Level, id: BodyId) -> Option<Sides<bool>> {
        let body = self.bodies.get(id)?;
        body.as_character()?;
        let solids = level.solids_for(body.collides_with);
        let level = solids.for_footprint(self.bodies.footprint(id.slot));
        let mut sides = Sides::all(false);
        for dir in Dir::ALL {
            let mut is_touched = !level.can_move_aabb(body.aabb, dir, 1, body.touches_one_way(dir));
            let area = self.bodies.reach(id.slot, body.aabb, body.aabb.strip(dir, 1));
            self.visit(area, &mut |slot, _| {
                is_touched |= slot != id.slot && holds(&self.bodies, id.slot, dir, slot);
            });
            *sides.get_mut(dir) = is_touched;
        }
        Some(sides)
    }

    /// Returns the contacts with all cells and bodies that touch a character's side `dir`, like
    /// [`Mover::contacts`]. Empty if no such character exists.
    ///
    /// Spikes, crumbling floors and switches read the contacts after a step.
    pub fn contacts(&self, level: &Level, id: BodyId, dir: Dir) -> Vec<Contact> {
        let contacts = self.ask_touching(level, id, &|mover, solids| mover.contacts(solids, dir));
        contacts.unwrap_or_default()
    }

    /// Calls `ask` with a mover for a character and the solids beside it. Of one-way solids, those count
    /// that [`Body::touches_one_way`] counts. Returns `None` if no such character exists.
    fn ask_touching<T>(
        &self,
        level: &Level,
        id: BodyId,
        ask: &dyn Fn(&Mover, &BodySolids<'_>) -> T,
    ) -> Option<T> {
        let body = self.bodies.get(id)?;
        let is_beside = |obstacle: &Obstacle<'_>| !obstacle.overlaps_aabb(body.aabb);
        self.among_solids(level, id, 1, &is_beside, &|mover, solids| {
            let mut mover = *mover;
            mover.settings.one_way = Sides::from_fn(|side| body.touches_one_way(side.opposite()));
            ask(&mover, solids)
        })
    }

    /// Returns what ends a walk of `distance` pixels of a character toward `dir`, like
    /// [`Mover::floor_ahead`]. Bodies are walls and floors too.
    ///
    /// Returns `None` if no such character exists. An enemy that turns at ledges and walls:
    ///
    /// ```
    /// use bitwall::glam::UVec2;
    /// use bitwall::mover::Ahead;
    /// use bitwall::world::{Body, World};
    /// use bitwall::{Aabb, Dir, Grid, Level, MoverSettings, Rate};
    ///
    /// let level = Level::from_grid(Grid::from_text("......\n#.....\n#####.")?, UVec2::splat(16))?;
    /// let mut world = World::new(Rate::per_second(60));
    /// let enemy = Body::character(Aabb::from_xywh(40, 20, 12, 12), MoverSettings::platformer());
    /// let enemy = world.add(enemy);
    /// let (mut dir, mut turns) = (Dir::Right, 0);
    /// for _ in 0..240 {
    ///     let ahead = world.floor_ahead(&level, enemy, dir, 12);
    ///     if matches!(ahead, Some(Ahead::Ledge(_) | Ahead::Wall(0))) {
    ///         dir = dir.opposite();
    ///         turns += 1;
    ///     }
    ///     if let Some(enemy) = world.get_mut(enemy) {
    ///         enemy.set_velocity(dir.vector().as_vec2() * 60.0);
    ///     }
    ///     world.step(&level);
    ///     assert!(world.get(enemy).is_some_and(|enemy| enemy.aabb.max.x <= 80), "not over the ledge");
    /// }
    /// assert_eq!(turns, 5);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn floor_ahead(&self, level: &Level, id: BodyId, dir: Dir, distance: u32) -> Option<Ahead> {
        let settings = self.bodies.get(id)?.as_character()?.settings;
        // The walk can climb or descend in each of its pixels.
        let rise =
            settings.step_height.max(settings.snap_distance).min(MoverSettings::MAX_CORRECTION);
        let reach = distance.min(Mover::MAX_TRANSLATION) * (1 + rise);
        self.among_solids(level, id, reach, &|_| true, &|mover, solids| {
            mover.floor_ahead(solids, dir, distance)
        })
    }

    /// Returns the position in pixels at which to draw the top-left corner of a body: its position together
    /// with the fractions of a pixel of the bodies that carry or push it.
    ///
    /// Returns `None` if the body was removed.
    ///
    /// A body moves its riders and the bodies in front of it by whole pixels. So the distance between the
    /// positions of a lift and its rider changes by a fraction of a pixel in each step. The distance between
    /// their drawn positions stays the same while the rider stands still. The same is true for a body and
    /// the crate that it pushes. A body that a solid stops on a lift or a belt is drawn at the same position
    /// in each step. On a slope, a walking character is drawn between two pixels also along the axis of its
    /// floor ([`Mover::drawn`](crate::Mover::drawn)).
    ///
    /// When a body steps onto or off a moving platform, or begins or ends a push, its drawn position moves
    /// by less than a pixel more than the body. O(n) for a row of n bodies that push each other.
    ///
    /// ```
    /// use bitwall::glam::UVec2;
    /// use bitwall::world::{Body, World};
    /// use bitwall::{Aabb, Grid, Level, MoverSettings, Rate};
    ///
    /// let level = Level::from_grid(Grid::new(20, 10)?, UVec2::splat(16))?;
    /// let mut world = World::new(Rate::per_second(60));
    /// let lift = Body::platform(Aabb::from_xywh(32, 100, 48, 8)).with_velocity((22.5, 0.0));
    /// let lift = world.add(lift);
    /// let hero = Body::character(Aabb::from_xywh(40, 80, 12, 20), MoverSettings::platformer());
    /// let hero = world.add(hero);
    /// for _ in 0..100 {
    ///     world.step(&level);
    ///     let (hero, lift) = (world.drawn(&level, hero), world.drawn(&level, lift));
    ///     assert_eq!(hero.zip(lift).map(|(hero, lift)| hero.x - lift.x), Some(8.0));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drawn(&self, level: &Level, id: BodyId) -> Option<DVec2> {
        drawn::position(self, level, id)
    }

    /// Calls `ask` with a mover for a character, and with the solids of the level and the bodies at most
    /// `reach` pixels away that `count`. Returns `None` if no such character exists.
    pub(super) fn among_solids<T>(
        &self,
        level: &Level,
        id: BodyId,
        reach: u32,
        count: &dyn Fn(&Obstacle<'_>) -> bool,
        ask: &dyn Fn(&Mover, &BodySolids<'_>) -> T,
    ) -> Option<T> {
        let body = self.bodies.get(id)?;
        let mover = mover_of(body)?;
        let asker = Asker::new(id.slot, Known::of(&self.bodies, id.slot, body));
        let reach = reach.saturating_add(body.look_aside() + 2);
        let region = widened(body.aabb, i32::try_from(reach).unwrap_or(i32::MAX));
        let mut others = Vec::new();
        self.visit(region, &mut |slot, other| {
            let known = Known::of(&self.bodies, slot, other);
            let obstacle = known.obstacle(&self.bodies, slot, self.bodies.footprint(id.slot));
            if asker.is_stopped_by(slot, &known) && count(&obstacle) {
                others.push(Other { slot, known });
            }
        });
        let near = &self.scratch.near;
        let solids = BodySolids::new(level, &self.bodies, near, &asker, &others, region);
        Some(ask(&mover, &solids))
    }

    /// Moves a character that overlaps a solid to the nearest free position at most `radius` pixels away, and
    /// returns the displacement.
    ///
    /// Searches like [`Mover::unstick`], within [`Mover::MAX_TRANSLATION`]. Returns `None` if no such
    /// position or character exists.
    pub fn unstick(&mut self, level: &Level, id: BodyId, radius: u32) -> Option<IVec2> {
        self.with_mover(level, id, &mut |mover, solids| mover.unstick(solids, radius))?
    }

    /// Moves a character through the one-way cells and platforms on which it stands, like
    /// [`Mover::drop_through`], and returns true.
    ///
    /// Returns false if it stands on a solid or is in the air, and if no such character exists. From a
    /// platform that moves down, the character also moves down by the pixels of the platform's next step. It
    /// gets the platform's subpixel, and at least the platform's velocity. So the platform does not catch the
    /// character again.
    pub fn drop_through(&mut self, level: &Level, id: BodyId) -> bool {
        self.drop_by(level, id, None)
    }

    /// [`World::drop_through`] of a player with `feel`, which also stands on the tops of ladders.
    pub(super) fn drop_by(&mut self, level: &Level, id: BodyId, feel: Option<&Feel>) -> bool {
        let Some(floor) = self.get(id).and_then(Body::floor) else { return false };
        let on = self.standing_on(id);
        let is_piece = on.is_some_and(|on| self.bodies.piece(on.slot).is_some());
        let on = on.and_then(|on| self.get(on)).copied();
        let axis = floor.axis().index();
        let pixel = i64::from(SUBPIXELS);
        let speed = on.map_or(0, |on| toward(on.velocity[axis], floor).max(0));
        let speed = speed.saturating_add(pixel - 1) / pixel;
        let has_dropped = self.with_mover(level, id, &mut |mover, solids| {
            let has_dropped = match feel {
                Some(feel) => mover.drop_through(&LadderSolids::new(solids, feel)),
                None => mover.drop_through(solids),
            };
            if has_dropped {
                // In the next step the platform moves before the character.
                let ahead = u32::try_from(speed).unwrap_or(u32::MAX);
                let solids = ObeyedSolids::new(solids, mover.settings.one_way);
                let free = solids.sweep(mover.body, floor, ahead).moved;
                mover.body = mover.body.shifted(floor, free);
            }
            has_dropped
        });
        let has_dropped = has_dropped.unwrap_or(false);
        if let Some(platform) = on.filter(|on| has_dropped && (is_piece || on.is_one_way()))
            && let Some(body) = self.bodies.get_mut(id)
        {
            let [own, its] = [&*body, &platform].map(|body| toward(body.velocity[axis], floor));
            body.velocity[axis] = toward(own.max(its), floor);
            let ahead = toward(platform.subpixel[axis].into(), floor).max(0);
            body.subpixel[axis] = toward(ahead, floor) as i32;
        }
        has_dropped
    }

    /// Gives a character the pixels of `footprint` against the level, platforms and their pieces, like
    /// [`Level::with_footprint`](crate::Level::with_footprint). With `None` it is a box again.
    ///
    /// Its box keeps its top-left corner and gets the size of the footprint, now and before each step. Other
    /// characters, balls, sensors, bullets and queries meet the box. The footprint may overlap solids, as
    /// after a turn: test it before, such as with [`Terrain::overlaps`](crate::Terrain::overlaps) of
    /// [`Footprint::at`], or call [`World::unstick`]. The clones of a world share footprints.
    ///
    /// Returns false and changes nothing if no such character exists.
    ///
    /// ```
    /// use bitwall::glam::UVec2;
    /// use bitwall::world::{Body, World};
    /// use bitwall::{Aabb, Footprint, Grid, Level, MoverSettings, Rate};
    ///
    /// let level = Level::from_grid(Grid::from_text("....\n....\n.#..\n....")?, UVec2::splat(8))?;
    /// let mut world = World::new(Rate::per_second(60));
    /// let ball = Body::character(Aabb::from_xywh(14, 0, 16, 16), MoverSettings::PLAIN);
    /// let ball = world.add(ball.with_velocity([0.0, 60.0 * 9.0]));
    /// assert!(world.set_footprint(ball, Some(Footprint::circle(16)?)));
    /// world.step(&level);
    /// let top = world.get(ball).map(|ball| ball.aabb.min.y);
    /// assert_eq!(top, Some(3), "the corner of the cell is beside its lowest point");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_footprint(&mut self, id: BodyId, footprint: Option<Footprint>) -> bool {
        if self.get(id).and_then(Body::as_character).is_none() || self.get_mut(id).is_none() {
            return false;
        }
        self.bodies.slots[id.slot as usize].footprint = footprint.map(Arc::new);
        self.bodies.settle(id.slot, self.rate);
        true
    }

    /// Returns the footprint of a character; `None` if it is a box, or no character of the world.
    pub fn footprint(&self, id: BodyId) -> Option<&Footprint> {
        self.get(id)?;
        self.bodies.footprint(id.slot)
    }

    /// Changes the size of a character, such as for a crouch, and returns true: see [`Mover::resize`].
    ///
    /// Returns false and changes nothing if the new box would overlap a solid of the level or another body,
    /// or if no such character exists.
    pub fn resize(
        &mut self,
        level: &Level,
        id: BodyId,
        size: impl Into<UVec2>,
        anchor: Option<Dir>,
    ) -> bool {
        let size = size.into();
        let is_resized =
            self.with_mover(level, id, &mut |mover, solids| mover.resize(solids, size, anchor));
        is_resized.unwrap_or(false)
    }

    /// Calls `change` with a mover for a character and with the solids around it, then stores the mover's new
    /// state. Returns `None` if no such character exists.
    pub(super) fn with_mover<T>(
        &mut self,
        level: &Level,
        id: BodyId,
        change: &mut dyn FnMut(&mut Mover, &BodySolids<'_>) -> T,
    ) -> Option<T> {
        self.scratch.build(&mut self.bodies, self.rate);
        let body = self.bodies.get(id)?;
        let mut mover = mover_of(body)?;
        let near = &self.scratch.near;
        let asker = Asker::new(id.slot, near.known[id.slot as usize]);
        let solids = BodySolids::new(level, &self.bodies, near, &asker, &[], Aabb::default());
        let answer = change(&mut mover, &solids);
        let kept = self.get_mut(id)?;
        (kept.aabb, kept.subpixel) = (mover.body, mover.subpixel);
        if let BodyKind::Character(character) = &mut kept.kind {
            character.dropping = mover.dropping;
        }
        Some(answer)
    }
}
