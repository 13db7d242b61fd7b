//! Random numbers, levels, boxes and distances that are equal on every platform.

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Dir, Grid, Level, Outside, Sides};

/// The random number generator SplitMix64.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a random number from `low` up to, but not including, `high`.
    pub(super) fn within(&mut self, low: i64, high: i64) -> i64 {
        low + (self.bits() % (high - low).max(1) as u64) as i64
    }

    pub(super) fn int(&mut self, low: i32, high: i32) -> i32 {
        self.within(low.into(), high.into()) as i32
    }

    /// Returns true with a probability of 1 in `number`.
    pub(super) fn once_in(&mut self, number: u64) -> bool {
        self.bits().is_multiple_of(number)
    }

    pub(super) fn point(&mut self, low: IVec2, high: IVec2) -> IVec2 {
        IVec2::new(self.int(low.x, high.x), self.int(low.y, high.y))
    }

    pub(super) fn dir(&mut self) -> Dir {
        Dir::ALL[self.within(0, 4) as usize]
    }

    /// Returns a box in or near a level of `size` pixels; sometimes one far away, empty, or as large as
    /// possible.
    pub(super) fn body(&mut self, size: IVec2) -> Aabb {
        let at = self.point(IVec2::splat(-40), size.saturating_add(IVec2::splat(20)));
        match self.bits() % 64 {
            0 => Aabb { min: at, max: self.point(IVec2::MIN, IVec2::MAX) },
            1 => Aabb { min: self.point(IVec2::MIN, IVec2::MAX), max: at },
            2 => Aabb { min: IVec2::MIN, max: IVec2::MAX },
            3 => Aabb { min: at, max: at },
            4 => Aabb { min: IVec2::MAX - self.int(1, 50), max: IVec2::MAX },
            _ => Aabb::from_xywh(at.x, at.y, self.int(1, 30), self.int(1, 40)),
        }
    }

    /// Returns a distance in pixels: mostly below 24, sometimes far, rarely the largest.
    pub(super) fn distance(&mut self) -> u32 {
        match self.bits() % 64 {
            0 => u32::MAX,
            1 => self.bits() as u32,
            2..8 => self.within(0, 700) as u32,
            _ => self.within(0, 24) as u32,
        }
    }

    /// Returns a grid of noise, caves or thin walls.
    fn grid(&mut self, size: UVec2) -> Grid {
        let mut grid = Grid::new(size.x, size.y).expect("a small size");
        let (width, height) = (i64::from(size.x), i64::from(size.y));
        let kind = self.bits() % 3;
        for _ in 0..(width * height / 40).max(3) {
            let (x, y) = (self.within(0, width) as u32, self.within(0, height) as u32);
            let (right, down) = match kind {
                0 => (1, 1),
                1 => (self.within(2, 9) as u32, self.within(2, 9) as u32),
                _ if self.once_in(2) => (1, self.within(4, 30) as u32),
                _ => (self.within(4, 30) as u32, 1),
            };
            let solid = !self.once_in(8);
            grid.fill(x..x + right, y..y + down, solid).expect("a grid that is not sparse");
        }
        grid
    }

    /// Returns a piece of level of `size` cells of 1 x 1 or 2 x 3 pixels, some of them one-way from above.
    pub(super) fn piece(&mut self, size: UVec2) -> Level {
        let cell = if self.once_in(2) { UVec2::ONE } else { UVec2::new(2, 3) };
        let piece = Level::from_grid(self.grid(size), cell).expect("a small level");
        piece.with_one_way(Dir::Up, self.grid(size)).expect("a grid of its size")
    }

    /// Returns a level with cells of 1 x 1 to 24 x 12 pixels. Half of the levels have one-way cells and open
    /// sides.
    pub(super) fn level(&mut self) -> Level {
        let cells = [[1, 1], [1, 1], [2, 2], [16, 16], [3, 7], [8, 2], [24, 12], [5, 64]];
        let cell = UVec2::from(cells[self.within(0, 8) as usize]);
        let side = |random: &mut Self, cell: u32| {
            let sides = [1, 9, 31, 63, 64, 65, 128, 200, 300, 700];
            let side = sides[random.within(0, 10) as usize];
            if cell > 2 { side.min(65) } else { side }
        };
        let size = UVec2::new(side(self, cell.x), side(self, cell.y));
        let mut level = Level::from_grid(self.grid(size), cell).expect("a small level");
        if self.once_in(2) {
            for side in Dir::ALL {
                if self.once_in(2) {
                    level = level.with_one_way(side, self.grid(size)).expect("a grid of its size");
                }
            }
        }
        let mut outside = Sides::all(Outside::Solid);
        for side in Dir::ALL {
            if self.once_in(2) {
                outside = outside.with(side, Outside::Open);
            }
        }
        level.with_outside(outside)
    }
}
