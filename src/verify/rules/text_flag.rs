//! Flags that are texts.

use super::warned;
use crate::WarningCause;
use crate::verify::rule::rule;
use crate::verify::{Finding, Subject};

rule! {
    /// # What it finds
    /// A property that decides what is solid and is the text `true` or `false`, not a bool.
    ///
    /// # Why it matters
    /// It counts as the bool that it says, here; other programs, and Tiled's own filters, take it for a text.
    ///
    /// # How to fix
    /// Remove the property in Tiled and add it again as a bool.
    TEXT_FLAG = "TMX111" "text-flag" Warning
}

fn check(subject: &Subject<'_>) -> Vec<Finding> {
    warned::report(&TEXT_FLAG, WarningCause::TextFlag, subject)
}
