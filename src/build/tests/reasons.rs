//! Tests of the reasons why a pixel is solid or one-way, and of the work to find them.

use super::*;
use crate::tmx::{Orientation, Space};

/// Draws the pixels with a reason as `#`.
fn explained(built: &Built, options: &LoadOptions) -> String {
    let mut explainer = MapExplainer::new(&built.maps[0], &built.tile_counts[0], options).unwrap();
    let size = built.level.size().as_ivec2();
    let mut rows = Vec::new();
    for y in 0..size.y {
        let has_reason = |x| explainer.explain(IVec2::new(x, y)).is_some();
        let row: String =
            (0..size.x).map(has_reason).map(|has| if has { '#' } else { '.' }).collect();
        rows.push(row);
    }
    rows.join("\n")
}

/// The skew may be larger than a tile. The cells then overlap, lie on one line, or change their order.
#[test]
fn a_strongly_skewed_map_has_a_reason_for_every_solid_pixel() {
    const SIDE: usize = 30;
    let mut options = options();
    options.space = Space::Screen;
    let tiles = [(0, tile(&["solid"], Vec::new())), (1, tile(&[], vec![rectangle([1, 0, 3, 10])]))];
    let mut cells = [0; SIDE * SIDE];
    for (column, row, gid) in [(0, 0, 1), (29, 0, 2), (14, 15, 1), (0, 29, 2), (29, 29, 1)] {
        cells[row * SIDE + column] = gid;
    }
    for (skew_x, skew_y) in [(9, 7), (-9, 7), (9, -7), (-9, -7), (14, 13), (-14, -13), (10, 10)] {
        let layer = tile_layer("Ground", SIDE as u32, &cells);
        let mut map = map([SIDE as u32; 2], tileset([10, 10], tiles.clone()), vec![layer]);
        map.orientation = Orientation::Oblique { skew_x, skew_y };
        let built = build_one(&map, &options).unwrap();
        let (counts, size) = (&built.tile_counts[0], built.level.size().as_ivec2());
        let mut explainer = MapExplainer::new(&built.maps[0], counts, &options).unwrap();
        let all = (0..size.y).flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y)));
        let solid: Vec<IVec2> = all.filter(|pixel| built.level.is_solid(*pixel)).collect();
        for pixel in &solid {
            assert!(explainer.explain(*pixel).is_some(), "{skew_x} {skew_y}: {pixel}");
        }
        // At a skew of (10, 10), the cells have no area and lie on one line.
        assert!(solid.len() >= 90, "{skew_x} {skew_y}: {}", solid.len());
    }
}

#[test]
fn a_one_way_shape_has_a_reason_only_along_its_guarded_sides() {
    let mut ledge = tile(&[], vec![rectangle([0, 0, 2, 4])]);
    let sides = Property::new(PropertyValue::Text("top right".to_owned()));
    ledge.properties = [("one_way".to_owned(), sides)].into();
    let set = tileset([4, 4], [(0, ledge)]);
    let map = map([2, 1], set, vec![tile_layer("Ground", 2, &[1, 0])]);
    let built = build_one(&map, &options()).unwrap();
    assert_eq!(explained(&built, &options()), "##......\n.#......\n.#......\n.#......");
    assert_eq!(check_reasons(&options(), &built), 5);
}

#[test]
fn a_lenient_build_leaves_out_an_object_that_shows_an_unknown_tile() {
    let lost = Object { gid: Some(99), ..rectangle([0, 4, 4, 4]) };
    let wall = Object { id: 8, ..rectangle([4, 0, 4, 4]) };
    let map = map([2, 1], tileset([4, 4], []), vec![object_layer("Walls", vec![lost, wall])]);
    let error = build_one(&map, &options()).unwrap_err();
    assert!(matches!(error.kind, LoadErrorKind::UnknownTile { gid: 99, .. }));
    assert_eq!((error.place.layer.as_deref(), error.place.object), (Some("Walls"), Some(7)));
    let mut options = options();
    (options.lenient, options.areas) = (true, Vec::new());
    let built = build_one(&map, &options).unwrap();
    assert_eq!(built.level.grid().to_string(), ".#");
    let [warning] = &built.warnings[..] else { panic!("{:?}", built.warnings) };
    assert_eq!(warning.place.object, Some(7));
    assert_eq!(check_reasons(&options, &built), 1);
    let mut shapes = Vec::new();
    add_shapes(&built.maps[0], &built.tile_counts[0], &options, &mut shapes).unwrap();
    let objects: Vec<_> = shapes.iter().map(|shape| shape.provenance.object).collect();
    assert_eq!(objects, [Some(8)]);
}

/// The limit of work is for the rows that a wall covers in a square, not for its rows beside the square.
#[cfg(feature = "baked")]
#[test]
fn a_wall_beside_a_square_adds_one_step_to_the_work_of_the_square() {
    let work = |walls: &[Object]| {
        let walls = object_layer("Walls", walls.to_vec());
        let map = map([2, 1], tileset([64, 64], []), vec![walls]);
        let (options, mut spent) = (options(), Spent::default());
        let built = build_one(&map, &options).unwrap();
        let mut explainer =
            MapExplainer::new(&built.maps[0], &built.tile_counts[0], &options).unwrap();
        let rest = vec![u64::MAX; 64];
        let mut square = CellSquare { corner: IVec2::ZERO, cell: UVec2::ONE, rest };
        let found = explainer.explain_square(&mut square, &mut spent, &options.limits).unwrap();
        assert!(!found.is_empty());
        spent.work
    };
    let near = rectangle([0, 0, 2, 3]);
    let one = work(std::slice::from_ref(&near));
    for shape in [Shape::Rectangle, Shape::Ellipse] {
        let with = |place| work(&[near.clone(), object(place, shape.clone())]);
        assert_eq!(with([70, 0, 20, 40]), one + 1, "right of the square");
        assert!(with([63, 0, 20, 40]) > one + 40, "a column of it is in the square");
    }
}

#[cfg(feature = "baked")]
#[test]
fn a_square_of_large_cells_has_the_reasons_of_their_top_left_pixels() {
    let place = object([2, 3, 30, 50], Shape::Ellipse);
    let set = tileset([64, 64], [(0, tile(&[], vec![place.clone()]))]);
    let scaled = Object { gid: Some(1), ..rectangle([40, 60, 64, 64]) };
    let walls = vec![rectangle([50, 1, 9, 61]), object([20, 40, 40, 20], Shape::Ellipse), scaled];
    let layers = vec![tile_layer("Ground", 2, &[1, 1]), object_layer("Walls", walls)];
    let (map, options) = (map([2, 1], set, layers), options());
    let built = build_one(&map, &options).unwrap();
    let mut explainer = MapExplainer::new(&built.maps[0], &built.tile_counts[0], &options).unwrap();
    for (corner, cell) in
        [([0, 0], [1, 1]), ([0, 0], [3, 4]), ([30, 1], [4, 3]), ([-9, -8], [5, 4])]
    {
        let (corner, cell) = (IVec2::from(corner), IVec2::from(cell));
        let mut square = CellSquare { corner, cell: cell.as_uvec2(), rest: vec![0xffff; 16] };
        let (spent, limits) = (&mut Spent::default(), Limits::default());
        let mut reasons = vec![None; 16 * 16];
        for (key, row, cells) in explainer.explain_square(&mut square, spent, &limits).unwrap() {
            for column in (0..16).filter(|column| cells >> column & 1 != 0) {
                let reason = explainer.provenance(key);
                assert!(reason.is_some() && reasons[row * 16 + column].is_none());
                reasons[row * 16 + column] = reason;
            }
        }
        for (index, reason) in (0..).zip(&reasons) {
            let at = IVec2::new(index % 16, index / 16);
            let expected = explainer.explain(corner + at * cell);
            assert_eq!(*reason, expected, "{corner} {cell} {at}");
            let is_left = square.rest[at.y as usize] >> at.x & 1 != 0;
            assert_eq!(is_left, expected.is_none(), "{corner} {cell} {at}");
        }
        assert!(reasons.iter().any(Option::is_some), "{corner} {cell}");
    }
}

#[test]
fn a_survey_tells_the_role_and_the_box_of_each_layer_and_object() {
    let blank = || tile(&[], Vec::new());
    let tiles =
        [(0, tile(&["solid"], Vec::new())), (1, tile(&["water"], Vec::new())), (2, blank())];
    let of_class = |class: &str, place| Object { class: class.to_owned(), ..rectangle(place) };
    let shown = |gid, names: &[&str]| Object {
        gid: Some(gid | flip::HORIZONTAL),
        properties: flags(names),
        ..rectangle([4, 8, 8, 4])
    };
    let mut things = object_layer(
        "Things",
        vec![
            of_class("wall", [1, 2, 3, 4]),
            of_class("water", [2, 2, 2, 2]),
            of_class("tree", [0, 0, 4, 4]),
            Object { properties: flags(&["one_way"]), ..of_class("", [0, 0, 4, 2]) },
            shown(1, &[]),
            shown(1, &["solid"]),
            shown(2, &[]),
            shown(2, &["one_way"]),
        ],
    );
    things.offset = point(1, 0);
    let layers = vec![
        tile_layer("Ground", 2, &[1 | flip::VERTICAL, 5]),
        tile_layer("Sky", 2, &[2, 5]),
        tile_layer("Walls", 2, &[0, 5]),
        tile_layer("Floor", 2, &[0, 0]),
        things,
        object_layer("Nothing", vec![of_class("tree", [0, 0, 4, 4])]),
    ];
    let map = map([2, 1], tileset([4, 4], tiles), layers);
    let mut options = options();
    options.solid_rules.walkable_layers.push("Floor".to_owned());
    let survey = explain::Survey::new(&map, &TileCounts::new(), &options).unwrap();
    assert_eq!(survey.area, Some(Aabb::from_xywh(0, 0, 8, 4)));
    assert_eq!(survey.shown, BTreeSet::from([(0, 0), (0, 1)]), "tile 2 is listed, but not shown");
    let roles = survey.layers.iter().map(|it| (&*it.context.path, it.is_solid, it.stops));
    assert_eq!(
        roles.collect::<Vec<_>>(),
        [
            ("Ground", false, true),
            ("Sky", false, false),
            ("Walls", true, true),
            ("Floor", false, true),
            ("Things", false, true),
            ("Nothing", false, false),
        ]
    );
    let of_objects = survey.layers[4].objects.iter();
    let uses: Vec<_> = of_objects.clone().map(|it| (it.stops, it.is_of_area)).collect();
    let (none, solid, area) = ((false, false), (true, false), (false, true));
    assert_eq!(uses, [solid, area, none, solid, none, solid, area, (true, true)]);
    for (index, it) in of_objects.enumerate() {
        // The picture of a tile object ends at the position of the object. With any flips, it reaches at most
        // 24 px: the sides of its own size (4 x 4) and of its shown size (8 x 4), and 1 px for each of these
        // four.
        let (area, bounds) = match index {
            0 => (Aabb::from_xywh(2, 2, 3, 4), Aabb::from_xywh(2, 2, 3, 4)),
            1 => (Aabb::from_xywh(3, 2, 2, 2), Aabb::from_xywh(3, 2, 2, 2)),
            2 => (Aabb::from_xywh(1, 0, 4, 4), Aabb::from_xywh(1, 0, 4, 4)),
            3 => (Aabb::from_xywh(1, 0, 4, 2), Aabb::from_xywh(1, 0, 4, 2)),
            _ => (Aabb::from_xywh(5, 4, 8, 4), Aabb::from_xywh(5 - 24, 8 - 24, 48, 48)),
        };
        assert_eq!((it.area, it.bounds), (area, bounds), "{index}");
    }
}
