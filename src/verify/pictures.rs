//! The art of a mask, found by name. It opens no file.

use std::path::{Path, PathBuf};

use crate::load::disk::{Links, is_file};

/// The endings that a mask's name adds to that of its art.
const MASK_ENDINGS: [&str; 3] = ["_mask", "-mask", ".mask"];

/// The formats in which art is looked for, in this order.
const ART_EXTENSIONS: [&str; 7] = ["png", "jpg", "jpeg", "bmp", "gif", "webp", "tga"];

/// The art beside a mask, by its name: `harbor.png` (or `.jpg` and so on) for `harbor_mask.png`,
/// `harbor-mask.png` and `harbor.mask.png`. Links are not followed.
pub(crate) fn art_beside(mask: &Path) -> Option<PathBuf> {
    let stem = mask.file_stem()?.to_str()?;
    let name = MASK_ENDINGS
        .iter()
        .find_map(|ending| stem.strip_suffix(ending))
        .filter(|name| !name.is_empty())?;
    ART_EXTENSIONS
        .iter()
        .map(|extension| mask.with_file_name(format!("{name}.{extension}")))
        .find(|art| is_file(art, Links::Refused))
}
