//! The values of attributes, each checked against its kind and parsed once, and custom properties.

use std::borrow::Cow;

use super::super::{Color, Decimal, Point, Properties, Property};
use super::cursor::{Element, MAX_NAME_BYTES, xml};
use super::{ENTRY, Once, ReadFailure, Reader};
use crate::error::LoadErrorKind;
use crate::limits::check;
use crate::property::{PropertyValue, PropertyValues};

/// The distance of an object from the map's corner, and the size of a layer's offset, in pixels.
const MAX_COORDINATE: u64 = 1 << 22;

/// Points of a polygon or polyline.
const MAX_POINTS_OF_LINE: u64 = 4_096;

/// The length of one text in bytes: a property's value, a picture's path.
pub(super) const MAX_TEXT_BYTES: u64 = 1 << 20;

/// An attribute.
pub(super) struct AttributeValue<'t> {
    /// The element that it is of.
    element: &'static str,
    /// Its name.
    pub(super) name: Cow<'t, str>,
    text: Cow<'t, str>,
}

/// The attributes of an element, in the order of the file.
pub(super) fn values<'t>(
    element: &'static str,
    attributes: Vec<(Cow<'t, str>, Cow<'t, str>)>,
) -> impl Iterator<Item = AttributeValue<'t>> {
    let value = move |(name, text)| AttributeValue { element, name, text };
    attributes.into_iter().map(value)
}

impl<'t> AttributeValue<'t> {
    /// Text of at most [`MAX_TEXT_BYTES`].
    pub(super) fn text(self) -> Result<Cow<'t, str>, LoadErrorKind> {
        let bytes = self.text.len() as u64;
        check("bytes in a text", bytes, MAX_TEXT_BYTES)?;
        Ok(self.text)
    }

    /// Text of at most [`MAX_NAME_BYTES`].
    pub(super) fn name(self) -> Result<String, LoadErrorKind> {
        self.short().map(Cow::into_owned)
    }

    /// As [`Self::name`], for a text that is not kept.
    pub(super) fn short(self) -> Result<Cow<'t, str>, LoadErrorKind> {
        let bytes = self.text.len() as u64;
        check("bytes in a name", bytes, MAX_NAME_BYTES)?;
        Ok(self.text)
    }

    /// A whole number from 0 to 2^32 - 1.
    pub(super) fn count(&self) -> Result<u32, LoadErrorKind> {
        let number = self.text.parse();
        number.map_err(|_| self.wrong("a whole number from 0 to 4294967295"))
    }

    /// A whole number from -2^31 to 2^31 - 1.
    pub(super) fn int(&self) -> Result<i32, LoadErrorKind> {
        let number = self.text.parse();
        number.map_err(|_| self.wrong("a whole number from -2147483648 to 2147483647"))
    }

    /// A decimal number within [`MAX_COORDINATE`].
    pub(super) fn decimal(&self) -> Result<Decimal, LoadErrorKind> {
        let number = self.number()?;
        within(number)?;
        Ok(number)
    }

    /// As [`Self::decimal`], not below 0.
    pub(super) fn size(&self) -> Result<Decimal, LoadErrorKind> {
        let number = self.number()?;
        if number < Decimal::ZERO {
            return Err(self.wrong("a size of at least 0"));
        }
        within(number)?;
        Ok(number)
    }

    fn number(&self) -> Result<Decimal, LoadErrorKind> {
        Decimal::parse(&self.text, u32::MAX)
            .ok_or_else(|| self.wrong("a decimal number, or it is far too large"))
    }

    /// A decimal number from 0 to 1; one beyond them counts as the nearer of the two.
    pub(super) fn opacity(&self) -> Result<f32, LoadErrorKind> {
        self.decimal()?;
        let number: f32 = self.text.parse().unwrap_or(1.0);
        Ok(number.clamp(0.0, 1.0))
    }

    /// `0`, `1`, `false` or `true`.
    pub(super) fn flag(&self) -> Result<bool, LoadErrorKind> {
        match &*self.text {
            "0" | "false" => Ok(false),
            "1" | "true" => Ok(true),
            _ => Err(self.wrong("0 or 1")),
        }
    }

    /// `#rrggbb` or `#aarrggbb`; anything else counts as not set, for it only changes the drawing.
    pub(super) fn color(&self) -> Option<Color> {
        self.text.starts_with('#').then(|| color(&self.text))?
    }

    /// As [`Self::color`], with or without the `#`.
    pub(super) fn bare_color(&self) -> Option<Color> {
        color(&self.text)
    }

    /// The value beside this word; for any other the default, for it only changes the drawing.
    pub(super) fn word<T: Copy + Default>(&self, words: &[(&str, T)]) -> T {
        let known = words.iter().find(|(word, _)| *word == self.text);
        known.map_or_else(T::default, |(_, value)| *value)
    }

    /// `x,y` pairs of decimals, separated by white space; at least one.
    pub(super) fn points(&self) -> Result<Vec<Point>, LoadErrorKind> {
        let mut points = Vec::new();
        let mut farthest = Decimal::ZERO;
        let mut number = |text| {
            let number = Decimal::parse(text, u32::MAX)?;
            farthest = farthest.max(number).max(-number);
            Some(number)
        };
        for pair in self.text.split_ascii_whitespace() {
            let point = pair
                .split_once(',')
                .and_then(|(x, y)| Some(Point { x: number(x)?, y: number(y)? }));
            points.push(point.ok_or_else(|| self.not_points())?);
            check("points of a polygon or polyline", points.len() as u64, MAX_POINTS_OF_LINE)?;
        }
        if points.is_empty() {
            return Err(self.not_points());
        }
        within(farthest)?;
        Ok(points)
    }

    fn not_points(&self) -> LoadErrorKind {
        self.wrong("a list of x,y pairs of decimal numbers")
    }

    /// The error for a value that is not `expected`.
    fn wrong(&self, expected: &'static str) -> LoadErrorKind {
        wrong(self.element, &self.name, &self.text, expected)
    }
}

/// The error for a value of an attribute that is not `expected`.
#[cold]
pub(super) fn wrong(
    element: &'static str,
    attribute: &str,
    value: &str,
    expected: &'static str,
) -> LoadErrorKind {
    let (attribute, value) = (attribute.to_owned(), value.to_owned());
    LoadErrorKind::Value { element, attribute, value, expected }
}

/// The colour that `rrggbb` or `aarrggbb` is, with or without a `#` before it.
pub(super) fn color(text: &str) -> Option<Color> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let number = u32::from_str_radix(digits, 16).ok()?;
    let [alpha, red, green, blue] = number.to_be_bytes();
    match digits.len() {
        6 => Some([red, green, blue, u8::MAX]),
        8 => Some([red, green, blue, alpha]),
        _ => None,
    }
}

/// An error if a coordinate is over the limit.
fn within(number: Decimal) -> Result<(), LoadErrorKind> {
    let millionths = number.millionths().unsigned_abs();
    let pixels = millionths.div_ceil(Decimal::PER_PIXEL as u64);
    check("pixels from the map's corner", pixels, MAX_COORDINATE)
}

/// An attribute that must be there.
pub(super) fn required<T>(
    element: &'static str,
    attribute: &'static str,
    value: Option<T>,
) -> Result<T, LoadErrorKind> {
    value.ok_or(LoadErrorKind::Missing { element, attribute })
}

/// A width or height, which must be there and at least 1.
pub(super) fn side(
    element: &'static str,
    attribute: &'static str,
    value: Option<u32>,
) -> Result<u32, LoadErrorKind> {
    match required(element, attribute, value)? {
        0 => Err(wrong(element, attribute, "0", "at least 1")),
        side => Ok(side),
    }
}

/// The attributes of a property, or of an item of a list.
#[derive(Default)]
struct PropertyDraft<'t> {
    name: Option<String>,
    kind: Cow<'t, str>,
    type_name: String,
    value: Option<Cow<'t, str>>,
}

/// Reads the content of `<properties>`.
pub(super) fn properties(reader: &mut Reader<'_, '_>) -> Result<Properties, ReadFailure> {
    let mut all = Properties::new();
    while let Some(child) = reader.child()? {
        if child.name != "property" {
            reader.pass(&child, "properties")?;
            continue;
        }
        let line = child.line;
        let mut draft = property_draft("property", child)?;
        let name = required("property", "name", draft.name.take())?;
        if all.contains_key(&name) {
            return Err(xml(format!("the property `{name}` is set twice")).into());
        }
        let type_name = draft.type_name.clone();
        let value = property_value(reader, draft)?;
        let property = Property { value, type_name, line };
        reader.shared.keep(cost_of_property(&name, &property))?;
        all.insert(name, property);
    }
    Ok(all)
}

fn property_draft<'t>(
    element: &'static str,
    child: Element<'t>,
) -> Result<PropertyDraft<'t>, LoadErrorKind> {
    let mut draft = PropertyDraft::default();
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
fn property_value(
    reader: &mut Reader<'_, '_>,
    draft: PropertyDraft<'_>,
) -> Result<PropertyValue, ReadFailure> {
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
fn members(reader: &mut Reader<'_, '_>) -> Result<PropertyValues, ReadFailure> {
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
fn items(reader: &mut Reader<'_, '_>) -> Result<Vec<PropertyValue>, ReadFailure> {
    let mut items = Vec::new();
    while let Some(child) = reader.child()? {
        if child.name == "item" {
            let draft = property_draft("item", child)?;
            items.push(property_value(reader, draft)?);
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
