//! [`Field`]: the distance from each position to its nearest goal, and the next step of a shortest way there,
//! for many bodies. A field is searched once, from the goals outward, and never follows later edits.
//!
//! In a level of tiles, the search follows the lattice of the lines where runs of free positions end
//! ([`LatticeDistances`]). In masks and fine grids most lines are such lines, and costs of single positions do
//! not fit between lines. There the search handles blocks of 8 x 8 positions as words of 64 bits.

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
        let nearest = self.nearest_beside(at);
        let [x, y] = [IVec2::X, IVec2::Y].map(|one| {
            let is_nearest = |step: &IVec2| self.distance(at + *step) == nearest;
            [one, -one].into_iter().find(is_nearest)
        });
        let (Some(along), Some(down)) = (x, y) else {
            return x.or(y);
        };
        let beyond = self.distance(at + along + down);
        let is_nearer = beyond.is_some_and(|beyond| Some(beyond) < nearest);
        let is_shortest = |side: IVec2| !self.has_costs || self.nearest_beside(at + side) == beyond;
        if self.diagonal && is_nearer && is_shortest(along) && is_shortest(down) {
            return Some(along + down);
        }
        x
    }

    /// The smallest distance of the four positions beside `at`.
    fn nearest_beside(&self, at: IVec2) -> Option<u32> {
        [IVec2::X, IVec2::NEG_X, IVec2::Y, IVec2::NEG_Y]
            .into_iter()
            .filter_map(|step| self.distance(at + step))
            .min()
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
        let free = self.unblocked();
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
    /// The six bits of the distance of each position, less `base`.
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
        for y in 0..self.size.y {
            let line = &mut blocks[(y as usize / 8 + 1) * width + 1..][..width - 2];
            for (x, part) in (0..).step_by(64).zip(line.chunks_mut(8)) {
                let word = free.rows.load(self.start.x + x, self.start.y + y);
                for (at, block) in part.iter_mut().enumerate() {
                    *block |= (word >> (8 * at) & 0xff) << (y % 8 * 8);
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
    /// The free positions that no step has reached, by blocks.
    open: Vec<u64>,
    /// The positions that the current steps reach, by blocks.
    next: Vec<u64>,
    /// The blocks in which `next` has bits.
    touched: Vec<usize>,
}

impl Wave {
    #[inline(always)]
    fn reach(&mut self, at: usize, bits: u64) {
        let new = bits & self.open[at];
        if new == 0 {
            return;
        }
        self.open[at] ^= new;
        if self.next[at] == 0 {
            self.touched.push(at);
        }
        self.next[at] |= new;
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
        let mut found = Self { newest: vec![NONE; open.len()], layers: Vec::new(), window };
        let [width, _] = found.window.blocks();
        let mut wave = Wave { width, next: vec![0; open.len()], open, touched: Vec::new() };
        for (at, bit) in goals.iter().filter_map(|goal| found.window.at(*goal)) {
            wave.reach(at, 1 << bit);
        }
        // The blocks and bits at the current distance and at each of the next distances.
        let most = costs.first().map_or(1, |plane| plane.0);
        let mut ring = vec![Vec::new(); most + 1];
        ring[0].extend(wave.touched.drain(..).map(|at| (at, std::mem::take(&mut wave.next[at]))));
        let mut waiting = ring[0].len();
        let mut slot = 0;
        for distance in 0..=radius {
            if waiting == 0 {
                break;
            }
            let mut front = std::mem::take(&mut ring[slot]);
            waiting -= front.len();
            for (at, bits) in front.drain(..) {
                found.store(at, bits, distance);
                wave.spread(at, bits);
            }
            ring[slot] = front;
            for at in wave.touched.drain(..) {
                let mut new = std::mem::take(&mut wave.next[at]);
                for (cost, plane) in &costs {
                    let part = new & plane[at];
                    if part != 0 {
                        new ^= part;
                        ring[(slot + cost) % (most + 1)].push((at, part));
                        waiting += 1;
                    }
                }
                if new != 0 {
                    ring[(slot + 1) % (most + 1)].push((at, new));
                    waiting += 1;
                }
            }
            slot = (slot + 1) % (most + 1);
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
        let past = u64::from(distance - layer.base);
        for (at, plane) in layer.bits.iter_mut().enumerate() {
            *plane |= bits & (past >> at & 1).wrapping_neg();
        }
    }

    #[inline]
    fn distance(&self, place: IVec2) -> Option<u32> {
        let (at, bit) = self.window.at(place)?;
        let mut layer = self.layers.get(self.newest[at] as usize)?;
        while layer.reached >> bit & 1 == 0 {
            layer = self.layers.get(layer.next as usize)?;
        }
        let bits = layer.bits.iter().enumerate();
        Some(layer.base + bits.map(|(at, plane)| ((plane >> bit & 1) as u32) << at).sum::<u32>())
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
