//! Why the cells of a baked level are solid: each cause once, and the rectangles of cells that it made.
//!
//! It keeps the answers of a source that is not at hand any more; it finds none itself.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use glam::{IVec2, UVec2};

use super::bytes::{Input, Output};
use super::error::BakeError;
use crate::level::Provenance;

/// The least bytes of a cause, and the bytes of a rectangle.
const LEAST_CAUSE: usize = 9;
const RECTANGLE: usize = 20;

/// The causes of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Causes {
    causes: Vec<Provenance>,
    /// From the top and then from the left, by their first cell.
    rectangles: Vec<Rectangle>,
}

/// Cells with one cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
struct Rectangle {
    /// Column and row.
    first: UVec2,
    size: UVec2,
    /// The index of the cause.
    cause: u32,
}

impl Rectangle {
    fn holds(&self, cell: UVec2) -> bool {
        cell.cmpge(self.first).all() && (cell - self.first).cmplt(self.size).all()
    }
}

impl Causes {
    /// The cause of a cell. O(rectangles above it).
    pub(crate) fn of(&self, cell: IVec2) -> Option<&Provenance> {
        let cell = UVec2::new(cell.x.try_into().ok()?, cell.y.try_into().ok()?);
        let above = self.rectangles.partition_point(|of_cells| of_cells.first.y <= cell.y);
        let found = self.rectangles[..above].iter().find(|of_cells| of_cells.holds(cell))?;
        self.causes.get(found.cause as usize)
    }

    pub(super) fn write(&self, out: &mut Output) -> Result<(), BakeError> {
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
        for Rectangle { first, size, cause } in &self.rectangles {
            [first.x, first.y, size.x, size.y, *cause].into_iter().for_each(|n| out.u32(n));
        }
        Ok(())
    }

    /// The causes of the cells of a grid of `cells`.
    pub(super) fn read(input: &mut Input<'_>, cells: UVec2) -> Result<Self, BakeError> {
        let count = input.count(LEAST_CAUSE)?;
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
        let mut rectangles: Vec<Rectangle> = Vec::with_capacity(count);
        for _ in 0..count {
            let first = UVec2::new(input.u32()?, input.u32()?);
            let size = UVec2::new(input.u32()?, input.u32()?);
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
            rectangles.push(Rectangle { first, size, cause });
        }
        Ok(Self { causes, rectangles })
    }
}

/// Gathers the causes of cells that are told from the top and then from the left.
#[derive(Default)]
pub(crate) struct CauseBuilder {
    causes: Causes,
    numbers: HashMap<Provenance, u32>,
    /// The rectangles that end at the row above or at this one, by their columns and cause.
    open: HashMap<Run, usize>,
    /// The run at which the last cell lies.
    run: Option<(Run, u32)>,
}

/// Cells of a row with one cause.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Run {
    columns: Range<u32>,
    cause: u32,
}

impl CauseBuilder {
    /// The cause of a cell, which comes after the one before.
    pub(crate) fn add(&mut self, cell: UVec2, cause: Provenance) -> Result<(), BakeError> {
        let number = match self.numbers.get(&cause) {
            Some(number) => *number,
            None => {
                let number = u32::try_from(self.numbers.len()).map_err(|_| BakeError::NoMemory)?;
                self.causes.causes.push(cause.clone());
                self.numbers.insert(cause, number);
                number
            }
        };
        if let Some((run, row)) = &mut self.run
            && (*row, run.columns.end, run.cause) == (cell.y, cell.x, number)
        {
            run.columns.end += 1;
            return Ok(());
        }
        self.close();
        self.run = Some((Run { columns: cell.x..cell.x + 1, cause: number }, cell.y));
        Ok(())
    }

    /// Adds the run to the rectangle above it, or begins one.
    fn close(&mut self) {
        let Some((run, row)) = self.run.take() else { return };
        let rectangles = &mut self.causes.rectangles;
        let above = self.open.get(&run).and_then(|index| rectangles.get_mut(*index));
        if let Some(above) = above.filter(|above| above.first.y + above.size.y == row) {
            above.size.y += 1;
            return;
        }
        let first = UVec2::new(run.columns.start, row);
        let size = UVec2::new(run.columns.end - run.columns.start, 1);
        rectangles.push(Rectangle { first, size, cause: run.cause });
        self.open.insert(run, rectangles.len() - 1);
    }

    pub(crate) fn finish(mut self) -> Causes {
        self.close();
        self.causes
    }
}
