//! Exact division of pixels by a cell's side, without a division.

/// Division by a cell's side as one multiplication, because a query divides four times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Divisor {
    pub(super) divisor: u32,
    /// 2^64 / divisor, rounded up; 0 stands for 2^64, when the divisor is 1.
    inverse: u64,
}

impl Divisor {
    pub(super) fn new(divisor: u32) -> Self {
        Self { divisor, inverse: (u64::MAX / u64::from(divisor)).wrapping_add(1) }
    }

    /// `n / divisor`, exact for 0 <= n < 2^48: the rounded inverse is too large by less than
    /// divisor / 2^64, which adds less than n * divisor / 2^64 < 1 / divisor there (Granlund and
    /// Montgomery, "Division by invariant integers using multiplication", 1994).
    #[inline(always)]
    pub(super) fn divide(self, n: i64) -> u32 {
        debug_assert!((0..1 << 48).contains(&n));
        if self.inverse == 0 {
            n as u32
        } else {
            ((u128::from(n as u64) * u128::from(self.inverse)) >> 64) as u32
        }
    }
}

/// Division of a pixel by a cell's side, for levels of fewer than 2^17 cells a side: a multiplication of 64
/// bits, which a browser has too, and a shift by a constant.
#[derive(Clone, Copy)]
pub(super) struct ShortDivisor {
    /// 2^47 / divisor, rounded up.
    inverse: u64,
}

impl ShortDivisor {
    pub(super) const ONE: Self = Self::new(1);
    /// All quotients are below this.
    pub(super) const QUOTIENTS: u32 = 1 << (64 - Self::SHIFT);
    const SHIFT: u32 = 47;

    /// A divisor of at most 2^16.
    pub(super) const fn new(divisor: u32) -> Self {
        Self { inverse: (1_u64 << Self::SHIFT).div_ceil(divisor as u64) }
    }

    /// The product that has the quotient of `n`, which is below 2^31. That of a sum is the sum of products.
    #[inline(always)]
    pub(super) fn product(self, n: u32) -> u64 {
        u64::from(n).wrapping_mul(self.inverse)
    }

    /// The quotient, which is exact: the rounded inverse is too large by less than 1, and so the product by
    /// less than n < 2^31 <= 2^47 / divisor, which is the distance to the next quotient at least.
    #[inline(always)]
    pub(super) fn quotient(product: u64) -> u32 {
        (product >> Self::SHIFT) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::{Divisor, ShortDivisor};

    #[test]
    fn the_short_inverse_divides_exactly() {
        let mut random = fastrand::Rng::with_seed(4);
        for divisor in (1..200).chain([255, 256, 257, 4_095, 16_385, 32_769, 65_535, 65_536]) {
            let short = ShortDivisor::new(divisor);
            let end = (u64::from(ShortDivisor::QUOTIENTS) * u64::from(divisor)).min(1 << 31) as u32;
            let check = |n: u32| {
                let quotient = ShortDivisor::quotient(short.product(n));
                assert_eq!(quotient, n / divisor, "{n} / {divisor}");
                let (half, rest) = (n / 2, n - n / 2);
                assert_eq!(short.product(half) + short.product(rest), short.product(n));
            };
            for _ in 0..2_000 {
                check(random.u32(0..end));
                let multiple = random.u32(1..=(end - 1) / divisor) * divisor;
                check(multiple);
                check(multiple - 1);
            }
            check(0);
            check(end - 1);
        }
    }

    #[test]
    fn the_inverse_divides_exactly() {
        let mut random = fastrand::Rng::with_seed(3);
        let sides = [1, 2, 3, 7, 13, 16, 24, 255, 256, 4_095, 65_535, 65_536];
        for divisor in sides {
            let inverse = Divisor::new(divisor);
            let n = |n: i64| {
                // Cells fit 32 bits because a side of a grid has fewer than 2^32 of them.
                let quotient = n / i64::from(divisor);
                if quotient <= i64::from(u32::MAX) {
                    assert_eq!(i64::from(inverse.divide(n)), quotient, "{n} / {divisor}");
                }
            };
            for _ in 0..20_000 {
                n(random.i64(0..1 << 48));
                n(random.i64(0..1 << 33));
                let multiple = random.i64(1..1 << 31) * i64::from(divisor);
                n(multiple);
                n(multiple - 1);
            }
            n(0);
            n((1 << 48) - 1);
        }
    }
}
