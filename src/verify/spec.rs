//! A game's own facts, for the rules that need them: its bodies, and the markers that its levels must have.

use glam::UVec2;

use crate::analyze::MoveSet;
use crate::text::names::is_name_like;

/// A body that moves in the levels.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct BodySpec {
    /// Its name, for messages.
    pub name: String,
    /// Its width and height in pixels, both above 0.
    pub size: UVec2,
    /// The most pixels that it moves in one step, on one axis.
    pub top_speed: Option<u32>,
    /// How it moves, for the rules that ask where it gets.
    pub moves: Option<MoveSet>,
}

impl BodySpec {
    /// A body of this name and size.
    pub fn new(name: impl Into<String>, size: UVec2) -> Self {
        Self { name: name.into(), size: size.max(UVec2::ONE), top_speed: None, moves: None }
    }

    /// This body with a top speed, in pixels a step.
    #[must_use]
    pub fn with_top_speed(mut self, top_speed: u32) -> Self {
        self.top_speed = Some(top_speed);
        self
    }

    /// This body with moves.
    #[must_use]
    pub fn with_moves(mut self, moves: MoveSet) -> Self {
        self.moves = Some(moves);
        self
    }
}

/// The part of a marker in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum MarkerRole {
    /// A body starts there.
    Spawn,
    /// A body must reach it.
    Goal,
    /// A body should reach it.
    Pickup,
    /// Anything else.
    Other,
}

/// Markers of one name, and how many of them a level must have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct MarkerSpec {
    /// Their name; a `*` at the end matches any rest. Letter case does not matter.
    pub name: String,
    /// Their part in the game.
    pub role: MarkerRole,
    /// The least number of them in a level.
    pub at_least: u32,
    /// The greatest number of them in a level; `None` for any.
    pub at_most: Option<u32>,
}

impl MarkerSpec {
    /// Any number of markers of this name and role.
    pub fn new(name: impl Into<String>, role: MarkerRole) -> Self {
        Self { name: name.into(), role, at_least: 0, at_most: None }
    }

    /// These markers, of which a level must have so many.
    #[must_use]
    pub fn with_count(mut self, at_least: u32, at_most: Option<u32>) -> Self {
        (self.at_least, self.at_most) = (at_least, at_most);
        self
    }

    /// True for a marker of this name.
    pub fn matches(&self, name: &str) -> bool {
        is_name_like(&self.name, name)
    }
}

/// The solid cells of an earlier revision of a level, for a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct SolidShare {
    /// The number of solid cells.
    pub solid: u64,
    /// The number of all cells.
    pub cells: u64,
}

impl SolidShare {
    /// `solid` of `cells` cells.
    pub const fn new(solid: u64, cells: u64) -> Self {
        Self { solid, cells }
    }

    /// The share of solid cells from 0 to 1; 0 for a level without cells.
    pub fn fraction(self) -> f64 {
        match self.cells {
            0 => 0.0,
            cells => self.solid as f64 / cells as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_at_the_end_matches_any_rest() {
        let coins = MarkerSpec::new("coin*", MarkerRole::Pickup);
        assert!(coins.matches("Coin 12") && coins.matches("coin") && !coins.matches("a coin"));
        let player = MarkerSpec::new("Player", MarkerRole::Spawn);
        assert!(player.matches("player") && !player.matches("player 2"));
    }
}
