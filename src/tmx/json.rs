//! Tiled's JSON forms (`.tmj`, `.tsj`, `.tj`, or `.json`) as the elements that Tiled's XML of the same file
//! has.
//!
//! The one reader of map files reads them through [`Cursor`], so a map in JSON is the same document as its
//! `.tmx`. An element is made when the reader opens it, from the tree of [`super::tree`]. The shape of the
//! JSON is checked here; the values are the reader's to check. This writes no text and opens no files.

mod cells;
mod object;
mod opened;
mod property;
mod tileset;

use std::borrow::Cow;

use self::opened::{Opened, Opening, Part};
use super::cursor::{Cursor, Element};
use super::lines::Lines;
use super::tree::{Node, json};
use crate::error::LoadErrorKind;

/// An object of a tree that is borrowed for as long as its text.
type Object<'t> = super::tree::Object<'t, 't>;

/// The attributes of a map that have the same name in both forms.
const MAP: &str = "version tiledversion class orientation renderorder compressionlevel width height \
                   tilewidth tileheight infinite hexsidelength staggeraxis staggerindex skewx skewy \
                   parallaxoriginx parallaxoriginy backgroundcolor nextlayerid nextobjectid";

/// The attributes that layers of every kind share.
const LAYER: &str =
    "id name class opacity visible locked tintcolor offsetx offsety parallaxx parallaxy mode";

/// Goes through the elements of a file in JSON.
pub(super) struct JsonCursor<'t> {
    lines: Lines<'t>,
    /// Where the object starts that the last element was made from.
    at: u32,
    /// The children to come and the text of each open element, the outermost first; before it, of the file.
    open: Vec<(std::vec::IntoIter<Part<'t>>, Cow<'t, str>)>,
    /// The text of the element that was closed last.
    text: Cow<'t, str>,
}

impl<'t> JsonCursor<'t> {
    /// Stands before the root of the file `bytes`, whose tree is `root`.
    ///
    /// # Errors
    /// The tree is no map, no tileset and no template.
    pub(super) fn new(bytes: &'t [u8], root: &'t Node<'t>) -> Result<Self, LoadErrorKind> {
        let root = root.object("a file")?;
        let open = match &*kind(root)? {
            "map" => open_map,
            "tileset" => tileset::open,
            "template" => open_template,
            other => {
                let found = format!("a Tiled {other}");
                return Err(LoadErrorKind::UnknownFormat { found });
            }
        };
        let part = Part::new(root, move || open(root));
        Ok(Self {
            lines: Lines::new(bytes),
            at: root.at,
            open: vec![(vec![part].into_iter(), Cow::default())],
            text: Cow::default(),
        })
    }
}

impl<'t> Cursor<'t> for JsonCursor<'t> {
    fn next(&mut self) -> Result<Option<Element<'t>>, LoadErrorKind> {
        let Some(part) = self.open.last_mut().and_then(|(parts, _)| parts.next()) else {
            self.text = self.open.pop().map_or(Cow::default(), |(_, text)| text);
            return Ok(None);
        };
        self.at = part.at;
        let opened = (part.open)()?;
        self.open.push((opened.children.into_iter(), opened.text));
        Ok(Some(Element { line: self.lines.line(self.at as usize), ..opened.element }))
    }

    fn text(&mut self) -> Cow<'t, str> {
        std::mem::take(&mut self.text)
    }

    fn position(&self) -> (u32, u32) {
        self.lines.position(self.at as usize)
    }
}

/// The type that a file states; before Tiled 1.0 it stated none.
fn kind(root: Object<'_>) -> Result<Cow<'_, str>, LoadErrorKind> {
    if let Some(kind) = root.text("type")? {
        return Ok(kind);
    }
    let known = [
        ("layers", "map"),
        ("object", "template"),
        ("tilewidth", "tileset"),
        ("maps", "world"),
        ("patterns", "world"),
    ];
    let found = known.iter().find(|(name, _)| root.get(name).is_some());
    match found {
        Some((_, kind)) => Ok((*kind).into()),
        None => Err(LoadErrorKind::UnknownFormat { found: "JSON that is not Tiled's".to_owned() }),
    }
}

fn open_map(map: Object<'_>) -> Opening<'_> {
    let mut opened = Opened::with("map", map, MAP)?;
    property::add(&mut opened, map);
    opened.list(map, "tilesets", "a tileset", tileset::open)?;
    opened.list(map, "layers", "a layer", move |layer| open_layer(layer, map))?;
    Ok(opened)
}

fn open_template(template: Object<'_>) -> Opening<'_> {
    let mut opened = Opened::new("template");
    if let Some(tileset) = template.child("tileset", "a tileset")? {
        opened.child(tileset, move || tileset::open(tileset));
    }
    let object = template.child("object", "an object")?;
    let object = object.ok_or_else(|| json("a template without `object`"))?;
    opened.child(object, move || object::open(object));
    Ok(opened)
}

fn open_layer<'t>(layer: Object<'t>, map: Object<'t>) -> Opening<'t> {
    let kind = layer.text("type")?.unwrap_or_default();
    let (element, more) = match &*kind {
        "tilelayer" => ("layer", "x y"),
        "objectgroup" => ("objectgroup", "color draworder"),
        "imagelayer" => ("imagelayer", "x y repeatx repeaty"),
        "group" => ("group", ""),
        other => return Err(json(format!("a layer of the type `{other}`"))),
    };
    let mut opened = Opened::with(element, layer, LAYER)?;
    opened.copy(layer, more)?;
    property::add(&mut opened, layer);
    match element {
        "layer" => {
            // In chunks it has the size of the drawn part, but in XML always that of the map.
            let sized = layer.get("chunks").map_or(layer, |_| map);
            opened.copy(sized, "width height")?;
            if layer.get("data").or(layer.get("chunks")).is_some() {
                opened.child(layer, move || cells::open(layer));
            }
        }
        "objectgroup" => opened.list(layer, "objects", "an object", object::open)?,
        "imagelayer" => opened.image(layer)?,
        _ => opened.list(layer, "layers", "a layer", move |layer| open_layer(layer, map))?,
    }
    Ok(opened)
}

#[cfg(test)]
mod tests;
