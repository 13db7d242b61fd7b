//! Numbers and texts in a section: little-endian, a text after the number of its bytes.

use super::envelope::Section;
use super::error::BakeError;
use crate::grid::Room;

/// The bytes of a section in the making.
#[derive(Default)]
pub(super) struct Output(pub(super) Vec<u8>);

impl Output {
    pub(super) fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn i32(&mut self, value: i32) {
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    /// The number of the items or bytes that follow.
    ///
    /// # Errors
    /// [`BakeError::NoMemory`] for more than a file can count.
    pub(super) fn count(&mut self, count: usize) -> Result<(), BakeError> {
        self.u32(u32::try_from(count).map_err(|_| BakeError::NoMemory)?);
        Ok(())
    }

    pub(super) fn text(&mut self, text: &str) -> Result<(), BakeError> {
        self.count(text.len())?;
        self.0.extend(text.as_bytes());
        Ok(())
    }

    /// The bytes, filled up to a multiple of 8 with zeros.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.0.resize(self.0.len().next_multiple_of(8), 0);
        self.0
    }
}

/// The bytes of a section that were not read yet.
pub(super) struct Input<'b> {
    rest: &'b [u8],
    length: usize,
    section: Section,
    /// For all that is made of the section.
    room: &'b Room,
}

impl<'b> Input<'b> {
    pub(super) fn new(section: Section, bytes: &'b [u8], room: &'b Room) -> Self {
        Self { rest: bytes, length: bytes.len(), section, room }
    }

    /// Counts the memory for as many values of a type, before it is allocated.
    ///
    /// # Errors
    /// [`BakeError::TooLarge`].
    pub(super) fn allot<T>(&self, count: usize) -> Result<(), BakeError> {
        Ok(self.room.take(count.saturating_mul(size_of::<T>()))?)
    }

    /// The error of a fault at this place.
    pub(super) fn fault(&self, reason: impl Into<String>) -> BakeError {
        BakeError::Content {
            section: self.section.name(),
            offset: Some((self.length - self.rest.len()) as u64),
            reason: reason.into(),
        }
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8], BakeError> {
        let split = self.rest.split_at_checked(count);
        let (taken, rest) = split.ok_or_else(|| self.fault("the section is cut off"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], BakeError> {
        let split = self.rest.split_first_chunk();
        let (taken, rest) = split.ok_or_else(|| self.fault("the section is cut off"))?;
        self.rest = rest;
        Ok(*taken)
    }

    pub(super) fn u8(&mut self) -> Result<u8, BakeError> {
        self.array().map(u8::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, BakeError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn i32(&mut self) -> Result<i32, BakeError> {
        self.array().map(i32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, BakeError> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn bool(&mut self) -> Result<bool, BakeError> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.fault("a flag is neither 0 nor 1")),
        }
    }

    /// The number of items that follow, of at least `least` bytes each.
    pub(super) fn count(&mut self, least: usize) -> Result<usize, BakeError> {
        let count = self.u32()? as usize;
        match count.checked_mul(least) {
            Some(bytes) if bytes <= self.rest.len() => Ok(count),
            _ => Err(self.fault("the section is too short for as many items as it states")),
        }
    }

    pub(super) fn text(&mut self) -> Result<String, BakeError> {
        let count = self.count(1)?;
        self.allot::<u8>(count)?;
        let bytes = self.take(count)?;
        let text = std::str::from_utf8(bytes);
        text.map(str::to_owned).map_err(|_| self.fault("a text is not UTF-8"))
    }

    /// Checks that nothing is left but zeros up to a multiple of 8 bytes.
    pub(super) fn finish(self) -> Result<(), BakeError> {
        match self.rest.len() < 8 && self.rest.iter().all(|byte| *byte == 0) {
            true => Ok(()),
            false => Err(self.fault("bytes follow the last item")),
        }
    }
}
