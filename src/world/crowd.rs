//! Crowds: soft characters ([`Body::soft`]) pass each other, and are pushed apart. Those that stand where
//! others want to go make these rest behind them, so a crowd forms a ring around its goal instead of a heap
//! on it. All answers follow from the places before the step, so the order of the bodies does not matter.
//! Nothing moves here.

use glam::{I64Vec2, UVec2};

use super::body::{Body, BodyKind};
use super::near::widened;
use super::{Asker, FLIGHT, Known, Parts};
use crate::geometry::{Aabb, Axis, Dir, SUBPIXELS};
use crate::level::{Level, Solids};
use crate::mover::Mover;

/// The rank of a character that walks. A character that rests behind another has the other's rank plus 1. Two
/// that rest only because of each other rise to this rank together, and walk again.
const WALKS: u8 = u8::MAX;

const PIXEL: i64 = SUBPIXELS as i64;

/// Finds what the crowd adds to the motion of each soft character that is awake. Each takes a search for the
/// bodies that it touches.
pub(super) fn separate(parts: &mut Parts<'_>) {
    for (before, after) in parts.crowd.changes.drain(..) {
        parts.rest.disturb(parts.near, before, after);
    }
    let mut answers = std::mem::take(&mut parts.crowd.answers);
    answers.clear();
    for list in [&parts.rest.awake, &parts.rest.woken] {
        answers.extend(list.iter().filter_map(|slot| answer(parts, *slot)));
    }
    parts.crowd.asides.clear();
    parts.crowd.asides.resize(parts.near.known.len(), I64Vec2::ZERO);
    for (slot, aside, rank) in answers.iter().copied() {
        parts.crowd.asides[slot as usize] = aside;
        let Some(body) = parts.bodies.at_mut(slot) else { continue };
        let BodyKind::Character(character) = &mut body.kind else { continue };
        if character.rank.replace(rank) != Some(rank) {
            parts.crowd.changes.push((body.aabb, body.aabb));
        }
    }
    parts.crowd.answers = answers;
}

/// The slot of a soft character, what the crowd adds to its motion, and its new rank; `None` for any
/// other body.
///
/// The limit of the push is half of the own motion, so that a character on its way through a door gets
/// nearer to its goal in each step. With a limit of a pixel, doors jam.
fn answer(parts: &Parts<'_>, slot: u32) -> Option<(u32, I64Vec2, u8)> {
    let known = &parts.near.known[slot as usize];
    let body = parts.bodies.at(slot).filter(|_| known.is_soft && !known.aabb.is_empty())?;
    let wish = wish(body);
    let speed = norm(wish);
    let main = usize::from(wish.x.abs() < wish.y.abs());
    let dir = Dir::along([Axis::X, Axis::Y][main], wish[main] > 0);
    let ahead = known.aabb.strip(dir, 1);
    let asker = Asker::new(slot, *known);
    let mut is_first = speed == 0;
    let mut push = I64Vec2::ZERO;
    // Of the resting characters ahead along each axis: the lowest rank behind them, and the distances by
    // which the outermost lie aside.
    let mut ranks = [WALKS; 2];
    let mut low = I64Vec2::MAX;
    let mut high = I64Vec2::MIN;
    parts.near.visit_with(widened(known.aabb, 2), |at, other| {
        if asker.is_stopped_by(at, other) {
            is_first |= other.obstacle(parts.bodies, at, None).overlaps_aabb(ahead);
        }
        if at == slot || !other.is_soft || !known.meets(other) {
            return;
        }
        let Some(there) = parts.bodies.at(at) else { return };
        let apart = center(body) - center(there);
        let size = body.aabb.size().as_i64vec2() + there.aabb.size().as_i64vec2();
        let depths = size * PIXEL - apart.abs();
        if depths.min_element() <= -2 * PIXEL || !sees(parts.level, known, other) {
            return;
        }
        push += push_apart(apart, depths, &|| body.turn(slot) < there.turn(at));
        let axis = if depths.x == depths.y { main } else { usize::from(depths.x > depths.y) };
        let rank = there.as_character().and_then(|other| other.rank).unwrap_or(WALKS);
        if rank < WALKS && wish[axis].signum() * apart[axis].signum() < 0 {
            ranks[axis] = ranks[axis].min(rank + 1);
            low[axis] = low[axis].min(apart[1 - axis]);
            high[axis] = high[axis].max(apart[1 - axis]);
        }
    });
    let mut rank = if is_first { 0 } else { WALKS };
    let mut own = wish;
    for axis in 0..2 {
        if ranks[axis] < WALKS && !is_first {
            own[axis] = 0;
        }
    }
    if norm(own) * 8 < speed {
        rank = ranks[0].min(ranks[1]);
        let aside = 1 - main;
        if ranks[main] < WALKS && ranks[aside] == WALKS {
            let at = known.aabb.min;
            let sign = match (low[main], high[main]) {
                (0, 0) if wish[aside] != 0 => wish[aside].signum(),
                (0, 0) => 1 - 2 * i64::from((at.x ^ at.y) & 1),
                (low, high) => i64::from(low >= 0) - i64::from(high <= 0),
            };
            own[aside] = sign * speed / 4;
        }
    }
    let half = if own == I64Vec2::ZERO { PIXEL } else { norm(own).min(PIXEL) } / 2;
    if norm(push) > half {
        push = push * half / norm(push);
    }
    if let Some(floor) = body.floor() {
        push[floor.axis().index()] = 0;
    }
    Some((slot, own + push - wish, rank))
}

/// True if no wall of the level is between two soft characters: a box that fits in both gets from the one
/// to the other in a straight line.
fn sees(level: &Level, one: &Known, other: &Known) -> bool {
    let solids = level.solids_for(one.collides_with | other.collides_with);
    if !solids.overlaps_aabb(one.aabb.hull(other.aabb)) {
        return true;
    }
    let size = one.aabb.size().min(other.aabb.size()).min(UVec2::splat(1 << 30)).as_ivec2();
    let from = other.aabb.min.clamp(one.aabb.min, one.aabb.max - size);
    let to = from.clamp(other.aabb.min, other.aabb.max - size);
    let mut walker = Mover::new(Aabb { min: from, max: from + size }, FLIGHT);
    walker.step_subpixels(&solids, (to.as_i64vec2() - from.as_i64vec2()) * PIXEL);
    walker.body.min == to
}

/// The motion that a game wants a character to make in the next step, in 65,536ths of a pixel, without the
/// axis of its floor.
fn wish(body: &Body) -> I64Vec2 {
    let most = I64Vec2::splat(i64::from(Body::MAX_SPEED) * PIXEL);
    let mut wish = body.velocity.clamp(-most, most);
    if let Some(floor) = body.floor() {
        wish[floor.axis().index()] = 0;
    }
    wish
}

/// Twice the centre of a body, in 65,536ths of a pixel.
fn center(body: &Body) -> I64Vec2 {
    let Aabb { min, max } = body.aabb;
    (min.as_i64vec2() + max.as_i64vec2()) * PIXEL + body.subpixel.as_i64vec2() * 2
}

/// A quarter of the overlap of a character with another, away from the other's centre. `apart` is twice the
/// distance of the centres, and `depths` twice the overlap along each axis. Of two characters at the same
/// place, the first goes right and down, and the other left and up.
fn push_apart(apart: I64Vec2, depths: I64Vec2, is_first: &dyn Fn() -> bool) -> I64Vec2 {
    let strength = (depths.min_element() / 8).clamp(0, 4096 * PIXEL);
    match apart.abs().max_element() {
        0 if is_first() => I64Vec2::splat(strength),
        0 => I64Vec2::splat(-strength),
        far => apart.to_array().map(|along| along.saturating_mul(strength) / far).into(),
    }
}

/// The sum of the distances along both axes.
fn norm(motion: I64Vec2) -> i64 {
    motion.x.abs() + motion.y.abs()
}
