//! Fixed-point pixels: the one place where a float becomes an integer.
//!
//! An `f32` is too coarse to hold a position: beyond 2^20 a step of 0.1 pixels is off by a quarter, beyond
//! 2^23 it is lost. So a position is a whole pixel and a fraction in 65,536ths of a pixel; only translations
//! are given as floats. Nothing here moves a body.

use std::fmt;

use glam::{I64Vec2, IVec2, Vec2};

/// A pixel in fixed-point numbers: see [`crate::Mover::SUBPIXELS`].
pub(crate) const SUBPIXELS: i32 = 1 << 16;

/// A translation that cannot be converted to subpixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TranslationError {
    /// A component is NaN or infinite.
    NotFinite,
    /// A component is not below 2^31 pixels.
    OutOfRange,
}

impl fmt::Display for TranslationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFinite => "the translation is not finite: it is NaN or infinite",
            Self::OutOfRange => "the translation is 2^31 pixels or more",
        })
    }
}

impl std::error::Error for TranslationError {}

/// A translation in pixels as one in 65,536ths of a pixel, rounded to the nearest, halves away from zero.
///
/// The opposite translation gives the opposite number. A multiple of 2^-16 pixels is converted exactly: zero
/// of either sign is one, and so is every `f32` of at least 128 pixels.
///
/// A translation is any pair of `f32`: a [`Vec2`] of this or another version of `glam`, a tuple or an array.
///
/// # Errors
/// [`TranslationError`] if a component is not finite, or not below 2^31 pixels.
pub fn to_subpixels(translation: impl Into<[f32; 2]>) -> Result<I64Vec2, TranslationError> {
    subpixels(translation.into().into())
}

fn subpixels(translation: Vec2) -> Result<I64Vec2, TranslationError> {
    let component = |pixels: f32| {
        if !pixels.is_finite() {
            Err(TranslationError::NotFinite)
        } else if pixels.abs() >= 2_f32.powi(31) {
            Err(TranslationError::OutOfRange)
        } else {
            // In f64 the product is exact.
            Ok((f64::from(pixels) * f64::from(SUBPIXELS)).round() as i64)
        }
    };
    let (x, y) = (component(translation.x), component(translation.y));
    match (x, y) {
        (Ok(x), Ok(y)) => Ok(I64Vec2::new(x, y)),
        (Err(TranslationError::NotFinite), _) | (_, Err(TranslationError::NotFinite)) => {
            Err(TranslationError::NotFinite)
        }
        _ => Err(TranslationError::OutOfRange),
    }
}

/// The whole pixels of a translation that starts `subpixel` from a pixel, and the subpixels left over.
///
/// Both are rounded toward zero, so that the mirrored translation gives the mirrored answer. Beyond the range
/// of `i32` the pixels saturate, and nothing is left over.
pub(crate) fn split(subpixel: IVec2, translation: I64Vec2) -> (IVec2, IVec2) {
    let component = |subpixel: i32, translation: i64| {
        let total = translation.saturating_add(i64::from(subpixel));
        match i32::try_from(total / i64::from(SUBPIXELS)) {
            Ok(whole) => (whole, (total % i64::from(SUBPIXELS)) as i32),
            Err(_) if total < 0 => (i32::MIN, 0),
            Err(_) => (i32::MAX, 0),
        }
    };
    let (x, left_x) = component(subpixel.x, translation.x);
    let (y, left_y) = component(subpixel.y, translation.y);
    (IVec2::new(x, y), IVec2::new(left_x, left_y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_finite_translations_below_the_range_are_taken() {
        let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        for bad in bad {
            for at in [Vec2::new(bad, 0.0), Vec2::new(1e20, bad)] {
                assert_eq!(to_subpixels(at), Err(TranslationError::NotFinite));
            }
        }
        for far in [1e20, -1e38, 2_147_483_648.0] {
            let far = to_subpixels(Vec2::new(0.0, far));
            assert_eq!(far, Err(TranslationError::OutOfRange));
        }
        let tiny = to_subpixels(Vec2::new(-0.0, f32::MIN_POSITIVE / 2.0));
        assert_eq!(tiny, Ok(I64Vec2::ZERO));
        let most = to_subpixels(Vec2::splat(2_147_483_520.0)).unwrap();
        assert_eq!(most.x, 2_147_483_520 << 16);
    }

    #[test]
    fn the_mirrored_translation_is_the_mirrored_number() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..10_000 {
            let at = Vec2::new(random.f32() * 100.0 - 50.0, random.f32() - 0.5);
            let there = to_subpixels(at).unwrap();
            assert_eq!(to_subpixels(-at).unwrap(), -there);
            let rest = IVec2::new(random.i32(-65_535..65_536), random.i32(-65_535..65_536));
            let (whole, left) = split(rest, there);
            assert_eq!(split(-rest, -there), (-whole, -left));
            let sum = whole.as_i64vec2() * 65_536 + left.as_i64vec2();
            assert_eq!(sum, rest.as_i64vec2() + there);
        }
        assert_eq!(split(IVec2::ZERO, I64Vec2::MIN).0, IVec2::MIN);
        assert_eq!(split(IVec2::ONE, I64Vec2::MAX), (IVec2::MAX, IVec2::ZERO));
    }
}
