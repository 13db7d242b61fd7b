//! [`Field`]: the distance from each position to its nearest goal, and the next step of a shortest way there,
//! for many bodies. A field is searched once, from the goals outward, and never follows later edits.
//!
//! In a level of tiles, the search follows the lattice of the lines where runs of free positions end
//! ([`LatticeDistances`]). In masks and fine grids most lines are such lines, and costs of single positions
//! do not fit between lines. There the search handles blocks of 8 x 8 positions as words of 64 bits.

use std::borrow::Cow;
use std::cmp::Reverse;

use glam::{IVec2, UVec2};

use super::Ways;
use crate::geometry::Aabb;
use crate::terrain::{BitPlane, FreePositions, LatticeDistances};

/// The shortest way from each position to the nearest of several goals, for many bodies of the same size.
/// Made by [`Ways::field`].
///
/// A field does not change with later edits of the level. After an edit, a step can lead into a solid; a
/// [`Mover`](crate::Mover) stops there.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
enum Distances {
    Lattice(LatticeDistances),
    Blocks(Blocks),
}

impl Field {
    /// Returns the next step of one pixel on a shortest way from position `at` to the nearest goal. The step
    /// can be diagonal.
    ///
    /// Returns `None` at a goal, and at a position without a distance.
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

    /// Returns the length of the shortest way from position `at` to the nearest goal in straight steps; 0 at
    /// a goal.
    ///
    /// A diagonal step counts as two steps. In a field with costs this is the sum of the costs: see
    /// [`Ways::field_with_costs`]. Returns `None` if no goal can be reached from `at`, if `at` is not free,
    /// or if it is outside the radius of [`Ways::field_within`]. O(1).
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
    /// The result in the radius is that of [`Ways::field`], in a time that depends mostly on the radius. In a
    /// mask, a copy of the free positions in blocks is made first: O(words).
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
    /// assert_eq!(field.distance(IVec2::new(28, 10)), Some(2 * 4 + 10), "2 steps in the mud");
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
        let has_costs = !costs.is_empty();
        let on_lattice = if has_costs { None } else { free.distances(&goals, radius) };
        let distances = match on_lattice {
            Some(lattice) => Distances::Lattice(lattice),
            None => Distances::Blocks(Blocks::new(&free, &goals, radius, costs)),
        };
        Field { origin: free.origin, diagonal: self.has_diagonals, has_costs, radius, distances }
    }
}

/// The distances of positions in blocks of 8 x 8. The positions at a distance form diagonal lines in most
/// places, so that about 8 of them are in a block, and only one or two in a word of a row.
#[derive(Clone, Debug)]
struct Blocks {
    /// The number of columns and rows of positions.
    size: IVec2,
    /// The number of the newest layer of each block, or [`NONE`].
    newest: Vec<u32>,
    layers: Vec<DistanceLayer>,
}

const NONE: u32 = u32::MAX;

/// The positions of a block with distances from `base` to `base + 63`. Almost every block has only one layer,
/// because the distances of neighbours differ by the cost of a step. A thin wall or high costs can make more.
#[derive(Clone, Debug)]
struct DistanceLayer {
    base: u32,
    /// The number of the block's layer with smaller distances, or [`NONE`].
    next: u32,
    /// The positions with distances in this layer. Position (x, y) of the block is bit 8 y + x.
    reached: u64,
    /// The lowest six bits of the distance of each position.
    bits: [u64; 6],
}

/// The number of blocks in a row. A block without free positions is before the first one and after the last.
fn width(size: IVec2) -> usize {
    size.x as usize / 8 + 3
}

/// Returns the index of the block of a position, and the number of its bit.
fn find(size: IVec2, at: IVec2) -> (usize, u32) {
    let UVec2 { x, y } = at.as_uvec2();
    ((y as usize / 8 + 1) * width(size) + x as usize / 8 + 1, y % 8 * 8 + x % 8)
}

/// Returns the free positions as blocks of 8 x 8 bits.
fn blocks_of(rows: &BitPlane) -> Vec<u64> {
    let size = IVec2::new(rows.len, rows.count);
    let mut blocks = vec![0; width(size) * (size.y as usize / 8 + 3)];
    for y in 0..size.y {
        for x in (0..size.x).step_by(64) {
            let (first, bit) = find(size, IVec2::new(x, y));
            let bytes = rows.load(x, y).to_le_bytes();
            // Behind the last block of a row there are no free positions.
            for (block, byte) in blocks[first..].iter_mut().zip(bytes) {
                *block |= u64::from(byte) << bit;
            }
        }
    }
    blocks
}

/// Returns the costs above 1 from the largest to the smallest, each with the positions that cost less.
fn cheaper(free: &FreePositions, costs: &[(Aabb, u8)]) -> Vec<(usize, Vec<u64>)> {
    let mut costs: Vec<_> = costs.iter().filter(|(_, cost)| *cost > 1).collect();
    costs.sort_unstable_by_key(|(_, cost)| Reverse(*cost));
    let mut left = free.clone();
    let groups = costs.chunk_by(|one, other| one.1 == other.1).map(|group| {
        for (body, _) in group {
            left.block(&free.touching(body.min, body.max));
        }
        (usize::from(group[0].1), blocks_of(&left.rows))
    });
    groups.collect()
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
    touched: Vec<usize>,
}

impl Wave {
    #[inline(always)]
    fn reach(&mut self, at: usize, bits: u64) {
        let [open, next] = &mut self.blocks[at];
        let new = bits & *open;
        if new != 0 {
            *open ^= new;
            if *next == 0 {
                self.touched.push(at);
            }
            *next |= new;
        }
    }

    /// Reaches the positions beside those of block `at` with 1 bits.
    #[inline(always)]
    fn spread(&mut self, at: usize, bits: u64) {
        self.reach(at, (bits & !RIGHT) << 1 | (bits & !LEFT) >> 1 | bits << 8 | bits >> 8);
        for (beside, bits) in [
            (at + 1, (bits & RIGHT) >> 7),
            (at - 1, (bits & LEFT) << 7),
            (at + self.width, bits >> 56),
            (at - self.width, bits << 56),
        ] {
            if bits != 0 {
                self.reach(beside, bits);
            }
        }
    }
}

impl Blocks {
    /// A breadth-first search from `goals`. A position that costs more than 1 is reached at once, because no
    /// other way to it is shorter, and its step is made later by its cost.
    fn new(free: &FreePositions, goals: &[IVec2], radius: u32, costs: &[(Aabb, u8)]) -> Self {
        let size = IVec2::new(free.rows.len, free.rows.count);
        let blocks: Vec<_> = blocks_of(&free.rows).into_iter().map(|open| [open, 0]).collect();
        let mut found = Self { size, newest: vec![NONE; blocks.len()], layers: Vec::new() };
        let costs = cheaper(free, costs);
        // The blocks and positions at the current distance and at each of the next distances.
        let mut ring = vec![Vec::new(); costs.first().map_or(1, |largest| largest.0) + 1];
        let mut wave = Wave { width: width(size), blocks, touched: Vec::new() };
        for (at, bit) in goals.iter().map(|goal| find(size, *goal)) {
            let open = &mut wave.blocks[at][0];
            ring[0].push((at, *open & 1 << bit));
            *open &= !(1 << bit);
        }
        for distance in 0..=radius {
            if ring.iter().all(Vec::is_empty) {
                break;
            }
            for (at, bits) in ring[0].drain(..) {
                found.store(at, bits, distance);
                wave.spread(at, bits);
            }
            ring.rotate_left(1);
            for at in wave.touched.drain(..) {
                let mut new = std::mem::take(&mut wave.blocks[at][1]);
                for (cost, cheaper) in &costs {
                    let part = new & !cheaper[at];
                    if part != 0 {
                        ring[cost - 1].push((at, part));
                    }
                    new ^= part;
                }
                if new != 0 {
                    ring[0].push((at, new));
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
            self.layers.push(DistanceLayer { base: distance, next, reached: 0, bits: [0; 6] });
        }
        let layer = &mut self.layers[self.newest[at] as usize];
        layer.reached |= bits;
        for (at, plane) in layer.bits.iter_mut().enumerate() {
            *plane |= bits & u64::from(distance >> at & 1).wrapping_neg();
        }
    }

    #[inline]
    fn distance(&self, place: IVec2) -> Option<u32> {
        if place.cmplt(IVec2::ZERO).any() || place.cmpge(self.size).any() {
            return None;
        }
        let (at, bit) = find(self.size, place);
        let mut layer = self.layers.get(self.newest[at] as usize)?;
        while layer.reached >> bit & 1 == 0 {
            layer = self.layers.get(layer.next as usize)?;
        }
        let planes = layer.bits.iter().enumerate();
        let low: u32 = planes.map(|(at, plane)| ((plane >> bit & 1) as u32) << at).sum();
        Some(layer.base + (low.wrapping_sub(layer.base) & 63))
    }
}
