//! Where things of a Tiled map are, in floats: in the map's own pixels, on the screen, and in which cell.
//!
//! The public interface of [`Lattice`], for game code. It reads no file, and nothing in it fails.

use glam::{DVec2, IVec2, UVec2};

use super::Orientation;
use super::lattice::{Lattice, Space, Stagger};

/// The three kinds of coordinates of a Tiled map, and the conversions between them.
///
/// * **Map** pixels are those that Tiled stores for objects. On an isometric map both axes run along the
///   sides of a diamond, and a cell is `tile_size.y` pixels wide and high: the square-tile space in which
///   bodies move. On an oblique map it is the space before the shear. On all others it is the screen.
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
/// use bitwall::tmx::{Orientation, Projection};
///
/// let projection = Projection::new(Orientation::Isometric, UVec2::new(10, 10), UVec2::new(64, 32));
/// assert_eq!(projection.cell_center(IVec2::new(0, 0)), DVec2::new(320.0, 16.0));
/// assert_eq!(projection.cell_at_screen(DVec2::new(352.0, 32.0)), IVec2::new(1, 0));
/// assert_eq!(projection.screen_to_map(DVec2::new(320.0, 32.0)), DVec2::new(32.0, 32.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    orientation: Orientation,
    /// The number of rows where it matters, for an isometric map; else 0.
    rows: u32,
    /// In the map's own space, where it has one.
    lattice: Lattice,
}

impl Projection {
    /// The projection of a map of `size` columns and rows, as its file states them, with tiles of `tile_size`
    /// pixels. For an isometric map, even an infinite one, the number of rows sets where its leftmost corner
    /// is.
    pub fn new(orientation: Orientation, size: UVec2, tile_size: UVec2) -> Self {
        let rows = if orientation == Orientation::Isometric { size.y } else { 0 };
        Self { orientation, rows, lattice: Lattice::new(orientation, rows, tile_size, Space::Map) }
    }

    /// From map pixels to the screen. A point is any pair of `f64`: a [`DVec2`] of this or another version of
    /// `glam`, a tuple or an array.
    pub fn map_to_screen(&self, point: impl Into<[f64; 2]>) -> DVec2 {
        self.on_screen(point.into().into())
    }

    fn on_screen(&self, point: DVec2) -> DVec2 {
        if !self.lattice.is_isometric() {
            return self.lattice.to_screen.apply(point);
        }
        // The same linear map in the order of Tiled's own sums: their rounding decides on which side of a
        // border a point lies.
        let tile = self.lattice.tile.as_dvec2();
        let cell = point / tile.y;
        let steps = DVec2::new(cell.x - cell.y, cell.x + cell.y);
        steps * tile / 2.0 + self.origin()
    }

    /// From the screen to map pixels. If the two skews of an oblique map lay all its cells on one line, there
    /// is no inverse: the point stays as it is.
    pub fn screen_to_map(&self, point: impl Into<[f64; 2]>) -> DVec2 {
        self.lattice.to_map.apply(DVec2::from(point.into()) - self.origin())
    }

    /// The corner of a cell in map pixels: the one with the smallest coordinates. On a staggered or hexagonal
    /// map that of the box around it.
    pub fn cell_to_map(&self, cell: IVec2) -> DVec2 {
        match self.lattice.stagger() {
            Some(stagger) => stagger.corner(cell).as_dvec2(),
            None => cell.as_dvec2() * self.cell_size(),
        }
    }

    /// The cell that holds a point in map pixels.
    pub fn cell_at_map(&self, point: impl Into<[f64; 2]>) -> IVec2 {
        self.cell_at(point.into().into())
    }

    fn cell_at(&self, point: DVec2) -> IVec2 {
        match (self.lattice.stagger(), self.orientation) {
            (None, _) => (point / self.cell_size()).floor().as_ivec2(),
            (Some(stagger), Orientation::Hexagonal { .. }) => nearest_hexagon(stagger, point),
            (Some(stagger), _) => diamond_at(stagger, point),
        }
    }

    /// The corner of a cell on the screen: the top one of an isometric map's diamond, the top-left one of
    /// an orthogonal or oblique map's cell, and of the box around a staggered or hexagonal map's.
    pub fn cell_to_screen(&self, cell: IVec2) -> DVec2 {
        self.map_to_screen(self.cell_to_map(cell))
    }

    /// The middle of a cell on the screen.
    pub fn cell_center(&self, cell: IVec2) -> DVec2 {
        self.map_to_screen(self.cell_to_map(cell) + self.cell_size() / 2.0)
    }

    /// The cell that is seen at a point of the screen.
    pub fn cell_at_screen(&self, point: impl Into<[f64; 2]>) -> IVec2 {
        self.cell_at_map(self.screen_to_map(point))
    }

    /// Width and height of a cell, or of the box around it, in map pixels.
    fn cell_size(&self) -> DVec2 {
        self.lattice.cell_size().as_dvec2()
    }

    /// Where on the screen the map's pixel (0, 0) is.
    fn origin(&self) -> DVec2 {
        DVec2::new(self.lattice.origin_x as f64, 0.0)
    }
}

/// A cell that is not shifted whose box, or the room beside it, holds the point, and the point from the
/// corner of that box.
fn unshifted_near(stagger: &Stagger, point: DVec2) -> (IVec2, DVec2) {
    let first = stagger.first_unshifted();
    let period = stagger.period().as_dvec2();
    let point = point - stagger.corner(first).as_dvec2();
    let index = (point / period).floor();
    let steps = index.as_ivec2().saturating_mul(stagger.period_cells());
    (steps.saturating_add(first), point - index * period)
}

/// The diamond that holds a point.
fn diamond_at(stagger: &Stagger, point: DVec2) -> IVec2 {
    let (cell, at) = unshifted_near(stagger, point);
    let tile = stagger.tile.as_dvec2();
    let half = tile.y / 2.0;
    let slope = at.x * tile.y / tile.x;
    if half - slope > at.y {
        stagger.beside(cell, IVec2::new(-1, -1))
    } else if slope - half > at.y {
        stagger.beside(cell, IVec2::new(1, -1))
    } else if half + slope < at.y {
        stagger.beside(cell, IVec2::new(-1, 1))
    } else if 3.0 * half - slope < at.y {
        stagger.beside(cell, IVec2::new(1, 1))
    } else {
        cell
    }
}

/// The hexagon whose middle is the nearest to a point.
fn nearest_hexagon(stagger: &Stagger, point: DVec2) -> IVec2 {
    let (cell, at) = unshifted_near(stagger, point);
    let corner = stagger.corner(cell);
    let distance = |other: &IVec2| {
        let from = (stagger.corner(*other) - corner).as_dvec2();
        (from + stagger.tile.as_dvec2() / 2.0).distance_squared(at)
    };
    let mut nearest = cell;
    for x in -1..=1 {
        for y in -1..=1 {
            let steps = IVec2::new(x, y) * stagger.period_cells();
            let other = cell.saturating_add(steps);
            let around = [-1, 1].map(|side| stagger.beside(other, IVec2::splat(side)));
            for candidate in [other].into_iter().chain(around) {
                if distance(&candidate) < distance(&nearest) {
                    nearest = candidate;
                }
            }
        }
    }
    nearest
}

#[cfg(test)]
mod tests;
