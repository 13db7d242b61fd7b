//! Tests of levels built from maps made in code, and helpers that make such maps.

mod maps;
mod reasons;
mod tiles;
mod worlds;

use std::collections::BTreeMap;

use glam::UVec2;

use super::{Warnings, *};
use crate::error::Place;
use crate::geometry::{Aabb, Dir};
use crate::geometry::{Decimal, Point};
use crate::property::PropertyValue;
use crate::rules::AreaRule;
use crate::tmx::{
    CellBlock, Image, Layer, LayerContent, Object, ObjectLayer, Property, Shape, Tile, TileLayer,
    Tileset, flip,
};

fn thousandths(value: i64) -> Decimal {
    Decimal::from_millionths(value * 1_000)
}

fn point(x: i32, y: i32) -> Point {
    Point { x: Decimal::from_pixels(x), y: Decimal::from_pixels(y) }
}

fn object([x, y, w, h]: [i32; 4], shape: Shape) -> Object {
    Object { id: 7, position: point(x, y), size: point(w, h), shape, ..Object::default() }
}

fn rectangle(place: [i32; 4]) -> Object {
    object(place, Shape::Rectangle)
}

fn flags(names: &[&str]) -> BTreeMap<String, Property> {
    let flag = |name: &&str| ((*name).to_owned(), Property::new(PropertyValue::Bool(true)));
    names.iter().map(flag).collect()
}

fn tile(names: &[&str], shapes: Vec<Object>) -> Tile {
    Tile { properties: flags(names), shapes, ..Tile::default() }
}

fn tileset(size: [u32; 2], tiles: impl IntoIterator<Item = (u32, Tile)>) -> Tileset {
    Tileset {
        first_gid: 1,
        name: "t".to_owned(),
        tile_size: size.into(),
        tile_count: Some(8),
        image: Some(Image {
            path: "t.png".into(),
            size: [8 * size[0], size[1]].into(),
            ..Image::default()
        }),
        tiles: tiles.into_iter().map(|(id, tile)| (id, tile.into())).collect(),
        ..Tileset::default()
    }
}

fn tile_layer(name: &str, width: u32, cells: &[u32]) -> Layer {
    let block = CellBlock {
        origin: IVec2::ZERO,
        size: UVec2::new(width, cells.len() as u32 / width),
        cells: cells.to_vec(),
    };
    let mut tiles = TileLayer::default();
    tiles.blocks.push(block);
    Layer::new(name, LayerContent::Tiles(tiles))
}

fn object_layer(name: &str, objects: Vec<Object>) -> Layer {
    let of_layer = ObjectLayer { objects, ..ObjectLayer::default() };
    Layer::new(name, LayerContent::Objects(of_layer))
}

fn map(size: [u32; 2], set: Tileset, layers: Vec<Layer>) -> Map {
    Map {
        size: size.into(),
        tile_size: set.tile_size,
        tilesets: vec![set],
        layers,
        ..Map::default()
    }
}

fn no_pictures(_: &std::path::Path) -> Option<UVec2> {
    None
}

fn options() -> LoadOptions {
    let mut options =
        LoadOptions { areas: vec![AreaRule::named("water")], ..LoadOptions::default() };
    options.allow_nothing_solid = true;
    options
}

/// Returns a map for [`build`]. A map of a world has the name of its `file`.
fn input(map: &Map, position: [i32; 2], file: Option<&str>) -> InputMap {
    let path = file.unwrap_or("map").into();
    let file = file.map(str::to_owned);
    InputMap { map: map.clone(), path, position: position.into(), file }
}

fn build_all(maps: &[InputMap], options: &LoadOptions) -> Result<Built, LoadError> {
    let maps = maps.iter().cloned().map(Ok).collect();
    build(Path::new("all"), maps, options, &mut Spent::default(), &mut no_pictures)
}

fn build_one(map: &Map, options: &LoadOptions) -> Result<Built, LoadError> {
    build_all(&[input(map, [0, 0], None)], options)
}

fn level(map: &Map) -> Level {
    build_one(map, &options()).unwrap().level
}

fn text(map: &Map) -> String {
    level(map).grid().to_string()
}

/// Checks that each pixel of the level that is solid or guards a side has a reason. In a level without
/// one-way cells, no other pixel may have a reason. Returns the number of pixels with a reason.
fn check_reasons(options: &LoadOptions, built: &Built) -> u32 {
    let explainers = built.maps.iter().map(|map| MapExplainer::new(map, options).unwrap());
    let mut explainers: Vec<_> = explainers.collect();
    let (level, mut explained) = (&built.level, 0);
    for row in 0..level.grid().height() {
        for column in 0..level.grid().width() {
            let pixel = level.cell_box(IVec2::new(column as i32, row as i32)).min;
            let is_guard = Dir::ALL.into_iter().any(|side| {
                let guards = level.one_way(side);
                guards.is_some_and(|guards| guards.is_solid(column, row))
            });
            let reason = explainers.iter_mut().find_map(|map| map.explain(pixel));
            if level.grid().is_solid(column, row) || is_guard {
                assert!(reason.is_some(), "{pixel}");
                explained += 1;
            } else if level.one_way(Dir::Up).is_none() {
                assert_eq!(reason, None, "{pixel}");
            }
        }
    }
    explained
}
