//! Every type that derives `Serialize` and `Deserialize` must be in the list of samples.

use std::fs;
use std::path::Path;

use super::samples::TYPES;
use crate::support::files_in;

/// Returns the names of the public structs and enums in a source file that derive `Serialize`.
fn saved_types(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut derives = false;
    for line in source.lines().map(str::trim_start) {
        let name = line.strip_prefix("pub struct ").or(line.strip_prefix("pub enum "));
        if let Some(name) = name {
            let end = |c: char| !c.is_alphanumeric();
            names.extend(derives.then(|| name.split(end).next().unwrap().to_owned()));
        }
        // Only attributes and docs may stand between the derive and the type.
        derives &= line.starts_with(['#', '/', ')', ']']) || line.contains("serde");
        derives |= line.starts_with("#[cfg_attr(feature = \"serde\", derive(");
    }
    names
}

#[test]
fn every_type_that_derives_serialize_is_in_the_list_of_samples() {
    let sources = files_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let sources = sources.iter().filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let mut names: Vec<String> =
        sources.flat_map(|path| saved_types(&fs::read_to_string(path).unwrap())).collect();
    names.sort();
    names.dedup();
    assert!(names.len() > 20, "{names:?}");
    let listed: Vec<&str> = TYPES.iter().map(|(name, _)| *name).collect();
    let missing: Vec<_> = names.iter().filter(|name| !listed.contains(&&***name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_type_survives_a_round_trip_through_text_and_bytes() {
    for (name, round_trip) in TYPES {
        println!("{name}");
        round_trip();
    }
}
