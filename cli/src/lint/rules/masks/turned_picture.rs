//! Masks that viewers show turned or mirrored.

use crate::lint::finding::Finding;
use crate::lint::pixels::causes::orientation;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;

rule! {
    /// # What it finds
    /// A mask whose Exif data says that it is to be shown turned or mirrored.
    ///
    /// # Why it matters
    /// Many viewers and editors heed the Exif data, games and bitwall do not: the walls are not where the
    /// artist saw them.
    ///
    /// # How to fix
    /// Turn the pixels in an editor, and export without Exif data.
    TURNED_PICTURE = "MSK214" "turned-picture" Error on(Mask)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let manner = match orientation(subject.bytes) {
        Some(2) => "mirrored left to right",
        Some(3) => "turned by half",
        Some(4) => "mirrored top to bottom",
        Some(5 | 7) => "turned by a quarter and mirrored",
        Some(6) => "turned by a quarter to the right",
        Some(8) => "turned by a quarter to the left",
        _ => return Vec::new(),
    };
    let headline = format!("viewers show the mask {manner}, and the game does not");
    vec![
        Finding::new(&TURNED_PICTURE, subject.path, headline)
            .note("its Exif data has an orientation")
            .help("turn the pixels, and export without Exif data"),
    ]
}
