//! A layer's cell data: csv, base64 (plain, zlib, gzip, zstd) or `<tile>` elements, decoded a thousand
//! numbers at a time.
//!
//! A layer of `n` cells yields exactly `n` numbers and then ends, checksums right and nothing left over, or
//! it is an error. Compressed data is decoded through a buffer of fixed size, so no data makes more of
//! itself than the layer's size says.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, BufRead, Read};

use glam::UVec2;

use super::base64_text::{Base64Text, Budget, WASTEFUL};
use crate::error::LoadErrorKind;

/// So many numbers are decoded at a time.
const BATCH: usize = 1_024;

/// The cell data of a layer, not yet decoded.
pub(super) enum CellData<'a> {
    /// Text in an encoding.
    Text { encoding: Encoding, text: Cow<'a, str> },
    /// The numbers of `<tile>` elements.
    Numbers(Vec<u32>),
}

/// How numbers become text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Csv,
    Base64(Compression),
}

/// How bytes were made smaller before they became base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Zlib,
    Gzip,
    Zstd,
}

impl Encoding {
    /// The encoding that the attributes of `<data>` name; `None` for `<tile>` elements.
    pub(super) fn parse(
        encoding: Option<&str>,
        compression: Option<&str>,
    ) -> Result<Option<Self>, LoadErrorKind> {
        let unknown = |attribute: &str, value: &str, expected| LoadErrorKind::Value {
            element: "data",
            attribute: attribute.to_owned(),
            value: value.to_owned(),
            expected,
        };
        let compression = match compression {
            None | Some("") => Compression::None,
            Some("zlib") => Compression::Zlib,
            Some("gzip") => Compression::Gzip,
            Some("zstd") => Compression::Zstd,
            Some(other) => return Err(unknown("compression", other, "zlib, gzip or zstd")),
        };
        match encoding {
            Some("base64") => Ok(Some(Self::Base64(compression))),
            _ if compression != Compression::None => Err(LoadErrorKind::CellData {
                reason: "only base64 data can be compressed".to_owned(),
            }),
            Some("csv") => Ok(Some(Self::Csv)),
            None | Some("") => Ok(None),
            Some(other) => Err(unknown("encoding", other, "csv or base64")),
        }
    }
}

/// Input of the compressed layers of a map, or of all maps of a world, that is for no output, in bytes: see
/// [`Budget`]. At 20 bytes for an empty member of gzip, which takes 3 us, it costs 0.15 s.
pub(super) const SPARE_INPUT: u64 = 1 << 20;

/// The numbers of a layer of `size` cells, row by row.
///
/// If `is_lenient`, numbers too many are left out and missing ones are 0, and the fault is returned too.
/// `spare` is what is left of [`SPARE_INPUT`].
///
/// # Errors
/// Data that is broken, or has fewer or more numbers; no memory for them.
pub(super) fn decode(
    data: &CellData<'_>,
    size: UVec2,
    is_lenient: bool,
    spare: &mut u64,
) -> Result<(Vec<u32>, Option<LoadErrorKind>), LoadErrorKind> {
    let needed = u64::from(size.x) * u64::from(size.y);
    let no_memory = LoadErrorKind::NoMemory { cells: needed };
    let Ok(length) = usize::try_from(needed) else {
        return Err(no_memory);
    };
    let mut cells = Cells { numbers: Vec::new(), missing: length, surplus: 0, is_lenient };
    if cells.numbers.try_reserve_exact(length).is_err() {
        return Err(no_memory);
    }
    let count = |found| LoadErrorKind::CellCount { found, width: size.x, height: size.y };
    let filled = match data {
        CellData::Numbers(numbers) => cells.push(numbers),
        CellData::Text { encoding, text } => match encoding {
            Encoding::Csv => csv(text.as_bytes(), &mut cells),
            Encoding::Base64(compression) => base64(text, *compression, spare, &mut cells),
        },
    };
    filled.map_err(|fault| match fault {
        Fault::TooMany => count(needed + 1),
        Fault::Broken(reason) => LoadErrorKind::CellData { reason },
    })?;
    let found = cells.numbers.len() as u64 + cells.surplus;
    if found == needed {
        return Ok((cells.numbers, None));
    }
    if !is_lenient {
        return Err(count(found));
    }
    cells.numbers.resize(length, 0);
    Ok((cells.numbers, Some(count(found))))
}

/// The numbers so far.
struct Cells {
    numbers: Vec<u32>,
    /// How many are still to come.
    missing: usize,
    /// How many came beyond those.
    surplus: u64,
    is_lenient: bool,
}

/// Why there are no numbers.
enum Fault {
    TooMany,
    Broken(String),
}

impl Cells {
    fn push(&mut self, numbers: &[u32]) -> Result<(), Fault> {
        let (wanted, more) = numbers.split_at(numbers.len().min(self.missing));
        self.numbers.extend_from_slice(wanted);
        self.missing -= wanted.len();
        self.surplus += more.len() as u64;
        match more.is_empty() || self.is_lenient {
            true => Ok(()),
            false => Err(Fault::TooMany),
        }
    }
}

/// Numbers separated by commas, with white space around them; Tiled also takes a comma after the last one.
fn csv(mut text: &[u8], cells: &mut Cells) -> Result<(), Fault> {
    let mut numbers = Vec::with_capacity(BATCH);
    loop {
        numbers.clear();
        let more = csv_numbers(&mut text, &mut numbers);
        // A number too many comes before a fault behind it.
        cells.push(&numbers)?;
        if !more? {
            return Ok(());
        }
    }
}

/// Takes numbers with their commas off the start of `text`, until `numbers` is full; false at the end.
fn csv_numbers(text: &mut &[u8], numbers: &mut Vec<u32>) -> Result<bool, Fault> {
    let mut bytes = text.iter();
    while numbers.len() < BATCH {
        let mut next = after_space(&mut bytes);
        let Some(first) = next else {
            return Ok(false);
        };
        let mut number = u64::from(first.wrapping_sub(b'0'));
        if number > 9 {
            return Err(unexpected(first, "a tile's number"));
        }
        loop {
            next = bytes.next().copied();
            match next {
                Some(digit @ b'0'..=b'9') => number = number * 10 + u64::from(digit - b'0'),
                _ => break,
            }
            if number > u64::from(u32::MAX) {
                return Err(broken("a number over 4294967295"));
            }
        }
        numbers.push(number as u32);
        if next.is_some_and(|byte| byte.is_ascii_whitespace()) {
            next = after_space(&mut bytes);
        }
        match next {
            None => return Ok(false),
            Some(b',') => {}
            Some(other) => return Err(unexpected(other, "a comma")),
        }
    }
    *text = bytes.as_slice();
    Ok(true)
}

/// The next byte that is no white space.
fn after_space(bytes: &mut std::slice::Iter<'_, u8>) -> Option<u8> {
    bytes.find(|byte| !byte.is_ascii_whitespace()).copied()
}

#[cold]
fn unexpected(found: u8, wanted: &str) -> Fault {
    let found = char::from(found).escape_default();
    broken(format!("`{found}` where {wanted} should be"))
}

fn base64(
    text: &str,
    compression: Compression,
    spare: &mut u64,
    cells: &mut Cells,
) -> Result<(), Fault> {
    let text = text.trim_ascii().as_bytes();
    // By blocks, as the text of a file is looked at for control characters, of which it has none.
    let has_space = |block: &[u8]| block.iter().fold(false, |any, byte| any | (*byte <= b' '));
    let text: Cow<'_, [u8]> = if text.chunks(256).any(has_space) {
        let bytes = text.iter().copied();
        bytes.filter(|byte| !byte.is_ascii_whitespace()).collect()
    } else {
        text.into()
    };
    let budget = Budget { spare: *spare, ..Budget::default() };
    let mut bytes = Base64Text::new(&text, &budget);
    let output = &budget.output;
    match compression {
        Compression::None => return numbers(bytes, output, cells),
        Compression::Zlib => {
            numbers(flate2::bufread::ZlibDecoder::new(&mut bytes), output, cells)?;
        }
        Compression::Gzip => {
            numbers(flate2::bufread::MultiGzDecoder::new(&mut bytes), output, cells)?;
        }
        Compression::Zstd => {
            let mut decoder =
                ruzstd::decoding::StreamingDecoder::new(&mut bytes).map_err(broken)?;
            numbers(&mut decoder, output, cells)?;
            // The library reads the checksum of the frame, but leaves it to the caller to look at it.
            let frame = &decoder.decoder;
            let stated = frame.get_checksum_from_data();
            if stated.is_some() && stated != frame.get_calculated_checksum() {
                return Err(broken("its checksum is wrong"));
            }
        }
    }
    ends(&mut bytes)?;
    let left = spare.checked_sub(budget.excess(bytes.decoded));
    *spare = left.ok_or_else(|| broken(WASTEFUL))?;
    Ok(())
}

/// Little-endian numbers of 4 bytes, to the end of the data; `output` counts the bytes.
fn numbers(mut data: impl Read, output: &Cell<u64>, cells: &mut Cells) -> Result<(), Fault> {
    let mut buffer = [0; BATCH * 4];
    let mut numbers = [0; BATCH];
    let mut filled = 0;
    loop {
        match data.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => {
                filled += read;
                output.set(output.get() + read as u64);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(broken(error)),
        }
        let (whole, rest) = buffer[..filled].as_chunks::<4>();
        for (number, bytes) in numbers.iter_mut().zip(whole) {
            *number = u32::from_le_bytes(*bytes);
        }
        cells.push(&numbers[..whole.len()])?;
        let start = filled - rest.len();
        buffer.copy_within(start..filled, 0);
        filled -= start;
    }
    if filled > 0 {
        return Err(broken("it ends within a tile's number"));
    }
    Ok(())
}

/// An error if something follows the compressed data.
fn ends(bytes: &mut Base64Text<'_>) -> Result<(), Fault> {
    match bytes.fill_buf() {
        Ok([]) => Ok(()),
        Ok(_) => Err(broken("more data follows the compressed cells")),
        Err(error) => Err(broken(error)),
    }
}

fn broken(reason: impl ToString) -> Fault {
    Fault::Broken(reason.to_string())
}

#[cfg(test)]
mod tests;
