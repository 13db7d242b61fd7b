//! Layers and groups of layers.

use super::property::properties;
use super::tileset::image;
use super::value::values;
use super::{ENTRY, Failure, FileReader, Seen, chunks, object, template_tile};
use crate::error::Place;
use crate::limits::check;
use crate::tmx::cursor::Element;
use crate::tmx::{
    BlendMode, Decimal, ImageLayer, Layer, LayerContent, LayerKind, ObjectLayer, Point, TileLayer,
};

const BLEND_MODES: [(&str, BlendMode); 12] = [
    ("add", BlendMode::Add),
    ("multiply", BlendMode::Multiply),
    ("screen", BlendMode::Screen),
    ("overlay", BlendMode::Overlay),
    ("darken", BlendMode::Darken),
    ("lighten", BlendMode::Lighten),
    ("color-dodge", BlendMode::ColorDodge),
    ("color-burn", BlendMode::ColorBurn),
    ("hard-light", BlendMode::HardLight),
    ("soft-light", BlendMode::SoftLight),
    ("difference", BlendMode::Difference),
    ("exclusion", BlendMode::Exclusion),
];

/// The kind of layer that an element of this name is.
pub(super) fn kind_of(element: &str) -> Option<LayerKind> {
    match element {
        "layer" => Some(LayerKind::Tiles),
        "objectgroup" => Some(LayerKind::Objects),
        "imagelayer" => Some(LayerKind::Image),
        "group" => Some(LayerKind::Group),
        _ => None,
    }
}

/// Reads a layer and all that is in it; `group` is the path of the group that it is in.
pub(super) fn read(
    reader: &mut FileReader<'_, '_, '_, '_>,
    kind: LayerKind,
    element: Element<'_>,
    group: Option<&str>,
) -> Result<Layer, Failure> {
    let (mut layer, size) = attributes(reader, kind, element)?;
    let path = match group {
        Some(group) => format!("{group}/{}", layer.name),
        None => layer.name.clone(),
    };
    let limits = reader.shared.options.limits;
    let bytes = path.len() as u64;
    check("bytes in the names of a layer and its groups", bytes, limits.name_bytes)?;
    reader.shared.keep(ENTRY + path.len() + layer.class.len())?;
    reader.place = Place { layer: Some(path.clone()), ..Place::default() };
    reader.shared.layers += 1;
    check("layers", reader.shared.layers, limits.layers)?;
    if kind == LayerKind::Tiles {
        chunks::check_size(reader, size)?;
    }
    content(reader, &mut layer, size, &path)?;
    // The next element is in the group around the layer, if there is one.
    reader.place = Place { layer: group.map(str::to_owned), ..Place::default() };
    Ok(layer)
}

/// The layer without its content, and the width and height that it states.
fn attributes(
    reader: &mut FileReader<'_, '_, '_, '_>,
    kind: LayerKind,
    element: Element<'_>,
) -> Result<(Layer, [Option<u32>; 2]), Failure> {
    let (name, mut content) = match kind {
        LayerKind::Tiles => ("layer", LayerContent::Tiles(TileLayer::default())),
        LayerKind::Objects => ("objectgroup", LayerContent::Objects(ObjectLayer::default())),
        LayerKind::Image => ("imagelayer", LayerContent::Image(ImageLayer::default())),
        LayerKind::Group => ("group", LayerContent::Group(Vec::new())),
    };
    let mut layer = Layer::new("", LayerContent::Group(Vec::new()));
    layer.line = element.line;
    let mut size = [None; 2];
    let mut class = String::new();
    let mut offset = [None; 2];
    // Before Tiled 0.15 an image layer had its offset in x and y.
    let mut old_offset = Point::default();
    for value in values(name, element.attributes, reader.shared.options.limits) {
        match (&mut content, &*value.name) {
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
        [x, y] => Point { x: x.unwrap_or(Decimal::ZERO), y: y.unwrap_or(Decimal::ZERO) },
    };
    layer.content = content;
    Ok((layer, size))
}

/// Reads what is in a layer.
fn content(
    reader: &mut FileReader<'_, '_, '_, '_>,
    layer: &mut Layer,
    size: [Option<u32>; 2],
    path: &str,
) -> Result<(), Failure> {
    let mut seen = Seen::default();
    let mut cells = chunks::open(reader, size);
    while let Some(child) = reader.child()? {
        match (&mut layer.content, &*child.name) {
            (_, "properties") => {
                seen.once("properties")?;
                layer.properties = properties(reader)?;
            }
            (LayerContent::Tiles(_), "data") => {
                seen.once("data")?;
                chunks::data(reader, child, &mut cells)?;
            }
            (LayerContent::Objects(objects), "object") => {
                objects.objects.push(object::read(reader, child, template_tile::gid)?);
            }
            (LayerContent::Image(shown), "image") => {
                seen.once("image")?;
                shown.image = Some(image(reader, child)?);
            }
            (LayerContent::Group(layers), name) => match kind_of(name) {
                Some(kind) => layers.push(read(reader, kind, child, Some(path))?),
                None => reader.pass(&child, "group")?,
            },
            (content, _) => {
                let parent = match content.kind() {
                    LayerKind::Tiles => "layer",
                    LayerKind::Objects => "objectgroup",
                    _ => "imagelayer",
                };
                reader.pass(&child, parent)?;
            }
        }
    }
    if let LayerContent::Tiles(tiles) = &mut layer.content {
        tiles.blocks = cells.close()?;
    }
    Ok(())
}
