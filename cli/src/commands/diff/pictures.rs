//! Pictures of the difference between two levels. Each group of changed pixels (patch) is drawn before,
//! after, and as a change.

use std::path::{Path, PathBuf};

use super::side::LevelSide;
use crate::commands::Failure;
use crate::commands::output::{make_folder, write_picture};
use bitwall::analyze::LevelDifference;
use bitwall::glam::{IVec2, UVec2};
use bitwall::image::{Rgba, RgbaImage};
use bitwall::load::decode_picture;
use bitwall::render::{self, DrawOptions, Pictures};
use bitwall::{Aabb, LoadedLevel};

const MARGIN: i32 = 48;

const SIDE: u32 = 800;

const COLORS: [Rgba<u8>; 4] = [
    Rgba([0, 160, 80, 255]),
    Rgba([220, 40, 50, 255]),
    Rgba([60, 60, 70, 255]),
    Rgba([245, 245, 240, 255]),
];

/// The paths of three pictures of a patch of changed pixels: before, after, and the change. `None` for a
/// picture that cannot be drawn.
pub(super) type PatchPictures = [Option<PathBuf>; 3];

/// Creates `folder`, and writes `patch-1-before.png`, `patch-1-after.png`, `patch-1-diff.png` and so on.
///
/// Draws at most `most` patches of changed pixels.
pub(super) fn write_pictures(
    folder: &Path,
    sides: &[LevelSide; 2],
    levels: &[LoadedLevel; 2],
    difference: &LevelDifference,
    most: usize,
) -> Result<Vec<PatchPictures>, Failure> {
    make_folder(folder)?;
    let arts = [0, 1].map(|side| Art::load(&sides[side], &levels[side]));
    let whole = difference.areas[0].hull(difference.areas[1]);
    let mut parts: Vec<(String, Aabb)> = Vec::new();
    for (number, patch) in (1..).zip(difference.patches.iter().take(most)) {
        let area = Aabb { min: patch.area.min - MARGIN, max: patch.area.max + MARGIN };
        parts.push((format!("patch-{number}"), area.intersection(whole)));
    }
    let mut written = Vec::new();
    for (name, area) in parts {
        let named = |what: &str| folder.join(format!("{name}-{what}.png"));
        let mut pictures = [None, None, Some(named("diff"))];
        let names = [named("before"), named("after")];
        for (side, path) in names.into_iter().enumerate() {
            if let Some(picture) = arts[side].drawn(&levels[side], area) {
                write_picture(&path, &picture)?;
                pictures[side] = Some(path);
            }
        }
        write_picture(&named("diff"), &changes(levels, area))?;
        written.push(pictures);
    }
    Ok(written)
}

/// Writes a picture of the whole level to `path`. Returns `None` if the level cannot be drawn.
pub(super) fn write_whole(
    path: PathBuf,
    side: &LevelSide,
    loaded: &LoadedLevel,
) -> Result<Option<PathBuf>, Failure> {
    let level = &loaded.level;
    let area = Aabb { min: level.origin(), max: level.origin() + level.size().as_ivec2() };
    match Art::load(side, loaded).drawn(loaded, area) {
        Some(picture) => write_picture(&path, &picture).map(|()| Some(path)),
        None => Ok(None),
    }
}

/// The pictures of a level's tilesets, and the picture of a mask. They are read once for all drawings of this
/// level.
struct Art {
    pictures: Pictures,
    mask: Option<RgbaImage>,
}

impl Art {
    /// Loads the pictures of the level's tilesets, or the picture of the mask. Tiles of a missing picture are
    /// not drawn, but the solid cells are.
    fn load(side: &LevelSide, loaded: &LoadedLevel) -> Self {
        let mut files = side.files(loaded.options());
        let (pictures, _) = render::load_pictures(&loaded.maps, &mut *files);
        let bytes = loaded.maps.is_empty().then(|| side.bytes(&mut *files).ok()).flatten();
        let mask = bytes.and_then(|bytes| decode_picture(side.path(), &bytes).ok());
        Self { pictures, mask }
    }

    /// Draws `area` of the level. `None` if the area is outside the level, or if the level cannot be drawn.
    fn drawn(&self, loaded: &LoadedLevel, area: Aabb) -> Option<RgbaImage> {
        let is_whole = |mask: &&RgbaImage| UVec2::from(mask.dimensions()) == loaded.level.size();
        let options = DrawOptions {
            pictures: Some(&self.pictures),
            art: self.mask.as_ref().filter(is_whole),
            region: Some(area.translated(-loaded.level.origin())),
            fit: Some(UVec2::splat(SIDE)),
            ..DrawOptions::default()
        };
        render::draw(loaded, &options).ok()
    }
}

/// Draws the pixels in `area` that differ between the two levels. The colour of a pixel shows in which of the
/// levels it is solid.
fn changes(levels: &[LoadedLevel; 2], area: Aabb) -> RgbaImage {
    let size = area.size();
    let longest = size.max_element().max(1);
    // A small area is enlarged by a whole number; of a large area every `stride`-th pixel is drawn.
    let (scale, stride) = match longest {
        ..=SIDE => (SIDE / longest, 1),
        _ => (1, longest.div_ceil(SIDE)),
    };
    let side = |length: u32| (length.div_ceil(stride) * scale).max(1);
    RgbaImage::from_fn(side(size.x), side(size.y), |x, y| {
        let at = area.min + (UVec2::new(x, y) / scale * stride).as_ivec2();
        let is_solid = |loaded: &LoadedLevel| {
            let level = &loaded.level;
            let at = at - level.origin();
            let inside = Aabb { min: IVec2::ZERO, max: level.size().as_ivec2() };
            inside.contains(at) && level.is_solid(at)
        };
        match levels.each_ref().map(is_solid) {
            [false, true] => COLORS[0],
            [true, false] => COLORS[1],
            [true, true] => COLORS[2],
            [false, false] => COLORS[3],
        }
    })
}
