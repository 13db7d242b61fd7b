//! Turns Tiled's JSON files (`.tmj`, `.tsj`, `.tj` or `.json`) into the elements that the same files have in
//! XML.
//!
//! [`JsonCursor`] gives these elements to the reader of map files, so a map in JSON becomes the same document
//! as in XML. An element is made when the reader opens it. This module checks the shape of the JSON; the
//! reader checks the values. Nothing here opens a file.

#[cfg(test)]
mod tests;
pub(super) mod tree;

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use super::read::cursor::{Cursor, Element, LineIndex};
use crate::error::LoadErrorKind;
use tree::{Node, json};

/// A JSON object of a tree that lives as long as the file's text.
type JsonObject<'t> = tree::JsonObject<'t, 't>;

/// The attributes of a map whose names are the same in JSON and XML.
const MAP: &str = "version class orientation renderorder width height tilewidth tileheight infinite \
                   hexsidelength staggeraxis staggerindex skewx skewy parallaxoriginx parallaxoriginy \
                   backgroundcolor";

/// The attributes of all kinds of layers whose names are the same in JSON and XML.
const LAYER: &str =
    "id name class opacity visible tintcolor offsetx offsety parallaxx parallaxy mode";

pub(super) struct JsonCursor<'t> {
    lines: LineIndex<'t>,
    /// The index in the file of the first byte of the last opened element's JSON object, for error messages.
    at: u32,
    /// The unread children and the text of each open element, the outermost element first. The first entry
    /// stands for the file: its only child is the root element.
    open: Vec<(std::vec::IntoIter<PendingElement<'t>>, Cow<'t, str>)>,
    text: Cow<'t, str>,
}

impl<'t> JsonCursor<'t> {
    /// Returns a cursor before the root element. `root` is the parsed tree of the file `bytes`.
    pub(super) fn new(bytes: &'t [u8], root: &'t Node<'t>) -> Result<Self, LoadErrorKind> {
        let root = root.object("a file")?;
        let open = match &*kind(root)? {
            "map" => open_map as fn(JsonObject<'t>) -> Opening<'t>,
            "tileset" => open_tileset as fn(_) -> _,
            "template" => open_template as fn(_) -> _,
            "project" => open_project as fn(_) -> _,
            other => {
                let found = format!("a Tiled {other}");
                return Err(LoadErrorKind::UnknownFormat { found });
            }
        };
        let root = PendingElement { from: root, open: Rc::new(open) };
        Ok(Self {
            lines: LineIndex::new(bytes),
            at: root.from.at,
            open: vec![(vec![root].into_iter(), Cow::default())],
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
        self.at = part.from.at;
        let opened = (part.open)(part.from)?;
        self.open.push((opened.children.into_iter(), opened.text));
        Ok(Some(Element { line: self.lines.line(self.at as usize), ..opened.element }))
    }

    fn text(&mut self) -> Cow<'t, str> {
        std::mem::take(&mut self.text)
    }

    fn position(&self) -> (u32, u32) {
        self.lines.position(self.at as usize)
    }

    fn depth(&self) -> usize {
        // The file itself is the first entry.
        self.open.len().saturating_sub(1)
    }
}

/// Returns the type of the file that `root` states. Files from before Tiled 1.0 state no type, so the names
/// of their values decide.
fn kind(root: JsonObject<'_>) -> Result<Cow<'_, str>, LoadErrorKind> {
    if let Some(kind) = root.text("type")? {
        return Ok(kind);
    }
    let known = [
        ("layers", "map"),
        ("object", "template"),
        ("tilewidth", "tileset"),
        ("maps", "world"),
        ("patterns", "world"),
        ("project", "project"),
    ];
    let found = known.iter().find(|(name, _)| root.get(name).is_some());
    match found {
        Some((_, kind)) => Ok((*kind).into()),
        None => Err(LoadErrorKind::UnknownFormat { found: "JSON that is not Tiled's".to_owned() }),
    }
}

fn open_map(map: JsonObject<'_>) -> Opening<'_> {
    let mut opened = Opened::copied("map", map, MAP)?;
    opened.properties(map);
    opened.list(map, "tilesets", "a tileset", open_tileset)?;
    opened.list(map, "layers", "a layer", move |layer| open_layer(layer, map))?;
    Ok(opened)
}

fn open_template(template: JsonObject<'_>) -> Opening<'_> {
    let mut opened = Opened::new("template");
    if let Some(tileset) = template.child("tileset", "a tileset")? {
        opened.child(tileset, open_tileset);
    }
    let object = template.child("object", "an object")?;
    let object = object.ok_or_else(|| json("a template without `object`"))?;
    opened.child(object, open_object);
    Ok(opened)
}

fn open_layer<'t>(layer: JsonObject<'t>, map: JsonObject<'t>) -> Opening<'t> {
    let kind = layer.text("type")?.unwrap_or_default();
    let (element, more) = match &*kind {
        "tilelayer" => ("layer", "x y"),
        "objectgroup" => ("objectgroup", "draworder"),
        "imagelayer" => ("imagelayer", "x y repeatx repeaty"),
        "group" => ("group", ""),
        other => return Err(json(format!("a layer of the type `{other}`"))),
    };
    let mut opened = Opened::copied(element, layer, LAYER)?;
    opened.copy(layer, more)?;
    opened.properties(layer);
    match element {
        "layer" => {
            // In JSON, a layer in chunks states the size of its drawn part; in XML, it states the size of the
            // map.
            let sized = layer.get("chunks").map_or(layer, |_| map);
            opened.copy(sized, "width height")?;
            if layer.get("data").or(layer.get("chunks")).is_some() {
                opened.child(layer, open_cells);
            }
        }
        "objectgroup" => opened.list(layer, "objects", "an object", open_object)?,
        "imagelayer" => opened.image(layer)?,
        _ => opened.list(layer, "layers", "a layer", move |layer| open_layer(layer, map))?,
    }
    Ok(opened)
}

type Opening<'t> = Result<Opened<'t>, LoadErrorKind>;

/// An element that the reader has not opened yet: its JSON object, and how to make the element from it.
struct PendingElement<'t> {
    from: JsonObject<'t>,
    open: Rc<dyn Fn(JsonObject<'t>) -> Opening<'t> + 't>,
}

/// Properties written as `name: value` before Tiled 1.2, and the JSON object with their types, if there is
/// one.
type OldProperties<'t> = (JsonObject<'t>, Option<JsonObject<'t>>);

struct Opened<'t> {
    element: Element<'t>,
    children: Vec<PendingElement<'t>>,
    text: Cow<'t, str>,
}

impl<'t> Opened<'t> {
    fn new(name: &'static str) -> Self {
        let element = Element { name: name.into(), ..Element::default() };
        Self { element, children: Vec::new(), text: Cow::default() }
    }

    /// Makes an element with the attributes `names` of `object`, separated by blanks.
    fn copied(name: &'static str, object: JsonObject<'t>, names: &'static str) -> Opening<'t> {
        let mut opened = Self::new(name);
        opened.copy(object, names)?;
        Ok(opened)
    }

    /// Copies the attributes `names` of `object`, separated by blanks, to this element. Missing attributes
    /// are left out.
    fn copy(&mut self, object: JsonObject<'t>, names: &'static str) -> Result<(), LoadErrorKind> {
        names.split_ascii_whitespace().try_for_each(|name| self.renamed(object, name, name))
    }

    /// Copies the value `name` of `object` to the attribute `attribute` of this element. Does nothing if the
    /// value is missing.
    fn renamed(
        &mut self,
        object: JsonObject<'t>,
        name: &str,
        attribute: &'static str,
    ) -> Result<(), LoadErrorKind> {
        if let Some(text) = object.text(name)? {
            self.attribute(attribute, text);
        }
        Ok(())
    }

    fn attribute(&mut self, name: &'static str, value: impl Into<Cow<'t, str>>) {
        self.element.attributes.push((name.into(), value.into()));
    }

    /// Adds a child to this element, which `open` makes from `from` when the reader opens it.
    fn child(&mut self, from: JsonObject<'t>, open: impl Fn(JsonObject<'t>) -> Opening<'t> + 't) {
        self.children.push(PendingElement { from, open: Rc::new(open) });
    }

    /// Adds a child to this element for each JSON object in the list `name` of `object`. `what` is the kind
    /// of the items, for errors.
    fn list(
        &mut self,
        object: JsonObject<'t>,
        name: &str,
        what: &'static str,
        open: impl Fn(JsonObject<'t>) -> Opening<'t> + 't,
    ) -> Result<(), LoadErrorKind> {
        let open = Rc::new(open);
        for node in object.list(name)? {
            let from = node.object(what)?;
            self.children.push(PendingElement { from, open: open.clone() });
        }
        Ok(())
    }

    fn image(&mut self, owner: JsonObject<'t>) -> Result<(), LoadErrorKind> {
        if owner.text("image")?.is_some_and(|image| !image.is_empty()) {
            self.child(owner, open_image);
        }
        Ok(())
    }

    fn properties(&mut self, owner: JsonObject<'t>) {
        if owner.get("properties").is_some() {
            self.child(owner, open_properties);
        }
    }

    /// Adds the type `kind` and the `value` to the element of a property or a list item. `holder` is the JSON
    /// object that contains the value. If `kind` is `None`, the kind of JSON value decides the type.
    fn finish_property(
        mut self,
        holder: JsonObject<'t>,
        kind: Option<Cow<'t, str>>,
        value: Option<&'t Node<'t>>,
    ) -> Opening<'t> {
        let kind = kind.unwrap_or_else(|| value.map_or("string", natural).into());
        self.attribute("type", kind.clone());
        match (&*kind, value) {
            ("class", Some(members @ Node::Object(..))) => {
                self.child(members.object("a class")?, |values| open_named(values, None));
            }
            ("list", Some(Node::List(items))) => {
                for value in items {
                    match value.object("an item") {
                        // An item is an object with a type and a value, or the value alone.
                        Ok(item) if item.get("type").is_some() && item.has("value") => {
                            self.child(item, open_item);
                        }
                        _ => self.child(holder, move |holder| open_value(holder, value)),
                    }
                }
            }
            (_, None | Some(Node::Scalar("null"))) => self.attribute("value", ""),
            (_, Some(value)) => match value.text()? {
                Some(text) => self.attribute("value", text),
                None => return Err(json(format!("the value of a property is no `{kind}`"))),
            },
        }
        Ok(self)
    }
}

/// Makes the `<image>` of a tileset, a tile or an image layer.
fn open_image(owner: JsonObject<'_>) -> Opening<'_> {
    let mut opened = Opened::new("image");
    opened.renamed(owner, "image", "source")?;
    opened.renamed(owner, "imagewidth", "width")?;
    opened.renamed(owner, "imageheight", "height")?;
    opened.renamed(owner, "transparentcolor", "trans")?;
    Ok(opened)
}

/// Makes the `<data>` of a layer from its cells or chunks.
fn open_cells(layer: JsonObject<'_>) -> Opening<'_> {
    let mut opened = Opened::new("data");
    let encoding = layer.text("encoding")?.filter(|text| !text.is_empty());
    let are_numbers = matches!(layer.get("data"), Some(Node::Numbers(_)));
    let is_csv = are_numbers || encoding.as_ref().is_none_or(|encoding| encoding == "csv");
    let encoding = encoding.filter(|_| !is_csv).unwrap_or("csv".into());
    opened.attribute("encoding", encoding);
    let compression = layer.text("compression")?.filter(|text| !text.is_empty());
    if let Some(compression) = compression.filter(|_| !is_csv) {
        opened.attribute("compression", compression);
    }
    if layer.get("data").is_none() {
        opened
            .list(layer, "chunks", "a chunk", move |chunk| open_chunk(chunk, "x", "y", is_csv))?;
    } else if layer.get("startx").or(layer.get("starty")).is_some() {
        // An infinite map may have a layer without chunks.
        opened.child(layer, move |layer| open_chunk(layer, "startx", "starty", is_csv));
    } else {
        opened.text = cells(layer, is_csv)?;
    }
    Ok(opened)
}

/// Makes a `<chunk>` from a JSON chunk, or from a whole layer of an infinite map. `x` and `y` are the JSON
/// names of its column and row.
fn open_chunk<'t>(chunk: JsonObject<'t>, x: &str, y: &str, is_csv: bool) -> Opening<'t> {
    let mut opened = Opened::new("chunk");
    opened.renamed(chunk, x, "x")?;
    opened.renamed(chunk, y, "y")?;
    opened.copy(chunk, "width height")?;
    opened.text = cells(chunk, is_csv)?;
    Ok(opened)
}

/// Returns the cells in the list or text `data` of `holder`, as the text of a `<data>` or `<chunk>`.
fn cells<'t>(holder: JsonObject<'t>, is_csv: bool) -> Result<Cow<'t, str>, LoadErrorKind> {
    let what = holder.what;
    match holder.get("data") {
        None => Err(json(format!("{what} without `data`"))),
        Some(Node::Numbers(numbers)) if is_csv => Ok((*numbers).into()),
        Some(Node::Numbers(_)) => Err(json(format!("`data` of {what} is numbers, not base64"))),
        Some(data) => {
            let text = data.text()?;
            text.ok_or_else(|| json(format!("`data` of {what} is not a list of numbers")))
        }
    }
}

/// The attributes of a tileset whose names are the same in JSON and XML.
const TILESET: &str = "firstgid name class tilewidth tileheight spacing margin tilecount columns \
                       objectalignment tilerendersize fillmode";
/// The attributes of a tile whose names are the same in JSON and XML.
const TILE: &str = "type class probability x y width height";

fn open_tileset(tileset: JsonObject<'_>) -> Opening<'_> {
    if tileset.get("source").is_some() {
        return Opened::copied("tileset", tileset, "firstgid source");
    }
    let mut opened = Opened::copied("tileset", tileset, TILESET)?;
    for (name, attributes) in [("tileoffset", "x y"), ("grid", "orientation width height")] {
        // Some programs write an empty object as an empty list.
        if matches!(tileset.get(name), Some(Node::List(items)) if items.is_empty()) {
            continue;
        }
        if let Some(part) = tileset.child(name, "a part of a tileset")? {
            opened.child(part, move |part| Opened::copied(name, part, attributes));
        }
    }
    opened.properties(tileset);
    opened.image(tileset)?;
    for tile in tiles(tileset)? {
        let old = tile.old.map(|(values, _)| values);
        opened.child(tile.own.or(old).unwrap_or(tileset), move |_| open_tile(&tile));
    }
    Ok(opened)
}

/// A tile of a tileset. Before Tiled 1.2, its attributes (`own`) and its properties (`old`) were in separate
/// objects, and each could be missing.
struct JsonTile<'t> {
    id: Cow<'t, str>,
    own: Option<JsonObject<'t>>,
    /// The tile's properties and their types, only in a file from before Tiled 1.2.
    old: Option<OldProperties<'t>>,
}

/// Returns the tiles of a tileset. Before Tiled 1.2, the file had no list of tiles. It had two objects with
/// tile ids as names: one for the tiles, and one for their properties.
fn tiles(tileset: JsonObject<'_>) -> Result<Vec<JsonTile<'_>>, LoadErrorKind> {
    let mut tiles = Vec::new();
    if let Some(by_id @ Node::Object(..)) = tileset.get("tiles") {
        for (id, own) in by_id.object("a list of tiles")?.entries() {
            tiles.push(JsonTile { id: id.into(), own: Some(own.object("a tile")?), old: None });
        }
    } else {
        for own in tileset.list("tiles")? {
            let own = own.object("a tile")?;
            let id = own.text("id")?.ok_or_else(|| json("a tile without `id`"))?;
            tiles.push(JsonTile { id, own: Some(own), old: None });
        }
    }
    let types = tileset.child("tilepropertytypes", "a list of types")?;
    let Some(properties) = tileset.child("tileproperties", "a list of properties")? else {
        return Ok(tiles);
    };
    let types: HashMap<_, _> = types.into_iter().flat_map(JsonObject::entries).collect();
    let mut old: HashMap<_, _> = properties.entries().collect();
    // Ids are unique in the old form, because they are names of an object. In a list, the reader checks them.
    for tile in &mut tiles {
        tile.old = old
            .remove(&*tile.id)
            .map(|values| old_properties(&tile.id, values, &types))
            .transpose()?;
    }
    for (id, values) in properties.entries().filter(|(id, _)| old.contains_key(id)) {
        let values = Some(old_properties(id, values, &types)?);
        tiles.push(JsonTile { id: id.into(), own: None, old: values });
    }
    Ok(tiles)
}

fn old_properties<'t>(
    id: &str,
    values: &'t Node<'t>,
    types: &HashMap<&str, &'t Node<'t>>,
) -> Result<OldProperties<'t>, LoadErrorKind> {
    let types = types.get(id).map(|types| types.object("a list of types")).transpose()?;
    Ok((values.object("a list of properties")?, types))
}

fn open_tile<'t>(tile: &JsonTile<'t>) -> Opening<'t> {
    let mut opened = Opened::new("tile");
    opened.attribute("id", tile.id.clone());
    if let Some((values, types)) = tile.old {
        opened.child(values, move |values| open_named(values, types));
    }
    let Some(own) = tile.own else {
        return Ok(opened);
    };
    opened.copy(own, TILE)?;
    if tile.old.is_none() {
        opened.properties(own);
    }
    opened.image(own)?;
    if let Some(shapes) = own.child("objectgroup", "a list of collision shapes")? {
        opened.child(shapes, open_shapes);
    }
    if !own.list("animation")?.is_empty() {
        opened.child(own, open_animation);
    }
    Ok(opened)
}

fn open_shapes(shapes: JsonObject<'_>) -> Opening<'_> {
    let mut opened = Opened::copied("objectgroup", shapes, "draworder id")?;
    opened.list(shapes, "objects", "an object", open_object)?;
    Ok(opened)
}

fn open_animation(tile: JsonObject<'_>) -> Opening<'_> {
    let mut opened = Opened::new("animation");
    opened.list(tile, "animation", "a frame", |frame| {
        Opened::copied("frame", frame, "tileid duration")
    })?;
    Ok(opened)
}

/// The attributes of a Tiled object whose names are the same in JSON and XML.
const OBJECT: &str = "id template name type class gid x y width height rotation visible opacity";

fn open_object(object: JsonObject<'_>) -> Opening<'_> {
    let mut opened = Opened::copied("object", object, OBJECT)?;
    opened.properties(object);
    for shape in ["ellipse", "point", "capsule"] {
        if object.text(shape)?.is_some_and(|flag| flag == "true") {
            opened.child(object, move |_| Ok(Opened::new(shape)));
        }
    }
    for shape in ["polygon", "polyline"] {
        if object.get(shape).is_some() {
            opened.child(object, move |object| open_points(object, shape));
        }
    }
    if let Some(text) = object.child("text", "a text")? {
        opened.child(text, open_text);
    }
    Ok(opened)
}

/// Makes the element `shape` from a list of points. As in XML, the points become `x,y` pairs separated by
/// blanks.
fn open_points<'t>(object: JsonObject<'t>, shape: &'static str) -> Opening<'t> {
    let mut points = String::new();
    for point in object.list(shape)? {
        let point = point.object("a point")?;
        if !points.is_empty() {
            points.push(' ');
        }
        for (name, after) in [("x", ","), ("y", "")] {
            let number = point.text(name)?.unwrap_or("0".into());
            if number.contains([' ', ',', '\n', '\t', '\r']) {
                return Err(json(format!("`{name}` of a point is not a number")));
            }
            points.push_str(&number);
            points.push_str(after);
        }
    }
    let mut opened = Opened::new(shape);
    opened.attribute("points", points);
    Ok(opened)
}

fn open_text(text: JsonObject<'_>) -> Opening<'_> {
    let mut opened = Opened::new("text");
    opened.text = text.text("text")?.unwrap_or_default();
    Ok(opened)
}

fn open_properties(owner: JsonObject<'_>) -> Opening<'_> {
    if let Some(values @ Node::Object(..)) = owner.get("properties") {
        let types = owner.child("propertytypes", "a list of types")?;
        return open_named(values.object("a list of properties")?, types);
    }
    let mut opened = Opened::new("properties");
    opened.list(owner, "properties", "a property", open_property)?;
    Ok(opened)
}

/// Makes `<properties>` from `values` written as `name: value`. `types` has the type of each property by
/// name. It is `None` for the members of a class.
fn open_named<'t>(values: JsonObject<'t>, types: Option<JsonObject<'t>>) -> Opening<'t> {
    let mut opened = Opened::new("properties");
    let types: HashMap<_, _> = types.into_iter().flat_map(JsonObject::entries).collect();
    for (name, value) in values.entries() {
        let kind = types.get(name).copied();
        let kind = kind.filter(|kind| !matches!(kind, Node::Scalar("null")));
        opened.child(values, move |values| {
            let mut opened = Opened::new("property");
            opened.attribute("name", name);
            let kind = kind
                .map(|kind| kind.text()?.ok_or_else(|| json("a type that is not a single value")));
            opened.finish_property(values, kind.transpose()?, Some(value))
        });
    }
    Ok(opened)
}

fn open_property(property: JsonObject<'_>) -> Opening<'_> {
    let mut opened = Opened::new("property");
    opened.attribute("name", property.text("name")?.unwrap_or_default());
    opened.copy(property, "propertytype")?;
    // A project writes the name so.
    opened.renamed(property, "propertyType", "propertytype")?;
    opened.finish_property(property, property.text("type")?, property.get("value"))
}

/// Makes `<objecttypes>` from a project of Tiled: the classes as `<objecttype>`, as before Tiled 1.9, each
/// `<enum>` with its values as items, and the project's folders as items.
/// `file` has the project, or an exported list of its types, as its value `project`.
fn open_project(file: JsonObject<'_>) -> Opening<'_> {
    let mut opened = Opened::new("objecttypes");
    let Some(Node::Object(..)) = file.get("project") else {
        opened.list(file, "project", "a property type", open_type)?;
        return Ok(opened);
    };
    let project = file.child("project", "a project")?.unwrap_or(file);
    opened.renamed(project, "objectTypesFile", "file")?;
    for folder in project.list("folders")? {
        opened.child(project, move |project| open_value(project, folder));
    }
    opened.list(project, "propertyTypes", "a property type", open_type)?;
    Ok(opened)
}

fn open_type(of: JsonObject<'_>) -> Opening<'_> {
    if of.get("values").is_some() {
        let mut opened = Opened::copied("enum", of, "name")?;
        opened.renamed(of, "valuesAsFlags", "flags")?;
        for value in of.list("values")? {
            opened.child(of, move |of| open_value(of, value));
        }
        return Ok(opened);
    }
    let mut opened = Opened::copied("objecttype", of, "name")?;
    // An exported `objecttypes.json`, as before Tiled 1.9, calls the members properties.
    opened.list(of, "properties", "a property", open_property)?;
    if of.get("members").is_some() {
        let mut uses = String::new();
        for word in of.list("useAs")? {
            uses.push_str(&word.text()?.unwrap_or_default());
            uses.push(' ');
        }
        opened.attribute("useas", uses);
        opened.list(of, "members", "a member", open_property)?;
    }
    Ok(opened)
}

fn open_item(item: JsonObject<'_>) -> Opening<'_> {
    let opened = Opened::copied("item", item, "propertytype")?;
    opened.finish_property(item, item.text("type")?, item.get("value"))
}

/// Makes an `<item>` from a value without a stated type, in the list or object `holder`.
fn open_value<'t>(holder: JsonObject<'t>, value: &'t Node<'t>) -> Opening<'t> {
    Opened::new("item").finish_property(holder, None, Some(value))
}

/// Returns the property type for a value without a stated type.
fn natural(value: &Node<'_>) -> &'static str {
    match value {
        Node::Object(..) => "class",
        Node::List(_) | Node::Numbers(_) => "list",
        Node::Scalar("true" | "false") => "bool",
        Node::Scalar("null") => "string",
        Node::Scalar(_) if value.is_string() => "string",
        Node::Scalar(number) if number.contains(['.', 'e', 'E']) => "float",
        Node::Scalar(_) => "int",
    }
}
