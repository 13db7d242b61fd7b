//! Grids of every layout are saved and loaded, and their form in a file is checked.

use bitwall::Grid;
use bitwall::glam::UVec2;
use fastrand::Rng;

use super::{binary, copies, json, same};
use crate::support::{rounds, scattered};

#[test]
fn a_grid_is_serialized_in_the_documented_form() {
    let grid = Grid::from_text(".##......#\n#.........").unwrap();
    let text = r#"{"width":10,"height":2,"cells":{"rows":"06020100"}}"#;
    assert_eq!(json(&grid), text);
    let upper: Grid = serde_json::from_str(&text.replace("06020100", "0602010\\u0030")).unwrap();
    assert_eq!(upper, grid);
    // The width, the height, the kind of cells, the number of bytes, and the bytes.
    assert_eq!(binary(&grid), [10, 2, 0, 4, 6, 2, 1, 0]);
}

#[test]
fn grids_of_every_size_survive_a_round_trip() {
    let mut random = Rng::with_seed(10);
    let sides = [1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 200];
    for _ in 0..rounds(5_000) {
        let side = |random: &mut Rng| sides[random.usize(0..sides.len())];
        let size = UVec2::new(side(&mut random), side(&mut random));
        let count = random.u32(0..30);
        same([scattered(&mut random, size, count, UVec2::splat(20))]);
    }
}

#[test]
fn a_long_and_narrow_grid_survives_a_round_trip() {
    for (width, height) in [(3, 5_000_000), (5_000_000, 3), (1, 4_194_305), (9, 4_194_305)] {
        let mut grid = Grid::new(width, height).unwrap();
        grid.fill(width / 2..width / 2 + 1, height / 3..height / 3 + 200, true).unwrap();
        let [copy, _] = copies(&grid);
        assert_eq!(copy, grid);
        assert_eq!(copy.memory_bytes(), grid.memory_bytes(), "{width} x {height}");
    }
}

/// A sparse grid, as a loader makes it, is loaded from a file with blocks.
#[test]
fn a_sparse_grid_survives_a_round_trip() {
    let block = |at: [u32; 2], row: &str| {
        format!(r#"{{"at":[{},{}],"rows":"{}{}"}}"#, at[0], at[1], row, "00".repeat(504))
    };
    let text = |blocks: &[String]| {
        let blocks = blocks.join(",");
        format!(r#"{{"width":4294967295,"height":70000000,"cells":{{"blocks":[{blocks}]}}}}"#)
    };
    let blocks = [
        block([0, 0], "0100000000000080"),
        block([67_108_863, 0], "0000000000000040"),
        block([3, 1_093_749], "ff00000000000000"),
    ];
    let mut grid: Grid = serde_json::from_str(&text(&blocks)).unwrap();
    assert_eq!(json(&grid), text(&blocks));
    assert_eq!(grid.solid_count(), 11);
    assert!(grid.is_solid(63, 0) && grid.is_solid(4_294_967_294, 0));
    assert!(grid.memory_bytes() < 10_000);
    for mut copy in copies(&grid) {
        assert_eq!(copy, grid);
        copy.fill(500..900, 64..65, true).unwrap();
        grid.fill(500..900, 64..65, true).unwrap();
        assert_eq!(copy, grid);
        grid.fill(500..900, 64..65, false).unwrap();
    }
    let [empty, _] = copies(&serde_json::from_str::<Grid>(&text(&[])).unwrap());
    assert_eq!(empty.solid_count(), 0);
}
