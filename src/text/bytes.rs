//! Saves bytes in text formats and in binary formats.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// Bytes that are saved as hexadecimal digits in a text format, and as bytes in a binary format.
pub(crate) struct Bytes<'b>(pub(crate) Cow<'b, [u8]>);

impl fmt::Display for Bytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        // The bytes are written in parts, because a formatter is slow for single letters.
        for part in self.0.chunks(256) {
            let digits = part.iter().flat_map(|byte| [byte >> 4, byte & 15]);
            let text: String = digits.map(|digit| DIGITS[usize::from(digit)] as char).collect();
            f.write_str(&text)?;
        }
        Ok(())
    }
}

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return serializer.collect_str(self);
        }
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = if deserializer.is_human_readable() {
            deserializer.deserialize_str(BytesVisitor)
        } else {
            deserializer.deserialize_byte_buf(BytesVisitor)
        };
        Ok(Self(Cow::Owned(bytes?)))
    }
}

/// The value of two hexadecimal digits.
fn byte_of(digits: &[u8; 2]) -> Option<u8> {
    let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
    Some((high? << 4 | low?) as u8)
}

struct BytesVisitor;

impl Visitor<'_> for BytesVisitor {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes, in text as two hexadecimal digits each")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<u8>, E> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let bytes: Option<Vec<u8>> = pairs.iter().map(byte_of).collect();
        let bytes = bytes.filter(|_| rest.is_empty());
        bytes.ok_or_else(|| E::custom("a text of bytes is not made of pairs of hexadecimal digits"))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }
}
