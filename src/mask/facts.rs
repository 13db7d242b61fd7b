//! Facts about a mask: its format, and how many pixels of each kind it has.
//!
//! They are not judged here: whether gray pixels are a fault is for `verify` to say.

use glam::{IVec2, UVec2};

use super::class::{PixelClass, PixelKind};
use crate::geometry::Aabb;
use crate::rules::{MaskPlane, MaskRule};

/// Facts about a mask picture.
#[derive(Clone, Debug, PartialEq)]
pub struct MaskSource {
    /// The rule that decided which pixels are solid.
    pub rule: MaskRule,
    /// The colours that were made areas.
    pub planes: Vec<MaskPlane>,
    /// How many pixels of each kind it has.
    pub counts: MaskCounts,
    /// The file format, the colour type and the bit depth: `PNG, 8-bit palette`.
    pub format: String,
    /// True for an animated picture, of which only the first frame was read; of a PNG the default image.
    pub animated: bool,
}

/// How many pixels of each kind a mask has.
///
/// Every pixel is of one kind: black + white + in_planes + gray + translucent + transparent is all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MaskCounts {
    /// Pixels that the rule made solid.
    pub solid: u64,
    /// Opaque and exactly black.
    pub black: u64,
    /// Opaque and exactly white.
    pub white: u64,
    /// Opaque and of the colour of a [`crate::rules::MaskPlane`].
    pub in_planes: u64,
    /// Opaque and neither black nor white, of any colour that no plane has.
    pub gray: u64,
    /// The first gray pixel, row by row.
    pub first_gray: Option<UVec2>,
    /// The smallest box around the gray pixels.
    pub gray_extent: Option<Aabb>,
    /// Neither opaque nor fully transparent.
    pub translucent: u64,
    /// The first translucent pixel, row by row.
    pub first_translucent: Option<UVec2>,
    /// The smallest box around the translucent pixels.
    pub translucent_extent: Option<Aabb>,
    /// Fully transparent.
    pub transparent: u64,
    /// The sides of black pixels that are sides of transparent ones.
    pub black_at_clear: u64,
    /// The sides of white pixels that are sides of transparent ones.
    pub white_at_clear: u64,
}

impl MaskCounts {
    /// Adds the `count` pixels of one class in row `y`. The rows must come from top to bottom.
    pub(super) fn add(&mut self, y: u32, class: PixelClass, words: &[u64], count: u64) {
        self.solid += if class.solid { count } else { 0 };
        match class.kind {
            PixelKind::Black => self.black += count,
            PixelKind::White => self.white += count,
            PixelKind::Plane => self.in_planes += count,
            PixelKind::Gray => {
                self.gray += count;
                include(&mut self.first_gray, &mut self.gray_extent, y, words);
            }
            PixelKind::Translucent => {
                self.translucent += count;
                let (first, extent) = (&mut self.first_translucent, &mut self.translucent_extent);
                include(first, extent, y, words);
            }
            PixelKind::Transparent => self.transparent += count,
        }
    }
}

/// Makes a first pixel and an extent take in pixels. The limits keep both sides far below `i32::MAX`.
fn include(first: &mut Option<UVec2>, extent: &mut Option<Aabb>, y: u32, words: &[u64]) {
    let mut used = (0..).step_by(64).zip(words).filter(|(_, word)| **word != 0);
    let Some((x, word)) = used.next() else {
        return;
    };
    let left = UVec2::new(x + word.trailing_zeros(), y);
    let (x, word) = used.last().unwrap_or((x, word));
    let right = x + 64 - word.leading_zeros();
    // The classes of a row do not come by their first pixels.
    let first = first.get_or_insert(left);
    if first.y == y {
        first.x = first.x.min(left.x);
    }
    let (min, max) = (left.as_ivec2(), IVec2::new(right as i32, y as i32 + 1));
    let extent = extent.get_or_insert(Aabb { min, max });
    (extent.min, extent.max) = (extent.min.min(min), extent.max.max(max));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::mask::Pixel;

    #[test]
    fn kinds_are_exact_at_every_depth() {
        for max in [1, 3, 15, 255, 65_535] {
            let kind = |value, alpha| {
                let rgb = [value; 3];
                PixelKind::of(&Pixel { rgb, alpha, max })
            };
            assert_eq!(kind(0, max), PixelKind::Black);
            assert_eq!(kind(max, max), PixelKind::White);
            assert_eq!(kind(max, 0), PixelKind::Transparent);
            if max > 1 {
                assert_eq!(kind(1, max), PixelKind::Gray);
                assert_eq!(kind(0, max - 1), PixelKind::Translucent);
            }
        }
        let (rgb, alpha, max) = ([0, 0, 1], 1, 1);
        let blue = Pixel { rgb, alpha, max };
        assert_eq!(PixelKind::of(&blue), PixelKind::Gray, "any other colour");
    }

    #[test]
    fn the_first_pixel_is_the_leftmost_of_its_row() {
        let mut counts = MaskCounts::default();
        let class = |solid| PixelClass { kind: PixelKind::Gray, solid, areas: 0 };
        counts.add(1, class(true), &[0, 0], 0);
        counts.add(2, class(true), &[1 << 7 | 1 << 9, 0], 2);
        counts.add(2, class(false), &[1 << 5, 0], 1);
        counts.add(8, class(true), &[0, 0b11], 2);
        assert_eq!(counts.first_gray, Some(UVec2::new(5, 2)));
        assert_eq!(counts.gray_extent, Some(Aabb::from_xywh(5, 2, 61, 7)));
        assert_eq!((counts.gray, counts.solid), (5, 4));
        assert_eq!((counts.translucent, counts.first_translucent), (0, None));
    }
}
