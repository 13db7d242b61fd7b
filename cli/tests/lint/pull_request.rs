//! The command `bitwall diff` for whole projects: revisions, the working tree and folders.

use std::fs;
use std::path::Path;

use bitwall::image::{GrayImage, Luma, RgbaImage};

use crate::revisions::git;
use crate::shared::{bitwall_in, folder};
use crate::support::{layer, map, objects, png, tileset};

/// Returns a tileset file of two tiles. The tiles in `solid` are solid.
fn tiles(solid: &[u32]) -> String {
    let solid_tile = |id| {
        let property = r#"<property name="solid" type="bool" value="true"/>"#;
        format!(r#"<tile id="{id}"><properties>{property}</properties></tile>"#)
    };
    let tiles = solid.iter().map(solid_tile);
    tileset([16, 16], 2, &tiles.collect::<String>()).replace(r#"firstgid="1" "#, "")
}

/// Returns a map from rows of text: `#` is the first tile of the tileset, `o` the second.
fn room(rows: &[&str], rest: &str) -> String {
    let size = [rows[0].len() as u32, rows.len() as u32];
    let cells = rows.iter().flat_map(|row| row.chars()).map(|cell| match cell {
        '#' => "1",
        'o' => "2",
        _ => "0",
    });
    let cells: Vec<&str> = cells.collect();
    let set = r#"<tileset firstgid="1" source="../sets/t.tsx"/>"#;
    map(
        "",
        size,
        [16, 16],
        &format!("{set}{}{rest}", layer(r#"name="ground""#, size, &cells.join(","))),
    )
}

const CAVE: [&str; 6] = ["########", "#......#", "#..##..#", "#...o..#", "#......#", "########"];

const TOWN: [&str; 6] = ["#..#....", "........", "..#..o..", ".....#..", ".#......", "......##"];

/// The town after its map grew by three columns on the left and one row at the top, with one more wall.
const GROWN: [&str; 7] = [
    "...........",
    "...#..#....",
    "...........",
    ".....#..o..",
    "#.......#..",
    "....#......",
    ".........##",
];

/// Creates a repository with a commit on `trunk` and a branch `work` that changes two maps and a tileset: the
/// second tile becomes solid, a wall of the cave opens, and the town grows.
fn pull_request() -> tempfile::TempDir {
    let places = |x: u32, y: u32| {
        let at = |id: u32, name: &str, x: u32, y: u32| {
            format!(r#"<object id="{id}" name="{name}" x="{x}" y="{y}"><point/></object>"#)
        };
        objects("places", &(at(1, "player", x, y) + &at(2, "exit", x + 32, y + 16)))
    };
    let root = folder(&[
        ("maps/cave.tmx", &room(&CAVE, &places(24, 24))),
        ("maps/town.tmx", &room(&TOWN, &places(24, 24))),
        ("maps/well.tmx", &room(&["#o#", "#.#"], "")),
        ("maps/bare.tmx", &room(&["#.", ".#"], "")),
        ("maps/old.tmx", &room(&["##", "##"], "")),
        ("sets/t.tsx", &tiles(&[0])),
    ]);
    let path = root.path();
    let art = RgbaImage::from_fn(32, 16, |x, y| match (x / 16, (x + y) % 4) {
        (0, 0) => [90, 90, 110, 255].into(),
        (0, _) => [70, 70, 90, 255].into(),
        _ => [120, 80, 40, 255].into(),
    });
    fs::write(path.join("sets/t.png"), png(art)).unwrap();
    fs::write(path.join("maps/pit_mask.png"), png(GrayImage::from_pixel(8, 8, Luma([255]))))
        .unwrap();
    git(path, &["init", "--quiet", "--initial-branch=trunk"]);
    git(path, &["add", "."]);
    git(path, &["commit", "--quiet", "-m", "one"]);
    git(path, &["checkout", "--quiet", "-b", "work"]);
    let mut cave = CAVE;
    cave[0] = "###..###";
    fs::write(path.join("maps/cave.tmx"), room(&cave, &places(24, 24))).unwrap();
    fs::write(path.join("maps/town.tmx"), room(&GROWN, &places(72, 40))).unwrap();
    fs::write(path.join("sets/t.tsx"), tiles(&[0, 1])).unwrap();
    root
}

fn diff(folder: &Path, args: &[&str]) -> (i32, String, String) {
    bitwall_in(folder, &[&["diff"], args].concat(), "")
}

fn json(folder: &Path, args: &[&str]) -> serde_json::Value {
    let (_, text, error) = diff(folder, &[args, &["--format", "json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{error}"))
}

#[test]
fn one_report_covers_a_pull_request_of_two_maps_and_a_tileset() {
    let root = pull_request();
    let root = root.path();
    let (code, text, error) = diff(root, &["trunk"]);
    assert_eq!((code, error.as_str()), (1, ""));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "trunk -> working tree: levels: 3 differ, 2 changed without a difference, 1 unchanged"
    );
    // The tileset is listed once with all maps whose walls it changes, even maps that were changed
    // themselves.
    assert_eq!(lines[1], "sets/t.tsx: has changed, in 3 levels that differ");
    assert_eq!(lines[2..5], ["  maps/cave.tmx", "  maps/town.tmx", "  maps/well.tmx"]);
    let of = |name: &str| *lines.iter().find(|line| line.starts_with(name)).unwrap();
    assert!(
        of("maps/cave.tmx: ")
            .contains("1 cell became solid and 2 cells became passable, in 2 patches")
    );
    // The map grew at its left and its top, so all its walls and markers are elsewhere.
    assert!(of("maps/town.tmx: ").contains(" became solid and "), "{text}");
    assert!(text.contains("marker `player`"), "{text}");
    assert_eq!(of("maps/well.tmx: "), "maps/well.tmx: 1 cell became solid, in 1 patch");
    assert_eq!(
        lines.last(),
        Some(&"maps/well.tmx: 1 cell became solid, in 1 patch"),
        "no lines for its patch"
    );
    // Two commits give the same report, also from a subfolder and in reverse order.
    git(root, &["commit", "--quiet", "-am", "two"]);
    let (_, of_commits, _) = diff(&root.join("sets"), &["trunk", "work"]);
    assert_eq!(of_commits.lines().skip(1).collect::<Vec<_>>(), lines[1..]);
    let (_, from_below, _) = diff(&root.join("sets"), &["trunk"]);
    assert_eq!(from_below, text);
    let (_, back, _) = diff(root, &["work", "trunk"]);
    assert!(back.contains("maps/town.tmx: ") && back.contains(" became passable"), "{back}");
    assert_eq!(
        diff(root, &["work"]),
        (0, "work -> working tree: levels: 6 unchanged\n".to_owned(), String::new())
    );
}

#[test]
fn pictures_of_a_pull_request_are_named_by_level_and_shown_in_the_markdown() {
    let root = pull_request();
    let root = root.path();
    fs::remove_file(root.join("maps/old.tmx")).unwrap();
    fs::write(root.join("maps/new.tmx"), room(&["#.#"], "")).unwrap();
    fs::write(root.join("maps/broken.tmx"), "<map").unwrap();
    let args = ["trunk", "--format", "markdown", "--pictures", "out"];
    let (code, text, error) = diff(root, &args);
    assert_eq!((code, error.as_str()), (1, ""));
    assert!(text.starts_with(
        "## `trunk` → `working tree`\n\n**levels: 3 differ, 1 new, 1 gone, 1 cannot be"
    ));
    for line in [
        "| `sets/t.tsx` | `maps/cave.tmx`, `maps/town.tmx`, `maps/well.tmx` |",
        "| `maps/new.tmx` | is new: 48 x 16 px, 2 solid cells |",
        "| `maps/old.tmx` | is gone: 32 x 32 px, 4 solid cells |",
        "### `maps/town.tmx`",
    ] {
        assert!(text.lines().any(|known| known == line), "{line}\n{text}");
    }
    let links = text.split("![](").skip(1).map(|rest| rest.split(')').next().unwrap());
    let links: Vec<&str> = links.collect();
    assert!(links.contains(&"out/maps/town.tmx/patch-1-before.png"), "{links:?}");
    assert!(links.contains(&"out/maps/new.tmx/whole-after.png"), "{links:?}");
    assert!(links.iter().all(|link| root.join(link).is_file()), "{links:?}");
    let json = json(root, &["trunk"]);
    assert_eq!(json["tilesets"][0]["levels"].as_array().unwrap().len(), 3);
    let changes: Vec<_> =
        json["levels"].as_array().unwrap().iter().map(|level| &level["change"]).collect();
    assert_eq!(changes, ["failed", "differs", "new", "differs", "differs", "gone"]);
    assert!(json["levels"][3]["difference"]["added_px"].as_u64() > Some(0));
}

#[test]
fn renamed_maps_changed_masks_and_options_of_each_revision_are_compared() {
    let root = pull_request();
    let root = root.path();
    git(root, &["checkout", "--quiet", "."]);
    git(root, &["mv", "maps/cave.tmx", "maps/cavern.tmx"]);
    let mut cave = CAVE;
    cave[4] = "#.....##";
    let text = fs::read_to_string(root.join("maps/cavern.tmx")).unwrap();
    let data = |rows: &[&str]| {
        room(rows, "").split("<data").nth(1).unwrap().split("</data>").next().unwrap().to_owned()
    };
    fs::write(root.join("maps/cavern.tmx"), text.replace(&data(&CAVE), &data(&cave))).unwrap();
    fs::write(
        root.join("maps/pit_mask.png"),
        png(GrayImage::from_fn(8, 8, |x, _| Luma([if x < 2 { 0 } else { 255 }]))),
    )
    .unwrap();
    // Adds art that is not a mask.
    fs::write(root.join("maps/pit.png"), png(GrayImage::new(8, 8))).unwrap();
    git(root, &["add", "."]);
    let (_, text, error) = diff(root, &["trunk"]);
    assert!(
        text.contains("maps/cavern.tmx: was maps/cave.tmx; 1 cell became solid"),
        "{text}{error}"
    );
    assert!(text.contains("maps/pit_mask.png: 16 px became solid"), "{text}");
    assert!(text.starts_with("trunk -> working tree: levels: 2 differ, 4 unchanged\n"), "{text}");
    // Each revision uses the options of its own `bitwall.toml`.
    fs::write(root.join("bitwall.toml"), "[level]\noutside = \"open\"\n").unwrap();
    git(root, &["add", "."]);
    git(root, &["commit", "--quiet", "-m", "two"]);
    fs::write(root.join("bitwall.toml"), "[level]\noutside = \"solid\"\n").unwrap();
    let (_, text, error) = diff(root, &["HEAD"]);
    assert!(text.starts_with("HEAD -> working tree: levels: 6 differ\n"), "{text}{error}");
    assert_eq!(text.matches("the outside differs\n").count(), 6, "{text}");
    let (code, text, _) = diff(root, &["HEAD:maps/bare.tmx", "maps/bare.tmx"]);
    assert_eq!(code, 1, "{text}");
}

#[test]
fn folders_and_parts_of_the_working_tree_are_compared() {
    let root = pull_request();
    let root = root.path();
    let (_, whole, _) = diff(root, &["trunk"]);
    let (_, part, error) = diff(root, &["trunk", "maps"]);
    assert_eq!(part, whole, "{error}");
    let (code, none, _) = diff(root, &["trunk", "sets"]);
    assert_eq!((code, none.as_str()), (0, "trunk -> working tree: there are no levels\n"));
    let copy = folder(&[]);
    for name in ["maps", "sets"] {
        fs::create_dir(copy.path().join(name)).unwrap();
        for file in fs::read_dir(root.join(name)).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), copy.path().join(name).join(file.file_name())).unwrap();
        }
    }
    git(root, &["checkout", "--quiet", "."]);
    let (code, text, error) = diff(root, &[".", copy.path().to_str().unwrap()]);
    assert_eq!(code, 1, "{error}");
    assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), whole.lines().skip(1).collect::<Vec<_>>());
    for (args, reason) in [
        (&["maps"][..], "a folder is compared with another folder"),
        (&["maps", "trunk"], "a folder is compared with another folder"),
        (&["trunk", "maps/cave.tmx"], "a revision is compared with another one"),
        (&["maps/cave.tmx"], "the level after is missing"),
        (&["trunk", copy.path().to_str().unwrap()], "is not in the repository"),
        (&["nothing"], "the level after is missing"),
    ] {
        let (code, out, error) = diff(root, args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(error.contains(reason), "{args:?}: {error}");
    }
}

#[test]
fn diff_with_merge_base_leaves_out_the_changes_of_the_other_branch() {
    let root = pull_request();
    let root = root.path();
    git(root, &["commit", "--quiet", "-am", "two"]);
    git(root, &["checkout", "--quiet", "trunk"]);
    fs::write(root.join("maps/bare.tmx"), room(&["##", ".#"], "")).unwrap();
    git(root, &["commit", "--quiet", "-am", "three"]);
    git(root, &["checkout", "--quiet", "work"]);
    let (_, text, _) = diff(root, &["trunk"]);
    assert!(text.contains("maps/bare.tmx"), "{text}");
    let (_, text, _) = diff(root, &["trunk", "--merge-base"]);
    assert!(
        text.starts_with("merge base with trunk -> working tree: ")
            && !text.contains("maps/bare.tmx"),
        "{text}"
    );
}

#[test]
fn diff_with_merge_base_fails_for_unrelated_branches() {
    let root = pull_request();
    let root = root.path();
    git(root, &["checkout", "--quiet", "--force", "--orphan", "other"]);
    git(root, &["commit", "--quiet", "-am", "no parent"]);
    let (code, out, error) = diff(root, &["trunk", "--merge-base"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(error.contains("trunk: it has no commit in common with this branch"), "{error}");
    let (code, _, error) = diff(root, &["maps", "sets", "--merge-base"]);
    assert!(code == 2 && error.contains("--merge-base needs a revision"), "{error}");
}

#[test]
fn json_files_that_are_not_maps_are_not_compared() {
    let root = pull_request();
    let root = root.path();
    fs::write(root.join("package.json"), "{\"name\": \"game\"}").unwrap();
    git(root, &["add", "."]);
    git(root, &["commit", "--quiet", "-m", "two"]);
    fs::write(root.join("package.json"), "{\"name\": \"a game\"}").unwrap();
    git(root, &["commit", "--quiet", "-am", "three"]);
    for args in [&["HEAD~1", "HEAD"][..], &["HEAD~1"]] {
        let (code, text, error) = diff(root, args);
        assert!(code == 0 && text.contains("levels: 6 unchanged"), "{args:?}: {text}{error}");
    }
}

#[test]
fn a_map_that_moves_to_a_folder_with_other_tilesets_is_compared() {
    let set = r#"<tileset firstgid="1" source="t.tsx"/>"#;
    let cells = layer(r#"name="ground""#, [2, 1], "1,0");
    let root = folder(&[
        ("a/m.tmx", &map("", [2, 1], [16, 16], &format!("{set}{cells}"))),
        ("a/t.tsx", &tiles(&[0])),
        ("b/t.tsx", &tiles(&[])),
    ]);
    let root = root.path();
    git(root, &["init", "--quiet", "--initial-branch=trunk"]);
    git(root, &["add", "."]);
    git(root, &["commit", "--quiet", "-m", "one"]);
    git(root, &["mv", "a/m.tmx", "b/m.tmx"]);
    let (code, text, error) = diff(root, &["trunk"]);
    assert_eq!(code, 1, "{text}{error}");
    assert!(text.contains("b/m.tmx: was a/m.tmx; "), "{text}{error}");
}

#[test]
#[cfg(unix)]
fn a_tileset_behind_a_link_is_compared_between_two_revisions() {
    let root = pull_request();
    let root = root.path();
    git(root, &["checkout", "--quiet", "."]);
    fs::rename(root.join("sets"), root.join("stock")).unwrap();
    std::os::unix::fs::symlink("stock", root.join("sets")).unwrap();
    git(root, &["add", "."]);
    git(root, &["commit", "--quiet", "-m", "two"]);
    fs::write(root.join("stock/t.tsx"), tiles(&[0, 1])).unwrap();
    git(root, &["commit", "--quiet", "-am", "three"]);
    for args in [&["HEAD~1", "HEAD"][..], &["HEAD~1"]] {
        let (code, text, error) = diff(root, args);
        assert_eq!(code, 1, "{args:?}: {text}{error}");
        assert!(text.contains("maps/well.tmx: "), "{args:?}: {text}");
    }
}

#[test]
#[cfg(unix)]
fn diff_pictures_are_not_levels_of_the_next_run_and_are_not_written_through_links() {
    let root = pull_request();
    let root = root.path();
    fs::write(root.join("maps/pit_mask.png"), png(GrayImage::new(8, 8))).unwrap();
    fs::write(root.join("bitwall.toml"), "[verify]\nmasks = [\"*_mask.png\"]\n").unwrap();
    let args = ["trunk", "--pictures", "changes"];
    let (_, first, error) = diff(root, &args);
    assert!(first.contains("maps/pit_mask.png"), "{first}{error}");
    let (_, second, error) = diff(root, &args);
    assert_eq!(second, first, "{error}");
    fs::remove_dir_all(root.join("changes")).unwrap();
    fs::create_dir(root.join("changes")).unwrap();
    let elsewhere = folder(&[]);
    std::os::unix::fs::symlink(elsewhere.path(), root.join("changes/maps")).unwrap();
    let (code, _, error) = diff(root, &args);
    assert!(code == 2 && error.contains("through a link"), "{error}");
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
#[cfg(unix)]
fn no_name_of_a_level_is_printed_as_a_ci_command() {
    let root = pull_request();
    let root = root.path();
    fs::create_dir(root.join("::error::x")).unwrap();
    fs::write(root.join("::error::x/m.tmx"), room(&["##"], "")).unwrap();
    git(root, &["add", "."]);
    let (_, text, error) = diff(root, &["trunk"]);
    assert!(text.contains("\n./::error::x/m.tmx: is new"), "{text}{error}");
}

#[test]
fn diff_reports_a_marker_whose_size_changed() {
    let place = |side: u32| {
        let exit =
            format!(r#"<object id="3" name="exit" x="16" y="16" width="{side}" height="{side}"/>"#);
        room(&["#...", "...."], &objects("places", &exit))
    };
    let root = folder(&[
        ("maps/a.tmx", &place(10)),
        ("maps/b.tmx", &place(11)),
        ("sets/t.tsx", &tiles(&[0])),
    ]);
    let (code, text, error) = diff(root.path(), &["maps/a.tmx", "maps/b.tmx"]);
    assert!(code == 1 && text.contains("has another size"), "{text}{error}");
}
