//! The level arguments of the commands, and how they become load options: each argument replaces a key of
//! the nearest `bitwall.toml`. Loads the levels, and reads one from standard input.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::slice;

use clap::Args;
use toml::Table;

use crate::commands::{Failure, output};
use crate::lint::{VerifyConfig, VerifyOptions};
use crate::mask_facts::{MaskFacts, doubt};
use crate::suggest::{Setting, merge_tables, suggestions, table};
use bitwall::error::{LoadErrorKind, Place};
use bitwall::image::RgbaImage;
use bitwall::load::config::CONFIG_BYTES;
use bitwall::load::{Disk, Links, Source, configs_of, decode_picture, load_picture, read_file};
use bitwall::rules::{MaskPlane, MaskRule, is_layer};
use bitwall::text::{listed, printable, printable_path};
use bitwall::tmx::Layer;
use bitwall::{Limits, LoadError, LoadOptions, LoadedLevel, Project};

/// The load options of a command. Each argument replaces an option of the nearest `bitwall.toml`.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Loading")]
pub(super) struct LoadArgs {
    /// The file with the load options [default: the nearest bitwall.toml in the level's folder or above it,
    /// up to the first folder with a .git]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(super) config: Option<PathBuf>,
    /// Use no bitwall.toml
    #[arg(long)]
    pub(super) no_config: bool,
    /// The solid pixels of a mask: dark, light, black, opaque or transparent (with =THRESHOLD from 0 to 255),
    /// or colours as #rrggbb,#rrggbb [default: dark, or opaque or black if the pixels say so]
    #[arg(long, value_name = "RULE")]
    mask: Option<MaskRule>,
    /// Make a named area of the pixels of a mask that have this colour, such as water=#0000ff. They are
    /// passable, or solid if the name is `solid`. May be given again, also for several colours of one area
    #[arg(long, value_name = "NAME=COLOR")]
    plane: Vec<MaskPlane>,
    /// Set a key of bitwall.toml, such as level.outside=open, level.lenient=true or solid.object-names=Crate.
    /// A list gets one more item, any other value is replaced. May be given again
    #[arg(short = 'c', value_name = "KEY=VALUE", value_parser = parse_key)]
    pub(super) keys: Vec<Table>,
    /// The root folder: a map can only name files in it [default: the nearest folder above the map with a
    /// bitwall.toml (of several in one repository the topmost), a .tiled-project or a .git, else the current
    /// folder if the map is in it, else the map's own]
    #[arg(long, value_name = "FOLDER")]
    pub(super) root: Option<PathBuf>,
    /// Load a map in which nothing is solid without an error; `info` and `render` always do so
    #[arg(long)]
    allow_nothing_solid: bool,
    /// Load the level with this name from an LDtk project, or all levels of the world with this name
    /// [default: the levels of the first world at depth 0]. May be given again
    #[arg(id = "level_names", long = "level", value_name = "NAME")]
    levels: Vec<String>,
    /// The path to show for a level on standard input. Files that the level names are relative to its folder.
    /// The ending of the path gives the format if the content does not show it (.world)
    #[arg(long, value_name = "PATH")]
    pub(super) stdin_name: Option<PathBuf>,
    /// Raise or lower a limit on the content of files, such as pixels=2^28; an unknown NAME prints all names.
    /// May be given again
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_limit)]
    limit: Vec<(String, u64)>,
    /// Read no file outside of this folder, which is the current one, for a level: no configuration and
    /// nothing that the level names
    #[arg(long, value_name = "FOLDER", hide = true)]
    within: Option<PathBuf>,
    #[command(flatten)]
    pub(super) settings: SettingArgs,
}

impl LoadArgs {
    /// Returns the configurations in and above the folder of `path`, the nearest first.
    pub(super) fn configs_above(&self, path: &Path) -> Vec<PathBuf> {
        let mut configs = configs_of(path);
        // The path of one in the current folder is relative.
        configs.retain(|config| self.within.is_none() || config.is_relative());
        configs
    }

    pub(super) fn options(&self, path: &Path) -> Result<LoadOptions, LoadError> {
        let options = match &self.config {
            Some(config) => LoadOptions::load(config)?,
            None if self.no_config => LoadOptions::default(),
            None => match self.configs_above(path).first() {
                Some(config) => Project::of(config.clone())?.options().clone(),
                None => LoadOptions::default(),
            },
        };
        let bytes = match &options.config {
            Some(config) if !self.all_keys().is_empty() => {
                let bytes = read_file(config, Links::Followed, CONFIG_BYTES);
                bytes.map_err(|kind| LoadError::new(config, Place::default(), kind))?
            }
            _ => Vec::new(),
        };
        Ok(self.apply(self.with_keys(options, &bytes)?))
    }

    /// Returns the keys of `-c`, and those that the arguments about solids stand for.
    fn all_keys(&self) -> Table {
        let mut all = table(&self.settings.settings());
        for keys in &self.keys {
            merge_tables(&mut all, keys.clone());
        }
        all
    }

    /// Returns the text of a configuration with the keys of the arguments. `None` without such keys.
    pub(super) fn merged(&self, bytes: &[u8]) -> Option<String> {
        let keys = self.all_keys();
        if keys.is_empty() {
            return None;
        }
        let mut all = String::from_utf8_lossy(bytes).parse::<Table>().unwrap_or_default();
        merge_tables(&mut all, keys);
        Some(all.to_string())
    }

    /// Returns the facts that the sections `[verify]` of the configurations of a level state.
    pub(super) fn verify_options(&self, path: &Path) -> Result<VerifyOptions, LoadError> {
        let configs = match &self.config {
            Some(config) => vec![config.clone()],
            None if self.no_config => Vec::new(),
            None => self.configs_above(path),
        };
        let mut all = VerifyConfig::default();
        for config in configs.iter().rev() {
            all = VerifyConfig::load(config)?.with_above(&all);
        }
        let keys = VerifyConfig::decode("-c", self.merged(&[]).unwrap_or_default())?;
        Ok(keys.with_above(&all).options)
    }

    /// Returns `options`, which the configuration with these `bytes` has, with the keys of `-c`.
    pub(super) fn with_keys(
        &self,
        options: LoadOptions,
        bytes: &[u8],
    ) -> Result<LoadOptions, LoadError> {
        let Some(text) = self.merged(bytes) else {
            return Ok(options);
        };
        let path = options.config.as_deref().unwrap_or(Path::new("-c"));
        let merged = LoadOptions::decode(path, text)?;
        let keys = self.all_keys();
        let has_root = keys.get("level").is_some_and(|level| level.get("root").is_some());
        let root = if has_root { merged.root.clone() } else { options.root };
        Ok(LoadOptions { root, config: options.config, ..merged })
    }

    pub(super) fn apply(&self, mut options: LoadOptions) -> LoadOptions {
        options.planes.extend(self.plane.iter().cloned());
        if let Some(rule) = &self.mask {
            options.mask_rule = Some(rule.clone());
        }
        if let Some(root) = &self.root {
            options.root = Some(root.clone());
        }
        options.root = options.root.or_else(|| self.within.clone());
        if !self.levels.is_empty() {
            options.levels.clone_from(&self.levels);
        }
        options.allow_nothing_solid |= self.allow_nothing_solid;
        for (name, value) in &self.limit {
            // The argument parser has checked that a limit of this name exists.
            if let Some(limit) = limit_of(&mut options.limits, name) {
                *limit = *value;
            }
        }
        options
    }

    /// Loads a level. Fails for a map without solids, unless the options allow such maps.
    pub(super) fn load(&self, file: &LevelFile) -> Result<LoadedLevel, Failure> {
        let loaded = self.load_anyway(file)?;
        let options = self.options(&file.path)?;
        let is_map = !loaded.maps.is_empty();
        if !is_map || !loaded.level.is_blank() || options.allow_nothing_solid {
            return Ok(loaded);
        }
        let hints = suggestions(&loaded, None);
        file.load(&options).map_err(|error| match error.kind() {
            LoadErrorKind::NothingSolid { .. } => {
                let tries = hints.iter().map(|hint| format!("\n  try {hint}"));
                format!("{error}, or by --solid-layer{}", tries.collect::<String>()).into()
            }
            _ => Failure::Load(error),
        })
    }

    /// Loads a level, even a map without solids. Fails if an argument about solids matches nothing.
    pub(super) fn load_anyway(&self, file: &LevelFile) -> Result<LoadedLevel, Failure> {
        let options = LoadOptions { allow_nothing_solid: true, ..self.options(&file.path)? };
        let loaded = file.load(&options)?;
        self.settings.check(&loaded)?;
        Ok(loaded)
    }
}

/// The level argument of a command.
#[derive(Args, Clone, Debug)]
pub(super) struct LevelArgs {
    /// A Tiled map (.tmx, .tmj), a world of maps (.world), an LDtk project (.ldtk), a mask (.png) or
    /// a baked level (.bwl); - is a level on standard input
    #[arg(value_name = "LEVEL")]
    pub(super) level: PathBuf,
    #[command(flatten)]
    pub(super) load: LoadArgs,
}

impl LevelArgs {
    /// Returns the file of the level. Reads standard input if the path is `-`.
    pub(super) fn file(&self) -> Result<LevelFile, Failure> {
        let paths = slice::from_ref(&self.level);
        Ok(level_files(paths, &self.load)?.swap_remove(0))
    }
}

/// The level arguments of a command that takes several levels.
#[derive(Args, Clone, Debug)]
pub(super) struct LevelsArgs {
    /// Tiled maps (.tmx, .tmj), worlds of maps (.world), LDtk projects (.ldtk), masks (.png) or baked levels
    /// (.bwl); - is a level on standard input
    #[arg(value_name = "LEVEL", required = true)]
    levels: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) load: LoadArgs,
}

impl LevelsArgs {
    pub(super) fn files(&self) -> Result<Vec<LevelFile>, Failure> {
        level_files(&self.levels, &self.load)
    }

    /// Returns the file of the only level.
    pub(super) fn file(&self) -> Result<LevelFile, Failure> {
        if self.levels.len() > 1 {
            return Err("this is of one level; name the others in further calls".into());
        }
        Ok(self.files()?.swap_remove(0))
    }
}

/// Returns the files of levels. Reads standard input if the only path is `-`.
fn level_files(paths: &[PathBuf], load: &LoadArgs) -> Result<Vec<LevelFile>, Failure> {
    match read_stdin(paths, load)? {
        Some(file) if paths.len() == 1 => Ok(vec![file]),
        Some(_) => {
            Err("a level on standard input is alone; name the others in further calls".into())
        }
        None => Ok(paths.iter().map(LevelFile::on_disk).collect()),
    }
}

/// Parses a key of a `bitwall.toml` and its value, `KEY=VALUE`. The value need not be written as TOML:
/// `walls` stands for `"walls"` and, in a list, for `["walls"]`.
fn parse_key(text: &str) -> Result<Table, String> {
    let (key, value) = text.split_once('=').ok_or("it is written KEY=VALUE")?;
    let quoted = toml::Value::String(value.to_owned());
    let mut fault = String::new();
    for value in [value.to_owned(), format!("[{value}]"), quoted.to_string(), format!("[{quoted}]")]
    {
        let line = format!("{key} = {value}");
        let Ok(table) = line.parse::<Table>() else {
            continue;
        };
        let verify = VerifyConfig::decode("-c", &line);
        match LoadOptions::decode("-c", &line).and(verify) {
            Ok(_) => return Ok(table),
            // The value as it is written has the better words.
            Err(_) if !fault.is_empty() => {}
            Err(error) => {
                fault = match error.kind() {
                    LoadErrorKind::Config { reason } => reason.clone(),
                    kind => kind.to_string(),
                };
            }
        }
    }
    if fault.is_empty() {
        fault = format!("`{}` is no key of a bitwall.toml", printable(key));
    }
    Err(fault)
}

/// Parses a limit `NAME=VALUE`: a field of [`Limits`], and a whole number or a power such as `2^28`.
fn parse_limit(text: &str) -> Result<(String, u64), String> {
    let (name, value) = text.split_once('=').ok_or("it is written NAME=VALUE")?;
    let name = name.trim().to_owned();
    if limit_of(&mut Limits::default(), &name).is_none() {
        let name = printable(&name);
        return Err(format!(
            "there is no limit `{name}`; the limits are bytes, pixels, cells, objects, points, work"
        ));
    }
    let number = match value.trim().split_once('^') {
        Some((base, power)) => base
            .parse::<u64>()
            .ok()
            .zip(power.parse().ok())
            .and_then(|(base, power)| base.checked_pow(power)),
        None => value.trim().parse().ok(),
    };
    let value = number.ok_or_else(|| {
        format!("`{}` is no value for it: a whole number, or a power as 2^28", printable(value))
    })?;
    Ok((name, value))
}

fn limit_of<'l>(limits: &'l mut Limits, name: &str) -> Option<&'l mut u64> {
    match name {
        "bytes" => Some(&mut limits.bytes),
        "pixels" => Some(&mut limits.pixels),
        "cells" => Some(&mut limits.cells),
        "objects" => Some(&mut limits.objects),
        "points" => Some(&mut limits.points),
        "work" => Some(&mut limits.work),
        _ => None,
    }
}

const STDIN: &str = "standard input";

/// A level to load: its path, and its bytes if it was read from standard input.
#[derive(Clone)]
pub(super) struct LevelFile {
    pub(super) path: PathBuf,
    pub(super) bytes: Option<Vec<u8>>,
}

impl LevelFile {
    pub(super) fn on_disk(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), bytes: None }
    }

    pub(super) fn load(&self, options: &LoadOptions) -> Result<LoadedLevel, LoadError> {
        output::spinner("loading", || match &self.bytes {
            Some(bytes) => {
                LoadedLevel::decode(&self.path, bytes, Disk::new(&self.path, options), options)
            }
            None => LoadedLevel::load(&self.path, options),
        })
    }

    pub(super) fn picture(&self) -> Result<RgbaImage, LoadError> {
        match &self.bytes {
            Some(bytes) => decode_picture(&self.path, bytes),
            None => load_picture(&self.path),
        }
    }

    /// Returns facts about the pixels of a mask. Reads the file again, except for a mask in black and white.
    pub(super) fn mask_facts(&self, loaded: &LoadedLevel) -> Option<MaskFacts> {
        let Source::Mask(source) = &loaded.source else {
            return None;
        };
        if source.counts.gray + source.counts.translucent + source.counts.transparent == 0 {
            return None;
        }
        let most = loaded.options().limits.file_bytes();
        let read = || read_file(&self.path, Links::Followed, most).ok();
        MaskFacts::read(source, &self.bytes.clone().or_else(read)?)
    }

    /// Warns of a mask whose solids are doubtful, and of a rule that fits its pixels better.
    pub(super) fn warn_of_mask(&self, loaded: &LoadedLevel) {
        if !matches!(loaded.source, Source::Mask(_)) {
            return;
        }
        let facts = self.mask_facts(loaded);
        let mut warnings = warnings(loaded, facts.as_ref());
        let hint = suggestions(loaded, facts.as_ref()).into_iter().next();
        let hint = hint.filter(|hint| matches!(hint.options[..], [Setting::Mask(_)]));
        warnings.extend(hint.map(|hint| format!("perhaps {hint}")));
        for warning in warnings {
            output::warn(&format!("{}: {warning}", printable_path(&self.path)));
        }
    }
}

/// Returns the warnings of a load, and that a mask is a painting.
pub(super) fn warnings(loaded: &LoadedLevel, facts: Option<&MaskFacts>) -> Vec<String> {
    let mut warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    if let Source::Mask(source) = &loaded.source {
        warnings.extend(facts.and_then(|facts| doubt(source, facts)));
    }
    warnings
}

/// Reads the level on standard input; `None` if `paths` has no `-`.
pub(super) fn read_stdin(paths: &[PathBuf], load: &LoadArgs) -> Result<Option<LevelFile>, Failure> {
    if !paths.iter().any(|path| path == Path::new("-")) {
        if load.stdin_name.is_some() {
            let reason =
                "--stdin-name is the path of a level on standard input; give the level as -";
            return Err(reason.into());
        }
        return Ok(None);
    }
    let path = load.stdin_name.clone().unwrap_or_else(|| PathBuf::from(STDIN));
    let limit = load.options(&path)?.limits.file_bytes();
    let mut bytes = Vec::new();
    let failed = |kind| LoadError::new(&path, Place::default(), kind);
    let mut stdin = std::io::stdin().lock().take(limit.saturating_add(1));
    stdin.read_to_end(&mut bytes).map_err(|error| failed(LoadErrorKind::Io(error)))?;
    let found = bytes.len() as u64;
    if found > limit {
        let what = "bytes on standard input";
        return Err(failed(LoadErrorKind::TooLarge { what, limit, found }).into());
    }
    Ok(Some(LevelFile { path, bytes: Some(bytes) }))
}

/// Arguments that make layers, tiles or objects of a map solid or passable, in addition to the load options.
/// Each may be given again. A layer must be there.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Solids of a map")]
pub(super) struct SettingArgs {
    /// Make layers of this name solid; a * at the end matches any rest
    #[arg(long, value_name = "NAME")]
    solid_layer: Vec<String>,
    /// Make the empty cells of tile layers of this name solid; cells with a tile are floor
    #[arg(long, value_name = "NAME")]
    walkable_layer: Vec<String>,
    /// Make layers, tiles and objects of this class solid
    #[arg(long, value_name = "CLASS")]
    solid_class: Vec<String>,
    /// Make layers, tiles and objects solid if their bool property of this name is true
    #[arg(long, value_name = "PROPERTY")]
    solid_property: Vec<String>,
}

impl SettingArgs {
    fn settings(&self) -> Vec<Setting> {
        let mut settings = Vec::new();
        settings.extend(self.solid_layer.iter().cloned().map(Setting::SolidLayer));
        settings.extend(self.walkable_layer.iter().cloned().map(Setting::WalkableLayer));
        settings.extend(self.solid_class.iter().cloned().map(Setting::SolidClass));
        settings.extend(self.solid_property.iter().cloned().map(Setting::SolidProperty));
        settings
    }

    /// Fails if an argument names a layer that the level lacks.
    pub(super) fn check(&self, loaded: &LoadedLevel) -> Result<(), Failure> {
        let layers = loaded.maps.iter().flat_map(|map| map.map.walk());
        let layers: Vec<&Layer> = layers.map(|it| it.layer).collect();
        for wanted in self.solid_layer.iter().chain(&self.walkable_layer) {
            if !layers.iter().any(|layer| is_layer(slice::from_ref(wanted), layer)) {
                let names = listed(layers.into_iter().map(|layer| &layer.name));
                let wanted = printable(wanted);
                return Err(format!("no layer of the level is `{wanted}`; it has {names}").into());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_argument_is_parsed_into_its_name_and_value() {
        assert_eq!(parse_limit("pixels=2^28"), Ok(("pixels".to_owned(), 1 << 28)));
        assert_eq!(parse_limit("objects = 7"), Ok(("objects".to_owned(), 7)));
        for (text, expected) in [
            ("objects", "NAME=VALUE"),
            ("layer=3", "there is no limit `layer`; the limits are bytes, pixels, "),
            ("objects=2^64", "no value for it"),
            ("objects=-1", "no value for it"),
            ("objects=9^99", "no value for it"),
        ] {
            let error = parse_limit(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    fn args(keys: &[&str]) -> LoadArgs {
        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            load: LoadArgs,
        }
        let line = ["bitwall"].into_iter().chain(keys.iter().flat_map(|key| ["-c", key]));
        <Line as clap::Parser>::try_parse_from(line).unwrap().load
    }

    #[test]
    fn each_key_of_the_configuration_is_set_by_an_argument_and_lists_get_longer() {
        let keys = [
            "solid.layers=Rock",
            "solid.layers=['a', 'b']",
            "solid.tiles.dungeon=12-15",
            "solid.values=kind=wall",
            "solid.shapes-only=true",
            "level.outside=open",
            "masks.rule=opaque",
            "areas.water={}",
            "verify.tile=16x16",
        ];
        let file = b"[solid]\nlayers = ['Ground']\n[verify]\ntile = '8x8'\n";
        let args = args(&keys);
        let options = args.with_keys(LoadOptions::default(), file).unwrap();
        let rules = &options.solid_rules;
        for name in ["Ground", "Rock", "a", "b"] {
            assert!(rules.layer_names.contains(&name.to_owned()), "{name}");
        }
        assert_eq!(rules.solid_tiles[0].ids, [12..=15]);
        assert!(rules.shapes_only && rules.solid_values.iter().any(|it| it.value == "wall"));
        assert_eq!(options.outside, bitwall::Outside::Open.into());
        assert_eq!(options.mask_rule.map(|rule| rule.to_string()), Some("opaque=128".into()));
        let names: Vec<&str> = options.areas.iter().map(|area| &*area.name).collect();
        assert_eq!(names, ["ladder", "water"]);
        assert_eq!(options.config, None);
        let merged = args.merged(file).unwrap();
        let verify = VerifyConfig::decode("b.toml", merged).unwrap();
        assert_eq!(verify.options.tile.map(|tile| tile.x), Some(16));
    }

    #[test]
    fn an_unknown_key_and_a_wrong_value_are_errors_that_name_the_key() {
        for (text, expected) in [
            ("solid", "KEY=VALUE"),
            ("solid.layer=a", "`solid.layer` is not a key; did you mean `layers`?"),
            ("level.outside=shut", "`level.outside` must be"),
            ("verify.size=8by5", "`verify.size` "),
            ("a b=1", "`a b` is no key"),
        ] {
            let error = parse_key(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
