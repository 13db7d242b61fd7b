//! Where a body stands at a marker. No level, no solids.

use glam::{IVec2, UVec2};

use crate::geometry::Aabb;
use crate::level::Marker;

/// The boxes in which a body of `size` pixels may stand at a marker. Games differ: a point is the middle of
/// the body, the middle of its feet, or its top-left corner. In a rectangle, the body is in its middle, on
/// its lower side, or in its top-left corner.
///
/// ```
/// use bitwall::analyze::standing;
/// use bitwall::{Aabb, Level, glam::UVec2};
///
/// let level = Level::load("assets/cave.tmx")?;
/// let player = level.marker("player").expect("the map has a spawn");
/// let [middle, feet, corner] = standing(player, UVec2::new(12, 20));
/// assert_eq!(middle.center(), player.position());
/// assert_eq!((feet.min.x, feet.max.y), (middle.min.x, player.position().y));
/// assert_eq!(corner.min, player.position());
/// # Ok::<(), bitwall::LoadError>(())
/// ```
pub fn standing(marker: &Marker, size: UVec2) -> [Aabb; 3] {
    let middle = Aabb::from_center(marker.position(), size);
    let feet = IVec2::new(middle.min.x, marker.area.max.y.saturating_sub_unsigned(size.y));
    let at = |min: IVec2| Aabb { min, max: min.saturating_add_unsigned(size) };
    [middle, at(feet), at(marker.area.min)]
}
