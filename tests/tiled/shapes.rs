//! Solids that are finer than a tile: the shapes of a tile in every orientation, tile objects, shapes of
//! objects, and areas.

use std::collections::BTreeSet;

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Dir, Level, LoadOptions, Outside, Terrain, rules::AreaRule};

use crate::support::{self, layer, objects, one_cell, places, shaped, tileset};

type Pixels = BTreeSet<(i32, i32)>;

const H: u32 = 1 << 31;
const V: u32 = 1 << 30;
const D: u32 = 1 << 29;

/// Collision shapes in a picture. Their edges and ends are on the centres of pixels and beside them.
const SHAPES: [&str; 8] = [
    r#"<object id="1" x="0.5" y="0.5"><polygon points="0,0 5,0 5,3 2,5"/></object>"#,
    r#"<object id="1" x="1.25" y="0.75"><polygon points="0,0 3.5,1 6,4.5 -1,3"/></object>"#,
    r#"<object id="1" x="0.5" y="1" width="6" height="4.5"><ellipse/></object>"#,
    r#"<object id="1" x="2" y="0" width="5" height="2.5" rotation="30"/>"#,
    r#"<object id="1" x="0" y="0"><polyline points="0.5,0.5 6.5,3.5 2,5"/></object>"#,
    r#"<object id="1" x="0.5" y="1.5" width="7" height="3"><capsule/></object>"#,
    r#"<object id="1" x="3.5" y="2.25"><point/></object>"#,
    r#"<object id="1" x="1" y="1" width="2.5" height="3"/><object id="2" x="4" y="-1" width="2" height="9"/>"#,
];

/// The sizes of the picture of a tile, in pixels. A cell is 8 x 6 pixels.
const SIZES: [[i32; 2]; 5] = [[8, 6], [8, 8], [16, 12], [5, 9], [21, 7]];

/// Returns a map of 12 x 12 cells of 8 x 6 pixels, with one tile of `size` pixels.
fn map(size: [i32; 2], tile: &str, layers: &str) -> String {
    let tileset = tileset(size, 1, tile);
    support::map("", [12, 12], [8, 6], &(tileset + layers))
}

fn load(map: &str) -> Level {
    let options = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
    support::load(map, &LoadOptions { outside: Outside::Open.into(), ..options })
}

/// Returns the solid pixels, relative to `from`.
fn pixels(terrain: &Terrain, from: IVec2) -> Pixels {
    let solid = places(terrain.size().as_ivec2()).filter(|pixel| terrain.is_solid(*pixel));
    solid.map(|pixel| (pixel - from).into()).collect()
}

/// Returns a layer with one tile in the cell (5, 6).
fn in_a_cell(gid: u32) -> String {
    let cells = one_cell([12, 12], [5, 6], gid);
    layer(r#"name="L""#, [12, 12], &cells)
}

/// The bottom-left corner of the cell (5, 6), in pixels.
const CORNER: IVec2 = IVec2::new(5 * 8, 7 * 6);

/// Returns an object layer with a tile object at (`x`, `y`).
fn tile_object(gid: u32, x: f64, y: f64, more: &str) -> String {
    objects("Walls", &format!(r#"<object id="7" gid="{gid}" x="{x}" y="{y}" {more}/>"#))
}

/// Turns the pixels of a tile of `size` pixels, counted from its bottom-left corner, by its flags. First rows
/// and columns are exchanged, then left and right, then top and bottom.
fn turned(picture: &Pixels, size: [i32; 2], flags: u32) -> Pixels {
    let [mut w, mut h] = size;
    let mut turned: Pixels = picture.clone();
    if flags & D != 0 {
        turned = turned.into_iter().map(|(x, y)| (y + h, x - w)).collect();
        (w, h) = (h, w);
    }
    if flags & H != 0 {
        turned = turned.into_iter().map(|(x, y)| (w - 1 - x, y)).collect();
    }
    if flags & V != 0 {
        turned = turned.into_iter().map(|(x, y)| (x, -1 - h - y)).collect();
    }
    turned
}

/// Calls `check` for every tile with shapes: with its size, its XML text, and the pixels that it covers if it
/// is not turned, counted from its bottom-left corner.
fn each_tile(mut check: impl FnMut([i32; 2], &str, &Pixels)) {
    for size in SIZES {
        for shapes in SHAPES {
            let tile = shaped(shapes);
            let upright = pixels(&load(&map(size, &tile, &in_a_cell(1))), CORNER);
            assert!(!upright.is_empty());
            check(size, &tile, &upright);
        }
    }
}

#[test]
fn the_shapes_of_a_tile_turn_with_each_combination_of_flags() {
    let mut different = BTreeSet::new();
    each_tile(|size, tile, upright| {
        for flags in (0..8).map(|flags| flags << 29) {
            let level = load(&map(size, tile, &in_a_cell(1 | flags)));
            assert_eq!(level.cell_size(), UVec2::ONE);
            let expected = turned(upright, size, flags);
            assert_eq!(pixels(&level, CORNER), expected, "{flags:x} of {size:?} {tile}");
            different.insert(expected);
        }
    });
    assert!(different.len() > 200, "{}", different.len());
}

#[test]
fn a_tile_object_covers_the_same_pixels_as_the_tile_in_a_cell() {
    each_tile(|size, tile, upright| {
        for flags in (0..8).map(|flags| flags << 29) {
            let [w, h] = if flags & D != 0 { [size[1], size[0]] } else { size };
            let (x, y) = (f64::from(CORNER.x), f64::from(CORNER.y));
            for more in [String::new(), format!(r#"width="{w}" height="{h}""#)] {
                // An object states the size of its picture before it is turned.
                if !more.is_empty() && flags & D != 0 && w != h {
                    continue;
                }
                let object = tile_object(1 | flags, x, y, &more);
                let level = load(&map(size, tile, &object));
                let expected = turned(upright, size, flags);
                assert_eq!(pixels(&level, CORNER), expected, "{flags:x} of {size:?} {tile}");
            }
        }
    });
}

/// Tiled turns a tile object clockwise about its position, which is the bottom-left corner of the picture.
#[test]
fn a_tile_object_rotated_by_right_angles_covers_the_rotated_pixels() {
    // In these shapes no centre of a pixel is on an edge.
    let shapes = [
        r#"<object id="1" x="0.25" y="0.25"><polygon points="0,0 5,0 5.25,3.125 2.125,5"/></object>"#,
        r#"<object id="1" x="0.125" y="1.0625" width="6.25" height="4.375"><ellipse/></object>"#,
        r#"<object id="1" x="2.0625" y="0" width="5" height="2.625" rotation="30"/>"#,
    ];
    for size in SIZES {
        for shapes in shapes {
            let tile = shaped(shapes);
            let upright = pixels(&load(&map(size, &tile, &in_a_cell(1))), CORNER);
            let mut expected = upright.clone();
            for degrees in [90, 180, 270, 360] {
                expected = expected.into_iter().map(|(x, y)| (-1 - y, x)).collect();
                for sign in [degrees, degrees - 360, degrees + 3_600] {
                    let more = format!(r#"rotation="{sign}""#);
                    let object = tile_object(1, f64::from(CORNER.x), f64::from(CORNER.y), &more);
                    let found = pixels(&load(&map(size, &tile, &object)), CORNER);
                    assert_eq!(found, expected, "{sign} of {size:?} {tile}");
                }
            }
        }
    }
}

/// True if the centre of a pixel is in a polygon, whose points are in quarters of a pixel. `None` if the
/// centre is on an edge.
fn naive(points: &[(i64, i64)], pixel: (i32, i32)) -> Option<bool> {
    let (x, y) = (i64::from(pixel.0) * 4 + 2, i64::from(pixel.1) * 4 + 2);
    let mut inside = false;
    for (index, &(bx, by)) in points.iter().enumerate() {
        let (ax, ay) = points[(index + points.len() - 1) % points.len()];
        let side = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        let within = |a: i64, b: i64, at: i64| a.min(b) <= at && at <= a.max(b);
        if side == 0 && within(ax, bx, x) && within(ay, by, y) {
            return None;
        }
        if (ay <= y) != (by <= y) {
            inside ^= (side > 0) == (by > ay);
        }
    }
    Some(inside)
}

/// Writes the points of a polygon, which are in quarters of a pixel, in pixels.
fn points(points: &[(i64, i64)]) -> String {
    let quarters = |value: i64| value as f64 / 4.0;
    let points = points.iter().map(|(x, y)| format!("{},{}", quarters(*x), quarters(*y)));
    points.collect::<Vec<_>>().join(" ")
}

fn random_points(random: &mut fastrand::Rng) -> Vec<(i64, i64)> {
    let count = random.usize(3..7);
    (0..count).map(|_| (random.i64(-30..60), random.i64(-30..60))).collect()
}

/// Compares the level with the pixels that the polygon covers, and returns how many were compared.
fn check_polygon(level: &Level, polygon: &[(i64, i64)], what: &str) -> u32 {
    let mut checked = 0;
    let mut any = false;
    let mut faults = Vec::new();
    for y in 0..72 {
        for x in 0..96 {
            if let Some(inside) = naive(polygon, (x, y)) {
                checked += u32::from(inside);
                any |= inside;
                if level.is_solid(IVec2::new(x, y)) != inside {
                    faults.push((x, y));
                }
            }
        }
    }
    // A polygon that contains no centre is drawn as its outline.
    assert!(!any || faults.is_empty(), "{what}: {faults:?}");
    checked
}

/// A polygon covers the pixels whose centres are in it: as an object, on layers and in groups that are moved
/// by fractions of a pixel, and as a tile object, in its own size and scaled.
#[test]
fn a_polygon_covers_the_pixels_whose_centres_are_in_it() {
    let mut random = fastrand::Rng::with_seed(21);
    let mut checked = [0; 3];
    for _ in 0..300 {
        let polygon = random_points(&mut random);
        let at = (random.i64(60..240), random.i64(60..200));
        let off = (random.i64(-9..9), random.i64(-9..9));
        let moved = |by: (i64, i64), scale: (i64, i64)| -> Vec<(i64, i64)> {
            let point = |(x, y): &(i64, i64)| (x * scale.0 + by.0, y * scale.1 + by.1);
            polygon.iter().map(point).collect()
        };
        let quarters = |value: i64| value as f64 / 4.0;
        let shape = format!(r#"<polygon points="{}"/>"#, points(&polygon));
        let group = format!(
            r#"<group offsetx="{}" offsety="{}"><objectgroup name="walls" offsetx="0.25" offsety="-0.5">
            <object id="1" x="{}" y="{}">{shape}</object></objectgroup></group>"#,
            quarters(off.0 - 1),
            quarters(off.1 + 2),
            quarters(at.0),
            quarters(at.1)
        );
        let level = load(&map([8, 6], "", &group));
        let expected = moved((at.0 + off.0, at.1 + off.1), (1, 1));
        checked[0] += check_polygon(&level, &expected, "an object");

        // The picture is 16 x 12 pixels, and its bottom-left corner is at the position of the object.
        let tile = shaped(&format!(r#"<object id="1" x="0" y="0">{shape}</object>"#));
        let object = tile_object(1, quarters(at.0), quarters(at.1), "");
        let level = load(&map([16, 12], &tile, &object));
        let expected = moved((at.0, at.1 - 48), (1, 1));
        checked[1] += check_polygon(&level, &expected, "a tile object");
        let (sx, sy) = (random.i64(1..4), random.i64(1..4));
        let size = format!(r#"width="{}" height="{}""#, 16 * sx, 12 * sy);
        let object = tile_object(1, quarters(at.0), quarters(at.1), &size);
        let level = load(&map([16, 12], &tile, &object));
        let expected = moved((at.0, at.1 - 48 * sy), (sx, sy));
        checked[2] += check_polygon(&level, &expected, "a scaled tile object");
    }
    assert!(checked.iter().all(|count| *count > 10_000), "{checked:?}");
}

#[test]
fn shapes_that_fill_whole_cells_keep_the_cell_size_of_the_map() {
    let full = r#"<object id="1" x="0" y="0" width="8" height="6"/>"#;
    let whole = shaped(full);
    let wall = objects("O", r#"<object id="1" type="wall" x="16" y="12" width="8" height="18"/>"#);
    for (tile, layers) in [
        (whole.as_str(), in_a_cell(1 | H)),
        ("", wall.clone()),
        (whole.as_str(), format!("{wall}{}", tile_object(1, 24.0, 18.0, ""))),
        (r#"<tile id="0" type="wall"/>"#, format!("{wall}{}", in_a_cell(1 | D))),
    ] {
        let level = load(&map([8, 6], tile, &layers));
        assert_eq!(level.cell_size(), UVec2::new(8, 6), "{tile} {layers}");
        assert!(level.grid().solid_count() > 0);
    }
    // The polygons start at different corners, and one is too large or too small by less than half a pixel.
    for points in
        ["8,6 0,6 0,0 8,0", "0,0 0,6 8,6 8,0", "-0.25,0.25 8.25,0.25 8.25,6.25 -0.25,6.25"]
    {
        let polygon =
            format!(r#"<object id="1" x="0" y="0"><polygon points="{points}"/></object>"#);
        let level = load(&map([8, 6], &shaped(&polygon), &in_a_cell(1 | V)));
        assert_eq!(level.cell_size(), UVec2::new(8, 6), "{points}");
    }
    for points in ["0,0 8,0 8,6 0,5.25", "0,0 8,0 0,6 8,6", "0,0 8.75,0 8.75,6 0,6"] {
        let polygon =
            format!(r#"<object id="1" x="0" y="0"><polygon points="{points}"/></object>"#);
        let level = load(&map([8, 6], &shaped(&polygon), &in_a_cell(1)));
        assert_eq!(level.cell_size(), UVec2::ONE, "{points}");
    }
    let beside = tile_object(1, 24.75, 18.0, "");
    assert_eq!(load(&map([8, 6], &whole, &beside)).cell_size(), UVec2::ONE);
}

/// An area and solids that are made of the same objects have the same pixels and give the same answers.
#[test]
fn queries_of_an_area_and_of_equal_solids_give_the_same_answers() {
    let options = LoadOptions {
        allow_nothing_solid: true,
        outside: Outside::Open.into(),
        areas: vec![AreaRule::named("zone")],
        ..LoadOptions::default()
    };
    let mut random = fastrand::Rng::with_seed(2);
    for shapes in SHAPES {
        let ellipse = r#"<object id="2" type="CLASS" x="50.5" y="9" width="13" height="9.5"><ellipse/></object>"#;
        let content = |class: &str, layer: &str| {
            let tile = shaped(shapes).replace("id=\"0\"", &format!(r#"id="0" type="{class}""#));
            let layers =
                in_a_cell(1 | V | D) + &tile_object(1 | H, 20.0, 30.0, "") + &objects("O", ellipse);
            let layers = layers.replace("CLASS", class).replace("Walls", layer);
            support::load(&map([8, 6], &tile, &layers), &options)
        };
        let (zoned, solid) = (content("zone", "O"), content("other", "Walls"));
        assert_eq!(zoned.grid().solid_count(), 0);
        let zone = zoned.area("zone").unwrap();
        let walls = pixels(&solid, IVec2::ZERO);
        let ellipse: Pixels = pixels(zone, IVec2::ZERO).difference(&walls).copied().collect();
        assert!(!walls.is_empty() && ellipse.iter().all(|(x, y)| *x >= 50 && *y <= 19));
        for _ in 0..200 {
            let body = bitwall::Aabb::from_xywh(random.i32(0..40), random.i32(0..60), 3, 4);
            let dir = [Dir::Left, Dir::Up, Dir::Down][random.usize(0..3)];
            assert_eq!(zone.sweep(body, dir, 30), solid.sweep(body, dir, 30));
            assert_eq!(zone.overlaps(body), solid.overlaps(body));
        }
    }
}
