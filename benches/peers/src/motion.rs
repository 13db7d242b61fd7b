//! Compares motions of boxes, and rays: bitwall, the loops that a game would write by hand, and other
//! libraries.
//!
//! Each section asks all contenders the same questions, and compares their answers with the answers in its
//! first row. The first contenders are exact, and must agree in all questions. The others differ for these
//! reasons:
//! * All of them compute in `f32`, and a body that touches a solid may count as inside it, so their boxes are
//!   smaller by [`EDGE`] on each side. On **straight** paths a body that overlaps a corner by less than that
//!   passes it.
//! * bitwall stops at the last whole pixel before a contact, so straight paths agree within two pixels.
//! * **The casts of Parry and Rapier** are iterations with their own tolerance. On straight paths they end
//!   over two pixels before or behind the contact in up to 1.5% of the cases, in all of which bitwall and
//!   Box2D agree.
//! * **Rays** that pass through a corner between two solids, or that come so near to a corner that rounding
//!   matters, may stop there or not. In bitwall they always pass. In the others it depends on how `f32` is
//!   rounded.
//! * The **steps** of bitwall are steps of a mover that climbs steps and slopes, corrects corners and stands
//!   on floors. The others have a controller that only slides. So they move a body to different positions,
//!   which is counted but not a fault.
//!
//! Only in bitwall the outside of the level is solid, so no question reaches it.

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

/// The distance by which the boxes of other libraries are smaller on each side, in pixels.
const EDGE: f32 = 0.01;

/// Returns the pose and the half size of a box for Parry and Rapier.
fn box_pose(min: Vec2, max: Vec2) -> (Pose, Vector) {
    let (half, center) = ((max - min) / 2.0 - EDGE, (min + max) / 2.0);
    (Pose::from_translation(Vector::new(center.x, center.y)), Vector::new(half.x, half.y))
}

/// Runs all sections on both levels, with at most `most` questions of each kind.
pub(crate) fn compare(rounds: usize, most: usize) -> Vec<Contest> {
    let works = Work::both(most);
    works.iter().flat_map(|work| sections::all(work, rounds)).collect()
}
