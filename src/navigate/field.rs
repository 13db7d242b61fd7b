//! [`Field`]: the distance from each position to its nearest goal, and the next step of a shortest way there,
//! for many bodies. A field is searched once, from the goals outward, and never follows later edits.
//!
//! In a level of tiles, the search follows the lattice of the lines where runs of free positions end
//! ([`LatticeDistances`]). In masks and fine grids most lines are such lines, and costs of single positions do
//! not fit between lines. There the search handles blocks of 8 x 8 positions as words of 64 bits.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use glam::{IVec2, UVec2};

use super::Ways;
use crate::geometry::Aabb;
use crate::grid::low_bits;
use crate::terrain::{FreePositions, LatticeDistances};

/// The shortest way from each position to the nearest of several goals, for many bodies of the same size.
/// Made by [`Ways::field`].
///
/// A field does not change with later edits of the level. After an edit, a step can lead into a solid; a
/// [`Mover`](crate::Mover) stops there.
#[derive(Clone)]
pub struct Field {
    origin: IVec2,
    /// True if [`Field::step`] may return diagonal steps.
    diagonal: bool,
    has_costs: bool,
    /// The largest distance that counts.
    radius: u32,
    distances: Distances,
}

/// The distances of positions in coordinates of the bit planes.
#[derive(Clone)]
enum Distances {
    Lattice(LatticeDistances),
    Blocks(Blocks),
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Field").field("origin", &self.origin).finish_non_exhaustive()
    }
}

impl Field {
    /// Returns the next step of one pixel on a shortest way from position `at` to the nearest goal. The step
    /// can be diagonal.
    ///
    /// Returns `None` at a goal, and at a position from which no goal can be reached: see [`Field::reaches`].
    /// O(1): some tens of nanoseconds.
    ///
    /// The distance is counted in straight steps, and a diagonal step counts as two of them. In a field with
    /// costs, a step is diagonal only if both ways along its sides are shortest.
    pub fn step(&self, at: IVec2) -> Option<IVec2> {
        if self.distance(at)? == 0 {
            return None;
        }
        let beside = self.beside(at);
        let nearest = beside.into_iter().min()?;
        let [x, y] = [IVec2::X, IVec2::Y];
        let [along, down] = [[(x, beside[0]), (-x, beside[1])], [(y, beside[2]), (-y, beside[3])]]
            .map(|steps| steps.into_iter().find(|step| step.1 == nearest).map(|step| step.0));
        let (Some(along), Some(down)) = (along, down) else {
            return along.or(down);
        };
        let beyond = self.distance(at + along + down).unwrap_or(u32::MAX);
        let is_shortest = |side: IVec2| {
            !self.has_costs || self.beside(at + side).into_iter().min() == Some(beyond)
        };
        if self.diagonal && beyond < nearest && is_shortest(along) && is_shortest(down) {
            return Some(along + down);
        }
        Some(along)
    }

    /// The distances on the right, on the left, below and above; `u32::MAX` where there is no way.
    #[inline]
    fn beside(&self, at: IVec2) -> [u32; 4] {
        [IVec2::X, IVec2::NEG_X, IVec2::Y, IVec2::NEG_Y]
            .map(|step| self.distance(at + step).unwrap_or(u32::MAX))
    }

    /// Returns true if a goal can be reached from position `at`. Returns false if the position is not free,
    /// and if it is outside the radius of [`Ways::field_within`]. O(1).
    pub fn reaches(&self, at: IVec2) -> bool {
        self.distance(at).is_some()
    }

    /// Returns the length of the shortest way from position `at` to the nearest goal in straight steps; 0 at
    /// a goal.
    ///
    /// A diagonal step counts as two steps. In a field with costs this is the sum of the costs: see
    /// [`Ways::field_with_costs`]. Returns `None` if [`Field::reaches`] is false. O(1).
    #[inline]
    pub fn distance(&self, at: IVec2) -> Option<u32> {
        let place = at.checked_sub(self.origin)?;
        let distance = match &self.distances {
            Distances::Lattice(lattice) => lattice.distance(place),
            Distances::Blocks(blocks) => blocks.distance(place),
        };
        distance.filter(|distance| *distance <= self.radius)
    }
}

impl Ways<'_> {
    /// Returns a [`Field`] with the way from each position to the nearest of `goals`, for many bodies with
    /// the same goals. Goals that are not free are ignored.
    ///
    /// In a level of tiles, a field takes about as long as a breadth-first search over the tiles: O(crossings
    /// of lines), where a line is a row or column of positions at which a solid begins or ends. If the size
    /// is prepared ([`Terrain::prepare`](crate::Terrain::prepare)), the lines are found once after each edit.
    /// With [`Ways::around`], or with more than 8 goals, they are found for each field, which takes about as
    /// long as the field. If most rows and columns are such lines, as in a mask, a field takes O(blocks of
    /// 8 x 8 positions with positions at a distance, added up over all distances).
    ///
    /// ```
    /// use bitwall::{Grid, Level, glam::IVec2, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::from_text("..#..\n..#..\n.....")?, UVec2::splat(16))?;
    /// let exit = IVec2::new(64, 0);
    /// let field = level.ways(UVec2::splat(12))?.field(&[exit]);
    /// assert_eq!(field.distance(IVec2::ZERO), Some(128));
    /// let (mut at, mut steps) = (IVec2::ZERO, 0);
    /// while let Some(step) = field.step(at) {
    ///     (at, steps) = (at + step, steps + 1);
    /// }
    /// assert_eq!((at, steps), (exit, 92), "36 of them are diagonal");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn field(&self, goals: &[IVec2]) -> Field {
        self.search_field(goals, u32::MAX, &[])
    }

    /// Returns a [`Field`] of the positions with a distance of at most `radius` straight steps to the nearest
    /// of `goals`. In the field, positions farther away have no way.
    ///
    /// The result in the radius is that of [`Ways::field`], in a time that depends mostly on the radius.
    #[must_use]
    pub fn field_within(&self, goals: &[IVec2], radius: u32) -> Field {
        self.search_field(goals, radius, &[])
    }

    /// Returns a [`Field`] of the ways with the smallest sum of costs, for ground that is slow or dangerous.
    /// Each box in `costs` has the cost of a step in it.
    ///
    /// A straight step costs as much as the position from which it leads away. A position costs 1. If the
    /// body overlaps boxes there, it costs the largest of their numbers: so boxes of one area that overlap or
    /// touch each other have the cost of the area. The number 0 counts as 1. For an area of a level, pass its
    /// [`rectangles`](crate::Terrain::rectangles).
    ///
    /// The search handles all positions in blocks of 8 x 8, also in a level of tiles. Its time grows with the
    /// largest cost: with costs up to 8 it takes about twice as long as without.
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Level, glam::IVec2, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::new(50, 30)?, UVec2::ONE)?;
    /// let (ways, goal) = (level.ways(UVec2::ONE)?, IVec2::new(40, 10));
    /// let mud = [(Aabb::from_xywh(20, 5, 10, 25), 4)];
    /// let field = ways.field_with_costs(&[goal], &mud);
    /// assert_eq!(field.distance(IVec2::new(21, 10)), Some(9 * 4 + 10), "9 steps in the mud");
    /// assert_eq!(field.distance(IVec2::new(10, 10)), Some(30 + 2 * 6), "around the mud");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn field_with_costs(&self, goals: &[IVec2], costs: &[(Aabb, u8)]) -> Field {
        self.search_field(goals, u32::MAX, costs)
    }

    fn search_field(&self, goals: &[IVec2], radius: u32, costs: &[(Aabb, u8)]) -> Field {
        let goals: Vec<IVec2> = goals.iter().filter_map(|goal| self.place(*goal)).collect();
        let mut free = Cow::Borrowed(&*self.free);
        for body in self.bodies {
            free.to_mut().block(&self.free.touching(body.min, body.max));
        }
        let on_lattice = if costs.is_empty() { free.distances(&goals, radius) } else { None };
        let distances = match on_lattice {
            Some(lattice) => Distances::Lattice(lattice),
            None => Distances::Blocks(Blocks::new(&free, &goals, radius, costs)),
        };
        let has_costs = !costs.is_empty();
        Field { origin: free.origin, diagonal: self.has_diagonals, has_costs, radius, distances }
    }
}

/// The distances of positions in blocks of 8 x 8. A search wave is a diagonal line in most places, so that it
/// has about 8 positions in a block, and only one or two in a word of a row.
#[derive(Clone)]
struct Blocks {
    window: Window,
    /// The number of the newest layer of each block, or [`NONE`].
    newest: Vec<u32>,
    layers: Vec<Layer>,
}

const NONE: u32 = u32::MAX;

/// The positions of a block with distances from `base` to `base + 63`. Almost every block has only one layer,
/// because the distances of neighbours differ by the cost of a step. A thin wall or high costs can make more.
#[derive(Clone)]
struct Layer {
    base: u32,
    /// The number of the block's layer with smaller distances, or [`NONE`].
    next: u32,
    /// The positions with distances in this layer. Position (x, y) of the block is bit 8 y + x.
    reached: u64,
    /// The lowest six bits of the distance of each position.
    bits: [u64; 6],
}

/// The part of the bit planes that a search can reach, in blocks. A block without free positions is beside
/// each block at the edge.
#[derive(Clone)]
struct Window {
    start: IVec2,
    size: IVec2,
}

impl Window {
    fn blocks(&self) -> [usize; 2] {
        (self.size + 7).to_array().map(|length| length as usize / 8 + 2)
    }

    /// Returns the index of the block of a position in the bit planes, and the number of its bit; `None`
    /// outside the window.
    #[inline]
    fn at(&self, place: IVec2) -> Option<(usize, u32)> {
        let place = place.wrapping_sub(self.start).as_uvec2();
        if place.cmpge(self.size.as_uvec2()).any() {
            return None;
        }
        let UVec2 { x: column, y: row } = place / 8 + 1;
        let [width, _] = self.blocks();
        Some((row as usize * width + column as usize, place.y % 8 * 8 + place.x % 8))
    }

    /// Returns the blocks of the window with the free positions as bits.
    fn free(&self, free: &FreePositions) -> Vec<u64> {
        let [width, height] = self.blocks();
        let mut blocks = vec![0; width * height];
        for (row, line) in (0..height as i32 - 2).zip(blocks.chunks_mut(width).skip(1)) {
            for (x, part) in (0..).step_by(64).zip(line[1..width - 1].chunks_mut(8)) {
                let lines: [[u8; 8]; 8] = std::array::from_fn(|by| {
                    let at = self.start + IVec2::new(x, 8 * row + by as i32);
                    let is_inside = at.y < self.start.y + self.size.y;
                    if is_inside { free.rows.load(at.x, at.y).to_le_bytes() } else { [0; 8] }
                });
                for (at, block) in part.iter_mut().enumerate() {
                    *block = u64::from_le_bytes(lines.map(|line| line[at]));
                }
            }
        }
        blocks
    }

    /// Sets the bits of the positions `columns` x `rows` of the bit planes.
    fn mark(&self, blocks: &mut [u64], [columns, rows]: [Range<i32>; 2]) {
        let first = (IVec2::new(columns.start, rows.start) - self.start).max(IVec2::ZERO);
        let end = (IVec2::new(columns.end, rows.end) - self.start).min(self.size);
        let [width, _] = self.blocks();
        for row in first.y / 8..(end.y + 7) / 8 {
            let rows = range_bits(8 * (first.y - 8 * row), 8 * (end.y - 8 * row));
            for column in first.x / 8..(end.x + 7) / 8 {
                let bits = range_bits(first.x - 8 * column, end.x - 8 * column) & 0xff;
                blocks[(row as usize + 1) * width + column as usize + 1] |= bits * LEFT & rows;
            }
        }
    }
}

fn range_bits(first: i32, end: i32) -> u64 {
    low_bits(end.into()) & !low_bits(first.into())
}

/// The first column of a block, and its last column.
const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;

/// The positions that a search has still to reach.
struct Wave {
    width: usize,
    /// For each block, the free positions that no step has reached, and those that the current steps reach.
    blocks: Vec<[u64; 2]>,
    /// The blocks that the current steps reach.
    touched: Vec<u32>,
}

impl Wave {
    #[inline(always)]
    fn reach(&mut self, at: usize, bits: u64) {
        let [open, next] = &mut self.blocks[at];
        let new = bits & *open;
        if new == 0 {
            return;
        }
        *open ^= new;
        if *next == 0 {
            self.touched.push(at as u32);
        }
        *next |= new;
    }

    /// Reaches the positions beside those of block `at` with 1 bits.
    #[inline(always)]
    fn spread(&mut self, at: usize, bits: u64) {
        self.reach(at, (bits & !RIGHT) << 1 | (bits & !LEFT) >> 1 | bits << 8 | bits >> 8);
        if bits & RIGHT != 0 {
            self.reach(at + 1, (bits & RIGHT) >> 7);
        }
        if bits & LEFT != 0 {
            self.reach(at - 1, (bits & LEFT) << 7);
        }
        if bits >> 56 != 0 {
            self.reach(at + self.width, bits >> 56);
        }
        if bits << 56 != 0 {
            self.reach(at - self.width, bits << 56);
        }
    }
}

impl Blocks {
    /// A breadth-first search from `goals`. A position that costs more than 1 is reached at once, because no
    /// other way to it is shorter, and its step is made later by its cost.
    fn new(free: &FreePositions, goals: &[IVec2], radius: u32, costs: &[(Aabb, u8)]) -> Self {
        let reach = IVec2::splat(radius.min(i32::MAX as u32) as i32);
        let end = IVec2::new(free.rows.len, free.rows.count);
        let start = goals.iter().fold(end, |least, goal| least.min(*goal)).saturating_sub(reach);
        let last = goals.iter().fold(IVec2::ZERO, |most, goal| most.max(*goal));
        let start = start.max(IVec2::ZERO);
        let size = last.saturating_add(reach).min(end - 1) + 1 - start;
        let window = Window { start, size: size.max(IVec2::ZERO) };
        let open = window.free(free);
        let costs = planes(free, &window, costs, open.len());
        let [width, _] = window.blocks();
        let layers = Vec::with_capacity(open.iter().filter(|open| **open != 0).count());
        let mut found = Self { newest: vec![NONE; open.len()], layers, window };
        let blocks = open.into_iter().map(|open| [open, 0]).collect();
        let mut wave = Wave { width, blocks, touched: Vec::new() };
        for (at, bit) in goals.iter().filter_map(|goal| found.window.at(*goal)) {
            wave.reach(at, 1 << bit);
        }
        // The blocks and bits at the current distance and at each of the next distances.
        let mut ring = vec![Vec::new(); costs.first().map_or(1, |plane| plane.0) + 1];
        ring[0].extend(wave.touched.drain(..).map(|at| {
            let [_, next] = &mut wave.blocks[at as usize];
            (at, std::mem::take(next))
        }));
        let mut waiting = ring[0].len();
        for distance in 0..=radius {
            if waiting == 0 {
                break;
            }
            // The first entry of the ring is the current distance.
            waiting -= ring[0].len();
            for (at, bits) in ring[0].drain(..) {
                found.store(at as usize, bits, distance);
                wave.spread(at as usize, bits);
            }
            ring.rotate_left(1);
            for at in wave.touched.drain(..) {
                let [_, next] = &mut wave.blocks[at as usize];
                let mut new = std::mem::take(next);
                for (cost, plane) in &costs {
                    let part = new & plane[at as usize];
                    if part != 0 {
                        new ^= part;
                        ring[cost - 1].push((at, part));
                        waiting += 1;
                    }
                }
                if new != 0 {
                    ring[0].push((at, new));
                    waiting += 1;
                }
            }
        }
        found
    }

    /// Stores the distance of the positions with 1 bits in block `at`. Distances come in rising order.
    #[inline(always)]
    fn store(&mut self, at: usize, bits: u64, distance: u32) {
        let next = self.newest[at];
        if next == NONE || distance - self.layers[next as usize].base > 63 {
            self.newest[at] = self.layers.len() as u32;
            self.layers.push(Layer { base: distance, next, reached: 0, bits: [0; 6] });
        }
        let layer = &mut self.layers[self.newest[at] as usize];
        layer.reached |= bits;
        for (at, plane) in layer.bits.iter_mut().enumerate() {
            *plane |= bits & u64::from(distance >> at & 1).wrapping_neg();
        }
    }

    #[inline]
    fn distance(&self, place: IVec2) -> Option<u32> {
        let (at, bit) = self.window.at(place)?;
        let mut layer = self.layers.get(self.newest[at] as usize)?;
        while layer.reached >> bit & 1 == 0 {
            layer = self.layers.get(layer.next as usize)?;
        }
        let planes = layer.bits.iter().enumerate();
        let low: u32 = planes.map(|(at, plane)| ((plane >> bit & 1) as u32) << at).sum();
        Some(layer.base + (low.wrapping_sub(layer.base) & 63))
    }
}

/// Returns the cost and the positions of each plane of costs above 1, from the largest cost to the smallest.
fn planes(
    free: &FreePositions,
    window: &Window,
    costs: &[(Aabb, u8)],
    len: usize,
) -> Vec<(usize, Vec<u64>)> {
    let mut planes: Vec<(usize, Vec<u64>)> = Vec::new();
    for (body, cost) in costs.iter().filter(|(_, cost)| *cost > 1) {
        let cost = usize::from(*cost);
        let at = planes.partition_point(|plane| plane.0 > cost);
        if planes.get(at).is_none_or(|plane| plane.0 != cost) {
            planes.insert(at, (cost, vec![0; len]));
        }
        window.mark(&mut planes[at].1, free.touching(body.min, body.max));
    }
    planes
}
