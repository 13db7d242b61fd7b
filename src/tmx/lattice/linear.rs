//! A linear map of the plane in exact fractions: the slant of an isometric or oblique map.

use glam::DVec2;

use super::{Decimal, Point};

/// A linear map: `x` becomes `(rows[0] . (x, y)) / under[0]`, and `y` likewise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Linear {
    rows: [[i64; 2]; 2],
    /// Both positive.
    under: [i64; 2],
}

impl Linear {
    pub(crate) const IDENTITY: Self = Self { rows: [[1, 0], [0, 1]], under: [1, 1] };

    /// The linear map with these rows over these numbers, which must be positive. All are below 2^62.
    pub(super) fn new(x: [i64; 2], under_x: i64, y: [i64; 2], under_y: i64) -> Self {
        let made = Self { rows: [x, y], under: [under_x, under_y] };
        let is_identity = x == [under_x, 0] && y == [0, under_y];
        if is_identity { Self::IDENTITY } else { made }
    }

    /// The inverse; the identity if there is none. The numbers of `self` are at most 2^31.
    pub(super) fn inverse(&self) -> Self {
        let ([[a, b], [c, d]], [p, q]) = (self.rows, self.under);
        let sign = (a * d - b * c).signum();
        match (a * d - b * c).abs() {
            0 => Self::IDENTITY,
            under => Self::new(
                [sign * d * p, -sign * b * q],
                under,
                [-sign * c * p, sign * a * q],
                under,
            ),
        }
    }

    /// The image of a point, rounded to the nearest millionth, halves up; at the ends of the range beyond it.
    pub(super) fn point(&self, point: Point) -> Point {
        if *self == Self::IDENTITY {
            return point;
        }
        let (x, y) = (i128::from(point.x.millionths()), i128::from(point.y.millionths()));
        let [of_x, of_y] = [0, 1].map(|axis| {
            let [a, b] = self.rows[axis].map(i128::from);
            let under = i128::from(self.under[axis]);
            let nearest = (2 * (a * x + b * y) + under).div_euclid(2 * under);
            let millionths = nearest.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
            Decimal::from_millionths(millionths)
        });
        Point { x: of_x, y: of_y }
    }

    /// The image of a point in floats.
    pub(crate) fn apply(&self, point: DVec2) -> DVec2 {
        if *self == Self::IDENTITY {
            return point;
        }
        let row = |axis: usize| {
            let [a, b] = self.rows[axis];
            (a as f64 * point.x + b as f64 * point.y) / self.under[axis] as f64
        };
        DVec2::new(row(0), row(1))
    }
}
