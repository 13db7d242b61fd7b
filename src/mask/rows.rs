//! The classes of a picture's pixels, and the pixels of each class in one row.
//!
//! Plain data that the kernels fill; no file, no rule for a colour.

use glam::UVec2;

use super::class::{MaskRules, PixelClass};
use super::odd::{Odd, OddPixels};
use crate::rules::mask::Pixel;

/// Pixels that are split together: the bits of a word.
pub(super) const BLOCK: usize = 64;

/// The pixels of one class in a row.
#[derive(Debug)]
pub(super) struct ClassRow {
    pub(super) class: PixelClass,
    /// Bit `i` of word `w` is set if the pixel at x = 64 w + i is one of them.
    pub(super) words: Vec<u64>,
    /// False only if all words are 0.
    pub(super) is_used: bool,
}

/// The class of a pixel's value: its number in [`Rows`], and what is odd about the value.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    pub(super) class: u32,
    pub(super) odd: Odd,
}

/// The most values in a block of few values.
pub(super) const MAX_VALUES: usize = 4;

/// The classes met so far, and their pixels in one row.
#[derive(Default)]
pub(super) struct Rows {
    /// Each class once. There are few: one for each kind of pixel, solid or not, and each set of areas.
    pub(super) classes: Vec<ClassRow>,
    /// The values of a block of few values.
    values: [Known; MAX_VALUES],
    /// Their pixels. Pairs would be written in halves and read whole, for which a processor waits.
    bits: [u64; MAX_VALUES],
    /// The number of values in the block.
    used: usize,
    /// The bits of a row of 1-bit pixels.
    pub(super) ones: Vec<u64>,
    pub(super) width: usize,
    /// The row that is split.
    pub(super) y: u32,
    /// `None` before the first odd pixel.
    pub(super) odd: Option<Box<OddPixels>>,
    /// True if the colours of odd pixels in this row are not looked at.
    pub(super) is_passed_over: bool,
}

impl Rows {
    pub(super) fn new(width: u32) -> Self {
        Self { width: width as usize, ..Self::default() }
    }

    /// Empties the rows of all classes, for row `y`.
    pub(super) fn start(&mut self, y: u32) {
        for row in self.classes.iter_mut().filter(|row| row.is_used) {
            row.words.fill(0);
            row.is_used = false;
        }
        self.y = y;
        self.is_passed_over = self.odd.as_ref().is_some_and(|odd| odd.is_passed_over(y));
    }

    /// The number of a class, that is, its place in `classes`.
    pub(super) fn number(&mut self, class: PixelClass) -> u32 {
        let known = self.classes.iter().position(|row| row.class == class);
        let number = known.unwrap_or_else(|| {
            let words = vec![0; self.width.div_ceil(BLOCK)];
            self.classes.push(ClassRow { class, words, is_used: false });
            self.classes.len() - 1
        });
        number as u32
    }

    pub(super) fn know(&mut self, rules: &MaskRules<'_>, pixel: &Pixel) -> Known {
        let class = rules.classify(pixel);
        Known { class: self.number(class), odd: Odd::of(class, pixel) }
    }

    /// Adds pixels of one class in word `at`; their colours are added by [`Self::add_color`].
    #[inline(always)]
    pub(super) fn add(&mut self, at: usize, class: u32, bits: u64) {
        let row = &mut self.classes[class as usize];
        row.words[at] |= bits;
        row.is_used |= bits != 0;
    }

    /// Adds the odd colour of the pixels in word `at`, unless this row is passed over.
    #[inline(always)]
    pub(super) fn add_color(&mut self, at: usize, odd: Odd, bits: u64) {
        if odd != Odd::No && !self.is_passed_over {
            let first = UVec2::new((at * BLOCK) as u32 + bits.trailing_zeros(), self.y);
            self.odd.get_or_insert_default().add_color(odd, bits.count_ones().into(), first);
        }
    }

    /// Forgets the block before.
    #[inline(always)]
    pub(super) fn start_block(&mut self) {
        self.used = 0;
    }

    /// Puts pixels of one value in the block; false if it has as many values as there is room for.
    #[inline(always)]
    pub(super) fn put(&mut self, known: Known, bits: u64) -> bool {
        let used = self.used;
        if used == MAX_VALUES {
            return false;
        }
        (self.values[used], self.bits[used]) = (known, bits);
        self.used += 1;
        true
    }

    /// Adds the pixels in the block, as word `at`.
    #[inline(always)]
    pub(super) fn add_block(&mut self, at: usize) {
        for index in 0..self.used.min(MAX_VALUES) {
            let (known, bits) = (self.values[index], self.bits[index]);
            self.add(at, known.class, bits);
            self.add_color(at, known.odd, bits);
        }
    }

    /// Adds the pixels of 1 bit that are 1 after the flips.
    #[cold]
    pub(super) fn add_odd_bits(&mut self, odd: Odd, flips: u64) {
        let last = self.width.div_ceil(BLOCK) - 1;
        let words = self.ones.iter().take(last + 1).enumerate().map(|(at, ones)| {
            let inside = if at == last { in_last_block(self.width) } else { u64::MAX };
            (at, (ones ^ flips) & inside)
        });
        let used: Vec<(usize, u64)> = words.filter(|(_, word)| *word != 0).collect();
        if let Some((at, word)) = used.first() {
            let count = used.iter().map(|(_, word)| u64::from(word.count_ones())).sum();
            let first = UVec2::new((at * BLOCK) as u32 + word.trailing_zeros(), self.y);
            self.odd.get_or_insert_default().add_color(odd, count, first);
        }
    }
}

/// The bits of the last block of a row that are pixels.
pub(super) fn in_last_block(width: usize) -> u64 {
    u64::MAX >> (width.wrapping_neg() % BLOCK)
}
