//! Levels loaded from bytes: they equal the levels from the disk, and need exactly the files that
//! `references` lists.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Component, Path, PathBuf};

use bitwall::error::LoadErrorKind;
use bitwall::load::{Files, ReferenceKind, references};
use bitwall::tmx::WorldFile;
use bitwall::{Dir, Level, LoadedLevel};

use crate::support::{
    asset, corpus, even_blank, files_in, folder, layer, map, objects, png, shared,
};

/// Returns the files in a folder and its subfolders, by relative path.
fn bytes_in(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = files_in(folder);
    let named = files.into_iter().map(|path| {
        let bytes = fs::read(&path).unwrap();
        (path.strip_prefix(folder).unwrap().to_owned(), bytes)
    });
    named.collect()
}

/// Asserts that two levels are equal.
fn assert_same(a: &LoadedLevel, b: &LoadedLevel, name: &str) {
    let (one, other) = (&a.level, &b.level);
    assert_eq!(one.grid(), other.grid(), "{name}");
    assert_eq!((one.cell_size(), one.origin()), (other.cell_size(), other.origin()), "{name}");
    assert_eq!(one.outside(), other.outside(), "{name}");
    for side in Dir::ALL {
        assert_eq!(one.one_way(side), other.one_way(side), "{name}: {side:?}");
    }
    let areas = |level: &Level| -> Vec<_> {
        level.areas().iter().map(|area| (area.name.clone(), area.terrain.grid().clone())).collect()
    };
    assert_eq!(areas(one), areas(other), "{name}");
    assert_eq!(one.markers(), other.markers(), "{name}");
    assert_eq!(a.warnings, b.warnings, "{name}");
    assert_eq!(a.maps.len(), b.maps.len(), "{name}");
}

const TSX: &str = r#"<tileset name="t" tilewidth="8" tileheight="8" tilecount="2" columns="2">
    <image source="t.png" width="16" height="8"/>
    <tile id="0" type="wall"/><tile id="1" type="oneway"/></tileset>"#;

const TSJ: &str = r#"{"type":"tileset","name":"t","tilewidth":8,"tileheight":8,"tilecount":2,"columns":2,
    "image":"t.png","imagewidth":16,"imageheight":8,"tiles":[{"id":0,"type":"wall"}]}"#;

/// Creates a level of each kind in the folder `game`, with the files that it needs.
fn game() -> tempfile::TempDir {
    let set = r#"<tileset firstgid="1" source="../sets/t.tsx"/>"#;
    let cells = layer(r#"name="Ground""#, [3, 2], "1,0,2,0,0,1");
    let instance = objects(
        "things",
        r#"<object id="1" template="../sets/wall.tx" x="8" y="16"/>
        <object id="2" name="door" type="exit" x="3" y="2" width="5" height="6"/>"#,
    );
    let content = format!("{set}{cells}{instance}");
    let isometric = r#"orientation="isometric""#;
    let hexagonal =
        r#"orientation="hexagonal" hexsidelength="4" staggeraxis="y" staggerindex="odd""#;
    let infinite = layer(
        r#"name="Ground""#,
        [3, 2],
        r#"<chunk x="-16" y="0" width="2" height="1">1,2</chunk>"#,
    );
    // The tileset states 2 tiles. The stated picture size has room for one, the real picture for four.
    let grown = r#"<tileset firstgid="1" name="g" tilewidth="8" tileheight="8" tilecount="2" columns="1">
        <image source="../sets/grown.png" width="8" height="8"/></tileset>"#;
    let grown = format!("{grown}{}", layer(r#"name="walls""#, [3, 2], "4,0,0,0,0,1"));
    // The picture has become larger since the tileset was written.
    let later = r#"<tileset firstgid="1" name="g" tilewidth="8" tileheight="8" tilecount="1" columns="1">
        <image source="../sets/grown.png" width="8" height="8"/></tileset>"#;
    let later = format!("{later}{}", layer(r#"name="walls""#, [3, 2], "4,0,0,0,0,1"));
    let json = r#"{"type":"map","orientation":"orthogonal","infinite":false,"width":2,"height":1,"tilewidth":8,
        "tileheight":8,"tilesets":[{"firstgid":1,"source":"../sets/t.tsj"}],"layers":[
        {"type":"tilelayer","name":"Ground","width":2,"height":1,"data":[2,1]}]}"#;
    let world = r#"{"maps":[{"fileName":"./plain.tmx","x":0,"y":0},{"fileName":"plain.tmj","x":64,"y":8}],
        "patterns":[{"regexp":"^room_(\\d+)_(\\d+)\\.tmx$","multiplierX":24,"multiplierY":-16}]}"#;
    let template = r#"<template><tileset firstgid="7" source="more.tsx"/>
        <object type="wall" gid="7" width="8" height="8"/></template>"#;
    let game = folder(&[
        (".git/HEAD", ""),
        ("sets/t.tsx", TSX),
        ("sets/t.tsj", TSJ),
        ("sets/more.tsx", TSX),
        ("sets/wall.tx", template),
        ("maps/plain.tmx", &map("", [3, 2], [8, 8], &content)),
        ("maps/plain.tmj", json),
        ("maps/isometric.tmx", &map(isometric, [3, 2], [16, 8], &content)),
        ("maps/hexagonal.tmx", &map(hexagonal, [3, 2], [8, 8], &content)),
        (
            "maps/infinite.tmx",
            &map(r#"infinite="1""#, [3, 2], [8, 8], &(set.to_owned() + &infinite)),
        ),
        ("maps/grown.tmx", &map("", [3, 2], [8, 8], &grown)),
        ("maps/later.tmx", &map("", [3, 2], [8, 8], &later)),
        ("maps/room_0_1.tmx", &map("", [3, 2], [8, 8], &content)),
        ("maps/room_1_2.tmx", &map("", [3, 2], [8, 8], &content)),
        ("maps/w.world", world),
    ]);
    let picture = image::RgbImage::from_fn(16, 16, |x, y| match (x + y) % 5 {
        0 => image::Rgb([0, 0, 0]),
        1 => image::Rgb([0, 0, 255]),
        _ => image::Rgb([255; 3]),
    });
    fs::write(game.path().join("sets/grown.png"), png(picture.clone())).unwrap();
    fs::write(game.path().join("maps/mask.png"), png(picture)).unwrap();
    game
}

#[test]
fn a_level_of_each_kind_is_the_same_from_bytes_as_from_the_disk() {
    let game = game();
    let bytes = bytes_in(game.path());
    let by_hash: HashMap<String, &Vec<u8>> =
        bytes.iter().map(|(path, bytes)| (path.to_str().unwrap().to_owned(), bytes)).collect();
    let mut options = even_blank();
    options.planes.push("sea=#0000ff".parse().unwrap());
    options.areas.push(bitwall::rules::AreaRule::named("exit"));
    let levels = bytes.keys().filter(|path| path.starts_with("maps"));
    let mut kinds = 0;
    for path in levels {
        let name = path.to_str().unwrap();
        let loaded = LoadedLevel::load(game.path().join(path), &options)
            .unwrap_or_else(|error| panic!("{error}"));
        let file = &bytes[path];
        let from_tree = LoadedLevel::decode(path, file, &bytes, &options).unwrap();
        assert_same(&loaded, &from_tree, name);
        let from_hash = LoadedLevel::decode(path, file, &by_hash, &options).unwrap();
        assert_same(&loaded, &from_hash, name);
        let level = Level::decode(path, file, &bytes, &options).unwrap();
        assert_eq!(level.grid(), loaded.level.grid());
        if !name.ends_with(".world") {
            let read = |path: &Path| fs::read(game.path().join(path));
            let by_closure = LoadedLevel::decode(path, file, read, &options).unwrap();
            assert_same(&loaded, &by_closure, name);
        }
        kinds += 1;
    }
    assert_eq!(kinds, 11);
    // The world has two listed maps, and two that its pattern matches.
    let world = LoadedLevel::load(game.path().join("maps/w.world"), &options).unwrap();
    assert_eq!(world.maps.len(), 4);
}

#[test]
fn a_mask_in_another_format_than_png_is_an_error_that_names_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let picture = image::DynamicImage::from(image::RgbImage::new(3, 2));
    for (ending, found) in [
        ("jpg", "a JPEG picture (lossy) named .jpg"),
        ("gif", "a GIF picture named .gif"),
        ("bmp", "a BMP picture named .bmp"),
        ("webp", "a WebP picture, a sound or a film named .webp"),
        ("tga", "a file of another kind named .tga"),
    ] {
        let path = folder.path().join("cave_mask").with_extension(ending);
        picture.save(&path).unwrap();
        let error = Level::load(&path).unwrap_err();
        assert_eq!(error.headline(), format!("neither a Tiled map nor a mask: {found}"));
        assert!(error.help().contains("save the mask as PNG"), "{error}");
    }
}

#[test]
fn the_bundled_levels_are_the_same_from_bytes() {
    let bytes = bytes_in(&asset(""));
    let is_level = |path: &&PathBuf| {
        let end = path.extension().and_then(|end| end.to_str());
        matches!(end, Some("tmx" | "tmj" | "world")) || path.to_str().unwrap().contains("mask")
    };
    let mut levels = 0;
    for path in bytes.keys().filter(is_level) {
        let loaded = LoadedLevel::load(asset("").join(path), &even_blank()).unwrap();
        let decoded = LoadedLevel::decode(path, &bytes[path], &bytes, &even_blank()).unwrap();
        assert_same(&loaded, &decoded, path.to_str().unwrap());
        levels += 1;
    }
    assert!(levels >= 6, "{levels}");
}

/// Reads files from the disk, and records their paths.
struct Noted<'a>(&'a RefCell<BTreeSet<PathBuf>>);

impl Files for Noted<'_> {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        self.0.borrow_mut().insert(plain(path));
        Ok(fs::read(path)?)
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        self.0.borrow_mut().insert(plain(folder));
        names(folder)
    }
}

fn names(folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.unwrap());
    Ok(entries.filter_map(|entry| entry.file_name().into_string().ok()).collect())
}

/// Returns a path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// Returns all files that a level names, directly or through other files.
fn closure(path: &Path, bytes: &[u8]) -> BTreeSet<PathBuf> {
    let mut known = BTreeSet::new();
    let mut open = references(path, bytes);
    if open.iter().any(|reference| reference.kind == ReferenceKind::Folder) {
        let world = WorldFile::decode(bytes).unwrap();
        let folder = path.parent().unwrap();
        if let Ok(maps) = world.maps_among(|| names(folder)) {
            open.extend(maps.into_iter().map(|map| bitwall::load::Reference {
                path: folder.join(map.file),
                kind: ReferenceKind::Map,
            }));
        }
    }
    while let Some(reference) = open.pop() {
        if reference.kind != ReferenceKind::Art
            && known.insert(plain(&reference.path))
            && let Ok(bytes) = fs::read(&reference.path)
        {
            open.extend(references(&reference.path, &bytes));
        }
    }
    known
}

/// Returns the files that the level names, the files that a load reads, and true if the load succeeds.
fn named_and_asked(path: &Path) -> (BTreeSet<PathBuf>, BTreeSet<PathBuf>, bool) {
    let bytes = fs::read(path).unwrap();
    let asked = RefCell::default();
    let decoded = Level::decode(path, &bytes, Noted(&asked), &even_blank());
    (closure(path, &bytes), asked.into_inner(), decoded.is_ok())
}

#[test]
fn a_load_reads_exactly_the_files_listed_by_references() {
    let game = game();
    let mut asked_for = 0;
    for path in files_in(&game.path().join("maps")) {
        let (named, asked, is_level) = named_and_asked(&path);
        assert!(is_level, "{path:?}");
        asked_for += asked.len();
        if path.ends_with("later.tmx") || path.ends_with("grown.tmx") {
            assert_eq!((named.len(), asked.len()), (0, 1), "only the map's tiles tell");
            continue;
        }
        assert_eq!(named, asked, "{path:?}");
    }
    assert!(asked_for > 20, "{asked_for}");
    let named =
        references("maps/grown.tmx", &fs::read(game.path().join("maps/grown.tmx")).unwrap());
    assert_eq!((named.len(), named[0].kind), (1, ReferenceKind::Art));
}

#[test]
fn a_load_of_each_corpus_level_reads_exactly_the_files_listed_by_references() {
    let Some(files) = corpus() else {
        return;
    };
    let (mut levels, mut asked_for) = (0, 0);
    for (file, path) in &files {
        let (named, asked, is_level) = named_and_asked(path);
        assert!(!is_level || named.is_subset(&asked), "{file}: {named:?} {asked:?}");
        // A picture is measured only for a tile beyond those of its tileset.
        let mut more = asked.difference(&named);
        assert!(
            more.all(|path| path.extension().is_some_and(|end| end == "png")),
            "{file}: {asked:?}"
        );
        levels += u32::from(is_level);
        asked_for += asked.len();
    }
    println!("{levels} levels asked for {asked_for} files, all of them named");
    assert!(levels > 250 && asked_for > 100);
}

#[test]
fn the_error_of_a_missing_file_names_the_path_that_was_tried() {
    let game = game();
    let map = fs::read(game.path().join("maps/plain.tmx")).unwrap();
    let error = Level::decode("maps/plain.tmx", &map, (), &even_blank()).unwrap_err();
    let expected =
        "cannot read tileset `../sets/t.tsx`: no such file (looked in maps/../sets/t.tsx)";
    assert!(error.to_string().contains(expected), "{error}");
    let world = fs::read(game.path().join("maps/w.world")).unwrap();
    let read = |path: &Path| fs::read(game.path().join(path));
    let error = Level::decode("maps/w.world", &world, read, &even_blank()).unwrap_err();
    assert!(error.to_string().contains("cannot be listed"), "{error}");
}

/// A `main` that returns the error prints its debug text.
#[test]
fn the_debug_text_of_a_load_error_is_its_message() {
    for path in ["no/such/level.tmx", "assets", "Cargo.toml"] {
        let error = Level::load(path).unwrap_err();
        assert!(error.to_string().starts_with(path), "{error}");
        assert_eq!(format!("{error:?}"), error.to_string());
        assert_eq!(format!("{error:#?}"), error.to_string());
    }
}

/// The library does not know the arguments of the program.
#[test]
fn no_load_error_names_an_option_of_the_command_line() {
    let mut errors = Vec::new();
    let mut add = |path: &Path| {
        if let Err(error) = Level::load(path) {
            errors.push(error.to_string());
        }
    };
    for folder in ["badinput/tmx", "badinput/png", "corpus"] {
        let Some(folder) = shared(folder) else { continue };
        files_in(&folder).iter().for_each(|path| add(path));
    }
    let game = game();
    let at = |name: &str| game.path().join("maps").join(name);
    for (name, tileset) in
        [("out.tmx", "../../t.tsx"), ("none.tmx", "no.tsx"), ("far.tmx", "/t.tsx")]
    {
        let content = format!(r#"<tileset firstgid="1" source="{tileset}"/>"#);
        fs::write(at(name), map("", [1, 1], [8, 8], &content)).unwrap();
        add(&at(name));
    }
    fs::write(at("blank.tmx"), map("", [1, 1], [8, 8], "")).unwrap();
    fs::write(at("x.tmx"), "?").unwrap();
    for name in ["blank.tmx", "x.tmx", "no_such.tmx", "."] {
        add(&at(name));
    }
    assert!(errors.len() >= 7, "{errors:?}");
    println!("{} errors", errors.len());
    let is_letter = |next: Option<char>| next.is_some_and(|next| next.is_ascii_lowercase());
    for error in errors {
        let mut flags = error.match_indices("--").map(|(at, _)| error[at + 2..].chars().next());
        assert!(!flags.any(is_letter), "{error}");
    }
}
