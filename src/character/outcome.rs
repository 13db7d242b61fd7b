//! The stance of a character, and the outcome of its step. Plain data.

use crate::geometry::Dir;
use crate::mover::Move;

/// The state of a character: which rules move it in the next step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Stance {
    /// It stands on a floor.
    Ground,
    /// It rises or falls.
    #[default]
    Air,
    /// It falls along the wall on this side.
    WallSlide(Dir),
    /// It hangs on the ledge on this side.
    Ledge(Dir),
    /// It climbs onto the ledge on this side.
    LedgeClimb(Dir),
    /// It is on a ladder.
    Ladder,
    /// It swims.
    Water,
}

/// The outcome of a [`Platformer`](super::Platformer)'s step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The outcome of the mover's step.
    pub motion: Move,
    /// The stance before the step.
    pub from: Stance,
    /// The stance after it.
    pub to: Stance,
    /// The stance from which it jumped in this step: [`Stance::Air`] shortly after the end of a floor
    /// (coyote time), [`Stance::WallSlide`] from a wall on that side, whether it slid or not.
    pub jumped_from: Option<Stance>,
    /// True if it let itself through the one-way floor that it stood on.
    pub dropped: bool,
}

impl Outcome {
    /// True if its stance is this one, and was another before the step.
    ///
    /// ```
    /// use bitwall::character::{Feel, Input, Platformer, Stance};
    /// use bitwall::glam::UVec2;
    /// use bitwall::{Aabb, Grid, Level, Mover, MoverSettings};
    ///
    /// let level = Level::from_grid(Grid::new(4, 4)?, UVec2::splat(16))?;
    /// let mut mover = Mover::new(Aabb::from_xywh(8, 40, 12, 24), MoverSettings::platformer());
    /// let mut player = Platformer::default();
    /// let outcome = player.step(&level, &mut mover, Input::NONE, &Feel::default());
    /// assert!(outcome.became(Stance::Ground), "for a splash, it would be Stance::Water");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn became(&self, stance: Stance) -> bool {
        self.to == stance && self.from != stance
    }
}
