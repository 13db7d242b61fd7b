//! The element of the map itself, its layers, groups of layers, and the tiles that templates show.

use glam::UVec2;

use super::super::map::BLEND_MODES;
use super::super::{
    ImageLayer, Layer, LayerContent, MAX_SIDE, MAX_TILE_SIDE, ObjectLayer, Orientation, Point,
    StaggerAxis, StaggerIndex, TileLayer, flip,
};
use super::cursor::{Element, MAX_NAME_BYTES, xml};
use super::objects::Template;
use super::tileset::{MAX_TILESETS, image};
use super::values::{properties, side, values, wrong};
use super::{ENTRY, Once, ReadFailure, Reader, cells, objects, spend, tileset};
use crate::error::{LoadErrorKind, Place};
use crate::limits::check;
use crate::paths::plain;

/// Reads the map into the shared document.
pub(super) fn read_map(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
) -> Result<(), ReadFailure> {
    map_attributes(reader, element)?;
    let mut once = Once::new(["properties"]);
    while let Some(child) = reader.child()? {
        once.check(&child)?;
        match &*child.name {
            "properties" => reader.shared.map.properties = properties(reader)?,
            "tileset" => tileset::add_to_map(reader, child)?,
            name => match open_layer(name) {
                Some(open) => {
                    let layer = read_layer(reader, open, child, None)?;
                    reader.shared.map.layers.push(layer);
                }
                None => reader.pass(&child, "map")?,
            },
        }
    }
    Ok(())
}

fn map_attributes(reader: &mut Reader<'_, '_>, element: Element<'_>) -> Result<(), LoadErrorKind> {
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

/// Layers of all kinds in a map.
const MAX_LAYERS: u64 = 1_024;

/// The name of a layer's element, and the layer's content before anything is read.
type OpenLayer = (&'static str, LayerContent);

/// The layer that an element of this name is.
pub(super) fn open_layer(element: &str) -> Option<OpenLayer> {
    match element {
        "layer" => Some(("layer", LayerContent::Tiles(TileLayer::default()))),
        "objectgroup" => Some(("objectgroup", LayerContent::Objects(ObjectLayer::default()))),
        "imagelayer" => Some(("imagelayer", LayerContent::Image(ImageLayer::default()))),
        "group" => Some(("group", LayerContent::Group(Vec::new()))),
        _ => None,
    }
}

/// Reads a layer and all that is in it; `group` is the path of the group that it is in.
fn read_layer(
    reader: &mut Reader<'_, '_>,
    (name, content): OpenLayer,
    element: Element<'_>,
    group: Option<&str>,
) -> Result<Layer, ReadFailure> {
    let mut layer = Layer { line: element.line, ..Layer::new("", content) };
    let size = layer_attributes(name, element, &mut layer)?;
    let path = match group {
        Some(group) => format!("{group}/{}", layer.name),
        None => layer.name.clone(),
    };
    let bytes = path.len() as u64;
    check("bytes in the names of a layer and its groups", bytes, MAX_NAME_BYTES)?;
    reader.shared.keep(ENTRY + path.len() + layer.class.len())?;
    reader.place = Place { layer: Some(path.clone()), ..Place::default() };
    spend("layers", &mut reader.shared.layers, 1, MAX_LAYERS)?;
    read_content(reader, name, &mut layer, size, &path)?;
    // The next element is in the group around the layer, if there is one.
    reader.place = Place { layer: group.map(str::to_owned), ..Place::default() };
    Ok(layer)
}

/// Reads the attributes; returns the width and height that a tile layer states.
fn layer_attributes(
    name: &'static str,
    element: Element<'_>,
    layer: &mut Layer,
) -> Result<[Option<u32>; 2], ReadFailure> {
    let mut size = [None; 2];
    let mut class = String::new();
    let mut offset = [None; 2];
    // Before Tiled 0.15 an image layer had its offset in x and y.
    let mut old_offset = Point::default();
    for value in values(name, element.attributes) {
        match (&mut layer.content, &*value.name) {
            (_, "id") => layer.id = value.count()?,
            (_, "name") => layer.name = value.name()?,
            (_, "type") => layer.class = value.name()?,
            (_, "class") => class = value.name()?,
            (_, "opacity") => layer.opacity = value.opacity()?,
            (_, "visible") => layer.visible = value.flag()?,
            (_, "locked") => layer.locked = value.flag()?,
            (_, "tintcolor") => layer.tint = value.color(),
            (_, "offsetx") => offset[0] = Some(value.decimal()?),
            (_, "offsety") => offset[1] = Some(value.decimal()?),
            (_, "parallaxx") => layer.parallax.x = value.decimal()?,
            (_, "parallaxy") => layer.parallax.y = value.decimal()?,
            (_, "mode") => layer.blend = value.word(&BLEND_MODES),
            (LayerContent::Tiles(_), "width") => size[0] = Some(value.count()?),
            (LayerContent::Tiles(_), "height") => size[1] = Some(value.count()?),
            (LayerContent::Objects(objects), "draworder") => {
                objects.draws_in_file_order = value.word(&[("index", true)]);
            }
            (LayerContent::Objects(objects), "color") => objects.color = value.bare_color(),
            (LayerContent::Image(_), "x") => old_offset.x = value.decimal()?,
            (LayerContent::Image(_), "y") => old_offset.y = value.decimal()?,
            (LayerContent::Image(image), "repeatx") => image.repeat_x = value.flag()?,
            (LayerContent::Image(image), "repeaty") => image.repeat_y = value.flag()?,
            _ => {}
        }
    }
    if layer.class.is_empty() {
        layer.class = class;
    }
    layer.offset = match offset {
        [None, None] => old_offset,
        [x, y] => Point { x: x.unwrap_or_default(), y: y.unwrap_or_default() },
    };
    Ok(size)
}

/// Reads the content of a layer.
fn read_content(
    reader: &mut Reader<'_, '_>,
    name: &'static str,
    layer: &mut Layer,
    size: [Option<u32>; 2],
    path: &str,
) -> Result<(), ReadFailure> {
    let (mut cells, only_once) = match &layer.content {
        LayerContent::Tiles(_) => (Some(cells::open_cells(reader, size)?), "data"),
        LayerContent::Image(_) => (None, "image"),
        _ => (None, "properties"),
    };
    let mut once = Once::new(["properties", only_once]);
    while let Some(child) = reader.child()? {
        once.check(&child)?;
        match (&mut layer.content, &*child.name, &mut cells) {
            (_, "properties", _) => layer.properties = properties(reader)?,
            (_, "data", Some(cells)) => cells::data(reader, child, cells)?,
            (LayerContent::Objects(objects), "object", _) => {
                objects.objects.push(objects::read_object(reader, child, template_gid)?);
            }
            (LayerContent::Image(shown), "image", _) => shown.image = Some(image(reader, child)?),
            (LayerContent::Group(layers), name, _) => match open_layer(name) {
                Some(open) => layers.push(read_layer(reader, open, child, Some(path))?),
                None => reader.pass(&child, "group")?,
            },
            _ => reader.pass(&child, name)?,
        }
    }
    if let (LayerContent::Tiles(tiles), Some(cells)) = (&mut layer.content, cells) {
        tiles.blocks = cells.close()?;
    }
    Ok(())
}

/// The number of tile 0 of the first tileset that only a template names, and the numbers kept for each. No
/// real map has so many tiles; one that claims these numbers is told that its tilesets overlap.
const FIRST_GID: u32 = 0x0800_0000;
const GIDS: u32 = 1 << 16;

/// The number in the map of a template's tile; `None` for a template without one.
fn template_gid(
    reader: &mut Reader<'_, '_>,
    template: &Template,
) -> Result<Option<u32>, ReadFailure> {
    let Some(gid) = template.object.gid else {
        return Ok(None);
    };
    let Some(tileset) = &template.tileset else {
        return Err(xml("a template with a tile, but without a tileset").into());
    };
    let flags = gid & flip::ALL;
    let id = (gid & !flip::ALL).checked_sub(tileset.first_gid).filter(|id| *id < GIDS);
    let id = id.ok_or_else(|| xml("a template with a tile below its tileset's first one"))?;
    let key = plain(&tileset.path);
    let of_map = reader.shared.map.tilesets.iter();
    let known =
        of_map.chain(&reader.shared.template_tilesets).find(|set| set.file.as_ref() == Some(&key));
    if let Some(tileset) = known {
        return Ok(Some(flags | tileset.first_gid.saturating_add(id)));
    }
    let count = reader.shared.template_tilesets.len() as u32;
    check("tilesets of templates", count + 1, MAX_TILESETS)?;
    let first_gid = FIRST_GID + count * GIDS;
    let (written, path) = (&tileset.written, &tileset.path);
    let tileset = tileset::from_file(reader, "a template's tileset", written, path, first_gid)?;
    reader.shared.template_tilesets.push(tileset);
    Ok(Some(flags | (first_gid + id)))
}
