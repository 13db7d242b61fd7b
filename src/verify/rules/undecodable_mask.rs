//! Masks that are no sound picture files.

use super::failure::{self, Cause};
use crate::verify::rule::rule;
use crate::verify::{Finding, Subject};

rule! {
/// # What it finds
/// A picture file that ends early, has a wrong checksum, or breaks the rules of the format in another way.
///
/// # Why it matters
/// Some programs show such a picture all the same, with the missing part black: walls that nobody drew.
///
/// # How to fix
/// Export the mask again. If the file is in git, see that it is not treated as text.
    UNDECODABLE_MASK = "MSK201" "undecodable-mask" Error fixed
}

fn check(subject: &Subject<'_>) -> Vec<Finding> {
    failure::report(&UNDECODABLE_MASK, Cause::UndecodableMask, subject)
}
