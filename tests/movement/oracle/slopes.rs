//! The slope part of the second mover: slopes that are too steep, and bounces off slopes.

use bitwall::glam::{I64Vec2, IVec2};
use bitwall::{
    Aabb, Dir, Mover, MoverSettings,
    mover::{Response, Slope},
};

use super::{Next, Oracle, dir};
use crate::movement::random::PIXEL;

/// Shortens the part of the motion along the floor by the cosine of the slope, with a precision of a 65,536th
/// of the length of the normal.
pub(super) fn along_slope(translation: I64Vec2, floor: Dir, normal: IVec2) -> I64Vec2 {
    let across = 1 - floor.axis() as usize;
    let mut translation = translation.to_array();
    let [n, up] = [across, 1 - across].map(|at| i128::from(normal.to_array()[at]));
    let length = ((n * n + up * up) * PIXEL as i128 * PIXEL as i128).isqrt();
    if n != 0 {
        let cosine = up.abs() * PIXEL as i128;
        translation[across] = (i128::from(translation[across]) * cosine / length) as i64;
    }
    translation.into()
}

/// Reflects the part of the motion along the normal, multiplied by the restitution.
fn reflected(motion: [i64; 2], normal: IVec2, restitution: u8) -> [i64; 2] {
    let (motion, normal) = (motion.map(i128::from), normal.to_array().map(i128::from));
    let (square, along) = (
        normal[0].pow(2) + normal[1].pow(2),
        (motion[0] * normal[0] + motion[1] * normal[1]).min(0),
    );
    let part = 100 + i128::from(restitution.min(100));
    [0, 1]
        .map(|at| ((100 * motion[at] * square - part * along * normal[at]) / (100 * square)) as i64)
}

pub(super) fn leads_into(normal: IVec2, motion: [i64; 2]) -> bool {
    let along = i128::from(motion[0]) * i128::from(normal.x);
    along + i128::from(motion[1]) * i128::from(normal.y) < 0
}

/// Ignores the steeper of two walks whose first pixels differ by more than one: they are not on one surface.
fn drop_the_other_side_of_a_corner(walks: &mut [Vec<i32>; 2]) {
    if let [Some(low), Some(high)] = [walks[0].first(), walks[1].first()].map(|to| to.copied())
        && (low + high).abs() > 1
    {
        let most = low.abs().max(high.abs());
        walks.iter_mut().filter(|walk| walk[0].abs() == most).for_each(Vec::clear);
    }
}

impl Oracle<'_> {
    /// Returns the changes of the floor's depth on a walk of up to 8 px. The walk ends at a wall, at an
    /// abyss, and at a step that differs from the last one by more than a pixel.
    fn walk(&self, body: Aabb, floor: Dir, side: Dir) -> Vec<i32> {
        let settings = MoverSettings {
            floor: Some(floor),
            step_height: 8,
            snap_distance: 8,
            one_way: self.mover.settings.one_way,
            ..MoverSettings::PLAIN
        };
        let mut walker =
            Oracle { mover: Mover { settings, ..self.mover }, body, on_foot: Some(floor), ..*self };
        let mut changes = Vec::new();
        while changes.len() < 8 {
            let before = walker.body;
            let Some(Next::On(place)) = walker.next(side) else { break };
            walker.body = place;
            walker.stay_on_floor(side, before);
            let edge = |body: Aabb| match floor {
                Dir::Left => -body.min.x,
                Dir::Right => body.max.x,
                Dir::Up => -body.min.y,
                Dir::Down => body.max.y,
            };
            let change = edge(walker.body) - edge(before);
            let is_other = changes.last().is_some_and(|last: &i32| (last - change).abs() > 1);
            if walker.on_foot.is_none() || is_other {
                break;
            }
            changes.push(change);
        }
        changes
    }

    /// Returns the side to which a floor falls more steeply than the limit. A part of the floor around the
    /// body then rises by more than a pixel too much.
    pub(super) fn downhill(&self, body: Aabb, floor: Dir) -> Option<Dir> {
        let Slope { rise, run } = self.mover.settings.max_slope;
        if run == 0 || self.is_straight() {
            return None;
        }
        let across = 1 - floor.axis() as usize;
        let sides = [dir(across, -1), dir(across, 1)];
        let mut walks = sides.map(|side| self.walk(body, floor, side));
        drop_the_other_side_of_a_corner(&mut walks);
        let fall = |walk: &[i32]| walk.iter().sum::<i32>();
        let falls = [0, 1].map(|at| {
            let (down, up) = (&walks[at], &walks[1 - at]);
            (1..=down.len()).any(|below| {
                (0..=up.len()).any(|above| {
                    let (falls, rises) = (fall(&down[..below]), -fall(&up[..above]));
                    let length = (above + below) as i32 * i32::from(rise);
                    falls > 0 && (falls + rises - 1) * i32::from(run) > length
                })
            })
        });
        match falls {
            [true, false] => Some(sides[0]),
            [false, true] => Some(sides[1]),
            _ => None,
        }
    }

    /// Returns the next position down a floor that is too steep.
    pub(super) fn slid_down(&self, floor: Dir) -> Option<Aabb> {
        let side = self.downhill(self.body, floor)?;
        let Slope { rise, run } = self.mover.settings.max_slope;
        let aside = u32::from(run).div_ceil(u32::from(rise).max(1)).min(16);
        self.around(floor, side, aside).map(|(_, place)| place)
    }

    /// Returns the normal of a slanted surface that stops a bouncing body toward `dir`.
    pub(super) fn slant(&self, dir: Dir, aside: Option<Dir>) -> Option<IVec2> {
        if !self.bounces() || !self.is_forgiving {
            return None;
        }
        let next = aside.map(|aside| self.body.shifted(aside, 1));
        let places = [Some(self.body), next].into_iter().flatten();
        // The module `surface` tests that this normal is right.
        let mut normals = places.filter_map(|body| {
            let normal = Mover { body, ..self.mover }.surface_normal(self.level, dir)?;
            let across = 1 - dir.axis() as usize;
            let mut walks = [-1, 1].map(|sign| self.walk(body, dir, self::dir(across, sign)));
            drop_the_other_side_of_a_corner(&mut walks);
            let [low, high] = walks.map(|walk| walk.iter().sum::<i32>());
            Some(normal).filter(|_| (high - low).abs() > 1).or(Some(IVec2::ZERO))
        });
        normals.next().filter(|normal| normal.x != 0 && normal.y != 0)
    }

    /// Returns the motion after the bounce off the slanted surface.
    pub(super) fn after_slant(&self, motion: [i64; 2]) -> [i64; 2] {
        match (self.slant, self.mover.settings.response) {
            (Some(normal), Response::Bounce { restitution }) => {
                reflected(motion, normal, restitution)
            }
            _ => motion,
        }
    }

    /// Returns the motion along `axis` that is left after a bounce off a step of a slanted surface, if the
    /// motion as a whole does not lead into that surface. `None` if the body does not bounce here.
    pub(super) fn back_from_step(&mut self, axis: usize, left: i64, leads_in: bool) -> Option<i64> {
        let may_bounce = !leads_in && self.slant.is_none();
        if !may_bounce || self.bounces[axis] == MoverSettings::MAX_BOUNCES {
            return None;
        }
        self.bounces[axis] += 1;
        self.bounced(left.abs()).map(|back| -left.signum() * back)
    }
}
