//! The files that `bitwall verify` checks, and the options for each file.

use std::fs;
use std::path::Path;

use crate::shared::{bitwall_in, folder};

const MAP: &str = r#"<map orientation="orthogonal" width="2" height="1" tilewidth="8" tileheight="8">
    <objectgroup id="2" name="walls"><object id="1" x="0" y="0" width="8" height="8"/></objectgroup>
    </map>"#;

/// A map that is not well-formed. It has a finding with code TMX101.
const BROKEN: &str = "<map";

/// Runs `verify`. Returns the findings as `path code`, in order, and standard error.
fn verify(root: &Path, args: &[&str]) -> (Vec<String>, String) {
    let (_, findings, err) = crate::baseline::verify(root, args);
    (findings, err)
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

/// The art of a pair may have the name of a mask.
#[test]
fn the_art_of_a_pair_is_no_mask() {
    let pair = "[[verify.pair]]\nmask = 'a.png'\nart = '../art/collision_art.png'\n";
    let root = folder(&[("maps/bitwall.toml", pair), ("art/.keep", "")]);
    for name in ["maps/a.png", "art/collision_art.png"] {
        fs::write(root.path().join(name), gray()).unwrap();
    }
    let (found, err) = verify(root.path(), &["."]);
    assert_eq!(found, ["maps/a.png MSK202"], "{err}");
}

#[test]
fn with_an_empty_list_of_mask_patterns_no_picture_is_a_mask() {
    let empty = "[verify]\nmasks = []\n";
    let root = folder(&[
        ("bitwall.toml", "[verify]\nmasks = ['walls.png']\n"),
        (".git/HEAD", ""),
        ("sub/bitwall.toml", empty),
        ("a.tmx", MAP),
    ]);
    let root = root.path();
    for name in ["sub/walls.png", "a_mask.png"] {
        fs::write(root.join(name), gray()).unwrap();
    }
    let args = ["."];
    let (found, err) = verify(root, &args);
    assert!(found.is_empty() && err.contains("2 pictures not looked at"), "{found:?} {err}");
    fs::write(root.join("sub/bitwall.toml"), "").unwrap();
    assert_eq!(verify(root, &args).0, ["sub/walls.png MSK202"]);
    fs::write(root.join("bitwall.toml"), empty).unwrap();
    assert!(verify(root, &args).0.is_empty());
}

/// Only a PNG is a mask, so another picture with the name of a mask is reported instead of being skipped.
#[test]
fn a_mask_in_another_format_than_png_is_an_error_and_other_pictures_are_counted() {
    let root = folder(&[("a.tmx", MAP)]);
    let jpeg = fs::read("tests/fixtures/verify/unknown-format/bad_jpeg.png").unwrap();
    for name in ["x_mask.jpg", "y_mask.JPEG", "photo.jpg", "z.jpeg"] {
        fs::write(root.path().join(name), &jpeg).unwrap();
    }
    for name in ["u_mask.gif", "v_mask.bmp", "w_mask.webp", "t_mask.tga"] {
        bitwall::image::RgbImage::new(3, 2).save(root.path().join(name)).unwrap();
    }
    // The picture is the art of a mask.
    fs::write(root.path().join("z_mask.png"), gray()).unwrap();
    let (found, err) = verify(root.path(), &[]);
    let of_files: Vec<&String> = found.iter().filter(|it| it.ends_with("IO002")).collect();
    let masks = "t_mask.tga u_mask.gif v_mask.bmp w_mask.webp x_mask.jpg y_mask.JPEG";
    let wanted: Vec<String> = masks.split(' ').map(|name| format!("{name} IO002")).collect();
    assert_eq!(of_files, wanted.iter().collect::<Vec<_>>(), "{err}");
    assert!(err.contains("1 picture not looked at"), "{err}");
}

#[test]
fn pictures_drawn_by_verify_are_not_checked_as_masks() {
    let root = folder(&[("a.tmx", MAP), ("masks/.keep", "")]);
    for name in ["b_mask.png", "b_mask.png-findings.png"] {
        fs::write(root.path().join("masks").join(name), gray()).unwrap();
    }
    let (found, err) = verify(root.path(), &[]);
    assert_eq!(found, ["masks/b_mask.png MSK202"], "{err}");
    assert!(err.contains("2 files checked") && !err.contains("not looked at"), "{err}");
}

#[test]
fn a_json_file_is_a_map_by_its_content() {
    let map = r#"{"width":1,"height":1,"tilewidth":8,"tileheight":8,"orientation":"orthogonal","layers":[],
        "tilesets":[]}"#;
    let root = folder(&[("a.json", map), ("b.json", "{\"layers\":[]}"), ("c.json", "no JSON")]);
    assert_eq!(verify(root.path(), &[]).0, ["a.json TMX107"]);
}

#[test]
fn excluded_files_do_not_count_for_the_limit_of_files() {
    let root = folder(&[
        ("bitwall.toml", "[verify]\nexclude = ['old/']\n"),
        ("old/a.tmx", BROKEN),
        ("old/b.tmx", BROKEN),
        ("c.tmx", BROKEN),
    ]);
    assert_eq!(verify(root.path(), &["--max-files", "1"]).0, ["c.tmx TMX101"]);
}

#[test]
fn ignored_and_excluded_files_are_not_checked() {
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
fn rules_can_be_set_for_single_paths() {
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
    assert!(err.contains("2 files not checked: a bitwall.toml is broken"), "{err}");
}

#[test]
fn a_broken_configuration_alone_is_a_finding() {
    let root = folder(&[("bitwall.toml", "[verify]\nx = 1\n")]);
    let check = |path: &str| {
        let (code, out, err) =
            bitwall_in(root.path(), &["verify", "--format", "concise", path], "");
        assert_eq!(code, 1, "{path}: {err}");
        assert!(out.starts_with("bitwall.toml: error[IO004] "), "{path}: {out}");
    };
    [".", "bitwall.toml"].into_iter().for_each(check);
    fs::write(root.path().join("art.png"), "").unwrap();
    check(".");
    fs::write(root.path().join("bitwall.toml"), "[verify]\n").unwrap();
    assert_eq!(bitwall_in(root.path(), &["verify"], "").0, 2, "there is nothing to check");
}

#[test]
fn a_lower_configuration_cannot_turn_off_a_fixed_rule() {
    let root = folder(&[
        ("bitwall.toml", "[verify]\n"),
        (".git/HEAD", ""),
        ("a/bitwall.toml", "[verify]\nignore = ['TMX101', 'nothing-solid']\n"),
        ("a/one.tmx", MAP),
    ]);
    let (found, err) = verify(root.path(), &["."]);
    assert_eq!(found, ["a/bitwall.toml IO004"], "{err}");
    fs::write(root.path().join("a/bitwall.toml"), "[verify]\nignore = ['TMX107']\n").unwrap();
    assert!(verify(root.path(), &["."]).0.is_empty());
}

#[test]
fn a_lower_configuration_inherits_the_keys_that_it_does_not_set() {
    let upper = "[verify]\nmasks = ['/sub/solid_*.png']\nexclude = ['/sub/old/']\n\
        select = ['LVL302']\nignore = ['LVL303']\n\
        [[verify.marker]]\nname = 'exit'\nat-least = 1\n\
        [[verify.body]]\nsize = '4x4'\n\
        [[verify.pair]]\nmask = 'sub/odd.png'\nart = 'sub/art.png'\n\
        [[verify.path]]\npaths = ['sub/']\nselect = ['LVL303']\n";
    let root = folder(&[
        ("bitwall.toml", upper),
        (".git/HEAD", ""),
        ("sub/bitwall.toml", "[level]\noutside = 'open'\n"),
        ("sub/a.tmx", MAP),
        ("sub/old/b.tmx", BROKEN),
    ]);
    let root = root.path();
    for name in ["sub/solid_a.png", "sub/odd.png", "sub/b_mask.png", "sub/art.png"] {
        fs::write(root.join(name), gray()).unwrap();
    }
    let of = |found: Vec<String>, code: &str| {
        let is_it = |it: &&String| it.ends_with(code);
        found.iter().filter(is_it).cloned().collect::<Vec<_>>()
    };
    let (found, err) = verify(root, &[]);
    assert_eq!(of(found.clone(), "LVL303"), ["sub/a.tmx LVL303"], "{err}");
    assert!(!of(found.clone(), "LVL302").is_empty(), "{found:?}");
    assert_eq!(of(found, "MSK202"), ["sub/odd.png MSK202", "sub/solid_a.png MSK202"], "{err}");
    assert!(!err.contains("needs a body size"), "{err}");

    // The keys of the lower file override those of the upper file.
    let lower = "[verify]\nmasks = ['b_*']\nignore = ['LVL302']\n[[verify.marker]]\nname = 'x'\n";
    fs::write(root.join("sub/bitwall.toml"), lower).unwrap();
    let (found, err) = verify(root, &[]);
    assert_eq!(
        found,
        [
            "sub/b_mask.png MSK202",
            "sub/odd.png MSK202",
            // No level has the marker `x`.
            "sub/bitwall.toml IO006"
        ],
        "{err}"
    );
    // If the upper file is broken, the rules are unknown.
    fs::write(root.join("bitwall.toml"), "[verify]\nx = 1\n").unwrap();
    let (found, err) = verify(root, &["sub/a.tmx"]);
    assert_eq!(found, ["bitwall.toml IO004"], "{err}");
    assert!(err.contains("1 file not checked: a bitwall.toml is broken"), "{err}");
}

#[test]
fn a_pair_of_a_configuration_without_its_mask_is_a_finding() {
    let config = "[[verify.pair]]\nmask = 'walls/no.png'\nart = 'x.png'\n\
        [[verify.path]]\npaths = ['mazes/']\nselect = []\n";
    let root = folder(&[("bitwall.toml", config), (".git/HEAD", ""), ("caves/b.tmx", MAP)]);
    let (code, out, err) =
        bitwall_in(root.path(), &["verify", "caves/b.tmx", "--format", "concise"], "");
    let expected = "bitwall.toml: error[IO004] the mask `walls/no.png` of a pair is not there (line 2, byte 8)\n";
    assert_eq!((code, &*out), (1, expected));
    assert!(err.contains("1 file checked"), "the level is checked: {err}");
}

#[test]
fn rules_skipped_for_a_missing_fact_are_named() {
    let root = folder(&[("a.tmx", MAP)]);
    let (_, err) = verify(root.path(), &["."]);
    for rule in bitwall_cli::lint::RULES.iter().filter(|rule| rule.is_default) {
        use bitwall_cli::lint::Need::{Body, Marker};
        if rule.needs.contains(&Body) || rule.needs.contains(&Marker) {
            assert!(err.contains(rule.code), "{} in {err}", rule.code);
        }
    }
    assert!(err.contains("not checked, needs the markers that a level must have: LVL303"), "{err}");
}

/// An invalid pattern is a fault of its configuration.
#[test]
fn an_invalid_pattern_is_reported_with_its_key_and_line() {
    for (key, text) in [
        ("verify.exclude", "[verify]\nexclude = [\n'[z-a]']\n"),
        ("verify.masks", "[verify]\nmasks = [\n'[z-a]']\n"),
        ("verify.path.paths", "[[verify.path]]\npaths = [\n'[z-a]']\n"),
    ] {
        let folder = folder(&[("bitwall.toml", text), ("m.tmx", "<map")]);
        let (code, out, err) = bitwall_in(folder.path(), &["verify"], "");
        assert_eq!(code, 1, "{err}");
        let fault = format!("`{key}` has `[z-a]`, which is no pattern: ");
        assert!(out.contains(&fault) && out.contains("line 3"), "{out}");
        let named = ["verify", "--config", "bitwall.toml"];
        let (code, _, err) = bitwall_in(folder.path(), &named, "");
        assert!(
            code == 2 && err.contains(&format!("bitwall.toml: line 3, byte 1: {fault}")),
            "{err}"
        );
    }
}

#[test]
fn markers_that_no_level_has_are_a_note_with_their_line() {
    let config = "[verify]\nexclude = ['gone/']\n\n[[verify.marker]]\nname = 'home'\nrole = 'goal'\n\n\
        [[verify.marker]]\nname = 'exlt*'\nrole = 'goal'\n\n\
        [[verify.marker]]\nname = 'sparn'\nrole = 'goal'\n";
    let marker = crate::support::objects("Things", r#"<object id="9" name="home" x="9" y="3"/>"#);
    let map = MAP.replace("</map>", &format!("{marker}</map>"));
    let root =
        folder(&[(".git/HEAD", ""), ("bitwall.toml", config), ("a.tmx", &map), ("b/c.tmx", MAP)]);
    let found = |args: &[&str]| {
        bitwall_in(root.path(), &[&["verify", "-q", "--format", "concise"], args].concat(), "").1
    };
    let expected = "bitwall.toml: note[IO006] no level has `exlt*`, and 1 more (line 9, byte 8)\n";
    assert_eq!(found(&["."]), expected);
    // A run over a part of the levels cannot know that no level has a marker.
    assert_eq!(found(&["b"]), "");
    assert_eq!(found(&["a.tmx"]), "");
    assert_eq!(found(&[".", "--ignore", "IO006"]), "");
    fs::write(root.path().join("d.tmx"), BROKEN).unwrap();
    let with_broken = found(&["."]);
    assert!(!with_broken.contains("exlt"), "a map that cannot be read may have it: {with_broken}");
}

/// A hook names the files of a commit, also those that the project leaves out.
#[test]
fn excluded_files_that_are_named_are_left_out_only_with_force_exclude() {
    let config = "[verify]\nexclude = ['docs/']\n";
    let root = folder(&[("bitwall.toml", config), ("docs/a.tmx", BROKEN), ("b.tmx", BROKEN)]);
    let root = root.path();
    let both = ["docs/a.tmx", "b.tmx"];
    assert_eq!(verify(root, &both).0, ["b.tmx TMX101", "docs/a.tmx TMX101"]);
    let forced = ["--force-exclude", "docs/a.tmx", "b.tmx"];
    assert_eq!(verify(root, &forced).0, ["b.tmx TMX101"]);
    let by_option = [&forced[..], &["--exclude", "b.tmx"]].concat();
    let (found, err) = verify(root, &by_option);
    assert!(found.is_empty() && err.contains("0 files checked"), "{found:?} {err}");
    let (found, _) = verify(root, &["--force-exclude", "--exclude", "docs", "docs"]);
    assert!(found.is_empty(), "a folder that is excluded: {found:?}");
}
