//! Parses JSON text into a tree of slices of the text, for Tiled's JSON maps and worlds, and for LDtk.
//!
//! `serde_json` validates the text and resolves escapes. A number in the tree keeps its text, so `10.3` never
//! becomes a float. The cell numbers of a layer stay one slice of the text. Each object has its position in
//! the file. Depth and size are limited. The tree has no notion of maps.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use serde_core::de::IgnoredAny;

use super::super::read::cursor::{MAX_DEPTH, MAX_ELEMENTS, not_utf8};
use crate::error::LoadErrorKind;
use crate::limits::check;

/// The largest number of JSON values in a file: four times the largest number of elements of a map. A Tiled
/// object has about ten values.
const MAX_VALUES: u64 = 4 * MAX_ELEMENTS;

/// The largest nesting depth of JSON values. An element of a map is an object in a list, so it takes two
/// levels.
const MAX_LEVELS: u32 = 2 * MAX_DEPTH + 2;

pub(crate) enum Node<'t> {
    /// A number, `true`, `false`, `null` or a string with its quotes, as written.
    Scalar(&'t str),
    /// The text between the brackets of a list `data` or `intGridCsv` that contains only numbers.
    Numbers(&'t str),
    List(Box<[Node<'t>]>),
    /// An object: the index of its first byte in the file, and its names and values. An index beyond 4 GiB
    /// becomes the largest `u32`. Indices of 64 bits would make each node a third larger.
    Object(u32, Box<[(Cow<'t, str>, Node<'t>)]>),
}

#[derive(Clone, Copy)]
pub(crate) struct JsonObject<'n, 't> {
    /// The kind of the object with an article, such as "a layer", for error messages.
    pub(crate) what: &'static str,
    /// The index of the object's first byte in the file, from 0.
    pub(crate) at: u32,
    entries: &'n [(Cow<'t, str>, Node<'t>)],
}

/// Parses a file, and returns the root of its tree.
pub(crate) fn parse(bytes: &[u8]) -> Result<Node<'_>, LoadErrorKind> {
    parse_without(bytes, "")
}

/// Parses a file as [`parse`], but leaves out all values with the names `left_out`, in any object. Blanks
/// separate the names.
pub(crate) fn parse_without<'t>(
    bytes: &'t [u8],
    left_out: &'static str,
) -> Result<Node<'t>, LoadErrorKind> {
    let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(error.valid_up_to()))?;
    let marked = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str::<IgnoredAny>(marked).map_err(|error| json(error.to_string()))?;
    let at = text.len() - marked.len();
    let mut reader = TreeReader {
        text,
        at,
        values: 0,
        left_out: left_out.split(' ').collect(),
        entries: Vec::new(),
        items: Vec::new(),
    };
    reader.value(0, "")
}

/// A reader of text that is known to be valid JSON. The first byte of a value therefore decides its kind.
struct TreeReader<'t> {
    text: &'t str,
    at: usize,
    values: u64,
    left_out: Vec<&'static str>,
    /// The names and values of the objects that are not closed yet, the outermost object first.
    entries: Vec<(Cow<'t, str>, Node<'t>)>,
    items: Vec<Node<'t>>,
}

impl<'t> TreeReader<'t> {
    fn value(&mut self, depth: u32, name: &str) -> Result<Node<'t>, LoadErrorKind> {
        self.values += 1;
        check("values in the file", self.values, MAX_VALUES)?;
        match self.peek() {
            Some(b'{' | b'[') if depth == MAX_LEVELS => Err(LoadErrorKind::TooLarge {
                what: "values within values",
                limit: MAX_LEVELS.into(),
                found: u64::from(depth) + 1,
            }),
            Some(b'{') => self.object(depth + 1),
            Some(b'[') if matches!(name, "data" | "intGridCsv") => match self.numbers() {
                Some(numbers) => Ok(Node::Numbers(numbers)),
                None => self.list(depth + 1),
            },
            Some(b'[') => self.list(depth + 1),
            _ => Ok(Node::Scalar(self.pass())),
        }
    }

    fn object(&mut self, depth: u32) -> Result<Node<'t>, LoadErrorKind> {
        let start = u32::try_from(self.at).unwrap_or(u32::MAX);
        let first = self.entries.len();
        self.at += 1;
        while self.more(b'}') {
            let name = unquoted(self.pass())?;
            self.peek();
            self.at += 1;
            if self.left_out.contains(&&*name) {
                self.pass();
                continue;
            }
            let value = self.value(depth, &name)?;
            self.entries.push((name, value));
        }
        Ok(Node::Object(start, self.entries.drain(first..).collect()))
    }

    fn list(&mut self, depth: u32) -> Result<Node<'t>, LoadErrorKind> {
        let first = self.items.len();
        self.at += 1;
        while self.more(b']') {
            let item = self.value(depth, "")?;
            self.items.push(item);
        }
        Ok(Node::List(self.items.drain(first..).collect()))
    }

    /// Moves past the comma to the next item of an object or a list. Returns false if no item follows: at the
    /// closing byte `end`, which is skipped too, or at the end of the file.
    fn more(&mut self, end: u8) -> bool {
        if self.peek() == Some(b',') {
            self.at += 1;
        }
        match self.peek() {
            Some(byte) if byte == end => {
                self.at += 1;
                false
            }
            other => other.is_some(),
        }
    }

    /// Moves past a value, with its content if it is an object or a list, and returns its text as written.
    fn pass(&mut self) -> &'t str {
        self.peek();
        let rest = self.text.get(self.at..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        values.next();
        let length = values.byte_offset();
        self.at += length;
        rest.get(..length).unwrap_or(rest)
    }

    /// Moves past white space, and returns the next byte without moving past it. Returns `None` at the end of
    /// the file.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at.min(self.text.len())..];
        let space = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
        self.at += space.count();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Reads a list that contains only numbers, and returns the text between its brackets. Returns `None` for
    /// any other list, of which nothing is read.
    fn numbers(&mut self) -> Option<&'t str> {
        let text = self.text.get(self.at + 1..)?;
        let part = text.bytes().take_while(|byte| {
            matches!(byte, b'0'..=b'9' | b',' | b'.' | b'-' | b'+' | b'e' | b'E')
                || byte.is_ascii_whitespace()
        });
        let length = part.count();
        if text.as_bytes().get(length) != Some(&b']') {
            return None;
        }
        self.at += length + 2;
        text.get(..length)
    }
}

/// Returns the number without a fraction that is all zeros: `32.0` becomes `32`. Some programs write all JSON
/// numbers as decimals.
pub(crate) fn whole(number: &str) -> &str {
    match number.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.trim_matches('0').is_empty() => whole,
        _ => number,
    }
}

/// Returns the text of a string without quotes and escapes, or another value as written. A fraction of zeros
/// is dropped as in [`whole`].
fn unquoted(scalar: &str) -> Result<Cow<'_, str>, LoadErrorKind> {
    let inner = scalar.strip_prefix('"').and_then(|s| s.strip_suffix('"'));
    match inner {
        None => Ok(whole(scalar).into()),
        Some(inner) if !inner.contains('\\') => Ok(inner.into()),
        Some(_) => serde_json::from_str::<String>(scalar)
            .map(Cow::Owned)
            .map_err(|_| json("a `\\u` escape that is no character")),
    }
}

impl<'t> Node<'t> {
    /// Returns the value as an object. Fails for any other value. `what` is the expected kind with an
    /// article, for the error.
    pub(crate) fn object(&self, what: &'static str) -> Result<JsonObject<'_, 't>, LoadErrorKind> {
        match self {
            Self::Object(at, entries) => Ok(JsonObject { what, at: *at, entries }),
            _ => Err(json(format!("{what} that is not an object"))),
        }
    }

    pub(crate) fn is_string(&self) -> bool {
        matches!(self, Self::Scalar(scalar) if scalar.starts_with('"'))
    }

    /// Returns the text of a string, or another value as written. Returns `None` for an object or a list.
    pub(crate) fn text(&self) -> Result<Option<Cow<'t, str>>, LoadErrorKind> {
        match self {
            Self::Scalar(scalar) => unquoted(scalar).map(Some),
            _ => Ok(None),
        }
    }
}

impl<'n, 't> JsonObject<'n, 't> {
    pub(crate) fn entries(self) -> impl Iterator<Item = (&'n str, &'n Node<'t>)> {
        self.entries.iter().map(|(name, value)| (&**name, value))
    }

    /// True if the object has a value with this name, even if the value is `null`.
    pub(crate) fn has(self, name: &str) -> bool {
        self.entries.iter().any(|(known, _)| known == name)
    }

    /// Returns the value with this name, or `None` if it is missing or `null`. Of values with the same name,
    /// the last counts, as in every parser.
    pub(crate) fn get(self, name: &str) -> Option<&'n Node<'t>> {
        let (_, value) = self.entries.iter().rfind(|(known, _)| known == name)?;
        (!matches!(value, Node::Scalar("null"))).then_some(value)
    }

    /// Returns the text of the value `name`, or `None` if it is missing or `null`. Fails for an object or a
    /// list.
    pub(crate) fn text(self, name: &str) -> Result<Option<Cow<'t, str>>, LoadErrorKind> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        value
            .text()?
            .map(Some)
            .ok_or_else(|| json(format!("`{name}` of {} is not a single value", self.what)))
    }

    /// Returns the object with the name `name`, or `None` if it is missing or `null`. Fails for any other
    /// value. `what` is the expected kind, for the error.
    pub(crate) fn child(
        self,
        name: &str,
        what: &'static str,
    ) -> Result<Option<JsonObject<'n, 't>>, LoadErrorKind> {
        self.get(name).map(|value| value.object(what)).transpose()
    }

    /// Returns the values of the list with the name `name`. The result is empty if the list is missing or
    /// `null`. Fails for any other value.
    pub(crate) fn list(self, name: &str) -> Result<&'n [Node<'t>], LoadErrorKind> {
        match self.get(name) {
            None => Ok(&[]),
            Some(Node::List(values)) => Ok(values),
            Some(_) => Err(json(format!("`{name}` of {} is not a list", self.what))),
        }
    }
}

pub(crate) fn json(reason: impl Into<String>) -> LoadErrorKind {
    LoadErrorKind::Json { reason: reason.into() }
}
