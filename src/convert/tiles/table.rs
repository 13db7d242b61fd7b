//! A table of the effect of the rules on each tile of a map, by the tile's number.

use std::path::Path;

use glam::UVec2;

use super::{TileMeaning, TileRules, tile_count, tiles_of_picture};
use crate::convert::pieces::TileImage;
use crate::error::LoadErrorKind;
use crate::limits::check;
use crate::tmx::{About, MAX_TILES, Map, Tileset, flip};

/// The index in [`TileTable::meanings`] of a tile on which the rules have no effect and whose picture is not
/// displaced.
pub(in crate::convert) const PLAIN: u32 = 0;

/// Stands for an index in [`TileTable::meanings`] if a tile does not exist.
const MISSING: u32 = u32::MAX;

/// The largest number of ids of all tilesets, each counted up to the largest id that its file or a rule
/// names. Their indices take 64 MiB.
const MAX_NAMED: u64 = 1 << 24;

/// The largest number of tiles that rules may name by id in a map. They take 0.6 microseconds each.
const MAX_ASKED: u32 = 1 << 20;

/// The effect of the rules on each tile of a map, by the tile's number.
pub(in crate::convert) struct TileTable {
    /// The tilesets, sorted by the number of their first tile.
    ranges: Vec<TilesetRange>,
    /// The different [`TileMeaning`]s of the tiles. Few are equal: see [`Self::index_of`]. The first is at
    /// the index [`PLAIN`].
    pub(in crate::convert) meanings: Vec<TileMeaning>,
    /// The number of tiles for which the rules were asked because a rule may name them by id.
    asked: u32,
    /// The faults of a lenient load.
    pub(in crate::convert) faults: Vec<LoadErrorKind>,
    /// The number of ids of all tilesets in [`TilesetRange::meanings`].
    named: u64,
}

/// Finds the [`TileMeaning`] of a tile. Remembers the tileset of the last tile, because the next tile mostly
/// has the same tileset.
pub(in crate::convert) struct Lookup<'t> {
    table: &'t TileTable,
    /// A copy of [`TilesetRange::first`] for the last tile's tileset; the other fields are copies too.
    first: u32,
    count: u32,
    meanings: &'t [u32],
    rest: u32,
}

/// The tile numbers of one tileset, from `first` on, with the effect of the rules on each tile.
struct TilesetRange {
    first: u32,
    tileset: usize,
    /// The number of ids of the tileset, from id 0 on. Ids whose numbers belong to the next tileset are left
    /// out.
    count: u32,
    /// The index in [`TileTable::meanings`] of each tile, up to the last tile that the file or a rule names.
    /// The position in this array is the id.
    meanings: Vec<u32>,
    /// The index in [`TileTable::meanings`] of all other tiles. It is [`MISSING`] if such tiles do not exist.
    rest: u32,
    name: String,
}

/// For each tileset, the number of tiles that fit in its picture. `None` if the tileset itself states at
/// least this number.
pub(in crate::convert) type TileCounts = Vec<Option<u32>>;

/// A function that returns the size of a picture in pixels; `None` if the picture does not exist.
pub(crate) type PictureSize<'f> = &'f mut dyn FnMut(&Path) -> Option<UVec2>;

/// Returns the tile counts of the pictures with more tiles than their tilesets state. The list is empty if
/// there is none.
pub(in crate::convert) fn counts_of_pictures(
    map: &Map,
    picture_size: PictureSize<'_>,
) -> TileCounts {
    let mut counts = TileCounts::new();
    for (index, set) in map.tilesets.iter().enumerate() {
        let Some(image) = &set.image else { continue };
        if image.path.as_os_str().is_empty() {
            continue;
        }
        let Some(stated) = tile_count(set) else { continue };
        let size = picture_size(&image.path);
        if let Some(count) = size.and_then(|size| tiles_of_picture(set, size))
            && count > stated
        {
            counts.resize(map.tilesets.len(), None);
            counts[index] = Some(count);
        }
    }
    counts
}

impl TileTable {
    /// Makes the table of the effect of the rules on each tile of the map's tilesets. The tilesets may be in
    /// any order. `counts` may be shorter than the list of tilesets.
    ///
    /// # Errors
    /// Fails if two tilesets with tiles start at the same number, a tileset has too many tiles, or a one-way
    /// property names no side.
    pub(in crate::convert) fn new(
        rules: &TileRules<'_>,
        counts: &[Option<u32>],
    ) -> Result<Self, LoadErrorKind> {
        let meanings = vec![TileMeaning::default()];
        let mut table =
            Self { ranges: Vec::new(), meanings, asked: 0, faults: Vec::new(), named: 0 };
        for (index, tileset) in rules.map.tilesets.iter().enumerate() {
            let count = counts.get(index).copied().flatten();
            let range = table.range_of(index, tileset, count, rules)?;
            // Tilesets nearly always come with ascending first numbers. A tileset without tiles may have the
            // same first number as the next tileset.
            let key = (range.first, range.count > 0);
            let place = table.ranges.partition_point(|it| (it.first, it.count > 0) <= key);
            table.ranges.insert(place, range);
        }
        let ranges = &mut table.ranges;
        for i in 1..ranges.len() {
            let gap = ranges[i].first - ranges[i - 1].first;
            if gap == 0 && ranges[i - 1].count > 0 {
                let fault = LoadErrorKind::TilesetIds {
                    reason: format!(
                        "the tilesets `{}` and `{}` both start at tile {}",
                        ranges[i - 1].name,
                        ranges[i].name,
                        ranges[i].first
                    ),
                };
                if !rules.options.lenient {
                    return Err(fault);
                }
                table.faults.push(fault);
            }
            // A tileset may have gained tiles since the map was drawn. A number within two tilesets belongs
            // to the later tileset.
            let range = &mut ranges[i - 1];
            range.count = range.count.min(gap);
        }
        Ok(table)
    }

    /// Makes the [`TilesetRange`] of a tileset. `count` replaces the number of tiles that the tileset states.
    fn range_of(
        &mut self,
        index: usize,
        tileset: &Tileset,
        count: Option<u32>,
        rules: &TileRules<'_>,
    ) -> Result<TilesetRange, LoadErrorKind> {
        let named = &tileset.tiles;
        let (count, rest, all) = if tileset.image.is_some() {
            let count = count.or_else(|| tile_count(tileset)).unwrap_or(MAX_TILES);
            check("tiles in a tileset", count, MAX_TILES)?;
            let about = About::Tileset(index);
            let is_lost = rules.map.doubts.iter().any(|doubt| doubt.about == about);
            let all = if rules.asks_all(tileset) && !is_lost { count } else { 0 };
            self.asked += all;
            check("tiles in the tilesets that rules name", self.asked, MAX_ASKED)?;
            // All tiles that the tileset's file does not list share one [`TileMeaning`].
            let picture = TileImage::new(tileset, None, rules.map.tile_size);
            let extent = rules.extent(Vec::new(), picture);
            let is_trigger = rules.options.solid_rules.is_trigger(&tileset.properties);
            let lost = is_lost.then_some(index);
            let rest = TileMeaning { extent, is_trigger, lost, ..TileMeaning::default() };
            (count, self.index_of(rest), all)
        } else {
            let past_named = named.last_key_value().map_or(0, |(id, _)| id.saturating_add(1));
            (past_named, MISSING, 0)
        };
        let mut meanings = Vec::new();
        let asked = (0..all).chain(named.range(all..).map(|(id, _)| *id));
        for id in asked.take_while(|id| *id < count) {
            let meaning = self.index_of(rules.meaning(tileset, id)?);
            self.named += u64::from(id) + 1 - meanings.len() as u64;
            check("tiles up to the largest id of each tileset", self.named, MAX_NAMED)?;
            meanings.resize(id as usize, rest);
            meanings.push(meaning);
        }
        Ok(TilesetRange {
            first: tileset.first_gid,
            tileset: index,
            count,
            meanings,
            rest,
            name: tileset.name.clone(),
        })
    }

    /// Returns the index of `meaning` in [`Self::meanings`], to which it is added if it is new. To save time,
    /// only the first 512 entries are compared, and a meaning with shapes is added without a comparison.
    fn index_of(&mut self, meaning: TileMeaning) -> u32 {
        const COMPARED: usize = 512;
        let mut known = self.meanings.iter().take(COMPARED);
        if !meaning.has_shapes()
            && let Some(index) = known.position(|known| *known == meaning)
        {
            return index as u32;
        }
        self.meanings.push(meaning);
        self.meanings.len() as u32 - 1
    }

    /// The index of the [`TileMeaning`] of the tile number `gid`, which is not 0. Fails if no tileset has the
    /// tile.
    pub(in crate::convert) fn index(&self, gid: u32) -> Result<u32, LoadErrorKind> {
        self.lookup().index(gid)
    }

    /// The indices in [`Self::meanings`] of the tiles that a tileset lists.
    pub(in crate::convert) fn meanings_of(&self, tileset: usize) -> impl Iterator<Item = u32> {
        let ranges = self.ranges.iter().filter(move |range| range.tileset == tileset);
        ranges.flat_map(|range| range.meanings.iter().copied())
    }

    pub(in crate::convert) fn meaning(&self, gid: u32) -> Option<&TileMeaning> {
        self.meanings.get(self.index(gid).ok()? as usize)
    }

    pub(in crate::convert) fn lookup(&self) -> Lookup<'_> {
        Lookup { table: self, first: 0, count: 0, meanings: &[], rest: MISSING }
    }

    fn range(&self, number: u32) -> Option<&TilesetRange> {
        let after = self.ranges.partition_point(|range| range.first <= number);
        self.ranges.get(after.wrapping_sub(1))
    }

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
    #[inline]
    pub(in crate::convert) fn index(&mut self, gid: u32) -> Result<u32, LoadErrorKind> {
        // The flag bit of hexagonal maps is not part of a tile's number, even on other maps.
        match self.here(gid & !flip::ALL) {
            Some(index) => Ok(index),
            None => self.elsewhere(gid),
        }
    }

    /// True if the number `gid` is that of a tileset with tiles. The tileset may lack the tile.
    pub(in crate::convert) fn is_of_a_tileset(&self, gid: u32) -> bool {
        let number = gid & !flip::ALL;
        number == 0 || self.table.range(number).is_some_and(|range| range.count > 0)
    }

    /// The index in [`TileTable::meanings`] of the tile `number`, if it is in the same tileset as the last
    /// tile. If it is `None`, the caller must search the whole [`TileTable`].
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
        let Some(range) = self.table.range(number) else { return Err(self.table.unknown(gid)) };
        (self.first, self.count, self.meanings) = (range.first, range.count, &range.meanings);
        self.rest = range.rest;
        self.here(number).ok_or_else(|| self.table.unknown(gid))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::LoadOptions;
    use crate::property::PropertyValue;
    use crate::tmx::{Image, Property, Tile};

    /// Returns a tileset whose tiles with these ids are solid. If `has_picture`, its tiles share a picture.
    /// If not, each tile has its own picture.
    fn tileset(ids: &[u32], has_picture: bool) -> Tileset {
        let solid = ("solid".to_owned(), Property::new(PropertyValue::Bool(true)));
        let tile = Tile { properties: [solid].into(), ..Tile::default() };
        Tileset {
            first_gid: 1,
            tile_size: UVec2::new(4, 4),
            tile_count: Some(MAX_TILES),
            image: has_picture.then(Image::default),
            tiles: ids.iter().map(|id| (*id, tile.clone().into())).collect(),
            ..Tileset::default()
        }
    }

    #[test]
    fn a_tile_table_has_each_named_tile_up_to_16_million_ids_in_all() {
        let options = LoadOptions::default();
        let last = MAX_NAMED as u32 - 1;
        for ids in [&[3, 70][..], &[0, 4_095, 4_200, 65_535], &[5, 70_000, last]] {
            for has_picture in [false, true] {
                // Tiles of a common picture are numbered without gaps.
                let is_possible = |id: &u32| !has_picture || *id < MAX_TILES;
                let ids: Vec<u32> = ids.iter().copied().filter(is_possible).collect();
                let map = Map { tilesets: vec![tileset(&ids, has_picture)], ..Map::default() };
                let table = TileTable::new(&TileRules { map: &map, options: &options }, &[]);
                let table = table.unwrap();
                assert_eq!(table.meanings.len(), 2, "equal tiles share one meaning");
                let mut lookup = table.lookup();
                for id in ids.iter().flat_map(|id| id.saturating_sub(2)..id + 2) {
                    let found =
                        lookup.index(id + 1).ok().map(|index| &table.meanings[index as usize]);
                    let is_solid = found.map(|meaning| meaning.solid.is_some());
                    let is_known = if has_picture { id < MAX_TILES } else { ids.contains(&id) };
                    assert_eq!(is_solid, is_known.then(|| ids.contains(&id)), "{id}");
                }
            }
        }
        let map = Map { tilesets: vec![tileset(&[last + 1], false)], ..Map::default() };
        let found = TileTable::new(&TileRules { map: &map, options: &options }, &[]);
        assert!(matches!(found.err(), Some(LoadErrorKind::TooLarge { .. })));
    }
}
