//! Finds a shape on a transparent ground that is probably solid as a whole. A rule by lightness would make a
//! part of such a shape passable.
//!
//! The result depends only on the counts of pixels.

use super::{MaskCounts, MaskSource};
use crate::rules::MaskRule;

impl MaskSource {
    /// Returns the number of black and white pixels of a shape on a transparent ground, if the artist
    /// probably meant all of them as solid, but the mask's rule makes some of them passable. Otherwise
    /// returns `None`. The shape must be one of these:
    /// - All opaque pixels have the passable colour (white by default). The number of transparent pixels is
    ///   at least 2% of the number of opaque pixels.
    /// - The shape is black and white. Each of the two colours has at least a 32nd of the opaque pixels.
    ///   (With fewer passable pixels, the artist has probably erased walls with a pencil.) The transparent
    ///   ground has at least as many pixels as the passable colour. The passable colour touches at least a
    ///   fifth of the ground's edge. (A passable colour that is enclosed by walls is a floor.)
    pub fn passable_shape(&self) -> Option<u64> {
        let counts = &self.counts;
        let (solid, passable) = self.by_lightness([counts.black, counts.white])?;
        let others = solid + counts.gray + counts.in_planes + counts.translucent;
        let is_one_color = others == 0 && passable > 0 && counts.transparent * 50 >= passable;
        (is_one_color || self.is_in_both()).then_some(solid + passable)
    }

    /// True if all opaque pixels of the mask are probably meant as solid, whatever their colours, although
    /// the mask's rule depends on lightness. One of these must hold:
    /// - At least half of the opaque pixels are gray or coloured. The number of transparent pixels is at
    ///   least 2% of the number of opaque pixels.
    /// - The shape is black and white as in [`Self::passable_shape`].
    pub fn is_shape_in_alpha(&self) -> bool {
        let counts = &self.counts;
        let opaque = opaque(counts);
        let is_colored = counts.gray > 0 && counts.gray * 2 >= opaque;
        let is_shape = is_colored && counts.transparent * 50 >= opaque;
        is_shape && self.by_lightness([0; 2]).is_some() || self.is_in_both()
    }

    fn is_in_both(&self) -> bool {
        let counts = &self.counts;
        let pixels = self.by_lightness([counts.black, counts.white]);
        let sides = self.by_lightness([counts.black_at_clear, counts.white_at_clear]);
        pixels.zip(sides).is_some_and(|((solid, passable), (solid_sides, passable_sides))| {
            let least = solid.min(passable);
            let is_edge = passable_sides > 0 && passable_sides * 4 >= solid_sides;
            let is_large = least > 0 && least * 32 >= opaque(counts);
            is_large && counts.transparent >= passable && is_edge
        })
    }

    /// Returns the counts of black and white pixels in the order solid, passable. Returns `None` if the
    /// mask's rule does not depend on lightness.
    fn by_lightness(&self, [black, white]: [u64; 2]) -> Option<(u64, u64)> {
        match self.rule {
            MaskRule::DarkIsSolid { .. } => Some((black, white)),
            MaskRule::LightIsSolid { .. } => Some((white, black)),
            _ => None,
        }
    }
}

pub(super) fn opaque(counts: &MaskCounts) -> u64 {
    counts.black + counts.white + counts.in_planes + counts.gray
}
