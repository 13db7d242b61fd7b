//! The element of the map itself.

use glam::UVec2;

use super::property::properties;
use super::value::{side, values, wrong};
use super::{Failure, Once, Reader, layer, tileset};
use crate::error::LoadErrorKind;
use crate::limits::check;
use crate::tmx::cursor::Element;
use crate::tmx::{MAX_SIDE, MAX_TILE_SIDE, Orientation, StaggerAxis, StaggerIndex};

/// Reads the map into the shared document.
pub(super) fn read(reader: &mut Reader<'_, '_>, element: Element<'_>) -> Result<(), Failure> {
    attributes(reader, element)?;
    let mut once = Once::new(["properties"]);
    while let Some(child) = reader.child()? {
        once.check(&child)?;
        match &*child.name {
            "properties" => reader.shared.map.properties = properties(reader)?,
            "tileset" => tileset::add_to_map(reader, child)?,
            name => match layer::open(name) {
                Some(open) => {
                    let layer = layer::read(reader, open, child, None)?;
                    reader.shared.map.layers.push(layer);
                }
                None => reader.pass(&child, "map")?,
            },
        }
    }
    Ok(())
}

fn attributes(reader: &mut Reader<'_, '_>, element: Element<'_>) -> Result<(), LoadErrorKind> {
    let map = &mut reader.shared.map;
    let [mut width, mut height, mut tile_width, mut tile_height] = [None; 4];
    let (mut axis, mut index) = (StaggerAxis::default(), StaggerIndex::default());
    let [mut skew_x, mut skew_y, mut hexagon_side] = [0; 3];
    let mut orientation = None;
    let mut kind = String::new();
    for value in values("map", element.attributes) {
        match &*value.name {
            "version" => map.version = value.name()?,
            "tiledversion" => map.tiled_version = value.name()?,
            "class" => map.class = value.name()?,
            "type" => kind = value.name()?,
            "orientation" => orientation = Some(value.text()?),
            "renderorder" => {
                map.render_order.leftward = value.word(&[("left-down", true), ("left-up", true)]);
                map.render_order.upward = value.word(&[("right-up", true), ("left-up", true)]);
            }
            "staggeraxis" => axis = value.word(&[("x", StaggerAxis::X)]),
            "staggerindex" => index = value.word(&[("even", StaggerIndex::Even)]),
            "hexsidelength" => hexagon_side = value.int()?,
            "skewx" => skew_x = value.int()?,
            "skewy" => skew_y = value.int()?,
            "width" => width = Some(value.count()?),
            "height" => height = Some(value.count()?),
            "tilewidth" => tile_width = Some(value.count()?),
            "tileheight" => tile_height = Some(value.count()?),
            "infinite" => map.is_infinite = value.flag()?,
            "parallaxoriginx" => map.parallax_origin.x = value.decimal()?,
            "parallaxoriginy" => map.parallax_origin.y = value.decimal()?,
            "backgroundcolor" => map.background = value.color(),
            _ => {}
        }
    }
    if map.class.is_empty() {
        map.class = kind;
    }
    map.orientation = match orientation.as_deref() {
        None | Some("orthogonal") => Orientation::Orthogonal,
        Some("isometric") => Orientation::Isometric,
        Some("staggered") => Orientation::Staggered { axis, index },
        Some("hexagonal") => {
            let side = u32::try_from(hexagon_side).unwrap_or(0);
            Orientation::Hexagonal { axis, index, side }
        }
        Some("oblique") => Orientation::Oblique { skew_x, skew_y },
        Some(other) => {
            return Err(wrong("map", "orientation", other, "an orientation that Tiled knows"));
        }
    };
    map.size = match map.is_infinite {
        true => UVec2::new(width.unwrap_or(0), height.unwrap_or(0)),
        false => UVec2::new(side("map", "width", width)?, side("map", "height", height)?),
    };
    let tile_width = side("map", "tilewidth", tile_width)?;
    map.tile_size = UVec2::new(tile_width, side("map", "tileheight", tile_height)?);
    for side in map.size.to_array() {
        check("tiles in the width or height of the map", side, MAX_SIDE)?;
    }
    for side in map.tile_size.to_array() {
        check("pixels in a side of a tile", side, MAX_TILE_SIDE)?;
    }
    for side in [skew_x, skew_y, hexagon_side] {
        let what = "pixels in a map's skew or a hexagon's side";
        check(what, side.unsigned_abs(), MAX_TILE_SIDE)?;
    }
    Ok(())
}
