//! The rules, one file each, in one folder for each family.
//!
//! To add a rule, write its file with its `check`, name it in the file of its family, and add a folder in
//! `tests/fixtures/verify`. A code is never reused.

pub(super) mod configs;
mod failure;
mod files;
mod levels;
mod maps;
mod masks;
mod reach;
#[cfg(feature = "serde")]
mod saved;

use std::sync::LazyLock;

use super::finding::Finding;
use super::rule::Rule;
use super::subject::Subject;

pub use configs::{BROKEN_CONFIG, UNMET_PATH, WEAKENED_RULES};
pub use files::*;
pub use levels::*;
pub use maps::*;
pub use masks::*;
pub use reach::*;

/// The largest number of findings of a rule in a file. A baseline has to know all of them; texts for people
/// show fewer.
pub(super) const MOST_FINDINGS: usize = 64;

/// The check of a rule: returns its findings for a file, at most [`MOST_FINDINGS`].
pub(super) type Check = fn(&Subject<'_>) -> Vec<Finding>;

/// Declares the rules of a family: re-exports them, and lists them with their checks.
macro_rules! catalogue {
    ($($module:ident::$name:ident),* $(,)?) => {
        $(pub use $module::$name;)*

        pub(super) static CHECKS: &[(&$crate::verify::Rule, super::Check)] =
            &[$((&$name, $module::check)),*];
    };
}
use catalogue;

/// The rules for levels with their checks, by rising code.
pub(super) static CHECKS: LazyLock<Vec<(&Rule, Check)>> = LazyLock::new(|| {
    let families = [files::CHECKS, levels::CHECKS, maps::CHECKS, masks::CHECKS, reach::CHECKS];
    let mut all: Vec<(&Rule, Check)> = families.concat();
    all.sort_by_key(|(rule, _)| rule.code);
    all
});

/// All rules, by rising code.
pub static RULES: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let of_levels = CHECKS.iter().map(|(rule, _)| *rule);
    let mut all: Vec<_> = of_levels.chain(configs::ALL.iter().copied()).collect();
    all.sort_by_key(|rule| rule.code);
    all
});

/// The rule with this code or name; letter case does not matter.
pub fn rule_by_name(text: &str) -> Option<&'static Rule> {
    let same = |name: &str| name.eq_ignore_ascii_case(text);
    RULES.iter().find(|rule| same(rule.code) || same(rule.name)).copied()
}
