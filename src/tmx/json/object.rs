//! Objects: attributes, shapes and texts.

use super::opened::{Opened, Opening, checked, whole};
use super::{Object, property};
use crate::error::LoadErrorKind;
use crate::tmx::tree::json;

/// The attributes that have the same name in both forms. In an object that follows a template, `SET` count as
/// not set if they are empty, and `SIZE` if one of them is not above 0.
const ALWAYS: &str = "id template class gid x y rotation visible opacity";
const SET: [&str; 2] = ["name", "type"];
const SIZE: &str = "width height";

const TEXT: &str =
    "fontfamily pixelsize wrap color bold italic underline strikeout kerning halign valign";

pub(super) fn open(object: Object<'_>) -> Opening<'_> {
    let mut opened = Opened::with("object", object, ALWAYS)?;
    let is_instance = object.get("template").is_some();
    for name in SET {
        if !is_instance || object.text(name)?.is_some_and(|text| !text.is_empty()) {
            opened.copy(object, name)?;
        }
    }
    if !is_instance || has_size(object)? {
        opened.copy(object, SIZE)?;
    }
    property::add(&mut opened, object);
    for shape in ["ellipse", "point", "capsule"] {
        if object.text(shape)?.is_some_and(|flag| flag == "true") {
            opened.leaf(object, shape, "");
        }
    }
    for shape in ["polygon", "polyline"] {
        if object.get(shape).is_some() {
            opened.child(object, move || open_points(object, shape));
        }
    }
    if let Some(text) = object.child("text", "a text")? {
        opened.child(text, move || open_text(text));
    }
    Ok(opened)
}

/// True if both sides are above 0.
fn has_size(object: Object<'_>) -> Result<bool, LoadErrorKind> {
    for name in SIZE.split(' ') {
        let side = object.text(name)?.unwrap_or_default();
        if side.starts_with('-') || !side.bytes().any(|byte| matches!(byte, b'1'..=b'9')) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Points as XML has them: `x,y` and a blank before the next.
fn open_points<'t>(object: Object<'t>, shape: &'static str) -> Opening<'t> {
    let mut points = String::new();
    for point in object.list(shape)? {
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
    let mut opened = Opened::new(shape);
    opened.attribute("points", points)?;
    Ok(opened)
}

fn open_text(text: Object<'_>) -> Opening<'_> {
    let mut opened = Opened::with("text", text, TEXT)?;
    opened.text = checked(text.text("text")?.unwrap_or_default())?;
    Ok(opened)
}
