//! A Tiled map as the artist sees it. Orthogonal maps; the rules are Tiled's own.

use glam::{DVec2, UVec2, Vec2Swizzles};
use image::{Rgba, RgbaImage};

use super::blend::{self, Modulation};
use super::sprite::{Painter, Target};
use super::tiles::{Look, Pictures, Tiles};
use super::{MAX_DRAWN_PIXELS, MAX_PIXELS, RenderError, checked_size, plain};
use crate::geometry::Aabb;
use crate::level::{DrawnLayer, LayerContent, MapObject, ObjectLook, TileMap, flip};

/// The map's visible layers on its background colour (clear, if it has none), one pixel a pixel.
///
/// `pictures` holds those that [`super::picture_paths`] lists. A tile whose picture is missing is drawn as
/// a red crossed box. An image layer is drawn once, without repeating, and texts and shapes not at all.
///
/// # Errors
/// [`RenderError::TooManyPixels`] beyond [`MAX_PIXELS`], and [`RenderError::TooMuchToDraw`].
pub fn art(map: &TileMap, pictures: &Pictures) -> Result<RgbaImage, RenderError> {
    let side = |tiles: u32, pixels: u32| u64::from(tiles) * u64::from(pixels);
    let width = side(map.size.x, map.tile_size.x);
    let height = side(map.size.y, map.tile_size.y);
    let size = checked_size(width, height, 1, MAX_PIXELS)?;
    let background = Rgba(map.background.unwrap_or([0; 4]));
    let mut painter = Painter {
        canvas: plain(size, background)?,
        budget: MAX_DRAWN_PIXELS as i64,
    };
    let tiles = Tiles::new(map, pictures);
    for layer in map.layers.iter().filter(|layer| layer.visible) {
        draw_layer(&mut painter, map, &tiles, layer);
        if painter.budget < 0 {
            return Err(RenderError::TooMuchToDraw);
        }
    }
    Ok(painter.canvas)
}

fn draw_layer(painter: &mut Painter, map: &TileMap, tiles: &Tiles<'_>, layer: &DrawnLayer) {
    let look = Modulation::new(layer.opacity, layer.tint);
    let offset = DVec2::from(layer.offset);
    match &layer.content {
        LayerContent::Tiles(blocks) => {
            let cells = blocks.first().map_or(&[][..], |block| &block.cells);
            for (cell, gid) in in_order(map, cells) {
                // Tiles stand on the bottom-left corner of their cell, however large they are.
                let corner = UVec2::new(cell.x, cell.y + 1).as_dvec2() * map.tile_size.as_dvec2();
                draw_tile(painter, tiles, gid, Stand::at(offset + corner), look);
            }
        }
        LayerContent::Objects(objects) => {
            for object in objects.iter().filter(|object| object.visible) {
                if let ObjectLook::Tile(gid) = object.look {
                    draw_tile(painter, tiles, gid, Stand::of(object, offset), look);
                }
            }
        }
        LayerContent::Image { image, .. } => {
            if let Some(sprite) = tiles.image(image) {
                let target = Target::upright(offset, sprite.size.as_dvec2(), 0);
                painter.draw(&sprite, &target, look);
            }
        }
    }
}

/// The cells that are not empty with their places, in the map's drawing order: row by row.
fn in_order<'a>(map: &TileMap, cells: &'a [u32]) -> impl Iterator<Item = (UVec2, u32)> + use<'a> {
    let (width, height) = (map.size.x, map.size.y);
    let (leftward, upward) = (map.leftward, map.upward);
    let turned = |index: u32, count: u32, back: bool| if back { count - 1 - index } else { index };
    let place = move |x, y| UVec2::new(turned(x, width, leftward), turned(y, height, upward));
    (0..height)
        .flat_map(move |y| (0..width).map(move |x| place(x, y)))
        .filter_map(move |cell| {
            let index = cell.y as usize * width as usize + cell.x as usize;
            let gid = *cells.get(index)?;
            (gid & !flip::ALL != 0).then_some((cell, gid))
        })
}

/// Where a tile stands: the bottom-left corner of its box, before it is turned around that corner.
#[derive(Clone, Copy)]
struct Stand {
    corner: DVec2,
    /// The size to draw it at; `None` for its own.
    size: Option<DVec2>,
    rotation: f64,
}

impl Stand {
    fn at(corner: DVec2) -> Self {
        Self {
            corner,
            size: None,
            rotation: 0.0,
        }
    }

    fn of(object: &MapObject, offset: DVec2) -> Self {
        let size = DVec2::from(object.size);
        Self {
            corner: offset + DVec2::from(object.position),
            size: size.cmpgt(DVec2::ZERO).all().then_some(size),
            rotation: object.rotation,
        }
    }
}

fn draw_tile(
    painter: &mut Painter,
    tiles: &Tiles<'_>,
    number: u32,
    stand: Stand,
    layer: Modulation,
) {
    let Some((tileset, look)) = tiles.get(number & !flip::ALL) else {
        return;
    };
    let own = look.size().as_dvec2();
    let size = stand.size.unwrap_or(own);
    // A tile on its side keeps its bottom-left corner.
    let is_diagonal = number & flip::DIAGONAL != 0;
    let shape = if is_diagonal { size.yx() } else { size };
    let offset = tileset.offset.as_dvec2() * size / own;
    let target = Target {
        min: stand.corner + offset - DVec2::new(0.0, shape.y),
        size: shape,
        flips: number,
        rotation: stand.rotation,
        pivot: stand.corner,
    };
    match look {
        Look::Sprite(sprite) => painter.draw(&sprite, &target, layer),
        Look::Missing(_) => {
            let min = stand.corner - DVec2::new(0.0, size.y);
            draw_missing(painter, min.round().as_ivec2(), size.round().as_ivec2());
        }
    }
}

/// Tiled's mark for a tile without a picture: a red crossed box on half black.
fn draw_missing(painter: &mut Painter, min: glam::IVec2, size: glam::IVec2) {
    const SHADE: Rgba<u8> = Rgba([0, 0, 0, 128]);
    const RED: Rgba<u8> = Rgba([255, 0, 0, 255]);
    let canvas = UVec2::from(painter.canvas.dimensions()).as_i64vec2();
    let area = Aabb::from_xywh(min.x, min.y, size.x, size.y);
    let from = area.min.as_i64vec2().clamp(glam::I64Vec2::ZERO, canvas);
    let to = area.max.as_i64vec2().clamp(from, canvas);
    painter.budget -= (to - from).element_product();
    if painter.budget < 0 {
        return;
    }
    let (width, height) = (i64::from(area.width()), i64::from(area.height()));
    for y in from.y..to.y {
        for x in from.x..to.x {
            let (u, v) = (x - i64::from(area.min.x), y - i64::from(area.min.y));
            let is_border = u == 0 || v == 0 || u == width - 1 || v == height - 1;
            let diagonal = v * width / height;
            let is_cross = u == diagonal || u == width - 1 - diagonal;
            let color = if is_border || is_cross { RED } else { SHADE };
            blend::over(painter.canvas.get_pixel_mut(x as u32, y as u32), color);
        }
    }
}
