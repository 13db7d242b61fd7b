//! One-way slopes: they carry a walker up and down, stop a falling body, and let a jumping body through.

use bitwall::character::{Input, Platformer};
use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::mover::MovePath;
use bitwall::{Aabb, Dir, Footprint, Grid, Level, LoadOptions, Mover, MoverSettings, Sides};

use super::character::{RATE, feel};
use crate::movement::oracle::{self, Seen};
use crate::movement::random::{PIXEL, Plan, Symmetry};
use crate::support::{SubpixelSteps, cells, load, map, rounds, tileset};

const SPEEDS: [f32; 10] = [0.3, 0.5, 0.77, 1.0, 1.7, 2.5, 3.0, 4.9, 6.3, 9.0];

/// The y of the floors to the left and right of the hill. [`TOP`] is the y of its top.
const GROUND: i32 = 144;
const TOP: i32 = 80;

/// Returns a one-way tile with this polygon as its shape.
fn slope(id: u32, points: &str) -> String {
    format!(
        r#"<tile id="{id}"><properties><property name="one_way" type="bool" value="true"/></properties>
        <objectgroup><object id="1" x="0" y="0"><polygon points="{points}"/></object></objectgroup></tile>"#
    )
}

/// Returns the level of a Tiled map with a hill of one-way tiles. Its slopes rise 64 px over `run` tiles, and
/// its top is four tiles wide. On both sides are four tiles of ground, one-way or solid.
fn hill(run: usize, is_ground_one_way: bool) -> Level {
    let ground = if is_ground_one_way { 1 } else { 8 };
    let tiles = [
        slope(0, "0,0 16,0 16,16 0,16"),
        slope(1, "0,16 16,0 16,16"),
        slope(2, "0,16 16,8 16,16"),
        slope(3, "0,8 16,0 16,16 0,16"),
        slope(4, "0,16 8,0 16,0 16,16"),
        slope(5, "8,16 16,0 16,16"),
        String::new(),
        r#"<tile id="7"><properties><property name="solid" type="bool" value="true"/></properties></tile>"#
            .to_owned(),
    ];
    // The tiles in each column of the slope, from the bottom up: row and tile.
    let column = |at: usize| match run {
        8 => vec![(8 - at / 2, 3 + at % 2)],
        4 => vec![(8 - at, 2)],
        _ => vec![(8 - 2 * at, 5), (7 - 2 * at, 6)],
    };
    let width = 12 + 2 * run;
    let mut cells = vec![0_u32; width * 12];
    for at in 0..4 {
        cells[9 * width + at] = ground;
        cells[9 * width + width - 1 - at] = ground;
        cells[5 * width + 4 + run + at] = 1;
    }
    for at in 0..run {
        for (row, tile) in column(at) {
            for (at, flip) in [(4 + at, 0), (width - 5 - at, 0x8000_0000)] {
                cells[row * width + at] = tile as u32 | flip;
                // The lowest point of a slope covers less than half of its pixel, so the tile below closes
                // the gap.
                let below = &mut cells[(row + 1) * width + at];
                *below = if row == 8 { ground } else { (*below).max(1) };
            }
        }
    }
    let cells: Vec<String> = cells.iter().map(u32::to_string).collect();
    let tiles = tileset([16, 16], 8, &tiles.concat());
    let layer = crate::support::layer("name=\"ground\"", [width, 12], &cells.join(","));
    load(&map("", [width, 12], [16, 16], &(tiles + &layer)), &LoadOptions::default())
}

/// Returns a platformer body whose feet are at `y`.
fn standing(x: i32, y: i32, size: [i32; 2]) -> Mover {
    Mover::new(Aabb::from_xywh(x, y - size[1], size[0], size[1]), MoverSettings::platformer())
}

#[test]
fn slopes_of_26_45_and_63_degrees_carry_a_walker_over_the_hill_at_every_speed() {
    for (run, is_ground_one_way) in
        [8, 4, 2].into_iter().flat_map(|run| [(run, true), (run, false)])
    {
        let level = hill(run, is_ground_one_way);
        let far = level.size().x as i32;
        for size in [[1, 9], [5, 5], [12, 20], [31, 40]] {
            for speed in SPEEDS {
                for dir in [1, -1] {
                    let x = if dir > 0 { 8 } else { far - 8 - size[0] };
                    let mut mover = standing(x, GROUND, size);
                    let case = || format!("{run} {is_ground_one_way} {size:?} {speed} {dir}");
                    let mut highest = GROUND;
                    while (mover.body.min.x - x).abs() < far - 32 - size[0] {
                        let by = Vec2::new(speed * dir as f32, 0.4);
                        let step = mover.step(&level, by).unwrap();
                        assert!(step.grounded, "{} {:?}", case(), mover.body);
                        assert_eq!(step.moved.x, step.asked.x, "{} {:?}", case(), mover.body);
                        highest = highest.min(mover.body.max.y);
                    }
                    assert_eq!((highest, mover.body.max.y), (TOP, GROUND), "{}", case());
                }
            }
        }
    }
}

#[test]
fn a_walker_that_turns_on_a_slope_stays_on_its_surface() {
    let mut random = fastrand::Rng::with_seed(81);
    for run in [8, 4, 2] {
        let level = hill(run, true);
        for _ in 0..rounds(200) {
            let mut mover = standing(90, TOP, [12, 20]);
            let x = random.i32(0..60 + 32 * run as i32);
            mover.body = mover.body.translated(IVec2::new(x - 60, -64));
            mover.step(&level, Vec2::new(0.0, 200.0)).unwrap();
            for _ in 0..60 {
                let by = Vec2::new(random.f32() * 12.0 - 6.0, 0.5);
                mover.step(&level, by).unwrap();
                let before = mover;
                // A body that falls from above lands exactly where the walker stands.
                mover.body = mover.body.translated(IVec2::new(0, -50));
                mover.step(&level, Vec2::new(0.0, 200.0)).unwrap();
                assert_eq!(mover.body, before.body, "{run}");
            }
        }
    }
}

#[test]
fn a_jump_from_below_passes_a_slope_and_lands_on_it() {
    for run in [8, 4, 2] {
        let level = hill(run, true);
        for x in (60..100).step_by(3) {
            let mut mover = standing(x, 190, [12, 20]);
            let up = mover.step(&level, Vec2::new(0.0, -150.0)).unwrap();
            assert_eq!(up.moved.y, -150);
            let mut other = standing(x, 40, [12, 20]);
            for mover in [&mut mover, &mut other] {
                assert!(mover.step(&level, Vec2::new(0.0, 150.0)).unwrap().landed());
            }
            assert_eq!(mover.body, other.body);
        }
    }
}

/// Returns a level of `size` pixels, with one-way cells that guard their top, and solids.
fn drawn(size: UVec2, edges: &[Aabb], solids: &[Aabb]) -> Level {
    let filled = |areas: &[Aabb]| {
        let mut grid = Grid::new(size.x, size.y).unwrap();
        for area in areas {
            let (min, max) = (area.min.as_uvec2(), area.max.as_uvec2());
            grid.fill(min.x..max.x, min.y..max.y, true).unwrap();
        }
        grid
    };
    cells(filled(solids), 1).with_one_way(Dir::Up, filled(edges)).unwrap()
}

#[test]
fn a_walker_below_a_slope_or_a_low_platform_stays_below() {
    let floor = Aabb::from_xywh(0, 100, 300, 20);
    let slope = (0..60).map(|at| Aabb::from_xywh(100 + at, 99 - at, 1, 1));
    let under_slope = drawn(UVec2::new(300, 120), &slope.collect::<Vec<_>>(), &[floor]);
    // Platforms of 40 px with gaps of 10 px, 3 px above the floor.
    let platforms = (0..5).map(|at| Aabb::from_xywh(20 + 50 * at, 97, 40, 1));
    let low = drawn(UVec2::new(300, 120), &platforms.collect::<Vec<_>>(), &[floor]);
    for speed in SPEEDS {
        // Walks from below the slope past its foot to the open.
        let mut mover = standing(170, 100, [12, 20]);
        while mover.body.min.x > 50 {
            mover.step(&under_slope, Vec2::new(-speed, 0.5)).unwrap();
            assert_eq!(mover.body.max.y, 100, "{speed} {:?}", mover.body);
        }
        // On the way back it walks up on top of the slope.
        while mover.body.min.x < 120 {
            mover.step(&under_slope, Vec2::new(speed, 0.5)).unwrap();
        }
        assert_eq!(mover.body.max.y, 100 - (mover.body.max.x - 100), "{speed}");
        // A body that drops through one platform stays below all of them, because its feet are below their
        // edges.
        let mut mover = standing(30, 97, [12, 20]);
        assert!(mover.drop_through(&low));
        mover.step(&low, Vec2::new(0.0, 9.0)).unwrap();
        while mover.body.min.x < 250 {
            mover.step(&low, Vec2::new(speed, 0.5)).unwrap();
            assert_eq!(mover.body.max.y, 100, "{speed} {:?}", mover.body);
        }
        // A body from the open climbs the first platform as a step, and falls into a gap as wide as itself.
        let mut mover = standing(2, 100, [12, 20]);
        while mover.body.min.x < 30 {
            mover.step(&low, Vec2::new(speed, 0.5)).unwrap();
        }
        assert_eq!(mover.body.max.y, 97, "{speed}");
    }
}

#[test]
fn a_walker_steps_onto_a_one_way_platform_up_to_its_step_height_and_passes_higher_ones() {
    let floor = Aabb::from_xywh(0, 100, 300, 20);
    for (height, is_step) in [(1, true), (4, true), (5, false), (20, false), (21, false)] {
        let edge = Aabb::from_xywh(100, 100 - height, 100, 1);
        let level = drawn(UVec2::new(300, 120), &[edge], &[floor]);
        let mut mover = standing(60, 100, [12, 20]);
        mover.step(&level, Vec2::new(90.0, 0.5)).unwrap();
        let y = if is_step { 100 - height } else { 100 };
        assert_eq!((mover.body.min.x, mover.body.max.y), (150, y));
        // If there is no room above the platform, the body goes on below it.
        let ceiling = Aabb::from_xywh(0, 0, 300, 80);
        let level = drawn(UVec2::new(300, 120), &[edge], &[floor, ceiling]);
        let mut mover = standing(60, 100, [12, 20]);
        mover.step(&level, Vec2::new(90.0, 0.5)).unwrap();
        assert_eq!((mover.body.min.x, mover.body.max.y), (150, 100));
        // A body that does not obey the platform passes it too.
        let level = drawn(UVec2::new(300, 120), &[edge], &[floor]);
        let mut mover = standing(60, 100, [12, 20]);
        mover.settings.one_way = Sides::all(false);
        mover.step(&level, Vec2::new(90.0, 0.5)).unwrap();
        assert_eq!((mover.body.min.x, mover.body.max.y), (150, 100));
    }
}

#[test]
fn a_slope_is_dropped_through_in_one_go() {
    // Slopes that fall to the right and to the left, by `rise` pixels per `run` pixels.
    for (rise, run) in [(1, 2), (1, 1), (2, 1), (4, 1), (2, 3)] {
        for mirror in [false, true] {
            let edge = |x: i32| {
                let x = if mirror { 59 - x } else { x };
                Aabb::from_xywh(x, 40 + x * rise / run, 1, 1)
            };
            let edges: Vec<_> = (0..60).map(edge).collect();
            let level = drawn(UVec2::new(60, 400), &edges, &[]);
            for width in [1, 5, 12] {
                let mut mover = standing(20, 38, [width, 20]);
                mover.step(&level, Vec2::new(0.0, 350.0)).unwrap();
                let start = mover.body;
                assert!(mover.drop_through(&level));
                let depth = mover.body.min.y - start.min.y;
                let case = (rise, run, mirror, width, depth);
                assert!(depth <= width * rise / run + rise + 1, "{case:?}");
                assert!(level.can_move(mover.body, Dir::Down, 100), "{case:?}");
                let lower = start.shifted(Dir::Down, depth as u32 - 1);
                assert!(!level.can_move(lower, Dir::Down, 1), "{case:?}");
            }
        }
    }
}

#[test]
fn a_disc_and_a_sprite_walk_over_a_one_way_hill() {
    let shapes = [
        Footprint::circle(12).unwrap(),
        Footprint::circle(7).unwrap(),
        Footprint::capsule(UVec2::new(8, 20)).unwrap(),
        Footprint::rectangle(UVec2::new(9, 12)).unwrap(),
    ];
    for run in [8, 4, 2] {
        let level = hill(run, true);
        for shape in &shapes {
            let size = shape.size().as_ivec2();
            let among = level.with_footprint(shape);
            for speed in SPEEDS {
                let mut mover = standing(8, GROUND, size.to_array());
                let (mut highest, far) = (GROUND, level.size().x as i32 - 30);
                while mover.body.min.x < far {
                    let step = mover.step(&among, Vec2::new(speed, 0.4)).unwrap();
                    assert!(step.grounded, "{run} {size} {speed} {:?}", mover.body);
                    highest = highest.min(mover.body.max.y);
                }
                assert_eq!((highest, mover.body.max.y), (TOP, GROUND), "{run} {size} {speed}");
            }
        }
    }
}

/// Returns the y of the highest one-way edge in the columns of a body.
fn surface(level: &Level, body: Aabb) -> i32 {
    let above = Aabb::from_xywh(body.min.x, 0, body.width() as i32, 20);
    20 + level.sweep(above, Dir::Down, 400).moved as i32
}

/// Runs up the slope of `run` tiles toward `dir`, with a jump key held for `hold` steps from step `at` on.
fn tap_jump(run: usize, dir: i32, speed: i8, hold: u32, at: u32) {
    let level = hill(run, true);
    let x = if dir > 0 { 20 } else { level.size().x as i32 - 32 };
    let mut mover = standing(x, GROUND, [12, 20]);
    let (mut player, feel) = (Platformer::new(RATE), feel());
    let mut jumped = 0;
    for step in 0..at + 40 {
        let jump = (at..at + hold).contains(&step);
        let input = Input::from_axes(f32::from(speed) / 100.0 * dir as f32, 0.0, jump);
        let (_, outcome) = player.step(&level, &mut mover, input, &feel);
        jumped += u32::from(outcome.jumped_from.is_some());
        let surface = surface(&level, mover.body);
        assert!(mover.body.max.y <= surface, "{run} {dir} {speed} {hold} {at} {:?}", mover.body);
    }
    assert_eq!(jumped, 1);
}

/// This is issue 1 of the project hessian: with `Feel::default`, 80 of 120 jumps at 45 degrees fell through.
#[test]
fn no_jump_while_running_up_a_one_way_slope_falls_through_it() {
    for (run, dir) in [(8, 1), (8, -1), (4, 1), (4, -1), (2, 1), (2, -1)] {
        for speed in [30_i8, 50, 75, 100] {
            for hold in 1..=12 {
                // The slope starts 32 px ahead of the body.
                let foot = 32 * 100 / (175 * u32::from(speed.unsigned_abs()) / 100);
                for at in (foot..foot + 20).step_by(2) {
                    tap_jump(run, dir, speed, hold, at);
                }
            }
        }
    }
}

#[test]
fn a_rise_slower_than_a_one_way_slope_stays_on_it_on_either_path() {
    for path in [MovePath::XThenY, MovePath::YThenX] {
        for run in [8, 4, 2] {
            let level = hill(run, true);
            for rise in [0.01, 0.3, 0.9] {
                let mut mover = standing(52, GROUND, [12, 20]);
                mover.settings.path = path;
                for _ in 0..60 {
                    mover.step(&level, Vec2::new(2.0, -rise)).unwrap();
                    let height = surface(&level, mover.body) - mover.body.max.y;
                    let is_on_slope = mover.body.max.x < 64 + 16 * run as i32;
                    assert!(
                        height >= 0 && (height <= 2 || !is_on_slope),
                        "{path:?} {run} {height}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_fall_onto_a_one_way_slope_lands_on_it_at_every_speed() {
    for run in [8, 4, 2] {
        let level = hill(run, true);
        for (speed, fall) in SPEEDS.into_iter().flat_map(|x| [0.1, 0.6, 2.0].map(|y| (x, y))) {
            for height in 0..8 {
                let mut mover = standing(40, GROUND - height, [12, 20]);
                while mover.body.min.x < 80 + 32 * run as i32 {
                    mover.step(&level, Vec2::new(speed, fall)).unwrap();
                    let surface = surface(&level, mover.body);
                    assert!(mover.body.max.y <= surface, "{run} {speed} {fall} {:?}", mover.body);
                }
            }
        }
    }
}

#[test]
fn a_jump_from_below_rises_through_a_slope_without_a_lift_in_both_directions() {
    for run in [8, 4, 2] {
        let level = hill(run, true);
        let top = 52 + 16 * run as i32;
        for (speed, start) in SPEEDS.into_iter().flat_map(|x| [(x, 40), (x, 70), (-x, top)]) {
            let mut mover = standing(start, 190, [12, 20]);
            let mut asked = 0.0;
            while mover.body.max.y > 60 {
                let step = mover.step(&level, Vec2::new(speed.clamp(-2.5, 2.5), -4.5)).unwrap();
                asked -= 4.5;
                let moved = (mover.body.max.y - 190) as f32;
                // The lift onto the surface counts as part of the step, so nothing is added when the feet
                // pass it.
                assert!(step.moved.y <= -4 && (moved - asked).abs() < 1.0, "{run} {speed} {moved}");
            }
        }
    }
}

#[test]
fn a_leap_is_not_lifted_onto_a_one_way_platform_higher_than_a_step_above_the_floor() {
    let floor = Aabb::from_xywh(0, 100, 300, 20);
    for (height, is_step) in [(3, true), (4, true), (5, false), (20, false)] {
        let level =
            drawn(UVec2::new(300, 120), &[Aabb::from_xywh(100, 100 - height, 100, 1)], &[floor]);
        for below in 1..height.min(5) {
            // The feet are in the air, `below` pixels below the edge.
            let mut mover = standing(84, 100 - height + below, [12, 20]);
            let step = mover.step(&level, Vec2::new(10.0, -0.5)).unwrap();
            let lift = if is_step { below } else { 0 };
            assert_eq!(step.moved, IVec2::new(10, -lift), "{height} {below}");
        }
    }
}

/// Returns a plan of uneven one-way floors, one above the other, with some solids. Cells have `cell` pixels.
pub(crate) fn uneven(random: &mut fastrand::Rng, cell: IVec2) -> Plan {
    let mut plan = Plan::blank(IVec2::new(random.i32(20..70), random.i32(20..50)), cell);
    for _ in 0..random.i32(1..4) {
        let mut y = random.i32(5..plan.size.y);
        let (steepest, run) = (random.i32(0..5), random.i32(1..4));
        let slant = random.i32(-1..=1);
        for x in 0..plan.size.x {
            if x % run == 0 {
                y = (y + slant + random.i32(-steepest..=steepest)).clamp(2, plan.size.y - 1);
            }
            if random.u8(0..30) > 0 {
                plan.guards[2][(y * plan.size.x + x) as usize] = true;
            }
        }
    }
    for _ in 0..random.i32(0..40) {
        let at = random.usize(0..plan.solid.len());
        plan.solid[at] = true;
    }
    plan
}

#[test]
fn a_walk_over_uneven_one_way_ground_agrees_with_its_oracle() {
    let mut random = fastrand::Rng::with_seed(82);
    let (mut lifted, mut walked, mut carried) = (0, 0, 0);
    for _ in 0..rounds(3_000) {
        let cell = [[1, 1], [1, 1], [1, 1], [2, 1], [1, 2], [3, 2]][random.usize(0..6)].into();
        let mut plan = uneven(&mut random, cell);
        let mut floor = Dir::Down;
        for symmetry in Symmetry::ALL.into_iter().filter(|_| random.bool()) {
            (plan, floor) = (symmetry.plan(&plan), symmetry.dir(floor));
        }
        let level = plan.level();
        let one_way = match random.u8(0..8) {
            0 => Sides::all(false),
            _ => Sides::all(true),
        };
        let settings = MoverSettings {
            floor: Some(floor),
            step_height: random.u32(0..7),
            snap_distance: random.u32(0..7),
            one_way,
            ..MoverSettings::PLAIN
        };
        let mut mover = plan.mover(&mut random, &level, settings);
        let along = floor.vector().as_i64vec2();
        for _ in 0..30 {
            let speed = random.i64(-9 * PIXEL..9 * PIXEL);
            let fall = random.i64(-PIXEL..4 * PIXEL);
            let by = along.perp() * speed + along * fall;
            let mut after = mover;
            let step = after.step_subpixels(&level, by);
            let expected = oracle::step(&plan, &level, mover, by);
            assert_eq!(Seen::of(&after, &step), expected, "{plan}{mover:?}\nby {by}");
            let rise = (after.body.min - mover.body.min).as_i64vec2() * -along;
            let due = (step.asked.as_i64vec2() * -along).element_sum();
            let flew = !step.was_grounded && settings.step_height > 0 && !step.started_solid;
            carried += usize::from(flew && rise.element_sum() > due.max(0));
            walked += usize::from(step.was_grounded && step.grounded);
            lifted +=
                usize::from(step.was_grounded && rise != I64Vec2::ZERO && rise.element_sum() > 0);
            mover = after;
        }
    }
    assert!(lifted > rounds(3_000) && walked > rounds(20_000), "{lifted}, {walked}");
    assert!(carried > rounds(300), "{carried}");
}

#[test]
fn a_long_one_way_floor_is_walked_in_a_few_queries() {
    let mut floor = Grid::new(16_384, 4).unwrap();
    floor.fill(0..16_384, 2..3, true).unwrap();
    let level = Level::from_grid(Grid::new(16_384, 4).unwrap(), UVec2::splat(16_384)).unwrap();
    let level = level.with_one_way(Dir::Up, floor).unwrap();
    for _ in 0..100 {
        let mut mover = standing(0, 32_768, [4, 6]);
        let step = mover.step(&level, Vec2::new(2e8, 0.0)).unwrap();
        assert!(step.grounded && step.moved == IVec2::new(Mover::MAX_TRANSLATION as i32, 0));
    }
}
