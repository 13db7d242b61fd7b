//! The bytes that a base64 text stands for, decoded some thousand at a time, whole groups at once.

use std::cell::Cell;
use std::io::{self, BufRead, Read};

use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{DecodeError, DecodeSliceError, Engine, alphabet};

/// Base64 with or without padding, as Tiled reads it.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// So many characters are decoded at a time: whole groups of 4, which are 3 bytes.
const CHARACTERS: usize = 4 << 10;
const BYTES: usize = CHARACTERS / 4 * 3;

/// A decoder may be so many bytes ahead of the output that it has handed on: a block of zstd is 128 KiB.
const AHEAD: u64 = 192 << 10;

/// Said of a stream that is over its [`Budget`].
pub(super) const WASTEFUL: &str = "most of the compressed data holds no cells";

/// How much compressed input is read for how much output.
///
/// Input without output only takes time: a gzip stream may be millions of empty members, a deflate stream
/// millions of empty blocks.
#[derive(Default)]
pub(super) struct Budget {
    /// The bytes that a stream may have beyond those that its output accounts for.
    pub(super) spare: u64,
    /// The bytes that came out of the stream.
    pub(super) output: Cell<u64>,
}

impl Budget {
    /// The bytes of a stream of `input` bytes for which there is no output. Data that cannot be made smaller
    /// grows by a few parts in a thousand, and each stream has a head and a checksum.
    pub(super) fn excess(&self, input: u64) -> u64 {
        let output = self.output.get();
        input.saturating_sub(64 + output + output / 4)
    }
}

/// Reads the bytes that a text without white space encodes.
pub(super) struct Base64Text<'t> {
    text: &'t [u8],
    /// Where the characters that are not yet decoded start.
    at: usize,
    bytes: [u8; BYTES],
    /// How many of `bytes` have been read, and how many there are.
    read: usize,
    filled: usize,
    /// All that were decoded.
    pub(super) decoded: u64,
    budget: &'t Budget,
}

impl<'t> Base64Text<'t> {
    pub(super) fn new(text: &'t [u8], budget: &'t Budget) -> Self {
        Self { text, at: 0, bytes: [0; BYTES], read: 0, filled: 0, decoded: 0, budget }
    }

    /// Decodes the next characters.
    fn decode(&mut self) -> Result<(), DecodeError> {
        let rest = &self.text[self.at..];
        let piece = &rest[..rest.len().min(CHARACTERS)];
        let decoded = BASE64.decode_slice(piece, &mut self.bytes);
        let filled = decoded.map_err(|error| match error {
            DecodeSliceError::DecodeError(error) => within(error, self.at),
            DecodeSliceError::OutputSliceTooSmall => DecodeError::InvalidLength(self.at),
        })?;
        self.at += piece.len();
        // Padding ends the text.
        if filled < BYTES && self.at < self.text.len() {
            return Err(DecodeError::InvalidPadding);
        }
        (self.read, self.filled) = (0, filled);
        self.decoded += filled as u64;
        Ok(())
    }
}

/// An error of the piece of a text that starts at `at`, with its place in the whole.
fn within(error: DecodeError, at: usize) -> DecodeError {
    match error {
        DecodeError::InvalidByte(place, byte) => DecodeError::InvalidByte(at + place, byte),
        DecodeError::InvalidLength(length) => DecodeError::InvalidLength(at + length),
        DecodeError::InvalidLastSymbol(place, byte) => {
            DecodeError::InvalidLastSymbol(at + place, byte)
        }
        DecodeError::InvalidPadding => DecodeError::InvalidPadding,
    }
}

impl BufRead for Base64Text<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.filled && self.at < self.text.len() {
            if self.budget.excess(self.decoded) > self.budget.spare + AHEAD {
                return Err(io::Error::new(io::ErrorKind::InvalidData, WASTEFUL));
            }
            let decoded = self.decode();
            decoded.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        }
        Ok(&self.bytes[self.read..self.filled])
    }

    fn consume(&mut self, count: usize) {
        self.read = (self.read + count).min(self.filled);
    }
}

impl Read for Base64Text<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

/// The bytes that `text` encodes, white space aside; `None` if it is broken.
pub(super) fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let text: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    BASE64.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generous() -> Budget {
        Budget { spare: u64::from(u32::MAX), ..Budget::default() }
    }

    #[test]
    fn it_reads_what_the_library_decodes_at_every_length() {
        let mut random = fastrand::Rng::with_seed(3);
        let lengths = (0..70).chain(BYTES - 3..BYTES + 4).chain([2 * BYTES, 2 * BYTES + 5]);
        for length in lengths {
            let bytes: Vec<u8> = (0..length).map(|_| random.u8(..)).collect();
            let text = BASE64.encode(&bytes);
            for text in [text.as_str(), text.trim_end_matches('=')] {
                let mut read = Vec::new();
                let count = Base64Text::new(text.as_bytes(), &generous()).read_to_end(&mut read);
                assert_eq!((count.unwrap(), &read), (length, &bytes));
            }
        }
    }

    #[test]
    fn a_fault_is_told_with_its_place_in_the_whole_text() {
        let bad = |text: &[u8]| {
            let error =
                Base64Text::new(text, &generous()).read_to_end(&mut Vec::new()).unwrap_err();
            error.to_string()
        };
        let mut text = vec![b'A'; 2 * CHARACTERS];
        text[CHARACTERS + 6] = b'!';
        assert!(bad(&text).contains(&format!("offset {}", CHARACTERS + 6)), "{}", bad(&text));
        text[CHARACTERS + 6] = b'A';
        text[CHARACTERS - 1] = b'=';
        assert_eq!(bad(&text), DecodeError::InvalidPadding.to_string());
        assert!(bad(b"AAAA=AAA").contains("offset 4"), "{}", bad(b"AAAA=AAA"));
        assert!(!bad(b"A").is_empty());
    }
}
