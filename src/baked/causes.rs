//! Stores why the cells of a baked level are solid: a list of causes, such as a layer or an object, and
//! rectangles of cells that share a cause.

#[cfg(feature = "tmx")]
use std::collections::HashMap;
#[cfg(feature = "tmx")]
use std::ops::Range;

use glam::{IVec2, UVec2};

use super::BakeError;
use super::format::{SectionReader, SectionWriter};
use crate::level::Provenance;

/// The smallest number of bytes that a cause (the reason why cells are solid) takes in a baked level. A
/// stated number of causes is checked with it before memory is allocated.
const LEAST_CAUSE: usize = 9;
/// The number of bytes that a [`CauseRectangle`] takes in a baked level. A stated number of rectangles is
/// checked with it before memory is allocated.
const RECTANGLE: usize = 20;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Causes {
    causes: Vec<Provenance>,
    /// Disjoint rectangles of cells that are solid for the same reason, sorted by the row, then by the
    /// column, of their top-left cells.
    rectangles: Vec<CauseRectangle>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CauseRectangle {
    first: UVec2,
    size: UVec2,
    cause: u32,
}

impl CauseRectangle {
    fn holds(&self, cell: UVec2) -> bool {
        cell.cmpge(self.first).all() && (cell - self.first).cmplt(self.size).all()
    }
}

impl Causes {
    /// Returns the reason why a cell is solid, or `None` if no reason is stored for the cell. O(rectangles
    /// that start in the row of the cell or above).
    pub(crate) fn provenance(&self, cell: IVec2) -> Option<&Provenance> {
        let cell = UVec2::new(cell.x.try_into().ok()?, cell.y.try_into().ok()?);
        let above = self.rectangles.partition_point(|of_cells| of_cells.first.y <= cell.y);
        let found = self.rectangles[..above].iter().find(|of_cells| of_cells.holds(cell))?;
        self.causes.get(found.cause as usize)
    }

    /// Returns the parts of the stored rectangles of cells that are inside the ranges `columns` and `rows`,
    /// in stored order. Each part has its columns, its rows, and the reason why its cells are solid.
    /// O(rectangles that start above `rows.end`).
    #[cfg(feature = "tmx")]
    pub(crate) fn within(
        &self,
        columns: Range<u32>,
        rows: Range<u32>,
    ) -> impl Iterator<Item = (Range<u32>, Range<u32>, &Provenance)> {
        let above = self.rectangles.partition_point(|of_cells| of_cells.first.y < rows.end);
        self.rectangles[..above].iter().filter_map(move |CauseRectangle { first, size, cause }| {
            let end = *first + *size;
            let columns = first.x.max(columns.start)..end.x.min(columns.end);
            let rows = first.y.max(rows.start)..end.y.min(rows.end);
            let cause = self.causes.get(*cause as usize)?;
            (!columns.is_empty() && !rows.is_empty()).then_some((columns, rows, cause))
        })
    }

    #[cfg(feature = "tmx")]
    pub(crate) fn len(&self) -> usize {
        self.rectangles.len()
    }

    pub(super) fn write(&self, out: &mut SectionWriter) -> Result<(), BakeError> {
        out.count(self.causes.len())?;
        for cause in &self.causes {
            let Provenance { layer, tile, object, line, because } = cause;
            out.text(layer)?;
            let parts = [tile.is_some(), object.is_some(), line.is_some()];
            out.u8((0..).zip(parts).map(|(bit, is_some)| u8::from(is_some) << bit).sum());
            if let Some((tileset, id)) = tile {
                out.text(tileset)?;
                out.u32(*id);
            }
            object.iter().chain(line).for_each(|number| out.u32(*number));
            out.text(because)?;
        }
        out.count(self.rectangles.len())?;
        for CauseRectangle { first, size, cause } in &self.rectangles {
            [first.x, first.y, size.x, size.y, *cause].into_iter().for_each(|n| out.u32(n));
        }
        Ok(())
    }

    pub(super) fn read(input: &mut SectionReader<'_>, cells: UVec2) -> Result<Self, BakeError> {
        let count = input.count(LEAST_CAUSE)?;
        input.allot::<Provenance>(count)?;
        let mut causes = Vec::with_capacity(count);
        for _ in 0..count {
            let layer = input.text()?;
            let parts = input.u8()?;
            if parts > 7 {
                return Err(input.fault("a cause has a part of no known kind"));
            }
            let tile = if parts & 1 != 0 { Some((input.text()?, input.u32()?)) } else { None };
            let object = if parts & 2 != 0 { Some(input.u32()?) } else { None };
            let line = if parts & 4 != 0 { Some(input.u32()?) } else { None };
            causes.push(Provenance { layer, tile, object, line, because: input.text()? });
        }
        let count = input.count(RECTANGLE)?;
        input.allot::<CauseRectangle>(count)?;
        let mut rectangles: Vec<CauseRectangle> = Vec::with_capacity(count);
        for _ in 0..count {
            let (first, size) = (input.uvec2()?, input.uvec2()?);
            let cause = input.u32()?;
            let is_inside =
                first.cmplt(cells).all() && size.cmple(cells.saturating_sub(first)).all();
            if !is_inside || size.cmpeq(UVec2::ZERO).any() {
                return Err(input.fault("the cells of a cause are none, or outside the level"));
            }
            if cause as usize >= causes.len() {
                return Err(input.fault("cells have a cause that is not there"));
            }
            let place = |cell: UVec2| (cell.y, cell.x);
            if rectangles.last().is_some_and(|last| place(last.first) >= place(first)) {
                return Err(input.fault("the cells of causes are not in order"));
            }
            rectangles.push(CauseRectangle { first, size, cause });
        }
        Ok(Self { causes, rectangles })
    }
}

/// Builds a [`Causes`] from single cells and the reason why each is solid. Cells must be added row by row
/// from the top, and in each row from the left.
#[derive(Default)]
#[cfg(feature = "tmx")]
pub(crate) struct CauseBuilder {
    causes: Causes,
    numbers: HashMap<Provenance, u32>,
    /// The indices of the rectangles whose lowest row is the row of cells before the current row, from left
    /// to right. The cells of the current row may extend these rectangles.
    above: Vec<usize>,
    /// The indices of the rectangles whose lowest row is the row to which cells are being added, from left to
    /// right.
    ended: Vec<usize>,
    /// The cells that were added last: adjacent cells of one row with the same cause. The next cell may
    /// extend them. `None` before the first cell.
    run: Option<CauseRectangle>,
}

#[cfg(feature = "tmx")]
impl CauseBuilder {
    /// Returns the index of `cause` in the list of all causes so far. A new cause is appended to this list.
    pub(crate) fn number(&mut self, cause: Provenance) -> Result<u32, BakeError> {
        if let Some(number) = self.numbers.get(&cause) {
            return Ok(*number);
        }
        let number = u32::try_from(self.numbers.len()).map_err(|_| BakeError::NoMemory)?;
        self.causes.causes.push(cause.clone());
        self.numbers.insert(cause, number);
        Ok(number)
    }

    pub(crate) fn add(&mut self, columns: Range<u32>, row: u32, cause: u32) {
        if let Some(run) = &mut self.run
            && (run.first.y, run.first.x + run.size.x, run.cause) == (row, columns.start, cause)
        {
            run.size.x += columns.len() as u32;
            return;
        }
        if self.close().is_some_and(|last| last != row) {
            self.above = std::mem::take(&mut self.ended);
        }
        let size = UVec2::new(columns.len() as u32, 1);
        self.run = Some(CauseRectangle { first: UVec2::new(columns.start, row), size, cause });
    }

    /// Returns the number of finished rectangles of cells. The cells added last, in `self.run`, are in none
    /// of them yet.
    pub(crate) fn len(&self) -> usize {
        self.causes.rectangles.len()
    }

    /// Moves the cells that were added last (`self.run`) into the rectangles. These cells extend the
    /// rectangle directly above them if it has the same columns and the same cause. Otherwise they become a
    /// new rectangle. Returns the row of the cells, or `None` if there are none.
    fn close(&mut self) -> Option<u32> {
        let run = self.run.take()?;
        let rectangles = &mut self.causes.rectangles;
        let column = |index: &usize| rectangles[*index].first.x;
        let place = self.above.binary_search_by_key(&run.first.x, column).ok();
        let index = place.map(|place| self.above[place]).filter(|index| {
            let above = &rectangles[*index];
            let ends_at = above.first.y + above.size.y;
            (above.size.x, above.cause, ends_at) == (run.size.x, run.cause, run.first.y)
        });
        match index {
            Some(index) => rectangles[index].size.y += 1,
            None => rectangles.push(run),
        }
        self.ended.push(index.unwrap_or(rectangles.len() - 1));
        Some(run.first.y)
    }

    /// Returns all rectangles of cells with their causes. The causes are sorted by the first rectangle of
    /// each.
    pub(crate) fn finish(mut self) -> Causes {
        self.close();
        let Causes { causes, mut rectangles } = self.causes;
        let mut causes: Vec<Option<Provenance>> = causes.into_iter().map(Some).collect();
        let (mut numbers, mut ordered) = (vec![0; causes.len()], Vec::new());
        for rectangle in &mut rectangles {
            let cause = rectangle.cause as usize;
            if let Some(first) = causes.get_mut(cause).and_then(Option::take) {
                numbers[cause] = ordered.len() as u32;
                ordered.push(first);
            }
            rectangle.cause = numbers[cause];
        }
        Causes { causes: ordered, rectangles }
    }
}
