//! A body with its keys: the state that a search copies, and that a list of inputs replays.
//!
//! All motion is that of the real mover. Nothing here judges.

use glam::{I64Vec2, IVec2};

use super::moves::MoveSet;
use crate::character::{Input, Platformer};
use crate::geometry::{Aabb, SUBPIXELS};
use crate::level::Solids;
use crate::mover::{Mover, MoverSettings};

/// The input of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keys {
    /// So many pixels along x and y, for [`MoveSet::TopDown`].
    Walk(IVec2),
    /// The keys of a character, for [`MoveSet::Platformer`].
    Press(Input),
}

/// A body that is played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Player<'m> {
    moves: &'m MoveSet,
    pub(super) mover: Mover,
    pub(super) character: Platformer,
}

impl<'m> Player<'m> {
    pub(super) fn new(moves: &'m MoveSet, body: Aabb) -> Self {
        let settings = match moves {
            MoveSet::TopDown { .. } => MoverSettings::PLAIN,
            MoveSet::Platformer(moves) => moves.settings,
        };
        Self { moves, mover: Mover::new(body, settings), character: Platformer::default() }
    }

    /// One step. Keys of the other kind do nothing, and no step is longer than the speed.
    pub(super) fn step(&mut self, solids: &impl Solids, keys: Keys) {
        match (self.moves, keys) {
            (MoveSet::TopDown { speed }, Keys::Walk(pixels)) => {
                let most = i32::try_from(*speed).unwrap_or(i32::MAX).max(1);
                let pixels = pixels.clamp(IVec2::splat(-most), IVec2::splat(most));
                let translation = pixels.as_i64vec2() * I64Vec2::splat(SUBPIXELS.into());
                self.mover.step_subpixels(solids, translation);
            }
            (MoveSet::Platformer(moves), Keys::Press(input)) => {
                self.character.step(solids, &mut self.mover, input, &moves.feel);
            }
            _ => {}
        }
    }

    pub(super) fn body(&self) -> Aabb {
        self.mover.body
    }
}
