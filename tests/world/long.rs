//! Long random runs of movers and worlds: what must hold in every step, on any level, with any settings.
//!
//! Each round has its own seed and starts anew. A failure prints the seed, and `BITWALL_SEED` replays it.

mod crowd;
mod meetings;
mod plays;
mod worlds;

use crate::support::is_long;

/// The number of steps of a test: `all` in the long run, and `few` otherwise.
pub(crate) fn steps(all: usize, few: usize) -> usize {
    if is_long() { all } else { few }
}

/// Runs `round`, which returns its number of steps, with one seed after the other from `first` on, until
/// there are as many steps as asked. With `BITWALL_SEED` only the round of that seed is run.
pub(crate) fn run(name: &str, first: u64, steps: usize, mut round: impl FnMut(u64) -> usize) {
    if let Ok(seed) = std::env::var("BITWALL_SEED") {
        let seed = seed.parse().expect("BITWALL_SEED is a number");
        println!("{name}: {} steps of seed {seed}", round(seed));
        return;
    }
    let (mut count, mut rounds) = (0, 0);
    while count < steps {
        let replay = Replay { name, seed: first + rounds };
        count += round(replay.seed);
        rounds += 1;
    }
    println!("{name}: {count} steps in {rounds} rounds");
}

/// Says how a round that fails can be replayed.
struct Replay<'a> {
    name: &'a str,
    seed: u64,
}

impl Drop for Replay<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let Self { name, seed } = self;
            eprintln!("replay: BITWALL_SEED={seed} cargo test --test motion -- {name}");
        }
    }
}
