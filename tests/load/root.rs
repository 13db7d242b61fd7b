//! The root folder of a map, outside of which the map cannot read files.

use std::fs;
use std::path::Path;

use bitwall::{Level, LoadError, LoadOptions, error::LoadErrorKind};

use crate::support::{even_blank, folder, layer, map, objects};

const TSX: &str = r#"<tileset name="t" tilewidth="8" tileheight="8" tilecount="1" columns="1">
 <image source="t.png" width="8" height="8"/></tileset>"#;

/// Writes a map with one solid tile from the tileset `source`.
fn write_map(path: &Path, source: &str) {
    let tileset = format!(r#"<tileset firstgid="1" source="{source}"/>"#);
    let layer = layer(r#"name="walls""#, [1, 1], "1");
    fs::write(path, map("", [1, 1], [8, 8], &(tileset + &layer))).unwrap();
}

/// Returns the root folder that an error about a file outside of it names.
fn outside(error: &LoadError) -> String {
    let LoadErrorKind::Reference { source, .. } = error.kind() else {
        panic!("{error}");
    };
    let LoadErrorKind::OutsideRoot { root } = &**source else {
        panic!("{error}");
    };
    assert!(error.to_string().contains("`LoadOptions::root`"), "{error}");
    root.file_name().unwrap().to_str().unwrap().to_owned()
}

/// Creates `project/maps/a.tmx`, one tileset in `project/sets`, and one outside the project.
fn project(marker: Option<&str>) -> tempfile::TempDir {
    let folder = folder(&[("project/sets/t.tsx", TSX), ("t.tsx", TSX)]);
    let project = folder.path().join("project");
    fs::create_dir(project.join("maps")).unwrap();
    if let Some(marker) = marker {
        fs::write(project.join(marker), "").unwrap();
    }
    folder
}

#[test]
fn a_map_cannot_read_files_outside_its_project() {
    for marker in ["bitwall.toml", "game.tiled-project", ".git"] {
        let folder = project(Some(marker));
        let map = folder.path().join("project/maps/a.tmx");
        write_map(&map, "../sets/t.tsx");
        assert_eq!(Level::load(&map).unwrap().grid().solid_count(), 1, "{marker}");
        write_map(&map, "../../t.tsx");
        assert_eq!(outside(&Level::load(&map).unwrap_err()), "project");
        // The error does not reveal whether the file exists.
        write_map(&map, "../../no/such.tsx");
        assert_eq!(outside(&Level::load(&map).unwrap_err()), "project");
    }
}

#[test]
fn the_outermost_bitwall_toml_of_a_repository_marks_the_root() {
    let folder = project(Some("bitwall.toml"));
    let maps = folder.path().join("project/maps");
    let map = maps.join("a.tmx");
    fs::write(maps.join("bitwall.toml"), "").unwrap();
    write_map(&map, "../sets/t.tsx");
    assert_eq!(Level::load(&map).unwrap().grid().solid_count(), 1);
    write_map(&map, "../../t.tsx");
    assert_eq!(outside(&Level::load(&map).unwrap_err()), "project");
    fs::write(maps.join(".git"), "gitdir: elsewhere").unwrap();
    write_map(&map, "../sets/t.tsx");
    assert_eq!(outside(&Level::load(&map).unwrap_err()), "maps", "a repository ends there");
}

#[test]
fn without_a_project_a_map_reads_only_its_folder_unless_a_root_is_given() {
    let folder = project(None);
    let map = folder.path().join("project/maps/a.tmx");
    write_map(&map, "../sets/t.tsx");
    assert_eq!(outside(&Level::load(&map).unwrap_err()), "maps");
    let options =
        LoadOptions { root: Some(folder.path().join("project")), ..LoadOptions::default() };
    assert!(Level::load_with(&map, &options).is_ok());
    write_map(&map, "../../t.tsx");
    assert_eq!(outside(&Level::load_with(&map, &options).unwrap_err()), "project");
}

#[test]
fn an_absolute_path_is_refused() {
    let folder = project(Some("bitwall.toml"));
    let map = folder.path().join("project/maps/a.tmx");
    let absolute = folder.path().join("project/sets/t.tsx");
    for source in [absolute.to_str().unwrap(), "C:\\sets\\t.tsx", "\\\\server\\t.tsx"] {
        write_map(&map, source);
        let error = Level::load(&map).unwrap_err();
        assert!(error.to_string().contains("not relative to the map's folder"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_root_is_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = project(Some("bitwall.toml"));
    let map = folder.path().join("project/maps/a.tmx");
    symlink(folder.path().join("t.tsx"), folder.path().join("project/maps/link.tsx")).unwrap();
    symlink(folder.path().join("project/sets"), folder.path().join("project/maps/in")).unwrap();
    write_map(&map, "link.tsx");
    assert_eq!(outside(&Level::load(&map).unwrap_err()), "project");
    write_map(&map, "in/t.tsx");
    assert!(Level::load(&map).is_ok(), "a link that stays inside is followed");
}

/// A map behind a link can name files in the folder that the link leads to.
#[test]
#[cfg(unix)]
fn a_map_in_a_linked_folder_finds_its_templates() {
    let template = r#"<template><tileset firstgid="1" source="t.tsx"/>
        <object type="wall" gid="1" width="8" height="8"/></template>"#;
    let object = objects("o", r#"<object id="1" template="wall.tx" x="8" y="8"/>"#);
    let folder = folder(&[
        ("far/maps/t.tsx", TSX),
        ("far/maps/wall.tx", template),
        ("far/maps/a.tmx", &map("", [2, 1], [8, 8], &object)),
        ("near/game/game.toml", ""),
    ]);
    let at = |path: &str| folder.path().join(path);
    std::os::unix::fs::symlink(at("far"), at("near/shared")).unwrap();
    let level = Level::load(at("near/game/../shared/maps/a.tmx")).unwrap();
    assert_eq!(level.grid().to_string().trim(), ".#");
}

/// The error is the same for a file, a folder, a pipe or nothing outside the root.
#[cfg(unix)]
#[test]
fn no_error_reveals_content_or_existence_of_files_beyond_the_root() {
    use std::os::unix::fs::symlink;
    use std::process::Command;
    let set = r#"<tileset firstgid="1" source="link.tsx"/>"#;
    let content = format!("{set}{}", layer(r#"name="Ground""#, [1, 1], "1"));
    let game = folder(&[
        ("game/.git/HEAD", ""),
        ("game/maps/a.tmx", &map("", [1, 1], [8, 8], &content)),
        ("far/t.tsx", TSX),
    ]);
    let at = |path: &str| game.path().join(path);
    assert!(Command::new("mkfifo").arg(at("far/pipe")).status().unwrap().success());
    symlink(at("far/none"), at("far/dangling")).unwrap();
    symlink(at("far/t.tsx"), at("far/linked")).unwrap();
    let mut errors = Vec::new();
    for target in ["t.tsx", "none", "none/none", "pipe", "dangling", "linked", ".", "t.tsx/x"] {
        for target in [at("far").join(target), Path::new("../../far").join(target)] {
            let link = at("game/maps/link.tsx");
            let _ = fs::remove_file(&link);
            symlink(target, &link).unwrap();
            let error = Level::load_with(at("game/maps/a.tmx"), &even_blank()).unwrap_err();
            errors.push(error.to_string());
        }
    }
    assert!(errors[0].contains("outside the root folder"), "{}", errors[0]);
    assert!(errors.iter().all(|error| *error == errors[0]), "{errors:#?}");
    // A folder above the root is beyond it, too.
    symlink(game.path(), at("game/maps/up")).unwrap();
    let map = at("game/maps/a.tmx");
    let text = fs::read_to_string(&map).unwrap();
    for source in ["up/far/t.tsx", "up/far/none.tsx", "up/none.tsx", "up/none/none.tsx"] {
        fs::write(&map, text.replace("link.tsx", source)).unwrap();
        let error = Level::load_with(&map, &even_blank()).unwrap_err().to_string();
        assert!(error.contains("outside the root folder"), "{error}");
    }
    fs::write(&map, text).unwrap();
    // Inside the root, the error states that the file is missing.
    let link = at("game/maps/link.tsx");
    fs::remove_file(&link).unwrap();
    symlink("none.tsx", &link).unwrap();
    let error = Level::load_with(at("game/maps/a.tmx"), &even_blank()).unwrap_err();
    assert!(error.to_string().contains("no such file"), "{error}");
}
