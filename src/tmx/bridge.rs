//! Maps that crate `tiled` has read, as documents: for a game that already reads its maps with that crate.
//!
//! It takes over what `tiled` 0.16 keeps, opens no file and checks no limit.

mod cells;
mod numbers;
mod tileset;
mod values;

use glam::UVec2;
use tiled::RenderOrder::{LeftDown, LeftUp, RightUp};

use self::numbers::Numbers;
use self::values::{color, point, properties};
use super::{
    BlendMode, ImageLayer, Layer, LayerContent, Map, ObjectLayer, Orientation, RenderOrder,
    StaggerAxis, StaggerIndex,
};
use crate::tmx::layer::BLEND_MODES;

/// The document of a map that crate `tiled` has read.
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
/// It holds all that `tiled` 0.16 keeps, which is not all of the file:
/// * Lines are 0. The version of Tiled, [`Layer::locked`],
///   [`Tileset::isometric_grid`](super::Tileset::isometric_grid) and
///   [`Object::template`](super::Object::template) are not kept, nor the size of an object that is a point, a
///   polygon or a polyline.
/// * Coordinates are 32-bit floats there. Each becomes the shortest decimal that is that float, so that
///   `10.3` is 10.3; one that is no number becomes 0, and one beyond 2^22 pixels lies at 2^22.
/// * The numbers of tiles are made up anew, each tileset after the one before it, as Tiled gives them.
///   [`flip::ROTATED`](super::flip::ROTATED), the turn by 120 degrees on a hexagonal map, is kept only if the
///   file numbers its tilesets in the same manner: `tiled` takes the flag for a part of the tile's number.
/// * The cells of an infinite map come in blocks of 16 x 16, whatever the chunks of the file were.
/// * `tiled` panics if it is asked for a cell of a finite layer that holds fewer cells than its size says.
///   That panic is caught, and the layer has the cells that are there. The panic's message is printed, and a
///   program that is built to abort on a panic ends.
impl From<&tiled::Map> for Map {
    fn from(map: &tiled::Map) -> Self {
        let mut numbers = Numbers::new(map.tilesets());
        let layers = loop {
            let layers = map.layers().map(|layer| bridged(layer, &mut numbers));
            let layers: Vec<Layer> = layers.collect();
            if numbers.are_settled() {
                break layers;
            }
        };
        let tilesets = numbers.tilesets.iter();
        let tilesets = tilesets.map(|set| tileset::bridged(&set.tileset, set.first, &map.source));
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
            parallax_origin: point(map.parallax_origin_x, map.parallax_origin_y),
            background: map.background_color.map(color),
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

/// A layer, and the layers in it. `tiled` itself goes down into groups in this manner when it reads them.
fn bridged(layer: tiled::Layer<'_>, numbers: &mut Numbers) -> Layer {
    let content = match layer.layer_type() {
        tiled::LayerType::Tiles(tiles) => LayerContent::Tiles(cells::bridged(&tiles, numbers)),
        tiled::LayerType::Objects(objects) => LayerContent::Objects(ObjectLayer {
            draws_in_file_order: objects.draw_order == tiled::DrawOrder::Index,
            color: objects.colour.map(color),
            objects: objects
                .objects()
                .map(|object| {
                    let gid = object.tile_data().map(|tile| numbers.of_object(&tile));
                    values::object(&object, gid)
                })
                .collect(),
        }),
        tiled::LayerType::Image(image) => LayerContent::Image(ImageLayer {
            image: image.image.as_ref().map(values::image),
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
    bridged.opacity = values::opacity(layer.opacity);
    bridged.tint = layer.tint_color.map(color);
    bridged.offset = point(layer.offset_x, layer.offset_y);
    bridged.parallax = point(layer.parallax_x, layer.parallax_y);
    let known = BLEND_MODES.iter().find(|(name, _)| *name == layer.blend_mode);
    bridged.blend = known.map_or(BlendMode::Normal, |(_, mode)| *mode);
    bridged.properties = properties(&layer.properties);
    bridged
}

#[cfg(test)]
mod tests;
