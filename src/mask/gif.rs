//! GIF files: the first frame, drawn on the transparent canvas.

use std::io::{BufRead, Read};

use gif::{ColorOutput, DecodeOptions, Decoder, DecodingError};
use glam::UVec2;

use super::classify::NoColor;
use super::fault::{Fault, broken, broken_in_words_of_decoder, io_fault, no_color};
use super::picture::{Header, Picture, Samples, check_size, pixels, zeros};
use crate::limits::{self, Limits};

/// Pixels of a canvas and of a frame, which take 5 bytes together while they are decoded.
const MAX_PIXELS: u64 = 1 << 26;

/// Decodes the first frame, and reads on until it is known whether there is another.
pub(super) fn open<R: BufRead>(file: R, limits: &Limits) -> Result<Picture<R>, Fault> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    options.check_frame_consistency(true);
    let mut decoder = options.read_info(file).map_err(fault)?;
    let canvas = UVec2::new(decoder.width().into(), decoder.height().into());
    check_size(canvas, limits)?;
    limits::check("pixels in a GIF mask", pixels(canvas), MAX_PIXELS)?;
    let frame = decoder.next_frame_info().map_err(fault)?;
    let frame = frame.ok_or_else(|| broken("there is no picture in it".to_owned()))?;
    let corner = UVec2::new(frame.left.into(), frame.top.into());
    let size = UVec2::new(frame.width.into(), frame.height.into());
    let (transparent, interlaced) = (frame.transparent, frame.interlaced);
    limits::check("pixels in a frame of a GIF mask", pixels(size), MAX_PIXELS)?;
    let mut values = zeros(pixels(size), size)?;
    if !values.is_empty() {
        decoder.read_into_buffer(&mut values).map_err(fault)?;
    }
    let palette = palette(&decoder, transparent)?;
    let animated = decoder.next_frame_info().map_err(fault)?.is_some();
    let interlaced = if interlaced { ", interlaced" } else { "" };
    let format = format!("GIF, 8-bit palette{interlaced}");
    Ok(Picture {
        header: Header::of_bytes(canvas, 4, format, animated),
        samples: Samples::Decoded(drawn(canvas, corner, size, &values, &palette)?),
    })
}

/// The canvas with a frame of this corner, size and values; the decoder has checked that it lies inside.
fn drawn(
    canvas: UVec2,
    corner: UVec2,
    size: UVec2,
    values: &[u8],
    palette: &[[u8; 4]],
) -> Result<Vec<u8>, Fault> {
    let mut samples = zeros(pixels(canvas) * 4, canvas)?;
    let rows = samples.as_chunks_mut().0.chunks_exact_mut(canvas.x as usize);
    let rows = (0..).zip(rows).skip(corner.y as usize);
    for ((y, row), values) in rows.zip(values.chunks(size.x.max(1) as usize)) {
        for ((x, pixel), value) in (0..).zip(row).skip(corner.x as usize).zip(values) {
            let color = palette.get(usize::from(*value));
            let missing = NoColor { x, value: *value };
            *pixel = *color.ok_or_else(|| no_color(missing, y, palette.len()))?;
        }
    }
    Ok(samples)
}

/// The colours of the frame by value, red, green, blue, alpha.
fn palette<R: Read>(decoder: &Decoder<R>, transparent: Option<u8>) -> Result<Vec<[u8; 4]>, Fault> {
    let (colors, _) = decoder.palette().map_err(fault)?.as_chunks();
    let opaque = colors.iter().map(|[red, green, blue]| [*red, *green, *blue, 255]);
    let mut palette: Vec<[u8; 4]> = opaque.collect();
    if let Some(value) = transparent.map(usize::from) {
        // The transparent value needs no colour of its own.
        palette.resize(palette.len().max(value + 1), [0; 4]);
        palette[value] = [0; 4];
    }
    Ok(palette)
}

fn fault(error: DecodingError) -> Fault {
    match error {
        DecodingError::UnexpectedEof => broken("the file ends too early".to_owned()),
        DecodingError::Io(error) => io_fault(error),
        DecodingError::LzwError(_) => broken("the compressed image data is damaged".to_owned()),
        error => broken_in_words_of_decoder(&error.to_string()),
    }
}
