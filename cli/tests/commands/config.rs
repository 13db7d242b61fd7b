//! The choice of the `bitwall.toml` that applies to a level, in the library and on the command line.

use std::fs;
use std::path::Path;
use std::process::Command;

use bitwall::{Level, LoadError, LoadOptions, Outside, Project, error::LoadErrorKind};

use crate::shared::{bitwall_in, folder, root};

const MAP: &str = r#"<map orientation="orthogonal" width="2" height="1" tilewidth="8" tileheight="8">
 <tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="4" columns="2">
  <image width="16" height="16"/></tileset>
 <layer name="ground" width="2" height="1"><data encoding="csv">1,0</data></layer>
 <layer name="walls" width="2" height="1"><data encoding="csv">1,2</data></layer></map>"#;

const GROUND: &str = "[solid]\ndefaults = false\nlayers = ['ground']\n";

/// Creates a folder with these files and the map `a/b/map.tmx`. The map has two solid cells by default, and
/// one with [`GROUND`].
fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    folder(&[&[(".git/HEAD", ""), ("a/b/map.tmx", MAP)], files].concat())
}

fn load(folder: &tempfile::TempDir) -> Result<Level, LoadError> {
    load_level(&folder.path().join("a/b/map.tmx"))
}

/// Loads the level with the options of its project, if it belongs to one.
fn load_level(path: &Path) -> Result<Level, LoadError> {
    match Project::find(path)? {
        Some(project) => project.load(path),
        None => Level::load(path),
    }
}

fn solid_cells(folder: &tempfile::TempDir) -> u64 {
    load(folder).unwrap().grid().solid_count()
}

#[test]
fn a_level_uses_the_nearest_bitwall_toml_above_it() {
    assert_eq!(solid_cells(&project(&[])), 2);
    for place in ["a/b/bitwall.toml", "a/bitwall.toml", "bitwall.toml"] {
        assert_eq!(solid_cells(&project(&[(place, GROUND)])), 1, "{place}");
    }
    let nested = project(&[("a/bitwall.toml", GROUND), ("bitwall.toml", "not read")]);
    assert_eq!(solid_cells(&nested), 1);
    let nearer = project(&[("a/b/bitwall.toml", ""), ("a/bitwall.toml", GROUND)]);
    assert_eq!(solid_cells(&nearer), 2, "an empty file means the defaults");
}

#[test]
fn the_search_for_bitwall_toml_ends_at_the_root_of_a_repository() {
    let inner = project(&[("bitwall.toml", GROUND), ("a/.git", "gitdir: elsewhere")]);
    assert_eq!(solid_cells(&inner), 2);
    let beside = project(&[("a/bitwall.toml", GROUND), ("a/.git", "")]);
    assert_eq!(solid_cells(&beside), 1);
}

#[test]
fn a_level_loaded_without_a_project_ignores_bitwall_toml() {
    let folder = project(&[("bitwall.toml", "broken")]);
    let map = folder.path().join("a/b/map.tmx");
    for level in [Level::load(&map), Level::load_with(&map, &LoadOptions::default())] {
        assert_eq!(level.unwrap().grid().solid_count(), 2);
    }
    assert!(Project::open(folder.path().join("a")).is_err(), "no file");
    assert!(load(&folder).is_err());
}

#[test]
fn a_mask_is_loaded_with_the_options_of_its_bitwall_toml() {
    let toml = "[masks]\nrule = 'light'\n[level]\noutside = 'open'";
    let folder = project(&[("bitwall.toml", toml)]);
    let mask = folder.path().join("a/mask.png");
    bitwall::image::GrayImage::from_raw(3, 1, vec![0, 255, 255]).unwrap().save(&mask).unwrap();
    let level = load_level(&mask).unwrap();
    assert_eq!(level.grid().solid_count(), 2);
    assert_eq!(level.outside(), Outside::Open.into());
}

#[test]
fn info_lists_the_areas_that_stop_only_some_bodies() {
    let mask = fs::read(root().join("assets/harbor_mask.png")).unwrap();
    let folder = folder(&[(
        "bitwall.toml",
        "[masks]\nplanes = { sea = '#ffffff' }\n[areas.sea]\ncategory = 6\n",
    )]);
    fs::write(folder.path().join("m.png"), mask).unwrap();
    let (code, text, _) = bitwall_in(folder.path(), &["info", "m.png"], "");
    assert_eq!(code, 0);
    let line = "of 1 x 1 px, solid for bodies that collide with 0x6\n";
    assert!(text.contains(line), "{text}");
    let json = bitwall_in(folder.path(), &["info", "m.png", "--format", "json"], "").1;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["areas"][0]["category"], 6);
    let level = load_level(&folder.path().join("m.png")).unwrap();
    assert_eq!(level.area_category("sea"), Some(6));
}

#[test]
fn the_options_of_a_project_have_the_path_of_its_bitwall_toml() {
    let folder = project(&[("a/bitwall.toml", GROUND)]);
    let config = |path: &str| {
        let project = Project::find(folder.path().join(path)).unwrap();
        project.map(|project| {
            let config = project.options().config.clone().unwrap();
            assert_eq!(Some(project.root()), config.parent());
            config
        })
    };
    let found = config("a/b/no_such.tmx").unwrap();
    let real = fs::canonicalize(folder.path()).unwrap();
    assert_eq!(found, real.join("a/bitwall.toml"));
    assert_eq!(config("a/b").unwrap(), found, "a folder is looked in itself");
    assert_eq!(config("a").unwrap(), found);
    assert_eq!(config("map.tmx"), None);
    assert_eq!(config("no/such/folder/map.tmx"), None);
}

#[test]
fn an_error_in_bitwall_toml_names_the_file_the_line_and_the_key() {
    let folder = project(&[("a/bitwall.toml", "[solid]\nlayrs = ['x']\n")]);
    let error = load(&folder).unwrap_err();
    assert!(error.path().ends_with("a/bitwall.toml"));
    assert_eq!(error.place().line, Some((2, 1)));
    let text = error.to_string();
    let expected =
        "a/bitwall.toml: line 2, byte 1: `solid.layrs` is not a key; did you mean `layers`?";
    assert!(text.replace('\\', "/").contains(expected), "{text}");
}

#[test]
fn a_bitwall_toml_that_is_too_large_or_not_utf8_or_a_folder_is_an_error() {
    let kind = |folder: &tempfile::TempDir| load(folder).unwrap_err().to_string();
    let huge = project(&[("bitwall.toml", &"#".repeat(65_537))]);
    assert!(kind(&huge).contains("65537, but the limit is 65536"));
    let most = project(&[("bitwall.toml", &"#".repeat(65_536))]);
    assert_eq!(solid_cells(&most), 2);
    let latin = project(&[]);
    fs::write(latin.path().join("bitwall.toml"), b"# \xe4\n").unwrap();
    assert!(kind(&latin).contains("byte 3 is not UTF-8"));
    let folder = project(&[("bitwall.toml/x", "")]);
    assert!(kind(&folder).contains("not a regular file"));
}

#[cfg(unix)]
#[test]
fn a_bitwall_toml_that_is_a_link_or_a_pipe_is_not_read() {
    let folder = project(&[("a/b/real.toml", GROUND)]);
    let config = folder.path().join("bitwall.toml");
    std::os::unix::fs::symlink(folder.path().join("a/b/real.toml"), &config).unwrap();
    let error = load(&folder).unwrap_err();
    assert!(error.to_string().contains("links are not followed"), "{error}");
    fs::remove_file(&config).unwrap();
    let made = Command::new("mkfifo").arg(&config).status().unwrap();
    assert!(made.success());
    assert!(matches!(load(&folder).unwrap_err().kind(), LoadErrorKind::Config { .. }));
    assert!(LoadOptions::load(&config).is_err());
}

#[cfg(unix)]
#[test]
fn a_root_linking_out_of_the_folder_of_bitwall_toml_is_an_error() {
    let outside = tempfile::tempdir().unwrap();
    let folder = project(&[("bitwall.toml", "[level]\nroot = 'link'")]);
    let link = folder.path().join("link");
    let reason = || load(&folder).unwrap_err().to_string();
    assert!(reason().contains("`level.root` is not a folder"));
    std::os::unix::fs::symlink(outside.path(), &link).unwrap();
    assert!(reason().contains("leads out of the folder"));
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(folder.path().join("a"), &link).unwrap();
    assert_eq!(solid_cells(&folder), 2);
}

#[test]
fn a_map_cannot_name_files_outside_the_root_in_bitwall_toml() {
    let outer = MAP.replace(
        r#"<tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="4" columns="2">
  <image width="16" height="16"/></tileset>"#,
        r#"<tileset firstgid="1" source="../../t.tsx"/>"#,
    );
    let tsx = r#"<tileset name="t" tilewidth="8" tileheight="8" tilecount="4" columns="2">
  <image width="16" height="16"/></tileset>"#;
    let folder = project(&[("a/b/map.tmx", &outer), ("t.tsx", tsx)]);
    let config = folder.path().join("bitwall.toml");
    fs::write(&config, "").unwrap();
    assert_eq!(solid_cells(&folder), 2);
    fs::write(&config, "[level]\nroot = 'a'").unwrap();
    let error = load(&folder).unwrap_err().to_string();
    assert!(error.contains("outside the root folder"), "{error}");
}

#[test]
fn info_names_its_bitwall_toml_and_arguments_override_it() {
    let toml = format!("{GROUND}[level]\noutside = 'open'");
    let folder = project(&[("bitwall.toml", &toml), ("other.toml", "[solid]\nlayers = ['x']")]);
    let info = |more: &[&str]| {
        let (code, out, err) =
            bitwall_in(folder.path(), &[&["info", "a/b/map.tmx"], more].concat(), "");
        assert_eq!(code, 0, "{err}");
        out
    };
    let text = info(&[]);
    assert!(text.contains("config    bitwall.toml") && text.contains("1 cell,"), "{text}");
    assert!(info(&["--format", "json"]).contains("\"config\": \"bitwall.toml\""));
    let text = info(&["--no-config"]);
    assert!(text.contains("config    none") && text.contains("2 cells"), "{text}");
    assert!(info(&["--no-config", "--format", "json"]).contains("\"config\": null"));
    let text = info(&["--config", "other.toml"]);
    assert!(text.contains("config    other.toml") && text.contains("2 cells"), "{text}");
    assert!(info(&["--solid-layer", "walls"]).contains("2 cells"));

    let moves = |more: &[&str]| {
        let body =
            ["can-move", "a/b/map.tmx", "--body", "8,0,8,8", "--dir", "right", "--step", "9"];
        bitwall_in(folder.path(), &[&body, more].concat(), "").0
    };
    assert_eq!(moves(&[]), 0, "open outside");
    assert_eq!(moves(&["-c", "level.outside=solid"]), 1);
    assert_eq!(moves(&["--config", "other.toml", "--no-config"]), 2);
    assert_eq!(moves(&["--config", "no_such.toml"]), 2);
}

#[test]
fn verify_uses_the_bitwall_toml_of_each_level() {
    let folder = project(&[("a/b/bitwall.toml", GROUND), ("c/map.tmx", MAP)]);
    let verify = |more: &[&str]| {
        let (code, out, err) =
            bitwall_in(folder.path(), &[&["verify", "a", "c"], more].concat(), "");
        (code, format!("{out}{err}"))
    };
    // By default every cell of c/map.tmx is solid, which is a finding.
    let (code, text) = verify(&[]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("c/map.tmx") && !text.contains("a/b/map.tmx"), "{text}");
    let (_, text) = verify(&["--no-config"]);
    assert!(text.contains("c/map.tmx") && text.contains("a/b/map.tmx"), "{text}");
    fs::write(folder.path().join("c/bitwall.toml"), "[solid]\nlayer = 1").unwrap();
    let (code, text) = verify(&[]);
    assert_eq!(code, 1);
    assert!(text.contains("error[IO004]: `solid.layer` is not a key"), "{text}");
    assert!(text.contains("c/bitwall.toml (line 2, byte 1)"), "{text}");
}
