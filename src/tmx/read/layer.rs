//! Reads the root element of a map, its layers and groups of layers, and the tiles of templates.

use glam::UVec2;

use super::super::map::BLEND_MODES;
use super::super::{
    ImageLayer, Layer, LayerContent, MAX_TILE_SIDE, ObjectLayer, Orientation, StaggerAxis,
    StaggerIndex, TileLayer, flip, kept,
};
use super::cursor::{Element, MAX_NAME_BYTES};
use super::objects::{Template, TilesetReference};
use super::tileset::{MAX_TILESETS, image};
use super::values::{Values, properties};
use super::{ReadFailure, Reader, cells, contradiction, objects, spend, tileset};
use crate::error::Place;
use crate::limits::check;
use crate::paths::plain;

pub(super) fn read_map(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
) -> Result<(), ReadFailure> {
    map_attributes(reader, element)?;
    while let Some(mut child) = reader.child()? {
        reader.part(&mut |reader| {
            match &*child.name {
                "properties" => {
                    let more = properties(reader)?;
                    reader.shared.map.properties.extend(more);
                }
                "tileset" => tileset::add_to_map(reader, std::mem::take(&mut child))?,
                _ => match read_layer(reader, &mut child, None)? {
                    Some(layer) => reader.shared.map.layers.push(layer),
                    None => reader.pass(&child, "map")?,
                },
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn map_attributes(reader: &mut Reader<'_, '_>, element: Element<'_>) -> Result<(), ReadFailure> {
    let map = &mut reader.shared.map;
    let mut from = Values::new("map", element.attributes);
    map.version = from.owned_name("version");
    map.class = from.class("class", "type").unwrap_or_default();
    reader.shared.spent.uses_types |= !map.class.is_empty();
    let order = from.get("renderorder");
    map.render_order.leftward = matches!(order, Some("left-down" | "left-up"));
    map.render_order.upward = matches!(order, Some("right-up" | "left-up"));
    map.is_infinite = from.flag("infinite").unwrap_or(false);
    let origin = from.harmless(|from| Some(from.point("parallaxoriginx", "parallaxoriginy")));
    map.parallax_origin = origin.unwrap_or_default();
    map.background = from.color("backgroundcolor");
    let axis = from.word("staggeraxis", &[("x", StaggerAxis::X)]);
    let index = from.word("staggerindex", &[("even", StaggerIndex::Even)]);
    let skew_x = orientation_number(&mut from, "skewx", "oblique");
    let skew_y = orientation_number(&mut from, "skewy", "oblique");
    let hexagon_side = orientation_number(&mut from, "hexsidelength", "hexagonal");
    map.orientation = match from.get("orientation") {
        None | Some("orthogonal") => Orientation::Orthogonal,
        Some("isometric") => Orientation::Isometric,
        Some("staggered") => Orientation::Staggered { axis, index },
        Some("hexagonal") => {
            let side = u32::try_from(hexagon_side).unwrap_or(0);
            Orientation::Hexagonal { axis, index, side }
        }
        Some("oblique") => Orientation::Oblique { skew_x, skew_y },
        Some(_) => {
            from.wrong("orientation", "an orientation that Tiled knows");
            Orientation::Orthogonal
        }
    };
    map.size = if map.is_infinite {
        UVec2::new(from.count("width").unwrap_or(0), from.count("height").unwrap_or(0))
    } else {
        UVec2::new(from.side("width"), from.side("height"))
    };
    map.tile_size = UVec2::new(from.side("tilewidth"), from.side("tileheight"));
    // A lenient load takes the size of a map that states none from its layers.
    map.is_infinite |= map.size.min_element() == 0;
    from.finish(reader)?;
    let skew = skew_x.unsigned_abs().max(skew_y.unsigned_abs()).max(hexagon_side.unsigned_abs());
    check("pixels in a map's skew or a hexagon's side", skew, MAX_TILE_SIDE)?;
    Ok(reader.shared.map.check_sides()?)
}

/// Returns the attribute `name` of a map, a whole number that only maps of the orientation `used_by` use. In
/// other maps its fault is harmless.
fn orientation_number(from: &mut Values<'_>, name: &str, used_by: &str) -> i32 {
    let number = if from.is_word("orientation", used_by) {
        from.int(name)
    } else {
        from.harmless(|from| from.int(name))
    };
    number.unwrap_or(0)
}

const MAX_LAYERS: u64 = 1_024;

/// Reads a layer with its content. `group` is the path of the group around the layer. Returns `None` for an
/// element that is not a layer, and leaves that element open.
fn read_layer(
    reader: &mut Reader<'_, '_>,
    element: &mut Element<'_>,
    group: Option<&str>,
) -> Result<Option<Layer>, ReadFailure> {
    let (name, content) = match &*element.name {
        "layer" => ("layer", LayerContent::Tiles(TileLayer::default())),
        "objectgroup" => ("objectgroup", LayerContent::Objects(ObjectLayer::default())),
        "imagelayer" => ("imagelayer", LayerContent::Image(ImageLayer::default())),
        "group" => ("group", LayerContent::Group(Vec::new())),
        _ => return Ok(None),
    };
    let mut layer = Layer { line: element.line, ..Layer::new("", content) };
    let mut from = Values::new(name, std::mem::take(&mut element.attributes));
    let index = reader.shared.layers as usize;
    let size = layer_attributes(&mut from, &mut layer);
    let path = match group {
        Some(group) => format!("{group}/{}", layer.name),
        None => layer.name.clone(),
    };
    let bytes = path.len() as u64;
    check("bytes in the names of a layer and its groups", bytes, MAX_NAME_BYTES)?;
    reader.shared.keep(kept::text(path.len()) + kept::text(layer.class.len()))?;
    reader.shared.spent.uses_types |= !layer.class.is_empty();
    reader.place = Place { layer: Some(path.clone()), ..Place::default() };
    spend("layers", &mut reader.shared.layers, 1, MAX_LAYERS)?;
    let outer = reader.layer.replace(index);
    from.finish(reader)?;
    let mut cells = None;
    if let LayerContent::Tiles(_) = &layer.content {
        cells = Some(cells::open_cells(reader, size)?);
    }
    while let Some(mut child) = reader.child()? {
        match (&mut layer.content, &*child.name, &mut cells) {
            (_, "properties", _) => layer.properties.extend(properties(reader)?),
            (_, "data", Some(cells)) => cells::data(reader, child, cells)?,
            (LayerContent::Objects(objects), "object", _) => {
                reader.object = Some(objects.objects.len());
                objects.objects.push(objects::read_object(reader, child, template_gid)?);
                reader.object = None;
            }
            (LayerContent::Image(shown), "image", _) => shown.image = Some(image(reader, child)?),
            (LayerContent::Group(layers), ..) => {
                match read_layer(reader, &mut child, Some(&path))? {
                    Some(layer) => layers.push(layer),
                    None => reader.pass(&child, name)?,
                }
            }
            _ => reader.pass(&child, name)?,
        }
    }
    if let (LayerContent::Tiles(tiles), Some(cells)) = (&mut layer.content, cells) {
        tiles.blocks = cells.close(reader)?;
    }
    // The next element is in the group around the layer, if any.
    reader.layer = outer;
    reader.place = Place { layer: group.map(str::to_owned), ..Place::default() };
    Ok(Some(layer))
}

/// Reads the attributes of a layer into `layer`. Returns the stated width and height of a tile layer, in
/// cells.
fn layer_attributes(from: &mut Values<'_>, layer: &mut Layer) -> [Option<u32>; 2] {
    layer.id = from.harmless(|from| from.count("id")).unwrap_or(0);
    layer.name = from.owned_name("name");
    layer.class = from.class("type", "class").unwrap_or_default();
    layer.opacity = from.harmless(|from| from.opacity("opacity")).unwrap_or(1.0);
    // As in Tiled, a layer with any other text is visible.
    layer.visible = from.harmless(|from| from.flag("visible")).unwrap_or(true);
    layer.tint = from.color("tintcolor");
    layer.offset = from.point("offsetx", "offsety");
    for (name, side) in [("parallaxx", &mut layer.parallax.x), ("parallaxy", &mut layer.parallax.y)]
    {
        *side = from.harmless(|from| from.decimal(name)).unwrap_or(*side);
    }
    layer.blend = from.word("mode", &BLEND_MODES);
    let mut size = [None; 2];
    match &mut layer.content {
        LayerContent::Tiles(_) => size = [from.count("width"), from.count("height")],
        LayerContent::Objects(objects) => {
            objects.draws_in_file_order = from.is_word("draworder", "index");
        }
        LayerContent::Image(image) => {
            // Before Tiled 0.15, the offset of an image layer was in x and y.
            if from.get("offsetx").or(from.get("offsety")).is_none() {
                layer.offset = from.point("x", "y");
            }
            image.repeat_x = from.harmless(|from| from.flag("repeatx")).unwrap_or(false);
            image.repeat_y = from.harmless(|from| from.flag("repeaty")).unwrap_or(false);
        }
        LayerContent::Group(_) => {}
    }
    size
}

/// The first gid (global tile id) for tilesets that are named only by templates. Each such tileset gets
/// [`GIDS`] gids. Real maps use far smaller gids. A map that uses these gids gets an error about overlapping
/// tilesets.
const FIRST_GID: u32 = 0x0800_0000;
const GIDS: u32 = 1 << 16;

/// Returns the gid (global tile id) in the map of the tile that a template shows, with its flags. Returns
/// `None` if the template shows no tile.
fn template_gid(
    reader: &mut Reader<'_, '_>,
    template: &Template,
) -> Result<Option<u32>, ReadFailure> {
    let Some(gid) = template.object.gid else {
        return Ok(None);
    };
    let Some(tileset) = &template.tileset else {
        return Err(contradiction("a template with a tile, but without a tileset").into());
    };
    let flags = gid & flip::ALL;
    let id = (gid & !flip::ALL).checked_sub(tileset.first_gid).filter(|id| *id < GIDS);
    let below = "a template with a tile below its tileset's first one";
    let id = id.ok_or_else(|| contradiction(below))?;
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
    let TilesetReference { written, path, .. } = tileset;
    let tileset = tileset::from_file(reader, "a template's tileset", written, path, first_gid)?;
    reader.shared.template_tilesets.push(tileset);
    Ok(Some(flags | (first_gid + id)))
}
