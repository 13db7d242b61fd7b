//! Custom properties: made canonical, so that crate `tiled` takes each of them.

use super::attributes::{Attributes, is_color, xml};
use super::reader::{FileReader, Role};
use super::schema::Element;
use crate::level::error::{LoadError, LoadErrorKind};

impl FileReader<'_, '_, '_, '_> {
    /// A property, with its value as an attribute and of a type that `tiled` takes. A value that does not
    /// fit its type counts as text, but for a bool, which may decide a wall.
    pub(super) fn property(
        &mut self,
        element: &'static Element,
        attributes: &mut Attributes<'_>,
    ) -> Result<(), LoadError> {
        if let (Some(name), Some(names)) = (attributes.text("name"), self.properties.last_mut())
            && !names.insert(name.to_owned())
        {
            let name = name.to_owned();
            return Err(self.error(xml(format!("the property `{name}` is set twice"))));
        }
        let start = self.document.canonical.len();
        let name = attributes.text("name").map(str::to_owned);
        if matches!(attributes.text("type"), Some("class" | "list")) {
            attributes.remove("value");
            attributes.write(&mut self.document.canonical);
            self.content(Role::Properties, element.children)?;
        } else {
            let text = self.content(Role::Property, &[])?;
            let (found, limit) = (text.len() as u64, self.shared.limits.text_bytes);
            self.check("bytes in a text", found, limit)?;
            let value = attributes.text("value").unwrap_or(&text).to_owned();
            let (kind, value) = typed(attributes.text("type").unwrap_or("string"), value)
                .map_err(|kind| self.error(kind))?;
            attributes.set("type", kind);
            attributes.set("value", value);
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

/// The type and value of a property as they are handed on.
fn typed(kind: &str, value: String) -> Result<(&'static str, String), LoadErrorKind> {
    Ok(match kind {
        "bool" => match value.as_str() {
            "true" | "1" => ("bool", "true".to_owned()),
            "false" | "0" | "" => ("bool", "false".to_owned()),
            _ => {
                return Err(LoadErrorKind::Value {
                    element: "property",
                    attribute: "value".to_owned(),
                    value,
                    expected: "true or false",
                });
            }
        },
        "int" if value.parse::<i32>().is_ok() => ("int", value),
        "float" if value.parse::<f32>().is_ok_and(f32::is_finite) => ("float", value),
        "object" if value.parse::<u32>().is_ok() => ("object", value),
        "color" if is_color(&value) => ("color", value),
        "file" => ("file", value),
        _ => ("string", value),
    })
}
