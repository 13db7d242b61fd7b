//! The table of the solids in maps of real games, and the comparison with a loaded level.

use std::path::{Path, PathBuf};

use bitwall::geometry::Outside;
use bitwall::{Level, LoadOptions, LoadedLevel};

use super::truth;

/// A map, and its solids according to the code of its game.
pub(crate) struct Row {
    pub(crate) file: String,
    path: PathBuf,
    solid: Vec<Level>,
    one_way: Vec<Level>,
}

/// Returns the rows of the table in a folder. The project of a row is the first folder in its path.
pub(crate) fn rows(folder: &Path, project: Option<&str>) -> Vec<Row> {
    let table = std::fs::read_to_string(folder.join("CONVENTIONS.tsv")).unwrap();
    let lines = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    let fields = lines.map(|line| line.split('\t').collect::<Vec<_>>());
    let is_of = |file: &str| project.is_none_or(|project| file.split('/').next() == Some(project));
    let rows = fields.filter(|fields| is_of(fields[0])).map(|fields| {
        let path = folder.join(fields[0]);
        let map = Row::load(&path, &LoadOptions::default());
        let map = map.map().unwrap();
        let solid = truth::levels(map, fields[3]);
        let one_way = truth::levels(map, fields.get(4).copied().unwrap_or(""));
        Row { file: fields[0].to_owned(), path, solid, one_way }
    });
    rows.collect()
}

impl Row {
    pub(crate) fn project(&self) -> &str {
        self.file.split('/').next().unwrap_or_default()
    }

    /// Loads the map with some options. The outside of the level is open.
    fn load(path: &Path, options: &LoadOptions) -> LoadedLevel {
        let options = LoadOptions { outside: Outside::Open.into(), ..options.clone() };
        LoadedLevel::load(path, &LoadOptions { allow_nothing_solid: true, ..options }).unwrap()
    }

    pub(crate) fn loaded(&self, options: &LoadOptions) -> LoadedLevel {
        Self::load(&self.path, options)
    }

    /// Returns the share of the true solid pixels that the level has, and the number of its other solid
    /// pixels relative to the true ones.
    pub(crate) fn compared(&self, level: &Level) -> [f64; 2] {
        let [both, missed, beside] = truth::compared(&self.solid, level, &self.one_way);
        let part = |of: u64| of as f64 / (both + missed).max(1) as f64;
        [1.0 - part(missed), part(beside)]
    }

    pub(crate) fn is_right(&self, level: &Level) -> bool {
        let [found, beside] = self.compared(level);
        found >= 0.99 && beside <= 0.01
    }
}
