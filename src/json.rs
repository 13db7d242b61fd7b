//! JSON text as a tree, without a byte of it changed: what Tiled's JSON forms and worlds are read from.
//!
//! `serde_json` says whether the text is JSON, and undoes the escapes; what this adds is that numbers keep
//! their text (`10.3` is never a float here), that the numbers of a layer stay one piece of text, that a
//! name stands once in an object, and that depth and size are bounded. It knows nothing of maps.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use crate::error::LoadErrorKind;
use crate::limits::{Limits, check};

/// Values in a file for each of [`Limits::xml_elements`]: an object of a map has about ten.
const VALUES_PER_ELEMENT: u64 = 4;

/// A value.
pub(crate) enum Node<'t> {
    /// A number, `true`, `false` or `null`, or a string in its quotes: as it is written.
    Scalar(&'t str),
    /// The text between the brackets of a list by the name of `data` that holds numbers only.
    Numbers(&'t str),
    List(Box<[Node<'t>]>),
    Object(Box<[(Cow<'t, str>, Node<'t>)]>),
}

/// An object, and what it is, for messages.
#[derive(Clone, Copy)]
pub(crate) struct Object<'n, 't> {
    what: &'static str,
    entries: &'n [(Cow<'t, str>, Node<'t>)],
}

/// True if a file starts like an object in JSON.
pub(crate) fn is_json(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    text.trim_ascii_start().first() == Some(&b'{')
}

/// The tree of a file.
pub(crate) fn parse<'t>(bytes: &'t [u8], limits: &Limits) -> Result<Node<'t>, LoadErrorKind> {
    check("bytes in the file", bytes.len() as u64, limits.file_bytes)?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes)
        .map_err(|error| json(format!("not UTF-8 text (at byte {})", error.valid_up_to())))?;
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| json(error.to_string()))?;
    let mut reader = Reader {
        text,
        at: 0,
        values: 0,
        max_values: VALUES_PER_ELEMENT * u64::from(limits.xml_elements),
        // An element is an object in a list. A reader that calls itself cannot go down for ever.
        max_depth: 2 * limits.xml_depth.min(256) + 2,
    };
    reader.value(0, "")
}

/// Goes through text that is known to be JSON, so that the first byte tells what comes.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    values: u64,
    max_values: u64,
    max_depth: u32,
}

impl<'t> Reader<'t> {
    fn value(&mut self, depth: u32, name: &str) -> Result<Node<'t>, LoadErrorKind> {
        self.values += 1;
        check("values in the file", self.values, self.max_values)?;
        match self.peek() {
            Some(b'{' | b'[') if depth == self.max_depth => Err(LoadErrorKind::TooLarge {
                what: "values within values",
                limit: self.max_depth.into(),
                found: u64::from(depth) + 1,
            }),
            Some(b'{') => self.object(depth + 1),
            Some(b'[') if name == "data" => match self.numbers() {
                Some(numbers) => Ok(Node::Numbers(numbers)),
                None => self.list(depth + 1),
            },
            Some(b'[') => self.list(depth + 1),
            _ => Ok(Node::Scalar(self.scalar())),
        }
    }

    fn object(&mut self, depth: u32) -> Result<Node<'t>, LoadErrorKind> {
        let mut entries = Vec::new();
        self.at += 1;
        while self.more(b'}') {
            let name = unquoted(self.scalar())?;
            // The colon.
            self.peek();
            self.at += 1;
            let value = self.value(depth, &name)?;
            entries.push((name, value));
        }
        let mut names: Vec<&str> = entries.iter().map(|(name, _)| &**name).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(json(format!("`{}` stands twice in an object", pair[0]))),
            None => Ok(Node::Object(entries.into())),
        }
    }

    fn list(&mut self, depth: u32) -> Result<Node<'t>, LoadErrorKind> {
        let mut values = Vec::new();
        self.at += 1;
        while self.more(b']') {
            values.push(self.value(depth, "")?);
        }
        Ok(Node::List(values.into()))
    }

    /// Steps over a comma, or over the end of an object or a list. False at the end, the file's too.
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

    /// Steps over white space; the byte that follows.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at.min(self.text.len())..];
        let space = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
        self.at += space.count();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Steps over a list of numbers, and is its text; `None`, and no step, if it holds anything else.
    fn numbers(&mut self) -> Option<&'t str> {
        let text = self.text.get(self.at + 1..)?;
        let is_part = |byte: &u8| {
            matches!(byte, b'0'..=b'9' | b',' | b'.' | b'-' | b'+' | b'e' | b'E')
                || byte.is_ascii_whitespace()
        };
        let length = text.bytes().take_while(is_part).count();
        if text.as_bytes().get(length) != Some(&b']') {
            return None;
        }
        self.at += length + 2;
        text.get(..length)
    }

    /// Steps over a value that is no object and no list, and is its text.
    fn scalar(&mut self) -> &'t str {
        self.peek();
        let text = self.text.get(self.at..).unwrap_or_default();
        let length = if text.starts_with('"') {
            let mut is_escaped = false;
            let inner = text.bytes().skip(1).take_while(|byte| {
                let goes_on = is_escaped || *byte != b'"';
                is_escaped = !is_escaped && *byte == b'\\';
                goes_on
            });
            inner.count() + 2
        } else {
            let ends =
                |byte: u8| matches!(byte, b',' | b']' | b'}' | b':') || byte.is_ascii_whitespace();
            text.bytes().position(ends).unwrap_or(text.len())
        };
        self.at += length;
        text.get(..length).unwrap_or(text)
    }
}

/// What a string says; a number and the like as written.
fn unquoted(scalar: &str) -> Result<Cow<'_, str>, LoadErrorKind> {
    let inner = scalar.strip_prefix('"').and_then(|s| s.strip_suffix('"'));
    match inner {
        None => Ok(scalar.into()),
        Some(inner) if !inner.contains('\\') => Ok(inner.into()),
        Some(_) => serde_json::from_str::<String>(scalar)
            .map(Cow::Owned)
            .map_err(|_| json("a `\\u` escape that is no character")),
    }
}

impl<'t> Node<'t> {
    /// The object that this is; `what` says what it should be, with its article.
    pub(crate) fn object(&self, what: &'static str) -> Result<Object<'_, 't>, LoadErrorKind> {
        match self {
            Self::Object(entries) => Ok(Object { what, entries }),
            _ => Err(json(format!("{what} that is not an object"))),
        }
    }

    /// True for a string.
    pub(crate) fn is_string(&self) -> bool {
        matches!(self, Self::Scalar(scalar) if scalar.starts_with('"'))
    }

    /// What a string says, and a number and the like as written; `None` for an object or a list.
    pub(crate) fn text(&self) -> Result<Option<Cow<'t, str>>, LoadErrorKind> {
        match self {
            Self::Scalar(scalar) => unquoted(scalar).map(Some),
            _ => Ok(None),
        }
    }
}

impl<'n, 't> Object<'n, 't> {
    /// What it is, with its article.
    pub(crate) fn what(self) -> &'static str {
        self.what
    }

    /// Its names and values, in the order of the file.
    pub(crate) fn entries(self) -> impl Iterator<Item = (&'n str, &'n Node<'t>)> {
        self.entries.iter().map(|(name, value)| (&**name, value))
    }

    /// A value, unless it is `null`.
    pub(crate) fn get(self, name: &str) -> Option<&'n Node<'t>> {
        let (_, value) = self.entries.iter().find(|(known, _)| known == name)?;
        (!matches!(value, Node::Scalar("null"))).then_some(value)
    }

    /// The text of a value that must be a single one, if it is there.
    pub(crate) fn text(self, name: &str) -> Result<Option<Cow<'t, str>>, LoadErrorKind> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let single = || json(format!("`{name}` of {} is not a single value", self.what));
        value.text()?.map(Some).ok_or_else(single)
    }

    /// A value that must be an object, if it is there.
    pub(crate) fn child(
        self,
        name: &str,
        what: &'static str,
    ) -> Result<Option<Object<'n, 't>>, LoadErrorKind> {
        self.get(name).map(|value| value.object(what)).transpose()
    }

    /// The values of a list; none if it is not there.
    pub(crate) fn list(self, name: &str) -> Result<&'n [Node<'t>], LoadErrorKind> {
        match self.get(name) {
            None => Ok(&[]),
            Some(Node::List(values)) => Ok(values),
            Some(_) => Err(json(format!("`{name}` of {} is not a list", self.what))),
        }
    }
}

pub(crate) fn json(reason: impl Into<String>) -> LoadErrorKind {
    LoadErrorKind::Json {
        reason: reason.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree in a short form, strings in quotes, numbers of `data` in brackets.
    fn shown(node: &Node<'_>) -> String {
        match node {
            Node::Scalar(_) if node.is_string() => format!("{:?}", node.text().unwrap().unwrap()),
            Node::Scalar(text) => (*text).to_owned(),
            Node::Numbers(text) => format!("[{text}]"),
            Node::List(list) => {
                let values: Vec<String> = list.iter().map(shown).collect();
                format!("({})", values.join(" "))
            }
            Node::Object(entries) => {
                let shown = |(name, value): &(_, Node<'_>)| format!("{name}={}", shown(value));
                let values: Vec<String> = entries.iter().map(shown).collect();
                format!("{{{}}}", values.join(" "))
            }
        }
    }

    fn tree(text: &str) -> Result<String, String> {
        parse(text.as_bytes(), &Limits::default())
            .map(|node| shown(&node))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn every_value_keeps_its_text() {
        let text = "\u{feff} {\"a\" : 10.30, \"b\\u0041\\n\":[ ] ,\"c\":[-1e5,true,{ }, null,[ [],2]],\r\n\
                    \"d\\\"\\\\\":\"x\\\"]}\\\\\",\"data\":[1, 2\n,4294967295],\"e\":{\"data\":[1,\"2\"]}}\t";
        assert_eq!(
            tree(text).unwrap(),
            "{a=10.30 bA\n=() c=(-1e5 true {} null (() 2)) d\"\\=\"x\\\"]}\\\\\" \
             data=[1, 2\n,4294967295] e={data=(1 \"2\")}}"
        );
    }

    #[test]
    fn what_is_no_json_is_refused_with_its_place() {
        for (text, reason) in [
            ("{\"a\": 1,\n \"b\" 2}", "line 2 column 6"),
            ("{\"a\":1,\"a\":2}", "`a` stands twice"),
            ("{\"a\":1,\"\\u0061\":2}", "`a` stands twice"),
            ("{\"a\":01}", "line 1"),
            ("{\"a\":1}}", "trailing"),
            ("{\"a\":\"\u{1}\"}", "control character"),
            ("{\"a\":NaN}", "line 1"),
            ("", "EOF"),
        ] {
            let error = tree(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
        let half = parse(b"{\"a\":\"\xff\"}", &Limits::default());
        assert!(half.is_err_and(|error| error.to_string().contains("byte 6")));
        let lone = parse(b"\"\\ud800\"", &Limits::default()).unwrap();
        assert!(lone.text().is_err());
    }

    /// Against `serde_json`'s own tree, on random values with random white space.
    #[test]
    fn the_tree_is_that_of_serde_json() {
        fn random(rng: &mut fastrand::Rng, depth: u32) -> serde_json::Value {
            let names = ["data", "a", "\"", "\\", "é\n", "b]", "c}", ","];
            match rng.u32(0..if depth == 0 { 5 } else { 7 }) {
                0 => serde_json::Value::Null,
                1 => rng.bool().into(),
                2 => rng.i32(-9..9).into(),
                3 => (f64::from(rng.i32(-99..99)) / 8.0).into(),
                4 => names[rng.usize(0..8)].into(),
                5 => (0..rng.u32(0..4)).map(|_| random(rng, depth - 1)).collect(),
                _ => (0..rng.u32(0..4))
                    .map(|_| (names[rng.usize(0..8)].to_owned(), random(rng, depth - 1)))
                    .collect(),
            }
        }
        fn same(ours: &Node<'_>, theirs: &serde_json::Value) -> bool {
            match (ours, theirs) {
                (Node::Numbers(text), theirs) => {
                    serde_json::from_str::<serde_json::Value>(&format!("[{text}]")).unwrap()
                        == *theirs
                }
                (Node::List(ours), serde_json::Value::Array(theirs)) => {
                    ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| same(a, b))
                }
                (Node::Object(ours), serde_json::Value::Object(theirs)) => {
                    ours.len() == theirs.len()
                        && ours
                            .iter()
                            .all(|(name, value)| same(value, &theirs[&**name]))
                }
                (Node::Scalar(text), theirs) => {
                    serde_json::from_str::<serde_json::Value>(text).unwrap() == *theirs
                }
                _ => false,
            }
        }
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..3_000 {
            let value = random(&mut rng, 5);
            let text = if rng.bool() {
                serde_json::to_string(&value).unwrap()
            } else {
                serde_json::to_string_pretty(&value).unwrap()
            };
            let ours = parse(text.as_bytes(), &Limits::default()).unwrap();
            assert!(same(&ours, &value), "{text}: {}", shown(&ours));
        }
    }

    #[test]
    fn depth_and_size_are_bounded() {
        let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        assert!(
            tree(&deep)
                .unwrap_err()
                .contains("values within values: 131")
        );
        let deep = format!("{}1{}", "{\"a\":".repeat(131), "}".repeat(131));
        assert!(
            tree(&deep)
                .unwrap_err()
                .contains("values within values: 131")
        );
        let deep = format!("{}1{}", "{\"a\":".repeat(130), "}".repeat(130));
        assert!(tree(&deep).is_ok());
        assert!(tree(&"[".repeat(1_000_000)).is_err());
        let wide = format!("[{}[]]", "[],".repeat(20_000_000));
        assert!(
            tree(&wide)
                .unwrap_err()
                .contains("values in the file: 2097153")
        );
        let long = format!("[\"{}\"]", "a".repeat(60_000_000));
        assert!(tree(&long).is_ok_and(|shown| shown.len() > 60_000_000));
        let cells = format!("{{\"data\":[{}0]}}", "1,".repeat(16_000_000));
        assert!(tree(&cells).is_ok(), "cells are no values of their own");
    }

    #[test]
    fn json_starts_with_a_brace() {
        assert!(
            is_json(b"\xef\xbb\xbf \r\n{") && !is_json(b"<") && !is_json(b"") && !is_json(b"[")
        );
    }
}
