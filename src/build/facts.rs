//! Facts about a map and about a level made of maps, for a person to read.
//!
//! Plain data, and the few questions to a document that fill it. Nothing here decides what is solid.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use glam::UVec2;

use crate::geometry::Aabb;
use crate::text::listed;
use crate::tmx::{Image, LayerContent, LayerKind, Map, Orientation, Properties, Space};

/// Facts about a Tiled map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapSource {
    /// Width and height in tiles; of an infinite map, the smallest that has all its tiles and solids.
    pub size: UVec2,
    /// A tile's width and height in pixels.
    pub tile_size: UVec2,
    /// How its cells lie on the screen.
    pub orientation: Orientation,
    /// True for a map without borders.
    pub is_infinite: bool,
    /// The space that the level is in.
    pub space: Space,
    /// The pictures that it names, each once and sorted, by their paths joined to the folder of the file that
    /// names them. The level needs none of them, so that they need not be there.
    pub pictures: Vec<PathBuf>,
    /// Its layers, groups included, in drawing order.
    pub layers: Vec<LayerSource>,
    /// The number of cells that each rule marked.
    pub solids: Vec<SolidCount>,
}

/// Facts about a world of Tiled maps.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldSource {
    /// Its maps, in the order of the file.
    pub maps: Vec<WorldPart>,
    /// The layers of all maps, each with the file of its map: `caves/01.tmx/Walls`.
    pub layers: Vec<LayerSource>,
    /// The number of cells that each rule marked, in all maps.
    pub solids: Vec<SolidCount>,
}

/// A map in a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldPart {
    /// Its path, from the folder of the world.
    pub file: String,
    /// The pixels that it covers in the level.
    pub area: Aabb,
}

/// Facts about a layer.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerSource {
    /// Its name with those of the groups around it: `Walls/Houses`.
    pub name: String,
    /// Its kind.
    pub kind: LayerKind,
    /// False if it, or a group around it, is hidden. Hidden layers collide all the same.
    pub visible: bool,
    /// Tiles that are not empty, or objects.
    pub items: u64,
}

/// How much one rule marked as solid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolidCount {
    /// The rule in words: ``layer `Collision` by its name``.
    pub rule: String,
    /// Tiles that it marked, as many as the layers have; a tile marked by two rules counts for both.
    pub tiles: u64,
    /// Objects that it marked.
    pub objects: u64,
}

/// The counts of rules, each rule once, in the order in which they are met.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) counts: Vec<SolidCount>,
    /// The index in `counts` of each rule.
    rules: HashMap<String, usize>,
}

impl Tally {
    /// Counts tiles and objects that a rule marked.
    pub(super) fn add(&mut self, rule: &str, tiles: u64, objects: u64) {
        match self.rules.get(rule).and_then(|index| self.counts.get_mut(*index)) {
            Some(count) => {
                count.tiles += tiles;
                count.objects += objects;
            }
            None => {
                self.rules.insert(rule.to_owned(), self.counts.len());
                self.counts.push(SolidCount { rule: rule.to_owned(), tiles, objects });
            }
        }
    }
}

/// The pictures that a map names and that are files of their own, each once and sorted.
pub(super) fn pictures(map: &Map) -> Vec<PathBuf> {
    let of_tilesets = map.tilesets.iter().flat_map(|set| {
        let of_tiles = set.tiles.values().filter_map(|tile| tile.image.as_ref());
        set.image.iter().chain(of_tiles)
    });
    let of_layers = map.walk().filter_map(|context| match &context.layer.content {
        LayerContent::Image(layer) => layer.image.as_ref(),
        _ => None,
    });
    let is_file = |image: &&Image| image.data.is_none() && !image.path.as_os_str().is_empty();
    let named = of_tilesets.chain(of_layers).filter(is_file);
    let paths: BTreeSet<PathBuf> = named.map(|image| image.path.clone()).collect();
    paths.into_iter().collect()
}

/// The layers of a map without solids, and the classes and properties of its layers, objects and tiles, so
/// that its maker sees which to name in a rule.
pub(super) fn inventory(map: &Map, layers: &[LayerSource]) -> String {
    let mut classes = BTreeSet::new();
    let mut names = BTreeSet::new();
    let mut add = |class: &String, properties: &Properties| {
        if !class.is_empty() {
            classes.insert(class.clone());
        }
        names.extend(properties.keys().cloned());
    };
    for context in map.walk() {
        let layer = context.layer;
        add(&layer.class, &layer.properties);
        if let LayerContent::Objects(of_layer) = &layer.content {
            for object in &of_layer.objects {
                add(&object.class, &object.properties);
            }
        }
    }
    for tile in map.tilesets.iter().flat_map(|set| set.tiles.values()) {
        add(&tile.class, &tile.properties);
    }
    format!(
        "its layers are {}; its classes: {}; its properties: {}",
        listed(layers.iter().map(|layer| &layer.name)),
        listed(classes.iter()),
        listed(names.iter()),
    )
}
