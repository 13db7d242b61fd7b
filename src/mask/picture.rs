//! Defines a picture before its pixels are classified: a header, and rows of raw samples. Also makes the
//! errors for faulty pictures.

pub(crate) mod decode;
#[cfg(feature = "formats")]
mod formats;
mod planes;
mod png;

use std::io;

use glam::UVec2;

use self::png::PngRows;
use crate::error::{FileFault, LoadErrorKind, Place};
use crate::limits;
use crate::limits::Limits;

/// A source of a picture's bytes: a file or memory. All decoders read this one type, so each decoder is
/// compiled only once.
pub(crate) trait PictureFile: std::io::BufRead + std::io::Seek {}

impl<F: std::io::BufRead + std::io::Seek> PictureFile for F {}

#[derive(Clone, Debug)]
struct Header {
    size: UVec2,
    /// The number of samples per pixel. It is 1 for a picture with a palette, whose samples are indices into
    /// the palette.
    channels: usize,
    depth: u8,
    /// The colours of the palette: red, green, blue, alpha. `None` for a picture without a palette.
    palette: Option<Vec<[u8; 4]>>,
    /// The colour that counts as transparent, if the picture has one: red, green, blue. For a gray picture,
    /// the three values are equal.
    key: Option<[u32; 3]>,
    /// The file format, colour type and bit depth in words, for people.
    format: String,
    animated: bool,
}

impl Header {
    /// Returns the header of a picture without a palette, with 8 bits per sample.
    #[cfg(feature = "formats")]
    fn of_bytes(size: UVec2, channels: usize, format: String, animated: bool) -> Self {
        Self { size, channels, depth: 8, palette: None, key: None, format, animated }
    }

    /// Returns the number of 64-bit words for one bit of each pixel of a row.
    fn row_words(&self) -> usize {
        self.size.x.div_ceil(u64::BITS) as usize
    }

    fn row_bytes(&self) -> u64 {
        (u64::from(self.size.x) * self.channels as u64 * u64::from(self.depth)).div_ceil(8)
    }
}

struct MaskPicture<'f> {
    header: Header,
    samples: Samples<'f>,
}

/// The samples of a picture, in rows from top to bottom. Each row starts at a byte, and its first sample is
/// in the highest bits.
enum Samples<'f> {
    Whole(Vec<u8>),
    /// The rows of a PNG, which is not decoded yet.
    Rows(PngRows<'f>),
}

/// Returns a buffer of zeros to decode into. Fails if the memory does not suffice.
fn zeros(bytes: u64, size: UVec2) -> Result<Vec<u8>, LoadErrorKind> {
    let mut samples = Vec::new();
    let reserved = samples.try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX));
    reserved.map_err(|_| LoadErrorKind::NoMemory { cells: pixels(size) })?;
    samples.resize(bytes as usize, 0);
    Ok(samples)
}

/// The largest width and height of a mask, in pixels.
const MAX_SIDE: u64 = 65_536;

/// Fails if a picture of this size has no pixels, has a side above [`MAX_SIDE`], or has more pixels than
/// `limits` allows.
fn check_size(size: UVec2, limits: &Limits) -> Result<(), LoadErrorKind> {
    if size.min_element() == 0 {
        let reason = "a side is 0 pixels".to_owned();
        return Err(LoadErrorKind::Picture { reason, by_decoder: false });
    }
    let side = u64::from(size.max_element());
    limits::check("pixels along a side of the mask", side, MAX_SIDE)?;
    limits::check("pixels in the mask (the limit `pixels`)", pixels(size), limits.pixels)
}

fn pixels(size: UVec2) -> u64 {
    u64::from(size.x) * u64::from(size.y)
}

fn broken(reason: String) -> Box<FileFault> {
    LoadErrorKind::Picture { reason, by_decoder: false }.into()
}

/// Returns the fault of the pixel in column `x` and row `y`.
fn at_pixel(x: u32, y: u32, reason: String) -> Box<FileFault> {
    let place = Place { pixel: Some((x, y)), ..Place::default() };
    FileFault::new(place, LoadErrorKind::Picture { reason, by_decoder: false })
}

fn broken_in_words_of_decoder(words: &str) -> Box<FileFault> {
    let reason = words.trim_end_matches('.').to_owned();
    LoadErrorKind::Picture { reason, by_decoder: true }.into()
}

fn io_fault(error: io::Error) -> Box<FileFault> {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => broken("the file ends too early".to_owned()),
        _ => LoadErrorKind::Io(error).into(),
    }
}
