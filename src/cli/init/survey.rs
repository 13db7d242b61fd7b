//! A look at each level of a folder, and the choice of the options that fit them all.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::cli::files::Levels;
use crate::cli::level_file::LevelFile;
use crate::cli::progress::Bar;
use crate::geometry::Dir;
use crate::rules::{Setting, Suggestion};
use crate::text::counted;
use crate::{Level, LoadOptions, LoadedLevel};

/// At most so many options are tried, each on all levels.
const MOST_TRIALS: usize = 24;

/// A level as it is by some options.
#[derive(Clone, Debug)]
pub(super) struct Look {
    pub(super) path: PathBuf,
    /// The reason that it cannot be loaded.
    pub(super) error: Option<String>,
    /// The share of its cells that is solid.
    pub(super) share: f64,
    pub(super) suggestions: Vec<Suggestion>,
    is_blank: bool,
    /// Equal for equal solids.
    marks: [u64; 5],
}

impl Look {
    fn at(path: &Path, options: &LoadOptions) -> Self {
        let options = options.clone().with_nothing_solid_allowed(true);
        match LoadedLevel::load(path, &options) {
            Ok(loaded) => {
                let grid = loaded.level.grid();
                Self {
                    path: path.to_owned(),
                    error: None,
                    share: grid.solid_count() as f64 / grid.cell_count() as f64,
                    suggestions: LevelFile::on_disk(path).suggestions(&loaded),
                    is_blank: loaded.level.is_blank(),
                    marks: marks(&loaded.level),
                }
            }
            Err(error) => Self {
                path: path.to_owned(),
                error: Some(error.headline()),
                share: 0.0,
                suggestions: Vec::new(),
                is_blank: false,
                marks: [0; 5],
            },
        }
    }

    /// True if nothing in it is solid.
    pub(super) fn is_blank(&self) -> bool {
        self.is_blank
    }

    /// True if something in it is solid, but more may be meant.
    pub(super) fn is_doubtful(&self) -> bool {
        !self.is_blank && !self.suggestions.is_empty()
    }
}

/// The numbers of solid cells, and of one-way cells by side.
fn marks(level: &Level) -> [u64; 5] {
    let [left, right, up, down] =
        Dir::ALL.map(|side| level.one_way(side).map_or(0, |grid| grid.solid_count()));
    [level.grid().solid_count(), left, right, up, down]
}

/// An option that the file could have, and the reason that it is or is not in force.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) suggestion: Suggestion,
    /// The levels that it is for.
    pub(super) levels: Vec<PathBuf>,
    /// A level that it would change besides them.
    pub(super) harms: Option<PathBuf>,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.suggestion)?;
        match &self.levels[..] {
            [] | [_] => {}
            levels => write!(f, " (in {})", counted(levels.len() as u64, "level"))?,
        }
        match &self.harms {
            Some(path) => write!(f, "; it would also change {}", crate::text::printable_path(path)),
            None => Ok(()),
        }
    }
}

/// All levels of a folder, by the options that fit them.
pub(super) struct Survey {
    pub(super) looks: Vec<Look>,
    /// The options in force, in the order in which they were taken.
    pub(super) taken: Vec<Choice>,
    /// Those that were not taken.
    pub(super) open: Vec<Choice>,
    /// The load options with those in force.
    pub(super) options: LoadOptions,
}

impl Survey {
    /// Takes options one by one: the first suggestion of most levels, unless it is a guess or would change a
    /// level for which it is not suggested.
    pub(super) fn of(levels: &Levels, folder: &Path) -> Self {
        let paths: Vec<&PathBuf> = levels.maps.iter().chain(&levels.masks).collect();
        let options = LoadOptions::default().with_root(folder);
        let look = |options: &LoadOptions| -> Vec<Look> {
            let mut bar = Bar::new("looking at levels", paths.len() as u64);
            let looks = (1..).zip(&paths).map(|(done, path)| {
                bar.at(done);
                Look::at(path, options)
            });
            looks.collect()
        };
        let (looks, taken, open) = (look(&options), Vec::new(), Vec::new());
        let mut survey = Self { looks, taken, open, options };
        for _ in 0..MOST_TRIALS {
            let Some(mut choice) = survey.next() else {
                break;
            };
            let settings = choice.suggestion.options.iter();
            let trial =
                settings.fold(survey.options.clone(), |options, it| options.with_setting(it));
            let looks = look(&trial);
            let changed =
                survey.looks.iter().zip(&looks).filter(|(old, new)| old.marks != new.marks);
            let mut others = changed.filter(|(old, _)| !choice.levels.contains(&old.path));
            choice.harms = others
                .next()
                .map(|(old, _)| old.path.strip_prefix(folder).unwrap_or(&old.path).to_owned());
            if choice.harms.is_some() {
                survey.open.push(choice);
            } else {
                (survey.options, survey.looks) = (trial, looks);
                survey.taken.push(choice);
            }
        }
        let guesses = survey.choices(|suggestion| suggestion.is_guess);
        survey.open.extend(guesses);
        survey
    }

    /// The suggestion of most levels that is no guess and was not tried.
    fn next(&self) -> Option<Choice> {
        let tried = |suggestion: &Suggestion| {
            let mut all = self.taken.iter().chain(&self.open);
            all.any(|choice| choice.suggestion.options == suggestion.options)
        };
        let choices = self.choices(|suggestion| !suggestion.is_guess && !tried(suggestion));
        // Of equal ones the first.
        choices.into_iter().rev().max_by_key(|choice| choice.levels.len())
    }

    /// The first suggestion of each level of which `wanted` is true, each with all its levels.
    fn choices(&self, wanted: impl Fn(&Suggestion) -> bool) -> Vec<Choice> {
        let mut choices: BTreeMap<Vec<Setting>, Choice> = BTreeMap::new();
        for look in &self.looks {
            for suggestion in look.suggestions.iter().filter(|it| wanted(it)).take(1) {
                let new = || Choice {
                    suggestion: Suggestion { cells: 0, ..suggestion.clone() },
                    levels: Vec::new(),
                    harms: None,
                };
                let choice = choices.entry(suggestion.options.clone()).or_insert_with(new);
                choice.suggestion.cells += suggestion.cells;
                choice.levels.push(look.path.clone());
            }
        }
        let mut choices: Vec<Choice> = choices.into_values().collect();
        choices.sort_by_key(|choice| std::cmp::Reverse(choice.levels.len()));
        choices
    }
}
