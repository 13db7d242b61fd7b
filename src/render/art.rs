//! The art of a level: a Tiled map, or all maps of a world, as the artist sees them. The rules, and the
//! order in which cells are drawn, are Tiled's own.

pub(super) mod blend;
pub(super) mod tiles;

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use glam::{DAffine2, DMat2, DVec2, I64Vec2, IVec2, U64Vec2, UVec2};
use image::{Rgba, RgbaImage, imageops};

use super::picture::{DrawBudget, Rect};
use super::picture::{checked_size, filled, plain};
use super::{MAX_PIXELS, RenderError, picture};
use crate::geometry::decimal::direction;
use crate::limits::Limits;
use crate::tmx::{
    Alignment, CellBlock, Color, Lattice, LayerContent, LayerContext, Map, Object, ObjectLayer,
    Orientation, PlacedMap, Point, Projection, Space, Tileset, flip,
};
use blend::Blend;
use tiles::{Painter, Pictures, Sheets, TilePicture, Tiles};

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
    let mut budget = DrawBudget::new(Limits::default().work);
    let sheets = Rc::new(Sheets::new([&*map.map], pictures)?);
    let map = MapArt::new(map, pictures, sheets, options);
    let size = map.size();
    checked_size(size.x, size.y, 1, MAX_PIXELS)?;
    map.draw(map.whole(), &mut budget)
}

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
    art.draw(Rect::of_size(size), &mut DrawBudget::new(Limits::default().work)).map(Some)
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
    pub(super) fn draw(
        &self,
        window: Rect,
        budget: &mut DrawBudget,
    ) -> Result<RgbaImage, RenderError> {
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
        picture::over(below.get_pixel_mut(at.x + x, at.y + y), *pixel);
    }
}

/// The art of a map, ready to be drawn, whole or in parts.
pub(super) struct MapArt<'a> {
    map: &'a Map,
    placement: CellPlacement<'a>,
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
        let placement = CellPlacement::new(map);
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
    pub(super) fn draw(
        &self,
        window: Rect,
        budget: &mut DrawBudget,
    ) -> Result<RgbaImage, RenderError> {
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
    fn near(&self, offset: DVec2) -> CornerWindow {
        let (window, reach) = (self.painter.window(), self.art.reach);
        CornerWindow {
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

/// The visible objects of a layer, in drawing order.
pub(super) fn drawn_objects(layer: &ObjectLayer) -> Vec<&Object> {
    let visible = layer.objects.iter().filter(|object| object.visible);
    let mut objects: Vec<&Object> = visible.collect();
    if !layer.draws_in_file_order {
        objects.sort_by_key(|object| object.position.y);
    }
    objects
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
            return tiles::draw_missing(painter, self.corner, self.size, blend);
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

/// The point in floats.
pub(super) fn float(point: Point) -> DVec2 {
    DVec2::new(point.x.as_f64(), point.y.as_f64())
}

/// Places the cells of a map.
#[derive(Debug)]
pub(super) struct CellPlacement<'m> {
    map: &'m PlacedMap,
    projection: Projection,
    /// The lattice on the screen.
    lattice: Lattice,
}

impl<'m> CellPlacement<'m> {
    pub(super) fn new(map: &'m PlacedMap) -> Self {
        Self {
            map,
            projection: map.map.projection(),
            lattice: Lattice::for_map(&map.map, Space::Screen),
        }
    }

    pub(super) fn projection(&self) -> &Projection {
        &self.projection
    }

    /// The part of the screen that the level's cells cover.
    pub(super) fn level(&self) -> Rect {
        if let Some(area) = self.map.on_screen {
            return Rect { min: area.min.as_i64vec2(), max: area.max.as_i64vec2() };
        }
        let first = self.map.first_cell.as_i64vec2();
        let cells = Rect::new(first, self.map.cells.as_i64vec2());
        self.around(cells)
    }

    /// The part of the screen that Tiled's rasterizer draws, without room for moved layers. Of an infinite
    /// map it is the chunks of 16 x 16 cells that hold tiles.
    pub(super) fn tiled(&self) -> Rect {
        let map = &self.map.map;
        if !map.is_infinite {
            return self.around(Rect::new(I64Vec2::ZERO, map.size.as_i64vec2()));
        }
        let blocks = map.walk().filter_map(|context| match &context.layer.content {
            LayerContent::Tiles(layer) => Some(&layer.blocks),
            _ => None,
        });
        let chunks = blocks.flatten().flat_map(chunks_used);
        let cells = chunks.reduce(Rect::hull);
        self.around(cells.unwrap_or(Rect::new(I64Vec2::ZERO, I64Vec2::ONE)))
    }

    /// The part of the screen that Tiled's picture of a rectangle of cells covers.
    fn around(&self, cells: Rect) -> Rect {
        let (min, max) = self.lattice.picture_area(cells.min, cells.max);
        Rect { min, max }
    }

    /// The point of the screen at the bottom-left corner of a cell's tile.
    pub(super) fn cell_bottom_left(&self, cell: IVec2) -> DVec2 {
        let point = self.lattice.cell_bottom_left(cell);
        DVec2::new(point.x.as_f64(), point.y.as_f64())
    }

    /// Visits the cells of a layer that are not empty and stand in `near`, in drawing order. Others may be
    /// visited too.
    pub(super) fn visit(
        &self,
        blocks: &[CellBlock],
        near: CornerWindow,
        mut visit: impl FnMut(IVec2, u32),
    ) {
        if let [block] = blocks {
            self.walk(block, near, |at| {
                let index = u64::from(at.y) * u64::from(block.size.x) + u64::from(at.x);
                let gid = usize::try_from(index).ok().and_then(|index| block.cells.get(index));
                if let Some(gid) = gid.filter(|gid| *gid & !flip::ALL != 0) {
                    visit(block.origin.wrapping_add(at.as_ivec2()), *gid);
                }
            });
            return;
        }
        let mut cells = Vec::new();
        for block in blocks.iter().filter(|block| self.is_near(block, near)) {
            let columns = block.size.x.max(1);
            for (index, gid) in (0..).zip(&block.cells) {
                if gid & !flip::ALL != 0 {
                    let at = UVec2::new(index % columns, index / columns);
                    cells.push((block.origin.wrapping_add(at.as_ivec2()), *gid));
                }
            }
        }
        cells.sort_by_cached_key(|(cell, _)| self.rank(cell.as_i64vec2()));
        cells.into_iter().for_each(|(cell, gid)| visit(cell, gid));
    }

    /// The key that sorts cells into drawing order.
    fn rank(&self, cell: I64Vec2) -> (i64, i64, i64) {
        let turned = |place: i64, back: bool| if back { -place } else { place };
        match self.map.map.orientation {
            Orientation::Isometric => (cell.x + cell.y, cell.x, 0),
            Orientation::Staggered { .. } | Orientation::Hexagonal { .. } => {
                (cell.y, i64::from(self.is_late(cell.x)), cell.x)
            }
            Orientation::Orthogonal | Orientation::Oblique { .. } => {
                let row = turned(cell.y, self.map.map.render_order.upward);
                (row, turned(cell.x, self.map.map.render_order.leftward), 0)
            }
        }
    }

    /// True for a column that is drawn after the others of its row: a shifted one.
    fn is_late(&self, column: i64) -> bool {
        let stagger = self.lattice.stagger();
        stagger.is_some_and(|stagger| stagger.is_along_x() && stagger.is_shifted(column as i32))
    }

    /// True if a cell of a block may stand in `near`.
    fn is_near(&self, block: &CellBlock, near: CornerWindow) -> bool {
        let cells = Rect::new(block.origin.as_i64vec2(), block.size.as_i64vec2());
        let (tile, area) = (self.map.map.tile_size.as_dvec2(), self.around(cells));
        near.overlaps(area.min.as_dvec2() - tile, area.max.as_dvec2() + tile)
    }

    /// Visits the places of a block that may stand in `near` in the order of [`Self::rank`], without sorting.
    fn walk(&self, block: &CellBlock, near: CornerWindow, mut visit: impl FnMut(UVec2)) {
        let (width, height) = (block.size.x, block.size.y);
        let corner = |at: UVec2| self.cell_bottom_left(block.origin.wrapping_add(at.as_ivec2()));
        match self.map.map.orientation {
            Orientation::Isometric => {
                for diagonal in 0..width.saturating_add(height).saturating_sub(1) {
                    let first: u32 = diagonal.saturating_sub(height - 1);
                    let place = |x: u32| UVec2::new(x, diagonal - x);
                    let line =
                        self.near_part(first, diagonal.min(width - 1), near, |x| corner(place(x)));
                    line.for_each(|x| visit(place(x)));
                }
            }
            Orientation::Staggered { .. } | Orientation::Hexagonal { .. } => {
                let left = i64::from(block.origin.x);
                for y in 0..height {
                    let row = self.near_row(width, near, |x| corner(UVec2::new(x, y)));
                    for late in [false, true] {
                        let columns =
                            row.clone().filter(|x| self.is_late(left + i64::from(*x)) == late);
                        columns.for_each(|x| visit(UVec2::new(x, y)));
                    }
                }
            }
            Orientation::Orthogonal | Orientation::Oblique { .. } => {
                let order = self.map.map.render_order;
                let mut draw_row = |y: u32| {
                    let row = self.near_row(width, near, |x| corner(UVec2::new(x, y)));
                    if order.leftward {
                        row.rev().for_each(|x| visit(UVec2::new(x, y)));
                    } else {
                        row.for_each(|x| visit(UVec2::new(x, y)));
                    }
                };
                if order.upward {
                    (0..height).rev().for_each(&mut draw_row);
                } else {
                    (0..height).for_each(&mut draw_row);
                }
            }
        }
    }

    /// As [`Self::near_part`], for a row of `width` cells.
    fn near_row(
        &self,
        width: u32,
        near: CornerWindow,
        corner: impl Fn(u32) -> DVec2,
    ) -> Range<u32> {
        match width.checked_sub(1) {
            Some(last) => self.near_part(0, last, near, corner),
            None => 0..0,
        }
    }

    /// The part of a line of cells that may stand in `near`, if their corners go from left to right, and
    /// evenly up or down but for the shifts of a staggered map.
    fn near_part(
        &self,
        first: u32,
        last: u32,
        near: CornerWindow,
        corner: impl Fn(u32) -> DVec2,
    ) -> Range<u32> {
        let (start, end) = (corner(first), corner(last));
        let tile = self.map.map.tile_size.as_dvec2();
        if !near.overlaps(start.min(end) - tile, start.max(end) + tile) {
            return 0..0;
        }
        // The first place for which `is_after` is true; it is for all later ones.
        let search = |is_after: &dyn Fn(f64) -> bool| {
            let (mut from, mut to) = (first, last + 1);
            while from < to {
                let middle = from + (to - from) / 2;
                (from, to) =
                    if is_after(corner(middle).x) { (from, middle) } else { (middle + 1, to) };
            }
            from
        };
        let from = if start.x >= near.min.x { first } else { search(&|x| x >= near.min.x) };
        let to = if end.x <= near.max.x { last + 1 } else { search(&|x| x > near.max.x) };
        from..to.max(from)
    }
}

/// The part of the screen in which the corners lie on which tiles stand that may be seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct CornerWindow {
    pub(super) min: DVec2,
    pub(super) max: DVec2,
}

impl CornerWindow {
    fn overlaps(self, min: DVec2, max: DVec2) -> bool {
        self.min.cmple(max).all() && min.cmple(self.max).all()
    }
}

/// Tiled's chunks of 16 x 16 cells in which a block has tiles.
fn chunks_used(block: &CellBlock) -> impl Iterator<Item = Rect> + '_ {
    const SIDE: i64 = 16;
    let columns = block.size.x.max(1) as usize;
    let rows = block.cells.chunks(columns).enumerate();
    rows.filter_map(move |(row, cells)| {
        let is_used = |gid: &u32| gid & !flip::ALL != 0;
        let first = cells.iter().position(is_used)? as i64;
        let last = cells.iter().rposition(is_used)? as i64;
        let origin = block.origin.as_i64vec2() + I64Vec2::new(0, row as i64);
        let start =
            |x: i64| I64Vec2::new(origin.x + x, origin.y).div_euclid(I64Vec2::splat(SIDE)) * SIDE;
        Some(Rect { min: start(first), max: start(last) + SIDE })
    })
}
