//! Nanoseconds a call of the library itself, for `../../speed.sh`:
//! `cargo run --release --example speed level.tmx`. The best of many short rounds, so that other work of the machine does not count.

use std::time::Instant;

use bitwall::character::{Feel, Input};
use bitwall::{Aabb, Dir, Level, Mover, MoverSettings, Platformer, Rate};

fn measure(name: &str, count: u32, mut run: impl FnMut(u32)) {
    let mut best = f64::MAX;
    for _ in 0..60 {
        let start = Instant::now();
        run(count);
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(count));
    }
    println!("Rust\t{name}\t{best:.1}");
}

fn main() {
    let level = Level::load(std::env::args().nth(1).expect("the path of a level")).expect("a level");
    let body = |i: u32| Aabb::from_xywh(40 + (i & 255) as i32, 40 + (i & 63) as i32, 12, 20);
    let mut sum = 0_u64;
    measure("can_move", 50_000, |n| {
        for i in 0..n {
            sum += u64::from(std::hint::black_box(level.can_move(body(i), Dir::Right, 4)));
        }
    });
    measure("sweep", 50_000, |n| {
        for i in 0..n {
            sum += u64::from(std::hint::black_box(level.sweep(body(i), Dir::Down, 200).moved));
        }
    });
    let bodies: Vec<Aabb> = (0..50_000).map(body).collect();
    let (dirs, steps, mut free) = (vec![Dir::Right; 50_000], vec![4; 50_000], vec![0; 782]);
    measure("can_move_all", 50_000, |_| {
        sum += level.can_move_batch(&bodies, &dirs, &steps, &mut free) as u64;
    });
    let mut mover = Mover::new(Aabb::from_xywh(40, 40, 12, 20), MoverSettings::platformer());
    let mut state = Platformer::new(Rate::per_second(60));
    let feel = Feel::default();
    measure("step", 10_000, |n| {
        for i in 0..n {
            let walk = if (i / 300) & 1 == 1 { 1.0 } else { -1.0 };
            state.step(&level, &mut mover, Input::from_axes(walk, 0.0, i & 63 < 9), &feel);
        }
    });
    assert!(sum > 0);
}
