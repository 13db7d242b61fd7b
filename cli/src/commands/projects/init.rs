//! `bitwall init`: writes a first `bitwall.toml` for the levels of a folder, and lists undecided options.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args;
use toml::Value;

use crate::commands::output::{self, Progress};
use crate::commands::projects::verify::levels_in;
use crate::commands::projects::{MAX_FILES, PathKind};
use crate::commands::{Answer, Failure, LevelFile, warnings};
use crate::lint::rules::is_of_automapping;
use crate::lint::{VerifyConfig, art_beside, is_like_spawn};
use crate::mask_facts::{MaskFacts, is_painting};
use crate::suggest::{Setting, Suggestion, command_line, guess_in_force, suggestions, table};
use bitwall::glam::UVec2;
use bitwall::load::Source;
use bitwall::text::{counted, path_in_line, printable, printable_path, px};
use bitwall::tmx::{LayerContent, Map};
use bitwall::{Level, LoadOptions, LoadedLevel};

/// Look at all levels in a folder, and write a bitwall.toml that fits them
///
/// Maps are those in .tmx, .tmj, .json and .ldtk; masks are the pictures *_mask.*, *-mask.*, *.mask.*,
/// *collision* and those in a folder `masks`. What is solid is not decided: the options that levels suggest
/// are written as comments, each with a command that draws a level with it; so is what a mask means that can
/// be read in two ways. For `verify`, the file names the markers of spawns and the layers of all maps, leaves
/// out what is no level, such as title screens and the maps of Tiled's automapping, and proposes the size of
/// a body. What an existing bitwall.toml excludes stays excluded.
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
    /// Skip files and folders with this name or path, which may have * and **; the file excludes them too
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// The largest number of maps, tilesets and pictures in the folder
    #[arg(long, value_name = "NUMBER", default_value_t = MAX_FILES)]
    max_files: usize,
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
    let found = levels_in(folder, &args.exclude, args.max_files)?;
    let other_pictures = found.pictures_left as u64;
    if found.levels.is_empty() {
        let others = counted(other_pictures, "picture");
        let reason = format!(
            "there is no map, and no picture that is named as a mask, such as cave_mask.png; it has {others}"
        );
        return Err(Failure::at(folder, reason));
    }
    let survey = FolderSurvey::new(&found.levels, folder);
    if survey.looks.is_empty()
        && let Some((path, reason)) = survey.left_out.first_key_value()
    {
        let reason =
            format!("no level is left. {reason} A folder that is named itself is looked at");
        return Err(Failure::at(path, reason));
    }
    check_root(&survey, folder)?;
    let earlier = VerifyConfig::load(&config).unwrap_or_default();
    let text = text(&survey) + &verify_section(&survey, args, &earlier);
    LoadOptions::decode(&config, &text)?;
    if args.dry_run {
        return Answer::Yes.print(&text);
    }
    output::write_bytes(&config, text.as_bytes())?;
    Answer::Yes.print(&report(&survey, &config, other_pictures))
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
    for path in survey.left_out.keys() {
        text += &format!("left out: {}\n", printable_path(path));
    }
    for choice in &survey.open {
        text += &format!("not decided: {choice}\n  look: {}\n", choice.command());
    }
    for look in &survey.looks {
        for doubt in &look.doubts {
            let path = printable_path(&look.path);
            let command = command_to_draw(&look.path, &[]);
            text += &format!("not decided: {path}: {doubt}\n  look: {command}\n");
        }
    }
    if let Some(body) = &survey.body {
        text += &format!("not decided: {body}\n  look: {}\n", body.command());
    }
    text
}

/// Returns the command that draws the level at `path` with these arguments, over its art.
fn command_to_draw(path: &Path, arguments: &[String]) -> String {
    let mut words = vec!["bitwall".to_owned(), "render".to_owned()];
    words.push(path.to_string_lossy().into_owned());
    if PathKind::from_path(path) == Some(PathKind::Picture)
        && let Some(art) = art_beside(path)
    {
        words.extend(["--art".to_owned(), art.to_string_lossy().into_owned()]);
    }
    words.extend_from_slice(arguments);
    words.extend(["-o".to_owned(), "seen.png".to_owned()]);
    command_line(&words)
}

// The text of a `bitwall.toml`. The options that are set are keys; the other options are comments.

fn text(survey: &FolderSurvey) -> String {
    let mut text = String::from(
        "# How the levels in this folder are read. `LoadOptions::decode` in the documentation of bitwall has \
         all keys.\n# Written by `bitwall init`. A line is in force without its #; of two lines with \
         one key, the first takes the values of the other.\n",
    );
    for choice in &survey.open {
        let levels = counted(choice.levels.len() as u64, "level");
        let why = printable(&choice.suggestion.why);
        text += &format!("\n# Not decided, for {levels}: {why}\n# Look: {}\n", choice.command());
        for (table, keys) in table(&choice.suggestion.options) {
            for (key, value) in keys.as_table().into_iter().flatten() {
                text += &format!("# {table}.{key} = {}\n", written(value));
            }
        }
    }
    for look in &survey.looks {
        for doubt in &look.doubts {
            let path = path_in_line(&look.path);
            text += &format!("\n# Not decided, for {path}: {}\n", printable(doubt));
            text += &format!("# Look: {}\n", command_to_draw(&look.path, &[]));
        }
    }
    text
}

/// Returns a value as it is written in a `bitwall.toml`. Characters that [`printable`] escapes are escaped as
/// TOML does it, because `--dry-run` prints the text.
fn written(value: &Value) -> String {
    match value {
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(written).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Table(entries) => {
            let entries = entries.iter().map(|(name, value)| {
                let is_bare = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
                let is_plain = !name.is_empty() && name.chars().all(is_bare);
                let quoted = written(&Value::String(name.clone()));
                format!("{} = {}", if is_plain { name } else { &quoted }, written(value))
            });
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
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

/// Returns the text of the section `[verify]`: what is left out, the layers that all maps have, the markers
/// of spawns, and the size of a body as a comment. Empty if there are none. The masks and the exclusions of
/// the `earlier` file stay.
fn verify_section(survey: &FolderSurvey, args: &InitArgs, earlier: &VerifyConfig) -> String {
    let mut text = String::new();
    if let Some(masks) = &earlier.masks {
        text += &format!("masks = {}\n", list(masks.clone()));
    }
    let mut excluded = earlier.exclude.clone();
    for glob in &args.exclude {
        // A pattern of this option begins at the current folder, one of the file at the folder of the file.
        let below = Path::new(glob).strip_prefix(&args.folder);
        excluded.push(below.map_or(glob.clone(), |below| below.to_string_lossy().into_owned()));
    }
    let mut reasons = BTreeSet::new();
    for (path, reason) in &survey.left_out {
        reasons.insert(reason);
        excluded.push(format!("/{}", literal(&below(&args.folder, path))));
    }
    reasons.iter().for_each(|reason| text += &format!("# {reason}\n"));
    if !excluded.is_empty() {
        text += &format!("exclude = {}\n", list(excluded));
    }
    let maps: Vec<&Look> = survey.looks.iter().filter(|look| look.is_map).collect();
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
    if !text.is_empty() {
        text = format!("\n[verify]\n{text}");
    }
    if let Some(body) = &survey.body {
        text += &format!("\n# Not decided: {body}\n# Look: {}\n", body.command());
        text += &format!("# [[verify.body]]\n# name = \"hero\"\n# size = \"{}\"\n", body.option());
    }
    text
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

#[derive(Default)]
struct Look {
    path: PathBuf,
    error: Option<String>,
    /// The share of solid cells in the level, from 0 to 1.
    share: f64,
    suggestions: Vec<Suggestion>,
    is_blank: bool,
    is_map: bool,
    /// The reason for which the file is no level; `None` for a level.
    is_no_level: Option<&'static str>,
    /// The reasons to doubt which pixels of a mask are solid.
    doubts: Vec<String>,
    /// The size of a tile, and the widths and the heights in pixels of the gaps between solids that are
    /// common in the level.
    gaps: Option<(UVec2, [BTreeSet<u32>; 2])>,
    /// The names of the layers of tiles and objects of a map.
    layers: BTreeSet<String>,
    /// The names of objects that mark the start of a body.
    spawns: BTreeSet<String>,
}

impl Look {
    /// Loads a level as a `bitwall.toml` in `folder` without options for loading would.
    fn load(path: &Path, folder: &Path) -> Self {
        let mut look = Self { path: path.to_owned(), ..Self::default() };
        let root = Some(folder.to_owned());
        let mut options = LoadOptions { allow_nothing_solid: true, root, ..LoadOptions::default() };
        let mut loaded = LoadedLevel::load(path, &options);
        let guess = loaded.as_ref().ok().and_then(guess_in_force);
        if guess.is_some() {
            // What the file says decides, or a person.
            options.solid_rules.last_resorts.clear();
            loaded = LoadedLevel::load(path, &options);
        }
        match loaded {
            Ok(loaded) => look.read(&loaded),
            Err(error) => look.error = Some(error.headline()),
        }
        if look.suggestions.is_empty() {
            look.suggestions.extend(guess);
        }
        look
    }

    fn read(&mut self, loaded: &LoadedLevel) {
        let level = &loaded.level;
        let grid = level.grid();
        let file = LevelFile::on_disk(&self.path);
        let facts = file.mask_facts(loaded);
        self.share = grid.solid_count() as f64 / grid.cell_count() as f64;
        self.suggestions = suggestions(loaded, facts.as_ref());
        self.is_blank = level.is_blank();
        if let Some(map) = loaded.map() {
            self.is_map = true;
            self.read_names(map);
            self.gaps = common_gaps(level, map.tile_size);
            self.is_no_level = if is_of_automapping(map) {
                Some("Maps of Tiled's automapping are no levels.")
            } else if self.is_blank && self.spawns.is_empty() && is_screen(&self.path, map) {
                Some("Title screens and placeholders have no solids.")
            } else {
                None
            };
        }
        if let Source::Mask(source) = &loaded.source {
            // A suggestion asks the same question.
            if self.suggestions.is_empty() {
                self.doubts = warnings(loaded, facts.as_ref());
            }
            let is_art =
                facts.is_some_and(|facts| is_painting(source, &facts) || is_icon(level, &facts));
            self.is_no_level =
                is_art.then_some("Pictures that are named like masks, and are none.");
        }
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

/// Words in the names of maps that are screens of a game's menu, or stand for a level to be drawn.
const SCREENS: &str =
    "title menu splash logo credits gameover game_over intro placeholder dummy empty";

/// True if a map in which nothing is solid is named as a screen, or has neither tiles nor objects.
fn is_screen(path: &Path, map: &Map) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_empty = map.walk().all(|context| match &context.layer.content {
        LayerContent::Tiles(layer) => {
            layer.blocks.iter().all(|block| block.cells.iter().all(|gid| *gid == 0))
        }
        LayerContent::Objects(layer) => layer.objects.is_empty(),
        _ => true,
    });
    is_empty || SCREENS.split(' ').any(|word| name.contains(word))
}

/// The reason for which the files below a [`test_folder`] are no levels.
const OF_TESTS: &str = "Files in folders of tests are no levels of the game.";

/// Returns the first folder on the way from `folder` to a file that is named as one of tests.
fn test_folder(path: &Path, folder: &Path) -> Option<PathBuf> {
    const NAMES: [&str; 4] = ["test", "tests", "testdata", "fixtures"];
    let parents = path.parent()?.ancestors().take_while(|parent| *parent != folder);
    let of_tests = parents.filter(|parent| {
        let name = parent.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        NAMES.contains(&&*name) || name.starts_with("test_") || name.ends_with(".tests")
    });
    of_tests.last().map(Path::to_owned)
}

/// True for a small picture in several colours, such as that of a gas mask.
fn is_icon(level: &Level, facts: &MaskFacts) -> bool {
    const MOST_PIXELS: u32 = 128;
    const LEAST_COLORS: usize = 4;
    level.size().max_element() <= MOST_PIXELS && facts.colors.len() >= LEAST_COLORS
}

/// Returns the size of a tile, and the widths and the heights in pixels of the gaps between solids that are
/// common in a level. `None` for a level without gaps, and for a large one. O(cells).
fn common_gaps(level: &Level, tile: UVec2) -> Option<(UVec2, [BTreeSet<u32>; 2])> {
    const MOST_CELLS: u64 = 1 << 18;
    let grid = level.grid();
    if grid.cell_count() > MOST_CELLS {
        return None;
    }
    let mut counts = [BTreeMap::new(), BTreeMap::new()];
    let UVec2 { x: width, y: height } = grid.size();
    for y in 0..height {
        let row = (0..width).map(|x| grid.is_solid(x, y));
        count_gaps(row, level.cell_size().x, tile.x, &mut counts[0]);
    }
    for x in 0..width {
        let column = (0..height).map(|y| grid.is_solid(x, y));
        count_gaps(column, level.cell_size().y, tile.y, &mut counts[1]);
    }
    let common = counts.map(|counts: BTreeMap<u32, u64>| {
        let least = counts.values().sum::<u64>().div_ceil(20);
        let common = counts.into_iter().filter(|(_, count)| *count >= least);
        common.map(|(length, _)| length).collect::<BTreeSet<u32>>()
    });
    common.iter().all(|lengths| !lengths.is_empty()).then_some((tile, common))
}

/// Adds the gaps between two solids of a line of cells to `counts`, by their length in pixels. Leaves out
/// gaps of less than half a tile, through which no body goes, and of more than eight tiles, which are rooms.
fn count_gaps(
    line: impl Iterator<Item = bool>,
    cell: u32,
    tile: u32,
    counts: &mut BTreeMap<u32, u64>,
) {
    let mut since_solid = None;
    for is_solid in line {
        if !is_solid {
            since_solid = since_solid.map(|length: u32| length + cell);
            continue;
        }
        let length = since_solid.replace(0).unwrap_or(0);
        if length * 2 >= tile && length > 0 && length <= tile.saturating_mul(8) {
            *counts.entry(length).or_default() += 1;
        }
    }
}

/// A size of a body that goes through the gaps that are common in the levels of a folder.
struct BodyGuess {
    size: UVec2,
    gap: UVec2,
    tile: UVec2,
    /// The folder of the levels.
    folder: PathBuf,
}

impl BodyGuess {
    /// Proposes a size for the maps with the tile size that most of `looks` have. `None` without gaps.
    fn new(looks: &[Look], folder: &Path) -> Option<Self> {
        let mut by_tile = HashMap::<UVec2, Vec<&[BTreeSet<u32>; 2]>>::new();
        for (tile, gaps) in looks.iter().filter_map(|look| look.gaps.as_ref()) {
            by_tile.entry(*tile).or_default().push(gaps);
        }
        let most = |(tile, levels): &(UVec2, Vec<_>)| (levels.len(), tile.x, tile.y);
        let (tile, levels) = by_tile.into_iter().max_by_key(most)?;
        let narrowest = |axis: usize| {
            let lengths = levels.iter().flat_map(|gaps| &gaps[axis]);
            let mut counts = BTreeMap::<u32, usize>::new();
            lengths.for_each(|length| *counts.entry(*length).or_default() += 1);
            // The narrowest gap that half of the levels have; a body must go through it.
            counts.into_iter().find(|(_, count)| count * 2 >= levels.len())
        };
        let gap = UVec2::new(narrowest(0)?.0, narrowest(1)?.0);
        // Most bodies are not larger than a tile, but for the smallest tiles. An eighth of a tile is left
        // beside the body, so that it does not rub along the walls.
        let most = gap.min(tile.max(UVec2::splat(16)));
        let size = most.saturating_sub((tile / 8).max(UVec2::ONE)).max(UVec2::ONE);
        Some(Self { size, gap, tile, folder: folder.to_owned() })
    }

    fn option(&self) -> String {
        format!("{}x{}", self.size.x, self.size.y)
    }

    fn command(&self) -> String {
        let words = ["bitwall", "verify", &self.folder.to_string_lossy(), "--body", &self.option()];
        command_line(&words.map(str::to_owned))
    }
}

impl fmt::Display for BodyGuess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, gap, tile, .. } = self;
        let [width, height] = gap.to_array();
        write!(
            f,
            "the size of the body, such as {}: gaps of {width} px across and {height} px upward are common, \
             and a tile is {}",
            px(*size),
            px(*tile)
        )
    }
}

/// Options that levels suggest for the `bitwall.toml`, and these levels.
#[derive(Clone, Debug)]
struct Choice {
    suggestion: Suggestion,
    levels: Vec<PathBuf>,
}

impl Choice {
    /// Returns a command that draws a level with the options.
    fn command(&self) -> String {
        let path = self.levels.first().map_or(Path::new("."), PathBuf::as_path);
        command_to_draw(path, &self.suggestion.arguments())
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.suggestion)?;
        if self.levels.len() > 1 {
            write!(f, " (in {})", counted(self.levels.len() as u64, "level"))?;
        }
        Ok(())
    }
}

struct FolderSurvey {
    looks: Vec<Look>,
    /// The options that levels suggest, those of the most levels first. A person decides: a wrong reading
    /// turns walls into ways.
    open: Vec<Choice>,
    /// The files that are no levels, and folders with no levels of the game, each with the reason.
    left_out: BTreeMap<PathBuf, &'static str>,
    body: Option<BodyGuess>,
}

impl FolderSurvey {
    fn new(levels: &[PathBuf], folder: &Path) -> Self {
        let bar = Progress::new("looking at levels", levels.len() as u64);
        let mut looks = Vec::new();
        for (done, path) in (1..).zip(levels) {
            bar.show(done);
            looks.push(Look::load(path, folder));
        }
        let mut left_out = BTreeMap::new();
        looks.retain(|look| {
            let of_tests = test_folder(&look.path, folder).map(|path| (path, OF_TESTS));
            let reason = look.is_no_level.map(|reason| (look.path.clone(), reason));
            let is_level = of_tests.is_none() && reason.is_none();
            left_out.extend(of_tests.or(reason));
            is_level
        });
        let body = BodyGuess::new(&looks, folder);
        Self { open: choices(&looks), looks, left_out, body }
    }
}

/// Collects the first suggestion of each level. Equal suggestions become one choice. The choices with the
/// most levels come first.
fn choices(looks: &[Look]) -> Vec<Choice> {
    let mut choices: BTreeMap<Vec<Setting>, Choice> = BTreeMap::new();
    for look in looks {
        if let Some(suggestion) = look.suggestions.first() {
            let choice = choices.entry(suggestion.options.clone()).or_insert_with(|| {
                let suggestion = Suggestion { cells: 0, ..suggestion.clone() };
                Choice { suggestion, levels: Vec::new() }
            });
            choice.suggestion.cells += suggestion.cells;
            choice.levels.push(look.path.clone());
        }
    }
    let mut choices: Vec<Choice> = choices.into_values().collect();
    choices.sort_by_key(|choice| std::cmp::Reverse(choice.levels.len()));
    choices
}
