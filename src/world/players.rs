//! Players: characters of a world that the keys of a game control, by the rules of [`Platformer`]. Each
//! player reads its keys before a step of the world, moves in the step as the other bodies do, and updates
//! its stance after the step.

use glam::I64Vec2;

use super::body::BodyKind;
use super::solids::BodySolids;
use super::{BodyId, World, mover_of};
use crate::character::{Feel, Input, LadderSolids, Outcome, Platformer, Rules, Stance};
use crate::checksum;
use crate::level::Solids;
use crate::mover::{Mover, Response};
use crate::{Level, Rate};

/// A character of a [`World`] that the keys of a game control. It runs, jumps, climbs and swims as a
/// [`Platformer`].
///
/// It rides on lifts and crates, drops through one-way platforms, and pushes crates.
///
/// The body's velocity is also the player's velocity: to throw a player back, call
/// [`Body::set_velocity`](super::Body::set_velocity). The body's acceleration is set to 0, because the
/// gravity of [`Feel`] replaces it. The world does not contain the player: the game keeps it, and saves it
/// together with the world.
///
/// ```
/// use bitwall::character::{Feel, Input, Stance};
/// use bitwall::glam::UVec2;
/// use bitwall::world::{Body, Player, World};
/// use bitwall::{Aabb, Grid, Level, MoverSettings, Rate};
///
/// let level = Level::from_grid(Grid::new(40, 30)?, UVec2::splat(16))?;
/// let mut world = World::new(Rate::per_second(60));
/// let lift = Body::one_way_platform(Aabb::from_xywh(100, 200, 80, 8));
/// world.add(lift.with_velocity((90.0, 0.0)));
/// let hero = Body::character(Aabb::from_xywh(130, 180, 12, 20), MoverSettings::platformer());
/// let hero = world.add(hero);
/// let mut players = [Player::new(hero, Feel::default())];
/// for _ in 0..100 {
///     world.step_players(&level, &mut players);
/// }
/// assert_eq!(players[0].state().stance, Stance::Ground);
/// assert_eq!(world.get(hero).map(|body| body.aabb.min.x), Some(280), "it rides on the lift");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Player {
    /// The body that the player moves: a character.
    ///
    /// A step sets its floor and its fall limit to those of `feel`, and its response to
    /// [`Response::Slide`].
    pub body: BodyId,
    /// The speeds, times and distances of the player's motion.
    pub feel: Feel,
    /// The keys that are held in the next step.
    pub input: Input,
    state: Platformer,
    /// The outcome of the last step. `None` before the first step, or if `body` is not a character of the
    /// world.
    ///
    /// The motion of its body is [`Body::last`](super::Body::last).
    pub outcome: Option<Outcome>,
}

impl Player {
    /// Returns a player at rest, without a held key, for the character `body`.
    pub fn new(body: BodyId, feel: Feel) -> Self {
        // A step of a world sets the rate to the world's.
        let state = Platformer::new(Rate::per_second(1));
        Self { body, feel, input: Input::NONE, state, outcome: None }
    }

    /// Returns the state of the character after the last step, such as its stance.
    pub const fn state(&self) -> &Platformer {
        &self.state
    }

    /// Returns a checksum of the player, which is the same on every platform: see [`World::checksum`]. It
    /// includes neither the body, which is a part of the world, nor the settings `feel`.
    pub fn checksum(&self) -> u64 {
        checksum::of(&(self.body, self.input, self.state, self.outcome))
    }
}

impl World {
    /// Moves all bodies by one step, like [`World::step`], with `players` controlled by their keys.
    ///
    /// A player that jumps from a platform or its wall keeps the platform's velocity along x, and along y if
    /// the platform rises ([`Feel::momentum_limit`]). Two players must not share a body.
    pub fn step_players(&mut self, level: &Level, players: &mut [Player]) {
        for player in players.iter_mut() {
            self.start_player(level, player);
        }
        self.step_among(level, players);
        for player in players {
            self.finish_player(level, player);
        }
    }

    /// Gives a player's body the velocity `velocity` in pixels a second, and keeps it for `seconds`: see
    /// [`Platformer::force`].
    pub fn force(&mut self, player: &mut Player, velocity: impl Into<[f32; 2]>, seconds: f32) {
        player.state.rate = self.rate;
        player.state.force(velocity, seconds);
        if let Some(body) = self.get_mut(player.body) {
            body.velocity = player.state.velocity;
        }
    }

    /// The mover and the state of a player between two steps, with the velocity that its body has now.
    /// Returns `None` if the player's body is not a character of the world.
    pub(crate) fn actor_of(&self, player: &Player) -> Option<(Mover, Platformer)> {
        let body = self.get(player.body)?;
        let mut state = player.state;
        (state.rate, state.velocity) = (self.rate, body.velocity);
        Some((mover_of(body)?, state))
    }

    /// Starts a player's step: drops, jumps, steers, and sets the body's velocity. Returns `None` if the
    /// player's body is not a character of the world.
    fn start_player(&mut self, level: &Level, player: &mut Player) -> Option<()> {
        let Player { body: id, feel, input, state, outcome } = player;
        *outcome = None;
        state.rate = self.rate;
        let body = self.get_mut(*id)?;
        let BodyKind::Character(character) = &mut body.kind else { return None };
        state.stand_on(feel.floor, &mut character.settings);
        character.settings.response = Response::Slide;
        body.acceleration = I64Vec2::ZERO;
        state.velocity = body.velocity;
        let from = state.stance;
        let dropped = state.asks_to_drop(*input, feel) && self.drop_by(level, *id, Some(feel));
        if dropped {
            state.velocity = self.get(*id)?.velocity;
        }
        let carrier = if from.is_carried() { self.standing_on(*id) } else { None };
        state.ride(self.carried_motion(*id, carrier), feel);
        let (mut wall, mut ridden) = (None, None);
        self.with_mover(level, *id, &mut |mover, solids| {
            let ladders = LadderSolids::new(solids, feel);
            let rules = Rules::new(&ladders, *input, state.rate);
            let started = outcome.insert(state.start(&rules, mover, dropped));
            ridden = ridden_by(state, solids, feel);
            if let Some(Stance::WallSlide(side)) = started.jumped_from {
                let sweep = ladders.sweep_aabb(mover.body, side, feel.wall_reach, false);
                wall = Some((side, sweep.moved));
            }
        });
        if outcome.is_some_and(|outcome| outcome.jumped_from.is_some()) {
            if let Some((side, away)) = wall.filter(|_| !from.is_carried()) {
                // The wall carries as if the player held on to it: the level beside it does not matter.
                let mut beside = *self.get(*id)?;
                beside.aabb = beside.aabb.shifted(side, away);
                if let BodyKind::Character(character) = &mut beside.kind {
                    character.holds = Some(side);
                }
                let wall = self.carrier(*id, &beside);
                state.ride(self.carried_motion(*id, wall), feel);
            }
            state.take_momentum(feel, true);
        }
        let body = self.get_mut(*id)?;
        body.velocity = state.velocity;
        if let BodyKind::Character(character) = &mut body.kind {
            (character.holds, character.rides) = (state.stance.holds(), ridden);
            character.fall_limit = state.fall_limit(feel);
        }
        Some(())
    }

    /// Ends a player's step: updates the stance, the velocity and the outcome. Returns `None` if the player's
    /// body is not a character of the world.
    fn finish_player(&mut self, level: &Level, player: &mut Player) -> Option<()> {
        let Player { body: id, feel, input, state, outcome } = player;
        let outcome = outcome.as_mut()?;
        let body = self.get(*id)?;
        let mut motion = *body.last()?;
        state.velocity = body.velocity;
        let mut ridden = None;
        self.with_mover(level, *id, &mut |mover, solids| {
            let ladders = LadderSolids::new(solids, feel);
            let rules = Rules::new(&ladders, *input, state.rate);
            // Bodies that moved later in the step may have moved away from under the player, or under it.
            state.pass_one_way(*input, feel.floor, &mut mover.settings);
            motion.grounded = mover.is_standing(&ladders, state.velocity);
            state.finish(&rules, mover.body, &motion, outcome);
            ridden = ridden_by(state, solids, feel);
        });
        let body = self.get_mut(*id)?;
        body.velocity = state.velocity;
        if let BodyKind::Character(character) = &mut body.kind {
            character.last = Some(motion);
            (character.holds, character.rides) = (state.stance.holds(), ridden);
        }
        Some(())
    }
}

/// The platform on whose ladder a player climbs; `None` if it climbs on none.
fn ridden_by(state: &Platformer, solids: &BodySolids<'_>, feel: &Feel) -> Option<BodyId> {
    solids.placed_area(&feel.ladder)?.body.filter(|_| state.stance == Stance::Ladder)
}
