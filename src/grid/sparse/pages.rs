//! The directory of a sparse grid: the index of the block at each place. A place is a block column and a
//! block row. A page covers 8 x 8 places, so a body's motion mostly reads one page. Pages without blocks do
//! not exist. A hash table finds the page at a place. A query of a long rectangle reads a sorted set of pages
//! instead, and so skips empty space.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::{ControlFlow, RangeInclusive};

use crate::geometry::Axis;

pub(super) const PAGE: u32 = 8;

/// The largest number of page columns (or page rows) that a search for the next page tries one by one. In a
/// longer range, a search of the sorted sets `orders` is faster.
const FEW: u32 = 8;

#[derive(Clone, Default)]
pub(super) struct Pages {
    by_place: HashMap<u64, Box<Page>, BuildHasherDefault<PlaceHasher>>,
    /// The positions of all pages in two orders: by page column and then page row, and by page row and then
    /// page column.
    orders: [BTreeSet<[u32; 2]>; 2],
}

/// A page of the directory: 8 x 8 places. Bit 8 r + c of `used` and entry 8 r + c of `indices` belong to the
/// place in column c and row r of the page.
#[derive(Clone)]
pub(super) struct Page {
    pub(super) used: u64,
    /// The index of the block at each place. It is unspecified if the place has no block.
    indices: [u32; (PAGE * PAGE) as usize],
}

impl Page {
    #[inline(always)]
    pub(super) fn index(&self, bit: u32) -> u32 {
        self.indices[(bit % (PAGE * PAGE)) as usize]
    }
}

impl Pages {
    #[inline(always)]
    pub(super) fn get(&self, at: [u32; 2]) -> Option<&Page> {
        self.by_place.get(&key(at)).map(|page| &**page)
    }

    #[inline]
    pub(super) fn find(&self, block: [u32; 2]) -> Option<u32> {
        let (at, bit) = split(block);
        let page = self.get(at)?;
        (page.used >> bit & 1 != 0).then(|| page.index(bit))
    }

    /// Sets the index of the block at block column and row `block`. Returns true if there was no block
    /// before.
    pub(super) fn set(&mut self, block: [u32; 2], index: u32) -> bool {
        let (at, bit) = split(block);
        let page = self.by_place.entry(key(at)).or_insert_with(|| {
            let [column, row] = at;
            self.orders[Axis::X.index()].insert([column, row]);
            self.orders[Axis::Y.index()].insert([row, column]);
            Box::new(Page { used: 0, indices: [0; (PAGE * PAGE) as usize] })
        });
        let is_new = page.used >> bit & 1 == 0;
        page.used |= 1 << bit;
        page.indices[bit as usize] = index;
        is_new
    }

    pub(super) fn remove(&mut self, block: [u32; 2]) {
        let (at, bit) = split(block);
        let Some(page) = self.by_place.get_mut(&key(at)) else {
            return;
        };
        page.used &= !(1 << bit);
        if page.used == 0 {
            let [column, row] = at;
            self.by_place.remove(&key(at));
            self.orders[Axis::X.index()].remove(&[column, row]);
            self.orders[Axis::Y.index()].remove(&[row, column]);
        }
    }

    pub(super) fn shrink(&mut self) {
        if self.by_place.capacity() / 8 > self.by_place.len() {
            self.by_place.shrink_to(self.by_place.len() * 2);
        }
    }

    pub(super) fn transposed(&self) -> Self {
        let mut turned = Self::default();
        for [column, row] in self.places() {
            let Some(page) = self.get([column, row]) else { continue };
            for bit in bits(page.used) {
                let block = [row * PAGE + bit / PAGE, column * PAGE + bit % PAGE];
                turned.set(block, page.index(bit));
            }
        }
        turned
    }

    /// Calls `visit` with each page in a rectangle and with its page column and page row, until `visit`
    /// returns `Break`. If `axis` is x, `lines` are page columns and `places` page rows; if it is y, the
    /// reverse. A range is visited in ascending order if its `bool` is true, and otherwise in descending
    /// order.
    pub(super) fn visit(
        &self,
        axis: Axis,
        (lines, lines_rise): (&RangeInclusive<u32>, bool),
        (places, places_rise): (&RangeInclusive<u32>, bool),
        visit: &mut dyn FnMut([u32; 2], &Page) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (mut low, mut high) = (*lines.start(), *lines.end());
        while let Some(line) = self.next_line(axis, low..=high, lines_rise) {
            let (mut first, mut last) = (*places.start(), *places.end());
            while let Some(place) = self.next_place(axis, line, first..=last, places_rise) {
                let at = axis.xy(line, place);
                if let Some(page) = self.get(at) {
                    visit(at, page)?;
                }
                if place == (if places_rise { last } else { first }) {
                    break;
                }
                (first, last) = if places_rise { (place + 1, last) } else { (first, place - 1) };
            }
            if line == (if lines_rise { high } else { low }) {
                break;
            }
            (low, high) = if lines_rise { (line + 1, high) } else { (low, line - 1) };
        }
        ControlFlow::Continue(())
    }

    /// Returns the first number in `lines` at which there may be a page, or the last such number if `rise` is
    /// false. `lines` are page columns if `axis` is x, or page rows if it is y. `None` if there is no page.
    pub(super) fn next_line(
        &self,
        axis: Axis,
        lines: RangeInclusive<u32>,
        rise: bool,
    ) -> Option<u32> {
        let (low, high) = (*lines.start(), *lines.end());
        if high - low < FEW {
            return Some(if rise { low } else { high });
        }
        self.next_used(axis, [low, 0]..=[high, u32::MAX], rise).map(|[line, _]| line)
    }

    /// Returns the first number in `places` at which there may be a page, or the last such number if `rise`
    /// is false. `places` are page rows in the page column `line` if `axis` is x, or page columns in the page
    /// row `line` if it is y. `None` if there is no page.
    fn next_place(
        &self,
        axis: Axis,
        line: u32,
        places: RangeInclusive<u32>,
        rise: bool,
    ) -> Option<u32> {
        let (low, high) = (*places.start(), *places.end());
        if high - low < FEW {
            return Some(if rise { low } else { high });
        }
        self.next_used(axis, [line, low]..=[line, high], rise).map(|[_, place]| place)
    }

    fn next_used(
        &self,
        axis: Axis,
        keys: RangeInclusive<[u32; 2]>,
        rise: bool,
    ) -> Option<[u32; 2]> {
        let mut used = self.orders[axis.index()].range(keys);
        (if rise { used.next() } else { used.next_back() }).copied()
    }

    /// Returns the columns and rows of all pages, row by row, and from the left in each row.
    pub(super) fn places(&self) -> impl Iterator<Item = [u32; 2]> {
        self.orders[Axis::Y.index()].iter().map(|[row, column]| [*column, *row])
    }

    #[cfg(feature = "baked")]
    pub(super) fn len(&self) -> usize {
        self.by_place.len()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        const ORDERED: usize = 2 * size_of::<[u32; 2]>() + 4;
        const HASHED: usize = size_of::<(u64, Box<Page>)>() + 1;
        self.by_place.len() * (size_of::<Page>() + 2 * ORDERED) + self.by_place.capacity() * HASHED
    }
}

/// The largest memory of a page in bytes while pages are created. The page itself takes 264. A growing hash
/// table takes up to 58, the two sorted sets with half-full nodes up to 52, and a builder up to 32.
#[cfg(feature = "baked")]
pub(in crate::grid) const PAGE_BYTES: usize = 416;

/// Creates the pages of a directory. Blocks must be added row by row, and from the left in each row. Calling
/// [`Pages::set`] for each block would take three times as long.
#[cfg(feature = "baked")]
#[derive(Default)]
pub(in crate::grid) struct PageBuilder {
    done: Vec<([u32; 2], Box<Page>)>,
    /// For each page column, 1 + the index in `done` of its newest page; 0 if it has no page.
    line: Vec<u32>,
}

#[cfg(feature = "baked")]
impl PageBuilder {
    pub(in crate::grid) fn new(across: u32) -> Self {
        Self { done: Vec::new(), line: vec![0; across.div_ceil(PAGE) as usize] }
    }

    pub(in crate::grid) fn line_bytes(across: u32) -> usize {
        across.div_ceil(PAGE) as usize * size_of::<u32>()
    }

    /// Adds the `index` of a block that is right of or below the last added block. Returns true if the block
    /// starts a new page.
    #[inline(always)]
    pub(in crate::grid) fn add(&mut self, block: [u32; 2], index: u32) -> bool {
        let (at, bit) = split(block);
        let Some(number) = self.line.get_mut(at[0] as usize) else { return false };
        let last = (*number as usize).wrapping_sub(1);
        let is_new = self.done.get(last).is_none_or(|(place, _)| *place != at);
        if is_new {
            let page = Page { used: 0, indices: [0; (PAGE * PAGE) as usize] };
            self.done.push((at, Box::new(page)));
            *number = self.done.len() as u32;
        }
        let (_, page) = &mut self.done[*number as usize - 1];
        page.used |= 1 << bit;
        page.indices[bit as usize] = index;
        is_new
    }

    pub(super) fn finish(self) -> Pages {
        let mut pages = Pages::default();
        pages.by_place.reserve(self.done.len());
        for (at, page) in self.done {
            let [column, row] = at;
            pages.orders[Axis::X.index()].insert([column, row]);
            pages.orders[Axis::Y.index()].insert([row, column]);
            pages.by_place.insert(key(at), page);
        }
        pages
    }
}

#[inline(always)]
pub(super) fn pages_of(blocks: &RangeInclusive<u32>) -> RangeInclusive<u32> {
    blocks.start() / PAGE..=blocks.end() / PAGE
}

/// Returns a mask of the bits of a page whose blocks are inside a rectangle of blocks. The page has the page
/// column and row `at`, and must touch the rectangle. If `axis` is x, `lines` are block columns and `places`
/// block rows; if it is y, the reverse.
#[inline(always)]
pub(super) fn mask(
    at: [u32; 2],
    axis: Axis,
    lines: &RangeInclusive<u32>,
    places: &RangeInclusive<u32>,
) -> u64 {
    let [columns, rows] = axis.xy(lines, places);
    let part = |at: u32, blocks: &RangeInclusive<u32>| {
        let start = at * PAGE;
        (blocks.start().saturating_sub(start), (blocks.end() - start).min(PAGE - 1))
    };
    let (left, right) = part(at[0], columns);
    let (top, bottom) = part(at[1], rows);
    let row = (0xff << left) & (0xff >> (PAGE - 1 - right));
    let rows = (u64::MAX << (top * PAGE)) & (u64::MAX >> ((PAGE - 1 - bottom) * PAGE));
    (row * 0x0101_0101_0101_0101) & rows
}

#[inline(always)]
pub(super) fn bits(word: u64) -> impl Iterator<Item = u32> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let bit = rest.trailing_zeros();
        let found = (rest != 0).then_some(bit);
        rest &= rest.wrapping_sub(1);
        found
    })
}

#[inline(always)]
fn split([column, row]: [u32; 2]) -> ([u32; 2], u32) {
    ([column / PAGE, row / PAGE], row % PAGE * PAGE + column % PAGE)
}

#[inline(always)]
fn key([column, row]: [u32; 2]) -> u64 {
    u64::from(row) << 32 | u64::from(column)
}

/// Hashes the position of a page with one multiplication. The upper half of the product depends on all bits,
/// so it is folded into the lower half. The number of blocks is limited, so a hostile file cannot make
/// lookups slow.
#[derive(Clone, Copy, Default)]
struct PlaceHasher(u64);

impl Hasher for PlaceHasher {
    #[inline(always)]
    fn write_u64(&mut self, key: u64) {
        let product = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ product >> 32;
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(self.0 ^ u64::from(*byte));
        }
    }

    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// A hash table uses the low bits of a hash as the slot of a key, and the top 7 bits as a first test for
    /// equality.
    #[test]
    fn hashes_of_neighbouring_pages_spread_like_random_numbers() {
        let hash = |at| {
            let mut hasher = PlaceHasher::default();
            hasher.write_u64(key(at));
            hasher.finish()
        };
        for [width, height] in [[64, 64], [4096, 1], [1, 4096], [8, 512]] {
            let hashes = || (0..width * height).map(|n| hash([n % width, n / width]));
            assert_eq!(hashes().collect::<HashSet<_>>().len(), 4096);
            // Among 4,096 random numbers of 12 bits, 2,589 are different on average.
            let low = hashes().map(|hash| hash % 4096).collect::<HashSet<_>>().len();
            let top = hashes().map(|hash| hash >> 57).collect::<HashSet<_>>().len();
            assert!(low > 2_300 && top == 128, "{width} x {height}: {low}, {top}");
        }
    }

    #[test]
    fn removing_pages_from_a_directory_frees_their_memory() {
        let mut pages = Pages::default();
        let places = || (0..4096).map(|n| [PAGE * (n % 64), PAGE * (n / 64)]);
        places().for_each(|at| assert!(pages.set(at, 1)));
        // The positions of a page in both orders take 40 bytes. An entry of the table takes a key, a pointer
        // and one byte.
        let full = pages.memory_bytes();
        let of_table = pages.by_place.capacity() * (8 + size_of::<usize>() + 1);
        assert_eq!(full, 4096 * (size_of::<Page>() + 40) + of_table);
        places().skip(16).for_each(|at| pages.remove(at));
        let capacity = pages.by_place.capacity();
        assert!(capacity >= 4096, "{capacity}");
        pages.shrink();
        let shrunk = pages.by_place.capacity();
        assert!((16..64).contains(&shrunk), "{shrunk}");
        assert!(pages.memory_bytes() < full / 128, "{}", pages.memory_bytes());
        // A directory that is at least an eighth full keeps its table.
        pages.shrink();
        assert_eq!(pages.by_place.capacity(), shrunk);
        assert_eq!(pages.places().count(), 16);
    }
}
