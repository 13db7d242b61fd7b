//! Pictures as PNG and JPEG, written as they are drawn: a band of a PNG is forgotten before the next one is
//! drawn.

use std::io::{self, Write};

use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder, ImageError, Luma, Pixel, Rgba};

use crate::glam::UVec2;
use crate::render::{Bands, PAPER, RenderError};

/// The quality of a JPEG, of 100: pixel art keeps its edges, and the file is a fifth of that at 100.
const QUALITY: u8 = 90;

/// The reason that a picture was not written.
#[derive(Debug)]
pub(super) enum Fault {
    /// It cannot be drawn.
    Render(RenderError),
    /// It cannot be written.
    Io(io::Error),
}

impl From<RenderError> for Fault {
    fn from(error: RenderError) -> Self {
        Self::Render(error)
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<png::EncodingError> for Fault {
    fn from(error: png::EncodingError) -> Self {
        Self::Io(error.into())
    }
}

/// The colours that pictures are written in.
pub(super) trait Colors: Pixel<Subpixel = u8> {
    const PNG: png::ColorType;
    const JPEG: ExtendedColorType;

    /// The channels of a pixel in a JPEG, appended to `bytes`.
    fn put_opaque(&self, bytes: &mut Vec<u8>);
}

impl Colors for Rgba<u8> {
    const PNG: png::ColorType = png::ColorType::Rgba;
    const JPEG: ExtendedColorType = ExtendedColorType::Rgb8;

    fn put_opaque(&self, bytes: &mut Vec<u8>) {
        let [colors @ .., alpha] = self.0;
        let alpha = u16::from(alpha);
        let mix = |(above, below): (u8, u8)| {
            ((u16::from(above) * alpha + u16::from(below) * (255 - alpha) + 127) / 255) as u8
        };
        bytes.extend(colors.into_iter().zip(PAPER.0).map(mix));
    }
}

impl Colors for Luma<u8> {
    const PNG: png::ColorType = png::ColorType::Grayscale;
    const JPEG: ExtendedColorType = ExtendedColorType::L8;

    fn put_opaque(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.0);
    }
}

/// Writes a PNG band by band.
pub(super) fn png<P: Colors>(bands: Bands<'_, P>, out: impl Write) -> Result<(), Fault> {
    let UVec2 { x, y } = bands.size();
    let mut encoder = png::Encoder::new(out, x, y);
    encoder.set_color(P::PNG);
    encoder.set_depth(png::BitDepth::Eight);
    // Tile art has many repetitions, which filters would hide: without one the file is smaller and sooner
    // written. Better compression took more time than all other work together.
    encoder.set_deflate_compression(png::DeflateCompression::Level(1));
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    let mut rows = writer.stream_writer_with_size(1 << 16)?;
    for band in bands {
        rows.write_all(band?.as_raw())?;
    }
    rows.finish()?;
    Ok(writer.finish()?)
}

/// Writes a JPEG. Its encoder takes the picture as a whole, without alpha.
pub(super) fn jpeg<P: Colors>(bands: Bands<'_, P>, out: impl Write) -> Result<(), Fault> {
    let UVec2 { x, y } = bands.size();
    let mut bytes = Vec::new();
    let length = x as usize * y as usize * P::JPEG.channel_count() as usize;
    let no_memory = |_| RenderError::NoMemory { bytes: length as u64 };
    bytes.try_reserve_exact(length).map_err(no_memory)?;
    for band in bands {
        band?.pixels().for_each(|pixel| pixel.put_opaque(&mut bytes));
    }
    let encoder = JpegEncoder::new_with_quality(out, QUALITY);
    encoder.write_image(&bytes, x, y, P::JPEG).map_err(|error| match error {
        ImageError::IoError(error) => Fault::Io(error),
        other => Fault::Io(io::Error::other(other)),
    })
}
