//! The files to check: the files that the arguments name, and all maps, worlds and masks in the folders that
//! they name.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::commands::Failure;
use crate::commands::files::{FoundFiles, PathKind, identity, pictures_of_others};
use crate::commands::verify::settings::Settings;
use crate::commands::verify::{REPAIR_ENDING, VerifyArgs, annotate};
use bitwall::load::CONFIG;
use bitwall::text::path_in_line;

#[derive(Default)]
pub(super) struct Scope {
    /// The maps, worlds and masks. Sorted by path, without duplicates.
    pub(super) levels: Vec<PathBuf>,
    /// The `.toml` files that the arguments name. They contain options, not a level.
    pub(super) configs: Vec<PathBuf>,
    /// The number of pictures in the folders that are not masks and that no map, tileset or mask uses.
    pub(super) pictures_left: usize,
}

/// Finds the files to check. `stdin` is the path shown for a level on standard input.
pub(super) fn scope<'a>(
    args: &'a VerifyArgs,
    settings: &mut Settings,
    stdin: Option<&'a PathBuf>,
) -> Result<Scope, Failure> {
    let mut named: Vec<&PathBuf> = Vec::new();
    let mut found = FoundFiles::new(args.max_files);
    for path in &args.paths {
        if let Some(stdin) = stdin.filter(|_| path == Path::new("-")) {
            named.push(stdin);
        } else if path.is_dir() {
            found.walk(path, &args.exclude, |path| {
                let (config, place) = settings.judge(path)?;
                Ok(config.excludes(&place))
            })?;
        } else if path.symlink_metadata().is_err() {
            let path = path_in_line(path);
            return Err(Failure::Other(format!("there is no file or folder `{path}`")));
        } else {
            named.push(path);
        }
    }
    let mut of_others = pictures_of_others(&found);
    let found = found.files;
    of_others.extend(settings.arts());
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
        let kind = PathKind::from_path(&path);
        if kind.is_none_or(|kind| kind == PathKind::Tileset) {
            continue;
        }
        let identity = identity(&path);
        let (config, place) = settings.judge(&path)?;
        let name = path.as_os_str().as_encoded_bytes();
        let is_own =
            [annotate::ENDING, REPAIR_ENDING].iter().any(|it| name.ends_with(it.as_bytes()));
        if known.contains(&identity) || is_own {
            continue;
        }
        let is_level = match kind {
            Some(PathKind::Picture) => {
                let is_of_other = of_others.contains(&identity) && !config.is_in_pair(&place);
                let is_mask = !is_of_other && config.is_mask(&place);
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
    scope.levels.sort_by_cached_key(|path| path.as_os_str().as_encoded_bytes().to_owned());
    if scope.levels.is_empty() && scope.configs.is_empty() {
        // Configurations are loaded together with the files. Without files, this loads the configurations of
        // the folders, so that their findings are reported.
        let configs = args.paths.iter().map(|folder| folder.join(CONFIG));
        for config in configs.filter(|config| config.is_file()) {
            settings.judge(&config)?;
        }
        // With `--diff`, a change may have taken out all levels, which is reported.
        if settings.findings.is_empty() && args.known.diff.is_none() {
            return Err(nothing(scope.pictures_left));
        }
    }
    Ok(scope)
}

pub(super) fn nothing(pictures_left: usize) -> Failure {
    let hint = if pictures_left == 0 {
        ""
    } else {
        "; a picture is a mask if it is named as one (`[verify] masks`), or given as PATH"
    };
    Failure::Other(format!(
        "there is nothing to check: no map, no world and no mask was found{hint}"
    ))
}
