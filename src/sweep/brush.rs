//! The shapes that edit a terrain, each as spans of pixels.
//!
//! Those of footprints and of islands are beside these. Exact, in integers; no terrain is read here.

use std::ops::Range;

use glam::{IVec2, UVec2};

use crate::geometry::Aabb;
use crate::grid::Grid;
use crate::raster::{self, Span};
use crate::shapes::{Circle, ConvexPolygon, Triangle};

/// A shape for the edits of a [`Terrain`](super::Terrain): [`carve`](super::Terrain::carve),
/// [`paint`](super::Terrain::paint) and those of one-way cells.
///
/// | shape | its pixels |
/// |---|---|
/// | [`Aabb`] | those that it covers |
/// | [`Circle`], [`Triangle`], [`ConvexPolygon`] of whole numbers | those whose centres it holds |
/// | `[IVec2]`, an array or a slice | those whose centres are within the polygon of these corners |
/// | [`Footprint`](crate::Footprint) | its pixels, from its top-left corner |
/// | [`Grid`] | its solid cells, a pixel each, from its top-left corner |
/// | [`Island`](crate::analyze::Island) | its pixels, where it was found |
///
/// It is implemented for these only. The corners of a pixel (x, y) are (x, y) and (x + 1, y + 1), as for
/// module [`shapes`](crate::shapes). A polygon may have any outline, in either order; parts that the outline
/// goes around an even number of times are holes. A pixel's centre exactly on an edge of a polygon belongs to
/// it if the polygon lies right of it (or below it), so polygons that share an edge share no pixel. A shape
/// without points or without area covers nothing.
///
/// ```
/// use bitwall::glam::{IVec2, UVec2};
/// use bitwall::shapes::Circle;
/// use bitwall::{Aabb, Grid, Terrain};
///
/// let mut ground = Terrain::new(Grid::new(8, 4)?, UVec2::ONE)?;
/// ground.paint(&Aabb::from_xywh(0, 0, 8, 4), IVec2::ZERO)?;
/// ground.carve(&Circle { center: IVec2::new(3, 0), radius: 3 }, IVec2::ZERO)?;
/// ground.carve(&Grid::from_text("#.#\n.#.")?, IVec2::new(5, 2))?;
/// assert_eq!(ground.grid().to_string(), "......##\n......##\n#.....#.\n######.#");
/// # Ok::<(), bitwall::grid::GridError>(())
/// ```
pub trait Brush: Pixels {}

/// Takes runs of pixels: a row and its columns.
pub(crate) type Emit<'e> = dyn FnMut(i32, Range<i32>) + 'e;

/// The pixels of a [`Brush`].
pub trait Pixels {
    /// Passes the pixels in `clip` to `emit`: row by row downward; in a row in any order, and some twice if
    /// the shape says so.
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>);

    /// The box, for a shape that is one.
    fn as_box(&self) -> Option<Aabb> {
        None
    }
}

impl Brush for Aabb {}

impl Pixels for Aabb {
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        let part = self.intersection(clip);
        if !part.is_empty() {
            (part.min.y..part.max.y).for_each(|y| emit(y, part.min.x..part.max.x));
        }
    }

    fn as_box(&self) -> Option<Aabb> {
        Some(*self)
    }
}

impl Brush for Circle<IVec2> {}

impl Pixels for Circle<IVec2> {
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        raster::disc(self.center, self.radius, clip, &mut |span| pass(span, emit));
    }
}

impl Brush for Triangle<IVec2> {}

impl Pixels for Triangle<IVec2> {
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        raster::polygon(&self.points, clip, &mut |span| pass(span, emit));
    }
}

impl Brush for ConvexPolygon<IVec2> {}

impl Pixels for ConvexPolygon<IVec2> {
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        raster::polygon(self.corners(), clip, &mut |span| pass(span, emit));
    }
}

impl Brush for [IVec2] {}

impl Pixels for [IVec2] {
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        raster::polygon(self, clip, &mut |span| pass(span, emit));
    }
}

impl<const N: usize> Brush for [IVec2; N] {}

impl<const N: usize> Pixels for [IVec2; N] {
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        raster::polygon(self, clip, &mut |span| pass(span, emit));
    }
}

impl Brush for Grid {}

impl Pixels for Grid {
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        runs(self, clip, emit);
    }
}

/// The solid cells of a grid in `clip`, a pixel each. The part beyond `i32::MAX` is left out.
pub(crate) fn runs(grid: &Grid, clip: Aabb, emit: &mut Emit<'_>) {
    let size = grid.size().min(UVec2::splat(i32::MAX as u32)).as_ivec2();
    let part = clip.intersection(Aabb { min: IVec2::ZERO, max: size });
    if part.is_empty() {
        return;
    }
    let (min, max) = (part.min.as_uvec2(), part.max.as_uvec2());
    for (row, run) in grid.runs_in(min.x..max.x, min.y..max.y) {
        emit(row as i32, run.start as i32..run.end as i32);
    }
}

fn pass(span: Span, emit: &mut Emit<'_>) {
    emit(span.y, span.start..span.end);
}
