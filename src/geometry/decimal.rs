//! Exact numbers for pixels: the decimal numbers of Tiled's files, subpixels, and the directions of angles.
//!
//! A coordinate of a map is stored in millionths of a pixel, so it is exact to six decimal places. For
//! example, `10.3 + 4.2` is `14.5` on every platform. A float translation is converted to 65,536ths of a
//! pixel, because `f32` is too coarse for positions: beyond 2^20 pixels, a step of 0.1 pixels is off by a
//! quarter. The direction of an angle is computed with sums and products only, whose bits IEEE 754 defines.
//! The sine functions of different systems differ in the last bit.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
use std::fmt;

use glam::{DVec2, I64Vec2, IVec2, Vec2};

/// A decimal number of a map file, stored as whole millionths: a coordinate in pixels, or an angle in
/// degrees. A sum beyond the range of `i64` saturates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal(i64);

const UNIT: i64 = 1_000_000;

impl Decimal {
    /// The number 0.
    pub const ZERO: Self = Self(0);

    /// The number of millionths in one pixel or one degree.
    pub const PER_PIXEL: i64 = UNIT;

    /// Returns the number `millionths` / 1,000,000.
    pub const fn from_millionths(millionths: i64) -> Self {
        Self(millionths)
    }

    /// Returns the decimal number that equals the whole number `pixels`.
    pub fn from_pixels(pixels: i32) -> Self {
        Self(i64::from(pixels) * UNIT)
    }

    /// Returns the number in millionths.
    pub const fn millionths(self) -> i64 {
        self.0
    }

    /// Parses a decimal number such as `-12.5` or `1e-7`, and rounds it to millionths. Returns `None` if
    /// `text` is not a number or its magnitude is above `limit`.
    #[cfg(feature = "tmx")]
    pub(crate) fn parse(text: &str, limit: u32) -> Option<Self> {
        // Most numbers in a map are whole and short, so they take this fast path.
        if text.len() <= 6 && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let whole = text.bytes().fold(0, |whole, digit| whole * 10 + u32::from(digit - b'0'));
            return (whole <= limit).then_some(Self(i64::from(whole) * UNIT));
        }
        let (negative, unsigned) = match text.as_bytes() {
            [b'-', ..] => (true, &text[1..]),
            [b'+', ..] => (false, &text[1..]),
            _ => (false, text),
        };
        let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
            Some(at) => (&unsigned[..at], unsigned[at + 1..].parse::<i32>().ok()?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.len() + fraction.len() == 0 || mantissa.len() > 64 {
            return None;
        }
        // The number of digits before the decimal point when the number is written in millionths.
        let point = (whole.len() as i64).checked_add(i64::from(exponent))?.checked_add(6)?;
        let limit = i64::from(limit) * UNIT;
        let digits = whole.bytes().chain(fraction.bytes());
        if !digits.clone().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let mut digits = digits.map(|digit| i64::from(digit - b'0'));
        let mut value: i64 = 0;
        for _ in 0..point {
            let digit = digits.next();
            if digit.is_none() && value == 0 {
                break;
            }
            value = value * 10 + digit.unwrap_or(0);
            if value > limit {
                return None;
            }
        }
        let next = digits.next().filter(|_| point >= 0);
        value += i64::from(next.is_some_and(|digit| digit >= 5));
        (value <= limit).then_some(Self(if negative { -value } else { value }))
    }

    /// Returns the first whole pixel whose centre is at or after this coordinate. The interval from a to b
    /// covers the pixels `a.pixel()..b.pixel()`. So intervals that share an end cover each pixel once.
    pub(crate) fn pixel(self) -> i64 {
        let from_centre = self.0.saturating_sub(UNIT / 2);
        from_centre.div_euclid(UNIT) + i64::from(from_centre.rem_euclid(UNIT) != 0)
    }

    #[cfg(feature = "tmx")]
    pub(crate) fn floor(self) -> i64 {
        self.0.div_euclid(UNIT)
    }

    /// Returns the nearest `f64`, for drawing.
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / UNIT as f64
    }
}

impl std::ops::Add for Decimal {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::ops::Sub for Decimal {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl std::ops::Neg for Decimal {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

/// A point, a displacement or a size, with exact decimal coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// The x coordinate. It grows to the right.
    pub x: Decimal,
    /// The y coordinate. It grows downward.
    pub y: Decimal,
}

impl Point {
    /// Returns the coordinates as floats, each rounded to the nearest `f64`.
    pub fn as_dvec2(self) -> DVec2 {
        DVec2::new(self.x.as_f64(), self.y.as_f64())
    }

    /// Returns [`Decimal::pixel`] of both coordinates, clamped to the range of `i32`.
    #[cfg(feature = "tmx")]
    pub(crate) fn pixel(self) -> IVec2 {
        IVec2::new(super::saturated(self.x.pixel()), super::saturated(self.y.pixel()))
    }
}

impl std::ops::Add for Point {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl std::ops::Sub for Point {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

/// The number of subpixels in one pixel. See [`crate::Mover::SUBPIXELS`].
pub(crate) const SUBPIXELS: i32 = 1 << 16;

/// The limit of a translation: 2^31 pixels. A translation must be below this limit. A greater velocity counts
/// as this limit.
const MOST_PIXELS: f32 = 2_147_483_648.0;

/// The reason why a translation could not be converted to subpixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TranslationError {
    /// A component is NaN or infinite.
    NotFinite,
    /// A component is 2^31 pixels or more, in either direction.
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

/// Converts a translation in pixels to subpixels, which are 65,536ths of a pixel. The result is rounded to
/// the nearest subpixel; a half is rounded away from zero.
///
/// Opposite translations give opposite results. A multiple of 2^-16 pixels is converted exactly. So is every
/// `f32` of at least 128 pixels.
#[inline]
pub(crate) fn to_subpixels(translation: impl Into<[f32; 2]>) -> Result<I64Vec2, TranslationError> {
    let translation: [f32; 2] = translation.into();
    // False for NaN.
    if translation.iter().all(|pixels| pixels.abs() < MOST_PIXELS) {
        return Ok(translation.map(|pixels| rounded(pixels.into())).into());
    }
    let is_finite = translation.iter().all(|pixels| pixels.is_finite());
    Err(if is_finite { TranslationError::OutOfRange } else { TranslationError::NotFinite })
}

/// Converts a number of pixels to subpixels like [`to_subpixels`], but cannot fail. NaN and infinity give 0.
/// A magnitude above 2^31 pixels counts as 2^31.
pub(crate) const fn subpixels(pixels: f64) -> i64 {
    if !pixels.is_finite() {
        return 0;
    }
    let most = MOST_PIXELS as f64;
    rounded(pixels.clamp(-most, most))
}

/// Converts at most 2^31 pixels to the nearest number of subpixels.
#[inline]
const fn rounded(pixels: f64) -> i64 {
    // The product is exact. For an `f32`, the sum is also exact near whole numbers, where an error could
    // change the result.
    let exact = pixels * SUBPIXELS as f64;
    (exact + 0.5_f64.copysign(exact)) as i64
}

/// Converts subpixels to pixels, rounded to the nearest `f32`.
pub(crate) fn to_pixels(subpixels: I64Vec2) -> Vec2 {
    (subpixels.as_dvec2() / f64::from(SUBPIXELS)).as_vec2()
}

/// Splits the sum `subpixel + translation` into whole pixels and the remaining subpixels. The pixels are
/// rounded toward zero, so mirrored translations give mirrored results. Beyond the range of `i32`, the pixels
/// saturate and no subpixels remain.
pub(crate) fn split(subpixel: IVec2, translation: I64Vec2) -> (IVec2, IVec2) {
    let (x, left_x) = split_along(subpixel.x, translation.x);
    let (y, left_y) = split_along(subpixel.y, translation.y);
    (IVec2::new(x, y), IVec2::new(left_x, left_y))
}

/// [`split`] along one axis.
fn split_along(subpixel: i32, translation: i64) -> (i32, i32) {
    let total = translation.saturating_add(i64::from(subpixel));
    match i32::try_from(total / i64::from(SUBPIXELS)) {
        Ok(whole) => (whole, (total % i64::from(SUBPIXELS)) as i32),
        Err(_) if total < 0 => (i32::MIN, 0),
        Err(_) => (i32::MAX, 0),
    }
}

/// A quarter turn in radians, as the sum of two numbers. The first number has 33 bits, so its products with
/// whole numbers up to 2^20 are exact.
const QUARTER: [f64; 2] = [1.570_796_326_734_125_6, 6.077_100_506_506_192e-11];

/// Returns the unit vector at `angle` radians from the x axis toward the y axis. Each coordinate is exact to
/// 1e-15. `angle` must be finite. Beyond 2^18 turns the result is still a unit vector, but its error grows.
pub(crate) fn direction(angle: f64) -> DVec2 {
    let quarters = (angle / FRAC_PI_2).round();
    let rest = (angle - quarters * QUARTER[0]) - quarters * QUARTER[1];
    // The clamp is needed for an angle so large that it has no digits for a part of a turn.
    let rest = rest.clamp(-FRAC_PI_4, FRAC_PI_4);
    let cos = series(1.0, rest, 1.0);
    let sin = series(rest, rest, 2.0);
    match quarters.rem_euclid(4.0) as u8 {
        0 => DVec2::new(cos, sin),
        1 => DVec2::new(-sin, cos),
        2 => DVec2::new(-cos, -sin),
        _ => DVec2::new(sin, -cos),
    }
}

/// Returns the sum of the Taylor series of a sine or a cosine. `first` is its first term. Each later term is
/// the previous term times `-angle * angle`, divided by `divisor` and by `divisor + 1`. Then `divisor` grows
/// by 2. For an angle up to an eighth of a turn, the ninth term is below the last bit of the sum.
fn series(first: f64, angle: f64, divisor: f64) -> f64 {
    let square = angle * angle;
    let mut term = first;
    let mut divisor = divisor;
    let terms: [f64; 10] = std::array::from_fn(|_| {
        let this = term;
        term *= -square / (divisor * (divisor + 1.0));
        divisor += 2.0;
        this
    });
    // The smallest terms are added first, which loses less in rounding.
    terms.iter().rev().sum()
}

#[cfg(all(test, feature = "tmx"))]
mod tests;
