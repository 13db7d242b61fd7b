//! The rules for names, flags and decoration, and the user settings that override them.

use bitwall::LoadOptions;
use bitwall::glam::IVec2;
use bitwall::rules::SolidRules;

use crate::support::{self, layer, objects, tileset};

/// Returns the solid columns of a map of 4 x 1 cells of 8 px. Tile 0 has `tile` as its content.
fn solid_by(tile: &str, layers: &str, options: &LoadOptions) -> Vec<i32> {
    let content = tileset([8, 8], 3, &format!(r#"<tile id="0">{tile}</tile>"#)) + layers;
    let options = LoadOptions { allow_nothing_solid: true, ..options.clone() };
    let level = support::load(&support::map("", [4, 1], [8, 8], &content), &options);
    (0..4).filter(|column| level.is_solid(IVec2::new(column * 8 + 4, 4))).collect()
}

fn solid_cells(tile: &str, layers: &str) -> Vec<i32> {
    solid_by(tile, layers, &LoadOptions::default())
}

/// Returns the solid columns if an author lists `word` in one of the lists of the rules.
fn by_author(
    tile: &str,
    layers: &str,
    list: impl Fn(&mut SolidRules) -> &mut Vec<String>,
    word: &str,
) -> Vec<i32> {
    let mut options = LoadOptions::default();
    list(&mut options.solid_rules).push(word.to_owned());
    options.solid_rules.author_words.push(word.to_owned());
    solid_by(tile, layers, &options)
}

fn by_layer(tile: &str, layers: &str, name: &str) -> Vec<i32> {
    by_author(tile, layers, |rules| &mut rules.layer_names, name)
}

fn tiles(attributes: &str, data: &str) -> String {
    layer(attributes, [4, 1], data)
}

fn flag(name: &str, value: &str) -> String {
    format!(r#"<properties><property name="{name}" type="bool" value="{value}"/></properties>"#)
}

/// Returns the layer with this flag added.
fn marked(layer: &str, name: &str, value: &str) -> String {
    layer.replace("<data", &(flag(name, value) + "<data"))
}

/// Returns an object that fills one cell.
fn shape(cell: u32, more: &str) -> String {
    format!(r#"<object id="{}" x="{}" width="8" height="8" {more}/>"#, cell + 1, cell * 8)
}

#[test]
fn a_visible_tile_layer_named_walls_is_art_beside_shapes_of_an_object_layer_named_walls() {
    let shapes = objects("walls", &shape(1, ""));
    let art = tiles(r#"name="Walls""#, "1,0,0,1");
    assert_eq!(solid_cells("", &(art.clone() + &shapes)), [1]);
    assert_eq!(solid_cells("", &art), [0, 3]);
    let hidden = art.replace("name=", r#"visible="0" name="#);
    assert_eq!(solid_cells("", &(hidden + &shapes)), [0, 1, 3]);
    let collision = art.replace("Walls", "Collision");
    assert_eq!(solid_cells("", &(collision + &shapes)), [0, 1, 3]);
    // A named shape shows that the tiles are only art, too; a point does not.
    let named = objects("things", &shape(1, r#"name="wall""#));
    assert_eq!(solid_cells("", &(art.clone() + &named)), [1]);
    let point = objects("walls", r#"<object id="1" x="8"><point/></object>"#);
    assert_eq!(solid_cells("", &(art + &point)), [0, 3]);
}

#[test]
fn only_the_objects_named_wall_of_an_object_layer_are_solid() {
    let wall = shape(0, r#"name="Wall""#);
    assert_eq!(solid_cells("", &objects("things", &(wall.clone() + &shape(1, "")))), [0]);
    let zombie = shape(1, r#"name="zombie""#);
    assert_eq!(solid_cells("", &objects("Obstacles", &(wall + &zombie))), [0]);
    for place in [r#"name="player""#, r#"type="SpawnPoint""#] {
        let both = shape(1, "") + &shape(2, place);
        assert_eq!(solid_cells("", &objects("Obstacles", &both)), [1], "{place}");
    }
}

#[test]
fn a_false_flag_of_a_tile_overrules_the_name_of_its_layer_but_no_property_of_the_layer() {
    let walls = tiles(r#"name="Walls""#, "1,2,0,1");
    for (name, value) in [("collides", "false"), ("walkable", "true")] {
        assert_eq!(solid_cells(&flag(name, value), &walls), [1], "{name}");
        let strong = marked(&walls, "solid", "true");
        assert_eq!(solid_cells(&flag(name, value), &strong), [0, 1, 3], "{name}");
    }
}

#[test]
fn a_flag_counts_even_with_the_prefix_of_a_tool_before_it() {
    let walls = tiles(r#"name="walls""#, "1,2,0,1");
    let trigger = flag("unity:isTrigger", "true");
    assert_eq!(solid_cells(&trigger, &walls), [1]);
    assert_eq!(solid_cells("", &marked(&walls, "unity:isTrigger", "true")), [0; 0]);
    assert_eq!(solid_cells(&flag("x:solid", "true"), &tiles(r#"name="a""#, "1,0,2,0")), [0]);
    // A flag on a tileset applies to all its tiles.
    let set = tileset([8, 8], 3, "").replace("<image", &(trigger + "<image"));
    let map = support::map("", [4, 1], [8, 8], &(set + &walls));
    let options = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
    assert!(support::load(&map, &options).is_blank());
}

#[test]
fn tiles_in_a_group_that_is_marked_as_not_solid_are_passable() {
    let sky = marked(&tiles(r#"name="sky""#, "0,0,0,0"), "nocollide", "true");
    let ground = tiles(r#"name="ground""#, "0,1,0,0");
    for (name, value) in [("nocollide", "true"), ("solid", "false")] {
        let flowers = tiles(r#"name="flowers""#, "1,0,0,1");
        let group = format!(r#"<group name="g">{}{flowers}</group>"#, flag(name, value));
        assert_eq!(solid_cells("", &(group + &sky + &ground)), [1], "{name}");
    }
}

#[test]
fn flags_of_tiles_on_a_decoration_layer_count_only_if_nothing_else_is_solid() {
    let solid = flag("solid", "true");
    let deco = tiles(r#"name="Background""#, "1,1,2,0");
    assert_eq!(solid_cells(&solid, &deco), [0, 1]);
    assert_eq!(solid_cells(&solid, &(deco.clone() + &tiles(r#"name="wall""#, "0,0,0,2"))), [3]);
    assert_eq!(solid_cells(&solid, &(deco.clone() + &tiles(r#"name="a""#, "0,0,0,1"))), [3]);
    assert_eq!(solid_cells(&solid, &(deco + &objects("wall", &shape(3, "")))), [3]);
}

#[test]
fn a_setting_beats_decoration_and_every_other_convention() {
    let solid = flag("solid", "true");
    let wall = tiles(r#"name="wall""#, "0,0,0,3");
    for layer in [r#"name="background""#, r#"name="a" visible="0""#] {
        let layers = tiles(layer, "1,2,0,0") + &wall;
        assert_eq!(solid_cells(&solid, &layers), [3], "{layer}");
        assert_eq!(
            by_author(&solid, &layers, |rules| &mut rules.solid_properties, "solid"),
            [0, 3],
            "{layer}"
        );
    }
    let both = tiles(r#"name="Walls""#, "1,0,0,1") + &objects("walls", &shape(1, ""));
    assert_eq!(by_layer("", &both, "walls"), [0, 1, 3]);
    let free = flag("collides", "false");
    assert_eq!(by_layer(&free, &wall.replace("0,3", "0,1"), "wall"), [3]);
    assert_eq!(by_layer("", &marked(&wall, "solid", "false"), "wall"), [3]);
    let player = objects("walls", &shape(0, r#"name="player""#));
    assert_eq!(by_layer("", &player, "walls"), [0]);
}

#[test]
fn a_layer_that_the_author_lists_as_decoration_is_not_solid_by_a_default_name() {
    let layers = tiles(r#"name="walls""#, "2,2,0,0") + &tiles(r#"name="solid""#, "0,0,0,2");
    assert_eq!(solid_cells("", &layers), [0, 1, 3]);
    let solid_with = |decoration: &str, named: &[&str]| {
        let mut options = LoadOptions::default();
        options.solid_rules.decoration_layers.push(decoration.to_owned());
        for name in named {
            options.solid_rules.layer_names.push((*name).to_owned());
            options.solid_rules.author_words.push((*name).to_owned());
        }
        solid_by("", &layers, &options)
    };
    for name in ["walls", "Walls", "wall*", "tiles:walls"] {
        assert_eq!(solid_with(name, &[]), [3], "{name}");
    }
    assert_eq!(solid_with("roofs", &[]), [0, 1, 3]);
    assert_eq!(
        solid_with("*", &["Walls"]),
        [0, 1],
        "the author's own name for a solid layer counts"
    );
    assert_eq!(solid_with("walls", &["walls"]), [0, 1, 3]);
    // A default name of decoration says nothing against a solid layer that the author names.
    let behind = tiles(r#"name="Background""#, "2,0,0,0");
    for name in ["background", "background*"] {
        assert_eq!(by_layer("", &behind, name), [0], "{name}");
    }
}

#[test]
fn an_option_can_name_a_layer_together_with_its_kind() {
    let both = tiles(r#"name="a""#, "1,0,0,0") + &objects("a", &shape(1, ""));
    for (name, solid) in [("tiles:a", vec![0]), ("objects:A", vec![1]), ("a", vec![0, 1])] {
        assert_eq!(by_layer("", &both, name), solid, "{name}");
    }
    let walls = both.replace("\"a\"", "\"collision\"");
    assert_eq!(by_author("", &walls, |rules| &mut rules.passable_layers, "objects:collision"), [0]);
}
