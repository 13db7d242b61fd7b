//! Compares pictures with the golden pictures in `tests/golden`, pixel by pixel.
//!
//! `UPDATE_GOLDEN=1 cargo test` writes the golden pictures again and fails, so that nobody accepts a picture
//! unseen.

use std::fs;
use std::path::{Path, PathBuf};

use bitwall::image::codecs::png::{CompressionType, FilterType, PngEncoder};
use bitwall::image::{ExtendedColorType, ImageEncoder, Rgba, RgbaImage};

/// Fails if `actual` differs from `tests/golden/<name>.png`. Then it writes both pictures and their
/// difference to `target/golden`.
pub(crate) fn check(name: &str, actual: &RgbaImage) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let golden = root.join("tests/golden").join(format!("{name}.png"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        write(&golden, actual);
        panic!("wrote {}: check it, then run again without UPDATE_GOLDEN", golden.display());
    }
    let expected = bitwall::load::load_picture(&golden)
        .unwrap_or_else(|error| panic!("{error}; UPDATE_GOLDEN=1 writes it"));
    if expected == *actual {
        return;
    }
    let folder = root.join("target/golden");
    fs::create_dir_all(&folder).expect("target/ can be written");
    let file = |part: &str| -> PathBuf { folder.join(format!("{name}-{part}.png")) };
    write(&file("expected"), &expected);
    write(&file("actual"), actual);
    let (difference, count) = difference(&expected, actual);
    write(&file("difference"), &difference);
    panic!(
        "{name}: {count} pixels differ (expected {:?}, actual {:?}); see {}",
        expected.dimensions(),
        actual.dimensions(),
        folder.display()
    );
}

/// Returns a picture in which differing pixels are red and all others white, and the number of differing
/// pixels.
fn difference(expected: &RgbaImage, actual: &RgbaImage) -> (RgbaImage, u32) {
    let width = expected.width().max(actual.width());
    let height = expected.height().max(actual.height());
    let mut count = 0;
    let picture = RgbaImage::from_fn(width, height, |x, y| {
        if expected.get_pixel_checked(x, y) == actual.get_pixel_checked(x, y) {
            return Rgba([255; 4]);
        }
        count += 1;
        Rgba([255, 0, 0, 255])
    });
    (picture, count)
}

fn write(path: &Path, picture: &RgbaImage) {
    let file = fs::File::create(path).expect("the folder can be written");
    let (width, height) = picture.dimensions();
    PngEncoder::new_with_quality(file, CompressionType::Best, FilterType::Adaptive)
        .write_image(picture, width, height, ExtendedColorType::Rgba8)
        .expect("the file can be written");
}
