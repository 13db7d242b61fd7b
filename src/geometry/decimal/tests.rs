//! Tests that compare decimals, subpixels and directions with plain arithmetic.

use glam::Vec2;

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
fn parse_rejects_numbers_over_the_limit_and_text_without_a_number() {
    let bad = "- . e5 1e nan inf -inf 0x10 1,5 --1 1e308 4194305 1e2147483647 1.2.3 १";
    for text in bad.split(' ').chain(["", " 1", "1 "]) {
        assert_eq!(parse(text), None, "{text:?}");
    }
    assert_eq!(parse("4194304"), Some((1 << 22) * UNIT));
    assert_eq!(parse(&"9".repeat(1_000_000)), None);
}

#[test]
fn an_interval_covers_the_pixels_whose_centre_is_inside() {
    let pixel = |text| Decimal::parse(text, 100).unwrap().pixel();
    for (text, covered) in [("3", 3), ("3.5", 3), ("3.500001", 4), ("-0.5", -1), ("-0.499999", 0)] {
        assert_eq!(pixel(text), covered, "{text}");
    }
    assert_eq!(Decimal::parse("-0.25", 1).unwrap().floor(), -1);
    for end in [i64::MIN, i64::MAX] {
        let pixel = Decimal::from_millionths(end).pixel();
        assert!(pixel.abs_diff(end / UNIT) <= 1, "{end}: {pixel}");
    }
}

#[test]
fn a_translation_that_is_not_finite_or_out_of_range_is_an_error() {
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
fn opposite_translations_give_opposite_subpixels() {
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

#[test]
fn directions_of_angles_agree_with_glam_within_rounding_errors() {
    let mut random = fastrand::Rng::with_seed(71);
    for _ in 0..200_000 {
        let angle = (random.f64() - 0.5) * f64::from(1 << random.u32(0..8));
        let found = direction(angle);
        assert!((found - DVec2::from_angle(angle)).abs().max_element() < 1e-15, "{angle}");
    }
    assert_eq!(direction(0.0), DVec2::X);
    assert!((direction(FRAC_PI_2) - DVec2::Y).abs().max_element() < 1e-16);
    for huge in [1e9, -1e18, 1e300, f64::MAX] {
        assert!((direction(huge).length() - 1.0).abs() < 1e-15, "{huge}");
    }
}

#[test]
fn directions_of_angles_have_the_same_bits_on_every_platform() {
    let mut hash = 0_u64;
    for step in -10_000..10_000 {
        let ahead = direction(f64::from(step) / 1_000.0);
        for part in [ahead.x, ahead.y] {
            hash = hash.rotate_left(5).wrapping_add(part.to_bits()).wrapping_mul(0x9e37_79b9);
        }
    }
    assert_eq!(hash, 1_051_694_972_740_530_848);
}

#[test]
fn any_float_velocity_is_converted_to_subpixels() {
    for (pixels, expected) in [
        (0.0, 0),
        (-0.0, 0),
        (1.5, 98_304),
        (-1.5, -98_304),
        (0.5 / 65_536.0, 1),
        (-0.5 / 65_536.0, -1),
        (0.499_999_97 / 65_536.0, 0),
        (f32::MIN_POSITIVE, 0),
        (2_147_483_520.0, 2_147_483_520 << 16),
        (f32::MAX, 1 << 47),
        (f32::MIN, -1 << 47),
        (f32::INFINITY, 0),
        (f32::NEG_INFINITY, 0),
        (f32::NAN, 0),
    ] {
        assert_eq!(subpixels(f64::from(pixels)), expected, "{pixels}");
    }
    let rate = crate::Rate::per_second(1);
    for pixels in [0.3_f32, -7.123_4, 65_535.99, 2_147_483_520.0] {
        let back = rate.pixels(subpixels(f64::from(pixels)), 1);
        assert!((back - pixels).abs() <= 1.0 / 65_536.0, "{pixels}");
    }
}
