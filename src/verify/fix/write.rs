//! Writes a repaired picture in the format, the depth and with the palette of the file that it comes from.

use std::borrow::Cow;
use std::io::Cursor;

use glam::UVec2;
use image::{DynamicImage, ImageFormat, RgbImage, RgbaImage};
use png::ColorType;

use super::paint::Paint;
use super::raw::Raw;
use super::{bmp, tga};
use crate::grid::{Grid, RowBuilder};
use crate::mask::Bits;

/// The most bytes of samples.
const MOST_BYTES: usize = 256 << 20;

/// The grid of these pixels; `None` without memory for it.
pub(super) fn grid_of(bits: &Bits) -> Option<Grid> {
    let size = bits.size();
    let mut rows = RowBuilder::new(size.x, size.y).ok()?;
    for y in 0..size.y {
        rows.or_row(y, bits.row(y));
    }
    Some(rows.finish())
}

/// The file with its pixels repainted, or the reason that it cannot be.
pub(super) fn repainted(file: &[u8], paint: &Paint<'_>) -> Result<Vec<u8>, String> {
    match image::guess_format(file) {
        Ok(ImageFormat::Png) => png(file, paint).map_err(|error| error.to_string()),
        Ok(ImageFormat::Gif) => gif(file, paint).map_err(|error| error.to_string()),
        Ok(ImageFormat::Bmp) => bmp::repainted(file, paint),
        Ok(ImageFormat::WebP) => webp(file, paint),
        Ok(_) => Err("its format cannot be written".to_owned()),
        Err(_) => tga::repainted(file, paint),
    }
}

type AnyError = Box<dyn std::error::Error>;

fn png(file: &[u8], paint: &Paint<'_>) -> Result<Vec<u8>, AnyError> {
    let decoder =
        png::Decoder::new_with_limits(Cursor::new(file), png::Limits { bytes: MOST_BYTES });
    let mut reader = decoder.read_info()?;
    let length = reader.output_buffer_size().filter(|length| *length <= MOST_BYTES);
    let mut data = vec![0; length.ok_or("it is too large")?];
    reader.next_frame(&mut data)?;
    reader.finish()?;
    let mut info = reader.info().clone();
    let (color, depth) = (info.color_type, info.bit_depth as usize);
    let channels = color.samples();
    let mut raw = Raw { size: info.size().into(), bits: depth * channels, data };
    if color == ColorType::Indexed {
        let colors = info.palette.as_deref().unwrap_or_default().as_chunks::<3>().0;
        let alphas = info.trns.as_deref().unwrap_or_default();
        let alphas = alphas.iter().copied().chain(std::iter::repeat(255));
        let entries = colors.iter().zip(alphas);
        let mut palette: Vec<[u8; 4]> =
            entries.map(|([red, green, blue], alpha)| [*red, *green, *blue, alpha]).collect();
        paint.apply_to_palette(&mut raw, &mut palette, 1 << depth)?;
        let rgb = palette.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]);
        info.palette = Some(Cow::Owned(rgb.collect()));
        let clear = palette.iter().rposition(|color| color[3] < 255).map_or(0, |last| last + 1);
        let alphas: Vec<u8> = palette.iter().take(clear).map(|color| color[3]).collect();
        info.trns = (clear > 0).then_some(Cow::Owned(alphas));
    } else {
        if info.trns.is_some() && paint.hardened.is_some() {
            return Err("one of its colours is transparent".into());
        }
        if let Some(key) = info.trns.as_deref().filter(|key| key.len() == channels) {
            // The decoder keeps the lower bytes of its samples; the file has two bytes for each.
            info.trns = Some(key.iter().flat_map(|sample| [0, *sample]).collect());
        }
        let white = u64::MAX >> (64 - raw.bits);
        let has_alpha = matches!(color, ColorType::GrayscaleAlpha | ColorType::Rgba);
        let black = if has_alpha { u64::MAX >> (64 - depth) } else { 0 };
        paint.apply(&mut raw, black, white);
    }
    info.interlaced = false;
    let mut bytes = Vec::new();
    let mut writer = png::Encoder::with_info(&mut bytes, info)?.write_header()?;
    writer.write_image_data(&raw.data)?;
    writer.finish()?;
    Ok(bytes)
}

fn gif(file: &[u8], paint: &Paint<'_>) -> Result<Vec<u8>, AnyError> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(file)?;
    let size = UVec2::new(decoder.width().into(), decoder.height().into());
    let global = decoder.global_palette().map(<[u8]>::to_vec);
    let frame = decoder.read_next_frame()?.ok_or("there is no picture in it")?;
    let mut frame = frame.clone();
    if UVec2::new(frame.width.into(), frame.height.into()) != size {
        return Err("its frame does not fill it".into());
    }
    let colors = frame.palette.take().or(global).unwrap_or_default();
    let entries = colors.as_chunks::<3>().0.iter().enumerate();
    let clear = frame.transparent.map(usize::from);
    let alpha = |index| if Some(index) == clear { 0 } else { 255 };
    let mut palette: Vec<[u8; 4]> =
        entries.map(|(index, [red, green, blue])| [*red, *green, *blue, alpha(index)]).collect();
    let mut raw = Raw { size, bits: 8, data: frame.buffer.into_owned() };
    paint.apply_to_palette(&mut raw, &mut palette, 256)?;
    let colors: Vec<u8> = palette.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
    frame.buffer = Cow::Owned(raw.data);
    // The writer takes rows from top to bottom.
    frame.interlaced = false;
    let mut bytes = Vec::new();
    let mut encoder = gif::Encoder::new(&mut bytes, size.x as u16, size.y as u16, &colors)?;
    encoder.write_frame(&frame)?;
    drop(encoder);
    Ok(bytes)
}

/// WebP, by crate `image`, which writes it without loss.
fn webp(file: &[u8], paint: &Paint<'_>) -> Result<Vec<u8>, String> {
    let fault = |error: image::ImageError| error.to_string();
    let mut reader = image::ImageReader::with_format(Cursor::new(file), ImageFormat::WebP);
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MOST_BYTES as u64);
    reader.limits(limits);
    let picture = reader.decode().map_err(fault)?;
    let size = UVec2::new(picture.width(), picture.height());
    let (bits, black) = match &picture {
        DynamicImage::ImageRgb8(_) => (24, 0),
        DynamicImage::ImageRgba8(_) => (32, 255),
        _ => return Err("its kind of pixels cannot be written".to_owned()),
    };
    let mut raw = Raw { size, bits, data: picture.into_bytes() };
    paint.apply(&mut raw, black, u64::MAX >> (64 - bits));
    let Raw { data, .. } = raw;
    let picture: Option<DynamicImage> = match bits {
        24 => RgbImage::from_raw(size.x, size.y, data).map(Into::into),
        _ => RgbaImage::from_raw(size.x, size.y, data).map(Into::into),
    };
    let mut bytes = Cursor::new(Vec::new());
    picture.ok_or("its size changed")?.write_to(&mut bytes, ImageFormat::WebP).map_err(fault)?;
    Ok(bytes.into_inner())
}
