//! The solids of small Tiled maps written in the tests.

use std::path::Path;

use bitwall::glam::{IVec2, UVec2};
use bitwall::level::MarkerShape;
use bitwall::{
    Aabb, Dir, Level, LoadOptions, Outside,
    error::LoadErrorKind,
    property::PropertyValue,
    tmx::{Decimal, Map},
};

use crate::support::{self, files, grid, objects, places, tileset, try_load};

/// A tileset of four tiles. Tile 1 is solid by a property, tile 2 by its class.
const TILES: &str = r#"<tileset firstgid="1" name="t" tilewidth="8" tileheight="4" tilecount="4" columns="2">
 <image source="no/such/picture.png" width="16" height="8"/>
 <tile id="1"><properties><property name="collides" type="bool" value="true"/></properties></tile>
 <tile id="2" type="Wall"/>
</tileset>"#;

/// Returns a map of 4 x 3 tiles of 8 x 4 pixels.
fn map(content: &str) -> String {
    support::map("", [4, 3], [8, 4], content)
}

fn load(content: &str) -> Level {
    support::load(&map(content), &LoadOptions::default())
}

fn layer(attributes: &str, cells: &str) -> String {
    support::layer(attributes, [4, 3], cells)
}

/// Returns the level of a map with [`TILES`] and one layer.
fn load_layer(attributes: &str, cells: &str) -> Level {
    load(&(TILES.to_owned() + &layer(attributes, cells)))
}

fn drawing(level: &Level) -> Vec<String> {
    let text = level.grid().to_string();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn every_tile_of_a_solid_layer_is_solid_even_if_hidden() {
    let cells = "1,0,0,4, 0,0,1,0, 2,0,0,0";
    for attributes in [
        r#"name="collision" visible="0""#,
        r#"name="Rocks" class="Obstacles""#,
        r#"name="WALLS" opacity="0""#,
    ] {
        let level = load_layer(attributes, cells);
        assert_eq!(drawing(&level), ["#..#", "..#.", "#..."], "{attributes}");
        assert_eq!(level.cell_size(), UVec2::new(8, 4));
    }
}

#[test]
fn a_tile_with_a_solid_property_or_class_is_solid_even_if_flipped() {
    // The large numbers are 0x8000_0002, 0x4000_0002, 0x2000_0003 and 0xE000_0003: tiles with flip flags.
    let cells = "1,2,3,4, 2147483650,1073741826,536870915,3758096387, 0,0,0,0";
    let level = load_layer(r#"name="Ground""#, cells);
    assert_eq!(drawing(&level), [".##.", "####", "...."]);
}

#[test]
fn a_property_that_is_false_overrules_the_name_of_a_layer() {
    let not = r#"<layer id="1" name="walls" width="4" height="3"><properties>
        <property name="solid" type="bool" value="false"/></properties>
        <data encoding="csv">1,1,1,1,2,0,0,0,0,0,0,0</data></layer>"#;
    assert_eq!(drawing(&load(&format!("{TILES}{not}"))), ["....", "#...", "...."]);
}

#[test]
fn a_group_passes_its_solidity_and_offset_to_its_layers() {
    let inner = layer(r#"name="any" offsetx="8""#, "1,0,0,0, 0,0,0,0, 0,0,0,1");
    let group =
        format!(r#"<group id="2" name="Solid" offsety="4"><group id="3">{inner}</group></group>"#);
    // The offset moves the last tile out of the map, so it is cut off.
    assert_eq!(drawing(&load(&format!("{TILES}{group}"))), ["....", ".#..", "...."]);
}

#[test]
fn a_layer_moved_off_the_tile_grid_gives_cells_of_one_pixel() {
    let moved = layer(r#"name="walls" offsetx="-3" offsety="1.25""#, "1,0,0,0, 0,0,0,0, 0,0,0,1");
    let level = load(&format!("{TILES}{moved}"));
    assert_eq!(level.cell_size(), UVec2::ONE);
    assert_eq!(level.size(), UVec2::new(32, 12));
    // The tiles cover x -3..5 and 21..29. y 1.25..5.25 contains the centres of rows 1..5, and y 9.25..13.25
    // the centres of rows 9..12.
    let mut solid = 0;
    for y in 0..12 {
        for x in 0..32 {
            let first = x < 5 && (1..5).contains(&y);
            let last = (21..29).contains(&x) && y >= 9;
            assert_eq!(level.is_solid(IVec2::new(x, y)), first || last, "{x}, {y}");
            solid += u64::from(first || last);
        }
    }
    assert_eq!(level.grid().solid_count(), solid);
}

#[test]
fn a_rectangle_makes_solid_the_pixels_whose_centres_are_in_it() {
    let objects = r#"<objectgroup id="4" name="Collisions" offsetx="1">
        <object id="1" x="0.5" y="1" width="2" height="1.5"/>
        <object id="2" x="2.5" y="1" width="3" height="1"/>
        <object id="3" x="10" y="2" width="0.4" height="5"/>
        <object id="4" name="spot" x="9.9" y="8.2"><point/></object>
        <object id="5" x="30" y="-50" width="400" height="100"/></objectgroup>"#;
    let level = load(objects);
    let rows = drawing(&level);
    // Object 3 contains no centre, and covers the pixel in which it starts. Object 1 covers x 1.5..3.5, so
    // the pixels 1 and 2; object 2 continues at 3 without a gap.
    assert_eq!(rows[1], format!(".#####{}#", ".".repeat(25)));
    let thin = format!("{}#{}#", ".".repeat(11), ".".repeat(19));
    assert_eq!(rows[2], thin, "y 1..2.5 does not hold the centre 2.5");
}

/// As Tiled draws it: a shape with a negative width is to the left of its position.
#[test]
fn a_negative_size_is_mirrored_with_a_warning_and_refused_if_it_has_several_readings() {
    let objects = |attributes: &str| {
        let object = format!(r#"<object id="1" {attributes}/>"#);
        map(&format!(r#"{TILES}<objectgroup name="Collisions">{object}</objectgroup>"#))
    };
    for [negative, positive] in [
        [r#"x="6" y="4" width="-4" height="3""#, r#"x="2" y="4" width="4" height="3""#],
        [r#"x="2" y="7" width="4" height="-3""#, r#"x="2" y="4" width="4" height="3""#],
        [r#"x="6" y="7" width="-4" height="-3""#, r#"x="2" y="4" width="4" height="3""#],
    ] {
        let plain = support::load_all(&objects(positive), &LoadOptions::default());
        let mirrored = support::load_all(&objects(negative), &LoadOptions::default());
        assert_eq!(drawing(&mirrored.level), drawing(&plain.level), "{negative}");
        assert!(plain.warnings.is_empty() && !mirrored.warnings.is_empty(), "{negative}");
    }
    for refused in [
        r#"x="6" y="4" width="-4" height="3" rotation="30""#,
        r#"x="6" y="4" width="-8" height="4" gid="1""#,
    ] {
        let error = try_load(&objects(refused), &LoadOptions::default()).unwrap_err();
        assert!(matches!(error.kind(), LoadErrorKind::Value { .. }), "{error}");
    }
}

#[test]
fn a_rectangle_aligned_to_the_tile_grid_keeps_cells_of_tile_size() {
    let objects = r#"<objectgroup id="4" name="Stuff">
        <object id="1" type="collision" x="8" y="4" width="16" height="8"/>
        <object id="2" name="door" type="exit" x="3" y="2" width="5" height="6">
         <properties><property name="to" value="cellar"/><property name="locked" type="bool" value="true"/>
         </properties></object></objectgroup>"#;
    let level = load(objects);
    assert_eq!(drawing(&level), ["....", ".##.", ".##."]);
    let door = level.marker("door").unwrap();
    assert_eq!((door.class.as_str(), door.object, door.shape), ("exit", 2, MarkerShape::Rectangle));
    assert_eq!(door.area, Aabb::from_xywh(3, 2, 5, 6));
    assert_eq!(door.properties["to"], PropertyValue::Text("cellar".to_owned()));
    assert_eq!(door.properties["locked"], PropertyValue::Bool(true));
    assert_eq!(level.markers().len(), 1);
}

#[test]
fn the_error_of_a_map_without_solids_lists_its_names() {
    let things = r#"<group class="area"><objectgroup name="things"><object id="1" type="chest">
        <properties><property name="gold" type="int" value="3"/></properties></object></objectgroup></group>"#;
    let ground = layer(r#"name="Ground""#, "1,4,1,4,0,0,0,0,0,0,0,0");
    let open = map(&format!("{TILES}{ground}{things}"));
    let error = try_load(&open, &LoadOptions::default()).unwrap_err();
    assert!(matches!(error.kind(), LoadErrorKind::NothingSolid { .. }));
    let text = error.to_string();
    for word in ["maps/m.tmx", "`Ground`", "`Wall`", "`collides`", "`area`", "`chest`", "`gold`"] {
        assert!(text.contains(word), "{word} in {text}");
    }
    let options = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
    assert_eq!(try_load(&open, &options).unwrap().grid().solid_count(), 0);
    let mut options = LoadOptions::default();
    options.solid_rules.layer_names.push("ground".to_owned());
    options.outside = Outside::Open.into();
    let level = try_load(&open, &options).unwrap();
    assert_eq!(drawing(&level), ["####", "....", "...."]);
    assert!(!level.is_solid(IVec2::new(-1, -1)));
}

#[test]
fn a_tileset_in_its_own_file_is_read_and_a_missing_one_is_an_error() {
    let reference = r#"<tileset firstgid="1" source="../sets/t.tsx"></tileset>"#;
    let tmx = map(&format!("{reference}{}", layer(r#"name="Ground""#, "1,2,3,4,0,0,0,0,0,0,0,0")));
    let tsx = TILES.replacen(r#" firstgid="1""#, "", 1);
    let options = LoadOptions::default();
    let with = |tsx: &str| {
        let read = files(&[("maps/../sets/t.tsx", tsx)]);
        Level::decode("maps/m.tmx", tmx.as_bytes(), read, &options)
    };
    let level = with(&tsx).unwrap();
    assert_eq!(drawing(&level), [".##.", "....", "...."]);
    let error = try_load(&tmx, &options).unwrap_err();
    assert!(matches!(error.kind(), LoadErrorKind::Reference { .. }));
    let text = error.to_string();
    assert!(text.contains("cannot read tileset `../sets/t.tsx`: no such file"), "{text}");
    // The error of a faulty tileset names the tileset file.
    let error = with(&tsx.replace("tilewidth=\"8\"", "")).unwrap_err();
    assert_eq!(error.path(), Path::new("maps/../sets/t.tsx"));
}

#[test]
fn a_property_that_is_false_overrules_the_group_around_a_layer() {
    let no = r#"<layer id="1" name="any" width="4" height="3"><properties>
        <property name="collides" type="bool" value="false"/></properties>
        <data encoding="csv">1,1,1,1,0,0,0,0,0,0,0,0</data></layer>"#;
    let yes = layer(r#"name="other""#, "0,0,0,0,0,0,0,0,0,0,0,1");
    let level = load(&format!(r#"{TILES}<group name="solid">{no}{yes}</group>"#));
    assert_eq!(drawing(&level), ["....", "....", "...#"]);
}

#[test]
fn a_collision_shape_that_is_the_whole_tile_makes_it_solid() {
    let whole = TILES.replace(
        r#"<tile id="2" type="Wall"/>"#,
        r#"<tile id="2"><objectgroup><object id="1" x="0" y="0" width="8" height="4"/></objectgroup></tile>"#,
    );
    let level = load(&format!("{whole}{}", layer(r#"name="Ground""#, "3,1,3,0,0,0,0,0,0,0,0,0")));
    assert_eq!(drawing(&level), ["#.#.", "....", "...."]);
}

#[test]
fn a_rule_for_a_layer_name_does_not_apply_to_classes() {
    let mut options = LoadOptions::default();
    options.solid_rules.layer_names.push("spot".to_owned());
    let objects = r#"<objectgroup name="things"><object id="1" type="spot" width="8" height="4"/>
        </objectgroup>"#;
    let tmx =
        map(&format!("{TILES}{}{objects}", layer(r#"name="spot""#, "0,0,0,1,0,0,0,0,0,0,0,0")));
    let level = try_load(&tmx, &options).unwrap();
    assert_eq!(drawing(&level), ["...#", "....", "...."]);
    assert_eq!(level.markers().len(), 1);
}

#[test]
fn filling_rectangles_changes_the_cells_of_a_loaded_level() {
    let mut edited = load_layer(r#"name="walls""#, "1,0,0,1,0,0,0,0,0,0,0,0");
    edited.fill(0..1, 0..1, false).unwrap();
    edited.fill(1..3, 1..9, true).unwrap();
    assert_eq!(*edited.grid(), grid("...#\n.##.\n.##."));
    let cell = IVec2::new(1, 1);
    assert_eq!(edited.cell_box(cell), Aabb::from_xywh(8, 4, 8, 4));
    assert_eq!(edited.cell_at(IVec2::new(15, 7)), cell);
    assert_eq!(edited.cell_at(IVec2::new(-1, -4)), IVec2::new(-1, -1));
    assert!(edited.overlaps(edited.cell_box(cell)));
    assert_eq!(edited.cell_box(IVec2::MAX).max, IVec2::MAX);
}

/// The crate `tiled` keeps the last of two equal elements, and loses the walls of the first.
#[test]
fn duplicate_elements_lose_no_wall() {
    let solid = r#"<properties><property name="solid" type="bool" value="true"/></properties>"#;
    let ground = layer(r#"name="Ground""#, "1,0,0,0,0,0,0,0,0,0,0,0");
    let tile = |content: &str| TILES.replace(r#"<tile id="2" type="Wall"/>"#, content) + &ground;
    let shape = r#"<object id="1" width="2" height="2"/>"#;
    for content in [
        tile(&format!(r#"<tile id="0">{solid}</tile><tile id="0"/>"#)),
        tile(&format!(r#"<tile id="0">{solid}<properties/></tile>"#)),
        format!(r#"<objectgroup name="x">{solid}{shape}<properties/></objectgroup>"#),
        format!(r#"{TILES}<group name="x">{solid}{ground}<properties/></group>"#),
        tile(&format!(r#"<tile id="0"><objectgroup>{shape}</objectgroup><objectgroup/></tile>"#)),
    ] {
        let loaded = support::load_all(&map(&content), &LoadOptions::default());
        assert!(!loaded.level.is_blank() && loaded.warnings.is_empty(), "{content}");
    }
}

/// Behind the end of a group or layer, an error names the group around it.
#[test]
fn an_error_names_the_layer_or_group_with_the_fault() {
    let place = |content: &str| {
        let error = try_load(&map(content), &LoadOptions::default()).unwrap_err();
        error.place().layer.clone()
    };
    let bad = r#"<objectgroup name="o"><object class="wall" x="x"/></objectgroup>"#;
    assert_eq!(place(&format!(r#"<group name="g"/>{bad}"#)).as_deref(), Some("o"));
    assert_eq!(place(r#"<group name="g"/><tileset/>"#), None);
    let in_group = format!(
        r#"<group name="g">{}<layer name="{}"/></group>"#,
        layer("name=\"a\"", "0,0,0,0,0,0,0,0,0,0,0,0"),
        "x".repeat(1_025)
    );
    assert_eq!(place(&in_group).as_deref(), Some("g"));
    assert_eq!(place(&format!(r#"<group name="g">{bad}</group>"#)).as_deref(), Some("g/o"));
}

/// A map made in code can have numbers near the ends of their range. They must not overflow.
#[test]
fn layer_offsets_at_the_ends_of_the_number_range_do_not_overflow() {
    let options = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
    let walls = layer(r#"name="walls""#, "1,0,0,0,0,0,0,0,0,0,0,1");
    let loaded = support::load_all(&map(&format!("{TILES}{walls}")), &options);
    let far = [i32::MAX, i32::MIN].map(Decimal::from_pixels);
    for x in far {
        let mut map = Map::clone(&loaded.maps[0].map);
        map.layers[0].offset.x = x;
        let loaded = bitwall::LoadedLevel::from_map(map, &options).unwrap();
        assert_eq!(loaded.level.grid().solid_count(), 0);
        assert_eq!(loaded.provenance(IVec2::ZERO), None);
    }
}

#[test]
fn an_empty_type_does_not_hide_a_class() {
    let tiles =
        TILES.replace(r#"<tile id="2" type="Wall"/>"#, r#"<tile id="2" type="" class="Wall"/>"#);
    let level = load(&format!("{tiles}{}", layer(r#"name="Ground""#, "3,0,0,0,0,0,0,0,0,0,0,0")));
    assert_eq!(drawing(&level), ["#...", "....", "...."]);
}

#[test]
fn a_wall_thinner_than_a_pixel_is_solid() {
    let level = load(
        r#"<objectgroup name="walls"><object id="1" x="3.6" y="0" width="0.8" height="12"/>
        <object id="2" x="10" y="2.9" width="5" height="0.05"/><object id="3" x="20" y="5"/></objectgroup>"#,
    );
    assert_eq!(level.grid().solid_count(), 12 + 5);
    assert!(level.is_solid(IVec2::new(3, 7)) && level.is_solid(IVec2::new(12, 2)));
    assert_eq!(level.markers().len(), 1, "one without extent is a marker");
}

#[test]
fn a_wrong_checksum_of_compressed_cells_is_an_error() {
    use base64::Engine;
    // A frame with one uncompressed block of 48 bytes and a wrong checksum.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x24, 48, 0x81, 0x01, 0x00];
    frame.extend([0; 48]);
    frame.extend([1, 2, 3, 4]);
    let text = base64::engine::general_purpose::STANDARD.encode(frame);
    let content = format!(
        r#"<layer name="walls" width="4" height="3"><data encoding="base64" compression="zstd">{text}</data></layer>"#
    );
    let error = try_load(&map(&content), &LoadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("checksum"), "{error}");
}

/// The maps need a grid of 2^26 x 4 cells, or have solids that fill the grid thousands of times.
#[test]
fn maps_that_need_too_much_memory_or_work_are_refused() {
    let tall = |width, height, tile_width, tile_height| {
        let wall = objects("walls", r#"<object id="1" x="1" y="1" width="2" height="2"/>"#);
        support::map("", [width, height], [tile_width, tile_height], &wall)
    };
    let too_large = |tmx: &str| {
        let error = try_load(tmx, &LoadOptions::default()).unwrap_err();
        assert!(matches!(error.kind(), LoadErrorKind::TooLarge { .. }), "{error}");
    };
    // A grid this long and narrow is stored in blocks.
    for tmx in [tall(1, 16_384, 4, 4_096), tall(16_384, 1, 4_096, 4)] {
        let level = try_load(&tmx, &LoadOptions::default()).unwrap();
        assert_eq!(level.grid().solid_count(), 4);
        assert!(level.memory_bytes() < 1 << 20);
    }
    let rectangle = r#"<object x="1" y="1" width="16380" height="16380"/>"#;
    let walls = objects("walls", &rectangle.repeat(65_536));
    too_large(&support::map("", [1_024, 1_024], [16, 16], &walls));
}

#[test]
fn a_collision_shape_smaller_than_a_tile_gives_cells_of_one_pixel() {
    let ground = |cells: &str| layer(r#"name="Ground""#, cells);
    let shaped = TILES.replace(
        r#"<tile id="2" type="Wall"/>"#,
        r#"<tile id="2"><objectgroup><object id="1" width="4" height="4"/></objectgroup></tile>"#,
    );
    let used = "3,0,0,0,0,0,0,0,0,0,0,0";
    let level = load(&format!("{shaped}{}", ground(used)));
    assert_eq!(level.cell_size(), UVec2::ONE);
    assert_eq!(level.grid().solid_count(), 16);
    assert!(level.overlaps(Aabb::from_xywh(3, 3, 1, 1)));
    // A shape that no cell uses changes nothing. On a solid layer, a tile with a shape is solid only in its
    // shape.
    let unused = load(&format!("{shaped}{}", ground("2,0,0,0,0,0,0,0,0,0,0,0")));
    assert_eq!(drawing(&unused), ["#...", "....", "...."]);
    let whole = load(&format!("{shaped}{}", layer(r#"name="walls""#, used)));
    assert_eq!(whole.grid(), level.grid());
}

#[test]
fn a_one_way_tile_blocks_from_above_only() {
    let one_way = TILES.replace("collides", "one_way");
    let content = format!("{one_way}{}", layer(r#"name="Ground""#, "0,0,0,0,0,0,0,0,2,2,0,0"));
    let level = load(&content);
    assert_eq!(level.grid().solid_count(), 0);
    let body = Aabb::from_xywh(2, 2, 4, 4);
    let falling = level.sweep(body, Dir::Down, 100);
    assert_eq!((falling.moved, falling.contact.unwrap().normal), (2, IVec2::NEG_Y));
    let inside = Aabb::from_xywh(2, 9, 4, 2);
    assert!(level.can_move(inside, Dir::Down, 1) && level.can_move(inside, Dir::Up, 9));
    assert!(level.can_move(inside, Dir::Right, 26));
}

/// The passable floor of a hexagonal map consists of hexagons. All pixels between and around them are solid.
#[test]
fn a_hexagonal_floor_is_passable_exactly_where_its_tiles_are() {
    let hexagonal =
        r#"orientation="hexagonal" hexsidelength="4" staggeraxis="y" staggerindex="odd""#;
    let floor = support::layer(r#"name="Floor""#, [2, 2], "1,1,1,0");
    let tmx = support::map(hexagonal, [2, 2], [8, 8], &(tileset([8, 8], 1, "") + &floor));
    let mut options = LoadOptions::default();
    options.solid_rules.walkable_layers.push("floor".to_owned());
    let level = try_load(&tmx, &options).unwrap();
    let mut rules = LoadOptions::default();
    rules.solid_rules.layer_names.push("floor".to_owned());
    let opposite = try_load(&tmx, &rules).unwrap();
    assert_eq!(level.size(), opposite.size());
    for at in places(level.size().as_ivec2()) {
        assert_ne!(level.is_solid(at), opposite.is_solid(at), "{at}");
    }
    assert!(opposite.grid().solid_count() > 100);
}

#[test]
fn a_lenient_load_counts_the_faults_that_it_passes_over() {
    let content = format!("{TILES}{}", layer(r#"name="walls""#, "1,1,99,99,1,1,1,1,1"));
    assert!(try_load(&map(&content), &LoadOptions::default()).is_err());
    let options = LoadOptions { lenient: true, ..LoadOptions::default() };
    let loaded = support::load_all(&map(&content), &options);
    assert_eq!(drawing(&loaded.level), ["##..", "####", "#..."]);
    let counts = loaded.warnings.iter().map(|warning| warning.count);
    assert_eq!(counts.collect::<Vec<u64>>(), [2, 1]);
    let first = &loaded.warnings[0];
    assert!(first.to_string().contains("a tile does not exist: number 99"), "{first:?}");
    assert_eq!(first.place.cell, Some((2, 0)));
}

#[test]
fn a_solid_cell_can_be_traced_to_its_layer_tile_and_rule() {
    let tmx = map(&format!(
        r#"{TILES}{}<group name="G">{}</group><objectgroup name="solids"><object id="9" x="24" y="8" width="8" height="4"/></objectgroup>"#,
        layer(r#"name="Ground""#, "0,2,3,0,0,0,0,0,0,0,0,0"),
        layer(r#"name="collision""#, "4,0,0,0,0,0,0,0,0,0,0,0"),
    ));
    let loaded = support::load_all(&tmx, &LoadOptions::default());
    let why = |column, row| {
        let found = loaded.provenance(IVec2::new(column, row))?;
        Some((found.layer, found.tile, found.object, found.because))
    };
    let tile = |id| Some(("t".to_owned(), id));
    let text = |text: &str| text.to_owned();
    for (column, row, layer, tile, object, because) in [
        (0, 0, "G/collision", tile(3), None, "its name"),
        (1, 0, "Ground", tile(1), None, "property `collides`"),
        (2, 0, "Ground", tile(2), None, "class `Wall`"),
        (3, 2, "solids", None, Some(9), "its name"),
    ] {
        assert_eq!(why(column, row), Some((text(layer), tile, object, text(because))));
    }
    assert_eq!(why(3, 0), None);
    for (column, row) in [(400, 0), (-1, 0), (i32::MAX, i32::MIN), (1 << 28, 0)] {
        assert_eq!(why(column, row), None);
    }
}
