use super::*;
use crate::geometry::{Dir, Sides};
use crate::property::PropertyValue;
use crate::tmx::{
    Layer, LayerContent, Map, Object, ObjectLayer, Properties, Property, Tile, TileLayer,
};

fn properties(pairs: &[(&str, PropertyValue)]) -> Properties {
    let property = |value: &PropertyValue| Property::new(value.clone());
    pairs.iter().map(|(name, value)| ((*name).to_owned(), property(value))).collect()
}

fn tiles(name: &str, class: &str, properties: &Properties) -> Layer {
    let (class, properties) = (class.to_owned(), properties.clone());
    Layer { class, properties, ..Layer::new(name, LayerContent::Tiles(TileLayer::default())) }
}

fn thing(class: &str, properties: &Properties) -> Object {
    Object { class: class.to_owned(), properties: properties.clone(), ..Object::default() }
}

fn tile_mark(rules: &SolidRules, class: &str, properties: &Properties) -> Option<String> {
    let (class, properties) = (class.to_owned(), properties.clone());
    rules.tile_mark(&Tile { class, properties, ..Tile::default() })
}

#[test]
fn a_layer_is_solid_by_property_class_or_name() {
    let rules = SolidRules::default();
    let none = Properties::new();
    let solid = |name: &str, class: &str, properties: &Properties| {
        matches!(rules.layer(&tiles(name, class, properties)), Says::Solid(_))
    };
    assert!(solid("Collision", "", &none));
    assert!(solid("Trees", "WALLS", &none));
    assert_eq!(rules.layer(&tiles("Trees", "", &none)), Says::Nothing);
    let yes = properties(&[("Solid", PropertyValue::Bool(true))]);
    assert!(solid("Trees", "", &yes));
    let no = properties(&[("solid", PropertyValue::Bool(false))]);
    assert_eq!(rules.layer(&tiles("Walls", "", &no)), Says::Passable);
    let text = properties(&[("collides", PropertyValue::Text("true".to_owned()))]);
    assert!(solid("Trees", "", &text));
}

#[test]
fn a_solid_layer_name_does_not_make_a_tile_class_solid() {
    let mut rules = SolidRules::default();
    rules.layer_names.push("Ground".to_owned());
    let none = Properties::new();
    assert!(matches!(rules.layer(&tiles("ground", "", &none)), Says::Solid(_)));
    assert_eq!(tile_mark(&rules, "ground", &none), None);
}

#[test]
fn a_tile_is_solid_if_it_blocks_or_is_not_walkable() {
    let rules = SolidRules::default();
    let cases = [
        ("collidable", true, true),
        ("collidable", false, false),
        ("walkable", false, true),
        ("passable", true, false),
        ("unknown", true, false),
    ];
    for (name, value, solid) in cases {
        let properties = properties(&[(name, PropertyValue::Bool(value))]);
        assert_eq!(tile_mark(&rules, "", &properties).is_some(), solid, "{name} {value}");
    }
    assert!(tile_mark(&rules, "obstacle", &Properties::new()).is_some());
    let both = properties(&[
        ("passable", PropertyValue::Bool(false)),
        ("walkable", PropertyValue::Bool(true)),
    ]);
    assert!(tile_mark(&rules, "", &both).is_some(), "one that says no is enough");
}

fn text(text: &str) -> PropertyValue {
    PropertyValue::Text(text.to_owned())
}

fn class(members: &[(&str, PropertyValue)]) -> PropertyValue {
    let members = members.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    PropertyValue::Class { class: "Physics".to_owned(), members: members.collect() }
}

fn is_solid_layer(rules: &SolidRules, name: &str, properties: &Properties) -> bool {
    matches!(rules.layer(&tiles(name, "", properties)), Says::Solid(_))
}

#[test]
fn layer_names_of_real_maps_are_recognized() {
    let rules = SolidRules::default();
    let none = Properties::new();
    for name in [
        "Collision",
        "Collisions",
        "collision",
        "Solid",
        "Walls",
        "Wall",
        "walls",
        "Obstacles",
        "Colliders",
    ] {
        assert!(is_solid_layer(&rules, name, &none), "{name}");
    }
    // A tile on `Walkable` is solid in one game and the floor in another, so it has no default.
    for name in ["Walkable", "Ground", "", "Wall decoration"] {
        assert_eq!(rules.layer(&tiles(name, "", &none)), Says::Nothing, "{name}");
    }
    let mut walls = rules.clone();
    walls.layer_names.push("walkable".to_owned());
    assert!(is_solid_layer(&walls, "Walkable", &none));
    let floor = SolidRules { walkable_layers: vec!["walkable".to_owned()], ..rules };
    assert_eq!(floor.layer(&tiles("Walkable", "", &none)), Says::Nothing);
}

#[test]
fn layer_properties_of_real_maps_are_recognized() {
    let rules = SolidRules::default();
    let flag = |name, value| properties(&[(name, value)]);
    assert!(is_solid_layer(&rules, "Objects", &flag("collidable", PropertyValue::Bool(true))));
    let nocollide = flag("nocollide", text("true"));
    assert_eq!(rules.layer(&tiles("Walls", "", &nocollide)), Says::Passable);
    assert!(is_solid_layer(&rules, "Trees", &flag("nocollide", text("false"))));
}

#[test]
fn a_passable_layer_is_never_solid() {
    let rules = SolidRules { passable_layers: vec!["walls".to_owned()], ..SolidRules::default() };
    let solid = properties(&[("solid", PropertyValue::Bool(true))]);
    assert_eq!(rules.layer(&tiles("Walls", "collision", &solid)), Says::Passable);
    assert_eq!(rules.layer(&tiles("WALLS", "", &solid)), Says::Passable);
    assert!(is_solid_layer(&rules, "Wall", &solid));
}

#[test]
fn a_final_star_matches_any_ending_of_a_name() {
    let none = Properties::new();
    let rules = SolidRules {
        layer_names: vec!["walls*".to_owned()],
        tile_classes: vec!["*".to_owned()],
        ..SolidRules::none()
    };
    for (name, solid) in
        [("Walls level 2", true), ("walls", true), ("wall", false), ("wäll", false)]
    {
        assert_eq!(is_solid_layer(&rules, name, &none), solid, "{name}");
    }
    assert!(tile_mark(&rules, "Rock", &none).is_some());
    assert!(tile_mark(&rules, "", &none).is_none(), "no class is not any class");
}

#[test]
fn a_tile_is_solid_by_a_text_flag_or_a_property_value() {
    let mut rules = SolidRules::default();
    for name in ["obstacle", "block"] {
        assert!(tile_mark(&rules, "", &properties(&[(name, text("true"))])).is_some());
        assert!(tile_mark(&rules, "", &properties(&[(name, text("no"))])).is_none());
    }
    let values = [("slope", "*"), ("type", "wall"), ("kind", "3")];
    rules.solid_values.extend(values.map(|(name, value)| PropertyIs::new(name, value)));
    let why = |name, value| tile_mark(&rules, "", &properties(&[(name, value)]));
    assert_eq!(why("Slope", text("left")).as_deref(), Some("property `Slope=left`"));
    assert_eq!(why("type", text("Wall")).as_deref(), Some("property `type=Wall`"));
    assert_eq!(why("type", text("floor")), None);
    assert_eq!(why("kind", PropertyValue::Int(3)).as_deref(), Some("property `kind=3`"));
    assert_eq!(why("kind", PropertyValue::Int(33)), None);
    let layer = properties(&[("type", text("wall"))]);
    assert!(is_solid_layer(&rules, "Ground", &layer));
    let inner = class(&[("kind", PropertyValue::Int(3))]);
    assert_eq!(why("tile", inner).as_deref(), Some("property `tile.kind=3`"));
}

#[test]
fn members_of_a_class_property_count_as_properties_one_level_deep() {
    let rules = SolidRules::default();
    let solid = class(&[("solid", PropertyValue::Bool(true))]);
    let within = properties(&[("collision", solid.clone())]);
    assert_eq!(tile_mark(&rules, "", &within).as_deref(), Some("property `collision.solid`"));
    assert!(is_solid_layer(&rules, "Ground", &within));
    let deeper = properties(&[("a", class(&[("collision", solid)]))]);
    assert_eq!(tile_mark(&rules, "", &deeper), None);

    let rules =
        SolidRules { solid_properties: vec!["physics.on".to_owned()], ..SolidRules::none() };
    let on = class(&[("on", PropertyValue::Bool(true))]);
    assert!(tile_mark(&rules, "", &properties(&[("Physics", on.clone())])).is_some());
    assert!(tile_mark(&rules, "", &properties(&[("light", on)])).is_none());
}

#[test]
fn object_classes_and_object_properties_do_not_make_tiles_solid() {
    let rules = SolidRules::default();
    let none = Properties::new();
    assert!(rules.object(&thing("collision", &none)).is_some());
    assert!(rules.object(&thing("collision-line", &none)).is_some());
    assert!(tile_mark(&rules, "collision-line", &none).is_none());
    assert!(rules.object(&thing("event", &none)).is_none());
    let rules = SolidRules {
        object_classes: vec!["gate".to_owned()],
        object_properties: vec!["shut".to_owned()],
        ..SolidRules::none()
    };
    let shut = properties(&[("shut", PropertyValue::Bool(true))]);
    assert!(
        rules.object(&thing("Gate", &none)).is_some() && tile_mark(&rules, "Gate", &none).is_none()
    );
    assert!(rules.object(&thing("", &shut)).is_some() && tile_mark(&rules, "", &shut).is_none());
}

#[test]
fn in_a_collision_tileset_of_two_tiles_only_the_second_is_solid() {
    let rules = SolidRules::default();
    assert_eq!(rules.tile_id("Collision", Some(2), 0), Says::Passable);
    assert!(matches!(rules.tile_id("collision", Some(2), 1), Says::Solid(_)));
    let other = [("collision", Some(3)), ("collision", None), ("walls", Some(2))];
    for (name, count) in other {
        for id in [0, 1] {
            assert_eq!(rules.tile_id(name, count, id), Says::Nothing, "{name}");
        }
    }
    let rules = SolidRules { two_tile_tilesets: false, ..rules };
    assert_eq!(rules.tile_id("collision", Some(2), 0), Says::Nothing);
}

#[test]
fn tiles_are_solid_or_passable_by_their_numbers() {
    let rules = SolidRules {
        solid_tiles: vec![TileIds::new("*", 10..=12), TileIds::new("cave*", 3..=3)],
        passable_tiles: vec![TileIds::new("Cave", 11..=11)],
        ..SolidRules::default()
    };
    let says = |tileset, id| rules.tile_id(tileset, Some(64), id);
    let is_solid = |tileset, id| matches!(says(tileset, id), Says::Solid(_));
    assert!(is_solid("town", 10) && is_solid("town", 12) && is_solid("", 11));
    assert!(is_solid("Caves", 3) && is_solid("cave", 10));
    assert_eq!(says("cave", 11), Says::Passable);
    for (tileset, id) in [("town", 9), ("town", 13), ("town", 3)] {
        assert_eq!(says(tileset, id), Says::Nothing, "{tileset} {id}");
    }
}

fn letters(sides: Sides<bool>) -> String {
    let all = [(sides.left, 'l'), (sides.right, 'r'), (sides.up, 'u'), (sides.down, 'd')];
    all.iter().filter(|(on, _)| *on).map(|(_, letter)| letter).collect()
}

fn one_way_says(value: PropertyValue) -> Result<String, String> {
    let rules = SolidRules::default();
    let found = rules.one_way("", &properties(&[("OneWay", value)]));
    let word = |reason: String| reason.split('`').nth(3).unwrap().to_owned();
    found.map(|sides| sides.map(letters).unwrap_or_default()).map_err(word)
}

#[test]
fn a_one_way_property_guards_the_top_or_the_named_sides() {
    let says = |value| one_way_says(value).unwrap();
    assert_eq!(says(PropertyValue::Bool(true)), "u");
    assert_eq!(says(PropertyValue::Bool(false)), "");
    for (words, sides) in [
        ("", ""),
        ("true", "u"),
        ("FALSE", ""),
        ("none", ""),
        ("top", "u"),
        ("Up", "u"),
        ("bottom", "d"),
        ("left right", "lr"),
        ("right,left, down", "lrd"),
    ] {
        assert_eq!(says(text(words)), sides, "{words}");
    }
    let list = |words: &[&str]| PropertyValue::List(words.iter().map(|word| text(word)).collect());
    assert_eq!(says(list(&["left", "top"])), "lu");
    assert_eq!(says(list(&[])), "");
    assert_eq!((&*says(PropertyValue::Int(3)), &*says(PropertyValue::Float(0.0))), ("u", ""));
    let sides = class(&[("left", PropertyValue::Bool(true)), ("Top", PropertyValue::Bool(false))]);
    assert_eq!(says(sides), "l");
}

#[test]
fn a_one_way_property_with_a_word_that_is_no_side_is_an_error() {
    let word = |value| one_way_says(value).unwrap_err();
    assert_eq!(word(text("top sideways")), "sideways");
    assert_eq!(word(PropertyValue::Color("#ff000000".to_owned())), "#ff000000");
    assert_eq!(word(PropertyValue::List(vec![PropertyValue::Bool(true), text("x")])), "x");
    assert_eq!(word(PropertyValue::List(vec![PropertyValue::List(vec![])])), "a list in a list");
    assert_eq!(word(class(&[("speed", PropertyValue::Bool(true))])), "speed");
    let rules = SolidRules::default();
    let error = rules.one_way("", &properties(&[("one-way", text("x\ny"))])).unwrap_err();
    assert!(error.starts_with("the property `one-way` says `x`, which is not"));
}

#[test]
fn a_one_way_property_overrides_a_one_way_class() {
    let rules = SolidRules::default();
    let none = Properties::new();
    let top = Sides::all(false).with(Dir::Up, true);
    assert_eq!(rules.one_way("OneWay", &none), Ok(Some(top)));
    assert_eq!(rules.one_way("platform", &none), Ok(None));
    let no = properties(&[("one_way", PropertyValue::Bool(false))]);
    assert_eq!(rules.one_way("oneway", &no), Ok(None));
    let within = properties(&[("collision", class(&[("oneway", text("left"))]))]);
    let left = Sides::all(false).with(Dir::Left, true);
    assert_eq!(rules.one_way("oneway", &within), Ok(Some(left)));
}

#[test]
fn a_named_area_matches_layer_names_classes_and_properties() {
    let water = AreaRule::named("water");
    let none = Properties::new();
    let wet = properties(&[("Water", PropertyValue::Bool(true))]);
    let dry = properties(&[("water", PropertyValue::Bool(false))]);
    assert!(water.has_layer(&tiles("Water", "", &none)));
    assert!(water.has_layer(&tiles("Lake", "WATER", &none)));
    assert!(water.has_layer(&tiles("Lake", "", &wet)));
    assert!(water.has("water", &none) && water.has("", &wet));
    assert!(!water.has_layer(&tiles("Lake", "", &dry)) && !water.has("sand", &dry));
    assert!(!water.tile_id("water", 0));
}

#[test]
fn an_area_rule_matches_its_own_classes_values_and_tiles() {
    let hazard = AreaRule {
        classes: vec!["Spikes".to_owned()],
        values: vec![PropertyIs::new("kind", "lava")],
        tiles: vec![TileIds::new("dungeon", 4..=5)],
        ..AreaRule::new("hazard")
    };
    let none = Properties::new();
    let lava = properties(&[("Kind", text("Lava"))]);
    assert!(hazard.has("spikes", &none) && hazard.has("", &lava));
    assert!(hazard.tile_id("Dungeon", 5) && !hazard.tile_id("dungeon", 6));
    assert!(!hazard.has_layer(&tiles("hazard", "", &none)));
}

#[test]
fn empty_rules_make_nothing_solid() {
    let rules = SolidRules::none();
    let all = properties(&[
        ("solid", PropertyValue::Bool(true)),
        ("walkable", PropertyValue::Bool(false)),
    ]);
    assert_eq!(rules.layer(&tiles("walls", "walls", &all)), Says::Nothing);
    assert_eq!(tile_mark(&rules, "wall", &all), None);
    assert_eq!(rules.object(&thing("wall", &all)), None);
    assert_eq!(rules.tile_id("collision", Some(2), 1), Says::Nothing);
}

#[test]
fn a_property_and_its_value_are_parsed_around_an_equals_sign() {
    assert_eq!("a.b = c=d".parse(), Ok(PropertyIs::new("a.b", "c=d")));
    for wrong in ["", "solid", "=x", "x= "] {
        assert!(wrong.parse::<PropertyIs>().is_err(), "{wrong}");
    }
}

/// True if a last resort makes a layer with this content and name solid.
fn is_chosen(resort: LastResort, name: &str, content: LayerContent) -> bool {
    let map = Map { layers: vec![Layer::new(name, content)], ..Map::default() };
    let rules = SolidRules::default();
    let found = resort.in_maps(&[&map], &rules);
    found.is_some_and(|(rules, _)| matches!(rules.layer(&map.layers[0]), Says::Solid(_)))
}

#[test]
fn layers_with_words_like_those_of_solid_layers_are_a_last_resort() {
    let is_like = |name: &str| {
        is_chosen(LastResort::SimilarNames, name, LayerContent::Tiles(TileLayer::default()))
    };
    for name in ["impassables", "wallLayer", "SolidColliders", "map-walls 2", "Colision", "noWalk"]
    {
        assert!(is_like(name), "{name}");
    }
    for name in ["wallpaper", "enemy collision", "no collision", "Background walls", "Ground", ""] {
        assert!(!is_like(name), "{name}");
    }
    assert!(!is_like("Foreground walls"));
}

#[test]
fn shapes_on_layers_named_for_the_ground_are_a_last_resort() {
    let of = |name: &str, gids: [Option<u32>; 3]| {
        let objects = gids.map(|gid| Object { gid, ..Object::default() }).to_vec();
        let content = ObjectLayer { objects, ..ObjectLayer::default() };
        is_chosen(LastResort::GroundObjects, name, LayerContent::Objects(content))
    };
    for name in ["Platforms", "grounds", "cave_buildings", "Houses 1"] {
        assert!(of(name, [None; 3]) && !of(name, [Some(1), Some(2), None]), "{name}");
    }
    for name in ["Moving platforms", "Things", "groundskeeper", "Floor triggers"] {
        assert!(!of(name, [None; 3]), "{name}");
    }
    let tiles = LayerContent::Tiles(TileLayer::default());
    assert!(!is_chosen(LastResort::GroundObjects, "Ground", tiles));
}

#[test]
fn the_last_word_of_a_value_says_that_it_is_solid() {
    let rules = SolidRules::default();
    for name in ["PermanentWall", "Invisible_wall", "stone wall 2", "solid dirt"] {
        assert!(rules.is_compound_value(name), "{name}");
    }
    for name in ["wall torch", "Background_wall", "not solid", "dirt", ""] {
        assert!(!rules.is_compound_value(name), "{name}");
    }
    for name in ["PermanentWall", "solid dirt"] {
        assert!(!SolidRules::none().is_compound_value(name), "{name}");
    }
}
