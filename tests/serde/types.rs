//! All public types: each is in the list of those that go through a file, or in that of the exceptions.

use std::fs;
use std::path::Path;

use crate::samples::TYPES;

/// Types without the two traits, by the reason.
const EXCEPTIONS: [(&str, &[&str]); 9] = [
    (
        "borrows from a value that has them",
        &[
            "AreaSolids",
            "Bands",
            "Canvas",
            "ConfigSpace",
            "DrawOptions",
            "Drawn",
            "Explainer",
            "FootprintSolids",
            "LayerContext",
            "PlacedFootprint",
            "PlacedTile",
            "Printable",
        ],
    ),
    (
        "an error, for its message",
        &[
            "BakeError",
            "FixError",
            "FootprintError",
            "GridError",
            "LoadError",
            "LoadErrorKind",
            "ParseDirError",
            "ParseMaskPlaneError",
            "ParseMaskRuleError",
            "ParsePropertyIsError",
            "PolygonError",
            "RenderError",
            "TooComplex",
            "TranslationError",
        ],
    ),
    ("facts of a level, computed anew from it", &["Components", "FreeSpace", "Island"]),
    ("stands for files on a disk, and is made of their paths", &["Disk", "Project"]),
    ("has a form of its own in a file", &["Baseline"]),
    ("memory for a search, without a state", &["Pairs"]),
    ("counts the work of one load", &["PictureBudget"]),
    ("has the bytes of a file, which is saved as one", &["BakedBytes", "BakedLevel", "Fix"]),
    ("cannot be named outside the crate", &["Core", "Vector"]),
];

/// The names of the structs and enums that the source declares public, sorted.
fn declared(folder: &Path, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_hidden = path.ends_with("cli") || path.ends_with("cli.rs");
        if path.is_dir() && !is_hidden {
            declared(&path, names);
        } else if !is_hidden {
            let source = fs::read_to_string(&path).unwrap();
            for line in source.lines() {
                let rest = line.trim_start();
                let rest = rest.strip_prefix("pub struct ").or(rest.strip_prefix("pub enum "));
                let end = |c: char| !c.is_alphanumeric();
                names.extend(rest.map(|rest| rest.split(end).next().unwrap().to_owned()));
            }
        }
    }
}

#[test]
fn every_public_type_goes_through_a_file_or_has_a_reason_not_to() {
    let mut names = Vec::new();
    declared(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut names);
    names.sort();
    assert!(names.len() > 90, "{names:?}");
    let exceptions = EXCEPTIONS.iter().flat_map(|(_, names)| names.iter());
    let mut known: Vec<&str> =
        exceptions.copied().chain(TYPES.iter().map(|(name, _)| *name)).collect();
    known.sort_unstable();
    assert_eq!(names, known);
}

#[test]
fn every_type_goes_through_text_and_bytes() {
    for (name, round_trip) in TYPES {
        println!("{name}");
        round_trip();
    }
}
