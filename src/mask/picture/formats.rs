//! Decodes GIF, BMP, TGA and WebP files with crate `image`, which decodes whole pictures in memory. So these
//! formats have limits of their own.

use std::error::Error;
use std::io::SeekFrom;

use glam::UVec2;
use image::codecs::bmp::BmpDecoder;
use image::codecs::gif::GifDecoder;
use image::codecs::tga::TgaDecoder;
use image::codecs::webp::WebPDecoder;
use image::{AnimationDecoder, ColorType, ImageDecoder, ImageError};

use super::{
    Header, MaskPicture, PictureFile, Samples, broken, broken_in_words_of_decoder, check_size,
    io_fault, pixels, zeros,
};
use crate::error::FileFault;
use crate::limits;
use crate::limits::Limits;
use crate::mask::MaskFormat;

/// The largest number of pixels in a BMP or TGA file. With 4 bytes per pixel, and one or two for the index of
/// a TGA with a colour map, they take up to 192 MiB.
const MAX_WHOLE_PIXELS: u64 = 1 << 25;

/// The largest number of pixels in a GIF or WebP file, enough for 16,383 x 1,024 pixels. Decoding takes up to
/// 12 bytes per pixel: 192 MiB.
const MAX_FRAME_PIXELS: u64 = 1 << 24;

/// Decodes a GIF, BMP, TGA or WebP file as a whole. Of an animation, only the first frame is decoded.
pub(super) fn open<'f>(
    file: &'f mut dyn PictureFile,
    format: MaskFormat,
    limits: &Limits,
) -> Result<MaskPicture<'f>, Box<FileFault>> {
    match format {
        MaskFormat::Bmp => {
            let decoder = BmpDecoder::new(file).map_err(fault)?;
            decoded(decoder, "BMP", false, limits)
        }
        MaskFormat::Tga => open_tga(file, limits),
        MaskFormat::WebP => {
            let decoder = WebPDecoder::new(file).map_err(fault)?;
            let animated = decoder.has_animation();
            decoded(decoder, "WebP", animated, limits)
        }
        MaskFormat::Gif | MaskFormat::Png => open_gif(file, limits),
    }
}

/// Decodes all pixels of a picture. `name` is the name of its format.
fn decoded<'f>(
    decoder: impl ImageDecoder,
    name: &'static str,
    animated: bool,
    limits: &Limits,
) -> Result<MaskPicture<'f>, Box<FileFault>> {
    let size = UVec2::from(decoder.dimensions());
    check_whole(size, name, limits)?;
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
    let format = format!("{name}, {colors}");
    let header = Header::of_bytes(size, color.channel_count().into(), format, animated);
    Ok(MaskPicture { header, samples: Samples::Whole(samples) })
}

fn check_whole(size: UVec2, name: &str, limits: &Limits) -> Result<(), Box<FileFault>> {
    let (what, most) = match name {
        "BMP" => ("pixels in a BMP mask", MAX_WHOLE_PIXELS),
        "TGA" => ("pixels in a TGA mask", MAX_WHOLE_PIXELS),
        "WebP" => ("pixels in a WebP mask", MAX_FRAME_PIXELS),
        _ => ("pixels in a GIF mask", MAX_FRAME_PIXELS),
    };
    limits::check(what, pixels(size), most)?;
    Ok(check_size(size, limits)?)
}

/// Decodes a TGA. Its fourth channel is padding if the header states no alpha bits.
fn open_tga<'f>(
    file: &'f mut dyn PictureFile,
    limits: &Limits,
) -> Result<MaskPicture<'f>, Box<FileFault>> {
    let mut head = [0; 18];
    file.read_exact(&mut head).map_err(io_fault)?;
    file.seek(SeekFrom::Current(-18)).map_err(io_fault)?;
    let decoder = TgaDecoder::new(file).map_err(fault)?;
    let mut picture = decoded(decoder, "TGA", false, limits)?;
    if let Samples::Whole(samples) = &mut picture.samples
        && picture.header.channels == 4
        && head[17] & 15 == 0
    {
        samples.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = 255);
        picture.header.format = "TGA, RGB".to_owned();
    }
    Ok(picture)
}

/// Draws the first frame of a GIF on a transparent canvas, and reads on to find out if there is a second
/// frame.
fn open_gif<'f>(
    file: &'f mut dyn PictureFile,
    limits: &Limits,
) -> Result<MaskPicture<'f>, Box<FileFault>> {
    let decoder = GifDecoder::new(file).map_err(fault)?;
    let size = UVec2::from(decoder.dimensions());
    check_whole(size, "GIF", limits)?;
    let mut frames = decoder.into_frames();
    let first = frames.next().ok_or_else(|| broken("there is no picture in it".to_owned()))?;
    let samples = first.map_err(fault)?.into_buffer().into_raw();
    let animated = frames.next().transpose().map_err(fault)?.is_some();
    let header = Header::of_bytes(size, 4, "GIF, 8-bit palette".to_owned(), animated);
    Ok(MaskPicture { header, samples: Samples::Whole(samples) })
}

fn fault(error: ImageError) -> Box<FileFault> {
    match error {
        ImageError::IoError(error) => io_fault(error),
        error => {
            let cause = error.source().map(ToString::to_string);
            broken_in_words_of_decoder(&cause.unwrap_or_else(|| error.to_string()))
        }
    }
}
