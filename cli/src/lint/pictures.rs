//! The pictures that belong to a level: the art of a mask, found by name, and those that a map names. No file
//! is read.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use bitwall::LoadOptions;
use bitwall::glam::UVec2;
use bitwall::image::RgbaImage;
use bitwall::load::{Disk, Links, open_file};

/// The endings that a mask's name adds to that of its art.
const MASK_ENDINGS: [&str; 3] = ["_mask", "-mask", ".mask"];

/// The formats in which art is looked for, in this order.
const ART_EXTENSIONS: [&str; 7] = ["png", "jpg", "jpeg", "bmp", "gif", "webp", "tga"];

/// The art beside a mask, by its name: `harbor.png` (or `.jpg` and so on) for `harbor_mask.png`,
/// `harbor-mask.png` and `harbor.mask.png`. Links are not followed.
pub(crate) fn art_beside(mask: &Path) -> Option<PathBuf> {
    arts_beside(mask).find(|art| open_file(art, Links::Refused, u64::MAX).is_ok())
}

/// The `pictures` of the level at `path` that are missing or outside its root folder.
pub(crate) fn missing_pictures(
    path: &Path,
    pictures: &[PathBuf],
    options: &LoadOptions,
) -> Vec<PathBuf> {
    let mut disk = Disk::new(path, options);
    pictures.iter().filter(|picture| disk.open(picture).is_err()).cloned().collect()
}

/// The paths at which the art beside a mask is looked for, in this order. There need not be a file.
pub(crate) fn arts_beside(mask: &Path) -> impl Iterator<Item = PathBuf> {
    let stem = mask.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let name = MASK_ENDINGS.iter().find_map(|ending| stem.strip_suffix(ending));
    let name = name.filter(|name| !name.is_empty());
    let of = |name| ART_EXTENSIONS.iter().map(move |end| format!("{name}.{end}"));
    name.into_iter().flat_map(of).map(|name| mask.with_file_name(name))
}

// The art of a mask, decoded.

/// A picture that a mask belongs to, of the mask's size.
#[derive(Debug)]
pub(crate) struct ArtPicture {
    picture: RgbaImage,
}

/// The most pixels of art that are compared with a mask: 128 MiB of them.
pub(super) const MOST_PIXELS: u64 = 1 << 25;

impl ArtPicture {
    pub(super) fn new(picture: RgbaImage) -> Self {
        Self { picture }
    }

    /// Its pixels.
    pub(crate) fn picture(&self) -> &RgbaImage {
        &self.picture
    }

    /// True for a picture of two colours, as a mask has. O(pixels).
    pub(crate) fn is_two_level(&self) -> bool {
        let mut colors = HashSet::new();
        let few = self.picture.pixels().all(|pixel| {
            colors.insert(pixel.0);
            colors.len() <= 2
        });
        few && colors.len() == 2
    }
}

/// True for a size that may be compared.
pub(super) fn is_small(size: UVec2) -> bool {
    u64::from(size.x) * u64::from(size.y) <= MOST_PIXELS
}
