//! Tilesets and pictures.

use std::collections::HashMap;

use super::writer::Writer;
use super::{object, property};
use crate::error::LoadErrorKind;
use crate::json::{Node, Object, json};

/// The attributes that have the same name in both forms.
const TILESET: [&str; 12] = [
    "firstgid",
    "name",
    "class",
    "tilewidth",
    "tileheight",
    "spacing",
    "margin",
    "tilecount",
    "columns",
    "objectalignment",
    "tilerendersize",
    "fillmode",
];
const TILE: [&str; 7] = ["type", "class", "probability", "x", "y", "width", "height"];

/// Writes a tileset, or the reference to its file.
pub(super) fn write(out: &mut Writer, tileset: Object<'_, '_>) -> Result<(), LoadErrorKind> {
    out.start("tileset");
    if tileset.get("source").is_some() {
        out.attributes(tileset, &["firstgid", "source"])?;
        out.content();
        return out.end("tileset");
    }
    out.attributes(tileset, &TILESET)?;
    out.attributes(tileset, &["backgroundcolor"])?;
    out.content();
    for (name, attributes) in [
        ("tileoffset", &["x", "y"][..]),
        ("grid", &["orientation", "width", "height"]),
    ] {
        if let Some(part) = tileset.child(name, "a part of a tileset")? {
            out.start(name);
            out.attributes(part, attributes)?;
            out.content();
            out.end(name)?;
        }
    }
    property::write(out, tileset)?;
    write_image(out, tileset)?;
    for tile in tiles(tileset)? {
        write_tile(out, &tile)?;
    }
    out.end("tileset")
}

/// Writes the picture of a tileset, a tile or an image layer, if it has one.
pub(super) fn write_image(out: &mut Writer, owner: Object<'_, '_>) -> Result<(), LoadErrorKind> {
    if owner.text("image")?.is_none_or(|image| image.is_empty()) {
        return Ok(());
    }
    out.start("image");
    out.renamed(owner, "image", "source")?;
    out.renamed(owner, "imagewidth", "width")?;
    out.renamed(owner, "imageheight", "height")?;
    out.renamed(owner, "transparentcolor", "trans")?;
    out.content();
    out.end("image")
}

/// A tile, from the up to three places where a tileset speaks of it.
struct Tile<'n, 't> {
    id: String,
    own: Option<Object<'n, 't>>,
    /// PropertyValues and their types, in the form before Tiled 1.2.
    properties: Option<(Object<'n, 't>, Option<Object<'n, 't>>)>,
}

/// The tiles of a tileset: a list, or before Tiled 1.2 an object by their ids, and another of properties.
fn tiles<'n, 't>(tileset: Object<'n, 't>) -> Result<Vec<Tile<'n, 't>>, LoadErrorKind> {
    let mut tiles = Vec::new();
    let tile = |id: &str, own| Tile {
        id: id.to_owned(),
        own,
        properties: None,
    };
    match tileset.get("tiles") {
        Some(Node::Object(..)) => {
            let by_id = tileset.child("tiles", "a list of tiles")?;
            for (id, own) in by_id.into_iter().flat_map(Object::entries) {
                tiles.push(tile(id, Some(own.object("a tile")?)));
            }
        }
        _ => {
            for own in tileset.list("tiles")? {
                let own = own.object("a tile")?;
                let id = own.text("id")?.ok_or_else(|| json("a tile without `id`"))?;
                tiles.push(tile(&id, Some(own)));
            }
        }
    }
    let types = tileset.child("tilepropertytypes", "a list of types")?;
    let Some(properties) = tileset.child("tileproperties", "a list of properties")? else {
        return Ok(tiles);
    };
    // No two have the same id in the old form; in a list, the reader will see it.
    let places: HashMap<String, usize> = (0..)
        .zip(&tiles)
        .map(|(place, tile)| (tile.id.clone(), place))
        .collect();
    let types: HashMap<&str, &Node<'_>> = types.into_iter().flat_map(Object::entries).collect();
    for (id, values) in properties.entries() {
        let types = types.get(id).map(|types| types.object("a list of types"));
        let values = values.object("a list of properties")?;
        let place = places.get(id).copied().unwrap_or_else(|| {
            tiles.push(tile(id, None));
            tiles.len() - 1
        });
        tiles[place].properties = Some((values, types.transpose()?));
    }
    Ok(tiles)
}

fn write_tile(out: &mut Writer, tile: &Tile<'_, '_>) -> Result<(), LoadErrorKind> {
    out.start("tile");
    out.attribute("id", &tile.id)?;
    if let Some(own) = tile.own {
        out.attributes(own, &TILE)?;
    }
    out.content();
    if let Some((values, types)) = tile.properties {
        property::write_old(out, values, types)?;
    } else if let Some(own) = tile.own {
        property::write(out, own)?;
    }
    if let Some(own) = tile.own {
        write_image(out, own)?;
        write_shapes(out, own)?;
        write_animation(out, own)?;
    }
    out.end("tile")
}

fn write_shapes(out: &mut Writer, tile: Object<'_, '_>) -> Result<(), LoadErrorKind> {
    let Some(shapes) = tile.child("objectgroup", "a list of collision shapes")? else {
        return Ok(());
    };
    out.start("objectgroup");
    out.attributes(shapes, &["draworder", "id"])?;
    out.content();
    object::write_all(out, shapes)?;
    out.end("objectgroup")
}

fn write_animation(out: &mut Writer, tile: Object<'_, '_>) -> Result<(), LoadErrorKind> {
    let frames = tile.list("animation")?;
    if frames.is_empty() {
        return Ok(());
    }
    out.start("animation");
    out.content();
    for frame in frames {
        out.start("frame");
        out.attributes(frame.object("a frame")?, &["tileid", "duration"])?;
        out.content();
        out.end("frame")?;
    }
    out.end("animation")
}
