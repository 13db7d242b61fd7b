//! The arithmetic of tests between shapes: in `i128` for `IVec2`, in `f64` for `Vec2`.
//!
//! A test needs only the sign of a polynomial in the coordinates. The difference of two whole corners has at
//! most 34 bits, so polynomials of degree 2 fit `i128`. For degrees 4 and 6, [`Number::products`] and
//! [`Number::squares`] compute exact signs. With whole numbers nothing overflows, and nothing is rounded
//! before the sign is known.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

use glam::{DVec2, I64Vec2, IVec2, Vec2};

/// The type of a shape's points: [`IVec2`] for exact tests, or [`Vec2`] with the precision that the docs of
/// [`shapes`](super) state.
///
/// A coordinate and a radius (`Scalar`) are `i32` or `f32`. [`PushOut::translation`](super::PushOut) (`Push`)
/// is a [`DVec2`] for `Vec2`, or an [`I64Vec2`] for `IVec2`, because it can exceed the range of `i32`.
pub trait Coordinate:
    Widen + From<[<Self as Widen>::Scalar; 2]> + Into<[<Self as Widen>::Scalar; 2]>
{
}

impl Coordinate for IVec2 {}
impl Coordinate for Vec2 {}

/// Conversions between a caller's numbers and the wider numbers of the tests. This trait cannot be named
/// outside the crate.
pub trait Widen: Copy + std::fmt::Debug + Default + PartialEq {
    /// The type of a coordinate and of a radius.
    type Scalar: Copy + std::fmt::Debug + Default + PartialEq + PartialOrd;
    /// The type of the translation of a push-out.
    type Push: Copy + std::fmt::Debug + PartialEq;
    /// The number type in which the collision tests compute: `i128` or `f64`.
    type Number: Number;

    /// Converts `scalar` to a wider number; `None` if it is not finite.
    fn widen_scalar(scalar: Self::Scalar) -> Option<Self::Number>;

    /// Converts `wide` to the caller's numbers, rounded toward greater numbers if `is_up`, or else toward
    /// smaller ones; `None` if it is out of range.
    fn narrow_scalar(wide: Self::Number, is_up: bool) -> Option<Self::Scalar>;

    /// Returns the vector along `normal` with the length `depth`, which must equal `radius - gap / |normal|`.
    /// In whole numbers each component is rounded away from 0.
    fn push(
        normal: Vector<Self::Number>,
        gap: Self::Number,
        radius: Self::Number,
        depth: f64,
    ) -> Self::Push;
}

impl Widen for IVec2 {
    type Scalar = i32;
    type Push = I64Vec2;
    type Number = i128;

    fn widen_scalar(scalar: i32) -> Option<i128> {
        Some(scalar.into())
    }

    fn narrow_scalar(wide: i128, _is_up: bool) -> Option<i32> {
        wide.try_into().ok()
    }

    /// Rounds each exact component away from 0 to a whole number.
    fn push(normal: Vector<i128>, gap: i128, radius: i128, depth: f64) -> I64Vec2 {
        let square = normal.square();
        let estimate = normal.direction() * depth;
        I64Vec2::new(
            pushed(normal.x, square, gap, radius, estimate.x),
            pushed(normal.y, square, gap, radius, estimate.y),
        )
    }
}

/// Returns the smallest whole number, with the sign of `part`, that is at least `|part| / len * (radius - gap
/// / len)`, where `square` is the square of `len`. The comparisons are of exact products. The search begins
/// just below an estimate in `f64`. The result has at most 34 bits, so the error of the estimate is at most
/// one millionth.
fn pushed(part: i128, square: i128, gap: i128, radius: i128, estimate: f64) -> i64 {
    let mut whole = (estimate.abs() as i128 - 1).max(0);
    loop {
        let reached = whole * square + part.abs() * gap;
        if reached >= 0 && i128::squares(reached, 1, part * radius, square) >= 0.0 {
            return (whole * part.signum()) as i64;
        }
        whole += 1;
    }
}

impl Widen for Vec2 {
    type Scalar = f32;
    type Push = DVec2;
    type Number = f64;

    fn widen_scalar(scalar: f32) -> Option<f64> {
        scalar.is_finite().then(|| scalar.into())
    }

    fn narrow_scalar(wide: f64, is_up: bool) -> Option<f32> {
        let near = wide as f32;
        let narrow = match f64::from(near).total_cmp(&wide) {
            Ordering::Less if is_up => near.next_up(),
            Ordering::Greater if !is_up => near.next_down(),
            _ => near,
        };
        narrow.is_finite().then_some(narrow)
    }

    fn push(normal: Vector<f64>, _gap: f64, _radius: f64, depth: f64) -> DVec2 {
        normal.direction() * depth
    }
}

/// A number type whose comparisons of products are not changed by rounding errors.
pub trait Number:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
{
    const ZERO: Self;
    const ONE: Self;

    fn to_f64(self) -> f64;

    /// Returns `a * b - c * d` with the exact sign and an error of at most two units in the last place. The
    /// result is 0 only if the difference is exactly 0. For `f64` the four numbers must be exact, and the
    /// products must not overflow.
    fn products(a: Self, b: Self, c: Self, d: Self) -> f64;

    /// Returns `a * a * b - c * c * d`, for squares that are too large for [`Number::products`]. The sign is
    /// exact in `i128`, and has four rounding errors in `f64`.
    fn squares(a: Self, b: Self, c: Self, d: Self) -> f64;
}

impl Number for i128 {
    const ZERO: Self = 0;
    const ONE: Self = 1;

    fn to_f64(self) -> f64 {
        self as f64
    }

    fn products(a: Self, b: Self, c: Self, d: Self) -> f64 {
        if let (Some(ab), Some(cd)) = (a.checked_mul(b), c.checked_mul(d))
            && let Some(difference) = ab.checked_sub(cd)
        {
            return difference as f64;
        }
        rounded(&minus(&wide_product([a, b, 1]), &wide_product([c, d, 1])))
    }

    fn squares(a: Self, b: Self, c: Self, d: Self) -> f64 {
        rounded(&minus(&wide_product([a, a, b]), &wide_product([c, c, d])))
    }
}

impl Number for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    fn to_f64(self) -> f64 {
        self
    }

    /// Kahan's difference of products (Jeannerod, Louvet and Muller, "Further analysis of Kahan's algorithm
    /// for the accurate computation of 2 x 2 determinants", 2013).
    fn products(a: Self, b: Self, c: Self, d: Self) -> f64 {
        let cd = c * d;
        let lost = c.mul_add(-d, cd);
        a.mul_add(b, -cd) + lost
    }

    fn squares(a: Self, b: Self, c: Self, d: Self) -> f64 {
        a * a * b - c * c * d
    }
}

/// A number of 384 bits in two's complement, enough for the product of three `i128`. The least significant 64
/// bits (limb) come first.
type Wide = [u64; 6];

/// The product of `factors`, by long multiplication of their absolute values with each half of a factor.
fn wide_product(factors: [i128; 3]) -> Wide {
    let mut product: Wide = [1, 0, 0, 0, 0, 0];
    for factor in factors.map(i128::unsigned_abs) {
        let mut next: Wide = [0; 6];
        for (place, half) in [factor as u64, (factor >> 64) as u64].into_iter().enumerate() {
            let mut carry = 0;
            for (limb, sum) in product.iter().zip(&mut next[place..]) {
                // At most (2^64 - 1)^2 + 2 * (2^64 - 1), which is 2^128 - 1.
                let wide = u128::from(*limb) * u128::from(half) + u128::from(*sum) + carry;
                *sum = wide as u64;
                carry = wide >> 64;
            }
        }
        product = next;
    }
    let sign: i128 = factors.map(i128::signum).iter().product();
    if sign < 0 { minus(&[0; 6], &product) } else { product }
}

fn minus(a: &Wide, b: &Wide) -> Wide {
    let mut difference: Wide = [0; 6];
    let mut borrowed = false;
    for ((into, more), less) in difference.iter_mut().zip(a).zip(b) {
        let (once, first) = more.overflowing_sub(*less);
        let (twice, second) = once.overflowing_sub(u64::from(borrowed));
        *into = twice;
        borrowed = first || second;
    }
    difference
}

/// The number with the exact sign and an error of at most two units in the last place.
fn rounded(wide: &Wide) -> f64 {
    if (wide[5] as i64) < 0 {
        return -rounded(&minus(&[0; 6], wide));
    }
    // The sum starts at the most significant limb. Only the first two limbs from the first nonzero one can
    // change the result by more than the last place.
    let scale = 18_446_744_073_709_551_616.0;
    wide.iter().rev().fold(0.0, |sum, limb| sum * scale + *limb as f64)
}

/// A point or a displacement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector<N> {
    pub x: N,
    pub y: N,
}

impl<N: Number> Add for Vector<N> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl<N: Number> Sub for Vector<N> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<N: Number> Neg for Vector<N> {
    type Output = Self;

    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y }
    }
}
