//! Checks and parses the values of attributes and custom properties.

use std::borrow::Cow;

use super::super::{About, Color, Decimal, Point, Properties, Property, color, kept};
use super::cursor::{Attributes, MAX_NAME_BYTES};
use super::{ReadFailure, Reader};
use crate::error::LoadErrorKind;
use crate::limits::check;
use crate::property::{PropertyValue, PropertyValues};

/// The largest magnitude of an object's coordinates and of a layer's offset, in pixels.
const MAX_COORDINATE: u64 = 1 << 22;

const MAX_POINTS_OF_LINE: u64 = 4_096;

/// The largest length of a text, such as a property's value or a picture's path, in bytes.
pub(super) const MAX_TEXT_BYTES: u64 = 1 << 20;

/// The attributes of an element, read by name. A missing or faulty value is read as `None`. [`Self::finish`]
/// then reports the first fault.
pub(super) struct Values<'t> {
    element: &'static str,
    attributes: Attributes<'t>,
    fault: Option<LoadErrorKind>,
    /// The first fault of an attribute that cannot change a solid pixel.
    harmless: Option<LoadErrorKind>,
}

impl<'t> Values<'t> {
    pub(super) fn new(element: &'static str, attributes: Attributes<'t>) -> Self {
        Self { element, attributes, fault: None, harmless: None }
    }

    /// Reports the faults of the attributes that were read.
    ///
    /// # Errors
    /// Fails as [`Reader::doubt`].
    pub(super) fn finish(self, reader: &mut Reader<'_, '_>) -> Result<(), ReadFailure> {
        if let Some(fault) = &self.harmless {
            reader.warn(fault);
        }
        self.fault.map_or(Ok(()), |fault| reader.doubt(fault))
    }

    /// Reads an attribute that cannot change a solid pixel.
    pub(super) fn harmless<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.fault.take();
        let value = read(self);
        let fault = std::mem::replace(&mut self.fault, before);
        match fault {
            Some(limit) if limit.is_limit() => self.keep_fault(limit),
            fault => self.harmless = self.harmless.take().or(fault),
        }
        value
    }

    /// Returns the value of the attribute `name` as written, of any length.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let value = self.attributes.iter().find(|(known, _)| known == name);
        value.map(|(_, value)| &**value)
    }

    /// True if the value of the attribute `name` is `word`. Any other value is allowed, because such an
    /// attribute only changes how the map is drawn.
    pub(super) fn is_word(&self, name: &str, word: &str) -> bool {
        self.get(name) == Some(word)
    }

    /// Returns the entry of `words` for the text of the attribute `name`. Any other text gives the default,
    /// because such an attribute only changes how the map is drawn.
    pub(super) fn word<T: Copy + Default>(&self, name: &str, words: &[(&str, T)]) -> T {
        let known = words.iter().find(|(word, _)| self.is_word(name, word));
        known.map_or_else(T::default, |(_, value)| *value)
    }

    /// Keeps the first fault. A limit comes before any other fault, because no load passes over it.
    #[cold]
    fn keep_fault(&mut self, fault: LoadErrorKind) {
        let is_first = self.fault.as_ref().is_none_or(|known| !known.is_limit());
        if is_first && (fault.is_limit() || self.fault.is_none()) {
            self.fault = Some(fault);
        }
    }

    /// Returns `value`, the parsed value of the attribute `name`. If it is `None`, records a fault that names
    /// `expected`.
    fn expect<T>(&mut self, name: &str, value: Option<T>, expected: &'static str) -> Option<T> {
        if value.is_none() {
            self.wrong(name, expected);
        }
        value
    }

    #[cold]
    pub(super) fn wrong(&mut self, name: &str, expected: &'static str) {
        let text = self.get(name).unwrap_or_default();
        self.keep_fault(wrong(self.element, name, text, expected));
    }

    fn take(&mut self, name: &str, what: &'static str, most: u64) -> Option<Cow<'t, str>> {
        let (_, value) = self.attributes.iter_mut().find(|(known, _)| known == name)?;
        let value = std::mem::take(value);
        if let Err(fault) = check(what, value.len() as u64, most) {
            self.keep_fault(fault);
        }
        Some(value)
    }

    pub(super) fn text(&mut self, name: &str) -> Option<Cow<'t, str>> {
        self.take(name, "bytes in a text", MAX_TEXT_BYTES)
    }

    pub(super) fn name(&mut self, name: &str) -> Option<Cow<'t, str>> {
        self.take(name, "bytes in a name", MAX_NAME_BYTES)
    }

    /// Takes the value of the attribute `name`: a name, a type or a version. Returns an empty string if the
    /// attribute is missing.
    pub(super) fn owned_name(&mut self, name: &str) -> String {
        self.name(name).unwrap_or_default().into_owned()
    }

    /// Takes the class from the attribute `name`, or from the attribute `other` if the first is empty.
    /// Versions of Tiled use different names.
    pub(super) fn class(&mut self, name: &str, other: &str) -> Option<String> {
        let class = self.stated_name(name);
        let other = self.stated_name(other);
        class.or(other)
    }

    /// Takes the value of the attribute `name`: a name that is not empty.
    pub(super) fn stated_name(&mut self, name: &str) -> Option<String> {
        let value = self.name(name).filter(|value| !value.is_empty());
        value.map(Cow::into_owned)
    }

    /// Returns the value of the attribute `name` as written. As in Tiled, an empty value counts as missing.
    fn stated(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    /// Returns the attribute `name` as a whole number from 0 to 2^32 - 1.
    pub(super) fn count(&mut self, name: &str) -> Option<u32> {
        let number = self.stated(name)?.parse().ok();
        self.expect(name, number, "a whole number from 0 to 4294967295")
    }

    /// Returns the attribute `name` as a whole number from -2^31 to 2^31 - 1.
    pub(super) fn int(&mut self, name: &str) -> Option<i32> {
        let number = self.stated(name)?.parse().ok();
        self.expect(name, number, "a whole number from -2147483648 to 2147483647")
    }

    /// Returns the required attribute `name` as a whole number. If it is missing, records a fault and returns
    /// 0.
    pub(super) fn required(&mut self, name: &'static str) -> u32 {
        let number = self.count(name);
        if number.is_none() {
            self.keep_fault(LoadErrorKind::Missing { element: self.element, attribute: name });
        }
        number.unwrap_or(0)
    }

    /// Returns the required attribute `name` as a width or height. If it is missing or 0, records a fault and
    /// returns 0.
    pub(super) fn side(&mut self, name: &'static str) -> u32 {
        let side = self.required(name);
        if side == 0 {
            self.wrong(name, "at least 1");
        }
        side
    }

    /// Returns the attribute `name` as a decimal number, whose magnitude must be at most [`MAX_COORDINATE`].
    pub(super) fn decimal(&mut self, name: &str) -> Option<Decimal> {
        let number = Decimal::parse(self.stated(name)?, u32::MAX);
        let number = self.expect(name, number, "a decimal number, or it is far too large")?;
        if let Err(fault) = within(number) {
            self.keep_fault(fault);
        }
        Some(number)
    }

    /// Returns a point from two attributes, whose names are the arguments `x` and `y`. A missing coordinate
    /// is 0.
    pub(super) fn point(&mut self, x: &str, y: &str) -> Point {
        let x = self.decimal(x);
        let y = self.decimal(y);
        Point { x: x.unwrap_or_default(), y: y.unwrap_or_default() }
    }

    /// Returns the attribute `name` as a decimal number, clamped to the range from 0 to 1.
    pub(super) fn opacity(&mut self, name: &str) -> Option<f32> {
        self.decimal(name)?;
        let number: f32 = self.get(name)?.parse().unwrap_or(1.0);
        Some(number.clamp(0.0, 1.0))
    }

    /// Returns the attribute `name` as a bool, written as `0`, `1`, `false` or `true`. Other letter cases are
    /// harmless faults.
    pub(super) fn flag(&mut self, name: &str) -> Option<bool> {
        let text = self.stated(name)?;
        if PLAIN_FLAGS.contains(&text) {
            return flag(text);
        }
        let flag = flag(text);
        if flag.is_some() {
            self.harmless = Some(wrong(self.element, name, text, "0 or 1"));
        }
        self.expect(name, flag, "0 or 1")
    }

    /// Returns the attribute `name` as a colour, written as `#rrggbb` or `#aarrggbb`. Any other text counts
    /// as missing, because the colour only changes how the map is drawn.
    pub(super) fn color(&self, name: &str) -> Option<Color> {
        self.get(name).filter(|text| text.starts_with('#')).and_then(color)
    }

    /// Returns the attribute `name` as a colour: see [`Self::color`]. The `#` may be missing.
    pub(super) fn bare_color(&self, name: &str) -> Option<Color> {
        self.get(name).and_then(color)
    }

    /// Returns the attribute `name` as one or more points, written as `x,y` pairs of decimals with white
    /// space between the pairs. If they cannot be read, records a fault and returns no points.
    pub(super) fn points(&mut self, name: &'static str) -> Vec<Point> {
        let missing = LoadErrorKind::Missing { element: self.element, attribute: name };
        let points = self.get(name).map_or(Err(missing), |text| points(self.element, name, text));
        points.map_err(|fault| self.keep_fault(fault)).unwrap_or_default()
    }
}

#[cold]
pub(super) fn wrong(
    element: &'static str,
    attribute: &str,
    value: &str,
    expected: &'static str,
) -> LoadErrorKind {
    LoadErrorKind::Value {
        element,
        attribute: attribute.to_owned(),
        value: value.to_owned(),
        expected,
    }
}

fn points(element: &'static str, attribute: &str, text: &str) -> Result<Vec<Point>, LoadErrorKind> {
    let mut points = Vec::new();
    let mut farthest = Decimal::ZERO;
    let fault = || wrong(element, attribute, text, "a list of x,y pairs of decimal numbers");
    for pair in text.split_ascii_whitespace() {
        let (x, y) = pair.split_once(',').ok_or_else(fault)?;
        let x = Decimal::parse(x, u32::MAX).ok_or_else(fault)?;
        let y = Decimal::parse(y, u32::MAX).ok_or_else(fault)?;
        farthest = farthest.max(x).max(-x).max(y).max(-y);
        points.push(Point { x, y });
        check("points of a polygon or polyline", points.len() as u64, MAX_POINTS_OF_LINE)?;
    }
    if points.is_empty() {
        return Err(fault());
    }
    within(farthest)?;
    Ok(points)
}

/// Fails if the magnitude of `number` is above [`MAX_COORDINATE`].
fn within(number: Decimal) -> Result<(), LoadErrorKind> {
    let millionths = number.millionths().unsigned_abs();
    let pixels = millionths.div_ceil(Decimal::PER_PIXEL as u64);
    check("pixels from the map's corner", pixels, MAX_COORDINATE)
}

pub(super) fn required<T>(
    element: &'static str,
    attribute: &'static str,
    value: Option<T>,
) -> Result<T, LoadErrorKind> {
    value.ok_or(LoadErrorKind::Missing { element, attribute })
}

pub(super) fn properties(reader: &mut Reader<'_, '_>) -> Result<Properties, ReadFailure> {
    let mut all = Properties::new();
    while let Some(child) = reader.child()? {
        if child.name != "property" {
            reader.pass(&child, "properties")?;
            continue;
        }
        let line = child.line;
        let mut from = Values::new("property", child.attributes);
        let name = from.name("name").map(Cow::into_owned);
        let (value, type_name) = property_value(reader, from, name.as_deref())?;
        let Some(name) = name else {
            reader.warn(&LoadErrorKind::Missing { element: "property", attribute: "name" });
            continue;
        };
        let property = Property { type_name, line, ..Property::new(value) };
        reader.shared.keep(kept::property(all.len(), &name, &property))?;
        reader.shared.spent.uses_types |= property.needs_type();
        // As in Tiled, the last value of a property that is set twice counts.
        all.insert(name, property);
    }
    Ok(all)
}

/// Reads the attributes and content of a property or a list item, and closes it. `name` is the name of a
/// property. Returns its value, and the name of its enum or class, which may be empty.
fn property_value(
    reader: &mut Reader<'_, '_>,
    mut from: Values<'_>,
    name: Option<&str>,
) -> Result<(PropertyValue, String), ReadFailure> {
    let kind = from.name("type").unwrap_or_default();
    let type_name = from.owned_name("propertytype");
    // An `objecttypes.xml` calls it `default`.
    let value = from.text("value").or_else(|| from.text("default"));
    from.finish(reader)?;
    let value = match &*kind {
        "class" => PropertyValue::Class { members: members(reader)?, class: type_name.clone() },
        "list" => {
            let mut items = Vec::new();
            while let Some(child) = reader.child()? {
                if child.name == "item" {
                    let from = Values::new("item", child.attributes);
                    let item = property_value(reader, from, None)?.0;
                    reader.shared.keep(kept::item(&item))?;
                    items.push(item);
                } else {
                    reader.pass(&child, "property")?;
                }
            }
            PropertyValue::List(items)
        }
        _ => {
            let text = reader.text("property")?;
            let value = value.unwrap_or(text);
            if kind == "bool" && !value.is_empty() && !PLAIN_FLAGS.contains(&&*value) {
                odd_bool(reader, name, &value)?;
            }
            typed(&kind, value)
        }
    };
    Ok((value, type_name))
}

fn members(reader: &mut Reader<'_, '_>) -> Result<PropertyValues, ReadFailure> {
    let mut members = PropertyValues::new();
    while let Some(child) = reader.child()? {
        if child.name == "properties" {
            let all = properties(reader)?.into_iter();
            members.extend(all.map(|(name, property)| (name, property.value)));
        } else {
            reader.pass(&child, "property")?;
        }
    }
    Ok(members)
}

/// Reports a bool that Tiled did not write. The rules decide whether a value that is neither true nor false
/// can change a solid pixel.
fn odd_bool(
    reader: &mut Reader<'_, '_>,
    name: Option<&str>,
    value: &str,
) -> Result<(), ReadFailure> {
    let fault = wrong("property", "value", value, "true or false");
    match name.filter(|_| flag(value).is_none()) {
        Some(name) => reader.doubt_about(About::Property(name.to_owned()), fault),
        None => {
            reader.warn(&fault);
            Ok(())
        }
    }
}

/// The bools that Tiled writes.
const PLAIN_FLAGS: [&str; 4] = ["true", "false", "1", "0"];

/// Parses a bool in any letter case.
fn flag(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" | "" => Some(false),
        _ => None,
    }
}

/// Parses the value of a property of the type `kind`. A value that does not fit its type becomes a text.
fn typed(kind: &str, value: Cow<'_, str>) -> PropertyValue {
    let fitting = match kind {
        "bool" => flag(&value).map(PropertyValue::Bool),
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
    fitting.unwrap_or_else(|| PropertyValue::Text(value.into_owned()))
}
