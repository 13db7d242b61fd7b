//! Patterns of file names, as those of a `.gitignore`. Nothing here reads a folder.

use std::fs;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::Failure;
use crate::text::printable;

/// Patterns that count from a folder. One without `/` matches a name in any folder below it; `**` matches any
/// folders; letter case does not matter.
pub(super) struct Patterns {
    folder: PathBuf,
    globs: Gitignore,
}

impl Patterns {
    /// Patterns that count from `folder`, a real path. `place` names their source in an error.
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

    /// The reason that a text is no pattern.
    pub(super) fn check(pattern: &str) -> Result<(), String> {
        let mut builder = GitignoreBuilder::new("");
        let built = builder.add_line(None, pattern).and_then(|builder| builder.build());
        built.map(|_| ()).map_err(|error| match error {
            ignore::Error::Glob { err, .. } => err,
            other => other.to_string(),
        })
    }

    /// True if a pattern matches the file, or a folder that it is in.
    pub(super) fn match_file(&self, path: &Path) -> bool {
        let below = self.below(path);
        below.is_some_and(|path| self.globs.matched_path_or_any_parents(path, false).is_ignore())
    }

    /// True if a pattern matches the file itself.
    pub(super) fn match_name(&self, path: &Path) -> bool {
        let below = self.below(path);
        below.is_some_and(|path| self.globs.matched(path, false).is_ignore())
    }

    /// The path from the folder on, if the file is in it.
    fn below(&self, path: &Path) -> Option<PathBuf> {
        if self.globs.is_empty() {
            return None;
        }
        // The file itself may be a link; its name counts.
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
    fn a_pattern_with_a_slash_counts_from_the_folder() {
        let folder = fs::canonicalize("src/cli").unwrap();
        let patterns = |patterns: &[&str]| {
            Patterns::new(&folder, patterns.iter().copied(), "test").ok().unwrap()
        };
        let file = Path::new("src/cli/verify/settings.rs");
        assert!(patterns(&["SETTINGS.*"]).match_name(file));
        assert!(patterns(&["verify/*.rs"]).match_name(file));
        assert!(patterns(&["verify/"]).match_file(file));
        assert!(!patterns(&["verify/"]).match_name(file));
        assert!(!patterns(&["*/settings.rs", "cli/**"]).match_name(Path::new("src/lib.rs")));
        assert!(!patterns(&[]).match_file(file));
    }
}
