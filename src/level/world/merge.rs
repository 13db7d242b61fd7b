//! From grids that lie somewhere in a level to one grid. It knows no maps, and opens nothing.

use glam::UVec2;

use crate::error::LoadErrorKind;
use crate::geometry::Dir;
use crate::grid::{Grid, GridBuilder};
use crate::limits::{Limits, check, refusal};

/// A grid in a level.
pub(super) struct Part<'g> {
    pub(super) grid: &'g Grid,
    /// Its cells, in pixels.
    pub(super) cell: UVec2,
    /// Where its corner lies in the level, in pixels.
    pub(super) place: UVec2,
}

/// The largest cells of which those of all parts are made, in a level of `size` pixels.
pub(super) fn common_cell(parts: &[Part<'_>], size: UVec2) -> UVec2 {
    parts.iter().fold(size, |cell, part| {
        let cell = divisor(cell, part.cell);
        divisor(cell, part.place)
    })
}

/// The greatest common divisors of the columns and of the rows; 0 has every divisor.
fn divisor(one: UVec2, other: UVec2) -> UVec2 {
    let (mut a, mut b) = (one.to_array(), other.to_array());
    for axis in 0..2 {
        while b[axis] != 0 {
            (a[axis], b[axis]) = (b[axis], a[axis] % b[axis]);
        }
    }
    a.into()
}

/// The grid of a level of `size` pixels in which a cell is solid that is so in some part. Cells are `cell`
/// pixels large, of which those of all parts must be made. With an `edge`, the parts are one-way cells that
/// guard it, and of one that becomes many only the line along it counts.
pub(super) fn merge(
    parts: &[Part<'_>],
    size: UVec2,
    cell: UVec2,
    edge: Option<Dir>,
    limits: &Limits,
) -> Result<Grid, LoadErrorKind> {
    let columns_rows = size / cell;
    let side = columns_rows.max_element();
    let what = "cells in the width or height of the level";
    check(what, side, limits.level_side)?;
    check_work(parts, cell, limits)?;
    let cells = u64::from(columns_rows.x) * u64::from(columns_rows.y);
    let made = || {
        let mut builder = GridBuilder::new(columns_rows.x, columns_rows.y)?;
        for part in parts {
            builder.or_scaled(part.grid, part.place / cell, part.cell / cell, edge)?;
        }
        builder.finish()
    };
    made().map_err(|error| refusal(&error, cells))
}

/// Bounds the work of making large cells into small ones.
fn check_work(parts: &[Part<'_>], cell: UVec2, limits: &Limits) -> Result<(), LoadErrorKind> {
    let scaled = parts.iter().filter(|part| part.cell != cell);
    let words = scaled.map(|part| {
        let scale = part.cell / cell;
        let of_cell = u64::from(scale.y) * (u64::from(scale.x) / 64 + 2);
        part.grid.solid_count().saturating_mul(of_cell)
    });
    let work = words.fold(0, u64::saturating_add);
    let what = "words of cells covered by solids";
    check(what, work, limits.covered_words)
}
