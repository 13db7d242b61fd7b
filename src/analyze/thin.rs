//! Solids that are thinner than the step of a body.
//!
//! A kernel over the bands of a free space. It reports places; nothing here judges them, and nothing moves.

use std::collections::BinaryHeap;
use std::ops::Range;

use glam::{IVec2, UVec2, Vec2Swizzles};

use super::bands::TooComplex;
use super::free_space::{FreeSpace, free_space_in};
use super::gaps::transposed;
use super::union::Union;
use crate::geometry::{Aabb, Axis};
use crate::sweep::Terrain;

/// A wall that a body skips which moves by whole steps and looks only at their ends: see [`skipped_solids`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct ThinSolid {
    /// The axis of the motion that skips it.
    pub axis: Axis,
    /// The most of its pixels on that axis in one row, or column, of its thin part.
    pub thickness: u32,
    /// The box of its thin part.
    pub area: Aabb,
}

/// The walls that a body of `body` pixels could skip with steps of `step` pixels along one axis, in an
/// engine that tests only the ends of a step: solids of at most `step` less the body's own side pixels
/// between two free positions. Thin rows that touch are one solid, such as a slanted wall.
///
/// A solid is a wall in one of two cases. It closes a passage: it parts two areas, in each of which the body
/// has room to move ([`FreeSpace::is_room`]). Or a part of it is long: it lies in as many rows, or columns,
/// of positions as the step has pixels, and in three times as many as it is thick. Posts and tips of slopes
/// are neither, nor is a low door between places that are connected elsewhere. The thinnest part that makes a
/// solid a wall is told; of one that closes a passage the thinnest of all.
///
/// bitwall itself skips none. The thinnest first, and of equally thin ones the top-most; at most 4,096.
/// O(n log n) for n runs, on each axis.
///
/// # Errors
/// [`TooComplex`], as [`free_space`](super::free_space()).
pub fn skipped_solids(
    terrain: &Terrain,
    body: UVec2,
    step: u32,
) -> Result<Vec<ThinSolid>, TooComplex> {
    let mut thinnest = Thinnest::default();
    let free = free_space_in(terrain, body, terrain.outside())?;
    let body = free.body;
    if step > body.x {
        for (thickness, area) in skipped_in_x(&free, step) {
            thinnest.add(thickness, Axis::X, area);
        }
    }
    if step > body.y {
        let turned = transposed(terrain)?;
        let turned = free_space_in(&turned, body.yx(), turned.outside())?;
        for (thickness, area) in skipped_in_x(&turned, step) {
            thinnest.add(thickness, Axis::Y, Aabb { min: area.min.yx(), max: area.max.yx() });
        }
    }
    Ok(thinnest.in_order())
}

/// The largest number of solids that are kept.
const MAX_SOLIDS: usize = 4_096;

/// The order of the solids: thickness, row, column, axis, and the far corner.
type Order = (u32, i32, i32, bool, [i32; 2]);

/// The thinnest of the solids so far.
#[derive(Default)]
struct Thinnest {
    heap: BinaryHeap<Order>,
}

impl Thinnest {
    fn add(&mut self, thickness: u32, axis: Axis, area: Aabb) {
        let order = (thickness, area.min.y, area.min.x, axis == Axis::Y, area.max.to_array());
        if self.heap.len() < MAX_SOLIDS {
            self.heap.push(order);
        } else if let Some(mut last) = self.heap.peek_mut()
            && order < *last
        {
            *last = order;
        }
    }

    fn in_order(self) -> Vec<ThinSolid> {
        let sorted = self.heap.into_sorted_vec().into_iter();
        let solid = |(thickness, y, x, is_y, max): Order| ThinSolid {
            axis: if is_y { Axis::Y } else { Axis::X },
            thickness,
            area: Aabb { min: IVec2::new(x, y), max: max.into() },
        };
        sorted.map(solid).collect()
    }
}

/// A part of a solid: the same columns in some rows of positions.
#[derive(Clone, Debug)]
struct Piece {
    columns: Range<i32>,
    rows: Range<i32>,
    /// True if the body gets around its upper end, from one side to the other.
    is_open_above: bool,
    is_open_below: bool,
    /// True if it parts two areas, in each of which the body has room to move.
    parts_areas: bool,
}

impl Piece {
    fn thickness(&self) -> usize {
        self.columns.len()
    }

    /// The pieces' box, with the ends of the upper and the lower one.
    fn hull(self, other: &Self) -> Self {
        let upper = if other.rows.start < self.rows.start { other } else { &self };
        let lower = if other.rows.end > self.rows.end { other } else { &self };
        Self {
            columns: self.columns.start.min(other.columns.start)
                ..self.columns.end.max(other.columns.end),
            rows: upper.rows.start..lower.rows.end,
            is_open_above: upper.is_open_above,
            is_open_below: lower.is_open_below,
            parts_areas: self.parts_areas || other.parts_areas,
        }
    }

    /// Its pixels, of a body of this height. At an open end the body's last pixel is beside them in the last
    /// row of positions; at any other end all of the body is.
    fn pixels(&self, height: i32) -> Aabb {
        let (start, end) = (self.rows.start, self.rows.end);
        let top = if self.is_open_above { start + height - 1 } else { start };
        let bottom = if self.is_open_below { end } else { end - 1 + height };
        let rows = if top < bottom { top..bottom } else { start..end };
        let (min, max) = (self.columns.start, self.columns.end);
        Aabb { min: IVec2::new(min, rows.start), max: IVec2::new(max, rows.end) }
    }
}

/// The walls between two neighbouring runs of positions: thickness and box.
fn skipped_in_x(free: &FreeSpace, step: u32) -> Vec<(u32, Aabb)> {
    let height = free.body.y as i32;
    let pieces = solids_in_x(free, step);
    let solids = pieces.chunk_by(|(one, _), (other, _)| one == other);
    let walls = solids.filter_map(|solid| thin_part(solid, step));
    walls.map(|(thickness, part)| (thickness as u32, part.pixels(height))).collect()
}

/// The thinnest part of a solid that makes it a wall, with the most that it is thick: see [`skipped_solids`].
/// The pieces of the solid rise by thickness.
fn thin_part(solid: &[(u32, Piece)], step: u32) -> Option<(usize, Piece)> {
    let closes = solid.iter().any(|(_, piece)| piece.parts_areas);
    let (mut part, mut rows) = (None::<Piece>, 0);
    for alike in solid.chunk_by(|(_, one), (_, other)| one.thickness() == other.thickness()) {
        let thickness = alike[0].1.thickness();
        for (_, piece) in alike {
            rows += piece.rows.len();
            part = Some(part.take().map_or_else(|| piece.clone(), |part| part.hull(piece)));
        }
        // Pieces side by side have rows in common, and pieces apart have rows of others between them.
        let length = part.as_ref().map_or(0, |part| rows.min(part.rows.len()));
        if closes || length >= thickness.saturating_mul(3).max(step as usize) {
            return part.map(|part| (thickness, part));
        }
    }
    None
}

/// The thin pieces between two neighbouring runs of positions, each with the number of its solid: those of
/// one solid follow each other, and rise by thickness.
fn solids_in_x(free: &FreeSpace, step: u32) -> Vec<(u32, Piece)> {
    let (pieces, touching) = pieces_in_x(free, step);
    let mut joined = Union::new(pieces.len());
    for (one, other) in touching {
        joined.join(one, other);
    }
    let (labels, _) = joined.labels();
    let mut solids: Vec<(u32, Piece)> = labels.into_iter().zip(pieces).collect();
    solids.sort_by_key(|(label, piece)| (*label, piece.thickness()));
    solids
}

/// The thin pieces between two neighbouring runs of positions, and those that touch. A piece of one band
/// goes on in the next one where it has the same columns.
fn pieces_in_x(free: &FreeSpace, step: u32) -> (Vec<Piece>, Vec<(u32, u32)>) {
    let (bands, width) = (&free.bands, free.body.x as i32);
    let (mut pieces, mut touching) = (Vec::<Piece>::new(), Vec::new());
    // The pieces of the band before, from left to right.
    let (mut open, mut next): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    let room = |run: usize| free.labels.get(run).filter(|area| free.is_room(**area as usize));
    // The bands of a free space follow each other without a gap.
    for (number, band) in bands.bands.iter().enumerate() {
        let runs_at = |number: usize| bands.bands.get(number).map(|band| bands.runs_of(band));
        let above = number.checked_sub(1).and_then(runs_at).unwrap_or_default();
        let below = runs_at(number + 1).unwrap_or_default();
        let mut first = 0;
        for (pair, run) in bands.runs_of(band).windows(2).zip(band.runs.start as usize..) {
            let [one, other] = pair else { continue };
            if (other.start - one.end + 1) as u32 > step {
                continue;
            }
            let columns = one.end - 1 + width..other.start;
            // Both lists rise: what ends before these columns touches no later ones.
            let columns_of = |piece: &u32| pieces[*piece as usize].columns.clone();
            first +=
                open[first..].iter().take_while(|it| columns_of(it).end < columns.start).count();
            let reached = open[first..].iter().take_while(|it| columns_of(it).start <= columns.end);
            let reached: Vec<u32> = reached.copied().collect();
            let same = reached.iter().copied().find(|it| columns_of(it) == columns);
            let number = same.unwrap_or(pieces.len() as u32);
            let piece = Piece {
                columns,
                rows: band.rows.clone(),
                is_open_above: is_spanned(above, one, other),
                is_open_below: is_spanned(below, one, other),
                parts_areas: room(run).zip(room(run + 1)).is_some_and(|(one, other)| one != other),
            };
            match same {
                Some(same) => pieces[same as usize] = piece.hull(&pieces[same as usize]),
                None => pieces.push(piece),
            }
            touching.extend(reached.into_iter().map(|other| (other, number)));
            next.push(number);
        }
        open.clear();
        std::mem::swap(&mut open, &mut next);
    }
    (pieces, touching)
}

/// True if a run of the next row touches both of these. O(log runs).
fn is_spanned(runs: &[Range<i32>], one: &Range<i32>, other: &Range<i32>) -> bool {
    let first = runs.partition_point(|run| run.end <= other.start);
    runs.get(first).is_some_and(|run| run.start < one.end)
}

#[cfg(test)]
mod tests;
