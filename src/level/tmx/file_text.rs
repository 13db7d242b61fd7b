//! The text of a file: UTF-8 without control characters, as TMX has it, or made from JSON.

use std::borrow::Cow;

use super::attributes::xml;
use super::json;
use crate::error::LoadErrorKind;
use crate::json::is_json;
use crate::limits::{Limits, check};

/// The text of a map, tileset or template file, in TMX's own form.
pub(super) struct FileText<'a> {
    pub(super) text: Cow<'a, str>,
    /// True if it was made from another form, so that its lines are not those of the file.
    pub(super) is_made: bool,
}

impl<'a> FileText<'a> {
    /// The text of a file of these bytes.
    ///
    /// # Errors
    /// A file that is too large, or no text.
    pub(super) fn new(bytes: &'a [u8], limits: &Limits) -> Result<Self, LoadErrorKind> {
        check("bytes in the file", bytes.len() as u64, limits.file_bytes)?;
        if is_json(bytes) {
            let text = String::from_utf8(json::to_xml(bytes, limits)?);
            return Ok(Self {
                text: text.map_err(|error| xml(error.to_string()))?.into(),
                is_made: true,
            });
        }
        let text = text_of(bytes)?;
        Ok(Self {
            text: text.into(),
            is_made: false,
        })
    }
}

/// The text of a file, if it is one.
fn text_of(bytes: &[u8]) -> Result<&str, LoadErrorKind> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes)
        .map_err(|error| xml(format!("not UTF-8 text (at byte {})", error.valid_up_to())))?;
    let is_control = |byte: u8| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
    // By blocks, without an early exit within one: then the compiler looks at 16 bytes at a time.
    let has_one = |block: &[u8]| {
        block
            .iter()
            .fold(false, |any, byte| any | is_control(*byte))
    };
    let block = text.as_bytes().chunks(256).position(has_one);
    let found = block.and_then(|block| {
        let within = text.bytes().skip(block * 256).position(is_control)?;
        Some(block * 256 + within)
    });
    match found {
        Some(at) => Err(xml(format!("a control character (at byte {at})"))),
        None => Ok(text),
    }
}

/// How many lines end in a text. Each block counts into a byte: then the compiler looks at 16 at a time.
pub(super) fn line_ends(text: &[u8]) -> u32 {
    let blocks = text.chunks(usize::from(u8::MAX));
    blocks.fold(0, |lines, block| {
        let ends = block
            .iter()
            .fold(0u8, |ends, byte| ends + u8::from(*byte == b'\n'));
        lines.saturating_add(u32::from(ends))
    })
}
