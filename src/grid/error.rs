//! The reasons that a grid, a terrain or a level in code cannot be made or changed.
//!
//! Plain data and its words. No paths and no places in files: those are the errors of loads.

use std::fmt;

use glam::{I64Vec2, UVec2};

use super::Grid;
use crate::geometry::MAX_CELL_SIZE;

/// The reason that a grid could not be made or filled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GridError {
    /// A side is 0.
    Empty,
    /// More than [`Grid::MAX_CELLS`] cells, or more than fit in memory.
    TooManyCells {
        /// The width asked for, in cells.
        width: u32,
        /// The height asked for, in cells.
        height: u32,
    },
    /// More blocks of 64 x 64 cells of a sparse [`Grid`] would have solid cells than its limit admits:
    /// [`Grid::with_block_limit`].
    TooManyBlocks {
        /// The limit.
        limit: u32,
    },
    /// A character that is neither `#` nor `.`.
    BadCharacter {
        /// The character.
        found: char,
        /// The line of the text, from 1.
        line: u32,
        /// The column of the grid, from 0.
        column: u32,
    },
    /// A row and the first row differ in length.
    RaggedRow {
        /// The line of the text, from 1.
        line: u32,
        /// Its length in characters.
        found: u32,
        /// The length of the first row.
        expected: u32,
    },
    /// Bits that do not number width x height.
    OtherBitCount {
        /// The number of bits given.
        found: u64,
        /// Width x height.
        expected: u64,
    },
    /// Two grids that must have one size differ.
    OtherSize {
        /// Columns and rows of the given grid.
        found: UVec2,
        /// Columns and rows that it must have.
        expected: UVec2,
    },
    /// Two levels that must have cells of one size differ, or two areas of one name.
    OtherCellSize {
        /// A cell's width and height in the given level or area, in pixels.
        found: UVec2,
        /// The width and height that it must have.
        expected: UVec2,
    },
    /// An area would lie at a part of a cell.
    PartOfACell {
        /// Its offset in pixels.
        offset: I64Vec2,
        /// The width and height of its cells in pixels.
        cell_size: UVec2,
    },
    /// The size of a cell is not between 1 and
    /// [`Terrain::MAX_CELL_SIZE`](crate::sweep::Terrain::MAX_CELL_SIZE) pixels on both sides.
    CellSize(UVec2),
    /// A level would be more than `u32::MAX` pixels wide or high.
    LevelTooLarge {
        /// Columns and rows.
        cells: UVec2,
        /// A cell's width and height in pixels.
        cell_size: UVec2,
    },
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "a grid needs at least one row and one column"),
            Self::TooManyCells { width, height } => write!(
                f,
                "a grid of {width} x {height} cells is over the limit of {} cells or of memory",
                Grid::MAX_CELLS
            ),
            Self::TooManyBlocks { limit } => write!(
                f,
                "solid cells lie in more than {limit} blocks of 64 x 64 cells, the limit of this sparse grid"
            ),
            Self::BadCharacter { found, line, column } => write!(
                f,
                "{found:?} in line {line}, col {column} is neither '#' (solid) nor '.' (passable)"
            ),
            Self::RaggedRow { line, found, expected } => {
                write!(f, "line {line} has {found} cells, the first one has {expected}")
            }
            Self::LevelTooLarge { cells, cell_size } => write!(
                f,
                "{} x {} cells of {} x {} px are more than {} px wide or high",
                cells.x,
                cells.y,
                cell_size.x,
                cell_size.y,
                u32::MAX
            ),
            Self::OtherBitCount { found, expected } => {
                write!(f, "{found} bits are not the {expected} cells of the grid")
            }
            Self::OtherSize { found, expected } => write!(
                f,
                "a grid of {} x {} cells does not go with one of {} x {}",
                found.x, found.y, expected.x, expected.y
            ),
            Self::OtherCellSize { found, expected } => write!(
                f,
                "cells of {} x {} px do not go with cells of {} x {} px",
                found.x, found.y, expected.x, expected.y
            ),
            Self::PartOfACell { offset, cell_size } => write!(
                f,
                "an area that is moved by {}, {} px is not moved by whole cells of {} x {} px",
                offset.x, offset.y, cell_size.x, cell_size.y
            ),
            Self::CellSize(size) => write!(
                f,
                "a cell of {} x {} px is not between 1 and {} px on both sides",
                size.x, size.y, MAX_CELL_SIZE
            ),
        }
    }
}

impl std::error::Error for GridError {}
