//! Numbers that become whole pixels: decimals as Tiled writes them, floats, and angles. A map's coordinate is
//! kept in millionths of a pixel, exact to six decimal places: `10.3 + 4.2` is `14.5` on every platform. A
//! translation given as a float becomes 65,536ths of a pixel: an `f32` is too coarse to hold a position
//! (beyond 2^20 a step of 0.1 pixels is off by a quarter). The direction of an angle is computed with sums
//! and products only, which IEEE 754 defines to the bit; the sine functions of different systems differ in
//! the last bit.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
use std::fmt;

use glam::{DVec2, I64Vec2, IVec2, Vec2};

/// A decimal number of a map file, in whole millionths: a coordinate in pixels, or an angle in degrees. Sums
/// saturate at the ends of `i64`; the limited coordinates of a map never come near them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal(i64);

const UNIT: i64 = 1_000_000;

impl Decimal {
    /// The number 0.
    pub const ZERO: Self = Self(0);

    /// The millionths in a pixel, or in a degree.
    pub const PER_PIXEL: i64 = UNIT;

    /// The number that has this many `millionths`.
    pub const fn from_millionths(millionths: i64) -> Self {
        Self(millionths)
    }

    /// The decimal of a whole number of `pixels`.
    pub fn from_pixels(pixels: i32) -> Self {
        Self(i64::from(pixels) * UNIT)
    }

    /// This number in millionths.
    pub const fn millionths(self) -> i64 {
        self.0
    }

    /// The number written as `text` (`-12.5`, `1e-7`), rounded to millionths. `None` if `text` is not a
    /// decimal number, or if its magnitude is above `limit` whole units.
    #[cfg(feature = "tmx")]
    pub(crate) fn parse(text: &str, limit: u32) -> Option<Self> {
        // Most numbers in a map are whole and short.
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
        // The number of digits before the decimal point, for the number in millionths.
        let point = (whole.len() as i64).checked_add(i64::from(exponent))?.checked_add(6)?;
        let limit = i64::from(limit) * UNIT;
        let mut value: i64 = 0;
        let mut rounds_up = false;
        for (place, digit) in (0..).zip(whole.bytes().chain(fraction.bytes())) {
            if !digit.is_ascii_digit() {
                return None;
            }
            let digit = i64::from(digit - b'0');
            if place < point {
                value = value * 10 + digit;
                if value > limit {
                    return None;
                }
            } else if place == point {
                rounds_up = digit >= 5;
            }
        }
        let digits = (whole.len() + fraction.len()) as i64;
        if value != 0 {
            for _ in digits..point {
                value *= 10;
                if value > limit {
                    return None;
                }
            }
        }
        value += i64::from(rounds_up);
        (value <= limit).then_some(Self(if negative { -value } else { value }))
    }

    /// The first whole pixel whose centre is at or after this coordinate. An interval from a to b covers the
    /// pixels `a.pixel()..b.pixel()`: those whose centre it holds. So intervals that share an end cover each
    /// pixel once.
    pub(crate) fn pixel(self) -> i64 {
        let from_centre = self.0.saturating_sub(UNIT / 2);
        from_centre.div_euclid(UNIT) + i64::from(from_centre.rem_euclid(UNIT) != 0)
    }

    #[cfg(feature = "tmx")]
    pub(crate) fn floor(self) -> i64 {
        self.0.div_euclid(UNIT)
    }

    /// The nearest `f64`, for drawing.
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

/// A point, a displacement or a size, in exact decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// The x coordinate, which grows to the right.
    pub x: Decimal,
    /// The y coordinate, which grows downward.
    pub y: Decimal,
}

impl Point {
    /// Applies [`Decimal::pixel`] to both axes, clamped to the range of `i32`.
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

/// The number of subpixels in a pixel: see [`crate::Mover::SUBPIXELS`].
pub(crate) const SUBPIXELS: i32 = 1 << 16;

/// The first number of pixels, 2^31, that is out of range for a translation; velocities saturate there.
const MOST_PIXELS: f32 = 2_147_483_648.0;

/// The reason that a translation cannot be converted to subpixels.
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

/// Converts a translation in pixels to 65,536ths of a pixel, rounded to the nearest, halves away from zero.
/// `translation` is any pair of `f32`: a [`Vec2`] of this or another version of `glam`, a tuple or an array.
///
/// The opposite translation gives the opposite number. A multiple of 2^-16 pixels is converted exactly; every
/// `f32` of at least 128 pixels is such a multiple.
///
/// # Errors
/// [`TranslationError`] if a component is not finite, or not below 2^31 pixels.
pub fn to_subpixels(translation: impl Into<[f32; 2]>) -> Result<I64Vec2, TranslationError> {
    let translation = Vec2::from(translation.into());
    let component = |pixels: f32| {
        if !pixels.is_finite() {
            Err(TranslationError::NotFinite)
        } else if pixels.abs() >= MOST_PIXELS {
            Err(TranslationError::OutOfRange)
        } else {
            Ok(subpixels(pixels))
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

/// As [`to_subpixels`] for one axis, but a number that is not finite gives 0, and a number beyond 2^31 pixels
/// of either sign counts as 2^31 pixels of that sign.
pub(crate) const fn subpixels(pixels: f32) -> i64 {
    if !pixels.is_finite() {
        return 0;
    }
    // In f64 the product is exact, and the sum too wherever it decides the rounding.
    let exact = pixels.clamp(-MOST_PIXELS, MOST_PIXELS) as f64 * SUBPIXELS as f64;
    (exact + 0.5_f64.copysign(exact)) as i64
}

/// Converts 65,536ths of a pixel to pixels, rounded to the nearest `f32`.
pub(crate) fn to_pixels(subpixels: I64Vec2) -> Vec2 {
    (subpixels.as_dvec2() / f64::from(SUBPIXELS)).as_vec2()
}

/// The whole pixels of the sum `subpixel + translation`, and the subpixels left over. Both are rounded toward
/// zero, so that the mirrored translation gives the mirrored answer. Beyond the range of `i32` the pixels
/// saturate, and nothing is left over.
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

/// A quarter turn in radians, as the sum of two numbers. The first has 33 bits, so that its products with
/// numbers up to 2^20 are exact. The second is the rest.
const QUARTER: [f64; 2] = [1.570_796_326_734_125_6, 6.077_100_506_506_192e-11];

/// The unit vector at `angle` radians from the x axis toward the y axis, both coordinates within 1e-15. The
/// angle must be finite; beyond 2^18 turns the result is a unit vector with a growing error.
pub(crate) fn direction(angle: f64) -> DVec2 {
    let quarters = (angle / FRAC_PI_2).round();
    let rest = (angle - quarters * QUARTER[0]) - quarters * QUARTER[1];
    // Needed for an angle so large that it has no digits for a part of a turn.
    let rest = rest.clamp(-FRAC_PI_4, FRAC_PI_4);
    let (cos, sin) = (series(1.0, rest, 1.0), series(rest, rest, 2.0));
    match quarters.rem_euclid(4.0) as u8 {
        0 => DVec2::new(cos, sin),
        1 => DVec2::new(-sin, cos),
        2 => DVec2::new(-cos, -sin),
        _ => DVec2::new(sin, -cos),
    }
}

/// The sum of the Taylor series of a sine or a cosine with the first term `first`. Each later term is the one
/// before times `-angle * angle`, divided by `divisor` and `divisor + 1`, which grow by 2 from term to term.
/// For an angle of up to an eighth of a turn, the ninth term is below the last bit.
fn series(first: f64, angle: f64, divisor: f64) -> f64 {
    let square = angle * angle;
    let (mut term, mut divisor) = (first, divisor);
    let terms: [f64; 10] = std::array::from_fn(|_| {
        let this = term;
        term *= -square / (divisor * (divisor + 1.0));
        divisor += 2.0;
        this
    });
    // The smallest first, to lose little in rounding.
    terms.iter().rev().sum()
}

#[cfg(all(test, feature = "tmx"))]
mod tests;
