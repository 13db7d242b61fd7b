//! Finds the levels in folders, for `verify` and `init`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::overrides::{Override, OverrideBuilder};

use crate::commands::Failure;
use crate::commands::output::Progress;
use crate::lint::art_beside;
use crate::lint::config::MASK_PATTERNS;
use bitwall::Limits;
use bitwall::load::{Links, ReferenceKind, read_file, references};
use bitwall::text::printable;

/// The default limit on the number of maps, tilesets and pictures in the searched folders.
pub(super) const MAX_FILES: usize = 10_000;

const MAX_DEPTH: usize = 64;

/// The maps in a folder, and the pictures whose name or folder marks them as masks.
pub(super) struct Levels {
    pub(super) maps: Vec<PathBuf>,
    pub(super) masks: Vec<PathBuf>,
    /// The pictures that are not named as masks, and that no map, tileset or mask uses.
    pub(super) other_pictures: Vec<PathBuf>,
}

pub(super) fn levels(folder: &Path) -> Result<Levels, Failure> {
    let mut found = FoundFiles::new(MAX_FILES);
    found.walk(folder, &[], |_| Ok(false))?;
    let others = pictures_of_others(&found);
    let found = found.files;
    let of_kind = |kind| {
        let files = found.iter().filter(move |path| PathKind::from_path(path) == Some(kind));
        files.cloned()
    };
    let is_map = |path: &PathBuf| path.extension().is_none_or(|end| end != "world");
    let pictures = of_kind(PathKind::Picture).filter(|path| !others.contains(&identity(path)));
    let masks = Patterns::new(MASK_PATTERNS, Path::new("the default"))?;
    let (masks, rest): (Vec<_>, Vec<_>) =
        pictures.partition(|path| masks.match_name(path.strip_prefix(folder).unwrap_or(path)));
    let maps = of_kind(PathKind::Map).filter(is_map).collect();
    Ok(Levels { maps, masks, other_pictures: rest })
}

/// True if `bytes` are text that contains the keys of a Tiled map.
fn is_json_map(bytes: &[u8]) -> bool {
    let keys = ["\"layers\"", "\"tilewidth\"", "\"tileheight\"", "\"orientation\""];
    std::str::from_utf8(bytes).is_ok_and(|text| keys.iter().all(|key| text.contains(key)))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathKind {
    Map,
    Tileset,
    Picture,
}

impl PathKind {
    /// Returns the kind of a file by the ending of its name alone. A `.json` counts as a map; see
    /// [`of_level`](Self::of_level).
    pub(super) fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "tmx" | "tmj" | "json" | "world" | "ldtk" => Some(Self::Map),
            "tsx" | "tsj" => Some(Self::Tileset),
            // A mask in JPEG is collected, so that its error is reported.
            "png" | "gif" | "bmp" | "webp" | "tga" | "jpg" | "jpeg" => Some(Self::Picture),
            _ => None,
        }
    }

    /// True if `path` on the disk is a map, a tileset or a picture. See [`of_level`](Self::of_level).
    pub(super) fn is_of_levels(path: &Path) -> bool {
        let read = || read_file(path, Links::Refused, Limits::default().file_bytes()).ok();
        Self::of_level(path, read).is_some()
    }

    /// Returns the kind of a file: a map, a tileset or a picture. A `.json` is a map only if `read` returns a
    /// text with the keys of a map.
    pub(super) fn of_level(path: &Path, read: impl FnOnce() -> Option<Vec<u8>>) -> Option<Self> {
        let is_json = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"));
        Self::from_path(path)
            .filter(|_| !is_json || read().is_some_and(|bytes| is_json_map(&bytes)))
    }
}

pub(super) struct FoundFiles {
    pub(super) files: BTreeSet<PathBuf>,
    /// The files that an `exclude` entry of a configuration leaves out, up to `most` of them. The pictures
    /// that these files name count as used.
    excluded: BTreeSet<PathBuf>,
    most: usize,
}

impl FoundFiles {
    pub(super) fn new(most: usize) -> Self {
        Self { files: BTreeSet::new(), excluded: BTreeSet::new(), most }
    }

    /// Adds the maps, tilesets and pictures in `folder`.
    ///
    /// Skips hidden files, links and files that a `.gitignore` names. Also skips files that match a pattern
    /// in `exclude`, and files for which `is_excluded` is true. Fails if more files are found in total than
    /// the limit given to [`new`](Self::new).
    pub(super) fn walk(
        &mut self,
        folder: &Path,
        exclude: &[String],
        mut is_excluded: impl FnMut(&Path) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        let mut bar = Progress::new("looking for levels", 0);
        let mut builder = WalkBuilder::new(folder);
        builder
            .standard_filters(false)
            .hidden(true)
            .parents(true)
            .git_ignore(true)
            .git_exclude(true)
            .follow_links(false)
            .max_depth(Some(MAX_DEPTH))
            .overrides(Excluded::new(exclude)?.0);
        for entry in builder.build() {
            let entry = entry.map_err(|error| {
                Failure::Other(format!("cannot read a folder: {}", printable(&error.to_string())))
            })?;
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            if !is_file || !PathKind::is_of_levels(entry.path()) {
                continue;
            }
            let path = entry.into_path();
            let path = path.strip_prefix("./").map(Path::to_owned).unwrap_or(path);
            if is_excluded(&path)? {
                if self.excluded.len() < self.most {
                    self.excluded.insert(path);
                }
                continue;
            }
            self.files.insert(path);
            bar.show(self.files.len() as u64);
            if self.files.len() > self.most {
                let reason = format!(
                    "there are more than {} maps, tilesets and pictures; name fewer folders, leave some \
                     out with --exclude, or raise --max-files",
                    self.most
                );
                return Err(Failure::Other(reason));
            }
        }
        Ok(())
    }
}

/// The patterns of `--exclude`. A pattern that matches a folder excludes all files in the folder.
pub(super) struct Excluded(Override);

impl Excluded {
    pub(super) fn new(globs: &[String]) -> Result<Self, Failure> {
        let wrong = |error: ignore::Error| {
            Failure::Other(format!("--exclude: {}", printable(&error.to_string())))
        };
        // A pattern is compared with a path as it is written. An absolute path is first made relative to the
        // working folder.
        let mut builder = OverrideBuilder::new(std::env::current_dir().unwrap_or_default());
        for glob in globs {
            builder.add(&format!("!{glob}")).map_err(wrong)?;
        }
        builder.build().map(Self).map_err(wrong)
    }

    pub(super) fn holds(&self, file: &Path) -> bool {
        let is_ignored = |path: &Path| self.0.matched(path, path != file).is_ignore();
        file.ancestors().filter(|path| !path.as_os_str().is_empty()).any(is_ignored)
    }
}

/// Returns the real paths of the pictures that a map or tileset in `found` names, and of the art of its
/// masks.
pub(super) fn pictures_of_others(found: &FoundFiles) -> BTreeSet<PathBuf> {
    let all = found.files.iter().chain(&found.excluded);
    let mut bar = Progress::new("looking through", all.clone().count() as u64);
    let mut pictures = BTreeSet::new();
    for (done, path) in (1..).zip(all) {
        if PathKind::from_path(path) == Some(PathKind::Picture) {
            pictures.extend(art_beside(path));
        } else {
            // An unreadable file names no pictures; another rule reports it.
            let limit = Limits::default().file_bytes();
            let bytes = read_file(path, Links::Refused, limit).unwrap_or_default();
            pictures.extend(pictures_in(path, &bytes));
        }
        bar.show(done);
    }
    pictures.iter().map(|path| identity(path)).collect()
}

/// Yields the paths of the pictures that a map or tileset names.
pub(super) fn pictures_in(path: &Path, bytes: &[u8]) -> impl Iterator<Item = PathBuf> {
    let files = references(path, bytes).into_iter();
    let kinds = [ReferenceKind::Picture, ReferenceKind::Art];
    files.filter(move |file| kinds.contains(&file.kind)).map(|file| file.path)
}

/// Returns the real path of a file, so that all spellings of `path` compare equal. Returns `path` if the file
/// is absent.
pub(super) fn identity(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// File patterns in the syntax of a `.gitignore`, for paths relative to a folder. Letter case is ignored.
///
/// A pattern without `/` matches a name in any folder below; `**` matches any number of folders.
pub(super) struct Patterns(Gitignore);

impl Patterns {
    /// Parses `patterns`. An error starts with `place`, the name of the file or option that holds them.
    pub(super) fn new<'p>(
        patterns: impl IntoIterator<Item = &'p str>,
        place: &Path,
    ) -> Result<Self, Failure> {
        let mut builder = GitignoreBuilder::new("");
        let built = builder.case_insensitive(true).and_then(|builder| {
            for pattern in patterns {
                builder.add_line(None, pattern)?;
            }
            builder.build()
        });
        built.map(Self).map_err(|error| Failure::at(place, printable(&error.to_string())))
    }

    pub(super) fn check(pattern: &str) -> Result<(), String> {
        let mut builder = GitignoreBuilder::new("");
        let built = builder.add_line(None, pattern).and_then(|builder| builder.build());
        built.map(|_| ()).map_err(|error| match error {
            ignore::Error::Glob { err, .. } => err,
            other => other.to_string(),
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if a pattern matches the file at the relative `path` or a folder above the file.
    pub(super) fn match_path(&self, path: &Path) -> bool {
        self.0.matched_path_or_any_parents(path, false).is_ignore()
    }

    /// True if a pattern matches the file at the relative `path`.
    pub(super) fn match_name(&self, path: &Path) -> bool {
        self.0.matched(path, false).is_ignore()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_with_a_slash_is_relative_to_the_folder() {
        let patterns = |patterns: &[&str]| {
            Patterns::new(patterns.iter().copied(), Path::new("test")).ok().unwrap()
        };
        let file = Path::new("verify/settings.rs");
        assert!(patterns(&["SETTINGS.*"]).match_name(file));
        assert!(patterns(&["verify/*.rs"]).match_name(file));
        assert!(patterns(&["verify/"]).match_path(file));
        assert!(!patterns(&["verify/"]).match_name(file));
        assert!(!patterns(&["/settings.rs"]).match_name(file));
        assert!(!patterns(&[]).match_path(file));
    }
}
