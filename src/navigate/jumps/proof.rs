//! The proof that a goal is out of reach: an over-estimate of all positions that a body can have, apart from
//! the links. A flight is followed in layers, one for each step since the body was held. In a layer the body
//! is no higher than the fullest jump would be, no further aside than its top speed allows, and anywhere
//! below; all that blocks it is solids. Whatever may hold it begins a new flight.
//!
//! Sets of positions are rows of bits. The layers live in a window around the block of positions where
//! flights begin, so memory grows with the level and not with the number of layers. Only falls at the highest
//! speed are followed through the whole level, row by row. Two rules matter: a slide along a wall begins only
//! when no rise is left, or it would climb every wall; and a corner lifts a body only while it falls no
//! faster than it runs, or nothing is out of reach.

mod flights;

use std::ops::Range;

pub(super) use self::flights::{Proof, is_bounded};

/// A set of positions, as rows of words. All sets of a proof have the same size.
type Bits = Vec<u64>;

/// Moves the bits of a row by one to both sides, where `free` has bits, and keeps the old ones if `stays`.
fn spread(row: &mut [u64], free: &[u64], stays: bool) {
    let mut before = 0;
    for at in 0..row.len() {
        let old = row[at];
        let after = row.get(at + 1).map_or(0, |next| next << 63);
        let kept = if stays { old } else { 0 };
        row[at] = (kept | old << 1 | before >> 63 | old >> 1 | after) & free[at];
        before = old;
    }
}

/// Some rows of a set of positions, and the same words of each.
#[derive(Clone)]
struct Window {
    columns: Range<usize>,
    /// The first row.
    first: usize,
    bits: Bits,
}

impl Window {
    fn new(columns: Range<usize>, rows: Range<usize>) -> Self {
        let bits = vec![0; columns.len() * rows.len()];
        Self { first: rows.start, columns, bits }
    }

    fn rows(&self) -> Range<usize> {
        self.first..self.first + self.bits.len() / self.columns.len()
    }

    /// An empty set with more rows above and below. `all` is the number of all rows.
    fn empty_wider(&self, above: usize, below: usize, all: usize) -> Self {
        let rows = self.rows();
        let rows = rows.start.saturating_sub(above)..(rows.end + below).min(all);
        Self::new(self.columns.clone(), rows)
    }

    /// The words of a row in this window.
    fn row(&self, row: usize) -> Range<usize> {
        let first = (row - self.first) * self.columns.len();
        first..first + self.columns.len()
    }

    /// The words of a row in a set of all positions.
    fn outer(&self, row: usize, stride: usize) -> Range<usize> {
        row * stride + self.columns.start..row * stride + self.columns.end
    }

    fn add(&mut self, column: usize, row: usize, bits: u64) {
        let at = self.row(row).start + column - self.columns.start;
        self.bits[at] |= bits;
    }

    /// Adds the bits of a window whose rows this window has.
    fn merge(&mut self, other: &Self) {
        // A window that has left the level has no rows.
        if other.bits.is_empty() {
            return;
        }
        let first = (other.first - self.first) * self.columns.len();
        let own = &mut self.bits[first..];
        own.iter_mut().zip(&other.bits).for_each(|(bits, more)| *bits |= more);
    }

    /// Leaves out the rows without bits at both ends.
    fn trim(&mut self) {
        let width = self.columns.len();
        let last = self.bits.iter().rposition(|bits| *bits != 0).map_or(0, |at| at / width + 1);
        self.bits.truncate(last * width);
        let first = self.bits.iter().position(|bits| *bits != 0).unwrap_or(0) / width;
        self.bits.drain(..first * width);
        self.first += first;
    }

    /// Keeps the bits that `set` has too.
    fn keep(&mut self, set: &[u64], stride: usize) {
        for row in self.rows() {
            let (range, outer) = (self.row(row), self.outer(row, stride));
            let own = self.bits[range].iter_mut();
            own.zip(&set[outer]).for_each(|(bits, kept)| *bits &= kept);
        }
        self.trim();
    }

    fn spread(&mut self, free: &[u64], stride: usize, stays: bool) {
        for row in self.rows() {
            let (range, outer) = (self.row(row), self.outer(row, stride));
            spread(&mut self.bits[range], &free[outer], stays);
        }
    }

    /// Moves all bits up by one row, where `free` has bits.
    fn up(&mut self, free: &[u64], stride: usize) {
        if self.first == 0 {
            let width = self.columns.len().min(self.bits.len());
            self.bits.drain(..width);
        } else {
            self.first -= 1;
        }
        self.cover(free, stride);
    }

    /// Moves all bits down by one row, where `free` has bits.
    fn down(&mut self, free: &[u64], stride: usize) {
        self.first += 1;
        let width = self.columns.len();
        let left = (free.len() / stride).saturating_sub(self.first);
        self.bits.truncate(left * width);
        self.cover(free, stride);
    }

    fn cover(&mut self, free: &[u64], stride: usize) {
        for row in self.rows() {
            let (range, outer) = (self.row(row), self.outer(row, stride));
            let own = self.bits[range].iter_mut();
            own.zip(&free[outer]).for_each(|(bits, free)| *bits &= free);
        }
    }

    /// True if `set` has bits in the rows of this window, or `near` rows above.
    fn meets(&self, set: &[u64], stride: usize, near: usize) -> bool {
        let rows = self.rows();
        let mut rows = rows.start.saturating_sub(near)..rows.end;
        rows.any(|row| set[self.outer(row, stride)].iter().any(|bits| *bits != 0))
    }

    /// Calls `found` with the column, the row and the bits of each word that has some.
    fn each(&self, mut found: impl FnMut(usize, usize, u64)) {
        for row in self.rows() {
            for (column, bits) in self.columns.clone().zip(&self.bits[self.row(row)]) {
                if *bits != 0 {
                    found(column, row, *bits);
                }
            }
        }
    }
}
