//! Measures jump ways: building them, asking for a way, a field, followers, an edit of one tile, and verdicts.
//!
//! `cargo bench --bench jumps` prints for each level:
//!
//! * build: the fastest of three builds on one core, with the default feel and a body of 12 x 20 pixels;
//! * all: the same with an air jump and a dash too;
//! * way: the median and the 99th percentile of 2,000 ways between random positions;
//! * field: the mean of 100 fields to one goal;
//! * drop, edit: the mean and the 99th percentile of 200 edits of a tile: of dropping links, and of finding
//!   them again in slices of 3,000 steps;
//! * followers: the mean and the 99th percentile of a step of 1,000 followers, without their movers, on ways to
//!   a position and by a field, both with a new goal each second; and the mean of the movers' steps;
//! * reach: the verdicts of 20 goals, without wall jumps and ledges. The links are included.
//!
//! Times are processor time where the system is Linux, but for single ways and fields. Further arguments are
//! paths of levels. `-- --check` runs each part once on a small level.

use std::fs;
use std::hint::black_box;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use bitwall::character::{Feel, Platformer};
use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::navigate::{Aim, Follower, JumpWays, Jumper, Verdict};
use bitwall::{Aabb, Dir, Grid, Level, Mover, Rate};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let check = arguments.iter().any(|it| it == "--check");
    let paths = arguments.iter().filter(|it| !it.starts_with("--"));
    let mut levels: Vec<(String, Level)> = Vec::new();
    if check {
        levels.push(("32 x 32".to_owned(), generated(32)));
    } else {
        for cells in [64, 128, 256] {
            levels.push((format!("{cells} x {cells}"), generated(cells)));
        }
        for name in ["assets/cave.tmx", "assets/hills.tmx"] {
            levels.push((name.to_owned(), Level::load(name).expect("it is bundled")));
        }
    }
    for path in paths {
        levels.push((path.clone(), Level::load(path).expect("it is a level")));
    }
    println!(
        "{:<16} {:>6} {:>6} {:>8} {:>8} {:>13} {:>8} {:>13} {:>13} {:>13} {:>13} {:>7} {:>9}",
        "level",
        "places",
        "links",
        "build ms",
        "all ms",
        "way us",
        "field us",
        "drop us",
        "edit ms",
        "to one us",
        "by field us",
        "step us",
        "reach ms"
    );
    for (name, mut level) in levels {
        measure(name.rsplit('/').next().unwrap_or(&name), &mut level, check);
    }
    if let Some(peak) = fs::read_to_string("/proc/self/status").ok().as_deref().and_then(peak) {
        println!("peak of memory: {peak}");
    }
}

fn peak(status: &str) -> Option<&str> {
    Some(status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim())
}

fn measure(name: &str, level: &mut Level, check: bool) {
    let jumper = Jumper::new(UVec2::new(12, 20), Feel::default(), Rate::per_second(60));
    level.prepare(jumper.size);
    let all = Feel { air_jumps: 1, dash_speed: 240.0, ..Feel::default() };
    let rounds = if check { 1 } else { 3 };
    let build = fastest(rounds, level, &jumper);
    let all = fastest(rounds, level, &Jumper { feel: all, ..jumper.clone() });
    let mut ways = JumpWays::new(level, jumper).expect("it is a jumper");
    let runs: Vec<(Aabb, u32)> = ways.runs().collect();
    let places = runs.iter().map(|(_, place)| place + 1).max().unwrap_or(0);
    let mut random = fastrand::Rng::with_seed(3);
    let mut paths = Vec::new();
    for _ in 0..if check { 10 } else { 2_000 } {
        let (from, to) = (spot(&runs, &mut random), spot(&runs, &mut random));
        let start = Instant::now();
        black_box(ways.path(from, to));
        paths.push(ms(start.elapsed()) * 1_000.0);
    }
    let mut fields = Vec::new();
    for _ in 0..if check { 2 } else { 100 } {
        let goal = spot(&runs, &mut random);
        let start = Instant::now();
        black_box(ways.field(&[goal]));
        fields.push(ms(start.elapsed()) * 1_000.0);
    }
    let links = ways.links().count();
    let steps = if check { 70 } else { 600 };
    let (to_one, movers) = followed(&ways, level, &runs, steps, false);
    let (by_field, _) = followed(&ways, level, &runs, steps, true);
    let (drops, edits) = edited(&mut ways, level, if check { 2 } else { 100 });
    println!(
        "{name:<16} {places:>6} {links:>6} {build:>8.1} {all:>8.1} {:>13} {:>8.1} {:>13} {:>13} {:>13} \
         {:>13} {:>7.1} {:>9.1}",
        spread(paths, false),
        mean(&fields),
        spread(drops, true),
        spread(edits, true),
        spread(to_one, true),
        spread(by_field, true),
        mean(&movers),
        reached(level, &runs)
    );
}

/// The time of the fastest build in milliseconds.
fn fastest(rounds: usize, level: &Level, jumper: &Jumper) -> f64 {
    let mut least = f64::MAX;
    for _ in 0..rounds {
        let start = now();
        black_box(JumpWays::new(level, jumper.clone()).expect("it is a jumper"));
        least = least.min(ms(now() - start));
    }
    least
}

fn spot(runs: &[(Aabb, u32)], random: &mut fastrand::Rng) -> IVec2 {
    let (run, _) = runs[random.usize(0..runs.len())];
    IVec2::new(random.i32(run.min.x..run.max.x), run.min.y)
}

/// 1,000 bodies that follow a goal, which is elsewhere each second. Returns the times of each step of the
/// followers and of the movers in microseconds.
fn followed(
    ways: &JumpWays,
    level: &Level,
    runs: &[(Aabb, u32)],
    steps: usize,
    by_field: bool,
) -> (Vec<f64>, Vec<f64>) {
    let mut random = fastrand::Rng::with_seed(5);
    let Jumper { size, feel, settings, rate } = ways.jumper();
    let mut bodies: Vec<(Mover, Platformer, Follower)> = Vec::new();
    for _ in 0..1_000 {
        let at = spot(runs, &mut random);
        let mover = Mover::new(Aabb { min: at, max: at + size.as_ivec2() }, *settings);
        bodies.push((mover, Platformer::new(*rate), Follower::default()));
    }
    let mut goal = IVec2::ZERO;
    let mut field = ways.field(&[]);
    let mut times = (Vec::new(), Vec::new());
    for step in 0..steps {
        if step % 60 == 0 {
            goal = spot(runs, &mut random);
            field = ways.field(&[goal]);
        }
        let start = now();
        let mut inputs = Vec::with_capacity(bodies.len());
        for (mover, state, follower) in &mut bodies {
            let aim = if by_field { Aim::Field(&field) } else { Aim::To(goal) };
            inputs.push(follower.next(ways, level, mover, state, aim));
        }
        let middle = now();
        for ((mover, state, _), input) in bodies.iter_mut().zip(inputs) {
            state.step(level, mover, input.input(), feel);
        }
        times.0.push(ms(middle - start) * 1_000.0);
        times.1.push(ms(now() - middle) * 1_000.0);
    }
    times
}

/// The time of the verdicts of 20 goals in milliseconds, with the links.
fn reached(level: &Level, runs: &[(Aabb, u32)]) -> f64 {
    let feel = Feel { wall_jump: Vec2::ZERO, ledge_reach: 0, ..Feel::default() };
    let jumper = Jumper::new(UVec2::new(12, 20), feel, Rate::per_second(60));
    let mut random = fastrand::Rng::with_seed(6);
    let start = spot(runs, &mut random);
    let goals: Vec<Aabb> = (0..20)
        .map(|_| spot(runs, &mut random))
        .map(|at| Aabb { min: at + IVec2::new(6, 19), max: at + IVec2::new(7, 20) })
        .collect();
    let time = now();
    let mut ways = JumpWays::new(level, jumper).expect("it is a jumper");
    let verdicts = ways.reach(level, &[start], &goals, 400_000_000);
    let time = ms(now() - time);
    let undecided = verdicts.iter().filter(|it| matches!(it, Verdict::Undecided(_))).count();
    assert!(undecided * 2 < verdicts.len(), "{verdicts:?}");
    time
}

/// Flips random cells and flips them back. Returns the times of dropping links in microseconds, and of
/// finding them again in milliseconds.
fn edited(ways: &mut JumpWays, level: &mut Level, count: usize) -> (Vec<f64>, Vec<f64>) {
    let mut random = fastrand::Rng::with_seed(4);
    let size = level.grid().size();
    let mut times = (Vec::new(), Vec::new());
    for _ in 0..count {
        let (column, row) = (random.u32(1..size.x - 1), random.u32(1..size.y - 1));
        for _ in 0..2 {
            let solid = !level.grid().is_solid(column, row);
            let cell = IVec2::new(column as i32, row as i32);
            let area = level.set(cell, solid).expect("it is dense").expect("it is inside");
            let start = now();
            ways.edited(area);
            times.0.push(ms(now() - start) * 1_000.0);
            let start = now();
            while !ways.update(level, 3_000) {}
            times.1.push(ms(now() - start));
        }
    }
    times
}

/// The processor time of this thread on Linux, elsewhere the time since the first call.
fn now() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let first = START.get_or_init(Instant::now);
    // The system counts up to the last time that it looked for another thread.
    std::thread::yield_now();
    let times = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = times.and_then(|times| times.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| first.elapsed(), Duration::from_nanos)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}

/// The median or the mean, and the 99th percentile.
fn spread(mut times: Vec<f64>, of_mean: bool) -> String {
    times.sort_by(f64::total_cmp);
    let middle = if of_mean { mean(&times) } else { times[times.len() / 2] };
    format!("{middle:.1} / {:.1}", times[times.len() * 99 / 100])
}

/// A level of `cells` x `cells` tiles of 16 pixels: boxes, platforms and one-way floors.
fn generated(cells: u32) -> Level {
    let mut random = fastrand::Rng::with_seed(7);
    let mut solid = Grid::new(cells, cells).expect("it is small");
    let mut one_way = Grid::new(cells, cells).expect("it is small");
    for (columns, rows) in
        [(0..cells, cells - 1..cells), (0..1, 0..cells), (cells - 1..cells, 0..cells)]
    {
        solid.fill(columns, rows, true).expect("it is dense");
    }
    for _ in 0..cells * cells / 60 {
        let (x, y) = (random.u32(0..cells), random.u32(0..cells));
        let (w, h) = match random.bool() {
            true => (random.u32(2..10), 1),
            false => (random.u32(1..7), random.u32(1..5)),
        };
        solid.fill(x..(x + w).min(cells), y..(y + h).min(cells), true).expect("it is dense");
    }
    for _ in 0..cells * cells / 200 {
        let (x, y, w) = (random.u32(0..cells), random.u32(0..cells), random.u32(2..7));
        for x in x..(x + w).min(cells) {
            if !solid.is_solid(x, y) {
                one_way.set(x, y, true).expect("it is dense");
            }
        }
    }
    let level = Level::from_grid(solid, UVec2::splat(16)).expect("it is small");
    level.with_one_way(Dir::Up, one_way).expect("the sizes are equal")
}
