//! Motions of boxes, and rays: bitwall, the loops that a game writes by hand, and other libraries.
//!
//! Each section asks all contenders the same questions, and compares their answers with those of its first
//! row. The first contenders are exact, and must agree in all. The differences of the others:
//! * All compute in `f32`, and a body that touches a solid may count as inside of it, so their boxes are
//!   smaller by [`EDGE`] on each side. On **straight** paths a body that grazes a corner by less passes.
//! * bitwall stops at the last whole pixel before a contact, so straight paths agree within two pixels.
//! * **Parry's and Rapier's cast** is an iteration with a tolerance of its own. On straight paths it ends over
//!   two pixels before or behind the contact in up to 1.5% of cases, where bitwall and Box2D agree in all.
//! * **Rays** that pass through a corner between two solids, or within rounding of one, stop there or not: in
//!   bitwall they pass exactly there, in the others as `f32` is rounded.
//! * The **steps** are those of a mover that climbs steps and slopes, corrects corners and stands on floors,
//!   and of a controller that only slides, so the places to which they move a body differ: that is counted
//!   and not judged.
//!
//! The level's outside is solid in bitwall alone, so no question reaches it.

#[cfg(feature = "engines")]
mod box2d;
pub(crate) mod contest;
mod loops;
mod parry;
#[cfg(feature = "engines")]
pub(crate) mod rapier;
mod scripts;
mod sections;
pub(crate) mod work;

use bitwall::glam::Vec2;
use parry2d::math::{Pose, Vector};

use contest::Contest;
use work::Work;
#[cfg(feature = "engines")]
pub(crate) use {box2d::Box2d, parry::Parry, rapier::Rapier};

/// The boxes of peers are smaller by this on each side, in pixels.
const EDGE: f32 = 0.01;

/// The pose and the half size of a box for Parry and Rapier.
fn box_pose(min: Vec2, max: Vec2) -> (Pose, Vector) {
    let (half, center) = ((max - min) / 2.0 - EDGE, (min + max) / 2.0);
    (Pose::from_translation(Vector::new(center.x, center.y)), Vector::new(half.x, half.y))
}

/// All sections, on both levels, with at most so many questions of each kind.
pub(crate) fn compare(rounds: usize, most: usize) -> Vec<Contest> {
    let works = Work::both(most);
    works.iter().flat_map(|work| sections::all(work, rounds)).collect()
}
