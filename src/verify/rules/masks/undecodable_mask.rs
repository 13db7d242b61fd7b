//! Masks whose picture cannot be decoded.

use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::rules::failure::{self, Cause};
use crate::verify::subject::Subject;

rule! {
/// # What it finds
/// A picture file that ends early, has a wrong checksum, or violates its format in another way. A note has
/// the words of the decoder, if there are no plainer ones.
///
/// # Why it matters
/// Some programs still show such a picture, with the missing part black: walls that nobody drew.
///
/// # How to fix
/// Export the mask again. If the file is in git, check that it is not treated as text.
    UNDECODABLE_MASK = "MSK201" "undecodable-mask" Error fixed on(Mask)
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    failure::report(&UNDECODABLE_MASK, Cause::UndecodableMask, subject)
}
