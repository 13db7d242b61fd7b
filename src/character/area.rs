//! The areas of a level in which other rules hold, and the middle of a body, by which it is in them.

use glam::IVec2;

use crate::geometry::Aabb;
use crate::level::Solids;
use crate::sweep::Terrain;

/// The area of this name, if the solids have it.
pub(super) fn named<'a>(solids: &'a impl Solids, name: &str) -> Option<&'a Terrain> {
    let mut areas = solids.watched_areas().iter();
    areas.find(|(known, _)| known == name).map(|(_, area)| area)
}

/// The middle columns of a body, all its height: one if its width is odd, else two.
pub(super) fn middle_columns(body: Aabb) -> Aabb {
    let [low, high] = middle(body.min.x, body.max.x);
    Aabb { min: IVec2::new(low, body.min.y), max: IVec2::new(high, body.max.y) }
}

/// The pixels at the centre of a body: one, two or four.
pub(super) fn center(body: Aabb) -> Aabb {
    let columns = middle_columns(body);
    let [low, high] = middle(body.min.y, body.max.y);
    Aabb { min: IVec2::new(columns.min.x, low), max: IVec2::new(columns.max.x, high) }
}

/// The middle of a range: one number if its length is odd, else two. The mirrored range has the mirrored one.
fn middle(min: i32, max: i32) -> [i32; 2] {
    let sum = i64::from(min) + i64::from(max);
    [(sum - 1).div_euclid(2) as i32, (sum.div_euclid(2) + 1) as i32]
}
