//! Writes XML: start tags, attributes and text, escaped, up to a limit.

use std::borrow::Cow;

use crate::error::LoadErrorKind;
use crate::json::{Node, Object, json};
use crate::limits::{Limits, check};

/// XML as it grows. The caller pairs `start`, `content` and `end`.
pub(super) struct Writer {
    out: String,
    max_bytes: u64,
}

impl Writer {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            out: r#"<?xml version="1.0" encoding="UTF-8"?>"#.to_owned(),
            max_bytes: limits.file_bytes,
        }
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.out.into_bytes()
    }

    /// Opens a start tag, to which attributes can be added.
    pub(super) fn start(&mut self, element: &str) {
        self.out.push('<');
        self.out.push_str(element);
    }

    /// Closes the start tag.
    pub(super) fn content(&mut self) {
        self.out.push('>');
    }

    /// Writes the end tag.
    pub(super) fn end(&mut self, element: &str) -> Result<(), LoadErrorKind> {
        self.out.push_str("</");
        self.out.push_str(element);
        self.out.push('>');
        self.check(0)
    }

    /// Writes those of the values of `object` that it has, each as the attribute of its name.
    pub(super) fn attributes(
        &mut self,
        object: Object<'_, '_>,
        names: &[&str],
    ) -> Result<(), LoadErrorKind> {
        names
            .iter()
            .try_for_each(|name| self.renamed(object, name, name))
    }

    /// Writes the value `name` of `object`, if it has it, as the attribute `attribute`.
    pub(super) fn renamed(
        &mut self,
        object: Object<'_, '_>,
        name: &str,
        attribute: &str,
    ) -> Result<(), LoadErrorKind> {
        let Some(text) = object.text(name)? else {
            return Ok(());
        };
        let is_string = object.get(name).is_some_and(Node::is_string);
        let text = match &*text {
            _ if is_string => text,
            "true" if is_flag(attribute) => "1".into(),
            "false" if is_flag(attribute) => "0".into(),
            _ => whole(text),
        };
        self.attribute(attribute, &text)
    }

    pub(super) fn attribute(&mut self, name: &str, value: &str) -> Result<(), LoadErrorKind> {
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        self.text(value)?;
        self.out.push('"');
        Ok(())
    }

    /// Writes text so that it comes back as it is, line breaks too.
    pub(super) fn text(&mut self, text: &str) -> Result<(), LoadErrorKind> {
        self.check(text.len())?;
        for character in text.chars() {
            match character {
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '&' => self.out.push_str("&amp;"),
                '"' => self.out.push_str("&quot;"),
                '\t' => self.out.push_str("&#9;"),
                '\n' => self.out.push_str("&#10;"),
                '\r' => self.out.push_str("&#13;"),
                '\0'..=' ' if character != ' ' => return Err(json("a control character")),
                '\u{fffe}' | '\u{ffff}' => return Err(json("a code that is no character")),
                other => self.out.push(other),
            }
            // An escape is up to six times as long as what it stands for.
            self.check(0)?;
        }
        Ok(())
    }

    /// Writes text that has nothing to be escaped, such as a layer's numbers.
    pub(super) fn plain(&mut self, text: &str) -> Result<(), LoadErrorKind> {
        self.check(text.len())?;
        self.out.push_str(text);
        Ok(())
    }

    /// An error if the XML has more bytes than a file may have, with `more`.
    fn check(&self, more: usize) -> Result<(), LoadErrorKind> {
        let bytes = self.out.len() as u64 + more as u64;
        check("bytes in the file as XML", bytes, self.max_bytes)
    }
}

/// True for what is written as 1 or 0 in XML.
fn is_flag(attribute: &str) -> bool {
    const FLAGS: [&str; 11] = [
        "infinite",
        "visible",
        "locked",
        "repeatx",
        "repeaty",
        "wrap",
        "bold",
        "italic",
        "underline",
        "strikeout",
        "kerning",
    ];
    FLAGS.contains(&attribute)
}

/// `32.0` as `32`: JSON has one kind of number, and some programs write all of them as decimals.
pub(super) fn whole(text: Cow<'_, str>) -> Cow<'_, str> {
    let Some((whole, zeros)) = text.split_once('.') else {
        return text;
    };
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0') {
        return whole.to_owned().into();
    }
    text
}
