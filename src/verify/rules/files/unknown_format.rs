//! Files that are neither a map nor a mask.

use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::rules::failure::{self, Cause};
use crate::verify::subject::Subject;

rule! {
/// # What it finds
/// A file whose content is neither a Tiled map (.tmx) nor a picture in PNG, GIF, BMP, WebP or TGA form. The
/// name does not matter: a JPEG picture that was renamed to .png is reported.
///
/// # Why it matters
/// It contains no level. JPEG is refused on purpose: it blurs the edges of walls.
///
/// # How to fix
/// Save the map from Tiled as .tmx, or export the mask as PNG.
    UNKNOWN_FORMAT = "IO002" "unknown-format" Error fixed
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    failure::report(&UNKNOWN_FORMAT, Cause::UnknownFormat, subject)
}
