//! Finds hairlines: lines of one or two pixels in a mask whose walls and ways are much wider. A passable line
//! is a gap through a wall; a solid one closes a way.
//!
//! The smallest widths come from the mask itself. None was fitted to a project: the rules that use this
//! module state how many lines were found in the masks of each, and that none was found in the clean ones.

use std::ops::Range;

use bitwall::analyze::{CellKind, Connectivity, TooComplex, components};
use bitwall::glam::{IVec2, UVec2};
use bitwall::grid::Grid;
use bitwall::{Aabb, Dir};

use super::specks::{LEAST_PIXELS, MOST_SPECKS, in_lines};

/// The usual width of the walls and of the ways, in pixels, below which no line of a mask is a hairline.
const LEAST_USUAL: i32 = 4;

/// A line of one or two pixels, solid or passable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::lint) struct Hairline {
    /// The box around the line.
    pub(in crate::lint) area: Aabb,
    /// The pixels of the line, row by row from the top.
    pub(in crate::lint) pixels: Vec<IVec2>,
    /// The number of pixels between the two parts that the line joins.
    pub(in crate::lint) length: i32,
    /// The mean width of the line in pixels, rounded up.
    pub(in crate::lint) width: i32,
}

/// Finds the hairlines of a mask: the solid ones of one pixel, or the passable ones of at most two.
///
/// A hairline joins two parts of its own kind, and becomes wide at once where it ends. Along more than half
/// of it, the other kind is wide on both sides. Wide is an eighth of the [`usual`] width in this mask,
/// from 3 to 5 pixels. If there are `bodies`, given by width and height, a way is wide if the smallest fits
/// in it, and a gap in which it fits is no hairline.
///
/// Empty if the walls or ways are usually less than four pixels wide, for a picture of less than 4,096
/// pixels, and with more than 24 hairlines. Those in evenly spaced lines, such as a fence, are left out.
/// O(words + runs). Fails for a picture with more runs than [`components`] takes.
pub(in crate::lint) fn hairlines(
    mask: &Grid,
    is_solid: bool,
    bodies: &[UVec2],
) -> Result<Vec<Hairline>, TooComplex> {
    let walls = runs(mask, CellKind::Solid)?;
    let ways = runs(mask, CellKind::Passable)?;
    let usual = [usual(&walls), usual(&ways)];
    if mask.cell_count() < LEAST_PIXELS || usual[0].min(usual[1]) < LEAST_USUAL {
        return Ok(Vec::new());
    }
    let [wall, way] = usual.map(|usual| IVec2::splat((usual / 8).clamp(3, 5)));
    let smallest = bodies.iter().min_by_key(|body| body.max_element());
    let way = smallest.map_or(way, |body| body.as_ivec2());
    let search = if is_solid {
        Search { mask, is_solid, thin: thin(mask, &walls, 1)?, ends: wall, sides: way }
    } else {
        Search { mask, is_solid, thin: thin(mask, &ways, 2)?, ends: way, sides: wall }
    };
    let mut found = Vec::new();
    for pixels in groups(&search.thin, IVec2::ZERO)? {
        found.extend(search.hairline(pixels)?);
    }
    if found.len() > MOST_SPECKS {
        return Ok(Vec::new());
    }
    let lines: Vec<_> = found.iter().map(|line| (line.area.min, line.area.size())).collect();
    let mut in_line = in_lines(&lines).into_iter();
    found.retain(|_| !in_line.next().unwrap_or_default());
    Ok(found)
}

/// The runs of one kind of pixels in the rows and in the columns of a mask: the row or column, and the pixels
/// in it.
type Runs = [Vec<(u32, Range<u32>)>; 2];

fn runs(mask: &Grid, kind: CellKind) -> Result<Runs, TooComplex> {
    let rows = components(mask, kind, Connectivity::Four)?;
    let columns = components(&mask.transposed(), kind, Connectivity::Four)?;
    Ok([rows, columns].map(|parts| parts.runs().map(|(line, run, _)| (line, run)).collect()))
}

/// Returns the median length of runs; 0 without runs.
fn usual(runs: &Runs) -> i32 {
    let mut lengths: Vec<usize> = runs.iter().flatten().map(|(_, run)| run.len()).collect();
    lengths.sort_unstable();
    lengths.get(lengths.len() / 2).map_or(0, |length| *length as i32)
}

/// Returns the pixels in runs of at most `width` pixels. A run at the edge of the mask counts as longer.
fn thin(mask: &Grid, [rows, columns]: &Runs, width: usize) -> Result<Grid, TooComplex> {
    let size = mask.size();
    let mut thin = Grid::new(size.x, size.y).map_err(|_| TooComplex)?;
    for (y, run) in rows.iter().filter(|(_, run)| run.len() <= width) {
        if run.start > 0 && run.end < size.x {
            thin.fill(run.clone(), *y..y + 1, true).map_err(|_| TooComplex)?;
        }
    }
    for (x, run) in columns.iter().filter(|(_, run)| run.len() <= width) {
        if run.start > 0 && run.end < size.y {
            thin.fill(*x..x + 1, run.clone(), true).map_err(|_| TooComplex)?;
        }
    }
    Ok(thin)
}

/// Returns the pixels of each connected part of a grid, moved by `origin`.
fn groups(grid: &Grid, origin: IVec2) -> Result<Vec<Vec<IVec2>>, TooComplex> {
    let parts = components(grid, CellKind::Solid, Connectivity::Eight)?;
    let mut groups = vec![Vec::new(); parts.parts().len()];
    for (row, columns, part) in parts.runs() {
        groups[part].extend(columns.map(|column| origin + UVec2::new(column, row).as_ivec2()));
    }
    Ok(groups)
}

struct Search<'a> {
    mask: &'a Grid,
    /// The kind of the hairlines.
    is_solid: bool,
    /// The thin pixels of this kind.
    thin: Grid,
    /// The smallest width and height of the parts that a hairline joins.
    ends: IVec2,
    /// The smallest width and height of the parts on both sides of a hairline.
    sides: IVec2,
}

impl Search<'_> {
    /// Returns a line of these connected thin pixels, if it is a hairline.
    fn hairline(&self, pixels: Vec<IVec2>) -> Result<Option<Hairline>, TooComplex> {
        let boxes = pixels.iter().map(|at| Aabb { min: *at, max: *at + 1 });
        let area = boxes.reduce(Aabb::hull).unwrap_or_default();
        let length = area.size().max_element() as i32;
        let width = (pixels.len() as i32 - 1) / length.max(1) + 1;
        // The way that a wall closes has room for a body. A gap has none.
        let room = if self.is_solid { self.sides.min_element() } else { 0 };
        let is_way = !self.is_solid && width >= self.ends.min_element();
        // The space between two round corners is no longer than twice its width.
        if is_way || length < room.max(width * 2 + 1) {
            return Ok(None);
        }
        let ends = self.ends_of(area, &pixels)?;
        let beside = pixels.iter().filter(|at| self.has_sides(**at)).count();
        let is_hairline = (ends.len() == 2 || self.is_solid && ends.len() > 2)
            && ends.iter().all(|end| end.iter().any(|at| self.is_wide(*at, width)))
            && beside * 2 > pixels.len();
        Ok(is_hairline.then_some(Hairline { area, pixels, length, width }))
    }

    /// True if the other kind is wide on both sides of a pixel of a line.
    fn has_sides(&self, at: IVec2) -> bool {
        [IVec2::X, IVec2::Y].into_iter().any(|across| {
            let side = self.sides.dot(across);
            [across, -across].into_iter().all(|way| {
                let own = self.run(at, way, 4, true);
                self.run(at + way * own, way, side, false) == side
            })
        })
    }

    /// True if the own kind becomes wide at once at the pixel `at`, where a line of this width ends. Where
    /// two round walls nearly touch, the space between them becomes wide slowly.
    fn is_wide(&self, at: IVec2, width: i32) -> bool {
        Dir::ALL.into_iter().any(|dir| {
            let out = dir.vector();
            let across = IVec2::ONE - out.abs();
            let depth = self.ends.dot(out.abs());
            let least = self.ends.dot(across).max(width + 3);
            let before = self.run(at + out - across, -across, least, true);
            let after = self.run(at + out + across, across, least, true);
            self.run(at, out, depth, true) == depth && before + 1 + after >= least
        })
    }

    /// Returns the number of pixels of the own kind (or of the other) from `at` on, at most `most`. Pixels
    /// outside the picture are solid; a negative coordinate becomes one beyond the picture.
    fn run(&self, at: IVec2, way: IVec2, most: i32, is_own: bool) -> i32 {
        let places = (0..most).map(|by| at + way * by);
        let pixels = places.map(|at| self.mask.get(at.x as u32, at.y as u32).unwrap_or(true));
        pixels.take_while(|is_solid| (*is_solid == self.is_solid) == is_own).count() as i32
    }

    /// Returns the pixels of the own kind beside a line that are not thin, as one list for each group of
    /// neighbours.
    fn ends_of(&self, area: Aabb, pixels: &[IVec2]) -> Result<Vec<Vec<IVec2>>, TooComplex> {
        let origin = area.min - 1;
        let size = area.size() + 2;
        let mut beside = Grid::new(size.x, size.y).map_err(|_| TooComplex)?;
        for by in (-1..2).flat_map(|y| (-1..2).map(move |x| IVec2::new(x, y))) {
            for at in pixels.iter().map(|at| *at + by) {
                let [x, y] = [at.x as u32, at.y as u32];
                if self.mask.get(x, y) == Some(self.is_solid) && !self.thin.is_solid(x, y) {
                    let place = (at - origin).as_uvec2();
                    beside.set(place.x, place.y, true).map_err(|_| TooComplex)?;
                }
            }
        }
        groups(&beside, origin)
    }
}
