//! The projection of a Tiled map, in any orientation, to its picture. Nothing is drawn.

use glam::{DVec2, UVec2};

use super::placement::Placement;
use crate::tmx::{PlacedMap, Projection};

/// A map on the screen.
#[derive(Debug)]
pub(super) struct Screen<'m> {
    pub(super) map: &'m PlacedMap,
    placement: Placement<'m>,
    /// The point of the screen that is the picture's corner.
    origin: DVec2,
    /// The side of a pixel of the screen in the picture.
    scale: f64,
}

impl<'m> Screen<'m> {
    pub(super) fn new(map: &'m PlacedMap, scale: u32) -> Self {
        let placement = Placement::new(map);
        Self { map, origin: placement.level().min.as_dvec2(), placement, scale: scale.into() }
    }

    /// The size of the map's picture at a scale of 1.
    pub(super) fn size(&self) -> UVec2 {
        let size = self.placement.level().size();
        size.max(glam::I64Vec2::ZERO).as_uvec2()
    }

    /// True if the level's pixels are not those of the screen.
    pub(super) fn projects(&self) -> bool {
        self.map.on_screen.is_none()
    }

    /// The conversions between the map's pixels and the screen.
    pub(super) fn projection(&self) -> &Projection {
        self.placement.projection()
    }

    /// The point of the picture at a point of the level, which is enlarged like the picture.
    pub(super) fn of_level(&self, point: DVec2) -> DVec2 {
        let in_map = point / self.scale - self.map.place.as_dvec2();
        self.of_screen(self.projection().map_to_screen(in_map))
    }

    /// The point of the picture at a point of the screen.
    pub(super) fn of_screen(&self, point: DVec2) -> DVec2 {
        (point - self.origin) * self.scale
    }

    /// The point of the level, which is enlarged like the picture, at a point of the picture.
    pub(super) fn to_level(&self, point: DVec2) -> DVec2 {
        let on_screen = point / self.scale + self.origin;
        (self.projection().screen_to_map(on_screen) + self.map.place.as_dvec2()) * self.scale
    }
}
