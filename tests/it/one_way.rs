//! One-way cells against an oracle that visits every pixel: a cell blocks only the crossing of its guarded
//! edge, from the open side.

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Axis, Dir, Grid, Level, Outside};

use crate::support::{grid, rounds};

/// A level as it is asked about: solid cells and cells that guard a side.
struct Oracle {
    solid: Grid,
    guards: [Grid; 4],
    cell: IVec2,
    outside: Outside,
}

impl Oracle {
    fn random(random: &mut fastrand::Rng) -> Self {
        let side = |random: &mut fastrand::Rng| match random.u8(0..4) {
            0 => random.u32(60..70),
            _ => random.u32(1..12),
        };
        let size = UVec2::new(side(random), side(random));
        let mut grid = |share: u8| {
            let mut grid = Grid::new(size.x, size.y).unwrap();
            for row in 0..size.y {
                for column in 0..size.x {
                    grid.set(column, row, random.u8(0..100) < share).unwrap();
                }
            }
            grid
        };
        let solid = grid(6);
        let guards = [grid(12), grid(12), grid(12), grid(3)];
        let cells = [[1, 1], [4, 4], [3, 7], [8, 2]];
        Self {
            solid,
            guards,
            cell: cells[random.usize(0..4)].into(),
            outside: [Outside::Open, Outside::Solid][random.usize(0..2)],
        }
    }

    fn guard(&self, side: Dir) -> &Grid {
        let index = Dir::ALL.iter().position(|dir| *dir == side).unwrap();
        &self.guards[index]
    }

    /// True if a pixel stops what comes into it toward `dir`: it is solid, or it lies along the side of a
    /// one-way cell that faces the mover.
    fn stops(&self, pixel: IVec2, dir: Dir) -> bool {
        let of = |pixel: IVec2| pixel.div_euclid(self.cell);
        let cell = of(pixel);
        let size = self.solid.size().as_ivec2();
        if cell.cmplt(IVec2::ZERO).any() || cell.cmpge(size).any() {
            return self.outside == Outside::Solid;
        }
        let is_at_edge = of(pixel - dir.vector()) != cell;
        let (column, row) = (cell.x as u32, cell.y as u32);
        let is_guarded = self.guard(dir.opposite()).is_solid(column, row);
        self.solid.is_solid(column, row) || (is_at_edge && is_guarded)
    }

    /// How far a body moves, and the cell that stops it: the first line of pixels on which one does, and on
    /// that the lowest.
    fn sweep(&self, body: Aabb, dir: Dir, step: u32) -> (u32, Option<IVec2>) {
        for moved in 0..step {
            let body = body.shifted(dir, moved);
            let mut line: Vec<IVec2> = match dir.axis() {
                Axis::X => (body.min.y..body.max.y).map(|y| IVec2::new(0, y)).collect(),
                Axis::Y => (body.min.x..body.max.x).map(|x| IVec2::new(x, 0)).collect(),
            };
            for pixel in &mut line {
                match dir {
                    Dir::Left => pixel.x = body.min.x - 1,
                    Dir::Right => pixel.x = body.max.x,
                    Dir::Up => pixel.y = body.min.y - 1,
                    Dir::Down => pixel.y = body.max.y,
                }
            }
            if let Some(pixel) = line.into_iter().find(|pixel| self.stops(*pixel, dir)) {
                return (moved, Some(pixel.div_euclid(self.cell)));
            }
        }
        (step, None)
    }

    fn level(&self) -> Level {
        let mut level = Level::from_grid(self.solid.clone(), self.cell.as_uvec2()).unwrap();
        for side in Dir::ALL {
            level = level.with_one_way(side, self.guard(side).clone()).unwrap();
        }
        level.with_outside(self.outside)
    }

    /// The same level with a cell for each pixel.
    fn in_pixels(&self) -> Level {
        let cell = self.cell.as_uvec2();
        let size = self.solid.size() * cell;
        let blank = || Grid::new(size.x, size.y).unwrap();
        let (mut solid, mut guards) = (blank(), [blank(), blank(), blank(), blank()]);
        for row in 0..self.solid.height() {
            for column in 0..self.solid.width() {
                let min = UVec2::new(column, row) * cell;
                let max = min + cell;
                if self.solid.is_solid(column, row) {
                    solid.fill(min.x..max.x, min.y..max.y, true).unwrap();
                }
                for (side, guards) in Dir::ALL.into_iter().zip(&mut guards) {
                    if self.guard(side).is_solid(column, row) {
                        match side {
                            Dir::Left => guards.fill(min.x..min.x + 1, min.y..max.y, true).unwrap(),
                            Dir::Right => {
                                guards.fill(max.x - 1..max.x, min.y..max.y, true).unwrap()
                            }
                            Dir::Up => guards.fill(min.x..max.x, min.y..min.y + 1, true).unwrap(),
                            Dir::Down => guards.fill(min.x..max.x, max.y - 1..max.y, true).unwrap(),
                        }
                    }
                }
            }
        }
        let mut level = Level::from_grid(solid, UVec2::ONE).unwrap();
        for (side, guards) in Dir::ALL.into_iter().zip(guards) {
            level = level.with_one_way(side, guards).unwrap();
        }
        level.with_outside(self.outside)
    }
}

#[test]
fn one_way_cells_answer_as_every_pixel_does() {
    let mut random = fastrand::Rng::with_seed(8);
    let (mut stopped, mut by_guard) = (0, 0);
    for _ in 0..rounds(400) {
        let oracle = Oracle::random(&mut random);
        let (tiles, pixels) = (oracle.level(), oracle.in_pixels());
        let size = tiles.size().as_ivec2();
        for _ in 0..500 {
            let place = |random: &mut fastrand::Rng, side: i32| random.i32(-12..side + 8);
            let body = Aabb::from_xywh(
                place(&mut random, size.x),
                place(&mut random, size.y),
                random.i32(1..12),
                random.i32(1..12),
            );
            let (dir, step) = (Dir::ALL[random.usize(0..4)], random.u32(0..30));
            let case = || format!("{body:?} {dir:?} {step} of cells {}", oracle.cell);
            let (moved, cell) = oracle.sweep(body, dir, step);
            let sweep = tiles.sweep(body, dir, step);
            let contact = sweep.contact.map(|contact| (contact.cell, contact.normal));
            let expected = cell.map(|cell| (cell, -dir.vector()));
            assert_eq!((sweep.moved, contact), (moved, expected), "{}", case());
            let sweep = pixels.sweep(body, dir, step);
            let cell = sweep.contact.map(|contact| contact.cell.div_euclid(oracle.cell));
            assert_eq!((sweep.moved, cell), (moved, expected.map(|(cell, _)| cell)), "{}", case());
            for level in [&tiles, &pixels] {
                assert_eq!(level.can_move(body, dir, step), moved == step, "{}", case());
                let first = random.u32(0..=step);
                let then = body.shifted(dir, first);
                let both =
                    level.can_move(body, dir, first) && level.can_move(then, dir, step - first);
                assert_eq!(both, moved == step, "{}", case());
            }
            stopped += usize::from(moved < step);
            by_guard += usize::from(expected.is_some_and(|(cell, _)| {
                oracle.outside == Outside::Open
                    && !oracle.solid.is_solid(cell.x as u32, cell.y as u32)
            }));
        }
    }
    assert!(stopped > rounds(50_000) && by_guard > rounds(10_000), "{stopped}, {by_guard}");
}

/// At the ends of the range of positions.
#[test]
fn one_way_cells_answer_everywhere() {
    let level = Level::from_grid(Grid::new(3, 3).unwrap(), UVec2::new(5, 9)).unwrap();
    let mut level = level.with_outside(Outside::Open);
    for side in Dir::ALL {
        let guards = grid("###\n###\n###");
        level = level.with_one_way(side, guards).unwrap();
    }
    for dir in Dir::ALL {
        for at in [i32::MIN, i32::MIN + 1, -1, 0, i32::MAX - 7, i32::MAX] {
            let body = Aabb::from_xywh(at, at, 6, 6);
            for step in [0, 1, u32::MAX - 1, u32::MAX] {
                let sweep = level.sweep(body, dir, step);
                assert_eq!(sweep.moved == step, level.can_move(body, dir, step));
            }
        }
        let through = Aabb::from_xywh(1, 1, 2, 2).shifted(dir.opposite(), 2_000_000_000);
        let sweep = level.sweep(through, dir, u32::MAX);
        let beyond = match dir {
            Dir::Right | Dir::Down => 3,
            Dir::Left => 15 - 1,
            Dir::Up => 27 - 1,
        };
        assert_eq!(sweep.moved, 2_000_000_000 - beyond);
    }
}
