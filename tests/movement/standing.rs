//! A body that stands or slides on jagged ground is tested against a naive model, which has the height of the
//! ground in each column and checks every stretch of the ground around the body.

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Dir, Grid, Mover, MoverSettings, Sides, mover::Slope};

use crate::support::{cells, ground, rounds};

/// The distance on each side of the body at which ground counts, in pixels. It is also the highest step that
/// does not count as a wall or an edge.
const REACH: i32 = 8;
const SIDE: i32 = 64;

/// Returns the height of the ground under a body that is `width` columns wide and starts at column `x`.
fn top(heights: &[i32], x: i32, width: i32) -> i32 {
    (x..x + width).map(|column| heights[column as usize]).max().unwrap()
}

/// Returns the heights of one surface on a side of the body, relative to the body. The surface ends where a
/// step differs from the step before it by more than one pixel, or where a wall or an edge begins.
fn surface(heights: &[i32], x: i32, width: i32, side: i32) -> Vec<i32> {
    let at = |by: i32| top(heights, x + side * by, width);
    let mut found: Vec<i32> = Vec::new();
    for by in 1..=REACH {
        let change = at(by) - at(by - 1);
        let is_other = by > 1 && (change - (at(by - 1) - at(by - 2))).abs() > 1;
        if change.abs() > REACH || is_other {
            break;
        }
        found.push(at(by) - at(0));
    }
    found
}

/// Returns the position to which a body that is `width` columns wide slides by one pixel, or `None` if it
/// stands.
fn slid(heights: &[i32], x: i32, width: i32, limit: Slope) -> Option<IVec2> {
    let (rise, run) = (i32::from(limit.rise), i32::from(limit.run));
    let mut sides = [-1, 1].map(|side| surface(heights, x, width, side));
    // At a corner only the flatter side is the surface.
    if let [Some(low), Some(high)] = [sides[0].first().copied(), sides[1].first().copied()]
        && (low + high).abs() > 1
    {
        let steepest = low.abs().max(high.abs());
        for side in &mut sides {
            if side[0].abs() == steepest {
                side.clear();
            }
        }
    }
    // A stretch from the body or a higher point to a lower point is too steep if it falls by over a pixel
    // more than the limit allows.
    let is_too_steep = |above: &[i32], below: &[i32]| {
        let starts = (1..).zip(above).filter(|(_, height)| **height > 0);
        let starts: Vec<(i32, i32)> =
            [(0, 0)].into_iter().chain(starts.map(|(far, height)| (far, *height))).collect();
        let mut ends = (1..).zip(below).filter(|(_, height)| **height < 0);
        ends.any(|(end, depth)| {
            starts.iter().any(|(start, height)| (height - depth - 1) * run > (start + end) * rise)
        })
    };
    let side = match [is_too_steep(&sides[1], &sides[0]), is_too_steep(&sides[0], &sides[1])] {
        [true, false] => -1,
        [false, true] => 1,
        _ => return None,
    };
    // The body slides aside to the first position that is lower, if nothing before it is higher.
    let here = top(heights, x, width);
    let most = ((run + rise.max(1) - 1) / rise.max(1)).min(2 * REACH);
    let aside = (1..=most).find(|by| top(heights, x + side * by, width) != here)?;
    (top(heights, x + side * aside, width) < here).then_some(IVec2::new(side * aside, 1))
}

fn random_heights(random: &mut fastrand::Rng) -> Vec<i32> {
    let slope = random.i32(-30..=30);
    let rough = random.i32(0..4);
    let mut height = 0;
    let walks = random.bool();
    (0..SIDE)
        .map(|column| {
            height += random.i32(-rough..=rough);
            let jag = if walks { height } else { random.i32(0..=rough) };
            200 + slope * (column - SIDE / 2) / 10 + jag
        })
        .collect()
}

#[test]
fn a_body_on_jagged_ground_stands_or_slides_like_a_naive_model() {
    let (mut standing, mut sliding) = (0, 0);
    for seed in 0..rounds(60_000) as u64 {
        let mut random = fastrand::Rng::with_seed(seed);
        let heights = random_heights(&mut random);
        let level = cells(ground(UVec2::new(SIDE as u32, 400), |x| heights[x as usize]), 1);
        let limit = Slope { rise: random.u16(0..10), run: random.u16(1..10) };
        let (x, size) = (random.i32(26..30), IVec2::new(random.i32(1..13), random.i32(1..20)));
        let foot = 400 - top(&heights, x, size.x);
        let body = Aabb::from_xywh(x, foot - size.y, size.x, size.y);
        let settings = MoverSettings { max_slope: limit, ..MoverSettings::platformer() };
        let mut mover = Mover::new(body, settings);
        let expected = slid(&heights, x, size.x, limit);
        let case = || format!("seed {seed}: {body:?} {limit:?} {heights:?}");
        match expected {
            None => {
                for _ in 0..3 {
                    assert!(mover.step(&level, [0.0, 1.0]).unwrap().grounded, "{}", case());
                    assert_eq!(mover.body, body, "{}", case());
                }
                standing += 1;
            }
            Some(by) => {
                mover.step(&level, [0.0, 1.0]).unwrap();
                assert_eq!(mover.body.min - body.min, by, "{}", case());
                sliding += 1;
            }
        }
    }
    println!("{standing} stand, {sliding} slide");
    assert!(standing > rounds(15_000) && sliding > rounds(5_000), "{standing}, {sliding}");
}

#[test]
fn a_body_that_could_pass_the_corner_of_its_floor_is_grounded_while_it_stands_there() {
    let mut grid = Grid::new(40, 60).unwrap();
    grid.fill(0..10, 20..60, true).unwrap();
    let level = cells(grid, 1);
    let corner_correction = Sides::all(4);
    let floor = Some(Dir::Down);
    let settings = MoverSettings { floor, corner_correction, ..MoverSettings::PLAIN };
    let mut mover = Mover::new(Aabb::from_xywh(8, 9, 6, 10), settings);
    let step = mover.step(&level, [0.0, 1.5]).unwrap();
    assert_eq!((step.moved, step.was_grounded), (IVec2::Y, false));
    assert!(step.grounded && mover.steps_since_grounded == 0);
    assert!(mover.step(&level, [0.0, 0.0]).unwrap().was_grounded);
}

#[test]
fn a_body_that_falls_out_of_a_solid_onto_a_slope_that_is_too_steep_is_not_grounded() {
    let mut grid = ground(UVec2::new(100, 200), |column| 10 + 2 * (column - 20).clamp(0, 60));
    grid.set(55, 50, true).unwrap();
    let level = cells(grid, 1);
    for (max_slope, grounded) in [(Slope::DIAGONAL, false), (Slope::VERTICAL, true)] {
        let settings = MoverSettings { floor: Some(Dir::Down), max_slope, ..MoverSettings::PLAIN };
        let mut mover = Mover::new(Aabb::from_xywh(50, 45, 10, 16), settings);
        let step = mover.step(&level, [0.0, 99.5]).unwrap();
        // The right column of the body is column 59, where the ground is 88 px high.
        assert!(step.started_solid && step.contacts.down.is_some());
        assert_eq!((mover.body.max.y, step.grounded), (112, grounded), "{max_slope:?}");
    }
}
