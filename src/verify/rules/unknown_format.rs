//! Files that are neither a map nor a mask.

use super::failure::{self, Cause};
use crate::verify::rule::rule;
use crate::verify::{Finding, Subject};

rule! {
/// # What it finds
/// A file whose content is neither a Tiled map (.tmx) nor a picture in PNG, GIF, BMP, WebP or TGA form,
/// whatever its name says. A JPEG picture that was renamed to .png is one.
///
/// # Why it matters
/// No level can be made of it. JPEG is refused on purpose: it blurs the edges of walls.
///
/// # How to fix
/// Save the map from Tiled as .tmx, or export the mask as PNG.
    UNKNOWN_FORMAT = "IO002" "unknown-format" Error fixed
}

fn check(subject: &Subject<'_>) -> Vec<Finding> {
    failure::report(&UNKNOWN_FORMAT, Cause::UnknownFormat, subject)
}
