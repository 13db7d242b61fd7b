//! The files of a level, by path: what the page fetched, or what a person dropped on it. Nothing is decoded
//! here.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bitwall::load::{
    Files, LoadErrorKind, Reference, ReferenceKind, Source, decode_picture, plain, references,
};
use bitwall::rules::{AreaRule, Suggestion};
use bitwall::tmx::Space;
use bitwall::{LoadError, LoadOptions, LoadedLevel};
use wasm_bindgen::prelude::*;

/// The files that the page has so far, by path.
///
/// A person who drops files gives their names but not their folders. So a path that no file has also finds
/// the only file of the same name: `maps/../tiles/cave.tsx` finds `cave.tsx`.
#[wasm_bindgen]
#[derive(Clone, Default)]
pub struct LevelFiles(BTreeMap<PathBuf, Rc<[u8]>>);

#[wasm_bindgen]
impl LevelFiles {
    /// Makes an empty collection.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, or replaces the file of the same path.
    pub fn put(&mut self, path: &str, bytes: Vec<u8>) {
        self.0.insert(plain(Path::new(path)), bytes.into());
    }

    /// Returns the paths of all files.
    pub fn paths(&self) -> Vec<String> {
        self.0.keys().map(|path| path.display().to_string()).collect()
    }

    /// Returns a copy of a file; `undefined` if there is none at exactly this path.
    pub fn get(&self, path: &str) -> Option<Vec<u8>> {
        self.0.get(&plain(Path::new(path))).map(|bytes| bytes.to_vec())
    }

    /// Returns the paths of the files that may be levels, by their names: worlds first, then LDtk projects,
    /// maps, and pictures. Of the files named `.json` only those count that have layers: tilesets and much
    /// else have this ending too.
    pub fn levels(&self) -> Vec<String> {
        const KINDS: [&[&str]; 5] = [&["world"], &["ldtk"], &["tmx", "tmj"], &["json"], &["png"]];
        const LAYERS: &[u8] = b"\"layers\"";
        let is_of = |path: &Path, bytes: &[u8], kind: &[&str]| {
            let end = path.extension().unwrap_or_default().to_ascii_lowercase();
            kind.iter().any(|name| end == *name)
                && (end != "json" || bytes.windows(LAYERS.len()).any(|part| part == LAYERS))
        };
        let of = |kind| self.0.iter().filter(move |(path, bytes)| is_of(path, bytes, kind));
        KINDS.into_iter().flat_map(of).map(|(path, _)| path.display().to_string()).collect()
    }

    /// Returns the paths of files that the level at `path` names, itself or through other files, and that are
    /// not here: pictures of its art too. Call it again after these are put, until it returns nothing.
    pub fn missing(&self, path: &str) -> Vec<String> {
        let mut known = vec![PathBuf::from(path)];
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

impl LevelFiles {
    /// Returns the bytes of the file at `path`, or of the only file with its name.
    pub(crate) fn find(&self, path: &Path) -> Option<&[u8]> {
        let is_same = |known: &Path| known.file_name() == path.file_name();
        let by_name = || {
            let mut same = self.0.iter().filter(|(known, _)| is_same(known));
            same.next().filter(|_| same.next().is_none()).map(|(_, bytes)| bytes)
        };
        self.0.get(&plain(path)).or_else(by_name).map(|bytes| &**bytes)
    }

    /// Loads a level, and applies the suggestions of the numbers `choices`: each counts in the suggestions of
    /// the level with those before it. A number past the last one is ignored. Returns the arguments of the
    /// applied ones too.
    pub(crate) fn load(
        &self,
        path: &Path,
        choices: &[u32],
    ) -> Result<(LoadedLevel, Vec<String>), LoadError> {
        let mut options = LoadOptions {
            allow_nothing_solid: true,
            areas: ["ladder", "water"].map(AreaRule::named).into(),
            space: Space::Screen,
            ..LoadOptions::default()
        };
        let (mut loaded, mut chosen) = (self.decode(path, &options)?, Vec::new());
        for choice in choices {
            if let Some(suggestion) = self.suggestions(path, &loaded).get(*choice as usize) {
                chosen.extend(suggestion.arguments());
                suggestion.options.iter().for_each(|setting| options.apply(setting));
                loaded = self.decode(path, &options)?;
            }
        }
        Ok((loaded, chosen))
    }

    /// Returns the suggestions for a level. The picture of a mask is decoded for its colours.
    pub(crate) fn suggestions(&self, path: &Path, loaded: &LoadedLevel) -> Vec<Suggestion> {
        let picture = match loaded.source {
            Source::Mask(_) => self.find(path).and_then(|bytes| decode_picture(path, bytes).ok()),
            _ => None,
        };
        loaded.suggestions(picture.as_ref())
    }

    pub(crate) fn decode(
        &self,
        path: &Path,
        options: &LoadOptions,
    ) -> Result<LoadedLevel, LoadError> {
        LoadedLevel::decode(path, self.find(path).unwrap_or_default(), Reader(self), options)
    }
}

/// The files as a loader reads them.
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
}
