//! Circles in fixed point, for balls with positions in 65,536ths of a pixel. All tests are exact, because
//! distances are compared by their squares. Balls are moved in other modules.

use glam::{I64Vec2, IVec2};

use crate::geometry::{Aabb, Dir, SUBPIXELS, clamped, saturated};
use crate::terrain::last_free;

pub(super) const MAX_DIAMETER: u32 = 1024;

const PIXEL: i64 = SUBPIXELS as i64;

/// An open disc: points on its edge do not belong to it. All numbers are in 65,536ths of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Disc {
    pub(super) center: I64Vec2,
    pub(super) radius: i64,
}

impl Disc {
    /// The circle in the middle of a box, displaced by `subpixel`. Its diameter is the box's shorter side, at
    /// most [`MAX_DIAMETER`].
    pub(super) fn of(aabb: Aabb, subpixel: IVec2) -> Self {
        let diameter = aabb.width().min(aabb.height()).min(MAX_DIAMETER);
        let middle = (aabb.min.as_i64vec2() + aabb.max.as_i64vec2()) * (PIXEL / 2);
        Self { center: middle + subpixel.as_i64vec2(), radius: i64::from(diameter) * (PIXEL / 2) }
    }

    /// The circle, moved by a vector.
    pub(super) fn moved(self, by: I64Vec2) -> Self {
        let center = self.center + by;
        Self { center, ..self }
    }

    /// The box around the circle, extended outward to whole pixels.
    pub(super) fn bounds(&self) -> Aabb {
        let low = self.center - self.radius;
        let high = self.center + self.radius;
        let pixel = I64Vec2::splat(PIXEL);
        let max = clamped((high + PIXEL - 1).div_euclid(pixel));
        Aabb { min: clamped(low.div_euclid(pixel)), max }
    }

    /// The pixels of row `y` that the circle overlaps, as a box; empty if there are none. With the radius r
    /// and the row's distance d from the centre, a pixel overlaps the circle if its distance from the centre
    /// along the row is less than the square root of r² - d².
    pub(super) fn row(&self, y: i32) -> Aabb {
        let top = i64::from(y) * PIXEL;
        let across = (top - self.center.y).max(self.center.y - (top + PIXEL)).max(0);
        let left = self.radius.pow(2) - across.pow(2);
        if left <= 0 {
            return Aabb::default();
        }
        let reach = (left - 1).isqrt();
        let first = (self.center.x - reach + PIXEL - 1).div_euclid(PIXEL) - 1;
        let last = (self.center.x + reach).div_euclid(PIXEL);
        Aabb {
            min: IVec2::new(saturated(first), y),
            max: IVec2::new(saturated(last + 1), y.saturating_add(1)),
        }
    }

    /// True if the two circles share a point.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        square(other.center - self.center) < i128::from(self.radius + other.radius).pow(2)
    }

    /// True if the circle and the inside of the box share a point. This is the case if the point of the box
    /// nearest to the centre is inside the circle.
    pub(super) fn overlaps_box(&self, aabb: Aabb) -> bool {
        !aabb.is_empty() && self.reaches(nearest(aabb, self.center))
    }

    /// True if `point` is inside the circle.
    fn reaches(&self, point: I64Vec2) -> bool {
        square(self.center - point) < i128::from(self.radius).pow(2)
    }

    /// True if the circle overlaps `other`, which is at rest, while it moves straight by `by`. If the circles
    /// already overlap, the result is true only if they come closer.
    ///
    /// Let d be the vector from the centre of `other` to this circle's centre at the start. The centres are
    /// nearest at the fraction -d·`by` / `by`·`by` of the path, or at the end of the path if that comes
    /// first. The circles hit if the squared distance of the centres there is less than the squared sum of
    /// the radii.
    pub(super) fn hits(&self, other: &Self, by: I64Vec2) -> bool {
        let apart = self.center - other.center;
        let reach = i128::from(self.radius + other.radius).pow(2);
        let along = dot(apart, by);
        let length = square(by);
        if along >= 0 {
            return false;
        }
        if -along >= length {
            return square(apart + by) < reach;
        }
        // The squared cross product is the squared distance of the centre of `other` from the line of motion,
        // times `length`.
        let cross = cross(apart, by);
        cross.saturating_mul(cross) < reach.saturating_mul(length)
    }

    /// The largest number of whole pixels, at most `distance`, that the circle can move toward `dir` without
    /// hitting `other`. O(log `distance`).
    pub(super) fn free(&self, other: &Self, dir: Dir, distance: u32) -> u32 {
        let pixel = dir.vector().as_i64vec2() * PIXEL;
        if !self.hits(other, pixel * i64::from(distance)) {
            return distance;
        }
        last_free(0, distance, |moved| !self.hits(other, pixel * i64::from(moved)))
    }
}

/// The point of the box that is nearest to `point`. The box is in pixels, and both points are in 65,536ths of
/// a pixel.
pub(super) fn nearest(aabb: Aabb, point: I64Vec2) -> I64Vec2 {
    point.clamp(aabb.min.as_i64vec2() * PIXEL, aabb.max.as_i64vec2() * PIXEL)
}

pub(super) fn dot(one: I64Vec2, two: I64Vec2) -> i128 {
    i128::from(one.x) * i128::from(two.x) + i128::from(one.y) * i128::from(two.y)
}

pub(super) fn cross(one: I64Vec2, two: I64Vec2) -> i128 {
    i128::from(one.x) * i128::from(two.y) - i128::from(one.y) * i128::from(two.x)
}

pub(super) fn square(vector: I64Vec2) -> i128 {
    dot(vector, vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(x: i64, y: i64, radius: i64) -> Disc {
        let center = I64Vec2::new(x, y);
        Disc { center, radius }
    }

    #[test]
    fn circle_row_has_exactly_the_pixels_that_the_circle_overlaps() {
        let mut random = fastrand::Rng::with_seed(8);
        for _ in 0..20_000 {
            // Some centres lie at whole and half pixels, so that some circles only touch a pixel.
            let step = [1, PIXEL / 2, PIXEL][random.usize(0..3)];
            let at = |random: &mut fastrand::Rng| random.i64(-6 * PIXEL..6 * PIXEL) / step * step;
            let (x, y) = (at(&mut random), at(&mut random));
            let circle = circle(x, y, random.i64(0..8) * PIXEL / 2);
            for y in -12..12 {
                let row = circle.row(y);
                for x in -12..12 {
                    let is_in = row.contains(IVec2::new(x, y));
                    let pixel = Aabb::from_xywh(x, y, 1, 1);
                    assert_eq!(is_in, circle.overlaps_box(pixel), "{circle:?} {pixel:?}");
                }
            }
        }
    }

    #[test]
    fn a_moving_circle_hits_another_exactly_if_they_overlap_in_small_steps() {
        let mut random = fastrand::Rng::with_seed(20);
        for _ in 0..20_000 {
            let at = |random: &mut fastrand::Rng| random.i64(-40..40);
            let one = circle(at(&mut random), at(&mut random), random.i64(1..9));
            let two = circle(at(&mut random), at(&mut random), random.i64(1..9));
            if one.overlaps(&two) {
                continue;
            }
            let by = I64Vec2::new(at(&mut random), at(&mut random));
            // All numbers are multiplied by 100, for 100 steps of whole numbers.
            let large =
                |circle: Disc| Disc { center: circle.center * 100, radius: circle.radius * 100 };
            let meets = (0..=100).any(|part| large(one).moved(by * part).overlaps(&large(two)));
            if meets {
                assert!(one.hits(&two, by), "{one:?} {two:?} {by}");
            } else if one.hits(&two, by) {
                // The circles touch only between two steps, so a slightly larger circle overlaps at some
                // step.
                let near = Disc { radius: two.radius * 100 + 50, ..large(two) };
                assert!((0..=100).any(|part| large(one).moved(by * part).overlaps(&near)));
            }
        }
    }

    #[test]
    fn circle_tests_do_not_overflow_at_the_ends_of_the_range() {
        let corner = Aabb { min: IVec2::MIN, max: IVec2::MIN + 10 };
        let far = Aabb { min: IVec2::MAX - 10, max: IVec2::MAX };
        let (one, two) = (Disc::of(corner, IVec2::ZERO), Disc::of(far, IVec2::ZERO));
        assert!(!one.overlaps(&two));
        assert!(one.hits(&two, two.center - one.center));
        assert!(one.overlaps_box(corner) && !one.overlaps_box(far));
        assert_eq!(two.bounds(), far);
    }
}
