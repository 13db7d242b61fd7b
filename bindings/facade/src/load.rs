//! Levels from files: a path, bytes with the other files by name, and the options of a `bitwall.toml` as
//! text.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use bitwall::error::LoadErrorKind;
use bitwall::load::{CONFIG, Files as CoreFiles, ReferenceKind, references};
use bitwall::{LoadOptions, LoadedLevel};
#[cfg(feature = "disk")]
use bitwall::{
    Project,
    load::{Disk, Links, read_file},
};

use crate::level::{Kept, lines};
use crate::*;

/// A level with its documents and the files that it was made of.
#[derive(Clone)]
pub(crate) struct Loaded {
    pub(crate) source: LoadedLevel,
    files: Vec<String>,
    /// Names a file as the game knows it.
    name: fn(&Path) -> String,
}

/// The files of a level that is not loaded from the disk: from an archive, an engine's resources or the
/// network. Put the level's own file first, then ask for those that are wanted until there is none.
#[derive(Default)]
pub struct Files {
    contents: BTreeMap<PathBuf, Vec<u8>>,
    /// The files that `wanted` has named, and those that are put.
    known: HashSet<String>,
    /// The files whose references are not read yet.
    unread: Vec<PathBuf>,
    /// The files to name, the next one last.
    wanted: Vec<String>,
}

impl Files {
    /// Makes an empty collection of files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts the bytes of a file, under the path by which it was wanted.
    pub fn put(&mut self, path: &str, bytes: &[u8]) {
        let path = PathBuf::from(path);
        self.known.insert(plain_name(&path));
        self.unread.push(path.clone());
        self.contents.insert(path, bytes.to_vec());
    }

    /// Returns the path of a file to which the files so far refer, each once; empty if there is none. A file
    /// that cannot be had is not put. `pictures` is true if the pictures for drawing are wanted too: a load
    /// reads one only if a map uses tiles beyond those that its tileset states. Maps that a world finds by a
    /// pattern are not named.
    pub fn wanted(&mut self, pictures: bool) -> String {
        while let Some(path) = self.unread.pop() {
            let found = references(&path, &self.contents[&path]).into_iter().rev();
            let found = found.filter(|file| match file.kind {
                ReferenceKind::Folder => false,
                ReferenceKind::Art => pictures,
                _ => true,
            });
            self.wanted.extend(found.map(|file| plain_name(&file.path)));
        }
        while let Some(name) = self.wanted.pop() {
            if self.known.insert(name.clone()) {
                return name;
            }
        }
        String::new()
    }
}

/// The name of a file of the disk.
fn disk_name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The name of a file that is not on the disk, of an archive or a URL: no archive knows
/// `maps/../tiles/cave.tsx`. Only the text counts, so `https://host` stays.
fn plain_name(path: &Path) -> String {
    let text = path.to_string_lossy();
    let parts: Vec<&str> = text.split(std::path::is_separator).collect();
    let root = match parts[..] {
        [scheme, "", _, ..] if scheme.ends_with(':') => 3,
        ["", ..] => 1,
        _ => 0,
    };
    let mut kept = parts[..root].to_vec();
    for part in &parts[root..] {
        match *part {
            "." => {}
            ".." if kept.len() > root && kept.last() != Some(&"..") => _ = kept.pop(),
            ".." if root > 0 => {}
            name => kept.push(name),
        }
    }
    kept.join("/")
}

/// Reads for a load, and remembers what was read.
struct Recorder<'f> {
    files: &'f mut dyn CoreFiles,
    read: Vec<String>,
    name: fn(&Path) -> String,
}

impl CoreFiles for Recorder<'_> {
    fn read(&mut self, path: &Path) -> std::result::Result<Vec<u8>, LoadErrorKind> {
        let bytes = self.files.read(path)?;
        self.read.push((self.name)(path));
        Ok(bytes)
    }

    fn names(&mut self, folder: &Path) -> std::result::Result<Vec<String>, LoadErrorKind> {
        self.files.names(folder)
    }

    fn absolute(&self, path: &Path) -> Option<PathBuf> {
        self.files.absolute(path)
    }
}

fn options(text: &str) -> Result<LoadOptions> {
    LoadOptions::decode(CONFIG, text).map_err(Error::load)
}

fn decoded(
    path: &Path, bytes: &[u8], files: &mut dyn CoreFiles, name: fn(&Path) -> String, options: &LoadOptions,
) -> Result<Level> {
    let own = path.to_string_lossy().into_owned();
    let mut recorder = Recorder { files, read: vec![own], name };
    let source = LoadedLevel::decode(path, bytes, &mut recorder as &mut dyn CoreFiles, options);
    let source = source.map_err(Error::load)?;
    Ok(Level(Kept::Loaded(Box::new(Loaded { source, files: recorder.read, name }))))
}

impl Level {
    fn loaded(&self) -> Option<&Loaded> {
        if let Kept::Loaded(loaded) = &self.0 { Some(loaded) } else { None }
    }

    /// Loads a Tiled map (tmx, tmj), a world, an LDtk project, a mask (PNG), a baked level or rows of # and .
    /// from the disk. `options` is the text of a `bitwall.toml`; if empty, the nearest `bitwall.toml` counts.
    #[cfg(feature = "disk")]
    pub fn load(path: &str, options: &str) -> Result<Self> {
        let path = Path::new(path);
        let options = match options {
            "" => match Project::find(path).map_err(Error::load)? {
                Some(project) => project.options().clone(),
                None => LoadOptions::default(),
            },
            text => self::options(text)?,
        };
        let bytes = read_file(path, Links::Followed, options.limits.file_bytes());
        let bytes = bytes.map_err(|kind| Error::load(kind.in_file(path)))?;
        decoded(path, &bytes, &mut Disk::new(path, &options), disk_name, &options)
    }

    /// Makes a level from the bytes of a file that refers to no other file. `name` is its path, for the
    /// format and for errors; `options` is the text of a `bitwall.toml`, or empty.
    pub fn decode(name: &str, bytes: &[u8], options: &str) -> Result<Self> {
        decoded(Path::new(name), bytes, &mut (), disk_name, &self::options(options)?)
    }

    /// Makes a level from the file `path` of the files. `options` is the text of a `bitwall.toml`, or empty.
    pub fn from_files(path: &str, files: &Files, options: &str) -> Result<Self> {
        let options = self::options(options)?;
        let Some(bytes) = files.contents.get(Path::new(path)) else {
            return Err(Error::load(format_args!("{path}: it is not put into the files")));
        };
        decoded(Path::new(path), bytes, &mut files.contents.clone(), plain_name, &options)
    }

    /// The documents of a level of a file, and its files, for the door of Python, which is Rust.
    #[doc(hidden)]
    pub fn source(&self) -> Option<(&LoadedLevel, &[String])> {
        self.loaded().map(|loaded| (&loaded.source, &loaded.files[..]))
    }

    /// Returns the files that the level was made of, one a line: if one of them changes, load again.
    pub fn files(&self) -> String {
        let loaded = self.loaded();
        loaded.map(|loaded| lines(loaded.files.iter())).unwrap_or_default()
    }

    /// Returns what is suspicious in the files, a sentence a line.
    pub fn warnings(&self) -> String {
        let warnings = self.loaded().into_iter().flat_map(|loaded| &loaded.source.warnings);
        let sentences: Vec<String> = warnings.map(ToString::to_string).collect();
        lines(sentences.iter())
    }

    /// Returns what made a cell solid: the tile or object, its layer and the rule. Empty if nothing of a file
    /// did.
    pub fn why(&self, column: i32, row: i32) -> String {
        let why = self.loaded().and_then(|loaded| loaded.source.provenance(IVec2::new(column, row)));
        why.map(|why| why.to_string()).unwrap_or_default()
    }

    /// Returns what the level's maps draw. A level without maps draws nothing.
    pub fn scene(&self) -> Scene {
        let loaded = self.loaded();
        loaded.map(|loaded| Scene::of_maps(&loaded.source.maps, loaded.name)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_no_part_that_leads_back_and_keeps_its_root() {
        for (path, expected) in [
            ("maps/cave.tsx", "maps/cave.tsx"),
            ("a/../b", "b"),
            ("../a", "../a"),
            ("a/../../../b", "../../b"),
            ("./a", "a"),
            ("a/./b/", "a/b/"),
            ("https://game.example/maps/../t/c.tsx", "https://game.example/t/c.tsx"),
            ("https://game.example/../c.tsx", "https://game.example/c.tsx"),
            ("file:///maps/../c.tsx", "file:///c.tsx"),
            ("/x/../y", "/y"),
            ("/../y", "/y"),
        ] {
            assert_eq!(plain_name(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn the_folder_of_a_world_with_patterns_is_not_wanted() {
        let world = br#"{"type": "world", "patterns": [{"regexp": "a(\\d+)-(\\d+).tmx", "multiplierX": 8,
            "multiplierY": 8}], "maps": [{"fileName": "b.tmx", "x": 0, "y": 0}]}"#;
        let mut files = Files::new();
        files.put("./a.world", world);
        assert_eq!([files.wanted(true), files.wanted(true)], ["b.tmx", ""]);
    }
}
