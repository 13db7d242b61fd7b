//! 64 pixels of a byte each at a time: bytes to bits. Plain arrays in, words out; no class, no picture.
//!
//! Loops over arrays of fixed length become vector instructions. The gathering of their results does not, so
//! it is done as the transposition of a square of 8 x 8 bits.

use super::rows::BLOCK;

/// 64 pixels of a byte each. Of eight pixels, pixel `i` is in byte `i * STEP % 8`; `STEP` is 1 or 3.
pub(super) struct Lanes<const STEP: usize>(pub(super) [u8; BLOCK]);

impl<const STEP: usize> Lanes<STEP> {
    /// The byte of pixel `x`.
    #[inline(always)]
    pub(super) fn get(&self, x: u32) -> u8 {
        let x = x as usize % BLOCK;
        self.0[x / 8 * 8 + x * STEP % 8]
    }

    /// The pixels with this byte.
    #[inline(always)]
    pub(super) fn equal(&self, value: u8) -> u64 {
        Self::in_order(which(&self.0, |byte| byte == value))
    }

    /// Bits in the order of their pixels, from those in the order of their bytes.
    #[inline(always)]
    fn in_order(bits: u64) -> u64 {
        match STEP {
            1 => bits,
            // Pixels 1 and 3, 5 and 7, 2 and 6 have the bytes of each other.
            _ => swap(swap(bits, 0x2222_2222_2222_2222, 2), 0x0404_0404_0404_0404, 4),
        }
    }
}

/// The pixels with a value for which `is_one` is true.
#[inline(always)]
pub(super) fn which<T: Copy>(values: &[T; BLOCK], is_one: impl Fn(T) -> bool) -> u64 {
    // The flags of eight pixels have the same bit, so that no word must be shifted to join the others. They
    // are joined by halves of a vector: else the compiler takes words out of it one by one.
    let mut flags = [0; BLOCK];
    for (place, (flag, value)) in flags.iter_mut().zip(values).enumerate() {
        *flag = if is_one(*value) { 1 << (place / 8) } else { 0 };
    }
    let mut halves = [0; 2];
    for words in flags.as_chunks::<16>().0 {
        for (half, word) in halves.iter_mut().zip(words.as_chunks().0) {
            *half |= u64::from_le_bytes(*word);
        }
    }
    let [even, odd] = halves;
    // Bit `i` of byte `j` is the flag of pixel `8 i + j`. Rows and columns of this square of 8 x 8 bits are
    // exchanged: by squares of 1, of 2 and of 4.
    let bits = swap(even | odd, 0x00aa_00aa_00aa_00aa, 7);
    let bits = swap(bits, 0x0000_cccc_0000_cccc, 14);
    swap(bits, 0x0000_0000_f0f0_f0f0, 28)
}

/// Exchanges the bits of `ones` with those that are higher by a number of places.
#[inline(always)]
fn swap(bits: u64, ones: u64, by: u32) -> u64 {
    let differ = (bits >> by ^ bits) & ones;
    bits ^ differ ^ differ << by
}

/// The shades of 64 pixels of gray and alpha, if all are opaque.
#[inline(always)]
pub(super) fn shades_of_gray_alpha(block: &[u8; 2 * BLOCK]) -> Option<Lanes<1>> {
    let (mut shades, mut clear) = ([0; BLOCK], 0);
    for (shade, [gray, alpha]) in shades.iter_mut().zip(block.as_chunks().0) {
        *shade = *gray;
        clear |= !alpha;
    }
    (clear == 0).then_some(Lanes(shades))
}

/// The shades of 64 pixels of red, green and blue, if all are gray.
#[inline(always)]
pub(super) fn shades_of_rgb(block: &[u8; 3 * BLOCK]) -> Option<Lanes<3>> {
    // Of eight pixels in three words, the bytes of red are in different places of their words.
    const RED: [u64; 3] = [0x00ff_0000_ff00_00ff, 0xff00_00ff_0000_ff00, 0x0000_ff00_00ff_0000];
    let (mut shades, mut differ) = ([0; BLOCK], 0);
    for (shades, words) in shades.as_chunks_mut::<8>().0.iter_mut().zip(block.as_chunks::<24>().0) {
        let [a, b, c] = [0, 8, 16]
            .map(|at| u64::from_le_bytes(words[at..].first_chunk().copied().unwrap_or_default()));
        // Each byte against the next: red against green, and green against blue.
        differ |= (a ^ (a >> 8 | b << 56)) & (RED[0] | RED[0] << 8);
        differ |= (b ^ (b >> 8 | c << 56)) & (RED[1] | RED[1] << 8);
        differ |= (c ^ c >> 8) & (RED[2] | RED[2] << 8 | 0xff);
        *shades = (a & RED[0] | b & RED[1] | c & RED[2]).to_le_bytes();
    }
    (differ == 0).then_some(Lanes(shades))
}

/// The shades of 64 pixels of red, green, blue and alpha, if all are gray and opaque.
#[inline(always)]
pub(super) fn shades_of_rgba(block: &[u8; 4 * BLOCK]) -> Option<Lanes<1>> {
    let (mut shades, mut differ) = ([0; BLOCK], 0);
    for (shade, pixel) in shades.iter_mut().zip(block.as_chunks().0) {
        let pixel = u32::from_le_bytes(*pixel);
        *shade = pixel as u8;
        differ |= (pixel ^ pixel >> 8) & 0xffff | !pixel & 0xff00_0000;
    }
    (differ == 0).then_some(Lanes(shades))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random bytes of few values, and their bits by a look at each.
    fn bytes(random: &mut fastrand::Rng) -> [u8; BLOCK] {
        let values = [0, 1, 127, 128, 254, 255];
        std::array::from_fn(|_| values[random.usize(0..6)])
    }

    #[test]
    fn bits_are_those_of_single_pixels_in_each_order() {
        let mut random = fastrand::Rng::with_seed(11);
        for _ in 0..200 {
            let bytes = bytes(&mut random);
            let value = bytes[random.usize(0..BLOCK)];
            let naive = |is_one: &dyn Fn(u8) -> bool| {
                (0..BLOCK).fold(0, |bits, x| bits | u64::from(is_one(bytes[x])) << x)
            };
            let lanes = Lanes::<1>(bytes);
            let turned = Lanes::<3>(std::array::from_fn(|at| bytes[at / 8 * 8 + at * 3 % 8]));
            assert_eq!(lanes.equal(value), naive(&|byte| byte == value));
            assert_eq!(turned.equal(value), naive(&|byte| byte == value));
            for x in 0..BLOCK as u32 {
                assert_eq!([lanes.get(x), turned.get(x)], [bytes[x as usize]; 2]);
            }
        }
    }

    #[test]
    fn shades_are_those_of_gray_pixels_and_of_no_others() {
        let mut random = fastrand::Rng::with_seed(12);
        for _ in 0..200 {
            let gray = bytes(&mut random);
            let mut rgb: [u8; 192] = std::array::from_fn(|at| gray[at / 3]);
            let mut rgba: [u8; 256] =
                std::array::from_fn(|at| if at % 4 == 3 { 255 } else { gray[at / 4] });
            let mut alpha: [u8; 128] =
                std::array::from_fn(|at| if at % 2 == 1 { 255 } else { gray[at / 2] });
            let same = |x: u32| gray[x as usize];
            let all = (0..BLOCK as u32).map(same).collect::<Vec<_>>();
            let of_rgb = shades_of_rgb(&rgb).expect("gray");
            assert!((0..BLOCK as u32).map(|x| of_rgb.get(x)).eq(all.iter().copied()));
            assert_eq!(shades_of_rgba(&rgba).expect("gray").0, gray);
            assert_eq!(shades_of_gray_alpha(&alpha).expect("gray").0, gray);
            // One sample is another.
            rgb[random.usize(0..192)] ^= 1 << random.u8(0..8);
            rgba[random.usize(0..256)] ^= 1 << random.u8(0..8);
            alpha[random.usize(0..64) * 2 + 1] ^= 1 << random.u8(0..8);
            assert!(shades_of_rgb(&rgb).is_none() && shades_of_rgba(&rgba).is_none());
            assert!(shades_of_gray_alpha(&alpha).is_none());
        }
    }
}
