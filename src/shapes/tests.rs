//! Tests of the arithmetic with more than 128 bits in `number`.

use std::cmp::Ordering;

use super::number::Number;

/// The absolute value of the product of `factors`, by schoolbook multiplication, in digits of base 10^9, the
/// lowest digit first.
fn digits(factors: &[i128]) -> Vec<u64> {
    const BASE: u128 = 1_000_000_000;
    let mut digits = vec![1_u64];
    for factor in factors {
        let mut sum = vec![0_u128; digits.len() + 6];
        let mut rest = factor.unsigned_abs();
        for place in 0..5 {
            for (index, digit) in digits.iter().enumerate() {
                sum[index + place] += u128::from(*digit) * (rest % BASE);
            }
            rest /= BASE;
        }
        for index in 0..sum.len() - 1 {
            sum[index + 1] += sum[index] / BASE;
            sum[index] %= BASE;
        }
        digits = sum.into_iter().map(|digit| digit as u64).collect();
    }
    while digits.last() == Some(&0) {
        digits.pop();
    }
    digits
}

fn compare(a: &[u64], b: &[u64]) -> Ordering {
    let longer = a.len().cmp(&b.len());
    longer.then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

/// A random number of up to 126 bits and either sign. Half of the numbers are powers of two, or 1 less.
fn number(random: &mut fastrand::Rng) -> i128 {
    let bits = random.u32(0..126);
    let number = match random.u32(0..4) {
        0 => 1_i128 << bits,
        1 => (1_i128 << bits) - 1,
        _ => random.i128(0..=1 << bits),
    };
    if random.bool() { -number } else { number }
}

#[test]
fn products_of_any_width_are_compared_exactly() {
    let mut random = fastrand::Rng::with_seed(41);
    for _ in 0..20_000 {
        let mut draw = || number(&mut random);
        let (a, b, c, d) = (draw(), draw(), draw(), draw());
        let expected = compare(&digits(&[a, a, b]), &digits(&[c, c, d]));
        assert_eq!(i128::squares(a, b.abs(), c, d.abs()).total_cmp(&0.0), expected);
        let (ab, cd) = (digits(&[a, b]), digits(&[c, d]));
        let sign = |a: i128, b: i128| a.signum() * b.signum();
        let expected = match (sign(a, b), sign(c, d)) {
            (left, right) if left != right => left.cmp(&right),
            (1, _) => compare(&ab, &cd),
            (-1, _) => compare(&cd, &ab),
            _ => Ordering::Equal,
        };
        let products = i128::products(a, b, c, d);
        assert_eq!(products.partial_cmp(&0.0), Some(expected), "{a} {b} {c} {d}");
    }
}

#[test]
fn a_difference_of_nearly_equal_products_has_full_precision() {
    let mut random = fastrand::Rng::with_seed(42);
    for _ in 0..20_000 {
        // (n + i)(n - i) - (n + j)(n - j) = j^2 - i^2
        let n = random.i128(1 << 70..1 << 100);
        let (i, j) = (random.i128(0..1 << 40), random.i128(0..1 << 40));
        let expected = (j * j - i * i) as f64;
        let found = i128::products(n + i, n - i, n + j, n - j);
        assert!((found - expected).abs() <= 1e-15 * expected.abs(), "{n} {i} {j}");
        let n = random.i128(1 << 20..1 << 50);
        let (i, j) = (random.i128(0..1 << 20), random.i128(0..1 << 20));
        let expected = (j * j - i * i) as f64;
        let [a, b, c, d] = [n + i, n - i, n + j, n - j].map(Number::to_f64);
        let found = f64::products(a, b, c, d);
        assert!((found - expected).abs() <= 1e-15 * expected.abs(), "{n} {i} {j}");
    }
}
