//! The overlap of two footprints: its first pixel, its area, and the direction out of it. Tested 64 pixels at
//! once.

use std::ops::Range;

use glam::{IVec2, UVec2};

use super::Footprint;

impl Footprint {
    /// True if both cover some pixel, with the other one's top-left corner `offset` pixels from this one's.
    /// O(words of the rows that both have).
    ///
    /// ```
    /// use bitwall::{Footprint, glam::IVec2};
    ///
    /// let ball = Footprint::circle(8)?;
    /// assert!(ball.overlaps(&ball, IVec2::new(4, 4)));
    /// assert!(!ball.overlaps(&ball, IVec2::new(7, 7)), "only their boxes do");
    /// # Ok::<(), bitwall::footprint::FootprintError>(())
    /// ```
    pub fn overlaps(&self, other: &Self, offset: IVec2) -> bool {
        self.shared(other, offset.to_array().map(i64::from)).next().is_some()
    }

    /// The first pixel that both cover, counted from this one's top-left corner: in the lowest row, and there
    /// in the lowest column. The cost is that of [`Footprint::overlaps`].
    pub fn first_overlap(&self, other: &Self, offset: IVec2) -> Option<UVec2> {
        first(self.shared(other, offset.to_array().map(i64::from)))
    }

    /// The number of pixels that both cover. The cost is that of [`Footprint::overlaps`].
    pub fn overlap_area(&self, other: &Self, offset: IVec2) -> u64 {
        area(self.shared(other, offset.to_array().map(i64::from)))
    }

    /// The direction out of the other one where they overlap: the slope of the shared area, measured over one
    /// pixel to each side.
    ///
    /// x is the area shared one pixel further left minus that one pixel further right, y that one further up
    /// minus that one further down. If the other is a solid, the vector points out of it, toward this one. It
    /// is not a unit vector, and a component is 0 if both directions of its axis share the same area.
    /// (pygame's documentation of `Mask.overlap_area` gives the same vector.)
    pub fn overlap_normal(&self, other: &Self, offset: IVec2) -> IVec2 {
        // A motion of this one to the left is one of the other to the right.
        let [x, y] = offset.to_array().map(i64::from);
        normal(|dx, dy| area(self.shared(other, [x - dx, y - dy])))
    }

    /// The words with pixels that both cover.
    fn shared(&self, other: &Self, offset: [i64; 2]) -> impl Iterator<Item = (UVec2, u64)> {
        let [dx, dy] = offset;
        let (size, others) = (self.size(), other.size());
        let columns = common(size.x, dx, others.x);
        self.meet(columns, common(size.y, dy, others.y), move |x, y| {
            let row = i64::from(y) - dy;
            other.bits.row_word(i64::from(x) - dx, row as u32)
        })
    }

    /// The bits that are set both in this footprint and in `other`, which returns the 64 pixels from a column
    /// and a row of the footprint to the right: the words that are not zero, each with its first place, row
    /// by row. Only words in `rows` that touch `columns` are visited; both ranges must lie inside.
    pub(super) fn meet(
        &self,
        columns: Range<u32>,
        rows: Range<u32>,
        other: impl Fn(u32, u32) -> u64,
    ) -> impl Iterator<Item = (UVec2, u64)> {
        let stripes = columns.start / 64..columns.end.div_ceil(64);
        let places = rows.flat_map(move |y| stripes.clone().map(move |s| UVec2::new(s * 64, y)));
        places.filter_map(move |at| {
            let own = self.bits.row_word(i64::from(at.x), at.y);
            let both = if own == 0 { 0 } else { own & other(at.x, at.y) };
            (both != 0).then_some((at, both))
        })
    }
}

/// The part of `0..side` that another range shares, which starts at `offset` and is `others` long.
fn common(side: u32, offset: i64, others: u32) -> Range<u32> {
    let inside = |place: i64| place.clamp(0, i64::from(side)) as u32;
    inside(offset)..inside(offset + i64::from(others))
}

/// The first pixel of some words with their first places.
pub(super) fn first(mut words: impl Iterator<Item = (UVec2, u64)>) -> Option<UVec2> {
    let (at, word) = words.next()?;
    Some(at + UVec2::new(word.trailing_zeros(), 0))
}

/// The number of pixels in some words.
pub(super) fn area(words: impl Iterator<Item = (UVec2, u64)>) -> u64 {
    words.map(|(_, word)| u64::from(word.count_ones())).sum()
}

/// The slope, downhill, of the area shared after a step of one pixel. An area is at most 2^24 pixels.
pub(super) fn normal(area: impl Fn(i64, i64) -> u64) -> IVec2 {
    let less = |back: u64, forth: u64| back as i32 - forth as i32;
    IVec2::new(less(area(-1, 0), area(1, 0)), less(area(0, -1), area(0, 1)))
}
