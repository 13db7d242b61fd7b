//! The art of a level, which may be that of all the maps of a world, in one picture or in parts.

use std::borrow::Cow;
use std::rc::Rc;

use glam::{I64Vec2, U64Vec2, UVec2};
use image::{Rgba, RgbaImage, imageops};

use super::art::{ArtOptions, MapArt};
use super::budget::Budget;
use super::rect::Rect;
use super::tiles::{Pictures, Sheets};
use super::{MAX_PIXELS, RenderError, blend, checked_size, plain};
use crate::limits::Limits;
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
    let Some(art) = LevelArt::of_maps(size, maps, pictures, ArtOptions::default())? else {
        return Ok(None);
    };
    let size = art.size();
    let size = checked_size(size.x, size.y, 1, MAX_PIXELS)?;
    art.draw(Rect::of_size(size), &mut Budget::new(Limits::default().work)).map(Some)
}

/// The art of a level, ready to be drawn, whole or in parts.
pub(super) enum LevelArt<'a> {
    Picture(Cow<'a, RgbaImage>),
    Map(Box<MapArt<'a>>),
    /// The maps of a world, each with the place of its picture's corner.
    World(UVec2, Vec<(MapArt<'a>, I64Vec2)>),
}

impl<'a> LevelArt<'a> {
    /// As [`level_art`], with options for a single map.
    pub(super) fn of_maps(
        size: UVec2,
        maps: &'a [PlacedMap],
        pictures: &'a Pictures,
        options: ArtOptions,
    ) -> Result<Option<Self>, RenderError> {
        if maps.is_empty() || maps.len() > 1 && maps.iter().any(|map| map.on_screen.is_none()) {
            return Ok(None);
        }
        let sheets = Rc::new(Sheets::new(maps.iter().map(|map| &*map.map), pictures)?);
        if let [map] = maps {
            let art = MapArt::new(map, pictures, sheets, options);
            return Ok(Some(Self::Map(Box::new(art))));
        }
        let placed = maps.iter().map(|map| {
            let shown = map.on_screen.unwrap_or_default();
            let corner = map.place.as_i64vec2() + shown.min.as_i64vec2();
            (MapArt::new(map, pictures, Rc::clone(&sheets), ArtOptions::default()), corner)
        });
        Ok(Some(Self::World(size, placed.collect())))
    }

    /// The width and height of the whole picture.
    pub(super) fn size(&self) -> U64Vec2 {
        match self {
            Self::Picture(picture) => UVec2::from(picture.dimensions()).as_u64vec2(),
            Self::Map(art) => art.size(),
            Self::World(size, _) => size.as_u64vec2(),
        }
    }

    /// The part `window` of the picture, which must not reach beyond it. `budget` is for the
    /// tiles.
    pub(super) fn draw(&self, window: Rect, budget: &mut Budget) -> Result<RgbaImage, RenderError> {
        match self {
            Self::Picture(picture) => {
                let (at, size) = (window.min.as_u64vec2(), window.pixels());
                let (x, y) = (at.x as u32, at.y as u32);
                Ok(imageops::crop_imm(&**picture, x, y, size.x, size.y).to_image())
            }
            Self::Map(art) => art.draw(window, budget),
            Self::World(_, maps) => {
                let mut picture = plain(window.pixels(), Rgba([0; 4]))?;
                for (art, corner) in maps {
                    let seen = art.whole().moved(*corner).intersection(window);
                    if !seen.is_empty() {
                        let part = art.draw(seen.moved(-*corner), budget)?;
                        put(&mut picture, &part, (seen.min - window.min).as_uvec2());
                    }
                }
                Ok(picture)
            }
        }
    }
}

/// Draws a picture over another, which has room for all of it, with its corner at `at`.
fn put(below: &mut RgbaImage, above: &RgbaImage, at: UVec2) {
    for (x, y, pixel) in above.enumerate_pixels() {
        blend::over(below.get_pixel_mut(at.x + x, at.y + y), *pixel);
    }
}
