//! One-way tiles and objects: the sides from which they block.

use std::fmt;

use super::SolidRules;
use super::words::{Named, is_named, names};
use crate::geometry::{Dir, Sides};
use crate::property::PropertyValue;
use crate::text::printable;

/// An error: a one-way property names something that is not a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoSide {
    /// The property, as the map writes its name.
    pub(crate) property: String,
    /// The word that is not a side.
    pub(crate) word: String,
}

impl fmt::Display for NoSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (property, word) = (printable(&self.property), printable(&self.word));
        write!(
            f,
            "the property `{property}` says `{word}`, which is not true, false, or some of top, bottom, \
             left and right"
        )
    }
}

const NONE: Sides<bool> = Sides { left: false, right: false, up: false, down: false };

impl SolidRules {
    /// The sides from which a tile or object blocks, if it is one-way: true for the edges that it guards. A
    /// property with the value false overrules the class.
    ///
    /// # Errors
    /// A property names something that is not a side.
    pub(crate) fn one_way(
        &self,
        class: &str,
        properties: &impl Named,
    ) -> Result<Option<Sides<bool>>, NoSide> {
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
) -> Result<(), NoSide> {
    let sides = found.get_or_insert(NONE);
    let no_side = |word: String| NoSide { property: name.to_owned(), word };
    match property {
        PropertyValue::Bool(flag) => sides.up |= flag,
        PropertyValue::Text(text) => {
            let words = text.split(|c: char| c == ',' || c.is_whitespace());
            for word in words.filter(|word| !word.is_empty()) {
                let more = sides_of(word).ok_or_else(|| no_side(word.to_owned()))?;
                *sides = union(*sides, more);
            }
        }
        PropertyValue::List(items) => {
            for item in items {
                // Nested lists would let a file set the depth of the recursion.
                if matches!(item, PropertyValue::List(_)) {
                    return Err(no_side("a list in a list".to_owned()));
                }
                add(found, name, item)?;
            }
        }
        PropertyValue::Class { members, .. } => {
            for (member, value) in members {
                match (sides_of(member), value.as_flag()) {
                    (Some(more), Some(true)) => *sides = union(*sides, more),
                    (Some(_), Some(false)) => {}
                    _ => return Err(no_side(member.clone())),
                }
            }
        }
        PropertyValue::Int(number) => return Err(no_side(number.to_string())),
        PropertyValue::Float(number) => return Err(no_side(number.to_string())),
        PropertyValue::Color(color) => return Err(no_side(color.clone())),
        PropertyValue::Object(id) => return Err(no_side(format!("object {id}"))),
    }
    Ok(())
}

/// The sides that a word names; `None` if it names none.
fn sides_of(word: &str) -> Option<Sides<bool>> {
    Some(match word.to_ascii_lowercase().as_str() {
        "true" | "top" | "up" => NONE.with(Dir::Up, true),
        "bottom" | "down" => NONE.with(Dir::Down, true),
        "left" => NONE.with(Dir::Left, true),
        "right" => NONE.with(Dir::Right, true),
        "false" | "none" => NONE,
        _ => return None,
    })
}

fn union(a: Sides<bool>, b: Sides<bool>) -> Sides<bool> {
    Sides {
        left: a.left || b.left,
        right: a.right || b.right,
        up: a.up || b.up,
        down: a.down || b.down,
    }
}
