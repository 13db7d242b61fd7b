//! A level that is part of the program: baked by `bitwall bake assets/cave.tmx -o assets/cave.bwl`, and read
//! without a file, a parser or a decoder.
//!
//! `cargo run --example baked --no-default-features --features baked`

use bitwall::baked::BakedLevel;
use bitwall::{Aabb, Dir, glam::UVec2};

/// The bytes of the baked level. A build script can bake a level too: see the documentation of
/// `bitwall::baked`.
static CAVE: &[u8] = include_bytes!("../assets/cave.bwl");

fn main() -> Result<(), bitwall::baked::BakeError> {
    let BakedLevel { level, content_hash, .. } = BakedLevel::decode(CAVE)?;
    println!("{} bytes, content hash {content_hash:016x}", CAVE.len());
    let Some(spawn) = level.marker("player") else {
        println!("the level has no marker called `player`");
        return Ok(());
    };
    let body = Aabb::from_center(spawn.position(), UVec2::new(12, 20));
    for dir in Dir::ALL {
        println!("{:>5}: at most {} px", dir.name(), level.sweep(body, dir, 1_000).moved);
    }
    Ok(())
}
