//! The art of a Tiled map, or of all maps of a world. The rules and the drawing order are Tiled's.

pub(super) mod blend;
pub(super) mod tiles;

use std::ops::Range;
use std::rc::Rc;

use glam::{DAffine2, DMat2, DVec2, I64Vec2, IVec2, U64Vec2, UVec2};
use image::{Rgba, RgbaImage};

use super::picture::{DrawBudget, Rect, filled, plain, room};
use super::{RenderError, picture};
use crate::geometry::decimal::direction;
use crate::tmx::{
    Alignment, CellBlock, Color, Lattice, LayerContent, LayerContext, Map, Object, ObjectLayer,
    Orientation, PlacedMap, Point, Projection, Space, Tileset, flip,
};
use blend::Blend;
use tiles::{Painter, Pictures, Sheets, TilePicture, Tiles};

pub(super) enum LevelArt<'a> {
    Picture(&'a RgbaImage),
    /// The size of the whole picture; then each map's art, with the position of its top-left corner in the
    /// picture.
    Maps(U64Vec2, Vec<(MapArt<'a>, I64Vec2)>),
}

impl<'a> LevelArt<'a> {
    /// The art of a level's only map, or of a world's maps, later maps on top. `as_tiled` draws a single map
    /// as Tiled's rasterizer does. `None` without maps, and for a world if the level of some map is not in
    /// screen pixels.
    pub(super) fn of_maps(
        size: UVec2,
        maps: &'a [PlacedMap],
        pictures: &'a Pictures,
        as_tiled: bool,
    ) -> Result<Option<Self>, RenderError> {
        if maps.is_empty() || maps.len() > 1 && maps.iter().any(|map| map.on_screen.is_none()) {
            return Ok(None);
        }
        let sheets = Rc::new(Sheets::new(maps, pictures)?);
        let as_tiled = as_tiled && maps.len() == 1;
        let new = |map| MapArt::new(map, pictures, Rc::clone(&sheets), as_tiled);
        if let [map] = maps {
            let art = new(map);
            return Ok(Some(Self::Maps(
                art.whole().size().as_u64vec2(),
                vec![(art, I64Vec2::ZERO)],
            )));
        }
        let placed = maps.iter().map(|map| {
            let shown = map.on_screen.unwrap_or_default();
            (new(map), map.place.as_i64vec2() + shown.min.as_i64vec2())
        });
        Ok(Some(Self::Maps(size.as_u64vec2(), placed.collect())))
    }

    pub(super) fn size(&self) -> U64Vec2 {
        match self {
            Self::Picture(picture) => UVec2::from(picture.dimensions()).as_u64vec2(),
            Self::Maps(size, _) => *size,
        }
    }

    /// Draws the region `window` of the picture; `window` must be inside the picture.
    pub(super) fn draw(
        &self,
        window: Rect,
        budget: &mut DrawBudget,
    ) -> Result<RgbaImage, RenderError> {
        let maps = match self {
            Self::Picture(picture) => return cropped(picture, window),
            Self::Maps(_, maps) => maps,
        };
        if let [(art, _)] = &maps[..] {
            return art.draw(window, budget);
        }
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

fn cropped(picture: &RgbaImage, window: Rect) -> Result<RgbaImage, RenderError> {
    let mut bytes = room(window.pixels(), 4)?;
    let row_bytes = picture.width() as usize * 4;
    for y in window.min.y..window.max.y {
        let row = y as usize * row_bytes;
        let columns = row + window.min.x as usize * 4..row + window.max.x as usize * 4;
        bytes.extend_from_slice(&picture.as_raw()[columns]);
    }
    Ok(filled(window.pixels(), bytes))
}

pub(super) struct MapArt<'a> {
    map: &'a Map,
    placement: CellPlacement<'a>,
    sheets: Rc<Sheets<'a>>,
    /// The largest distance from the bottom-left corner of a cell to a pixel of its tile, in pixels.
    reach: f64,
    area: Rect,
    background: Color,
    as_tiled: bool,
}

impl<'a> MapArt<'a> {
    fn new(
        map: &'a PlacedMap,
        pictures: &Pictures,
        sheets: Rc<Sheets<'a>>,
        as_tiled: bool,
    ) -> Self {
        let placement = CellPlacement::new(map);
        let map = &*map.map;
        let area = match as_tiled {
            true => grown(placement.tiled(), map, pictures),
            false => placement.level(),
        };
        let background = map.background.filter(|_| !as_tiled).unwrap_or_default();
        Self { map, placement, reach: sheets.reach(map), sheets, area, background, as_tiled }
    }

    fn whole(&self) -> Rect {
        Rect { min: I64Vec2::ZERO, max: self.area.size().max(I64Vec2::ZERO) }
    }

    /// Draws the region `window` of the picture; `window` must be inside the picture.
    fn draw(&self, window: Rect, budget: &mut DrawBudget) -> Result<RgbaImage, RenderError> {
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
            artist.painter.budget.check()?;
        }
        Ok(filled(size, artist.painter.pixels.into_flattened()))
    }
}

/// Extends `area`, in screen pixels, around the map's image layers, then on each side by the largest offset
/// of a tile layer. Hidden layers count too. An image layer does not extend `area` along an axis on which it
/// repeats.
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

struct Artist<'a> {
    art: &'a MapArt<'a>,
    tiles: Tiles<'a>,
    painter: Painter<'a>,
    /// The screen point at the top-left corner of the whole picture.
    origin: DVec2,
}

impl<'a> Artist<'a> {
    fn draw(&mut self, context: &LayerContext<'a>) {
        let offset = float(context.offset) - self.origin;
        let mode = context.layer.blend;
        let blend = Blend::new(mode, context.opacity, context.tint);
        match &context.layer.content {
            LayerContent::Tiles(layer) => {
                let Self { art, tiles, painter, .. } = self;
                let MapArt { map, placement, reach, as_tiled, .. } = art;
                let window = painter.window;
                let near = CornerWindow {
                    min: window.min.as_dvec2() - offset - *reach,
                    max: window.max.as_dvec2() - offset + *reach,
                };
                let cell_size = map.tile_size.as_dvec2();
                let is_hexagonal = matches!(map.orientation, Orientation::Hexagonal { .. });
                placement.visit(&layer.blocks, near, &mut |cell, gid| {
                    let Some((tileset, picture)) = tiles.get(gid & !flip::ALL) else {
                        return;
                    };
                    let own = picture.size.filter(|_| !tileset.fills_cell);
                    let size = own.map_or(cell_size, |own| own.as_dvec2());
                    let at = offset + float(placement.lattice.cell_bottom_left(cell));
                    let corner = at - DVec2::new(0.0, size.y);
                    let tile_box = TileBox { corner, size, is_hexagonal, as_tiled: *as_tiled };
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
        let projection = self.art.placement.projection;
        let position = projection.map_to_screen(float(object.position)) + offset;
        let tile_box = TileBox {
            corner: position - share(tileset.alignment, self.art.map.orientation) * size,
            size,
            is_hexagonal: matches!(self.art.map.orientation, Orientation::Hexagonal { .. }),
            as_tiled: self.art.as_tiled,
        };
        let turn = DAffine2::from_translation(position)
            * DAffine2::from_mat2(turn(object.rotation.as_f64()))
            * DAffine2::from_translation(-position);
        tile_box.draw(&mut self.painter, tileset, picture, gid, turn, blend);
    }
}

pub(super) fn drawn_objects(layer: &ObjectLayer) -> Vec<&Object> {
    let visible = layer.objects.iter().filter(|object| object.visible);
    let mut objects: Vec<&Object> = visible.collect();
    if !layer.draws_in_file_order {
        objects.sort_by_key(|object| object.position.y);
    }
    objects
}

/// The box that a tile fills before its rotation.
struct TileBox {
    corner: DVec2,
    size: DVec2,
    is_hexagonal: bool,
    /// True to draw Tiled's marker for a missing picture.
    as_tiled: bool,
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
            let draw = if self.as_tiled { tiles::draw_crossed } else { tiles::draw_missing };
            return draw(painter, self.corner, self.size, blend);
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
            // A tile turned on its side keeps its bottom-left corner.
            centre += (self.size.y - self.size.x) / 2.0;
        }
        let sign = |flips: bool| if flips { -1.0 } else { 1.0 };
        scale *= DVec2::new(sign(flip_x), sign(flip_y));
        let own =
            DAffine2::from_mat2_translation(turn(degrees) * DMat2::from_diagonal(scale), centre);
        painter.draw(&sprite, turned * own, blend);
    }
}

/// The alignment point of a tile object, as fractions of the width and height of its box, from the top left.
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

/// The clockwise rotation by `degrees`, exact for quarter turns.
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

pub(super) fn float(point: Point) -> DVec2 {
    DVec2::new(point.x.as_f64(), point.y.as_f64())
}

#[derive(Debug)]
pub(super) struct CellPlacement<'m> {
    map: &'m PlacedMap,
    pub(super) projection: Projection,
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

    pub(super) fn level(&self) -> Rect {
        if let Some(area) = self.map.on_screen {
            return Rect { min: area.min.as_i64vec2(), max: area.max.as_i64vec2() };
        }
        let first = self.map.first_cell.as_i64vec2();
        let cells = Rect::new(first, self.map.cells.as_i64vec2());
        self.around(cells)
    }

    /// The area of the screen that Tiled's rasterizer draws, without extra space for layer offsets. For an
    /// infinite map this is the bounding box of all chunks of 16 x 16 cells that contain tiles.
    pub(super) fn tiled(&self) -> Rect {
        let map = &self.map.map;
        if !map.is_infinite {
            return self.around(Rect::new(I64Vec2::ZERO, map.size.as_i64vec2()));
        }
        let mut used: Option<Rect> = None;
        for context in map.walk() {
            if let LayerContent::Tiles(layer) = &context.layer.content {
                for block in &layer.blocks {
                    add_chunks_used(&mut used, block);
                }
            }
        }
        self.around(used.unwrap_or(Rect::new(I64Vec2::ZERO, I64Vec2::ONE)))
    }

    fn around(&self, cells: Rect) -> Rect {
        let (min, max) = self.lattice.picture_area(cells.min, cells.max);
        Rect { min, max }
    }

    /// Calls `visit` with each non-empty cell of a layer and its tile number, in drawing order. Cells with
    /// their bottom-left corner outside `near` may be skipped.
    fn visit(&self, blocks: &[CellBlock], near: CornerWindow, visit: &mut dyn FnMut(IVec2, u32)) {
        if let [block] = blocks {
            self.walk(block, near, &mut |at| {
                let index = u64::from(at.y) * u64::from(block.size.x) + u64::from(at.x);
                let gid = usize::try_from(index).ok().and_then(|index| block.cells.get(index));
                if let Some(gid) = gid.filter(|gid| *gid & !flip::ALL != 0) {
                    visit(block.origin.wrapping_add(at.as_ivec2()), *gid);
                }
            });
            return;
        }
        let tile = self.map.map.tile_size.as_dvec2();
        let mut cells = Vec::new();
        for block in blocks {
            let area = Rect::new(block.origin.as_i64vec2(), block.size.as_i64vec2());
            let area = self.around(area);
            if !near.overlaps(area.min.as_dvec2() - tile, area.max.as_dvec2() + tile) {
                continue;
            }
            let columns = block.size.x.max(1);
            for (index, gid) in (0..).zip(&block.cells) {
                if gid & !flip::ALL != 0 {
                    let at = UVec2::new(index % columns, index / columns);
                    let cell = block.origin.wrapping_add(at.as_ivec2());
                    cells.push((self.rank(cell.as_i64vec2()), cell, *gid));
                }
            }
        }
        cells.sort_by_key(|(rank, ..)| *rank);
        cells.into_iter().for_each(|(_, cell, gid)| visit(cell, gid));
    }

    /// The sort key of the drawing order.
    fn rank(&self, cell: I64Vec2) -> (i64, i64, i64) {
        match self.map.map.orientation {
            Orientation::Isometric => (cell.x + cell.y, cell.x, 0),
            Orientation::Staggered { .. } | Orientation::Hexagonal { .. } => {
                (cell.y, i64::from(self.is_late(cell.x)), cell.x)
            }
            Orientation::Orthogonal | Orientation::Oblique { .. } => {
                let order = self.map.map.render_order;
                let row = if order.upward { -cell.y } else { cell.y };
                (row, if order.leftward { -cell.x } else { cell.x }, 0)
            }
        }
    }

    /// True if the column is shifted against its neighbours. A row draws the cells of such columns last.
    fn is_late(&self, column: i64) -> bool {
        let stagger = self.lattice.stagger();
        stagger.is_some_and(|stagger| stagger.is_along_x() && stagger.is_shifted(column as i32))
    }

    /// Calls `visit` with the cells of a block in drawing order, without sorting. Cells with their
    /// bottom-left corner outside `near` may be skipped.
    fn walk(&self, block: &CellBlock, near: CornerWindow, visit: &mut dyn FnMut(UVec2)) {
        let (width, height) = (block.size.x, block.size.y);
        let corner = |at: UVec2| {
            float(self.lattice.cell_bottom_left(block.origin.wrapping_add(at.as_ivec2())))
        };
        let row = |y: u32| self.near_part(0..width, near, &|x| corner(UVec2::new(x, y)));
        match self.map.map.orientation {
            Orientation::Isometric => {
                for end in 1..width.saturating_add(height) {
                    let place = |x: u32| UVec2::new(x, end - 1 - x);
                    let line = end.saturating_sub(height)..end.min(width);
                    self.near_part(line, near, &|x| corner(place(x))).for_each(|x| visit(place(x)));
                }
            }
            Orientation::Staggered { .. } | Orientation::Hexagonal { .. } => {
                let left = i64::from(block.origin.x);
                for y in 0..height {
                    let row = row(y);
                    for late in [false, true] {
                        let is_now = |x: &u32| self.is_late(left + i64::from(*x)) == late;
                        row.clone().filter(is_now).for_each(|x| visit(UVec2::new(x, y)));
                    }
                }
            }
            Orientation::Orthogonal | Orientation::Oblique { .. } => {
                let order = self.map.map.render_order;
                for place in 0..height {
                    let y = if order.upward { height - 1 - place } else { place };
                    let row = row(y);
                    let (start, end) = (row.start, row.end);
                    for place in row {
                        let x = if order.leftward { start + (end - 1 - place) } else { place };
                        visit(UVec2::new(x, y));
                    }
                }
            }
        }
    }

    /// The cells of `line` whose corners may be in `near`. `corner` returns the corner of a cell. Along the
    /// line the x of the corners must grow. The y must grow or fall evenly, except for the shifts of a
    /// staggered map.
    fn near_part(
        &self,
        line: Range<u32>,
        near: CornerWindow,
        corner: &dyn Fn(u32) -> DVec2,
    ) -> Range<u32> {
        if line.is_empty() {
            return line;
        }
        let (start, end) = (corner(line.start), corner(line.end - 1));
        let tile = self.map.map.tile_size.as_dvec2();
        if !near.overlaps(start.min(end) - tile, start.max(end) + tile) {
            return 0..0;
        }
        // The first cell for which `is_after` is true; it must stay true for all later cells.
        let search = |is_after: &dyn Fn(f64) -> bool| {
            let Range { start: mut from, end: mut to } = line;
            while from < to {
                let middle = from + (to - from) / 2;
                (from, to) =
                    if is_after(corner(middle).x) { (from, middle) } else { (middle + 1, to) };
            }
            from
        };
        let from = if start.x >= near.min.x { line.start } else { search(&|x| x >= near.min.x) };
        let to = if end.x <= near.max.x { line.end } else { search(&|x| x > near.max.x) };
        from..to.max(from)
    }
}

/// The area of the screen for the bottom-left corners of all tiles that may be visible.
#[derive(Clone, Copy)]
struct CornerWindow {
    min: DVec2,
    max: DVec2,
}

impl CornerWindow {
    fn overlaps(self, min: DVec2, max: DVec2) -> bool {
        self.min.cmple(max).all() && min.cmple(self.max).all()
    }
}

/// Extends `used` around each of Tiled's chunks of 16 x 16 cells that contains a tile of `block`.
fn add_chunks_used(used: &mut Option<Rect>, block: &CellBlock) {
    const SIDE: I64Vec2 = I64Vec2::splat(16);
    let columns = block.size.x.max(1) as usize;
    for (row, cells) in (0..).zip(block.cells.chunks(columns)) {
        let is_used = |gid: &u32| gid & !flip::ALL != 0;
        let ends = cells.iter().position(is_used).zip(cells.iter().rposition(is_used));
        if let Some((first, last)) = ends {
            let start = |column: usize| {
                let cell = block.origin.as_i64vec2() + I64Vec2::new(column as i64, row);
                cell.div_euclid(SIDE) * SIDE
            };
            let chunks = Rect { min: start(first), max: start(last) + SIDE };
            *used = Some(used.map_or(chunks, |used| used.hull(chunks)));
        }
    }
}
