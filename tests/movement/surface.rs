//! The normal of a surface of pixels is tested against the slope from which the pixels were drawn.

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Dir, Footprint, Grid, Level, Mover, MoverSettings, Outside};

use crate::movement::random::{Plan, Symmetry, settings};
use crate::support::{ascii, cells, rounds};

/// Creates a level in which the pixels are solid whose centres lie below a line. The line rises by `rise`
/// pixels for each `run` pixels to the right, and passes `phase` hundredths of a pixel above row 300 in
/// column 0.
fn slope(rise: i32, run: i32, phase: i32, is_one_way: bool) -> Level {
    let size = UVec2::new(100, 700);
    let mut grid = Grid::new(size.x, size.y).unwrap();
    for column in 0..size.x as i32 {
        // The first row whose centre lies on the line or below it.
        let twice_run = 2 * run * 100;
        let line = 300 * twice_run - 2 * run * phase - 100 * rise * (2 * column - 99);
        let row = (line - run * 100).div_euclid(twice_run) + 1;
        let (column, row) = (column as u32, row.clamp(0, 699) as u32);
        let end = if is_one_way { row + 1 } else { size.y };
        grid.fill(column..column + 1, row..end, true).unwrap();
    }
    if is_one_way {
        let level = cells(Grid::new(size.x, size.y).unwrap(), 1);
        return level.with_one_way(Dir::Up, grid).unwrap();
    }
    cells(grid, 1)
}

/// Creates a body that has fallen onto the floor in the middle of the level.
fn fallen(level: &Level, size: [i32; 2]) -> Mover {
    let body = Aabb::from_xywh(45, 0, size[0], size[1]);
    let body = body.shifted(Dir::Down, level.sweep(body, Dir::Down, 700).moved);
    Mover::new(body, MoverSettings::platformer())
}

/// Returns the angle in degrees between `normal` and the normal of a slope with this rise and run.
fn error(normal: IVec2, rise: i32, run: i32) -> f64 {
    let angle = f64::from(-normal.x).atan2(f64::from(-normal.y));
    (angle - f64::from(rise).atan2(f64::from(run))).to_degrees().abs()
}

#[test]
fn the_normal_of_a_slope_of_1_to_4_up_to_4_to_1_is_within_one_degree_and_a_half() {
    let mut worst = (0.0, 0, 0);
    for (rise, run) in (4..=16).map(|at| (at, 16)).chain((1..=16).map(|at| (16, at)).skip(3)) {
        for phase in (0..100).step_by(7) {
            for (rise, is_one_way) in [(rise, false), (-rise, false), (rise, true)] {
                let level = slope(rise, run, phase, is_one_way);
                for size in [[1, 1], [5, 9], [12, 20]] {
                    let mover = fallen(&level, size);
                    let normal = mover.floor_normal(&level).unwrap();
                    let error = error(normal, rise, run);
                    if error > worst.0 {
                        worst = (error, rise, run);
                    }
                    if rise % run == 0 {
                        assert_eq!(normal, IVec2::new(-rise / run, -1), "{rise}:{run} {size:?}");
                    }
                }
            }
        }
    }
    assert!(worst.0 < 1.5, "{worst:?}");
}

#[test]
fn a_disc_has_the_normal_of_the_slope_under_it() {
    let disc = Footprint::circle(12).unwrap();
    for (rise, run) in [(1, 4), (1, 2), (1, 1), (2, 1), (-1, 1), (-1, 3)] {
        let level = slope(rise, run, 0, false);
        let body = disc.bounds(IVec2::new(45, 0));
        let fall = level.sweep(disc.at(body.min), Dir::Down, 700).moved;
        let mover = Mover::new(body.shifted(Dir::Down, fall), MoverSettings::platformer());
        let normal = mover.floor_normal(&level.with_footprint(&disc)).unwrap();
        assert!(error(normal, rise, run) < 3.0, "{rise}:{run} {normal}");
    }
}

#[test]
fn steps_walls_and_edges_do_not_tilt_the_normal_of_a_level_floor() {
    let level = ascii(
        "....................\n....................\n..................##\n.............#######\n\
         .............#######\n.............#######\n#############.......\n#############.......\n\
         #############.......",
    )
    .with_outside(Outside::Open);
    // The floor is at row 6 up to column 13, then at row 3, with a step of one pixel at column 18.
    for x in 0..=11 {
        let mover = Mover::new(Aabb::from_xywh(x, 4, 2, 2), MoverSettings::platformer());
        assert_eq!(mover.floor_normal(&level), Some(IVec2::NEG_Y), "{x}");
        assert_eq!(mover.surface_normal(&level, Dir::Up), None);
    }
    let mover = Mover::new(Aabb::from_xywh(11, 4, 2, 2), MoverSettings::platformer());
    assert_eq!(mover.surface_normal(&level, Dir::Right), Some(IVec2::NEG_X));
    assert_eq!(Mover::new(mover.body, MoverSettings::PLAIN).floor_normal(&level), None);
    let air = Mover::new(Aabb::from_xywh(3, 2, 2, 2), MoverSettings::platformer());
    assert_eq!(air.floor_normal(&level), None);
}

#[test]
fn a_mirrored_or_turned_level_has_the_mirrored_or_turned_normal() {
    let mut random = fastrand::Rng::with_seed(95);
    let mut tilted = 0;
    for _ in 0..rounds(2_000) {
        let plan = Plan::random(&mut random);
        let (level, size) = (plan.level(), plan.size * plan.cell);
        for symmetry in Symmetry::ALL {
            let other = symmetry.plan(&plan).level();
            for _ in 0..10 {
                let settings = settings(&mut random);
                let mover = plan.mover(&mut random, &level, settings);
                let dir = settings.floor.unwrap_or(Dir::ALL[random.usize(0..4)]);
                let normal = mover.surface_normal(&level, dir);
                let seen = symmetry.mover(mover, size).surface_normal(&other, symmetry.dir(dir));
                assert_eq!(seen, normal.map(|normal| symmetry.vector(normal)), "{plan}{mover:?}");
                let Some(normal) = normal else {
                    continue;
                };
                assert!((normal * -dir.vector()).element_sum() > 0, "{normal} {dir:?}");
                tilted += usize::from(normal.x != 0 && normal.y != 0);
            }
        }
    }
    assert!(tilted > rounds(2_000) / 2, "{tilted}");
}

#[test]
fn the_floor_normal_at_the_ends_of_the_range_is_level() {
    let level = cells(Grid::new(9, 9).unwrap(), 1);
    for at in [i32::MIN, i32::MIN + 1, i32::MAX - 7, i32::MAX] {
        for dir in Dir::ALL {
            let settings = MoverSettings { floor: Some(dir), ..MoverSettings::platformer() };
            let mover = Mover::new(Aabb::from_xywh(at, at, 5, 5), settings);
            if let Some(normal) = mover.floor_normal(&level) {
                assert_eq!(normal, -dir.vector(), "{at} {dir:?}");
            }
        }
    }
}
