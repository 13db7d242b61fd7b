//! The least that a game in a browser needs of bitwall.

use bitwall::glam::UVec2;
use bitwall::{Aabb, Dir, Grid, Terrain};

/// Whether a box of 12 x 20 px at (x, y) can move `step` px to the right, among 64 x 64 tiles of 16 px of which
/// those are solid whose bits are in `words`, a word a row.
///
/// # Safety
/// `words` must point to 64 words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn can_move(words: *const u64, x: i32, y: i32, step: u32) -> bool {
    // SAFETY: the caller's promise.
    let words = unsafe { std::slice::from_raw_parts(words, 64) };
    let Ok(mut grid) = Grid::new(64, 64) else { return false };
    for (row, word) in (0..).zip(words) {
        for column in 0..64 {
            if grid.set(column, row, word >> column & 1 == 1).is_err() {
                return false;
            }
        }
    }
    let Ok(terrain) = Terrain::new(grid, UVec2::splat(16)) else { return false };
    terrain.can_move(Aabb::from_xywh(x, y, 12, 20), Dir::Right, step)
}

/// The same question of a baked level in `len` bytes; -1 if it is none.
///
/// # Safety
/// `bytes` must point to as many bytes.
#[cfg(feature = "baked")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn can_move_in_baked(
    bytes: *const u8,
    len: usize,
    x: i32,
    y: i32,
    step: u32,
) -> i32 {
    // SAFETY: the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(bytes, len) };
    let Ok(level) = bitwall::Level::from_baked(bytes.to_vec()) else { return -1 };
    i32::from(level.can_move(Aabb::from_xywh(x, y, 12, 20), Dir::Right, step))
}

/// The same question of a level in `len` bytes: a Tiled map in XML, or a mask in PNG.
///
/// # Safety
/// `bytes` must point to as many bytes.
#[cfg(feature = "load")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn can_move_in_file(
    bytes: *const u8,
    len: usize,
    x: i32,
    y: i32,
    step: u32,
) -> bool {
    // SAFETY: the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(bytes, len) };
    let Ok(level) = bitwall::Level::decode("level", bytes, (), &bitwall::LoadOptions::default())
    else {
        return false;
    };
    level.can_move(Aabb::from_xywh(x, y, 12, 20), Dir::Right, step)
}
