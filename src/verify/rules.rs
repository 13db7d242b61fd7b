//! The rules, one file each.
//!
//! To add a rule, write its file with its `check`, name it here, and add a folder in `tests/fixtures/verify`.
//! A code is never reused; the rules are in the order of their codes.

mod failure;
#[cfg(feature = "serde")]
mod saved;
mod warned;

use super::finding::Finding;
use super::rule::Rule;
use super::subject::Subject;

/// The check of a rule: returns its findings for a file, at most four.
type Check = fn(&Subject<'_>) -> Vec<Finding>;

/// Declares the files of the rules and the slices of all rules: the only registration.
macro_rules! catalogue {
    ($($module:ident::$name:ident),+ $(,)?) => {
        $(mod $module; pub use $module::$name;)+

        /// All rules, by rising code.
        pub static RULES: &[&Rule] = &[$(&$name),+];

        /// All rules with their checks, in the same order.
        pub(super) static CHECKS: &[(&Rule, Check)] = &[$((&$name, $module::check)),+];
    };
}

catalogue! {
    unreadable_file::UNREADABLE_FILE,
    unknown_format::UNKNOWN_FORMAT,
    open_border::OPEN_BORDER,
    blank_level::BLANK_LEVEL,
    undecodable_mask::UNDECODABLE_MASK,
    gray_pixels::GRAY_PIXELS,
    translucent_pixels::TRANSLUCENT_PIXELS,
    mask_size_mismatch::MASK_SIZE_MISMATCH,
    unparsable_map::UNPARSABLE_MAP,
    nothing_solid::NOTHING_SOLID,
    passed_over_fault::PASSED_OVER_FAULT,
    missing_picture::MISSING_PICTURE,
    text_flag::TEXT_FLAG,
    solid_picture::SOLID_PICTURE,
}

/// The rule with this code or name; letter case does not matter.
pub fn rule_by_name(text: &str) -> Option<&'static Rule> {
    let same = |name: &str| name.eq_ignore_ascii_case(text);
    RULES.iter().find(|rule| same(rule.code) || same(rule.name)).copied()
}
