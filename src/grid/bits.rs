//! Converts grids from and to the bit slices of crate `bitvec`. The bits are the cells, row by row, without
//! padding between rows. Only this module uses `bitvec`. A grid itself stores `Vec<u64>`, because words of 64
//! bits are the unit of every query. With 32-bit pointers, `bitvec` has no `u64` storage, and a slice has
//! less than 2^29 bits. Plain words are also faster in a 2048 x 2048 mask. A read of a random cell takes 2.1
//! ns, and 2.9 ns with `BitVec<u64, Lsb0>`. A change takes 4.3 ns, and 11.7 ns with `BitVec<u64, Lsb0>`.

use std::any::TypeId;

use bitvec::domain::{Domain, PartialElement};
use bitvec::mem::{BitRegister, bits_of};
use bitvec::order::{BitOrder, Lsb0, Msb0};
use bitvec::ptr::Const;
use bitvec::slice::BitSlice;
use bitvec::store::BitStore;
use bitvec::vec::BitVec;

use super::plane::SIDE;
use super::rows::RowBuilder;
use super::words::low_bits;
use super::{Grid, GridError, check_size};

impl Grid {
    /// Creates a grid of `width` x `height` cells from bits, row by row from the top. A cell is solid if its
    /// bit, number `row * width + column`, is set.
    ///
    /// This takes O(bits / 64). It takes O(bits) for a bit order other than `Lsb0` and `Msb0`.
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
    ) -> Result<Self, GridError> {
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
) -> Result<Grid, GridError> {
    check_size(width, height)?;
    let found = bits.len() as u64;
    let expected = u64::from(width) * u64::from(height);
    if found != expected {
        return Err(GridError::OtherBitCount { found, expected });
    }
    let order = TypeId::of::<O>();
    if order == TypeId::of::<Lsb0>() {
        rows(width, height, elements(bits, |value| value))
    } else if order == TypeId::of::<Msb0>() {
        let unused = 64 - bits_of::<T::Mem>();
        rows(width, height, elements(bits, move |value| (value << unused).reverse_bits()))
    } else {
        rows(width, height, single_bits(bits))
    }
}

/// Reads `bits` one by one, for any bit order. Returns words, each with its number of valid bits.
fn single_bits<T: BitStore, O: BitOrder>(
    bits: &BitSlice<T, O>,
) -> impl Iterator<Item = (u64, u32)> {
    bits.chunks(64).map(|bits| {
        let word = bits.iter().by_vals().rev().fold(0, |word, bit| word << 1 | u64::from(bit));
        (word, bits.len() as u32)
    })
}

/// Returns the storage elements of `bits` in order. Each is a word with its bits from bit 0 on, and the
/// number of these bits. `turn` moves the first bit of an element to bit 0.
fn elements<T: BitStore, O: BitOrder>(
    bits: &BitSlice<T, O>,
    turn: impl Fn(u64) -> u64,
) -> impl Iterator<Item = (u64, u32)> {
    let (first, whole, last) = match bits.domain() {
        Domain::Enclave(element) => (Some(element), &[][..], None),
        Domain::Region { head, body, tail } => (head, body, tail),
    };
    let size = bits_of::<T::Mem>() as u32;
    let whole = whole.iter().map(move |element| (word(element.load_value()), 0, size));
    let parts = first.map(part_of).into_iter().chain(whole).chain(last.map(part_of));
    parts.map(move |(value, start, count)| (turn(value) >> start, count))
}

/// Returns the value of a partial element, in which the bits around it are zero, the first of its bits that
/// belong to the slice, and their number.
fn part_of<T: BitStore, O: BitOrder>(element: PartialElement<'_, Const, T, O>) -> (u64, u32, u32) {
    let start = element.head().into_inner();
    let end = element.tail().into_inner();
    (word(element.load_value()), u32::from(start), u32::from(end - start))
}

fn word<R: BitRegister>(element: R) -> u64 {
    element.as_u64()
}

/// Creates a grid from the bits of `parts`, row by row. Each part is a word and the number of its bits, at
/// most 64. All parts together must have width x height bits.
fn rows(
    width: u32,
    height: u32,
    mut parts: impl Iterator<Item = (u64, u32)>,
) -> Result<Grid, GridError> {
    let mut builder = RowBuilder::new(width, height)?;
    let mut words = vec![0; width.div_ceil(64) as usize];
    // `held` has `count` bits that have been read but not used: less than a word, and one word more while a
    // part is added.
    let mut held = 0u128;
    let mut count = 0;
    for row in 0..height {
        let mut left = width;
        for word in &mut words {
            let wanted = left.min(64);
            while count < wanted
                && let Some((part, bits)) = parts.next()
            {
                held |= u128::from(part) << count;
                count += bits;
            }
            *word = held as u64 & low_bits(i64::from(wanted));
            held >>= wanted;
            count = count.saturating_sub(wanted);
            left -= wanted;
        }
        builder.or_row(row, &words);
    }
    builder.finish()
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
    let mut words: Vec<u32> = Vec::new();
    let size = len.div_ceil(32);
    if words.try_reserve_exact(size).is_err() {
        return Err(none);
    }
    words.resize(size, 0);
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
    use bitvec::order::{BitOrder, Lsb0, Msb0};
    use bitvec::slice::BitSlice;
    use bitvec::store::BitStore;
    use bitvec::vec::BitVec;

    use super::super::GridBuilder;
    use super::{rows, single_bits};
    use crate::grid::{Grid, GridError};

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
    {
        let (before, after) = (random.usize(0..70), random.usize(0..70));
        let len = (width * height) as usize;
        let storage: BitVec<T, O> = (0..before + len + after).map(|_| random.bool()).collect();
        let bits = &storage[before..before + len];
        let grid = Grid::from_bits(width, height, bits).unwrap();
        let naive = cell_by_cell(width, bits);
        assert!(grid.planes == naive.planes, "{width} x {height} from {before}");
        assert!(rows(width, height, single_bits(bits)).unwrap() == naive);
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
        let grid = builder.finish().unwrap();
        assert!(grid.is_sparse());
        let bits = grid.to_bits().unwrap();
        assert_eq!((bits.len(), bits.count_ones()), (100 << 22, 14));
        assert!(bits[100_063..100_070].all() && bits[100_163..100_170].all());
        // With 32-bit pointers, a `bitvec` cannot have this number of bits.
        let builder = GridBuilder::new(1 << 15, 1 << 14).unwrap();
        let bits = builder.finish().unwrap().to_bits();
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
        let huge = GridBuilder::new(width, height).unwrap().finish().unwrap();
        assert!(huge.to_bits() == Err(GridError::TooManyCells { width, height }));
    }
}
