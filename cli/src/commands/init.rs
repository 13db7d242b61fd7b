//! `bitwall init`: writes a first `bitwall.toml` for the levels of a folder, and lists undecided options.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::slice;

use clap::Args;
use toml::Value;

use crate::commands::files::{Levels, identity};
use crate::commands::level_args::LevelFile;
use crate::commands::output::{self, Progress};
use crate::commands::{Answer, Failure, files};
use crate::lint::{art_beside, is_like_spawn, is_of_automapping};
use crate::suggest::Suggestion;
use bitwall::Limits;
use bitwall::geometry::Dir;
use bitwall::load::{Links, Source, picture_size, read_file};
use bitwall::rules::{Setting, TileRange};
use bitwall::text::{counted, path_in_line, printable, printable_path};
use bitwall::tmx::{LayerContent, Map};
use bitwall::{LoadOptions, LoadedLevel};

/// Look at all levels in a folder, and write a bitwall.toml that fits them
///
/// Maps are those in .tmx, .tmj, .json and .ldtk; masks are the pictures *_mask.*, *-mask.*, *.mask.*,
/// *collision* and those in a folder `masks`. Each level may suggest options. An option is set if the
/// suggestion is not a guess and if it changes only levels that suggest it. Other suggested options are
/// written as comments. For `verify`, the file names the markers of spawns, the layers of all maps, pairs of
/// masks and art, and leaves out the maps of Tiled's automapping.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall init
  bitwall init assets/maps
  bitwall init --dry-run")]
pub(super) struct InitArgs {
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
        let others = counted(levels.other_pictures.len() as u64, "picture");
        let reason =
            "there is no map, and no picture that is named as a mask, such as cave_mask.png";
        return Err(Failure::Other(format!("{name}: {reason}; it has {others}")));
    }
    let survey = FolderSurvey::new(&levels, folder);
    check_root(&survey, folder)?;
    let text = text(&survey) + &verify_section(&survey, &levels, folder);
    LoadOptions::decode(&config, &text)?;
    if args.dry_run {
        return print(&text);
    }
    output::write_bytes(&config, text.as_bytes())?;
    print(&report(&survey, &config, levels.other_pictures.len()))
}

/// Fails if a level needs files outside `folder`: a `bitwall.toml` in `folder` would forbid these files.
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

// The text of a `bitwall.toml`. The options that are set are keys; the other options are comments.

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
/// maps have, the markers of spawns, and the pairs of masks and art. Empty if there are none.
fn verify_section(survey: &FolderSurvey, levels: &Levels, folder: &Path) -> String {
    let below = |path: &Path| {
        let path = path.strip_prefix(folder).unwrap_or(path);
        path.to_string_lossy().replace('\\', "/")
    };
    let quoted = |text: &str| written(&Value::String(text.to_owned()));
    let list =
        |texts: Vec<String>| written(&Value::Array(texts.into_iter().map(Value::String).collect()));
    let (rules, maps): (Vec<_>, Vec<_>) =
        survey.looks.iter().filter(|look| look.is_map).partition(|look| look.is_of_automapping);
    let mut text = String::new();
    if !rules.is_empty() {
        let excluded = rules.iter().map(|look| format!("/{}", literal(&below(&look.path))));
        text += "# Maps of Tiled's automapping are no levels.\n";
        text += &format!("exclude = {}\n", list(excluded.collect()));
    }
    let are_many = maps.len() >= LEAST_MAPS;
    let of_all = |names: fn(&Look) -> &BTreeSet<String>| {
        let all = maps.iter().map(|look| names(look).clone());
        all.reduce(|all, names| &all & &names).unwrap_or_default()
    };
    let layers = of_all(|look| &look.layers);
    if are_many && !layers.is_empty() {
        text += &format!("# All {} maps have these layers.\n", maps.len());
        text += &format!("required-layers = {}\n", list(layers.into_iter().collect()));
    }
    let in_all = of_all(|look| &look.spawns);
    let spawns: BTreeSet<&String> = maps.iter().flat_map(|look| &look.spawns).collect();
    for name in spawns {
        text += &format!("\n[[verify.marker]]\nname = {}\nrole = \"spawn\"\n", quoted(name));
        if are_many && in_all.contains(name) {
            text += "at-least = 1\n";
        }
    }
    for (mask, art) in pairs(levels) {
        let [mask, art] = [mask, art].map(|path| quoted(&below(path)));
        text += &format!("\n[[verify.pair]]\nmask = {mask}\nart = {art}\n");
    }
    if text.is_empty() { text } else { format!("\n[verify]\n{text}") }
}

/// The smallest number of maps in a folder for which `init` requires the layers and markers that all these
/// maps have.
const LEAST_MAPS: usize = 3;

/// Returns a file pattern that matches only `path`: special characters are escaped.
fn literal(path: &str) -> String {
    let special = |c: char| "\\*?[]{}!# ".contains(c);
    path.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

/// Words in the name of a picture, or of its folder, that mark it as a mask.
const MASK_WORDS: [&str; 12] = [
    "mask",
    "masks",
    "collision",
    "collisions",
    "collide",
    "col",
    "coll",
    "wall",
    "walls",
    "solid",
    "solids",
    "hit",
];

/// Finds pairs of a mask and its art that `verify` does not find without a `[[verify.pair]]`.
///
/// The mask's name has an additional word such as `mask`, the sizes of the two pictures are equal, and the
/// mask is at least 98% black and white.
fn pairs(levels: &Levels) -> Vec<(&Path, &Path)> {
    let pictures = || levels.masks.iter().chain(&levels.other_pictures);
    let mut by_name: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    by_name.extend(pictures().map(|path| (path.with_extension(""), &**path)));
    let is_found = |mask: &PathBuf| levels.masks.contains(mask) && art_beside(mask).is_some();
    let mut pairs = Vec::new();
    for mask in pictures().filter(|mask| !is_found(mask)) {
        let arts = names_of_art(mask).into_iter().filter_map(|art| by_name.get(&art).copied());
        let mut arts = arts.filter(|art| identity(art) != identity(mask));
        if let Some(art) = arts.find(|art| is_mask_of(mask, art)) {
            pairs.push((&**mask, art));
        }
    }
    pairs
}

/// Returns the possible paths of the art of `mask`, without file endings.
fn names_of_art(mask: &Path) -> Vec<PathBuf> {
    let stem = mask.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let parts: Vec<&str> = stem.split(['_', '-', '.', ' ']).collect();
    let is_word = |part: &str| MASK_WORDS.iter().any(|word| word.eq_ignore_ascii_case(part));
    let mut names = Vec::new();
    if let [first, .., last] = &parts[..] {
        let cut = is_word(last).then(|| &stem[..stem.len() - last.len() - 1]);
        names.extend(cut.or(is_word(first).then(|| &stem[first.len() + 1..])));
    }
    let mut arts: Vec<PathBuf> = names.iter().map(|name| mask.with_file_name(name)).collect();
    let folder = mask
        .parent()
        .filter(|folder| folder.file_name().is_some_and(|name| is_word(&name.to_string_lossy())));
    if let Some(above) = folder.and_then(Path::parent) {
        names.push(&stem);
        for name in names {
            let folders =
                ["", "art", "arts", "image", "images", "img", "background", "backgrounds"];
            arts.extend(folders.iter().map(|folder| above.join(folder).join(name)));
        }
    }
    arts
}

fn is_mask_of(mask: &Path, art: &Path) -> bool {
    let size = |path: &Path| {
        let bytes = read_file(path, Links::Refused, Limits::default().file_bytes()).ok()?;
        picture_size(path, &bytes).ok()
    };
    let loaded = LoadedLevel::load(mask, &LoadOptions::default());
    let is_drawn = loaded.is_ok_and(|loaded| match &loaded.source {
        Source::Mask(source) => source.counts.gray * 50 <= loaded.level.grid().cell_count(),
        _ => false,
    });
    is_drawn && size(mask).is_some_and(|own| size(art) == Some(own))
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
        Setting::SolidObject(name) => ("solid", "object-names", list(name)),
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
        _ => return Vec::new(),
    };
    vec![(table, key, value)]
}

/// The largest number of options to try. Each option is tried on all levels.
const MOST_TRIALS: usize = 24;

#[derive(Clone, Debug)]
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
        let mut look = Self {
            path: path.to_owned(),
            error: None,
            share: 0.0,
            suggestions: Vec::new(),
            is_blank: false,
            is_map: false,
            is_of_automapping: false,
            layers: BTreeSet::new(),
            spawns: BTreeSet::new(),
            marks: [0; 5],
        };
        let options = LoadOptions { allow_nothing_solid: true, ..options.clone() };
        match LoadedLevel::load(path, &options) {
            Ok(loaded) => {
                let (level, grid) = (&loaded.level, loaded.level.grid());
                look.share = grid.solid_count() as f64 / grid.cell_count() as f64;
                look.suggestions = LevelFile::on_disk(path).suggestions(&loaded);
                look.is_blank = level.is_blank();
                if let Some(map) = loaded.map() {
                    look.is_map = true;
                    look.is_of_automapping = is_of_automapping(map);
                    look.read_names(map);
                }
                let one_way = |side| level.one_way(side).map_or(0, |grid| grid.solid_count());
                let [left, right, up, down] = Dir::ALL.map(one_way);
                look.marks = [grid.solid_count(), left, right, up, down];
            }
            Err(error) => look.error = Some(error.headline()),
        }
        look
    }
}

impl Look {
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

    /// Returns the option that most levels suggest, of those not tried yet. `None` if only guesses are left.
    fn next(&self) -> Option<Choice> {
        let tried = |suggestion: &Suggestion| {
            let mut all = self.taken.iter().chain(&self.open);
            all.any(|choice| choice.suggestion.options == suggestion.options)
        };
        let choices = self.choices(|suggestion| !suggestion.is_guess && !tried(suggestion));
        // Among options that equally many levels suggest, the first is taken.
        choices.into_iter().rev().max_by_key(|choice| choice.levels.len())
    }

    /// Collects the first suggestion of each level for which `wanted` returns true. Equal suggestions become
    /// one choice. The choices with the most levels come first.
    fn choices(&self, wanted: impl Fn(&Suggestion) -> bool) -> Vec<Choice> {
        let mut choices: BTreeMap<Vec<Setting>, Choice> = BTreeMap::new();
        for look in &self.looks {
            for suggestion in look.suggestions.iter().filter(|it| wanted(it)).take(1) {
                let new = || {
                    let mut suggestion = suggestion.clone();
                    suggestion.cells = 0;
                    Choice { suggestion, levels: Vec::new(), harms: None }
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
