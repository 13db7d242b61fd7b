//! Which files `bitwall verify` checks, and by which options.

use std::fs;
use std::path::Path;

use crate::shared::{bitwall_in, folder};

const MAP: &str = r#"<map orientation="orthogonal" width="2" height="1" tilewidth="8" tileheight="8">
    <objectgroup id="2" name="walls"><object id="1" x="0" y="0" width="8" height="8"/></objectgroup>
    </map>"#;

/// A map that is not well-formed, which is a finding of code TMX101.
const BROKEN: &str = "<map";

/// The findings as `path code`, in their order, and standard error.
fn verify(root: &Path, args: &[&str]) -> (Vec<String>, String) {
    let (_, out, err) = bitwall_in(root, &[&["verify", "--format", "concise"], args].concat(), "");
    let short = |line: &str| {
        let (path, rest) = line.split_once(": ").unwrap();
        let code = rest.split(['[', ']']).nth(1).unwrap();
        format!("{path} {code}")
    };
    (out.lines().map(short).collect(), err)
}

fn gray() -> Vec<u8> {
    fs::read("tests/fixtures/verify/gray-pixels/bad_soft.png").unwrap()
}

#[test]
fn a_picture_is_a_mask_by_pattern_or_pair() {
    let root = folder(&[("bitwall.toml", "[verify]\nmasks = ['solid_*.png', '/walls/']\n")]);
    let root = root.path();
    fs::create_dir_all(root.join("walls")).unwrap();
    for name in ["solid_a.png", "walls/b.png", "c_mask.png", "art.png", "d.png"] {
        fs::write(root.join(name), gray()).unwrap();
    }
    let (found, err) = verify(root, &["."]);
    assert_eq!(found, ["solid_a.png MSK202", "walls/b.png MSK202"], "{err}");
    assert!(err.contains("3 pictures not looked at"), "{err}");

    let pair = "[[verify.pair]]\nmask = 'd.png'\nart = 'art.png'\n";
    fs::write(root.join("bitwall.toml"), pair).unwrap();
    let (found, err) = verify(root, &["."]);
    assert_eq!(found, ["c_mask.png MSK202", "d.png MSK202"], "{err}");

    let (found, _) = verify(root, &["art.png"]);
    assert_eq!(found, ["art.png MSK202"], "a picture that is given is a mask");
}

#[test]
fn ignored_and_excluded_files_are_not_looked_at() {
    let root = folder(&[
        ("bitwall.toml", "[verify]\nexclude = ['old/', '/sub/x*.tmx']\n"),
        (".gitignore", "made/\n"),
        (".git/HEAD", ""),
        ("old/a.tmx", BROKEN),
        ("sub/old/b.tmx", BROKEN),
        ("sub/x1.tmx", BROKEN),
        ("x1.tmx", BROKEN),
        ("made/c.tmx", BROKEN),
    ]);
    assert_eq!(verify(root.path(), &[]).0, ["x1.tmx TMX101"]);
    let (found, _) = verify(root.path(), &["made/c.tmx", "old/a.tmx"]);
    assert_eq!(found, ["made/c.tmx TMX101", "old/a.tmx TMX101"], "those that are given are");
}

#[test]
fn a_file_that_is_named_three_ways_is_checked_once() {
    let root = folder(&[("maps/a.tmx", BROKEN)]);
    let whole = root.path().join("maps/a.tmx");
    let args = ["maps/a.tmx", "./maps/../maps/a.tmx", whole.to_str().unwrap(), "maps", "."];
    let (found, err) = verify(root.path(), &args);
    assert_eq!(found, ["maps/a.tmx TMX101"]);
    assert!(err.contains("1 file checked"), "{err}");
}

#[test]
fn rules_differ_by_path() {
    let config = "[verify]\nselect = ['open-border']\nseverity = { open-border = 'warning' }\n\
        [[verify.path]]\npaths = ['caves/']\nignore = ['LVL302']\n";
    let root = folder(&[("bitwall.toml", config), ("caves/a.tmx", MAP), ("towns/b.tmx", MAP)]);
    let (found, err) = verify(root.path(), &["."]);
    assert_eq!(found, ["towns/b.tmx LVL302"; 3], "{err}");
    assert!(err.contains("0 errors, 3 warnings"), "{err}");
    let (found, _) = verify(root.path(), &["--ignore", "LVL", "."]);
    assert!(found.is_empty());
    let (found, _) = verify(root.path(), &["--select", "LVL302", "caves"]);
    assert_eq!(found, ["caves/a.tmx LVL302"; 3], "an argument counts more than a file");
}

#[test]
fn a_broken_configuration_is_a_finding_and_the_rest_is_checked() {
    let root = folder(&[
        ("a/bitwall.toml", "[verify]\nx = 1\n"),
        ("a/one.tmx", BROKEN),
        ("a/two.tmx", BROKEN),
        ("b/three.tmx", BROKEN),
    ]);
    let (found, err) = verify(root.path(), &["."]);
    assert_eq!(found, ["a/bitwall.toml IO004", "b/three.tmx TMX101"], "{err}");
    assert!(err.contains("2 files not checked: their bitwall.toml is broken"), "{err}");
}

#[test]
fn a_lower_configuration_that_weakens_rules_is_a_finding() {
    let root = folder(&[
        ("bitwall.toml", "[verify]\n"),
        (".git/HEAD", ""),
        ("a/bitwall.toml", "[verify]\nignore = ['TMX101', 'nothing-solid']\n"),
        ("a/one.tmx", MAP),
    ]);
    let (found, err) = verify(root.path(), &["."]);
    assert_eq!(found, ["a/bitwall.toml IO004"], "a rule that is fixed: {err}");
    fs::write(root.path().join("a/bitwall.toml"), "[verify]\nignore = ['TMX107']\n").unwrap();
    let (found, err) = verify(root.path(), &["."]);
    assert_eq!(found, ["a/bitwall.toml IO005"], "{err}");
    assert_eq!(verify(root.path(), &["a/one.tmx"]).0, ["a/bitwall.toml IO005"]);
}

#[test]
fn rules_that_lack_a_fact_are_named() {
    let root = folder(&[("a.tmx", MAP)]);
    let (_, err) = verify(root.path(), &["."]);
    for rule in bitwall::verify::RULES.iter().filter(|rule| rule.is_default) {
        if rule.needs.contains(&bitwall::verify::Need::Body) {
            assert!(err.contains(rule.code), "{} in {err}", rule.code);
        }
    }
}
