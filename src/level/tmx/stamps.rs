//! The pixels that tiles cover: each tile's shapes are drawn once for each way that it is turned.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::kinds::{Form, Shapes};
use super::outlines;
use crate::error::LoadErrorKind;
use crate::geometry::{Aabb, Dir};
use crate::level::source::flip;
use crate::limits::{Limits, check};
use crate::raster::{Coverage, Outline};
use crate::tmx::Lattice;

/// How far the shapes of a tile may reach beyond the bottom-left corner of its picture, in pixels; what is
/// further away is cut off.
const REACH: Aabb = Aabb {
    min: glam::IVec2::new(-8_192, -8_192),
    max: glam::IVec2::new(8_192, 8_192),
};

/// The pixels drawn so far.
pub(super) struct Stamps {
    lattice: Lattice,
    /// A cell that is no rectangle, and its edges.
    cells: HashMap<Option<Dir>, Arc<Coverage>>,
    /// By the shapes, which outlive this, by the flags, and by the guarded side.
    drawn: HashMap<(*const Shapes, u32, Option<Dir>), Arc<Coverage>>,
    rows: u64,
}

impl Stamps {
    pub(super) fn new(lattice: &Lattice) -> Self {
        Self {
            lattice: *lattice,
            cells: HashMap::new(),
            drawn: HashMap::new(),
            rows: 0,
        }
    }

    /// The pixels that a tile covers, from the place of its cell; `None` for all of a rectangular cell. Of a
    /// one-way tile only the pixels along the guarded side.
    ///
    /// # Errors
    /// Shapes that take more rows of pixels than the limit allows.
    pub(super) fn cover(
        &mut self,
        form: &Form,
        flips: u32,
        edge: Option<Dir>,
        limits: &Limits,
    ) -> Result<Option<Arc<Coverage>>, LoadErrorKind> {
        let shapes = match form {
            Form::Cell if self.lattice.is_rectangular() => return Ok(None),
            Form::Cell => return Ok(Some(self.cell(edge))),
            Form::Shapes(shapes) => shapes,
        };
        let key = (Rc::as_ptr(shapes), flips, edge);
        if let Some(coverage) = self.drawn.get(&key) {
            return Ok(Some(Arc::clone(coverage)));
        }
        let upright = self.draw(shapes, flips, limits)?;
        let coverage = Arc::new(match edge {
            Some(dir) => upright.edges(dir),
            None => upright,
        });
        self.drawn.insert(key, Arc::clone(&coverage));
        Ok(Some(coverage))
    }

    /// Counts rows of pixels, of which few are needed but a hostile file could ask for very many.
    fn spend(&mut self, rows: u64, limits: &Limits) -> Result<(), LoadErrorKind> {
        self.rows = self.rows.saturating_add(rows);
        let what = "rows of pixels in the collision shapes of tiles";
        check(what, self.rows, limits.shape_rows)
    }

    fn draw(
        &mut self,
        shapes: &Shapes,
        flips: u32,
        limits: &Limits,
    ) -> Result<Coverage, LoadErrorKind> {
        let size = outlines::size_of(shapes.size_in_cell);
        let (shown, offset) = shapes.shown(size);
        let work = shown.iter().map(|outline| outline.work(REACH));
        self.spend(work.fold(0, u64::saturating_add), limits)?;
        let turns = flips & (flip::DIAGONAL | flip::ROTATED) != 0;
        let moved: Vec<Outline> = if self.lattice.turns_pictures() {
            let flipped = outlines::flipped(&shown, flips, size);
            let place = |point| self.lattice.picture_point(point + offset);
            outlines::moved(&flipped, &place)
        } else if self.lattice.is_hexagonal() && turns {
            let turned = outlines::flipped_hexagonal(&shown, flips, size);
            outlines::moved(&turned, &|point| point + offset)
        } else {
            // Drawn first and turned then: so all eight ways are the same pixels.
            let upright = Coverage::of(&shown, REACH);
            self.spend(upright.turned_len(flips), limits)?;
            let turned = upright.turned(flips, shapes.size_in_cell);
            return Ok(turned.moved(offset.pixel()));
        };
        Ok(Coverage::of(&moved, REACH))
    }

    fn cell(&mut self, edge: Option<Dir>) -> Arc<Coverage> {
        let outline = Outline::Polygon(self.lattice.cell_outline());
        let drawn = self.cells.entry(edge).or_insert_with(|| {
            let cell = Coverage::of([&outline], REACH);
            Arc::new(match edge {
                Some(dir) => cell.edges(dir),
                None => cell,
            })
        });
        Arc::clone(drawn)
    }
}
