//! The largest pictures that are written. Larger ones are scaled down, not refused.

use super::target::Format;
use crate::glam::UVec2;
use crate::render::{MAX_BANDED_PIXELS, MAX_FITTED_SIDE, MAX_PIXELS};

/// The sizes that a format has room for.
pub(super) struct Room {
    pixels: u64,
    side: u32,
}

impl Room {
    pub(super) fn of(format: Format) -> Self {
        match format {
            Format::Png => Self { pixels: MAX_BANDED_PIXELS, side: MAX_FITTED_SIDE },
            // Its encoder takes the picture in one piece.
            Format::Jpeg => Self { pixels: MAX_PIXELS, side: u16::MAX.into() },
        }
    }

    /// True if there is room for a picture of this size.
    pub(super) fn holds(&self, size: UVec2) -> bool {
        let size = size.as_u64vec2();
        size.element_product() <= self.pixels && size.max_element() <= self.side.into()
    }

    /// The largest size of the shape of `size` for which there is room.
    pub(super) fn fitting(&self, size: (u64, u64)) -> UVec2 {
        let (width, height) = (size.0.max(1) as f64, size.1.max(1) as f64);
        let by_pixels = (self.pixels as f64 / (width * height)).sqrt();
        let by_side = f64::from(self.side) / width.max(height);
        // A float's last digit must not lead over the limit.
        let ratio = by_pixels.min(by_side).min(1.0) * (1.0 - 1e-9);
        let side = |length: f64| ((length * ratio) as u32).max(1);
        let (width, height) = (side(width), side(height));
        // A picture of one row or column would have more pixels than its ratio says.
        let most = |other: u32| u32::try_from(self.pixels / u64::from(other)).unwrap_or(u32::MAX);
        UVec2::new(width.min(most(height)), height.min(most(width)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fitting_size_has_room_and_is_the_largest() {
        for format in [Format::Png, Format::Jpeg] {
            let room = Room::of(format);
            for size in [(1 << 31, 3), (5, 1 << 32), (1 << 40, 1), (40_000, 2), (1, 1)] {
                let fit = room.fitting(size);
                assert!(room.holds(fit) && fit.min_element() > 0, "{size:?} to {fit}");
            }
            for size in [(1 << 16, 1 << 16), (1 << 33, 1 << 32), (50_000, 90_000)] {
                let fit = room.fitting(size);
                assert!(room.holds(fit), "{size:?} to {fit}");
                assert!(!room.holds(fit + fit / 1_000), "{size:?} to {fit}");
            }
        }
    }
}
