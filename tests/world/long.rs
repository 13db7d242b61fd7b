//! Long random runs of movers and worlds check what must hold in every step, on any level and with any
//! settings.
//!
//! Each round has its own seed and does not depend on earlier rounds. A failure prints the seed, and the
//! environment variable `BITWALL_SEED` repeats that round.

mod crowd;
mod meetings;
mod pieces;
mod plays;
mod worlds;

pub(crate) use worlds::copy;

use crate::support::is_long;

/// Returns the number of steps of a test: `all` in a long run, and `few` otherwise.
pub(crate) fn steps(all: usize, few: usize) -> usize {
    if is_long() { all } else { few }
}

/// Calls `round` with the seeds `first`, `first + 1` and so on, until its returned numbers of steps add up to
/// `steps`. If `BITWALL_SEED` is set, only the round with that seed is run.
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

/// Prints how a round can be repeated, if the round panics.
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
