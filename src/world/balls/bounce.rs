//! The effect of contacts on velocities: momentum is kept between balls, and energy never grows.
//!
//! All contacts of a round count at once. Each alone would be the impact of two masses along their common
//! normal, after which they part at their restitution times the speed before. Where balls touch in a group,
//! the sum of these impulses could add energy, so the group's impulses are scaled by one factor: with changes
//! d of velocities v and masses m, the energy after t times the changes differs by t * sum(m v.d) + t^2 / 2 *
//! sum(m d.d), which is 0 at t = -2 sum(m v.d) / sum(m d.d). The factor is the least of the two t for the
//! changes themselves and for those of elastic impacts. The first keeps the energy from growing. The second
//! is 1 for one contact, where the first would undo the loss. At a restitution of 100 they are the same, and
//! keep the energy. (The impulses of simultaneous impacts are not determined by the laws of mechanics, and
//! this choice does not depend on an order.) Then t is rounded down until the energy in integers is not more
//! than before. Velocities are in 2^-32 pixels, so rounding loses next to nothing. Sums are exact in `i128`,
//! so that they do not depend on an order either.

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
    change: Vec<Change>,
    /// (group, ball), sorted: the balls whose velocity changes.
    members: Vec<(u32, u32)>,
}

/// The change of a velocity, in 2^-32 pixels a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Change {
    own: I64Vec2,
    /// The change if all contacts were elastic.
    elastic: I64Vec2,
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
                // The displacements meet and the velocities do not: the rest of the velocity is their
                // difference.
                if self.change[at as usize].own == I64Vec2::ZERO {
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
        let restitution = other.map_or(100, |ball| ball.restitution).min(one.restitution);
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
            // At most 2^116: a speed of 2^69, parts of 2^16, a normal of 2^24, and 200.
            let along = |normal: i64, hundredths: i128| {
                let whole = 100 * whole * length;
                (sign * -hundredths * speed * part * i128::from(normal) / whole) as i64
            };
            let with =
                |hundredths| I64Vec2::new(along(normal.x, hundredths), along(normal.y, hundredths));
            let change = &mut self.change[at as usize];
            change.own = change.own.saturating_add(with(100 + i128::from(restitution)));
            change.elastic = change.elastic.saturating_add(with(200));
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

/// The factor, in 2^-32, at which changes keep the energy: twice their gain by their cost; at most
/// [`MAX_FACTOR`]. `None` if there is nothing to gain.
fn keeping(gain: i128, cost: i128) -> Option<i128> {
    if gain <= 0 || cost == 0 {
        return None;
    }
    // Drops low bits to make room for the factor.
    let shift = (128 - gain.leading_zeros()).saturating_sub(90);
    let (gain, cost) = (gain >> shift, (cost >> shift).max(1));
    Some((gain * 2 * ONE / cost).min(MAX_FACTOR))
}

/// Changes the velocities of one group, by as much as its energy allows.
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
