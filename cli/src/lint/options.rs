//! The options of a check. They hold no results.

use std::path::PathBuf;

use crate::lint::selection::Selection;
use bitwall::LoadOptions;
use bitwall::analyze::MoveSet;
use bitwall::glam::UVec2;
use bitwall::text::is_name_like;

/// The options of [`verify_file`](super::verify_file): facts about the game, requirements on its levels, and
/// which rules are on.
#[derive(Clone, Debug, Default)]
pub struct VerifyOptions {
    /// The load options; a [`Project`](bitwall::Project) has those of a level's `bitwall.toml`.
    pub load: LoadOptions,
    /// The rules that are on, and their severities.
    pub levels: Selection,
    /// The required width and height of a mask, in pixels; `None` for any.
    pub size: Option<UVec2>,
    /// The width and height in pixels of which those of a mask must be multiples; `None` for any.
    pub tile: Option<UVec2>,
    /// The art of a mask: a picture that must have the same size. Default: `harbor.png` (or `.jpg` and so on)
    /// beside `harbor_mask.png`.
    pub art: Option<PathBuf>,
    /// The bodies that move in the level.
    pub bodies: Vec<BodySpec>,
    /// The markers that the game looks for.
    pub markers: Vec<MarkerSpec>,
    /// The names of layers that a map must have; a `*` at the end matches any rest.
    pub required_layers: Vec<String>,
    /// The names of the tilesets that a map may use; a `*` at the end matches any rest. Empty for any.
    pub allowed_tilesets: Vec<String>,
    /// The solid cells of an earlier revision of the level.
    pub base: Option<SolidShare>,
}

// A game's own facts, for the rules that need them: its bodies, and the markers that its levels must have.

/// A body that moves in the levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodySpec {
    /// Its name, for messages.
    pub name: String,
    /// Its width and height in pixels, both above 0.
    pub size: UVec2,
    /// How it moves, for the rules that ask where it gets.
    pub moves: Option<MoveSet>,
}

impl BodySpec {
    /// A body of this name and size, without moves.
    pub fn new(name: impl Into<String>, size: UVec2) -> Self {
        Self { name: name.into(), size: size.max(UVec2::ONE), moves: None }
    }
}

/// The part of a marker in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

    /// True for a marker of this name.
    pub fn matches(&self, name: &str) -> bool {
        is_name_like(&self.name, name)
    }
}

/// The solid cells of an earlier revision of a level, for a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
