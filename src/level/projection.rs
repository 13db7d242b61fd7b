//! Where things of a Tiled map are: in the map's own pixels, on the screen, and in which cell.
//!
//! The rules are those of Tiled's renderers (libtiled 1.12: `OrthogonalRenderer`, `IsometricRenderer`,
//! `StaggeredRenderer`, `HexagonalRenderer`, `ObliqueRenderer`). Sums and products only: nothing is read,
//! and nothing fails.

mod stagger;

use glam::{DMat2, DVec2, IVec2, UVec2};

pub(crate) use self::stagger::Stagger;
use super::source::{Orientation, TileMap};

/// The three kinds of coordinates of a Tiled map, and the ways between them.
///
/// * **Map** pixels are what Tiled stores for objects. On an isometric map both axes run along the sides of
///   a diamond, and a cell is `tile_size.y` pixels wide and high: the square-tile space in which bodies move.
///   On an oblique map it is the space before the shear. On all others it is the screen.
/// * **Screen** pixels are where things are drawn, with Tiled's own origin: the top-left corner of the
///   picture, but for an infinite map, an oblique one with a negative skew, and a staggered or hexagonal one
///   of a single column or row that is shifted.
/// * **Cells** are columns and rows as the file counts them, negative too on infinite maps.
///
/// A position exactly between two cells belongs to the one to the right or below, unless a slanted side lies
/// between them; then as Tiled has it.
///
/// ```
/// use bitwall::glam::{DVec2, IVec2, UVec2};
/// use bitwall::{Orientation, Projection};
///
/// let projection = Projection::new(Orientation::Isometric, UVec2::new(10, 10), UVec2::new(64, 32));
/// assert_eq!(projection.cell_center(IVec2::new(0, 0)), DVec2::new(320.0, 16.0));
/// assert_eq!(projection.cell_at_screen(DVec2::new(352.0, 32.0)), IVec2::new(1, 0));
/// assert_eq!(projection.screen_to_map(DVec2::new(320.0, 32.0)), DVec2::new(32.0, 32.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    orientation: Orientation,
    tile: DVec2,
    /// Where the top corner of an isometric map's first cell is.
    origin_x: f64,
    stagger: Stagger,
}

impl Projection {
    /// The projection of a map of `size` columns and rows, with tiles of `tile_size` pixels. The number of
    /// rows matters for an isometric map: it tells where its leftmost corner is.
    pub fn new(orientation: Orientation, size: UVec2, tile_size: UVec2) -> Self {
        let tile = tile_size.max(UVec2::ONE);
        Self {
            orientation,
            tile: tile.as_dvec2(),
            // Tiled halves whole pixels.
            origin_x: (u64::from(size.y) * u64::from(tile.x) / 2) as f64,
            stagger: Stagger::new(orientation, tile),
        }
    }

    /// From map pixels to the screen.
    pub fn map_to_screen(&self, point: DVec2) -> DVec2 {
        match self.orientation {
            Orientation::Isometric => {
                let cell = point / self.tile.y;
                let across = (cell.x - cell.y) * self.tile.x / 2.0;
                DVec2::new(
                    across + self.origin_x,
                    (cell.x + cell.y) * self.tile.y / 2.0,
                )
            }
            Orientation::Oblique { .. } => self.shear() * point,
            _ => point,
        }
    }

    /// From the screen to map pixels. An oblique map whose two skews lay all its cells on one line has no way
    /// back: there the point stays what it is.
    pub fn screen_to_map(&self, point: DVec2) -> DVec2 {
        match self.orientation {
            Orientation::Isometric => {
                let across = (point.x - self.origin_x) / self.tile.x;
                let down = point.y / self.tile.y;
                DVec2::new(down + across, down - across) * self.tile.y
            }
            Orientation::Oblique { .. } => match self.shear() {
                shear if shear.determinant() == 0.0 => point,
                shear => shear.inverse() * point,
            },
            _ => point,
        }
    }

    /// The corner of a cell in map pixels: the one with the smallest coordinates. On a staggered or hexagonal
    /// map that of the box around it.
    pub fn cell_to_map(&self, cell: IVec2) -> DVec2 {
        match self.orientation {
            Orientation::Orthogonal | Orientation::Oblique { .. } => cell.as_dvec2() * self.tile,
            Orientation::Isometric => cell.as_dvec2() * self.tile.y,
            Orientation::Staggered { .. } | Orientation::Hexagonal { .. } => {
                self.stagger.corner(cell).as_dvec2()
            }
        }
    }

    /// The cell that holds a point in map pixels.
    pub fn cell_at_map(&self, point: DVec2) -> IVec2 {
        match self.orientation {
            Orientation::Orthogonal | Orientation::Oblique { .. } => {
                (point / self.tile).floor().as_ivec2()
            }
            Orientation::Isometric => (point / self.tile.y).floor().as_ivec2(),
            Orientation::Staggered { .. } => self.stagger.diamond_at(point),
            Orientation::Hexagonal { .. } => self.stagger.nearest_at(point),
        }
    }

    /// The corner of a cell on the screen: the top one of an isometric map's diamond, the top-left one of
    /// an orthogonal or oblique map's cell, and of the box around a staggered or hexagonal map's.
    pub fn cell_to_screen(&self, cell: IVec2) -> DVec2 {
        self.map_to_screen(self.cell_to_map(cell))
    }

    /// The middle of a cell on the screen.
    pub fn cell_center(&self, cell: IVec2) -> DVec2 {
        let half = match self.orientation {
            Orientation::Isometric => DVec2::splat(self.tile.y) / 2.0,
            _ => self.tile / 2.0,
        };
        self.map_to_screen(self.cell_to_map(cell) + half)
    }

    /// The cell that is seen at a point of the screen.
    pub fn cell_at_screen(&self, point: DVec2) -> IVec2 {
        self.cell_at_map(self.screen_to_map(point))
    }

    /// How the lines of cells are shifted; of use on staggered and hexagonal maps only.
    pub(crate) fn stagger(&self) -> &Stagger {
        &self.stagger
    }

    /// What an oblique map does to its pixels.
    fn shear(&self) -> DMat2 {
        let Orientation::Oblique { skew_x, skew_y } = self.orientation else {
            return DMat2::IDENTITY;
        };
        let across = f64::from(skew_x) / self.tile.y;
        let down = f64::from(skew_y) / self.tile.x;
        DMat2::from_cols(DVec2::new(1.0, down), DVec2::new(across, 1.0))
    }
}

impl TileMap {
    /// The ways between the map's pixels, the screen and the cells.
    pub fn projection(&self) -> Projection {
        let size = UVec2::new(self.size.x, self.rows);
        Projection::new(self.orientation, size, self.tile_size)
    }
}

#[cfg(test)]
mod tests;
