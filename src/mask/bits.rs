//! Bits of the pixels of a picture, row by row: plain data for what looks at pixels and not at cells.

use glam::UVec2;

use crate::grid::{Grid, GridError, RowBuilder};

/// One bit a pixel. Bit `i` of word `w` of a row stands for x = 64 w + i; bits outside the picture are 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits {
    size: UVec2,
    stride: usize,
    words: Vec<u64>,
}

impl Bits {
    /// All 0; `None` if there is no such memory.
    pub fn new(size: UVec2) -> Option<Self> {
        let stride = size.x.div_ceil(64) as usize;
        let count = stride.checked_mul(size.y as usize)?;
        let mut words = Vec::new();
        words.try_reserve_exact(count).ok()?;
        words.resize(count, 0);
        Some(Self { size, stride, words })
    }

    /// Width and height in pixels.
    pub fn size(&self) -> UVec2 {
        self.size
    }

    /// The words of a row; none for a row outside the picture.
    pub fn row(&self, y: u32) -> &[u64] {
        let start = y as usize * self.stride;
        self.words.get(start..start + self.stride).unwrap_or_default()
    }

    /// The words of a row, to be written: the caller keeps the bits beyond the width 0.
    pub fn row_mut(&mut self, y: u32) -> &mut [u64] {
        let start = y as usize * self.stride;
        self.words.get_mut(start..start + self.stride).unwrap_or_default()
    }

    /// The bit of a pixel; false outside the picture.
    pub fn get(&self, x: u32, y: u32) -> bool {
        let word = if x < self.size.x { self.row(y).get((x / 64) as usize) } else { None };
        word.is_some_and(|word| word >> (x % 64) & 1 == 1)
    }

    /// 64 pixels of a row, the first at `x`, which may be negative; those outside the picture are 0.
    pub fn word_at(&self, x: i64, y: i64) -> u64 {
        let row = u32::try_from(y).map_or(&[][..], |y| self.row(y));
        let word = |index: i64| {
            usize::try_from(index).ok().and_then(|index| row.get(index)).copied().unwrap_or(0)
        };
        let (first, place) = (x.div_euclid(64), x.rem_euclid(64));
        match place {
            0 => word(first),
            _ => word(first) >> place | word(first + 1) << (64 - place),
        }
    }

    /// A grid with a solid cell for each one. O(pixels / 64).
    ///
    /// # Errors
    /// [`GridError`] if there is no memory for it.
    pub fn to_grid(&self) -> Result<Grid, GridError> {
        let mut grid = RowBuilder::new(self.size.x, self.size.y)?;
        (0..self.size.y).for_each(|y| grid.or_row(y, self.row(y)));
        Ok(grid.finish())
    }

    /// The number of ones.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_at_any_place_are_those_of_single_pixels() {
        for width in [1, 63, 64, 65, 130] {
            let mut bits = Bits::new(UVec2::new(width, 3)).expect("memory");
            let is_set = |x: u32, y: u32| (x * 7 + y * 3) % 5 < 2;
            for (x, y) in (0..3).flat_map(|y| (0..width).map(move |x| (x, y))) {
                bits.row_mut(y)[(x / 64) as usize] |= u64::from(is_set(x, y)) << (x % 64);
            }
            for y in -1..4 {
                for x in (-70..200).chain([i64::MIN / 2, i64::MAX / 2]) {
                    let pixel = |x: i64| {
                        let (x, y) = (u32::try_from(x).ok(), u32::try_from(y).ok());
                        x.zip(y).is_some_and(|(x, y)| x < width && y < 3 && is_set(x, y))
                    };
                    let naive =
                        (0..64).fold(0, |word, bit| word | u64::from(pixel(x + bit)) << bit);
                    assert_eq!(bits.word_at(x, y), naive, "{width}: {x} {y}");
                }
            }
            let naive = (0..3).flat_map(|y| (0..width).map(move |x| (x, y)));
            assert_eq!(bits.count(), naive.filter(|(x, y)| bits.get(*x, *y)).count() as u64);
        }
    }
}
