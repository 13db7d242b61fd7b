//! Chunks can be a million cells apart, and the empty cells between them take no memory and no time.

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Dir, Level, LoadOptions, error::LoadErrorKind, rules::SolidRules};

use crate::support::{self, FAR, Stopwatch, far_map};

/// Compares every pixel around each chunk with the map, and sweeps boxes between the chunks.
fn check(level: &Level, chunks: &[[i32; 2]], is_shaped: bool) {
    let cell = IVec2::new(16, 12);
    let last = chunks.iter().fold(IVec2::ZERO, |max, chunk| max.max(IVec2::from(*chunk)));
    assert_eq!(level.size(), ((last + 4) * cell).as_uvec2());
    assert_eq!(level.cell_size(), if is_shaped { UVec2::ONE } else { cell.as_uvec2() });
    let solid = |pixel: IVec2| {
        chunks.iter().any(|chunk| {
            let own = pixel - IVec2::from(*chunk) * cell;
            let wall = Aabb::from_xywh(0, 0, 64, 12);
            let shape = match is_shaped {
                true => Aabb::from_xywh(36, 39, 5, 2),
                false => Aabb::from_xywh(32, 36, 16, 12),
            };
            wall.contains(own) || shape.contains(own)
        })
    };
    for chunk in chunks {
        let corner = IVec2::from(*chunk) * cell;
        let around = Aabb { min: (corner - 5).max(IVec2::ZERO), max: corner + cell * 4 };
        for y in around.min.y..around.max.y {
            for x in around.min.x..around.max.x {
                let pixel = IVec2::new(x, y);
                assert_eq!(level.is_solid(pixel), solid(pixel), "{pixel} of {chunks:?}");
            }
        }
        // A sweep upward from the bottom of the chunk ends at the lower edge of the wall.
        let below = Aabb::from_xywh(corner.x + 1, corner.y + 30, 3, 6);
        assert_eq!(level.sweep(below, Dir::Up, 1_000).moved, 18);
        let right_of = Aabb::from_xywh(corner.x + 60, corner.y + 38, 2, 2);
        let gap = if is_shaped { 19 } else { 12 };
        assert_eq!(level.sweep(right_of, Dir::Left, 1_000).moved, gap);
    }
}

#[test]
fn queries_are_right_around_chunks_a_million_cells_apart() {
    for chunks in FAR {
        for is_shaped in [false, true] {
            let level = support::load(&far_map(chunks, is_shaped), &LoadOptions::default());
            check(&level, chunks, is_shaped);
        }
    }
}

#[test]
fn a_sweep_of_millions_of_pixels_stops_at_the_next_chunk() {
    for is_shaped in [false, true] {
        let load = |chunks| support::load(&far_map(chunks, is_shaped), &LoadOptions::default());
        let wide = load(FAR[0]);
        let body = Aabb::from_xywh(64, 5, 8, 9);
        let sweep = wide.sweep(body, Dir::Right, u32::MAX);
        assert_eq!(sweep.moved, 16_000_000 - 72);
        assert!(wide.can_move(body, Dir::Right, 16_000_000 - 72));
        assert!(!wide.can_move(body, Dir::Right, 16_000_000 - 71));
        let tall = load(FAR[1]);
        let sweep = tall.sweep(Aabb::from_xywh(2, 60, 8, 9), Dir::Down, u32::MAX);
        assert_eq!(sweep.moved, 12_000_000 - 69);
    }
}

/// All cells between two far chunks of a walkable layer are solid. A long narrow level has few such cells and
/// loads. A wide level is refused. Both take less than 5 seconds.
#[test]
fn the_gap_between_far_chunks_of_a_walkable_layer_is_solid() {
    let rules = SolidRules { walkable_layers: vec!["Ground".to_owned()], ..SolidRules::default() };
    let options = LoadOptions { solid_rules: rules, ..LoadOptions::default() };
    let load = |chunks| support::try_load(&far_map(chunks, false), &options);
    let start = Stopwatch::start();
    for chunks in &FAR[..2] {
        let level = load(chunks).unwrap();
        // Tile 1 is a wall, and tile 2 of the walkable layer is solid by its own property.
        assert_eq!(level.grid().solid_count(), level.grid().cell_count());
    }
    for chunks in &FAR[2..] {
        let error = load(chunks).unwrap_err();
        let kind = error.kind();
        assert!(matches!(kind, LoadErrorKind::TooLarge { .. }), "{error}");
    }
    assert!(start.elapsed().as_secs() < 5);
}
