//! Layers and groups of layers.

use super::property::properties;
use super::tileset::image;
use super::value::values;
use super::{ENTRY, Failure, Once, Reader, chunks, object, spend, template_tile};
use crate::error::Place;
use crate::limits::check;
use crate::tmx::cursor::{Element, MAX_NAME_BYTES};
use crate::tmx::layer::BLEND_MODES;
use crate::tmx::{ImageLayer, Layer, LayerContent, ObjectLayer, Point, TileLayer};

/// Layers of all kinds in a map.
const MAX_LAYERS: u64 = 1_024;

/// The name of a layer's element, and the layer's content before anything is read.
type Open = (&'static str, LayerContent);

/// The layer that an element of this name is.
pub(super) fn open(element: &str) -> Option<Open> {
    match element {
        "layer" => Some(("layer", LayerContent::Tiles(TileLayer::default()))),
        "objectgroup" => Some(("objectgroup", LayerContent::Objects(ObjectLayer::default()))),
        "imagelayer" => Some(("imagelayer", LayerContent::Image(ImageLayer::default()))),
        "group" => Some(("group", LayerContent::Group(Vec::new()))),
        _ => None,
    }
}

/// Reads a layer and all that is in it; `group` is the path of the group that it is in.
pub(super) fn read(
    reader: &mut Reader<'_, '_>,
    (name, content): Open,
    element: Element<'_>,
    group: Option<&str>,
) -> Result<Layer, Failure> {
    let mut layer = Layer { line: element.line, ..Layer::new("", content) };
    let size = attributes(name, element, &mut layer)?;
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
fn attributes(
    name: &'static str,
    element: Element<'_>,
    layer: &mut Layer,
) -> Result<[Option<u32>; 2], Failure> {
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
) -> Result<(), Failure> {
    let (mut cells, only_once) = match &layer.content {
        LayerContent::Tiles(_) => (Some(chunks::open(reader, size)?), "data"),
        LayerContent::Image(_) => (None, "image"),
        _ => (None, "properties"),
    };
    let mut once = Once::new(["properties", only_once]);
    while let Some(child) = reader.child()? {
        once.check(&child)?;
        match (&mut layer.content, &*child.name, &mut cells) {
            (_, "properties", _) => layer.properties = properties(reader)?,
            (_, "data", Some(cells)) => chunks::data(reader, child, cells)?,
            (LayerContent::Objects(objects), "object", _) => {
                objects.objects.push(object::read(reader, child, template_tile::gid)?);
            }
            (LayerContent::Image(shown), "image", _) => shown.image = Some(image(reader, child)?),
            (LayerContent::Group(layers), name, _) => match open(name) {
                Some(open) => layers.push(read(reader, open, child, Some(path))?),
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
