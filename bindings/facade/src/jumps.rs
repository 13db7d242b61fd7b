//! Jump ways: where a body that runs and jumps gets in a level seen from the side, and the keys that take it
//! there.

use bitwall::navigate::{Aim, Follow as CoreFollow, Follower as CoreFollower, Jumper};

use crate::body::rate;
use crate::*;

record! {
    /// What a follower does.
    Follow from CoreFollow {
        /// It goes on.
        Go [CoreFollow::Go(_)];
        /// It is there.
        Arrived [CoreFollow::Arrived];
        /// No way is known.
        NoWay [CoreFollow::NoWay];
    }
}

/// The ways of a body that runs and jumps: every link was played by a real platformer. Not every way is
/// found, but none is false.
pub struct JumpWays(bitwall::navigate::JumpWays);

/// The way of one body along jump ways.
#[derive(Default)]
pub struct Follower(CoreFollower);

impl JumpWays {
    /// Finds the ways of a body of this size with this feel, in a game with `fps` steps a second. It takes
    /// from some milliseconds to a second.
    pub fn new(level: &Level, w: i32, h: i32, feel: &Feel, fps: i32) -> Result<Self> {
        let size = sides(["w", "h"], [w, h], i32::MAX)?;
        let mut core = bitwall::character::Feel::default();
        feel.change(&mut core)?;
        let jumper = Jumper::new(size, core, rate(fps)?);
        let ways = bitwall::navigate::JumpWays::new(level.core(), jumper);
        ways.map(Self).map_err(|error| Error::new(ARGUMENT, error))
    }

    /// Tells the ways that the cells of a box were edited: no link is offered that the edit may have changed.
    pub fn edited(&mut self, x: i32, y: i32, w: i32, h: i32) -> Result<()> {
        self.0.edited(aabb(x, y, w, h)?);
        Ok(())
    }

    /// Finds the changed links after edits, for at most about `budget` steps of play. True if all are found.
    pub fn update(&mut self, level: &Level, budget: i32) -> Result<bool> {
        Ok(self.0.update(level.core(), length("budget", budget)?.into()))
    }

    /// True if a way may lead from one place of the body's top-left corner to another; false if none is
    /// known.
    pub fn may_reach(&self, x: i32, y: i32, to_x: i32, to_y: i32) -> bool {
        self.0.may_reach(IVec2::new(x, y), IVec2::new(to_x, to_y))
    }

    /// Returns the jumps and falls of a way: x and y of the start and of the end of each. Between them the
    /// body walks. Empty without a way, and for a walk.
    pub fn path(&self, x: i32, y: i32, to_x: i32, to_y: i32) -> Vec<i32> {
        let path = self.0.path(IVec2::new(x, y), IVec2::new(to_x, to_y));
        let hops = path.iter().flat_map(|path| &path.hops);
        flat(hops.flat_map(|hop| [&hop.from, &hop.to]))
    }
}

impl Follower {
    /// Makes a follower for one body.
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves a character by one step toward a place, by the keys of the way. It must have the size and the
    /// feel of the ways.
    pub fn step(
        &mut self, ways: &JumpWays, level: &Level, character: &mut Platformer, to_x: i32, to_y: i32,
    ) -> Follow {
        let (mover, state) = character.parts();
        let aim = Aim::To(IVec2::new(to_x, to_y));
        let next = self.0.next(&ways.0, level.core(), mover, state, aim);
        character.go(level, next.input());
        next.into()
    }

    /// Sets the keys that a player of a world holds in the next step of the world, by the way toward a place.
    /// The player must have the size and the feel of the ways, which know neither lifts nor crates.
    pub fn steer(
        &mut self, ways: &JumpWays, level: &Level, world: &mut World, body: i32, to_x: i32, to_y: i32,
    ) -> Result<Follow> {
        let (world, player) = world.parts(body)?;
        let aim = Aim::To(IVec2::new(to_x, to_y));
        let next = self.0.steer(&ways.0, level.core(), world, player, aim);
        Ok(next.unwrap_or(CoreFollow::NoWay).into())
    }
}
