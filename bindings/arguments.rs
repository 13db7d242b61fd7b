//! The sentences with which every binding refuses an argument. `bad_arguments.tsv` has what each of them says.

use std::fmt::Display;
use std::ops::RangeInclusive;

/// A length in pixels, such as a step or the width of a box.
pub(crate) const LENGTH: RangeInclusive<i32> = 0..=i32::MAX;

/// Returns the sentence that refuses `value` for the argument `name`, and says what is allowed.
#[cold]
pub(crate) fn refused(name: &str, value: impl Display, allowed: impl Display) -> String {
    format!("`{name}` is {value}; pass {allowed}")
}

/// Returns what a whole number of a range is called in [`refused`].
#[cold]
pub(crate) fn whole<T: Display>(range: &RangeInclusive<T>) -> String {
    format!("a whole number from {} to {}", range.start(), range.end())
}
