//! An object as its element has it, before a template gives what it leaves out.

use super::property::{cost, properties, with_line_feeds};
use super::value::{required, values};
use super::{Failure, FileReader, Seen, xml};
use crate::error::LoadErrorKind;
use crate::limits::check;
use crate::tmx::cursor::Element;
use crate::tmx::{Decimal, Object, Point, Properties, Shape};

/// An object as far as its element says it: what it leaves out, its template may give.
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
    reader: &mut FileReader<'_, '_, '_, '_>,
    element: Element<'_>,
) -> Result<Draft, Failure> {
    let mut draft = Draft { line: element.line, ..Draft::default() };
    let mut class = None;
    for value in values("object", element.attributes, reader.shared.options.limits) {
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
    reader.shared.objects += 1;
    check("objects", reader.shared.objects, reader.limits().objects)?;
    Ok(draft)
}

/// Reads what is in an object.
pub(super) fn content(
    reader: &mut FileReader<'_, '_, '_, '_>,
    draft: &mut Draft,
) -> Result<(), Failure> {
    let mut seen = Seen::default();
    while let Some(child) = reader.child()? {
        let kind = match &*child.name {
            "properties" => {
                seen.once("properties")?;
                draft.properties = properties(reader)?;
                continue;
            }
            "ellipse" => Shape::Ellipse,
            "point" => Shape::Point,
            "capsule" => Shape::Capsule,
            "polygon" => Shape::Polygon(Vec::new()),
            "polyline" => Shape::Polyline(Vec::new()),
            "text" => Shape::Text(String::new()),
            _ => {
                reader.pass(&child, "object")?;
                continue;
            }
        };
        if draft.shape.is_some() {
            return Err(xml("an object of two shapes").into());
        }
        draft.shape = Some(shape(reader, kind, child)?);
    }
    Ok(())
}

/// Reads a shape of the kind of `shape`.
fn shape(
    reader: &mut FileReader<'_, '_, '_, '_>,
    shape: Shape,
    element: Element<'_>,
) -> Result<Shape, Failure> {
    Ok(match shape {
        Shape::Polygon(_) => Shape::Polygon(points(reader, "polygon", element)?),
        Shape::Polyline(_) => Shape::Polyline(points(reader, "polyline", element)?),
        Shape::Text(_) => {
            let text = closed_text(reader, "text")?;
            reader.shared.keep(text.len())?;
            Shape::Text(text)
        }
        plain => {
            reader.end("object")?;
            plain
        }
    })
}

fn points(
    reader: &mut FileReader<'_, '_, '_, '_>,
    name: &'static str,
    element: Element<'_>,
) -> Result<Vec<Point>, Failure> {
    let mut points = None;
    for value in values(name, element.attributes, reader.shared.options.limits) {
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
pub(super) fn count_points(
    reader: &mut FileReader<'_, '_, '_, '_>,
    count: usize,
) -> Result<(), LoadErrorKind> {
    reader.shared.points += count as u64;
    let (found, limit) = (reader.shared.points, reader.limits().all_points);
    check("points of all polygons and polylines", found, limit)
}

/// Closes the element of a text, and reads it.
fn closed_text(
    reader: &mut FileReader<'_, '_, '_, '_>,
    element: &'static str,
) -> Result<String, Failure> {
    reader.end(element)?;
    let text = reader.cursor.text();
    let (found, limit) = (text.len() as u64, reader.limits().text_bytes);
    check("bytes in a text", found, limit)?;
    Ok(with_line_feeds(text).into_owned())
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

    /// The object, with what Tiled takes for granted where nothing is said.
    pub(super) fn finish(self) -> Object {
        let gid = self.gid.filter(|gid| *gid != 0);
        let shape = self.shape.filter(|_| gid.is_none());
        Object {
            id: self.id,
            name: self.name.unwrap_or_default(),
            class: self.class.unwrap_or_default(),
            position: self.position,
            size: Point {
                x: self.width.unwrap_or(Decimal::ZERO),
                y: self.height.unwrap_or(Decimal::ZERO),
            },
            rotation: self.rotation.unwrap_or(Decimal::ZERO),
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
