//! Reachability, compared with a search over all states of the real mover. No verdict contradicts the search,
//! and every returned list of inputs reaches its goal.

use std::collections::{HashMap, HashSet};

use crate::support;
use bitwall::analyze::{BarrierKind, Keys, MoveSet, Reach, ReachLimits, Verdict, Witness, reach};
use bitwall::character::{Feel, Input, Platformer};
use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::{Aabb, Dir, Grid, Level, Mover, MoverSettings, Outside, Rate, Sides, Terrain};

/// The largest number of states in a complete search.
const MAX_STATES: usize = 60_000;

fn point(at: IVec2) -> Aabb {
    Aabb { min: at, max: at }
}

fn pixel(at: IVec2) -> Aabb {
    Aabb { min: at, max: at + IVec2::ONE }
}

/// Plays the inputs of a witness with the mover. Fails if the mover does not reach the goal.
fn plays(
    witness: &Witness,
    level: &Level,
    body: UVec2,
    moves: &MoveSet,
    goal: Aabb,
) -> Result<(), String> {
    let size = body.as_ivec2();
    let start = Aabb::from_xywh(witness.start.x, witness.start.y, size.x, size.y);
    let (settings, rate) = match moves {
        MoveSet::Platformer(moves) => (moves.settings, moves.rate),
        _ => (MoverSettings::PLAIN, Rate::per_second(1)),
    };
    let (mut mover, mut character) = (Mover::new(start, settings), Platformer::new(rate));
    let mut touches = start.overlaps(goal);
    for leg in &witness.legs {
        for _ in 0..leg.steps {
            match (leg.keys, moves) {
                (Keys::Walk(pixels), MoveSet::TopDown { speed }) => {
                    if pixels.abs().max_element() > *speed as i32 {
                        return Err(format!("{pixels} is faster than {speed}"));
                    }
                    mover.step(level, pixels.as_vec2()).map_err(|error| error.to_string())?;
                }
                (Keys::Press(input), MoveSet::Platformer(moves)) => {
                    character.step(level, &mut mover, input, &moves.feel);
                }
                keys => return Err(format!("other keys: {keys:?}")),
            }
            touches |= mover.body.overlaps(goal);
        }
    }
    if touches { Ok(()) } else { Err(format!("it ends at {:?}", mover.body)) }
}

fn scatter(random: &mut fastrand::Rng, size: UVec2, count: u32, longest: u32) -> Grid {
    let mut grid = Grid::new(size.x, size.y).unwrap();
    for _ in 0..random.u32(0..=count) {
        let (x, y) = (random.u32(0..size.x), random.u32(0..size.y));
        let length = random.u32(1..=longest);
        let (w, h) = if random.bool() { (length, 1) } else { (1, length) };
        grid.fill(x..x + w, y..y + h, true).unwrap();
    }
    grid
}

fn small_level(random: &mut fastrand::Rng, with_areas: bool) -> Level {
    let size = UVec2::new(random.u32(4..8), random.u32(5..9));
    let cell = UVec2::new(random.u32(1..3), random.u32(1..3));
    let mut level = Level::from_grid(scatter(random, size, 7, 4), cell).unwrap();
    if random.u8(0..3) == 0 {
        for side in [Dir::Up, Dir::Down, Dir::Right] {
            if random.bool() {
                level = level.with_one_way(side, scatter(random, size, 2, 4)).unwrap();
            }
        }
    }
    for name in ["ladder", "water"] {
        if with_areas && random.u8(0..5) == 0 {
            let area = Terrain::new(scatter(random, size, 1, 3), cell).unwrap();
            level = level.with_area(name, area);
        }
    }
    let mut side = || if random.u8(0..6) == 0 { Outside::Open } else { Outside::Solid };
    let outside = Sides { left: side(), right: side(), up: side(), down: side() };
    level.with_outside(outside)
}

/// Returns moves of a character in whole pixels, so that the number of its states is small.
fn small_moves(random: &mut fastrand::Rng) -> (MoveSet, Feel, MoverSettings) {
    // At one step a second, the gravity is a pixel a step and a jump starts with `steps` pixels a step.
    let steps = random.u8(1..4);
    let feel = Feel {
        top_speed: 1.0,
        acceleration: 1.0,
        friction: 1.0,
        air_acceleration: 1.0,
        air_friction: 1.0,
        jump_height: f32::from(steps * (steps + 1) / 2),
        jump_time: steps.into(),
        fall_limit: random.u8(1..4).into(),
        released_speed: if random.bool() { 1.0 } else { f32::MAX },
        coyote_time: random.u8(0..2).into(),
        buffer_time: 0.0,
        wall_slide_speed: 0.0,
        wall_reach: 1,
        wall_jump: Vec2::ZERO,
        wall_jump_time: 0.0,
        ledge_reach: u32::from(random.u8(0..4) == 0),
        climb_speed: 1.0,
        swim_speed: 1.0,
        swim_acceleration: 1.0,
        float_speed: 0.0,
        ..Feel::default()
    };
    let mut few = || random.u32(0..3);
    let corner_correction = Sides { left: few(), right: few(), up: few(), down: 0 };
    let settings = MoverSettings {
        step_height: few(),
        snap_distance: few(),
        corner_correction,
        ..MoverSettings::platformer()
    };
    let mut moves = MoveSet::platformer(Rate::per_second(1), feel.clone());
    if let MoveSet::Platformer(moves) = &mut moves {
        moves.settings = settings;
    }
    (moves, feel, settings)
}

/// Visits all positions near the level that a character reaches from `start`. Returns true if the search is
/// complete.
fn every_place(
    level: &Level,
    start: (Mover, Platformer),
    feel: &Feel,
    mut visit: impl FnMut(&Mover),
) -> bool {
    let near = Aabb { min: IVec2::splat(-6), max: level.size().as_ivec2() + IVec2::splat(6) };
    let climbs = !level.areas().is_empty() || feel.ledge_reach > 0;
    let ups: &[f32] = if climbs { &[-1.0, 0.0, 1.0] } else { &[0.0, 1.0] };
    let directions = [-1.0, 0.0, 1.0].into_iter().flat_map(|x| ups.iter().map(move |y| (x, *y)));
    let inputs: Vec<Input> = directions
        .flat_map(|(x, y)| [false, true].map(|jump| Input::from_axes(x, y, jump)))
        .collect();
    let mut seen: HashSet<(Mover, Platformer)> = [start].into();
    let mut open = vec![start];
    while let Some((mover, character)) = open.pop() {
        visit(&mover);
        for input in &inputs {
            let (mut mover, mut character) = (mover, character);
            character.step(level, &mut mover, *input, feel);
            // The number of steps in the air does not affect the motion beyond 1.
            mover.steps_since_grounded = mover.steps_since_grounded.min(1);
            if near.overlaps(mover.body)
                && seen.len() < MAX_STATES
                && seen.insert((mover, character))
            {
                open.push((mover, character));
            }
        }
    }
    seen.len() < MAX_STATES
}

/// Returns all positions that a body reaches in steps of one pixel.
fn every_walk(level: &Level, start: Aabb) -> HashSet<IVec2> {
    let near = Aabb { min: IVec2::splat(-6), max: level.size().as_ivec2() + IVec2::splat(6) };
    let mut seen = HashSet::from([start.min]);
    let mut open = vec![start];
    while let Some(body) = open.pop() {
        for dir in Dir::ALL {
            let next = body.shifted(dir, 1);
            if level.can_move(body, dir, 1) && near.overlaps(next) && seen.insert(next.min) {
                open.push(next);
            }
        }
    }
    seen
}

fn box_at(at: IVec2, body: UVec2) -> Aabb {
    Aabb::from_xywh(at.x, at.y, body.x as i32, body.y as i32)
}

/// Returns a random body of at most 3 x 3 pixels, its start, and goals. `None` if the start is not free.
fn journey(
    random: &mut fastrand::Rng,
    level: &Level,
    goals: usize,
) -> Option<(UVec2, IVec2, Vec<IVec2>)> {
    let body = UVec2::new(random.u32(1..4), random.u32(1..4));
    let size = level.size().as_ivec2();
    let mut place = || IVec2::new(random.i32(0..size.x), random.i32(0..size.y));
    let start = place();
    let is_free = !level.overlaps(box_at(start, body));
    is_free.then(|| (body, start, (0..goals).map(|_| place()).collect()))
}

#[test]
fn reach_verdicts_agree_with_a_search_over_all_states_of_small_levels() {
    let mut random = fastrand::Rng::with_seed(13);
    let mut counts: HashMap<(&str, bool), u32> = HashMap::new();
    let most = if support::is_long() { 700 } else { 200 };
    let (mut levels, mut complete) = (0, 0);
    while levels < most {
        let level = small_level(&mut random, true);
        let (moves, feel, settings) = small_moves(&mut random);
        let Some((body, start, goals)) = journey(&mut random, &level, 5) else {
            continue;
        };
        levels += 1;
        let asked: Vec<Aabb> = goals.iter().map(|goal| point(*goal)).collect();
        let limits = ReachLimits { steps: 12_000, ..ReachLimits::default() };
        let found = reach(&level, body, &moves, &[start], &asked, &limits).unwrap();

        let mut touched = vec![false; goals.len()];
        let first =
            (Mover::new(box_at(start, body), settings), Platformer::new(Rate::per_second(1)));
        let is_complete = every_place(&level, first, &feel, |mover| {
            for (touched, goal) in touched.iter_mut().zip(&goals) {
                *touched |= mover.body.overlaps(pixel(*goal));
            }
        });
        complete += u32::from(is_complete);
        for ((goal, verdict), touched) in goals.iter().zip(&found.goals).zip(&touched) {
            let what =
                || format!("level {levels}: {goal} from {start}, {verdict:?}\n{}", level.grid());
            let name = match verdict {
                Verdict::Reached(witness) => {
                    let played = plays(witness, &level, body, &moves, pixel(*goal));
                    assert_eq!(played, Ok(()), "{}", what());
                    assert!(witness.touches(&level, body, &moves, point(*goal)));
                    assert!(*touched || !is_complete, "{}", what());
                    "reached"
                }
                Verdict::Unreachable(_) => {
                    assert!(!*touched, "{}", what());
                    "unreachable"
                }
                _ => "unknown",
            };
            *counts.entry((name, *touched)).or_default() += 1;
        }
    }
    println!("{counts:?}; {complete} of {levels} searches complete");
    let count = |name, touched| counts.get(&(name, touched)).copied().unwrap_or(0);
    // Slides along walls leave fractions of a pixel, so some bodies have too many states.
    assert!(complete * 700 >= 590 * most, "{complete} searches were complete");
    // Nearly all goals that the search touches are found, and most of the others are proven unreachable.
    assert!(count("unknown", true) * 20 <= count("reached", true), "{counts:?}");
    assert!(count("unknown", false) * 2 <= count("unreachable", false) * 3, "{counts:?}");
}

#[test]
fn top_down_reach_verdicts_agree_with_a_flood_fill_by_single_pixels() {
    let mut random = fastrand::Rng::with_seed(14);
    let mut levels = 0;
    while levels < 400 {
        let level = small_level(&mut random, false);
        let Some((body, start, goals)) = journey(&mut random, &level, 4) else {
            continue;
        };
        levels += 1;
        let moves = MoveSet::top_down(random.u32(1..4));
        let asked: Vec<Aabb> = goals.iter().map(|goal| point(*goal)).collect();
        let found = reach(&level, body, &moves, &[start], &asked, &ReachLimits::default()).unwrap();
        let places = every_walk(&level, box_at(start, body));
        for (goal, verdict) in goals.iter().zip(&found.goals) {
            let touched = places.iter().any(|at| box_at(*at, body).overlaps(pixel(*goal)));
            let what =
                || format!("level {levels}: {goal} from {start}, {verdict:?}\n{}", level.grid());
            match verdict {
                Verdict::Reached(witness) => {
                    let played = plays(witness, &level, body, &moves, pixel(*goal));
                    assert_eq!(played, Ok(()), "{}", what());
                    assert!(touched, "{}", what());
                }
                Verdict::Unreachable(_) => assert!(!touched, "{}", what()),
                // Only one-way cells that guard the left or right side can make a verdict unknown.
                _ => assert!(level.one_way(Dir::Right).is_some(), "{}", what()),
            }
        }
    }
}

/// Returns caves with two rooms, and a wall with a door between them.
fn rooms(random: &mut fastrand::Rng, door: u32) -> (Level, IVec2, Aabb, Aabb) {
    let (width, height) = (random.u32(120..260), random.u32(90..160));
    let mut grid = Grid::new(width, height).unwrap();
    for (columns, rows) in [
        (0..width, 0..3),
        (0..width, height - 3..height),
        (0..3, 0..height),
        (width - 3..width, 0..height),
    ] {
        grid.fill(columns, rows, true).unwrap();
    }
    for _ in 0..12 {
        let (x, y) = (random.u32(40..width - 40), random.u32(30..height - 30));
        grid.fill(x..x + random.u32(1..8), y..y + random.u32(1..8), true).unwrap();
    }
    let wall = random.u32(width / 2 - 8..width / 2 + 8);
    let thick = random.u32(1..6);
    grid.fill(wall..wall + thick, 0..height, true).unwrap();
    let top = random.u32(10..height - 30);
    grid.fill(wall - 24..wall, top - 6..top + 24, false).unwrap();
    grid.fill(wall + thick..wall + thick + 24, top - 6..top + 24, false).unwrap();
    grid.fill(wall..wall + thick, top..top + door, false).unwrap();
    let goal = Aabb::from_xywh(width as i32 - 14, 8, 4, 4);
    let seal = Aabb::from_xywh(wall as i32, 0, thick as i32, height as i32);
    (Level::from_grid(grid, UVec2::ONE).unwrap(), IVec2::new(6, 6), goal, seal)
}

fn only_verdict(found: &Reach) -> &Verdict {
    match &*found.goals {
        [verdict] => verdict,
        goals => panic!("{} verdicts", goals.len()),
    }
}

#[test]
fn an_unreachable_goal_is_reported_with_the_spot_that_blocks_it() {
    let mut random = fastrand::Rng::with_seed(15);
    let (body, moves) = (UVec2::new(9, 12), MoveSet::top_down(2));
    let limits = ReachLimits::default();
    for round in 0..30 {
        let door = [0, 1, 5, 11, 12, 20][round % 6];
        let (level, start, goal, seal) = rooms(&mut random, door);
        let found = reach(&level, body, &moves, &[start], &[goal], &limits).unwrap();
        match only_verdict(&found) {
            Verdict::Reached(witness) => {
                assert!(door >= 12, "round {round}");
                assert_eq!(plays(witness, &level, body, &moves, goal), Ok(()));
            }
            Verdict::Unreachable(Some(barrier)) => {
                assert!(door < 12, "round {round}: {barrier:?}");
                assert!(barrier.narrowest.overlaps(seal), "round {round}: {barrier:?}, {seal:?}");
                assert!(barrier.path.len() > 1, "{barrier:?}");
                match barrier.kind {
                    BarrierKind::Solid { cells } => {
                        assert_eq!((door, cells), (0, seal.width()));
                    }
                    BarrierKind::Gap { by } => assert_eq!(by, 12 - door),
                    kind => panic!("{kind:?}"),
                }
            }
            verdict => panic!("{verdict:?}"),
        }
    }
}

#[test]
fn a_goal_beyond_an_open_side_is_reached() {
    let level = Level::from_grid(Grid::from_text("....\n####").unwrap(), UVec2::splat(16)).unwrap();
    let level = level.with_outside(Outside::Open);
    let (body, start) = (UVec2::new(9, 12), IVec2::new(20, 2));
    let limits = ReachLimits::default();
    for at in [IVec2::new(200, 5), IVec2::new(-90, 5), IVec2::new(20, -70)] {
        let goal = pixel(at);
        let moves = MoveSet::top_down(3);
        let found = reach(&level, body, &moves, &[start], &[goal], &limits).unwrap();
        let Verdict::Reached(witness) = only_verdict(&found) else { panic!("{at}: {found:?}") };
        assert_eq!(plays(witness, &level, body, &moves, goal), Ok(()), "{at}");
        let side = reach(
            &level,
            body,
            &MoveSet::jumper(Rate::per_second(60), 40.0, 1.0 / 3.0),
            &[start],
            &[goal],
            &limits,
        );
        let verdict = &side.unwrap().goals[0];
        assert!(at.y < 0 || !matches!(verdict, Verdict::Unreachable(_)), "{at}: {verdict:?}");
    }
}

#[test]
fn a_goal_is_reached_from_the_second_of_two_starts() {
    let level = Level::from_grid(Grid::from_text("..#..").unwrap(), UVec2::splat(16)).unwrap();
    let starts = [IVec2::new(2, 2), IVec2::new(50, 2)];
    let goal = pixel(IVec2::new(75, 10));
    let (body, moves) = (UVec2::splat(9), MoveSet::top_down(3));
    let found = reach(&level, body, &moves, &starts, &[goal], &ReachLimits::default()).unwrap();
    let Verdict::Reached(witness) = only_verdict(&found) else { panic!("{found:?}") };
    assert_eq!((witness.start, plays(witness, &level, body, &moves, goal)), (starts[1], Ok(())));
}

#[test]
fn a_shelf_is_reached_up_to_the_height_of_the_jump() {
    let (body, start) = (UVec2::new(10, 16), [IVec2::new(20, 164)]);
    let mut unknown = 0;
    for height in (8..100).step_by(4) {
        let mut grid = Grid::new(200, 200).unwrap();
        grid.fill(0..200, 180..200, true).unwrap();
        grid.fill(120..200, 180 - height..200, true).unwrap();
        let level = Level::from_grid(grid, UVec2::ONE).unwrap();
        let goal = Aabb::from_xywh(180, 176 - height as i32, 4, 4);
        let moves = MoveSet::jumper(Rate::per_second(60), 44.0, 0.35);
        let limits = ReachLimits::default();
        let found = reach(&level, body, &moves, &start, &[goal], &limits).unwrap();
        match only_verdict(&found) {
            Verdict::Reached(witness) => {
                assert!(height <= 48, "{height}");
                assert_eq!(plays(witness, &level, body, &moves, goal), Ok(()));
            }
            Verdict::Unreachable(Some(barrier)) => {
                assert!(height > 44, "{height}");
                let kind = BarrierKind::Height { needed: height, rise: 49 };
                assert_eq!(barrier.kind, kind, "{height}");
            }
            _ => unknown += 1,
        }
    }
    assert!(unknown <= 2, "{unknown}");
}
