//! The bits of a grid in the making, row by row.
//!
//! A grid keeps the words of one row far apart: in a tall mask each write would miss all caches. So up to 64
//! rows are gathered here, where the words of a stripe of 64 columns follow each other, before they are
//! written. The module classifies nothing.

use glam::UVec2;

use super::picture::pixels;
use crate::error::LoadErrorKind;
use crate::grid::{Grid, Plane};

/// Rows that are gathered.
const ROWS: usize = 64;

/// A grid in the making.
pub(super) struct RowBuffer {
    rows: Plane,
    size: UVec2,
    /// The gathered words, by stripe and then by row, as in [`Plane`].
    words: Vec<u64>,
    /// The first gathered row, a multiple of 64.
    first: u32,
}

impl RowBuffer {
    pub(super) fn new(size: UVec2) -> Result<Self, LoadErrorKind> {
        let rows = Grid::blank_rows(size.x, size.y).map_err(|_| no_memory(size))?;
        Ok(Self { rows, size, words: vec![0; size.x.div_ceil(64) as usize * ROWS], first: 0 })
    }

    /// Makes pixels of row `y` solid: those at `x + i` whose bit `i` is set. `x` is a multiple of 64, and
    /// bits outside the picture are 0. Rows may come in any order; from top to bottom is fast.
    #[inline(always)]
    pub(super) fn set(&mut self, x: u32, y: u32, bits: u64) {
        if y / 64 != self.first / 64 {
            self.flush();
            self.first = y / 64 * 64;
        }
        self.words[(x / 64) as usize * ROWS + y as usize % ROWS] |= bits;
    }

    /// Writes the gathered rows.
    #[cold]
    fn flush(&mut self) {
        for (stripe, words) in (0..).zip(self.words.chunks_exact_mut(ROWS)) {
            let lines = self.rows.lines_of_stripe_mut(self.first, stripe * 64);
            for (line, word) in lines.iter_mut().zip(&*words) {
                *line |= word;
            }
            words.fill(0);
        }
    }

    pub(super) fn into_grid(mut self) -> Result<Grid, LoadErrorKind> {
        self.flush();
        Grid::from_rows(self.rows).map_err(|_| no_memory(self.size))
    }
}

fn no_memory(size: UVec2) -> LoadErrorKind {
    let cells = pixels(size);
    LoadErrorKind::NoMemory { cells }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_in_any_order_give_the_naive_grid() {
        let mut rng = fastrand::Rng::with_seed(17);
        for width in [1, 2, 63, 64, 65, 127, 128, 129, 200] {
            for height in [1, 2, 63, 64, 65, 150] {
                let mut buffer = RowBuffer::new(UVec2::new(width, height)).unwrap();
                let mut naive = vec![false; (width * height) as usize];
                for _ in 0..rng.u32(0..100) {
                    let y = rng.u32(0..height);
                    let x = rng.u32(0..width) / 64 * 64;
                    let bits = rng.u64(..) >> (64 - (width - x).min(64));
                    buffer.set(x, y, bits);
                    for i in (0..64).filter(|i| bits >> i & 1 == 1) {
                        naive[(y * width + x + i) as usize] = true;
                    }
                }
                let grid = buffer.into_grid().unwrap();
                for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                    let expected = naive[(y * width + x) as usize];
                    assert_eq!(grid.is_solid(x, y), expected, "{x} {y}");
                }
                let count = naive.iter().filter(|solid| **solid).count();
                assert_eq!(grid.solid_count(), count as u64);
            }
        }
    }
}
