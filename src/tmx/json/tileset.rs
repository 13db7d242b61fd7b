//! Tilesets, their tiles and pictures.

use std::borrow::Cow;
use std::collections::HashMap;

use super::opened::{Opened, Opening};
use super::{Object, object, property};
use crate::error::LoadErrorKind;
use crate::tmx::tree::{Node, json};

/// The attributes that have the same name in both forms.
const TILESET: &str = "firstgid name class tilewidth tileheight spacing margin tilecount columns \
                       objectalignment tilerendersize fillmode backgroundcolor";
const TILE: &str = "type class probability x y width height";

/// A tileset, or the reference to its file.
pub(super) fn open(tileset: Object<'_>) -> Opening<'_> {
    if tileset.get("source").is_some() {
        return Opened::with("tileset", tileset, "firstgid source");
    }
    let mut opened = Opened::with("tileset", tileset, TILESET)?;
    for (name, attributes) in [("tileoffset", "x y"), ("grid", "orientation width height")] {
        if let Some(part) = tileset.child(name, "a part of a tileset")? {
            opened.leaf(part, name, attributes);
        }
    }
    property::add(&mut opened, tileset);
    opened.image(tileset)?;
    for tile in tiles(tileset)? {
        let named = tile.named.map(|(values, _)| values);
        opened.child(tile.own.or(named).unwrap_or(tileset), move || tile.open());
    }
    Ok(opened)
}

/// A tile, from the up to three places where a tileset speaks of it; at least one of the two is there.
struct Tile<'t> {
    id: Cow<'t, str>,
    own: Option<Object<'t>>,
    /// The properties and their types, in the form before Tiled 1.2.
    named: Option<(Object<'t>, Option<Object<'t>>)>,
}

/// The tiles of a tileset: a list, or before Tiled 1.2 an object by their ids, and another of properties.
fn tiles(tileset: Object<'_>) -> Result<Vec<Tile<'_>>, LoadErrorKind> {
    let tile = |id, own| Tile { id, own, named: None };
    let mut tiles = Vec::new();
    if let Some(Node::Object(..)) = tileset.get("tiles") {
        let by_id = tileset.child("tiles", "a list of tiles")?;
        for (id, own) in by_id.into_iter().flat_map(Object::entries) {
            tiles.push(tile(id.into(), Some(own.object("a tile")?)));
        }
    } else {
        for own in tileset.list("tiles")? {
            let own = own.object("a tile")?;
            let id = own.text("id")?.ok_or_else(|| json("a tile without `id`"))?;
            tiles.push(tile(id, Some(own)));
        }
    }
    let types = tileset.child("tilepropertytypes", "a list of types")?;
    let Some(properties) = tileset.child("tileproperties", "a list of properties")? else {
        return Ok(tiles);
    };
    // No two have the same id in the old form; in a list, the reader will see it.
    let ids = tiles.iter().map(|tile| tile.id.clone());
    let places: HashMap<Cow<'_, str>, usize> = ids.zip(0..).collect();
    let types: HashMap<&str, &Node<'_>> = types.into_iter().flat_map(Object::entries).collect();
    for (id, values) in properties.entries() {
        let types = types.get(id).map(|types| types.object("a list of types"));
        let values = values.object("a list of properties")?;
        let place = places.get(id).copied().unwrap_or_else(|| {
            tiles.push(tile(id.into(), None));
            tiles.len() - 1
        });
        tiles[place].named = Some((values, types.transpose()?));
    }
    Ok(tiles)
}

impl<'t> Tile<'t> {
    fn open(self) -> Opening<'t> {
        let mut opened = Opened::new("tile");
        opened.attribute("id", self.id)?;
        if let Some((values, types)) = self.named {
            opened.child(values, move || property::open_named(values, types));
        }
        let Some(own) = self.own else {
            return Ok(opened);
        };
        opened.copy(own, TILE)?;
        if self.named.is_none() {
            property::add(&mut opened, own);
        }
        opened.image(own)?;
        if let Some(shapes) = own.child("objectgroup", "a list of collision shapes")? {
            opened.child(shapes, move || {
                let mut opened = Opened::with("objectgroup", shapes, "draworder id")?;
                opened.list(shapes, "objects", "an object", object::open)?;
                Ok(opened)
            });
        }
        if !own.list("animation")?.is_empty() {
            opened.child(own, move || {
                let mut opened = Opened::new("animation");
                opened.list(own, "animation", "a frame", |frame| {
                    Opened::with("frame", frame, "tileid duration")
                })?;
                Ok(opened)
            });
        }
        Ok(opened)
    }
}
