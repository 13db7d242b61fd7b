//! The numbers of tiles. Crate `tiled` keeps the tileset of a tile and its id there, but not its number.

use std::sync::Arc;

use tiled::{ObjectTileData, TilesetLocation};

use crate::tmx::flip;

/// Ids from here on are not ids. `tiled` takes the flag [`flip::ROTATED`] for a part of the number, so that
/// such a cell names a tile of the last tileset with the flag in its id.
const FLAGGED: u32 = flip::ROTATED / 2;

/// The numbers of the tiles of a map's tilesets, one tileset after the other.
pub(super) struct Numbers {
    pub(super) tilesets: Vec<NumberedTileset>,
    /// True if some room has grown since the first numbers were given.
    has_grown: bool,
}

/// A tileset, and the numbers of its tiles.
pub(super) struct NumberedTileset {
    pub(super) tileset: Arc<tiled::Tileset>,
    /// The number of its first tile.
    pub(super) first: u32,
    /// How many numbers it has: more than its largest id.
    room: u32,
}

impl Numbers {
    /// Numbers for the tilesets of a map.
    pub(super) fn new(tilesets: &[Arc<tiled::Tileset>]) -> Self {
        let mut numbers = Self { tilesets: Vec::new(), has_grown: false };
        for tileset in tilesets {
            numbers.add(tileset);
        }
        numbers
    }

    /// Adds a tileset after all others; its index.
    fn add(&mut self, tileset: &Arc<tiled::Tileset>) -> usize {
        let ids = tileset.tiles().map(|(id, _)| id.saturating_add(1));
        let room = ids.max().unwrap_or(0).max(tileset.tilecount).clamp(1, FLAGGED);
        let before = self.tilesets.last();
        let first = before.map_or(1, |set| set.first.saturating_add(set.room));
        self.tilesets.push(NumberedTileset { tileset: tileset.clone(), first, room });
        self.tilesets.len() - 1
    }

    /// The number of a tile, with the flags of being mirrored left to right, top to bottom and along the
    /// diagonal. An id beyond its tileset, which Tiled takes for no tile, must not become the number of
    /// another tile: for it the tileset gets more room, and all numbers are made again.
    fn of(&mut self, tileset: usize, id: u32, mirrored: [bool; 3]) -> u32 {
        let flags = [flip::HORIZONTAL, flip::VERTICAL, flip::DIAGONAL];
        let flags = flags.into_iter().zip(mirrored);
        let flags = flags.fold(0, |all, (flag, is_set)| all | (flag * u32::from(is_set)));
        let Some(set) = self.tilesets.get_mut(tileset) else {
            return flags;
        };
        if id >= set.room && id < FLAGGED {
            set.room = id + 1;
            self.has_grown = true;
        }
        flags | set.first.saturating_add(id).min(!flip::ALL | flip::ROTATED)
    }

    /// The number of a cell's tile.
    pub(super) fn of_cell(&mut self, tile: &tiled::LayerTileData) -> u32 {
        self.of(tile.tileset_index(), tile.id(), [tile.flip_h, tile.flip_v, tile.flip_d])
    }

    /// The number of an object's tile. A tileset that only the object's template names is added.
    pub(super) fn of_object(&mut self, tile: &ObjectTileData) -> u32 {
        let index = match tile.tileset_location() {
            TilesetLocation::Map(index) => *index,
            TilesetLocation::Template(tileset) => {
                let known = self.tilesets.iter().map(|known| &known.tileset).position(|known| {
                    Arc::ptr_eq(known, tileset) || known.source == tileset.source
                });
                known.unwrap_or_else(|| self.add(tileset))
            }
        };
        self.of(index, tile.id(), [tile.flip_h, tile.flip_v, tile.flip_d])
    }

    /// False if a tileset has grown since the last call: the numbers that were given do not hold, and are
    /// made anew with more room.
    pub(super) fn are_settled(&mut self) -> bool {
        let mut next = 1u32;
        for set in &mut self.tilesets {
            set.first = next;
            next = next.saturating_add(set.room);
        }
        !std::mem::take(&mut self.has_grown)
    }
}
