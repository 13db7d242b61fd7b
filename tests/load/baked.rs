//! A baked level as a file that is kept. The writer and the reader share the rule that chooses a directory's
//! form, so a level that one writes and the other reads cannot show a change of it.

use std::fs;

use bitwall::glam::UVec2;
use bitwall::{Grid, Level};

use crate::support::{cells, root};

/// One solid cell in the first block of `blocks` of 64 x 64 cells in a row.
fn row_of(blocks: u32) -> Grid {
    let mut grid = Grid::new(64 * blocks, 64).unwrap();
    grid.set(5, 9, true).unwrap();
    grid
}

/// A third of the level's blocks has a solid cell, and a quarter of the area's blocks: the directory of the
/// level has all blocks, and the directory of the area lists one.
#[test]
fn a_level_with_a_third_of_solid_blocks_is_baked_to_the_bytes_of_the_kept_file() {
    let area = Level::from_grid(row_of(4), UVec2::ONE).unwrap().terrain().clone();
    let level = cells(row_of(3), 1).with_area("quarter", area);
    let path = root().join("tests/golden/third.bwl");
    let baked = level.bake().unwrap();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, baked).unwrap();
        panic!("wrote {}: check it, then run again without UPDATE_GOLDEN", path.display());
    }
    let kept = fs::read(&path).unwrap();
    let read = Level::from_baked(&kept).unwrap();
    assert_eq!(read.grid(), level.grid());
    assert_eq!(read.area("quarter").unwrap().grid(), level.area("quarter").unwrap().grid());
    assert!(
        read.bake().unwrap() == kept && baked == kept,
        "{} bytes, kept {}",
        baked.len(),
        kept.len()
    );
}
