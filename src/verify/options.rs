//! The options of a check. They hold no results.

use std::path::PathBuf;

use glam::UVec2;

use super::selection::{RuleLevel, RuleSet, Selection};
use super::spec::{BodySpec, MarkerSpec, SolidShare};
use crate::LoadOptions;

/// The options of [`verify_file`](super::verify_file): facts about the game, requirements on its levels, and
/// which rules are on.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct VerifyOptions {
    /// The load options; a [`Project`](crate::Project) has those of a level's `bitwall.toml`.
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

impl VerifyOptions {
    /// These options with other load options.
    #[must_use]
    pub fn with_load(mut self, load: LoadOptions) -> Self {
        self.load = load;
        self
    }

    /// These options with the width and height that a mask must have.
    #[must_use]
    pub fn with_size(mut self, size: UVec2) -> Self {
        self.size = Some(size);
        self
    }

    /// These options with the width and height of which those of a mask must be multiples.
    #[must_use]
    pub fn with_tile(mut self, tile: UVec2) -> Self {
        self.tile = Some(tile);
        self
    }

    /// These options with the art of a mask.
    #[must_use]
    pub fn with_art(mut self, art: impl Into<PathBuf>) -> Self {
        self.art = Some(art.into());
        self
    }

    /// These options with one more body.
    #[must_use]
    pub fn with_body(mut self, body: BodySpec) -> Self {
        self.bodies.push(body);
        self
    }

    /// These options with more markers.
    #[must_use]
    pub fn with_markers(mut self, markers: MarkerSpec) -> Self {
        self.markers.push(markers);
        self
    }

    /// These options with another state of some rules.
    #[must_use]
    pub fn with_rules(mut self, rules: RuleSet, level: RuleLevel) -> Self {
        self.levels.set(rules, level);
        self
    }

    /// These options with the solid cells of an earlier revision.
    #[must_use]
    pub fn with_base(mut self, base: SolidShare) -> Self {
        self.base = Some(base);
        self
    }
}
