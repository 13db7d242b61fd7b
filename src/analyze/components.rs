//! Finds the connected parts of a grid's solid or passable cells. All coordinates are cells.

use std::ops::Range;

use glam::IVec2;

use super::{Bands, ConnectedPart, TooComplex};
use crate::grid::Grid;

/// The kind of cells whose connected parts are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellKind {
    /// The solid cells.
    Solid,
    /// The passable cells.
    Passable,
}

/// The neighbours of a cell that are connected to the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Connectivity {
    /// The four cells that share an edge with the cell.
    Four,
    /// The eight cells that share an edge or a corner with the cell.
    Eight,
}

/// The connected parts of a grid: see [`components`].
#[derive(Clone, Debug)]
pub struct Components {
    bands: Bands,
    labels: Vec<u32>,
    parts: Vec<ConnectedPart>,
}

/// Finds the connected parts of all solid or all passable cells. The parts are ordered by their first cells,
/// row by row from the top.
///
/// O(words + runs): runs of neighbouring cells in a row are joined by union-find (Rosenfeld and Pfaltz 1966,
/// with the runs of He, Chao and Suzuki 2008). Memory: 16 bytes per run, and the parts.
///
/// ```
/// use bitwall::Grid;
/// use bitwall::analyze::{CellKind, Connectivity, components};
///
/// let grid = Grid::from_text("##..\n..#.\n...#")?;
/// let walls = components(&grid, CellKind::Solid, Connectivity::Four)?;
/// assert_eq!(walls.parts().len(), 3);
/// let walls = components(&grid, CellKind::Solid, Connectivity::Eight)?;
/// assert_eq!((walls.parts().len(), walls.parts()[0].size), (1, 4));
/// let rooms = components(&grid, CellKind::Passable, Connectivity::Four)?;
/// assert_eq!(rooms.parts().len(), 2);
/// assert_eq!(rooms.runs().next(), Some((0, 2..4, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`TooComplex`] beyond 2^21 runs or 2^29 cells.
pub fn components(
    grid: &Grid,
    kind: CellKind,
    connectivity: Connectivity,
) -> Result<Components, TooComplex> {
    let bands = Bands::of_cells(grid, kind == CellKind::Solid, IVec2::ONE, IVec2::ZERO)?;
    let (labels, count) = bands.labels(connectivity == Connectivity::Eight);
    let parts = bands.parts(&labels, count);
    Ok(Components { bands, labels, parts })
}

impl Components {
    /// Returns the parts. The index of a part is its part number.
    pub fn parts(&self) -> &[ConnectedPart] {
        &self.parts
    }

    /// Returns all runs of neighbouring cells in a row, from the top, then from the left. Each run has its
    /// row, its columns and its part number. O(runs).
    pub fn runs(&self) -> impl Iterator<Item = (u32, Range<u32>, usize)> {
        let runs = self.bands.labelled(&self.labels);
        runs.map(|(columns, rows, part)| {
            (rows.start as u32, columns.start as u32..columns.end as u32, part)
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::UVec2;

    use super::*;
    use crate::grid::GridBuilder;

    fn naive(grid: &Grid, kind: CellKind, connectivity: Connectivity) -> Vec<Vec<(u32, u32)>> {
        let is = |x, y| grid.get(x, y) == Some(kind == CellKind::Solid);
        let mut seen = std::collections::BTreeSet::new();
        let mut parts = Vec::new();
        for start in (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| (x, y))) {
            let mut part = Vec::new();
            let mut open = vec![start];
            while let Some((x, y)) = open.pop() {
                if !is(x, y) || !seen.insert((x, y)) {
                    continue;
                }
                part.push((x, y));
                for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                    if dx == 0 || dy == 0 || connectivity == Connectivity::Eight {
                        open.push((x.wrapping_add_signed(dx), y.wrapping_add_signed(dy)));
                    }
                }
            }
            if !part.is_empty() {
                part.sort_by_key(|(x, y)| (*y, *x));
                parts.push(part);
            }
        }
        parts
    }

    #[test]
    fn components_agree_with_a_flood_fill_at_every_word_edge() {
        let mut random = fastrand::Rng::with_seed(91);
        let sides = [1, 2, 3, 20, 63, 64, 65, 129];
        for _ in 0..150 {
            let mut side = || sides[random.usize(0..sides.len())];
            let (width, height) = (side(), side());
            let mut grid = Grid::new(width, height).unwrap();
            for _ in 0..random.u32(0..width * height * 2) {
                grid.set(random.u32(0..width), random.u32(0..height), true).unwrap();
            }
            for kind in [CellKind::Solid, CellKind::Passable] {
                for connectivity in [Connectivity::Four, Connectivity::Eight] {
                    let found = components(&grid, kind, connectivity).unwrap();
                    let expected = naive(&grid, kind, connectivity);
                    assert_eq!(found.parts().len(), expected.len());
                    for (number, cells) in expected.iter().enumerate() {
                        let part = found.parts()[number];
                        let runs = found.runs().filter(|run| run.2 == number);
                        let own: Vec<_> =
                            runs.flat_map(|(y, xs, _)| xs.map(move |x| (x, y))).collect();
                        assert_eq!(&own, cells);
                        assert_eq!(part.size, cells.len() as u64);
                        let all = || cells.iter().map(|(x, y)| UVec2::new(*x, *y).as_ivec2());
                        assert_eq!(Some(part.first), all().next());
                        assert_eq!(Some(part.area.min), all().reduce(IVec2::min));
                        assert_eq!(Some(part.area.max - 1), all().reduce(IVec2::max));
                    }
                }
            }
        }
    }

    #[test]
    fn a_sparse_grid_has_the_same_components_as_a_dense_grid() {
        let mut grid = Grid::new(200, 300).unwrap();
        grid.fill(60..70, 10..290, true).unwrap();
        grid.fill(0..200, 150..151, true).unwrap();
        grid.fill(5..6, 5..6, true).unwrap();
        let mut sparse = Grid::sparse(20_000, 20_000).unwrap();
        grid.iter_solid().for_each(|cell| sparse.set(cell.x, cell.y, true).unwrap());
        let found = |grid| components(grid, CellKind::Solid, Connectivity::Four).unwrap();
        assert_eq!(found(&sparse).parts(), found(&grid).parts());
    }

    #[test]
    fn a_grid_of_too_many_runs_or_cells_is_refused() {
        let mut grid = Grid::new(5_800, 5_800).unwrap();
        for column in (0..5_800).step_by(4) {
            grid.fill(column..column + 1, 0..5_800, true).unwrap();
        }
        let refused = components(&grid, CellKind::Solid, Connectivity::Four).map(|_| ());
        assert_eq!(refused, Err(TooComplex));
        let huge = GridBuilder::new(1 << 20, 1 << 20).unwrap().finish();
        let refused = components(&huge, CellKind::Passable, Connectivity::Four).map(|_| ());
        assert_eq!(refused, Err(TooComplex));
    }
}
