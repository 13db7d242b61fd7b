//! An object as its element writes it, before its template fills in the rest.

use super::property::{cost, properties};
use super::value::{required, values};
use super::{Failure, Once, Reader, spend};
use crate::error::LoadErrorKind;
use crate::tmx::cursor::{Element, xml};
use crate::tmx::{Decimal, MAX_POINTS, Object, Point, Properties, Shape};

/// An object with the values that its element sets. Its template may set the others.
#[derive(Default)]
pub(super) struct Draft {
    id: u32,
    pub(super) name: Option<String>,
    pub(super) class: Option<String>,
    position: Point,
    pub(super) width: Option<Decimal>,
    pub(super) height: Option<Decimal>,
    pub(super) rotation: Option<Decimal>,
    pub(super) gid: Option<u32>,
    pub(super) opacity: Option<f32>,
    pub(super) visible: Option<bool>,
    pub(super) template: Option<String>,
    pub(super) shape: Option<Shape>,
    pub(super) properties: Properties,
    line: u32,
}

/// The attributes of an object, which is counted.
pub(super) fn attributes(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
) -> Result<Draft, LoadErrorKind> {
    let mut draft = Draft { line: element.line, ..Draft::default() };
    let mut class = None;
    for value in values("object", element.attributes) {
        match &*value.name {
            "id" => draft.id = value.count()?,
            "name" => draft.name = Some(value.name()?),
            "type" => draft.class = Some(value.name()?).filter(|class| !class.is_empty()),
            "class" => class = Some(value.name()?),
            "gid" => draft.gid = Some(value.count()?),
            "x" => draft.position.x = value.decimal()?,
            "y" => draft.position.y = value.decimal()?,
            "width" => draft.width = Some(value.size()?),
            "height" => draft.height = Some(value.size()?),
            "rotation" => draft.rotation = Some(value.decimal()?),
            "opacity" => draft.opacity = Some(value.opacity()?),
            "visible" => draft.visible = Some(value.flag()?),
            "template" => draft.template = Some(value.text()?.into_owned()),
            _ => {}
        }
    }
    draft.class = draft.class.or(class);
    reader.place.object = Some(draft.id);
    let limit = reader.shared.limits.objects;
    spend("objects (the limit `objects`)", &mut reader.shared.objects, 1, limit)?;
    Ok(draft)
}

/// Reads the content of an object.
pub(super) fn content(reader: &mut Reader<'_, '_>, draft: &mut Draft) -> Result<(), Failure> {
    const SHAPES: [&str; 6] = ["ellipse", "point", "capsule", "polygon", "polyline", "text"];
    let mut once = Once::new(["properties"]);
    while let Some(child) = reader.child()? {
        once.check(&child)?;
        match &*child.name {
            "properties" => draft.properties = properties(reader)?,
            name if !SHAPES.contains(&name) => reader.pass(&child, "object")?,
            _ if draft.shape.is_some() => return Err(xml("an object of two shapes").into()),
            _ => draft.shape = Some(shape(reader, child)?),
        }
    }
    Ok(())
}

/// Reads the shape of an object.
fn shape(reader: &mut Reader<'_, '_>, element: Element<'_>) -> Result<Shape, Failure> {
    let plain = match &*element.name {
        "polygon" => return points(reader, "polygon", element).map(Shape::Polygon),
        "polyline" => return points(reader, "polyline", element).map(Shape::Polyline),
        "text" => {
            let text = reader.text("text")?.into_owned();
            reader.shared.keep(text.len())?;
            return Ok(Shape::Text(text));
        }
        "ellipse" => Shape::Ellipse,
        "capsule" => Shape::Capsule,
        _ => Shape::Point,
    };
    reader.end("object")?;
    Ok(plain)
}

fn points(
    reader: &mut Reader<'_, '_>,
    name: &'static str,
    element: Element<'_>,
) -> Result<Vec<Point>, Failure> {
    let mut points = None;
    for value in values(name, element.attributes) {
        if value.name == "points" {
            points = Some(value.points()?);
        }
    }
    let points = required("object", "points", points)?;
    count_points(reader, points.len())?;
    reader.end(name)?;
    Ok(points)
}

/// Counts points among those of the map.
pub(super) fn count_points(reader: &mut Reader<'_, '_>, count: usize) -> Result<(), LoadErrorKind> {
    let what = "points of all polygons and polylines";
    spend(what, &mut reader.shared.points, count as u64, MAX_POINTS)
}

impl Draft {
    /// The bytes of the names and values that an instance may repeat.
    pub(super) fn cost(&self) -> usize {
        let texts = [&self.name, &self.class];
        let texts: usize = texts.into_iter().flatten().map(String::len).sum();
        let shape = match &self.shape {
            Some(Shape::Text(text)) => text.len(),
            _ => 0,
        };
        texts + shape + cost(&self.properties)
    }

    /// The object, with Tiled's defaults for the values that are not set.
    pub(super) fn finish(self) -> Object {
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
