//! Counts the words of a map and the tiles of its layers, to make suggestions. Also guesses the layer of
//! solids from its structure, for a map whose words do not help.
//!
//! A layer of solids has few kinds of tiles, does not fill the map, is often hidden, has a closed border, and
//! has no tile where objects mark the places of characters. The points for each criterion follow counts in 32
//! maps of real games whose solids are one tile layer. Pictures are not used.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};

use bitwall::glam::{DVec2, IVec2, UVec2};
use bitwall::property::PropertyValue;
use bitwall::rules::{Setting, TileRange};
use bitwall::text::{counted, printable};
use bitwall::tmx::{
    LayerContent, LayerContext, Map, Object, ObjectLayer, Orientation, PlacedTile, Properties,
    Shape, Tile, TileLayer, flip,
};

use super::near::tokens_of;

/// The largest number of different words counted per [`CensusRole`]. Each word is compared with all words of
/// the rules, and a hostile map may have a million words.
const MAX_WORDS: usize = 4_096;

/// The largest number of different tiles of a map that are counted one by one. Layers with solids have fewer
/// different tiles.
const MAX_KINDS: usize = 65_536;

/// The place of a word in a map: the name of a layer, object or tileset, a class, or the name of a bool
/// property that is true or false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum CensusRole {
    Layer,
    Class,
    /// The name of an object that is not a text.
    Object,
    Tileset,
    /// The name of a bool property that is true. `False` is for a bool property that is false.
    True,
    False,
}

impl CensusRole {
    /// The setting that makes a word solid in this use.
    pub(super) fn setting(self, word: String) -> Setting {
        match self {
            Self::Layer => Setting::SolidLayer(word),
            Self::Class => Setting::SolidClass(word),
            Self::Object => Setting::SolidObject(word),
            Self::Tileset => Setting::SolidTiles(TileRange::new(word, None)),
            Self::True => Setting::SolidProperty(word),
            Self::False => Setting::PassableProperty(word),
        }
    }
}

/// The counts of words and tiles of a map. A word is a class, or the name of a layer, object, tileset
/// or bool property.
pub(super) struct Census<'m> {
    pub(super) map: &'m Map,
    pub(super) layers: Vec<LayerCensus<'m>>,
    /// The number of tiles and objects per word. The key is the kind of the word, and the word.
    pub(super) words: BTreeMap<(CensusRole, &'m str), u64>,
    /// The number of tiles and objects with a text or whole-number property that does not count as a bool.
    /// The key is the property's name and value. The member `terrain` of a property `body` counts twice: as
    /// `terrain`, and as `body.terrain`.
    pub(super) values: BTreeMap<(String, String), u64>,
    /// The number of different words counted so far per [`CensusRole`].
    used: [usize; 6],
    /// True if some words were left out, because the map has too many.
    pub(super) is_cut: bool,
}

/// A layer, and the numbers of its tiles or objects.
pub(super) struct LayerCensus<'m> {
    pub(super) context: LayerContext<'m>,
    /// The number of cells with a tile in a tile layer. For an object layer, the number of objects that are
    /// neither points nor texts.
    pub(super) items: u64,
    pub(super) kinds: TileKinds,
}

impl LayerCensus<'_> {
    pub(super) fn name(&self) -> &str {
        &self.context.layer.name
    }
}

/// The number of cells per tile, by the tile's number without flags.
#[derive(Default)]
pub(super) struct TileKinds {
    pub(super) counts: HashMap<u32, u64>,
    /// The number of cells with tiles that `counts` leaves out, because it has too many different tiles
    /// already.
    others: u64,
}

impl TileKinds {
    /// Counts the tiles of a layer: the first `room` different tiles one by one, all others together.
    fn count(layer: &TileLayer, room: usize) -> Self {
        let mut kinds = Self::default();
        // Most cells have the same tile as the cell before.
        let mut last = 0;
        let mut run = 0;
        for gid in layer.blocks.iter().flat_map(|block| &block.cells) {
            let gid = gid & !flip::ALL;
            if gid == last {
                run += 1;
            } else {
                kinds.add(last, run, room);
                last = gid;
                run = 1;
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

    pub(super) fn total(&self) -> u64 {
        self.counts.values().sum::<u64>() + self.others
    }
}

impl<'m> Census<'m> {
    /// O(cells + objects + tiles of the tilesets).
    pub(super) fn new(map: &'m Map) -> Self {
        let mut census = Self {
            map,
            layers: Vec::new(),
            words: BTreeMap::new(),
            values: BTreeMap::new(),
            used: [0; 6],
            is_cut: false,
        };
        let mut room = MAX_KINDS;
        for context in map.walk() {
            let mut kinds = TileKinds::default();
            let items = match &context.layer.content {
                LayerContent::Tiles(tiles) => {
                    kinds = TileKinds::count(tiles, room);
                    room -= kinds.counts.len();
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

    /// The tile with this number, if its tileset's file lists it.
    pub(super) fn tile(&self, gid: u32) -> Option<&Tile> {
        let PlacedTile { tileset, id, .. } = self.map.tile(gid)?;
        Some(self.map.tilesets.get(tileset)?.tiles.get(&id)?)
    }

    /// Counts the words of a layer's objects. Returns the number of objects other than points and texts.
    fn objects(&mut self, layer: &'m ObjectLayer) -> u64 {
        let mut items = 0;
        for object in &layer.objects {
            self.word(CensusRole::Class, &object.class, 1);
            if !matches!(object.shape, Shape::Text(_)) {
                self.word(CensusRole::Object, &object.name, 1);
            }
            self.properties(&object.properties, 1);
            items += u64::from(!matches!(object.shape, Shape::Point | Shape::Text(_)));
        }
        items
    }

    /// Counts the names, classes and properties of layers and groups, once per tile or object in them.
    fn layer_words(&mut self) {
        for index in 0..self.layers.len() {
            let LayerCensus { context, items, .. } = &self.layers[index];
            let layer = context.layer;
            let depth = context.parents.len();
            let mut count = *items;
            for inner in &self.layers[index + 1..] {
                if inner.context.parents.len() <= depth {
                    break;
                }
                count += inner.items;
            }
            self.word(CensusRole::Layer, &layer.name, count);
            self.word(CensusRole::Class, &layer.class, count);
            self.properties(&layer.properties, count);
        }
    }

    /// Counts the names, classes and properties of tilesets and tiles, once per cell that shows the tile.
    fn tile_words(&mut self) {
        let mut cells: HashMap<u32, u64> = HashMap::new();
        for layer in &self.layers {
            for (gid, count) in &layer.kinds.counts {
                *cells.entry(*gid).or_default() += count;
            }
        }
        let mut of_sets = vec![0; self.map.tilesets.len()];
        for (gid, count) in &cells {
            if let Some(tile) = self.map.tile(*gid) {
                of_sets[tile.tileset] += count;
            }
        }
        for ((index, set), count) in self.map.tilesets.iter().enumerate().zip(of_sets) {
            self.word(CensusRole::Tileset, &set.name, count);
            for (id, tile) in &set.tiles {
                // The number of a tile may also belong to the next tileset.
                let gid = set.first_gid.saturating_add(*id);
                let count = cells.get(&gid).copied().unwrap_or_default();
                let placed = self.map.tile(gid).filter(|_| count > 0);
                let is_own = placed.is_some_and(|tile| (tile.tileset, tile.id) == (index, *id));
                let count = if is_own { count } else { 0 };
                self.word(CensusRole::Class, &tile.class, count);
                self.properties(&tile.properties, count);
            }
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

    /// Counts a property of a layer, tile or object. A member of a class property has the name of that
    /// property as `outer`.
    fn property(
        &mut self,
        outer: Option<&str>,
        name: &'m str,
        value: &'m PropertyValue,
        count: u64,
    ) {
        let text = match (value.as_flag(), value) {
            (Some(true), _) => return self.word(CensusRole::True, name, count),
            (Some(false), _) => return self.word(CensusRole::False, name, count),
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

    fn word(&mut self, role: CensusRole, word: &'m str, count: u64) {
        if word.is_empty() {
            return;
        }
        let used = &mut self.used[role as usize];
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

/// A guess that a tile layer has the level's solids, or is its floor. It follows from the layer's tiles and
/// name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Guess {
    /// The index of the layer in [`Census::layers`].
    pub(super) layer: usize,
    pub(super) score: i64,
    /// The guessed content of the layer: `the solids`, or `the floor`, whose empty cells are solid.
    pub(super) role: &'static str,
    pub(super) options: Vec<Setting>,
    /// The number of cells with the most frequent tile, in a layer without empty cells. This tile is guessed
    /// to be passable. Otherwise 0.
    pub(super) free: u64,
    pub(super) why: Vec<String>,
}

/// Words in the names of objects that mark where characters appear, stand or go.
const PLACES: &str = "spawn spawns spawner spawnpoint start player hero npc npcs enemy enemies monster warp \
                      warps door doors exit entrance teleport portal checkpoint goal item chest";

/// Words in the names of layers that are mostly solid.
pub(super) const SOLID_WORDS: &str = "block blocks platform platforms terrain main level walls \
                                      wall rocks trees buildings ground boundaries boundary \
                                      barrier barriers obstacles fence fences cliff cliffs \
                                      bounds";
/// Words in the names of layers with items to touch or to take.
pub(super) const ITEMS: &str = "coin coins item items collectible collectibles pickup pickups \
                                gem gems powerup powerups loot enemy enemies bomb bombs spikes \
                                hazards ladder ladders";
/// Words in the names of object layers that mark places and areas.
pub(super) const OTHER_OBJECTS: &str = "water trigger triggers transition transitions zone \
                                        zones area areas spawn spawns spawnpoints npc npcs \
                                        camera light lights door doors exit exits death player \
                                        event events warp warps chests checkpoints";
/// Words in the names of layers that are mostly decoration or floor.
const OTHER_WORDS: &str = "background bg sky clouds parallax above over overlay overhead fringe foreground \
                           fg shadow shadows light lights deco decoration decorations floor floors grass \
                           path paths details flowers";

pub(super) fn has_word(tokens: &[String], words: &str) -> bool {
    tokens.iter().any(|token| words.split(' ').any(|word| word == token))
}

/// Returns a guess for each non-empty tile layer that may have the level's solids or be its floor.
pub(super) fn guesses(census: &Census<'_>) -> Vec<Guess> {
    let places = places(census);
    let mut guesses = Vec::new();
    let mut is_ground = true;
    for (index, layer) in census.layers.iter().enumerate().filter(|(_, layer)| layer.items > 0) {
        if let LayerContent::Tiles(tiles) = &layer.context.layer.content {
            if let Some(mut guess) = guess(census, index, layer, tiles, &places) {
                // Of several tile layers, the lowest is usually the ground, and not the solids.
                guess.score -= if is_ground { 6 } else { 0 };
                guesses.push(guess);
            }
            is_ground = false;
        }
    }
    guesses
}

/// Returns the guess that a non-empty tile layer has the level's solids, or is its floor. `None` if the layer
/// has no empty cells and no tile that can be a background.
fn guess(
    census: &Census<'_>,
    index: usize,
    layer: &LayerCensus<'_>,
    tiles: &TileLayer,
    places: &[IVec2],
) -> Option<Guess> {
    let size = census.map.size;
    let cells = u64::from(size.x) * u64::from(size.y);
    let is_finite = !census.map.is_infinite && cells > 0;
    if is_finite && layer.items * 1000 >= cells * 995 {
        return full(census, index, layer);
    }
    let kinds = layer.kinds.counts.len();
    let mut why = vec![counted(kinds as u64, "kind") + " of tile"];
    let mut score = match kinds {
        0 | 1 => 40,
        2 => 24,
        3..=4 => 16,
        5..=8 => 8,
        _ => 0,
    };
    if is_finite {
        why.push(format!("on {}% of the map", layer.items * 100 / cells));
        score -= if layer.items * 200 < cells { 30 } else { 0 };
    }
    if !layer.context.visible {
        score += 16;
        why.push("hidden".to_owned());
    }
    let inside = places.iter().filter(|at| is_filled(tiles, **at)).count();
    let is_floor = inside * 2 > places.len();
    if is_floor && !is_finite && !has_gaps(tiles, layer.items) {
        return None;
    }
    if !places.is_empty() {
        let right = if is_floor { inside } else { places.len() - inside };
        let share = (100 * right / places.len()) as i64;
        // `places` are cells where characters appear, stand or go: on a floor, but not in solids. The score
        // changes by -30 if half of them fit the guessed content of the layer, and by 8 if all of them fit.
        score += (38 * (share - 50)) / 50 - 30;
        let side = if is_floor { "on" } else { "off" };
        why.push(format!("{right} of {} places of characters lie {side} it", places.len()));
    }
    // A floor of a few cells leaves nearly everything solid.
    score -= if is_finite && is_floor && layer.items * 20 < cells { 30 } else { 0 };
    if let Some(share) = border_share(census, tiles) {
        let closed = if is_floor { 100 - share } else { share };
        if closed >= 90 {
            score += 10;
            let part = if is_floor { "its gaps" } else { "its tiles" };
            why.push(format!("{part} line the map's border"));
        }
    }
    let name = &layer.context.layer.name;
    let tokens = tokens_of(name);
    score += if has_word(&tokens, SOLID_WORDS) { 6 } else { 0 };
    let is_other = has_word(&tokens, OTHER_WORDS) || has_word(&tokens, ITEMS);
    score -= if is_other { 20 } else { 0 };
    let above_it = places.iter().filter(|at| !is_filled(tiles, **at));
    let standing = above_it.filter(|at| is_filled(tiles, **at + IVec2::Y)).count();
    if !is_floor && standing * 2 > places.len() {
        score += 12;
        why.push(format!("{standing} of {} places stand on it", places.len()));
    }
    let (role, option) = if is_floor {
        ("the floor", Setting::WalkableLayer(name.clone()))
    } else {
        ("the solids", Setting::SolidLayer(name.clone()))
    };
    Some(Guess { layer: index, score, role, options: vec![option], free: 0, why })
}

/// The guess for a layer without empty cells: its most frequent tile is passable background. `None` if this
/// tile is in less than 30% of the cells, or in all of them.
fn full(census: &Census<'_>, index: usize, layer: &LayerCensus<'_>) -> Option<Guess> {
    let kinds = layer.kinds.counts.iter();
    let (gid, cells) = kinds.max_by_key(|(gid, count)| (**count, u32::MAX - **gid))?;
    let PlacedTile { tileset: set, id, .. } = census.map.tile(*gid)?;
    let tileset = census.map.tilesets.get(set)?.name.clone();
    if cells * 10 < layer.items * 3 || *cells >= layer.items {
        return None;
    }
    let share = cells * 100 / layer.items;
    let shown = printable(&tileset);
    let why = vec![format!("it fills the map, {share}% of it with tile {id} of `{shown}`")];
    let solid = Setting::SolidLayer(layer.context.layer.name.clone());
    let free = Setting::PassableTiles(TileRange::new(tileset, Some((id, id))));
    let options = vec![solid, free];
    Some(Guess { layer: index, score: -40, role: "the solids", options, free: *cells, why })
}

/// True if a box around all `count` tiles of a layer has an empty cell. (A floor without empty cells makes
/// nothing solid on an infinite map.) O(cells).
fn has_gaps(tiles: &TileLayer, count: u64) -> bool {
    let mut min = IVec2::MAX;
    let mut max = IVec2::MIN;
    for block in &tiles.blocks {
        let width = block.size.x.max(1) as usize;
        for (index, _) in block.cells.iter().enumerate().filter(|(_, gid)| **gid & !flip::ALL != 0)
        {
            let place = IVec2::new((index % width) as i32, (index / width) as i32);
            let at = block.origin.saturating_add(place);
            min = min.min(at);
            max = max.max(at);
        }
    }
    let sides = max.as_i64vec2() - min.as_i64vec2() + 1;
    count > 0 && sides.x.saturating_mul(sides.y) as u64 > count
}

/// The percentage of cells along a map's border that have a tile; `None` for an infinite map, and for a map
/// of less than 3 columns or rows.
fn border_share(census: &Census<'_>, tiles: &TileLayer) -> Option<u64> {
    let size = census.map.size.as_ivec2();
    if census.map.is_infinite || size.min_element() < 3 {
        return None;
    }
    let columns = (0..size.y).flat_map(|y| [IVec2::new(0, y), IVec2::new(size.x - 1, y)]);
    let rows = (1..size.x - 1).flat_map(|x| [IVec2::new(x, 0), IVec2::new(x, size.y - 1)]);
    let filled = columns.chain(rows).filter(|at| is_filled(tiles, *at)).count();
    let all = 2 * (size.x + size.y) - 4;
    Some(100 * filled as u64 / all as u64)
}

fn is_filled(tiles: &TileLayer, cell: IVec2) -> bool {
    tiles.blocks.iter().any(|block| block.gid(cell).is_some_and(|gid| gid & !flip::ALL != 0))
}

/// The cells at the middle of objects where characters appear, stand or go. At most 256 such objects count.
fn places(census: &Census<'_>) -> Vec<IVec2> {
    const MOST: usize = 256;
    let mut places = Vec::new();
    let mut count = 0;
    for layer in &census.layers {
        let LayerContent::Objects(content) = &layer.context.layer.content else { continue };
        let is_of_places = has_word(&tokens_of(layer.name()), PLACES);
        for object in content.objects.iter().filter(|object| is_of_places || is_place(object)) {
            if count == MOST {
                return places;
            }
            count += 1;
            places.extend(cell_of(census, object));
        }
    }
    places
}

/// True if the name or class of an object marks where a character appears, stands or goes.
pub(super) fn is_place(object: &Object) -> bool {
    has_word(&tokens_of(&object.name), PLACES) || has_word(&tokens_of(&object.class), PLACES)
}

/// The cell at the middle of an object; `None` on a staggered or hexagonal map.
fn cell_of(census: &Census<'_>, object: &Object) -> Option<IVec2> {
    let side = match census.map.orientation {
        Orientation::Orthogonal | Orientation::Oblique { .. } => census.map.tile_size,
        Orientation::Isometric => census.map.tile_size.with_x(census.map.tile_size.y),
        _ => return None,
    };
    let mut at = DVec2::new(object.position.x.as_f64(), object.position.y.as_f64());
    if matches!(object.shape, Shape::Rectangle | Shape::Ellipse | Shape::Capsule) {
        // The position of a tile object is its bottom-left corner.
        let down = if object.gid.is_some() { -0.5 } else { 0.5 };
        at += DVec2::new(object.size.x.as_f64() * 0.5, object.size.y.as_f64() * down);
    }
    Some((at / side.max(UVec2::ONE).as_dvec2()).floor().as_ivec2())
}
