//! The memory that a file may still take. Whoever reads the file counts the bytes before they are allocated.
//!
//! It allocates nothing itself.

use std::cell::Cell;

/// A number of bytes, of which parts are taken.
#[derive(Debug)]
pub(crate) struct Room {
    limit: u64,
    left: Cell<u64>,
}

/// There is no room for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full {
    /// The bytes of the whole room.
    pub(crate) limit: u64,
}

impl Room {
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, left: Cell::new(limit) }
    }

    /// Takes as many bytes.
    ///
    /// # Errors
    /// [`Full`] if fewer are left.
    #[inline]
    pub(crate) fn take(&self, bytes: usize) -> Result<(), Full> {
        let left = self.left.get().checked_sub(bytes as u64).ok_or(Full { limit: self.limit })?;
        self.left.set(left);
        Ok(())
    }
}
