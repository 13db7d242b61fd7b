//! The default of [`SolidRules`]: words that real maps use for solids; and the rules without any.

use super::{PropertyIs, SolidRules};

/// Names of solid layers, and classes of solid layers, tiles and objects.
const NAMES: [&str; 11] = [
    "collision",
    "collisions",
    "collider",
    "colliders",
    "solid",
    "solids",
    "wall",
    "walls",
    "blocked",
    "obstacle",
    "obstacles",
];

/// Bool properties of solid tiles and objects.
const PROPERTIES: [&str; 11] = [
    "solid",
    "collides",
    "collide",
    "collideable",
    "collidable",
    "block",
    "blocked",
    "blocking",
    "impassable",
    "obstacle",
    "wall",
];

/// Names of layers behind and above the characters.
const DECORATION: [&str; 7] =
    ["background*", "foreground*", "above*", "over", "overlay*", "overhead*", "fringe*"];

/// Bool properties of triggers.
const TRIGGERS: [&str; 6] =
    ["isTrigger", "is_trigger", "trigger", "isSensor", "is_sensor", "sensor"];

const ONE_WAY: [&str; 3] = ["one_way", "oneway", "one-way"];

impl Default for SolidRules {
    fn default() -> Self {
        let mut object_classes = list(&NAMES);
        object_classes.push("collision-line".to_owned());
        let mut layer_names = list(&NAMES);
        layer_names.push("collision*".to_owned());
        Self {
            layer_names,
            layer_classes: list(&NAMES),
            layer_properties: list(&["solid", "collision", "collides", "collidable"]),
            layer_passable_properties: list(&["nocollide"]),
            tile_classes: list(&NAMES),
            solid_properties: list(&PROPERTIES),
            passable_properties: list(&["walkable", "passable"]),
            solid_values: vec![PropertyIs::new("bodyType", "static")],
            decoration_layers: list(&DECORATION),
            trigger_properties: list(&TRIGGERS),
            two_tile_tilesets: true,
            object_classes,
            object_properties: list(&PROPERTIES),
            one_way_properties: list(&ONE_WAY),
            one_way_classes: list(&ONE_WAY),
            ..Self::none()
        }
    }
}

impl SolidRules {
    /// Empty rules, by which nothing is solid.
    pub fn none() -> Self {
        Self {
            layer_names: Vec::new(),
            layer_classes: Vec::new(),
            layer_properties: Vec::new(),
            layer_passable_properties: Vec::new(),
            walkable_layers: Vec::new(),
            passable_layers: Vec::new(),
            decoration_layers: Vec::new(),
            shapes_only: false,
            tile_classes: Vec::new(),
            solid_properties: Vec::new(),
            passable_properties: Vec::new(),
            trigger_properties: Vec::new(),
            solid_tiles: Vec::new(),
            passable_tiles: Vec::new(),
            two_tile_tilesets: false,
            object_classes: Vec::new(),
            object_properties: Vec::new(),
            solid_values: Vec::new(),
            one_way_properties: Vec::new(),
            one_way_classes: Vec::new(),
        }
    }
}

fn list(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}
