//! Where a map is on the screen: the box of its cells, and the way between its level, the screen and the
//! picture.

use glam::DVec2;

use super::picture::Rect;
use crate::tmx::{Lattice, PlacedMap, Projection, Space};

/// A map on the screen, and the picture that shows it.
#[derive(Debug)]
pub(super) struct MapView<'m> {
    map: &'m PlacedMap,
    projection: Projection,
    /// The screen point at the top-left corner of the whole picture.
    origin: DVec2,
    /// The side of a screen pixel, in pixels of the picture.
    scale: f64,
}

impl<'m> MapView<'m> {
    pub(super) fn new(map: &'m PlacedMap, scale: u32) -> Self {
        let projection = map.map.projection();
        let view = Self { map, projection, origin: DVec2::ZERO, scale: scale.into() };
        Self { origin: view.area().min.as_dvec2(), ..view }
    }

    /// True if the level is in the map's own space, so that the picture shows it slanted.
    pub(super) fn is_slanted(&self) -> bool {
        self.map.on_screen.is_none()
    }

    /// The area of the screen that the level's cells cover.
    pub(super) fn area(&self) -> Rect {
        if let Some(area) = self.map.on_screen {
            return area.into();
        }
        let first = self.map.first_cell;
        let end = first.saturating_add(self.map.cells.as_ivec2());
        Lattice::for_map(&self.map.map, Space::Screen).area(first, end).into()
    }

    /// Converts a point of the level, in pixels times the scale, to a point of the whole picture.
    pub(super) fn of_level(&self, point: DVec2) -> DVec2 {
        let in_map = point / self.scale - self.map.place.as_dvec2();
        (self.projection.map_to_screen(in_map) - self.origin) * self.scale
    }

    /// Converts a point of the whole picture to a point of the level, in pixels times the scale.
    pub(super) fn to_level(&self, point: DVec2) -> DVec2 {
        let on_screen = point / self.scale + self.origin;
        (self.projection.screen_to_map(on_screen) + self.map.place.as_dvec2()) * self.scale
    }
}
