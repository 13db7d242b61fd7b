use bitwall::tmx::{CellBlock, Layer, Map, ObjectLayer};

use super::*;
use crate::suggest::maps::{MAX_CENSUS, MAX_KINDS, TileKinds};

/// Returns a tile layer of blocks, each with its column and row, the number of its columns, and its cells.
fn layer(blocks: &[([i32; 2], u32, &[u32])]) -> TileLayer {
    let block = |([x, y], width, cells): &([i32; 2], u32, &[u32])| CellBlock {
        origin: IVec2::new(*x, *y),
        size: UVec2::new(*width, cells.len() as u32 / width),
        cells: cells.to_vec(),
    };
    TileLayer { blocks: blocks.iter().map(block).collect() }
}

fn kinds_of(cells: &[u32], room: usize) -> (Vec<(u32, u64)>, u64, u64) {
    let kinds = TileKinds::count(&layer(&[([0, 0], 1, cells)]), room);
    let mut counts: Vec<(u32, u64)> =
        kinds.counts.iter().map(|(gid, count)| (*gid, *count)).collect();
    counts.sort_unstable();
    (counts, kinds.others, kinds.total())
}

#[test]
fn tiles_beyond_the_room_for_kinds_are_counted_together() {
    let cells = [0, 7, 7, 0, 7 | flip::ALL, 3, 3, 9, 7, 9, 9, 0, 4];
    assert_eq!(kinds_of(&cells, 9), (vec![(3, 2), (4, 1), (7, 4), (9, 3)], 0, 10));
    assert_eq!(kinds_of(&cells, 2), (vec![(3, 2), (7, 4)], 4, 10));
    assert_eq!(kinds_of(&cells, 0), (vec![], 10, 10));
    assert_eq!(kinds_of(&[], 9), (vec![], 0, 0));
    assert_eq!(kinds_of(&[5, 5], 1), (vec![(5, 2)], 0, 2));
}

/// Returns how many of so many different classes of objects a census counts.
fn counted_classes(classes: usize) -> usize {
    let object = |at: usize| Object { class: format!("n{}", at / 2), ..Object::default() };
    let objects = (0..2 * classes).map(object).collect();
    let content = LayerContent::Objects(ObjectLayer { objects, ..ObjectLayer::default() });
    let layers = vec![Layer::new("o", content)];
    let map = Map { layers, ..Map::default() };
    let words = Census::new(&map).words;
    words.len() - 1
}

#[test]
fn words_are_left_out_if_a_map_has_more_than_the_limit() {
    assert_eq!(counted_classes(MAX_CENSUS), MAX_CENSUS);
    assert_eq!(counted_classes(MAX_CENSUS + 1), MAX_CENSUS);
}

#[test]
fn the_room_for_kinds_is_that_of_a_map_and_not_of_each_layer() {
    let kinds = MAX_KINDS as u32;
    let tiles = |gids: std::ops::Range<u32>| {
        let cells: Vec<u32> = gids.collect();
        Layer::new("a", LayerContent::Tiles(layer(&[([0, 0], 1, &cells)])))
    };
    let layers = vec![tiles(1..kinds - 9), tiles(1..21), tiles(1..2)];
    let map = Map { layers, ..Map::default() };
    let census = Census::new(&map);
    let counts: Vec<(usize, u64)> =
        census.layers.iter().map(|layer| (layer.kinds.counts.len(), layer.items)).collect();
    assert_eq!(counts, [(MAX_KINDS - 10, u64::from(kinds) - 10), (10, 20), (0, 1)]);
}
