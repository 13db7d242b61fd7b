//! Tiled's JSON forms (`.tmj`, `.tsj`, `.tj`, or `.json`) as the elements that Tiled's XML of the same file has.
//!
//! The one reader of map files reads them through [`Cursor`], so a map in JSON is the same document as its
//! `.tmx`. An element is made when the reader opens it, from the tree of [`crate::json`]. The shape of the
//! JSON is checked here; the values are the reader's to check. This writes no text and opens no files.

mod cells;
mod lines;
mod object;
mod opened;
mod property;
mod tileset;

use std::borrow::Cow;

use self::lines::Lines;
use self::opened::Opened;
use self::property::Value;
use self::tileset::Tile;
use super::cursor::{Cursor, Element};
use crate::error::LoadErrorKind;
use crate::json::{Node, json};

/// An object of a tree that is borrowed for as long as its text.
type Object<'t> = crate::json::Object<'t, 't>;

/// The attributes of a map that have the same name in both forms.
const MAP: &str = "version tiledversion class orientation renderorder compressionlevel width height \
                   tilewidth tileheight infinite hexsidelength staggeraxis staggerindex skewx skewy \
                   parallaxoriginx parallaxoriginy backgroundcolor nextlayerid nextobjectid";

/// The attributes that layers of every kind share.
const LAYER: &str =
    "id name class opacity visible locked tintcolor offsetx offsety parallaxx parallaxy mode";

/// Goes through the elements of a file in JSON.
pub(super) struct JsonCursor<'t> {
    root: Object<'t>,
    lines: Lines<'t>,
    /// Where the object starts that the last element was made from.
    at: u32,
    /// The open elements, the outermost first; before the first of them, the file.
    open: Vec<Open<'t>>,
    /// The text of the element that was closed last.
    text: Cow<'t, str>,
}

/// An open element.
struct Open<'t> {
    children: std::vec::IntoIter<Part<'t>>,
    text: Cow<'t, str>,
}

/// An element that is not open yet: the object that it is made from, and what that does not say.
enum Part<'t> {
    Map(Object<'t>),
    Template(Object<'t>),
    Tileset(Object<'t>),
    Tile(Tile<'t>),
    /// The collision shapes of a tile.
    Shapes(Object<'t>),
    Animation(Object<'t>),
    Layer(Object<'t>),
    /// The cells of a layer.
    Data(Object<'t>),
    /// A chunk, or a layer that is one; the names of its column and row; true for numbers, false for base64.
    Chunk(Object<'t>, [&'static str; 2], bool),
    /// The picture of a tileset, a tile or a layer.
    Image(Object<'t>),
    Object(Object<'t>),
    /// The polygon or polyline, by that name, of an object.
    Points(Object<'t>, &'static str),
    Text(Object<'t>),
    /// An element of this name, of these attributes alone.
    Leaf(Object<'t>, &'static str, &'static str),
    /// The properties of something.
    Properties(Object<'t>),
    /// Properties in the form before Tiled 1.2, and their types; also the members of a class.
    Named(Object<'t>, Option<Object<'t>>),
    /// A `property` or an `item`, by that name, that comes with its type.
    Typed(Object<'t>, &'static str),
    /// A property or an item that is a value alone.
    Value(Value<'t>),
}

impl<'t> JsonCursor<'t> {
    /// Stands before the root of the file `bytes`, whose tree is `root`.
    ///
    /// # Errors
    /// The tree is no map, no tileset and no template.
    pub(super) fn new(bytes: &'t [u8], root: &'t Node<'t>) -> Result<Self, LoadErrorKind> {
        let root = root.object("a file")?;
        let part = match &*kind(root)? {
            "map" => Part::Map(root),
            "tileset" => Part::Tileset(root),
            "template" => Part::Template(root),
            other => {
                let found = format!("a Tiled {other}");
                return Err(LoadErrorKind::UnknownFormat { found });
            }
        };
        let file = Open {
            children: vec![part].into_iter(),
            text: Cow::default(),
        };
        Ok(Self {
            root,
            lines: Lines::new(bytes),
            at: root.at(),
            open: vec![file],
            text: Cow::default(),
        })
    }
}

impl<'t> Cursor<'t> for JsonCursor<'t> {
    fn next(&mut self) -> Result<Option<Element<'t>>, LoadErrorKind> {
        let Some(part) = self.open.last_mut().and_then(|open| open.children.next()) else {
            self.text = self.open.pop().map_or(Cow::default(), |open| open.text);
            return Ok(None);
        };
        self.at = part.object().at();
        let opened = part.open(self.root)?;
        self.open.push(Open {
            children: opened.children.into_iter(),
            text: opened.text,
        });
        Ok(Some(Element {
            name: opened.name.into(),
            attributes: opened.attributes,
            line: self.lines.line(self.at),
        }))
    }

    fn text(&mut self) -> Cow<'t, str> {
        std::mem::take(&mut self.text)
    }

    fn position(&self) -> Option<(u32, u32)> {
        Some((self.lines.line(self.at), self.lines.byte(self.at)))
    }
}

impl<'t> Part<'t> {
    /// The object that says where in the file the element is.
    fn object(&self) -> Object<'t> {
        match self {
            Self::Tile(tile) => tile.object(),
            Self::Value(value) => value.holder,
            Self::Map(object)
            | Self::Template(object)
            | Self::Tileset(object)
            | Self::Shapes(object)
            | Self::Animation(object)
            | Self::Layer(object)
            | Self::Data(object)
            | Self::Chunk(object, ..)
            | Self::Image(object)
            | Self::Object(object)
            | Self::Points(object, _)
            | Self::Text(object)
            | Self::Leaf(object, ..)
            | Self::Properties(object)
            | Self::Named(object, _)
            | Self::Typed(object, _) => *object,
        }
    }

    /// Makes the element, in the file of the root `root`.
    fn open(self, root: Object<'t>) -> Result<Opened<'t>, LoadErrorKind> {
        match self {
            Self::Map(map) => open_map(map),
            Self::Template(template) => open_template(template),
            Self::Tileset(tileset) => tileset::open(tileset),
            Self::Tile(tile) => tile.open(),
            Self::Shapes(shapes) => tileset::open_shapes(shapes),
            Self::Animation(tile) => tileset::open_animation(tile),
            Self::Layer(layer) => open_layer(layer, root),
            Self::Data(layer) => cells::open(layer),
            Self::Chunk(chunk, start, is_csv) => cells::open_chunk(chunk, start, is_csv),
            Self::Image(owner) => tileset::open_image(owner),
            Self::Object(object) => object::open(object),
            Self::Points(object, shape) => object::open_points(object, shape),
            Self::Text(text) => object::open_text(text),
            Self::Leaf(object, name, attributes) => Opened::with(name, object, attributes),
            Self::Properties(owner) => property::open(owner),
            Self::Named(values, types) => property::open_named(values, types),
            Self::Typed(property, element) => property::open_typed(property, element),
            Self::Value(value) => value.open(),
        }
    }
}

/// What a file says it is; before Tiled 1.0 it did not.
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
        None => Err(LoadErrorKind::UnknownFormat {
            found: "JSON that is not Tiled's".to_owned(),
        }),
    }
}

fn open_map(map: Object<'_>) -> Result<Opened<'_>, LoadErrorKind> {
    let mut opened = Opened::with("map", map, MAP)?;
    opened.properties(map);
    opened.list(map, "tilesets", "a tileset", Part::Tileset)?;
    opened.list(map, "layers", "a layer", Part::Layer)?;
    Ok(opened)
}

fn open_template(template: Object<'_>) -> Result<Opened<'_>, LoadErrorKind> {
    let mut opened = Opened::with("template", template, "")?;
    let tileset = template.child("tileset", "a tileset")?;
    opened.children.extend(tileset.map(Part::Tileset));
    let object = template.child("object", "an object")?;
    let object = object.ok_or_else(|| json("a template without `object`"))?;
    opened.children.push(Part::Object(object));
    Ok(opened)
}

fn open_layer<'t>(layer: Object<'t>, map: Object<'t>) -> Result<Opened<'t>, LoadErrorKind> {
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
    opened.properties(layer);
    match element {
        "layer" => {
            // In chunks it has the size of the drawn part, but in XML always that of the map.
            let sized = layer.get("chunks").map_or(layer, |_| map);
            opened.copy(sized, "width height")?;
            if layer.get("data").or(layer.get("chunks")).is_some() {
                opened.children.push(Part::Data(layer));
            }
        }
        "objectgroup" => opened.list(layer, "objects", "an object", Part::Object)?,
        "imagelayer" => opened.image(layer)?,
        _ => opened.list(layer, "layers", "a layer", Part::Layer)?,
    }
    Ok(opened)
}

#[cfg(test)]
mod tests;
