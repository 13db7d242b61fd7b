//! Masks that went through lossy compression.

use super::gray::{finding, pixels_are};
use crate::lint::finding::Finding;
use crate::lint::pixels::causes::Cause;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;

rule! {
    /// # What it finds
    /// Pixels of a mask that are nearly black or nearly white, around the edges: the noise of JPEG, or of
    /// another lossy compression, that the picture went through before it was saved as it is.
    ///
    /// # Why it matters
    /// The compression shifts edges too, by a pixel here and there. A threshold makes the noise black and
    /// white but does not bring the edges back.
    ///
    /// # How to fix
    /// Export the mask again from its original, in a format without loss such as PNG.
    LOSSY_NOISE = "MSK208" "lossy-noise" Error on(Mask)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let is_cause = |cause: &Cause| *cause == Cause::LossyNoise;
    let headline = |count| format!("{} gray from lossy compression", pixels_are(count));
    let found = finding(&LOSSY_NOISE, subject, is_cause, headline);
    let help = "export it from the original as PNG, without a JPEG in between";
    found.map(|finding| finding.help(help)).into_iter().collect()
}
