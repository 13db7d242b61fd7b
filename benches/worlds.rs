//! Measures a step of a world: walkers without and with collisions between them, falling blocks, blocks at
//! rest, and moving sensors that watch characters.
//!
//! With `cargo bench --bench worlds` each scene runs three times, and the fastest run counts. `benches/peers`
//! runs the same scenes in other engines. With `-- --check` there is one short round of each scene.

#[path = "common/scenes.rs"]
mod scenes;

use std::time::Instant;

use scenes::{Engine, Movers, Scene, Watching, Worlds};

fn main() {
    let check = std::env::args().any(|arg| arg == "--check");
    let only = std::env::args().nth(1).filter(|arg| !arg.starts_with("--"));
    let counts: &[usize] = if check { &[100] } else { &[100, 1_000, 5_000, 10_000, 100_000] };
    let steps = if check { 10 } else { 300 };
    let wants = |name: &str| only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    for count in counts {
        for meets in [false, true] {
            let name = format!("{count} walkers{}", if meets { " that meet" } else { " apart" });
            if !wants(&name) {
                continue;
            }
            let scene = Scene::walkers(*count, meets);
            let steps = steps.min(3_000_000 / count);
            report(&name, &scene, steps, &|| Box::new(Worlds::new(&scene)));
            if !meets {
                report(&format!("{count} movers"), &scene, steps, &|| {
                    Box::new(Movers::new(&scene))
                });
            }
        }
    }
    if wants("blocks") {
        let scene = Scene::blocks();
        let mut worlds = Worlds::new(&scene);
        let falling = time(&mut worlds, if check { 10 } else { 400 });
        let resting = time(&mut worlds, if check { 10 } else { 1_000 });
        println!("1,000 blocks that fall: {:.3} ms a step", falling * 1e3);
        println!("1,000 blocks at rest:   {:.3} ms a step", resting * 1e3);
    }
    if wants("sensors") {
        let counts: &[usize] = if check { &[500] } else { &[1_250, 2_500, 5_000, 10_000, 20_000] };
        let steps = if check { 10 } else { 300 };
        for count in counts {
            let scene = Watching::new(*count);
            let round = |_| {
                let mut worlds = Worlds::watching(&scene);
                (time(&mut worlds, steps), worlds.meetings())
            };
            let rounds: Vec<_> = (0..3).map(round).collect();
            let best = rounds.iter().map(|round| round.0).fold(f64::INFINITY, f64::min);
            let [begun, ended] = rounds[0].1;
            println!(
                "{count:>6} moving sensors that watch 200 characters: {:.3} ms a step, {begun} \
                 meetings begun, {ended} ended",
                best * 1e3
            );
        }
    }
}

/// Returns the time of one step in seconds.
fn time(engine: &mut dyn Engine, steps: usize) -> f64 {
    let start = Instant::now();
    (0..steps).for_each(|_| engine.step());
    start.elapsed().as_secs_f64() / steps as f64
}

fn report(name: &str, scene: &Scene, steps: usize, make: &dyn Fn() -> Box<dyn Engine>) {
    let rounds = (0..3).map(|_| time(&mut *make(), steps));
    let best = rounds.fold(f64::INFINITY, f64::min);
    let level = scene.level();
    let mut engine = make();
    (0..steps).for_each(|_| engine.step());
    let inside = engine.corners().into_iter().filter(|[x, y]| {
        let size = scene.size;
        level.overlaps(bitwall::Aabb::from_xywh(*x as i32, *y as i32, size.x, size.y))
    });
    println!(
        "{name:<24} {:>8.1} ns a body and step, {} in solids",
        best * 1e9 / scene.corners.len() as f64,
        inside.count()
    );
}
