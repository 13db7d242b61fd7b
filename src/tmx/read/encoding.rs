//! Converts a file to UTF-8, as Tiled does: from UTF-16 with a byte order mark, and from a western encoding
//! that an XML declaration names.

use std::borrow::Cow;

use super::cursor::{not_utf8, xml};
use crate::error::LoadErrorKind;
use crate::limits::{FILE_BYTES, check};

/// The text of a file in UTF-8, and the fault of a file that is not in UTF-8 or UTF-16.
type Text<'b> = (Cow<'b, str>, Option<LoadErrorKind>);

/// The names of encodings that are read as windows-1252. It has all characters of ISO-8859-1, whose control
/// characters from 0x80 to 0x9f no text has.
const WESTERN: [&str; 5] = ["iso-8859-1", "iso8859-1", "latin1", "windows-1252", "cp1252"];

/// The characters of windows-1252 from 0x80 to 0x9f. The five bytes without a character are themselves.
const HIGH: &str = "\u{20ac}\u{81}\u{201a}\u{192}\u{201e}\u{2026}\u{2020}\u{2021}\u{2c6}\u{2030}\u{160}\
                    \u{2039}\u{152}\u{8d}\u{17d}\u{8f}\u{90}\u{2018}\u{2019}\u{201c}\u{201d}\u{2022}\
                    \u{2013}\u{2014}\u{2dc}\u{2122}\u{161}\u{203a}\u{153}\u{9d}\u{17e}\u{178}";

/// Returns the text of a file in UTF-8. `is_lenient` allows text in any encoding that includes ASCII: its
/// other characters are then read as windows-1252. O(bytes).
///
/// # Errors
/// Fails for broken UTF-16, for another encoding, and for a text of more than `limit` bytes in UTF-8.
pub(super) fn to_utf8(
    bytes: &[u8],
    limit: u64,
    is_lenient: bool,
) -> Result<Text<'_>, LoadErrorKind> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return of_bytes(bytes, limit, is_lenient),
    };
    let (units, rest) = bytes[2..].as_chunks();
    let mut text = String::new();
    let mut end = 2;
    for character in char::decode_utf16(units.iter().copied().map(unit)) {
        let character = character.map_err(|_| xml(format!("not UTF-16 text (at byte {end})")))?;
        text.push(character);
        end += 2 * character.len_utf16();
    }
    if !rest.is_empty() {
        return Err(xml(format!("not UTF-16 text (at byte {end})")));
    }
    check(FILE_BYTES, text.len() as u64, limit)?;
    Ok((text.into(), None))
}

fn of_bytes(bytes: &[u8], limit: u64, is_lenient: bool) -> Result<Text<'_>, LoadErrorKind> {
    let stated = stated_encoding(bytes);
    let stated = stated.as_deref().filter(|_| !bytes.starts_with(b"\xef\xbb\xbf"));
    // .NET writes `utf-16` into a text that it then saves as UTF-8.
    let is_utf8 = matches!(stated, None | Some("utf-8" | "utf8" | "utf-16"));
    let is_western = stated.is_some_and(|name| WESTERN.contains(&name));
    let fault = match std::str::from_utf8(bytes) {
        Err(error) if is_utf8 => not_utf8(error.valid_up_to()),
        Ok(text) if is_utf8 || text.is_ascii() => {
            return Ok((text.into(), None));
        }
        _ => {
            let name = stated.unwrap_or_default();
            let reason = format!("text in the encoding {name}, not UTF-8 or UTF-16");
            LoadErrorKind::Encoding { reason }
        }
    };
    if !is_western && !is_lenient {
        return Err(fault);
    }
    let characters = bytes.iter().map(|byte| match byte {
        0x80..0xa0 => HIGH.chars().nth(usize::from(byte - 0x80)).unwrap_or_default(),
        _ => char::from(*byte),
    });
    let text: String = characters.collect();
    check(FILE_BYTES, text.len() as u64, limit)?;
    Ok((text.into(), Some(fault)))
}

/// Returns the name in the XML declaration of a file, in lower case.
fn stated_encoding(bytes: &[u8]) -> Option<String> {
    let head = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let end = head.iter().take(256).position(|byte| *byte == b'>')?;
    let head = std::str::from_utf8(&head[..end]).ok()?;
    let (_, name) = head.strip_prefix("<?xml")?.split_once("encoding")?;
    let name = name.trim_start_matches([' ', '=']).get(1..)?;
    Some(name.split(['"', '\'']).next()?.to_ascii_lowercase())
}
