//! A character walks over a mask picture: it goes straight on, and turns to its right where a wall stops it.
//! The example prints its path, with `#` for solid and `o` for visited.
//!
//! `cargo run --example walk_a_mask`

use bitwall::glam::IVec2;
use bitwall::{Aabb, Dir, Level};

/// The number of pixels for each printed character.
const BLOCK: IVec2 = IVec2::new(7, 14);

fn main() -> Result<(), bitwall::LoadError> {
    let level = Level::load("assets/harbor_mask.png")?;
    let mut body = Aabb::from_xywh(178, 198, 10, 12);
    let mut dir = Dir::Right;
    let mut trace = vec![body.min];

    for _ in 0..400 {
        let sweep = level.sweep(body, dir, 9);
        body = body.shifted(dir, sweep.moved);
        trace.push(body.min);
        if sweep.contact.is_some() {
            dir = right_of(dir);
        }
    }

    let size = level.size().as_ivec2() / BLOCK;
    for y in 0..size.y {
        let row = (0..size.x).map(|x| {
            let corner = IVec2::new(x, y) * BLOCK;
            let block = Aabb::from_xywh(corner.x, corner.y, BLOCK.x, BLOCK.y);
            if trace.iter().any(|place| block.contains(*place)) {
                'o'
            } else if level.is_solid(corner + BLOCK / 2) {
                '#'
            } else {
                ' '
            }
        });
        println!("{}", row.collect::<String>().trim_end());
    }
    Ok(())
}

fn right_of(dir: Dir) -> Dir {
    match dir {
        Dir::Right => Dir::Down,
        Dir::Down => Dir::Left,
        Dir::Left => Dir::Up,
        Dir::Up => Dir::Right,
    }
}
