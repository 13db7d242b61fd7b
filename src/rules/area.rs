//! The rules of named areas, such as water, ladders and hazards. They never walk a map.

use super::tiles::TileIds;
use super::words::PropertyIs;
#[cfg(feature = "tmx")]
use super::words::{Named, flag, names, value};
#[cfg(feature = "tmx")]
use crate::text::listed;

/// A named area of a map, such as water, and the layers, tiles and objects that belong to it. A tile or an
/// object can be in several areas, and solid as well. Words are compared as in [`crate::rules::SolidRules`].
///
/// | made by | its content |
/// |---|---|
/// | [`AreaRule::named`] | the layers, tiles and objects with this name, class or property |
/// | [`AreaRule::new`] | nothing until its fields say more |
///
/// A load in which nothing is in an area succeeds, and
/// [`LoadedLevel::warnings`](crate::LoadedLevel::warnings) says so.
///
/// ```
/// use bitwall::rules::{AreaRule, PropertyIs};
/// use bitwall::{Level, LoadOptions};
///
/// let glass = AreaRule { category: 1 << 1, ..AreaRule::named("glass") };
/// let hazard = AreaRule {
///     classes: vec!["Spikes".to_owned()],
///     values: vec![PropertyIs::new("terrain", "lava")],
///     ..AreaRule::new("hazard")
/// };
/// let options = LoadOptions { areas: vec![glass, hazard], ..LoadOptions::default() };
/// let level = Level::load_with("assets/cave.tmx", &options)?;
/// assert_eq!(level.area_category("glass"), Some(2));
/// # Ok::<(), bitwall::LoadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// area because of it. The fields have the content; [`AreaRule::named`] has that of the name.
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
    /// In a `bitwall.toml` it is an `[areas.water]` without keys.
    pub fn named(name: &str) -> Self {
        let one = || vec![name.to_owned()];
        Self { layers: one(), classes: one(), properties: one(), ..Self::new(name) }
    }

    /// The reason that the content of a layer or group is in this area; `None` if it is not.
    #[cfg(feature = "tmx")]
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
    #[cfg(feature = "tmx")]
    pub(crate) fn tile_id(&self, tileset: &str, id: u32) -> bool {
        self.tiles.iter().any(|tiles| tiles.has(tileset, id))
    }

    /// The reason that a layer, a tile or an object is in this area by its class or its properties; `None` if
    /// it is not.
    #[cfg(feature = "tmx")]
    pub(crate) fn thing(&self, class: &str, properties: &impl Named) -> Option<String> {
        flag(&self.properties, properties, true)
            .or_else(|| value(&self.values, properties))
            .map(|name| format!("property `{name}`"))
            .or_else(|| names(&self.classes, class).then(|| format!("class `{class}`")))
    }
}
