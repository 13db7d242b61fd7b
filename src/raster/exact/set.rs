//! [`Coverage`]: the set of pixels of a tile's shapes, with the flips of a placed tile.

use glam::{IVec2, UVec2, Vec2Swizzles};

use super::Outline;
use crate::geometry::{Aabb, Axis, Dir, saturated};
use crate::raster::Span;
use crate::raster::scan::Joiner;

/// The number of collected spans at which overlapping spans are joined for the first time.
const BATCH: usize = 1 << 12;

/// The flips of a placed tile, applied in this order: `diagonal` exchanges rows and columns, `horizontal`
/// mirrors left to right, `vertical` mirrors top to bottom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flips {
    pub(crate) diagonal: bool,
    pub(crate) horizontal: bool,
    pub(crate) vertical: bool,
}

/// A set of pixels, relative to the bottom-left corner of a tile: Tiled keeps this corner in place in every
/// orientation. y grows downward, so the tile's bottom row has y = -1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Coverage {
    spans: Vec<Span>,
}

impl Coverage {
    /// The pixels in `clip` that any of the outlines covers.
    pub(crate) fn of<'o>(outlines: impl IntoIterator<Item = &'o Outline>, clip: Aabb) -> Self {
        let mut spans = Vec::new();
        let mut joined = 0;
        for outline in outlines {
            outline.cover(clip, &mut |span| {
                spans.push(span);
                if spans.len() >= (2 * joined).max(BATCH) {
                    join(&mut spans);
                    joined = spans.len();
                }
            });
        }
        Self::from_spans(spans)
    }

    fn from_spans(mut spans: Vec<Span>) -> Self {
        join(&mut spans);
        Self { spans }
    }

    /// The spans, sorted by row and start; no two spans touch.
    pub(crate) fn spans(&self) -> &[Span] {
        &self.spans
    }

    pub(crate) fn bounds(&self) -> Aabb {
        let (Some(top), Some(bottom)) = (self.spans.first(), self.spans.last()) else {
            return Aabb::default();
        };
        let mut min = IVec2::new(top.start, top.y);
        let mut max = IVec2::new(top.end, bottom.y.saturating_add(1));
        for span in &self.spans {
            min.x = min.x.min(span.start);
            max.x = max.x.max(span.end);
        }
        Aabb { min, max }
    }

    /// The pixels after `flips` of a tile of `size` pixels. The bottom-left corner of the tile stays in
    /// place.
    pub(crate) fn turned(&self, flips: Flips, size: UVec2) -> Self {
        let mut size = size.as_i64vec2();
        let mut spans = self.spans.clone();
        if flips.diagonal {
            spans = self.exchanged(size.y, -size.x);
            size = size.yx();
        }
        for span in &mut spans {
            if flips.horizontal {
                let end = saturated(size.x - i64::from(span.start));
                span.start = saturated(size.x - i64::from(span.end));
                span.end = end;
            }
            if flips.vertical {
                span.y = saturated(-size.y - 1 - i64::from(span.y));
            }
        }
        Self::from_spans(spans)
    }

    /// The number of spans that [`Coverage::turned`] would have. A diagonal flip can turn each pixel into a
    /// span.
    pub(crate) fn turned_len(&self, flips: Flips) -> u64 {
        if !flips.diagonal {
            return self.spans.len() as u64;
        }
        let mut count = 0;
        self.each_edge(Dir::Up, |span| count += u64::from(span.end.abs_diff(span.start)));
        count
    }

    /// The pixels whose neighbour toward `dir` is not in the set.
    pub(crate) fn edges(&self, dir: Dir) -> Self {
        let mut spans = Vec::new();
        self.each_edge(dir, |span| spans.push(span));
        Self { spans }
    }

    /// Emits the pixels whose neighbour toward `dir` is not in the set, in order.
    fn each_edge(&self, dir: Dir, mut emit: impl FnMut(Span)) {
        if dir.axis() == Axis::Y {
            return self.each_level_edge(dir.vector().y, emit);
        }
        for span in &self.spans {
            let start = if dir == Dir::Left { span.start } else { span.end - 1 };
            emit(Span { start, end: start + 1, ..*span });
        }
    }

    /// Emits the pixels whose neighbour `step` rows further down is not in the set, in order. `step` is 1 or
    /// -1.
    fn each_level_edge(&self, step: i32, mut emit: impl FnMut(Span)) {
        let mut beside = self.spans.iter().peekable();
        for span in &self.spans {
            let y = i64::from(span.y) + i64::from(step);
            let mut start = span.start;
            while beside.next_if(|other| (i64::from(other.y), other.end) <= (y, start)).is_some() {}
            // A span of the other row that ends further right may also lie beside the next span of this row,
            // so it is kept.
            while let Some(other) =
                beside.next_if(|other| i64::from(other.y) == y && other.end < span.end)
            {
                let end = other.start;
                if start < end {
                    emit(Span { start, end, ..*span });
                }
                start = other.end;
            }
            let end = match beside.peek() {
                Some(other) if i64::from(other.y) == y => other.start.min(span.end),
                _ => span.end,
            };
            if start < end {
                emit(Span { start, end, ..*span });
            }
        }
    }

    /// The spans after each pixel (x, y) has moved to (y + `right`, x + `down`), in any order.
    fn exchanged(&self, right: i64, down: i64) -> Vec<Span> {
        // In each column, every run of pixels has one upper and one lower end, so the ends pair up in order.
        std::iter::zip(self.ends(Dir::Up), self.ends(Dir::Down))
            .map(|((x, top), (_, bottom))| Span {
                y: saturated(i64::from(x) + down),
                start: saturated(i64::from(top) + right),
                end: saturated(i64::from(bottom) + right + 1),
            })
            .collect()
    }

    /// The columns and rows of the pixels whose neighbour toward `dir` is not in the set, column by column.
    fn ends(&self, dir: Dir) -> Vec<(i32, i32)> {
        let mut ends = Vec::new();
        self.each_edge(dir, |span| ends.extend((span.start..span.end).map(|x| (x, span.y))));
        ends.sort_unstable();
        ends
    }
}

/// Sorts the spans, and joins spans that overlap or touch.
fn join(spans: &mut Vec<Span>) {
    spans.sort_unstable();
    let mut joined = Vec::with_capacity(spans.len());
    let mut keep = |span| joined.push(span);
    let mut joiner = Joiner::new(&mut keep);
    spans.iter().for_each(|span| joiner.add(*span));
    joiner.finish();
    *spans = joined;
}
