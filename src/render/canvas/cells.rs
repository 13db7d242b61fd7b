//! Finds the pixels that show a set of cells, and their colours inside the set and along its edge. This
//! module draws nothing. Rows of pixels are rows of bits, and shifts find the lines along the edge. The cost
//! is proportional to the pixels of the picture divided by 64. It does not depend on the number of cells.

use std::ops::Range;

use glam::{DVec2, I64Vec2, UVec2};
use image::Rgba;

use super::super::picture::{Ink, clearer};
use crate::geometry::Dir;
use crate::terrain::Terrain;

/// The drawn region of a level's picture, and the mapping from its pixels to the level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellsView {
    /// The top-left pixel of the region, counted from the corner of the whole picture.
    pub(crate) corner: I64Vec2,
    pub(crate) size: UVec2,
    pub(crate) to_level: ToLevel,
}

/// The mapping from pixels of the whole picture to points of the level.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ToLevel {
    /// The level is not slanted. The value is the side of the square that shows one pixel of the level, in
    /// pixels of the picture.
    Upright(u32),
    /// The level is slanted. The value has the level's point at the middle of the picture's pixel (0, 0),
    /// then the steps in the level for one pixel to the right and for one pixel down.
    Slanted([DVec2; 3]),
}

/// The part of a set of cells in which a pixel lies. Two lines run along the inside of the set's edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellPart {
    /// The pixel is farther from the edge of the set than both lines.
    Inner,
    /// The pixel is on the outer line, along the edge of the set.
    Edge,
    /// The pixel is on the inner of the two lines.
    SecondLine,
    /// The pixel is on the edge of a set that is too thin for a second line.
    Thin,
}

/// The number of rows of pixels for which [`CellPart`]s are found together. It is small, so that their bits
/// stay in the processor's cache.
const BAND: i64 = 256;

/// Calls `visit`, row by row, with each pixel in view that shows a solid cell, and with its [`CellPart`]. The
/// two lines along the edge of the set are `line` pixels wide each. The border of the level is not an edge.
/// O(n / 64 * `line` + v) for n pixels in view and v visited pixels; O(n) for a slanted view.
pub(crate) fn visit(
    view: &CellsView,
    terrain: &Terrain,
    line: u32,
    visit: &mut dyn FnMut(I64Vec2, CellPart),
) {
    let line = line.max(1);
    // Pixels within this distance of the view affect the lines in the view.
    let reach = 2 * i64::from(line);
    let rows = rows_seen(view, terrain);
    for top in rows.clone().step_by(BAND as usize) {
        let band = top..(top + BAND).min(rows.end);
        let [solid, open] =
            solid_and_open(view, terrain, band.start - reach..band.end + reach, reach);
        let near_open = open.grown(line);
        let far_open = near_open.grown(line);
        let mut second = solid.clone();
        second.bits.iter_mut().zip(&near_open.bits).for_each(|(word, near)| *word &= !near);
        let thick = second.grown(line);
        for y in band.clone() {
            let row = (y - band.start + reach) as usize * solid.words;
            for word in 0..solid.words {
                let mut rest = solid.bits[row + word];
                while rest != 0 {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    let x = word as i64 * 64 + i64::from(bit) - reach;
                    if !(0..i64::from(view.size.x)).contains(&x) {
                        continue;
                    }
                    let is_in = |set: &BitPlane| set.bits[row + word] >> bit & 1 != 0;
                    let part = if !is_in(&far_open) {
                        CellPart::Inner
                    } else if !is_in(&near_open) {
                        CellPart::SecondLine
                    } else if is_in(&thick) {
                        CellPart::Edge
                    } else {
                        CellPart::Thin
                    };
                    visit(I64Vec2::new(view.corner.x + x, y), part);
                }
            }
        }
    }
}

/// A set of pixels, as rows of bits.
#[derive(Clone)]
struct BitPlane {
    words: usize,
    bits: Vec<u64>,
}

impl BitPlane {
    /// The pixels within `distance` columns and rows of a pixel of this set.
    fn grown(&self, distance: u32) -> Self {
        let mut bits = self.bits.clone();
        for row in bits.chunks_exact_mut(self.words) {
            for _ in 0..distance {
                let mut before = 0;
                for at in 0..self.words {
                    let (word, next) = (row[at], row.get(at + 1).copied().unwrap_or(0));
                    row[at] |= word << 1 | before >> 63 | word >> 1 | next << 63;
                    before = word;
                }
            }
        }
        for _ in 0..distance {
            let rows = bits.clone();
            for (word, above) in bits.iter_mut().skip(self.words).zip(&rows) {
                *word |= above;
            }
            for (word, below) in bits.iter_mut().zip(rows.iter().skip(self.words)) {
                *word |= below;
            }
        }
        Self { words: self.words, bits }
    }
}

/// The rows of the picture that are in view and can show solid cells of `terrain`.
fn rows_seen(view: &CellsView, terrain: &Terrain) -> Range<i64> {
    let grid = terrain.grid();
    let top = view.corner.y;
    let end = top + i64::from(view.size.y);
    let first = |dir| grid.first_solid(dir, 0..grid.width(), 0..grid.height());
    let (Some(first), Some(last)) = (first(Dir::Down), first(Dir::Up)) else {
        return top..top;
    };
    match view.to_level {
        ToLevel::Slanted(_) => top..end,
        ToLevel::Upright(scale) => {
            let side = i64::from(terrain.cell_size().y) * i64::from(scale);
            let (first, last) = (i64::from(first.y) * side, (i64::from(last.y) + 1) * side);
            first.max(top)..last.min(end).max(first.max(top))
        }
    }
}

/// Returns two sets: the solid pixels in `rows`, and the passable pixels inside the level. Each set extends
/// `margin` pixels beyond the view to the left and right.
fn solid_and_open(
    view: &CellsView,
    terrain: &Terrain,
    rows: Range<i64>,
    margin: i64,
) -> [BitPlane; 2] {
    let (grid, cell) = (terrain.grid(), terrain.cell_size());
    let left = view.corner.x - margin;
    let words = (view.size.x as usize + 2 * margin as usize).div_ceil(64);
    let mut solid = BitPlane { words, bits: vec![0; words * (rows.end - rows.start) as usize] };
    let mut open = solid.clone();
    let planes = solid.bits.chunks_exact_mut(words).zip(open.bits.chunks_exact_mut(words));
    for (y, (solid, open)) in rows.zip(planes) {
        match view.to_level {
            ToLevel::Upright(scale) => {
                let [side, height] =
                    [cell.x, cell.y].map(|side| i64::from(side) * i64::from(scale));
                let row = u32::try_from(y.div_euclid(height)).ok();
                let Some(row) = row.filter(|row| *row < grid.height()) else {
                    continue;
                };
                let end = left + words as i64 * 64;
                let columns = left.div_euclid(side).max(0)
                    ..((end - 1).div_euclid(side) + 1).min(grid.width().into());
                set(open, columns.start * side - left..columns.end * side - left);
                for column in columns.step_by(64) {
                    let mut word = grid.row_word(column, row);
                    let mut at = column;
                    while word != 0 {
                        let skipped = word.trailing_zeros();
                        word >>= skipped;
                        let length = word.trailing_ones();
                        at += i64::from(skipped);
                        set(solid, at * side - left..(at + i64::from(length)) * side - left);
                        at += i64::from(length);
                        word = if length == 64 { 0 } else { word >> length };
                    }
                }
                open.iter_mut().zip(&*solid).for_each(|(open, solid)| *open &= !solid);
            }
            ToLevel::Slanted([origin, right, down]) => {
                let cell = cell.as_dvec2();
                let start = (origin + down * y as f64) / cell;
                let (step, size) = (right / cell, grid.size().as_dvec2());
                for index in 0..words * 64 {
                    let at = (start + step * (left + index as i64) as f64).floor();
                    if at.cmpge(DVec2::ZERO).all() && at.cmplt(size).all() {
                        let is_solid = grid.is_solid(at.x as u32, at.y as u32);
                        let row = if is_solid { &mut *solid } else { &mut *open };
                        row[index / 64] |= 1 << (index % 64);
                    }
                }
            }
        }
    }
    [solid, open]
}

fn set(bits: &mut [u64], range: Range<i64>) {
    let end = range.end.min(bits.len() as i64 * 64);
    let mut at = range.start.max(0);
    while at < end {
        let (word, place) = ((at / 64) as usize, at % 64);
        let count = (end - at).min(64 - place);
        bits[word] |= (u64::MAX >> (64 - count)) << place;
        at += count;
    }
}

/// The colours of areas: the palette of Okabe and Ito, which colour-blind people can distinguish. Two of its
/// colours are left out: black, and the red that is close to the red of solids.
const AREAS: [Ink; 6] = [
    Ink::new(0, 114, 178),
    Ink::new(230, 159, 0),
    Ink::new(0, 158, 115),
    Ink::new(204, 121, 167),
    Ink::new(86, 180, 233),
    Ink::new(240, 228, 66),
];

/// The colour and hatching of a set of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) ink: Ink,
    hatch: Hatch,
    tint: u8,
}

/// The hatching of a set of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hatch {
    Rising,
    Falling,
    Level,
    Upright,
    Dots,
    Squares,
    Wide,
}

/// The hatchings of areas. Rising lines are left out, because they mark solids.
const HATCHES: [Hatch; 6] =
    [Hatch::Falling, Hatch::Level, Hatch::Upright, Hatch::Dots, Hatch::Squares, Hatch::Wide];

impl Pattern {
    pub(crate) const SOLID: Self = Self::striped(Ink::new(255, 32, 72));

    pub(super) const fn striped(ink: Ink) -> Self {
        Self { ink, hatch: Hatch::Rising, tint: 72 }
    }

    /// The pattern of the area `index`. The first 36 areas have different patterns.
    pub(crate) fn area(index: usize) -> Self {
        let turn = index / AREAS.len();
        let hatch = HATCHES[(index + turn) % HATCHES.len()];
        Self { ink: AREAS[index % AREAS.len()], hatch, tint: 40 }
    }

    /// The ink for `pixel`, which is in the part `part` of a set of cells. `below` is the pixel's colour in
    /// the picture.
    pub(crate) fn at(&self, pixel: I64Vec2, part: CellPart, below: Rgba<u8>) -> Ink {
        match part {
            CellPart::Edge => Ink::DARK,
            CellPart::SecondLine => self.ink,
            CellPart::Thin => clearer(below, [self.ink, Ink::DARK]),
            CellPart::Inner => self.inside(pixel),
        }
    }

    /// The ink of a pixel away from the edge: a hatching line, the line's shadow, or the tint between lines.
    /// The shadow keeps the lines visible on art of the same colour.
    pub(crate) fn inside(&self, I64Vec2 { x, y }: I64Vec2) -> Ink {
        let far = |sum: i64, period: i64, width: i64| match sum.rem_euclid(period) {
            place if place < width => 2,
            place if place == width => 1,
            _ => 0,
        };
        let strength = match self.hatch {
            Hatch::Rising => far(x + y, 8, 2),
            Hatch::Falling => far(x - y, 8, 1),
            Hatch::Wide => far(x - y, 16, 2),
            Hatch::Level => far(y, 6, 1),
            Hatch::Upright => far(x, 6, 1),
            Hatch::Dots => far(x, 6, 2).min(far(y, 6, 2)),
            Hatch::Squares => far(x, 10, 1).max(far(y, 10, 1)),
        };
        match strength {
            2 => self.ink.with_alpha(if self.hatch == Hatch::Rising { 150 } else { 220 }),
            1 => Ink::DARK.with_alpha(84),
            _ => self.ink.with_alpha(self.tint),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;

    /// Draws the level in `text` as letters, with lines of width `line`: `x` for inner pixels, `e` for the
    /// edge, `s` for the second line, `t` for a thin edge, `.` for other pixels. Panics if a picture of a
    /// region differs from the whole picture.
    fn parts(text: &str, scale: u32, line: u32) -> String {
        let grid = Grid::from_text(text).unwrap();
        let size = grid.size() * scale;
        let terrain = Terrain::new(grid, UVec2::ONE).unwrap();
        let whole = CellsView { corner: I64Vec2::ZERO, size, to_level: ToLevel::Upright(scale) };
        let mut rows = vec![vec!['.'; size.x as usize]; size.y as usize];
        visit(&whole, &terrain, line, &mut |at, part| {
            rows[at.y as usize][at.x as usize] = match part {
                CellPart::Inner => 'x',
                CellPart::Edge => 'e',
                CellPart::SecondLine => 's',
                CellPart::Thin => 't',
            };
        });
        // Each region must have the same pixels as the whole picture.
        for corner in [I64Vec2::new(1, 2), I64Vec2::new(3, 1)] {
            let size = (size.as_i64vec2() - corner - I64Vec2::ONE).as_uvec2();
            let view = CellsView { corner, size, ..whole };
            let mut count = 0;
            visit(&view, &terrain, line, &mut |at, part| {
                let letter = match part {
                    CellPart::Inner => 'x',
                    CellPart::Edge => 'e',
                    CellPart::SecondLine => 's',
                    CellPart::Thin => 't',
                };
                assert_eq!(rows[at.y as usize][at.x as usize], letter, "{at}");
                count += 1;
            });
            let inside = |y: usize| &rows[y][corner.x as usize..][..size.x as usize];
            let rows = corner.y as usize..corner.y as usize + size.y as usize;
            let expected = rows.flat_map(inside).filter(|letter| **letter != '.').count();
            assert_eq!(count, expected);
        }
        let lines: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        lines.join("\n")
    }

    #[test]
    fn outlines_run_along_solids_and_not_along_the_border_of_the_level() {
        let block = "\
........
.######.
.######.
.######.
.######.
.######.
......##";
        let lines = "\
........
.eeeeee.
.esssse.
.esxxse.
.esssse.
.eeeeee.
......tt";
        assert_eq!(parts(block, 1, 1), lines);
        assert_eq!(parts("######\n######\n######\n......", 1, 1), "xxxxxx\nssssss\neeeeee\n......");
    }

    #[test]
    fn solids_too_thin_for_two_edge_lines_get_one_thin_line() {
        assert_eq!(parts("......\n.#.##.\n.#.##.\n......", 1, 1), "......\n.t.tt.\n.t.tt.\n......");
        let large = parts(".....\n..#..\n.....", 6, 2);
        assert!(large.contains("eeeeee") && large.contains("eessee") && !large.contains('t'));
        assert!(!parts(".....\n..#..\n.....", 4, 2).contains('e'));
    }

    #[test]
    fn edge_lines_of_a_row_continue_across_words_of_64_pixels() {
        let text = format!("{0}\n.{1}.\n.{1}.\n.{1}.\n{0}", ".".repeat(202), "#".repeat(200));
        let shown = parts(&text, 1, 1);
        let row = format!(".e{}e.", "s".repeat(198));
        assert!(shown.lines().any(|line| line == row), "{shown}");
    }
}
