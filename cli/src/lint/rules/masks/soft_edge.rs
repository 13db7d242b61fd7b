//! Masks whose edges are smoothed.

use super::gray::{finding, pixels_are};
use crate::lint::finding::Finding;
use crate::lint::pixels::causes::Cause;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;

rule! {
    /// # What it finds
    /// Gray pixels along the edges between black and white: a soft brush, or smoothing on export or as the
    /// mask was scaled.
    ///
    /// # Why it matters
    /// A threshold decides for each of them whether it is solid. The walls are half a pixel larger or
    /// smaller than they look, and slopes and circles get bumps of a pixel that stop a body.
    ///
    /// # How to fix
    /// Export again without smoothing, or draw with a hard pencil. `bitwall verify --fix` makes the edges
    /// hard where they are: no wall moves.
    SOFT_EDGE = "MSK207" "soft-edge" Error on(Mask)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let is_cause = |cause: &Cause| *cause == Cause::SoftEdge;
    let headline = |count| format!("the edges are soft: {} gray", pixels_are(count));
    let found = finding(&SOFT_EDGE, subject, is_cause, headline);
    found
        .map(|finding| finding.help("export again without smoothing, or make them hard with --fix"))
        .into_iter()
        .collect()
}
