//! GIF files: the first frame, laid on the transparent canvas.
//!
//! The decoder hands over the frame as its values of one byte a pixel, and only these are held whole.

use std::io::{self, BufRead};

use gif::{ColorOutput, DecodeOptions, Decoder, DecodingError};
use glam::UVec2;

use super::header::{Header, RowPlace, Rows, check_size};
use super::{Fault, broken};
use crate::error::LoadErrorKind;
use crate::limits::{self, Limits};

/// Pixels of a frame, a byte each while they are decoded: a picture of 2,048 x 32,768.
const MAX_PIXELS: u64 = 1 << 26;

/// A picture whose first frame has been decoded.
pub(super) struct Picture {
    header: Header,
    /// The corner of the frame on the canvas, and its size.
    corner: UVec2,
    size: UVec2,
    /// The values of the frame's pixels.
    values: Vec<u8>,
    /// The colours by value.
    palette: Vec<[u8; 4]>,
}

/// Decodes the first frame, and reads on as far as it takes to know whether there is another.
pub(super) fn open(reader: impl BufRead, limits: &Limits) -> Result<Picture, Fault> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    options.check_frame_consistency(true);
    let mut decoder = options.read_info(reader).map_err(fault)?;
    let canvas = UVec2::new(decoder.width().into(), decoder.height().into());
    check_size(canvas, limits)?;
    let frame = decoder.next_frame_info().map_err(fault)?;
    let frame = frame.ok_or_else(|| broken("there is no picture in it".to_owned()))?;
    let corner = UVec2::new(frame.left.into(), frame.top.into());
    let size = UVec2::new(frame.width.into(), frame.height.into());
    let (transparent, interlaced) = (frame.transparent, frame.interlaced);
    let pixels = super::pixels(size);
    limits::check("pixels in a frame of a GIF mask", pixels, MAX_PIXELS)?;
    let mut values = Vec::new();
    let reserved = values.try_reserve_exact(pixels as usize);
    reserved.map_err(|_| LoadErrorKind::NoMemory { cells: pixels })?;
    values.resize(pixels as usize, 0);
    if pixels > 0 {
        decoder.read_into_buffer(&mut values).map_err(fault)?;
    }
    let palette = palette(&decoder, transparent)?;
    let animated = decoder.next_frame_info().map_err(fault)?.is_some();
    let interlaced = if interlaced { ", interlaced" } else { "" };
    Ok(Picture {
        header: Header {
            size: canvas,
            channels: 4,
            depth: 8,
            palette: None,
            key: None,
            format: format!("GIF, 8-bit palette{interlaced}"),
            animated,
        },
        corner,
        size,
        values,
        palette,
    })
}

/// The colours of the frame by value, red, green, blue, alpha.
fn palette<R: io::Read>(
    decoder: &Decoder<R>,
    transparent: Option<u8>,
) -> Result<Vec<[u8; 4]>, Fault> {
    let colors = decoder.palette().map_err(fault)?;
    let mut palette: Vec<[u8; 4]> = colors
        .as_chunks::<3>()
        .0
        .iter()
        .map(|[red, green, blue]| [*red, *green, *blue, 255])
        .collect();
    if let Some(value) = transparent.map(usize::from) {
        // The transparent value needs no colour of its own.
        palette.resize(palette.len().max(value + 1), [0; 4]);
        palette[value] = [0; 4];
    }
    Ok(palette)
}

impl Rows for Picture {
    fn header(&self) -> &Header {
        &self.header
    }

    fn for_each_row(
        self,
        mut each: impl FnMut(RowPlace, &[u8]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let canvas = self.header.size;
        let (left, width) = (self.corner.x as usize, self.size.x as usize);
        for y in 0..canvas.y {
            let mut row = vec![[0; 4]; canvas.x as usize];
            let inside = y.checked_sub(self.corner.y).filter(|y| *y < self.size.y);
            let start = inside.map_or(self.values.len(), |y| y as usize * width);
            let values = self.values[start..].iter().take(width);
            for (x, (pixel, value)) in row[left..].iter_mut().zip(values).enumerate() {
                let color = self.palette.get(usize::from(*value));
                *pixel = *color.ok_or_else(|| Fault {
                    pixel: Some(((left + x) as u32, y)),
                    ..super::no_color_reason(*value, self.palette.len())
                })?;
            }
            let place = RowPlace {
                y,
                x: 0,
                step: 1,
                pixels: canvas.x,
            };
            each(place, row.as_flattened())?;
        }
        Ok(())
    }
}

fn fault(error: DecodingError) -> Fault {
    match error {
        DecodingError::UnexpectedEof => broken("the file ends too early".to_owned()),
        DecodingError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            broken("the file ends too early".to_owned())
        }
        DecodingError::Io(error) => LoadErrorKind::Io(error).into(),
        DecodingError::LzwError(_) => broken("the compressed image data is damaged".to_owned()),
        error => broken(super::as_clause(&error.to_string())),
    }
}
