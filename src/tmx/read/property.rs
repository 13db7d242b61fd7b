//! Custom properties.

use std::borrow::Cow;

use super::value::{color, required, values, wrong};
use super::{ENTRY, Failure, Once, Reader};
use crate::error::LoadErrorKind;
use crate::property::{PropertyValue, PropertyValues};
use crate::tmx::cursor::{Element, xml};
use crate::tmx::{Properties, Property};

/// The attributes of a property, or of an item of a list.
#[derive(Default)]
struct Draft<'t> {
    name: Option<String>,
    kind: Cow<'t, str>,
    type_name: String,
    value: Option<Cow<'t, str>>,
}

/// Reads the content of `<properties>`.
pub(super) fn properties(reader: &mut Reader<'_, '_>) -> Result<Properties, Failure> {
    let mut all = Properties::new();
    while let Some(child) = reader.child()? {
        if child.name != "property" {
            reader.pass(&child, "properties")?;
            continue;
        }
        let line = child.line;
        let mut draft = draft("property", child)?;
        let name = required("property", "name", draft.name.take())?;
        if all.contains_key(&name) {
            return Err(xml(format!("the property `{name}` is set twice")).into());
        }
        let type_name = draft.type_name.clone();
        let value = value(reader, draft)?;
        let property = Property { value, type_name, line };
        reader.shared.keep(cost_of_property(&name, &property))?;
        all.insert(name, property);
    }
    Ok(all)
}

fn draft<'t>(element: &'static str, child: Element<'t>) -> Result<Draft<'t>, LoadErrorKind> {
    let mut draft = Draft::default();
    for value in values(element, child.attributes) {
        match &*value.name {
            "name" => draft.name = Some(value.name()?),
            "type" => draft.kind = value.short()?,
            "propertytype" => draft.type_name = value.name()?,
            "value" => draft.value = Some(value.text()?),
            _ => {}
        }
    }
    Ok(draft)
}

/// Reads the content of a property or an item, and closes it.
fn value(reader: &mut Reader<'_, '_>, draft: Draft<'_>) -> Result<PropertyValue, Failure> {
    match &*draft.kind {
        "class" => {
            let members = members(reader)?;
            return Ok(PropertyValue::Class { members, class: draft.type_name });
        }
        "list" => return items(reader).map(PropertyValue::List),
        _ => {}
    }
    let text = reader.text("property")?;
    Ok(typed(&draft.kind, draft.value.unwrap_or(text))?)
}

/// The members of a class.
fn members(reader: &mut Reader<'_, '_>) -> Result<PropertyValues, Failure> {
    let mut members = Properties::new();
    let mut once = Once::new(["properties"]);
    while let Some(child) = reader.child()? {
        once.check(&child)?;
        match &*child.name {
            "properties" => members = properties(reader)?,
            _ => reader.pass(&child, "property")?,
        }
    }
    Ok(members.into_iter().map(|(name, property)| (name, property.value)).collect())
}

/// The items of a list.
fn items(reader: &mut Reader<'_, '_>) -> Result<Vec<PropertyValue>, Failure> {
    let mut items = Vec::new();
    while let Some(child) = reader.child()? {
        if child.name == "item" {
            let draft = draft("item", child)?;
            items.push(value(reader, draft)?);
        } else {
            reader.pass(&child, "property")?;
        }
    }
    Ok(items)
}

/// A value of a type. One that does not fit its type is a text, but for a bool, which may decide a wall.
fn typed(kind: &str, value: Cow<'_, str>) -> Result<PropertyValue, LoadErrorKind> {
    let fitting = match kind {
        "bool" => match &*value {
            "true" | "1" => Some(PropertyValue::Bool(true)),
            "false" | "0" | "" => Some(PropertyValue::Bool(false)),
            _ => return Err(wrong("property", "value", &value, "true or false")),
        },
        "int" => value.parse().ok().map(PropertyValue::Int),
        "float" => {
            let number = value.parse().ok();
            number.filter(|number: &f32| number.is_finite()).map(PropertyValue::Float)
        }
        "object" => value.parse().ok().map(PropertyValue::Object),
        "color" => color(&value).map(|[red, green, blue, alpha]| {
            PropertyValue::Color(format!("#{alpha:02x}{red:02x}{green:02x}{blue:02x}"))
        }),
        _ => None,
    };
    Ok(fitting.unwrap_or_else(|| PropertyValue::Text(value.into_owned())))
}

/// The bytes that properties take.
pub(super) fn cost(properties: &Properties) -> usize {
    let costs = properties.iter().map(|(name, property)| cost_of_property(name, property));
    costs.sum()
}

fn cost_of_property(name: &str, property: &Property) -> usize {
    name.len() + property.type_name.len() + cost_of_value(&property.value)
}

fn cost_of_value(value: &PropertyValue) -> usize {
    let within = match value {
        PropertyValue::Text(text) | PropertyValue::Color(text) => text.len(),
        PropertyValue::List(items) => items.iter().map(cost_of_value).sum(),
        PropertyValue::Class { class, members } => {
            let members = members.iter().map(|(name, value)| name.len() + cost_of_value(value));
            class.len() + members.sum::<usize>()
        }
        _ => 0,
    };
    ENTRY + within
}
