//! A number that changes whenever a terrain may have changed.
//!
//! It takes no part in an answer, in equality, or in a saved form: it only tells that two states of a terrain
//! are the same.

use std::sync::atomic::{AtomicU64, Ordering};

/// The stamp of a terrain's state. Two terrains with equal stamps are alike; a copy has the same stamp.
pub(super) struct Stamp(AtomicU64);

/// No state has this stamp: one that has changed gets a new stamp when it is asked for.
const UNKNOWN: u64 = 0;

static LAST: AtomicU64 = AtomicU64::new(UNKNOWN);

impl Stamp {
    /// Notes that the terrain may have changed.
    pub(super) fn renew(&mut self) {
        *self.0.get_mut() = UNKNOWN;
    }

    pub(super) fn get(&self) -> u64 {
        let known = self.0.load(Ordering::Relaxed);
        if known != UNKNOWN {
            return known;
        }
        let new = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        let set = self.0.compare_exchange(UNKNOWN, new, Ordering::Relaxed, Ordering::Relaxed);
        set.err().unwrap_or(new)
    }
}

impl Default for Stamp {
    fn default() -> Self {
        Self(AtomicU64::new(UNKNOWN))
    }
}

impl Clone for Stamp {
    fn clone(&self) -> Self {
        Self(AtomicU64::new(self.get()))
    }
}
