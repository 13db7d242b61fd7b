//! Custom properties: a list of objects, or before Tiled 1.2 an object of values and one of types.

use std::borrow::Cow;

use super::opened::{Opened, whole};
use super::{Object, Part};
use crate::error::LoadErrorKind;
use crate::json::{Node, json};

/// A property or an item that is a value alone.
pub(super) struct Value<'t> {
    /// The object that it is in.
    pub(super) holder: Object<'t>,
    /// The name of a property; `None` for an item.
    name: Option<&'t str>,
    kind: Option<Cow<'t, str>>,
    given: Given<'t>,
}

/// A value in the tree, or one of the numbers of a list by the name of `data`.
#[derive(Clone, Copy)]
enum Given<'t> {
    Node(&'t Node<'t>),
    Number(&'t str),
}

/// The properties of an owner that has some.
pub(super) fn open(owner: Object<'_>) -> Result<Opened<'_>, LoadErrorKind> {
    if let Some(Node::Object(..)) = owner.get("properties")
        && let Some(values) = owner.child("properties", "a list of properties")?
    {
        let types = owner.child("propertytypes", "a list of types")?;
        return open_named(values, types);
    }
    let mut opened = Opened::new("properties");
    opened.list(owner, "properties", "a property", |property| {
        Part::Typed(property, "property")
    })?;
    Ok(opened)
}

/// Properties of the form `name: value`, without types those of a class.
pub(super) fn open_named<'t>(
    values: Object<'t>,
    types: Option<Object<'t>>,
) -> Result<Opened<'t>, LoadErrorKind> {
    let mut opened = Opened::new("properties");
    for (name, value) in values.entries() {
        opened.children.push(Part::Value(Value {
            holder: values,
            name: Some(name),
            kind: types.map_or(Ok(None), |types| types.text(name))?,
            given: Given::Node(value),
        }));
    }
    Ok(opened)
}

/// A property or an item that comes with its type.
pub(super) fn open_typed<'t>(
    property: Object<'t>,
    element: &'static str,
) -> Result<Opened<'t>, LoadErrorKind> {
    let mut opened = Opened::new(element);
    if element == "property" {
        opened.attribute("name", property.text("name")?.unwrap_or_default())?;
    }
    opened.copy(property, "propertytype")?;
    let given = property.get("value").map(Given::Node);
    finish(opened, property, property.text("type")?, given)
}

impl<'t> Value<'t> {
    pub(super) fn open(self) -> Result<Opened<'t>, LoadErrorKind> {
        let mut opened = Opened::new(self.name.map_or("item", |_| "property"));
        if let Some(name) = self.name {
            opened.attribute("name", name)?;
        }
        finish(opened, self.holder, self.kind, Some(self.given))
    }
}

/// Adds the type and the value, which is in `holder`. Without a type, the value tells.
fn finish<'t>(
    mut opened: Opened<'t>,
    holder: Object<'t>,
    kind: Option<Cow<'t, str>>,
    given: Option<Given<'t>>,
) -> Result<Opened<'t>, LoadErrorKind> {
    let kind = kind.unwrap_or_else(|| given.map_or("string", natural).into());
    opened.attribute("type", kind.clone())?;
    let item = |given| {
        Part::Value(Value {
            holder,
            name: None,
            kind: None,
            given,
        })
    };
    let node = match given {
        Some(Given::Node(node)) => node,
        Some(Given::Number(number)) => {
            opened.attribute("value", whole(number.into()))?;
            return Ok(opened);
        }
        None => &Node::Scalar("null"),
    };
    match (&*kind, node) {
        ("class", Node::Object(..)) => {
            let members = node.object("a class")?;
            opened.children.push(Part::Named(members, None));
        }
        ("list", Node::List(items)) => {
            opened.children.extend(items.iter().map(|node| {
                typed_item(node).map_or(item(Given::Node(node)), |object| {
                    Part::Typed(object, "item")
                })
            }));
        }
        ("list", Node::Numbers(numbers)) => {
            let numbers = numbers.split(',').map(str::trim_ascii);
            let numbers = numbers.filter(|number| !number.is_empty());
            opened
                .children
                .extend(numbers.map(|number| item(Given::Number(number))));
        }
        (_, Node::Scalar("null")) => opened.attribute("value", "")?,
        _ => match node.text()? {
            Some(text) if node.is_string() => opened.attribute("value", text)?,
            Some(text) => opened.attribute("value", whole(text))?,
            None => return Err(json(format!("the value of a property is no `{kind}`"))),
        },
    }
    Ok(opened)
}

/// A value of a list that is an object with a type and a value.
fn typed_item<'t>(node: &'t Node<'t>) -> Option<Object<'t>> {
    let object = node.object("an item").ok()?;
    let has_value = object.entries().any(|(name, _)| name == "value");
    (has_value && object.get("type").is_some()).then_some(object)
}

/// The type that a value has in Tiled if nothing else is said.
fn natural(given: Given<'_>) -> &'static str {
    let number = match given {
        Given::Number(number) => number,
        Given::Node(node) => match node {
            Node::Object(..) => return "class",
            Node::List(_) | Node::Numbers(_) => return "list",
            Node::Scalar("true" | "false") => return "bool",
            Node::Scalar("null") => return "string",
            Node::Scalar(_) if node.is_string() => return "string",
            Node::Scalar(number) => number,
        },
    };
    if number.contains(['.', 'e', 'E']) {
        "float"
    } else {
        "int"
    }
}
