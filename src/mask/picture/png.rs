//! Reads the header and the rows of raw samples of PNG files.
//!
//! Samples are not expanded, scaled or corrected. Checksums are checked.

use std::io::ErrorKind;

use glam::UVec2;
use png::{ColorType, DecodeOptions, Decoder, DecodingError, Info, Reader};

use super::{Header, MaskPicture, PictureFile, at_pixel, broken, io_fault, pixels};
use crate::error::{FileFault, LoadErrorKind};
use crate::limits::{self, Limits};

/// The largest number of bytes of metadata in memory, beside a row of samples. Texts and colour profiles are
/// skipped without decoding, because they can be compressed a thousandfold.
const METADATA_BYTES: usize = 8 << 20;

/// The largest width and height of a mask, in pixels.
const MAX_SIDE: u64 = 65_536;

/// The largest number of sample bytes in a picture that is decoded whole.
const MAX_WHOLE_BYTES: u64 = 192 << 20;

/// Reads a PNG file up to its pixels. An interlaced picture is decoded as a whole. Of an animation, only the
/// default image counts.
pub(super) fn open<'f>(
    file: &'f mut dyn PictureFile,
    limits: &Limits,
) -> Result<MaskPicture<'f>, Box<FileFault>> {
    let mut options = DecodeOptions::default();
    options.set_ignore_adler32(false);
    options.set_skip_ancillary_crc_failures(false);
    options.set_ignore_text_chunk(true);
    options.set_ignore_iccp_chunk(true);
    let mut decoder = Decoder::new_with_options(file, options);
    let info = decoder.read_header_info().map_err(fault)?;
    let size = UVec2::from(info.size());
    check_size(size, limits)?;
    let row_bytes = info.raw_row_length();
    let bytes = row_bytes as u64 * u64::from(size.y);
    let most = limits.pixels.saturating_mul(4);
    limits::check("bytes of pixels in the mask (4 times the limit `pixels`)", bytes, most)?;
    decoder.set_limits(png::Limits { bytes: METADATA_BYTES.saturating_add(row_bytes) });
    let mut reader = decoder.read_info().map_err(fault)?;
    let header = header(reader.info())?;
    let row = zeros(header.row_bytes(), size)?;
    let mut whole = Vec::new();
    if reader.info().interlaced {
        let bytes = header.row_bytes() * u64::from(size.y);
        limits::check("bytes of pixels in an interlaced mask", bytes, MAX_WHOLE_BYTES)?;
        whole = zeros(bytes, size)?;
        reader.next_frame(&mut whole).map_err(fault)?;
    }
    let rows = PngRows { reader: Box::new(reader), row, whole };
    Ok(MaskPicture { header, rows })
}

/// Returns a buffer of zeros to decode into. Fails if the memory does not suffice.
fn zeros(bytes: u64, size: UVec2) -> Result<Vec<u8>, LoadErrorKind> {
    let mut samples = Vec::new();
    let reserved = samples.try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX));
    reserved.map_err(|_| LoadErrorKind::NoMemory { cells: pixels(size) })?;
    samples.resize(bytes as usize, 0);
    Ok(samples)
}

/// Fails if a picture of this size has a side above [`MAX_SIDE`], or more pixels than `limits` allows. The
/// decoder has refused sides of 0 pixels before.
fn check_size(size: UVec2, limits: &Limits) -> Result<(), LoadErrorKind> {
    let side = u64::from(size.max_element());
    limits::check("pixels along a side of the mask", side, MAX_SIDE)?;
    limits::check("pixels in the mask (the limit `pixels`)", pixels(size), limits.pixels)
}

/// A PNG that is read row by row, so that it takes memory for only a few rows. Each row starts at a byte, and
/// its first sample is in the highest bits.
pub(super) struct PngRows<'f> {
    reader: Box<Reader<&'f mut dyn PictureFile>>,
    row: Vec<u8>,
    /// All rows of an interlaced picture; empty for any other.
    whole: Vec<u8>,
}

impl PngRows<'_> {
    /// Returns the samples of row `y`. Rows must be read from top to bottom.
    pub(super) fn read(&mut self, y: u32) -> Result<&[u8], Box<FileFault>> {
        if !self.whole.is_empty() {
            return Ok(&self.whole[y as usize * self.row.len()..][..self.row.len()]);
        }
        match self.reader.read_row(&mut self.row) {
            Ok(_) => Ok(&self.row),
            Err(DecodingError::IoError(error)) if error.kind() == ErrorKind::UnexpectedEof => {
                Err(at_pixel(0, y, "the image data ends here".to_owned()))
            }
            Err(error) => Err(fault(error)),
        }
    }

    /// Reads on to the end of the picture, and checks the rest of it. Bytes after the end are ignored.
    pub(super) fn finish(&mut self) -> Result<(), Box<FileFault>> {
        self.reader.finish().map_err(fault)
    }
}

fn header(info: &Info<'_>) -> Result<Header, Box<FileFault>> {
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
        animated: info.animation_control.is_some_and(|control| control.num_frames > 1),
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
    let samples: Vec<u32> = match depth {
        16 => trns.as_chunks().0.iter().map(|bytes| u16::from_be_bytes(*bytes).into()).collect(),
        _ => trns.iter().map(|byte| u32::from(*byte) & ((1 << depth) - 1)).collect(),
    };
    match (color, &samples[..]) {
        (ColorType::Grayscale, [gray, ..]) => Some([*gray; 3]),
        (ColorType::Rgb, [red, green, blue, ..]) => Some([*red, *green, *blue]),
        _ => None,
    }
}

fn fault(error: DecodingError) -> Box<FileFault> {
    match error {
        DecodingError::IoError(error) => io_fault(error),
        DecodingError::LimitsExceeded => {
            broken(format!("its metadata is over {} MiB", METADATA_BYTES >> 20))
        }
        error => {
            let reason = error.to_string().trim_end_matches('.').to_owned();
            LoadErrorKind::Picture { reason, by_decoder: true }.into()
        }
    }
}
