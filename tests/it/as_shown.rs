//! Solids lie where Tiled shows them: turned, moved and fitted as it does it, and none is cut off.

use bitwall::glam::{IVec2, UVec2};
use bitwall::{AreaRule, Level, LoadOptions, Space};

/// The level of a map with these attributes and contents.
fn level(map: &str, content: &str, space: Space) -> Level {
    let text = format!(r#"<map version="1.10" {map}>{content}</map>"#);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tmx");
    std::fs::write(&path, text).unwrap();
    let mut options = LoadOptions::default();
    options.space = space;
    Level::load_with(&path, &options).unwrap()
}

fn on_map(map: &str, content: &str) -> Level {
    level(map, content, Space::Map)
}

/// The attributes of a map of 4 x 4 cells.
fn four(orientation: &str, width: u32, height: u32) -> String {
    format!(
        r#"orientation="{orientation}" width="4" height="4" tilewidth="{width}" tileheight="{height}""#
    )
}

/// A tileset of one tile with a picture of 8 x 4 pixels, whose upper left quarter collides.
fn quarter(attributes: &str, children: &str) -> String {
    format!(
        r#"<tileset firstgid="1" name="t" tilewidth="8" tileheight="4" tilecount="1" columns="1" {attributes}>
        {children}<image source="t.png" width="8" height="4"/>
        <tile id="0"><objectgroup><object id="1" width="4" height="2"/></objectgroup></tile></tileset>"#
    )
}

fn tile_at(column: usize, row: usize, gid: u32) -> String {
    let mut cells = vec!["0".to_owned(); 16];
    cells[row * 4 + column] = gid.to_string();
    let cells = cells.join(",");
    format!(r#"<layer name="a" width="4" height="4"><data encoding="csv">{cells}</data></layer>"#)
}

/// The pixels of a level that are solid, from the map's own corner.
fn solids(level: &Level) -> Vec<IVec2> {
    let size = level.size().as_ivec2();
    let all = (0..size.y).flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y)));
    let solid = all.filter(|pixel| level.is_solid(*pixel));
    solid.map(|pixel| pixel + level.origin()).collect()
}

/// The first and the last pixel of a rectangle.
fn ends(pixels: &[IVec2]) -> (IVec2, IVec2) {
    let min = pixels.iter().copied().reduce(IVec2::min).unwrap();
    let max = pixels.iter().copied().reduce(IVec2::max).unwrap();
    (min, max)
}

#[test]
fn moved_cells_of_an_infinite_map_are_in_its_level() {
    for (x, y) in [(0, -48), (40, 0), (-33, 7), (16, 32)] {
        let map = four("orthogonal", 16, 16) + r#" infinite="1""#;
        let content = format!(
            r#"<tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="1" columns="1">
            <image source="t.png" width="16" height="16"/></tileset><layer name="Collision" width="4" height="4" offsetx="{x}" offsety="{y}"><data encoding="csv">
            <chunk x="-2" y="0" width="2" height="2">1,0,0,1</chunk></data></layer>"#
        );
        let pixels = solids(&on_map(&map, &content));
        assert_eq!(pixels.len(), 2 * 16 * 16, "{x} {y}");
        let corner = IVec2::new(x - 32, y);
        assert_eq!(ends(&pixels), (corner, corner + 31), "{x} {y}");
    }
}

#[test]
fn an_oblique_map_on_the_screen_has_room_for_all_its_corners() {
    for (skew_x, skew_y) in [(6i32, 4), (-6, 4), (6, -4), (-6, -4)] {
        let map = four("oblique", 16, 8) + &format!(r#" skewx="{skew_x}" skewy="{skew_y}""#);
        let content = r#"<objectgroup name="Collision"><object id="1" width="64" height="32"/></objectgroup>"#;
        let level = level(&map, content, Space::Screen);
        assert_eq!(
            level.size(),
            UVec2::new(64 + 24, 32 + 16),
            "{skew_x} {skew_y}"
        );
        // By the determinant of the shear.
        let area = 64 * 32 - 24 * 16 * i64::from((skew_x * skew_y).signum());
        let count = solids(&level).len() as i64;
        assert!(
            (count - area).abs() < 64,
            "{skew_x} {skew_y}: {count}, not {area}"
        );
    }
}

#[test]
fn shapes_on_an_isometric_grid_are_diamonds() {
    let tileset = r#"<tileset firstgid="1" name="t" tilewidth="32" tileheight="24" tilecount="1" columns="1">
        <grid orientation="isometric" width="32" height="16"/><image source="t.png" width="32" height="24"/>
        <tile id="0"><objectgroup><object id="1" width="16" height="16"/></objectgroup></tile></tileset>"#;
    let content = tileset.to_owned() + &tile_at(1, 1, 1);
    let level = on_map(&four("orthogonal", 32, 24), &content);
    let solid = |x, y| level.is_solid(IVec2::new(32 + x, 24 + y));
    // The diamond is at the bottom of the picture.
    assert!(solid(16, 9) && solid(16, 22) && solid(2, 16) && solid(29, 16));
    assert!(!solid(2, 9) && !solid(29, 9) && !solid(2, 22) && !solid(29, 22) && !solid(16, 6));
    assert_eq!(solids(&level).len(), 256);
}

#[test]
fn objects_of_an_isometric_map_are_turned_on_the_screen() {
    // Straight down on the screen; turned, straight to the left.
    let content = r#"<objectgroup name="Collision"><object id="1" x="32" y="16" rotation="90">
        <polyline points="0,0 14,14"/></object></objectgroup>"#;
    let map = four("isometric", 32, 16);
    let pixels = solids(&level(&map, content, Space::Screen));
    let corner = IVec2::new(64 + 16, 24);
    assert_eq!(
        ends(&pixels),
        (corner - IVec2::new(14, 0), corner - IVec2::new(1, 0))
    );
    assert_eq!(pixels.len(), 14);
    let pixels = solids(&on_map(&map, content));
    assert_eq!(ends(&pixels), (IVec2::new(25, 16), IVec2::new(31, 22)));
    assert_eq!(pixels.len(), 7);
}

#[test]
fn a_layer_of_an_isometric_map_is_moved_on_the_screen() {
    let tile = r#"<tileset firstgid="1" name="t" tilewidth="32" tileheight="16" tilecount="1" columns="1">
        <image source="t.png" width="32" height="16"/></tileset>"#;
    let layer =
        tile_at(1, 1, 1).replace(r#"name="a""#, r#"name="Walls" offsetx="32" offsety="16""#);
    let level = on_map(&four("isometric", 32, 16), &(tile.to_owned() + &layer));
    assert_eq!(level.cell_size(), UVec2::splat(16));
    assert_eq!(
        ends(&solids(&level)),
        (IVec2::new(48, 16), IVec2::new(63, 31))
    );
}

#[test]
fn shapes_are_moved_with_the_picture_of_their_tile() {
    for flips in 0..8u32 {
        let content = |children| quarter("", children) + &tile_at(1, 2, 1 | flips << 29);
        let still = solids(&on_map(&four("orthogonal", 8, 4), &content("")));
        let moved = content(r#"<tileoffset x="3" y="-2"/>"#);
        let moved = solids(&on_map(&four("orthogonal", 8, 4), &moved));
        let expected: Vec<IVec2> = still.iter().map(|at| *at + IVec2::new(3, -2)).collect();
        assert_eq!(moved, expected, "{flips}");
    }
}

#[test]
fn a_picture_that_keeps_its_proportions_is_in_the_middle_of_its_box() {
    let fit = r#"tilerendersize="grid" fillmode="preserve-aspect-fit""#;
    let content = quarter(fit, "") + &tile_at(1, 1, 1);
    let level = on_map(&four("orthogonal", 12, 12), &content);
    // 12 x 6 pixels, 3 below the top of the cell.
    assert_eq!(
        ends(&solids(&level)),
        (IVec2::new(12, 15), IVec2::new(17, 17))
    );

    let object = r#"<objectgroup name="a"><object id="1" gid="1" x="4" y="30" width="16" height="24"/></objectgroup>"#;
    let content = quarter(r#"fillmode="preserve-aspect-fit""#, "") + object;
    let level = on_map(&four("orthogonal", 12, 12), &content);
    // 16 x 8 pixels, 8 below the top of the box, which is at 6.
    assert_eq!(
        ends(&solids(&level)),
        (IVec2::new(4, 14), IVec2::new(11, 17))
    );
}

#[test]
fn a_tile_is_the_same_pixels_in_a_cell_and_as_an_object() {
    for (orientation, flags) in [("orthogonal", 8), ("hexagonal", 16)] {
        for flips in 0..flags {
            let gid = 1 | flips << if flags == 8 { 29 } else { 28 };
            let map = four(orientation, 8, 4) + r#" hexsidelength="2" staggerindex="even""#;
            let tileset = quarter("", r#"<tileoffset x="1" y="1"/>"#);
            let cell = on_map(&map, &(tileset.clone() + &tile_at(2, 1, gid)));
            let foot = if flags == 8 { 8 } else { 7 };
            let object = format!(
                r#"<objectgroup name="a"><object id="1" gid="{gid}" x="16" y="{foot}"/></objectgroup>"#
            );
            let object = on_map(&map, &(tileset + &object));
            assert!(!solids(&cell).is_empty());
            assert_eq!(solids(&cell), solids(&object), "{orientation} {flips}");
        }
    }
}

#[test]
fn a_shape_of_two_areas_hides_no_wall_and_a_text_is_none() {
    let shapes = |shapes: &str| {
        format!(
            r#"<tileset firstgid="1" name="t" tilewidth="8" tileheight="4" tilecount="1" columns="1">
            <image source="t.png" width="8" height="4"/>
            <tile id="0"><objectgroup>{shapes}</objectgroup></tile></tileset>"#
        ) + &tile_at(0, 0, 1)
    };
    let load = |content: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tmx");
        let map = four("orthogonal", 8, 4);
        std::fs::write(&path, format!("<map {map}>{content}</map>")).unwrap();
        let options = LoadOptions::default()
            .with_nothing_solid_allowed(true)
            .with_area(AreaRule::new("sea").with_class("water"))
            .with_area(AreaRule::new("wet").with_class("wa*"));
        Level::load_with(&path, &options).unwrap()
    };
    let both = r#"<object id="1" type="water" width="2" height="2"/>
        <object id="2" x="4" width="3" height="1"/>"#;
    assert_eq!(load(&shapes(both)).grid().solid_count(), 3);
    let text = r#"<object id="1" width="8" height="4"><text>x</text></object>"#;
    assert_eq!(load(&shapes(text)).grid().solid_count(), 0);
}

#[test]
fn diamonds_of_odd_size_stand_where_their_pictures_are_drawn() {
    let tile = r#"<tileset firstgid="1" name="t" tilewidth="33" tileheight="17" tilecount="1" columns="1">
        <image source="t.png" width="33" height="17"/></tileset>"#;
    for (column, row, left, top) in [(0, 0, 50, 0), (1, 0, 67, 9), (0, 1, 34, 9), (2, 1, 67, 26)] {
        let layer = tile_at(column, row, 1).replace(r#"name="a""#, r#"name="Walls""#);
        let map = four("isometric", 33, 17);
        let pixels = solids(&level(&map, &(tile.to_owned() + &layer), Space::Screen));
        let (min, max) = ends(&pixels);
        assert_eq!(
            (min, max.x),
            (IVec2::new(left, top), left + 32),
            "{column} {row}"
        );
    }
}
