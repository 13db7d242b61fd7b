//! The options of a check. They hold no results.

use std::path::PathBuf;

use glam::UVec2;

use super::rule::Rule;
use crate::LoadOptions;

/// The options of [`verify_file`](super::verify_file): requirements on the file, and rules to skip.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct VerifyOptions {
    /// The load options; a [`Project`](crate::Project) has those of a level's `bitwall.toml`.
    pub load: LoadOptions,
    /// The required width and height of a mask, in pixels; `None` for any.
    pub size: Option<UVec2>,
    /// The art of a mask: a picture that must have the same size. Default: `harbor.png` (or `.jpg` and so on)
    /// beside `harbor_mask.png`.
    pub art: Option<PathBuf>,
    /// True if all cells along the sides of the level must be solid.
    pub closed: bool,
    /// Rules to skip, except those that are [`Rule::fixed`].
    pub allow: Vec<&'static Rule>,
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

    /// These options with the art of a mask.
    #[must_use]
    pub fn with_art(mut self, art: impl Into<PathBuf>) -> Self {
        self.art = Some(art.into());
        self
    }

    /// These options with another `closed`.
    #[must_use]
    pub fn with_closed(mut self, closed: bool) -> Self {
        self.closed = closed;
        self
    }

    /// These options with one more rule to skip.
    #[must_use]
    pub fn with_allowed(mut self, rule: &'static Rule) -> Self {
        self.allow.push(rule);
        self
    }
}
