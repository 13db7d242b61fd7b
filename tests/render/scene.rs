//! A map can be drawn by an engine from the list of everything that it draws. Painting each entry pixel by
//! pixel, with its public fields only, gives the picture of `render`.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use bitwall::LoadedLevel;
use bitwall::glam::{DVec2, UVec2};
use bitwall::image::{Rgba, RgbaImage};
use bitwall::load::{Reference, ReferenceKind, references};
use bitwall::render::{self, DrawOptions, Overlay};
use bitwall::tmx::{Drawing, Image, Paint, PlacedMap, flip};

use crate::render::sheet::pictures;
use crate::support::{self, asset, even_blank, layer, map, objects, tileset};

/// Returns the bounding box of the four corners of a drawing.
fn extent(drawing: &Drawing<'_>) -> (DVec2, DVec2) {
    let source = drawing.paint.size();
    let (place, half) = (drawing.transform(source), source.as_dvec2() / 2.0);
    let corners = [-half, DVec2::new(half.x, -half.y), half, DVec2::new(-half.x, half.y)];
    let corners = corners.map(|corner| place.transform_point2(corner));
    let ends = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    corners.into_iter().fold(ends, |(min, max), corner| (min.min(corner), max.max(corner)))
}

/// Paints a map as an engine would: each pixel of the screen gets the pixel of the drawing that lies at its
/// middle.
fn painted(map: &PlacedMap, size: UVec2, tiles: &RgbaImage) -> RgbaImage {
    let mut screen = RgbaImage::new(size.x, size.y);
    // The picture of an infinite map starts at the first cell of the map.
    let first = map.on_screen.unwrap_or_default().min.as_dvec2();
    let scene = map.map.scene(|_| Some(tiles.dimensions().into()));
    for drawing in scene.drawings() {
        let Paint::Picture { source, .. } = drawing.paint else {
            panic!("every tile has its picture");
        };
        let (place, half) = (drawing.transform(source.size()), source.size().as_dvec2() / 2.0);
        let back = place.inverse();
        for (x, y, below) in screen.enumerate_pixels_mut() {
            let at = DVec2::new(x.into(), y.into()) + 0.5 + first;
            let at = back.transform_point2(at) + half;
            if at.cmpge(DVec2::ZERO).all() && at.cmplt(half * 2.0).all() {
                let at = source.min.as_uvec2() + at.as_uvec2();
                let above = tiles.get_pixel(at.x, at.y);
                if above.0[3] > 0 {
                    *below = *above;
                }
            }
        }
    }
    screen
}

/// Creates a picture of four tiles of 24 x 16 pixels. All pixels differ, except that each tile has a
/// transparent corner.
fn sheet() -> RgbaImage {
    RgbaImage::from_fn(96, 16, |x, y| match (x % 24, y) {
        (0..6, 0..4) => Rgba([0; 4]),
        _ => Rgba([2 * x as u8, 13 * y as u8, 40 + 50 * (x / 24) as u8, 255]),
    })
}

const ORIENTATIONS: [(&str, [u32; 2]); 9] = [
    (r#"orientation="orthogonal""#, [16, 8]),
    (r#"orientation="orthogonal" renderorder="left-up""#, [16, 8]),
    (r#"orientation="isometric""#, [16, 8]),
    (r#"orientation="oblique" skewx="4" skewy="2""#, [16, 8]),
    (r#"orientation="staggered" staggeraxis="y" staggerindex="odd""#, [16, 8]),
    (r#"orientation="staggered" staggeraxis="x" staggerindex="even""#, [16, 8]),
    (r#"orientation="hexagonal" staggeraxis="y" staggerindex="even" hexsidelength="4""#, [16, 12]),
    (r#"orientation="hexagonal" staggeraxis="x" staggerindex="odd" hexsidelength="8""#, [16, 12]),
    (r#"orientation="orthogonal" infinite="1""#, [16, 8]),
];

/// Creates a map of 7 x 5 cells, some of them empty. It has tiles with all flips that are quarter turns, tile
/// objects that are mirrored, turned and enlarged, and layers with offsets in a group. All positions are
/// whole pixels on the screen, because each renderer rounds other positions in its own way.
fn varied(attributes: &str, tile: [u32; 2], random: &mut fastrand::Rng) -> LoadedLevel {
    let size = [7, 5];
    let is_hexagonal = attributes.contains("hexagonal");
    let mut cell = || {
        let flags = match is_hexagonal {
            true => [0, flip::HORIZONTAL, flip::VERTICAL, flip::DIAGONAL | flip::ROTATED]
                [random.usize(0..4)],
            false => random.u32(0..8) << 29,
        };
        match random.u32(0..6) {
            id @ 1..=4 => (id | flags).to_string(),
            _ => "0".to_owned(),
        }
    };
    let mut cells = |count: usize| (0..count).map(|_| cell()).collect::<Vec<_>>().join(",");
    let (back, front, hidden) = match attributes.contains("infinite") {
        true => {
            let mut chunk = |x, y| {
                let cells = cells(16);
                format!(r#"<chunk x="{x}" y="{y}" width="4" height="4">{cells}</chunk>"#)
            };
            (chunk(0, 0) + &chunk(4, 0), chunk(0, 4) + &chunk(4, 4), chunk(0, 0))
        }
        false => (cells(35), cells(35), cells(35)),
    };
    let shown = |id: u32, at: [i32; 2], more: &str| {
        format!(
            r#"<object id="{id}" gid="{}" x="{}" y="{}" {more}/>"#,
            id | (id << 30),
            at[0],
            at[1]
        )
    };
    let content = tileset([24, 16], 4, "")
        + &layer(r#"name="back" opacity="1" offsetx="4" offsety="-2""#, size, &back)
        + r#"<group offsetx="2" visible="1">"#
        + &layer(r#"name="front""#, size, &front)
        + &layer(r#"name="hidden" visible="0""#, size, &hidden)
        + "</group>"
        + &objects(
            "o",
            &(shown(1, [16, 40], r#"width="24" height="16""#)
                + &shown(2, [40, 30], r#"width="48" height="16" rotation="90""#)
                + &shown(3, [32, 20], r#"width="24" height="32" rotation="-180""#)),
        );
    support::load_all(&map(attributes, size, tile, &content), &even_blank())
}

#[test]
fn drawing_the_listed_tiles_one_by_one_gives_the_picture_of_render() {
    let (mut random, tiles) = (fastrand::Rng::with_seed(34), sheet());
    for (attributes, tile) in ORIENTATIONS {
        for _ in 0..6 {
            let loaded = varied(attributes, tile, &mut random);
            let pictures = pictures(&loaded.maps, |_| Some(tiles.clone()));
            let options = DrawOptions {
                pictures: Some(&pictures),
                overlay: Overlay::none(1),
                ..DrawOptions::default()
            };
            let expected = render::draw(&loaded, &options).unwrap();
            let found = painted(&loaded.maps[0], expected.dimensions().into(), &tiles);
            assert!(expected.pixels().filter(|pixel| pixel.0[3] > 0).count() > 500);
            let differ = expected.pixels().zip(found.pixels()).filter(|(a, b)| a != b).count();
            assert_eq!(differ, 0, "{attributes}: of {:?}", expected.dimensions());
        }
    }
}

#[test]
fn drawings_in_an_area_are_the_drawings_of_the_map_that_touch_it_in_the_same_order() {
    let mut random = fastrand::Rng::with_seed(35);
    let mut left_out = 0;
    for (attributes, tile) in ORIENTATIONS {
        let loaded = varied(attributes, tile, &mut random);
        let scene = loaded.map().unwrap().scene(|_| Some(UVec2::new(96, 16)));
        let key = |drawing: Drawing<'_>| (drawing.center.to_array(), drawing.tile, drawing.degrees);
        let all: Vec<_> = scene.drawings().collect();
        for _ in 0..40 {
            let min = DVec2::new(random.f64(), random.f64()) * 160.0 - 40.0;
            let max = min + DVec2::new(random.f64(), random.f64()) * 60.0;
            let found: Vec<_> = scene.drawings_in(min, max).map(key).collect();
            let mut rest = found.iter();
            for drawing in &all {
                let (first, last) = extent(drawing);
                if first.cmplt(max).all() && last.cmpgt(min).all() {
                    let wanted = key(*drawing);
                    assert!(
                        rest.any(|it| *it == wanted),
                        "{attributes}: {wanted:?} in {min} {max}"
                    );
                }
            }
            left_out += all.len() - found.len();
        }
    }
    // The cells of an isometric or staggered map come in a box around the area, so fewer are left out.
    assert!(left_out > 500, "{left_out}");
}

/// Tests opacity, tint, the frames of an animation, and a tile whose picture is missing or too small.
#[test]
fn a_drawing_has_the_opacity_tint_frames_and_missing_pictures_of_its_tile() {
    let animated = r#"<tile id="1"><animation><frame tileid="3" duration="90"/>
        <frame tileid="2" duration="90"/></animation></tile><tile id="7" class="lost"/>"#;
    let content = tileset([24, 16], 4, animated)
        + r##"<group name="g" opacity="0.5" tintcolor="#ff0000">"##
        + &layer(r#"name="l" opacity="0.5""#, [4, 1], "2,8,9,2147483649")
        + "</group>"
        + r#"<imagelayer name="sky" repeatx="1" offsetx="3"><image source="sky.png"/></imagelayer>"#;
    let lenient = bitwall::LoadOptions { lenient: true, ..even_blank() };
    let loaded = support::load_all(&map("", [4, 1], [24, 16], &content), &lenient);
    let map = loaded.map().unwrap();
    let names: Vec<_> = map.drawn_images().iter().map(|image| image.source.clone()).collect();
    assert_eq!(names, ["sky.png", "t.png"]);
    let size = |image: &Image| match &*image.source {
        "t.png" => Some(UVec2::new(96, 16)),
        _ => Some(UVec2::new(10, 20)),
    };
    let scene = map.scene(size);
    let drawings: Vec<_> = scene.drawings().collect();
    let paints: Vec<_> = drawings.iter().map(|drawing| drawing.paint).collect();
    let part = |paint: Paint<'_>| match paint {
        Paint::Picture { source, .. } => source.min.x,
        other => panic!("{other:?}"),
    };
    assert_eq!((part(paints[0]), drawings[0].tile), (72, Some((0, 1))));
    assert_eq!(part(scene.tile_paint(0, 2)), 48);
    assert_eq!((paints[1], paints[2]), (Paint::Plain([255; 4]), Paint::Missing));
    assert!(drawings[3].flip_x && !drawings[3].flip_y);
    assert_eq!((drawings[0].opacity, drawings[0].tint), (0.25, Some([255, 0, 0, 255])));
    let sky = drawings[4];
    assert_eq!((sky.tile, sky.repeat, sky.center), (None, (true, false), DVec2::new(8.0, 10.0)));
    let without = map.scene(|_| None);
    assert!(without.drawings().all(|drawing| drawing.paint == Paint::Missing));
    assert_eq!(without.drawings().count(), 4, "an image layer without its picture draws nothing");
}

/// `references` lists all pictures that are needed to draw a bundled map, from its file and the files it
/// names.
#[test]
fn references_list_the_art_that_a_map_draws() {
    let mut compared = 0;
    for name in ["cave.tmx", "hills.tmx", "town.tmx", "bricks.tmx", "platforms.tmx"] {
        let path = asset(name);
        let mut open = references(&path, &fs::read(&path).unwrap());
        let mut listed = BTreeSet::new();
        while let Some(Reference { path, kind }) = open.pop() {
            match kind {
                ReferenceKind::Art => drop(listed.insert(path)),
                _ => open.extend(references(&path, &fs::read(&path).unwrap())),
            }
        }
        let loaded = LoadedLevel::load(&path, &even_blank()).unwrap();
        let drawn: Vec<&PathBuf> =
            loaded.map().unwrap().drawn_images().iter().map(|image| &image.path).collect();
        assert!(!drawn.is_empty() && drawn.iter().all(|path| listed.contains(*path)), "{name}");
        compared += drawn.len();
    }
    assert!(compared >= 5, "{compared}");
}
