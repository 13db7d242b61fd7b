//! Masks whose shape is in their transparency.

use super::art_as_mask::is_exchanged;
use super::gray::finding;
use crate::verify::finding::Finding;
use crate::verify::pixels::causes::Cause;
use crate::verify::rule::rule;
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// A mask that is drawn in colours on a transparent ground, while the rule for it (`dark` or `light`)
    /// asks how light a pixel is.
    ///
    /// # Why it matters
    /// The shape is in the transparency, and the rule looks at the colours: light parts of the shape are
    /// passable.
    ///
    /// # How to fix
    /// Use `--mask opaque`, or `rule = "opaque"` in the section `[masks]` of `bitwall.toml`. If it is not the
    /// shape that is meant, draw the mask in black and white.
    SHAPE_IN_ALPHA = "MSK215" "shape-in-alpha" Error on(Mask)
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let is_cause = |cause: &Cause| *cause == Cause::ShapeInAlpha && !is_exchanged(subject);
    let headline =
        |count| format!("the mask is drawn in colours on a transparent ground ({count} px)");
    let found = finding(&SHAPE_IN_ALPHA, subject, is_cause, headline);
    let help = "use --mask opaque, or `rule` in the section [masks] of bitwall.toml";
    found.map(|finding| finding.help(help)).into_iter().collect()
}
