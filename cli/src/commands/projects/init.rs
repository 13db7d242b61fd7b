//! `bitwall init`: writes a first `bitwall.toml` for the levels of a folder, and lists undecided options.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fmt, slice};

use clap::Args;
use toml::Value;

use crate::commands::info::one_way_cells;
use crate::commands::output::{self, Progress};
use crate::commands::projects::{Levels, levels_in};
use crate::commands::{Answer, Failure, LevelFile, merge};
use crate::lint::is_like_spawn;
use crate::lint::rules::is_of_automapping;
use crate::suggest::{Setting, Suggestion, keys};
use bitwall::text::{counted, path_in_line, printable, printable_path};
use bitwall::tmx::{LayerContent, Map};
use bitwall::{LoadOptions, LoadedLevel};

/// Look at all levels in a folder, and write a bitwall.toml that fits them
///
/// Maps are those in .tmx, .tmj, .json and .ldtk; masks are the pictures *_mask.*, *-mask.*, *.mask.*,
/// *collision* and those in a folder `masks`. Each level may suggest options. An option is set if the
/// suggestion is not a guess and if it changes only levels that suggest it. Other suggested options are
/// written as comments. For `verify`, the file names the markers of spawns and the layers of all maps, and
/// leaves out the maps of Tiled's automapping.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall init
  bitwall init assets/maps
  bitwall init --dry-run")]
pub(in crate::commands) struct InitArgs {
    /// The folder with the levels; the bitwall.toml is written into it
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// Replace an existing bitwall.toml
    #[arg(long)]
    force: bool,
    /// Write no file; print the text of the bitwall.toml instead
    #[arg(long)]
    dry_run: bool,
}

pub(in crate::commands) fn run(args: &InitArgs) -> Result<Answer, Failure> {
    let folder = &args.folder;
    let config = folder.join("bitwall.toml");
    if !folder.is_dir() {
        return Err(Failure::at(folder, "there is no such folder"));
    }
    if !args.force && !args.dry_run && config.symlink_metadata().is_ok() {
        let reason = "there is one already; --force replaces it, --dry-run only shows the text";
        return Err(Failure::at(&config, reason));
    }
    let levels = levels_in(folder)?;
    if levels.maps.is_empty() && levels.masks.is_empty() {
        let others = counted(levels.other_pictures, "picture");
        let reason = format!(
            "there is no map, and no picture that is named as a mask, such as cave_mask.png; it has {others}"
        );
        return Err(Failure::at(folder, reason));
    }
    let survey = FolderSurvey::new(&levels, folder);
    check_root(&survey, folder)?;
    let text = text(&survey) + &verify_section(&survey, folder);
    LoadOptions::decode(&config, &text)?;
    if args.dry_run {
        return Answer::Yes.print(&text);
    }
    output::write_bytes(&config, text.as_bytes())?;
    Answer::Yes.print(&report(&survey, &config, levels.other_pictures))
}

/// Fails if a level needs files outside `folder`: a `bitwall.toml` in `folder` would forbid these files.
fn check_root(survey: &FolderSurvey, folder: &Path) -> Result<(), Failure> {
    let refused = survey.looks.iter().filter(|look| look.error.is_some());
    let options = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
    let mut outside = refused.filter(|look| LoadedLevel::load(&look.path, &options).is_ok());
    let Some(look) = outside.next() else {
        return Ok(());
    };
    let folder = printable_path(folder);
    let reason = format!(
        "the level names files outside {folder}, from which a bitwall.toml there would keep it; name the \
         folder of the whole project"
    );
    Err(Failure::at(&look.path, reason))
}

fn report(survey: &FolderSurvey, config: &Path, other_pictures: u64) -> String {
    let mut text = String::new();
    let mut counts = [0; 4];
    for look in &survey.looks {
        text += &printable_path(&look.path);
        match (&look.error, look.suggestions.first()) {
            (Some(error), _) => text += &format!(": {}\n", printable(error)),
            (None, None) => text += &format!(": {:.1}% solid\n", look.share * 100.0),
            (None, Some(first)) => {
                text += &format!(": {:.1}% solid; try {first}\n", look.share * 100.0);
            }
        }
        counts[match look {
            Look { error: Some(_), .. } => 0,
            Look { is_blank: true, .. } => 1,
            Look { suggestions, .. } if !suggestions.is_empty() => 2,
            _ => 3,
        }] += 1;
    }
    let [refused, blank, doubtful, fine] = counts;
    text += &format!(
        "\n{}: {}: {fine} with solids, {doubtful} with solids and suggestions, {blank} without solids, \
         {refused} that cannot be loaded\n",
        printable_path(config),
        counted(survey.looks.len() as u64, "level"),
    );
    if other_pictures > 0 {
        let others = counted(other_pictures, "picture");
        text += &format!("{others} not named as masks, not looked at\n");
    }
    for (word, choices) in [("taken", &survey.taken), ("not decided", &survey.open)] {
        choices.iter().for_each(|choice| text += &format!("{word}: {choice}\n"));
    }
    text
}

// The text of a `bitwall.toml`. The options that are set are keys; the other options are comments.

fn text(survey: &FolderSurvey) -> String {
    let mut text = String::from(
        "# How the levels in this folder are read. `LoadOptions::decode` in the documentation of bitwall has \
         all keys.\n# Written by `bitwall init`. Lines that begin with # are not in force; a key that \
         is there already takes their values in its own list.\n",
    );
    let taken = tables(&survey.taken);
    let open = tables(&survey.open);
    let names: BTreeSet<&str> = taken.keys().chain(open.keys()).copied().collect();
    for table in names {
        text += &format!("\n[{table}]\n");
        let mut said = String::new();
        for (key, value) in taken.get(table).into_iter().flatten() {
            let reasons = reasons(&survey.taken, table, key);
            if reasons != said {
                text += &reasons;
            }
            text += &format!("{key} = {}\n", written(value));
            said = reasons;
        }
        survey.open.iter().for_each(|choice| text += &comments(choice, table));
    }
    text
}

/// Returns comment lines with the reasons for setting `key` in `table` of the `bitwall.toml`. `taken` has the
/// options that are set there.
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

/// Returns comment lines with the keys and values that the option `choice` would set in `table` of the
/// `bitwall.toml`. Empty if it sets no key of this table.
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
        text += &format!("# {key} = {}\n", written(value));
    }
    text
}

/// Returns the keys and values that the options in `choices` set in the `bitwall.toml`, by table.
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

/// Returns a value as it is written in a `bitwall.toml`. Characters that [`printable`] escapes are escaped as
/// TOML does it, because `--dry-run` prints the text.
fn written(value: &Value) -> String {
    match value {
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(written).collect();
            format!("[{}]", values.join(", "))
        }
        Value::String(text) if text.chars().any(is_escaped) => {
            let escaped = text.chars().map(|character| match character {
                '"' | '\\' => format!("\\{character}"),
                other if is_escaped(other) => format!("\\U{:08X}", u32::from(other)),
                other => other.to_string(),
            });
            format!("\"{}\"", escaped.collect::<String>())
        }
        other => other.to_string(),
    }
}

fn is_escaped(character: char) -> bool {
    printable(character.encode_utf8(&mut [0; 4])).to_string().starts_with("\\") && character != '\\'
}

/// Returns the text of the section `[verify]`: the excluded maps of Tiled's automapping, the layers that all
/// maps have, and the markers of spawns. Empty if there are none.
fn verify_section(survey: &FolderSurvey, folder: &Path) -> String {
    let looks = survey.looks.iter().filter(|look| look.is_map);
    let (rules, maps): (Vec<&Look>, Vec<_>) = looks.partition(|look| look.is_of_automapping);
    let mut text = String::new();
    if !rules.is_empty() {
        let excluded = rules.iter().map(|look| format!("/{}", literal(&below(folder, &look.path))));
        text += "# Maps of Tiled's automapping are no levels.\n";
        text += &format!("exclude = {}\n", list(excluded.collect()));
    }
    let are_many = maps.len() >= LEAST_MAPS;
    let layers = in_all(maps.iter().map(|look| &look.layers));
    if are_many && !layers.is_empty() {
        text += &format!("# All {} maps have these layers.\n", maps.len());
        text += &format!("required-layers = {}\n", list(layers.into_iter().collect()));
    }
    let common = in_all(maps.iter().map(|look| &look.spawns));
    let spawns: BTreeSet<&String> = maps.iter().flat_map(|look| &look.spawns).collect();
    for name in spawns {
        let quoted = written(&Value::String(name.clone()));
        text += &format!("\n[[verify.marker]]\nname = {quoted}\nrole = \"spawn\"\n");
        if are_many && common.contains(name) {
            text += "at-least = 1\n";
        }
    }
    if text.is_empty() { text } else { format!("\n[verify]\n{text}") }
}

/// Returns the path of a level relative to the folder of the `bitwall.toml`, with slashes.
fn below(folder: &Path, path: &Path) -> String {
    let path = path.strip_prefix(folder).unwrap_or(path);
    path.to_string_lossy().replace('\\', "/")
}

fn list(texts: Vec<String>) -> String {
    written(&Value::Array(texts.into_iter().map(Value::String).collect()))
}

/// Returns the names that all of the sets have.
fn in_all<'n>(sets: impl Iterator<Item = &'n BTreeSet<String>>) -> BTreeSet<String> {
    sets.cloned().reduce(|all, names| &all & &names).unwrap_or_default()
}

/// The smallest number of maps in a folder for which `init` requires the layers and markers that all these
/// maps have.
const LEAST_MAPS: usize = 3;

/// Returns a file pattern that matches only `path`: special characters are escaped.
fn literal(path: &str) -> String {
    let mut pattern = String::new();
    for character in path.chars() {
        if "\\*?[]{}!# ".contains(character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

/// The largest number of options to try. Each option is tried on all levels.
const MOST_TRIALS: usize = 24;

#[derive(Default)]
struct Look {
    path: PathBuf,
    error: Option<String>,
    /// The share of solid cells in the level, from 0 to 1.
    share: f64,
    suggestions: Vec<Suggestion>,
    is_blank: bool,
    is_map: bool,
    is_of_automapping: bool,
    /// The names of the layers of tiles and objects of a map.
    layers: BTreeSet<String>,
    /// The names of objects that mark the start of a body.
    spawns: BTreeSet<String>,
    /// The number of solid cells, then the numbers of one-way cells that guard left, right, up and down. If
    /// an option changes none of these numbers, it counts as having no effect on the level.
    marks: [u64; 5],
}

impl Look {
    fn load(path: &Path, options: &LoadOptions) -> Self {
        let mut look = Self { path: path.to_owned(), ..Self::default() };
        let mut options = LoadOptions { allow_nothing_solid: true, ..options.clone() };
        // What the file says decides, or a person.
        options.solid_rules.last_resorts.clear();
        match LoadedLevel::load(path, &options) {
            Ok(loaded) => {
                let level = &loaded.level;
                let grid = level.grid();
                look.share = grid.solid_count() as f64 / grid.cell_count() as f64;
                look.suggestions = LevelFile::on_disk(path).suggestions(&loaded);
                look.is_blank = level.is_blank();
                if let Some(map) = loaded.map() {
                    look.is_map = true;
                    look.is_of_automapping = is_of_automapping(map);
                    look.read_names(map);
                }
                look.marks[0] = grid.solid_count();
                look.marks[1..].copy_from_slice(&one_way_cells(level).unwrap_or_default());
            }
            Err(error) => look.error = Some(error.headline()),
        }
        look
    }

    fn read_names(&mut self, map: &Map) {
        for context in map.walk() {
            match &context.layer.content {
                LayerContent::Objects(layer) => {
                    let names = layer.objects.iter().map(|object| &object.name);
                    self.spawns.extend(names.filter(|name| is_like_spawn(name)).cloned());
                }
                LayerContent::Tiles(_) => {}
                _ => continue,
            }
            if !context.layer.name.trim().is_empty() {
                self.layers.insert(context.layer.name.clone());
            }
        }
    }
}

/// An option that levels suggest for the `bitwall.toml`, the levels that suggest it, and a level that the
/// option would change although this level does not suggest it.
#[derive(Clone, Debug)]
struct Choice {
    suggestion: Suggestion,
    levels: Vec<PathBuf>,
    /// The first level that the option would change although the level does not suggest it; `None` without
    /// such a level.
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

/// Loads all levels.
fn looks(paths: &[&PathBuf], options: &LoadOptions) -> Vec<Look> {
    let mut bar = Progress::new("looking at levels", paths.len() as u64);
    let mut looks = Vec::new();
    for (done, path) in (1..).zip(paths) {
        bar.show(done);
        looks.push(Look::load(path, options));
    }
    looks
}

struct FolderSurvey {
    looks: Vec<Look>,
    taken: Vec<Choice>,
    /// The options that were not set, because they are guesses or would change other levels.
    open: Vec<Choice>,
    options: LoadOptions,
}

impl FolderSurvey {
    /// Tries each suggested option, beginning with the option that most levels suggest. Sets an option unless
    /// it is a guess, or would change a level that does not suggest it.
    fn new(levels: &Levels, folder: &Path) -> Self {
        let paths: Vec<&PathBuf> = levels.maps.iter().chain(&levels.masks).collect();
        let options = LoadOptions { root: Some(folder.into()), ..LoadOptions::default() };
        let found = looks(&paths, &options);
        let mut survey = Self { looks: found, taken: Vec::new(), open: Vec::new(), options };
        for _ in 0..MOST_TRIALS {
            let Some(mut choice) = survey.next() else {
                break;
            };
            let mut trial = survey.options.clone();
            choice.suggestion.options.iter().for_each(|setting| setting.apply(&mut trial));
            let found = looks(&paths, &trial);
            let mut pairs = survey.looks.iter().zip(&found);
            let harmed = pairs
                .find(|(old, new)| old.marks != new.marks && !choice.levels.contains(&old.path));
            if let Some((old, _)) = harmed {
                let path = old.path.strip_prefix(folder).unwrap_or(&old.path);
                choice.harms = Some(path.to_owned());
                survey.open.push(choice);
            } else {
                survey.options = trial;
                survey.looks = found;
                survey.taken.push(choice);
            }
        }
        let guesses = survey.choices(|suggestion| suggestion.is_guess);
        survey.open.extend(guesses);
        survey
    }

    /// Returns the option that most levels suggest, of those not tried yet. `None` if only guesses are left.
    fn next(&self) -> Option<Choice> {
        let choices = self.choices(|suggestion| {
            let mut tried = self.taken.iter().chain(&self.open);
            !suggestion.is_guess && tried.all(|it| it.suggestion.options != suggestion.options)
        });
        // Among options that equally many levels suggest, the first is taken.
        choices.into_iter().rev().max_by_key(|choice| choice.levels.len())
    }

    /// Collects the first suggestion of each level for which `wanted` returns true. Equal suggestions become
    /// one choice. The choices with the most levels come first.
    fn choices(&self, wanted: impl Fn(&Suggestion) -> bool) -> Vec<Choice> {
        let mut choices: BTreeMap<Vec<Setting>, Choice> = BTreeMap::new();
        for look in &self.looks {
            for suggestion in look.suggestions.iter().filter(|it| wanted(it)).take(1) {
                let choice = choices.entry(suggestion.options.clone()).or_insert_with(|| {
                    let suggestion = Suggestion { cells: 0, ..suggestion.clone() };
                    Choice { suggestion, levels: Vec::new(), harms: None }
                });
                choice.suggestion.cells += suggestion.cells;
                choice.levels.push(look.path.clone());
            }
        }
        let mut choices: Vec<Choice> = choices.into_values().collect();
        choices.sort_by_key(|choice| std::cmp::Reverse(choice.levels.len()));
        choices
    }
}
