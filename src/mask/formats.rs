//! Decodes GIF, BMP, TGA and WebP files. The first frame of a GIF is drawn on a transparent canvas, unless it
//! covers the canvas. Crate `image` decodes the other formats as whole pictures in memory, so they have
//! separate limits. This module also finds faults of BMP and TGA files that `image` ignores.

use std::error::Error;
use std::io::{BufReader, Read, SeekFrom};

use gif::{ColorOutput, DecodeOptions, Decoder, DecodingError};
use glam::UVec2;
use image::codecs::bmp::BmpDecoder;
use image::codecs::tga::TgaDecoder;
use image::codecs::webp::WebPDecoder;
use image::{ColorType, ImageDecoder, ImageError};

use super::picture::{
    Header, MaskFault, MaskPicture, broken, broken_in_words_of_decoder, check_size, io_fault,
    no_color, pixels, zeros,
};
use super::{MaskFormat, PictureFile};
use crate::limits;
use crate::limits::Limits;

/// The largest number of pixels in a BMP or TGA file. With 4 bytes per pixel, and one or two for the index of
/// a TGA with a colour map, they take up to 192 MiB.
const MAX_WHOLE_PIXELS: u64 = 1 << 25;

/// The largest number of pixels in a WebP file, enough for 16,383 x 1,024 pixels. Decoding takes up to 12
/// bytes per pixel: 192 MiB.
const MAX_WEBP_PIXELS: u64 = 1 << 24;

/// Decodes a GIF, BMP, TGA or WebP file as a whole. Of an animation, only the first frame is decoded.
pub(super) fn open(
    file: &mut dyn PictureFile,
    format: MaskFormat,
    limits: &Limits,
) -> Result<MaskPicture, MaskFault> {
    let start = file.stream_position().map_err(io_fault)?;
    let mut animated = false;
    let whole = MAX_WHOLE_PIXELS;
    let decoder: Box<dyn ImageDecoder + '_>;
    let (name, what, most) = match format {
        MaskFormat::Bmp => {
            decoder = Box::new(BmpDecoder::new(&mut *file).map_err(fault)?);
            ("BMP", "pixels in a BMP mask", whole)
        }
        MaskFormat::Tga => {
            decoder = Box::new(TgaDecoder::new(&mut *file).map_err(fault)?);
            ("TGA", "pixels in a TGA mask", whole)
        }
        MaskFormat::WebP => {
            let webp = WebPDecoder::new(&mut *file).map_err(fault)?;
            animated = webp.has_animation();
            decoder = Box::new(webp);
            ("WebP", "pixels in a WebP mask", MAX_WEBP_PIXELS)
        }
        MaskFormat::Gif | MaskFormat::Png => return open_gif(file, limits),
    };
    let size = UVec2::from(decoder.dimensions());
    limits::check(what, pixels(size), most)?;
    check_size(size, limits)?;
    let color = decoder.color_type();
    let mut colors = match color {
        ColorType::L8 => "gray",
        ColorType::La8 => "gray with alpha",
        ColorType::Rgb8 => "RGB",
        ColorType::Rgba8 => "RGB with alpha",
        other => return Err(broken(format!("its pixels are {other:?}"))),
    };
    let mut samples = zeros(decoder.total_bytes(), size)?;
    decoder.read_image_boxed(&mut samples).map_err(fault)?;
    file.seek(SeekFrom::Start(start)).map_err(io_fault)?;
    if format == MaskFormat::Bmp {
        check_bmp(file)?;
    } else if format == MaskFormat::Tga && !check_tga(file)? && color == ColorType::Rgba8 {
        samples.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = 255);
        colors = "RGB";
    }
    let (channels, format) = (color.channel_count().into(), format!("{name}, {colors}"));
    let header = Header::of_bytes(size, channels, format, animated);
    Ok(MaskPicture { header, samples: Some(samples) })
}

fn fault(error: ImageError) -> MaskFault {
    match error {
        ImageError::IoError(error) => io_fault(error),
        error => {
            let cause = error.source().map(ToString::to_string);
            broken_in_words_of_decoder(&cause.unwrap_or_else(|| error.to_string()))
        }
    }
}

/// The number of bytes of a BMP's file header, which comes before the header of the picture.
const FILE_HEADER_BYTES: u64 = 14;

/// The number of bytes of a BMP file that are checked: its file header, and 40 bytes of the picture's header.
const HEAD_BYTES: usize = 54;

/// Checks a BMP file after it was decoded. The file must be at its start again. Fails if the pixels do not
/// come after the header, or if a value is not in the palette.
fn check_bmp(file: &mut dyn PictureFile) -> Result<(), MaskFault> {
    let start = file.stream_position().map_err(io_fault)?;
    let mut head = Vec::new();
    file.take(HEAD_BYTES as u64).read_to_end(&mut head).map_err(io_fault)?;
    // A file with the oldest kind of header, of 26 bytes, may be shorter than `HEAD_BYTES`.
    head.resize(HEAD_BYTES, 0);
    let word = |at: usize| u32::from(u16::from_le_bytes([head[at], head[at + 1]]));
    let number = |at: usize| word(at) | word(at + 2) << 16;
    let (offset, header_bytes) = (u64::from(number(10)), u64::from(number(14)));
    let header_end = FILE_HEADER_BYTES + header_bytes;
    if offset < header_end {
        return Err(broken(format!(
            "its pixels start at byte {offset}, but its header ends at byte {header_end}"
        )));
    }
    let (width, height, bits, compression, colors, color_bytes) = match header_bytes {
        12 => (word(18), word(20), word(24), 0, 0, 3),
        _ => {
            let height = (number(22) as i32).unsigned_abs();
            (number(18), height, word(28), number(30), number(46), 4)
        }
    };
    if bits > 8 {
        return Ok(());
    }
    let colors = if colors == 0 { 1 << bits } else { u64::from(colors) };
    let colors = colors.min((offset - header_end) / color_bytes) as usize;
    if colors >= 1 << bits {
        return Ok(());
    }
    file.seek(SeekFrom::Start(start + offset)).map_err(io_fault)?;
    let is_bottom_up = header_bytes == 12 || (number(22) as i32) > 0;
    match compression {
        0 => check_values(file, width, height, bits, is_bottom_up, colors),
        _ => check_bmp_runs(file, bits, colors),
    }
}

/// Fails if a pixel value in the uncompressed rows of a BMP is not in its palette of `colors` colours. Each
/// row is padded to a multiple of 4 bytes.
fn check_values(
    file: &mut dyn PictureFile,
    width: u32,
    height: u32,
    bits: u32,
    is_bottom_up: bool,
    colors: usize,
) -> Result<(), MaskFault> {
    let row_bytes = (u64::from(width) * u64::from(bits)).div_ceil(32) * 4;
    let mut row = zeros(row_bytes, UVec2::new(width, height))?;
    for line in 0..height {
        file.read_exact(&mut row).map_err(io_fault)?;
        for x in 0..width {
            let first = u64::from(x) * u64::from(bits);
            let value = row[(first / 8) as usize] << (first % 8) >> (8 - bits);
            if usize::from(value) >= colors {
                let y = if is_bottom_up { height - 1 - line } else { line };
                return Err(no_color(x, y, value, colors));
            }
        }
    }
    Ok(())
}

/// Fails if a run-length encoded pixel value of 4 or 8 bits is not in a palette of `colors` colours. Reads to
/// the end of the picture or of the file.
fn check_bmp_runs(file: &mut dyn PictureFile, bits: u32, colors: usize) -> Result<(), MaskFault> {
    let mut bytes = BufReader::new(file).bytes().map_while(Result::ok);
    while let (Some(count), Some(byte)) = (bytes.next(), bytes.next()) {
        // The bytes that hold pixel values, and the number of pixel values in them.
        let (run, length): (Vec<u8>, usize) = match (count, byte) {
            (0, 0) => continue,
            (0, 1) => return Ok(()),
            (0, 2) => (bytes.by_ref().take(2).map(|_| 0).collect(), 0),
            (0, length) => {
                let used = (usize::from(length) * bits as usize).div_ceil(8);
                let run = bytes.by_ref().take(used.next_multiple_of(2));
                (run.collect(), length.into())
            }
            (count, byte) => (vec![byte], usize::from(count).min(8 / bits as usize)),
        };
        let values = match bits {
            4 => run.iter().flat_map(|byte| [byte >> 4, byte & 15]).collect(),
            _ => run,
        };
        let mut values = values.into_iter().take(length);
        if let Some(value) = values.find(|value| usize::from(*value) >= colors) {
            return Err(broken(format!(
                "a pixel has the value {value}, but the palette only {colors} colours"
            )));
        }
    }
    Ok(())
}

const HEADER_BYTES: usize = 18;

/// Checks a TGA file after it was decoded. The file must be at its start again. Fails if an encoded run of
/// pixels reaches beyond the picture. Returns true if the header states alpha bits.
fn check_tga(file: &mut dyn PictureFile) -> Result<bool, MaskFault> {
    let mut head = [0; HEADER_BYTES];
    file.read_exact(&mut head).map_err(io_fault)?;
    let number = |at: usize| u64::from(u16::from_le_bytes([head[at], head[at + 1]]));
    let bytes = |bits: u8| usize::from(bits).div_ceil(8);
    let has_alpha = head[17] & 15 > 0;
    if !matches!(head[2], 9..=11) {
        return Ok(has_alpha);
    }
    let map = if head[1] == 1 { number(5) * bytes(head[7]) as u64 } else { 0 };
    let before = u64::from(head[0]) + map;
    file.seek(SeekFrom::Current(before as i64)).map_err(io_fault)?;
    let mut pixels = number(12) * number(14);
    let mut values = [0; 128 * 32];
    while pixels > 0 {
        let mut packet = [0];
        file.read_exact(&mut packet).map_err(io_fault)?;
        let length = usize::from(packet[0] & 127) + 1;
        let Some(left) = pixels.checked_sub(length as u64) else {
            return Err(broken("a run goes on past the end of the picture".to_owned()));
        };
        pixels = left;
        let length = if packet[0] < 128 { length } else { 1 };
        let values = &mut values[..length * bytes(head[16])];
        file.read_exact(values).map_err(io_fault)?;
    }
    Ok(has_alpha)
}

/// The largest number of pixels in a GIF, enough for 8,192 x 8,192. They take 64 MiB.
const MAX_GIF_PIXELS: u64 = 1 << 26;

/// The largest number of pixels in a GIF whose first frame is smaller than its canvas. A pixel of the canvas
/// and a pixel of the frame together take 5 bytes: 160 MiB.
const MAX_CANVAS_PIXELS: u64 = 1 << 25;

/// Decodes the first frame of a GIF, and reads on to find out if there is a second frame.
fn open_gif(file: &mut dyn PictureFile, limits: &Limits) -> Result<MaskPicture, MaskFault> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    options.check_frame_consistency(true);
    let mut decoder = options.read_info(file).map_err(gif_fault)?;
    let canvas = UVec2::new(decoder.width().into(), decoder.height().into());
    check_size(canvas, limits)?;
    limits::check("pixels in a GIF mask", pixels(canvas), MAX_GIF_PIXELS)?;
    let frame = decoder.next_frame_info().map_err(gif_fault)?;
    let frame = frame.ok_or_else(|| broken("there is no picture in it".to_owned()))?;
    let corner = UVec2::new(frame.left.into(), frame.top.into());
    let size = UVec2::new(frame.width.into(), frame.height.into());
    let (transparent, interlaced) = (frame.transparent, frame.interlaced);
    if size != canvas {
        let what = "pixels in a GIF mask whose first frame is smaller than its canvas";
        limits::check(what, pixels(canvas), MAX_CANVAS_PIXELS)?;
    }
    let mut values = zeros(pixels(size), size)?;
    if !values.is_empty() {
        decoder.read_into_buffer(&mut values).map_err(gif_fault)?;
    }
    let palette = palette(&decoder, transparent)?;
    let animated = decoder.next_frame_info().map_err(gif_fault)?.is_some();
    let interlaced = if interlaced { ", interlaced" } else { "" };
    let format = format!("GIF, 8-bit palette{interlaced}");
    if size == canvas {
        let header = Header::of_bytes(canvas, 1, format, animated);
        let header = Header { palette: Some(palette), ..header };
        return Ok(MaskPicture { header, samples: Some(values) });
    }
    Ok(MaskPicture {
        header: Header::of_bytes(canvas, 4, format, animated),
        samples: Some(drawn(canvas, corner, size, &values, &palette)?),
    })
}

/// Returns the samples of a GIF's canvas with the first frame drawn at `corner`. The decoder has checked that
/// the frame is inside the canvas.
fn drawn(
    canvas: UVec2,
    corner: UVec2,
    size: UVec2,
    values: &[u8],
    palette: &[[u8; 4]],
) -> Result<Vec<u8>, MaskFault> {
    let mut samples = zeros(pixels(canvas) * 4, canvas)?;
    let rows = samples.as_chunks_mut().0.chunks_exact_mut(canvas.x as usize);
    let rows = (0..).zip(rows).skip(corner.y as usize);
    for ((y, row), values) in rows.zip(values.chunks(size.x.max(1) as usize)) {
        for ((x, pixel), value) in (0..).zip(row).skip(corner.x as usize).zip(values) {
            let color = palette.get(usize::from(*value));
            *pixel = *color.ok_or_else(|| no_color(x, y, *value, palette.len()))?;
        }
    }
    Ok(samples)
}

/// Returns the colours of a GIF's first frame, indexed by pixel value: red, green, blue, alpha.
fn palette(
    decoder: &Decoder<&mut dyn PictureFile>,
    transparent: Option<u8>,
) -> Result<Vec<[u8; 4]>, MaskFault> {
    let (colors, _) = decoder.palette().map_err(gif_fault)?.as_chunks();
    let opaque = colors.iter().map(|[red, green, blue]| [*red, *green, *blue, 255]);
    let mut palette: Vec<[u8; 4]> = opaque.collect();
    if let Some(value) = transparent.map(usize::from) {
        // The pixel value that is transparent may be beyond the palette.
        palette.resize(palette.len().max(value + 1), [0; 4]);
        palette[value] = [0; 4];
    }
    Ok(palette)
}

fn gif_fault(error: DecodingError) -> MaskFault {
    match error {
        DecodingError::UnexpectedEof => broken("the file ends too early".to_owned()),
        DecodingError::Io(error) => io_fault(error),
        DecodingError::LzwError(_) => broken("the compressed image data is damaged".to_owned()),
        error => broken_in_words_of_decoder(&error.to_string()),
    }
}
