//! The command `bitwall init`: the `bitwall.toml` that it writes for a folder, and levels loaded with that
//! file.

use std::fs;
use std::path::Path;

use bitwall::image::{Rgba, RgbaImage};
use bitwall::{LoadOptions, LoadedLevel};

use crate::conventions;
use crate::shared::{bitwall_in, shared};
use crate::support::{layer, map, tileset};

/// Returns a map of 4 x 1 cells of 8 px, with these tile properties and one layer.
fn level(tiles: &str, name: &str, data: &str) -> String {
    let layer = layer(&format!(r#"name="{name}""#), [4, 1], data);
    map("", [4, 1], [8, 8], &(tileset([8, 8], 4, tiles) + &layer))
}

/// Creates a folder with these levels.
fn folder(levels: &[(&str, String)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in levels {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

/// Runs `init` in a folder. Returns its output and the written file.
fn init(folder: &Path) -> (String, String) {
    let (code, out, err) = bitwall_in(folder, &["init"], "");
    assert_eq!((code, &*err), (0, ""), "{out}");
    (out, fs::read_to_string(folder.join("bitwall.toml")).unwrap())
}

fn solid_cells(folder: &Path, name: &str) -> u64 {
    let options = LoadOptions::load(folder.join("bitwall.toml")).unwrap();
    let options = LoadOptions { allow_nothing_solid: true, ..options };
    let loaded = LoadedLevel::load(folder.join(name), &options).unwrap();
    loaded.level.grid().solid_count()
}

/// Returns the keys that `init` left open, as a person takes them in.
fn proposed(toml: &str) -> String {
    let keys = toml.lines().filter_map(|line| line.strip_prefix("# "));
    let keys = keys.filter(|line| ["solid.", "masks."].iter().any(|table| line.starts_with(table)));
    keys.map(|line| line.to_owned() + "\n").collect()
}

#[test]
fn init_proposes_what_levels_suggest_and_decides_nothing() {
    let soild = r#"<tile id="0"><properties><property name="soild" type="bool" value="true"/>
        </properties></tile>"#;
    let folder = folder(&[
        ("a.tmx", level("", "Colision", "1,1,0,0")),
        ("b/b.tmx", level("", "Colision", "1,0,0,0")),
        ("c.tmx", level(soild, "Ground", "1,1,1,2")),
        ("d.tmx", level("", "walls", "1,1,1,1")),
    ]);
    let (out, toml) = init(folder.path());
    for lines in [
        "# Not decided, for 2 levels: the name of the layer `Colision` is nearly `collision`\n# Look: ",
        "\n# solid.layers = [\"Colision\"]\n",
        "# Not decided, for 1 level: the property `soild` is nearly `solid`\n",
        "# solid.layer-properties = [\"soild\"]\n# solid.object-properties = [\"soild\"]\n\
         # solid.tile-properties = [\"soild\"]\n",
    ] {
        assert!(toml.contains(lines), "{lines}: {toml}");
    }
    assert!(out.contains("not decided: --solid-layer Colision"), "{out}");
    let solid =
        || ["a.tmx", "b/b.tmx", "c.tmx", "d.tmx"].map(|name| solid_cells(folder.path(), name));
    assert_eq!(solid()[2..], [0, 4]);
    fs::write(folder.path().join("bitwall.toml"), proposed(&toml) + &toml).unwrap();
    assert_eq!(solid(), [2, 1, 3, 4]);
}

#[test]
fn init_proposes_guesses_too() {
    let shape = r#"<tile id="0"><objectgroup><object id="1" width="8" height="8"/></objectgroup>
        </tile>"#;
    let folder = folder(&[
        ("a.tmx", level(shape, "walls", "1,1,1,2")),
        ("c.tmx", level("", "Main", "1,0,1,0")),
    ]);
    let (out, toml) = init(folder.path());
    assert!(toml.contains("\n# solid.shapes-only = true\n"), "{toml}");
    assert!(toml.contains("\n# solid.layers = [\"Main\"]\n"), "{toml}");
    assert!(out.contains("not decided: --solid-layer Main: "), "{out}");
    assert_eq!(solid_cells(folder.path(), "c.tmx"), 0);
}

#[test]
fn init_replaces_a_file_only_with_force_and_a_dry_run_writes_none() {
    let folder = folder(&[("a.tmx", level("", "Colision", "1,1,0,0"))]);
    let run = |args: &[&str]| bitwall_in(folder.path(), &[&["init"], args].concat(), "");
    let (code, text, _) = run(&["--dry-run"]);
    assert!(code == 0 && text.contains("layers = [\"Colision\"]"), "{text}");
    assert!(!folder.path().join("bitwall.toml").exists());
    fs::write(folder.path().join("bitwall.toml"), "# mine\n").unwrap();
    let (code, _, err) = run(&[]);
    assert!(code == 2 && err.contains("there is one already; --force replaces it"), "{err}");
    assert_eq!(run(&["--force"]).0, 0);
    assert_eq!(solid_cells(folder.path(), "a.tmx"), 2);
    let (code, _, err) = run(&["nowhere"]);
    assert!(code == 2 && err.contains("nowhere: there is no such folder"), "{err}");
    let empty = tempfile::tempdir().unwrap();
    let (code, _, err) = bitwall_in(empty.path(), &["init"], "");
    assert!(code == 2 && err.contains("there is no map"), "{err}");
}

#[test]
fn init_writes_layer_names_with_quotes_and_backslashes_as_valid_toml() {
    let odd = ["Col\u{e9}lision", "collsion \"x\"", "it's collison", "a\\b collision"];
    let levels: Vec<_> = odd
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let name = name.replace('"', "&quot;");
            (format!("{at}.tmx"), level("", &name, "1,1,0,0"))
        })
        .collect();
    let levels: Vec<_> = levels.iter().map(|(name, map)| (&**name, map.clone())).collect();
    let folder = folder(&levels);
    let (_, toml) = init(folder.path());
    // A person puts the four names into one list.
    let names: Vec<String> = proposed(&toml)
        .lines()
        .map(|line| line.trim_start_matches("solid.layers = [").trim_end_matches(']').to_owned())
        .collect();
    let list = format!("solid.layers = [{}]\n", names.join(", "));
    fs::write(folder.path().join("bitwall.toml"), list + &toml).unwrap();
    for (at, name) in odd.iter().enumerate() {
        assert_eq!(solid_cells(folder.path(), &format!("{at}.tmx")), 2, "{name}: {toml}");
    }
}

/// Runs `init` in each project of the corpus, and counts the maps whose solids are right with the written
/// file.
#[test]
fn the_bitwall_toml_of_init_is_right_for_as_many_real_maps_as_the_defaults() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let mut projects: Vec<_> =
        fs::read_dir(&corpus).unwrap().map(|it| it.unwrap().path()).collect();
    projects.retain(|path| path.is_dir() && !path.ends_with("reference"));
    projects.sort();
    for project in projects {
        let name = project.file_name().unwrap().to_str().unwrap().to_owned();
        let (code, toml, err) =
            bitwall_in(&corpus, &["init", "--dry-run", project.to_str().unwrap()], "");
        if code != 0 {
            println!("== {name}: {}", err.trim_end());
            continue;
        }
        let options = LoadOptions {
            root: Some(project.clone()),
            ..LoadOptions::decode("bitwall.toml", &toml).unwrap()
        };
        let [before, after, all] = conventions::right_before_and_after(&corpus, &name, &options);
        println!("== {name}: {before} of {all} known maps right without the file, {after} with it");
        let keys = toml.lines().filter(|line| !line.is_empty()).skip(2);
        keys.for_each(|line| println!("   {line}"));
        assert!(after >= before, "{name}: {before} {after}");
    }
}

#[test]
fn init_writes_a_verify_section_that_fits_the_levels() {
    let object = |name: &str| {
        format!(
            "<objectgroup name=\"Things\"><object id=\"1\" name=\"{name}\"><point/></object></objectgroup>"
        )
    };
    let of = |name: &str| {
        let layer = layer(r#"name="Walls""#, [4, 1], "1,1,0,0");
        map("", [4, 1], [8, 8], &(tileset([8, 8], 4, "") + &layer + &object(name)))
    };
    let rules = ["input_Walls", "output_Walls"]
        .map(|name| layer(&format!("name=\"{name}\""), [4, 1], "1,1,0,0"));
    let rules = map("", [4, 1], [8, 8], &(tileset([8, 8], 4, "") + &rules.concat()));
    let folder = folder(&[
        ("a.tmx", of("PlayerSpawn")),
        ("b.tmx", of("PlayerSpawn")),
        ("c.tmx", of("EnemySpawn")),
        ("rules/fence.tmx", rules),
    ]);
    let (_, toml) = init(folder.path());
    let section = toml.split_once("\n[verify]\n").unwrap().1;
    let expected = "# Maps of Tiled's automapping are no levels.\nexclude = [\"/rules/fence.tmx\"]\n\
        # All 3 maps have these layers.\nrequired-layers = [\"Things\", \"Walls\"]\n\n\
        [[verify.marker]]\nname = \"PlayerSpawn\"\nrole = \"spawn\"\n";
    assert_eq!(section, expected);
    let (_, out, err) = bitwall_in(folder.path(), &["verify", "--format", "concise"], "");
    assert!(err.contains("3 files checked") && !out.contains("bitwall.toml"), "{out}{err}");
}

#[test]
fn init_refuses_a_folder_if_a_map_in_it_names_files_outside() {
    let set = tileset([8, 8], 4, "");
    let set = set.replacen("<tileset firstgid=\"1\"", "<tileset", 1);
    let folder = folder(&[("proj/x.tiled-project", "{}".to_owned()), ("proj/tiles/t.tsx", set)]);
    let walls = layer(r#"name="Colision""#, [4, 1], "1,1,0,0");
    let content = format!(r#"<tileset firstgid="1" source="../tiles/t.tsx"/>{walls}"#);
    fs::create_dir(folder.path().join("proj/maps")).unwrap();
    fs::write(folder.path().join("proj/maps/a.tmx"), map("", [4, 1], [8, 8], &content)).unwrap();
    let (code, _, err) = bitwall_in(folder.path(), &["init", "proj/maps"], "");
    assert!(code == 2 && err.contains("the level names files outside proj/maps"), "{err}");
    assert!(!folder.path().join("proj/maps/bitwall.toml").exists());
    assert_eq!(bitwall_in(folder.path(), &["init", "proj"], "").0, 0);
    assert_eq!(solid_cells(&folder.path().join("proj"), "maps/a.tmx"), 2);
}

/// A name of a level may reorder the text of a terminal or of a review.
#[test]
fn names_that_reorder_text_are_escaped_in_the_written_file_and_mean_the_same() {
    let name = "walls\u{202e}x\"\\";
    let quoted = name.replace('"', "&quot;");
    let folder = folder(&[("a.tmx", level("", &quoted, "1,0,0,0"))]);
    let (out, text) = init(folder.path());
    assert!(!out.contains('\u{202e}') && !text.contains('\u{202e}'), "{text}");
    assert!(text.contains(r#""walls\U0000202Ex\"\\""#), "{text}");
    assert_eq!(solid_cells(folder.path(), "a.tmx"), 1);
}

/// Writes a mask of 32 x 16 px whose right half is of another colour.
fn halves(path: &Path, left: [u8; 4], right: [u8; 4]) {
    let mask = RgbaImage::from_fn(32, 16, |x, _| Rgba(if x < 16 { left } else { right }));
    mask.save(path).unwrap();
}

/// What is drawn and what is clear may each be the walls: a wrong reading turns every wall into a way.
#[test]
fn init_leaves_open_which_pixels_of_a_mask_are_solid() {
    let folder = tempfile::tempdir().unwrap();
    halves(&folder.path().join("hidden_mask.png"), [255; 4], [0; 4]);
    halves(&folder.path().join("shape_mask.png"), [255; 4], [255, 255, 255, 0]);
    fs::write(folder.path().join("shape.png"), "").unwrap();
    let (out, toml) = init(folder.path());
    assert!(!toml.lines().any(|line| line.starts_with("rule")), "{toml}");
    assert!(toml.contains("# Not decided, for hidden_mask.png: "), "{toml}");
    assert!(toml.contains("# Look: bitwall render hidden_mask.png -o seen.png\n"), "{toml}");
    assert!(toml.contains("# masks.rule = \"opaque\"\n"), "{toml}");
    let look = "bitwall render shape_mask.png --art shape.png --mask opaque -o seen.png\n";
    assert!(toml.contains(look) && out.contains(&format!("  look: {look}")), "{toml}{out}");
    assert_eq!(
        solid_cells(folder.path(), "hidden_mask.png"),
        256,
        "the clear half, as without the file"
    );
}

/// Each value of a map may have line ends, and the file is read again as it was meant.
#[test]
fn init_writes_values_with_line_ends_on_one_line() {
    let of = |data: &str| {
        let set = tileset([8, 8], 9, "").replace(r#"name="t""#, "name=\"t&#10;u = 1\"");
        let layer = layer("name=\"gro&#10;und\"", [12, 6], data);
        map("", [12, 6], [8, 8], &(set + &layer))
    };
    let data: Vec<String> =
        (0..72).map(|at| if at % 4 == 0 { "1" } else { "0" }.to_owned()).collect();
    let data = data.join(",");
    let folder = folder(&[("a.tmx", of(&data)), ("b.tmx", of(&data)), ("c.tmx", of(&data))]);
    let (_, toml) = init(folder.path());
    assert!(toml.contains(r#"required-layers = ["gro\U0000000Aund"]"#), "{toml}");
    assert!(toml.contains(r#"# solid.layers = ["gro\U0000000Aund"]"#), "{toml}");
    // The proposed keys are TOML too, if a person takes them in.
    let taken = proposed(&toml);
    assert_eq!(taken.lines().count(), 1, "{toml}");
    LoadOptions::decode("bitwall.toml", &taken).unwrap();
    let (code, out, err) = bitwall_in(folder.path(), &["verify"], "");
    assert!(code == 1 && !out.contains("IO004"), "{out}{err}");
}

#[test]
fn init_obeys_the_options_and_the_exclusions_that_are_there() {
    let of = |name: &str| level("", name, "1,1,0,0");
    let folder = folder(&[
        ("a.tmx", of("Colision")),
        ("old/b.tmx", of("Wals")),
        ("new/c.tmx", of("Sollid")),
        ("bitwall.toml", "[verify]\nexclude = [\"old\"]\n".to_owned()),
    ]);
    let run =
        |args: &[&str]| bitwall_in(folder.path(), &[&["init", "--dry-run"], args].concat(), "");
    let (_, toml, _) = run(&[]);
    assert!(
        toml.contains("Colision") && toml.contains("Sollid") && !toml.contains("Wals"),
        "{toml}"
    );
    assert!(toml.contains("exclude = [\"old\"]\n"), "the exclusion stays: {toml}");
    let (_, toml, _) = run(&["--exclude", "new/**"]);
    assert!(toml.contains("Colision") && !toml.contains("Sollid"), "{toml}");
    assert!(toml.contains("exclude = [\"old\", \"new/**\"]\n"), "{toml}");
    let (code, _, err) = run(&["--max-files", "1"]);
    assert!(code == 2 && err.contains("there are more than 1 maps"), "{err}");
    assert_eq!(run(&["--max-files", "2"]).0, 0);
}

#[test]
fn init_leaves_out_what_is_no_level() {
    let open = level("", "Ground", "1,1,2,1");
    let placeholder = map("", [4, 1], [8, 8], &layer(r#"name="Ground""#, [4, 1], "0,0,0,0"));
    let folder = folder(&[
        ("maps/a.tmx", level("", "Walls", "1,1,0,0")),
        ("maps/MainTitle.tmx", open.clone()),
        ("maps/later.tmx", placeholder),
        ("maps/meadow.tmx", open),
        ("t.png", String::new()),
        ("maps/t.png", String::new()),
    ]);
    let icon = RgbaImage::from_fn(32, 32, |x, y| {
        Rgba([(x / 8 * 60) as u8, (y / 8 * 60) as u8, 90, if x < 4 { 0 } else { 255 }])
    });
    icon.save(folder.path().join("gas_mask.png")).unwrap();
    halves(&folder.path().join("cave_mask.png"), [0, 0, 0, 255], [255; 4]);
    let (out, toml) = init(folder.path());
    let excluded = "exclude = [\"/gas_mask.png\", \"/maps/MainTitle.tmx\", \"/maps/later.tmx\"]\n";
    assert!(toml.contains(excluded), "{toml}");
    assert!(out.contains("left out: gas_mask.png\n"), "{out}");
    let (_, found, err) = bitwall_in(folder.path(), &["verify", "--format", "concise"], "");
    assert!(err.contains("3 files checked"), "{err}");
    assert!(
        found.starts_with("maps/meadow.tmx: error[TMX107]"),
        "a level without walls stays: {found}"
    );
    assert_eq!(found.lines().count(), 1, "{found}");
}

#[test]
fn init_leaves_out_folders_of_tests_unless_they_are_named() {
    let walls = level("", "Walls", "1,1,0,0");
    let folder = folder(&[
        ("maps/a.tmx", walls.clone()),
        ("maps/t.png", String::new()),
        ("src/Game.Tests/data/b.tmx", walls.clone()),
        ("tests/deep/c.tmx", walls.clone()),
        ("tests/d.tmx", walls),
    ]);
    let (out, toml) = init(folder.path());
    assert!(toml.contains("exclude = [\"/src/Game.Tests\", \"/tests\"]\n"), "{toml}");
    assert!(out.contains("left out: tests\n") && out.contains("1 level: 1 with solids"), "{out}");
    let (code, _, err) = bitwall_in(folder.path(), &["verify"], "");
    assert!(code == 0 && err.contains("1 file checked"), "{err}");
    // What a file excludes stays excluded, so it goes.
    fs::remove_file(folder.path().join("bitwall.toml")).unwrap();
    assert!(init(&folder.path().join("tests")).0.contains("2 levels: 2 with solids"));
    let (code, _, err) = bitwall_in(&folder.path().join("src"), &["init"], "");
    assert!(code == 2 && err.contains("Game.Tests: no level is left."), "{err}");
}

#[test]
fn init_leaves_a_guess_open_that_decides_what_is_solid() {
    let walls = level("", "wallLayer", "1,1,0,0");
    let folder = folder(&[("a.tmx", walls), ("t.png", String::new())]);
    let (out, toml) = init(folder.path());
    assert!(out.contains("not decided: --solid-layer"), "{out}");
    assert!(toml.contains("# solid.layers = [\"") && toml.contains("wallLayer"), "{toml}");
    // The finding says what to write, and with it the level is clean.
    let (_, found, _) = bitwall_in(folder.path(), &["verify"], "");
    assert!(found.contains("--solid-layer tiles:wallLayer"), "{found}");
    let options = ["verify", "--solid-layer", "tiles:wallLayer"];
    assert_eq!(bitwall_in(folder.path(), &options, "").0, 0);
}

#[test]
fn init_proposes_a_body_that_goes_through_the_common_gaps() {
    let rows = ["11111111", "10101011", "10101011", "11111111", "10000111", "11111111"];
    let data: Vec<String> = rows.concat().chars().map(String::from).collect();
    let walls = layer(r#"name="Walls""#, [8, 6], &data.join(","));
    let maze = map("", [8, 6], [16, 16], &(tileset([16, 16], 4, "") + &walls));
    let levels = folder(&[("a.tmx", maze), ("b.tmx", level("", "Walls", "1,1,0,0"))]);
    let (out, toml) = init(levels.path());
    // Six gaps of 16 px across and one of 64, three of 32 px upward and four of 16.
    assert!(toml.contains("# [[verify.body]]\n# name = \"hero\"\n# size = \"14x14\"\n"), "{toml}");
    assert!(
        toml.contains("gaps of 16 px across and 16 px upward are common, and a tile is 16 x 16 px"),
        "{toml}"
    );
    assert!(out.contains("  look: bitwall verify . --body 14x14\n"), "{out}");
    let bare = folder(&[("b.tmx", level("", "Walls", "1,1,0,0"))]);
    assert!(!init(bare.path()).1.contains("body"), "nothing is known of its gaps");
}
