//! Moves the balls of a world, and reports the hits of balls that watch other bodies. Balls are circles that
//! bounce off each other, the level and boxes. They lose energy only by their restitution. A step is divided
//! into rounds: equal periods of time. All contacts of a round change the velocities at the same time. Two
//! balls without further contacts bounce like two masses that collide along their common normal. Contacts
//! between balls conserve momentum, and energy never grows.

mod path;
mod reach;

use glam::{I64Vec2, IVec2};
use path::Surroundings;
use reach::Reaches;

use super::body::{Ball, BallHit, Bodies, Body, BodyKind, Event};
use super::circle::{Circle, dot, nearest, square};
use super::near::Near;
use crate::Level;
use crate::geometry::{Aabb, SUBPIXELS, saturated};
use crate::level::Solids;
use crate::terrain::Hit;

/// The largest number of rounds in a step. A ball that would hit an obstacle in a round does not move in that
/// round. So it bounces at a distance from the obstacle, at most its displacement in one round. This is at
/// most a pixel if no ball is faster than 32 pixels a step.
const MAX_ROUNDS: i64 = 32;

/// The largest number of passes in a round after the first pass. Each pass stops the balls that would hit a
/// ball stopped before. If the last pass still stops a ball, all balls near another ball are stopped.
const MAX_PASSES: u32 = 16;

const PIXEL: i64 = SUBPIXELS as i64;

/// A ball during a step.
#[derive(Clone, Copy, Debug)]
struct Rolling {
    slot: u32,
    body: Body,
    circle: Circle,
    /// The velocity in 2^-32 pixels a step; at most [`Ball::MAX_SPEED`] along each axis.
    velocity: I64Vec2,
    /// The mass in the unit of [`Ball::mass`]; 0 for a fixed ball.
    mass: i64,
    /// The restitution in hundredths; at most 100.
    restitution: u8,
    /// The displacement in this round, in 65,536ths of a pixel. If `stays` is true, the ball moves by it only
    /// if `slides` is true as well.
    displacement: I64Vec2,
    /// True if the ball is stopped in this round.
    stays: bool,
    /// True if a stopped ball can still move along the solids that stop it. `displacement` is then that
    /// motion.
    slides: bool,
    /// `Some(true)` if the ball overlaps no solid of the level. `Some(false)` if it overlapped a solid at the
    /// first test in this step. `None` before the first test.
    is_clear: Option<bool>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct BallScratch {
    balls: Vec<Rolling>,
    boxes: Vec<Aabb>,
    reaches: Reaches,
    /// The pairs of balls that may collide in a round. The flag of a pair is true after its contact was
    /// found, so that the contact counts only once.
    close: Vec<(u32, u32, bool)>,
    contacts: Vec<BallContact>,
    surroundings: path::PathScratch,
    normals: Vec<I64Vec2>,
    bounce: Bounce,
    hits: Hits,
}

/// Moves all balls by their velocities, in at most [`MAX_ROUNDS`] rounds. The pairs of balls and the solids
/// near each ball are found once for several rounds, and again for a ball that bounces: see [`Reaches`]. A
/// round tests each pair at most [`MAX_PASSES`] + 1 times. For a ball near a solid, a round reads the pixels
/// of each row in the ball's path once. Rows that may have a solid are read up to four times for each pixel
/// of the path.
pub(super) fn step(
    bodies: &mut Bodies,
    near: &mut Near,
    scratch: &mut BallScratch,
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
            // The displacements of a ball in all rounds add up to its displacement in the step, without
            // rounding errors.
            let due = ball.due();
            ball.displacement = due * (round + 1) / rounds - due * round / rounds;
            ball.stays = ball.displacement == I64Vec2::ZERO;
            ball.slides = false;
        }
        scratch.contacts.clear();
        let around = Surroundings { level, bodies, near };
        scratch.reaches.renew(&scratch.balls, [round, rounds], &around);
        meet_solids(scratch, &around);
        meet_balls(scratch);
        scratch.hits.note_balls(&scratch.balls, &scratch.contacts, &around);
        scratch.bounce.run(&mut scratch.balls, &scratch.contacts);
        // A ball slides along a solid only if no other ball is near.
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

/// The ball in a slot at the start of a step; `None` for any other kind of body.
fn rolling(slot: u32, body: &Body) -> Option<Rolling> {
    let BodyKind::Ball(ball) = body.kind else {
        return None;
    };
    let speed = |velocity: i64, rest: i32| {
        let limit = i64::from(Ball::MAX_SPEED) << 32;
        let rest = i64::from(rest.clamp(-SUBPIXELS, SUBPIXELS));
        // The velocity is clamped before the product, which could overflow, and again after the sum.
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
    /// The displacement in a whole step, in 65,536ths of a pixel.
    fn due(&self) -> I64Vec2 {
        if self.mass == 0 {
            return I64Vec2::ZERO;
        }
        self.velocity / PIXEL
    }

    /// The box around the ball's path in this round.
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
        body.displace(self.circle.center - start.center);
        if self.mass > 0 {
            body.velocity = self.velocity / PIXEL;
            ball.velocity_rest = (self.velocity % PIXEL).as_ivec2();
            body.kind = BodyKind::Ball(ball);
        }
        body
    }
}

/// Stops each ball that would hit the level or a box. If the ball can still move along the solid,
/// `displacement` becomes that motion.
fn meet_solids(scratch: &mut BallScratch, around: &Surroundings<'_>) {
    let BallScratch { balls, contacts, surroundings, normals, reaches, hits, .. } = scratch;
    let goes = |(at, ball): &(usize, &mut Rolling)| !ball.stays && !reaches.is_free(*at);
    for (at, ball) in balls.iter_mut().enumerate().filter(goes) {
        around.meet(ball, surroundings, normals);
        ball.stays = !normals.is_empty();
        hits.note_solids(ball, surroundings.center_at_hit, normals, around);
        contacts.extend(normals.iter().map(|normal| BallContact {
            one: at as u32,
            other: None,
            normal: *normal,
            is_met: true,
        }));
        let is_beside = normals.iter().any(|normal| normal.x != 0);
        let is_below = normals.iter().any(|normal| normal.y != 0);
        if is_beside == is_below {
            continue;
        }
        ball.displacement *= I64Vec2::new(is_below.into(), is_beside.into());
        around.meet(ball, surroundings, normals);
        ball.slides = normals.is_empty();
    }
}

/// Stops balls that would collide in this round, then balls that would hit a stopped ball.
fn meet_balls(scratch: &mut BallScratch) {
    let BallScratch { balls, boxes, reaches, close, contacts, .. } = scratch;
    boxes.clear();
    boxes.extend(balls.iter().map(Rolling::bounds));
    close.clear();
    for (one, two) in reaches.pairs() {
        if boxes[*one as usize].overlaps(boxes[*two as usize]) {
            close.push((*one, *two, false));
        }
    }
    for pass in 0.. {
        let first = contacts.len();
        for (one, two, is_done) in close.iter_mut().filter(|(_, _, is_done)| !is_done) {
            let (a, b) = (&balls[*one as usize], &balls[*two as usize]);
            let displacement = |ball: &Rolling| match ball.stays {
                true => I64Vec2::ZERO,
                false => ball.displacement,
            };
            let both_go = !a.stays && !b.stays;
            // The first pass tests every pair. Later passes test the pairs with one stopped ball. Two stopped
            // balls cannot collide.
            if (a.stays && b.stays) || (both_go && pass > 0) {
                continue;
            }
            if a.circle.hits(&b.circle, displacement(a) - displacement(b)) {
                *is_done = true;
                contacts.push(BallContact {
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

/// A contact of ball `one` with ball `other`, or with a solid if `other` is `None`.
#[derive(Clone, Copy, Debug)]
struct BallContact {
    one: u32,
    other: Option<u32>,
    /// The vector from `other` or the solid toward the ball `one`. Its length is not 0.
    normal: I64Vec2,
    /// False only for a contact of two balls of which one was already stopped when the contact was found.
    is_met: bool,
}

/// The changes of the balls' velocities by all contacts of a round. Balls that collide with each other are a
/// group, whose energy must not grow.
#[derive(Clone, Debug, Default)]
struct Bounce {
    /// For each ball, its parent in a union-find forest: another ball of its group, or the ball itself.
    /// [`root`] follows the parents. Balls that collide are in the same group, unless one of them is fixed.
    group: Vec<u32>,
    /// For each ball, the sum of the velocity changes by its contacts.
    change: Vec<Change>,
    /// The balls whose velocity changes, as sorted pairs (group, ball).
    members: Vec<(u32, u32)>,
}

/// The change of a ball's velocity, in 2^-32 pixels a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Change {
    /// The change with the restitution of the balls.
    own: I64Vec2,
    /// The change if all contacts were elastic.
    elastic: I64Vec2,
}

/// The factor 1, in the unit of all factors: 2^-32.
const ONE: i128 = 1 << 32;

/// The largest result of [`keeping`], in 2^-32. A larger factor would occur only if the impulses of a group
/// of colliding balls cancel each other except for rounding errors.
const MAX_FACTOR: i128 = ONE << 16;

/// The largest change of a velocity component for which no sum in [`apply`] overflows.
const MAX_CHANGE: i64 = 1 << 44;

impl Bounce {
    /// Changes the velocities of the balls by their contacts. O(n log n) for n contacts and balls.
    fn run(&mut self, balls: &mut [Rolling], contacts: &[BallContact]) {
        if contacts.is_empty() {
            return;
        }
        self.group.clear();
        self.group.extend(0..balls.len() as u32);
        self.change.clear();
        self.change.resize(balls.len(), Change::default());
        self.members.clear();
        for contact in contacts {
            self.take(balls, contact);
        }
        for ball in 0..balls.len() as u32 {
            if self.change[ball as usize] != Change::default() {
                self.members.push((root(&mut self.group, ball), ball));
            }
        }
        self.members.sort_unstable();
        for members in self.members.chunk_by(|one, two| one.0 == two.0) {
            apply(balls, &self.change, members);
        }
        for contact in contacts.iter().filter(|contact| contact.is_met) {
            for at in [Some(contact.one), contact.other].into_iter().flatten() {
                // The displacements lead to a contact, but the velocities do not, because they differ by a
                // fraction of their unit. This fraction is dropped.
                if self.change[at as usize].own == I64Vec2::ZERO {
                    let ball = &mut balls[at as usize];
                    ball.velocity = ball.velocity / PIXEL * PIXEL;
                }
            }
        }
    }

    /// Adds the velocity changes that `contact` would cause if it were the only contact, and joins the groups
    /// of its two balls.
    fn take(&mut self, balls: &[Rolling], contact: &BallContact) {
        let one = balls[contact.one as usize];
        let other = contact.other.map(|other| balls[other as usize]);
        let normal = shortened(contact.normal, 1 << 24);
        let length = square(normal);
        let velocity = |ball: &Rolling| {
            if ball.mass > 0 { ball.velocity } else { I64Vec2::ZERO }
        };
        let against = velocity(&one) - other.as_ref().map_or(I64Vec2::ZERO, velocity);
        let speed = dot(against, normal);
        if length == 0 || speed >= 0 {
            return;
        }
        let restitution = other.map_or(100, |ball| ball.restitution).min(one.restitution);
        let mut change = |at: u32, ball: &Rolling, against: i64, sign: i128| {
            if ball.mass == 0 {
                return;
            }
            let (part, whole) = match i128::from(against) {
                0 => (1, 1),
                mass => (mass, mass + i128::from(ball.mass)),
            };
            // The product is at most 2^116: a `speed` of 2^69, a `part` of 2^16, a `normal` of 2^24, and 200.
            let with = |hundredths: i128| {
                let impulse = sign * -hundredths * speed * part;
                let along = |normal: i64| impulse * i128::from(normal) / (100 * whole * length);
                I64Vec2::new(along(normal.x) as i64, along(normal.y) as i64)
            };
            let change = &mut self.change[at as usize];
            change.own = change.own.saturating_add(with(100 + i128::from(restitution)));
            change.elastic = change.elastic.saturating_add(with(200));
        };
        change(contact.one, &one, other.map_or(0, |other| other.mass), 1);
        if let (Some(at), Some(other)) = (contact.other, &other) {
            change(at, other, one.mass, -1);
            if one.mass > 0 && other.mass > 0 {
                let group = &mut self.group;
                let (a, b) = (root(group, contact.one), root(group, at));
                self.group[a.max(b) as usize] = a.min(b);
            }
        }
    }
}

/// Returns the ball that represents the group of `ball`. Halves the path to this ball in the forest, so that
/// later searches are short.
fn root(group: &mut [u32], mut ball: u32) -> u32 {
    while group[ball as usize] != ball {
        group[ball as usize] = group[group[ball as usize] as usize];
        ball = group[ball as usize];
    }
    ball
}

/// A vector in the direction of `vector` with components of at most `limit`, which must be a power of 2.
/// Opposite vectors give opposite results.
fn shortened(vector: I64Vec2, limit: i64) -> I64Vec2 {
    let mut shift = 0;
    while (vector.abs().max_element() >> shift) > limit {
        shift += 1;
    }
    vector / (1 << shift)
}

/// The factor for a group's velocity changes that leaves its energy the same: 2 · `gain` / `cost`, in 2^-32,
/// at most [`MAX_FACTOR`]. `gain` is the negated sum of mass · velocity · change over the group, and `cost`
/// is the sum of mass · change². `None` if `gain` is not positive or `cost` is 0.
fn keeping(gain: i128, cost: i128) -> Option<i128> {
    if gain <= 0 || cost == 0 {
        return None;
    }
    // The lowest bits are dropped so that the product does not overflow.
    let shift = (128 - gain.leading_zeros()).saturating_sub(90);
    let (gain, cost) = (gain >> shift, (cost >> shift).max(1));
    Some((gain * 2 * ONE / cost).min(MAX_FACTOR))
}

/// Changes the velocities of one group of balls that collide with each other. All changes are multiplied by
/// the same factor, so that the group's energy does not grow.
fn apply(balls: &mut [Rolling], change: &[Change], members: &[(u32, u32)]) {
    let members = || members.iter().map(|(_, ball)| *ball as usize);
    let size = |change: Change| change.own.abs().max(change.elastic.abs()).max_element();
    let largest = members().map(|at| size(change[at])).max().unwrap_or(0);
    let mut scale = 1;
    while largest / scale > MAX_CHANGE {
        scale *= 2;
    }
    let mass = |balls: &[Rolling], at: usize| i128::from(balls[at].mass);
    let factor = |of: &dyn Fn(usize) -> I64Vec2| {
        let gain = |at| mass(balls, at) * -dot(balls[at].velocity, of(at));
        let cost = |at| mass(balls, at) * square(of(at));
        keeping(members().map(gain).sum(), members().map(cost).sum())
    };
    let own = |at: usize| change[at].own / scale;
    let elastic = |at: usize| change[at].elastic / scale;
    let Some((of_own, of_elastic)) = factor(&own).zip(factor(&elastic)) else {
        return;
    };
    let mut factor = of_own.min(of_elastic);
    let after = |balls: &[Rolling], at: usize, factor: i128| {
        let limit = i64::from(Ball::MAX_SPEED) << 32;
        let part = |change: i64| (i128::from(change) * factor / ONE) as i64;
        let (velocity, change) = (balls[at].velocity, own(at));
        let velocity = velocity + I64Vec2::new(part(change.x), part(change.y));
        velocity.clamp(I64Vec2::splat(-limit), I64Vec2::splat(limit))
    };
    let energy = |factor| -> i128 {
        members().map(|at| mass(balls, at) * square(after(balls, at, factor))).sum()
    };
    let (before, mut less) = (energy(0), 1);
    while energy(factor) > before {
        factor = (factor - less).max(0);
        less *= 2;
    }
    for at in members() {
        balls[at].velocity = after(balls, at, factor);
    }
}

/// The hits of a step, to report them as events.
#[derive(Clone, Debug, Default)]
struct Hits {
    found: Vec<BallHit>,
    order: Vec<u32>,
}

impl Hits {
    /// Records the hits of `ball` at the solids with these `normals`, if the ball watches any category.
    /// `center` is the ball's centre at the hits.
    fn note_solids(
        &mut self,
        ball: &Rolling,
        center: I64Vec2,
        normals: &[I64Vec2],
        around: &Surroundings<'_>,
    ) {
        if ball.body.watches == 0 {
            return;
        }
        let solids = around.solids(ball);
        for normal in normals.iter().copied() {
            // Several solids can have this nearest point: a cell of the level, and the boxes of bodies.
            let (point, name) = (center - normal, around.bodies.id(ball.slot));
            let is_there = |aabb: Aabb| nearest(aabb, center) == point;
            let mut note = |hit| {
                self.found.push(BallHit { ball: name, hit, normal: unit(normal) });
            };
            let mut is_box = false;
            let pixels = [pixel_at(point, normal, false), pixel_at(point, normal, true)];
            around.visit_boxes(ball, pixels[0].hull(pixels[1]), &mut |slot, body| {
                if is_there(body.aabb) {
                    is_box = true;
                    if ball.body.watches & body.category != 0 {
                        note(Hit::Body(around.bodies.id(slot)));
                    }
                }
            });
            let is_solid = |pixel: &&Aabb| is_there(**pixel) && solids.overlaps_aabb(**pixel);
            // If there is neither a box nor a solid pixel, the ball hit an end of the range of `i32`, which
            // stops it like a wall of cells.
            let end = pixels.first().filter(|_| !is_box);
            if let Some(pixel) = pixels.iter().find(is_solid).or(end) {
                note(Hit::Cell(around.level.cell_at(pixel.min)));
            }
        }
    }

    /// Records the hits of balls that watch the balls with which they collide.
    fn note_balls(
        &mut self,
        balls: &[Rolling],
        contacts: &[BallContact],
        around: &Surroundings<'_>,
    ) {
        for contact in contacts {
            let Some(other) = contact.other else { continue };
            let (one, other) = (&balls[contact.one as usize], &balls[other as usize]);
            let velocity = |ball: &Rolling| ball.velocity * ball.mass.signum();
            if dot(velocity(one) - velocity(other), contact.normal) >= 0 {
                continue;
            }
            for (ball, other, normal) in
                [(one, other, contact.normal), (other, one, -contact.normal)]
            {
                if ball.body.watches & other.body.category != 0 {
                    let ball = around.bodies.id(ball.slot);
                    let hit = Hit::Body(around.bodies.id(other.slot));
                    self.found.push(BallHit { ball, hit, normal: unit(normal) });
                }
            }
        }
    }

    /// Adds an event for the first hit of each ball at each cell or body, then forgets all hits.
    fn report(&mut self, events: &mut Vec<Event>) {
        let Self { found, order } = self;
        order.clear();
        order.extend(0..found.len() as u32);
        order.sort_unstable_by_key(|at| (found[*at as usize].order(), *at));
        order.dedup_by_key(|at| found[*at as usize].order());
        events.extend(order.iter().map(|at| Event::Hit(found[*at as usize])));
        found.clear();
    }
}

/// The pixel of a solid with `point` on its edge. `normal` is the direction from the solid to the ball. If
/// `point` is between two pixels on an axis where `normal` is 0, the result depends on `is_before_line`: if
/// true, it is the left or upper pixel.
fn pixel_at(point: I64Vec2, normal: I64Vec2, is_before_line: bool) -> Aabb {
    let along = |point: i64, normal: i64| {
        let is_before = normal > 0 || normal == 0 && is_before_line;
        saturated((point - i64::from(is_before)).div_euclid(PIXEL))
    };
    let min = IVec2::new(along(point.x, normal.x), along(point.y, normal.y));
    Aabb { min, max: min.saturating_add(IVec2::ONE) }
}

/// Returns `vector` scaled to length 65,536, with components rounded toward zero.
fn unit(vector: I64Vec2) -> IVec2 {
    // The length is in 65,536ths of the vector's unit. The centres of circles that touch are at most 2^29
    // apart, so the number under the root is below 2^92.
    let length = (square(vector) << 32).isqrt().max(1);
    let part = |along: i64| (i128::from(along) * (i128::from(PIXEL) << 16) / length) as i32;
    IVec2::new(part(vector.x), part(vector.y))
}
