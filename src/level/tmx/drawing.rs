//! What is kept of a map so that it can be drawn: see [`TileMap`].

use std::path::{Path, PathBuf};

use glam::{IVec2, UVec2};

use super::document::{Document, RawLayer, RawObject};
use super::schema::Shape;
use super::solids::TilesFound;
use super::tiles::TileTable;
use super::{Inherited, rgba};
use crate::geometry::Aabb;
use crate::level::source::{
    Alignment, BlendMode, DrawnLayer, Image, LayerContent, MapObject, ObjectLook, Orientation,
    Solid, StaggerAxis, StaggerIndex, TileMap, Tileset,
};

/// A map without layers.
pub(super) fn tile_map(
    map: &tiled::Map,
    document: &Document<'_>,
    images: &[PathBuf],
    tiles: &TileTable,
) -> TileMap {
    let mut tilesets: Vec<Tileset> = map
        .tilesets()
        .iter()
        .zip(&document.tilesets)
        .enumerate()
        .map(|(index, (set, raw))| Tileset {
            first_gid: raw.first_gid,
            solids: tiles.reasons(index),
            ..tileset(set, images)
        })
        .collect();
    tilesets.sort_by_key(|set| set.first_gid);
    let order = map.render_order;
    TileMap {
        orientation: orientation(map),
        first_cell: IVec2::ZERO,
        embedded: document.embedded.clone(),
        rows: document.height,
        on_screen: None,
        is_infinite: document.is_infinite,
        size: UVec2::new(document.width, document.height),
        tile_size: UVec2::new(document.tile_width, document.tile_height),
        leftward: matches!(
            order,
            tiled::RenderOrder::LeftDown | tiled::RenderOrder::LeftUp
        ),
        upward: matches!(
            order,
            tiled::RenderOrder::RightUp | tiled::RenderOrder::LeftUp
        ),
        background: map.background_color.map(rgba),
        tilesets,
        layers: Vec::new(),
        solids: Vec::new(),
    }
}

/// How the map's cells lie.
pub(super) fn orientation(map: &tiled::Map) -> Orientation {
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
        tiled::Orientation::Hexagonal => Orientation::Hexagonal {
            axis,
            index,
            side: map.hex_side_length.unwrap_or(0).max(0).unsigned_abs(),
        },
        tiled::Orientation::Oblique => Orientation::Oblique {
            skew_x: map.skew_x,
            skew_y: map.skew_y,
        },
    }
}

fn tileset(set: &tiled::Tileset, images: &[PathBuf]) -> Tileset {
    let mut made = Tileset {
        name: set.name.clone(),
        tile_size: UVec2::new(set.tile_width, set.tile_height),
        spacing: set.spacing,
        margin: set.margin,
        offset: IVec2::new(set.offset_x, set.offset_y),
        alignment: alignment(set.object_alignment),
        fills_cell: set.tile_render_size == tiled::TileRenderSize::Grid,
        keeps_aspect: set.fill_mode == tiled::FillMode::PreserveAspectFit,
        image: set.image.as_ref().map(|picture| image(picture, images)),
        ..Tileset::default()
    };
    for (id, tile) in set.tiles() {
        made.named.insert(id);
        if let Some(picture) = &tile.image {
            let part = tile
                .image_rect
                .filter(|part| part.width > 0 && part.height > 0);
            let part = part.map(|part| Aabb::from_xywh(part.x, part.y, part.width, part.height));
            let picture = image(picture, images);
            made.tile_images.insert(id, Image { part, ..picture });
        }
        if let Some(frame) = tile.animation.as_ref().and_then(|frames| frames.first()) {
            made.first_frames.insert(id, frame.tile_id);
        }
    }
    made
}

pub(super) fn alignment(alignment: tiled::ObjectAlignment) -> Alignment {
    match alignment {
        tiled::ObjectAlignment::Unspecified => Alignment::Unspecified,
        tiled::ObjectAlignment::TopLeft => Alignment::TopLeft,
        tiled::ObjectAlignment::Top => Alignment::Top,
        tiled::ObjectAlignment::TopRight => Alignment::TopRight,
        tiled::ObjectAlignment::Left => Alignment::Left,
        tiled::ObjectAlignment::Center => Alignment::Center,
        tiled::ObjectAlignment::Right => Alignment::Right,
        tiled::ObjectAlignment::BottomLeft => Alignment::BottomLeft,
        tiled::ObjectAlignment::Bottom => Alignment::Bottom,
        tiled::ObjectAlignment::BottomRight => Alignment::BottomRight,
    }
}

fn blend_mode(name: &str) -> BlendMode {
    match name {
        "add" => BlendMode::Add,
        "multiply" => BlendMode::Multiply,
        "screen" => BlendMode::Screen,
        "overlay" => BlendMode::Overlay,
        "darken" => BlendMode::Darken,
        "lighten" => BlendMode::Lighten,
        "color-dodge" => BlendMode::ColorDodge,
        "color-burn" => BlendMode::ColorBurn,
        "hard-light" => BlendMode::HardLight,
        "soft-light" => BlendMode::SoftLight,
        "difference" => BlendMode::Difference,
        "exclusion" => BlendMode::Exclusion,
        _ => BlendMode::Normal,
    }
}

/// The picture with its real path in place of the number that stands for it.
fn image(picture: &tiled::Image, images: &[PathBuf]) -> Image {
    let number = picture
        .source
        .to_str()
        .and_then(|text| text.parse::<usize>().ok());
    let path = number.and_then(|number| images.get(number));
    let transparent = picture.transparent_colour;
    Image {
        path: path.map_or(Path::new(""), PathBuf::as_path).to_owned(),
        transparent: transparent.map(|color| [color.red, color.green, color.blue]),
        part: None,
    }
}

/// Adds a layer to what is drawn.
fn add(map: &mut TileMap, layer: &RawLayer<'_>, within: &Inherited, content: LayerContent) {
    map.layers.push(DrawnLayer {
        name: layer.path.clone(),
        visible: !within.hidden,
        opacity: within.opacity,
        tint: within.tint,
        mode: blend_mode(&within.mode),
        offset: (layer.offset.0.as_f64(), layer.offset.1.as_f64()),
        content,
    });
}

/// Adds a tile layer, and what of it is solid.
pub(super) fn add_tiles(
    map: &mut TileMap,
    layer: &RawLayer<'_>,
    within: &Inherited,
    found: TilesFound,
) {
    add(map, layer, within, LayerContent::Tiles(found.kept));
    map.solids.push(Solid::Tiles {
        layer: map.layers.len() - 1,
        line: layer.line,
        because: within.role.solid.clone(),
        cells: found.solid,
        pieces: found.pieces,
    });
}

/// Adds the objects of an object layer.
pub(super) fn add_objects(
    map: &mut TileMap,
    layer: &RawLayer<'_>,
    within: &Inherited,
    objects: &tiled::ObjectLayerData,
    geometry: &[RawObject],
) {
    let of = |(object, geometry): (&tiled::ObjectData, &RawObject)| MapObject {
        look: look(geometry),
        position: (geometry.x.as_f64(), geometry.y.as_f64()),
        size: (geometry.width.as_f64(), geometry.height.as_f64()),
        rotation: geometry.rotation.as_f64(),
        opacity: object.opacity,
        visible: object.visible,
    };
    let data = objects.object_data().iter();
    let mut drawn: Vec<MapObject> = data.zip(geometry).map(of).collect();
    if objects.draw_order == tiled::DrawOrder::TopDown {
        drawn.sort_by(|a, b| a.position.1.total_cmp(&b.position.1));
    }
    add(map, layer, within, LayerContent::Objects(drawn));
}

fn look(geometry: &RawObject) -> ObjectLook {
    let points = || {
        let points = geometry.points.iter();
        points.map(|(x, y)| (x.as_f64(), y.as_f64())).collect()
    };
    if let Some(gid) = geometry.gid {
        return ObjectLook::Tile(gid);
    }
    match geometry.shape {
        Shape::Rectangle => ObjectLook::Rectangle,
        Shape::Ellipse => ObjectLook::Ellipse,
        Shape::Capsule => ObjectLook::Capsule,
        Shape::Point => ObjectLook::Point,
        Shape::Polygon => ObjectLook::Polygon(points()),
        Shape::Polyline => ObjectLook::Polyline(points()),
        Shape::Text => ObjectLook::Text,
    }
}

/// Adds an image layer, if it has a picture.
pub(super) fn add_image(
    map: &mut TileMap,
    layer: &RawLayer<'_>,
    within: &Inherited,
    shown: &tiled::ImageLayerData,
    images: &[PathBuf],
) {
    if let Some(picture) = &shown.image {
        let content = LayerContent::Image {
            image: image(picture, images),
            repeat_x: shown.repeat_x,
            repeat_y: shown.repeat_y,
        };
        add(map, layer, within, content);
    }
}
