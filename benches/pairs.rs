//! The time of finding all overlapping pairs of boxes: [`Pairs`] compared with an R*-tree and a double loop.
//!
//! `cargo bench --bench pairs` places boxes of 4 to 16 pixels so that each overlaps one or two others. It
//! prints the times of (a) [`Pairs::find`], (b) crate `rstar` 0.12, which loads a tree in bulk and joins it
//! with itself, and (c) a loop over every pair, up to 1,000 boxes (`inf` beyond). The boxes move between
//! runs, so that each builds its data anew. The three run in turn, and the fastest run of each counts, so
//! that the result holds on a busy machine. The bench fails if (a) is not the fastest everywhere. With
//! `-- --check` there is one round, without a limit on the time. On two busy cores it printed
//!
//! ```text
//!    boxes    pairs     Pairs us     rstar us       all us
//!       10       11         0.07         0.92         0.11
//!     1000      606       117.74       262.94       756.78
//!   100000    55757     13023.55     29700.26          inf
//! ```
//!
//! Then bullets of 4 pixels against enemies of 16, in a window of 1920 x 1080: (a) [`Pairs::find_between`],
//! (b) [`Pairs::find`] over both lists, without the pairs of two bullets, and (c) a loop over every pair of
//! a bullet and an enemy. The bench fails if (a) is not the fastest. On two busy cores, built
//! at optimisation level 1
//! (`cargo bench --profile test --bench pairs --config profile.test.package.bitwall.opt-level=1`), it printed
//!
//! ```text
//!  bullets  enemies    pairs   between us      find us       all us
//!      100       20        0         2.75         7.27         7.59
//!     1000      100       16        24.24        83.14       363.92
//!    10000      200      341       331.67      1455.88     12951.99
//! ```

use std::hint::black_box;
use std::time::Instant;

use bitwall::Aabb;
use bitwall::world::Pairs;
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};

/// The numbers of boxes, each with the number of timed runs.
const SIZES: [(usize, usize); 3] = [(10, 20_000), (1_000, 300), (100_000, 7)];

fn main() {
    let check = std::env::args().any(|arg| arg == "--check");
    println!(
        "{:>8} {:>8} {:>12} {:>12} {:>12}",
        "boxes", "pairs", "Pairs us", "rstar us", "all us"
    );
    let mut is_fastest = true;
    for (count, rounds) in SIZES {
        let boxes = scattered(count);
        let mut pairs = Pairs::default();
        let found = pairs.find(&boxes).to_vec();
        assert_eq!(with_tree(&boxes), found);
        let mut best = [f64::INFINITY; 3];
        for _ in 0..if check { 1 } else { rounds } {
            best[0] = best[0].min(timed(|| pairs.find(black_box(&boxes)).len()));
            best[1] = best[1].min(timed(|| with_tree(black_box(&boxes)).len()));
            if count <= 1_000 {
                best[2] = best[2].min(timed(|| all(black_box(&boxes)).len()));
            }
        }
        let [ours, tree, all] = best;
        println!("{count:>8} {:>8} {ours:>12.2} {tree:>12.2} {all:>12.2}", found.len());
        // For 10 boxes `Pairs` also tests every pair, so it need not be faster.
        is_fastest &= ours < tree && (ours < all || count == 10);
    }
    is_fastest &= between(check);
    if !is_fastest && !check {
        std::process::exit(1);
    }
}

/// The numbers of bullets and of enemies.
const LISTS: [(usize, usize); 3] = [(100, 20), (1_000, 100), (10_000, 200)];

/// Prints the times of pairing bullets with enemies. Returns true if [`Pairs::find_between`] is the fastest.
fn between(check: bool) -> bool {
    println!(
        "{:>8} {:>8} {:>8} {:>12} {:>12} {:>12}",
        "bullets", "enemies", "pairs", "between us", "find us", "all us"
    );
    let mut is_fastest = true;
    for (bullets, enemies) in LISTS {
        let mut random = fastrand::Rng::with_seed(29);
        let mut boxes = |count: usize, side: i32| -> Vec<Aabb> {
            let mut place = || (random.i32(0..1_920), random.i32(0..1_080));
            (0..count).map(|_| place()).map(|(x, y)| Aabb::from_xywh(x, y, side, side)).collect()
        };
        let (bullets, enemies) = (boxes(bullets, 4), boxes(enemies, 16));
        let both = [&bullets[..], &enemies].concat();
        let first = bullets.len() as u32;
        let mut pairs = Pairs::default();
        let found = pairs.find_between(&bullets, &enemies).to_vec();
        let every = || {
            let mut pairs = Vec::new();
            for (one, bullet) in (0..).zip(&bullets) {
                let hit = (0..).zip(&enemies).filter(|(_, enemy)| bullet.overlaps(**enemy));
                pairs.extend(hit.map(|(two, _): (u32, _)| (one, two)));
            }
            pairs
        };
        assert_eq!(every(), found);
        let mut best = [f64::INFINITY; 3];
        for _ in 0..if check { 1 } else { 30 } {
            best[0] =
                best[0].min(timed(|| pairs.find_between(black_box(&bullets), &enemies).len()));
            best[1] = best[1].min(timed(|| {
                let pairs = pairs.find(black_box(&both)).iter();
                pairs.filter(|(one, two)| *one < first && *two >= first).count()
            }));
            best[2] = best[2].min(timed(|| every().len()));
        }
        let [ours, find, all] = best;
        let [many, few] = [bullets.len(), enemies.len()];
        println!("{many:>8} {few:>8} {:>8} {ours:>12.2} {find:>12.2} {all:>12.2}", found.len());
        is_fastest &= ours < find && ours < all;
    }
    is_fastest
}

/// Returns the time of a run in microseconds.
fn timed<T>(run: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(run());
    start.elapsed().as_secs_f64() * 1e6
}

fn scattered(count: usize) -> Vec<Aabb> {
    let mut random = fastrand::Rng::with_seed(19);
    let spread = (count as f64).sqrt() as i32 * 18;
    let mut place = |to: i32| random.i32(0..to);
    (0..count)
        .map(|_| Aabb::from_xywh(place(spread), place(spread), 4 + place(13), 4 + place(13)))
        .collect()
}

fn all(boxes: &[Aabb]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for (one, aabb) in boxes.iter().enumerate() {
        for (two, other) in boxes.iter().enumerate().skip(one + 1) {
            if aabb.overlaps(*other) {
                pairs.push((one as u32, two as u32));
            }
        }
    }
    pairs
}

fn with_tree(boxes: &[Aabb]) -> Vec<(u32, u32)> {
    let items = boxes.iter().enumerate().map(|(at, aabb)| {
        // The boxes of the tree include their upper corners, so these are the last pixels.
        let corners = AABB::from_corners(aabb.min.to_array(), (aabb.max - 1).to_array());
        GeomWithData::new(Rectangle::from_aabb(corners), at as u32)
    });
    let tree = RTree::bulk_load(items.collect());
    let joined = tree.intersection_candidates_with_other_tree(&tree);
    let joined = joined.map(|(one, two)| (one.data, two.data));
    let mut pairs: Vec<_> = joined.filter(|(one, two)| one < two).collect();
    pairs.sort_unstable();
    pairs
}
