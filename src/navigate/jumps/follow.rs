//! The follower: the keys that take a body along a way, step by step. It walks to the start of each link,
//! stops there on the exact pixel, and plays the link in a copy first: so a link that a push, a crate or a
//! fraction of a pixel would spoil is not begun.

use glam::IVec2;

use super::programs::resting;
use super::search::Next;
use super::{Actor, Hop, JumpField, JumpWays, Moves, Playing};
use crate::character::{Input, Platformer, Stance};
use crate::geometry::SUBPIXELS;
use crate::level::Level;
use crate::mover::Mover;
use crate::world::{Player, World};

/// Where a [`Follower`] goes.
#[derive(Clone, Copy, Debug)]
pub enum Aim<'a> {
    /// To a position, by the quickest way ([`JumpWays::path`]). A position in the air counts as the place
    /// below it.
    To(IVec2),
    /// To the nearest goal of a field.
    Field(&'a JumpField),
}

/// What a [`Follower`] does in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Follow {
    /// The keys of the next step.
    Go(Input),
    /// The body rests at the goal.
    Arrived,
    /// No way is known from where the body is. Without keys it stays there.
    NoWay,
}

impl Follow {
    /// Returns the keys of the next step: none at the goal, and without a way.
    pub fn input(self) -> Input {
        match self {
            Self::Go(input) => input,
            Self::Arrived | Self::NoWay => Input::NONE,
        }
    }
}

/// A pixel in subpixels.
const PIXEL: i64 = SUBPIXELS as i64;

/// The most nudges before a link that does not work from here is given up.
const NUDGES: u8 = 16;

/// A body's progress on a way. A game keeps one for each body, and asks it for the keys of each step.
///
/// A push does no harm: the follower lets the body come to rest, and finds a way from there.
///
/// ```
/// use bitwall::character::{Feel, Platformer};
/// use bitwall::navigate::{Aim, Follow, Follower, JumpWays, Jumper};
/// use bitwall::{Aabb, Grid, Level, Mover, Rate, glam::IVec2, glam::UVec2};
///
/// let grid = Grid::from_text("........\n........\n........\n.....###\n........\n########")?;
/// let level = Level::from_grid(grid, UVec2::splat(16))?;
/// let jumper = Jumper::new(UVec2::new(12, 16), Feel::default(), Rate::per_second(60));
/// let ways = JumpWays::new(&level, jumper.clone())?;
/// let mut mover = Mover::new(Aabb::from_xywh(4, 64, 12, 16), jumper.settings);
/// let mut enemy = Platformer::new(jumper.rate);
/// let mut follower = Follower::default();
/// let aim = Aim::To(IVec2::new(100, 32));
/// loop {
///     match follower.next(&ways, &level, &mut mover, &enemy, aim) {
///         Follow::Go(input) => enemy.step(&level, &mut mover, input, &jumper.feel),
///         _ => break,
///     };
/// }
/// assert_eq!(mover.body.min, IVec2::new(100, 32));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Follower {
    /// The link that is played.
    playing: Option<Playing>,
    /// The links that are left, the next one last, and the place to which they lead.
    hops: Vec<Hop>,
    goal: Option<IVec2>,
    /// The link that was tried here without success, the number of tries, and the column to which the body
    /// walks before the next one.
    tried: Option<Hop>,
    tries: u8,
    nudge: Option<i32>,
    /// The column in which a link was last played ahead in motion.
    passed: Option<i32>,
    /// True if the body rested in the step before, off all places.
    rested: bool,
    /// True if the body's fraction of a pixel must become 0 in this step.
    aligns: bool,
    /// True if only keys may move the body. It then walks away and back for another fraction of a pixel.
    pub(super) keeps_subpixel: bool,
    /// The time of its searches and of what it played ahead, in steps of the mover.
    pub(super) spent: u64,
}

impl Follower {
    /// Returns the keys of the next step of a body on its way to `aim`.
    ///
    /// `ways`, `level`, `mover` and `state` must belong together, with the mover and the state as they are
    /// after the last step. At rest before a link, the follower moves the body by a fraction of a pixel if
    /// the link needs it ([`Mover::subpixel`]). Takes less than 1 µs, and about 15 µs in
    /// the step in which it plays a link ahead. With [`Aim::To`] it searches a way where the last one ended
    /// or the goal has moved to another place.
    pub fn next(
        &mut self,
        ways: &JumpWays,
        level: &Level,
        mover: &mut Mover,
        state: &Platformer,
        aim: Aim<'_>,
    ) -> Follow {
        let actor = Actor { mover: *mover, state: *state };
        if let Some(playing) = &mut self.playing {
            if let Some(input) = playing.next(&ways.moves, &actor) {
                return Follow::Go(input);
            }
            self.playing = None;
        }
        if !actor.is_held() {
            self.forget();
            return Follow::Go(resting(state.stance));
        }
        let Some((place, at)) =
            ways.open_place(mover.body.min).filter(|(_, at)| *at == mover.body.min)
        else {
            // It rises in water, stands on what is no part of the level, or its floor was just edited.
            self.forget();
            let rests = ways.moves.rests_on(&actor, &mut self.rested);
            return if rests { Follow::NoWay } else { Follow::Go(Input::NONE) };
        };
        self.rested = false;
        match self.choose(ways, place, at, aim) {
            None => Follow::NoWay,
            Some(Next::Goal(goal)) if at.x == goal.x && ways.moves.rests(state) => Follow::Arrived,
            Some(Next::Goal(goal)) => Follow::Go(ways.moves.toward(&actor, goal.x)),
            Some(Next::Hop(hop)) => {
                let next = self.approach(ways, level, &actor, &hop);
                if self.aligns {
                    (mover.subpixel.x, self.aligns) = (0, false);
                }
                next
            }
        }
    }

    /// Sets the keys that a player of a world holds in its next step on its way to `aim`, as
    /// [`Follower::next`] does for a body alone in its level.
    ///
    /// The ways and the plays ahead know the level, and no other body: one that is in the way is as a push.
    /// On a lift or a crate the answer is [`Follow::NoWay`], or the follower waits there; while another body
    /// carries or pushes the player, it has not arrived. Returns `None` if the player's body is not a
    /// character of `world`.
    ///
    /// ```
    /// use bitwall::character::Feel;
    /// use bitwall::navigate::{Aim, Follow, Follower, JumpWays, Jumper};
    /// use bitwall::world::{Body, Player, World};
    /// use bitwall::{Aabb, Grid, Level, Rate, glam::IVec2, glam::UVec2};
    ///
    /// let grid = Grid::from_text("........\n........\n........\n.....###\n........\n########")?;
    /// let level = Level::from_grid(grid, UVec2::splat(16))?;
    /// let jumper = Jumper::new(UVec2::new(12, 16), Feel::default(), Rate::per_second(60));
    /// let ways = JumpWays::new(&level, jumper.clone())?;
    /// let mut world = World::new(jumper.rate);
    /// let body = world.add(Body::character(Aabb::from_xywh(4, 64, 12, 16), jumper.settings));
    /// let mut enemies = [Player::new(body, jumper.feel)];
    /// let mut follower = Follower::default();
    /// let aim = Aim::To(IVec2::new(100, 32));
    /// while let Some(Follow::Go(_)) = follower.steer(&ways, &level, &mut world, &mut enemies[0], aim) {
    ///     world.step_players(&level, &mut enemies);
    /// }
    /// assert_eq!(world.get(body).map(|body| body.aabb.min), Some(IVec2::new(100, 32)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn steer(
        &mut self,
        ways: &JumpWays,
        level: &Level,
        world: &mut World,
        player: &mut Player,
        aim: Aim<'_>,
    ) -> Option<Follow> {
        let (mut mover, state) = world.actor_of(player)?;
        let mut next = self.next(ways, level, &mut mover, &state, aim);
        let body = world.get_mut(player.body)?;
        if next == Follow::Arrived && body.last().is_some_and(|last| last.carried != IVec2::ZERO) {
            next = Follow::Go(Input::NONE);
        }
        body.subpixel = mover.subpixel;
        player.input = next.input();
        Some(next)
    }

    fn forget(&mut self) {
        self.hops.clear();
        (self.tried, self.nudge, self.passed) = (None, None, None);
    }

    /// What to do from position `at` of a place.
    fn choose(&mut self, ways: &JumpWays, place: u32, at: IVec2, aim: Aim<'_>) -> Option<Next> {
        let to = match aim {
            Aim::Field(field) => return field.next(ways, at).map(|(_, next)| next),
            Aim::To(to) => to,
        };
        let (goal, to) = ways.open_place(to)?;
        if goal == place {
            self.hops.clear();
            return Some(Next::Goal(to));
        }
        if self.goal.is_none_or(|known| ways.places.at(known) != Some(goal)) {
            self.hops.clear();
        }
        // After a played link, the next one begins in the place where it ended.
        if self.next_from(ways) != Some(place) {
            self.hops.pop();
        }
        if self.next_from(ways) != Some(place) {
            self.hops = ways.counted_path(at, to, &mut self.spent)?.hops;
            self.hops.reverse();
            self.goal = Some(to);
        }
        self.hops.last().map(|hop| Next::Hop(*hop))
    }

    /// The place where the next link begins.
    fn next_from(&self, ways: &JumpWays) -> Option<u32> {
        ways.places.at(self.hops.last()?.from)
    }

    /// Walks to the start of a link, and begins it when a play ahead ends where it should.
    fn approach(&mut self, ways: &JumpWays, level: &Level, actor: &Actor, hop: &Hop) -> Follow {
        let moves = &ways.moves;
        let x = actor.mover.body.min.x;
        let rests = moves.rests(&actor.state);
        if self.tried.is_none_or(|tried| tried.from != hop.from || tried.program != hop.program) {
            (self.tried, self.tries, self.nudge) = (Some(*hop), 0, None);
        }
        if let Some(aside) = self.nudge {
            if !rests || x != aside {
                return Follow::Go(moves.toward(actor, aside));
            }
            self.nudge = None;
        }
        if x != hop.from.x {
            self.passed = None;
            return Follow::Go(moves.toward(actor, hop.from.x));
        }
        if !rests && self.passed == Some(x) {
            return Follow::Go(moves.toward(actor, x));
        }
        self.passed = Some(x);
        if let Some(input) = self.begin(ways, level, actor, hop) {
            return Follow::Go(input);
        }
        if !rests {
            return Follow::Go(moves.toward(actor, x));
        }
        if !self.keeps_subpixel {
            let mut aligned = *actor;
            aligned.mover.subpixel.x = 0;
            self.aligns = true;
            let input = self.begin(ways, level, &aligned, hop);
            return input.map_or(Follow::NoWay, Follow::Go);
        }
        // A fraction of a pixel spoils the link. Another approach ends at another fraction.
        self.tries += 1;
        if self.tries > NUDGES {
            self.forget();
            return Follow::NoWay;
        }
        let by = i32::from(self.tries / 2 + 1) * if self.tries.is_multiple_of(2) { 1 } else { -1 };
        let place = ways.places.at(hop.from);
        let mut columns = [x + by, x - by].into_iter();
        self.nudge =
            place.and_then(|place| columns.find(|column| ways.places.has_column(place, *column)));
        self.passed = None;
        Follow::Go(moves.toward(actor, self.nudge.unwrap_or(x)))
    }

    /// Plays a link in a copy, and begins it if it ends where it should. Returns the keys of its first step.
    fn begin(&mut self, ways: &JumpWays, level: &Level, actor: &Actor, hop: &Hop) -> Option<Input> {
        let mut playing = Playing::new(hop.program);
        let played = ways.moves.play(level, *actor, playing, &mut self.spent);
        let end = ways.places.at(played.end?);
        if end.is_none() || end != ways.places.at(hop.to) {
            return None;
        }
        let input = playing.next(&ways.moves, actor);
        (self.playing, self.passed) = (Some(playing), None);
        input
    }
}

impl Moves {
    /// The keys that bring a held body to rest in column `x`: full speed, then slowly from where it brakes.
    fn toward(&self, actor: &Actor, x: i32) -> Input {
        let feel = &self.jumper.feel;
        let rate = self.jumper.rate;
        let (top, change) = match actor.state.stance {
            Stance::Water => (feel.swim_speed, feel.swim_acceleration),
            _ => (feel.top_speed, feel.friction),
        };
        let (top, change) = (rate.speed(top).max(1), rate.acceleration(change).max(1));
        if actor.mover.body.min.x == x {
            return Input::NONE;
        }
        let gap = (i64::from(x) - i64::from(actor.mover.body.min.x)) * PIXEL
            - i64::from(actor.mover.subpixel.x);
        let speed = actor.state.velocity.x;
        let braking = speed * speed.abs() / (2 * change) + speed;
        let want = gap - braking;
        // A fifth of a pixel a step.
        let slow = (PIXEL / 5 * 100 / top).clamp(1, 100);
        let percent = if want.signum() != gap.signum() || want.abs() < PIXEL / 10 {
            slow * gap.signum() * i64::from(speed == 0)
        } else if want.abs() < 4 * PIXEL {
            slow * want.signum()
        } else {
            100 * want.signum()
        };
        Input::from_axes(percent as f32 / 100.0, 0.0, false)
    }
}
