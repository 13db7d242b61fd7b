//! Custom properties: a list of objects, or before Tiled 1.2 an object of values and one of types.

use std::borrow::Cow;

use super::writer::{Writer, whole};
use crate::error::LoadErrorKind;
use crate::json::{Node, Object, json};

/// Writes the properties of `owner`, if it has any.
pub(super) fn write(out: &mut Writer, owner: Object<'_, '_>) -> Result<(), LoadErrorKind> {
    match owner.get("properties") {
        None => Ok(()),
        Some(Node::Object(..)) => {
            let values = owner.child("properties", "a list of properties")?;
            let types = owner.child("propertytypes", "a list of types")?;
            values.map_or(Ok(()), |values| write_old(out, values, types))
        }
        Some(_) => {
            out.start("properties");
            out.content();
            for property in owner.list("properties")? {
                typed(out, "property", property.object("a property")?)?;
            }
            out.end("properties")
        }
    }
}

/// Writes properties of the form `name: value`, without types those of a class.
pub(super) fn write_old(
    out: &mut Writer,
    values: Object<'_, '_>,
    types: Option<Object<'_, '_>>,
) -> Result<(), LoadErrorKind> {
    out.start("properties");
    out.content();
    for (name, value) in values.entries() {
        let kind = types.map_or(Ok(None), |types| types.text(name))?;
        out.start("property");
        out.attribute("name", name)?;
        finish(out, "property", kind, Some(value))?;
    }
    out.end("properties")
}

/// Writes a property or an item that comes with its type.
fn typed(
    out: &mut Writer,
    element: &'static str,
    property: Object<'_, '_>,
) -> Result<(), LoadErrorKind> {
    out.start(element);
    if element == "property" {
        let name = property.text("name")?.unwrap_or_default();
        out.attribute("name", &name)?;
    }
    out.attributes(property, &["propertytype"])?;
    finish(out, element, property.text("type")?, property.get("value"))
}

/// Writes the type and the value, and ends the element. Without a type, the value tells.
fn finish(
    out: &mut Writer,
    element: &'static str,
    kind: Option<Cow<'_, str>>,
    value: Option<&Node<'_>>,
) -> Result<(), LoadErrorKind> {
    let kind = kind.unwrap_or_else(|| value.map_or("string", natural).into());
    out.attribute("type", &kind)?;
    match (&*kind, value) {
        ("class", Some(members @ Node::Object(..))) => {
            out.content();
            write_old(out, members.object("a class")?, None)?;
        }
        ("list", Some(Node::List(items))) => {
            out.content();
            items.iter().try_for_each(|value| item(out, value))?;
        }
        ("list", Some(Node::Numbers(numbers))) => {
            out.content();
            for number in numbers.split(',').map(str::trim_ascii) {
                item(out, &Node::Scalar(number))?;
            }
        }
        (_, None | Some(Node::Scalar("null"))) => {
            out.attribute("value", "")?;
            out.content();
        }
        (_, Some(value)) => match value.text()? {
            Some(text) => {
                let text = if value.is_string() { text } else { whole(text) };
                out.attribute("value", &text)?;
                out.content();
            }
            None => return Err(json(format!("the value of a property is no `{kind}`"))),
        },
    }
    out.end(element)
}

/// Writes a value of a list: an object with a type and a value, or the value alone.
fn item(out: &mut Writer, value: &Node<'_>) -> Result<(), LoadErrorKind> {
    if let Ok(object) = value.object("an item")
        && object.get("type").is_some()
        && object.entries().any(|(name, _)| name == "value")
    {
        return typed(out, "item", object);
    }
    if matches!(value, Node::Scalar("")) {
        return Ok(());
    }
    out.start("item");
    finish(out, "item", None, Some(value))
}

/// The type that a value has in Tiled if nothing else is said.
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
