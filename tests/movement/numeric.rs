//! Numbers that break movers, one test for each: the ends of every range, word boundaries, empty boxes,
//! fractions of a pixel, long steps, many steps, many threads.

use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::{
    Aabb, Dir, Grid, Level, Mover, MoverSettings, Outside,
    geometry::{Corners, TranslationError},
    mover::{MovePath, Response},
};

use crate::movement::random::{PIXEL, Plan};
use crate::support::{SubpixelSteps, ascii, blank, cells};

const PATHS: [MovePath; 4] = [
    MovePath::XThenY,
    MovePath::YThenX,
    MovePath::Straight(Corners::Block),
    MovePath::Straight(Corners::Pass),
];

fn plain(body: Aabb, path: MovePath) -> Mover {
    let settings = MoverSettings { path, ..MoverSettings::PLAIN };
    Mover::new(body, settings)
}

/// Yields a mover with each path, and one with each of the two presets.
fn movers(body: Aabb) -> impl Iterator<Item = Mover> {
    let presets = [MoverSettings::platformer(), MoverSettings::top_down()];
    let presets = presets.map(|settings| Mover::new(body, settings));
    PATHS.into_iter().map(move |path| plain(body, path)).chain(presets)
}

fn pixels(x: i64, y: i64) -> I64Vec2 {
    I64Vec2::new(x, y) * PIXEL
}

#[test]
fn nan_and_infinity_are_refused_and_nothing_changes() {
    let level = blank(9, 9);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for at in [Vec2::new(bad, 1.0), Vec2::new(1.0, bad), Vec2::splat(bad)] {
            for mut mover in movers(Aabb::from_xywh(1, 1, 2, 2)) {
                let before = mover;
                let refused = mover.step(&level, at);
                assert_eq!(refused, Err(TranslationError::NotFinite));
                assert_eq!(mover, before);
            }
        }
    }
}

#[test]
fn floats_beyond_the_range_are_refused_and_nothing_changes() {
    let level = blank(9, 9);
    for far in [1e20, -1e38, f32::MAX, 2_147_483_648.0, -2_147_483_648.0] {
        for mut mover in movers(Aabb::from_xywh(1, 1, 2, 2)) {
            let before = mover;
            let refused = mover.step(&level, Vec2::new(far, 0.0));
            assert_eq!(refused, Err(TranslationError::OutOfRange));
            assert_eq!(mover, before);
        }
    }
}

#[test]
fn negative_zero_and_denormals_move_a_body_like_zero() {
    let level = blank(9, 9);
    for mover in movers(Aabb::from_xywh(1, 1, 2, 2)) {
        let by = |by: f32| {
            let mut mover = mover;
            let step = mover.step(&level, Vec2::splat(by)).unwrap();
            (mover, step)
        };
        let zero = by(0.0);
        assert_eq!(by(-0.0), zero);
        assert_eq!(by(f32::MIN_POSITIVE / 4.0), zero);
        assert_eq!(by(-f32::MIN_POSITIVE / 4.0), zero);
    }
}

#[test]
fn a_step_of_zero_keeps_the_position_and_the_touched_sides() {
    let level = blank(2, 3);
    for mut mover in movers(Aabb::from_xywh(0, 1, 2, 2)) {
        let touched = mover.touching(&level);
        let step = mover.step_subpixels(&level, I64Vec2::ZERO);
        assert!(!step.is_stopped());
        assert_eq!(step.moved, IVec2::ZERO);
        assert_eq!(mover.touching(&level), touched);
        assert!(touched.left && touched.right && touched.down && !touched.up);
    }
}

#[test]
fn the_longest_steps_stop_at_the_first_wall_or_at_the_edge() {
    let wall = ascii("...........\n.......#...\n...........");
    let ends = [
        i64::from(i32::MIN),
        i64::from(i32::MIN) + 1,
        i64::from(i32::MAX) - 1,
        i64::from(i32::MAX),
        i64::MAX / PIXEL,
        i64::MIN / PIXEL,
    ];
    for far in ends {
        for mut mover in movers(Aabb::from_xywh(3, 1, 2, 1)) {
            let step = mover.step_subpixels(&wall, pixels(far, 0));
            let x = if far > 0 { 5 } else { 0 };
            assert_eq!(mover.body.min.x, x, "{mover:?}");
            // The largest `f32` below 2^31.
            assert_eq!(i64::from(step.asked.x), far.clamp(-2_147_483_520, 2_147_483_520));
            assert_eq!(step.leftover.x, step.asked.x - step.moved.x);
        }
        for mut mover in movers(Aabb::from_xywh(3, 1, 1, 1)) {
            mover.step_subpixels(&wall, pixels(0, far));
            assert_eq!(mover.body.min.y, if far > 0 { 2 } else { 0 });
        }
    }
}

/// The contract requires an answer for every position. (The table of hard numbers in the research is wrong
/// here.)
#[test]
fn a_mover_can_step_at_both_ends_of_the_i32_range() {
    let (min, max) = (i32::MIN, i32::MAX);
    let open = blank(5, 5).with_outside(Outside::Open);
    for (x, y) in [(min, min), (min, max - 3), (max - 3, min), (max - 3, max - 3)] {
        for outside in [Outside::Open, Outside::Solid] {
            let level = open.clone().with_outside(outside);
            for mover in movers(Aabb::from_xywh(x, y, 3, 3)) {
                for to in [pixels(9, 9), pixels(-9, 9), pixels(9, -9), pixels(-9, -9)] {
                    let mut mover = mover;
                    let step = mover.step_subpixels(&level, to + I64Vec2::ONE);
                    assert_eq!((mover.body.width(), mover.body.height()), (3, 3));
                    assert_eq!(step.started_solid, outside == Outside::Solid);
                }
            }
        }
    }
    // The end of the range stops it like a solid, and no subpixel is carried over.
    for mut mover in movers(Aabb::from_xywh(max - 5, 0, 3, 3)) {
        let step = mover.step_subpixels(&open, I64Vec2::new(9 * PIXEL + 5, 0));
        assert_eq!(mover.body.max.x, max, "{mover:?}");
        assert_eq!((step.moved.x, step.leftover.x), (2, 7), "{mover:?}");
        mover.step_subpixels(&open, I64Vec2::new(5, 0));
        assert_eq!(mover.subpixel, IVec2::ZERO, "{mover:?}");
    }
}

#[test]
fn steps_of_up_to_40_pixels_end_at_both_ends_of_the_i32_range() {
    let level = blank(9, 9).with_outside(Outside::Open);
    for (from_end, step) in (0..90).flat_map(|end| (1..40).map(move |step| (end, step))) {
        let moved = step.min(from_end);
        let least = IVec2::splat(i32::MIN + from_end);
        let mut body = plain(Aabb { min: least, max: least + 5 }, MovePath::XThenY);
        let done = body.step_subpixels(&level, pixels(-i64::from(step), -i64::from(step)));
        assert_eq!(done.moved, IVec2::splat(-moved), "{from_end} {step}");
        let most = IVec2::splat(i32::MAX - from_end);
        let mut body = plain(Aabb { min: most - 5, max: most }, MovePath::XThenY);
        let done = body.step_subpixels(&level, pixels(step.into(), step.into()));
        assert_eq!(done.moved, IVec2::splat(moved), "{from_end} {step}");
    }
}

/// The call returns an answer and not an error: a box without extent across its motion meets nothing.
#[test]
fn a_box_without_height_meets_nothing_on_its_way_along_x() {
    let wall = ascii("...#...").with_outside(Outside::Open);
    for (w, h) in [(0, 0), (0, 1), (1, 0)] {
        for mut mover in movers(Aabb::from_xywh(0, 0, w, h)) {
            let step = mover.step_subpixels(&wall, pixels(6, 0));
            assert!(!step.started_solid);
            let x = if h == 1 { 3 } else { 6 };
            assert_eq!(mover.body.min, IVec2::new(x, 0), "{mover:?}");
        }
    }
    let inside_out = Aabb { min: IVec2::new(5, 5), max: IVec2::new(1, 1) };
    for mut mover in movers(inside_out) {
        mover.step_subpixels(&wall, pixels(-3, 4));
        mover.unstick(&wall, 5);
    }
}

#[test]
fn a_box_larger_than_the_level_moves_where_outside_is_open_and_not_where_it_is_solid() {
    let solid = blank(4, 4);
    let open = solid.clone().with_outside(Outside::Open);
    let pillar = ascii("....\n.#..\n....").with_outside(Outside::Open);
    for mover in movers(Aabb::from_xywh(-50, -60, 200, 150)) {
        for to in [pixels(300, 1), pixels(-300, 40), pixels(0, 300), pixels(7, -300)] {
            let mut free = mover;
            free.step_subpixels(&open, to);
            let moved = free.body.min - mover.body.min;
            assert_eq!(moved.as_i64vec2() * PIXEL, to);
            let mut held = mover;
            let step = held.step_subpixels(&solid, to);
            assert!(step.started_solid);
            assert_eq!(held.body, mover.body);
        }
    }
    for mut mover in movers(Aabb::from_xywh(-300, -60, 200, 150)) {
        mover.step_subpixels(&pillar, pixels(900, 0));
        assert_eq!(mover.body.max.x, 1, "the pillar is met by the middle of the box");
    }
}

#[test]
fn a_body_outside_a_level_comes_back_in_from_each_of_eight_sides() {
    let level = ascii("..........\n.####.....\n..........\n..........");
    let open = level.clone().with_outside(Outside::Open);
    for (x, y) in [(-30, -30), (4, -30), (40, -30), (-30, 2), (40, 2), (-30, 40), (4, 40), (40, 40)]
    {
        let body = Aabb::from_xywh(x, y, 2, 2);
        for mover in movers(body) {
            let home = IVec2::new(7, 2);
            let way = (home - body.min).as_i64vec2() * PIXEL;
            let mut back = mover;
            let step = back.step_subpixels(&open, way);
            if !step.is_stopped() {
                assert_eq!(back.body.min, home, "{mover:?}");
            }
            assert!(!open.overlaps(back.body));
            let mut held = mover;
            assert!(held.step_subpixels(&level, way).started_solid);
            assert!(!open.overlaps(held.body));
        }
    }
}

/// The contract allows a body that starts in a solid to leave it, but not to go on through it.
#[test]
fn a_body_that_starts_in_a_solid_can_leave_it_but_not_go_deeper() {
    let wall = ascii("..........\n...####...\n...####...\n..........\n..........");
    for mut mover in movers(Aabb::from_xywh(2, 1, 2, 2)) {
        let step = mover.step_subpixels(&wall, pixels(3, 0));
        assert!(step.started_solid);
        assert_eq!(mover.body.min.x, 2, "{mover:?}");
        mover.step_subpixels(&wall, pixels(-2, 0));
        assert_eq!(mover.body.min.x, 0, "{mover:?}");
    }
    let mut mover = plain(Aabb::from_xywh(4, 1, 2, 2), MovePath::XThenY);
    assert_eq!(mover.unstick(&wall, 9), Some(IVec2::new(0, 2)), "to the nearest free place");
    let mut mover = plain(Aabb::from_xywh(4, 1, 2, 1), MovePath::XThenY);
    assert_eq!(mover.unstick(&wall, 9), Some(IVec2::NEG_Y), "up");
    let deep = ascii(".......\n.#####.\n.#####.\n.#####.\n.#####.\n.#####.\n.......");
    let mut mover = plain(Aabb::from_xywh(3, 3, 1, 1), MovePath::XThenY);
    assert_eq!(mover.unstick(&deep, 9), Some(IVec2::new(0, -3)), "up before left, right and down");
}

#[test]
fn touching_a_solid_does_not_stop_a_body_that_moves_along_or_away() {
    let room = ascii("######\n#....#\n#....#\n#....#\n######");
    for mut mover in movers(Aabb::from_xywh(1, 1, 2, 2)) {
        let touched = mover.touching(&room);
        assert!(touched.left && touched.up && !touched.right && !touched.down);
        let along = mover.step_subpixels(&room, pixels(2, 0));
        assert!(!along.started_solid && !along.is_stopped());
        let away = mover.step_subpixels(&room, pixels(-1, 1));
        assert!(!away.is_stopped(), "{mover:?}");
        assert_eq!(mover.body.min, IVec2::new(2, 2));
    }
}

#[test]
fn the_path_decides_where_a_diagonal_step_to_a_corner_ends() {
    let block = ascii("....\n....\n..##\n..##").with_outside(Outside::Open);
    let ends = PATHS.map(|path| {
        let mut mover = plain(Aabb::from_xywh(0, 0, 2, 2), path);
        mover.step_subpixels(&block, pixels(3, 3));
        mover.body.min
    });
    let (along, down) = (IVec2::new(3, 0), IVec2::new(0, 3));
    assert_eq!(ends, [along, down, along, along], "a corner stops y if both axes are equal");
    let gap = ascii("..#\n..#\n##.").with_outside(Outside::Open);
    let through = |path| {
        let mut mover = plain(Aabb::from_xywh(0, 0, 2, 2), path);
        mover.step_subpixels(&gap, pixels(3, 3));
        mover.body.min
    };
    for path in PATHS {
        assert_eq!(through(path), IVec2::ZERO, "no body squeezes through a solid that it overlaps");
    }
    let point = ascii(".#\n#.").with_outside(Outside::Open);
    let squeezed = |path| {
        let mut mover = plain(Aabb::from_xywh(0, 0, 1, 1), path);
        mover.step_subpixels(&point, pixels(1, 1));
        mover.body.min
    };
    assert_eq!(squeezed(MovePath::Straight(Corners::Block)), IVec2::ZERO);
    assert_eq!(squeezed(MovePath::Straight(Corners::Pass)), IVec2::ONE);
}

#[test]
fn a_wall_of_one_pixel_stops_every_step_at_every_word_edge() {
    for wall in [62, 63, 64, 65, 127, 128] {
        let mut grid = Grid::new(4_300, 3).unwrap();
        grid.fill(wall..wall + 1, 0..3, true).unwrap();
        let level = cells(grid.clone(), 1);
        let mut turned = Grid::new(3, 4_300).unwrap();
        turned.fill(0..3, wall..wall + 1, true).unwrap();
        let turned = cells(turned, 1);
        let wall = wall as i32;
        for step in [1, 63, 64, 65, 128, 4_096] {
            for gap in 0..3 {
                for mover in movers(Aabb::from_xywh(wall - 3 - gap, 0, 3, 3)) {
                    let mut right = mover;
                    right.step_subpixels(&level, pixels(step, 0));
                    let to = (mover.body.max.x + step as i32).min(wall);
                    assert_eq!(right.body.max.x, to, "{mover:?} by {step}");
                    let mut down = mover;
                    down.body = Aabb::from_xywh(0, wall - 3 - gap, 3, 3);
                    down.step_subpixels(&turned, pixels(0, step));
                    assert_eq!(down.body.max.y, to, "{mover:?} by {step}");
                }
                for mut left in movers(Aabb::from_xywh(wall + 1 + gap, 0, 3, 3)) {
                    let from = left.body.min.x;
                    left.step_subpixels(&level, pixels(-step, 0));
                    assert_eq!(left.body.min.x, (from - step as i32).max(wall + 1));
                }
            }
        }
    }
}

#[test]
fn levels_of_every_width_and_height_end_at_their_last_cell() {
    let sides = [1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 16_383, 16_384];
    for side in sides {
        for (width, height) in [(side, 2), (2, side)] {
            let level = blank(width, height);
            let far = IVec2::new(width as i32, height as i32);
            for mover in movers(Aabb::from_xywh(0, 0, 1, 1)) {
                let mut mover = mover;
                let mut go = |x: i64, y: i64| {
                    // The longest level is as long as four of the longest steps.
                    for _ in 0..4 {
                        mover.step_subpixels(&level, pixels(x << 20, y << 20));
                    }
                    mover.body
                };
                go(1, 0);
                assert_eq!(go(0, 1).max, far, "the last row and the last column");
                go(0, -1);
                assert_eq!(go(-1, 0).min, IVec2::ZERO);
            }
        }
    }
}

#[test]
fn a_body_leaves_a_solid_pixel_but_not_a_free_pixel_enclosed_by_solids() {
    let solid = ascii("#").with_outside(Outside::Open);
    let passable = blank(1, 1);
    for to in [pixels(9, 0), pixels(-9, 0), pixels(0, 9), pixels(0, -9)] {
        for mover in movers(Aabb::from_xywh(0, 0, 1, 1)) {
            let mut held = mover;
            assert!(held.step_subpixels(&passable, to).is_stopped());
            assert_eq!(held.body, mover.body);
            let mut leaving = mover;
            assert!(leaving.step_subpixels(&solid, to).started_solid);
            assert_ne!(leaving.body, mover.body);
        }
    }
}

#[test]
fn a_box_passes_a_gap_of_its_own_width_but_not_one_pixel_less() {
    let fits = ascii("#######\n.......\n.......\n#######");
    let tight = ascii("#######\n.......\n#######\n#######");
    for mover in movers(Aabb::from_xywh(0, 1, 2, 2)) {
        let mut through = mover;
        through.step_subpixels(&fits, pixels(5, 0));
        assert_eq!(through.body.min.x, 5);
    }
    for mover in movers(Aabb::from_xywh(-2, 1, 2, 2)) {
        let mut held = mover;
        held.step_subpixels(&tight.clone().with_outside(Outside::Open), pixels(5, 0));
        assert_eq!(held.body.min.x, -2);
    }
}

#[test]
fn motions_by_parts_of_a_pixel_add_up_exactly() {
    let level = blank(40, 40);
    for mover in movers(Aabb::from_xywh(20, 20, 3, 3)) {
        let mut parts = mover;
        for _ in 0..256 {
            parts.step(&level, Vec2::new(1.0 / 256.0, -1.0 / 256.0)).unwrap();
        }
        assert_eq!(parts.body.min, IVec2::new(21, 19));
        assert_eq!(parts.subpixel, IVec2::ZERO);
        let mut back = mover;
        for by in [0.3, 7.9, 0.01] {
            back.step(&level, Vec2::new(by, -by)).unwrap();
            back.step(&level, Vec2::new(-by, by)).unwrap();
            assert_eq!((back.body, back.subpixel), (mover.body, IVec2::ZERO), "{by}");
        }
    }
}

#[test]
fn a_wall_clears_the_subpixel_on_the_axis_of_the_contact_only() {
    let level = blank(40, 40);
    for mut mover in movers(Aabb::from_xywh(37, 20, 3, 3)) {
        mover.subpixel = IVec2::new(0, Mover::SUBPIXELS / 4);
        let step = mover.step(&level, Vec2::new(0.5, 0.25)).unwrap();
        assert!(step.contacts.right.is_some());
        assert_eq!(mover.subpixel, IVec2::new(0, Mover::SUBPIXELS / 2));
        mover.step(&level, Vec2::new(-0.5, 0.0)).unwrap();
        assert_eq!(mover.subpixel, IVec2::new(-Mover::SUBPIXELS / 2, Mover::SUBPIXELS / 2));
    }
}

#[test]
fn an_empty_grid_of_one_way_cells_does_not_change_a_motion() {
    let mut random = fastrand::Rng::with_seed(11);
    for _ in 0..60 {
        let mut plan = Plan::random(&mut random);
        for guards in &mut plan.guards {
            guards.fill(false);
        }
        let without = plan.level();
        let blank = Grid::new(plan.size.x as u32, plan.size.y as u32).unwrap();
        let with = without.clone().with_one_way(Dir::Up, blank).unwrap();
        for _ in 0..50 {
            let settings = crate::movement::random::settings(&mut random);
            let mut mover = plan.mover(&mut random, &without, settings);
            let mut other = mover;
            let by = crate::movement::random::translation(&mut random);
            let steps = (mover.step_subpixels(&without, by), other.step_subpixels(&with, by));
            assert_eq!(steps.0, steps.1);
            assert_eq!(mover, other);
        }
    }
}

#[test]
fn a_step_split_into_1_to_64_parts_ends_at_the_same_position() {
    let level = blank(90, 90);
    let whole = I64Vec2::new(41 * PIXEL + 12_345, -17 * PIXEL - 54_321);
    for mover in movers(Aabb::from_xywh(20, 60, 4, 6)) {
        let mut once = mover;
        once.step_subpixels(&level, whole);
        for parts in 1..=64 {
            let mut split = mover;
            let share = |part: i64| whole * part / parts;
            for part in 0..parts {
                split.step_subpixels(&level, share(part + 1) - share(part));
            }
            assert_eq!((split.body, split.subpixel), (once.body, once.subpixel));
        }
    }
}

/// Returns a hash of the positions of a body that moves randomly in a cave.
fn thrown_about(level: &Level, seed: u64, steps: u32) -> u64 {
    let mut mover = Mover::new(Aabb::from_xywh(1, 1, 5, 7), MoverSettings::platformer());
    let mut random = seed;
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for _ in 0..steps {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let by = |at: u32| (random >> at) as i32 % (6 * Mover::SUBPIXELS);
        mover.step_subpixels(level, I64Vec2::new(by(0).into(), by(31).into()));
        for part in [mover.body.min.x, mover.body.min.y, mover.subpixel.x, mover.subpixel.y] {
            hash = (hash ^ u64::from(part as u32)).wrapping_mul(0x0100_0000_01b3);
        }
        assert!(!level.overlaps(mover.body));
    }
    hash
}

fn cave() -> Level {
    let mut grid = Grid::new(200, 120).unwrap();
    for at in 0..130_u32 {
        let (column, row) = (at * 7_919 % 190 + 9, at * 6_007 % 108 + 12);
        grid.fill(column..column + at % 13, row..row + at % 7, true).unwrap();
    }
    cells(grid, 1)
}

/// The table of hard numbers asks for 10^8 steps. A test has time for 2 x 10^6; the nightly fuzzer does more.
#[test]
fn two_million_steps_end_at_the_same_position_on_every_machine() {
    assert_eq!(thrown_about(&cave(), 1, 2_000_000), 5_696_418_105_540_107_730);
}

#[test]
fn thirty_two_threads_that_share_a_level_get_the_same_answers() {
    let level = cave();
    let alone: Vec<u64> = (0..32).map(|seed| thrown_about(&level, seed, 5_000)).collect();
    let together: Vec<u64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..32)
            .map(|seed| {
                scope.spawn({
                    let level = &level;
                    move || thrown_about(level, seed, 5_000)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(together, alone);
}

/// Each of these steps took minutes when the time grew with each pixel of the path.
#[test]
fn the_longest_steps_through_empty_space_take_a_bounded_time() {
    let far = i64::from(i32::MAX);
    let tiles = Level::from_grid(Grid::new(8_191, 2).unwrap(), UVec2::new(65_536, 64)).unwrap();
    let mut ceiling = Grid::new(16_384, 9).unwrap();
    ceiling.fill(0..16_384, 8..9, true).unwrap();
    let floor = cells(ceiling, 1);
    let mut ground = bitwall::Sides::all(Outside::Open);
    ground.down = Outside::Solid;
    let levels = [
        blank(40, 30),
        blank(40, 30).with_outside(Outside::Open),
        blank(40, 30).with_outside(ground),
        tiles.clone(),
        tiles.with_outside(ground),
        floor.clone(),
        floor.with_outside(Outside::Open),
    ];
    let responses =
        [Response::Slide, Response::Stop, Response::Cross, Response::Bounce { restitution: 100 }];
    let translations = [
        (far, far),
        (far, far / 3),
        (-far, far),
        (far, 0),
        (-far, 1),
        (far / 5, -far),
        (1, far),
        (far, 100_000),
    ];
    for level in &levels {
        let bottom = level.size().y as i32;
        let on_floor = level.sweep(Aabb::from_xywh(5, 0, 3, 4), Dir::Down, bottom as u32);
        let places = [
            IVec2::new(5, on_floor.moved.min(bottom as u32 - 4) as i32),
            IVec2::new(-1 << 30, bottom - 4),
            IVec2::new(i32::MIN, i32::MIN),
            IVec2::new(1 << 30, bottom - 4),
        ];
        for place in places {
            for mover in movers(Aabb::from_xywh(place.x, place.y, 3, 4)) {
                for response in responses {
                    for (x, y) in translations {
                        let mut mover = mover;
                        mover.settings.response = response;
                        let step = mover.step_subpixels(level, pixels(x, y) + I64Vec2::ONE);
                        if !step.started_solid && response != Response::Cross {
                            assert!(!level.overlaps(mover.body));
                        }
                    }
                }
            }
        }
    }
    let mut full = Grid::new(64, 64).unwrap();
    full.fill(0..64, 0..64, true).unwrap();
    let full = cells(full, 1);
    let mut mover = plain(Aabb::from_xywh(9, 9, 3, 3), MovePath::XThenY);
    assert_eq!(mover.unstick(&full, u32::MAX), None);
    let open = full.with_outside(Outside::Open);
    assert_eq!(mover.unstick(&open, u32::MAX), Some(IVec2::new(0, -12)));
}
