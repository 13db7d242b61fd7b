//! The bits of a grid as they come in, row by row.
//!
//! A grid keeps the words of one row far apart: in a tall mask each is a miss of all caches. So up to 64 rows
//! are gathered here before they are written, 64 words in a row. It judges nothing.

use glam::UVec2;

use super::header::pixels;
use crate::error::LoadErrorKind;
use crate::grid::{Grid, Plane};

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

    /// Makes the pixels of row `y` from `first` to `last` solid, `step` by `step`. Rows may come in any
    /// order, and come cheap from top to bottom.
    #[inline]
    pub(super) fn set_run(&mut self, y: u32, first: u32, last: u32, step: u32) {
        self.enter(y);
        if step != 1 {
            for x in (first..=last).step_by(step as usize) {
                self.words[word(x, y)] |= 1 << (x % 64);
            }
            return;
        }
        let (from, to) = (u64::MAX << (first % 64), u64::MAX >> (63 - last % 64));
        let (first, last) = (word(first, y), word(last, y));
        if first == last {
            self.words[first] |= from & to;
            return;
        }
        self.words[first] |= from;
        for between in (first + ROWS..last).step_by(ROWS) {
            self.words[between] = u64::MAX;
        }
        self.words[last] |= to;
    }

    /// Makes the pixels of row `y` solid whose bits are set, of 64 pixels a word from its first one on.
    pub(super) fn set_words(&mut self, y: u32, words: impl Iterator<Item = u64>) {
        self.enter(y);
        let gathered = self.words.iter_mut().skip(y as usize % ROWS);
        for (gathered, word) in gathered.step_by(ROWS).zip(words) {
            *gathered |= word;
        }
    }

    /// Goes to the rows that row `y` is gathered with.
    #[inline]
    fn enter(&mut self, y: u32) {
        if y / 64 != self.first / 64 {
            self.flush();
            self.first = y / 64 * 64;
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

/// The place of a pixel's word among the gathered ones.
#[inline]
fn word(x: u32, y: u32) -> usize {
    (x / 64) as usize * ROWS + y as usize % ROWS
}

fn no_memory(size: UVec2) -> LoadErrorKind {
    let cells = pixels(size);
    LoadErrorKind::NoMemory { cells }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_in_any_order_make_the_grid_of_their_pixels() {
        let mut rng = fastrand::Rng::with_seed(17);
        for width in [1, 2, 63, 64, 65, 127, 128, 129, 200] {
            for height in [1, 2, 63, 64, 65, 150] {
                let mut band = Band::new(UVec2::new(width, height)).unwrap();
                let mut naive = vec![false; (width * height) as usize];
                for _ in 0..rng.u32(0..100) {
                    let y = rng.u32(0..height);
                    let first = rng.u32(0..width);
                    let step = *rng.choice(&[1, 1, 2, 8]).unwrap();
                    let last = first + rng.u32(0..width - first) / step * step;
                    band.set_run(y, first, last, step);
                    for x in (first..=last).step_by(step as usize) {
                        naive[(y * width + x) as usize] = true;
                    }
                }
                let grid = band.into_grid().unwrap();
                for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                    assert_eq!(
                        grid.is_solid(x, y),
                        naive[(y * width + x) as usize],
                        "{x} {y}"
                    );
                }
                let count = naive.iter().filter(|solid| **solid).count();
                assert_eq!(grid.solid_count(), count as u64);
            }
        }
    }
}
