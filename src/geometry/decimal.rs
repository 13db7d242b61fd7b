//! Decimal numbers as Tiled writes them, without floats.
//!
//! A coordinate is kept in millionths of a pixel, exact to six decimal places: `10.3 + 4.2` is `14.5` on
//! every platform. The rule by which a coordinate becomes a whole pixel is here and nowhere else.

#[cfg(feature = "tmx")]
use glam::IVec2;

/// A decimal number of a map file, in whole millionths: a coordinate in pixels, or an angle in degrees.
///
/// Sums saturate at the ends of `i64`; the limited coordinates of a map never come near them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal(i64);

const UNIT: i64 = 1_000_000;

impl Decimal {
    /// 0.
    pub const ZERO: Self = Self(0);

    /// The millionths in a pixel, or in a degree.
    pub const PER_PIXEL: i64 = UNIT;

    /// A number of `millionths`.
    pub const fn from_millionths(millionths: i64) -> Self {
        Self(millionths)
    }

    /// A number of whole `pixels`.
    pub fn from_pixels(pixels: i32) -> Self {
        Self(i64::from(pixels) * UNIT)
    }

    /// The number of millionths.
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
        // The digits before the decimal point of the number in millionths.
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

    /// The first whole pixel whose centre is at or after this coordinate.
    ///
    /// An interval of coordinates covers the pixels whose centre it holds: from the pixel of its start to
    /// before the pixel of its end. Intervals that share an end cover each pixel once.
    pub(crate) fn pixel(self) -> i64 {
        let from_centre = self.0.saturating_sub(UNIT / 2);
        from_centre.div_euclid(UNIT) + i64::from(from_centre.rem_euclid(UNIT) != 0)
    }

    /// The whole pixel that holds this coordinate.
    #[cfg(feature = "tmx")]
    pub(crate) fn floor(self) -> i64 {
        self.0.div_euclid(UNIT)
    }

    /// The nearest float, for drawing.
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / UNIT as f64
    }
}

impl std::ops::Add for Decimal {
    type Output = Self;

    /// Saturates at the ends of `i64`.
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::ops::Sub for Decimal {
    type Output = Self;

    /// Saturates at the ends of `i64`.
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
    /// To the right.
    pub x: Decimal,
    /// Downward.
    pub y: Decimal,
}

impl Point {
    /// The whole pixel of each axis by the rule of [`Decimal::pixel`], clamped to the range of `i32`.
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

#[cfg(all(test, feature = "tmx"))]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<i64> {
        Decimal::parse(text, 1 << 22).map(|micro| micro.0)
    }

    #[test]
    fn decimals_with_and_without_exponents_are_exact_to_six_places() {
        for (text, millionths) in [
            ("10.3", 10_300_000),
            ("-0.000001", -1),
            ("+5", 5_000_000),
            (".5", 500_000),
            ("5.", 5_000_000),
            ("0.0000005", 1),
            ("0.00000049", 0),
            ("-0", 0),
            ("1.5e2", 150_000_000),
            ("1.33227e-15", 0),
            ("25E-1", 2_500_000),
            ("0e999999999", 0),
            ("1e-2147483648", 0),
        ] {
            assert_eq!(parse(text), Some(millionths), "{text}");
        }
    }

    #[test]
    fn parse_refuses_numbers_over_the_limit_and_other_text() {
        let bad = "- . e5 1e nan inf -inf 0x10 1,5 --1 1e308 4194305 1e2147483647 1.2.3 १";
        for text in bad.split(' ').chain(["", " 1", "1 "]) {
            assert_eq!(parse(text), None, "{text:?}");
        }
        assert_eq!(parse("4194304"), Some((1 << 22) * UNIT));
        assert_eq!(parse(&"9".repeat(1_000_000)), None);
    }

    #[test]
    fn a_pixel_is_covered_if_its_centre_is() {
        let pixel = |text| Decimal::parse(text, 100).unwrap().pixel();
        for (text, covered) in
            [("3", 3), ("3.5", 3), ("3.500001", 4), ("-0.5", -1), ("-0.499999", 0)]
        {
            assert_eq!(pixel(text), covered, "{text}");
        }
        assert_eq!(Decimal::parse("-0.25", 1).unwrap().floor(), -1);
        for end in [i64::MIN, i64::MAX] {
            let pixel = Decimal::from_millionths(end).pixel();
            assert!(pixel.abs_diff(end / UNIT) <= 1, "{end}: {pixel}");
        }
    }
}
