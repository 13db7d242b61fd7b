//! Decodes the pictures that a level is drawn with: tilesets, image layers, art beneath a mask. It never
//! decodes a mask.

use std::io::{Cursor, ErrorKind};
use std::path::Path;

use glam::UVec2;
use image::{ImageError, ImageReader, RgbaImage};

use super::disk::{Links, read_file};
use crate::error::{LoadError, LoadErrorKind, Place};
use crate::limits::Limits;

/// The longest side of a picture, in pixels.
const MAX_SIDE: u32 = 65_536;

/// The most memory for one picture while it is decoded, in bytes.
const MAX_ALLOC: u64 = 256 << 20;

/// Loads a picture (PNG, JPEG, BMP, GIF, WebP or TGA) as RGBA, for [`crate::render`], which opens no files.
///
/// The format is detected from the content, or else from the name. Of an animation the first frame is
/// loaded. The limit is 65,536 pixels a side and 256 MiB.
///
/// # Errors
/// [`LoadError`] names the file and the cause.
pub fn load_picture(path: impl AsRef<Path>) -> Result<RgbaImage, LoadError> {
    let path = path.as_ref();
    let bytes = read_file(path, Links::Followed, Limits::default().file_bytes);
    bytes
        .and_then(|bytes| decode(&bytes, path))
        .map_err(|kind| LoadError::new(path, Place::default(), kind))
}

/// Decodes a picture from its bytes, as [`load_picture`] does; its `path` is for the error, and its ending
/// tells a TGA.
///
/// # Errors
/// As [`load_picture`].
pub fn decode_picture(path: impl AsRef<Path>, bytes: &[u8]) -> Result<RgbaImage, LoadError> {
    let path = path.as_ref();
    decode(bytes, path).map_err(|kind| LoadError::new(path, Place::default(), kind))
}

/// The width and height in a picture's header.
pub(crate) fn size_of(path: &Path, bytes: &[u8]) -> Result<UVec2, LoadErrorKind> {
    let size = reader(bytes, path)?.into_dimensions();
    size.map(UVec2::from).map_err(|error| broken(&error))
}

/// The picture, whose size is `size`; `None` if it has more than `most` pixels or cannot be decoded.
pub(crate) fn load_small_picture(path: &Path, size: UVec2, most: u64) -> Option<RgbaImage> {
    if u64::from(size.x) * u64::from(size.y) > most {
        return None;
    }
    let picture = load_picture(path).ok()?;
    (UVec2::from(picture.dimensions()) == size).then_some(picture)
}

fn decode(bytes: &[u8], path: &Path) -> Result<RgbaImage, LoadErrorKind> {
    let picture = reader(bytes, path)?.decode().map_err(|error| broken(&error))?;
    let pixels = u64::from(picture.width()) * u64::from(picture.height());
    crate::limits::check("bytes of pixels", pixels * 4, MAX_ALLOC)?;
    Ok(picture.into_rgba8())
}

/// A decoder with the limits set.
fn reader<'b>(
    bytes: &'b [u8],
    path: &Path,
) -> Result<ImageReader<Cursor<&'b [u8]>>, LoadErrorKind> {
    let mut reader = ImageReader::new(Cursor::new(bytes));
    // TGA has no signature, so it is detected from the name.
    if let Ok(format) = image::ImageFormat::from_path(path) {
        reader.set_format(format);
    }
    let mut reader = reader.with_guessed_format().map_err(LoadErrorKind::Io)?;
    if reader.format() == Some(image::ImageFormat::Png) {
        check_palette(bytes)?;
    }
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_ALLOC);
    reader.limits(limits);
    Ok(reader)
}

/// Refuses a palette that ends within a colour: crate `png` 0.18.1 panics as it applies one
/// (<https://github.com/image-rs/image-png/issues/682>).
fn check_palette(bytes: &[u8]) -> Result<(), LoadErrorKind> {
    let decoder = png::Decoder::new(Cursor::new(bytes));
    let reader = decoder
        .read_info()
        .map_err(|error| LoadErrorKind::Picture { reason: error.to_string() })?;
    match &reader.info().palette {
        Some(palette) if palette.len() % 3 != 0 => Err(LoadErrorKind::Picture {
            reason: format!("its palette has {} bytes, which is not whole colours", palette.len()),
        }),
        _ => Ok(()),
    }
}

/// The error for a picture that could not be read, in plain words where the decoder has none.
fn broken(error: &ImageError) -> LoadErrorKind {
    let reason = match error {
        ImageError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            "the file ends too early".to_owned()
        }
        ImageError::Unsupported(_) => "not a picture of a known format".to_owned(),
        other => other.to_string(),
    };
    LoadErrorKind::Picture { reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A palette picture of one pixel whose palette has `length` bytes.
    fn with_palette(length: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(vec![7; length]);
        let mut writer = encoder.write_header().expect("a header");
        writer.write_image_data(&[0]).expect("one pixel");
        writer.finish().expect("an end");
        bytes
    }

    #[test]
    fn a_palette_that_ends_within_a_colour_is_an_error() {
        let path = Path::new("x.png");
        let picture = decode(&with_palette(6), path).expect("two colours");
        assert_eq!(picture.get_pixel(0, 0).0, [7, 7, 7, 255]);
        let error = decode(&with_palette(4), path).expect_err("a colour and a third");
        assert!(error.to_string().contains("its palette has 4 bytes"), "{error}");
    }

    #[test]
    fn the_content_decides_the_format_before_the_name() {
        let picture = RgbaImage::from_fn(3, 2, |x, y| image::Rgba([x as u8, y as u8, 9, 255]));
        for format in [image::ImageFormat::Png, image::ImageFormat::Bmp, image::ImageFormat::Tga] {
            let mut bytes = Cursor::new(Vec::new());
            picture.write_to(&mut bytes, format).expect("it can be written");
            let extension = format.extensions_str()[0];
            let right = format!("x.{extension}");
            assert_eq!(decode(bytes.get_ref(), Path::new(&right)).ok().as_ref(), Some(&picture));
            let by_content = decode(bytes.get_ref(), Path::new("x.jpg")).ok();
            let has_signature = format != image::ImageFormat::Tga;
            assert_eq!(by_content == Some(picture.clone()), has_signature, "{extension}");
        }
        assert!(decode(b"", Path::new("x.png")).is_err());
        assert!(decode(b"no picture", Path::new("x")).is_err());
    }
}
