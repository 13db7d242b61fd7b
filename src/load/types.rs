//! Finds the property types of the maps of a level, and adds their defaults to the maps. The files are read
//! only if a map uses a class. Their content is read by module `tmx`.
//!
//! The game itself reads no project of Tiled. So a project that cannot be read is an error only if a class of
//! the map stands in it, because its defaults may then change what is solid. Otherwise it is a warning.

use std::path::{Path, PathBuf};

use super::disk::{Files, TypeFiles, is_tiled_project};
use crate::error::{LoadError, LoadErrorKind, LoadWarning};
use crate::limits::{Limits, Spent, check};
use crate::options::LoadOptions;
use crate::paths::{is_absolute, joined, plain};
use crate::tmx::{Map, ProjectFile, PropertyTypes};

/// The largest number of projects in a folder that are read to find the one that holds the level.
const MAX_PROJECTS: usize = 16;

/// The property types of a level, which are found for the first map that uses a class.
pub(super) struct LevelTypes<'l> {
    path: &'l Path,
    options: &'l LoadOptions,
    found: Option<FoundTypes>,
}

#[derive(Default)]
struct FoundTypes {
    types: PropertyTypes,
    broken: Vec<BrokenFile>,
    /// A warning that no map has yet.
    warning: Option<LoadWarning>,
}

/// A file of property types that cannot be read.
struct BrokenFile {
    error: LoadError,
    /// The content; `None` if the file cannot be opened.
    content: Option<Vec<u8>>,
    /// True for a file that a project names. The name may be long out of date, and Tiled does not insist.
    is_named: bool,
}

impl<'l> LevelTypes<'l> {
    /// Returns the types of the level at `path`.
    pub(super) fn new(path: &'l Path, options: &'l LoadOptions) -> Self {
        Self { path, options, found: None }
    }

    /// Adds the defaults of its classes to a map.
    ///
    /// # Errors
    /// Fails if a file that cannot be read may define a class of the map, and if the map with its defaults
    /// exceeds a limit.
    pub(super) fn complete(
        &mut self,
        map: &mut Map,
        files: &mut dyn Files,
        spent: &mut Spent,
    ) -> Result<(), LoadError> {
        if !map.uses_type(&mut |_| true) {
            return Ok(());
        }
        let found = match self.found.take() {
            Some(found) => found,
            None => find(self.path, self.options, files, spent)?,
        };
        let found = self.found.insert(found);
        map.faults.extend(found.warning.take());
        for index in 0..found.broken.len() {
            let broken = &found.broken[index];
            let class = broken.needed_by(map, &found.types);
            let is_out_of_date = broken.is_named && broken.content.is_none();
            let can_load = is_out_of_date
                || self.options.lenient
                || matches!(broken.error.kind(), LoadErrorKind::MissingFeature { .. });
            match class {
                Some(class) if !can_load => {
                    return Err(found.broken.swap_remove(index).into_error(&class));
                }
                None if is_out_of_date => {}
                _ => map.faults.push(LoadWarning::no_classes(&broken.error)),
            }
        }
        found.types.complete(map, spent).map_err(|kind| kind.in_file(self.path))
    }
}

impl BrokenFile {
    /// Returns the first class or enum of a map that this file may define, because no other file does and its
    /// name stands here.
    fn needed_by(&self, map: &Map, types: &PropertyTypes) -> Option<String> {
        let mut needed = None;
        map.uses_type(&mut |class| {
            let quoted = format!("\"{class}\"");
            let stands_here = self.content.as_ref().is_none_or(|content| {
                content.windows(quoted.len()).any(|part| part == quoted.as_bytes())
            });
            if stands_here && !types.has(class) {
                needed = Some(class.to_owned());
            }
            needed.is_some()
        });
        needed
    }

    fn into_error(self, class: &str) -> LoadError {
        if self.content.is_none() {
            return self.error;
        }
        let reason = self.error.headline();
        let reason =
            format!("{reason} (the map uses the class `{class}`, which stands in this file)");
        LoadError::new(
            self.error.path(),
            self.error.place().clone(),
            LoadErrorKind::Json { reason },
        )
    }
}

/// Finds and reads the property types of the level at `path`.
fn find(
    path: &Path,
    options: &LoadOptions,
    files: &mut dyn Files,
    spent: &mut Spent,
) -> Result<FoundTypes, LoadError> {
    let found = FoundTypes::default();
    let mut reader = TypesReader { limits: &options.limits, files, spent, bytes: 0, found };
    if let Some(project) = &options.tiled_project {
        let bytes = reader.bytes(project).map_err(|kind| kind.in_file(project))?;
        reader.project(project, Ok(bytes));
    } else if let Some(near) = reader.files.type_files(path) {
        reader.nearest(&near);
    }
    Ok(reader.found)
}

struct TypesReader<'r> {
    limits: &'r Limits,
    files: &'r mut dyn Files,
    spent: &'r mut Spent,
    /// The number of bytes in all files that were read.
    bytes: u64,
    found: FoundTypes,
}

impl TypesReader<'_> {
    /// Reads the project that holds the level. Without one that has types, reads the exported types.
    fn nearest(&mut self, near: &TypeFiles) {
        let of_project = |name: &&String| is_tiled_project(Path::new(name));
        let (projects, exports): (Vec<_>, Vec<_>) = near.names.iter().partition(of_project);
        if !projects.is_empty() {
            let Some(project) = self.holder(near, &projects) else {
                self.found.warning = Some(LoadWarning::several_projects(&projects));
                return;
            };
            let bytes = self.bytes(&project);
            self.project(&project, bytes);
        }
        if self.found.types.is_empty() && self.found.broken.is_empty() {
            for name in exports {
                let path = near.folder.join(name);
                let bytes = self.bytes(&path);
                self.add(&path, bytes, false);
            }
        }
    }

    /// Returns the only project, or the only one of several whose folders hold the level.
    fn holder(&mut self, near: &TypeFiles, projects: &[&String]) -> Option<PathBuf> {
        if let [only] = projects {
            return Some(near.folder.join(only));
        }
        if projects.len() > MAX_PROJECTS {
            return None;
        }
        let level = plain(&near.level);
        let mut holders = Vec::new();
        for name in projects {
            let path = near.folder.join(name);
            let Ok(bytes) = self.bytes(&path) else { continue };
            let read = PropertyTypes::default().read(&path, &bytes, self.limits, self.spent);
            let folders = read.unwrap_or_default().folders;
            if folders.iter().any(|folder| level.starts_with(plain(Path::new(folder)))) {
                holders.push(path);
            }
        }
        holders.pop().filter(|_| holders.is_empty())
    }

    /// Adds the types of a project, and those in the file that it names.
    fn project(&mut self, path: &Path, bytes: Result<Vec<u8>, LoadErrorKind>) {
        let Some(written) = self.add(path, bytes, false).types_file else { return };
        let path = joined(path, &written);
        let bytes = if is_absolute(&written) {
            Err(LoadErrorKind::AbsolutePath)
        } else {
            self.bytes(&path)
        };
        self.add(&path, bytes, true);
    }

    /// Adds the types in a file, or the file to those that cannot be read.
    fn add(
        &mut self,
        path: &Path,
        bytes: Result<Vec<u8>, LoadErrorKind>,
        is_named: bool,
    ) -> ProjectFile {
        let (error, content) = match bytes {
            Ok(bytes) => match self.found.types.read(path, &bytes, self.limits, self.spent) {
                Ok(file) => return file,
                Err(error) => (error, Some(bytes)),
            },
            Err(kind) => (kind.in_file(path), None),
        };
        self.found.broken.push(BrokenFile { error, content, is_named });
        ProjectFile::default()
    }

    fn bytes(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        let bytes = self.files.read(path)?;
        self.bytes += bytes.len() as u64;
        check(
            "bytes in the files with classes (the limit `bytes`)",
            self.bytes,
            self.limits.bytes,
        )?;
        Ok(bytes)
    }
}
