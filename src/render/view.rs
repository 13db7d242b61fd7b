//! Where a map is on the screen: the box of its cells, and the way between its level, the screen and the
//! picture.

use glam::{DVec2, I64Vec2};

use super::picture::Rect;
use crate::tmx::{CellBlock, Lattice, LayerContent, PlacedMap, Projection, Space, flip};

/// A map on the screen, and the picture that shows it.
#[derive(Debug)]
pub(super) struct MapView<'m> {
    pub(super) map: &'m PlacedMap,
    pub(super) projection: Projection,
    lattice: Lattice,
    /// The screen point at the top-left corner of the whole picture.
    origin: DVec2,
    /// The side of a screen pixel, in pixels of the picture.
    scale: f64,
}

impl<'m> MapView<'m> {
    pub(super) fn new(map: &'m PlacedMap, scale: u32) -> Self {
        let lattice = Lattice::for_map(&map.map, Space::Screen);
        let projection = map.map.projection();
        let view = Self { map, projection, lattice, origin: DVec2::ZERO, scale: scale.into() };
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
        let first = self.map.first_cell.as_i64vec2();
        self.around(Rect::new(first, self.map.cells.as_i64vec2()))
    }

    /// The area of the screen that Tiled's rasterizer draws, without extra space for layer offsets. For an
    /// infinite map this is the bounding box of all chunks of 16 x 16 cells that contain tiles.
    pub(super) fn area_of_tiled(&self) -> Rect {
        let map = &self.map.map;
        if !map.is_infinite {
            return self.around(Rect::new(I64Vec2::ZERO, map.size.as_i64vec2()));
        }
        let mut used: Option<Rect> = None;
        for context in map.walk() {
            if let LayerContent::Tiles(layer) = &context.layer.content {
                for block in &layer.blocks {
                    add_chunks_used(&mut used, block);
                }
            }
        }
        self.around(used.unwrap_or(Rect::new(I64Vec2::ZERO, I64Vec2::ONE)))
    }

    fn around(&self, cells: Rect) -> Rect {
        let (min, max) = self.lattice.picture_area(cells.min, cells.max);
        Rect { min, max }
    }

    /// Converts a point of the level, in pixels times the scale, to a point of the whole picture.
    pub(super) fn of_level(&self, point: DVec2) -> DVec2 {
        let in_map = point / self.scale - self.map.place.as_dvec2();
        self.of_screen(self.projection.map_to_screen(in_map))
    }

    pub(super) fn of_screen(&self, point: DVec2) -> DVec2 {
        (point - self.origin) * self.scale
    }

    /// Converts a point of the whole picture to a point of the level, in pixels times the scale.
    pub(super) fn to_level(&self, point: DVec2) -> DVec2 {
        let on_screen = point / self.scale + self.origin;
        (self.projection.screen_to_map(on_screen) + self.map.place.as_dvec2()) * self.scale
    }
}

/// Extends `used` around each of Tiled's chunks of 16 x 16 cells that contains a tile of `block`.
fn add_chunks_used(used: &mut Option<Rect>, block: &CellBlock) {
    const SIDE: I64Vec2 = I64Vec2::splat(16);
    let columns = block.size.x.max(1) as usize;
    for (row, cells) in (0..).zip(block.cells.chunks(columns)) {
        let first = cells.iter().position(|gid| gid & !flip::ALL != 0);
        let last = cells.iter().rposition(|gid| gid & !flip::ALL != 0);
        if let (Some(first), Some(last)) = (first, last) {
            let [first, last] = [first, last].map(|column| {
                let cell = block.origin.as_i64vec2() + I64Vec2::new(column as i64, row);
                cell.div_euclid(SIDE) * SIDE
            });
            let chunks = Rect { min: first, max: last + SIDE };
            *used = Some(used.map_or(chunks, |used| used.hull(chunks)));
        }
    }
}
