//! Custom properties of a map, as its author set them. Other modules give them a meaning.

#[cfg(feature = "serde")]
use std::cell::Cell;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use glam::IVec2;
#[cfg(feature = "serde")]
use serde::de::{Deserialize, Deserializer, Error};

/// Custom properties by name.
pub type PropertyValues = BTreeMap<String, PropertyValue>;

/// The value of a custom property. The doc of each variant names the property's type in Tiled.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
#[non_exhaustive]
pub enum PropertyValue {
    /// A `bool`.
    Bool(bool),
    /// An `int`.
    Int(i32),
    /// A `float`.
    Float(f32),
    /// A `string`, a `file` (the path as written), or a value of a type that bitwall does not know.
    Text(String),
    /// A `color`, as `#aarrggbb`.
    Color(String),
    /// An `object`: the id of an object, or 0 if unset.
    Object(u32),
    /// A `list`.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "deserialize_bounded"))]
    List(Vec<PropertyValue>),
    /// A `class`, with its members.
    Class {
        /// The name of the class.
        class: String,
        /// The members that are set, by name.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "deserialize_bounded"))]
        members: PropertyValues,
    },
    /// A point of LDtk, as a pixel: of the level in a [`Marker`](crate::Marker), else of the map.
    Point(IVec2),
}

impl PropertyValue {
    /// The value as a flag: a `bool`, or a string `true`, `false`, `1` or `0` in any letter case, as in older
    /// maps; `None` for any other value.
    pub fn as_flag(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            Self::Text(text) if text.eq_ignore_ascii_case("true") || text == "1" => Some(true),
            Self::Text(text) if text.eq_ignore_ascii_case("false") || text == "0" => Some(false),
            _ => None,
        }
    }

    /// The value as a whole number: an `int`; `None` for any other value.
    pub fn as_i32(&self) -> Option<i32> {
        match self {
            Self::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The value as a number: a `float` or an `int`; `None` for any other value.
    pub fn as_f32(&self) -> Option<f32> {
        match self {
            Self::Float(value) => Some(*value),
            _ => self.as_i32().map(|value| value as f32),
        }
    }

    /// The value as a text: a `string`, a `file`, an enum, or a `color` as `#aarrggbb`; `None` for any other
    /// value.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Color(text) => Some(text),
            _ => None,
        }
    }

    /// The value as a pixel: a point of LDtk; `None` for any other value.
    pub fn as_point(&self) -> Option<IVec2> {
        match self {
            Self::Point(point) => Some(*point),
            _ => None,
        }
    }
}

impl Hash for PropertyValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Bool(value) => value.hash(state),
            Self::Int(value) => value.hash(state),
            Self::Float(value) if value.is_nan() => f32::NAN.to_bits().hash(state),
            // The sum makes 0 of -0, which equals 0.
            Self::Float(value) => (value + 0.0).to_bits().hash(state),
            Self::Text(text) | Self::Color(text) => text.hash(state),
            Self::Object(id) => id.hash(state),
            Self::Point(point) => point.hash(state),
            Self::List(values) => values.hash(state),
            Self::Class { class, members } => (class, members).hash(state),
        }
    }
}

/// The largest nesting depth of property values. Nested elements in a map file have the same limit.
#[cfg(feature = "serde")]
const MAX_DEPTH: u32 = 64;

#[cfg(feature = "serde")]
thread_local! {
    /// The nesting depth of the value that this thread is reading.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Reads a value inside another value. Fails for values nested more than [`MAX_DEPTH`] deep.
#[cfg(feature = "serde")]
fn deserialize_bounded<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let depth = DEPTH.get();
    if depth == MAX_DEPTH {
        return Err(D::Error::custom(format_args!(
            "values lie inside each other more than {MAX_DEPTH} deep"
        )));
    }
    DEPTH.set(depth + 1);
    let value = T::deserialize(deserializer);
    DEPTH.set(depth);
    value
}
