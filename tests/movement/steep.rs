//! Tests of slopes that are too steep to stand on, and of how the length of a walk on a slope is measured.

use bitwall::glam::{IVec2, UVec2};
use bitwall::{
    Aabb, Dir, Grid, Level, Mover, MoverSettings, Outside,
    mover::{Slope, WalkSpeed},
};

use crate::support::{Stopwatch, cells, ground};

const LIMIT: Slope = Slope::DIAGONAL;

/// Creates level ground, then a slope from column 60 to 160 that rises by `rise` px for each `run` px to the
/// right, then level ground.
fn hill(rise: i32, run: i32) -> Level {
    let mut grid = Grid::new(220, 700).unwrap();
    for column in 0..220 {
        let along = (column as i32 - 60).clamp(0, 100);
        let row = (600 - along * rise / run).clamp(0, 699) as u32;
        grid.fill(column..column + 1, row..700, true).unwrap();
    }
    cells(grid, 1).with_outside(Outside::Open)
}

fn walker(level: &Level, x: i32, settings: MoverSettings) -> Mover {
    let body = Aabb::from_xywh(x, 0, 10, 16);
    let fall = level.sweep(body, Dir::Down, 700).moved;
    Mover::new(body.shifted(Dir::Down, fall), settings)
}

fn limited(max_slope: Slope) -> MoverSettings {
    MoverSettings { max_slope, ..MoverSettings::platformer() }
}

/// Returns the column that the right side of a walker reaches in 300 steps.
fn reach(level: &Level, settings: MoverSettings) -> i32 {
    let mut hero = walker(level, 20, settings);
    for _ in 0..300 {
        hero.step(level, [1.3, 0.4]).unwrap();
    }
    hero.body.max.x
}

#[test]
fn a_slope_at_the_limit_is_climbed_but_not_a_slope_an_eighth_steeper() {
    for (rise, run) in [(1, 3), (1, 2), (2, 3), (1, 1), (4, 3), (2, 1), (3, 1)] {
        let level = hill(rise, run);
        let slope = Slope { rise: rise as u16, run: run as u16 };
        assert!(reach(&level, limited(slope)) > 170, "{rise}:{run}");
        // A limit that is an eighth below the slope.
        let less = Slope { rise: (8 * rise - run) as u16, run: 8 * run as u16 };
        let column = reach(&level, limited(less));
        assert!((59..=77).contains(&column), "{rise}:{run} as far as {column}");
    }
}

/// A level tread of ten columns ends at a slope that becomes steeper with each column. At column 16, four
/// columns before the slope, the measured surface exceeds the limit, although no solid is in the way of the
/// step.
#[test]
fn a_walk_stops_within_a_step_at_the_pixel_from_which_the_slope_is_too_steep() {
    let heights = |x: i32| match x {
        ..10 => 1,
        10..20 => 2,
        _ => 2 + (x - 19) * (x - 18) / 2,
    };
    let level = cells(ground(UVec2::new(28, 60), heights), 1);
    let body = Aabb::from_xywh(14, 54, 1, 4);
    for ahead in 3..=5 {
        let mut hero = Mover::new(body, limited(LIMIT));
        let done = hero.step(&level, [ahead as f32, 0.0]).unwrap();
        assert_eq!((done.moved, hero.body.min), (IVec2::new(2, 0), IVec2::new(16, 54)), "{ahead}");
        assert_eq!(done.contacts.right.map(|contact| contact.cell), Some(IVec2::new(20, 57)));
        assert_eq!(done.leftover, IVec2::new(ahead - 2, 0));
        assert!(done.grounded && done.is_stopped());
        let mut slow = Mover::new(body, limited(LIMIT));
        for _ in 0..ahead {
            slow.step(&level, [1.0, 0.0]).unwrap();
        }
        assert_eq!(slow, hero, "{ahead}");
    }
}

#[test]
fn the_slope_limit_does_not_apply_to_single_steps_or_stairs() {
    let mut grid = Grid::new(220, 100).unwrap();
    for column in 0..220_u32 {
        let steps = (column.max(60) - 60) / 20;
        grid.fill(column..column + 1, 60 - 4 * steps.min(10)..100, true).unwrap();
    }
    let level = cells(grid, 1).with_outside(Outside::Open);
    assert!(reach(&level, limited(Slope { rise: 1, run: 2 })) > 200);
}

#[test]
fn a_body_slides_down_a_slope_that_is_too_steep_and_stands_at_its_foot() {
    for (rise, run) in [(3, 2), (2, 1), (3, 1), (4, 1)] {
        let level = hill(rise, run);
        let mut hero = walker(&level, 90, limited(LIMIT));
        let mut fall = 0.0_f32;
        let mut is_sliding = true;
        for _ in 0..400 {
            fall = (fall + 0.2).min(6.0);
            let before = hero.body;
            let step = hero.step(&level, [0.0, fall]).unwrap();
            fall = step.velocity([0.0, fall])[1];
            if is_sliding && step.grounded {
                is_sliding = false;
                // Column 61 is the first column of the slope that is higher than the ground.
                assert_eq!(hero.body.max, IVec2::new(61, 600), "{rise}:{run} at the foot");
            }
            assert_eq!(is_sliding, !step.grounded, "{rise}:{run}");
            let moved = hero.body.min - before.min;
            assert!(moved.x <= 0 && moved.y >= 0, "{rise}:{run} {moved}");
        }
        assert!(!is_sliding, "{rise}:{run} {hero:?}");
    }
}

#[test]
fn a_body_stands_on_any_slope_up_to_the_limit() {
    for (rise, run) in [(1, 5), (1, 3), (1, 2), (2, 3), (3, 4), (1, 1)] {
        for sign in [-1, 1] {
            let level = hill(rise * sign, run);
            for x in 30..150 {
                let mut hero = walker(&level, x, limited(LIMIT));
                let at = hero.body;
                for _ in 0..5 {
                    let step = hero.step(&level, [0.0, 0.7]).unwrap();
                    assert!(step.grounded, "{rise}:{run} {at:?}");
                }
                assert_eq!(hero.body, at, "{rise}:{run}");
            }
        }
    }
}

#[test]
fn no_key_and_no_corner_correction_lifts_a_body_up_a_slope_that_is_too_steep() {
    let level = hill(2, 1);
    for speed in [0.3, 1.0, 2.5, 4.0, 9.0] {
        for gravity in [0.1, 0.5, 2.0] {
            let mut hero = walker(&level, 90, limited(LIMIT));
            let top = hero.body.min.y;
            let mut fall = 0.0_f32;
            for _ in 0..600 {
                fall += gravity;
                let step = hero.step(&level, [speed, fall]).unwrap();
                fall = step.velocity([speed, fall])[1];
                assert!(hero.body.min.y >= top, "{speed} {gravity}");
            }
            // The body stands before the slope, or on the first pixel of the slope.
            assert!(hero.body.max.y > 590, "{speed} {gravity}: {:?}", hero.body);
        }
    }
}

#[test]
fn a_body_in_a_valley_of_slopes_that_are_too_steep_stands() {
    let mut grid = Grid::new(200, 300).unwrap();
    for column in 0..200_u32 {
        let row = 280 - 2 * column.abs_diff(100).min(100);
        grid.fill(column..column + 1, row..300, true).unwrap();
    }
    let level = Level::from_grid(grid, UVec2::ONE).unwrap();
    let mut hero = walker(&level, 120, limited(LIMIT));
    let steps = (0..300).map(|_| hero.step(&level, [0.0, 2.0]).unwrap().grounded);
    assert!(steps.last().unwrap());
    assert!((hero.body.min.x - 95).abs() <= 1, "{:?}", hero.body);
    // The body can jump from there.
    assert!(hero.steps_since_grounded == 0);
}

#[test]
fn a_walk_measured_along_the_slope_is_as_long_as_on_level_ground() {
    for (rise, run, cosine) in
        [(1, 1, 0.5_f64.sqrt()), (1, 2, 0.8_f64.sqrt()), (2, 1, 0.2_f64.sqrt())]
    {
        for sign in [1, -1] {
            let level = hill(rise * sign, run);
            for (walk_speed, part) in [(WalkSpeed::AlongSlope, cosine), (WalkSpeed::AlongAxis, 1.0)]
            {
                let settings = MoverSettings { walk_speed, ..MoverSettings::platformer() };
                let mut hero = walker(&level, 75, settings);
                let start = hero.position().x;
                for _ in 0..30 {
                    hero.step(&level, [1.5, 0.3]).unwrap();
                }
                let gone = hero.position().x - start;
                assert!((gone - 45.0 * part).abs() < 1.0, "{rise}:{run} {walk_speed:?} {gone}");
            }
        }
    }
}

#[test]
fn the_time_of_a_long_walk_with_a_slope_limit_grows_with_its_length_only() {
    let mut grid = Grid::new(65_536, 40).unwrap();
    grid.fill(0..65_536, 30..40, true).unwrap();
    let level = cells(grid, 1);
    let seconds = |distance: f32| {
        let mut hero = walker(&level, 20, limited(LIMIT));
        hero.step(&level, (0.0, 1.0)).unwrap();
        let start = Stopwatch::start();
        for _ in 0..15 {
            hero.step(&level, (distance, 0.0)).unwrap();
        }
        assert_eq!(hero.body.min.x, 20 + 15 * distance as i32);
        start.elapsed().as_secs_f64()
    };
    assert!(seconds(4_000.0) < 0.25, "a query for each pair of pixels would take seconds");
}

/// Level ground becomes a slope of 1:4, and then a slope of 45 degrees. The limit is 1:2.
#[test]
fn a_walk_that_a_slope_stops_reports_the_rest_of_its_motion_at_every_speed() {
    let height = |column: i32| 20 + (column - 20).clamp(0, 40) / 4 + (column - 60).max(0);
    let level = cells(ground(UVec2::new(200, 200), height), 1);
    for (speed, x) in (1..=12).flat_map(|speed| (0..8).map(move |x| (speed, x))) {
        let mut hero = walker(&level, x, limited(Slope { rise: 1, run: 2 }));
        let mut stops = 0;
        for _ in 0..80 {
            let step = hero.step(&level, [speed as f32, 0.0]).unwrap();
            assert_eq!(step.moved.x + step.leftover.x, speed, "{hero:?}");
            assert_eq!(hero.subpixel, IVec2::ZERO);
            assert_eq!(step.contacts.right.is_some(), step.leftover.x > 0, "{hero:?}");
            stops += usize::from(step.leftover.x > 0);
        }
        assert!(stops > 0 && (50..80).contains(&hero.body.max.x), "{stops} {hero:?}");
    }
}
