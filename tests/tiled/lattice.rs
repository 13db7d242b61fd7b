//! Cells that are not rectangles, and shapes in maps that are not orthogonal, are compared with polygons in
//! floats that Tiled's own formulas give.

use bitwall::glam::{DMat2, DVec2, IVec2};
use bitwall::{Level, LoadOptions, Outside, tmx::Space};

use crate::support::{self, layer, objects, places, shaped, tileset};

/// The number of columns and rows of the maps.
const SIDE: i32 = 5;

/// A map of [`SIDE`] x [`SIDE`] cells.
struct Map {
    /// The attributes that set the orientation of the map.
    attributes: String,
    tile: [i32; 2],
    space: Space,
    /// The solid polygon of the tile in its picture. If it is empty, the whole cell is solid.
    shape: Vec<DVec2>,
    /// The size of the picture of the tile, if the tile has a shape.
    picture: [i32; 2],
}

impl Map {
    /// Creates the level in which only the cell `solid` has a tile, or every cell if `solid` is `None`.
    fn with_tile(&self, flags: u32, solid: Option<[i32; 2]>) -> Level {
        let cells = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| [x, y]));
        let cells = cells.map(|cell| match solid {
            Some(only) if only != cell => "0".to_owned(),
            _ => (1 | flags).to_string(),
        });
        let data = cells.collect::<Vec<_>>().join(",");
        self.load(&layer(r#"name="L""#, [SIDE, SIDE], &data))
    }

    fn load(&self, layers: &str) -> Level {
        let tile = match self.shape.is_empty() {
            true => r#"<tile id="0" type="wall"/>"#.to_owned(),
            false => shaped(&polygon(&self.shape, DVec2::ZERO, "")),
        };
        let content = tileset(self.picture, 1, &tile) + layers;
        let map = support::map(&self.attributes, [SIDE, SIDE], self.tile, &content);
        let mut options = LoadOptions { outside: Outside::Open.into(), ..LoadOptions::default() };
        options.allow_nothing_solid = true;
        options.space = self.space;
        support::load(&map, &options)
    }
}

/// Returns an object that is a polygon.
fn polygon(points: &[DVec2], at: DVec2, more: &str) -> String {
    let points = points.iter().map(|point| format!("{},{}", point.x, point.y));
    let points = points.collect::<Vec<_>>().join(" ");
    let (x, y) = (at.x, at.y);
    format!(r#"<object id="1" x="{x}" y="{y}" {more}><polygon points="{points}"/></object>"#)
}

/// True if a point is inside a polygon. `None` if the point is so near to an edge that rounding could matter.
fn naive(points: &[DVec2], at: DVec2) -> Option<bool> {
    let mut inside = false;
    for (index, &b) in points.iter().enumerate() {
        let a = points[(index + points.len() - 1) % points.len()];
        let along = ((at - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        if at.distance(a + (b - a) * along) < 1e-4 {
            return None;
        }
        if (a.y <= at.y) != (b.y <= at.y) {
            inside ^= at.x < a.x + (b.x - a.x) * (at.y - a.y) / (b.y - a.y);
        }
    }
    Some(inside)
}

/// Compares every pixel of the level with a polygon. The points are in pixels of the map.
fn check(level: &Level, points: &[DVec2], what: &dyn Fn() -> String) {
    let mut found = 0;
    for pixel in places(level.size().as_ivec2()) {
        let centre = (pixel + level.origin()).as_dvec2() + 0.5;
        if let Some(inside) = naive(points, centre) {
            assert_eq!(level.is_solid(pixel), inside, "{pixel} of {}", what());
            found += u32::from(inside);
        }
    }
    assert!(found > 0, "{}", what());
}

/// Returns the polygon of a cell in a staggered or hexagonal map, whose hexagons have sides of length `side`.
fn staggered(
    is_x: bool,
    is_odd: bool,
    [w, h]: [i32; 2],
    side: i32,
    [x, y]: [i32; 2],
) -> Vec<DVec2> {
    let (side_x, side_y) = if is_x { (side, 0) } else { (0, side) };
    let (off_x, off_y) = ((w - side_x) / 2, (h - side_y) / 2);
    let (column, row) = (off_x + side_x, off_y + side_y);
    let (w, h) = (column + off_x, row + off_y);
    let is_shifted = (if is_x { x } else { y } % 2 == 1) == is_odd;
    let (left, top) = match (is_x, is_shifted) {
        (true, shifted) => (x * column, y * (h + side_y) + if shifted { row } else { 0 }),
        (false, shifted) => (x * (w + side_x) + if shifted { column } else { 0 }, y * row),
    };
    let (w, h, side) = (f64::from(w), f64::from(h), f64::from(side));
    let corner = DVec2::new(f64::from(left), f64::from(top));
    let (low, high) = if is_x {
        ((w - side) / 2.0, (w + side) / 2.0)
    } else {
        ((h - side) / 2.0, (h + side) / 2.0)
    };
    let own = match is_x {
        true => [(low, 0.0), (high, 0.0), (w, h / 2.0), (high, h), (low, h), (0.0, h / 2.0)],
        false => [(w / 2.0, 0.0), (w, low), (w, high), (w / 2.0, h), (0.0, high), (0.0, low)],
    };
    own.iter().map(|point| corner + DVec2::from(*point)).collect()
}

/// Returns how many cells cover each pixel, and compares each cell with its polygon.
fn count_cells(map: &Map, polygon: &dyn Fn([i32; 2]) -> Vec<DVec2>) -> Vec<Vec<u32>> {
    let mut counts = Vec::new();
    for y in 0..SIDE {
        for x in 0..SIDE {
            let level = map.with_tile(0, Some([x, y]));
            let size = level.size().as_ivec2();
            counts.resize(size.y as usize, vec![0; size.x as usize]);
            check(&level, &dedup(polygon([x, y])), &|| {
                format!("cell {x}, {y} of {}, {:?}", map.attributes, map.tile)
            });
            for (y, row) in (0..).zip(&mut counts) {
                for (x, count) in (0..).zip(row) {
                    *count += u32::from(level.is_solid(IVec2::new(x, y)));
                }
            }
        }
    }
    let all = map.with_tile(0, None);
    for (y, row) in (0..).zip(&counts) {
        for (x, count) in (0..).zip(row) {
            assert_eq!(all.is_solid(IVec2::new(x, y)), *count > 0);
        }
    }
    counts
}

/// Returns the points without adjacent duplicates.
fn dedup(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.dedup();
    if points.first() == points.last() {
        points.pop();
    }
    points
}

/// Asserts that the cells leave out no pixel and cover none twice, except along the border of the map.
fn assert_tiled(counts: &[Vec<u32>], [w, h]: [i32; 2], what: &str) {
    let (w, h) = (w as usize, h as usize);
    let rows = &counts[h..counts.len() - h];
    let inner = rows.iter().flat_map(|row| &row[w..row.len() - w]);
    assert!(
        inner.clone().count() > 20 && inner.clone().all(|count| *count == 1),
        "{what}: {counts:?}"
    );
}

#[test]
fn staggered_and_hexagonal_cells_cover_each_pixel_once() {
    let sizes = [[8, 6], [12, 8], [10, 16], [7, 5], [9, 6], [8, 7], [13, 11]];
    for tile in sizes {
        for (is_x, is_odd) in [(false, true), (false, false), (true, true), (true, false)] {
            for side in [0, 2, 3, 4] {
                let (axis, index) =
                    (if is_x { "x" } else { "y" }, if is_odd { "odd" } else { "even" });
                let orientation = match side {
                    0 => r#"orientation="staggered""#.to_owned(),
                    _ => format!(r#"orientation="hexagonal" hexsidelength="{side}""#),
                };
                let map = Map {
                    attributes: format!(
                        r#"{orientation} staggeraxis="{axis}" staggerindex="{index}""#
                    ),
                    tile,
                    space: Space::Map,
                    shape: Vec::new(),
                    picture: [1, 1],
                };
                let polygon = |cell| staggered(is_x, is_odd, tile, side, cell);
                let counts = count_cells(&map, &polygon);
                if side % 2 == 0 {
                    assert_tiled(&counts, tile, &map.attributes);
                }
            }
        }
    }
}

/// Returns the point on the screen of a corner of a cell in an isometric map.
fn isometric([w, h]: [i32; 2], x: f64, y: f64) -> DVec2 {
    let (w, h) = (f64::from(w), f64::from(h));
    DVec2::new((x - y) * w / 2.0 + f64::from(SIDE) * w / 2.0, (x + y) * h / 2.0)
}

/// Returns the four corners of a cell, each mapped by `place`.
fn corners([x, y]: [i32; 2], place: &dyn Fn(f64, f64) -> DVec2) -> Vec<DVec2> {
    let (x, y) = (f64::from(x), f64::from(y));
    [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
        .map(|(right, down)| place(x + right, y + down))
        .to_vec()
}

#[test]
fn isometric_and_oblique_cells_cover_each_screen_pixel_once() {
    for tile in [[8, 4], [12, 8], [16, 6], [6, 10]] {
        let map = Map {
            attributes: r#"orientation="isometric""#.to_owned(),
            tile,
            space: Space::Screen,
            shape: Vec::new(),
            picture: [1, 1],
        };
        let place = |x: f64, y: f64| isometric(tile, x, y);
        let counts = count_cells(&map, &|cell| corners(cell, &place));
        // The corners of the screen are empty, so only pixels well inside the large diamond are checked.
        let middle = |side: usize| side / 2 - 3..side / 2 + 3;
        for row in &counts[middle(counts.len())] {
            assert!(row[middle(row.len())].iter().all(|count| *count == 1), "{counts:?}");
        }
        for (skew_x, skew_y) in [(3, 0), (0, -2), (-5, 1), (2, 3)] {
            let map = Map {
                attributes: format!(r#"orientation="oblique" skewx="{skew_x}" skewy="{skew_y}""#),
                tile,
                space: Space::Screen,
                shape: Vec::new(),
                picture: [1, 1],
            };
            let (w, h) = (f64::from(tile[0]), f64::from(tile[1]));
            let place = |x: f64, y: f64| {
                DVec2::new(x * w + y * f64::from(skew_x), y * h + x * f64::from(skew_y))
            };
            let counts = count_cells(&map, &|cell| corners(cell, &place));
            assert!(counts.iter().flatten().all(|count| *count <= 1));
        }
    }
}

/// Returns a random polygon in or near a picture of this size. Its coordinates are multiples of a quarter
/// pixel.
fn random_shape(random: &mut fastrand::Rng, [w, h]: [i32; 2]) -> Vec<DVec2> {
    let mut quarter = |side: i32| f64::from(random.i32(-8..side * 4 + 8)) / 4.0;
    let mut shape = Vec::new();
    // The last points make it so large that it contains centres of pixels even if it is squeezed.
    shape.resize_with(5, || DVec2::new(quarter(w), quarter(h)));
    shape.push(DVec2::ZERO);
    shape.push(DVec2::new(f64::from(w), 0.0));
    shape
}

/// Returns the points of a shape in a picture that is placed with `flags`, relative to the picture's
/// bottom-left corner. On hexagonal maps the last two flags turn the picture about its middle. On other maps
/// the third flag exchanges rows and columns.
fn flipped(shape: &[DVec2], [w, h]: [i32; 2], flags: u32, is_hexagonal: bool) -> Vec<DVec2> {
    let flag = |bit: u32| flags >> bit & 1 == 1;
    let (mut w, mut h) = (f64::from(w), f64::from(h));
    let mut points = shape.to_vec();
    if flag(29) && !is_hexagonal {
        points = points.iter().map(|point| DVec2::new(point.y, point.x)).collect();
        (w, h) = (h, w);
    }
    let degrees = match is_hexagonal {
        true => 60.0 * f64::from(flags >> 29 & 1) + 120.0 * f64::from(flags >> 28 & 1),
        false => 0.0,
    };
    let (turn, middle) = (DVec2::from_angle(f64::to_radians(degrees)), DVec2::new(w, h) / 2.0);
    let place = |mut point: DVec2| {
        point.x = if flag(31) { w - point.x } else { point.x };
        point.y = if flag(30) { h - point.y } else { point.y };
        middle + turn.rotate(point - middle) - DVec2::new(0.0, h)
    };
    points.into_iter().map(place).collect()
}

#[test]
fn shapes_of_hexagonal_tiles_turn_by_60_and_120_degrees() {
    let mut random = fastrand::Rng::with_seed(60);
    for round in 0..60 {
        let (is_x, tile) = (round % 2 == 0, [[14, 12], [9, 15]][round / 2 % 2]);
        let picture = [tile, [20, 11]][round / 4 % 2];
        let axis = if is_x { "x" } else { "y" };
        let map = Map {
            attributes: format!(
                r#"orientation="hexagonal" hexsidelength="6" staggeraxis="{axis}" staggerindex="odd""#
            ),
            tile,
            space: Space::Map,
            shape: random_shape(&mut random, picture),
            picture,
        };
        for flags in (0..16).map(|flags| flags << 28) {
            let cell = [2, 1 + (flags >> 31) as i32];
            let hexagon = staggered(is_x, true, tile, 6, cell);
            let corner = hexagon.iter().fold(DVec2::new(f64::MAX, 0.0), |corner, point| {
                DVec2::new(corner.x.min(point.x), corner.y.max(point.y))
            });
            let points = flipped(&map.shape, picture, flags, true);
            let points: Vec<DVec2> = points.into_iter().map(|point| point + corner).collect();
            check(&map.with_tile(flags, Some(cell)), &points, &|| {
                format!("{flags:x} of {}", map.attributes)
            });
        }
    }
}

/// Tiled's formulas project the points to the screen and back into the map's own space.
#[test]
fn shapes_on_isometric_maps_are_solid_where_their_pictures_are_drawn() {
    let mut random = fastrand::Rng::with_seed(4);
    for round in 0..60 {
        let tile = [[16, 8], [12, 10]][round % 2];
        let picture = [tile, [16, 20]][round / 2 % 2];
        let (w, h) = (f64::from(tile[0]), f64::from(tile[1]));
        for space in [Space::Map, Space::Screen] {
            let map = Map {
                attributes: r#"orientation="isometric""#.to_owned(),
                tile,
                space,
                shape: random_shape(&mut random, picture),
                picture,
            };
            let on_level = |screen: DVec2| {
                let (x, y) = ((screen.x - f64::from(SIDE) * w / 2.0) / w, screen.y / h);
                match space {
                    Space::Map => DVec2::new((y + x) * h, (y - x) * h),
                    Space::Screen => screen,
                }
            };
            for flags in (0..8).map(|flags| flags << 29) {
                let corner = isometric(tile, 2.0, 2.0) + DVec2::new(-w / 2.0, h);
                let points = flipped(&map.shape, picture, flags, false);
                let points: Vec<DVec2> =
                    points.into_iter().map(|point| on_level(point + corner)).collect();
                check(&map.with_tile(flags, Some([2, 2])), &points, &|| {
                    format!("{flags:x} of {tile:?} in {space:?}")
                });
            }
            // The middle of the bottom of a tile object is at the object's position, and the object turns
            // about this point.
            let at = DVec2::new(
                f64::from(random.i32(60..90)) / 4.0,
                f64::from(random.i32(60..90)) / 4.0,
            );
            let degrees = [0, 30, 90, -145][round % 4];
            let object = format!(
                r#"<object id="1" gid="1" x="{}" y="{}" rotation="{degrees}"/>"#,
                at.x, at.y
            );
            let turn = DVec2::from_angle(f64::from(degrees).to_radians());
            let middle = DVec2::new(f64::from(picture[0]) / 2.0, f64::from(picture[1]));
            let place = isometric(tile, at.x / h, at.y / h);
            let stand = |point: &DVec2| on_level(place + turn.rotate(*point - middle));
            let points: Vec<DVec2> = map.shape.iter().map(stand).collect();
            check(&map.load(&objects("Walls", &object)), &points, &|| {
                format!("an object at {at} by {degrees} in {space:?}")
            });
            // The coordinates of a shape are in the map's own space.
            let object = polygon(&map.shape, at, r#"type="wall""#);
            let own = map.shape.iter().map(|point| match space {
                Space::Map => at + *point,
                Space::Screen => isometric(tile, (at.x + point.x) / h, (at.y + point.y) / h),
            });
            let level = map.load(&objects("O", &object));
            check(&level, &own.collect::<Vec<_>>(), &|| format!("a shape at {at} in {space:?}"));
        }
    }
}

/// Pictures are upright on the screen, so they are sheared back in the map's own space.
#[test]
fn shapes_on_oblique_maps_are_solid_where_their_pictures_are_drawn() {
    let mut random = fastrand::Rng::with_seed(5);
    for round in 0..48 {
        let tile = [[16, 8], [12, 10]][round % 2];
        let picture = [tile, [16, 20]][round / 2 % 2];
        let (skew_x, skew_y) = [(3, 0), (0, -2), (-5, 1), (2, 3)][round / 4 % 4];
        let (w, h) = (f64::from(tile[0]), f64::from(tile[1]));
        let shear = DMat2::from_cols(
            DVec2::new(1.0, f64::from(skew_y) / w),
            DVec2::new(f64::from(skew_x) / h, 1.0),
        );
        for space in [Space::Map, Space::Screen] {
            let map = Map {
                attributes: format!(r#"orientation="oblique" skewx="{skew_x}" skewy="{skew_y}""#),
                tile,
                space,
                shape: random_shape(&mut random, picture),
                picture,
            };
            let on_level = |screen: DVec2| match space {
                Space::Map => shear.inverse() * screen,
                Space::Screen => screen,
            };
            let all = |points: &[DVec2]| points.iter().map(|at| on_level(*at)).collect::<Vec<_>>();
            let what = |kind: &str| format!("{kind} of {} in {space:?}", map.attributes);
            for flags in (0..8).map(|flags| flags << 29) {
                let corner = shear * DVec2::new(2.0 * w, 3.0 * h);
                let mut points = flipped(&map.shape, picture, flags, false);
                points.iter_mut().for_each(|point| *point += corner);
                let level = map.with_tile(flags, Some([2, 2]));
                check(&level, &all(&points), &|| what(&format!("{flags:x}")));
            }
            let mut quarter = || f64::from(random.i32(60..90)) / 4.0;
            let (at, offset) = (DVec2::new(quarter(), quarter()), DVec2::new(quarter(), 4.0));
            let degrees = [0, 30, 90, -145][round % 4];
            let (turn, pivot) = (DVec2::from_angle(f64::from(degrees).to_radians()), shear * at);
            let group = |object: &str| {
                let (x, y) = (offset.x, offset.y);
                map.load(&format!(
                    r#"<objectgroup name="Walls" offsetx="{x}" offsety="{y}">{object}</objectgroup>"#
                ))
            };
            // The bottom-left corner of a tile object is at the object's position, and the object turns about
            // this point.
            let (x, y) = (at.x, at.y);
            let object =
                format!(r#"<object id="1" gid="1" x="{x}" y="{y}" rotation="{degrees}"/>"#);
            let corner = DVec2::new(0.0, f64::from(picture[1]));
            let turned = |point: &DVec2| pivot + turn.rotate(*point - corner) + offset;
            let points: Vec<DVec2> = map.shape.iter().map(turned).collect();
            check(&group(&object), &all(&points), &|| what("a tile object"));
            // A shape is sheared first and turned then.
            let more = format!(r#"type="wall" rotation="{degrees}""#);
            let turned = |point: &DVec2| pivot + turn.rotate(shear * *point) + offset;
            let points: Vec<DVec2> = map.shape.iter().map(turned).collect();
            let level = group(&polygon(&map.shape, at, &more));
            check(&level, &all(&points), &|| what("a shape"));
        }
    }
}
