//! Reads the objects of layers and the collision shapes of tiles, with the values of their templates. A
//! template is a file with one object. An object has the values of its template, except for the values that
//! it states itself.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::super::{Decimal, MAX_POINTS, Object, Point, Properties, Property, Shape, kept};
use super::cursor::Element;
use super::values::{Values, properties, wrong};
use super::{ReadFailure, Reader, ReferenceKind, contradiction, read_file, read_reference, spend};
use crate::error::{LoadError, LoadErrorKind};
use crate::paths::{joined, plain};

/// Reads an object, and takes missing values from its template. `gid_of` returns the gid (global tile id) in
/// the map of the tile that the template shows.
pub(super) fn read_object(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
    gid_of: fn(&mut Reader<'_, '_>, &Template) -> Result<Option<u32>, ReadFailure>,
) -> Result<Object, ReadFailure> {
    let mut from = Values::new("object", element.attributes);
    let id = from.harmless(|from| from.count("id"));
    reader.place.object = id;
    let limit = reader.shared.limits.objects;
    spend("objects (the limit `objects`)", &mut reader.shared.objects, 1, limit)?;
    let written = from.text("template").map(Cow::into_owned);
    let template = match written.as_deref().filter(|path| !path.is_empty()) {
        Some(written) => Some(read_template(reader, written)?),
        None => None,
    };
    let plain = plain_object();
    let base = template.as_ref().map_or(&plain, |template| &template.object);
    let gid = from.count("gid").filter(|gid| *gid != 0);
    let mut size = Point {
        x: from.decimal("width").unwrap_or_default(),
        y: from.decimal("height").unwrap_or_default(),
    };
    // An instance states its size only as a whole.
    if size.x <= Decimal::ZERO || size.y <= Decimal::ZERO {
        size = template.as_ref().map_or(size, |template| template.object.size);
    }
    let mut object = Object {
        id: id.unwrap_or(0),
        name: from.stated_name("name").unwrap_or_else(|| base.name.clone()),
        class: from.class("type", "class").unwrap_or_else(|| base.class.clone()),
        position: from.point("x", "y"),
        size,
        rotation: from.decimal("rotation").unwrap_or(base.rotation),
        visible: from.harmless(|from| from.flag("visible")).unwrap_or(base.visible),
        opacity: from.harmless(|from| from.opacity("opacity")).unwrap_or(base.opacity),
        template: written,
        line: element.line,
        ..Object::default()
    };
    from.finish(reader)?;
    if let Some(fault) = template.as_ref().and_then(|template| template.fault.as_ref()) {
        reader.doubt(fault.clone())?;
    }
    object.gid = match (gid, &template) {
        (None, Some(template)) => match gid_of(reader, template) {
            Ok(gid) => gid,
            Err(failure) => {
                reader.doubt(failure)?;
                None
            }
        },
        _ => gid,
    };
    let shape = object_content(reader, &mut object.properties)?;
    if let Some(template) = &template {
        reader.shared.keep(template.cost)?;
        if let (None, Shape::Polygon(points) | Shape::Polyline(points)) = (&shape, &base.shape) {
            count_points(reader, points.len())?;
        }
        for (name, property) in &base.properties {
            // The line number of this property would be in the template's file.
            let entry = object.properties.entry(name.clone());
            entry.or_insert_with(|| Property { line: 0, ..property.clone() });
        }
    }
    if object.gid.is_none() {
        object.shape = shape.unwrap_or_else(|| base.shape.clone());
    }
    turn_negative_size(reader, &mut object)?;
    let layer = reader.place.layer.as_deref().unwrap_or_default();
    let bytes = kept::object(&object, layer);
    reader.shared.spent.uses_types |= !object.class.is_empty();
    reader.shared.keep(bytes)?;
    reader.place.object = None;
    Ok(object)
}

/// Makes a negative width or height positive. As Tiled draws it, a shape with a negative width is to the left
/// of its position. A shape that is also rotated, or a tile, can be read in several ways.
fn turn_negative_size(reader: &mut Reader<'_, '_>, object: &mut Object) -> Result<(), ReadFailure> {
    let is_box = matches!(object.shape, Shape::Rectangle | Shape::Ellipse | Shape::Capsule);
    let is_plain = is_box && object.gid.is_none() && object.rotation == Decimal::ZERO;
    for (name, at, side) in [
        ("width", &mut object.position.x, &mut object.size.x),
        ("height", &mut object.position.y, &mut object.size.y),
    ] {
        if *side >= Decimal::ZERO {
            continue;
        }
        let written = (side.millionths() as f64 / 1e6).to_string();
        let fault = wrong("object", name, &written, "a size of at least 0");
        if is_plain {
            *at = *at + *side;
            reader.warn(&fault);
        } else {
            reader.doubt(fault)?;
        }
        *side = -*side;
    }
    Ok(())
}

/// An object that states nothing.
fn plain_object() -> Object {
    Object { visible: true, opacity: 1.0, ..Object::default() }
}

/// Reads the child elements of an object. Returns its shape if one is stated, and adds its properties to
/// `own`, the properties that the object states itself.
fn object_content(
    reader: &mut Reader<'_, '_>,
    own: &mut Properties,
) -> Result<Option<Shape>, ReadFailure> {
    let mut found = None;
    while let Some(child) = reader.child()? {
        let (name, shape) = match &*child.name {
            "ellipse" => ("object", Shape::Ellipse),
            "capsule" => ("object", Shape::Capsule),
            "point" => ("object", Shape::Point),
            "polygon" => ("polygon", Shape::Polygon(points(reader, "polygon", child)?)),
            "polyline" => ("polyline", Shape::Polyline(points(reader, "polyline", child)?)),
            "text" => ("text", Shape::Text(String::new())),
            "properties" => {
                own.extend(properties(reader)?);
                continue;
            }
            _ => {
                reader.pass(&child, "object")?;
                continue;
            }
        };
        let text = reader.text(name)?;
        if found.is_some() {
            reader.doubt(contradiction("an object of two shapes"))?;
        }
        found = Some(match shape {
            // A polygon whose points cannot be read covers nothing, as a text.
            Shape::Polygon(points) | Shape::Polyline(points) if points.is_empty() => {
                Shape::Text(String::new())
            }
            Shape::Text(_) => {
                reader.shared.keep(kept::text(text.len()))?;
                Shape::Text(text.into_owned())
            }
            other => other,
        });
    }
    Ok(found)
}

fn points(
    reader: &mut Reader<'_, '_>,
    name: &'static str,
    element: Element<'_>,
) -> Result<Vec<Point>, ReadFailure> {
    let mut from = Values::new(name, element.attributes);
    let points = from.points("points");
    from.finish(reader)?;
    count_points(reader, points.len())?;
    Ok(points)
}

fn count_points(reader: &mut Reader<'_, '_>, count: usize) -> Result<(), LoadErrorKind> {
    let what = "points of all polygons and polylines";
    spend(what, &mut reader.shared.points, count as u64, MAX_POINTS)
}

pub(super) struct Template {
    pub(super) object: Object,
    /// The number of bytes of names and values that are copied into each object made from the template.
    cost: usize,
    pub(super) tileset: Option<TilesetReference>,
    /// The reason that the template's file cannot be read. The template then states nothing.
    fault: Option<LoadError>,
}

impl Template {
    fn of_nothing(fault: Option<LoadError>) -> Self {
        Self { object: plain_object(), cost: 0, tileset: None, fault }
    }
}

pub(super) struct TilesetReference {
    pub(super) written: String,
    pub(super) path: PathBuf,
    /// The gid (global tile id) that the template's file gives to the tileset's tile 0.
    pub(super) first_gid: u32,
}

/// Reads the template at the path `written`, unless it was read before.
fn read_template(reader: &mut Reader<'_, '_>, written: &str) -> Result<Rc<Template>, ReadFailure> {
    let path = joined(reader.path, written);
    if reader.shared.names.is_some() {
        reader.name(written, &path, ReferenceKind::Template);
        return Ok(Rc::new(Template::of_nothing(None)));
    }
    let key = plain(&path);
    if let Some(template) = reader.shared.templates.get(&key) {
        return Ok(Rc::clone(template));
    }
    let template = match new_template(reader, written, &path) {
        Ok(template) => template,
        Err(failure) => Template::of_nothing(Some(reader.passable(failure)?)),
    };
    let template = Rc::new(template);
    reader.shared.templates.insert(key, Rc::clone(&template));
    Ok(template)
}

fn new_template(
    reader: &mut Reader<'_, '_>,
    written: &str,
    path: &Path,
) -> Result<Template, ReadFailure> {
    let bytes = read_reference(reader.shared.read, "template", written, path)?;
    let mut template = None;
    read_file(path, &bytes, Some("template"), reader.shared, &mut |reader, _| {
        template = template_content(reader)?;
        Ok(())
    })?;
    let missing = contradiction("a template without an object");
    Ok(template.ok_or_else(|| missing.in_file(path))?)
}

/// Reads the object and the tileset of a template. Returns `None` for a template without an object.
pub(super) fn template_content(
    reader: &mut Reader<'_, '_>,
) -> Result<Option<Template>, ReadFailure> {
    let mut tileset: Option<TilesetReference> = None;
    let mut object: Option<Object> = None;
    while let Some(child) = reader.child()? {
        match &*child.name {
            "tileset" => {
                let mut from = Values::new("tileset", child.attributes);
                let written = from.text("source").map(Cow::into_owned);
                let within = "a template with a tileset within";
                let written = written.ok_or_else(|| contradiction(within))?;
                let first_gid = from.required("firstgid");
                from.finish(reader)?;
                reader.end("tileset")?;
                let path = joined(reader.path, &written);
                tileset = Some(TilesetReference { written, path, first_gid });
            }
            "object" if child.attributes.iter().any(|(name, _)| name == "template") => {
                let id = Values::new("object", child.attributes).count("id");
                reader.place.object = Some(id.unwrap_or(0));
                return Err(contradiction("a template that is made from a template").into());
            }
            "object" => object = Some(read_object(reader, child, |_, _| Ok(None))?),
            _ => reader.pass(&child, "template")?,
        }
    }
    // A template's tileset is read only if the object shows a tile.
    if let Some(tileset) =
        tileset.as_ref().filter(|_| object.as_ref().is_some_and(|it| it.gid.is_some()))
    {
        reader.name(&tileset.written, &tileset.path, ReferenceKind::Tileset);
    }
    Ok(object.map(|object| {
        let text = if let Shape::Text(text) = &object.shape { text.len() } else { 0 };
        let cost = kept::text(text) + kept::properties(&object.properties);
        Template { object, cost, tileset, fault: None }
    }))
}
