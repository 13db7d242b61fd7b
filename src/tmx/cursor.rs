//! The elements of a file, one after the other: the form in which the reader sees XML and JSON alike.

use std::borrow::Cow;

use crate::error::LoadErrorKind;

/// The nesting depth of elements in a file; in JSON an element is an object in a list. The readers call
/// themselves for groups and classes.
pub(crate) const MAX_DEPTH: u32 = 64;

/// Elements in all the files of a map, without `<tile>` cells and elements that are skipped.
pub(crate) const MAX_ELEMENTS: u64 = 1 << 19;

/// The length in bytes of a name, a class or a type; of a layer's name with those of its groups; and of the
/// path of a file, as written.
pub(super) const MAX_NAME_BYTES: u64 = 1_024;

/// True for a byte that no text of an XML file has. Without branches, so that a scan takes 16 at a time.
pub(super) fn is_control(byte: u8) -> bool {
    (byte < b' ') & (byte != b'\t') & (byte != b'\n') & (byte != b'\r')
}

/// Names and values of attributes, in the order of the file.
pub(super) type Attributes<'t> = Vec<(Cow<'t, str>, Cow<'t, str>)>;

/// The start of an element.
#[derive(Debug, Default)]
pub(super) struct Element<'t> {
    /// Its name.
    pub(super) name: Cow<'t, str>,
    /// Its attributes in the order of the file; no name stands twice.
    pub(super) attributes: Attributes<'t>,
    /// Its line in the file, from 1.
    pub(super) line: u32,
}

/// Goes through a file of which each element is seen once.
///
/// A JSON file has the elements that Tiled's XML of the same map would have.
pub(super) trait Cursor<'t> {
    /// Opens the next child of the open element (at first: the root); `None` at the element's end, which
    /// closes it.
    ///
    /// # Errors
    /// A file that is not well-formed, or is over a limit.
    fn next(&mut self) -> Result<Option<Element<'t>>, LoadErrorKind>;

    /// The text of the element that was closed last, its pieces joined.
    fn text(&mut self) -> Cow<'t, str>;

    /// Line and byte in that line, both from 1, of the part that was read last.
    fn position(&self) -> (u32, u32);

    /// Passes over all that is in the open element, and closes it.
    ///
    /// # Errors
    /// As of [`Self::next`].
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

/// The error of a file that is not well-formed XML, or not of the form that Tiled gives it.
pub(super) fn xml(reason: impl Into<String>) -> LoadErrorKind {
    LoadErrorKind::Xml { reason: reason.into() }
}
