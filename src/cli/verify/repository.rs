//! The repositories of files: a folder with a `.git`.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The repositories of the folders that were asked for, each looked for once.
#[derive(Default)]
pub(super) struct Repositories {
    by_folder: HashMap<PathBuf, Option<Home>>,
}

/// A folder, as its repository names it.
#[derive(Clone)]
struct Home {
    root: PathBuf,
    folder: PathBuf,
}

impl Repositories {
    /// The path of a file from the root of its repository, or from the current folder if it is in none; as it
    /// is written if it is in neither.
    pub(super) fn path_in(&mut self, path: &Path) -> PathBuf {
        match (self.home(path), path.file_name()) {
            (Some(home), Some(name)) => home.folder.join(name),
            _ => path.to_owned(),
        }
    }

    /// The root of a file's repository.
    pub(super) fn root_of(&mut self, path: &Path) -> Option<PathBuf> {
        let root = self.home(path)?.root.clone();
        root.join(".git").exists().then_some(root)
    }

    fn home(&mut self, path: &Path) -> Option<&Home> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if !self.by_folder.contains_key(folder) {
            self.by_folder.insert(folder.to_owned(), find(folder));
        }
        self.by_folder.get(folder)?.as_ref()
    }
}

/// The nearest folder above `folder` with a `.git`, which is a file in a worktree or a submodule; or the
/// current folder.
fn find(folder: &Path) -> Option<Home> {
    let real = fs::canonicalize(folder).ok()?;
    let here = std::env::current_dir().and_then(fs::canonicalize);
    let root = real.ancestors().find(|above| above.join(".git").exists());
    let root = root.map(Path::to_owned).or(here.ok())?;
    let folder = real.strip_prefix(&root).ok()?.to_owned();
    Some(Home { root, folder })
}
