//! The cells of a map as Tiled shows them, also where the level is finer than its tiles.

use bitwall::glam::{IVec2, UVec2};
use bitwall::text::px;
use bitwall::tmx::{Orientation, Projection};
use bitwall::{Aabb, LoadedLevel};

/// The largest side of a tile, in pixels; a larger one counts as this one.
const MOST: UVec2 = UVec2::splat(1 << 28);

/// Finds the cells of a map as Tiled counts them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cells {
    projection: Projection,
    is_slanted: bool,
    /// The width and height of a cell in pixels of the level.
    size: UVec2,
}

impl Cells {
    /// Returns the cells of a level that is a single map.
    pub(crate) fn of(loaded: &LoadedLevel) -> Option<Self> {
        let [map] = &loaded.maps[..] else {
            return None;
        };
        let is_slanted = map.on_screen.is_none();
        let tile = map.map.tile_size;
        let is_square = is_slanted && map.map.orientation == Orientation::Isometric;
        let size = if is_square { UVec2::splat(tile.y) } else { tile };
        Some(Self { projection: map.map.projection(), is_slanted, size })
    }

    /// Returns the cell that has a pixel of the map.
    pub(crate) fn at(self, pixel: IVec2) -> IVec2 {
        let middle = pixel.as_dvec2() + 0.5;
        let Self { projection, is_slanted, .. } = self;
        let on_screen = if is_slanted { projection.map_to_screen(middle) } else { middle };
        projection.cell_at_screen(on_screen)
    }

    /// Returns the pixels of the map that a cell covers.
    pub(crate) fn cell_box(self, cell: IVec2) -> Aabb {
        let center = self.projection.cell_center(cell);
        let center = if self.is_slanted { self.projection.screen_to_map(center) } else { center };
        let min = (center - self.size.as_dvec2() / 2.0).round().as_ivec2();
        Aabb { min, max: min.saturating_add(self.size.min(MOST).as_ivec2()) }
    }
}

/// Names a box of a map or a mask: its first cell as Tiled shows it, then its pixels.
pub(crate) fn place_words(cells: Option<Cells>, area: Aabb) -> String {
    let Aabb { min, .. } = area;
    let pixels = format!("x {}, y {}, {}", min.x, min.y, px(area.size()));
    match cells.map(|cells| cells.at(min)) {
        Some(cell) => format!("col {}, row {} ({pixels})", cell.x, cell.y),
        None => pixels,
    }
}
