//! Movers and levels at their limits: the ends of the range of positions, very long levels and bodies, very
//! small bodies.

use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::{
    Aabb, Dir, Footprint, Grid, Level, Mover, MoverSettings, Outside, Sides,
    geometry::Corners,
    mover::{MovePath, Response},
};

use crate::support::{SubpixelSteps, cells};

/// The longest motion of a step, in pixels.
const MOST: i32 = Mover::MAX_TRANSLATION as i32;

fn blank(columns: u32, rows: u32, cell: UVec2) -> Level {
    Level::from_grid(Grid::new(columns, rows).unwrap(), cell).unwrap()
}

#[test]
fn a_body_that_crosses_solids_stops_at_the_end_of_the_i32_range_on_every_path() {
    let level = blank(8, 8, UVec2::ONE).with_outside(Outside::Open);
    let paths = [
        MovePath::XThenY,
        MovePath::YThenX,
        MovePath::Straight(Corners::Block),
        MovePath::Straight(Corners::Pass),
    ];
    let pixel = i64::from(Mover::SUBPIXELS);
    for path in paths {
        let settings = MoverSettings { path, response: Response::Cross, ..MoverSettings::PLAIN };
        for sign in [1, -1] {
            // The body is five pixels from the last position in either direction.
            let x = if sign > 0 { i32::MAX - 9 } else { i32::MIN + 5 };
            let mut mover = Mover::new(Aabb::from_xywh(x, 0, 4, 4), settings);
            let asked = I64Vec2::new(sign * (30 * pixel + 7), 3 * pixel + 9);
            let step = mover.step_subpixels(&level, asked);
            let sign = sign as i32;
            assert_eq!(step.moved, IVec2::new(sign * 5, 3), "{path:?}");
            assert_eq!(step.leftover, IVec2::new(sign * 25, 0), "{path:?}");
            assert_eq!(mover.subpixel, IVec2::new(0, 9), "{path:?}");
        }
    }
}

/// Each of these steps took minutes when a body of one pixel was moved pixel by pixel.
#[test]
fn a_walk_of_a_one_pixel_body_over_a_long_floor_takes_bounded_time() {
    let mut sides = Sides::all(Outside::Open);
    sides.down = Outside::Solid;
    let tiles = blank(32_767, 1, UVec2::new(1 << 16, 8)).with_outside(sides);
    let pixels = blank(1 << 28, 1, UVec2::ONE).with_outside(sides);
    let mut ledge = Grid::new(32_767, 2).unwrap();
    ledge.fill(0..32_767, 1..2, true).unwrap();
    let ledge = Level::from_grid(ledge, UVec2::new(1 << 16, 8)).unwrap();
    let dot = Footprint::circle(1).unwrap();
    let settings =
        MoverSettings { corner_correction: Sides::all(0), ..MoverSettings::platformer() };
    for (level, y, far) in [(&tiles, 7, 1 << 30), (&pixels, 0, 1 << 27), (&ledge, 7, 1 << 30)] {
        let start = Mover::new(Aabb::from_xywh(3, y, 1, 1), settings);
        let asked = I64Vec2::new(i64::from(far) * i64::from(Mover::SUBPIXELS), 0);
        let mut boxed = start;
        boxed.step_subpixels(level, asked);
        let mut dotted = start;
        dotted
            .step(&level.with_footprint(&dot), asked.as_vec2() / Mover::SUBPIXELS as f32)
            .unwrap();
        assert_eq!(boxed.body.min, IVec2::new(3 + MOST, y));
        assert_eq!(dotted.body, boxed.body);
    }
}

#[test]
fn nearest_free_beyond_a_solid_side_takes_bounded_time() {
    let level = blank(1 << 28, 1, UVec2::ONE);
    let above = Aabb::from_xywh(0, -1, 1, 2);
    assert_eq!(level.nearest_free(above, Dir::Right, u32::MAX), None);
    let dot = Aabb::from_xywh(-1, 0, 1, 1);
    assert_eq!(level.nearest_free(dot, Dir::Down, u32::MAX), None);
    assert_eq!(level.nearest_free(dot, Dir::Right, u32::MAX), Some(1));
}

/// Each of these steps took minutes too. Nothing blocks an empty body.
#[test]
fn an_empty_body_passes_everything_in_bounded_time() {
    let mut all = Grid::new(32_767, 32_767).unwrap();
    all.fill(0..32_767, 0..32_767, true).unwrap();
    let full = cells(all, 1 << 16);
    let far = I64Vec2::new(i64::from(i32::MAX), i64::from(i32::MAX) / 3);
    for level in [full.clone(), full.with_outside(Outside::Open)] {
        for corners in [Corners::Block, Corners::Pass] {
            let settings =
                MoverSettings { path: MovePath::Straight(corners), ..MoverSettings::PLAIN };
            let mut mover = Mover::new(Aabb::from_xywh(0, 0, 0, 0), settings);
            let step = mover.step_subpixels(&level, far * i64::from(Mover::SUBPIXELS));
            assert_eq!(step.moved, IVec2::new(MOST, MOST / 3));
        }
    }
}

/// A body of half the range was moved pixel by pixel if only its end was supported. A flat body always was.
#[test]
fn a_long_body_walks_off_its_floor_in_bounded_time() {
    let mut ground = Grid::new(1, 16).unwrap();
    ground.fill(0..1, 8..9, true).unwrap();
    let level = Level::from_grid(ground, UVec2::new(1 << 16, 8)).unwrap();
    let level = level.with_outside(Outside::Open);
    for height in [0, 1, 64] {
        let long = Aabb::from_xywh(2_000 - (1 << 30), 64 - height, 1 << 30, height);
        let settings = MoverSettings::platformer();
        let mut mover = Mover::new(long, settings);
        let asked = I64Vec2::new(-(1 << 30) - 9, 0) * i64::from(Mover::SUBPIXELS);
        let step = mover.step_subpixels(&level, asked);
        assert!(step.was_grounded && !step.grounded);
        assert_eq!(step.moved, IVec2::new(-MOST, 0));
    }
}

#[test]
fn a_footprint_partly_past_i32_max_that_moves_left_stops_at_the_first_solid() {
    let mut sides = Sides::all(Outside::Solid);
    sides.right = Outside::Open;
    let mut grid = Grid::new(1 << 15, 1).unwrap();
    grid.fill(0..(1 << 15) - 1, 0..1, true).unwrap();
    let level = cells(grid, 1 << 16);
    let level = level.with_outside(sides);
    let bar = Footprint::rectangle(UVec2::new(4096, 3)).unwrap();
    for path in [MovePath::XThenY, MovePath::Straight(Corners::Block)] {
        let settings = MoverSettings { path, ..MoverSettings::PLAIN };
        let mut mover = Mover::new(Aabb::from_xywh(i32::MAX - 1, 5, 4096, 3), settings);
        for steps in 1.. {
            let step = mover.step(&level.with_footprint(&bar), Vec2::new(-1e6, 0.0)).unwrap();
            assert!(!step.started_solid && steps < 20);
            if step.contacts.left.is_some() {
                break;
            }
        }
        assert_eq!(mover.body, Aabb::from_xywh(((1 << 15) - 1) << 16, 5, 4096, 3));
        assert!(!level.overlaps(bar.at(mover.body.min)));
    }
}
