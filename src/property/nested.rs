//! A limit on values inside values, for the feature `serde`.
//!
//! Lists, classes and groups of layers can hold values of their own kind. A binary format does not limit the
//! depth, so a hostile file of a few kilobytes could overflow the stack.

use std::cell::Cell;

use serde::de::{Deserialize, Deserializer, Error};

/// The largest depth of values inside values: that of elements in a file.
const MAX_DEPTH: u32 = 64;

thread_local! {
    /// The depth of the value that this thread reads now.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Ends a level when it is dropped, also after an error.
struct Level;

impl Drop for Level {
    fn drop(&mut self) {
        DEPTH.with(|depth| depth.set(depth.get() - 1));
    }
}

/// Reads what lies inside a value.
pub(crate) fn deserialize<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let depth = DEPTH.with(Cell::get);
    if depth == MAX_DEPTH {
        return Err(D::Error::custom(format_args!(
            "values lie inside each other more than {MAX_DEPTH} deep"
        )));
    }
    DEPTH.with(|level| level.set(depth + 1));
    let _level = Level;
    T::deserialize(deserializer)
}
