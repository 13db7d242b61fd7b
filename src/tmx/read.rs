//! The reader of map, tileset and template files, in XML and JSON.
//!
//! A file is read once, element by element. A stated size is checked against the [`Limits`] before memory is
//! allocated for it, and each value is parsed once. Nothing here opens a file: the caller passes the bytes of
//! each referenced file. The reader has no notion of solids.

pub(super) mod cells;
pub(super) mod cursor;
mod encoding;
mod layer;
mod objects;
#[cfg(test)]
mod tests;
mod tileset;
mod types;
mod values;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

#[cfg(feature = "json")]
use super::json::JsonCursor;
#[cfg(feature = "json")]
use super::json::tree::{self, Node};
use super::{About, Doubt, Map, Tileset, Unknown, kept};
use crate::error::{LoadError, LoadErrorKind, LoadWarning, Place};
use crate::limits::{Limits, Spent, check};
use crate::paths::{is_absolute, is_tiled_project, joined};
use cursor::{Cursor, Element, MAX_ELEMENTS, MAX_NAME_BYTES, XmlCursor, xml};
use objects::Template;
pub(crate) use tileset::Tilesets;
pub(crate) use types::PropertyTypes;
use values::{MAX_TEXT_BYTES, Values};

/// The largest number of unknown elements that are recorded for a map and its files. Further ones are
/// skipped.
const MAX_UNKNOWN: usize = 1_024;

/// A function that returns the bytes of a file that a map refers to.
pub(crate) type Read<'r> = dyn FnMut(&Path) -> Result<Vec<u8>, LoadErrorKind> + 'r;

#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadOptions<'l> {
    pub(crate) limits: &'l Limits,
    /// True if a part with a fault is left out, with a warning in [`Map::faults`] instead of an error.
    pub(crate) lenient: bool,
}

impl Map {
    /// Reads a map in XML or JSON. `bytes` is the content of the file at `path`. `read` returns the bytes of
    /// a tileset or template.
    ///
    /// It gets the path of this file, joined to the folder of the file that names it. O(bytes of all these
    /// files).
    ///
    /// # Errors
    /// Fails for a file that cannot be read, and for a file that exceeds `limits`. The error states the file
    /// and the position in it. Faults of single layers and objects, and tilesets that cannot be read, are in
    /// [`Map::doubts`] instead: a level that is made of the map fails if they can change a solid pixel.
    pub fn decode(
        path: impl AsRef<Path>,
        bytes: &[u8],
        mut read: impl FnMut(&Path) -> io::Result<Vec<u8>>,
        limits: &Limits,
    ) -> Result<Self, LoadError> {
        Self::decode_counted(
            path.as_ref(),
            bytes,
            &mut |path| read(path).map_err(LoadErrorKind::Io),
            ReadOptions { limits, lenient: false },
            &mut Spent::default(),
            &mut Tilesets::default(),
        )
    }

    /// Reads a map as [`Self::decode`]. `spent` has the amounts used by the other maps of the same world.
    /// This map's amounts are added to them, because some limits hold for the whole world. `tilesets` has the
    /// tilesets that these maps have read from files, and gets those of this map.
    ///
    /// # Errors
    /// The same errors as [`Self::decode`].
    pub(crate) fn decode_counted(
        path: &Path,
        bytes: &[u8],
        read: &mut Read<'_>,
        options: ReadOptions<'_>,
        spent: &mut Spent,
        tilesets: &mut Tilesets,
    ) -> Result<Self, LoadError> {
        let mut shared = Shared::new(read, options, spent, tilesets);
        let read = read_file(path, bytes, Some("map"), &mut shared, &mut layer::read_map);
        // A world may leave out a map that cannot be read, but the work spent on the map counts.
        shared.spent.elements += shared.elements;
        read?;
        let mut map = shared.map;
        map.tilesets.append(&mut shared.template_tilesets);
        Ok(map)
    }

    /// Records a fault that cannot change a solid pixel.
    pub(super) fn warn(&mut self, place: Place, kind: &LoadErrorKind) {
        LoadWarning::fault(place, kind, 1).add_to(&mut self.faults);
    }

    /// Records a fault that may change a solid pixel. Fails if the names and values take too much memory.
    pub(super) fn doubt(
        &mut self,
        about: About,
        error: LoadError,
        spent: &mut Spent,
    ) -> Result<(), LoadErrorKind> {
        // An error has some allocations of its own.
        kept::keep(spent, 512 + kept::text(error.path().as_os_str().len()))?;
        self.doubts.push(Doubt { about, error });
        Ok(())
    }
}

/// The state shared by all files of a map: the part of the map that has been read, and the amounts used of
/// each limit.
struct Shared<'s> {
    limits: &'s Limits,
    is_lenient: bool,
    read: &'s mut Read<'s>,
    spent: &'s mut Spent,
    map: Map,
    tilesets: &'s mut Tilesets,
    templates: HashMap<PathBuf, Rc<Template>>,
    /// The tilesets that are named only by templates.
    template_tilesets: Vec<Tileset>,
    elements: u64,
    layers: u64,
    objects: u64,
    points: u64,
    /// The files that the file refers to, if it is read only for these. Then no other file is read, and no
    /// cells are decoded.
    names: Option<Vec<(PathBuf, ReferenceKind)>>,
}

impl<'s> Shared<'s> {
    fn new(
        read: &'s mut Read<'s>,
        options: ReadOptions<'s>,
        spent: &'s mut Spent,
        tilesets: &'s mut Tilesets,
    ) -> Self {
        Self {
            limits: options.limits,
            is_lenient: options.lenient,
            read,
            spent,
            map: Map::default(),
            tilesets,
            templates: HashMap::new(),
            template_tilesets: Vec::new(),
            elements: 0,
            layers: 0,
            objects: 0,
            points: 0,
            names: None,
        }
    }

    /// Counts bytes of names and values in the document. The texts of a template count for each object made
    /// from it.
    fn keep(&mut self, bytes: usize) -> Result<(), LoadErrorKind> {
        kept::keep(self.spent, bytes)
    }
}

/// Counts an amount that has a limit: adds `more` to `amount`, or fails if the sum is above `limit`. The text
/// `what` names the amount in the error.
pub(super) fn spend(
    what: &'static str,
    amount: &mut u64,
    more: u64,
    limit: u64,
) -> Result<(), LoadErrorKind> {
    *amount += more;
    check(what, *amount, limit)
}

enum ReadFailure {
    /// A fault in the file that is being read, at the position of the cursor.
    Here(LoadErrorKind),
    /// A fault in another file that the file being read refers to.
    Elsewhere(LoadError),
}

impl From<LoadErrorKind> for ReadFailure {
    fn from(kind: LoadErrorKind) -> Self {
        Self::Here(kind)
    }
}

impl From<LoadError> for ReadFailure {
    fn from(error: LoadError) -> Self {
        Self::Elsewhere(error)
    }
}

/// Reads a file that another file refers to. `written` is its path as the other file writes it, `looked_in`
/// is this path joined to the folder of the other file, and `what` is its kind, for errors.
pub(crate) fn read_reference(
    read: &mut Read<'_>,
    what: &'static str,
    written: &str,
    looked_in: &Path,
) -> Result<Vec<u8>, LoadErrorKind> {
    check("bytes in the path of a file", written.len() as u64, MAX_NAME_BYTES)?;
    let bytes =
        if is_absolute(written) { Err(LoadErrorKind::AbsolutePath) } else { read(looked_in) };
    bytes.map_err(|source| LoadErrorKind::Reference {
        what,
        written: written.to_owned(),
        looked_in: looked_in.to_owned(),
        source: Box::new(source),
    })
}

struct Reader<'f, 's> {
    path: &'f Path,
    cursor: Box<dyn Cursor<'f> + 'f>,
    shared: &'f mut Shared<'s>,
    /// The layer, object or tileset being read, for error messages.
    place: Place,
    /// True for the map's own file.
    is_map: bool,
    /// The index in [`Map::walk`] of the layer being read.
    layer: Option<usize>,
    /// The index in its layer of the object being read.
    object: Option<usize>,
}

/// Opens a file and calls `read` with its root element. Fails if the root element does not have the name
/// `root`; `None` allows any name.
fn read_file(
    path: &Path,
    bytes: &[u8],
    root: Option<&'static str>,
    shared: &mut Shared<'_>,
    read: &mut dyn FnMut(&mut Reader<'_, '_>, Element<'_>) -> Result<(), ReadFailure>,
) -> Result<(), LoadError> {
    shared.spent.read(bytes);
    let size = shared.limits.check_file(bytes.len() as u64);
    let size = size.and_then(|()| shared.spent.check_bytes(shared.limits));
    size.map_err(|kind| whole_file(path, kind))?;
    let text = encoding::to_utf8(bytes, shared.limits.file_bytes(), shared.is_lenient);
    let (text, fault) = text.map_err(|kind| whole_file(path, kind))?;
    if let Some(fault) = fault {
        shared.map.warn(Place::default(), &fault);
    }
    let mut tree = None;
    let cursor = open(&text, &mut tree).map_err(|kind| whole_file(path, kind))?;
    let place = Place::default();
    let is_map = root == Some("map");
    let mut reader = Reader { path, cursor, shared, place, is_map, layer: None, object: None };
    let done = reader.root(root).and_then(|element| read(&mut reader, element));
    done.map_err(|failure| reader.error(failure))
}

fn whole_file(path: &Path, kind: LoadErrorKind) -> LoadError {
    LoadError::new(path, Place::default(), kind)
}

/// Returns a cursor before the root element of a file in XML or JSON. A JSON file is parsed into
/// `tree`, from which its cursor borrows.
fn open<'t>(
    text: &'t str,
    tree: &'t mut Option<Node<'t>>,
) -> Result<Box<dyn Cursor<'t> + 't>, LoadErrorKind> {
    if !is_json(text.as_bytes()) {
        return Ok(Box::new(XmlCursor::new(text)?));
    }
    #[cfg(feature = "json")]
    {
        let root = tree.insert(tree::parse(text.as_bytes(), "")?);
        Ok(Box::new(JsonCursor::new(text.as_bytes(), root)?))
    }
    #[cfg(not(feature = "json"))]
    {
        *tree = None;
        Err(LoadErrorKind::MissingFeature { found: "a file in JSON", feature: "json" })
    }
}

pub(super) fn is_json(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    text.trim_ascii_start().first() == Some(&b'{')
}

#[cfg(not(feature = "json"))]
type Node<'t> = std::marker::PhantomData<&'t ()>;

impl<'f, 's> Reader<'f, 's> {
    fn root(&mut self, name: Option<&'static str>) -> Result<Element<'f>, ReadFailure> {
        let root = self.child()?.ok_or_else(|| xml("no element in the file"))?;
        if name.is_none_or(|name| root.name == name) {
            return Ok(root);
        }
        let name = name.unwrap_or_default();
        let found = root.name;
        Err(ReadFailure::Here(match &*found {
            "tileset" | "template" if name == "map" => {
                LoadErrorKind::UnknownFormat { found: format!("a Tiled {found}") }
            }
            _ => xml(format!("the root element is <{found}>, not <{name}>")),
        }))
    }

    /// Opens the next child of the innermost open element. After the last child it closes the element and
    /// returns `None`.
    fn child(&mut self) -> Result<Option<Element<'f>>, ReadFailure> {
        let child = self.uncounted_child()?;
        if child.is_some() {
            self.count_element()?;
        }
        Ok(child)
    }

    /// Opens the next child as [`Self::child`], but does not count it. A child that its JSON value cannot
    /// make is passed over.
    fn uncounted_child(&mut self) -> Result<Option<Element<'f>>, ReadFailure> {
        loop {
            match self.cursor.next() {
                Err(kind @ LoadErrorKind::Json { .. }) => self.doubt(kind)?,
                child => return Ok(child?),
            }
        }
    }

    fn count_element(&mut self) -> Result<(), LoadErrorKind> {
        spend("elements in the files of the map", &mut self.shared.elements, 1, MAX_ELEMENTS)
    }

    /// Skips an element that the reader does not know in the element `parent`. Records it in
    /// [`Map::unknown`], except for a few elements of Tiled's editor.
    fn pass(&mut self, element: &Element<'_>, parent: &'static str) -> Result<(), ReadFailure> {
        const KNOWN: [&str; 4] = ["editorsettings", "terraintypes", "transformations", "wangsets"];
        let is_short = element.name.len() as u64 <= MAX_NAME_BYTES;
        let unknown = &mut self.shared.map.unknown;
        if is_short && unknown.len() < MAX_UNKNOWN && !KNOWN.contains(&&*element.name) {
            unknown.push(Unknown {
                element: element.name.clone().into_owned(),
                parent: parent.to_owned(),
                file: self.path.to_owned(),
                line: element.line,
            });
        }
        Ok(self.cursor.skip()?)
    }

    /// Records a file that the current file refers to, if the file is read for these. `written` is the path
    /// as the file writes it. Absolute paths are left out.
    fn name(&mut self, written: &str, path: &Path, kind: ReferenceKind) {
        if let Some(names) = &mut self.shared.names
            && !is_absolute(written)
        {
            names.push((path.to_owned(), kind));
        }
    }

    /// Closes the innermost open element, named `element`. Its remaining children are skipped as in
    /// [`Self::pass`].
    fn end(&mut self, element: &'static str) -> Result<(), ReadFailure> {
        while let Some(child) = self.child()? {
            self.pass(&child, element)?;
        }
        Ok(())
    }

    /// Closes the innermost open element as [`Self::end`], and returns its text. Line ends become `\n`, as in
    /// XML.
    fn text(&mut self, element: &'static str) -> Result<Cow<'f, str>, ReadFailure> {
        self.end(element)?;
        let text = self.cursor.text();
        check("bytes in a text", text.len() as u64, MAX_TEXT_BYTES)?;
        if text.contains('\r') {
            return Ok(text.replace("\r\n", "\n").replace('\r', "\n").into());
        }
        Ok(text)
    }

    /// Returns the place for an error message: the layer, object or tileset being read, and the position of
    /// the cursor in the file.
    fn place_in_file(&self) -> Place {
        Place { line: Some(self.cursor.position()), ..self.place.clone() }
    }

    fn error(&self, failure: ReadFailure) -> LoadError {
        match failure {
            ReadFailure::Elsewhere(error) => error,
            ReadFailure::Here(kind) => LoadError::new(self.path, self.place_in_file(), kind),
        }
    }

    /// Records a fault that cannot change a solid pixel.
    fn warn(&mut self, kind: &LoadErrorKind) {
        let mut place = self.place_in_file();
        place.line = place.line.filter(|_| self.is_map);
        self.shared.map.warn(place, kind);
    }

    /// Passes over a fault. In a layer or object of the map, the rules decide later whether it is an error.
    ///
    /// # Errors
    /// Fails for a limit. Elsewhere, fails with the fault unless the load is lenient.
    fn doubt(&mut self, failure: impl Into<ReadFailure>) -> Result<(), ReadFailure> {
        let about = match (self.layer, self.object) {
            (Some(layer), Some(object)) => About::Object(layer, object),
            (Some(layer), None) => About::Layer(layer),
            _ if self.shared.is_lenient => {
                let error = self.passable(failure)?;
                self.shared.map.warn(error.place().clone(), error.kind());
                return Ok(());
            }
            _ => return Err(failure.into()),
        };
        self.doubt_about(about, failure)
    }

    /// Returns the error of a fault that a load may pass over. Fails for a limit.
    fn passable(&self, failure: impl Into<ReadFailure>) -> Result<LoadError, ReadFailure> {
        let error = self.error(failure.into());
        if error.kind().is_limit() { Err(error.into()) } else { Ok(error) }
    }

    fn doubt_about(
        &mut self,
        about: About,
        failure: impl Into<ReadFailure>,
    ) -> Result<(), ReadFailure> {
        let error = self.passable(failure)?;
        Ok(self.shared.map.doubt(about, error, self.shared.spent)?)
    }

    /// Reads the innermost open element with `read`. A lenient load leaves out an element with a fault.
    fn part(
        &mut self,
        read: &mut dyn FnMut(&mut Self) -> Result<(), ReadFailure>,
    ) -> Result<(), ReadFailure> {
        let depth = self.cursor.depth();
        let Err(failure) = read(self) else { return Ok(()) };
        let error = self.passable(failure)?;
        if !self.shared.is_lenient || !self.can_leave(depth) {
            return Err(error.into());
        }
        self.shared.map.warn(error.place().clone(), error.kind());
        (self.layer, self.object, self.place) = (None, None, Place::default());
        Ok(())
    }

    /// Closes the open elements down to the one at `depth`. Returns false if the rest of the file cannot be
    /// read.
    fn can_leave(&mut self, depth: usize) -> bool {
        while self.cursor.depth() >= depth {
            match self.cursor.next() {
                Ok(_) | Err(LoadErrorKind::Json { .. }) => {}
                Err(_) => return false,
            }
        }
        true
    }
}

/// Returns the error for a part of a file that Tiled would not have written.
fn contradiction(reason: impl Into<String>) -> LoadErrorKind {
    LoadErrorKind::Contradiction { reason: reason.into() }
}

/// The kind of a file that another file refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ReferenceKind {
    /// A map of a world, which may refer to more files, or a level of an LDtk project.
    Map,
    /// A tileset. It may refer to a picture, and to templates for the collision shapes of its tiles.
    Tileset,
    /// An object template. It may refer to a tileset.
    Template,
    /// A file with the classes of a Tiled project, as before Tiled 1.9. It refers to no files.
    PropertyTypes,
    /// A picture that is only needed to draw the level. A load does not read it, except as described in
    /// [`references()`](crate::load::references()).
    Art,
    /// The folder of a world that finds its maps by patterns. [`Files::names`](crate::load::Files::names)
    /// gives the names in the folder, and `tmx::WorldFile::maps_among` selects the maps.
    Folder,
}

/// Returns the paths of the files that a Tiled file refers to: see [`super::files_named`].
pub(super) fn files_named(path: &Path, bytes: &[u8]) -> Vec<(PathBuf, ReferenceKind)> {
    let limits = &Limits::default();
    if is_tiled_project(path) {
        let mut types = PropertyTypes::default();
        // The file is named at the start, before any fault.
        let _ = types.read(path, bytes, limits);
        let named = types.types_file.filter(|written| !is_absolute(written));
        let named = named.map(|written| (joined(path, &written), ReferenceKind::PropertyTypes));
        return Vec::from_iter(named);
    }
    let options = ReadOptions { limits, lenient: true };
    let mut read = |_: &Path| Err(LoadErrorKind::AbsolutePath);
    let mut spent = Spent::default();
    let mut tilesets = Tilesets::default();
    let mut shared = Shared::new(&mut read, options, &mut spent, &mut tilesets);
    shared.names = Some(Vec::new());
    // The search ends at the first fault.
    let _ = read_file(path, bytes, None, &mut shared, &mut |reader, element| {
        match &*element.name {
            "map" => layer::read_map(reader, element)?,
            "tileset" => {
                tileset::read(reader, Values::new("tileset", element.attributes), Some(1))?;
            }
            "template" => {
                objects::template_content(reader)?;
            }
            _ => {}
        }
        Ok(())
    });
    shared.names.unwrap_or_default()
}
