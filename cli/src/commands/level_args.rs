//! The arguments for loading a level and for the moving box, shared by all commands.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::commands::{Failure, output};
use crate::mask_facts::MaskFacts;
use crate::suggest::{Suggestion, absence, arguments, suggestions};
use bitwall::error::{LoadErrorKind, Place};
use bitwall::image::RgbaImage;
use bitwall::load::{Disk, Links, Source, decode_picture, load_picture, read_file};
use bitwall::rules::{AreaRule, MaskPlane, MaskRule, Setting, TileRange};
use bitwall::text::printable;
use bitwall::tmx::Space;
use bitwall::{Aabb, Limits, LoadError, LoadOptions, LoadedLevel, Outside, Project};

/// The load options of a command. Each argument replaces an option of the nearest `bitwall.toml`.
#[derive(Args, Clone, Debug)]
pub(super) struct LoadArgs {
    /// The file with the load options [default: the nearest bitwall.toml in the level's folder or above it,
    /// up to the first folder with a .git]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(super) config: Option<PathBuf>,
    /// Use no bitwall.toml
    #[arg(long)]
    pub(super) no_config: bool,
    /// The solid pixels of a mask: dark, light, opaque or transparent (with =THRESHOLD from 0 to 255), or
    /// colours as #rrggbb,#rrggbb [default: dark]
    #[arg(long, value_name = "RULE")]
    mask: Option<MaskRule>,
    /// Make a named area of the pixels of a mask that have this colour, such as water=#0000ff. They are
    /// passable, or solid if the name is `solid`. May be given again, also for several colours of one area
    #[arg(long, value_name = "NAME=COLOR")]
    plane: Vec<MaskPlane>,
    /// Whether the outside of the level is solid [default: solid]
    #[arg(long, value_parser = PossibleValuesParser::new(["solid", "open"]).map(outside))]
    outside: Option<Outside>,
    /// The root folder: a map can only name files in it [default: the nearest folder above the map with a
    /// bitwall.toml (of several in one repository the topmost), a .tiled-project or a .git, else the current
    /// folder if the map is in it, else the map's own]
    #[arg(long, value_name = "FOLDER")]
    pub(super) root: Option<PathBuf>,
    /// Make a named area of the layers, tiles and objects of a map that have this name, class or bool
    /// property. A bitwall.toml can have more rules for areas. May be given again
    #[arg(long, value_name = "NAME")]
    area: Vec<String>,
    /// The space of the level of an isometric or oblique map: the map's own space, or the screen, on which
    /// the map is drawn [default: map]
    #[arg(long, value_parser = PossibleValuesParser::new(["map", "screen"]).map(space))]
    space: Option<Space>,
    /// Load a map with missing cells or unknown tiles: these cells count as empty, with a warning
    #[arg(long)]
    lenient: bool,
    /// Load a map in which nothing is solid without an error; `info` and `render` always do so
    #[arg(long)]
    allow_nothing_solid: bool,
    /// Load the level with this name from an LDtk project, or all levels of the world with this name
    /// [default: the levels of the first world at depth 0]. May be given again
    #[arg(id = "level_names", long = "level", value_name = "NAME")]
    levels: Vec<String>,
    /// Raise or lower a limit on the content of files, such as pixels=2^28; an unknown NAME prints all names.
    /// May be given again
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_limit)]
    limit: Vec<(String, u64)>,
    /// True if the command loads two levels. Each then has half of the limits `work` and `cells`.
    #[arg(skip)]
    is_of_two: bool,
    #[command(flatten)]
    settings: SettingArgs,
}

fn outside(word: String) -> Outside {
    if word == "open" { Outside::Open } else { Outside::Solid }
}

fn space(word: String) -> Space {
    if word == "screen" { Space::Screen } else { Space::Map }
}

impl LoadArgs {
    pub(super) fn options(&self, path: &Path) -> Result<LoadOptions, LoadError> {
        Ok(self.apply(match &self.config {
            Some(config) => LoadOptions::load(config)?,
            None if self.no_config => LoadOptions::default(),
            None => Project::find(path)?
                .map_or_else(LoadOptions::default, |project| project.options().clone()),
        }))
    }

    /// Returns a copy of these arguments that halves the limits `work` and `cells`, for loading two levels.
    pub(super) fn of_two(&self) -> Self {
        Self { is_of_two: true, ..self.clone() }
    }

    pub(super) fn apply(&self, options: LoadOptions) -> LoadOptions {
        let mut options = self.settings.apply(options);
        options.planes.extend(self.plane.iter().cloned());
        if let Some(rule) = &self.mask {
            options.mask_rule = rule.clone();
        }
        if let Some(outside) = self.outside {
            options.outside = outside.into();
        }
        if let Some(root) = &self.root {
            options.root = Some(root.clone());
        }
        options.space = self.space.unwrap_or(options.space);
        for name in &self.area {
            if options.areas.iter().all(|area| area.name != *name) {
                options.areas.push(AreaRule::named(name));
            }
        }
        if !self.levels.is_empty() {
            options.levels.clone_from(&self.levels);
        }
        options.lenient |= self.lenient;
        options.allow_nothing_solid |= self.allow_nothing_solid;
        if self.is_of_two {
            options.limits.work /= 2;
            options.limits.cells /= 2;
        }
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
        file.load(&options).map_err(|error| Failure::NothingSolid(error, hints))
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
    /// A Tiled map (.tmx, .tmj), a world of maps (.world), an LDtk project (.ldtk), a mask (.png, .gif, .bmp,
    /// .webp, .tga) or a baked level (.bwl); - is a level on standard input
    #[arg(value_name = "LEVEL")]
    pub(super) level: PathBuf,
    #[command(flatten)]
    stdin: StdinArgs,
    #[command(flatten)]
    pub(super) load: LoadArgs,
}

impl LevelArgs {
    /// Returns the file of the level. Reads standard input if the path is `-`.
    pub(super) fn file(&self) -> Result<LevelFile, Failure> {
        let paths = std::slice::from_ref(&self.level);
        let read = read_stdin(paths, &self.stdin, &self.load)?;
        Ok(match read {
            Some((path, bytes)) => LevelFile { path, bytes: Some(bytes) },
            None => LevelFile::on_disk(&self.level),
        })
    }
}

/// Parses a box `X,Y,W,H`: four whole numbers, `W` and `H` above 0.
pub(super) fn parse_body(text: &str) -> Result<Aabb, String> {
    let numbers: Result<Vec<i32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match numbers.as_deref() {
        Ok([x, y, w, h]) => body(*x, *y, *w, *h),
        _ => Err("four whole numbers are needed: X,Y,W,H in pixels".to_owned()),
    }
}

/// Creates a box. Fails if the box is empty or ends beyond the range of positions.
pub(super) fn body(x: i32, y: i32, w: i32, h: i32) -> Result<Aabb, String> {
    if w <= 0 || h <= 0 {
        return Err("the width and the height must be above 0".to_owned());
    }
    if x.checked_add(w).is_none() || y.checked_add(h).is_none() {
        return Err("the box ends beyond 2147483647".to_owned());
    }
    Ok(Aabb::from_xywh(x, y, w, h))
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

/// The path of a level on standard input.
#[derive(Args, Clone, Debug)]
pub(super) struct StdinArgs {
    /// The path to show for a level on standard input. Files that the level names are relative to its folder.
    /// The ending of the path gives the format if the content does not show it (.tga, .world)
    #[arg(long, value_name = "PATH")]
    pub(super) stdin_name: Option<PathBuf>,
}

/// A level to load: its path, and its bytes if it was read from standard input.
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
        match &self.bytes {
            Some(bytes) => MaskFacts::read(source, bytes),
            None => {
                let most = loaded.options().limits.file_bytes();
                MaskFacts::read(source, &read_file(&self.path, Links::Followed, most).ok()?)
            }
        }
    }

    /// Returns suggestions for the loaded level.
    pub(super) fn suggestions(&self, loaded: &LoadedLevel) -> Vec<Suggestion> {
        suggestions(loaded, self.mask_facts(loaded).as_ref())
    }
}

/// Returns the path and bytes of the level on standard input, or `None` if `paths` has no `-`.
pub(super) fn read_stdin(
    paths: &[PathBuf],
    args: &StdinArgs,
    load: &LoadArgs,
) -> Result<Option<(PathBuf, Vec<u8>)>, Failure> {
    let count = paths.iter().filter(|path| *path == Path::new("-")).count();
    if count == 0 {
        return match args.stdin_name {
            Some(_) => Err(Failure::Other(
                "--stdin-name is the path of a level on standard input; give the level as -"
                    .to_owned(),
            )),
            None => Ok(None),
        };
    }
    let path = args.stdin_name.clone().unwrap_or_else(|| PathBuf::from(STDIN));
    let limit = load.options(&path)?.limits.file_bytes();
    let mut bytes = Vec::new();
    let failed = |kind| LoadError::new(&path, Place::default(), kind);
    let mut stdin = std::io::stdin().lock().take(limit.saturating_add(1));
    stdin.read_to_end(&mut bytes).map_err(|error| failed(LoadErrorKind::Io(error)))?;
    match bytes.len() as u64 {
        found if found > limit => {
            let what = "bytes on standard input";
            Err(failed(LoadErrorKind::TooLarge { what, limit, found }).into())
        }
        _ => Ok(Some((path, bytes))),
    }
}

/// Arguments that make layers, tiles or objects of a map solid or passable, in addition to the load options.
/// Each may be given again, and must match something in the map.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Solids of a map")]
pub(super) struct SettingArgs {
    /// Make layers of this name solid; a * at the end matches any rest
    #[arg(long, value_name = "NAME")]
    solid_layer: Vec<String>,
    /// Make the empty cells of tile layers of this name solid; cells with a tile are floor
    #[arg(long, value_name = "NAME")]
    walkable_layer: Vec<String>,
    /// Make nothing on layers of this name solid
    #[arg(long, value_name = "NAME")]
    passable_layer: Vec<String>,
    /// Make layers, tiles and objects of this class solid
    #[arg(long, value_name = "CLASS")]
    solid_class: Vec<String>,
    /// Make objects of this name solid; if their layer is solid by its name, its other objects become
    /// passable
    #[arg(long, value_name = "NAME")]
    solid_object: Vec<String>,
    /// Make layers, tiles and objects solid if their bool property of this name is true
    #[arg(long, value_name = "PROPERTY")]
    solid_property: Vec<String>,
    /// Make tiles and objects solid if their bool property of this name is false
    #[arg(long, value_name = "PROPERTY")]
    passable_property: Vec<String>,
    /// Make layers, tiles and objects solid whose property has this value
    #[arg(long, value_name = "PROPERTY=VALUE", value_parser = value)]
    solid_value: Vec<Setting>,
    /// Make the tiles of tilesets with this name solid: all tiles, or those with these ids
    #[arg(long, value_name = "TILESET[=ID-ID]")]
    solid_tiles: Vec<TileRange>,
    /// Make the tiles of tilesets with this name passable, even on a solid layer
    #[arg(long, value_name = "TILESET[=ID-ID]")]
    passable_tiles: Vec<TileRange>,
    /// On solid layers, make only tiles with collision shapes solid
    #[arg(long)]
    shapes_only: bool,
}

fn value(text: &str) -> Result<Setting, String> {
    let is: bitwall::rules::PropertyIs = text.parse().map_err(|error| format!("{error}"))?;
    Ok(Setting::SolidValue { name: is.name, value: is.value })
}

type NamedSetting<'n> = (&'n [String], fn(String) -> Setting);

impl SettingArgs {
    fn settings(&self) -> impl Iterator<Item = Setting> {
        let lists: [NamedSetting<'_>; 7] = [
            (&self.solid_layer, Setting::SolidLayer),
            (&self.walkable_layer, Setting::WalkableLayer),
            (&self.passable_layer, Setting::PassableLayer),
            (&self.solid_class, Setting::SolidClass),
            (&self.solid_object, Setting::SolidObject),
            (&self.solid_property, Setting::SolidProperty),
            (&self.passable_property, Setting::PassableProperty),
        ];
        let named =
            lists.into_iter().flat_map(|(names, setting)| names.iter().cloned().map(setting));
        let shapes = self.shapes_only.then_some(Setting::ShapesOnly);
        let solid = self.solid_tiles.iter().cloned().map(Setting::SolidTiles);
        let passable = self.passable_tiles.iter().cloned().map(Setting::PassableTiles);
        let values = self.solid_value.iter().cloned();
        named.chain(values).chain(solid).chain(passable).chain(shapes)
    }

    pub(super) fn apply(&self, mut options: LoadOptions) -> LoadOptions {
        self.settings().for_each(|setting| options.apply(&setting));
        options
    }

    /// Fails if an argument matches nothing in the level.
    pub(super) fn check(&self, loaded: &LoadedLevel) -> Result<(), Failure> {
        for setting in self.settings() {
            if let Some(reason) = absence(loaded, &setting) {
                let option = arguments(&setting).swap_remove(0);
                return Err(Failure::Other(format!("{option}: {reason}")));
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
}
