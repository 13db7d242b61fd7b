//! What the reader knows of an object or a layer before it closes. Plain data.

use std::ops::Range;

use glam::UVec2;

use super::cells::Encoding;
use super::document::RawBlock;
use super::schema::Shape;
use crate::geometry::decimal::Decimal;

/// What is known of an object before it closes.
#[derive(Default)]
pub(super) struct OpenObject {
    pub(super) line: u32,
    pub(super) shape: Option<Shape>,
    pub(super) points: Vec<(Decimal, Decimal)>,
    /// Where its properties stand in the canonical copy, each with its name.
    pub(super) properties: Vec<(String, Range<usize>)>,
}

/// What is known of a tile layer before it closes.
#[derive(Default)]
pub(super) struct OpenLayer<'t> {
    /// The size that it states, in cells.
    pub(super) size: UVec2,
    /// How many cells it has, as far as they have been counted.
    pub(super) cells: u64,
    /// True once its `<data>` has been seen.
    pub(super) has_data: bool,
    pub(super) encoding: Option<Encoding>,
    /// The `<tile>` elements of the block that is being read.
    pub(super) numbers: Vec<u32>,
    pub(super) blocks: Vec<RawBlock<'t>>,
}
