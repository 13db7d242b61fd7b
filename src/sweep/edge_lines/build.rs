//! Makes the lines of a body size from a grid, and makes anew those that an edit touched.
//!
//! A plane has lines of one depth: line i is the bitwise or of `depth` rows of cells (columns, for motions up
//! and down) from row i on. A body covers n or n + 1 cells across its motion, so there are up to two planes
//! for an axis, and two more for each direction in which one-way cells are guarded.

use std::ops::Range;
use std::sync::Arc;

use glam::IVec2;

use super::{EdgeLines, MOST, WORDS, Way, Ways};
use crate::geometry::{Axis, Dir};
use crate::grid::{Grid, Plane as Cells};
use crate::sweep::frame::Frame;
use crate::sweep::one_way::Guards;

/// The most bytes for one body size, of lines and tables: 512 MiB.
const MAX_BYTES: u64 = 1 << 29;

/// The lines that are made together, or more if the body covers more: their words stay in the caches.
const LINES: u32 = 128;

/// The cells that lines are made of.
pub(in crate::sweep) struct Source<'t> {
    pub(in crate::sweep) grid: &'t Grid,
    pub(in crate::sweep) frame: &'t Frame,
    pub(in crate::sweep) guards: Option<&'t Guards>,
}

/// Lines of one depth, and where they lie.
#[derive(Clone)]
pub(super) struct Plane {
    /// The axis of the motions.
    axis: Axis,
    /// The direction of the motions, if its one-way cells count too: each at the pixel by which a body enters
    /// it.
    guarded: Option<Dir>,
    /// The number of cells that a line ors.
    depth: u32,
    /// The number of lines.
    count: u32,
    /// The bits of a cell.
    repeat: u32,
    /// The first byte.
    start: u32,
    /// The bytes from one line to the next.
    stride: u32,
    /// The bytes of the outside at each end of a line.
    pad: u32,
}

/// The planes and tables in the making.
struct Plan<'t> {
    source: &'t Source<'t>,
    size: IVec2,
    planes: Vec<Plane>,
    /// The bytes of the planes.
    len: u64,
}

impl Plan<'_> {
    /// The ways, without one-way cells and with them; `None` if there can be no lines.
    fn ways(&mut self) -> Option<[Ways; 2]> {
        let mut ways: [Ways; 2] = std::array::from_fn(|_| std::array::from_fn(|_| Way::none()));
        for axis in [Axis::X, Axis::Y] {
            self.source.cells(axis)?;
            let solid = self.add(axis, None)?;
            for dir in [Dir::along(axis, false), Dir::along(axis, true)] {
                let guarded = self.source.guarded(dir);
                let is_guarded = guarded.is_some_and(|cells| cells.count_ones() > 0);
                let with_one_way =
                    if is_guarded { self.add(axis, Some(dir))? } else { solid.clone() };
                ways[0][dir as usize] = self.toward(dir, solid.clone());
                ways[1][dir as usize] = self.toward(dir, with_one_way);
            }
            for ways in &mut ways {
                let [back, forth] =
                    [false, true].map(|positive| Dir::along(axis, positive) as usize);
                ways[back].is_paired = Arc::ptr_eq(&ways[back].lines, &ways[forth].lines);
            }
        }
        Some(ways)
    }

    /// The width of the body for [`Axis::X`], its height for [`Axis::Y`].
    fn extent(&self, axis: Axis) -> u32 {
        self.size.to_array()[axis.index()].max(0) as u32
    }

    /// The way of an axis for a motion toward one side.
    fn toward(&self, dir: Dir, way: Way) -> Way {
        if dir.is_positive() {
            Way { edge: way.edge + self.extent(dir.axis()), ..way }
        } else {
            Way { back: -1, ..way }
        }
    }

    /// Adds the planes and the table of an axis, or of one direction.
    fn add(&mut self, axis: Axis, guarded: Option<Dir>) -> Option<Way> {
        let (source, cross) = (self.source, axis.other());
        let (side, cross_side) = (source.side(axis), source.side(cross));
        let extent = self.extent(cross);
        if extent == 0 {
            return None;
        }
        // A guarded edge lies between two pixels.
        let shift = if guarded.is_some() { 0 } else { side.trailing_zeros() };
        let (repeat, pad) = (side >> shift, MOST.div_ceil(8));
        let inside = u64::from(source.count(axis).div_ceil(64)) * 8 * u64::from(repeat);
        let stride = inside + 2 * u64::from(pad);
        let pixels = i32::try_from(stride.checked_mul(8 << shift)?).ok()? as u32;
        let places = (source.count(cross) * cross_side).checked_sub(extent)? + 1;
        let depths = extent.div_ceil(cross_side)..=(extent + cross_side - 2) / cross_side + 1;
        let first = self.planes.len();
        for depth in depths.clone() {
            let count = (source.count(cross) + 1).saturating_sub(depth);
            let (start, stride) = (self.len as u32, stride as u32);
            self.planes.push(Plane { axis, guarded, depth, count, repeat, start, stride, pad });
            self.len += u64::from(count) * u64::from(stride);
        }
        if self.len + 4 * u64::from(places) > MAX_BYTES {
            return None;
        }
        let planes = &self.planes[first..];
        let line = |place: u32| {
            let (first, last) = (place / cross_side, (place + extent - 1) / cross_side);
            let plane = &planes[(last + 1 - first - depths.start()) as usize];
            plane.start + first * plane.stride
        };
        let lines = (0..places).map(line).collect();
        let last = pixels - (MOST << shift);
        let most = ((MOST - 1) << shift) + 1;
        let (edge, shift) = (pad * (8 << shift), shift as u8);
        Some(Way { lines, last, edge, most, back: 0, shift, is_paired: false })
    }
}

impl Source<'_> {
    /// The cells, in lines along the motion; `None` if the grid does not keep these.
    fn cells(&self, axis: Axis) -> Option<&Cells> {
        self.grid.plane(axis.other())
    }

    /// The cells that a motion toward `dir` may not enter by the side that faces it.
    fn guarded(&self, dir: Dir) -> Option<&Cells> {
        self.guards.and_then(|guards| guards.get(dir.opposite()).plane(dir.axis().other()))
    }

    /// The number of cells on an axis.
    fn count(&self, axis: Axis) -> u32 {
        self.grid.size().to_array()[axis.index()]
    }

    /// The pixels of a cell on an axis.
    fn side(&self, axis: Axis) -> u32 {
        self.frame.cell_size().to_array()[axis.index()]
    }
}

impl EdgeLines {
    /// The lines for a body of `size` pixels.
    ///
    /// There are none, so that a body is far everywhere, if the grid is sparse or keeps only one copy of its
    /// bits, if the body covers nothing or is larger than the level, or if they would take more than
    /// [`MAX_BYTES`]. O(cells / 64 x log2 of the cells that the body covers).
    pub(in crate::sweep) fn new(source: &Source<'_>, size: IVec2) -> Self {
        let mut plan = Plan { source, size, planes: Vec::new(), len: 0 };
        let memory = |plan: &Plan<'_>| {
            let mut bytes = Vec::new();
            let len = plan.len as usize + 8 * WORDS;
            bytes.try_reserve_exact(len).ok()?;
            bytes.resize(len, 0);
            Some(bytes)
        };
        let Some((ways, bytes)) = plan.ways().and_then(|ways| Some((ways, memory(&plan)?))) else {
            let none = || std::array::from_fn(|_| Way::none());
            return Self { size, ways: [none(), none()], bytes: Vec::new(), planes: Vec::new() };
        };
        let mut made = Self { size, ways, bytes, planes: plan.planes };
        for at in 0..made.planes.len() {
            made.write_outside(source, at);
            let plane = &made.planes[at];
            let (all, stripes) = (0..plane.count, 0..source.count(plane.axis).div_ceil(64));
            made.write(source, at, all, stripes);
        }
        made
    }

    /// Makes anew the lines that cells of a rectangle are part of; all lines if the rectangle has the first
    /// cells that guard a side. O(rows of cells that the rectangle and the body cover x words of a row of the
    /// rectangle), and the same for columns.
    pub(in crate::sweep) fn patch(
        &mut self,
        source: &Source<'_>,
        columns: &Range<u32>,
        rows: &Range<u32>,
    ) {
        if self.planes.is_empty() || columns.is_empty() || rows.is_empty() {
            return;
        }
        let is_new = |dir: Dir| {
            self.planes.iter().all(|plane| plane.guarded != Some(dir))
                && source.guards.is_some_and(|guards| {
                    guards.get(dir.opposite()).any_solid(columns.clone(), rows.clone())
                })
        };
        if Dir::ALL.into_iter().any(is_new) {
            *self = Self::new(source, self.size);
            return;
        }
        for at in 0..self.planes.len() {
            let plane = &self.planes[at];
            let (along, across) = match plane.axis {
                Axis::X => (columns, rows),
                Axis::Y => (rows, columns),
            };
            let first = (across.start + 1).saturating_sub(plane.depth);
            let lines = first..across.end.min(plane.count);
            let stripes = along.start / 64..along.end.div_ceil(64);
            self.write(source, at, lines, stripes);
        }
    }

    /// Writes the outside at both ends of the lines of a plane.
    fn write_outside(&mut self, source: &Source<'_>, at: usize) {
        let plane = &self.planes[at];
        let (start, pad, stride) =
            (plane.start as usize, plane.pad as usize, plane.stride as usize);
        let lines = &mut self.bytes[start..start + plane.count as usize * stride];
        let ends = [0..pad, stride - pad..stride];
        for (end, positive) in ends.into_iter().zip([false, true]) {
            if source.frame.is_solid_beyond(plane.axis, positive) {
                lines.chunks_exact_mut(stride).for_each(|line| line[end.clone()].fill(u8::MAX));
            }
        }
    }

    /// Writes some lines of a plane, in some stripes of 64 cells.
    fn write(&mut self, source: &Source<'_>, at: usize, lines: Range<u32>, stripes: Range<u32>) {
        let plane = &self.planes[at];
        let width = (stripes.len() as u32 * plane.repeat) as usize;
        let first_byte = plane.start + plane.pad + stripes.start * 8 * plane.repeat;
        let mut line = lines.start;
        while line < lines.end {
            let count = (lines.end - line).min(LINES.max(plane.depth));
            let rows = line..line + count + plane.depth - 1;
            let mut words = vec![0; rows.len() * width];
            source.read(plane, &rows, &stripes, &mut words);
            let words = or_lines(words, width, plane.depth as usize);
            for (line, words) in (line..line + count).zip(words.chunks_exact(width)) {
                let start = (first_byte + line * plane.stride) as usize;
                let (bytes, _) = self.bytes[start..start + 8 * width].as_chunks_mut::<8>();
                for (bytes, word) in bytes.iter_mut().zip(words) {
                    *bytes = word.to_le_bytes();
                }
            }
            line += count;
        }
    }
}

impl Source<'_> {
    /// Reads rows of cells into zeroed `words`.
    fn read(&self, plane: &Plane, rows: &Range<u32>, stripes: &Range<u32>, words: &mut [u64]) {
        let repeat = plane.repeat as usize;
        let width = stripes.len() * repeat;
        for (at, stripe) in stripes.clone().enumerate() {
            let column = at * repeat;
            if let Some(cells) = self.cells(plane.axis) {
                for_each_word(cells, rows, stripe, |line, word| {
                    let words = &mut words[line * width + column..][..repeat];
                    if repeat == 1 { words[0] = word } else { spread(word, words) }
                });
            }
            let guarded = plane.guarded.and_then(|dir| Some((dir, self.guarded(dir)?)));
            if let Some((dir, cells)) = guarded {
                let entered = if dir.is_positive() { 0 } else { repeat - 1 };
                for_each_word(cells, rows, stripe, |line, mut word| {
                    let words = &mut words[line * width + column..][..repeat];
                    while word != 0 {
                        let bit = word.trailing_zeros() as usize * repeat + entered;
                        words[bit / 64] |= 1 << (bit % 64);
                        word &= word - 1;
                    }
                });
            }
        }
        // The last word of a row goes on outside the level.
        let count = self.count(plane.axis);
        if stripes.end * 64 > count && self.frame.is_solid_beyond(plane.axis, true) {
            let inside = (count % 64) as usize * repeat;
            for words in words.chunks_exact_mut(width) {
                set_bits(&mut words[width - repeat..], inside..repeat * 64);
            }
        }
    }
}

/// Calls `visit` with the number of each of the `lines`, from 0 on, and its word of a stripe.
fn for_each_word(
    cells: &Cells,
    lines: &Range<u32>,
    stripe: u32,
    mut visit: impl FnMut(usize, u64),
) {
    let mut line = lines.start;
    while line < lines.end {
        let words = cells.lines_of_stripe(line, stripe * 64);
        for (at, word) in (line..lines.end).zip(words) {
            visit((at - lines.start) as usize, *word);
        }
        line += words.len() as u32;
    }
}

/// The lines of `width` words, each ored with the `depth` - 1 lines after it, by doubling. There are
/// `depth` - 1 fewer. Each round has words of its own, so that the compiler makes vectors of them. Line by
/// line in place, an edit of 16 x 16 in a mask took 2.5 times the instructions.
fn or_lines(mut words: Vec<u64>, width: usize, depth: usize) -> Vec<u64> {
    let mut done = 1;
    while done < depth {
        let by = done.min(depth - done);
        let after = &words[by * width..];
        words = words.iter().zip(after).map(|(line, after)| line | after).collect();
        done += by;
    }
    words
}

/// Sets the bits of each cell of a word that is set: as many bits a cell as there are `words`.
fn spread(mut word: u64, words: &mut [u64]) {
    while word != 0 {
        let start = word.trailing_zeros();
        let end = start + (word >> start).trailing_ones();
        set_bits(words, start as usize * words.len()..end as usize * words.len());
        word &= u64::MAX.checked_shl(end).unwrap_or(0);
    }
}

fn set_bits(words: &mut [u64], bits: Range<usize>) {
    let touched = words.iter_mut().enumerate().take(bits.end.div_ceil(64)).skip(bits.start / 64);
    for (at, word) in touched {
        let from = bits.start.saturating_sub(at * 64);
        let to = (bits.end - at * 64).min(64);
        *word |= (u64::MAX << from) & (u64::MAX >> (64 - to));
    }
}
