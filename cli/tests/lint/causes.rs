//! Findings with one cause in several files: one finding that names all files, in every format.

use std::fs;

use serde_json::Value;

use crate::shared::{bitwall_in, folder};
use crate::support::{layer, map, tileset};

/// A project with six maps in two folders that lack one tileset, and a map that is whole.
fn project() -> tempfile::TempDir {
    let walls = layer(r#"name="Walls""#, [2, 1], "1,0");
    let of = |set: &str| {
        let set = format!(r#"<tileset firstgid="1" source="{set}"/>"#);
        map("", [2, 1], [8, 8], &(set + &walls))
    };
    let whole = map("", [2, 1], [8, 8], &(tileset([8, 8], 2, "") + &walls));
    let root = folder(&[("whole.tmx", &whole), ("t.png", "")]);
    for name in ["a.tmx", "b.tmx", "c.tmx"] {
        fs::create_dir_all(root.path().join("deep")).unwrap();
        fs::write(root.path().join(name), of("sets/gone.tsx")).unwrap();
        fs::write(root.path().join("deep").join(name), of("../sets/gone.tsx")).unwrap();
    }
    root
}

const FILES: [&str; 6] = ["a.tmx", "b.tmx", "c.tmx", "deep/a.tmx", "deep/b.tmx", "deep/c.tmx"];

/// Returns the output of `verify` in this format.
fn verify(format: &str) -> String {
    let root = project();
    let (code, out, err) = bitwall_in(root.path(), &["verify", "--quiet", "--format", format], "");
    assert_eq!((code, &*err), (1, ""), "{out}");
    out
}

#[test]
fn texts_name_each_file_of_a_cause_once() {
    for format in ["full", "concise", "github"] {
        let out = verify(format);
        let lines = out.lines().filter(|line| line.contains("TMX106"));
        assert_eq!(lines.count(), 1, "{out}");
        assert!(out.contains("no such file, in 6 files"), "{out}");
        // The first file is also the place of the finding.
        for name in &FILES[1..] {
            let shown = out
                .split([' ', ',', '\n', '%'])
                .filter(|word| word.trim_start_matches("0A") == *name);
            assert_eq!(shown.count(), 1, "{format} {name}: {out}");
        }
        assert!(out.contains("a.tmx"), "{out}");
    }
}

fn strings(values: &Value, pointer: &str) -> Vec<String> {
    let values = values.as_array().unwrap().iter();
    values.map(|value| value.pointer(pointer).unwrap().as_str().unwrap().to_owned()).collect()
}

#[test]
fn documents_list_the_other_files_and_no_folder_is_the_place_of_a_cause() {
    let json: Value = serde_json::from_str(&verify("json")).unwrap();
    let finding = &json["findings"][0];
    assert_eq!((&finding["path"], &finding["count"]), (&"a.tmx".into(), &6.into()));
    assert_eq!(strings(&finding["others"], "/repository_path"), FILES[1..]);
    assert_eq!(json["errors"], 1);

    let gitlab: Value = serde_json::from_str(&verify("gitlab")).unwrap();
    assert_eq!(gitlab[0]["location"]["path"], "a.tmx");
    assert_eq!(strings(&gitlab[0]["other_locations"], "/path"), FILES[1..]);

    let sarif: Value = serde_json::from_str(&verify("sarif")).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    let uri = "/physicalLocation/artifactLocation/uri";
    assert_eq!(strings(&result["locations"], uri), FILES[..1]);
    assert_eq!(strings(&result["relatedLocations"], uri), FILES[1..]);
}

#[test]
fn a_cause_is_one_failed_test_of_junit_and_the_other_files_are_not_clean() {
    let out = verify("junit");
    assert_eq!(out.matches("<failure").count(), 1, "{out}");
    assert_eq!(
        out.matches("<skipped message=\"see a.tmx: cannot read tileset").count(),
        5,
        "{out}"
    );
    for name in &FILES {
        assert!(!out.contains(&format!("name=\"clean\" classname=\"{name}\"")), "{out}");
        assert!(out.contains(&format!("<testsuite name=\"{name}\"")), "{out}");
    }
    assert!(out.contains("name=\"clean\" classname=\"whole.tmx\""), "{out}");
}

/// The fingerprint of a cause stays when its first file is repaired, and no path is empty.
#[test]
fn a_cause_in_the_root_folder_has_a_path_and_a_lasting_fingerprint() {
    let root = project();
    let found = || {
        let (_, out, _) = bitwall_in(root.path(), &["verify", "--quiet", "--format", "json"], "");
        let json: Value = serde_json::from_str(&out).unwrap();
        let finding = json["findings"][0].clone();
        (finding["path"].as_str().unwrap().to_owned(), finding["fingerprint"].clone())
    };
    let before = found();
    fs::remove_file(root.path().join("a.tmx")).unwrap();
    let after = found();
    assert_eq!((&*before.0, &*after.0), ("a.tmx", "b.tmx"));
    assert_eq!(before.1, after.1);
}
