//! Solids are where Tiled shows them: turned, moved and fitted by the same rules as the pictures, and never
//! cut off.

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Level, LoadOptions, rules::AreaRule, tmx::Space};

use crate::support::{
    self, layer, load_in, map, objects, one_cell, shaped, solid_pixels, tileset, tileset_with,
};

const WALLS: &str = r#"name="Walls""#;

/// The attributes of a map of 4 x 4 cells, and the size of a cell.
type Attributes<'a> = (&'a str, [i32; 2]);

fn on_map((attributes, tile): Attributes<'_>, content: &str) -> Level {
    load_in(Space::Map, &map(attributes, [4, 4], tile, content))
}

fn on_screen((attributes, tile): Attributes<'_>, content: &str) -> Level {
    load_in(Space::Screen, &map(attributes, [4, 4], tile, content))
}

fn isometric(width: i32, height: i32) -> Attributes<'static> {
    (r#"orientation="isometric""#, [width, height])
}

/// Returns a tileset of one tile with a picture of 8 x 4 pixels. The upper left quarter of it has a collision
/// shape.
fn quarter(attributes: &str, children: &str) -> String {
    let shape = shaped(r#"<object id="1" width="4" height="2"/>"#);
    tileset_with(attributes, [8, 4], 1, &(children.to_owned() + &shape))
}

/// Returns a layer with one tile. The layer itself does not make the tile solid.
fn tile_at(column: usize, row: usize, gid: u32) -> String {
    layer(r#"name="a""#, [4, 4], &one_cell([4, 4], [column, row], gid))
}

/// Returns the solid pixels of a level, counted from the corner of the map.
fn solids(level: &Level) -> Vec<IVec2> {
    let pixels = solid_pixels(level);
    pixels.map(|pixel| pixel + level.origin()).collect()
}

/// Returns the first and the last pixel of the bounding rectangle of some pixels.
fn ends(pixels: &[IVec2]) -> (IVec2, IVec2) {
    let min = pixels.iter().copied().reduce(IVec2::min).unwrap();
    let max = pixels.iter().copied().reduce(IVec2::max).unwrap();
    (min, max)
}

#[test]
fn an_infinite_map_with_a_layer_offset_keeps_all_its_cells() {
    for (x, y) in [(0, -48), (40, 0), (-33, 7), (16, 32)] {
        let attributes = format!(r#"{WALLS} offsetx="{x}" offsety="{y}""#);
        let chunk = r#"<chunk x="-2" y="0" width="2" height="2">1,0,0,1</chunk>"#;
        let content = tileset([16, 16], 1, "") + &layer(&attributes, [4, 4], chunk);
        let pixels = solids(&on_map((r#"infinite="1""#, [16, 16]), &content));
        assert_eq!(pixels.len(), 2 * 16 * 16, "{x} {y}");
        let corner = IVec2::new(x - 32, y);
        assert_eq!(ends(&pixels), (corner, corner + 31), "{x} {y}");
    }
}

#[test]
fn an_oblique_level_in_screen_space_contains_the_whole_sheared_map() {
    for (skew_x, skew_y) in [(6i32, 4), (-6, 4), (6, -4), (-6, -4)] {
        let map = format!(r#"orientation="oblique" skewx="{skew_x}" skewy="{skew_y}""#);
        let content = objects("Walls", r#"<object id="1" width="64" height="32"/>"#);
        let level = on_screen((&map, [16, 8]), &content);
        assert_eq!(level.size(), UVec2::new(64 + 24, 32 + 16), "{skew_x} {skew_y}");
        // The area is the determinant of the shear.
        let area = 64 * 32 - 24 * 16 * i64::from((skew_x * skew_y).signum());
        let count = solids(&level).len() as i64;
        assert!((count - area).abs() < 64, "{skew_x} {skew_y}: {count}, not {area}");
    }
}

#[test]
fn square_shapes_on_an_isometric_grid_become_diamonds() {
    let square = shaped(r#"<object id="1" width="16" height="16"/>"#);
    let grid = r#"<grid orientation="isometric" width="32" height="16"/>"#.to_owned();
    let content = tileset([32, 24], 1, &(grid + &square)) + &tile_at(1, 1, 1);
    let level = on_map(("", [32, 24]), &content);
    let solid = |x, y| level.is_solid(IVec2::new(32 + x, 24 + y));
    // The diamond must be at the bottom of the picture.
    assert!(solid(16, 9) && solid(16, 22) && solid(2, 16) && solid(29, 16));
    assert!(!solid(2, 9) && !solid(29, 9) && !solid(2, 22) && !solid(29, 22) && !solid(16, 6));
    assert_eq!(solids(&level).len(), 256);
}

#[test]
fn objects_of_an_isometric_map_are_projected_before_they_are_rotated() {
    // The line runs straight down on the screen, and after its rotation straight to the left.
    let line =
        r#"<object id="1" x="32" y="16" rotation="90"><polyline points="0,0 14,14"/></object>"#;
    let content = objects("Walls", line);
    let pixels = solids(&on_screen(isometric(32, 16), &content));
    let corner = IVec2::new(64 + 16, 24);
    assert_eq!(ends(&pixels), (corner - IVec2::new(14, 0), corner - IVec2::new(1, 0)));
    assert_eq!(pixels.len(), 14);
    let pixels = solids(&on_map(isometric(32, 16), &content));
    assert_eq!(ends(&pixels), (IVec2::new(25, 16), IVec2::new(31, 22)));
    assert_eq!(pixels.len(), 7);
}

#[test]
fn a_layer_offset_on_an_isometric_map_is_in_screen_pixels() {
    let moved = format!(r#"{WALLS} offsetx="32" offsety="16""#);
    let layer = layer(&moved, [4, 4], &one_cell([4, 4], [1, 1], 1));
    let level = on_map(isometric(32, 16), &(tileset([32, 16], 1, "") + &layer));
    assert_eq!(level.cell_size(), UVec2::splat(16));
    assert_eq!(ends(&solids(&level)), (IVec2::new(48, 16), IVec2::new(63, 31)));
}

#[test]
fn collision_shapes_move_with_the_offset_of_their_tileset() {
    for flips in 0..8u32 {
        let content = |children| quarter("", children) + &tile_at(1, 2, 1 | flips << 29);
        let still = solids(&on_map(("", [8, 4]), &content("")));
        let moved = content(r#"<tileoffset x="3" y="-2"/>"#);
        let moved = solids(&on_map(("", [8, 4]), &moved));
        let expected: Vec<IVec2> = still.iter().map(|at| *at + IVec2::new(3, -2)).collect();
        assert_eq!(moved, expected, "{flips}");
    }
}

#[test]
fn a_scaled_picture_that_keeps_its_proportions_is_centred() {
    let fit = r#"tilerendersize="grid" fillmode="preserve-aspect-fit""#;
    let content = quarter(fit, "") + &tile_at(1, 1, 1);
    let level = on_map(("", [12, 12]), &content);
    // The picture is scaled to 12 x 6 pixels and starts 3 pixels below the top of the cell.
    assert_eq!(ends(&solids(&level)), (IVec2::new(12, 15), IVec2::new(17, 17)));

    let object = r#"<object id="1" gid="1" x="4" y="30" width="16" height="24"/>"#;
    let content = quarter(r#"fillmode="preserve-aspect-fit""#, "") + &objects("walls", object);
    let level = on_map(("", [12, 12]), &content);
    // The picture is scaled to 16 x 8 pixels and starts 8 pixels below the top of the box, which is at y 6.
    assert_eq!(ends(&solids(&level)), (IVec2::new(4, 14), IVec2::new(11, 17)));
}

#[test]
fn a_tile_covers_the_same_pixels_in_a_cell_and_as_an_object() {
    for (orientation, flags) in [("orthogonal", 8), ("hexagonal", 16)] {
        for flips in 0..flags {
            let gid = 1 | flips << if flags == 8 { 29 } else { 28 };
            let map =
                format!(r#"orientation="{orientation}" hexsidelength="2" staggerindex="even""#);
            let map = (&*map, [8, 4]);
            let tileset = quarter("", r#"<tileoffset x="1" y="1"/>"#);
            let cell = on_map(map, &(tileset.clone() + &tile_at(2, 1, gid)));
            let bottom = if flags == 8 { 8 } else { 7 };
            let object = format!(r#"<object id="1" gid="{gid}" x="16" y="{bottom}"/>"#);
            let object = on_map(map, &(tileset + &objects("walls", &object)));
            assert!(!solids(&cell).is_empty());
            assert_eq!(solids(&cell), solids(&object), "{orientation} {flips}");
        }
    }
}

#[test]
fn shapes_in_areas_and_texts_do_not_make_a_tile_solid() {
    let options = LoadOptions {
        allow_nothing_solid: true,
        areas: vec![
            AreaRule { classes: vec!["water".to_owned()], ..AreaRule::new("sea") },
            AreaRule { classes: vec!["wa*".to_owned()], ..AreaRule::new("wet") },
        ],
        ..LoadOptions::default()
    };
    let solid_count = |shapes: &str| {
        let content = tileset([8, 4], 1, &shaped(shapes)) + &tile_at(0, 0, 1);
        let level = support::load(&map("", [4, 4], [8, 4], &content), &options);
        level.grid().solid_count()
    };
    let both = r#"<object id="1" type="water" width="2" height="2"/>
        <object id="2" x="4" width="3" height="1"/>"#;
    assert_eq!(solid_count(both), 3);
    let text = r#"<object id="1" width="8" height="4"><text>x</text></object>"#;
    assert_eq!(solid_count(text), 0);
}

#[test]
fn isometric_tiles_of_odd_size_are_solid_where_they_are_drawn() {
    for (column, row, left, top) in [(0, 0, 50, 0), (1, 0, 67, 9), (0, 1, 34, 9), (2, 1, 67, 26)] {
        let layer = layer(WALLS, [4, 4], &one_cell([4, 4], [column, row], 1));
        let content = tileset([33, 17], 1, "") + &layer;
        let pixels = solids(&on_screen(isometric(33, 17), &content));
        let (min, max) = ends(&pixels);
        assert_eq!((min, max.x), (IVec2::new(left, top), left + 32), "{column} {row}");
    }
}
