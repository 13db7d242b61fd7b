//! Baked levels on the disk, and the command `bitwall bake`.

use std::fs;

use bitwall::baked::BakedLevel;
use bitwall::load::Source;
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

/// Creates a project with a map, its tileset and a mask, and bakes both levels into the folder `out`.
fn project() -> tempfile::TempDir {
    let assets = root().join("assets");
    let text = |name: &str| fs::read_to_string(assets.join(name)).unwrap();
    let folder = folder(&[
        ("maps/cave.tmx", &text("cave.tmx")),
        ("maps/cave.tsx", &text("cave.tsx")),
        ("out/readme.txt", ""),
    ]);
    fs::copy(assets.join("thin_walls.png"), folder.path().join("maps/walls.png")).unwrap();
    assert_eq!(bitwall_in(folder.path(), &["bake", CAVE, WALLS, "-o", "out"], "").0, 0);
    folder
}

const CAVE: &str = "maps/cave.tmx";
const WALLS: &str = "maps/walls.png";

/// Runs `bake --check` on the levels of a [`project`]. Returns the exit code and the findings.
fn checked(folder: &tempfile::TempDir, more: &[&str]) -> (i32, String) {
    let args = [&["bake", "--check", CAVE, WALLS, "-o", "out"], more].concat();
    let (code, out, err) = bitwall_in(folder.path(), &args, "");
    assert!(err.starts_with("2 levels checked: "), "{err}");
    (code, out)
}

#[test]
fn bake_check_bakes_each_level_again_and_compares_its_bytes() {
    let clean = (0, String::new());
    let stale = "out/cave.bwl: is stale: maps/cave.tmx bakes to other bytes; bake it again\n";
    let stale = (1, stale.to_owned());
    let change = |name: &str, change: &dyn Fn(String) -> String| {
        let folder = project();
        let path = folder.path().join(name);
        let old = fs::read_to_string(&path).unwrap_or_default();
        let new = change(old.clone());
        assert_ne!(old, new, "{name}");
        fs::write(&path, new).unwrap();
        checked(&folder, &[])
    };
    let folder = project();
    assert_eq!(checked(&folder, &[]), clean);
    // Only what changes the baked bytes makes a file stale, but not a comment or a line end.
    assert_eq!(change(CAVE, &|text| text + "<!-- seen -->"), clean);
    assert_eq!(change("maps/cave.tsx", &|text| text.replace('\n', "\r\n")), clean);
    assert_eq!(change("maps/other.tmx", &|_| "no map".to_owned()), clean);
    assert_eq!(change(CAVE, &|text| text.replace("\"player\"", "\"hero\"")), stale);
    assert_eq!(change(CAVE, &|text| text.replace("\"Collision\"", "\"Solid\"")), clean);
    let (code, out) = change("maps/bitwall.toml", &|_| "[level]\noutside = \"open\"\n".to_owned());
    assert_eq!((code, out.matches(" is stale: ").count()), (1, 2), "{out}");
    assert_eq!(checked(&folder, &["-c", "level.outside=open"]).0, 1);
    // A level that is other than its file is found, whatever the file says of its sources.
    fs::copy(folder.path().join("out/walls.bwl"), folder.path().join("out/cave.bwl")).unwrap();
    assert_eq!(checked(&folder, &[]), stale);
}

#[test]
fn what_bake_check_cannot_compare_is_a_finding_with_its_file_and_reason() {
    let found = |spoil: &dyn Fn(&std::path::Path)| {
        let folder = project();
        spoil(folder.path());
        let (code, out) = checked(&folder, &[]);
        assert_eq!(code, 1, "{out}");
        out
    };
    let remove = |path: std::path::PathBuf| fs::remove_file(path).unwrap();
    let out = found(&|at| remove(at.join("out/cave.bwl")));
    assert_eq!(out, "out/cave.bwl: is missing; bake maps/cave.tmx\n");
    let out = found(&|at| {
        remove(at.join("out/cave.bwl"));
        fs::create_dir(at.join("out/cave.bwl")).unwrap();
    });
    assert!(out.starts_with("out/cave.bwl: cannot be compared: "), "{out}");
    let out = found(&|at| fs::write(at.join("out/cave.bwl"), "no level").unwrap());
    assert!(out.starts_with("out/cave.bwl: is stale: "), "{out}");
    let out = found(&|at| {
        let mut bytes = fs::read(at.join("out/cave.bwl")).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(at.join("out/cave.bwl"), bytes).unwrap();
    });
    assert!(out.starts_with("out/cave.bwl: is stale: "), "{out}");
    for lost in [CAVE, "maps/cave.tsx"] {
        let out = found(&|at| remove(at.join(lost)));
        assert!(out.starts_with("out/cave.bwl: cannot be compared: maps/cave.tmx"), "{out}");
        assert!(out.contains("cannot read"), "{out}");
    }
    let out = found(&|at| fs::write(at.join("maps/bitwall.toml"), "[levl]").unwrap());
    assert_eq!(out.matches("cannot be compared: maps/bitwall.toml").count(), 2, "{out}");
    let out = found(&|at| drop(fs::copy(at.join("out/cave.bwl"), at.join("out/old.bwl"))));
    let other = "out/old.bwl: none of the levels makes it; remove it, or name its level too\n";
    assert_eq!(out, other);
}

#[test]
fn bake_check_has_no_answer_without_files_to_compare() {
    let folder = project();
    for (args, expected) in [
        (&["--check"][..], "<LEVEL>"),
        (&["--check", CAVE, "-o", "-"], "--check compares with files"),
        (&["--check", CAVE, "-o", "none"], "a baked level is named .bwl"),
        (&["--check", CAVE, WALLS, "-o", "none"], "a folder that is there"),
    ] {
        let (code, out, err) = bitwall_in(folder.path(), &[&["bake"], args].concat(), "");
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(expected), "{err}");
    }
    // Without `-o` the file is in the current folder, as for baking.
    let (code, out, _) = bitwall_in(folder.path(), &["bake", "--check", CAVE], "");
    assert_eq!((code, &*out), (1, "cave.bwl: is missing; bake maps/cave.tmx\n"));
}

/// Another process has other seeds for its hash tables, and may have another number of threads.
#[test]
fn each_process_bakes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.bwl");
    for name in LEVELS {
        let level = loaded(name).level.bake().unwrap();
        for _ in 0..2 {
            let source = format!("assets/{name}");
            let args = ["bake", &source, "-o", path.to_str().unwrap()];
            assert_eq!(bitwall(&args, "").0, 0, "{name}");
            assert!(fs::read(&path).unwrap() == level, "{name}");
        }
    }
}

#[test]
fn a_baked_level_answers_queries_like_its_source() {
    let folder = tempfile::tempdir().unwrap();
    let mut rng = fastrand::Rng::with_seed(41);
    for name in LEVELS {
        let source = loaded(name);
        let bytes = source.level.bake().unwrap();
        let path = folder.path().join("level.bwl");
        fs::write(&path, &bytes).unwrap();
        let baked = LoadedLevel::load(&path, &LoadOptions::default()).unwrap();
        assert_eq!(baked.level.grid(), source.level.grid());
        assert_eq!(baked.level.markers(), source.level.markers());
        assert_eq!(baked.level.origin(), source.level.origin());
        let decoded = BakedLevel::decode(bytes.clone()).unwrap();
        let Source::Baked { content_hash } = baked.source else { panic!("{name}") };
        assert_eq!(content_hash, decoded.content_hash);
        // Baking the loaded level again gives the same bytes.
        assert!(baked.level.bake().unwrap() == bytes);
        let size = source.level.size().as_ivec2();
        for _ in 0..500 {
            let (x, y) = (rng.i32(-40..size.x + 40), rng.i32(-40..size.y + 40));
            let body = Aabb::from_xywh(x, y, rng.i32(0..40), rng.i32(0..40));
            let (dir, step) = (Dir::ALL[rng.u32(0..4) as usize], rng.u32(0..600));
            let expected = source.level.sweep(body, dir, step);
            assert_eq!(baked.level.sweep(body, dir, step), expected, "{name}");
        }
    }
}

#[test]
fn every_command_accepts_a_baked_level() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cave.bwl");
    let file = file.to_str().unwrap();
    let (code, out, err) = bitwall(&["bake", "assets/cave.tmx", "-o", file], "");
    assert_eq!((code, err.as_str()), (0, ""));
    let length = fs::metadata(file).unwrap().len();
    assert_eq!(out, format!("{file}: {length} bytes\n"));
    let can_move = |level| {
        let body = "--body=114,340,12,20";
        bitwall(&["can-move", level, body, "--dir", "down", "--step", "500"], "")
    };
    let (code, out, _) = can_move(file);
    let (_, of_map, _) = can_move("assets/cave.tmx");
    // A baked level does not say why a cell is solid.
    let cell = out.strip_suffix('\n').unwrap();
    assert!(code == 1 && of_map.starts_with(&format!("{cell}, ")), "{out}{of_map}");
    let questions = "114 340 12 20 right 400\n0 0 4 4 up 3\n";
    assert_eq!(
        bitwall(&["can-move", file, "--questions", "-"], questions),
        bitwall(&["can-move", "assets/cave.tmx", "--questions", "-"], questions)
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
    let folder = tempfile::tempdir().unwrap();
    let game = self::folder(&[(".git/HEAD", "")]);
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
        (&["-", cave], "a level on standard input is alone"),
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
        Level::load(&file).unwrap_err().to_string()
    };
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 1;
    let error = load(&damaged);
    let name = file.to_str().unwrap();
    let expected = "a baked level that is damaged or cut off: it has another checksum; \
                    bake the level again from its source, and copy the file as it is";
    assert_eq!(error, format!("{name}: {expected}"));
    let error = load(&good[..good.len() / 2]);
    assert!(error.contains("a baked level that is damaged or cut off"), "{error}");
    // A transfer in text mode drops a byte of the signature.
    let mut text = good.clone();
    text.remove(4);
    assert!(load(&text).contains("not a baked level"));
    let mut newer = good;
    newer[8] = 9;
    assert!(load(&newer).contains("a baked level of version 9, but this program reads version 4"));
}
