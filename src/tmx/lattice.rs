//! Where the cells, points and tile pictures of a map lie, exactly, in every orientation.
//!
//! Collision, pictures, objects and [`Projection`](super::Projection) all use this file. The rules are those
//! of Tiled's renderers (libtiled 1.12: `OrthogonalRenderer`, `IsometricRenderer`, `StaggeredRenderer`,
//! `HexagonalRenderer`, `ObliqueRenderer`). It uses no float, reads nothing, and knows nothing of solidity.

mod linear;
mod stagger;

use glam::{I64Vec2, IVec2, UVec2};

pub(crate) use self::linear::Linear;
pub(crate) use self::stagger::Stagger;
use super::{Decimal, Map, Orientation, Point};
use crate::geometry::{Aabb, saturated};

/// The longest side of a tile and the largest skew, so that the place of any cell fits 64 bits; longer ones
/// count as this long.
const LONGEST: u32 = 1 << 28;

/// The space that the pixels of a map's level are in. It makes a difference for isometric and oblique maps
/// only; the level of a staggered or hexagonal map is always on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Space {
    /// The map's own, in which its cells are rectangles: the space of the objects that Tiled writes.
    /// [`Projection`](super::Projection) leads to the screen and back.
    #[default]
    Map,
    /// That of the map's picture, in which its cells are diamonds or parallelograms.
    Screen,
}

/// The cells of a map, in the pixels of a level that is in the map's own space or in that of the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lattice {
    orientation: Orientation,
    /// A tile of the map, in pixels.
    pub(super) tile: I64Vec2,
    /// True if the level's pixels are those of the screen, and the map has other pixels of its own or none.
    on_screen: bool,
    /// How many pixels of the level a row is right of the one above it, and a column below the one before: 0
    /// and 0 for all but oblique maps on the screen.
    skew: I64Vec2,
    /// Where on the screen the map's own pixel (0, 0) is: the top corner of an isometric map's first cell; 0
    /// for others.
    pub(super) origin_x: i64,
    /// From displacements in map pixels to those on the screen.
    pub(super) to_screen: Linear,
    /// From displacements on the screen to those in map pixels. If the two skews of an oblique map lay all
    /// its cells on one line, there is no inverse: a displacement stays as it is.
    pub(super) to_map: Linear,
    /// How the lines of a staggered or hexagonal map's cells are shifted.
    stagger: Option<Stagger>,
}

impl Lattice {
    /// Where a map's cells lie in a level that is in this space.
    pub(crate) fn of(map: &Map, space: Space) -> Self {
        Self::new(map.orientation, map.size.y, map.tile_size, space)
    }

    /// The cells of a map for which its file states this number of rows. An isometric map, even an infinite
    /// one, lies half a tile further to the right for each row.
    pub(crate) fn new(orientation: Orientation, rows: u32, tile_size: UVec2, space: Space) -> Self {
        let tile = tile_size.clamp(UVec2::ONE, UVec2::splat(LONGEST));
        let tile = tile.as_i64vec2();
        let (w, h) = (tile.x, tile.y);
        let is_isometric = orientation == Orientation::Isometric;
        let skew = match orientation {
            Orientation::Oblique { skew_x, skew_y } => {
                let longest = LONGEST as i32;
                let skew = IVec2::new(skew_x, skew_y);
                skew.clamp(IVec2::splat(-longest), IVec2::splat(longest)).as_i64vec2()
            }
            _ => I64Vec2::ZERO,
        };
        let to_screen = if is_isometric {
            Linear::new([w, -w], 2 * h, [1, 1], 2)
        } else {
            Linear::new([h, skew.x], h, [skew.y, w], w)
        };
        let stagger = match orientation {
            Orientation::Staggered { axis, index } => Some(Stagger::new(axis, index, 0, tile)),
            Orientation::Hexagonal { axis, index, side } => {
                Some(Stagger::new(axis, index, side.min(LONGEST), tile))
            }
            _ => None,
        };
        let on_screen = match orientation {
            Orientation::Orthogonal => false,
            Orientation::Staggered { .. } | Orientation::Hexagonal { .. } => true,
            Orientation::Isometric | Orientation::Oblique { .. } => space == Space::Screen,
        };
        Self {
            orientation,
            tile,
            on_screen,
            skew: if on_screen { skew } else { I64Vec2::ZERO },
            // Tiled halves whole pixels.
            origin_x: i64::from(is_isometric) * (i64::from(rows) * w / 2),
            to_screen,
            to_map: to_screen.inverse(),
            stagger,
        }
    }

    /// True if the cells are rectangles that stand in rows and columns.
    pub(crate) fn is_rectangular(&self) -> bool {
        !self.on_screen
    }

    /// True if pictures of tiles are not upright in the level's space, but turned, squeezed or sheared.
    pub(crate) fn turns_pictures(&self) -> bool {
        !self.on_screen && self.to_map != Linear::IDENTITY
    }

    /// The space that the level is in.
    pub(crate) fn space(&self) -> Space {
        if self.on_screen { Space::Screen } else { Space::Map }
    }

    /// True if the map is isometric, in whatever space its level is.
    pub(crate) fn is_isometric(&self) -> bool {
        self.orientation == Orientation::Isometric
    }

    /// True if flags turn a tile by 60 and 120 degrees.
    pub(crate) fn is_hexagonal(&self) -> bool {
        matches!(self.orientation, Orientation::Hexagonal { .. })
    }

    /// How the lines of a staggered or hexagonal map's cells are shifted; `None` for other maps.
    pub(crate) fn stagger(&self) -> Option<&Stagger> {
        self.stagger.as_ref()
    }

    /// Width and height of the box around a cell, in pixels of the level.
    pub(crate) fn cell_size(&self) -> UVec2 {
        match self.orientation {
            // In its own space an isometric map's cells are squares.
            Orientation::Isometric if !self.on_screen => I64Vec2::splat(self.tile.y),
            _ => self.tile,
        }
        .as_uvec2()
    }

    /// The corner of the box around a cell on which its tile's picture stands, the bottom-left one, in pixels
    /// of the level and exact: cells of an isometric map on the screen may lie between two pixels. Numbers
    /// beyond the range of `i32` are at its ends.
    #[cfg(feature = "render")]
    pub(crate) fn cell_bottom_left(&self, cell: IVec2) -> Point {
        let twice = self.twice_bottom_left(cell);
        half((clamp_twice(twice.x), clamp_twice(twice.y)))
    }

    /// [`Lattice::cell_bottom_left`] as a whole pixel: Tiled's painter puts a picture that stands between two
    /// pixels on the later one.
    pub(crate) fn cell_bottom_left_pixel(&self, cell: IVec2) -> IVec2 {
        let twice = self.twice_bottom_left(cell);
        IVec2::new(saturated((twice.x + 1).div_euclid(2)), saturated((twice.y + 1).div_euclid(2)))
    }

    /// Twice the coordinates of [`Lattice::cell_bottom_left`].
    fn twice_bottom_left(&self, cell: IVec2) -> I64Vec2 {
        let (x, y) = (i64::from(cell.x), i64::from(cell.y));
        let I64Vec2 { x: w, y: h } = self.tile;
        if let Some(stagger) = &self.stagger {
            return (stagger.corner(cell) + I64Vec2::new(0, h)) * 2;
        }
        if self.is_isometric() && self.on_screen {
            // The map's corner and half a tile are whole pixels; steps are not.
            let left = (x - y) * w + 2 * (self.origin_x - w / 2);
            return I64Vec2::new(left, (x + y + 2) * h);
        }
        let size = self.cell_size().as_i64vec2();
        let left = x * size.x + (y + 1) * self.skew.x;
        I64Vec2::new(left, (y + 1) * size.y + x * self.skew.y) * 2
    }

    /// The corners of a cell, in the order of its outline, from [`Lattice::cell_bottom_left`].
    pub(crate) fn cell_outline(&self) -> Vec<Point> {
        let (w, h) = (self.tile.x, self.tile.y);
        // Twice the coordinates, with y from the top of the box.
        let twice = match self.orientation {
            Orientation::Isometric | Orientation::Staggered { .. } if self.on_screen => {
                vec![(w, 0), (2 * w, h), (w, 2 * h), (0, h)]
            }
            Orientation::Hexagonal { side, .. } => {
                let is_along_x = self.stagger.is_some_and(|stagger| stagger.is_along_x());
                let (along, across) = if is_along_x { (w, h) } else { (h, w) };
                let side = i64::from(side).min(along);
                let (first, last) = (along - side, along + side);
                let points = vec![
                    (first, 0),
                    (last, 0),
                    (2 * along, across),
                    (last, 2 * across),
                    (first, 2 * across),
                    (0, across),
                ];
                let exchanged = |(x, y)| if is_along_x { (x, y) } else { (y, x) };
                points.into_iter().map(exchanged).collect()
            }
            _ => {
                let (size, skew) = (2 * self.cell_size().as_i64vec2(), 2 * self.skew);
                let left = (-skew.x, 0);
                let right = (size.x - skew.x, skew.y);
                vec![left, right, (size.x, size.y + skew.y), (0, size.y)]
            }
        };
        let h = self.cell_size().y;
        let from_bottom = |(x, y)| half((x, y - 2 * i64::from(h)));
        twice.into_iter().map(from_bottom).collect()
    }

    /// Where a point of the map's objects lies in the level.
    pub(crate) fn point(&self, point: Point) -> Point {
        if !self.on_screen {
            return point;
        }
        let origin = Point {
            x: Decimal::from_millionths(self.origin_x.saturating_mul(Decimal::PER_PIXEL)),
            y: Decimal::ZERO,
        };
        self.seen(point) + origin
    }

    /// Where a point of the map's objects is seen, from where the map's pixel (0, 0) is.
    pub(crate) fn seen(&self, point: Point) -> Point {
        self.to_screen.point(point)
    }

    /// The displacement in the level that is seen as `displacement` on the screen, such as one in a tile's
    /// picture.
    pub(crate) fn displacement(&self, displacement: Point) -> Point {
        if self.on_screen { displacement } else { self.to_map.point(displacement) }
    }

    /// The displacement in the level of a layer that `offset` moves on the screen.
    pub(crate) fn layer_offset(&self, offset: Point) -> Point {
        self.displacement(offset)
    }

    /// Where a point of a tile's picture lies in the level. The picture stands on the bottom-left corner of
    /// its cell's box on the screen, from which `point` counts; the answer counts from
    /// [`Lattice::cell_bottom_left`].
    pub(crate) fn picture_point(&self, point: Point) -> Point {
        if !self.is_isometric() || self.on_screen {
            return self.displacement(point);
        }
        // On the screen the box's corner is half a tile left of the diamond's top corner, and a tile below
        // it.
        let (w, h) = (self.tile.x, self.tile.y);
        self.displacement(point + half((-w, 2 * h))) - half((0, 2 * h))
    }

    /// The pixels from the first to the last cell of a rectangle of them, `min` and up to `max`.
    pub(crate) fn area(&self, min: IVec2, max: IVec2) -> Aabb {
        let last = max - IVec2::ONE;
        let size = self.cell_size().as_ivec2();
        // Two corners do. The search below took 3% of the instructions of loading a small map.
        if self.is_rectangular() {
            let up = IVec2::new(0, size.y);
            let (min, max) = (self.cell_bottom_left_pixel(min), self.cell_bottom_left_pixel(last));
            return Aabb { min: min.saturating_sub(up), max: max.saturating_add(size - up) };
        }
        let skew = self.skew.as_ivec2();
        let (right, up) = (IVec2::new(size.x, skew.y), IVec2::new(skew.x, size.y));
        // Of a staggered map the second row and column may reach further than the first.
        let near = (min + IVec2::ONE).min(last);
        let far = (last - IVec2::ONE).max(min);
        let columns = [min.x, near.x, far.x, last.x];
        let rows = [min.y, near.y, far.y, last.y];
        let cells = columns.into_iter().flat_map(|x| rows.map(|y| IVec2::new(x, y)));
        let corners = cells.flat_map(|cell| {
            let left = self.cell_bottom_left_pixel(cell);
            let right = left.saturating_add(right);
            [left, right, left.saturating_sub(up), right.saturating_sub(up)]
        });
        let corners = corners.map(|corner| (corner, corner));
        let around = corners.reduce(|(min, max), (corner, _)| (min.min(corner), max.max(corner)));
        around.map_or(Aabb::default(), |(min, max)| Aabb { min, max })
    }

    /// In the space of the screen, the part of it that Tiled's picture of a rectangle of cells takes, from
    /// its `min` and up to its `max`. It may be a pixel smaller than the boxes around the cells where half a
    /// tile is no whole pixel.
    #[cfg(feature = "render")]
    pub(crate) fn picture_area(&self, min: I64Vec2, max: I64Vec2) -> (I64Vec2, I64Vec2) {
        let (size, tile) = (max - min, self.tile);
        if let Some(stagger) = &self.stagger {
            return stagger.picture_area(min.as_ivec2(), size);
        }
        if self.is_isometric() {
            // Halves of whole pixels, toward 0, one by one.
            let left = (min.x - max.y) * tile.x / 2 + self.origin_x;
            let top = (min.x + min.y) * tile.y / 2;
            let corner = I64Vec2::new(left, top);
            return (corner, corner + (size.x + size.y) * tile / 2);
        }
        let seen = |x: i64, y: i64| I64Vec2::new(x, y) * tile + I64Vec2::new(y, x) * self.skew;
        let (a, b) = (seen(min.x, min.y), seen(max.x, max.y));
        let (c, d) = (seen(min.x, max.y), seen(max.x, min.y));
        (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)))
    }
}

/// The point of which these are twice the coordinates, in pixels.
fn half((x, y): (i64, i64)) -> Point {
    let unit = Decimal::PER_PIXEL / 2;
    Point { x: Decimal::from_millionths(x * unit), y: Decimal::from_millionths(y * unit) }
}

#[cfg(feature = "render")]
fn clamp_twice(twice: i64) -> i64 {
    twice.clamp(2 * i64::from(i32::MIN), 2 * i64::from(i32::MAX))
}

#[cfg(test)]
mod tests;
