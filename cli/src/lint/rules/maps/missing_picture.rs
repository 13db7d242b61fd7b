//! Pictures that a map names and that do not exist.

use std::path::{Path, PathBuf};

use super::unportable_path::reported;
use crate::lint::finding::Finding;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::text::{path_in_line, printable};

rule! {
    /// # What it finds
    /// A picture that a map or one of its tilesets names, and that does not exist or is outside the root
    /// folder. One whose path is not portable is reported by `unportable-path` instead.
    ///
    /// # Why it matters
    /// The level loads without its pictures, but the game cannot draw it.
    ///
    /// # How to fix
    /// Put the picture there, or fix its path in the tileset or layer.
    MISSING_PICTURE = "TMX110" "missing-picture" Warning on(Map)
}

/// The number of pictures that are named; the others are only counted.
const SHOWN: usize = 3;

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let missing = subject.missing_pictures();
    let elsewhere = reported(subject, missing);
    let is_ours = |picture: &&PathBuf| !elsewhere.contains(picture.as_path());
    let missing: Vec<&PathBuf> = missing.iter().filter(is_ours).collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let folder = subject.path.parent().unwrap_or(Path::new(""));
    // The same on every machine.
    let from_map = |path: &Path| {
        let below = path.strip_prefix(folder).ok();
        let below = below.or(path.file_name().map(Path::new)).unwrap_or(path);
        printable(&below.to_string_lossy()).to_string()
    };
    let headline = match missing.len() {
        1 => "a picture that the map names is not there".to_owned(),
        count => format!("{count} pictures that the map names are not there"),
    };
    let mut finding = Finding::new(&MISSING_PICTURE, subject.path, headline)
        .of_named("", missing.iter().map(|path| from_map(path)))
        .help("put it there, or fix its path in the tileset or layer");
    for path in missing.iter().take(SHOWN) {
        finding = finding.note(format!("looked for {}", path_in_line(path)));
    }
    vec![finding]
}
