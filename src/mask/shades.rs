//! The kernels for opaque pixels that a rule judges by their lightness: gray ones by a byte, and others by
//! their luma. No pixel is looked at by itself unless its colour must be counted.

use glam::UVec2;

use super::class::{MaskRules, PixelClass, PixelKind};
use super::lanes::{Lanes, which};
use super::odd::{Odd, WEIGHTED_WHITE, weighted};
use super::rows::{BLOCK, Known, Rows};
use crate::rules::MaskRule;
use crate::rules::mask::Pixel;

/// Values of a block that are looked for all at once; from then on each pixel is counted by itself.
const MAX_SEARCHES: u32 = 2;

/// As many pixels are counted one by one as fast as one search is.
const FEW: u32 = 6;

/// After so many misses without a hit between them the mask has many shades: only black and white are likely
/// for the rest of the picture.
const MAX_MISSES: u32 = 4;

/// Black and white.
const PLAIN: [u8; 2] = [0, 255];

/// The opaque shades of gray of 8 bits a sample.
pub(super) struct Shades {
    /// The class of each shade.
    known: Box<[Known; 256]>,
    /// The shade from which on all but the last are of another class than those from 1 on; `None` if the
    /// classes of the gray ones are not two such runs.
    limit: Option<u8>,
    /// The two shades that a block is likely to have.
    likely: [u8; 2],
    /// The blocks with other shades than the two likely ones since the last block without. While black and
    /// white are the likely ones, none is counted.
    misses: u32,
}

impl Shades {
    /// `pixel_of` makes the pixel of a shade. `None` if the classes are too many for numbers of a byte.
    pub(super) fn new(
        rules: &MaskRules<'_>,
        rows: &mut Rows,
        pixel_of: impl Fn(u32) -> Pixel,
    ) -> Option<Self> {
        let known: Box<[Known; 256]> =
            Box::new(std::array::from_fn(|shade| rows.know(rules, &pixel_of(shade as u32))));
        let inner = &known[1..255];
        let first = inner.iter().take_while(|known| known.class == inner[0].class).count();
        let is_run = inner[first..].iter().all(|known| known.class == inner[253].class);
        let is_gray = inner.iter().all(|known| matches!(known.odd, Odd::Gray(_)));
        // There are at most 254 of them, so that the limit is at most 255.
        let limit = (is_run && is_gray).then_some(first as u8 + 1);
        (rows.classes.len() <= 256).then_some(Self { known, limit, likely: PLAIN, misses: 0 })
    }

    /// Adds the pixels in `rest`, all of one shade, as word `at` of a row. The block of `rows` has them.
    #[inline(always)]
    pub(super) fn add_uniform(&self, shade: u8, rest: u64, rows: &mut Rows, at: usize) {
        rows.start_block();
        rows.put_and_add(at, self.known[usize::from(shade)], rest);
    }

    /// Splits the pixels in `rest`, which are word `at` of a row. True if the block of `rows` has them, so
    /// that the next one can be added like it.
    #[inline(always)]
    pub(super) fn split<const STEP: usize>(
        &mut self,
        lanes: &Lanes<STEP>,
        rest: u64,
        rows: &mut Rows,
        at: usize,
    ) -> bool {
        if let (PLAIN, Some(limit)) = (self.likely, self.limit) {
            let gray = lanes.inner() & rest;
            return self.split_gray(lanes, rest, gray, limit, rows, at);
        }
        if lanes.has_only(self.likely) {
            let [one, other] = self.likely;
            let first = lanes.equal(one) & rest;
            self.misses = 0;
            self.keep(rows, at, [(one, first), (other, rest & !first)]);
            return true;
        }
        self.misses += 1;
        self.likely = PLAIN;
        match self.limit {
            Some(limit) => {
                let gray = lanes.inner() & rest;
                self.split_gray(lanes, rest, gray, limit, rows, at)
            }
            None => {
                self.split_by_class(lanes, rest, rows, at);
                false
            }
        }
    }

    /// Adds the pixels of two shades, as word `at`. The block of `rows` has them.
    #[inline(always)]
    fn keep(&self, rows: &mut Rows, at: usize, shades: [(u8, u64); 2]) {
        rows.start_block();
        for (shade, bits) in shades {
            if bits != 0 {
                rows.put_and_add(at, self.known[usize::from(shade)], bits);
            }
        }
    }

    /// As [`Self::split`], where `gray` are the pixels that are neither black nor white.
    #[inline(always)]
    fn split_gray<const STEP: usize>(
        &mut self,
        lanes: &Lanes<STEP>,
        rest: u64,
        gray: u64,
        limit: u8,
        rows: &mut Rows,
        at: usize,
    ) -> bool {
        // Black is dark and white is light, for the limit is from 1 to 255.
        let dark = lanes.below(limit) & rest;
        let (black, white) = (dark & !gray, rest & !dark & !gray);
        if gray == 0 {
            self.keep(rows, at, [(PLAIN[0], black), (PLAIN[1], white)]);
            return true;
        }
        let light = gray & !dark;
        for (shade, bits) in [(0, black), (255, white), (1, gray & dark), (254, light)] {
            rows.add(at, self.known[shade].class, bits);
        }
        if gray == rest && self.misses < MAX_MISSES {
            // A mask of two levels has no other colours; in other masks those are at the edges.
            let first = lanes.get(rest.trailing_zeros());
            let left = rest & !lanes.equal(first);
            self.likely = [first, lanes.get(left.trailing_zeros())];
        }
        if !rows.is_passed_over {
            self.count(lanes, gray, rows, at);
        }
        false
    }

    /// As [`Self::split`], by the class of each shade.
    #[inline(always)]
    fn split_by_class<const STEP: usize>(
        &self,
        lanes: &Lanes<STEP>,
        rest: u64,
        rows: &mut Rows,
        at: usize,
    ) {
        let class = |shade| self.known[usize::from(shade)].class as u8;
        let classes = Lanes::<STEP>(lanes.0.map(class));
        let mut left = rest;
        while left != 0 {
            let class = classes.get(left.trailing_zeros());
            let bits = classes.equal(class) & left;
            rows.add(at, class.into(), bits);
            left ^= bits;
        }
        if !rows.is_passed_over {
            self.count(lanes, rest, rows, at);
        }
    }

    /// Counts the odd pixels among `left` by their shades.
    #[inline(always)]
    fn count<const STEP: usize>(
        &self,
        lanes: &Lanes<STEP>,
        mut left: u64,
        rows: &mut Rows,
        at: usize,
    ) {
        for _ in 0..MAX_SEARCHES {
            if left.count_ones() <= FEW {
                break;
            }
            let shade = lanes.get(left.trailing_zeros());
            let bits = lanes.equal(shade) & left;
            rows.add_color(at, self.known[usize::from(shade)].odd, bits);
            left ^= bits;
        }
        let y = rows.y;
        let odd = rows.odd.get_or_insert_default();
        while left != 0 {
            let x = left.trailing_zeros();
            let shade = lanes.get(x);
            let first = UVec2::new((at * BLOCK) as u32 + x, y);
            match self.limit {
                Some(_) => odd.colors.add_shade(shade, 1, first),
                None => odd.add_color(self.known[usize::from(shade)].odd, 1, first),
            }
            left &= left - 1;
        }
    }
}

/// Opaque colours of 8 bits a sample under a rule that asks how light a pixel is, without planes.
pub(super) struct Lights {
    /// The weighted luma from which on a pixel is light.
    limit: u32,
    /// The classes of black, of white, of other dark and of other light pixels.
    classes: [u32; 4],
}

impl Lights {
    /// `None` for another rule, and if there are planes.
    pub(super) fn new(rules: &MaskRules<'_>, rows: &mut Rows) -> Option<Self> {
        let (threshold, is_dark_solid) = match *rules.rule {
            _ if !rules.planes.is_empty() => return None,
            MaskRule::DarkIsSolid { threshold } => (threshold, true),
            MaskRule::LightIsSolid { threshold } => (threshold, false),
            _ => return None,
        };
        let limit = weighted([threshold; 3]);
        let class = |kind, weighted| PixelClass {
            kind,
            solid: (weighted < limit) == is_dark_solid,
            areas: 0,
        };
        let black = class(PixelKind::Black, 0);
        let white = class(PixelKind::White, WEIGHTED_WHITE);
        let grays = [is_dark_solid, !is_dark_solid];
        let [dark, light] = grays.map(|solid| PixelClass { solid, ..class(PixelKind::Gray, 0) });
        Some(Self { limit, classes: [black, white, dark, light].map(|class| rows.number(class)) })
    }

    /// Splits the pixels in `rest`, which are word `at` of a row; false if some are not opaque. The first
    /// three bytes of a pixel are red, green and blue, and the fourth its opacity.
    #[inline(always)]
    pub(super) fn split<const BYTES: usize>(
        &self,
        pixels: &[[u8; BYTES]; BLOCK],
        rest: u64,
        rows: &mut Rows,
        at: usize,
    ) -> bool {
        let (mut lumas, mut clear) = ([0; BLOCK], 0);
        for (luma, pixel) in lumas.iter_mut().zip(pixels) {
            *luma = weighted([pixel[0], pixel[1], pixel[2]]);
            clear |= !pixel.get(3).copied().unwrap_or(255);
        }
        if clear != 0 {
            return false;
        }
        let black = rest & which(&lumas, |luma| luma == 0);
        let white = rest & which(&lumas, |luma| luma == WEIGHTED_WHITE);
        let gray = rest & !(black | white);
        let dark = gray & which(&lumas, |luma| luma < self.limit);
        for (class, bits) in self.classes.into_iter().zip([black, white, dark, gray & !dark]) {
            rows.add(at, class, bits);
        }
        if !rows.is_passed_over {
            let mut left = gray;
            while left != 0 {
                let [red, green, blue, ..] = pixels[left.trailing_zeros() as usize][..] else {
                    break;
                };
                rows.add_color(at, Odd::Gray([red, green, blue]), left & left.wrapping_neg());
                left &= left - 1;
            }
        }
        true
    }
}
