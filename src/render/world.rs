//! The maps of a world in one picture.

use glam::{IVec2, UVec2};
use image::{Rgba, RgbaImage};

use super::art::art;
use super::tiles::Pictures;
use super::{MAX_PIXELS, RenderError, blend, checked_size, plain};
use crate::Level;
use crate::level::TileMap;

/// The art of a level: that of its map or, of a world, that of all its maps, each at its place and those that
/// come later on top. `None` for a level that keeps no map, and for a world with a map whose level is not in
/// the pixels of the screen: see [`crate::LoadOptions::space`].
///
/// `pictures` holds those that [`super::picture_paths`] lists for each of [`Level::maps`].
///
/// # Errors
/// As [`super::art()`].
pub fn level_art(level: &Level, pictures: &Pictures) -> Result<Option<RgbaImage>, RenderError> {
    let maps: Vec<(IVec2, &TileMap)> = level.maps().collect();
    match maps[..] {
        [] => return Ok(None),
        [(_, map)] => return art(map, pictures).map(Some),
        _ => {}
    }
    let (width, height) = (u64::from(level.size().x), u64::from(level.size().y));
    let size = checked_size(width, height, 1, MAX_PIXELS)?;
    let mut picture = plain(size, Rgba([0; 4]))?;
    for (place, map) in maps {
        let Some(shown) = map.on_screen else {
            return Ok(None);
        };
        let part = art(map, pictures)?;
        put(&mut picture, &part, place.saturating_add(shown.min));
    }
    Ok(Some(picture))
}

/// Lays a picture over another, with its corner at `at`; what lies outside is cut off.
fn put(below: &mut RgbaImage, above: &RgbaImage, at: IVec2) {
    let size = UVec2::from(below.dimensions()).as_i64vec2();
    for (x, y, pixel) in above.enumerate_pixels() {
        let to = at.as_i64vec2() + UVec2::new(x, y).as_i64vec2();
        if to.cmpge(glam::I64Vec2::ZERO).all() && to.cmplt(size).all() {
            blend::over(below.get_pixel_mut(to.x as u32, to.y as u32), *pixel);
        }
    }
}
