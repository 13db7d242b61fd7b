//! The contract of `can_move` and `sweep`, pixel by pixel. An oracle without words, rows of cells and
//! division tricks must agree on a million random cases and on every grid of 4 x 4.

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Axis, Dir, Grid, Level, Outside, Sides};

use crate::support::{ascii, cells, rounds, tiles};

/// The level for the oracle: one bool for each cell, and the outside.
struct Oracle {
    cells: Vec<Vec<bool>>,
    cell: (i64, i64),
    outside: Sides<Outside>,
}

impl Oracle {
    fn new(grid: &Grid, cell: UVec2, outside: Sides<Outside>) -> Self {
        let row = |r| (0..grid.width()).map(|c| grid.is_solid(c, r)).collect();
        Self {
            cells: (0..grid.height()).map(row).collect(),
            cell: (i64::from(cell.x), i64::from(cell.y)),
            outside,
        }
    }

    fn size(&self) -> (i64, i64) {
        let (columns, rows) = (self.cells[0].len() as i64, self.cells.len() as i64);
        (columns * self.cell.0, rows * self.cell.1)
    }

    fn is_solid(&self, x: i64, y: i64) -> bool {
        let (width, height) = self.size();
        let beyond = [
            (x < 0, self.outside.left),
            (x >= width, self.outside.right),
            (y < 0, self.outside.up),
            (y >= height, self.outside.down),
        ];
        if beyond.iter().any(|(is_beyond, _)| *is_beyond) {
            return beyond
                .iter()
                .any(|(is_beyond, outside)| *is_beyond && *outside == Outside::Solid);
        }
        self.cells[(y / self.cell.1) as usize][(x / self.cell.0) as usize]
    }

    /// The distance that the body can move, and the cell that stops it. It visits every pixel of the strip,
    /// line by line. Lines beyond the level are alike, so only the first of them is visited.
    fn sweep(&self, body: Aabb, dir: Dir, step: u32) -> (u32, Option<IVec2>) {
        let (min, max) = (body.min.to_array(), body.max.to_array());
        let (along, across) = match dir.axis() {
            Axis::X => (0, 1),
            Axis::Y => (1, 0),
        };
        let size = [self.size().0, self.size().1];
        let (from, to) = (i64::from(min[across]), i64::from(max[across]));
        if from >= to {
            return (step, None);
        }
        let mut moved = 0;
        while moved < step {
            let line = if dir.is_positive() {
                i64::from(max[along]) + i64::from(moved)
            } else {
                i64::from(min[along]) - 1 - i64::from(moved)
            };
            if let Some(place) = self.first_on_line(dir.axis(), line, from, to, size[across]) {
                let pixel = match dir.axis() {
                    Axis::X => (line, place),
                    Axis::Y => (place, line),
                };
                let clamp = |cell: i64| cell.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
                let column = clamp(pixel.0.div_euclid(self.cell.0));
                let row = clamp(pixel.1.div_euclid(self.cell.1));
                return (moved, Some(IVec2::new(column, row)));
            }
            let lines_alike = match dir.is_positive() {
                true if line < 0 => -line,
                false if line >= size[along] => line - size[along] + 1,
                true if line >= size[along] => i64::from(step),
                false if line < 0 => i64::from(step),
                _ => 1,
            };
            moved = (i64::from(moved) + lines_alike).min(i64::from(step)) as u32;
        }
        (step, None)
    }

    /// The lowest solid place on a line of pixels that lies across `axis`.
    fn first_on_line(&self, axis: Axis, line: i64, from: i64, to: i64, size: i64) -> Option<i64> {
        let solid = |place: i64| match axis {
            Axis::X => self.is_solid(line, place),
            Axis::Y => self.is_solid(place, line),
        };
        // All places before the level are alike, and so are those after it.
        let before = (from < 0).then_some(from);
        let inside = from.max(0)..to.min(size);
        let after = (to > size).then_some(from.max(size));
        before.into_iter().chain(inside).chain(after).find(|place| solid(*place))
    }
}

fn check(level: &Level, oracle: &Oracle, body: Aabb, dir: Dir, step: u32) {
    let (moved, cell) = oracle.sweep(body, dir, step);
    let sweep = level.sweep(body, dir, step);
    let found = sweep.contact.map(|contact| (contact.cell, contact.normal));
    let expected = cell.map(|cell| (cell, -dir.vector()));
    let case = || format!("{body:?} {dir:?} {step} in {level:?}");
    assert_eq!((sweep.moved, found), (moved, expected), "{}", case());
    assert_eq!(sweep.leftover(), step - moved);
    assert_eq!(level.can_move(body, dir, step), cell.is_none(), "{}", case());
    assert!(level.can_move(body, dir, moved), "{}", case());
    assert!(moved == step || !level.can_move(body, dir, moved + 1), "{}", case());
    // Composition: in two parts it moves as far as in one, if the box after the first part is in the range.
    let first = step / 3;
    let between = body.shifted(dir, first);
    if between.width() == body.width() && between.height() == body.height() {
        let both = level.can_move(body, dir, first) && level.can_move(between, dir, step - first);
        assert_eq!(both, cell.is_none(), "{}", case());
    }
}

fn random_grid(random: &mut fastrand::Rng) -> Grid {
    let sides = [1, 2, 3, 31, 62, 63, 64, 65, 66, 127, 128, 129];
    let side = |random: &mut fastrand::Rng| match random.u8(0..3) {
        0 => sides[random.usize(0..sides.len())],
        1 => random.u32(1..=20),
        _ => random.u32(1..=200),
    };
    let mut grid = Grid::new(side(random), side(random)).unwrap();
    let solids = match random.u8(0..4) {
        0 => 0,
        1 => 1,
        _ => random.u64(0..=grid.cell_count().min(400)),
    };
    for _ in 0..solids {
        let (column, row) = (random.u32(0..grid.width()), random.u32(0..grid.height()));
        match random.u8(0..6) {
            0 => grid.fill(column..column + random.u32(1..9), row..row + 1, true).unwrap(),
            1 => grid.fill(column..column + 1, row..row + random.u32(1..9), true).unwrap(),
            _ => grid.set(column, row, true).unwrap(),
        }
    }
    grid
}

fn random_body(random: &mut fastrand::Rng, size: (i64, i64)) -> Aabb {
    let near = |random: &mut fastrand::Rng, side: i64| random.i64(-20..side + 20) as i32;
    let at = |random: &mut fastrand::Rng, side: i64| match random.u8(0..40) {
        0 => i32::MIN + random.i32(0..3),
        1 => i32::MAX - random.i32(0..40),
        2 => random.i32(i32::MIN..=i32::MAX),
        _ => near(random, side),
    };
    let extent = |random: &mut fastrand::Rng, side: i64| match random.u8(0..40) {
        0 => side as i32 + random.i32(0..9),
        1 => i32::MAX - random.i32(0..2),
        2 => 0,
        3..=20 => random.i32(1..9),
        _ => random.i32(1..40),
    };
    let (x, y) = (at(random, size.0), at(random, size.1));
    Aabb::from_xywh(x, y, extent(random, size.0), extent(random, size.1))
}

fn random_step(random: &mut fastrand::Rng) -> u32 {
    match random.u8(0..40) {
        0 => u32::MAX - random.u32(0..2),
        1 => i32::MAX as u32,
        2 => 0,
        3..=5 => random.u32(0..2_000),
        6..=20 => random.u32(1..9),
        _ => random.u32(0..70),
    }
}

fn random_outside(random: &mut fastrand::Rng) -> Sides<Outside> {
    let mut side = || match random.u8(0..2) {
        0 => Outside::Solid,
        _ => Outside::Open,
    };
    Sides { left: side(), right: side(), up: side(), down: side() }
}

/// 2,000 levels with 520 questions each, or a tenth of them, on all cores to keep the suite short.
#[test]
fn can_move_and_sweep_agree_with_a_pixel_oracle_on_random_cases() {
    let cases: u32 = std::thread::scope(|scope| {
        let part = |seed| scope.spawn(move || random_cases(seed, rounds(500)));
        let parts: Vec<_> = (0..4).map(part).collect();
        parts.into_iter().map(|part| part.join().unwrap()).sum()
    });
    assert!(cases as usize >= rounds(1_000_000));
}

fn random_cases(seed: u64, levels: usize) -> u32 {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut cases = 0;
    for _ in 0..levels {
        let grid = random_grid(&mut random);
        let cells = [UVec2::ONE, UVec2::new(16, 16), UVec2::new(7, 13)];
        let cell = cells[random.usize(0..3)];
        let outside = match random.u8(0..3) {
            0 => Outside::Solid.into(),
            1 => Outside::Open.into(),
            _ => random_outside(&mut random),
        };
        let oracle = Oracle::new(&grid, cell, outside);
        let level = Level::from_grid(grid, cell).unwrap().with_outside(outside);
        for _ in 0..520 {
            let body = random_body(&mut random, oracle.size());
            let dir = Dir::ALL[random.usize(0..4)];
            let step = random_step(&mut random);
            check(&level, &oracle, body, dir, step);
            check_area(&level, &oracle, body);
            cases += 1;
        }
    }
    cases
}

/// Rectangle and point queries against every pixel, where the rectangle is small enough to visit.
fn check_area(level: &Level, oracle: &Oracle, area: Aabb) {
    let corner = area.min;
    let solid = oracle.is_solid(i64::from(corner.x), i64::from(corner.y));
    assert_eq!(level.is_solid(corner), solid);
    if u64::from(area.width()) * u64::from(area.height()) < 500 {
        let any = (area.min.y..area.max.y)
            .any(|y| (area.min.x..area.max.x).any(|x| oracle.is_solid(i64::from(x), i64::from(y))));
        assert_eq!(level.overlaps(area), any);
    }
}

/// Every grid, or every eleventh. Eleven is odd, so each cell is solid in half of them.
#[test]
fn can_move_and_sweep_agree_with_a_pixel_oracle_on_every_grid_of_4_by_4() {
    let distance = ((1 << 16) / rounds(1 << 16)) | 1;
    std::thread::scope(|scope| {
        for part in 0..4u32 {
            scope.spawn(move || {
                for bits in ((part << 14)..(part + 1) << 14).step_by(distance) {
                    every_move_in(bits);
                }
            });
        }
    });
}

fn every_move_in(bits: u32) {
    let mut grid = Grid::new(4, 4).unwrap();
    for cell in 0..16 {
        grid.set(cell % 4, cell / 4, bits >> cell & 1 == 1).unwrap();
    }
    let outside = match bits % 3 {
        0 => Outside::Open,
        _ => Outside::Solid,
    };
    let oracle = Oracle::new(&grid, UVec2::ONE, outside.into());
    let level = cells(grid, 1).with_outside(outside);
    for (w, h) in [(1, 1), (2, 3), (4, 2), (6, 6)] {
        for y in -1..5 {
            for x in -1..5 {
                for dir in Dir::ALL {
                    check(&level, &oracle, Aabb::from_xywh(x, y, w, h), dir, 5);
                }
            }
        }
    }
}

#[test]
fn a_step_of_zero_is_always_allowed() {
    let level = ascii("#");
    for x in [i32::MIN, -1, 0, 1, i32::MAX] {
        for dir in Dir::ALL {
            assert!(level.can_move(Aabb::from_xywh(x, x, 1, 1), dir, 0));
        }
    }
}

#[test]
fn a_body_in_a_wall_may_leave_it_but_not_go_on_through_it() {
    let level = ascii("..###..");
    let body = Aabb::from_xywh(1, 0, 2, 1);
    assert!(level.overlaps(body));
    assert!(level.can_move(body, Dir::Left, 1));
    assert!(!level.can_move(body, Dir::Right, 1));
}

#[test]
fn a_body_that_touches_a_solid_does_not_overlap_it() {
    let level = tiles("...#", 10);
    let touching = Aabb::from_xywh(20, 0, 10, 10);
    assert!(!level.overlaps(touching));
    assert!(level.can_move(Aabb::from_xywh(0, 0, 10, 10), Dir::Right, 20));
    assert!(!level.can_move(Aabb::from_xywh(0, 0, 10, 10), Dir::Right, 21));
}

#[test]
fn eight_threads_get_the_same_sweeps_from_one_level() {
    let mut random = fastrand::Rng::with_seed(99);
    let level = Level::from_grid(random_grid(&mut random), UVec2::new(7, 13)).unwrap();
    let size = (i64::from(level.size().x), i64::from(level.size().y));
    let questions: Vec<_> = (0..20_000)
        .map(|_| {
            let dir = Dir::ALL[random.usize(0..4)];
            (random_body(&mut random, size), dir, random_step(&mut random))
        })
        .collect();
    let answers = || -> Vec<_> {
        let answer = |&(body, dir, step)| level.sweep(body, dir, step);
        questions.iter().map(answer).collect()
    };
    let expected = answers();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(answers(), expected));
        }
    });
}
