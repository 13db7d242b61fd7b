//! Methods that add to [`SolidRules`] in code. They replace nothing that was added before.

use std::ops::RangeInclusive;

use super::{PropertyIs, SolidRules, TileIds};

/// Methods that add a word to a list.
macro_rules! with_word {
    ($($(#[$doc:meta])* $method:ident: $list:ident;)*) => {
        impl SolidRules {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $method(mut self, word: impl Into<String>) -> Self {
                    self.$list.push(word.into());
                    self
                }
            )*
        }
    };
}

with_word! {
    /// These rules, with layers of this name solid as well.
    with_layer: layer_names;
    /// These rules, with layers of this class solid as well.
    with_layer_class: layer_classes;
    /// These rules, with this property added to [`SolidRules::layer_properties`].
    with_layer_property: layer_properties;
    /// These rules, with this property added to [`SolidRules::layer_passable_properties`].
    with_layer_passable_property: layer_passable_properties;
    /// These rules, with the empty cells of tile layers of this name solid.
    with_walkable_layer: walkable_layers;
    /// These rules, with nothing solid on layers of this name.
    with_passable_layer: passable_layers;
    /// These rules, with this name added to [`SolidRules::decoration_layers`].
    with_decoration_layer: decoration_layers;
    /// These rules, with this property added to [`SolidRules::trigger_properties`].
    with_trigger_property: trigger_properties;
    /// These rules, with tiles of this class solid as well.
    with_tile_class: tile_classes;
    /// These rules, with tiles solid as well for which this bool property is true.
    with_solid_property: solid_properties;
    /// These rules, with tiles and objects solid as well for which this bool property is false.
    with_passable_property: passable_properties;
    /// These rules, with objects of this class solid as well.
    with_object_class: object_classes;
    /// These rules, with objects solid as well for which this bool property is true.
    with_object_property: object_properties;
    /// These rules, with this property added to [`SolidRules::one_way_properties`].
    with_one_way_property: one_way_properties;
    /// These rules, with the top of tiles and objects of this class one-way.
    with_one_way_class: one_way_classes;
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

    /// These rules, with the tiles `ids` of a tileset solid as well; of every tileset if it is `*`.
    #[must_use]
    pub fn with_solid_tiles(
        mut self,
        tileset: impl Into<String>,
        ids: RangeInclusive<u32>,
    ) -> Self {
        self.solid_tiles.push(TileIds::new(tileset, ids));
        self
    }

    /// These rules, with the tiles `ids` of a tileset passable even on a solid layer.
    #[must_use]
    pub fn with_passable_tiles(
        mut self,
        tileset: impl Into<String>,
        ids: RangeInclusive<u32>,
    ) -> Self {
        self.passable_tiles.push(TileIds::new(tileset, ids));
        self
    }

    /// These rules, with or without the convention of [`SolidRules::two_tile_tilesets`].
    #[must_use]
    pub fn with_two_tile_tilesets(mut self, known: bool) -> Self {
        self.two_tile_tilesets = known;
        self
    }

    /// These rules with another [`SolidRules::shapes_only`].
    #[must_use]
    pub fn with_shapes_only(mut self, only: bool) -> Self {
        self.shapes_only = only;
        self
    }

    /// These rules, with layers, tiles and objects solid as well whose property `name` has this value.
    #[must_use]
    pub fn with_value(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.solid_values.push(PropertyIs::new(name, value));
        self
    }
}
