//! Tilesets and their tiles.

use std::path::Path;

use glam::{IVec2, UVec2};

use super::values::{self, properties};
use crate::geometry::Aabb;
use crate::tmx::{Alignment, Frame, Image, Tile, Tileset};

/// A tileset whose tile 0 has the number `first_gid`, of the map that lies at `map`.
pub(super) fn bridged(tileset: &tiled::Tileset, first_gid: u32, map: &Path) -> Tileset {
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
        image: tileset.image.as_ref().map(values::image),
        properties: properties(&tileset.properties),
        tiles: tileset
            .tiles()
            .filter(|(_, tile)| is_named(tile))
            .map(|(id, data)| (id, tile(&data)))
            .collect(),
        ..Tileset::default()
    }
}

/// False for a tile that `tiled` made up because it has a place in the picture.
fn is_named(tile: &tiled::TileData) -> bool {
    *tile != tiled::TileData::default()
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
            ..values::image(image)
        }),
        shapes: shapes.map(|shape| values::object(shape, None)).collect(),
        animation: frames
            .map(|frame| Frame { tile: frame.tile_id, duration: frame.duration })
            .collect(),
        ..Tile::default()
    }
}

/// A part of a picture; `None` for all of it.
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
