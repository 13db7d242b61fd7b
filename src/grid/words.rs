//! Rectangle tests over the words of a grid: whether a cell is solid, and the first one that an edge meets.
//!
//! Free functions over plain data: a grid, and ranges that are not empty and inside it. `lines` are the lines
//! across an axis (columns for x), `places` are positions along a line. No allocation, no outside, no pixels;
//! `sweep` converts a body in pixels into these ranges. A sparse grid has no words in its planes: the branch
//! for an absent plane asks its blocks.

use std::ops::Range;

use super::Grid;
use super::plane::{LANES, Plane, stripes};
use crate::geometry::{Axis, Dir};

/// A solid cell, by its line and its place on that line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) line: u32,
    pub(crate) place: u32,
}

/// True if a bit is set in the rectangle of the `lines` across `axis` and the `places` on them.
/// O(lines x words a line), along the axis with fewer lines.
#[inline(always)]
pub(crate) fn any_solid(grid: &Grid, axis: Axis, lines: Range<u32>, places: Range<u32>) -> bool {
    let plane = &grid.planes[axis.index()];
    let few = lines.end - lines.start <= LANES as u32 && places.end - places.start <= 64;
    if few && let Some(any) = any_in_few_lines(plane, &lines, &places) {
        return any;
    }
    any_solid_apart(grid, axis, lines, places)
}

/// [`any_solid`] for many lines or places, and for a grid without these lines.
fn any_solid_apart(grid: &Grid, axis: Axis, lines: Range<u32>, places: Range<u32>) -> bool {
    match &grid.sparse {
        Some(sparse) if grid.planes[axis.index()].is_absent() => {
            sparse.any_solid(axis, lines, places)
        }
        _ => any_in_many_lines(grid, axis, lines, places),
    }
}

/// True if one of 1 to [`LANES`] lines has a bit set in 1 to 64 `places`; `None` if the plane has no words.
///
/// It always reads [`LANES`] words of the first stripe and of the last one, which may be the same. A branch
/// on the number of lines or stripes would be slower, because the processor cannot predict the length of a
/// random step.
#[inline(always)]
fn any_in_few_lines(plane: &Plane, lines: &Range<u32>, places: &Range<u32>) -> Option<bool> {
    let (start, end) = (places.start, places.end - 1);
    let from = u64::MAX << (start % 64);
    let to = u64::MAX >> (63 - end % 64);
    let (from, to) = if start / 64 == end / 64 { (from & to, 0) } else { (from, to) };
    let words = plane.words();
    let keep = &KEEP[(lines.end - lines.start) as usize];
    let first = join(words, plane.word(lines.start, start), keep)?;
    let last = join(words, plane.word(lines.start, end), keep)?;
    Some((first & from) | (last & to) != 0)
}

/// Masks: `KEEP[count]` keeps the first `count` of [`LANES`] words and clears the rest. It is a table,
/// because the compiler makes branches of a comparison.
const KEEP: [[u64; LANES]; LANES + 1] = {
    let mut keep = [[0; LANES]; LANES + 1];
    let mut count = 1;
    while count <= LANES {
        keep[count] = keep[count - 1];
        keep[count][count - 1] = u64::MAX;
        count += 1;
    }
    keep
};

/// The bitwise or of the [`LANES`] words from `index` on, of which `keep` keeps some; `None` past the end.
#[inline(always)]
fn join(words: &[u64], index: usize, keep: &[u64; LANES]) -> Option<u64> {
    let lanes = words.get(index..index.wrapping_add(LANES))?;
    Some(lanes.iter().zip(keep).fold(0, |joined, (word, keep)| joined | (word & keep)))
}

/// [`any_solid`] for cells that are larger than pixels, of which a step covers few: mostly one line or two,
/// in one stripe. A processor can predict that, and two loads answer it.
#[inline(always)]
pub(crate) fn any_solid_cell(
    grid: &Grid,
    axis: Axis,
    lines: Range<u32>,
    places: Range<u32>,
) -> bool {
    let plane = &grid.planes[axis.index()];
    let (start, end) = (places.start, places.end - 1);
    if lines.end - lines.start > 2 || start / 64 != end / 64 || plane.is_absent() {
        return any_solid(grid, axis, lines, places);
    }
    let mask = (u64::MAX << (start % 64)) & (u64::MAX >> (63 - end % 64));
    let (words, stripe) = (plane.words(), plane.word(0, start));
    let word = |line: u32| words[stripe + line as usize];
    (word(lines.start) | word(lines.end - 1)) & mask != 0
}

fn any_in_many_lines(grid: &Grid, axis: Axis, lines: Range<u32>, places: Range<u32>) -> bool {
    let (line_count, place_count) = (lines.end - lines.start, places.end - places.start);
    let (plane, transposed) = (&grid.planes[axis.index()], &grid.planes[1 - axis.index()]);
    let turn = plane.is_absent() || (line_count > place_count && !transposed.is_absent());
    let (plane, lines, places) =
        if turn { (transposed, places, lines) } else { (plane, lines, places) };
    stripes(&places).any(|(stripe, mask)| {
        let start = plane.word(lines.start, stripe * 64);
        let words = &plane.words()[start..start + (lines.end - lines.start) as usize];
        // All words of a chunk before a branch: the compiler makes vectors of them.
        words
            .chunks(CHUNK)
            .any(|words| words.iter().fold(0, |joined, word| joined | word) & mask != 0)
    })
}

/// The words that are joined before a test where there are many.
const CHUNK: usize = 64;

/// The first bit of the rectangle `lines` x `places` that an edge meets as it moves over the lines toward
/// `dir`; on that line, the lowest place. O(lines x words a line), along the axis with fewer lines.
pub(crate) fn first_solid(
    grid: &Grid,
    dir: Dir,
    lines: Range<u32>,
    places: Range<u32>,
) -> Option<Hit> {
    let (line_count, place_count) = (lines.end - lines.start, places.end - places.start);
    let axis = dir.axis().index();
    let (plane, transposed) = (&grid.planes[axis], &grid.planes[1 - axis]);
    if plane.is_absent()
        && let Some(sparse) = &grid.sparse
    {
        return sparse.first_solid(dir, lines, places);
    }
    if line_count <= LANES as u32 && place_count <= 64 && !plane.is_absent() {
        return first_in_few_lines(plane, dir, lines, places);
    }
    let many = line_count > LANES as u32 && line_count > place_count;
    if plane.is_absent() || (many && !transposed.is_absent()) {
        return first_by_places(transposed, dir, lines, places);
    }
    let hit = |line| {
        let place = first_bit(plane, line, &places)?;
        Some(Hit { line, place })
    };
    if dir.is_positive() { lines.into_iter().find_map(hit) } else { lines.rev().find_map(hit) }
}

/// As [`first_solid`], for 1 to [`LANES`] lines and 1 to 64 places, in one stripe or in two.
fn first_in_few_lines(
    plane: &Plane,
    dir: Dir,
    lines: Range<u32>,
    places: Range<u32>,
) -> Option<Hit> {
    let (start, end) = (places.start, places.end - 1);
    let (from, to) = (u64::MAX << (start % 64), u64::MAX >> (63 - end % 64));
    let (from, to) = if start / 64 == end / 64 { (from & to, 0) } else { (from, to) };
    let words = plane.words();
    let hit = |line| {
        let first = words[plane.word(line, start)] & from;
        let last = words[plane.word(line, end)] & to;
        let place = match first {
            0 if last == 0 => return None,
            0 => (end & !63) + last.trailing_zeros(),
            _ => (start & !63) + first.trailing_zeros(),
        };
        Some(Hit { line, place })
    };
    if dir.is_positive() { lines.into_iter().find_map(hit) } else { lines.rev().find_map(hit) }
}

/// As [`first_solid`], with each place read as one line of the transposed plane. A place replaces the best
/// one only if its bit comes strictly sooner, so the lowest place wins a tie.
fn first_by_places(
    transposed: &Plane,
    dir: Dir,
    lines: Range<u32>,
    places: Range<u32>,
) -> Option<Hit> {
    let mut open = lines;
    let mut best = None;
    for place in places {
        let found = if dir.is_positive() {
            first_bit(transposed, place, &open)
        } else {
            last_bit(transposed, place, &open)
        };
        if let Some(line) = found {
            best = Some(Hit { line, place });
            if dir.is_positive() {
                open.end = line;
            } else {
                open.start = line + 1;
            }
        }
    }
    best
}

/// The first of the `places` on a line across `axis` whose bit is set; `None` too if the grid does not keep
/// these lines.
#[inline]
pub(crate) fn first_on_line(grid: &Grid, axis: Axis, line: u32, places: Range<u32>) -> Option<u32> {
    let plane = &grid.planes[axis.index()];
    if plane.is_absent() { None } else { first_bit(plane, line, &places) }
}

/// The first place of a line, within `places`, whose bit is set.
pub(crate) fn first_bit(plane: &Plane, line: u32, places: &Range<u32>) -> Option<u32> {
    stripes(places).find_map(|(stripe, mask)| {
        let word = plane.words()[plane.word(line, stripe * 64)] & mask;
        (word != 0).then(|| stripe * 64 + word.trailing_zeros())
    })
}

/// The last place of a line, within `places`, whose bit is set.
pub(crate) fn last_bit(plane: &Plane, line: u32, places: &Range<u32>) -> Option<u32> {
    stripes(places).rev().find_map(|(stripe, mask)| {
        let word = plane.words()[plane.word(line, stripe * 64)] & mask;
        (word != 0).then(|| stripe * 64 + 63 - word.leading_zeros())
    })
}

#[cfg(test)]
mod tests {
    use crate::{Axis, Dir, Grid};
    use glam::UVec2;

    /// Naive: visits every cell of the rectangle, and takes the first in order of the solid ones.
    fn first_solid_cell_by_cell(
        grid: &Grid,
        dir: Dir,
        columns: std::ops::Range<u32>,
        rows: std::ops::Range<u32>,
    ) -> Option<UVec2> {
        let cells = columns.flat_map(|c| rows.clone().map(move |r| UVec2::new(c, r)));
        let solid = cells.filter(|cell| grid.is_solid(cell.x, cell.y));
        solid.min_by_key(|cell| {
            let along = match dir.axis() {
                Axis::X => i64::from(cell.x),
                Axis::Y => i64::from(cell.y),
            };
            (if dir.is_positive() { along } else { -along }, cell.y, cell.x)
        })
    }

    #[test]
    fn rectangle_queries_equal_the_naive_loop_at_word_edges() {
        let mut random = fastrand::Rng::with_seed(11);
        let sides = [1, 2, 7, 31, 63, 64, 65, 66, 127, 128, 129, 200];
        for _ in 0..40_000 {
            let (width, height) =
                (*random.choice(&sides).unwrap_or(&1), *random.choice(&sides).unwrap_or(&1));
            let mut grid = Grid::new(width, height).unwrap();
            for _ in 0..random.u32(0..6) {
                grid.set(random.u32(0..width), random.u32(0..height), true).unwrap();
            }
            let columns = random.u32(0..width + 2)..random.u32(0..width + 70);
            let rows = random.u32(0..height + 2)..random.u32(0..height + 70);
            for dir in Dir::ALL {
                let expected = first_solid_cell_by_cell(&grid, dir, columns.clone(), rows.clone());
                assert_eq!(
                    grid.first_solid(dir, columns.clone(), rows.clone()),
                    expected,
                    "{dir:?} {columns:?} {rows:?} {grid:?}"
                );
                let any = grid.any_solid(columns.clone(), rows.clone());
                assert_eq!(any, expected.is_some());
            }
        }
    }

    #[test]
    fn a_grid_of_two_to_the_31_cells_in_one_column_fits_and_answers() {
        let mut grid = Grid::new(1, 1 << 31).unwrap();
        assert!(grid.memory_bytes() < 1 << 29);
        grid.set(0, 1 << 30, true).unwrap();
        grid.fill(0..1, (1 << 31) - 5..1 << 31, true).unwrap();
        assert_eq!(grid.solid_count(), 6);
        assert!(grid.is_solid(0, 1 << 30) && !grid.is_solid(0, (1 << 30) + 1));
        let all = 0..1 << 31;
        let first = |dir| grid.first_solid(dir, 0..1, all.clone());
        assert_eq!(first(Dir::Down), Some(UVec2::new(0, 1 << 30)));
        assert_eq!(first(Dir::Up), Some(UVec2::new(0, (1 << 31) - 1)));
        assert_eq!(first(Dir::Left), first(Dir::Right));
        assert!(!grid.any_solid(0..1, 0..1 << 30));
        assert!(grid.any_solid(0..1, (1 << 30) - 3..(1 << 30) + 1));
        assert!(Grid::new(2, (1 << 30) + 1).is_err());
    }

    #[test]
    fn a_fill_equals_the_naive_loop_over_cells() {
        let mut random = fastrand::Rng::with_seed(13);
        for _ in 0..300 {
            let (width, height) = (random.u32(1..140), random.u32(1..140));
            let (mut filled, mut set) =
                (Grid::new(width, height).unwrap(), Grid::new(width, height).unwrap());
            for _ in 0..4 {
                let columns = random.u32(0..width + 5)..random.u32(0..width + 5);
                let rows = random.u32(0..height + 5)..random.u32(0..height + 5);
                let solid = random.u8(0..4) > 0;
                filled.fill(columns.clone(), rows.clone(), solid).unwrap();
                for r in rows {
                    for c in columns.clone() {
                        set.set(c, r, solid).unwrap();
                    }
                }
            }
            assert_eq!(filled, set);
            assert_eq!(filled, Grid::from_text(&set.to_string()).unwrap());
            let count = set.to_string().matches('#').count() as u64;
            assert_eq!(filled.solid_count(), count);
        }
    }
}
