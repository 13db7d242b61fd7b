//! Reads the cells of a tile layer. They are stored as a whole, or in the chunks of an infinite map. The
//! stated number and position of the cells are checked before the cells are decoded.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};
use std::slice::Iter;

use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::read::DecoderReader;
use flate2::bufread::{MultiGzDecoder, ZlibDecoder};
use glam::{IVec2, UVec2};

use super::super::map::sort_blocks;
use super::super::{CellBlock, MAX_CHUNK_DISTANCE, MAX_SIDE};
use super::cursor::Element;
use super::values::{Values, wrong};
use super::{ReadFailure, Reader, contradiction};
use crate::error::LoadErrorKind;
use crate::limits::check;

/// The largest width and height of a chunk of an infinite map, in tiles.
const MAX_CHUNK_SIDE: u32 = 1_024;

#[derive(Default)]
pub(super) struct OpenCells {
    size: UVec2,
    /// True after the layer's `<data>` has been read.
    has_data: bool,
    blocks: Vec<CellBlock>,
}

/// Starts a layer of `size` columns and rows, without cells. In a finite map, the layer has the map's size if
/// it states none. As in Tiled, a layer of another size has its own rows.
pub(super) fn open_cells(
    reader: &mut Reader<'_, '_>,
    size: [Option<u32>; 2],
) -> Result<OpenCells, ReadFailure> {
    let map = reader.shared.map.size;
    let [width, height] = size;
    let mut size = UVec2::new(width.unwrap_or(0), height.unwrap_or(0));
    if !reader.shared.map.is_infinite {
        for (attribute, side) in [("width", width), ("height", height)] {
            if side.is_none() {
                reader.doubt(LoadErrorKind::Missing { element: "layer", attribute })?;
                size = map;
            }
        }
        if size != map {
            check("tiles in the width or height of a layer", size.max_element(), MAX_SIDE)?;
            reader.warn(&contradiction(format!(
                "the layer is {} x {} cells, but the map is {} x {}",
                size.x, size.y, map.x, map.y
            )));
        }
        count_cells(reader, size)?;
    }
    Ok(OpenCells { size, ..OpenCells::default() })
}

fn count_cells(reader: &mut Reader<'_, '_>, size: UVec2) -> Result<(), LoadErrorKind> {
    let cells = u64::from(size.x) * u64::from(size.y);
    reader.shared.spent.cells(cells, reader.shared.limits)
}

pub(super) fn data(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
    cells: &mut OpenCells,
) -> Result<(), ReadFailure> {
    let from = Values::new("data", element.attributes);
    if std::mem::replace(&mut cells.has_data, true) {
        reader.doubt(contradiction("a second <data>"))?;
        return Ok(reader.cursor.skip()?);
    }
    let encoding = match Encoding::parse(from.get("encoding"), from.get("compression")) {
        Ok(encoding) => encoding,
        Err(fault) => {
            reader.doubt(fault)?;
            return Ok(reader.cursor.skip()?);
        }
    };
    if reader.shared.names.is_some() {
        return Ok(reader.cursor.skip()?);
    }
    let mut numbers = Vec::new();
    while let Some(child) = reader.uncounted_child()? {
        match &*child.name {
            "tile" => numbers.push(cell(reader, child)?),
            "chunk" => chunk(reader, child, encoding, cells)?,
            _ => reader.pass(&child, "data")?,
        }
    }
    let text = reader.cursor.text();
    let is_empty = text.trim_ascii().is_empty() && numbers.is_empty();
    if !cells.blocks.is_empty() {
        if !is_empty {
            reader.doubt(contradiction("cells beside the chunks of a layer"))?;
        }
        return Ok(());
    }
    let size = cells.size;
    if reader.shared.map.is_infinite {
        // An infinite map may have a layer without chunks: an empty layer, or one saved before the map became
        // infinite.
        if is_empty {
            return Ok(());
        }
        check("tiles in the width or height of a layer", size.max_element(), MAX_SIDE)?;
        count_cells(reader, size)?;
    }
    let data = CellData { encoding, text, numbers };
    block(reader, IVec2::ZERO, size, &data, cells)
}

fn chunk(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
    encoding: Option<Encoding>,
    cells: &mut OpenCells,
) -> Result<(), ReadFailure> {
    reader.count_element()?;
    let mut from = Values::new("chunk", element.attributes);
    let x = from.int("x");
    let y = from.int("y");
    let size = UVec2::new(from.side("width"), from.side("height"));
    from.finish(reader)?;
    for (attribute, side) in [("x", x), ("y", y)] {
        if side.is_none() {
            reader.doubt(LoadErrorKind::Missing { element: "chunk", attribute })?;
        }
    }
    if !reader.shared.map.is_infinite {
        reader.doubt(contradiction("chunks in a map that is not infinite"))?;
    }
    let (Some(x), Some(y), true) = (x, y, size.min_element() > 0) else {
        return Ok(reader.cursor.skip()?);
    };
    let origin = IVec2::new(x, y);
    check("tiles in a side of a chunk", size.max_element(), MAX_CHUNK_SIDE)?;
    let far = origin.as_i64vec2().abs().max_element() as u64;
    check("columns or rows from the middle to a chunk", far, MAX_CHUNK_DISTANCE)?;
    // In the level, each row of a chunk takes at least 8 bytes, so a narrower chunk counts as 8 cells wide.
    count_cells(reader, size.max(UVec2::new(8, 1)))?;
    let mut numbers = Vec::new();
    while let Some(child) = reader.uncounted_child()? {
        match &*child.name {
            "tile" => numbers.push(cell(reader, child)?),
            _ => reader.pass(&child, "chunk")?,
        }
    }
    let data = CellData { encoding, text: reader.cursor.text(), numbers };
    block(reader, origin, size, &data, cells)
}

fn cell(reader: &mut Reader<'_, '_>, element: Element<'_>) -> Result<u32, ReadFailure> {
    let mut from = Values::new("tile", element.attributes);
    let number = from.count("gid").unwrap_or(0);
    from.finish(reader)?;
    reader.cursor.skip()?;
    Ok(number)
}

fn block(
    reader: &mut Reader<'_, '_>,
    origin: IVec2,
    size: UVec2,
    data: &CellData<'_>,
    cells: &mut OpenCells,
) -> Result<(), ReadFailure> {
    let (numbers, fault) = decode(data, size, &mut reader.shared.spent.dropped_cells)?;
    if let Some(fault) = fault {
        reader.doubt(fault)?;
    }
    cells.blocks.push(CellBlock { origin, size, cells: numbers });
    Ok(())
}

impl OpenCells {
    pub(super) fn close(
        mut self,
        reader: &mut Reader<'_, '_>,
    ) -> Result<Vec<CellBlock>, ReadFailure> {
        if !self.has_data {
            reader.doubt(LoadErrorKind::Missing { element: "layer", attribute: "<data>" })?;
        }
        sort_blocks(&mut self.blocks);
        let mut pairs = self.blocks.windows(2);
        if let Some(pair) = pairs.find(|pair| pair[0].origin == pair[1].origin) {
            let IVec2 { x, y } = pair[0].origin;
            reader.doubt(contradiction(format!("two chunks at col {x}, row {y}")))?;
        }
        Ok(self.blocks)
    }
}

const BATCH: usize = 1_024;

/// The cell data of a layer or a chunk, not yet decoded.
pub(in crate::tmx) struct CellData<'t> {
    /// The encoding; `None` if the cells are `<tile>` elements.
    pub(in crate::tmx) encoding: Option<Encoding>,
    pub(in crate::tmx) text: Cow<'t, str>,
    pub(in crate::tmx) numbers: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tmx) enum Encoding {
    Csv,
    Base64,
    Zlib,
    Gzip,
    Zstd,
}

impl Encoding {
    /// Returns the encoding named by the attributes of `<data>`, or `None` if the cells are `<tile>`
    /// elements.
    fn parse(
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
            Some("csv") => Ok(Some(Self::Csv)),
            _ if base64 != Self::Base64 => Err(broken("only base64 data can be compressed")),
            None | Some("") => Ok(None),
            Some(other) => Err(wrong("data", "encoding", other, "csv or base64")),
        }
    }
}

/// The largest number of surplus cells that are dropped, over all layers of a map or a world. 4 bytes of zstd
/// can hold 32,768 of them.
const MOST_SURPLUS: u64 = 1 << 20;

/// Decodes the gids of the cells of a layer or chunk of `size` columns and rows, row by row.
///
/// Extra numbers are dropped, missing numbers become 0, and the fault is returned beside the numbers.
/// `dropped` is the number of dropped numbers so far, at most [`MOST_SURPLUS`].
///
/// # Errors
/// Fails for a limit, and for lack of memory.
pub(in crate::tmx) fn decode(
    data: &CellData<'_>,
    size: UVec2,
    dropped: &mut u64,
) -> Result<(Vec<u32>, Option<LoadErrorKind>), LoadErrorKind> {
    let needed = u64::from(size.x) * u64::from(size.y);
    let mut numbers = Vec::new();
    let length = usize::try_from(needed).ok();
    let Some(length) = length.filter(|length| numbers.try_reserve_exact(*length).is_ok()) else {
        return Err(LoadErrorKind::NoMemory { cells: needed });
    };
    let most_surplus = MOST_SURPLUS.saturating_sub(*dropped);
    let mut cells = CellNumbers { numbers, missing: length, surplus: 0, most_surplus };
    let decoded = match data.encoding {
        Some(_) if !data.numbers.is_empty() => {
            Err(contradiction("<tile> elements in a layer of encoded data"))
        }
        None if !data.text.trim_ascii().is_empty() => {
            Err(contradiction("cell data without an encoding"))
        }
        None => cells.push(&data.numbers),
        Some(Encoding::Csv) => csv(data.text.as_bytes(), &mut cells),
        Some(encoding) => base64(&data.text, encoding, &mut cells),
    };
    let found = cells.numbers.len() as u64 + cells.surplus;
    let fault = match decoded {
        Err(limit) if limit.is_limit() => return Err(limit),
        Err(fault) => Some(fault),
        Ok(()) if found == needed => None,
        Ok(()) => Some(LoadErrorKind::CellCount { found, width: size.x, height: size.y }),
    };
    *dropped += cells.surplus;
    cells.numbers.resize(length, 0);
    Ok((cells.numbers, fault))
}

struct CellNumbers {
    numbers: Vec<u32>,
    missing: usize,
    surplus: u64,
    /// The largest number of surplus numbers that are dropped.
    most_surplus: u64,
}

impl CellNumbers {
    fn push(&mut self, numbers: &[u32]) -> Result<(), LoadErrorKind> {
        let (wanted, more) = numbers.split_at(numbers.len().min(self.missing));
        self.numbers.extend_from_slice(wanted);
        self.missing -= wanted.len();
        self.surplus += more.len() as u64;
        let what = "surplus cells that are dropped (at most 1,048,576 in all layers)";
        check(what, self.surplus, self.most_surplus)
    }
}

/// Decodes numbers separated by commas and white space. As in Tiled, a comma may follow the last number.
fn csv(text: &[u8], cells: &mut CellNumbers) -> Result<(), LoadErrorKind> {
    let mut bytes = text.iter();
    let mut numbers = Vec::with_capacity(BATCH);
    loop {
        numbers.clear();
        let more = csv_numbers(&mut bytes, &mut numbers);
        // An extra number is reported before a later fault.
        cells.push(&numbers)?;
        if !more? {
            return Ok(());
        }
    }
}

/// Parses numbers and commas from the start of `bytes` until `numbers` has [`BATCH`] entries. Returns false
/// at the end of the text.
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
        match next {
            Some(b',') => {}
            Some(other) if rest_of_number(other, bytes)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// Passes over what follows the digits of a number, up to its comma. Returns false at the end of the text.
///
/// A fraction of zeros is allowed, because some programs write all JSON numbers as decimals.
fn rest_of_number(first: u8, bytes: &mut Iter<'_, u8>) -> Result<bool, LoadErrorKind> {
    let mut next = Some(first);
    if first == b'.' {
        next = bytes.find(|byte| **byte != b'0').copied();
    }
    if next.is_some_and(|byte| byte.is_ascii_whitespace()) {
        next = after_space(bytes);
    }
    match next {
        None => Ok(false),
        Some(b',') => Ok(true),
        Some(other) => Err(unexpected(other, "a comma")),
    }
}

fn after_space(bytes: &mut Iter<'_, u8>) -> Option<u8> {
    bytes.find(|byte| !byte.is_ascii_whitespace()).copied()
}

#[cold]
fn unexpected(found: u8, wanted: &str) -> LoadErrorKind {
    let found = char::from(found).escape_default();
    broken(format!("`{found}` where {wanted} should be"))
}

fn base64(text: &str, encoding: Encoding, cells: &mut CellNumbers) -> Result<(), LoadErrorKind> {
    let text = text.trim_ascii().as_bytes();
    let text: Cow<'_, [u8]> = if text.chunks(256).any(has_space) {
        let bytes = text.iter().copied();
        bytes.filter(|byte| !byte.is_ascii_whitespace()).collect()
    } else {
        text.into()
    };
    decompress(&mut base64_text(&text), encoding, cells)
}

/// A reader of base64 text without white space.
type Base64Text<'t> = BufReader<DecoderReader<'t, GeneralPurpose, &'t [u8]>>;

fn base64_text(text: &[u8]) -> Base64Text<'_> {
    BufReader::with_capacity(BYTES, DecoderReader::new(text, &BASE64))
}

/// Decodes the cells in `bytes`, which are compressed as `encoding` says, to their end.
fn decompress(
    bytes: &mut Base64Text<'_>,
    encoding: Encoding,
    cells: &mut CellNumbers,
) -> Result<(), LoadErrorKind> {
    match encoding {
        Encoding::Zlib => numbers(&mut ZlibDecoder::new(&mut *bytes), cells)?,
        Encoding::Gzip => numbers(&mut MultiGzDecoder::new(&mut *bytes), cells)?,
        #[cfg(feature = "zstd")]
        Encoding::Zstd => {
            let frame = ruzstd::decoding::StreamingDecoder::new(&mut *bytes);
            let mut frame = frame.map_err(broken)?;
            numbers(&mut frame, cells)?;
            // `ruzstd` reads the checksum of the compressed data, but does not compare it.
            let stated = frame.decoder.get_checksum_from_data();
            if stated.is_some() && stated != frame.decoder.get_calculated_checksum() {
                return Err(broken("its checksum is wrong"));
            }
        }
        #[cfg(not(feature = "zstd"))]
        Encoding::Zstd => {
            let found = "the cell data is compressed with zstd";
            return Err(LoadErrorKind::MissingFeature { found, feature: "zstd" });
        }
        Encoding::Csv | Encoding::Base64 => return numbers(bytes, cells),
    }
    if !bytes.fill_buf().map_err(broken)?.is_empty() {
        return Err(broken("more data follows the compressed cells"));
    }
    Ok(())
}

/// True if a block of text has white space. The fold has no early exit, so the compiler checks many bytes at
/// a time. Control characters count as white space here.
fn has_space(block: &[u8]) -> bool {
    block.iter().fold(false, |any, byte| any | (*byte <= b' '))
}

/// Decodes the cell data to its end: numbers of 4 bytes, little-endian. Appends the numbers to `cells`.
fn numbers(data: &mut dyn Read, cells: &mut CellNumbers) -> Result<(), LoadErrorKind> {
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

/// Base64 with or without padding, as Tiled reads it.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The number of bytes that are decoded at a time.
const BYTES: usize = 3 << 10;
