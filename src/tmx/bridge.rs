//! Converts maps of crate `tiled` 0.16 to documents, for games that already load their maps with that crate.
//! This module opens no file and checks no limit.

#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use glam::{IVec2, UVec2};
use tiled::RenderOrder::{LeftDown, LeftUp, RightUp};
use tiled::{ChunkData, LayerTileData, ObjectTileData, TilesetLocation};

use super::map::{BLEND_MODES, sort_blocks};
use super::{
    Alignment, BlendMode, CellBlock, Color, Decimal, Frame, Image, ImageLayer, Layer, LayerContent,
    Map, Object, ObjectLayer, Orientation, Point, Properties, Property, RenderOrder, Shape,
    StaggerAxis, StaggerIndex, Tile, TileLayer, Tileset, flip,
};
use crate::geometry::Aabb;
use crate::property::PropertyValue;

/// Converts a map that crate `tiled` has loaded.
///
/// ```
/// use bitwall::tmx::Map;
///
/// // A game reads its map with `tiled`, draws from it, and hands it over for the collision.
/// let drawn = tiled::Loader::new().load_tmx_map("assets/cave.tmx")?;
/// let map = Map::from(&drawn);
/// assert_eq!(map.size.x, drawn.width);
/// assert_eq!(map.layers[0].name, drawn.layers().next().expect("a layer").name);
/// # Ok::<(), tiled::Error>(())
/// ```
///
/// The document has all data that `tiled` 0.16 keeps, but not the whole file:
/// * Line numbers are 0. [`Tileset::isometric_grid`](super::Tileset::isometric_grid) and
///   [`Object::template`](super::Object::template) are missing, and so is the size of an object that is a
///   point, a polygon or a polyline.
/// * Coordinates are 32-bit floats in `tiled`. Each becomes the shortest decimal with the same float value,
///   so that `10.3` stays 10.3. A value that is not a number becomes 0. A magnitude beyond 2^22 pixels
///   becomes 2^22.
/// * Tiles get new gids, tileset after tileset, as in Tiled. [`flip::ROTATED`], the turn by 120 degrees on
///   a hexagonal map, is kept only if the file has the same gids, because `tiled` reads this flag as a bit
///   of the tile's number.
/// * The cells of an infinite map are in blocks of 16 x 16, even if the file has chunks of another size.
/// * `tiled` panics for a cell of a finite layer with fewer cells than its size. The panic is caught, and the
///   layer has the existing cells. The panic's message is printed, and a program built to abort on a panic
///   ends.
impl From<&tiled::Map> for Map {
    fn from(map: &tiled::Map) -> Self {
        let mut numbers = TileNumbers::new(map.tilesets());
        let layers = map.layers().map(|layer| bridged(layer, &mut numbers)).collect();
        let tilesets = numbers.tilesets.iter();
        let tilesets = tilesets.map(|set| bridged_tileset(&set.tileset, set.first, &map.source));
        Self {
            version: map.version().to_owned(),
            class: map.user_type.clone(),
            orientation: orientation(map),
            render_order: RenderOrder {
                leftward: matches!(map.render_order, LeftDown | LeftUp),
                upward: matches!(map.render_order, RightUp | LeftUp),
            },
            size: UVec2::new(map.width, map.height),
            tile_size: UVec2::new(map.tile_width, map.tile_height).max(UVec2::ONE),
            is_infinite: map.infinite(),
            parallax_origin: bridged_point(map.parallax_origin_x, map.parallax_origin_y),
            background: map.background_color.map(bridged_color),
            properties: properties(&map.properties),
            tilesets: tilesets.collect(),
            layers,
            ..Self::default()
        }
    }
}

fn orientation(map: &tiled::Map) -> Orientation {
    let axis = match map.stagger_axis {
        tiled::StaggerAxis::X => StaggerAxis::X,
        tiled::StaggerAxis::Y => StaggerAxis::Y,
    };
    let index = match map.stagger_index {
        tiled::StaggerIndex::Odd => StaggerIndex::Odd,
        tiled::StaggerIndex::Even => StaggerIndex::Even,
    };
    match map.orientation {
        tiled::Orientation::Orthogonal => Orientation::Orthogonal,
        tiled::Orientation::Isometric => Orientation::Isometric,
        tiled::Orientation::Staggered => Orientation::Staggered { axis, index },
        tiled::Orientation::Hexagonal => {
            let side = u32::try_from(map.hex_side_length.unwrap_or(0)).unwrap_or(0);
            Orientation::Hexagonal { axis, index, side }
        }
        tiled::Orientation::Oblique => {
            Orientation::Oblique { skew_x: map.skew_x, skew_y: map.skew_y }
        }
    }
}

/// Converts a layer of crate `tiled`. Recurses into groups, as `tiled` itself does.
fn bridged(layer: tiled::Layer<'_>, numbers: &mut TileNumbers) -> Layer {
    let content = match layer.layer_type() {
        tiled::LayerType::Tiles(tiles) => LayerContent::Tiles(bridged_cells(&tiles, numbers)),
        tiled::LayerType::Objects(objects) => LayerContent::Objects(ObjectLayer {
            draws_in_file_order: objects.draw_order == tiled::DrawOrder::Index,
            is_art: false,
            objects: objects
                .objects()
                .map(|object| {
                    let gid = object.tile_data().map(|tile| numbers.of_object(&tile));
                    bridged_object(&object, gid)
                })
                .collect(),
        }),
        tiled::LayerType::Image(image) => LayerContent::Image(ImageLayer {
            image: image.image.as_ref().map(bridged_image),
            repeat_x: image.repeat_x,
            repeat_y: image.repeat_y,
        }),
        tiled::LayerType::Group(group) => {
            LayerContent::Group(group.layers().map(|layer| bridged(layer, numbers)).collect())
        }
    };
    let mut bridged = Layer::new(&layer.name, content);
    bridged.id = layer.id();
    bridged.class.clone_from(&layer.user_type);
    bridged.visible = layer.visible;
    bridged.opacity = opacity(layer.opacity);
    bridged.tint = layer.tint_color.map(bridged_color);
    bridged.offset = bridged_point(layer.offset_x, layer.offset_y);
    bridged.parallax = bridged_point(layer.parallax_x, layer.parallax_y);
    let known = BLEND_MODES.iter().find(|(name, _)| *name == layer.blend_mode);
    bridged.blend = known.map_or(BlendMode::Normal, |(_, mode)| *mode);
    bridged.properties = properties(&layer.properties);
    bridged
}

fn bridged_cells(layer: &tiled::TileLayer<'_>, numbers: &TileNumbers) -> TileLayer {
    let blocks = match layer {
        tiled::TileLayer::Finite(layer) => finite_block(layer, numbers),
        tiled::TileLayer::Infinite(layer) => {
            let chunks = layer.chunk_data();
            let mut blocks: Vec<_> = chunks.map(|(at, chunk)| block(at, chunk, numbers)).collect();
            sort_blocks(&mut blocks);
            blocks
        }
    };
    TileLayer { blocks }
}

fn block((column, row): (i32, i32), chunk: &ChunkData, numbers: &TileNumbers) -> CellBlock {
    let size = UVec2::new(ChunkData::WIDTH, ChunkData::HEIGHT);
    let [width, height] = size.as_ivec2().to_array();
    let mut cells = Vec::new();
    for y in 0..height {
        for x in 0..width {
            cells.push(numbers.of_cell(chunk.get_tile_data(x, y)));
        }
    }
    let origin = IVec2::new(column.saturating_mul(width), row.saturating_mul(height));
    CellBlock { origin, size, cells }
}

/// Returns the cells of a finite layer in one block. A layer with fewer cells than its size gives two blocks:
/// the whole rows, and the rest.
fn finite_block(layer: &tiled::FiniteTileLayer<'_>, numbers: &TileNumbers) -> Vec<CellBlock> {
    let size = UVec2::new(layer.width(), layer.height());
    let [Ok(width @ 1..), Ok(height)] = size.to_array().map(i32::try_from) else {
        // `tiled` finds no cell in a layer whose size does not fit an `i32`.
        return Vec::new();
    };
    let mut cells = Vec::new();
    let read = || {
        for y in 0..height {
            for x in 0..width {
                cells.push(numbers.of_cell(layer.get_tile_data(x, y)));
            }
        }
    };
    // `tiled` 0.16 panics for a cell beyond its list of cells, and offers no other way to read the list or
    // its length. It panics before the closure counts the cell, so the closure's state stays consistent.
    let _ = catch_unwind(AssertUnwindSafe(read));
    let rows = cells.len() as u32 / size.x;
    let rest = cells.split_off((rows * size.x) as usize);
    let whole = CellBlock { origin: IVec2::ZERO, size: UVec2::new(size.x, rows), cells };
    let origin = IVec2::new(0, rows as i32);
    let size = UVec2::new(rest.len() as u32, 1);
    let mut blocks = vec![whole, CellBlock { origin, size, cells: rest }];
    blocks.retain(|block| !block.cells.is_empty());
    blocks
}

/// Converts a tileset. `first_gid` is the gid (global tile id) of its tile 0, and `map` is the path of the
/// map's file.
fn bridged_tileset(tileset: &tiled::Tileset, first_gid: u32, map: &Path) -> Tileset {
    let is_file = tileset.source != map && tileset.source.extension().is_none_or(|end| end != "tx");
    Tileset {
        first_gid,
        name: tileset.name.clone(),
        class: tileset.user_type.clone(),
        file: is_file.then(|| tileset.source.clone()),
        tile_size: UVec2::new(tileset.tile_width, tileset.tile_height),
        spacing: tileset.spacing,
        margin: tileset.margin,
        tile_count: Some(tileset.tilecount),
        columns: Some(tileset.columns),
        offset: IVec2::new(tileset.offset_x, tileset.offset_y),
        alignment: alignment(tileset.object_alignment),
        fills_cell: tileset.tile_render_size == tiled::TileRenderSize::Grid,
        keeps_aspect: tileset.fill_mode == tiled::FillMode::PreserveAspectFit,
        image: tileset.image.as_ref().map(bridged_image),
        properties: properties(&tileset.properties),
        tiles: tileset
            .tiles()
            // Leaves out the empty tiles that `tiled` adds for each position in the picture.
            .filter(|(_, tile)| **tile != tiled::TileData::default())
            .map(|(id, data)| (id, Arc::new(tile(&data))))
            .collect(),
        ..Tileset::default()
    }
}

fn tile(tile: &tiled::TileData) -> Tile {
    let shapes = tile.collision.iter();
    let shapes = shapes.flat_map(|collision| collision.object_data());
    let frames = tile.animation.iter().flatten();
    Tile {
        class: tile.user_type.clone(),
        properties: properties(&tile.properties),
        image: tile.image.as_ref().map(|image| Image {
            part: tile.image_rect.and_then(|part| part_of(image, part)),
            ..bridged_image(image)
        }),
        shapes: shapes.map(|shape| bridged_object(shape, None)).collect(),
        animation: frames
            .map(|frame| Frame { tile: frame.tile_id, duration: frame.duration })
            .collect(),
        ..Tile::default()
    }
}

fn part_of(image: &tiled::Image, part: tiled::ImageRect) -> Option<Aabb> {
    let is_all = (part.x, part.y, part.width, part.height) == (0, 0, image.width, image.height);
    (!is_all).then(|| Aabb::from_xywh(part.x, part.y, part.width, part.height))
}

fn alignment(alignment: tiled::ObjectAlignment) -> Alignment {
    use tiled::ObjectAlignment as Theirs;
    match alignment {
        Theirs::Unspecified => Alignment::Unspecified,
        Theirs::TopLeft => Alignment::TopLeft,
        Theirs::Top => Alignment::Top,
        Theirs::TopRight => Alignment::TopRight,
        Theirs::Left => Alignment::Left,
        Theirs::Center => Alignment::Center,
        Theirs::Right => Alignment::Right,
        Theirs::BottomLeft => Alignment::BottomLeft,
        Theirs::Bottom => Alignment::Bottom,
        Theirs::BottomRight => Alignment::BottomRight,
    }
}

/// The largest magnitude of a coordinate in pixels, as in map files.
const FARTHEST: f32 = (1u32 << 22) as f32;

/// Returns the shortest decimal with this float value, or 0 for a value that is not a finite number.
fn decimal(value: f32) -> Decimal {
    let value = if value.is_finite() { value } else { 0.0 };
    let text = value.clamp(-FARTHEST, FARTHEST).to_string();
    Decimal::parse(&text, FARTHEST as u32).unwrap_or_default()
}

fn bridged_point(x: f32, y: f32) -> Point {
    Point { x: decimal(x), y: decimal(y) }
}

fn bridged_points(points: &[(f32, f32)]) -> Vec<Point> {
    points.iter().map(|(x, y)| bridged_point(*x, *y)).collect()
}

/// Returns the opacity, clamped to the range from 0 to 1; 1 for NaN.
fn opacity(value: f32) -> f32 {
    if value.is_nan() { 1.0 } else { value.clamp(0.0, 1.0) }
}

fn bridged_color(color: tiled::Color) -> Color {
    [color.red, color.green, color.blue, color.alpha]
}

fn properties(properties: &tiled::Properties) -> Properties {
    let bridged = properties.iter().map(|(name, theirs)| {
        let mut property = Property::new(bridged_value(theirs));
        if let tiled::PropertyValue::ClassValue { property_type, .. } = theirs {
            property.type_name.clone_from(property_type);
        }
        (name.clone(), property)
    });
    bridged.collect()
}

fn bridged_value(value: &tiled::PropertyValue) -> PropertyValue {
    use tiled::PropertyValue as Theirs;
    match value {
        Theirs::BoolValue(flag) => PropertyValue::Bool(*flag),
        Theirs::FloatValue(number) => PropertyValue::Float(*number),
        Theirs::IntValue(number) => PropertyValue::Int(*number),
        Theirs::ColorValue(color) => PropertyValue::Color(format!(
            "#{:02x}{:02x}{:02x}{:02x}",
            color.alpha, color.red, color.green, color.blue
        )),
        Theirs::StringValue(text) | Theirs::FileValue(text) => PropertyValue::Text(text.clone()),
        Theirs::ObjectValue(id) => PropertyValue::Object(*id),
        Theirs::ListValue(items) => PropertyValue::List(items.iter().map(bridged_value).collect()),
        Theirs::ClassValue { property_type, properties } => PropertyValue::Class {
            class: property_type.clone(),
            members: properties
                .iter()
                .map(|(name, member)| (name.clone(), bridged_value(member)))
                .collect(),
        },
    }
}

fn bridged_image(image: &tiled::Image) -> Image {
    let [width, height] = [image.width, image.height].map(|side| u32::try_from(side).unwrap_or(0));
    let transparent = image.transparent_colour;
    Image {
        path: image.source.clone(),
        size: UVec2::new(width, height),
        transparent: transparent.map(|color| [color.red, color.green, color.blue]),
        ..Image::default()
    }
}

fn bridged_object(object: &tiled::ObjectData, gid: Option<u32>) -> Object {
    use tiled::ObjectShape as Theirs;
    let (shape, width, height) = match &object.shape {
        Theirs::Rect { width, height } => (Shape::Rectangle, *width, *height),
        Theirs::Ellipse { width, height } => (Shape::Ellipse, *width, *height),
        Theirs::Capsule { width, height } => (Shape::Capsule, *width, *height),
        Theirs::Text { width, height, text, .. } => (Shape::Text(text.clone()), *width, *height),
        Theirs::Point(..) => (Shape::Point, 0.0, 0.0),
        Theirs::Polygon { points } => (Shape::Polygon(bridged_points(points)), 0.0, 0.0),
        Theirs::Polyline { points } => (Shape::Polyline(bridged_points(points)), 0.0, 0.0),
    };
    Object {
        id: object.id(),
        name: object.name.clone(),
        class: object.user_type.clone(),
        position: bridged_point(object.x, object.y),
        size: bridged_point(width.max(0.0), height.max(0.0)),
        rotation: decimal(object.rotation),
        shape: gid.map_or(shape, |_| Shape::Rectangle),
        gid,
        visible: object.visible,
        opacity: opacity(object.opacity),
        properties: properties(&object.properties),
        ..Object::default()
    }
}

/// From this id on, no id belongs to a real tile. Such an id comes from a cell with the flag
/// [`flip::ROTATED`]: `tiled` does not remove this flag from the gid, so the cell seems to show a tile of the
/// last tileset with a huge id.
const FLAGGED: u32 = flip::ROTATED / 2;

struct TileNumbers {
    tilesets: Vec<NumberedTileset>,
}

struct NumberedTileset {
    tileset: Arc<tiled::Tileset>,
    first: u32,
    /// The number of gids of the tileset. It is larger than the largest id of its tiles.
    room: u32,
}

impl TileNumbers {
    fn new(tilesets: &[Arc<tiled::Tileset>]) -> Self {
        let mut numbers = Self { tilesets: Vec::new() };
        for tileset in tilesets {
            numbers.add(tileset);
        }
        numbers
    }

    /// Adds a tileset after all others, and returns its index.
    fn add(&mut self, tileset: &Arc<tiled::Tileset>) -> usize {
        let ids = tileset.tiles().map(|(id, _)| id.saturating_add(1));
        let room = ids.max().unwrap_or(0).max(tileset.tilecount).clamp(1, FLAGGED);
        let before = self.tilesets.last();
        let first = before.map_or(1, |set| set.first.saturating_add(set.room));
        self.tilesets.push(NumberedTileset { tileset: tileset.clone(), first, room });
        self.tilesets.len() - 1
    }

    /// Returns the gid (global tile id) of a tile with its flags. `mirrored` has the flags for left to right,
    /// top to bottom, and diagonal.
    ///
    /// Tiled ignores an id beyond the tileset's tiles, so such an id must not become the gid of another
    /// tile: it becomes the largest number, which no tile has.
    fn number(&self, tileset: usize, id: u32, mirrored: [bool; 3]) -> u32 {
        let flags = [flip::HORIZONTAL, flip::VERTICAL, flip::DIAGONAL];
        let flags = flags.into_iter().zip(mirrored);
        let flags = flags.fold(0, |all, (flag, is_set)| all | (flag * u32::from(is_set)));
        let set = self.tilesets.get(tileset).filter(|set| id < set.room || id >= FLAGGED);
        let number = set.map_or(u32::MAX, |set| set.first.saturating_add(id));
        flags | number.min(!flip::ALL | flip::ROTATED)
    }

    fn of_cell(&self, tile: Option<&LayerTileData>) -> u32 {
        tile.map_or(0, |tile| {
            self.number(tile.tileset_index(), tile.id(), [tile.flip_h, tile.flip_v, tile.flip_d])
        })
    }

    /// Returns the gid (global tile id) of an object's tile. A tileset that only the object's template names
    /// is added.
    fn of_object(&mut self, tile: &ObjectTileData) -> u32 {
        let index = match tile.tileset_location() {
            TilesetLocation::Map(index) => *index,
            TilesetLocation::Template(tileset) => {
                let known = self.tilesets.iter().map(|known| &known.tileset).position(|known| {
                    Arc::ptr_eq(known, tileset) || known.source == tileset.source
                });
                known.unwrap_or_else(|| self.add(tileset))
            }
        };
        self.number(index, tile.id(), [tile.flip_h, tile.flip_v, tile.flip_d])
    }
}
