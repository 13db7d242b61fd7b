//! Bytes in the files of the feature `serde`: two hexadecimal digits each where people read, else as they
//! are.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// Bytes of a file.
pub(crate) struct Bytes<'b>(pub(crate) Cow<'b, [u8]>);

impl fmt::Display for Bytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
        // In parts, because a formatter is slow for single letters.
        for part in self.0.chunks(256) {
            let digits = part.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
            f.write_str(&digits.collect::<String>())?;
        }
        Ok(())
    }
}

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() {
            true => serializer.collect_str(self),
            false => serializer.serialize_bytes(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Bytes<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = match deserializer.is_human_readable() {
            true => deserializer.deserialize_str(Reader),
            false => deserializer.deserialize_byte_buf(Reader),
        };
        Ok(Self(Cow::Owned(bytes?)))
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes, in text as two hexadecimal digits each")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<u8>, E> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let digit = |digit: u8| char::from(digit).to_digit(16);
        let byte = |[high, low]: &[u8; 2]| Some((digit(*high)? << 4 | digit(*low)?) as u8);
        let bytes: Option<Vec<u8>> = pairs.iter().map(byte).collect();
        let bytes = bytes.filter(|_| rest.is_empty());
        bytes.ok_or_else(|| E::custom("a text of bytes is not made of pairs of hexadecimal digits"))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
        Ok(bytes)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<u8>, A::Error> {
        // The stated length may be anything, so that no memory is taken ahead.
        let mut bytes = Vec::new();
        while let Some(byte) = items.next_element()? {
            bytes.push(byte);
        }
        Ok(bytes)
    }
}
