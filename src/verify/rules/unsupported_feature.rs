//! Maps that use what bitwall does not load.

use super::failure::{self, Cause};
use crate::verify::rule::rule;
use crate::verify::{Finding, Subject};

rule! {
/// # What it finds
/// A map that uses something which bitwall does not load, and which may decide what is solid: infinite
/// maps, other orientations than orthogonal, solid shapes other than rectangles, and so on.
///
/// # Why it matters
/// To leave it out would be to guess where the walls are.
///
/// # How to fix
/// Leave the feature out of the map, or save it in another form. Leave maps that no game loads out of the
/// check with `--exclude`.
    UNSUPPORTED_FEATURE = "TMX108" "unsupported-feature" Error fixed
}

fn check(subject: &Subject<'_>) -> Vec<Finding> {
    failure::report(&UNSUPPORTED_FEATURE, Cause::Unsupported, subject)
}
