//! The rule `stray-tile`: it finds its fault in generated maps, and nothing in harmless variants.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::shared::{bitwall_in, folder};
use crate::support::{layer, map, objects, tileset};

const SIZE: [usize; 2] = [40, 30];

const SOLID: &str = r#"<properties><property name="solid" type="bool" value="true"/></properties>"#;

/// The cells of a list: how many have a tile, and its global id.
type Counts<'a> = &'a [(usize, &'a str)];

fn cells(counts: Counts<'_>) -> String {
    let cells = counts.iter().flat_map(|(count, gid)| std::iter::repeat_n(*gid, *count));
    let cells = cells.chain(std::iter::repeat("0"));
    cells.take(SIZE[0] * SIZE[1]).collect::<Vec<_>>().join(",")
}

/// Returns a map with the tilesets `ground` (its first tile is 1) and `t` (5), and with these tiles in its
/// layers `Ground` and `Walls`.
fn map_of(ground: Counts<'_>, walls: Counts<'_>) -> String {
    let first = tileset([8, 8], 4, "").replacen("name=\"t\"", "name=\"ground\"", 1);
    let second = tileset([8, 8], 4, "").replace("t.png", "u.png");
    let second = second.replace("firstgid=\"1\"", "firstgid=\"5\"");
    let layers = layer("name=\"Ground\"", SIZE, &cells(ground))
        + &layer("name=\"Walls\"", SIZE, &cells(walls));
    map("", SIZE, [8, 8], &(first + &second + &layers))
}

const WALLS: usize = 200;

/// Returns a map with `strays` tiles of the ground in its walls. The first is the cell with the number
/// [`WALLS`].
fn with_strays(strays: usize) -> String {
    map_of(&[(1_000, "1")], &[(WALLS, "5"), (strays, "1")])
}

/// A note about a map: file, code and cell.
type Note = (String, String, [u64; 2]);

fn notes(root: &Path, args: &[&str]) -> BTreeSet<Note> {
    let (_, out, err) = bitwall_in(root, &[&["verify", "--format", "json"], args].concat(), "");
    let json: serde_json::Value = serde_json::from_str(&out).expect(&err);
    let findings = json["findings"].as_array().unwrap().iter();
    let notes = findings.filter(|finding| finding["severity"] == "note");
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    notes
        .map(|it| {
            let cell = [0, 1].map(|axis| it["place"]["cell"][axis].as_u64().unwrap());
            (text(&it["repository_path"]), text(&it["code"]), cell)
        })
        .collect()
}

fn stray(file: &str, cell: usize) -> Note {
    let cell = [cell % SIZE[0], cell / SIZE[0]].map(|it| it as u64);
    (file.to_owned(), "TMX127".to_owned(), cell)
}

/// Creates a folder with these maps, named `a.tmx`, `b.tmx` and so on.
fn project(maps: &[String]) -> tempfile::TempDir {
    let root = folder(&[(".git/HEAD", ""), ("t.png", ""), ("u.png", "")]);
    for (name, text) in ('a'..).zip(maps) {
        fs::write(root.path().join(format!("{name}.tmx")), text).unwrap();
    }
    root
}

#[test]
fn tiles_are_stray_only_if_few_of_their_layer_and_many_of_their_tileset_are_elsewhere() {
    // The numbers of cells: tiles of `ground` in the ground, tiles of walls, tiles of `ground` in the walls.
    for (ground, walls, strays, is_found) in [
        (1_000, 49, 1, true),
        (1_000, 48, 1, false),
        (1_000, 98, 2, true),
        (1_000, 97, 2, false),
        (1_000, 147, 3, true),
        (1_000, 146, 3, false),
        (1_000, 500, 4, false),
        (98, 500, 2, true),
        (97, 500, 2, false),
    ] {
        let root = project(&[map_of(&[(ground, "1")], &[(walls, "5"), (strays, "1")])]);
        let expected = is_found.then(|| stray("a.tmx", walls));
        let found = notes(root.path(), &[]);
        assert_eq!(found, expected.into_iter().collect(), "{ground} {walls} {strays}");
    }
}

#[test]
fn a_tile_of_walls_in_the_scenery_is_stray() {
    let root = project(&[map_of(&[(500, "1"), (1, "5")], &[(WALLS, "5")]), with_strays(0)]);
    assert_eq!(notes(root.path(), &[]), [stray("a.tmx", 500)].into());
}

/// Walls of more than four tiles are art that the player sees, and no other layer has to agree with it.
#[test]
fn drawn_walls_have_no_stray_tiles() {
    for (marks, is_found) in [(["5", "6", "7", "5"], true), (["5", "6", "7", "8"], false)] {
        let walls = marks.map(|gid| (WALLS / 4, gid));
        let root = project(&[map_of(&[(1_000, "1")], &[&walls[..], &[(1, "1")]].concat())]);
        assert_eq!(notes(root.path(), &[]).len(), usize::from(is_found), "{marks:?}");
    }
}

#[test]
fn a_stray_tile_does_not_fail_a_run_and_can_be_allowed_or_made_an_error() {
    let root = project(&[with_strays(1)]);
    let root = root.path();
    assert_eq!(notes(root, &[]), [stray("a.tmx", WALLS)].into());
    assert_eq!(bitwall_in(root, &["verify", "--ignore", "TMX118"], "").0, 0);
    assert_eq!(notes(root, &["--ignore", "stray-tile"]), BTreeSet::new());
    fs::write(root.join("bitwall.toml"), "[verify.severity]\nstray-tile = \"error\"").unwrap();
    assert_eq!(bitwall_in(root, &["verify", "--ignore", "TMX118"], "").0, 1);
    fs::remove_file(root.join("bitwall.toml")).unwrap();

    let allow = "<properties><property name=\"bitwall.allow\" value=\"stray-tile\"/></properties>";
    let text = with_strays(1);
    let (shown, walls) = text.rsplit_once("<data").unwrap();
    let by_layer = format!("{shown}{allow}<data{walls}");
    for allowed in [text.replacen("<tileset", &format!("{allow}<tileset"), 1), by_layer] {
        fs::write(root.join("a.tmx"), &allowed).unwrap();
        assert_eq!(notes(root, &[]), BTreeSet::new(), "{allowed}");
    }
}

/// Makes a finite map infinite, with one chunk that starts at this cell.
fn infinite(map: &str, [x, y]: [usize; 2]) -> String {
    let [width, height] = SIZE;
    let data = "<data encoding=\"csv\">";
    let chunk = format!("{data}<chunk x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">");
    let map = map.replacen("<map ", "<map infinite=\"1\" ", 1);
    map.replace(data, &chunk).replace("</data>", "</chunk></data>")
}

#[test]
fn stray_tiles_are_found_whatever_the_first_cell_of_the_map_and_the_cells_of_its_level() {
    let root = project(&[infinite(&with_strays(1), [16, 32])]);
    let (file, code, [column, row]) = stray("a.tmx", WALLS);
    assert_eq!(notes(root.path(), &[]), [(file, code, [column + 16, row + 32])].into());

    // A wall of half a tile makes the cells of the level smaller than the tiles.
    let wall = r#"<object id="1" x="0" y="0" width="4" height="4">"#;
    let wall = objects("Half", &format!("{wall}{SOLID}</object>")) + "</map>";
    let text = with_strays(1);
    let (shown, walls) = text.rsplit_once("<data").unwrap();
    let root = project(&[format!("{shown}{SOLID}<data{walls}").replace("</map>", &wall)]);
    assert_eq!(notes(root.path(), &[]), [stray("a.tmx", WALLS)].into());
}

/// In a level, the cells of an isometric map are squares as high as a tile. A tile may be as wide as two.
#[test]
fn maps_of_every_orientation_are_compared_if_their_cells_have_the_size_of_a_tile() {
    for (orientation, tile, is_found) in [
        ("orthogonal", 16, true),
        ("oblique", 16, true),
        ("isometric", 8, true),
        ("isometric", 16, false),
        ("staggered", 16, false),
        ("hexagonal", 16, false),
    ] {
        let text = infinite(&with_strays(1), [0, 0]);
        let text = text.replace("tilewidth=\"8", &format!("tilewidth=\"{tile}"));
        let root = project(&[text.replacen("orthogonal", orientation, 1)]);
        let expected = is_found.then(|| stray("a.tmx", WALLS));
        let found = notes(root.path(), &[]);
        assert_eq!(found, expected.into_iter().collect(), "{orientation} {tile}");
    }
}

#[test]
fn the_order_of_maps_and_of_threads_does_not_change_the_findings() {
    let scenery = map_of(&[(500, "1"), (1, "5")], &[(WALLS, "5")]);
    let root = project(&[with_strays(1), with_strays(0), scenery]);
    let once = bitwall_in(root.path(), &["verify", "a.tmx", "b.tmx", "c.tmx"], "").1;
    assert_eq!(once.matches("TMX127").count(), 2, "{once}");
    for order in [["c.tmx", "a.tmx", "b.tmx"], ["b.tmx", "c.tmx", "a.tmx"]] {
        assert_eq!(bitwall_in(root.path(), &[&["verify"], &order[..]].concat(), "").1, once);
    }
}
