//! Crowds: soft characters ([`Body::soft`]) pass each other, and are pushed apart. Those that stand where others
//! want to go make these rest behind them, so a crowd forms a ring around its goal instead of a heap on it. All
//! answers follow from the places before the step, so the order of the bodies does not matter. Nothing moves
//! here.

use std::cmp::Ordering;

use glam::{I64Vec2, UVec2};

use super::body::{Body, BodyKind};
use super::near::widened;
use super::{Asker, FLIGHT, Known, Parts, wish};
use crate::geometry::{Aabb, Axis, Dir, SUBPIXELS};
use crate::level::Solids;
use crate::mover::Mover;

/// The rank of a character that walks. A character that rests behind another has the other's rank plus 1. Two
/// that rest only because of each other rise to this rank together, and walk again.
const WALKS: u8 = 200;

const PIXEL: i64 = SUBPIXELS as i64;

/// How a soft character lies beside another.
struct Beside {
    /// Twice the distance from the other's centre to its own, in 65,536ths of a pixel.
    apart: I64Vec2,
    /// The axis along which the two overlap the least.
    axis: Axis,
    /// Twice the depth of the overlap along this axis, in 65,536ths of a pixel; negative for a gap.
    depth: i64,
}

impl Parts<'_> {
    /// Finds what the crowd adds to the motion of each soft character that is awake. Each takes a search for the
    /// bodies that it touches.
    pub(super) fn separate(&mut self) {
        for (before, after) in self.crowd.changes.drain(..) {
            self.rest.disturb(self.near, before, after);
        }
        let mut answers = std::mem::take(&mut self.crowd.answers);
        for (slot, ..) in answers.drain(..) {
            self.crowd.asides[slot as usize] = I64Vec2::ZERO;
        }
        for list in [&self.rest.awake, &self.rest.woken] {
            answers.extend(list.iter().filter_map(|slot| self.answer(*slot)));
        }
        self.crowd.asides.resize(self.near.known.len(), I64Vec2::ZERO);
        for (slot, aside, rank) in answers.iter().copied() {
            self.crowd.asides[slot as usize] = aside;
            let Some(body) = self.bodies.at_mut(slot) else { continue };
            let BodyKind::Character(character) = &mut body.kind else { continue };
            if character.rank.replace(rank) != Some(rank) {
                self.crowd.changes.push((body.aabb, body.aabb));
            }
        }
        self.crowd.answers = answers;
    }

    /// The slot of a soft character, what the crowd adds to its motion, and its new rank; `None` for any other
    /// body.
    fn answer(&self, slot: u32) -> Option<(u32, I64Vec2, u8)> {
        let known = &self.near.known[slot as usize];
        let body = self.bodies.at(slot).filter(|_| known.is_soft && !known.aabb.is_empty())?;
        let wish = wish(body);
        let speed = norm(wish);
        let main = if wish.x.abs() >= wish.y.abs() { Axis::X } else { Axis::Y };
        let ahead = known.aabb.strip(Dir::along(main, wish[main.index()] > 0), 1);
        let asker = Asker::new(slot, *known);
        let mut is_first = speed == 0;
        let mut push = I64Vec2::ZERO;
        // Of the resting characters ahead along each axis: the lowest rank behind them, and the distances by
        // which the outermost lie aside.
        let mut ranks = [WALKS; 2];
        let mut low = I64Vec2::MAX;
        let mut high = I64Vec2::MIN;
        self.near.visit_with(widened(known.aabb, 2), |at, other| {
            if asker.is_stopped_by(at, other) {
                is_first |= !other.is_one_way && other.aabb.overlaps(ahead);
            }
            if at == slot || !other.is_soft || !known.meets(other) {
                return;
            }
            let Some(there) = self.bodies.at(at) else { return };
            let beside = Beside::of(body, there, main);
            if beside.depth <= -2 * PIXEL || !self.sees(known, other) {
                return;
            }
            push += beside.push(&|| body.turn(slot) < there.turn(at));
            let axis = beside.axis.index();
            let rank = there.as_character().and_then(|other| other.rank).unwrap_or(WALKS);
            if rank < WALKS && wish[axis].signum() * beside.apart[axis].signum() < 0 {
                let aside = beside.apart[1 - axis];
                ranks[axis] = ranks[axis].min(rank + 1);
                low[axis] = low[axis].min(aside);
                high[axis] = high[axis].max(aside);
            }
        });
        let mut own = wish;
        let mut rank = if is_first { 0 } else { WALKS };
        if !is_first {
            for axis in 0..2 {
                if ranks[axis] < WALKS {
                    own[axis] = 0;
                }
            }
            if norm(own) * 8 < speed {
                rank = ranks[0].min(ranks[1]);
                let main = main.index();
                if ranks[main] < WALKS && ranks[1 - main] == WALKS {
                    let at = known.aabb.min;
                    let sign = match (low[main], high[main]) {
                        (0, 0) if wish[1 - main] != 0 => wish[1 - main].signum(),
                        (0, 0) => 1 - 2 * i64::from((at.x ^ at.y) & 1),
                        (low, high) => i64::from(low >= 0) - i64::from(high <= 0),
                    };
                    own[1 - main] = sign * speed / 4;
                }
            }
        }
        let half = if own == I64Vec2::ZERO { PIXEL / 2 } else { norm(own) / 2 };
        let limit = half.min(PIXEL / 2);
        let length = norm(push);
        if length > limit {
            push = push * limit / length;
        }
        if let Some(floor) = body.floor() {
            push[floor.axis().index()] = 0;
        }
        Some((slot, own + push - wish, rank))
    }

    /// True if no wall of the level is between two soft characters: a box that fits in both gets from the one
    /// to the other in a straight line.
    fn sees(&self, one: &Known, other: &Known) -> bool {
        let level = self.level.solids_for(one.collides_with | other.collides_with);
        if !level.overlaps_aabb(one.aabb.hull(other.aabb)) {
            return true;
        }
        let size = one.aabb.size().min(other.aabb.size()).min(UVec2::splat(1 << 30)).as_ivec2();
        let from = other.aabb.min.clamp(one.aabb.min, one.aabb.max - size);
        let to = from.clamp(other.aabb.min, other.aabb.max - size);
        let mut walker = Mover::new(Aabb { min: from, max: from + size }, FLIGHT);
        walker.step_subpixels(&level, (to.as_i64vec2() - from.as_i64vec2()) * PIXEL);
        walker.body.min == to
    }
}

impl Beside {
    /// Of two equal depths, the one along the axis `main` counts.
    fn of(body: &Body, other: &Body, main: Axis) -> Self {
        let size = body.aabb.size().as_i64vec2() + other.aabb.size().as_i64vec2();
        let centers = [body, other].map(|body| {
            let Aabb { min, max } = body.aabb;
            (min.as_i64vec2() + max.as_i64vec2()) * PIXEL + body.subpixel.as_i64vec2() * 2
        });
        let apart = centers[0] - centers[1];
        let depths = size * PIXEL - apart.abs();
        let axis = match depths.x.cmp(&depths.y) {
            Ordering::Less => Axis::X,
            Ordering::Equal => main,
            Ordering::Greater => Axis::Y,
        };
        Self { apart, axis, depth: depths.min_element() }
    }

    /// A quarter of the overlap, away from the other's centre. Of two characters at the same place, the first
    /// goes right and down, and the other left and up.
    fn push(&self, is_first: &dyn Fn() -> bool) -> I64Vec2 {
        let strength = self.depth.max(0) / 8;
        match self.apart.abs().max_element() {
            0 if is_first() => I64Vec2::splat(strength),
            0 => I64Vec2::splat(-strength),
            far => self.apart.to_array().map(|along| along.saturating_mul(strength) / far).into(),
        }
    }
}

/// The sum of the distances along both axes.
fn norm(motion: I64Vec2) -> i64 {
    motion.x.abs() + motion.y.abs()
}
