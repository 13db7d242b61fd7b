//! A set of cells as the picture shows it: the pixels in the set, those of them that lie along its edge,
//! and the look of both. Nothing is drawn here.
//!
//! The rows of the picture are rows of bits, and the lines along the edge come from them by shifts. So the
//! cost goes with the pixels of the picture divided by 64, whatever the number of cells.

use std::collections::VecDeque;
use std::ops::Range;

use glam::{DVec2, I64Vec2, UVec2};
use image::Rgba;

use super::super::picture::{Ink, clearer};
use crate::geometry::Dir;
use crate::grid::Grid;
use crate::terrain::Terrain;

/// The part of a level's picture that is drawn, and the way from its pixels to those of the level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellsView {
    /// The first pixel, from the corner of the level's whole picture.
    pub(crate) corner: I64Vec2,
    /// The pixels drawn.
    pub(crate) size: UVec2,
    pub(crate) to_level: ToLevel,
}

/// The way from pixels of the picture to those of the level.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ToLevel {
    /// Each pixel of the level is a square of this side.
    Upright(u32),
    /// The point of the level in the middle of the picture's pixel (0, 0), and the steps of a pixel to the
    /// right and down.
    Slanted([DVec2; 3]),
}

/// The place of a pixel in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellPart {
    /// Away from the edge.
    Inner,
    /// On the line along the edge.
    Edge,
    /// On the second line, inside the first.
    SecondLine,
    /// On the edge of a part that is too thin for a second line.
    Thin,
}

/// Visits the pixels in view that show solid cells of `terrain`, row by row, with their place in the set. A
/// line is `line` pixels wide. The border of the level is no edge. O(pixels in view / 64 x `line` + pixels
/// visited); for a slanted view O(pixels in view).
pub(crate) fn visit(
    view: &CellsView,
    terrain: &Terrain,
    line: u32,
    mut visit: impl FnMut(I64Vec2, CellPart),
) {
    let line = line.max(1) as usize;
    let mut source = BitRows::new(view, terrain, 2 * line);
    let rows = source.rows();
    let (mut rings, mut kept) = (VecDeque::new(), VecDeque::new());
    let reach = 2 * line as i64;
    for below in rows.start - reach..rows.end + reach {
        let (solid, filled) = source.row(below);
        let (near, far) = (eroded(&filled, line), eroded(&filled, 2 * line));
        rings.push_back(Ring { solid, near, far });
        if rings.len() > 4 * line + 1 {
            rings.pop_front();
        }
        // The row `line` above the last one: the rows around it are known.
        if let Some(middle) = rings.len().checked_sub(line + 1).map(|at| &rings[at]) {
            let around = rings.iter().rev().take(2 * line + 1);
            let core = all(around.map(|ring| &ring.near), middle.solid.len());
            let solid = core.iter().zip(&middle.solid).map(|(core, solid)| core & solid);
            let grown = dilated(&solid.collect::<Vec<u64>>(), line);
            kept.push_back((core, grown));
            if kept.len() > 2 * line + 1 {
                kept.pop_front();
            }
        }
        let y = below - reach;
        if rings.len() <= 4 * line || !rows.contains(&y) {
            continue;
        }
        let words = rings[2 * line].solid.len();
        let far = all(rings.iter().map(|ring| &ring.far), words);
        let core = &kept[kept.len() - 1 - line].0;
        let thick = any(kept.iter().map(|(_, grown)| grown), words);
        let solid = &rings[2 * line].solid;
        for word in 0..words {
            let mut rest = solid[word];
            while rest != 0 {
                let bit = rest.trailing_zeros();
                let is_in = |set: &[u64]| set[word] >> bit & 1 != 0;
                let part = match (is_in(&far), is_in(core), is_in(&thick)) {
                    (true, ..) => CellPart::Inner,
                    (_, true, _) => CellPart::SecondLine,
                    (.., true) => CellPart::Edge,
                    _ => CellPart::Thin,
                };
                rest &= rest - 1;
                let x = word as i64 * 64 + i64::from(bit) - source.margin as i64;
                if (0..i64::from(view.size.x)).contains(&x) {
                    visit(I64Vec2::new(view.corner.x + x, y), part);
                }
            }
        }
    }
}

/// A row: its solid pixels, and those of it that are this far from a passable one in the row.
struct Ring {
    solid: Vec<u64>,
    near: Vec<u64>,
    far: Vec<u64>,
}

/// The rows of bits of a set of cells.
struct BitRows<'t> {
    view: CellsView,
    grid: &'t Grid,
    cell: UVec2,
    /// The pixels left and right of the view that are known too.
    margin: usize,
    /// The last row of cells of an upright view, with its bits.
    last: Option<(u32, Vec<u64>)>,
}

impl<'t> BitRows<'t> {
    fn new(view: &CellsView, terrain: &'t Terrain, margin: usize) -> Self {
        let (grid, cell) = (terrain.grid(), terrain.cell_size());
        Self { view: *view, grid, cell, margin, last: None }
    }

    /// The rows of the picture, in view, that can show solid cells.
    fn rows(&self) -> Range<i64> {
        let top = self.view.corner.y;
        let end = top + i64::from(self.view.size.y);
        let first = |dir| self.grid.first_solid(dir, 0..self.grid.width(), 0..self.grid.height());
        let (Some(first), Some(last)) = (first(Dir::Down), first(Dir::Up)) else {
            return top..top;
        };
        match self.view.to_level {
            ToLevel::Slanted(_) => top..end,
            ToLevel::Upright(scale) => {
                let side = i64::from(self.cell.y) * i64::from(scale);
                let (first, last) = (i64::from(first.y) * side, (i64::from(last.y) + 1) * side);
                first.max(top)..last.min(end).max(first.max(top))
            }
        }
    }

    fn words(&self) -> usize {
        (self.view.size.x as usize + 2 * self.margin).div_ceil(64)
    }

    /// The solid pixels of a row, and these with all that lies outside the level.
    fn row(&mut self, y: i64) -> (Vec<u64>, Vec<u64>) {
        match self.view.to_level {
            ToLevel::Upright(scale) => self.upright_row(y, i64::from(scale)),
            ToLevel::Slanted(steps) => self.slanted_row(y, steps),
        }
    }

    fn upright_row(&mut self, y: i64, scale: i64) -> (Vec<u64>, Vec<u64>) {
        let words = self.words();
        let row = y.div_euclid(i64::from(self.cell.y) * scale);
        let Some(row) = u32::try_from(row).ok().filter(|row| *row < self.grid.height()) else {
            return (vec![0; words], vec![u64::MAX; words]);
        };
        let side = i64::from(self.cell.x) * scale;
        let left = self.view.corner.x - self.margin as i64;
        if self.last.as_ref().is_none_or(|(known, _)| *known != row) {
            let mut bits = vec![0; words];
            let end = left + words as i64 * 64;
            let columns = left.div_euclid(side)..(end - 1).div_euclid(side) + 1;
            let columns = columns.start.max(0)..columns.end.min(self.grid.width().into());
            for column in columns.step_by(64) {
                let mut word = self.grid.row_word(column, row);
                let mut at = column;
                while word != 0 {
                    let skipped = word.trailing_zeros();
                    word >>= skipped;
                    let length = word.trailing_ones();
                    at += i64::from(skipped);
                    let run = at * side - left..(at + i64::from(length)) * side - left;
                    set(&mut bits, run);
                    at += i64::from(length);
                    word = if length == 64 { 0 } else { word >> length };
                }
            }
            self.last = Some((row, bits));
        }
        let solid = self.last.as_ref().map_or(Vec::new(), |(_, bits)| bits.clone());
        let mut filled = solid.clone();
        set(&mut filled, 0..-left);
        set(&mut filled, i64::from(self.grid.width()) * side - left..words as i64 * 64);
        (solid, filled)
    }

    fn slanted_row(&self, y: i64, [origin, right, down]: [DVec2; 3]) -> (Vec<u64>, Vec<u64>) {
        let words = self.words();
        let (mut solid, mut filled) = (vec![0; words], vec![0; words]);
        let left = self.view.corner.x - self.margin as i64;
        let cell = self.cell.as_dvec2();
        let start = (origin + down * y as f64) / cell;
        let (step, size) = (right / cell, self.grid.size().as_dvec2());
        for index in 0..words * 64 {
            let at = (start + step * (left + index as i64) as f64).floor();
            let bit = 1 << (index % 64);
            if at.cmplt(DVec2::ZERO).any() || at.cmpge(size).any() {
                filled[index / 64] |= bit;
            } else if self.grid.is_solid(at.x as u32, at.y as u32) {
                solid[index / 64] |= bit;
                filled[index / 64] |= bit;
            }
        }
        (solid, filled)
    }
}

/// Sets a range of bits; the part beyond the ends is left out.
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

/// The bits that have only set ones within `distance` on both sides. Beyond the ends bits are clear.
fn eroded(bits: &[u64], distance: usize) -> Vec<u64> {
    let mut found = bits.to_vec();
    for _ in 0..distance {
        found = shifted(&found, |bit, before, after| bit & before & after);
    }
    found
}

/// The bits within `distance` of a set one.
fn dilated(bits: &[u64], distance: usize) -> Vec<u64> {
    let mut found = bits.to_vec();
    for _ in 0..distance {
        found = shifted(&found, |bit, before, after| bit | before | after);
    }
    found
}

/// Each bit joined with the one before and the one after it.
fn shifted(bits: &[u64], join: impl Fn(u64, u64, u64) -> u64) -> Vec<u64> {
    let word = |index: usize| bits.get(index).copied().unwrap_or(0);
    let joined = (0..bits.len()).map(|index| {
        let before = bits[index] << 1 | word(index.wrapping_sub(1)) >> 63;
        let after = bits[index] >> 1 | word(index + 1) << 63;
        join(bits[index], before, after)
    });
    joined.collect()
}

/// The bits that are set in all rows.
fn all<'r>(rows: impl Iterator<Item = &'r Vec<u64>>, words: usize) -> Vec<u64> {
    let mut found = vec![u64::MAX; words];
    rows.for_each(|row| found.iter_mut().zip(row).for_each(|(word, other)| *word &= other));
    found
}

/// The bits that are set in some row.
fn any<'r>(rows: impl Iterator<Item = &'r Vec<u64>>, words: usize) -> Vec<u64> {
    let mut found = vec![0; words];
    rows.for_each(|row| found.iter_mut().zip(row).for_each(|(word, other)| *word |= other));
    found
}

/// The colours of areas: those of Okabe and Ito, which the colour-blind can tell apart, without black and
/// without the red that is close to that of solids.
const AREAS: [Ink; 6] = [
    Ink::new(0, 114, 178),
    Ink::new(230, 159, 0),
    Ink::new(0, 158, 115),
    Ink::new(204, 121, 167),
    Ink::new(86, 180, 233),
    Ink::new(240, 228, 66),
];

/// The look of a set of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// Its colour at full strength.
    pub(crate) ink: Ink,
    hatch: Hatch,
    tint: u8,
}

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

/// The hatches of areas; rising lines are those of solids.
const HATCHES: [Hatch; 6] =
    [Hatch::Falling, Hatch::Level, Hatch::Upright, Hatch::Dots, Hatch::Squares, Hatch::Wide];

impl Pattern {
    /// Of solid cells.
    pub(crate) const SOLID: Self = Self::striped(Ink::new(255, 32, 72));

    /// Rising stripes of a colour.
    pub(super) const fn striped(ink: Ink) -> Self {
        Self { ink, hatch: Hatch::Rising, tint: 72 }
    }

    /// Of the area of this index; the first 36 differ.
    pub(crate) fn area(index: usize) -> Self {
        let turn = index / AREAS.len();
        let hatch = HATCHES[(index + turn) % HATCHES.len()];
        Self { ink: AREAS[index % AREAS.len()], hatch, tint: 40 }
    }

    /// The ink of a pixel of the set, which shows `below`.
    pub(crate) fn at(&self, pixel: I64Vec2, part: CellPart, below: Rgba<u8>) -> Ink {
        match part {
            CellPart::Edge => Ink::DARK,
            CellPart::SecondLine => self.ink,
            CellPart::Thin => clearer(below, [self.ink, Ink::DARK]),
            CellPart::Inner => self.inside(pixel),
        }
    }

    /// The tint, or the hatching with its shadow: a bright line is not visible on art of its colour.
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

    /// The parts of a level of pixels, `x` for an inner one, `e`, `s` and `t` for the others.
    fn parts(text: &str, scale: u32, line: u32) -> String {
        let grid = Grid::from_text(text).unwrap();
        let size = grid.size() * scale;
        let terrain = Terrain::new(grid, UVec2::ONE).unwrap();
        let whole = CellsView { corner: I64Vec2::ZERO, size, to_level: ToLevel::Upright(scale) };
        let mut rows = vec![vec!['.'; size.x as usize]; size.y as usize];
        visit(&whole, &terrain, line, |at, part| {
            rows[at.y as usize][at.x as usize] = match part {
                CellPart::Inner => 'x',
                CellPart::Edge => 'e',
                CellPart::SecondLine => 's',
                CellPart::Thin => 't',
            };
        });
        // Each part of the view is drawn as it is in the whole.
        for corner in [I64Vec2::new(1, 2), I64Vec2::new(3, 1)] {
            let size = (size.as_i64vec2() - corner - I64Vec2::ONE).as_uvec2();
            let view = CellsView { corner, size, ..whole };
            let mut count = 0;
            visit(&view, &terrain, line, |at, part| {
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
    fn lines_run_along_the_edge_but_not_along_the_border_of_the_level() {
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
    fn parts_without_room_for_two_lines_are_thin() {
        assert_eq!(parts("......\n.#.##.\n.#.##.\n......", 1, 1), "......\n.t.tt.\n.t.tt.\n......");
        let large = parts(".....\n..#..\n.....", 6, 2);
        assert!(large.contains("eeeeee") && large.contains("eessee") && !large.contains('t'));
        assert!(!parts(".....\n..#..\n.....", 4, 2).contains('e'));
    }

    #[test]
    fn wide_rows_keep_their_lines_across_words() {
        let text = format!("{0}\n.{1}.\n.{1}.\n.{1}.\n{0}", ".".repeat(202), "#".repeat(200));
        let shown = parts(&text, 1, 1);
        let row = format!(".e{}e.", "s".repeat(198));
        assert!(shown.lines().any(|line| line == row), "{shown}");
    }
}
