//! The cells of a tile layer as the file holds them: in one piece, or in the chunks of an infinite map.
//!
//! It checks how many cells there are said to be and where they lie. It decodes nothing.

use std::borrow::Cow;
use std::collections::BTreeMap;

use glam::{IVec2, UVec2};

use super::attributes::{Attributes, xml};
use super::cells::{CellData, Encoding};
use super::document::RawBlock;
use super::reader::FileReader;
use super::roles::positive;
use crate::error::LoadErrorKind;
use crate::limits::check;

impl<'t> FileReader<'t, '_, '_, '_> {
    /// Checks the size that a tile layer states.
    pub(super) fn check_size(&mut self, attributes: &Attributes<'_>) -> Result<(), LoadErrorKind> {
        let stated = ["width", "height"].map(|name| attributes.count(name).unwrap_or(0));
        self.layer.size = UVec2::from(stated);
        self.layer.cells = 0;
        if self.document.is_infinite {
            return Ok(());
        }
        let layer = (
            attributes.required("width")?,
            attributes.required("height")?,
        );
        let map = (self.document.width, self.document.height);
        if layer != map {
            return Err(LoadErrorKind::LayerSize { layer, map });
        }
        self.check_cells(self.layer.size)
    }

    /// Holds cells that are to be decoded against the limits.
    fn check_cells(&mut self, size: UVec2) -> Result<(), LoadErrorKind> {
        let cells = u64::from(size.x) * u64::from(size.y);
        self.layer.cells += cells;
        self.shared.cells += cells;
        let limits = self.shared.limits;
        check("tiles in a layer", self.layer.cells, limits.layer_cells)?;
        check("tiles in all layers", self.shared.cells, limits.map_cells)
    }

    pub(super) fn open_data(&mut self, attributes: &Attributes<'_>) -> Result<(), LoadErrorKind> {
        let (encoding, compression) = (attributes.text("encoding"), attributes.text("compression"));
        self.layer.encoding = Encoding::parse(encoding, compression)?;
        self.layer.has_data = true;
        self.layer.numbers.clear();
        self.layer.blocks.clear();
        Ok(())
    }

    /// The cells that stand in `<data>` itself, not in chunks.
    pub(super) fn close_data(&mut self, text: Cow<'t, str>) -> Result<(), LoadErrorKind> {
        if !self.layer.blocks.is_empty() {
            let is_bare = text.trim_ascii().is_empty() && self.layer.numbers.is_empty();
            return if is_bare {
                Ok(())
            } else {
                Err(xml("cells beside the chunks of a layer"))
            };
        }
        let data = self.cell_data(text)?;
        let is_empty = match &data {
            CellData::Numbers(numbers) => numbers.is_empty(),
            CellData::Text { text, .. } => text.trim_ascii().is_empty(),
        };
        if self.document.is_infinite {
            // An empty layer, or one that Tiled wrote before its map became infinite.
            if is_empty {
                return Ok(());
            }
            let side = self.layer.size.max_element();
            let limit = self.shared.limits.map_side;
            check("tiles in the width or height of a layer", side, limit)?;
            self.check_cells(self.layer.size)?;
        }
        self.layer.blocks.push(RawBlock {
            origin: IVec2::ZERO,
            size: self.layer.size,
            data,
        });
        Ok(())
    }

    pub(super) fn open_chunk(&mut self, attributes: &Attributes<'_>) -> Result<(), LoadErrorKind> {
        if !self.document.is_infinite {
            return Err(xml("chunks in a map that is not infinite"));
        }
        let (origin, size) = place(attributes)?;
        positive("chunk", "width", size.x)?;
        positive("chunk", "height", size.y)?;
        let limits = self.shared.limits;
        check(
            "tiles in a side of a chunk",
            size.max_element(),
            limits.chunk_side,
        )?;
        let far = origin.as_i64vec2().abs().max_element() as u64;
        check(
            "columns or rows from the middle to a chunk",
            far,
            limits.chunk_distance,
        )?;
        self.layer.numbers.clear();
        // A row takes a word, however short it is.
        self.check_cells(size.max(UVec2::new(8, 1)))
    }

    pub(super) fn close_chunk(
        &mut self,
        attributes: &Attributes<'_>,
        text: Cow<'t, str>,
    ) -> Result<(), LoadErrorKind> {
        let (origin, size) = place(attributes)?;
        let data = self.cell_data(text)?;
        self.layer.blocks.push(RawBlock { origin, size, data });
        Ok(())
    }

    /// What was read of a layer or chunk: its text, or the numbers of its `<tile>` elements.
    fn cell_data(&mut self, text: Cow<'t, str>) -> Result<CellData<'t>, LoadErrorKind> {
        match self.layer.encoding {
            Some(_) if !self.layer.numbers.is_empty() => {
                Err(xml("<tile> elements in a layer of encoded data"))
            }
            Some(encoding) => Ok(CellData::Text { encoding, text }),
            None if !text.trim_ascii().is_empty() => Err(xml("cell data without an encoding")),
            None => Ok(CellData::Numbers(std::mem::take(&mut self.layer.numbers))),
        }
    }

    /// The blocks of the layer that closes, from top to bottom and left to right.
    pub(super) fn close_blocks(&mut self) -> Result<Vec<RawBlock<'t>>, LoadErrorKind> {
        if !std::mem::take(&mut self.layer.has_data) {
            return Err(LoadErrorKind::Missing {
                element: "layer",
                attribute: "<data>",
            });
        }
        let mut blocks = std::mem::take(&mut self.layer.blocks);
        blocks.sort_by_key(|block| (block.origin.y, block.origin.x));
        let pairs = blocks.iter().map(|block| (block.origin, block.size));
        if let Some((one, other)) = overlap(pairs) {
            return Err(xml(format!(
                "the chunks at col {}, row {} and at col {}, row {} overlap",
                one.x, one.y, other.x, other.y
            )));
        }
        Ok(blocks)
    }
}

/// Where a chunk lies, in cells.
fn place(attributes: &Attributes<'_>) -> Result<(IVec2, UVec2), LoadErrorKind> {
    let origin = IVec2::new(attributes.required_int("x")?, attributes.required_int("y")?);
    let size = UVec2::new(
        attributes.required("width")?,
        attributes.required("height")?,
    );
    Ok((origin, size))
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
                .map(|(at, size)| crate::Aabb {
                    min: *at,
                    max: *at + size.as_ivec2(),
                })
                .collect();
            let any = (0..boxes.len()).any(|i| (0..i).any(|j| boxes[i].overlaps(boxes[j])));
            found += u32::from(any);
            assert_eq!(
                overlap(rectangles.iter().copied()).is_some(),
                any,
                "{rectangles:?}"
            );
        }
        assert!((200..1_800).contains(&found), "{found}");
    }
}
