//! Bits of crate `bitvec` in an order that only the caller knows.

use bitwall::Grid;
use bitwall::bitvec::index::{BitIdx, BitPos};
use bitwall::bitvec::mem::BitRegister;
use bitwall::bitvec::order::BitOrder;
use bitwall::bitvec::vec::BitVec;

/// An order in which the bits 0 and 1 of an element change places, 2 and 3, and so on.
struct Pairs;

// SAFETY: the number of bits is even, so each index becomes an index below this number. Applied twice, `at`
// returns the first index, so it is a bijection. The trait implements its other methods with `at`.
unsafe impl BitOrder for Pairs {
    fn at<R: BitRegister>(index: BitIdx<R>) -> BitPos<R> {
        BitPos::new(index.into_inner() ^ 1).unwrap()
    }
}

#[test]
fn bits_in_an_order_of_the_callers_own_are_read_in_that_order() {
    let mut random = fastrand::Rng::with_seed(47);
    for (width, height) in [(1, 1), (63, 2), (64, 3), (65, 2), (7, 30)] {
        let solid: Vec<bool> = (0..width * height).map(|_| random.bool()).collect();
        let bits: BitVec<u8, Pairs> = solid.iter().copied().collect();
        let grid = Grid::from_bits(width, height, &bits).unwrap();
        for (place, solid) in (0..).zip(solid) {
            assert_eq!(
                grid.is_solid(place % width, place / width),
                solid,
                "{place} of {width} x {height}"
            );
        }
    }
}
