//! Paintings and photos that are taken for masks.

use super::gray::finding;
use crate::lint::finding::Finding;
use crate::lint::pixels::causes::Cause;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;

rule! {
    /// # What it finds
    /// A mask with many colours, most of whose pixels are neither black nor white: a painting or a photo. If
    /// its art is a picture in black and white, the two are exchanged.
    ///
    /// # Why it matters
    /// Dark parts of a painting are no walls.
    ///
    /// # How to fix
    /// Exchange the two files. If the picture is no mask at all, do not name it as one: see `masks` in the
    /// section `[verify]` of `bitwall.toml`.
    ART_AS_MASK = "MSK213" "art-as-mask" Error on(Mask)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let is_exchanged = is_exchanged(subject);
    let is_cause = |cause: &Cause| match cause {
        Cause::Painting => true,
        // Art of a level may have no background.
        Cause::ShapeInAlpha => is_exchanged,
        _ => false,
    };
    let headline = |count: u64| match is_exchanged {
        true => "the mask is a painting, and its art is black and white".to_owned(),
        false => format!("the mask is a painting: {count} pixels are neither black nor white"),
    };
    let help = match is_exchanged {
        true => "exchange the mask and its art",
        false => "name the right picture as the mask",
    };
    let found = finding(&ART_AS_MASK, subject, is_cause, headline);
    found.map(|finding| finding.help(help)).into_iter().collect()
}

/// True if the art of the mask is in two colours, as a mask is.
pub(super) fn is_exchanged(subject: &Subject<'_>) -> bool {
    subject.art_picture().is_some_and(|art| art.is_two_level())
}
