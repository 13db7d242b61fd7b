//! Defines a picture before its pixels are classified: a header, and rows of raw samples. Also makes the
//! errors for faulty pictures.

pub(crate) mod decode;
mod planes;
mod png;

use std::io;

use glam::UVec2;

use self::png::PngRows;
use crate::error::{FileFault, LoadErrorKind, Place};

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
    rows: PngRows<'f>,
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

fn io_fault(error: io::Error) -> Box<FileFault> {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => broken("the file ends too early".to_owned()),
        _ => LoadErrorKind::Io(error).into(),
    }
}
