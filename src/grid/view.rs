//! The field of view: which cells can be seen from a cell, for a fog of war or the sight of monsters. It is
//! symmetric shadowcasting (Albert Ford, "Symmetric Shadowcasting", 2017, after Björn Bergström, "FOV using
//! recursive shadowcasting", RogueBasin, 2001) in whole numbers: beams of light go from row to row, and solid
//! cells cut and split them. The sight between two pixels is a ray of a terrain, which this does not replace.

use std::collections::BTreeMap;

use glam::IVec2;

use super::Grid;
use super::block::NONE;
use super::plane::{SIDE, Words, stripes};
use super::sparse::Sparse;
use crate::geometry::{Axis, Dir};

/// The largest radius that counts. The products of two numbers of cells then fit in an `i64`.
const MAX_RADIUS: u32 = 1 << 30;

/// [`Grid::field_of_view`].
pub(super) fn field_of_view(grid: &Grid, from: IVec2, radius: u32) -> Grid {
    let mut blocks = Sparse::default();
    blocks.limit = u32::MAX;
    let radius = i64::from(radius.min(MAX_RADIUS));
    let mut view = Sight { grid, from, radius, seen: BTreeMap::new() };
    if view.cell(Dir::Up, 0, 0).is_some() {
        view.mark(Dir::Up, 0, 0, 0);
        Dir::ALL.into_iter().for_each(|dir| view.look(dir));
    }
    for (at, cells) in view.seen {
        let written = blocks.write(at, &cells, true);
        debug_assert!(written.is_ok(), "no grid has 2^32 blocks");
    }
    Grid::from_blocks(grid.width(), grid.height(), blocks)
}

struct Sight<'g> {
    grid: &'g Grid,
    from: IVec2,
    radius: i64,
    /// The cells seen, by the block column and row of their block.
    seen: BTreeMap<[u32; 2], Words>,
}

/// A line from the middle of the first cell. On `ahead` cells ahead, at least 1, it goes `aside` cells to the
/// side.
#[derive(Clone, Copy)]
struct LightEdge {
    aside: i64,
    ahead: i64,
}

impl LightEdge {
    /// Returns the line through the edge between the cells `cell - 1` and `cell` of the row `ahead`.
    fn before(cell: i64, ahead: i64) -> Self {
        Self { aside: 2 * cell - 1, ahead: 2 * ahead }
    }

    fn mirrored(self) -> Self {
        Self { aside: -self.aside, ..self }
    }

    /// Returns the first cell of the row `ahead` that has a part beyond the line.
    fn first(self, ahead: i64) -> i64 {
        (2 * ahead * self.aside + self.ahead).div_euclid(2 * self.ahead)
    }

    /// Returns the first cell of the row `ahead` whose middle is on the line or beyond it.
    fn first_middle(self, ahead: i64) -> i64 {
        -(-ahead * self.aside).div_euclid(self.ahead)
    }
}

/// The light between two lines that falls on a row. A row is `ahead` cells ahead of the first cell. Its cells
/// are counted to both sides, and number 0 is straight ahead.
struct Beam {
    ahead: i64,
    start: LightEdge,
    end: LightEdge,
}

impl Sight<'_> {
    /// Finds the cells seen within 45 degrees of `dir`.
    fn look(&mut self, dir: Dir) {
        let start = LightEdge { aside: -1, ahead: 1 };
        let mut beams = vec![Beam { ahead: 1, start, end: start.mirrored() }];
        while let Some(beam) = beams.pop() {
            if beam.ahead <= self.radius {
                self.follow(dir, beam, &mut beams);
            }
        }
    }

    /// Finds the cells seen in one row, and adds the beams that go on to the next row.
    fn follow(&mut self, dir: Dir, beam: Beam, beams: &mut Vec<Beam>) {
        let Beam { ahead, mut start, end } = beam;
        let reach = (self.radius * self.radius - ahead * ahead).isqrt();
        // A solid cell beside the circle still cuts the light of cells within it. One farther out does not.
        let first = start.first(ahead).max(-reach - 1);
        let last = -end.mirrored().first(ahead).max(-reach - 1);
        let middles = start.first_middle(ahead)..=-end.mirrored().first_middle(ahead);
        // The first cell of a run of seen cells, and whether the cell before was solid.
        let mut run = None;
        let mut before = None;
        for cell in first..=last {
            let found = self.cell(dir, ahead, cell);
            let is_solid = found != Some(false);
            match before {
                Some(true) if !is_solid => start = LightEdge::before(cell, ahead),
                Some(false) if is_solid => {
                    let end = LightEdge::before(cell, ahead);
                    beams.push(Beam { ahead: ahead + 1, start, end });
                }
                _ => {}
            }
            before = Some(is_solid);
            let is_seen = found == Some(true) || !is_solid && middles.contains(&cell);
            if is_seen && cell.abs() <= reach {
                run = run.or(Some(cell));
            } else if let Some(first) = run.take() {
                self.mark(dir, ahead, first, cell - 1);
            }
        }
        if let Some(first) = run {
            self.mark(dir, ahead, first, last);
        }
        if before == Some(false) {
            beams.push(Beam { ahead: ahead + 1, start, end });
        }
    }

    /// Returns the column and row of a cell of a row; `None` if it is outside the grid.
    fn place(&self, dir: Dir, ahead: i64, aside: i64) -> Option<[u32; 2]> {
        let ahead = if dir.is_positive() { ahead } else { -ahead };
        let [x, y] = dir.axis().xy(ahead, aside);
        let column = u32::try_from(i64::from(self.from.x) + x).ok()?;
        let row = u32::try_from(i64::from(self.from.y) + y).ok()?;
        Some([column, row])
    }

    /// Returns true for a solid cell of a row, false for a passable one, and `None` outside the grid.
    fn cell(&self, dir: Dir, ahead: i64, aside: i64) -> Option<bool> {
        let [column, row] = self.place(dir, ahead, aside)?;
        self.grid.get(column, row)
    }

    /// Marks the cells from `first` to `last` of a row as seen. They are inside the grid.
    fn mark(&mut self, dir: Dir, ahead: i64, first: i64, last: i64) {
        let Some([column, row]) = self.place(dir, ahead, first) else { return };
        let count = (last - first) as u32;
        match dir.axis() {
            Axis::X => {
                for (block, mask) in stripes(&(row..row + count + 1)) {
                    let cells = self.seen.entry([column / SIDE, block]).or_insert(NONE);
                    let lines = mask.trailing_zeros()..SIDE - mask.leading_zeros();
                    lines.for_each(|line| cells[line as usize] |= 1 << (column % SIDE));
                }
            }
            Axis::Y => {
                for (block, mask) in stripes(&(column..column + count + 1)) {
                    let cells = self.seen.entry([block, row / SIDE]).or_insert(NONE);
                    cells[(row % SIDE) as usize] |= mask;
                }
            }
        }
    }
}
