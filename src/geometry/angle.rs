//! The direction of an angle, alike on every platform.
//!
//! The sine and cosine of the standard library are those of the system, and differ in the last bit from one
//! to the next. These are sums and products only, which IEEE 754 defines to the bit.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use glam::DVec2;

/// The first 33 bits of a quarter turn in radians, so that 2^20 times as much is exact, and the others.
const QUARTER: [f64; 2] = [1.570_796_326_734_125_6, 6.077_100_506_506_192e-11];

/// The unit vector at `angle` radians from the x axis toward the y axis, both parts within 1e-15. The angle
/// must be finite; beyond 2^18 turns the result is a unit vector with a growing error.
pub(crate) fn direction(angle: f64) -> DVec2 {
    let quarters = (angle / FRAC_PI_2).round();
    let rest = (angle - quarters * QUARTER[0]) - quarters * QUARTER[1];
    // Also for an angle so large that it has no digits for a part of a turn.
    let rest = rest.clamp(-FRAC_PI_4, FRAC_PI_4);
    let (cos, sin) = (series(1.0, rest, 1.0), series(rest, rest, 2.0));
    match quarters.rem_euclid(4.0) as u8 {
        0 => DVec2::new(cos, sin),
        1 => DVec2::new(-sin, cos),
        2 => DVec2::new(-cos, -sin),
        _ => DVec2::new(sin, -cos),
    }
}

/// The sum of `first` and those after it in the series of a sine or cosine. Each is the negative of the one
/// before, times the square of the angle, divided by the next two numbers from `divisor` on. The ninth is
/// below the last bit for up to an eighth of a turn.
fn series(first: f64, angle: f64, divisor: f64) -> f64 {
    let square = angle * angle;
    let (mut term, mut divisor) = (first, divisor);
    let terms: [f64; 10] = std::array::from_fn(|_| {
        let this = term;
        term *= -square / (divisor * (divisor + 1.0));
        divisor += 2.0;
        this
    });
    // The smallest first, so that little is lost.
    terms.iter().rev().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_those_of_the_system_but_for_the_last_bits() {
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
    fn the_bits_of_a_direction_are_fixed() {
        let mut hash = 0_u64;
        for step in -10_000..10_000 {
            let ahead = direction(f64::from(step) / 1_000.0);
            for part in [ahead.x, ahead.y] {
                hash = hash.rotate_left(5).wrapping_add(part.to_bits()).wrapping_mul(0x9e37_79b9);
            }
        }
        assert_eq!(hash, 1_051_694_972_740_530_848);
    }
}
