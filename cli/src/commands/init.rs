//! `bitwall init`: writes a first `bitwall.toml` for the levels of a folder, and lists undecided options.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::slice;

use clap::Args;
use toml::Value;

use crate::commands::files::Levels;
use crate::commands::level_args::LevelFile;
use crate::commands::output::{self, Progress};
use crate::commands::{Answer, Failure, files};
use bitwall::geometry::Dir;
use bitwall::rules::{Setting, Suggestion, TileRange};
use bitwall::text::{counted, path_in_line, printable, printable_path};
use bitwall::{LoadOptions, LoadedLevel};

/// Look at all levels in a folder, and write a bitwall.toml that fits them
///
/// Maps are those in .tmx, .tmj and .ldtk; masks are the pictures *_mask.*, *-mask.*, *.mask.*, *collision* and
/// those in a folder `masks`. Each level may suggest options. An option is set if the suggestion is not a
/// guess and if it changes only levels that suggest it. Other suggested options are written as comments.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall init
  bitwall init assets/maps
  bitwall init --dry-run")]
pub(super) struct InitArgs {
    /// The folder; the file is written into it
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// Replace a bitwall.toml that is there
    #[arg(long)]
    force: bool,
    /// Write no file; show the text of the bitwall.toml instead
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &InitArgs) -> Result<Answer, Failure> {
    let folder = &args.folder;
    let config = folder.join("bitwall.toml");
    if !folder.is_dir() {
        let name = printable_path(folder);
        return Err(Failure::Other(format!("{name}: there is no such folder")));
    }
    if !args.force && !args.dry_run && config.symlink_metadata().is_ok() {
        let name = printable_path(&config);
        let reason = "there is one already; --force replaces it, --dry-run only shows the text";
        return Err(Failure::Other(format!("{name}: {reason}")));
    }
    let levels = files::levels(folder)?;
    if levels.maps.is_empty() && levels.masks.is_empty() {
        let name = printable_path(folder);
        let others = counted(levels.other_pictures as u64, "picture");
        let reason =
            "there is no map, and no picture that is named as a mask, such as cave_mask.png";
        return Err(Failure::Other(format!("{name}: {reason}; it has {others}")));
    }
    let survey = FolderSurvey::new(&levels, folder);
    check_root(&survey, folder)?;
    let text = text(&survey);
    LoadOptions::decode(&config, &text)?;
    if args.dry_run {
        return print(&text);
    }
    output::write_bytes(&config, text.as_bytes())?;
    print(&report(&survey, &config, levels.other_pictures))
}

/// Fails if a level needs files outside `folder`, because a `bitwall.toml` in it would forbid these files.
fn check_root(survey: &FolderSurvey, folder: &Path) -> Result<(), Failure> {
    let refused = survey.looks.iter().filter(|look| look.error.is_some());
    let options = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
    let mut outside = refused.filter(|look| LoadedLevel::load(&look.path, &options).is_ok());
    match outside.next() {
        None => Ok(()),
        Some(look) => Err(Failure::Other(format!(
            "{}: the level names files outside {}, from which a bitwall.toml there would keep it; name the \
             folder of the whole project",
            printable_path(&look.path),
            printable_path(folder)
        ))),
    }
}

fn print(text: &str) -> Result<Answer, Failure> {
    Answer::Yes.once(write!(std::io::stdout().lock(), "{text}"))
}

fn report(survey: &FolderSurvey, config: &Path, other_pictures: usize) -> String {
    let mut text = String::new();
    let (mut refused, mut blank, mut doubtful, mut fine) = (0, 0, 0, 0);
    for look in &survey.looks {
        text += &printable_path(&look.path);
        match (&look.error, look.suggestions.first()) {
            (Some(error), _) => text += &format!(": {}\n", printable(error)),
            (None, None) => text += &format!(": {:.1}% solid\n", look.share * 100.0),
            (None, Some(first)) => {
                text += &format!(": {:.1}% solid; try {first}\n", look.share * 100.0);
            }
        }
        let count = match look {
            Look { error: Some(_), .. } => &mut refused,
            Look { is_blank: true, .. } => &mut blank,
            Look { suggestions, .. } if !suggestions.is_empty() => &mut doubtful,
            _ => &mut fine,
        };
        *count += 1;
    }
    text += &format!(
        "\n{}: {}: {fine} with solids, {doubtful} with solids and suggestions, {blank} without solids, \
         {refused} that cannot be loaded\n",
        printable_path(config),
        counted(survey.looks.len() as u64, "level"),
    );
    if other_pictures > 0 {
        let others = counted(other_pictures as u64, "picture");
        text += &format!("{others} not named as masks, not looked at\n");
    }
    for (word, choices) in [("taken", &survey.taken), ("not decided", &survey.open)] {
        choices.iter().for_each(|choice| text += &format!("{word}: {choice}\n"));
    }
    text
}

// The text of a `bitwall.toml`: options in force are keys, the others comments.

fn text(survey: &FolderSurvey) -> String {
    let mut text = String::from(
        "# How the levels in this folder are read. `LoadOptions::decode` in the documentation of bitwall has \
         all keys.\n# Written by `bitwall init`. Lines that begin with # are not in force; a key that \
         is there already takes their values in its own list.\n",
    );
    let (taken, open) = (tables(&survey.taken), tables(&survey.open));
    let names: BTreeSet<&str> = taken.keys().chain(open.keys()).copied().collect();
    for table in names {
        text += &format!("\n[{table}]\n");
        let mut said = String::new();
        for (key, value) in taken.get(table).into_iter().flatten() {
            let reasons = reasons(&survey.taken, table, key);
            if reasons != said {
                text += &reasons;
            }
            text += &format!("{key} = {value}\n");
            said = reasons;
        }
        survey.open.iter().for_each(|choice| text += &comments(choice, table));
    }
    text
}

/// Comment lines with the reasons of the choices that set `key` in `table`.
fn reasons(taken: &[Choice], table: &str, key: &str) -> String {
    let mut lines = String::new();
    for choice in taken {
        if tables(slice::from_ref(choice)).get(table).is_some_and(|keys| keys.contains_key(key)) {
            let levels = counted(choice.levels.len() as u64, "level");
            lines += &format!("# {}, in {levels}\n", printable(&choice.suggestion.why));
        }
    }
    lines
}

/// Comment lines with the keys that an undecided choice would set in `table`; empty without such keys.
fn comments(choice: &Choice, table: &str) -> String {
    let own = tables(slice::from_ref(choice));
    let Some(keys) = own.get(table) else {
        return String::new();
    };
    let levels = counted(choice.levels.len() as u64, "level");
    let mut text = format!("\n# Not decided, for {levels}: {}", printable(&choice.suggestion.why));
    if let Some(path) = &choice.harms {
        text += &format!("; it would also change {}", path_in_line(path));
    }
    text.push('\n');
    for (key, value) in keys {
        text += &format!("# {key} = {value}\n");
    }
    text
}

/// The keys and values that the choices set, by table of the `bitwall.toml`.
fn tables(choices: &[Choice]) -> BTreeMap<&'static str, BTreeMap<&'static str, Value>> {
    let mut tables: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    for setting in choices.iter().flat_map(|choice| &choice.suggestion.options) {
        for (table, key, value) in keys(setting) {
            let keys = tables.entry(table).or_default();
            match keys.get_mut(key) {
                Some(known) => merge(known, value),
                None => {
                    keys.insert(key, value);
                }
            }
        }
    }
    tables
}

fn merge(known: &mut Value, new: Value) {
    match (known, new) {
        (Value::Array(known), Value::Array(new)) => {
            known.extend(new);
            known.dedup();
        }
        (Value::Table(known), Value::Table(new)) => {
            for (name, value) in new {
                match known.get_mut(&name) {
                    Some(known) => merge(known, value),
                    None => {
                        known.insert(name, value);
                    }
                }
            }
        }
        (known, new) => *known = new,
    }
}

fn keys(setting: &Setting) -> Vec<(&'static str, &'static str, Value)> {
    let list = |word: &str| Value::Array(vec![Value::String(word.to_owned())]);
    let table =
        |key: &str, value: Value| Value::Table([(key.to_owned(), value)].into_iter().collect());
    let ids = |tiles: &TileRange| {
        let (first, last) = tiles.ids.unwrap_or((0, u32::MAX));
        table(&tiles.tileset, list(&format!("{first}-{last}")))
    };
    let (table, key, value) = match setting {
        Setting::SolidLayer(name) => ("solid", "layers", list(name)),
        Setting::WalkableLayer(name) => ("solid", "walkable-layers", list(name)),
        Setting::PassableLayer(name) => ("solid", "passable-layers", list(name)),
        Setting::SolidClass(class) => {
            let keys = ["layer-classes", "tile-classes", "object-classes"];
            return keys.map(|key| ("solid", key, list(class))).into();
        }
        Setting::SolidProperty(name) => {
            let keys = ["layer-properties", "tile-properties", "object-properties"];
            return keys.map(|key| ("solid", key, list(name))).into();
        }
        Setting::PassableProperty(name) => ("solid", "passable-properties", list(name)),
        Setting::SolidValue { name, value } => {
            ("solid", "values", list(&format!("{name}={value}")))
        }
        Setting::SolidTiles(tiles) => ("solid", "tiles", ids(tiles)),
        Setting::PassableTiles(tiles) => ("solid", "passable-tiles", ids(tiles)),
        Setting::ShapesOnly => ("solid", "shapes-only", Value::Boolean(true)),
        Setting::Mask(rule) => ("masks", "rule", Value::String(rule.clone())),
        Setting::Plane { name, color: [red, green, blue] } => {
            let color = Value::String(format!("#{red:02x}{green:02x}{blue:02x}"));
            ("masks", "planes", table(name, color))
        }
        Setting::Lenient => ("level", "lenient", Value::Boolean(true)),
    };
    vec![(table, key, value)]
}

/// The most options that are tried, each on all levels.
const MOST_TRIALS: usize = 24;

#[derive(Clone, Debug)]
struct Look {
    path: PathBuf,
    error: Option<String>,
    /// The share of solid cells in the level, from 0 to 1.
    share: f64,
    suggestions: Vec<Suggestion>,
    is_blank: bool,
    /// The number of solid cells, then of one-way cells by side. An option that changes none has no effect.
    marks: [u64; 5],
}

impl Look {
    fn load(path: &Path, options: &LoadOptions) -> Self {
        let mut look = Self {
            path: path.to_owned(),
            error: None,
            share: 0.0,
            suggestions: Vec::new(),
            is_blank: false,
            marks: [0; 5],
        };
        let options = LoadOptions { allow_nothing_solid: true, ..options.clone() };
        match LoadedLevel::load(path, &options) {
            Ok(loaded) => {
                let (level, grid) = (&loaded.level, loaded.level.grid());
                look.share = grid.solid_count() as f64 / grid.cell_count() as f64;
                look.suggestions = LevelFile::on_disk(path).suggestions(&loaded);
                look.is_blank = level.is_blank();
                let one_way = |side| level.one_way(side).map_or(0, |grid| grid.solid_count());
                let [left, right, up, down] = Dir::ALL.map(one_way);
                look.marks = [grid.solid_count(), left, right, up, down];
            }
            Err(error) => look.error = Some(error.headline()),
        }
        look
    }
}

/// An option that levels suggest for the `bitwall.toml`, and the reasons for and against it.
#[derive(Clone, Debug)]
struct Choice {
    suggestion: Suggestion,
    levels: Vec<PathBuf>,
    /// A level that does not suggest the option but would change, so that it is not taken; else `None`.
    harms: Option<PathBuf>,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.suggestion)?;
        if self.levels.len() > 1 {
            write!(f, " (in {})", counted(self.levels.len() as u64, "level"))?;
        }
        match &self.harms {
            Some(path) => write!(f, "; it would also change {}", printable_path(path)),
            None => Ok(()),
        }
    }
}

struct FolderSurvey {
    looks: Vec<Look>,
    /// The chosen options, in order.
    taken: Vec<Choice>,
    /// The options that were not chosen.
    open: Vec<Choice>,
    options: LoadOptions,
}

impl FolderSurvey {
    /// Tries the suggested options one by one; an option that more levels suggest is tried before the others.
    /// An option is taken unless it is a guess or would change a level that does not suggest it.
    fn new(levels: &Levels, folder: &Path) -> Self {
        let paths: Vec<&PathBuf> = levels.maps.iter().chain(&levels.masks).collect();
        let options = LoadOptions { root: Some(folder.into()), ..LoadOptions::default() };
        let look = |options: &LoadOptions| -> Vec<Look> {
            let mut bar = Progress::new("looking at levels", paths.len() as u64);
            let looks = (1..).zip(&paths).map(|(done, path)| {
                bar.show(done);
                Look::load(path, options)
            });
            looks.collect()
        };
        let (looks, taken, open) = (look(&options), Vec::new(), Vec::new());
        let mut survey = Self { looks, taken, open, options };
        for _ in 0..MOST_TRIALS {
            let Some(mut choice) = survey.next() else {
                break;
            };
            let mut trial = survey.options.clone();
            choice.suggestion.options.iter().for_each(|setting| trial.apply(setting));
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

    /// The untried suggestion of the most levels. Skips guesses; `None` if no other suggestion is left.
    fn next(&self) -> Option<Choice> {
        let tried = |suggestion: &Suggestion| {
            let mut all = self.taken.iter().chain(&self.open);
            all.any(|choice| choice.suggestion.options == suggestion.options)
        };
        let choices = self.choices(|suggestion| !suggestion.is_guess && !tried(suggestion));
        // The first choice wins a tie.
        choices.into_iter().rev().max_by_key(|choice| choice.levels.len())
    }

    /// Collects each level's first suggestion that satisfies `wanted`, and joins equal ones into one choice.
    /// The choices with the most levels come first.
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
