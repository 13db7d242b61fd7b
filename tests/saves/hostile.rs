//! Files that were not made by saving a value: each is refused with a plain reason, or gives a value that can
//! be used.

use std::time::Duration;

use bitwall::glam::{UVec2, Vec2};
use bitwall::property::PropertyValue;
use bitwall::render;
use bitwall::world::World;
use bitwall::{Aabb, Dir, Grid, Level, Marker, Move, Mover, MoverSettings, Terrain};
use fastrand::Rng;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::levels::all_levels;
use super::worlds::busy_world;
use super::{binary, json};
use crate::support::{Stopwatch, VelocityLeft, rounds, tiles};

/// Returns the reason for which a text is refused.
fn refused<T: DeserializeOwned>(text: &str) -> String {
    match serde_json::from_str::<T>(text) {
        Ok(_) => panic!("{text} was read"),
        Err(error) => error.to_string(),
    }
}

fn assert_refused<T: DeserializeOwned>(text: &str, reason: &str) {
    let error = refused::<T>(text);
    assert!(error.contains(reason), "{text}: {error}");
}

fn grid(width: i64, height: i64, cells: &str) -> String {
    format!(r#"{{"width":{width},"height":{height},"cells":{cells}}}"#)
}

#[test]
fn a_serialized_grid_with_inconsistent_fields_is_refused() {
    let rows = |width, height, rows: &str| grid(width, height, &format!(r#"{{"rows":"{rows}"}}"#));
    let (max, most) = (i64::from(u32::MAX), 1 << 31);
    for (text, reason) in [
        (rows(0, 4, ""), "at least one row"),
        (rows(4, 0, ""), "at least one row"),
        (rows(-1, 1, "00"), "invalid value"),
        (rows(max + 1, 1, "00"), "invalid value"),
        (rows(max, max, "00"), "over the limit"),
        (rows(most + 1, 1, "00"), "over the limit"),
        // A text of 100 bytes must not make the reader allocate half a gigabyte.
        (rows(most, 1, "00"), "has 1 bytes of rows, which needs 268435456"),
        (rows(4, 2, "01"), "needs 2"),
        (rows(4, 2, "010203"), "needs 2"),
        (rows(4, 1, "10"), "row 0 of a grid has solid cells beyond its width of 4"),
        (rows(4, 2, "0f80"), "row 1 of a grid has solid cells beyond its width of 4"),
        (rows(4, 1, "0"), "hexadecimal"),
        (rows(4, 1, "+1"), "hexadecimal"),
        (rows(4, 1, "ä"), "hexadecimal"),
        (rows(4, 1, "01").replace("rows", "columns"), "unknown variant"),
        (rows(4, 1, "01").replace("height", "depth"), "unknown field"),
        (rows(4, 1, "01").replace(r#""01""#, "[256]"), "invalid type"),
    ] {
        assert_refused::<Grid>(&text, reason);
    }
    assert!(serde_json::from_str::<Grid>(&rows(4, 1, "0f")).is_ok());
}

#[test]
fn a_serialized_sparse_grid_with_inconsistent_fields_is_refused() {
    let block = |column: u32, row: u32, bytes: &str| {
        format!(r#"{{"at":[{column},{row}],"rows":"{bytes}"}}"#)
    };
    let first = |word: &str| format!("{word}{}", "00".repeat(512 - word.len() / 2));
    let blocks = |size: [i64; 2], blocks: &[String]| {
        grid(size[0], size[1], &format!(r#"{{"blocks":[{}]}}"#, blocks.join(",")))
    };
    let one = first("01");
    for (text, reason) in [
        (blocks([0, 9], &[]), "at least one row"),
        (blocks([9, 9], &[block(0, 0, "01")]), "has not 512 bytes"),
        (blocks([9, 9], &[block(0, 0, &format!("{one}00"))]), "has not 512 bytes"),
        (blocks([9, 9], &[block(0, 0, &first(""))]), "has no solid cell"),
        (blocks([9, 9], &[block(0, 0, &first("0004"))]), "solid cells outside the grid"),
        (blocks([9, 9], &[block(1, 0, &one)]), "solid cells outside the grid"),
        (blocks([9, 9], &[block(u32::MAX, u32::MAX, &one)]), "solid cells outside the grid"),
        (blocks([99, 99], &[block(1, 0, &one), block(0, 0, &one)]), "does not come after"),
        (blocks([99, 99], &[block(1, 0, &one), block(1, 0, &one)]), "does not come after"),
    ] {
        assert_refused::<Grid>(&text, reason);
    }
    // The block limit is for grids that grow. A file may have more blocks, because each takes bytes in the
    // file.
    let many: Vec<String> = (0..=1 << 16).map(|column| block(column, 0, &one)).collect();
    let mut grid: Grid = serde_json::from_str(&blocks([1 << 30, 1], &many)).unwrap();
    assert_eq!((grid.solid_count(), grid.block_limit()), ((1 << 16) + 1, Some((1 << 16) + 1)));
    assert!(grid.set(1 << 29, 0, true).is_err(), "it is full");
}

#[test]
fn a_faulty_saved_terrain_or_level_is_refused() {
    let level = json(&tiles("#.\n..", 8).with_area("a", tiles("#", 3).terrain().clone()));
    let change = |from: &str, to: &str| {
        assert!(level.contains(from), "{level}");
        level.replace(from, to)
    };
    for side in ["[0,8]", "[8,0]", "[65537,1]"] {
        let text = change(r#""cell_size":[8,8]"#, &format!(r#""cell_size":{side}"#));
        assert_refused::<Level>(&text, "is not between 1 and 65536 px");
    }
    let small = grid(1, 1, r#"{"rows":"00"}"#);
    let guards = format!(
        r#""one_way":{{"left":{small},"right":{small},"up":{small},"down":{small}}}}},"areas""#
    );
    let text = change(r#""one_way":null},"areas""#, &guards);
    assert_refused::<Level>(&text, "1 x 1 cells does not go with one of 2 x 2");
    let terrain = json(tiles("#", 3).terrain());
    let area = format!(r#"{{"name":"a","terrain":{terrain},"category":5}}"#);
    let text = change(r#""areas":["#, &format!(r#""areas":[{area},"#));
    assert_refused::<Level>(&text, "two areas of a level are named `a`");
    assert_refused::<Level>(&change("origin", "origins"), "unknown field");
    let wide = format!(
        r#"{{"grid":{},"cell_size":[65536,1],"outside":{{"left":"open","right":"open",
        "up":"open","down":"solid"}},"one_way":null}}"#,
        grid(65_536, 1, &format!(r#"{{"rows":"{}"}}"#, "00".repeat(8_192)))
    );
    assert_refused::<Terrain>(&wide, "are more than 4294967295 px wide or high");
}

#[test]
fn a_saved_world_with_inconsistent_lists_is_refused() {
    let id = |slot: u32| json!({"slot": slot, "generation": 0});
    let meeting = |slot: u32| json!({"watcher": id(0), "body": id(slot), "side": null});
    let sensor = serde_json::to_value(bitwall::world::Body::sensor(Aabb::default())).unwrap();
    let body = json!({"generation": 0, "body": sensor});
    let gone = json!({"generation": 1, "body": null});
    let piece: Value = serde_json::from_str(&json(&tiles("#", 3))).unwrap();
    let buried = json!({"generation": 1, "body": null, "piece": piece});
    let good = json!({
        "rate": 60,
        "slots": [body, gone, body],
        "free": [1],
        "meetings": [meeting(1), meeting(2)],
        "events": [{"end": meeting(1)}],
    });
    let world: World = serde_json::from_value(good.clone()).unwrap();
    assert_eq!(world.len(), 2);
    for (field, value, reason) in [
        ("free", json!([]), "has no body, but is not listed as free"),
        ("free", json!([1, 1]), "listed as free, but has a body"),
        ("free", json!([0]), "listed as free, but has a body"),
        ("free", json!([3]), "listed as free, but has a body or is none"),
        ("free", json!([-1]), "invalid value"),
        ("slots", json!([body, buried, body]), "has a piece of level or a footprint, but no body"),
        ("meetings", json!([meeting(2), meeting(1)]), "not sorted"),
        ("meetings", json!([meeting(1), meeting(1)]), "not sorted"),
        ("meetings", json!([meeting(3)]), "has never been in it"),
        ("events", json!([{"crushed": {"body": id(9), "by": id(0)}}]), "has never been in it"),
        ("events", json!([{"crushed": {"body": id(0), "by": id(9)}}]), "has never been in it"),
        ("rate", json!(0), "invalid value"),
        ("sleep", json!([]), "unknown field"),
    ] {
        let mut bad = good.clone();
        bad[field] = value;
        assert_refused::<World>(&bad.to_string(), reason);
    }
}

#[test]
fn missing_settings_have_defaults_and_unknown_variants_are_refused() {
    let settings: MoverSettings = serde_json::from_str(r#"{"step_height":9}"#).unwrap();
    assert_eq!(settings, MoverSettings { step_height: 9, ..MoverSettings::PLAIN });
    assert_refused::<Aabb>(r#"{"min":[0,0]}"#, "missing field `max`");
    assert_refused::<Aabb>(r#"{"min":[0,0],"max":[0,2147483648]}"#, "invalid value");
    assert_refused::<Dir>(r#""Left""#, "unknown variant");
}

#[test]
fn property_values_nested_over_64_deep_are_refused() {
    let nested = |depth: usize| {
        let list = |inner, _| PropertyValue::List(vec![inner]);
        (0..depth).fold(PropertyValue::Bool(true), list)
    };
    let deep = nested(64);
    assert_eq!(postcard::from_bytes::<PropertyValue>(&binary(&deep)).unwrap(), deep);
    // One level deeper is refused, and so is the deepest nesting that a small file can hold: each level takes
    // one byte for the kind and one for the length.
    assert!(postcard::from_bytes::<PropertyValue>(&binary(&nested(65))).is_err());
    assert_eq!(binary(&nested(1)), [6, 1, 0, 1]);
    assert!(postcard::from_bytes::<PropertyValue>(&[6, 1].repeat(1 << 20)).is_err());
    // The depth is counted from 0 again after an error.
    assert_eq!(postcard::from_bytes::<PropertyValue>(&binary(&deep)).unwrap(), deep);
    assert!(serde_json::from_str::<PropertyValue>(&r#"{"list":["#.repeat(1 << 16)).is_err());
}

/// Changes one value of a document at random.
fn mutate(value: &mut Value, random: &mut Rng) {
    let mut at = value;
    loop {
        let is_empty = match &*at {
            Value::Array(items) => items.is_empty(),
            Value::Object(fields) => fields.is_empty(),
            _ => true,
        };
        if is_empty || random.u8(0..30) == 0 {
            break;
        }
        at = match at {
            Value::Array(items) => {
                let index = random.usize(0..items.len());
                &mut items[index]
            }
            Value::Object(fields) => {
                let index = random.usize(0..fields.len());
                fields.values_mut().nth(index).unwrap()
            }
            _ => unreachable!("it is not empty"),
        };
    }
    *at = match at {
        Value::Number(_) => {
            let numbers = [0, 1, -1, 2, 3, 255, 4_096, 65_536, 1 << 22, 1 << 31, u32::MAX.into()];
            let more = [i32::MIN.into(), i32::MAX.into(), i64::MIN, i64::MAX, 536_870_913];
            let all = [&numbers[..], &more[..]].concat();
            json!(all[random.usize(0..all.len())])
        }
        Value::Bool(is) => json!(!*is),
        Value::Array(items) if !items.is_empty() => {
            let mut items = items.clone();
            let index = random.usize(0..items.len());
            match random.u8(0..3) {
                0 => drop(items.remove(index)),
                1 => items.insert(index, items[index].clone()),
                _ => items.reverse(),
            }
            Value::Array(items)
        }
        Value::String(text) => json!(text.chars().rev().collect::<String>()),
        _ => Value::Null,
    };
}

/// Returns a value that is read from `text` after a few random changes. `None` if the changed text is
/// refused.
fn changed<T: DeserializeOwned>(text: &str, random: &mut Rng) -> Option<T> {
    let mut value: Value = serde_json::from_str(text).unwrap();
    for _ in 0..random.u8(1..4) {
        mutate(&mut value, random);
    }
    serde_json::from_value(value).ok()
}

/// Returns a value that is read from `bytes` after a few random changes. `None` if the changed bytes are
/// refused.
fn changed_bytes<T: DeserializeOwned>(bytes: &[u8], random: &mut Rng) -> Option<T> {
    let mut bytes = bytes.to_vec();
    for _ in 0..random.u8(1..6) {
        let at = random.usize(0..bytes.len());
        match random.u8(0..4) {
            0 => bytes[at] = random.u8(..),
            1 => bytes[at] ^= 1 << random.u8(0..8),
            2 => drop(bytes.remove(at)),
            _ => bytes.insert(at, random.u8(..)),
        }
    }
    postcard::from_bytes(&bytes).ok()
}

fn use_level(level: &Level, random: &mut Rng) {
    let size = level.size().as_i64vec2();
    let place = |random: &mut Rng, size: i64| random.i64(-20..size + 20).clamp(-99, 9_999) as i32;
    for _ in 0..10 {
        let (x, y) = (place(random, size.x), place(random, size.y));
        let body = Aabb::from_xywh(x, y, random.i32(0..30), random.i32(0..30));
        let dir = Dir::ALL[random.usize(0..4)];
        let sweep = level.sweep(body, dir, random.u32(0..2_000));
        assert!(level.can_move(body, dir, sweep.moved));
        assert!(level.areas().iter().filter(|area| area.terrain.overlaps(body)).count() < 99);
        let mut mover = Mover::new(body, MoverSettings::platformer());
        let step = mover.step(level, Vec2::new(7.3, 20.1)).unwrap();
        step.entered(level).for_each(drop);
    }
    let _ = level.clone().fill(0..3, 0..3, true);
}

#[test]
fn a_randomly_changed_save_of_a_world_is_refused_or_usable() {
    let level = tiles("..........\n....#.....\n##########", 24);
    let (text, bytes) = (json(&busy_world()), binary(&busy_world()));
    let random = &mut Rng::with_seed(3);
    let mut read = 0;
    for _ in 0..rounds(30_000) {
        let world: Option<World> = match random.bool() {
            true => changed(&text, random),
            false => changed_bytes(&bytes, random),
        };
        if let Some(mut world) = world {
            for _ in 0..3 {
                world.step(&level);
            }
            world.pairs();
            let ids: Vec<_> = world.iter().map(|(id, _)| id).collect();
            let moved = ids.iter().filter_map(|id| world.unstick(&level, *id, 9));
            assert!(moved.count() <= ids.len());
            ids.iter().for_each(|id| assert!(world.remove(*id).is_some()));
            world.step(&level);
            read += 1;
        }
    }
    assert!(read > rounds(3_000), "{read} worlds were read");
}

/// Replaces about a quarter of the numbers in a document, most of them by extreme numbers.
fn exaggerate(value: &mut Value, random: &mut Rng) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| exaggerate(item, random)),
        Value::Object(fields) => fields.values_mut().for_each(|field| exaggerate(field, random)),
        Value::Number(number) if random.u8(0..4) == 0 => {
            let (of_i64, of_u32) = ([i64::MAX, i64::MIN, 1 << 38], [u32::MAX.into(), 1 << 22]);
            let of_i32 = [i32::MAX.into(), i32::MIN.into(), -(1 << 22)];
            let all = [&of_i64[..], &of_u32[..], &of_i32[..], &[99, 255, 65_535, -9][..]].concat();
            *number = all[random.usize(0..all.len())].into();
        }
        _ => {}
    }
}

/// In an earlier version, a step of a saved world with a few extreme numbers did not end.
#[test]
fn a_step_of_a_loaded_world_with_extreme_numbers_is_fast() {
    // An uneven floor, and a one-way cell above it in each column, at heights that a mover can step onto.
    let (mut ground, mut ledges) =
        (Grid::new(1 << 14, 64).unwrap(), Grid::new(1 << 14, 64).unwrap());
    for column in 0..1 << 14 {
        ground.fill(column..column + 1, 58 - column / 99 % 2..64, true).unwrap();
        let row = 56 - column * 7 % 4;
        ledges.fill(column..column + 1, row..row + 1, true).unwrap();
    }
    let level = Level::from_grid(ground, UVec2::ONE).unwrap();
    let level = level.with_one_way(Dir::Up, ledges).unwrap();
    let text = json(&busy_world());
    let random = &mut Rng::with_seed(5);
    let (mut read, mut moved) = (0, 0);
    for _ in 0..rounds(4_000) {
        let mut value: Value = serde_json::from_str(&text).unwrap();
        for slot in value["slots"].as_array_mut().unwrap() {
            // Only some bodies are changed, and one field of each, so that most files can still be read.
            let body = slot["body"].as_object_mut().filter(|_| random.bool());
            let count = body.as_ref().map_or(1, |body| body.len());
            let at = random.usize(0..count);
            body.and_then(|body| body.values_mut().nth(at))
                .into_iter()
                .for_each(|field| exaggerate(field, random));
        }
        let Ok(mut world) = serde_json::from_value::<World>(value) else { continue };
        read += 1;
        for _ in 0..3 {
            let (before, start) = (world.clone(), Stopwatch::start());
            world.step(&level);
            let taken = start.elapsed();
            assert!(taken < Duration::from_secs(3), "{taken:?} for {}", json(&before));
            moved += usize::from(world != before);
        }
    }
    assert!(read > rounds(1_000) && moved > read, "{read} worlds were read, {moved} moved");
}

#[test]
fn a_randomly_changed_save_of_a_level_is_refused_or_usable() {
    let levels: Vec<(String, Vec<u8>)> = all_levels()
        .iter()
        .filter(|loaded| loaded.level.grid().cell_count() < 20_000)
        .map(|loaded| (json(&loaded.level), binary(&loaded.level)))
        .collect();
    let random = &mut Rng::with_seed(4);
    let mut read = 0;
    for _ in 0..rounds(10_000) {
        let (text, bytes) = &levels[random.usize(0..levels.len())];
        let level: Option<Level> = match random.bool() {
            true => changed(text, random),
            false => changed_bytes(bytes, random),
        };
        if let Some(level) = level {
            use_level(&level, random);
            read += 1;
        }
    }
    assert!(read > rounds(1_000), "{read} levels were read");
}

#[test]
fn a_randomly_changed_save_of_a_move_or_marker_is_refused_or_usable() {
    let level = tiles("....\n...#\n####", 16);
    let mut mover = Mover::new(Aabb::from_xywh(3, 3, 9, 9), MoverSettings::platformer());
    let step = mover.step(&level, Vec2::new(60.0, 90.0)).unwrap();
    let markers: Vec<Marker> =
        all_levels().iter().flat_map(|loaded| loaded.level.markers().to_vec()).collect();
    let random = &mut Rng::with_seed(6);
    for _ in 0..rounds(20_000) {
        if let Some(step) = changed::<Move>(&json(&step), random) {
            step.velocity(Vec2::splat(3.0));
            let _ = (step.landed(), step.entered(&level).count());
        }
        if let Some(changed) = changed_bytes::<Move>(&binary(&step), random) {
            changed.velocity_subpixels(bitwall::glam::I64Vec2::new(900, -900));
        }
        if let Some(markers) = changed::<Vec<Marker>>(&json(&markers), random) {
            let level = level.clone().with_markers(markers);
            let _ = render::draw(&level, &render::DrawOptions::default());
        }
    }
    let bounds = UVec2::new(4, 3) * 16;
    assert_eq!(level.size(), bounds);
}
