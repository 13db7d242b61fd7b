//! A world against its maps, pixel by pixel.

use glam::{IVec2, UVec2};

use super::{Placed, compose};
use crate::grid::{Grid, GridBuilder};
use crate::options::LoadOptions;
use crate::{Aabb, Dir, Level, Outside};

const CELLS: [[u32; 2]; 4] = [[1, 1], [2, 3], [4, 2], [4, 6]];

fn random_grid(random: &mut fastrand::Rng, size: UVec2, share: u8) -> Grid {
    let mut grid = Grid::new(size.x, size.y).unwrap();
    for row in 0..size.y {
        for column in 0..size.x {
            grid.set(column, row, random.u8(0..10) < share);
        }
    }
    grid
}

/// A map with solids, and by chance with one-way cells and an area, somewhere.
fn random_map(random: &mut fastrand::Rng, cell: UVec2, step: IVec2) -> Placed {
    let size = UVec2::new(random.u32(1..70), random.u32(1..6));
    let mut level = Level::from_grid(random_grid(random, size, 3), cell).unwrap();
    if random.bool() {
        for side in Dir::ALL {
            let guards = random_grid(random, size, 2);
            level = level.with_one_way(side, guards).unwrap();
        }
    }
    if random.bool() {
        let (grid, cell) = match random.bool() {
            true => (random_grid(random, size, 4), cell),
            false => (random_grid(random, size * cell, 4), UVec2::ONE),
        };
        level = level.with_areas(vec![(
            "sea".to_owned(),
            Level::from_grid(grid, cell).unwrap(),
        )]);
    }
    level.origin = IVec2::new(random.i32(-9..9), random.i32(-9..9)) * step;
    Placed {
        name: "m".to_owned(),
        position: IVec2::new(random.i32(-20..20), random.i32(-9..9)) * step,
        level: level.with_outside(Outside::Open),
    }
}

/// True if a pixel of the world is solid in a map.
fn is_solid(maps: &[Placed], of: impl Fn(&Level) -> Option<&Level>, pixel: IVec2) -> bool {
    maps.iter().any(|map| {
        let own = pixel - map.position - map.level.origin;
        of(&map.level).is_some_and(|level| level.is_solid(own))
    })
}

/// True if a pixel lies along the guarded side of a one-way cell of a map.
fn is_guarded(maps: &[Placed], side: Dir, pixel: IVec2) -> bool {
    maps.iter().any(|map| {
        let own = pixel - map.position - map.level.origin;
        let cell = map.level.cell_at(own);
        let beyond = map.level.cell_at(own + side.vector());
        let (Ok(column), Ok(row)) = (u32::try_from(cell.x), u32::try_from(cell.y)) else {
            return false;
        };
        let guards = map.level.one_way(side);
        beyond != cell && guards.is_some_and(|guards| guards.is_solid(column, row))
    })
}

#[test]
fn every_pixel_is_that_of_its_maps() {
    let mut random = fastrand::Rng::with_seed(11);
    let mut options = LoadOptions::default().with_outside(Outside::Open);
    options.allow_nothing_solid = true;
    let (mut whole, mut fine, mut guarded) = (0, 0, 0);
    for _ in 0..300 {
        let is_mixed = random.bool();
        let one = CELLS[random.usize(0..4)];
        let maps: Vec<Placed> = (0..random.usize(1..5))
            .map(|_| {
                let cell = if is_mixed {
                    CELLS[random.usize(0..4)]
                } else {
                    one
                };
                let step = if is_mixed { [1, 1] } else { one };
                random_map(&mut random, cell.into(), UVec2::from(step).as_ivec2())
            })
            .collect();
        let corner = |map: &Placed| map.position + map.level.origin;
        let min = maps.iter().map(corner).reduce(IVec2::min).unwrap();
        let ends = maps
            .iter()
            .map(|map| corner(map) + map.level.size().as_ivec2());
        let max = ends.reduce(IVec2::max).unwrap();
        let copies = maps.iter().map(|map| Placed {
            name: map.name.clone(),
            position: map.position,
            level: map.level.clone(),
        });
        let level = compose(copies.collect(), &options).unwrap();
        assert_eq!(level.size(), (max - min).as_uvec2());
        assert_eq!(level.origin(), min);
        for y in min.y..max.y {
            for x in min.x..max.x {
                let pixel = IVec2::new(x, y);
                let (own, solid) = (pixel - min, is_solid(&maps, |level| Some(level), pixel));
                assert_eq!(level.is_solid(own), solid);
                let sea = level.area("sea").is_some_and(|sea| sea.is_solid(own));
                assert_eq!(sea, is_solid(&maps, |level| level.area("sea"), pixel));
                for side in Dir::ALL {
                    let before = own + side.vector();
                    let body = Aabb::from_xywh(before.x, before.y, 1, 1);
                    let blocks = is_guarded(&maps, side, pixel);
                    guarded += u32::from(blocks && !solid);
                    let moves = level.can_move(body, side.opposite(), 1);
                    assert_eq!(moves, !solid && !blocks, "{pixel} {side:?}");
                }
            }
        }
        *(if level.cell_size() == UVec2::ONE {
            &mut fine
        } else {
            &mut whole
        }) += 1;
    }
    assert!(
        whole > 50 && fine > 50 && guarded > 50_000,
        "{whole}, {fine}, {guarded}"
    );
}

/// The solid cells of two small maps, and nothing for all that is between them.
#[test]
fn maps_that_lie_far_apart_are_one_level() {
    let map = |at: [i32; 2], cell| Placed {
        name: "m".to_owned(),
        position: at.into(),
        level: Level::from_grid(Grid::from_text("#.\n##").unwrap(), cell).unwrap(),
    };
    let far = [30_000_000, -29_000_000];
    for (cells, expected) in [
        ([[16, 16], [16, 16]], [16, 16]),
        ([[16, 16], [6, 16]], [2, 16]),
        ([[16, 16], [1, 1]], [1, 1]),
    ] {
        let maps = vec![map([0, 0], cells[0].into()), map(far, cells[1].into())];
        let level = compose(maps, &LoadOptions::default()).unwrap();
        assert_eq!(level.cell_size().to_array(), expected);
        assert!(level.memory_bytes() < 1 << 20, "{}", level.memory_bytes());
        let near = IVec2::new(0, 29_000_000);
        let last = IVec2::new(30_000_000, 0) + IVec2::from(cells[1].map(|side| side as i32)) - 1;
        let ends = [near, near + IVec2::new(31, 31), last];
        assert!(ends.iter().all(|pixel| level.is_solid(*pixel)), "{cells:?}");
        let gaps = [near + IVec2::new(16, 0), IVec2::new(15_000_000, 9)];
        let body = |pixel: IVec2| Aabb::from_xywh(pixel.x, pixel.y, 1, 1);
        assert!(!level.any_solid(body(gaps[0])) && !level.any_solid(body(gaps[1])));
        let sweep = level.sweep(body(near + IVec2::new(40, 20)), Dir::Left, 100);
        assert_eq!(sweep.moved, 8);
    }
}

/// A sparse grid is scaled like a dense one.
#[test]
fn scaled_grids_are_the_same_sparse_or_not() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..200 {
        let size = UVec2::new(random.u32(1..140), random.u32(1..140));
        let scale = UVec2::new(random.u32(1..5), random.u32(1..5));
        let at = UVec2::new(random.u32(0..90), random.u32(0..90));
        let edge = [None, Some(Dir::ALL[random.usize(0..4)])][random.usize(0..2)];
        let grid = random_grid(&mut random, size, 3);
        let all = at + size * scale;
        let made = |width| {
            let mut builder = GridBuilder::new(width, all.y).unwrap();
            builder.or_scaled(&grid, at, scale, edge).unwrap();
            builder.finish().unwrap()
        };
        // As wide as a dense grid cannot be.
        let (dense, sparse) = (made(all.x), made(1 << 26));
        let mut count = 0;
        for row in 0..all.y {
            for column in 0..all.x {
                let solid = dense.is_solid(column, row);
                count += u64::from(solid);
                assert_eq!(sparse.is_solid(column, row), solid);
            }
        }
        assert_eq!((dense.solid_count(), sparse.solid_count()), (count, count));
        let of_cell = match edge {
            None => scale.x * scale.y,
            Some(Dir::Up | Dir::Down) => scale.x,
            Some(_) => scale.y,
        };
        assert_eq!(count, grid.solid_count() * u64::from(of_cell));
    }
}
