//! Tiled's marker for a tile without a picture: a red crossed box on half black.

use glam::{DVec2, I64Vec2};

use super::composite::{Blend, Color, premultiplied};
use super::rect::Rect;
use super::sprite::Painter;

const SHADE: Color = [0, 0, 0, 128];

/// Draws the marker over a box of `size` with its corner at `min`. Its lines run through the centres of the
/// pixels along the edges, so a box without extent is drawn as four pixels.
pub(super) fn draw(painter: &mut Painter<'_>, min: DVec2, size: DVec2, blend: Blend) {
    let (first, last) = (min + 0.5, min + size - 0.5);
    let is_near = |at: DVec2| at.abs().max_element() < 1e9;
    if !is_near(first) || !is_near(last) {
        return;
    }
    let blend = blend.without_tint();
    fill(painter, first, last, blend);
    let (right, left) = (DVec2::new(last.x, first.y), DVec2::new(first.x, last.y));
    for (from, to) in
        [(first, right), (right, last), (last, left), (left, first), (first, last), (right, left)]
    {
        line(painter, from, to, blend);
    }
}

fn fill(painter: &mut Painter<'_>, first: DVec2, last: DVec2, blend: Blend) {
    let (a, b) = ((first + 0.5).floor().as_i64vec2(), (last + 0.5).floor().as_i64vec2());
    let Rect { min, max } = Rect { min: a.min(b), max: a.max(b) }.intersection(painter.window());
    let seen = max - min;
    if !painter.spend(seen.element_product(), blend) {
        return;
    }
    let row = vec![SHADE; seen.x as usize];
    for y in min.y..max.y {
        blend.put(painter.row_mut(y, min.x, max.x), &row);
    }
}

/// Draws a line one pixel thick. Each step along its longer axis colours the two pixels nearest to it, each
/// by its nearness, and half as much at an end in the middle of a pixel. Coordinates are in 64ths of a pixel
/// along the line, and in 65536ths across.
fn line(painter: &mut Painter<'_>, from: DVec2, to: DVec2, blend: Blend) {
    let fixed = |at: DVec2| (at * 64.0).as_i64vec2();
    let (mut from, mut to) = (fixed(from), fixed(to));
    let is_steep = (to.x - from.x).abs() < (to.y - from.y).abs();
    if is_steep {
        (from, to) = (I64Vec2::new(from.y, from.x), I64Vec2::new(to.y, to.x));
    }
    if from.x > to.x {
        (from, to) = (to, from);
    }
    let length = to.x - from.x;
    if length == 0 {
        return;
    }
    let rise = ((to.y - from.y) << 16) / length;
    let start = ((from.y - 32) << 10) - ((((from.x & 63) - 32) * rise) >> 6);
    let Rect { min, max } = painter.window();
    let (start_of, end_of) = if is_steep { (min.y, max.y) } else { (min.x, max.x) };
    let first = from.x >> 6;
    for along in first.max(start_of)..=(to.x >> 6).min(end_of - 1) {
        let begin = from.x.max(along << 6);
        let end = to.x.min((along + 1) << 6);
        let across = start + (along - first) * rise;
        let far = (across >> 8) & 255;
        for (step, share) in [(0, 255 - far), (1, far)] {
            let share = (share * (end - begin)) >> 6;
            let beside = (across >> 16) + step;
            let (x, y) = if is_steep { (beside, along) } else { (along, beside) };
            let red = premultiplied([255, 0, 0, share as u8]);
            blend.put(painter.row_mut(y, x, x + 1), &[red]);
        }
    }
}
