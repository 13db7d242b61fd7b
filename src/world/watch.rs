//! The events of watchers: bodies that watch other bodies ([`Body::watches`]). After a step there is an event
//! for each pair of a watcher and a watched body that overlap or touch, or did so before the step. If a body
//! passes through a watcher within a step, their meeting begins and ends in that step.

use glam::{I64Vec2, IVec2};

use super::Bodies;
use super::body::Body;
use super::circle::{Disc, cross};
use super::event::{Event, Meeting};
use super::near::{Pairs, widened};
use super::riders::holds;
use crate::geometry::{Aabb, Dir, SUBPIXELS};

/// The distance in pixels by which a watcher's box is widened to find the bodies that touch or overlap it.
/// Boxes that touch are within a pixel, and a circle extends beyond its box by less than a pixel.
const REACH: i32 = 2;

#[derive(Debug, Default)]
pub(super) struct WatchScratch {
    /// For each slot, the position of its body before the step; empty if no body is a watcher.
    starts: Vec<WatchPlace>,
    /// The meetings after the step.
    now: Vec<Meeting>,
    /// The meetings of bodies that passed through a watcher within the step.
    passed: Vec<Meeting>,
    /// The slots of the bodies that watch other bodies, and for each the box around its path in the step.
    watching: Vec<u32>,
    watching_paths: Vec<Aabb>,
    /// The same of the bodies in a category that any body watches, which can be in a meeting.
    watched: Vec<u32>,
    watched_paths: Vec<Aabb>,
    pairs: Pairs,
}

/// The position of a body before the step.
#[derive(Clone, Copy, Debug, Default)]
struct WatchPlace {
    aabb: Aabb,
    subpixel: IVec2,
}

impl WatchPlace {
    /// The box around the body's path in the step.
    fn path(&self, body: &Body) -> Aabb {
        if body.aabb == self.aabb { body.aabb } else { self.aabb.hull(body.aabb) }
    }

    /// True if the body has moved in the step.
    fn is_left(&self, body: &Body) -> bool {
        let has_rolled = body.circle().is_some() && body.subpixel != self.subpixel;
        body.aabb != self.aabb || has_rolled
    }
}

impl WatchScratch {
    /// Stores the positions of all bodies before the step, if there are watchers.
    pub(super) fn start(&mut self, bodies: &Bodies, watchers: &[u32]) {
        self.starts.clear();
        if !watchers.is_empty() {
            self.starts.resize(bodies.slots.len(), WatchPlace::default());
            for (slot, body) in bodies.iter() {
                self.starts[slot as usize] =
                    WatchPlace { aabb: body.aabb, subpixel: body.subpixel };
            }
        }
    }

    fn find(&mut self, bodies: &Bodies, watchers: &[u32]) {
        let Self { starts, now, passed, watching, watching_paths, watched, watched_paths, pairs } =
            self;
        now.clear();
        passed.clear();
        [&mut *watching, watched].into_iter().for_each(Vec::clear);
        [&mut *watching_paths, watched_paths].into_iter().for_each(Vec::clear);
        let mut categories = 0;
        for slot in watchers.iter().copied() {
            if let Some(watcher) = bodies.at(slot) {
                watching.push(slot);
                watching_paths.push(widened(starts[slot as usize].path(watcher), REACH));
                categories |= watcher.watches;
            }
        }
        for (slot, body) in bodies.iter() {
            if body.category & categories != 0 && !body.aabb.is_empty() {
                watched.push(slot);
                watched_paths.push(starts[slot as usize].path(body));
            }
        }
        for (one, two) in pairs.find_between(watching_paths, watched_paths) {
            let slot = watching[*one as usize];
            let other = watched[*two as usize];
            let both = bodies.at(slot).zip(bodies.at(other)).filter(|_| slot != other);
            let Some((watcher, body)) = both else { continue };
            if watcher.watches & body.category == 0 {
                continue;
            }
            let met = Meeting { watcher: bodies.id(slot), body: bodies.id(other), side: None };
            let from = &starts[slot as usize];
            let to = &starts[other as usize];
            if bodies.overlap(slot, other) {
                now.push(met);
                continue;
            }
            if let Some(side) =
                Dir::ALL.into_iter().find(|side| touches(bodies, slot, *side, other))
            {
                now.push(Meeting { side: Some(side), ..met });
            }
            let has_piece = bodies.piece(slot).or(bodies.piece(other)).is_some();
            if (from.is_left(watcher) || to.is_left(body))
                && !has_piece
                && passes((to, body), (from, watcher))
            {
                passed.push(met);
            }
        }
        now.sort_unstable_by_key(Meeting::order);
        passed.sort_unstable_by_key(Meeting::order);
    }
}

/// Finds the meetings after the step and adds the events of the step to `events`, in the order of
/// [`Meeting::order`]. `before` has the meetings before the step, and is replaced.
pub(super) fn watch(
    bodies: &Bodies,
    watchers: &[u32],
    before: &mut Vec<Meeting>,
    scratch: &mut WatchScratch,
    events: &mut Vec<Event>,
) {
    if watchers.is_empty() && before.is_empty() {
        return;
    }
    scratch.find(bodies, watchers);
    let WatchScratch { now, passed, .. } = scratch;
    let mut old = before.iter().peekable();
    let mut new = now.iter().peekable();
    let mut gone = passed.iter().peekable();
    loop {
        let next = [old.peek(), new.peek(), gone.peek()].into_iter().flatten();
        let Some(next) = next.min_by_key(|next| next.order()) else { break };
        let next = **next;
        let was = old.next_if_eq(&&next).is_some();
        let is = new.next_if_eq(&&next).is_some();
        gone.next_if_eq(&&next);
        if was && is {
            events.push(Event::Stay(next));
        }
        if !was {
            events.push(Event::Begin(next));
        }
        if !is {
            events.push(Event::End(next));
        }
    }
    std::mem::swap(before, now);
}

/// True if two bodies that are solid to each other touch at the side `side` of the body in the slot `one`. If
/// one is a piece of level, its pixels touch the other; two pieces only overlap.
fn touches(bodies: &Bodies, one: u32, side: Dir, other: u32) -> bool {
    let Some((body, other_body)) = bodies.at(one).zip(bodies.at(other)) else { return false };
    if !body.is_solid_box() || !other_body.is_solid_box() {
        return false;
    }
    let is_piece = [one, other].map(|slot| bodies.piece(slot).is_some());
    is_piece != [true; 2]
        && (is_piece[0] || holds(bodies, one, side, other))
        && (is_piece[1] || holds(bodies, other, side.opposite(), one))
}

/// True if `body` overlaps `watcher` at some time within the step. The path of each body is taken as a
/// straight line with a constant speed from its position before the step, `from` and `start`.
fn passes((from, body): (&WatchPlace, &Body), (start, watcher): (&WatchPlace, &Body)) -> bool {
    if from.aabb.is_empty() || start.aabb.is_empty() {
        return false;
    }
    let watcher_moved = watcher.aabb.min.as_i64vec2() - start.aabb.min.as_i64vec2();
    let pixel = i64::from(SUBPIXELS);
    let min = start.aabb.min.as_i64vec2();
    let max = start.aabb.max.as_i64vec2();
    let of_watcher = watcher.circle();
    let Some(end) = body.circle() else {
        if of_watcher.is_some() {
            return passes((start, watcher), (from, body));
        }
        // The two boxes overlap if the body's corner enters the watcher's box enlarged by the body's size.
        let corner = from.aabb.min.as_i64vec2();
        let size = from.aabb.max.as_i64vec2() - corner;
        let path = body.aabb.min.as_i64vec2() - corner - watcher_moved;
        return crosses(corner, path, min - size, max);
    };
    let circle = Disc::of(from.aabb, from.subpixel);
    let path = end.center - circle.center;
    if let Some(of_watcher) = of_watcher {
        let before = Disc::of(start.aabb, start.subpixel);
        return circle.hits(&before, path - (of_watcher.center - before.center));
    }
    let path = path - watcher_moved * pixel;
    // The circle overlaps the watcher if its centre enters the watcher's box enlarged by the radius along one
    // axis, or comes closer to a corner than the radius.
    let min = min * pixel;
    let max = max * pixel;
    let wide = I64Vec2::new(circle.radius, 0);
    let high = I64Vec2::new(0, circle.radius);
    crosses(circle.center, path, min - wide, max + wide)
        || crosses(circle.center, path, min - high, max + high)
        || corners(min, max)
            .into_iter()
            .any(|center| circle.hits(&Disc { center, radius: 0 }, path))
}

/// True if a point that moves from `from` by `by` enters the box from `min` to `max`. This is the separating
/// axis test: no axis and no line along the path separates the path from the box.
fn crosses(from: I64Vec2, by: I64Vec2, min: I64Vec2, max: I64Vec2) -> bool {
    let low = from.min(from + by);
    let high = from.max(from + by);
    let sides = corners(min, max).map(|corner| cross(by, corner - from).signum());
    high.cmpgt(min).all() && low.cmplt(max).all() && sides.contains(&1) && sides.contains(&-1)
}

fn corners(min: I64Vec2, max: I64Vec2) -> [I64Vec2; 4] {
    [min, max, I64Vec2::new(min.x, max.y), I64Vec2::new(max.x, min.y)]
}
