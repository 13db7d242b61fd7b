//! Prints the hash of the answers about a baked level, and the nanoseconds per query, of a native program:
//! `cargo run --release --features run -- FILE.bwl`. `run.mjs` does the same with the WebAssembly module.

use std::time::Instant;

fn main() {
    let file = std::env::args().nth(1).expect("a baked level");
    let bytes = std::fs::read(file).expect("the file");
    let count = 4_000_000;
    let time = |count| {
        let start = Instant::now();
        (bitwall_wasm_size::answers(&bytes, count), start.elapsed().as_secs_f64() * 1e9)
    };
    let hash = time(count).0;
    let best = (0..5).map(|_| time(count).1 - time(0).1).fold(f64::MAX, f64::min);
    println!("{hash:016x} {:.1} ns a query", best / f64::from(count));
}
