//! The rules, one file each, in one folder for each family; those that report an error or a warning of the
//! load have one file together.
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
mod warned;

use std::sync::LazyLock;

use super::finding::Finding;
use super::rule::Rule;
use super::subject::Subject;

pub use configs::{BROKEN_CONFIG, UNMET_PATH, WEAKENED_RULES};
pub(super) use failure::is_of_automapping;
pub use failure::{
    EXTRA_LAYER_DATA, LAYER_SIZE_MISMATCH, LOST_REFERENCE, NOTHING_SOLID, SHORT_LAYER_DATA,
    UNDECODABLE_MASK, UNKNOWN_FORMAT, UNKNOWN_ORIENTATION, UNKNOWN_TILE, UNPARSABLE_MAP,
    UNREADABLE_FILE,
};
pub use files::FOREIGN_BYTES;
pub use levels::*;
pub use maps::*;
pub use masks::*;
pub use reach::UNREACHABLE;
pub use warned::{PASSED_OVER_FAULT, SOLID_PICTURE, TEXT_FLAG};

/// The largest number of findings of a rule in a file. A baseline has to know all of them; texts for people
/// show fewer.
pub(super) const MOST_FINDINGS: usize = 64;

/// The check of a rule: returns its findings for a file, at most [`MOST_FINDINGS`].
pub(super) type Check = fn(&Subject<'_>) -> Vec<Finding>;

/// Declares the rules of a family: re-exports them, and lists them with their checks.
macro_rules! catalogue {
    ($($module:ident::$name:ident),* $(,)?) => {
        $(pub use $module::$name;)*

        pub(super) static CHECKS: &[(&$crate::lint::Rule, super::Check)] =
            &[$((&$name, $module::check)),*];
    };
}
use catalogue;

/// The rules for levels with their checks, by rising code.
pub(super) static CHECKS: LazyLock<Vec<(&Rule, Check)>> = LazyLock::new(|| {
    let others: [(&Rule, Check); 2] =
        [(&FOREIGN_BYTES, files::check), (&UNREACHABLE, reach::check)];
    let families = [levels::CHECKS, maps::CHECKS, masks::CHECKS, failure::CHECKS, warned::CHECKS];
    let mut all = [&families.concat()[..], &others].concat();
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
