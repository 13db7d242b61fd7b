//! Pictures that a map names and that do not exist.

use crate::text::printable;
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// A picture that a map or one of its tilesets names, and that does not exist or is outside the root
    /// folder.
    ///
    /// # Why it matters
    /// The level loads without its pictures, but the game cannot draw it.
    ///
    /// # How to fix
    /// Put the picture there, or fix its path in the tileset or layer.
    MISSING_PICTURE = "TMX110" "missing-picture" Warning
}

/// The number of pictures that are named; the others are only counted.
const SHOWN: usize = 3;

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let missing = subject.missing_pictures();
    if missing.is_empty() {
        return Vec::new();
    }
    let headline = match missing.len() {
        1 => "a picture that the map names is not there".to_owned(),
        count => format!("{count} pictures that the map names are not there"),
    };
    let mut finding = Finding::new(&MISSING_PICTURE, subject.path, headline)
        .help("put it there, or fix its path in the tileset or layer");
    for path in missing.iter().take(SHOWN) {
        let path = path.to_string_lossy();
        finding = finding.note(format!("looked for {}", printable(&path)));
    }
    vec![finding]
}
