//! Defines the cursor that visits the elements of a file in XML or JSON, and the cursor for XML.
//!
//! Crate `quick-xml` splits XML into tags. This module makes the checks that the crate leaves out: the
//! attribute names of an element are unique, no value has a `<`, nothing follows the root element, and no
//! size exceeds its limit.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::events::attributes::{Attribute, Attributes as XmlAttributes};
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::error::LoadErrorKind;
use crate::limits::check;

/// The largest nesting depth of elements in a file. It bounds the recursion for groups of layers and for
/// properties that are classes.
pub(crate) const MAX_DEPTH: u32 = 64;

/// The largest number of elements in all files of a map, without `<tile>` cells and skipped elements.
pub(crate) const MAX_ELEMENTS: u64 = 1 << 19;

/// The largest length in bytes of a name, class, type or file path, and of a layer's path with its groups.
pub(crate) const MAX_NAME_BYTES: u64 = 1_024;

/// True for a control character that XML does not allow. The test has no branches, so the compiler scans 16
/// bytes at a time.
fn is_control(byte: u8) -> bool {
    (byte < b' ') & (byte != b'\t') & (byte != b'\n') & (byte != b'\r')
}

pub(crate) type Attributes<'t> = Vec<(Cow<'t, str>, Cow<'t, str>)>;

#[derive(Debug, Default)]
pub(crate) struct Element<'t> {
    pub(crate) name: Cow<'t, str>,
    /// The attributes in the order of the file; their names are unique.
    pub(crate) attributes: Attributes<'t>,
    pub(crate) line: u32,
}

/// A reader that visits each element of a file once. A JSON file gives the same elements as the same map in
/// XML.
pub(crate) trait Cursor<'t> {
    /// Opens the next child of the innermost open element. The first call opens the root element. After the
    /// last child, closes the element and returns `None`.
    fn next(&mut self) -> Result<Option<Element<'t>>, LoadErrorKind>;

    /// Returns the whole text of the element that was closed last.
    fn text(&mut self) -> Cow<'t, str>;

    /// Returns the start of the part of the file that was read last, for error messages: the line, and the
    /// position in bytes in this line, both from 1.
    fn position(&self) -> (u32, u32);

    /// Returns the number of open elements.
    fn depth(&self) -> usize;

    /// Closes the innermost open element. Its remaining children are skipped.
    fn skip(&mut self) -> Result<(), LoadErrorKind> {
        let mut depth = 1u32;
        while depth > 0 {
            match self.next()? {
                Some(_) => depth += 1,
                None => depth -= 1,
            }
        }
        Ok(())
    }
}

/// Returns the error for a file that is not well-formed XML, or that Tiled could not have written.
pub(crate) fn xml(reason: impl Into<String>) -> LoadErrorKind {
    LoadErrorKind::Xml { reason: reason.into() }
}

/// The number of bytes in a block of a [`LineIndex`]. A search for a line scans at most one block. The number
/// of line feeds in a block fits a byte.
const BLOCK: usize = 255;

/// An index that finds the line of a byte in a text. It has the number of line feeds before each block of the
/// text. A JSON tree is not read in the order of the file, so counting from one position to the next could
/// scan the file once per element.
pub(crate) struct LineIndex<'t> {
    text: &'t [u8],
    before: Vec<u32>,
}

impl<'t> LineIndex<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Self {
        let mut ends = 0u32;
        let before = text.chunks(BLOCK).map(|block| {
            let before = ends;
            ends = ends.saturating_add(line_feeds(block));
            before
        });
        Self { text, before: before.collect() }
    }

    /// Returns the line that contains the byte `at`. Lines are counted from 1, bytes from 0.
    pub(crate) fn line(&self, at: usize) -> u32 {
        let at = at.min(self.text.len());
        let block = (at / BLOCK).min(self.before.len().saturating_sub(1));
        let before = self.before.get(block).map_or(0, |before| *before);
        let within = self.text.get(block * BLOCK..at).map_or(0, line_feeds);
        before.saturating_add(within).saturating_add(1)
    }

    /// Returns the line that contains the byte `at`, and the position of the byte in this line, both from 1.
    /// A file may be a single long line, so only the block with the start of the line is scanned.
    pub(crate) fn position(&self, at: usize) -> (u32, u32) {
        let at = at.min(self.text.len());
        let line = self.line(at);
        let blocks = self.before.partition_point(|before| before.saturating_add(1) < line);
        let block = blocks.saturating_sub(1) * BLOCK;
        let before = self.text.get(block..at.min(block + BLOCK)).unwrap_or_default();
        let line_feed = before.iter().rposition(|byte| *byte == b'\n');
        let start = line_feed.map_or(0, |line_feed| block + line_feed + 1);
        (line, u32::try_from(at - start + 1).unwrap_or(u32::MAX))
    }
}

/// Returns the number of line feeds in at most 255 bytes. The count is a byte, so the compiler handles 16
/// bytes at a time.
fn line_feeds(block: &[u8]) -> u32 {
    block.iter().fold(0u8, |ends, byte| ends.wrapping_add(u8::from(*byte == b'\n'))).into()
}

const MAX_ATTRIBUTES: u64 = 64;

pub(crate) struct XmlCursor<'t> {
    text: &'t str,
    xml: quick_xml::Reader<&'t [u8]>,
    /// The index in the file of the first byte of the token (a tag or a text) that was read last.
    at: usize,
    lines: LineIndex<'t>,
    open: Vec<OpenElement<'t>>,
    closed: Cow<'t, str>,
    has_root: bool,
}

#[derive(Default)]
struct OpenElement<'t> {
    text: Cow<'t, str>,
    has_children: bool,
}

impl<'t> XmlCursor<'t> {
    /// Returns a cursor before the root element of a file.
    pub(crate) fn new(text: &'t str) -> Result<Self, LoadErrorKind> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        check_characters(text)?;
        let mut xml = quick_xml::Reader::from_str(text);
        xml.config_mut().expand_empty_elements = true;
        Ok(Self {
            text,
            xml,
            at: 0,
            lines: LineIndex::new(text.as_bytes()),
            open: Vec::new(),
            closed: Cow::default(),
            has_root: false,
        })
    }

    fn event(&mut self) -> Result<Event<'t>, LoadErrorKind> {
        self.at = self.xml.buffer_position() as usize;
        self.xml.read_event().map_err(|error| {
            self.at = self.xml.error_position() as usize;
            // Nothing is read after a fault of the syntax.
            self.xml = quick_xml::Reader::from_str("");
            xml(error.to_string())
        })
    }

    fn start(&mut self, start: &BytesStart<'t>) -> Result<Element<'t>, LoadErrorKind> {
        let depth = self.open.len() as u64 + 1;
        check("elements within elements", depth, MAX_DEPTH)?;
        match self.open.last_mut() {
            Some(parent) => parent.has_children = true,
            None if self.has_root => return Err(xml("a second root element")),
            None => {}
        }
        self.open.push(OpenElement::default());
        self.has_root = true;
        // The same bytes as in `start`, but borrowed from the whole text, which lives longer.
        let from = self.at + 1;
        let content = self.text.get(from..from + start.len());
        let content = content.unwrap_or_default();
        let name_length = start.name().into_inner().len();
        let name = content.get(..name_length).unwrap_or_default();
        // As in Tiled, the prefix of a namespace has no meaning.
        let name = name.rsplit(':').next().unwrap_or(name);
        Ok(Element {
            name: Cow::Borrowed(name),
            attributes: self.attributes(name, XmlAttributes::new(content, name_length))?,
            line: self.lines.line(self.at),
        })
    }

    fn attributes(
        &self,
        element: &str,
        mut attributes: XmlAttributes<'t>,
    ) -> Result<Attributes<'t>, LoadErrorKind> {
        let mut all = Attributes::new();
        // The check of `quick-xml` for repeated names compares every pair before any limit can stop it.
        for attribute in attributes.with_checks(false) {
            let attribute = attribute.map_err(|error| xml(error.to_string()))?;
            let name = attribute.key.into_inner();
            let count = all.len() as u64 + 1;
            check("attributes of an element", count, MAX_ATTRIBUTES)?;
            if all.iter().any(|(known, _)| known == name) {
                return Err(xml(format!("the attribute `{name}` stands twice in <{element}>")));
            }
            // Eight attributes are enough for most elements. A list that grows from empty would be copied
            // twice.
            if all.is_empty() {
                all.reserve(8);
            }
            all.push((Cow::Borrowed(name), attribute_value(attribute)?));
        }
        Ok(all)
    }

    fn push_text(&mut self, piece: Cow<'t, str>) -> Result<(), LoadErrorKind> {
        let Some(open) = self.open.last_mut() else {
            return Err(xml("text outside the root element"));
        };
        if open.text.is_empty() && !open.has_children {
            // The text of a layer is usually one slice of the file, which is not copied. Comments and
            // entities split it into several.
            open.text = piece;
        } else if !open.has_children || !piece.trim_ascii().is_empty() {
            open.text.to_mut().push_str(&piece);
        }
        Ok(())
    }
}

impl<'t> Cursor<'t> for XmlCursor<'t> {
    fn next(&mut self) -> Result<Option<Element<'t>>, LoadErrorKind> {
        loop {
            match self.event()? {
                Event::Start(start) => return self.start(&start).map(Some),
                Event::End(_) => {
                    self.closed = self.open.pop().map_or(Cow::default(), |open| open.text);
                    if !self.open.is_empty() {
                        return Ok(None);
                    }
                    // The end of the root element is reported at the end of the file.
                }
                Event::Eof if self.open.is_empty() => return Ok(None),
                Event::Eof => return Err(xml("the file ends within an element")),
                Event::Text(text) if self.open.is_empty() && text.trim_ascii().is_empty() => {}
                Event::Text(piece) => self.push_text(piece.into_inner())?,
                Event::CData(piece) => self.push_text(piece.into_inner())?,
                Event::GeneralRef(reference) => self.push_text(resolved(&reference)?)?,
                Event::Comment(_) | Event::PI(_) | Event::DocType(_) | Event::Empty(_) => {}
                // The text was converted from the stated encoding.
                Event::Decl(_) => {}
            }
        }
    }

    fn text(&mut self) -> Cow<'t, str> {
        std::mem::take(&mut self.closed)
    }

    fn position(&self) -> (u32, u32) {
        self.lines.position(self.at)
    }

    fn depth(&self) -> usize {
        self.open.len()
    }
}

/// Returns the error for bytes that are not UTF-8 text, of which the first `valid` bytes are.
pub(crate) fn not_utf8(valid: usize) -> LoadErrorKind {
    LoadErrorKind::Encoding { reason: format!("not UTF-8 text (at byte {valid})") }
}

fn check_characters(text: &str) -> Result<(), LoadErrorKind> {
    // The fold has no early exit within a block, so the compiler checks 16 bytes at a time.
    let mut blocks = text.as_bytes().chunks(256);
    if blocks.any(|block| block.iter().fold(false, |any, byte| any | is_control(*byte)))
        && let Some(at) = text.bytes().position(is_control)
    {
        return Err(xml(format!("a control character (at byte {at})")));
    }
    Ok(())
}

fn attribute_value(attribute: Attribute<'_>) -> Result<Cow<'_, str>, LoadErrorKind> {
    let mut bytes = attribute.value.bytes();
    if !bytes.any(|byte| matches!(byte, b'&' | b'<' | b'\t' | b'\n' | b'\r')) {
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

/// Returns the text for a reference `&name;` or `&#n;`.
fn resolved<'t>(reference: &BytesRef<'_>) -> Result<Cow<'t, str>, LoadErrorKind> {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return Ok(character.to_string().into());
    }
    quick_xml::escape::resolve_xml_entity(reference)
        .map(Cow::Borrowed)
        .ok_or_else(|| xml(format!("`&{};` is not defined", &**reference)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_and_position_of_each_byte_equal_those_of_a_plain_count() {
        let mut rng = fastrand::Rng::with_seed(1);
        for (length, most) in
            [0, 1, 254, 255, 256, 5_000].into_iter().flat_map(|it| [(it, 2), (it, 600)])
        {
            let text: Vec<u8> =
                (0..length).map(|_| [b'a', b'\n'][usize::from(rng.usize(0..most) == 0)]).collect();
            let lines = LineIndex::new(&text);
            for at in 0..length + 2 {
                let before = &text[..at.min(length)];
                let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
                let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
                assert_eq!(lines.position(at), (line as u32, column as u32), "{at} of {length}");
                assert_eq!(lines.line(at), line as u32);
            }
        }
    }

    #[test]
    fn the_line_index_counts_a_text_that_has_only_line_feeds() {
        assert_eq!(LineIndex::new(&[b'\n'; 600]).line(600), 601);
    }
}
