//! A baked level as a file in the repository: writing and reading a level in one test would not detect a
//! change of the format.

use std::fs;

use bitwall::glam::{IVec2, UVec2};
use bitwall::level::{MarkerShape, MarkerTile};
use bitwall::property::PropertyValue;
use bitwall::{Grid, Level, Marker};

use crate::support::{cells, root};

/// Returns a row of `blocks` blocks of 64 x 64 cells, with one solid cell in the first block.
fn row_of(blocks: u32) -> Grid {
    let mut grid = Grid::new(64 * blocks, 64).unwrap();
    grid.set(5, 9, true).unwrap();
    grid
}

/// One block of the level is partly solid, one full and one empty.
#[test]
fn baking_a_level_gives_the_bytes_of_the_stored_file() {
    let area = Level::from_grid(row_of(4), UVec2::ONE).unwrap().terrain().clone();
    let mut grid = row_of(3);
    grid.fill(64..128, 0..64, true).unwrap();
    let coin = Marker {
        name: "coin".to_owned(),
        shape: MarkerShape::Rectangle,
        rotation: 90.0,
        points: vec![IVec2::new(3, -4)],
        tile: Some(MarkerTile { tileset: "t".into(), id: 5, flip_x: true, flip_y: false }),
        properties: [("worth".to_owned(), PropertyValue::Int(7))].into(),
        ..Marker::default()
    };
    let level = cells(grid, 1).with_area("quarter", area).with_markers(vec![coin]);
    let path = root().join("tests/golden/fourth.bwl");
    let baked = level.bake().unwrap();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, baked).unwrap();
        panic!("wrote {}: check it, then run again without UPDATE_GOLDEN", path.display());
    }
    let kept = fs::read(&path).unwrap();
    let read = Level::from_baked(&kept).unwrap();
    assert_eq!(read.grid(), level.grid());
    assert_eq!(read.markers(), level.markers());
    assert_eq!(read.area("quarter").unwrap().grid(), level.area("quarter").unwrap().grid());
    assert!(
        read.bake().unwrap() == kept && baked == kept,
        "{} bytes, kept {}",
        baked.len(),
        kept.len()
    );
}
