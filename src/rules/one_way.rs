//! One-way tiles and objects: the sides from which they block.

use super::SolidRules;
use super::words::{Named, is_named, names};
use crate::geometry::{Dir, Sides};
use crate::property::PropertyValue;
use crate::text::printable;

const NONE: Sides<bool> = Sides { left: false, right: false, up: false, down: false };

impl SolidRules {
    /// The sides from which a tile or object blocks, if it is one-way: true for the edges that it guards. A
    /// property with the value false overrules the class.
    ///
    /// # Errors
    /// The reason in words, if a property names something that is not a side.
    pub(crate) fn one_way(
        &self,
        class: &str,
        properties: &impl Named,
    ) -> Result<Option<Sides<bool>>, String> {
        let words = &self.one_way_properties;
        let mut found = None;
        for (name, property) in properties.named() {
            if is_named(words, None, name) {
                add(&mut found, name, property)?;
            } else if let PropertyValue::Class { members, .. } = property {
                for (inner, member) in members {
                    if is_named(words, Some(name), inner) {
                        add(&mut found, inner, member)?;
                    }
                }
            }
        }
        let by_class = || names(&self.one_way_classes, class).then(|| NONE.with(Dir::Up, true));
        Ok(found.or_else(by_class).filter(|sides| *sides != NONE))
    }
}

/// Adds the sides that a property names.
fn add(
    found: &mut Option<Sides<bool>>,
    name: &str,
    property: &PropertyValue,
) -> Result<(), String> {
    let sides = found.get_or_insert(NONE);
    let no_side = |word: &str| {
        format!(
            "the property `{}` says `{}`, which is not true, false, or some of top, bottom, left and right",
            printable(name),
            printable(word)
        )
    };
    match property {
        PropertyValue::Bool(flag) => sides.up |= flag,
        PropertyValue::Text(text) => {
            let words = text.split(|c: char| c == ',' || c.is_whitespace());
            for word in words.filter(|word| !word.is_empty()) {
                if let Some(side) = side_of(word).ok_or_else(|| no_side(word))? {
                    *sides = sides.with(side, true);
                }
            }
        }
        PropertyValue::List(items) => {
            for item in items {
                // Nested lists would let a file set the depth of the recursion.
                if matches!(item, PropertyValue::List(_)) {
                    return Err(no_side("a list in a list"));
                }
                add(found, name, item)?;
            }
        }
        PropertyValue::Class { members, .. } => {
            for (member, value) in members {
                match (side_of(member), value.as_flag()) {
                    (Some(Some(side)), Some(true)) => *sides = sides.with(side, true),
                    (Some(_), Some(_)) => {}
                    _ => return Err(no_side(member)),
                }
            }
        }
        PropertyValue::Int(number) => return Err(no_side(&number.to_string())),
        PropertyValue::Float(number) => return Err(no_side(&number.to_string())),
        PropertyValue::Color(color) => return Err(no_side(color)),
        PropertyValue::Object(id) => return Err(no_side(&format!("object {id}"))),
    }
    Ok(())
}

/// The side that a word names, or no side for a word such as `none`; `None` if it is not such a word.
fn side_of(word: &str) -> Option<Option<Dir>> {
    Some(match word.to_ascii_lowercase().as_str() {
        "true" | "top" | "up" => Some(Dir::Up),
        "bottom" | "down" => Some(Dir::Down),
        "left" => Some(Dir::Left),
        "right" => Some(Dir::Right),
        "false" | "none" => None,
        _ => return None,
    })
}
