//! Tests of what the guide says about levels: moved, large and turned pictures, groups, one-way tiles and
//! triggers.

use bitwall::glam::IVec2;
use bitwall::{Dir, Level, tmx::Space};

use crate::support::{self, even_blank, layer, map, objects, shaped, solid_pixels, tileset};

const FLAG: &str = r#"<tile id="0"><properties><property name="solid" type="bool" value="true"/></properties></tile>"#;

const L: &str = r#"name="l""#;

fn load(attributes: &str, size: [i32; 2], tile: [i32; 2], content: &str) -> Level {
    support::load(&map(attributes, size, tile, content), &even_blank())
}

/// Returns the bounding box of the solid pixels, as x, y, width and height, and the number of these pixels.
fn solids(level: &Level) -> ([i32; 4], usize) {
    let pixels: Vec<IVec2> = solid_pixels(level).collect();
    let min = pixels.iter().copied().reduce(IVec2::min).unwrap_or_default();
    let max = pixels.iter().copied().reduce(IVec2::max).unwrap_or(IVec2::NEG_ONE) + 1;
    ([min.x, min.y, max.x - min.x, max.y - min.y], pixels.len())
}

fn rectangle([x, y, w, h]: [i32; 4]) -> String {
    format!(r#"<object id="1" x="{x}" y="{y}" width="{w}" height="{h}"/>"#)
}

#[test]
fn a_tile_offset_moves_solids_as_it_moves_the_picture() {
    let moved = |tile: &str| {
        tileset([8, 8], 1, &(r#"<tileoffset x="3" y="-2"/>"#.to_owned() + tile))
            + &layer(L, [3, 3], "0,0,0,0,1,0,0,0,0")
    };
    assert_eq!(solids(&load("", [3, 3], [8, 8], &moved(FLAG))), ([11, 6, 8, 8], 64));
    let shape = shaped(&rectangle([1, 2, 4, 3]));
    assert_eq!(solids(&load("", [3, 3], [8, 8], &moved(&shape))), ([12, 8, 4, 3], 12));
}

#[test]
fn a_picture_larger_than_its_cell_is_solid_in_the_cell_or_where_its_shapes_are() {
    let large = |tile: &str| tileset([12, 20], 1, tile) + &layer(L, [3, 3], "0,0,0,0,0,0,1,0,0");
    assert_eq!(solids(&load("", [3, 3], [8, 8], &large(FLAG))), ([0, 16, 8, 8], 64));
    // The bottom-left corner of the picture is at the bottom-left corner of the cell, so its top is at y 4.
    let shape = shaped(&rectangle([0, 0, 12, 5]));
    assert_eq!(solids(&load("", [3, 3], [8, 8], &large(&shape))), ([0, 4, 12, 5], 60));
}

#[test]
fn a_layer_in_a_group_of_decoration_counts_as_decoration() {
    let in_group = |group: &str, inner: &str| {
        let walls = layer(r#"name="Walls""#, [2, 1], "1,0");
        let inner = layer(&format!(r#"name="{inner}""#), [2, 1], "0,1");
        let group = format!(r#"<group name="{group}">{inner}</group>"#);
        let content = tileset([8, 8], 1, FLAG) + &walls + &group;
        solids(&load("", [2, 1], [8, 8], &content)).1
    };
    assert_eq!(in_group("any", "l"), 128);
    assert_eq!(in_group("any", "Background"), 64);
    assert_eq!(in_group("Background", "l"), 64);
    assert_eq!(in_group("Background", "Obstacles"), 128);
}

#[test]
fn a_hexagonal_tile_is_solid_exactly_in_its_hexagon() {
    let content = tileset([16, 12], 1, FLAG) + &layer(L, [1, 1], "1");
    let attributes =
        r#"orientation="hexagonal" hexsidelength="6" staggeraxis="y" staggerindex="odd""#;
    let level = load(attributes, [1, 1], [16, 12], &content);
    assert!(!level.is_solid(IVec2::ZERO) && level.is_solid(IVec2::new(8, 0)));
    assert!(solids(&level).1 < 16 * 12 && level.is_solid(IVec2::new(0, 6)));
}

#[test]
fn a_turned_object_on_an_isometric_map_is_projected_first_and_then_turned() {
    let content = |rotation| {
        let wall = format!(
            r#"<object id="1" type="wall" x="40" y="40" width="24" height="8" rotation="{rotation}"/>"#
        );
        tileset([32, 16], 1, "") + &objects("o", &wall)
    };
    let area = |rotation, space| {
        let map = map(r#"orientation="isometric""#, [8, 8], [32, 16], &content(rotation));
        solids(&support::load_in(space, &map))
    };
    assert_eq!(area(0, Space::Map), ([40, 40, 24, 8], 192));
    assert_eq!(area(0, Space::Screen), ([121, 40, 30, 16], 192));
    // The diamond on the screen makes a quarter turn, and not the rectangle on the map.
    assert_eq!(area(90, Space::Screen), ([112, 33, 16, 30], 192));
    assert_eq!(area(90, Space::Map), ([30, 34, 28, 36], 192));
}

#[test]
fn a_shape_of_an_isometric_tile_is_where_its_picture_shows_it() {
    let wide = |grid: &str| {
        let shape = shaped(&rectangle([0, 0, 16, 16]));
        let content =
            tileset([32, 16], 1, &(grid.to_owned() + &shape)) + &layer(L, [2, 2], "1,0,0,0");
        let map = map(r#"orientation="isometric""#, [2, 2], [32, 16], &content);
        [Space::Map, Space::Screen].map(|space| solids(&support::load_in(space, &map)))
    };
    // A square at the left of the picture, whose box starts at x 16 on the screen.
    assert_eq!(wide("")[1], ([16, 0, 16, 16], 256));
    assert_eq!(wide("")[0].0, [0, 1, 15, 23]);
    // With an isometric grid in the tileset, the same numbers run along the sides of the diamond.
    let grid = r#"<grid orientation="isometric" width="32" height="16"/>"#;
    assert_eq!(wide(grid), [([0, 0, 16, 16], 256), ([17, 0, 30, 16], 256)]);
}

#[test]
fn a_one_way_tile_stays_one_way_on_a_solid_layer() {
    let tile = r#"<tile id="0"><properties><property name="one_way" type="bool" value="true"/></properties></tile>"#;
    let content = tileset([8, 8], 1, tile) + &layer(r#"name="Walls""#, [1, 1], "1");
    let level = load("", [1, 1], [8, 8], &content);
    assert_eq!(solids(&level).1, 0);
    assert_eq!(level.one_way(Dir::Up).map(|grid| grid.solid_count()), Some(1));
}

#[test]
fn a_tile_whose_shapes_are_all_triggers_is_free_even_on_a_solid_layer() {
    let trigger =
        r#"<properties><property name="sensor" type="bool" value="true"/></properties></object>"#;
    let one = rectangle([0, 0, 4, 8]).replace("/>", ">") + trigger;
    let count = |shapes: &str, name: &str| {
        let content =
            tileset([8, 8], 1, &shaped(shapes)) + &layer(&format!(r#"name="{name}""#), [1, 1], "1");
        solids(&load("", [1, 1], [8, 8], &content)).1
    };
    assert_eq!((count(&one, "l"), count(&one, "Walls")), (0, 0));
    let mixed = one.clone() + &rectangle([4, 0, 2, 8]);
    assert_eq!((count(&mixed, "l"), count(&mixed, "Walls")), (16, 16));
}
