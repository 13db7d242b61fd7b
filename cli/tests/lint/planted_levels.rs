//! Faults of levels, planted by a program in clean levels: rooms, caves and platforms, as maps and as masks.
//!
//! Each fault must be found by its own rule. No rule may report anything that the clean level did not have.

mod clean;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use bitwall::glam::{IVec2, UVec2};
use bitwall_cli::lint::{
    BodySpec, MarkerRole, MarkerSpec, RuleLevel, RuleSet, VerifyOptions, verify_bytes, verify_file,
};

use crate::shared::{bitwall_in, folder};
use clean::{Clean, TILE};

const LEVELS: u64 = 30;

/// A rectangle in pixels: x, y, width, height.
type Rect = [i32; 4];

/// Returns the body for all levels.
fn body() -> BodySpec {
    BodySpec::new("hero", UVec2::new(12, 20))
}

/// Returns options with all rules for levels on, in addition to the default rules.
fn options(clean: &Clean) -> VerifyOptions {
    let marker = |name: &str, role, at_most| MarkerSpec {
        at_least: 1,
        at_most,
        ..MarkerSpec::new(name, role)
    };
    let mut options = VerifyOptions {
        bodies: vec![body()],
        markers: vec![
            marker("player", MarkerRole::Spawn, Some(1)),
            marker("exit", MarkerRole::Goal, Some(1)),
            marker("coin*", MarkerRole::Pickup, None),
        ],
        base: Some(clean.share()),
        ..VerifyOptions::default()
    };
    options.levels.set("lvl".parse().unwrap(), RuleLevel::On);
    options
}

/// Returns the codes of the findings in a map or a mask.
fn codes(name: &str, bytes: &[u8], options: &VerifyOptions) -> BTreeSet<&'static str> {
    let report = verify_bytes(name, bytes, options);
    report.findings.iter().map(|finding| finding.rule.code).collect()
}

/// A kind of fault: the rule that finds it, other rules that also report it, and the function that plants it.
/// The function returns `None` if the level has no place for the fault.
struct Kind {
    name: &'static str,
    rule: &'static str,
    also: &'static [&'static str],
    masks: bool,
    plant: fn(&Clean, &mut fastrand::Rng) -> Option<Clean>,
}

const KINDS: [Kind; 12] = [
    Kind { name: "spawn in a wall", rule: "LVL301", also: &[], masks: false, plant: spawn_in_wall },
    Kind { name: "no spawn", rule: "LVL303", also: &[], masks: false, plant: no_spawn },
    Kind { name: "two spawns", rule: "LVL303", also: &[], masks: false, plant: two_spawns },
    Kind { name: "no goal", rule: "LVL303", also: &[], masks: false, plant: no_goal },
    Kind { name: "open border", rule: "LVL302", also: &[], masks: true, plant: hole },
    Kind {
        name: "every pixel solid",
        rule: "LVL305",
        also: &["LVL310"],
        masks: true,
        plant: all_solid,
    },
    Kind {
        name: "door 1 or 2 px low",
        rule: "LVL307",
        also: &["NAV401"],
        masks: true,
        plant: low_door,
    },
    Kind {
        name: "shaft 1 or 2 px narrow",
        rule: "LVL307",
        also: &["NAV401"],
        masks: true,
        plant: narrow_shaft,
    },
    Kind { name: "goal walled in", rule: "NAV401", also: &[], masks: false, plant: goal_walled_in },
    Kind { name: "goal in a wall", rule: "NAV401", also: &[], masks: false, plant: goal_in_wall },
    Kind { name: "pickup in a chamber", rule: "NAV401", also: &[], masks: false, plant: chamber },
    Kind { name: "walls lost", rule: "LVL310", also: &[], masks: true, plant: walls_gained },
];

fn spawn_in_wall(clean: &Clean, random: &mut fastrand::Rng) -> Option<Clean> {
    let cell = clean.any_solid(random);
    Some(clean.with_marker("player", clean.middle(cell)))
}

fn no_spawn(clean: &Clean, _: &mut fastrand::Rng) -> Option<Clean> {
    Some(clean.without_marker("player"))
}

fn two_spawns(clean: &Clean, _: &mut fastrand::Rng) -> Option<Clean> {
    let mut planted = clean.clone();
    let player = clean.marker("player");
    planted.markers.push(("Player".to_owned(), player + IVec2::X));
    Some(planted)
}

fn no_goal(clean: &Clean, _: &mut fastrand::Rng) -> Option<Clean> {
    Some(clean.without_marker("exit"))
}

fn hole(clean: &Clean, random: &mut fastrand::Rng) -> Option<Clean> {
    let rows: Vec<i32> = (1..clean.size().y - 2)
        .filter(|row| [0, 1].iter().all(|down| clean.is_free(IVec2::new(1, row + down))))
        .collect();
    let row = *rows.get(random.usize(0..rows.len().max(1)))?;
    let mut planted = clean.clone();
    planted.set(IVec2::new(0, row), false);
    planted.set(IVec2::new(0, row + 1), false);
    Some(planted)
}

fn all_solid(clean: &Clean, _: &mut fastrand::Rng) -> Option<Clean> {
    let mut planted = clean.clone();
    clean.cells().for_each(|cell| planted.set(cell, true));
    Some(planted)
}

/// Plants a wall through the whole level, with a door that is 1 or 2 px too low.
fn low_door(clean: &Clean, random: &mut fastrand::Rng) -> Option<Clean> {
    let columns = clean.columns_with_room(random)?;
    let (column, row) = columns;
    let mut planted = clean.clone();
    let size = clean.size() * TILE;
    let x = column * TILE;
    let (top, height) = (row * TILE + 5, 20 - random.i32(1..3));
    planted.rects.push([x, 0, TILE, top]);
    planted.rects.push([x, top + height, TILE, size.y - top - height]);
    Some(planted)
}

/// Plants a horizontal wall through the whole level, with a shaft that is 1 or 2 px too narrow.
fn narrow_shaft(clean: &Clean, random: &mut fastrand::Rng) -> Option<Clean> {
    let (column, row) = clean.rows_with_room(random)?;
    let mut planted = clean.clone();
    let size = clean.size() * TILE;
    let y = row * TILE + 4;
    let (left, width) = (column * TILE + 5, 12 - random.i32(1..3));
    planted.rects.push([0, y, left, 8]);
    planted.rects.push([left + width, y, size.x - left - width, 8]);
    Some(planted)
}

fn goal_walled_in(clean: &Clean, _: &mut fastrand::Rng) -> Option<Clean> {
    let middle = clean.open_square(3)?;
    let mut planted = clean.with_marker("exit", clean.middle(middle));
    for cell in clean::ring(middle, 1) {
        planted.set(cell, true);
    }
    Some(planted)
}

fn goal_in_wall(clean: &Clean, random: &mut fastrand::Rng) -> Option<Clean> {
    let cell = clean.buried(random)?;
    Some(clean.with_marker("exit", clean.middle(cell)))
}

/// Plants a closed chamber with room to move.
fn chamber(clean: &Clean, _: &mut fastrand::Rng) -> Option<Clean> {
    let middle = clean.open_square(5)?;
    let mut planted = clean.with_marker("coin 1", clean.middle(middle));
    for cell in clean::ring(middle, 2) {
        planted.set(cell, true);
    }
    Some(planted)
}

/// Makes all cells solid that are far from the markers.
fn walls_gained(clean: &Clean, _: &mut fastrand::Rng) -> Option<Clean> {
    let mut planted = clean.clone();
    let near = |cell: IVec2| {
        let far = |at: &IVec2| (*at / TILE - cell).abs().max_element() > 3;
        !clean.markers.iter().all(|(_, at)| far(at))
    };
    for cell in clean.cells().filter(|cell| !near(*cell)) {
        planted.set(cell, true);
    }
    let jump = planted.share().fraction() - clean.share().fraction();
    (jump >= 0.1).then_some(planted)
}

#[test]
fn planted_faults_of_levels_are_found_by_their_own_rule_only() {
    let mut table = BTreeMap::<&str, [usize; 3]>::new();
    let mut wrong = Vec::new();
    for seed in 0..LEVELS {
        let clean = Clean::new(seed);
        let options = options(&clean);
        let (map, mask) = (clean.map(), clean.mask());
        let before = [
            codes("clean.tmx", map.as_bytes(), &options),
            codes("clean_mask.png", &mask, &options),
        ];
        assert!(before.iter().all(BTreeSet::is_empty), "{seed}: {before:?}\n{clean:?}");
        for (number, kind) in KINDS.iter().enumerate() {
            let mut random = fastrand::Rng::with_seed(seed * 100 + number as u64);
            let Some(planted) = (kind.plant)(&clean, &mut random) else {
                continue;
            };
            let mut found = vec![codes("planted.tmx", planted.map().as_bytes(), &options)];
            if kind.masks {
                found.push(codes("planted_mask.png", &planted.mask(), &options));
            }
            for codes in found {
                let row = table.entry(kind.name).or_default();
                row[0] += 1;
                let also = |code: &&&str| **code != kind.rule && !kind.also.contains(code);
                let others = codes.iter().filter(also).count();
                row[1] += usize::from(codes.contains(kind.rule));
                row[2] += others;
                if others > 0 || !codes.contains(kind.rule) {
                    wrong.push(format!("{} on level {seed}: {codes:?}", kind.name));
                }
            }
        }
    }
    print_table(&table);
    for kind in &KINDS {
        let [planted, found, others] = table.get(kind.name).copied().unwrap_or_default();
        assert!(planted >= 10, "{}: {planted} planted", kind.name);
        let enough = found * 100 >= planted * 95;
        assert!(enough && others == 0, "{}\n{}", kind.name, wrong.join("\n"));
    }
}

fn print_table(table: &BTreeMap<&str, [usize; 3]>) {
    println!("{:<26} planted  found  others", "kind");
    for (name, [planted, found, others]) in table {
        println!("{name:<26} {planted:>7} {found:>6} {others:>7}");
    }
}

/// Returns two adjacent rooms. Each may have a doorway at the common side, in the given row.
fn rooms(door: [bool; 2], size: [i32; 2], row: i32) -> [String; 2] {
    [0, 1].map(|side| {
        let mut rows = vec![vec![b'#'; size[0] as usize]; size[1] as usize];
        for row in &mut rows[1..size[1] as usize - 1] {
            row[1..size[0] as usize - 1].fill(b'.');
        }
        if door[side] {
            let edge = if side == 0 { size[0] as usize - 1 } else { 0 };
            rows[row as usize][edge] = b'.';
            rows[row as usize + 1][edge] = b'.';
        }
        Clean::of_rows(rows).map()
    })
}

#[test]
fn planted_faults_between_the_maps_of_a_world_are_found() {
    let mut table = BTreeMap::<&str, [usize; 3]>::new();
    for seed in 0..LEVELS {
        let mut random = fastrand::Rng::with_seed(seed);
        let size = [random.i32(8..20), random.i32(8..20)];
        let row = random.i32(2..size[1] - 3);
        let slip = random.i32(1..3);
        let kinds = [
            ("clean", [true, true], IVec2::ZERO),
            ("two closed rooms", [false, false], IVec2::ZERO),
            ("1 or 2 px apart", [true, true], IVec2::new(slip, 0)),
            ("overlap", [true, true], IVec2::new(-random.i32(1..16), 0)),
            ("shifted by 1 or 2 px", [true, true], IVec2::new(0, slip)),
            ("doorway into a wall", [true, false], IVec2::ZERO),
            ("doorway from a wall", [false, true], IVec2::ZERO),
        ];
        for (name, doors, by) in kinds {
            let folder = tempfile::tempdir().unwrap();
            let [left, right] = rooms(doors, size, row);
            fs::write(folder.path().join("left.tmx"), left).unwrap();
            fs::write(folder.path().join("right.tmx"), right).unwrap();
            let at = IVec2::new(size[0] * TILE, 0) + by;
            let world = format!(
                "{{\"maps\": [{{\"fileName\": \"left.tmx\", \"x\": 0, \"y\": 0}}, \
                 {{\"fileName\": \"right.tmx\", \"x\": {}, \"y\": {}}}]}}",
                at.x, at.y
            );
            let path = folder.path().join("all.world");
            fs::write(&path, world).unwrap();
            let seam = RuleSet::One(bitwall_cli::lint::rule_by_name("world-seam").unwrap());
            let mut options = VerifyOptions::default();
            options.levels.set(seam, RuleLevel::On);
            let found = verify_file(&path, &options).findings;
            let codes: Vec<&str> = found.iter().map(|finding| finding.rule.code).collect();
            let is_clean = name == "clean" || name == "two closed rooms";
            let row = table.entry(name).or_default();
            row[0] += 1;
            row[1] += usize::from(codes == ["LVL313"]);
            row[2] += codes.iter().filter(|code| **code != "LVL313").count();
            assert_eq!(codes.is_empty(), is_clean, "{name} {seed} {size:?} {by}: {codes:?}");
        }
    }
    print_table(&table);
}

/// In a linear layout the editor alone lays the stages side by side: no stage leads to the next.
#[test]
fn stages_of_a_linear_ldtk_project_have_no_seams() {
    let text = fs::read_to_string("../assets/rooms.ldtk").unwrap();
    let mut project: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut left = 0;
    for level in project["levels"].as_array_mut().unwrap() {
        let width = level["pxWid"].as_i64().unwrap();
        (level["worldX"], level["worldY"]) = (left.into(), 0.into());
        left += width;
    }
    // A wall along the right side of the first room, beside the doorway of the second.
    let layers = project["levels"][0]["layerInstances"].as_array_mut().unwrap();
    let walls = layers.iter_mut().find(|layer| layer["__type"] == "IntGrid").unwrap();
    let columns = walls["__cWid"].as_u64().unwrap() as usize;
    let cells = walls["intGridCsv"].as_array_mut().unwrap();
    cells.iter_mut().skip(columns - 1).step_by(columns).for_each(|cell| *cell = 1.into());
    let root = folder(&[("cave_tiles.png", "")]);
    let mut found = Vec::new();
    for layout in ["Free", "LinearHorizontal"] {
        project["worldLayout"] = layout.into();
        fs::write(root.path().join("rooms.ldtk"), project.to_string()).unwrap();
        let args = ["verify", "--format", "concise", "rooms.ldtk"];
        let (_, out, _) = bitwall_in(root.path(), &args, "");
        found.push(out.matches("[LVL313]").count());
    }
    assert_eq!(found, [1, 0], "the same rooms at the same places");
}
