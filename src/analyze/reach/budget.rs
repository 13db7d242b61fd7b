//! The work that the floods of a question may still do.
//!
//! It counts runs of positions, not time, so that an answer is the same on every machine.

use std::cell::Cell;

/// The runs of positions that may still be looked at, each time that one is.
#[derive(Debug)]
pub(super) struct Budget {
    left: Cell<u64>,
}

/// The budget is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spent;

impl Budget {
    pub(super) const fn new(runs: u64) -> Self {
        Self { left: Cell::new(runs) }
    }

    /// Takes so many runs; an error, and nothing is left, if there are fewer.
    pub(super) fn take(&self, runs: u64) -> Result<(), Spent> {
        let left = self.left.get().checked_sub(runs);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or(Spent)
    }

    pub(super) fn left(&self) -> u64 {
        self.left.get()
    }
}
