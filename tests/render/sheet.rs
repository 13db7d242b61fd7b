//! Golden pictures of everything that is drawn over the art: maps of every orientation, a world, masks,
//! one-way floors, areas, legends, rulers, grids, bodies and crowded labels.

use std::path::Path;

use bitwall::glam::{IVec2, UVec2};
use bitwall::image::{Rgba, RgbaImage, imageops};
use bitwall::render::{self, DrawOptions, Overlay, Pictures};
use bitwall::rules::{AreaRule, MaskPlane};
use bitwall::tmx::{PlacedMap, Space};
use bitwall::{Aabb, Dir, Grid, Level, LoadOptions, LoadedLevel, Marker, Outside, Terrain};

use super::golden;
use crate::support::{self, asset, layer, map, objects, tileset};

/// Tile 1 is a floor, 2 a wall, 3 one-way from above, 4 water, 5 water with wind, 6 one-way from the left.
/// (The ids here are one less.)
const KINDS: &str = r#"<tile id="1" type="wall"/>
    <tile id="2"><properties><property name="one_way" type="bool" value="true"/></properties></tile>
    <tile id="3" type="water"/>
    <tile id="4" type="water"><properties><property name="wind" type="bool" value="true"/></properties></tile>
    <tile id="5"><properties><property name="one_way" value="left"/></properties></tile>"#;

const COLORS: [[u8; 3]; 6] = [
    [176, 196, 140],
    [150, 70, 52],
    [196, 160, 96],
    [70, 130, 190],
    [90, 150, 200],
    [186, 150, 116],
];

const CELLS: &str = "2,2,2,2,2,2,2,2, 2,1,1,1,1,1,1,2, 2,1,3,3,1,6,1,2, 2,1,1,1,1,6,1,2, \
    2,1,4,4,5,5,1,2, 2,2,4,4,4,5,2,2";

/// Draws the tiles as one picture. Their `shape` is a diamond, a hexagon or a box.
fn tiles(size: UVec2, shape: &str) -> RgbaImage {
    RgbaImage::from_fn(6 * size.x, size.y, |x, y| {
        let kind = (x / size.x) as usize;
        let half = size.as_dvec2() / 2.0;
        let at = (UVec2::new(x % size.x, y).as_dvec2() + 0.5 - half).abs() / half;
        let is_inside = match shape {
            "diamond" => at.x + at.y <= 1.0,
            "hexagon" => at.x <= 1.0 && at.x / 2.0 + at.y * 0.75 <= 0.78,
            _ => true,
        };
        let [red, green, blue] = COLORS[kind];
        let shade = ((x * 7 + y * 13) % 5) as u8 * 4;
        Rgba([red - shade, green - shade, blue - shade, if is_inside { 255 } else { 0 }])
    })
}

/// Returns the pictures that `maps` need, each as `load` returns it.
pub(crate) fn pictures(maps: &[PlacedMap], load: impl Fn(&Path) -> Option<RgbaImage>) -> Pictures {
    let paths = maps.iter().flat_map(render::picture_paths);
    paths.map(|path| (path.clone(), load(&path))).collect()
}

/// Returns the picture with each pixel enlarged to a square of `scale` x `scale` pixels.
pub(crate) fn enlarged(picture: &RgbaImage, scale: u32) -> RgbaImage {
    let (width, height) = picture.dimensions();
    imageops::resize(picture, width * scale, height * scale, imageops::FilterType::Nearest)
}

/// Compares a picture of the level over the art of its maps with the golden picture `sheet-<name>`.
fn check(name: &str, loaded: &LoadedLevel, tiles: &RgbaImage, options: DrawOptions<'_>) {
    let pictures = pictures(&loaded.maps, |_| Some(tiles.clone()));
    let options = DrawOptions { pictures: Some(&pictures), ..options };
    golden::check(&format!("sheet-{name}"), &render::draw(loaded, &options).unwrap());
}

fn options() -> LoadOptions {
    let areas = ["water", "wind"].map(AreaRule::named);
    LoadOptions { areas: areas.into(), ..LoadOptions::default() }
}

/// A map of 8 x 6 cells with walls, one-way cells and two areas.
fn oriented(attributes: &str, tile: [i32; 2]) -> String {
    let markers = r#"<object id="9" name="start" x="40" y="24"><point/></object>"#;
    let content = tileset(tile, 6, KINDS) + &layer(r#"name="Ground""#, [8, 6], CELLS);
    map(attributes, [8, 6], tile, &(content + &objects("Places", markers)))
}

fn check_oriented(name: &str, attributes: &str, tile: [i32; 2], shape: &str, space: Space) {
    let loaded =
        support::load_all(&oriented(attributes, tile), &LoadOptions { space, ..options() });
    let overlay = Overlay { grid: true, legend: true, rulers: true, ..Overlay::new(2) };
    let tiles = tiles(IVec2::from(tile).as_uvec2(), shape);
    check(
        name,
        &loaded,
        &tiles,
        DrawOptions { overlay, name: Some(name), ..DrawOptions::default() },
    );
}

#[test]
fn an_orthogonal_map_matches_its_golden_picture() {
    check_oriented("orthogonal", "", [16, 16], "box", Space::Map);
}

#[test]
fn an_isometric_map_in_its_own_space_matches_its_golden_picture() {
    let isometric = r#"orientation="isometric""#;
    check_oriented("isometric", isometric, [32, 16], "diamond", Space::Map);
}

#[test]
fn an_isometric_map_on_the_screen_matches_its_golden_picture() {
    let isometric = r#"orientation="isometric""#;
    check_oriented("isometric-screen", isometric, [32, 16], "diamond", Space::Screen);
}

#[test]
fn a_staggered_map_matches_its_golden_picture() {
    let staggered = r#"orientation="staggered" staggeraxis="y" staggerindex="odd""#;
    check_oriented("staggered", staggered, [32, 16], "diamond", Space::Map);
}

#[test]
fn a_hexagonal_map_matches_its_golden_picture() {
    let hexagonal =
        r#"orientation="hexagonal" staggeraxis="y" staggerindex="odd" hexsidelength="10""#;
    check_oriented("hexagonal", hexagonal, [22, 20], "hexagon", Space::Map);
}

#[test]
fn an_oblique_map_matches_its_golden_picture() {
    check_oriented("oblique", r#"orientation="oblique" skewx="8""#, [16, 16], "box", Space::Map);
}

#[test]
fn a_world_with_borders_and_names_matches_its_golden_picture() {
    let text = oriented("", [16, 16]);
    let world = r#"{"maps":[{"fileName":"maps/meadow.tmx","x":0,"y":0},
        {"fileName":"maps/pond.tmx","x":128,"y":32},{"fileName":"maps/cellar.tmx","x":0,"y":96}]}"#;
    let files = ["meadow", "pond", "cellar"].map(|name| format!("maps/{name}.tmx"));
    let files: Vec<(&str, &str)> =
        files.iter().map(|path| (path.as_str(), text.as_str())).collect();
    let reader = support::files(&files);
    let loaded = LoadedLevel::decode("w.world", world.as_bytes(), reader, &options());
    let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
    let options = DrawOptions {
        overlay: Overlay { legend: true, ..Overlay::new(1) },
        ..DrawOptions::default()
    };
    check(
        "world",
        &loaded,
        &tiles(UVec2::splat(16), "box"),
        DrawOptions { name: Some("w.world"), ..options },
    );
}

/// Creates a level from text, with cells of `side` x `side` pixels.
fn level(text: &str, side: u32) -> Level {
    support::tiles(text, side)
}

fn terrain(text: &str, side: u32) -> Terrain {
    level(text, side).terrain().clone()
}

fn check_level(name: &str, level: &Level, art: Rgba<u8>, overlay: Overlay) {
    let art = RgbaImage::from_pixel(level.size().x, level.size().y, art);
    let options =
        DrawOptions { art: Some(&art), overlay, name: Some(name), ..DrawOptions::default() };
    let drawn = render::draw(level, &options).unwrap();
    // A picture at scale 1 is enlarged, so that a person can check the golden picture.
    let shown = if overlay.scale == 1 && !overlay.legend { 4 } else { 1 };
    golden::check(&format!("sheet-{name}"), &enlarged(&drawn, shown));
}

const SKY: Rgba<u8> = Rgba([150, 190, 220, 255]);

/// Creates a level with a cross of one-way cells that guard each of the four sides, and a ledge of several
/// cells.
fn one_way(side: u32) -> Level {
    let blank = support::cells(Grid::new(14, 7).unwrap(), side);
    let cells = |text: &str| support::grid(text);
    let up = "..............\n.####.........\n..............\n......#.......\n..............\n..........#...\n..............";
    let down = "..............\n..............\n..............\n......#.......\n.####.........\n..........#...\n..............";
    let left = "..............\n.......#......\n..............\n......#.......\n.......#......\n.......#..#...\n..............";
    let right = "..............\n...........#..\n...........#..\n......#....#..\n..............\n..........#...\n..............";
    blank
        .with_one_way(Dir::Up, cells(up))
        .and_then(|level| level.with_one_way(Dir::Down, cells(down)))
        .and_then(|level| level.with_one_way(Dir::Left, cells(left)))
        .and_then(|level| level.with_one_way(Dir::Right, cells(right)))
        .unwrap()
}

#[test]
fn one_way_cells_of_16_pixels_match_their_golden_picture() {
    check_level("one-way-16", &one_way(16), SKY, Overlay { legend: true, ..Overlay::new(2) });
}

#[test]
fn one_way_cells_of_8_pixels_match_their_golden_picture() {
    check_level("one-way-8", &one_way(8), Rgba([40, 44, 60, 255]), Overlay::new(1));
}

/// Tests one-way floors with cells of one pixel: a flat floor, a slope, and a block in which every pixel is
/// one-way.
#[test]
fn one_way_cells_of_one_pixel_match_their_golden_picture() {
    let mut guarded = Grid::new(160, 60).unwrap();
    guarded.fill(10..50, 20..21, true).unwrap();
    (0..40).for_each(|x| guarded.set(60 + x, 45 - x / 2, true).unwrap());
    guarded.fill(110..150, 20..50, true).unwrap();
    let level = support::blank(160, 60).with_one_way(Dir::Up, guarded).unwrap();
    check_level("one-way-1", &level, SKY, Overlay::new(1));
}

/// Creates a level like that of a mask: walls of one, two and more pixels, and a box.
fn walls() -> Level {
    let mut grid = Grid::new(72, 40).unwrap();
    for (columns, rows) in [(6..7, 4..36), (12..14, 4..36), (20..23, 4..36), (30..50, 8..32)] {
        grid.fill(columns, rows, true).unwrap();
    }
    (0..16).for_each(|x| grid.set(53 + x, 6 + x, true).unwrap());
    support::cells(grid, 1).with_outside(Outside::Open)
}

const ARTS: [(&str, [u8; 3]); 6] = [
    ("red", [226, 30, 40]),
    ("green", [40, 170, 60]),
    ("white", [255, 255, 255]),
    ("black", [0, 0, 0]),
    ("gray", [128, 128, 128]),
    ("solid-red", [255, 32, 72]),
];

#[test]
fn solids_on_red_and_green_art_match_their_golden_picture() {
    // All six pictures are drawn separately and put side by side into one.
    let level = walls();
    let size = level.size();
    let mut all = RgbaImage::new(3 * size.x, 2 * size.y);
    for (index, (_, [red, green, blue])) in (0..).zip(ARTS) {
        let art = RgbaImage::from_pixel(size.x, size.y, Rgba([red, green, blue, 255]));
        let drawn =
            render::draw(&level, &DrawOptions { art: Some(&art), ..DrawOptions::default() })
                .unwrap();
        let (column, row) = (index % 3, index / 3);
        for (x, y, pixel) in drawn.enumerate_pixels() {
            all.put_pixel(column * size.x + x, row * size.y + y, *pixel);
        }
    }
    golden::check("sheet-arts", &enlarged(&all, 2));
}

/// Returns the distance between two colours: the length of their difference in red, green and blue.
fn distance(one: Rgba<u8>, other: Rgba<u8>) -> f64 {
    let squares = (0..3).map(|channel| f64::from(one[channel].abs_diff(other[channel])).powi(2));
    squares.sum::<f64>().sqrt()
}

/// At every edge, the pixel at the edge or a pixel beside it stands out from the art next to the solid. The
/// distance between black and white is 442. The distance between the tint on red art and the art was 46.
#[test]
fn the_edge_of_solids_stands_out_from_art_of_any_colour() {
    const LEAST: f64 = 110.0;
    for (name, [red, green, blue]) in ARTS {
        let color = Rgba([red, green, blue, 255]);
        for (level, scale) in
            [(walls(), 1), (walls(), 3), (level(".....\n.#.#.\n..##.\n.....", 8), 1)]
        {
            let level = level.with_outside(Outside::Open);
            let size = level.size().as_ivec2();
            let art = RgbaImage::from_pixel(size.x as u32, size.y as u32, color);
            let options = DrawOptions {
                art: Some(&art),
                overlay: Overlay::new(scale),
                ..DrawOptions::default()
            };
            let drawn = render::draw(&level, &options).unwrap();
            let mut edges = 0;
            for at in support::solid_pixels(&level) {
                for dir in Dir::ALL {
                    let (out, enlarge) = (dir.vector(), scale as i32);
                    let beside = at + out;
                    let inside = beside.cmpge(IVec2::ONE) & beside.cmplt(size - 1);
                    if level.is_solid(beside) || !inside.all() {
                        continue;
                    }
                    // `first` is the pixel at the edge, in the middle of the side. The pixels of the solid
                    // around it count too.
                    let middle = at * enlarge + enlarge / 2;
                    let first = middle + out * (enlarge / 2);
                    let pixel = |at: IVec2| *drawn.get_pixel(at.x as u32, at.y as u32);
                    let around = support::places(IVec2::splat(3)).map(|step| first + step - 1);
                    let solid = around.filter(|near| level.is_solid(*near / enlarge));
                    let best = solid.map(|near| distance(pixel(near), color)).fold(0.0, f64::max);
                    assert!(best >= LEAST, "{name}, scale {scale}, {at} {dir:?}: {best}");
                    assert_eq!(pixel(beside * enlarge + enlarge / 2), color, "{name}: {beside}");
                    edges += 1;
                }
            }
            assert!(edges > 20, "{edges}");
        }
    }
}

#[test]
fn areas_on_each_other_and_on_solids_match_their_golden_picture() {
    let area = |columns: std::ops::Range<u32>, rows: std::ops::Range<u32>| {
        let mut grid = Grid::new(20, 12).unwrap();
        grid.fill(columns, rows, true).unwrap();
        Terrain::new(grid, UVec2::splat(8)).unwrap()
    };
    let mut walls = Grid::new(20, 12).unwrap();
    walls.fill(0..20, 10..12, true).unwrap();
    let level = support::cells(walls, 8)
        .with_area("water", area(0..9, 5..11))
        .with_area("wind", area(6..13, 2..8))
        .with_solid_area("glass", area(11..17, 4..12), 2)
        .with_area("mud", area(15..20, 0..6))
        .with_area("ladder", area(2..4, 0..7))
        .with_area("heat", area(17..19, 3..12))
        .with_area("fog", area(6..9, 0..1));
    check_level(
        "areas",
        &level,
        Rgba([232, 228, 214, 255]),
        Overlay { legend: true, ..Overlay::new(2) },
    );
}

#[test]
fn a_mask_with_areas_a_grid_and_rulers_matches_its_golden_picture() {
    let plane = |text: &str| text.parse::<MaskPlane>().unwrap();
    let options = LoadOptions { planes: vec![plane("land=#ffffff")], ..LoadOptions::default() };
    let loaded = LoadedLevel::load(asset("harbor_mask.png"), &options).unwrap();
    let art = bitwall::load::load_picture(asset("harbor.png")).unwrap();
    let overlay = Overlay { grid: true, rulers: true, legend: true, ..Overlay::new(2) };
    let options =
        DrawOptions { art: Some(&art), overlay, name: Some("harbor"), ..DrawOptions::default() };
    let options = DrawOptions { region: Some(Aabb::from_xywh(200, 80, 150, 90)), ..options };
    golden::check("sheet-mask", &render::draw(&loaded, &options).unwrap());
}

#[test]
fn a_region_of_a_town_with_red_roofs_matches_its_golden_picture() {
    let loaded = LoadedLevel::load(asset("town.tmx"), &LoadOptions::default()).unwrap();
    let pictures = pictures(&loaded.maps, |path| bitwall::load::load_picture(path).ok());
    let overlay = Overlay { rulers: true, legend: true, ..Overlay::new(2) };
    let options = DrawOptions { pictures: Some(&pictures), overlay, ..DrawOptions::default() };
    let options = DrawOptions {
        name: Some("town.tmx"),
        region: Some(Aabb::from_xywh(124, 100, 220, 130)),
        ..options
    };
    golden::check("sheet-region", &render::draw(&loaded, &options).unwrap());
}

/// Tests a map of 6,400 x 4,800 px that is scaled down to a twentieth. Lines, letters and rulers keep their
/// size.
#[test]
fn a_huge_map_scaled_to_fit_matches_its_golden_picture() {
    let mut random = fastrand::Rng::with_seed(8);
    let rocks = support::scattered(&mut random, UVec2::new(400, 300), 60, UVec2::new(50, 40));
    let lakes = support::scattered(&mut random, UVec2::new(400, 300), 4, UVec2::new(90, 90));
    let lakes = Terrain::new(lakes, UVec2::splat(16)).unwrap();
    let ledge = support::scattered(&mut random, UVec2::new(400, 300), 12, UVec2::new(60, 1));
    let level = support::cells(rocks, 16).with_area("lake", lakes).with_one_way(Dir::Up, ledge);
    let overlay = Overlay { legend: true, rulers: true, ..Overlay::new(1) };
    let overlay = Overlay {
        body: Some(Aabb::from_xywh(100, 2_400, 200, 300)),
        motion: Some((Dir::Right, 3_000)),
        ..overlay
    };
    let options = DrawOptions { overlay, name: Some("huge"), ..DrawOptions::default() };
    let options = DrawOptions { fit: Some(UVec2::new(320, 240)), ..options };
    golden::check("sheet-huge", &render::draw(&level.unwrap(), &options).unwrap());
}

/// Rulers and the legend are within the box to fit, if it has room for them.
#[test]
fn a_fitted_picture_keeps_its_size_with_rulers_and_a_legend() {
    let high = level(&"#..\n".repeat(20), 16);
    let wide = level(&"#..".repeat(30), 16);
    for (level, room) in [(&high, [400, 300]), (&wide, [400, 300]), (&wide, [1_460, 200])] {
        let overlay = Overlay { rulers: true, legend: true, ..Overlay::new(1) };
        let options = DrawOptions { overlay, name: Some("fitted"), ..DrawOptions::default() };
        let fit = Some(room.into());
        let picture = render::draw(level, &DrawOptions { fit, ..options }).unwrap();
        let [x, y] = [picture.width(), picture.height()];
        assert!(x <= room[0] && y <= room[1], "{x} x {y} in {room:?}");
        assert!(x + 60 > room[0] || y + 60 > room[1], "{x} x {y} in {room:?}");
    }
    let options = DrawOptions { fit: Some(UVec2::new(40, 30)), ..DrawOptions::default() };
    let overlay = Overlay { legend: true, ..options.overlay };
    let picture = render::draw(&wide, &DrawOptions { overlay, ..options }).unwrap();
    assert!(picture.width() > 40, "a legend may be wider than a small box");
}

#[test]
fn a_grid_of_less_than_8_pixels_is_left_out() {
    for (side, scale, is_drawn) in [(8, 1, true), (7, 1, false), (4, 2, true), (3, 2, false)] {
        let level = level(&"......\n".repeat(4), side);
        let [with, without] = [true, false].map(|grid| {
            let overlay = Overlay { grid, ..Overlay::new(scale) };
            render::draw(&level, &DrawOptions { overlay, ..DrawOptions::default() }).unwrap()
        });
        assert_eq!(with != without, is_drawn, "cells of {side} px, {scale} times enlarged");
    }
}

#[test]
fn a_tiny_level_with_a_wide_legend_matches_its_golden_picture() {
    let overlay = Overlay { legend: true, rulers: true, grid: true, ..Overlay::new(4) };
    check_level("tiny", &level("#.", 4), SKY, overlay);
}

fn check_body(name: &str, body: Aabb) {
    let level = level("..........\n..........\n####......\n####......", 16)
        .with_area("water", terrain("..........\n.....###..\n.....###..\n..........", 16))
        .with_area("wind", terrain("......####\n......####\n..........\n..........", 16));
    check_level(name, &level, SKY, Overlay { body: Some(body), legend: true, ..Overlay::new(2) });
}

#[test]
fn a_body_in_a_wall_matches_its_golden_picture() {
    check_body("body-in-a-wall", Aabb::from_xywh(40, 20, 20, 24));
}

#[test]
fn a_body_in_two_areas_matches_its_golden_picture() {
    check_body("body-in-areas", Aabb::from_xywh(92, 20, 12, 14));
}

#[test]
fn a_body_beyond_the_level_matches_its_golden_picture() {
    check_body("body-beyond", Aabb::from_xywh(200, 20, 12, 14));
}

#[test]
fn crowded_labels_match_their_golden_picture() {
    let mut random = fastrand::Rng::with_seed(5);
    let loaded = support::load_all(
        &map(
            "",
            [20, 14],
            [16, 16],
            &(tileset([16, 16], 1, "")
                + &objects("Places", &{
                    let point = |number| {
                        let (x, y) = (random.i32(90..230), random.i32(70..160));
                        format!(
                            r#"<object id="{number}" name="place {number}" x="{x}" y="{y}"><point/></object>"#
                        )
                    };
                    (1..70).map(point).collect::<String>()
                })),
        ),
        &LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() },
    );
    let markers: &[Marker] = loaded.level.markers();
    assert_eq!(markers.len(), 69);
    let options = DrawOptions {
        overlay: Overlay { legend: true, ..Overlay::new(1) },
        ..DrawOptions::default()
    };
    golden::check("sheet-crowded", &render::draw(&loaded, &options).unwrap());
}

#[test]
fn a_path_and_a_numbered_finding_match_their_golden_picture() {
    let level = level("............\n....##......\n....##...#..\n............", 16);
    let options = DrawOptions { overlay: Overlay::new(2), ..DrawOptions::default() };
    let mut canvas = render::canvas(&level, &options).unwrap();
    let (green, orange) = (Rgba([0, 158, 115, 255]), Rgba([230, 159, 0, 255]));
    let violet = Rgba([150, 60, 190, 255]);
    canvas
        .fill_cells(&terrain("............\n............\n.###........\n..#.........", 16), violet);
    canvas.line(&[IVec2::new(8, 8), IVec2::new(8, 56), IVec2::new(88, 56)], green);
    canvas.arrow(IVec2::new(88, 56), IVec2::new(130, 20), green);
    let gap = Aabb::from_xywh(96, 16, 48, 32);
    canvas.fill(gap, Rgba([230, 159, 0, 80]));
    canvas.outline(gap, orange);
    canvas.badge(gap.center(), 1, orange);
    canvas.badge(IVec2::new(176, 50), 128, violet);
    canvas.label(gap, "48 px wide", orange);
    golden::check("sheet-canvas", &canvas.finish().unwrap());
}
