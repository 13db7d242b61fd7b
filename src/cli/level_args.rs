//! The arguments for the loading of a level and for the box that moves in it, shared by all commands.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::Failure;
use super::level_file::{LevelFile, StdinArgs, read_stdin};
use super::setting_args::SettingArgs;
use crate::load::root::config_of;
use crate::{
    Aabb, Limits, LoadError, LoadOptions, LoadedLevel, Outside, Project,
    rules::{AreaRule, MaskPlane, MaskRule},
    text::printable,
    tmx::Space,
};

/// The load options of a command. Each argument replaces an option of the nearest `bitwall.toml`.
#[derive(Args, Clone, Debug)]
pub(super) struct LoadArgs {
    /// The file with the load options [default: the nearest bitwall.toml in the level's folder or above it,
    /// up to the first folder with a .git]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,
    /// Use no bitwall.toml
    #[arg(long)]
    no_config: bool,
    /// The solid pixels of a mask: dark, light or opaque (with =THRESHOLD from 0 to 255), or colours as
    /// #rrggbb,#rrggbb [default: dark]
    #[arg(long, value_name = "RULE")]
    mask: Option<MaskRule>,
    /// Make a named area of a mask's pixels of this colour, such as water=#0000ff. They are passable, or
    /// solid if the name is solid. May be given again, also for more colours of one area
    #[arg(long, value_name = "NAME=COLOR")]
    plane: Vec<MaskPlane>,
    /// Whether the outside of the level is solid [default: solid]
    #[arg(long, value_enum)]
    outside: Option<OutsideArg>,
    /// The root folder: a map can only name files in it [default: the nearest folder above the map with a
    /// bitwall.toml (of several in one repository the topmost), a .tiled-project or a .git, else the current
    /// folder if the map is in it, else the map's own]
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,
    /// Make a named area of the layers, tiles and objects of a map with this name, class or bool property.
    /// A bitwall.toml has more rules for areas. May be given again
    #[arg(long, value_name = "NAME")]
    area: Vec<String>,
    /// The space of an isometric or oblique map's level: the map's own, or its picture's [default: map]
    #[arg(long, value_enum)]
    space: Option<SpaceArg>,
    /// Load a map with missing cells or unknown tiles: these cells count as empty, with a warning
    #[arg(long)]
    lenient: bool,
    /// Load a map in which nothing is solid, instead of an error; `info` and `render` always do
    #[arg(long)]
    allow_nothing_solid: bool,
    /// Raise or lower a limit on the content of files, such as mask_pixels=2^28; a wrong NAME lists them all.
    /// May be given again
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_limit)]
    limit: Vec<(String, u64)>,
    /// True for one of two levels that are loaded: each gets half of the limits of work and of tiles.
    #[arg(skip)]
    is_of_two: bool,
    #[command(flatten)]
    settings: SettingArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OutsideArg {
    Solid,
    Open,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SpaceArg {
    Map,
    Screen,
}

impl LoadArgs {
    /// The load options for the level at `path`.
    pub(super) fn options(&self, path: &Path) -> Result<LoadOptions, LoadError> {
        Ok(self.apply(match &self.config {
            Some(config) => LoadOptions::load(config)?,
            None if self.no_config => LoadOptions::default(),
            None => Project::find(path)?
                .map_or_else(LoadOptions::default, |project| project.options().clone()),
        }))
    }

    /// These arguments for each of two levels.
    pub(super) fn of_two(&self) -> Self {
        Self { is_of_two: true, ..self.clone() }
    }

    /// The configuration for the level at `path`, which is not read here.
    pub(super) fn config_for(&self, path: &Path) -> Option<PathBuf> {
        match &self.config {
            Some(config) => Some(config.clone()),
            None if self.no_config => None,
            None => config_of(path),
        }
    }

    /// The configuration that an argument names.
    pub(super) fn named_config(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    /// The root that an argument names.
    pub(super) fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// The options of a configuration, changed by the arguments.
    pub(super) fn apply(&self, options: LoadOptions) -> LoadOptions {
        let mut options = self.settings.apply(options);
        options.planes.extend(self.plane.iter().cloned());
        if let Some(rule) = &self.mask {
            options.mask_rule = rule.clone();
        }
        if let Some(outside) = self.outside {
            let outside = match outside {
                OutsideArg::Solid => Outside::Solid,
                OutsideArg::Open => Outside::Open,
            };
            options.outside = outside.into();
        }
        if let Some(root) = &self.root {
            options.root = Some(root.clone());
        }
        if let Some(space) = self.space {
            options.space = match space {
                SpaceArg::Map => Space::Map,
                SpaceArg::Screen => Space::Screen,
            };
        }
        for name in &self.area {
            if options.areas.iter().all(|area| area.name != *name) {
                options.areas.push(AreaRule::named(name));
            }
        }
        options.lenient |= self.lenient;
        options.allow_nothing_solid |= self.allow_nothing_solid;
        if self.is_of_two {
            options.limits.work /= 2;
            options.limits.map_cells /= 2;
        }
        for (name, value) in &self.limit {
            // It was tried when the arguments were read.
            options.limits.set(name, *value);
        }
        options
    }

    /// The largest number of bytes of a file that a level at `path` may have.
    pub(super) fn file_bytes(&self, path: &Path) -> Result<u64, LoadError> {
        Ok(self.options(path)?.limits.file_bytes)
    }

    /// Loads a level. It is an error if nothing in it is solid, unless that is allowed.
    pub(super) fn load(&self, file: &LevelFile) -> Result<LoadedLevel, Failure> {
        let loaded = self.load_anyway(file)?;
        let options = self.options(&file.path)?;
        let is_map = !loaded.maps.is_empty();
        match is_map && loaded.level.is_blank() && !options.allow_nothing_solid {
            true => Ok(file.load(&options)?),
            false => Ok(loaded),
        }
    }

    /// Loads a level, even one in which nothing is solid.
    pub(super) fn load_anyway(&self, file: &LevelFile) -> Result<LoadedLevel, Failure> {
        let options = self.options(&file.path)?.with_nothing_solid_allowed(true);
        let loaded = file.load(&options)?;
        self.settings.check(&loaded)?;
        Ok(loaded)
    }
}

/// The level argument of a command.
#[derive(Args, Clone, Debug)]
pub(super) struct LevelArgs {
    /// A Tiled map (.tmx, .tmj), a world of maps (.world), a mask (.png, .gif, .bmp, .webp, .tga) or a baked
    /// level (.bwl); - is a level on standard input
    #[arg(value_name = "LEVEL")]
    level: PathBuf,
    #[command(flatten)]
    stdin: StdinArgs,
    #[command(flatten)]
    load: LoadArgs,
}

impl LevelArgs {
    /// The file of the level. Standard input is read here.
    pub(super) fn file(&self) -> Result<LevelFile, Failure> {
        let paths = std::slice::from_ref(&self.level);
        let read = read_stdin(paths, &self.stdin, |path| self.load.file_bytes(path))?;
        Ok(match read {
            Some((path, bytes)) => LevelFile { path, bytes: Some(bytes) },
            None => LevelFile::on_disk(&self.level),
        })
    }

    /// True for a level on standard input.
    pub(super) fn is_stdin(&self) -> bool {
        self.level == Path::new("-")
    }

    /// Loads a level. It is an error if nothing in it is solid, unless that is allowed.
    pub(super) fn load(&self, file: &LevelFile) -> Result<LoadedLevel, Failure> {
        self.load.load(file)
    }

    /// Loads a level, even one in which nothing is solid.
    pub(super) fn load_anyway(&self, file: &LevelFile) -> Result<LoadedLevel, Failure> {
        self.load.load_anyway(file)
    }
}

/// A box as `X,Y,W,H`: four whole numbers, the last two above 0.
pub(super) fn parse_body(text: &str) -> Result<Aabb, String> {
    let numbers: Result<Vec<i32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match numbers.as_deref() {
        Ok([x, y, w, h]) => body(*x, *y, *w, *h),
        _ => Err("four whole numbers are needed: X,Y,W,H in pixels".to_owned()),
    }
}

/// The box with these numbers. An error if it is empty, or if it ends beyond the range of positions, which
/// would cut it off.
pub(super) fn body(x: i32, y: i32, w: i32, h: i32) -> Result<Aabb, String> {
    if w <= 0 || h <= 0 {
        return Err("the width and the height must be above 0".to_owned());
    }
    if x.checked_add(w).is_none() || y.checked_add(h).is_none() {
        return Err("the box ends beyond 2147483647".to_owned());
    }
    Ok(Aabb::from_xywh(x, y, w, h))
}

/// A limit as `NAME=VALUE`: the name of a field of [`Limits`], and a whole number or a power as `2^28`.
fn parse_limit(text: &str) -> Result<(String, u64), String> {
    let (name, value) = text.split_once('=').ok_or("it is written NAME=VALUE")?;
    let name = name.trim().replace('-', "_");
    if !Limits::NAMES.contains(&&*name) {
        let names = Limits::NAMES.join(", ");
        return Err(format!("there is no limit `{}`; the limits are {names}", printable(&name)));
    }
    let number = match value.trim().split_once('^') {
        Some((base, power)) => base
            .parse::<u64>()
            .ok()
            .zip(power.parse().ok())
            .and_then(|(base, power)| base.checked_pow(power)),
        None => value.trim().parse().ok(),
    };
    match number {
        Some(value) if Limits::default().set(&name, value) => Ok((name, value)),
        _ => Err(format!(
            "`{}` is no value for it: a whole number, or a power as 2^28",
            printable(value)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_has_a_name_and_a_value() {
        assert_eq!(parse_limit("mask-pixels=2^28"), Ok(("mask_pixels".to_owned(), 1 << 28)));
        assert_eq!(parse_limit("layers = 7"), Ok(("layers".to_owned(), 7)));
        for (text, expected) in [
            ("layers", "NAME=VALUE"),
            ("layer=3", "there is no limit `layer`; the limits are file_bytes, "),
            ("layers=2^40", "no value for it"),
            ("layers=-1", "no value for it"),
            ("layers=9^99", "no value for it"),
        ] {
            let error = parse_limit(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
