//! Custom properties: made canonical, so that crate `tiled` takes each of them.

use super::attributes::{Attributes, is_color, xml};
use super::reader::{FileReader, Role};
use super::schema::Element;
use crate::error::{LoadError, LoadErrorKind};

impl FileReader<'_, '_, '_, '_> {
    /// A property, with its value as an attribute and of a type that `tiled` takes. A value that does not
    /// fit its type counts as text, but for a bool, which may decide a wall.
    pub(super) fn property(
        &mut self,
        element: &'static Element,
        attributes: &mut Attributes<'_>,
    ) -> Result<(), LoadError> {
        let name = attributes.text("name").map(str::to_owned);
        if let (Some(name), Some(names)) = (&name, self.properties.last_mut())
            && !names.insert(name.clone())
        {
            return Err(self.error(xml(format!("the property `{name}` is set twice"))));
        }
        let start = self.document.canonical.len();
        if matches!(attributes.text("type"), Some("class" | "list")) {
            attributes.remove("value");
            attributes.write(&mut self.document.canonical);
            self.content(Role::Properties, element.children)?;
        } else {
            let text = self.content(Role::Property, &[])?;
            let (found, limit) = (text.len() as u64, self.shared.limits.text_bytes);
            self.check("bytes in a text", found, limit)?;
            if attributes.text("value").is_none() {
                attributes.set("value", text.into_owned());
            }
            let kind = attributes.text("type").unwrap_or("string");
            let (kind, value) = typed(kind, attributes.text("value").unwrap_or_default())
                .map_err(|kind| self.error(kind))?;
            attributes.set("type", kind);
            if let Some(value) = value {
                attributes.set("value", value);
            }
            attributes.write(&mut self.document.canonical);
        }
        self.write_end(element)?;
        if let (Some(name), 1) = (name, self.properties.len()) {
            let range = start..self.document.canonical.len();
            self.object.properties.push((name, range));
        }
        Ok(())
    }
}

/// The type of a property as it is handed on, and the value if it is another one than is written.
fn typed(kind: &str, value: &str) -> Result<(&'static str, Option<&'static str>), LoadErrorKind> {
    Ok(match kind {
        "bool" => match value {
            "true" | "1" => ("bool", Some("true")),
            "false" | "0" | "" => ("bool", Some("false")),
            _ => {
                return Err(LoadErrorKind::Value {
                    element: "property",
                    attribute: "value".to_owned(),
                    value: value.to_owned(),
                    expected: "true or false",
                });
            }
        },
        "int" if value.parse::<i32>().is_ok() => ("int", None),
        "float" if value.parse::<f32>().is_ok_and(f32::is_finite) => ("float", None),
        "object" if value.parse::<u32>().is_ok() => ("object", None),
        "color" if is_color(value) => ("color", None),
        "file" => ("file", None),
        _ => ("string", None),
    })
}
