//! Flags that are texts.

use super::warned;
use crate::error::warning::WarningCause;
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// A property that marks solids and whose value is a text, such as `true` or `1`, not a bool.
    ///
    /// # Why it matters
    /// bitwall reads it as a bool. Other programs, and Tiled's own filters, read it as a text.
    ///
    /// # How to fix
    /// Remove the property in Tiled and add it again as a bool.
    TEXT_FLAG = "TMX111" "text-flag" Warning on(Map)
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    warned::report(&TEXT_FLAG, WarningCause::TextFlag, subject)
}
