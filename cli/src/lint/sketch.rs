//! Sketches: compact data of a map that the rules `odd-cell`, `pocket` and `stray-tile` compare with other
//! maps.
//!
//! A sketch has, for each cell, its visible tiles and whether it is solid. Sketches exist because all maps at
//! once would not fit in memory. Tiles are represented by hashes, which are the same in all maps. Opens no
//! file.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use super::allowed::silence;
use super::finding::{Excerpt, Finding, in_layer};
use super::rule::{LintRule, Severity};
use super::rules::is_of_automapping;
use super::subject::Subject;
use bitwall::Aabb;
use bitwall::glam::{IVec2, UVec2};
use bitwall::load::{Place, Survey, SurveyedLayer};
use bitwall::tmx::{LayerContent, Map, Orientation, Space, TileLayer, Tileset};

/// The largest map that has a [`Sketch`], in cells. This sketch takes 64 MiB.
const MOST_CELLS: u64 = 1 << 24;

/// The number of layers, from the bottom, whose tile is kept for each cell. Rules compare cells by the tile
/// of one of these layers.
pub(super) const LAYERS: usize = 4;

/// The largest number of different tiles in a solid layer that only marks the walls. A layer with more is art
/// that the player sees.
const MOST_MARKS: usize = 4;

/// The largest object, in cells, under which cells become [`State::Mixed`].
const MOST_UNDER: i64 = 64;

/// The state of a cell of a map or of a cell beside it, for comparisons between maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Passable = 0,
    Solid = 1,
    /// Partly solid, or under an object that may be the reason why the cell is solid.
    Mixed = 2,
    /// Outside the map.
    Outside = 3,
}

/// The tiles that lie on each other in a cell, as hashes. Layers that are invisible or solid as a whole are
/// left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stack {
    /// A hash of the tiles and of the names of their layers; 0 if there are no tiles.
    pub(super) named: u64,
    /// A hash of the tiles alone; 0 if there are no tiles.
    pub(super) plain: u64,
    /// Hashes of the tiles in the lowest layers; 0 for a layer without a tile.
    pub(super) lowest: [u64; LAYERS],
}

impl Stack {
    /// The stack of tiles of each cell outside the map. No cell inside a map has it.
    const OUTSIDE: Self = Self { named: 1, plain: 1, lowest: [0; LAYERS] };
}

/// The number of cells with tiles of one tileset in one map, and the first of these cells.
#[derive(Clone, Debug, Default)]
pub(super) struct TilesetUse {
    pub(super) name: String,
    /// The number of cells with tiles of the tileset in layers that are not solid, and in solid layers.
    pub(super) counts: [u64; 2],
    /// The first cell with a tile of the tileset in a layer that is not solid, and the first in a solid
    /// layer. Each with the path and the line of the layer: path, line, cell.
    pub(super) first: [Option<(String, u32, IVec2)>; 2],
}

/// A compact copy of one map: for each cell its tiles and whether it is solid. Rules compare it with the
/// copies of other maps.
#[derive(Clone, Debug)]
pub(crate) struct Sketch {
    pub(super) size: UVec2,
    /// The map coordinates of the top left cell. Not (0, 0) in infinite maps.
    first: IVec2,
    tile_size: UVec2,
    /// For each cell, four times the index of its [`Stack`], plus its [`State`]. A border of one cell
    /// surrounds the map, so that each cell of the map has eight neighbours. Cell indices include the border.
    cells: Vec<u32>,
    /// The distinct stacks of tiles in the cells of the map. The first has no tiles, and the second is
    /// [`Stack::OUTSIDE`].
    stacks: Vec<Stack>,
    /// The place of the first solid layer, which marks the walls of the map. Findings name it.
    pub(super) walls: Place,
    /// The use of each tileset, by a hash of its name.
    pub(super) tilesets: HashMap<u64, TilesetUse>,
    /// The codes and severities of the rules that compare maps. Rules that are off or allowed in this map are
    /// missing.
    severities: Vec<(&'static str, Severity)>,
}

/// Returns a hash of `a` and `b`. It depends on their order.
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let mixed = (a.rotate_left(23) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 31)
}

/// A hash table that numbers keys in the order of their first use. Faster than `HashMap` for a lookup per
/// cell.
pub(super) struct Numbered<const N: usize> {
    keys: Vec<[u64; N]>,
    /// The slots of this hash table. A used slot holds the number of a key plus 1. It is at the hash of the
    /// key, or at the next position that was free. A free slot holds 0.
    places: Vec<u32>,
    seed: u64,
}

impl<const N: usize> Numbered<N> {
    pub(super) fn new() -> Self {
        // The seed is random, so that nobody can write a file whose keys all collide.
        let seed = RandomState::new().hash_one(N);
        Self { keys: Vec::new(), places: vec![0; 1 << 10], seed }
    }

    /// Returns the number of a key, from 0. A new key gets the next number. O(1) on average.
    pub(super) fn number(&mut self, key: [u64; N]) -> usize {
        let place = self.place(&key);
        let places: &mut [u32] = &mut self.places;
        if places[place] > 0 {
            return places[place] as usize - 1;
        }
        self.keys.push(key);
        places[place] = self.keys.len() as u32;
        if self.keys.len() * 2 > self.places.len() {
            self.places = vec![0; self.places.len() * 2];
            for number in 0..self.keys.len() {
                let place = self.place(&self.keys[number]);
                self.places[place] = number as u32 + 1;
            }
        }
        self.keys.len() - 1
    }

    /// Returns the index in `places` of the slot that holds `key`, or of the free slot where `key` belongs.
    fn place(&self, key: &[u64; N]) -> usize {
        let (keys, places): (&[[u64; N]], &[u32]) = (&self.keys, &self.places);
        let mut hash = self.seed;
        for part in key {
            hash = mix(hash, *part);
        }
        let mut place = hash as usize & (places.len() - 1);
        while places[place] > 0 && keys[places[place] as usize - 1] != *key {
            place = (place + 1) & (places.len() - 1);
        }
        place
    }
}

fn hash_of(text: &str) -> u64 {
    text.bytes().fold(text.len() as u64, |hash, byte| mix(hash, byte.into()))
}

/// Returns a name of a tileset that is the same in all maps of a project: the path of its picture or its
/// file, without leading `../` that depend on the folder of the map.
fn common_name(set: &Tileset) -> &str {
    let picture = set.image.as_ref().map_or("", |image| &image.source);
    let path = if picture.is_empty() { &*set.source } else { picture };
    let path = path.trim_start_matches(['.', '/', '\\']);
    if path.is_empty() { &set.name } else { path }
}

impl Sketch {
    /// Returns the sketch of the map of a single-map level, for the `rules` that compare maps. O(cells +
    /// objects).
    ///
    /// `None` if these rules are off, if the map is larger than 2^24 cells, if its cells in the level are not
    /// rectangles of the tile size, or if no layer only marks the walls. In the last case the visible tiles
    /// themselves are the walls, and there is nothing to compare.
    pub(super) fn of(subject: &Subject<'_>, rules: &[&'static LintRule]) -> Option<Box<Self>> {
        let (loaded, map) = (subject.loaded()?, subject.map()?);
        let severity = |rule: &&'static LintRule| {
            subject.options.levels.severity_of(rule).map(|severity| (*rule, severity))
        };
        let on: Vec<_> = rules.iter().filter_map(severity).collect();
        if on.is_empty() || !has_tile_cells(map, subject.options.load.space) {
            return None;
        }
        // The level is made of whole tiles. A tile is one cell of the level, or several.
        let cell_size = loaded.level.cell_size();
        let parts = map.tile_size.checked_div(cell_size).filter(|it| it.min_element() > 0)?;
        let size = loaded.level.grid().size() / parts;
        let first = loaded.level.origin().checked_div(map.tile_size.as_ivec2())?;
        let is_small = u64::from(size.x) * u64::from(size.y) <= MOST_CELLS;
        if !is_small || is_of_automapping(map) {
            return None;
        }
        let survey = subject.survey()?;
        let is_wall = |content: &LayerContent| !matches!(content, LayerContent::Group(_));
        let walls =
            survey.layers.iter().find(|it| it.is_solid && is_wall(&it.context.layer.content))?;
        let is_solid_itself = |it: &SurveyedLayer<'_>| {
            it.stops && !it.is_solid && matches!(it.context.layer.content, LayerContent::Tiles(_))
        };
        if survey.layers.iter().any(is_solid_itself) || shows_walls(survey, first, size) {
            return None;
        }
        let walls = in_layer(&walls.context.path, walls.context.layer.line);
        let mut findings: Vec<Finding> = Vec::new();
        for (rule, severity) in on {
            let finding = subject.finding(rule, "").place(walls.clone());
            findings.push(Finding { severity, ..finding });
        }
        silence(map, &mut findings);
        let severities = findings.iter().map(|it| (it.rule.code, it.severity)).collect();
        let (columns, rows) = (size.x as usize, size.y as usize);
        let mut cells = vec![1 << 2 | State::Outside as u32; (columns + 2) * (rows + 2)];
        for row in cells.chunks_mut(columns + 2).skip(1).take(rows) {
            row[1..=columns].fill(0);
        }
        let mut sketch = Self {
            size,
            first,
            tile_size: map.tile_size,
            cells,
            stacks: vec![Stack::default(), Stack::OUTSIDE],
            walls,
            tilesets: HashMap::new(),
            severities,
        };
        sketch.add_tiles(map, survey);
        let grid = loaded.level.grid();
        sketch.add_states(|column, row| {
            if parts == UVec2::ONE {
                return if grid.is_solid(column, row) { State::Solid } else { State::Passable };
            }
            let (from, to) =
                (UVec2::new(column, row) * parts, UVec2::new(column + 1, row + 1) * parts);
            match grid.solid_count_in(from.x..to.x, from.y..to.y) {
                0 => State::Passable,
                solid if solid == u64::from(parts.element_product()) => State::Solid,
                _ => State::Mixed,
            }
        });
        sketch.add_objects(survey);
        Some(Box::new(sketch))
    }

    fn add_tiles(&mut self, map: &Map, survey: &Survey<'_>) {
        let names: Vec<u64> = map.tilesets.iter().map(|set| hash_of(common_name(set))).collect();
        let mut above = 0;
        for surveyed in survey.layers.iter().filter(|it| it.context.visible) {
            let LayerContent::Tiles(tiles) = &surveyed.context.layer.content else {
                continue;
            };
            let layer = &surveyed.context;
            let name = hash_of(&layer.path.to_lowercase());
            let stack_of = |mut stack: Stack, gid: u32| {
                if let Some(tile) = map.tile(gid) {
                    let tile = mix(names[tile.tileset], tile.id.into()) | 1;
                    stack.named = mix(stack.named, mix(name, tile)) | 1;
                    stack.plain = mix(stack.plain, tile) | 1;
                    if let Some(lowest) = stack.lowest.get_mut(above) {
                        *lowest = tile;
                    }
                }
                stack
            };
            // In a layer that is not solid, this list has an entry for each combination of a tile and the
            // tiles below it. In a solid layer, it has an entry for each tile.
            let mut uses: Vec<TileUse> = Vec::new();
            let mut known = Numbered::new();
            let mut last = (0, 0);
            let Self { size, first, cells, stacks, .. } = &mut *self;
            let cells: &mut [u32] = cells;
            for_each_cell(tiles, *first, *size, |index, gid| {
                let below = if surveyed.is_solid { 0 } else { cells[index] >> 2 };
                let key = u64::from(below) << 32 | u64::from(gid);
                if key != last.0 {
                    last = (key, known.number([key]));
                    if last.1 == uses.len() {
                        if !surveyed.is_solid {
                            stacks.push(stack_of(stacks[below as usize], gid));
                        }
                        let next = stacks.len() as u32 - 1;
                        uses.push(TileUse { gid, next, count: 0, first: index });
                    }
                }
                let tile = &mut uses[last.1];
                tile.count += 1;
                if !surveyed.is_solid {
                    cells[index] = tile.next << 2;
                }
            });
            above += usize::from(!surveyed.is_solid);
            let layer = (surveyed.is_solid, &*layer.path, layer.layer.line);
            self.count_tilesets(map, &uses, &names, layer);
        }
    }

    /// Adds to [`Sketch::tilesets`] the cells of one layer that use each tileset of `map`. `uses` holds the
    /// tiles of the layer, and `names` a hash of the name of each tileset. The layer is given as: true if
    /// solid, path, line.
    fn count_tilesets(
        &mut self,
        map: &Map,
        uses: &[TileUse],
        names: &[u64],
        (is_solid, path, line): (bool, &str, u32),
    ) {
        let (kind, mut counts) = (usize::from(is_solid), vec![(0u64, usize::MAX); names.len()]);
        for tile in uses {
            if let Some(placed) = map.tile(tile.gid) {
                let (count, first) = &mut counts[placed.tileset];
                (*count, *first) = (*count + tile.count, tile.first.min(*first));
            }
        }
        for (set, (count, first)) in counts.into_iter().enumerate().filter(|(_, it)| it.0 > 0) {
            let cell = self.cell(first);
            let known = self.tilesets.entry(names[set]).or_default();
            known.name.clone_from(&map.tilesets[set].name);
            known.counts[kind] += count;
            known.first[kind].get_or_insert_with(|| (path.to_owned(), line, cell));
        }
    }

    fn add_states(&mut self, state: impl Fn(u32, u32) -> State) {
        for row in 0..self.size.y {
            let first = self.index(UVec2::new(0, row));
            for (column, cell) in (0..self.size.x).zip(&mut self.cells[first..]) {
                *cell |= state(column, row) as u32;
            }
        }
    }

    /// Marks the cells under small objects as [`State::Mixed`]: an object such as a chest may be the reason
    /// why a cell is solid. Skips the objects of solid layers, because these are the walls themselves.
    fn add_objects(&mut self, survey: &Survey<'_>) {
        let (cell, size) = (self.tile_size.as_ivec2(), self.size.as_ivec2());
        for layer in survey.layers.iter().filter(|layer| !layer.is_solid) {
            for object in &layer.objects {
                let area = object.area.translated(-self.first * cell);
                let (min, max) =
                    (area.min.div_euclid(cell), (area.max - 1).max(area.min).div_euclid(cell));
                let (min, max) = (min.max(IVec2::ZERO), max.min(size - 1));
                let cells = (max - min + 1).as_i64vec2();
                if min.cmpgt(max).any() || cells.element_product() > MOST_UNDER {
                    continue;
                }
                for cell in (min.y..=max.y).flat_map(|y| (min.x..=max.x).map(move |x| (x, y))) {
                    let index = self.index(IVec2::from(cell).as_uvec2());
                    self.cells[index] = self.cells[index] & !3 | State::Mixed as u32;
                }
            }
        }
    }

    /// Returns the number of cells of the sketch, which includes a border of one cell around the map.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns the number of columns of the sketch, which includes a border of one cell around the map.
    pub(super) fn width(&self) -> usize {
        self.size.x as usize + 2
    }

    /// Returns for each cell four times the index of its [`Stack`], plus its [`State`]. Cells of the border
    /// have [`State::Outside`].
    pub(super) fn numbers(&self) -> &[u32] {
        &self.cells
    }

    /// Returns the distinct stacks of tiles, which the numbers of [`Self::numbers`] refer to.
    pub(super) fn stacks(&self) -> &[Stack] {
        &self.stacks
    }

    /// Returns the index in the sketch of the cell at a column and row of the map, both from 0.
    pub(super) fn index(&self, cell: UVec2) -> usize {
        (cell.y as usize + 1) * self.width() + cell.x as usize + 1
    }

    /// Returns the severity of a rule in this map; `None` if the rule is off or allowed.
    pub(super) fn severity_of(&self, rule: &LintRule) -> Option<Severity> {
        self.severities.iter().find(|(code, _)| *code == rule.code).map(|(_, severity)| *severity)
    }

    pub(super) fn stack(&self, index: usize) -> &Stack {
        &self.stacks[(self.cells[index] >> 2) as usize]
    }

    pub(super) fn state(&self, index: usize) -> State {
        match self.cells[index] & 3 {
            0 => State::Passable,
            1 => State::Solid,
            2 => State::Mixed,
            _ => State::Outside,
        }
    }

    /// Returns the column and row in the map, both from 0, of the cell with this index in the sketch.
    pub(super) fn cell(&self, index: usize) -> IVec2 {
        let (column, row) = (index % self.width(), index / self.width());
        IVec2::new(column as i32 - 1, row as i32 - 1)
    }

    /// Returns the index of the cell that is `by` columns and rows away from a cell of the map.
    pub(super) fn beside(&self, index: usize, by: (i32, i32)) -> usize {
        index.wrapping_add_signed(by.0 as isize + by.1 as isize * self.width() as isize)
    }

    /// True if a cell, or one of the eight cells around it, differs from the same cell in `before`.
    pub(super) fn differs_at(&self, before: &Self, index: usize) -> bool {
        let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| (x, y)));
        self.size != before.size
            || around.map(|by| self.beside(index, by)).any(|index| {
                self.stack(index) != before.stack(index) || self.state(index) != before.state(index)
            })
    }

    /// Returns the box around `cells`, in pixels of the level.
    pub(super) fn area(&self, cells: &[usize]) -> Aabb {
        let places = || cells.iter().map(|index| self.cell(*index));
        let min = places().reduce(IVec2::min).unwrap_or_default();
        let max = places().reduce(IVec2::max).unwrap_or_default() + 1;
        let tile = self.tile_size.as_ivec2();
        Aabb { min: min * tile, max: max * tile }
    }

    /// Returns the solid cells up to two columns and rows around a cell, as text. Baselines use it to
    /// recognize a fault after the map was moved.
    pub(super) fn surroundings(&self, index: usize) -> String {
        let size = self.size.as_ivec2();
        let cells = (-2..=2).flat_map(|y| (-2..=2).map(move |x| IVec2::new(x, y)));
        let cells = cells.map(|by| self.cell(index) + by);
        let mark = |cell: IVec2| match cell.cmpge(IVec2::ZERO).all() && cell.cmplt(size).all() {
            true if self.state(self.index(cell.as_uvec2())) == State::Solid => '#',
            _ => '.',
        };
        cells.map(mark).collect()
    }

    /// Returns the place of a cell: its column and row in the map, and the layer that marks the walls.
    pub(super) fn place(&self, index: usize) -> Place {
        let cell = self.cell(index) + self.first;
        Place { cell: Some(cell.into()), ..self.walls.clone() }
    }

    /// Draws the surroundings of the first of `cells`. All `cells` are marked as odd.
    pub(super) fn excerpt(&self, cells: &[usize]) -> Excerpt {
        let first = cells.first().map_or(UVec2::ZERO, |index| self.cell(*index).as_uvec2());
        let size = UVec2::new(32, 7).min(self.size);
        let origin = first.saturating_sub(UVec2::new(4, 2)).min(self.size - size);
        let at = |column, row| self.index(UVec2::new(column, row));
        let drawn = |index| match self.state(index) {
            _ if cells.contains(&index) => '?',
            State::Passable => '.',
            _ => '#',
        };
        let row =
            |row| (origin.x..origin.x + size.x).map(|column| drawn(at(column, row))).collect();
        let rows = (origin.y..origin.y + size.y).map(row).collect();
        Excerpt { origin, rows, legend: "? = odd", column_name: "col" }
    }
}

/// True if each cell of the map is a rectangle of the tile size in a level in `space`.
fn has_tile_cells(map: &Map, space: Space) -> bool {
    match map.orientation {
        Orientation::Orthogonal => true,
        // In map space, the cells of an isometric map are squares as high as a tile.
        Orientation::Isometric => space == Space::Map && map.tile_size.x == map.tile_size.y,
        Orientation::Oblique { .. } => space == Space::Map,
        _ => false,
    }
}

/// True if the visible solid layers have more than four different tiles, so that they are drawn walls. The
/// player then sees each wall, and no other layer has to agree with it.
fn shows_walls(survey: &Survey<'_>, first: IVec2, size: UVec2) -> bool {
    let mut tiles = Vec::new();
    for layer in survey.layers.iter().filter(|it| it.is_solid && it.context.visible) {
        if let LayerContent::Tiles(content) = &layer.context.layer.content {
            for_each_cell(content, first, size, |_, gid| {
                if tiles.len() <= MOST_MARKS && !tiles.contains(&gid) {
                    tiles.push(gid);
                }
            });
        }
    }
    tiles.len() > MOST_MARKS
}

/// A tile in a layer of the map, and the number of cells of the layer that have it. In a layer that is not
/// solid, only cells with the same tiles in the layers below are counted together.
struct TileUse {
    gid: u32,
    /// The index of the [`Stack`] that results when this tile lies on the tiles below it.
    next: u32,
    count: u64,
    /// The index in the [`Sketch`] of the first cell with the tile.
    first: usize,
}

/// Calls `each` for each tile of a layer, with the index of its cell in the sketch and its global tile id.
/// Skips cells outside the map, which starts at the cell `first` and has `size` cells.
fn for_each_cell(tiles: &TileLayer, first: IVec2, size: UVec2, mut each: impl FnMut(usize, u32)) {
    for block in &tiles.blocks {
        let origin = block.origin.saturating_sub(first);
        let left = origin.x.min(0).unsigned_abs() as usize;
        let column = origin.x.max(0) as usize;
        let rows = block.cells.chunks(block.size.x.max(1) as usize);
        for (row, cells) in (i64::from(origin.y)..).zip(rows) {
            if !(0..i64::from(size.y)).contains(&row) {
                continue;
            }
            let first = (row as usize + 1) * (size.x as usize + 2) + column + 1;
            let room = (size.x as usize).saturating_sub(column);
            let cells = cells.get(left..).unwrap_or_default();
            for (index, gid) in cells[..room.min(cells.len())].iter().enumerate() {
                if *gid != 0 {
                    each(first + index, *gid);
                }
            }
        }
    }
}
