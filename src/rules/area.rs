//! The rules of named areas, such as water, ladders and hazards. They never walk a map.

use std::ops::RangeInclusive;

use super::tiles::TileIds;
use super::words::{Named, PropertyIs, flag, names, value};
use crate::text::listed;

/// A named area of a map, such as water, and the layers, tiles and objects that belong to it. A tile or an
/// object can be in several areas, and solid as well. Words are compared as in [`crate::rules::SolidRules`].
///
/// | made by | its content |
/// |---|---|
/// | [`AreaRule::named`] | the layers, tiles and objects with this name, class or property |
/// | [`AreaRule::new`] | nothing until a `with_…` method adds something |
///
/// A load in which nothing is in an area succeeds, and
/// [`LoadedLevel::warnings`](crate::LoadedLevel::warnings) says so.
///
/// ```
/// use bitwall::{rules::AreaRule, LoadOptions};
///
/// let hazard = AreaRule::new("hazard")
///     .with_class("Spikes")
///     .with_value("terrain", "lava");
/// let options = LoadOptions::default()
///     .with_area(AreaRule::named("water"))
///     .with_area(hazard);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct AreaRule {
    /// The name of the area, for queries.
    pub name: String,
    /// Its categories, one bit each: it is solid for a body that collides with one of them, as
    /// [`Level::with_solid_area`](crate::Level::with_solid_area). Default: 0, an area that stops nobody. They
    /// also count for the area of a mask with this name.
    pub category: u64,
    /// Names of layers and groups whose tiles and objects are all in the area.
    pub layers: Vec<String>,
    /// Classes of layers, tiles and objects.
    pub classes: Vec<String>,
    /// Names of bool properties of layers, tiles and objects; the property must be true.
    pub properties: Vec<String>,
    /// Properties of layers, tiles and objects, with their values.
    pub values: Vec<PropertyIs>,
    /// Tiles by their ids.
    pub tiles: Vec<TileIds>,
}

impl AreaRule {
    /// An area `name` without content: the name is for queries alone, and no layer, tile or object is in the
    /// area because of it. The `with_…` methods add content; [`AreaRule::named`] has that of the name.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            category: 0,
            layers: Vec::new(),
            classes: Vec::new(),
            properties: Vec::new(),
            values: Vec::new(),
            tiles: Vec::new(),
        }
    }

    /// The area `name`, with everything of that name: layers by name or class, tiles and objects by class,
    /// and each of them by a bool property that is true. An object's own name does not count.
    ///
    /// It equals `AreaRule::new(name).with_layer(name).with_class(name).with_property(name)`. In a
    /// `bitwall.toml` it is an `[areas.water]` without keys.
    pub fn named(name: &str) -> Self {
        Self::new(name).with_layer(name).with_class(name).with_property(name)
    }

    /// This area with these categories, one bit each, in place of its own: it stops the bodies that collide
    /// with one of them.
    ///
    /// ```
    /// use bitwall::{Level, LoadOptions, rules::AreaRule};
    ///
    /// let glass = AreaRule::named("glass").with_category(1 << 1);
    /// let options = LoadOptions::default().with_area(glass);
    /// let level = Level::load_with("assets/cave.tmx", &options)?;
    /// assert_eq!(level.area_category("glass"), Some(2));
    /// # Ok::<(), bitwall::LoadError>(())
    /// ```
    #[must_use]
    pub fn with_category(mut self, category: u64) -> Self {
        self.category = category;
        self
    }

    /// This area with the tiles and objects on layers of this name added.
    #[must_use]
    pub fn with_layer(mut self, name: impl Into<String>) -> Self {
        self.layers.push(name.into());
        self
    }

    /// This area with layers, tiles and objects of this class added.
    #[must_use]
    pub fn with_class(mut self, class: impl Into<String>) -> Self {
        self.classes.push(class.into());
        self
    }

    /// This area with layers, tiles and objects added for which this bool property is true.
    #[must_use]
    pub fn with_property(mut self, name: impl Into<String>) -> Self {
        self.properties.push(name.into());
        self
    }

    /// This area with layers, tiles and objects added whose property `name` has this value.
    #[must_use]
    pub fn with_value(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.values.push(PropertyIs::new(name, value));
        self
    }

    /// This area with the tiles `ids` of a tileset added.
    #[must_use]
    pub fn with_tiles(mut self, tileset: impl Into<String>, ids: RangeInclusive<u32>) -> Self {
        self.tiles.push(TileIds::new(tileset, ids));
        self
    }
}

impl AreaRule {
    /// The reason that the content of a layer or group is in this area; `None` if it is not.
    pub(crate) fn layer(&self, name: &str, class: &str, properties: &impl Named) -> Option<String> {
        self.thing(class, properties)
            .or_else(|| names(&self.layers, name).then(|| "its name".to_owned()))
    }

    /// The content that the rule asks for, in words; `None` if it asks for none.
    #[cfg(feature = "tmx")]
    pub(crate) fn content(&self) -> Option<String> {
        let Self { name: _, category: _, layers, classes, properties, values, tiles } = self;
        let values = values.iter().map(|is| format!("{}={}", is.name, is.value)).collect();
        let tilesets = tiles.iter().map(|tiles| tiles.tileset.clone()).collect();
        let lists: [(&str, &Vec<String>); 5] = [
            ("layers", layers),
            ("classes", classes),
            ("properties", properties),
            ("values", &values),
            ("tiles of", &tilesets),
        ];
        let lists = lists.into_iter().filter(|(_, names)| !names.is_empty());
        let lists: Vec<String> =
            lists.map(|(noun, names)| format!("{noun} {}", listed(names.iter()))).collect();
        (!lists.is_empty()).then(|| lists.join(", "))
    }

    /// True if a tile is in this area by its id.
    pub(crate) fn tile_id(&self, tileset: &str, id: u32) -> bool {
        self.tiles.iter().any(|tiles| tiles.has(tileset, id))
    }

    /// The reason that a layer, a tile or an object is in this area by its class or its properties; `None` if
    /// it is not.
    pub(crate) fn thing(&self, class: &str, properties: &impl Named) -> Option<String> {
        flag(&self.properties, properties, true)
            .or_else(|| value(&self.values, properties))
            .map(|name| format!("property `{name}`"))
            .or_else(|| names(&self.classes, class).then(|| format!("class `{class}`")))
    }
}
