//! Decides from the counts of a mask's pixels how it is read if no rule is given, and warns about a mask whose
//! solids are doubtful. No pixel is read here.
//!
//! The readings were chosen with masks of 9 projects, one project left out at a time. A reading that was right
//! for one project alone would be a suggestion of the program.

use super::{MaskCounts, MaskSource};
use crate::error::LoadWarning;
use crate::rules::MaskRule;

pub(super) const DARK: MaskRule = MaskRule::DarkIsSolid { threshold: 128 };
pub(super) const BLACK: MaskRule = MaskRule::BlackIsSolid { threshold: 128 };
pub(super) const OPAQUE: MaskRule = MaskRule::OpaqueIsSolid { threshold: 128 };

/// Returns the rule for a mask whose caller gave none:
/// - [`OPAQUE`] for art on a transparent ground. At least a 50th of the pixels are transparent, and at least a
///   quarter of the opaque ones neither black nor white.
/// - [`BLACK`] if all black is transparent, and at least a 50th of the pixels are; nine tenths of the pixels are
///   transparent or opaque white. Pictures with a palette of few colours may have a transparent first colour.
/// - [`BLACK`] if vivid colours mark places. Nine tenths of the pixels are black or white, and all are opaque.
/// - [`DARK`] for any other mask.
pub(super) fn rule_of(counts: &MaskCounts) -> MaskRule {
    let all = all(counts);
    let is_on_clear = counts.transparent * 50 >= all;
    if is_on_clear && counts.gray * 4 >= opaque(counts).max(1) {
        return OPAQUE;
    }
    let is_hidden = counts.black == 0 && counts.white > 0 && counts.hidden_black * 50 >= all;
    let is_marked = counts.vivid > 0 && counts.translucent + counts.transparent == 0;
    let plain = counts.black + counts.white + counts.transparent;
    let is_plain = plain * 10 >= all * 9;
    if (is_hidden || is_marked) && is_plain { BLACK } else { DARK }
}

/// Returns the reasons to doubt the solids of a mask. `is_given` is true if the caller gave the rule: then
/// only a mask that is solid everywhere or nowhere is doubtful.
pub(crate) fn doubts(source: &MaskSource, is_given: bool) -> Vec<LoadWarning> {
    let counts = &source.counts;
    let MaskCounts { solid, white, gray, vivid, translucent, transparent, .. } = *counts;
    let all = all(counts);
    let opaque = opaque(counts);
    let mut doubts = Vec::new();
    if solid == all {
        doubts.push("every pixel is solid".to_owned());
    } else if solid + counts.in_planes == 0 {
        doubts.push("no pixel is solid".to_owned());
    }
    if is_given {
        return doubts.into_iter().map(LoadWarning::doubtful_mask).collect();
    }
    match source.rule {
        OPAQUE => doubts.push(format!(
            "{} are transparent, and {} of the others neither black nor white, so all opaque pixels are solid",
            share(transparent, all),
            share(gray, opaque)
        )),
        BLACK if vivid > 0 => doubts.push(format!(
            "{vivid} px in vivid colours are passable, because {} are black or white",
            share(counts.black + white + transparent, all)
        )),
        BLACK => doubts.push(format!(
            "all black is transparent and the rest is white, so black is solid at any opacity ({} px)",
            counts.hidden_black
        )),
        _ if gray * 10 >= opaque && gray > 0 => doubts.push(format!(
            "{} of the opaque pixels are neither black nor white, and solid if they are dark",
            share(gray, opaque)
        )),
        _ if white * 32 >= opaque && white > 0 && transparent * 50 >= all => doubts.push(format!(
            "{} are transparent and {} white, and both are passable",
            share(transparent, all),
            share(white, all)
        )),
        _ => {}
    }
    if translucent * 50 >= all && source.rule != OPAQUE {
        doubts.push(format!("{} are translucent", share(translucent, all)));
    }
    doubts.into_iter().map(LoadWarning::doubtful_mask).collect()
}

fn opaque(counts: &MaskCounts) -> u64 {
    counts.black + counts.white + counts.in_planes + counts.gray
}

fn all(counts: &MaskCounts) -> u64 {
    opaque(counts) + counts.translucent + counts.transparent
}

/// Writes a part of `all` as percents, rounded up. `all` is not 0.
fn share(part: u64, all: u64) -> String {
    format!("{} %", (part * 100).div_ceil(all))
}
