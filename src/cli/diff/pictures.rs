//! Pictures of the patches of changed pixels: before, after, and what became solid or passable.

use std::fs;
use std::path::Path;

use glam::{IVec2, UVec2};
use image::codecs::png::PngEncoder;
use image::{ImageEncoder, Rgba, RgbaImage};

use super::revision::Side;
use crate::analyze::LevelDifference;
use crate::cli::Failure;
use crate::cli::output::{Fault, write_whole};
use crate::load::picture::decode_picture;
use crate::render::{self, DrawOptions};
use crate::text::printable_path;
use crate::{Aabb, LoadedLevel};

/// The largest number of patches that are drawn.
const MAX_PATCHES: usize = 20;

/// The pixels around a patch.
const MARGIN: i32 = 48;

/// The largest side of a picture.
const SIDE: u32 = 800;

/// Became solid, became passable, solid, passable.
const COLORS: [Rgba<u8>; 4] = [
    Rgba([0, 160, 80, 255]),
    Rgba([220, 40, 50, 255]),
    Rgba([60, 60, 70, 255]),
    Rgba([245, 245, 240, 255]),
];

/// Writes `patch-1-before.png`, `patch-1-after.png`, `patch-1-diff.png` and so on into a folder, which is
/// made if it is not there.
pub(super) fn write(
    folder: &Path,
    sides: &mut [Side; 2],
    levels: &[LoadedLevel; 2],
    difference: &LevelDifference,
) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        let reason = crate::error::io_reason(&error);
        Failure::Other(format!("{}: cannot make the folder: {reason}", printable_path(folder)))
    };
    fs::create_dir_all(folder).map_err(failed)?;
    let whole = difference.areas[0].hull(difference.areas[1]);
    for (number, patch) in (1..).zip(difference.patches.iter().take(MAX_PATCHES)) {
        let area = Aabb { min: patch.area.min - MARGIN, max: patch.area.max + MARGIN };
        let area = area.intersection(whole);
        let named = |what: &str| folder.join(format!("patch-{number}-{what}.png"));
        for ((side, loaded), what) in sides.iter().zip(levels).zip(["before", "after"]) {
            if let Some(picture) = drawn(side, loaded, area) {
                save(&named(what), &picture)?;
            }
        }
        save(&named("diff"), &changes(levels, area))?;
    }
    Ok(())
}

/// The level with its art; `None` for an area beyond it, or if it cannot be drawn.
fn drawn(side: &Side, loaded: &LoadedLevel, area: Aabb) -> Option<RgbaImage> {
    let region = area.translated(-loaded.level.origin());
    let mut files = side.files(loaded.options());
    // A picture that is missing leaves its tiles out; the walls are drawn all the same.
    let (pictures, _) = render::load_pictures(&loaded.maps, &mut *files);
    let art = match loaded.maps.is_empty() {
        true => {
            let bytes = side.bytes(&mut *files);
            bytes.and_then(|bytes| decode_picture(side.path(), &bytes).ok())
        }
        false => None,
    };
    let mut options = DrawOptions::default().with_pictures(&pictures).with_region(region);
    options.art = art.as_ref().filter(|art| UVec2::from(art.dimensions()) == loaded.level.size());
    let options = options.with_fit(UVec2::splat(SIDE));
    render::draw(loaded, &options).ok()
}

/// The pixels of an area by their state in both levels.
fn changes(levels: &[LoadedLevel; 2], area: Aabb) -> RgbaImage {
    let size = area.size();
    let longest = size.max_element().max(1);
    // Enlarged by a whole number, or every so many pixels of a large area.
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
        match [is_solid(&levels[0]), is_solid(&levels[1])] {
            [false, true] => COLORS[0],
            [true, false] => COLORS[1],
            [true, true] => COLORS[2],
            [false, false] => COLORS[3],
        }
    })
}

fn save(path: &Path, picture: &RgbaImage) -> Result<(), Failure> {
    write_whole(path, |out| {
        let (width, height) = picture.dimensions();
        let encoder = PngEncoder::new(out);
        let written =
            encoder.write_image(picture.as_raw(), width, height, image::ExtendedColorType::Rgba8);
        written.map_err(|error| match error {
            image::ImageError::IoError(error) => Fault::Io(error),
            error => Fault::Content(Failure::Other(error.to_string())),
        })
    })
}
