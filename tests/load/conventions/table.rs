//! The table of what is solid in maps of real games, and the verdict on what was found.

use std::path::Path;

use bitwall::rules::Suggestion;
use bitwall::{LoadOptions, LoadedLevel};

use super::truth;

/// A map, what of it is solid and what is one-way by its game.
pub(crate) struct Row<'t> {
    pub(crate) file: &'t str,
    pub(crate) solid: &'t str,
    pub(crate) one_way: &'t str,
}

pub(crate) fn rows(table: &str) -> impl Iterator<Item = Row<'_>> {
    let lines = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        Row { file: fields[0], solid: fields[3], one_way: fields.get(4).copied().unwrap_or("") }
    })
}

/// The level of a map by some options, beside its truth.
pub(crate) struct Verdict {
    /// The shares of the true pixels that are found, and that are solid beside them.
    pub(crate) found: f64,
    pub(crate) beside: f64,
    pub(crate) first: Option<Suggestion>,
}

impl Verdict {
    pub(crate) fn of(row: &Row<'_>, path: &Path, options: &LoadOptions) -> Self {
        let loaded = LoadedLevel::load(path, options).unwrap();
        let map = loaded.map().unwrap();
        let truth = truth::levels(map, row.solid);
        let one_way = truth::levels(map, row.one_way);
        let [both, missed, beside] = truth::compared(&truth, &loaded.level, &one_way);
        let part = |of: u64| of as f64 / (both + missed).max(1) as f64;
        let first = loaded.suggestions(None).into_iter().next();
        Self { found: 1.0 - part(missed), beside: part(beside), first }
    }

    pub(crate) fn is_right(&self) -> bool {
        self.found >= 0.99 && self.beside <= 0.01
    }
}
