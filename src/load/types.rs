//! Finds the property types of the maps of a level, and adds their defaults to the maps. The files are read
//! only if a map uses a class. Their content is read by module `tmx`.
//!
//! The game itself reads no project of Tiled. So a project that cannot be read is an error only if a class of
//! the map stands in it, because its defaults may then change what is solid. Otherwise it is a warning.

use std::path::{Path, PathBuf};

use super::disk::Files;
use super::root::is_type_file;
use crate::error::{LoadError, LoadErrorKind, LoadWarning, Place};
use crate::limits::Spent;
use crate::options::LoadOptions;
use crate::paths::{is_absolute, is_tiled_project, joined, plain};
use crate::text::path_in_line;
use crate::tmx::{Map, PropertyTypes};

/// The largest number of projects in a folder that are read to find the one that holds the level.
const MAX_PROJECTS: usize = 8;

const MISSING: &str = "put the file there, or take its name out of the project in Tiled";

/// The property types of a level, which are found for the first map that uses a class.
#[derive(Default)]
pub(super) struct LevelTypes {
    types: PropertyTypes,
    are_found: bool,
    /// The first file that cannot be read, and its content.
    broken: Option<(LoadError, Vec<u8>)>,
    /// The warnings that no map has yet.
    warnings: Vec<LoadWarning>,
}

impl LevelTypes {
    /// Adds the defaults of its classes to a map of the level at the path `level`.
    ///
    /// # Errors
    /// Fails if a file that cannot be read may define a class of the map, and if the map with its defaults
    /// exceeds a limit.
    pub(super) fn complete(
        &mut self,
        level: &Path,
        map: &mut Map,
        files: &mut dyn Files,
        options: &LoadOptions,
        spent: &mut Spent,
    ) -> Result<(), LoadError> {
        if spent.uses_types {
            std::mem::swap(&mut self.types.spent, spent);
            let done = self.add_defaults(level, map, files, options);
            std::mem::swap(&mut self.types.spent, spent);
            done?;
        }
        map.keep_inherited(spent).map_err(|kind| kind.in_file(level))
    }

    fn add_defaults(
        &mut self,
        level: &Path,
        map: &mut Map,
        files: &mut dyn Files,
        options: &LoadOptions,
    ) -> Result<(), LoadError> {
        if !self.are_found {
            self.are_found = true;
            self.find(level, files, options)?;
        }
        map.faults.append(&mut self.warnings);
        if self.types.is_empty() && self.broken.is_none() {
            return Ok(());
        }
        self.types.complete(map).map_err(|kind| kind.in_file(level))?;
        let mut unknown = self.types.unknown.iter();
        if let Some((error, content)) = self.broken.as_ref().filter(|_| !options.lenient)
            && let Some(class) = unknown.find(|class| stands_in(content, class))
        {
            let reason = error.headline();
            let reason = format!("{reason} (the map uses the class `{class}`, which stands here)");
            let kind = LoadErrorKind::Json { reason };
            return Err(LoadError::new(error.path(), error.place().clone(), kind));
        }
        Ok(())
    }

    /// Finds and reads the file that the options name, or else the nearest project. A project without types,
    /// and a level without a project, have the exported types.
    fn find(
        &mut self,
        level: &Path,
        files: &mut dyn Files,
        options: &LoadOptions,
    ) -> Result<(), LoadError> {
        let absolute = files.absolute(level).unwrap_or_default();
        let level = absolute.as_path();
        let mut projects = Vec::new();
        let mut exports = Vec::new();
        if let Some(path) = &options.tiled_project {
            let path = files.absolute(path).unwrap_or_else(|| path.clone());
            files.read_start(&path, 1).map_err(|kind| kind.in_file(&path))?;
            projects.push(path);
        }
        let mut folders = level.ancestors().skip(1);
        while projects.is_empty()
            && let Some(folder) = folders.next()
            && let Ok(names) = files.names(folder)
        {
            let names = names.iter().filter(|name| is_type_file(Path::new(name)));
            let mut paths: Vec<PathBuf> = names.map(|name| folder.join(name)).collect();
            paths.sort_unstable();
            projects = paths.extract_if(.., |path| is_tiled_project(path)).collect();
            exports.append(&mut paths);
        }
        if projects.len() > 1 {
            let folder = projects[0].parent().unwrap_or(level).to_owned();
            let are_few = projects.len() <= MAX_PROJECTS;
            projects.retain(|path| are_few && holds(path, level, files, options));
            if projects.len() != 1 {
                let reason =
                    "several Tiled projects, not one of which alone has the map in its `folders`";
                let kind = LoadErrorKind::Json { reason: reason.to_owned() };
                let help = "add the map's folder to one of them, or name one (`LoadOptions::tiled_project`)";
                self.warn(&kind.in_file(&folder), help);
                return Ok(());
            }
        }
        for project in projects {
            self.read(&project, files, options);
            // As in Tiled, the file with more classes may be long gone.
            let more = self.types.types_file.take().filter(|written| !is_absolute(written));
            if let Some(written) = more {
                self.read(&joined(&project, &written), files, options);
            }
        }
        exports.retain(|_| self.types.is_empty());
        for path in exports {
            self.read(&path, files, options);
        }
        Ok(())
    }

    /// Reads a file of property types. One that cannot be read is a warning, and may become an error.
    fn read(&mut self, path: &Path, files: &mut dyn Files, options: &LoadOptions) {
        let bytes = match files.read(path) {
            Ok(bytes) => bytes,
            Err(kind) => return self.warn(&kind.in_file(path), MISSING),
        };
        if let Err(error) = self.types.read(path, &bytes, &options.limits) {
            self.warn(&error, error.help());
            if !matches!(error.kind(), LoadErrorKind::MissingFeature { .. }) {
                self.broken.get_or_insert((error, bytes));
            }
        }
    }

    fn warn(&mut self, error: &LoadError, help: &'static str) {
        let fault = LoadWarning::fault(Place::default(), error.kind(), 1);
        let path = path_in_line(error.path());
        let detail = Some(format!("in {path}, which may define classes of the map"));
        self.warnings.push(LoadWarning { detail, help: help.into(), ..fault });
    }
}

/// True if the level is in a folder of the project.
fn holds(project: &Path, level: &Path, files: &mut dyn Files, options: &LoadOptions) -> bool {
    let mut types = PropertyTypes::default();
    let bytes = files.read(project).unwrap_or_default();
    let _ = types.read(project, &bytes, &options.limits);
    types.folders.iter().any(|folder| level.starts_with(plain(&joined(project, folder))))
}

/// True if a file that cannot be read has the name of a class between quotes.
fn stands_in(content: &[u8], class: &str) -> bool {
    let quoted = format!("\"{class}\"");
    content.windows(quoted.len()).any(|part| part == quoted.as_bytes())
}
