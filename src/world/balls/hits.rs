//! The solids and balls that balls ran into in a step, for the balls that watch them.
//!
//! Nothing here moves a ball or decides that it bounces.

use glam::{I64Vec2, IVec2};

use super::super::circle::{dot, nearest, square};
use super::super::events::{BallHit, Event};
use super::bounce::Contact;
use super::meet::Surroundings;
use super::{PIXEL, Rolling};
use crate::geometry::{Aabb, Axis, saturated};
use crate::level::Solids;
use crate::sweep::Hit;

/// Memory that steps reuse.
#[derive(Clone, Debug, Default)]
pub(super) struct Hits {
    found: Vec<BallHit>,
    /// The places in `found`, in the order of the events.
    order: Vec<u32>,
}

impl Hits {
    /// Notes the solids with these normals that stop a ball, which is at `center` when it meets them.
    pub(super) fn note_solids(
        &mut self,
        ball: &Rolling,
        center: I64Vec2,
        normals: &[I64Vec2],
        around: &Surroundings<'_>,
    ) {
        if ball.body.watches == 0 {
            return;
        }
        let name = around.bodies.id(ball.slot);
        for normal in normals {
            find_solids(ball, center, *normal, around, |hit| {
                self.found.push(BallHit { ball: name, hit, normal: unit(*normal) });
            });
        }
    }

    /// Notes the balls that run into each other.
    pub(super) fn note_balls(
        &mut self,
        balls: &[Rolling],
        contacts: &[Contact],
        around: &Surroundings<'_>,
    ) {
        for contact in contacts {
            let Some(other) = contact.other else { continue };
            let [one, other] = [contact.one, other].map(|at| &balls[at as usize]);
            let velocity = |ball: &Rolling| ball.velocity * ball.mass.signum();
            if dot(velocity(one) - velocity(other), contact.normal) >= 0 {
                continue;
            }
            for (ball, other, normal) in
                [(one, other, contact.normal), (other, one, -contact.normal)]
            {
                if ball.body.watches & other.body.category != 0 {
                    let [ball, other] = [ball, other].map(|ball| around.bodies.id(ball.slot));
                    let hit = Hit::Body(other);
                    self.found.push(BallHit { ball, hit, normal: unit(normal) });
                }
            }
        }
    }

    /// Reports the first hit of each ball at each solid or ball, and forgets all.
    pub(super) fn report(&mut self, events: &mut Vec<Event>) {
        let Self { found, order } = self;
        order.clear();
        order.extend(0..found.len() as u32);
        order.sort_unstable_by_key(|at| (found[*at as usize].order(), *at));
        order.dedup_by_key(|at| found[*at as usize].order());
        events.extend(order.iter().map(|at| Event::Hit(found[*at as usize])));
        found.clear();
    }
}

/// Calls `found` with the solids whose point nearest to `center` is `normal` away from it: a cell of the
/// level, and the boxes that the ball watches.
fn find_solids(
    ball: &Rolling,
    center: I64Vec2,
    normal: I64Vec2,
    around: &Surroundings<'_>,
    mut found: impl FnMut(Hit),
) {
    let point = center - normal;
    let is_there = |aabb: Aabb| nearest(aabb, center) == point;
    let (pixels, solids) = (pixels_at(point, normal), around.solids(ball));
    let is_solid = |pixel: &Aabb| is_there(*pixel) && solids.overlaps_aabb(*pixel);
    let solid = pixels.into_iter().find(is_solid);
    let mut is_box = false;
    around.visit_boxes(ball, pixels[0].hull(pixels[1]), |slot, body| {
        if is_there(body.aabb) {
            is_box = true;
            if ball.body.watches & body.category != 0 {
                found(Hit::Body(around.bodies.id(slot)));
            }
        }
    });
    // Without a solid of either kind it is an end of the range.
    if let Some(pixel) = solid.or((!is_box).then_some(pixels[0])) {
        found(Hit::Cell(around.level.cell_at(pixel.min)));
    }
}

/// The pixels behind a point on the edge of a solid: two if it lies straight ahead of the ball on the line
/// between them.
fn pixels_at(point: I64Vec2, normal: I64Vec2) -> [Aabb; 2] {
    let [one, other] = [0, 1].map(|back| {
        IVec2::from_array([Axis::X, Axis::Y].map(|axis| {
            let (along, normal) = (point[axis.index()], normal[axis.index()]);
            let is_before = normal > 0 || normal == 0 && back == 1;
            saturated((along - i64::from(is_before)).div_euclid(PIXEL))
        }))
    });
    [one, other].map(|min| Aabb { min, max: min.saturating_add(IVec2::ONE) })
}

/// The vector of the same direction and a length of one pixel, in 65,536ths, rounded toward zero.
fn unit(vector: I64Vec2) -> IVec2 {
    // In 65,536ths of its unit. Circles that meet are at most 2^29 apart, and its square here below 2^92.
    let length = (square(vector) << 32).isqrt().max(1);
    let part = |along: i64| (i128::from(along) * (i128::from(PIXEL) << 16) / length) as i32;
    IVec2::new(part(vector.x), part(vector.y))
}
