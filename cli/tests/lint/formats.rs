//! The output formats of `bitwall verify`. Each is valid against its published schema, whatever the files
//! contain.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::schema::faults;
use crate::shared::{bitwall_in, folder};

/// Creates a folder with levels of every outcome: clean, with and without a line in the finding, not
/// loadable, with hostile names, and with a broken `bitwall.toml`.
fn levels() -> tempfile::TempDir {
    let map = |layer: &str, data: &str| {
        format!(
            "<map orientation=\"orthogonal\" width=\"2\" height=\"1\" tilewidth=\"8\" tileheight=\"8\">\
             <layer id=\"1\" name=\"{layer}\" width=\"2\" height=\"1\">\
             <data encoding=\"csv\">{data}</data></layer>\
             <objectgroup id=\"2\" name=\"walls\"><object id=\"1\" width=\"8\" height=\"8\"/></objectgroup>\
             </map>"
        )
    };
    let root = folder(&[
        (".git/HEAD", ""),
        ("clean.tmx", &map("a", "0,0")),
        ("a b/short, &amp; <odd>.tmx", &map("&#10;::error::x&#x202e; ##[error] ]]&gt;", "9,9,9")),
        ("broken.tmx", "<map"),
        ("config/bitwall.toml", "no toml"),
        ("config/unchecked.tmx", &map("a", "0,0")),
        ("picture.png", ""),
    ]);
    let gray = fs::read("tests/fixtures/verify/gray-pixels/bad_soft.png").unwrap();
    fs::write(root.path().join("a b/gray_mask.png"), &gray).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        for name in [&b"\xe9\xff_mask.png"[..], b"\n##[error]::_mask.png", b"\x1b[31m,:%_mask.png"]
        {
            fs::write(root.path().join(std::ffi::OsStr::from_bytes(name)), &gray).unwrap();
        }
    }
    root
}

/// Returns the standard output of `verify` in a format, for a folder with findings.
fn verify(root: &Path, format: &str) -> String {
    let args = ["verify", "--body", "4x4", "--format", format];
    let (code, out, err) = bitwall_in(root, &args, "");
    assert_eq!(code, 1, "{format}: {err}");
    out
}

/// Returns a schema of the part of SARIF 2.1.0 that the output uses, written from the standard.
fn sarif_schema() -> Value {
    serde_json::from_str(include_str!("../fixtures/sarif.json")).unwrap()
}

#[test]
fn sarif_output_is_valid_against_its_schema() {
    let levels = levels();
    let value: Value = serde_json::from_str(&verify(levels.path(), "sarif")).unwrap();
    let schema = sarif_schema();
    assert_eq!(schema["properties"]["version"]["enum"][0], "2.1.0");
    let found = faults(&schema, &value);
    assert!(found.is_empty(), "{found:#?}");

    // Checks what GitHub's code scanning requires in addition to the schema.
    let run = &value["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let fingerprint = result["partialFingerprints"]["bitwall/v1"].as_str().unwrap();
        assert_eq!(fingerprint.len(), 32);
        let file = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(file["uriBaseId"], "%SRCROOT%");
    }
    let gray = rules.iter().find(|rule| rule["id"] == "MSK202").unwrap();
    let of_rule = gray["fullDescription"]["text"].as_str().unwrap();
    assert!(of_rule.starts_with("Opaque pixels") && !of_rule.contains('#'), "{of_rule}");
    let text = run.to_string();
    assert!(text.contains("\"a%20b/gray_mask.png\""), "{text}");
    #[cfg(unix)]
    assert!(text.contains("\"%E9%FF_mask.png\"") && text.contains("%1B%5B31m%2C%3A%25_mask.png"));
    let notes = run["invocations"][0]["toolConfigurationNotifications"].as_array().unwrap();
    let notes: Vec<&str> =
        notes.iter().map(|note| note["message"]["text"].as_str().unwrap()).collect();
    assert!(notes.iter().any(|note| note.starts_with("1 picture not looked at")), "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("bitwall.toml is broken")), "{notes:?}");
}

/// The schema has the fields of GitLab's documentation ("Code Quality report format").
#[test]
fn the_gitlab_report_has_the_documented_fields() {
    let schema = json!({
        "type": "array",
        "items": {
            "type": "object",
            "required": ["description", "check_name", "fingerprint", "severity", "location"],
            "properties": {
                "description": {"type": "string", "pattern": "."},
                "check_name": {"type": "string", "pattern": "."},
                "fingerprint": {"type": "string", "pattern": "."},
                "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
                "location": {
                    "type": "object",
                    "required": ["path", "lines"],
                    "properties": {
                        // The path must be relative and must not start with `./`.
                        "path": {"type": "string", "pattern": r"^[^/.]"},
                        "lines": {
                            "type": "object",
                            "required": ["begin"],
                            "properties": {"begin": {"type": "integer", "minimum": 1}}
                        }
                    }
                }
            }
        }
    });
    let levels = levels();
    let value: Value = serde_json::from_str(&verify(levels.path(), "gitlab")).unwrap();
    let found = faults(&schema, &value);
    assert!(found.is_empty(), "{found:#?}");
    let issues = value.as_array().unwrap();
    let fingerprints: std::collections::BTreeSet<&str> =
        issues.iter().map(|issue| issue["fingerprint"].as_str().unwrap()).collect();
    assert_eq!(fingerprints.len(), issues.len(), "one is shown for all that are equal");
    let last = issues.last().unwrap();
    assert_eq!((&last["check_name"], &last["severity"]), (&json!("not-checked"), &json!("info")));
    let path = last["location"]["path"].as_str().unwrap();
    assert!(levels.path().join(path).exists(), "{path} is not there");
}

/// The elements and attributes are those of the schema that Jenkins publishes (`junit-10.xsd`). Other systems
/// read them too.
#[test]
fn junit_has_the_elements_and_attributes_of_its_schema() {
    use quick_xml::Reader;
    use quick_xml::events::Event;

    let levels = levels();
    let text = verify(levels.path(), "junit");
    let mut reader = Reader::from_str(&text);
    let mut open: Vec<String> = Vec::new();
    let (mut cases, mut failures, mut skipped, mut stated) = (0, 0, 0, [0; 3]);
    loop {
        let event = reader.read_event().unwrap();
        let (start, is_empty) = match &event {
            Event::Start(start) => (start, false),
            Event::Empty(start) => (start, true),
            Event::End(_) => {
                open.pop();
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        let name = start.name().as_ref().to_owned();
        let parent = open.last().map_or("", String::as_str);
        let attributes: Vec<(String, String)> = start
            .attributes()
            .map(|attribute| {
                let attribute = attribute.unwrap();
                let key = attribute.key.as_ref().to_owned();
                (key, attribute.value.into_owned())
            })
            .collect();
        let has = |key: &str| attributes.iter().any(|(known, _)| known == key);
        let number = |key: &str| {
            let found = attributes.iter().find(|(known, _)| known == key);
            found.map_or(0, |(_, value)| value.parse::<u32>().unwrap())
        };
        let (parents, required): (&[&str], &[&str]) = match name.as_str() {
            "testsuites" => (&[""], &[]),
            "testsuite" => (&["testsuites"], &["name"]),
            "properties" => (&["testsuite"], &[]),
            "property" => (&["properties"], &["name", "value"]),
            "testcase" => (&["testsuite"], &["name", "classname"]),
            "failure" | "skipped" => (&["testcase"], &["message"]),
            other => panic!("<{other}> in {text}"),
        };
        assert!(parents.contains(&parent), "<{name}> in <{parent}>: {text}");
        assert!(required.iter().all(|key| has(key)), "<{name}> has {attributes:?}");
        match name.as_str() {
            "testsuites" => stated = ["tests", "failures", "skipped"].map(number),
            "testcase" => cases += 1,
            "failure" => failures += 1,
            "skipped" => skipped += 1,
            _ => {}
        }
        if !is_empty {
            open.push(name);
        }
    }
    assert_eq!(stated, [cases, failures, skipped], "{text}");
    assert!(failures > 2 && skipped > 1 && cases > failures + skipped, "{text}");
}

/// This holds in every working folder. JSON additionally has the paths as typed.
#[test]
fn paths_in_reports_are_relative_to_the_root_of_the_repository() {
    let levels = levels();
    let below = levels.path().join("a b");
    for format in ["github", "gitlab", "sarif", "junit"] {
        let text = verify(&below, format);
        assert!(
            text.contains("a b/gray_mask.png") || text.contains("a%20b/gray_mask.png"),
            "{text}"
        );
    }
    for (format, start) in [("concise", ""), ("full", "  --> ")] {
        let text = verify(&below, format);
        let start = format!("{start}a b/gray_mask.png");
        assert!(text.lines().any(|line| line.starts_with(&start)), "{text}");
        assert!(!text.lines().any(|line| line.starts_with("gray_mask.png")), "{text}");
    }
    let value: Value = serde_json::from_str(&verify(&below, "json")).unwrap();
    let found = value["findings"].as_array().unwrap();
    let gray = found.iter().find(|finding| finding["code"] == "MSK202").unwrap();
    assert_eq!(
        (&gray["path"], &gray["repository_path"]),
        (&json!("gray_mask.png"), &json!("a b/gray_mask.png"))
    );
}

#[cfg(unix)]
#[test]
fn no_name_of_a_file_or_layer_is_printed_as_a_ci_command() {
    let folder = tempfile::tempdir().unwrap();
    let map = "<map orientation=\"orthogonal\" width=\"1\" height=\"1\" tilewidth=\"8\" tileheight=\"8\">\
        <layer id=\"1\" name=\"&#10;::error::x&#x202e; ##[error]\" width=\"1\" height=\"1\">\
        <data encoding=\"csv\">9</data></layer></map>";
    for name in
        ["\n::error file=x::y.tmx", "::warning::x.tmx", "\u{1b}[31m\r.tmx", "##[error]x.tmx"]
    {
        fs::write(folder.path().join(name), map).unwrap();
    }
    for format in ["full", "concise", "github", "gitlab", "json", "junit", "sarif"] {
        let (code, text, err) = bitwall_in(folder.path(), &["verify", ".", "--format", format], "");
        assert_eq!(code, 1, "{format}");
        for line in text.lines().chain(err.lines()) {
            assert!(!line.contains("##"), "{format}: {line}");
            let line = line.trim_start();
            let ours = format == "github"
                && (line.starts_with("::error file=")
                    || line.starts_with("::notice title=bitwall::"));
            assert!(ours || !line.starts_with("::"), "{format}: {line:?}");
            assert!(!line.contains(['\u{1b}', '\r', '\u{202e}']), "{format}: {line:?}");
        }
    }
}
