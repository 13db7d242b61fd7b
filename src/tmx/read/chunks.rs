//! The cells of a tile layer as the file holds them: in one piece, or in the chunks of an infinite map.
//!
//! It checks the number of cells that the file states, and where they lie, before they are decoded.

use std::collections::BTreeMap;

use glam::{IVec2, UVec2};

use super::cells::{self, CellData, Encoding};
use super::value::{required, side, values};
use super::{Failure, Reader, spend};
use crate::error::LoadErrorKind;
use crate::limits::check;
use crate::tmx::cursor::{Element, xml};
use crate::tmx::{CellBlock, MAX_CHUNK_DISTANCE, MAX_SIDE};

/// The width and the height of a chunk of an infinite map, in tiles.
const MAX_CHUNK_SIDE: u32 = 1_024;

/// The cells of the layer that is being read.
#[derive(Default)]
pub(super) struct OpenCells {
    /// The size that the layer states.
    size: UVec2,
    /// True once its `<data>` has been seen.
    has_data: bool,
    blocks: Vec<CellBlock>,
    /// The number of faults of the map before this layer.
    known_faults: usize,
}

/// A layer of this size, which must be the map's if that is finite, without cells.
pub(super) fn open(
    reader: &mut Reader<'_, '_>,
    size: [Option<u32>; 2],
) -> Result<OpenCells, LoadErrorKind> {
    let cells = OpenCells {
        size: size.map(|side| side.unwrap_or(0)).into(),
        known_faults: reader.shared.map.faults.len(),
        ..OpenCells::default()
    };
    if !reader.shared.map.is_infinite {
        let layer = (required("layer", "width", size[0])?, required("layer", "height", size[1])?);
        let map = reader.shared.map.size.into();
        if layer != map {
            return Err(LoadErrorKind::LayerSize { layer, map });
        }
        count_cells(reader, cells.size)?;
    }
    Ok(cells)
}

/// Counts cells that are to be decoded, and checks them against the limit.
fn count_cells(reader: &mut Reader<'_, '_>, size: UVec2) -> Result<(), LoadErrorKind> {
    let (cells, limit) = (u64::from(size.x) * u64::from(size.y), reader.shared.limits.cells);
    let what = "tiles in all layers (the limit `cells`)";
    spend(what, &mut reader.shared.spent.tiles, cells, limit)
}

/// Reads the content of `<data>`.
pub(super) fn data(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
    cells: &mut OpenCells,
) -> Result<(), Failure> {
    let (mut encoding, mut compression) = (None, None);
    for value in values("data", element.attributes) {
        match &*value.name {
            "encoding" => encoding = Some(value.text()?),
            "compression" => compression = Some(value.text()?),
            _ => {}
        }
    }
    let encoding = Encoding::parse(encoding.as_deref(), compression.as_deref())?;
    cells.has_data = true;
    let mut numbers = Vec::new();
    while let Some(child) = reader.cursor.next()? {
        match &*child.name {
            "tile" => numbers.push(cell(reader, child)?),
            "chunk" => chunk(reader, child, encoding, cells)?,
            _ => reader.pass(&child, "data")?,
        }
    }
    let text = reader.cursor.text();
    let is_empty = text.trim_ascii().is_empty() && numbers.is_empty();
    if !cells.blocks.is_empty() {
        return match is_empty {
            true => Ok(()),
            false => Err(xml("cells beside the chunks of a layer").into()),
        };
    }
    let size = cells.size;
    if reader.shared.map.is_infinite {
        // An empty layer, or one that Tiled wrote before its map became infinite.
        if is_empty {
            return Ok(());
        }
        check("tiles in the width or height of a layer", size.max_element(), MAX_SIDE)?;
        count_cells(reader, size)?;
    }
    let data = CellData { encoding, text, numbers };
    block(reader, IVec2::ZERO, size, &data, cells)
}

/// Reads a chunk.
fn chunk(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
    encoding: Option<Encoding>,
    cells: &mut OpenCells,
) -> Result<(), Failure> {
    reader.count_element()?;
    let (mut origin, mut size) = ([None; 2], [None; 2]);
    for value in values("chunk", element.attributes) {
        match &*value.name {
            "x" => origin[0] = Some(value.int()?),
            "y" => origin[1] = Some(value.int()?),
            "width" => size[0] = Some(value.count()?),
            "height" => size[1] = Some(value.count()?),
            _ => {}
        }
    }
    if !reader.shared.map.is_infinite {
        return Err(xml("chunks in a map that is not infinite").into());
    }
    let origin = IVec2::new(required("chunk", "x", origin[0])?, required("chunk", "y", origin[1])?);
    let size = UVec2::new(side("chunk", "width", size[0])?, side("chunk", "height", size[1])?);
    check("tiles in a side of a chunk", size.max_element(), MAX_CHUNK_SIDE)?;
    let far = origin.as_i64vec2().abs().max_element() as u64;
    check("columns or rows from the middle to a chunk", far, MAX_CHUNK_DISTANCE)?;
    // A row takes a word of bits, however short it is.
    count_cells(reader, size.max(UVec2::new(8, 1)))?;
    let mut numbers = Vec::new();
    while let Some(child) = reader.cursor.next()? {
        match &*child.name {
            "tile" => numbers.push(cell(reader, child)?),
            _ => reader.pass(&child, "chunk")?,
        }
    }
    let data = CellData { encoding, text: reader.cursor.text(), numbers };
    block(reader, origin, size, &data, cells)
}

/// Reads a cell that is an element of its own.
fn cell(reader: &mut Reader<'_, '_>, element: Element<'_>) -> Result<u32, Failure> {
    let mut number = 0;
    for value in values("tile", element.attributes) {
        if value.name == "gid" {
            number = value.count()?;
        }
    }
    reader.cursor.skip()?;
    Ok(number)
}

/// Decodes a block of a layer.
fn block(
    reader: &mut Reader<'_, '_>,
    origin: IVec2,
    size: UVec2,
    data: &CellData<'_>,
    cells: &mut OpenCells,
) -> Result<(), Failure> {
    let is_lenient = reader.shared.is_lenient;
    let spent = &mut reader.shared.spent.spare_input;
    let (numbers, fault) = cells::decode(data, size, is_lenient, spent)?;
    if let Some(fault) = fault {
        reader.forgive(&fault, cells.known_faults);
    }
    cells.blocks.push(CellBlock { origin, size, cells: numbers });
    Ok(())
}

impl OpenCells {
    /// The blocks of the layer, from top to bottom and left to right.
    pub(super) fn close(mut self) -> Result<Vec<CellBlock>, LoadErrorKind> {
        if !self.has_data {
            return Err(LoadErrorKind::Missing { element: "layer", attribute: "<data>" });
        }
        self.blocks.sort_by_key(|block| (block.origin.y, block.origin.x));
        let pairs = self.blocks.iter().map(|block| (block.origin, block.size));
        if let Some((one, other)) = overlap(pairs) {
            return Err(xml(format!(
                "the chunks at col {}, row {} and at col {}, row {} overlap",
                one.x, one.y, other.x, other.y
            )));
        }
        Ok(self.blocks)
    }
}

/// The first cells of two rectangles that overlap, if any do. O(n log n).
///
/// A line sweeps over the rows: the rectangles that it crosses lie side by side, or else two of them overlap.
fn overlap(rectangles: impl Iterator<Item = (IVec2, UVec2)>) -> Option<(IVec2, IVec2)> {
    let mut events = Vec::new();
    for (origin, size) in rectangles {
        let origin = origin.as_i64vec2();
        let end = origin + size.as_i64vec2();
        // At the same row ends come before starts.
        events.push((origin.y, true, origin, end));
        events.push((end.y, false, origin, end));
    }
    events.sort_by_key(|(row, starts, origin, _)| (*row, *starts, origin.x));
    let mut crossed: BTreeMap<i64, (i64, IVec2)> = BTreeMap::new();
    for (_, starts, origin, end) in events {
        if !starts {
            crossed.remove(&origin.x);
            continue;
        }
        let first = origin.as_ivec2();
        let left = crossed.range(..=origin.x).next_back();
        if let Some((_, (_, other))) = left.filter(|(_, (left_end, _))| *left_end > origin.x) {
            return Some((*other, first));
        }
        let right = crossed.range(origin.x..).next();
        if let Some((_, (_, other))) = right.filter(|(right_start, _)| **right_start < end.x) {
            return Some((*other, first));
        }
        crossed.insert(origin.x, (end.x, first));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_are_found_as_by_comparing_all_pairs() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut found = 0;
        for _ in 0..2_000 {
            let rectangles: Vec<(IVec2, UVec2)> = (0..random.usize(0..6))
                .map(|_| {
                    let origin = IVec2::new(random.i32(-8..8), random.i32(-8..8));
                    (origin, UVec2::new(random.u32(1..6), random.u32(1..6)))
                })
                .collect();
            let boxes: Vec<crate::Aabb> = rectangles
                .iter()
                .map(|(at, size)| crate::Aabb { min: *at, max: *at + size.as_ivec2() })
                .collect();
            let any = (0..boxes.len()).any(|i| (0..i).any(|j| boxes[i].overlaps(boxes[j])));
            found += u32::from(any);
            assert_eq!(overlap(rectangles.iter().copied()).is_some(), any, "{rectangles:?}");
        }
        assert!((200..1_800).contains(&found), "{found}");
    }
}
