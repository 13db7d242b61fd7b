//! A type of the game's own as solids: a ghost walks through a veil that stops everyone else.
//!
//! `cargo run --example ghost`
//!
//! A mover moves among [`Solids`]. A level implements this trait, and here a type of the game implements it
//! for a level and a veil. The veil is edited like any other terrain.

use bitwall::glam::{UVec2, Vec2};
use bitwall::{
    Aabb, Dir, Grid, Level, Mover, MoverSettings, Outside, Solids, Sweep, Terrain,
    geometry::TranslationError,
};

const ROOM: &str = "\
    ............
    ............
    ............
    ############";

/// The solids for one character: the level and, unless the character is a ghost, the veil.
struct Walls<'a> {
    level: &'a Level,
    veil: Option<&'a Terrain>,
}

impl Solids for Walls<'_> {
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, _one_way: bool) -> Sweep {
        let sweep = self.level.sweep(body, dir, step);
        match self.veil {
            Some(veil) => sweep.earlier(veil.sweep(body, dir, step)),
            None => sweep,
        }
    }

    fn overlaps_aabb(&self, body: Aabb) -> bool {
        self.level.overlaps(body) || self.veil.is_some_and(|veil| veil.overlaps(body))
    }

    /// Moves past the solids of the level and of the veil in turn, until the body overlaps neither.
    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        let mut distance = 0;
        loop {
            let there = body.shifted(dir, distance);
            let left = limit - distance;
            let mut more = self.level.nearest_free(there, dir, left)?;
            if let Some(veil) = self.veil {
                more = more.max(veil.nearest_free(there, dir, left)?);
            }
            if more == 0 {
                return Some(distance);
            }
            distance += more;
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tile = UVec2::splat(16);
    let level = Level::from_grid(Grid::from_text(ROOM)?, tile)?;
    let mut veil = Terrain::new(Grid::new(12, 4)?, tile)?.with_outside(Outside::Open);
    veil.fill(6..7, 0..3, true)?;

    let start = Mover::new(Aabb::from_xywh(8, 28, 12, 20), MoverSettings::platformer());
    let (mut ghost, mut hero) = (start, start);
    walk(&mut ghost, &Walls { level: &level, veil: None })?;
    walk(&mut hero, &Walls { level: &level, veil: Some(&veil) })?;
    println!("the ghost is at x {}, the hero at x {}", ghost.body.min.x, hero.body.min.x);
    assert_eq!(ghost.body.max.x, 192, "the end of the room");
    assert_eq!(hero.body.max.x, 6 * 16, "the veil");

    // The ghost opens the lowest part of the veil, two tiles high, so that the hero fits through.
    veil.fill(6..7, 1..3, false)?;
    walk(&mut hero, &Walls { level: &level, veil: Some(&veil) })?;
    println!("the veil opens: the hero is at x {}", hero.body.min.x);
    assert_eq!(hero.body, ghost.body);
    Ok(())
}

/// Walks to the right for three seconds, with gravity.
fn walk(mover: &mut Mover, walls: &Walls<'_>) -> Result<(), TranslationError> {
    for _ in 0..180 {
        mover.step(walls, Vec2::new(1.25, 0.5))?;
    }
    Ok(())
}
