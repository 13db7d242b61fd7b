//! Masks that say something else than their art.

use super::mask_drift::give_up_if_unknown;
use crate::lint::finding::Finding;
use crate::lint::pixels::causes::Cause;
use crate::lint::pixels::pair::{Disagreement, Part, disagreement};
use crate::lint::rule::rule;
use crate::lint::rules::MOST_FINDINGS;
use crate::lint::subject::Subject;
use bitwall::load::Place;
use bitwall::text::{counted, px};

rule! {
    /// # What it finds
    /// A mask that disagrees with its art, of equal size, in one of three ways. *Inverted*: the art is
    /// transparent where the mask is solid, and only there. *Another level's*: the art's colours tell no
    /// more of the mask than chance does. *Stale*: the two agree but for a few parts, where the art shows
    /// what is solid (or passable) elsewhere.
    ///
    /// Of pairs beside those that set the thresholds, 50 drawn by program and 27 maps of real games with
    /// pictures of them, these were found: stale 49 and 7, inverted of transparent art 11 of 12 and 5 of 12,
    /// another level's 19 and 11. The others resemble their own by chance, or their art tells too little of
    /// the walls. None was reported where it was right.
    ///
    /// An inverted mask of art without transparency is not found: nothing in a picture tells which of its
    /// colours stop a body.
    ///
    /// # Why it matters
    /// The walls that a player meets are not those that the player sees.
    ///
    /// # How to fix
    /// Draw the parts again that were changed in the art only, exchange black and white, or name the right
    /// art with `--art`. A wall that is invisible on purpose can be allowed with `--allow
    /// stale-or-inverted`.
    STALE_OR_INVERTED = "MSK206" "stale-or-inverted" Warning on(Mask) needs(Art)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    give_up_if_unknown(subject, &STALE_OR_INVERTED);
    let (Some(art), Some(bits)) = (subject.art_picture(), subject.bits()) else {
        return Vec::new();
    };
    let is_drawn = |cause: &Cause| matches!(cause, Cause::StrayColors(_) | Cause::TwoLevels(_));
    let is_gray = !subject.gray_causes().iter().all(|(cause, _)| is_drawn(cause));
    let finding = |headline: String| Finding::new(&STALE_OR_INVERTED, subject.path, headline);
    match subject.drift().is_none().then(|| disagreement(art.picture(), bits)).flatten() {
        // A mask of many grays has a fault of its own, and says little about its walls.
        _ if is_gray => Vec::new(),
        None => Vec::new(),
        Some(Disagreement::Inverted) => vec![
            finding("the art is transparent where the mask is solid, and only there".to_owned())
                .help("exchange black and white, or use --mask light"),
        ],
        Some(Disagreement::Unrelated { fit }) => vec![
            finding("the mask has nothing in common with its art".to_owned())
                .note(format!(
                    "the art tells {} % of the mask, as chance would",
                    (fit * 100.0).round()
                ))
                .help("name the right art with --art, or export the right mask"),
        ],
        Some(Disagreement::Parts(parts)) => {
            parts.iter().take(MOST_FINDINGS).map(|part| of_part(part, finding)).collect()
        }
    }
}

fn of_part(part: &Part, finding: impl Fn(String) -> Finding) -> Finding {
    let Part { area, pixels, is_solid } = *part;
    let (mask, art) = if is_solid { ("solid", "free") } else { ("passable", "walled") };
    let headline = format!("the mask is {mask} where the art looks {art}: {}", px(area.size()));
    let pixel = area.min.max(bitwall::glam::IVec2::ZERO).as_uvec2();
    finding(headline)
        .at(Place { pixel: Some(pixel.into()), ..Place::default() })
        .area(area)
        .note(format!("{} there have colours of the other kind", counted(pixels, "pixel")))
        .help("draw this part of the mask again, if the art was changed")
}
