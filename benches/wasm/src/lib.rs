//! The least code that a game in a browser needs from bitwall: one query in a level of cells made in code, in
//! a baked level, or in a map or mask. Each module has the code of only one of these, as a game would.

use bitwall::{Aabb, Dir};
#[cfg(not(any(feature = "baked", feature = "load")))]
use bitwall::{Grid, Terrain, glam::UVec2};

/// True if a box of 12 x 20 px at (x, y) can move `step` px to the right in a level of 64 x 64 tiles of 16
/// px. The bits in `words` are the solid tiles, one word per row.
///
/// # Safety `words` must point to 64 words.
#[cfg(not(any(feature = "baked", feature = "load")))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn can_move(words: *const u64, x: i32, y: i32, step: u32) -> bool {
    // SAFETY: the caller promises that there are 64 words.
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

/// The same query as `can_move` in a baked level: 1 if the box can move, 0 if not, and -1 if the `len`
/// bytes are no baked level.
///
/// # Safety `bytes` must point to `len` bytes.
#[cfg(feature = "baked")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn can_move_in_baked(
    bytes: *const u8,
    len: usize,
    x: i32,
    y: i32,
    step: u32,
) -> i32 {
    // SAFETY: the caller promises that there are `len` bytes.
    let bytes = unsafe { std::slice::from_raw_parts(bytes, len) };
    let Ok(level) = bitwall::Level::from_baked(bytes.to_vec()) else { return -1 };
    i32::from(level.can_move(Aabb::from_xywh(x, y, 12, 20), Dir::Right, step))
}

/// The same query as `can_move` in a Tiled map in XML or a mask in PNG: 1 if the box can move, 0 if not,
/// and -1 if the `len` bytes are no level.
///
/// # Safety `bytes` must point to `len` bytes.
#[cfg(feature = "load")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn can_move_in_file(
    bytes: *const u8,
    len: usize,
    x: i32,
    y: i32,
    step: u32,
) -> bool {
    // SAFETY: the caller promises that there are `len` bytes.
    let bytes = unsafe { std::slice::from_raw_parts(bytes, len) };
    let Ok(level) = bitwall::Level::decode("level", bytes, (), &bitwall::LoadOptions::default())
    else {
        return false;
    };
    level.can_move(Aabb::from_xywh(x, y, 12, 20), Dir::Right, step)
}

/// Returns a hash of `count` answers about a baked level: whether boxes of 12 x 20 px can move.
#[cfg(feature = "run")]
pub fn answers(bytes: &[u8], count: u32) -> u64 {
    let Ok(level) = bitwall::Level::from_baked(bytes.to_vec()) else { return 0 };
    let size = level.size();
    let (mut state, mut hash) = (1u64, 1u64);
    for _ in 0..count {
        // The constants of Knuth's generator. The upper bits are more random than the lower ones.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let part = |shift: u32, range: u32| ((state >> shift & 0xffff) as u32 * range) >> 16;
        let body = Aabb::from_xywh(part(48, size.x) as i32, part(32, size.y) as i32, 12, 20);
        let dir = Dir::ALL[part(16, 4) as usize];
        let can_move = level.can_move(body, dir, part(16, 64) % 16);
        hash = (hash.rotate_left(5) ^ u64::from(can_move)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    hash
}

/// Calls [`answers`] for a host of the module.
///
/// # Safety `bytes` must point to `len` bytes.
#[cfg(feature = "run")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn answers_of_baked(bytes: *const u8, len: usize, count: u32) -> u64 {
    // SAFETY: the caller promises that there are `len` bytes.
    answers(unsafe { std::slice::from_raw_parts(bytes, len) }, count)
}

/// Returns `len` bytes of memory for the host. It is never freed.
// SAFETY: no other symbol of the module has this name.
#[cfg(feature = "run")]
#[unsafe(no_mangle)]
pub extern "C" fn room(len: usize) -> *mut u8 {
    vec![0; len].leak().as_mut_ptr()
}
