//! The attributes of one element, checked against the schema and made canonical.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::events::BytesStart;

use super::schema::{Element, Kind};
use crate::error::LoadErrorKind;
use crate::geometry::decimal::Decimal;
use crate::limits::{Limits, check};

/// What crate `tiled` is told of an object: all else is geometry, for which it is not asked.
const TOLD_OF_OBJECTS: [&str; 5] = ["name", "type", "class", "opacity", "visible"];

/// The attributes that the schema names, in the order of the file.
pub(super) struct Attributes<'e> {
    element: &'static str,
    values: Vec<(&'static str, Cow<'e, str>)>,
}

impl<'e> Attributes<'e> {
    /// Checks the attributes of `start`, and drops those that `element` does not name.
    pub(super) fn parse(
        start: &'e BytesStart<'_>,
        element: &Element,
        limits: &Limits,
    ) -> Result<Self, LoadErrorKind> {
        // Few elements have more.
        let mut names = Vec::with_capacity(8);
        let mut values = Vec::with_capacity(8);
        // The library's own check for doubles compares every pair before any limit can stop it.
        let mut attributes = start.attributes();
        for attribute in attributes.with_checks(false) {
            let attribute = attribute.map_err(|error| xml(error.to_string()))?;
            let name = attribute.key.into_inner();
            check(
                "attributes of an element",
                names.len() as u64 + 1,
                limits.xml_attributes,
            )?;
            if names.contains(&name) {
                return Err(xml(format!(
                    "the attribute `{name}` stands twice in <{}>",
                    element.name
                )));
            }
            names.push(name);
            if name.contains(':') && !name.starts_with("xml") {
                return Err(xml(format!(
                    "`{name}` has a prefix, which map files do not"
                )));
            }
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|error| xml(error.to_string()))?;
            if value.contains('<') && attribute.value.contains('<') {
                return Err(xml(format!("`<` in the value of `{name}`")));
            }
            let known = element.attributes.iter().find(|(known, _)| *known == name);
            if let Some((name, kind)) = known
                && let Some(value) = kind.canonical(element.name, name, value, limits)?
            {
                values.push((*name, value));
            }
        }
        Ok(Self {
            element: element.name,
            values,
        })
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.values
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| &**value)
    }

    /// A `Count`, which `parse` has checked.
    pub(super) fn count(&self, name: &str) -> Option<u32> {
        self.text(name)?.parse().ok()
    }

    /// A `Count` that must be there.
    pub(super) fn required(&self, name: &'static str) -> Result<u32, LoadErrorKind> {
        self.count(name).ok_or(LoadErrorKind::Missing {
            element: self.element,
            attribute: name,
        })
    }

    /// An `Int` that must be there.
    pub(super) fn required_int(&self, name: &'static str) -> Result<i32, LoadErrorKind> {
        let number = self.text(name).and_then(|text| text.parse().ok());
        number.ok_or(LoadErrorKind::Missing {
            element: self.element,
            attribute: name,
        })
    }

    /// All of them, in the order of the file.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.values.iter().map(|(name, value)| (*name, &**value))
    }

    /// A `Decimal` or `Size`, which `parse` has checked; 0 if it is not there.
    pub(super) fn decimal(&self, name: &str) -> Decimal {
        self.text(name)
            .and_then(|text| Decimal::parse(text, u32::MAX))
            .unwrap_or(Decimal::ZERO)
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.text(name) == Some("1")
    }

    /// Replaces a value, or adds it.
    pub(super) fn set(&mut self, name: &'static str, value: impl Into<Cow<'e, str>>) {
        self.remove(name);
        self.values.push((name, value.into()));
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.values.retain(|(known, _)| *known != name);
    }

    /// Writes the start tag.
    pub(super) fn write(&self, out: &mut String) {
        out.push('<');
        out.push_str(self.element);
        let is_object = self.element == "object";
        for (name, value) in &self.values {
            if is_object && !TOLD_OF_OBJECTS.contains(name) {
                continue;
            }
            out.push(' ');
            out.push_str(name);
            out.push_str("=\"");
            write_escaped(value, out);
            out.push('"');
        }
        out.push('>');
    }
}

fn write_escaped(value: &str, out: &mut String) {
    let mut rest = value;
    while let Some(at) = rest.find(['<', '&', '"', '\n']) {
        let (plain, special) = rest.split_at(at);
        out.push_str(plain);
        out.push_str(match special.as_bytes()[0] {
            b'<' => "&lt;",
            b'&' => "&amp;",
            b'"' => "&quot;",
            _ => "&#10;",
        });
        rest = &special[1..];
    }
    out.push_str(rest);
}

impl Kind {
    /// The value as it is handed on; `None` if it counts as not set.
    fn canonical<'v>(
        self,
        element: &'static str,
        attribute: &str,
        value: Cow<'v, str>,
        limits: &Limits,
    ) -> Result<Option<Cow<'v, str>>, LoadErrorKind> {
        let wrong = |value: &str, expected| LoadErrorKind::Value {
            element,
            attribute: attribute.to_owned(),
            value: value.to_owned(),
            expected,
        };
        match self {
            Self::Text => {
                check("bytes in a text", value.len() as u64, limits.text_bytes)?;
                Ok(Some(value))
            }
            Self::Name => {
                check("bytes in a name", value.len() as u64, limits.name_bytes)?;
                Ok(Some(value))
            }
            Self::Count if value.parse::<u32>().is_ok() => Ok(Some(value)),
            Self::Count => Err(wrong(&value, "a whole number from 0 to 4294967295")),
            Self::Int if value.parse::<i32>().is_ok() => Ok(Some(value)),
            Self::Int => Err(wrong(
                &value,
                "a whole number from -2147483648 to 2147483647",
            )),
            Self::Decimal | Self::Size => match Decimal::parse(&value, u32::MAX) {
                None => Err(wrong(&value, "a decimal number, or it is far too large")),
                Some(number) if matches!(self, Self::Size) && number < Decimal::ZERO => {
                    Err(wrong(&value, "a size of at least 0"))
                }
                Some(number) => within(number, limits).map(|()| Some(value)),
            },
            Self::Flag => match &*value {
                "0" | "false" => Ok(Some("0".into())),
                "1" | "true" => Ok(Some("1".into())),
                other => Err(wrong(other, "0 or 1")),
            },
            Self::Color => Ok((value.starts_with('#') && is_color(&value)).then_some(value)),
            Self::BareColor => Ok(is_color(&value).then_some(value)),
            Self::Word(words) => Ok(words.contains(&&*value).then_some(value)),
            Self::Points => match points(&value) {
                Some((points, farthest)) => within(farthest, limits).map(|()| Some(points.into())),
                None => Err(wrong(&value, "a list of x,y pairs of decimal numbers")),
            },
        }
    }
}

/// True for `#rrggbb` and `#aarrggbb`, with or without the `#`.
pub(super) fn is_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or(text);
    matches!(digits.len(), 6 | 8) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// An error if a coordinate is over the limit.
fn within(number: Decimal, limits: &Limits) -> Result<(), LoadErrorKind> {
    let pixels = number
        .millionths()
        .unsigned_abs()
        .div_ceil(Decimal::PER_PIXEL as u64);
    check("pixels from the map's corner", pixels, limits.coordinate)
}

/// The points with one space between them, and the number in them that is farthest from 0; or `None` if one
/// is wrong or there is none.
fn points(text: &str) -> Option<(String, Decimal)> {
    let mut farthest = Decimal::ZERO;
    let mut number = |text| {
        let number = Decimal::parse(text, u32::MAX)?;
        farthest = farthest.max(number).max(-number);
        Some(text)
    };
    let mut out = String::with_capacity(text.len());
    for pair in text.split_ascii_whitespace() {
        let (x, y) = pair.split_once(',')?;
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(number(x)?);
        out.push(',');
        out.push_str(number(y)?);
    }
    (!out.is_empty()).then_some((out, farthest))
}

pub(super) fn xml(reason: impl Into<String>) -> LoadErrorKind {
    LoadErrorKind::Xml {
        reason: reason.into(),
    }
}
