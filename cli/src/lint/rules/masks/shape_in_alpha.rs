//! Masks whose shape is in their transparency.

use super::art_as_mask::is_exchanged;
use super::gray::finding;
use crate::lint::finding::Finding;
use crate::lint::pixels::causes::Cause;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;

rule! {
    /// # What it finds
    /// A mask that is drawn in colours on a transparent ground, while the rule for it (`dark` or `light`)
    /// asks how light a pixel is; or one that is drawn in white alone, which is passable as the ground is
    /// (with `--mask light` in black alone); or one in black and white, if of both there is at least a
    /// twentieth of the opaque pixels, the ground is larger than the passable one of them, and this one has
    /// at least a third of the edge that black and white have along the ground. So a room whose white floor
    /// lies behind black walls is passed over.
    ///
    /// # Why it matters
    /// The shape is in the transparency, and the rule looks at the colours: light parts of the shape are
    /// passable. Of a shape in white nothing is solid, and of one in black and white only a part.
    ///
    /// # How to fix
    /// Use `--mask opaque`, or `rule = "opaque"` in the section `[masks]` of `bitwall.toml`. If it is not the
    /// shape that is meant, draw the mask in black and white without transparent pixels.
    SHAPE_IN_ALPHA = "MSK215" "shape-in-alpha" Error on(Mask)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let is_cause = |cause: &Cause| *cause == Cause::ShapeInAlpha && !is_exchanged(subject);
    let color = match subject.mask().map(|(_, source)| &source.counts) {
        Some(counts) if counts.black.min(counts.white) > counts.gray => "black and white",
        Some(counts) if counts.gray == 0 && counts.white > 0 => "white",
        Some(counts) if counts.gray == 0 => "black",
        _ => "colours",
    };
    let headline =
        |count| format!("the mask is drawn in {color} on a transparent ground ({count} px)");
    let found = finding(&SHAPE_IN_ALPHA, subject, is_cause, headline);
    let help = "use --mask opaque, or `rule` in the section [masks] of bitwall.toml";
    found.map(|finding| finding.help(help)).into_iter().collect()
}
