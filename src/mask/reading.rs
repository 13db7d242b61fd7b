//! The facts about a mask: its format, and the counts of its pixels. They decide how it is read if no rule is
//! given, and its solids may be doubtful, which is a warning. No pixel is read here.
//!
//! The readings were chosen with the masks of 7 real projects, and lost none of them. The shares of pixels at
//! which they begin lie in wide gaps between these masks.

use crate::error::LoadWarning;
use crate::rules::{MaskPlane, MaskRule};

/// Facts about a mask picture.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MaskSource {
    /// The name of the mask's file, without its folder and extension. It may be empty.
    pub name: String,
    /// The rule that decided which pixels are solid: [`crate::LoadOptions::mask_rule`], or the rule that the
    /// counts of the pixels suggest.
    pub rule: MaskRule,
    /// The colours that make areas: for each, the name of the area and the colour of its pixels.
    pub planes: Vec<MaskPlane>,
    /// The number of pixels of each kind.
    pub counts: MaskCounts,
    /// The file format, colour type and bit depth in words, such as `PNG, 8-bit palette`.
    pub format: String,
    /// True for an animated picture. Only its first frame was read. For a PNG, this is its default image.
    pub animated: bool,
}

/// The number of pixels of each kind in a mask.
///
/// The sum `black + white + in_planes + gray + translucent + transparent` is the number of all pixels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MaskCounts {
    /// The number of solid pixels.
    pub solid: u64,
    /// The number of opaque black pixels.
    pub black: u64,
    /// The number of opaque white pixels.
    pub white: u64,
    /// The number of opaque pixels in the colour of a [`MaskPlane`], which makes an area or solid cells of
    /// them.
    pub in_planes: u64,
    /// The number of gray pixels. These are opaque, but neither black nor white, and no [`MaskPlane`] has
    /// their colour.
    pub gray: u64,
    /// The number of gray pixels in vivid colours: the largest of red, green and blue exceeds the smallest by
    /// at least 48 of 255.
    pub vivid: u64,
    /// The number of translucent pixels, which are neither opaque nor fully transparent.
    pub translucent: u64,
    /// The number of fully transparent pixels.
    pub transparent: u64,
    /// The number of fully transparent pixels whose colour is nearly black.
    pub hidden_black: u64,
}

const DARK: MaskRule = MaskRule::DarkIsSolid { threshold: 128 };
pub(super) const BLACK: MaskRule = MaskRule::BlackIsSolid { threshold: 128 };
const OPAQUE: MaskRule = MaskRule::OpaqueIsSolid { threshold: 128 };

/// Returns the rule for a mask whose caller gave none:
/// - [`OPAQUE`] for art on a transparent ground. At least a 50th of the pixels are transparent, and at least
///   a quarter of the opaque ones neither black nor white.
/// - [`BLACK`] if all black is transparent, and at least a 50th of the pixels are; nine tenths of the pixels
///   are transparent or opaque white. Pictures with a palette of few colours may have a transparent first
///   colour.
/// - [`BLACK`] if vivid colours mark places. Nine tenths of the pixels are black or white, and all are
///   opaque.
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
    let clear = share(transparent, all);
    let colored = share(gray, opaque);
    let mut doubts = Vec::new();
    if solid == all {
        doubts.push("every pixel is solid".to_owned());
    } else if solid + counts.in_planes == 0 {
        doubts.push("no pixel is solid".to_owned());
    }
    if is_given {
        return doubts.into_iter().map(LoadWarning::doubtful_mask).collect();
    }
    if source.rule == OPAQUE {
        let why =
            format!("{clear} are transparent, and {colored} of the others neither black nor white");
        doubts.push(format!("all opaque pixels are solid: {why}"));
    } else if source.rule == BLACK && vivid > 0 {
        let plain = share(counts.black + white + transparent, all);
        doubts
            .push(format!("{vivid} px in vivid colours are passable: {plain} are black or white"));
    } else if source.rule == BLACK {
        let black = counts.hidden_black;
        doubts.push(format!("{black} px of black are solid, although all black is transparent"));
    } else if gray > 0 && gray * 10 >= opaque {
        doubts.push(format!("{colored} of the opaque pixels are neither black nor white"));
    } else if white > 0 && white * 32 >= opaque && transparent * 50 >= all {
        // A few white pixels are the gleam of a drawing rather than its ground.
        let white = share(white, all);
        doubts.push(format!("{clear} are transparent and {white} white, and both are passable"));
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

/// Writes a part of `all` as percents, rounded down.
fn share(part: u64, all: u64) -> String {
    format!("{}%", part * 100 / all.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns counts of black, white, gray, vivid, translucent, transparent and hidden black pixels.
    fn counts(pixels: [u64; 7]) -> MaskCounts {
        let [black, white, gray, vivid, translucent, transparent, hidden_black] = pixels;
        let gray = gray + vivid;
        let counts = MaskCounts { black, white, gray, vivid, translucent, ..Default::default() };
        MaskCounts { transparent, hidden_black, ..counts }
    }

    #[test]
    fn each_reading_begins_at_its_shares_of_pixels() {
        for (pixels, rule) in [
            ([30, 70, 0, 0, 0, 0, 0], DARK),
            // Art: a 50th of the pixels is transparent, and a quarter of the opaque ones gray.
            ([73, 0, 25, 0, 0, 2, 2], OPAQUE),
            ([40, 33, 0, 25, 0, 2, 0], OPAQUE),
            ([75, 0, 24, 0, 0, 2, 0], DARK),
            ([73, 0, 26, 0, 0, 1, 1], DARK),
            ([0, 0, 0, 0, 0, 9, 0], DARK),
            // Hidden black: nine tenths of the pixels are white or transparent, and none is black.
            ([0, 98, 0, 0, 0, 2, 2], BLACK),
            ([0, 60, 0, 0, 0, 40, 2], BLACK),
            ([0, 50, 5, 0, 5, 40, 40], BLACK),
            ([0, 50, 5, 0, 6, 39, 39], DARK),
            ([0, 99, 0, 0, 0, 1, 1], DARK),
            ([0, 98, 0, 0, 0, 2, 1], DARK),
            ([1, 59, 0, 0, 0, 40, 40], DARK),
            ([0, 0, 0, 0, 0, 40, 40], DARK),
            // Marks: nine tenths of the pixels are black or white, and all are opaque.
            ([20, 70, 0, 10, 0, 0, 0], BLACK),
            ([20, 70, 9, 1, 0, 0, 0], BLACK),
            ([20, 69, 0, 11, 0, 0, 0], DARK),
            ([20, 70, 10, 0, 0, 0, 0], DARK),
            ([20, 70, 0, 9, 1, 0, 0], DARK),
            ([20, 70, 0, 9, 0, 1, 0], DARK),
        ] {
            assert_eq!(rule_of(&counts(pixels)), rule, "{pixels:?}");
        }
    }

    #[test]
    fn a_mask_is_doubtful_by_its_counts() {
        let said = |pixels, solid, is_given| {
            let counts = MaskCounts { solid, ..counts(pixels) };
            let source = MaskSource {
                name: String::new(),
                rule: rule_of(&counts),
                planes: Vec::new(),
                counts,
                format: String::new(),
                animated: false,
            };
            let doubts = doubts(&source, is_given).into_iter();
            doubts.map(|doubt| doubt.headline).collect::<Vec<_>>().join("; ")
        };
        for (pixels, solid, words) in [
            ([30, 70, 0, 0, 0, 0, 0], 30, ""),
            ([60, 0, 0, 0, 0, 40, 40], 60, ""),
            ([100, 0, 0, 0, 0, 0, 0], 100, "every pixel is solid"),
            ([0, 100, 0, 0, 0, 0, 0], 0, "no pixel is solid"),
            ([30, 61, 9, 0, 0, 0, 0], 30, ""),
            ([30, 60, 10, 0, 0, 0, 0], 35, "10% of the opaque pixels are neither black nor white"),
            ([60, 1, 0, 0, 0, 39, 39], 60, ""),
            (
                [60, 2, 0, 0, 0, 38, 38],
                60,
                "38% are transparent and 2% white, and both are passable",
            ),
            ([60, 39, 0, 0, 0, 1, 1], 60, ""),
            ([60, 38, 0, 0, 2, 0, 0], 61, "2% are translucent"),
            ([60, 39, 0, 0, 1, 0, 0], 61, ""),
            (
                [40, 0, 0, 20, 20, 20, 20],
                70,
                "all opaque pixels are solid: 20% are transparent, and 33% of the others neither black \
                 nor white",
            ),
            (
                [20, 75, 0, 5, 0, 0, 0],
                20,
                "5 px in vivid colours are passable: 95% are black or white",
            ),
            (
                [0, 60, 0, 0, 0, 40, 40],
                40,
                "40 px of black are solid, although all black is transparent",
            ),
        ] {
            assert_eq!(said(pixels, solid, false), words, "{pixels:?}");
            let given = said(pixels, solid, true);
            assert_eq!(
                given,
                if words.contains("pixel is solid") { words } else { "" },
                "{pixels:?}"
            );
        }
    }
}
