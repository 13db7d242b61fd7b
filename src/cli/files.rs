//! The levels in folders: those that `verify` checks, and those that `init` looks at.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use ignore::overrides::{Override, OverrideBuilder};

use super::Failure;
use super::progress::Bar;
use crate::load::disk::{Links, read_file};
use crate::tmx::{Named, files_named};
use crate::verify::art_beside;
use crate::{Limits, text::printable};

/// The largest number of maps, tilesets and pictures in the folders of one run.
const MAX_FILES: usize = 10_000;

/// The largest nesting depth of folders.
const MAX_DEPTH: usize = 64;

/// The files to check, sorted by path, each once.
pub(super) fn to_check(paths: &[PathBuf], exclude: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let mut named = BTreeSet::new();
    let mut found = BTreeSet::new();
    let excluded = excluded(exclude)?;
    for path in paths {
        if path.is_dir() {
            walk(path, &excluded, &mut found)?;
        } else {
            named.insert(path.clone());
        }
    }
    let others = pictures_of_others(&found);
    let once: BTreeSet<PathBuf> = named.iter().map(|path| identity(path)).collect();
    let levels = found.into_iter().filter(|path| match FileKind::of(path) {
        Some(FileKind::Map) => !once.contains(&identity(path)),
        Some(FileKind::Picture) => {
            let identity = identity(path);
            !once.contains(&identity) && !others.contains(&identity)
        }
        Some(FileKind::Tileset) | None => false,
    });
    let mut files: Vec<PathBuf> = named.into_iter().chain(levels).collect();
    let bytes = |path: &PathBuf| path.as_os_str().as_encoded_bytes().to_owned();
    files.sort_by_cached_key(bytes);
    files.dedup();
    if files.is_empty() {
        let reason = "there is nothing to check: no map, no world and no mask picture was found";
        return Err(Failure::Other(reason.to_owned()));
    }
    Ok(files)
}

/// The maps in a folder, and the pictures that are masks by their name or that of their folder.
pub(super) struct Levels {
    /// Sorted by path.
    pub(super) maps: Vec<PathBuf>,
    /// Sorted by path.
    pub(super) masks: Vec<PathBuf>,
    /// The number of the pictures that no map names and that are not named as masks.
    pub(super) other_pictures: usize,
    /// The real paths of the pictures that maps name.
    named_pictures: BTreeSet<PathBuf>,
}

impl Levels {
    /// True if a file is a mask, or a picture that a map names.
    pub(super) fn has_picture(&self, path: &Path) -> bool {
        let identity_of = identity(path);
        self.named_pictures.contains(&identity_of)
            || self.masks.iter().any(|mask| identity(mask) == identity_of)
    }
}

/// The levels in a folder and below.
pub(super) fn levels(folder: &Path) -> Result<Levels, Failure> {
    let mut found = BTreeSet::new();
    walk(folder, &Override::empty(), &mut found)?;
    let others = pictures_of_others(&found);
    let of_kind = |kind| {
        let files = found.iter().filter(move |path| FileKind::of(path) == Some(kind));
        files.cloned()
    };
    let is_map = |path: &PathBuf| path.extension().is_none_or(|end| end != "world");
    let pictures = of_kind(FileKind::Picture).filter(|path| !others.contains(&identity(path)));
    let (masks, rest): (Vec<_>, Vec<_>) = pictures.partition(|path| is_named_as_mask(path));
    let maps = of_kind(FileKind::Map).filter(is_map).collect();
    let other_pictures = rest.len();
    drop(rest);
    Ok(Levels { maps, masks, other_pictures, named_pictures: others })
}

/// True for `cave_mask.png`, `cave-mask.png`, `cave.mask.png`, `collision2.png` and `masks/cave.png`.
fn is_named_as_mask(path: &Path) -> bool {
    let lower = |name: Option<&std::ffi::OsStr>| {
        name.unwrap_or_default().to_string_lossy().to_ascii_lowercase()
    };
    let stem = lower(path.file_stem());
    let folder = lower(path.parent().and_then(Path::file_name));
    let ends = ["_mask", "-mask", ".mask"].iter().any(|end| stem.ends_with(end));
    ends || stem == "mask" || stem.contains("collision") || folder == "masks"
}

/// The kind of a file in a folder, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    Map,
    Tileset,
    Picture,
}

impl FileKind {
    fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "tmx" | "tmj" | "world" => Some(Self::Map),
            "tsx" | "tsj" => Some(Self::Tileset),
            "png" | "gif" | "bmp" | "webp" | "tga" => Some(Self::Picture),
            _ => None,
        }
    }
}

fn excluded(globs: &[String]) -> Result<Override, Failure> {
    let wrong = |error: ignore::Error| {
        Failure::Other(format!("--exclude: {}", printable(&error.to_string())))
    };
    // Paths are compared as written, or relative to the working folder if they are absolute.
    let mut builder = OverrideBuilder::new(std::env::current_dir().unwrap_or_default());
    for glob in globs {
        builder.add(&format!("!{glob}")).map_err(wrong)?;
    }
    builder.build().map_err(wrong)
}

/// Adds the maps, tilesets and pictures in a folder, except hidden files and links.
fn walk(folder: &Path, excluded: &Override, found: &mut BTreeSet<PathBuf>) -> Result<(), Failure> {
    let mut builder = WalkBuilder::new(folder);
    builder
        .standard_filters(false)
        .hidden(true)
        .follow_links(false)
        .max_depth(Some(MAX_DEPTH))
        .overrides(excluded.clone());
    for entry in builder.build() {
        let entry = entry.map_err(|error| {
            Failure::Other(format!("cannot read a folder: {}", printable(&error.to_string())))
        })?;
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        if !is_file || FileKind::of(entry.path()).is_none() {
            continue;
        }
        let path = entry.into_path();
        found.insert(path.strip_prefix("./").map(Path::to_owned).unwrap_or(path));
        if found.len() > MAX_FILES {
            let reason = format!(
                "there are more than {MAX_FILES} maps, tilesets and pictures; name fewer folders, or \
                 leave some out with --exclude"
            );
            return Err(Failure::Other(reason));
        }
    }
    Ok(())
}

/// The pictures that are not masks, because they belong to a map, a tileset or a mask that was found.
fn pictures_of_others(found: &BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
    let mut bar = Bar::new("looking through", found.len() as u64);
    let mut pictures = BTreeSet::new();
    for (done, path) in (1..).zip(found) {
        match FileKind::of(path) {
            Some(FileKind::Map | FileKind::Tileset) => {
                // A file that cannot be read names no pictures; it is a finding in any case.
                let limit = Limits::default().file_bytes;
                let bytes = read_file(path, Links::Refused, limit).unwrap_or_default();
                let named = files_named(path, &bytes).into_iter();
                let is_picture = |kind| matches!(kind, Named::Picture | Named::MeasuredPicture);
                let named = named.filter(|(_, kind)| is_picture(*kind));
                pictures.extend(named.map(|(path, _)| path));
            }
            Some(FileKind::Picture) => pictures.extend(art_beside(path)),
            None => {}
        }
        bar.at(done);
    }
    pictures.iter().map(|path| identity(path)).collect()
}

/// A path that is the same for all spellings of a file's path.
fn identity(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
