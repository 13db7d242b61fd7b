//! The rules that compare the maps of a run. Each finds its fault in generated maps, and nothing in harmless
//! variants. The findings in maps of a real game are compared with the later repairs of its makers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::revisions::git;
use crate::shared::{bitwall_in, folder, shared};
use crate::support::{layer, map, objects, tileset};

const SIZE: [usize; 2] = [40, 30];

type Change = fn(&mut Wood);

/// A wood: ground everywhere, and randomly placed trees with walls under them.
#[derive(Clone)]
struct Wood {
    trees: Vec<bool>,
    walls: Vec<bool>,
    more: String,
}

impl Wood {
    fn new(number: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(number);
        let [width, height] = SIZE;
        let mut trees = Vec::new();
        for cell in 0..width * height {
            let (x, y) = (cell % width, cell / width);
            let is_border = x == 0 || y == 0 || x == width - 1 || y == height - 1;
            // Trees never touch each other, so that there are no pockets.
            trees.push(is_border || x % 2 == 0 && y % 2 == 0 && random.u8(..3) == 0);
        }
        Self { walls: trees.clone(), trees, more: String::new() }
    }

    /// Returns the first cell after the middle of the map that has a tree, or that has none, as `is_tree`
    /// states.
    fn cell(&self, is_tree: bool) -> usize {
        let [width, height] = SIZE;
        let middle = width * height / 2 + 2;
        (middle..).find(|cell| self.trees[*cell] == is_tree && cell / width % 2 == 0).unwrap()
    }

    fn text(&self) -> String {
        let cells = |shown: &[bool], tile: &str| {
            let cells = shown.iter().map(|is_shown| if *is_shown { tile } else { "0" });
            cells.collect::<Vec<_>>().join(",")
        };
        let all = vec![true; self.trees.len()];
        let layers =
            [("Ground", &all, "1"), ("Trees", &self.trees, "2"), ("Walls", &self.walls, "3")];
        let layers = layers.map(|(name, shown, tile)| {
            layer(&format!("name=\"{name}\""), SIZE, &cells(shown, tile))
        });
        map("", SIZE, [8, 8], &(tileset([8, 8], 4, "") + &layers.concat() + &self.more))
    }
}

/// Returns the notes about the maps: file, code and cell of each.
fn notes(root: &Path, args: &[&str]) -> BTreeSet<(String, String, [u64; 2])> {
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

fn at(file: &str, code: &str, cell: usize) -> (String, String, [u64; 2]) {
    (file.to_owned(), code.to_owned(), [cell % SIZE[0], cell / SIZE[0]].map(|it| it as u64))
}

/// Creates a folder with three woods, and changes the first one.
fn woods(change: impl FnOnce(&mut Wood)) -> tempfile::TempDir {
    let mut all = [1, 2, 3].map(Wood::new);
    change(&mut all[0]);
    let [a, b, c] = all.map(|wood| wood.text());
    folder(&[(".git/HEAD", ""), ("t.png", ""), ("a.tmx", &a), ("b.tmx", &b), ("c.tmx", &c)])
}

#[test]
fn a_tree_tile_without_a_wall_or_a_wall_without_a_tree_tile_is_an_odd_cell() {
    for is_tree in [true, false] {
        let mut cell = 0;
        let root = woods(|wood| {
            cell = wood.cell(is_tree);
            wood.walls[cell] = !is_tree;
        });
        assert_eq!(notes(root.path(), &[]), [at("a.tmx", "LVL314", cell)].into());
        assert!(notes(root.path(), &["--ignore", "odd-cell"]).is_empty());
        let (code, out, _) = bitwall_in(root.path(), &["verify", "--ignore", "TMX118"], "");
        assert!(out.contains("confidence 9") && out.contains("other cells with"), "{out}");
        assert_eq!(code, 0, "a note does not fail a run: {out}");
        let asked = "[verify.severity]\nodd-cell = \"error\"";
        fs::write(root.path().join("bitwall.toml"), asked).unwrap();
        assert_eq!(bitwall_in(root.path(), &["verify"], "").0, 1);
    }
}

#[test]
fn harmless_variants_have_no_odd_cells() {
    let allow = "<properties><property name=\"bitwall.allow\" value=\"odd-cell\"/></properties>";
    let variants: [(&str, Change); 4] = [
        ("as made", |_| ()),
        ("more trees", |wood| {
            for cell in (SIZE[0] * 4 + 4..SIZE[0] * 4 + 20).step_by(2) {
                (wood.trees[cell], wood.walls[cell]) = (true, true);
            }
        }),
        ("an object explains the wall", |wood| {
            let cell = wood.cell(false);
            wood.walls[cell] = true;
            let [x, y] = [cell % SIZE[0] * 8, cell / SIZE[0] * 8];
            let object = format!("<object id=\"1\" x=\"{x}\" y=\"{y}\" width=\"8\" height=\"8\"/>");
            wood.more = objects("Things", &object);
        }),
        // In this map the makers wanted no tree to stop a body.
        ("trees that stop nobody", |wood| {
            let is_inner = |cell: usize| (1..SIZE[0] - 1).contains(&(cell % SIZE[0]));
            (SIZE[0]..SIZE[0] * (SIZE[1] - 1)).filter(|cell| is_inner(*cell)).for_each(|cell| {
                wood.walls[cell] = false;
            });
        }),
    ];
    for (name, change) in variants {
        let root = woods(change);
        assert_eq!(notes(root.path(), &[]), BTreeSet::new(), "{name}");
    }
    let root = woods(|wood| {
        let cell = wood.cell(true);
        wood.walls[cell] = false;
    });
    let path = root.path().join("a.tmx");
    let text =
        fs::read_to_string(&path).unwrap().replacen("<tileset", &format!("{allow}<tileset"), 1);
    fs::write(path, text).unwrap();
    assert_eq!(notes(root.path(), &[]), BTreeSet::new(), "allowed by the map");
}

/// Returns the notes about three woods, and the one odd cell of the first: a tree without a wall. `change` is
/// applied to the text of each map.
fn notes_of_changed(
    change: impl Fn(&str) -> String,
) -> (BTreeSet<(String, String, [u64; 2])>, usize) {
    let mut all = [1, 2, 3].map(Wood::new);
    let cell = all[0].cell(true);
    all[0].walls[cell] = false;
    let [a, b, c] = all.map(|wood| change(&wood.text()));
    let root =
        folder(&[(".git/HEAD", ""), ("t.png", ""), ("a.tmx", &a), ("b.tmx", &b), ("c.tmx", &c)]);
    (notes(root.path(), &[]), cell)
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
fn odd_cells_are_found_whatever_the_first_cell_of_the_map_and_the_cells_of_its_level() {
    let (found, cell) = notes_of_changed(|map| infinite(map, [16, 32]));
    let (file, code, [column, row]) = at("a.tmx", "LVL314", cell);
    assert_eq!(found, [(file, code, [column + 16, row + 32])].into());

    // A wall of half a tile makes the cells of the level smaller than the tiles.
    let solid = r#"<properties><property name="solid" type="bool" value="true"/></properties>"#;
    let wall = r#"<object id="1" x="0" y="0" width="4" height="4">"#;
    let wall = objects("Half", &format!("{wall}{solid}</object>")) + "</map>";
    let (found, cell) = notes_of_changed(|map| {
        let (shown, walls) = map.rsplit_once("<data").unwrap();
        format!("{shown}{solid}<data{walls}").replace("</map>", &wall)
    });
    assert_eq!(found, [at("a.tmx", "LVL314", cell)].into());

    // Walls that are moved by half a tile fill no tile.
    let moved = |map: &str| infinite(map, [0, 0]).replace("<layer ", "<layer offsetx=\"4\" ");
    assert_eq!(notes_of_changed(moved).0, BTreeSet::new());
}

/// In a level, the cells of an isometric map are squares as high as a tile. A tile may be as wide as two.
#[test]
fn maps_of_every_orientation_are_compared_if_their_cells_have_the_size_of_a_tile() {
    let [width, height] = SIZE;
    let hole = 20 + 9 * width;
    let text = |orientation: &str, tile: usize, cells: usize| {
        let mut wood = Wood::new(1);
        for cell in 0..width * height {
            wood.trees[cell] = cell / width % 3 == 0;
            wood.walls[cell] = wood.trees[cell] && !(hole..hole + cells).contains(&cell);
        }
        let text =
            infinite(&wood.text(), [0, 0]).replace("tilewidth=\"8", &format!("tilewidth=\"{tile}"));
        text.replacen("orthogonal", orientation, 1)
    };
    // `cells` is the number of tree cells without a wall in the first map.
    for (orientation, tile, cells, is_found) in [
        ("orthogonal", 16, 1, true),
        ("oblique", 16, 1, true),
        ("isometric", 8, 1, true),
        ("isometric", 16, 1, false),
        ("isometric", 16, 2, false),
        ("staggered", 16, 1, false),
        ("hexagonal", 16, 1, false),
    ] {
        let [a, b, c] = [cells, 0, 0].map(|cells| text(orientation, tile, cells));
        let files = [(".git/HEAD", ""), ("a.tmx", &*a), ("b.tmx", &*b), ("c.tmx", &*c)];
        let expected = is_found.then(|| at("a.tmx", "LVL314", hole));
        let found = notes(folder(&files).path(), &[]);
        assert_eq!(found, expected.into_iter().collect(), "{orientation} {tile} {cells}");
    }
}

#[test]
fn tiles_are_stray_only_if_few_of_their_layer_and_many_of_their_tileset_are_elsewhere() {
    let sets = tileset([8, 8], 4, "") + &tileset([8, 8], 4, "").replace("t.png", "u.png");
    let sets = sets.replacen("name=\"t\"", "name=\"ground\"", 1);
    let sets = match sets.rsplit_once("firstgid=\"1\"") {
        Some((first, second)) => format!("{first}firstgid=\"5\"{second}"),
        None => unreachable!("it has two tilesets"),
    };
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
        let cells = |counts: &[(usize, &str)]| {
            let cells = counts.iter().flat_map(|(count, gid)| std::iter::repeat_n(*gid, *count));
            cells
                .chain(std::iter::repeat("0"))
                .take(SIZE[0] * SIZE[1])
                .collect::<Vec<_>>()
                .join(",")
        };
        let layers = layer("name=\"Ground\"", SIZE, &cells(&[(ground, "1")]))
            + &layer("name=\"Walls\"", SIZE, &cells(&[(walls, "5"), (strays, "1")]));
        let text = map("", SIZE, [8, 8], &(sets.clone() + &layers));
        let root = folder(&[(".git/HEAD", ""), ("t.png", ""), ("u.png", ""), ("a.tmx", &text)]);
        let found = notes(root.path(), &["--ignore", "odd-cell", "--ignore", "pocket"]);
        let expected = is_found.then(|| at("a.tmx", "TMX127", walls));
        assert_eq!(found, expected.into_iter().collect(), "{ground} {walls} {strays}");
    }
}

#[test]
fn the_order_of_maps_and_of_threads_does_not_change_the_findings() {
    let root = woods(|wood| {
        let cell = wood.cell(true);
        wood.walls[cell] = false;
    });
    let once = bitwall_in(root.path(), &["verify", "a.tmx", "b.tmx", "c.tmx"], "").1;
    for order in [["c.tmx", "a.tmx", "b.tmx"], ["b.tmx", "c.tmx", "a.tmx"]] {
        assert_eq!(bitwall_in(root.path(), &[&["verify"], &order[..]].concat(), "").1, once);
    }
}

#[test]
fn diff_counts_all_maps_but_reports_only_cells_that_changed() {
    let root = woods(|wood| {
        let cell = wood.cell(true);
        wood.walls[cell] = false;
    });
    let root = root.path();
    fs::remove_dir_all(root.join(".git")).unwrap();
    git(root, &["init", "--quiet", "--initial-branch=trunk"]);
    git(root, &["add", "."]);
    git(root, &["commit", "--quiet", "-m", "one"]);
    assert_eq!(notes(root, &["--diff", "trunk"]), BTreeSet::new());

    // Another tree of the same map loses its wall. The old odd cell is not reported.
    let mut wood = Wood::new(1);
    let old = wood.cell(true);
    let is_other = |cell: &usize| wood.trees[*cell] && *cell > SIZE[0] * 4 && cell % SIZE[0] > 9;
    let new = (0..old - SIZE[0] * 4).find(is_other).unwrap();
    (wood.walls[old], wood.walls[new]) = (false, false);
    fs::write(root.join("a.tmx"), wood.text()).unwrap();
    assert_eq!(notes(root, &["--diff", "trunk"]), [at("a.tmx", "LVL314", new)].into());
    assert!(notes(root, &[]).contains(&at("a.tmx", "LVL314", old)));
}

#[test]
fn a_closed_cell_is_a_pocket_unless_an_object_is_in_it_or_many_maps_have_some() {
    let close = |wood: &mut Wood| {
        let cell = SIZE[0] * 15 + 21;
        for beside in [cell - 1, cell + 1, cell - SIZE[0], cell + SIZE[0]] {
            (wood.trees[beside], wood.walls[beside]) = (true, true);
        }
        (wood.trees[cell], wood.walls[cell]) = (false, false);
        cell
    };
    let pockets = |root: &Path| {
        let notes = notes(root, &["--ignore", "odd-cell"]);
        notes.into_iter().filter(|(_, code, _)| code == "LVL315").collect::<BTreeSet<_>>()
    };
    let mut cell = 0;
    let root = woods(|wood| cell = close(wood));
    assert_eq!(pockets(root.path()), [at("a.tmx", "LVL315", cell)].into());

    let root = woods(|wood| {
        let cell = close(wood);
        let [x, y] = [cell % SIZE[0] * 8 + 4, cell / SIZE[0] * 8 + 4];
        wood.more =
            objects("Things", &format!("<object id=\"1\" x=\"{x}\" y=\"{y}\"><point/></object>"));
    });
    assert_eq!(pockets(root.path()), BTreeSet::new());

    let texts: Vec<String> = (0..3)
        .map(|number| {
            let mut wood = Wood::new(number);
            close(&mut wood);
            wood.text()
        })
        .collect();
    let root =
        folder(&[("t.png", ""), ("a.tmx", &texts[0]), ("b.tmx", &texts[1]), ("c.tmx", &texts[2])]);
    assert_eq!(pockets(root.path()), BTreeSet::new(), "it is a custom of the game");
}

/// Returns the cells that a finding names: its place, and the cells that its excerpt marks.
fn named_cells(finding: &serde_json::Value) -> Vec<(u64, u64)> {
    let number = |value: &serde_json::Value| value.as_u64().unwrap();
    let mut cells =
        vec![(number(&finding["place"]["cell"][0]), number(&finding["place"]["cell"][1]))];
    for (y, row) in (0..).zip(finding["excerpt"]["rows"].as_array().into_iter().flatten()) {
        let marks = (0..).zip(row.as_str().unwrap().chars()).filter(|(_, mark)| *mark == '?');
        let origin = &finding["excerpt"]["origin"];
        cells.extend(marks.map(|(x, _)| (number(&origin[0]) + x, number(&origin[1]) + y)));
    }
    cells
}

#[test]
fn a_third_of_the_cells_noted_in_a_real_game_were_repaired_later() {
    let Some(game) = shared("history/tmwa-2011") else { return };
    let mut repaired = BTreeMap::<String, BTreeSet<(u64, u64)>>::new();
    for line in fs::read_to_string(game.join("later.tsv")).unwrap().lines().skip(1) {
        let mut fields = line.split('\t');
        let map = fields.next().unwrap().to_owned();
        let [column, row] = [(); 2].map(|()| fields.next().unwrap().parse().unwrap());
        repaired.entry(map).or_default().insert((column, row));
    }
    let (_, out, err) = bitwall_in(&game, &["verify", "--format", "json", "maps"], "");
    let json: serde_json::Value = serde_json::from_str(&out).expect(&err);
    let findings = json["findings"].as_array().unwrap().iter();
    let notes: Vec<_> = findings.filter(|finding| finding["severity"] == "note").collect();
    let map_of = |note: &serde_json::Value| {
        let path = note["path"].as_str().unwrap().replace('\\', "/");
        path[path.rfind("maps/").unwrap()..].to_owned()
    };
    let is_hit = |note: &serde_json::Value| {
        let cells = repaired.get(&map_of(note));
        cells.is_some_and(|cells| named_cells(note).iter().any(|cell| cells.contains(cell)))
    };
    // A map that cannot be loaded has no findings of these rules.
    let is_lost = |map: &str| {
        let errors = json["findings"].as_array().unwrap().iter();
        errors.filter(|it| it["severity"] == "error").any(|it| map_of(it) == map)
    };
    let small =
        |map: &str| repaired.get(map).is_some_and(|cells| cells.len() <= 60) && !is_lost(map);
    let maps: BTreeSet<&String> = repaired.keys().filter(|map| small(map)).collect();
    let of_small: Vec<_> = notes.iter().filter(|note| small(&map_of(note))).collect();
    let hits = of_small.iter().filter(|note| is_hit(note));
    let hit_maps: BTreeSet<String> = hits.clone().map(|note| map_of(note)).collect();
    let mut of_map: Vec<usize> = maps
        .iter()
        .map(|map| of_small.iter().filter(|note| map_of(note) == **map).count())
        .collect();
    of_map.sort_unstable();
    let all_hits = notes.iter().filter(|note| is_hit(note)).count();
    let files = json["files_checked"].as_u64().unwrap() as usize;
    println!("all maps: {all_hits} of {} notes repaired, {files} maps", notes.len());
    println!(
        "maps with at most 60 changes: {} of {} notes repaired, in {} of {} maps; notes a map: {of_map:?}",
        hits.clone().count(),
        of_small.len(),
        hit_maps.len(),
        maps.len()
    );
    assert!(all_hits * 10 >= notes.len() * 3 && hits.count() * 10 >= of_small.len() * 3);
    assert!(hit_maps.len() * 2 >= maps.len());
    assert!(
        notes.len() <= 2 * files
            && of_small.len() <= 2 * maps.len()
            && of_map[of_map.len() / 2] <= 2
    );
}

/// Returns a map with a layer that a property makes solid. Without `is_solid` the property is missing.
fn with_layer(number: usize, is_solid: bool, more: &str) -> (String, String) {
    let flag = r#"<properties><property name="solid" type="bool" value="true"/></properties>"#;
    let flag = if is_solid { flag } else { "" };
    let block = r#"<object id="1" x="0" y="0" width="8" height="8"/>"#;
    let blocks = format!("<objectgroup id=\"7\" name=\"Blocks\">{flag}{block}</objectgroup>");
    let walls = objects("walls", r#"<object id="2" x="8" y="8" width="8" height="8"/>"#);
    (format!("{number}.tmx"), map("", [4, 4], [8, 8], &(walls + &blocks + more)))
}

#[test]
fn with_diff_layers_and_objects_are_compared_with_unchanged_maps_too() {
    let root = folder(&[("bitwall.toml", "")]);
    let root = root.path();
    for (name, text) in (0..9).map(|number| with_layer(number, true, "")) {
        fs::write(root.join(name), text).unwrap();
    }
    let commit = || {
        git(root, &["add", "."]);
        git(root, &["commit", "--quiet", "-m", "one"]);
    };
    git(root, &["init", "--quiet", "--initial-branch=trunk"]);
    commit();
    let codes = || {
        let (_, out, err) =
            crate::baseline::verify(root, &["--diff", "trunk", "--ignore", "LVL310"]);
        assert!(err.is_empty() || !err.contains("error:"), "{err}");
        out
    };
    let (name, text) = with_layer(3, false, "");
    fs::write(root.join(&name), text).unwrap();
    assert_eq!(codes(), ["3.tmx TMX128"]);
    commit();
    fs::write(root.join(&name), with_layer(3, false, &objects("Notes", "")).1).unwrap();
    assert_eq!(codes(), [""; 0], "it was so before");
}

#[test]
fn a_map_and_its_export_count_and_are_reported_once() {
    let root = woods(|wood| {
        let cell = wood.cell(true);
        wood.walls[cell] = false;
    });
    let root = root.path();
    let alone = notes(root, &[]);
    for name in ["a", "b", "c"] {
        let text = fs::read_to_string(root.join(format!("{name}.tmx"))).unwrap();
        fs::write(root.join(format!("{name}.tmj")), exported(&text)).unwrap();
    }
    assert_eq!(notes(root, &[]), alone);
    // Without the maps, the exports are compared instead.
    ["a.tmx", "b.tmx", "c.tmx"].iter().for_each(|name| fs::remove_file(root.join(name)).unwrap());
    let exports: BTreeSet<_> = notes(root, &[]).into_iter().map(|(.., cell)| cell).collect();
    assert_eq!(exports, alone.into_iter().map(|(.., cell)| cell).collect());
}

/// Returns a wood as Tiled exports it to JSON.
fn exported(text: &str) -> String {
    let layers = text.split("<layer ").skip(1).enumerate().map(|(number, layer)| {
        let name = layer.split('"').nth(1).unwrap();
        let data = layer.split('>').nth(2).unwrap().split('<').next().unwrap();
        let [width, height] = SIZE;
        format!(
            r#"{{"id": {}, "name": "{name}", "type": "tilelayer", "x": 0, "y": 0, "visible": true,
            "opacity": 1, "width": {width}, "height": {height}, "data": [{data}]}}"#,
            number + 1
        )
    });
    let layers: Vec<String> = layers.collect();
    let [width, height] = SIZE;
    format!(
        r#"{{"type": "map", "version": "1.10", "orientation": "orthogonal", "infinite": false,
        "width": {width}, "height": {height}, "tilewidth": 8, "tileheight": 8, "layers": [{}],
        "tilesets": [{{"firstgid": 1, "name": "t", "tilewidth": 8, "tileheight": 8, "tilecount": 4,
        "columns": 4, "image": "t.png", "imagewidth": 32, "imageheight": 8}}]}}"#,
        layers.join(",")
    )
}

/// A map that grows at its top moves all its cells, but keeps its known findings.
#[test]
fn a_baseline_recognizes_an_odd_cell_after_its_map_grew() {
    let change = |wood: &mut Wood| {
        let cell = wood.cell(true);
        wood.walls[cell] = false;
    };
    let root = woods(change);
    let root = root.path();
    let baseline = ["-q", "--baseline", "known.json"];
    assert_eq!(
        crate::baseline::verify(root, &[&baseline[..], &["--write-baseline"]].concat()).0,
        0
    );
    let mut wood = Wood::new(1);
    change(&mut wood);
    let text = wood.text();
    let rows = |cell: usize| format!("\n{}", format!("{cell},").repeat(SIZE[0] * 2));
    let grown = text.replace("height=\"30\"", "height=\"32\"");
    let mut parts = grown.split("<layer ");
    let mut moved = parts.next().unwrap().to_owned();
    for (part, tile) in parts.zip([1, 2, 3]) {
        let start = part.find("csv\">").unwrap() + 5;
        moved += &format!("<layer {}{}{}", &part[..start], rows(tile), &part[start..]);
    }
    fs::write(root.join("a.tmx"), &moved).unwrap();
    let (_, out, err) = crate::baseline::verify(root, &baseline);
    assert_eq!(out, [""; 0], "{err}");
    assert_eq!(crate::baseline::verify(root, &["-q", "--select", "odd-cell"]).1, ["a.tmx LVL314"]);
}
