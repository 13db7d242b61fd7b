//! The bits of a grid as they come in, row by row.
//!
//! A grid keeps the words of one row far apart: in a tall mask each is a miss of all caches. So up to 64 rows
//! are gathered here before they are written, 64 words in a row. It judges nothing.

use std::ops::Range;

use glam::UVec2;

use super::header::{RowPlace, pixels};
use crate::grid::{Grid, Plane};
use crate::level::error::LoadErrorKind;

/// Rows that are gathered.
const ROWS: usize = 64;

/// A grid in the making.
pub(super) struct Band {
    rows: Plane,
    size: UVec2,
    /// The rows that are gathered are those from `first` on. The words of a stripe of 64 columns follow each
    /// other, as in [`Plane`].
    words: Vec<u64>,
    first: u32,
}

impl Band {
    pub(super) fn new(size: UVec2) -> Result<Self, LoadErrorKind> {
        let rows = Grid::blank_rows(size.x, size.y).map_err(|_| no_memory(size))?;
        Ok(Self {
            rows,
            size,
            words: vec![0; size.x.div_ceil(64) as usize * ROWS],
            first: 0,
        })
    }

    /// Goes to row `y`, before it is written. Rows may come in any order, and come cheap from top to bottom.
    pub(super) fn enter(&mut self, y: u32) {
        if y / 64 != self.first / 64 {
            self.flush();
            self.first = y / 64 * 64;
        }
    }

    /// Makes those pixels of a block of 64 solid whose bits are set.
    #[inline]
    pub(super) fn set(&mut self, place: RowPlace, block: usize, bits: u64) {
        let RowPlace { y, x, step, .. } = place;
        if step == 1 {
            self.words[block * ROWS + y as usize % ROWS] |= bits;
        } else {
            self.spread(y, x + block as u32 * 64 * step, step, bits);
        }
    }

    /// Makes all pixels of these blocks solid.
    pub(super) fn set_blocks(&mut self, place: RowPlace, blocks: Range<usize>) {
        for block in blocks {
            self.set(place, block, u64::MAX);
        }
    }

    /// Makes every pixel whose bit is set solid, of those from `x` on, `step` by `step`.
    fn spread(&mut self, y: u32, x: u32, step: u32, mut bits: u64) {
        while bits != 0 {
            let x = x + bits.trailing_zeros() * step;
            self.words[(x / 64) as usize * ROWS + y as usize % ROWS] |= 1 << (x % 64);
            bits &= bits - 1;
        }
    }

    /// Writes what is gathered.
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
    fn rows_in_any_order_make_the_grid_of_their_pixels() {
        let mut rng = fastrand::Rng::with_seed(17);
        for width in [1, 2, 63, 64, 65, 127, 128, 129, 200, 600] {
            for height in [1, 2, 63, 64, 65, 150] {
                let mut band = Band::new(UVec2::new(width, height)).unwrap();
                let mut twin = vec![false; (width * height) as usize];
                for _ in 0..rng.u32(0..100) {
                    let y = rng.u32(0..height);
                    let step = *rng.choice(&[1, 1, 2, 8]).unwrap();
                    let x = if step == 1 {
                        0
                    } else {
                        rng.u32(0..width.min(step))
                    };
                    let pixels = (width - x).div_ceil(step);
                    let place = RowPlace { y, x, step, pixels };
                    let block = rng.u32(0..pixels.div_ceil(64));
                    let inside = u64::MAX >> (64 - (pixels - block * 64).min(64));
                    let bits = rng.u64(..) & inside;
                    band.enter(y);
                    band.set(place, block as usize, bits);
                    let blocks = 0..pixels / 64 * rng.u32(0..2);
                    band.set_blocks(place, 0..blocks.end as usize);
                    for pixel in 0..pixels {
                        let set = pixel / 64 == block && bits >> (pixel % 64) & 1 == 1;
                        if set || blocks.contains(&(pixel / 64)) {
                            twin[(y * width + x + pixel * step) as usize] = true;
                        }
                    }
                }
                let grid = band.into_grid().unwrap();
                for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                    assert_eq!(
                        grid.is_solid(x, y),
                        twin[(y * width + x) as usize],
                        "{x} {y}"
                    );
                }
                let count = twin.iter().filter(|solid| **solid).count();
                assert_eq!(grid.solid_count(), count as u64);
            }
        }
    }
}
