//! `--diff REV`: the configurations of the revision, which judge the levels as they are now.
//!
//! They are written into a temporary folder that has two copies of the project's folders. A level of the
//! revision is judged at its place in the first copy, under the name that it had: only the configurations of
//! the revision are there. A new level is judged at its place in the second copy. There a folder without a
//! configuration in the revision has its present one. A configuration that was broken in the revision judged
//! nothing, so the present one stands for it.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use super::{Changes, configs_above, failed, is_config, is_inside};
use crate::commands::Failure;
use crate::commands::files::{Patterns, identity};
use crate::commands::output::ScratchFolder;
use crate::commands::verify::VerifyArgs;
use crate::commands::verify::scope::Repositories;
use crate::commands::verify::settings::folder_of;
use crate::git::{Blob, Blobs};
use crate::lint::{VerifyConfig, VerifyOptions};
use bitwall::LoadOptions;
use bitwall::load::config::CONFIG_BYTES;
use bitwall::load::{Links, TILED_PROJECT, io_reason, plain, read_file, root_of};
use bitwall::text::printable_path;

pub(in crate::commands::verify) struct Then {
    changes: Rc<Changes>,
    /// The arguments for a check in the first copy: `--root`, `--config` and `--art` have their places in it.
    pub(in crate::commands::verify) args: VerifyArgs,
    scratch: ScratchFolder,
    /// The real path of the temporary folder.
    top: PathBuf,
    /// The folder of the repository in the first copy. In each copy, the file with the absolute path `/a/b`
    /// has the path `a/b`, even if it is outside the repository.
    pub(in crate::commands::verify) folder: PathBuf,
    /// The folder of the repository in the second copy.
    beside: PathBuf,
    /// The configurations that the second copy has.
    copied: BTreeSet<PathBuf>,
    repositories: Repositories,
}

impl Then {
    /// Writes the configurations of the revision, and the other files that decide which files are levels.
    pub(super) fn new(
        changes: Rc<Changes>,
        blobs: &mut Blobs,
        args: &VerifyArgs,
    ) -> Result<Self, Failure> {
        let scratch = ScratchFolder::new()?;
        // The search for a `bitwall.toml` follows real paths.
        let top = fs::canonicalize(scratch.path()).map_err(unwritten)?;
        let mut then = Self {
            folder: place_in(&top.join("then"), &changes.root),
            beside: place_in(&top.join("new"), &changes.root),
            args: args.clone(),
            copied: BTreeSet::new(),
            repositories: Repositories::default(),
            changes,
            scratch,
            top,
        };
        let changes = Rc::clone(&then.changes);
        for folder in [&then.folder, &then.beside] {
            // A `.git` folder stops the search for configurations at the root, as in the real repository.
            then.write(&folder.join(".git/HEAD"), b"")?;
        }
        let config = args.load.config.as_deref().and_then(|config| then.name_of(config));
        let config = config.map(|config| changes.name_then(&config));
        for path in changes.tracked.iter().filter(|path| is_inside(path)) {
            let is_config = is_config(path) || config.as_ref() == Some(path);
            let is_of_search = path.file_name() == Some(OsStr::new(".gitignore"))
                || path.extension() == Some(OsStr::new(TILED_PROJECT));
            if !is_config && !is_of_search {
                continue;
            }
            match blobs.read(path, CONFIG_BYTES) {
                Blob::Content(bytes) if is_config => then.write_judge(path, &bytes)?,
                Blob::Content(bytes) => then.write(&then.folder.join(path), &bytes)?,
                _ if is_config => {
                    let name = printable_path(path);
                    return Err(failed(format!(
                        "the repository lacks `{name}` as it was in the revision, which judges the \
                         change; clone with all files"
                    )));
                }
                _ => {}
            }
        }
        then.place_args(config)?;
        Ok(then)
    }

    /// Changes the paths in `args` to their places in the first copy. `config` is the path of the file of
    /// `--config` in the revision.
    fn place_args(&mut self, config: Option<PathBuf>) -> Result<(), Failure> {
        let first = self.top.join("then");
        if let Some(root) = self.args.load.root.clone() {
            let place = place_in(&first, &identity(&root));
            self.scratch.make_folder(&place).map_err(unwritten)?;
            self.args.load.root = Some(place);
        }
        if let Some(typed) = self.args.load.config.clone() {
            let place = match config.filter(|config| self.changes.tracked.contains(config)) {
                Some(config) => self.folder.join(config),
                None => {
                    let name = typed.file_name().unwrap_or_default();
                    let place = place_in(&first, &folder_of(&typed).join(name));
                    let bytes = read_file(&typed, Links::Followed, CONFIG_BYTES);
                    self.write_config(&place, &bytes.unwrap_or_default())?;
                    place
                }
            };
            if !is_valid(&place) {
                // The error names the file as it was typed.
                VerifyConfig::load_with(&typed, Patterns::check)?;
                LoadOptions::load(&typed)?;
            }
            self.args.load.config = Some(place);
        }
        if let Some(art) = self.args.art.clone()
            && let Some(name) = self.name_of(&art)
        {
            self.args.art = Some(self.folder.join(self.changes.name_then(&name)));
        }
        Ok(())
    }

    /// Writes a configuration of the revision, or the present one if that of the revision is broken.
    fn write_judge(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let place = self.folder.join(path);
        self.write_config(&place, bytes)?;
        let now = self.changes.root.join(self.changes.name_now(path));
        match read_file(&now, Links::Refused, CONFIG_BYTES) {
            Ok(now) if !is_valid(&place) => self.write_config(&place, &now),
            _ => Ok(()),
        }
    }

    /// Writes a configuration, and makes the root folder that it names.
    fn write_config(&self, place: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let options = LoadOptions::decode(place, bytes).unwrap_or_default();
        if let Some(root) =
            options.root.map(|root| plain(&root)).filter(|it| it.starts_with(&self.top))
        {
            self.scratch.make_folder(&root).map_err(unwritten)?;
        }
        self.write(place, bytes)
    }

    pub(super) fn write(&self, place: &Path, bytes: &[u8]) -> Result<(), Failure> {
        self.scratch.write(place, bytes).map_err(unwritten)
    }

    /// Returns the path of `file` in the repository, or `None` for a file outside of it.
    pub(in crate::commands::verify) fn name_of(&mut self, file: &Path) -> Option<PathBuf> {
        let is_held = self.repositories.root_of(file).as_ref() == Some(&self.changes.root);
        is_held.then(|| self.repositories.path_in(file))
    }

    /// Returns the place in the first copy of the file that is `name` in the repository now, and true if it was
    /// renamed since the revision; `None` for a new file.
    pub(in crate::commands::verify) fn old_place(
        &self,
        name: &Path,
    ) -> Result<Option<(PathBuf, bool)>, Failure> {
        let then = self.changes.name_then(name);
        if !is_inside(&then) || !self.changes.tracked.contains(&then) {
            return Ok(None);
        }
        Ok(Some((self.place_then(&then)?, then != name)))
    }

    /// Returns the place in the first copy of the file that was `then` in the repository. Makes its folder, so
    /// that configurations above it are found.
    pub(in crate::commands::verify) fn place_then(&self, then: &Path) -> Result<PathBuf, Failure> {
        self.made(self.folder.join(then))
    }

    /// Returns the place of the new file `name` in the second copy.
    pub(in crate::commands::verify) fn new_place(
        &mut self,
        name: &Path,
    ) -> Result<PathBuf, Failure> {
        if self.args.load.config.is_some() {
            // The file of `--config` judges in the first copy.
            return self.made(self.folder.join(name));
        }
        for config in configs_above(name) {
            if !self.copied.insert(config.clone()) {
                continue;
            }
            let now = self.changes.root.join(&config);
            let place = self.beside.join(&config);
            if let Ok(bytes) = fs::read(self.folder.join(&config)) {
                self.write_config(&place, &bytes)?;
            } else if now.symlink_metadata().is_ok() {
                match read_file(&now, Links::Refused, CONFIG_BYTES) {
                    Ok(bytes) => self.write_config(&place, &bytes)?,
                    // A folder is a broken configuration, too.
                    Err(_) => self.scratch.make_folder(&place).map_err(unwritten)?,
                }
            }
        }
        self.made(self.beside.join(name))
    }

    /// Makes the folder of `place`, and returns `place`.
    fn made(&self, place: PathBuf) -> Result<PathBuf, Failure> {
        self.scratch.make_folder(place.parent().unwrap_or(&place)).map_err(unwritten)?;
        Ok(place)
    }

    /// Returns the path in the working tree of a file in one of the copies. Returns any other path unchanged.
    pub(in crate::commands::verify) fn back(&self, place: &Path) -> PathBuf {
        let place = std::path::absolute(place).map_or(place.to_owned(), |place| plain(&place));
        let root = &self.changes.root;
        if let Ok(then) = place.strip_prefix(&self.folder) {
            return root.join(self.changes.name_now(then));
        }
        if let Ok(name) = place.strip_prefix(&self.beside) {
            return root.join(name);
        }
        let first = root.ancestors().last().unwrap_or(root);
        let outside = place.strip_prefix(self.top.join("then")).map(|rest| first.join(rest));
        outside.unwrap_or(place)
    }

    /// Returns `options`, which hold for a level at `place`, with paths in the working tree.
    ///
    /// A level that was moved out of its root folder gets the nearest folder above both.
    pub(in crate::commands::verify) fn present(
        &self,
        mut options: VerifyOptions,
        place: &Path,
    ) -> VerifyOptions {
        options.art = options.art.map(|art| self.back(&art));
        let load = &mut options.load;
        load.config = load.config.take().map(|config| self.back(&config));
        if load.root.is_none() && place.starts_with(&self.folder) {
            load.root = place.parent().map(root_of);
        }
        load.root = load.root.take().map(|root| self.back(&root));
        if self.args.load.root.is_none()
            && place.starts_with(&self.top)
            && let Some(root) = load.root.take_if(|root| root.starts_with(&self.changes.root))
        {
            let level = self.back(place);
            let both = root.ancestors().find(|root| level.starts_with(root));
            load.root = both.map(Path::to_owned);
        }
        options
    }
}

fn is_valid(config: &Path) -> bool {
    VerifyConfig::load_with(config, Patterns::check).is_ok() && LoadOptions::load(config).is_ok()
}

fn unwritten(error: io::Error) -> Failure {
    failed(format!("cannot write the files of the revision: {}", io_reason(&error)))
}

/// Returns the path inside `top` for the absolute path `real`, as if `top` were the root of the file system.
fn place_in(top: &Path, real: &Path) -> PathBuf {
    let names = real.components().filter(|part| matches!(part, Component::Normal(_)));
    names.fold(top.to_owned(), |place, name| place.join(name))
}
