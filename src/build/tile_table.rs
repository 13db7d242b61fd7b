//! The tiles that a map may use, by their numbers, and the meaning of each.

use std::path::Path;

use glam::UVec2;

use super::tile_meaning::{TileMeaning, TileRules, tile_count, tiles_of_picture};
use crate::error::LoadErrorKind;
use crate::limits::check;
use crate::tmx::{Image, MAX_TILES, Map, Tileset, flip};

/// The index of the meaning of tiles that no rule marks.
pub(super) const PLAIN: u32 = 0;

/// Stands for the index of a meaning where a tileset has no such tile.
const MISSING: u32 = u32::MAX;

/// The ids below which the tiles of a tileset always have their meanings in one list.
const DENSE: u32 = 4_096;

/// All tiles of a map.
pub(super) struct TileTable {
    /// By rising first number.
    ranges: Vec<TileRange>,
    /// Each meaning once; the first is [`PLAIN`].
    pub(super) meanings: Vec<TileMeaning>,
}

/// Looks up one tile after the other, most of which are of the same tileset as the one before.
pub(super) struct Lookup<'t> {
    table: &'t TileTable,
    /// As in the range of the last tile.
    first: u32,
    count: u32,
    meanings: &'t [u32],
    /// `MISSING` if the range has scattered tiles, for which it is asked itself.
    rest: u32,
}

/// The tiles of one tileset.
struct TileRange {
    first: u32,
    /// The index of the tileset in the map.
    tileset: usize,
    /// The number of its tiles, up to the next tileset at most.
    count: u32,
    /// The index of the meaning of each of the first tiles.
    meanings: Vec<u32>,
    /// Further tiles that the file or a rule names, by rising id, each with the index of its meaning.
    scattered: Vec<(u32, u32)>,
    /// The index of the meaning of all other tiles.
    rest: u32,
    name: String,
}

/// The number of tiles of each tileset, by their pictures: `None` for as many as the file states.
pub(crate) type TileCounts = Vec<Option<u32>>;

/// Adds the tile counts by the pictures that are there, of the tilesets that `is_asked` names. True if one of
/// them has tiles that its tileset does not state.
pub(super) fn add_counts_of_pictures(
    counts: &mut TileCounts,
    map: &Map,
    is_asked: impl Fn(&Tileset) -> bool,
    picture_size: &dyn Fn(&Path) -> Option<UVec2>,
) -> bool {
    let grown = |set: &Tileset| {
        let is_file = |image: &&Image| image.data.is_none() && !image.path.as_os_str().is_empty();
        let image = set.image.as_ref().filter(is_file).filter(|_| is_asked(set))?;
        let stated = tile_count(set)?;
        let found = tiles_of_picture(set, picture_size(&image.path)?)?;
        (found > stated).then_some(found)
    };
    let mut has_grown = false;
    for (index, set) in map.tilesets.iter().enumerate() {
        if let Some(count) = grown(set) {
            counts.resize(counts.len().max(map.tilesets.len()), None);
            counts[index] = Some(count);
            has_grown = true;
        }
    }
    has_grown
}

impl TileTable {
    /// The table for the map's tilesets, whose numbers need not rise. `counts` may be shorter than they are.
    ///
    /// # Errors
    /// Two tilesets that start at the same number, a tileset of too many tiles, a one-way property that names
    /// no side.
    pub(super) fn new(rules: &TileRules<'_>, counts: &TileCounts) -> Result<Self, LoadErrorKind> {
        let mut table = Self {
            ranges: Vec::with_capacity(rules.map.tilesets.len()),
            meanings: vec![TileMeaning::default()],
        };
        for (index, tileset) in rules.map.tilesets.iter().enumerate() {
            let count = counts.get(index).copied().flatten();
            let range = table.range_of(index, tileset, count, rules)?;
            table.ranges.push(range);
        }
        let ranges = &mut table.ranges;
        ranges.sort_by_key(|range| range.first);
        for i in 1..ranges.len() {
            let gap = ranges[i].first - ranges[i - 1].first;
            if gap == 0 {
                return Err(LoadErrorKind::TilesetIds {
                    reason: format!(
                        "the tilesets `{}` and `{}` both start at tile {}",
                        ranges[i - 1].name,
                        ranges[i].name,
                        ranges[i].first
                    ),
                });
            }
            // A tileset may have grown since the map was drawn: then the next one owns the tiles in both.
            let range = &mut ranges[i - 1];
            range.count = range.count.min(gap);
        }
        Ok(table)
    }

    /// The tiles of one tileset, which has `count` of them if that is not as its file states.
    fn range_of(
        &mut self,
        index: usize,
        tileset: &Tileset,
        count: Option<u32>,
        rules: &TileRules<'_>,
    ) -> Result<TileRange, LoadErrorKind> {
        let named = &tileset.tiles;
        let (count, rest, all) = if tileset.image.is_some() {
            let count = count.or_else(|| tile_count(tileset)).unwrap_or(MAX_TILES);
            check("tiles in a tileset", count, MAX_TILES)?;
            let all = if rules.asks_all(tileset) { count } else { 0 };
            (count, self.index_of(rules.unnamed(tileset)), all)
        } else {
            let past_named = named.last_key_value().map_or(0, |(id, _)| id.saturating_add(1));
            (past_named, MISSING, 0)
        };
        let (mut meanings, mut scattered) = (Vec::new(), Vec::new());
        let asked = (0..all).chain(named.range(all..).map(|(id, _)| *id));
        for (number, id) in (0u32..).zip(asked.take_while(|id| *id < count)) {
            let meaning = self.index_of(rules.meaning(tileset, id)?);
            // A list as long as the largest id would let one tile take as much memory as it likes.
            if scattered.is_empty() && id < DENSE.saturating_add(number.saturating_mul(16)) {
                meanings.resize(id as usize, rest);
                meanings.push(meaning);
            } else {
                scattered.push((id, meaning));
            }
        }
        if !scattered.is_empty() {
            meanings.resize(meanings.len().max(count.min(DENSE) as usize), rest);
        }
        Ok(TileRange {
            first: tileset.first_gid,
            tileset: index,
            count,
            meanings,
            scattered,
            rest,
            name: tileset.name.clone(),
        })
    }

    /// The index of a meaning, which is added if it is new. Those with shapes are rarely the same, and not
    /// compared; nor are others than the first few hundred.
    fn index_of(&mut self, meaning: TileMeaning) -> u32 {
        const COMPARED: usize = 512;
        let known = self.meanings.iter().take(COMPARED);
        let same = (!meaning.has_shapes()).then_some(known);
        let same = same.and_then(|mut known| known.position(|known| *known == meaning));
        let index = same.unwrap_or_else(|| {
            self.meanings.push(meaning);
            self.meanings.len() - 1
        });
        index as u32
    }

    /// The index of the meaning of a cell's tile; `gid` is not 0.
    ///
    /// # Errors
    /// A number that is no tile of the map.
    pub(super) fn index(&self, gid: u32) -> Result<u32, LoadErrorKind> {
        self.lookup().index(gid)
    }

    /// The meaning of a cell's tile, if there is such a tile.
    pub(super) fn meaning(&self, gid: u32) -> Option<&TileMeaning> {
        self.meanings.get(self.index(gid).ok()? as usize)
    }

    /// As [`TileTable::index`] for many tiles.
    pub(super) fn lookup(&self) -> Lookup<'_> {
        Lookup { table: self, first: 0, count: 0, meanings: &[], rest: MISSING }
    }

    /// The index of the tileset of a tile that exists, and the tile's id in it.
    pub(super) fn place(&self, gid: u32) -> Option<(usize, u32)> {
        let number = gid & !flip::ALL;
        let range = self.range(number)?;
        Some((range.tileset, number - range.first))
    }

    /// The tileset that would hold a number.
    fn range(&self, number: u32) -> Option<&TileRange> {
        let after = self.ranges.partition_point(|range| range.first <= number);
        self.ranges.get(after.wrapping_sub(1))
    }

    /// Why there is no such tile.
    #[cold]
    fn unknown(&self, gid: u32) -> LoadErrorKind {
        let number = gid & !flip::ALL;
        let reason = match self.range(number) {
            _ if number == 0 => "it has flags, but no number".to_owned(),
            None => "no tileset starts at or below it".to_owned(),
            Some(range) => format!(
                "it would be tile {} of tileset `{}`, which does not have it",
                number - range.first,
                range.name
            ),
        };
        LoadErrorKind::UnknownTile { gid, reason }
    }
}

impl Lookup<'_> {
    /// As [`TileTable::index`].
    #[inline]
    pub(super) fn index(&mut self, gid: u32) -> Result<u32, LoadErrorKind> {
        // The flag that only hexagonal maps use is no part of the number on any map.
        match self.here(gid & !flip::ALL) {
            Some(index) => Ok(index),
            None => self.elsewhere(gid),
        }
    }

    /// The index of the meaning of a tile in the range of the last one.
    #[inline]
    fn here(&self, number: u32) -> Option<u32> {
        let id = number.wrapping_sub(self.first);
        if id >= self.count {
            return None;
        }
        let index = self.meanings.get(id as usize).copied().unwrap_or(self.rest);
        (index != MISSING).then_some(index)
    }

    #[inline(never)]
    fn elsewhere(&mut self, gid: u32) -> Result<u32, LoadErrorKind> {
        let number = gid & !flip::ALL;
        let Some(range) = self.table.range(number) else {
            return Err(self.table.unknown(gid));
        };
        (self.first, self.count, self.meanings) = (range.first, range.count, &range.meanings);
        self.rest = if range.scattered.is_empty() { range.rest } else { MISSING };
        let found = self.here(number).or_else(|| range.past_first(number - range.first));
        found.ok_or_else(|| self.table.unknown(gid))
    }
}

impl TileRange {
    /// The index of the meaning of a tile that is not one of the first.
    fn past_first(&self, id: u32) -> Option<u32> {
        let place = self.scattered.binary_search_by_key(&id, |(id, _)| *id);
        let known = place.ok().and_then(|place| self.scattered.get(place));
        let index = known.map_or(self.rest, |(_, index)| *index);
        (id < self.count && id as usize >= self.meanings.len() && index != MISSING).then_some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::LoadOptions;
    use crate::property::PropertyValue;
    use crate::tmx::{Property, Tile};

    /// A tileset whose tiles of these ids are solid, with one picture or with one a tile.
    fn tileset(ids: &[u32], has_picture: bool) -> Tileset {
        let solid = ("solid".to_owned(), Property::new(PropertyValue::Bool(true)));
        let tile = Tile { properties: [solid].into(), ..Tile::default() };
        Tileset {
            first_gid: 1,
            tile_size: UVec2::new(4, 4),
            tile_count: Some(MAX_TILES),
            image: has_picture.then(Image::default),
            tiles: ids.iter().map(|id| (*id, tile.clone())).collect(),
            ..Tileset::default()
        }
    }

    #[test]
    fn a_table_is_as_long_as_its_tiles_are_many_not_as_their_ids_are_large() {
        let many: Vec<u32> = (0..3_000).chain([100_000, 1 << 24]).collect();
        for ids in [&[1 << 24][..], &[3, DENSE - 1, DENSE + 90, 70_000, 1 << 24], &many] {
            for has_picture in [false, true] {
                // The tiles of a picture are numbered without a gap.
                let is_possible = |id: &u32| !has_picture || *id < MAX_TILES - 2;
                let ids: Vec<u32> = ids.iter().copied().filter(is_possible).collect();
                let map = Map { tilesets: vec![tileset(&ids, has_picture)], ..Map::default() };
                let options = LoadOptions::default();
                let rules = TileRules { map: &map, options: &options };
                let table = TileTable::new(&rules, &TileCounts::new()).unwrap();
                let range = &table.ranges[0];
                assert!(range.meanings.len() + range.scattered.len() <= DENSE as usize + ids.len());
                let mut lookup = table.lookup();
                for id in ids.iter().flat_map(|id| id.saturating_sub(2)..id + 2) {
                    let found =
                        lookup.index(id + 1).ok().map(|index| &table.meanings[index as usize]);
                    let is_solid = found.map(|meaning| meaning.solid.is_some());
                    let is_known = has_picture || ids.contains(&id);
                    assert_eq!(is_solid, is_known.then(|| ids.contains(&id)), "{id}");
                }
            }
        }
    }
}
