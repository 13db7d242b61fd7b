//! Named areas: water, ladders, what hurts.

use std::ops::RangeInclusive;

use super::tiles::TileIds;
use super::words::{Named, PropertyIs, flag, names, value};

/// What in a map belongs to an area with a name, such as water or a ladder. A thing can be in an area and
/// solid at once, and in many areas. Words are compared as in [`crate::SolidRules`].
///
/// ```
/// use bitwall::{AreaRule, LoadOptions};
///
/// let hazard = AreaRule::new("hazard")
///     .with_class("Spikes")
///     .with_value("terrain", "lava");
/// let options = LoadOptions::default()
///     .with_area(AreaRule::named("water"))
///     .with_area(hazard);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AreaRule {
    /// The name by which the area is asked for.
    pub name: String,
    /// Names of layers and groups that are all of this area: their tiles and their objects.
    pub layers: Vec<String>,
    /// Classes of layers, tiles and objects.
    pub classes: Vec<String>,
    /// Bool properties of layers, tiles and objects that are true.
    pub properties: Vec<String>,
    /// PropertyValues of layers, tiles and objects by their value.
    pub values: Vec<PropertyIs>,
    /// Tiles by their number.
    pub tiles: Vec<TileIds>,
}

impl AreaRule {
    /// An area to which nothing belongs yet.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            layers: Vec::new(),
            classes: Vec::new(),
            properties: Vec::new(),
            values: Vec::new(),
            tiles: Vec::new(),
        }
    }

    /// The area of all that is called `name`: layers by their name or class, tiles and objects by their
    /// class, and each by a bool property of that name.
    pub fn named(name: &str) -> Self {
        Self::new(name)
            .with_layer(name)
            .with_class(name)
            .with_property(name)
    }

    /// This area with what is on layers of this name too.
    #[must_use]
    pub fn with_layer(mut self, name: impl Into<String>) -> Self {
        self.layers.push(name.into());
        self
    }

    /// This area with layers, tiles and objects of this class too.
    #[must_use]
    pub fn with_class(mut self, class: impl Into<String>) -> Self {
        self.classes.push(class.into());
        self
    }

    /// This area with what has this bool property, and it is true, too.
    #[must_use]
    pub fn with_property(mut self, name: impl Into<String>) -> Self {
        self.properties.push(name.into());
        self
    }

    /// This area with what has a property of this value too.
    #[must_use]
    pub fn with_value(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.values.push(PropertyIs::new(name, value));
        self
    }

    /// This area with the tiles `ids` of a tileset too.
    #[must_use]
    pub fn with_tiles(mut self, tileset: impl Into<String>, ids: RangeInclusive<u32>) -> Self {
        self.tiles.push(TileIds::new(tileset, ids));
        self
    }
}

impl AreaRule {
    /// Why all that is on a layer or in a group is of this area; `None` if it is not.
    pub(crate) fn layer(&self, name: &str, class: &str, properties: &impl Named) -> Option<String> {
        self.thing(class, properties)
            .or_else(|| names(&self.layers, name).then(|| "its name".to_owned()))
    }

    /// Why a tile is of this area by its class or properties; `None` if it is not.
    pub(crate) fn tile(&self, class: &str, properties: &impl Named) -> Option<String> {
        self.thing(class, properties)
    }

    /// Why an object is of this area; `None` if it is not.
    pub(crate) fn object(&self, class: &str, properties: &impl Named) -> Option<String> {
        self.thing(class, properties)
    }

    /// True if a tile is of this area by its number.
    pub(crate) fn tile_id(&self, tileset: &str, id: u32) -> bool {
        self.tiles.iter().any(|tiles| tiles.has(tileset, id))
    }

    fn thing(&self, class: &str, properties: &impl Named) -> Option<String> {
        flag(&self.properties, properties, true)
            .or_else(|| value(&self.values, properties))
            .map(|name| format!("property `{name}`"))
            .or_else(|| names(&self.classes, class).then(|| format!("class `{class}`")))
    }
}
