//! Measures the surface under a body: its normal, its steepness, and the length of a walk along it. A slope
//! of pixels is a staircase, and one stair does not show the steepness. So a copy of the body walks a few
//! pixels along the slope, and the straight line that best fits the copy's positions has the normal of the
//! surface. All computations use integers. The mover's own body does not move here.

use glam::{I64Vec2, IVec2};

use super::Motion;
use crate::geometry::{Aabb, Dir};
use crate::mover::Surface;
use crate::mover::settings::{Move, MoverSettings, SURFACE_REACH, Slope};
use crate::terrain::{Contact, greatest_common_divisor};

impl Surface<'_> {
    /// Returns the next position of a body that slides down a floor steeper than `limit`. `contact` is the
    /// contact with that floor. The position is one pixel further toward `floor`, and as few pixels as
    /// possible to the side. Returns `None` if the body does not slide.
    pub(super) fn slid_down(self, contact: Contact, limit: Slope) -> Option<Aabb> {
        if limit.is_vertical() {
            return None;
        }
        let side = self.downhill(limit)?;
        let run = u32::from(limit.run.div_ceil(limit.rise.max(1)));
        let aside = run.min(2 * SURFACE_REACH as u32);
        let around = self.solids.around(self.body, self.floor, contact, side, aside);
        around.map(|(_, place)| place)
    }

    /// True if the floor supports the body: a solid is on the next pixel toward `floor`, and the body does
    /// not slide down it. A floor is too steep to stand on if it is steeper than `limit`.
    pub(in crate::mover) fn is_standing(self, limit: Slope) -> bool {
        let sweep = self.solids.sweep(self.body, self.floor, 1);
        // A body that overlaps a solid does not slide. [`crate::mover::Response::Cross`] leads to such
        // positions.
        let slides = sweep.contact.is_some_and(|contact| {
            !self.solids.overlaps_aabb(self.body) && self.slid_down(contact, limit).is_some()
        });
        !sweep.is_clear() && !slides
    }

    /// Returns `translation` with the component along the floor's surface (x for a floor below) multiplied by
    /// the cosine of the slope's angle. So the body moves as far along the slope as it would move on level
    /// ground.
    pub(super) fn along_slope(self, translation: I64Vec2) -> I64Vec2 {
        let up = self.floor.axis().index();
        let across = self.floor.axis().other().index();
        let normal = self.normal().as_i64vec2();
        let mut translation = translation;
        if normal[across] != 0 && translation[across] != 0 {
            // The root is taken of the square times 2^32, so it is exact to a 65,536th.
            let length = ((normal.length_squared() as u128) << 32).isqrt() as i128;
            let cosine = i128::from(normal[up].abs()) << 16;
            translation[across] = (i128::from(translation[across]) * cosine / length) as i64;
        }
        translation
    }

    /// Measures the surface by two walks along `floor`, one in each of the directions of [`sides`].
    fn walks(self) -> [SurfaceWalk; 2] {
        let mut walks = sides(self.floor).map(|side| SurfaceWalk::new(self, side));
        // At a corner the two sides are different surfaces. The walk on the steeper side is discarded.
        let low = walks[0].changes[0];
        let high = walks[1].changes[0];
        if walks[0].length > 0 && walks[1].length > 0 && (low + high).abs() > 1 {
            let steepest = low.abs().max(high.abs());
            for walk in &mut walks {
                if walk.changes[0].abs() == steepest {
                    walk.length = 0;
                }
            }
        }
        walks
    }

    /// The downhill direction of the surface, or `None` if the surface is not steeper than `limit`. Also
    /// `None` on a peak, which is downhill to both sides.
    ///
    /// On a straight slope drawn in pixels, any stretch rises by less than one pixel more than the exact
    /// line. So the surface is too steep if a stretch rises by over one pixel more than a line with the slope
    /// `limit`. A surface within the limit has no such stretch.
    pub(super) fn downhill(self, limit: Slope) -> Option<Dir> {
        let sides = sides(self.floor);
        let reach = SURFACE_REACH as u32;
        let Self { solids, body, floor } = self;
        if sides.iter().all(|side| solids.level_run(body, *side, reach, floor) == reach) {
            return None;
        }
        let [low, high] = self.walks();
        match (falls(&high, &low, limit), falls(&low, &high, limit)) {
            (true, false) => Some(sides[0]),
            (false, true) => Some(sides[1]),
            // A body stands on a peak, which is downhill to both sides.
            _ => None,
        }
    }

    /// The normal of the surface. It points out of the solid, and its components have no common divisor.
    pub(in crate::mover) fn normal(self) -> IVec2 {
        fitted(&self.walks(), self.floor)
    }

    /// The normal of a slanted surface, from which a body bounces. Returns `None` if the surface counts as
    /// level: the ends of the two walks differ by less than 2 px in height. So a bump of one pixel does not
    /// deflect a body.
    pub(super) fn slant(self) -> Option<IVec2> {
        let walks = self.walks();
        let [low, high] =
            walks.each_ref().map(|walk| walk.changes[..walk.length].iter().sum::<i32>());
        let normal = ((high - low).abs() > 1).then(|| fitted(&walks, self.floor));
        normal.filter(|normal| normal.x != 0 && normal.y != 0)
    }
}

/// The height in pixels of the highest step, up or down, in a [`SurfaceWalk`]. Steeper surfaces count as
/// walls.
const STEEPEST: u32 = 8;

/// A short walk along a surface, to measure its steepness.
struct SurfaceWalk {
    /// For each pixel of the walk, the change of height in pixels, positive toward the floor.
    changes: [i32; SURFACE_REACH],
    /// The number of walked pixels along the surface; the later items of `changes` are unused.
    length: usize,
}

impl SurfaceWalk {
    /// Walks toward `side` with a copy of a body that stands on the surface. The walk ends at a wall and at a
    /// ledge. It also ends before a step whose height differs from the height of the step before it by more
    /// than a pixel, because the surface is not straight there.
    fn new(Surface { solids, body, floor }: Surface<'_>, side: Dir) -> Self {
        let settings = MoverSettings {
            floor: Some(floor),
            step_height: STEEPEST,
            snap_distance: STEEPEST,
            ..MoverSettings::PLAIN
        };
        // `started_solid` keeps the walker from measuring slopes itself.
        let mut done = Move::free(IVec2::ZERO, true, settings.response);
        done.started_solid = true;
        let mut walker = Motion::new(solids, &settings, body, Some(floor), &mut done);
        let mut walk = Self { changes: [0; SURFACE_REACH], length: 0 };
        while walk.length < SURFACE_REACH && walker.body.room(side) > 0 {
            let before = walker.body;
            let travel = walker.walk(floor, side, 1, false);
            let change = walker.body.edge(floor).min - before.edge(floor).min;
            let change = (change * floor.vector()).element_sum();
            let last = walk.length.checked_sub(1).map(|last| walk.changes[last]);
            let is_other = last.is_some_and(|last| change.abs_diff(last) > 1);
            if travel.moved == 0 || walker.on_foot.is_none() || is_other {
                break;
            }
            walk.changes[walk.length] = change;
            walk.length += 1;
        }
        walk
    }

    /// The largest amount by which the walk exceeds a straight slope `limit` after some number n of pixels,
    /// in pixels times `limit.run`: depth * `limit.run` - n * `limit.rise`. It is positive if the first n
    /// pixels are steeper than `limit`. The depth is the sum of the first n changes of height, negated if
    /// `sign` is -1. Returns `None` if no depth is above 0.
    fn excess(&self, sign: i32, limit: Slope) -> Option<i32> {
        let mut length = 0;
        let mut depth = 0;
        let parts = self.changes[..self.length].iter().filter_map(|change| {
            (length, depth) = (length + 1, depth + change * sign);
            (depth > 0).then_some(depth * i32::from(limit.run) - length * i32::from(limit.rise))
        });
        parts.max()
    }
}

/// The two directions along a floor: left and right for [`Dir::Down`].
fn sides(floor: Dir) -> [Dir; 2] {
    let axis = floor.axis().other();
    [Dir::along(axis, false), Dir::along(axis, true)]
}

/// True if the surface is steeper than `limit` from the end of `up` down to the end of `down`.
fn falls(up: &SurfaceWalk, down: &SurfaceWalk, limit: Slope) -> bool {
    let above = up.excess(-1, limit).unwrap_or(0).max(0);
    down.excess(1, limit).is_some_and(|below| above + below > i32::from(limit.run))
}

/// The normal of the straight line that best fits the positions of both walks (least squares). The normal
/// points out of the solid, and its components have no common divisor.
fn fitted(walks: &[SurfaceWalk; 2], floor: Dir) -> IVec2 {
    // The sums over all positions (x, depth) of the walks. The start (0, 0) is already counted.
    let [mut count, mut sum_x, mut sum_depth, mut sum_xx, mut product] = [1_i32, 0, 0, 0, 0];
    for (walk, step) in walks.iter().zip([-1, 1]) {
        let mut x = 0;
        let mut depth = 0;
        for change in &walk.changes[..walk.length] {
            x += step;
            depth += change;
            count += 1;
            (sum_x, sum_depth) = (sum_x + x, sum_depth + depth);
            (sum_xx, product) = (sum_xx + x * x, product + x * depth);
        }
    }
    let rise = count * product - sum_x * sum_depth;
    let run = count * sum_xx - sum_x * sum_x;
    // A `Reflection` needs a normal in the range of `i16`. The positions have consecutive x. So `run` and
    // `rise` are multiples of `count`, or of half of `count` if it is even. The quotients are at most 680 and
    // 8 * 680.
    let divisor = greatest_common_divisor(rise.unsigned_abs().into(), run.unsigned_abs().into());
    match run {
        0 => -floor.vector(),
        _ => (sides(floor)[1].vector() * rise - floor.vector() * run) / divisor as i32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(changes: &[i32]) -> SurfaceWalk {
        let mut walk = SurfaceWalk { changes: [0; SURFACE_REACH], length: changes.len() };
        walk.changes[..changes.len()].copy_from_slice(changes);
        walk
    }

    fn excess(changes: &[i32], sign: i32, limit: Slope) -> Option<i32> {
        walk(changes).excess(sign, limit)
    }

    #[test]
    fn a_walk_reports_how_far_its_steepest_start_exceeds_the_slope_limit() {
        let steep = Slope { rise: 3, run: 2 };
        // A walk without a point below its start has no excess; the result is `None`, not a negative number.
        for flat in [&[][..], &[0], &[0, 0, 0], &[-1, 1], &[-2, 1]] {
            assert_eq!(excess(flat, 1, steep), None, "{flat:?}");
        }
        assert_eq!(excess(&[0, 1], 1, steep), Some(2 - 6));
        assert_eq!(excess(&[2, 0, 3], 1, steep), Some(10 - 9));
        assert_eq!(excess(&[4, 0, -3], 1, steep), Some(8 - 3));
        assert_eq!(excess(&[-4, 0, 3], -1, steep), Some(8 - 3));
    }

    #[test]
    fn the_normal_of_a_straight_surface_is_exact_for_walks_of_any_length() {
        for fall in -8..=8 {
            for (low, high) in [(8, 8), (8, 3), (2, 7), (0, 8), (8, 0), (1, 0), (0, 1), (5, 5)] {
                let walks = [walk(&vec![-fall; low]), walk(&vec![fall; high])];
                assert_eq!(fitted(&walks, Dir::Down), IVec2::new(fall, -1), "{low} {high}");
                assert_eq!(fitted(&walks, Dir::Right), IVec2::new(-1, fall), "{low} {high}");
            }
        }
        assert_eq!(fitted(&[walk(&[]), walk(&[])], Dir::Down), IVec2::NEG_Y);
    }

    #[test]
    fn the_fitted_normal_is_that_of_least_squares_and_fits_in_16_bits() {
        let mut rng = fastrand::Rng::with_seed(1);
        for round in 0..4_000 {
            let mut side = |sign: i32| {
                let length =
                    if round % 2 == 0 { SURFACE_REACH } else { rng.usize(1..=SURFACE_REACH) };
                let least = if round % 4 < 2 { 7 } else { -8 };
                (0..length).map(|_| sign * rng.i32(least..=8)).collect::<Vec<_>>()
            };
            let (low, high) = (side(-1), side(1));
            let normal = fitted(&[walk(&low), walk(&high)], Dir::Down);
            let mut places = vec![(0.0, 0.0)];
            for (changes, step) in [(&low, -1.0), (&high, 1.0)] {
                let mut at = (0.0, 0.0);
                for change in changes {
                    at = (at.0 + step, at.1 + f64::from(*change));
                    places.push(at);
                }
            }
            let count = places.len() as f64;
            let middle_x = places.iter().map(|at| at.0).sum::<f64>() / count;
            let middle = places.iter().map(|at| at.1).sum::<f64>() / count;
            let over: f64 = places.iter().map(|at| (at.0 - middle_x) * (at.1 - middle)).sum();
            let under: f64 = places.iter().map(|at| (at.0 - middle_x).powi(2)).sum();
            let found = -f64::from(normal.x) / f64::from(normal.y);
            assert!((found - over / under).abs() < 1e-9, "{normal} for {low:?} {high:?}");
            assert!(normal.abs().max_element() <= 8 * 680, "{normal}");
        }
    }
}
