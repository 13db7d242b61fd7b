//! Characters with random keys, numbers and levels: none is ever in a solid, mirrored ones move mirrored, and
//! a copy moves like the original.

use bitwall::character::{Feel, Input, Platformer, Stance};
use bitwall::geometry::Corners;
use bitwall::glam::{IVec2, Vec2, Vec2Swizzles};
use bitwall::mover::MovePath;
use bitwall::world::{Body, Player, World};
use bitwall::{Dir, Level, Mover, MoverSettings};
use fastrand::Rng;

use super::{RATE, jump};
use crate::movement::random::{Plan, Symmetry};
use crate::movement::rising::ORIENTATIONS;
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
        dash_speed: speed(9.0),
        crouch_speed: speed(2.0),
        jump_height: random.u8(0..120).into(),
        jump_time: random.u8(0..40).into(),
        coyote_time: random.u8(0..9).into(),
        buffer_time: random.u8(0..9).into(),
        wall_reach: random.u32(0..5),
        wall_jump_time: random.u8(0..12).into(),
        air_jumps: random.u8(0..3),
        dash_time: random.u8(0..12).into(),
        dash_wait: random.u8(0..9).into(),
        crouch_height: random.u32(0..30),
        carry: if random.u8(0..3) == 0 {
            Vec2::new(random.f32() - 0.5, random.f32() - 0.5)
        } else {
            Vec2::ZERO
        },
        ledge_reach: random.u32(0..9),
        ledge_time: random.u8(0..40).into(),
        ladder_snap: random.u32(0..9),
        wall_contact: random.f32(),
        ..Feel::default()
    }
}

/// The keys that are held, as x, y, jump and dash, and the number of steps left.
#[derive(Default)]
struct Keys {
    held: (f32, f32, bool, bool),
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
            self.held = (axis(random), axis(random), random.bool(), random.u8(0..4) == 0);
            self.left = random.u32(1..20);
        }
        self.left -= 1;
        self.input(&[])
    }

    /// The input as it is turned.
    fn input(&self, turns: &[Symmetry]) -> Input {
        let (x, y, jump, dash) = self.held;
        let Vec2 { x, y } = turned_vector(Vec2::new(x, y), turns);
        Input::from_axes(x, y, jump).with_dash(dash)
    }
}

fn turned_vector(vector: Vec2, turns: &[Symmetry]) -> Vec2 {
    turns.iter().fold(vector, |vector, turn| match turn {
        Symmetry::MirrorX => Vec2::new(0.0 - vector.x, vector.y),
        Symmetry::MirrorY => Vec2::new(vector.x, 0.0 - vector.y),
        Symmetry::Turn => vector.yx(),
    })
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

fn turned_stance(stance: Stance, turns: &[Symmetry]) -> Stance {
    let dir = |side| turns.iter().fold(side, |side, turn| turn.dir(side));
    match stance {
        Stance::WallSlide(side) => Stance::WallSlide(dir(side)),
        Stance::Ledge(side) => Stance::Ledge(dir(side)),
        Stance::LedgeClimb(side) => Stance::LedgeClimb(dir(side)),
        stance => stance,
    }
}

/// The turned state without its velocity, and the turned velocity.
fn turned(player: Platformer, turns: &[Symmetry]) -> (Platformer, Vec2) {
    let (mut there, velocity) = parts(player);
    there.stance = turned_stance(player.stance, turns);
    let dir = |side| turns.iter().fold(side, |side, turn| turn.dir(side));
    there.facing = player.facing.map(dir);
    (there, turned_vector(velocity, turns))
}

/// Turns a mover in a level of `size` pixels.
fn turned_mover(mover: Mover, size: IVec2, turns: &[Symmetry]) -> Mover {
    let (mut mover, mut size) = (mover, size);
    for turn in turns {
        mover = turn.mover(mover, size);
        size = turn.vector(size).abs();
    }
    mover
}

fn parts(player: Platformer) -> (Platformer, Vec2) {
    let mut still = player;
    still.set_velocity(Vec2::ZERO);
    (still, player.velocity())
}

#[test]
fn a_character_in_a_turned_level_with_a_turned_floor_moves_turned() {
    let mut random = Rng::with_seed(0xFEE1);
    let mut seen = [0; 7];
    for round in 0..rounds(20_000) {
        let plans = plans(&mut random);
        let turns = ORIENTATIONS[1 + round % 7];
        let turn_plan =
            |plan: &Plan| turns.iter().fold(plan.clone(), |plan, turn| turn.plan(&plan));
        let (here, there) = (place(&plans), place(&plans.each_ref().map(turn_plan)));
        let feel = feel(&mut random);
        let floor = turns.iter().fold(Dir::Down, |floor, turn| turn.dir(floor));
        let other_feel = Feel { floor, carry: turned_vector(feel.carry, turns), ..feel.clone() };
        let mut mover = start(&mut random, &plans[0], &here.level);
        if let MovePath::Straight(_) = mover.settings.path {
            // On a straight line through a corner, a contact along x comes before one along y.
            mover.settings.path = MovePath::XThenY;
        }
        let mut other = turned_mover(mover, here.size, turns);
        let (mut player, mut twin) = (Platformer::new(RATE), Platformer::new(RATE));
        let mut keys = Keys::default();
        for step in 0..100 {
            let input = keys.next(&mut random);
            let (motion, outcome) = player.step(&here.level, &mut mover, input, &feel);
            let done = twin.step(&there.level, &mut other, keys.input(turns), &other_feel);
            let message = || {
                format!("round {round} step {step} {turns:?} {outcome:?}\n{feel:?}\n{}", plans[0])
            };
            assert_eq!(turned(player, turns), parts(twin), "{}", message());
            assert_eq!(turned_mover(mover, here.size, turns), other, "{}", message());
            assert_eq!(turned_stance(outcome.from, turns), done.1.from, "{}", message());
            assert_eq!(turned_stance(outcome.to, turns), done.1.to, "{}", message());
            let jumped_from = outcome.jumped_from.map(|from| turned_stance(from, turns));
            assert_eq!((jumped_from, outcome.dropped), (done.1.jumped_from, done.1.dropped));
            let moved = turns.iter().fold(motion.moved, |moved, turn| turn.vector(moved));
            assert_eq!((moved, motion.grounded), (done.0.moved, done.0.grounded), "{}", message());
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
fn a_change_of_the_floor_turns_the_settings_of_the_mover_with_it() {
    let mut random = Rng::with_seed(0xF11B);
    for round in 0..rounds(700) {
        let plans = plans(&mut random);
        let turns = ORIENTATIONS[1 + round % 7];
        let turn_plan =
            |plan: &Plan| turns.iter().fold(plan.clone(), |plan, turn| turn.plan(&plan));
        let there = place(&plans.each_ref().map(turn_plan));
        let floor = turns.iter().fold(Dir::Down, |floor, turn| turn.dir(floor));
        let feel = Feel { floor, ..feel(&mut random) };
        let mover = start(&mut random, &plans[0], &place(&plans).level);
        let turned = turned_mover(mover, place(&plans).size, turns);
        let mut usual = turned;
        usual.settings = mover.settings;
        let (mut player, mut other) = (Platformer::new(RATE), Platformer::new(RATE));
        let mut turned = turned;
        let mut keys = Keys::default();
        for step in 0..20 {
            let input = keys.next(&mut random);
            other.step(&there.level, &mut usual, input, &feel);
            player.step(&there.level, &mut turned, input, &feel);
            assert_eq!(usual, turned, "round {round} step {step}");
        }
    }
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

/// A world has its own code for drops, ladders and motion. Alone in it, a player moves as a character does.
#[test]
fn a_player_alone_in_a_world_moves_as_a_character_while_its_floor_changes() {
    let mut random = Rng::with_seed(0xA10E);
    let mut seen = 0;
    for round in 0..rounds(2_000) {
        let mut plans = plans(&mut random);
        let mut feel = feel(&mut random);
        if feel.carry != Vec2::ZERO {
            // In a world, wind that leads off a one-way floor does not end the stand on it.
            plans[0].guards.iter_mut().for_each(|guard| guard.fill(false));
        }
        let here = place(&plans);
        // A world limits each motion toward the floor, a character only its fall.
        feel.fall_limit = 6.0 + random.f32() * 20.0;
        feel.climb_speed = feel.climb_speed.min(5.0);
        feel.swim_speed = feel.swim_speed.min(5.0);
        // A world also limits the speed of each step.
        for speed in [&mut feel.top_speed, &mut feel.dash_speed, &mut feel.float_speed] {
            *speed = speed.min(50.0);
        }
        feel.wall_jump = feel.wall_jump.min(Vec2::splat(50.0));
        if round % 2 == 0 {
            feel.ladder = String::new();
        }
        let mut mover = start(&mut random, &plans[0], &here.level);
        // A body of a world starts at rest, on no floor.
        mover.steps_since_grounded = u32::MAX;
        mover.subpixel = IVec2::ZERO;
        mover.dropping = None;
        let mut world = World::new(RATE);
        let id = world.add(Body::character(mover.body, mover.settings));
        let mut players = [Player::new(id, feel.clone())];
        let mut player = Platformer::new(RATE);
        let mut keys = Keys::default();
        for step in 0..100 {
            if step % 25 == 24 {
                feel.floor = Dir::ALL[random.usize(0..4)];
                players[0].feel.floor = feel.floor;
            }
            let input = keys.next(&mut random);
            let (motion, outcome) = player.step(&here.level, &mut mover, input, &feel);
            if player.velocity().abs().max_element() > 4_000.0 {
                break; // A world limits the speed of its bodies.
            }
            if outcome.dropped && !feel.ladder.is_empty() {
                break; // A world does not drop a body through the top of a ladder.
            }
            players[0].input = input;
            world.step_players(&here.level, &mut players);
            let message =
                || format!("round {round} step {step} {outcome:?}\n{feel:?}\n{}", plans[0]);
            let body = world.get(id).unwrap();
            assert_eq!((body.aabb, body.subpixel), (mover.body, mover.subpixel), "{}", message());
            assert_eq!(*players[0].state(), player, "{}", message());
            assert_eq!(players[0].outcome, Some(outcome), "{}", message());
            assert_eq!(body.last().unwrap().moved, motion.moved, "{}", message());
            seen += usize::from(player.stance != Stance::Air);
        }
    }
    assert!(seen > rounds(2_000) * 20, "{seen}");
}
