//! XML files as elements: the text checked, entities resolved, nothing kept.
//!
//! The splitting into tags is crate `quick-xml`'s. This module checks the rest: that a name
//! stands once in an element, that no value has a `<`, that nothing follows the root, and every limit of
//! size.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::events::attributes::{Attribute, Attributes};
use quick_xml::events::{BytesDecl, BytesRef, BytesStart, Event};

use super::cursor::{self, Cursor, Element, MAX_DEPTH, is_control, xml};
use super::lines::Lines;
use crate::error::LoadErrorKind;
use crate::limits::check;

/// Attributes of one element.
const MAX_ATTRIBUTES: u64 = 64;

/// Goes through an XML file.
pub(super) struct XmlCursor<'t> {
    text: &'t str,
    xml: quick_xml::Reader<&'t [u8]>,
    /// The start of the part that was read last, in bytes.
    at: usize,
    lines: Lines<'t>,
    /// The open elements, the root first.
    open: Vec<Open<'t>>,
    /// The text of the element that was closed last.
    closed: Cow<'t, str>,
    has_root: bool,
}

/// An open element: the text in it so far, and whether it has had a child.
#[derive(Default)]
struct Open<'t> {
    text: Cow<'t, str>,
    has_children: bool,
}

impl<'t> XmlCursor<'t> {
    /// Stands before the root of the file `bytes`.
    ///
    /// # Errors
    /// Bytes that are no UTF-8 text, or control characters in it.
    pub(super) fn new(bytes: &'t [u8]) -> Result<Self, LoadErrorKind> {
        let text = text_of(bytes)?;
        let mut xml = quick_xml::Reader::from_str(text);
        xml.config_mut().expand_empty_elements = true;
        Ok(Self {
            text,
            xml,
            at: 0,
            lines: Lines::new(text.as_bytes()),
            open: Vec::new(),
            closed: Cow::default(),
            has_root: false,
        })
    }

    fn event(&mut self) -> Result<Event<'t>, LoadErrorKind> {
        self.at = self.xml.buffer_position() as usize;
        self.xml.read_event().map_err(|error| {
            self.at = self.xml.error_position() as usize;
            xml(error.to_string())
        })
    }

    fn start(&mut self, start: &BytesStart<'t>) -> Result<Element<'t>, LoadErrorKind> {
        let depth = self.open.len() as u64 + 1;
        check("elements within elements", depth, MAX_DEPTH)?;
        if let Some(parent) = self.open.last_mut() {
            parent.has_children = true;
        }
        self.open.push(Open::default());
        self.has_root = true;
        // The same bytes as those of the event, which lends them for a shorter time.
        let from = self.at + 1;
        let content = self.text.get(from..from + start.len());
        let content = content.unwrap_or_default();
        let name_length = start.name().into_inner().len();
        let name = content.get(..name_length).unwrap_or_default();
        if name.contains(':') {
            return Err(xml(format!("<{name}> has a prefix, which map files do not")));
        }
        Ok(Element {
            name: Cow::Borrowed(name),
            attributes: self.attributes(name, Attributes::new(content, name_length))?,
            line: self.lines.line(self.at),
        })
    }

    fn attributes(
        &self,
        element: &str,
        mut attributes: Attributes<'t>,
    ) -> Result<cursor::Attributes<'t>, LoadErrorKind> {
        let mut all = cursor::Attributes::new();
        // The library's own check for doubles compares every pair before any limit can stop it.
        for attribute in attributes.with_checks(false) {
            let attribute = attribute.map_err(|error| xml(error.to_string()))?;
            let name = attribute.key.into_inner();
            let count = all.len() as u64 + 1;
            check("attributes of an element", count, MAX_ATTRIBUTES)?;
            if all.iter().any(|(known, _)| known == name) {
                return Err(xml(format!("the attribute `{name}` stands twice in <{element}>")));
            }
            if name.contains(':') && !name.starts_with("xml") {
                return Err(xml(format!("`{name}` has a prefix, which map files do not")));
            }
            // Room for most elements at once: a list that grows is copied twice.
            if all.is_empty() {
                all.reserve(8);
            }
            all.push((Cow::Borrowed(name), value(attribute)?));
        }
        Ok(all)
    }

    /// Adds a piece to the text of the open element.
    fn push_text(&mut self, piece: Cow<'t, str>) -> Result<(), LoadErrorKind> {
        let Some(open) = self.open.last_mut() else {
            return Err(xml("text outside the root element"));
        };
        if open.text.is_empty() && !open.has_children {
            // The text of a layer is one piece but for comments and the like, and is not copied.
            open.text = piece;
        } else if !open.has_children || !piece.trim_ascii().is_empty() {
            open.text.to_mut().push_str(&piece);
        }
        Ok(())
    }

    /// Reads the file after its root.
    fn finish(&mut self) -> Result<(), LoadErrorKind> {
        loop {
            match self.event()? {
                Event::Eof => return Ok(()),
                Event::Start(_) => return Err(xml("a second root element")),
                Event::Comment(_) | Event::PI(_) | Event::DocType(_) | Event::Decl(_) => {}
                Event::Text(text) if text.trim_ascii().is_empty() => {}
                _ => return Err(xml("text outside the root element")),
            }
        }
    }
}

impl<'t> Cursor<'t> for XmlCursor<'t> {
    fn next(&mut self) -> Result<Option<Element<'t>>, LoadErrorKind> {
        loop {
            match self.event()? {
                Event::Start(start) => return self.start(&start).map(Some),
                Event::End(_) => {
                    self.closed = self.open.pop().map_or(Cow::default(), |open| open.text);
                    if self.open.is_empty() {
                        self.finish()?;
                    }
                    return Ok(None);
                }
                Event::Eof if self.open.is_empty() && !self.has_root => return Ok(None),
                Event::Eof => return Err(xml("the file ends within an element")),
                Event::Decl(decl) => check_encoding(&decl, self.text)?,
                Event::Text(text) if self.open.is_empty() && text.trim_ascii().is_empty() => {}
                Event::Text(piece) => self.push_text(piece.into_inner())?,
                Event::CData(piece) => self.push_text(piece.into_inner())?,
                Event::GeneralRef(reference) => self.push_text(resolved(&reference)?)?,
                Event::Comment(_) | Event::PI(_) | Event::DocType(_) | Event::Empty(_) => {}
            }
        }
    }

    fn text(&mut self) -> Cow<'t, str> {
        std::mem::take(&mut self.closed)
    }

    fn position(&self) -> (u32, u32) {
        self.lines.position(self.at)
    }
}

/// The text of a file, if it is one.
fn text_of(bytes: &[u8]) -> Result<&str, LoadErrorKind> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes)
        .map_err(|error| xml(format!("not UTF-8 text (at byte {})", error.valid_up_to())))?;
    // By blocks, without an early exit within one: then the compiler looks at 16 bytes at a time.
    let has_one = |block: &[u8]| block.iter().fold(false, |any, byte| any | is_control(*byte));
    let block = text.as_bytes().chunks(256).position(has_one);
    let found = block.and_then(|block| {
        let within = text.bytes().skip(block * 256).position(is_control)?;
        Some(block * 256 + within)
    });
    match found {
        Some(at) => Err(xml(format!("a control character (at byte {at})"))),
        None => Ok(text),
    }
}

/// Refuses a file whose bytes may mean other characters than they do in UTF-8.
///
/// A file of plain ASCII may name any encoding that has ASCII in it, and UTF-16, in which .NET says that a
/// string was written before it became UTF-8.
fn check_encoding(decl: &BytesDecl<'_>, text: &str) -> Result<(), LoadErrorKind> {
    const LIKE_ASCII: [&str; 16] = [
        "utf8",
        "utf-16",
        "ascii",
        "us-ascii",
        "ansi",
        "iso-8859-",
        "iso8859",
        "latin",
        "windows-",
        "cp125",
        "koi8-",
        "gb",
        "big5",
        "euc-",
        "shift_jis",
        "tis-",
    ];
    let Some(name) = decl.encoding() else {
        return Ok(());
    };
    let name = name.map_err(|error| xml(error.to_string()))?;
    let lower = name.to_ascii_lowercase();
    let is_like_ascii = LIKE_ASCII.iter().any(|known| lower.starts_with(known));
    if lower == "utf-8" || (is_like_ascii && text.is_ascii()) {
        return Ok(());
    }
    Err(xml(format!("text in the encoding {name}, not UTF-8")))
}

/// The value of an attribute as it is meant.
fn value(attribute: Attribute<'_>) -> Result<Cow<'_, str>, LoadErrorKind> {
    let is_special = |byte: u8| matches!(byte, b'&' | b'<' | b'\t' | b'\n' | b'\r');
    if !attribute.value.bytes().any(is_special) {
        return Ok(attribute.value);
    }
    let value = attribute
        .normalized_value(XmlVersion::Implicit1_0)
        .map_err(|error| xml(error.to_string()))?;
    if attribute.value.contains('<') {
        let name = attribute.key.into_inner();
        return Err(xml(format!("`<` in the value of `{name}`")));
    }
    Ok(value)
}

/// The text that `&name;` or `&#n;` stands for.
fn resolved<'t>(reference: &BytesRef<'_>) -> Result<Cow<'t, str>, LoadErrorKind> {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return Ok(character.to_string().into());
    }
    quick_xml::escape::resolve_xml_entity(reference)
        .map(Cow::Borrowed)
        .ok_or_else(|| xml(format!("`&{};` is not defined", &**reference)))
}
