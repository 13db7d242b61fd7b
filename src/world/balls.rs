//! Moves the balls of a world, and reports the hits of balls that watch other bodies. Balls are circles that
//! bounce off each other, the level and boxes. They lose energy only by their restitution. A step is divided
//! into rounds: equal periods of time. All contacts of a round change the velocities at the same time. Two
//! balls without further contacts bounce like two masses that collide along their common normal. Contacts
//! between balls conserve momentum, and energy never grows.

mod path;

use glam::{I64Vec2, IVec2};

use super::Bodies;
use super::body::{Ball, Body, BodyKind};
use super::circle::{Disc, dot, nearest, square};
use super::event::{Event, Impact};
use super::near::{Near, Pairs};
use crate::geometry::{Aabb, SUBPIXELS, clamped};
use crate::level::{Level, Solids};
use crate::terrain::{BodyId, Hit};

/// The largest number of rounds in a step. A ball that would hit an obstacle in a round does not move in that
/// round. So it bounces at a distance from the obstacle, at most its displacement in one round. This is at
/// most a pixel if no ball is faster than 32 pixels a step.
const MAX_ROUNDS: i64 = 32;

/// The largest number of passes in a round after the first pass. Each pass stops the balls that would hit a
/// ball stopped before. If the last pass still stops a ball, all balls near another ball are stopped.
const MAX_PASSES: u32 = 16;

/// The length along each axis of the part of a ball's path that its reach covers, in 65,536ths of a pixel. A
/// longer reach needs fewer searches, but gives more pairs that do not collide.
const PART: i64 = 16 * PIXEL;

const PIXEL: i64 = SUBPIXELS as i64;

/// The highest speed of a ball along an axis, in 65,536ths of a pixel a step.
const MAX_SPEED: i64 = Ball::MAX_SPEED as i64 * PIXEL;

/// A ball during a step.
#[derive(Clone, Copy, Debug)]
struct Rolling {
    slot: u32,
    body: Body,
    circle: Disc,
    /// The velocity in 65,536ths of a pixel a step; at most [`MAX_SPEED`] along each axis. 0 for a fixed
    /// ball.
    velocity: I64Vec2,
    /// The mass in the unit of [`Ball::mass`]; 0 for a fixed ball.
    mass: i128,
    /// The restitution in hundredths; at most 100.
    restitution: u8,
    /// The ball's reach: a box around the next part of its path. As long as no ball leaves its reach, the
    /// pairs of balls stay the same.
    reach: Aabb,
    /// True if the reach has no solid.
    is_free: bool,
    /// The displacement in this round, in 65,536ths of a pixel. If `stays` is true, the ball moves by it only
    /// if `slides` is true as well.
    displacement: I64Vec2,
    /// True if the ball is stopped in this round.
    stays: bool,
    /// True if a stopped ball can still move along the solids that stop it. `displacement` is then that
    /// motion.
    slides: bool,
    /// The sum of the velocity changes by the ball's contacts in this round if each were elastic and the only
    /// contact, in [`FINE`] parts of the velocity's unit.
    change: I64Vec2,
    /// The lowest restitution of the ball's contacts in this round.
    lowest: u8,
    /// Another ball that the ball collides with in this round, directly or through other balls, or the ball
    /// itself. [`group`] follows these links.
    linked: u32,
}

/// The level and the bodies that a ball can hit.
struct Surroundings<'a> {
    level: &'a Level,
    bodies: &'a Bodies,
    near: &'a Near,
}

#[derive(Clone, Debug, Default)]
pub(super) struct BallScratch {
    balls: Vec<Rolling>,
    /// For tests: replaces [`PART`] if it is `Some`.
    part: Option<i64>,
    reaches: Vec<Aabb>,
    search: Pairs,
    /// The pairs of balls that collide with each other's categories and whose reaches overlap.
    pairs: Vec<(u32, u32)>,
    /// The pairs of balls that may collide in a round. The flag of a pair is true after its contact was
    /// found, so that the contact counts only once.
    close: Vec<(u32, u32, bool)>,
    contacts: Vec<BallContact>,
    surroundings: path::PathScratch,
    normals: Vec<I64Vec2>,
    /// The balls whose velocity changes in a round, as sorted pairs (group, ball).
    members: Vec<(u32, u32)>,
    hits: Hits,
}

/// Moves all balls by their velocities, in at most [`MAX_ROUNDS`] rounds. A round tests each pair of near
/// balls at most [`MAX_PASSES`] + 1 times. For a ball near a solid, it reads the rows of pixels under the
/// ball once for each half pixel of the ball's path.
pub(super) fn step(
    bodies: &mut Bodies,
    near: &mut Near,
    scratch: &mut BallScratch,
    level: &Level,
    events: &mut Vec<Event>,
) {
    scratch.balls.clear();
    scratch.balls.extend(bodies.iter().filter_map(|(slot, body)| rolling(slot, body)));
    let speeds = scratch.balls.iter().map(|ball| ball.velocity.abs().max_element());
    let fastest = speeds.max().unwrap_or(0);
    let rounds = ((fastest + PIXEL - 1) / PIXEL).min(MAX_ROUNDS);
    for round in 0..rounds {
        for ball in &mut scratch.balls {
            // The displacements of a ball in all rounds add up to its velocity, without rounding errors.
            ball.displacement =
                ball.velocity * (round + 1) / rounds - ball.velocity * round / rounds;
            ball.stays = ball.displacement == I64Vec2::ZERO;
            ball.slides = false;
        }
        let around = Surroundings { level, bodies, near };
        scratch.contacts.clear();
        scratch.renew_reaches(round, rounds, &around);
        scratch.meet_solids(&around);
        scratch.meet_balls();
        scratch.hits.note_balls(&scratch.balls, &scratch.contacts, &around);
        scratch.bounce();
        // A ball slides along a solid only if no other ball is near.
        for (one, two, _) in &scratch.close {
            scratch.balls[*one as usize].slides = false;
            scratch.balls[*two as usize].slides = false;
        }
        for ball in scratch.balls.iter_mut().filter(|ball| ball.slides || !ball.stays) {
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
    let limit = if ball.mass == 0 { 0 } else { MAX_SPEED };
    Some(Rolling {
        slot,
        body: *body,
        circle: body.circle()?,
        velocity: body.velocity.clamp(I64Vec2::splat(-limit), I64Vec2::splat(limit)),
        mass: i128::from(ball.mass),
        restitution: ball.restitution.min(100),
        reach: Aabb::default(),
        is_free: false,
        displacement: I64Vec2::ZERO,
        stays: true,
        slides: false,
        change: I64Vec2::ZERO,
        lowest: 100,
        linked: 0,
    })
}

impl Rolling {
    /// The box around the ball's path in this round.
    fn bounds(&self) -> Aabb {
        let there = self.circle.moved(self.displacement);
        self.circle.bounds().hull(there.bounds())
    }

    /// The displacement in this round, as far as is known: 0 for a stopped ball.
    fn goes_by(&self) -> I64Vec2 {
        if self.stays { I64Vec2::ZERO } else { self.displacement }
    }

    /// The velocity after this round's changes, multiplied by `factor`, which is in 2^-24.
    fn velocity_after(&self, factor: i128) -> I64Vec2 {
        let mut velocity = self.velocity;
        for axis in 0..2 {
            let product = i128::from(self.change[axis]) * factor;
            let half = product.signum() * ONE * FINE / 2;
            velocity[axis] += ((product + half) / (ONE * FINE)) as i64;
        }
        velocity.clamp(I64Vec2::splat(-MAX_SPEED), I64Vec2::splat(MAX_SPEED))
    }

    /// The body after the step.
    fn settled(&self) -> Body {
        let mut body = self.body;
        let start = Disc::of(body.aabb, body.subpixel);
        body.displace(self.circle.center - start.center);
        if self.mass > 0 {
            body.velocity = self.velocity;
        }
        body
    }
}

impl BallScratch {
    /// Gives a new reach to each ball that leaves its reach in round number `round` of `rounds`, counted from
    /// 0, and then finds the pairs anew.
    fn renew_reaches(&mut self, round: i64, rounds: i64, around: &Surroundings<'_>) {
        let part = I64Vec2::splat(self.part.unwrap_or(PART));
        let mut is_old = false;
        for ball in &mut self.balls {
            let bounds = ball.bounds();
            if bounds.hull(ball.reach) == ball.reach {
                continue;
            }
            let left = ball.velocity - ball.velocity * round / rounds;
            let end = ball.circle.moved(left.clamp(-part, part)).bounds();
            ball.reach = bounds.hull(end);
            ball.is_free = around.is_free(ball, ball.reach);
            is_old = true;
        }
        if is_old {
            let balls = &self.balls;
            self.reaches.clear();
            self.reaches.extend(balls.iter().map(|ball| ball.reach));
            self.pairs.clear();
            self.pairs.extend(self.search.find(&self.reaches).iter().filter(|(one, two)| {
                let one = &balls[*one as usize];
                let two = &balls[*two as usize];
                one.body.meets(&two.body) && one.mass + two.mass > 0
            }));
        }
    }

    /// Stops each ball that would hit the level or a box. If the ball can still move along the solid, its
    /// `displacement` becomes that motion.
    fn meet_solids(&mut self, around: &Surroundings<'_>) {
        let Self { balls, contacts, surroundings, normals, hits, .. } = self;
        for (at, ball) in (0..).zip(balls).filter(|(_, ball)| !ball.stays && !ball.is_free) {
            around.meet(ball, surroundings, normals);
            ball.stays = !normals.is_empty();
            hits.note_solids(ball, surroundings.center_at_hit, normals, around);
            for normal in normals.iter().copied() {
                contacts.push(BallContact { one: at, other: None, normal });
            }
            let is_beside = normals.iter().any(|normal| normal.x != 0);
            let is_below = normals.iter().any(|normal| normal.y != 0);
            if is_beside != is_below {
                ball.displacement *= I64Vec2::new(is_below.into(), is_beside.into());
                around.meet(ball, surroundings, normals);
                ball.slides = normals.is_empty();
            }
        }
    }

    /// Stops balls that would collide in this round, then balls that would hit a stopped ball.
    fn meet_balls(&mut self) {
        let Self { balls, pairs, close, contacts, .. } = self;
        close.clear();
        for (one, two) in pairs.iter().copied() {
            if balls[one as usize].bounds().overlaps(balls[two as usize].bounds()) {
                close.push((one, two, false));
            }
        }
        for pass in 0..=MAX_PASSES {
            let first = contacts.len();
            for (one, two, is_done) in close.iter_mut().filter(|(_, _, is_done)| !is_done) {
                let a = &balls[*one as usize];
                let b = &balls[*two as usize];
                // The first pass tests every pair. Later passes test the pairs with one stopped ball. Two
                // stopped balls cannot collide.
                if (a.stays && b.stays) || (!a.stays && !b.stays && pass > 0) {
                    continue;
                }
                if a.circle.hits(&b.circle, a.goes_by() - b.goes_by()) {
                    *is_done = true;
                    let normal = a.circle.center - b.circle.center;
                    contacts.push(BallContact { one: *one, other: Some(*two), normal });
                }
            }
            if contacts.len() == first {
                return;
            }
            for contact in &contacts[first..] {
                for ball in contact.balls() {
                    balls[ball as usize].stays = true;
                }
            }
        }
        for (one, two, _) in close {
            balls[*one as usize].stays = true;
            balls[*two as usize].stays = true;
        }
    }

    /// Changes the velocities of the balls by all contacts of the round. O(n log n) for n contacts and balls.
    fn bounce(&mut self) {
        let Self { balls, contacts, members, .. } = self;
        if contacts.is_empty() {
            return;
        }
        for (at, ball) in (0..).zip(balls.iter_mut()) {
            ball.change = I64Vec2::ZERO;
            ball.lowest = 100;
            ball.linked = at;
        }
        for contact in contacts.iter() {
            add_changes(balls, contact);
        }
        members.clear();
        for at in 0..balls.len() as u32 {
            if balls[at as usize].change != I64Vec2::ZERO {
                members.push((group(balls, at), at));
            }
        }
        members.sort_unstable();
        for members in members.chunk_by(|one, two| one.0 == two.0) {
            change_velocities(balls, members);
        }
    }
}

/// A contact of ball `one` with ball `other`, or with a solid if `other` is `None`.
#[derive(Clone, Copy, Debug)]
struct BallContact {
    one: u32,
    other: Option<u32>,
    /// The vector from `other` or the solid toward the ball `one`.
    normal: I64Vec2,
}

impl BallContact {
    fn balls(&self) -> impl Iterator<Item = u32> + use<> {
        [Some(self.one), self.other].into_iter().flatten()
    }
}

/// The number of parts of a velocity's unit in the unit of [`Rolling::change`]. If a heavy ball's change were
/// rounded to whole units, a light ball's speed after a bounce would be wrong by several units.
const FINE: i128 = 1 << 8;

/// The factor 1, in the unit of all factors: 2^-24.
const ONE: i128 = 1 << 24;

/// The largest factor of a group's changes, in 2^-24. A larger factor would occur only if the changes cancel
/// each other except for rounding errors.
const MAX_FACTOR: i128 = ONE << 16;

/// Adds the velocity changes that an elastic `contact` would cause if it were the only contact, and joins the
/// groups of its two balls.
fn add_changes(balls: &mut [Rolling], contact: &BallContact) {
    let BallContact { one, other, normal } = *contact;
    let ball = balls[one as usize];
    let (velocity, mass, restitution) = match other.map(|other| &balls[other as usize]) {
        Some(other) => (other.velocity, other.mass, other.restitution.min(ball.restitution)),
        None => (I64Vec2::ZERO, 0, ball.restitution),
    };
    let speed = dot(ball.velocity - velocity, normal);
    if speed >= 0 {
        return;
    }
    // A ball's part of the change of the relative velocity is the other's part of both masses. A fixed ball
    // and a solid do not change.
    let (part, others_part, whole) = match (ball.mass, mass) {
        (_, 0) => (1, 0, 1),
        (0, _) => (0, 1, 1),
        (own, its) => (its, own, own + its),
    };
    for (at, part) in [(Some(one), part), (other, -others_part)] {
        if let Some(at) = at.filter(|_| part != 0) {
            let ball = &mut balls[at as usize];
            // The products are at most 2^108: a `speed` of 2^56, a `part` of 2^16, and a `normal` of 2^27.
            let product = -2 * FINE * speed * part;
            let divisor = square(normal) * whole;
            ball.change.x += (product * i128::from(normal.x) / divisor) as i64;
            ball.change.y += (product * i128::from(normal.y) / divisor) as i64;
            ball.lowest = ball.lowest.min(restitution);
        }
    }
    if let Some(other) = other.filter(|_| part != 0 && others_part != 0) {
        let first = group(balls, one);
        let second = group(balls, other);
        balls[first.max(second) as usize].linked = first.min(second);
    }
}

/// The ball that stands for the group of `ball`: the balls that collide with each other. Halves the links to
/// this ball, so that later searches are short.
fn group(balls: &mut [Rolling], mut ball: u32) -> u32 {
    while balls[ball as usize].linked != ball {
        let next = balls[balls[ball as usize].linked as usize].linked;
        balls[ball as usize].linked = next;
        ball = next;
    }
    ball
}

/// Changes the velocities of one group of balls that collide with each other. All changes are multiplied by
/// one factor. If all contacts are elastic, it is the factor that leaves the group's energy the same: 2 ·
/// `gain` / `cost`, where `gain` is the negated sum of mass · velocity · change over the group, and `cost` is
/// the sum of mass · change². The lowest restitution of the contacts makes it smaller, as for two balls.
fn change_velocities(balls: &mut [Rolling], members: &[(u32, u32)]) {
    let mut lowest = 100;
    let mut gain = 0;
    let mut cost = 0;
    for (_, at) in members {
        let ball = &balls[*at as usize];
        lowest = lowest.min(ball.lowest);
        gain -= ball.mass * dot(ball.velocity, ball.change);
        cost += ball.mass * square(ball.change);
    }
    let most = gain.max(0).saturating_mul(FINE * ONE * (100 + i128::from(lowest)));
    let mut factor = (most / (cost * 100)).min(MAX_FACTOR);
    let before = energy_after(balls, members, 0);
    let mut less = 1;
    while energy_after(balls, members, factor) > before {
        factor = (factor - less).max(0);
        less *= 2;
    }
    for (_, at) in members {
        let ball = &mut balls[*at as usize];
        ball.velocity = ball.velocity_after(factor);
    }
}

/// Twice the energy of the balls after their changes, multiplied by `factor`.
fn energy_after(balls: &[Rolling], members: &[(u32, u32)], factor: i128) -> i128 {
    let balls = members.iter().map(|(_, at)| &balls[*at as usize]);
    balls.map(|ball| ball.mass * square(ball.velocity_after(factor))).sum()
}

/// The hits of a step, to report them as events.
#[derive(Clone, Debug, Default)]
struct Hits {
    found: Vec<Impact>,
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
        let id = around.bodies.id(ball.slot);
        let solids = around.solids(ball);
        for normal in normals.iter().copied() {
            // Several solids can have this nearest point: a cell of the level, and the boxes of bodies.
            let point = center - normal;
            let mut is_box = false;
            let pixels = [pixel_at(point, normal, false), pixel_at(point, normal, true)];
            around.visit_boxes(ball, pixels[0].hull(pixels[1]), &mut |slot, body| {
                let is_met = match around.bodies.obstacle(slot, body).piece {
                    None => nearest(body.aabb, center) == point,
                    Some(piece) => pixels.iter().any(|pixel| {
                        nearest(*pixel, center) == point && piece.overlaps_aabb(*pixel)
                    }),
                };
                if is_met {
                    is_box = true;
                    if ball.body.watches & body.category != 0 {
                        self.note(id, Hit::Body(around.bodies.id(slot)), normal);
                    }
                }
            });
            let solid = pixels
                .iter()
                .find(|pixel| nearest(**pixel, center) == point && solids.overlaps_aabb(**pixel));
            // If there is neither a box nor a solid pixel, the ball hit an end of the range of `i32`, which
            // stops it like a wall of cells.
            if let Some(pixel) = solid.or(pixels.first().filter(|_| !is_box)) {
                self.note(id, Hit::Cell(around.level.cell_at(pixel.min)), normal);
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
            let one = &balls[contact.one as usize];
            let other = &balls[other as usize];
            let normal = contact.normal;
            if dot(one.velocity - other.velocity, normal) >= 0 {
                continue;
            }
            for (ball, other, normal) in [(one, other, normal), (other, one, -normal)] {
                if ball.body.watches & other.body.category != 0 {
                    let hit = Hit::Body(around.bodies.id(other.slot));
                    self.note(around.bodies.id(ball.slot), hit, normal);
                }
            }
        }
    }

    fn note(&mut self, ball: BodyId, hit: Hit, normal: I64Vec2) {
        self.found.push(Impact { body: ball, hit, normal: unit(normal) });
    }

    /// Adds an event for the first hit of each ball at each cell or body, then forgets all hits.
    fn report(&mut self, events: &mut Vec<Event>) {
        let Self { found, order } = self;
        order.clear();
        order.extend(0..found.len() as u32);
        order.sort_unstable_by_key(|at| (hit_order(&found[*at as usize]), *at));
        order.dedup_by_key(|at| hit_order(&found[*at as usize]));
        events.extend(order.iter().map(|at| Event::Hit(found[*at as usize])));
        found.clear();
    }
}

/// The sort key for the hits of a step: cells row by row, then bodies, for each ball.
fn hit_order(hit: &Impact) -> impl Ord + use<> {
    let at = match hit.hit {
        Hit::Cell(cell) => (Some((cell.y, cell.x)), None),
        Hit::Body(body) => (None, Some(body)),
    };
    (hit.body, at)
}

/// The pixel of a solid with `point` on its edge. `normal` is the direction from the solid to the ball. If
/// `point` is between two pixels on an axis where `normal` is 0, the result depends on `is_before_line`: if
/// true, it is the left or upper pixel.
fn pixel_at(point: I64Vec2, normal: I64Vec2, is_before_line: bool) -> Aabb {
    let back = (normal.signum() + i64::from(is_before_line)).clamp(I64Vec2::ZERO, I64Vec2::ONE);
    let min = clamped((point - back).div_euclid(I64Vec2::splat(PIXEL)));
    Aabb { min, max: min.saturating_add(IVec2::ONE) }
}

/// Returns `vector` scaled to length 65,536, with components rounded toward zero.
fn unit(vector: I64Vec2) -> IVec2 {
    // The length is in 65,536ths of the vector's unit. The centres of circles that touch are at most 2^27
    // apart, so the number under the root is below 2^88.
    let length = (square(vector) << 32).isqrt().max(1);
    let scale = i128::from(PIXEL) << 16;
    vector.to_array().map(|along| (i128::from(along) * scale / length) as i32).into()
}

#[cfg(test)]
mod tests {
    use glam::{IVec2, UVec2};

    use super::*;
    use crate::MoverSettings;
    use crate::geometry::Outside;
    use crate::grid::Grid;
    use crate::terrain::Terrain;
    use crate::world::World;

    fn level(random: &mut fastrand::Rng) -> Level {
        let (w, h) = (random.u32(65..260), random.u32(60..200));
        let outside = [Outside::Solid, Outside::Open][random.usize(0..2)];
        let mut terrain = |count| {
            let mut grid = Grid::new(w, h).unwrap();
            for _ in 0..random.u32(0..count) {
                let (x, y) = (random.u32(0..w), random.u32(0..h));
                let (right, bottom) = (x + random.u32(0..40), y + random.u32(0..40));
                grid.fill(x..right.min(w), y..bottom.min(h), true).unwrap();
            }
            Terrain::new(grid, UVec2::ONE).unwrap().with_outside(outside)
        };
        Level::new(terrain(9)).with_solid_area("glass", terrain(3), 2)
    }

    fn body(random: &mut fastrand::Rng, top: i64) -> Body {
        let at = IVec2::new(random.i32(-20..260), random.i32(-20..200));
        let aabb = Aabb::from_xywh(at.x, at.y, random.i32(1..30), random.i32(1..30));
        let mut body = match random.u8(0..10) {
            0 => Body::platform(aabb),
            1 => Body::character(aabb, MoverSettings::PLAIN),
            _ => Body::ball(at, random.u32(0..24), random.u16(0..4)),
        };
        let top = if random.u8(0..6) == 0 { top * 8 } else { top }; // Some bodies are much faster.
        body.velocity = I64Vec2::new(random.i64(-top..top), random.i64(-top..top));
        body.category = random.u64(1..4);
        body.collides_with = random.u64(1..4);
        body
    }

    #[test]
    fn the_size_of_the_reaches_of_balls_does_not_change_their_motion() {
        let mut random = fastrand::Rng::with_seed(77);
        let mut bounces = 0;
        for _ in 0..60 {
            let level = level(&mut random);
            let mut world = World::new(crate::Rate::per_second(1));
            let top = [PIXEL / 2, 3 * PIXEL, 20 * PIXEL, 200 * PIXEL][random.usize(0..4)];
            for _ in 0..random.u32(2..70) {
                world.add(body(&mut random, top));
            }
            let mut twin = world.clone();
            twin.scratch.balls.part = Some(0);
            world.scratch.balls.part = Some([PIXEL, PART, 1 << 30][random.usize(0..3)]);
            for _ in 0..12 {
                let before: Vec<I64Vec2> = world.iter().map(|(_, body)| body.velocity).collect();
                world.step(&level);
                twin.step(&level);
                assert_eq!(world, twin);
                let changed =
                    world.iter().zip(before).filter(|((_, body), old)| body.velocity != *old);
                bounces += changed.count();
            }
        }
        assert!(bounces > 1_500, "{bounces}");
    }
}
