//! Compares bitwall's worlds with those of Rapier and Box2D: the same scenes, in turn, in one run.
//!
//! `cargo run --release --features engines --bin worlds -- worlds.svg`, in this package, takes ten to twenty
//! minutes. With `blocks` or `sensors` instead of the path of the picture it runs only these scenes. The
//! scenes are the same as in `cargo bench --bench worlds`. Each runs three times in each engine, and the
//! fastest time of each step counts. The mean leaves out the first step, in which engines build their
//! indexes. The program prints tables in Markdown with the times and with what the bodies did, and writes a
//! picture of the growth with the number of bodies to the path. It exits with 1 if the walkers of another
//! engine walk much less far than bitwall's, because then the times cannot be compared.
//!
//! Box2D comes with the crate `boxdd`, which compiles its C source with the crate `cc`. That needs a C
//! compiler, but neither CMake nor libclang. `boxdd` asks for `-O2`. All Rust code is built with the profile
//! `release`. Neither uses instructions beyond the baseline of the target, and each engine runs on one
//! thread.
//!
//! These things are equal: the level, the positions, the gravity, the speed, 60 steps a second with 16 pixels
//! per meter, and the rule of walkers. By that rule, all walkers get their speed along x again after each
//! step, in the other direction if something stopped them. Walkers have no friction, and the blocks of the
//! other engines have a friction of 0.6. Everything else is each engine's default: four iterations or
//! sub-steps of the solver, sleep, and a continuous test of fast bodies against the level. Rapier gets the
//! level as voxels, and as cuboids of merged cells. Box2D gets the cuboids.
//!
//! The sensors have the same boxes and velocities in all engines, and a filter that lets them meet only the
//! characters. All events of a step are read, and their numbers are printed.
//!
//! These things differ:
//! * The walkers of the other engines are dynamic bodies that cannot rotate. They push each other, and their
//!   contacts are solved by iteration in `f32`, so bodies end some fraction of a pixel inside others, and a
//!   few end deeper. bitwall's walkers are characters in whole pixels and subpixels, which never overlap.
//!   They also climb steps and slopes and correct corners, for which the other engines would need
//!   controllers.
//! * bitwall's walkers turn if a move reports a contact on the side to which they walk. The walkers of the
//!   other engines turn if they have lost half of their speed, which is the easiest sign for a game to read
//!   there.
//! * Box2D is called by the safe functions of `boxdd`, which check each id of a body. With 10,000 walkers
//!   these checks and the rule of walkers take a tenth of the time.
//! * A block that falls on another block comes to rest on it in bitwall. After 78 steps all blocks rest and
//!   sleep. In the other engines a block pushes others aside and into each other, more blocks find room at
//!   the bottom, and the pile moves for longer. So the first steps, in which the blocks of all engines move,
//!   are shown separately.

mod box2d;
mod chart;
mod measure;
mod rapier;
mod report;
#[path = "../../../../common/scenes.rs"]
mod scenes;
mod tiles;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use box2d::Box2d;
use chart::{Axes, Line, thousands};
use measure::{Contender, contest, longest_over_median, mean, watch};
use rapier::{Form, Rapier};
use report::{Check, Row, Unit};
use scenes::{Engine, Movers, Scene, Watching, Worlds};

/// The number of steps per second, to convert between bitwall's units and those of the other engines.
const RATE: f32 = 60.0;

const ROUNDS: usize = 3;

/// The number of steps in the scenes with walkers.
const STEPS: usize = 300;

/// The number of first steps in which the blocks of all engines move.
const ALL_FALL: usize = 75;
/// The number of steps until the blocks of most engines rest.
const FALLING: usize = 400;
/// The number of steps after [`FALLING`] in which resting blocks are timed.
const RESTING: usize = 1_000;

/// The numbers of sensors.
const SENSORS: [usize; 3] = [2_500, 5_000, 10_000];

/// The numbers of walkers in the picture of the growth, and the number of steps for each.
const COUNTS: [usize; 4] = [100, 1_000, 10_000, 100_000];
const GROWTH_STEPS: usize = 60;

/// The smallest share of the distance of bitwall's walkers that the walkers of another engine must walk.
const WAY: f64 = 0.8;

/// Returns the friction of the bodies. Walkers slide in all engines, because bitwall has no friction. Blocks
/// have Box2D's default.
fn friction(scene: &Scene) -> f32 {
    if scene.walks { 0.0 } else { 0.6 }
}

fn contender<'a, E: Engine + 'static>(
    name: &'static str,
    make: impl Fn() -> E + 'a,
) -> Contender<'a> {
    Contender { name, make: Box::new(move || Box::new(make())) }
}

/// Returns the engines that run a scene: bitwall first, then the others.
fn contenders(scene: &Scene) -> [Contender<'_>; 4] {
    [
        contender("bitwall", || Worlds::new(scene)),
        contender("Rapier, voxels", || Rapier::new(scene, Form::Voxels)),
        contender("Rapier, cuboids", || Rapier::new(scene, Form::Cuboids)),
        contender("Box2D", || Box2d::new(scene).expect("valid settings")),
    ]
}

/// Returns what the bodies of each engine do in a scene. In bitwall a body counts as inside a solid at any
/// depth, and in the other engines only if it is deeper than a pixel.
fn checks(name: &str, scene: &Scene, steps: usize, times: &[Vec<f64>]) -> Vec<Check> {
    let check = |(at, (contender, times)): (usize, (&Contender, &Vec<f64>))| Check {
        scene: name.to_owned(),
        name: contender.name,
        seen: watch(scene, contender, steps, if at == 0 { 0.0 } else { 1.0 }),
        longest_over_median: scene.walks.then(|| longest_over_median(times)),
    };
    contenders(scene).iter().zip(times).enumerate().map(check).collect()
}

fn walkers(count: usize, meets: bool) -> (Row, Vec<Check>) {
    let scene = Scene::walkers(count, meets);
    let name = format!(
        "{} walkers {}",
        thousands(count as f64),
        if meets { "that meet" } else { "apart" }
    );
    let times = contest(&contenders(&scene), STEPS, ROUNDS);
    let checks = checks(&name, &scene, STEPS, &times);
    let times = times.iter().map(|times| mean(&times[1..])).collect();
    (Row { scene: name, times, unit: Unit::Nanoseconds(count) }, checks)
}

fn blocks() -> (Vec<Row>, Vec<Check>) {
    let scene = Scene::blocks();
    let times = contest(&contenders(&scene), FALLING + RESTING, ROUNDS);
    let parts = [
        (format!("1,000 blocks fall, the first {ALL_FALL} steps"), 1..ALL_FALL),
        (format!("1,000 blocks fall and lie, {FALLING} steps"), 1..FALLING),
        (
            format!("the {} steps after these", thousands(RESTING as f64)),
            FALLING..FALLING + RESTING,
        ),
    ];
    let rows = parts.map(|(scene, steps)| {
        let times = times.iter().map(|times| mean(&times[steps.clone()]));
        Row { scene, times: times.collect(), unit: Unit::Milliseconds }
    });
    (rows.into(), checks("1,000 blocks", &scene, FALLING + RESTING, &times))
}

/// Returns the nanoseconds per mover and step of 10,000 movers without a world.
fn movers() -> f64 {
    let scene = Scene::walkers(10_000, false);
    let movers = contender("movers", || Movers::new(&scene));
    let times = contest(&[movers], STEPS, ROUNDS);
    Unit::Nanoseconds(10_000).of(mean(&times[0][1..]))
}

/// Returns the nanoseconds per body and step, for each number of walkers.
fn growth(meets: bool) -> Vec<Line> {
    let mut lines = Vec::<Line>::new();
    for count in COUNTS {
        let scene = Scene::walkers(count, meets);
        let contenders = contenders(&scene);
        let times = contest(&contenders, GROWTH_STEPS, ROUNDS.max(3_000 / count));
        for (at, (contender, times)) in contenders.iter().zip(&times).enumerate() {
            if at == lines.len() {
                lines.push(Line { name: contender.name, points: Vec::new() });
            }
            let time = Unit::Nanoseconds(count).of(mean(&times[1..]));
            lines[at].points.push((count as f64, time));
        }
    }
    lines
}

fn print_growth(title: &str, lines: &[Line]) {
    let counts = COUNTS.map(|count| thousands(count as f64)).join(" | ");
    println!("\n| {title}, ns a body and step | {counts} |\n|---|{}", "---|".repeat(COUNTS.len()));
    for line in lines {
        let times: Vec<_> = line.points.iter().map(|(_, time)| thousands(*time)).collect();
        println!("| {} | {} |", line.name, times.join(" | "));
    }
}

/// Prints the times of moving sensors that watch characters, and the events that the engines report.
fn sensors() {
    let (mut rows, mut events, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for count in SENSORS {
        let scene = Watching::new(count);
        let contenders = [
            contender("bitwall", || Worlds::watching(&scene)),
            contender("Rapier", || Rapier::watching(&scene)),
            contender("Box2D", || Box2d::watching(&scene).expect("valid settings")),
        ];
        let title = format!("{} sensors that watch 200 characters", thousands(count as f64));
        let times = contest(&contenders, STEPS, ROUNDS);
        let times = times.iter().map(|times| mean(&times[1..])).collect();
        let counts = contenders.iter().map(|contender| {
            let mut engine = (contender.make)();
            (0..STEPS).for_each(|_| engine.step());
            let [begun, ended] = engine.meetings();
            format!("{} / {}", thousands(begun as f64), thousands(ended as f64))
        });
        events.push(format!("| {title} | {} |", counts.collect::<Vec<_>>().join(" | ")));
        names = contenders.iter().map(|contender| contender.name).collect();
        rows.push(Row { scene: title, times, unit: Unit::Milliseconds });
    }
    report::print_times(&names, &rows);
    println!("\n| meetings begun / ended in {STEPS} steps | {} |", names.join(" | "));
    println!("|---|{}\n{}\n", "---|".repeat(names.len()), events.join("\n"));
}

/// Prints the times of walkers and blocks, and what the bodies did. Returns false if the walkers of another
/// engine do not walk far enough.
fn walkers_and_blocks(counts: &[(usize, bool)]) -> bool {
    let (mut rows, mut checks) = (Vec::new(), Vec::new());
    let mut all_walk = true;
    for (count, meets) in counts {
        let (row, seen) = walkers(*count, *meets);
        let least = WAY * seen[0].seen.walked;
        all_walk &= seen.iter().all(|check| check.seen.walked >= least);
        rows.push(row);
        checks.extend(seen);
    }
    let (falling, seen) = blocks();
    let names: Vec<_> = seen.iter().map(|check| check.name).collect();
    rows.extend(falling);
    checks.extend(seen);
    report::print_times(&names, &rows);
    println!();
    report::print_checks(&checks);
    all_walk
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let picture = std::env::args().nth(1).ok_or("usage: worlds PICTURE.svg|blocks|sensors")?;
    let (only_blocks, only_sensors) = (picture == "blocks", picture == "sensors");
    if !only_blocks {
        sensors();
    }
    let counts = [(10_000, false), (5_000, true), (10_000, true)];
    let all_walk = only_sensors || walkers_and_blocks(if only_blocks { &[] } else { &counts });
    if only_blocks || only_sensors {
        return Ok(ExitCode::SUCCESS);
    }
    println!("\n10,000 movers of bitwall in a list: {:.0} ns a body and step.\n", movers());
    if !all_walk {
        eprintln!("walkers of a peer walk less than {WAY} of the way of bitwall's");
        return Ok(ExitCode::FAILURE);
    }
    let panels = [("walkers apart", growth(false)), ("walkers that meet", growth(true))];
    panels.iter().for_each(|(title, lines)| print_growth(title, lines));
    let axes = Axes { x: "walkers", y: "nanoseconds a body and step" };
    chart::draw(Path::new(&picture), &axes, &panels)?;
    Ok(ExitCode::SUCCESS)
}
