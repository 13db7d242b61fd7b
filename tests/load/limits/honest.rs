//! Large files that an artist or a tool could write. They are not hostile, so no limit refuses them.

use std::path::Path;

use bitwall::{LoadOptions, LoadedLevel};

/// Each map took the memory of the tileset, so 61 maps exceeded the limit of a world.
#[test]
fn maps_of_a_world_share_the_tiles_of_a_tileset_file() {
    const MAPS: u32 = 150;
    const TILES: u32 = 1_000;
    let tiles: String = (0..TILES)
        .map(|id| {
            format!(
                r#"<tile id="{id}"><properties><property name="x" type="bool" value="true"/></properties></tile>"#
            )
        })
        .collect();
    let tileset = format!(
        r#"<tileset name="t" tilewidth="16" tileheight="16" tilecount="{TILES}" columns="8">
        <image source="t.png" width="128" height="2000"/>{tiles}</tileset>"#
    );
    let listed: Vec<String> =
        (0..MAPS).map(|i| format!(r#"{{"fileName":"{i}/m.tmx","x":{},"y":0}}"#, i * 16)).collect();
    let world = format!(r#"{{"maps":[{}]}}"#, listed.join(","));
    let mut reads = 0;
    let read = |path: &Path| {
        if path.ends_with("t.tsx") {
            reads += 1;
            return Ok(tileset.clone().into_bytes());
        }
        let first = 1 + path.to_string_lossy().len();
        let map = format!(
            r#"<map width="1" height="1" tilewidth="16" tileheight="16"><tileset firstgid="{first}" source="../t.tsx"/>
            <layer name="wall" width="1" height="1"><data encoding="csv">{}</data></layer></map>"#,
            first + 3
        );
        Ok(map.into_bytes())
    };
    let loaded = LoadedLevel::decode("w.world", world.as_bytes(), read, &LoadOptions::default());
    let loaded = loaded.unwrap();
    assert_eq!((loaded.maps.len(), reads), (MAPS as usize, 1));
    let tilesets = loaded.maps.iter().map(|placed| &placed.map.tilesets[0]);
    for tileset in tilesets.clone() {
        assert_eq!((tileset.tiles.len(), &*tileset.source), (TILES as usize, "../t.tsx"));
    }
    // The file is shared, but each map gives its tiles their own numbers.
    let numbers: Vec<u32> = tilesets.map(|tileset| tileset.first_gid).collect();
    assert_eq!((numbers[0], numbers[10], numbers[100]), (8, 9, 10));
}
