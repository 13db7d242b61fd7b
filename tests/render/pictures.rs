//! Tests of pictures: golden pictures of the sample levels, and properties that every picture has.

use bitwall::glam::{DVec2, IVec2, UVec2};
use bitwall::image::{Rgba, RgbaImage, imageops};
use bitwall::render::{self, DrawOptions, Overlay, Pictures, RenderError};
use bitwall::tmx::PlacedMap;
use bitwall::{Aabb, Dir, Grid, Level, LoadOptions, LoadedLevel, Outside, Sides};

use super::golden;
use crate::support::{self, layer, map, objects, one_cell, tileset};

const LAYER: &str = r#"name="l""#;

/// Loads a map and the pictures that it needs.
fn load(path: &str) -> (LoadedLevel, Pictures) {
    let options = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
    let loaded = LoadedLevel::load(path, &options).unwrap_or_else(|error| panic!("{error}"));
    let paths = render::picture_paths(&loaded.maps[0]);
    let load = |path: std::path::PathBuf| (path.clone(), bitwall::load::load_picture(path).ok());
    let pictures = paths.into_iter().map(load).collect();
    (loaded, pictures)
}

fn art(path: &str) -> (LoadedLevel, RgbaImage) {
    let (loaded, pictures) = load(path);
    let art = art_alone(&loaded, &pictures).expect("it is small");
    (loaded, art)
}

fn art_alone(loaded: &LoadedLevel, pictures: &Pictures) -> Result<RgbaImage, RenderError> {
    let overlay = Overlay::none(1);
    let options = DrawOptions { pictures: Some(pictures), overlay, ..DrawOptions::default() };
    render::draw(loaded, &options)
}

fn lay_over(
    level: &Level,
    maps: &[PlacedMap],
    art: Option<RgbaImage>,
    overlay: &Overlay,
) -> Result<RgbaImage, RenderError> {
    let options = DrawOptions { art: art.as_ref(), overlay: *overlay, ..DrawOptions::default() };
    render::draw((level, maps), &options)
}

/// Draws a map that is written in the test. `picture` is the only picture that the map may name.
fn draw(tmx: &str, picture: Option<RgbaImage>) -> RgbaImage {
    draw_with_level(tmx, picture).1
}

fn draw_with_level(tmx: &str, picture: Option<RgbaImage>) -> (LoadedLevel, RgbaImage) {
    let options = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
    let loaded = support::load_all(tmx, &options);
    let paths = render::picture_paths(&loaded.maps[0]).into_iter();
    let pictures = paths.map(|path| (path, picture.clone())).collect();
    let art = art_alone(&loaded, &pictures).expect("it is small");
    (loaded, art)
}

/// Creates a picture in which all pixels differ.
fn motley(width: u32, height: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| Rgba([x as u8 * 8, y as u8 * 8, 100, 255]))
}

#[test]
fn the_art_of_the_cave_matches_its_golden_picture() {
    golden::check("cave-art", &art("assets/cave.tmx").1);
}

#[test]
fn the_art_of_the_platforms_matches_its_golden_picture() {
    golden::check("platforms-art", &art("assets/platforms.tmx").1);
}

#[test]
fn the_art_of_the_town_matches_its_golden_picture() {
    golden::check("town-art", &art("assets/town.tmx").1);
}

#[test]
fn the_art_of_the_bricks_matches_its_golden_picture() {
    golden::check("bricks-art", &art("assets/bricks.tmx").1);
}

#[test]
fn the_cave_with_a_sweep_matches_its_golden_picture() {
    let (loaded, art) = art("assets/cave.tmx");
    let overlay = Overlay {
        body: Some(Aabb::from_xywh(114, 340, 12, 20)),
        motion: Some((Dir::Right, 400)),
        ..Overlay::new(1)
    };
    golden::check(
        "cave-sweep",
        &lay_over(&loaded.level, &loaded.maps, Some(art), &overlay).expect("small"),
    );
}

const EVERY_OVERLAY: &str = r#"<map version="1.10" orientation="orthogonal" width="16" height="10"
 tilewidth="8" tileheight="8">
 <tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="1" columns="1">
  <image source="t.png" width="8" height="8"/></tileset>
 <objectgroup name="Walls">
  <object id="1" x="0" y="64" width="128" height="16"/>
  <object id="2" x="96" y="24" width="8" height="40"/>
  <object id="3" x="32" y="16" width="24" height="8"/>
 </objectgroup>
 <objectgroup name="Places">
  <object id="4" name="start" x="12" y="60"><point/></object>
  <object id="5" name="start again" x="14" y="58"><point/></object>
  <object id="6" name="goal &#x202e;&#10;x" x="108" y="40" width="16" height="24"/>
  <object id="7" type="class only" x="120" y="4"><point/></object>
  <object id="8" x="64" y="4"><point/></object>
  <object id="9" name="far away" x="4000" y="4"><point/></object>
 </objectgroup>
</map>"#;

fn check_every_overlay(name: &str, overlay: Overlay) {
    let outside = Sides::all(Outside::Solid).with(Dir::Up, Outside::Open);
    let options = LoadOptions { outside, ..LoadOptions::default() };
    let loaded = support::load_all(EVERY_OVERLAY, &options);
    let picture = lay_over(&loaded.level, &loaded.maps, None, &overlay);
    golden::check(name, &picture.expect("small"));
}

const BODY: Aabb = Aabb::from_xywh(40, 40, 10, 14);

#[test]
fn markers_and_a_body_match_their_golden_picture() {
    check_every_overlay("overlay-1", Overlay { body: Some(BODY), ..Overlay::new(1) });
}

#[test]
fn a_sweep_against_a_wall_matches_its_golden_picture() {
    check_every_overlay(
        "overlay-3",
        Overlay { body: Some(BODY), motion: Some((Dir::Right, 70)), ..Overlay::new(3) },
    );
}

#[test]
fn a_sweep_beyond_the_level_matches_its_golden_picture() {
    check_every_overlay(
        "overlay-4",
        Overlay { body: Some(BODY), motion: Some((Dir::Up, u32::MAX)), ..Overlay::new(4) },
    );
}

#[test]
fn each_flip_turns_a_tile_like_the_crate_image() {
    for (width, height) in [(8, 8), (8, 12), (12, 8)] {
        let tile = motley(width, height);
        for flags in 0..8u32 {
            let mut expected = tile.clone();
            if flags & 1 != 0 {
                // The diagonal flip exchanges rows and columns.
                expected = imageops::flip_horizontal(&imageops::rotate90(&expected));
            }
            if flags & 4 != 0 {
                expected = imageops::flip_horizontal(&expected);
            }
            if flags & 2 != 0 {
                expected = imageops::flip_vertical(&expected);
            }
            let cells = layer(LAYER, [1, 2], &format!("0,{}", (flags << 29) | 1));
            let content = tileset([width as i32, height as i32], 1, "") + &cells;
            let tmx = map("", [1, 2], [16, 16], &content);
            let picture = draw(&tmx, Some(tile.clone()));
            let top = 32 - expected.height();
            let drawn = imageops::crop_imm(&picture, 0, top, expected.width(), expected.height());
            assert!(drawn.to_image() == expected, "{width} x {height}, flags {flags:03b}");
            let clear = picture.pixels().filter(|pixel| pixel[3] == 0).count() as u32;
            assert_eq!(clear, 16 * 32 - width * height, "nothing else is drawn");
        }
    }
}

#[test]
fn a_tile_object_turns_by_quarters_around_its_position() {
    // A tile object of 6 x 4 pixels, drawn at its own size and turned by quarter turns around (20, 20).
    let tile = motley(6, 4);
    for quarters in 0..4 {
        let object = format!(
            r#"<object id="1" gid="1" x="20" y="20" width="6" height="4" rotation="{}"/>"#,
            quarters * 90
        );
        let content = tileset([6, 4], 1, "") + &objects("o", &object);
        let tmx = map("", [4, 4], [10, 10], &content);
        let picture = draw(&tmx, Some(tile.clone()));
        let (expected, x, y) = match quarters {
            0 => (tile.clone(), 20, 16),
            1 => (imageops::rotate90(&tile), 20, 20),
            2 => (imageops::rotate180(&tile), 14, 20),
            _ => (imageops::rotate270(&tile), 16, 14),
        };
        let (width, height) = expected.dimensions();
        let drawn = imageops::crop_imm(&picture, x, y, width, height).to_image();
        assert!(drawn == expected, "{quarters} quarters");
        assert_eq!(picture.pixels().filter(|pixel| pixel[3] != 0).count(), 24);
    }
}

#[test]
fn a_tile_is_drawn_where_the_projection_puts_its_cell() {
    let odd = r#"staggeraxis="y" staggerindex="odd""#;
    let even = r#"staggeraxis="x" staggerindex="even""#;
    for (orientation, more) in [
        ("orthogonal", ""),
        ("isometric", ""),
        ("staggered", odd),
        ("staggered", even),
        ("hexagonal", r#"staggeraxis="y" staggerindex="even" hexsidelength="6""#),
        ("hexagonal", r#"staggeraxis="x" staggerindex="odd" hexsidelength="4""#),
        ("oblique", r#"skewx="6" skewy="4""#),
    ] {
        for (column, row) in [(0, 0), (2, 1), (1, 3), (3, 2)] {
            let cells = layer(LAYER, [4, 4], &one_cell([4, 4], [column, row], 1));
            let attributes = format!(r#"orientation="{orientation}" {more}"#);
            let content = tileset([20, 12], 1, "") + &cells;
            let tmx = map(&attributes, [4, 4], [20, 12], &content);
            let (level, picture) = draw_with_level(&tmx, Some(motley(20, 12)));
            let projection = level.map().expect("a map").projection();
            let cell = IVec2::new(column as i32, row as i32);
            let corner = match orientation {
                // The top corner of the diamond is in the middle of the tile's upper side.
                "isometric" => projection.cell_to_screen(cell) - DVec2::new(10.0, 0.0),
                // The bottom-left corner of a tile is at the bottom-left corner of its cell. The tile itself
                // is not sheared.
                "oblique" => projection.cell_to_screen(cell + IVec2::Y) - DVec2::new(0.0, 12.0),
                _ => projection.cell_to_screen(cell),
            };
            let drawn = picture.enumerate_pixels().filter(|(_, _, pixel)| pixel[3] != 0);
            let (x, y) = drawn
                .fold((u32::MAX, u32::MAX), |(left, top), (x, y, _)| (left.min(x), top.min(y)));
            let found = DVec2::new(f64::from(x), f64::from(y));
            assert_eq!(found, corner, "{orientation} {more}, cell {cell}");
        }
    }
}

#[test]
fn a_tile_is_found_with_spacing_and_margin_and_without_columns() {
    let sheet = motley(2 + 3 * 5 - 1, 2 + 2 * 5 - 1);
    for columns in ["", r#"columns="3""#] {
        for id in 0..6u32 {
            let tileset = format!(
                r#"<tileset firstgid="1" name="t" tilewidth="4" tileheight="4" spacing="1" margin="1"
                tilecount="6" {columns}><image source="t.png" width="16" height="11"/></tileset>"#
            );
            let cells = layer(LAYER, [1, 1], &(id + 1).to_string());
            let tmx = map("", [1, 1], [4, 4], &(tileset + &cells));
            let (x, y) = (1 + id % 3 * 5, 1 + id / 3 * 5);
            let expected = imageops::crop_imm(&sheet, x, y, 4, 4).to_image();
            assert!(draw(&tmx, Some(sheet.clone())) == expected, "tile {id}, {columns}");
        }
    }
}

/// Creates a map with an empty cell and a cell whose picture is missing.
fn with_a_missing_picture() -> String {
    let content = tileset([9, 9], 1, "") + &layer(LAYER, [2, 1], "0,1");
    map("", [2, 1], [9, 9], &content)
}

#[test]
fn a_missing_picture_is_drawn_as_a_checkerboard_without_red() {
    let picture = draw(&with_a_missing_picture(), None);
    assert_eq!(picture.get_pixel(8, 4)[3], 0, "the empty cell");
    let shown: Vec<Rgba<u8>> = (9..18).map(|x| *picture.get_pixel(x, 4)).collect();
    assert!(shown.iter().all(|pixel| pixel[3] > 0 && pixel[0].abs_diff(pixel[2]) < 10));
    assert!(shown[..3] == [shown[0]; 3] && shown[3..7] == [shown[3]; 4] && shown[0] != shown[3]);
}

#[test]
fn the_legend_names_outlines_and_missing_pictures_once() {
    let size = |shapes: &str, missing: usize| {
        let content = tileset([9, 9], 1, "") + &objects("o", shapes);
        let loaded = support::load_all(&map("", [90, 1], [9, 9], &content), &support::even_blank());
        let pictures: Pictures =
            (0..missing).map(|at| (format!("{at}.png").into(), None)).collect();
        let overlay = Overlay { legend: true, ..Overlay::default() };
        let options = DrawOptions { pictures: Some(&pictures), overlay, ..DrawOptions::default() };
        let picture = render::draw(&loaded, &options).expect("it is small");
        let legend = imageops::crop_imm(&picture, 0, 9, picture.width(), picture.height() - 9);
        (picture.height(), legend.to_image())
    };
    let line = r#"<object x="1" y="1"><polyline points="0,0 9,5"/></object>"#;
    let (plain, shape, missing) = (size("", 0), size(line, 0), size("", 1));
    assert!(plain.1 != shape.1 && plain.1 != missing.1);
    assert_eq!((size(&line.repeat(9), 0).0, size("", 166).0), (shape.0, missing.0));
}

#[test]
fn the_collision_picture_is_the_level_pixel_for_pixel() {
    let mut random = fastrand::Rng::with_seed(7);
    for (size, cell) in
        [((67, 5), (3, 7)), ((130, 9), (1, 1)), ((9, 70), (24, 1)), ((1, 1), (5, 2))]
    {
        let mut grid = Grid::new(size.0, size.1).expect("small");
        for row in 0..size.1 {
            for column in 0..size.0 {
                grid.set(column, row, random.bool()).unwrap();
            }
        }
        let level = Level::from_grid(grid, UVec2::from(cell)).expect("small");
        let picture = render::collision(&level).expect("small");
        assert_eq!(UVec2::from(picture.dimensions()), level.size());
        for (x, y, pixel) in picture.enumerate_pixels() {
            let solid = level.is_solid(IVec2::new(x as i32, y as i32));
            assert_eq!(pixel[0], if solid { 0 } else { 255 }, "x {x}, y {y}");
        }
    }
}

#[test]
fn a_scale_repeats_every_pixel() {
    let small = motley(5, 3);
    let level = support::cells(support::grid(".....\n.....\n....."), 1);
    let art = Some(small.clone());
    let large = lay_over(&level, &[], art.clone(), &Overlay::none(3)).expect("small");
    assert_eq!(large.dimensions(), (15, 9));
    for (x, y, pixel) in large.enumerate_pixels() {
        assert_eq!(pixel, small.get_pixel(x / 3, y / 3));
    }
    assert_eq!(lay_over(&level, &[], art, &Overlay::none(0)), Ok(small));
}

#[test]
fn a_picture_that_is_too_large_is_an_error_with_its_numbers() {
    let level = Level::from_grid(Grid::new(40, 40).expect("small"), UVec2::splat(1 << 16));
    let level = level.expect("it fits u32");
    let side = 40 << 16;
    for (picture, limit) in [
        (render::collision(&level).err(), render::MAX_GRAY_PIXELS),
        (lay_over(&level, &[], None, &Overlay::new(1)).err(), render::MAX_PIXELS),
    ] {
        let (width, height) = (side, side);
        assert_eq!(picture, Some(RenderError::TooManyPixels { width, height, limit }));
    }
    let overlay = Overlay::new(u32::MAX);
    assert!(lay_over(&level, &[], None, &overlay).is_err());
    let (level, art) =
        (Level::from_grid(Grid::new(4, 4).expect("small"), UVec2::ONE), motley(4, 5));
    let error = lay_over(&level.expect("small"), &[], Some(art), &overlay).expect_err("sizes");
    assert_eq!(error.to_string(), "the art is 4 x 5 px, but the level is 4 x 4 px");
}

#[test]
fn a_sweep_of_any_box_and_step_can_be_drawn() {
    let level = support::cells(support::grid("#.\n.."), 6).with_outside(Outside::Open);
    let ends = [i32::MIN, -7, 0, 5, i32::MAX];
    for dir in Dir::ALL {
        for (x, y) in ends.into_iter().flat_map(|x| ends.map(|y| (x, y))) {
            for (size, step) in [(1, 3), (i32::MAX, u32::MAX), (0, 0)] {
                let body = Aabb::from_xywh(x, y, size, size);
                let overlay =
                    Overlay { body: Some(body), motion: Some((dir, step)), ..Overlay::new(2) };
                assert!(lay_over(&level, &[], None, &overlay).is_ok(), "{body:?} {dir:?} {step}");
            }
        }
    }
}
