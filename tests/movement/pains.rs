//! One test for each complaint of users of other libraries. The numbers in the comments are the numbers of
//! the issues.

use bitwall::glam::{IVec2, Vec2};
use bitwall::{
    Aabb, Dir, Grid, Level, Mover, MoverSettings, Outside, geometry::Corners, mover::MovePath,
};

use crate::support::{ascii, cells, grid, tiles};

/// Creates a level with cells of one pixel that is solid from row `height(column)` down in each column.
fn ground(width: u32, rows: u32, height: impl Fn(u32) -> u32) -> Level {
    let mut grid = Grid::new(width, rows).unwrap();
    for column in 0..width {
        grid.fill(column..column + 1, height(column)..rows, true).unwrap();
    }
    cells(grid, 1)
}

fn with_ledges(text: &str, cell: u32, ledges: &str) -> Level {
    tiles(text, cell).with_one_way(Dir::Up, grid(ledges)).unwrap()
}

fn platformer(x: i32, y: i32, w: i32, h: i32) -> Mover {
    Mover::new(Aabb::from_xywh(x, y, w, h), MoverSettings::platformer())
}

fn by(mover: &mut Mover, level: &Level, x: f32, y: f32) -> bitwall::Move {
    mover.step(level, Vec2::new(x, y)).unwrap()
}

/// Creates a mover that has fallen onto the floor of `level` from row 0.
fn standing(level: &Level, x: i32, w: i32, h: i32) -> Mover {
    let mut mover = platformer(x, 0, w, h);
    assert!(by(&mut mover, level, 0.0, 9_999.0).grounded);
    mover
}

/// Godot#89458, Rapier#669 and #809, Box2D#935 and #456, bump.lua#33: bodies catch on the seams between
/// tiles.
#[test]
fn no_body_hits_the_seams_of_a_flat_floor_of_tiles() {
    let text = [".".repeat(60), ".".repeat(60), "#".repeat(60)].join("\n");
    let level = tiles(&text, 16);
    for speed in [0.3, 1.0, 2.7, 15.9, 16.0, 33.3] {
        for to in [speed, -speed] {
            let x = if to > 0.0 { 3 } else { 930 };
            let mut mover = standing(&level, x, 11, 20);
            let mut asked = 0.0;
            for _ in 0..25 {
                let step = by(&mut mover, &level, to, 0.9);
                asked += to;
                assert!(
                    step.grounded && step.contacts.left.is_none() && step.contacts.right.is_none()
                );
            }
            let moved = (mover.body.min.x - x) as f32;
            assert!((moved - asked).abs() < 1.01, "{moved} of {asked}");
        }
    }
}

/// bump.lua#33, Godot#91494, Rapier#643: a box gets stuck at a corner.
#[test]
fn a_corner_that_is_only_touched_does_not_stop_a_body() {
    let level = ascii("......\n......\n..##..\n..##..\n......\n......");
    let corners = [(0, 0), (4, 0), (0, 4), (4, 4)];
    for (x, y) in corners {
        for dir in Dir::ALL {
            let body = Aabb::from_xywh(x, y, 2, 2);
            let free = !level.overlaps(body.shifted(dir, 1));
            let mut mover = Mover::new(body, MoverSettings::PLAIN);
            let way = dir.vector().as_vec2();
            assert_eq!(!by(&mut mover, &level, way.x, way.y).is_stopped(), free);
        }
    }
    let mut mover = Mover::new(Aabb::from_xywh(0, 0, 2, 2), MoverSettings::PLAIN);
    assert!(!by(&mut mover, &level, 4.0, 4.0).is_stopped(), "around the block, x then y");
}

/// Feature-Requests#1405 of GameMaker, flixel-addons#490, Nez#155 and #331, phaser-arcade-slopes#36: bodies
/// jitter on slopes, or are faster or stuck in one direction.
#[test]
fn slopes_are_walked_up_and_down_at_one_speed_by_bodies_of_every_width() {
    type Slope = fn(u32) -> u32;
    let slopes: [(&str, Slope); 4] = [
        ("45 degrees", |x| 90 - x.clamp(20, 80)),
        ("shallow", |x| 60 - x.clamp(20, 80) / 4),
        ("gentle and uneven", |x| 60 - x.clamp(20, 80) * 2 / 7),
        ("steep", |x| 252 - x.clamp(20, 80) * 3),
    ];
    for (name, slope) in slopes {
        for mirrored in [false, true] {
            let level = ground(100, 260, |x| slope(if mirrored { 99 - x } else { x }));
            for width in 1..=12 {
                for speed in [0.37, 1.0, 2.5] {
                    let mut mover = standing(&level, 4, width, 9);
                    for to in [speed, -speed] {
                        let from = mover.body.min.x;
                        let count = (80.0 / speed) as i32;
                        for _ in 0..count {
                            let step = by(&mut mover, &level, to, 0.4);
                            assert!(step.grounded, "{name} {mover:?}");
                            assert_eq!(step.moved.x, step.asked.x, "{name} {mover:?}");
                        }
                        let moved = (mover.body.min.x - from) as f32;
                        assert!(
                            (moved - to * count as f32).abs() < 1.01,
                            "{name} {mover:?} {moved} {to} {mirrored}"
                        );
                    }
                }
            }
        }
    }
}

/// melonJS#16, Phaser#2378, phaser-ce#94, flixel#1605, phaser-arcade-slopes#8: fast bodies fall through the
/// floor. The advice there was to limit the speed.
#[test]
fn no_speed_goes_through_a_floor_of_one_pixel() {
    let level = ground(40, 2_000, |_| 1_999);
    for speed in [1.0, 16.0, 100.0, 1_500.0, 1e6, 2e9] {
        for (x, y) in [(0.0, speed), (speed, speed), (-speed, speed)] {
            let mut mover = platformer(20, 3, 7, 9);
            while !by(&mut mover, &level, x, y).grounded {}
            assert_eq!(mover.body.max.y, 1_999);
        }
    }
}

/// Phaser#886, Nez#331: of one-way tiles above each other, the lower tiles did not hold a body.
#[test]
fn stacked_one_way_tiles_hold_a_falling_body_one_after_the_other() {
    let ledges = "...\n.#.\n.#.\n.#.\n...";
    let level = with_ledges("...\n...\n...\n...\n...", 8, ledges);
    let mut mover = platformer(9, 0, 6, 6);
    for floor in [8, 16, 24] {
        by(&mut mover, &level, 0.0, 50.0);
        assert_eq!(mover.body.max.y, floor);
        assert!(mover.drop_through(&level));
    }
    by(&mut mover, &level, 0.0, 50.0);
    assert_eq!(mover.body.max.y, 40);
}

/// Phaser#4080, Godot#42914: a body that overlaps a one-way tile from below was put on top of it.
#[test]
fn a_one_way_tile_does_not_lift_a_body_that_comes_from_below() {
    let level = with_ledges("...\n...\n...\n...", 8, "...\n.#.\n...\n...");
    let mut mover = platformer(9, 26, 6, 6);
    for _ in 0..7 {
        let step = by(&mut mover, &level, 0.0, -2.0);
        assert_eq!((step.moved, step.is_stopped()), (IVec2::new(0, -2), false));
    }
    let step = by(&mut mover, &level, 0.0, 1.0);
    assert!(step.moved.y == 1 && !step.grounded, "a body past the edge falls");
}

/// Godot#71769: a body falls through a one-way platform between two solid tiles.
#[test]
fn a_one_way_tile_between_two_solid_tiles_holds_a_falling_body() {
    let level = with_ledges("...\n#.#\n...", 8, "...\n.#.\n...");
    for (x, w) in [(8, 8), (9, 6), (6, 12), (0, 24)] {
        for speed in [0.5, 3.0, 99.0] {
            let mut mover = platformer(x, 0, w, 5);
            for _ in 0..30 {
                by(&mut mover, &level, 0.0, speed);
            }
            assert_eq!(mover.body.max.y, 8, "{x} {w}");
        }
    }
}

/// Godot#88067, flixel#3646, macroquad#969, solarus#189, bump.lua#34 and #37: a body that spawns in the
/// ground is stuck.
#[test]
fn a_body_that_spawns_in_the_ground_gets_out_and_stands() {
    let level = ground(40, 40, |_| 30);
    for depth in 1..10 {
        let mut mover = platformer(10, 20 + depth, 6, 10);
        assert!(by(&mut mover, &level, 0.0, 0.0).started_solid);
        assert_eq!(mover.unstick(&level, 16), Some(IVec2::new(0, -depth)));
        let step = by(&mut mover, &level, 1.0, 0.5);
        assert!(step.grounded && step.moved.x == 1);
    }
}

/// Nez#909, macroquad#459, Nez#406: boxes of even or of odd sizes collide wrongly.
#[test]
fn boxes_of_even_and_odd_sizes_land_and_fit_into_gaps_of_their_size() {
    for side in 1..20 {
        let level = tiles("....\n....\n####", 24);
        let mut mover = platformer(30, 0, side, side);
        for _ in 0..40 {
            by(&mut mover, &level, 0.3, 1.7);
        }
        assert_eq!(mover.body.max.y, 48);
        let shaft =
            ground(
                side as u32 + 20,
                60,
                |x| {
                    if (10..10 + side as u32).contains(&x) { 50 } else { 0 }
                },
            );
        let mut falling = platformer(10, -30, side, 9);
        falling.body = Aabb::from_xywh(10, 0, side, 9);
        by(&mut falling, &shaft, 0.0, 99.0);
        assert_eq!(falling.body.max.y, 50, "{side}");
    }
}

/// melonJS#755, Godot#87477: a body sticks to a ceiling.
#[test]
fn a_body_does_not_stick_to_a_ceiling() {
    let level = tiles("######\n......\n......\n......", 8);
    let mut mover = platformer(8, 12, 6, 8);
    let mut velocity = Vec2::new(0.0, -9.0);
    let step = mover.step(&level, velocity).unwrap();
    velocity = step.velocity(velocity);
    assert_eq!((mover.body.min.y, velocity.y), (8, 0.0));
    let step = by(&mut mover, &level, 1.0, 1.0);
    assert_eq!(step.moved, IVec2::ONE);
}

/// flixel#1561, #3646: a body that pushes against a wall while it falls goes through the floor, or is held by
/// the tiles of the wall.
#[test]
fn a_body_that_pushes_a_wall_falls_at_full_speed_and_lands() {
    let level = tiles("..#\n..#\n..#\n..#\n###", 8);
    for push in [0.2, 1.0, 7.0] {
        let mut mover = platformer(10, 0, 6, 8);
        for fallen in 1..=24 {
            let step = by(&mut mover, &level, push, 1.0);
            assert_eq!(step.moved.y, 1, "{fallen}");
        }
        by(&mut mover, &level, push, 50.0);
        assert_eq!(mover.body.max, IVec2::new(16, 32));
    }
}

/// LittleJS#141: a fast jump ends before the body reaches the ceiling.
#[test]
fn a_fast_jump_ends_exactly_at_the_ceiling() {
    let level = tiles("####\n....\n....\n....\n####", 16);
    for speed in [1.0, 7.0, 13.3, 40.0, 500.0] {
        let mut mover = standing(&level.clone().with_outside(Outside::Open), 20, 10, 12);
        mover.body = Aabb::from_xywh(20, 52, 10, 12);
        while by(&mut mover, &level, 0.0, -speed).contacts.up.is_none() {}
        assert_eq!(mover.body.min.y, 16, "{speed}");
    }
}

/// LittleJS#157 and #60, GameMaker-Bugs#14294: contacts are reported with tiles that the path misses by a
/// pixel or two.
#[test]
fn a_contact_names_the_cell_met_and_a_tile_one_pixel_aside_is_missed() {
    let level = tiles("......\n...#..\n......", 8);
    let sweep = |y| level.sweep(Aabb::from_xywh(0, y, 4, 4), Dir::Right, 40).contact;
    assert_eq!(sweep(4), None, "it ends a pixel above");
    assert_eq!(sweep(5).map(|contact| contact.cell), Some(IVec2::new(3, 1)));
    assert_eq!(sweep(15).map(|contact| contact.cell), Some(IVec2::new(3, 1)));
    assert_eq!(sweep(16), None);
}

/// solarus#39 and #479: diagonal moves fail in narrow passages. melonJS#169: a body jumps into a solid
/// corner.
#[test]
fn a_body_pushed_diagonally_follows_a_passage_as_wide_as_itself() {
    let level = ascii("########\n........\n........\n########");
    for path in [MovePath::XThenY, MovePath::YThenX, MovePath::Straight(Corners::Block)] {
        for y in [1.0, -1.0, 0.5] {
            let settings = MoverSettings { path, ..MoverSettings::PLAIN };
            let mut mover = Mover::new(Aabb::from_xywh(0, 1, 2, 2), settings);
            for column in 1..=6 {
                by(&mut mover, &level, 1.0, y);
                assert_eq!(mover.body.min, IVec2::new(column, 1), "{path:?}");
            }
        }
    }
}

/// macroquad#122: a box larger than a tile misses a tile that lies between the corners of the box.
#[test]
fn a_box_larger_than_a_tile_meets_a_tile_between_its_corners() {
    let level = tiles(".....\n.....\n..#..\n.....\n.....", 4);
    for dir in Dir::ALL {
        let start = Aabb::from_xywh(1, 1, 18, 18).shifted(dir.opposite(), 17);
        let open = level.clone().with_outside(Outside::Open);
        let mut mover = Mover::new(start, MoverSettings::PLAIN);
        let way = dir.vector().as_vec2() * 40.0;
        by(&mut mover, &open, way.x, way.y);
        assert_eq!(mover.body, start.shifted(dir, 6), "{dir:?}");
    }
}

/// flixel-demos#385, Nez#323: a body gets stuck at the peak or at the foot of a slope at some speeds.
#[test]
fn the_peak_and_the_foot_of_a_slope_are_walked_over_at_every_speed() {
    let level = ground(120, 60, |x| 80 - x.min(119 - x).clamp(30, 59));
    for width in [1, 4, 7, 12] {
        for speed in 1..=20 {
            for to in [speed, -speed] {
                let mut mover = standing(&level, if to > 0 { 2 } else { 104 }, width, 9);
                for _ in 0..100 / speed {
                    let step = by(&mut mover, &level, to as f32, 1.0);
                    assert!(step.grounded && step.moved.x == to, "{to} {mover:?}");
                }
            }
        }
    }
}

/// Phaser#4732, rapier.js#191, Rapier#418: a body gains or loses velocity on a flat floor.
#[test]
fn a_walk_on_a_flat_floor_keeps_its_velocity() {
    let level = tiles("........\n........\n########", 16);
    let mut mover = standing(&level, 4, 9, 9);
    let mut velocity = Vec2::new(1.25, 0.0);
    for _ in 0..80 {
        velocity.y += 0.3;
        velocity = mover.step(&level, velocity).unwrap().velocity(velocity);
        assert_eq!(velocity, Vec2::new(1.25, 0.0));
    }
    assert_eq!(mover.body.min.x, 104);
}

/// prime31/CharacterController2D#96: a player that is caught on the edge of a tile rises slowly.
#[test]
fn a_body_pressed_at_the_edge_of_a_tile_falls_or_reaches_its_top_in_one_step() {
    let level = ground(200, 200, |x| if (100..120).contains(&x) { 120 } else { 180 });
    for y in 60..=160 {
        for speed in [0.3, 1.0, 2.5] {
            let mut mover = platformer(88, y, 12, 20);
            let mut velocity = Vec2::ZERO;
            for _ in 0..60 {
                let run = if mover.body.min.x < 104 { speed } else { 0.0 };
                velocity = Vec2::new(run, velocity.y + 0.2);
                let step = mover.step(&level, velocity).unwrap();
                velocity = step.velocity(velocity);
                if step.moved.y < 0 {
                    assert!(step.grounded && step.moved.y >= -4, "{y} {speed}: {}", step.moved);
                    assert_eq!(mover.body.max.y, 120);
                }
            }
            let feet = if mover.body.min.x > 88 { 120 } else { 180 };
            assert_eq!(mover.body.max.y, feet, "{y} {speed}");
        }
    }
}

/// platform_template#2: a character hops at the end of a slope.
#[test]
fn a_walk_off_the_end_of_a_slope_does_not_hop() {
    for (rise, run) in [(1, 4), (1, 2), (1, 1), (2, 1)] {
        let level = ground(600, 500, |x| if x < 200 { 480 - x.max(100) * rise / run } else { 499 });
        for speed in [0.4, 1.0, 1.7, 3.0, 6.0] {
            let mut mover = standing(&level, 40, 12, 20);
            let mut velocity = Vec2::ZERO;
            while mover.body.min.x < 300 {
                velocity = Vec2::new(speed, velocity.y + 0.2);
                let step = mover.step(&level, velocity).unwrap();
                velocity = step.velocity(velocity);
                assert!(velocity.y >= 0.0 && (step.was_grounded || step.moved.y >= 0));
                assert_eq!(step.grounded, mover.body.min.x < 200 || mover.body.max.y == 499);
            }
        }
    }
}

/// monkey-shines-java-port#6: a character walks over a gap, sinks into it, and is moved up onto the other
/// side.
#[test]
fn a_body_that_falls_into_a_pit_falls_into_every_wider_pit_too() {
    for width in [12, 16] {
        for speed in [0.5, 1.0, 1.75, 3.0] {
            let mut has_fallen = false;
            for gap in 1..60 {
                let level =
                    ground(400, 200, |x| if (150..150 + gap).contains(&x) { 180 } else { 100 });
                let mut mover = standing(&level, 100, width, 20);
                let mut velocity = Vec2::ZERO;
                let count = (150.0 / speed) as i32;
                for _ in 0..count {
                    velocity = Vec2::new(speed, velocity.y + 0.2);
                    velocity = mover.step(&level, velocity).unwrap().velocity(velocity);
                }
                let (x, feet) = (mover.body.min.x, mover.body.max.y);
                let across = 100 + (speed * count as f32) as i32;
                let fallen = 150 + gap as i32 - width;
                let expected = if feet == 100 { (across, 100) } else { (fallen, 180) };
                assert_eq!((x, feet), expected, "{gap} at {speed}");
                assert!(feet == 180 || !has_fallen, "{gap} at {speed}");
                has_fallen = feet == 180;
                assert!(!has_fallen || gap as i32 > width);
            }
            assert!(has_fallen);
        }
    }
}

/// godot-proposals#15024: a game cannot ask whether a character stands on one-way tiles only.
#[test]
fn a_body_on_one_way_cells_alone_is_recognized_and_drops_through_them() {
    for depth in [1, 10] {
        let mut one_way = Grid::new(100, 100).unwrap();
        one_way.fill(0..50, 60..60 + depth, true).unwrap();
        let level = ground(100, 100, |x| if x < 50 { 100 } else { 60 });
        let level = level.with_one_way(Dir::Up, one_way).unwrap();
        for x in 0..=88 {
            let mut mover = standing(&level, x, 12, 20);
            let is_alone = x + 12 <= 50;
            let below = level.sweep_through_one_way(mover.body, Dir::Down, 1);
            assert_eq!((mover.body.max.y, below.is_clear()), (60, is_alone), "{x}");
            assert_eq!(mover.drop_through(&level), is_alone, "{x}");
        }
    }
}
