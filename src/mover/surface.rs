//! The surface under a body: its normal, floors that are too steep to stand on, and the length of a walk on a
//! slope. A slope of pixels is a row of steps, and one step does not show how steep the slope is. So a copy
//! of the body walks a short way along the slope, and the normal is the normal of a straight line through the
//! copy's positions. All in integers. Nothing here moves a mover's own body.

use glam::{I64Vec2, IVec2};

use super::motion::Motion;
use super::obeyed::ObeyedSolids;
use super::settings::{Move, MoverSettings, SURFACE_REACH, Slope};
use crate::geometry::{Aabb, Dir};
use crate::terrain::{Contact, greatest_common_divisor};

/// Returns the next position of a body that slides down a floor steeper than `limit`, where `contact` stops
/// it: one pixel further down, and aside by as few pixels as possible. `None` if the body does not slide.
pub(super) fn slid_down(
    solids: &ObeyedSolids<'_>,
    body: Aabb,
    floor: Dir,
    contact: Contact,
    limit: Slope,
) -> Option<Aabb> {
    if limit.is_vertical() {
        return None;
    }
    let side = downhill(solids, body, floor, limit)?;
    let run = u32::from(limit.run.div_ceil(limit.rise.max(1)));
    let aside = run.min(2 * SURFACE_REACH as u32);
    solids.around(body, floor, contact, side, aside).map(|(_, place)| place)
}

pub(super) fn is_standing(solids: &ObeyedSolids<'_>, body: Aabb, floor: Dir, limit: Slope) -> bool {
    let sweep = solids.sweep(body, floor, 1);
    // A body in a solid, such as one that crosses it, does not slide.
    let slides = |contact| {
        !solids.overlaps_aabb(body) && slid_down(solids, body, floor, contact, limit).is_some()
    };
    !sweep.is_clear() && !sweep.contact.is_some_and(slides)
}

/// Returns `translation` for a body on `floor`, measured along the slope: its component along the floor is
/// multiplied by the cosine of the slope's angle.
pub(super) fn along_slope(
    solids: &ObeyedSolids<'_>,
    body: Aabb,
    floor: Dir,
    translation: I64Vec2,
) -> I64Vec2 {
    let (up, across) = (floor.axis().index(), floor.axis().other().index());
    let normal = normal(solids, body, floor).to_array();
    let mut translation = translation.to_array();
    if normal[across] != 0 && translation[across] != 0 {
        let square = normal.map(|part| u64::from(part.unsigned_abs()).pow(2)).iter().sum::<u64>();
        // In 65,536ths, so that the root is exact to a 65,536th of a pixel.
        let length = (u128::from(square) << 32).isqrt() as i128;
        let cosine = i128::from(normal[up].unsigned_abs()) << 16;
        translation[across] = (i128::from(translation[across]) * cosine / length) as i64;
    }
    translation.into()
}

/// The highest step, up or down, that a [`SurfaceWalk`] takes, in pixels. It limits the steepness of a
/// surface.
const STEEPEST: u32 = 8;

struct SurfaceWalk {
    changes: [i32; SURFACE_REACH],
    length: usize,
}

impl SurfaceWalk {
    /// Walks toward `side` with a copy of a body that stands on `floor`. The walk ends at a wall, at an
    /// abyss, and before a step whose height differs from the last step's height by more than a pixel: the
    /// surface is not straight there.
    fn new(solids: &ObeyedSolids<'_>, body: Aabb, floor: Dir, side: Dir) -> Self {
        let settings = MoverSettings {
            floor: Some(floor),
            step_height: STEEPEST,
            snap_distance: STEEPEST,
            ..MoverSettings::PLAIN
        };
        // A motion that started in a solid looks for no slopes.
        let mut done = Move::free(IVec2::ZERO, true, settings.response);
        done.started_solid = true;
        let mut walker = Motion {
            solids,
            settings: &settings,
            body,
            done: &mut done,
            met: None,
            watches_areas: false,
            on_foot: Some(floor),
            is_supported: None,
            intended: [0; 2],
            due: [0; 2],
            leftover: [0; 2],
            part: 0,
            cost: 0,
            slid: [0; 2],
            slid_along: None,
            has_landed: false,
            has_turned: false,
            lifted: 0,
        };
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

    /// How much steeper than `limit` the walk is; `None` if no stretch has a depth above 0. For the first n
    /// pixels of the walk, the excess is the depth times the limit's run, minus n times the limit's rise. The
    /// result is the largest excess over all n. The depth counts downward if `sign` is 1, upward if it is -1.
    fn excess(&self, sign: i32, limit: Slope) -> Option<i32> {
        let (mut length, mut depth) = (0, 0);
        let parts = self.changes[..self.length].iter().filter_map(|change| {
            (length, depth) = (length + 1, depth + change * sign);
            (depth > 0).then_some(depth * i32::from(limit.run) - length * i32::from(limit.rise))
        });
        parts.max()
    }
}

fn sides(floor: Dir) -> [Dir; 2] {
    let axis = floor.axis().other();
    [Dir::along(axis, false), Dir::along(axis, true)]
}

fn walks(solids: &ObeyedSolids<'_>, body: Aabb, floor: Dir) -> [SurfaceWalk; 2] {
    let [low, high] = sides(floor);
    let walk = |side| SurfaceWalk::new(solids, body, floor, side);
    let mut walks = [walk(low), walk(high)];
    // The two sides of a corner are not one surface: the walk on the steeper side does not count.
    let (low, high) = (walks[0].changes[0], walks[1].changes[0]);
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

/// The side to which the surface toward `floor` falls, if it is steeper than `limit`. `None` if it is not
/// steeper, or falls to both sides.
///
/// On a straight surface, any stretch of pixels rises by less than one pixel more than the exact line. So a
/// stretch that rises by over one pixel more than the limit allows is too steep. A surface within the limit
/// has no such stretch.
pub(super) fn downhill(
    solids: &ObeyedSolids<'_>,
    body: Aabb,
    floor: Dir,
    limit: Slope,
) -> Option<Dir> {
    let sides = sides(floor);
    let reach = SURFACE_REACH as u32;
    if sides.iter().all(|side| solids.level_run(body, *side, reach, floor) == reach) {
        return None;
    }
    let [low, high] = walks(solids, body, floor);
    let falls = |up: &SurfaceWalk, down: &SurfaceWalk| {
        let above = up.excess(-1, limit).unwrap_or(0).max(0);
        down.excess(1, limit).is_some_and(|below| above + below > i32::from(limit.run))
    };
    match (falls(&high, &low), falls(&low, &high)) {
        (true, false) => Some(sides[0]),
        (false, true) => Some(sides[1]),
        // A peak falls to both sides, and the body stands on it.
        _ => None,
    }
}

/// The normal of the surface that touches the body toward `floor`; see [`fitted`].
pub(super) fn normal(solids: &ObeyedSolids<'_>, body: Aabb, floor: Dir) -> IVec2 {
    fitted(&walks(solids, body, floor), floor)
}

/// The normal of the slanted surface toward `floor`, for a bounce. `None` if the surface counts as level: the
/// ends of the two walks differ by less than 2 px in height. So a single bump does not turn a body aside.
pub(super) fn slant(solids: &ObeyedSolids<'_>, body: Aabb, floor: Dir) -> Option<IVec2> {
    let walks = walks(solids, body, floor);
    let height = |walk: &SurfaceWalk| walk.changes[..walk.length].iter().sum::<i32>();
    let (low, high) = (height(&walks[0]), height(&walks[1]));
    let normal = ((high - low).abs() > 1).then(|| fitted(&walks, floor));
    normal.filter(|normal| normal.x != 0 && normal.y != 0)
}

/// The normal of the straight line that best fits the positions of both walks (least squares). The normal
/// points out of the solid, and its components have no common divisor.
fn fitted(walks: &[SurfaceWalk; 2], floor: Dir) -> IVec2 {
    // The sums over the places (x, depth), from (0, 0) on.
    let [mut count, mut sum_x, mut sum_depth, mut sum_xx, mut product] = [1_i32, 0, 0, 0, 0];
    for (walk, step) in walks.iter().zip([-1, 1]) {
        let (mut x, mut depth) = (0, 0);
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
    // Halved, they are in the range of `i16`, to which a `Reflection` keeps them.
    let is_large = rise.unsigned_abs() > i16::MAX as u32;
    let (rise, run) = if is_large { (rise / 2, run / 2) } else { (rise, run) };
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
    fn the_excess_of_a_walk_is_the_largest_of_all_its_stretches_that_end_below_its_start() {
        let steep = Slope { rise: 3, run: 2 };
        // A stretch that ends at the height of its start, or above it, has no excess, not a negative one.
        for flat in [&[][..], &[0], &[0, 0, 0], &[-1, 1], &[-2, 1]] {
            assert_eq!(excess(flat, 1, steep), None, "{flat:?}");
        }
        assert_eq!(excess(&[0, 1], 1, steep), Some(2 - 6));
        assert_eq!(excess(&[2, 0, 3], 1, steep), Some(10 - 9));
        assert_eq!(excess(&[4, 0, -3], 1, steep), Some(8 - 3));
        assert_eq!(excess(&[-4, 0, 3], -1, steep), Some(8 - 3));
    }

    #[test]
    fn the_fitted_normal_of_a_straight_walk_is_exact_whatever_the_lengths_of_its_sides() {
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
    fn the_fitted_normal_of_any_walk_is_the_line_of_least_squares_in_16_bits() {
        let mut rng = fastrand::Rng::with_seed(1);
        for round in 0..4_000 {
            let mut side = |sign: i32| {
                let length =
                    if round % 2 == 0 { SURFACE_REACH } else { rng.usize(1..=SURFACE_REACH) };
                let least = if round % 4 == 0 { 7 } else { -8 };
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
            assert!((found - over / under).abs() < 0.002, "{normal} for {low:?} {high:?}");
            assert!(normal.abs().max_element() <= i16::MAX.into(), "{normal}");
        }
    }
}
