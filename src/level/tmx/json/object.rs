//! Objects: attributes, shapes and texts.

use super::property;
use super::writer::{Writer, whole};
use crate::error::LoadErrorKind;
use crate::json::{Node, Object, json};

/// The attributes that have the same name in both forms; in an object that follows a template, `SET` count
/// as not set if they are empty, and `SIZE` if one of them is not above 0.
const ALWAYS: [&str; 9] = [
    "id", "template", "class", "gid", "x", "y", "rotation", "visible", "opacity",
];
const SET: [&str; 2] = ["name", "type"];
const SIZE: [&str; 2] = ["width", "height"];

const TEXT: [&str; 11] = [
    "fontfamily",
    "pixelsize",
    "wrap",
    "color",
    "bold",
    "italic",
    "underline",
    "strikeout",
    "kerning",
    "halign",
    "valign",
];

/// Writes the objects of a layer or a tile.
pub(super) fn write_all(out: &mut Writer, group: Object<'_, '_>) -> Result<(), LoadErrorKind> {
    for object in group.list("objects")? {
        write(out, object.object("an object")?)?;
    }
    Ok(())
}

/// Writes an object.
pub(super) fn write(out: &mut Writer, object: Object<'_, '_>) -> Result<(), LoadErrorKind> {
    out.start("object");
    out.attributes(object, &ALWAYS)?;
    let is_instance = object.get("template").is_some();
    for name in SET {
        if !is_instance || object.text(name)?.is_some_and(|text| !text.is_empty()) {
            out.attributes(object, &[name])?;
        }
    }
    if !is_instance || has_size(object)? {
        out.attributes(object, &SIZE)?;
    }
    out.content();
    property::write(out, object)?;
    for shape in ["ellipse", "point", "capsule"] {
        if object.text(shape)?.is_some_and(|flag| flag == "true") {
            out.start(shape);
            out.content();
            out.end(shape)?;
        }
    }
    for shape in ["polygon", "polyline"] {
        if object.get(shape).is_some() {
            out.start(shape);
            out.attribute("points", &points(object.list(shape)?)?)?;
            out.content();
            out.end(shape)?;
        }
    }
    if let Some(text) = object.child("text", "a text")? {
        out.start("text");
        out.attributes(text, &TEXT)?;
        out.content();
        out.text(&text.text("text")?.unwrap_or_default())?;
        out.end("text")?;
    }
    out.end("object")
}

/// True if both sides are above 0.
fn has_size(object: Object<'_, '_>) -> Result<bool, LoadErrorKind> {
    for name in SIZE {
        let side = object.text(name)?.unwrap_or_default();
        if side.starts_with('-') || !side.bytes().any(|byte| matches!(byte, b'1'..=b'9')) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Points as XML has them: `x,y` and a space before the next.
fn points(list: &[Node<'_>]) -> Result<String, LoadErrorKind> {
    let mut points = String::new();
    for point in list {
        let point = point.object("a point")?;
        if !points.is_empty() {
            points.push(' ');
        }
        for (name, after) in [("x", ","), ("y", "")] {
            let number = whole(point.text(name)?.unwrap_or("0".into()));
            if number.contains([' ', ',', '\n', '\t', '\r']) {
                return Err(json(format!("`{name}` of a point is not a number")));
            }
            points.push_str(&number);
            points.push_str(after);
        }
    }
    Ok(points)
}
