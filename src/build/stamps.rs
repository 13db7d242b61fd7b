//! The pixels that tiles cover: each tile's shapes are drawn once for each orientation of the tile.

use std::collections::HashMap;
use std::ptr;
use std::rc::Rc;
use std::sync::Arc;

use glam::IVec2;

use super::outlines;
use super::pieces::Cover;
use super::tile_meaning::{Extent, TileShapes};
use crate::error::LoadErrorKind;
use crate::geometry::decimal::{Decimal, Point};
use crate::geometry::{Aabb, Dir, saturated};
use crate::limits::{Limits, STEPS_A_ROW, Spent, check};
use crate::raster::{self, Coverage, Flips, Outline};
use crate::tmx::{Lattice, MAX_POINTS, flip};

/// How far the shapes of a tile may reach from the bottom-left corner of its picture, in pixels; pixels
/// further away are cut off.
const REACH: Aabb = Aabb { min: IVec2::new(-8_192, -8_192), max: IVec2::new(8_192, 8_192) };

/// The pixels drawn so far.
pub(super) struct Stamps<'m> {
    lattice: Lattice,
    limits: &'m Limits,
    drawn: HashMap<Key, Arc<Coverage>>,
    /// For the shapes drawn so far.
    spent: Spent,
    /// Points of the shapes that are kept for one object each.
    points: u64,
}

/// The shapes and the placement of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    /// The shapes, which outlive the drawings; null for a cell that is no rectangle.
    shapes: *const TileShapes,
    flips: u32,
    /// The guarded side, of one-way tiles.
    edge: Option<Dir>,
    /// How far it is moved right and down, from 0 to below a pixel.
    fraction: (Decimal, Decimal),
}

impl<'m> Stamps<'m> {
    pub(super) fn new(lattice: &Lattice, limits: &'m Limits) -> Self {
        let (drawn, spent) = (HashMap::new(), Spent::default());
        Self { lattice: *lattice, limits, drawn, spent, points: 0 }
    }

    /// The cover of a cell's tile of this extent, placed with the bits `flips` in a layer that is displaced
    /// by `offset` in the level. Of a one-way tile these are the pixels along the guarded side `edge`, unless
    /// it covers a cell that is a rectangle: then they are all of it.
    ///
    /// # Errors
    /// Shapes that take more rows of pixels than the limit allows.
    pub(super) fn of_cell(
        &mut self,
        cell: IVec2,
        extent: &Extent,
        flips: u32,
        edge: Option<Dir>,
        offset: Point,
    ) -> Result<Cover, LoadErrorKind> {
        let at = self.lattice.cell_bottom_left_pixel(cell);
        let is_box = match extent {
            Extent::Cell(_) => self.lattice.is_rectangular(),
            Extent::Shapes(shapes) => shapes.fill_cell && flips & flip::DIAGONAL == 0,
        };
        if !is_box {
            return self.pixels(at, extent, flips, edge, offset);
        }
        let at = at.saturating_add((offset + self.own_offset(extent)).pixel());
        let size = self.lattice.cell_size().as_ivec2();
        Ok(Cover::Box(Aabb {
            min: IVec2::new(at.x, at.y.saturating_sub(size.y)),
            max: IVec2::new(at.x.saturating_add(size.x), at.y),
        }))
    }

    /// As [`Stamps::of_cell`], but always pixels: of a tile whose picture stands on the pixel `at`, and
    /// without shapes of a cell that is no rectangle.
    pub(super) fn pixels(
        &mut self,
        at: IVec2,
        extent: &Extent,
        flips: u32,
        edge: Option<Dir>,
        offset: Point,
    ) -> Result<Cover, LoadErrorKind> {
        let (shapes, flips) = match extent {
            Extent::Cell(_) => (ptr::null(), 0),
            Extent::Shapes(shapes) => (Rc::as_ptr(shapes), flips),
        };
        let (whole, fraction) = split(offset + self.own_offset(extent));
        let at = at.saturating_add(whole);
        let key = Key { shapes, flips, edge, fraction: (fraction.x, fraction.y) };
        if let Some(drawn) = self.drawn.get(&key) {
            return Ok(Cover::Pixels(Arc::clone(drawn), at));
        }
        let all = match extent {
            Extent::Cell(_) => {
                let cell = Outline::Polygon(self.lattice.cell_outline());
                Coverage::of([&cell.map(&|point| point + fraction)], REACH)
            }
            Extent::Shapes(shapes) => self.draw(shapes, flips, fraction)?,
        };
        let drawn = Arc::new(match edge {
            Some(dir) => all.edges(dir),
            None => all,
        });
        self.drawn.insert(key, Arc::clone(&drawn));
        Ok(Cover::Pixels(drawn, at))
    }

    /// How far a tile of this extent is displaced, where that is not part of how its shapes are drawn.
    fn own_offset(&self, extent: &Extent) -> Point {
        match extent {
            Extent::Cell(own) => self.lattice.displacement(*own),
            Extent::Shapes(_) if self.lattice.turns_pictures() => Point::default(),
            Extent::Shapes(shapes) => shapes.picture.offset_in_cell(),
        }
    }

    /// A box around the pixels that a tile of this extent could cover, however it is flipped, in a layer that
    /// is not displaced: from the bottom-left corner of its cell.
    pub(super) fn reach(&self, extent: &Extent) -> Aabb {
        let around = match extent {
            Extent::Cell(_) => Outline::Polygon(self.lattice.cell_outline()).bounds(),
            Extent::Shapes(shapes) => {
                let size = outlines::size_of(shapes.picture.size_in_cell);
                let (shown, offset) = shapes.shown(size);
                let around = shown.iter().map(Outline::bounds).reduce(Aabb::hull);
                let Some(Aabb { min, max }) = around else {
                    return Aabb::default();
                };
                let [left, top, right, bottom] =
                    [min.x, min.y, max.x, max.y].map(Decimal::from_pixels);
                let around = raster::rectangle(left, top, right - left, bottom - top);
                let all = (0..1 << 4).map(|flips: u32| {
                    let flips = flips << flip::ALL.trailing_zeros();
                    around.map(&self.placed(flips, size, offset)).bounds()
                });
                all.fold(Aabb::default(), Aabb::hull).intersection(REACH)
            }
        };
        displaced(around, self.own_offset(extent))
    }

    /// Where in the level the points of a tile's picture are, which is shown at this size and displaced by
    /// `offset`.
    fn placed(&self, flips: u32, size: Point, offset: Point) -> impl Fn(Point) -> Point {
        let lattice = &self.lattice;
        let flipped = outlines::flipped(flips, size, lattice.is_hexagonal());
        move |point| match lattice.turns_pictures() {
            true => lattice.picture_point(flipped(point) + offset),
            false => flipped(point),
        }
    }

    /// Counts the points of shapes that are drawn for one object alone: many objects may show one tile.
    ///
    /// # Errors
    /// More than 8 times the limit of points in a file.
    pub(super) fn spend_points(&mut self, shapes: &TileShapes) -> Result<(), LoadErrorKind> {
        self.points = self.points.saturating_add(shapes.points() as u64);
        let what = "points in the collision shapes of tile objects";
        check(what, self.points, 8 * MAX_POINTS)
    }

    /// Counts rows of pixels, of which few are needed but a hostile file could ask for very many.
    fn spend(&mut self, rows: u64) -> Result<(), LoadErrorKind> {
        self.spent.work(rows.saturating_mul(STEPS_A_ROW), self.limits)
    }

    fn draw(
        &mut self,
        shapes: &TileShapes,
        flips: u32,
        fraction: Point,
    ) -> Result<Coverage, LoadErrorKind> {
        let size = outlines::size_of(shapes.picture.size_in_cell);
        let (shown, offset) = shapes.shown(size);
        let work = shown.iter().map(|outline| outline.work(REACH));
        self.spend(work.fold(0, u64::saturating_add))?;
        let lattice = &self.lattice;
        let is_turned = lattice.is_hexagonal() && flips & (flip::DIAGONAL | flip::ROTATED) != 0;
        if lattice.turns_pictures() || is_turned || fraction != Point::default() {
            let placed = self.placed(flips, size, offset);
            let shown = outlines::moved(&shown, &|point| placed(point) + fraction);
            return Ok(Coverage::of(&shown, REACH));
        }
        // Drawn first and turned then, so that all eight orientations are the same pixels.
        let upright = Coverage::of(&shown, REACH);
        let flips = Flips {
            diagonal: flips & flip::DIAGONAL != 0,
            horizontal: flips & flip::HORIZONTAL != 0,
            vertical: flips & flip::VERTICAL != 0,
        };
        self.spend(upright.turned_len(flips))?;
        Ok(upright.turned(flips, shapes.picture.size_in_cell))
    }
}

/// A box around the pixels of another one that are displaced.
pub(super) fn displaced(around: Aabb, offset: Point) -> Aabb {
    let (whole, fraction) = split(offset);
    let Aabb { min, max } = around.translated(whole);
    let has_rest = [fraction.x, fraction.y].map(|rest| i32::from(rest != Decimal::ZERO));
    Aabb { min, max: max.saturating_add(has_rest.into()) }
}

/// A displacement as whole pixels and the rest, which is from 0 to below a pixel.
fn split(offset: Point) -> (IVec2, Point) {
    let side = |side: Decimal| {
        let whole = saturated(side.floor());
        (whole, side - Decimal::from_pixels(whole))
    };
    let ((x, rest_x), (y, rest_y)) = (side(offset.x), side(offset.y));
    (IVec2::new(x, y), Point { x: rest_x, y: rest_y })
}
