//! The numbers that tiles get: crate `tiled` says which tile of which tileset is meant, but not the number.

use std::sync::Arc;

use tiled::{ObjectTileData, TilesetLocation};

use crate::tmx::flip;

/// Ids from here on are not ids. `tiled` takes the flag [`flip::ROTATED`] for a part of the number, so that
/// such a cell names a tile of the last tileset with the flag in its id.
const FLAGGED: u32 = flip::ROTATED / 2;

/// The numbers of the tiles of a map's tilesets, one tileset after the other.
pub(super) struct Numbers {
    tilesets: Vec<Arc<tiled::Tileset>>,
    /// The number of the first tile of each.
    first: Vec<u32>,
    /// The numbers of each: more than its largest id.
    room: Vec<u32>,
    /// True if some room has grown since the first numbers were given.
    has_grown: bool,
}

impl Numbers {
    /// Numbers for the tilesets of a map.
    pub(super) fn new(tilesets: &[Arc<tiled::Tileset>]) -> Self {
        let mut numbers =
            Self { tilesets: Vec::new(), first: Vec::new(), room: Vec::new(), has_grown: false };
        for tileset in tilesets {
            numbers.add(tileset.clone());
        }
        numbers
    }

    /// Adds a tileset after all others; its index.
    fn add(&mut self, tileset: Arc<tiled::Tileset>) -> usize {
        let ids = tileset.tiles().map(|(id, _)| id.saturating_add(1));
        let room = ids.max().unwrap_or(0).max(tileset.tilecount);
        let before = self.first.last().zip(self.room.last());
        self.first.push(before.map_or(1, |(first, room)| first.saturating_add(*room)));
        self.room.push(room.clamp(1, FLAGGED));
        self.tilesets.push(tileset);
        self.tilesets.len() - 1
    }

    /// The number of a tile, without flags. An id beyond its tileset, which Tiled takes for no tile, must not
    /// become the number of another tile: for it the tileset gets more room, and all numbers are made again.
    fn of(&mut self, tileset: usize, id: u32) -> u32 {
        let (Some(first), Some(room)) = (self.first.get(tileset), self.room.get_mut(tileset))
        else {
            return 0;
        };
        if id >= *room && id < FLAGGED {
            *room = id + 1;
            self.has_grown = true;
        }
        first.saturating_add(id).min(!flip::ALL | flip::ROTATED)
    }

    /// The number of a cell's tile, with flags.
    pub(super) fn of_cell(&mut self, tile: &tiled::LayerTileData) -> u32 {
        let flags = flags(tile.flip_h, tile.flip_v, tile.flip_d);
        self.of(tile.tileset_index(), tile.id()) | flags
    }

    /// The number of an object's tile, with flags. A tileset that only the object's template names is added.
    pub(super) fn of_object(&mut self, tile: &ObjectTileData) -> u32 {
        let tileset = match tile.tileset_location() {
            TilesetLocation::Map(index) => *index,
            TilesetLocation::Template(tileset) => {
                let known = self.tilesets.iter().position(|known| {
                    Arc::ptr_eq(known, tileset) || known.source == tileset.source
                });
                known.unwrap_or_else(|| self.add(tileset.clone()))
            }
        };
        self.of(tileset, tile.id()) | flags(tile.flip_h, tile.flip_v, tile.flip_d)
    }

    /// False, once, if the numbers that were given do not hold: they are made anew, with more room.
    pub(super) fn are_settled(&mut self) -> bool {
        let mut next = 1u32;
        for (first, room) in self.first.iter_mut().zip(&self.room) {
            *first = next;
            next = next.saturating_add(*room);
        }
        !std::mem::take(&mut self.has_grown)
    }

    /// The tilesets, each with the number of its first tile.
    pub(super) fn tilesets(&self) -> impl Iterator<Item = (u32, &tiled::Tileset)> {
        let tilesets = self.tilesets.iter().map(|tileset| &**tileset);
        self.first.iter().copied().zip(tilesets)
    }
}

fn flags(horizontal: bool, vertical: bool, diagonal: bool) -> u32 {
    let flag = |is_set, flag| if is_set { flag } else { 0 };
    flag(horizontal, flip::HORIZONTAL)
        | flag(vertical, flip::VERTICAL)
        | flag(diagonal, flip::DIAGONAL)
}
