//! Paints sets of cells: a tint, a hatching, and two lines along the inside of the edge. The lines follow
//! from the distance of each pixel of the set to the nearest pixel beside it.

use glam::{DVec2, I64Vec2};
use image::Rgba;

use super::super::picture::{DARK, Rect, clearer, ink, over, with_alpha};
use super::Canvas;
use crate::geometry::Dir;
use crate::terrain::Terrain;

/// The side of the square blocks of pixels that are painted at a time. It is small, so that the distances
/// stay in the processor's cache.
const BLOCK: usize = 256;

impl Canvas<'_> {
    /// Paints the solid cells of `terrain`. The border of the level is not an edge. O(pixels).
    pub(super) fn paint_cells(&mut self, terrain: &Terrain, pattern: Pattern) {
        let Rect { min, max } = self.frame;
        for y in (min.y..max.y).step_by(BLOCK) {
            for x in (min.x..max.x).step_by(BLOCK) {
                let block = Rect::new(I64Vec2::new(x, y), I64Vec2::splat(BLOCK as i64));
                let block = block.intersection(self.frame);
                let (columns, rows) = self.cells_in(terrain, block);
                if terrain.grid().first_solid(Dir::Down, columns, rows).is_some() {
                    self.paint_block(terrain, pattern, block);
                }
            }
        }
    }

    fn paint_block(&mut self, terrain: &Terrain, pattern: Pattern, block: Rect) {
        let line = self.line_width().min(WIDEST) as u8;
        let reach = i64::from(2 * line);
        // Pixels within this distance of the block affect the lines in it.
        let around = block.grown(reach);
        let width = around.size().x as usize;
        let (solid, mut to_open) = self.sampled(terrain, around);
        spread(&mut to_open, width);
        let mut to_second: Vec<u8> = vec![FAR; solid.len()];
        for index in 0..solid.len() {
            if solid[index] && to_open[index] > line {
                to_second[index] = 0;
            }
        }
        spread(&mut to_second, width);
        for y in block.min.y..block.max.y {
            let row = (y - around.min.y) as usize * width + reach as usize;
            for x in block.min.x..block.max.x {
                let index = row + (x - block.min.x) as usize;
                if !solid[index] {
                    continue;
                }
                let at = I64Vec2::new(x, y);
                let unit = I64Vec2::splat(self.unit.into());
                let place = (at - self.frame.min).as_uvec2();
                let pixel = self.picture.get_pixel_mut(place.x, place.y);
                // A set too thin for two lines has one, in the ink that is more visible.
                let ink = if to_open[index] > 2 * line {
                    pattern.inside(at.div_euclid(unit))
                } else if to_open[index] > line {
                    pattern.ink
                } else if to_second[index] <= line {
                    DARK
                } else {
                    clearer(*pixel, [pattern.ink, DARK])
                };
                over(pixel, ink);
            }
        }
    }

    /// For each pixel in `area`, row by row: whether it shows a solid cell, and 0 if it shows a passable one
    /// of the level, otherwise [`FAR`].
    fn sampled(&self, terrain: &Terrain, area: Rect) -> (Vec<bool>, Vec<u8>) {
        let cell = terrain.cell_size().as_dvec2();
        let size = terrain.grid().size().as_dvec2();
        let origin = self.level_at(DVec2::new(0.5, 0.5)) / cell;
        let right = self.level_at(DVec2::new(1.5, 0.5)) / cell - origin;
        let down = self.level_at(DVec2::new(0.5, 1.5)) / cell - origin;
        let mut solid = vec![false; area.size().element_product() as usize];
        let mut to_open = vec![FAR; solid.len()];
        let mut index = 0;
        for y in area.min.y..area.max.y {
            let start = origin + down * y as f64;
            for x in area.min.x..area.max.x {
                let at = (start + right * x as f64).floor();
                if at.cmpge(DVec2::ZERO).all() && at.cmplt(size).all() {
                    solid[index] = terrain.grid().is_solid(at.x as u32, at.y as u32);
                    to_open[index] = FAR * u8::from(solid[index]);
                }
                index += 1;
            }
        }
        (solid, to_open)
    }
}

/// The widest line along an edge, in pixels, so that twice its width is less than [`FAR`].
const WIDEST: u32 = 64;
const FAR: u8 = 255;

/// Lowers each distance to that of the nearest pixel with the distance 0, in columns or rows, whichever are
/// more. A row is `width` pixels. At its two ends, distances are also those to the ends of the rows beside.
fn spread(distances: &mut [u8], width: usize) {
    let steps = [1, width - 1, width, width + 1];
    for index in 0..distances.len() {
        for step in steps {
            if let Some(before) = index.checked_sub(step) {
                distances[index] = distances[index].min(distances[before].saturating_add(1));
            }
        }
    }
    for index in (0..distances.len()).rev() {
        for step in steps {
            if let Some(after) = distances.get(index + step) {
                distances[index] = distances[index].min(after.saturating_add(1));
            }
        }
    }
}

/// The colours of areas: the palette of Okabe and Ito, which colour-blind people can distinguish. Two of its
/// colours are left out: black, and the red that is close to the red of solids.
const AREAS: [Rgba<u8>; 6] = [
    ink(0, 114, 178),
    ink(230, 159, 0),
    ink(0, 158, 115),
    ink(204, 121, 167),
    ink(86, 180, 233),
    ink(240, 228, 66),
];

/// The colour and hatching of a set of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) ink: Rgba<u8>,
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
    pub(super) const SOLID: Self = Self::striped(ink(255, 32, 72));

    pub(super) const fn striped(ink: Rgba<u8>) -> Self {
        Self { ink, hatch: Hatch::Rising, tint: 72 }
    }

    /// The pattern of the area `index`. The first 36 areas have different patterns.
    pub(super) fn area(index: usize) -> Self {
        let turn = index / AREAS.len();
        let hatch = HATCHES[(index + turn) % HATCHES.len()];
        Self { ink: AREAS[index % AREAS.len()], hatch, tint: 40 }
    }

    /// The ink of a pixel away from the edge: a hatching line, the line's shadow, or the tint between lines.
    /// The shadow keeps the lines visible on art of the same colour.
    pub(super) fn inside(self, I64Vec2 { x, y }: I64Vec2) -> Rgba<u8> {
        let strength = match self.hatch {
            Hatch::Rising => strength(x + y, 8, 2),
            Hatch::Falling => strength(x - y, 8, 1),
            Hatch::Wide => strength(x - y, 16, 2),
            Hatch::Level => strength(y, 6, 1),
            Hatch::Upright => strength(x, 6, 1),
            Hatch::Dots => strength(x, 6, 2).min(strength(y, 6, 2)),
            Hatch::Squares => strength(x, 10, 1).max(strength(y, 10, 1)),
        };
        match strength {
            2 if self.hatch == Hatch::Rising => with_alpha(self.ink, 150),
            2 => with_alpha(self.ink, 220),
            1 => with_alpha(DARK, 84),
            _ => with_alpha(self.ink, self.tint),
        }
    }
}

/// 2 on a hatching line of `width` pixels, 1 on its shadow, 0 between the lines. A line starts at each
/// multiple of `period`.
fn strength(at: i64, period: i64, width: i64) -> u8 {
    match at.rem_euclid(period) {
        place if place < width => 2,
        place if place == width => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use glam::UVec2;
    use image::RgbaImage;

    use super::super::super::picture::{DrawBudget, plain};
    use super::super::PicturePlan;
    use super::*;
    use crate::grid::Grid;

    const INK: Rgba<u8> = ink(255, 0, 0);

    /// Paints the region `frame` of a level that is enlarged `scale` times, on paper of this colour.
    fn painted(terrain: &Terrain, scale: u32, frame: Rect, paper: Rgba<u8>) -> RgbaImage {
        let picture = plain(frame.pixels(), paper).expect("it is small");
        let budget = DrawBudget::new(0, frame.pixels());
        let level = Rect::new(I64Vec2::ZERO, terrain.grid().size().as_i64vec2());
        let plan = PicturePlan { frame: level, enlarged: scale, reduced: None };
        let mut canvas = Canvas::new(picture, plan, level.pixels(), None, budget);
        canvas.frame = frame;
        canvas.paint_cells(terrain, Pattern::striped(INK));
        canvas.picture
    }

    /// Returns a letter for each pixel: `x` for inner pixels, `e` for the edge, `s` for the second line, `t`
    /// for a thin edge, `.` for other pixels. A thin edge is dark on red paper and red on blue paper.
    fn letters(terrain: &Terrain, scale: u32, frame: Rect) -> Vec<String> {
        let papers = [ink(250, 0, 0), ink(0, 0, 255)];
        let [red, blue] = papers.map(|paper| painted(terrain, scale, frame, paper));
        let rows = red.rows().zip(blue.rows()).map(|(red, blue)| {
            let pixels = red.zip(blue).map(|(red, blue)| match [*red, *blue] {
                [DARK, DARK] => 'e',
                [INK, INK] => 's',
                [DARK, INK] => 't',
                shown if shown == papers => '.',
                _ => 'x',
            });
            pixels.collect()
        });
        rows.collect()
    }

    /// The letters of a level in lines. Panics if a picture of a region differs from the whole picture.
    fn parts(text: &str, scale: u32) -> String {
        let grid = Grid::from_text(text).unwrap();
        let size = (grid.size() * scale).as_i64vec2();
        let terrain = Terrain::new(grid, UVec2::ONE).unwrap();
        let rows = letters(&terrain, scale, Rect::new(I64Vec2::ZERO, size));
        for corner in [I64Vec2::new(1, 2), I64Vec2::new(3, 1)] {
            let shown = letters(&terrain, scale, Rect { min: corner, max: size - 1 });
            for (y, row) in shown.iter().enumerate() {
                let whole = &rows[corner.y as usize + y][corner.x as usize..][..row.len()];
                assert_eq!(row, whole, "{corner}, row {y}");
            }
        }
        rows.join("\n")
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
        assert_eq!(parts(block, 1), lines);
        assert_eq!(parts("######\n######\n######\n......", 1), "xxxxxx\nssssss\neeeeee\n......");
    }

    #[test]
    fn solids_too_thin_for_two_edge_lines_get_one_thin_line() {
        assert_eq!(parts("......\n.#.##.\n.#.##.\n......", 1), "......\n.t.tt.\n.t.tt.\n......");
        let large = parts(".....\n..#..\n.....", 6);
        assert!(large.contains("eeeeee") && large.contains("eessee") && !large.contains('t'));
        assert!(!parts(".....\n..#..\n.....", 4).contains('e'));
    }

    #[test]
    fn edge_lines_of_a_row_continue_across_blocks_of_256_pixels() {
        let text = format!("{0}\n.{1}.\n.{1}.\n.{1}.\n{0}", ".".repeat(602), "#".repeat(600));
        let shown = parts(&text, 1);
        let row = format!(".e{}e.", "s".repeat(598));
        assert!(shown.lines().any(|line| line == row), "{shown}");
    }
}
