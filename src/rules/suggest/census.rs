//! The content of a map that suggestions are made of: its words, and the tiles of its layers.
//!
//! It counts, and judges nothing.

use std::collections::{BTreeMap, HashMap};

use crate::property::PropertyValue;
use crate::tmx::{
    Layer, LayerContent, LayerContext, Map, ObjectLayer, Properties, Shape, TileLayer, Tileset,
    flip,
};

/// Different words of one use that are counted. A hostile map may have a million, and each is compared with
/// all words of the rules.
const MAX_WORDS: usize = 4_096;

/// Different tiles that are told apart, in all layers together: a layer of solids has few.
const MAX_KINDS: usize = 65_536;

/// The use that a map makes of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Role {
    Layer,
    Class,
    Tileset,
    /// A bool property that is true, or one that is false.
    True,
    False,
}

/// A map and the numbers of its tiles and objects by their words.
pub(super) struct Census<'m> {
    pub(super) map: &'m Map,
    pub(super) layers: Vec<LayerCensus<'m>>,
    /// How many tiles and objects each word is said of.
    pub(super) words: BTreeMap<(Role, &'m str), u64>,
    /// Properties of other types than a flag's, with their values. A member of a class is named with it, too:
    /// `terrain`, `body.terrain`.
    pub(super) values: BTreeMap<(String, String), u64>,
    /// How many words of each use are counted.
    used: HashMap<Role, usize>,
    /// True if there are more words than are counted.
    pub(super) is_cut: bool,
}

/// A layer and its content.
pub(super) struct LayerCensus<'m> {
    pub(super) context: LayerContext<'m>,
    /// Tiles that are not empty, or objects that cover something.
    pub(super) items: u64,
    /// How many cells show each tile.
    pub(super) kinds: Kinds,
}

impl<'m> LayerCensus<'m> {
    pub(super) fn tiles(&self) -> Option<&'m TileLayer> {
        match &self.context.layer.content {
            LayerContent::Tiles(tiles) => Some(tiles),
            _ => None,
        }
    }

    pub(super) fn objects(&self) -> Option<&'m ObjectLayer> {
        match &self.context.layer.content {
            LayerContent::Objects(objects) => Some(objects),
            _ => None,
        }
    }
}

/// Numbers of cells by the number of their tile, without flags.
#[derive(Default)]
pub(super) struct Kinds {
    counts: HashMap<u32, u64>,
    /// The cells of the tiles that are not told apart.
    others: u64,
}

impl Kinds {
    /// Counts the tiles of a layer, of which at most `room` are told apart.
    fn of(layer: &TileLayer, room: usize) -> Self {
        let mut kinds = Self::default();
        // Most tiles are like the one before.
        let (mut last, mut run) = (0, 0);
        for gid in layer.blocks.iter().flat_map(|block| &block.cells) {
            let gid = gid & !flip::ALL;
            if gid == last {
                run += 1;
            } else {
                kinds.add(last, run, room);
                (last, run) = (gid, 1);
            }
        }
        kinds.add(last, run, room);
        kinds
    }

    fn add(&mut self, gid: u32, count: u64, room: usize) {
        let is_full = self.counts.len() >= room;
        match self.counts.get_mut(&gid) {
            _ if gid == 0 || count == 0 => {}
            Some(known) => *known += count,
            None if is_full => self.others += count,
            None => {
                self.counts.insert(gid, count);
            }
        }
    }

    /// The number of different tiles, as far as they are told apart.
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    pub(super) fn total(&self) -> u64 {
        self.counts.values().sum::<u64>() + self.others
    }

    /// Each tile's number and its cells.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, u64)> {
        self.counts.iter().map(|(gid, count)| (*gid, *count))
    }
}

impl<'m> Census<'m> {
    /// O(cells + objects + tiles of the tilesets).
    pub(super) fn of(map: &'m Map) -> Self {
        let mut census = Self {
            map,
            layers: Vec::new(),
            words: BTreeMap::new(),
            values: BTreeMap::new(),
            used: HashMap::new(),
            is_cut: false,
        };
        let mut room = MAX_KINDS;
        for context in map.walk() {
            let mut kinds = Kinds::default();
            let items = match &context.layer.content {
                LayerContent::Tiles(tiles) => {
                    kinds = Kinds::of(tiles, room);
                    room -= kinds.len();
                    kinds.total()
                }
                LayerContent::Objects(objects) => census.objects(objects),
                LayerContent::Image(_) | LayerContent::Group(_) => 0,
            };
            census.layers.push(LayerCensus { context, items, kinds });
        }
        census.layer_words();
        census.tile_words();
        census
    }

    /// Counts the words of a layer's objects; gives the number of those that cover something.
    fn objects(&mut self, layer: &'m ObjectLayer) -> u64 {
        let mut items = 0;
        for object in &layer.objects {
            self.word(Role::Class, &object.class, 1);
            self.properties(&object.properties, 1);
            items += u64::from(!matches!(object.shape, Shape::Point | Shape::Text(_)));
        }
        items
    }

    /// Counts the words of layers and groups, each with all items in it.
    fn layer_words(&mut self) {
        let mut counts: HashMap<*const Layer, u64> = HashMap::new();
        for LayerCensus { context, items, .. } in &self.layers {
            for around in context.parents.iter().chain([&context.layer]) {
                *counts.entry(std::ptr::from_ref(*around)).or_default() += items;
            }
        }
        let layers: Vec<&'m Layer> = self.layers.iter().map(|it| it.context.layer).collect();
        for layer in layers {
            let count = counts.get(&std::ptr::from_ref(layer)).copied().unwrap_or_default();
            self.word(Role::Layer, &layer.name, count);
            self.word(Role::Class, &layer.class, count);
            self.properties(&layer.properties, count);
        }
    }

    /// Counts the words of tilesets and their tiles, each with the cells that show them.
    fn tile_words(&mut self) {
        let mut cells: HashMap<(usize, u32), u64> = HashMap::new();
        let all = self.layers.iter().flat_map(|layer| layer.kinds.iter());
        for (gid, count) in all {
            if let Some(tile) = self.map.tile(gid) {
                *cells.entry(tile).or_default() += count;
            }
        }
        let mut of_sets = vec![0; self.map.tilesets.len()];
        for ((index, _), count) in &cells {
            of_sets.get_mut(*index).into_iter().for_each(|sum| *sum += count);
        }
        for ((index, set), count) in self.map.tilesets.iter().enumerate().zip(of_sets) {
            self.word(Role::Tileset, &set.name, count);
            self.words_of_tiles(set, |id| cells.get(&(index, id)).copied().unwrap_or_default());
        }
    }

    fn words_of_tiles(&mut self, set: &'m Tileset, cells: impl Fn(u32) -> u64) {
        for (id, tile) in &set.tiles {
            let count = cells(*id);
            self.word(Role::Class, &tile.class, count);
            self.properties(&tile.properties, count);
        }
    }

    fn properties(&mut self, properties: &'m Properties, count: u64) {
        for (name, property) in properties {
            self.property(None, name, &property.value, count);
            if let PropertyValue::Class { members, .. } = &property.value {
                for (member, value) in members {
                    self.property(Some(name), member, value, count);
                }
            }
        }
    }

    /// Counts a property, or a member of the class `outer`.
    fn property(
        &mut self,
        outer: Option<&str>,
        name: &'m str,
        value: &'m PropertyValue,
        count: u64,
    ) {
        let text = match (value.as_flag(), value) {
            (Some(true), _) => return self.word(Role::True, name, count),
            (Some(false), _) => return self.word(Role::False, name, count),
            (None, PropertyValue::Text(text)) => text.clone(),
            (None, PropertyValue::Int(number)) => number.to_string(),
            _ => return,
        };
        let full = outer.map(|outer| format!("{outer}.{name}"));
        for name in full.into_iter().chain([name.to_owned()]) {
            let is_full = self.values.len() >= MAX_WORDS;
            match self.values.get_mut(&(name.clone(), text.clone())) {
                Some(known) => *known += count,
                None if is_full => self.is_cut = true,
                None => {
                    self.values.insert((name, text.clone()), count);
                }
            }
        }
    }

    fn word(&mut self, role: Role, word: &'m str, count: u64) {
        if word.is_empty() {
            return;
        }
        let used = self.used.entry(role).or_default();
        match self.words.get_mut(&(role, word)) {
            Some(known) => *known += count,
            None if *used >= MAX_WORDS => self.is_cut = true,
            None => {
                *used += 1;
                self.words.insert((role, word), count);
            }
        }
    }
}
