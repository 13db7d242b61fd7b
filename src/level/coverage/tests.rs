//! Shapes against naive twins, pixel by pixel.

use super::*;

mod area;

/// A point in tenths of a pixel... of which `unit` make one.
fn point(x: i64, y: i64, unit: i64) -> Point {
    let micro = |n: i64| Micro::from_millionths(n * Micro::PER_PIXEL / unit);
    Point {
        x: micro(x),
        y: micro(y),
    }
}

/// The pixels that `cover` gives, in order; checks that the spans are in order and do not touch.
fn pixels(cover: impl FnOnce(&mut dyn FnMut(Span))) -> Vec<(i32, i32)> {
    let mut found = Vec::new();
    let mut last: Option<Span> = None;
    cover(&mut |span| {
        assert!(span.start < span.end, "{span:?}");
        if let Some(last) = last {
            let follows = last.y < span.y || last.y == span.y && last.end < span.start;
            assert!(follows, "{last:?} {span:?}");
        }
        last = Some(span);
        found.extend((span.start..span.end).map(|x| (span.y, x)));
    });
    found
}

fn centres(outline: &Outline, clip: Aabb) -> Vec<(i32, i32)> {
    pixels(|mut emit| outline.cover_centres(clip, &mut emit))
}

fn covered(outline: &Outline, clip: Aabb) -> Vec<(i32, i32)> {
    pixels(|mut emit| outline.cover(clip, &mut emit))
}

/// The pixels of `clip` for which `is_covered` is true of (x, y).
fn by_pixel(clip: Aabb, is_covered: impl Fn(i32, i32) -> bool) -> Vec<(i32, i32)> {
    let rows = clip.min.y..clip.max.y;
    rows.flat_map(|y| (clip.min.x..clip.max.x).map(move |x| (y, x)))
        .filter(|(y, x)| is_covered(*x, *y))
        .collect()
}

fn random_box(rng: &mut fastrand::Rng) -> Aabb {
    Aabb::from_xywh(
        rng.i32(-12..4),
        rng.i32(-12..4),
        rng.i32(0..24),
        rng.i32(0..24),
    )
}
