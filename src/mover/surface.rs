//! The normal of the surface that a body touches: that of a straight line through the places of a short walk.
//!
//! A slope of pixels is a row of steps, and a single step says little of it. So a copy of the body walks a
//! few pixels to each side, as on foot, and the line of least squares through its places is the surface. All
//! of it is in integers. Nothing here moves the body itself.

use glam::IVec2;

use super::motion::Motion;
use super::obeyed::ObeyedSolids;
use super::settings::MoverSettings;
use crate::geometry::{Aabb, Dir, Sides};
use crate::level::Solids;

/// The pixels that are walked to each side.
const REACH: usize = 8;

/// The most pixels that one pixel of the walk goes up or down: the steepest surface.
const STEEPEST: u32 = 8;

/// The changes of the depth toward the floor on the pixels of a walk to one side.
struct Walk {
    changes: [i32; REACH],
    length: usize,
}

impl Walk {
    /// The walk of a body that stands on `floor`. The steps of one straight surface differ by at most a
    /// pixel, so it ends before a step that differs from the last one by more, at a wall and at an abyss.
    fn new(solids: &ObeyedSolids<'_, impl Solids>, body: Aabb, floor: Dir, side: Dir) -> Self {
        let settings = MoverSettings {
            floor: Some(floor),
            step_height: STEEPEST,
            snap_distance: STEEPEST,
            ..MoverSettings::PLAIN
        };
        let mut walker = Motion {
            solids,
            settings: &settings,
            body,
            contacts: Sides::all(None),
            met: None,
            watches_areas: false,
            areas: 0,
            bounces: [0; 2],
            reflection: None,
            on_foot: Some(floor),
            is_supported: None,
            intended: [0; 2],
            part: 0,
            started_solid: true,
        };
        let mut walk = Self { changes: [0; REACH], length: 0 };
        while walk.length < REACH && walker.body.room(side) > 0 {
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

    /// The first change; `None` for a walk of no pixels.
    fn first(&self) -> Option<i32> {
        self.changes[..self.length].first().copied()
    }
}

/// The normal of the surface toward `floor`, which the body touches: out of the solid, without a common
/// divisor of its components.
pub(super) fn normal(solids: &ObeyedSolids<'_, impl Solids>, body: Aabb, floor: Dir) -> IVec2 {
    let cross = floor.axis().other();
    let sides = [Dir::along(cross, false), Dir::along(cross, true)];
    let mut walks = sides.map(|side| Walk::new(solids, body, floor, side));
    // Two sides of a corner are not one surface: the steeper one does not count.
    if let [Some(low), Some(high)] = [walks[0].first(), walks[1].first()]
        && (low + high).abs() > 1
    {
        let steepest = low.abs().max(high.abs());
        for (walk, first) in walks.iter_mut().zip([low, high]) {
            if first.abs() == steepest {
                walk.length = 0;
            }
        }
    }
    // The sums of the line of least squares through the places (x, depth), from (0, 0) on.
    let [mut count, mut sum_x, mut sum_depth, mut sum_xx, mut product] = [1_i32, 0, 0, 0, 0];
    for (walk, side) in walks.iter().zip(sides) {
        let (mut x, mut depth) = (0, 0);
        for change in &walk.changes[..walk.length] {
            x += if side.is_positive() { 1 } else { -1 };
            depth += change;
            count += 1;
            (sum_x, sum_depth) = (sum_x + x, sum_depth + depth);
            (sum_xx, product) = (sum_xx + x * x, product + x * depth);
        }
    }
    let rise = count * product - sum_x * sum_depth;
    let run = count * sum_xx - sum_x * sum_x;
    let divisor = common_divisor(rise.unsigned_abs(), run.unsigned_abs()).max(1) as i32;
    match run {
        0 => -floor.vector(),
        _ => (sides[1].vector() * rise - floor.vector() * run) / divisor,
    }
}

/// The greatest common divisor, by Euclid.
fn common_divisor(mut one: u32, mut other: u32) -> u32 {
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one
}
