//! Whether a level can be finished: the verdicts of [`JumpWays::reach`] are compared with play. In levels of some
//! pixels, with a body that moves by whole pixels, the search visits every state of the real mover; in levels
//! of tiles it merges states that are alike, so that what it reaches is reached, and nothing is said of the
//! rest. A random player must not touch what is proven to be out of reach.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashSet, VecDeque};
use std::hash::{Hash, Hasher};

use bitwall::character::{Feel, Input, Platformer};
use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::navigate::{JumpWays, Jumper, Verdict};
use bitwall::{Aabb, Dir, Grid, Level, Mover, MoverSettings, Outside, Rate, Sides, Terrain};

use crate::support::{asset, is_long, rounds, shared};

/// The work of each question: about a second.
const WORK: u64 = 3_000_000;

type Body = (Mover, Platformer);

fn body_at(jumper: &Jumper, at: IVec2) -> Body {
    let body = Aabb { min: at, max: at + jumper.size.as_ivec2() };
    (Mover::new(body, jumper.settings), Platformer::new(jumper.rate))
}

fn verdicts_of(
    level: &Level,
    jumper: &Jumper,
    start: IVec2,
    goals: &[Aabb],
    work: u64,
) -> Vec<Verdict> {
    let mut ways = JumpWays::unplayed(level, jumper.clone()).unwrap();
    ways.reach(level, &[start], goals, work)
}

fn pixel(at: IVec2) -> Aabb {
    Aabb { min: at, max: at + IVec2::ONE }
}

/// A search over the states of a body, by keys that are held for some steps each.
struct Play {
    /// The number of steps for which keys are held.
    hold: u32,
    /// The greatest number of states.
    most: usize,
    inputs: Vec<Input>,
    /// The states that count as one.
    key: fn(&Body, Input) -> u64,
}

impl Play {
    /// Says for each goal whether the body touched it, and whether all states were visited.
    fn touched(
        &self,
        level: &Level,
        jumper: &Jumper,
        start: IVec2,
        goals: &[Aabb],
    ) -> (Vec<bool>, bool) {
        let margin = IVec2::splat(6);
        let near = Aabb { min: -margin, max: level.size().as_ivec2() + margin };
        let first = body_at(jumper, start);
        let mut touched: Vec<bool> =
            goals.iter().map(|goal| first.0.body.overlaps(*goal)).collect();
        let mut seen = HashSet::from([(self.key)(&first, Input::NONE)]);
        let mut open = VecDeque::from([first]);
        while let Some(body) = open.pop_front() {
            for input in &self.inputs {
                let (mut mover, mut state) = body;
                for _ in 0..self.hold {
                    state.step(level, &mut mover, *input, &jumper.feel);
                    for (touched, goal) in touched.iter_mut().zip(goals) {
                        *touched |= mover.body.overlaps(*goal);
                    }
                }
                // The number of steps in the air does not affect the motion beyond 1.
                mover.steps_since_grounded = mover.steps_since_grounded.min(1);
                let next = (mover, state);
                let is_new = near.overlaps(mover.body) && seen.insert((self.key)(&next, *input));
                if is_new && seen.len() < self.most {
                    open.push_back(next);
                }
            }
            let is_done = touched.iter().all(|it| *it) || seen.len() >= self.most;
            if is_done {
                break;
            }
        }
        (touched, seen.len() < self.most)
    }
}

fn all_inputs() -> Vec<Input> {
    let mut inputs = Vec::new();
    for x in [-1.0, 0.0, 1.0] {
        for y in [-1.0, 0.0, 1.0] {
            inputs.extend([false, true].map(|jump| Input::from_axes(x, y, jump)));
        }
    }
    inputs
}

/// Without the keys that only a ladder or water needs.
fn few_inputs() -> Vec<Input> {
    let mut inputs = vec![Input::from_axes(0.0, -1.0, false), Input::from_axes(0.0, 1.0, true)];
    for x in [-1.0, 0.0, 1.0] {
        inputs.extend([false, true].map(|jump| Input::from_axes(x, 0.0, jump)));
    }
    inputs
}

/// Each state for itself.
fn exact(body: &Body, _: Input) -> u64 {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    hasher.finish()
}

/// States that are alike: within some pixels and some tens of pixels a second.
fn alike((mover, state): &Body, input: Input) -> u64 {
    let velocity = state.velocity();
    let mut hasher = DefaultHasher::new();
    let at = mover.body.min.div_euclid(IVec2::splat(4));
    let speed = (velocity / 60.0).round().as_ivec2();
    let was_jump = input == input.with_jump(true);
    (at, speed, mover.steps_since_grounded, state.stance, was_jump).hash(&mut hasher);
    hasher.finish()
}

/// Fails if a witness does not lead to its goal.
fn assert_reaches(verdict: &Verdict, level: &Level, jumper: &Jumper, goal: Aabb, name: &str) {
    if let Verdict::Reached(witness) = verdict {
        let (mover, _) = body_at(jumper, witness.start);
        let last = witness.replay(level, jumper).last().map_or(mover, |(mover, _)| mover);
        assert!(last.body.overlaps(goal), "{name}: {goal:?}, {witness:?}");
    }
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

/// A level of at most 14 x 16 pixels.
fn tiny_level(random: &mut fastrand::Rng) -> Level {
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
        if random.u8(0..5) == 0 {
            let area = Terrain::new(scatter(random, size, 1, 3), cell).unwrap();
            level = level.with_area(name, area);
        }
    }
    let mut side = || if random.u8(0..6) == 0 { Outside::Open } else { Outside::Solid };
    let outside = Sides { left: side(), right: side(), up: side(), down: side() };
    level.with_outside(outside)
}

/// A body that moves by whole pixels at one step a second, so that it has few states.
fn tiny_jumper(random: &mut fastrand::Rng) -> Jumper {
    // The gravity is a pixel a step, and a jump starts with `steps` pixels a step.
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
    let mut settings = MoverSettings::platformer();
    settings.step_height = few();
    settings.snap_distance = few();
    settings.corner_correction = Sides { left: few(), right: few(), up: few(), down: 0 };
    let size = UVec2::new(random.u32(1..4), random.u32(1..4));
    Jumper { settings, ..Jumper::new(size, feel, Rate::per_second(1)) }
}

#[test]
fn verdicts_agree_with_a_search_over_all_states_of_small_levels() {
    let mut random = fastrand::Rng::with_seed(13);
    let play = Play { hold: 1, most: 60_000, inputs: all_inputs(), key: exact };
    let (mut levels, mut complete, mut reached, mut proven) = (0, 0, [0; 2], [0; 2]);
    let wanted = if is_long() { 2_000 } else { 60 };
    while levels < wanted {
        let (level, jumper) = (tiny_level(&mut random), tiny_jumper(&mut random));
        let size = level.size().as_ivec2();
        let mut place = || IVec2::new(random.i32(0..size.x), random.i32(0..size.y));
        let start = place();
        if level.overlaps(body_at(&jumper, start).0.body) {
            continue;
        }
        levels += 1;
        let goals: Vec<Aabb> = (0..5).map(|_| pixel(place())).collect();
        let verdicts = verdicts_of(&level, &jumper, start, &goals, 100_000);
        let (touched, is_complete) = play.touched(&level, &jumper, start, &goals);
        let is_whole = is_complete || touched.iter().all(|it| *it);
        complete += usize::from(is_whole);
        for ((goal, verdict), touched) in goals.iter().zip(&verdicts).zip(touched) {
            let name = format!("level {levels} from {start}, {jumper:?}\n{}", level.grid());
            assert_reaches(verdict, &level, &jumper, *goal, &name);
            let is_reached = matches!(verdict, Verdict::Reached(_));
            let is_proven = matches!(verdict, Verdict::OutOfReach(_));
            assert!(!touched || !is_proven, "{goal:?}: {verdict:?}, {name}");
            if touched {
                reached = [reached[0] + 1, reached[1] + usize::from(is_reached)];
            } else if is_whole {
                proven = [proven[0] + 1, proven[1] + usize::from(is_proven)];
            }
        }
    }
    println!(
        "{complete} of {levels} searches complete; reached {} of {}, proven {} of {}",
        reached[1], reached[0], proven[1], proven[0]
    );
    assert!(complete * 10 >= levels * 8, "{complete} of {levels}");
}

/// A level with its start and its goals.
struct Trial {
    name: String,
    level: Level,
    start: IVec2,
    goals: Vec<Aabb>,
}

/// The side of a tile in pixels.
const TILE: i32 = 16;

/// A level that is drawn in tiles, with a frame of solid tiles.
struct Sketch {
    solid: Grid,
    one_way: Grid,
}

impl Sketch {
    fn new(width: u32, height: u32) -> Self {
        let mut solid = Grid::new(width, height).unwrap();
        for (columns, rows) in [
            (0..width, height - 1..height),
            (0..width, 0..1),
            (0..1, 0..height),
            (width - 1..width, 0..height),
        ] {
            solid.fill(columns, rows, true).unwrap();
        }
        Self { solid, one_way: Grid::new(width, height).unwrap() }
    }

    fn fill(&mut self, columns: std::ops::Range<u32>, rows: std::ops::Range<u32>, solid: bool) {
        let columns = columns.start..columns.end.min(self.solid.width());
        self.solid.fill(columns, rows, solid).unwrap();
    }

    /// A ledge of one tile's height: solid or one-way.
    fn ledge(&mut self, columns: std::ops::Range<u32>, row: u32, is_one_way: bool) {
        let columns = columns.start..columns.end.min(self.solid.width() - 1);
        let grid = if is_one_way { &mut self.one_way } else { &mut self.solid };
        grid.fill(columns, row..row + 1, true).unwrap();
    }

    /// The level. `start` is the tile on which the body stands, and each goal one with a goal above it.
    fn trial(self, name: String, jumper: &Jumper, start: [u32; 2], goals: &[[u32; 2]]) -> Trial {
        let level = Level::from_grid(self.solid, UVec2::splat(TILE as u32)).unwrap();
        let level = level.with_one_way(Dir::Up, self.one_way).unwrap();
        let above =
            |tile: &[u32; 2]| IVec2::new(tile[0] as i32 * TILE + 8, tile[1] as i32 * TILE - 3);
        let [x, y] = start.map(|it| it as i32 * TILE);
        let start = IVec2::new(x + 2, y - jumper.size.y as i32);
        Trial { name, level, start, goals: goals.iter().map(|tile| pixel(above(tile))).collect() }
    }
}

/// Stairs, shafts, rescue ledges in pits, ceilings over pits, chimneys, and levels at random.
fn generated(random: &mut fastrand::Rng, number: usize, jumper: &Jumper) -> Trial {
    match number % 6 {
        0 => {
            let (rise, run) = (random.u32(1..5), random.u32(2..5));
            let mut sketch = Sketch::new(26, 22);
            let mut goals = Vec::new();
            let (mut column, mut row) = (5, 21);
            while column < 24 && row > rise + 3 {
                row -= rise;
                sketch.fill(column..26, row..22, true);
                goals.push([column + run / 2, row]);
                column += run;
            }
            sketch.trial(format!("stairs of {rise} x {run}"), jumper, [2, 21], &goals)
        }
        1 => {
            let (gap, rise, is_one_way) = (random.u32(1..8), random.u32(1..5), random.bool());
            let mut sketch = Sketch::new(18, 26);
            let mut goals = Vec::new();
            let (mut row, mut is_right) = (25 - rise, false);
            while row > 4 {
                let columns = if is_right { 4 + gap..7 + gap } else { 1..4 };
                goals.push([columns.start + 1, row]);
                sketch.ledge(columns, row, is_one_way);
                (row, is_right) = (row - rise, !is_right);
            }
            sketch.trial(format!("shaft {gap}, {rise}"), jumper, [8, 25], &goals)
        }
        2 => {
            let (gap, wide, deep) = (random.u32(6..15), random.u32(1..3), random.u32(0..6));
            let mut sketch = Sketch::new(30, 20);
            sketch.fill(0..8, 10..20, true);
            sketch.fill(8 + gap..30, 10..20, true);
            let middle = 8 + gap / 2;
            let row = 8 + deep;
            sketch.ledge(middle..middle + wide, row, random.bool());
            let goals = [[middle, row], [10 + gap, 10], [9, 19]];
            sketch.trial(format!("rescue {gap}, {wide}, {deep}"), jumper, [3, 10], &goals)
        }
        3 => {
            let (gap, high, down) = (random.u32(2..8), random.u32(2..6), random.u32(0..3));
            let mut sketch = Sketch::new(28, 18);
            sketch.fill(0..9, 10..18, true);
            sketch.fill(9 + gap..28, 10 + down..18, true);
            let from = random.u32(4..10);
            sketch.fill(from..from + random.u32(2..16), 0..11 - high, true);
            let goals = [[10 + gap, 10 + down], [9, 17]];
            sketch.trial(format!("ceiling {gap}, {high}, {down}"), jumper, [2, 10], &goals)
        }
        4 => {
            let (wide, tall) = (random.u32(1..6), random.u32(3..13));
            let mut sketch = Sketch::new(22, 20);
            let top = 19 - tall;
            sketch.fill(7..9, top..17, true);
            sketch.fill(9 + wide..11 + wide, top..19, true);
            let goals = [[7, top], [9 + wide, top], [13 + wide, 19]];
            sketch.trial(format!("chimney {wide}, {tall}"), jumper, [2, 19], &goals)
        }
        _ => {
            let mut sketch = Sketch::new(20, 18);
            let mut goals = Vec::new();
            for _ in 0..random.u32(5..12) {
                let (x, y) = (random.u32(1..18), random.u32(3..17));
                sketch.ledge(x..x + random.u32(1..6), y, random.u8(0..3) == 0);
                goals.push([x, y]);
            }
            sketch.fill(1..4, 14..17, false);
            sketch.trial(format!("ledges {number}"), jumper, [1, 17], &goals)
        }
    }
}

/// Five bodies with their feels.
fn heroes() -> [Jumper; 5] {
    let rate = Rate::per_second(60);
    let fast = Feel { top_speed: 150.0, jump_height: 52.0, jump_time: 0.4, ..Feel::default() };
    let heavy = Feel { top_speed: 80.0, jump_height: 36.0, fall_scale: 1.6, ..Feel::default() };
    let twice = Feel { air_jumps: 1, jump_height: 30.0, jump_time: 0.3, ..Feel::default() };
    let stiff = Feel { coyote_time: 0.0, top_speed: 120.0, fall_limit: 300.0, ..Feel::default() };
    [
        Jumper::new(UVec2::new(12, 20), Feel::default(), rate),
        Jumper::new(UVec2::new(12, 24), fast, rate),
        Jumper::new(UVec2::new(14, 28), heavy, rate),
        Jumper::new(UVec2::new(10, 14), twice, rate),
        Jumper::new(UVec2::new(12, 16), stiff, Rate::per_second(30)),
    ]
}

fn without_walls(jumper: &Jumper) -> Jumper {
    let feel = Feel { wall_jump: Vec2::ZERO, ledge_reach: 0, ..jumper.feel.clone() };
    Jumper { feel, ..jumper.clone() }
}

/// What was found of some goals.
#[derive(Debug, Default)]
struct Tally {
    goals: usize,
    reached: usize,
    proven: usize,
    /// The goals that play touched, and those of them that are said to be reached.
    played: usize,
    both: usize,
}

impl Tally {
    fn add(&mut self, trial: &Trial, jumper: &Jumper, most: usize) {
        let Trial { name, level, start, goals } = trial;
        let verdicts = verdicts_of(level, jumper, *start, goals, WORK);
        let hold = u32::from(jumper.rate.steps_per_second()) / 20;
        let play = Play { hold, most, inputs: few_inputs(), key: alike };
        let (touched, _) = play.touched(level, jumper, *start, goals);
        for ((goal, verdict), touched) in goals.iter().zip(&verdicts).zip(touched) {
            assert_reaches(verdict, level, jumper, *goal, name);
            let is_reached = matches!(verdict, Verdict::Reached(_));
            let is_proven = matches!(verdict, Verdict::OutOfReach(_));
            assert!(
                !touched || !is_proven,
                "{name}: play reaches {goal:?}, {verdict:?}, {jumper:?}"
            );
            self.goals += 1;
            self.reached += usize::from(is_reached);
            self.proven += usize::from(is_proven);
            self.played += usize::from(touched);
            self.both += usize::from(touched && is_reached);
            if is_long() && !is_proven && !is_reached {
                let Feel { top_speed, wall_jump, .. } = jumper.feel;
                println!(
                    "{name}, {top_speed} {wall_jump}: {} {verdict:?}, play: {touched}",
                    goal.min
                );
            }
        }
    }

    fn assert(&self, plain: bool) {
        println!("{self:?}");
        assert!(self.goals > 0 && self.both * 100 >= self.played * 90, "{self:?}");
        assert!(!plain || (self.reached + self.proven) * 100 >= self.goals * 95, "{self:?}");
    }
}

/// In a long run 120 levels, with more states of play.
#[test]
fn goals_of_generated_levels_are_decided() {
    let mut random = fastrand::Rng::with_seed(21);
    // With air jumps, wall jumps or ledges nearly everything may be reached, so that little can be proven.
    let (mut plain, mut bold) = (Tally::default(), Tally::default());
    let most = if is_long() { 300_000 } else { 40_000 };
    for number in 0..rounds(120) {
        let jumper = &heroes()[number / 6 % 5];
        let trial = generated(&mut random, number, jumper);
        let tally = if jumper.feel.air_jumps == 0 { &mut plain } else { &mut bold };
        tally.add(&trial, &without_walls(jumper), most);
        bold.add(&trial, jumper, most);
    }
    plain.assert(true);
    bold.assert(false);
}

/// Side-view levels of games, by folder of `../shared`.
const GAMES: [(&str, &[&str]); 3] = [
    (
        "corpus",
        &[
            "KilledByAPixel+LittleJS/examples/platformer/data/gameLevelData.tmx",
            "HaxeFlixel+flixel-demos/Platformers/FlipRotationAnimationTiles/assets/maps/test2.tmx",
            "adrien-bon+bevy_ecs_tiled/assets/demo_platformer/demo.tmx",
        ],
    ),
    (
        "fresh",
        &[
            "prime31+Nez-Samples/Nez.Samples/Content/Platformer/tiledMap.tmx",
            "gurkenlabs+litiengine-gurk-nukem/maps/level1.tmx",
            "RafaelBarbosatec+bonfire/example/assets/images/platform/platform_map.tmj",
        ],
    ),
    (
        "fresh4",
        &[
            "excaliburjs+sample-jelly-jumper/public/res/tilemaps/level1.tmx",
            "Lioncat2002+platformerYT/Content/level1.tmx",
            "astrochili+loveisintheair/assets/maps/4.tmx",
            "MySweetWhomp+Schweinballoons/data/map/area01.tmx",
            "MySweetWhomp+Schweinballoons/data/map/area02.tmx",
            "MySweetWhomp+Schweinballoons/data/map/area03.tmx",
            "SimonLarsen+mrrescue/maps/floors/1-1-1.tmx",
            "alexdantas+rabbit-hole/data/map/area00.tmx",
            "alexdantas+rabbit-hole/data/map/area01.tmx",
        ],
    ),
];

/// The bundled levels, with a start and goals at random places; in a long run those of games too.
#[test]
fn goals_of_levels_of_games_are_decided() {
    let mut paths = ["cave.tmx", "hills.tmx", "platforms.tmx"].map(asset).to_vec();
    if is_long() {
        for (folder, files) in GAMES {
            let folder = shared(folder).into_iter();
            paths.extend(folder.flat_map(|folder| files.iter().map(move |file| folder.join(file))));
        }
    }
    let mut random = fastrand::Rng::with_seed(55);
    let (mut plain, mut bold) = (Tally::default(), Tally::default());
    let most = if is_long() { 200_000 } else { 20_000 };
    let (mut levels, jumper) = (0, &heroes()[0]);
    for path in paths {
        let name = path.display().to_string();
        let Ok(level) = Level::load(&path) else {
            println!("{name} does not load by itself");
            continue;
        };
        let mut trial = Trial { name, level, start: IVec2::ZERO, goals: Vec::new() };
        let ways = JumpWays::unplayed(&trial.level, jumper.clone()).unwrap();
        let runs: Vec<Aabb> = ways.runs().map(|(run, _)| run).collect();
        if runs.is_empty() {
            continue;
        }
        let mut spot = || {
            let run = runs[random.usize(0..runs.len())];
            IVec2::new(random.i32(run.min.x..run.max.x), run.min.y)
        };
        trial.start = spot();
        let feet = IVec2::new(jumper.size.x as i32 / 2, jumper.size.y as i32 - 1);
        trial.goals = (0..6).map(|_| pixel(spot() + feet)).collect();
        plain.add(&trial, &without_walls(jumper), most);
        bold.add(&trial, jumper, most);
        levels += 1;
    }
    println!("{levels} levels");
    plain.assert(is_long());
    bold.assert(false);
}

/// A random player never touches a goal that is out of reach. In a long run a million steps of five feels.
#[test]
fn a_random_player_touches_nothing_that_is_out_of_reach() {
    let mut random = fastrand::Rng::with_seed(34);
    let (mut steps, mut proven) = (0, 0);
    let wanted = rounds(1_000_000);
    for number in 0.. {
        let mut jumper = heroes()[number % 5].clone();
        if number % 3 > 0 {
            jumper = without_walls(&jumper);
        }
        let kind = random.usize(0..6);
        let trial = generated(&mut random, kind, &jumper);
        let Trial { level, start, .. } = &trial;
        let ways = JumpWays::unplayed(level, jumper.clone()).unwrap();
        // The feet of a body on each place.
        let feet = IVec2::new(jumper.size.x as i32 / 2, jumper.size.y as i32 - 1);
        let runs = ways.runs().map(|(run, _)| (run.min + run.max) / 2 + feet);
        let goals: Vec<Aabb> = runs.map(pixel).collect();
        let verdicts = verdicts_of(level, &jumper, *start, &goals, WORK);
        let out: Vec<Aabb> = goals
            .into_iter()
            .zip(&verdicts)
            .filter_map(|(goal, it)| matches!(it, Verdict::OutOfReach(_)).then_some(goal))
            .collect();
        proven += out.len();
        let mut far = vec![body_at(&jumper, *start)];
        for _ in 0..60 {
            let (mut mover, mut state) = far[random.usize(0..far.len())];
            for _ in 0..20 {
                let input = random.choice(all_inputs()).unwrap();
                for _ in 0..random.u8(1..26) {
                    state.step(level, &mut mover, input, &jumper.feel);
                    steps += 1;
                    let touched = out.iter().find(|goal| mover.body.overlaps(**goal));
                    assert_eq!(touched, None, "{}: {jumper:?}", trial.name);
                }
            }
            far.push((mover, state));
        }
        if steps >= wanted {
            break;
        }
    }
    println!("{steps} steps, {proven} places out of reach");
    assert!(proven > 10, "{proven}");
}
