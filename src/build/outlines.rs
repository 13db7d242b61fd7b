//! From an object of a map or a tile to the outlines that it covers.
//!
//! It turns Tiled's shapes into those of [`crate::raster`], and knows how a tile's shapes move with
//! its flags, its size and its place. It draws nothing.

use glam::UVec2;

use crate::geometry::decimal::{Decimal, Point};
use crate::raster::{self, Outline, Ratio, Turn};
use crate::tmx::{Alignment, Object, Shape, Tile, Tileset, flip};

/// The outline of an object's shape as it is shown; none for a text. `shown` says where its coordinates are
/// seen, and must be an affine map: Tiled turns the object that it shows, not the one that the map holds.
pub(super) fn of_object(object: &Object, shown: &impl Fn(Point) -> Point) -> Option<Outline> {
    let (at, Point { x: w, y: h }) = (object.position, object.size);
    let placed = |points: &[Point]| points.iter().map(|point| *point + at).collect();
    let outline = match &object.shape {
        Shape::Rectangle => raster::rectangle(at.x, at.y, w, h),
        Shape::Ellipse => raster::ellipse(at.x, at.y, w, h),
        Shape::Capsule => raster::capsule(at.x, at.y, w, h),
        Shape::Polygon(points) => Outline::Polygon(placed(points)),
        Shape::Polyline(points) => Outline::Path(placed(points)),
        Shape::Point => Outline::Dot(at),
        Shape::Text(_) => return None,
    };
    let outline = outline.map(shown);
    if object.rotation == Decimal::ZERO {
        return Some(outline);
    }
    let (turn, pivot) = (Turn::degrees(object.rotation), shown(at));
    Some(outline.map(&|point| turn.about(pivot, point)))
}

/// A collision shape of a tile of `size` pixels, from the bottom-left corner of its picture.
pub(super) fn of_tile(tileset: &Tileset, shape: &Object, size: UVec2) -> Option<Outline> {
    let height = pixels(size.y);
    let Some(grid) = tileset.isometric_grid else {
        return of_object(shape, &|point| Point { x: point.x, y: point.y - height });
    };
    // On an isometric grid both coordinates of a shape are along the sides of the grid's diamond.
    let (w, h) = (i64::from(grid.x), i64::from(grid.y));
    let slope = Ratio { over: w, under: 2 * h };
    let half = Ratio { over: 1, under: 2 };
    of_object(shape, &|point| {
        let across = Point { x: point.x - point.y, y: point.x + point.y };
        let shown = raster::scale(across, Point::default(), slope, half);
        Point {
            x: shown.x + Decimal::from_millionths(w * Decimal::PER_PIXEL / 2),
            y: shown.y - pixels(grid.y),
        }
    })
}

/// The picture of a tile, and how it is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Picture {
    /// Its width and height.
    pub(super) size: UVec2,
    /// Its width and height as a cell shows it.
    pub(super) size_in_cell: UVec2,
    /// True if it keeps its proportions where it is shown at another size.
    pub(super) keeps_aspect: bool,
    /// How far it is displaced.
    pub(super) offset: Point,
}

impl Picture {
    /// The picture of a tile, of which the tileset may say nothing, in a map whose cells have `cell` pixels.
    pub(super) fn of(tileset: &Tileset, tile: Option<&Tile>, cell: UVec2) -> Self {
        let own = tile.and_then(|tile| tile.image.as_ref()).map(|image| match image.part {
            Some(part) if !part.is_empty() => UVec2::new(part.width(), part.height()),
            _ => image.size,
        });
        let own = own.filter(|size| size.min_element() > 0);
        let size = own.unwrap_or(tileset.tile_size);
        let shows_in_cell = tileset.fills_cell && size.min_element() > 0;
        Self {
            size,
            size_in_cell: if shows_in_cell { cell } else { size },
            keeps_aspect: tileset.keeps_aspect,
            offset: Point {
                x: Decimal::from_pixels(tileset.offset.x),
                y: Decimal::from_pixels(tileset.offset.y),
            },
        }
    }

    /// Shapes in the picture as it is shown in a box of size `to`, and how far it is displaced there. It is
    /// stretched, or in the middle of the box if it keeps its proportions.
    pub(super) fn fitted(&self, outlines: &[Outline], to: Point) -> (Vec<Outline>, Point) {
        let from = size_of(self.size);
        if from == to {
            return (outlines.to_vec(), self.offset);
        }
        let ratio =
            |from: Decimal, to: Decimal| Ratio { over: to.millionths(), under: from.millionths() };
        let (mut x, mut y) = (ratio(from.x, to.x), ratio(from.y, to.y));
        if self.keeps_aspect {
            let wide = |a: i64, b: i64| i128::from(a) * i128::from(b);
            // The factor of the side that the picture meets first as it grows.
            let least = if wide(x.over, y.under) <= wide(y.over, x.under) { x } else { y };
            (x, y) = (least, least);
        }
        let sized = |point| raster::scale(point, Point::default(), x, y);
        let room = to - sized(from);
        let corner = Point { x: half(room.x), y: -half(room.y) };
        (moved(outlines, &|point| sized(point) + corner), sized(self.offset))
    }

    /// How far it is displaced where a cell shows it.
    pub(super) fn offset_in_cell(&self) -> Point {
        self.fitted(&[], size_of(self.size_in_cell)).1
    }
}

/// Where a tile shows the points of its picture, which has this size, if it is placed with the bits `flips`
/// of [`flip`]: from the bottom-left corner of the box, which stays where it is. On a hexagonal map two of
/// the flags turn the picture about the middle of the box.
pub(super) fn flipped(flips: u32, size: Point, is_hexagonal: bool) -> impl Fn(Point) -> Point {
    let has = move |flag| flips & flag != 0;
    let is_diagonal = has(flip::DIAGONAL) && !is_hexagonal;
    let (width, height) = if is_diagonal { (size.y, size.x) } else { (size.x, size.y) };
    let sixths = i32::from(has(flip::DIAGONAL)) + 2 * i32::from(has(flip::ROTATED));
    let is_turned = is_hexagonal && sixths > 0;
    let turn = is_turned.then(|| Turn::degrees(Decimal::from_pixels(60 * sixths)));
    let middle = Point { x: half(width), y: -half(height) };
    move |mut point| {
        if is_diagonal {
            // Rows and columns change places, counted from the top-left corner.
            point = Point { x: point.y + size.y, y: point.x - height };
        }
        if has(flip::HORIZONTAL) {
            point.x = width - point.x;
        }
        if has(flip::VERTICAL) {
            point.y = -height - point.y;
        }
        turn.map_or(point, |turn| turn.about(middle, point))
    }
}

/// The displacement from a tile object's position to the bottom-left corner of its box of this size.
pub(super) fn to_corner(alignment: Alignment, is_isometric: bool, size: Point) -> Point {
    let (w, h) = (size.x, size.y);
    let alignment = match alignment {
        Alignment::Unspecified if is_isometric => Alignment::Bottom,
        Alignment::Unspecified => Alignment::BottomLeft,
        other => other,
    };
    let x = match alignment {
        Alignment::TopLeft | Alignment::Left | Alignment::BottomLeft | Alignment::Unspecified => {
            Decimal::ZERO
        }
        Alignment::Top | Alignment::Center | Alignment::Bottom => -half(w),
        Alignment::TopRight | Alignment::Right | Alignment::BottomRight => -w,
    };
    let y = match alignment {
        Alignment::TopLeft | Alignment::Top | Alignment::TopRight => h,
        Alignment::Left | Alignment::Center | Alignment::Right => half(h),
        _ => Decimal::ZERO,
    };
    Point { x, y }
}

fn half(side: Decimal) -> Decimal {
    Decimal::from_millionths(side.millionths() / 2)
}

/// The outlines with each point moved by `f`.
pub(super) fn moved(outlines: &[Outline], f: &impl Fn(Point) -> Point) -> Vec<Outline> {
    outlines.iter().map(|outline| outline.map(f)).collect()
}

/// A size in whole pixels.
pub(super) fn size_of(size: UVec2) -> Point {
    Point { x: pixels(size.x), y: pixels(size.y) }
}

/// Whole pixels.
pub(super) fn pixels(count: u32) -> Decimal {
    Decimal::from_millionths(i64::from(count) * Decimal::PER_PIXEL)
}
