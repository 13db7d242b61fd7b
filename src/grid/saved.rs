//! Serialization of a grid with serde, independent of the grid's layout in memory. Serialized data has at
//! least one bit for each cell of a dense grid, and 512 bytes for each block of a sparse grid. So a
//! deserialized grid never takes memory out of proportion to the data, whatever size hostile data states.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};

use super::builder::{RowBuilder, words_inside};
use super::plane::Words;
use super::sparse::{BLOCK_LIMIT, Sparse};
use super::{Grid, GridError, check_size};
use crate::text::bytes::Bytes;

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Grid", deny_unknown_fields)]
struct Saved<'g> {
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
        let (width, height) = (self.width(), self.height());
        let cells = match &self.sparse {
            Some(blocks) => SavedCells::Blocks(
                blocks
                    .blocks()
                    .into_iter()
                    .map(|(at, block)| {
                        let bytes = block.rows().iter().flat_map(|row| row.to_le_bytes());
                        SavedBlock { at, rows: Bytes(bytes.collect()) }
                    })
                    .collect(),
            ),
            None => {
                let bytes = row_bytes(self);
                let bytes =
                    bytes.ok_or_else(|| S::Error::custom("there is no memory for the rows"));
                SavedCells::Rows(Bytes(Cow::Owned(bytes?)))
            }
        };
        Saved { width, height, cells }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Grid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Saved { width, height, cells } = Saved::deserialize(deserializer)?;
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
    let rows = || (0..height).zip(bytes.chunks_exact(of_row as usize));
    if let Some((row, _)) = rows().find(|(_, row)| row.last().is_some_and(|b| b & beyond != 0)) {
        return Err(format!("row {row} of a grid has solid cells beyond its width of {width}"));
    }
    let mut builder = RowBuilder::new(width, height).map_err(|error| error.to_string())?;
    let mut words = Vec::new();
    for (row, bytes) in rows() {
        words.clear();
        words.extend(bytes.chunks(8).map(|bytes| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        }));
        builder.or_row(row, &words);
    }
    Ok(builder.finish())
}

fn from_saved_blocks(width: u32, height: u32, blocks: &[SavedBlock<'_>]) -> Result<Grid, String> {
    if width == 0 || height == 0 {
        return Err(GridError::Empty.to_string());
    }
    // The data lists all blocks, so the limit cannot ask for more memory than the data takes.
    let count = u32::try_from(blocks.len()).unwrap_or(u32::MAX);
    let mut sparse = Sparse::default();
    sparse.set_limit(count.max(BLOCK_LIMIT));
    let mut before = None;
    for SavedBlock { at, rows: Bytes(bytes) } in blocks {
        let [column, row] = *at;
        let fault = |fault: &str| Err(format!("the block in column {column}, row {row} {fault}"));
        let place = Some((row, column));
        if place <= before {
            return fault("does not come after the one before it");
        }
        before = place;
        let (words, rest) = bytes.as_chunks::<8>();
        let words = words.iter().map(|word| u64::from_le_bytes(*word));
        let words: Vec<u64> = words.collect();
        let Some(words) = <&Words>::try_from(&*words).ok().filter(|_| rest.is_empty()) else {
            return fault("has not 512 bytes");
        };
        let inside = words_inside(glam::UVec2::new(width, height), *at);
        if words.iter().zip(inside).any(|(word, inside)| word & !inside != 0) {
            return fault("has solid cells outside the grid");
        }
        if words.iter().all(|word| *word == 0) {
            return fault("has no solid cell");
        }
        sparse.or(*at, words).map_err(|error| error.to_string())?;
    }
    Ok(Grid::from_blocks(width, height, sparse))
}
