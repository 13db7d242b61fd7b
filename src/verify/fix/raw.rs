//! The samples of a picture as its file has them, pixel by pixel.

use glam::UVec2;

use crate::mask::Bits;

/// Rows of packed samples, the first in the highest bits; each row starts at a byte.
pub(super) struct Raw {
    pub(super) size: UVec2,
    /// Bits of a pixel: 1, 2, 4, or a multiple of 8 up to 64.
    pub(super) bits: usize,
    pub(super) data: Vec<u8>,
}

impl Raw {
    fn stride(&self) -> usize {
        (self.size.x as usize * self.bits).div_ceil(8)
    }

    /// The bytes that hold a pixel, and the place of its lowest bit in the last of them.
    fn place(&self, at: UVec2) -> (std::ops::Range<usize>, usize) {
        let first = at.x as usize * self.bits;
        let start = at.y as usize * self.stride() + first / 8;
        match self.bits {
            0..8 => (start..start + 1, 8 - self.bits - first % 8),
            bits => (start..start + bits / 8, 0),
        }
    }

    /// The samples of a pixel as one number; 0 outside the picture.
    pub(super) fn get(&self, at: UVec2) -> u64 {
        let (bytes, shift) = self.place(at);
        let bytes = self.data.get(bytes).unwrap_or_default();
        let value = bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
        value >> shift & self.max()
    }

    /// Sets the samples of a pixel.
    pub(super) fn set(&mut self, at: UVec2, value: u64) {
        let ((bytes, shift), max) = (self.place(at), self.max());
        if let Some(bytes) = self.data.get_mut(bytes) {
            for (byte, place) in bytes.iter_mut().rev().zip((0..).step_by(8)) {
                let kept = !((max << shift) >> place) as u8;
                *byte = *byte & kept | ((value << shift) >> place) as u8;
            }
        }
    }

    /// All bits of a pixel.
    fn max(&self) -> u64 {
        u64::MAX >> (64 - self.bits.clamp(1, 64))
    }

    /// True for each value that a pixel of at most 8 bits has, without those in `but`.
    pub(super) fn used(&self, but: Option<&Bits>) -> [bool; 256] {
        let mut used = [false; 256];
        for (x, y) in (0..self.size.y).flat_map(|y| (0..self.size.x).map(move |x| (x, y))) {
            if !but.is_some_and(|bits| bits.get(x, y)) {
                used[(self.get(UVec2::new(x, y)) & 255) as usize] = true;
            }
        }
        used
    }
}

/// `count` bytes of a file from `at`.
pub(super) fn bytes_at(file: &[u8], at: usize, count: usize) -> Option<&[u8]> {
    file.get(at..at.checked_add(count)?)
}

/// `count` bytes of a file from `at` as one number, the lowest first.
pub(super) fn number_at(file: &[u8], at: usize, count: usize) -> Option<u64> {
    let bytes = bytes_at(file, at, count)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_of_any_depth_is_set_without_its_neighbours() {
        let mut random = fastrand::Rng::with_seed(8);
        for bits in [1, 2, 4, 8, 16, 24, 32, 48, 64] {
            let size = UVec2::new(random.u32(1..20), random.u32(1..5));
            let stride = (size.x as usize * bits).div_ceil(8);
            let mut raw = Raw { size, bits, data: vec![0; stride * size.y as usize] };
            let mut naive = vec![0; (size.x * size.y) as usize];
            for _ in 0..200 {
                let at = UVec2::new(random.u32(0..size.x), random.u32(0..size.y));
                let value = random.u64(..) & raw.max();
                raw.set(at, value);
                naive[(at.y * size.x + at.x) as usize] = value;
            }
            for (x, y) in (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y))) {
                assert_eq!(raw.get(UVec2::new(x, y)), naive[(y * size.x + x) as usize], "{bits}");
            }
        }
    }
}
