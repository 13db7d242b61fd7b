//! Reads the header and the rows of raw samples of PNG files.
//!
//! Samples are not expanded, scaled or corrected. A picture that is neither interlaced nor animated takes
//! memory for only a few rows. Checksums are checked.

use std::io;
use std::io::{BufRead, Cursor, Read, Seek, SeekFrom};

use flate2::Crc;
use glam::UVec2;
use png::{ColorType, DecodeOptions, Decoder, DecodingError, Info};

use super::PictureFile;
use super::picture::{
    Header, MaskFault, MaskPicture, broken, broken_in_words_of_decoder, check_size, io_fault, zeros,
};
use crate::error::LoadErrorKind;
use crate::limits;
use crate::limits::Limits;

/// The largest number of bytes of metadata in memory, beside a row of samples. Texts and colour profiles are
/// skipped without decoding, because they can be compressed a thousandfold.
const METADATA_BYTES: usize = 8 << 20;

/// The largest number of sample bytes in a picture that is decoded whole.
const MAX_WHOLE_BYTES: u64 = 192 << 20;

/// Reads a PNG file up to its pixels. An interlaced or animated picture is decoded as a whole.
pub(super) fn open(file: &mut dyn PictureFile, limits: &Limits) -> Result<MaskPicture, MaskFault> {
    let start = file.stream_position().map_err(LoadErrorKind::Io)?;
    let mut decoder = Decoder::new_with_options(&mut *file, options());
    let info = decoder.read_header_info().map_err(fault)?;
    let size = UVec2::from(info.size());
    check_size(size, limits)?;
    let row_bytes = info.raw_row_length();
    let bytes = row_bytes as u64 * u64::from(size.y);
    let most = limits.pixels.saturating_mul(4);
    limits::check("bytes of pixels in the mask (4 times the limit `pixels`)", bytes, most)?;
    decoder.set_limits(metadata_limit(row_bytes));
    let mut reader = decoder.read_info().map_err(fault)?;
    let header = header(reader.info())?;
    if !reader.info().interlaced && !header.animated {
        file.seek(SeekFrom::Start(start)).map_err(LoadErrorKind::Io)?;
        return Ok(MaskPicture { header, samples: None });
    }
    let bytes = header.row_bytes() * u64::from(size.y);
    limits::check("bytes of pixels in an interlaced or animated mask", bytes, MAX_WHOLE_BYTES)?;
    let mut samples = zeros(bytes, size)?;
    reader.next_frame(&mut samples).map_err(fault)?;
    reader.finish().map_err(fault)?;
    check_end(file)?;
    Ok(MaskPicture { header, samples: Some(samples) })
}

fn options() -> DecodeOptions {
    let mut options = DecodeOptions::default();
    options.set_ignore_adler32(false);
    options.set_skip_ancillary_crc_failures(false);
    options.set_ignore_text_chunk(true);
    options.set_ignore_iccp_chunk(true);
    options
}

fn metadata_limit(row_bytes: usize) -> png::Limits {
    png::Limits { bytes: METADATA_BYTES.saturating_add(row_bytes) }
}

fn header(info: &Info<'_>) -> Result<Header, MaskFault> {
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
    let color = match info.color_type {
        ColorType::Grayscale => "gray",
        ColorType::Rgb => "RGB",
        ColorType::Indexed => "palette",
        ColorType::GrayscaleAlpha => "gray with alpha",
        ColorType::Rgba => "RGB with alpha",
    };
    let interlaced = if info.interlaced { ", interlaced" } else { "" };
    Ok(Header {
        size: UVec2::from(info.size()),
        channels: info.color_type.samples(),
        depth,
        palette,
        key: info.trns.as_deref().and_then(|trns| color_key(trns, info.color_type, depth)),
        format: format!("PNG, {depth}-bit {color}{interlaced}"),
        animated: info.animation_control.is_some(),
    })
}

/// Returns the entries of a palette with their alphas. An entry without an alpha is opaque. An alpha without
/// an entry is ignored.
fn with_alpha(colors: &[u8], alphas: &[u8]) -> Vec<[u8; 4]> {
    let alphas = alphas.iter().copied().chain(std::iter::repeat(255));
    let entries = colors.as_chunks::<3>().0.iter().zip(alphas);
    entries.map(|([red, green, blue], alpha)| [*red, *green, *blue, alpha]).collect()
}

/// Returns the transparent colour of a picture without a palette, from the bytes of the chunk `tRNS`. `None`
/// if the picture has no such colour. For samples of less than 16 bits, the decoder returns a byte per
/// sample. The PNG standard uses only the lowest `depth` bits.
fn color_key(trns: &[u8], color: ColorType, depth: u8) -> Option<[u32; 3]> {
    let sample = |index: usize| match depth {
        16 => trns.as_chunks::<2>().0.get(index).map(|bytes| u32::from(u16::from_be_bytes(*bytes))),
        _ => trns.get(index).map(|byte| u32::from(*byte) & ((1 << depth) - 1)),
    };
    match color {
        ColorType::Grayscale => Some([sample(0)?; 3]),
        ColorType::Rgb => Some([sample(0)?, sample(1)?, sample(2)?]),
        _ => None,
    }
}

/// A function that takes a row of a picture: its y from the top, and its samples.
type TakeRow<'t> = dyn FnMut(u32, &[u8]) -> Result<(), MaskFault> + 't;

/// Calls the function `each` for every row, from top to bottom, with the row's y and samples. The file must
/// be at its start, and is read to its end. The picture must be neither interlaced nor animated.
pub(super) fn for_each_row(
    file: &mut dyn PictureFile,
    header: &Header,
    each: &mut TakeRow<'_>,
) -> Result<(), MaskFault> {
    let mut row = zeros(header.row_bytes(), header.size)?;
    let mut taller = OneRowMore::new(&mut *file).map_err(LoadErrorKind::Io)?;
    let taller: &mut dyn PictureFile = &mut taller;
    let mut decoder = Decoder::new_with_options(taller, options());
    decoder.set_limits(metadata_limit(row.len() + 1));
    let mut reader = decoder.read_info().map_err(fault)?;
    for y in 0..header.size.y {
        reader.read_row(&mut row).map_err(|error| row_fault(error, y))?;
        each(y, &row)?;
    }
    match reader.read_row(&mut row) {
        Ok(_) => return Err(broken("there is more image data than pixels".to_owned())),
        Err(error) if is_end_of_data(&error) => {}
        Err(error) => return Err(fault(error)),
    }
    reader.finish().map_err(fault)?;
    check_end(file)
}

fn check_end(file: &mut dyn PictureFile) -> Result<(), MaskFault> {
    match file.fill_buf().map_err(LoadErrorKind::Io)? {
        [] => Ok(()),
        _ => Err(broken("more data follows the end of the picture".to_owned())),
    }
}

/// A reader of a PNG file that changes the header: it states one more row than the picture has.
///
/// The decoder stops at the last stated row. So it would accept further rows, and data that is cut off before
/// its checksum. With one more row in the header, the decoder reads to the end of the data, checks the
/// checksum, and then reports the missing row.
struct OneRowMore<'f> {
    file: io::Chain<Cursor<[u8; HEAD_BYTES]>, &'f mut dyn PictureFile>,
}

/// The number of bytes of the PNG signature together with the chunk `IHDR`.
const HEAD_BYTES: usize = 33;

impl<'f> OneRowMore<'f> {
    /// Returns a reader of the PNG `file` that states one row more. The file must be at its start, and its
    /// header must be valid.
    fn new(file: &'f mut dyn PictureFile) -> io::Result<Self> {
        let mut head = [0; HEAD_BYTES];
        file.read_exact(&mut head)?;
        if let Some(height) = head[20..].first_chunk_mut() {
            *height = u32::from_be_bytes(*height).saturating_add(1).to_be_bytes();
        }
        let mut checksum = Crc::new();
        checksum.update(&head[12..HEAD_BYTES - 4]);
        head[HEAD_BYTES - 4..].copy_from_slice(&checksum.sum().to_be_bytes());
        Ok(Self { file: Cursor::new(head).chain(file) })
    }
}

impl Read for OneRowMore<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

impl BufRead for OneRowMore<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.file.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.file.consume(amount);
    }
}

impl Seek for OneRowMore<'_> {
    /// Always fails. The decoder requires a reader that can seek, but only reads from start to end.
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Returns the fault that stopped the decoder at row `y`. The fault states the row only if data is missing.
/// For other damage, the decoder stops some rows too early, because it reads ahead.
fn row_fault(error: DecodingError, y: u32) -> MaskFault {
    let is_end_of_file = matches!(&error, DecodingError::IoError(error)
        if error.kind() == io::ErrorKind::UnexpectedEof);
    if !is_end_of_file && !is_end_of_data(&error) {
        return fault(error);
    }
    MaskFault { pixel: Some((0, y)), ..broken("the image data ends here".to_owned()) }
}

/// True if the compressed data ended before the last row.
fn is_end_of_data(error: &DecodingError) -> bool {
    error.to_string().starts_with(NO_MORE_DATA)
}

const NO_MORE_DATA: &str = "IDAT or fDAT chunk does not have enough data";

/// The first words of the decoder's messages, each with a replacement in plain words.
const IN_PLAIN_WORDS: [(&str, &str); 9] = [
    ("Invalid PNG signature", "it does not start as a PNG file does"),
    ("Invalid image dimensions", "a side is 0 pixels"),
    ("IDAT or fdAT chunk is missing", "there is no image data"),
    (NO_MORE_DATA, "there is less image data than pixels"),
    ("Corrupt deflate stream. InsufficientInput", "the compressed image data ends too early"),
    ("Corrupt deflate stream. WrongChecksum", "the checksum of the image data is wrong"),
    ("Corrupt deflate stream", "the compressed image data is damaged"),
    ("Unknown filter method", "the image data is damaged: a row has an unknown filter"),
    ("Missing palette", "there is no palette"),
];

fn fault(error: DecodingError) -> MaskFault {
    let text = match error {
        DecodingError::IoError(error) => return io_fault(error),
        DecodingError::LimitsExceeded => {
            return broken(format!("its metadata is over {} MiB", METADATA_BYTES >> 20));
        }
        error => error.to_string(),
    };
    let known = IN_PLAIN_WORDS.iter().find(|(start, _)| text.starts_with(start));
    let chunk = text.split_once("ChunkType { type: ").and_then(|(_, rest)| rest.split_once(','));
    match (known, chunk) {
        (Some((_, words)), _) => broken((*words).to_owned()),
        (None, Some((chunk, _))) if text.starts_with("CRC error") => {
            broken(format!("the checksum of its {chunk} chunk is wrong"))
        }
        (None, Some((chunk, rest))) => {
            let (before, _) = text.split_once("ChunkType").unwrap_or_default();
            let (_, after) = rest.split_once('}').unwrap_or_default();
            broken_in_words_of_decoder(&format!("{before}{chunk}{after}"))
        }
        (None, None) => broken_in_words_of_decoder(&text),
    }
}
