//! Errors of a load: each names the file, the place in it, the cause, and one remedy.

#[cfg(any(feature = "tmx", feature = "mask"))]
mod file_fault;
mod warning;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, io};

use crate::text::{path_in_line, printable};
#[cfg(any(feature = "tmx", feature = "mask"))]
pub(crate) use file_fault::FileFault;
pub use warning::{LoadWarning, WarningCause};

/// The error of a level that could not be loaded.
///
/// `Display` and `Debug` write one line: the file as the caller named it, the place in the file, the fault,
/// and one remedy. Text from the file is escaped, and shortened if it is long.
#[derive(Clone)]
pub struct LoadError(Arc<ErrorDetails>);

struct ErrorDetails {
    path: PathBuf,
    place: Place,
    kind: LoadErrorKind,
}

/// The kind of a fault in a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// The file could not be read.
    Io(io::Error),
    /// The path is a folder, a device or a pipe.
    NotAFile,
    /// A number or size is above a fixed limit, or above a field of [`Limits`](crate::Limits).
    TooLarge {
        /// The quantity that is too large, with its unit. If it is limited by a field of
        /// [`Limits`](crate::Limits), the text names this field.
        what: &'static str,
        /// The largest allowed amount of the quantity that is too large.
        limit: u64,
        /// The amount that the file needs of the quantity that is too large.
        found: u64,
    },
    /// The memory does not suffice for the level, although it is within the limits. A tile layer with over
    /// 2^22 cells along one axis and fewer than 32 along the other also gives this error.
    NoMemory {
        /// The number of cells in the level.
        cells: u64,
    },
    /// The file is neither a Tiled map nor a mask.
    UnknownFormat {
        /// The kind of file that the content looks like.
        found: String,
    },
    /// The file is a level of another editor, which bitwall does not read.
    OtherEditor {
        /// The kind of file, with the name of the editor.
        found: &'static str,
    },
    /// The file needs a cargo feature of bitwall that is not enabled in this build.
    MissingFeature {
        /// The kind of file or data in words, such as `a file in JSON`.
        found: &'static str,
        /// The cargo feature of crate bitwall that reads such files.
        feature: &'static str,
    },
    /// The file is not well-formed XML, or not a map at all.
    Xml {
        /// The fault, in plain words.
        reason: String,
    },
    /// The text of the file is not in UTF-8, UTF-16, or a western encoding that the file names.
    Encoding {
        /// The fault, in plain words.
        reason: String,
    },
    /// The file is not well-formed JSON, or does not have the form of a Tiled file.
    Json {
        /// The fault, in plain words.
        reason: String,
    },
    /// The file does not have the form of an LDtk project or level, or it has no level with a requested name.
    Ldtk {
        /// The fault, in plain words.
        reason: String,
    },
    /// A world lists no maps, and no file matches one of its patterns.
    EmptyWorld {
        /// The number of file name patterns in the world. No file in the world's folder matches a pattern.
        patterns: usize,
    },
    /// A part of a map that Tiled would not have written, because it contradicts another part.
    Contradiction {
        /// The fault, in plain words.
        reason: String,
    },
    /// The value of an attribute is not valid.
    Value {
        /// The name of the element with the attribute.
        element: &'static str,
        /// The name of the attribute.
        attribute: String,
        /// The value of the attribute, as written in the file.
        value: String,
        /// The valid values of the attribute, in words.
        expected: &'static str,
    },
    /// A required attribute or child element is missing.
    Missing {
        /// The name of the incomplete element.
        element: &'static str,
        /// The name of the missing attribute or child element.
        attribute: &'static str,
    },
    /// The cell data of a layer cannot be decoded.
    CellData {
        /// The fault, in plain words.
        reason: String,
    },
    /// The number of cells in a layer differs from its width times its height.
    CellCount {
        /// The number of cells in the layer's data.
        found: u64,
        /// The stated width of the layer, in cells.
        width: u32,
        /// The stated height of the layer, in cells.
        height: u32,
    },
    /// A cell or an object has a gid (global tile id) that is in no tileset.
    UnknownTile {
        /// The gid (global tile id) as written in the file, with its flip flags.
        gid: u32,
        /// The reason that the tile does not exist.
        reason: String,
    },
    /// The value of a one-way property is not the name of a side.
    OneWay {
        /// The fault, in plain words.
        reason: String,
    },
    /// Two tilesets start at the same gid (global tile id), or a tileset starts at an invalid gid, such as 0.
    TilesetIds {
        /// The fault, in plain words.
        reason: String,
    },
    /// A file that the map refers to cannot be read.
    Reference {
        /// The kind of the file that cannot be read: a tileset, a template, or a map of a world.
        what: &'static str,
        /// The path of the file, as written in the file that refers to it.
        written: String,
        /// The path at which the file was searched.
        looked_in: PathBuf,
        /// The reason that the file could not be read.
        source: Box<LoadErrorKind>,
    },
    /// A file is outside the root folder of the load: see [`LoadOptions::root`](crate::LoadOptions::root).
    OutsideRoot {
        /// The root folder of the load.
        root: PathBuf,
    },
    /// The map refers to a file by an absolute path.
    AbsolutePath,
    /// The picture of a mask cannot be decoded.
    Picture {
        /// The fault, in plain words or in the words of the picture decoder.
        reason: String,
        /// True if `reason` is a message of the picture decoder, which may be hard to understand.
        by_decoder: bool,
    },
    /// The bytes of a baked level are damaged, or were written by a later version of bitwall.
    Baked {
        /// The fault, in plain words, with its place in the baked level.
        reason: String,
        /// One remedy for the fault.
        help: &'static str,
    },
    /// A `bitwall.toml` has an invalid key or value.
    Config {
        /// The fault in plain words, with the name of the faulty key.
        reason: String,
    },
    /// No layer, tile or object of the map is solid.
    NothingSolid {
        /// The names of the map's layers and properties, as text for the message.
        found: String,
        /// A name in the map that is nearly a word of the rules, as text for the message. `None` if there is
        /// no such name.
        near: Option<String>,
    },
}

impl LoadError {
    /// Returns an error of `kind` at `place` in the file at `path`.
    pub fn new(path: &Path, place: Place, kind: LoadErrorKind) -> Self {
        Self(Arc::new(ErrorDetails { path: path.to_owned(), place, kind }))
    }

    /// Returns the path of the file with the fault, as the caller named it.
    ///
    /// For a file that a map refers to, this is the path written in the map, joined to the map's folder.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Returns the place of the fault in the file.
    pub fn place(&self) -> &Place {
        &self.0.place
    }

    /// Returns the kind of the fault.
    pub fn kind(&self) -> &LoadErrorKind {
        &self.0.kind
    }

    /// Returns the fault in plain words, without the file and the place.
    pub fn headline(&self) -> String {
        self.0.kind.to_string()
    }

    /// Returns one remedy for the error.
    pub fn help(&self) -> &'static str {
        self.0.kind.help()
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ErrorDetails { path, place, kind } = &*self.0;
        let colon = if place.is_empty() { "" } else { ": " };
        write!(f, "{}: {place}{colon}{kind}; {}", path_in_line(path), kind.help())
    }
}

impl fmt::Debug for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let kind = match &self.0.kind {
            LoadErrorKind::Reference { source, .. } => source,
            kind => kind,
        };
        match kind {
            LoadErrorKind::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for LoadErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.parts().0)
    }
}

impl LoadErrorKind {
    /// Returns the error of this fault in the file at `path`, without a place in it.
    pub fn in_file(self, path: &Path) -> LoadError {
        LoadError::new(path, Place::default(), self)
    }

    /// Returns one remedy for the error.
    pub fn help(&self) -> &'static str {
        self.parts().1
    }

    /// True if a lenient load passes over the fault with a warning: see
    /// [`LoadOptions::lenient`](crate::LoadOptions::lenient).
    pub fn is_passable(&self) -> bool {
        match self {
            // Without the size of a cell, nothing has a place.
            Self::Value { element: "map", attribute, .. } => !attribute.starts_with("tile"),
            Self::Missing { element: "map", attribute } => !attribute.starts_with("tile"),
            Self::Reference { what, source, .. } => *what != "level" && !source.is_limit(),
            Self::Value { .. }
            | Self::Missing { .. }
            | Self::Contradiction { .. }
            | Self::CellData { .. }
            | Self::CellCount { .. }
            | Self::UnknownTile { .. }
            | Self::OneWay { .. }
            | Self::TilesetIds { .. }
            | Self::Encoding { .. } => true,
            _ => false,
        }
    }

    /// True for a limit on memory or work, which no option lifts for a single fault.
    pub(crate) fn is_limit(&self) -> bool {
        match self {
            Self::TooLarge { .. } | Self::NoMemory { .. } => true,
            Self::Reference { source, .. } => source.is_limit(),
            _ => false,
        }
    }

    /// Returns the two parts of an error message: the headline without control characters, and the text of
    /// [`LoadErrorKind::help`].
    fn parts(&self) -> (String, &'static str) {
        const SAVE: &str = "open the file in Tiled and save it again";
        const SAVE_LAYER: &str =
            "open the map in Tiled and save it again; a merge may have damaged the layer";
        match self {
            Self::Io(error) => (
                format!("cannot read the file: {}", io_reason(error)),
                "check the name and the permissions of the file",
            ),
            Self::NotAFile => (
                "not a regular file".to_owned(),
                "name a map (.tmx, .tmj), a world or a mask picture",
            ),
            Self::TooLarge { what, limit, found } => (
                format!("{what}: {found}, but the limit is {limit}"),
                "make it smaller; a limit that has a name can be raised in `LoadOptions::limits`",
            ),
            Self::NoMemory { cells } => (
                format!("there is no memory for a level of {cells} cells"),
                "make the level smaller",
            ),
            Self::UnknownFormat { found } => (
                format!("neither a Tiled map nor a mask: {}", printable(found)),
                "save the level from Tiled as .tmx, or save the mask as PNG",
            ),
            Self::MissingFeature { found, feature } => (
                format!(
                    "{found}, but this program was built without bitwall's feature `{feature}`"
                ),
                "save it in another form, or turn the feature on in the program's Cargo.toml",
            ),
            Self::OtherEditor { found } => (
                format!("{found}, which bitwall does not read"),
                "draw its walls in a mask picture, or in a text of `#` and `.` with a line for each row",
            ),
            Self::Xml { reason } | Self::Json { reason } => told(
                reason,
                "take an earlier version of the file, or correct the place in a text editor",
            ),
            Self::Encoding { reason } => told(reason, "save the file in UTF-8 with a text editor"),
            Self::Contradiction { reason } => told(reason, SAVE),
            Self::Ldtk { reason } => told(
                reason,
                "open the project in LDtk, save it again, and name its levels as there",
            ),
            Self::EmptyWorld { patterns: 0 } => {
                ("a world without maps".to_owned(), "add its maps to it in Tiled")
            }
            Self::EmptyWorld { .. } => (
                "a world of patterns that no file beside it matches".to_owned(),
                "put its maps beside it, or fix its patterns in Tiled",
            ),
            Self::Value { element, attribute, value, expected } => {
                let value = printable(value);
                let place = format!("`{}` of <{element}>", printable(attribute));
                (format!("{place} is `{value}`, which is not {expected}"), SAVE)
            }
            Self::Missing { element, attribute } => {
                (format!("<{element}> has no {attribute}"), SAVE)
            }
            Self::CellData { reason } => {
                (format!("the cell data is broken: {}", printable(reason)), SAVE_LAYER)
            }
            Self::CellCount { found, width, height } => {
                let needed = u64::from(*width) * u64::from(*height);
                let more = if *found > needed { "more than " } else { "" };
                let found = needed.min(*found);
                let size = format!("{width} x {height}, which needs {needed}");
                (format!("{more}{found} cells for {size}"), SAVE_LAYER)
            }
            Self::UnknownTile { gid, reason } => (
                format!("tile {gid} does not exist: {}", printable(reason)),
                "repaint the cell, or restore the tileset that the map was drawn with",
            ),
            Self::TilesetIds { reason } => told(reason, "add the tileset anew in Tiled"),
            Self::OneWay { reason } => {
                told(reason, "set it to true, or to the sides from which it blocks")
            }
            Self::Reference { what, written, looked_in, source } => {
                let reason = match &**source {
                    Self::Io(error) => io_reason(error),
                    other => other.to_string(),
                };
                let written = printable(written);
                let place = path_in_line(looked_in);
                let help = match &**source {
                    known @ (Self::OutsideRoot { .. } | Self::Json { .. }) => known.help(),
                    _ if *what == "map" => {
                        "put the file there, or take it out of the world in Tiled"
                    }
                    _ if *what == "level" => {
                        "put the file there, or save the project in LDtk again"
                    }
                    _ if what.contains("template") => {
                        "put the file there, or replace the template in Tiled"
                    }
                    _ => "put the file there, or fix its path in Tiled under Map > Tilesets",
                };
                let headline =
                    format!("cannot read {what} `{written}`: {reason} (looked in {place})");
                (headline, help)
            }
            Self::OutsideRoot { root } => (
                format!("it is outside the root folder `{}`", path_in_line(root)),
                "move it below that folder, or name a wider one in `LoadOptions::root`",
            ),
            Self::AbsolutePath => (
                "its path is absolute, not relative to the map's folder".to_owned(),
                "fix its path in Tiled under Map > Tilesets",
            ),
            Self::Picture { reason, .. } => (
                format!("the picture is broken: {}", printable(reason)),
                "export the picture again as PNG",
            ),
            Self::Baked { reason, help } => told(reason, help),
            Self::Config { reason } => (
                reason.clone(),
                "fix the file; the documentation of `LoadOptions::decode` and `VerifyConfig` shows every key",
            ),
            Self::NothingSolid { found, near } => (
                format!(
                    "nothing in the map is solid: {found}{}",
                    near.as_ref().map(|near| format!("; {near}")).unwrap_or_default()
                ),
                "name a layer `Collision`, or give it or its tiles the bool property `solid`; or say what is \
                 solid in a `bitwall.toml` or in `SolidRules`",
            ),
        }
    }
}

/// Returns the two parts of a message whose headline is a text from the file.
fn told(reason: &str, help: &'static str) -> (String, &'static str) {
    (printable(reason).to_string(), help)
}

/// Returns the reason that a read or write failed, in plain words, without the system's error number.
pub fn io_reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "a part of its path is a file".to_owned(),
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        _ => {
            let text = error.to_string();
            let reason = text.split(" (os error ").next().unwrap_or_default();
            printable(reason).to_string().to_lowercase()
        }
    }
}

/// A place in a file. Fields that are unknown or do not apply are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The line in the file and the position in this line in bytes, both from 1.
    pub line: Option<(u32, u32)>,
    /// The path of the layer that contains the place: the names of the groups around the layer, then its own
    /// name, as in `Walls/Houses`.
    pub layer: Option<String>,
    /// The id of the object of the map that is at the place.
    pub object: Option<u32>,
    /// The name of the tileset that contains the place.
    pub tileset: Option<String>,
    /// The column and row of a cell, from 0. They may be negative on an infinite map.
    pub cell: Option<(i32, i32)>,
    /// The column and row of a pixel of a mask, from 0.
    pub pixel: Option<(u32, u32)>,
}

impl Place {
    /// True if nothing is known about the place: all fields are `None`.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Place {
    /// Writes the known fields from the largest to the smallest part of the file: ``layer `walls`, col 18,
    /// row 14``.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some((line, column)) = self.line {
            parts.push(format!("line {line}, byte {column}"));
        }
        for (noun, name) in [("tileset", &self.tileset), ("layer", &self.layer)] {
            if let Some(name) = name.as_ref().filter(|name| !name.is_empty()) {
                parts.push(format!("{noun} `{}`", printable(name)));
            }
        }
        if let Some(object) = self.object {
            parts.push(format!("object {object}"));
        }
        if let Some((column, row)) = self.cell {
            parts.push(format!("col {column}, row {row}"));
        }
        if let Some((x, y)) = self.pixel {
            parts.push(format!("x {x}, y {y}"));
        }
        f.write_str(&parts.join(", "))
    }
}
