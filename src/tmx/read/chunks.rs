//! The cells of a tile layer as the file holds them: in one piece, or in the chunks of an infinite map.
//!
//! It checks how many cells there are said to be and where they lie, before they are decoded.

use std::borrow::Cow;
use std::collections::BTreeMap;

use glam::{IVec2, UVec2};

use super::cells::{self, CellData, Encoding};
use super::value::{positive, required, values};
use super::{Failure, FileReader, xml};
use crate::error::LoadErrorKind;
use crate::limits::check;
use crate::tmx::CellBlock;
use crate::tmx::cursor::Element;

/// The cells of the layer that is being read.
pub(super) struct OpenCells {
    /// The size that the layer states.
    size: UVec2,
    /// How many cells it has, as far as they have been counted.
    count: u64,
    /// True once its `<data>` has been seen.
    has_data: bool,
    blocks: Vec<CellBlock>,
    /// The number of faults of the map before this layer.
    known_faults: usize,
}

/// Checks the size that a tile layer states.
pub(super) fn check_size(
    reader: &mut FileReader<'_, '_, '_, '_>,
    size: [Option<u32>; 2],
) -> Result<(), LoadErrorKind> {
    if reader.shared.map.is_infinite {
        return Ok(());
    }
    let layer = (required("layer", "width", size[0])?, required("layer", "height", size[1])?);
    let map = reader.shared.map.size.into();
    if layer != map {
        return Err(LoadErrorKind::LayerSize { layer, map });
    }
    count_cells(reader, &mut 0, UVec2::from(layer))
}

/// A layer of this size without cells.
pub(super) fn open(reader: &FileReader<'_, '_, '_, '_>, size: [Option<u32>; 2]) -> OpenCells {
    let size = size.map(|side| side.unwrap_or(0));
    OpenCells {
        size: UVec2::from(size),
        count: 0,
        has_data: false,
        blocks: Vec::new(),
        known_faults: reader.shared.map.faults.len(),
    }
}

/// Holds cells that are to be decoded against the limits; the layer has `count` before them.
fn count_cells(
    reader: &mut FileReader<'_, '_, '_, '_>,
    count: &mut u64,
    size: UVec2,
) -> Result<(), LoadErrorKind> {
    let cells = u64::from(size.x) * u64::from(size.y);
    *count += cells;
    reader.shared.spent.tiles += cells;
    let limits = reader.shared.options.limits;
    check("tiles in a layer", *count, limits.layer_cells)?;
    check("tiles in all layers", reader.shared.spent.tiles, limits.map_cells)
}

/// Reads what is in `<data>`.
pub(super) fn data(
    reader: &mut FileReader<'_, '_, '_, '_>,
    element: Element<'_>,
    cells: &mut OpenCells,
) -> Result<(), Failure> {
    let (mut encoding, mut compression) = (None, None);
    for value in values("data", element.attributes, reader.shared.options.limits) {
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
    let data = cell_data(encoding, text, numbers)?;
    if reader.shared.map.is_infinite {
        // An empty layer, or one that Tiled wrote before its map became infinite.
        if is_empty {
            return Ok(());
        }
        let side = cells.size.max_element();
        let limit = reader.limits().map_side;
        check("tiles in the width or height of a layer", side, limit)?;
        count_cells(reader, &mut cells.count, cells.size)?;
    }
    block(reader, IVec2::ZERO, cells.size, &data, cells)
}

/// Reads a chunk.
fn chunk(
    reader: &mut FileReader<'_, '_, '_, '_>,
    element: Element<'_>,
    encoding: Option<Encoding>,
    cells: &mut OpenCells,
) -> Result<(), Failure> {
    reader.count_element()?;
    let (mut origin, mut size) = ([None; 2], [None; 2]);
    for value in values("chunk", element.attributes, reader.shared.options.limits) {
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
    let size =
        UVec2::new(required("chunk", "width", size[0])?, required("chunk", "height", size[1])?);
    positive("chunk", "width", size.x)?;
    positive("chunk", "height", size.y)?;
    let limits = reader.shared.options.limits;
    let side = size.max_element();
    check("tiles in a side of a chunk", side, limits.chunk_side)?;
    let far = origin.as_i64vec2().abs().max_element() as u64;
    check("columns or rows from the middle to a chunk", far, limits.chunk_distance)?;
    // A row takes a word of bits, however short it is.
    count_cells(reader, &mut cells.count, size.max(UVec2::new(8, 1)))?;
    let mut numbers = Vec::new();
    while let Some(child) = reader.cursor.next()? {
        match &*child.name {
            "tile" => numbers.push(cell(reader, child)?),
            _ => reader.pass(&child, "chunk")?,
        }
    }
    let data = cell_data(encoding, reader.cursor.text(), numbers)?;
    block(reader, origin, size, &data, cells)
}

/// Reads a cell that is an element of its own.
fn cell(reader: &mut FileReader<'_, '_, '_, '_>, element: Element<'_>) -> Result<u32, Failure> {
    let mut number = 0;
    for value in values("tile", element.attributes, reader.shared.options.limits) {
        if value.name == "gid" {
            number = value.count()?;
        }
    }
    reader.cursor.skip()?;
    Ok(number)
}

/// Decodes a block of a layer.
fn block(
    reader: &mut FileReader<'_, '_, '_, '_>,
    origin: IVec2,
    size: UVec2,
    data: &CellData<'_>,
    cells: &mut OpenCells,
) -> Result<(), Failure> {
    let is_lenient = reader.shared.options.lenient;
    let spent = &mut reader.shared.spent.spare_input;
    let mut spare = cells::SPARE_INPUT.saturating_sub(*spent);
    let decoded = cells::decode(data, size, is_lenient, &mut spare);
    *spent = cells::SPARE_INPUT - spare;
    let (numbers, fault) = decoded?;
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

/// The cells of a layer or chunk: its text, or the numbers of its `<tile>` elements.
fn cell_data(
    encoding: Option<Encoding>,
    text: Cow<'_, str>,
    numbers: Vec<u32>,
) -> Result<CellData<'_>, LoadErrorKind> {
    match encoding {
        Some(_) if !numbers.is_empty() => Err(xml("<tile> elements in a layer of encoded data")),
        Some(encoding) => Ok(CellData::Text { encoding, text }),
        None if !text.trim_ascii().is_empty() => Err(xml("cell data without an encoding")),
        None => Ok(CellData::Numbers(numbers)),
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
        // At the same row what ends comes before what starts.
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
