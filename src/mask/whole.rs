//! BMP, WebP and TGA files, whose decoders know only whole pictures.
//!
//! So their memory is the pixels', not a row's, and they have a limit of their own.

use std::error::Error;
use std::io::{BufRead, ErrorKind, Seek};

use glam::UVec2;
use image::codecs::{bmp::BmpDecoder, tga::TgaDecoder, webp::WebPDecoder};
use image::{ColorType, ImageDecoder, ImageError};

use super::header::{Header, RowPlace, Rows, check_size};
use super::{Fault, as_clause, broken};
use crate::error::LoadErrorKind;
use crate::limits::{self, Limits};

/// Pixels of a BMP or a TGA file, up to 4 bytes each: a picture of 2,048 x 32,768 in 256 MiB.
const MAX_PIXELS: u64 = 1 << 26;

/// Pixels of a WebP file, which take up to 12 bytes each while they are decoded: 16,383 x 2,048.
const MAX_WEBP_PIXELS: u64 = 1 << 25;

/// A decoded picture.
pub(super) struct Picture {
    header: Header,
    samples: Vec<u8>,
}

pub(super) fn bmp(reader: impl BufRead + Seek, limits: &Limits) -> Result<Picture, Fault> {
    let decoder = BmpDecoder::new(reader).map_err(fault)?;
    limits::check("pixels in a BMP mask", pixels(&decoder), MAX_PIXELS)?;
    decode(decoder, "BMP", false, limits)
}

pub(super) fn tga(reader: impl BufRead + Seek, limits: &Limits) -> Result<Picture, Fault> {
    let decoder = TgaDecoder::new(reader).map_err(fault)?;
    limits::check("pixels in a TGA mask", pixels(&decoder), MAX_PIXELS)?;
    decode(decoder, "TGA", false, limits)
}

/// Of an animation the first frame.
pub(super) fn webp(reader: impl BufRead + Seek, limits: &Limits) -> Result<Picture, Fault> {
    let decoder = WebPDecoder::new(reader).map_err(fault)?;
    limits::check("pixels in a WebP mask", pixels(&decoder), MAX_WEBP_PIXELS)?;
    let animated = decoder.has_animation();
    decode(decoder, "WebP", animated, limits)
}

fn pixels(decoder: &impl ImageDecoder) -> u64 {
    super::pixels(UVec2::from(decoder.dimensions()))
}

fn decode(
    decoder: impl ImageDecoder,
    name: &str,
    animated: bool,
    limits: &Limits,
) -> Result<Picture, Fault> {
    let size = UVec2::from(decoder.dimensions());
    check_size(size, limits)?;
    let color = decoder.color_type();
    let colors = match color {
        ColorType::L8 => "gray",
        ColorType::La8 => "gray with alpha",
        ColorType::Rgb8 => "RGB",
        ColorType::Rgba8 => "RGB with alpha",
        other => return Err(broken(format!("its pixels are {other:?}"))),
    };
    let bytes = decoder.total_bytes();
    let mut samples = Vec::new();
    let reserved = samples.try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX));
    reserved.map_err(|_| LoadErrorKind::NoMemory {
        cells: super::pixels(size),
    })?;
    samples.resize(bytes as usize, 0);
    decoder.read_image(&mut samples).map_err(fault)?;
    let header = Header {
        size,
        channels: usize::from(color.channel_count()),
        depth: 8,
        palette: None,
        key: None,
        format: format!("{name}, {colors}"),
        animated,
    };
    Ok(Picture { header, samples })
}

impl Rows for Picture {
    fn header(&self) -> &Header {
        &self.header
    }

    fn for_each_row(
        self,
        mut each: impl FnMut(RowPlace, &[u8]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let pixels = self.header.size.x;
        let rows = self.samples.chunks_exact(self.header.row_bytes(pixels));
        for (y, row) in (0..).zip(rows) {
            let (x, step) = (0, 1);
            each(RowPlace { y, x, step, pixels }, row)?;
        }
        Ok(())
    }
}

fn fault(error: ImageError) -> Fault {
    match error {
        ImageError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            broken("the file ends too early".to_owned())
        }
        ImageError::IoError(error) => LoadErrorKind::Io(error).into(),
        error => {
            let cause = error.source().map(ToString::to_string);
            broken(as_clause(&cause.unwrap_or_else(|| error.to_string())))
        }
    }
}
