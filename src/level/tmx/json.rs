//! Tiled's JSON forms (`.tmj`, `.tsj`, `.tj`, or `.json`), written as the XML that Tiled would have written.
//!
//! The one reader of map files then reads that, so a map in JSON form is the same level as its `.tmx`. This
//! checks the shape of the JSON; what the values must be is the reader's to say. It opens no files.

mod cells;
mod object;
mod property;
mod tileset;
mod writer;

#[cfg(feature = "cli")]
use std::borrow::Cow;

use self::writer::Writer;
use crate::error::LoadErrorKind;
#[cfg(feature = "cli")]
use crate::json::is_json;
use crate::json::{self, Object, json};
use crate::limits::Limits;

/// The attributes of a map that have the same name in both forms.
const MAP: [&str; 20] = [
    "version",
    "tiledversion",
    "class",
    "orientation",
    "renderorder",
    "compressionlevel",
    "width",
    "height",
    "tilewidth",
    "tileheight",
    "infinite",
    "hexsidelength",
    "staggeraxis",
    "staggerindex",
    "skewx",
    "skewy",
    "parallaxoriginx",
    "parallaxoriginy",
    "backgroundcolor",
    "nextlayerid",
];

/// The attributes that layers of every kind share.
const LAYER: [&str; 12] = [
    "id",
    "name",
    "class",
    "opacity",
    "visible",
    "locked",
    "tintcolor",
    "offsetx",
    "offsety",
    "parallaxx",
    "parallaxy",
    "mode",
];

/// A file in XML as it is, and one in JSON as XML.
#[cfg(feature = "cli")]
pub(super) fn xml_of<'b>(bytes: &'b [u8], limits: &Limits) -> Result<Cow<'b, [u8]>, LoadErrorKind> {
    match is_json(bytes) {
        true => to_xml(bytes, limits).map(Cow::Owned),
        false => Ok(Cow::Borrowed(bytes)),
    }
}

/// The XML of a map, a tileset or an object template in JSON.
pub(super) fn to_xml(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, LoadErrorKind> {
    let root = json::parse(bytes, limits)?;
    let root = root.object("a file")?;
    let mut out = Writer::new(limits);
    match &*kind(root)? {
        "map" => map(&mut out, root)?,
        "tileset" => tileset::write(&mut out, root)?,
        "template" => template(&mut out, root)?,
        other => {
            let found = format!("a Tiled {other}");
            return Err(LoadErrorKind::UnknownFormat { found });
        }
    }
    Ok(out.finish())
}

/// What a file says it is; before Tiled 1.0 it did not.
fn kind(root: Object<'_, '_>) -> Result<String, LoadErrorKind> {
    if let Some(kind) = root.text("type")? {
        return Ok(kind.into_owned());
    }
    let has = |name: &&(&str, &str)| root.get(name.0).is_some();
    let known = [
        ("layers", "map"),
        ("object", "template"),
        ("tilewidth", "tileset"),
        ("maps", "world"),
        ("patterns", "world"),
    ];
    match known.iter().find(has) {
        Some((_, kind)) => Ok((*kind).to_owned()),
        None => Err(LoadErrorKind::UnknownFormat {
            found: "JSON that is not Tiled's".to_owned(),
        }),
    }
}

fn map(out: &mut Writer, map: Object<'_, '_>) -> Result<(), LoadErrorKind> {
    out.start("map");
    out.attributes(map, &MAP)?;
    out.attributes(map, &["nextobjectid"])?;
    out.content();
    property::write(out, map)?;
    for tileset in map.list("tilesets")? {
        tileset::write(out, tileset.object("a tileset")?)?;
    }
    layers(out, map, map)?;
    out.end("map")
}

fn template(out: &mut Writer, template: Object<'_, '_>) -> Result<(), LoadErrorKind> {
    out.start("template");
    out.content();
    if let Some(tileset) = template.child("tileset", "a tileset")? {
        tileset::write(out, tileset)?;
    }
    let object = template.child("object", "an object")?;
    object::write(
        out,
        object.ok_or_else(|| json("a template without `object`"))?,
    )?;
    out.end("template")
}

/// The layers of `parent`, which is the map or a group. They lie as deep as the tree, which is bounded.
fn layers(
    out: &mut Writer,
    map: Object<'_, '_>,
    parent: Object<'_, '_>,
) -> Result<(), LoadErrorKind> {
    for layer in parent.list("layers")? {
        let layer = layer.object("a layer")?;
        let kind = layer.text("type")?.unwrap_or_default();
        let (element, more): (_, &[&str]) = match &*kind {
            "tilelayer" => ("layer", &["x", "y"]),
            "objectgroup" => ("objectgroup", &["color", "draworder"]),
            "imagelayer" => ("imagelayer", &["x", "y", "repeatx", "repeaty"]),
            "group" => ("group", &[]),
            other => return Err(json(format!("a layer of the type `{other}`"))),
        };
        out.start(element);
        out.attributes(layer, &LAYER)?;
        out.attributes(layer, more)?;
        if element == "layer" {
            // In chunks it has the size of what is drawn, but in XML always that of the map.
            let sized = layer.get("chunks").map_or(layer, |_| map);
            out.attributes(sized, &["width", "height"])?;
        }
        out.content();
        property::write(out, layer)?;
        match element {
            "layer" => cells::write(out, layer)?,
            "objectgroup" => object::write_all(out, layer)?,
            "imagelayer" => tileset::write_image(out, layer)?,
            _ => layers(out, map, layer)?,
        }
        out.end(element)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
