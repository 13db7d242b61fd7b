//! Balls: circles that bounce off each other, off fixed ones, off the level and off boxes, and lose no
//! energy but by their restitution.
//!
//! A step is cut into rounds, so that no ball moves more than a pixel in one (up to [`MAX_ROUNDS`] rounds).
//! In a round every ball is tested from its place at the start of the round: a ball that would run into a
//! solid or a ball stays and bounces, the others move. A ball that meets an upright or level side, with no
//! ball near, slides along it. Displacements are swept, so no solid is skipped at any speed. Balls that do
//! not overlap never come to, unless a platform pushes one. All move at once, so their order does not matter.
//! Nothing here moves a box.

mod bounce;
mod front;
mod hits;
mod meet;
mod path;
mod reach;
mod rows;

use glam::{I64Vec2, IVec2};

use super::bodies::Bodies;
use super::body::{Ball, Body, BodyKind};
use super::circle::Circle;
use super::events::Event;
use super::near::Near;
use crate::Level;
use crate::geometry::{Aabb, Axis, Dir, SUBPIXELS, split};

use bounce::{Bounce, Contact};
use hits::Hits;
use meet::Surroundings;
use reach::Reaches;

/// The largest number of rounds in a step. A ball bounces at most one round's displacement before its
/// contact: a pixel, if no ball is faster than this many pixels a step.
const MAX_ROUNDS: i64 = 32;

/// The largest number of passes in a round that look for balls which others that stay would stop. After them
/// every ball near another one stays.
const MAX_PASSES: u32 = 16;

const PIXEL: i64 = SUBPIXELS as i64;

/// One ball, while a step lasts.
#[derive(Clone, Copy, Debug)]
struct Rolling {
    slot: u32,
    body: Body,
    circle: Circle,
    /// In 2^-32 pixels a step; at most [`Ball::MAX_SPEED`].
    velocity: I64Vec2,
    /// 0 if it is fixed.
    mass: i64,
    /// In hundredths; at most 100.
    restitution: u8,
    /// Its displacement in this round, unless it stays; in 65,536ths of a pixel.
    displacement: I64Vec2,
    stays: bool,
    /// True if it stays because of solids, and `displacement` is a free one along them.
    slides: bool,
    /// Whether it overlaps no solid of the level, if that is known. Once true it stays true in a step.
    is_clear: Option<bool>,
}

/// Memory that steps reuse.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    balls: Vec<Rolling>,
    /// The pixels that each ball touches in a round.
    boxes: Vec<Aabb>,
    reaches: Reaches,
    /// The pairs of balls that may come together in a round, and whether they do.
    close: Vec<(u32, u32, bool)>,
    contacts: Vec<Contact>,
    surroundings: meet::Scratch,
    normals: Vec<I64Vec2>,
    bounce: Bounce,
    hits: Hits,
}

/// Moves all balls by their velocities, in at most [`MAX_ROUNDS`] rounds. Near pairs and solids are searched
/// for once for several rounds, and again for a ball that bounces; see [`Reaches`]. A round tests each near
/// pair at most [`MAX_PASSES`] times. A ball near a solid reads each row of its path once a
/// round, and up to four times for each pixel of its path those in which it may meet one.
pub(super) fn step(
    bodies: &mut Bodies,
    near: &mut Near,
    scratch: &mut Scratch,
    level: &Level,
    events: &mut Vec<Event>,
) {
    scratch.balls.clear();
    let found = bodies.iter().filter_map(|(slot, body)| rolling(slot, body));
    scratch.balls.extend(found);
    let speeds = scratch.balls.iter().map(|ball| ball.due().abs().max_element());
    let fastest = speeds.max().unwrap_or(0);
    let rounds = ((fastest + PIXEL - 1) / PIXEL).min(MAX_ROUNDS);
    scratch.reaches.start(scratch.balls.len());
    for round in 0..rounds {
        for ball in &mut scratch.balls {
            // The parts of all rounds add up to the whole displacement.
            let due = ball.due();
            ball.displacement = due * (round + 1) / rounds - due * round / rounds;
            ball.stays = ball.displacement == I64Vec2::ZERO;
            ball.slides = false;
        }
        scratch.contacts.clear();
        let around = Surroundings { level, bodies, near };
        let Scratch { balls, reaches, surroundings, .. } = &mut *scratch;
        reaches.renew(balls, [round, rounds], &around, surroundings);
        meet_solids(scratch, &around);
        meet_balls(scratch);
        scratch.hits.note_balls(&scratch.balls, &scratch.contacts, &around);
        scratch.bounce.run(&mut scratch.balls, &scratch.contacts);
        // A ball that only touches a solid moves on along it if no ball is near.
        for (one, two, _) in &scratch.close {
            scratch.balls[*one as usize].slides = false;
            scratch.balls[*two as usize].slides = false;
        }
        let goes = |ball: &&mut Rolling| ball.slides || !ball.stays;
        for ball in scratch.balls.iter_mut().filter(goes) {
            ball.circle = ball.circle.moved(ball.displacement);
        }
    }
    scratch.hits.report(events);
    for ball in &scratch.balls {
        let body = ball.settled();
        near.moved(ball.slot, body.aabb);
        if let Some(kept) = bodies.at_mut(ball.slot) {
            *kept = body;
        }
    }
}

fn rolling(slot: u32, body: &Body) -> Option<Rolling> {
    let BodyKind::Ball(ball) = body.kind else {
        return None;
    };
    let speed = |velocity: i64, rest: i32| {
        let limit = i64::from(Ball::MAX_SPEED) << 32;
        let rest = i64::from(rest.clamp(-SUBPIXELS, SUBPIXELS));
        // Clamped before the product, which could overflow, and after the sum.
        (velocity.clamp(-limit >> 16, limit >> 16) * PIXEL + rest).clamp(-limit, limit)
    };
    let rest = ball.velocity_rest;
    Some(Rolling {
        slot,
        body: *body,
        circle: body.circle()?,
        velocity: I64Vec2::new(speed(body.velocity.x, rest.x), speed(body.velocity.y, rest.y)),
        mass: i64::from(ball.mass),
        restitution: ball.restitution.min(100),
        displacement: I64Vec2::ZERO,
        stays: true,
        slides: false,
        is_clear: None,
    })
}

impl Rolling {
    /// Its displacement in a whole step, in 65,536ths of a pixel.
    fn due(&self) -> I64Vec2 {
        if self.mass == 0 {
            return I64Vec2::ZERO;
        }
        self.velocity / PIXEL
    }

    /// The pixels that it touches on its path.
    fn bounds(&self) -> Aabb {
        let there = self.circle.moved(self.displacement);
        self.circle.bounds().hull(there.bounds())
    }

    /// The body after the step.
    fn settled(&self) -> Body {
        let mut body = self.body;
        let BodyKind::Ball(mut ball) = body.kind else {
            return body;
        };
        let start = Circle::of(body.aabb, body.subpixel);
        let (pixels, subpixel) = split(body.subpixel, self.circle.center - start.center);
        for (axis, along) in [(Axis::X, pixels.x), (Axis::Y, pixels.y)] {
            let dir = Dir::along(axis, along > 0);
            let distance = along.unsigned_abs().min(body.aabb.room(dir));
            body.aabb = body.aabb.shifted(dir, distance);
        }
        body.subpixel = subpixel;
        if self.mass > 0 {
            body.velocity = self.velocity / PIXEL;
            let rest = self.velocity % PIXEL;
            ball.velocity_rest = IVec2::new(rest.x as i32, rest.y as i32);
            body.kind = BodyKind::Ball(ball);
        }
        body
    }
}

/// Stops balls that would run into the level or a box, and finds their displacement along it.
fn meet_solids(scratch: &mut Scratch, around: &Surroundings<'_>) {
    let Scratch { balls, contacts, surroundings, normals, reaches, hits, .. } = scratch;
    let goes = |(at, ball): &(usize, &mut Rolling)| !ball.stays && !reaches.is_free(*at);
    for (at, ball) in balls.iter_mut().enumerate().filter(goes) {
        around.meet(ball, surroundings, normals);
        ball.stays = !normals.is_empty();
        hits.note_solids(ball, surroundings.center_at_hit, normals, around);
        contacts.extend(normals.iter().map(|normal| Contact {
            one: at as u32,
            other: None,
            normal: *normal,
            is_met: true,
        }));
        let sides = [0, 1].map(|axis| normals.iter().any(|normal| normal.to_array()[axis] != 0));
        ball.displacement = match sides {
            [true, false] => I64Vec2::new(0, ball.displacement.y),
            [false, true] => I64Vec2::new(ball.displacement.x, 0),
            _ => continue,
        };
        around.meet(ball, surroundings, normals);
        ball.slides = normals.is_empty();
    }
}

/// Stops balls that would collide, then balls that would hit a stopped one.
fn meet_balls(scratch: &mut Scratch) {
    let Scratch { balls, boxes, reaches, close, contacts, .. } = scratch;
    boxes.clear();
    boxes.extend(balls.iter().map(Rolling::bounds));
    close.clear();
    let found = reaches
        .pairs()
        .iter()
        .filter(|(one, two)| boxes[*one as usize].overlaps(boxes[*two as usize]));
    close.extend(found.map(|(one, two)| (*one, *two, false)));
    for pass in 0.. {
        let first = contacts.len();
        for (one, two, is_done) in close.iter_mut().filter(|(_, _, is_done)| !is_done) {
            let (a, b) = (&balls[*one as usize], &balls[*two as usize]);
            let displacement = |ball: &Rolling| match ball.stays {
                true => I64Vec2::ZERO,
                false => ball.displacement,
            };
            let both_go = !a.stays && !b.stays;
            // The first pass tests every pair, later ones those of which one ball stays. Two that stay never
            // meet.
            if (a.stays && b.stays) || (both_go && pass > 0) {
                continue;
            }
            if a.circle.hits(&b.circle, displacement(a) - displacement(b)) {
                *is_done = true;
                contacts.push(Contact {
                    one: *one,
                    other: Some(*two),
                    normal: a.circle.center - b.circle.center,
                    is_met: both_go,
                });
            }
        }
        let has_new = contacts.len() > first;
        for contact in &contacts[first..] {
            for ball in [Some(contact.one), contact.other].into_iter().flatten() {
                balls[ball as usize].stays = true;
            }
        }
        if !has_new {
            return;
        }
        if pass == MAX_PASSES {
            break;
        }
    }
    for (one, two, _) in close {
        balls[*one as usize].stays = true;
        balls[*two as usize].stays = true;
    }
}
