//! The tiles that a map may use: which numbers exist, and what each tile is.

use std::collections::BTreeMap;

use super::document::RawTileset;
use super::kinds::Kind;
use crate::error::LoadErrorKind;
use crate::level::source::flip;

/// The index of the kind of tiles that are nothing.
pub(super) const PLAIN: u32 = 0;

/// Stands for a kind where a tileset has no such tile.
const MISSING: u32 = u32::MAX;

/// All tiles of a map.
pub(super) struct TileTable {
    /// By rising first id.
    ranges: Vec<TileRange>,
    /// What tiles are, each kind once; the first is [`PLAIN`].
    pub(super) kinds: Vec<Kind>,
    /// True if a flag turns tiles by 120 degrees.
    is_hexagonal: bool,
}

/// Looks up one tile after the other, most of which are of the same tileset as the one before.
pub(super) struct Lookup<'t> {
    table: &'t TileTable,
    /// The flags of a cell's number.
    flags: u32,
    /// As in the range of the last tile.
    first: u32,
    count: u32,
    kinds: &'t [u32],
    rest: u32,
}

/// The tiles of one tileset.
struct TileRange {
    first: u32,
    /// The index of the tileset in the file.
    tileset: usize,
    /// How many ids follow, up to the next tileset at most.
    count: u32,
    /// What each tile is; those past the end are `rest`.
    kinds: Vec<u32>,
    rest: u32,
    name: String,
}

impl TileTable {
    /// The table for `tilesets`, whose ids need not rise; `kind` says what a tile is, by the index of its
    /// tileset and its local id. Tiles that the file does not name are asked about where `asks_all`.
    ///
    /// # Errors
    /// Two tilesets that start at the same number, and whatever `kind` returns.
    pub(super) fn new(
        tilesets: &[RawTileset],
        tiles_limit: u32,
        is_hexagonal: bool,
        asks_all: impl Fn(usize) -> bool,
        kind: impl Fn(usize, u32) -> Result<Kind, LoadErrorKind>,
    ) -> Result<Self, LoadErrorKind> {
        let mut kinds = vec![Kind::default()];
        let mut ranges = Vec::with_capacity(tilesets.len());
        for (index, tileset) in tilesets.iter().enumerate() {
            let past_named = tileset
                .tile_ids
                .iter()
                .max()
                .map_or(0, |id| id.saturating_add(1));
            let (count, rest) = if tileset.is_collection {
                (past_named, MISSING)
            } else {
                (tileset.tile_count.unwrap_or(tiles_limit), PLAIN)
            };
            let all = if asks_all(index) && !tileset.is_collection {
                count
            } else {
                0
            };
            let asked = past_named.max(all).min(count).min(tiles_limit);
            let mut of_ids = vec![rest; asked as usize];
            for id in (0..all).chain(tileset.tile_ids.iter().copied()) {
                if let Some(place) = of_ids.get_mut(id as usize) {
                    *place = index_of(kind(index, id)?, &mut kinds);
                }
            }
            ranges.push(TileRange {
                first: tileset.first_gid,
                tileset: index,
                // No number has the flag, unless it is masked off.
                count: count.min(flip::ROTATED.saturating_sub(tileset.first_gid)),
                kinds: of_ids,
                rest,
                name: tileset.name.clone(),
            });
        }
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
            // A tileset may have grown since the map was drawn: then the next one owns what overlaps.
            let range = &mut ranges[i - 1];
            range.count = range.count.min(gap);
        }
        Ok(Self {
            ranges,
            kinds,
            is_hexagonal,
        })
    }

    /// The index of the kind of a cell's tile; `gid` is not 0.
    ///
    /// # Errors
    /// A number that is no tile of the map.
    pub(super) fn kind(&self, gid: u32) -> Result<u32, LoadErrorKind> {
        self.lookup().kind(gid)
    }

    /// The same for many tiles.
    pub(super) fn lookup(&self) -> Lookup<'_> {
        Lookup {
            table: self,
            flags: if self.is_hexagonal {
                flip::ALL
            } else {
                flip::HORIZONTAL | flip::VERTICAL | flip::DIAGONAL
            },
            first: 0,
            count: 0,
            kinds: &[],
            rest: MISSING,
        }
    }

    /// The index of the tileset of a tile that exists, and the tile's id in it.
    pub(super) fn place(&self, gid: u32) -> Option<(usize, u32)> {
        let number = gid & !flip::ALL;
        let range = self.range(number)?;
        Some((range.tileset, number - range.first))
    }

    /// Why the tiles of a tileset are solid or one-way by themselves, by their ids.
    pub(super) fn reasons(&self, tileset: usize) -> BTreeMap<u32, String> {
        let range = self.ranges.iter().find(|range| range.tileset == tileset);
        let kinds = range.map_or(&[][..], |range| &range.kinds);
        let reason = |(id, kind): (u32, &u32)| {
            let kind = self.kinds.get(*kind as usize)?;
            let solid = kind.solid.as_ref().map(|(because, _)| because.clone());
            let one_way = kind.one_way.as_ref().map(|_| "it is one-way".to_owned());
            Some((id, solid.or(one_way)?))
        };
        (0..).zip(kinds).filter_map(reason).collect()
    }

    /// The tileset that would hold a number.
    fn range(&self, number: u32) -> Option<&TileRange> {
        let after = self.ranges.partition_point(|range| range.first <= number);
        self.ranges.get(after.wrapping_sub(1))
    }

    /// Why there is no such tile.
    #[cold]
    fn unknown(&self, gid: u32, number: u32) -> LoadErrorKind {
        let reason = match self.range(number) {
            _ if number == 0 => "it has flags, but no number".to_owned(),
            _ if number & flip::ROTATED != 0 => {
                "it has the flag of a hexagonal map, which this is not".to_owned()
            }
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
    /// As [`TileTable::kind`].
    #[inline]
    pub(super) fn kind(&mut self, gid: u32) -> Result<u32, LoadErrorKind> {
        match self.here(gid & !self.flags) {
            Some(kind) => Ok(kind),
            None => self.elsewhere(gid),
        }
    }

    /// The kind of a tile in the range of the last one.
    #[inline]
    fn here(&self, number: u32) -> Option<u32> {
        let id = number.wrapping_sub(self.first);
        if id >= self.count {
            return None;
        }
        let kind = self.kinds.get(id as usize).copied().unwrap_or(self.rest);
        (kind != MISSING).then_some(kind)
    }

    #[inline(never)]
    fn elsewhere(&mut self, gid: u32) -> Result<u32, LoadErrorKind> {
        let number = gid & !self.flags;
        if let Some(range) = self.table.range(number) {
            (self.first, self.count) = (range.first, range.count);
            (self.kinds, self.rest) = (&range.kinds, range.rest);
        }
        self.here(number)
            .ok_or_else(|| self.table.unknown(gid, number))
    }
}

/// The index of a kind, which is added if it is new. Kinds with shapes are rarely the same, and not compared;
/// nor are others than the first few hundred.
fn index_of(kind: Kind, kinds: &mut Vec<Kind>) -> u32 {
    const COMPARED: usize = 512;
    let same = (!kind.has_shapes())
        .then(|| kinds.iter().take(COMPARED).position(|known| *known == kind))
        .flatten();
    let index = same.unwrap_or_else(|| {
        kinds.push(kind);
        kinds.len() - 1
    });
    index as u32
}

#[cfg(test)]
mod tests {
    use super::super::kinds::Form;
    use super::*;

    fn tileset(first_gid: u32, tile_count: Option<u32>, tile_ids: &[u32]) -> RawTileset {
        RawTileset {
            name: format!("from {first_gid}"),
            first_gid,
            tile_count,
            tile_ids: tile_ids.to_vec(),
            is_collection: tile_count.is_none(),
            ..RawTileset::default()
        }
    }

    fn because(reason: String) -> Kind {
        Kind {
            solid: Some((reason, Form::Cell)),
            ..Kind::default()
        }
    }

    fn solid(_: usize, id: u32) -> Result<Kind, LoadErrorKind> {
        Ok(if id == 2 {
            because("property `solid`".to_owned())
        } else {
            Kind::default()
        })
    }

    fn table(tilesets: &[RawTileset]) -> Result<TileTable, LoadErrorKind> {
        TileTable::new(tilesets, 65_536, false, |_| false, solid)
    }

    #[test]
    fn unsorted_tilesets_own_their_numbers() {
        let tilesets = [tileset(100, Some(4), &[2]), tileset(1, Some(4), &[2])];
        let table = table(&tilesets).unwrap();
        for (gid, kind) in [(1, 0), (3, 1), (4, 0), (102, 1), (103, 0), (0xE000_0003, 1)] {
            assert_eq!(table.kind(gid).unwrap(), kind, "{gid}");
        }
        for gid in [5, 99, 104, u32::MAX, 0x8000_0000, 0x1000_0001] {
            assert!(table.kind(gid).is_err(), "{gid}");
        }
    }

    #[test]
    fn the_flag_of_hexagonal_maps_is_theirs_alone() {
        let tilesets = [tileset(1, Some(4), &[2])];
        let table = TileTable::new(&tilesets, 65_536, true, |_| false, solid).unwrap();
        assert_eq!(table.kind(0xF000_0003).unwrap(), 1);
        assert!(table.kind(0x1000_0000).is_err());
    }

    #[test]
    fn a_collection_has_only_what_it_names() {
        let table = table(&[tileset(1, None, &[0, 2, 900])]).unwrap();
        assert_eq!(table.kind(3).unwrap(), 1);
        assert_eq!(table.kind(901).unwrap(), PLAIN);
        assert!(table.kind(2).is_err() && table.kind(902).is_err());
    }

    #[test]
    fn two_tilesets_cannot_start_at_one_number() {
        let tilesets = [tileset(1, Some(4), &[]), tileset(1, Some(4), &[])];
        assert!(table(&tilesets).is_err());
        let grown = [tileset(1, Some(400), &[]), tileset(5, Some(4), &[2])];
        assert_eq!(table(&grown).unwrap().kind(7).unwrap(), 1);
    }

    #[test]
    fn tiles_that_no_file_names_are_asked_about_if_a_rule_may_name_them() {
        let tilesets = [tileset(1, Some(4), &[])];
        let all = TileTable::new(&tilesets, 65_536, false, |_| true, solid).unwrap();
        assert_eq!(all.kind(3).unwrap(), 1);
        assert_eq!(table(&tilesets).unwrap().kind(3).unwrap(), PLAIN);
    }

    #[test]
    fn a_thousand_reasons_fit() {
        let ids: Vec<u32> = (0..1_000).collect();
        let kind = |_, id| Ok(because(format!("reason {id}")));
        let tilesets = [tileset(1, Some(1_000), &ids)];
        let table = TileTable::new(&tilesets, 65_536, false, |_| false, kind).unwrap();
        for gid in 1..=1_000 {
            let kind = table.kind(gid).unwrap() as usize;
            let reason = format!("reason {}", gid - 1);
            assert_eq!(table.kinds[kind], because(reason));
        }
    }
}
