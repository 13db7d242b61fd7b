//! Image layers that say that they are solid.

use super::warned;
use crate::WarningCause;
use crate::verify::rule::rule;
use crate::verify::{Finding, Subject};

rule! {
    /// # What it finds
    /// An image layer that is solid by its name, its class, a property, or the group around it.
    ///
    /// # Why it matters
    /// Of a picture in a map nothing is solid, so that what looks like a wall is none.
    ///
    /// # How to fix
    /// Draw its walls as tiles or objects, or load the picture as a mask of its own.
    SOLID_PICTURE = "TMX112" "solid-picture" Warning
}

fn check(subject: &Subject<'_>) -> Vec<Finding> {
    warned::report(&SOLID_PICTURE, WarningCause::SolidPicture, subject)
}
