//! Maps in JSON and worlds give the same level as XML files, and no file outside the root is read.

use std::fs;
use std::path::Path;

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Level, LoadOptions, LoadedLevel, error::LoadErrorKind, load::Source};

use crate::support::{folder, places, shared, tile_at};

const TILES: &str = r#"{"name":"t","tilewidth":8,"tileheight":4,"tilecount":4,"columns":2,"image":"t.png",
    "imagewidth":16,"imageheight":8,"tiles":[{"id":1,"properties":[{"name":"solid","type":"bool","value":true}]}]}"#;

fn map(data: &str) -> String {
    format!(
        r#"{{"type":"map","orientation":"orthogonal","infinite":false,"width":2,"height":2,"tilewidth":8,
        "tileheight":4,"tilesets":[{{"firstgid":1,"source":"t.tsj"}}],"layers":[
        {{"type":"tilelayer","name":"Ground","width":2,"height":2,"data":{data}}},
        {{"type":"objectgroup","name":"Places","objects":[{{"id":4,"name":"spawn","point":true,"x":3.5,"y":2}}]}}]}}"#
    )
}

fn refused(path: &Path) -> String {
    Level::load(path).unwrap_err().to_string()
}

#[test]
fn a_json_map_loads_as_a_level_or_fails_with_the_line_of_the_fault() {
    let folder = folder(&[
        ("a.tmj", &map("[2,1,\n0,2147483650]")),
        ("t.tsj", TILES),
        ("bad.tmj", &map("[2,1,0,9]")),
        ("short.tmj", &map("[2,1,0]")),
        ("typo.tmj", &map("[2,1,0,0]]")),
    ]);
    let level = Level::load(folder.path().join("a.tmj")).unwrap();
    assert_eq!(level.cell_size(), UVec2::new(8, 4));
    assert!(level.is_solid(IVec2::ZERO) && level.is_solid(IVec2::new(15, 7)));
    assert_eq!(level.grid().solid_count(), 2);
    assert_eq!(level.marker("spawn").unwrap().area.min, IVec2::new(3, 2));

    let error = refused(&folder.path().join("bad.tmj"));
    assert!(error.contains("layer `Ground`, col 1, row 1: tile 9 does not exist"), "{error}");
    let error = refused(&folder.path().join("short.tmj"));
    assert!(
        error.contains("3 cells for 2 x 2") && error.contains("short.tmj: line 3, byte 9"),
        "{error}"
    );
    let error = refused(&folder.path().join("typo.tmj"));
    assert!(error.contains("at line 3"), "{error}");
    fs::write(folder.path().join("t.tsj"), "{\"name\":").unwrap();
    let error = refused(&folder.path().join("a.tmj"));
    assert!(error.contains("t.tsj: EOF while parsing"), "{error}");
}

#[test]
fn the_maps_of_a_world_load_as_one_level() {
    let world = r#"{"maps":[{"fileName":"maps/a.tmj","x":-16,"y":0},{"fileName":"maps/b.tmj","x":8,"y":-4}],
        "type":"world"}"#;
    let folder = folder(&[
        ("w.world", world),
        ("maps/a.tmj", &map("[2,0,0,0]")),
        ("maps/b.tmj", &map("[0,0,0,2]")),
        ("maps/t.tsj", TILES),
    ]);
    let path = folder.path().join("w.world");
    let loaded = LoadedLevel::load(path, &LoadOptions::default()).unwrap();
    let level = &loaded.level;
    assert_eq!(level.size(), UVec2::new(40, 12));
    assert_eq!(level.cell_size(), UVec2::new(8, 4));
    assert!(level.is_solid(IVec2::new(0, 4)) && level.is_solid(IVec2::new(32, 4)));
    assert_eq!(level.grid().solid_count(), 2);
    let layers: Vec<&str> = level.markers().iter().map(|marker| &*marker.layer).collect();
    assert_eq!(layers, ["maps/a.tmj/Places", "maps/b.tmj/Places"]);
    assert_eq!(loaded.source, Source::World);
    assert_eq!(level.origin(), IVec2::new(-16, -4));
    assert_eq!(loaded.solids.len(), 1);
    assert_eq!(loaded.solids[0].tiles, 2);
}

#[test]
fn a_world_cannot_read_files_outside_its_root_folder() {
    let folder = folder(&[
        ("out.tmj", &map("[2,0,0,0]")),
        ("t.tsj", TILES),
        ("in/up.world", r#"{"maps":[{"fileName":"../out.tmj"}]}"#),
        ("in/deep.world", r#"{"maps":[{"fileName":"m/a.tmj"}]}"#),
        ("in/m/a.tmj", &map("[2,0,0,0]").replace("t.tsj", "../t.tsj")),
        ("in/m/b.tmj", &map("[2,0,0,0]").replace("t.tsj", "../../t.tsj")),
        ("in/t.tsj", TILES),
        ("in/far.world", r#"{"maps":[{"fileName":"m/b.tmj"}]}"#),
        ("in/root.world", r#"{"maps":[{"fileName":"/etc/passwd"}]}"#),
        ("in/self.world", r#"{"maps":[{"fileName":"self.world"}]}"#),
        ("in/gone.world", r#"{"maps":[{"fileName":"gone.tmx"}]}"#),
        ("in/p.world", r#"{"patterns":[{"regexp":"^q(.)(.)"}]}"#),
    ]);
    let at = |name: &str| folder.path().join("in").join(name);
    // A map may refer to files outside its own folder, but not outside the folder of the world.
    assert!(Level::load(at("deep.world")).is_ok());
    for (world, reason) in [
        ("up.world", "outside the root folder"),
        ("far.world", "outside the root folder"),
        ("root.world", "not relative to the map's folder"),
        ("self.world", "a world in a world"),
        ("gone.world", "cannot read map `gone.tmx`: no such file"),
        ("p.world", "no file beside it matches"),
    ] {
        let error = refused(&at(world));
        assert!(error.contains(reason), "{world}: {error}");
    }
    let mut options = LoadOptions::default();
    options.limits.bytes = 600;
    let error = Level::load_with(at("deep.world"), &options).unwrap_err();
    let is_of_bytes = error.to_string().contains("the limit `bytes`");
    assert!(is_of_bytes, "{error}");
    assert!(!matches!(error.kind(), LoadErrorKind::Io(_)));
}

/// Compares the same map in base64 and in compressed base64, in XML and in JSON.
#[test]
fn maps_in_xml_and_json_have_the_same_cells() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let folder = corpus.join("melonjs+melonJS/packages/examples/public/assets/tiledMapLoader/map");
    let options = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
    let load = |name: &str| LoadedLevel::load(folder.join(name), &options).unwrap();
    let (json, xml) = (load("desert.tmj"), load("desert.tmx"));
    for cell in places(IVec2::splat(40)) {
        let tile = tile_at(json.map().unwrap(), 0, cell);
        assert!(tile.is_some());
        assert_eq!(tile, tile_at(xml.map().unwrap(), 0, cell));
    }
}
