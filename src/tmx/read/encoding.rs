//! Turns the bytes of a file into text: from UTF-8, or from UTF-16 with a byte order mark, as in Tiled.

use std::borrow::Cow;

use quick_xml::events::BytesDecl;

use super::cursor::{is_control, xml};
use crate::error::LoadErrorKind;
use crate::limits::{FILE_BYTES, check};

/// The bytes of a file in UTF-8. A file in UTF-16, which starts with a byte order mark, is converted; other
/// bytes are returned as they are. O(bytes).
///
/// # Errors
/// Fails for broken UTF-16, and for a text that takes more than `limit` bytes in UTF-8.
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
        let broken = |_| xml(format!("not UTF-16 text (at byte {end})"));
        let character = character.map_err(broken)?;
        length += character.len_utf8();
        end += 2 * character.len_utf16();
    }
    if !rest.is_empty() {
        return Err(xml(format!("not UTF-16 text (at byte {end})")));
    }
    check(FILE_BYTES, length as u64, limit)?;
    // A broken character would have been found above.
    let characters = char::decode_utf16(units.iter().copied().map(unit)).flatten();
    let mut text = String::with_capacity(length);
    text.extend(characters);
    Ok(Cow::Owned(text.into_bytes()))
}

pub(super) fn text_of(bytes: &[u8]) -> Result<&str, LoadErrorKind> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes)
        .map_err(|error| xml(format!("not UTF-8 text (at byte {})", error.valid_up_to())))?;
    // By blocks, without an early exit within one: then the compiler checks 16 bytes at a time.
    let has_one = |block: &[u8]| block.iter().fold(false, |any, byte| any | is_control(*byte));
    if text.as_bytes().chunks(256).any(has_one)
        && let Some(at) = text.bytes().position(is_control)
    {
        return Err(xml(format!("a control character (at byte {at})")));
    }
    Ok(text)
}

/// Refuses a file without a byte order mark of UTF-16 whose bytes may mean other characters than in UTF-8.
///
/// A file of plain ASCII may name any encoding that includes ASCII. It may also name UTF-16: .NET writes that
/// name for a string that is then saved as UTF-8.
pub(super) fn check_encoding(decl: &BytesDecl<'_>, text: &str) -> Result<(), LoadErrorKind> {
    const LIKE_ASCII: &str = "utf8 utf-16 ascii us-ascii ansi iso-8859- iso8859 latin windows- cp125 koi8- \
                              gb big5 euc- shift_jis tis-";
    let Some(name) = decl.encoding() else {
        return Ok(());
    };
    let name = name.map_err(|error| xml(error.to_string()))?;
    let lower = name.to_ascii_lowercase();
    let is_like_ascii = LIKE_ASCII.split(' ').any(|known| lower.starts_with(known));
    if lower == "utf-8" || (is_like_ascii && text.is_ascii()) {
        return Ok(());
    }
    Err(xml(format!("text in the encoding {name}, not UTF-8 or UTF-16")))
}
