//! Converts a file in UTF-16 with a byte order mark to UTF-8, as Tiled does.

use std::borrow::Cow;

use super::cursor::xml;
use crate::error::LoadErrorKind;
use crate::limits::{FILE_BYTES, check};

/// Returns the bytes of a file in UTF-8. A file that starts with a byte order mark of UTF-16 is converted;
/// other bytes stay unchanged. O(bytes).
///
/// # Errors
/// Fails for broken UTF-16, and for a text of more than `limit` bytes in UTF-8.
pub(super) fn to_utf8(bytes: &[u8], limit: u64) -> Result<Cow<'_, [u8]>, LoadErrorKind> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Ok(Cow::Borrowed(bytes)),
    };
    let (units, rest) = bytes[2..].as_chunks();
    let mut length = 0;
    let mut end = 2;
    for character in char::decode_utf16(units.iter().copied().map(unit)) {
        let character = character.map_err(|_| xml(format!("not UTF-16 text (at byte {end})")))?;
        length += character.len_utf8();
        end += 2 * character.len_utf16();
    }
    if !rest.is_empty() {
        return Err(xml(format!("not UTF-16 text (at byte {end})")));
    }
    check(FILE_BYTES, length as u64, limit)?;
    // Broken characters were reported above.
    let characters = char::decode_utf16(units.iter().copied().map(unit)).flatten();
    let mut text = String::with_capacity(length);
    text.extend(characters);
    Ok(Cow::Owned(text.into_bytes()))
}
