//! The files that are checked: those that are named, and in folders all maps, worlds, masks and
//! configurations.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::VerifyArgs;
use super::settings::Settings;
use crate::cli::Failure;
use crate::cli::files::{FileKind, Found, identity, pictures_of_others};
use crate::text::printable;

/// The files to check, and the number of those that are left alone.
#[derive(Default)]
pub(super) struct Scope {
    /// Maps, worlds and masks, sorted by path, each once.
    pub(super) levels: Vec<PathBuf>,
    /// Files that are named and hold options, not a level.
    pub(super) configs: Vec<PathBuf>,
    /// The pictures in folders that are neither masks nor named by a map.
    pub(super) pictures_left: usize,
}

/// The files that the arguments ask for.
pub(super) fn scope(args: &VerifyArgs, settings: &mut Settings<'_>) -> Result<Scope, Failure> {
    let mut named: Vec<&PathBuf> = Vec::new();
    let mut found = Found::new(args.max_files);
    for path in &args.paths {
        if path.is_dir() {
            found.walk(path, &args.exclude)?;
        } else if path.symlink_metadata().is_err() {
            let path = printable(&path.to_string_lossy()).to_string();
            return Err(Failure::Other(format!("there is no file or folder `{path}`")));
        } else {
            named.push(path);
        }
    }
    let found = found.files;
    let of_others = pictures_of_others(&found);
    let mut scope = Scope::default();
    let mut known = BTreeSet::new();
    for path in named {
        if known.insert(identity(path)) {
            let is_config = path.extension() == Some(OsStr::new("toml"));
            let files = if is_config { &mut scope.configs } else { &mut scope.levels };
            files.push(path.clone());
        }
    }
    for path in found {
        let kind = FileKind::of(&path);
        if kind.is_none_or(|kind| kind == FileKind::Tileset) {
            continue;
        }
        let identity = identity(&path);
        let config = settings.of(&path)?;
        if known.contains(&identity) || config.excludes(&path) {
            continue;
        }
        let is_level = match kind {
            Some(FileKind::Picture) => {
                let is_of_other = of_others.contains(&identity) && !config.is_in_pair(&path);
                let is_mask = !is_of_other && config.is_mask(&path);
                scope.pictures_left += usize::from(!is_mask && !is_of_other);
                is_mask
            }
            _ => true,
        };
        if is_level {
            known.insert(identity);
            scope.levels.push(path);
        }
    }
    let bytes = |path: &PathBuf| path.as_os_str().as_encoded_bytes().to_owned();
    scope.levels.sort_by_cached_key(bytes);
    if scope.levels.is_empty() && scope.configs.is_empty() {
        return Err(nothing(scope.pictures_left));
    }
    Ok(scope)
}

fn nothing(pictures_left: usize) -> Failure {
    let hint = match pictures_left {
        0 => String::new(),
        _ => "; a picture is a mask if it is named as one (`[verify] masks`), or given as PATH"
            .to_owned(),
    };
    let reason = "there is nothing to check: no map, no world and no mask was found";
    Failure::Other(format!("{reason}{hint}"))
}

/// The text for the number of pictures that are left alone.
pub(super) fn left_alone(pictures: usize) -> Option<String> {
    match pictures {
        0 => None,
        1 => Some(
            "1 picture not looked at: no map names it, and its name is not a mask's".to_owned(),
        ),
        count => Some(format!(
            "{count} pictures not looked at: no map names them, and their names are not masks'"
        )),
    }
}

/// The folder that is checked where no path is given.
pub(super) fn here() -> PathBuf {
    Path::new(".").to_owned()
}
