//! Levels of tiles converted to levels of pixels: they keep the other loaded data, and the reason why a cell
//! is solid.

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Dir, LoadOptions, LoadedLevel};

use crate::support::places;

const MAP: &str = r#"<map orientation="orthogonal" width="4" height="3" tilewidth="16" tileheight="8">
<tileset firstgid="1" name="t" tilewidth="16" tileheight="8" tilecount="3" columns="3">
<image source="t.png" width="48" height="8"/>
<tile id="0"><properties><property name="solid" type="bool" value="true"/></properties></tile>
<tile id="1"><properties><property name="one_way" value="up"/></properties></tile>
</tileset>
<layer id="1" name="ground" width="4" height="3">
<data encoding="csv">0,0,0,1,2,2,0,1,1,1,1,1</data></layer>
<objectgroup id="2" name="water"><object id="1" x="16" y="0" width="20" height="8"/></objectgroup>
<objectgroup id="3" name="spots"><object id="2" name="start" x="8" y="4"><point/></object></objectgroup>
</map>"#;

#[test]
fn a_loaded_level_converted_to_pixels_keeps_solids_areas_markers_and_reasons() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.tmx");
    std::fs::write(&path, MAP).unwrap();
    let mut loaded = LoadedLevel::load(&path, &LoadOptions::default()).unwrap();
    let tiles = loaded.level.clone();
    assert_eq!(tiles.cell_size(), UVec2::new(16, 8));
    let all = |size: UVec2| places(size.as_ivec2());
    let by_tile: Vec<_> = all(tiles.grid().size()).map(|cell| loaded.provenance(cell)).collect();
    assert!(by_tile.iter().flatten().count() >= 8, "{by_tile:?}");

    loaded.level = loaded.level.into_pixels().unwrap();
    let pixels = &loaded.level;
    assert_eq!((pixels.cell_size(), pixels.size()), (UVec2::ONE, tiles.size()));
    assert_eq!((pixels.origin(), pixels.markers()), (tiles.origin(), tiles.markers()));
    assert_eq!(pixels.outside(), tiles.outside());
    let names = |level: &bitwall::Level| -> Vec<String> {
        level.areas().iter().map(|area| area.name.clone()).collect()
    };
    assert_eq!(names(pixels), names(&tiles));
    for area in tiles.areas() {
        let in_pixels = pixels.area(&area.name).unwrap();
        let has = |at| in_pixels.is_solid(at) == area.terrain.is_solid(at);
        assert!(all(tiles.size()).all(has), "{}", area.name);
        assert_eq!(pixels.area_category(&area.name), Some(area.category));
    }
    for at in all(tiles.size()) {
        let tile = tiles.cell_at(at);
        let because = by_tile[(tile.y * 4 + tile.x) as usize].as_ref();
        let body = Aabb::from_xywh(at.x, at.y, 1, 1);
        let holds = !pixels.can_move(body.translated(IVec2::NEG_Y), Dir::Down, 1);
        if pixels.is_solid(at) {
            assert_eq!(loaded.provenance(at).as_ref(), because);
        } else if holds {
            assert_eq!(at.y % 8, 0, "only the guarded edge of a tile holds");
            assert_eq!(loaded.provenance(at).as_ref(), because);
        } else {
            assert_eq!(loaded.provenance(at), None);
        }
    }
}
