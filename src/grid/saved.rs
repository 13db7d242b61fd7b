//! Serialization of a grid with serde, independent of the grid's layout in memory. Serialized data has at
//! least one bit for each cell of a dense grid, and 512 bytes for each block of a sparse grid. So a
//! deserialized grid never takes memory out of proportion to the data, whatever size hostile data states.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};

use super::block::{NONE, rectangle};
use super::plane::Words;
use super::rows::RowBuilder;
use super::sparse::BLOCK_LIMIT;
use super::{Grid, check_size};
use crate::text::Bytes;

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Grid", deny_unknown_fields)]
struct SavedGrid<'g> {
    width: u32,
    height: u32,
    cells: SavedCells<'g>,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedCells<'g> {
    /// The rows of a dense grid from the top. Each row is a whole number of bytes. Bit i of byte b is column
    /// 8 b + i, and bits beyond the width are 0.
    Rows(Bytes<'g>),
    /// The blocks of a sparse grid that have a solid cell, row by row, and from the left in each row.
    Blocks(Vec<SavedBlock<'g>>),
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedBlock<'g> {
    at: [u32; 2],
    /// The 64 rows of a block, 8 bytes each, with bits in the order of [`SavedCells::Rows`].
    rows: Bytes<'g>,
}

impl Serialize for Grid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = if self.is_sparse() {
            let blocks = self.blocks().map(|(at, rows)| {
                let bytes = rows.iter().flat_map(|row| row.to_le_bytes());
                SavedBlock { at, rows: Bytes(bytes.collect()) }
            });
            SavedCells::Blocks(blocks.collect())
        } else {
            let bytes = row_bytes(self);
            let bytes = bytes.ok_or_else(|| S::Error::custom("there is no memory for the rows"));
            SavedCells::Rows(Bytes(Cow::Owned(bytes?)))
        };
        SavedGrid { width: self.width(), height: self.height(), cells }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Grid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SavedGrid { width, height, cells } = SavedGrid::deserialize(deserializer)?;
        let grid = match cells {
            SavedCells::Rows(Bytes(bytes)) => from_row_bytes(width, height, &bytes),
            SavedCells::Blocks(blocks) => from_saved_blocks(width, height, &blocks),
        };
        grid.map_err(D::Error::custom)
    }
}

/// Returns the bytes of [`SavedCells::Rows`] for a dense grid; `None` if memory runs out.
fn row_bytes(grid: &Grid) -> Option<Vec<u8>> {
    let of_row = bytes_of_row(grid.width());
    let mut bytes = Vec::new();
    let all = u64::from(of_row) * u64::from(grid.height());
    bytes.try_reserve_exact(usize::try_from(all).ok()?).ok()?;
    for row in 0..grid.height() {
        for byte in (0..of_row).step_by(8) {
            let word = grid.row_word(i64::from(byte) * 8, row).to_le_bytes();
            bytes.extend_from_slice(&word[..(of_row - byte).min(8) as usize]);
        }
    }
    Some(bytes)
}

fn bytes_of_row(width: u32) -> u32 {
    width.div_ceil(8)
}

fn from_row_bytes(width: u32, height: u32, bytes: &[u8]) -> Result<Grid, String> {
    check_size(width, height).map_err(|error| error.to_string())?;
    let of_row = bytes_of_row(width);
    let expected = u64::from(of_row) * u64::from(height);
    if bytes.len() as u64 != expected {
        let found = bytes.len();
        return Err(format!(
            "a grid of {width} x {height} cells has {found} bytes of rows, which needs {expected}"
        ));
    }
    let beyond = u8::MAX.checked_shl(width % 8).filter(|_| !width.is_multiple_of(8)).unwrap_or(0);
    let mut builder = RowBuilder::new(width, height).map_err(|error| error.to_string())?;
    let mut words = Vec::new();
    for (row, bytes) in (0..height).zip(bytes.chunks_exact(of_row as usize)) {
        if bytes.last().is_some_and(|last| last & beyond != 0) {
            return Err(format!("row {row} of a grid has solid cells beyond its width of {width}"));
        }
        words.clear();
        words.extend(bytes.chunks(8).map(|bytes| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        }));
        builder.or_row(row, &words);
    }
    builder.finish().map_err(|error| error.to_string())
}

fn from_saved_blocks(width: u32, height: u32, blocks: &[SavedBlock<'_>]) -> Result<Grid, String> {
    // The data lists all blocks, so the limit cannot ask for more memory than the data takes.
    let count = u32::try_from(blocks.len()).unwrap_or(u32::MAX);
    let grid = Grid::sparse(width, height).map_err(|error| error.to_string())?;
    let mut grid = grid.with_block_limit(count.max(BLOCK_LIMIT));
    let mut before = None;
    for block in blocks {
        let [column, row] = block.at;
        let is_in_order = Some((row, column)) > before;
        before = Some((row, column));
        let inside = rectangle(block.at, &(0..width), &(0..height));
        let words = if is_in_order {
            block.words(&inside)
        } else {
            Err("does not come after the one before it")
        };
        let words =
            words.map_err(|fault| format!("the block in column {column}, row {row} {fault}"))?;
        grid.write(block.at, &words, true).map_err(|error| error.to_string())?;
    }
    Ok(grid)
}

impl SavedBlock<'_> {
    /// Returns the rows of the block, which must have a solid cell, and none but those in `inside`.
    fn words(&self, inside: &Words) -> Result<Words, &'static str> {
        let (bytes, rest) = self.rows.0.as_chunks::<8>();
        let bytes: &[[u8; 8]; 64] = bytes.try_into().map_err(|_| "has not 512 bytes")?;
        let words = bytes.map(u64::from_le_bytes);
        if !rest.is_empty() {
            Err("has not 512 bytes")
        } else if words.iter().zip(inside).any(|(word, inside)| word & !inside != 0) {
            Err("has solid cells outside the grid")
        } else if words == NONE {
            Err("has no solid cell")
        } else {
            Ok(words)
        }
    }
}
