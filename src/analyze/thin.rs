//! Solids that are thinner than the step of a body.
//!
//! A kernel over the bands of a free space. It reports places; nothing here judges them, and nothing moves.

use std::collections::BinaryHeap;
use std::ops::Range;

use glam::{IVec2, UVec2, Vec2Swizzles};

use super::bands::{Bands, TooComplex};
use super::free_space::free_space_in;
use super::gaps::transposed;
use super::union::Union;
use crate::geometry::{Aabb, Axis};
use crate::sweep::Terrain;

/// A solid that a body skips which moves by whole steps and looks only at their ends: see [`skipped_solids`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct ThinSolid {
    /// The axis of the motion that skips it.
    pub axis: Axis,
    /// The most of its pixels on that axis in one row, or column.
    pub thickness: u32,
    /// The box of its pixels.
    pub area: Aabb,
}

/// The solids that a body of `body` pixels could skip with steps of `step` pixels along one axis, in an
/// engine that tests only the ends of a step: those with at most `step` less the body's own side pixels
/// between two free positions. Thin rows that touch are one solid, such as a slanted wall, or the tip of a
/// slope. bitwall itself skips none. The thinnest first, and of equally thin ones the top-most; at most
/// 4,096. O(runs), on each axis, and O(log 4,096) for each that is found.
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
        for (thickness, area) in skipped_in_x(&free.bands, body, step) {
            thinnest.add(thickness, Axis::X, area);
        }
    }
    if step > body.y {
        let turned = transposed(terrain)?;
        let turned = free_space_in(&turned, body.yx(), turned.outside())?;
        for (thickness, area) in skipped_in_x(&turned.bands, body.yx(), step) {
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
#[derive(Clone)]
struct Piece {
    columns: Range<i32>,
    rows: Range<i32>,
}

/// The solids between two neighbouring runs of positions: thickness and box.
fn skipped_in_x(bands: &Bands, body: UVec2, step: u32) -> impl Iterator<Item = (u32, Aabb)> {
    let (pieces, touching) = pieces_in_x(bands, body.x as i32, step);
    let mut joined = Union::new(pieces.len());
    for (one, other) in touching {
        joined.join(one, other);
    }
    let (labels, count) = joined.labels();
    let mut solids: Vec<Option<(usize, Piece)>> = vec![None; count as usize];
    for (piece, label) in pieces.into_iter().zip(labels) {
        let thickness = piece.columns.len();
        let solid = &mut solids[label as usize];
        *solid = Some(match solid.take() {
            None => (thickness, piece),
            Some((most, Piece { columns, rows })) => {
                let hull = |one: Range<i32>, other: Range<i32>| {
                    one.start.min(other.start)..one.end.max(other.end)
                };
                let columns = hull(columns, piece.columns);
                (most.max(thickness), Piece { columns, rows: hull(rows, piece.rows) })
            }
        });
    }
    let beside = body.y as i32 - 1;
    solids.into_iter().flatten().map(move |(thickness, Piece { columns, rows })| {
        // Positions are not free wherever a row of the solid is beside the body: the solid is lower.
        let lower = rows.start + beside;
        let top = if lower < rows.end { lower } else { rows.start };
        let (min, max) = (IVec2::new(columns.start, top), IVec2::new(columns.end, rows.end));
        (thickness as u32, Aabb { min, max })
    })
}

/// The thin pieces between two neighbouring runs of positions, and those that touch. A piece of one band
/// goes on in the next one where it has the same columns.
fn pieces_in_x(bands: &Bands, width: i32, step: u32) -> (Vec<Piece>, Vec<(u32, u32)>) {
    let (mut pieces, mut touching) = (Vec::<Piece>::new(), Vec::new());
    // The pieces of the band before, from left to right.
    let (mut open, mut next): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    // The bands of a free space follow each other without a gap.
    for band in &bands.bands {
        let mut first = 0;
        for pair in bands.runs_of(band).windows(2) {
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
            let above: Vec<u32> = reached.copied().collect();
            let same = above.iter().copied().find(|it| columns_of(it) == columns);
            let piece = same.unwrap_or(pieces.len() as u32);
            match same {
                Some(same) => pieces[same as usize].rows.end = band.rows.end,
                None => pieces.push(Piece { columns, rows: band.rows.clone() }),
            }
            touching.extend(above.into_iter().map(|other| (other, piece)));
            next.push(piece);
        }
        open.clear();
        std::mem::swap(&mut open, &mut next);
    }
    (pieces, touching)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::free_space::free_space;
    use crate::analyze::tests::random_terrain;
    use crate::{Dir, Grid, Level};

    /// The solids between neighbouring runs, row by row, put together piece by piece: thickness and box.
    fn naive_in_x(terrain: &Terrain, body: UVec2, step: u32) -> Vec<(u32, Aabb)> {
        let free = free_space(terrain, body).unwrap();
        let mut rows = std::collections::BTreeMap::<(i32, i32), Vec<i32>>::new();
        for band in &free.bands.bands {
            for (pair, y) in free
                .bands
                .runs_of(band)
                .windows(2)
                .flat_map(|pair| band.rows.clone().map(move |y| (pair, y)))
            {
                let columns = (pair[0].end - 1 + body.x as i32, pair[1].start);
                if pair[1].start - pair[0].end < step as i32 {
                    rows.entry(columns).or_default().push(y);
                }
            }
        }
        let mut solids = Vec::<Vec<Piece>>::new();
        for ((start, end), rows) in rows {
            for together in rows.chunk_by(|one, next| next - one == 1) {
                let piece = Piece {
                    columns: start..end,
                    rows: together[0]..together[together.len() - 1] + 1,
                };
                let touches = |it: &Piece| {
                    let is_next =
                        it.rows.end == piece.rows.start || piece.rows.end == it.rows.start;
                    is_next && it.columns.start <= end && start <= it.columns.end
                };
                let (joined, mut rest): (Vec<_>, Vec<_>) =
                    solids.into_iter().partition(|solid| solid.iter().any(touches));
                rest.push(joined.into_iter().flatten().chain([piece]).collect());
                solids = rest;
            }
        }
        let measured = solids.into_iter().map(|pieces| {
            let min = |at: fn(&Piece) -> i32| pieces.iter().map(at).min().unwrap();
            let max = |at: fn(&Piece) -> i32| pieces.iter().map(at).max().unwrap();
            let (start, end) = (min(|it| it.columns.start), max(|it| it.columns.end));
            let (top, bottom) = (min(|it| it.rows.start), max(|it| it.rows.end));
            let lower = top + body.y as i32 - 1;
            let from = if lower < bottom { lower } else { top };
            let thickness = max(|it| it.columns.len() as i32) as u32;
            (thickness, Aabb::from_xywh(start, from, end - start, bottom - from))
        });
        measured.collect()
    }

    #[test]
    fn thin_solids_are_those_of_each_row_put_together() {
        let mut random = fastrand::Rng::with_seed(63);
        let mut found = 0;
        for _ in 0..300 {
            let terrain = random_terrain(&mut random, &[5, 20, 63, 64, 65]);
            let body = UVec2::new(random.u32(1..5), random.u32(1..5));
            let step = body.x + random.u32(1..9);
            let mut expected = naive_in_x(&terrain, body, step);
            let order = |area: &Aabb| (area.min.y, area.min.x, area.max.to_array());
            expected.sort_by_key(|(thickness, area)| (*thickness, order(area)));
            let solids = skipped_solids(&terrain, body, step).unwrap();
            let in_x = solids.iter().filter(|solid| solid.axis == Axis::X);
            let in_x: Vec<_> = in_x.map(|solid| (solid.thickness, solid.area)).collect();
            assert_eq!(in_x, expected, "{body} {step} {terrain:?}");
            assert!(solids.is_sorted_by_key(|solid| solid.thickness));
            found += in_x.len();
        }
        assert!(found > 100, "{found}");
    }

    #[test]
    fn a_slanted_wall_and_the_tip_of_a_slope_are_one_solid_each() {
        let mut grid = Grid::new(100, 40).unwrap();
        for y in 0..30 {
            grid.fill(10 + y..12 + y, y + 5..y + 6, true).unwrap();
            grid.fill(70 - y / 2..71 + y / 2, y + 5..y + 6, true).unwrap();
        }
        let terrain = Terrain::new(grid, UVec2::ONE).unwrap();
        let solids = skipped_solids(&terrain, UVec2::ONE, 10).unwrap();
        let in_x = solids.into_iter().filter(|solid| solid.axis == Axis::X);
        let in_x: Vec<_> = in_x.map(|solid| (solid.thickness, solid.area)).collect();
        let (wall, tip) = (Aabb::from_xywh(10, 5, 31, 30), Aabb::from_xywh(66, 5, 9, 10));
        assert_eq!(in_x, [(2, wall), (9, tip)]);
    }

    #[test]
    fn of_too_many_the_thinnest_are_kept_wherever_they_are() {
        // Bars that are 2 px thick, and at the bottom one of 1 px.
        let mut grid = Grid::new(800, 200).unwrap();
        for (x, y) in (2..780).step_by(8).flat_map(|x| (0..180).step_by(4).map(move |y| (x, y))) {
            grid.fill(x..x + 2, y..y + 2, true).unwrap();
        }
        grid.fill(400..401, 190..194, true).unwrap();
        let terrain = Terrain::new(grid, UVec2::ONE).unwrap();
        let solids = skipped_solids(&terrain, UVec2::ONE, 6).unwrap();
        assert_eq!(solids.len(), MAX_SOLIDS);
        let first =
            ThinSolid { axis: Axis::X, thickness: 1, area: Aabb::from_xywh(400, 190, 1, 4) };
        assert_eq!(solids[0], first);
    }

    /// Rows of pixels, none of which touches one of the next row.
    #[test]
    fn many_thin_solids_in_many_rows_take_time_in_proportion_to_their_number() {
        let mut grid = Grid::new(4_096, 1_024).unwrap();
        for y in 0..1_024 {
            for x in (y % 2 * 2..4_090).step_by(4) {
                grid.set(x, y, true).unwrap();
            }
        }
        let terrain = Terrain::new(grid, UVec2::ONE).unwrap();
        let start = std::time::Instant::now();
        assert_eq!(skipped_solids(&terrain, UVec2::ONE, 3).unwrap().len(), MAX_SOLIDS);
        assert!(start.elapsed().as_secs() < 20, "a million runs took {:?}", start.elapsed());
    }

    /// A solid is skipped where a step from a free position ends at a free one, and the way is not free.
    #[test]
    fn a_solid_is_skipped_where_some_step_ends_beyond_it() {
        let mut random = fastrand::Rng::with_seed(62);
        let mut skipped = 0;
        for _ in 0..400 {
            let terrain = random_terrain(&mut random, &[5, 9, 20]);
            let body = UVec2::new(random.u32(1..5), random.u32(1..5));
            let step = random.u32(1..10);
            let solids = skipped_solids(&terrain, body, step).unwrap();
            let level = Level::new(terrain);
            let size = level.size().as_ivec2();
            for (axis, dir) in [(Axis::X, Dir::Right), (Axis::Y, Dir::Down)] {
                let mut expected = false;
                for (x, y) in (-5..=size.y).flat_map(|y| (-5..=size.x).map(move |x| (x, y))) {
                    let here = Aabb::from_xywh(x, y, body.x as i32, body.y as i32);
                    let is_skip = |step| {
                        let there = here.shifted(dir, step);
                        let kept = there.min.x <= size.x && there.min.y <= size.y;
                        kept && !level.overlaps(there) && !level.can_move(here, dir, step)
                    };
                    let kept = x >= -(body.x as i32) && y >= -(body.y as i32);
                    expected |= kept && !level.overlaps(here) && (1..=step).any(is_skip);
                }
                let found = solids.iter().filter(|solid| solid.axis == axis);
                assert_eq!(found.clone().count() > 0, expected, "{axis:?} {body} {step} {level:?}");
                skipped += found.count();
            }
        }
        assert!(skipped > 50, "{skipped}");
    }
}
