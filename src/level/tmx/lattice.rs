//! Where the cells, points and tile pictures of a map lie in the pixels of its level, in whole numbers.
//!
//! The level's pixels are those of the map's own space, in which the cells of an orthogonal, oblique or
//! isometric map are rectangles, or those of the screen, on which they are rectangles, parallelograms,
//! diamonds or hexagons. The geometry is Tiled's. Nothing here knows what is solid.

use glam::{IVec2, UVec2};

use crate::geometry::Aabb;
use crate::geometry::decimal::Decimal;
use crate::geometry::decimal::Point;
use crate::level::source::{Orientation, StaggerAxis, StaggerIndex};
use crate::options::Space;
use crate::raster::Outline;

/// The cells of a map, and the space of its level.
#[derive(Clone, Debug)]
pub(super) struct Lattice {
    orientation: Orientation,
    /// A tile of the map, in pixels.
    tile: UVec2,
    /// True if the level's pixels are those of the screen.
    on_screen: bool,
    /// Rows of a finite map, which push an isometric one to the right.
    rows: u32,
}

impl Lattice {
    pub(super) fn new(orientation: Orientation, tile: UVec2, rows: u32, space: Space) -> Self {
        let on_screen = match orientation {
            Orientation::Orthogonal => false,
            Orientation::Staggered { .. } | Orientation::Hexagonal { .. } => true,
            Orientation::Isometric | Orientation::Oblique { .. } => space == Space::Screen,
        };
        Self {
            orientation,
            tile,
            on_screen,
            rows,
        }
    }

    /// True if the cells are rectangles that stand in rows and columns.
    pub(super) fn is_rectangular(&self) -> bool {
        !self.on_screen
    }

    /// True if pictures of tiles are not upright in the level's space, but turned and squeezed.
    pub(super) fn turns_pictures(&self) -> bool {
        self.orientation == Orientation::Isometric && !self.on_screen
    }

    /// The space that the level is in.
    pub(super) fn space(&self) -> Space {
        if self.on_screen {
            Space::Screen
        } else {
            Space::Map
        }
    }

    /// True if the map is isometric, in whatever space its level is.
    pub(super) fn is_isometric(&self) -> bool {
        self.orientation == Orientation::Isometric
    }

    /// True if flags turn a tile by 60 and 120 degrees.
    pub(super) fn is_hexagonal(&self) -> bool {
        matches!(self.orientation, Orientation::Hexagonal { .. })
    }

    /// Width and height of the box around a cell, in pixels of the level.
    pub(super) fn cell_size(&self) -> UVec2 {
        match self.orientation {
            // In its own space an isometric map's cells are squares.
            Orientation::Isometric if !self.on_screen => UVec2::splat(self.tile.y),
            _ => self.tile,
        }
    }

    /// The place of a cell: the bottom-left corner of the box around it, in pixels of the level, before the
    /// level's own corner is known.
    pub(super) fn stand(&self, cell: IVec2) -> IVec2 {
        let (x, y) = (i64::from(cell.x), i64::from(cell.y));
        let (tile_x, tile_y) = (i64::from(self.tile.x), i64::from(self.tile.y));
        let (left, bottom) = match self.orientation {
            Orientation::Isometric if self.on_screen => {
                // Tiled's painter puts a picture between two pixels on the later one.
                let halved = |steps: i64| (steps + 1).div_euclid(2);
                let middle = i64::from(self.rows) * tile_x / 2 - tile_x / 2;
                (
                    halved((x - y) * tile_x) + middle,
                    halved((x + y) * tile_y) + tile_y,
                )
            }
            Orientation::Oblique { skew_x, skew_y } if self.on_screen => (
                x * tile_x + (y + 1) * i64::from(skew_x),
                (y + 1) * tile_y + x * i64::from(skew_y),
            ),
            Orientation::Staggered { axis, index } => self.staggered(axis, index, 0, (x, y)),
            Orientation::Hexagonal { axis, index, side } => {
                self.staggered(axis, index, i64::from(side), (x, y))
            }
            _ => {
                let size = self.cell_size().as_i64vec2();
                (x * size.x, (y + 1) * size.y)
            }
        };
        IVec2::new(clamp(left), clamp(bottom))
    }

    /// [`Lattice::stand`] where every other row or column is shifted.
    fn staggered(
        &self,
        axis: StaggerAxis,
        index: StaggerIndex,
        side: i64,
        (x, y): (i64, i64),
    ) -> (i64, i64) {
        let (tile_x, tile_y) = (i64::from(self.tile.x), i64::from(self.tile.y));
        let along = match axis {
            StaggerAxis::X => x,
            StaggerAxis::Y => y,
        };
        let is_shifted = (along.rem_euclid(2) == 1) == (index == StaggerIndex::Odd);
        let shift = i64::from(is_shifted);
        match axis {
            StaggerAxis::X => {
                let column = (tile_x - side) / 2 + side;
                let row = tile_y / 2;
                (x * column, y * tile_y + shift * row + tile_y)
            }
            StaggerAxis::Y => {
                let column = tile_x / 2;
                let row = (tile_y - side) / 2 + side;
                (x * tile_x + shift * column, y * row + tile_y)
            }
        }
    }

    /// What a cell covers, from its place.
    pub(super) fn cell_outline(&self) -> Outline {
        let (w, h) = (i64::from(self.tile.x), i64::from(self.tile.y));
        // Twice the coordinates, with y from the top of the box.
        let twice: Vec<(i64, i64)> = match self.orientation {
            Orientation::Oblique { skew_x, skew_y } if self.on_screen => {
                let (sx, sy) = (i64::from(skew_x), i64::from(skew_y));
                let bottom = 2 * h;
                vec![
                    (-2 * sx, 0),
                    (2 * w - 2 * sx, 2 * sy),
                    (2 * w, bottom + 2 * sy),
                    (0, bottom),
                ]
            }
            Orientation::Isometric | Orientation::Staggered { .. } if self.on_screen => {
                vec![(w, 0), (2 * w, h), (w, 2 * h), (0, h)]
            }
            Orientation::Hexagonal {
                axis: StaggerAxis::X,
                side,
                ..
            } => {
                let side = i64::from(side).min(w);
                let (left, right) = (w - side, w + side);
                vec![
                    (left, 0),
                    (right, 0),
                    (2 * w, h),
                    (right, 2 * h),
                    (left, 2 * h),
                    (0, h),
                ]
            }
            Orientation::Hexagonal { side, .. } => {
                let side = i64::from(side).min(h);
                let (top, bottom) = (h - side, h + side);
                vec![
                    (w, 0),
                    (2 * w, top),
                    (2 * w, bottom),
                    (w, 2 * h),
                    (0, bottom),
                    (0, top),
                ]
            }
            _ => {
                let size = self.cell_size().as_i64vec2();
                let (w, h) = (2 * size.x, 2 * size.y);
                let points = vec![(0, -h), (w, -h), (w, 0), (0, 0)];
                return Outline::Polygon(points.into_iter().map(half).collect());
            }
        };
        let points = twice.into_iter().map(|(x, y)| half((x, y - 2 * h)));
        Outline::Polygon(points.collect())
    }

    /// Where a point of the map's objects lies in the level.
    pub(super) fn point(&self, point: Point) -> Point {
        if !self.on_screen {
            return point;
        }
        let (w, h) = (i128::from(self.tile.x), i128::from(self.tile.y));
        let (x, y) = (millionths(point.x), millionths(point.y));
        match self.orientation {
            Orientation::Isometric => {
                let middle = i128::from(self.rows) * w / 2 * i128::from(Decimal::PER_PIXEL);
                let seen = self.seen(point);
                point_of(millionths(seen.x) + middle, millionths(seen.y))
            }
            Orientation::Oblique { skew_x, skew_y } => point_of(
                x + divide(y * i128::from(skew_x), h),
                y + divide(x * i128::from(skew_y), w),
            ),
            _ => point,
        }
    }

    /// Where a point of an isometric map's objects is seen, from the top corner of the first cell's diamond.
    pub(super) fn seen(&self, point: Point) -> Point {
        let (w, h) = (i128::from(self.tile.x), i128::from(self.tile.y));
        let (x, y) = (millionths(point.x), millionths(point.y));
        point_of(divide((x - y) * w, 2 * h), divide(x + y, 2))
    }

    /// How far a layer is moved in the level that is moved by `offset` on the screen.
    pub(super) fn offset(&self, offset: (Decimal, Decimal)) -> Point {
        let (x, y) = offset;
        self.picture_way(Point { x, y })
    }

    /// Where a point of a tile's picture lies in the level. The picture stands on the bottom-left corner of
    /// its cell's box, from which `point` counts; the answer counts from the cell's place.
    pub(super) fn picture_point(&self, point: Point) -> Point {
        if !self.turns_pictures() {
            return point;
        }
        let (w, h) = (i128::from(self.tile.x), i128::from(self.tile.y));
        let unit = i128::from(Decimal::PER_PIXEL);
        // From the top corner of the cell's diamond.
        let (x, y) = (
            millionths(point.x) - divide(w * unit, 2),
            millionths(point.y) + h * unit,
        );
        let across = divide(x * h, w);
        point_of(y + across, y - across - h * unit)
    }

    /// As [`Lattice::picture_point`] for a way in a picture, such as from a tile object's position to a
    /// corner of its tile.
    pub(super) fn picture_way(&self, way: Point) -> Point {
        if !self.turns_pictures() {
            return way;
        }
        let (w, h) = (i128::from(self.tile.x), i128::from(self.tile.y));
        let (x, y) = (millionths(way.x), millionths(way.y));
        let across = divide(x * h, w);
        point_of(y + across, y - across)
    }

    /// The pixels from the first to the last cell of a rectangle of them, `min` and up to `max`.
    pub(super) fn area(&self, min: IVec2, max: IVec2) -> Aabb {
        let last = max - IVec2::ONE;
        let size = self.cell_size().as_ivec2();
        let shear = match self.orientation {
            Orientation::Oblique { skew_x, skew_y } if self.on_screen => IVec2::new(skew_x, skew_y),
            _ => IVec2::ZERO,
        };
        let mut area: Option<Aabb> = None;
        // Of a staggered map the second row and column may reach further than the first.
        let near = (min + IVec2::ONE).min(last);
        let far = (last - IVec2::ONE).max(min);
        for x in [min.x, near.x, far.x, last.x] {
            for y in [min.y, near.y, far.y, last.y] {
                let stand = self.stand(IVec2::new(x, y));
                let across = IVec2::new(size.x, shear.y);
                let up = IVec2::new(shear.x, size.y);
                let right = stand.saturating_add(across);
                let corners = [
                    stand,
                    right,
                    stand.saturating_sub(up),
                    right.saturating_sub(up),
                ];
                for corner in corners {
                    let around = area.unwrap_or(Aabb {
                        min: corner,
                        max: corner,
                    });
                    area = Some(Aabb {
                        min: around.min.min(corner),
                        max: around.max.max(corner),
                    });
                }
            }
        }
        area.unwrap_or_default()
    }
}

fn half((x, y): (i64, i64)) -> Point {
    let unit = Decimal::PER_PIXEL / 2;
    Point {
        x: Decimal::from_millionths(x * unit),
        y: Decimal::from_millionths(y * unit),
    }
}

fn millionths(coordinate: Decimal) -> i128 {
    i128::from(coordinate.millionths())
}

/// The point at these millionths of a pixel; beyond the range of 64 bits at its ends.
fn point_of(x: i128, y: i128) -> Point {
    let narrow = |value: i128| value.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    Point {
        x: Decimal::from_millionths(narrow(x)),
        y: Decimal::from_millionths(narrow(y)),
    }
}

/// The quotient, rounded to nearest and halves up; `by` is positive.
fn divide(value: i128, by: i128) -> i128 {
    (2 * value + by).div_euclid(2 * by)
}

fn clamp(pixel: i64) -> i32 {
    pixel.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}
