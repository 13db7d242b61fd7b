//! A project: a folder with a `bitwall.toml`, whose options count for all levels in it.

use std::path::{Path, PathBuf};

use super::config;
use super::disk::Links;
use super::root::{CONFIG, below, config_of};
use crate::Level;
use crate::error::{LoadError, Place};
use crate::options::LoadOptions;

/// A root folder and its `bitwall.toml`: the load options that all levels of a game share, which their makers
/// can change without its code.
///
/// Nothing looks for a `bitwall.toml` unless it is asked to by this type: [`Level::load`] does not. The
/// program `bitwall` uses the one that [`Project::find`] finds.
///
/// ```no_run
/// use bitwall::Project;
///
/// let project = Project::open("assets")?;
/// let level = project.load(project.root().join("cave.tmx"))?;
/// # Ok::<(), bitwall::LoadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Project {
    root: PathBuf,
    config: PathBuf,
    options: LoadOptions,
}

impl Project {
    /// The project of a level or a folder: the nearest folder with a `bitwall.toml`, from `path` itself or
    /// the folder that it is in upwards; `None` if there is none. The search ends at a folder with a `.git`,
    /// and never takes the folder of all files (`/`, or that of a drive). The level need not exist.
    ///
    /// # Errors
    /// As [`LoadOptions::load`]; also if the `bitwall.toml` is a link. The error has the path of the
    /// `bitwall.toml`; one below the current folder is shortened to the part below it.
    pub fn find(path: impl AsRef<Path>) -> Result<Option<Self>, LoadError> {
        config_of(path.as_ref()).map(Self::of).transpose()
    }

    /// The project whose `bitwall.toml` is in the folder `root`.
    ///
    /// # Errors
    /// As [`LoadOptions::load`]; also if there is no `bitwall.toml`, or it is a link. The error has the path
    /// `root/bitwall.toml`.
    pub fn open(root: impl AsRef<Path>) -> Result<Self, LoadError> {
        Self::of(root.as_ref().join(CONFIG))
    }

    /// The project of a `bitwall.toml`, by any name.
    pub fn of(config: PathBuf) -> Result<Self, LoadError> {
        let mut options = config::load(&config, Links::Refused)?;
        let root = match config.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        if options.root.is_none() {
            let real = below(&config, &root);
            let real = real.map_err(|kind| LoadError::new(&config, Place::default(), kind))?;
            options.root = Some(real);
        }
        Ok(Self { root, config, options })
    }

    /// The folder with the `bitwall.toml`. Levels can name files in it, or in the folder that the file states
    /// as `level.root`: see [`LoadOptions::root`] of [`Project::options`].
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The path of the `bitwall.toml`.
    pub fn config(&self) -> &Path {
        &self.config
    }

    /// The options in the `bitwall.toml`, with their [`LoadOptions::root`] and [`LoadOptions::config`] set.
    pub fn options(&self) -> &LoadOptions {
        &self.options
    }

    /// [`Level::load_with`] the project's options. A relative path counts from the current folder, as
    /// everywhere.
    ///
    /// # Errors
    /// As [`Level::load`].
    pub fn load(&self, level: impl AsRef<Path>) -> Result<Level, LoadError> {
        Level::load_with(level, &self.options)
    }
}
