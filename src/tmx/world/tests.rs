//! Tests of worlds: listed maps, and maps found by patterns.

use super::*;

const FILES: [&str; 5] = ["b-2-3.tmx", "a-010--1.tmx", "a-1-x.tmx", "notes.txt", "a-1-2.tmx.bak"];

fn read(world: &str) -> Result<Vec<(String, [i32; 2])>, String> {
    let files = || Ok(FILES.map(str::to_owned).to_vec());
    let world = WorldFile::decode(world.as_bytes());
    let maps = world.and_then(|world| world.maps_among(files));
    let plain = |map: WorldMap| (map.file, map.position.to_array());
    maps.map(|maps| maps.into_iter().map(plain).collect()).map_err(|error| error.to_string())
}

fn maps(found: &[(&str, [i32; 2])]) -> Result<Vec<(String, [i32; 2])>, String> {
    Ok(found.iter().map(|(file, at)| ((*file).to_owned(), *at)).collect())
}

#[test]
fn listed_maps_of_a_world_lie_at_their_stated_positions() {
    let world = r#"{"type":"world","onlyShowAdjacentMaps":true,"maps":[
        {"fileName":"./a.tmx","x":-12.0,"y":7,"width":3,"height":4},{"fileName":"sub\\b.tmj"},
        {"fileName":"a.tmx","x":99}]}"#;
    assert_eq!(read(world), maps(&[("a.tmx", [-12, 7]), ("sub/b.tmj", [0, 0])]));
}

#[test]
fn patterns_of_a_world_compute_positions_from_numbers_in_file_names() {
    let world = r#"{"maps":[{"fileName":"b-2-3.tmx","x":5}],"patterns":[
        {"regexp":"([0-9]+)-(-?\\d+)\\.tmx$","multiplierX":100,"multiplierY":-10,"offsetX":-7,"offsetY":1},
        {"regexp":"^(a)?.*\\.(bmp)$"}]}"#;
    assert_eq!(read(world), maps(&[("b-2-3.tmx", [5, 0]), ("a-010--1.tmx", [993, 11])]));
    let default = r#"{"patterns":[{"regexp":"^b-(\\d)-(\\d)"}]}"#;
    assert_eq!(read(default), maps(&[("b-2-3.tmx", [2, 3])]));
}

#[test]
fn an_invalid_world_file_is_refused_with_the_reason() {
    for (world, reason) in [
        (r#"{}"#, "a world without maps"),
        (r#"{"maps":[{}]}"#, "without `fileName`"),
        (r#"{"maps":[{"fileName":"a","x":1.5}]}"#, "`x` of a map of a world is `1.5`"),
        (r#"{"maps":[{"fileName":"a","y":3000000000}]}"#, "not a whole number"),
        (r#"{"maps":3}"#, "`maps` of a world is not a list"),
        (r#"{"patterns":[{"regexp":"q(.)(.)"}]}"#, "no file beside it matches"),
        (r#"{"patterns":[{"regexp":"(.)"}]}"#, "captures 1 parts"),
        (r#"{"patterns":[{"regexp":"(?=a)(.)(.)"}]}"#, "look-around"),
        (r#"{"patterns":[{"regexp":"(.)(.)\\1"}]}"#, "backreferences"),
        (r#"{"patterns":[{"regexp":"(\\w{1000}){100}(.)"}]}"#, "exceeded size limit"),
        (r#"{"patterns":[{"regexp":"a-1-([a-z])(.)"}]}"#, "`x` in `a-1-x.tmx`"),
        (r#"{"patterns":[{"regexp":"b-(.)-(.)","multiplierX":2000000000}]}"#, "`2` in `b-2-3.tmx`"),
        (r#"{"patterns":[{"regexp":"b-(.)-(.)","multiplierX":0}]}"#, "a multiplier of 0"),
    ] {
        let error = read(world).unwrap_err();
        assert!(error.contains(reason), "{world}: {error}");
    }
    let many: Vec<String> = (0..1_025).map(|n| format!(r#"{{"fileName":"{n}"}}"#)).collect();
    let error = read(&format!(r#"{{"maps":[{}]}}"#, many.join(","))).unwrap_err();
    assert!(error.contains("maps in a world: 1025"), "{error}");
}

#[test]
fn a_world_made_in_code_is_checked_like_a_world_from_a_file() {
    let pattern = |regexp: &str| WorldPattern {
        regexp: regexp.to_owned(),
        multiplier: IVec2::ONE,
        offset: IVec2::ZERO,
    };
    let mut world = WorldFile::default();
    world.patterns.push(pattern("b-(.)-(.)"));
    let files = || Ok(vec!["b-1-2".to_owned(), "b-1-2".to_owned()]);
    let maps = world.maps_among(files).unwrap();
    assert_eq!(maps.len(), 1);
    world.patterns.push(pattern("(?=a)(.)(.)"));
    assert!(world.maps_among(files).is_err());
    let none = || Err(LoadErrorKind::NotAFile);
    assert!(matches!(world.maps_among(none), Err(LoadErrorKind::NotAFile)));
}
