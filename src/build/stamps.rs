//! The pixels that tiles cover: each tile's shapes are drawn once for each orientation of the tile.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use glam::IVec2;

use super::outlines;
use super::tile_meaning::{Extent, TileShapes};
use crate::error::LoadErrorKind;
use crate::geometry::decimal::{Decimal, Point};
use crate::geometry::{Aabb, Dir};
use crate::limits::{Limits, check};
use crate::raster::{Coverage, Flips, Outline};
use crate::tmx::{Lattice, flip};

/// How far the shapes of a tile may reach from the bottom-left corner of its picture, in pixels; what is
/// further away is cut off.
const REACH: Aabb = Aabb { min: IVec2::new(-8_192, -8_192), max: IVec2::new(8_192, 8_192) };

/// The pixels drawn so far.
pub(super) struct Stamps<'m> {
    lattice: Lattice,
    limits: &'m Limits,
    drawn: HashMap<Key, Arc<Coverage>>,
    rows: u64,
    /// Points of the shapes that are kept for one object each.
    points: u64,
    /// Boxes of [`Stamps::reach_of_shapes`], by the shapes, which outlive them.
    reaches: RefCell<HashMap<*const TileShapes, Aabb>>,
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

/// The cover of a tile, and its displacement from the bottom-left corner of its cell.
pub(super) enum Stamp {
    /// A cell, which is a rectangle.
    Cell(IVec2),
    /// Pixels. Of a one-way tile only those along the guarded side.
    Pixels(Arc<Coverage>, IVec2),
}

impl<'m> Stamps<'m> {
    pub(super) fn new(lattice: &Lattice, limits: &'m Limits) -> Self {
        Self {
            lattice: *lattice,
            limits,
            drawn: HashMap::new(),
            rows: 0,
            points: 0,
            reaches: RefCell::default(),
        }
    }

    /// The cover of a tile of this extent, placed with the bits `flips` in a layer that is displaced by
    /// `offset` in the level.
    ///
    /// # Errors
    /// Shapes that take more rows of pixels than the limit allows.
    pub(super) fn stamp(
        &mut self,
        extent: &Extent,
        flips: u32,
        edge: Option<Dir>,
        offset: Point,
    ) -> Result<Stamp, LoadErrorKind> {
        let is_rectangular = self.lattice.is_rectangular();
        let shapes = match extent {
            Extent::Cell(own) => {
                let offset = offset + self.lattice.displacement(*own);
                if is_rectangular {
                    return Ok(Stamp::Cell(offset.pixel()));
                }
                let (whole, fraction) = split(offset);
                let cell = self.cell(edge, fraction);
                return Ok(Stamp::Pixels(cell, whole));
            }
            Extent::Shapes(shapes) if shapes.fill_cell && flips & flip::DIAGONAL == 0 => {
                return Ok(Stamp::Cell(offset.pixel()));
            }
            Extent::Shapes(shapes) => shapes,
        };
        let (whole, fraction) = split(offset + self.own_offset(shapes));
        let key =
            Key { shapes: Rc::as_ptr(shapes), flips, edge, fraction: (fraction.x, fraction.y) };
        if let Some(drawn) = self.drawn.get(&key) {
            return Ok(Stamp::Pixels(Arc::clone(drawn), whole));
        }
        let all = self.draw(shapes, flips, fraction)?;
        let drawn = Arc::new(match edge {
            Some(dir) => all.edges(dir),
            None => all,
        });
        self.drawn.insert(key, Arc::clone(&drawn));
        Ok(Stamp::Pixels(drawn, whole))
    }

    /// A box around the pixels that a tile of this extent could cover, however it is flipped, in a layer that
    /// is displaced by `offset`: from the bottom-left corner of its cell.
    pub(super) fn reach(&self, extent: &Extent, offset: Point) -> Aabb {
        let (around, offset) = match extent {
            Extent::Cell(own) => {
                let cell = Outline::Polygon(self.lattice.cell_outline()).bounds();
                (cell, offset + self.lattice.displacement(*own))
            }
            Extent::Shapes(shapes) => {
                let own = self.own_offset(shapes);
                let key = Rc::as_ptr(shapes);
                let known = self.reaches.borrow().get(&key).copied();
                let reach = known.unwrap_or_else(|| self.reach_of_shapes(shapes));
                self.reaches.borrow_mut().insert(key, reach);
                (reach, offset + own)
            }
        };
        let (whole, fraction) = split(offset);
        let mut around = around.translated(whole);
        around.max = around.max.saturating_add(IVec2::new(
            i32::from(fraction.x != Decimal::ZERO),
            i32::from(fraction.y != Decimal::ZERO),
        ));
        around
    }

    /// How far the shapes of a tile are displaced, where that is not part of how they are drawn.
    fn own_offset(&self, shapes: &TileShapes) -> Point {
        match self.lattice.turns_pictures() {
            true => Point::default(),
            false => shapes.offset_in(outlines::size_of(shapes.size_in_cell)),
        }
    }

    fn reach_of_shapes(&self, shapes: &TileShapes) -> Aabb {
        let size = outlines::size_of(shapes.size_in_cell);
        let (shown, offset) = shapes.shown(size);
        let around = shown.iter().map(Outline::bounds).reduce(Aabb::hull);
        let Some(Aabb { min, max }) = around else {
            return Aabb::default();
        };
        let corner = |x, y| Point { x: Decimal::from_pixels(x), y: Decimal::from_pixels(y) };
        let (a, b) = (corner(min.x, min.y), corner(max.x, min.y));
        let (c, d) = (corner(max.x, max.y), corner(min.x, max.y));
        let around = [Outline::Polygon(vec![a, b, c, d])];
        let all = (0..1 << 4).map(|flips: u32| {
            let flips = flips << flip::ALL.trailing_zeros();
            let flipped = match self.lattice.is_hexagonal() {
                true => outlines::flipped_hexagonal(&around, flips, size),
                false => outlines::flipped(&around, flips, size),
            };
            let lattice = &self.lattice;
            let moved = match lattice.turns_pictures() {
                true => outlines::moved(&flipped, &|point| lattice.picture_point(point + offset)),
                false => flipped,
            };
            moved.iter().map(Outline::bounds).fold(Aabb::default(), Aabb::hull)
        });
        all.fold(Aabb::default(), Aabb::hull).intersection(REACH)
    }

    /// Counts the points of shapes that are drawn for one object alone: many objects may show one tile.
    ///
    /// # Errors
    /// More than 16 times the limit of points in a file.
    pub(super) fn spend_points(&mut self, shapes: &TileShapes) -> Result<(), LoadErrorKind> {
        self.points = self.points.saturating_add(shapes.points() as u64);
        let what = "points in the collision shapes of tile objects";
        check(what, self.points, 16 * u64::from(self.limits.all_points))
    }

    /// Counts rows of pixels, of which few are needed but a hostile file could ask for very many.
    fn spend(&mut self, rows: u64) -> Result<(), LoadErrorKind> {
        self.rows = self.rows.saturating_add(rows);
        let what = "rows of pixels in the collision shapes of tiles";
        check(what, self.rows, self.limits.shape_rows)
    }

    fn draw(
        &mut self,
        shapes: &TileShapes,
        flips: u32,
        fraction: Point,
    ) -> Result<Coverage, LoadErrorKind> {
        let size = outlines::size_of(shapes.size_in_cell);
        let (shown, offset) = shapes.shown(size);
        let work = shown.iter().map(|outline| outline.work(REACH));
        self.spend(work.fold(0, u64::saturating_add))?;
        let flipped = || match self.lattice.is_hexagonal() {
            true => outlines::flipped_hexagonal(&shown, flips, size),
            false => outlines::flipped(&shown, flips, size),
        };
        let is_turned =
            self.lattice.is_hexagonal() && flips & (flip::DIAGONAL | flip::ROTATED) != 0;
        let moved: Vec<Outline> = if self.lattice.turns_pictures() {
            let lattice = &self.lattice;
            let place = |point| lattice.picture_point(point + offset) + fraction;
            outlines::moved(&flipped(), &place)
        } else if is_turned || fraction != Point::default() {
            outlines::moved(&flipped(), &|point| point + fraction)
        } else {
            // Drawn first and turned then, so that all eight orientations are the same pixels.
            let upright = Coverage::of(&shown, REACH);
            let flips = Flips {
                diagonal: flips & flip::DIAGONAL != 0,
                horizontal: flips & flip::HORIZONTAL != 0,
                vertical: flips & flip::VERTICAL != 0,
            };
            self.spend(upright.turned_len(flips))?;
            return Ok(upright.turned(flips, shapes.size_in_cell));
        };
        Ok(Coverage::of(&moved, REACH))
    }

    /// A cell that is no rectangle, or its edge.
    fn cell(&mut self, edge: Option<Dir>, fraction: Point) -> Arc<Coverage> {
        let key =
            Key { shapes: std::ptr::null(), flips: 0, edge, fraction: (fraction.x, fraction.y) };
        let corners = self.lattice.cell_outline();
        let drawn = self.drawn.entry(key).or_insert_with(|| {
            let outline = Outline::Polygon(corners).map(&|point| point + fraction);
            let cell = Coverage::of([&outline], REACH);
            Arc::new(match edge {
                Some(dir) => cell.edges(dir),
                None => cell,
            })
        });
        Arc::clone(drawn)
    }
}

/// A displacement as whole pixels and the rest, which is from 0 to below a pixel.
fn split(offset: Point) -> (IVec2, Point) {
    let side = |side: Decimal| {
        let whole = side.floor().clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        (whole, side - Decimal::from_pixels(whole))
    };
    let ((x, rest_x), (y, rest_y)) = (side(offset.x), side(offset.y));
    (IVec2::new(x, y), Point { x: rest_x, y: rest_y })
}
