//! Finds hairlines: lines of one or two pixels in a mask whose walls and ways are much wider. A passable line
//! is a gap through a wall; a solid one closes a way.
//!
//! The smallest widths come from the mask itself. None was fitted to a project: the rules that use this module
//! state how many lines were found in the masks of each, and that none was found in the clean ones.

use std::collections::BTreeSet;
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
    /// The mean width of the line in pixels, rounded up.
    pub(in crate::lint) width: i32,
}

impl Hairline {
    /// Returns the number of pixels between the two parts that the line joins.
    pub(in crate::lint) fn length(&self) -> i32 {
        self.area.size().max_element() as i32
    }
}

/// Finds the hairlines of a mask: the solid ones of one pixel, or the passable ones of at most two.
///
/// A hairline joins two parts of its own kind, and becomes wide at once where it ends. Along more than half of
/// it, the other kind is wide on both sides. Wide is an eighth of the [usual](Runs::usual) width in this mask, from
/// 3 to 5 pixels. If there are `bodies`, given by width and height, a way is wide if the smallest fits in it,
/// and a gap in which it fits is no hairline.
///
/// Empty if the walls or ways are usually less than four pixels wide, for a picture of less than 4,096 pixels,
/// and with more than 24 hairlines. Those in evenly spaced lines, such as a fence, are left out. O(words +
/// runs). Fails for a picture with more runs than [`components`] takes.
pub(in crate::lint) fn hairlines(
    mask: &Grid,
    is_solid: bool,
    bodies: &[UVec2],
) -> Result<Vec<Hairline>, TooComplex> {
    if mask.cell_count() < LEAST_PIXELS {
        return Ok(Vec::new());
    }
    let walls = Runs::of(mask, CellKind::Solid)?;
    let ways = Runs::of(mask, CellKind::Passable)?;
    let usual = [&walls, &ways].map(Runs::usual);
    if usual.contains(&0) {
        return Ok(Vec::new());
    }
    let [wall, way] = usual.map(|usual| IVec2::splat((usual / 8).clamp(3, 5)));
    let smallest = bodies.iter().min_by_key(|body| u64::from(body.x) * u64::from(body.y));
    let way = smallest.map_or(way, |body| body.as_ivec2());
    let search = if is_solid {
        Search { mask, is_solid, thin: walls.thin(mask, 1)?, ends: wall, sides: way }
    } else {
        Search { mask, is_solid, thin: ways.thin(mask, 2)?, ends: way, sides: wall }
    };
    let mut found = search.lines()?;
    found.retain(|line| search.is_hairline(line));
    if found.len() > MOST_SPECKS {
        return Ok(Vec::new());
    }
    found.sort_by_key(|line| (line.area.min.y, line.area.min.x));
    let lines: Vec<_> = found.iter().map(|line| (line.area.min, line.area.size())).collect();
    let mut in_line = in_lines(&lines).into_iter();
    found.retain(|_| !in_line.next().unwrap_or_default());
    Ok(found)
}

/// The runs of one kind of pixels in the rows and in the columns of a mask: the row or column, and the pixels
/// in it.
struct Runs([Vec<(u32, Range<u32>)>; 2]);

impl Runs {
    fn of(mask: &Grid, kind: CellKind) -> Result<Self, TooComplex> {
        let rows = components(mask, kind, Connectivity::Four)?;
        let columns = components(&mask.transposed(), kind, Connectivity::Four)?;
        Ok(Self(
            [rows, columns]
                .map(|parts| parts.runs().map(|(line, pixels, _)| (line, pixels)).collect()),
        ))
    }

    /// Returns the median length. 0 if it is below four, so that no line of the mask is a hairline.
    fn usual(&self) -> i32 {
        let mut lengths: Vec<usize> = self.0.iter().flatten().map(|(_, run)| run.len()).collect();
        lengths.sort_unstable();
        let middle = lengths.get(lengths.len() / 2).copied().unwrap_or_default() as i32;
        if middle < LEAST_USUAL { 0 } else { middle }
    }

    /// Returns the pixels in runs of at most `width` pixels. A run at the edge of the mask counts as longer.
    fn thin(&self, mask: &Grid, width: usize) -> Result<Grid, TooComplex> {
        let size = mask.size();
        let mut thin = Grid::new(size.x, size.y).map_err(|_| TooComplex)?;
        for (runs, end) in self.0.iter().zip(size.to_array()) {
            let is_column = !std::ptr::eq(runs, &self.0[0]);
            for (line, run) in runs {
                if run.len() > width || run.start == 0 || run.end == end {
                    continue;
                }
                let line = *line..*line + 1;
                let [columns, rows] =
                    if is_column { [line, run.clone()] } else { [run.clone(), line] };
                thin.fill(columns, rows, true).map_err(|_| TooComplex)?;
            }
        }
        Ok(thin)
    }
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
    /// Returns the connected thin pixels.
    fn lines(&self) -> Result<Vec<Hairline>, TooComplex> {
        let parts = components(&self.thin, CellKind::Solid, Connectivity::Eight)?;
        let mut lines = Vec::new();
        for part in parts.parts() {
            let width = part.size.div_ceil(part.area.size().max_element().into()) as i32;
            lines.push(Hairline { area: part.area, pixels: Vec::new(), width });
        }
        for (row, columns, part) in parts.runs() {
            let pixels = columns.map(|column| UVec2::new(column, row).as_ivec2());
            lines[part].pixels.extend(pixels);
        }
        Ok(lines)
    }

    fn is_hairline(&self, line: &Hairline) -> bool {
        // The way that a wall closes has room for a body. A gap has none.
        let room = if self.is_solid { self.sides.min_element() } else { 0 };
        let is_way = !self.is_solid && line.width >= self.ends.min_element();
        // The space between two round corners is no longer than twice its width.
        if is_way || line.length() < room.max(line.width * 2 + 1) {
            return false;
        }
        let ends = self.ends_of(line);
        let beside = line.pixels.iter().filter(|at| self.has_sides(**at)).count();
        (ends.len() == 2 || self.is_solid && ends.len() > 2)
            && ends.iter().all(|end| end.iter().any(|at| self.is_wide(*at, line)))
            && beside * 2 > line.pixels.len()
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

    /// True if the own kind becomes wide at once at the pixel `at`, where a line ends. Where two round walls
    /// nearly touch, the space between them becomes wide slowly.
    fn is_wide(&self, at: IVec2, line: &Hairline) -> bool {
        Dir::ALL.into_iter().any(|dir| {
            let out = dir.vector();
            let across = IVec2::ONE - out.abs();
            let depth = self.ends.dot(out.abs());
            let least = self.ends.dot(across).max(line.width + 3);
            let before = self.run(at + out - across, -across, least, true);
            let after = self.run(at + out + across, across, least, true);
            self.run(at, out, depth, true) == depth && before + 1 + after >= least
        })
    }

    /// Returns the number of pixels of the own kind (or of the other) from `at` on, at most `most`. Pixels
    /// outside the picture are solid.
    fn run(&self, at: IVec2, way: IVec2, most: i32, is_own: bool) -> i32 {
        let mut count = 0;
        while count < most {
            let is_solid = self.get(at + way * count).unwrap_or(true);
            if (is_solid == self.is_solid) != is_own {
                break;
            }
            count += 1;
        }
        count
    }

    fn get(&self, at: IVec2) -> Option<bool> {
        let [x, y] = [u32::try_from(at.x).ok()?, u32::try_from(at.y).ok()?];
        self.mask.get(x, y)
    }

    /// Returns the pixels of the own kind beside a line that are not thin, as one list for each group of
    /// neighbours.
    fn ends_of(&self, line: &Hairline) -> Vec<Vec<IVec2>> {
        let mut beside = BTreeSet::new();
        for at in line.pixels.iter().flat_map(|at| around(*at)) {
            let is_own = self.get(at) == Some(self.is_solid);
            if is_own && !self.thin.is_solid(at.x as u32, at.y as u32) {
                beside.insert(at.to_array());
            }
        }
        let mut groups = Vec::new();
        while let Some(first) = beside.pop_first() {
            let mut group = vec![IVec2::from_array(first)];
            let mut next = 0;
            while let Some(at) = group.get(next).copied() {
                group.extend(around(at).filter(|at| beside.remove(&at.to_array())));
                next += 1;
            }
            groups.push(group);
        }
        groups
    }
}

/// Yields a pixel and its eight neighbours.
fn around(at: IVec2) -> impl Iterator<Item = IVec2> {
    (-1..2).flat_map(move |y| (-1..2).map(move |x| at + IVec2::new(x, y)))
}
