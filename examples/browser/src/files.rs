//! The files of a level by path, which the page fetched or a person dropped on it. They are not decoded here.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bitwall::error::LoadErrorKind;
use bitwall::load::{Files, Reference, ReferenceKind, is_type_file, references};
use bitwall::paths::plain;
use bitwall::tmx::Space;
use bitwall::{LoadError, LoadOptions, LoadedLevel};
use wasm_bindgen::prelude::*;

/// The files that the page has so far, by path.
///
/// Dropped files have names but no folders. So if no file has the requested path, the only file with the same
/// name is used: `maps/../tiles/cave.tsx` finds `cave.tsx`.
#[wasm_bindgen]
#[derive(Clone, Default)]
pub struct LevelFiles(BTreeMap<PathBuf, Rc<[u8]>>);

#[wasm_bindgen]
impl LevelFiles {
    /// Creates an empty collection.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, or replaces the file with the same path.
    pub fn put(&mut self, path: &str, contents: Vec<u8>) {
        self.0.insert(plain(Path::new(path)), contents.into());
    }

    /// Returns the paths of all files.
    pub fn paths(&self) -> Vec<String> {
        self.0.keys().map(|path| path.display().to_string()).collect()
    }

    /// Returns a copy of a file, or `undefined` if there is none at exactly this path.
    pub fn get(&self, path: &str) -> Option<Vec<u8>> {
        self.0.get(&plain(Path::new(path))).map(|bytes| bytes.to_vec())
    }

    /// Returns the paths of the files whose names may be those of levels: worlds first, then LDtk projects,
    /// maps, and pictures. A file named `.json` is included only if it has layers, because tilesets and many
    /// other files have this ending too.
    pub fn levels(&self) -> Vec<String> {
        const KINDS: [&[&str]; 5] = [&["world"], &["ldtk"], &["tmx", "tmj"], &["json"], &["png"]];
        let mut levels = Vec::new();
        for kind in KINDS {
            let found = self.0.iter().filter(|(path, bytes)| is_level(path, bytes, kind));
            levels.extend(found.map(|(path, _)| path.display().to_string()));
        }
        levels
    }

    /// Returns the paths of the files that are still missing for the level at `path`: files that it refers
    /// to, directly or through other files, including the pictures of its art. Add them and call this again,
    /// until it returns nothing.
    pub fn missing(&self, path: &str) -> Vec<String> {
        let mut known = vec![PathBuf::from(path)];
        // Any of these may define the classes of the level.
        known.extend(self.0.keys().filter(|path| is_type_file(path)).cloned());
        let (mut next, mut lost) = (0, Vec::new());
        while let Some(path) = known.get(next).cloned() {
            next += 1;
            let Some(bytes) = self.find(&path) else {
                lost.push(path.display().to_string());
                continue;
            };
            let named = references(&path, bytes).into_iter();
            let files = named.filter(|reference| reference.kind != ReferenceKind::Folder);
            for Reference { path, .. } in files {
                if !known.contains(&path) {
                    known.push(path);
                }
            }
        }
        lost
    }
}

/// True if a file of one of the kinds seems to be a level.
fn is_level(path: &Path, bytes: &[u8], kind: &[&str]) -> bool {
    const LAYERS: &[u8] = b"\"layers\"";
    let end = path.extension().unwrap_or_default().to_ascii_lowercase();
    kind.iter().any(|name| end == *name)
        && (end != "json" || bytes.windows(LAYERS.len()).any(|part| part == LAYERS))
}

impl LevelFiles {
    /// Returns the bytes of the file at `path`, or of the only file with the same name.
    pub(crate) fn find(&self, path: &Path) -> Option<&[u8]> {
        if let Some(bytes) = self.0.get(&plain(path)) {
            return Some(bytes);
        }
        let mut same = self.0.iter().filter(|(known, _)| known.file_name() == path.file_name());
        let (_, bytes) = same.next()?;
        if same.next().is_some() { None } else { Some(bytes) }
    }

    /// Loads a level, also one in which nothing is solid.
    pub(crate) fn load(&self, path: &Path) -> Result<LoadedLevel, LoadError> {
        let options = LoadOptions {
            allow_nothing_solid: true,
            space: Space::Screen,
            ..LoadOptions::default()
        };
        LoadedLevel::decode(path, self.find(path).unwrap_or_default(), Reader(self), &options)
    }
}

/// Lets a loader read the files.
pub(crate) struct Reader<'f>(pub(crate) &'f LevelFiles);

impl Files for Reader<'_> {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        let found = self.0.find(path).ok_or(Error::from(ErrorKind::NotFound))?;
        Ok(found.to_owned())
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        let folder = plain(folder);
        let inside = self.0.0.keys().filter(|path| path.parent() == Some(&folder));
        Ok(inside.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect())
    }

    fn absolute(&self, path: &Path) -> Option<PathBuf> {
        Some(path.to_owned())
    }
}
