//! What in a Tiled map is solid: data, not code.
//!
//! [`SolidRules`] says which names, classes and properties mark a layer, a tile or an object as solid.
//! It judges one thing at a time and never walks a map.

use super::properties::{Properties, Property};

/// Which layers, tiles and objects of a map are solid. Names, classes and properties are compared without
/// regard to case; a string property that says `true` or `false` counts as a bool.
///
/// The defaults follow what real maps do. In order:
/// 1. a layer says so, by a bool property (`solid`, `collision`, `collides`), by its class, or by its name
///    (`collision`, `solid`, `wall`, ...): every tile and every rectangle on it. So does a group, for all
///    that is in it. A hidden layer counts: most collision layers are hidden. The property with the value
///    false overrules the layer's class and name, and the groups around it.
/// 2. a tile says so, by a bool property (`solid`, `collides`, `blocked`, ...; or `walkable`, `passable`
///    with the value false), or by its class, or by a collision shape that is the whole tile: wherever it is
///    placed. So does a rectangle object, by property or class.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolidRules {
    /// Names of solid layers.
    pub layer_names: Vec<String>,
    /// Classes of solid layers.
    pub layer_classes: Vec<String>,
    /// Bool properties of a layer that make it solid if true, and passable if false.
    pub layer_properties: Vec<String>,
    /// Classes of solid tiles and objects.
    pub tile_classes: Vec<String>,
    /// Bool properties of a tile or object that make it solid if true.
    pub solid_properties: Vec<String>,
    /// Bool properties of a tile or object that make it solid if false.
    pub passable_properties: Vec<String>,
}

impl Default for SolidRules {
    fn default() -> Self {
        let list = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let names: Vec<String> = list(&[
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
        ]);
        Self {
            layer_names: names.clone(),
            layer_classes: names.clone(),
            layer_properties: list(&["solid", "collision", "collides"]),
            tile_classes: names,
            solid_properties: list(&[
                "solid",
                "collides",
                "collide",
                "collideable",
                "collidable",
                "blocked",
                "blocking",
                "impassable",
                "obstacle",
                "wall",
            ]),
            passable_properties: list(&["walkable", "passable"]),
        }
    }
}

/// What a layer says of what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LayerSays {
    /// All of it is solid, and why, in words for a person: "its name".
    Solid(String),
    /// It is not solid, whatever the groups around it say.
    Passable,
    /// Nothing: as the groups around it say.
    Nothing,
}

impl SolidRules {
    /// These rules, with layers of this name solid too.
    #[must_use]
    pub fn with_layer(mut self, name: impl Into<String>) -> Self {
        self.layer_names.push(name.into());
        self
    }

    /// What a layer or group says of itself.
    pub(super) fn layer(&self, name: &str, class: &str, properties: &Properties) -> LayerSays {
        let flags = &self.layer_properties;
        if let Some(property) = with_flag(flags, properties, true) {
            LayerSays::Solid(format!("its property `{property}`"))
        } else if with_flag(flags, properties, false).is_some() {
            LayerSays::Passable
        } else if contains(&self.layer_classes, class) {
            LayerSays::Solid("its class".to_owned())
        } else if contains(&self.layer_names, name) {
            LayerSays::Solid("its name".to_owned())
        } else {
            LayerSays::Nothing
        }
    }

    /// Why a tile or an object is solid: "property `solid`"; `None` if it is not.
    pub(super) fn tile(&self, class: &str, properties: &Properties) -> Option<String> {
        with_flag(&self.solid_properties, properties, true)
            .or_else(|| with_flag(&self.passable_properties, properties, false))
            .map(|name| format!("property `{name}`"))
            .or_else(|| contains(&self.tile_classes, class).then(|| format!("class `{class}`")))
    }
}

/// The property, if any, by which a tile, layer or object asks to be one-way.
pub(super) fn one_way(properties: &Properties) -> Option<&str> {
    properties
        .iter()
        .find(|(name, value)| {
            ["one_way", "oneway", "one-way"]
                .iter()
                .any(|word| name.eq_ignore_ascii_case(word))
                && !matches!(value.as_flag(), Some(false))
                && **value != Property::Text(String::new())
        })
        .map(|(name, _)| name.as_str())
}

fn contains(words: &[String], text: &str) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// A property of one of these names that is the flag `value`, as the map writes its name.
fn with_flag<'p>(names: &[String], properties: &'p Properties, value: bool) -> Option<&'p str> {
    properties
        .iter()
        .find(|(name, property)| contains(names, name) && property.as_flag() == Some(value))
        .map(|(name, _)| name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties(pairs: &[(&str, Property)]) -> Properties {
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect()
    }

    #[test]
    fn a_layer_is_solid_by_property_class_or_name() {
        let rules = SolidRules::default();
        let none = Properties::new();
        let solid = |name: &str, class: &str, properties: &Properties| {
            matches!(rules.layer(name, class, properties), LayerSays::Solid(_))
        };
        assert!(solid("Collision", "", &none));
        assert!(solid("Trees", "WALLS", &none));
        assert_eq!(rules.layer("Trees", "", &none), LayerSays::Nothing);
        let yes = properties(&[("Solid", Property::Bool(true))]);
        assert!(solid("Trees", "", &yes));
        let no = properties(&[("solid", Property::Bool(false))]);
        assert_eq!(rules.layer("Walls", "", &no), LayerSays::Passable);
        let text = properties(&[("collides", Property::Text("true".to_owned()))]);
        assert!(solid("Trees", "", &text));
    }

    #[test]
    fn a_layer_that_is_named_makes_no_tile_solid() {
        let rules = SolidRules::default().with_layer("Ground");
        let none = Properties::new();
        assert!(matches!(
            rules.layer("ground", "", &none),
            LayerSays::Solid(_)
        ));
        assert_eq!(rules.tile("ground", &none), None);
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
            let properties = properties(&[(name, Property::Bool(value))]);
            assert_eq!(
                rules.tile("", &properties).is_some(),
                solid,
                "{name} {value}"
            );
        }
        assert!(rules.tile("obstacle", &Properties::new()).is_some());
        let both = properties(&[
            ("passable", Property::Bool(false)),
            ("walkable", Property::Bool(true)),
        ]);
        assert!(
            rules.tile("", &both).is_some(),
            "one that says no is enough"
        );
    }

    #[test]
    fn one_way_is_seen_unless_it_says_no() {
        let one = |value| one_way(&properties(&[("OneWay", value)])).is_some();
        assert!(one(Property::Bool(true)));
        assert!(one(Property::Text("top left".to_owned())));
        assert!(!one(Property::Bool(false)));
        assert!(!one(Property::Text("false".to_owned())));
    }
}
