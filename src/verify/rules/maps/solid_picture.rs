//! Image layers that are marked as solid.

use super::warned;
use crate::error::warning::WarningCause;
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// An image layer that is marked as solid by its name, its class, a property, or its group.
    ///
    /// # Why it matters
    /// A picture in a map adds no solid cells, so a wall drawn in it does not stop a body.
    ///
    /// # How to fix
    /// Draw its walls as tiles or objects, or load the picture as a mask of its own.
    SOLID_PICTURE = "TMX112" "solid-picture" Warning on(Map)
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    warned::report(&SOLID_PICTURE, WarningCause::SolidPicture, subject)
}
