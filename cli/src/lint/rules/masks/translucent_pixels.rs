//! Pixels of a mask that are neither opaque nor clear.

use super::gray::{marked, pixels_are, within};
use crate::lint::finding::Finding;
use crate::lint::pixels::causes::is_shape_in_alpha;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;

rule! {
    /// # What it finds
    /// Pixels of a mask that are neither opaque nor fully transparent. In a mask of which most opaque pixels
    /// are gray or coloured, and some transparent, they count as the edges of its art: see `shape-in-alpha`.
    ///
    /// # Why it matters
    /// Such a pixel looks different on different backgrounds, so the artist may see a wall where the game
    /// has none. In most cases it is the soft edge of a brush.
    ///
    /// # How to fix
    /// Draw with a hard brush. If no pixel is fully transparent, flatten the picture onto one background
    /// before export.
    TRANSLUCENT_PIXELS = "MSK203" "translucent-pixels" Warning on(Mask)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some((loaded, source)) = subject.mask() else {
        return Vec::new();
    };
    let counts = &source.counts;
    let Some(first) = counts.first_translucent.filter(|_| !is_shape_in_alpha(source)) else {
        return Vec::new();
    };
    let headline = format!("{} neither opaque nor transparent", pixels_are(counts.translucent));
    // In a mask with transparent pixels, a background would hide the shape.
    let help = match counts.transparent {
        0 => "flatten the picture onto one background before export",
        _ => "draw with a hard brush, so that each pixel is opaque or fully transparent",
    };
    let mut finding =
        marked(&TRANSLUCENT_PIXELS, subject, headline, first, "~ = translucent").help(help);
    if let Some(alpha) = loaded.odd_pixels().and_then(|odd| odd.first_alpha) {
        finding = finding.note(format!("the first one has an opacity of {alpha} of 255"));
    }
    vec![match counts.translucent_extent {
        Some(extent) => within(finding, counts.translucent, extent),
        None => finding,
    }]
}
