//! Tiled's marker for a tile without a picture: a red crossed box on half black.

use glam::{DVec2, I64Vec2};

use super::composite::{Color, Manner};
use super::sprite::Painter;

const SHADE: Color = [0, 0, 0, 128];

/// Draws the marker over the box from `min`, of `size`.
pub(super) fn draw(painter: &mut Painter, min: DVec2, size: DVec2, manner: Manner) {
    if !min.is_finite() || !size.is_finite() {
        return;
    }
    let (from, to) = (
        (min + 0.5).floor().as_i64vec2(),
        (min + size + 0.5).floor().as_i64vec2(),
    );
    let canvas = painter.size();
    let (first, last) = (
        from.clamp(I64Vec2::ZERO, canvas),
        to.clamp(I64Vec2::ZERO, canvas),
    );
    let seen = (last - first).max(I64Vec2::ZERO);
    if !painter.spend(seen.element_product()) {
        return;
    }
    let mut row = Vec::with_capacity(seen.x as usize);
    for y in first.y..last.y {
        row.clear();
        row.extend((first.x..last.x).map(|x| shade(I64Vec2::new(x, y) - from, to - from)));
        manner.put(painter.row_mut(y, first.x, last.x), &row);
    }
}

/// The colour of a pixel of a box.
fn shade(at: I64Vec2, size: I64Vec2) -> Color {
    let is_border = at.cmpeq(I64Vec2::ZERO).any() || at.cmpeq(size - 1).any();
    let red = if is_border {
        255
    } else {
        let across = line(at, size);
        let back = line(I64Vec2::new(size.x - 1 - at.x, at.y), size);
        across.max(back)
    };
    let dark = u16::from(SHADE[3]);
    let rest = 255 - u16::from(red);
    [red, 0, 0, red + ((dark * rest + 127) / 255) as u8]
}

/// How much of a pixel the line from the top-left pixel to the bottom-right one covers, in 255ths: along its
/// longer axis it has the two pixels nearest to it in each column or row.
fn line(at: I64Vec2, size: I64Vec2) -> u8 {
    let (along, across, length, breadth) = if size.x >= size.y {
        (at.x, at.y, size.x, size.y)
    } else {
        (at.y, at.x, size.y, size.x)
    };
    let middle = along as f64 * (breadth - 1) as f64 / (length - 1).max(1) as f64;
    let distance = (across as f64 - middle).abs();
    ((1.0 - distance).max(0.0) * 255.0) as u8
}
