//! The table of the solids in maps of real games, and the comparison with a loaded level.

use std::path::{Path, PathBuf};

use bitwall::geometry::Outside;
use bitwall::{Level, LoadOptions, LoadedLevel};

use super::truth::{self, PlacedLevel};

/// A map, and its solids according to the code of its game.
pub(crate) struct Row {
    pub(crate) file: String,
    pub(crate) folder: PathBuf,
    pub(crate) path: PathBuf,
    pub(crate) solid: Vec<PlacedLevel>,
    /// The parts that count neither way, such as one-way cells and doors.
    pub(crate) neither: Vec<PlacedLevel>,
}

/// Returns the rows of the table in a folder, other than those of masks. The project of a row is the first
/// folder in its path.
pub(crate) fn rows(folder: &Path, project: Option<&str>) -> Vec<Row> {
    let is_of = |file: &str| project.is_none_or(|project| file.split('/').next() == Some(project));
    let mut rows = Vec::new();
    for [file, solid, neither] in lines(folder) {
        if is_of(&file) && !file.ends_with(".png") {
            let path = folder.join(&file);
            let loaded = Row::load(folder, &path, &LoadOptions::default());
            let levels = |terms| truth::levels(&loaded.maps, loaded.level.origin(), terms);
            let [solid, neither] = [levels(&solid), levels(&neither)];
            rows.push(Row { file, folder: folder.to_owned(), path, solid, neither });
        }
    }
    rows
}

/// Returns the lines of the table in a folder: a file, the terms of its solids, and the terms of the parts
/// that count neither way.
pub(crate) fn lines(folder: &Path) -> Vec<[String; 3]> {
    let table = std::fs::read_to_string(folder.join("CONVENTIONS.tsv")).unwrap();
    let lines = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    let fields = lines.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        [0, 3, 4].map(|field| fields.get(field).copied().unwrap_or_default().to_owned())
    });
    fields.collect()
}

impl Row {
    pub(crate) fn project(&self) -> &str {
        self.file.split('/').next().unwrap_or_default()
    }

    /// Loads the level with some options. The outside of the level is open. The files of all levels in
    /// `folder` may be read: the table lists only a part of each project's files.
    fn load(folder: &Path, path: &Path, options: &LoadOptions) -> LoadedLevel {
        let options = LoadOptions {
            outside: Outside::Open.into(),
            allow_nothing_solid: true,
            root: Some(folder.to_owned()),
            ..options.clone()
        };
        LoadedLevel::load(path, &options).unwrap()
    }

    pub(crate) fn loaded(&self, options: &LoadOptions) -> LoadedLevel {
        Self::load(&self.folder, &self.path, options)
    }

    /// Returns the share of the true solid pixels that the level has, and the number of its other solid
    /// pixels relative to the true ones.
    pub(crate) fn compared(&self, level: &Level) -> [f64; 2] {
        let level = PlacedLevel { corner: level.origin(), level: level.clone() };
        let [both, missed, beside] = truth::compared(&self.solid, &level, &self.neither);
        let part = |of: u64| of as f64 / (both + missed).max(1) as f64;
        [1.0 - part(missed), part(beside)]
    }

    pub(crate) fn is_right(&self, level: &Level) -> bool {
        let [found, beside] = self.compared(level);
        found >= 0.99 && beside <= 0.01
    }
}
