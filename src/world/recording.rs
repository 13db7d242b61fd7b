//! Recordings: the inputs of the players for each step of a world, and the checksum after it. A recording
//! plays a game again, for a bug report, and finds the first step at which two computers differ. It holds
//! neither the state at the start nor what the game itself does between two steps.

use super::{Player, World};
use crate::character::Input;
use crate::checksum;

/// The inputs of the players of a [`World`] for each step, and the checksum after each step.
///
/// A game with the same start and the same inputs gives the same checksums on every machine. So a file with
/// the world and the players at the start and a recording shows a fault again. If the games of two players
/// differ, the recording of one, replayed by the other, names the first step at which they do.
///
/// The game's own changes between two steps are not recorded: edits of the level, added and removed
/// bodies, changed velocities. A replay calls the game's own step, which makes these changes again if they
/// follow from the state, the inputs and the number of the step. Otherwise the game saves them with the
/// number of their step, such as the box and the shape of each blast. The level counts in no checksum;
/// [`Level::checksum`](crate::Level::checksum) compares it.
///
/// ```
/// use bitwall::character::{Feel, Input};
/// use bitwall::glam::{IVec2, UVec2};
/// use bitwall::world::{Body, Player, Recording, World};
/// use bitwall::{Aabb, Grid, Level, MoverSettings, Rate};
///
/// /// A step of the game. At step 60 a wall falls.
/// fn step(number: usize, level: &mut Level, world: &mut World, players: &mut [Player]) {
///     if number == 60 {
///         level.carve(&Aabb::from_xywh(160, 0, 16, 160), IVec2::ZERO);
///     }
///     world.step_players(level, players);
/// }
///
/// let mut level = Level::from_grid(Grid::new(40, 10)?, UVec2::splat(16))?;
/// level.fill(10..11, 0..10, true)?;
/// let mut world = World::new(Rate::per_second(60));
/// let hero = Body::character(Aabb::from_xywh(80, 100, 12, 20), MoverSettings::platformer());
/// let mut players = [Player::new(world.add(hero), Feel::default())];
/// let start = (level.clone(), world.clone(), players.clone());
///
/// let mut recording = Recording::default();
/// for number in 0..120 {
///     players[0].input = Input::from_axes(1.0, 0.0, number % 50 < 5);
///     step(number, &mut level, &mut world, &mut players);
///     recording.record(&world, &players);
/// }
///
/// let (mut level, mut again, mut players) = start.clone();
/// let play = |number, world: &mut World, players: &mut [Player]| step(number, &mut level, world, players);
/// assert_eq!(recording.replay(&mut again, &mut players, play), None);
/// assert_eq!(again, world);
///
/// // A version of the game in which the wall stays gives another game from step 60 on, or soon after.
/// let (level, mut other, mut players) = start;
/// let stays = |_, world: &mut World, players: &mut [Player]| world.step_players(&level, players);
/// assert_eq!(recording.replay(&mut other, &mut players, stays), Some(60));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Recording {
    /// The inputs and the checksum of each step.
    steps: Vec<(Vec<Input>, u64)>,
}

impl Recording {
    /// Adds the step that the world has just made: the inputs that `players` had in it, and the checksum of
    /// the world and the players. O(bodies).
    pub fn record(&mut self, world: &World, players: &[Player]) {
        let inputs = players.iter().map(|player| player.input).collect();
        self.steps.push((inputs, checksum_of(world, players)));
    }

    /// Plays the recording from `world` and `players`, which must be in the state of its start. Returns the
    /// number of the first step, from 0, after which the checksum differs; `None` if none does.
    ///
    /// For each step it sets the inputs of the players and calls `step` with the number of the step. This
    /// must step the world, as [`World::step_players`] does, and make the game's own changes. After a
    /// difference the replay ends, and the world is in the state that differs.
    pub fn replay(
        &self,
        world: &mut World,
        players: &mut [Player],
        mut step: impl FnMut(usize, &mut World, &mut [Player]),
    ) -> Option<usize> {
        for (number, (inputs, checksum)) in self.steps.iter().enumerate() {
            for (player, input) in players.iter_mut().zip(inputs) {
                player.input = *input;
            }
            step(number, world, players);
            if checksum_of(world, players) != *checksum {
                return Some(number);
            }
        }
        None
    }
}

fn checksum_of(world: &World, players: &[Player]) -> u64 {
    let players: Vec<u64> = players.iter().map(Player::checksum).collect();
    checksum::of(&(world.checksum(), players.len(), players))
}
