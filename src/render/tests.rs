use std::path::PathBuf;
use std::sync::Arc;

use glam::{IVec2, UVec2};
use image::{Rgba, RgbaImage};

use super::*;
use crate::Level;
use crate::geometry::{Aabb, Outside};
use crate::grid::Grid;
use crate::tmx::{
    CellBlock, Image, ImageLayer, Layer, LayerContent, Map, Orientation, PlacedMap, TileLayer,
};

fn isometric(is_infinite: bool, layers: Vec<Layer>) -> PlacedMap {
    let map = Map {
        orientation: Orientation::Isometric,
        size: UVec2::splat(4),
        tile_size: UVec2::new(8, 4),
        is_infinite,
        layers,
        ..Map::default()
    };
    PlacedMap {
        cells: map.size,
        map: Arc::new(map),
        file: None,
        area: Aabb::from_xywh(0, 0, 16, 16),
        place: IVec2::ZERO,
        first_cell: IVec2::ZERO,
        on_screen: None,
        tile_counts: Vec::new(),
    }
}

/// Draws an isometric map with a red pixel as an image layer at the origin. Returns the position of the red
/// pixel, and the size of the picture.
fn origin(is_infinite: bool) -> (Option<(u32, u32)>, (u32, u32)) {
    let cell = CellBlock { origin: IVec2::ZERO, size: UVec2::ONE, cells: vec![1] };
    let path = PathBuf::from("red.png");
    let image = Image { path: path.clone(), ..Image::default() };
    let image = ImageLayer { image: Some(image), ..ImageLayer::default() };
    let tiles = LayerContent::Tiles(TileLayer { blocks: vec![cell] });
    let layers = vec![Layer::new("T", tiles), Layer::new("I", LayerContent::Image(image))];
    let map = isometric(is_infinite, layers);
    let red = RgbaImage::from_pixel(1, 1, Rgba([255, 0, 0, 255]));
    let pictures = Pictures::from([(path, Some(red))]);
    let options = DrawOptions {
        pictures: Some(&pictures),
        overlay: Overlay::none(1),
        ..DrawOptions::default()
    };
    let level =
        Level::from_grid(Grid::new(4, 4).expect("a grid"), UVec2::ONE).expect("it is small");
    let drawn = draw((&level, &[map][..]), &options).expect("it is small");
    let mut pixels = drawn.enumerate_pixels();
    let found = pixels.find(|(_, _, pixel)| pixel.0 == [255, 0, 0, 255]);
    (found.map(|(x, y, _)| (x, y)), drawn.dimensions())
}

/// The stated height of 4 cells moves the tiles by 16 px to the right, but not the image layer.
#[test]
fn the_stated_map_height_moves_isometric_tiles_but_not_image_layers() {
    for is_infinite in [false, true] {
        assert_eq!(origin(is_infinite), (Some((0, 0)), (32, 16)));
    }
}

#[test]
fn a_level_in_the_own_space_of_an_isometric_map_is_drawn_as_diamonds() {
    let grid = Grid::from_text("....\n.#..\n....\n....").expect("a grid");
    let level = Level::from_grid(grid, UVec2::splat(4)).expect("it is small");
    let level = level.with_outside(Outside::Open);
    let map = isometric(false, Vec::new());
    let drawn = draw((&level, &[map][..]), &DrawOptions::default()).expect("it is small");
    assert_eq!(drawn.dimensions(), (32, 16));
    let is_solid = |x: u32, y: u32| {
        let [_, green, blue, _] = drawn.get_pixel(x, y).0;
        green < 220 && blue < 220
    };
    // The diamond of cell (1, 1) has its middle at (16, 6), and is 8 px wide and 4 px high.
    assert!(is_solid(16, 6) && is_solid(14, 6) && is_solid(16, 5));
    assert!(!is_solid(13, 4) && !is_solid(19, 4) && !is_solid(16, 9));
}

#[test]
fn two_areas_on_one_cell_are_both_visible_in_their_own_colours() {
    let level = |text| {
        let grid = Grid::from_text(text).expect("a grid");
        Level::from_grid(grid, UVec2::splat(16)).expect("it is small")
    };
    let area = |text| level(text).terrain().clone();
    let level = level(".....#")
        .with_outside(Outside::Open)
        .with_solid_area("glass", area(".#...."), 2)
        .with_area("water", area("..##.."))
        .with_area("wind", area("...##."));
    let options = DrawOptions { overlay: Overlay::new(4), ..DrawOptions::default() };
    let drawn = draw(&level, &options).expect("it is small");
    let colors = |column: u32| -> std::collections::BTreeSet<[u8; 4]> {
        let cell = (0..64).flat_map(|y| (0..64).map(move |x| (column * 64 + x, y)));
        let inside = cell.filter(|(x, y)| (8..56).contains(&(x % 64)) && (8..56).contains(y));
        inside.map(|(x, y)| drawn.get_pixel(x, y).0).collect()
    };
    let found = [0, 1, 2, 3, 4, 5].map(colors);
    assert_eq!(found[0].len(), 1, "paper");
    for (index, one) in found.iter().enumerate() {
        for other in &found[..index] {
            assert_ne!(one, other);
        }
    }
    // The cell shows both tints, both hatchings, and pixels where one hatching crosses the other.
    assert!(found[3].len() > found[2].len().max(found[4].len()));
}
