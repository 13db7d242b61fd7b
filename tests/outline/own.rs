//! Tests of the shapes as the author of a map drew them: their positions, flips and causes.

use bitwall::convert::{PlacedShape, ShapePurpose};
use bitwall::geometry::Point;
use bitwall::glam::{IVec2, UVec2};
use bitwall::raster::Outline;
use bitwall::rules::AreaRule;
use bitwall::{Grid, LoadOptions, LoadedLevel, Sides, Terrain};

use crate::support::{asset, layer, map, shaped, tileset};

/// Returns the points of a polygon. Panics if a point is not at whole pixels.
fn points(shape: &PlacedShape) -> Vec<IVec2> {
    let Outline::Polygon(points) = &shape.outline else { panic!("{shape:?}") };
    let whole = |point: &Point| {
        assert_eq!((point.x.millionths() % 1_000_000, point.y.millionths() % 1_000_000), (0, 0));
        IVec2::new(point.x.as_f64() as i32, point.y.as_f64() as i32)
    };
    points.iter().map(whole).collect()
}

/// Returns a terrain with the cells of the level into which the solid polygons are painted.
fn painted(loaded: &LoadedLevel) -> Terrain {
    let (size, cell) = (loaded.level.grid().size(), loaded.level.cell_size());
    let mut terrain = Terrain::new(Grid::new(size.x, size.y).unwrap(), cell).unwrap();
    for shape in loaded.shapes().unwrap() {
        if shape.purpose == ShapePurpose::Solid {
            terrain.paint(&points(&shape)[..], IVec2::ZERO).unwrap();
        }
    }
    terrain
}

fn decode(text: &str, options: &LoadOptions) -> LoadedLevel {
    LoadedLevel::decode("a.tmx", text.as_bytes(), (), options).unwrap()
}

#[test]
fn painting_the_drawn_polygons_gives_the_level_and_its_slopes() {
    // A pixel whose centre is exactly on a slope is solid in both of the mirrored tiles or in neither, but
    // painting sets it on the right side only. So the pixels of the slopes differ a little, and the
    // simplified outlines do not.
    let loaded = LoadedLevel::load(asset("hills.tmx"), &LoadOptions::default()).unwrap();
    let count = |terrain: &Terrain| -> usize {
        terrain.outlines().simplified(1.0).loops().map(|outline| outline.points.len()).sum()
    };
    assert_eq!((count(&painted(&loaded)), count(&loaded.level)), (20, 20));
    for name in ["cave.tmx", "town.tmx"] {
        let loaded = LoadedLevel::load(asset(name), &LoadOptions::default()).unwrap();
        assert_eq!(painted(&loaded).grid(), loaded.level.grid(), "{name}");
    }
}

/// Returns a row of 8 cells of 8 x 8 pixels, with a tile of these shapes in all eight flips.
fn in_all_flips(shapes: &str) -> LoadedLevel {
    let flags = [0u32, 1, 2, 3, 4, 5, 6, 7].map(|flips| (1 | flips << 29).to_string()).join(",");
    let content = tileset([8, 8], 1, &shaped(shapes)) + &layer(r#"name="Ground""#, [8, 1], &flags);
    decode(&map("", [8, 1], [8, 8], &content), &LoadOptions::default())
}

/// Twice the area of the triangle between two displacements: positive if the second is clockwise of the
/// first.
fn cross(a: Point, b: Point) -> f64 {
    a.x.as_f64() * b.y.as_f64() - a.y.as_f64() * b.x.as_f64()
}

#[test]
fn the_second_half_diameter_of_a_round_shape_is_clockwise_of_the_first_in_all_eight_flips() {
    // At 60 degrees, no coordinate of a diameter is 0.
    for turn in [0, 60] {
        let round = format!(
            r#"<object id="1" x="4" y="1" width="6" height="2" rotation="{turn}"><ellipse/></object>
            <object id="2" x="4" y="1" width="6" height="4" rotation="{turn}"><capsule/></object>"#
        );
        let shapes = in_all_flips(&round).shapes().unwrap();
        assert_eq!(shapes.len(), 16);
        for (index, shape) in shapes.iter().enumerate() {
            let (a, b, expected) = match shape.outline {
                Outline::Ellipse { a, b, .. } => (a, b, 3.0),
                Outline::Capsule { a, b, .. } => (a, b, 4.0),
                _ => panic!("{shape:?}"),
            };
            assert!((cross(a, b) - expected).abs() < 1e-4, "{turn} {index} {shape:?}");
        }
        if turn == 0 {
            let numbers = |point: Point| (point.x.as_f64(), point.y.as_f64());
            let Outline::Ellipse { centre, a, b } = shapes[0].outline else { panic!() };
            assert_eq!([centre, a, b].map(numbers), [(7.0, 2.0), (3.0, 0.0), (0.0, 1.0)]);
            let Outline::Capsule { centres, a, b } = shapes[1].outline else { panic!() };
            assert_eq!(centres.map(numbers), [(6.0, 3.0), (8.0, 3.0)]);
            assert_eq!([a, b].map(numbers), [(2.0, 0.0), (0.0, 2.0)]);
        }
    }
}

#[test]
fn a_slope_keeps_its_winding_in_all_eight_flips() {
    let slope = r#"<object id="1" x="0" y="0"><polygon points="0,8 8,8 8,4"/></object>"#;
    let loaded = in_all_flips(slope);
    let shapes = loaded.shapes().unwrap();
    assert_eq!(shapes.len(), 8);
    for (column, shape) in (0..).zip(&shapes) {
        let points = points(shape);
        assert!(super::grids::area(&points) > 0, "{points:?}");
        let cell = bitwall::Aabb::from_xywh(8 * column, 0, 9, 9);
        assert!(points.iter().all(|point| cell.contains(*point)), "{column} {points:?}");
        let cause = &shape.provenance;
        assert_eq!(cause.tile, Some(("t".to_owned(), 0)));
        assert_eq!((&*cause.layer, &*cause.because), ("Ground", "its collision shapes"));
    }
    assert_eq!(painted(&loaded).grid(), loaded.level.grid());
    assert_eq!(points(&shapes[0]), [[8, 4], [8, 8], [0, 8]].map(IVec2::from));
}

#[test]
fn shapes_of_objects_one_way_tiles_and_areas_say_their_use_and_their_source() {
    let content = r#"<objectgroup id="1" name="Collision" offsetx="2">
            <object id="7" x="1" y="2" width="10" height="4"/>
            <object id="8" x="20" y="0"><polygon points="0,0 0,8 8,8"/></object>
            <object id="9" x="3" y="12" width="9" height="2">
                <properties><property name="one_way" value="up"/></properties></object>
            <object id="10" x="30" y="4" width="6" height="2"><ellipse/></object>
        </objectgroup>
        <objectgroup id="2" name="water"><object id="11" x="0" y="8" width="5" height="5"/></objectgroup>"#;
    let options = LoadOptions { areas: vec![AreaRule::named("water")], ..LoadOptions::default() };
    let loaded = decode(&map("", [5, 2], [8, 8], content), &options);
    let shapes = loaded.shapes().unwrap();
    let objects: Vec<_> = shapes.iter().map(|shape| shape.provenance.object).collect();
    assert_eq!(objects, [7, 8, 9, 10, 11].map(Some));
    assert_eq!(points(&shapes[0]), [[3, 2], [13, 2], [13, 6], [3, 6]].map(IVec2::from));
    assert_eq!(points(&shapes[1]), [[30, 8], [22, 8], [22, 0]].map(IVec2::from), "turned");
    let up = Sides { up: true, down: false, left: false, right: false };
    assert_eq!(shapes[2].purpose, ShapePurpose::OneWay(up));
    assert!(matches!(shapes[3].outline, Outline::Ellipse { .. }));
    assert_eq!(shapes[4].purpose, ShapePurpose::Area("water".to_owned()));
    assert_eq!(shapes[4].provenance.because, "it is in the area `water`");
    let cells = r#"<layer name="Collision" width="8" height="1"><data encoding="csv">1,1,1,1,1,1,1,1</data></layer>"#;
    let few = LoadOptions {
        limits: bitwall::Limits { cells: 31, ..Default::default() },
        ..LoadOptions::default()
    };
    let text = map("", [8, 1], [8, 8], &(tileset([8, 8], 1, "") + cells));
    let error = decode(&text, &few).shapes().unwrap_err();
    assert!(error.to_string().contains("points in the shapes"), "{error}");
    let mask = LoadedLevel::load(asset("harbor_mask.png"), &LoadOptions::default()).unwrap();
    assert_eq!(mask.shapes().unwrap(), []);
    assert_eq!(mask.level.cell_size(), UVec2::ONE);
}
