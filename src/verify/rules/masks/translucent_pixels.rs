//! Pixels of a mask that are neither opaque nor clear.

use glam::UVec2;

use super::gray_pixels::lie_within;
use crate::error::Place;
use crate::text::counted;
use crate::verify::excerpt::{self, Excerpt};
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// Pixels of a mask that are neither opaque nor fully transparent.
    ///
    /// # Why it matters
    /// Such a pixel looks different on different backgrounds, so the artist may see a wall where the game has
    /// none. In most cases it is the soft edge of a brush.
    ///
    /// # How to fix
    /// Flatten the picture onto one background before export, or draw with a hard brush.
    TRANSLUCENT_PIXELS = "MSK203" "translucent-pixels" Warning
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some((loaded, source)) = subject.mask() else {
        return Vec::new();
    };
    let counts = &source.counts;
    let Some(first) = counts.first_translucent else {
        return Vec::new();
    };
    let is = if counts.translucent == 1 { "is" } else { "are" };
    let pixels = counted(counts.translucent, "pixel");
    let image = excerpt::pixels(subject.path, loaded.level.grid().size());
    let alpha = |x, y| image.as_ref().map(|image| image.get_pixel(x, y).0[3]);
    let excerpt = Excerpt::around(loaded, first, "~ = translucent", |x, y| {
        UVec2::new(x, y) == first || matches!(alpha(x, y), Some(1..=254))
    });
    let headline = format!("{pixels} {is} neither opaque nor transparent");
    let mut finding = Finding::new(&TRANSLUCENT_PIXELS, subject.path, headline)
        .at(Place { pixel: Some(first.into()), ..Place::default() })
        .excerpt(excerpt)
        .help("flatten the picture onto one background before export");
    if let Some(alpha) = alpha(first.x, first.y) {
        finding = finding.note(format!("the first one has an opacity of {alpha} of 255"));
    }
    if let Some(extent) = counts.translucent_extent {
        finding.notes.extend(lie_within(counts.translucent, extent));
    }
    vec![finding]
}
