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
    arts_beside(mask).find(|art| is_file(art, Links::Refused))
}

/// The paths at which the art beside a mask is looked for, in this order. There need not be a file.
pub(crate) fn arts_beside(mask: &Path) -> impl Iterator<Item = PathBuf> {
    let stem = mask.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let name = MASK_ENDINGS.iter().find_map(|ending| stem.strip_suffix(ending));
    let name = name.filter(|name| !name.is_empty());
    let of = |name| ART_EXTENSIONS.iter().map(move |end| format!("{name}.{end}"));
    name.into_iter().flat_map(of).map(|name| mask.with_file_name(name))
}
