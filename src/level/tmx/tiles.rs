//! The tiles that a map may use: which numbers exist, and what each tile is.

use super::document::RawTileset;
use crate::level::error::LoadErrorKind;
use crate::level::source::flip;

/// What a tile is, as one byte for each id: one of these, or `SOLID` plus the index of a reason.
pub(super) mod code {
    /// Not solid.
    pub(in crate::level::tmx) const PASSABLE: u8 = 0;
    /// Not in the tileset.
    pub(in crate::level::tmx) const MISSING: u8 = 1;
    /// Has collision shapes of its own, finer than a tile.
    pub(in crate::level::tmx) const SHAPES: u8 = 2;
    /// Solid from some sides only.
    pub(in crate::level::tmx) const ONE_WAY: u8 = 3;
    /// Solid; the rest is the index of the reason.
    pub(in crate::level::tmx) const SOLID: u8 = 4;
}

/// What a tile says of itself, apart from where it is placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TileKind {
    Solid(String),
    OneWay,
    Shapes,
}

/// All tiles of a map.
pub(super) struct TileTable {
    /// By rising first id.
    ranges: Vec<TileRange>,
    /// Why tiles are solid, each reason once.
    pub(super) reasons: Vec<String>,
}

/// The tiles of one tileset.
struct TileRange {
    first: u32,
    /// How many ids follow, up to the next tileset at most.
    count: u32,
    /// What each tile is; those past the end are `rest`.
    codes: Vec<u8>,
    rest: u8,
    name: String,
}

impl TileTable {
    /// The table for `tilesets`, whose ids need not rise; `kind` says what a tile is, by the index of its
    /// tileset and its local id.
    ///
    /// # Errors
    /// Two tilesets that start at the same number.
    pub(super) fn new(
        tilesets: &[RawTileset],
        tiles_limit: u32,
        kind: impl Fn(usize, u32) -> Option<TileKind>,
    ) -> Result<Self, LoadErrorKind> {
        let mut reasons = Vec::new();
        let mut ranges = Vec::with_capacity(tilesets.len());
        for (index, tileset) in tilesets.iter().enumerate() {
            let past_named = tileset
                .tile_ids
                .iter()
                .max()
                .map_or(0, |id| id.saturating_add(1));
            let (count, rest) = if tileset.is_collection {
                (past_named, code::MISSING)
            } else {
                (tileset.tile_count.unwrap_or(tiles_limit), code::PASSABLE)
            };
            let named = past_named.min(count).min(tiles_limit);
            let mut codes = vec![rest; named as usize];
            for id in &tileset.tile_ids {
                if let Some(code) = codes.get_mut(*id as usize) {
                    *code = code_of(kind(index, *id), &mut reasons);
                }
            }
            ranges.push(TileRange {
                first: tileset.first_gid,
                count,
                codes,
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
        Ok(Self { ranges, reasons })
    }

    /// What the tile of a cell is; `gid` is not 0.
    ///
    /// # Errors
    /// A number that is no tile of the map.
    #[inline]
    pub(super) fn code(&self, gid: u32) -> Result<u8, LoadErrorKind> {
        let number = gid & !(flip::HORIZONTAL | flip::VERTICAL | flip::DIAGONAL);
        let code = self.range(number).and_then(|range| {
            let id = number - range.first;
            let named = range.codes.get(id as usize).copied();
            (id < range.count).then(|| named.unwrap_or(range.rest))
        });
        match code {
            Some(code) if code != code::MISSING && number & flip::ROTATED == 0 => Ok(code),
            _ => Err(self.unknown(gid, number)),
        }
    }

    /// The tileset that would hold a number.
    #[inline]
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

fn code_of(kind: Option<TileKind>, reasons: &mut Vec<String>) -> u8 {
    match kind {
        None => code::PASSABLE,
        Some(TileKind::Shapes) => code::SHAPES,
        Some(TileKind::OneWay) => code::ONE_WAY,
        Some(TileKind::Solid(reason)) => {
            let index = reasons.iter().position(|known| *known == reason);
            let index = index.unwrap_or_else(|| {
                // More reasons than a byte has room for share the last one.
                if reasons.len() < usize::from(u8::MAX - code::SOLID) {
                    reasons.push(reason);
                }
                reasons.len() - 1
            });
            code::SOLID + index as u8
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tileset(first_gid: u32, tile_count: Option<u32>, tile_ids: &[u32]) -> RawTileset {
        RawTileset {
            name: format!("from {first_gid}"),
            first_gid,
            tile_count,
            tile_ids: tile_ids.to_vec(),
            is_collection: tile_count.is_none(),
        }
    }

    fn solid(_: usize, id: u32) -> Option<TileKind> {
        (id == 2).then(|| TileKind::Solid("property `solid`".to_owned()))
    }

    #[test]
    fn unsorted_tilesets_own_their_numbers() {
        let tilesets = [tileset(100, Some(4), &[2]), tileset(1, Some(4), &[2])];
        let table = TileTable::new(&tilesets, 65_536, solid).unwrap();
        for (gid, code) in [(1, 0), (3, 4), (4, 0), (102, 4), (103, 0), (0xE000_0003, 4)] {
            assert_eq!(table.code(gid).unwrap(), code, "{gid}");
        }
        for gid in [5, 99, 104, u32::MAX, 0x8000_0000, 0x1000_0001] {
            assert!(table.code(gid).is_err(), "{gid}");
        }
    }

    #[test]
    fn a_collection_has_only_what_it_names() {
        let table = TileTable::new(&[tileset(1, None, &[0, 2, 900])], 65_536, solid).unwrap();
        assert_eq!(table.code(3).unwrap(), code::SOLID);
        assert_eq!(table.code(901).unwrap(), code::PASSABLE);
        assert!(table.code(2).is_err() && table.code(902).is_err());
    }

    #[test]
    fn two_tilesets_cannot_start_at_one_number() {
        let tilesets = [tileset(1, Some(4), &[]), tileset(1, Some(4), &[])];
        assert!(TileTable::new(&tilesets, 65_536, solid).is_err());
        let grown = [tileset(1, Some(400), &[]), tileset(5, Some(4), &[2])];
        let table = TileTable::new(&grown, 65_536, solid).unwrap();
        assert_eq!(table.code(7).unwrap(), code::SOLID);
    }

    #[test]
    fn three_hundred_reasons_fit() {
        let ids: Vec<u32> = (0..300).collect();
        let kind = |_, id| Some(TileKind::Solid(format!("reason {id}")));
        let table = TileTable::new(&[tileset(1, Some(300), &ids)], 65_536, kind).unwrap();
        assert!((1..=300).all(|gid| table.code(gid).unwrap() >= code::SOLID));
    }
}
