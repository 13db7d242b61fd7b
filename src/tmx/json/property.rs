//! Custom properties: a list of objects, or before Tiled 1.2 an object of values and one of types.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Object;
use super::opened::{Opened, Opening, whole};
use crate::tmx::tree::{Node, json};

/// Adds the properties of `owner`, if it has any.
pub(super) fn add<'t>(opened: &mut Opened<'t>, owner: Object<'t>) {
    if owner.get("properties").is_some() {
        opened.child(owner, move || open(owner));
    }
}

/// The properties of an owner that has some.
fn open(owner: Object<'_>) -> Opening<'_> {
    if let Some(values @ Node::Object(..)) = owner.get("properties") {
        let types = owner.child("propertytypes", "a list of types")?;
        return open_named(values.object("a list of properties")?, types);
    }
    let mut opened = Opened::new("properties");
    opened.list(owner, "properties", "a property", |property| {
        let mut opened = Opened::new("property");
        opened.attribute("name", property.text("name")?.unwrap_or_default())?;
        typed(opened, property)
    })?;
    Ok(opened)
}

/// Properties of the form `name: value`, and their types by name; those of a class have no types.
pub(super) fn open_named<'t>(values: Object<'t>, types: Option<Object<'t>>) -> Opening<'t> {
    let mut opened = Opened::new("properties");
    let types: HashMap<_, _> = types.into_iter().flat_map(Object::entries).collect();
    for (name, value) in values.entries() {
        let kind = types.get(name).copied();
        let kind = kind.filter(|kind| !matches!(kind, Node::Scalar("null")));
        opened.child(values, move || {
            let mut opened = Opened::new("property");
            opened.attribute("name", name)?;
            let single = |kind: &Node<'t>| {
                kind.text()?.ok_or_else(|| json("a type that is not a single value"))
            };
            let kind = kind.map(single).transpose()?;
            finish(opened, values, kind, Some(value))
        });
    }
    Ok(opened)
}

/// Adds the type of a property or an item, and its value.
fn typed<'t>(mut opened: Opened<'t>, property: Object<'t>) -> Opening<'t> {
    opened.copy(property, "propertytype")?;
    finish(opened, property, property.text("type")?, property.get("value"))
}

/// Adds the type and the value, which is in `holder`. Without a type, that of the value counts.
fn finish<'t>(
    mut opened: Opened<'t>,
    holder: Object<'t>,
    kind: Option<Cow<'t, str>>,
    value: Option<&'t Node<'t>>,
) -> Opening<'t> {
    let kind = kind.unwrap_or_else(|| value.map_or("string", natural).into());
    opened.attribute("type", kind.clone())?;
    match (&*kind, value) {
        ("class", Some(members @ Node::Object(..))) => {
            let members = members.object("a class")?;
            opened.child(members, move || open_named(members, None));
        }
        ("list", Some(Node::List(items))) => {
            for value in items {
                item(&mut opened, holder, value);
            }
        }
        ("list", Some(Node::Numbers(numbers))) => {
            let numbers = numbers.split(',').map(str::trim_ascii);
            for number in numbers.filter(|number| !number.is_empty()) {
                opened.child(holder, move || {
                    let mut opened = Opened::new("item");
                    opened.attribute("type", natural(&Node::Scalar(number)))?;
                    opened.attribute("value", whole(number.into()))?;
                    Ok(opened)
                });
            }
        }
        (_, None | Some(Node::Scalar("null"))) => opened.attribute("value", "")?,
        (_, Some(value)) => match value.text()? {
            Some(text) if value.is_string() => opened.attribute("value", text)?,
            Some(text) => opened.attribute("value", whole(text))?,
            None => return Err(json(format!("the value of a property is no `{kind}`"))),
        },
    }
    Ok(opened)
}

/// Adds a value of a list in `holder`: an object with a type and a value, or the value alone.
fn item<'t>(list: &mut Opened<'t>, holder: Object<'t>, value: &'t Node<'t>) {
    match value.object("an item") {
        Ok(object) if object.get("type").is_some() && object.has("value") => {
            list.child(object, move || typed(Opened::new("item"), object));
        }
        _ => list.child(holder, move || finish(Opened::new("item"), holder, None, Some(value))),
    }
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
