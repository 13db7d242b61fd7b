//! A world of 2^31 pixels is streamed: a walker crosses a part of it, chunks are placed ahead of the walker
//! and removed behind it, and the memory does not grow.
//!
//! `cargo run --example endless`

use std::collections::VecDeque;

use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::{Aabb, Dir, Grid, Level, Mover, MoverSettings};

/// The side of a tile in pixels.
const TILE: u32 = 16;
/// The width and height of the world in tiles, which is one tile less than 2^31 pixels.
const WORLD: u32 = (1 << 31) / TILE - 1;
/// The width and height of a chunk in tiles. It is not a multiple of the block size.
const CHUNK: u32 = 50;
/// The number of chunks that are kept: one behind the walker, the chunk of the walker, and two ahead.
const KEPT: usize = 4;
/// The first row of tiles of the chunks, in the middle of the world.
const TOP: u32 = WORLD / 2;
/// The largest memory that the world may take, in bytes.
const MEMORY: u64 = 64 * 1024;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::sparse(WORLD, WORLD)?.with_block_limit(64);
    let mut world = Level::from_grid(grid, UVec2::splat(TILE))?;

    // The first chunk is so far from the corner that an `f32` could not tell two adjacent pixels apart.
    let first = WORLD / 2 / CHUNK;
    let start = IVec2::new((first * CHUNK + 2) as i32, (TOP + CHUNK - 8) as i32) * TILE as i32;
    let body = Aabb::from_xywh(start.x, start.y, 12, 20);
    let mut walker = Mover::new(body, MoverSettings::platformer());

    let mut kept = VecDeque::new();
    let (mut velocity, mut placed, mut peak) = (Vec2::ZERO, 0, 0);
    for _ in 0..20_000 {
        // The chunks from one behind the walker to two ahead must exist.
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

        // The walker goes to the right, and jumps in front of a step or a gap.
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

/// Creates the chunk with this number: ground with steps and gaps. The same number always gives the same
/// chunk.
fn chunk(number: u32) -> Result<Level, bitwall::grid::GridError> {
    let mut grid = Grid::new(CHUNK, CHUNK)?;
    let mut random = fastrand::Rng::with_seed(u64::from(number));
    let mut column = 0;
    while column < CHUNK {
        let end = (column + random.u32(4..9)).min(CHUNK);
        let height = random.u32(3..6);
        grid.fill(column..end, CHUNK - height..CHUNK, true)?;
        // A gap of at most two tiles, with a floor far below.
        let gap = end + random.u32(0..3);
        grid.fill(end..gap, CHUNK - 1..CHUNK, true)?;
        column = gap;
    }
    Level::from_grid(grid, UVec2::splat(TILE))
}
