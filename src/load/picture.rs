//! Decodes the pictures of a level's art: tilesets, image layers, and the art under a mask. Masks themselves
//! are decoded by module `mask`.

use std::io::{Cursor, ErrorKind};
use std::path::Path;

use glam::UVec2;
use image::{ColorType, DynamicImage, ImageDecoder, ImageError, ImageReader, RgbaImage};

use super::disk::{Files, Links, read_file};
use crate::error::{LoadError, LoadErrorKind};
use crate::limits::{Limits, Spent, check, memory_for};
use crate::mask::PictureFile;

const MAX_SIDE: u32 = 65_536;
/// The largest number of bytes in memory for all pictures of a map, while the last is decoded and converted.
const MAX_ALLOC: u64 = 192 << 20;

/// The largest number of bytes for a first picture that needs no conversion, enough for 8,192 x 8,192 pixels,
/// the largest texture of most graphics cards.
const MAX_RGBA: u64 = 256 << 20;

/// The largest number of bytes that the decoder of PNG keeps beside the pixels and texts: a row, and a colour
/// profile, which can be compressed a thousandfold. A profile beyond that is ignored, as every profile is.
const MAX_METADATA: usize = 8 << 20;

/// The number of bytes that the decoder of PNG counts at most for a text, such as megabytes of XMP, for each
/// byte in the file: the text, and a buffer that grows to twice its length.
const TEXT_COPIES: usize = 3;

/// The largest number of bytes of pixels for small files. Drawing may take a copy or a canvas of as many, so
/// that a file of less than 1 MB takes at most 256 MiB.
const SMALL: u64 = 112 << 20;

/// The largest number of encoded bytes in all pictures of a map.
const MAX_ENCODED: u64 = 128 << 20;

/// Loads a picture (PNG, JPEG, BMP, GIF, WebP or TGA) as RGBA, for module `render`.
///
/// The content decides the format. A picture whose content has no signature, such as a TGA, is identified by
/// its file's extension. Only the first frame of an animation is loaded.
///
/// The limits are 65,536 pixels per side and 192 MiB of memory, or 256 MiB for a picture that needs no
/// conversion, such as a PNG of 8,192 x 8,192 pixels with 8 bits per channel and alpha. A picture needs 12
/// bytes per pixel with 16 bits per channel, 7 bytes with 8 bits per channel and no alpha or as a WebP, and 6
/// bytes for a TGA with alpha. A file of less than 4 MiB may take 64 times its bytes, or 112 MiB if that is
/// more.
///
/// # Errors
/// Returns an error that names the file and the cause.
pub fn load_picture(path: impl AsRef<Path>) -> Result<RgbaImage, LoadError> {
    let path = path.as_ref();
    let bytes = read_file(path, Links::Followed, Limits::default().file_bytes());
    decode_picture(path, &bytes.map_err(|kind| kind.in_file(path))?)
}

/// Decodes a picture from `bytes`, as [`load_picture`]. `path` is for errors, and its extension identifies a
/// TGA.
pub fn decode_picture(path: impl AsRef<Path>, bytes: &[u8]) -> Result<RgbaImage, LoadError> {
    let path = path.as_ref();
    PictureBudget::default().try_decode(path, bytes).map_err(|kind| kind.in_file(path))
}

/// Returns the width and height in a picture's header, in pixels.
pub fn picture_size(path: &Path, bytes: &[u8]) -> Result<UVec2, LoadErrorKind> {
    let size = reader(&mut Cursor::new(bytes), path)?.into_dimensions();
    size.map(UVec2::from).map_err(|error| broken(&error))
}

/// A limit on the memory and work for all pictures of a map.
///
/// The limit is 192 MiB of pixels (less while the files so far have less than 3 MiB together, as for
/// [`load_picture`]) and 128 MiB of encoded bytes. A picture counts before it is decoded, as its RGBA pixels
/// and as its decoded form. After success, only the RGBA pixels count. A picture that fails to decode keeps
/// counting as both, because the attempt may have taken as long. So a map with a thousand broken pictures
/// takes no longer than a map with a few large pictures.
#[derive(Clone, Debug, Default)]
pub struct PictureBudget {
    pixels: u64,
    encoded: u64,
    /// The bytes of the different files: a map can name one file by many paths.
    files: Spent,
}

impl PictureBudget {
    /// Reads the picture at `path` from `files`, and decodes it as [`decode_picture`].
    ///
    /// # Errors
    /// Fails as [`decode_picture`]. Fails with [`LoadErrorKind::TooLarge`] for a picture beyond the budget.
    pub fn load(
        &mut self,
        path: impl AsRef<Path>,
        files: &mut dyn Files,
    ) -> Result<RgbaImage, LoadError> {
        let path = path.as_ref();
        let attribute = "source and no picture that can be read";
        let bytes = if path.as_os_str().is_empty() {
            Err(LoadErrorKind::Missing { element: "image", attribute })
        } else {
            self.check_encoded().and_then(|()| files.read(path))
        };
        let picture = bytes.and_then(|bytes| self.try_decode(path, &bytes));
        picture.map_err(|kind| kind.in_file(path))
    }

    fn check_encoded(&self) -> Result<(), LoadErrorKind> {
        check("bytes of the map's picture files together", self.encoded, MAX_ENCODED)
    }

    fn try_decode(&mut self, path: &Path, bytes: &[u8]) -> Result<RgbaImage, LoadErrorKind> {
        // This check comes first, so that a picture beyond the budget costs no more work.
        self.encoded += bytes.len() as u64;
        self.check_encoded()?;
        self.files.read(bytes);
        let mut file = Cursor::new(bytes);
        let (picture, kept, spare) = opened(&mut file, path)?;
        let all = kept.saturating_add(spare);
        let total = self.pixels.saturating_add(all);
        let is_alone = self.pixels == 0 && spare == 0;
        let most = if is_alone { MAX_RGBA } else { MAX_ALLOC };
        let most = memory_for(self.files.written, SMALL, most);
        let what = "bytes for the pictures so far (the limit is 64 for each byte of the files, but at least \
                    112 MiB and at most 192 MiB)";
        check(what, total, most)?;
        let picture = DynamicImage::from_decoder(picture);
        self.pixels += if picture.is_ok() { kept } else { all };
        Ok(picture.map_err(|error| broken(&error))?.into_rgba8())
    }
}

/// Reads the header of a picture. Returns the decoder and two numbers of bytes: of the picture in RGBA with
/// 8 bits per channel, and of what else is in memory while it is decoded. The second number is of the
/// pixels as the decoder returns them, and of the indices of a TGA with a colour map. It is 0 if the
/// decoder returns RGBA with 8 bits per channel, because no conversion is needed.
fn opened<'f>(
    file: &'f mut Cursor<&[u8]>,
    path: &Path,
) -> Result<(impl ImageDecoder + 'f, u64, u64), LoadErrorKind> {
    let reader = reader(file, path)?;
    let format = reader.format();
    let indices = if format == Some(image::ImageFormat::Tga) { 2 } else { 0 };
    let picture = reader.into_decoder().map_err(|error| broken(&error))?;
    let (width, height) = picture.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    let converted = match picture.color_type() {
        // An animation has a canvas and a frame of its own: decoding takes up to 12 bytes a pixel.
        ColorType::Rgba8 if format == Some(image::ImageFormat::WebP) => 3,
        ColorType::Rgba8 => 0,
        other => other.bytes_per_pixel().into(),
    };
    let spare = indices + converted;
    Ok((picture, pixels.saturating_mul(4), pixels.saturating_mul(spare)))
}

fn reader<'f>(
    file: &'f mut Cursor<&[u8]>,
    path: &Path,
) -> Result<ImageReader<&'f mut dyn PictureFile>, LoadErrorKind> {
    let bytes = *file.get_ref();
    let mut reader = ImageReader::new(file as &mut dyn PictureFile);
    // TGA has no signature, so the extension of the name identifies it.
    if let Ok(format) = image::ImageFormat::from_path(path) {
        reader.set_format(format);
    }
    let mut reader = reader.with_guessed_format().map_err(LoadErrorKind::Io)?;
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MAX_ALLOC);
    if reader.format() == Some(image::ImageFormat::Png) {
        check_palette(bytes)?;
        limits.max_alloc = Some(metadata_limit(bytes) as u64);
    }
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    reader.limits(limits);
    Ok(reader)
}

/// Returns the largest number of bytes that the decoder of PNG may keep beside the pixels of this file.
fn metadata_limit(file: &[u8]) -> usize {
    MAX_METADATA + TEXT_COPIES * file.len()
}

/// Fails for a palette that ends within a colour, because crate `png` 0.18.1 panics on such a palette
/// (<https://github.com/image-rs/image-png/issues/682>).
fn check_palette(bytes: &[u8]) -> Result<(), LoadErrorKind> {
    let mut file = Cursor::new(bytes);
    let limits = png::Limits { bytes: metadata_limit(bytes) };
    let decoder = png::Decoder::new_with_limits(&mut file as &mut dyn PictureFile, limits);
    let reader = decoder
        .read_info()
        .map_err(|error| LoadErrorKind::Picture { reason: error.to_string(), by_decoder: true })?;
    match &reader.info().palette {
        Some(palette) if palette.len() % 3 != 0 => Err(LoadErrorKind::Picture {
            reason: format!("its palette has {} bytes, which is not whole colours", palette.len()),
            by_decoder: false,
        }),
        _ => Ok(()),
    }
}

/// Returns the error for an unreadable picture: in plain words for common faults, or else in the decoder's
/// words.
fn broken(error: &ImageError) -> LoadErrorKind {
    let (reason, by_decoder) = match error {
        ImageError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            ("the file ends too early".to_owned(), false)
        }
        ImageError::Unsupported(_) => ("not a picture of a known format".to_owned(), false),
        other => (other.to_string(), true),
    };
    LoadErrorKind::Picture { reason, by_decoder }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let picture = decode_picture(path, &with_palette(6)).expect("two colours");
        assert_eq!(picture.get_pixel(0, 0).0, [7, 7, 7, 255]);
        let error = decode_picture(path, &with_palette(4)).expect_err("a colour and a third");
        assert!(error.to_string().contains("its palette has 4 bytes"), "{error}");
    }

    /// The text is longer than what the decoder may keep for a colour profile.
    #[test]
    fn a_picture_with_megabytes_of_text_loads() {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
        let text = "x".repeat(MAX_METADATA + 1);
        encoder.add_itxt_chunk("XML:com.adobe.xmp".to_owned(), text).expect("a text");
        let mut writer = encoder.write_header().expect("a header");
        writer.write_image_data(&[7]).expect("one pixel");
        writer.finish().expect("an end");
        let picture = decode_picture("x.png", &bytes).expect("a picture");
        assert_eq!(picture.get_pixel(0, 0).0, [7, 7, 7, 255]);
    }

    #[test]
    fn the_content_of_a_picture_decides_its_format_before_its_name() {
        let picture = RgbaImage::from_fn(3, 2, |x, y| image::Rgba([x as u8, y as u8, 9, 255]));
        for format in [image::ImageFormat::Png, image::ImageFormat::Bmp, image::ImageFormat::Tga] {
            let mut bytes = Cursor::new(Vec::new());
            picture.write_to(&mut bytes, format).expect("it can be written");
            let extension = format.extensions_str()[0];
            let right = format!("x.{extension}");
            assert_eq!(decode_picture(&right, bytes.get_ref()).ok().as_ref(), Some(&picture));
            let by_content = decode_picture("x.jpg", bytes.get_ref()).ok();
            let has_signature = format != image::ImageFormat::Tga;
            assert_eq!(by_content == Some(picture.clone()), has_signature, "{extension}");
        }
        assert!(decode_picture("x.png", b"").is_err());
        assert!(decode_picture("x", b"no picture").is_err());
    }
}
