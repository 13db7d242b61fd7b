//! One-way cells against an oracle that visits every pixel: a cell blocks only the crossing of its guarded
//! edge, from the open side.

use std::iter::repeat_with;

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Dir, Grid, Level, Outside, Sides};

use crate::movement::oracle::{line, pixels};
use crate::movement::random::Plan;
use crate::support::{grid, rounds};

/// The distance that a body moves, and the lowest cell on the first line of pixels with one that stops it.
fn sweep(plan: &Plan, body: Aabb, dir: Dir, step: u32) -> (u32, Option<IVec2>) {
    let stops = |pixel: &IVec2| plan.stops(*pixel, dir, Sides::all(true));
    for moved in 0..step {
        if let Some(pixel) = pixels(line(body.shifted(dir, moved), dir)).find(stops) {
            return (moved, Some(pixel.div_euclid(plan.cell)));
        }
    }
    (step, None)
}

#[test]
fn sweeps_among_one_way_cells_agree_with_a_pixel_oracle() {
    let mut random = fastrand::Rng::with_seed(8);
    let (mut stopped, mut by_guard) = (0, 0);
    for _ in 0..rounds(400) {
        let has_guards = |plan: &Plan| plan.guards.iter().any(|cells| cells.contains(&true));
        let plan = repeat_with(|| Plan::random(&mut random)).find(has_guards).unwrap();
        let (tiles, pixels) = (plan.level(), plan.in_pixels().level());
        let size = tiles.size().as_ivec2();
        for _ in 0..500 {
            let (x, y) = (random.i32(-12..size.x + 8), random.i32(-12..size.y + 8));
            let body = Aabb::from_xywh(x, y, random.i32(1..12), random.i32(1..12));
            let (dir, step) = (Dir::ALL[random.usize(0..4)], random.u32(0..30));
            let case = || format!("{body:?} {dir:?} {step} in {plan}");
            let (moved, cell) = sweep(&plan, body, dir, step);
            for (level, cell_size) in [(&tiles, IVec2::ONE), (&pixels, plan.cell)] {
                let sweep = level.sweep(body, dir, step);
                let found = sweep.contact.map(|contact| contact.cell.div_euclid(cell_size));
                assert_eq!((sweep.moved, found), (moved, cell), "{}", case());
                let normal = sweep.contact.map(|contact| contact.normal);
                assert_eq!(normal, cell.map(|_| -dir.vector()), "{}", case());
                assert_eq!(level.can_move(body, dir, step), moved == step, "{}", case());
                let first = random.u32(0..=step);
                let then = body.shifted(dir, first);
                let in_two_parts =
                    level.can_move(body, dir, first) && level.can_move(then, dir, step - first);
                assert_eq!(in_two_parts, moved == step, "{}", case());
            }
            stopped += usize::from(moved < step);
            by_guard += usize::from(cell.is_some_and(|cell| !plan.is_solid(cell * plan.cell)));
        }
    }
    assert!(stopped > rounds(50_000) && by_guard > rounds(10_000), "{stopped}, {by_guard}");
}

#[test]
fn sweeps_among_one_way_cells_are_exact_at_the_ends_of_the_i32_range() {
    let level = Level::from_grid(Grid::new(3, 3).unwrap(), UVec2::new(5, 9)).unwrap();
    let mut level = level.with_outside(Outside::Open);
    for side in Dir::ALL {
        level = level.with_one_way(side, grid("###\n###\n###")).unwrap();
    }
    for dir in Dir::ALL {
        for at in [i32::MIN, i32::MIN + 1, -1, 0, i32::MAX - 7, i32::MAX] {
            let body = Aabb::from_xywh(at, at, 6, 6);
            for step in [0, 1, u32::MAX - 1, u32::MAX] {
                let sweep = level.sweep(body, dir, step);
                assert_eq!(sweep.moved == step, level.can_move(body, dir, step));
            }
        }
        let far = Aabb::from_xywh(1, 1, 2, 2).shifted(dir.opposite(), 2_000_000_000);
        let to_edge = match dir {
            Dir::Right | Dir::Down => 3,
            Dir::Left => 15 - 1,
            Dir::Up => 27 - 1,
        };
        assert_eq!(level.sweep(far, dir, u32::MAX).moved, 2_000_000_000 - to_edge);
    }
}
