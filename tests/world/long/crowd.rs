//! Random levels for worlds, bodies of every kind, and the changes that a game makes to them.

use std::collections::HashSet;
use std::ops::Range;

use bitwall::glam::{I64Vec2, IVec2};
use bitwall::world::{Body, BodyKind};
use bitwall::{Aabb, Dir, MoverSettings};
use fastrand::Rng;

use super::plays::{NAMES, Play};
use crate::movement::random::{PIXEL, Plan, settings};
use crate::support::{Subpixels, to_pixels};

/// A change that a game makes to a world between two steps. A body is given by its number.
#[derive(Clone, Debug)]
pub(super) enum Key {
    Add(usize, Box<Body>),
    Remove(usize),
    Velocity(usize, I64Vec2),
    DropThrough(usize),
    /// Makes cells of the level solid or passable.
    Fill(Range<i32>, Range<i32>, bool),
}

/// Selects what may happen in a round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Theme {
    pub(super) has_lifts: bool,
    pub(super) balls_fall: bool,
    pub(super) level_changes: bool,
    pub(super) count: usize,
}

impl Theme {
    pub(super) fn random(random: &mut Rng) -> Self {
        Self {
            has_lifts: random.u8(0..4) > 0,
            balls_fall: random.bool(),
            level_changes: random.u8(0..4) == 0,
            count: random.usize(2..NAMES),
        }
    }

    /// Returns the changes before a step. In some times there are none, so that bodies come to rest.
    pub(super) fn keys(&self, random: &mut Rng, play: &Play, step: usize) -> Vec<Key> {
        let mut keys = Vec::new();
        for name in 0..NAMES {
            if play.body(name).is_some_and(|body| !play.is_near(body.aabb)) {
                keys.push(Key::Remove(name));
            }
        }
        if step % 64 >= 40 {
            return keys;
        }
        for _ in 0..random.usize(0..3) {
            let name = random.usize(0..self.count);
            let Some(body) = play.body(name) else {
                keys.extend(self.body(random, play, name).map(|body| Key::Add(name, body.into())));
                continue;
            };
            let is_lift = matches!(body.kind, BodyKind::Platform(_));
            keys.push(match random.u8(0..16) {
                0 => Key::Remove(name),
                1 => Key::DropThrough(name),
                _ if is_lift && !self.has_lifts => continue,
                2..5 => Key::Velocity(name, -body.velocity_subpixels()),
                _ => Key::Velocity(name, velocity(random)),
            });
        }
        if self.level_changes && random.u8(0..8) == 0 {
            let plan = &play.plan;
            let (x, y) = (random.i32(0..plan.size.x), random.i32(0..plan.size.y));
            let (w, h) = (random.i32(1..4), random.i32(1..3));
            let is_solid = random.u8(0..3) == 0;
            let columns = x..(x + w).min(plan.size.x);
            keys.push(Key::Fill(columns, y..(y + h).min(plan.size.y), is_solid));
        }
        let mut named = HashSet::new();
        // If a number occurred twice, a change could apply to a body that is gone, or add one body over
        // another.
        keys.retain(|key| match key {
            Key::Add(name, _)
            | Key::Remove(name)
            | Key::Velocity(name, _)
            | Key::DropThrough(name) => named.insert(*name),
            Key::Fill(..) => true,
        });
        keys
    }

    /// Creates a body with the number `name`, mostly at a free position. `None` if no free position is found.
    pub(super) fn body(&self, random: &mut Rng, play: &Play, name: usize) -> Option<Body> {
        let size = play.plan.size * play.plan.cell;
        let most = if random.u8(0..8) == 0 { 50 } else { 20 };
        let (w, h) = (random.i32(2..most), random.i32(2..most));
        let kind = random.u8(0..16);
        let may_overlap = kind == 0 || random.u8(0..24) == 0;
        for _ in 0..20 {
            let at = IVec2::new(random.i32(-10..size.x), random.i32(-10..size.y));
            let aabb = Aabb::from_xywh(at.x, at.y, w, h);
            let is_free = !play.level.overlaps(aabb)
                && play.bodies().all(|(_, other)| !other.aabb.overlaps(aabb));
            if is_free || may_overlap {
                return Some(self.body_at(random, aabb, kind, name));
            }
        }
        None
    }

    fn body_at(&self, random: &mut Rng, aabb: Aabb, kind: u8, name: usize) -> Body {
        let velocity = velocity(random);
        let gravity = I64Vec2::new(0, random.i64(0..40_000));
        let (mass, push) = (random.u16(0..5), random.u16(0..12));
        let mut body = match kind {
            0 => Body::sensor(aabb).with_velocity_subpixels(velocity),
            1 | 2 => self.platform(random, aabb),
            3 | 4 => {
                let side = aabb.width().min(aabb.height());
                let ball = Body::ball(aabb.min, side, random.u16(0..6));
                let acceleration = if self.balls_fall { gravity } else { I64Vec2::ZERO };
                ball.with_velocity_subpixels(velocity).with_acceleration_subpixels(acceleration)
            }
            5..9 => Body::pushable(aabb, 0, 0.0).with_acceleration_subpixels(gravity).pushing(
                mass,
                0,
                random.bool(),
            ),
            9..12 => Body::character(aabb, MoverSettings::platformer())
                .with_velocity_subpixels(velocity)
                .with_acceleration_subpixels(gravity),
            12 => {
                Body::character(aabb, MoverSettings::top_down()).with_velocity_subpixels(velocity)
            }
            _ => {
                let settings = settings(random);
                let down = settings.floor.unwrap_or(Dir::Down).vector().as_i64vec2();
                let acceleration = down * random.i64(0..3) * gravity.y;
                Body::character(aabb, settings)
                    .with_velocity_subpixels(velocity)
                    .with_acceleration_subpixels(acceleration)
            }
        };
        if kind >= 9 {
            body = body.pushing(mass, push, random.u8(0..4) == 0);
        }
        if let (BodyKind::Ball(ball), true) = (&mut body.kind, random.bool()) {
            ball.restitution = random.u8(..);
        }
        // No two bodies may be equal except for their positions, because the positions decide the order of
        // moving.
        body.category = 4 << name | random.u64(1..4);
        body.collides_with = [u64::MAX, u64::MAX, u64::MAX, 1, 2, 0][random.usize(0..6)];
        if random.u8(0..4) == 0 {
            body.watches = random.u64(..);
        }
        body
    }

    fn platform(&self, random: &mut Rng, aabb: Aabb) -> Body {
        let long = Aabb::from_xywh(aabb.min.x, aabb.min.y, aabb.width() as i32 * 2, 8);
        let body = match random.u8(0..3) {
            0 => Body::platform(aabb),
            1 => Body::platform(long),
            _ => Body::one_way_platform(long),
        };
        let body = match self.has_lifts {
            true => body.with_velocity_subpixels(velocity(random) / 2),
            false => body,
        };
        match random.u8(0..3) {
            0 => body.with_belt(to_pixels(I64Vec2::new(random.i64(-2 * PIXEL..2 * PIXEL), 0))),
            _ => body,
        }
    }
}

/// Returns a random velocity of up to 4 pixels a step, rarely up to 20 or 200.
fn velocity(random: &mut Rng) -> I64Vec2 {
    let most = [4, 4, 4, 4, 4, 4, 20, 200][random.usize(0..8)] * PIXEL;
    let mut component = || match random.u8(0..8) {
        0 => 0,
        1 => random.i64(-3..=3) * PIXEL,
        _ => random.i64(-most..=most),
    };
    I64Vec2::new(component(), component())
}

/// Creates a random level of tiles or of pixels.
pub(super) fn plan(random: &mut Rng) -> Plan {
    let cells = [[16, 16], [8, 8], [12, 10], [5, 7], [1, 1]];
    let cell: IVec2 = cells[random.usize(0..cells.len())].into();
    let pixels = IVec2::new(random.i32(120..420), random.i32(100..260));
    Plan::random_of(random, pixels / cell, cell)
}
