//! The tiles of `assets/hills.tmx`: two rows of eight, each of 16 x 16 pixels.

use bitwall::image::{Rgba, RgbaImage};

use super::{CLEAR, color};

const TILE: i32 = 16;

const GRASS: [Rgba<u8>; 3] = [color(0x3f_a0_48), color(0x58_c0_58), color(0x32_84_40)];
const EARTH: [Rgba<u8>; 2] = [color(0x9a_66_40), color(0x82_54_36)];
const FAR: [Rgba<u8>; 2] = [color(0x86_c8_c0), color(0x7c_be_b8)];

/// True for about one pixel in `one_in`, always the same ones.
fn speckle(x: i32, y: i32, one_in: i32) -> bool {
    (x * 7 + y * 13 + x * y * 5 + x * x * 3).rem_euclid(one_in) == 0
}

/// Returns a pixel of earth with grass on top. `surface` returns the first row of grass in a column.
fn ground(x: i32, y: i32, surface: impl Fn(i32) -> i32) -> Rgba<u8> {
    let depth = y - surface(x);
    // The blades of grass have two different lengths in turn.
    let turf = 3 + (x * 5 + 2).rem_euclid(4) / 2;
    match depth {
        ..0 => CLEAR,
        0 => GRASS[1],
        _ if depth < turf => GRASS[0],
        _ if depth == turf => GRASS[2],
        _ => earth(x, y),
    }
}

fn earth(x: i32, y: i32) -> Rgba<u8> {
    EARTH[usize::from(speckle(x, y, 9))]
}

fn plank(x: i32, y: i32) -> Rgba<u8> {
    match y {
        0 => color(0xd8_a8_60),
        1..=3 if x % 8 == 7 => color(0x7a_50_2c),
        1..=3 => color(0xb8_84_48),
        4 => color(0x7a_50_2c),
        5..=7 if x / 2 == 1 || x / 2 == 6 => color(0x7a_50_2c),
        _ => CLEAR,
    }
}

fn brick(x: i32, y: i32) -> Rgba<u8> {
    let shift = if y / 4 % 2 == 0 { 0 } else { 4 };
    if y % 4 == 3 || (x + shift) % 8 == 7 {
        color(0x6c_38_30)
    } else if y % 4 == 0 {
        color(0xd0_78_58)
    } else {
        color(0xb8_5c_44)
    }
}

fn is_in_circle(x: i32, y: i32, center: (i32, i32), radius: i32) -> bool {
    let (dx, dy) = (2 * x + 1 - 2 * center.0, 2 * y + 1 - 2 * center.1);
    dx * dx + dy * dy < 4 * radius * radius
}

fn bush(x: i32, y: i32) -> Rgba<u8> {
    let leaves = [((5, 12), 5), ((11, 12), 5), ((8, 9), 5)];
    if !leaves.iter().any(|(at, r)| is_in_circle(x, y, *at, *r)) {
        CLEAR
    } else if speckle(x, y, 6) {
        GRASS[1]
    } else {
        GRASS[if y > 12 { 2 } else { 0 }]
    }
}

fn flower(x: i32, y: i32) -> Rgba<u8> {
    match (x, y) {
        (7, 7) => color(0xf8_e0_60),
        (6..=8, 6..=8) | (7, 5 | 9) | (5 | 9, 7) => color(0xe8_60_90),
        (7, 10..) | (5..=6, 13) | (8..=9, 12) => GRASS[2],
        _ => CLEAR,
    }
}

fn flag(x: i32, y: i32) -> Rgba<u8> {
    match (x, y) {
        (3..=4, _) => color(0x60_50_48),
        (5..=13, 1..=7) if x - 5 <= 9 - (y - 4).abs() * 2 => color(0xf0_b0_30),
        _ => CLEAR,
    }
}

/// Returns a pixel of a part of a cloud, which consists of circles. Columns count from the left edge of the
/// tile.
fn cloud(x: i32, y: i32, part: i32) -> Rgba<u8> {
    let puffs: &[((i32, i32), i32)] = match part {
        0 => &[((11, 11), 5), ((16, 8), 6)],
        1 => &[((0, 8), 6), ((8, 7), 7), ((16, 8), 6)],
        _ => &[((0, 8), 6), ((6, 11), 5)],
    };
    if y >= 15 || !puffs.iter().any(|(at, r)| is_in_circle(x, y, *at, *r)) {
        CLEAR
    } else if y > 11 {
        color(0xdc_ec_f4)
    } else {
        color(0xfa_fd_ff)
    }
}

fn far(x: i32, y: i32) -> Rgba<u8> {
    FAR[usize::from(speckle(x, y, 11))]
}

fn tile(id: u32, x: i32, y: i32) -> Rgba<u8> {
    match id {
        0 => earth(x, y),
        1 => ground(x, y, |_| 0),
        2 => ground(x, y, |x| 15 - x),
        3 => ground(x, y, |x| 15 - x / 2),
        4 => ground(x, y, |x| 7 - x / 2),
        5 => plank(x, y),
        6 => brick(x, y),
        7 => bush(x, y),
        8 => flower(x, y),
        9 => flag(x, y),
        10..=12 => cloud(x, y, id as i32 - 10),
        13 => far(x, y),
        14 if x + y >= TILE - 1 => far(x, y),
        _ => CLEAR,
    }
}

/// The picture of the tileset.
pub(super) fn tiles() -> RgbaImage {
    let side = TILE as u32;
    RgbaImage::from_fn(8 * side, 2 * side, |x, y| {
        let id = y / side * 8 + x / side;
        tile(id, (x % side) as i32, (y % side) as i32)
    })
}
