//! A layer's cell data: csv, base64 (plain, zlib, gzip, zstd) or `<tile>` elements, up to a thousand numbers
//! at a time.
//!
//! A layer of `n` cells yields exactly `n` numbers and then ends, checksums right and nothing left over, or
//! it is an error. Compressed data is decoded through a buffer of fixed size, so no data makes more of
//! itself than the layer's size says.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

use super::base64_text::Base64Text;
use crate::error::LoadErrorKind;

/// So many numbers are handed on at a time.
const BATCH: usize = 1_024;

/// The cell data of a layer, not yet decoded.
pub(super) enum CellData<'a> {
    /// Text in an encoding.
    Text {
        encoding: Encoding,
        text: Cow<'a, str>,
    },
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

/// Calls `cells` with the numbers of a layer of `width` x `height` cells, row by row, some at a time.
///
/// If `is_lenient`, numbers too many are left out and missing ones are 0, and the fault is returned.
///
/// # Errors
/// Data that is broken, or has fewer or more numbers; or whatever `cells` returns, at once.
pub(super) fn decode(
    data: &CellData<'_>,
    width: u32,
    height: u32,
    is_lenient: bool,
    mut cells: impl FnMut(&[u32]) -> Result<(), LoadErrorKind>,
) -> Result<Option<LoadErrorKind>, LoadErrorKind> {
    let needed = u64::from(width) * u64::from(height);
    let mut found = 0;
    let count = |found| LoadErrorKind::CellCount {
        found,
        width,
        height,
    };
    let counted = |numbers: &[u32]| {
        let missing = needed - needed.min(found);
        found += numbers.len() as u64;
        let (wanted, more) = match usize::try_from(missing) {
            Ok(missing) if missing < numbers.len() => numbers.split_at(missing),
            _ => (numbers, &[][..]),
        };
        cells(wanted)?;
        if more.is_empty() || is_lenient {
            Ok(())
        } else {
            Err(count(needed + 1))
        }
    };
    match data {
        CellData::Numbers(numbers) => numbers.chunks(BATCH).try_for_each(counted)?,
        CellData::Text { encoding, text } => match encoding {
            Encoding::Csv => csv(text.as_bytes(), counted)?,
            Encoding::Base64(compression) => base64(text, *compression, counted)?,
        },
    }
    if found == needed {
        return Ok(None);
    }
    if !is_lenient {
        return Err(count(found));
    }
    for first in (found..needed).step_by(BATCH) {
        let blank = (needed - first).min(BATCH as u64);
        cells(&[0; BATCH][..blank as usize])?;
    }
    Ok(Some(count(found)))
}

/// Numbers separated by commas, with white space around them; Tiled also takes a comma after the last one.
fn csv(
    mut text: &[u8],
    mut cells: impl FnMut(&[u32]) -> Result<(), LoadErrorKind>,
) -> Result<(), LoadErrorKind> {
    let mut numbers = Vec::with_capacity(BATCH);
    loop {
        numbers.clear();
        let more = csv_numbers(&mut text, &mut numbers);
        // What stands before a fault comes first.
        cells(&numbers)?;
        if !more? {
            return Ok(());
        }
    }
}

/// Takes numbers with their commas off the start of `text`, until `numbers` is full; false at the end.
fn csv_numbers(text: &mut &[u8], numbers: &mut Vec<u32>) -> Result<bool, LoadErrorKind> {
    while numbers.len() < BATCH {
        *text = text.trim_ascii_start();
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
        let mut length = 0;
        let mut number = 0u64;
        for digit in digits {
            number = number * 10 + u64::from(digit - b'0');
            if number > u64::from(u32::MAX) {
                return Err(broken("a number over 4294967295"));
            }
            length += 1;
        }
        match text.first() {
            None => return Ok(false),
            Some(other) if length == 0 => return Err(unexpected(*other, "a tile's number")),
            Some(_) => numbers.push(number as u32),
        }
        *text = text[length..].trim_ascii_start();
        match text.split_first() {
            None => return Ok(false),
            Some((b',', rest)) => *text = rest,
            Some((other, _)) => return Err(unexpected(*other, "a comma")),
        }
    }
    Ok(true)
}

#[cold]
fn unexpected(found: u8, wanted: &str) -> LoadErrorKind {
    let found = char::from(found).escape_default();
    broken(format!("`{found}` where {wanted} should be"))
}

fn base64(
    text: &str,
    compression: Compression,
    cells: impl FnMut(&[u32]) -> Result<(), LoadErrorKind>,
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
    let mut bytes = Base64Text::new(&text);
    match compression {
        Compression::None => numbers(bytes, cells),
        Compression::Zlib => {
            numbers(flate2::bufread::ZlibDecoder::new(&mut bytes), cells).and_then(|()| ends(bytes))
        }
        Compression::Gzip => numbers(flate2::bufread::MultiGzDecoder::new(&mut bytes), cells)
            .and_then(|()| ends(bytes)),
        Compression::Zstd => {
            let mut decoder =
                ruzstd::decoding::StreamingDecoder::new(&mut bytes).map_err(broken)?;
            numbers(&mut decoder, cells)?;
            // The library reads the checksum of the frame, but leaves it to the caller to look at it.
            let frame = &decoder.decoder;
            let stated = frame.get_checksum_from_data();
            if stated.is_some() && stated != frame.get_calculated_checksum() {
                return Err(broken("its checksum is wrong"));
            }
            ends(bytes)
        }
    }
}

/// Little-endian numbers of 4 bytes, to the end of the data.
fn numbers(
    mut data: impl Read,
    mut cells: impl FnMut(&[u32]) -> Result<(), LoadErrorKind>,
) -> Result<(), LoadErrorKind> {
    let mut buffer = [0; BATCH * 4];
    let mut numbers = [0; BATCH];
    let mut filled = 0;
    loop {
        match data.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(broken(error)),
        }
        let (whole, rest) = buffer[..filled].as_chunks::<4>();
        for (number, bytes) in numbers.iter_mut().zip(whole) {
            *number = u32::from_le_bytes(*bytes);
        }
        cells(&numbers[..whole.len()])?;
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
fn ends(mut bytes: impl BufRead) -> Result<(), LoadErrorKind> {
    match bytes.fill_buf() {
        Ok([]) => Ok(()),
        Ok(_) => Err(broken("more data follows the compressed cells")),
        Err(error) => Err(broken(error)),
    }
}

fn broken(reason: impl ToString) -> LoadErrorKind {
    LoadErrorKind::CellData {
        reason: reason.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(data: &CellData<'_>, width: u32, height: u32) -> Result<Vec<u32>, String> {
        let mut cells = Vec::new();
        decode(data, width, height, false, |numbers| {
            cells.extend_from_slice(numbers);
            Ok(())
        })
        .map_err(|error| error.to_string())?;
        Ok(cells)
    }

    fn text(encoding: Option<&str>, compression: Option<&str>, text: &str) -> CellData<'static> {
        CellData::Text {
            encoding: Encoding::parse(encoding, compression).unwrap().unwrap(),
            text: text.to_owned().into(),
        }
    }

    #[test]
    fn csv_takes_white_space_and_a_last_comma() {
        let csv = |source| all(&text(Some("csv"), None, source), 2, 2);
        assert_eq!(
            csv("1,2,\r\n3 ,\t4294967295,\n"),
            Ok(vec![1, 2, 3, u32::MAX])
        );
        for bad in [
            "1,2,3",
            "1,2,3,4,5",
            "1;2;3;4",
            "1,2,,4",
            "-1,2,3,4",
            "1,2,3,4294967296",
            "1 2,3,4",
        ] {
            assert!(csv(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_encoding_yields_the_same_cells() {
        use base64::Engine;
        use std::io::Write;
        let cells: Vec<u32> = (0..5_000).map(|i| (i * 7 % 91) | ((i % 3) << 30)).collect();
        let bytes: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        zlib.write_all(&bytes).unwrap();
        gzip.write_all(&bytes).unwrap();
        let zstd = ruzstd::encoding::compress_to_vec(
            &bytes[..],
            ruzstd::encoding::CompressionLevel::Fastest,
        );
        for (compression, packed) in [
            (None, bytes),
            (Some("zlib"), zlib.finish().unwrap()),
            (Some("gzip"), gzip.finish().unwrap()),
            (Some("zstd"), zstd),
        ] {
            let encoded = base64::engine::general_purpose::STANDARD.encode(&packed);
            let data = |source: &str| text(Some("base64"), compression, source);
            assert_eq!(
                all(&data(&encoded), 100, 50),
                Ok(cells.clone()),
                "{compression:?}"
            );
            let (start, end) = encoded.split_at(encoded.len() / 2);
            let wrapped = format!("\n  {start}\n {end}  \n");
            assert_eq!(all(&data(&wrapped), 100, 50), Ok(cells.clone()));
            assert!(all(&data(&encoded), 100, 51).is_err(), "too few");
            assert!(all(&data(&encoded), 100, 49).is_err(), "too many");
            let cut = &encoded[..encoded.len() / 2 / 4 * 4];
            assert!(all(&data(cut), 100, 50).is_err(), "cut in half");
            if compression.is_some() {
                let mut followed = packed.clone();
                followed.extend_from_slice(b"junk");
                let followed = base64::engine::general_purpose::STANDARD.encode(followed);
                assert!(
                    all(&data(&followed), 100, 50).is_err(),
                    "{compression:?} with junk"
                );
            }
        }
    }

    #[test]
    fn unknown_encodings_are_named() {
        assert!(Encoding::parse(Some("hex"), None).is_err());
        assert!(Encoding::parse(Some("base64"), Some("lzma")).is_err());
        assert!(Encoding::parse(Some("csv"), Some("zlib")).is_err());
        assert_eq!(Encoding::parse(None, None).unwrap(), None);
    }
}
