//! A layer's cell data: csv, base64 (plain, zlib, gzip, zstd) or `<tile>` elements, decoded a thousand
//! numbers at a time.
//!
//! A layer of `n` cells yields exactly `n` numbers and then ends, checksums right and nothing left over, or
//! it is an error. Compressed data is decoded through a buffer of fixed size, so that it takes no more memory
//! than the layer's size needs.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::slice::Iter;

use flate2::bufread::{MultiGzDecoder, ZlibDecoder};
use glam::UVec2;

use super::base64_text::{Base64Text, Budget, WASTEFUL};
use super::value::wrong;
use crate::error::LoadErrorKind;
use crate::tmx::cursor::xml;

/// So many numbers are decoded at a time.
const BATCH: usize = 1_024;

/// The cell data of a layer or a chunk, not yet decoded.
pub(super) struct CellData<'t> {
    /// `None` for `<tile>` elements.
    pub(super) encoding: Option<Encoding>,
    pub(super) text: Cow<'t, str>,
    /// The numbers of `<tile>` elements.
    pub(super) numbers: Vec<u32>,
}

/// How numbers become text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Csv,
    /// Base64 of bytes that are not compressed.
    Base64,
    /// Base64 of bytes that are compressed by zlib.
    Zlib,
    /// The same with gzip.
    Gzip,
    /// The same with zstd.
    Zstd,
}

impl Encoding {
    /// The encoding that the attributes of `<data>` name; `None` for `<tile>` elements.
    pub(super) fn parse(
        encoding: Option<&str>,
        compression: Option<&str>,
    ) -> Result<Option<Self>, LoadErrorKind> {
        let base64 = match compression {
            None | Some("") => Self::Base64,
            Some("zlib") => Self::Zlib,
            Some("gzip") => Self::Gzip,
            Some("zstd") => Self::Zstd,
            Some(other) => return Err(wrong("data", "compression", other, "zlib, gzip or zstd")),
        };
        match encoding {
            Some("base64") => Ok(Some(base64)),
            _ if base64 != Self::Base64 => Err(broken("only base64 data can be compressed")),
            Some("csv") => Ok(Some(Self::Csv)),
            None | Some("") => Ok(None),
            Some(other) => Err(wrong("data", "encoding", other, "csv or base64")),
        }
    }
}

/// The bytes of input without output that the compressed layers of a map, or of all maps of a world, may have
/// together: see [`Budget`]. An empty member of a gzip stream has 20 bytes and takes 3 us, so that all of
/// them take 0.15 s.
const SPARE_INPUT: u64 = 1 << 20;

/// The numbers of a layer of `size` cells, row by row.
///
/// If `is_lenient`, numbers too many are left out and missing ones are 0, and the fault is returned too.
/// `spent` is the part of [`SPARE_INPUT`] that other layers have used.
///
/// # Errors
/// Data that is broken, or has fewer or more numbers; no memory for them.
pub(super) fn decode(
    data: &CellData<'_>,
    size: UVec2,
    is_lenient: bool,
    spent: &mut u64,
) -> Result<(Vec<u32>, Option<LoadErrorKind>), LoadErrorKind> {
    match data.encoding {
        Some(_) if !data.numbers.is_empty() => {
            return Err(xml("<tile> elements in a layer of encoded data"));
        }
        None if !data.text.trim_ascii().is_empty() => {
            return Err(xml("cell data without an encoding"));
        }
        _ => {}
    }
    let needed = u64::from(size.x) * u64::from(size.y);
    let mut numbers = Vec::new();
    let length = usize::try_from(needed).ok();
    let Some(length) = length.filter(|length| numbers.try_reserve_exact(*length).is_ok()) else {
        return Err(LoadErrorKind::NoMemory { cells: needed });
    };
    let mut cells = Cells { size, numbers, missing: length, surplus: 0, is_lenient };
    match data.encoding {
        None => cells.push(&data.numbers)?,
        Some(Encoding::Csv) => csv(data.text.as_bytes(), &mut cells)?,
        Some(encoding) => base64(&data.text, encoding, spent, &mut cells)?,
    }
    let found = cells.numbers.len() as u64 + cells.surplus;
    if found == needed {
        return Ok((cells.numbers, None));
    }
    let fault = cells.wrong_count(found);
    if !is_lenient {
        return Err(fault);
    }
    cells.numbers.resize(length, 0);
    Ok((cells.numbers, Some(fault)))
}

/// The numbers so far.
struct Cells {
    size: UVec2,
    numbers: Vec<u32>,
    /// How many are still to come.
    missing: usize,
    /// How many came beyond those.
    surplus: u64,
    is_lenient: bool,
}

impl Cells {
    fn push(&mut self, numbers: &[u32]) -> Result<(), LoadErrorKind> {
        let (wanted, more) = numbers.split_at(numbers.len().min(self.missing));
        self.numbers.extend_from_slice(wanted);
        self.missing -= wanted.len();
        self.surplus += more.len() as u64;
        match more.is_empty() || self.is_lenient {
            true => Ok(()),
            false => Err(self.wrong_count(self.numbers.len() as u64 + 1)),
        }
    }

    fn wrong_count(&self, found: u64) -> LoadErrorKind {
        LoadErrorKind::CellCount { found, width: self.size.x, height: self.size.y }
    }
}

/// Numbers separated by commas, with white space around them; Tiled also takes a comma after the last one.
fn csv(text: &[u8], cells: &mut Cells) -> Result<(), LoadErrorKind> {
    let mut bytes = text.iter();
    let mut numbers = Vec::with_capacity(BATCH);
    loop {
        numbers.clear();
        let more = csv_numbers(&mut bytes, &mut numbers);
        // A number too many comes before a fault behind it.
        cells.push(&numbers)?;
        if !more? {
            return Ok(());
        }
    }
}

/// Takes numbers with their commas off the start of `bytes`, until `numbers` is full; false at the end.
fn csv_numbers(bytes: &mut Iter<'_, u8>, numbers: &mut Vec<u32>) -> Result<bool, LoadErrorKind> {
    while numbers.len() < BATCH {
        let mut next = after_space(bytes);
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
            next = after_space(bytes);
        }
        match next {
            None => return Ok(false),
            Some(b',') => {}
            Some(other) => return Err(unexpected(other, "a comma")),
        }
    }
    Ok(true)
}

/// The next byte that is no white space.
fn after_space(bytes: &mut Iter<'_, u8>) -> Option<u8> {
    bytes.find(|byte| !byte.is_ascii_whitespace()).copied()
}

#[cold]
fn unexpected(found: u8, wanted: &str) -> LoadErrorKind {
    let found = char::from(found).escape_default();
    broken(format!("`{found}` where {wanted} should be"))
}

fn base64(
    text: &str,
    encoding: Encoding,
    spent: &mut u64,
    cells: &mut Cells,
) -> Result<(), LoadErrorKind> {
    let text = text.trim_ascii().as_bytes();
    // By blocks, as the text of a file is looked at for control characters, of which it has none.
    let has_space = |block: &[u8]| block.iter().fold(false, |any, byte| any | (*byte <= b' '));
    let text: Cow<'_, [u8]> = if text.chunks(256).any(has_space) {
        let bytes = text.iter().copied();
        bytes.filter(|byte| !byte.is_ascii_whitespace()).collect()
    } else {
        text.into()
    };
    let budget = Budget { spare: SPARE_INPUT.saturating_sub(*spent), ..Budget::default() };
    let mut bytes = Base64Text::new(&text, &budget);
    let output = &budget.output;
    match encoding {
        Encoding::Zlib => numbers(ZlibDecoder::new(&mut bytes), output, cells)?,
        Encoding::Gzip => numbers(MultiGzDecoder::new(&mut bytes), output, cells)?,
        #[cfg(feature = "zstd")]
        Encoding::Zstd => {
            use ruzstd::decoding::StreamingDecoder;

            let mut decoder = StreamingDecoder::new(&mut bytes).map_err(broken)?;
            numbers(&mut decoder, output, cells)?;
            // The library reads the checksum of the frame, but leaves it to the caller to look at it.
            let frame = &decoder.decoder;
            let stated = frame.get_checksum_from_data();
            if stated.is_some() && stated != frame.get_calculated_checksum() {
                return Err(broken("its checksum is wrong"));
            }
        }
        #[cfg(not(feature = "zstd"))]
        Encoding::Zstd => {
            let found = "the cell data is compressed with zstd";
            return Err(LoadErrorKind::MissingFeature { found, feature: "zstd" });
        }
        Encoding::Csv | Encoding::Base64 => return numbers(bytes, output, cells),
    }
    if !bytes.fill_buf().map_err(broken)?.is_empty() {
        return Err(broken("more data follows the compressed cells"));
    }
    let excess = budget.excess(bytes.decoded);
    if excess > budget.spare {
        return Err(broken(WASTEFUL));
    }
    *spent += excess;
    Ok(())
}

/// Little-endian numbers of 4 bytes, to the end of the data; `output` counts the bytes.
fn numbers(
    mut data: impl Read,
    output: &Cell<u64>,
    cells: &mut Cells,
) -> Result<(), LoadErrorKind> {
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

fn broken(reason: impl ToString) -> LoadErrorKind {
    LoadErrorKind::CellData { reason: reason.to_string() }
}

#[cfg(test)]
mod tests;
