//! The sweeps and overlaps of a footprint, compared with its single pixels.

use std::collections::HashSet;

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Dir, Footprint};

use crate::contract::model::{Model, random_grid, random_pixel};
use crate::support::{cells, grid};

fn random_footprint(random: &mut fastrand::Rng) -> Footprint {
    let mut side = || match random.u8(0..12) {
        0 => [63, 64, 65, 70][random.usize(0..4)],
        _ => random.u32(1..18),
    };
    let size = UVec2::new(side(), side());
    match random.u8(0..5) {
        0 => Footprint::rectangle(size).unwrap(),
        1 => Footprint::circle(size.x).unwrap(),
        2 => Footprint::capsule(size).unwrap(),
        _ => Footprint::from_grid(&random_grid(random, size))
            .unwrap_or_else(|_| Footprint::rectangle(size).unwrap()),
    }
}

/// Returns the level pixels that the footprint covers. Leaves out pixels beyond the range of positions.
fn pixels(body: &Footprint, at: IVec2) -> HashSet<(i64, i64)> {
    let size = body.size();
    let all = (0..size.y).flat_map(|y| (0..size.x).map(move |x| UVec2::new(x, y)));
    all.filter(|pixel| body.covers(*pixel))
        .map(|pixel| (i64::from(at.x) + i64::from(pixel.x), i64::from(at.y) + i64::from(pixel.y)))
        .filter(|(x, y)| *x < i64::from(i32::MAX) && *y < i64::from(i32::MAX))
        .collect()
}

/// Sweeps the footprint pixel by pixel: tests each pixel ahead of it that it does not cover yet.
fn sweep(model: &Model, body: &Footprint, at: IVec2, dir: Dir, step: u32) -> (u32, Option<IVec2>) {
    let covered = pixels(body, at);
    let (dx, dy) = (i64::from(dir.vector().x), i64::from(dir.vector().y));
    let leading = covered.iter().map(|(x, y)| (x + dx, y + dy));
    let leading: Vec<_> = leading.filter(|pixel| !covered.contains(pixel)).collect();
    for moved in 0..step {
        let by = i64::from(moved);
        let met = leading.iter().map(|(x, y)| (x + dx * by, y + dy * by));
        let met = met.filter(|(x, y)| model.stops(*x, *y, dir, true));
        let cells = met.map(|(x, y)| model.cell_of(x, y));
        if let Some(cell) = cells.min_by_key(|cell| (cell.y, cell.x)) {
            return (moved, Some(cell));
        }
    }
    (step, None)
}

#[test]
fn a_sweep_of_a_footprint_agrees_with_a_sweep_of_its_pixels() {
    let mut random = fastrand::Rng::with_seed(41);
    for _ in 0..2_500 {
        let model = Model::random(&mut random);
        let level = model.level();
        for _ in 0..3 {
            let body = random_footprint(&mut random);
            let at = random_pixel(&mut random, &model);
            let step = random.u32(0..40);
            for dir in Dir::ALL {
                let case = || format!("{body:?} {at} {dir:?} {step} {level:?}");
                let (moved, cell) = sweep(&model, &body, at, dir, step);
                let found = level.sweep(body.at(at), dir, step);
                assert_eq!((found.step, found.moved), (step, moved), "{}", case());
                let contact = found.contact.map(|contact| (contact.cell, contact.normal));
                assert_eq!(contact, cell.map(|cell| (cell, -dir.vector())), "{}", case());
                let clear = level.can_move(body.at(at), dir, step);
                assert_eq!(clear, cell.is_none(), "{}", case());
                assert!(level.can_move(body.at(at), dir, moved), "{}", case());

                // A move in two parts must go as far as the whole move.
                let first = random.u32(0..=step);
                let between = at.checked_add(dir.vector() * first as i32);
                let size = body.size().as_ivec2();
                if let Some(between) = between
                    && between.checked_add(size).is_some()
                    && at.checked_add(size).is_some()
                {
                    let both = level.can_move(body.at(at), dir, first)
                        && level.can_move(body.at(between), dir, step - first);
                    assert_eq!(both, clear, "{}", case());
                }
            }
        }
    }
}

#[test]
fn a_full_rectangular_footprint_gives_the_same_answers_as_a_box() {
    let mut random = fastrand::Rng::with_seed(43);
    for _ in 0..3_000 {
        let model = Model::random(&mut random);
        let level = model.level();
        let size = UVec2::new(random.u32(1..70), random.u32(1..70));
        let body = Footprint::rectangle(size).unwrap();
        let at = random_pixel(&mut random, &model);
        let boxed = Aabb::from_xywh(at.x, at.y, size.x as i32, size.y as i32);
        if boxed.is_empty() {
            continue;
        }
        assert_eq!(body.bounds(at), boxed);
        for dir in Dir::ALL {
            let step = *random.choice(&[0, 1, 5, 70, 1_000, u32::MAX]).unwrap();
            let (found, expected) =
                (level.sweep(body.at(at), dir, step), level.sweep(boxed, dir, step));
            assert_eq!(found, expected, "{boxed:?} {dir:?} {step} {level:?}");
            let clear = level.can_move(body.at(at), dir, step);
            assert_eq!(clear, level.can_move(boxed, dir, step));
        }
        assert_eq!(level.overlaps(body.at(at)), level.overlaps(boxed));
    }
}

#[test]
fn a_footprint_overlaps_the_solids_that_its_pixels_overlap() {
    let mut random = fastrand::Rng::with_seed(47);
    for _ in 0..6_000 {
        let model = Model::random(&mut random);
        let level = model.level();
        let body = random_footprint(&mut random);
        let at = random_pixel(&mut random, &model);
        let case = || format!("{body:?} {at} {level:?}");
        let solid = pixels(&body, at).into_iter();
        let mut solid: Vec<_> = solid.filter(|(x, y)| model.is_solid(*x, *y)).collect();
        solid.sort_by_key(|(x, y)| (*y, *x));
        let first = solid.first().map(|(x, y)| IVec2::new(*x as i32, *y as i32));
        assert_eq!(level.overlaps(body.at(at)), !solid.is_empty(), "{}", case());
        assert_eq!(level.first_overlap(body.at(at)), first, "{}", case());
        let area = level.solid_area(body.at(at));
        assert_eq!(area, solid.len() as u64, "{}", case());

        let near = at.checked_sub(IVec2::ONE).is_some() && at.checked_add(IVec2::ONE).is_some();
        if near {
            let area = |offset: IVec2| level.solid_area(body.at(at + offset)) as i32;
            let normal = IVec2::new(
                area(IVec2::NEG_X) - area(IVec2::X),
                area(IVec2::NEG_Y) - area(IVec2::Y),
            );
            assert_eq!(level.overlap_normal(body.at(at)), normal, "{}", case());
        } else {
            level.overlap_normal(body.at(at));
        }
    }
}

#[test]
fn a_solid_in_a_hole_stops_the_ring_around_it() {
    let ring = Footprint::from_grid(&grid("#####\n#...#\n#...#\n#####"));
    let ring = ring.unwrap();
    let mut grid = bitwall::Grid::new(40, 40).unwrap();
    grid.set(12, 11, true).unwrap();
    let level = cells(grid, 1);
    let at = IVec2::new(10, 10);
    assert!(!level.overlaps(ring.at(at)), "the pixel is in the hole");
    let moved = |dir| level.sweep(ring.at(at), dir, 20).moved;
    assert_eq!([moved(Dir::Left), moved(Dir::Right)], [1, 1]);
    assert_eq!([moved(Dir::Up), moved(Dir::Down)], [1, 0]);
}

#[test]
fn a_mirrored_footprint_in_a_mirrored_level_gives_the_mirrored_sweep() {
    let mut random = fastrand::Rng::with_seed(53);
    for _ in 0..300 {
        let size = UVec2::new(random.u32(1..70), random.u32(1..70));
        let grid = random_grid(&mut random, size);
        let body = random_footprint(&mut random);
        let at = IVec2::new(random.i32(-9..70), random.i32(-9..70));
        let level = cells(grid.clone(), 1);
        let turned = cells(grid.transposed(), 1);
        let across = body.turned().flipped(true, false);
        for (dir, seen) in [(Dir::Left, Dir::Up), (Dir::Right, Dir::Down), (Dir::Down, Dir::Right)]
        {
            let moved = level.sweep(body.at(at), dir, 50).moved;
            let seen = turned.sweep(across.at(IVec2::new(at.y, at.x)), seen, 50).moved;
            assert_eq!(moved, seen);
        }
        let normal = level.overlap_normal(body.at(at));
        let seen = turned.overlap_normal(across.at(IVec2::new(at.y, at.x)));
        assert_eq!(normal, IVec2::new(seen.y, seen.x));
    }
}
