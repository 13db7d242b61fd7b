//! Pictures that a map names and that are not there.

use crate::printable;
use crate::verify::rule::rule;
use crate::verify::{Finding, Subject};

rule! {
    /// # What it finds
    /// A picture that a map or one of its tilesets names and that is not there, or lies outside the root
    /// folder.
    ///
    /// # Why it matters
    /// The level is loaded all the same, for it needs no pictures. But the game cannot draw it.
    ///
    /// # How to fix
    /// Put the picture there, or mend its path in the tileset or layer.
    MISSING_PICTURE = "TMX110" "missing-picture" Warning
}

/// More are only counted.
const SHOWN: usize = 3;

fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let missing = &subject.missing_pictures;
    if missing.is_empty() {
        return Vec::new();
    }
    let headline = match missing.len() {
        1 => "a picture that the map names is not there".to_owned(),
        count => format!("{count} pictures that the map names are not there"),
    };
    let mut finding = Finding::new(&MISSING_PICTURE, subject.path, headline)
        .help("put it there, or mend its path in the tileset or layer");
    for path in missing.iter().take(SHOWN) {
        let path = path.to_string_lossy();
        finding = finding.note(format!("looked for {}", printable(&path)));
    }
    vec![finding]
}
