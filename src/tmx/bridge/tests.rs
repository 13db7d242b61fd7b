//! Tests the conversion of maps that crate `tiled` reads from memory.

use std::io::Cursor;
use std::path::Path;

use glam::IVec2;

use super::*;
use crate::limits::Limits;
use crate::property::PropertyValue;
use crate::tmx::{Decimal, Shape, flip};

fn read(files: &'static [(&'static str, &'static str)]) -> tiled::Map {
    let reader = move |path: &Path| -> std::io::Result<_> {
        let file = files.iter().find(|(name, _)| Path::new(name) == path);
        let (_, text) = file.ok_or(std::io::ErrorKind::NotFound)?;
        Ok(Cursor::new(*text))
    };
    let mut loader =
        tiled::Loader::with_cache_and_reader(tiled::DefaultResourceCache::new(), reader);
    loader.load_tmx_map("map.tmx").unwrap()
}

fn bridged(files: &'static [(&'static str, &'static str)]) -> Map {
    Map::from(&read(files))
}

fn cells(map: &Map) -> Vec<(IVec2, UVec2, Vec<u32>)> {
    let LayerContent::Tiles(tiles) = &map.layers[0].content else { panic!("no tile layer") };
    let blocks = tiles.blocks.iter();
    blocks.map(|block| (block.origin, block.size, block.cells.clone())).collect()
}

/// Returns the lines of a document as debug text, without the data that `tiled` does not keep.
fn plain(map: &Map) -> Vec<String> {
    let lost = ["line: ", "source: "];
    let text = format!("{map:#?}");
    let lines = text.lines().map(str::trim_start);
    let kept = lines.filter(|line| !lost.iter().any(|lost| line.starts_with(lost)));
    kept.map(str::to_owned).collect()
}

#[test]
fn the_bundled_maps_convert_from_crate_tiled_to_the_documents_of_our_reader() {
    let mut compared = 0;
    for name in ["bricks", "cave", "hills", "platforms", "town"] {
        let path = Path::new("assets").join(name).with_extension("tmx");
        let bytes = std::fs::read(&path).unwrap();
        let read = |path: &Path| std::fs::read(path);
        let decoded = Map::decode(&path, &bytes, read, &Limits::default()).unwrap();
        // In these tests, `tiled` is built without zstd, which some of the maps use.
        let theirs = match tiled::Loader::new().load_tmx_map(&path) {
            Err(tiled::Error::InvalidEncodingFormat { .. }) => continue,
            theirs => theirs.unwrap(),
        };
        let (ours, theirs) = (plain(&decoded), plain(&Map::from(&theirs)));
        let differs = ours.iter().zip(&theirs).find(|(ours, theirs)| ours != theirs);
        assert_eq!(differs, None, "{name}");
        assert_eq!(ours.len(), theirs.len());
        compared += 1;
    }
    assert!(compared >= 2, "{compared}");
}

/// Makes the files of a map of 2 x 2 cells and two tilesets. `$attributes` and `$content` are added to the
/// map.
macro_rules! map {
    ($attributes:literal, $content:literal) => {
        &[(
            "map.tmx",
            concat!(
                r#"<map version="1.10" orientation="orthogonal" width="2" height="2" tilewidth="4" tileheight="4" "#,
                $attributes,
                r#"><tileset firstgid="1" name="a" tilewidth="4" tileheight="4" tilecount="2" columns="2">
                <image source="a.png" width="8" height="4"/></tileset>
                <tileset firstgid="40" name="b" tilewidth="4" tileheight="4" tilecount="1" columns="0">
                <tile id="5"><image source="b.png" width="4" height="4"/></tile></tileset>"#,
                $content,
                "</map>"
            ),
        )]
    };
}

#[test]
fn converted_tilesets_are_numbered_without_gaps_and_cells_keep_their_tiles() {
    let map = bridged(map!(
        "",
        r#"<layer width="2" height="2"><data encoding="csv">2147483650,0,45,536870913</data></layer>"#
    ));
    assert_eq!(map.tilesets.iter().map(|tileset| tileset.first_gid).collect::<Vec<_>>(), [1, 3]);
    let expected = vec![2 | flip::HORIZONTAL, 0, 8, 1 | flip::DIAGONAL];
    assert_eq!(cells(&map), [(IVec2::ZERO, UVec2::new(2, 2), expected)]);
    assert!(map.tilesets[0].tiles.is_empty(), "the file lists no tile");
    assert_eq!(map.tilesets[1].tiles.len(), 1);
}

#[test]
fn a_tile_id_beyond_its_tileset_does_not_become_another_tile() {
    let map = bridged(map!(
        "",
        r#"<layer width="2" height="2"><data encoding="csv">12,39,40,2</data></layer>"#
    ));
    let none = !flip::ALL | flip::ROTATED;
    let expected = vec![none, none, 3, 2];
    assert_eq!(map.tilesets[1].first_gid, 3);
    assert_eq!(cells(&map), [(IVec2::ZERO, UVec2::new(2, 2), expected)]);
}

#[test]
fn a_converted_layer_with_too_few_cells_keeps_the_existing_cells() {
    let map = bridged(map!(
        "",
        r#"<layer width="2" height="2"><data encoding="csv">1,2,1</data></layer>"#
    ));
    assert_eq!(
        cells(&map),
        [
            (IVec2::ZERO, UVec2::new(2, 1), vec![1, 2]),
            (IVec2::new(0, 1), UVec2::new(1, 1), vec![1]),
        ]
    );
    let map = bridged(map!(
        "",
        r#"<layer width="4294967295" height="2147483647"><data encoding="csv">1</data></layer>"#
    ));
    assert!(cells(&map).is_empty());
}

#[test]
fn converted_chunks_are_sorted_by_row_and_then_column() {
    let map = bridged(map!(
        r#"infinite="1""#,
        r#"<layer width="2" height="2"><data encoding="csv"><chunk x="16" y="0" width="1" height="1">1</chunk>
        <chunk x="-1" y="0" width="2" height="1">2,1</chunk><chunk x="0" y="-1" width="1" height="1">2</chunk></data></layer>"#
    ));
    let blocks = cells(&map);
    let origins: Vec<[i32; 2]> = blocks.iter().map(|(origin, ..)| origin.to_array()).collect();
    assert_eq!(origins, [[0, -16], [-16, 0], [0, 0], [16, 0]]);
    assert_eq!(blocks[0].2[240], 2);
    assert_eq!((blocks[1].2[15], blocks[2].2[0], blocks[3].2[0]), (2, 1, 1));
}

#[test]
fn converted_objects_keep_their_decimals_and_values_from_templates() {
    let map = bridged(&[
        (
            "map.tmx",
            r#"<map version="1.10" orientation="hexagonal" staggeraxis="x" hexsidelength="6" width="1" height="1" tilewidth="4" tileheight="4">
            <objectgroup name="things" draworder="index" offsetx="0.1" class="C"><properties>
                <property name="c" type="class" propertytype="K"><properties><property name="n" type="int" value="3"/></properties></property></properties>
            <object id="3" x="10.3" y="-0.000001" width="1e30" height="-2" rotation="NaN"/>
            <object id="4" template="t/t.tx" x="1" y="2"/>
            <object id="5"><polygon points="0,0 4.2,0 0,1"/></object></objectgroup></map>"#,
        ),
        (
            "t/t.tx",
            r#"<template><tileset firstgid="1" source="t.tsx"/><object name="crate" gid="1073741826" width="4" height="4"/></template>"#,
        ),
        (
            "t/t.tsx",
            r#"<tileset name="t" tilewidth="4" tileheight="4" tilecount="2" columns="2"><image source="t.png" width="8" height="4"/>
            <tile id="1" type="Wall"><objectgroup><object x="0.5" width="2" height="2"><ellipse/></object></objectgroup></tile></tileset>"#,
        ),
    ]);
    let side = 6;
    let (axis, index) = (StaggerAxis::X, StaggerIndex::Odd);
    assert_eq!(map.orientation, Orientation::Hexagonal { axis, index, side });
    let layer = &map.layers[0];
    assert_eq!(layer.offset.x, Decimal::from_millionths(100_000));
    let class = &layer.properties["c"];
    assert_eq!(class.type_name, "K");
    assert!(
        matches!(&class.value, PropertyValue::Class { members, .. } if members["n"] == PropertyValue::Int(3))
    );
    let LayerContent::Objects(layer) = &layer.content else { panic!("no objects") };
    assert!(layer.draws_in_file_order);
    let [plain, instance, polygon] = &*layer.objects else { panic!("not three objects") };
    assert_eq!(plain.position.x.millionths(), 10_300_000);
    assert_eq!(plain.position.y.millionths(), -1);
    assert_eq!(plain.size, bridged_point(4_194_304.0, 0.0));
    assert_eq!(plain.rotation, Decimal::ZERO);
    assert_eq!(instance.name, "crate");
    assert_eq!(instance.gid, Some(2 | flip::VERTICAL));
    assert_eq!(
        polygon.shape,
        Shape::Polygon(vec![
            bridged_point(0.0, 0.0),
            bridged_point(4.2, 0.0),
            bridged_point(0.0, 1.0)
        ])
    );
    let [tileset] = &*map.tilesets else { panic!("not one tileset") };
    assert_eq!((tileset.first_gid, &*tileset.name), (1, "t"));
    assert_eq!(tileset.file.as_deref(), Some(Path::new("t/t.tsx")));
    let wall = &tileset.tiles[&1];
    assert_eq!((&*wall.class, &wall.shapes[0].shape), ("Wall", &Shape::Ellipse));
    assert_eq!(tileset.tiles.len(), 1);
}
