//! The maps of a world in one picture.

use glam::{IVec2, UVec2};
use image::{Rgba, RgbaImage};

use super::art::art;
use super::tiles::Pictures;
use super::{MAX_PIXELS, RenderError, blend, checked_size, plain};
use crate::tmx::PlacedMap;

/// The art of a level of `size` pixels: that of its map or, for a world, that of all its maps at their
/// places, later ones on top. `None` without maps, and for a world with a map whose level is not in the
/// pixels of the screen: see [`crate::LoadOptions::space`].
///
/// `pictures` holds those that [`super::picture_paths`] lists for each of the maps.
///
/// # Errors
/// As [`super::art()`].
pub fn level_art(
    size: UVec2,
    maps: &[PlacedMap],
    pictures: &Pictures,
) -> Result<Option<RgbaImage>, RenderError> {
    match maps {
        [] => return Ok(None),
        [map] => return art(map, pictures).map(Some),
        _ => {}
    }
    let size = checked_size(u64::from(size.x), u64::from(size.y), 1, MAX_PIXELS)?;
    let mut picture = plain(size, Rgba([0; 4]))?;
    for map in maps {
        let Some(shown) = map.on_screen else {
            return Ok(None);
        };
        let part = art(map, pictures)?;
        put(&mut picture, &part, map.place.saturating_add(shown.min));
    }
    Ok(Some(picture))
}

/// Draws a picture over another, with its corner at `at`. Pixels outside are cut off.
fn put(below: &mut RgbaImage, above: &RgbaImage, at: IVec2) {
    let size = UVec2::from(below.dimensions()).as_i64vec2();
    for (x, y, pixel) in above.enumerate_pixels() {
        let to = at.as_i64vec2() + UVec2::new(x, y).as_i64vec2();
        if to.cmpge(glam::I64Vec2::ZERO).all() && to.cmplt(size).all() {
            blend::over(below.get_pixel_mut(to.x as u32, to.y as u32), *pixel);
        }
    }
}
