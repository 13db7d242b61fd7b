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

#[cfg(test)]
mod tests {
    use super::Divisor;

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
