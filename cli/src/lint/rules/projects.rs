//! The rule that compares the maps of a project. It finds tiles in layers where the project has no other tile
//! of their tileset.
//!
//! The rule uses no names of layers, only counts. [`UsedTilesets`] has the counts of one map, and
//! [`ProjectTilesets`] those of all maps of a run.

use std::collections::BTreeMap;
use std::path::Path;

use crate::lint::allowed::silence;
use crate::lint::finding::{Finding, in_layer};
use crate::lint::rule::{LintRule, Severity, rule};
use crate::lint::rules::{Check, is_of_automapping};
use crate::lint::subject::Subject;
use bitwall::convert::{Survey, SurveyedLayer};
use bitwall::error::Place;
use bitwall::glam::{IVec2, UVec2};
use bitwall::text::{counted, printable};
use bitwall::tmx::{LayerContent, Map, Orientation, Space, TileLayer, Tileset};
use bitwall::{Aabb, LoadedLevel};

// The check finds nothing in a single map, because the rule compares maps.
pub(in crate::lint::rules) static CHECKS: &[(&LintRule, Check)] = &[(&STRAY_TILE, |_, _| None)];

rule! {
    /// # What it finds
    /// Up to three cells whose tileset is otherwise used only in layers of the other kind. The two kinds are
    /// solid layers and layers that are not solid. No other map has a tile of the tileset in this kind, and
    /// at least 98% of its cells are in the other kind. Examples: a tile of scenery in the layer of walls, a
    /// tile of walls in the scenery.
    ///
    /// The rule compares the maps of a run. It uses only maps in which a layer of at most four different
    /// tiles, or of objects, marks the walls. With `--diff`, the unchanged maps are counted too, and only
    /// tiles that are new in a map are reported.
    ///
    /// # Why it matters
    /// The tile was painted while the wrong layer was selected. In the layer of walls it is an invisible
    /// wall. In the scenery the wall is missing, and a red square may be visible.
    ///
    /// # How to fix
    /// Move the tile to the layer that it was meant for.
    STRAY_TILE = "TMX127" "stray-tile" Note on(Map)
}

/// The two kinds of layers, in the order of all arrays that have a value for each.
const KINDS: [&str; 2] = ["not solid", "solid"];

/// The largest number of cells with tiles of one tileset that are stray tiles of a map.
const MOST_STRAY: u64 = 3;

/// The largest number of maps of a run that are counted. With `--diff` each unchanged one of them is loaded
/// for its counts alone.
const MOST_MAPS: usize = 1_024;

/// The largest map that is counted, in cells.
const MOST_CELLS: u64 = 1 << 24;

/// The largest number of different tiles in a solid layer that only marks the walls. A layer with more is art
/// that the player sees.
const MOST_MARKS: usize = 4;

/// True if the map with the index `map` in a run over `all` maps is counted. In a run of more than 1,024
/// maps, only this many are, evenly spread.
pub(crate) fn is_counted(map: usize, all: usize) -> bool {
    all <= MOST_MAPS || map * MOST_MAPS / all < (map + 1) * MOST_MAPS / all
}

/// The cells of one map that have tiles of one tileset, for both [`KINDS`] of layers.
#[derive(Clone, Debug, Default)]
struct TilesetUse {
    name: String,
    counts: [u64; 2],
    /// The first cell of each kind: its place, and its box in pixels of the level.
    first: [Option<(Place, Aabb)>; 2],
}

/// The tilesets that one map uses in solid layers and in layers that are not solid.
#[derive(Clone, Debug)]
pub(crate) struct UsedTilesets {
    /// The severity of the rule in this map; `None` if the rule is off or allowed.
    severity: Option<Severity>,
    /// The use of each tileset, by its [`common_name`].
    uses: BTreeMap<String, TilesetUse>,
}

impl UsedTilesets {
    /// Counts the tiles in the visible layers of the map of a single-map level. O(cells).
    ///
    /// `None` if the map is larger than 2^24 cells, if its cells in the level are not rectangles of the tile
    /// size, or if no layer only marks the walls. In the last case the visible tiles themselves are the
    /// walls, and no tile of them is in a wrong layer.
    pub(in crate::lint) fn of(subject: &Subject<'_>) -> Option<Self> {
        let map = subject.map()?;
        if !has_tile_cells(map, subject.options.load.space) || is_of_automapping(map) {
            return None;
        }
        let cells = Cells::of(subject.loaded()?, map)?;
        let survey = subject.survey()?;
        let walls = survey.layers.iter().find(|it| it.is_solid && !is_group(it))?;
        if survey.layers.iter().any(is_wall_itself) || shows_walls(survey, cells) {
            return None;
        }
        let walls = in_layer(&walls.context.path, walls.context.layer.line);
        let mut used = Self { severity: severity_at(walls, subject, map), uses: BTreeMap::new() };
        for surveyed in survey.layers.iter().filter(|it| it.context.visible) {
            if let LayerContent::Tiles(tiles) = &surveyed.context.layer.content {
                used.add_layer(map, surveyed, tiles, cells);
            }
        }
        Some(used)
    }

    fn add_layer(
        &mut self,
        map: &Map,
        surveyed: &SurveyedLayer<'_>,
        tiles: &TileLayer,
        cells: Cells,
    ) {
        // For each tileset, the number of cells, and the row and the column of the first.
        let mut found = vec![(0, [i32::MAX; 2]); map.tilesets.len()];
        let mut last = (0, None);
        cells.for_each_tile(tiles, |cell, gid| {
            if gid != last.0 {
                last = (gid, map.tile(gid));
            }
            if let Some(tile) = &last.1 {
                let (count, first) = &mut found[tile.tileset];
                *count += 1;
                *first = (*first).min([cell.y, cell.x]);
            }
        });
        let kind = usize::from(surveyed.is_solid);
        let layer = &surveyed.context;
        let tile = map.tile_size.as_ivec2();
        let found = map.tilesets.iter().zip(found).filter(|(_, (count, _))| *count > 0);
        for (set, (count, [row, column])) in found {
            let known = self.uses.entry(common_name(set).to_owned()).or_default();
            known.name.clone_from(&set.name);
            known.counts[kind] += count;
            known.first[kind].get_or_insert_with(|| {
                let cell = IVec2::new(column, row);
                let place = in_layer(&layer.path, layer.layer.line);
                let place = Place { cell: Some((cell + cells.first).into()), ..place };
                (place, Aabb { min: cell * tile, max: (cell + 1) * tile })
            });
        }
    }

    /// Returns the number of cells in layers of a kind.
    fn cells_in(&self, kind: usize) -> u64 {
        self.uses.values().map(|of_tileset| of_tileset.counts[kind]).sum()
    }
}

/// The tilesets that the maps of a run use.
#[derive(Default)]
pub(crate) struct ProjectTilesets {
    /// For each tileset, by its [`common_name`], and for both [`KINDS`] of layers: the number of cells, and
    /// the number of maps.
    uses: BTreeMap<String, [(u64, u32); 2]>,
}

impl ProjectTilesets {
    pub(crate) fn add(&mut self, map: &UsedTilesets) {
        for (tileset, of_map) in &map.uses {
            let known = self.uses.entry(tileset.clone()).or_default();
            for (known, count) in known.iter_mut().zip(of_map.counts) {
                *known = (known.0 + count, known.1 + u32::from(count > 0));
            }
        }
    }

    /// Returns the stray tiles of the map at `path`.
    ///
    /// - `before`: an earlier version of the map. If given, only tilesets with more cells than there are
    ///   reported.
    /// - `is_counted`: true if the map was given to [`Self::add`].
    pub(crate) fn stray_tiles(
        &self,
        path: &Path,
        map: &UsedTilesets,
        before: Option<&UsedTilesets>,
        is_counted: bool,
    ) -> Vec<Finding> {
        let mut found = Vec::new();
        let Some(severity) = map.severity else {
            return found;
        };
        for (tileset, of_map) in &map.uses {
            for kind in [0, 1] {
                let count = of_map.counts[kind];
                let (Some((place, area)), 1..=MOST_STRAY) = (&of_map.first[kind], count) else {
                    continue;
                };
                let known = self.uses.get(tileset).copied().unwrap_or_default();
                let there = known[1 - kind].0;
                let is_alone = known[kind].1 == u32::from(is_counted);
                let is_rare = there >= 49 * count && map.cells_in(kind) >= 50 * count;
                let old = before.and_then(|before| before.uses.get(tileset));
                let is_old = old.is_some_and(|old| old.counts[kind] >= count);
                if !is_alone || !is_rare || is_old {
                    continue;
                }
                let name = printable(&of_map.name);
                let headline = format!("a tile of `{name}` is in a layer that is {}", KINDS[kind]);
                let finding = Finding::new(&STRAY_TILE, path, headline)
                    .place(place.clone())
                    .area(*area)
                    .note(format!(
                        "{} of this tileset in all maps of the run are in layers that are {}; here it is {}",
                        counted(there, "cell"),
                        KINDS[1 - kind],
                        counted(count, "cell")
                    ))
                    .help("move the tile to the layer that it was meant for, or erase it");
                found.push(Finding { severity, ..finding });
            }
        }
        found
    }
}

/// Returns the severity of the rule in a map whose first layer of walls is `walls`. `None` if the rule is
/// off, or if the map or the layer allows it.
fn severity_at(walls: Place, subject: &Subject<'_>, map: &Map) -> Option<Severity> {
    let severity = subject.options.levels.severity_of(&STRAY_TILE)?;
    let mut findings = vec![subject.finding(&STRAY_TILE, "").place(walls)];
    silence(map, &mut findings);
    (!findings.is_empty()).then_some(severity)
}

/// Returns a name of a tileset that is the same in all maps of a project: the path of its picture or its
/// file, without leading `../` that depend on the folder of the map.
fn common_name(set: &Tileset) -> &str {
    let picture = set.image.as_ref().map_or("", |image| &image.source);
    let path = if picture.is_empty() { &*set.source } else { picture };
    let path = path.trim_start_matches(['.', '/', '\\']);
    if path.is_empty() { &set.name } else { path }
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

fn is_group(surveyed: &SurveyedLayer<'_>) -> bool {
    matches!(surveyed.context.layer.content, LayerContent::Group(_))
}

/// True for a layer of tiles that is not marked as solid, but has tiles that are.
fn is_wall_itself(surveyed: &SurveyedLayer<'_>) -> bool {
    let is_of_tiles = matches!(surveyed.context.layer.content, LayerContent::Tiles(_));
    surveyed.stops && !surveyed.is_solid && is_of_tiles
}

/// True if the visible solid layers have more than four different tiles, so that they are drawn walls. The
/// player then sees each wall, and no other layer has to agree with it.
fn shows_walls(survey: &Survey<'_>, cells: Cells) -> bool {
    let mut marks = Vec::new();
    for layer in survey.layers.iter().filter(|it| it.is_solid && it.context.visible) {
        if let LayerContent::Tiles(tiles) = &layer.context.layer.content {
            cells.for_each_tile(tiles, |_, gid| {
                if marks.len() <= MOST_MARKS && !marks.contains(&gid) {
                    marks.push(gid);
                }
            });
        }
    }
    marks.len() > MOST_MARKS
}

/// The cells of a map that are in its level.
#[derive(Clone, Copy)]
struct Cells {
    /// The map coordinates of the top left cell. Not (0, 0) in infinite maps.
    first: IVec2,
    size: UVec2,
}

impl Cells {
    /// `None` if the level is not made of whole tiles, or if it has more than 2^24.
    fn of(loaded: &LoadedLevel, map: &Map) -> Option<Self> {
        let level = &loaded.level;
        // A tile is one cell of the level, or several.
        let parts = map.tile_size.checked_div(level.cell_size())?;
        let size = level.grid().size().checked_div(parts)?;
        let first = level.origin().checked_div(map.tile_size.as_ivec2())?;
        let count = u64::from(size.x) * u64::from(size.y);
        (count <= MOST_CELLS).then_some(Self { first, size })
    }

    /// Calls `each` for each tile of a layer, with the column and the row of its cell, counted from the first
    /// cell, and its global tile id. Skips tiles outside these cells.
    fn for_each_tile(self, tiles: &TileLayer, mut each: impl FnMut(IVec2, u32)) {
        for block in &tiles.blocks {
            let origin = block.origin.saturating_sub(self.first);
            let rows = block.cells.chunks(block.size.x.max(1) as usize);
            for (row, gids) in (0..).zip(rows) {
                for (column, gid) in (0..).zip(gids).filter(|(_, gid)| **gid != 0) {
                    let cell = origin.saturating_add(IVec2::new(column, row));
                    if cell.min_element() >= 0 && cell.as_uvec2().cmplt(self.size).all() {
                        each(cell, *gid);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_maps_1024_are_counted_and_they_are_evenly_spread() {
        for all in [1, 1_023, 1_024, 1_025, 1_500, 3_000, 100_000] {
            let counted: Vec<usize> = (0..all).filter(|map| is_counted(*map, all)).collect();
            assert_eq!(counted.len(), all.min(MOST_MAPS), "{all}");
            let most = all.div_ceil(MOST_MAPS);
            let is_even = counted.windows(2).all(|two| two[1] - two[0] <= most);
            assert!(
                is_even && counted[0] < most && all - counted[counted.len() - 1] <= most,
                "{all}"
            );
        }
    }
}
