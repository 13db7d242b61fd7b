//! The effect of elastic contacts on velocities: momentum is kept between balls, and energy by all.
//!
//! All contacts of a round count at once. Each alone would be the elastic impact of two masses along their
//! common normal. Where balls touch in a group, the sum of these impulses would add energy, so the group's
//! impulses are scaled by the one factor that keeps its energy: with changes d of velocities v and masses m,
//! the energy after t times the changes differs by t * sum(m v.d) + t^2 / 2 * sum(m d.d), which is 0 at t =
//! -2 sum(m v.d) / sum(m d.d). (For one contact t is 1; the impulses of simultaneous impacts are not
//! determined by the laws of mechanics, and this choice does not depend on an order.) Then t is rounded down
//! until the energy in integers is not more than before. Velocities are in 2^-32 pixels, so next to nothing
//! is lost. Sums are exact in `i128`, so that they do not depend on an order either.

use glam::I64Vec2;

use super::super::body::Ball;
use super::super::circle::{dot, square};
use super::{PIXEL, Rolling};

/// A contact of a ball with another one, or with a solid, which does not move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub(super) one: u32,
    pub(super) other: Option<u32>,
    /// From `other` or the solid toward `one`, of any length but 0.
    pub(super) normal: I64Vec2,
    /// True if both move toward each other, and neither has to stay.
    pub(super) is_met: bool,
}

/// Memory that steps reuse.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounce {
    /// For each ball another one of its group, or itself; see [`root`].
    group: Vec<u32>,
    /// The change of each ball's velocity.
    change: Vec<I64Vec2>,
    /// (group, ball), sorted: the balls whose velocity changes.
    members: Vec<(u32, u32)>,
}

/// The factor 1, in 2^-32.
const ONE: i128 = 1 << 32;

/// The largest factor. It would be larger only in a group whose impulses cancel out but for rounding.
const MAX_FACTOR: i128 = ONE << 16;

/// The largest change in the sums.
const MAX_CHANGE: i64 = 1 << 44;

impl Bounce {
    /// Changes the velocities of the balls by their contacts. O(contacts + balls), plus the sorting of
    /// groups.
    pub(super) fn run(&mut self, balls: &mut [Rolling], contacts: &[Contact]) {
        if contacts.is_empty() {
            return;
        }
        self.group.clear();
        self.group.extend(0..balls.len() as u32);
        self.change.clear();
        self.change.resize(balls.len(), I64Vec2::ZERO);
        self.members.clear();
        for contact in contacts {
            self.take(balls, contact);
        }
        for ball in 0..balls.len() as u32 {
            if self.change[ball as usize] != I64Vec2::ZERO {
                self.members.push((root(&mut self.group, ball), ball));
            }
        }
        self.members.sort_unstable();
        for members in self.members.chunk_by(|one, two| one.0 == two.0) {
            apply(balls, &self.change, members);
        }
        for contact in contacts.iter().filter(|contact| contact.is_met) {
            for at in [Some(contact.one), contact.other].into_iter().flatten() {
                // The displacements meet and the velocities do not: the rest of the velocity is their
                // difference.
                if self.change[at as usize] == I64Vec2::ZERO {
                    let ball = &mut balls[at as usize];
                    ball.velocity = ball.velocity / PIXEL * PIXEL;
                }
            }
        }
    }

    /// Adds the impulse of one contact alone.
    fn take(&mut self, balls: &[Rolling], contact: &Contact) {
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
        let share =
            |of: &Rolling, against: Option<&Rolling>| match against.map_or(0, |ball| ball.mass) {
                0 => (1, 1),
                mass => (i128::from(mass), i128::from(mass + of.mass)),
            };
        let mut change = |at: u32, ball: &Rolling, against: Option<&Rolling>, sign: i128| {
            if ball.mass == 0 {
                return;
            }
            let (part, whole) = share(ball, against);
            let along = |normal: i64| {
                (sign * -2 * speed * part * i128::from(normal) / (whole * length)) as i64
            };
            let change = &mut self.change[at as usize];
            *change = change.saturating_add(I64Vec2::new(along(normal.x), along(normal.y)));
        };
        change(contact.one, &one, other.as_ref(), 1);
        if let (Some(at), Some(other)) = (contact.other, &other) {
            change(at, other, Some(&one), -1);
            if one.mass > 0 && other.mass > 0 {
                let group = &mut self.group;
                let (a, b) = (root(group, contact.one), root(group, at));
                self.group[a.max(b) as usize] = a.min(b);
            }
        }
    }
}

/// The ball that represents the group of `ball`. The path to it is halved, so that later searches are short.
fn root(group: &mut [u32], mut ball: u32) -> u32 {
    while group[ball as usize] != ball {
        group[ball as usize] = group[group[ball as usize] as usize];
        ball = group[ball as usize];
    }
    ball
}

/// A vector of the same direction with components of at most `limit`, a power of 2. The mirrored vector gives
/// the mirrored one.
fn shortened(vector: I64Vec2, limit: i64) -> I64Vec2 {
    let mut shift = 0;
    while (vector.abs().max_element() >> shift) > limit {
        shift += 1;
    }
    vector / (1 << shift)
}

/// Changes the velocities of one group, by as much as its energy allows.
fn apply(balls: &mut [Rolling], change: &[I64Vec2], members: &[(u32, u32)]) {
    let members = || members.iter().map(|(_, ball)| *ball as usize);
    let largest = members().map(|at| change[at].abs().max_element()).max().unwrap_or(0);
    let mut scale = 1;
    while largest / scale > MAX_CHANGE {
        scale *= 2;
    }
    let change = |at: usize| change[at] / scale;
    let mass = |balls: &[Rolling], at: usize| i128::from(balls[at].mass);
    let gain = |at| mass(balls, at) * -dot(balls[at].velocity, change(at));
    let cost = |at| mass(balls, at) * square(change(at));
    let (gain, cost): (i128, i128) = (members().map(gain).sum(), members().map(cost).sum());
    if gain <= 0 || cost == 0 {
        return;
    }
    // Drops low bits to make room for the factor.
    let shift = (128 - gain.leading_zeros()).saturating_sub(90);
    let (gain, cost) = (gain >> shift, (cost >> shift).max(1));
    let mut factor = (gain * 2 * ONE / cost).min(MAX_FACTOR);
    let after = |balls: &[Rolling], at: usize, factor: i128| {
        let limit = i64::from(Ball::MAX_SPEED) << 32;
        let part = |change: i64| (i128::from(change) * factor / ONE) as i64;
        let (velocity, change) = (balls[at].velocity, change(at));
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
