//! A world of 2^31 pixels that is streamed: a walker crosses a part of it, chunks are placed ahead of it and
//! given up behind it, and memory stays as it is.
//!
//! `cargo run --example endless`

use std::collections::VecDeque;

use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::{Aabb, Dir, Grid, Level, Mover, MoverSettings};

/// The side of a tile in pixels.
const TILE: u32 = 16;
/// The width and height of the world in tiles: 2^31 pixels, but for one tile.
const WORLD: u32 = (1 << 31) / TILE - 1;
/// The width and height of a chunk in tiles; not a whole number of blocks.
const CHUNK: u32 = 50;
/// Chunks that are kept at once: one behind the walker, its own, and two ahead.
const KEPT: usize = 4;
/// The row of tiles in which the chunks begin: the middle of the world.
const TOP: u32 = WORLD / 2;
/// The largest memory that the world may take.
const MEMORY: u64 = 64 * 1024;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::sparse(WORLD, WORLD)?.with_block_limit(64);
    let mut world = Level::from_grid(grid, UVec2::splat(TILE))?;

    // The first chunk is far from the corner, where a `f32` no longer tells two pixels apart.
    let first = WORLD / 2 / CHUNK;
    let start = IVec2::new((first * CHUNK + 2) as i32, (TOP + CHUNK - 8) as i32) * TILE as i32;
    let body = Aabb::from_xywh(start.x, start.y, 12, 20);
    let mut walker = Mover::new(body, MoverSettings::platformer());

    let mut kept = VecDeque::new();
    let (mut velocity, mut placed, mut peak) = (Vec2::ZERO, 0, 0);
    for _ in 0..20_000 {
        // The chunks that should be there: from one behind the walker.
        let here = walker.body.min.x as u32 / TILE / CHUNK;
        while kept.back().is_none_or(|last| *last < here + 2) {
            let next = kept.back().map_or(here, |last| last + 1);
            let at = IVec2::new((next * CHUNK) as i32, TOP as i32);
            world.place(&chunk(next)?, at)?;
            kept.push_back(next);
            placed += 1;
        }
        while kept.len() > KEPT {
            if let Some(old) = kept.pop_front() {
                world.clear(old * CHUNK..(old + 1) * CHUNK, TOP..TOP + CHUNK);
            }
        }
        peak = peak.max(world.memory_bytes());

        // It walks to the right and jumps where it stands before a step or a gap.
        velocity.x = 3.0;
        velocity.y += 0.25;
        let on_ground = !world.can_move(walker.body, Dir::Down, 1);
        let ahead = walker.body.shifted(Dir::Right, 14);
        let gap = world.can_move(ahead, Dir::Down, 40);
        if on_ground && (gap || !world.can_move(walker.body, Dir::Right, 8)) {
            velocity.y = -6.5;
        }
        velocity = walker.step(&world, velocity)?.velocity(velocity);
    }

    let far = walker.body.min.x - start.x;
    println!("the walker is {far} px from where it began, at x {}", walker.body.min.x);
    println!("{placed} chunks were placed and {} given up", placed - kept.len());
    println!("the world has {WORLD} x {WORLD} tiles and took {peak} bytes at most");
    assert!(far > 30_000 && peak < MEMORY && placed > 30);
    Ok(())
}

/// The chunk of this number: ground with steps and gaps, the same each time it is asked for.
fn chunk(number: u32) -> Result<Level, bitwall::grid::GridError> {
    let mut grid = Grid::new(CHUNK, CHUNK)?;
    let mut random = fastrand::Rng::with_seed(u64::from(number));
    let mut column = 0;
    while column < CHUNK {
        let end = (column + random.u32(4..9)).min(CHUNK);
        let height = random.u32(3..6);
        grid.fill(column..end, CHUNK - height..CHUNK, true)?;
        // A gap of one or two tiles, with a floor far down.
        let gap = end + random.u32(0..3);
        grid.fill(end..gap, CHUNK - 1..CHUNK, true)?;
        column = gap;
    }
    Level::from_grid(grid, UVec2::splat(TILE))
}
