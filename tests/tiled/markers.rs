//! Markers are where Tiled shows their objects: every shape, tiles with each alignment, turned and mirrored,
//! in groups, in infinite and isometric maps, and in worlds.

use bitwall::glam::{IVec2, UVec2};
use bitwall::level::{MarkerShape, MarkerTile};
use bitwall::rules::{AreaRule, PropertyIs, SolidRules};
use bitwall::tmx::{Space, flip};
use bitwall::{Aabb, Dir, Level, LoadOptions, Marker};

use crate::support::{
    even_blank, folder, layer, load, load_all, map, objects, tileset, tileset_with,
};

fn xywh([x, y, width, height]: [i32; 4]) -> Aabb {
    Aabb::from_xywh(x, y, width, height)
}

fn points(marker: &Marker) -> Vec<[i32; 2]> {
    marker.points.iter().map(IVec2::to_array).collect()
}

/// Returns the only marker of a map of 20 x 20 cells of 16 x 8 pixels with a tileset of such tiles.
fn only_marker(tileset: &str, object: &str) -> Marker {
    let map = map("", [20, 20], [16, 8], &(tileset.to_owned() + &objects("Things", object)));
    let level = load(&map, &even_blank());
    assert_eq!(level.markers().len(), 1, "{map}");
    level.markers()[0].clone()
}

#[test]
fn a_marker_has_the_shape_box_and_points_of_its_object() {
    for (content, shape, area, expected) in [
        (
            r#"width="8" height="6">"#,
            MarkerShape::Rectangle,
            [20, 30, 8, 6],
            &[[20, 30], [28, 30], [28, 36], [20, 36]][..],
        ),
        ("><point/>", MarkerShape::Point, [20, 30, 0, 0], &[[20, 30]]),
        (">", MarkerShape::Rectangle, [20, 30, 0, 0], &[[20, 30]; 4]),
        (
            r#"width="8" height="6"><ellipse/>"#,
            MarkerShape::Ellipse,
            [20, 30, 8, 6],
            &[[20, 30], [28, 30], [28, 36], [20, 36]],
        ),
        (
            r#"width="8" height="6"><capsule/>"#,
            MarkerShape::Capsule,
            [20, 30, 8, 6],
            &[[20, 30], [28, 30], [28, 36], [20, 36]],
        ),
        (
            r#"><polygon points="0,0 8,2 -4,9"/>"#,
            MarkerShape::Polygon,
            [16, 30, 12, 9],
            &[[20, 30], [28, 32], [16, 39]],
        ),
        (
            r#"><polyline points="0,0 32,0 32,-8.25"/>"#,
            MarkerShape::Polyline,
            [20, 22, 32, 8],
            &[[20, 30], [52, 30], [52, 21]],
        ),
    ] {
        let object =
            format!(r#"<object id="7" name="a" type="T" x="20" y="30" {content}</object>"#);
        let marker = only_marker("", &object);
        assert_eq!((marker.shape, marker.area), (shape, xywh(area)), "{object}");
        assert_eq!(points(&marker), expected, "{object}");
        assert_eq!((&*marker.name, &*marker.class, &*marker.layer), ("a", "T", "Things"));
        assert_eq!((marker.object, marker.tile, marker.rotation), (7, None, 0.0));
    }
    let text = objects(
        "Things",
        r#"<object id="1" x="1" y="1" width="9" height="9"><text>hi</text></object>"#,
    );
    assert!(load(&map("", [2, 2], [8, 8], &text), &even_blank()).markers().is_empty());
}

#[test]
fn a_turned_marker_covers_the_box_around_its_turned_corners() {
    let door =
        only_marker("", r#"<object id="1" x="48" y="32" width="16" height="8" rotation="90"/>"#);
    assert_eq!((door.area, door.rotation), (xywh([40, 32, 8, 16]), 90.0));
    assert_eq!(points(&door), [[48, 32], [48, 48], [40, 48], [40, 32]]);
    assert_eq!(door.position(), IVec2::new(44, 40));

    // The corners are (50, 50), (64.1, 64.1), (57.1, 71.2) and (42.9, 57.1).
    let leaning =
        only_marker("", r#"<object id="1" x="50" y="50" width="20" height="10" rotation="45"/>"#);
    assert_eq!(leaning.area, Aabb { min: IVec2::new(43, 50), max: IVec2::new(64, 71) });
    assert_eq!(points(&leaning), [[50, 50], [64, 64], [57, 71], [42, 57]]);
}

/// The place of a tile object in Tiled: its alignment point is at its position, and it turns about this point.
#[test]
fn a_tile_object_is_where_its_tileset_aligns_it_also_if_it_is_turned() {
    let alignments = [
        ("unspecified", [0, 2]),
        ("topleft", [0, 0]),
        ("top", [1, 0]),
        ("topright", [2, 0]),
        ("left", [0, 1]),
        ("center", [1, 1]),
        ("right", [2, 1]),
        ("bottomleft", [0, 2]),
        ("bottom", [1, 2]),
        ("bottomright", [2, 2]),
    ];
    for (name, halves) in alignments {
        let tiles = tileset_with(&format!(r#"objectalignment="{name}""#), [16, 8], 4, "");
        for (size, written) in [
            ([16, 8], ""),
            ([16, 8], r#"width="16" height="8""#),
            ([20, 30], r#"width="20" height="30""#),
        ] {
            // The corners relative to the alignment point, from the top left one on.
            let [left, top] = [0, 1].map(|axis| -size[axis] * halves[axis] / 2);
            let [right, bottom] = [left + size[0], top + size[1]];
            let corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
            for quarters in 0..4 {
                let object = format!(
                    r#"<object id="1" gid="2" x="100" y="60" {written} rotation="{}"/>"#,
                    90 * quarters
                );
                let marker = only_marker(&tiles, &object);
                let turned = corners.map(|mut corner| {
                    for _ in 0..quarters {
                        corner = [-corner[1], corner[0]];
                    }
                    [100 + corner[0], 60 + corner[1]]
                });
                assert_eq!(points(&marker), turned, "{name} {object}");
                let [min, max] =
                    [turned.iter().min(), turned.iter().max()].map(|at| IVec2::from(*at.unwrap()));
                assert_eq!(marker.area, Aabb { min, max }, "{name} {object}");
                let tile = MarkerTile { tileset: "t".into(), id: 1, ..MarkerTile::default() };
                assert_eq!((marker.tile, marker.shape), (Some(tile), MarkerShape::Rectangle));
            }
        }
    }
}

#[test]
fn a_mirrored_tile_object_keeps_its_box_and_a_tile_offset_moves_it() {
    let tiles = tileset([16, 8], 4, r#"<tileoffset x="3" y="-2"/>"#);
    let shown = |flags: u32| {
        let gid = 1 | flags;
        only_marker(&tiles, &format!(r#"<object id="1" gid="{gid}" x="32" y="40"/>"#))
    };
    for (flags, first, flips) in [
        (0, [35, 30], [false, false]),
        (flip::HORIZONTAL, [51, 30], [true, false]),
        (flip::VERTICAL, [35, 38], [false, true]),
        (flip::HORIZONTAL | flip::VERTICAL, [51, 38], [true, true]),
    ] {
        let marker = shown(flags);
        assert_eq!((marker.area, points(&marker)[0]), (xywh([35, 30, 16, 8]), first));
        let tile = marker.tile.unwrap();
        assert_eq!([tile.flip_x, tile.flip_y], flips);
    }
    // The diagonal flip exchanges width and height, and keeps the bottom left corner.
    assert_eq!(shown(flip::DIAGONAL).area, xywh([35, 22, 8, 16]));
}

#[test]
fn groups_and_the_corner_of_an_infinite_map_move_markers_with_all_their_points() {
    let things =
        objects("Things", r#"<object id="1" x="4" y="6"><polyline points="0,0 3,0"/></object>"#);
    let group = |name: &str, content: &str| {
        format!(r#"<group name="{name}" offsetx="10" offsety="-3.5">{content}</group>"#)
    };
    let content = group("a", &group("b", &things.replace("name=", r#"offsetx="1" name="#)));
    let level = load(&map("", [9, 9], [8, 8], &content), &even_blank());
    let marker = &level.markers()[0];
    assert_eq!((marker.area.min, points(marker)), (IVec2::new(25, -1), vec![[25, -1], [28, -1]]));
    assert_eq!(marker.layer, "a/b/Things");

    let chunk = r#"<chunk x="-2" y="1" width="1" height="1">1</chunk>"#;
    let walls = layer(r#"name="Walls""#, [1, 1], chunk);
    let infinite =
        map(r#"infinite="1""#, [1, 1], [8, 8], &(tileset([8, 8], 1, "") + &walls + &things));
    let level = load(&infinite, &LoadOptions::default());
    assert_eq!(level.origin(), IVec2::new(-16, 8));
    assert_eq!(points(&level.markers()[0]), [[20, -2], [23, -2]]);
}

/// A cell of the map is 32 x 16 pixels on the screen, and 16 x 16 pixels in the map's own space.
#[test]
fn markers_of_an_isometric_map_are_in_the_space_of_the_level() {
    let tiles = tileset([16, 24], 2, "");
    let content = tiles
        + &objects(
            "Things",
            r#"<object id="1" x="16" y="32"><point/></object>
            <object id="2" x="16" y="16" width="16" height="16"/>
            <object id="3" gid="1" x="32" y="32" width="16" height="24"/>"#,
        );
    let text = map(r#"orientation="isometric""#, [4, 4], [32, 16], &content);
    let of = |space| load(&text, &LoadOptions { space, ..even_blank() }).markers().to_vec();
    let [point, square, tile] = &of(Space::Map)[..] else { panic!("three markers") };
    assert_eq!(point.area.min, IVec2::new(16, 32));
    assert_eq!(square.area, xywh([16, 16, 16, 16]));
    // The middle of the tile's bottom edge is at (32, 32). A pixel upward on the screen is (-1, -1) here.
    assert_eq!(points(tile), [[4, 12], [12, 4], [36, 28], [28, 36]]);
    assert_eq!(tile.area, xywh([4, 4, 32, 32]));

    let [point, square, tile] = &of(Space::Screen)[..] else { panic!("three markers") };
    assert_eq!(point.area.min, IVec2::new(48, 24));
    assert_eq!(points(square), [[64, 16], [80, 24], [64, 32], [48, 24]]);
    assert_eq!(tile.area, xywh([56, 8, 16, 24]));
}

#[test]
fn an_object_reference_leads_to_the_marker_of_the_same_map() {
    let things = |doors: &str| {
        objects(
            "Things",
            &format!(
                r#"<object id="1" name="lever" x="2" y="2"><point/><properties>
                <property name="door" type="object" value="2"/>
                <property name="unset" type="object" value="0"/>
                <property name="all" type="list"><item type="object" value="2"/>
                <item type="object" value="3"/><item value="x"/></property></properties></object>{doors}"#
            ),
        )
    };
    let door = r#"<object id="2" name="door" x="9" y="1" width="4" height="9"/>
        <object id="3" name="wall" type="wall" x="0" y="1" width="4" height="9"/>"#;
    let solid = door.replace("name=\"door\"", "type=\"wall\"");
    let [one, other] = [door, &solid].map(|doors| map("", [2, 2], [8, 8], &things(doors)));
    let world = r#"{"maps":[{"fileName":"a.tmx","x":0,"y":0},{"fileName":"b.tmx","x":-16,"y":0}]}"#;
    let folder = folder(&[("a.tmx", &one), ("b.tmx", &other), ("w.world", world)]);
    let level = Level::load(folder.path().join("w.world")).unwrap();
    let [lever, door, other] = level.markers() else { panic!("{:?}", level.markers()) };
    assert_eq!((lever.map, door.map, other.map), (0, 0, 1));
    assert_eq!(lever.area.min, IVec2::new(18, 2));
    assert_eq!(level.referred(lever, "door"), [door]);
    assert_eq!(level.referred(lever, "all"), [door], "an object that is solid is no marker");
    assert!(level.referred(lever, "unset").is_empty() && level.referred(lever, "none").is_empty());
    assert!(level.referred(other, "door").is_empty(), "there the object is solid");
}

#[test]
fn properties_are_read_by_their_types() {
    let object = r##"<object id="1" x="0" y="0"><point/><properties>
        <property name="int" type="int" value="-3"/><property name="float" type="float" value="2.5"/>
        <property name="bool" type="bool" value="true"/><property name="old" value="1"/>
        <property name="text" value="cellar"/><property name="kind" propertytype="Kind" value="Boss"/>
        <property name="tint" type="color" value="#010203"/></properties></object>"##;
    let marker = only_marker("", object);
    assert_eq!(
        (marker.i32("int"), marker.i32("float"), marker.i32("gone")),
        (Some(-3), None, None)
    );
    assert_eq!(
        (marker.f32("float"), marker.f32("int"), marker.f32("text")),
        (Some(2.5), Some(-3.0), None)
    );
    assert_eq!(
        (marker.bool("bool"), marker.bool("old"), marker.bool("int")),
        (Some(true), Some(true), None)
    );
    assert_eq!((marker.str("text"), marker.str("kind")), (Some("cellar"), Some("Boss")));
    assert_eq!((marker.str("tint"), marker.str("int")), (Some("#ff010203"), None));
    assert_eq!(marker.point("int"), None);
}

#[test]
fn the_item_of_a_list_selects_a_tile_or_an_object() {
    let list = r#"<properties><property name="tags" type="list"><item value="wood"/>
        <item value="Solid"/></property></properties>"#;
    let tiles = tileset([8, 8], 2, &format!(r#"<tile id="0">{list}</tile>"#));
    let content = tiles
        + &layer(r#"name="Ground""#, [3, 1], "1,2,0")
        + &objects(
            "Things",
            &format!(r#"<object id="1" x="16" y="0" width="8" height="8">{list}</object>"#),
        );
    let text = map("", [3, 1], [8, 8], &content);
    let drawn = |value: &str| {
        let mut options = even_blank();
        options.solid_rules.solid_values.push(PropertyIs::new("tags", value));
        load(&text, &options).grid().to_string()
    };
    assert_eq!(["solid", "wo*", "metal"].map(drawn), ["#.#", "#.#", "..."]);
    let why = SolidRules {
        solid_values: vec![PropertyIs::new("tags", "solid")],
        ..SolidRules::default()
    };
    let loaded = load_all(&text, &LoadOptions { solid_rules: why, ..LoadOptions::default() });
    assert_eq!(loaded.provenance(IVec2::ZERO).unwrap().because, "property `tags=Solid`");
}

#[test]
fn ladders_and_water_are_areas_without_options() {
    let water = r#"<tile id="1" type="Water"><objectgroup><object id="1" width="8" height="4"/></objectgroup></tile>"#;
    let content = tileset([8, 8], 3, water)
        + &layer(r#"name="Walls""#, [3, 2], "0,0,0,1,0,0")
        + &layer(r#"name="Ladders""#, [3, 2], "3,0,0,0,0,0")
        + &layer(r#"name="Ground""#, [3, 2], "0,0,0,0,2,0")
        + &objects("Things", r#"<object id="5" type="water" x="16" y="8" width="8" height="8"/>"#);
    let text = map("", [3, 2], [8, 8], &content);
    let loaded = load_all(&text, &LoadOptions::default());
    let level = &loaded.level;
    assert_eq!(level.area("ladder").unwrap().grid().to_string(), "#..\n...");
    // A shape says where the water is. It stays solid, as in games in which water stops the player.
    let water = level.area("water").unwrap();
    assert_eq!(water.rectangles(), [xywh([8, 8, 16, 4]), xywh([16, 12, 8, 4])]);
    assert!(level.is_solid(IVec2::new(9, 9)) && !level.is_solid(IVec2::new(17, 9)));
    assert!(level.areas().iter().all(|area| area.category == 0));

    // A rule that the caller asks for takes the shapes.
    let options = LoadOptions { areas: vec![AreaRule::named("water")], ..LoadOptions::default() };
    let asked = load(&text, &options);
    assert!(!asked.is_solid(IVec2::new(9, 9)) && asked.area("ladder").is_none());

    let dry =
        map("", [3, 1], [8, 8], &objects("Walls", r#"<object id="1" width="8" height="8"/>"#));
    let loaded = load_all(&dry, &LoadOptions::default());
    assert!(loaded.level.areas().is_empty() && loaded.warnings.is_empty());
    let bare = load(&dry, &LoadOptions { areas: Vec::new(), ..LoadOptions::default() });
    assert_eq!(loaded.level.memory_bytes(), bare.memory_bytes());
    assert_eq!(loaded.level.size(), UVec2::new(24, 8));
}

#[test]
fn one_way_makes_an_object_one_way_only_if_it_is_solid() {
    let ledge = |attributes: &str, value: &str| {
        format!(
            r#"<object id="1" {attributes} x="0" y="0" width="8" height="8"><properties>
            <property name="one_way" value="{value}"/></properties></object>"#
        )
    };
    for (name, object, guarded) in [
        ("Things", ledge("", "true"), false),
        ("Things", ledge("", "to the cellar"), false),
        ("Things", ledge(r#"type="wall""#, "up"), true),
        ("Things", ledge(r#"type="one_way""#, "up"), true),
        ("Walls", ledge("", "up"), true),
        ("Walls", ledge(r#"type="spawn""#, "up"), false),
    ] {
        let level = load(&map("", [2, 1], [8, 8], &objects(name, &object)), &even_blank());
        assert_eq!(level.one_way(Dir::Up).is_some(), guarded, "{name} {object}");
        assert_eq!((level.grid().solid_count(), level.markers().len()), (0, usize::from(!guarded)));
    }
}
