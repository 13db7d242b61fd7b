//! Baked levels on the disk, and the command `bitwall bake`.

use std::fs;

use bitwall::baked::{BakedLevel, BakedSources};
use bitwall::glam::IVec2;
use bitwall::load::{BakeOptions, Source};
use bitwall::{Aabb, Dir, Level, LoadOptions, LoadedLevel};

use crate::shared::{bitwall, bitwall_in, files_in, folder, root};

const LEVELS: [&str; 8] = [
    "bricks.tmx",
    "cave.tmx",
    "hills.tmx",
    "platforms.tmx",
    "town.tmx",
    "harbor_mask.png",
    "island_mask.png",
    "thin_walls.png",
];

fn loaded(name: &str) -> LoadedLevel {
    LoadedLevel::load(root().join("assets").join(name), &LoadOptions::default()).unwrap()
}

/// Every machine must bake the same bytes.
#[test]
fn the_baked_cave_of_the_examples_is_up_to_date() {
    let bytes = Level::load(root().join("assets/cave.tmx")).unwrap().bake().unwrap();
    let is_same = bytes == fs::read(root().join("assets/cave.bwl")).unwrap();
    assert!(
        is_same,
        "bitwall bake - --stdin-name assets/cave.tmx -o assets/cave.bwl < assets/cave.tmx"
    );
}

/// Creates a project with a map and its tileset, and bakes the map's level.
fn project() -> tempfile::TempDir {
    let assets = root().join("assets");
    let text = |name: &str| fs::read_to_string(assets.join(name)).unwrap();
    let folder = folder(&[
        ("maps/cave.tmx", &text("cave.tmx")),
        ("maps/cave.tsx", &text("cave.tsx")),
        ("out/readme.txt", ""),
    ]);
    fs::create_dir(folder.path().join(".git")).unwrap();
    fs::copy(assets.join("thin_walls.png"), folder.path().join("maps/walls.png")).unwrap();
    let args = ["bake", "maps/cave.tmx", "maps/walls.png", "-o", "out"];
    assert_eq!(bitwall_in(folder.path(), &args, "").0, 0);
    folder
}

#[test]
fn bake_check_finds_levels_that_are_stale_damaged_or_without_a_source() {
    let check = |folder: &std::path::Path, more: &[&str]| {
        let (code, out, err) =
            bitwall_in(folder, &[&["bake", "--check", "out"], more].concat(), "");
        assert!(err.contains(" baked levels checked: "), "{err}");
        (code, out)
    };
    let change = |name: &str, change: &dyn Fn(String) -> String| {
        let folder = project();
        let path = folder.path().join(name);
        fs::write(&path, change(fs::read_to_string(&path).unwrap_or_default())).unwrap();
        check(folder.path(), &[])
    };
    let clean = (0, String::new());
    let stale = |reason: &str| (1, format!("out/cave.bwl: stale: {reason}; bake it again\n"));
    let folder = project();
    assert_eq!(check(folder.path(), &[]), clean);
    // Only a change of a file that the level reads makes the baked level stale.
    assert_eq!(change("maps/cave.tmx", &|text| text + " "), stale("../maps/cave.tmx has changed"));
    assert_eq!(change("maps/cave.tsx", &|text| text + " "), stale("../maps/cave.tsx has changed"));
    assert_eq!(change("maps/other.tmx", &|_| String::new()), clean);
    // Line ends are ignored, because a checkout may convert them.
    assert_eq!(change("maps/cave.tsx", &|text| text.replace('\n', "\r\n")), clean);
    let options = "the load options differ, or another bitwall baked it";
    let (code, out) = change("maps/bitwall.toml", &|_| "[level]\noutside = \"open\"\n".to_owned());
    assert_eq!((code, out.matches(options).count()), (1, 2), "{out}");
    assert_eq!(check(folder.path(), &["--outside", "open"]).0, 1);
    fs::remove_file(folder.path().join("maps/cave.tsx")).unwrap();
    assert_eq!(check(folder.path(), &[]), stale("../maps/cave.tsx is gone"));
    fs::remove_file(folder.path().join("maps/cave.tmx")).unwrap();
    let gone = "its source ../maps/cave.tmx is gone; remove it, or bake it again";
    assert_eq!(check(folder.path(), &[]), (1, format!("out/cave.bwl: {gone}\n")));
    let baked = folder.path().join("out/cave.bwl");
    let mut bytes = fs::read(&baked).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&baked, bytes).unwrap();
    let (code, out) = check(folder.path(), &[]);
    assert!(
        code == 1 && out.starts_with("out/cave.bwl: damaged: a baked level that was damaged: "),
        "{out}"
    );
    // A level from `Level::bake` has no hashes of its sources. That is not an error.
    fs::copy(root().join("assets/cave.bwl"), &baked).unwrap();
    let without = "out/cave.bwl: has no hash of its sources; bake it again to compare it\n";
    assert_eq!(check(folder.path(), &[]), (0, without.to_owned()));
}

#[test]
fn a_level_baked_into_another_repository_stores_no_paths() {
    let [folder, other] = [project(), project()];
    let out = other.path().join("cave.bwl");
    let args = ["bake", "maps/cave.tmx", "-o", out.to_str().unwrap()];
    assert_eq!(bitwall_in(folder.path(), &args, "").0, 0);
    assert_eq!(BakedSources::decode(&fs::read(&out).unwrap()), Ok(None));
    let here = BakedSources::decode(&fs::read(folder.path().join("out/cave.bwl")).unwrap());
    let files = here.unwrap().unwrap().files;
    let paths: Vec<&str> = files.iter().map(|file| &*file.path).collect();
    assert_eq!(paths, ["../maps/cave.tmx", "../maps/cave.tsx"]);
    // The content of the level, and so its hash, does not depend on the folder.
    let [one, other] = [out, folder.path().join("out/cave.bwl")];
    let hash = |path| BakedLevel::decode(fs::read(path).unwrap()).unwrap().content_hash;
    assert_eq!(hash(one), hash(other));
    let (code, _, err) = bitwall_in(folder.path(), &["bake", "--check", "none"], "");
    assert!(code == 2 && err.contains("there is no such folder"), "{err}");
    assert_eq!(bitwall_in(folder.path(), &["bake"], "").0, 2);
}

#[test]
fn a_baked_level_answers_queries_and_provenance_like_its_source() {
    let folder = tempfile::tempdir().unwrap();
    let mut rng = fastrand::Rng::with_seed(41);
    for name in LEVELS {
        let source = loaded(name);
        let bytes =
            source.bake(&BakeOptions { provenance: true, ..BakeOptions::default() }).unwrap();
        let path = folder.path().join("level.bwl");
        fs::write(&path, &bytes).unwrap();
        let baked = LoadedLevel::load(&path, &LoadOptions::default()).unwrap();
        assert_eq!(baked.level.grid(), source.level.grid());
        assert_eq!(baked.level.markers(), source.level.markers());
        assert_eq!(baked.level.origin(), source.level.origin());
        let decoded = BakedLevel::decode(bytes.clone()).unwrap();
        let Source::Baked(facts) = &baked.source else { panic!("{name}") };
        assert_eq!(facts.content_hash, decoded.content_hash);
        assert_eq!(facts.has_provenance(), !source.maps.is_empty());
        // Baking the loaded level again gives the same bytes.
        assert!(
            baked.bake(&BakeOptions { provenance: true, ..BakeOptions::default() }).unwrap()
                == bytes
        );
        let (size, cells) = (source.level.size().as_ivec2(), source.level.grid().size().as_ivec2());
        let (mut of_source, mut of_baked) = (source.explainer(), baked.explainer());
        for _ in 0..500 {
            let (x, y) = (rng.i32(-40..size.x + 40), rng.i32(-40..size.y + 40));
            let body = Aabb::from_xywh(x, y, rng.i32(0..40), rng.i32(0..40));
            let (dir, step) = (Dir::ALL[rng.u32(0..4) as usize], rng.u32(0..600));
            let expected = source.level.sweep(body, dir, step);
            assert_eq!(baked.level.sweep(body, dir, step), expected, "{name}");
            let cell = IVec2::new(rng.i32(-2..cells.x + 2), rng.i32(-2..cells.y + 2));
            let expected = of_source.provenance(cell);
            assert_eq!(of_baked.provenance(cell), expected, "{name} {cell}");
            assert_eq!(decoded.provenance(cell), expected.as_ref(), "{name} {cell}");
        }
        {
            // SAFETY: no other process uses the file.
            let mapped = unsafe { Level::map_baked(&path) }.unwrap();
            assert!(mapped.bake().unwrap() == baked.level.bake().unwrap());
        }
    }
}

#[test]
fn every_command_accepts_a_baked_level() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cave.bwl");
    let file = file.to_str().unwrap();
    let (code, out, err) = bitwall(&["bake", "assets/cave.tmx", "-o", file, "--provenance"], "");
    assert_eq!((code, err.as_str()), (0, ""));
    let length = fs::metadata(file).unwrap().len();
    assert_eq!(out, format!("{file}: {length} bytes\n"));
    let can_move = |level| {
        let body = "--body=114,340,12,20";
        bitwall(&["can-move", level, body, "--dir", "down", "--step", "500"], "")
    };
    assert_eq!(can_move(file), can_move("assets/cave.tmx"));
    let questions = "114 340 12 20 right 400\n0 0 4 4 up 3\n";
    assert_eq!(
        bitwall(&["query", file], questions),
        bitwall(&["query", "assets/cave.tmx"], questions)
    );
    let (code, out, err) = bitwall(&["info", file], "");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with(&format!("{file}: a baked level\n")), "{out}");
    assert!(out.contains("\n  content   hash ") && out.contains("`player`"), "{out}");
    let (code, out, _) = bitwall(&["diff", file, "assets/cave.tmx"], "");
    assert_eq!(code, 0, "{out}");
    let (code, out, err) = bitwall(&["verify", file], "");
    assert_eq!(code, 0, "{out}");
    assert!(err.ends_with("1 file checked: 0 errors, 0 warnings\n"), "{err}");
    let drawn = |level, view| {
        let picture = folder.path().join("drawn.png");
        let path = picture.to_str().unwrap();
        let (code, _, err) = bitwall(&["render", level, "--view", view, "-o", path], "");
        (code, err, fs::read(picture).unwrap_or_default())
    };
    assert!(drawn(file, "collision") == drawn("assets/cave.tmx", "collision"));
    assert_eq!(drawn(file, "both").0, 0);
    let (code, err, _) = drawn(file, "art");
    assert_eq!(code, 2);
    assert!(err.contains("a baked level has no art"), "{err}");
}

#[test]
fn bake_writes_several_levels_into_a_folder() {
    // The levels are in another repository than the baked files, which then have no hashes of their sources.
    let (folder, game) = (tempfile::tempdir().unwrap(), folder(&[(".git/HEAD", "")]));
    let root = root();
    for file in files_in(&root.join("assets")) {
        fs::copy(&file, game.path().join(file.file_name().unwrap())).unwrap();
    }
    let [cave, town] = ["cave.tmx", "town.tmx"].map(|name| game.path().join(name));
    let (cave, town) = (cave.to_str().unwrap(), town.to_str().unwrap());
    let run = |args: &[&str]| bitwall_in(folder.path(), &[&["bake"], args].concat(), "");
    let (code, out, err) = run(&[cave, town]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("cave.bwl: ") && out.contains("\ntown.bwl: "), "{out}");
    fs::create_dir(folder.path().join("out")).unwrap();
    assert_eq!(run(&[cave, town, "-o", "out"]).0, 0);
    let bytes = |path: &str| fs::read(folder.path().join(path)).unwrap();
    assert!(bytes("out/town.bwl") == bytes("town.bwl"));
    assert!(bytes("cave.bwl") == fs::read(root.join("assets/cave.bwl")).unwrap());
    for (args, expected) in [
        (&[cave, town, "-o", "x.bwl"][..], "name one with -o"),
        (&[cave, cave], "two of the levels would be this file"),
        (&[cave, "-o", "cave.tmx"], "a baked level is named .bwl"),
        (&["no.tmx"], "no.tmx: cannot read the file"),
        (&["-", cave], "is baked alone"),
    ] {
        let (code, out, err) = run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(expected), "{err}");
    }
    let map = fs::read_to_string(root.join("assets/bricks.tmx")).unwrap();
    let args = ["bake", "-", "--stdin-name", "assets/bricks.tmx", "-o"];
    let out = folder.path().join("bricks.bwl");
    let (code, _, err) = bitwall(&[&args[..], &[out.to_str().unwrap()]].concat(), &map);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(fs::read(out).unwrap() == loaded("bricks.tmx").level.bake().unwrap());
}

#[test]
fn loading_a_damaged_baked_level_fails_and_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cave.bwl");
    let good = fs::read(root().join("assets/cave.bwl")).unwrap();
    let load = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        let error = Level::load(&file).unwrap_err().to_string();
        {
            // SAFETY: no other process uses the file.
            let mapped = unsafe { Level::map_baked(&file) }.unwrap_err().to_string();
            assert!(mapped == error || bytes.len() < 4, "{mapped}");
        }
        error
    };
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 1;
    let error = load(&damaged);
    let name = file.to_str().unwrap();
    let expected = "a baked level that was damaged: section `blocks` has another checksum; \
                    bake the level again from its source, and copy the file as it is";
    assert_eq!(error, format!("{name}: {expected}"));
    let error = load(&good[..good.len() / 2]);
    assert!(error.contains("a baked level that is cut off"), "{error}");
    // A transfer in text mode drops a byte of the signature.
    let mut text = good.clone();
    text.remove(4);
    assert!(load(&text).contains("not a baked level"));
    let mut newer = good;
    newer[8] = 9;
    assert!(load(&newer).contains("a baked level of version 9, but this program reads version 1"));
}
