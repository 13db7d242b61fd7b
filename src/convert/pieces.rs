//! The tiles and objects of a map, from which the grids of a level are drawn: boxes, pixels, outlines and
//! rows of cells, in pixels of their map. Also makes the outlines of objects and of tile shapes.

use std::slice;
use std::sync::Arc;

use glam::{IVec2, UVec2};

use crate::geometry::{Aabb, Decimal, Dir, Point, Sides};
use crate::grid::Plane;
use crate::raster::{self, Coverage, Outline, Ratio, Rotation};
use crate::tmx::{Alignment, Object, Shape, Tile, Tileset, flip};

/// The use of a tile or object in a level. The level has one grid of solids, one grid per area, and one grid
/// of one-way solids per guarded side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    Solid,
    /// A one-way solid that guards these sides.
    OneWay(Sides<bool>),
    /// An area, by its index in `LoadOptions::areas`.
    Area(usize),
}

impl Claim {
    /// True for a solid or one-way use.
    pub(super) fn stops(self) -> bool {
        !matches!(self, Self::Area(_))
    }

    /// The guarded sides that are drawn for this use, or `None` for a use whose pixels are all drawn.
    pub(super) fn edges(self) -> impl Iterator<Item = Option<Dir>> {
        let edges = [None].into_iter().chain(Dir::ALL.map(Some));
        edges.filter(move |edge| self.is_at(*edge))
    }

    /// True if this use is drawn into the grid that `edge` selects. `Some(side)` selects the grid of one-way
    /// solids that guard this side. `None` selects the grid of solids or of an area.
    fn is_at(self, edge: Option<Dir>) -> bool {
        match (self, edge) {
            (Self::OneWay(sides), Some(edge)) => sides.get(edge),
            (claim, edge) => edge.is_none() && !matches!(claim, Self::OneWay(_)),
        }
    }
}

/// The pixels that a tile or object covers, in pixels of the map.
#[derive(Clone)]
pub(super) enum Cover {
    /// A cell, or a rectangle without rotation.
    Box(Aabb),
    /// The pixels of a tile's shapes, or of a cell that is no rectangle. They are displaced by the vector.
    Pixels(Arc<Coverage>, IVec2),
    Outlines(Arc<[Outline]>),
}

impl Cover {
    pub(super) fn bounds(&self) -> Aabb {
        match self {
            Self::Box(area) => *area,
            Self::Pixels(pixels, at) => pixels.bounds().translated(*at),
            Self::Outlines(outlines) => {
                let bounds = outlines.iter().map(Outline::bounds);
                bounds.filter(|area| !area.is_empty()).reduce(Aabb::hull).unwrap_or_default()
            }
        }
    }
}

/// The solid cells of a block of a tile layer. `origin` is the block's first cell. `offset` is the
/// displacement of the layer in pixels.
pub(super) struct CellRows {
    pub(super) rows: Plane,
    pub(super) origin: IVec2,
    pub(super) offset: IVec2,
}

/// The tiles and objects that are drawn into one grid of the level.
#[derive(Default)]
pub(super) struct PlanePieces {
    pub(super) cells: Vec<CellRows>,
    pub(super) covers: Vec<Cover>,
    /// The side that one-way solids guard: only the pixels along this side are drawn. `None` for solids and
    /// areas.
    pub(super) edge: Option<Dir>,
}

impl PlanePieces {
    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.covers.is_empty()
    }

    /// Adds the pixels of a tile. To save memory, a box directly right of the box that was added before is
    /// joined with it.
    pub(super) fn add_cell(&mut self, cover: Cover) {
        if let (Some(Cover::Box(last)), Cover::Box(area)) = (self.covers.last_mut(), &cover)
            && [last.min.y, last.max.y, last.max.x] == [area.min.y, area.max.y, area.min.x]
            && self.edge.is_none_or(|edge| matches!(edge, Dir::Up | Dir::Down))
        {
            last.max.x = area.max.x;
            return;
        }
        self.covers.push(cover);
    }

    /// True if every tile and object starts and ends at cell borders. `whole` is the size of a cell in
    /// pixels.
    pub(super) fn fill_whole_cells(&self, whole: UVec2) -> bool {
        self.cells.iter().all(|cells| is_on_cells(cells.offset, whole))
            && self.covers.iter().all(|cover| match cover {
                Cover::Box(area) => is_on_cells(area.min, whole) && is_on_cells(area.max, whole),
                Cover::Pixels(..) | Cover::Outlines(_) => false,
            })
    }

    /// A box in pixels around all `covers`, and around the `cells` of displaced layers; `None` if all these
    /// are empty. `whole` is the size of a cell in pixels.
    pub(super) fn extent(&self, whole: UVec2) -> Option<Aabb> {
        let displaced = self.cells.iter().filter(|cells| cells.offset != IVec2::ZERO);
        let cells = displaced.filter_map(|cells| cells.boxes(whole).reduce(Aabb::hull));
        let all = cells.chain(self.covers.iter().map(Cover::bounds));
        all.filter(|area| !area.is_empty()).reduce(Aabb::hull)
    }
}

impl CellRows {
    pub(super) fn corner(&self, whole: UVec2) -> IVec2 {
        let corner = self.origin.saturating_mul(whole.as_ivec2());
        corner.saturating_add(self.offset)
    }

    /// A box in pixels for each group of adjacent solid cells in a row. `whole` is the size of a cell in
    /// pixels.
    pub(super) fn boxes(&self, whole: UVec2) -> impl Iterator<Item = Aabb> {
        let corner = self.corner(whole);
        let whole = whole.as_ivec2();
        (0..self.rows.count()).flat_map(move |row| {
            self.rows.runs(row).map(move |columns| {
                let min = IVec2::new(columns.start as i32, row as i32);
                let max = IVec2::new(columns.end as i32, row as i32 + 1);
                Aabb {
                    min: corner.saturating_add(min.saturating_mul(whole)),
                    max: corner.saturating_add(max.saturating_mul(whole)),
                }
            })
        })
    }
}

/// The solids, one-way solids and areas of one map, in pixels of the map.
pub(super) struct MapPieces {
    pub(super) solid: PlanePieces,
    /// The one-way solids per guarded side, in the order of [`Dir::ALL`].
    pub(super) one_way: [PlanePieces; 4],
    pub(super) areas: Vec<PlanePieces>,
    /// The cells with a tile on a floor layer; `None` without floor layers. The other cells of the map are
    /// solid.
    pub(super) floor: Option<PlanePieces>,
    /// The region of the map that is in the level, in pixels of the map. Tiles and objects outside are cut
    /// off.
    pub(super) area: Aabb,
    pub(super) cell: UVec2,
    pub(super) is_rectangular: bool,
    /// The position of the map's pixel (0, 0), in pixels of the world.
    pub(super) position: IVec2,
}

impl MapPieces {
    /// The [`PlanePieces`] into which a use is drawn: one per guarded side of a one-way use, and one of any
    /// other use.
    pub(super) fn planes_mut(&mut self, claim: Claim) -> impl Iterator<Item = &mut PlanePieces> {
        let planes = match claim {
            Claim::Solid => slice::from_mut(&mut self.solid),
            Claim::OneWay(_) => &mut self.one_way,
            Claim::Area(area) => self.areas.get_mut(area..=area).unwrap_or_default(),
        };
        planes.iter_mut().filter(move |pieces| claim.is_at(pieces.edge))
    }
}

/// True if a point is at the corner of a cell.
fn is_on_cells(point: IVec2, whole: UVec2) -> bool {
    point.rem_euclid(whole.as_ivec2()) == IVec2::ZERO
}

/// The outline of an object's shape; `None` for a text. The affine function `shown` maps each point before
/// the object's rotation, as in Tiled.
pub(super) fn of_object(object: &Object, shown: &dyn Fn(Point) -> Point) -> Option<Outline> {
    let at = object.position;
    let Point { x: w, y: h } = object.size;
    let outline = match &object.shape {
        Shape::Rectangle => raster::rectangle(at.x, at.y, w, h),
        Shape::Ellipse => raster::ellipse(at.x, at.y, w, h),
        Shape::Capsule => raster::capsule(at.x, at.y, w, h),
        Shape::Polygon(points) => {
            Outline::Polygon(points.iter().map(|point| *point + at).collect())
        }
        Shape::Polyline(points) => Outline::Path(points.iter().map(|point| *point + at).collect()),
        Shape::Point => Outline::Dot(at),
        Shape::Text(_) => return None,
    };
    let outline = outline.map(shown);
    if object.rotation == Decimal::ZERO {
        return Some(outline);
    }
    let turn = Rotation::degrees(object.rotation);
    let pivot = shown(at);
    Some(outline.map(&|point| turn.about(pivot, point)))
}

/// The outline of a tile's collision shape, relative to the bottom-left corner of the tile's picture; `None`
/// for a text. `size` is the picture's size in pixels.
pub(super) fn of_tile(tileset: &Tileset, shape: &Object, size: UVec2) -> Option<Outline> {
    let height = outline_pixels(size.y);
    let Some(grid) = tileset.isometric_grid else {
        return of_object(shape, &|point| Point { x: point.x, y: point.y - height });
    };
    // On an isometric grid, both coordinates of a shape run along the sides of the grid's diamond.
    let w = i64::from(grid.x);
    let slope = Ratio { over: w, under: 2 * i64::from(grid.y) };
    let half = Ratio { over: 1, under: 2 };
    of_object(shape, &|point| {
        let across = Point { x: point.x - point.y, y: point.x + point.y };
        let shown = raster::scale(across, Point::default(), slope, half);
        Point {
            x: shown.x + Decimal::from_millionths(w * Decimal::PER_PIXEL / 2),
            y: shown.y - outline_pixels(grid.y),
        }
    })
}

/// The picture of a tile, and its size in a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TileImage {
    pub(super) size: UVec2,
    /// The width and height of the picture when drawn in a cell, in pixels.
    pub(super) size_in_cell: UVec2,
    pub(super) keeps_aspect: bool,
    pub(super) offset: Point,
}

impl TileImage {
    /// The picture of a tile in a map with cells of `cell` pixels. `tile` is `None` if the tileset file does
    /// not list the tile.
    pub(super) fn new(tileset: &Tileset, tile: Option<&Tile>, cell: UVec2) -> Self {
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

    /// The outlines and the picture's displacement, both scaled with the picture to a box of size `to`. A
    /// picture that keeps its proportions is centred in the box; any other picture is stretched.
    pub(super) fn fitted(&self, outlines: &[Outline], to: Point) -> (Vec<Outline>, Point) {
        let from = size_of(self.size);
        if from == to {
            return (outlines.to_vec(), self.offset);
        }
        let mut x = Ratio { over: to.x.millionths(), under: from.x.millionths() };
        let mut y = Ratio { over: to.y.millionths(), under: from.y.millionths() };
        if self.keeps_aspect {
            // The picture is scaled until its width or height fills the box.
            let across = i128::from(x.over) * i128::from(y.under);
            if across <= i128::from(y.over) * i128::from(x.under) {
                y = x;
            } else {
                x = y;
            }
        }
        let [shown, offset] =
            [from, self.offset].map(|it| raster::scale(it, Point::default(), x, y));
        let room = to - shown;
        let corner = Point { x: half_pixel(room.x), y: -half_pixel(room.y) };
        let outlines = moved_outlines(outlines, &|point| {
            raster::scale(point, Point::default(), x, y) + corner
        });
        (outlines, offset)
    }

    pub(super) fn offset_in_cell(&self) -> Point {
        self.fitted(&[], size_of(self.size_in_cell)).1
    }
}

/// Returns a function that flips a point of a tile's picture. `flips` has the flag bits of the tile's number,
/// as in [`flip`]. `size` is the size of the picture. Points are relative to the bottom-left corner of the
/// picture's box. The box keeps its position. On a hexagonal map, two of the flags turn the picture about the
/// middle of the box.
pub(super) fn flipped(flips: u32, size: Point, is_hexagonal: bool) -> impl Fn(Point) -> Point {
    let [diagonal, rotated, horizontal, vertical] =
        [flip::DIAGONAL, flip::ROTATED, flip::HORIZONTAL, flip::VERTICAL]
            .map(|flag| flips & flag != 0);
    let is_diagonal = diagonal && !is_hexagonal;
    let Point { x: width, y: height } = turned_size(size, is_diagonal);
    let sixths = i32::from(diagonal) + 2 * i32::from(rotated);
    let is_turned = is_hexagonal && sixths > 0;
    let turn = is_turned.then(|| Rotation::degrees(Decimal::from_pixels(60 * sixths)));
    let middle = Point { x: half_pixel(width), y: -half_pixel(height) };
    move |mut point| {
        if is_diagonal {
            // The diagonal flip swaps rows and columns, counted from the top-left corner.
            point = Point { x: point.y + size.y, y: point.x - height };
        }
        if horizontal {
            point.x = width - point.x;
        }
        if vertical {
            point.y = -height - point.y;
        }
        turn.map_or(point, |turn| turn.about(middle, point))
    }
}

/// The sides of a tile after its flips, as in [`flipped`]. The turns of a hexagonal map, which are no right
/// angles, leave the sides.
pub(super) fn turned_sides(sides: Sides<bool>, flips: u32, is_hexagonal: bool) -> Sides<bool> {
    let Sides { mut left, mut right, mut up, mut down } = sides;
    if flips & flip::DIAGONAL != 0 && !is_hexagonal {
        (left, up, right, down) = (up, left, down, right);
    }
    if flips & flip::HORIZONTAL != 0 {
        (left, right) = (right, left);
    }
    if flips & flip::VERTICAL != 0 {
        (up, down) = (down, up);
    }
    Sides { left, right, up, down }
}

/// The size of a picture's box, with its sides exchanged if the picture `is_diagonal`.
pub(super) fn turned_size(size: Point, is_diagonal: bool) -> Point {
    if is_diagonal { Point { x: size.y, y: size.x } } else { size }
}

/// The displacement from the position of a tile object to the bottom-left corner of the object's box.
pub(super) fn to_corner(alignment: Alignment, is_isometric: bool, size: Point) -> Point {
    let halves = alignment.halves(is_isometric);
    let right = size.x.millionths() * i64::from(-halves.x) / 2;
    let down = size.y.millionths() * i64::from(2 - halves.y) / 2;
    Point { x: Decimal::from_millionths(right), y: Decimal::from_millionths(down) }
}

fn half_pixel(side: Decimal) -> Decimal {
    Decimal::from_millionths(side.millionths() / 2)
}

pub(super) fn moved_outlines(outlines: &[Outline], f: &dyn Fn(Point) -> Point) -> Vec<Outline> {
    outlines.iter().map(|outline| outline.map(f)).collect()
}

pub(super) fn size_of(size: UVec2) -> Point {
    Point { x: outline_pixels(size.x), y: outline_pixels(size.y) }
}

fn outline_pixels(count: u32) -> Decimal {
    Decimal::from_millionths(i64::from(count) * Decimal::PER_PIXEL)
}
