//! PNG files: their header, and their rows of raw samples one after the other.
//!
//! Nothing is expanded, scaled or corrected on the way, and never more than a few rows are held.
//! Checksums are checked; what is wrong is said in plain words.

use std::io::{self, BufRead, Seek};

use glam::UVec2;
use png::{ColorType, DecodeOptions, Decoder, DecodingError, Info, Reader};

use super::header::{Header, RowPlace, Rows, check_size};
use super::{Fault, as_clause, broken};
use crate::error::LoadErrorKind;
use crate::limits::{self, Limits};

/// Metadata that the decoder may keep beside a row, in bytes. Text and colour profiles, which are larger
/// and may be compressed a thousandfold, are skipped unread.
const METADATA_BYTES: usize = 8 << 20;

/// A picture of which the header has been read.
pub(super) struct Picture<R: BufRead + Seek> {
    reader: Reader<R>,
    header: Header,
    interlaced: bool,
}

/// Reads everything up to the pixels.
pub(super) fn open<R: BufRead + Seek>(reader: R, limits: &Limits) -> Result<Picture<R>, Fault> {
    let mut options = DecodeOptions::default();
    options.set_ignore_adler32(false);
    options.set_skip_ancillary_crc_failures(false);
    options.set_ignore_text_chunk(true);
    options.set_ignore_iccp_chunk(true);
    let mut decoder = Decoder::new_with_options(reader, options);
    let info = decoder.read_header_info().map_err(fault)?;
    let size = UVec2::from(info.size());
    check_size(size, limits)?;
    let row_bytes = info.raw_row_length();
    let bytes = row_bytes as u64 * u64::from(size.y);
    limits::check(
        "bytes of pixels in the mask",
        bytes,
        limits.mask_pixels.saturating_mul(4),
    )?;
    decoder.set_limits(png::Limits {
        bytes: METADATA_BYTES.saturating_add(row_bytes),
    });
    let reader = decoder.read_info().map_err(fault)?;
    Ok(Picture {
        header: header(reader.info())?,
        interlaced: reader.info().interlaced,
        reader,
    })
}

fn header(info: &Info<'_>) -> Result<Header, Fault> {
    let depth = info.bit_depth as u8;
    let palette = match (&info.palette, info.color_type) {
        (Some(colors), _) if colors.len() % 3 != 0 => {
            let bytes = colors.len();
            return Err(broken(format!(
                "the palette has {bytes} bytes, which is not a multiple of 3"
            )));
        }
        (None, ColorType::Indexed) => return Err(broken("there is no palette".to_owned())),
        (Some(colors), ColorType::Indexed) => {
            Some(with_alpha(colors, info.trns.as_deref().unwrap_or_default()))
        }
        _ => None,
    };
    Ok(Header {
        size: UVec2::from(info.size()),
        channels: info.color_type.samples(),
        depth,
        palette,
        key: info
            .trns
            .as_deref()
            .and_then(|trns| color_key(trns, info.color_type, depth)),
        format: format_name(info.color_type, depth, info.interlaced),
        animated: info.animation_control.is_some(),
    })
}

/// The entries of a palette. Those that `alphas` does not reach are opaque; what it has beyond the last
/// entry belongs to no pixel.
fn with_alpha(colors: &[u8], alphas: &[u8]) -> Vec<[u8; 4]> {
    let alphas = alphas.iter().copied().chain(std::iter::repeat(255));
    let entries = colors.as_chunks::<3>().0.iter().zip(alphas);
    entries
        .map(|([red, green, blue], alpha)| [*red, *green, *blue, alpha])
        .collect()
}

/// The transparent colour of a picture without palette. The decoder has cut it to one byte a sample if it
/// is not one of 16 bits; of that byte only the bits that a sample has count, as the standard says.
fn color_key(trns: &[u8], color: ColorType, depth: u8) -> Option<[u32; 3]> {
    let sample = |index: usize| match depth {
        16 => trns
            .as_chunks::<2>()
            .0
            .get(index)
            .map(|bytes| u32::from(u16::from_be_bytes(*bytes))),
        _ => trns
            .get(index)
            .map(|byte| u32::from(*byte) & ((1 << depth) - 1)),
    };
    match color {
        ColorType::Grayscale => Some([sample(0)?; 3]),
        ColorType::Rgb => Some([sample(0)?, sample(1)?, sample(2)?]),
        _ => None,
    }
}

fn format_name(color: ColorType, depth: u8, interlaced: bool) -> String {
    let color = match color {
        ColorType::Grayscale => "gray",
        ColorType::Rgb => "RGB",
        ColorType::Indexed => "palette",
        ColorType::GrayscaleAlpha => "gray with alpha",
        ColorType::Rgba => "RGB with alpha",
    };
    let interlaced = if interlaced { ", interlaced" } else { "" };
    format!("PNG, {depth}-bit {color}{interlaced}")
}

impl<R: BufRead + Seek> Rows for Picture<R> {
    fn header(&self) -> &Header {
        &self.header
    }

    /// Reads on to the end of the picture. An animated picture is read up to its default image; of the
    /// other frames only the checksums are looked at.
    fn for_each_row(
        mut self,
        mut each: impl FnMut(RowPlace, &[u8]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut row = vec![0; self.header.row_bytes(self.header.size.x)];
        for place in row_places(self.header.size, self.interlaced) {
            match self.reader.read_row(&mut row) {
                Ok(_) => each(place, &row[..self.header.row_bytes(place.pixels)])?,
                Err(error) => return Err(row_fault(error, place)),
            }
        }
        self.reader.finish().map_err(fault)
    }
}

/// The rows in the order of the file. The decoder does not tell what part of an interlaced picture a row
/// is, but the standard does.
fn row_places(size: UVec2, interlaced: bool) -> impl Iterator<Item = RowPlace> {
    /// x and y of the first pixel, steps to the next ones.
    const ALL: [[u32; 4]; 1] = [[0, 0, 1, 1]];
    const ADAM7: [[u32; 4]; 7] = [
        [0, 0, 8, 8],
        [4, 0, 8, 8],
        [0, 4, 4, 8],
        [2, 0, 4, 4],
        [0, 2, 2, 4],
        [1, 0, 2, 2],
        [0, 1, 1, 2],
    ];
    let passes: &[[u32; 4]] = if interlaced { &ADAM7 } else { &ALL };
    passes.iter().flat_map(move |&[x, y, step, row_step]| {
        let pixels = size.x.saturating_sub(x).div_ceil(step);
        let rows = (y..size.y).step_by(row_step as usize);
        let rows = rows.map(move |y| RowPlace { y, x, step, pixels });
        rows.filter(|place| place.pixels > 0)
    })
}

/// What stopped the decoder within the rows. Where the data ends is known to the row; damage is found
/// before the rows that it is in are reached.
fn row_fault(error: DecodingError, place: RowPlace) -> Fault {
    let ends = match &error {
        DecodingError::IoError(error) => error.kind() == io::ErrorKind::UnexpectedEof,
        error => ENDED
            .iter()
            .any(|ended| error.to_string().starts_with(ended)),
    };
    if !ends {
        return fault(error);
    }
    let mut fault = broken("the image data ends here".to_owned());
    fault.pixel = Some((place.x, place.y));
    fault
}

/// What the decoder says when there is less image data than pixels.
const ENDED: [&str; 2] = [
    "IDAT or fDAT chunk does not have enough data",
    "Corrupt deflate stream. InsufficientInput",
];

/// What the decoder says, by its first words, and what that means.
const IN_PLAIN_WORDS: [(&str, &str); 9] = [
    (
        "Invalid PNG signature",
        "it does not start as a PNG file does",
    ),
    ("Invalid image dimensions", "a side is 0 pixels"),
    ("IDAT or fdAT chunk is missing", "there is no image data"),
    (ENDED[0], "there is less image data than pixels"),
    (ENDED[1], "the image data ends too early"),
    (
        "Corrupt deflate stream. WrongChecksum",
        "the checksum of the image data is wrong",
    ),
    (
        "Corrupt deflate stream",
        "the compressed image data is damaged",
    ),
    (
        "Unknown filter method",
        "the image data is damaged: a row has an unknown filter",
    ),
    ("Missing palette", "there is no palette"),
];

fn fault(error: DecodingError) -> Fault {
    let text = match error {
        DecodingError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            return broken("the file ends too early".to_owned());
        }
        DecodingError::IoError(error) => return LoadErrorKind::Io(error).into(),
        DecodingError::LimitsExceeded => {
            return broken(format!("its metadata is over {} MiB", METADATA_BYTES >> 20));
        }
        error => error.to_string(),
    };
    let known = IN_PLAIN_WORDS
        .iter()
        .find(|(start, _)| text.starts_with(start));
    let chunk = text
        .split_once("ChunkType { type: ")
        .and_then(|(_, rest)| rest.split_once(','));
    broken(match (known, chunk) {
        (Some((_, words)), _) => (*words).to_owned(),
        (None, Some((chunk, _))) if text.starts_with("CRC error") => {
            format!("the checksum of its {chunk} chunk is wrong")
        }
        (None, Some((chunk, rest))) => {
            let (before, _) = text.split_once("ChunkType").unwrap_or_default();
            let (_, after) = rest.split_once('}').unwrap_or_default();
            as_clause(&format!("{before}{chunk}{after}"))
        }
        (None, None) => as_clause(&text),
    })
}
