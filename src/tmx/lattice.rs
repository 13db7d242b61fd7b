//! Computes the positions of a map's cells, points and tile pictures in its level, for every orientation.
//!
//! [`Lattice`] computes exactly, by the rules of Tiled's renderers. Collision, pictures and objects use it.
//! [`Projection`] is its public interface in floats. Nothing here reads a file or fails.

#[cfg(test)]
mod tests;

use glam::{DVec2, I64Vec2, IVec2, UVec2};

use super::{Decimal, Map, Orientation, Point, StaggerAxis, StaggerIndex};
use crate::geometry::{Aabb, clamped};

/// The largest side and skew of a tile in pixels. With this limit, the position of every cell fits 64 bits.
/// Larger values are clamped.
const LONGEST: u32 = 1 << 28;

/// The coordinate system of a level's pixels. The choice matters only for isometric and oblique maps.
///
/// A staggered or hexagonal map always uses pixels of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Space {
    /// Map space: cells are rectangles, and objects have the coordinates from the map file. [`Projection`]
    /// converts between this space and the screen.
    #[default]
    Map,
    /// Screen space: the pixels of the drawn map. Cells are diamonds or parallelograms.
    Screen,
}

/// The positions of a map's cells in the pixels of a level, in map space or screen space: see [`Space`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lattice {
    orientation: Orientation,
    /// The width and height of a cell in pixels. On a staggered or hexagonal map, this is [`Stagger::tile`].
    pub(super) tile: I64Vec2,
    /// True if the level is in screen space. False for an orthogonal map, because its two spaces are equal.
    on_screen: bool,
    /// The distance by which each row is shifted right of the row above, and each column down from the column
    /// to its left, in pixels of the level. (0, 0) except for oblique maps in screen space.
    skew: I64Vec2,
    /// The screen x of the pixel (0, 0) of map space. On an isometric map, this pixel is the top corner of
    /// the first cell. On other maps, this x is 0.
    origin_x: i64,
    /// The linear map from displacements in map space to displacements on the screen.
    to_screen: Linear,
    /// The linear map from displacements on the screen to displacements in map space. If the two skews of an
    /// oblique map put all cells on one line, no inverse exists, and this is the identity.
    to_map: Linear,
    /// The shift of every other row or column of a staggered or hexagonal map; `None` for other maps.
    stagger: Option<Stagger>,
}

impl Lattice {
    pub(crate) fn for_map(map: &Map, space: Space) -> Self {
        Self::new(map.orientation, map.size.y, map.tile_size, space)
    }

    /// Returns the lattice of a map. `rows` is the number of rows that the file states. Each row moves the
    /// origin of an isometric map right by half a tile, even for an infinite map.
    fn new(orientation: Orientation, rows: u32, tile_size: UVec2, space: Space) -> Self {
        let tile = tile_size.clamp(UVec2::ONE, UVec2::splat(LONGEST));
        let tile = tile.as_i64vec2();
        let I64Vec2 { x: w, y: h } = tile;
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
            tile: stagger.map_or(tile, |stagger| stagger.tile),
            on_screen,
            skew: if on_screen { skew } else { I64Vec2::ZERO },
            // Tiled divides whole pixels by 2 and drops the remainder.
            origin_x: i64::from(is_isometric) * (i64::from(rows) * w / 2),
            to_screen,
            to_map: to_screen.inverse(),
            stagger,
        }
    }

    pub(crate) fn is_rectangular(&self) -> bool {
        !self.on_screen
    }

    /// True if the level's space differs from the screen, so that tile pictures are turned, squeezed or
    /// sheared in it.
    pub(crate) fn turns_pictures(&self) -> bool {
        !self.on_screen && self.to_map != Linear::IDENTITY
    }

    pub(crate) fn space(&self) -> Space {
        if self.on_screen { Space::Screen } else { Space::Map }
    }

    /// True if the map is isometric, in either space.
    pub(crate) fn is_isometric(&self) -> bool {
        self.orientation == Orientation::Isometric
    }

    /// True for a hexagonal map. Its tile flags rotate tiles by 60 and 120 degrees.
    pub(crate) fn is_hexagonal(&self) -> bool {
        matches!(self.orientation, Orientation::Hexagonal { .. })
    }

    pub(crate) fn stagger(&self) -> Option<&Stagger> {
        self.stagger.as_ref()
    }

    /// The width and height of a cell's bounding box, in pixels of the level.
    pub(crate) fn cell_size(&self) -> UVec2 {
        match self.orientation {
            // In map space, the cells of an isometric map are squares.
            Orientation::Isometric if !self.on_screen => I64Vec2::splat(self.tile.y),
            _ => self.tile,
        }
        .as_uvec2()
    }

    /// Returns the bottom-left corner of a cell's bounding box, in pixels of the level. The bottom-left
    /// corner of the tile's picture lies there too. The corner is exact: a cell of an isometric map in screen
    /// space may start between two pixels. Coordinates are clamped to the range of `i32`.
    pub(crate) fn cell_bottom_left(&self, cell: IVec2) -> Point {
        let [least, most] = [i32::MIN, i32::MAX].map(|end| I64Vec2::splat(2 * i64::from(end)));
        half(self.twice_bottom_left(cell).clamp(least, most).into())
    }

    /// Returns [`Lattice::cell_bottom_left`] in whole pixels. A coordinate between two pixels is rounded up,
    /// as when Tiled paints.
    pub(crate) fn cell_bottom_left_pixel(&self, cell: IVec2) -> IVec2 {
        let twice = self.twice_bottom_left(cell);
        clamped((twice + 1).div_euclid(I64Vec2::splat(2)))
    }

    fn twice_bottom_left(&self, cell: IVec2) -> I64Vec2 {
        let I64Vec2 { x, y } = cell.as_i64vec2();
        let I64Vec2 { x: w, y: h } = self.tile;
        if let Some(stagger) = &self.stagger {
            return (stagger.corner(cell) + I64Vec2::new(0, h)) * 2;
        }
        if self.is_isometric() && self.on_screen {
            // As in Tiled, the map's origin and half a tile are rounded to whole pixels; the steps between
            // cells are not.
            let left = (x - y) * w + 2 * (self.origin_x - w / 2);
            return I64Vec2::new(left, (x + y + 2) * h);
        }
        let size = self.cell_size().as_i64vec2();
        let left = x * size.x + (y + 1) * self.skew.x;
        I64Vec2::new(left, (y + 1) * size.y + x * self.skew.y) * 2
    }

    /// Returns the corners of a cell in order around its outline, relative to [`Lattice::cell_bottom_left`],
    /// in pixels.
    pub(crate) fn cell_outline(&self) -> Vec<Point> {
        let I64Vec2 { x: w, y: h } = self.tile;
        // The corners with doubled coordinates. Their y is counted down from the top of the bounding box.
        let twice = match self.orientation {
            Orientation::Isometric | Orientation::Staggered { .. } if self.on_screen => {
                vec![(w, 0), (2 * w, h), (w, 2 * h), (0, h)]
            }
            Orientation::Hexagonal { side, .. } => {
                let is_along_x = self.stagger.is_some_and(|stagger| stagger.is_along_x());
                let (along, across) = if is_along_x { (w, h) } else { (h, w) };
                let side = i64::from(side).min(along);
                let first = along - side;
                let last = along + side;
                let points = vec![
                    (first, 0),
                    (last, 0),
                    (2 * along, across),
                    (last, 2 * across),
                    (first, 2 * across),
                    (0, across),
                ];
                let points = points.into_iter();
                points.map(|(x, y)| if is_along_x { (x, y) } else { (y, x) }).collect()
            }
            _ => {
                let size = 2 * self.cell_size().as_i64vec2();
                let skew = 2 * self.skew;
                let left = (-skew.x, 0);
                let right = (size.x - skew.x, skew.y);
                vec![left, right, (size.x, size.y + skew.y), (0, size.y)]
            }
        };
        let height = 2 * i64::from(self.cell_size().y);
        twice.into_iter().map(|(x, y)| half((x, y - height))).collect()
    }

    /// Converts a point from map space, in which objects are stored, to the pixels of the level.
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

    /// Converts a point from map space to the screen. The result is relative to the position of the map's
    /// pixel (0, 0).
    pub(crate) fn seen(&self, point: Point) -> Point {
        self.to_screen.point(point)
    }

    /// Converts a displacement, such as a layer's offset, from pixels of the screen to pixels of the level.
    pub(crate) fn displacement(&self, displacement: Point) -> Point {
        if self.on_screen { displacement } else { self.to_map.point(displacement) }
    }

    /// Converts a point of a tile's picture to the pixels of the level. `point` is relative to the picture's
    /// bottom-left corner, which lies on the bottom-left corner of the cell's bounding box on the screen. The
    /// result is relative to [`Lattice::cell_bottom_left`].
    pub(crate) fn picture_point(&self, point: Point) -> Point {
        if !self.is_isometric() || self.on_screen {
            return self.displacement(point);
        }
        // On the screen, the bottom-left corner of the bounding box is half a tile left of the diamond's top
        // corner, and a tile below it.
        let I64Vec2 { x: w, y: h } = self.tile;
        self.displacement(point + half((-w, 2 * h))) - half((0, 2 * h))
    }

    /// Returns the bounding box of the cells in `min..max`, in pixels of the level. For all cells of a finite
    /// map, this box is the size of the level.
    pub(crate) fn area(&self, min: IVec2, max: IVec2) -> Aabb {
        let last = max - IVec2::ONE;
        let size = self.cell_size().as_ivec2();
        // For rectangular cells, two corner cells are enough. The general search below took 3% of the
        // instructions of loading a small map.
        if self.is_rectangular() {
            let up = IVec2::new(0, size.y);
            let min = self.cell_bottom_left_pixel(min);
            let max = self.cell_bottom_left_pixel(last);
            return Aabb { min: min.saturating_sub(up), max: max.saturating_add(size - up) };
        }
        let skew = self.skew.as_ivec2();
        let right = IVec2::new(size.x, skew.y);
        let up = IVec2::new(skew.x, size.y);
        // On a staggered map, the second row and column may extend farther than the first.
        let near = (min + IVec2::ONE).min(last);
        let far = (last - IVec2::ONE).max(min);
        let mut area = (IVec2::MAX, IVec2::MIN);
        for x in [min.x, near.x, far.x, last.x] {
            for y in [min.y, near.y, far.y, last.y] {
                let left = self.cell_bottom_left_pixel(IVec2::new(x, y));
                let right = left.saturating_add(right);
                for corner in [left, right, left.saturating_sub(up), right.saturating_sub(up)] {
                    area = (area.0.min(corner), area.1.max(corner));
                }
            }
        }
        Aabb { min: area.0, max: area.1 }
    }

    /// Returns a box around all cells whose tiles could cover one of `pixels`. A pixel of a tile is at most
    /// `reach` pixels from the bottom-left corner of the tile's cell, on each axis.
    pub(crate) fn cells_at(&self, pixels: Aabb, reach: i64) -> Aabb {
        // The basis vectors are two columns and two rows. A single row may end at half a pixel, or be
        // shifted, as on a staggered map. `slack` covers the remaining error of less than a tile.
        let zero = self.cell_bottom_left_pixel(IVec2::ZERO).as_i64vec2();
        let right = self.cell_bottom_left_pixel(IVec2::new(2, 0)).as_i64vec2() - zero;
        let down = self.cell_bottom_left_pixel(IVec2::new(0, 2)).as_i64vec2() - zero;
        let area = right.perp_dot(down);
        if area == 0 {
            return Aabb { min: IVec2::MIN, max: IVec2::MAX };
        }
        // The corners of rectangular cells are where the vectors say.
        let is_exact = self.is_rectangular();
        let slack = if is_exact { I64Vec2::ZERO } else { self.cell_size().as_i64vec2() };
        let first = pixels.min.as_i64vec2() - zero - reach - slack;
        let last = pixels.max.as_i64vec2() - zero + reach + slack;
        let corners = [first, I64Vec2::new(last.x, first.y), I64Vec2::new(first.x, last.y), last];
        let cells = corners.map(|point| {
            let twice = 2 * I64Vec2::new(point.perp_dot(down), right.perp_dot(point));
            twice.div_euclid(I64Vec2::splat(area))
        });
        let min = cells.into_iter().fold(I64Vec2::MAX, I64Vec2::min);
        let max = cells.into_iter().fold(I64Vec2::MIN, I64Vec2::max) + 1;
        let [min, max] = if is_exact { [min, max] } else { [min - 1, max + 1] };
        Aabb { min: clamped(min), max: clamped(max) }
    }
}

/// Returns the point (`x` / 2, `y` / 2), in pixels.
fn half((x, y): (i64, i64)) -> Point {
    let unit = Decimal::PER_PIXEL / 2;
    Point { x: Decimal::from_millionths(x * unit), y: Decimal::from_millionths(y * unit) }
}

/// A linear map. The new x is `(rows[0] . (x, y)) / under[0]`.
/// The new y is `(rows[1] . (x, y)) / under[1]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Linear {
    rows: [[i64; 2]; 2],
    under: [i64; 2],
}

impl Linear {
    const IDENTITY: Self = Self { rows: [[1, 0], [0, 1]], under: [1, 1] };

    /// Returns the linear map with the rows `x` and `y` and their denominators. The denominators must be
    /// positive, and all numbers below 2^62.
    fn new(x: [i64; 2], under_x: i64, y: [i64; 2], under_y: i64) -> Self {
        let made = Self { rows: [x, y], under: [under_x, under_y] };
        let is_identity = x == [under_x, 0] && y == [0, under_y];
        if is_identity { Self::IDENTITY } else { made }
    }

    /// Returns the inverse linear map, or the identity if no inverse exists. The numbers of `self` must be at
    /// most 2^31.
    fn inverse(&self) -> Self {
        let [[a, b], [c, d]] = self.rows;
        let [p, q] = self.under;
        let sign = (a * d - b * c).signum();
        match (a * d - b * c).abs() {
            0 => Self::IDENTITY,
            under => Self::new(
                [sign * d * p, -sign * b * q],
                under,
                [-sign * c * p, sign * a * q],
                under,
            ),
        }
    }

    /// Applies the linear map to `point`. The result is rounded to the nearest millionth (halves up) and
    /// clamped to the range of [`Decimal`].
    fn point(&self, point: Point) -> Point {
        if *self == Self::IDENTITY {
            return point;
        }
        let (x, y) = (i128::from(point.x.millionths()), i128::from(point.y.millionths()));
        let [of_x, of_y] = [0, 1].map(|axis| {
            let [a, b] = self.rows[axis].map(i128::from);
            let under = i128::from(self.under[axis]);
            let nearest = (2 * (a * x + b * y) + under).div_euclid(2 * under);
            let millionths = nearest.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
            Decimal::from_millionths(millionths)
        });
        Point { x: of_x, y: of_y }
    }

    fn apply(&self, point: DVec2) -> DVec2 {
        if *self == Self::IDENTITY {
            return point;
        }
        let row = |axis: usize| {
            let [a, b] = self.rows[axis];
            (a as f64 * point.x + b as f64 * point.y) / self.under[axis] as f64
        };
        DVec2::new(row(0), row(1))
    }
}

/// The shifted columns or rows of a staggered or hexagonal map, and the sizes of its cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stagger {
    /// The unit step along the stagger axis, in cells. The stagger axis is the axis along which shifted and
    /// unshifted rows or columns alternate. `across` is the unit step along the other axis.
    along: IVec2,
    across: IVec2,
    index: StaggerIndex,
    /// The width and height of a cell's bounding box, in pixels: twice the field `offset`, plus the side of
    /// the hexagon along the stagger axis. As in Tiled since 1.10.1, this is a pixel less than the map's tile
    /// where the halving leaves a remainder.
    pub(crate) tile: I64Vec2,
    /// Along the stagger axis: the distance from the edge of a cell's bounding box to the straight side of
    /// the hexagon. Along the other axis: half a tile. In pixels.
    offset: I64Vec2,
    /// Along the stagger axis: the distance from a row or column of cells to the next one. Along the other
    /// axis: the distance by which shifted rows or columns are displaced. In pixels.
    pitch: I64Vec2,
}

impl Stagger {
    fn new(axis: StaggerAxis, index: StaggerIndex, side: u32, tile: I64Vec2) -> Self {
        let along = match axis {
            StaggerAxis::X => IVec2::X,
            StaggerAxis::Y => IVec2::Y,
        };
        let side = along.as_i64vec2() * i64::from(side);
        let offset = (tile - side) / 2;
        let pitch = offset + side;
        // Without this minimum, a tile of one pixel would get the size 0.
        let tile = (pitch + offset).max(I64Vec2::ONE);
        Self { along, across: IVec2::ONE - along, index, tile, offset, pitch }
    }

    /// True if every other column is shifted, instead of every other row.
    pub(crate) fn is_along_x(&self) -> bool {
        self.along == IVec2::X
    }

    pub(crate) fn is_shifted(&self, line: i32) -> bool {
        (line & 1 == 1) == (self.index == StaggerIndex::Odd)
    }

    /// Returns the distance between adjacent columns and between adjacent rows, in pixels.
    fn stride(&self) -> I64Vec2 {
        self.along.as_i64vec2() * self.pitch + self.across.as_i64vec2() * self.tile
    }

    /// Returns the displacement of the column or row that contains the cell, in pixels; (0, 0) if it is not
    /// shifted.
    fn shift(&self, cell: IVec2) -> I64Vec2 {
        let line = (cell * self.along).element_sum();
        self.across.as_i64vec2() * self.pitch * i64::from(self.is_shifted(line))
    }

    /// Returns the top-left corner of a cell's bounding box, in pixels.
    fn corner(&self, cell: IVec2) -> I64Vec2 {
        cell.as_i64vec2() * self.stride() + self.shift(cell)
    }
}

/// Converts between the three kinds of coordinates of a Tiled map: map pixels, screen pixels and cells.
///
/// * **Map** pixels are the coordinates of Tiled's objects. On an isometric map, their axes run along the
///   sides of a diamond, and a cell is a square of `tile_size.y` pixels. On an oblique map, they are not
///   sheared. On all other maps, they are screen pixels.
/// * **Screen** pixels are the coordinates of the drawn map, with Tiled's origin. The origin is the top-left
///   corner of the picture, with three exceptions: an infinite map, an oblique map with a negative skew, and
///   a staggered or hexagonal map whose only column or row is shifted.
/// * **Cells** are the columns and rows of the file. They can be negative on an infinite map.
///
/// A position exactly between two cells belongs to the right or lower cell; on a slanted side, to one of the
/// two.
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
    /// The lattice in the map's own space, or on the screen for a staggered or hexagonal map.
    lattice: Lattice,
}

impl Projection {
    /// Returns the projection of a map of `size` columns and rows, with tiles of `tile_size` pixels, as
    /// stated in the map's file.
    ///
    /// The number of rows sets the leftmost corner of an isometric map, even of an infinite map.
    pub fn new(orientation: Orientation, size: UVec2, tile_size: UVec2) -> Self {
        Self { lattice: Lattice::new(orientation, size.y, tile_size, Space::Map) }
    }

    /// Converts a point from map pixels to the screen. `point` is any pair of `f64`: a `glam` vector of any
    /// version, a tuple or an array.
    pub fn map_to_screen(&self, point: impl Into<[f64; 2]>) -> DVec2 {
        self.on_screen(point.into().into())
    }

    fn on_screen(&self, point: DVec2) -> DVec2 {
        if !self.lattice.is_isometric() {
            return self.lattice.to_screen.apply(point);
        }
        // The same linear map as `to_screen`, but with the sums in Tiled's order. The rounding decides on
        // which side of a border a point lies.
        let tile = self.lattice.tile.as_dvec2();
        let cell = point / tile.y;
        let steps = DVec2::new(cell.x - cell.y, cell.x + cell.y);
        steps * tile / 2.0 + self.origin()
    }

    /// Converts a point from the screen to map pixels. If the two skews of an oblique map put all its cells
    /// on one line, the point is returned unchanged.
    pub fn screen_to_map(&self, point: impl Into<[f64; 2]>) -> DVec2 {
        self.lattice.to_map.apply(DVec2::from(point.into()) - self.origin())
    }

    /// Returns the top-left corner of a cell in map pixels. On a staggered or hexagonal map this is the
    /// corner of the cell's bounding box.
    pub fn cell_to_map(&self, cell: IVec2) -> DVec2 {
        match self.lattice.stagger() {
            Some(stagger) => stagger.corner(cell).as_dvec2(),
            None => cell.as_dvec2() * self.cell_size(),
        }
    }

    /// Returns the cell that contains a point in map pixels.
    pub fn cell_at_map(&self, point: impl Into<[f64; 2]>) -> IVec2 {
        self.cell_at(point.into().into())
    }

    fn cell_at(&self, point: DVec2) -> IVec2 {
        let Some(stagger) = self.lattice.stagger() else {
            return (point / self.cell_size()).floor().as_ivec2();
        };
        let stride = stagger.stride().max(I64Vec2::ONE);
        let near = (point / stride.as_dvec2()).floor().as_ivec2();
        let mut nearest = near;
        let mut least = f64::INFINITY;
        // The right and lower cells come first, and get the points exactly between two cells.
        for (y, x) in (-2..=2).rev().flat_map(|y| (-2..=2).rev().map(move |x| (y, x))) {
            let cell = near.saturating_add(IVec2::new(x, y));
            let center = (2 * stagger.corner(cell) + stagger.tile).as_dvec2() / 2.0;
            let from = (point - center).abs();
            // A point is in the diamond whose center is nearest, if both axes count in diamonds.
            let distance = if self.lattice.is_hexagonal() {
                from.length_squared()
            } else {
                (from / stagger.tile.as_dvec2()).element_sum()
            };
            if distance < least {
                least = distance;
                nearest = cell;
            }
        }
        nearest
    }

    /// Returns the corner of a cell on the screen: the top corner of an isometric diamond, or the top-left
    /// corner of any other cell.
    ///
    /// On a staggered or hexagonal map this is the corner of the cell's bounding box.
    pub fn cell_to_screen(&self, cell: IVec2) -> DVec2 {
        self.map_to_screen(self.cell_to_map(cell))
    }

    /// Returns the center of a cell on the screen.
    pub fn cell_center(&self, cell: IVec2) -> DVec2 {
        self.map_to_screen(self.cell_to_map(cell) + self.cell_size() / 2.0)
    }

    /// Returns the cell that is drawn at a point of the screen.
    pub fn cell_at_screen(&self, point: impl Into<[f64; 2]>) -> IVec2 {
        self.cell_at_map(self.screen_to_map(point))
    }

    /// Returns the width and height of a cell's bounding box, in map pixels.
    fn cell_size(&self) -> DVec2 {
        self.lattice.cell_size().as_dvec2()
    }

    /// Returns the position on the screen of the map's pixel (0, 0).
    fn origin(&self) -> DVec2 {
        DVec2::new(self.lattice.origin_x as f64, 0.0)
    }
}
