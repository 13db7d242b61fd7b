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
use bitwall::load::{Links, read_file};
use bitwall::text::printable;
use bitwall::tmx::{Named, files_named};

/// The most maps, tilesets and pictures that one run collects.
pub(super) const MAX_FILES: usize = 10_000;

const MAX_DEPTH: usize = 64;

/// The maps in a folder, and the pictures whose name or folder marks them as masks.
pub(super) struct Levels {
    pub(super) maps: Vec<PathBuf>,
    pub(super) masks: Vec<PathBuf>,
    /// The number of other pictures: they are not named as masks, and no map, tileset or mask uses them.
    pub(super) other_pictures: usize,
}

pub(super) fn levels(folder: &Path) -> Result<Levels, Failure> {
    let mut found = FoundFiles::new(MAX_FILES);
    found.walk(folder, &[])?;
    let found = found.files;
    let others = pictures_of_others(&found);
    let of_kind = |kind| {
        let files = found.iter().filter(move |path| PathKind::from_path(path) == Some(kind));
        files.cloned()
    };
    let is_map = |path: &PathBuf| path.extension().is_none_or(|end| end != "world");
    let pictures = of_kind(PathKind::Picture).filter(|path| !others.contains(&identity(path)));
    let masks = Patterns::new(&identity(folder), MASK_PATTERNS, "the default")?;
    let (masks, rest): (Vec<_>, Vec<_>) = pictures.partition(|path| masks.match_name(path));
    let maps = of_kind(PathKind::Map).filter(is_map).collect();
    let other_pictures = rest.len();
    Ok(Levels { maps, masks, other_pictures })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathKind {
    Map,
    Tileset,
    Picture,
}

impl PathKind {
    pub(super) fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "tmx" | "tmj" | "world" | "ldtk" => Some(Self::Map),
            "tsx" | "tsj" => Some(Self::Tileset),
            // A mask in JPEG is collected, so that its error is reported.
            "png" | "gif" | "bmp" | "webp" | "tga" | "jpg" | "jpeg" => Some(Self::Picture),
            _ => None,
        }
    }
}

pub(super) struct FoundFiles {
    pub(super) files: BTreeSet<PathBuf>,
    most: usize,
}

impl FoundFiles {
    pub(super) fn new(most: usize) -> Self {
        Self { files: BTreeSet::new(), most }
    }

    /// Adds the maps, tilesets and pictures in a folder. Skips hidden files, links, files that a `.gitignore`
    /// names, and files that match a pattern of `exclude`. Fails if there are too many files.
    pub(super) fn walk(&mut self, folder: &Path, exclude: &[String]) -> Result<(), Failure> {
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
            if !is_file || PathKind::from_path(entry.path()).is_none() {
                continue;
            }
            let path = entry.into_path();
            self.files.insert(path.strip_prefix("./").map(Path::to_owned).unwrap_or(path));
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

/// The patterns of `--exclude`. They match files, and all files in matching folders.
pub(super) struct Excluded(Override);

impl Excluded {
    pub(super) fn new(globs: &[String]) -> Result<Self, Failure> {
        let wrong = |error: ignore::Error| {
            Failure::Other(format!("--exclude: {}", printable(&error.to_string())))
        };
        // Paths match as written; absolute paths match relative to the working folder.
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

/// The real paths of pictures that a map or tileset in `found` names, or that are the art of a mask in it.
pub(super) fn pictures_of_others(found: &BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
    let mut bar = Progress::new("looking through", found.len() as u64);
    let mut pictures = BTreeSet::new();
    for (done, path) in (1..).zip(found) {
        match PathKind::from_path(path) {
            Some(PathKind::Map | PathKind::Tileset) => {
                // An unreadable file names no pictures; another rule reports it.
                let limit = Limits::default().file_bytes();
                let bytes = read_file(path, Links::Refused, limit).unwrap_or_default();
                let named = files_named(path, &bytes).into_iter();
                let is_picture = |kind| matches!(kind, Named::Picture | Named::MeasuredPicture);
                let named = named.filter(|(_, kind)| is_picture(*kind));
                pictures.extend(named.map(|(path, _)| path));
            }
            Some(PathKind::Picture) => pictures.extend(art_beside(path)),
            None => {}
        }
        bar.show(done);
    }
    pictures.iter().map(|path| identity(path)).collect()
}

const MAX_ENTRIES: usize = 100_000;

/// The `patterns`, relative to `folder`, that match no file of [`all_files`] in it. O(entries x patterns).
///
/// Returns no patterns if a folder is unreadable, or if there are more than [`MAX_ENTRIES`] entries. The
/// error for an invalid pattern names `place`, the source of the patterns.
pub(super) fn unmatched<'p>(
    folder: &Path,
    patterns: impl IntoIterator<Item = &'p String>,
    place: &str,
) -> Result<Vec<String>, Failure> {
    // A pattern with `!` excludes files from the others.
    let patterns = patterns.into_iter().filter(|pattern| !pattern.starts_with(['!', '#']));
    let with_globs =
        |pattern: &'p String| Ok((pattern, Patterns::new(folder, [pattern.as_str()], place)?));
    let mut open = patterns.map(with_globs).collect::<Result<Vec<_>, Failure>>()?;
    if open.is_empty() {
        return Ok(Vec::new());
    }
    for file in all_files(folder) {
        // A matching file may be in an unreadable folder.
        let Some(file) = file else {
            return Ok(Vec::new());
        };
        open.retain(|(_, globs)| !globs.match_file(&file));
        if open.is_empty() {
            break;
        }
    }
    Ok(open.into_iter().map(|(pattern, _)| pattern.clone()).collect())
}

/// Yields the maps, tilesets, pictures and JSON files in a folder, also ignored and hidden ones, which are
/// checked if an argument names them. Yields `None` for an unreadable folder, and last after 100,000 entries.
pub(super) fn all_files(folder: &Path) -> impl Iterator<Item = Option<PathBuf>> {
    let mut builder = WalkBuilder::new(folder);
    builder.standard_filters(false).follow_links(false).max_depth(Some(MAX_DEPTH));
    builder.filter_entry(|entry| entry.file_name() != ".git");
    builder.build().zip(0..=MAX_ENTRIES).filter_map(|(entry, index)| match entry {
        Ok(entry) if index < MAX_ENTRIES => {
            // A JSON map may have an ending of its own or `.json`.
            let is_json = entry.path().extension().is_some_and(|ending| ending == "json");
            let is_file = is_json || PathKind::from_path(entry.path()).is_some();
            is_file.then(|| Some(entry.into_path()))
        }
        _ => Some(None),
    })
}

/// The real path of a file, equal for all spellings of its path; `path` itself if there is no such file.
pub(super) fn identity(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// File patterns as in a `.gitignore`, relative to a folder. A pattern without `/` matches a name in any
/// folder below; `**` matches any folders; letter case does not matter.
pub(super) struct Patterns {
    folder: PathBuf,
    globs: Gitignore,
}

impl Patterns {
    /// Patterns relative to `folder`, a real path. `place` names their source in an error.
    pub(super) fn new<'p>(
        folder: &Path,
        patterns: impl IntoIterator<Item = &'p str>,
        place: &str,
    ) -> Result<Self, Failure> {
        let wrong = |error: ignore::Error| {
            let (place, error) = (printable(place), error.to_string());
            Failure::Other(format!("{place}: {}", printable(&error)))
        };
        let mut builder = GitignoreBuilder::new(folder);
        builder.case_insensitive(true).map_err(wrong)?;
        for pattern in patterns {
            builder.add_line(None, pattern).map_err(wrong)?;
        }
        Ok(Self { folder: folder.to_owned(), globs: builder.build().map_err(wrong)? })
    }

    /// Fails with the reason if `pattern` is not a valid pattern.
    pub(super) fn check(pattern: &str) -> Result<(), String> {
        let mut builder = GitignoreBuilder::new("");
        let built = builder.add_line(None, pattern).and_then(|builder| builder.build());
        built.map(|_| ()).map_err(|error| match error {
            ignore::Error::Glob { err, .. } => err,
            other => other.to_string(),
        })
    }

    /// True if a pattern matches the file or one of its folders.
    pub(super) fn match_file(&self, path: &Path) -> bool {
        let below = self.below(path);
        below.is_some_and(|path| self.globs.matched_path_or_any_parents(path, false).is_ignore())
    }

    pub(super) fn match_name(&self, path: &Path) -> bool {
        let below = self.below(path);
        below.is_some_and(|path| self.globs.matched(path, false).is_ignore())
    }

    /// The path relative to the folder; `None` for a file outside it, or if there are no patterns.
    fn below(&self, path: &Path) -> Option<PathBuf> {
        if self.globs.is_empty() {
            return None;
        }
        // A file that is a link keeps its own name.
        let name = path.file_name()?;
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let real = fs::canonicalize(parent).ok()?.join(name);
        real.strip_prefix(&self.folder).ok().map(Path::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_with_a_slash_is_relative_to_the_folder() {
        let folder = fs::canonicalize("src/commands").unwrap();
        let patterns = |patterns: &[&str]| {
            Patterns::new(&folder, patterns.iter().copied(), "test").ok().unwrap()
        };
        let file = Path::new("src/commands/verify/settings.rs");
        assert!(patterns(&["SETTINGS.*"]).match_name(file));
        assert!(patterns(&["verify/*.rs"]).match_name(file));
        assert!(patterns(&["verify/"]).match_file(file));
        assert!(!patterns(&["verify/"]).match_name(file));
        assert!(!patterns(&["*/settings.rs", "commands/**"]).match_name(Path::new("src/lib.rs")));
        assert!(!patterns(&[]).match_file(file));
    }
}
