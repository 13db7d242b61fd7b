//! A Tiled map as the artist sees it. The rules are Tiled's own.

use std::rc::Rc;

use glam::{DAffine2, DMat2, DVec2, I64Vec2, U64Vec2, UVec2};
use image::RgbaImage;

use super::budget::Budget;
use super::composite::{Blend, Color};
use super::missing;
use super::placement::{Near, Placement};
use super::rect::Rect;
use super::sprite::Painter;
use super::tiles::{Pictures, Sheets, TilePicture, Tiles};
use super::{MAX_PIXELS, RenderError, checked_size, filled};
use crate::geometry::decimal::direction;
use crate::limits::Limits;
use crate::tmx::{
    Alignment, LayerContent, LayerContext, Map, Object, ObjectLayer, Orientation, PlacedMap, Point,
    Tileset, flip,
};

/// The options of [`art_with`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArtOptions {
    /// True for the picture of Tiled's own rasterizer: without the background colour, and with room for moved
    /// tile layers and for image layers that reach beyond the level. Tiles of a tileset in JSON, which that
    /// program does not read, are crossed boxes.
    pub as_tiled: bool,
}

impl ArtOptions {
    /// The picture that Tiled's own rasterizer draws.
    pub const AS_TILED: Self = Self { as_tiled: true };
}

/// The map's visible layers on its background colour (clear, if it has none), at a scale of 1, with the
/// camera at the map's origin. The picture shows the map's cells on the screen, in every orientation; tiles
/// and pictures that reach beyond them are cut off.
///
/// `pictures` holds those that [`super::picture_paths`] lists. A tile with a missing picture is drawn as a
/// red crossed box. Texts and shapes are not drawn.
///
/// # Errors
/// [`RenderError::TooManyPixels`] beyond [`MAX_PIXELS`], and [`RenderError::TooMuchToDraw`].
pub fn art(map: &PlacedMap, pictures: &Pictures) -> Result<RgbaImage, RenderError> {
    art_with(map, pictures, ArtOptions::default())
}

/// As [`art()`], with options.
///
/// # Errors
/// As [`art()`].
pub fn art_with(
    map: &PlacedMap,
    pictures: &Pictures,
    options: ArtOptions,
) -> Result<RgbaImage, RenderError> {
    let mut budget = Budget::new(Limits::default().work);
    let sheets = Rc::new(Sheets::new([&*map.map], pictures)?);
    let map = MapArt::new(map, pictures, sheets, options);
    let size = map.size();
    checked_size(size.x, size.y, 1, MAX_PIXELS)?;
    map.draw(map.whole(), &mut budget)
}

/// The art of a map, ready to be drawn, whole or in parts.
pub(super) struct MapArt<'a> {
    map: &'a Map,
    placement: Placement<'a>,
    sheets: Rc<Sheets<'a>>,
    /// How far from the corner on which it stands a tile of a layer reaches, at most, in pixels.
    reach: f64,
    /// The part of the screen that the picture shows.
    area: Rect,
    background: Color,
    as_tiled: bool,
}

impl<'a> MapArt<'a> {
    /// `sheets` has the pictures of the map.
    pub(super) fn new(
        map: &'a PlacedMap,
        pictures: &Pictures,
        sheets: Rc<Sheets<'a>>,
        options: ArtOptions,
    ) -> Self {
        let placement = Placement::new(map);
        let (map, as_tiled) = (&*map.map, options.as_tiled);
        let area = match as_tiled {
            true => grown(placement.tiled(), map, pictures),
            false => placement.level(),
        };
        let background = map.background.filter(|_| !as_tiled).unwrap_or_default();
        Self { map, placement, reach: sheets.reach(map), sheets, area, background, as_tiled }
    }

    /// The width and height of the whole picture.
    pub(super) fn size(&self) -> U64Vec2 {
        self.area.size().max(I64Vec2::ZERO).as_u64vec2()
    }

    /// All of the picture.
    pub(super) fn whole(&self) -> Rect {
        Rect::new(I64Vec2::ZERO, self.area.size().max(I64Vec2::ZERO))
    }

    /// The part `window` of the picture, which must not reach beyond it. `budget` is for the tiles.
    pub(super) fn draw(&self, window: Rect, budget: &mut Budget) -> Result<RgbaImage, RenderError> {
        let size = window.pixels();
        let count = size.x as usize * size.y as usize;
        let mut pixels = Vec::new();
        pixels
            .try_reserve_exact(count)
            .map_err(|_| RenderError::NoMemory { bytes: count as u64 * 4 })?;
        pixels.resize(count, self.background);
        let mut artist = Artist {
            art: self,
            tiles: Tiles::new(self.map, &self.sheets, self.as_tiled),
            painter: Painter::new(window, pixels, budget),
            origin: self.area.min.as_dvec2(),
        };
        for context in self.map.walk().filter(|context| context.visible) {
            artist.draw(&context);
            artist.painter.check()?;
        }
        Ok(filled(size, artist.painter.into_pixels().into_flattened()))
    }
}

/// The canvas with room for image layers and for moved tile layers, hidden ones too.
fn grown(mut area: Rect, map: &Map, pictures: &Pictures) -> Rect {
    let (mut before, mut after) = (DVec2::ZERO, DVec2::ZERO);
    for context in map.walk() {
        let offset = float(context.offset);
        match &context.layer.content {
            LayerContent::Tiles(_) => {
                before = before.max(-offset);
                after = after.max(offset);
            }
            LayerContent::Image(layer) => {
                let Some(image) = &layer.image else {
                    continue;
                };
                let picture = pictures.get(&image.path).and_then(Option::as_ref);
                let size = picture.map_or(UVec2::ZERO, |picture| picture.dimensions().into());
                let min = offset.floor().as_i64vec2();
                let max = (offset + size.as_dvec2()).ceil().as_i64vec2();
                if !layer.repeat_x {
                    area.min.x = area.min.x.min(min.x);
                    area.max.x = area.max.x.max(max.x);
                }
                if !layer.repeat_y {
                    area.min.y = area.min.y.min(min.y);
                    area.max.y = area.max.y.max(max.y);
                }
            }
            LayerContent::Objects(_) | LayerContent::Group(_) => {}
        }
    }
    area.min -= before.ceil().as_i64vec2();
    area.max += after.ceil().as_i64vec2();
    area
}

/// The point in floats.
pub(super) fn float(point: Point) -> DVec2 {
    DVec2::new(point.x.as_f64(), point.y.as_f64())
}

/// The visible objects of a layer, in drawing order.
pub(super) fn drawn_objects(layer: &ObjectLayer) -> Vec<&Object> {
    let visible = layer.objects.iter().filter(|object| object.visible);
    let mut objects: Vec<&Object> = visible.collect();
    if !layer.draws_in_file_order {
        objects.sort_by_key(|object| object.position.y);
    }
    objects
}

/// Draws layers on top of each other.
struct Artist<'a> {
    art: &'a MapArt<'a>,
    tiles: Tiles<'a>,
    painter: Painter<'a>,
    /// The point of the screen that is the whole picture's corner.
    origin: DVec2,
}

impl<'a> Artist<'a> {
    /// The corners on which the tiles of a layer stand that may be in the window.
    fn near(&self, offset: DVec2) -> Near {
        let (window, reach) = (self.painter.window(), self.art.reach);
        Near {
            min: window.min.as_dvec2() - offset - reach,
            max: window.max.as_dvec2() - offset + reach,
        }
    }

    fn draw(&mut self, context: &LayerContext<'a>) {
        let offset = float(context.offset) - self.origin;
        let mode = context.layer.blend;
        let blend = Blend::new(mode, context.opacity, context.tint);
        match &context.layer.content {
            LayerContent::Tiles(layer) => {
                let near = self.near(offset);
                let Self { art: MapArt { map, placement, .. }, tiles, painter, .. } = self;
                let cell_size = map.tile_size.as_dvec2();
                let is_hexagonal = matches!(map.orientation, Orientation::Hexagonal { .. });
                placement.visit(&layer.blocks, near, |cell, gid| {
                    let Some((tileset, picture)) = tiles.get(gid & !flip::ALL) else {
                        return;
                    };
                    let own = picture.size.filter(|_| !tileset.fills_cell);
                    let size = own.map_or(cell_size, |own| own.as_dvec2());
                    let at = offset + placement.cell_bottom_left(cell);
                    let tile_box =
                        TileBox { corner: at - DVec2::new(0.0, size.y), size, is_hexagonal };
                    tile_box.draw(painter, tileset, picture, gid, DAffine2::IDENTITY, blend);
                });
            }
            LayerContent::Objects(layer) => {
                for object in drawn_objects(layer) {
                    if let Some(gid) = object.gid {
                        let opacity = context.opacity * object.opacity;
                        let blend = Blend::new(mode, opacity, context.tint);
                        self.draw_object(object, gid, offset, blend);
                    }
                }
            }
            LayerContent::Image(layer) => {
                if let Some(sprite) = layer.image.as_ref().and_then(|image| self.tiles.image(image))
                {
                    let repeat = (layer.repeat_x, layer.repeat_y);
                    self.painter.draw_repeated(&sprite, offset, repeat, blend);
                }
            }
            LayerContent::Group(_) => {}
        }
    }

    fn draw_object(&mut self, object: &Object, gid: u32, offset: DVec2, blend: Blend) {
        let Some((tileset, picture)) = self.tiles.get(gid & !flip::ALL) else {
            return;
        };
        let own = picture.size.unwrap_or_default().as_dvec2();
        let asked = float(object.size);
        let size = DVec2::select(asked.cmpgt(DVec2::ZERO), asked, own);
        let projection = self.art.placement.projection();
        let position = projection.map_to_screen(float(object.position)) + offset;
        let tile_box = TileBox {
            corner: position - share(tileset.alignment, self.art.map.orientation) * size,
            size,
            is_hexagonal: matches!(self.art.map.orientation, Orientation::Hexagonal { .. }),
        };
        let turn = DAffine2::from_translation(position)
            * DAffine2::from_mat2(turn(object.rotation.as_f64()))
            * DAffine2::from_translation(-position);
        tile_box.draw(&mut self.painter, tileset, picture, gid, turn, blend);
    }
}

/// The box in which a tile is drawn, before its rotation.
struct TileBox {
    corner: DVec2,
    size: DVec2,
    is_hexagonal: bool,
}

impl TileBox {
    fn draw(
        &self,
        painter: &mut Painter<'_>,
        tileset: &Tileset,
        picture: TilePicture<'_>,
        gid: u32,
        turned: DAffine2,
        blend: Blend,
    ) {
        let Some(sprite) = picture.sprite else {
            return missing::draw(painter, self.corner, self.size, blend);
        };
        let mut scale = self.size / sprite.size.as_dvec2();
        if tileset.keeps_aspect {
            scale = DVec2::splat(scale.min_element());
        }
        let has = |flag: u32| gid & flag != 0;
        let mut centre = self.corner + self.size / 2.0 + tileset.offset.as_dvec2() * scale;
        let (mut flip_x, mut flip_y) = (has(flip::HORIZONTAL), has(flip::VERTICAL));
        let mut degrees = 0.0;
        if self.is_hexagonal {
            degrees += if has(flip::DIAGONAL) { 60.0 } else { 0.0 };
            degrees += if has(flip::ROTATED) { 120.0 } else { 0.0 };
        } else if has(flip::DIAGONAL) {
            degrees = 90.0;
            (flip_x, flip_y) = (flip_y, !flip_x);
            // A tile on its side keeps its bottom-left corner.
            centre += (self.size.y - self.size.x) / 2.0;
        }
        let sign = |flips: bool| if flips { -1.0 } else { 1.0 };
        scale *= DVec2::new(sign(flip_x), sign(flip_y));
        let own =
            DAffine2::from_mat2_translation(turn(degrees) * DMat2::from_diagonal(scale), centre);
        painter.draw(&sprite, turned * own, blend);
    }
}

/// The place of a tile object's position in its box, from the top-left corner, in parts of its size.
fn share(alignment: Alignment, orientation: Orientation) -> DVec2 {
    let (x, y) = match alignment {
        Alignment::TopLeft => (0.0, 0.0),
        Alignment::Top => (0.5, 0.0),
        Alignment::TopRight => (1.0, 0.0),
        Alignment::Left => (0.0, 0.5),
        Alignment::Center => (0.5, 0.5),
        Alignment::Right => (1.0, 0.5),
        Alignment::Unspecified if orientation == Orientation::Isometric => (0.5, 1.0),
        Alignment::Unspecified | Alignment::BottomLeft => (0.0, 1.0),
        Alignment::Bottom => (0.5, 1.0),
        Alignment::BottomRight => (1.0, 1.0),
    };
    DVec2::new(x, y)
}

/// The rotation by clockwise degrees, exact for quarter turns.
fn turn(degrees: f64) -> DMat2 {
    let quarters = degrees / 90.0;
    let ahead = if quarters.fract() != 0.0 {
        direction(degrees.to_radians())
    } else {
        match quarters.rem_euclid(4.0) as u32 {
            1 => DVec2::Y,
            2 => DVec2::NEG_X,
            3 => DVec2::NEG_Y,
            _ => DVec2::X,
        }
    };
    DMat2::from_cols(ahead, ahead.perp())
}
