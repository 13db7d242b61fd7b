//! What is kept of a map so that it can be drawn: see [`TileMap`].

use std::path::{Path, PathBuf};

use glam::{IVec2, UVec2};

use super::document::{Document, RawLayer, RawObject};
use super::facts::kind;
use super::tiles::TileKind;
use super::{Inherited, rgba};
use crate::geometry::Aabb;
use crate::level::rules::SolidRules;
use crate::level::source::{DrawnLayer, Image, LayerContent, Solid, TileMap, TileObject, Tileset};

/// A map without layers.
pub(super) fn tile_map(
    map: &tiled::Map,
    document: &Document<'_>,
    images: &[PathBuf],
    rules: &SolidRules,
) -> TileMap {
    let mut tilesets: Vec<Tileset> = map
        .tilesets()
        .iter()
        .zip(&document.tilesets)
        .enumerate()
        .map(|(index, (set, raw))| Tileset {
            first_gid: raw.first_gid,
            ..tileset(map, index, set, images, rules)
        })
        .collect();
    tilesets.sort_by_key(|set| set.first_gid);
    let order = map.render_order;
    TileMap {
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

fn tileset(
    map: &tiled::Map,
    index: usize,
    set: &tiled::Tileset,
    images: &[PathBuf],
    rules: &SolidRules,
) -> Tileset {
    let mut made = Tileset {
        name: set.name.clone(),
        tile_size: UVec2::new(set.tile_width, set.tile_height),
        spacing: set.spacing,
        margin: set.margin,
        columns: set.columns,
        offset: IVec2::new(set.offset_x, set.offset_y),
        image: set.image.as_ref().map(|picture| image(picture, images)),
        ..Tileset::default()
    };
    for (id, tile) in set.tiles() {
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
        if let Some(TileKind::Solid(because)) = kind(map, index, id, rules) {
            made.solids.insert(id, because);
        }
    }
    made
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
        offset: (layer.offset.0.as_f64(), layer.offset.1.as_f64()),
        content,
    });
}

/// Adds a tile layer, and what of it is solid.
pub(super) fn add_tiles(
    map: &mut TileMap,
    layer: &RawLayer<'_>,
    within: &Inherited,
    cells: Vec<u32>,
) {
    add(map, layer, within, LayerContent::Tiles(cells));
    map.solids.push(Solid::Tiles {
        layer: map.layers.len() - 1,
        offset: layer.offset_in_pixels(),
        because: within.solid.clone(),
    });
}

/// Adds the tile objects of an object layer.
pub(super) fn add_objects(
    map: &mut TileMap,
    layer: &RawLayer<'_>,
    within: &Inherited,
    objects: &tiled::ObjectLayerData,
    geometry: &[RawObject],
) {
    let tile_object = |(object, geometry): (&tiled::ObjectData, &RawObject)| {
        Some(TileObject {
            gid: geometry.gid?,
            position: (geometry.x.as_f64(), geometry.y.as_f64()),
            size: (geometry.width.as_f64(), geometry.height.as_f64()),
            rotation: geometry.rotation.as_f64(),
            visible: object.visible,
        })
    };
    let data = objects.object_data().iter();
    let mut drawn: Vec<TileObject> = data.zip(geometry).filter_map(tile_object).collect();
    if objects.draw_order == tiled::DrawOrder::TopDown {
        drawn.sort_by(|a, b| a.position.1.total_cmp(&b.position.1));
    }
    add(map, layer, within, LayerContent::Objects(drawn));
}

/// Adds an image layer, if it has a picture.
pub(super) fn add_image(
    map: &mut TileMap,
    layer: &RawLayer<'_>,
    within: &Inherited,
    picture: Option<&tiled::Image>,
    images: &[PathBuf],
) {
    if let Some(picture) = picture {
        add(
            map,
            layer,
            within,
            LayerContent::Image(image(picture, images)),
        );
    }
}
