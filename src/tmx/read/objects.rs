//! Objects: those of layers and the collision shapes of tiles, with the values of their templates. A
//! template is a file with one object, whose values an object takes over unless it has its own.
//!
//! A map names tilesets and templates, a template its tileset. Nothing here opens a file: the caller does.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::super::{Decimal, MAX_POINTS, Object, Point, Properties, Shape};
use super::cursor::{Element, MAX_NAME_BYTES, xml};
use super::values::{Values, cost, properties, required};
use super::{ENTRY, Once, ReadFailure, Reader, read_file, spend};
use crate::error::{LoadError, LoadErrorKind, Place};
use crate::limits::check;
use crate::paths::{is_absolute, joined, plain};

/// Reads an object, and fills in the values of its template. `gid_of` gives the number in the map of the
/// template's tile, if the object is to show one.
pub(super) fn read_object(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
    gid_of: fn(&mut Reader<'_, '_>, &Template) -> Result<Option<u32>, ReadFailure>,
) -> Result<Object, ReadFailure> {
    let mut draft = object_attributes(reader, element)?;
    let template = match draft.template.as_deref().filter(|path| !path.is_empty()) {
        Some(written) => Some(read_template(reader, written)?),
        None => None,
    };
    if let Some(template) = &template
        && draft.gid.is_none()
    {
        draft.gid = gid_of(reader, template)?;
    }
    object_content(reader, &mut draft)?;
    if let Some(template) = &template {
        take_over(reader, &mut draft, template)?;
    }
    let texts = [&draft.name, &draft.class, &draft.template];
    let bytes: usize = texts.into_iter().flatten().map(String::len).sum();
    // A marker repeats the path of its layer.
    let path = reader.place.layer.as_ref().map_or(0, String::len);
    reader.shared.keep(ENTRY + bytes + path)?;
    reader.place.object = None;
    Ok(draft.finish())
}

/// Gives an object the properties and values of its template that it does not set itself.
fn take_over(
    reader: &mut Reader<'_, '_>,
    draft: &mut ObjectDraft,
    template: &Template,
) -> Result<(), ReadFailure> {
    let from = &template.object;
    reader.shared.keep(template.cost)?;
    draft.name = draft.name.take().or_else(|| from.name.clone());
    draft.class = draft.class.take().or_else(|| from.class.clone());
    draft.width = draft.width.or(from.width);
    draft.height = draft.height.or(from.height);
    draft.rotation = draft.rotation.or(from.rotation);
    draft.opacity = draft.opacity.or(from.opacity);
    draft.visible = draft.visible.or(from.visible);
    if draft.shape.is_none() {
        if let Some(Shape::Polygon(points) | Shape::Polyline(points)) = &from.shape {
            count_points(reader, points.len())?;
        }
        draft.shape.clone_from(&from.shape);
    }
    for (name, property) in &from.properties {
        if !draft.properties.contains_key(name) {
            // Its line is of another file.
            let mut property = property.clone();
            property.line = 0;
            draft.properties.insert(name.clone(), property);
        }
    }
    Ok(())
}

/// An object with the values that its element sets. Its template may set the others.
pub(super) struct ObjectDraft {
    id: u32,
    name: Option<String>,
    class: Option<String>,
    position: Point,
    width: Option<Decimal>,
    height: Option<Decimal>,
    rotation: Option<Decimal>,
    pub(super) gid: Option<u32>,
    opacity: Option<f32>,
    visible: Option<bool>,
    template: Option<String>,
    shape: Option<Shape>,
    properties: Properties,
    line: u32,
}

fn object_attributes(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
) -> Result<ObjectDraft, LoadErrorKind> {
    let mut from = Values::new("object", element.attributes);
    let draft = ObjectDraft {
        id: from.count("id").unwrap_or(0),
        name: from.name("name").map(Cow::into_owned),
        class: from.class("type", "class"),
        position: from.point("x", "y"),
        width: from.size("width"),
        height: from.size("height"),
        rotation: from.decimal("rotation"),
        gid: from.count("gid"),
        opacity: from.opacity("opacity"),
        visible: from.flag("visible"),
        template: from.text("template").map(Cow::into_owned),
        shape: None,
        properties: Properties::new(),
        line: element.line,
    };
    from.finish()?;
    reader.place.object = Some(draft.id);
    let limit = reader.shared.limits.objects;
    spend("objects (the limit `objects`)", &mut reader.shared.objects, 1, limit)?;
    Ok(draft)
}

fn object_content(reader: &mut Reader<'_, '_>, draft: &mut ObjectDraft) -> Result<(), ReadFailure> {
    let mut once = Once::new(&["properties"]);
    while let Some(child) = reader.child_once(&mut once)? {
        let (name, shape) = match &*child.name {
            "ellipse" => ("object", Shape::Ellipse),
            "capsule" => ("object", Shape::Capsule),
            "point" => ("object", Shape::Point),
            "polygon" => ("polygon", Shape::Polygon(points(reader, "polygon", child)?)),
            "polyline" => ("polyline", Shape::Polyline(points(reader, "polyline", child)?)),
            "text" => ("text", Shape::Text(String::new())),
            "properties" => {
                draft.properties = properties(reader)?;
                continue;
            }
            _ => {
                reader.pass(&child, "object")?;
                continue;
            }
        };
        if draft.shape.is_some() {
            return Err(xml("an object of two shapes").into());
        }
        let text = reader.text(name)?;
        draft.shape = Some(match shape {
            Shape::Text(_) => {
                reader.shared.keep(text.len())?;
                Shape::Text(text.into_owned())
            }
            other => other,
        });
    }
    Ok(())
}

fn points(
    reader: &mut Reader<'_, '_>,
    name: &'static str,
    element: Element<'_>,
) -> Result<Vec<Point>, ReadFailure> {
    let mut from = Values::new(name, element.attributes);
    let points = from.points("points");
    from.finish()?;
    let points = required("object", "points", points)?;
    count_points(reader, points.len())?;
    Ok(points)
}

fn count_points(reader: &mut Reader<'_, '_>, count: usize) -> Result<(), LoadErrorKind> {
    let what = "points of all polygons and polylines";
    spend(what, &mut reader.shared.points, count as u64, MAX_POINTS)
}

impl ObjectDraft {
    /// The bytes of the names and values that an instance may repeat.
    fn cost(&self) -> usize {
        let texts = [&self.name, &self.class];
        let texts: usize = texts.into_iter().flatten().map(String::len).sum();
        let shape = match &self.shape {
            Some(Shape::Text(text)) => text.len(),
            _ => 0,
        };
        texts + shape + cost(&self.properties)
    }

    /// The object, with Tiled's defaults for the values that are not set.
    fn finish(self) -> Object {
        let gid = self.gid.filter(|gid| *gid != 0);
        let shape = self.shape.filter(|_| gid.is_none());
        Object {
            id: self.id,
            name: self.name.unwrap_or_default(),
            class: self.class.unwrap_or_default(),
            position: self.position,
            size: Point { x: self.width.unwrap_or_default(), y: self.height.unwrap_or_default() },
            rotation: self.rotation.unwrap_or_default(),
            gid,
            shape: shape.unwrap_or_default(),
            visible: self.visible.unwrap_or(true),
            opacity: self.opacity.unwrap_or(1.0),
            properties: self.properties,
            template: self.template,
            line: self.line,
        }
    }
}

pub(super) struct Template {
    pub(super) object: ObjectDraft,
    /// The bytes of names and values that each instance may repeat.
    cost: usize,
    pub(super) tileset: Option<TilesetReference>,
}

pub(super) struct TilesetReference {
    pub(super) written: String,
    pub(super) path: PathBuf,
    /// The number of its tile 0 in the template.
    pub(super) first_gid: u32,
}

/// The template that is written so.
fn read_template(reader: &mut Reader<'_, '_>, written: &str) -> Result<Rc<Template>, ReadFailure> {
    let path = joined(reader.path, written);
    let key = plain(&path);
    if let Some(template) = reader.shared.templates.get(&key) {
        return Ok(Rc::clone(template));
    }
    let bytes = referred(reader, "template", written, &path)?;
    let mut template = None;
    read_file(&path, &bytes, "template", reader.shared, &mut |reader, _| {
        template = template_content(reader)?;
        Ok(())
    })?;
    let template = template.ok_or_else(|| {
        LoadError::new(&path, Place::default(), xml("a template without an object"))
    })?;
    let template = Rc::new(template);
    reader.shared.templates.insert(key, Rc::clone(&template));
    Ok(template)
}

/// Reads the content of a template file; `None` if that is no object.
fn template_content(reader: &mut Reader<'_, '_>) -> Result<Option<Template>, ReadFailure> {
    let (mut tileset, mut object) = (None, None);
    let mut once = Once::new(&["object"]);
    while let Some(child) = reader.child_once(&mut once)? {
        match &*child.name {
            "tileset" => tileset = Some(tileset_reference(reader, child)?),
            "object" => object = Some(object_draft(reader, child)?),
            _ => reader.pass(&child, "template")?,
        }
    }
    Ok(object.map(|object| Template { cost: object.cost(), object, tileset }))
}

fn object_draft(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
) -> Result<ObjectDraft, ReadFailure> {
    let mut draft = object_attributes(reader, element)?;
    if draft.template.is_some() {
        return Err(xml("a template that is made from a template").into());
    }
    object_content(reader, &mut draft)?;
    reader.place.object = None;
    Ok(draft)
}

fn tileset_reference(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
) -> Result<TilesetReference, ReadFailure> {
    let mut from = Values::new("tileset", element.attributes);
    let source = from.text("source").map(Cow::into_owned);
    let first_gid = from.count("firstgid");
    from.finish()?;
    let Some(written) = source else {
        return Err(xml("a template with a tileset within").into());
    };
    let first_gid = required("tileset", "firstgid", first_gid)?;
    reader.end("tileset")?;
    Ok(TilesetReference { path: joined(reader.path, &written), written, first_gid })
}

/// The bytes of a file that this one refers to: a `what`, at `path` by what is `written` in this file.
pub(super) fn referred(
    reader: &mut Reader<'_, '_>,
    what: &'static str,
    written: &str,
    path: &Path,
) -> Result<Vec<u8>, LoadErrorKind> {
    check("bytes in the path of a file", written.len() as u64, MAX_NAME_BYTES)?;
    let read = if is_absolute(written) {
        Err(LoadErrorKind::AbsolutePath)
    } else {
        (reader.shared.read)(path)
    };
    let bytes = read.map_err(|source| LoadErrorKind::Reference {
        what,
        written: written.to_owned(),
        looked_in: path.to_owned(),
        source: Box::new(source),
    })?;
    let size = bytes.len() as u64;
    let limits = reader.shared.limits;
    check("bytes in a file of the map (half of the limit `bytes`)", size, limits.file_bytes())?;
    let what = "bytes in all files of the map (the limit `bytes`)";
    spend(what, &mut reader.shared.bytes, size, limits.bytes)?;
    Ok(bytes)
}
