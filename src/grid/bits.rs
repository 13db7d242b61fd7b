//! Converts grids from and to the bit slices of crate `bitvec`. The bits are the cells, row by row, without
//! padding between rows. Only this module uses `bitvec`. A grid itself stores `Vec<u64>`, because words of 64
//! bits are the unit of every query. With 32-bit pointers, `bitvec` has no `u64` storage, and a slice has
//! less than 2^29 bits. Plain words are also faster in a 2048 x 2048 mask. A read of a random cell takes 2.1
//! ns, and 2.9 ns with `BitVec<u64, Lsb0>`. A change takes 4.3 ns, and 11.7 ns with `BitVec<u64, Lsb0>`.

use std::any::TypeId;

use bitvec::field::BitField;
use bitvec::order::{BitOrder, Lsb0};
use bitvec::slice::BitSlice;
use bitvec::store::BitStore;
use bitvec::vec::BitVec;

use super::plane::{SIDE, zeros};
use super::rows::RowBuilder;
use super::{Grid, GridError, check_size};

impl Grid {
    /// Creates a grid of `width` x `height` cells from bits, row by row from the top. A cell is solid if its
    /// bit, number `row * width + column`, is set.
    ///
    /// This takes O(bits / 64).
    ///
    /// ```
    /// use bitvec::prelude::*;
    /// use bitwall::Grid;
    ///
    /// let grid = Grid::from_bits(3, 2, bits![u8, Msb0; 1, 1, 0, 0, 0, 1])?;
    /// assert_eq!(grid.to_string(), "##.\n..#");
    /// assert_eq!(grid.to_bits()?, bits![1, 1, 0, 0, 0, 1]);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// [`GridError::OtherBitCount`] if there are not width x height bits, and the errors of [`Grid::new`].
    pub fn from_bits<T: BitStore, O: BitOrder>(
        width: u32,
        height: u32,
        bits: &BitSlice<T, O>,
    ) -> Result<Self, GridError>
    where
        BitSlice<T, O>: BitField,
    {
        parse(width, height, bits)
    }

    /// Returns the bits of all cells, row by row, in the order of [`Grid::from_bits`]. This takes O(cells /
    /// 64).
    ///
    /// For a sparse grid it takes O(cells / 32), because it clears the memory of all cells.
    ///
    /// # Errors
    /// [`GridError::TooManyCells`] if there are more than [`Grid::MAX_CELLS`] cells or memory runs out. With
    /// 32-bit pointers, also if there are more than the 2^29 - 1 bits that `bitvec` can address.
    pub fn to_bits(&self) -> Result<BitVec<u32, Lsb0>, GridError> {
        print(self)
    }
}

fn parse<T: BitStore, O: BitOrder>(
    width: u32,
    height: u32,
    bits: &BitSlice<T, O>,
) -> Result<Grid, GridError>
where
    BitSlice<T, O>: BitField,
{
    check_size(width, height)?;
    let found = bits.len() as u64;
    let expected = u64::from(width) * u64::from(height);
    if found != expected {
        return Err(GridError::OtherBitCount { found, expected });
    }
    let mut builder = RowBuilder::new(width, height)?;
    let mut words = Vec::new();
    for (row, bits) in (0..height).zip(bits.chunks(width as usize)) {
        words.clear();
        words.extend(bits.chunks(64).map(word));
        builder.or_row(row, &words);
    }
    builder.finish()
}

/// Returns up to 64 bits as a word. The first of them is bit 0.
fn word<T: BitStore, O: BitOrder>(bits: &BitSlice<T, O>) -> u64
where
    BitSlice<T, O>: BitField,
{
    if TypeId::of::<O>() == TypeId::of::<Lsb0>() {
        bits.load_le()
    } else {
        bits.load_be::<u64>().reverse_bits() >> (64 - bits.len())
    }
}

fn print(grid: &Grid) -> Result<BitVec<u32, Lsb0>, GridError> {
    let width = grid.width();
    let none = GridError::TooManyCells { width, height: grid.height() };
    let count = grid.cell_count();
    let Some(len) = usize::try_from(count).ok().filter(|_| count <= Grid::MAX_CELLS) else {
        return Err(none);
    };
    if len > BitSlice::<u32, Lsb0>::MAX_BITS {
        return Err(none);
    }
    let Some(mut words) = zeros::<u32>(len.div_ceil(32)) else {
        return Err(none);
    };
    for ([column, row], block) in grid.blocks() {
        let first = u64::from(row * SIDE) * u64::from(width) + u64::from(column * SIDE);
        let places = (0..).map(|line| first + line * u64::from(width));
        for (place, cells) in places.zip(block).filter(|(_, cells)| *cells != 0) {
            let added = u128::from(cells) << (place % 32);
            let added = [added as u32, (added >> 32) as u32, (added >> 64) as u32];
            for (word, added) in words[(place / 32) as usize..].iter_mut().zip(added) {
                *word |= added;
            }
        }
    }
    let mut bits = BitVec::try_from_vec(words).map_err(|_| none)?;
    bits.truncate(len);
    Ok(bits)
}

#[cfg(test)]
mod tests {
    use bitvec::field::BitField;
    use bitvec::order::{BitOrder, Lsb0, Msb0};
    use bitvec::slice::BitSlice;
    use bitvec::store::BitStore;
    use bitvec::vec::BitVec;

    use crate::grid::{Grid, GridBuilder, GridError};

    fn cell_by_cell<T: BitStore, O: BitOrder>(width: u32, bits: &BitSlice<T, O>) -> Grid {
        let mut grid = Grid::new(width, bits.len() as u32 / width).unwrap();
        for (place, solid) in (0..).zip(bits.iter().by_vals()) {
            grid.set(place % width, place / width, solid).unwrap();
        }
        grid
    }

    /// Checks a grid created from random bits. The first and the last storage element are mostly partial.
    fn check<T: BitStore, O: BitOrder>(random: &mut fastrand::Rng, width: u32, height: u32)
    where
        BitVec<T, O>: FromIterator<bool>,
        BitSlice<T, O>: BitField,
    {
        let (before, after) = (random.usize(0..70), random.usize(0..70));
        let len = (width * height) as usize;
        let storage: BitVec<T, O> = (0..before + len + after).map(|_| random.bool()).collect();
        let bits = &storage[before..before + len];
        let grid = Grid::from_bits(width, height, bits).unwrap();
        let naive = cell_by_cell(width, bits);
        assert!(grid.planes == naive.planes, "{width} x {height} from {before}");
        assert!(grid.to_bits().unwrap().iter().eq(bits.iter()), "{width} x {height}");
    }

    #[test]
    fn bits_of_every_storage_type_and_order_round_trip_through_a_grid() {
        let mut random = fastrand::Rng::with_seed(41);
        let sides = [1, 2, 7, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200];
        for width in sides {
            for height in sides {
                check::<u8, Lsb0>(&mut random, width, height);
                check::<u8, Msb0>(&mut random, width, height);
                check::<u16, Msb0>(&mut random, width, height);
                check::<u32, Lsb0>(&mut random, width, height);
                check::<u32, Msb0>(&mut random, width, height);
                check::<usize, Lsb0>(&mut random, width, height);
                check::<usize, Msb0>(&mut random, width, height);
                check::<std::cell::Cell<u32>, Lsb0>(&mut random, width, height);
            }
        }
    }

    #[test]
    fn a_bit_slice_within_one_storage_element_gives_only_its_own_bits() {
        let mut random = fastrand::Rng::with_seed(43);
        for _ in 0..2_000 {
            let element = random.u32(..);
            let start = random.usize(0..32);
            let end = random.usize(start + 1..33);
            let lsb0 = &BitSlice::<_, Lsb0>::from_element(&element)[start..end];
            let msb0 = &BitSlice::<_, Msb0>::from_element(&element)[start..end];
            let height = (end - start) as u32;
            assert_eq!(Grid::from_bits(1, height, lsb0).unwrap(), cell_by_cell(1, lsb0));
            assert_eq!(Grid::from_bits(1, height, msb0).unwrap(), cell_by_cell(1, msb0));
        }
    }

    #[test]
    fn to_bits_reads_sparse_grids_and_long_narrow_grids() {
        let mut bits = BitVec::<u32, Lsb0>::repeat(false, 3 * (1 << 23));
        for place in [0, 5, 63, 64, 3 * (1 << 23) - 1] {
            bits.set(place, true);
        }
        for (width, height) in [(1 << 23, 3), (3, 1 << 23)] {
            let grid = Grid::from_bits(width, height, &bits).unwrap();
            assert_eq!(grid.solid_count(), 5);
            assert!(grid.is_solid(5 % width, 5 / width) && grid.is_solid(width - 1, height - 1));
            assert_eq!(grid.to_bits().unwrap(), bits);
        }
        let mut builder = GridBuilder::new(100, 1 << 22).unwrap();
        builder.fill(63..70, 1_000..1_002).unwrap();
        let grid = builder.finish();
        assert!(grid.is_sparse());
        let bits = grid.to_bits().unwrap();
        assert_eq!((bits.len(), bits.count_ones()), (100 << 22, 14));
        assert!(bits[100_063..100_070].all() && bits[100_163..100_170].all());
        // With 32-bit pointers, a `bitvec` cannot have this number of bits.
        let builder = GridBuilder::new(1 << 15, 1 << 14).unwrap();
        let bits = builder.finish().to_bits();
        assert_eq!(bits.is_ok(), usize::BITS == 64);
    }

    #[test]
    fn a_wrong_number_of_bits_and_too_many_cells_are_errors() {
        let bits = BitVec::<u8, Msb0>::repeat(true, 12);
        let wrong = GridError::OtherBitCount { found: 12, expected: 15 };
        assert_eq!(Grid::from_bits(5, 3, &bits), Err(wrong));
        assert_eq!(Grid::from_bits(0, 3, &bits), Err(GridError::Empty));
        let (width, height) = (u32::MAX, u32::MAX);
        let many = Err(GridError::TooManyCells { width, height });
        assert_eq!(Grid::from_bits(width, height, &bits), many);
        let huge = GridBuilder::new(width, height).unwrap().finish();
        assert!(huge.to_bits() == Err(GridError::TooManyCells { width, height }));
    }
}
