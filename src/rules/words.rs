//! Comparison of the words of a rule with those of a map.

use std::fmt;
#[cfg(feature = "tmx")]
use std::slice;
use std::str::FromStr;

#[cfg(feature = "tmx")]
use crate::property::{PropertyValue, PropertyValues};
#[cfg(feature = "tmx")]
use crate::text::names::is_name_like;
use crate::text::printable;
#[cfg(feature = "tmx")]
use crate::tmx::Properties;

/// Custom properties by name: those of a thing in a map, or the members of a class.
#[cfg(feature = "tmx")]
pub(crate) trait Named {
    /// Each property's name and value, by rising name.
    fn named(&self) -> impl Iterator<Item = (&String, &PropertyValue)>;
}

#[cfg(feature = "tmx")]
impl Named for Properties {
    fn named(&self) -> impl Iterator<Item = (&String, &PropertyValue)> {
        self.iter().map(|(name, property)| (name, &property.value))
    }
}

#[cfg(feature = "tmx")]
impl Named for PropertyValues {
    fn named(&self) -> impl Iterator<Item = (&String, &PropertyValue)> {
        self.iter()
    }
}

/// True if `text` matches one of `words`. An empty text matches none.
#[cfg(feature = "tmx")]
pub(super) fn names(words: &[String], text: &str) -> bool {
    !text.is_empty() && words.iter().any(|word| is_name_like(word, text))
}

/// The name of the first property in `words` with the flag `wanted`, as the map writes it.
#[cfg(feature = "tmx")]
pub(super) fn flag(words: &[String], properties: &impl Named, wanted: bool) -> Option<String> {
    let is_wanted = |outer: Option<&str>, name: &str, property: &PropertyValue| {
        (property.as_flag() == Some(wanted) && is_named(words, outer, name)).then_some(())
    };
    find(properties, is_wanted).map(|(name, ())| name)
}

/// The first property with one of these values, as `name=value`.
#[cfg(feature = "tmx")]
pub(super) fn value(wanted: &[PropertyIs], properties: &impl Named) -> Option<String> {
    if wanted.is_empty() {
        return None;
    }
    let found = find(properties, |outer, name, property| {
        let text = as_text(property)?;
        let is_wanted = wanted.iter().any(|wanted| {
            let words = slice::from_ref(&wanted.name);
            is_named(words, outer, name) && is_name_like(&wanted.value, text.trim())
        });
        is_wanted.then_some(text)
    });
    found.map(|(name, text)| format!("{name}={text}"))
}

/// The first `Some` of `wanted`, with the name of its property; plain properties come before members of
/// classes. `wanted` gets the name of the outer property, if there is one, the name, and the value.
#[cfg(feature = "tmx")]
fn find<T>(
    properties: &impl Named,
    wanted: impl Fn(Option<&str>, &str, &PropertyValue) -> Option<T>,
) -> Option<(String, T)> {
    let own = |(name, property): (&String, &PropertyValue)| {
        wanted(None, name, property).map(|found| (name.clone(), found))
    };
    let inner = |(outer, property): (&String, &PropertyValue)| {
        let PropertyValue::Class { members, .. } = property else {
            return None;
        };
        members.iter().find_map(|(name, member)| {
            wanted(Some(outer), name, member).map(|found| (format!("{outer}.{name}"), found))
        })
    };
    properties.named().find_map(own).or_else(|| properties.named().find_map(inner))
}

/// True if a property, in the property `outer` if there is one, has one of these names.
#[cfg(feature = "tmx")]
pub(super) fn is_named(words: &[String], outer: Option<&str>, name: &str) -> bool {
    names(words, name) || outer.is_some_and(|outer| names(words, &format!("{outer}.{name}")))
}

/// The value of a string, int or bool property as text; `None` for other types.
#[cfg(feature = "tmx")]
fn as_text(property: &PropertyValue) -> Option<String> {
    match property {
        PropertyValue::Text(text) => Some(text.clone()),
        PropertyValue::Int(number) => Some(number.to_string()),
        PropertyValue::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// A property and its required value: `terrain=rock`, or `terrain=3` for an enum that Tiled stores as a
/// number. Both are compared as text, without regard to case; a `*` at the end of either matches any rest.
///
/// ```
/// use bitwall::rules::PropertyIs;
///
/// assert_eq!("terrain = rock".parse(), Ok(PropertyIs::new("terrain", "rock")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyIs {
    /// The property's name.
    pub name: String,
    /// Its value.
    pub value: String,
}

impl PropertyIs {
    /// The property `name` with the value `value`.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        let (name, value) = (name.into(), value.into());
        Self { name, value }
    }

    /// True if a property `name` with this value, as text, is meant.
    #[cfg(feature = "image")]
    #[cfg(feature = "tmx")]
    pub(super) fn is(&self, name: &str, value: &str) -> bool {
        is_name_like(&self.name, name) && is_name_like(&self.value, value)
    }
}

impl FromStr for PropertyIs {
    type Err = ParsePropertyIsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
                Ok(Self::new(name.trim(), value.trim()))
            }
            _ => Err(ParsePropertyIsError(text.to_owned())),
        }
    }
}

/// An error: a text is not of the form `name=value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsePropertyIsError(String);

impl fmt::Display for ParsePropertyIsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not of the form `name=value`", printable(&self.0))
    }
}

impl std::error::Error for ParsePropertyIsError {}
