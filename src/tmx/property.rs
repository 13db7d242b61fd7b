//! Custom properties.

use std::collections::BTreeMap;

use crate::property::PropertyValue;

/// Custom properties by name.
pub type Properties = BTreeMap<String, Property>;

/// A custom property.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Its value; a text if it does not fit its type.
    pub value: PropertyValue,
    /// The name of its enum or class, if it has one.
    pub type_name: String,
    /// Its line in the file, from 1; 0 if it was made in code.
    pub line: u32,
}

impl Property {
    /// A property made in code.
    pub fn new(value: PropertyValue) -> Self {
        Self { value, type_name: String::new(), line: 0 }
    }
}
