//! The art of a Tiled map, or of all maps of a world. It follows the rules and the drawing order of Tiled.

pub(super) mod blend;
pub(super) mod tiles;

use glam::{DVec2, I64Vec2, U64Vec2, UVec2};
use image::{Rgba, RgbaImage, imageops};

use super::picture::{DrawBudget, Rect, plain};
use super::view::MapView;
use super::{RenderError, picture};
use crate::geometry::Aabb;
use crate::tmx::{Color, Drawing, Paint, PlacedMap, Scene};
use blend::Blend;
use tiles::{Painter, Pictures, Sprite};

/// The background below the marks of a picture: a given picture, or the tiles and image layers of maps.
pub(super) enum LevelArt<'a> {
    Picture(&'a RgbaImage),
    /// The size in pixels of the picture of all maps. Then the art of each map, and the position of the map's
    /// top-left corner in that picture.
    Maps(U64Vec2, Vec<(MapArt<'a>, I64Vec2)>),
}

impl<'a> LevelArt<'a> {
    /// The drawn tiles and image layers of a level's only map, or of a world's maps, later maps on top.
    /// `None` without maps. Also `None` for a world in which a map is not in pixels of the screen.
    pub(super) fn of_maps(
        size: UVec2,
        maps: &'a [PlacedMap],
        pictures: &'a Pictures,
    ) -> Option<Self> {
        if maps.is_empty() || maps.len() > 1 && maps.iter().any(|map| map.on_screen.is_none()) {
            return None;
        }
        if let [map] = maps {
            let art = MapArt::new(map, pictures);
            let size = art.whole().size().as_u64vec2();
            return Some(Self::Maps(size, vec![(art, I64Vec2::ZERO)]));
        }
        let placed = maps.iter().map(|map| {
            let shown = map.on_screen.unwrap_or_default();
            let art = MapArt::new(map, pictures);
            (art, map.place.as_i64vec2() + shown.min.as_i64vec2())
        });
        Some(Self::Maps(size.as_u64vec2(), placed.collect()))
    }

    pub(super) fn size(&self) -> U64Vec2 {
        match self {
            Self::Picture(picture) => UVec2::from(picture.dimensions()).as_u64vec2(),
            Self::Maps(size, _) => *size,
        }
    }

    /// Draws the region `window` of the level's picture, in pixels at the scale 1. The picture must contain
    /// `window`.
    pub(super) fn draw(
        &self,
        window: Rect,
        budget: &mut DrawBudget,
    ) -> Result<RgbaImage, RenderError> {
        let maps = match self {
            Self::Picture(picture) => {
                let mut part = plain(window.pixels(), Rgba([0; 4]))?;
                imageops::replace(&mut part, *picture, -window.min.x, -window.min.y);
                return Ok(part);
            }
            Self::Maps(_, maps) => maps,
        };
        let mut below = plain(window.pixels(), Rgba([0; 4]))?;
        for (art, corner) in maps {
            let seen = art.whole().moved(*corner).intersection(window);
            if seen.is_empty() {
                continue;
            }
            let part = art.draw(seen.moved(-*corner), budget)?;
            let at = (seen.min - window.min).as_uvec2();
            for (x, y, pixel) in part.enumerate_pixels() {
                picture::over(below.get_pixel_mut(at.x + x, at.y + y), *pixel);
            }
        }
        Ok(below)
    }
}

/// The art of one map: the drawn tiles and image layers in `scene`. `area` is the rectangle of the screen
/// that the map covers.
pub(super) struct MapArt<'a> {
    scene: Scene<'a>,
    pictures: &'a Pictures,
    area: Rect,
    background: Color,
}

impl<'a> MapArt<'a> {
    fn new(map: &'a PlacedMap, pictures: &'a Pictures) -> Self {
        let area = MapView::new(map, 1).area();
        let background = map.map.background.unwrap_or_default();
        let scene =
            map.map.scene(|image| Some(pictures.get(&image.path)?.as_ref()?.dimensions().into()));
        Self { scene, pictures, area, background }
    }

    fn whole(&self) -> Rect {
        Rect { min: I64Vec2::ZERO, max: self.area.size().max(I64Vec2::ZERO) }
    }

    /// Draws the region `window` of the map's picture, in pixels at the scale 1. The picture must contain
    /// `window`.
    fn draw(&self, window: Rect, budget: &mut DrawBudget) -> Result<RgbaImage, RenderError> {
        let mut painted = plain(window.pixels(), Rgba(self.background))?;
        let mut painter = Painter::new(window, &mut painted, budget);
        // The screen point at the top-left corner of the whole picture.
        let origin = self.area.min.as_dvec2();
        let min = window.min.as_dvec2() + origin;
        let max = window.max.as_dvec2() + origin;
        // Most tiles use the same picture as the tile before. It is remembered, because a search by path is
        // slow.
        let mut last = None;
        for drawing in self.scene.drawings_in(min, max) {
            let one_pixel;
            let sprite = match drawing.paint {
                Paint::Picture { image, source } => {
                    let picture = match last {
                        Some((known, picture)) if std::ptr::eq(known, image) => picture,
                        _ => self.pictures.get(&image.path).and_then(Option::as_ref),
                    };
                    last = Some((image, picture));
                    picture.map(|picture| Sprite::new(picture, image.transparent, source))
                }
                Paint::Plain(color) => {
                    one_pixel = RgbaImage::from_pixel(1, 1, Rgba(color));
                    Some(Sprite::new(&one_pixel, None, Aabb::from_xywh(0, 0, 1, 1)))
                }
                Paint::Missing => None,
            };
            self.put(&mut painter, &drawing, sprite, origin);
            painter.budget.check()?;
        }
        Ok(painted)
    }

    fn put(
        &self,
        painter: &mut Painter<'_>,
        drawing: &Drawing<'_>,
        sprite: Option<Sprite<'_>>,
        origin: DVec2,
    ) {
        let blend = Blend::new(drawing.layer.blend, drawing.opacity, drawing.tint);
        let corner = drawing.center - drawing.size / 2.0 - origin;
        let Some(sprite) = sprite else {
            return tiles::draw_missing(painter, corner, drawing.size, blend);
        };
        if drawing.tile.is_none() {
            return painter.draw_repeated(&sprite, corner, drawing.repeat, blend);
        }
        let mut place = drawing.transform(sprite.size);
        place.translation -= origin;
        painter.draw(&sprite, place, blend);
    }
}
