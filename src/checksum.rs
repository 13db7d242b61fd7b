//! Checksums of states: equal for equal states, and the same on every platform. A type has its derived
//! [`Hash`], and the hasher here gives all numbers the same width and order of bytes on every machine.
//!
//! One case is beyond a hasher: the standard library hashes a slice of numbers, such as `[u64]`, as the bytes
//! that it has in memory. So a state passes the numbers of such a slice one by one.

use std::hash::{Hash, Hasher};

/// Returns the checksum of a state.
pub(crate) fn of(state: &impl Hash) -> u64 {
    let mut sum = Checksum(0);
    state.hash(&mut sum);
    sum.finish()
}

/// A hasher for which each number, of any width, is one word of 64 bits. It is no defence against a state
/// that was made to have a given checksum.
///
/// The words are mixed with the second multiplier of SplitMix64, and the end of SplitMix64 finishes the sum
/// (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
struct Checksum(u64);

impl Hasher for Checksum {
    fn finish(&self) -> u64 {
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// Adds the bytes of a text. Eight bytes are a word.
    fn write(&mut self, bytes: &[u8]) {
        self.write_usize(bytes.len());
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = mixed.wrapping_mul(0x94D0_49BB_1331_11EB);
        self.0 = mixed ^ mixed >> 32;
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u128(&mut self, number: u128) {
        self.write_u64(number as u64);
        self.write_u64((number >> 64) as u64);
    }

    /// Adds a length, which is below 2^32 wherever `usize` has 32 bits.
    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    /// Adds the number of a variant. Without this method, -1 would have another width on each platform.
    #[inline]
    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as i64 as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_width_are_one_word_each() {
        let words = |numbers: &[u64]| {
            let mut sum = Checksum(0);
            numbers.iter().for_each(|number| sum.write_u64(*number));
            sum.finish()
        };
        assert_eq!(of(&(1_u8, 2_u16, 3_u32, 4_u64)), words(&[1, 2, 3, 4]));
        assert_eq!(of(&(5_usize, -1_isize, true)), words(&[5, u64::MAX, 1]));
        assert_eq!(
            of(&(-1_i8, -1_i16, -1_i32, -1_i64)),
            words(&[255, 65_535, u32::MAX.into(), u64::MAX])
        );
        // A text is its length, its bytes from the lowest on, and the byte that `str` adds.
        assert_eq!(of(&"abcdefghi"), words(&[9, 0x6867_6665_6463_6261, 0x69, 255]));
    }

    #[test]
    fn each_bit_and_the_order_of_numbers_change_the_checksum() {
        let mut sums: Vec<u64> = (0..64).map(|bit| of(&(0_u64, 1_u64 << bit))).collect();
        sums.extend((0..64).map(|bit| of(&(1_u64 << bit, 0_u64))));
        sums.extend((2..9).map(|count| of(&vec![0_u64; count].iter().collect::<Vec<_>>())));
        sums.extend(["", "a", "a\0", "\0a", "aaaaaaaa", "aaaaaaaa\0"].map(|text| of(&text)));
        let count = sums.len();
        sums.sort_unstable();
        sums.dedup();
        assert_eq!(sums.len(), count);
    }
}
