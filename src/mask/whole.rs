//! BMP, TGA and WebP files, whose decoders in crate `image` know only whole pictures.
//!
//! They take memory for all their pixels, so they have a limit of their own. [`super::bmp`] and
//! [`super::tga`] look at the faults that the decoders pass over.

use std::error::Error;
use std::io::{BufRead, Seek, SeekFrom};

use glam::UVec2;
use image::codecs::{bmp::BmpDecoder, tga::TgaDecoder, webp::WebPDecoder};
use image::{ColorType, ImageDecoder, ImageError};

use super::fault::{Fault, broken, broken_in_words_of_decoder, io_fault};
use super::picture::{Header, Picture, Samples, check_size, pixels, zeros};
use super::{bmp, tga};
use crate::error::LoadErrorKind;
use crate::limits::{self, Limits};

/// Pixels of a BMP or a TGA file, up to 4 bytes each: a picture of 2,048 x 32,768 in 256 MiB.
const MAX_PIXELS: u64 = 1 << 26;

/// Pixels of a WebP file, which take up to 12 bytes each while they are decoded: 16,383 x 2,048.
const MAX_WEBP_PIXELS: u64 = 1 << 25;

pub(super) fn open_bmp<R: BufRead + Seek>(
    mut file: R,
    limits: &Limits,
) -> Result<Picture<R>, Fault> {
    let start = file.stream_position().map_err(LoadErrorKind::Io)?;
    let decoder = BmpDecoder::new(&mut file).map_err(fault)?;
    limits::check("pixels in a BMP mask", area(&decoder), MAX_PIXELS)?;
    let picture = decode(decoder, "BMP", false, limits)?;
    file.seek(SeekFrom::Start(start)).map_err(LoadErrorKind::Io)?;
    bmp::check(file)?;
    Ok(picture)
}

pub(super) fn open_tga<R: BufRead + Seek>(
    mut file: R,
    limits: &Limits,
) -> Result<Picture<R>, Fault> {
    let start = file.stream_position().map_err(LoadErrorKind::Io)?;
    let decoder = TgaDecoder::new(&mut file).map_err(fault)?;
    limits::check("pixels in a TGA mask", area(&decoder), MAX_PIXELS)?;
    let mut picture = decode(decoder, "TGA", false, limits)?;
    file.seek(SeekFrom::Start(start)).map_err(LoadErrorKind::Io)?;
    let has_alpha = tga::check(file)?;
    if let (false, 4, Samples::Decoded(samples)) =
        (has_alpha, picture.header.channels, &mut picture.samples)
    {
        samples.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = 255);
        picture.header.format = "TGA, RGB".to_owned();
    }
    Ok(picture)
}

/// Of an animation the first frame.
pub(super) fn open_webp<R: BufRead + Seek>(file: R, limits: &Limits) -> Result<Picture<R>, Fault> {
    let decoder = WebPDecoder::new(file).map_err(fault)?;
    limits::check("pixels in a WebP mask", area(&decoder), MAX_WEBP_PIXELS)?;
    let animated = decoder.has_animation();
    decode(decoder, "WebP", animated, limits)
}

fn area(decoder: &impl ImageDecoder) -> u64 {
    pixels(UVec2::from(decoder.dimensions()))
}

fn decode<R>(
    decoder: impl ImageDecoder,
    name: &str,
    animated: bool,
    limits: &Limits,
) -> Result<Picture<R>, Fault> {
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
    let mut samples = zeros(decoder.total_bytes(), size)?;
    decoder.read_image(&mut samples).map_err(fault)?;
    let (channels, format) = (color.channel_count().into(), format!("{name}, {colors}"));
    Ok(Picture {
        header: Header::of_bytes(size, channels, format, animated),
        samples: Samples::Decoded(samples),
    })
}

fn fault(error: ImageError) -> Fault {
    match error {
        ImageError::IoError(error) => io_fault(error),
        error => {
            let cause = error.source().map(ToString::to_string);
            broken_in_words_of_decoder(&cause.unwrap_or_else(|| error.to_string()))
        }
    }
}
