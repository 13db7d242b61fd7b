//! The rules for Tiled maps and worlds.

mod names;
mod objects;
mod tilesets;

use super::Check;
use crate::lint::rule::LintRule;

pub use names::*;
pub use objects::*;
pub use tilesets::*;

/// The rules of each file with their checks.
pub(super) static CHECKS: [&[(&LintRule, Check)]; 3] =
    [names::CHECKS, objects::CHECKS, tilesets::CHECKS];
