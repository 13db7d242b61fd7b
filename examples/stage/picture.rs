//! The view of a level: its art, seen by a camera, with a walker from a sprite sheet.

use std::error::Error;
use std::path::Path;

use bitwall::glam::{IVec2, UVec2};
use bitwall::image::{Rgba, RgbaImage, imageops};
use bitwall::render::{self, DrawOptions, Overlay, Pictures};
use bitwall::{Dir, Level, LoadOptions, LoadedLevel, load::load_picture, tmx::Space};

use super::hero::Hero;

const PAPER: Rgba<u8> = Rgba([236, 232, 222, 255]);
const ROCK: Rgba<u8> = Rgba([70, 62, 78, 255]);
const NOTHING: Rgba<u8> = Rgba([20, 18, 24, 255]);

/// A level to walk in, and its picture.
pub(crate) struct Stage {
    pub(crate) level: Level,
    /// The picture of a map, as large as the level. `None` for a mask, which is drawn as its own pixels.
    art: Option<RgbaImage>,
}

impl Stage {
    /// Loads any level.
    pub(crate) fn load(path: &Path) -> Result<Self, Box<dyn Error>> {
        let mut options = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
        options.lenient = true;
        // In pixels of the screen, the hero collides where the map is drawn, even on an isometric map.
        options.space = Space::Screen;
        let LoadedLevel { level, maps, .. } = LoadedLevel::load(path, &options)?;
        let paths = maps.iter().flat_map(render::picture_paths);
        let pictures: Pictures =
            paths.map(|path| (path.clone(), load_picture(&path).ok())).collect();
        // A map that is too large for a picture is drawn like a mask.
        let overlay = Overlay::none(1);
        let options = DrawOptions { pictures: Some(&pictures), overlay, ..DrawOptions::default() };
        let art = (!maps.is_empty()).then(|| render::draw((&level, &maps[..]), &options).ok());
        let art = art.flatten().filter(|art| UVec2::from(art.dimensions()) == level.size());
        Ok(Self { level, art })
    }

    /// Returns the part of the level that a camera at `corner` sees.
    pub(crate) fn view(&self, corner: IVec2, size: UVec2) -> RgbaImage {
        let level = self.level.size();
        RgbaImage::from_fn(size.x, size.y, |x, y| {
            let point = corner + IVec2::new(x as i32, y as i32);
            if point.cmplt(IVec2::ZERO).any() || point.as_uvec2().cmpge(level).any() {
                return NOTHING;
            }
            match &self.art {
                Some(art) => on_paper(*art.get_pixel(point.x as u32, point.y as u32)),
                None if self.level.is_solid(point) => ROCK,
                None => PAPER,
            }
        })
    }
}

/// Blends a pixel of the art, which may be transparent, over the background.
fn on_paper(pixel: Rgba<u8>) -> Rgba<u8> {
    let [red, green, blue, alpha] = pixel.0.map(u32::from);
    let over =
        |above: u32, below: u8| ((above * alpha + u32::from(below) * (255 - alpha)) / 255) as u8;
    Rgba([over(red, PAPER.0[0]), over(green, PAPER.0[1]), over(blue, PAPER.0[2]), 255])
}

/// Returns the top-left corner of a camera that follows `center` and shows nothing beyond the level. If the
/// level is smaller than the view, it is in the middle of the view.
pub(crate) fn camera(center: IVec2, view: UVec2, level: UVec2) -> IVec2 {
    let (view, room) = (view.as_ivec2(), level.as_ivec2() - view.as_ivec2());
    let follows = (center - view / 2).clamp(IVec2::ZERO, room.max(IVec2::ZERO));
    IVec2::select(room.cmplt(IVec2::ZERO), room / 2, follows)
}

/// The sprite sheet `assets/walker.png`, which has a row of four frames for each of down, left, right and up.
pub(crate) struct Walker(RgbaImage);

const FRAME: UVec2 = UVec2::new(16, 24);

impl Walker {
    pub(crate) fn load() -> Result<Self, Box<dyn Error>> {
        Ok(Self(load_picture("assets/walker.png")?))
    }

    /// Returns the column and row of the hero's frame. It depends on the distance walked, so that the feet do
    /// not slide.
    fn frame(hero: &Hero) -> UVec2 {
        let row = match hero.facing {
            Dir::Down => 0,
            Dir::Left => 1,
            Dir::Right => 2,
            Dir::Up => 3,
        };
        let is_in_the_air =
            hero.mover.settings.floor.is_some() && hero.mover.steps_since_grounded > 0;
        let column = if is_in_the_air { 1 } else { hero.walked / 7 % 4 };
        UVec2::new(column, row)
    }

    /// Draws the hero into the view of a camera at `corner`, with the feet at the lower edge of the body. An
    /// opacity of 255 is opaque.
    pub(crate) fn draw(&self, picture: &mut RgbaImage, hero: &Hero, corner: IVec2, opacity: u8) {
        let body = hero.mover.body;
        let at = Self::frame(hero) * FRAME;
        let mut frame = imageops::crop_imm(&self.0, at.x, at.y, FRAME.x, FRAME.y).to_image();
        for pixel in frame.pixels_mut() {
            pixel.0[3] = pixel.0[3].min(opacity);
        }
        let left = (body.min.x + body.max.x - FRAME.x as i32) / 2 - corner.x;
        let top = body.max.y - FRAME.y as i32 - corner.y;
        imageops::overlay(picture, &frame, i64::from(left), i64::from(top));
    }
}
