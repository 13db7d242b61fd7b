//! The moves of a body, for the question where it can get. Plain data; nothing here moves.

use glam::UVec2;

use crate::character::Feel;
use crate::mover::MoverSettings;

/// The moves of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveSet {
    /// It is seen from above and walks in four directions.
    TopDown {
        /// The most pixels of a step, at least 1. It can walk fewer.
        speed: u32,
    },
    /// It is seen from the side, runs and jumps.
    Platformer(Box<PlatformerMoves>),
}

/// The moves of a [`Platformer`](crate::character::Platformer).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlatformerMoves {
    /// How it runs, jumps, climbs and swims.
    pub feel: Feel,
    /// The settings of its mover.
    pub settings: MoverSettings,
}

impl MoveSet {
    /// The moves of a body that is seen from above and walks at most `speed` pixels a step.
    pub const fn top_down(speed: u32) -> Self {
        Self::TopDown { speed }
    }

    /// The moves of a character with this feel and [`MoverSettings::platformer`].
    ///
    /// A feel with a jump from walls climbs every wall, so that little is out of its reach.
    ///
    /// ```
    /// use bitwall::analyze::MoveSet;
    /// use bitwall::character::Feel;
    ///
    /// let MoveSet::Platformer(moves) = MoveSet::platformer(Feel::from_jump(44, 21)) else {
    ///     unreachable!("it is one");
    /// };
    /// assert!(moves.feel.wall_jump.y > 0);
    /// ```
    pub fn platformer(feel: Feel) -> Self {
        let settings = MoverSettings::platformer();
        Self::Platformer(Box::new(PlatformerMoves { feel, settings }))
    }

    /// As [`MoveSet::platformer`] with [`Feel::from_jump`], but without jumps from walls and without ledges
    /// to hang on: it runs, jumps, drops through one-way cells, climbs ladders and swims.
    pub fn jumper(height: u16, steps: u16) -> Self {
        let feel = Feel::from_jump(height, steps);
        Self::platformer(Feel { wall_jump: UVec2::ZERO, ledge_reach: 0, ..feel })
    }
}
