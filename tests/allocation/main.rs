//! The memory of steps and of decoding, measured by a counting allocator: steps allocate nothing, decoding a
//! baked level allocates little, a document of a map at most what its limit says.

use bitwall::character::{Feel, Input, Platformer, Stance};
use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::navigate::Search;
use bitwall::world::{Body, World};
use bitwall::{
    Aabb, Dir, Footprint, Level, Mover, MoverSettings, Rate, Terrain,
    geometry::Corners,
    mover::{MovePath, Response, Slope, WalkSpeed},
};

use crate::support::Subpixels;

mod decoding;
#[cfg(feature = "ldtk")]
mod documents;
mod stage;
#[path = "../support/mod.rs"]
mod support;

use stage::{Met, Stage};

/// Returns a random level of 40 x 30 cells, with solids and one-way cells.
fn noise(cell: UVec2) -> Level {
    let mut random = fastrand::Rng::with_seed(7);
    let mut scattered = || support::scattered(&mut random, UVec2::new(40, 30), 90, UVec2::ONE);
    let level = Level::from_grid(scattered(), cell).unwrap();
    level.with_one_way(Dir::Up, scattered()).unwrap()
}

#[test]
fn a_step_of_a_mover_allocates_nothing() {
    let circle = Footprint::circle(9).unwrap();
    let presets = [
        MoverSettings::platformer(),
        MoverSettings::top_down(),
        MoverSettings {
            path: MovePath::Straight(Corners::Block),
            response: Response::Bounce { restitution: 80 },
            ..MoverSettings::PLAIN
        },
    ];
    for (settings, cell) in presets.into_iter().zip([6, 16, 9]) {
        let level = noise(UVec2::new(cell, cell + 1));
        let mut mover = Mover::new(Aabb::from_xywh(5, 5, 6, 9), settings);
        let mut random = fastrand::Rng::with_seed(3);
        let (mut contacts, mut corners) = (0, 0);
        let counted = allocation_counter::measure(|| {
            mover.unstick(&level, 400);
            for _ in 0..5_000 {
                let step = Vec2::new(random.f32() * 24.0 - 12.0, random.f32() * 24.0 - 12.0);
                let moved = mover.step(&level, step).unwrap();
                contacts += u32::from(moved.is_stopped());
                corners += u32::from(moved.moved.abs().cmpgt(moved.asked.abs()).any());
                moved.entered(&level).for_each(drop);
                mover.drop_through(&level);
                let mut round = mover;
                round.step(&level.with_footprint(&circle), step).unwrap();
                round.unstick(&level.with_footprint(&circle), 5);
            }
        });
        assert_eq!(counted.count_total, 0, "{counted:?}");
        assert!(contacts > 500, "only {contacts} contacts");
        let forgiving = settings.corner_correction.left > 0;
        assert_eq!(corners > 0, forgiving, "{corners}");
        assert_ne!(mover.body.min, IVec2::new(5, 5));
    }
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(0))));
    assert_eq!(counted.count_total, 1, "the allocator counts");
}

#[test]
fn a_step_on_slopes_allocates_nothing() {
    // One hill with slopes of 1:2 and 1:1, and one with slopes of 3:1.
    let level = support::ground(UVec2::new(280, 200), |x| match x {
        20..100 => 20 + (x - 20) / 2,
        100..140 => 160 - x,
        180..200 => 20 + 3 * (x - 180),
        200..220 => 20 + 3 * (220 - x),
        _ => 20,
    });
    let level = Level::from_grid(level, UVec2::ONE).unwrap();
    let presets = [
        (Slope::DIAGONAL, WalkSpeed::AlongAxis),
        (Slope { rise: 1, run: 2 }, WalkSpeed::AlongSlope),
        (Slope::VERTICAL, WalkSpeed::AlongSlope),
    ];
    let circle = Footprint::circle(9).unwrap();
    for (max_slope, walk_speed) in presets {
        let settings = MoverSettings { max_slope, walk_speed, ..MoverSettings::platformer() };
        let mut random = fastrand::Rng::with_seed(6);
        let (mut on_slope, mut slid) = (0, 0);
        let counted = allocation_counter::measure(|| {
            for _ in 0..60 {
                let mut mover =
                    Mover::new(Aabb::from_xywh(random.i32(0..270), 60, 8, 12), settings);
                let (key, mut fall) = (random.f32() * 6.0 - 3.0, 0.0);
                mover.unstick(&level, 400);
                for _ in 0..100 {
                    fall += 0.3;
                    let moved = mover.step(&level, [key, fall]).unwrap();
                    fall = moved.velocity([key, fall])[1];
                    on_slope +=
                        u32::from(moved.grounded && moved.moved.x != 0 && moved.moved.y != 0);
                    slid += u32::from(!moved.grounded && moved.moved.x * (key as i32) < 0);
                    mover.floor_normal(&level);
                    let mut round = mover;
                    round.step(&level.with_footprint(&circle), [key, fall]).unwrap();
                }
            }
        });
        assert_eq!(counted.count_total, 0, "{counted:?}");
        assert!(on_slope > 300, "only {on_slope} steps on slopes");
        assert_eq!(slid > 0, !matches!(max_slope, Slope::VERTICAL), "{slid} steps down slopes");
    }
}

#[test]
fn world_steps_and_rollbacks_allocate_nothing_after_the_first_rounds() {
    let level = noise(UVec2::new(16, 17));
    let mut random = fastrand::Rng::with_seed(5);
    let mut world = World::new(Rate::per_second(1));
    for at in 0..120 {
        let (x, y) = (at % 12 * 50 + 6, at / 12 * 48 + 6);
        let aabb = Aabb::from_xywh(x, y, random.i32(4..30), random.i32(4..24));
        let body = match at % 6 {
            0 => Body::pushable(aabb, 0, 0.1375).pushing(0, 0, false),
            1 => Body::character(aabb, MoverSettings::platformer()),
            2 => Body::platform(aabb),
            3 => Body::one_way_platform(aabb),
            4 => Body::ball(aabb.min, random.u32(4..20), random.u16(..9)),
            _ => Body::sensor(aabb),
        };
        let velocity = I64Vec2::new(random.i64(-200_000..200_000), random.i64(-99_000..99_000));
        // Bodies with random features: pushing, carrying, belts, watched categories and collision categories.
        let body = body.pushing(random.u16(0..4), random.u16(0..9), random.bool());
        let body = body.with_belt(Vec2::new(random.f32() * 4.0 - 2.0, 0.0));
        let (category, watches) = (1 << random.u64(0..3), random.u64(0..8));
        let collides_with = random.u64(0..4) * 2 + 1;
        world.add(
            body.with_velocity_subpixels(velocity)
                .with_category(category)
                .with_collides_with(collides_with)
                .with_watches(watches),
        );
    }
    let saved = world.clone();
    let mut play = || {
        world.clone_from(&saved);
        (0..60).for_each(|_| world.step(&level));
    };
    // Plays twice before measuring, because each step exchanges two lists that grow at first.
    play();
    play();
    assert_eq!(allocation_counter::measure(play).count_total, 0);
}

#[test]
fn a_world_with_every_feature_steps_without_allocation_after_two_rounds() {
    let mut stage = Stage::new();
    let saved = (stage.world.clone(), stage.cast);
    let mut play = || {
        stage.world.clone_from(&saved.0);
        stage.cast = saved.1;
        stage.play(400)
    };
    play();
    play();
    let mut met = Met::default();
    let counted = allocation_counter::measure(|| met = play());
    assert_eq!(counted.count_total, 0, "{counted:?}");
    for (feature, count) in met.counts() {
        assert!(count > 5, "{feature}: {count} of {met:?}");
    }
}

#[test]
fn a_step_of_a_character_allocates_nothing() {
    let mut random = fastrand::Rng::with_seed(4);
    let mut area = || {
        let cells = support::scattered(&mut random, UVec2::new(40, 30), 40, UVec2::new(3, 6));
        Terrain::new(cells, UVec2::splat(16)).unwrap()
    };
    let level = noise(UVec2::splat(16)).with_area("ladder", area()).with_area("water", area());
    let (mut player, feel) = (Platformer::new(Rate::per_second(60)), Feel::default());
    let mut mover = Mover::new(Aabb::from_xywh(40, 40, 10, 14), MoverSettings::platformer());
    let mut swum = 0;
    let counted = allocation_counter::measure(|| {
        mover.unstick(&level, 400);
        for _ in 0..2_000 {
            let mut axis = || [-1.0, -1.0, 0.0, 1.0, 1.0][random.usize(0..5)];
            let input = Input::from_axes(axis(), axis(), random.bool());
            for _ in 0..5 {
                player.step(&level, &mut mover, input, &feel);
                swum += u32::from(player.stance == Stance::Water);
            }
        }
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
    assert!(swum > 50, "only {swum} steps in water");
}

#[test]
fn a_warm_search_allocates_nothing_but_its_path() {
    let mut level = noise(UVec2::new(16, 17));
    assert!(level.prepare(UVec2::splat(8)));
    let (ends, mut search) = (level.size().as_ivec2() - 8, Search::default());
    let crates = [Aabb::from_xywh(90, 90, 20, 30), Aabb::from_xywh(300, 200, 60, 9)];
    let mut random = fastrand::Rng::with_seed(9);
    let mut place = || IVec2::new(random.i32(0..ends.x), random.i32(0..ends.y));
    let questions: Vec<_> = (0..300).map(|_| (place(), place())).collect();
    let mut ask = |level: &Level| {
        let ways = level.ways(UVec2::splat(8)).unwrap();
        let mut found = 0;
        for (from, to) in &questions {
            for ways in [&ways, &ways.around(&crates), &ways.four_directions()] {
                found += u64::from(ways.path(*from, *to, &mut search).is_some());
            }
        }
        found
    };
    // Closing a door changes the paths, and the copy of the level for searches around the crates is built
    // again.
    for closed in [true, false, true] {
        level.fill(9..12, 8..9, closed).unwrap();
        ask(&level);
    }
    level.fill(9..12, 8..9, false).unwrap();
    let mut found = 0;
    let counted = allocation_counter::measure(|| found = ask(&level));
    assert_eq!(counted.count_total, found, "{counted:?}");
    assert!(found > 200, "{found}");
}
