//! Masks that do not lie where their art does.

use crate::lint::finding::Finding;
use crate::lint::pixels::causes::{Cause, Counted};
use crate::lint::pixels::pair::{LEAST_SIDE, is_lopsided};
use crate::lint::rule::{Rule, rule};
use crate::lint::subject::Subject;

rule! {
    /// # What it finds
    /// A mask that would fit its art clearly better if it were moved by 1 to 8 pixels. The two are compared
    /// by mutual information: the art's colours need not be those of the mask.
    ///
    /// # Why it matters
    /// A wall that lies beside its picture stops a body in the air, or lets it sink in. Such a shift comes
    /// from a layer that was moved, a crop, or another canvas, and concerns every wall of the level.
    ///
    /// Of 50 pairs that were drawn by program and shifted, 47 were found; of 27 maps of real games with
    /// pictures of them, 16. The art of the others tells too little of their walls. None of these 77 pairs
    /// was called shifted where it was right, and none was used to set the thresholds.
    ///
    /// # How to fix
    /// Move the mask by the shift that the finding names, or export both from the same canvas.
    MASK_DRIFT = "MSK205" "mask-drift" Error on(Mask) needs(Art)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    give_up_if_unknown(subject, &MASK_DRIFT);
    // A picture that is no mask has a fault of its own.
    let is_none = |(cause, _): &Counted| matches!(cause, Cause::Painting | Cause::ShapeInAlpha);
    if subject.gray_causes().iter().any(is_none) {
        return Vec::new();
    }
    let Some(found) = subject.drift() else {
        return Vec::new();
    };
    let way = |by: i32, [less, more]: [&str; 2]| match by {
        0 => None,
        1.. => Some(format!("{by} px {more}")),
        _ => Some(format!("{} px {less}", -by)),
    };
    let parts = [way(found.shift.x, ["left", "right"]), way(found.shift.y, ["up", "down"])];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let way = parts.join(" and ");
    let percent = |fit: f64| (fit * 100.0).round();
    vec![
        Finding::new(&MASK_DRIFT, subject.path, format!("the mask fits its art if moved {way}"))
            .note(format!(
                "the art tells {} % of the mask where it is, {} % there",
                percent(found.before),
                percent(found.after)
            ))
            .help(format!("move the mask {way}, or export both from one canvas")),
    ]
}

/// Reports a rule as skipped if the mask and its art have one size but cannot be compared. Of different
/// sizes another rule tells.
pub(super) fn give_up_if_unknown(subject: &Subject<'_>, rule: &'static Rule) {
    let size = subject.mask().map(|(loaded, _)| loaded.level.grid().size());
    let of_art = subject.art().and_then(|art| art.size.as_ref().ok().copied());
    let (Some(size), true) = (size, size == of_art) else {
        return;
    };
    if subject.art_picture().is_none() || subject.bits().is_none() {
        subject.give_up(rule, "the art is too large, or cannot be decoded");
    } else if size.min_element() < LEAST_SIDE {
        subject.give_up(rule, "the mask is too small to be compared with art");
    } else if subject.bits().is_some_and(is_lopsided) {
        subject.give_up(
            rule,
            "the mask is nearly all solid or all passable, so that art tells little of it",
        );
    }
}
