//! The queries of a sparse grid: rectangles of its cells, and all its blocks in order.
//!
//! Nothing here changes a block. No query allocates.

use std::ops::{Range, RangeInclusive};

use super::super::blocks::{SIDE, Words};
use super::super::words::Hit;
use super::Sparse;
use super::block::Block;
use super::pages::{self, PAGE, Page, bits, pages_of, place_of};
use crate::geometry::{Axis, Dir};

impl Sparse {
    /// The rows of each block, with its column and row of blocks, from the top and then from the left.
    pub(in crate::grid) fn rows_of_blocks(&self) -> impl Iterator<Item = ([u32; 2], &Words)> {
        self.blocks().map(|(at, block)| (at, block.rows()))
    }

    /// The blocks, with their columns and rows of blocks, from the top and then from the left.
    pub(in crate::grid) fn blocks(&self) -> impl Iterator<Item = ([u32; 2], &Block)> {
        let rows = self.pages.all_lines(Axis::Y);
        let rows = rows.flat_map(|page_row| (0..PAGE).map(move |row| page_row * PAGE + row));
        rows.flat_map(move |row| {
            let pages = self.pages.on_line(Axis::Y, row / PAGE, 0..=u32::MAX);
            pages.flat_map(move |(at, page)| {
                let row = pages::mask(at, Axis::Y, &(row..=row), &(0..=u32::MAX));
                self.in_page(at, page, row)
            })
        })
    }

    pub(in crate::grid) fn get(&self, column: u32, row: u32) -> bool {
        self.row_word(column / SIDE, row) >> (column % SIDE) & 1 != 0
    }

    /// The 64 cells of a row in one column of blocks.
    pub(in crate::grid) fn row_word(&self, column: u32, row: u32) -> u64 {
        let index = self.pages.find([column, row / SIDE]);
        index.map_or(0, |index| self.block(index).rows()[(row % SIDE) as usize])
    }

    /// The number of set bits in the rectangle of the `lines` across `axis` and the `places` on them.
    pub(in crate::grid) fn count_in(
        &self,
        axis: Axis,
        lines: &Range<u32>,
        places: &Range<u32>,
    ) -> u64 {
        let blocks = self.within(axis, lines, places);
        blocks.map(|(at, block)| block.count_in(at, axis, lines, places)).sum()
    }

    /// True if a bit is set in the rectangle of the `lines` across `axis` and the `places` on them.
    pub(in crate::grid) fn any_solid(
        &self,
        axis: Axis,
        lines: Range<u32>,
        places: Range<u32>,
    ) -> bool {
        let (axis, lines, places) = by_fewer_lines(axis, &lines, &places);
        let first = place_of(axis, lines.start / SIDE / PAGE, places.start / SIDE / PAGE);
        let last = place_of(axis, (lines.end - 1) / SIDE / PAGE, (places.end - 1) / SIDE / PAGE);
        // A body's strip lies in one page, but for one of ten.
        if first != last {
            return self.any_in_pages(axis, lines, places);
        }
        let page = self.pages.get(first);
        page.is_some_and(|page| self.any_in_page(first, page, axis, lines, places))
    }

    /// [`Sparse::any_solid`] of a rectangle in more than one page.
    #[inline(never)]
    fn any_in_pages(&self, axis: Axis, lines: &Range<u32>, places: &Range<u32>) -> bool {
        let (line_pages, place_pages) = (pages_of(&blocks_of(lines)), pages_of(&blocks_of(places)));
        self.pages.lines(axis, line_pages).any(|line| {
            let mut pages = self.pages.on_line(axis, line, place_pages.clone());
            pages.any(|(at, page)| self.any_in_page(at, page, axis, lines, places))
        })
    }

    #[inline(always)]
    fn any_in_page(
        &self,
        at: [u32; 2],
        page: &Page,
        axis: Axis,
        lines: &Range<u32>,
        places: &Range<u32>,
    ) -> bool {
        let mask = pages::mask(at, axis, &blocks_of(lines), &blocks_of(places));
        let mut blocks = self.in_page(at, page, mask);
        blocks.any(|(at, block)| block.any(at, axis, lines, places))
    }

    /// The first bit of the rectangle `lines` x `places` that an edge meets as it moves over the lines toward
    /// `dir`; on that line, the lowest place.
    pub(in crate::grid) fn first_solid(
        &self,
        dir: Dir,
        lines: Range<u32>,
        places: Range<u32>,
    ) -> Option<Hit> {
        let (axis, cross) = (dir.axis(), dir.axis().other());
        let (line_blocks, place_blocks) = (blocks_of(&lines), blocks_of(&places));
        let (line_pages, place_pages) = (pages_of(&line_blocks), pages_of(&place_blocks));
        // Of equals this takes the first: places are visited in ascending order.
        let sooner = |hit: &Hit| if dir.is_positive() { hit.line } else { !hit.line };
        let hit = |(at, page): ([u32; 2], &Page)| {
            let within = page.used & pages::mask(at, axis, &line_blocks, &place_blocks);
            let mut lines_of_page = 0..if within == 0 { 0 } else { PAGE };
            first_in_motion(&mut lines_of_page, dir, |line| {
                let block_line = at[axis.index()] * PAGE + line;
                let all = 0..=u32::MAX;
                let on_line = within & pages::mask(at, axis, &(block_line..=block_line), &all);
                let hits = bits(on_line).filter_map(|bit| {
                    let block = self.block(page.index(bit));
                    block.first(block_at(at, bit), dir, &lines, &places)
                });
                hits.min_by_key(sooner)
            })
        };
        if line_pages.start() == line_pages.end() && place_pages.start() == place_pages.end() {
            let at = place_of(axis, *line_pages.start(), *place_pages.start());
            return self.pages.get(at).and_then(|page| hit((at, page)));
        }
        if lines.len() > places.len() {
            let hits = self.pages.lines(cross, place_pages).filter_map(|place| {
                let mut along = self.pages.on_line(cross, place, line_pages.clone());
                first_in_motion(&mut along, dir, hit)
            });
            return hits.min_by_key(sooner);
        }
        first_in_motion(&mut self.pages.lines(axis, line_pages), dir, |line| {
            let across = self.pages.on_line(axis, line, place_pages.clone());
            across.filter_map(hit).min_by_key(sooner)
        })
    }

    /// The blocks that touch the rectangle of the `lines` across `axis` and the `places` on them, with their
    /// places. O(blocks found + lines of pages), along the axis with fewer lines.
    pub(super) fn within(
        &self,
        axis: Axis,
        lines: &Range<u32>,
        places: &Range<u32>,
    ) -> impl Iterator<Item = ([u32; 2], &Block)> {
        let (axis, lines, places) = by_fewer_lines(axis, lines, places);
        let (lines, places) = (blocks_of(lines), blocks_of(places));
        let pages = self.pages.lines(axis, pages_of(&lines)).flat_map({
            let places = pages_of(&places);
            move |line| self.pages.on_line(axis, line, places.clone())
        });
        pages.flat_map(move |(at, page)| {
            self.in_page(at, page, pages::mask(at, axis, &lines, &places))
        })
    }

    /// The blocks of a page whose bits are set in `mask`, with their places.
    #[inline(always)]
    fn in_page<'s>(
        &'s self,
        at: [u32; 2],
        page: &'s Page,
        mask: u64,
    ) -> impl Iterator<Item = ([u32; 2], &'s Block)> {
        bits(page.used & mask).map(move |bit| (block_at(at, bit), self.block(page.index(bit))))
    }
}

/// The lines and places of a rectangle along the axis on which it has fewer lines.
#[inline(always)]
fn by_fewer_lines<'r>(
    axis: Axis,
    lines: &'r Range<u32>,
    places: &'r Range<u32>,
) -> (Axis, &'r Range<u32>, &'r Range<u32>) {
    if lines.len() > places.len() { (axis.other(), places, lines) } else { (axis, lines, places) }
}

/// The place of the block of a bit in the page at `at`.
#[inline(always)]
fn block_at([column, row]: [u32; 2], bit: u32) -> [u32; 2] {
    [column * PAGE + bit % PAGE, row * PAGE + bit / PAGE]
}

/// The blocks that a range of cells touches.
#[inline(always)]
pub(super) fn blocks_of(range: &Range<u32>) -> RangeInclusive<u32> {
    range.start / SIDE..=(range.end - 1) / SIDE
}

/// The first `Some` that `find` returns, with the items in the order of a motion toward `dir`.
#[inline(always)]
fn first_in_motion<T>(
    items: &mut impl DoubleEndedIterator<Item = T>,
    dir: Dir,
    find: impl FnMut(T) -> Option<Hit>,
) -> Option<Hit> {
    if dir.is_positive() { items.find_map(find) } else { items.rev().find_map(find) }
}
