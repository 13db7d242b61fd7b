//! bitwall's worlds compared with those of Rapier and Box2D: the same scenes, in turn, in one run.
//!
//! `cargo run --release --features engines --bin worlds -- worlds.svg`, in this package. It takes ten to
//! twenty minutes. With `blocks` or `sensors` in place of the picture it runs these scenes alone. The scenes are those of `cargo bench --bench worlds`. Each runs three times in each
//! engine, and of each step the fastest time counts. The first step is left out of the means: engines build
//! their indexes in it. Prints tables in Markdown: the times, and what the bodies did. Writes the growth with
//! the number of bodies as a picture to the path. Exits with 1 if walkers of a peer do not walk as far as
//! bitwall's, for then the times say nothing.
//!
//! Box2D comes with crate `boxdd`, which compiles its C source by crate `cc`: that needs a C compiler, and
//! neither CMake nor libclang. `boxdd` asks for `-O2`; all Rust code is built with one profile, `release`.
//! Neither uses instructions beyond those of the target's baseline, and each engine runs on one thread.
//!
//! What is equal: the level, the places, the gravity, the speed, 60 steps a second for 16 pixels a meter, and
//! the rule of walkers: after each step all get their speed along x again, the other way round if something
//! stopped them. Walkers have no friction, and the blocks of the peers have 0.6. Everything else is as each
//! engine has it by default: four iterations or sub-steps of the solver, sleep, and a continuous test of fast
//! bodies against the level. Rapier gets the level as voxels, and as cuboids of merged cells. Box2D gets
//! these cuboids.
//!
//! The sensors have the same boxes and velocities in all engines, and a filter that lets them meet the
//! characters alone. All events of a step are read, and their numbers printed.
//!
//! What differs:
//! * The peers' walkers are dynamic bodies that cannot rotate. They push each other, and their contacts are
//!   solved by iteration in `f32`, so bodies end some part of a pixel inside others, and a few end deeper.
//!   bitwall's are characters in whole pixels and sub-pixels, which never overlap. They also climb steps and
//!   slopes and correct corners, for which the peers would need controllers.
//! * bitwall's walkers turn if there is a contact on the side that leads, as its moves report contacts. The
//!   peers' turn if they lost half of their speed, for that is what a game reads soonest there.
//! * Box2D is called by the safe functions of `boxdd`, which check each name of a body. With 10,000 walkers
//!   these checks and the rule of walkers take a tenth of the time.
//! * A block that falls on another one comes to rest on it in bitwall, after 78 steps all do, and they sleep.
//!   In the peers it pushes blocks aside and into each other, more of them find room at the bottom, and the
//!   pile moves for longer. So the first steps, in which the blocks of all engines move, are shown apart.

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

/// Steps a second, in the peers' units of time.
const RATE: f32 = 60.0;

const ROUNDS: usize = 3;

/// The steps of the scenes with walkers.
const STEPS: usize = 300;

/// The first steps of the blocks, in which those of every engine move.
const ALL_FALL: usize = 75;
/// The steps until the blocks of most engines lie.
const FALLING: usize = 400;
/// The steps after these.
const RESTING: usize = 1_000;

/// The numbers of sensors that watch.
const SENSORS: [usize; 3] = [2_500, 5_000, 10_000];

/// The numbers of walkers in the picture, and the steps of each.
const COUNTS: [usize; 4] = [100, 1_000, 10_000, 100_000];
const GROWTH_STEPS: usize = 60;

/// The part of bitwall's way that the walkers of a peer must walk at least.
const WAY: f64 = 0.8;

/// bitwall has no friction: walkers slide in all engines. Blocks stack with Box2D's default.
fn friction(scene: &Scene) -> f32 {
    if scene.walks { 0.0 } else { 0.6 }
}

fn contender<'a, E: Engine + 'static>(
    name: &'static str,
    make: impl Fn() -> E + 'a,
) -> Contender<'a> {
    Contender { name, make: Box::new(move || Box::new(make())) }
}

/// bitwall first, then the peers.
fn contenders(scene: &Scene) -> [Contender<'_>; 4] {
    [
        contender("bitwall", || Worlds::new(scene)),
        contender("Rapier, voxels", || Rapier::new(scene, Form::Voxels)),
        contender("Rapier, cuboids", || Rapier::new(scene, Form::Cuboids)),
        contender("Box2D", || Box2d::new(scene).expect("valid settings")),
    ]
}

/// What the bodies of each engine do in a scene. Of bitwall's none may be in a solid at all; of the peers'
/// those count that are deeper than a pixel.
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

/// The nanoseconds a mover and step of 10,000 movers without a world.
fn movers() -> f64 {
    let scene = Scene::walkers(10_000, false);
    let movers = contender("movers", || Movers::new(&scene));
    let times = contest(&[movers], STEPS, ROUNDS);
    Unit::Nanoseconds(10_000).of(mean(&times[0][1..]))
}

/// The nanoseconds a body and step, by the number of walkers.
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

/// The times of moving sensors that watch characters, and the events that the engines report.
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

/// The times of walkers and blocks, and what the bodies did. False if walkers of a peer walk too little.
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
