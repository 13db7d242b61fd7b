//! The one reader of map and tileset files.
//!
//! It goes through a file once, checks it against the [`Limits`], and splits it in two: what must be exact
//! or checked (sizes, first ids, cell data, coordinates) becomes a [`Document`]; everything else is written
//! into a canonical copy for crate `tiled`: one file, tilesets within, without cell data, pictures by
//! number, objects without their shapes, every value known to be good. So `tiled` never parses what somebody
//! else wrote, which by itself it cannot do safely (it panics on short layers and gives all memory away for a
//! large `tilecount`).

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::UVec2;
use quick_xml::Reader as Xml;
use quick_xml::events::{BytesStart, Event};

use super::attributes::{Attributes, xml};
use super::document::{Document, RawObject};
use super::file_text::{FileText, line_ends};
use super::open::{OpenLayer, OpenObject};
use super::schema::{self, Element, Shape};
use super::template::Templates;
use crate::error::{LoadError, LoadErrorKind, Place};
use crate::limits::{Limits, Spent, check};

/// What an element means to the reader, beside being copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    Map,
    Template,
    Tileset,
    Grid,
    Image,
    ImageData,
    Tile,
    TileShapes,
    TileShape,
    Layer,
    Data,
    Cell,
    Chunk,
    ObjectGroup,
    Object,
    Shape(Shape),
    ImageLayer,
    Group,
    Properties,
    Property,
}

/// How the files that a map refers to are read.
pub(super) type Read<'r> = dyn FnMut(&Path) -> Result<Vec<u8>, LoadErrorKind> + 'r;

/// Reads the map `file`, which lies at `path`; `read` reads its tilesets and templates.
pub(super) fn read<'a>(
    path: &Path,
    file: &'a FileText<'_>,
    read: &mut Read<'_>,
    limits: &Limits,
    spent: &mut Spent,
) -> Result<(Document<'a>, Vec<PathBuf>), LoadError> {
    let mut shared = Shared {
        limits,
        read,
        images: Vec::new(),
        embedded: BTreeMap::new(),
        path_bytes: 0,
        templates: Templates::default(),
        bytes: file.text.len() as u64,
        elements: 0,
        objects: 0,
        points: 0,
        cells: spent.tiles,
        copied: spent.copied,
    };
    let mut document = FileReader::new(path, file, &mut shared).root(&schema::MAP, None)?;
    document.embedded = shared.embedded;
    spent.tiles = shared.cells;
    spent.copied += document.canonical.len() as u64;
    spent.elements += shared.elements;
    Ok((document, shared.images))
}

/// What the files of one map share: the limits, what has been used of them, and the pictures.
pub(super) struct Shared<'s, 'r> {
    pub(super) limits: &'s Limits,
    pub(super) read: &'s mut Read<'r>,
    /// The pictures by the number that stands for them in the canonical copy.
    pub(super) images: Vec<PathBuf>,
    /// The pictures that are inside the files, by the path that stands for each.
    pub(super) embedded: BTreeMap<PathBuf, Arc<[u8]>>,
    pub(super) path_bytes: u64,
    pub(super) templates: Templates,
    pub(super) bytes: u64,
    pub(super) elements: u64,
    pub(super) objects: u64,
    pub(super) points: u64,
    pub(super) cells: u64,
    /// Bytes in the canonical copies of other maps of the same world.
    pub(super) copied: u64,
}

/// Goes through one file.
pub(super) struct FileReader<'t, 'x, 's, 'r> {
    pub(super) path: &'x Path,
    file: &'t FileText<'t>,
    xml: Xml<&'t [u8]>,
    /// Where the event that is being read starts, in bytes.
    at: u64,
    /// A place in bytes, and the line that it is in.
    line: (u64, u32),
    depth: u32,
    pub(super) document: Document<'t>,
    pub(super) shared: &'x mut Shared<'s, 'r>,
    /// The layer, object and tileset that is being read, for messages.
    pub(super) place: Place,
    /// The groups around what is being read, the outermost first.
    pub(super) groups: Vec<usize>,
    /// The objects of the group or tile that is being read.
    pub(super) objects: Vec<RawObject>,
    /// The object that is being read.
    pub(super) object: OpenObject,
    /// The layer that is being read.
    pub(super) layer: OpenLayer<'t>,
    /// Width and height of the picture of the tileset that is being read, if it states them.
    pub(super) picture: Option<(u32, u32)>,
    /// As `picture`, of the tile that is being read.
    pub(super) tile_picture: Option<UVec2>,
    /// The names of the properties that are being read, one set for each list.
    pub(super) properties: Vec<HashSet<String>>,
    /// The ids of the tileset that is being read.
    pub(super) tile_ids: HashSet<u32>,
}

impl<'t, 'x, 's, 'r> FileReader<'t, 'x, 's, 'r> {
    pub(super) fn new(
        path: &'x Path,
        file: &'t FileText<'_>,
        shared: &'x mut Shared<'s, 'r>,
    ) -> Self {
        let mut xml = Xml::from_str(&file.text);
        xml.config_mut().expand_empty_elements = true;
        Self {
            path,
            file,
            xml,
            at: 0,
            line: (0, 1),
            depth: 0,
            document: Document::default(),
            shared,
            place: Place::default(),
            groups: Vec::new(),
            objects: Vec::new(),
            object: OpenObject::default(),
            layer: OpenLayer::default(),
            picture: None,
            tile_picture: None,
            properties: Vec::new(),
            tile_ids: HashSet::new(),
        }
    }

    /// Reads the whole file, whose root must be `element`. A tileset's own file has no first id; its
    /// map's is `first_gid`.
    pub(super) fn root(
        mut self,
        element: &'static Element,
        first_gid: Option<u32>,
    ) -> Result<Document<'t>, LoadError> {
        let mut seen = false;
        loop {
            match self.next()? {
                Event::Eof if seen => return Ok(self.document),
                Event::Eof => {
                    return Err(self.error(xml(format!("no <{}> in the file", element.name))));
                }
                Event::Start(start) if !seen => {
                    seen = true;
                    self.check_root(element, &start)?;
                    self.element(element, &start, Role::Plain, first_gid)?;
                }
                Event::Start(_) => return Err(self.error(xml("a second root element"))),
                Event::Decl(decl) => self.check_encoding(&decl)?,
                Event::Text(text) if text.trim_ascii().is_empty() => {}
                Event::Comment(_) | Event::PI(_) | Event::DocType(_) => {}
                _ => return Err(self.error(xml("text outside the root element"))),
            }
        }
    }

    fn check_root(&self, element: &Element, start: &BytesStart<'_>) -> Result<(), LoadError> {
        let name = start.name().into_inner();
        if name == element.name {
            return Ok(());
        }
        Err(self.error(match (name, element.role) {
            ("tileset" | "template", Role::Map) => LoadErrorKind::UnknownFormat {
                found: format!("a Tiled {name}"),
            },
            _ => xml(format!(
                "the root element is <{name}>, not <{}>",
                element.name
            )),
        }))
    }

    /// Only UTF-8 is read; a file of plain ASCII may call itself what it likes.
    fn check_encoding(&self, decl: &quick_xml::events::BytesDecl<'_>) -> Result<(), LoadError> {
        match decl.encoding() {
            Some(Ok(name)) if !name.eq_ignore_ascii_case("utf-8") && !self.file.text.is_ascii() => {
                Err(self.error(xml(format!("text in the encoding {name}, not UTF-8"))))
            }
            _ => Ok(()),
        }
    }

    fn next(&mut self) -> Result<Event<'t>, LoadError> {
        self.at = self.xml.buffer_position();
        let event = self.xml.read_event();
        event.map_err(|error| {
            self.at = self.xml.error_position();
            self.error(xml(error.to_string()))
        })
    }

    /// The line of what is being read, from 1; 0 in a file without lines of its own.
    pub(super) fn line(&mut self) -> u32 {
        if self.file.is_made {
            return 0;
        }
        let (from, line) = self.line;
        let passed = self
            .file
            .text
            .as_bytes()
            .get(from as usize..self.at as usize);
        let lines = passed.map_or(0, line_ends);
        self.line = (self.at, line.saturating_add(lines));
        self.line.1
    }

    pub(super) fn error(&self, kind: LoadErrorKind) -> LoadError {
        if self.file.is_made {
            return LoadError::new(self.path, self.place.clone(), kind);
        }
        let text = self.file.text.as_bytes();
        let before = &text[..(self.at as usize).min(text.len())];
        let line = line_ends(before).saturating_add(1);
        let column = before
            .iter()
            .rev()
            .take_while(|byte| **byte != b'\n')
            .count()
            + 1;
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let place = Place {
            line: Some((line, small(column))),
            ..self.place.clone()
        };
        LoadError::new(self.path, place, kind)
    }

    pub(super) fn check(
        &self,
        what: &'static str,
        found: impl Into<u64>,
        limit: impl Into<u64>,
    ) -> Result<(), LoadError> {
        check(what, found, limit).map_err(|kind| self.error(kind))
    }

    /// Reads an element that the schema names, and all that is in it.
    pub(super) fn element(
        &mut self,
        element: &'static Element,
        start: &BytesStart<'t>,
        parent: Role,
        first_gid: Option<u32>,
    ) -> Result<(), LoadError> {
        self.enter(start)?;
        if element.role != Role::Cell {
            self.shared.elements += 1;
            let (found, limit) = (self.shared.elements, self.shared.limits.xml_elements);
            self.check("elements in the files of the map", found, limit)?;
        }
        let mut attributes = Attributes::parse(start, element, self.shared.limits)
            .map_err(|kind| self.error(kind))?;
        // An empty type hides the class from `tiled`.
        if attributes.text("type") == Some("") {
            attributes.remove("type");
        }
        match element.role {
            Role::Property => self.property(element, &mut attributes)?,
            Role::Tileset if parent == Role::Template => self.template_tileset(&attributes)?,
            Role::Object if parent == Role::Template => {
                self.template_object(element, attributes)?
            }
            Role::Object | Role::TileShape if attributes.text("template").is_some() => {
                self.instance(element, attributes)?;
            }
            Role::Tileset if attributes.text("source").is_some() => {
                self.tileset_file(element, &attributes, first_gid)?;
            }
            role => {
                let copied = self
                    .open(role, parent, &mut attributes, first_gid)
                    .map_err(|kind| self.error(kind))?;
                if copied {
                    attributes.write(&mut self.document.canonical);
                }
                let text = self.content(role, element.children)?;
                if role == Role::Map {
                    self.add_template_tilesets();
                }
                self.close(role, &attributes, text)
                    .map_err(|kind| self.error(kind))?;
                if copied {
                    self.write_end(element)?;
                }
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Counts an element, and refuses a name with a prefix.
    fn enter(&mut self, start: &BytesStart<'_>) -> Result<(), LoadError> {
        self.depth += 1;
        let limit = self.shared.limits.xml_depth;
        self.check("elements within elements", self.depth, limit)?;
        let name = start.name().into_inner();
        if name.contains(':') {
            return Err(self.error(xml(format!(
                "<{name}> has a prefix, which map files do not"
            ))));
        }
        Ok(())
    }

    /// Reads what is in an element, to its end tag: the `children`, and the text if `role` has any.
    pub(super) fn content(
        &mut self,
        role: Role,
        children: &[&'static Element],
    ) -> Result<Cow<'t, str>, LoadError> {
        let takes_text = matches!(
            role,
            Role::Data | Role::Chunk | Role::ImageData | Role::Property
        );
        let mut single: Vec<&str> = Vec::new();
        let mut text = Cow::Borrowed("");
        loop {
            let piece = match self.next()? {
                Event::Start(start) => {
                    let name = start.name().into_inner();
                    match children.iter().find(|child| child.name == name) {
                        Some(child) if child.is_single && single.contains(&child.name) => {
                            return Err(self.error(xml(format!("a second <{name}>"))));
                        }
                        Some(child) => {
                            if child.is_single {
                                single.push(child.name);
                            }
                            self.element(child, &start, role, None)?;
                        }
                        None => self.skip(&start)?,
                    }
                    continue;
                }
                Event::End(_) => return Ok(text),
                Event::Eof => return Err(self.error(xml("the file ends within an element"))),
                Event::Text(piece) => piece.into_inner(),
                Event::CData(piece) => piece.into_inner(),
                Event::GeneralRef(reference) => self.resolve(&reference)?,
                _ => continue,
            };
            if takes_text {
                // The text of a layer is one piece but for comments and the like, and is not copied.
                if text.is_empty() {
                    text = piece;
                } else {
                    text.to_mut().push_str(&piece);
                }
            }
        }
    }

    /// The text that `&name;` or `&#n;` stands for.
    fn resolve(
        &self,
        reference: &quick_xml::events::BytesRef<'_>,
    ) -> Result<Cow<'t, str>, LoadError> {
        if let Ok(Some(character)) = reference.resolve_char_ref() {
            return Ok(character.to_string().into());
        }
        quick_xml::escape::resolve_xml_entity(reference)
            .map(Cow::Borrowed)
            .ok_or_else(|| self.error(xml(format!("`&{};` is not defined", &**reference))))
    }

    /// Passes over an element that means nothing here, and all that is in it.
    fn skip(&mut self, start: &BytesStart<'_>) -> Result<(), LoadError> {
        let outer = self.depth;
        self.enter(start)?;
        while self.depth > outer {
            match self.next()? {
                Event::Start(start) => self.enter(&start)?,
                Event::End(_) => self.depth -= 1,
                Event::Eof => return Err(self.error(xml("the file ends within an element"))),
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn write_end(&mut self, element: &Element) -> Result<(), LoadError> {
        let canonical = &mut self.document.canonical;
        canonical.push_str("</");
        canonical.push_str(element.name);
        canonical.push('>');
        self.check_copy()
    }
}
