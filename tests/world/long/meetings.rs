//! A naive model of meetings, which checks every pair of bodies, and a record of the events that begin and
//! end them.

use std::collections::HashSet;

use bitwall::glam::I64Vec2;
use bitwall::world::{Body, BodyKind, Event, Meeting, Platform, World};
use bitwall::{Aabb, Dir};

use crate::movement::random::PIXEL;

/// The meetings that have begun and not ended, according to the events.
#[derive(Clone, Default)]
pub(super) struct Ledger {
    open: HashSet<Meeting>,
}

impl Ledger {
    /// Records the events of a step and checks them. `before` is the world before the step.
    pub(super) fn enter(&mut self, before: &World, world: &World) {
        let mut closed: HashSet<Meeting> = HashSet::new();
        let was_open = self.open.clone();
        let mut begun: HashSet<Meeting> = HashSet::new();
        for event in world.events() {
            match event {
                Event::Begin(meeting) => {
                    assert!(!was_open.contains(meeting), "begun twice: {meeting:?}");
                    assert!(self.open.insert(*meeting), "begun twice: {meeting:?}");
                    begun.insert(*meeting);
                }
                Event::Stay(meeting) => {
                    assert!(was_open.contains(meeting), "stays unbegun: {meeting:?}");
                }
                Event::End(meeting) => {
                    assert!(self.open.remove(meeting), "ended unbegun: {meeting:?}");
                    closed.insert(*meeting);
                }
                _ => {}
            }
        }
        let stays = world.events().iter().filter(|event| matches!(event, Event::Stay(_)));
        let kept = was_open.iter().filter(|meeting| !closed.contains(*meeting));
        assert_eq!(stays.count(), kept.count(), "each meeting stays or ends");
        let truth: HashSet<Meeting> = meetings(world).collect();
        assert_eq!(self.open, truth);
        self.check_passed(before, world, &begun);
    }

    /// Checks that each body that overlapped a watching body at some moment during the step met it.
    fn check_passed(&self, before: &World, world: &World, begun: &HashSet<Meeting>) {
        for (watcher_id, watcher) in world.iter().filter(|(_, body)| body.watches != 0) {
            let Some(watcher_before) = before.get(watcher_id) else { continue };
            for (id, body) in world.iter() {
                let Some(body_before) = before.get(id) else { continue };
                let meeting = Meeting { watcher: watcher_id, body: id, side: None };
                if id == watcher_id || watcher.watches & body.category == 0 {
                    continue;
                }
                let paths = [[watcher_before, watcher], [body_before, body]];
                let [one, other] = paths.map(|path| hull(path.map(|body| body.aabb)));
                // Circles reach beyond their boxes by less than a pixel each.
                let margin = if is_ball(watcher) || is_ball(body) { 2 } else { 0 };
                let wide = Aabb { min: one.min - margin, max: one.max + margin };
                if !wide.overlaps(other) {
                    assert!(!begun.contains(&meeting), "never near: {meeting:?}");
                    continue;
                }
                let is_apart = !watcher_before.overlaps(body_before) && !watcher.overlaps(body);
                if is_apart && pass(paths[0], paths[1]) {
                    assert!(begun.contains(&meeting), "passed unseen: {meeting:?}");
                }
            }
        }
    }
}

fn is_ball(body: &Body) -> bool {
    matches!(body.kind, BodyKind::Ball(_))
}

/// Returns all meetings, as the documentation of [`Meeting`] defines them.
fn meetings(world: &World) -> impl Iterator<Item = Meeting> {
    world.iter().filter(|(_, watcher)| watcher.watches != 0).flat_map(move |(of, watcher)| {
        let seen = world
            .iter()
            .filter(move |(id, body)| *id != of && watcher.watches & body.category != 0);
        seen.filter_map(move |(id, body)| {
            meets(watcher, body).map(|side| Meeting { watcher: of, body: id, side })
        })
    })
}

fn meets(watcher: &Body, body: &Body) -> Option<Option<Dir>> {
    if watcher.overlaps(body) {
        return Some(None);
    }
    let is_box = |body: &Body| matches!(body.kind, BodyKind::Character(_) | BodyKind::Platform(_));
    if !is_box(watcher) || !is_box(body) || !watcher.meets(body) {
        return None;
    }
    let side =
        Dir::ALL.into_iter().find(|dir| watcher.aabb.shifted(*dir, 1).overlaps(body.aabb))?;
    let is_one_way =
        |body: &Body| matches!(body.kind, BodyKind::Platform(Platform { one_way: true, .. }));
    let holds =
        (!is_one_way(body) || side == Dir::Down) && (!is_one_way(watcher) || side == Dir::Up);
    holds.then_some(Some(side))
}

fn hull([from, to]: [Aabb; 2]) -> Aabb {
    Aabb { min: from.min.min(to.min), max: from.max.max(to.max) }
}

/// True if two bodies that move straight and evenly overlap at one of 65 moments, the start and the end
/// included.
fn pass(one: [&Body; 2], other: [&Body; 2]) -> bool {
    (0..=MOMENTS).any(|time| overlap(&Placed::at(one, time), &Placed::at(other, time)))
}

const MOMENTS: i64 = 64;

/// A body at a moment of its path. It has twice the middle, and the size, in units of 1/64 of a subpixel, so
/// that nothing is rounded.
struct Placed {
    middle: [i128; 2],
    size: [i128; 2],
    is_ball: bool,
}

impl Placed {
    fn at([from, to]: [&Body; 2], time: i64) -> Self {
        let is_ball = is_ball(from);
        let middle = |body: &Body| {
            let middle = (body.aabb.min + body.aabb.max).as_i64vec2() * PIXEL;
            // Only a circle has a position between two pixels.
            middle + if is_ball { body.subpixel.as_i64vec2() * 2 } else { I64Vec2::ZERO }
        };
        let middle = middle(from) * (MOMENTS - time) + middle(to) * time;
        let size = from.aabb.size().as_i64vec2() * PIXEL * MOMENTS;
        let wide = |vector: I64Vec2| vector.to_array().map(i128::from);
        Self { middle: wide(middle), size: wide(size), is_ball }
    }
}

fn overlap(one: &Placed, other: &Placed) -> bool {
    let apart = [0, 1].map(|axis| (one.middle[axis] - other.middle[axis]).abs());
    let square = |[x, y]: [i128; 2]| x * x + y * y;
    match (one.is_ball, other.is_ball) {
        (false, false) => (0..2).all(|axis| apart[axis] < one.size[axis] + other.size[axis]),
        (true, true) => square(apart) < (one.size[0] + other.size[0]).pow(2),
        _ => {
            let (ball, boxed) = if one.is_ball { (one, other) } else { (other, one) };
            let beyond = [0, 1].map(|axis| (apart[axis] - boxed.size[axis]).max(0));
            square(beyond) < ball.size[0].pow(2)
        }
    }
}
