//! Chunks a million cells apart: the empty cells between them cost nothing.

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Dir, Level, LoadOptions, load::LoadErrorKind, rules::SolidRules};

#[cfg(unix)]
use crate::shared::limited_command;
use crate::support::{self, Stopwatch, layer, tileset};

/// 100 MB.
#[cfg(unix)]
const LIMIT_KIB: u64 = 100_000_000 / 1024;

/// An infinite map of tiles of 16 x 12 pixels, with a chunk of 4 x 4 cells at each of these cells. The
/// chunk's first row has tile 1, which is a wall. Its last row has one tile 2, with shapes if the map
/// `is_shaped`.
fn map(chunks: &[[i32; 2]], is_shaped: bool) -> String {
    let second = if is_shaped {
        r#"<objectgroup><object id="1" x="4" y="3" width="5" height="2"/></objectgroup>"#
    } else {
        r#"<properties><property name="solid" type="bool" value="true"/></properties>"#
    };
    let chunk = |[x, y]: &[i32; 2]| {
        format!(
            r#"<chunk x="{x}" y="{y}" width="4" height="4">1,1,1,1,0,0,0,0,0,0,0,0,0,0,2,0</chunk>"#
        )
    };
    let chunks: String = chunks.iter().map(chunk).collect();
    let tiles = format!(r#"<tile id="0" type="wall"/><tile id="1">{second}</tile>"#);
    let content = tileset([16, 12], 2, &tiles) + &layer(r#"name="Ground""#, [4, 4], &chunks);
    support::map(r#"infinite="1""#, [4, 4], [16, 12], &content)
}

/// The places of far chunks, the first at the level's corner.
const FAR: [&[[i32; 2]]; 4] = [
    &[[0, 0], [1_000_000, 0]],
    &[[0, 0], [0, 1_000_000]],
    &[[0, 0], [1_000_000, 1_000_000]],
    &[[0, 500_000], [250_000, 0], [500_000, 999_999], [999_999, 123_456], [700_001, 3]],
];

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
        // From the bottom of the chunk up to the wall's lower edge, and from above down to the next chunk.
        let below = Aabb::from_xywh(corner.x + 1, corner.y + 30, 3, 6);
        assert_eq!(level.sweep(below, Dir::Up, 1_000).moved, 18);
        let right_of = Aabb::from_xywh(corner.x + 60, corner.y + 38, 2, 2);
        let gap = if is_shaped { 19 } else { 12 };
        assert_eq!(level.sweep(right_of, Dir::Left, 1_000).moved, gap);
    }
}

#[test]
fn chunks_a_million_cells_apart_answer_at_both_ends() {
    for chunks in FAR {
        for is_shaped in [false, true] {
            let level = support::load(&map(chunks, is_shaped), &LoadOptions::default());
            check(&level, chunks, is_shaped);
        }
    }
}

#[test]
fn a_long_sweep_reaches_the_next_far_chunk() {
    for is_shaped in [false, true] {
        let load = |chunks| support::load(&map(chunks, is_shaped), &LoadOptions::default());
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

/// Runs in a process of its own with limited memory, code included.
#[cfg(unix)]
#[test]
fn chunks_a_million_cells_apart_load_in_100_mb() {
    let folder = tempfile::tempdir().unwrap();
    for (index, chunks) in FAR.iter().enumerate() {
        for is_shaped in [false, true] {
            let path = folder.path().join(format!("{index}-{is_shaped}.tmx"));
            std::fs::write(&path, map(chunks, is_shaped)).unwrap();
            let output = limited_command(&path, LIMIT_KIB, "info").output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{chunks:?}, {is_shaped}: {errors}");
            let out = String::from_utf8_lossy(&output.stdout);
            let solid = chunks.len() * if is_shaped { 64 * 12 + 5 * 2 } else { 5 };
            assert!(out.contains(&format!("solid     {solid} cells")), "{out}");
        }
    }
}

/// All cells between two far chunks of a floor are solid. A long narrow level has few of them and loads; a
/// wide one is refused. Both happen in no time.
#[test]
fn the_space_between_far_chunks_of_a_floor_is_solid() {
    let rules = SolidRules::default().with_walkable_layer("Ground");
    let options = LoadOptions::default().with_solid_rules(rules);
    let load = |chunks| support::try_load(&map(chunks, false), &options);
    let start = Stopwatch::start();
    for chunks in &FAR[..2] {
        let level = load(chunks).unwrap();
        // Tile 1 is a wall, and the floor's tile 2 is solid by itself.
        assert_eq!(level.grid().solid_count(), level.grid().cell_count());
    }
    for chunks in &FAR[2..] {
        let error = load(chunks).unwrap_err();
        let kind = error.kind();
        assert!(matches!(kind, LoadErrorKind::TooLarge { .. }), "{error}");
    }
    assert!(start.elapsed().as_secs() < 5);
}
