//! The pixels that tiles cover: each tile's shapes are drawn once for each way that it is turned.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::kinds::{Form, Shapes};
use super::lattice::Lattice;
use super::outlines;
use crate::geometry::{Aabb, Dir};
use crate::level::coverage::{Coverage, Outline};
use crate::level::error::LoadErrorKind;
use crate::level::limits::Budget;
use crate::level::source::flip;

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
}

impl Stamps {
    pub(super) fn new(lattice: &Lattice) -> Self {
        Self {
            lattice: lattice.clone(),
            cells: HashMap::new(),
            drawn: HashMap::new(),
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
        budget: &Budget<'_>,
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
        let work = shapes.outlines.iter().map(|outline| outline.work(REACH));
        spend(work.fold(0, u64::saturating_add), budget)?;
        let upright = self.draw(shapes, flips, budget)?;
        let coverage = Arc::new(match edge {
            Some(dir) => upright.edges(dir),
            None => upright,
        });
        self.drawn.insert(key, Arc::clone(&coverage));
        Ok(Some(coverage))
    }

    fn draw(
        &mut self,
        shapes: &Shapes,
        flips: u32,
        budget: &Budget<'_>,
    ) -> Result<Coverage, LoadErrorKind> {
        let turns = flips & (flip::DIAGONAL | flip::ROTATED) != 0;
        let moved: Vec<Outline> = if self.lattice.turns_pictures() {
            let size = (
                outlines::pixels(shapes.size.x),
                outlines::pixels(shapes.size.y),
            );
            let flipped = outlines::flipped(&shapes.outlines, flips, size);
            outlines::moved(&flipped, &|point| self.lattice.picture_point(point))
        } else if self.lattice.is_hexagonal() && turns {
            outlines::flipped_hexagonal(&shapes.outlines, flips, shapes.size)
        } else {
            // Drawn first and turned then: so all eight ways are the same pixels.
            let upright = Coverage::of(&shapes.outlines, REACH);
            spend(upright.turned_len(flips), budget)?;
            return Ok(upright.turned(flips, shapes.size));
        };
        Ok(Coverage::of(&moved, REACH))
    }

    fn cell(&mut self, edge: Option<Dir>) -> Arc<Coverage> {
        let outline = self.lattice.cell_outline();
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

/// Counts rows of pixels, of which few are needed but a hostile file could ask for very many.
fn spend(rows: u64, budget: &Budget<'_>) -> Result<(), LoadErrorKind> {
    budget.shape_rows("rows of pixels in the collision shapes of tiles", rows)
}
