//! An engine gets the edges of changing ground in windows: after a hole is made, only the windows near it are
//! computed again (pale in the picture).
//!
//! `cargo run --release --example chains [FILE.gif]` (without a file name: in the folder for temporary files)

mod stage {
    pub(crate) mod flip_book;
}

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Footprint, Grid, Terrain};
use stage::flip_book::{FlipBook, Page};

const SIZE: UVec2 = UVec2::new(256, 128);
const SIDE: i32 = 32;
/// The colours: sky, ground, a window that is computed again, an edge.
const PALETTE: [[u8; 3]; 4] = [[236, 242, 246], [196, 170, 134], [246, 226, 180], [150, 60, 20]];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given = std::env::args_os().nth(1).map(std::path::PathBuf::from);
    let path = given.unwrap_or_else(|| std::env::temp_dir().join("chains.gif"));
    let mut film = FlipBook::create(&path, SIZE, &PALETTE)?;
    let mut terrain = Terrain::new(Grid::new(SIZE.x, SIZE.y)?, UVec2::ONE)?;
    terrain.fill(0..SIZE.x, 24..SIZE.y, true)?;
    let drill = Footprint::circle(17)?;
    let windows: Vec<Aabb> = (0..SIZE.y as i32 / SIDE)
        .flat_map(|y| (0..SIZE.x as i32 / SIDE).map(move |x| IVec2::new(x, y) * SIDE))
        .map(|min| Aabb { min, max: min + SIDE })
        .collect();
    let mut chains: Vec<_> = windows.iter().map(|window| terrain.chains_in(*window)).collect();
    let mut made = 0;
    for step in 0..120 {
        let way = step as f32 / 120.0;
        let at = IVec2::new((way * 236.0) as i32, 52 + ((way * 14.0).sin() * 36.0) as i32);
        let changed = terrain.carve(&drill, at).unwrap_or_default();
        let near = Aabb { min: changed.min - 1, max: changed.max + 1 };
        let mut page = Page::new(SIZE, 0);
        for (window, chains) in windows.iter().zip(&mut chains) {
            let is_stale = !changed.is_empty() && window.overlaps(near);
            if is_stale {
                *chains = terrain.chains_in(*window);
                made += 1;
            }
            page.paint(*window, if is_stale { 2 } else { 1 }, |pixel| terrain.is_solid(pixel));
        }
        for chain in chains.iter().flatten() {
            let back = chain.points.first().filter(|_| chain.ghosts.is_none());
            let line: Vec<IVec2> = chain.points.iter().chain(back).copied().collect();
            for edge in line.windows(2) {
                page.fill(Aabb { min: edge[0].min(edge[1]), max: edge[0].max(edge[1]) + 1 }, 3);
            }
        }
        page.write(IVec2::splat(4), &format!("{made} windows made again"), 3);
        film.add(page, 6)?;
    }
    film.turn()?;
    println!("{}: {made} windows made again, of {}", path.display(), 120 * windows.len());
    Ok(())
}
