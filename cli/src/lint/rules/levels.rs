//! The rules for levels of either source.

mod borders;
mod reach;
pub(super) mod spawns;

use super::Check;
use crate::lint::rule::LintRule;

pub use borders::*;
pub use reach::*;
pub use spawns::*;

/// The rules of each file with their checks.
pub(super) static CHECKS: [&[(&LintRule, Check)]; 3] =
    [borders::CHECKS, reach::CHECKS, spawns::CHECKS];
