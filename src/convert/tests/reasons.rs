//! Tests of the reasons why a pixel is solid or one-way, and of the work to find them.

use super::*;
use crate::tmx::{Orientation, Space};

/// Draws the pixels with a reason as `#`.
fn explained(built: &Built, options: &LoadOptions) -> String {
    let mut explainer = MapExplainer::new(&built.maps[0], options).unwrap();
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
        let size = built.level.size().as_ivec2();
        let all = (0..size.y).flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y)));
        let solid: Vec<IVec2> = all.filter(|pixel| built.level.is_solid(*pixel)).collect();
        let mut explainer = MapExplainer::new(&built.maps[0], &options).unwrap();
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
    assert!(matches!(error.kind(), LoadErrorKind::UnknownTile { gid: 99, .. }));
    assert_eq!((error.place().layer.as_deref(), error.place().object), (Some("Walls"), Some(7)));
    let mut options = options();
    (options.lenient, options.areas) = (true, Vec::new());
    let built = build_one(&map, &options).unwrap();
    assert_eq!(built.level.grid().to_string(), ".#");
    let [warning] = &built.warnings[..] else { panic!("{:?}", built.warnings) };
    assert_eq!(warning.place.object, Some(7));
    assert_eq!(check_reasons(&options, &built), 1);
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
            Object { properties: flags(&["one_way"]), ..of_class("wall", [0, 0, 4, 2]) },
            shown(1, &[]),
            shown(1, &["solid"]),
            shown(2, &[]),
            shown(2, &["solid", "one_way"]),
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
    let survey = Survey::new(&map, &[], &options).unwrap();
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
        // The picture of a tile object ends at the position of the object.
        let bounds = match index {
            0 => Aabb::from_xywh(2, 2, 3, 4),
            1 => Aabb::from_xywh(3, 2, 2, 2),
            2 => Aabb::from_xywh(1, 0, 4, 4),
            3 => Aabb::from_xywh(1, 0, 4, 2),
            _ => Aabb::from_xywh(5, 4, 8, 4),
        };
        assert_eq!(it.bounds, bounds, "{index}");
    }
}
