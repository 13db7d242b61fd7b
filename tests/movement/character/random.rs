//! Characters with random keys, numbers and levels: none is ever in a solid, mirrored ones move mirrored, and
//! a copy moves like the original.

use bitwall::character::{Feel, Input, Platformer, Stance};
use bitwall::geometry::Corners;
use bitwall::glam::{IVec2, Vec2};
use bitwall::mover::MovePath;
use bitwall::{Dir, Level, Mover, MoverSettings};
use fastrand::Rng;

use super::{RATE, jump};
use crate::movement::random::{Plan, Symmetry};
use crate::support::rounds;

/// A level with ladders and water, and the size of the level in pixels.
struct Place {
    level: Level,
    size: IVec2,
}

fn place([plan, ladder, water]: &[Plan; 3]) -> Place {
    let level = plan.level();
    let level = level.with_area("ladder", ladder.level().terrain().clone());
    let level = level.with_area("water", water.level().terrain().clone());
    Place { level, size: plan.size * plan.cell }
}

/// Returns random plans of a level, of its ladders and of its water.
fn plans(random: &mut Rng) -> [Plan; 3] {
    let plan = Plan::random(random);
    let area = |random: &mut Rng| {
        let mut area = Plan::blank(plan.size, plan.cell);
        for _ in 0..random.u8(0..4) {
            let (left, top) = (random.i32(0..plan.size.x), random.i32(0..plan.size.y));
            let (right, bottom) = (left + random.i32(1..8), top + random.i32(1..30));
            for at in 0..area.solid.len() {
                let (x, y) = (at as i32 % plan.size.x, at as i32 / plan.size.x);
                area.solid[at] |= (left..right).contains(&x) && (top..bottom).contains(&y);
            }
        }
        area
    };
    let areas = [area(random), area(random)];
    let [ladder, water] = areas;
    [plan, ladder, water]
}

fn feel(random: &mut Rng) -> Feel {
    if random.bool() {
        return jump(random.u16(0..80), random.u16(0..40));
    }
    let mut speed = |most: f32| match random.u8(0..8) {
        0 => 0.0,
        1 => f32::MAX,
        2 => f32::from(random.u8(0..3)) / 65_536.0,
        _ => random.f32() * most,
    };
    Feel {
        top_speed: speed(6.0),
        acceleration: speed(1.0),
        friction: speed(1.0),
        air_acceleration: speed(1.0),
        air_friction: speed(1.0),
        fall_scale: speed(3.0),
        fall_limit: speed(20.0),
        apex_speed: speed(2.0),
        released_speed: speed(3.0),
        wall_slide_speed: speed(2.0),
        wall_jump: Vec2::new(speed(4.0), speed(6.0)),
        climb_speed: speed(5.0),
        swim_speed: speed(5.0),
        swim_acceleration: speed(1.0),
        float_speed: speed(3.0),
        jump_height: random.u8(0..120).into(),
        jump_time: random.u8(0..40).into(),
        coyote_time: random.u8(0..9).into(),
        buffer_time: random.u8(0..9).into(),
        wall_reach: random.u32(0..5),
        wall_jump_time: random.u8(0..12).into(),
        ledge_reach: random.u32(0..9),
        ..Feel::default()
    }
}

/// The keys that are held, as x, y and jump, and the number of steps left.
#[derive(Default)]
struct Keys {
    held: (f32, f32, bool),
    left: u32,
}

impl Keys {
    fn next(&mut self, random: &mut Rng) -> Input {
        if self.left == 0 {
            let axis = |random: &mut Rng| match random.u8(0..8) {
                0 => random.f32() * 2.0 - 1.0,
                1..4 => 1.0,
                4..7 => -1.0,
                _ => 0.0,
            };
            self.held = (axis(random), axis(random), random.bool());
            self.left = random.u32(1..20);
        }
        self.left -= 1;
        self.input(1.0)
    }

    /// The input, with x multiplied by `side`.
    fn input(&self, side: f32) -> Input {
        let (x, y, jump) = self.held;
        Input::from_axes(x * side, y, jump)
    }
}

fn start(random: &mut Rng, plan: &Plan, level: &Level) -> Mover {
    let preset = match random.bool() {
        true => MoverSettings::platformer(),
        false => MoverSettings { floor: Some(Dir::Down), ..MoverSettings::PLAIN },
    };
    let path = match random.u8(0..12) {
        0 => MovePath::YThenX,
        1 => MovePath::Straight(Corners::Block),
        2 => MovePath::Straight(Corners::Pass),
        _ => MovePath::XThenY,
    };
    plan.mover(random, level, MoverSettings { path, ..preset })
}

/// The mirrored state without its velocity, and the mirrored velocity.
fn mirrored(player: Platformer) -> (Platformer, Vec2) {
    let (mut there, velocity) = parts(player);
    there.stance = match player.stance {
        Stance::WallSlide(side) => Stance::WallSlide(side.opposite()),
        Stance::Ledge(side) => Stance::Ledge(side.opposite()),
        Stance::LedgeClimb(side) => Stance::LedgeClimb(side.opposite()),
        stance => stance,
    };
    (there, Vec2::new(0.0 - velocity.x, velocity.y))
}

fn parts(player: Platformer) -> (Platformer, Vec2) {
    let mut still = player;
    still.set_velocity(Vec2::ZERO);
    (still, player.velocity())
}

#[test]
fn a_mirrored_character_in_a_mirrored_level_moves_mirrored() {
    let mut random = Rng::with_seed(0xFEE1);
    let mut seen = [0; 7];
    for round in 0..rounds(20_000) {
        let plans = plans(&mut random);
        let (here, there) =
            (place(&plans), place(&plans.each_ref().map(|plan| Symmetry::MirrorX.plan(plan))));
        let feel = feel(&mut random);
        let mut mover = start(&mut random, &plans[0], &here.level);
        let mut other = Symmetry::MirrorX.mover(mover, here.size);
        let (mut player, mut twin) = (Platformer::new(RATE), Platformer::new(RATE));
        let mut keys = Keys::default();
        for step in 0..100 {
            let input = keys.next(&mut random);
            let (_, outcome) = player.step(&here.level, &mut mover, input, &feel);
            twin.step(&there.level, &mut other, keys.input(-1.0), &feel);
            let message =
                || format!("round {round} step {step} {outcome:?}\n{feel:?}\n{}", plans[0]);
            assert_eq!(mirrored(player), parts(twin), "{}", message());
            assert_eq!(Symmetry::MirrorX.mover(mover, here.size), other, "{}", message());
            seen[match player.stance {
                Stance::Ground => 0,
                Stance::Air => 1,
                Stance::WallSlide(_) => 2,
                Stance::Ledge(_) => 3,
                Stance::LedgeClimb(_) => 4,
                Stance::Ladder => 5,
                Stance::Water => 6,
                stance => panic!("{stance:?} is not counted"),
            }] += 1;
        }
    }
    println!("{seen:?}");
    assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
}

#[test]
fn a_character_that_starts_in_free_space_never_overlaps_a_solid() {
    let mut random = Rng::with_seed(7);
    let (mut steps, mut jumps) = (0, [0; 5]);
    let all = rounds(1_000_000);
    while steps < all {
        let plans = plans(&mut random);
        let here = place(&plans);
        let feel = feel(&mut random);
        let mut mover = start(&mut random, &plans[0], &here.level);
        if here.level.overlaps(mover.body) {
            continue;
        }
        let mut player = Platformer::new(RATE);
        let mut keys = Keys::default();
        for _ in 0..200 {
            let before = player;
            let (_, outcome) = player.step(&here.level, &mut mover, keys.next(&mut random), &feel);
            assert!(
                !here.level.overlaps(mover.body),
                "{mover:?} {before:?} {outcome:?}\n{}",
                plans[0]
            );
            assert!(mover.settings.one_way.up, "the settings are as they were");
            steps += 1;
            match outcome.jumped_from {
                Some(Stance::Ground) => jumps[0] += 1,
                Some(Stance::Air) => jumps[1] += 1,
                Some(Stance::WallSlide(_)) => jumps[2] += 1,
                Some(Stance::Ladder) => jumps[3] += 1,
                Some(_) => jumps[4] += 1,
                None => {}
            }
        }
    }
    println!("{steps} steps, {jumps:?} jumps");
    assert!(jumps.iter().all(|count| *count > 5), "{jumps:?}");
}

#[test]
fn a_copied_character_moves_as_the_original() {
    let mut random = Rng::with_seed(60);
    for _ in 0..rounds(2_000) {
        let plans = plans(&mut random);
        let here = place(&plans);
        let feel = feel(&mut random);
        let mut mover = start(&mut random, &plans[0], &here.level);
        let mut player = Platformer::new(RATE);
        let mut keys = Keys::default();
        let script: Vec<Input> = (0..120).map(|_| keys.next(&mut random)).collect();
        let play = |from: (Platformer, Mover), script: &[Input]| {
            let (mut player, mut mover) = from;
            for input in script {
                player.step(&here.level, &mut mover, *input, &feel);
            }
            (player, mover)
        };
        (player, mover) = play((player, mover), &script[..60]);
        let saved = (player, mover);
        let first = play((player, mover), &script[60..]);
        assert_eq!(play(saved, &script[60..]), first);
    }
}

#[test]
fn a_character_steps_without_a_panic_at_far_positions_and_extreme_numbers() {
    let mut random = Rng::with_seed(31);
    let plans = plans(&mut random);
    let here = place(&plans);
    let most = Feel {
        top_speed: f32::MAX,
        acceleration: f32::MAX,
        jump_height: f32::MAX,
        jump_time: 0.0,
        fall_scale: f32::MAX,
        fall_limit: f32::INFINITY,
        ledge_reach: u32::MAX,
        wall_reach: u32::MAX,
        wall_jump: Vec2::MAX,
        coyote_time: f32::MAX,
        buffer_time: f32::MAX,
        wall_jump_time: f32::MAX,
        climb_speed: f32::MAX,
        swim_speed: f32::MAX,
        swim_acceleration: f32::MAX,
        float_speed: f32::MAX,
        ..feel(&mut random)
    };
    for corner in [IVec2::MIN, IVec2::ZERO, IVec2::MAX - 24, IVec2::new(i32::MIN, i32::MAX - 24)] {
        for stance in [
            Stance::Air,
            Stance::Ladder,
            Stance::Water,
            Stance::Ledge(Dir::Up),
            Stance::LedgeClimb(Dir::Left),
        ] {
            let body = bitwall::Aabb::from_xywh(corner.x, corner.y, 12, 24);
            let mut mover = Mover::new(body, MoverSettings::platformer());
            let mut player = Platformer::new(RATE);
            player.stance = stance;
            player.set_velocity(Vec2::MAX);
            for _ in 0..50 {
                let [x, y] = [(); 2].map(|()| random.f32() * 2.0 - 1.0);
                let input = Input::from_axes(x, y, random.bool());
                player.step(&here.level, &mut mover, input, &most);
            }
        }
    }
}
